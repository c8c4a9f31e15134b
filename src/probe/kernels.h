/* Kernels of an adaptive optics loop, timed on one core and on all, at the sizes that they have in
 * the AO systems of the catalogue.
 *
 * Inputs are random around their usual values: nothing becomes subnormal or infinite, however often
 * a frame is repeated. The same seed, the same inputs.
 *
 * Frames work on the same input, but for those of a sort. What a sort compares decides its
 * branches, and a processor soon predicts those of a few subapertures that come again and again (68
 * of 8 x 8 pixels are then sorted in a quarter of the time), which it never does of a camera's
 * frames. It has so many inputs, one after the other, that it meets KERNEL_FRESH other pixels
 * before one comes again, several branches each. They may lie in an outer cache, where one input
 * would not: of no account to about a hundred cycles that each pixel takes there. */
#ifndef AOLAG_PROBE_KERNELS_H
#define AOLAG_PROBE_KERNELS_H

#include "design/scenario.h"
#include "probe/loops/kernel_loops.h"
#include "probe/probe.h"
#include "probe/team.h"

/* Adds a point for each kernel and size, for one core and for all. A library that is not there
 * leaves points that say so. */
enum status probe_kernels(struct probe *probe, struct error *error);

/* Ends the remark of a point that a library made which takes products element by element. */
#define KERNEL_REFERENCE ", the reference implementation"

/* The kernels ---------------------------------------------------------------------------------- */

/* Which parameters of a point are its size. */
enum kernel_size {
    KERNEL_OF_PIXELS,       /* PARAMETER_PIXELS */
    KERNEL_OF_SUBAPERTURES, /* PARAMETER_SUBAPERTURES, PARAMETER_SIDE */
    KERNEL_OF_PUPIL,        /* PARAMETER_SUBAPERTURES: pupil pixels */
    KERNEL_OF_MATRIX,       /* PARAMETER_ROWS, PARAMETER_COLUMNS */
    KERNEL_OF_ACTUATORS,    /* PARAMETER_ROWS */
    KERNEL_SIZES
};

struct kernel {
    const char *name;         /* of its points, the type first: "centroid.cog" */
    enum component_type type; /* the component and algorithm that it is */
    const char *algorithm;
    enum kernel_size size;
    bool library;                  /* the system's BLAS does it, which may be missing */
    bool fresh;                    /* its first array differs from frame to frame */
    enum kernel_centroid centroid; /* of a centroid, which of the loops */
    team_work *work;               /* on a kernel_run: a frame, or what of it comes first */
    team_work *rest;               /* what needs all of that; or NULL */
};

extern const struct kernel kernels[];
extern const int kernel_count;

/* By the name of a point; NULL: none. */
const struct kernel *kernel_find(const char *name);

/* B it touches at the sizes of a point. */
double kernel_bytes(const struct kernel *kernel, const struct measurement_point *point);

/* Every size once that a kernel has in the AO systems and that touches at most `largest` bytes, as
 * points without samples, named for the first system that has it; by kernel, then by what it
 * touches. A `spread` keeps, of each kernel, the smallest, the largest and what lies between them
 * in equal steps of the ratio. On failure there is nothing to free. */
enum status kernel_sizes_find(struct measurement *sizes, double largest, bool spread,
                              struct error *error);

/* A kernel with data ----------------------------------------------------------------------------
 */

#define KERNEL_ARRAYS 8
#define KERNEL_LINE 16     /* elements of a cache line */
#define KERNEL_FRESH 65536 /* elements, of all inputs that differ, at least */

struct kernel_run {
    const struct kernel *kernel;
    const struct kernel_loops *loops;
    size_t items, other;         /* what members share; side or columns */
    float *array[KERNEL_ARRAYS]; /* what it makes is in the last of those there are */
    int arrays;
    size_t inputs, input; /* how many are behind one another in the first, and which is next */
    struct huge_pages pages;
    struct team *team; /* NULL: one core */
    float *sum;        /* of each member, a cache line apart */
};

/* At the sizes of a point. STATUS_MEMORY, STATUS_INVALID (a library that is not there). On failure
 * there is nothing to close. */
enum status kernel_open(struct kernel_run *run, const struct kernel *kernel,
                        const struct kernel_loops *loops, const struct measurement_point *point,
                        struct team *team, uint64_t seed, struct error *error);
void kernel_close(struct kernel_run *run);

/* A probe_loop on a kernel_run: frames, one after the other. */
void kernel_repeat_frames(void *data, uint64_t frames);

/* What a frame has made: slopes, commands, pixels. */
const float *kernel_result(const struct kernel_run *run, size_t *count);

#endif
