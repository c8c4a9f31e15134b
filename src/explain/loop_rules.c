#include <math.h>

#include "explain/rules.h"

#define PI 3.14159265358979323846

static bool windy(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return explain->scenario->atmosphere.wind > 0;
}

static double r0(const struct explain *explain, struct explain_subject subject)
{
    (void)subject;
    return coherence_r0(&explain->scenario->atmosphere);
}

static double variance(const struct explain *explain, struct explain_subject subject)
{
    double phase =
        explain->result->loop.servo_lag * 2 * PI / explain->scenario->atmosphere.wavelength;

    (void)subject;
    return phase * phase;
}

/* clang-format off */
const struct explain_rule explain_loop_rules[] = {
    {EXPLAIN_LOOP, "delay_frames", NULL, NULL, "tau_total / frame_period", NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "tau_total", NULL, NULL, "mean_age + command_arrival + frame_period / 2", NULL,
     NULL, NULL, false},
    {EXPLAIN_LOOP, "r0", "cm", NULL,
     "atmosphere.r0 * (atmosphere.wavelength / 500e-9) ^ 1.2 * cos(atmosphere.zenith) ^ 0.6", r0,
     "Fried parameter at the science wavelength and the zenith angle", NULL, false},
    {EXPLAIN_LOOP, "tau0", NULL, NULL, "0.314 * r0 / atmosphere.wind", NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "greenwood", NULL, NULL, "0.427 * atmosphere.wind / r0", NULL, NULL, NULL,
     false},
    {EXPLAIN_LOOP, "variance", "", windy, "(tau_total / tau0) ^ (5 / 3)", variance,
     "of the phase at the science wavelength, rad^2", NULL, false},
    {EXPLAIN_LOOP, "variance", "", NULL, "0 * atmosphere.wind", variance,
     "without wind nothing changes in the meantime", NULL, false},
    {EXPLAIN_LOOP, "servo_lag", NULL, NULL,
     "sqrt(variance) * atmosphere.wavelength / (2 * pi)", NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "strehl", NULL, NULL, "exp(-variance)", NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, "max_gain", NULL, NULL, "2 * sin(pi / 2 / (2 * max(delay_frames, 1) - 1))", NULL,
     NULL, NULL, false},
    {EXPLAIN_LOOP, "gain_45", NULL, NULL, "2 * sin(pi / 4 / (2 * max(delay_frames, 1) - 1))", NULL,
     NULL, NULL, false},
    {EXPLAIN_LOOP, "crossover", NULL, NULL,
     "1 / (8 * (max(delay_frames, 1) - 0.5) * frame_period)", NULL, NULL, NULL, false},
    {EXPLAIN_LOOP, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
