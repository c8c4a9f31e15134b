/* A hierarchy of caches with sets and least recently used lines, fed one address at a time. */
#ifndef AOLAG_CACHE_SIMULATOR_H
#define AOLAG_CACHE_SIMULATOR_H

#include <stddef.h>
#include <stdint.h>

#define SIMULATED_LEVELS_MAX 3
#define SIMULATED_LINE 64 /* B */

struct simulated_cache {
    size_t sets, ways;
    double latency; /* s, of an access that hits here */
    uint64_t *line; /* of each way, the most recent first; from 1, 0: empty */
};

struct simulator {
    int levels;
    struct simulated_cache level[SIMULATED_LEVELS_MAX]; /* the caller sets sets, ways, latency */
    double memory;                                      /* s, of an access that hits nowhere */
};

void simulator_open(struct simulator *simulator);
void simulator_close(struct simulator *simulator);

/* Empties all levels. */
void simulator_reset(struct simulator *simulator);

/* What the access takes, s; afterwards every level holds the line. */
double simulator_access(struct simulator *simulator, uint64_t address);

#endif
