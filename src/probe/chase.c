#include "chase.h"

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void chase_link(void *lines, uint32_t *order, size_t count, uint64_t seed)
{
    char *bytes = lines;

    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    /* j below i, never i itself: that is what makes it one cycle. */
    for (size_t i = count; i-- > 1;) {
        size_t j = (size_t)(random_next(&seed) % i);
        uint32_t other = order[i];

        order[i] = order[j];
        order[j] = other;
    }
    /* The permutation is the successor of each line, not the order of a walk. */
    for (size_t i = 0; i < count; i++)
        *(void **)(void *)(bytes + i * CHASE_LINE) = bytes + (size_t)order[i] * CHASE_LINE;
}

size_t chase_length(const void *start, size_t most)
{
    const void *at = start;
    size_t steps = 0;

    do {
        at = *(void *const *)at;
        steps++;
    } while (at != start && steps < most);
    return steps;
}
