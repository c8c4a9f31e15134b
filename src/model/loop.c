#include "model/loop.h"

#include "model/formulas.h"

void coherence_update(struct coherence *coherence, const struct atmosphere *atmosphere)
{
    const struct atmosphere *known = &coherence->atmosphere;
    double r0;

    if (known->r0 == atmosphere->r0 && known->wind == atmosphere->wind &&
        known->wavelength == atmosphere->wavelength && known->zenith == atmosphere->zenith)
        return;
    coherence->atmosphere = *atmosphere;
    r0 = formula_r0(atmosphere);
    coherence->greenwood = formula_greenwood(atmosphere, r0);
    coherence->tau0 = atmosphere->wind > 0 ? formula_tau0(r0, atmosphere) : RESULT_NONE;
    coherence->greenwood_500 = formula_greenwood_500(atmosphere);
    coherence->tau0_500 = atmosphere->wind > 0 ? formula_tau0_500(atmosphere) : RESULT_NONE;
}

/* Sets the delay after the exposure and the gains of an integrator, exactly for any of both; those
 * of another controller stay unknown. */
static void set_gains(const struct loop_timing *timing, struct loop_result *loop)
{
    double whole, fraction, angle_45;

    loop->exposure = timing->exposure;
    loop->sample_period = formula_sample_period(timing->fastest, timing->period);
    loop->delay = formula_loop_delay(timing->tau_total, loop->exposure, loop->sample_period);
    loop->max_gain = loop->gain_45 = loop->crossover = RESULT_NONE;
    if (!timing->integrator)
        return;
    whole = formula_delay_whole(loop->delay, loop->sample_period);
    fraction = formula_delay_fraction(loop->delay, loop->sample_period, whole, loop->exposure);
    angle_45 = formula_angle_45(whole, fraction);
    loop->max_gain = formula_max_gain(formula_limit_angle(whole, fraction), fraction);
    loop->gain_45 = formula_gain_45(angle_45, fraction);
    loop->crossover = formula_crossover(angle_45, loop->sample_period);
}

void loop_evaluate(const struct coherence *coherence, const struct loop_timing *timing,
                   struct loop_result *loop)
{
    double variance =
        coherence->tau0 == RESULT_NONE ? 0 : formula_variance(timing->tau_total, coherence->tau0);

    loop->delay_frames = formula_delay_frames(timing->tau_total, timing->period);
    loop->tau_total = timing->tau_total;
    loop->tau0 = coherence->tau0;
    loop->greenwood = coherence->greenwood;
    loop->tau0_500 = coherence->tau0_500;
    loop->greenwood_500 = coherence->greenwood_500;
    loop->servo_lag = formula_servo_lag(variance, &coherence->atmosphere);
    loop->strehl_lag = formula_strehl(variance);
    set_gains(timing, loop);
}

const char *loop_overload(const struct scenario *scenario, const struct result *result)
{
    return !result->overloaded ? NULL
           : scenario->ao.rtc_latency > 0
               ? "The design is overloaded: delay and servo lag are those of the RTC latency "
                 "stated for the loop."
               : "The design is overloaded: delay and servo lag are those of one frame alone.";
}
