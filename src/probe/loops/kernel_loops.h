/* The kernels of an adaptive optics loop in plain C, compiled for the baseline vector registers of
 * the compiler and for those of this processor, and matrix-vector products by the system's BLAS.
 *
 * kernel_pixels.c and kernel_rows.c are compiled once per instruction set with typical user
 * options: -O3 and the processor's registers, and for sums along matrix rows also -ffast-math,
 * because reductions are not vectorised without reordering. The options for the rest of the program
 * do not affect them (Makefile.am).
 *
 * Each function processes items `first` to `last` - 1, so that several cores can share a frame.
 * Nothing is allocated; results are single precision. */
#ifndef AOLAG_PROBE_LOOPS_KERNEL_LOOPS_H
#define AOLAG_PROBE_LOOPS_KERNEL_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_SEARCH 8        /* most shifts of a correlation per axis, the default of the knob */
#define KERNEL_SEARCH_LEAST 3  /* for a parabola */
#define KERNEL_BRIGHTEST 4     /* one in this number of pixels is among the brightest */
#define KERNEL_THRESHOLD 0.75F /* of pixels from 0.5 to 1.5 */
#define KERNEL_SIDE_MAX 64     /* px, maximum subaperture side for sorting and correlation */

/* The pixels of a subaperture are contiguous and row-major, as are the subapertures; slopes are
 * pairs x, y. */
struct kernel_centroids {
    const float *pixels;
    const float *reference; /* reference slopes, subtracted */
    const float *image;     /* side x side correlation template */
    float *slopes;
    size_t side;     /* px; at most KERNEL_SIDE_MAX for sorting and correlation */
    int search;      /* shifts of a correlation per axis, KERNEL_SEARCH_LEAST to KERNEL_SEARCH */
    float threshold; /* subtracted from each pixel; lower pixels are ignored */
};

enum kernel_centroid {
    KERNEL_CENTROID_COG,         /* centre of gravity of all pixels */
    KERNEL_CENTROID_THRESHOLD,   /* of the excess over the threshold */
    KERNEL_CENTROID_BRIGHTEST,   /* of the excess over the brightest pixel that is not among the
                                    brightest; sorts all pixels */
    KERNEL_CENTROID_CORRELATION, /* maximum of search^2 shifts of the template over a zero-padded
                                    subaperture, refined by a parabola through its neighbours; along
                                    rows always KERNEL_SEARCH are computed, in one register */
    KERNEL_CENTROIDS
};

struct kernel_pyramid {
    const float *image[4]; /* pupil images, pixel by pixel */
    float *flux, *x, *y;   /* per pupil pixel */
    float *slopes;         /* all x, then all y; or the four normalised images */
    size_t pupil;          /* pixels */
};

struct kernel_integrator {
    const float *error, *offset;
    float *state, *moved, *clipped, *command;
    float leak, gain, limit, scale, bias;
};

struct kernel_loops {
    const char *name; /* instruction set: "AVX2" */

    /* image = (raw - dark) flat, per pixel. */
    void (*dark_flat)(const uint16_t *raw, const float *dark, const float *flat, float *image,
                      size_t first, size_t last);

    /* Slopes of each subaperture. */
    void (*centroid[KERNEL_CENTROIDS])(const struct kernel_centroids *c, size_t first, size_t last);

    /* Sums and differences of the four images per pupil pixel; returns the total flux. */
    float (*pyramid_sums)(const struct kernel_pyramid *p, size_t first, size_t last);
    /* Slopes: the differences times `normal`. */
    void (*pyramid_slopes)(const struct kernel_pyramid *p, float normal, size_t first, size_t last);

    /* Returns the total flux of the four images; uses no other array. */
    float (*pyramid_flux)(const struct kernel_pyramid *p, size_t first, size_t last);
    /* Intensities: the four images times `normal`. */
    void (*pyramid_intensities)(const struct kernel_pyramid *p, float normal, size_t first,
                                size_t last);

    /* Leaky integrator, offsets, clipping and scaling, one pass each over the actuators. */
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

/* Lists the variants that this processor supports, widest registers first, terminated by NULL. */
void kernel_loops_here(const struct kernel_loops *list[KERNEL_LOOPS_MAX]);

/* The system's BLAS, loaded at the first call; the program works without it. */

/* Returns the file name of the library, "libopenblas.so.0"; NULL if none is found. Optimised
 * libraries are preferred. */
const char *blas_name(void);

/* Returns true for an optimised library (OpenBLAS, MKL, BLIS, ATLAS); false for the reference
 * implementation, which computes a product element by element. */
bool blas_tuned(void);

/* Computes result = matrix vector for a contiguous row-major matrix, in the calling thread only.
 * Requires blas_name() != NULL. */
void blas_mvm(const float *matrix, const float *vector, float *result, size_t rows, size_t columns);

#endif
