/* Kernels of an adaptive optics loop, timed on one core and on all cores at the sizes of the AO
 * systems of the catalogue.
 *
 * Inputs are random around typical values, so that repeated frames never become subnormal or
 * infinite. The same seed gives the same inputs.
 *
 * Frames reuse one input, except for kernels that sort: the branches of a sort depend on the data,
 * and a branch predictor learns a few repeated subapertures (68 of 8 x 8 pixels then take a quarter
 * of the time) but not the frames of a camera. Such a kernel cycles through inputs of at least
 * KERNEL_FRESH pixels. They may reside in an outer cache, which is negligible compared with about a
 * hundred cycles per pixel. */
#ifndef AOLAG_PROBE_KERNELS_H
#define AOLAG_PROBE_KERNELS_H

#include "design/algorithm.h"
#include "probe/loops/kernel_loops.h"
#include "probe/probe.h"
#include "probe/team.h"

/* Adds a point for each kernel and size, on one core and on all cores. Without a BLAS library, the
 * points that need it have no samples and a remark. */
enum status probe_kernels(struct probe *probe, struct error *error);

/* Suffix of the remark if the BLAS is not optimised. */
#define KERNEL_REFERENCE ", the reference implementation"

/* A member's work ------------------------------------------------------------------------------ */

#define KERNEL_LINE 16 /* elements per cache line */

struct kernel_range {
    size_t first, last; /* the last one is not in it */
};

/* Returns which items from `first` to `last` - 1 are those of member `rank` of `size`: one of so
 * many contiguous ranges. */
struct kernel_range kernel_range_of(size_t first, size_t last, int rank, int size);

/* The same, but no two members write to the same cache line, to avoid false sharing. */
struct kernel_range kernel_lines_of(size_t first, size_t last, int rank, int size);

/* Returns an integrator with typical constants on its six arrays, in the order of the structure. */
struct kernel_integrator kernel_integrator_on(float *const array[]);

/* The kernels ---------------------------------------------------------------------------------- */

/* The parameters of a point that define its size. */
enum kernel_size {
    KERNEL_OF_PIXELS,       /* PARAMETER_PIXELS */
    KERNEL_OF_SUBAPERTURES, /* PARAMETER_SUBAPERTURES, PARAMETER_SIDE */
    KERNEL_OF_PUPIL,        /* PARAMETER_SUBAPERTURES: pupil pixels */
    KERNEL_OF_MATRIX,       /* PARAMETER_ROWS, PARAMETER_COLUMNS */
    KERNEL_OF_ACTUATORS,    /* PARAMETER_ROWS */
    KERNEL_SIZES
};

struct kernel {
    const char *name; /* name of its points, with the component type first: "centroid.cog" */
    enum algorithm_id algorithm;
    enum kernel_size size;
    bool library;                  /* uses the system's BLAS, which may be missing */
    bool fresh;                    /* needs a new input for each frame */
    enum kernel_centroid centroid; /* loop of a centroid */
    team_work *work;               /* on a kernel_run: a frame, or its first phase */
    team_work *rest;               /* second phase, which needs all of the first; or NULL */
};

extern const struct kernel kernels[];
extern const int kernel_count;

/* Finds a kernel by the name of a point; NULL if unknown. */
const struct kernel *kernel_find(const char *name);

/* Returns the working set at the sizes of a point, B. */
double kernel_bytes(const struct kernel *kernel, const struct measurement_point *point);

/* Lists the distinct kernel sizes in the AO systems with a working set of at most `largest` bytes,
 * as points without samples that name the first such system, sorted by kernel, then working set.
 * `spread` keeps five sizes of each kernel, from smallest to largest in about equal ratios. On
 * failure there is nothing to free. */
enum status kernel_sizes_find(struct measurement *sizes, double largest, bool spread,
                              struct error *error);

/* A kernel with data --------------------------------------------------------------------------- */

#define KERNEL_ARRAYS 8
#define KERNEL_FRESH 65536 /* minimum number of elements in all distinct inputs */

struct kernel_run {
    const struct kernel *kernel;
    const struct kernel_loops *loops;
    size_t items, other; /* `items` are divided among the members; `other`: side or columns */
    float *array[KERNEL_ARRAYS]; /* the last one is the output */
    int arrays;
    size_t inputs, input; /* number of inputs in the first array; index of the next */
    struct huge_pages pages;
    struct team *team; /* NULL: one core */
    float *sum;        /* per member, one cache line apart */
};

/* Prepares a kernel at the sizes of a point. Returns STATUS_IO (no memory to map) or
 * STATUS_INVALID (no BLAS library); on failure there is nothing to close. */
enum status kernel_open(struct kernel_run *run, const struct kernel *kernel,
                        const struct kernel_loops *loops, const struct measurement_point *point,
                        struct team *team, uint64_t seed, struct error *error);
void kernel_close(struct kernel_run *run);

/* Runs consecutive frames; a probe_loop on a kernel_run. */
void kernel_repeat_frames(void *data, uint64_t frames);

#endif
