#include "model/servo.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "csv.h"
#include "draw.h"
#include "model/result.h"

#define PI 3.14159265358979323846

#define LOOP(T, EXPOSURE, DELAY, LEAK, GAIN)                                                       \
    {                                                                                              \
        .period = T, .exposure = EXPOSURE, .delay = DELAY, .leak = LEAK, .gain = GAIN              \
    }
#define MIRROR(T, EXPOSURE, DELAY, GAIN, BANDWIDTH, DAMPING)                                       \
    {                                                                                              \
        .period = T, .exposure = EXPOSURE, .delay = DELAY, .leak = 1, .gain = GAIN, .mirror = {    \
            BANDWIDTH,                                                                             \
            DAMPING                                                                                \
        }                                                                                          \
    }
#define PID(T, EXPOSURE, DELAY, GAIN, PROPORTIONAL, DERIVATIVE)                                    \
    {                                                                                              \
        .period = T, .exposure = EXPOSURE, .delay = DELAY, .leak = 1, .gain = GAIN,                \
        .proportional = PROPORTIONAL, .derivative = DERIVATIVE                                     \
    }

static struct band band;

/* Maximum gain by the roots of the polynomial, of an independent computation: exposure and delay in
 * periods. */
TEST(maximum_gains)
{
    static const double rows[][3] = {
        {1, 0.26, 3.8461538},  {1, 0.5, 2},        {1, 0.71, 1.4084507},   {1, 1, 1},
        {1, 1.5, 0.82842712},  {1, 2, 0.61803399}, {1, 3, 0.44504187},     {0.5, 0.7, 2.5},
        {0.5, 1.7, 0.8769527}, {0.25, 1.7, 1},     {0.1, 2.95, 0.5358984},
    };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct servo servo = LOOP(1, rows[r][0], rows[r][1], 1, 1);

        CHECK_NEAR(servo_max_gain(&servo), rows[r][2], 1e-6);
        servo.leak = 1 - 1e-9;
        CHECK_NEAR(servo_max_gain(&servo), rows[r][2], 1e-6);
    }
}

/* With and without a leak: the noise gain, which has another derivation, ends at the same gain. */
TEST(gains_agree_with_reflection)
{
    for (double leak = 0.5; leak <= 1; leak += 0.05)
        for (double delay = 0; delay < 5; delay += 0.13)
            for (double exposure = 0.1; exposure <= 1; exposure += 0.3) {
                struct servo servo = LOOP(1, exposure, delay, leak, 1);
                double limit = servo_max_gain(&servo);

                servo.gain = limit * (1 - 1e-6);
                CHECK_TRUE(servo_noise_gain(&servo) > 0, "%g %g %g: unstable below %.9g", leak,
                           delay, exposure, limit);
                servo.gain = limit * (1 + 1e-6);
                CHECK_TRUE(servo_noise_gain(&servo) == RESULT_NONE, "%g %g %g: stable above %.9g",
                           leak, delay, exposure, limit);
            }
}

/* g (1 + g mu) / ((1 - g mu) (2 - g + 2 g mu)) */
/* Where a loop with the maximum gain oscillates: the angles of the roots on the unit circle of
 * z^(n+2) - z^(n+1) + g ((1 - f) z + f), in closed form. */
TEST(phase_crossover)
{
    static const double rows[][2] = {/* delay in frames, frequency in frames */
                                     {0, 0.5},
                                     {0.5, 0.25},
                                     {1, 1.0 / 6},
                                     {2, 0.1}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int other = 0; other < 2; other++) { /* found as of other controllers */
            struct servo servo = LOOP(1e-3, 1e-3, rows[r][0] * 1e-3, other ? 1 - 1e-9 : 1, 0.1);

            CHECK_NEAR(servo_margins(&servo).gain_at, 1e3 * rows[r][1], 1e-4);
        }
}

TEST(noise_gains)
{
    static const double rows[][2] = {{0, 0.333333}, {0.26, 0.368992}, {0.5, 0.416667}, {1, 0.6}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct servo servo = LOOP(1e-3, 1e-3, rows[r][0] * 1e-3, 1, 0.5);

        CHECK_NEAR(servo_noise_gain(&servo), rows[r][1], 1e-5);
    }
}

/* Variance of a mode by order: Noll's. */
TEST(mode_variances)
{
    static const double rows[] = {0.448153, 0.02318,  0.006181, 0.002450, 0.001188,
                                  0.000654, 0.000393, 0.000252, 0.000169, 0.000118};
    double variance = turbulence_first_variance();
    double sum = 0;

    for (int n = 1; n <= 1000; n++) {
        if (n <= 10)
            CHECK_TRUE(fabs(variance - rows[n - 1]) < 1e-6, "order %d: %.7f, expected %.6f", n,
                       variance, rows[n - 1]);
        sum += (n + 1) * variance;
        variance = turbulence_next_variance(n, variance);
    }
    CHECK_NEAR(sum, 1.0308, 1e-3);
    CHECK_INT(turbulence_orders(1377), 51);
    CHECK_INT(turbulence_orders(1376), 50);
    CHECK_INT(turbulence_orders(2), 1);
    CHECK_INT(turbulence_orders(1), 0);
}

/* Vectors of two independent computations ------------------------------------------------------ */

TEST(vectors)
{
    struct csv csv;

    if (!csv_load(&csv, "loop_vectors.csv"))
        return;
    for (size_t r = 0; r < csv.rows; r++) {
        double period = csv_number(&csv, r, "period_s");
        double frames = csv_number(&csv, r, "delay_after_exposure_s") / period;
        int order = (int)csv_number(&csv, r, "radial_order");
        struct turbulence turbulence = {.speed = csv_number(&csv, r, "v_over_d_hz"), .variance = 1};
        struct servo servo = LOOP(period, period, 0, 1, csv_number(&csv, r, "gain"));
        struct margins margins;

        if (fabs(frames - round(frames)) < 1e-8) /* which the file rounds */
            frames = round(frames);
        servo.delay = frames * period;
        margins = servo_margins(&servo);
        CHECK_NEAR(servo_max_gain(&servo), csv_number(&csv, r, "max_gain"), 1e-6);
        CHECK_NEAR(margins.gain * servo.gain, csv_number(&csv, r, "max_gain"), 1e-6);
        CHECK_NEAR(margins.crossover, csv_number(&csv, r, "crossover_hz"), 1e-4);
        CHECK_NEAR(margins.zero_db, csv_number(&csv, r, "rejection_0db_hz"), 1e-4);
        CHECK_NEAR(margins.modulus, csv_number(&csv, r, "modulus_margin"), 1e-4);
        CHECK_NEAR(margins.delay * 1e6, csv_number(&csv, r, "delay_margin_us"), 1e-3);
        CHECK_TRUE(fabs(margins.phase * 180 / PI - csv_number(&csv, r, "phase_margin_deg")) < 0.01,
                   "row %zu: phase margin %.4f deg", r, margins.phase * 180 / PI);
        CHECK_TRUE(fabs(20 * log10(margins.peak) - csv_number(&csv, r, "rejection_peak_db")) <
                       0.005,
                   "row %zu: peak %.4f dB", r, 20 * log10(margins.peak));
        CHECK_NEAR(servo_noise_gain(&servo), csv_number(&csv, r, "noise_gain"), 1e-5);
        band_fill(&band, &servo, NULL);
        CHECK_NEAR(band_turbulence(&band, servo.gain, &turbulence, order),
                   csv_number(&csv, r, "turbulence_residual_ratio"), 2e-3);
    }
    CHECK_INT(csv.rows, 20);
    csv_free(&csv);
}

/* The integrals by their definition ------------------------------------------------------------ */

/* Spectral density of a mode with a variance of 1 (Conan, Rioux and Madec 1995), 1/Hz. */
static double density(const struct turbulence *turbulence, int order, double f)
{
    double cutoff = 0.3 * (order + 1) * turbulence->speed;
    double bracket = order == 1 ? 45.0 / 14 : 17.0 / 14;
    double power = f > cutoff ? -17.0 / 3 : order == 1 ? -2.0 / 3 : 0;
    double inner = f * f + cutoff * cutoff / 4;
    double outer = inner + turbulence->outer_speed * turbulence->outer_speed;

    return pow(f / cutoff, power) / (cutoff * bracket) * pow(inner / outer, 11.0 / 6);
}

/* What a sensor sees of a mirror and what it does, with the sums of loop.md over aliases. */
struct seen {
    double complex sensor, moved; /* B, H M */
    double complex mirror;        /* D */
    double power;                 /* sum of |H M|^2 */
};

static double complex box(double complex s, double time)
{
    return cabs(s) * time < 1e-9 ? 1 : (1 - cexp(-s * time)) / (s * time);
}

static struct seen see(const struct servo *servo, double f)
{
    int aliases = servo->mirror.bandwidth > 0 ? 16 : 0;
    double t = servo->period, n = floor(servo->delay / t);
    double u = fmax(0, 1 - (1 - (servo->delay / t - n)) * t / servo->exposure);
    struct seen seen = {0};

    for (int k = -aliases; k <= aliases; k++) {
        double complex s = 2 * PI * I * (f + k / t), b = box(s, servo->exposure);
        double complex h = box(s, t) * cexp(-s * servo->delay);

        if (aliases > 0) {
            double complex x = s / (2 * PI * servo->mirror.bandwidth);

            h /= x * x + 2 * servo->mirror.damping * x + 1;
            seen.mirror += b * h;
            seen.power += pow(cabs(h), 2);
        }
        if (k == 0) {
            seen.sensor = b;
            seen.moved = h;
        }
    }
    if (aliases == 0) {
        double complex w = cexp(-2 * PI * I * f * t);

        seen.power = 1;
        seen.mirror = ((1 - u) + u * w) * cpow(w, n + 1);
    }
    return seen;
}

/* law (I - (I - K_f C) A w)^-1 K_f by elimination. */
static double complex solve_lqg(const struct lqg *lqg, double complex w)
{
    int n = 2 * lqg->count;
    double complex m[LQG_STATES_MAX][LQG_STATES_MAX + 1] = {{0}}, sum = 0;

    for (int r = 0; r < n; r++) {
        m[r][n] = lqg->gain[r];
        m[r][r] += 1;
        for (int i = 0; i < lqg->count; i++) {
            m[r][2 * i] += ((lqg->gain[r] - (r == 2 * i)) * lqg->a1[i] - (r == 2 * i + 1)) * w;
            m[r][2 * i + 1] += (lqg->gain[r] - (r == 2 * i)) * lqg->a2[i] * w;
        }
    }
    for (int k = 0; k < n; k++)
        for (int r = 0; r < n; r++)
            for (int c = n; r != k && c >= k; c--)
                m[r][c] -= m[k][c] * m[r][k] / m[k][k];
    for (int r = 0; r < n; r++)
        sum += lqg->law[r] * m[r][n] / m[r][r];
    return sum;
}

/* The command for a measurement in open loop. */
static double complex command_by_definition(const struct servo *servo, double f,
                                            double complex mirror)
{
    double complex w = cexp(-2 * PI * I * f * servo->period);
    double complex c = servo->gain * (1 / (1 - servo->leak * w) + servo->proportional +
                                      servo->derivative * (1 - w));

    return servo->lqg != NULL ? solve_lqg(servo->lqg, w) : c / (1 + c * mirror);
}

/* What the loop leaves at a frequency, as the header of servo.h has it. */
static double residual_by_definition(const struct servo *servo, double f)
{
    const struct seen seen = see(servo, f);
    double complex bk = seen.sensor * command_by_definition(servo, f, seen.mirror);

    return 1 - 2 * creal(bk * seen.moved) + pow(cabs(bk), 2) * seen.power;
}

/* Returns the sum over a density of 1/Hz on a fine scale of frequencies, log f = e x. */
static double sum_turbulence(const struct servo *servo, const struct turbulence *turbulence,
                             int order, double low, double high)
{
    const double step = (log(high) - log(low)) / 2e4;
    double sum = 0;

    for (double x = log(low) + step / 2; x < log(high); x += step)
        sum += exp(x) * step * density(turbulence, order, exp(x)) *
               residual_by_definition(servo, exp(x));
    return sum;
}

TEST(residuals_by_definition)
{
    static const struct {
        struct servo servo;
        struct turbulence turbulence;
        int order;
    } rows[] = {
        {LOOP(1e-3, 1e-3, 0.8e-3, 1, 0.4), {1.5, 0.48, 1}, 1},
        {LOOP(1e-3, 1e-3, 0.8e-3, 1, 0.4), {1.5, 5, 1}, 3},
        {LOOP(1e-3, 0.3e-3, 1.9e-3, 1, 0.4), {1.5, 0, 1}, 5},
        {LOOP(1e-3, 1e-3, 1.26e-3, 0.99, 0.5), {2, 0.5, 1}, 4},
        {LOOP(1e-3, 1e-3, 1e-3, 1, 0.9), {20, 0, 1}, 20}, /* 0.9 of the maximum, a fast order */
        {LOOP(1e-3, 1e-3, 1e-3, 1, 0.97), {5, 0, 1}, 3},
        {LOOP(1e-3, 0.01e-3, 7.3e-3, 1, 0.1), {1.5, 0, 1}, 30},
        {LOOP(10e-3, 10e-3, 0.1e-3, 1, 0.5), {3, 1, 1}, 40}, /* a cut-off of 0.37 / T */
        {MIRROR(1e-3, 1e-3, 0.8e-3, 0.4, 800, 0.7), {1.5, 0, 1}, 3},
        {MIRROR(1e-3, 0.3e-3, 1.7e-3, 0.3, 300, 0.3), {1.5, 1, 1}, 5},
        {MIRROR(1e-3, 1e-3, 0.3e-3, 0.5, 500, 1.5), {1.5, 0, 1}, 2}, /* overdamped */
        {PID(1e-3, 1e-3, 1.3e-3, 0.3, 0.6, 0.4), {1.5, 0, 1}, 4},
    };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct servo *servo = &rows[r].servo;
        double expected = sum_turbulence(servo, &rows[r].turbulence, rows[r].order,
                                         1e-6 / servo->period, 8 / servo->period);

        band_fill(&band, servo, NULL);
        CHECK_TRUE(fabs(band_turbulence(&band, servo->gain, &rows[r].turbulence, rows[r].order) /
                            expected -
                        1) < 2e-3,
                   "row %zu: %.7g, expected %.7g", r,
                   band_turbulence(&band, servo->gain, &rows[r].turbulence, rows[r].order),
                   expected);
    }
}

/* Its check value was integrated over the same band. */
TEST(mirror_with_dynamics)
{
    const struct servo servo = MIRROR(1e-3, 1e-3, 0.8e-3, 0.4, 800, 0.7);
    const struct turbulence turbulence = {.speed = 1.5, .variance = 1};

    CHECK_NEAR(sum_turbulence(&servo, &turbulence, 3, 1e-4 * 1.8, 500), 4.67702e-4, 1e-5);
    band_fill(&band, &servo, NULL);
    CHECK_NEAR(band_turbulence(&band, 0.4, &turbulence, 3), 4.67702e-4, 2e-3);
}

/* LQG ------------------------------------------------------------------------------------------ */

static struct lqg lqg;

/* The case of loop.md: turbulence and a vibration. */
static struct servo lqg_case(double delay)
{
    static const struct disturbance rows[] = {{0.9, 0.9, 1464e-9 * 1464e-9},
                                              {48, 0.01, 100e-9 * 100e-9}};
    struct servo servo = LOOP(1e-3, 1e-3, delay, 1, 1);

    lqg_design(&lqg, rows, 2, servo.period, servo_horizon(&servo), 50e-9 * 50e-9);
    servo.lqg = &lqg;
    return servo;
}

TEST(lqg_check_values)
{
    static const double gain[] = {0.2138043, 0.19641131, 0.10350894, 0.05709752};
    static const double variance[] = {1041.561, 874.162, 637.659, 598.424};
    static const double law[] = {3.22172615, -2.22184583, 2.75754475, -2.08047036};

    lqg_case(1.26e-3);
    CHECK_NEAR(lqg.a1[0], 1.98984105, 1e-8);
    CHECK_NEAR(lqg.a2[0], -0.98987287, 1e-8);
    CHECK_NEAR(lqg.q[0], 1.38111655e-18, 1e-5);
    CHECK_NEAR(lqg.a1[1], 1.90398709, 1e-8);
    CHECK_NEAR(lqg.a2[1], -0.99398630, 1e-8);
    CHECK_NEAR(lqg.q[1], 10.58028438e-18, 1e-5);
    for (int s = 0; s < 4; s++) {
        CHECK_NEAR(lqg.gain[s], gain[s], 1e-6);
        CHECK_NEAR(lqg.variance[s], variance[s] * 1e-18, 1e-5);
        CHECK_NEAR(lqg.law[s], law[s], 1e-6);
    }
}

/* Of loop.md: turbulence, vibration, noise, total in nm, modulus margin; an integrator's optimum.
 */
TEST(lqg_residuals)
{
    static const double rows[][8] = {
        {0.8e-3, 4.317, 23.079, 28.567, 36.978, 0.68082, 0.64896, 69.345},
        {1.26e-3, 4.877, 25.678, 29.493, 39.408, 0.62242, 0.58377, 79.875},
        {2.0e-3, 5.828, 29.718, 30.883, 43.254, 0.54147, 0.47739, 105.350},
    };
    static const struct vibration vibration = {48, 0.01, 100e-9};
    static const struct turbulence turbulence = {.speed = 1.5, .variance = 1};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct servo servo = lqg_case(rows[r][0]);
        double lag, shaken, noise;

        lag = 1464 * sqrt(sum_turbulence(&servo, &turbulence, 1, 1e-6 * 0.9, 500));
        CHECK_NEAR(lag, rows[r][1], 2e-4);
        band_fill(&band, &servo, NULL);
        lag = 1464 * sqrt(band_turbulence(&band, 1, &turbulence, 1));
        CHECK_NEAR(lag, rows[r][1], 3e-3); /* which also has the frequencies above */
        band_fill_vibration(&band, &servo, &vibration, 0, NULL);
        shaken = 100 * sqrt(band_vibration(&band, 1));
        CHECK_NEAR(shaken, rows[r][2], 5e-5);
        noise = 50 * sqrt(servo_noise_gain(&servo));
        CHECK_NEAR(noise, rows[r][3], 5e-5);
        CHECK_NEAR(sqrt(lag * lag + shaken * shaken + noise * noise), rows[r][4], 5e-5);
        CHECK_NEAR(servo_margins(&servo).modulus, rows[r][5], 1e-5);
        servo.lqg = NULL;
        servo.gain = rows[r][6];
        band_fill_vibration(&band, &servo, &vibration, 0, NULL);
        shaken = 100 * sqrt(band_vibration(&band, servo.gain));
        noise = 50 * sqrt(servo_noise_gain(&servo));
        band_fill(&band, &servo, NULL);
        lag = 1464 * sqrt(band_turbulence(&band, servo.gain, &turbulence, 1));
        CHECK_NEAR(sqrt(lag * lag + shaken * shaken + noise * noise), rows[r][7], 1e-4);
    }
}

/* Of up to nine disturbances, from slow to above half the rate: the noise gain is the mean of
 * |K|^2, a worse filter has a larger error, and the loop ends to be stable where it says. */
TEST(lqg_of_many_disturbances)
{
    static const struct disturbance rows[LQG_DISTURBANCES_MAX] = {
        {1e-9, 0.9, 1e-12}, {48, 0.01, 1e-16},  {12, 0.001, 1e-15},
        {300, 0.05, 1e-17}, {700, 0.02, 1e-17}, {90, 0.0001, 1e-14},
        {0.3, 1, 1e-13},    {220, 0.03, 1e-18}, {5, 0.2, 0},
    };

    for (int count = 1; count <= LQG_DISTURBANCES_MAX; count++)
        for (double noise = 0; noise < 1e-13; noise = 100 * noise + 1e-19) {
            struct servo servo = LOOP(1e-3, 1e-3, 1.4e-3, 1, 1);
            double sum = 0;
            const int steps = 1 << 17;

            lqg_design(&lqg, rows, count, servo.period, servo_horizon(&servo), noise);
            servo.lqg = &lqg;
            for (int i = 0; i < steps; i++)
                sum += pow(cabs(lqg_command(&lqg, cexp(I * PI * (i + 0.5) / steps))), 2);
            CHECK_NEAR(servo_noise_gain(&servo), sum / steps, 1e-3);
        }
}

/* A PID becomes unstable where its polynomial says, mirrors included. */
TEST(maximum_gains_of_others)
{
    for (double delay = 0; delay < 5; delay += 0.17)
        for (double part = 0; part < 2; part += 0.3)
            for (double bandwidth = 0; bandwidth < 3; bandwidth = 2 * bandwidth + 0.05) {
                struct servo servo = PID(1, 0.7, delay, 1, part, part / 3);
                double limit;

                servo.mirror = (struct mirror){bandwidth, 0.4 + part};
                limit = servo_max_gain(&servo);
                servo.gain = limit * (1 - 1e-6);
                CHECK_TRUE(servo_noise_gain(&servo) > 0, "%g %g %g: unstable below %.9g", delay,
                           part, bandwidth, limit);
                servo.gain = limit * (1 + 1e-6);
                CHECK_TRUE(servo_noise_gain(&servo) == RESULT_NONE, "%g %g %g: stable above %.9g",
                           delay, part, bandwidth, limit);
            }
}

static double uncorrected(const struct turbulence *turbulence, int order)
{
    struct band_weights mode = {.above = 0};
    double variance = turbulence_first_variance();

    for (int n = 1; n < order; n++)
        variance = turbulence_next_variance(n, variance);
    band_weigh(&band, turbulence, order, order, NULL, &mode);
    return band_uncorrected(&band, &mode) / ((order + 1) * variance);
}

/* A mode without correction has a variance of 1, and less with an outer scale. */
TEST(modes_without_correction)
{
    struct servo servo = LOOP(1e-3, 1e-3, 1e-3, 1, 0.3);
    struct turbulence turbulence = {1.5, 0, 1};

    band_fill(&band, &servo, NULL);
    for (int n = 1; n <= 200; n = n * 3 / 2 + 1)
        CHECK_NEAR(uncorrected(&turbulence, n), 1, 1e-4);
    turbulence.outer_speed = 0.5;
    CHECK_TRUE(uncorrected(&turbulence, 1) < 0.8, "tip of a finite outer scale");
}

TEST(vibrations_by_definition)
{
    static const struct vibration rows[] = {{48, 0.01, 1},  {48, 0.0005, 1}, {300, 0.02, 1},
                                            {900, 0.01, 1}, {5, 0.9, 1},     {120, 0.1, 1}};
    const struct servo servo = LOOP(1.0 / 1200, 1.0 / 1200, 1e-3, 1, 0.363);

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const double zeta = rows[r].damping;
        double step = fmin(zeta, 0.05) / 40;
        double sum = 0;

        for (double y = -7; y < 5; y += step) {
            double x = exp(y);

            sum += x * step * (4 * zeta / PI) / (pow(1 - x * x, 2) + pow(2 * zeta * x, 2)) *
                   residual_by_definition(&servo, rows[r].frequency * x);
        }
        band_fill_vibration(&band, &servo, &rows[r], 0, NULL);
        CHECK_TRUE(fabs(band_vibration(&band, servo.gain) / sum - 1) < 2e-3,
                   "%g Hz, %g: %.7g, expected %.7g", rows[r].frequency, zeta,
                   band_vibration(&band, servo.gain), sum);
    }
}

/* The variance of the mirror by its definition, the integral of |K|^2. */
TEST(noise_gain_by_definition)
{
    for (double delay = 0; delay < 4; delay += 0.17) {
        struct servo servo = LOOP(1, 1, delay, 0.95, 1);
        double n = floor(delay), u = delay - n;
        double sum = 0;
        const int steps = 4096;

        servo.gain = 0.7 * servo_max_gain(&servo);
        for (int i = 0; i < steps; i++) {
            double complex z = cexp(I * PI * (i + 0.5) / steps);
            double complex c = servo.gain / (1 - servo.leak / z);
            double complex k = c / (1 + c * ((1 - u) + u / z) * cpow(z, -(n + 1)));

            sum += creal(k) * creal(k) + cimag(k) * cimag(k);
        }
        CHECK_NEAR(servo_noise_gain(&servo), sum / steps, 1e-9);
    }
}

/* A phase margin is the one that was asked for; an undisturbed delay within its margin is stable.
 */
TEST(margins_hold)
{
    for (double delay = 0; delay < 4; delay += 0.19)
        for (double leak = 0.95; leak <= 1; leak += 0.05) {
            struct servo servo = LOOP(1e-3, 0.8e-3, delay * 1e-3, leak, 1);
            struct margins margins;

            servo.gain = servo_margin_gain(&servo, PI / 4);
            margins = servo_margins(&servo);
            CHECK_NEAR(margins.phase, PI / 4, 1e-9);
            servo.delay += margins.delay * (1 - 1e-6);
            CHECK_TRUE(servo.gain < servo_max_gain(&servo), "%g: unstable within the margin",
                       delay);
            servo.delay += margins.delay * 2e-6;
            CHECK_TRUE(servo.gain > servo_max_gain(&servo), "%g: stable beyond the margin", delay);
        }
}

/* So is any other, of an integrator too, whose gain has a formula. */
TEST(any_margin_holds)
{
    for (double delay = 0; delay < 3; delay += 0.13)
        for (double exposure = 0.3; exposure <= 1; exposure += 0.35)
            for (double margin = 0.05; margin < 1.45; margin += 0.1) {
                struct servo servo = LOOP(1e-3, exposure * 1e-3, delay * 1e-3, 1, 1);

                servo.gain = servo_margin_gain(&servo, margin);
                CHECK_NEAR(servo_margins(&servo).phase, margin, 1e-6);
            }
}

/* Of a PID whose open loop grows towards -1 the margin is at least the one that was asked for. */
TEST(margins_hold_for_others)
{
    for (double part = 0; part < 4; part += 0.5)
        for (double delay = 0; delay < 4; delay += 0.37) {
            struct servo servo = PID(1e-3, 1e-3, delay * 1e-3, 1, part, part / 2);

            servo.gain = servo_margin_gain(&servo, PI / 4);
            CHECK_TRUE(servo.gain <= servo_max_gain(&servo), "%g, %g: unstable", part, delay);
            servo.gain *= 0.999;
            CHECK_TRUE(servo_margins(&servo).phase > PI / 4 * (1 - 1e-3), "%g, %g: %g rad", part,
                       delay, servo_margins(&servo).phase);
        }
}

/* A gain below 1 - leak is stable with any delay, and never reaches a magnitude of 1. */
TEST(endless_margins)
{
    const struct servo servo = LOOP(1e-3, 1e-3, 1e-3, 0.9, 0.05);
    struct margins margins = servo_margins(&servo);

    CHECK_NEAR(margins.delay, RESULT_NONE, 0);
    CHECK_NEAR(margins.crossover, RESULT_NONE, 0);
    CHECK_NEAR(margins.phase, RESULT_NONE, 0);
}

/* A simulation in time ------------------------------------------------------------------------- */

#define SUBSTEPS 32

/* A loop and its disturbances. Delays and exposures are whole numbers of substeps. */
struct simulated {
    struct servo servo;
    int order;
    double cutoff;              /* of the turbulence, with a variance of 1, times the period */
    double noise;               /* variance for which an LQG filter is designed; 0: no LQG */
    struct vibration vibration; /* rms 0: none */
};

/* Transforms in place; radix 2. */
static void fourier(double complex *x, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;

        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex swap = x[i];

            x[i] = x[j];
            x[j] = swap;
        }
    }
    for (int length = 2; length <= n; length *= 2) {
        double complex turn = cexp(2 * PI * I / length);
        double complex w = 1;

        for (int k = 0; k < length / 2; k++) {
            for (int i = k; i < n; i += length) {
                double complex odd = x[i + length / 2] * w;

                x[i + length / 2] = x[i] - odd;
                x[i] += odd;
            }
            w *= turn;
        }
    }
}

static struct turbulence turbulence_of(const struct simulated *row)
{
    return (struct turbulence){.speed = row->cutoff / (0.3 * (row->order + 1) * row->servo.period),
                               .variance = 1};
}

static double expected_vibration_density(const struct vibration *vibration, double f)
{
    double x = f / vibration->frequency, zeta = vibration->damping;

    return pow(vibration->rms, 2) * 4 * zeta / (PI * vibration->frequency) /
           (pow(1 - x * x, 2) + pow(2 * zeta * x, 2));
}

/* Fills a disturbance with random phases that repeats after `frames`, in `frames` * SUBSTEPS. */
static void draw_disturbance(const struct simulated *row, int frames, uint64_t seed,
                             double complex *x)
{
    const struct turbulence turbulence = turbulence_of(row);
    int steps = frames * SUBSTEPS;
    double width = 1 / (frames * row->servo.period);
    double high = 64 * fmax(row->cutoff / row->servo.period, row->vibration.frequency);

    memset(x, 0, (size_t)steps * sizeof *x);
    for (int k = 1; k < steps / 2 && k * width < high; k++) {
        double power = density(&turbulence, row->order, k * width);

        if (row->vibration.rms > 0)
            power += expected_vibration_density(&row->vibration, k * width);
        x[k] = sqrt(2 * width * power) * cexp(2 * PI * I * uniform_next(&seed));
    }
    fourier(x, steps);
}

/* A controller and a mirror at work. */
struct bench {
    const struct servo *servo;
    double integral, last;        /* of a controller without a filter */
    double state[LQG_STATES_MAX]; /* of the filter */
    double position, speed;       /* of the mirror; speed in units of 2 pi bandwidth */
    double step[2][2];            /* of a mirror with dynamics, per substep */
};

/* Exact over a substep: exp of [0 w; -w, -2 zeta w] by its series. */
static struct bench bench_of(const struct servo *servo)
{
    struct bench bench = {.servo = servo, .step = {{1, 0}, {0, 1}}};
    double w = 2 * PI * servo->mirror.bandwidth * servo->period / SUBSTEPS;
    double term[2][2] = {{1, 0}, {0, 1}};

    for (int i = 1; i < 40; i++)
        for (int r = 0; r < 2; r++) {
            double a = term[r][0], b = term[r][1];

            term[r][0] = -b * w / i;
            term[r][1] = (a - 2 * servo->mirror.damping * b) * w / i;
            for (int c = 0; c < 2; c++)
                bench.step[r][c] += term[r][c];
        }
    return bench;
}

static double move_mirror(struct bench *bench, double command)
{
    double away = bench->position - command, speed = bench->speed;

    if (bench->servo->mirror.bandwidth == 0)
        return bench->position = command;
    bench->position = command + bench->step[0][0] * away + bench->step[0][1] * speed;
    bench->speed = bench->step[1][0] * away + bench->step[1][1] * speed;
    return bench->position;
}

/* Returns the command for what was seen while the mirror was at `known` on average. */
static double control(struct bench *bench, double seen, double known)
{
    const struct servo *servo = bench->servo;
    const struct lqg *filter = servo->lqg;
    double command = 0, surprise = seen + known;
    double *x = bench->state;

    if (filter == NULL) {
        bench->integral = servo->leak * bench->integral + seen;
        command = servo->gain * (bench->integral + servo->proportional * seen +
                                 servo->derivative * (seen - bench->last));
        bench->last = seen;
        return command;
    }
    for (int i = 0; i < filter->count; i++) {
        double next = filter->a1[i] * x[2 * i] + filter->a2[i] * x[2 * i + 1];

        x[2 * i + 1] = x[2 * i];
        x[2 * i] = next;
        surprise -= next;
    }
    for (int s = 0; s < 2 * filter->count; s++) {
        x[s] += filter->gain[s] * surprise;
        command += filter->law[s] * x[s];
    }
    return command;
}

/* Returns the mean square of what is left, frame by frame: the sensor averages what it sees over
 * the exposure at the end of each frame, and the command is at the mirror `late` substeps later.
 * The first half settles the loop. Without a disturbance, the sum of the squares of all commands
 * after one measurement of 1, which is the noise gain. */
static double simulate(const struct servo *servo, const double complex *x, int frames)
{
    static double commands[2 << 15];
    struct bench bench = bench_of(servo);
    int exposure = (int)lround(SUBSTEPS * servo->exposure / servo->period);
    int late = (int)lround(SUBSTEPS * servo->delay / servo->period);
    double sum = 0, squares = 0;

    for (int k = 0; k < 2 * frames; k++) {
        double seen = 0, known = 0;

        for (int i = 0; i < SUBSTEPS; i++) {
            int step = k * SUBSTEPS + i;
            int newest = (step - late) / SUBSTEPS - 1; /* frame whose command is at the mirror */
            double command = step - late >= SUBSTEPS ? commands[newest] : 0;
            double before = bench.position;
            double mirror = move_mirror(&bench, command);
            double left = x == NULL ? 0 : creal(x[step % (frames * SUBSTEPS)]);

            if (servo->mirror.bandwidth > 0) /* in the middle of the substep */
                mirror = (mirror + before) / 2;
            left -= mirror;
            if (i >= SUBSTEPS - exposure) {
                seen += left / exposure;
                known += mirror / exposure;
            }
            if (k >= frames)
                sum += left * left / (frames * SUBSTEPS);
        }
        if (x == NULL && k == 0)
            seen = 1;
        commands[k] = control(&bench, seen, known);
        squares += commands[k] * commands[k];
    }
    return x == NULL ? squares : sum;
}

static void check_simulation(const struct simulated *row, size_t r, double complex *x)
{
    const struct turbulence turbulence = turbulence_of(row);
    struct servo servo = row->servo;
    int frames = 1 << 13;
    double residual;

    while (frames < 400 / row->cutoff)
        frames *= 2;
    if (row->noise > 0) {
        const struct disturbance list[] = {
            {row->cutoff / servo.period, 0.9, 1},
            {row->vibration.frequency, row->vibration.damping, pow(row->vibration.rms, 2)}};

        lqg_design(&lqg, list, row->vibration.rms > 0 ? 2 : 1, servo.period, servo_horizon(&servo),
                   row->noise);
        servo.lqg = &lqg;
    }
    band_fill(&band, &servo, NULL);
    residual = band_turbulence(&band, servo.gain, &turbulence, row->order);
    if (row->vibration.rms > 0) {
        band_fill_vibration(&band, &servo, &row->vibration, 0, NULL);
        residual += pow(row->vibration.rms, 2) * band_vibration(&band, servo.gain);
    }
    for (uint64_t seed = 1; seed <= 2; seed++) {
        double simulated;

        draw_disturbance(row, frames, 100 * r + seed, x);
        simulated = simulate(&servo, x, frames);
        CHECK_TRUE(fabs(simulated / residual - 1) < 2e-3, "row %zu: %.5g simulated, %.5g", r,
                   simulated, residual);
    }
    CHECK_NEAR(simulate(&servo, NULL, 1 << 10), servo_noise_gain(&servo), 1e-4);
}

TEST(simulations)
{
#define STILL                                                                                      \
    {                                                                                              \
        .rms = 0                                                                                   \
    }
    static const struct simulated rows[] = {
        {LOOP(1e-3, 1e-3, 1e-3, 1, 0.4), 3, 0.05, 0, STILL},
        {LOOP(1e-3, 1e-3, 0.25e-3, 1, 1.5), 10, 0.05, 0, STILL},
        {LOOP(1e-3, 0.5e-3, 1.75e-3, 1, 0.35), 5, 0.05, 0, STILL},
        {LOOP(1e-3, 0.25e-3, 0.125e-3, 1, 0.8), 30, 0.1, 0, STILL},
        {LOOP(1e-3, 1e-3, 0, 1, 0.3), 2, 0.05, 0, STILL},
        {LOOP(2e-3, 1e-3, 5e-3, 1, 0.2), 4, 0.0125, 0, STILL},
        {LOOP(1e-3, 1e-3, 2.5e-3, 0.98, 0.25), 2, 0.05, 0, STILL},
        {LOOP(1e-3, 0.75e-3, 1.5e-3, 0.9, 0.3), 3, 0.05, 0, STILL},
        {LOOP(1e-3, 1e-3, 1e-3, 1, 0.5), 1, 0.05, 0, {60, 0.05, 0.2}},
        {PID(1e-3, 1e-3, 0.5e-3, 0.2, 1, 0), 3, 0.05, 0, STILL},
        {PID(1e-3, 1e-3, 1.5e-3, 0.2, 0.5, 0.5), 5, 0.05, 0, STILL},
        {PID(1e-3, 0.5e-3, 0.75e-3, 0.15, 2, 0.5), 8, 0.05, 0, STILL},
        {MIRROR(1e-3, 1e-3, 0.75e-3, 0.4, 800, 0.7), 3, 0.05, 0, STILL},
        {MIRROR(1e-3, 0.5e-3, 1.25e-3, 0.25, 300, 0.5), 6, 0.05, 0, STILL},
        {MIRROR(1e-3, 1e-3, 0.25e-3, 0.3, 150, 1.2), 2, 0.05, 0, STILL},
        {LOOP(1e-3, 1e-3, 1e-3, 1, 1), 3, 0.05, 0.1, STILL},
        {LOOP(1e-3, 1e-3, 1.25e-3, 1, 1), 2, 0.05, 0.01, STILL},
        {LOOP(1e-3, 0.5e-3, 0.75e-3, 1, 1), 5, 0.05, 0.02, STILL},
        {LOOP(1e-3, 1e-3, 0.75e-3, 1, 1), 2, 0.05, 0.05, {80, 0.05, 0.5}},
        {MIRROR(1e-3, 1e-3, 0.75e-3, 1, 500, 0.7), 3, 0.05, 0.05, STILL},
    };
    const int count = (int)(sizeof rows / sizeof rows[0]);
    const int step = count / draw_repeat(count);
    double complex *x = malloc(sizeof *x * SUBSTEPS << 15);

    if (!CHECK(x != NULL))
        return;
    for (int r = 0; r < count; r += step)
        check_simulation(&rows[r], (size_t)r, x);
    free(x);
}
