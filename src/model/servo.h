/* The control loop of one mode: its stability, margins and residual, exact for a sampled controller
 * with any delay, exposure and mirror. evaluate does not use it.
 *
 * The sensor integrates over the exposure T_e at the end of each period T and the mirror gets its
 * command tau after that: tau = (n + mu) T. A mirror that follows at once is seen through
 * D(z) = ((1 - f) + f/z) / z^(n+1), because the exposure sees the older of two commands for the
 * fraction f = max(0, 1 - (1 - mu) T / T_e) of its time. A mirror with dynamics,
 * M(s) = w^2 / (s^2 + 2 zeta w s + w^2), w = 2 pi bandwidth, has the step response y and Y, the
 * integral of it from 0 on; D has the poles exp(p T) of the poles p of M, and what a command of one
 * period adds to the exposure that ends k periods later,
 * (Y(t) - Y(t - T_e) - Y(t - T) + Y(t - T - T_e)) / T_e with t = k T - tau. That is the sum of
 * B H M over all aliases f + k / T.
 *
 * C(z) is the controller, L = C D the open loop and K = C / (1 + L) the command for a measurement
 * in open loop:
 * - integrator: C = g / (1 - l/z), l = 1 or the leak.
 * - PID: C = g (1 / (1 - 1/z) + p + d (1 - 1/z)), p and d being the proportional and the derivative
 *   gain over that of the integral (Astrom and Hagglund, Advanced PID Control, 2006, ch. 13, with
 *   backward differences).
 * - LQG: K is that of lqg.h, and C = K / (1 - K D).
 *
 * With s = 2 pi i f, z = exp(s T), box(t) = (1 - exp(-s t)) / (s t), B = box(T_e) and
 * H = box(T) exp(-s tau), a disturbance of the spectral density S leaves, on average over time,
 * the integral of S (1 - 2 Re(B K H M) + |B K|^2 sum |H M|^2), the sum over all aliases of f; it is
 * 1 for M = 1. The product box(T_e) exp(-s tau) C box(T) M stands for L where the loop rejects and
 * amplifies; a residual computed from it is up to 29 % too low.
 *
 * Turbulence has the spectra of Zernike modes by radial order of Conan, Rioux and Madec, JOSA A 12,
 * 1559 (1995), whose cut-off frequency is 0.3 (n + 1) v / D, with the variances of Noll. Summed
 * over all orders they give 0.67 to 0.72 of 6.88 (v tau / r0)^(5/3), the variance of frozen flow
 * after a delay tau, so that a wavefront error is 16 to 18 % below that of frozen flow. With an outer
 * scale they give 0.77 to 0.86 of its structure function of von Karman's spectrum at v tau (our
 * integral over 6000 orders, D/L0 from 0.3 to 1.6 and v tau / D from 0.001 to 0.02): 7 to 12 %
 * below. What a leak leaves of slow turbulence has the variances of Noll and no such bias. */
#ifndef AOLAG_MODEL_SERVO_H
#define AOLAG_MODEL_SERVO_H

#include <complex.h>
#include <stddef.h>

#include "design/vibration.h"
#include "model/lqg.h"

#define SERVO_FRAMES_MAX 100 /* frames of delay that a loop may have */
#define BAND_PANELS 72
#define BAND_NODES 6 /* of a Gauss-Legendre rule, in each panel */

/* The dynamics of a mirror. */
struct mirror {
    double bandwidth; /* Hz, natural frequency; 0: it follows at once */
    double damping;   /* of critical damping, above 0 */
};

/* All times in s: exposure at most the period, delay below SERVO_FRAMES_MAX periods. */
struct servo {
    double period;
    double exposure;
    double delay; /* from the end of the exposure to the command at the mirror */
    double leak;  /* kept of the previous command; 1: none is lost */
    double gain;
    double proportional, derivative; /* over the gain, at least 0; other than 0 without leak only */
    struct mirror mirror;
    const struct lqg *lqg; /* replaces leak and gains, with a gain of 1; NULL: none */
};

/* Margins of a stable loop. Infinite or absent ones are RESULT_NONE. */
struct margins {
    double gain;      /* by which it may grow */
    double gain_at;   /* Hz, of the oscillation at that limit: the phase crossover */
    double phase;     /* rad at the crossover, the least of several */
    double modulus;   /* least |1 + L| */
    double delay;     /* s, for which the delay may grow */
    double crossover; /* Hz, |L| = 1 */
    double zero_db;   /* Hz, below which the loop rejects */
    double peak;      /* largest |1 / (1 + L)|, at the frequency `peak_at` */
    double peak_at;
};

/* Returns the time from the middle of the exposure to the middle of the correction in periods, with
 * the lag of the mirror, damping / (pi bandwidth): the horizon of an LQG controller. */
double servo_horizon(const struct servo *servo);

/* Return the gain at which the loop becomes unstable, and the one with a phase margin (rad, below
 * pi/2); its own gain does not count. Not for LQG. */
double servo_max_gain(const struct servo *servo);
double servo_margin_gain(const struct servo *servo, double margin);

/* Returns the variance on the mirror per variance of a measurement, RESULT_NONE of an unstable
 * loop. */
double servo_noise_gain(const struct servo *servo);

struct margins servo_margins(const struct servo *servo);

/* Return |1 / (1 + L)| and |C box(T) M / (1 + L)| of the continuous product at a frequency (Hz,
 * above 0): for drawing. */
double servo_rejection(const struct servo *servo, double frequency);
double servo_noise_transfer(const struct servo *servo, double frequency);

enum { BAND_POINTS = BAND_PANELS * BAND_NODES };

/* A loop, all but its gain, at frequencies between which the residual is integrated: with N / F the
 * controller of a gain of 1. Real and imaginary parts are apart so that several points can be
 * computed at once. */
struct band {
    struct servo servo;
    const void *samples; /* what is kept and has its frequencies; NULL: nothing */
    int panels;
    int step;                     /* of the delay: loops of one step have the same frequencies */
    double edge[BAND_PANELS + 1]; /* Hz */
    double frequency[BAND_POINTS], weight[BAND_POINTS]; /* Hz; weight of the rule, Hz */
    double steep[BAND_POINTS];                          /* frequency^(-17/3) */
    double fixed[2][BAND_POINTS], loop[2][BAND_POINTS], path[2][BAND_POINTS]; /* F, N D and
                                                                               * N (D - B H M) */
    double spread[BAND_POINTS]; /* |N B|^2 (sum |H M|^2 - |H M|^2) */
};

struct band_kept;

/* Sample a loop for turbulence, and for vibration `i` of it. `kept` (band_kept_size): what earlier
 * calls found of loops that differ in their delay and gain only, which saves time and changes
 * nothing; NULL: nothing is kept. It serves one band for turbulence, and one for each vibration,
 * whose samples it has. With it the band is zero at first, and stays as it is for a loop
 * that differs from its own in the gain only. */
void band_fill(struct band *band, const struct servo *servo, struct band_kept *kept);

void band_fill_vibration(struct band *band, const struct servo *servo,
                         const struct vibration *vibration, int i, struct band_kept *kept);

/* Returns the size of what is kept, which is zero at first: memory for one thread. */
size_t band_kept_size(void);

/* Turbulence of a telescope. */
struct turbulence {
    double speed;       /* Hz, wind over diameter; 0: none */
    double outer_speed; /* Hz, wind over outer scale; 0: an infinite one */
    double variance;    /* m^2 of a mode with a variance of 1 in (D/r0)^(5/3) rad^2 */
};

/* Returns the variance of one mode of order 1, and that of the next order, in (D/r0)^(5/3) rad^2.
 */
double turbulence_first_variance(void);
double turbulence_next_variance(int order, double variance);

/* Returns the cut-off frequency of an order, Hz. */
double turbulence_cutoff(const struct turbulence *turbulence, int order);

/* Return the one-sided spectral density at a frequency (Hz, above 0) of a mode of an order and of a
 * vibration, both with a variance of 1, 1/Hz. */
double turbulence_density(const struct turbulence *turbulence, int order, double frequency);
double vibration_density(const struct vibration *vibration, double frequency);

/* Returns the part of the variance of a mode of an order that an outer scale leaves; 1 without one. */
double turbulence_left(const struct turbulence *turbulence, int order);

/* Returns the largest order of which all modes are among the first `modes`. */
int turbulence_orders(double modes);

/* Returns the variance of all modes of the orders from first to last without correction, m^2: what an
 * outer scale leaves of it. */
double turbulence_uncorrected(const struct turbulence *turbulence, int first, int last);

/* What each point of a band counts in the variance of some orders of turbulence, m^2: their spectra
 * integrated around it, so that one sum serves all gains. Below the band the loop leaves what it
 * leaves at its lower end, `above` it all. */
struct band_weights {
    double point[BAND_POINTS];
    double above;
    /* what they are the weights of */
    struct turbulence turbulence;
    int first, last, panels;
    double edge[BAND_PANELS + 1];
};

/* Weighs the modes of the orders from first to last. Weights are zero at first, and those of an
 * earlier call with the same orders and frequencies are kept, since this takes long; with `kept`
 * (NULL: nothing) those of each step of the delay. */
void band_weigh(const struct band *band, const struct turbulence *turbulence, int first, int last,
                struct band_kept *kept, struct band_weights *modes);

/* Return the variance that the loop leaves of these modes, and what an outer scale leaves of it
 * without correction, m^2. */
double band_residual(const struct band *band, const struct band_weights *modes, double gain);
double band_uncorrected(const struct band *band, const struct band_weights *modes);

/* Return the residual of a mode with a variance of 1, and of the vibration with which the band was
 * filled, likewise. */
double band_turbulence(const struct band *band, double gain, const struct turbulence *turbulence,
                       int order);
double band_vibration(const struct band *band, double gain);

#endif
