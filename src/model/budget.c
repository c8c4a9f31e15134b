#include "model/budget.h"

#include <math.h>

#include "base/minimise.h"
#include "base/units.h"
#include "model/formulas.h"

#define GAIN_LOW 0.02 /* of the maximum gain, where the optimum is searched */
#define GAIN_HIGH 0.9
#define GAIN_STEP 1e-5

static enum status set_servo(struct budget *budget, const struct scenario *scenario,
                             const struct loop_result *loop, struct error *error)
{
    char exposure[40], period[40];

    budget->servo = (struct servo){
        .period = loop->sample_period,
        .exposure = loop->exposure,
        .delay = loop->delay,
        .leak = scenario->ao.controller == CONTROLLER_LEAKY ? scenario->ao.leak : 1,
        .gain = scenario->ao.gain,
    };
    if (loop->exposure > loop->sample_period * (1 + 1e-9)) {
        quantity_print(loop->exposure, "s", exposure, sizeof exposure);
        quantity_print(loop->sample_period, "s", period, sizeof period);
        return error_set(error, STATUS_INVALID,
                         "the exposure of %s is longer than the period of the loop, %s", exposure,
                         period);
    }
    if (loop->delay >= SERVO_FRAMES_MAX * loop->sample_period) {
        quantity_print(loop->delay, "s", exposure, sizeof exposure);
        quantity_print(loop->sample_period, "s", period, sizeof period);
        return error_set(error, STATUS_INVALID,
                         "the delay of %s from the end of the exposure is %.0f periods of %s; "
                         "allowed: less than %d",
                         exposure, floor(loop->delay / loop->sample_period), period,
                         SERVO_FRAMES_MAX);
    }
    budget->max_gain = servo_max_gain(&budget->servo);
    return STATUS_OK;
}

static void set_turbulence(struct budget *budget, const struct scenario *scenario)
{
    const struct ao *ao = &scenario->ao;
    struct atmosphere atmosphere = scenario->atmosphere;

    budget->turbulence_state = atmosphere.wind <= 0 ? TURBULENCE_NO_WIND
                               : ao->diameter <= 0  ? TURBULENCE_NO_DIAMETER
                                                    : TURBULENCE_KNOWN;
    budget->orders = turbulence_orders(ao->modes > 0 ? ao->modes : ao->actuators);
    if (budget->turbulence_state != TURBULENCE_KNOWN)
        return;
    atmosphere.wavelength = 500e-9; /* at which variances are rad^2 */
    budget->turbulence = (struct turbulence){
        .speed = atmosphere.wind / ao->diameter,
        .outer_speed = atmosphere.outer_scale > 0 ? atmosphere.wind / atmosphere.outer_scale : 0,
        .variance = pow(ao->diameter / formula_r0(&atmosphere), 5.0 / 3) *
                    square(atmosphere.wavelength / (2 * pi)),
    };
    band_fill(&budget->band, &budget->servo);
}

/* Returns the variance of turbulence, m^2, with a gain or, if that is 0, without correction. */
static double turbulence_variance(const struct budget *budget, double gain)
{
    double variance = turbulence_first_variance();
    double sum = 0;

    for (int n = 1; n <= budget->orders; n++) {
        sum += (n + 1) * variance *
               (gain > 0 ? band_turbulence(&budget->band, gain, &budget->turbulence, n)
                         : turbulence_uncorrected(&budget->band, &budget->turbulence, n));
        variance = turbulence_next_variance(n, variance);
    }
    return sum * budget->turbulence.variance;
}

static double vibration_variance(const struct budget *budget, int vibration, double gain)
{
    return square(budget->vibration[vibration].rms) *
           (gain > 0 ? band_vibration(&budget->vibration_band[vibration], gain) : 1);
}

/* Returns the variance of all known terms, m^2. */
static double total_variance(double gain, void *context)
{
    const struct budget *budget = context;
    double sum = 0;

    if (budget->turbulence_state == TURBULENCE_KNOWN)
        sum += turbulence_variance(budget, gain);
    for (int i = 0; i < budget->vibration_count; i++)
        sum += vibration_variance(budget, i, gain);
    return sum;
}

/* Returns true if no term that exists is unknown, so that there is a total. */
static bool has_total(const struct budget *budget)
{
    return budget->turbulence_state == TURBULENCE_KNOWN ||
           (budget->turbulence_state == TURBULENCE_NO_WIND && budget->vibration_count > 0);
}

static void set_gains(struct budget *budget)
{
    double low = GAIN_LOW * budget->max_gain;
    double high = GAIN_HIGH * budget->max_gain;
    double step = GAIN_STEP * budget->max_gain;
    double least;

    budget->optimum_gain = RESULT_NONE;
    if (has_total(budget))
        budget->optimum_gain = minimise_golden(low, high, step, total_variance, budget, &least);
    budget->optimum_is_end = has_total(budget) && (budget->optimum_gain < low + 2 * step ||
                                                   budget->optimum_gain > high - 2 * step);
    budget->gain_source = budget->servo.gain > 0 ? GAIN_STATED : GAIN_MARGIN;
    if (budget->gain_source == GAIN_MARGIN)
        budget->servo.gain = servo_margin_gain(&budget->servo, pi / 4);
    budget->stable = budget->servo.gain < budget->max_gain;
}

static void set_errors(struct budget *budget, const struct loop_result *loop)
{
    const struct error_term none = {RESULT_NONE, RESULT_NONE};
    double gain = budget->servo.gain;

    budget->lag = budget->total = none;
    budget->servo_lag_deviation = RESULT_NONE;
    if (budget->turbulence_state == TURBULENCE_KNOWN) {
        budget->lag.before = sqrt(turbulence_variance(budget, 0));
        if (budget->stable) {
            budget->lag.after = sqrt(turbulence_variance(budget, gain));
            if (budget->lag.after > 0)
                budget->servo_lag_deviation = loop->servo_lag / budget->lag.after - 1;
        }
    }
    for (int i = 0; i < budget->vibration_count; i++) {
        budget->vibration_error[i].before = budget->vibration[i].rms;
        budget->vibration_error[i].after =
            budget->stable ? sqrt(vibration_variance(budget, i, gain)) : RESULT_NONE;
    }
    if (!has_total(budget))
        return;
    budget->total.before = sqrt(total_variance(0, budget));
    if (budget->stable)
        budget->total.after = sqrt(total_variance(gain, budget));
}

enum status budget_fill(struct budget *budget, const struct scenario *scenario,
                        const struct result *result, struct error *error)
{
    if (set_servo(budget, scenario, &result->loop, error) != STATUS_OK ||
        vibrations_read(scenario->ao.vibrations, budget->vibration, &budget->vibration_count,
                        error) != STATUS_OK)
        return STATUS_INVALID;
    set_turbulence(budget, scenario);
    for (int i = 0; i < budget->vibration_count; i++)
        band_fill_vibration(&budget->vibration_band[i], &budget->servo, &budget->vibration[i]);
    set_gains(budget);
    if (budget->stable) {
        budget->noise_gain = servo_noise_gain(&budget->servo);
        budget->margins = servo_margins(&budget->servo);
    }
    set_errors(budget, &result->loop);
    return STATUS_OK;
}
