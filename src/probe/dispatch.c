#include "probe/dispatch.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/thread.h"
#include "probe/bell.h"
#include "probe/child.h"
#include "probe/datagram.h"
#include "probe/dispatch_points.h"
#include "probe/echo.h"
#include "probe/system.h"
#include "probe/team.h"

#define RESOLUTION 1e-9 /* s, of the clock: no time is less */
#define GAP 100e-6      /* s between two starts; the waiter waits again */
#define POLLED 500e-6   /* s at the end of a pause in which the clock is polled */
#define ANSWER_WAIT 1.0 /* s; a busy machine stands still for long */
#define ANSWERS_MISSED 3

/* Why there are no samples. */
#define NO_ANSWER "no answer"
#define NOTHING_POLLS "one core: nothing polls for another thread"

static const struct {
    int delays; /* samples of a delay */
    int idle;   /* after idleness */
    int bursts;
} dispatch_samples[] = {
    [false] = {.delays = MEASUREMENT_SAMPLES_MAX, .idle = 101, .bursts = 101},
    [true] = {.delays = 101, .idle = 15, .bursts = 31},
};

/* What the steps share. */
struct dispatch_run {
    struct probe *probe;
    int other;      /* core of what gives work; that of the probe if there is only one */
    int priorities; /* 2 with real-time priority, 1 without */
    int step, steps;
};

static bool has_one_core(const struct dispatch_run *run)
{
    return run->other == run->probe->core;
}

static void end_step(struct dispatch_run *run)
{
    probe_report(run->probe, MEASUREMENT_DISPATCH, (double)++run->step / run->steps);
}

/* Of points to which it does not apply. */
#define NO_PRIORITY (-1)

static struct measurement_point dispatch_point(const char *name, const char *type, int realtime)
{
    struct measurement_point point = measurement_point(MEASUREMENT_DISPATCH, name, type);

    if (realtime != NO_PRIORITY)
        point.parameter[PARAMETER_REALTIME] = realtime;
    return point;
}

/* Adds a point, without samples that the end of the part cut short, and without any a reason. */
static void keep_point(struct dispatch_run *run, struct measurement_point *point,
                       const char *reason)
{
    if (probe_stopped(run->probe))
        return;
    if (point->count == 0)
        snprintf(point->remark, sizeof point->remark, MEASUREMENT_MISSING "%.*s",
                 (int)(sizeof point->remark - sizeof MEASUREMENT_MISSING), reason);
    probe_add_point(run->probe, point);
}

static void keep_sample(struct measurement_point *point, double seconds)
{
    if (point->count < MEASUREMENT_SAMPLES_MAX)
        point->sample[point->count++] = larger(RESOLUTION, seconds);
}

/* Waits, asleep but for the end. With one core the others run meanwhile, which real-time priority
 * would keep from it. */
static void pause_for(const struct dispatch_run *run, double seconds)
{
    double end = probe_now() + seconds;
    double asleep = seconds - POLLED;

    if (asleep > 0) {
        struct timespec time = {.tv_sec = (time_t)asleep};

        time.tv_nsec = (long)(1e9 * (asleep - (double)time.tv_sec));
        nanosleep(&time, NULL);
    }
    while (probe_now() < end)
        if (has_one_core(run))
            sched_yield();
        else
            thread_pause();
}

/* Starting work -------------------------------------------------------------------------------- */

/* What a waiter and the one that gives it work share. */
struct exchange {
    struct bell work, answer;
    enum bell_wait wait;
    int core; /* of the waiter */
    bool realtime, ended;
    size_t handed; /* B of data */
    double ready;  /* s: when the work was */
    double delay;  /* s: until the waiter ran */
    char data[DISPATCH_HANDED];
};

/* Works until `ended`. */
static void *run_waiter(void *context)
{
    struct exchange *exchange = context;
    char copy[DISPATCH_HANDED];
    unsigned seen = 0;

    system_pin_thread(exchange->core);
    if (exchange->realtime)
        system_set_realtime(true);
    for (;;) {
        while (!bell_wait(&exchange->work, &seen, exchange->wait, ANSWER_WAIT))
            ;
        if (exchange->ended)
            return NULL;
        memcpy(copy, exchange->data, exchange->handed);
        probe_keep_pointer(copy);
        exchange->delay = probe_now() - exchange->ready;
        bell_ring(&exchange->answer);
    }
}

static enum status start_thread(pthread_t *thread, void *(*run)(void *context), void *context,
                                struct error *error)
{
    int failed = thread_start(thread, run, context);

    return failed == 0 ? STATUS_OK
                       : error_set(error, STATUS_IO, "cannot start a thread: %s", strerror(failed));
}

struct waiter {
    struct exchange *exchange;
    pthread_t thread;
    pid_t child; /* 0: a thread */
};

static bool start_waiter(struct dispatch_run *run, struct waiter *waiter, bool process)
{
    struct error *error = run->probe->error;

    waiter->child = 0;
    if (!process)
        return start_thread(&waiter->thread, run_waiter, waiter->exchange, error) == STATUS_OK;
    waiter->child = child_start(-1, error);
    if (waiter->child == 0) {
        run_waiter(waiter->exchange);
        _exit(EXIT_SUCCESS);
    }
    return waiter->child > 0;
}

static void end_waiter(struct waiter *waiter)
{
    waiter->exchange->ended = true;
    bell_ring(&waiter->exchange->work);
    if (waiter->child == 0)
        pthread_join(waiter->thread, NULL);
    else
        child_end(waiter->child, false);
}

/* Gives work again and again, the first time for nothing, until there is no answer. */
static void time_starts(const struct dispatch_run *run, struct waiter *waiter, double idle,
                        int samples, struct measurement_point *point)
{
    struct exchange *exchange = waiter->exchange;
    enum bell_wait wait = has_one_core(run) ? BELL_SLEEP : BELL_POLL;
    unsigned seen = 0;

    for (int i = -1; i < samples && !probe_stopped(run->probe); i++) {
        int missed = 0;

        pause_for(run, idle);
        memset(exchange->data, i, exchange->handed);
        exchange->ready = probe_now();
        bell_ring(&exchange->work);
        while (!bell_wait(&exchange->answer, &seen, wait, ANSWER_WAIT))
            if (++missed == ANSWERS_MISSED || probe_stopped(run->probe))
                return;
        if (i >= 0)
            keep_sample(point, exchange->delay);
    }
}

/* Measures the start of a waiter, with the point's priority and after its idleness. */
static void measure_start(struct dispatch_run *run, struct measurement_point *point, bool process,
                          enum bell_wait wait)
{
    struct exchange *exchange = bell_memory(sizeof *exchange);
    const bool realtime = point->parameter[PARAMETER_REALTIME] == 1;
    const double idle = point->parameter[PARAMETER_IDLE];
    struct waiter waiter = {.exchange = exchange};
    const char *reason = NOTHING_POLLS;

    if (exchange == NULL) {
        error_set(run->probe->error, STATUS_IO, "out of memory for %zu B", sizeof *exchange);
        return;
    }
    exchange->wait = wait;
    exchange->core = run->probe->core;
    exchange->realtime = realtime;
    exchange->handed =
        point->parameter[PARAMETER_SIZE] > 0 ? (size_t)point->parameter[PARAMETER_SIZE] : 0;
    if (!(has_one_core(run) && wait == BELL_POLL) && start_waiter(run, &waiter, process)) {
        system_pin_thread(run->other);
        if (realtime)
            system_set_realtime(true);
        time_starts(run, &waiter, idle > 0 ? idle : GAP,
                    idle > 0 ? dispatch_samples[run->probe->quick].idle
                             : dispatch_samples[run->probe->quick].delays,
                    point);
        reason = NO_ANSWER;
        /* before this thread may have to wait for the core of one with priority */
        end_waiter(&waiter);
        system_set_realtime(false);
        system_pin_thread(run->probe->core);
    }
    bell_memory_free(exchange, sizeof *exchange);
    keep_point(run, point, reason);
    end_step(run);
}

static const struct {
    const char *name, *type;
    bool process;
    enum bell_wait wait;
    size_t handed; /* B; 0: nothing */
} starts[] = {
    {DISPATCH_LAUNCH, DISPATCH_POLLING, false, BELL_POLL, 0},
    {DISPATCH_LAUNCH, DISPATCH_ASLEEP, false, BELL_SLEEP, 0},
    {DISPATCH_OTHER_PROCESS, DISPATCH_POLLING, true, BELL_POLL, 0},
    {DISPATCH_OTHER_PROCESS, DISPATCH_ASLEEP, true, BELL_SLEEP, 0},
    {DISPATCH_HANDOVER, DISPATCH_POLLING, true, BELL_POLL, DISPATCH_HANDED},
    {DISPATCH_HANDOVER, DISPATCH_ASLEEP, true, BELL_SLEEP, DISPATCH_HANDED},
};

static const double idle_times[] = {1e-3, 2e-3, 5e-3, 10e-3, 20e-3}; /* s */

enum {
    STARTS = sizeof starts / sizeof starts[0],
    IDLE_TIMES = sizeof idle_times / sizeof idle_times[0]
};

static void measure_starts(struct dispatch_run *run)
{
    for (int s = 0; s < STARTS; s++)
        for (int realtime = 0; realtime < run->priorities; realtime++) {
            struct measurement_point point =
                dispatch_point(starts[s].name, starts[s].type, realtime);

            if (starts[s].handed > 0)
                point.parameter[PARAMETER_SIZE] = (double)starts[s].handed;
            if (!probe_stopped(run->probe))
                measure_start(run, &point, starts[s].process, starts[s].wait);
        }
    for (int i = 0; i < IDLE_TIMES; i++)
        for (int realtime = 0; realtime < run->priorities; realtime++) {
            struct measurement_point point =
                dispatch_point(DISPATCH_LAUNCH, DISPATCH_ASLEEP, realtime);

            point.parameter[PARAMETER_IDLE] = idle_times[i];
            if (!probe_stopped(run->probe))
                measure_start(run, &point, false, BELL_SLEEP);
        }
}

/* Barriers of 2, 4, 8, ... threads and of all cores. */
static void measure_barriers(struct dispatch_run *run)
{
    const int cores = system_here()->cores;
    struct team *team;

    for (int size = 2; cores > 1 && !probe_stopped(run->probe);
         size = 2 * size < cores ? 2 * size : cores) {
        struct measurement_point point =
            measurement_point(MEASUREMENT_DISPATCH, DISPATCH_BARRIER, "");

        if (team_open(&team, size, run->probe->error) != STATUS_OK)
            return;
        point.parameter[PARAMETER_CORES] = size;
        probe_time_loop(run->probe, team_repeat_barrier, team, 1, &point);
        team_close(team);
        if (size == cores)
            break;
    }
    end_step(run);
}

/* Datagrams ------------------------------------------------------------------------------------ */

#define MANY_MISSED 3      /* times the samples that are needed: more than that are not tried */
#define LOOK 20e-6         /* s between looks at what has arrived */
#define ARRIVAL_MOST 50e-3 /* s until a burst has arrived */
#define QUIET 1000         /* us without a datagram before one that is timed, as between frames */
#define CARD_POLLED 50e-6  /* s */

static const int payloads[] = {DATAGRAM_STANDARD, DATAGRAM_JUMBO};
static const double bursts[] = {1, 2, 4, 8, 16, DISPATCH_BURST_MOST};

enum {
    PAYLOADS = sizeof payloads / sizeof payloads[0],
    BURSTS = sizeof bursts / sizeof bursts[0],
    BURST_READ = 16, /* datagrams of a burst that is read while it arrives */
};

/* The program's end. */
struct link {
    struct dispatch_run *run;
    struct datagram_socket socket;
    struct error error; /* of a question or answer */
    uint32_t number;    /* of the last question */
    char out[DATAGRAM_JUMBO], in[DATAGRAM_JUMBO];
};

/* Sends a question as long as its answers, which are to be read: their count, 0 for none. */
static bool ask(struct link *link, int count, int size, int delay)
{
    const struct echo question = {++link->number, (uint32_t)count, (uint32_t)size, (uint32_t)delay};

    echo_write(&question, link->out);
    return datagram_send(&link->socket, link->out, (size_t)size, &link->error) == STATUS_OK;
}

/* Reads the next answer to the last question. Returns false if there is none: with `whole` after
 * ANSWER_WAIT, otherwise at once. */
static bool read_answer(struct link *link, enum datagram_wait wait, bool whole,
                        struct datagram *datagram)
{
    double end = 0;

    for (int turn = 0;; turn++) {
        struct echo answer;
        int count;

        *datagram = (struct datagram){.bytes = link->in, .size = sizeof link->in};
        count = datagram_receive(&link->socket, datagram, wait, &link->error);
        if (count > 0 && echo_read(link->in, datagram->length, &answer) &&
            answer.number == link->number)
            return true;
        if (count < 0 || (count == 0 && !whole))
            return false;
        if (count > 0 || (wait == DATAGRAM_POLL && turn % 1000 != 999))
            continue;
        if (has_one_core(link->run) || wait == DATAGRAM_POLL)
            sched_yield();
        end = end > 0 ? end : probe_now() + ANSWER_WAIT;
        if (probe_now() > end || probe_stopped(link->run->probe))
            return false;
    }
}

/* The points of datagrams sent and received one by one. */
struct alone {
    struct measurement_point ingress, egress, round_trip;
};

static struct measurement_point datagram_point(const char *name, const char *type, int realtime,
                                               int size, int burst)
{
    struct measurement_point point = dispatch_point(name, type, realtime);

    point.parameter[PARAMETER_SIZE] = size;
    point.parameter[PARAMETER_BURST] = burst;
    return point;
}

/* One question and its answers. Returns false if the answers do not come. */
static bool time_exchange(struct link *link, struct alone *alone, enum datagram_wait wait,
                          int burst, int size)
{
    struct datagram datagram = {.at = 0};
    int64_t before, sent, after = 0;

    pause_for(link->run, GAP);
    before = datagram_now();
    if (!ask(link, burst, size, QUIET))
        return false;
    sent = datagram_sent_at(&link->socket);
    for (int i = 0; i < burst; i++) {
        if (!read_answer(link, wait, true, &datagram))
            return false;
        after = datagram_now();
    }
    if (datagram.length < (size_t)size) {
        error_set(&link->error, STATUS_IO, "the other end cannot send %d B", size);
        return false;
    }
    if (datagram.at > 0)
        keep_sample(&alone->ingress, 1e-9 * (double)(after - datagram.at));
    if (sent > 0)
        keep_sample(&alone->egress, 1e-9 * (double)(sent - before));
    keep_sample(&alone->round_trip, 1e-9 * (double)(after - before) - 1e-6 * QUIET);
    return true;
}

/* Measures datagrams that are alone or, with `burst`, read while as many arrive. */
static void measure_exchanges(struct link *link, enum datagram_wait wait, const char *type,
                              int burst, int size, bool realtime)
{
    struct dispatch_run *run = link->run;
    struct alone alone = {.ingress = datagram_point(DISPATCH_INGRESS, type, realtime, size, burst),
                          .egress = datagram_point(DISPATCH_EGRESS, type, realtime, size, burst),
                          .round_trip =
                              datagram_point(DISPATCH_ROUND_TRIP, type, realtime, size, burst)};
    bool both = burst == 1 && strcmp(type, DISPATCH_SOCKET_POLLED) == 0;
    const char *reason = "the kernel notes no times";
    int missed = 0;

    if (probe_stopped(run->probe))
        return;
    if (has_one_core(run) && realtime && wait == DATAGRAM_POLL) {
        reason = NOTHING_POLLS;
    } else {
        if (realtime)
            system_set_realtime(true);
        for (int i = -1; i < dispatch_samples[run->probe->quick].delays; i++) {
            bool answered = time_exchange(link, &alone, wait, burst, size);

            if (i < 0)
                alone.ingress.count = alone.egress.count = alone.round_trip.count = 0;
            if (answered)
                continue;
            reason = link->error.status != STATUS_OK ? link->error.message : NO_ANSWER;
            if (link->error.status != STATUS_OK || ++missed == ANSWERS_MISSED ||
                probe_stopped(run->probe))
                break;
        }
        system_set_realtime(false);
    }
    keep_point(run, &alone.ingress, reason);
    if (both)
        keep_point(run, &alone.egress, reason);
    if (both)
        keep_point(run, &alone.round_trip, reason);
    link->error = (struct error){0};
    end_step(run);
}

/* Reads without polling what arrived of the last question; returns the time if that was all. */
static bool drain(struct link *link, int count, double *seconds)
{
    struct datagram datagram;
    double began = probe_now();
    bool all = true;

    for (int i = 0; i < count && all; i++)
        all = read_answer(link, DATAGRAM_POLL, false, &datagram);
    *seconds = probe_now() - began;
    return all;
}

/* Waits until a burst has arrived; `each` is the memory of a datagram, 0 until the first has. */
static void wait_for_burst(struct link *link, int count, long *each)
{
    double end = probe_now() + ARRIVAL_MOST;
    long waiting;

    do {
        pause_for(link->run, LOOK);
        waiting = datagram_waiting(&link->socket);
    } while ((waiting == 0 || waiting < count * *each) && probe_now() < end);
    *each = *each == 0 ? waiting : *each;
}

/* Times bursts of all lengths that have arrived, or that are sent; the other end reads or ignores
 * them meanwhile. Returns false if one has not arrived. */
static bool time_bursts(struct link *link, bool send, int size, double seconds[BURSTS])
{
    long each = 0;

    for (int b = 0; b < BURSTS; b++) {
        int count = (int)bursts[b];
        double began;

        if (!send) {
            if (!ask(link, count, size, 0))
                return false;
            wait_for_burst(link, count, &each);
            if (!drain(link, count, &seconds[b]))
                return false;
            continue;
        }
        began = probe_now();
        for (int i = 0; i < count; i++)
            if (!ask(link, 0, size, 0))
                return false;
        seconds[b] = probe_now() - began;
        pause_for(link->run, GAP);
    }
    return true;
}

static void measure_bursts(struct link *link, bool send, int size)
{
    struct dispatch_run *run = link->run;
    const char *name = send ? DISPATCH_SEND : DISPATCH_RECEIVE;
    struct measurement_point one = datagram_point(name, "", NO_PRIORITY, size, 1);
    struct measurement_point each =
        datagram_point(name, "", NO_PRIORITY, size, DISPATCH_BURST_MOST);
    const int samples = dispatch_samples[run->probe->quick].bursts;
    long dropped = datagram_drops(&link->socket);
    const char *reason = "bursts were lost or came late";

    /* noted times take time, and memory beside what has arrived */
    datagram_note_times(&link->socket, false);
    datagram_sent_at(&link->socket);
    system_set_realtime(true);
    for (int i = 0; i < MANY_MISSED * samples && each.count < samples && !probe_stopped(run->probe);
         i++) {
        double seconds[BURSTS];

        if (time_bursts(link, send, size, seconds)) {
            keep_sample(&one, seconds[0]);
            keep_sample(&each, dispatch_burst_slope(bursts, seconds, BURSTS, RESOLUTION));
        } else if (link->error.status != STATUS_OK) {
            reason = link->error.message;
            break;
        } else {
            pause_for(run, ARRIVAL_MOST);
        }
    }
    system_set_realtime(false);
    datagram_note_times(&link->socket, true);
    dropped = datagram_drops(&link->socket) - dropped;
    if (dropped > 0)
        snprintf(each.remark, sizeof each.remark, "%ld datagrams were dropped", dropped);
    keep_point(run, &one, reason);
    keep_point(run, &each, reason);
    link->error = (struct error){0};
    end_step(run);
}

/* Lets the kernel poll the card; a point says why it does not. */
static void measure_card(struct link *link, int size, bool realtime)
{
    struct measurement_point point =
        datagram_point(DISPATCH_INGRESS, DISPATCH_CARD_POLLED, realtime, size, 1);
    const char *reason = NULL;

    if (!datagram_has_card(&link->socket))
        reason = "no queue of a network card to poll";
    else if (!datagram_poll_card(&link->socket, CARD_POLLED))
        reason = "polling the card is not permitted (CAP_NET_ADMIN)";
    if (reason == NULL) {
        measure_exchanges(link, DATAGRAM_SLEEP, DISPATCH_CARD_POLLED, 1, size, realtime);
    } else {
        keep_point(link->run, &point, reason);
        end_step(link->run);
    }
    datagram_poll_card(&link->socket, 0);
}

static void measure_datagrams(struct link *link)
{
    for (int p = 0; p < PAYLOADS; p++) {
        for (int realtime = 0; realtime < link->run->priorities; realtime++) {
            measure_exchanges(link, DATAGRAM_POLL, DISPATCH_SOCKET_POLLED, 1, payloads[p],
                              realtime);
            measure_exchanges(link, DATAGRAM_POLL, DISPATCH_SOCKET_POLLED, BURST_READ, payloads[p],
                              realtime);
            measure_exchanges(link, DATAGRAM_SLEEP, DISPATCH_SOCKET_SLEEPS, 1, payloads[p],
                              realtime);
            measure_card(link, payloads[p], realtime);
        }
        measure_bursts(link, false, payloads[p]);
        measure_bursts(link, true, payloads[p]);
    }
}

/* The other end in a thread of this process. */
struct echo_thread {
    struct datagram_socket socket;
    pthread_t thread;
    int core;
    atomic_bool ended;
};

static bool echo_is_ended(void *context)
{
    struct echo_thread *echo = context;

    return atomic_load(&echo->ended);
}

static void *run_echo(void *context)
{
    struct echo_thread *echo = context;
    struct error error;

    system_pin_thread(echo->core);
    system_set_realtime(true);
    echo_serve(&echo->socket, 0, echo_is_ended, echo, &error);
    return NULL;
}

/* Opens the sockets of both ends on the loopback and starts the other one. */
static enum status open_loopback(struct link *link, struct echo_thread *echo, struct error *error)
{
    if (datagram_open(&link->socket, NULL, error) != STATUS_OK ||
        datagram_open(&echo->socket, NULL, error) != STATUS_OK ||
        datagram_connect(&link->socket, &echo->socket.own, error) != STATUS_OK ||
        datagram_connect(&echo->socket, &link->socket.own, error) != STATUS_OK)
        return error->status;
    return start_thread(&echo->thread, run_echo, echo, error);
}

/* Measures with a thread of this process; without sockets a point says so. */
static void measure_loopback(struct link *link)
{
    struct dispatch_run *run = link->run;
    struct echo_thread echo = {.socket = {.file = -1}, .core = run->other};
    struct error error = {0};

    atomic_init(&echo.ended, false);
    if (open_loopback(link, &echo, &error) == STATUS_OK) {
        snprintf(run->probe->measurement->condition[CONDITION_LINK], CONDITION_MAX, "loopback");
        datagram_note_times(&link->socket, true);
        measure_datagrams(link);
        atomic_store(&echo.ended, true);
        pthread_join(echo.thread, NULL);
    } else {
        struct measurement_point point =
            datagram_point(DISPATCH_INGRESS, DISPATCH_SOCKET_POLLED, false, DATAGRAM_STANDARD, 1);

        keep_point(run, &point, error.message);
    }
    datagram_close(&echo.socket);
    datagram_close(&link->socket);
}

/* Returns true if the other end answers. */
static bool greet(struct link *link)
{
    for (int i = 0; i < ANSWERS_MISSED && !probe_stopped(link->run->probe); i++) {
        struct datagram datagram;

        if (ask(link, 1, ECHO_HEADER, 0) && read_answer(link, DATAGRAM_SLEEP, true, &datagram))
            return true;
        if (link->error.status != STATUS_OK)
            return false;
    }
    return false;
}

/* Measures with the other end at the peer's address. */
static void measure_peer(struct link *link)
{
    const struct datagram_address *peer = link->run->probe->peer;
    struct error *error = link->run->probe->error;
    struct datagram_address any;
    char text[DATAGRAM_ADDRESS_MAX];

    datagram_address_print(peer, text);
    datagram_address_read(&any, peer->bytes.ss_family == AF_INET6 ? "::" : "0.0.0.0", error);
    if (datagram_open(&link->socket, &any, error) != STATUS_OK ||
        datagram_connect(&link->socket, peer, error) != STATUS_OK)
        return;
    if (greet(link)) {
        snprintf(link->run->probe->measurement->condition[CONDITION_LINK], CONDITION_MAX,
                 "%s, MTU %d B", text, datagram_mtu(&link->socket));
        datagram_note_times(&link->socket, true);
        measure_datagrams(link);
    } else if (!probe_stopped(link->run->probe)) {
        if (link->error.status == STATUS_OK)
            error_set(&link->error, STATUS_IO, "%s does not answer", text);
        *error = link->error;
        error_add(error, "aolag probe dispatch --echo answers while it runs there");
    }
    datagram_close(&link->socket);
}

/* The part ------------------------------------------------------------------------------------- */

/* Finds whether real-time priority is permitted. */
static int count_priorities(struct probe *probe)
{
    char *condition = probe->measurement->condition[CONDITION_REALTIME];
    int refused = system_set_realtime(true);

    system_set_realtime(false);
    if (refused == 0)
        snprintf(condition, CONDITION_MAX, "permitted");
    else
        snprintf(condition, CONDITION_MAX, "no: %s (ulimit -r, CAP_SYS_NICE)", strerror(refused));
    return refused == 0 ? 2 : 1;
}

enum status probe_dispatch(struct probe *probe, struct error *error)
{
    const struct system *system = system_here();
    struct link *link = allocate_array(1, sizeof *link);
    struct dispatch_run run = {.probe = probe, .other = probe->core};

    probe_begin(probe, error);
    system_pin_thread(probe->core);
    for (int i = 0; i < system->cores && run.other == probe->core; i++)
        run.other = system->core[i];
    run.priorities = count_priorities(probe);
    run.steps = run.priorities * (STARTS + IDLE_TIMES + 4 * PAYLOADS) + 1 + 2 * PAYLOADS;
    measure_starts(&run);
    if (!probe_stopped(probe))
        measure_barriers(&run);
    *link = (struct link){.run = &run, .socket = {.file = -1}};
    if (!probe_stopped(probe))
        (probe->peer != NULL ? measure_peer : measure_loopback)(link);
    free(link);
    return error->status;
}
