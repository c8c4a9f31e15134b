/* The error budget: what a design loses in wavefront error, with what the scenario states of the
 * telescope, the turbulence, the vibrations, the star, the mirror and the controller. evaluate does
 * not compute it.
 *
 * Terms, rms: fitting c (pitch/r0)^(5/3) rad^2 at 500 nm with c = 0.28 of a continuous surface,
 * 0.23 of a square cut-off, 0.18 of segments with piston, tip and tilt, 1.26 of pistons (Hardy,
 * Adaptive Optics for Astronomical Telescopes, 1998, ch. 4), and the radial orders that a stated
 * pitch could correct but the modes do not; aliasing c (subaperture/r0)^(5/3) with
 * 0.08 of a Shack-Hartmann sensor (Rigaut, Veran and Lai 1998), 0.02 of a pyramid, assumed; lag and
 * vibration as the loop leaves them (servo.h); noise of the modes (sensor.h) times the noise gain
 * of the loop; other errors as stated. A spatial filter before the sensor passes the stated part of
 * the variance of aliasing: Poyneer and Macintosh (JOSA A 21, 810, 2004) simulate up to 625 times
 * less of it over the range of frequencies that they quote. The squares of the terms add up to that
 * of the total. Strehl ratio: exp(-(2 pi total / wavelength)^2).
 *
 * The optimum gain is the one with the least total between 0.02 and 0.9 of the maximum, for all
 * modes or for each radial order (Gendron and Lena, A&A 291, 337, 1994). An automatic gain is the
 * optimum, or the largest with the phase and gain margin of the scenario, where that is less:
 * 45 degrees and a factor of 2 (6 dB) by default, within the 30 to 60 degrees and 2 to 5 that
 * Astrom and Murray call reasonable (Feedback Systems, 2008, sec. 9.3). Without a star, whose noise
 * alone keeps the optimum from the maximum, it is always that gain. Filters of LQG have no gain:
 * their margins are reported and not bound. What another delay changes is the difference of the
 * totals with the automatic gains of both delays, with the same least gain: that depends on the
 * maximum, and so on the delay. */
#ifndef AOLAG_MODEL_BUDGET_H
#define AOLAG_MODEL_BUDGET_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"
#include "model/result.h"
#include "model/sensor.h"
#include "model/servo.h"

#define BUDGET_ORDERS_MAX 640
#define BUDGET_SHIFT 100e-6 /* s, by which the delay is varied */
#define BUDGET_BANDWIDTH_MIN 1e-4

/* Where the gain comes from. */
enum gain_source {
    GAIN_STATED,
    GAIN_OPTIMUM,      /* automatic, with a star */
    GAIN_PHASE_MARGIN, /* automatic: the largest with the margins of the scenario, where the */
    GAIN_GAIN_MARGIN,  /* optimum is above it or not known for want of a star */
    GAIN_MOST,         /* 0.9 of the maximum, likewise, where gains up to it have both margins */
    GAIN_FILTER        /* the filters of LQG have no common one */
};

/* "stated", "optimum", "phase margin", "gain margin", "0.9 of the maximum", "filter". */
const char *gain_source_name(enum gain_source source);

/* Why the error of turbulence is not known. */
enum turbulence_state { TURBULENCE_KNOWN, TURBULENCE_NO_DIAMETER, TURBULENCE_NO_WIND };

/* Errors are m of wavefront, rms; those of an unstable loop and unknown ones are RESULT_NONE. */
struct error_term {
    double before; /* without correction; RESULT_NONE if there is none */
    double after;
};

/* Gains of the radial orders. */
struct gains {
    bool per_order;
    double common; /* else that of the first order with a gain; of an optimum RESULT_NONE for LQG */
    double order[BUDGET_ORDERS_MAX + 1]; /* from 1 on; RESULT_NONE: a filter */
};

/* The total with optimum gains, whatever their margins. */
struct optimum {
    struct gains gains;
    double total; /* m; RESULT_NONE: there is no total */
    double within; /* m, the same with gains that have the margins of the scenario */
    bool limited;  /* the optimum, or that of an order, does not have them */
    bool is_end;  /* the common gain is an end of the range that is tried */
    bool is_least; /* the lower one */
};

/* What another delay changes, m of the total; RESULT_NONE if it is unknown or unstable. */
struct delay_change {
    double adapted; /* the gains of both delays as `adapted_source` says */
    double fixed;     /* the gains in force */
};

/* How much of a budget is computed: what is beyond it is RESULT_NONE or zero. */
enum budget_depth {
    BUDGET_TERMS, /* gains, stability and what remains, with optimum gains where these are in force
                   */
    BUDGET_CHANGES, /* and `longer` */
    BUDGET_ALL
};

/* What the filter of a radial order leaves of a mode with a variance of 1, and its noise gain. */
struct filtered {
    double residual, noise_gain;
};

/* With LQG each radial order has a filter of its own: that of tip and tilt knows the vibrations.
 * Its servo, margins and noise gain are those of tip and tilt, with a gain of 1. With LQG of tip
 * and tilt only these are those of the integrator of the other orders, and so are all gains. */
struct budget {
    struct pace *pace; /* counts its work, and stops it (base/progress.h); NULL: nobody does */
    struct band_kept *kept; /* of budgets of the same thread (servo.h); NULL: nothing */
    struct error problem; /* of derived_add_budget (derived.h): why there is no budget */

    enum controller controller;
    struct servo servo; /* its gain: the common one, or the largest of the orders */
    struct lqg lqg;
    struct filtered filtered[BUDGET_ORDERS_MAX + 1]; /* of LQG, from 1 on */
    struct gains gains;                              /* in force */
    enum gain_source gain_source;
    double max_gain; /* RESULT_NONE for LQG */
    double least_gain, most_gain; /* between which the optimum is searched */
    double phase_margin, gain_margin; /* rad, factor: of the scenario */
    double limit_gain;                /* the largest with both; RESULT_NONE for LQG */
    enum gain_source limit_source;
    double margin_cost; /* m, of an automatic gain with a star: its total less the optimum's */
    bool stable;
    struct margins margins; /* BUDGET_ALL, of a stable loop, else undefined; so is */
    double noise_gain;      /* of `servo` */

    enum turbulence_state turbulence_state;
    struct turbulence turbulence;
    double r0;  /* m at 500 nm in the line of sight */
    int orders; /* corrected radial orders, all of whose modes the design controls */
    int mirror_orders; /* those that a stated pitch could, else the same */
    int wfs;    /* budget_wfs */
    struct sensor sensor;
    double shared_noise; /* m^2, of one measurement of the modes whose loops share a gain */
    int mirror;          /* the one with the most actuators; -1: none */
    double pitch;        /* m, of this mirror; 0: not known */
    double fitting_coefficient;

    struct error_term fitting, aliasing, lag, noise, other;
    int vibration_count;
    struct vibration vibration[VIBRATION_MAX];
    struct error_term vibration_error[VIBRATION_MAX];
    struct error_term vibrations; /* all of them; RESULT_NONE without one */
    struct error_term
        total;         /* RESULT_NONE without a term, and if lag is unknown for its diameter */
    double wavelength; /* m, at which */
    double strehl;     /* is that of the total */

    /* BUDGET_ALL */
    struct optimum optimum, order_optimum; /* common, per order */
    struct delay_change longer, shorter;   /* by BUDGET_SHIFT */
    enum gain_source adapted_source;       /* of these gains, were they automatic */
    double
        one_percent; /* s, delay at which the total with adapted gains is 1 % larger; RESULT_NONE */
    /* servo lag by its formula over lag, less 1, or RESULT_NONE */
    double servo_lag_deviation;

    struct band band;          /* of the turbulence, and of each vibration */
    struct band_weights modes; /* of all orders without a filter, m^2 */
    struct band vibration_band[VIBRATION_MAX];
};

#define CURVE_POINTS_MAX 240

/* Transfer functions and spectra of a budget, by frequency, up to half the frame rate. They are
 * those of the continuous product (servo.h), with the gain of `servo`, the spectra with those in
 * force. */
struct loop_curves {
    int count; /* 0: the loop is unstable */
    double frequency[CURVE_POINTS_MAX];
    double rejection[CURVE_POINTS_MAX], noise[CURVE_POINTS_MAX]; /* dB of the amplitude */
    /* m^2/Hz of the turbulence of all modes and of vibrations; RESULT_NONE if there is none */
    double before[CURVE_POINTS_MAX], after[CURVE_POINTS_MAX];
};

void loop_curves_find(const struct budget *budget, struct loop_curves *curves);

/* Returns the sensor of the loop: of those with the most frames the first with a star; -1: none. */
int budget_wfs(const struct scenario *scenario);

/* Returns true if the sensor of the loop has a star. */
bool budget_has_star(const struct scenario *scenario);

/* Returns true if a knob may change the budget of a design other than by the delay of its loop: one
 * of the loop, the atmosphere, the sensors, their rate, the cameras, slopes or mirrors. */
bool budget_depends(const struct scenario *scenario, struct knob_ref ref);

/* Returns true if the total of an evaluated design may be taken to grow with the delay of its loop
 * (explore/surpass.h), where it is known and the optimum gain is not the least: with one automatic
 * gain of an integrator, and without vibrations. Without a star, where the margins alone keep the
 * gain down, totals of all margins fall where the delay grows to a quarter of the period and, with
 * a shorter exposure than that, to whole periods, but nowhere else: only longer delays after a full
 * exposure count. Gets the loop, without its gain. */
bool budget_may_grow(const struct scenario *scenario, const struct result *result,
                     struct servo *servo);

/* Computes the budget of an evaluated design. The budget is zero at first; what an earlier call
 * left in it saves time and changes nothing. STATUS_INVALID if its loop cannot be described: an
 * exposure longer than its period, a delay of SERVO_FRAMES_MAX frames, a mirror slower than
 * BUDGET_BANDWIDTH_MIN of the frame rate, LQG without a disturbance. STATUS_STOPPED by its pace,
 * which it asks after each order of some 100 us; the next call begins anew. */
enum status budget_fill(struct budget *budget, const struct scenario *scenario,
                        const struct result *result, enum budget_depth depth, struct error *error);

/* Returns the total with a common gain, m; RESULT_NONE if the loop is unstable with it or there is
 * no total. */
double budget_total(const struct budget *budget, double gain);

/* Finds the least total of the controller of a filled budget, for LQG that of its filters. The
 * proportional and derivative gain of a PID are found too: a pattern search from 0 on, of which
 * `servo` keeps the result (Hooke and Jeeves, J. ACM 8, 212, 1961). */
void budget_find_least(struct budget *budget, bool per_order, struct optimum *optimum);

#endif
