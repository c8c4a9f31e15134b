/* Kernels of an adaptive optics loop, timed: one core and all, at the sizes of the AO systems. */
#ifndef AOLAG_KERNELS_PROBE_H
#define AOLAG_KERNELS_PROBE_H

#include "probe.h"

/* What a prediction is held against; not among probe_parts, for no preset may know it. */
extern const struct probe_part kernels_part;

/* Ends the remark of a point that a library made which takes products element by element. */
#define KERNEL_REFERENCE ", the reference implementation"

enum status probe_kernels(struct probe *probe, struct error *error);

#endif
