#include "memory_probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chase.h"
#include "heap_list.h"
#include "pages.h"
#include "system_caches.h"
#include "walks.h"

#define SMALLEST 4096.0 /* B */
#define PER_OCTAVE 6
#define LARGEST (256.0 * (1 << 20)) /* B, or CACHES times the last cache, whichever is more */
#define CACHES 4
#define USUAL_CACHE (32.0 * (1 << 20)) /* B, where the system does not say */
#define QUICK_WARM ((size_t)1 << 20)   /* accesses */
#define QUICK_CHAINS 3                 /* more than one at every so many sizes */
#define FULL_CHAINS 2

struct staircase {
    struct probe *probe;
    struct error *error;
    struct pages nodes, order; /* of the largest size; the smaller ones use the front */
    size_t warm;               /* accesses after which no cache holds anything older */
    double done;               /* 0-1 */

    double size; /* B */
    size_t count;
};

static const struct chase_node *nodes_of(const struct staircase *stairs)
{
    return stairs->nodes.bytes;
}

static struct measurement_point point_at(const struct staircase *stairs, const char *name)
{
    struct measurement_point point = measurement_point(MEASUREMENT_MEMORY, name, "");

    point.parameter[PARAMETER_SIZE] = stairs->size;
    return point;
}

static const uint32_t *order_of(const struct staircase *stairs)
{
    return stairs->order.bytes;
}

/* How many accesses before the first that is timed fill the caches. */
static size_t accesses(const struct staircase *stairs)
{
    return stairs->count < stairs->warm ? stairs->count : stairs->warm;
}

static void approach(const struct staircase *stairs, int chains)
{
    walk_approach(nodes_of(stairs), order_of(stairs), stairs->count, chains,
                  accesses(stairs) / (size_t)chains);
}

static enum status time_walk(struct staircase *stairs, probe_loop *loop, void *data, int chains,
                             struct measurement_point *point)
{
    enum status status = probe_time(stairs->probe, loop, data, chains, point, stairs->error);

    probe_report(stairs->probe, MEASUREMENT_MEMORY, stairs->done);
    return status;
}

static enum status time_chains(struct staircase *stairs, int chains)
{
    struct measurement_point point = point_at(stairs, "chase");
    struct walk_chains walk;

    point.parameter[PARAMETER_CHAINS] = chains;
    for (int i = 0; i < chains; i++)
        walk.at[i] = nodes_of(stairs) + order_of(stairs)[chase_start(stairs->count, i, chains)];
    approach(stairs, chains);
    return time_walk(stairs, walk_chains(chains), &walk, chains, &point);
}

static enum status time_array(struct staircase *stairs)
{
    struct measurement_point point = point_at(stairs, "array");
    struct walk_array walk = {.nodes = nodes_of(stairs)};

    point.parameter[PARAMETER_CHAINS] = 1;
    approach(stairs, 1);
    return time_walk(stairs, walk_array, &walk, 1, &point);
}

static enum status time_sequential(struct staircase *stairs)
{
    struct measurement_point point = point_at(stairs, "sequential");
    struct walk_sequential walk = {.nodes = nodes_of(stairs), .count = stairs->count};

    point.parameter[PARAMETER_CHAINS] = 1;
    walk_sequential(&walk, accesses(stairs));
    return time_walk(stairs, walk_sequential, &walk, 1, &point);
}

static enum status time_list(struct staircase *stairs)
{
    struct measurement_point point = point_at(stairs, "list");
    struct heap_list list;
    struct walk_chains walk;
    enum status status;

    if (!heap_list_make(&list, nodes_of(stairs), stairs->count))
        return error_set(stairs->error, STATUS_MEMORY, "no memory for a list of %.0f B",
                         stairs->size);
    point.parameter[PARAMETER_CHAINS] = 1;
    walk.at[0] = list.node[0];
    walk_chains(1)(&walk, accesses(stairs));
    status = time_walk(stairs, walk_chains(1), &walk, 1, &point);
    heap_list_free(&list);
    return status;
}

static enum status time_aheads(struct staircase *stairs, const struct chase_node **order)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < stairs->count + WALK_AHEAD_MAX; i++)
        order[i] = nodes_of(stairs) + order_of(stairs)[i % stairs->count];
    for (size_t ahead = 0; ahead <= WALK_AHEAD_MAX && status == STATUS_OK;
         ahead = ahead > 0 ? 2 * ahead : 1) {
        struct measurement_point point = point_at(stairs, "prefetch");
        struct walk_prefetch walk = {.order = order, .count = stairs->count, .ahead = ahead};

        if (probe_stopped(stairs->probe))
            break;
        point.parameter[PARAMETER_AHEAD] = (double)ahead;
        approach(stairs, 1);
        status = time_walk(stairs, walk_prefetch, &walk, 1, &point);
    }
    return status;
}

static enum status time_prefetch(struct staircase *stairs)
{
    struct pages order;
    enum status status;

    if (!pages_get(&order, (stairs->count + WALK_AHEAD_MAX) * sizeof(struct chase_node *)))
        return error_set(stairs->error, STATUS_MEMORY, "no memory to walk %.0f B", stairs->size);
    status = time_aheads(stairs, order.bytes);
    pages_free(&order);
    return status;
}

static enum status link_size(struct staircase *stairs)
{
    struct chase_survey survey;

    chase_link(stairs->nodes.bytes, stairs->order.bytes, stairs->count, stairs->probe->seed);
    if (!chase_survey(nodes_of(stairs), stairs->count, &survey))
        return error_set(stairs->error, STATUS_INVALID, "the nodes of %.0f B are not one cycle",
                         stairs->size);
    chase_order(nodes_of(stairs), &survey, stairs->order.bytes);
    return STATUS_OK;
}

/* What else there is at a size, in the order it is taken, and at every how many sizes. */
static const struct {
    enum status (*time)(struct staircase *stairs);
    int full, quick;
} walks[] = {
    {time_array, 6, 12},
    {time_sequential, 6, 12},
    {time_list, 6, 12},
    {time_prefetch, 12, 24},
};

static enum status time_size(struct staircase *stairs, int index)
{
    bool quick = stairs->probe->quick;
    enum status status = link_size(stairs);
    int most = index % (quick ? QUICK_CHAINS : FULL_CHAINS) == 0 ? CHASE_CHAINS_MAX : 1;

    for (int chains = 1; chains <= most && status == STATUS_OK; chains *= 2)
        if (!probe_stopped(stairs->probe))
            status = time_chains(stairs, chains);
    for (size_t i = 0; i < sizeof walks / sizeof walks[0] && status == STATUS_OK; i++)
        if (index % (quick ? walks[i].quick : walks[i].full) == 0 && !probe_stopped(stairs->probe))
            status = walks[i].time(stairs);
    return status;
}

static double size_at(int index)
{
    return CHASE_LINE * floor(SMALLEST * exp2((double)index / PER_OCTAVE) / CHASE_LINE);
}

static int sizes_up_to(double largest)
{
    int count = 0;

    while (size_at(count) <= largest)
        count++;
    return count;
}

/* Of a size next to the others, for the progress: linking and walking grow with it, timing does
 * not. */
static double effort(const struct probe *probe, double size)
{
    return 100 * probe->samples * probe->shortest + 100e-9 * size / CHASE_LINE;
}

static enum status time_sizes(struct staircase *stairs, int sizes)
{
    double all = 0, done = 0;
    enum status status = STATUS_OK;

    for (int i = 0; i < sizes; i++)
        all += effort(stairs->probe, size_at(i));
    for (int i = 0; i < sizes && status == STATUS_OK && !probe_stopped(stairs->probe); i++) {
        stairs->size = size_at(i);
        stairs->count = (size_t)stairs->size / CHASE_LINE;
        stairs->done = done / all;
        probe_report(stairs->probe, MEASUREMENT_MEMORY, stairs->done);
        status = time_size(stairs, i);
        done += effort(stairs->probe, stairs->size);
    }
    return status;
}

/* "transparent: madvise; asked for, 256 of 256 MiB given" */
static void note_pages(const struct staircase *stairs)
{
    char *text = stairs->probe->measurement->condition[CONDITION_HUGE_PAGES];
    char *end = strchr(text, ';');
    size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
    const char *between = length > 0 ? "; " : "";

    text += length;
    if (stairs->nodes.size < PAGES_HUGE)
        snprintf(text, CONDITION_MAX - length, "%snot asked for: the staircase ends below %d MiB",
                 between, (int)(PAGES_HUGE >> 20));
    else
        snprintf(text, CONDITION_MAX - length, "%sasked for, %.0f of %.0f MiB given", between,
                 (double)pages_huge(&stairs->nodes) / (1 << 20),
                 (double)stairs->nodes.size / (1 << 20));
}

enum status probe_memory(struct probe *probe, struct error *error)
{
    struct staircase stairs = {.probe = probe, .error = error};
    struct system_caches caches;
    double last, largest;
    int sizes;
    enum status status;

    system_caches(probe->core, &caches);
    last = caches.levels > 0 ? caches.capacity[caches.levels - 1] : USUAL_CACHE;
    largest = fmin(fmax(CACHES * last, LARGEST), (double)probe->largest);
    sizes = sizes_up_to(largest);
    if (sizes == 0)
        return STATUS_OK;
    largest = size_at(sizes - 1);
    stairs.warm = (size_t)(2 * last / CHASE_LINE);
    if (probe->quick && stairs.warm > QUICK_WARM)
        stairs.warm = QUICK_WARM;
    if (pages_get(&stairs.nodes, (size_t)largest) &&
        pages_get(&stairs.order, (size_t)largest / CHASE_LINE * sizeof(uint32_t))) {
        note_pages(&stairs);
        status = time_sizes(&stairs, sizes);
    } else {
        status = error_set(error, STATUS_MEMORY, "no memory to walk over %.0f B", largest);
    }
    pages_free(&stairs.nodes);
    pages_free(&stairs.order);
    probe_report(probe, MEASUREMENT_MEMORY, 1);
    return status;
}
