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
}

void loop_evaluate(const struct coherence *coherence, double period, double tau_total,
                   struct loop_result *loop)
{
    double delay_frames = formula_delay_frames(tau_total, period);
    double variance =
        coherence->tau0 == RESULT_NONE ? 0 : formula_variance(tau_total, coherence->tau0);

    loop->delay_frames = delay_frames;
    loop->tau_total = tau_total;
    loop->tau0 = coherence->tau0;
    loop->greenwood = coherence->greenwood;
    loop->servo_lag = formula_servo_lag(variance, &coherence->atmosphere);
    loop->strehl = formula_strehl(variance);
    loop->max_gain = formula_max_gain(delay_frames);
    loop->gain_45 = formula_gain_45(delay_frames);
    loop->crossover = formula_crossover(delay_frames, period);
}
