#include "probe/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "probe/chase.h"
#include "probe/geometry.h"
#include "probe/system.h"

/* The staircase -------------------------------------------------------------------------------- */

#define SMALLEST 4096.0 /* B */
#define PER_OCTAVE 6
#define LARGEST (256.0 * (1 << 20)) /* B; CACHE_MULTIPLE times the last cache if larger */
#define CACHE_MULTIPLE 4
#define USUAL_CACHE (32.0 * (1 << 20)) /* B, if the system reports no cache */
#define QUICK_WARM ((size_t)1 << 20)   /* accesses */
#define QUICK_CHAINS 3                 /* several chains only at every third size */
#define FULL_CHAINS 2
#define LONGEST_RUN 1e-3 /* s; a longer one only adds disturbances */

/* About how long a node takes where caches are too small, s. */
#define LINKED 80e-9
#define WARMED 10e-9

/* The working set of the current walks. */
struct memory_run {
    struct probe *probe;
    struct huge_pages node_pages, order_pages; /* for the largest size, reused by others */
    struct chase_node *nodes;
    uint32_t *order;
    size_t warm; /* accesses after which the caches contain no older data */
    int sizes;
    double done; /* progress, 0-1 */
    double size; /* B */
    size_t count;
};

/* Returns the number of untimed accesses that fill the caches. */
static size_t warm_accesses(const struct memory_run *run)
{
    return run->count < run->warm ? run->count : run->warm;
}

static void warm_for_walk(const struct memory_run *run, int chains)
{
    walk_warm_caches(run->nodes, run->order, run->count, chains,
                     warm_accesses(run) / (size_t)chains);
}

/* Times a walk with `chains` chains; `ahead` is NAN except for prefetch. */
static void time_walk(struct memory_run *run, const char *name, probe_loop *loop, void *data,
                      int chains, double ahead)
{
    struct measurement_point point = measurement_point(MEASUREMENT_MEMORY, name, "");

    point.parameter[PARAMETER_SIZE] = run->size;
    point.parameter[PARAMETER_AHEAD] = ahead;
    if (isnan(ahead))
        point.parameter[PARAMETER_CHAINS] = chains;
    probe_time_loop(run->probe, loop, data, chains, &point);
    probe_report(run->probe, MEASUREMENT_MEMORY, run->done);
}

static void time_chase(struct memory_run *run, int chains)
{
    struct walk_chains walk;

    for (int i = 0; i < chains; i++)
        walk.at[i] = run->nodes + run->order[chase_start(run->count, i, chains)];
    warm_for_walk(run, chains);
    time_walk(run, "chase", walk_chains(chains), &walk, chains, (double)NAN);
}

static void time_array(struct memory_run *run)
{
    struct walk_array walk = {.nodes = run->nodes};

    warm_for_walk(run, 1);
    time_walk(run, "array", walk_array, &walk, 1, (double)NAN);
}

static void time_sequential(struct memory_run *run)
{
    struct walk_sequential walk = {.nodes = run->nodes, .count = run->count};

    walk_sequential(&walk, warm_accesses(run));
    time_walk(run, "sequential", walk_sequential, &walk, 1, (double)NAN);
}

static void time_list(struct memory_run *run)
{
    struct heap_list list;
    struct walk_chains walk;

    heap_list_make(&list, run->nodes, run->count);
    walk.at[0] = list.node[0];
    walk_chains(1)(&walk, warm_accesses(run));
    time_walk(run, "list", walk_chains(1), &walk, 1, (double)NAN);
    heap_list_free(&list);
}

static void time_prefetch(struct memory_run *run)
{
    struct huge_pages pages;
    const struct chase_node **order;

    if (!huge_pages_map(run->probe, &pages, (run->count + WALK_AHEAD_MAX) * sizeof *order)) {
        error_set(run->probe->error, STATUS_IO, "out of memory for a walk over %.0f B", run->size);
        return;
    }
    order = pages.bytes;
    for (size_t i = 0; i < run->count + WALK_AHEAD_MAX; i++)
        order[i] = run->nodes + run->order[i % run->count];
    for (size_t ahead = 0; ahead <= WALK_AHEAD_MAX && !probe_stopped(run->probe);
         ahead = ahead > 0 ? 2 * ahead : 1) {
        struct walk_prefetch walk = {.order = order, .count = run->count, .ahead = ahead};

        warm_for_walk(run, 1);
        time_walk(run, "prefetch", walk_prefetch, &walk, 1, (double)ahead);
    }
    huge_pages_unmap(&pages);
}

/* Additional walks, in order, how many points they are, and their intervals in sizes. */
static const struct other_walk {
    void (*time)(struct memory_run *run);
    int points;
    int full, quick;
} other_walks[] = {
    {.time = time_array, .points = 1, .full = 6, .quick = 12},
    {.time = time_sequential, .points = 1, .full = 6, .quick = 12},
    {.time = time_list, .points = 1, .full = 6, .quick = 12},
    {.time = time_prefetch, .points = 7, .full = 12, .quick = 24},
};

enum { OTHER_WALKS = sizeof other_walks / sizeof other_walks[0] };

static double size_at(int index)
{
    return CHASE_LINE * floor(SMALLEST * exp2((double)index / PER_OCTAVE) / CHASE_LINE);
}

static int most_chains(const struct memory_run *run, int i)
{
    return i % (run->probe->quick ? QUICK_CHAINS : FULL_CHAINS) == 0 ? CHASE_CHAINS_MAX : 1;
}

static bool is_walked(const struct memory_run *run, const struct other_walk *walk, int i)
{
    return i % (run->probe->quick ? walk->quick : walk->full) == 0;
}

static void set_size(struct memory_run *run, int i)
{
    run->size = size_at(i);
    run->count = (size_t)run->size / CHASE_LINE;
}

/* Estimates the duration of the points of a size, s. */
static double estimate_seconds(struct memory_run *run, int i)
{
    int points = 0;

    set_size(run, i);
    for (int chains = 1; chains <= most_chains(run, i); chains *= 2)
        points++;
    for (size_t k = 0; k < OTHER_WALKS; k++)
        points += is_walked(run, &other_walks[k], i) ? other_walks[k].points : 0;
    return LINKED * (double)run->count +
           points * (WARMED * (double)warm_accesses(run) + probe_loop_seconds(run->probe, 0));
}

/* Estimates the duration of everything. */
static double estimate_all(struct memory_run *run)
{
    double all = run->size >= GEOMETRY_SIZE
                     ? geometry_points(run->probe->quick) * probe_loop_seconds(run->probe, 0)
                     : 0;

    for (int i = 0; i < run->sizes; i++)
        all += estimate_seconds(run, i);
    return all;
}

static void time_staircase(struct memory_run *run)
{
    const double all = estimate_all(run);
    double done = 0;

    for (int i = 0; i < run->sizes && !probe_stopped(run->probe); i++) {
        set_size(run, i);
        run->done = done / all;
        probe_report(run->probe, MEASUREMENT_MEMORY, run->done);
        chase_link(run->nodes, run->order, run->count, run->probe->seed);
        for (int chains = 1; chains <= most_chains(run, i) && !probe_stopped(run->probe);
             chains *= 2)
            time_chase(run, chains);
        for (size_t k = 0; k < OTHER_WALKS; k++)
            if (is_walked(run, &other_walks[k], i) && !probe_stopped(run->probe))
                other_walks[k].time(run);
        done += estimate_seconds(run, i);
    }
    run->done = done / all;
}

/* Chooses the sizes; run->size is the largest. `own`: the settings of the part. */
static void plan_memory(struct memory_run *run, const struct probe *probe, struct probe *own)
{
    const struct system_caches *caches = &system_here()->kind[0].caches;
    const double last = caches->levels > 0 ? caches->capacity[caches->levels - 1] : USUAL_CACHE;
    const double largest = smaller(larger(CACHE_MULTIPLE * last, LARGEST), (double)probe->largest);

    *own = *probe;
    own->shortest = smaller(own->shortest, LONGEST_RUN);
    *run = (struct memory_run){.probe = own, .warm = (size_t)(2 * last / CHASE_LINE)};
    if (probe->quick && run->warm > QUICK_WARM)
        run->warm = QUICK_WARM;
    while (size_at(run->sizes) <= largest)
        set_size(run, run->sizes++);
}

double probe_memory_seconds(const struct probe *probe)
{
    struct memory_run run;
    struct probe own;

    plan_memory(&run, probe, &own);
    return estimate_all(&run);
}

/* Formats "transparent: madvise; requested, 256 of 256 MiB granted". */
static void describe_pages(const struct memory_run *run)
{
    const struct huge_pages *pages = &run->node_pages;
    char *text = run->probe->measurement->condition[CONDITION_HUGE_PAGES];
    char system[CONDITION_MAX];
    struct buffer buffer;

    memcpy(system, text, sizeof system);
    system[strcspn(system, ";")] = '\0';
    buffer = buffer_over(text, CONDITION_MAX);
    buffer_print(&buffer, "%s%s", system, system[0] != '\0' ? "; " : "");
    if (pages->size < HUGE_PAGE)
        buffer_print(&buffer, "not requested: the staircase ends below %d MiB",
                     (int)(HUGE_PAGE >> 20));
    else
        buffer_print(&buffer, "requested, %.0f of %.0f MiB granted",
                     (double)huge_pages_granted(pages) / (1 << 20),
                     (double)pages->size / (1 << 20));
}

enum status probe_memory(struct probe *probe, struct error *error)
{
    struct memory_run run;
    struct probe own;

    probe_begin(probe, error);
    plan_memory(&run, probe, &own);
    if (run.sizes == 0)
        return STATUS_OK;
    if (huge_pages_map(probe, &run.node_pages, (size_t)run.size) &&
        huge_pages_map(probe, &run.order_pages, run.count * sizeof(uint32_t))) {
        run.nodes = run.node_pages.bytes;
        run.order = run.order_pages.bytes;
        describe_pages(&run);
        time_staircase(&run);
        probe_geometry(&own, &run.node_pages, run.done);
    } else {
        error_set(error, STATUS_IO, "out of memory for walks over %.0f B", run.size);
    }
    huge_pages_unmap(&run.node_pages);
    huge_pages_unmap(&run.order_pages);
    probe_report(probe, MEASUREMENT_MEMORY, 1);
    return error->status;
}
