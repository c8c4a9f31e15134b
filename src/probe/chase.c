#include "chase.h"

_Static_assert(sizeof(struct chase_node) == CHASE_LINE, "a node fills a line");

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Below `limit` of at most 2^32, without a division (Lemire, ACM TOMACS 29, 2019, without the
 * rejection: its bias is below limit / 2^32). */
static size_t random_below(uint64_t *state, size_t limit)
{
    return (size_t)((random_next(state) >> 32) * limit >> 32);
}

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

static size_t share(size_t count, int part, int parts)
{
    return count / (size_t)parts * (size_t)part +
           count % (size_t)parts * (size_t)part / (size_t)parts;
}

void chase_spaced(const uint32_t *after, size_t count, int parts, uint32_t start[])
{
    uint32_t at = 0;

    for (int part = 0; part < parts; part++) {
        size_t steps = share(count, part + 1, parts) - share(count, part, parts);

        start[part] = at;
        for (size_t i = 0; i < steps; i++)
            at = after[at];
    }
}

bool chase_whole(const struct chase_node *nodes, size_t count, const uint32_t start[], int parts)
{
    const struct chase_node *at[CHASE_CHAINS_MAX];
    size_t steps = count / (size_t)parts;
    size_t returns = 0;

    for (int part = 0; part < parts; part++)
        at[part] = &nodes[start[part]];
    for (size_t i = 0; i < steps; i++) {
        for (int part = 0; part < parts; part++) {
            at[part] = at[part]->next;
            returns += at[part] == nodes;
        }
    }
    for (int part = 0; part < parts; part++) {
        if (share(count, part + 1, parts) - share(count, part, parts) > steps) {
            at[part] = at[part]->next;
            returns += at[part] == nodes;
        }
        if (at[part] != &nodes[start[(part + 1) % parts]])
            return false;
    }
    return returns == 1 && start[0] == 0;
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
