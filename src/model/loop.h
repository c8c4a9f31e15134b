/* Loop performance as a function of latency: coherence of the atmosphere, servo lag, Strehl ratio,
 * gains of an integrator (formulas.def has the formulas and their sources); those of other
 * controllers and of mirrors with dynamics are in budget.h.
 *
 * tau_total = exposure/2 + (command at the mirror - end of exposure) + settle/2 + hold/2, where
 * a command is held for the period of the fastest cameras; in frames d = tau_total / period. Servo
 * lag is that of a pure delay, a quick estimate of what a controller leaves (budget.h). */
#ifndef AOLAG_MODEL_LOOP_H
#define AOLAG_MODEL_LOOP_H

#include <stdbool.h>

#include "design/scenario.h"
#include "model/result.h"

/* Quantities that depend on the atmosphere only. */
struct coherence {
    struct atmosphere atmosphere;   /* source of the values; wavelength 0: none yet */
    double tau0;                    /* s at the science wavelength; RESULT_NONE without wind */
    double greenwood;               /* Hz */
    double tau0_500, greenwood_500; /* the same at 500 nm and zenith */
};

/* Recomputes if the atmosphere changed. */
void coherence_update(struct coherence *coherence, const struct atmosphere *atmosphere);

/* Timing of the loop, s, all above 0. */
struct loop_timing {
    double period;    /* of the frames of the design */
    double fastest;   /* the fastest cameras deliver every `fastest`-th of these */
    double exposure;  /* the longest of these cameras */
    double tau_total; /* middle of the exposure to middle of the correction */
    bool integrator;  /* closes the loop, with mirrors that follow at once */
};

/* Computes the loop performance. */
void loop_evaluate(const struct coherence *coherence, const struct loop_timing *timing,
                   struct loop_result *loop);

/* Returns a sentence on what the delay of an overloaded design is; NULL for others. */
const char *loop_overload(const struct scenario *scenario, const struct result *result);

#endif
