#include "tui/view_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/number.h"
#include "draw/chart.h"
#include "draw/text.h"
#include "tui/layout.h"
#include "tui/view.h"
#include "tui/widget.h"

/* Sizes from which on all charts are shown; rows of the facts, and the least of a chart. */
enum { COLUMNS_ALL = 110, ROWS_ALL = 22, FACTS = 7, CHART_ROWS = 7, SLIDER = 24 };

/* Work ----------------------------------------------------------------------------------------- */

struct loop_work {
    struct scenario scenario;
    struct result result; /* the parts that a budget reads */
    struct budget budget;
    struct loop_curves curves;
    struct error error;
};

static void run_loop_work(struct worker *worker, void *context)
{
    struct loop_work *work = context;

    (void)worker;
    work->error.status =
        budget_fill(&work->budget, &work->scenario, &work->result, BUDGET_ALL, &work->error);
    if (work->error.status == STATUS_OK)
        loop_curves_find(&work->budget, &work->curves);
}

static void start_work(struct loop_view *view)
{
    struct loop_work *work;

    if (view->running != NULL || view->current || !design_is_valid(view->design) ||
        !worker_may_start(&view->worker, &view->host->bell))
        return;
    work = allocate_array(1, sizeof *work);
    if (work == NULL) {
        error_set(&view->problem, STATUS_MEMORY, "out of memory");
        view->current = true;
        return;
    }
    scenario_copy(&work->scenario, &view->design->scenario);
    work->result.loop = view->design->result.loop;
    memcpy(work->result.wfs, view->design->result.wfs, sizeof work->result.wfs);
    view->stale = false;
    if (worker_start(&view->worker, &view->host->bell, "the error budget", run_loop_work, work,
                     &view->problem) == STATUS_OK) {
        view->running = work;
        return;
    }
    view->current = true;
    free(work);
}

static void loop_view_changed(void *state)
{
    struct loop_view *view = state;

    view->current = false;
    view->stale = true;
}

static void loop_view_collect(void *state)
{
    struct loop_view *view = state;
    struct loop_work *work = view->running;

    if (!worker_try_join(&view->worker) || work == NULL)
        return;
    view->running = NULL;
    if (view->stale) {
        free(work);
        return;
    }
    view->current = true;
    view->problem = work->error;
    free(view->shown);
    view->shown = work;
}

static bool loop_view_busy(const void *state)
{
    const struct loop_view *view = state;

    return view->worker.running;
}

static void loop_view_free(void *state)
{
    struct loop_view *view = state;

    worker_close(&view->worker);
    free(view->running);
    free(view->shown);
    view->running = view->shown = NULL;
}

static void loop_view_start(void *state, struct host *host)
{
    struct loop_view *view = state;

    view->host = host;
    view->design = &host->design;
    view->chart = LOOP_CURVES;
    loop_view_changed(view);
}

/* Returns the work whose budget is shown; NULL: there is none. */
static const struct loop_work *shown_work(const struct loop_view *view)
{
    return view->shown != NULL && view->shown->error.status == STATUS_OK ? view->shown : NULL;
}

/* Drawing -------------------------------------------------------------------------------------- */

static void draw_one(const struct loop_view *view, struct canvas *canvas, struct rect box,
                     enum loop_chart which, bool lone)
{
    const struct loop_work *work = shown_work(view);
    char title[CHART_TITLE_MAX + 48];
    struct chart chart;

    chart_loop(&chart, which, &work->budget, &work->curves);
    snprintf(title, sizeof title, "%s%s", chart.title,
             view->current ? design_stale_mark(view->design) : ": stale");
    if (lone)
        widget_lone_pane(canvas, box, title, true, (int)which + 1, LOOP_CHARTS);
    else
        widget_pane(canvas, box, title, which == LOOP_CURVES);
    if (chart_problem(&chart) != NULL)
        canvas_wrap(canvas, rect_inside(box), 0, STYLE_DIM, chart.note);
    else
        chart_draw(&chart, canvas, rect_inside(box), NULL);
    chart_free(&chart);
}

/* Draws the gain on a slider up to the maximum, with a tick at the optimum. */
static void draw_gain(struct loop_view *view, struct canvas *canvas, struct rect line)
{
    static const char *const sources[] = {[GAIN_STATED] = "stated",
                                          [GAIN_OPTIMUM] = "optimum",
                                          [GAIN_MARGIN] = "45 deg",
                                          [GAIN_HALF] = "half",
                                          [GAIN_FILTER] = "filter"};
    const struct budget *budget = &shown_work(view)->budget;
    double optimum = budget->optimum.gains.common;
    double position = budget->servo.gain / budget->max_gain;
    int at = line.column + 5;

    if (budget->max_gain == RESULT_NONE) { /* filters */
        canvas_text(canvas, line.row, line.column, line.columns, STYLE_NORMAL,
                    "gain: a filter of each radial order");
        return;
    }
    view->slider = (struct rect){line.row, at, 1, SLIDER};
    canvas_text(canvas, line.row, line.column, 5, STYLE_DIM, "gain");
    widget_slider(canvas, line.row, at, SLIDER, position > 1 ? 1 : position,
                  optimum != RESULT_NONE ? optimum / budget->max_gain : -1, true);
    at += SLIDER + 1;
    if (budget->stable)
        canvas_printf(canvas, line.row, at, line.column + line.columns - at, STYLE_NORMAL,
                      "%.3g %s, maximum %.3g", budget->servo.gain, sources[budget->gain_source],
                      budget->max_gain);
    else
        canvas_printf(canvas, line.row, at, line.column + line.columns - at, STYLE_ERROR,
                      "%.3g unstable, maximum %.3g", budget->servo.gain, budget->max_gain);
}

static void add_change(struct buffer *text, const char *label, struct delay_change change)
{
    bool first = text->length == 0;

    if (change.optimised == RESULT_NONE)
        return;
    buffer_print(text, "%s%s %+.2f nm", first ? "" : ", ", label, 1e9 * change.optimised);
    if (change.fixed != RESULT_NONE)
        buffer_print(text, " (%s%+.2f)", first ? "same gain " : "", 1e9 * change.fixed);
}

/* Returns a quantity as text, for a canvas. */
static struct quantity show(double si, const char *unit)
{
    struct quantity quantity;

    text_quantity(si, unit, true, quantity.text, sizeof quantity.text);
    return quantity;
}

/* Writes fact number i, the most important first. Returns false after the last. */
static bool print_fact(const struct loop_work *work, int i, char *bytes, size_t size)
{
    const struct budget *budget = &work->budget;
    struct buffer text = buffer_over(bytes, size);
    char reason[200];

    bytes[0] = '\0';
    switch (i) {
    case 0:
        if (budget->total.after != RESULT_NONE)
            buffer_print(&text, "total %s%s, Strehl ratio %.3f at %s",
                         show(budget->total.after, "m").text,
                         budget->noise.after == RESULT_NONE ? " without noise" : "",
                         budget->strehl, show(budget->wavelength, "m").text);
        else
            buffer_text(&text, !budget->stable ? "no total: the loop is unstable"
                               : budget->turbulence_state == TURBULENCE_NO_DIAMETER
                                   ? "no total: state ao.diameter"
                                   : "no total: there is no wind");
        return true;
    case 1:
        add_change(&text, "100 \xC2\xB5s more", budget->longer);
        add_change(&text, "less", budget->shorter);
        if (text.length == 0)
            buffer_text(&text, "what 100 \xC2\xB5s change is not known");
        return true;
    case 2:
        if (loop_noise_missing(&work->scenario, budget, reason, sizeof reason))
            buffer_print(&text, "no noise: %s", reason);
        else
            buffer_print(&text, "star: %.3g photons per %s and exposure", budget->sensor.photons,
                         budget->sensor.kind == WFS_PYRAMID ? "pupil pixel" : "subaperture");
        return true;
    case 3:
        if (budget->stable)
            buffer_print(&text, "margins: gain %.3g, modulus %.3g, delay %s",
                         budget->margins.gain, budget->margins.modulus,
                         show(budget->margins.delay, "s").text);
        return budget->stable;
    case 4:
        if (budget->order_optimum.total == RESULT_NONE)
            return false;
        buffer_print(&text, "gains per order: total %s, tip-tilt %.3g",
                     show(budget->order_optimum.total, "m").text,
                     budget->order_optimum.gains.order[1]);
        return true;
    case 5:
        if (budget->one_percent == RESULT_NONE)
            return false;
        buffer_print(&text, "1 %% more at a delay of %s, now %s",
                     show(budget->one_percent, "s").text,
                     show(budget->servo.delay, "s").text);
        return true;
    default:
        return false;
    }
}

static void draw_facts(struct loop_view *view, struct canvas *canvas, struct rect box)
{
    struct rect line = rect_inside(box);
    const int rows = line.rows;
    char text[300];

    widget_pane(canvas, box, "Gain and delay", false);
    line.rows = 1;
    draw_gain(view, canvas, line);
    for (int i = 0; i + 1 < rows && print_fact(shown_work(view), i, text, sizeof text); i++) {
        line.row++;
        text_clauses(text, line.columns);
        canvas_text(canvas, line.row, line.column, line.columns, STYLE_NORMAL, text);
    }
}

static void draw_all(struct loop_view *view, struct canvas *canvas, struct rect body)
{
    int left = body.columns / 2, upper = body.rows - body.rows * 2 / 5;
    struct rect top = {body.row, body.column, upper, left};
    struct rect bottom = {body.row + upper, body.column, body.rows - upper, left};

    draw_one(view, canvas, top, LOOP_CURVES, false);
    draw_one(view, canvas, bottom, LOOP_BUDGET, false);
    top.column = bottom.column = body.column + left;
    top.columns = bottom.columns = body.columns - left;
    draw_one(view, canvas, top, LOOP_SPECTRA, false);
    draw_facts(view, canvas, bottom);
}

static void draw_chosen(struct loop_view *view, struct canvas *canvas, struct rect body)
{
    int facts = body.rows - CHART_ROWS - 2 < FACTS ? body.rows - CHART_ROWS - 2 : FACTS;
    struct rect top = body, bottom = body;

    top.rows = body.rows - facts - 2;
    bottom.row += top.rows;
    bottom.rows = facts + 2;
    draw_one(view, canvas, top, view->chart, true);
    draw_facts(view, canvas, bottom);
}

static void loop_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct loop_view *view = state;
    bool failed = view->current && view->problem.status != STATUS_OK;

    start_work(view);
    view->slider.rows = 0;
    if (shown_work(view) == NULL || failed) {
        widget_pane(canvas, body, "Control loop", true);
        canvas_wrap(canvas, rect_inside(body), 0, failed ? STYLE_ERROR : STYLE_DIM,
                    failed ? view->problem.message
                           : design_problem_or(view->design, "computing the error budget"));
        return;
    }
    if (body.columns >= COLUMNS_ALL && body.rows >= ROWS_ALL)
        draw_all(view, canvas, body);
    else
        draw_chosen(view, canvas, body);
}

static void loop_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    const struct loop_view *view = state;
    const struct error *problem = &view->design->problem;

    if (problem->status != STATUS_OK)
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR, problem->message);
    else
        widget_detail(canvas, line, "ao.gain", "%s", knobs[KNOB_AO_GAIN].help);
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Changes the gain from that in force. */
static void step_gain(struct loop_view *view, int by)
{
    const struct knob_ref ref = knob_ref_to(KNOB_AO_GAIN, 0);
    const struct loop_work *work = shown_work(view);
    double gain = view->design->scenario.ao.gain;
    char text[40];

    if (gain == 0 && work != NULL)
        gain = work->budget.servo.gain;
    snprintf(text, sizeof text, "%.10g", knob_step(ref.knob, gain, by));
    design_set_text(view->host, ref, text);
}

static void loop_view_act(void *state, enum action_id id, const char *argument)
{
    struct loop_view *view = state;

    (void)argument;
    if (id == ACTION_VARIANT || id == ACTION_NEXT_PANE)
        view->chart = (enum loop_chart)((view->chart + 1) % LOOP_CHARTS);
    else if (id == ACTION_PREVIOUS_PANE)
        view->chart = (enum loop_chart)((view->chart + LOOP_CHARTS - 1) % LOOP_CHARTS);
    else if (id == ACTION_LEFT || id == ACTION_RIGHT)
        step_gain(view, id == ACTION_LEFT ? -1 : 1);
    else if (id == ACTION_TEN_LEFT || id == ACTION_TEN_RIGHT)
        step_gain(view, id == ACTION_TEN_LEFT ? -10 : 10);
}

static void loop_view_mouse(void *state, const struct key_event *event)
{
    struct loop_view *view = state;
    bool points = event->mouse == MOUSE_PRESS || event->mouse == MOUSE_DRAG;
    char text[40];

    if (shown_work(view) == NULL || !rect_holds(view->slider, event->row, event->column))
        return;
    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        step_gain(view, event->mouse == MOUSE_WHEEL_UP ? 1 : -1);
    if (!points)
        return;
    snprintf(text, sizeof text, "%.2f",
             larger(0.01, shown_work(view)->budget.max_gain *
                              slider_position(event->column - view->slider.column,
                                              view->slider.columns)));
    design_set_text(view->host, knob_ref_to(KNOB_AO_GAIN, 0), text);
}

static bool loop_view_chart(void *state, struct chart *chart)
{
    const struct loop_view *view = state;
    const struct loop_work *work = shown_work(view);

    if (work == NULL)
        return false;
    chart_loop(chart, view->chart, &work->budget, &work->curves);
    return true;
}

static void loop_view_cursor(const void *state, struct view_cursor *cursor)
{
    (void)state;
    cursor->knob = knob_ref_to(KNOB_AO_GAIN, 0);
    cursor->section = SECTION_AO;
    cursor->index = 0;
    snprintf(cursor->path, sizeof cursor->path, "ao.gain");
}

const struct view view_loop = {
    .name = "loop",
    .pane = PANE_CONTROL,
    .start = loop_view_start,
    .free = loop_view_free,
    .changed = loop_view_changed,
    .draw = loop_view_draw,
    .detail = loop_view_detail,
    .act = loop_view_act,
    .mouse = loop_view_mouse,
    .busy = loop_view_busy,
    .collect = loop_view_collect,
    .chart = loop_view_chart,
    .cursor = loop_view_cursor,
};
