/* The kernels of an adaptive optics loop, written plainly in C, for the vector registers the
 * compiler knows at least and for those of this processor; and a matrix times a vector by the
 * system's library.
 *
 * kernel_pixels.c and kernel_rows.c are compiled once for each set of instructions, with what a
 * user would ask a compiler for: -O3 and the processor's registers; for sums along the rows of a
 * matrix also leave to take them in any order (-ffast-math), without which none is vectorised. The
 * options of the rest of the program do not change them (Makefile.am).
 *
 * Each works on items from `first` to before `last`, so that several cores can share a frame.
 * Nothing is allocated; results are single precision. */
#ifndef AOLAG_PROBE_LOOPS_KERNEL_LOOPS_H
#define AOLAG_PROBE_LOOPS_KERNEL_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_SEARCH 8    /* shifts of a correlation along one side, as the knob's default */
#define KERNEL_BRIGHTEST 4 /* one pixel in so many is among the brightest */
#define KERNEL_SIDE_MAX 64 /* px, of a subaperture that a sort or a correlation has room for */

/* A subaperture's pixels follow one another, row by row, as do subapertures; slopes are x, y. */
struct kernel_centroids {
    const float *pixels;
    const float *reference; /* slopes, subtracted */
    const float *image;     /* side x side that the correlation looks for */
    float *slopes;
    size_t side;     /* px */
    float threshold; /* subtracted from each pixel, below it none counts */
};

enum kernel_centroid {
    KERNEL_CENTROID_COG,         /* of all pixels */
    KERNEL_CENTROID_THRESHOLD,   /* of what is above the threshold */
    KERNEL_CENTROID_BRIGHTEST,   /* of what is above the brightest pixel that is not among the
                                    brightest; all are sorted */
    KERNEL_CENTROID_CORRELATION, /* of the highest of KERNEL_SEARCH^2 shifts of the image over a
                                    subaperture, set in zeros, with a parabola through its
                                    neighbours */
    KERNEL_CENTROIDS
};

struct kernel_pyramid {
    const float *image[4]; /* of the pupil, pixel by pixel */
    float *flux, *x, *y;   /* per pupil pixel */
    float *slopes;         /* all in x, then all in y */
    size_t pupil;          /* pixels */
};

struct kernel_integrator {
    const float *error, *offset;
    float *state, *moved, *clipped, *command;
    float leak, gain, limit, scale, bias;
};

struct kernel_loops {
    const char *name; /* of the instructions: "AVX2" */

    /* image = (raw - dark) flat, per pixel. */
    void (*dark_flat)(const uint16_t *raw, const float *dark, const float *flat, float *image,
                      size_t first, size_t last);

    /* Slopes, per subaperture. */
    void (*centroid[KERNEL_CENTROIDS])(const struct kernel_centroids *c, size_t first, size_t last);

    /* Sums and differences of the four images, per pupil pixel; returns the sum of the flux. */
    float (*pyramid_sums)(const struct kernel_pyramid *p, size_t first, size_t last);
    /* Slopes: the differences times `normal`. */
    void (*pyramid_slopes)(const struct kernel_pyramid *p, float normal, size_t first, size_t last);

    /* Leaky integrator, offsets, clipping, scale: a pass each over the actuators. */
    void (*integrator)(const struct kernel_integrator *i, size_t first, size_t last);

    /* result = matrix vector, per row of the matrix. */
    void (*mvm)(const float *matrix, const float *vector, float *result, size_t columns,
                size_t first, size_t last);
};

extern const struct kernel_loops kernel_loops_plain;
#if defined(__x86_64__)
extern const struct kernel_loops kernel_loops_avx2;
extern const struct kernel_loops kernel_loops_avx512;
#endif

#define KERNEL_LOOPS_MAX 4

/* What this processor can run, the widest registers first, up to NULL. */
void kernel_loops_here(const struct kernel_loops *list[KERNEL_LOOPS_MAX]);

/* The system's BLAS, looked for when it is first asked for: the program does without. */

/* The library's file name, "libopenblas.so.0"; NULL where none is there. Of several the one that is
 * written for the processor goes first. */
const char *blas_name(void);

/* Whether it is a tuned one (OpenBLAS, MKL, BLIS, ATLAS), not the reference implementation, which
 * takes a product element by element. */
bool blas_tuned(void);

/* result = matrix vector; rows follow one another, of `columns` each. Only where there is a name;
 * it uses the calling thread only. */
void blas_mvm(const float *matrix, const float *vector, float *result, size_t rows, size_t columns);

#endif
