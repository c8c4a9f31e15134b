#include "model/loop.h"

#include <math.h>

#include "check.h"
#include "model/formulas.h"
#include "sample.h"

#define PI 3.14159265358979323846

/* r0 of 0.15 m at 500 nm, at 500 nm and zenith; 10 m/s. */
static struct coherence plain(void)
{
    struct coherence coherence = {0};
    struct atmosphere atmosphere = {.r0 = 0.15, .wind = 10, .wavelength = 500e-9, .zenith = 0};

    coherence_update(&coherence, &atmosphere);
    return coherence;
}

TEST(coherence_time)
{
    struct coherence coherence = plain();

    CHECK_NEAR(coherence.tau0, 4.71e-3, 1e-12);
    CHECK_NEAR(coherence.greenwood, 28.466666666666667, 1e-12);
    CHECK_NEAR(coherence.greenwood * coherence.tau0, 0.134, 1e-3);
    CHECK_NEAR(coherence.greenwood * coherence.tau0, 0.314 * 0.427, 1e-12);
}

/* r0 grows with wavelength^(6/5) and falls with cos(z)^(3/5). */
TEST(coherence_scales)
{
    struct coherence coherence = plain();
    struct atmosphere atmosphere = {
        .r0 = 0.15, .wind = 10, .wavelength = 2200e-9, .zenith = PI / 3};
    double factor = pow(4.4, 1.2) * pow(0.5, 0.6);

    coherence_update(&coherence, &atmosphere);
    CHECK_NEAR(coherence.tau0, 4.71e-3 * factor, 1e-12);
    CHECK_NEAR(coherence.greenwood, 28.466666666666667 / factor, 1e-12);
    atmosphere.wind = 20;
    coherence_update(&coherence, &atmosphere);
    CHECK_NEAR(coherence.tau0, 4.71e-3 * factor / 2, 1e-12);
    atmosphere.r0 = 0.3;
    coherence_update(&coherence, &atmosphere);
    CHECK_NEAR(coherence.tau0, 4.71e-3 * factor, 1e-12);
    CHECK_NEAR(coherence.greenwood * coherence.tau0, 0.314 * 0.427, 1e-12);
}

TEST(gains)
{
    static const double delays[] = {1, 1.5, 2, 2.5, 3, 4};
    static const double stable[] = {2, 1.414, 1, 0.765, 0.618, 0.445};

    for (int i = 0; i < 6; i++) {
        double d = delays[i];

        CHECK_TRUE(fabs(formula_max_gain(d) - stable[i]) < 5e-4, "d = %g: g_max %g, expected %g", d,
                   formula_max_gain(d), stable[i]);
        CHECK_NEAR(formula_max_gain(d), 2 * sin(PI / (2 * (2 * d - 1))), 1e-14);
        CHECK_NEAR(formula_gain_45(d), 2 * sin((PI / 4) / (2 * d - 1)), 1e-14);
    }
    CHECK_NEAR(formula_max_gain(0.3), 2, 1e-14);
    CHECK_NEAR(formula_gain_45(0.3), 2 * sin(PI / 4), 1e-14);
}

/* A stable gain is one: the pure delay of d frames simulated at a gain 2 % below and above. */
static double simulated_growth(int delay, double gain)
{
    double command[4096] = {0};
    double early = 0;
    double late = 0;
    int n = (int)(sizeof command / sizeof command[0]);

    for (int k = 0; k < n; k++) {
        double seen = k >= delay ? command[k - delay] : 0;

        command[k] = (k > 0 ? command[k - 1] : 0) + gain * ((k == 0 ? 1 : 0) - seen);
        if (k >= 1000 && k < 1100)
            early = fmax(early, fabs(command[k]));
        if (k >= n - 100)
            late = fmax(late, fabs(command[k]));
    }
    return late / early;
}

TEST(stability_by_simulation)
{
    for (int delay = 1; delay <= 4; delay++) {
        double limit = formula_max_gain(delay);

        CHECK_TRUE(simulated_growth(delay, 0.995 * limit) < 1, "%d frames: not stable below %g",
                   delay, limit);
        CHECK_TRUE(simulated_growth(delay, 1.005 * limit) > 1, "%d frames: still stable above %g",
                   delay, limit);
    }
}

TEST(lag)
{
    struct coherence coherence = plain();
    struct loop_result loop;

    loop_evaluate(&coherence, 1e-3, 2.5e-3, &loop);
    CHECK_NEAR(loop.delay_frames, 2.5, 1e-14);
    CHECK_NEAR(loop.tau_total, 2.5e-3, 0);
    CHECK_NEAR(loop.tau0, 4.71e-3, 1e-12);
    /* (2.5 / 4.71)^(5/3) = 0.347962 rad^2 */
    CHECK_NEAR(loop.servo_lag, sqrt(0.3479620140) * 500e-9 / (2 * PI), 1e-6);
    CHECK_NEAR(loop.strehl, exp(-0.3479620140), 1e-6);
    CHECK_NEAR(loop.strehl, exp(-pow(loop.servo_lag * 2 * PI / 500e-9, 2)), 1e-12);
    CHECK_NEAR(loop.max_gain, 0.765366864730, 1e-11);
    CHECK_NEAR(loop.gain_45, 2 * sin(PI / 16), 1e-12);
    /* 1 / (8 (1.5 + 0.5) ms) */
    CHECK_NEAR(loop.crossover, 62.5, 1e-12);
}

/* At the crossover the open loop has a magnitude of one and a phase 45 degrees above -180, to the
 * order of the formula: gain / (w T) and -90 degrees - w (tau + T/2). */
TEST(crossover_has_its_phase)
{
    struct coherence coherence = plain();

    for (double d = 1; d < 4; d += 0.25) {
        struct loop_result loop;
        double w;

        loop_evaluate(&coherence, 1e-3, d * 1e-3, &loop);
        w = 2 * PI * loop.crossover;
        CHECK_NEAR(w * ((d - 1) * 1e-3 + 0.5e-3), PI / 4, 1e-12);
        CHECK_TRUE(fabs(loop.gain_45 / (w * 1e-3) - 1) < 0.15, "d = %g: gain %g at %g Hz", d,
                   loop.gain_45, loop.crossover);
    }
}

TEST(no_wind_no_lag)
{
    struct coherence coherence = {0};
    struct atmosphere atmosphere = {.r0 = 0.15, .wind = 0, .wavelength = 500e-9, .zenith = 0};
    struct loop_result loop;

    coherence_update(&coherence, &atmosphere);
    loop_evaluate(&coherence, 1e-3, 2e-3, &loop);
    CHECK_NEAR(loop.tau0, RESULT_NONE, 0);
    CHECK_NEAR(loop.greenwood, 0, 0);
    CHECK_NEAR(loop.servo_lag, 0, 0);
    CHECK_NEAR(loop.strehl, 1, 0);
}

/* Below one frame the integrator is no faster than one. */
TEST(short_delays)
{
    struct coherence coherence = plain();
    struct loop_result loop;

    loop_evaluate(&coherence, 1e-3, 0.6e-3, &loop);
    CHECK_NEAR(loop.delay_frames, 0.6, 1e-14);
    CHECK_NEAR(loop.max_gain, 2, 1e-14);
    CHECK_NEAR(loop.crossover, 250, 1e-12);
}
