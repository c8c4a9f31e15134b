/* The five memory models once more, from their table, and the levels of a device. Slow and plain:
 * what memory.c and device_memory.c are held against. */
#ifndef AOLAG_REFERENCE_MEMORY_H
#define AOLAG_REFERENCE_MEMORY_H

#include "design/scenario.h"

struct reference_level {
    double capacity, bandwidth, latency;
};

/* Levels from the inside out, with `cores` in use (a GPU: ignored); `limited`: memory gives what
 * these cores draw at most. Returns how many there are. */
int reference_levels(const struct device *device, double cores, bool limited,
                     struct reference_level *levels);

/* What an element costs: M bytes held, L in a row. Gaps are `slower` times those of the levels.
 * `beyond`: it comes from memory. */
struct reference_access {
    double M, L, e, alpha;
    double slower;
    bool beyond;
};

/* Seconds per element. */
double reference_element(enum memory_model model, const struct reference_level *levels, int count,
                         const struct reference_access *access);

#endif
