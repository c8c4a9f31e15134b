#include "model/loop.h"

#include <math.h>

#include "base/number.h"

#define PI 3.14159265358979323846
#define R0_WAVELENGTH 500e-9

double loop_gain(double delay_frames, double phase_margin)
{
    return 2 * sin((PI / 2 - phase_margin) / (2 * larger(delay_frames, 1) - 1));
}

double coherence_r0(const struct atmosphere *atmosphere)
{
    return atmosphere->r0 * pow(atmosphere->wavelength / R0_WAVELENGTH, 1.2) *
           pow(cos(atmosphere->zenith), 0.6);
}

void coherence_update(struct coherence *coherence, const struct atmosphere *atmosphere)
{
    double r0;

    if (coherence->r0 == atmosphere->r0 && coherence->wind == atmosphere->wind &&
        coherence->wavelength == atmosphere->wavelength && coherence->zenith == atmosphere->zenith)
        return;
    coherence->r0 = atmosphere->r0;
    coherence->wind = atmosphere->wind;
    coherence->wavelength = atmosphere->wavelength;
    coherence->zenith = atmosphere->zenith;
    r0 = coherence_r0(atmosphere);
    coherence->greenwood = 0.427 * atmosphere->wind / r0;
    coherence->tau0 = atmosphere->wind > 0 ? 0.314 * r0 / atmosphere->wind : RESULT_NONE;
}

void loop_evaluate(const struct coherence *coherence, double period, double tau_total,
                   struct loop_result *loop)
{
    double d = tau_total / period;
    double lag = coherence->tau0 == RESULT_NONE ? 0 : tau_total / coherence->tau0;
    double variance = pow(lag, 5.0 / 3);

    loop->delay_frames = d;
    loop->tau_total = tau_total;
    loop->tau0 = coherence->tau0;
    loop->greenwood = coherence->greenwood;
    loop->servo_lag = sqrt(variance) * coherence->wavelength / (2 * PI);
    loop->strehl = exp(-variance);
    loop->max_gain = loop_gain(d, 0);
    loop->gain_45 = loop_gain(d, PI / 4);
    loop->crossover = 1 / (8 * (larger(d, 1) - 0.5) * period);
}
