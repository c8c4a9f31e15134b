/* Kernels of an adaptive optics loop, timed on one core and on all cores, at the sizes they have in
 * the AO systems of the catalogue.
 *
 * Inputs are random around typical values: nothing becomes subnormal or infinite, however often a
 * frame is repeated. The same seed gives the same inputs.
 *
 * Frames reuse one input, except for kernels that sort: branches of a sort depend on the data, and
 * a branch predictor learns a few subapertures that repeat (68 of 8 x 8 pixels then take a quarter
 * of the time), but never a camera's frames. Such a kernel cycles through inputs of at least
 * KERNEL_FRESH pixels, which may lie in an outer cache: negligible beside about a hundred cycles
 * per pixel. */
#ifndef AOLAG_PROBE_KERNELS_H
#define AOLAG_PROBE_KERNELS_H

#include "design/scenario.h"
#include "probe/loops/kernel_loops.h"
#include "probe/probe.h"
#include "probe/team.h"

/* Adds a point for each kernel and size, on one core and on all. Without a BLAS library its points
 * have no samples and say so. */
enum status probe_kernels(struct probe *probe, struct error *error);

/* Ends the remark of a point measured with an unoptimised BLAS. */
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
    bool library;                  /* computed by the system's BLAS, which may be missing */
    bool fresh;                    /* needs another input for each frame */
    enum kernel_centroid centroid; /* of a centroid, which of the loops */
    team_work *work;               /* on a kernel_run: a frame, or what of it comes first */
    team_work *rest;               /* what needs all of that; or NULL */
};

extern const struct kernel kernels[];
extern const int kernel_count;

/* By the name of a point; NULL: none. */
const struct kernel *kernel_find(const char *name);

/* Its working set at the sizes of a point, B. */
double kernel_bytes(const struct kernel *kernel, const struct measurement_point *point);

/* The distinct sizes that kernels have in the AO systems, with a working set of at most `largest`
 * bytes, as points without samples that name the first such system; sorted by kernel, then working
 * set. `spread` keeps five of each kernel, from smallest to largest in about equal ratios. On
 * failure there is nothing to free. */
enum status kernel_sizes_find(struct measurement *sizes, double largest, bool spread,
                              struct error *error);

/* A kernel with data --------------------------------------------------------------------------- */

#define KERNEL_ARRAYS 8
#define KERNEL_LINE 16     /* elements of a cache line */
#define KERNEL_FRESH 65536 /* elements, of all inputs that differ, at least */

struct kernel_run {
    const struct kernel *kernel;
    const struct kernel_loops *loops;
    size_t items, other;         /* divided among the members; side or columns */
    float *array[KERNEL_ARRAYS]; /* the last one holds the output */
    int arrays;
    size_t inputs, input; /* how many the first array holds, and which is next */
    struct huge_pages pages;
    struct team *team; /* NULL: one core */
    float *sum;        /* of each member, a cache line apart */
};

/* At the sizes of a point. STATUS_MEMORY, STATUS_INVALID (no BLAS library). On failure there is
 * nothing to close. */
enum status kernel_open(struct kernel_run *run, const struct kernel *kernel,
                        const struct kernel_loops *loops, const struct measurement_point *point,
                        struct team *team, uint64_t seed, struct error *error);
void kernel_close(struct kernel_run *run);

/* A probe_loop on a kernel_run: frames, one after the other. */
void kernel_repeat_frames(void *data, uint64_t frames);

/* The output of a frame: slopes, commands, pixels. */
const float *kernel_result(const struct kernel_run *run, size_t *count);

#endif
