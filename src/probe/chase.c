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
