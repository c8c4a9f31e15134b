#include "tui/view_advise.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "charts/advise.h"
#include "design/knob_text.h"
#include "tui/view.h"
#include "tui/widget.h"

/* Worker thread -------------------------------------------------------------------------------- */

static uint64_t users_of(const struct scenario *scenario, int device)
{
    uint64_t components = 0;

    for (int c = 0; c < scenario->component_count; c++)
        components |= (uint64_t)(scenario_devices(scenario, c) >> device & 1U) << c;
    return components;
}

/* Returns true if an earlier device has the same preset and runs the same components. */
static bool is_alike(const struct scenario *scenario, int device)
{
    for (int d = 0; d < device; d++)
        if (users_of(scenario, d) == users_of(scenario, device) &&
            strcmp(scenario->device[d].preset, scenario->device[device].preset) == 0)
            return true;
    return false;
}

static enum status rank_devices(struct advise_work *work, const struct progress *progress)
{
    struct advise *advise = work->advise;
    const struct scenario *scenario = &advise->design->scenario;
    enum status status = STATUS_OK;

    for (int d = 0; d < scenario->device_count && status == STATUS_OK; d++) {
        const struct rank_question question = {.device = d};

        if (users_of(scenario, d) == 0 || is_alike(scenario, d))
            continue;
        status = rank_presets(scenario, work->catalogue, question, RANK_LATENCY, progress,
                              &work->rank[work->rank_count], &work->error);
        if (status == STATUS_OK)
            work->rank_count++;
        else
            rank_free(&work->rank[work->rank_count]);
    }
    return status;
}

static enum status compute_part(struct advise_work *work, enum advise_work_part part,
                                const struct progress *progress)
{
    static const enum advise_part parts[WORK_PARTS] = {[WORK_STEPS] = ADVISE_STEPS,
                                                       [WORK_TARGET] = ADVISE_TARGET,
                                                       [WORK_SHARES] = ADVISE_SHARES,
                                                       [WORK_PACKETS] = ADVISE_PACKETS};

    if (part == WORK_RANK)
        return rank_devices(work, progress);
    return advise_find(work->advise, parts[part], progress, &work->error);
}

static void run_advise_work(struct worker *worker, void *context)
{
    struct advise_work *work = context;
    const struct progress progress = {worker_report, worker};

    if (advise_new(&work->advise, &work->scenario, work->values, &progress, &work->error) !=
        STATUS_OK)
        return;
    for (int part = 0; part < WORK_PARTS; part++) {
        if (compute_part(work, (enum advise_work_part)part, &progress) != STATUS_OK)
            return;
        atomic_store(&work->parts, part + 1);
        worker_notify(worker);
    }
}

/* Main thread ---------------------------------------------------------------------------------- */

static void advise_work_free(struct advise_work *work)
{
    if (work == NULL)
        return;
    for (int r = 0; r < work->rank_count; r++)
        rank_free(&work->rank[r]);
    advise_free(work->advise);
    free(work);
}

static struct advise_work *advise_work_new(struct advise_view *view)
{
    struct advise_work *work = allocate_array(1, sizeof *work);

    work->catalogue = view->design->catalogue;
    work->values = design_part_values(&view->host->design);
    scenario_copy(&work->scenario, &view->design->scenario);
    return work;
}

static void start_work(struct advise_view *view)
{
    if (view->running != NULL || view->current || view->problem.status != STATUS_OK ||
        !design_is_valid(view->design) || !worker_may_start(&view->worker, &view->host->bell))
        return;
    view->running = advise_work_new(view);
    view->stale = false;
    if (worker_start(&view->worker, &view->host->bell, "advice", run_advise_work, view->running,
                     &view->problem) != STATUS_OK) {
        advise_work_free(view->running);
        view->running = NULL;
    }
}

static void advise_view_changed(void *state)
{
    struct advise_view *view = state;

    view->current = false;
    view->problem.status = STATUS_OK;
    if (view->running != NULL) {
        view->stale = true;
        worker_request_stop(&view->worker);
    }
}

static void show_work(struct advise_view *view, struct advise_work *work)
{
    if (view->shown != work)
        advise_work_free(view->shown);
    view->shown = work;
    view->current = true;
    advise_list_rows(view);
}

static void advise_view_collect(void *state)
{
    struct advise_view *view = state;
    struct advise_work *work = view->running;
    bool ended = worker_try_join(&view->worker);

    if (work == NULL)
        return;
    if (!view->stale && atomic_load(&work->parts) > 0)
        show_work(view, work);
    if (!ended)
        return;
    view->running = NULL;
    if (work == view->shown) {
        if (!view->stale && atomic_load(&work->parts) < WORK_PARTS)
            view->problem = work->error;
        return;
    }
    if (!view->stale)
        view->problem = work->error;
    advise_work_free(work);
}

static void advise_view_start(void *state, struct host *host)
{
    struct advise_view *view = state;

    view->host = host;
    view->design = &host->design;
    advise_view_changed(view);
    view->front = host_front(host);
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

    worker_close(&view->worker);
    if (view->running != view->shown)
        advise_work_free(view->running);
    advise_work_free(view->shown);
    for (int p = 0; p < ADVISE_PANES; p++)
        free(view->rows[p].row);
    picker_free(&view->designs);
    view->running = view->shown = NULL;
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
        host_say(view->host, STYLE_NORMAL, "there is no row to apply");
    else if (present)
        host_say(view->host, STYLE_NORMAL, "nothing has changed");
    else
        front_take(view->front, id);
}

static void filter_changed(void *context, const char *text)
{
    struct advise_view *view = context;

    front_set_filter(view->front, text);
    if (view->front->read.problem[0] != '\0')
        host_say(view->host, STYLE_WARNING, "%s", view->front->read.problem);
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
        prompt_open(view->host, &(struct prompt_request){.label = "filter ",
                                                         .text = view->front->filter,
                                                         .context = view,
                                                         .accept = accept_filter,
                                                         .changed = filter_changed});
}

static void act_on_designs(struct advise_view *view, enum action_id id, const char *argument)
{
    if (id == ACTION_ENTER)
        enter_design(view);
    else if (id == ACTION_FILTER)
        ask_filter(view, argument);
    else if (id == ACTION_FRONT)
        front_toggle(view->front);
    else if (id == ACTION_VARIANT)
        picker_sort(&view->designs, 1);
    else
        list_pane_act(&view->designs.list, id);
}

/* Applying a row ------------------------------------------------------------------------------- */

/* Reports the effect of a change: "RTC latency 14.8 µs → 9.0 µs; u undoes it". */
static void report_latency(struct advise_view *view, double before)
{
    if (!design_is_valid(view->design))
        return;
    host_say(view->host, STYLE_NORMAL, "RTC latency %s \xE2\x86\x92 %s; u undoes it",
             quantity_text(before, "s").text,
             quantity_text(view->design->result.latency, "s").text);
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
    design_record(view->host, false, "%d %s step%s", last + 1,
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
    design_record(view->host, false, "best division of %s",
                  split->device < 0 ? "all devices"
                                    : view->design->scenario.device[split->device].head.name);
}

static void apply_row(struct advise_view *view, const struct advise_row *row)
{
    const struct advise *advise = view->shown->advise;
    char packets[16];

    if (row->kind == ADVISE_SEQUENCE)
        apply_sequence(view, &advise->target, row);
    else if (row->kind == ADVISE_SPLIT || row->kind == ADVISE_SHARE)
        apply_split(view, &advise->split[row->a]);
    else if (row->kind == ADVISE_PRESET)
        design_set_preset(view->host, row->ref.index, row->to);
    else if (row->to != NULL)
        design_take_step(view->host, row->ref, row->to);
    else {
        snprintf(
            packets, sizeof packets, "%d",
            (row->kind == ADVISE_PACKETS_BEST ? &advise->packets.best : &advise->packets.fewest)
                ->packets);
        design_set_text(view->host, row->ref, packets);
    }
}

/* Returns true for a row that is a change. */
static bool advise_row_acts(const struct advise_view *view, const struct advise_row *row)
{
    const struct advise *advise = view->shown->advise;

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
        host_say(view->host, STYLE_NORMAL, "select a change to apply it");
        return;
    }
    if (!view->current || !design_is_valid(view->design)) {
        host_say(view->host, STYLE_NORMAL, "these results are of the previous design");
        return;
    }
    chosen = *row; /* a copy, since the change lists the rows again */
    before = view->design->result.latency;
    apply_row(view, &chosen);
    if (view->design->history.position != position && view->host->message[0] == '\0')
        report_latency(view, before);
}

static const char *advise_view_enter(const void *state)
{
    const struct advise_view *view = state;
    const struct advise_row *row = advise_row(view);
    bool present = false;
    int id;

    if (view->focus == ADVISE_PANE_SEARCH)
        return !view->front->current || !design_row(view, &id, &present) || present ? NULL
                                                                                    : "apply";
    return row == NULL || !advise_row_acts(view, row) || !view->current ||
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
    else
        start_work(view);
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
    if (view->shown != NULL)
        advise_list_rows(view);
    for (int p = 0; p < ADVISE_PANES; p++)
        for (int i = 0; i < view->rows[p].list.count && at[p].kind != ADVISE_HEADING; i++) {
            const struct advise_row *row = &view->rows[p].row[i];

            if (row->kind == at[p].kind && row->a == at[p].a && row->b == at[p].b)
                list_pane_set(&view->rows[p].list, i);
        }
    host_say(view->host, STYLE_NORMAL, "in each group %s",
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
    else if (id == ACTION_VARIANT)
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

static bool advise_view_busy(const void *state)
{
    const struct advise_view *view = state;

    return view->running != NULL;
}

/* The rows may be of the previous design, whose knobs may no longer exist. For a row about a
 * device, the section is that device. */
static void advise_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct advise_view *view = state;
    const struct advise_row *row = view->current ? advise_row(view) : NULL;

    if (row == NULL)
        return;
    cursor->knob = row->ref;
    cursor->section = SECTION_DEVICE;
    if (row->kind == ADVISE_SPLIT)
        cursor->index = view->shown->advise->split[row->a].device;
    else if (row->ref.knob != NULL && row->ref.section == SECTION_DEVICE)
        cursor->index = row->ref.index;
    else if (row->ref.knob != NULL && row->ref.section == SECTION_COMPONENT)
        cursor->index = scenario_device(&view->shown->advise->design->scenario, row->ref.index);
    if (row->ref.knob != NULL)
        knob_path(&view->design->scenario, row->ref, cursor->path, sizeof cursor->path);
}

static bool advise_view_chart(void *state, struct chart *chart)
{
    struct advise_view *view = state;

    if (view->focus == ADVISE_PANE_SEARCH)
        return front_chart(view->front, chart);
    if (view->shown == NULL || view->parts <= WORK_STEPS)
        return false;
    chart_advise(chart, view->shown->advise);
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
    chart_advise(&chart, view->shown->advise);
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
    .busy = advise_view_busy,
    .collect = advise_view_collect,
    .chart = advise_view_chart,
    .table = advise_view_table,
    .enter = advise_view_enter,
    .cursor = advise_view_cursor,
};
