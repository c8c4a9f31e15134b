/* The noise of a wavefront sensor with a star: photons, variance of a slope, variance of a mode.
 *
 * A subaperture (of a pyramid: a pupil pixel, its four images together) of the side d detects
 * N = z 10^(-0.4 magnitude) d^2 exposure throughput photons, z the flux of magnitude 0 in the band,
 * photons/s/m^2: a 368th of 3.3e12 (V), 4e12 (R), 2.7e12 (I), 1.9e12 (J), 1.1e12 (H), 0.7e12 (K).
 *
 * Shack-Hartmann, phase difference across a subaperture, rad^2 at the wavelength of the sensor
 * (Thomas et al., MNRAS 371, 323, 2006): a spot of N_T = N_D sqrt(1 + (d/r0)^2) pixels, N_D pixels
 * per wavelength over d, in N_s pixels along a side, has the centre of gravity
 *
 *     F^2 pi^2 / (2 ln 2 N) (N_T/N_D)^2 + pi^2/3 (e/N)^2 N_s^4 / N_D^2
 *
 * with the squared excess noise F^2 and e electrons of read noise; weighted by a Gaussian of w
 * pixels its photon term is (N_T^2 + w^2)^4 / ((2 N_T^2 + w^2)^2 w^4) times that, and its read term
 * pi^3 / (32 ln^2 2) (e/N)^2 (N_T^2 + w^2)^4 / (N_D^2 w^4). A mode of the radial order n has
 * 1/(4 pi) (n = 1) or 0.2/(n + 1)^2 times this variance (Rigaut and Gendron, A&A 261, 677, 1992).
 *
 * Pyramid (Verinaud, Opt. Commun. 233, 27, 2004): s = F^2/N + 4 e^2/N^2 of a slope, and for a mode
 * s / (2 subapertures (G t)^2) with the optical gain G and t = 2/pi asin(min(1, q / (sqrt(2)
 * modulation))), q = 0.637 (n = 1) or 0.40 (n + 1); t = 1 without modulation. */
#ifndef AOLAG_MODEL_SENSOR_H
#define AOLAG_MODEL_SENSOR_H

#include <stdbool.h>

#include "design/scenario.h"

/* Why the noise is not known. */
enum star_state {
    STAR_KNOWN,
    STAR_NO_SENSOR,
    STAR_NONE,         /* neither photons nor a magnitude */
    STAR_NO_BAND,      /* a magnitude without its band */
    STAR_NO_THROUGHPUT,
    STAR_NO_WAVELENGTH, /* photons without a wavelength or band */
    STAR_NO_DIAMETER
};

struct sensor {
    enum star_state state;
    int kind;          /* enum wfs_kind */
    double size;       /* m, side of a subaperture on the primary mirror; 0: no diameter */
    double wavelength; /* m */
    double photons;    /* detected by a subaperture in an exposure */
    double read_noise; /* electrons rms */
    double excess;
    double pixels;      /* along a side of a subaperture */
    double pixel_scale; /* pixels per wavelength over subaperture */
    double spot;        /* px, FWHM in turbulence */
    double weight;      /* px, FWHM of the weights; 0: centre of gravity */
    double subaps;
    double modulation, optical_gain;
    double aliasing; /* coefficient, of what a spatial filter passes */
};

/* Returns true if the star of a sensor is stated, by a magnitude or photons. */
bool sensor_has_star(const struct scenario *scenario, int wfs);

/* Returns true if a component computes weighted centres of gravity of a sensor. */
bool sensor_is_weighted(const struct scenario *scenario, int wfs);

/* Returns the wavelength of the middle of a band, m. */
double band_wavelength(int band);

/* Sets a sensor of a scenario: `size`, `kind` and `aliasing` always, the rest if its state is
 * STAR_KNOWN. `exposure` in s, r0 in m at 500 nm in the line of sight, `subaps` valid ones. */
void sensor_set(struct sensor *sensor, const struct scenario *scenario, int wfs, double exposure,
                double r0, double subaps);

/* Return the terms of the variance of a slope of a sensor with a known star, in rad^2 at its
 * wavelength for a Shack-Hartmann sensor; their sum is its variance. */
double sensor_photon_variance(const struct sensor *sensor);
double sensor_read_variance(const struct sensor *sensor);

/* Returns the noise of a slope of a Shack-Hartmann sensor, m of wavefront across a subaperture, rms. */
double sensor_slope_noise(const struct sensor *sensor);

/* Returns the variance of a mode of a radial order (1 or more), measured once, m^2. */
double sensor_mode_variance(const struct sensor *sensor, int order);

#endif
