/* Calibration of a design: the factors of its groups of errors (model/group.h) that agree best with
 * the model and with measurements.
 *
 * The logarithms x of the factors are normal: before, with the mean 0 and the standard deviation of
 * the range (model/range.h), or as the calibration that the design has states them. A measurement
 * is ln(value) = ln(computed(x)) + an error with the standard deviation ln(1 + spread). With the
 * slopes h of ln(computed) by x, secants over one standard deviation either way, each of them is
 * one step of linear Gaussian estimation
 *
 *     v = P h,  s = h.v + ln(1 + spread)^2,  x' = x + v r / s,  P' = P - v v^T / s
 *
 * with the residual r. What is computed is not linear, so all steps are repeated from what was
 * known before, with computed(x') and its slopes, until x' stays: an iterated extended Kalman
 * filter (Bell and Cathey, IEEE Trans. Automatic Control 38(2), 1993), but for the secants. A round
 * goes there, or half of the way, and so on, and only if that makes less what the estimate makes
 * least, x^T P^-1 x + the sum of the squared residuals in their standard deviations. So
 * measurements are never further, all together, from what is computed with the factors than
 * without.
 *
 * Nor is the latency from its own, whatever the others ask for: where it would be, it counts more
 * in the round than its spread says, by the least weight that prevents it.
 *
 * A measurement is refused, or left out if it may be, that differs from what is computed before by
 * more than CALIBRATE_SIGMAS standard deviations of both, or afterwards by as many of its own; and
 * so is a factor that leaves CALIBRATION_LEAST to CALIBRATION_MOST. */
#ifndef AOLAG_EXPLORE_CALIBRATE_H
#define AOLAG_EXPLORE_CALIBRATE_H

#include "base/progress.h"
#include "design/calibration.h"
#include "model/range.h"
#include "model/result_read.h"

#define CALIBRATE_SIGMAS 3
#define CALIBRATE_SPREAD 0.05 /* of a measurement that states none and is not repeated: assumed */
#define CALIBRATE_LEAST_SPREAD 0.01 /* of one that is repeated */

/* One step of linear Gaussian estimation of `count` numbers; `covariance` is [count * count]. */
void calibrate_step(int count, double *mean, double *covariance, const double *slope,
                    double residual, double variance);

struct calibrate_factor {
    enum cause cause;
    int device;           /* the first of its model */
    double prior;         /* ln of the factor before */
    double own;           /* standard deviation of the logarithm as the model has it, */
    double before, after; /* and without and with these measurements */
    double log;           /* of the factor */
};

struct calibrate_measured {
    struct calibration_measured measured; /* repeated ones are one, with their mean and spread */
    int repeated;
    struct result_ref ref;
    double before, after;      /* s, computed without and with the factors */
    double surprise, residual; /* ln(measured / before), / after), in their standard deviations */
    bool left_out;             /* the model does not explain it */
    bool held;                 /* it counts more, else the others would move it away */
};

struct calibrate {
    int count;
    struct calibrate_factor *factor;
    double *covariance; /* [count * count] of the logarithms */
    int rest;           /* factors of which less is known, for which a file has no room */
    int measured_count;
    struct calibrate_measured measured[CALIBRATION_MEASURED_MAX];
};

/* Finds the factors of an evaluated design; `count`: at most CALIBRATION_MEASURED_MAX. Returns
 * STATUS_INVALID and names a measurement that is none of a time of the design, or that is refused,
 * or a factor that is, or if none bring them nearer; STATUS_STOPPED. Call calibrate_free in any
 * case. */
enum status calibrate_find(const struct scenario *scenario, struct result *result,
                           const struct calibration_measured *measured, int count,
                           const struct progress *progress, struct calibrate *calibrate,
                           struct error *error);
void calibrate_free(struct calibrate *calibrate);

/* Returns true for a factor of which measurements, also earlier ones, say something. */
bool calibrate_changes(const struct calibrate_factor *factor);

/* States the factors that changed, at most CALIBRATION_FACTORS_MAX of which most is known, in a
 * scenario. Returns STATUS_INVALID if the lists are too long for a file. */
enum status calibrate_state(const struct calibrate *calibrate, struct scenario *scenario,
                            struct error *error);

/* What a measurement not yet made would do: the standard deviation of the logarithm of the latency
 * that is expected after it. */
struct calibrate_candidate {
    struct result_ref ref;
    double after;
};

/* Finds what a measurement of the latency and of each component's time on its device would do, of
 * an evaluated design: `count` candidates, the best first, and the standard deviation `now`, of the
 * logarithm of the latency. Returns STATUS_STOPPED, or STATUS_INVALID like evaluate. */
#define CALIBRATE_CANDIDATES (COMPONENT_MAX + 1)
enum status calibrate_next(const struct scenario *scenario, struct result *result,
                           const struct progress *progress,
                           struct calibrate_candidate list[CALIBRATE_CANDIDATES], int *count,
                           double *now, struct error *error);

#endif
