#include "model/servo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/minimise.h"
#include "base/number.h"
#include "model/formulas.h"
#include "model/result.h"

/* Ends of a band, and the ratios of the ends of its panels below and above the frequencies at which
 * a loop begins to respond, in units of one over the period or one over the delay. */
#define BAND_LOW 1e-7
#define BAND_HIGH 4
#define RESPONSE 0.04
#define RATIO_LOW 3
#define RATIO_HIGH 1.15

/* Nodes and weights of the Gauss-Legendre rule on -1..1. */
static const double nodes[BAND_NODES] = {-0.932469514203152028, -0.661209386466264514,
                                         -0.238619186083196909, 0.238619186083196909,
                                         0.661209386466264514,  0.932469514203152028};
static const double weights[BAND_NODES] = {0.171324492379170345, 0.360761573048138608,
                                           0.467913934572691047, 0.467913934572691047,
                                           0.360761573048138608, 0.171324492379170345};

/* Frequencies on both sides of an alias that its sum has; those beyond count as the next one. */
#define ALIASES 16

/* How the sensor sees the mirror: D = w^(whole + 1) (pulse 0 + ... + pulse 3 w^3) /
 * (1 - decay 0 w - decay 1 w^2) with w = 1/z. */
#define PULSES 4

struct plant {
    int whole; /* periods of delay */
    double pulse[PULSES];
    double decay[2];
};

static double norm(double complex a)
{
    return square(creal(a)) + square(cimag(a));
}

/* Returns 1/z at an angle of z. */
static double complex turn_back(double angle)
{
    return cos(angle) - I * sin(angle);
}

/* Poles of a mirror, kept apart for the formulas. */
static void find_poles(const struct mirror *mirror, double complex pole[2])
{
    double damping = fabs(mirror->damping - 1) < 1e-4 ? 1 + 1e-4 : mirror->damping;
    double complex root = csqrt(square(damping) - 1);

    pole[0] = 2 * pi * mirror->bandwidth * (root - damping);
    pole[1] = -2 * pi * mirror->bandwidth * (root + damping);
}

/* Returns Y, the integral of the step response. */
static double step_area(const double complex pole[2], double time)
{
    double complex first, second;

    if (time <= 0)
        return 0;
    first = pole[1] / pole[0] * (cexp(pole[0] * time) - 1);
    second = pole[0] / pole[1] * (cexp(pole[1] * time) - 1);
    return time + creal((first - second) / (pole[0] - pole[1]));
}

static void add_dynamics(const struct servo *servo, struct plant *plant)
{
    double exposure = larger(servo->exposure, 1e-6 * servo->period);
    double before[2] = {0, 0}; /* what the two exposures before saw */
    double complex pole[2];

    find_poles(&servo->mirror, pole);
    plant->decay[0] = creal(cexp(pole[0] * servo->period) + cexp(pole[1] * servo->period));
    plant->decay[1] = -creal(cexp((pole[0] + pole[1]) * servo->period));
    for (int i = 0; i < PULSES; i++) {
        double time = (plant->whole + 1 + i) * servo->period - servo->delay;
        double seen = (step_area(pole, time) - step_area(pole, time - exposure) -
                       step_area(pole, time - servo->period) +
                       step_area(pole, time - servo->period - exposure)) /
                      exposure;

        plant->pulse[i] = seen - plant->decay[0] * before[0] - plant->decay[1] * before[1];
        before[1] = before[0];
        before[0] = seen;
    }
}

static struct plant find_plant(const struct servo *servo)
{
    double whole = formula_delay_whole(servo->delay, servo->period);
    double fraction = formula_delay_fraction(servo->delay, servo->period, whole, servo->exposure);
    struct plant plant = {(int)whole, {1 - fraction, fraction, 0, 0}, {0, 0}};

    if (servo->mirror.bandwidth > 0)
        add_dynamics(servo, &plant);
    return plant;
}

/* Returns D at w = 1/z on the unit circle. */
static double complex see_mirror(const struct plant *plant, double complex w)
{
    const double *pulse = plant->pulse;
    double complex seen = pulse[0] + w * (pulse[1] + w * (pulse[2] + w * pulse[3]));
    double complex slow;

    for (int i = 0; i <= plant->whole; i++)
        seen *= w;
    if (plant->decay[1] == 0)
        return seen;
    slow = 1 - w * (plant->decay[0] + w * plant->decay[1]);
    return seen * conj(slow) / norm(slow);
}

double servo_horizon(const struct servo *servo)
{
    double lag =
        servo->mirror.bandwidth > 0 ? servo->mirror.damping / (pi * servo->mirror.bandwidth) : 0;

    return (servo->delay + (servo->exposure + servo->period) / 2 + lag) / servo->period;
}

/* The open loop at an angle of z: N D / F for a gain of 1. */
struct open_loop {
    double complex fixed, forward, mirror; /* F, N, D */
};

/* Sets N, and F but of LQG, at w = 1/z. */
static void set_controller(const struct servo *servo, double complex w, double complex *fixed,
                           double complex *forward)
{
    *fixed = 1 - servo->leak * w;
    *forward = servo->lqg != NULL
                   ? lqg_command(servo->lqg, w)
                   : 1 + (1 - w) * (servo->proportional + servo->derivative * (1 - w));
}

static struct open_loop open_loop(const struct servo *servo, const struct plant *plant,
                                  double angle)
{
    double complex w = turn_back(angle);
    struct open_loop loop = {.mirror = see_mirror(plant, w)};

    set_controller(servo, w, &loop.fixed, &loop.forward);
    if (servo->lqg != NULL)
        loop.fixed = 1 - loop.forward * loop.mirror;
    return loop;
}

/* Stability ------------------------------------------------------------------------------------ */

/* Angles of z, ascending from almost 0 to pi, between which a curve has at most one root. */
#define GRID_RIPPLE 1e-3 /* by which |L| may be larger between two of them */
#define GRID_MAX (256 + 32 * SERVO_FRAMES_MAX + 64 * (LQG_DISTURBANCES_MAX + 1))

struct grid {
    int count;
    double angle[GRID_MAX];
};

static int compare_angles(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

/* Adds angles around a resonance, or where it is seen if it is sampled too slowly. */
static void add_resonance(struct grid *grid, double angle, double damping)
{
    double seen = fabs(remainder(angle, 2 * pi));
    double distance = damping * angle / 16;

    for (int i = 0; i < 32 && distance < pi; i++) {
        for (int side = -1; side <= 1; side += 2) {
            double at = seen + side * distance;

            if (at > 1e-9 && at < pi)
                grid->angle[grid->count++] = at;
        }
        distance *= 1.7;
    }
}

static void fill_grid(struct grid *grid, const struct servo *servo, const struct plant *plant)
{
    int steps = 255 + 32 * plant->whole;

    grid->count = 0;
    grid->angle[grid->count++] = 1e-9;
    for (int k = 1; k <= steps; k++)
        grid->angle[grid->count++] = pi * k / steps;
    for (int i = 0; servo->lqg != NULL && i < servo->lqg->count; i++)
        add_resonance(grid, servo->lqg->angle[i], servo->lqg->damping[i]);
    if (servo->mirror.bandwidth > 0)
        add_resonance(grid, 2 * pi * servo->mirror.bandwidth * servo->period,
                      servo->mirror.damping);
    qsort(grid->angle, (size_t)grid->count, sizeof grid->angle[0], compare_angles);
}

/* A quantity of a loop over the angle of z. */
struct curve {
    const struct servo *servo;
    const struct plant *plant;
    double (*value)(const struct curve *curve, double angle);
    double complex rotation; /* of L */
};

/* Returns where a curve is 0 between two angles at which its signs differ. */
static double find_root(const struct curve *curve, double low, double high)
{
    bool positive = curve->value(curve, low) > 0;

    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if ((curve->value(curve, middle) > 0) == positive)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Returns the next root from angle `k` of the grid on, RESULT_NONE without one; `k` becomes the
 * first angle after it. */
static double next_root(const struct curve *curve, const struct grid *grid, int *k)
{
    bool positive = curve->value(curve, grid->angle[*k]) > 0;

    while (++*k < grid->count)
        if ((curve->value(curve, grid->angle[*k]) > 0) != positive)
            return find_root(curve, grid->angle[*k - 1], grid->angle[*k]);
    return RESULT_NONE;
}

/* Returns L of a gain of 1, rotated. */
static double complex rotated_loop(const struct curve *curve, double angle)
{
    const struct open_loop loop = open_loop(curve->servo, curve->plant, angle);

    return loop.forward * loop.mirror * conj(loop.fixed) / norm(loop.fixed) * curve->rotation;
}

static double imaginary_part(const struct curve *curve, double angle)
{
    return cimag(rotated_loop(curve, angle));
}

/* Returns the least gain above `above` at which L passes through -1, and the angle `at` of z there;
 * INFINITY if none does. */
static double least_gain(const struct servo *servo, double above, double *at)
{
    const struct plant plant = find_plant(servo);
    const struct curve curve = {servo, &plant, imaginary_part, 1};
    double least = INFINITY;
    struct grid grid;
    int k = 0;

    *at = pi;
    fill_grid(&grid, servo, &plant);
    for (;;) {
        double angle = next_root(&curve, &grid, &k);
        bool is_last = angle == RESULT_NONE;
        double complex loop = rotated_loop(&curve, is_last ? pi : angle);

        /* at pi L is real, so that it has no change of sign there */
        if (creal(loop) < 0 && 1 / cabs(loop) > above && 1 / cabs(loop) < least) {
            least = 1 / cabs(loop);
            *at = is_last ? pi : angle;
        }
        if (is_last)
            return least;
    }
}

static bool is_integrator(const struct servo *servo)
{
    return servo->lqg == NULL && servo->leak == 1 && servo->proportional == 0 &&
           servo->derivative == 0 && servo->mirror.bandwidth == 0;
}

/* Returns the gain at which the open loop of an integrator has a magnitude of 1 where it lags by pi
 * less a margin, and the angle of z there. */
static double integrator_gain(const struct servo *servo, double margin, double *at)
{
    double whole = formula_delay_whole(servo->delay, servo->period);
    double fraction = formula_delay_fraction(servo->delay, servo->period, whole, servo->exposure);

    *at = open_loop_angle(whole, fraction, pi / 2 - margin);
    return formula_max_gain(*at, fraction);
}

/* Returns the least gain at which L, turned by a margin, passes through -1 between angles of a grid
 * at which L is known; INFINITY if none does. */
static double least_turned_gain(const struct curve *unturned, const struct grid *grid,
                                const double complex *loop, double margin)
{
    struct curve curve = *unturned;
    double least = INFINITY;

    curve.rotation = cos(margin) - I * sin(margin);
    for (int k = 1; k < grid->count; k++) {
        double complex there;

        if ((cimag(loop[k - 1] * curve.rotation) > 0) == (cimag(loop[k] * curve.rotation) > 0))
            continue;
        there = rotated_loop(&curve, find_root(&curve, grid->angle[k - 1], grid->angle[k]));
        if (creal(there) < 0)
            least = smaller(least, 1 / cabs(there));
    }
    return least;
}

/* |L| may grow while L is within the margin around -1. */
double servo_margin_gain(const struct servo *servo, double margin)
{
    const struct plant plant = find_plant(servo);
    const struct curve curve = {servo, &plant, imaginary_part, 1};
    double complex loop[GRID_MAX];
    double before[2] = {0, 0};
    bool was_within = false;
    struct grid grid;
    double least, at;

    if (is_integrator(servo))
        return integrator_gain(servo, margin, &at);
    fill_grid(&grid, servo, &plant);
    for (int k = 0; k < grid.count; k++)
        loop[k] = rotated_loop(&curve, grid.angle[k]);
    least = smaller(least_turned_gain(&curve, &grid, loop, margin),
                    least_turned_gain(&curve, &grid, loop, -margin));
    for (int k = 0; k < grid.count; k++) {
        double size = cabs(loop[k]);

        if (k > 1 && before[1] >= before[0] && before[1] >= size && was_within)
            least = smaller(least, (1 - GRID_RIPPLE) / before[1]);
        was_within = fabs(carg(-loop[k])) < margin;
        before[0] = before[1];
        before[1] = size;
    }
    if (was_within && before[1] >= before[0])
        least = smaller(least, 1 / before[1]);
    return least;
}

/* Returns the gain at which a loop becomes unstable, and the angle of z of its oscillation. */
static double limit_gain(const struct servo *servo, double *at)
{
    return is_integrator(servo) ? integrator_gain(servo, 0, at)
                                : least_gain(servo, servo->lqg != NULL ? 1 : 0, at);
}

double servo_max_gain(const struct servo *servo)
{
    double at;

    return limit_gain(servo, &at);
}

/* Coefficients of polynomials in w. */
#define DEGREE_MAX (SERVO_FRAMES_MAX + PULSES + 4)

static void add_product(double *sum, int shift, double factor, const double *a, int degree_a,
                        const double *b, int degree_b)
{
    for (int i = 0; i <= degree_a; i++)
        for (int j = 0; j <= degree_b; j++)
            sum[shift + i + j] += factor * a[i] * b[j];
}

/* The variance of an autoregressive moving-average process, a sum over its polynomials of falling
 * degree; the first coefficient of all of these is positive if and only if all roots of the
 * denominator, in z, are inside the unit circle (Astrom, Introduction to Stochastic Control Theory,
 * 1970, ch. 5). K = g N E / (F E + g N w^(n+1) pulse) with E the denominator of D. */
double servo_noise_gain(const struct servo *servo)
{
    const struct plant plant = find_plant(servo);
    const double p = servo->proportional, d = servo->derivative;
    const double above[3] = {1 + p + d, -p - 2 * d, d}, fixed[2] = {1, -servo->leak};
    const double slow[3] = {1, -plant.decay[0], -plant.decay[1]};
    double a[DEGREE_MAX + 1] = {0}, b[DEGREE_MAX + 1] = {0};
    double gain = 0;

    if (servo->lqg != NULL)
        return lqg_noise_gain(servo->lqg);
    add_product(a, 0, 1, fixed, 1, slow, 2);
    add_product(a, plant.whole + 1, servo->gain, above, 2, plant.pulse, PULSES - 1);
    add_product(b, 0, servo->gain, above, 2, slow, 2);
    for (int k = plant.whole + 1 + 2 + PULSES - 1; k >= 0; k--) {
        double last_a = a[k] / a[0], last_b = b[k] / a[0];
        double reversed[DEGREE_MAX + 1];

        if (a[0] <= 0)
            return RESULT_NONE;
        gain += square(b[k]) / a[0];
        for (int i = 0; i <= k; i++)
            reversed[i] = a[k - i];
        for (int i = 0; k > 0 && i <= k; i++) {
            a[i] -= last_a * reversed[i];
            b[i] -= last_b * reversed[i];
        }
    }
    return gain;
}

/* Frequencies ---------------------------------------------------------------------------------- */

static double sinc(double x)
{
    return x == 0 ? 1 : sin(x) / x;
}

static double complex move_mirror(const struct mirror *mirror, double frequency)
{
    double x = frequency / mirror->bandwidth;

    return 1 / (1 - square(x) + I * (2 * mirror->damping * x));
}

static double mirror_power(const struct mirror *mirror, double frequency)
{
    double x2 = square(frequency / mirror->bandwidth);

    return 1 / (square(1 - x2) + 4 * square(mirror->damping) * x2);
}

/* Returns the sum of |H M|^2 over all aliases of a frequency. That of |H|^2 is 1. */
static double alias_power(const struct servo *servo, double frequency)
{
    double rate = 1 / servo->period;
    double above = square(sin(pi * frequency * servo->period) / (pi * servo->period));
    double rest = 1, sum = 0;

    for (int k = -ALIASES; k <= ALIASES; k++) {
        double at = frequency + k * rate;
        double hold = k == 0    ? square(sinc(pi * at * servo->period))
                      : at == 0 ? 1
                                : above / square(at);

        rest -= hold;
        sum += hold * mirror_power(&servo->mirror, at);
    }
    return sum +
           larger(rest, 0) * mirror_power(&servo->mirror, fabs(frequency) + (ALIASES + 1) * rate);
}

/* A loop at a frequency, all but its gain and delay. */
struct sample {
    double frequency, weight, steep; /* of struct band */
    double complex w;                /* 1/z */
    double complex fixed, forward;   /* F, but of LQG, and N */
    double complex move;             /* M; 1: the mirror follows at once */
    double hold;                     /* |B H| */
    double spread;
};

static void set_sample(const struct servo *servo, double frequency, struct sample *sample)
{
    double hold = sinc(pi * frequency * servo->period);
    double sensor = sinc(pi * frequency * servo->exposure);
    double power = 1, own = square(hold);

    sample->frequency = frequency;
    sample->w = turn_back(2 * pi * frequency * servo->period);
    set_controller(servo, sample->w, &sample->fixed, &sample->forward);
    sample->hold = sensor * hold;
    sample->move = 1;
    if (servo->mirror.bandwidth > 0) {
        sample->move = move_mirror(&servo->mirror, frequency);
        power = alias_power(servo, frequency);
        own *= mirror_power(&servo->mirror, frequency);
    }
    sample->spread = norm(sample->forward) * square(sensor) * (power - own);
}

/* A loop at a frequency, all but its gain. */
struct point {
    double complex fixed, loop, path; /* of struct band */
    double spread;
};

static struct point delay_sample(const struct servo *servo, const struct plant *plant,
                                 const struct sample *sample)
{
    double way = pi * sample->frequency * (servo->exposure + servo->period + 2 * servo->delay);
    double complex mirror = see_mirror(plant, sample->w);
    double complex seen = sample->hold * turn_back(way);

    if (servo->mirror.bandwidth > 0)
        seen *= sample->move;
    return (struct point){
        .fixed = servo->lqg != NULL ? 1 - sample->forward * mirror : sample->fixed,
        .loop = sample->forward * mirror,
        .path = sample->forward * (mirror - seen),
        .spread = sample->spread,
    };
}

/* Points that are computed at once; those behind the last one are not used. */
enum { LANES = 8 };
_Static_assert(BAND_POINTS % LANES == 0, "points beyond the last group");

/* Sets N D and N (D - B H) of points of a band from `first` on, at most `count`, as delay_sample
 * does, where the mirror follows at once and no filter controls it: in real numbers, several of
 * which the compiler computes at once. */
static void delay_lanes(const struct plant *plant, const struct sample *sample, int count,
                        int first, struct band *band)
{
    const struct servo *servo = &band->servo;
    const double late = servo->exposure + servo->period + 2 * servo->delay;
    double w[2][LANES], forward[2][LANES], mirror[2][LANES], seen[2][LANES];

    for (int i = 0; i < LANES; i++) {
        const struct sample *of = &sample[i < count ? i : 0];
        const double complex way = turn_back(pi * of->frequency * late);

        w[0][i] = creal(of->w);
        w[1][i] = cimag(of->w);
        forward[0][i] = creal(of->forward);
        forward[1][i] = cimag(of->forward);
        seen[0][i] = of->hold * creal(way);
        seen[1][i] = of->hold * cimag(way);
    }
    for (int i = 0; i < LANES; i++) {
        mirror[0][i] = plant->pulse[0] + w[0][i] * plant->pulse[1];
        mirror[1][i] = w[1][i] * plant->pulse[1];
    }
    for (int k = 0; k <= plant->whole; k++)
        for (int i = 0; i < LANES; i++) {
            const double real = mirror[0][i];

            mirror[0][i] = real * w[0][i] - mirror[1][i] * w[1][i];
            mirror[1][i] = real * w[1][i] + mirror[1][i] * w[0][i];
        }
    for (int i = 0; i < LANES; i++) {
        const double real = mirror[0][i] - seen[0][i], imaginary = mirror[1][i] - seen[1][i];

        band->loop[0][first + i] = forward[0][i] * mirror[0][i] - forward[1][i] * mirror[1][i];
        band->loop[1][first + i] = forward[0][i] * mirror[1][i] + forward[1][i] * mirror[0][i];
        band->path[0][first + i] = forward[0][i] * real - forward[1][i] * imaginary;
        band->path[1][first + i] = forward[0][i] * imaginary + forward[1][i] * real;
    }
}

static struct point sample_servo(const struct servo *servo, const struct plant *plant,
                                 double frequency)
{
    struct sample sample;

    set_sample(servo, frequency, &sample);
    return delay_sample(servo, plant, &sample);
}

/* Gets the parts of a disturbance that are left: |1 - B K H M|^2 + |B K|^2 (sum |H M|^2 - |H
 * M|^2), which is the term of the header without its cancellation at low frequencies. */
static void find_residuals(const struct band *band, double gain, double left[BAND_POINTS])
{
    const int count = band->panels * BAND_NODES;

    for (int first = 0; first < count; first += LANES)
        for (int i = first; i < first + LANES; i++) {
            double passed = square(band->fixed[0][i] + gain * band->path[0][i]) +
                            square(band->fixed[1][i] + gain * band->path[1][i]);
            double rejected = square(band->fixed[0][i] + gain * band->loop[0][i]) +
                              square(band->fixed[1][i] + gain * band->loop[1][i]);

            left[i] = (passed + square(gain) * band->spread[i]) / rejected;
        }
}

double servo_rejection(const struct servo *servo, double frequency)
{
    const struct plant plant = find_plant(servo);
    const struct point point = sample_servo(servo, &plant, frequency);

    return sqrt(norm(point.fixed) / norm(point.fixed + servo->gain * (point.loop - point.path)));
}

double servo_noise_transfer(const struct servo *servo, double frequency)
{
    const struct plant plant = find_plant(servo);
    const struct open_loop loop = open_loop(servo, &plant, 2 * pi * frequency * servo->period);
    double hold = sinc(pi * frequency * servo->period);

    if (servo->mirror.bandwidth > 0)
        hold *= sqrt(mirror_power(&servo->mirror, frequency));
    return servo->gain * fabs(hold) * sqrt(norm(loop.forward) / norm(loop.fixed)) *
           servo_rejection(servo, frequency);
}

/* Margins -------------------------------------------------------------------------------------- */

/* Returns |1 + L| of a sampled loop, and with the continuous product that stands for it. */
static double sampled_difference(const struct curve *curve, double angle)
{
    const struct open_loop loop = open_loop(curve->servo, curve->plant, angle);

    return sqrt(norm(loop.fixed + curve->servo->gain * loop.forward * loop.mirror) /
                norm(loop.fixed));
}

static double continuous_difference(const struct curve *curve, double angle)
{
    const struct servo *servo = curve->servo;
    const struct point point = sample_servo(servo, curve->plant, angle / (2 * pi * servo->period));

    return sqrt(norm(point.fixed + servo->gain * (point.loop - point.path)) / norm(point.fixed));
}

static double amplification(const struct curve *curve, double angle)
{
    return continuous_difference(curve, angle) - 1;
}

static double open_loop_excess(const struct curve *curve, double angle)
{
    const struct open_loop loop = open_loop(curve->servo, curve->plant, angle);

    return square(curve->servo->gain) * norm(loop.forward * loop.mirror) - norm(loop.fixed);
}

static double curve_value(double angle, void *context)
{
    const struct curve *curve = context;

    return curve->value(curve, angle);
}

/* Finds the least value of a curve up to the Nyquist frequency and the angle where it is. */
static double find_least(struct curve *curve, const struct grid *grid, double *at)
{
    double least = INFINITY;
    int best = 0;

    for (int k = 0; k < grid->count; k++) {
        double value = curve->value(curve, grid->angle[k]);

        if (value < least) {
            least = value;
            best = k;
        }
    }
    *at = minimise_unimodal(grid->angle[best > 0 ? best - 1 : 0],
                            grid->angle[best < grid->count - 1 ? best + 1 : best], 1e-10,
                            curve_value, curve, &least);
    return least;
}

/* Sets the least phase margin of all crossovers, and its crossover. */
static void set_phase_margin(const struct curve *curve, const struct grid *grid,
                             struct margins *margins)
{
    int k = 0;

    margins->phase = margins->crossover = RESULT_NONE;
    for (double angle; (angle = next_root(curve, grid, &k)) != RESULT_NONE;) {
        double phase = fabs(carg(-rotated_loop(curve, angle)));

        if (margins->phase == RESULT_NONE || phase < margins->phase) {
            margins->phase = phase;
            margins->crossover = angle / (2 * pi * curve->servo->period);
        }
    }
}

/* An LQG controller at the angles of a grid, and the mirror for which it was designed. */
struct designed {
    const struct grid *grid;
    double complex w[GRID_MAX], command[GRID_MAX], mirror[GRID_MAX]; /* 1/z, K, D */
};

/* Returns true if the loop is stable with another mirror: 1 + K (D' - D) goes around 0 as often as
 * it has roots outside the unit circle, because K has no poles there. */
static bool is_stable_with(const struct designed *designed, const struct plant *plant)
{
    double complex before = 1;
    int turns = 0; /* crossings of the negative real axis */

    for (int k = 0; k < designed->grid->count; k++) {
        double complex value =
            1 + designed->command[k] * (see_mirror(plant, designed->w[k]) - designed->mirror[k]);

        if ((cimag(value) > 0) != (cimag(before) > 0) && k > 0) {
            double part = cimag(before) / (cimag(before) - cimag(value));

            if (creal(before) + part * creal(value - before) < 0)
                turns += cimag(value) > 0 ? 1 : -1;
        }
        before = value;
    }
    return turns == 0 && creal(before) > 0;
}

static bool is_stable_at(const struct servo *servo, const struct designed *designed, double delay)
{
    struct servo later = *servo;
    struct plant plant;

    later.delay = delay;
    if (servo->lqg == NULL)
        return servo_noise_gain(&later) != RESULT_NONE;
    plant = find_plant(&later);
    return is_stable_with(designed, &plant);
}

/* Returns how much longer the delay may be with the loop stable at every step; RESULT_NONE if it is
 * more than SERVO_FRAMES_MAX. */
static double find_delay_margin(const struct servo *servo, const struct grid *grid,
                                const struct plant *plant)
{
    double end = SERVO_FRAMES_MAX * servo->period * (1 - 1e-12);
    double step = servo->period / 8;
    double low = servo->delay, high = servo->delay + step;
    struct designed designed;

    designed.grid = grid;
    for (int k = 0; servo->lqg != NULL && k < grid->count; k++) {
        designed.w[k] = turn_back(grid->angle[k]);
        designed.command[k] = lqg_command(servo->lqg, designed.w[k]);
        designed.mirror[k] = see_mirror(plant, designed.w[k]);
    }
    while (high < end && is_stable_at(servo, &designed, high)) {
        low = high;
        high += step;
    }
    if (high >= end)
        return RESULT_NONE;
    for (int i = 0; i < 30; i++) {
        double middle = (low + high) / 2;

        if (is_stable_at(servo, &designed, middle))
            low = middle;
        else
            high = middle;
    }
    return low - servo->delay;
}

struct margins servo_margins(const struct servo *servo)
{
    const struct plant plant = find_plant(servo);
    struct curve curve = {servo, &plant, open_loop_excess, 1};
    struct margins margins;
    struct grid grid;
    double angle;
    int k = 0;

    fill_grid(&grid, servo, &plant);
    margins.gain = limit_gain(servo, &angle) / (servo->lqg != NULL ? 1 : servo->gain);
    margins.gain_at = angle / (2 * pi * servo->period);
    if (margins.gain == INFINITY)
        margins.gain = margins.gain_at = RESULT_NONE;
    set_phase_margin(&curve, &grid, &margins);
    margins.delay = find_delay_margin(servo, &grid, &plant);
    curve.value = amplification;
    angle = next_root(&curve, &grid, &k);
    margins.zero_db = angle == RESULT_NONE ? RESULT_NONE : angle / (2 * pi * servo->period);
    curve.value = sampled_difference;
    margins.modulus = find_least(&curve, &grid, &angle);
    curve.value = continuous_difference;
    margins.peak = 1 / find_least(&curve, &grid, &angle);
    margins.peak_at = angle / (2 * pi * servo->period);
    return margins;
}

/* Bands ---------------------------------------------------------------------------------------- */

/* The samples of a band, and what they are the samples of. */
struct samples {
    struct servo servo; /* a period of 0: none yet */
    struct vibration vibration;
    int panels;
    double edge[BAND_PANELS + 1];
    struct sample point[BAND_POINTS];
};

enum { KEPT_STEPS = 48 }; /* of the delay: 1.15^48, a factor of 800 */

struct band_kept {
    struct samples turbulence[KEPT_STEPS], vibration[VIBRATION_MAX];
    struct band_weights modes[KEPT_STEPS];
};

size_t band_kept_size(void)
{
    return sizeof(struct band_kept);
}

/* Returns true if two loops differ in their delay and gain only. A filter is of one delay. */
static bool are_alike(const struct servo *of, const struct servo *servo)
{
    return servo->lqg == NULL && of->lqg == NULL && of->period == servo->period &&
           of->exposure == servo->exposure && of->leak == servo->leak &&
           of->proportional == servo->proportional && of->derivative == servo->derivative &&
           of->mirror.bandwidth == servo->mirror.bandwidth &&
           of->mirror.damping == servo->mirror.damping;
}

/* Sets what a delay changes. */
static void delay_points(const struct sample *sample, const struct plant *plant, struct band *band)
{
    const bool plain = band->servo.mirror.bandwidth == 0 && band->servo.lqg == NULL;
    const int count = band->panels * BAND_NODES;

    for (int i = 0; i < count && plain; i += LANES)
        delay_lanes(plant, &sample[i], count - i, i, band);
    for (int i = 0; i < count && !plain; i++) {
        const struct point point = delay_sample(&band->servo, plant, &sample[i]);

        band->fixed[0][i] = creal(point.fixed);
        band->fixed[1][i] = cimag(point.fixed);
        band->loop[0][i] = creal(point.loop);
        band->loop[1][i] = cimag(point.loop);
        band->path[0][i] = creal(point.path);
        band->path[1][i] = cimag(point.path);
    }
}

/* Sets the points of a band; what a delay does not change stays if it has the samples already. */
static void set_points(const struct samples *samples, const struct plant *plant, struct band *band)
{
    const int count = band->samples == samples ? 0 : band->panels * BAND_NODES;

    for (int i = 0; i < count; i++) {
        const struct sample *sample = &samples->point[i];

        band->frequency[i] = sample->frequency;
        band->weight[i] = sample->weight;
        band->steep[i] = sample->steep;
        band->fixed[0][i] = creal(sample->fixed);
        band->fixed[1][i] = cimag(sample->fixed);
        band->spread[i] = sample->spread;
    }
    delay_points(samples->point, plant, band);
}

static void sample_panels(struct samples *samples, struct band *band)
{
    band->samples = NULL;
    samples->servo = band->servo;
    samples->panels = band->panels;
    memcpy(samples->edge, band->edge, sizeof samples->edge);
    for (int p = 0; p < band->panels; p++) {
        double middle = (band->edge[p + 1] + band->edge[p]) / 2;
        double half = (band->edge[p + 1] - band->edge[p]) / 2;

        for (int i = 0; i < BAND_NODES; i++) {
            struct sample *sample = &samples->point[p * BAND_NODES + i];

            set_sample(&band->servo, middle + half * nodes[i], sample);
            sample->weight = half * weights[i];
            sample->steep = pow(sample->frequency, -17.0 / 3);
        }
    }
}

/* The ends of the panels depend on the delay in steps, so that loops of about the same delay have
 * the same frequencies. */
void band_fill(struct band *band, const struct servo *servo, struct band_kept *kept)
{
    double response = RESPONSE / (servo->delay + servo->period / 2 + servo->exposure / 2);
    double edge = BAND_LOW / servo->period;
    double most = BAND_HIGH / servo->period;
    const struct plant plant = find_plant(servo);
    int high = 1 + (int)(log(most / response) / log(RATIO_HIGH));
    int low = 1 + (int)(log(most * pow(RATIO_HIGH, -high) / edge) / log(RATIO_LOW));
    struct samples own, *samples = &own;
    double ratio;

    if (kept != NULL && band->panels > 0 && band->servo.delay == servo->delay &&
        are_alike(&band->servo, servo))
        return; /* it has them */
    band->servo = *servo;
    low = clamp_int(low, 1, BAND_PANELS - 1);
    high = clamp_int(high, 1, BAND_PANELS - low);
    band->panels = low + high;
    band->step = high;
    response = most * pow(RATIO_HIGH, -high);
    ratio = pow(response / edge, 1.0 / low);
    for (int p = 0; p <= band->panels; p++) {
        band->edge[p] = edge;
        edge *= p < low ? ratio : RATIO_HIGH;
    }
    if (kept != NULL)
        samples = &kept->turbulence[high % KEPT_STEPS];
    if (kept == NULL || !are_alike(&samples->servo, servo) || samples->panels != band->panels ||
        memcmp(samples->edge, band->edge, sizeof edge * ((size_t)band->panels + 1)) != 0)
        sample_panels(samples, band);
    set_points(samples, &plant, band);
    band->samples = kept != NULL ? samples : NULL;
}

/* Turbulence ----------------------------------------------------------------------------------- */

double turbulence_first_variance(void)
{
    return 0.448153;
}

double turbulence_next_variance(int order, double variance)
{
    double n = order;

    return variance * (n + 2) / (n + 1) * (n - 5.0 / 6) / (n + 23.0 / 6);
}

int turbulence_orders(double modes)
{
    return (int)((sqrt(9 + 8 * modes) - 3) / 2 + 1e-9);
}

double turbulence_cutoff(const struct turbulence *turbulence, int order)
{
    return 0.3 * (order + 1) * turbulence->speed;
}

enum { OCTAVES_BELOW = 6, OCTAVES_ABOVE = 8 }; /* of its cut-off, where a spectrum is integrated */

/* The spectrum of an order: level (f / cutoff)^slope, above the cut-off (f / cutoff)^(-17/3). */
struct spectrum {
    double cutoff; /* Hz */
    double level;  /* 1/Hz */
    double slope;
    double steep;        /* cutoff^(17/3) */
    double inner, outer; /* squares of the frequencies by which an outer scale changes it, Hz^2 */
};

static struct spectrum find_spectrum(const struct turbulence *turbulence, int order)
{
    double cutoff = turbulence_cutoff(turbulence, order);
    double slope = order == 1 ? -2.0 / 3 : 0;

    return (struct spectrum){
        .cutoff = cutoff,
        .level = 1 / (cutoff * (1 / (slope + 1) + 3.0 / 14)),
        .slope = slope,
        .steep = pow(cutoff, 17.0 / 3),
        .inner = square(cutoff / 2),
        .outer = square(turbulence->outer_speed),
    };
}

/* Returns ((f^2 + a^2) / (f^2 + a^2 + b^2))^(11/6), where b is small by its series, for speed. */
static double outer_scale_factor(const struct spectrum *spectrum, double frequency)
{
    double x = spectrum->outer / (square(frequency) + spectrum->inner);

    if (x < 0.01)
        return 1 - 11.0 / 6 * x * (1 - 17.0 / 12 * x * (1 - 23.0 / 18 * x));
    return pow(1 + x, -11.0 / 6);
}

static double spectrum_at(const struct spectrum *spectrum, double frequency, double steep)
{
    double density = spectrum->level;

    if (frequency > spectrum->cutoff)
        density *= spectrum->steep * steep;
    else if (spectrum->slope != 0)
        density *= pow(frequency / spectrum->cutoff, spectrum->slope);
    if (spectrum->outer > 0)
        density *= outer_scale_factor(spectrum, frequency);
    return density;
}

double turbulence_density(const struct turbulence *turbulence, int order, double frequency)
{
    const struct spectrum spectrum = find_spectrum(turbulence, order);

    return spectrum_at(&spectrum, frequency, pow(frequency, -17.0 / 3));
}

/* Returns the integral of the spectrum up to a frequency. */
static double integrate_below(const struct spectrum *spectrum, double frequency)
{
    double bend = smaller(frequency, spectrum->cutoff);
    double sum = bend / (spectrum->slope + 1) * pow(bend / spectrum->cutoff, spectrum->slope);

    if (frequency > bend)
        sum += bend * 3 / 14 * (1 - pow(bend / frequency, 14.0 / 3));
    return spectrum->level * sum * (spectrum->outer > 0 ? outer_scale_factor(spectrum, bend) : 1);
}

/* Returns the integral of the whole spectrum, by octaves around the cut-off. */
static double integrate_all(const struct spectrum *spectrum)
{
    double low = spectrum->cutoff / (1 << OCTAVES_BELOW);
    double sum = integrate_below(spectrum, low);

    for (int o = 0; o < OCTAVES_BELOW + OCTAVES_ABOVE; o++, low *= 2)
        for (int i = 0; i < BAND_NODES; i++) {
            double frequency = low * (1.5 + nodes[i] / 2);

            sum +=
                low / 2 * weights[i] * spectrum_at(spectrum, frequency, pow(frequency, -17.0 / 3));
        }
    return sum + spectrum_at(spectrum, low, pow(low, -17.0 / 3)) * low * 3 / 14;
}

double turbulence_left(const struct turbulence *turbulence, int order)
{
    const struct spectrum spectrum = find_spectrum(turbulence, order);

    return spectrum.outer > 0 ? integrate_all(&spectrum) : 1;
}

double turbulence_uncorrected(const struct turbulence *turbulence, int first, int last)
{
    double variance = turbulence_first_variance();
    double sum = 0;

    for (int n = 1; n <= last; n++) {
        const struct spectrum spectrum = find_spectrum(turbulence, n);

        if (n >= first)
            sum += (n + 1) * variance * turbulence->variance *
                   (spectrum.outer > 0 ? integrate_all(&spectrum) : 1);
        variance = turbulence_next_variance(n, variance);
    }
    return sum;
}

/* Returns the polynomial that is 1 at a node and 0 at the others. */
static double node_polynomial(int node, double x)
{
    double product = 1;

    for (int i = 0; i < BAND_NODES; i++)
        if (i != node)
            product *= (x - nodes[i]) / (nodes[node] - nodes[i]);
    return product;
}

/* Adds the integral from `low` to `high`, a part of a panel, of the spectrum times a residual that
 * is known at the points of the panel: to the weight of each that of its polynomial. */
static void weigh_part(const struct spectrum *spectrum, const struct band *band, int panel,
                       double low, double high, double variance, double *weight)
{
    double middle = (band->edge[panel + 1] + band->edge[panel]) / 2;
    double half = (band->edge[panel + 1] - band->edge[panel]) / 2;

    for (int i = 0; i < BAND_NODES; i++) {
        double frequency = (high + low) / 2 + (high - low) / 2 * nodes[i];
        double part = variance * (high - low) / 2 * weights[i] *
                      spectrum_at(spectrum, frequency, pow(frequency, -17.0 / 3));

        for (int k = 0; k < BAND_NODES; k++)
            weight[k] += part * node_polynomial(k, (frequency - middle) / half);
    }
}

static void weigh_order(const struct band *band, const struct turbulence *turbulence, int order,
                        double variance, struct band_weights *sum)
{
    const struct spectrum spectrum = find_spectrum(turbulence, order);
    double high = band->edge[band->panels];

    sum->point[0] += variance * integrate_below(&spectrum, band->edge[0]);
    for (int p = 0; p < band->panels; p++) {
        const int first = p * BAND_NODES;
        double *weight = &sum->point[first];
        double low = band->edge[p], end = band->edge[p + 1];

        if (low < spectrum.cutoff && spectrum.cutoff < end) { /* where the spectrum bends */
            weigh_part(&spectrum, band, p, low, spectrum.cutoff, variance, weight);
            weigh_part(&spectrum, band, p, spectrum.cutoff, end, variance, weight);
            continue;
        }
        for (int i = 0; i < BAND_NODES; i++)
            weight[i] += variance * band->weight[first + i] *
                         spectrum_at(&spectrum, band->frequency[first + i], band->steep[first + i]);
    }
    if (spectrum.cutoff > high) {
        sum->above += variance * spectrum.level * (spectrum.cutoff - high);
        high = spectrum.cutoff;
    }
    sum->above += variance * spectrum_at(&spectrum, high, pow(high, -17.0 / 3)) * high * 3 / 14;
}

/* Returns true if weights are those of some orders at the points of a band. */
static bool is_weighed(const struct band_weights *sum, const struct band *band,
                       const struct turbulence *turbulence, int first, int last)
{
    return sum->panels == band->panels && sum->first == first && sum->last == last &&
           sum->turbulence.speed == turbulence->speed &&
           sum->turbulence.outer_speed == turbulence->outer_speed &&
           sum->turbulence.variance == turbulence->variance &&
           memcmp(sum->edge, band->edge, sizeof sum->edge[0] * ((size_t)band->panels + 1)) == 0;
}

void band_weigh(const struct band *band, const struct turbulence *turbulence, int first, int last,
                struct band_kept *kept, struct band_weights *sum)
{
    struct band_weights *of_step = kept != NULL ? &kept->modes[band->step % KEPT_STEPS] : sum;
    double variance = turbulence_first_variance();

    if (is_weighed(sum, band, turbulence, first, last))
        return;
    if (is_weighed(of_step, band, turbulence, first, last)) {
        *sum = *of_step;
        return;
    }
    memset(sum, 0, sizeof *sum);
    sum->turbulence = *turbulence;
    sum->first = first;
    sum->last = last;
    sum->panels = band->panels;
    memcpy(sum->edge, band->edge, sizeof sum->edge);
    for (int n = 1; n <= last; n++) {
        if (n >= first)
            weigh_order(band, turbulence, n, (n + 1) * variance * turbulence->variance, sum);
        variance = turbulence_next_variance(n, variance);
    }
    if (kept != NULL)
        *of_step = *sum;
}

double band_residual(const struct band *band, const struct band_weights *modes, double gain)
{
    double left[BAND_POINTS], sum = modes->above;

    find_residuals(band, gain, left);
    for (int i = 0; i < band->panels * BAND_NODES; i++)
        sum += modes->point[i] * left[i];
    return sum;
}

double band_uncorrected(const struct band *band, const struct band_weights *modes)
{
    double sum = modes->above;

    for (int i = 0; i < band->panels * BAND_NODES; i++)
        sum += modes->point[i];
    return sum;
}

double band_turbulence(const struct band *band, double gain, const struct turbulence *turbulence,
                       int order)
{
    struct band_weights mode = {.above = 0};

    weigh_order(band, turbulence, order, 1, &mode);
    return band_residual(band, &mode, gain);
}

/* Vibrations ----------------------------------------------------------------------------------- */

double vibration_density(const struct vibration *vibration, double frequency)
{
    double x = frequency / vibration->frequency;

    return 4 * vibration->damping / (pi * vibration->frequency) /
           (square(1 - square(x)) + square(2 * vibration->damping * x));
}

/* With x = f / f0 and tan(a) = (x - 1/x) / (2 damping), the spectrum of a vibration becomes
 * (2/pi) / (1 + x^2) da on -pi/2..pi/2. The panels shrink towards both ends, where x runs over
 * decades. */
static void sample_vibration(const struct servo *servo, const struct vibration *vibration,
                             struct samples *samples)
{
    const int half = BAND_PANELS / 2;
    const double least = 1e-3 * vibration->damping;
    double ratio = pow(least / (pi / 2), 1.0 / (half - 1));

    samples->servo = *servo;
    samples->vibration = *vibration;
    for (int p = 0; p < 2 * half; p++) {
        int step = p < half ? p : 2 * half - 1 - p; /* 0 at an end */
        double outer = step == 0 ? 0 : pi / 2 * pow(ratio, half - step);
        double inner = pi / 2 * pow(ratio, half - 1 - step);

        for (int i = 0; i < BAND_NODES; i++) {
            struct sample *sample = &samples->point[p * BAND_NODES + i];
            double rest = (outer + inner) / 2 + (inner - outer) / 2 * nodes[i];
            double slope = vibration->damping / tan(rest);
            double x = slope + sqrt(square(slope) + 1);

            if (p < half) /* below the resonance, where x is the inverse */
                x = 1 / x;
            set_sample(servo, vibration->frequency * x, sample);
            sample->weight = (inner - outer) / 2 * weights[i] * (2 / pi) / (1 + square(x));
            sample->steep = 0; /* not used */
        }
    }
}

void band_fill_vibration(struct band *band, const struct servo *servo,
                         const struct vibration *vibration, int i, struct band_kept *kept)
{
    const struct plant plant = find_plant(servo);
    struct samples own, *samples = kept != NULL ? &kept->vibration[i] : &own;

    band->servo = *servo;
    band->panels = BAND_PANELS;
    if (kept == NULL || !are_alike(&samples->servo, servo) ||
        samples->vibration.frequency != vibration->frequency ||
        samples->vibration.damping != vibration->damping) {
        sample_vibration(servo, vibration, samples);
        band->samples = NULL;
    }
    set_points(samples, &plant, band);
    band->samples = kept != NULL ? samples : NULL;
}

double band_vibration(const struct band *band, double gain)
{
    double left[BAND_POINTS], sum = 0;

    find_residuals(band, gain, left);
    for (int i = 0; i < band->panels * BAND_NODES; i++)
        sum += band->weight[i] * left[i];
    return sum;
}
