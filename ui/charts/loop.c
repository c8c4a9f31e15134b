#include "charts/loop.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/units.h"
#include "draw/text.h"
#include "model/formulas.h"

#define ROOM 1.4     /* axis length over longest bar, with room for its label */
#define LEAST_DB -60 /* of the axis */
#define DECADES 5    /* of the spectra, at most */

#define SAME_MARGIN 0.99 /* of the margin that is asked for, about the same as printed */

const char *const loop_chart_names[LOOP_CHARTS + 1] = {
    [LOOP_CURVES] = "curves", [LOOP_SPECTRA] = "spectra", [LOOP_BUDGET] = "budget"};

/* Writes "unstable: gain 1.20, maximum 0.963", or the gain and margins of a stable loop. */
static void note_gain(struct chart *chart, const struct budget *budget)
{
    const struct margins *margins = &budget->margins;
    char delay[32];

    if (!budget->stable) {
        chart_note(chart, "unstable: gain %.3g, maximum %.3g", budget->servo.gain,
                   budget->max_gain);
        return;
    }
    text_quantity(budget->servo.delay, "s", true, delay, sizeof delay);
    if (budget->max_gain == RESULT_NONE) { /* filters */
        chart_note(chart, "a filter of each radial order, that of tip and tilt; delay %s", delay);
        return;
    }
    chart_note(chart, "gain %.3g of %.3g, gain margin %.3g, modulus margin %.2g, delay %s",
               budget->servo.gain, budget->max_gain, margins->gain, margins->modulus, delay);
}

/* `root`: draws the square root of the values. */
static void add_curve(struct chart *chart, enum chart_look look, const char *name,
                      const struct loop_curves *curves, const double *value, bool root)
{
    int item = chart_add(chart, CHART_CURVE, look, name);

    for (int i = 0; i < curves->count; i++)
        if (value[i] != RESULT_NONE)
            chart_point(chart, item, curves->frequency[i], root ? sqrt(value[i]) : value[i], NULL);
}

static void set_frequency_axis(struct chart *chart, const struct loop_curves *curves)
{
    chart_x(chart,
            plot_axis_around(PLOT_DECADES, curves->frequency[0],
                             curves->frequency[curves->count - 1], "Hz"),
            "frequency");
}

static void add_rules(struct chart *chart, const struct margins *margins)
{
    char name[64];

    chart_rule(chart, CHART_HORIZONTAL, LOOK_OTHER, 0, "");
    if (margins->zero_db != RESULT_NONE)
        chart_rule(chart, CHART_VERTICAL, LOOK_BEST, margins->zero_db, "0 dB");
    if (margins->crossover != RESULT_NONE) {
        snprintf(name, sizeof name, "crossover, phase margin %.0f deg",
                 unit_from_si(margins->phase, "deg"));
        chart_rule(chart, CHART_VERTICAL, LOOK_TARGET, margins->crossover, name);
    }
}

/* Marks the frequency at which the loop oscillates with the maximum gain. */
static void add_gain_margin(struct chart *chart, const struct budget *budget)
{
    const struct margins *margins = &budget->margins;
    char name[60];
    int item;

    if (margins->gain == RESULT_NONE)
        return;
    snprintf(name, sizeof name, "gain margin %.3g", margins->gain);
    item = chart_add(chart, CHART_DOTS, LOOK_TWO, name);
    chart_point(chart, item, margins->gain_at,
                20 * log10(servo_rejection(&budget->servo, margins->gain_at)), NULL);
}

static void add_peak(struct chart *chart, const struct margins *margins)
{
    const double peak = 20 * log10(margins->peak);
    char name[60], label[40];
    int item;

    if (!(margins->peak > 1))
        return;
    snprintf(name, sizeof name, "largest amplification, %.1f dB", peak);
    item = chart_add(chart, CHART_DOTS, LOOK_BEST, name);
    snprintf(label, sizeof label, "%.1f dB", peak);
    chart_point(chart, item, margins->peak_at, peak, label);
}

static void build_curves(struct chart *chart, const struct budget *budget,
                         const struct loop_curves *curves)
{
    double most = 5;

    chart_init(chart, "Rejection and noise, dB");
    note_gain(chart, budget);
    if (curves->count == 0)
        return;
    for (int i = 0; i < curves->count; i++)
        most = larger(most, larger(curves->rejection[i], curves->noise[i]));
    set_frequency_axis(chart, curves);
    chart_y(chart,
            (struct plot_axis){
                .scale = PLOT_LINEAR, .low = LEAST_DB, .high = ceil(most / 5) * 5, .unit = ""},
            "dB");
    add_curve(chart, LOOK_CURRENT, "rejection", curves, curves->rejection, false);
    add_curve(chart, LOOK_FIRST, "noise", curves, curves->noise, false);
    add_rules(chart, &budget->margins);
    add_gain_margin(chart, budget);
    add_peak(chart, &budget->margins);
}

static void build_spectra(struct chart *chart, const struct budget *budget,
                          const struct loop_curves *curves)
{
    double most = 0, least = INFINITY;

    chart_init(chart, "Wavefront per sqrt(Hz)");
    if (curves->count == 0) {
        note_gain(chart, budget);
        return;
    }
    if (curves->before[0] == RESULT_NONE) {
        chart_note(chart, budget->turbulence_state == TURBULENCE_NO_WIND
                              ? "neither wind nor vibrations"
                              : "ao.diameter is not stated, nor are vibrations");
        return;
    }
    chart_note(chart, "of the wavefront, all controlled modes");
    for (int i = 0; i < curves->count; i++) {
        most = larger(most, sqrt(larger(curves->before[i], curves->after[i])));
        least = smaller(least, sqrt(smaller(curves->before[i], curves->after[i])));
    }
    least = larger(least, most * pow(10, -DECADES));
    set_frequency_axis(chart, curves);
    chart_y(chart, plot_axis_around(PLOT_DECADES, least, most, "m"), "wavefront per sqrt(Hz)");
    add_curve(chart, LOOK_OTHER, "before", curves, curves->before, true);
    add_curve(chart, LOOK_CURRENT, "after", curves, curves->after, true);
}

static void add_term(struct chart *chart, int item, const char *name, struct error_term term,
                     enum chart_look look)
{
    int row = chart_row(chart, name);
    char text[48];

    if (term.after == RESULT_NONE) {
        chart_span(chart, item, row, 0, 0, look, "not known");
        return;
    }
    text_quantity(term.after, "m", true, text, sizeof text);
    chart_span(chart, item, row, 0, term.after, look, text);
}

static void build_budget(struct chart *chart, const struct budget *budget)
{
    double most = 0;
    char wavelength[32], gain[48];
    int item;
    const struct {
        const char *name;
        struct error_term term;
    } rows[] = {
        {"fitting", budget->fitting}, {"aliasing", budget->aliasing},    {"lag", budget->lag},
        {"noise", budget->noise},     {"vibration", budget->vibrations}, {"other", budget->other},
        {"total", budget->total}};
    enum { VIBRATION = 4, OTHER, ROWS = sizeof rows / sizeof rows[0] };

    chart_init(chart, "Error budget");
    note_gain(chart, budget);
    if (budget->strehl != RESULT_NONE) {
        text_quantity(budget->wavelength, "m", true, wavelength, sizeof wavelength);
        if (budget->max_gain == RESULT_NONE)
            snprintf(gain, sizeof gain, "a filter of each radial order");
        else
            snprintf(gain, sizeof gain, "gain %.3g of %.3g", budget->servo.gain, budget->max_gain);
        chart_note(chart, "Strehl%s %.3f at %s%s%s%s, %s",
                   budget->noise.after == RESULT_NONE ? " without noise" : "", budget->strehl,
                   wavelength, budget->lag.after > 0 ? ", lag " : "",
                   budget->lag.after > 0 ? loop_lag_bias(budget) : "",
                   budget->lag.after > 0 ? " below frozen flow" : "", gain);
    }
    item = chart_add(chart, CHART_SPANS, LOOK_FIRST, "");
    for (int r = 0; r < ROWS; r++) {
        if ((r == VIBRATION && budget->vibration_count == 0) ||
            (r == OTHER && budget->other.after == RESULT_NONE))
            continue;
        add_term(chart, item, rows[r].name, rows[r].term,
                 r == ROWS - 1 ? LOOK_CURRENT : LOOK_FIRST);
        most = larger(most, rows[r].term.after);
    }
    if (most == 0)
        chart_note(chart, "%s",
                   !budget->stable ? "unstable"
                   : budget->turbulence_state == TURBULENCE_NO_DIAMETER
                       ? "ao.diameter is not stated"
                       : "neither wind nor vibrations");
    else
        chart_x(chart, plot_axis_around(PLOT_LINEAR, 0, ROOM * most, "m"), "wavefront error, rms");
}

void chart_loop(struct chart *chart, enum loop_chart which, const struct budget *budget,
                const struct loop_curves *curves)
{
    switch (which) {
    case LOOP_CURVES:
        build_curves(chart, budget, curves);
        break;
    case LOOP_SPECTRA:
        build_spectra(chart, budget, curves);
        break;
    case LOOP_BUDGET:
    case LOOP_CHARTS:
        build_budget(chart, budget);
        break;
    }
}

const char *loop_lag_missing(const struct budget *budget)
{
    static const char *const reasons[] = {
        [TURBULENCE_KNOWN] = NULL,
        [TURBULENCE_NO_DIAMETER] =
            "The lag is not known: state ao.diameter, the diameter of the telescope.",
        [TURBULENCE_NO_WIND] = "No lag: turbulence does not move, atmosphere.wind is 0."};

    return budget->turbulence_state == TURBULENCE_KNOWN && budget->orders == 0
               ? "Nothing is corrected: tip and tilt take 2 modes."
               : reasons[budget->turbulence_state];
}

/* Writes why a sensor in a state has no noise; returns false if it has some. */
static bool print_missing(const struct scenario *scenario, int wfs, enum star_state state,
                          char *text, size_t size)
{
    static const struct {
        const char *what, *why;
    } reasons[] = {
        [STAR_NO_SENSOR] = {"", "there is no sensor"},
        [STAR_NONE] = {"", " has no star, state its magnitude, band, throughput and read_noise"},
        [STAR_NO_BAND] = {"state ", ".band, of the star's magnitude"},
        [STAR_NO_THROUGHPUT] = {"state ", ".throughput, the part of the photons that is detected"},
        [STAR_NO_WAVELENGTH] = {"state ", ".wavelength, or its band"},
        [STAR_NO_DIAMETER] = {"", "state ao.diameter, the diameter of the telescope"}};
    char path[48] = "";

    if (state == STAR_KNOWN)
        return false;
    if (state != STAR_NO_SENSOR && state != STAR_NO_DIAMETER)
        section_path(scenario, SECTION_WFS, wfs, path, sizeof path);
    snprintf(text, size, "%s%s%s%s", reasons[state].what, path, reasons[state].why,
             (state == STAR_NO_BAND || state == STAR_NO_THROUGHPUT) &&
                     scenario->wfs[wfs].photons > 0
                 ? "; its photons do not count beside a magnitude"
                 : "");
    return true;
}

bool loop_noise_missing(const struct scenario *scenario, const struct budget *budget, char *text,
                        size_t size)
{
    return print_missing(scenario, budget->wfs, budget->sensor.state, text, size);
}

bool loop_star_incomplete(const struct scenario *scenario, char *text, size_t size)
{
    const int wfs = budget_wfs(scenario);
    struct sensor sensor;

    if (wfs < 0 || scenario->wfs[wfs].magnitude == MAGNITUDE_NONE)
        return false;
    sensor_set(&sensor, scenario, wfs, 1, 1, 1); /* its state depends on none of them */
    return print_missing(scenario, wfs, sensor.state, text, size);
}

bool loop_margins_small(const struct budget *budget)
{
    const struct margins *margins = &budget->margins;

    return budget->stable &&
           ((margins->gain != RESULT_NONE && margins->gain < SAME_MARGIN * budget->gain_margin) ||
            (margins->phase != RESULT_NONE && margins->phase < SAME_MARGIN * budget->phase_margin));
}

const char *loop_margins_asked(const struct budget *budget, char text[LOOP_MARGIN_MAX])
{
    snprintf(text, LOOP_MARGIN_MAX, "%.3g dB or %.3g deg", 20 * log10(budget->gain_margin),
             budget->phase_margin * 180 / pi);
    return text;
}

const char *loop_gain_source(const struct budget *budget, enum gain_source source,
                             char text[LOOP_MARGIN_MAX])
{
    if (source == GAIN_PHASE_MARGIN)
        snprintf(text, LOOP_MARGIN_MAX, "%s of %.3g deg", gain_source_name(source),
                 budget->phase_margin * 180 / pi);
    else if (source == GAIN_GAIN_MARGIN)
        snprintf(text, LOOP_MARGIN_MAX, "%s of %.3g dB", gain_source_name(source),
                 20 * log10(budget->gain_margin));
    else
        snprintf(text, LOOP_MARGIN_MAX, "%s", gain_source_name(source));
    return text;
}

const char *loop_margin_cost(const struct budget *budget, char text[LOOP_COST_MAX])
{
    char source[LOOP_MARGIN_MAX], cost[24];

    loop_gain_source(budget, budget->gain_source, source);
    text_change(unit_from_si(budget->margin_cost, "nm"), cost, sizeof cost);
    if (cost[0] == '+')
        snprintf(text, LOOP_COST_MAX, "%s costs %s nm", source, cost + 1);
    else
        snprintf(text, LOOP_COST_MAX, "%s costs less than 0.01 nm", source);
    return text;
}

bool loop_limited(const struct budget *budget)
{
    return budget->margin_cost != RESULT_NONE && budget->gain_source != GAIN_OPTIMUM;
}

bool loop_better_open(const struct budget *budget)
{
    return budget->optimum.is_least && budget->total.before != RESULT_NONE &&
           budget->optimum.total > budget->total.before;
}

const char *loop_lag_bias(const struct budget *budget)
{
    return budget->turbulence.outer_speed == 0 ? "16 to 18 %" : "7 to 12 %";
}

const char *loop_adapted_name(const struct budget *budget)
{
    const bool mixed = budget->controller == CONTROLLER_LQG_TIP_TILT;

    return budget->adapted_source == GAIN_FILTER ? "filters of each delay"
           : budget->adapted_source != GAIN_OPTIMUM
               ? mixed ? "gains for these margins and filters" : "gains for these margins"
           : mixed ? "optimum gains and filters"
                   : "optimum gains";
}
