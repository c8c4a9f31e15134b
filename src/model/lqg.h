/* Linear quadratic Gaussian control of one mode: a Kalman filter that knows the disturbances, and
 * the command that cancels what it predicts (Le Roux et al., JOSA A 21, 1261 (2004); vibrations:
 * Petit et al., Optics Express 16, 87 (2008)).
 *
 * Each disturbance is an oscillator, sampled with the period T:
 *     x_k = a1 x_(k-1) + a2 x_(k-2) + v_k
 * with a1 = 2 exp(-zeta w T) cos(w T sqrt(1 - zeta^2)), a2 = -exp(-2 zeta w T), and the variance
 * q = sigma^2 (1 + a2) ((1 - a2)^2 - a1^2) / (1 - a2) of v (Meimon et al., JOSA A 27, A122 (2010)).
 * A has the blocks (a1 a2; 1 0), C = (1 0 1 0 ...) adds up the disturbances, R is the variance of
 * the noise of a measurement. The covariance of the prediction solves
 *     P = A P A' - A P C' (C P C' + R)^-1 C P A' + Q
 * which is found by doubling (Anderson and Moore, Optimal Filtering, 1979, section 6.7). With the
 * gain K_f = P C' / (C P C' + R) the estimate is x_k = (I - K_f C) A x_(k-1) + K_f y_k, where y is
 * the measurement and what the mirror is known to have added to it, and the command is
 * u_k = C ((1 - mu) A^h + mu A^(h+1)) x_k = law x_k for a horizon of h + mu periods. */
#ifndef AOLAG_MODEL_LQG_H
#define AOLAG_MODEL_LQG_H

#include <complex.h>

#include "design/vibration.h"

#define LQG_DISTURBANCES_MAX (1 + VIBRATION_MAX)
#define LQG_STATES_MAX (2 * LQG_DISTURBANCES_MAX)

/* A disturbance as the filter knows it. */
struct disturbance {
    double frequency; /* Hz, above 0 */
    double damping;   /* of critical damping, above 0 and at most 1 */
    double variance;  /* m^2, at least 0 */
};

struct lqg {
    int count;                          /* disturbances, two states each */
    double angle[LQG_DISTURBANCES_MAX]; /* 2 pi times frequency times period */
    double damping[LQG_DISTURBANCES_MAX];
    double a1[LQG_DISTURBANCES_MAX], a2[LQG_DISTURBANCES_MAX];
    double q[LQG_DISTURBANCES_MAX];  /* m^2 */
    double gain[LQG_STATES_MAX];     /* K_f */
    double variance[LQG_STATES_MAX]; /* diagonal of P, m^2 */
    double law[LQG_STATES_MAX];      /* command per state */
};

/* Designs the controller of 1 to LQG_DISTURBANCES_MAX disturbances of which one has a variance.
 * period: s; horizon: periods from the middle of the exposure to the middle of the correction;
 * noise: m^2, R. For numerical reasons the filter takes an angle for 1e-4 if it is less, and the
 * noise for 1e-6 of the sum of q. */
void lqg_design(struct lqg *lqg, const struct disturbance *disturbance, int count, double period,
                double horizon, double noise);

/* Returns the command K for a measurement in open loop, law (I - (I - K_f C) A w)^-1 K_f, with
 * w = 1/z on the unit circle. */
double complex lqg_command(const struct lqg *lqg, double complex w);

/* Returns the mean of |K|^2 on the unit circle, the variance on the mirror per variance of a
 * measurement. */
double lqg_noise_gain(const struct lqg *lqg);

#endif
