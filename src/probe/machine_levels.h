/* The levels of a machine; internal to machine. */
#ifndef AOLAG_MACHINE_LEVELS_H
#define AOLAG_MACHINE_LEVELS_H

#include "machine.h"

/* Fills levels, their figures and cache_usable; cores is known. */
void machine_find_levels(const struct measurement *measurement, struct machine *machine);

/* The rate, B/s, of a sweep by so many cores at level `index`; RESULT_NONE where there is no point
 * of that name within it. */
double machine_sweep(const struct measurement *measurement, const struct machine *machine,
                     int index, const char *name, int cores);

#endif
