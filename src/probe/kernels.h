/* Kernels of an adaptive optics loop, timed: one core and all, at the sizes of the AO systems. */
#ifndef AOLAG_PROBE_KERNELS_H
#define AOLAG_PROBE_KERNELS_H

#include "probe/kernel_work.h"
#include "probe/probe.h"

/* Ends the remark of a point that a library made which takes products element by element. */
#define KERNEL_REFERENCE ", the reference implementation"

enum status probe_kernels(struct probe *probe, struct error *error);

/* The sizes that kernels have in the AO systems of the catalogue. */

struct kernel_sizes {
    struct measurement_point *point; /* by kernel, then by what it touches; no samples */
    int count;
};

/* Every size once, of at most `largest` bytes; it is named for the first system that has it. A
 * `spread` keeps, of each kernel, the smallest, the largest and what lies between them in equal
 * steps of the ratio. On failure there is nothing to free. */
enum status kernel_sizes_find(struct kernel_sizes *sizes, double largest, bool spread,
                              struct error *error);
void kernel_sizes_free(struct kernel_sizes *sizes);

#endif
