#include <math.h>
#include <stdio.h>

#include "design/knob_table.h"
#include "model/budget.h"
#include "report/reports.h"

#define LOOP_SCHEMA 1

struct loop {
    struct record *record;
    const struct scenario *scenario;
    const struct result *result;
    const struct budget *budget;
};

/* Puts a sentence: in JSON a text of an array, else a paragraph. */
static void put_note(struct record *record, const char *text)
{
    if (record_is_data(record))
        record_text(record, NULL, NULL, text);
    else
        record_note(record, "%s", text);
}

static void put_vibration_notes(const struct loop *loop)
{
    const struct budget *budget = loop->budget;
    double nyquist = 0.5 / budget->servo.period;
    char text[200];

    for (int i = 0; i < budget->vibration_count; i++) {
        if (budget->vibration[i].frequency <= nyquist)
            continue;
        snprintf(text, sizeof text,
                 "The vibration at %s is above half the frame rate, %s: the loop samples it as a "
                 "slower one.",
                 record_quantity(loop->record, budget->vibration[i].frequency, "Hz"),
                 record_quantity(loop->record, nyquist, "Hz"));
        put_note(loop->record, text);
    }
}

/* Puts what is unknown, left out or known to be biased. */
static void put_notes(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;

    record_array(record, "notes", true);
    if (loop->result->overloaded)
        put_note(record, "The design is overloaded: the delay is that of one frame alone.");
    if (budget->turbulence_state == TURBULENCE_NO_WIND)
        put_note(record, "There is no turbulence to correct: atmosphere.wind is 0 m/s.");
    if (budget->turbulence_state == TURBULENCE_NO_DIAMETER)
        put_note(record, "The lag is not known: state ao.diameter, the diameter of the telescope.");
    put_vibration_notes(loop);
    if (budget->lag.after > 0 && budget->servo.leak == 1 && budget->turbulence.outer_speed == 0)
        put_note(record,
                 "Summed over all orders, the spectra used have 0.67 to 0.72 of the variance "
                 "that frozen flow has after a delay: lag is 16 to 18 % below that of "
                 "frozen flow.");
    put_note(record, "Noise of the sensor, fitting and aliasing are not included.");
    record_array_end(record);
}

static void put_term(struct record *record, const char *name, struct error_term term)
{
    record_row(record);
    record_text(record, "term", "Term", name);
    record_number(record, "before_nm", "Open loop", "nm", term.before);
    record_number(record, "after_nm", "Closed loop", "nm", term.after);
    record_row_end(record);
}

/* Puts the terms; an unknown lag too, so that there is always a row. */
static void put_terms(const struct loop *loop)
{
    const struct budget *budget = loop->budget;
    char name[60];

    record_table(loop->record, "terms", "Wavefront error, rms");
    put_term(loop->record, "lag", budget->lag);
    for (int i = 0; i < budget->vibration_count; i++) {
        snprintf(name, sizeof name, "vibration %s",
                 record_quantity(loop->record, budget->vibration[i].frequency, "Hz"));
        put_term(loop->record, name, budget->vibration_error[i]);
    }
    put_term(loop->record, "total", budget->total);
    record_table_end(loop->record);
}

static void put_timing(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct servo *servo = &loop->budget->servo;
    double frames = servo->delay / servo->period;

    record_line(record, TONE_PLAIN, "Frames", "%s, exposure %s",
                record_quantity(record, 1 / servo->period, "Hz"),
                record_quantity(record, servo->exposure, "s"));
    record_line(record, TONE_PLAIN, "Delay", "%s from the end of the exposure, %s frames",
                record_quantity(record, servo->delay, "s"), record_quantity(record, frames, ""));
    record_number(record, "period_us", NULL, "us", servo->period);
    record_number(record, "exposure_us", NULL, "us", servo->exposure);
    record_number(record, "delay_us", NULL, "us", servo->delay);
    record_number(record, "delay_periods", NULL, "", frames);
}

static void put_gain(const struct loop *loop)
{
    static const char *const sources[] = {
        [GAIN_STATED] = "stated", [GAIN_MARGIN] = "phase margin of 45 deg"};
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;
    const char *controller = knob_word(KNOB_AO_CONTROLLER, loop->scenario->ao.controller);

    if (budget->servo.leak < 1)
        record_line(record, TONE_PLAIN, "Controller", "%s, leak %.6g", controller,
                    budget->servo.leak);
    else
        record_line(record, TONE_PLAIN, "Controller", "%s", controller);
    if (budget->stable)
        record_line(record, TONE_PLAIN, "Gain", "%s, %s; maximum %s",
                    record_quantity(record, budget->servo.gain, ""), sources[budget->gain_source],
                    record_quantity(record, budget->max_gain, ""));
    else
        record_line(record, TONE_BAD, "Gain", "%s: unstable, maximum %s",
                    record_quantity(record, budget->servo.gain, ""),
                    record_quantity(record, budget->max_gain, ""));
    if (budget->optimum_gain != RESULT_NONE)
        record_line(record, TONE_PLAIN, "Optimum", "%s%s; noise, which is not included, lowers it",
                    record_quantity(record, budget->optimum_gain, ""),
                    budget->optimum_is_end ? ", the end of the range tried" : "");
    record_text(record, "controller", NULL, controller);
    record_number(record, "leak", NULL, "", budget->servo.leak);
    record_number(record, "gain", NULL, "", budget->servo.gain);
    record_text(record, "gain_source", NULL, sources[budget->gain_source]);
    record_number(record, "max_gain", NULL, "", budget->max_gain);
    record_number(record, "optimum_gain", NULL, "", budget->optimum_gain);
    record_bool(record, "stable", NULL, budget->stable);
}

static double decibels(double ratio)
{
    return ratio == RESULT_NONE ? RESULT_NONE : 20 * log10(ratio);
}

static void put_margin_lines(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct margins *margins = &loop->budget->margins;

    record_line(record, TONE_PLAIN, "Margins", "gain %s (%.1f dB), phase %s, modulus %s, delay %s",
                record_quantity(record, margins->gain, ""), decibels(margins->gain),
                record_quantity(record, margins->phase, "deg"),
                record_quantity(record, margins->modulus, ""),
                record_quantity(record, margins->delay, "s"));
    record_line(record, TONE_PLAIN, "Bandwidth",
                "crossover %s, rejection below %s, largest amplification %.1f dB at %s",
                record_quantity(record, margins->crossover, "Hz"),
                record_quantity(record, margins->zero_db, "Hz"), decibels(margins->peak),
                record_quantity(record, margins->peak_at, "Hz"));
    record_line(record, TONE_PLAIN, "Noise gain", "%s of the variance of a measurement",
                record_quantity(record, loop->budget->noise_gain, ""));
}

static void put_margins(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct margins none = {RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE,
                                 RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE};
    bool stable = loop->budget->stable;
    const struct margins margins = stable ? loop->budget->margins : none;

    if (stable)
        put_margin_lines(loop);
    record_number(record, "gain_margin", NULL, "", margins.gain);
    record_number(record, "phase_margin_deg", NULL, "deg", margins.phase);
    record_number(record, "modulus_margin", NULL, "", margins.modulus);
    record_number(record, "delay_margin_us", NULL, "us", margins.delay);
    record_number(record, "crossover_hz", NULL, "Hz", margins.crossover);
    record_number(record, "zero_db_hz", NULL, "Hz", margins.zero_db);
    record_number(record, "peak_db", NULL, "", decibels(margins.peak));
    record_number(record, "peak_hz", NULL, "Hz", margins.peak_at);
    record_number(record, "noise_gain", NULL, "", stable ? loop->budget->noise_gain : RESULT_NONE);
}

/* Puts the quick estimate of eval beside the lag. */
static void put_servo_lag(const struct loop *loop)
{
    struct record *record = loop->record;
    const struct budget *budget = loop->budget;
    double deviation = budget->servo_lag_deviation;

    if (budget->turbulence_state == TURBULENCE_KNOWN)
        record_line(record, TONE_PLAIN, "Orders", "%d radial order%s corrected",
                    budget->orders, budget->orders == 1 ? "" : "s");
    if (deviation != RESULT_NONE)
        record_line(record, TONE_PLAIN, "Servo lag",
                    "%s by the formula of eval, %.3g %% %s than the lag of this loop",
                    record_quantity(record, loop->result->loop.servo_lag, "m"),
                    100 * fabs(deviation), deviation < 0 ? "less" : "more");
    record_integer(record, "orders", NULL, budget->orders);
    record_number(record, "servo_lag_nm", NULL, "nm", loop->result->loop.servo_lag);
    record_number(record, "servo_lag_deviation", NULL, "fraction", deviation);
}

void loop_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct budget *budget)
{
    const struct loop loop = {record, scenario, result, budget};

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, LOOP_SCHEMA);
    record_title(record, "Loop of %s", scenario->general.title);
    record_text(record, "title", NULL, scenario->general.title);
    put_timing(&loop);
    put_gain(&loop);
    put_margins(&loop);
    put_servo_lag(&loop);
    put_terms(&loop);
    put_notes(&loop);
    record_object_end(record);
}
