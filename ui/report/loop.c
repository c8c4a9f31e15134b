#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/units.h"
#include "charts/loop.h"
#include "design/knob_table.h"
#include "draw/text.h"
#include "explore/controllers.h"
#include "model/budget.h"
#include "model/formulas.h"
#include "model/loop.h"
#include "report/reports.h"

#define LOOP_SCHEMA 2
#define CHANGE_MAX 40 /* bytes of a change of the wavefront error */

struct loop {
    struct record *record;
    const struct scenario *scenario;
    const struct result *result;
    const struct budget *budget;
    const struct controllers *controllers;
};

/* Puts a sentence: in JSON a text of an array, else a paragraph. `weight` and `tone` as a fact. */
__attribute__((format(printf, 4, 5))) static void
put_note(const struct loop *loop, int weight, enum record_tone tone, const char *format, ...)
{
    char text[400];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (record_is_data(loop->record))
        record_text(loop->record, NULL, NULL, text);
    else
        record_note_fact(loop->record, weight, tone, text);
}

static void put_vibration_notes(const struct loop *loop)
{
    const struct budget *budget = loop->budget;
    double nyquist = 0.5 / budget->servo.period;

    for (int i = 0; i < budget->vibration_count; i++)
        if (budget->vibration[i].frequency > nyquist)
            put_note(loop, 8, TONE_BAD,
                     "The vibration at %s is aliased, above half the frame rate, %s: the loop samples "
                     "it as a slower one.",
                     record_quantity(loop->record, budget->vibration[i].frequency, "Hz"),
                     record_quantity(loop->record, nyquist, "Hz"));
}

/* Says why there is no noise, or what it lacks. */
static void put_star_note(const struct loop *loop)
{
    const struct budget *budget = loop->budget;
    const enum star_state state = budget->sensor.state;
    char path[48], reason[200];

    if (loop_noise_missing(loop->scenario, budget, reason, sizeof reason)) {
        put_note(loop, 8, state == STAR_NONE || state == STAR_NO_SENSOR ? TONE_PLAIN : TONE_BAD,
                 "Noise of the sensor is not included: %s.", reason);
    } else if (loop->scenario->wfs[budget->wfs].read_noise == NUMBER_UNSTATED) {
        section_path(loop->scenario, SECTION_WFS, budget->wfs, path, sizeof path);
        put_note(loop, 3, TONE_PLAIN, "%s.read_noise is not stated: none is counted.", path);
    }
}

static double decibels(double ratio)
{
    return ratio == RESULT_NONE ? RESULT_NONE : 20 * log10(ratio);
}

/* Says where the range of gains, not the star, is the reason for the optimum. */
static void put_open_note(const struct loop *loop)
{
    const struct budget *budget = loop->budget;

    if (!budget->optimum.is_least)
        return;
    if (!loop_better_open(budget))
        put_note(loop, 2, TONE_PLAIN,
                 "The optimum is the least gain tried: a smaller one leaves less.");
    else
        put_note(loop, 8, TONE_BAD,
                 "The loop is better open: with the least gain tried it leaves %s, without "
                 "correction there are %s.",
                 record_quantity(loop->record, budget->optimum.total, "m"),
                 record_quantity(loop->record, budget->total.before, "m"));
}

/* Says where the margins of a stated gain or a filter are small: only automatic gains keep them. */
static void put_margins_note(const struct loop *loop)
{
    const struct budget *budget = loop->budget;
    char asked[LOOP_MARGIN_MAX];

    if (loop_margins_small(budget))
        put_note(loop, 6, TONE_BAD,
                 "The margins are below %s, which automatic gains keep: with %s little is left for "
                 "the gain of a sensor and a delay, which vary.",
                 loop_margins_asked(budget, asked),
                 budget->gain_source == GAIN_STATED ? "this gain" : "filters");
}

static void put_controller_notes(const struct loop *loop)
{
    const struct scenario *scenario = loop->scenario;

    if (loop->budget->lqg.count > 0 && loop->budget->sensor.state != STAR_KNOWN)
        put_note(loop, 6, TONE_BAD,
                 "The filters are designed for a measurement without noise, because no "
                 "star is stated: with noise they gain less and have larger margins.");
    if (scenario->ao.controller == CONTROLLER_LQG_TIP_TILT)
        put_note(loop, 7, TONE_BAD,
                 "No algorithm has the two filters of tip and tilt, of some states each: "
                 "their time is not in the delay.");
    if (!controllers_computed(scenario))
        put_note(loop, 7, TONE_BAD,
                 "No component computes the controller %s, so that its time is not in the delay: "
                 "algorithm = %s in the control component takes it in.",
                 knob_word(KNOB_AO_CONTROLLER, scenario->ao.controller),
                 controllers_algorithm((enum controller)scenario->ao.controller)->name);
}

/* Says by how much the lag is too low (model/servo.h). */
static void put_bias_note(const struct loop *loop)
{
    const struct budget *budget = loop->budget;
    bool infinite = budget->turbulence.outer_speed == 0;

    if (budget->lag.after > 0)
        put_note(loop, 0, TONE_PLAIN,
                 "Summed over all orders, the spectra used have %s of the variance that frozen "
                 "flow%s has after a delay: lag is %s below that of frozen flow.%s",
                 infinite ? "0.67 to 0.72" : "0.77 to 0.86",
                 infinite ? "" : " of the same outer scale", loop_lag_bias(budget),
                 budget->servo.leak < 1 ? " What the leak leaves of slow turbulence is not." : "");
}

/* Says what a budget of one sensor leaves out of a system with several, as with laser stars. */
static void put_sensors_note(const struct loop *loop)
{
    const struct scenario *scenario = loop->scenario;
    double sensors = 0;

    for (int w = 0; w < scenario->wfs_count; w++)
        sensors += scenario->wfs[w].count;
    if (sensors >= 2 && loop->budget->wfs >= 0)
        put_note(loop, 4, TONE_PLAIN,
                 "The design has %.0f sensors; the error budget is that of one star of wfs.%s. "
                 "Tomography, the cone effect of laser stars and other stars, as those of tip and "
                 "tilt, are not included.",
                 sensors, scenario->wfs[loop->budget->wfs].head.name);
}

/* Puts what is unknown, left out or known to be biased. */
static void put_notes(const struct loop *loop)
{
    const struct budget *budget = loop->budget;

    record_array(loop->record, "notes", true);
    if (loop_overload(loop->scenario, loop->result) != NULL)
        put_note(loop, 10, TONE_BAD, "%s", loop_overload(loop->scenario, loop->result));
    if (loop_lag_missing(budget) != NULL)
        put_note(loop, 10, TONE_PLAIN, "%s", loop_lag_missing(budget));
    if (budget->turbulence_state != TURBULENCE_NO_DIAMETER && budget->pitch == 0)
        put_note(loop, 7, TONE_PLAIN, "Fitting is not included: there is no mirror.");
    put_star_note(loop);
    if (budget->other.after == RESULT_NONE)
        put_note(loop, 1, TONE_PLAIN,
                 "Not included: telescope, non-common path, calibration and other errors; "
                 "ao.other_errors takes them in.");
    put_sensors_note(loop);
    put_open_note(loop);
    put_margins_note(loop);
    put_vibration_notes(loop);
    put_bias_note(loop);
    put_controller_notes(loop);
    record_array_end(loop->record);
}

static void put_term(struct record *record, const char *name, struct error_term term)
{
    record_row(record);
    record_text(record, "term", "Term", name);
    record_number(record, "before_nm", "Open loop", "nm", term.before);
    record_number(record, "after_nm", "Closed loop", "nm", term.after);
    record_row_end(record);
}

/* Puts the terms, unknown ones too. */
static void put_terms(const struct loop *loop)
{
    const struct budget *budget = loop->budget;
    char name[60];

    record_table(loop->record, "terms", "Wavefront error, rms");
    put_term(loop->record, "fitting", budget->fitting);
    put_term(loop->record, "aliasing", budget->aliasing);
    put_term(loop->record, "lag", budget->lag);
    put_term(loop->record, "noise", budget->noise);
    for (int i = 0; i < budget->vibration_count; i++) {
        snprintf(name, sizeof name, "vibration %s",
                 record_quantity(loop->record, budget->vibration[i].frequency, "Hz"));
        put_term(loop->record, name, budget->vibration_error[i]);
    }
    if (budget->other.after != RESULT_NONE)
        put_term(loop->record, "other", budget->other);
    put_term(loop->record, "total", budget->total);
    record_table_end(loop->record);
}

static void put_timing(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct servo *servo = &loop->budget->servo;
    double frames = servo->delay / servo->period;
    double total = servo_horizon(servo);
    double stated = loop->scenario->ao.rtc_latency;

    record_line(record, TONE_PLAIN, "Frames", "%s, exposure %s",
                record_quantity(record, 1 / servo->period, "Hz"),
                record_quantity(record, servo->exposure, "s"));
    record_line(
        record, TONE_PLAIN, "Delay",
        "%s from the end of the exposure, %s frames; in total %s frames, from its middle to "
        "that of the correction",
        record_quantity(record, servo->delay, "s"), record_quantity(record, frames, ""),
        record_quantity(record, total, ""));
    if (stated > 0)
        record_line(record, TONE_PLAIN, "RTC latency",
                    "%s as stated for the loop, %s of the design",
                    record_quantity(record, stated, "s"),
                    record_quantity(record, loop->result->latency, "s"));
}

/* Puts the controller, and the dynamics of a mirror. */
static void put_law(const struct loop *loop)
{
    const char *controller = knob_word(KNOB_AO_CONTROLLER, loop->scenario->ao.controller);
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;
    const struct servo *servo = &budget->servo;

    if (budget->controller == CONTROLLER_LQG)
        record_line(record, TONE_PLAIN, "Controller",
                    "%s, a filter of each radial order; below, that of tip and tilt", controller);
    else if (budget->controller == CONTROLLER_LQG_TIP_TILT)
        record_line(record, TONE_PLAIN, "Controller",
                    "%s, filters of tip and tilt; below, the integrator of the other orders",
                    controller);
    else if (budget->controller == CONTROLLER_PID)
        record_line(record, TONE_PLAIN, "Controller",
                    "%s, proportional %.6g and derivative %.6g times the gain", controller,
                    servo->proportional, servo->derivative);
    else if (servo->leak < 1)
        record_line(record, TONE_PLAIN, "Controller", "%s, leak %.6g", controller, servo->leak);
    else
        record_line(record, TONE_PLAIN, "Controller", "%s", controller);
    if (servo->mirror.bandwidth > 0)
        record_line(record, TONE_PLAIN, "Dynamics", "mirror bandwidth %s, damping %.3g",
                    record_quantity(record, servo->mirror.bandwidth, "Hz"), servo->mirror.damping);
}

/* Writes the gains of some orders: "0.363 (1), 0.310 (2), 0.295 (5)". */
static void print_order_gains(const struct loop *loop, const struct gains *gains, char *text,
                              size_t size)
{
    static const int orders[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
    struct buffer list = buffer_over(text, size);

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i] <= loop->budget->orders && gains->order[orders[i]] != RESULT_NONE)
            buffer_print(&list, "%s%s (%d)", list.length > 0 ? ", " : "",
                         record_quantity(loop->record, gains->order[orders[i]], ""), orders[i]);
}

static void put_optimum(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;
    char orders[200];

    if (budget->optimum.gains.common != RESULT_NONE)
        record_line(
            record, TONE_PLAIN, "Optimum", "%s%s, wavefront error %s%s",
            record_quantity(record, budget->optimum.gains.common, ""),
            budget->optimum.is_end ? ", the end of the range tried" : "",
            record_quantity(record, budget->optimum.total, "m"),
            budget->sensor.state == STAR_KNOWN ? "" : "; noise, which is not included, lowers it");
    if (budget->order_optimum.total != RESULT_NONE && budget->sensor.state == STAR_KNOWN) {
        print_order_gains(loop, &budget->order_optimum.gains, orders, sizeof orders);
        record_fact(record, 4, TONE_PLAIN, "By order", "wavefront error %s, gains %s",
                    record_quantity(record, budget->order_optimum.total, "m"), orders);
    }
}

static void put_order_gains(const struct loop *loop)
{
    const struct optimum *optimum = &loop->budget->order_optimum;
    bool exists = optimum->total != RESULT_NONE;

    record_array(loop->record, "order_gains", exists);
    for (int n = 1; n <= loop->budget->orders && exists; n++)
        record_number(loop->record, NULL, NULL, "", optimum->gains.order[n]);
    record_array_end(loop->record);
}

static void put_gain(const struct loop *loop)
{
    char source[LOOP_MARGIN_MAX], cost[LOOP_COST_MAX];
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;

    put_law(loop);
    if (budget->gain_source != GAIN_FILTER && budget->stable)
        record_line(record, TONE_PLAIN, "Gain", "%s, %s%s; maximum %s",
                    record_quantity(record, budget->servo.gain, ""),
                    loop_gain_source(budget, budget->gain_source, source),
                    budget->gains.per_order ? " per order, the largest" : "",
                    record_quantity(record, budget->max_gain, ""));
    if (loop_limited(budget))
        record_fact(record, 6, TONE_PLAIN, "Limit", "%s", loop_margin_cost(budget, cost));
    if (!budget->stable)
        record_fact(record, 10, TONE_BAD, "Gain", "%s: unstable, maximum %s",
                    record_quantity(record, budget->servo.gain, ""),
                    record_quantity(record, budget->max_gain, ""));
    put_optimum(loop);
}

static void put_margins(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct margins *margins = &loop->budget->margins;

    if (!loop->budget->stable)
        return;
    record_fact(record, 5, TONE_PLAIN, "Margins",
                "gain %s (%.1f dB), phase %s, modulus %s, delay %s",
                record_quantity(record, margins->gain, ""), decibels(margins->gain),
                record_quantity(record, margins->phase, "deg"),
                record_quantity(record, margins->modulus, ""),
                record_quantity(record, margins->delay, "s"));
    record_line(record, TONE_PLAIN, "Bandwidth",
                "crossover %s, rejection below %s, largest amplification %.1f dB at %s",
                record_quantity(record, margins->crossover, "Hz"),
                record_quantity(record, margins->zero_db, "Hz"), decibels(margins->peak),
                record_quantity(record, margins->peak_at, "Hz"));
}

/* Puts the rows of loop.def. */
static void put_values(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct scenario *scenario = loop->scenario;
    const struct budget *budget = loop->budget;
    const struct servo *servo = &budget->servo;
    const struct sensor *sensor = &budget->sensor;
    const struct margins none = {RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE,
                                 RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE};
    const struct margins margins = budget->stable ? budget->margins : none;
    const bool settles = servo->mirror.bandwidth <= 0;
    const bool star = sensor->state == STAR_KNOWN;

#define VALUE(key, unit, number, help) record_number(record, key, NULL, unit, number);
#define RATIO(key, unit, number, help) VALUE(key, "", number, help)
#define FACT(key, unit, number, weight, label, words, help)                                        \
    VALUE(key, unit, number, help)                                                                 \
    if ((number) != RESULT_NONE)                                                                   \
        record_fact(record, weight, TONE_PLAIN, label, words, record_quantity(record, number, unit));
#define INTEGER(key, number, help) record_integer(record, key, NULL, number);
#define TEXT(key, text, help) record_text(record, key, NULL, text);
#define BOOL(key, value, help) record_bool(record, key, NULL, value);
#define PUT(key, call, help) call;
#include "report/loop.def"
}

static void put_sensor(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;
    const struct sensor *sensor = &budget->sensor;
    bool star = sensor->state == STAR_KNOWN;
    bool pyramid = sensor->kind == WFS_PYRAMID;
    double photon = star ? sensor_photon_variance(sensor) : RESULT_NONE;
    double read = star ? sensor_read_variance(sensor) : RESULT_NONE;
    double slope = star && !pyramid ? sensor_slope_noise(sensor) : RESULT_NONE;

    if (star)
        record_fact(record, 7, TONE_PLAIN, "Star", "%s photons, per %s and exposure, at %s",
                    record_quantity(record, sensor->photons, ""),
                    pyramid ? "pupil pixel" : "subaperture",
                    record_quantity(record, sensor->wavelength, "m"));
    if (star && pyramid)
        record_line(record, TONE_PLAIN, "Slope noise", "%s rms by photons, %s by reading",
                    record_quantity(record, sqrt(photon), ""),
                    record_quantity(record, sqrt(read), ""));
    else if (star)
        record_line(record, TONE_PLAIN, "Slope noise", "%s rms by photons, %s by reading: %s",
                    record_quantity(record, sqrt(photon), "rad"),
                    record_quantity(record, sqrt(read), "rad"),
                    record_quantity(record, slope, "m"));
    if (budget->pitch >= 1)
        record_line(record, TONE_PLAIN, "Mirror", "pitch %s on the primary",
                    record_quantity(record, budget->pitch, "m"));
    else if (budget->pitch > 0)
        record_line(record, TONE_PLAIN, "Mirror", "pitch %.3g cm on the primary",
                    100 * budget->pitch);
}

/* Writes a change in m: in nm below 1 um. */
static const char *print_change(double change, char text[CHANGE_MAX])
{
    char size[CHANGE_MAX - 4];

    if (fabs(change) < 1e-6) {
        text_change(unit_from_si(change, "nm"), size, sizeof size);
        snprintf(text, CHANGE_MAX, "%s nm", size);
    } else {
        quantity_print(fabs(change), "m", size, sizeof size);
        snprintf(text, CHANGE_MAX, "%c%s", change < 0 ? '-' : '+', size);
        text_minus(text, CHANGE_MAX);
    }
    return text;
}

/* Puts what another delay changes, first at the gains in force where these are stated. */
static void put_change(const struct loop *loop, const char *label, struct delay_change change)
{
    const struct budget *budget = loop->budget;
    const bool stated = budget->gain_source == GAIN_STATED;
    char adapted[CHANGE_MAX], fixed[CHANGE_MAX];
    char text[2][2 * CHANGE_MAX + 40] = {"", ""};

    if (change.adapted != RESULT_NONE)
        snprintf(text[stated], sizeof text[0], "%s, with %s", print_change(change.adapted, adapted),
                 loop_adapted_name(budget));
    if (change.fixed != RESULT_NONE)
        snprintf(text[!stated], sizeof text[0], "%s, at the same gain",
                 print_change(change.fixed, fixed));
    if (text[0][0] != '\0' || text[1][0] != '\0')
        record_fact(loop->record, 8, TONE_PLAIN, label, "%s%s%s", text[0],
                    text[0][0] != '\0' && text[1][0] != '\0' ? "; " : "", text[1]);
}

/* Puts what the total means and what another delay would change. */
static void put_worth(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;

    if (budget->strehl != RESULT_NONE)
        record_fact(record, 9, TONE_PLAIN, "Wavefront", "error %s rms%s, Strehl %.3f at %s",
                    record_quantity(record, budget->total.after, "m"),
                    budget->noise.after == RESULT_NONE ? " without noise" : "", budget->strehl,
                    record_quantity(record, budget->wavelength, "m"));
    put_change(loop, "100 us more", budget->longer);
    put_change(loop, "100 us less", budget->shorter);
    if (budget->one_percent != RESULT_NONE)
        record_fact(record, 3, TONE_PLAIN, "1 % more",
                    "wavefront error with a delay of %s, from the end of the exposure, with %s",
                    record_quantity(record, budget->one_percent, "s"), loop_adapted_name(budget));
}

/* Puts the orders of the budget. */
static void put_orders(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;
    char others[80] = "";

    if (budget->mirror_orders > budget->orders)
        snprintf(others, sizeof others, " of %d that the mirror could; fitting has the others",
                 budget->mirror_orders);
    if (budget->turbulence_state == TURBULENCE_KNOWN)
        record_line(record, TONE_PLAIN, "Orders", "%d radial order%s corrected%s", budget->orders,
                    budget->orders == 1 ? "" : "s", others);
}

static void put_difference(struct record *record, const char *key, const char *unit, double before,
                           double after)
{
    record_change(record, key, unit, unit,
                  before == RESULT_NONE || after == RESULT_NONE ? RESULT_NONE : after - before);
}

/* Says what the table of controllers leaves open. */
static void put_controllers_note(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct controllers *controllers = loop->controllers;
    char pid[120] = "";

    for (int i = 0; i < controllers->count; i++)
        if (controllers->row[i].proportional != RESULT_NONE)
            snprintf(pid, sizeof pid, " PID: proportional %s, derivative %s.",
                     record_quantity(record, controllers->row[i].proportional, ""),
                     record_quantity(record, controllers->row[i].derivative, ""));
    record_note(
        record,
        "Wavefront: the least within the margins, with all gains of the controller free%s; us "
        "and nm: changes from "
        "the present one.%s Leaky: leak %.3g. POLC closes the loop as the integrator does: "
        "the budget does not have what its reconstruction gains, only its time.%s",
        loop->scenario->ao.gains == GAINS_PER_ORDER ? ", each order with its own" : "", pid,
        loop->scenario->ao.leak,
        loop->budget->sensor.state == STAR_KNOWN
            ? ""
            : " Without a star, whose noise lowers gains, these errors are too low.");
}

/* Puts what each controller leaves beside what it costs. */
static void put_controllers(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct controllers *controllers = loop->controllers;
    const struct controller_row *present = NULL;
    char name[40];

    if (record->format == RECORD_CSV) /* whose rows are the terms */
        return;
    for (int i = 0; i < controllers->count; i++)
        if (controllers->row[i].present)
            present = &controllers->row[i];
    record_table(record, "controllers", "Controllers");
    for (int i = 0; i < controllers->count; i++) {
        const struct controller_row *row = &controllers->row[i];
        const bool other = present != NULL && !row->present;

        record_row(record);
        snprintf(name, sizeof name, "%s%s", knob_word(KNOB_AO_CONTROLLER, (int)row->controller),
                 row->present && !record_is_data(record) ? " (present)" : "");
        record_text(record, "controller", "Controller", name);
        record_text(record, "algorithm", "Algorithm", row->algorithm->name);
        record_bool(record, "counted", NULL, row->counted);
        record_number(record, "gain", "Gain", "", row->gain);
        record_number(record, "proportional", NULL, "", row->proportional);
        record_number(record, "derivative", NULL, "", row->derivative);
        record_number(record, "latency_us", "Latency", "us", row->latency);
        put_difference(record, "latency_change_us", "us", other ? present->latency : RESULT_NONE,
                       row->latency);
        record_number(record, "delay_us", "Delay", "us", row->delay);
        record_number(record, "total_nm", "Wavefront", "nm", row->total);
        put_difference(record, "change_nm", "nm", other ? present->total : RESULT_NONE, row->total);
        record_bool(record, "overloaded", NULL, row->overloaded);
        record_bool(record, "present", NULL, row->present);
        record_row_end(record);
    }
    record_table_end(record);
    if (!record_is_data(record) && controllers->count > 0)
        put_controllers_note(loop);
}

void loop_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct budget *budget,
                 const struct controllers *controllers)
{
    const struct loop loop = {record, scenario, result, budget, controllers};

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, LOOP_SCHEMA);
    record_title(record, "Loop of %s",
                 scenario->general.title[0] != '\0' ? scenario->general.title
                                                    : "a design without a title");
    record_text(record, "title", NULL, scenario->general.title);
    put_timing(&loop);
    put_gain(&loop);
    put_margins(&loop);
    put_values(&loop);
    put_sensor(&loop);
    put_orders(&loop);
    put_worth(&loop);
    put_terms(&loop);
    put_controllers(&loop);
    put_notes(&loop);
    record_object_end(record);
}

void loop_facts(struct facts *facts, const struct scenario *scenario, const struct result *result,
                const struct budget *budget)
{
    struct record record = record_to_facts(facts);
    const struct loop loop = {&record, scenario, result, budget, NULL};

    put_gain(&loop);
    put_margins(&loop);
    put_values(&loop);
    put_sensor(&loop);
    put_worth(&loop);
    put_notes(&loop);
}

static void put_error(struct record *record, const char *key, const char *change_key, bool shown,
                      double error, double present)
{
    bool known = error != RESULT_NONE && present != RESULT_NONE;

    record_number(record, key, shown && present == RESULT_NONE ? "Wavefront" : NULL, "nm", error);
    record_change(record, change_key, shown && present != RESULT_NONE ? "nm" : NULL, "nm",
                  known ? error - present : RESULT_NONE);
}

void loop_put_total(struct record *record, bool shown, double total, double present)
{
    put_error(record, "total_nm", "total_change_nm", shown, total, present);
}

void loop_put_lag(struct record *record, bool shown, double lag, double present)
{
    put_error(record, "lag_nm", "lag_change_nm", shown, lag, present);
}

void loop_put_total_note(struct record *record, double total, double lag)
{
    if (total != RESULT_NONE)
        record_line(record, TONE_PLAIN, "nm", "change of the wavefront error, now %s",
                    record_quantity(record, total, "m"));
    else if (lag != RESULT_NONE)
        record_line(
            record, TONE_PLAIN, "nm",
            "change of the servo lag, now %s; without a star the wavefront error is not known",
            record_quantity(record, lag, "m"));
}
