#include "model/loop.h"

#include <complex.h>
#include <math.h>

#include "check.h"
#include "csv.h"
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

/* A delay of 2.5 frames in total. */
static const struct loop_timing whole_frames = {
    .period = 1e-3, .fastest = 1, .exposure = 1e-3, .tau_total = 2.5e-3, .integrator = true};

/* What a site states, whatever is observed. */
TEST(coherence_at_zenith)
{
    struct coherence coherence = {0};
    struct atmosphere atmosphere = {
        .r0 = 0.15, .wind = 10, .wavelength = 2200e-9, .zenith = PI / 3};
    struct loop_result loop;

    coherence_update(&coherence, &atmosphere);
    loop_evaluate(&coherence, &whole_frames, &loop);
    CHECK_NEAR(loop.tau0_500, plain().tau0, 1e-15);
    CHECK_NEAR(loop.greenwood_500, plain().greenwood, 1e-12);
    CHECK_NEAR(loop.tau0, 4.71e-3 * pow(4.4, 1.2) * pow(0.5, 0.6), 1e-12);
    atmosphere.wind = 0;
    coherence_update(&coherence, &atmosphere);
    loop_evaluate(&coherence, &whole_frames, &loop);
    CHECK_NEAR(loop.tau0_500, RESULT_NONE, 0);
    CHECK_NEAR(loop.greenwood_500, 0, 0);
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

/* The gains of an integrator with an exposure of `exposure` frames and a delay of `delay` frames
 * from its end. */
static struct loop_result gains(double exposure, double delay)
{
    const double period = 1e-3;
    struct coherence coherence = plain();
    struct loop_timing timing = {
        .period = period,
        .fastest = 1,
        .exposure = exposure * period,
        .tau_total = (exposure / 2 + delay + 0.5) * period,
        .integrator = true,
    };
    struct loop_result loop;

    loop_evaluate(&coherence, &timing, &loop);
    return loop;
}

/* From the roots of z^(n+2) - z^(n+1) + g ((1 - f) z + f), found by others. */
TEST(maximum_gains)
{
    static const double rows[][3] = {
        {1, 0.26, 3.8461538},  {1, 0.5, 2},        {1, 0.71, 1.4084507},   {1, 1, 1},
        {1, 1.5, 0.82842712},  {1, 2, 0.61803399}, {1, 3, 0.44504187},     {0.5, 0.7, 2.5},
        {0.5, 1.7, 0.8769527}, {0.25, 1.7, 1},     {0.1, 2.95, 0.5358984}, {1, 0, 2},
        {0.001, 0.999, 2},
    };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double gain = gains(rows[r][0], rows[r][1]).max_gain;

        CHECK_TRUE(fabs(gain / rows[r][2] - 1) < 1e-6, "exposure %g, delay %g: %.9g, expected %.9g",
                   rows[r][0], rows[r][1], gain, rows[r][2]);
    }
}

/* Maximum gain, and the gain and crossover of a phase margin, of an independent computation. */
TEST(vectors)
{
    struct csv csv;

    if (!csv_load(&csv, "loop_vectors.csv"))
        return;
    for (size_t r = 0; r < csv.rows; r++) {
        double period = csv_number(&csv, r, "period_s");
        double frames = csv_number(&csv, r, "delay_after_exposure_s") / period;
        double lag = PI / 2 - csv_number(&csv, r, "phase_margin_deg") * PI / 180;
        double whole, fraction, angle;

        if (fabs(frames - round(frames)) < 1e-8) /* which the file rounds */
            frames = round(frames);
        whole = floor(frames);
        fraction = frames - whole;
        angle = open_loop_angle(whole, fraction, lag);
        CHECK_NEAR(gains(1, frames).max_gain, csv_number(&csv, r, "max_gain"), 1e-6);
        CHECK_NEAR(formula_crossover(angle, period), csv_number(&csv, r, "crossover_hz"), 1e-4);
        CHECK_NEAR(formula_gain_45(angle, fraction), csv_number(&csv, r, "gain"), 1e-4);
    }
    CHECK_TRUE(csv.rows == 20, "%zu rows", csv.rows);
    csv_free(&csv);
}

/* Growth of the loop after an impulse: the command of each frame adds `gain` times what the sensor
 * saw of the commands one frame and another before. */
static double simulated_growth(int whole, double fraction, double gain)
{
    double command[20000] = {0};
    double early = 0;
    double late = 0;
    int n = (int)(sizeof command / sizeof command[0]);

    for (int k = 0; k < n; k++) {
        double newer = k > whole ? command[k - whole - 1] : 0;
        double older = k > whole + 1 ? command[k - whole - 2] : 0;

        command[k] = (k > 0 ? command[k - 1] : 0) +
                     gain * ((k == 0 ? 1 : 0) - (1 - fraction) * newer - fraction * older);
        if (k >= 2000 && k < 2500)
            early = fmax(early, fabs(command[k]));
        if (k >= n - 500)
            late = fmax(late, fabs(command[k]));
    }
    return late / early;
}

TEST(stability_by_simulation)
{
    for (double delay = 0; delay < 4; delay += 0.13) {
        double limit = gains(1, delay).max_gain;
        int whole = (int)floor(delay);

        CHECK_TRUE(simulated_growth(whole, delay - whole, 0.999 * limit) < 1,
                   "%g frames: not stable below %g", delay, limit);
        CHECK_TRUE(simulated_growth(whole, delay - whole, 1.001 * limit) > 1,
                   "%g frames: still stable above %g", delay, limit);
    }
}

/* At the crossover the open loop has a magnitude of one and a phase of -135 degrees, by its
 * transfer function. */
TEST(crossover_has_its_phase)
{
    for (double delay = 0; delay < 5; delay += 0.17) {
        struct loop_result loop = gains(1, delay);
        double n = floor(delay);
        double complex z = cexp(2 * PI * I * loop.crossover * 1e-3);
        double complex open =
            loop.gain_45 * ((1 - (delay - n)) * z + (delay - n)) / (cpow(z, n + 1) * (z - 1));

        CHECK_NEAR(cabs(open), 1, 1e-9);
        CHECK_NEAR(cos(carg(open)), cos(-0.75 * PI), 1e-9);
        CHECK_TRUE(loop.gain_45 < loop.max_gain, "%g frames: %g of %g", delay, loop.gain_45,
                   loop.max_gain);
    }
}

/* Only the frames of the fastest cameras count. */
TEST(slow_cameras)
{
    struct coherence coherence = plain();
    struct loop_timing timing = {.period = 1e-3,
                                 .fastest = 4,
                                 .exposure = 4e-3,
                                 .tau_total = 2e-3 + 2e-3 + 2e-3,
                                 .integrator = true};
    struct loop_result loop;

    loop_evaluate(&coherence, &timing, &loop);
    CHECK_NEAR(loop.delay_frames, 6, 1e-12);
    CHECK_NEAR(loop.max_gain, gains(1, 0.5).max_gain, 1e-12);
    CHECK_NEAR(loop.crossover, gains(1, 0.5).crossover / 4, 1e-12);
}

/* Gains are those of an integrator, and unknown of another controller. */
TEST(other_controllers)
{
    struct coherence coherence = plain();
    struct loop_timing timing = whole_frames;
    struct loop_result loop;

    timing.integrator = false;
    loop_evaluate(&coherence, &timing, &loop);
    CHECK_NEAR(loop.max_gain, RESULT_NONE, 0);
    CHECK_NEAR(loop.gain_45, RESULT_NONE, 0);
    CHECK_NEAR(loop.crossover, RESULT_NONE, 0);
    CHECK_NEAR(loop.delay_frames, 2.5, 1e-14);
}

TEST(lag)
{
    struct coherence coherence = plain();
    struct loop_result loop;

    loop_evaluate(&coherence, &whole_frames, &loop);
    CHECK_NEAR(loop.delay_frames, 2.5, 1e-14);
    CHECK_NEAR(loop.tau_total, 2.5e-3, 0);
    CHECK_NEAR(loop.tau0, 4.71e-3, 1e-12);
    /* (2.5 / 4.71)^(5/3) = 0.347962 rad^2 */
    CHECK_NEAR(loop.servo_lag, sqrt(0.3479620140) * 500e-9 / (2 * PI), 1e-6);
    CHECK_NEAR(loop.strehl_lag, exp(-0.3479620140), 1e-6);
    CHECK_NEAR(loop.strehl_lag, exp(-pow(loop.servo_lag * 2 * PI / 500e-9, 2)), 1e-12);
    CHECK_NEAR(loop.max_gain, 0.8284271247461900, 1e-12);
}

TEST(no_wind_no_lag)
{
    struct coherence coherence = {0};
    struct atmosphere atmosphere = {.r0 = 0.15, .wind = 0, .wavelength = 500e-9, .zenith = 0};
    struct loop_result loop;

    coherence_update(&coherence, &atmosphere);
    loop_evaluate(&coherence, &whole_frames, &loop);
    CHECK_NEAR(loop.tau0, RESULT_NONE, 0);
    CHECK_NEAR(loop.greenwood, 0, 0);
    CHECK_NEAR(loop.servo_lag, 0, 0);
    CHECK_NEAR(loop.strehl_lag, 1, 0);
}
