/* The sizes that kernels have in the AO systems of the catalogue. */
#ifndef AOLAG_KERNEL_SIZES_H
#define AOLAG_KERNEL_SIZES_H

#include "kernel_work.h"

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
