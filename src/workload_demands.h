/* The functions behind the rows of the algorithm table: each fills in what one algorithm has to
 * compute and to move per frame. Part of workload; the sources of the counts stand at the
 * functions. Byte counts are written for fp32 and scaled by element / SINGLE, or in elements. */
#ifndef AOLAG_WORKLOAD_DEMANDS_H
#define AOLAG_WORKLOAD_DEMANDS_H

#include "workload.h"

#define SINGLE 4.0

/* The smallest power of two that is at least `size`: the side of a fast Fourier transform. */
static inline double next_power_of_two(double size)
{
    double power = 1;

    while (power < size)
        power *= 2;
    return power;
}

/* workload_pixels.c: detectors and pupil images */
void demand_dark_flat(const struct workload_input *in, struct demand *demand);
void demand_descramble(const struct workload_input *in, struct demand *demand);
void demand_pyramid_slopes(const struct workload_input *in, struct demand *demand);
void demand_pyramid_intensity(const struct workload_input *in, struct demand *demand);

/* workload_centroid.c */
void demand_cog(const struct workload_input *in, struct demand *demand);
void demand_simple(const struct workload_input *in, struct demand *demand);
void demand_threshold(const struct workload_input *in, struct demand *demand);
void demand_weighted(const struct workload_input *in, struct demand *demand);
void demand_brightest(const struct workload_input *in, struct demand *demand);
void demand_matched(const struct workload_input *in, struct demand *demand);
void demand_correlation(const struct workload_input *in, struct demand *demand);
void demand_correlation_fft(const struct workload_input *in, struct demand *demand);

/* workload_reconstruction.c */
void demand_mvm(const struct workload_input *in, struct demand *demand);
void demand_modal(const struct workload_input *in, struct demand *demand);
void demand_tlr(const struct workload_input *in, struct demand *demand);
void demand_sparse(const struct workload_input *in, struct demand *demand);
void demand_fourier(const struct workload_input *in, struct demand *demand);
void demand_cured(const struct workload_input *in, struct demand *demand);
void demand_cg(const struct workload_input *in, struct demand *demand);

/* workload_control.c */
void demand_integrator(const struct workload_input *in, struct demand *demand);
void demand_pid(const struct workload_input *in, struct demand *demand);
void demand_polc(const struct workload_input *in, struct demand *demand);
void demand_polc_explicit(const struct workload_input *in, struct demand *demand);
void demand_lqg(const struct workload_input *in, struct demand *demand);

#endif
