#include "cache_simulator.h"

#include <stdlib.h>
#include <string.h>

void simulator_open(struct simulator *simulator)
{
    for (int i = 0; i < simulator->levels; i++) {
        struct simulated_cache *cache = &simulator->level[i];

        cache->line = calloc(cache->sets * cache->ways, sizeof cache->line[0]);
        if (cache->line == NULL)
            abort();
    }
}

void simulator_close(struct simulator *simulator)
{
    for (int i = 0; i < simulator->levels; i++)
        free(simulator->level[i].line);
}

void simulator_reset(struct simulator *simulator)
{
    for (int i = 0; i < simulator->levels; i++) {
        struct simulated_cache *cache = &simulator->level[i];

        memset(cache->line, 0, cache->sets * cache->ways * sizeof cache->line[0]);
    }
}

/* Whether the line was there; it becomes the most recent of its set. */
static int touch(struct simulated_cache *cache, uint64_t line)
{
    uint64_t *way = &cache->line[line % cache->sets * cache->ways];
    size_t at = 0;
    int hit;

    while (at < cache->ways - 1 && way[at] != line)
        at++;
    hit = way[at] == line;
    memmove(way + 1, way, at * sizeof way[0]);
    way[0] = line;
    return hit;
}

double simulator_access(struct simulator *simulator, uint64_t address)
{
    double latency = simulator->memory;

    for (int i = simulator->levels; i-- > 0;)
        if (touch(&simulator->level[i], address / SIMULATED_LINE + 1))
            latency = simulator->level[i].latency;
    return latency;
}
