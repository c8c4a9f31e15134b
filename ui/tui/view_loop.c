#include "tui/view_loop.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "design/knob_text.h"
#include "draw/chart.h"
#include "draw/text.h"
#include "model/knob_effect.h"
#include "report/reports.h"
#include "session/change.h"
#include "tui/knob_row.h"
#include "tui/view.h"
#include "tui/widget.h"

enum { LIST = LOOP_CHARTS, FACTS = 7, SLIDER = 24, WORDS = 56 };

static void loop_view_start(void *state, struct host *host)
{
    struct loop_view *view = state;

    view->host = host;
    view->design = &host->design;
    view->chart = LOOP_CURVES;
    view->knobs.focus = 0;
}

/* The list ------------------------------------------------------------------------------------- */

/* Knobs of the loop in the order of the list: those of every design, those of the sensor that have
 * an effect, those of the site. Photons have none beside a magnitude, though they are stated. */
static void list_knobs(struct loop_view *view)
{
    static const enum knob_id general[] = {KNOB_AO_GAIN, KNOB_AO_CONTROLLER, KNOB_AO_GAINS,
                                           KNOB_AO_RTC_LATENCY};
    static const enum knob_id star[] = {KNOB_WFS_MAGNITUDE,  KNOB_WFS_BAND,
                                        KNOB_WFS_THROUGHPUT, KNOB_WFS_PHOTONS,
                                        KNOB_WFS_READ_NOISE, KNOB_WFS_EXCESS};
    static const enum knob_id site[] = {
        KNOB_SCENARIO_FRAME_RATE,    KNOB_AO_DIAMETER,   KNOB_ATMOSPHERE_R0,   KNOB_ATMOSPHERE_WIND,
        KNOB_ATMOSPHERE_OUTER_SCALE, KNOB_AO_VIBRATIONS, KNOB_AO_PHASE_MARGIN, KNOB_AO_GAIN_MARGIN,
        KNOB_AO_OTHER_ERRORS};
    const struct scenario *scenario = &view->design->scenario;
    const struct budget_answer *work = design_last_budget(view->design);
    int wfs = work != NULL && work->budget.wfs < scenario->wfs_count
                  ? clamp_int(work->budget.wfs, 0, scenario->wfs_count)
                  : 0;
    int count = 0;

    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++)
        view->knob[count++] = knob_ref_to(general[i], 0);
    for (size_t i = 0; i < sizeof star / sizeof star[0] && scenario->wfs_count > 0; i++)
        if (!knob_idle(scenario, knob_ref_to(star[i], wfs)) &&
            (star[i] != KNOB_WFS_PHOTONS || scenario->wfs[wfs].magnitude == MAGNITUDE_NONE))
            view->knob[count++] = knob_ref_to(star[i], wfs);
    for (size_t i = 0; i < sizeof site / sizeof site[0]; i++)
        view->knob[count++] = knob_ref_to(site[i], 0);
    view->knobs.count = count;
}

/* Returns the knob under the cursor. */
static struct knob_ref focused_knob(struct loop_view *view)
{
    list_knobs(view);
    return view->knob[list_pane_focus(&view->knobs)];
}

static bool is_automatic_gain(const struct loop_view *view, struct knob_ref ref)
{
    return ref.knob == &knobs[KNOB_AO_GAIN] &&
           knob_origin(&view->design->scenario, ref) == ORIGIN_AUTOMATIC;
}

/* Returns the gain in force if the knob is an automatic gain, RESULT_NONE if it is not or not known
 * yet. */
static double automatic_gain(const struct loop_view *view, struct knob_ref ref)
{
    const struct budget_answer *work = design_last_budget(view->design);

    return work != NULL && is_automatic_gain(view, ref) && work->budget.max_gain != RESULT_NONE
               ? work->budget.gains.common
               : RESULT_NONE;
}

/* Facts ---------------------------------------------------------------------------------------- */

/* Draws the gain on a slider up to the maximum, with a tick at the optimum. */
static void draw_gain(struct loop_view *view, struct canvas *canvas, struct rect line)
{
    const struct budget *budget = &design_last_budget(view->design)->budget;
    double optimum = budget->optimum.gains.common;
    double position = budget->gains.common / budget->max_gain;
    bool words = line.columns >= WORDS;
    char text[80], source[LOOP_MARGIN_MAX];
    int at = line.column + 5, columns;

    if (budget->max_gain == RESULT_NONE) { /* filters */
        canvas_text(canvas, line.row, line.column, line.columns, STYLE_NORMAL,
                    "gain: a filter of each order");
        return;
    }
    snprintf(text, sizeof text, "%.3g%s%s, max %.3g", budget->gains.common,
             words || !budget->stable ? " " : "",
             !budget->stable ? "unstable"
             : words         ? loop_gain_source(budget, budget->gain_source, source)
                             : "",
             budget->max_gain);
    columns = clamp_int(line.columns - 5 - text_width(text) - 1, 0, SLIDER);
    view->slider = (struct rect){line.row, at, 1, columns};
    canvas_text(canvas, line.row, line.column, 5, STYLE_DIM, "gain");
    widget_slider(canvas, line.row, at, columns, smaller(1, position),
                  optimum != RESULT_NONE ? optimum / budget->max_gain : -1, true);
    at += columns + 1;
    canvas_text(canvas, line.row, at, line.column + line.columns - at,
                budget->stable ? STYLE_NORMAL : STYLE_ERROR, text);
}

/* Draws the gain, then what it comes to; returns the number of rows for that without limit. */
static int draw_facts(struct loop_view *view, struct canvas *canvas, struct rect area)
{
    const struct budget_answer *shown = design_last_budget(view->design);
    struct facts facts;

    loop_facts(&facts, &shown->scenario, &view->design->result, &shown->budget);
    if (area.rows > 0)
        draw_gain(view, canvas, (struct rect){area.row, area.column, 1, area.columns});
    widget_facts(&facts, canvas,
                 (struct rect){area.row + 1, area.column, area.rows - 1, area.columns});
    return 1 + facts.count;
}

/* Drawing -------------------------------------------------------------------------------------- */

/* Returns why there is no chart, or NULL. */
static const char *charts_problem(const struct loop_view *view)
{
    const struct answer *answer = &view->design->budget;

    if (answer->problem.status != STATUS_OK)
        return answer->problem.message;
    if (answer->current && design_last_budget(view->design) == NULL)
        return ((const struct budget_answer *)answer->job)->error.message;
    return design_last_budget(view->design) != NULL
               ? NULL
               : design_problem_or(view->design, "computing the error budget\xE2\x80\xA6");
}

/* Draws the list, and below it the facts. */
static void draw_list(struct loop_view *view, struct canvas *canvas, struct rect box)
{
    enum { KNOBS_LEAST = 4 };
    struct rect area = rect_inside(box);
    struct rect facts = {area.row, area.column + 1, 0, area.columns - 2};

    widget_pane(canvas, box, "Loop", true);
    if (charts_problem(view) == NULL) {
        facts.rows = clamp_int(draw_facts(view, canvas, facts), 0,
                               clamp_int(area.rows / 2 - 1, FACTS, FACTS_MAX));
        facts.rows = clamp_int(facts.rows, 0, clamp_int(area.rows - KNOBS_LEAST - 1, 0, area.rows));
        area.rows -= facts.rows + 1;
        facts.row += area.rows + 1;
    }
    list_pane_lay(&view->knobs, area, view->knobs.count);
    for (int k = 0; k < view->knobs.count; k++) {
        struct rect line = list_pane_line(&view->knobs, k);
        bool focus = k == list_pane_focus(&view->knobs);

        if (line.rows == 0)
            continue;
        line.columns = knob_row_draw(&view->host->design, canvas, line, view->knob[k],
                                     automatic_gain(view, view->knob[k]), focus);
        if (focus)
            list_pane_draw_cursor(canvas, line, true);
    }
    list_pane_draw_bar(&view->knobs, canvas, box.column + box.columns - 1, true);
    if (facts.rows > 0)
        draw_facts(view, canvas, facts);
}

static void draw_one(const struct loop_view *view, struct canvas *canvas, struct rect box,
                     enum loop_chart which)
{
    const struct budget_answer *work = design_last_budget(view->design);
    const char *problem = charts_problem(view);
    bool all = view->layout.box[0].rows > 0 && view->layout.box[1].rows > 0;
    char title[CHART_TITLE_MAX + 48];
    struct chart chart;

    if (problem != NULL) {
        widget_pane(canvas, box, "Control loop", false);
        canvas_wrap(canvas, rect_inside(box), 0, STYLE_DIM, problem);
        return;
    }
    chart_loop(&chart, which, &work->budget, &work->curves);
    snprintf(title, sizeof title, "%s%s", chart.title,
             view->design->budget.current ? design_stale_mark(view->design) : ": stale");
    if (all)
        widget_pane(canvas, box, title, false);
    else
        widget_lone_pane(canvas, box, title, false, (int)which + 1,
                         view->layout.box[LIST].rows > 0 ? LOOP_CHARTS : LOOP_CHARTS + 1);
    if (chart_problem(&chart) != NULL)
        canvas_wrap(canvas, rect_inside(box), 0, STYLE_DIM, chart.note);
    else
        chart_draw(&chart, canvas, rect_inside(box), NULL);
    chart_free(&chart);
}

static void loop_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct loop_view *view = state;

    design_ask_budget(&view->host->design);
    list_knobs(view);
    view->slider.rows = 0;
    view->layout = layout_control(body, view->chart);
    for (int which = 0; which < LOOP_CHARTS; which++)
        if (view->layout.box[which].rows > 0)
            draw_one(view, canvas, view->layout.box[which], (enum loop_chart)which);
    if (view->layout.box[LIST].rows > 0)
        draw_list(view, canvas, view->layout.box[LIST]);
}

static void loop_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    struct loop_view *view = state;
    const struct error *problem = &view->design->problem;
    struct knob_ref ref = focused_knob(view);
    char path[96], origin[120];

    if (problem->status != STATUS_OK) {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR, problem->message);
        return;
    }
    knob_path(&view->design->scenario, ref, path, sizeof path);
    knob_row_origin(&view->design->scenario, ref, origin, sizeof origin);
    widget_detail(canvas, line, path, "%s \xC2\xB7 %s", ref.knob->help, origin);
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Changes the gain from that in force. */
static void step_gain(struct loop_view *view, int by)
{
    const struct knob_ref ref = knob_ref_to(KNOB_AO_GAIN, 0);
    const struct budget_answer *work = design_last_budget(view->design);
    double gain = view->design->scenario.ao.gain;
    char text[40];

    if (gain == 0 && work != NULL && work->budget.max_gain != RESULT_NONE)
        gain = work->budget.gains.common;
    if (gain == 0 || by == 0) {
        host_say(view->host, NOTICE_NORMAL, "there is no gain to change%s",
                 work == NULL ? " yet" : ": the controller is a filter");
        return;
    }
    snprintf(text, sizeof text, "%.10g", knob_step(ref.knob, gain, by));
    design_set_text(&view->host->design, ref, text);
}

/* Sets the least gain, or the largest of two digits after the point with which the loop is stable.
 */
static void set_gain_end(struct loop_view *view, bool most)
{
    const struct budget_answer *work = design_last_budget(view->design);
    char text[40];

    if (work == NULL || work->budget.max_gain == RESULT_NONE) {
        step_gain(view, 0); /* says why there is none */
        return;
    }
    snprintf(text, sizeof text, "%.2f",
             larger(0.01, most ? ceil(100 * work->budget.max_gain) / 100 - 0.01 : 0.01));
    design_set_text(&view->host->design, knob_ref_to(KNOB_AO_GAIN, 0), text);
}

/* Returns the number of boxes that are shown in turn: the list only where it is not beside them. */
static int boxes_in_turn(const struct loop_view *view)
{
    return view->layout.box[LIST].rows > 0 && view->chart != LIST ? LOOP_CHARTS : LOOP_CHARTS + 1;
}

/* Says what is chosen where all charts are shown: that of the picture and the table. */
static void say_chart(const struct loop_view *view)
{
    if (view->layout.box[0].rows > 0 && view->layout.box[1].rows > 0 && view->chart < LOOP_CHARTS)
        host_say(view->host, NOTICE_NORMAL, "picture and table are of the %s",
                 loop_chart_names[view->chart]);
}

static void loop_view_act(void *state, enum action_id id, const char *argument)
{
    struct loop_view *view = state;
    struct knob_ref ref = focused_knob(view);
    const int step = id == ACTION_LEFT        ? -1
                     : id == ACTION_RIGHT     ? 1
                     : id == ACTION_TEN_LEFT  ? -10
                     : id == ACTION_TEN_RIGHT ? 10
                                              : 0;

    (void)argument;
    if (id == ACTION_VARIANT || id == ACTION_NEXT_PANE) {
        view->chart = (view->chart + 1) % boxes_in_turn(view);
        say_chart(view);
    } else if (id == ACTION_PREVIOUS_PANE)
        view->chart = (view->chart + boxes_in_turn(view) - 1) % boxes_in_turn(view);
    else if (id == ACTION_RESET)
        design_reset(&view->host->design, ref);
    else if (step != 0 && is_automatic_gain(view, ref))
        step_gain(view, step);
    else if ((id == ACTION_LEAST || id == ACTION_MOST) && ref.knob == &knobs[KNOB_AO_GAIN])
        set_gain_end(view, id == ACTION_MOST);
    else if (!list_pane_act(&view->knobs, id))
        knob_row_act(view->host, ref, id);
}

static void loop_view_mouse(void *state, const struct key_event *event)
{
    struct loop_view *view = state;
    bool points = event->mouse == MOUSE_PRESS || event->mouse == MOUSE_DRAG;
    char text[40];

    list_pane_mouse(&view->knobs, event, 1);
    if (design_last_budget(view->design) == NULL ||
        !rect_holds(view->slider, event->row, event->column))
        return;
    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
        step_gain(view, event->mouse == MOUSE_WHEEL_UP ? 1 : -1);
    if (!points)
        return;
    snprintf(text, sizeof text, "%.2f",
             larger(0.01, design_last_budget(view->design)->budget.max_gain *
                              slider_position(event->column - view->slider.column,
                                              view->slider.columns)));
    design_set_text(&view->host->design, knob_ref_to(KNOB_AO_GAIN, 0), text);
}

static bool loop_view_chart(void *state, struct chart *chart)
{
    const struct loop_view *view = state;
    const struct budget_answer *work = design_budget(view->design);

    if (work == NULL)
        return false;
    chart_loop(chart, view->chart == LIST ? LOOP_CURVES : (enum loop_chart)view->chart,
               &work->budget, &work->curves);
    return true;
}

static const char *loop_view_enter(const void *state)
{
    const struct loop_view *view = state;
    int focus = list_pane_focus(&view->knobs);

    return focus >= 0 && knob_row_has_list(&view->design->scenario, view->knob[focus]) ? "choose"
                                                                                       : "edit";
}

static void loop_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct loop_view *view = state;
    int focus = list_pane_focus(&view->knobs);

    if (focus < 0)
        return;
    cursor->knob = view->knob[focus];
    cursor->section = cursor->knob.section;
    cursor->index = cursor->knob.index;
    knob_path(&view->design->scenario, cursor->knob, cursor->path, sizeof cursor->path);
}

static bool loop_view_show(void *state, struct knob_ref ref)
{
    struct loop_view *view = state;

    list_knobs(view);
    for (int k = 0; k < view->knobs.count; k++)
        if (view->knob[k].knob == ref.knob && view->knob[k].index == ref.index) {
            list_pane_set(&view->knobs, k);
            return true;
        }
    return false;
}

const struct view view_loop = {
    .name = "loop",
    .pane = PANE_CONTROL,
    .start = loop_view_start,
    .draw = loop_view_draw,
    .detail = loop_view_detail,
    .act = loop_view_act,
    .mouse = loop_view_mouse,
    .chart = loop_view_chart,
    .enter = loop_view_enter,
    .cursor = loop_view_cursor,
    .show = loop_view_show,
};
