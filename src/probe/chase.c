#include "probe/chase.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/random.h"

_Static_assert(sizeof(struct chase_node) == CHASE_LINE, "a node fills a line");

void chase_shuffle(uint32_t *order, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count - 1; i > 1; i--) {
        size_t j = 1 + random_below(&seed, i);
        uint32_t other = order[i];

        order[i] = order[j];
        order[j] = other;
    }
}

void chase_link(struct chase_node *nodes, uint32_t *order, size_t count, uint64_t seed)
{
    chase_shuffle(order, count, seed);
    for (size_t i = 0; i < count; i++) {
        struct chase_node *node = &nodes[order[i]];

        node->after = order[i + 1 < count ? i + 1 : 0];
        node->next = &nodes[node->after];
        node->number = order[i];
        node->step = 1;
    }
}

size_t chase_start(size_t count, int chain, int chains)
{
    size_t each = count / (size_t)chains, left = count % (size_t)chains;

    return each * (size_t)chain + left * (size_t)chain / (size_t)chains;
}

/* The allocator returns adjacent nodes in succession; the order of the walk scatters them. */
void heap_list_make(struct heap_list *list, const struct chase_node *nodes, size_t count)
{
    *list = (struct heap_list){allocate(count * sizeof(struct chase_node *)), count};
    for (size_t i = 0; i < count; i++) {
        list->node[i] = allocate(sizeof *list->node[i]);
        *list->node[i] = nodes[i];
    }
    for (size_t i = 0; i < count; i++)
        list->node[i]->next = list->node[nodes[i].after];
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

/* `chains` is a constant in calls, so that the positions are in registers. */
static ALWAYS_INLINE void follow_chains(struct walk_chains *walk, uint64_t repeats,
                                        const int chains)
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

#define FOLLOW_CHAINS(chains)                                                                      \
    static void follow_chains_##chains(void *data, uint64_t repeats)                               \
    {                                                                                              \
        follow_chains(data, repeats, chains);                                                      \
    }

FOLLOW_CHAINS(1)
FOLLOW_CHAINS(2)
FOLLOW_CHAINS(4)
FOLLOW_CHAINS(8)
FOLLOW_CHAINS(16)

probe_loop *walk_chains(int chains)
{
    static probe_loop *const loops[CHASE_CHAINS_MAX + 1] = {
        [1] = follow_chains_1, [2] = follow_chains_2,   [4] = follow_chains_4,
        [8] = follow_chains_8, [16] = follow_chains_16,
    };

    return chains > 0 && chains <= CHASE_CHAINS_MAX ? loops[chains] : NULL;
}

uint64_t walk_warm_caches(const struct chase_node *nodes, const uint32_t *order, size_t count,
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

static ALWAYS_INLINE void visit_nodes(struct walk_prefetch *walk, uint64_t repeats,
                                      const bool prefetch)
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
        visit_nodes(walk, repeats, true);
    else
        visit_nodes(walk, repeats, false);
}
