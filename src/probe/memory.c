#include "probe/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "probe/probe.h"
#include "probe/system.h"

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
    struct huge_pages nodes, order; /* of the largest size; the smaller ones use the front */
    size_t warm;                    /* accesses after which no cache holds anything older */
    double done;                    /* 0-1 */

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
    enum status status = probe_time_loop(stairs->probe, loop, data, chains, point, stairs->error);

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
    struct huge_pages order;
    enum status status;

    if (!huge_pages_map(&order, (stairs->count + WALK_AHEAD_MAX) * sizeof(struct chase_node *)))
        return error_set(stairs->error, STATUS_MEMORY, "no memory to walk %.0f B", stairs->size);
    status = time_aheads(stairs, order.bytes);
    huge_pages_unmap(&order);
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
    if (stairs->nodes.size < HUGE_PAGE)
        snprintf(text, CONDITION_MAX - length, "%snot asked for: the staircase ends below %d MiB",
                 between, (int)(HUGE_PAGE >> 20));
    else
        snprintf(text, CONDITION_MAX - length, "%sasked for, %.0f of %.0f MiB given", between,
                 (double)huge_pages_granted(&stairs->nodes) / (1 << 20),
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
    if (huge_pages_map(&stairs.nodes, (size_t)largest) &&
        huge_pages_map(&stairs.order, (size_t)largest / CHASE_LINE * sizeof(uint32_t))) {
        note_pages(&stairs);
        status = time_sizes(&stairs, sizes);
    } else {
        status = error_set(error, STATUS_MEMORY, "no memory to walk over %.0f B", largest);
    }
    huge_pages_unmap(&stairs.nodes);
    huge_pages_unmap(&stairs.order);
    probe_report(probe, MEASUREMENT_MEMORY, 1);
    return status;
}

/* Chase ---------------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct chase_node) == CHASE_LINE, "a node fills a line");

void chase_link(struct chase_node *nodes, uint32_t *after, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        after[i] = (uint32_t)i;
    /* j below i, never i itself: that is what makes it one cycle. */
    for (size_t i = count; i-- > 1;) {
        size_t j = random_below(&seed, i);
        uint32_t other = after[i];

        after[i] = after[j];
        after[j] = other;
    }
    /* The permutation is the successor of each node, not the order of a walk. */
    for (size_t i = 0; i < count; i++) {
        nodes[i].next = &nodes[after[i]];
        nodes[i].after = after[i];
        nodes[i].number = (uint32_t)i;
        nodes[i].step = 1;
    }
}

/* The way from one mark to the next. */
struct way {
    const struct chase_node *at;
    uint32_t from, to;
    size_t steps;
};

/* Walks all ways to their ends; those that have arrived make room, so that the others go on side by
 * side. False when they are longer than `most` together. */
static bool walk_ways(const struct chase_node *nodes, int marks, size_t most, struct way ways[])
{
    struct way walking[CHASE_MARKS];
    int active = marks;
    size_t steps = 0;

    for (int i = 0; i < marks; i++)
        walking[i] = (struct way){.at = &nodes[i], .from = (uint32_t)i};
    while (active > 0) {
        steps += (size_t)active;
        if (steps > most)
            return false;
        for (int i = 0; i < active; i++) {
            walking[i].at = walking[i].at->next;
            walking[i].steps++;
            if (walking[i].at < nodes + marks) {
                walking[i].to = (uint32_t)(walking[i].at - nodes);
                ways[walking[i].from] = walking[i];
                walking[i--] = walking[--active];
            }
        }
    }
    return true;
}

bool chase_survey(const struct chase_node *nodes, size_t count, struct chase_survey *survey)
{
    struct way ways[CHASE_MARKS];
    uint32_t at = 0;
    size_t position = 0;

    *survey = (struct chase_survey){.count = count};
    survey->marks = count < CHASE_MARKS ? (int)count : CHASE_MARKS;
    if (!walk_ways(nodes, survey->marks, count, ways))
        return false;
    for (int i = 0; i < survey->marks; i++) {
        survey->mark[i] = (struct chase_mark){at, position};
        position += ways[at].steps;
        at = ways[at].to;
        if (at == 0 && i < survey->marks - 1)
            return false;
    }
    return at == 0 && position == count;
}

size_t chase_start(size_t count, int chain, int chains)
{
    size_t each = count / (size_t)chains, left = count % (size_t)chains;

    return each * (size_t)chain + left * (size_t)chain / (size_t)chains;
}

void chase_order(const struct chase_node *nodes, const struct chase_survey *survey,
                 uint32_t order[])
{
    const struct chase_node *at[CHASE_MARKS];
    size_t left[CHASE_MARKS], most = 0;

    for (int i = 0; i < survey->marks; i++) {
        size_t end = i + 1 < survey->marks ? survey->mark[i + 1].position : survey->count;

        at[i] = &nodes[survey->mark[i].number];
        left[i] = end - survey->mark[i].position;
        most = left[i] > most ? left[i] : most;
    }
    for (size_t step = 0; step < most; step++) {
        for (int i = 0; i < survey->marks; i++) {
            if (step < left[i]) {
                order[survey->mark[i].position + step] = (uint32_t)(at[i] - nodes);
                at[i] = at[i]->next;
            }
        }
    }
}

size_t chase_length(const struct chase_node *start, size_t most)
{
    const struct chase_node *at = start;
    size_t steps = 0;

    do {
        at = at->next;
        steps++;
    } while (at != start && steps < most);
    return steps;
}

/* Heap list ------------------------------------------------------------------------------------ */

/* The allocator gives out neighbours one after the other; the walk's order scatters them. */
bool heap_list_make(struct heap_list *list, const struct chase_node *nodes, size_t count)
{
    *list = (struct heap_list){.node = malloc(count * sizeof(struct chase_node *))};
    if (list->node == NULL)
        return false;
    for (; list->count < count; list->count++) {
        struct chase_node *node = malloc(sizeof *node);

        if (node == NULL) {
            heap_list_free(list);
            return false;
        }
        *node = nodes[list->count];
        list->node[list->count] = node;
    }
    for (size_t i = 0; i < count; i++)
        list->node[i]->next = list->node[nodes[i].after];
    return true;
}

void heap_list_free(struct heap_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->node[i]);
    free(list->node);
    *list = (struct heap_list){0};
}

/* Walks ---------------------------------------------------------------------------------------- */

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* `chains` is a constant where this is used, so that the positions are registers. */
static ALWAYS_INLINE void follow(struct walk_chains *walk, uint64_t repeats, const int chains)
{
    const struct chase_node *at[CHASE_CHAINS_MAX];

    for (int i = 0; i < chains; i++)
        at[i] = walk->at[i];
    for (uint64_t repeat = 0; repeat < repeats; repeat++) {
#pragma GCC unroll 16
        for (int i = 0; i < chains; i++)
            at[i] = at[i]->next;
    }
    for (int i = 0; i < chains; i++) {
        walk->at[i] = at[i];
        probe_keep_pointer(at[i]);
    }
}

static void follow_1(void *data, uint64_t repeats)
{
    follow(data, repeats, 1);
}

static void follow_2(void *data, uint64_t repeats)
{
    follow(data, repeats, 2);
}

static void follow_4(void *data, uint64_t repeats)
{
    follow(data, repeats, 4);
}

static void follow_8(void *data, uint64_t repeats)
{
    follow(data, repeats, 8);
}

static void follow_16(void *data, uint64_t repeats)
{
    follow(data, repeats, 16);
}

probe_loop *walk_chains(int chains)
{
    static const struct {
        int chains;
        probe_loop *loop;
    } loops[] = {{1, follow_1}, {2, follow_2}, {4, follow_4}, {8, follow_8}, {16, follow_16}};

    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++)
        if (loops[i].chains == chains)
            return loops[i].loop;
    return NULL;
}

uint64_t walk_approach(const struct chase_node *nodes, const uint32_t *order, size_t count,
                       int chains, size_t steps)
{
    size_t at[CHASE_CHAINS_MAX];
    uint64_t sum = 0;

    for (int i = 0; i < chains; i++)
        at[i] = (chase_start(count, i, chains) + count - steps) % count;
    for (size_t step = 0; step < steps; step++) {
        for (int i = 0; i < chains; i++) {
            sum += nodes[order[at[i]]].number;
            at[i] = at[i] + 1 < count ? at[i] + 1 : 0;
        }
    }
    probe_keep_value((double)sum);
    return sum;
}

void walk_array(void *data, uint64_t repeats)
{
    struct walk_array *walk = data;
    const struct chase_node *nodes = walk->nodes;
    uint32_t at = walk->at;

    for (uint64_t i = 0; i < repeats; i++)
        at = nodes[at].after;
    walk->at = at;
    probe_keep_pointer(&nodes[at]);
}

void walk_sequential(void *data, uint64_t repeats)
{
    struct walk_sequential *walk = data;
    uint64_t sum = walk->sum;

    while (repeats > 0) {
        size_t left = walk->count - walk->at;
        size_t run = repeats < left ? (size_t)repeats : left;
        const struct chase_node *node = &walk->nodes[walk->at];

        for (const struct chase_node *end = node + run; node < end; node++)
            sum += node->number;
        walk->at = run < left ? walk->at + run : 0;
        repeats -= run;
    }
    walk->sum = sum;
    probe_keep_value((double)sum);
}

static ALWAYS_INLINE void visit(struct walk_prefetch *walk, uint64_t repeats, const bool prefetch)
{
    const struct chase_node *const *order = walk->order;
    size_t at = walk->at, count = walk->count, ahead = walk->ahead;
    uint64_t sum = walk->sum;

    for (uint64_t i = 0; i < repeats; i++) {
        const struct chase_node *node = order[at];

        if (prefetch)
            __builtin_prefetch(order[at + ahead]);
        sum += node->number;
        at += node->step;
        if (at >= count)
            at = 0;
    }
    walk->at = at;
    walk->sum = sum;
    probe_keep_value((double)sum);
}

void walk_prefetch(void *data, uint64_t repeats)
{
    struct walk_prefetch *walk = data;

    if (walk->ahead > 0)
        visit(walk, repeats, true);
    else
        visit(walk, repeats, false);
}
