#include "walks.h"

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
    probe_keep((double)sum);
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
    probe_keep((double)sum);
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
    probe_keep((double)sum);
}

void walk_prefetch(void *data, uint64_t repeats)
{
    struct walk_prefetch *walk = data;

    if (walk->ahead > 0)
        visit(walk, repeats, true);
    else
        visit(walk, repeats, false);
}
