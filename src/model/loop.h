/* From latency to what the astronomer loses.
 *
 * tau_total = exposure/2 + (command at the mirror - end of exposure) + settle + period/2, in frames
 * d = tau_total / period. Coherence time tau0 = 0.314 r0 / v, Greenwood frequency 0.427 v / r0
 * (Hardy, Adaptive Optics for Astronomical Telescopes, 1998, ch. 3), r0 scaled to the science
 * wavelength by lambda^(6/5) and to the zenith angle by cos^(3/5). Servo lag variance (tau_total /
 * tau0)^(5/3) rad^2 at the science wavelength (Fried, JOSA A 7, 1990): within 30 % of a tuned
 * integrator for d of 1.5 to 3. Strehl from lag alone exp(-variance).
 *
 * Integrator, pure delay of d frames (d of at least 1): stable below 2 sin(pi / (2 (2 d - 1)));
 * with phase margin PM 2 sin((pi/2 - PM) / (2 d - 1)); open-loop crossover at 45 degrees
 * 1 / (8 (tau + period/2)), tau = (d - 1) period. */
#ifndef AOLAG_MODEL_LOOP_H
#define AOLAG_MODEL_LOOP_H

#include "design/scenario.h"
#include "model/result.h"

/* What the atmosphere alone decides. */
struct coherence {
    double r0, wind, wavelength, zenith; /* what it was made from; wavelength 0: nothing yet */
    double tau0;                         /* s at the science wavelength; RESULT_NONE without wind */
    double greenwood;                    /* Hz */
};

/* Fried parameter in m at the science wavelength and the zenith angle. */
double coherence_r0(const struct atmosphere *atmosphere);

/* Recomputes if the atmosphere changed. */
void coherence_update(struct coherence *coherence, const struct atmosphere *atmosphere);

/* `period` and `tau_total` in s, above 0. */
void loop_evaluate(const struct coherence *coherence, double period, double tau_total,
                   struct loop_result *loop);

/* Integrator gain with a phase margin in rad (0: the stability limit). */
double loop_gain(double delay_frames, double phase_margin);

#endif
