/* What a design loses in wavefront error, with what the scenario states of the telescope, the
 * turbulence, the vibrations and the controller. evaluate does not compute it. */
#ifndef AOLAG_MODEL_BUDGET_H
#define AOLAG_MODEL_BUDGET_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"
#include "model/servo.h"

/* Where the gain comes from. */
enum gain_source {
    GAIN_STATED,
    GAIN_MARGIN /* a phase margin of 45 degrees */
};

/* Why the error of turbulence is not known. */
enum turbulence_state { TURBULENCE_KNOWN, TURBULENCE_NO_DIAMETER, TURBULENCE_NO_WIND };

/* Errors are m of wavefront, rms; those of an unstable loop and unknown ones are RESULT_NONE. */
struct error_term {
    double before; /* without correction */
    double after;
};

struct budget {
    struct servo servo;
    enum gain_source gain_source;
    double max_gain;
    /* The gain between 0.02 and 0.9 of the maximum with the least total, RESULT_NONE without a
     * total. The total lacks noise, so that it is an upper bound. */
    double optimum_gain;
    bool optimum_is_end; /* it is 0.02 or 0.9 of the maximum */
    bool stable;
    struct margins margins; /* and noise_gain: of a stable loop, else undefined */
    double noise_gain;

    enum turbulence_state turbulence_state;
    struct turbulence turbulence;
    int orders; /* corrected radial orders, all of whose modes the design controls */
    struct error_term lag;

    int vibration_count;
    struct vibration vibration[VIBRATION_MAX];
    struct error_term vibration_error[VIBRATION_MAX];

    struct error_term total; /* RESULT_NONE without a term, and if lag is unknown for its diameter */
    /* servo lag by its formula over lag, less 1, or RESULT_NONE */
    double servo_lag_deviation;

    struct band band; /* of the turbulence, and of each vibration */
    struct band vibration_band[VIBRATION_MAX];
};

/* Computes the budget of an evaluated design. STATUS_INVALID if its loop cannot be described: an
 * exposure longer than its period, a delay of SERVO_FRAMES_MAX frames. */
enum status budget_fill(struct budget *budget, const struct scenario *scenario,
                        const struct result *result, struct error *error);

#endif
