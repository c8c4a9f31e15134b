#include "model/servo.h"

#include <math.h>

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

/* Delay in whole periods, and the fraction of the exposure that sees the older command. */
struct lag {
    int whole;
    double fraction;
};

static struct lag find_lag(const struct servo *servo)
{
    double whole = formula_delay_whole(servo->delay, servo->period);

    return (struct lag){
        (int)whole, formula_delay_fraction(servo->delay, servo->period, whole, servo->exposure)};
}

/* Stability ------------------------------------------------------------------------------------ */

/* Returns by how much L lags at an angle of z. */
static double open_loop_lag(const struct servo *servo, struct lag lag, double angle)
{
    double c = cos(angle), s = sin(angle);

    return (lag.whole + 1) * angle + atan2(lag.fraction * s, 1 - lag.fraction + lag.fraction * c) +
           atan2(servo->leak * s, 1 - servo->leak * c);
}

/* Returns |L| of a gain of 1. */
static double open_loop_size(const struct servo *servo, struct lag lag, double angle)
{
    double c = cos(angle);
    double spread = 2 * lag.fraction * (1 - lag.fraction);

    return sqrt((1 - spread * (1 - c)) / (square(1 - servo->leak) + 2 * servo->leak * (1 - c)));
}

/* |L| falls with the angle, so that the gain is the one that makes it 1 at the first angle where it
 * lags by pi less the margin. */
double servo_margin_gain(const struct servo *servo, double margin)
{
    struct lag lag = find_lag(servo);
    double low = 0, high = pi;

    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (open_loop_lag(servo, lag, middle) < pi - margin)
            low = middle;
        else
            high = middle;
    }
    return 1 / open_loop_size(servo, lag, high);
}

double servo_max_gain(const struct servo *servo)
{
    struct lag lag = find_lag(servo);

    if (servo->leak != 1)
        return servo_margin_gain(servo, 0);
    return formula_max_gain(formula_limit_angle(lag.whole, lag.fraction), lag.fraction);
}

/* The variance of an autoregressive process follows from the reflection coefficients of its
 * polynomial, z^(n+2) - l z^(n+1) + g ((1 - f) z + f), all of which are below 1 if it is stable. */
double servo_noise_gain(const struct servo *servo)
{
    struct lag lag = find_lag(servo);
    double a[SERVO_FRAMES_MAX + 3] = {1};
    double gain = square(servo->gain);

    a[1] = -servo->leak;
    a[lag.whole + 1] += servo->gain * (1 - lag.fraction);
    a[lag.whole + 2] += servo->gain * lag.fraction;
    for (int m = lag.whole + 2; m > 0; m--) {
        double reflection = a[m];
        double rest = 1 - square(reflection);

        if (rest <= 0)
            return RESULT_NONE;
        gain /= rest;
        for (int i = 1; i <= m / 2; i++) {
            double first = a[i], last = a[m - i];

            a[i] = (first - reflection * last) / rest;
            a[m - i] = (last - reflection * first) / rest;
        }
    }
    return gain;
}

/* Frequencies ---------------------------------------------------------------------------------- */

static double sinc(double x)
{
    return x == 0 ? 1 : sin(x) / x;
}

static double norm(const double a[2])
{
    return square(a[0]) + square(a[1]);
}

/* Fills what does not depend on the gain. */
static void sample_servo(const struct servo *servo, struct lag lag, double frequency,
                         struct band_point *point)
{
    double angle = 2 * pi * frequency * servo->period;
    double c = cos(angle), s = sin(angle);
    double late = angle * (lag.whole + 1);
    double cl = cos(late), sl = sin(late);
    double near[2] = {1 - lag.fraction + lag.fraction * c, -lag.fraction * s};
    double way = pi * frequency * (servo->exposure + servo->period + 2 * servo->delay);
    double hold = sinc(angle / 2);
    double sensor = sinc(pi * frequency * servo->exposure);

    point->frequency = frequency;
    point->fixed[0] = 1 - servo->leak * c;
    point->fixed[1] = servo->leak * s;
    point->loop[0] = near[0] * cl + near[1] * sl;
    point->loop[1] = near[1] * cl - near[0] * sl;
    point->path[0] = point->loop[0] - sensor * hold * cos(way);
    point->path[1] = point->loop[1] + sensor * hold * sin(way);
    point->spread = square(sensor) * (1 - square(hold));
}

/* Returns the part of a disturbance that is left: |1 - B K H|^2 + |B K|^2 (1 - |H|^2), which is the
 * term of the header without its cancellation at low frequencies. */
static double residual_at(const struct band_point *point, double gain)
{
    const double closed[2] = {point->fixed[0] + gain * point->loop[0],
                              point->fixed[1] + gain * point->loop[1]};
    const double left[2] = {point->fixed[0] + gain * point->path[0],
                            point->fixed[1] + gain * point->path[1]};

    return (norm(left) + square(gain) * point->spread) / norm(closed);
}

/* Returns |1 + L| of a sampled loop, and with the continuous product that stands for it. */
static double sampled_difference(const struct servo *servo, double frequency)
{
    struct band_point point;

    sample_servo(servo, find_lag(servo), frequency, &point);
    for (int i = 0; i < 2; i++)
        point.loop[i] = point.fixed[i] + servo->gain * point.loop[i];
    return sqrt(norm(point.loop) / norm(point.fixed));
}

static double continuous_difference(const struct servo *servo, double frequency)
{
    struct band_point point;

    sample_servo(servo, find_lag(servo), frequency, &point);
    for (int i = 0; i < 2; i++)
        point.loop[i] = point.fixed[i] + servo->gain * (point.loop[i] - point.path[i]);
    return sqrt(norm(point.loop) / norm(point.fixed));
}

/* Margins -------------------------------------------------------------------------------------- */

typedef double servo_curve(const struct servo *servo, double frequency);

struct curve {
    const struct servo *servo;
    servo_curve *value;
};

static double curve_value(double frequency, void *context)
{
    const struct curve *curve = context;

    return curve->value(curve->servo, frequency);
}

/* Finds the least value of a curve up to the Nyquist frequency and where it is. */
static double find_least(const struct servo *servo, servo_curve *curve, double *at)
{
    struct curve context = {servo, curve};
    int steps = 256 + 32 * find_lag(servo).whole;
    double step = 0.5 / servo->period / steps;
    double least = INFINITY;

    *at = step;
    for (int k = 1; k <= steps; k++) {
        double value = curve(servo, k * step);

        if (value < least) {
            least = value;
            *at = k * step;
        }
    }
    *at = minimise_golden(*at - step, smaller(*at + step, 0.5 / servo->period), 1e-7 * step,
                          curve_value, &context, &least);
    return least;
}

/* Returns the least frequency from which on the loop amplifies, RESULT_NONE if it only rejects. */
static double find_zero_db(const struct servo *servo)
{
    int steps = 256 + 32 * find_lag(servo).whole;
    double step = 0.5 / servo->period / steps;
    double low = 0, high;
    int k = 1;

    while (k <= steps && continuous_difference(servo, k * step) > 1)
        k++;
    if (k > steps)
        return RESULT_NONE;
    low = (k - 1) * step;
    high = k * step;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (continuous_difference(servo, middle) > 1)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Returns the angle of z where |L| is 1, RESULT_NONE if it is less everywhere. */
static double find_crossover(const struct servo *servo, struct lag lag)
{
    double mixed = square(servo->gain) * lag.fraction * (1 - lag.fraction);
    double c =
        (1 + square(servo->leak) - square(servo->gain) + 2 * mixed) / (2 * (servo->leak + mixed));

    return c >= 1 ? RESULT_NONE : acos(larger(c, -1));
}

/* Returns how much longer the delay may be; RESULT_NONE if it is more than SERVO_FRAMES_MAX. */
static double find_delay_margin(const struct servo *servo)
{
    struct servo longer = *servo;
    double low = servo->delay;
    double high = SERVO_FRAMES_MAX * servo->period * (1 - 1e-12);

    longer.delay = high;
    if (servo->gain < servo_max_gain(&longer))
        return RESULT_NONE;
    for (int i = 0; i < 60; i++) {
        longer.delay = (low + high) / 2;
        if (servo->gain < servo_max_gain(&longer))
            low = longer.delay;
        else
            high = longer.delay;
    }
    return low - servo->delay;
}

struct margins servo_margins(const struct servo *servo)
{
    struct lag lag = find_lag(servo);
    double angle = find_crossover(servo, lag);
    double at;
    struct margins margins = {
        .gain = servo_max_gain(servo) / servo->gain,
        .phase = RESULT_NONE,
        .crossover = RESULT_NONE,
        .delay = find_delay_margin(servo),
        .zero_db = find_zero_db(servo),
    };

    if (angle != RESULT_NONE) {
        margins.phase = pi - open_loop_lag(servo, lag, angle);
        margins.crossover = angle / (2 * pi * servo->period);
    }
    margins.modulus = find_least(servo, sampled_difference, &at);
    margins.peak = 1 / find_least(servo, continuous_difference, &margins.peak_at);
    return margins;
}

/* Bands ---------------------------------------------------------------------------------------- */

static void fill_panel(const struct servo *servo, double low, double high,
                       struct band_point point[BAND_NODES])
{
    double middle = (high + low) / 2;
    double half = (high - low) / 2;
    struct lag lag = find_lag(servo);

    for (int i = 0; i < BAND_NODES; i++) {
        sample_servo(servo, lag, middle + half * nodes[i], &point[i]);
        point[i].weight = half * weights[i];
        point[i].steep = pow(point[i].frequency, -17.0 / 3);
    }
}

void band_fill(struct band *band, const struct servo *servo)
{
    double response = RESPONSE / (servo->delay + servo->period / 2 + servo->exposure / 2);
    double edge = BAND_LOW / servo->period;
    double ratio;
    int low = 1 + (int)(log(response / edge) / log(RATIO_LOW));
    int high = 1 + (int)(log(BAND_HIGH / servo->period / response) / log(RATIO_HIGH));

    band->servo = *servo;
    low = clamp_int(low, 1, BAND_PANELS - 1);
    high = clamp_int(high, 1, BAND_PANELS - low);
    band->panels = low + high;
    ratio = pow(response / edge, 1.0 / low);
    for (int p = 0; p <= band->panels; p++) {
        band->edge[p] = edge;
        if (p == low)
            ratio = pow(BAND_HIGH / servo->period / edge, 1.0 / high);
        edge *= ratio;
    }
    for (int p = 0; p < band->panels; p++)
        fill_panel(servo, band->edge[p], band->edge[p + 1], &band->point[p * BAND_NODES]);
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
    double cutoff = 0.3 * (order + 1) * turbulence->speed;
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

/* Returns the integral of the spectrum times what the loop leaves of it, or times 1. */
static double integrate_points(const struct spectrum *spectrum, const struct band_point *point,
                               int count, double gain, bool corrected)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += point[i].weight * spectrum_at(spectrum, point[i].frequency, point[i].steep) *
               (corrected ? residual_at(&point[i], gain) : 1);
    return sum;
}

/* Likewise of a panel, in two parts because of the bend of the spectrum at its cut-off. */
static double integrate_bend(const struct spectrum *spectrum, const struct band *band, int panel,
                             double gain, bool corrected)
{
    struct band_point point[2 * BAND_NODES];

    fill_panel(&band->servo, band->edge[panel], spectrum->cutoff, point);
    fill_panel(&band->servo, spectrum->cutoff, band->edge[panel + 1], &point[BAND_NODES]);
    return integrate_points(spectrum, point, 2 * BAND_NODES, gain, corrected);
}

/* Returns the integral of the spectrum up to a frequency. */
static double integrate_below(const struct spectrum *spectrum, double frequency)
{
    double bend = smaller(frequency, spectrum->cutoff);
    double sum = bend / (spectrum->slope + 1) * pow(bend / spectrum->cutoff, spectrum->slope);

    if (frequency > bend)
        sum += bend * 3 / 14 * (1 - pow(bend / frequency, 14.0 / 3));
    return spectrum->level * sum *
           (spectrum->outer > 0 ? outer_scale_factor(spectrum, bend) : 1);
}

/* Below the band the loop leaves what it leaves at its lower end, above it all. */
static double integrate_turbulence(const struct band *band, double gain,
                                   const struct turbulence *turbulence, int order, bool corrected)
{
    const struct spectrum spectrum = find_spectrum(turbulence, order);
    double high = band->edge[band->panels];
    double sum = integrate_below(&spectrum, band->edge[0]) *
                 (corrected ? residual_at(&band->point[0], gain) : 1);
    int panel = 0;

    if (spectrum.cutoff <= band->edge[0])
        return sum + integrate_points(&spectrum, band->point, band->panels * BAND_NODES, gain,
                                      corrected);
    while (panel < band->panels && band->edge[panel + 1] < spectrum.cutoff)
        panel++;
    sum += integrate_points(&spectrum, band->point, panel * BAND_NODES, gain, corrected);
    if (panel < band->panels) {
        sum += integrate_bend(&spectrum, band, panel, gain, corrected);
        sum += integrate_points(&spectrum, &band->point[(panel + 1) * BAND_NODES],
                                (band->panels - panel - 1) * BAND_NODES, gain, corrected);
    } else {
        sum += spectrum.level * (spectrum.cutoff - high);
        high = spectrum.cutoff;
    }
    return sum + spectrum_at(&spectrum, high, pow(high, -17.0 / 3)) * high * 3 / 14;
}

double band_turbulence(const struct band *band, double gain, const struct turbulence *turbulence,
                       int order)
{
    return integrate_turbulence(band, gain, turbulence, order, true);
}

double turbulence_uncorrected(const struct band *band, const struct turbulence *turbulence,
                              int order)
{
    return integrate_turbulence(band, 0, turbulence, order, false);
}

/* Vibrations ----------------------------------------------------------------------------------- */

/* With x = f / f0 and tan(a) = (x - 1/x) / (2 damping), the spectrum of a vibration becomes
 * (2/pi) / (1 + x^2) da on -pi/2..pi/2. The panels shrink towards both ends, where x runs over
 * decades. */
void band_fill_vibration(struct band *band, const struct servo *servo,
                         const struct vibration *vibration)
{
    const struct lag lag = find_lag(servo);
    const int half = BAND_PANELS / 2;
    const double least = 1e-3 * vibration->damping;
    double ratio = pow(least / (pi / 2), 1.0 / (half - 1));

    band->servo = *servo;
    band->panels = 2 * half;
    for (int p = 0; p < band->panels; p++) {
        int step = p < half ? p : band->panels - 1 - p; /* 0 at an end */
        double outer = step == 0 ? 0 : pi / 2 * pow(ratio, half - step);
        double inner = pi / 2 * pow(ratio, half - 1 - step);

        for (int i = 0; i < BAND_NODES; i++) {
            struct band_point *point = &band->point[p * BAND_NODES + i];
            double rest = (outer + inner) / 2 + (inner - outer) / 2 * nodes[i];
            double slope = vibration->damping / tan(rest);
            double x = slope + sqrt(square(slope) + 1);

            if (p < half) /* below the resonance, where x is the inverse */
                x = 1 / x;
            sample_servo(servo, lag, vibration->frequency * x, point);
            point->weight = (inner - outer) / 2 * weights[i] * (2 / pi) / (1 + square(x));
        }
    }
}

double band_vibration(const struct band *band, double gain)
{
    double sum = 0;

    for (int i = 0; i < band->panels * BAND_NODES; i++)
        sum += band->point[i].weight * residual_at(&band->point[i], gain);
    return sum;
}
