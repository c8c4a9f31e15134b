#include "tui/view_advise.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "charts/advise.h"
#include "design/knob_text.h"
#include "session/change.h"
#include "tui/view.h"
#include "tui/widget.h"

/* Work ----------------------------------------------------------------------------------------- */

static void advise_view_changed(void *state)
{
    struct advise_view *view = state;

    answer_outdate(&view->answer);
}

static void advise_view_collect(void *state)
{
    struct advise_view *view = state;
    const struct advice_answer *part = answer_part(&view->answer);
    bool shows = part != NULL && atomic_load(&part->parts) > 0;

    if (shows)
        answer_show_part(&view->answer);
    if (answer_collect(&view->answer) || shows)
        advise_list_rows(view);
}

static void advise_view_start(void *state, struct host *host)
{
    struct advise_view *view = state;

    view->host = host;
    view->design = &host->design;
    advise_view_changed(view);
    view->front = host->front;
    view->designs.asks = true;
    view->designs.syntax = "f filters: words, watts<600, vendor:nvidia";
    view->version = 0;
    view->focus = ADVISE_PANE_STEPS;
    for (int p = 0; p < ADVISE_PANES; p++)
        view->rows[p].list = (struct list_pane){.count = view->rows[p].list.count};
}

static void advise_view_free(void *state)
{
    struct advise_view *view = state;

    answer_close(&view->answer);
    for (int p = 0; p < ADVISE_PANES; p++)
        free(view->rows[p].row);
    picker_free(&view->designs);
}

/* The search ----------------------------------------------------------------------------------- */

/* Returns the id of the row under the cursor; `present`: that is the present design. Returns false
 * if there is none. */
static bool design_row(const struct advise_view *view, int *id, bool *present)
{
    int chosen = picker_chosen(&view->designs);

    if (chosen < 0)
        return false;
    *id = view->designs.items[chosen].id;
    *present = view->designs.items[chosen].present;
    return true;
}

static void enter_design(struct advise_view *view)
{
    bool present;
    int id;

    if (!design_row(view, &id, &present))
        host_say(view->host, NOTICE_NORMAL, "there is no row to apply");
    else if (front_opens(view->front, id))
        front_open(view->front, id);
    else if (present)
        host_say(view->host, NOTICE_NORMAL, "nothing has changed");
    else
        front_take(view->front, id);
}

/* Lists the designs that a row stands for, or leaves them out again. */
static void fold_designs(struct advise_view *view, bool open)
{
    bool present;
    int id;

    if (!design_row(view, &id, &present))
        return;
    if (!open)
        picker_seek(&view->designs, front_close(view->front, id));
    else if (front_opens(view->front, id))
        front_open(view->front, id);
}

static void filter_changed(void *context, const char *text)
{
    struct advise_view *view = context;

    front_set_filter(view->front, text);
    if (view->front->read.problem[0] != '\0')
        host_say(view->host, NOTICE_WARNING, "%s", view->front->read.problem);
}

static bool accept_filter(void *context, const char *text)
{
    struct advise_view *view = context;

    filter_changed(context, text);
    return view->front->read.problem[0] == '\0';
}

static void ask_filter(struct advise_view *view, const char *argument)
{
    if (argument != NULL)
        accept_filter(view, argument);
    else
        host_ask_line(view->host, &(struct prompt_request){.label = "filter ",
                                                         .text = view->front->filter,
                                                         .context = view,
                                                         .accept = accept_filter,
                                                         .changed = filter_changed});
}

static void act_on_designs(struct advise_view *view, enum action_id id, const char *argument)
{
    if (id == ACTION_ENTER)
        enter_design(view);
    else if (id == ACTION_LEFT || id == ACTION_RIGHT)
        fold_designs(view, id == ACTION_RIGHT);
    else if (id == ACTION_FILTER)
        ask_filter(view, argument);
    else if (id == ACTION_FRONT)
        front_toggle(view->front);
    else if (id == ACTION_SORT)
        picker_sort(&view->designs, 1);
    else
        list_pane_act(&view->designs.list, id);
}

/* Applying a row ------------------------------------------------------------------------------- */

static void report_latency(struct advise_view *view, double before)
{
    if (!design_is_valid(view->design))
        return;
    host_say_latency(view->host, before, quantity_text(view->design->result.latency, "s").text);
}

static bool set_knob(struct advise_view *view, struct knob_ref ref, const char *value)
{
    struct error error;

    if (part_values_set(design_part_values(&view->host->design), &view->host->design.scenario, ref,
                        value, &error) == STATUS_OK)
        return true;
    host_fail(view->host, &error);
    return false;
}

/* Applies a sequence up to one of its steps as one change. */
static void apply_sequence(struct advise_view *view, const struct meet_target *target,
                           const struct advise_row *row)
{
    const struct target_sequence *sequence = &target->sequence[row->a];
    int last = row->b >= 0 ? row->b : sequence->count - 1;

    for (int i = 0; i <= last; i++)
        if (!set_knob(view, sequence->step[i].ref, sequence->step[i].to))
            break;
    design_record(&view->host->design, false, "%d %s step%s", last + 1,
                  target_source_name((enum target_source)row->a), last > 0 ? "s" : "");
}

static void apply_split(struct advise_view *view, const struct share_split *split)
{
    for (int i = 0; i < split->count; i++) {
        char text[40];

        share_text(&split->share[i], text, sizeof text);
        if (!share_changes(&view->design->scenario, &split->share[i]))
            continue;
        if (!set_knob(view, knob_ref_to(KNOB_COMPONENT_SHARE, split->share[i].component), text))
            break;
    }
    design_record(&view->host->design, false, "best division of %s",
                  split->device < 0 ? "all devices"
                                    : view->design->scenario.device[split->device].head.name);
}

static void apply_row(struct advise_view *view, const struct advise_row *row)
{
    const struct advise *advise = advise_shown(view)->advise;
    char packets[16];

    if (row->kind == ADVISE_SEQUENCE)
        apply_sequence(view, &advise->target, row);
    else if (row->kind == ADVISE_SPLIT || row->kind == ADVISE_SHARE)
        apply_split(view, &advise->split[row->a]);
    else if (row->kind == ADVISE_PRESET)
        design_set_preset(&view->host->design, row->ref.index, row->to);
    else if (row->to != NULL)
        design_take_step(&view->host->design, row->ref, row->to);
    else {
        snprintf(
            packets, sizeof packets, "%d",
            (row->kind == ADVISE_PACKETS_BEST ? &advise->packets.best : &advise->packets.fewest)
                ->packets);
        design_set_text(&view->host->design, row->ref, packets);
    }
}

/* Returns true for a row that is a change. */
static bool advise_row_acts(const struct advise_view *view, const struct advise_row *row)
{
    const struct advise *advise = advise_shown(view)->advise;

    return row->kind != ADVISE_HEADING &&
           (row->kind != ADVISE_SEQUENCE || advise->target.sequence[row->a].count > 0) &&
           ((row->kind != ADVISE_SPLIT && row->kind != ADVISE_SHARE) ||
            advise->split[row->a].gain > 0);
}

static void enter_change(struct advise_view *view)
{
    const struct advise_row *row = advise_row(view);
    size_t position = view->design->history.position;
    double before;
    struct advise_row chosen;

    if (row == NULL || !advise_row_acts(view, row)) {
        host_say(view->host, NOTICE_NORMAL, "select a change to apply it");
        return;
    }
    if (!view->answer.current || !design_is_valid(view->design)) {
        host_say(view->host, NOTICE_NORMAL, "these results are of the previous design");
        return;
    }
    chosen = *row; /* a copy, since the change lists the rows again */
    before = view->design->result.latency;
    apply_row(view, &chosen);
    if (view->design->history.position != position && view->host->notice.text[0] == '\0')
        report_latency(view, before);
}

static const char *advise_view_enter(const void *state)
{
    const struct advise_view *view = state;
    const struct advise_row *row = advise_row(view);
    bool present = false;
    int id;

    if (view->focus == ADVISE_PANE_SEARCH && view->front->current &&
        design_row(view, &id, &present))
        return front_opens(view->front, id) ? "open" : present ? NULL : "apply";
    if (view->focus == ADVISE_PANE_SEARCH)
        return NULL;
    return row == NULL || !advise_row_acts(view, row) || !view->answer.current ||
                   !design_is_valid(view->design)
               ? NULL
               : "apply";
}

/* View ----------------------------------------------------------------------------------------- */

static void advise_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct advise_view *view = state;

    if (view->focus == ADVISE_PANE_SEARCH)
        front_show(view->front);
    else if (design_is_valid(view->design))
        advice_ask(&view->answer, view->design->version, &view->design->scenario,
                   design_part_values(&view->host->design), view->design->catalogue);
    advise_draw(view, canvas, body);
}

/* Sorts by watts or by gain. A cursor that was moved stays on its row, another goes to the first
 * one. */
static void toggle_order(struct advise_view *view)
{
    bool by_watts = !view->rows[0].by_watts;
    struct advise_row at[ADVISE_PANES] = {{.kind = ADVISE_HEADING}};

    for (int p = 0; p < ADVISE_PANES; p++) {
        struct advise_rows *rows = &view->rows[p];
        int focus = list_pane_focus(&rows->list);
        int first = 0;

        while (first < focus && rows->row[first].title)
            first++;
        at[p].kind = ADVISE_HEADING;
        if (focus > first)
            at[p] = rows->row[focus];
        rows->by_watts = by_watts;
        rows->list.focus = 0;
    }
    if (advise_shown(view) != NULL)
        advise_list_rows(view);
    for (int p = 0; p < ADVISE_PANES; p++)
        for (int i = 0; i < view->rows[p].list.count && at[p].kind != ADVISE_HEADING; i++) {
            const struct advise_row *row = &view->rows[p].row[i];

            if (row->kind == at[p].kind && row->a == at[p].a && row->b == at[p].b)
                list_pane_set(&view->rows[p].list, i);
        }
    host_say(view->host, NOTICE_NORMAL, "in each group %s",
             by_watts ? "what needs least power comes first" : "what gains most comes first");
}

static void advise_view_act(void *state, enum action_id id, const char *argument)
{
    struct advise_view *view = state;

    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE)
        view->focus = (enum advise_pane)(((int)view->focus + (id == ACTION_NEXT_PANE ? 1 : 2)) %
                                         ADVISE_PANES_ALL);
    else if (view->focus == ADVISE_PANE_SEARCH)
        act_on_designs(view, id, argument);
    else if (id == ACTION_FRONT)
        view->focus = ADVISE_PANE_SEARCH;
    else if (id == ACTION_ENTER)
        enter_change(view);
    else if (id == ACTION_SORT)
        toggle_order(view);
    else
        list_pane_act(&view->rows[view->focus].list, id);
}

static void advise_view_mouse(void *state, const struct key_event *event)
{
    struct advise_view *view = state;

    if (rect_holds(view->search, event->row, event->column))
        picker_mouse(&view->designs, event);
    for (int p = 0; p < ADVISE_PANES; p++) {
        if (!rect_holds(view->box[p], event->row, event->column))
            continue;
        view->focus = (enum advise_pane)p;
        list_pane_mouse(&view->rows[p].list, event, 3);
    }
}

/* The rows may be of the previous design, whose knobs may no longer exist. For a row about a
 * device, the section is that device. */
static void advise_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct advise_view *view = state;
    const struct advise_row *row = view->answer.current ? advise_row(view) : NULL;

    if (row == NULL)
        return;
    cursor->knob = row->ref;
    cursor->section = SECTION_DEVICE;
    if (row->kind == ADVISE_SPLIT)
        cursor->index = advise_shown(view)->advise->split[row->a].device;
    else if (row->ref.knob != NULL && row->ref.section == SECTION_DEVICE)
        cursor->index = row->ref.index;
    else if (row->ref.knob != NULL && row->ref.section == SECTION_COMPONENT)
        cursor->index = scenario_device(advise_shown(view)->advise->design, row->ref.index);
    if (row->ref.knob != NULL)
        knob_path(&view->design->scenario, row->ref, cursor->path, sizeof cursor->path);
}

static bool advise_view_chart(void *state, struct chart *chart)
{
    struct advise_view *view = state;

    if (view->focus == ADVISE_PANE_SEARCH)
        return front_chart(view->front, chart);
    if (advise_shown(view) == NULL || view->parts <= ADVICE_STEPS ||
        (!view->answer.current && advise_shown(view) != answer_part(&view->answer)))
        return false;
    chart_advise(chart, advise_shown(view)->advise);
    return true;
}

/* The search as its report, the steps as the points of their picture. */
static void advise_view_table(const void *state, FILE *out, int columns)
{
    const struct advise_view *view = state;
    struct chart chart;

    if (view->focus == ADVISE_PANE_SEARCH) {
        front_table(view->front, out, columns);
        return;
    }
    chart_advise(&chart, advise_shown(view)->advise);
    chart_table(&chart, out, columns);
    chart_free(&chart);
}

static enum pane advise_focused_pane(const void *state)
{
    const struct advise_view *view = state;

    return view->focus == ADVISE_PANE_SEARCH ? PANE_SEARCH : PANE_ADVISE;
}

const struct view view_advise = {
    .name = "advise",
    .start = advise_view_start,
    .free = advise_view_free,
    .changed = advise_view_changed,
    .focused_pane = advise_focused_pane,
    .draw = advise_view_draw,
    .detail = advise_draw_detail,
    .act = advise_view_act,
    .mouse = advise_view_mouse,
    .collect = advise_view_collect,
    .chart = advise_view_chart,
    .table = advise_view_table,
    .enter = advise_view_enter,
    .cursor = advise_view_cursor,
};
