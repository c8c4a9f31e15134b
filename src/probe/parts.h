/* The parts that a probe of this machine consists of. */
#ifndef AOLAG_PROBE_PARTS_H
#define AOLAG_PROBE_PARTS_H

#include "probe/probe.h"

struct probe_part {
    enum measurement_part part;
    const char *help;              /* one line */
    double seconds, quick_seconds; /* about what it takes, for the time left */
    enum status (*run)(struct probe *probe, struct error *error);
};

/* In the order they run: what a device preset is made of. */
extern const struct probe_part probe_parts[];
extern const int probe_part_count;

/* What predictions are compared with. Not among the others, because a preset that knew the kernels
 * would predict them from themselves. */
extern const struct probe_part probe_part_kernels;

#endif
