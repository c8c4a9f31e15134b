#include "model/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/minimise.h"
#include "base/number.h"
#include "base/units.h"
#include "model/formulas.h"

#define GAIN_LOW 0.02 /* of the maximum gain, where the optimum without margins is searched */
#define GAIN_HIGH 0.9
#define GAIN_STEP 1e-5
#define PUPIL_AREA 0.9 /* of a disc, at least: the rest may be obscured */
#define GROWTH 1.01    /* of the total, whose delay is searched */
#define SECANTS 12
#define SECANT_TOLERANCE 1e-9 /* s */
#define PID_STEP 0.5 /* of the proportional and the derivative gain, over that of the integral */
#define PID_TOLERANCE 0.01
#define PID_MOST 100           /* as of the knobs */
#define GROWS_FROM 0.3         /* of the period: a delay from which the total grows */
#define TURBULENCE_DAMPING 0.9 /* of the oscillator that stands for turbulence in a filter */

/* What a filter and the search for a gain take, in steps of some 100 ns (base/progress.h). */
#define FILTER_STEPS 1000
#define GAIN_STEPS 500

static const double fitting_coefficients[] = {[SURFACE_CONTINUOUS] = 0.28,
                                              [SURFACE_SQUARE] = 0.23,
                                              [SURFACE_SEGMENTS] = 0.18,
                                              [SURFACE_PISTONS] = 1.26};

static const struct error_term no_term = {RESULT_NONE, RESULT_NONE};

/* Inputs --------------------------------------------------------------------------------------- */

/* Returns the mirror whose correction comes last, NULL without mirrors. */
static const struct component *last_mirror(const struct scenario *scenario,
                                           const struct result *result)
{
    const struct dm_result *last = NULL;

    for (int i = 0; i < result->dm_count; i++)
        if (last == NULL || result->dm[i].correction > last->correction)
            last = &result->dm[i];
    return last == NULL ? NULL : &scenario->component[last->component];
}

/* Returns a camera whose stated exposure is the one of the loop; NULL: none is. */
static const struct component *exposed_camera(const struct scenario *scenario, double exposure)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CAMERA &&
            scenario->component[c].exposure == exposure)
            return &scenario->component[c];
    return NULL;
}

static enum status refuse_exposure(const struct scenario *scenario, double exposure,
                                   const char *period, struct error *error)
{
    const struct component *camera = exposed_camera(scenario, exposure);
    char text[40];

    quantity_print(exposure, "s", text, sizeof text);
    if (camera == NULL)
        return error_set(error, STATUS_INVALID,
                         "the exposure of %s is longer than the period of the loop, %s", text,
                         period);
    return error_set(error, STATUS_INVALID,
                     "component.%s.exposure is %s; allowed in this loop: at most its period, %s",
                     camera->head.name, text, period);
}

/* Checks that the loop can be described. */
static enum status check_servo(const struct servo *servo, const struct scenario *scenario,
                               const struct component *mirror, struct error *error)
{
    const bool slow = mirror != NULL && mirror->bandwidth > 0 &&
                      mirror->bandwidth * servo->period < BUDGET_BANDWIDTH_MIN;
    char first[40], period[40];

    if (servo->exposure <= servo->period * (1 + 1e-9) &&
        servo->delay < SERVO_FRAMES_MAX * servo->period && !slow)
        return STATUS_OK;
    quantity_print(servo->period, "s", period, sizeof period);
    if (servo->exposure > servo->period * (1 + 1e-9))
        return refuse_exposure(scenario, servo->exposure, period, error);
    if (servo->delay >= SERVO_FRAMES_MAX * servo->period) {
        quantity_print(servo->delay, "s", first, sizeof first);
        return error_set(error, STATUS_INVALID,
                         "%sthe delay of %s from the end of the exposure is %.0f periods of %s; "
                         "allowed: less than %d",
                         scenario->ao.rtc_latency > 0 ? "ao.rtc_latency: " : "", first,
                         floor(servo->delay / servo->period), period, SERVO_FRAMES_MAX);
    }
    quantity_print(mirror->bandwidth, "Hz", first, sizeof first);
    quantity_print(BUDGET_BANDWIDTH_MIN / servo->period, "Hz", period, sizeof period);
    return error_set(error, STATUS_INVALID,
                     "component.%s.bandwidth is %s; allowed in this loop: 0 or at least %s",
                     mirror->head.name, first, period);
}

/* Returns the loop of an evaluated design, and its mirror, which may be NULL. */
static struct servo find_servo(const struct scenario *scenario, const struct result *result,
                               const struct component **mirror)
{
    const struct ao *ao = &scenario->ao;
    const struct loop_result *loop = &result->loop;
    struct servo servo = {
        .period = loop->sample_period,
        .exposure = loop->exposure,
        .delay = loop->delay,
        .leak = 1,
        .gain = ao->gain,
    };

    *mirror = last_mirror(scenario, result);
    if (ao->controller == CONTROLLER_LEAKY)
        servo.leak = ao->leak;
    if (ao->controller == CONTROLLER_PID) {
        servo.proportional = ao->proportional;
        servo.derivative = ao->derivative;
    }
    if (*mirror != NULL &&
        (*mirror)->bandwidth > 0) { /* whose lag the delay of the loop includes */
        servo.mirror = (struct mirror){(*mirror)->bandwidth, (*mirror)->damping};
        servo.delay = larger(0, servo.delay - formula_mirror_lag(*mirror));
    }
    return servo;
}

static enum status set_servo(struct budget *budget, const struct scenario *scenario,
                             const struct result *result, struct error *error)
{
    const struct ao *ao = &scenario->ao;
    const struct component *mirror;

    budget->controller = (enum controller)ao->controller;
    budget->lqg.count = 0;
    budget->phase_margin = ao->phase_margin;
    budget->gain_margin = ao->gain_margin;
    budget->servo = find_servo(scenario, result, &mirror);
    return check_servo(&budget->servo, scenario, mirror, error);
}

bool budget_may_grow(const struct scenario *scenario, const struct result *result,
                     struct servo *servo)
{
    const struct ao *ao = &scenario->ao;
    const struct component *mirror;

    if (ao->gain != 0 || ao->gains == GAINS_PER_ORDER || ao->controller != CONTROLLER_INTEGRATOR ||
        ao->vibrations[0] != '\0')
        return false;
    *servo = find_servo(scenario, result, &mirror);
    if (!budget_has_star(scenario) &&
        (servo->exposure < servo->period * (1 - 1e-9) || servo->delay < GROWS_FROM * servo->period))
        return false;
    return check_servo(servo, scenario, mirror, NULL) == STATUS_OK;
}

/* Returns the variance of a mode with a variance of 1 in (D/r0)^(5/3) rad^2 at 500 nm, m^2. */
static double unit_variance(const struct scenario *scenario, double r0)
{
    return pow(scenario->ao.diameter / r0, 5.0 / 3) * square(500e-9 / (2 * pi));
}

static void set_turbulence(struct budget *budget, const struct scenario *scenario)
{
    const struct ao *ao = &scenario->ao;
    struct atmosphere atmosphere = scenario->atmosphere;

    atmosphere.wavelength = 500e-9; /* at which variances are rad^2 */
    budget->r0 = formula_r0(&atmosphere);
    budget->turbulence_state = ao->diameter <= 0      ? TURBULENCE_NO_DIAMETER
                               : atmosphere.wind <= 0 ? TURBULENCE_NO_WIND
                                                      : TURBULENCE_KNOWN;
    budget->orders = turbulence_orders(ao->modes > 0 ? ao->modes : ao->actuators);
    budget->orders = clamp_int(budget->orders, 0, BUDGET_ORDERS_MAX);
    if (budget->turbulence_state != TURBULENCE_KNOWN)
        return;
    budget->turbulence = (struct turbulence){
        .speed = atmosphere.wind / ao->diameter,
        .outer_speed = atmosphere.outer_scale > 0 ? atmosphere.wind / atmosphere.outer_scale : 0,
        .variance = unit_variance(scenario, budget->r0),
    };
}

int budget_wfs(const struct scenario *scenario)
{
    int chosen = -1;

    for (int w = 0; w < scenario->wfs_count; w++) {
        const struct wfs *wfs = &scenario->wfs[w];

        if (chosen < 0 || wfs->rate_divisor < scenario->wfs[chosen].rate_divisor ||
            (wfs->rate_divisor == scenario->wfs[chosen].rate_divisor &&
             sensor_has_star(scenario, w) && !sensor_has_star(scenario, chosen)))
            chosen = w;
    }
    return chosen;
}

bool budget_has_star(const struct scenario *scenario)
{
    const int wfs = budget_wfs(scenario);

    return wfs >= 0 && sensor_has_star(scenario, wfs);
}

static void set_sensor(struct budget *budget, const struct scenario *scenario,
                       const struct result *result)
{
    int chosen = budget_wfs(scenario);

    budget->wfs = chosen;
    budget->sensor = (struct sensor){.state = STAR_NO_SENSOR};
    if (chosen >= 0)
        sensor_set(&budget->sensor, scenario, chosen, budget->servo.exposure, budget->r0,
                   result->wfs[chosen].subaps);
}

/* Sets the pitch of the mirror with the most actuators: as stated, else the coarser of the
 * subapertures and of as many actuators as there are modes. */
static void set_mirror(struct budget *budget, const struct scenario *scenario)
{
    const struct component *mirror;
    double diameter = scenario->ao.diameter;
    double modes, most = -1;

    budget->mirror = -1;
    budget->pitch = 0;
    budget->mirror_orders = budget->orders;
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_DM && scenario_actuators(scenario, c) > most) {
            most = scenario_actuators(scenario, c);
            budget->mirror = c;
        }
    if (budget->mirror < 0)
        return;
    mirror = &scenario->component[budget->mirror];
    budget->fitting_coefficient = fitting_coefficients[mirror->surface];
    modes = scenario->ao.modes > 0 ? scenario->ao.modes : most;
    budget->pitch = mirror->pitch > 0
                        ? mirror->pitch
                        : larger(diameter * sqrt(pi / 4 / modes), budget->sensor.size);
    if (mirror->pitch > 0)
        budget->mirror_orders =
            clamp_int(turbulence_orders(PUPIL_AREA * pi / 4 * square(diameter / mirror->pitch)),
                      budget->orders, BUDGET_ORDERS_MAX);
}

/* Returns true if all orders have filters, and no gain. */
static bool is_lqg(const struct budget *budget)
{
    return budget->controller == CONTROLLER_LQG;
}

static bool is_filtered(const struct budget *budget, int order)
{
    return is_lqg(budget) || (budget->controller == CONTROLLER_LQG_TIP_TILT && order == 1);
}

/* Designs the filter of a radial order, whose modes have a variance in (D/r0)^(5/3) rad^2, and
 * closes the loop with it. Without a star the noise of the measurement is not known and taken as 0.
 */
static void design_filter(struct budget *budget, struct servo *servo, int order, double variance)
{
    const struct turbulence *turbulence = &budget->turbulence;
    struct disturbance list[LQG_DISTURBANCES_MAX];
    double noise = 0;
    int count = 0;

    if (budget->turbulence_state == TURBULENCE_KNOWN)
        list[count++] = (struct disturbance){
            turbulence_cutoff(turbulence, order), TURBULENCE_DAMPING,
            turbulence_left(turbulence, order) * variance * turbulence->variance};
    for (int i = 0; i < budget->vibration_count && order == 1; i++)
        list[count++] =
            (struct disturbance){budget->vibration[i].frequency, budget->vibration[i].damping,
                                 square(budget->vibration[i].rms)};
    if (budget->sensor.state == STAR_KNOWN)
        noise = sensor_mode_variance(&budget->sensor, order);
    lqg_design(&budget->lqg, list, count, servo->period, servo_horizon(servo), noise);
    servo->lqg = &budget->lqg;
    band_fill(&budget->band, servo, NULL);
}

/* Designs the filters of all radial orders that have one; that of tip and tilt remains, and the
 * loop that it closes is returned. */
static struct servo set_filters(struct budget *budget)
{
    struct servo servo = budget->servo;
    double variance = turbulence_first_variance();

    servo.gain = 1;
    for (int n = 1;
         n <= budget->orders && is_filtered(budget, n) &&
         budget->turbulence_state == TURBULENCE_KNOWN && pace_step(budget->pace, FILTER_STEPS);
         n++) {
        design_filter(budget, &servo, n, variance);
        budget->filtered[n] = (struct filtered){
            band_turbulence(&budget->band, 1, &budget->turbulence, n), servo_noise_gain(&servo)};
        variance = turbulence_next_variance(n, variance);
    }
    design_filter(budget, &servo, 1, turbulence_first_variance());
    if (budget->turbulence_state != TURBULENCE_KNOWN) /* no other order has a disturbance */
        for (int n = 1; n <= budget->orders; n++)
            budget->filtered[n] = (struct filtered){0, n == 1 ? servo_noise_gain(&servo) : 0};
    return servo;
}

/* Sets the largest gain that has both margins, and which of them limits it. Where gains up to 0.9
 * of the maximum have both, that does. */
static void set_limit(struct budget *budget)
{
    const double phase_gain = budget->phase_margin > 0
                                  ? servo_margin_gain(&budget->servo, budget->phase_margin)
                                  : budget->max_gain;
    const struct {
        double gain;
        enum gain_source source;
    } limits[] = {{GAIN_HIGH * budget->max_gain, GAIN_MOST},
                  {budget->max_gain / budget->gain_margin, GAIN_GAIN_MARGIN},
                  {phase_gain, GAIN_PHASE_MARGIN}};

    budget->limit_gain = INFINITY;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].gain < budget->limit_gain) {
            budget->limit_gain = limits[i].gain;
            budget->limit_source = limits[i].source;
        }
}

/* Sets the delay and what depends on it. */
static void set_delay(struct budget *budget, double delay)
{
    struct servo first; /* the loop of tip and tilt */

    budget->servo.delay = delay;
    budget->max_gain = budget->limit_gain = RESULT_NONE;
    first = is_filtered(budget, 1) ? set_filters(budget) : budget->servo;
    if (is_lqg(budget))
        budget->servo = first;
    else {
        budget->max_gain = servo_max_gain(&budget->servo);
        set_limit(budget);
    }
    budget->least_gain = GAIN_LOW * budget->max_gain;
    budget->most_gain = GAIN_HIGH * budget->max_gain;
    if (budget->turbulence_state == TURBULENCE_KNOWN && !is_lqg(budget)) {
        band_fill(&budget->band, &budget->servo, budget->kept);
        band_weigh(&budget->band, &budget->turbulence, is_filtered(budget, 1) ? 2 : 1,
                   budget->orders, budget->kept, &budget->modes);
    }
    for (int i = 0; i < budget->vibration_count; i++)
        band_fill_vibration(&budget->vibration_band[i], &first, &budget->vibration[i], i,
                            budget->kept);
}

/* Variances, m^2 ------------------------------------------------------------------------------- */

static double gain_of(const struct gains *gains, int order)
{
    return gains->per_order ? gains->order[order] : gains->common;
}

/* Returns the gain of the loop of tip and tilt, which a filter does not have. */
static double first_gain(const struct budget *budget, const struct gains *gains)
{
    return is_filtered(budget, 1) ? 1 : gain_of(gains, 1);
}

static double noise_gain(const struct budget *budget, double gain)
{
    struct servo servo = budget->servo;

    servo.gain = gain;
    return servo_noise_gain(&servo);
}

/* Returns the variance that the loop leaves of an order, whose modes have a variance. */
static double order_variance(const struct budget *budget, int order, double variance, double gain)
{
    return (order + 1) * variance * budget->turbulence.variance *
           (is_filtered(budget, order)
                ? budget->filtered[order].residual
                : band_turbulence(&budget->band, gain, &budget->turbulence, order));
}

/* Returns the turbulence of all modes. */
static double turbulence_variance(const struct budget *budget, const struct gains *gains)
{
    bool all = gains->per_order || is_lqg(budget);
    int last = all ? budget->orders : is_filtered(budget, 1) ? 1 : 0;
    double variance = turbulence_first_variance();
    double sum = all ? 0 : band_residual(&budget->band, &budget->modes, gains->common);

    for (int n = 1; n <= last; n++) {
        sum += order_variance(budget, n, variance, gain_of(gains, n));
        variance = turbulence_next_variance(n, variance);
    }
    return sum;
}

/* Returns the noise of one measurement of an order's modes, m^2. */
static double measured_noise(const struct budget *budget, int order)
{
    return (order + 1) * sensor_mode_variance(&budget->sensor, order);
}

/* Sums the noise of the modes whose loops share a gain: it does not depend on that. */
static void set_shared_noise(struct budget *budget)
{
    budget->shared_noise = 0;
    for (int n = 1; n <= budget->orders && budget->sensor.state == STAR_KNOWN; n++)
        budget->shared_noise += is_filtered(budget, n) ? 0 : measured_noise(budget, n);
}

static double noise_variance(const struct budget *budget, const struct gains *gains)
{
    bool all = gains->per_order || is_lqg(budget);
    int last = all ? budget->orders : is_filtered(budget, 1) ? 1 : 0;
    double sum = all ? 0 : budget->shared_noise * noise_gain(budget, gains->common);

    for (int n = 1; n <= last; n++)
        sum += measured_noise(budget, n) * (is_filtered(budget, n)
                                                ? budget->filtered[n].noise_gain
                                                : noise_gain(budget, gains->order[n]));
    return sum;
}

static double vibration_variance(const struct budget *budget, int vibration, double gain)
{
    return square(budget->vibration[vibration].rms) *
           band_vibration(&budget->vibration_band[vibration], gain);
}

static double vibrations_variance(const struct budget *budget, double gain)
{
    double sum = 0;

    for (int i = 0; i < budget->vibration_count; i++)
        sum += vibration_variance(budget, i, gain);
    return sum;
}

/* Returns the variance of what does not depend on the loop. */
static double static_variance(const struct budget *budget)
{
    return (budget->fitting.after != RESULT_NONE ? square(budget->fitting.after) : 0) +
           (budget->aliasing.after != RESULT_NONE ? square(budget->aliasing.after) : 0) +
           (budget->other.after != RESULT_NONE ? square(budget->other.after) : 0);
}

/* Returns the variance of all known terms. */
static double total_variance(const struct budget *budget, const struct gains *gains)
{
    double sum = static_variance(budget) + vibrations_variance(budget, first_gain(budget, gains));

    if (budget->turbulence_state == TURBULENCE_KNOWN)
        sum += turbulence_variance(budget, gains);
    if (budget->sensor.state == STAR_KNOWN)
        sum += noise_variance(budget, gains);
    return sum;
}

/* Returns true if a term depends on the gain, and no term that exists is unknown. */
static bool has_optimum(const struct budget *budget)
{
    if (budget->turbulence_state == TURBULENCE_NO_DIAMETER)
        return false;
    if (budget->vibration_count > 0)
        return true;
    return budget->orders > 0 &&
           (budget->turbulence_state == TURBULENCE_KNOWN || budget->sensor.state == STAR_KNOWN);
}

/* Returns true if no term that exists is unknown, so that there is a total. */
static bool has_total(const struct budget *budget)
{
    return has_optimum(budget) || budget->turbulence_state == TURBULENCE_KNOWN ||
           (budget->turbulence_state == TURBULENCE_NO_WIND &&
            (budget->fitting.after != RESULT_NONE || budget->aliasing.after != RESULT_NONE));
}

static bool is_stable(const struct budget *budget, const struct gains *gains)
{
    if (is_lqg(budget))
        return true;
    if (!gains->per_order)
        return gains->common < budget->max_gain;
    for (int n = 1; n <= budget->orders; n++)
        if (!is_filtered(budget, n) && gains->order[n] >= budget->max_gain)
            return false;
    return true;
}

/* Returns the total, m. */
static double find_total(const struct budget *budget, const struct gains *gains)
{
    return has_total(budget) && is_stable(budget, gains) ? sqrt(total_variance(budget, gains))
                                                         : RESULT_NONE;
}

double budget_total(const struct budget *budget, double gain)
{
    const struct gains gains = {.common = gain};

    return find_total(budget, &gains);
}

/* Optimum gains -------------------------------------------------------------------------------- */

struct gain_search {
    const struct budget *budget;
    int order;                 /* 0: all */
    struct band_weights modes; /* of the order */
};

static double variance_with(double gain, void *context)
{
    const struct gain_search *search = context;
    const struct budget *budget = search->budget;
    const struct gains gains = {.common = gain};
    double sum = 0;

    if (search->order == 0)
        return total_variance(budget, &gains);
    if (budget->sensor.state == STAR_KNOWN)
        sum += (search->order + 1) * sensor_mode_variance(&budget->sensor, search->order) *
               noise_gain(budget, gain);
    if (budget->turbulence_state == TURBULENCE_KNOWN)
        sum += band_residual(&budget->band, &search->modes, gain);
    return search->order == 1 ? sum + vibrations_variance(budget, gain) : sum;
}

/* Returns the gain with the least variance. */
static double find_gain(struct gain_search *search)
{
    const struct budget *budget = search->budget;
    double gain, least;

    if (search->order > 0 && budget->turbulence_state == TURBULENCE_KNOWN)
        band_weigh(&budget->band, &budget->turbulence, search->order, search->order, NULL,
                   &search->modes);
    gain = minimise_unimodal(budget->least_gain, budget->most_gain, GAIN_STEP * budget->max_gain,
                             variance_with, search, &least);
    for (int end = 0; end < 2; end++) { /* which is approached only */
        double at = end == 0 ? budget->least_gain : budget->most_gain;

        if (fabs(gain - at) < 2 * GAIN_STEP * budget->max_gain &&
            variance_with(at, search) <= least)
            gain = at;
    }
    return gain;
}

/* Lowers gains to the largest within the margins: the variance falls up to the optimum. Returns
 * whether one was above. */
static bool limit_gains(const struct budget *budget, struct gains *gains)
{
    bool limited = gains->common > budget->limit_gain;

    gains->common = smaller(gains->common, budget->limit_gain);
    for (int n = 1; n <= budget->orders && gains->per_order; n++) {
        limited |= gains->order[n] > budget->limit_gain;
        gains->order[n] = smaller(gains->order[n], budget->limit_gain);
    }
    return limited;
}

static void find_optimum(const struct budget *budget, bool per_order, struct optimum *optimum)
{
    struct gain_search search = {.budget = budget, .order = per_order ? 1 : 0};
    struct gains within;
    int next = 2;

    optimum->gains.per_order = per_order;
    optimum->total = optimum->within = RESULT_NONE;
    optimum->limited = false;
    optimum->gains.common = RESULT_NONE;
    optimum->is_end = optimum->is_least = false;
    if (!has_optimum(budget) || (per_order && budget->orders == 0))
        return;
    if (is_lqg(budget)) { /* whose filters are the optimum */
        optimum->total = optimum->within = per_order ? RESULT_NONE : budget_total(budget, 1);
        return;
    }
    if (per_order && is_filtered(budget, 1)) /* order 2 is the first with a gain */
        search.order = next++;
    optimum->gains.common = find_gain(&search);
    optimum->is_least = optimum->gains.common == budget->least_gain;
    optimum->is_end = optimum->is_least || optimum->gains.common == budget->most_gain;
    optimum->gains.order[1] = is_filtered(budget, 1) ? RESULT_NONE : optimum->gains.common;
    optimum->gains.order[next - 1] = optimum->gains.common;
    for (int n = next; n <= budget->orders && per_order; n++) {
        if (!pace_step(budget->pace, GAIN_STEPS))
            return;
        search.order = n;
        optimum->gains.order[n] = find_gain(&search);
    }
    within = optimum->gains;
    optimum->limited = limit_gains(budget, &within);
    optimum->total = optimum->within = find_total(budget, &optimum->gains);
    if (optimum->limited)
        optimum->within = find_total(budget, &within);
}

static void set_gains(struct budget *budget, const struct scenario *scenario)
{
    bool per_order = scenario->ao.gains == GAINS_PER_ORDER && budget->orders > 0;
    struct optimum *optimum = per_order ? &budget->order_optimum : &budget->optimum;

    budget->margin_cost = RESULT_NONE;
    budget->gains.per_order = false;
    budget->gains.common = scenario->ao.gain;
    budget->gain_source = GAIN_STATED;
    if (is_lqg(budget)) {
        budget->gains.common = 1;
        budget->gain_source = GAIN_FILTER;
    } else if (scenario->ao.gain == 0 && budget->sensor.state == STAR_KNOWN &&
               has_optimum(budget)) {
        find_optimum(budget, per_order, optimum);
        budget->gains = optimum->gains;
        budget->gain_source =
            limit_gains(budget, &budget->gains) ? budget->limit_source : GAIN_OPTIMUM;
        if (optimum->total != RESULT_NONE)
            budget->margin_cost = optimum->within - optimum->total;
    } else if (scenario->ao.gain == 0) { /* the noise is not known */
        budget->gains.common = budget->limit_gain;
        budget->gain_source = budget->limit_source;
    }
    budget->servo.gain = budget->gains.common;
    for (int n = 2; n <= budget->orders && budget->gains.per_order; n++)
        budget->servo.gain = larger(budget->servo.gain, budget->gains.order[n]);
    budget->stable = is_stable(budget, &budget->gains);
}

/* Terms ---------------------------------------------------------------------------------------- */

static double turbulence_error(double coefficient, double size, double r0)
{
    return sqrt(coefficient * pow(size / r0, 5.0 / 3)) * 500e-9 / (2 * pi);
}

/* Sets what does not depend on the loop, nor on the wind. */
static void set_static_terms(struct budget *budget, const struct scenario *scenario)
{
    const double outer_scale = scenario->atmosphere.outer_scale;
    const struct turbulence spatial = {/* whose variance no wind changes */
                                       .speed = 1 / scenario->ao.diameter,
                                       .outer_speed = outer_scale > 0 ? 1 / outer_scale : 0,
                                       .variance = unit_variance(scenario, budget->r0)};
    const double other = scenario->ao.other_errors;

    budget->fitting = budget->aliasing = budget->other = no_term;
    if (other > 0)
        budget->other = (struct error_term){other, other};
    if (budget->turbulence_state == TURBULENCE_NO_DIAMETER)
        return;
    if (budget->pitch > 0) {
        budget->fitting.after =
            turbulence_error(budget->fitting_coefficient, budget->pitch, budget->r0);
        if (budget->mirror_orders > budget->orders)
            budget->fitting.after =
                sqrt(square(budget->fitting.after) +
                     turbulence_uncorrected(&spatial, budget->orders + 1, budget->mirror_orders));
        budget->fitting.before = budget->fitting.after;
    }
    if (budget->wfs >= 0)
        budget->aliasing.after =
            turbulence_error(budget->sensor.aliasing, budget->sensor.size, budget->r0);
}

static void set_loop_terms(struct budget *budget)
{
    double gain = first_gain(budget, &budget->gains);
    double sum = 0;

    budget->lag = budget->noise = budget->vibrations = budget->total = no_term;
    for (int i = 0; i < budget->vibration_count; i++)
        budget->vibration_error[i] = (struct error_term){budget->vibration[i].rms, RESULT_NONE};
    budget->strehl = RESULT_NONE;
    if (!budget->stable)
        return;
    if (budget->turbulence_state == TURBULENCE_KNOWN)
        budget->lag.after = sqrt(turbulence_variance(budget, &budget->gains));
    if (budget->sensor.state == STAR_KNOWN)
        budget->noise.after = sqrt(noise_variance(budget, &budget->gains));
    for (int i = 0; i < budget->vibration_count; i++)
        budget->vibration_error[i].after = sqrt(vibration_variance(budget, i, gain));
    if (budget->vibration_count > 0)
        budget->vibrations.after = sqrt(vibrations_variance(budget, gain));
    if (!has_total(budget))
        return;
    /* not by hypot, whose last bit differs between machines */
    for (int t = 0; t < 6; t++) {
        const struct error_term *const terms[] = {&budget->fitting,    &budget->aliasing,
                                                  &budget->lag,        &budget->noise,
                                                  &budget->vibrations, &budget->other};

        if (terms[t]->after != RESULT_NONE)
            sum += square(terms[t]->after);
    }
    budget->total.after = sqrt(sum);
    budget->strehl = exp(-square(2 * pi * budget->total.after / budget->wavelength));
}

static void set_open_loop(struct budget *budget)
{
    struct band_weights modes = {.above = 0};
    double sum = 0, shaken = 0;

    if (budget->turbulence_state == TURBULENCE_KNOWN) {
        band_weigh(&budget->band, &budget->turbulence, 1, budget->orders, NULL, &modes);
        sum = band_uncorrected(&budget->band, &modes);
        budget->lag.before = sqrt(sum);
    }
    for (int i = 0; i < budget->vibration_count; i++)
        shaken += square(budget->vibration[i].rms);
    if (budget->vibration_count > 0)
        budget->vibrations.before = sqrt(shaken);
    sum += shaken;
    if (budget->fitting.before != RESULT_NONE)
        sum += square(budget->fitting.before);
    if (budget->other.before != RESULT_NONE)
        sum += square(budget->other.before);
    if (budget->turbulence_state == TURBULENCE_KNOWN)
        budget->total.before = sqrt(sum);
}

/* Other delays --------------------------------------------------------------------------------- */

/* The present delay and what the total is with gains adapted to it, with which others are compared.
 * Without a star the optimum would be a gain just below the maximum, with which no loop is run. */
struct present {
    double delay;
    double least_gain;
    bool per_order;
    double total; /* RESULT_NONE: nothing is compared */
};

/* Returns true if gains are adapted to a delay as those of a loop without a star. */
static bool adapts_without_star(const struct budget *budget)
{
    return budget->sensor.state != STAR_KNOWN && !is_lqg(budget);
}

/* Returns the total with gains adapted to the delay that is set, m. */
static double adapted_total(const struct budget *budget, const struct optimum *optimum)
{
    return adapts_without_star(budget) ? budget_total(budget, budget->limit_gain) : optimum->within;
}

/* Returns the total with gains adapted to a delay, m, and that with the gains in force. The least
 * gain is that of the present delay. */
static double total_after(struct budget *budget, const struct present *present, double delay,
                          double *fixed)
{
    struct optimum optimum;

    set_delay(budget, delay);
    budget->least_gain = smaller(present->least_gain, budget->most_gain / 2);
    if (!adapts_without_star(budget))
        find_optimum(budget, present->per_order, &optimum);
    *fixed = is_filtered(budget, 1) ? RESULT_NONE /* of filters for another delay */
                                    : find_total(budget, &budget->gains);
    return adapted_total(budget, &optimum);
}

static struct delay_change find_change(struct budget *budget, const struct present *present,
                                       double delay)
{
    struct delay_change change = {RESULT_NONE, RESULT_NONE};
    double fixed, total;

    if (present->total == RESULT_NONE || delay < 0 ||
        delay >= SERVO_FRAMES_MAX * budget->servo.period)
        return change;
    total = total_after(budget, present, delay, &fixed);
    change.adapted = total - present->total;
    if (fixed != RESULT_NONE && budget->stable)
        change.fixed = fixed - budget->total.after;
    return change;
}

/* Finds the delay at which the total has grown, by secants from a first slope, m/s. */
static double find_growth(struct budget *budget, const struct present *present, double slope)
{
    const double most = SERVO_FRAMES_MAX * budget->servo.period * (1 - 1e-12);
    double at = present->delay;
    double total = present->total;

    for (int i = 0; i < SECANTS && slope > 0 && pace_step(budget->pace, GAIN_STEPS); i++) {
        double next = at + (GROWTH * present->total - total) / slope;
        double there, fixed;

        if (!(next > present->delay && next < most))
            return RESULT_NONE;
        if (fabs(next - at) < SECANT_TOLERANCE)
            return next;
        there = total_after(budget, present, next, &fixed);
        slope = (there - total) / (next - at);
        at = next;
        total = there;
    }
    return RESULT_NONE;
}

/* Sets what other delays change; the present delay is set again at the end. */
static void set_changes(struct budget *budget, bool per_order, bool all)
{
    struct optimum *optimum = per_order ? &budget->order_optimum : &budget->optimum;
    struct present present = {
        .delay = budget->servo.delay,
        .least_gain = budget->least_gain,
        .per_order = per_order,
    };

    if ((all || !per_order) && budget->optimum.total == RESULT_NONE)
        find_optimum(budget, false, &budget->optimum);
    if ((all || per_order) && budget->order_optimum.total == RESULT_NONE)
        find_optimum(budget, true, &budget->order_optimum);
    budget->adapted_source = is_lqg(budget) ? GAIN_FILTER
                             : optimum->limited || adapts_without_star(budget)
                                 ? budget->limit_source
                                 : GAIN_OPTIMUM;
    /* without wind the least gain of all would be the best, for noise alone */
    present.total =
        budget->turbulence_state == TURBULENCE_KNOWN ? adapted_total(budget, optimum) : RESULT_NONE;
    budget->longer = find_change(budget, &present, present.delay + BUDGET_SHIFT);
    if (all)
        budget->shorter = find_change(budget, &present, present.delay - BUDGET_SHIFT);
    if (all && budget->longer.adapted != RESULT_NONE)
        budget->one_percent = find_growth(budget, &present, budget->longer.adapted / BUDGET_SHIFT);
    set_delay(budget, present.delay);
}

/* Curves --------------------------------------------------------------------------------------- */

#define CURVE_DECADES 3.7 /* below half the frame rate */

enum { CURVE_STEPS = 160, CURVE_ASIDE = 4 };

/* Returns what the loop of an order leaves of the power at a frequency; with LQG that of tip and
 * tilt stands for all. */
static double power_left(const struct budget *budget, int order, double frequency)
{
    struct servo servo = budget->servo;

    servo.gain = gain_of(&budget->gains, order);
    if (is_filtered(budget, order)) {
        servo.lqg = &budget->lqg;
        servo.gain = 1;
    }
    return square(servo_rejection(&servo, frequency));
}

/* Adds the spectra at a frequency, m^2/Hz. */
static void add_spectra(const struct budget *budget, double frequency, double *before,
                        double *after)
{
    double variance = turbulence_first_variance();
    double left = power_left(budget, 1, frequency);

    *before = *after = 0;
    for (int i = 0; i < budget->vibration_count; i++) {
        double density =
            square(budget->vibration[i].rms) * vibration_density(&budget->vibration[i], frequency);

        *before += density;
        *after += density * left;
    }
    if (budget->turbulence_state != TURBULENCE_KNOWN)
        return;
    for (int n = 1; n <= budget->orders; n++) {
        double density = (n + 1) * variance * budget->turbulence.variance *
                         turbulence_density(&budget->turbulence, n, frequency);

        if (n > 1 && (budget->gains.per_order || (n == 2 && !is_lqg(budget))))
            left = power_left(budget, n, frequency);
        *before += density;
        *after += density * left;
        variance = turbulence_next_variance(n, variance);
    }
}

static int compare_frequencies(const void *a, const void *b)
{
    const double *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* Fills in frequencies evenly in the logarithm, and some around the peak of each vibration. */
static void set_frequencies(const struct budget *budget, struct loop_curves *curves)
{
    const double most = 0.5 / budget->servo.period;

    for (int i = 0; i <= CURVE_STEPS; i++)
        curves->frequency[curves->count++] =
            most * pow(10, CURVE_DECADES * (i - CURVE_STEPS) / CURVE_STEPS);
    for (int v = 0; v < budget->vibration_count; v++)
        for (int i = -CURVE_ASIDE; i <= CURVE_ASIDE; i++) {
            double at = budget->vibration[v].frequency * (1 + i * budget->vibration[v].damping / 2);

            if (at > curves->frequency[0] && at < most)
                curves->frequency[curves->count++] = at;
        }
    qsort(curves->frequency, (size_t)curves->count, sizeof curves->frequency[0],
          compare_frequencies);
}

const char *gain_source_name(enum gain_source source)
{
    static const char *const names[] = {[GAIN_STATED] = "stated",
                                        [GAIN_OPTIMUM] = "optimum",
                                        [GAIN_PHASE_MARGIN] = "phase margin",
                                        [GAIN_GAIN_MARGIN] = "gain margin",
                                        [GAIN_MOST] = "0.9 of the maximum",
                                        [GAIN_FILTER] = "filter"};

    return names[source];
}

void loop_curves_find(const struct budget *budget, struct loop_curves *curves)
{
    bool spectra = budget->turbulence_state == TURBULENCE_KNOWN || budget->vibration_count > 0;

    _Static_assert(CURVE_STEPS + 1 + VIBRATION_MAX * (2 * CURVE_ASIDE + 1) <= CURVE_POINTS_MAX,
                   "all points fit");
    curves->count = 0;
    if (!budget->stable)
        return;
    set_frequencies(budget, curves);
    for (int i = 0; i < curves->count; i++) {
        double at = curves->frequency[i];

        curves->rejection[i] = 20 * log10(servo_rejection(&budget->servo, at));
        curves->noise[i] = 20 * log10(servo_noise_transfer(&budget->servo, at));
        curves->before[i] = curves->after[i] = RESULT_NONE;
        if (spectra)
            add_spectra(budget, at, &curves->before[i], &curves->after[i]);
    }
}

bool budget_depends(const struct scenario *scenario, struct knob_ref ref)
{
    switch (ref.section) {
    case SECTION_AO:
    case SECTION_ATMOSPHERE:
    case SECTION_WFS:
        return true;
    case SECTION_COMPONENT:
        return scenario->component[ref.index].type == COMPONENT_CAMERA ||
               scenario->component[ref.index].type == COMPONENT_CENTROID ||
               scenario->component[ref.index].type == COMPONENT_DM;
    default:
        return ref.knob == &knobs[KNOB_SCENARIO_FRAME_RATE];
    }
}

enum status budget_fill(struct budget *budget, const struct scenario *scenario,
                        const struct result *result, enum budget_depth depth, struct error *error)
{
    const struct delay_change unknown = {RESULT_NONE, RESULT_NONE};

    if (set_servo(budget, scenario, result, error) != STATUS_OK ||
        vibrations_read(scenario->ao.vibrations, budget->vibration, &budget->vibration_count,
                        error) != STATUS_OK)
        return STATUS_INVALID;
    set_turbulence(budget, scenario);
    if (budget->controller == CONTROLLER_LQG_TIP_TILT && budget->orders < 2)
        budget->controller = CONTROLLER_LQG; /* no other order has a gain */
    if (is_filtered(budget, 1) && budget->turbulence_state != TURBULENCE_KNOWN &&
        budget->vibration_count == 0)
        return error_set(error, STATUS_INVALID,
                         "LQG needs a disturbance to predict: state ao.diameter and "
                         "atmosphere.wind, or ao.vibrations");
    set_sensor(budget, scenario, result);
    set_shared_noise(budget);
    set_mirror(budget, scenario);
    set_static_terms(budget, scenario);
    set_delay(budget, budget->servo.delay);
    budget->optimum.total = budget->order_optimum.total = RESULT_NONE;
    budget->optimum.is_least = false;
    set_gains(budget, scenario);
    budget->wavelength = scenario->atmosphere.wavelength;
    set_loop_terms(budget);
    budget->longer = budget->shorter = unknown;
    budget->one_percent = budget->servo_lag_deviation = RESULT_NONE;
    if (depth >= BUDGET_CHANGES)
        set_changes(budget, scenario->ao.gains == GAINS_PER_ORDER && !is_lqg(budget),
                    depth == BUDGET_ALL);
    if (budget->pace != NULL && budget->pace->stopped)
        return error_set(error, STATUS_STOPPED, "stopped");
    if (depth < BUDGET_ALL)
        return STATUS_OK;
    set_open_loop(budget);
    if (budget->lag.after > 0)
        budget->servo_lag_deviation = result->loop.servo_lag / budget->lag.after - 1;
    if (budget->stable) {
        budget->noise_gain = servo_noise_gain(&budget->servo);
        budget->margins = servo_margins(&budget->servo);
    }
    return STATUS_OK;
}

/* Finds the optimum of a PID with other gains. */
static void try_pid(struct budget *budget, double proportional, double derivative,
                    struct optimum *optimum)
{
    budget->servo.proportional = proportional;
    budget->servo.derivative = derivative;
    set_delay(budget, budget->servo.delay);
    find_optimum(budget, false, optimum);
}

/* Sets the proportional and derivative gain with the least total: steps along both as long as one
 * lowers it, then half as long ones. */
static void set_pid(struct budget *budget)
{
    static const int direction[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double best[2] = {0, 0}, step = PID_STEP;
    struct optimum optimum;
    double least;

    try_pid(budget, 0, 0, &optimum);
    least = optimum.within;
    while (least != RESULT_NONE && step > PID_TOLERANCE) {
        bool moved = false;

        for (int i = 0; i < 4 && pace_step(budget->pace, 4 * GAIN_STEPS); i++) {
            double next[2];

            for (int g = 0; g < 2; g++)
                next[g] = larger(0, smaller(best[g] + step * direction[i][g], PID_MOST));
            if (next[0] == best[0] && next[1] == best[1])
                continue;
            try_pid(budget, next[0], next[1], &optimum);
            if (optimum.within != RESULT_NONE && optimum.within < least) {
                least = optimum.within;
                best[0] = next[0];
                best[1] = next[1];
                moved = true;
            }
        }
        step = moved ? step : step / 2;
    }
    budget->servo.proportional = best[0];
    budget->servo.derivative = best[1];
    set_delay(budget, budget->servo.delay);
}

void budget_find_least(struct budget *budget, bool per_order, struct optimum *optimum)
{
    if (budget->controller == CONTROLLER_PID && has_optimum(budget))
        set_pid(budget);
    find_optimum(budget, per_order && !is_lqg(budget), optimum);
    limit_gains(budget, &optimum->gains);
}
