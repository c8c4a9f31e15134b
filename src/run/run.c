#include "run/run.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/stats.h"
#include "probe/child.h"
#include "probe/system.h"

enum { LOOK_MS = 20 };

#define QUIET 5.0 /* s and periods without a frame, after which a run is given up */
#define QUIET_PERIODS 100
#define ANSWERING 30.0  /* s, for the first frame of another machine, which waits for this one */
#define PREPARING 300.0 /* s, for matrices and the compiler of a GPU's driver */
#define END 1.0         /* s that processes have to end by themselves */
#define CLOCK_READINGS 1000
#define NOTE_READINGS 4 /* of a clock, for the time that the kernel noted of a datagram */

const struct run_quantile run_quantiles[RUN_QUANTILES] = {
    {"p50", "p50_us", 500},
    {"p90", "p90_us", 900},
    {"p99", "p99_us", 990},
    {"p99.9", "p999_us", 999},
};

/* Memory --------------------------------------------------------------------------------------- */

/* Divides memory, or only counts it where `base` is NULL. */
struct divider {
    char *base;
    size_t used;
};

static void *divide_off(struct divider *divider, size_t size)
{
    const size_t at = divider->used;

    divider->used = (at + size + 63) & ~(size_t)63;
    return divider->base == NULL ? NULL : divider->base + at;
}

/* Divides the memory that all processes share. */
static void lay_out(struct run_crew *crew, struct divider *divider)
{
    const struct run_job *job = crew->job;
    const size_t frames = (size_t)crew->frames;
    struct run_arrays *arrays = &crew->arrays;

    crew->shared = divide_off(divider, sizeof *crew->shared);
    arrays->raw = divide_off(divider, job->pixels * sizeof *arrays->raw);
    arrays->arriving =
        job->frames ? divide_off(divider, job->pixels * sizeof *arrays->raw) : arrays->raw;
    arrays->image = divide_off(divider, job->pixels * sizeof *arrays->image);
    arrays->slopes = divide_off(divider, job->slopes * sizeof *arrays->slopes);
    arrays->vector = divide_off(divider, job->vector * sizeof *arrays->vector);
    arrays->command = divide_off(divider, job->vector * sizeof *arrays->command);
    crew->sent = divide_off(divider, frames * sizeof *crew->sent);
    crew->out = divide_off(divider, frames * sizeof *crew->out);
    crew->busy = divide_off(divider, frames * (size_t)job->part_count * sizeof *crew->busy);
    crew->missed = divide_off(divider, frames);
}

static size_t shared_bytes(const struct run_job *job, long frames)
{
    struct run_crew crew = {.job = job, .frames = frames};
    struct divider divider = {NULL, 0};

    lay_out(&crew, &divider);
    return divider.used;
}

/* Returns the bytes of all data of a run. */
static double bytes_needed(const struct run_job *job, long frames)
{
    double bytes = (double)shared_bytes(job, frames);

    for (int p = 0; p < job->part_count; p++)
        bytes += run_work_bytes(&job->part[p]);
    return bytes;
}

enum status run_check_memory(const struct run_job *job, long frames, struct error *error)
{
    const double needed = bytes_needed(job, frames + RUN_WARM);
    const double there = 1024 * system_number("/proc/meminfo", "MemAvailable:", 0);

    if (there > 0 && needed > there)
        return error_set(error, STATUS_INVALID,
                         "the data of the design take %.1f GB; %.1f GB of memory are free",
                         needed / 1e9, there / 1e9);
    return STATUS_OK;
}

/* Sockets -------------------------------------------------------------------------------------- */

/* Returns an address with a port that is `plus` higher. */
static struct datagram_address other_port(const struct datagram_address *address, int plus)
{
    struct datagram_address other = *address;

    ((struct sockaddr_in *)&other.bytes)->sin_port =
        htons((uint16_t)(datagram_address_port(address) + plus));
    return other;
}

/* Prepares the socket of a lane: it waits no longer than a frame that does not come, and notes what
 * the latency begins and ends with. */
static void prepare_inner(struct run_crew *crew, int part)
{
    datagram_set_patience(&crew->inner[part], 2 * crew->job->period);
    if (crew->job->part[part].kind == RUN_CAMERA || part == crew->job->last_part)
        datagram_note_times(&crew->inner[part], part == crew->job->last_part);
}

/* Opens a socket of a lane whose other end is on another machine. */
static enum status connect_peer(struct run_crew *crew, int part, int number, struct error *error)
{
    const struct datagram_address peer = other_port(crew->address, number);
    struct datagram_socket *inner = &crew->inner[part];
    struct datagram_address any;
    enum status status = datagram_address_read(&any, "0.0.0.0", error);

    if (status == STATUS_OK)
        status = datagram_open(inner, &any, error);
    if (status == STATUS_OK)
        status = datagram_connect(inner, &peer, error);
    if (status == STATUS_OK)
        prepare_inner(crew, part);
    return status;
}

/* Connects a socket outside to one of a lane. */
static enum status connect_pair(struct run_crew *crew, int part, struct error *error)
{
    struct datagram_socket *outer = &crew->outer[part], *inner = &crew->inner[part];
    enum status status = datagram_open(outer, NULL, error);

    if (status == STATUS_OK)
        status = datagram_open(inner, NULL, error);
    if (status == STATUS_OK)
        status = datagram_connect(outer, &inner->own, error);
    if (status == STATUS_OK)
        status = datagram_connect(inner, &outer->own, error);
    if (status == STATUS_OK)
        prepare_inner(crew, part);
    if (status == STATUS_OK && crew->job->polls_card)
        datagram_poll_card(inner, crew->job->period);
    return status;
}

static bool has_socket(const struct run_job *job, int part)
{
    return (job->part[part].kind == RUN_CAMERA && job->datagrams_in) ||
           (job->part[part].kind == RUN_MIRROR && job->datagrams_out);
}

int run_sockets(const struct run_job *job)
{
    int sockets = 0;

    for (int p = 0; p < job->part_count; p++)
        sockets += has_socket(job, p);
    return sockets;
}

static enum status open_sockets(struct run_crew *crew, struct error *error)
{
    const struct run_job *job = crew->job;
    enum status status = STATUS_OK;
    int number = 0;

    for (int p = 0; p < job->part_count && status == STATUS_OK; p++) {
        const struct datagram_address own = crew->address != NULL
                                                ? other_port(crew->address, number)
                                                : (struct datagram_address){.length = 0};

        if (!has_socket(job, p))
            continue;
        status = crew->role == RUN_ALL      ? connect_pair(crew, p, error)
                 : crew->role == RUN_INSIDE ? connect_peer(crew, p, number, error)
                                            : datagram_open(&crew->outer[p], &own, error);
        number++;
    }
    return status;
}

static void close_sockets(struct run_crew *crew)
{
    for (int p = 0; p < COMPONENT_MAX; p++) {
        datagram_close(&crew->outer[p]);
        datagram_close(&crew->inner[p]);
    }
}

/* Another machine ------------------------------------------------------------------------------ */

#define HELLO "aolag run 1"

/* What the lanes send to each socket outside until they get data. */
struct hello {
    char name[12];
    uint32_t frames, events;
    uint64_t bytes;
};

static uint64_t event_bytes(const struct run_job *job)
{
    uint64_t bytes = 0;

    for (int e = 0; e < job->event_count; e++)
        bytes = 31 * bytes + job->event[e].length;
    return bytes;
}

static void send_hello(struct run_crew *crew)
{
    const struct hello hello = {HELLO, (uint32_t)crew->frames, (uint32_t)crew->job->event_count,
                                event_bytes(crew->job)};
    struct error error;

    for (int p = 0; p < crew->job->part_count; p++)
        if (crew->inner[p].file >= 0)
            datagram_send(&crew->inner[p], &hello, sizeof hello, &error);
}

/* Waits for the hello of the lanes on each socket. */
static enum status accept_lanes(struct run_crew *crew, const struct progress *progress,
                                struct error *error)
{
    const double end = clock_seconds() + PREPARING;
    char text[DATAGRAM_ADDRESS_MAX];

    for (int p = 0; p < crew->job->part_count; p++) {
        struct hello hello;
        struct datagram datagram = {.bytes = &hello, .size = sizeof hello};
        int count = crew->outer[p].file < 0;

        while (count == 0) {
            const bool stopped = !progress_report(progress, 0);

            if (stopped || clock_seconds() > end) {
                datagram_address_print(crew->address, text);
                return error_set(error, stopped ? STATUS_STOPPED : STATUS_IO,
                                 "no other machine asked for frames; run the same design there, "
                                 "with --peer %s",
                                 text);
            }
            count = datagram_accept(&crew->outer[p], &datagram, HELLO, error);
        }
        if (count < 0)
            return STATUS_IO;
        if (crew->outer[p].file >= 0 &&
            (datagram.length != sizeof hello || hello.frames > RUN_FRAMES_MAX + RUN_WARM ||
             hello.events != (uint32_t)crew->job->event_count ||
             hello.bytes != event_bytes(crew->job)))
            return error_set(error, STATUS_INVALID,
                             "the other machine runs another design; state the "
                             "same one on both, with the same --set");
        if (crew->outer[p].file >= 0)
            crew->frames = hello.frames;
    }
    return STATUS_OK;
}

/* Processes ------------------------------------------------------------------------------------ */

struct crew_process {
    pid_t id;
    bool ended;
};

struct watch {
    struct run_crew *crew;
    const struct progress *progress;
    struct run_outcome *outcome;
    double seconds; /* as in the options */
    int count;
    struct crew_process process[COMPONENT_MAX + 1]; /* the first is that of the cameras */
};

static bool polls(const struct run_job *job)
{
    bool any = false;

    for (int l = 0; l < job->lane_count; l++)
        any = any || !job->lane[l].sleeps;
    return any;
}

/* Returns true if the system takes the core away from real-time threads that poll, by default for a
 * twentieth of each second. */
static bool throttles(void)
{
    return system_number("/proc/sys/kernel/sched_rt_runtime_us", "", -1) >= 0;
}

static enum run_priority wanted_priority(const struct run_job *job)
{
    if (!job->realtime)
        return RUN_PRIORITY_NONE;
    return polls(job) && job->threads >= system_here()->cores ? RUN_PRIORITY_HELD
                                                              : RUN_PRIORITY_GRANTED;
}

static enum status start_processes(struct watch *watch, struct error *error)
{
    struct run_crew *crew = watch->crew;

    for (int i = crew->role == RUN_INSIDE;
         i <= (crew->role == RUN_OUTSIDE ? 0 : crew->job->processes); i++) {
        const pid_t id = child_start(-1, error);

        if (id == 0)
            _exit(i == 0 ? run_crew_cameras(crew) : run_crew_lanes(crew, i - 1));
        if (id < 0)
            return STATUS_IO;
        watch->process[watch->count++] = (struct crew_process){.id = id};
    }
    return STATUS_OK;
}

/* Says how a process ended, unless it ended well or said why not. */
static void note_process_end(const struct watch *watch, int process, int status)
{
    const char *which = process == 0 ? "cameras" : "components";
    char *text = watch->outcome->ended;

    if (text[0] != '\0' || status == 0 || atomic_load(&watch->crew->shared->failed))
        return;
    if (WIFSIGNALED(status))
        snprintf(text, ERROR_MESSAGE_MAX, "the process of the %s was ended by signal %d, %s%s",
                 which, WTERMSIG(status), strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL ? ", as where memory runs out" : "");
    else
        snprintf(text, ERROR_MESSAGE_MAX, "the process of the %s ended with status %d", which,
                 WEXITSTATUS(status));
}

/* Looks after the processes. Returns how many still run; after the first that ended badly the
 * others are stopped. */
static int look_after(struct watch *watch)
{
    int running = 0;

    for (int i = 0; i < watch->count; i++) {
        struct crew_process *process = &watch->process[i];
        int status = 0;

        if (process->ended)
            continue;
        process->ended = !child_runs(process->id, &status);
        running += !process->ended;
        if (!process->ended || status == 0)
            continue;
        note_process_end(watch, i + (watch->crew->role == RUN_INSIDE), status);
        atomic_store(&watch->crew->shared->stop, 1);
    }
    return running;
}

static void end_processes(struct watch *watch)
{
    const double end = clock_seconds() + END;

    atomic_store(&watch->crew->shared->stop, 1);
    while (look_after(watch) > 0 && clock_seconds() < end)
        poll(NULL, 0, 1);
    for (int i = 0; i < watch->count; i++)
        if (!watch->process[i].ended)
            child_end(watch->process[i].id, true);
}

/* Waits until all processes have ended, the caller stops the run, or nothing happens. */
static void watch_processes(struct watch *watch)
{
    struct run_shared *shared = watch->crew->shared;
    double heard = clock_seconds();
    double counted = 0; /* when the first counted frame was seen */
    long seen = -1;
    bool asked = false; /* another machine for frames */

    while (look_after(watch) > 0 && atomic_load(&shared->stop) == 0) {
        const long out = shared->begin > 0 ? atomic_load(&shared->out) : -1;
        const bool asks =
            out < 0 && watch->crew->role == RUN_INSIDE && atomic_load(&shared->ready) > 0;
        const double patience = asks      ? ANSWERING
                                : out < 0 ? PREPARING
                                          : QUIET + QUIET_PERIODS * watch->crew->job->period;

        if (asks)
            send_hello(watch->crew);
        heard = out != seen || asks != asked ? clock_seconds() : heard;
        asked = asks;
        seen = out;
        if (clock_seconds() - heard > patience) {
            snprintf(watch->outcome->ended, ERROR_MESSAGE_MAX,
                     "no frame passed for %.0f s; see what else uses the machine%s", patience,
                     watch->crew->role == RUN_INSIDE
                         ? ", and whether --outside runs the same design on the other"
                         : "");
            break;
        }
        if (out > RUN_WARM && counted == 0)
            counted = clock_seconds();
        if (watch->seconds > 0 && counted > 0 && clock_seconds() > counted + watch->seconds &&
            out < watch->crew->frames) {
            watch->outcome->cut = true;
            break;
        }
        if (!progress_report(watch->progress,
                             (double)atomic_load(&shared->out) / (double)watch->crew->frames)) {
            watch->outcome->stopped = true;
            break;
        }
        poll(NULL, 0, LOOK_MS);
    }
    end_processes(watch);
    if (watch->outcome->ended[0] == '\0' && atomic_load(&shared->failed))
        snprintf(watch->outcome->ended, ERROR_MESSAGE_MAX, "%s", shared->problem);
}

/* Figures -------------------------------------------------------------------------------------- */

static void find_quantiles(struct run_figure *figure, double *values, long count)
{
    stats_sort(values, count);
    for (int q = 0; q < RUN_QUANTILES; q++)
        figure->quantile[q] =
            count > 0 ? stats_quantile(values, count, run_quantiles[q].thousandths) : RESULT_NONE;
}

/* Returns the time of a reading of the clock, s. */
static double clock_time(void)
{
    const double from = clock_seconds();

    for (int i = 0; i < CLOCK_READINGS; i++)
        probe_keep_value(clock_seconds());
    return (clock_seconds() - from) / CLOCK_READINGS;
}

static bool counts(const struct run_crew *crew, long frame)
{
    return frame >= RUN_WARM && !crew->missed[frame];
}

/* Returns how many commands of so many frames did not arrive. */
static long missing_commands(const struct run_crew *crew, long frames)
{
    long missing = -atomic_load(&crew->shared->commands);

    for (int p = 0; p < crew->job->part_count; p++)
        if (crew->job->part[p].kind == RUN_MIRROR && has_socket(crew->job, p))
            missing += frames;
    return missing > 0 ? missing : 0; /* some may have come twice */
}

/* Collects the figures of the frames whose command came out. */
static void collect(const struct run_crew *crew, double target, struct run_outcome *outcome)
{
    const struct run_job *job = crew->job;
    const long frames = atomic_load(&crew->shared->out);
    double *values = allocate_array((size_t)frames + 1, sizeof *values);
    int timed = 0;

    outcome->sample = allocate_array((size_t)frames + 1, sizeof *outcome->sample);
    for (long f = 0; f < frames; f++) {
        outcome->incomplete += f >= RUN_WARM && crew->missed[f];
        if (counts(crew, f))
            outcome->sample[outcome->frames++] = crew->out[f] - crew->sent[f];
    }
    for (long i = 0; i < outcome->frames; i++)
        outcome->late += outcome->sample[i] > target;
    find_quantiles(&outcome->latency, outcome->sample, outcome->frames);
    for (int p = 0; p < job->part_count; p++) {
        long count = 0;

        for (long f = 0; f < frames; f++)
            if (counts(crew, f))
                values[count++] = (double)crew->busy[(long)p * crew->frames + f];
        find_quantiles(&outcome->part[p], values, count);
        timed += job->part[p].lane >= 0;
    }
    free(values);
    outcome->overhead = (timed + 1 + (job->datagrams_in ? NOTE_READINGS : 0)) * clock_time();
    snprintf(outcome->board, sizeof outcome->board, "%s", crew->shared->board);
    outcome->seconds = crew->shared->end;
    outcome->pieces_lost = atomic_load(&crew->shared->pieces_lost);
    outcome->skipped = atomic_load(&crew->shared->skipped);
    outcome->late_sent = atomic_load(&crew->shared->late_sent);
    outcome->interrupted = atomic_load(&crew->shared->interrupted);
    outcome->priority = (enum run_priority)atomic_load(&crew->shared->priority);
    outcome->throttled = outcome->priority == RUN_PRIORITY_GRANTED && polls(job) && throttles();
    if (frames == crew->frames && crew->role != RUN_INSIDE)
        outcome->commands_lost = missing_commands(crew, frames);
}

static void choose_cores(struct run_crew *crew)
{
    const int cores = system_here()->cores;

    crew->camera_polls = crew->job->threads < cores || crew->role != RUN_ALL;
    crew->cores = crew->role == RUN_ALL && crew->camera_polls ? cores - 1 : cores;
    crew->crowded = crew->job->threads > crew->cores;
}

static enum status run_crew(struct run_crew *crew, struct watch *watch, double target,
                            struct error *error)
{
    enum status status = open_sockets(crew, error);

    if (status == STATUS_OK && crew->role == RUN_OUTSIDE)
        status = accept_lanes(crew, watch->progress, error);
    if (status == STATUS_OK)
        status = start_processes(watch, error);
    if (status == STATUS_OK)
        watch_processes(watch);
    else
        end_processes(watch);
    if (status != STATUS_OK)
        return status;
    if (crew->role == RUN_OUTSIDE) {
        watch->outcome->frames = atomic_load(&crew->shared->sent);
        watch->outcome->commands_lost = missing_commands(crew, watch->outcome->frames);
        return STATUS_OK;
    }
    collect(crew, target, watch->outcome);
    if (watch->outcome->frames > 0)
        return STATUS_OK;
    if (watch->outcome->stopped)
        return error_set(error, STATUS_STOPPED, "stopped before the first frame was measured");
    return error_set(error, STATUS_IO, "no frame was measured: %s",
                     watch->outcome->ended[0] != '\0' ? watch->outcome->ended
                     : crew->role == RUN_ALL ? "each lost data; with ingress = ideal the host has "
                                               "them in shared memory"
                                             : "each lost data between the machines; ip -s link "
                                               "says on both where");
}

/* Runs the processes of a crew in shared memory for `frames`. */
static enum status run_in_memory(struct run_crew *crew, double target, double seconds,
                                 const struct progress *progress, struct run_outcome *outcome,
                                 struct error *error)
{
    const struct run_job *job = crew->job;
    struct watch watch = {
        .crew = crew, .progress = progress, .outcome = outcome, .seconds = seconds};
    const size_t size = shared_bytes(job, crew->frames);
    struct divider divider = {bell_memory(size), 0};
    enum status status;

    *outcome = (struct run_outcome){.frames = 0};
    if (divider.base == NULL)
        return error_set(error, STATUS_IO, "no memory for %.0f MB: %s", (double)size / 1e6,
                         strerror(ENOMEM));
    for (int p = 0; p < COMPONENT_MAX; p++)
        crew->outer[p].file = crew->inner[p].file = -1;
    lay_out(crew, &divider);
    choose_cores(crew);
    atomic_store(&crew->shared->priority, wanted_priority(job));
    for (size_t i = 0; i < job->pixels; i++)
        crew->arrays.image[i] = 1 + (float)(i % 61);
    outcome->cores = system_here()->cores;
    outcome->camera_polls = crew->camera_polls;
    outcome->crowded = crew->crowded;
    run_crew_open(crew);
    status = run_crew(crew, &watch, target, error);
    run_crew_close(crew);
    close_sockets(crew);
    bell_memory_free(divider.base, size);
    return status;
}

enum status run_measure(const struct run_job *job, const struct run_options *options, double target,
                        const struct progress *progress, struct run_outcome *outcome,
                        struct error *error)
{
    struct run_crew crew = {.job = job,
                            .role = options->peer != NULL ? RUN_INSIDE : RUN_ALL,
                            .address = options->peer,
                            .frames = options->frames + RUN_WARM,
                            .copies = options->copies,
                            .context = options->context};

    return run_in_memory(&crew, target, options->seconds, progress, outcome, error);
}

enum status run_outside(const struct run_job *job, const struct datagram_address *own,
                        const struct progress *progress, struct run_outcome *outcome,
                        struct error *error)
{
    struct run_crew crew = {
        .job = job, .role = RUN_OUTSIDE, .address = own, .frames = RUN_FRAMES_MAX + RUN_WARM};

    return run_in_memory(&crew, 0, 0, progress, outcome, error);
}

void run_outcome_free(struct run_outcome *outcome)
{
    free(outcome->sample);
    outcome->sample = NULL;
}
