/* The parts of a measurement of this machine. */
#ifndef AOLAG_PROBE_PARTS_H
#define AOLAG_PROBE_PARTS_H

#include "probe/probe.h"

struct probe_part {
    enum measurement_part part;
    const char *help;                             /* one line */
    double (*seconds)(const struct probe *probe); /* about how long it takes on this machine, s */
    enum status (*run)(struct probe *probe, struct error *error);
};

/* In order of execution: the parts that a device preset is derived from. */
extern const struct probe_part probe_parts[];
extern const int probe_part_count;

/* The measurement for comparison with predictions. It is separate because a preset derived from the
 * kernels would predict them from themselves. */
extern const struct probe_part probe_part_kernels;

/* The GPU, separate because it is another device and needs an OpenCL driver. */
extern const struct probe_part probe_part_gpu;

#endif
