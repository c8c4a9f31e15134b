#include "probe/apexmap.h"

#include <math.h>
#include <stdlib.h>

#include "probe/loops/sweeps.h"
#include "probe/probe.h"
#include "probe/system.h"

#define MEMORY ((size_t)512 << 20)    /* B */
#define BATCH 2048                    /* starts, 8 KiB */
#define WARM_WORDS ((size_t)10 << 20) /* read by drawn blocks before a point */
#define LINE_WORDS 8
#define SAMPLE_WORDS ((size_t)1 << 21)
#define SAMPLE_STARTS_MIN 64
#define SAMPLE_STARTS_MAX 65536
#define EMPTY_RUNS 1000
#define SIZES_MAX 8

static const double alphas[] = {1, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001};
static const size_t blocks[] = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};

#define ALPHAS (sizeof alphas / sizeof alphas[0])
#define BLOCKS (sizeof blocks / sizeof blocks[0])

/* splitmix64, see chase.c */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In (0, 1). */
static double random_uniform(uint64_t *state)
{
    return ((double)(random_next(state) >> 12) + 0.5) * 0x1p-52;
}

void apexmap_starts(uint32_t *starts, size_t count, size_t words, size_t block, double alpha,
                    uint64_t *state)
{
    double last = (double)(words / block - 1);

    for (size_t i = 0; i < count; i++) {
        double u = ((double)i + random_uniform(state)) / (double)count;
        size_t j = (size_t)((random_next(state) >> 32) * (i + 1) >> 32);

        /* Shuffled as they come: the new one goes to a random place. */
        if (j < i)
            starts[i] = starts[j];
        starts[j] = (uint32_t)((size_t)(pow(u, 1 / alpha) * last) * block);
    }
}

struct surface_run {
    struct probe *probe;
    struct huge_pages pages;
    size_t words;
    const struct sweep_set *set;
    double empty; /* s, of timing no start */
    uint64_t state;
    uint64_t sum;
    double done, step; /* of the part, before this size and for each point */
};

/* Draws and reads blocks; returns the seconds of the reading. */
static double read_blocks(struct surface_run *run, size_t count, size_t block, double alpha)
{
    uint32_t starts[BATCH];
    double seconds = 0;

    while (count > 0) {
        size_t batch = count < BATCH ? count : BATCH;
        double begin;

        apexmap_starts(starts, batch, run->words, block, alpha, &run->state);
        begin = probe_now();
        run->sum += run->set->blocks(run->pages.bytes, starts, batch, block);
        seconds += probe_now() - begin - run->empty;
        count -= batch;
    }
    probe_keep_value((double)run->sum);
    return seconds;
}

static double time_empty(const struct surface_run *run)
{
    const uint32_t start = 0;
    double least = INFINITY;

    for (int i = 0; i < EMPTY_RUNS; i++) {
        double begin = probe_now();

        probe_keep_value((double)run->set->blocks(run->pages.bytes, &start, 0, 1));
        least = fmin(least, probe_now() - begin);
    }
    return least;
}

/* What is visited most is read last, so that each cache holds about what it will. */
static void warm(struct surface_run *run, size_t block, double alpha)
{
    const volatile uint64_t *words = run->pages.bytes;
    size_t blocks_read = WARM_WORDS / (block > LINE_WORDS ? block : LINE_WORDS);
    size_t most = run->words < 2 * WARM_WORDS ? run->words : 2 * WARM_WORDS;

    for (size_t i = most; i >= LINE_WORDS; i -= LINE_WORDS)
        (void)words[i - LINE_WORDS];
    if (blocks_read > run->words)
        blocks_read = run->words;
    for (size_t i = 0; i < blocks_read && !probe_stopped(run->probe); i += BATCH)
        read_blocks(run, blocks_read - i < BATCH ? blocks_read - i : BATCH, block, alpha);
}

static size_t starts_of(const struct surface_run *run, size_t block)
{
    size_t starts = SAMPLE_WORDS / block;

    if (starts < SAMPLE_STARTS_MIN)
        starts = SAMPLE_STARTS_MIN;
    if (starts > SAMPLE_STARTS_MAX)
        starts = SAMPLE_STARTS_MAX;
    /* A small memory needs no more than some rounds. */
    return starts < 4 * run->words ? starts : 4 * run->words;
}

static enum status time_point(struct surface_run *run, size_t block, double alpha,
                              struct error *error)
{
    struct measurement_point point = measurement_point(MEASUREMENT_APEX, "apex", "");
    size_t starts = starts_of(run, block);

    point.parameter[PARAMETER_SIZE] = (double)run->words * APEXMAP_WORD;
    point.parameter[PARAMETER_BLOCK] = (double)block;
    point.parameter[PARAMETER_LOCALITY] = alpha;
    warm(run, block, alpha);
    for (int i = -1; i < run->probe->samples; i++) {
        double seconds;

        if (probe_stopped(run->probe))
            return STATUS_OK;
        seconds = read_blocks(run, starts, block, alpha);
        if (i >= 0 && seconds > 0)
            point.sample[point.count++] = seconds / ((double)starts * (double)block);
    }
    return measurement_add(run->probe->measurement, &point, error);
}

static size_t count_blocks(size_t words)
{
    size_t count = 0;

    while (count < BLOCKS && blocks[count] <= words / 4)
        count++;
    return count;
}

static enum status time_surface(struct surface_run *run, struct error *error)
{
    size_t block_count = count_blocks(run->words);
    double points = (double)(block_count * ALPHAS);
    enum status status = STATUS_OK;

    for (size_t i = 0; i < block_count * ALPHAS && status == STATUS_OK; i++) {
        if (probe_stopped(run->probe))
            break;
        status = time_point(run, blocks[i % block_count], alphas[i / block_count], error);
        probe_report(run->probe, MEASUREMENT_APEX,
                     run->done + run->step * (double)(i + 1) / points);
    }
    return status;
}

static enum status time_size(struct surface_run *run, size_t size, struct error *error)
{
    enum status status;
    uint64_t *words;

    if (!huge_pages_map(&run->pages, size))
        return error_set(error, STATUS_MEMORY, "no memory for %zu B", size);
    words = run->pages.bytes;
    run->words = size / APEXMAP_WORD;
    for (size_t i = 0; i < run->words; i++)
        words[i] = i;
    run->empty = time_empty(run);
    status = time_surface(run, error);
    huge_pages_unmap(&run->pages);
    return status;
}

/* Half of each cache and four times the last, as far as they are below the largest; it is last. */
static int choose_sizes(const struct probe *probe, size_t sizes[SIZES_MAX])
{
    size_t largest = probe->largest < MEMORY ? probe->largest : MEMORY;
    struct system_caches caches;
    int count = 0;

    system_caches(probe->core, &caches);
    for (int i = 0; !probe->quick && i < caches.levels; i++)
        if (caches.capacity[i] > 0 && caches.capacity[i] <= (double)largest)
            sizes[count++] = (size_t)caches.capacity[i] / 2;
    if (count > 0 && 8 * sizes[count - 1] < largest) {
        sizes[count] = 8 * sizes[count - 1];
        count++;
    }
    sizes[count++] = largest;
    return count;
}

enum status probe_apexmap(struct probe *probe, struct error *error)
{
    struct surface_run run = {.probe = probe, .set = sweep_set_widest(), .state = probe->seed};
    size_t sizes[SIZES_MAX];
    int count = choose_sizes(probe, sizes);
    enum status status = STATUS_OK;

    run.step = 1.0 / count;
    system_pin_thread(probe->core);
    /* The largest first: it is the one that models are fitted to. */
    for (int i = count; i-- > 0 && status == STATUS_OK && !probe_stopped(probe);) {
        run.done = run.step * (count - 1 - i);
        status = time_size(&run, sizes[i], error);
    }
    return status;
}
