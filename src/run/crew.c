#include "run/crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/thread.h"
#include "probe/system.h"

#define PATIENCE 0.05      /* s, until who waits asks whether to stop */
#define EMPTY_LOOKS 2000   /* at an empty socket, likewise */
#define AWAKE 100e-6       /* s before a piece, from which on the cameras poll */
#define LATE 0.1           /* of a period */
#define FRAMES_UNDER_WAY 2 /* as many as a camera has buffers */
#define SILENCE 1.0        /* s, and two periods, after which another machine sends no more */
#define LAST_PATIENCE 1.0  /* s, for the commands of the last frames */

/* What is in front of the data of a datagram. */
struct header {
    uint32_t frame, event, unused[2];
};

_Static_assert(sizeof(struct header) == RUN_HEADER, "as the sizes of datagrams assume");

static bool is_stopped(const struct run_crew *crew)
{
    return atomic_load_explicit(&crew->shared->stop, memory_order_relaxed) != 0;
}

/* Records the first problem of all, and stops everybody. */
static void fail(const struct run_crew *crew, const char *problem)
{
    struct run_shared *shared = crew->shared;
    int none = 0;

    if (atomic_compare_exchange_strong(&shared->failed, &none, 1))
        snprintf(shared->problem, sizeof shared->problem, "%.*s", (int)sizeof shared->problem - 1,
                 problem);
    atomic_store(&shared->stop, 1);
}

/* Cameras and mirrors -------------------------------------------------------------------------- */

/* Counts the commands that arrived. */
static void receive_commands(struct run_crew *crew)
{
    for (int p = 0; p < crew->job->part_count; p++) {
        struct header header;
        struct datagram datagram = {.bytes = &header, .size = sizeof header};
        struct error error;

        if (crew->job->part[p].kind != RUN_MIRROR || crew->outer[p].file < 0)
            continue;
        while (datagram_receive(&crew->outer[p], &datagram, DATAGRAM_POLL, &error) > 0)
            if (datagram.length >= sizeof header && header.event == 1)
                atomic_fetch_add(&crew->shared->commands, 1);
    }
}

/* Waits until a time, at last polling if the cameras have a core of their own. */
static void wait_until(struct run_crew *crew, double time)
{
    const double asleep = time - (crew->camera_polls ? AWAKE : 0);
    double left;

    receive_commands(crew);
    while ((left = asleep - clock_seconds()) > 0 && !is_stopped(crew)) {
        struct timespec rest = {.tv_sec = (time_t)left};

        rest.tv_nsec = (long)(1e9 * (left - (double)rest.tv_sec));
        nanosleep(&rest, NULL);
    }
    while (clock_seconds() < time && !is_stopped(crew))
        thread_pause();
}

static bool send_piece(struct run_crew *crew, long frame, int e)
{
    const struct run_event *event = &crew->job->event[e];
    struct header *header = (struct header *)(void *)crew->piece;
    struct error error;

    *header = (struct header){.frame = (uint32_t)frame, .event = (uint32_t)e};
    if (datagram_send(&crew->outer[event->part], crew->piece, RUN_HEADER + event->length, &error) ==
        STATUS_OK)
        return true;
    fail(crew, error.message);
    return false;
}

/* Sends a frame, the first piece of which leaves at `begin` plus its time. */
static bool send_frame(struct run_crew *crew, long frame, double begin)
{
    const struct run_job *job = crew->job;
    double now = begin;

    for (int e = 0; e < job->event_count; e++) {
        const struct run_event *event = &job->event[e];
        const struct run_part *camera = &job->part[event->part];
        int copies;

        if (crew->outer[event->part].file < 0)
            memcpy((char *)(crew->arrays.raw + camera->pixels) + event->offset,
                   crew->piece + RUN_HEADER, event->length);
        wait_until(crew, begin + event->at);
        if (is_stopped(crew))
            return false;
        now = clock_seconds();
        if (e == job->last_event) {
            crew->sent[frame] = now - crew->shared->begin;
            if (now > begin + event->at + LATE * job->period)
                atomic_fetch_add(&crew->shared->late_sent, 1);
        }
        copies = crew->copies == NULL ? 1 : crew->copies(crew->context, frame, e);
        if (crew->outer[event->part].file < 0)
            bell_ring(&crew->shared->bell[event->part]);
        else
            while (copies-- > 0)
                if (!send_piece(crew, frame, e))
                    return false;
    }
    if (crew->role == RUN_OUTSIDE)
        atomic_fetch_add(&crew->shared->out, 1);
    atomic_fetch_add(&crew->shared->sent, 1);
    return true;
}

static int count_threads(const struct run_job *job)
{
    int threads = 0;

    for (int l = 0; l < job->lane_count; l++)
        threads += job->lane[l].size;
    return threads;
}

static void wait_for_lanes(const struct run_crew *crew)
{
    const struct timespec moment = {.tv_nsec = 1000000};

    while (crew->role == RUN_ALL && atomic_load(&crew->shared->ready) < count_threads(crew->job) &&
           !is_stopped(crew))
        nanosleep(&moment, NULL);
}

/* A camera does not wait for a reconstructor: where too many frames are under way one is skipped.
 */
static bool skips_frame(const struct run_crew *crew, long frame)
{
    if (frame - atomic_load(&crew->shared->out) < FRAMES_UNDER_WAY)
        return false;
    atomic_fetch_add(&crew->shared->skipped, 1);
    return true;
}

int run_crew_cameras(struct run_crew *crew)
{
    const struct run_job *job = crew->job;
    const struct system *system = system_here();
    const struct sched_param above = {.sched_priority = sched_get_priority_min(SCHED_FIFO) + 1};
    double begin;

    prctl(PR_SET_TIMERSLACK, 1UL);
    if (crew->camera_polls)
        system_pin_thread(system->core[system->cores - 1]);
    /* before the lanes: they need little time, but at once; where that is refused they are late
     * more often */
    sched_setscheduler(0, SCHED_FIFO, &above);
    wait_for_lanes(crew);
    begin = clock_seconds() + job->period;
    crew->shared->begin = begin;
    for (long frame = 0; frame < crew->frames && !is_stopped(crew); begin += job->period) {
        if (skips_frame(crew, frame))
            wait_until(crew, begin + job->period);
        else if (send_frame(crew, frame, begin))
            frame++;
    }
    begin = clock_seconds() + LAST_PATIENCE;
    while ((atomic_load(&crew->shared->out) < crew->frames || crew->role == RUN_OUTSIDE) &&
           clock_seconds() < begin && !is_stopped(crew))
        wait_until(crew, clock_seconds() + 1e-3);
    receive_commands(crew);
    return atomic_load(&crew->shared->failed);
}

/* Lanes ---------------------------------------------------------------------------------------- */

/* A lane with its team: the leader says what to do, all do their share. */
struct run_team {
    struct run_crew *crew;
    int lane;
    struct run_work work[COMPONENT_MAX]; /* of its parts */
    long pending[COMPONENT_MAX];         /* of a camera: pieces so far, in all frames */
    struct bell turn;
    alignas(64) atomic_int working;
    int part, slot, phase; /* of the turn */
    char *datagram;        /* a header and the data of a command */
    long frame;
    bool silent; /* another machine sends no more */
};

struct run_thread {
    struct run_team *team;
    int rank;
    pthread_t id;
};

static const struct run_lane *lane_of(const struct run_team *team)
{
    return &team->crew->job->lane[team->lane];
}

static void settle_thread(const struct run_thread *thread)
{
    struct run_crew *crew = thread->team->crew;
    const struct run_lane *lane = lane_of(thread->team);

    if (!crew->crowded)
        system_pin_thread(system_here()->core[(lane->core + thread->rank) % crew->cores]);
    if (atomic_load(&crew->shared->priority) == RUN_PRIORITY_GRANTED &&
        system_set_realtime(true) != 0)
        atomic_store(&crew->shared->priority, RUN_PRIORITY_REFUSED);
    atomic_fetch_add(&crew->shared->ready, 1);
}

/* Counts, when a thread ends, how often others had its core while it had work to do or polled. */
static void note_interruptions(const struct run_crew *crew)
{
    struct rusage usage;

    if (getrusage(RUSAGE_THREAD, &usage) == 0)
        atomic_fetch_add(&crew->shared->interrupted, usage.ru_nivcsw);
}

static void do_share(struct run_team *team, int rank)
{
    const int workers = team->crew->job->part[team->part].workers;

    if (rank < workers)
        run_work_do(&team->work[team->part], team->slot, team->phase, rank, workers);
}

/* A helper ends when its leader does, which would wait for one that ended before. One that sleeps
 * polls before, so that a visit has one launch, as in the model; where threads share cores it would
 * be in its leader's way. */
static void *run_helper(void *context)
{
    struct run_thread *thread = context;
    struct run_team *team = thread->team;
    const enum bell_wait wait = !lane_of(team)->sleeps    ? BELL_POLL
                                : team->crew->crowded ? BELL_SLEEP
                                                      : BELL_POLL_FIRST;
    unsigned seen = 0;

    settle_thread(thread);
    for (;;) {
        while (!bell_wait(&team->turn, &seen, wait, PATIENCE))
            ;
        if (team->part < 0) {
            note_interruptions(team->crew);
            return NULL;
        }
        do_share(team, thread->rank);
        atomic_fetch_sub_explicit(&team->working, 1, memory_order_release);
    }
}

/* Lets all threads of the team work, and waits for them. */
static void do_part(struct run_team *team, int part, int slot)
{
    const int helpers = lane_of(team)->size - 1;

    team->part = part;
    team->slot = slot;
    for (team->phase = 0; team->phase < team->work[part].phases; team->phase++) {
        if (helpers > 0 && team->crew->job->part[part].workers > 1) {
            atomic_store_explicit(&team->working, helpers, memory_order_relaxed);
            bell_ring(&team->turn);
        }
        do_share(team, 0);
        for (int pauses = 1; atomic_load_explicit(&team->working, memory_order_acquire) > 0;
             pauses++) {
            thread_pause();
            if (pauses % EMPTY_LOOKS == 0)
                sched_yield();
        }
    }
}

/* Waits until a part of another lane has rung as often. Returns false if the run is stopped. */
static bool await_rings(const struct run_team *team, int part, unsigned rings)
{
    struct bell *bell = &team->crew->shared->bell[part];
    const enum bell_wait wait = lane_of(team)->sleeps ? BELL_SLEEP : BELL_POLL;
    unsigned seen = atomic_load_explicit(&bell->rung, memory_order_acquire);

    while ((int)(seen - rings) < 0)
        if (!bell_wait(bell, &seen, wait, PATIENCE) && is_stopped(team->crew))
            return false;
    return true;
}

/* Returns true if nothing more comes of a frame: it was sent, and what the loopback holds is in the
 * socket soon; or another machine that has begun is silent. */
static bool is_over(struct run_team *team, double *since)
{
    const struct run_crew *crew = team->crew;

    if (crew->role == RUN_ALL)
        return atomic_load(&crew->shared->sent) > team->frame;
    if (crew->shared->begin <= 0)
        return false;
    *since = *since > 0 ? *since : clock_seconds();
    team->silent = team->silent || clock_seconds() > *since + SILENCE + 2 * crew->job->period;
    return team->silent;
}

/* Waits for a piece of a camera. Returns 1, 0 if everything that was sent has been received, or -1
 * if the run is stopped. */
static int receive_piece(struct run_team *team, int part, struct datagram *datagram)
{
    struct run_crew *crew = team->crew;
    const enum datagram_wait wait = lane_of(team)->sleeps ? DATAGRAM_SLEEP : DATAGRAM_POLL;
    struct error error;
    double since = 0;
    bool waited = wait == DATAGRAM_SLEEP; /* a while since nothing more was sent */

    for (int looks = 1;; looks++) {
        const bool over =
            (wait == DATAGRAM_SLEEP || looks % EMPTY_LOOKS == 0) && is_over(team, &since);
        const int count = datagram_receive(&crew->inner[part], datagram, wait, &error);

        team->silent = team->silent && count <= 0;
        if (count > 0)
            return 1;
        if (count < 0 && crew->role == RUN_ALL)
            fail(crew, error.message);
        if (is_stopped(crew))
            return -1;
        if (over && waited)
            return 0;
        waited = waited || over;
        if (looks % EMPTY_LOOKS == 0)
            sched_yield();
    }
}

/* Returns whether a time that the kernel noted, s, is one of what was done between `from` and now.
 * Its clock may be set meanwhile, and where a link sends later a note may be of an earlier
 * datagram. */
static bool is_between(double noted, double from)
{
    return noted >= from && noted <= clock_seconds();
}

/* Notes that a piece arrived: its number, in all frames, and of the last that counts when, by the
 * kernel's clock. One that came before, or late, tells nothing. */
static void note_arrival(struct run_team *team, int part, long expected,
                         const struct datagram *datagram)
{
    struct run_crew *crew = team->crew;
    const struct run_job *job = crew->job;
    struct header header;
    long piece;

    if (crew->role == RUN_INSIDE && crew->shared->begin <= 0)
        crew->shared->begin = clock_seconds();
    if (datagram->length < sizeof header)
        return;
    memcpy(&header, datagram->bytes, sizeof header);
    piece = (long)header.frame * job->event_count + (long)header.event;
    if (piece >= expected)
        team->pending[part] = piece + 1;
    if (piece == expected && (int)header.event == job->last_event) {
        const double begin = crew->shared->begin, at = datagram_clock(datagram->at);
        double *sent = &crew->sent[team->frame]; /* by a camera that is here */

        if (crew->role == RUN_INSIDE)
            *sent = (is_between(at, 0) ? at : clock_seconds()) - begin;
        else if (datagram->at > 0 && is_between(at, begin + *sent))
            *sent = at - begin;
    }
}

/* Receives the pieces of a slot. A piece of a later slot tells that those before it are lost, and
 * is counted there. */
static bool receive_slot(struct run_team *team, int part, int slot)
{
    struct run_crew *crew = team->crew;
    const struct run_job *job = crew->job;
    const long at = team->frame * job->event_count;
    const struct run_part *camera = &job->part[part];
    char *raw = (char *)(crew->arrays.arriving + camera->pixels);

    for (int e = camera->events[slot]; e < camera->events[slot + 1]; e++) {
        const struct run_event *event = &job->event[e];
        struct datagram datagram = {.bytes = raw + event->offset,
                                    .size = RUN_HEADER + event->length};
        int got = 1;

        if (event->part != part)
            continue; /* another camera's */
        while (got > 0 && team->pending[part] <= at + e) {
            got = receive_piece(team, part, &datagram);
            if (got < 0)
                return false;
            if (got > 0)
                note_arrival(team, part, at + e, &datagram);
        }
        if (team->pending[part] != at + e + 1) {
            atomic_fetch_add(&crew->shared->pieces_lost, 1);
            crew->missed[team->frame] = 1;
        }
    }
    if (job->frames && camera->rings[slot + 1] == camera->rings[job->slots])
        memcpy(crew->arrays.raw + camera->pixels, raw, camera->bytes);
    return true;
}

/* Sends the command of a mirror; the last datagram says so. */
static bool send_command(const struct run_team *team, int part)
{
    struct run_crew *crew = team->crew;
    const struct run_part *mirror = &crew->job->part[part];
    struct header *header = (struct header *)(void *)team->datagram;
    struct error error;

    for (size_t sent = 0; crew->inner[part].file >= 0 && sent < mirror->bytes;) {
        const size_t left = mirror->bytes - sent;
        const size_t length = left < crew->job->payload ? left : crew->job->payload;

        sent += length;
        *header = (struct header){.frame = (uint32_t)team->frame, .event = sent == mirror->bytes};
        if (datagram_send(&crew->inner[part], team->datagram, RUN_HEADER + length, &error) !=
            STATUS_OK) {
            fail(crew, error.message);
            return false;
        }
    }
    return true;
}

/* Waits for what a part needs in a slot from other lanes, and from cameras of shared memory. Sets
 * `from` to when that is there: if it needs nothing of others, the end of what the thread did
 * before in the slot. */
static bool await_input(const struct run_team *team, const struct run_part *part, int slot,
                        double *from)
{
    const struct run_job *job = team->crew->job;

    for (uint64_t left = part->others; left != 0; left &= left - 1) {
        const int q = __builtin_ctzll(left);
        const struct run_part *before = &job->part[q];

        if (!await_rings(
                team, q,
                (unsigned)(team->frame * before->rings[job->slots] + before->rings[slot + 1])))
            return false;
    }
    if (part->others != 0 || *from <= 0)
        *from = clock_seconds();
    return true;
}

/* Notes the end of a part in a slot. */
static void note_end(const struct run_team *team, int part, double from, double to)
{
    struct run_crew *crew = team->crew;

    crew->busy[(long)part * crew->frames + team->frame] += (float)(to - from);
    bell_ring(&crew->shared->bell[part]);
    if (part == crew->job->last_part) {
        if (crew->inner[part].file >= 0) {
            const double left = datagram_clock(datagram_sent_at(&crew->inner[part]));

            to = is_between(left, from) ? left : to;
        }
        crew->out[team->frame] = to - crew->shared->begin;
        crew->shared->end = crew->out[team->frame];
        atomic_fetch_add(&crew->shared->out, 1);
    }
}

/* Runs what a lane does in a slot. Returns false if the run is stopped. */
static bool run_slot(struct run_team *team, int slot)
{
    const struct run_job *job = team->crew->job;
    double from = 0, to;

    for (int p = 0; p < job->part_count; p++) {
        const struct run_part *part = &job->part[p];

        if (part->lane != team->lane || part->rings[slot] == part->rings[slot + 1])
            continue;
        if (!await_input(team, part, slot, &from))
            return false;
        if (part->kind == RUN_CAMERA && !receive_slot(team, p, slot))
            return false;
        if (part->kind == RUN_MIRROR && !send_command(team, p))
            return false;
        do_part(team, p, slot);
        if (team->work[p].error.status != STATUS_OK) {
            fail(team->crew, team->work[p].error.message);
            return false;
        }
        to = clock_seconds();
        note_end(team, p, from, to);
        from = to;
    }
    return true;
}

/* Runs a lane as the first thread of its team. */
static void *run_leader(void *context)
{
    struct run_thread *thread = context;
    struct run_team *team = thread->team;
    struct run_crew *crew = team->crew;
    bool goes_on = true;

    settle_thread(thread);
    for (team->frame = 0; team->frame < crew->frames && goes_on; team->frame++)
        for (int slot = 0; slot < crew->job->slots && goes_on; slot++)
            goes_on = run_slot(team, slot);
    team->part = -1;
    bell_ring(&team->turn);
    note_interruptions(crew);
    return NULL;
}

static bool open_team(struct run_team *team)
{
    struct run_crew *crew = team->crew;
    struct error error;

    for (int p = 0; p < crew->job->part_count; p++)
        if (crew->job->part[p].lane == team->lane &&
            run_work_open(&team->work[p], &crew->job->part[p], &crew->arrays, crew->shared->board,
                          &error) != STATUS_OK) {
            fail(crew, error.message);
            return false;
        }
    return true;
}

/* Starts the threads of a lane. */
static bool start_team(struct run_team *team, struct run_thread *threads)
{
    for (int i = 0; i < lane_of(team)->size; i++) {
        char text[200];
        int problem;

        threads[i] = (struct run_thread){.team = team, .rank = i};
        problem = thread_start(&threads[i].id, i == 0 ? run_leader : run_helper, &threads[i]);
        if (problem != 0) {
            snprintf(text, sizeof text, "cannot start a thread: %s", strerror(problem));
            fail(team->crew, text);
            return false;
        }
    }
    return true;
}

void run_crew_open(struct run_crew *crew)
{
    const struct run_job *job = crew->job;
    size_t longest = job->payload;

    for (int e = 0; e < job->event_count; e++)
        longest = job->event[e].length > longest ? job->event[e].length : longest;
    crew->piece = allocate_array(1, RUN_HEADER + longest);
    memset(crew->piece, 'A', RUN_HEADER + longest);
    crew->thread = allocate_array((size_t)count_threads(job), sizeof *crew->thread);
    crew->team = allocate_aligned(64, (size_t)job->lane_count * sizeof *crew->team);
    memset(crew->team, 0, (size_t)job->lane_count * sizeof *crew->team);
    for (int l = 0; l < job->lane_count; l++) {
        crew->team[l].crew = crew;
        crew->team[l].lane = l;
        crew->team[l].datagram = allocate_array(1, RUN_HEADER + job->payload);
    }
}

void run_crew_close(struct run_crew *crew)
{
    for (int l = 0; l < crew->job->lane_count; l++)
        free(crew->team[l].datagram);
    free(crew->team);
    free(crew->thread);
    free(crew->piece);
}

int run_crew_lanes(struct run_crew *crew, int process)
{
    const struct run_job *job = crew->job;
    int started = 0;
    bool good = true;

    for (int l = 0; l < job->lane_count && good; l++)
        good = job->lane[l].process != process || open_team(&crew->team[l]);
    for (int l = 0; l < job->lane_count && good; l++)
        if (job->lane[l].process == process) {
            good = start_team(&crew->team[l], crew->thread + started);
            started += good ? job->lane[l].size : 0;
        }
    for (int i = 0; i < started; i++)
        pthread_join(crew->thread[i].id, NULL);
    return atomic_load(&crew->shared->failed);
}
