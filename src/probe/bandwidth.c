#include "probe/bandwidth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "probe/loops/stream_loops.h"
#include "probe/team.h"

/* Sizes ---------------------------------------------------------------------------------------- */

#define SMALLEST 1024.0 /* B per core; below it the loop overhead dominates */

/* A cache as seen by `cores` cores. */
struct cache_level {
    double capacity; /* B, all such caches of these cores */
    double share;    /* B per core that may use it */
};

static int find_cache_levels(const struct system_caches *caches, int cores,
                             struct cache_level levels[SYSTEM_CACHES_MAX])
{
    static const double usual[] = {32 << 10, 512 << 10, 8 << 20};
    int count = 0;

    for (int i = 0; i < caches->levels; i++) {
        int shared = caches->cores[i] > 1 ? caches->cores[i] : 1;

        if (caches->capacity[i] > 0)
            levels[count++] =
                (struct cache_level){caches->capacity[i] * ((cores + shared - 1) / shared),
                                     caches->capacity[i] / shared};
    }
    for (int i = 0; count < 3 && caches->levels == 0; i++)
        levels[count++] = (struct cache_level){i < 2 ? cores * usual[i] : usual[i],
                                               i < 2 ? usual[i] : usual[i] / cores};
    return count;
}

static int add_stream_size(double size, double least, double largest, size_t *sizes, int count)
{
    if (count > 0 && least < (double)sizes[count - 1] * 1.05)
        least = (double)sizes[count - 1] * 1.05;
    if (size < least || size > largest || count == BANDWIDTH_SIZES_MAX)
        return count;
    sizes[count] = (size_t)size;
    return count + 1;
}

int bandwidth_sizes(const struct system_caches *caches, int cores, bool quick, size_t largest,
                    size_t sizes[BANDWIDTH_SIZES_MAX])
{
    const double most = (double)largest;
    struct cache_level levels[SYSTEM_CACHES_MAX];
    int levels_count = find_cache_levels(caches, cores, levels);
    double inner = SMALLEST * cores, last;
    int count = 0;

    for (int i = 0; i < levels_count; i++) {
        const struct cache_level *level = &levels[i];
        double share = level->share * cores;

        /* A set that nearly fits into the next inner cache does not measure this one. */
        if (share < level->capacity)
            count = add_stream_size(share / 2, inner, most, sizes, count);
        if (!quick)
            count = add_stream_size(level->capacity / 4, inner, most, sizes, count);
        count = add_stream_size(larger(level->capacity / 2, inner), inner, most, sizes, count);
        inner = 1.5 * share;
    }
    last = levels[levels_count - 1].capacity;
    count = add_stream_size(smaller(4 * last, most), 0, most, sizes, count);
    if (!quick)
        count = add_stream_size(smaller(8 * last, most), 0, most, sizes, count);
    if (count == 0)
        sizes[count++] = largest;
    return count;
}

/* Work on arrays of one size ------------------------------------------------------------------- */

#define LINE 64      /* B */
#define COLUMNS 1024 /* dot: a vector that stays in the first-level cache */
#define STAGGER 1344 /* B between arrays, so that they start at different offsets within a page */
#define ARRAYS 3
#define TEAM_SAMPLES 21 /* minimum; the slowest core counts, so disturbances are more frequent */
#define JITTER_SHORTEST 100e-6 /* s */

/* The data of one core. */
struct core_share {
    struct huge_pages pages;
    struct stream_arrays arrays[STREAM_KERNELS];
    float result;
};

struct stream_work {
    struct team *team; /* NULL: only the caller */
    int cores;
    double size; /* B, all cores */
    const struct stream_set *set;
    enum stream_kernel kernel;
    uint64_t repeats;
    struct core_share *share; /* one per core */
};

static void run_members(struct stream_work *work, team_work *member)
{
    if (work->team != NULL)
        team_run(work->team, member, work);
    else
        member(work, 0, 1);
}

/* The arrays of a loop together have the size of the core; all loops use the same memory. */
static void prepare_share(void *data, int rank, int size)
{
    struct stream_work *work = data;
    struct core_share *share = &work->share[rank];
    const size_t whole = (size_t)work->size / (size_t)size, line = LINE / sizeof(float);
    const size_t elements = whole / sizeof(float);
    size_t columns, rows;
    float *first;

    if (!huge_pages_map(NULL, &share->pages, whole + ARRAYS * STAGGER))
        return;
    /* Non-zero numbers, because zeros could be processed faster. */
    first = share->pages.bytes;
    for (size_t i = 0; i < share->pages.size / sizeof *first; i++)
        first[i] = 1;
    for (int i = 0; i < STREAM_KERNELS; i++) {
        size_t arrays = (size_t)stream_kernels[i].arrays;
        size_t count = elements / arrays / line * line;
        size_t next = count + STAGGER / sizeof(float);

        share->arrays[i] = (struct stream_arrays){.a = first,
                                                  .b = arrays > 1 ? first + next : first,
                                                  .c = arrays > 2 ? first + 2 * next : first,
                                                  .count = count,
                                                  .scale = 0.5F};
    }
    /* dot: result, vector and matrix in succession. */
    columns = elements / 4 < COLUMNS ? elements / 4 / line * line : COLUMNS;
    rows = (elements - columns) / (columns + 1);
    first += (rows + line - 1) / line * line;
    share->arrays[STREAM_DOT] = (struct stream_arrays){.a = share->pages.bytes,
                                                       .b = first + columns,
                                                       .c = first,
                                                       .count = rows,
                                                       .columns = columns};
}

static void stream_share(void *data, int rank, int size)
{
    struct stream_work *work = data;
    struct core_share *share = &work->share[rank];
    stream_loop *loop = work->set->loop[work->kernel];
    struct stream_arrays arrays = share->arrays[work->kernel];
    uint64_t repeats = work->repeats;
    float result = 0;

    (void)size;
    /* Use only the member's own data: another's result may be in the same cache line. */
    for (uint64_t i = 0; i < repeats; i++)
        result += loop(&arrays);
    share->result = result;
}

static void repeat_stream(void *data, uint64_t repeats)
{
    struct stream_work *work = data;

    work->repeats = repeats;
    run_members(work, stream_share);
    for (int i = 0; i < work->cores; i++)
        probe_keep_value((double)work->share[i].result);
}

static double stream_work_bytes(const struct stream_work *work)
{
    double bytes = 0;

    for (int i = 0; i < work->cores; i++)
        bytes += stream_bytes(work->kernel, &work->share[i].arrays[work->kernel]);
    return bytes;
}

static struct measurement_point stream_point(const struct stream_work *work, const char *name)
{
    struct measurement_point point = measurement_point(MEASUREMENT_BANDWIDTH, name, "f32");

    point.parameter[PARAMETER_SIZE] = work->size;
    point.parameter[PARAMETER_CORES] = work->cores;
    return point;
}

/* Maps the memory of the work; the part fails if there is none. Call close_work in any case. */
static void open_work(struct probe *probe, struct stream_work *work, struct team *team, size_t size)
{
    *work = (struct stream_work){.team = team,
                                 .cores = team != NULL ? team_size(team) : 1,
                                 .size = (double)size,
                                 .set = stream_set_widest()};
    work->share = allocate_array((size_t)work->cores, sizeof *work->share);
    run_members(work, prepare_share);
    for (int i = 0; i < work->cores; i++)
        if (work->share[i].pages.bytes == NULL)
            error_set(probe->error, STATUS_IO, "out of memory for %zu B", size);
}

static void close_work(struct stream_work *work)
{
    for (int i = 0; i < work->cores; i++)
        huge_pages_unmap(&work->share[i].pages);
    free(work->share);
}

/* Times the same work repeatedly and keeps every time. */
static void time_jitter(struct probe *probe, size_t size)
{
    struct stream_work work;

    open_work(probe, &work, NULL, size);
    work.kernel = STREAM_DOT;
    if (!probe_stopped(probe)) {
        struct measurement_point point = stream_point(&work, "jitter");
        uint64_t repeats = probe_calibrate(probe, repeat_stream, &work, JITTER_SHORTEST);
        double bytes = stream_work_bytes(&work) * (double)repeats;

        while (point.count < MEASUREMENT_SAMPLES_MAX && !probe_stopped(probe))
            point.sample[point.count++] = probe_time_run(repeat_stream, &work, repeats) / bytes;
        if (point.count == MEASUREMENT_SAMPLES_MAX)
            probe_add_point(probe, &point);
    }
    close_work(&work);
}

/* Times all loops over arrays of each size; `from` and `to` are the progress of the part at the
 * start and the end. */
static void time_sizes_of_cores(struct probe *probe, struct team *team,
                                const struct system_caches *caches, double from, double to)
{
    size_t sizes[BANDWIDTH_SIZES_MAX];
    int count = bandwidth_sizes(caches, team != NULL ? team_size(team) : 1, probe->quick,
                                probe->largest, sizes);

    for (int s = 0; s < count && !probe_stopped(probe); s++) {
        struct stream_work work;

        open_work(probe, &work, team, sizes[s]);
        for (int i = 0; i < STREAM_KERNELS && !probe_stopped(probe); i++) {
            struct measurement_point point = stream_point(&work, stream_kernels[i].name);

            work.kernel = (enum stream_kernel)i;
            probe_time_loop(probe, repeat_stream, &work, stream_work_bytes(&work), &point);
            probe_report(probe, MEASUREMENT_BANDWIDTH,
                         from +
                             (to - from) * (s * STREAM_KERNELS + i + 1) / (count * STREAM_KERNELS));
        }
        close_work(&work);
    }
}

/* The settings for so many cores. */
static struct probe probe_of_cores(const struct probe *probe, int cores)
{
    struct probe patient = *probe;

    if (cores > 1 && patient.samples < TEAM_SAMPLES)
        patient.samples = TEAM_SAMPLES;
    return patient;
}

static void time_team(struct probe *probe, const struct system_caches *caches)
{
    struct measurement_point barrier = measurement_point(MEASUREMENT_BANDWIDTH, "barrier", "");
    struct probe patient;
    struct team *team;

    if (team_open(&team, SYSTEM_CORES_MAX, probe->error) != STATUS_OK)
        return;
    patient = probe_of_cores(probe, team_size(team));
    if (team_size(team) > 1) {
        barrier.parameter[PARAMETER_CORES] = team_size(team);
        strcpy(barrier.remark, "s per start, not per byte");
        probe_time_loop(&patient, team_repeat_barrier, team, 1, &barrier);
        time_sizes_of_cores(&patient, team, caches, 0.5, 1);
    }
    team_close(team);
}

enum status probe_bandwidth(struct probe *probe, struct error *error)
{
    const struct system_caches *caches = &system_here()->kind[0].caches;
    size_t jitter = (size_t)256 << 10;

    probe_begin(probe, error);
    if (caches->levels > 1 && caches->capacity[1] > 0)
        jitter = (size_t)caches->capacity[1] / 2;
    system_pin_thread(probe->core);
    time_sizes_of_cores(probe, NULL, caches, 0, 0.48);
    if (!probe_stopped(probe))
        time_jitter(probe, jitter < probe->largest ? jitter : probe->largest);
    if (!probe_stopped(probe))
        time_team(probe, caches);
    return error->status;
}

static double seconds_of_cores(const struct probe *probe, int cores)
{
    const struct probe patient = probe_of_cores(probe, cores);
    size_t sizes[BANDWIDTH_SIZES_MAX];
    const int count =
        bandwidth_sizes(&system_here()->kind[0].caches, cores, probe->quick, probe->largest, sizes);
    double seconds = probe_loop_seconds(&patient, 0); /* jitter or barrier */

    for (int s = 0; s < count; s++)
        seconds +=
            (double)sizes[s] / PROBE_FILL_RATE +
            STREAM_KERNELS * probe_loop_seconds(&patient, (double)sizes[s] / PROBE_READ_RATE);
    return seconds;
}

double probe_bandwidth_seconds(const struct probe *probe)
{
    const int cores = system_here()->cores;

    return seconds_of_cores(probe, 1) + (cores > 1 ? seconds_of_cores(probe, cores) : 0);
}
