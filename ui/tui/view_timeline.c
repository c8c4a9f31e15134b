#include "tui/view_timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "charts/timeline.h"
#include "tui/host.h"
#include "tui/view.h"

#define ZOOM 2         /* a step of it */
#define PAN 0.25       /* of the window */
#define NARROWEST 1e-9 /* s, of a window */

/* The window ---------------------------------------------------------------------------------- */

void timeline_limits(const struct timeline_view *view, double *low, double *high)
{
    timeline_whole(&view->lanes, low, high);
    *low -= view->lanes.period;
    *high = larger(*high, view->lanes.period) + view->lanes.period;
}

/* Moves and narrows the window into its limits. */
static void set_window(struct timeline_view *view, double from, double width)
{
    double low, high;

    timeline_limits(view, &low, &high);
    width = larger(width, larger(NARROWEST, 1e-12 * (high - low)));
    width = smaller(width, high - low);
    from = larger(low, smaller(from, high - width));
    view->from = from;
    view->to = smaller(high, from + width);
}

static void set_scope(struct timeline_view *view, enum timeline_scope scope)
{
    view->scope = scope;
    if (scope == SCOPE_WHOLE)
        timeline_whole(&view->lanes, &view->from, &view->to);
    else if (scope == SCOPE_TAIL)
        timeline_tail(&view->lanes, &view->from, &view->to);
    else if (scope == SCOPE_FRAMES)
        timeline_limits(view, &view->from, &view->to);
    set_window(view, view->from, view->to - view->from);
}

/* Makes the window `factor` as wide; the time `at` stays where it is. */
static void zoom_window(struct timeline_view *view, double factor, double at)
{
    double width = view->to - view->from;
    double part = smaller(1, larger(0, (at - view->from) / width));

    view->scope = SCOPE_FREE;
    set_window(view, view->from + part * (width - factor * width), factor * width);
}

/* As little as it takes to see it, its beginning at least. */
static void show_slot(struct timeline_view *view, const struct schedule_entry *slot)
{
    double width = view->to - view->from;
    double from = view->from;

    if (slot->did.end > from + width)
        from = slot->did.end - width;
    if (slot->did.from < from || slot->did.end - slot->did.from > width)
        from = slot->did.from;
    if (slot->did.from >= view->from && slot->did.from <= view->to &&
        (slot->did.end <= view->to || slot->did.end - slot->did.from > width))
        return;
    view->scope = SCOPE_FREE;
    set_window(view, from, width);
}

/* The cursor ---------------------------------------------------------------------------------- */

static const struct schedule_row *lane_of(const struct timeline_view *view)
{
    return &view->lanes.lane[view->by][list_pane_focus(&view->rows)];
}

static void set_slot(struct timeline_view *view, int slot)
{
    view->slot = slot;
    if (slot < 0)
        return;
    view->number = view->lanes.slot[slot].number;
    snprintf(view->node, sizeof view->node, "%s",
             view->lanes.node[view->lanes.slot[slot].node].name);
}

/* To another slot; brings it into the window. */
static void focus_slot(struct timeline_view *view, int slot)
{
    if (slot < 0)
        return;
    set_slot(view, slot);
    show_slot(view, &view->lanes.slot[slot]);
}

/* When the slot under the cursor begins, within the window. */
static double cursor_time(const struct timeline_view *view)
{
    double time = view->slot < 0 ? view->from : view->lanes.slot[view->slot].did.start;

    return larger(view->from, smaller(view->to, time));
}

/* By a part of its width. The cursor goes along where it would be lost. */
static void pan_window(struct timeline_view *view, double part)
{
    double width = view->to - view->from;
    const struct schedule_entry *slot;

    view->scope = SCOPE_FREE;
    set_window(view, view->from + part * width, width);
    if (view->slot < 0)
        return;
    slot = &view->lanes.slot[view->slot];
    if (slot->did.end < view->from || slot->did.from > view->to)
        set_slot(view, schedule_nearest_slot(&view->lanes, lane_of(view), cursor_time(view)));
}

/* After the cursor may have moved to another lane: to the slot that is nearest to the time it was
 * at.
 */
static void follow_lane(struct timeline_view *view, int before, double time)
{
    if (view->rows.count > 0 && list_pane_focus(&view->rows) != before)
        focus_slot(view, schedule_nearest_slot(&view->lanes, lane_of(view), time));
}

/* The lane of the node under the cursor, the present one if that is one. */
static void find_lane(struct timeline_view *view)
{
    int node = view->slot < 0 ? -1 : view->lanes.slot[view->slot].node;
    int lane = view->rows.focus;

    view->rows.count = view->lanes.count[view->by];
    if (node >= 0 && lane < view->rows.count &&
        schedule_row_holds(lane_of(view), &view->lanes, node))
        return;
    for (int l = 0; node >= 0 && l < view->rows.count; l++)
        if (schedule_row_holds(&view->lanes.lane[view->by][l], &view->lanes, node)) {
            view->rows.focus = l;
            return;
        }
    if (node < 0 || view->rows.count == 0)
        view->rows.focus = 0;
}

/* To the other kind of lanes. */
static void turn_lanes(struct timeline_view *view)
{
    view->by = view->by == ROWS_BY_COMPONENT ? ROWS_BY_DEVICE : ROWS_BY_COMPONENT;
    find_lane(view);
}

/* The slot of that name and number, or a near one. */
static int same_slot(const struct timeline_view *view)
{
    for (int n = 0; n < view->lanes.node_count; n++)
        if (strcmp(view->lanes.node[n].name, view->node) == 0 && view->lanes.node[n].count > 0)
            return schedule_find_slot(&view->lanes, n, view->number);
    return -1;
}

/* Where most of the latency comes from: the last packet of what binds. */
static int binding_slot(const struct timeline_view *view, const struct result *result)
{
    int n = result->bound_node;

    if (n < 0 || n >= view->lanes.node_count || view->lanes.node[n].count == 0)
        return view->lanes.slot_count > 0 ? 0 : -1;
    return schedule_find_slot(&view->lanes, n, view->lanes.packets - 1);
}

/* After lanes were taken: the same slot, or one near to it; at first where the latency comes from.
 */
static void restore_cursor(struct timeline_view *view, const struct result *result)
{
    int slot = same_slot(view);

    set_slot(view, slot >= 0 ? slot : binding_slot(view, result));
    find_lane(view);
    set_scope(view, view->scope);
}

/* State ---------------------------------------------------------------------------------------- */

static void start(void *state, struct host *host)
{
    struct timeline_view *view = state;

    view->host = host;
    view->outdated = true;
    view->scope = SCOPE_WHOLE;
    view->node[0] = '\0';
    view->rows = (struct list_pane){0};
    schedule_free(&view->lanes);
    view->slot = -1;
}

static void changed(void *state)
{
    struct timeline_view *view = state;

    view->outdated = true;
}

static void release(void *state)
{
    struct timeline_view *view = state;

    schedule_free(&view->lanes);
}

void timeline_renew(struct timeline_view *view)
{
    struct error error;

    if (!view->outdated || view->host->design.problem.status != STATUS_OK ||
        !view->host->design.evaluated)
        return;
    view->outdated = false;
    if (schedule_capture(&view->lanes, &view->host->design.scenario, &view->host->design.result,
                         &error) != STATUS_OK)
        host_fail(view->host, &error);
    restore_cursor(view, &view->host->design.result);
}

/* Keys ---------------------------------------------------------------------------------------- */

static bool section(const void *state, enum section *section, int *index)
{
    const struct timeline_view *view = state;
    const struct schedule_node *node;

    if (view->slot < 0)
        return false;
    node = &view->lanes.node[view->lanes.slot[view->slot].node];
    *section = SECTION_COMPONENT;
    *index = node->inserted ? -1 : design_find_component(&view->host->design, node->name);
    return *index >= 0;
}

static bool path(const void *state, char *path, size_t size)
{
    const struct timeline_view *view = state;

    if (view->slot < 0)
        return false;
    snprintf(path, size, "component.%s.time",
             view->lanes.node[view->lanes.slot[view->slot].node].name);
    return true;
}

static void show_knobs(struct timeline_view *view)
{
    enum section of;
    int index;

    if (section(view, &of, &index))
        host_show_knob(view->host, of, index, NULL, true);
    else if (view->slot >= 0)
        host_say(view->host, STYLE_NORMAL,
                 "%s is inserted where neighbours sit on different devices", view->node);
}

static void act_window(struct timeline_view *view, enum action_id id)
{
    static const enum timeline_scope next[] = {[SCOPE_WHOLE] = SCOPE_TAIL,
                                               [SCOPE_TAIL] = SCOPE_FRAMES,
                                               [SCOPE_FRAMES] = SCOPE_WHOLE,
                                               [SCOPE_FREE] = SCOPE_WHOLE};

    if (id == ACTION_ZOOM_IN || id == ACTION_ZOOM_OUT)
        zoom_window(view, id == ACTION_ZOOM_IN ? 1.0 / ZOOM : ZOOM, cursor_time(view));
    else if (id == ACTION_PAN_LEFT || id == ACTION_PAN_RIGHT)
        pan_window(view, id == ACTION_PAN_LEFT ? -PAN : PAN);
    else if (id == ACTION_FIT)
        set_scope(view, next[view->scope]);
    else if (id == ACTION_VARIANT)
        turn_lanes(view);
}

static void act_cursor(struct timeline_view *view, enum action_id id)
{
    const struct schedule_row *lane = lane_of(view);
    int before = list_pane_focus(&view->rows);
    double time = cursor_time(view);

    if (id == ACTION_LEFT || id == ACTION_RIGHT)
        focus_slot(view,
                   schedule_next_slot(&view->lanes, lane, view->slot, id == ACTION_LEFT ? -1 : 1));
    else if (id == ACTION_START || id == ACTION_END)
        focus_slot(view, schedule_next_slot(&view->lanes, lane, -1, id == ACTION_END ? -1 : 1));
    else if (list_pane_act(&view->rows, id))
        follow_lane(view, before, time);
}

static void act(void *state, enum action_id id, const char *argument)
{
    struct timeline_view *view = state;

    (void)argument;
    timeline_renew(view);
    if (id == ACTION_ENTER)
        show_knobs(view);
    if (view->slot < 0)
        return;
    act_window(view, id);
    act_cursor(view, id);
}

static void mouse(void *state, const struct key_event *event)
{
    struct timeline_view *view = state;
    bool wheel = event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN;
    int column = event->column - view->cells.column;
    double time = view->from + (column + 0.5) * (view->to - view->from) / view->cells.columns;
    bool up = event->mouse == MOUSE_WHEEL_UP;
    int before = list_pane_focus(&view->rows);
    double cursor = cursor_time(view);

    if (view->slot < 0 || view->cells.rows == 0 ||
        !rect_holds(view->box, event->row, event->column))
        return;
    if (wheel && column >= 0) {
        zoom_window(view, up ? 1.0 / ZOOM : ZOOM, time);
    } else if (wheel) {
        list_pane_move(&view->rows, up ? -1 : 1);
        follow_lane(view, before, cursor);
    } else if (event->mouse == MOUSE_PRESS && event->row >= view->cells.row &&
               event->row < view->cells.row + view->cells.rows) {
        list_pane_set(&view->rows, view->rows.first + (event->row - view->cells.row) / view->band);
        follow_lane(view, before, cursor);
        if (column >= 0)
            focus_slot(view, schedule_nearest_slot(&view->lanes, lane_of(view), time));
    }
}

static bool chart(void *state, struct chart *chart)
{
    struct timeline_view *view = state;
    struct timeline_window window;

    timeline_renew(view);
    if (view->slot < 0)
        return false;
    window = (struct timeline_window){view->by, view->from, view->to, 0};
    timeline_chart(&view->lanes, &window, chart);
    return true;
}

const struct view view_timeline = {
    .name = "timeline",
    .start = start,
    .free = release,
    .changed = changed,
    .place = PLACE_TIMELINE,
    .draw = timeline_draw,
    .detail = timeline_detail,
    .act = act,
    .mouse = mouse,
    .chart = chart,
    .section = section,
    .path = path,
};
