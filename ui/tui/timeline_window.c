#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "charts/timeline.h"
#include "tui/view_timeline.h"

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

void timeline_scope(struct timeline_view *view, enum timeline_scope scope)
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

void timeline_zoom(struct timeline_view *view, double factor, double at)
{
    double width = view->to - view->from;
    double part = smaller(1, larger(0, (at - view->from) / width));

    view->scope = SCOPE_FREE;
    set_window(view, view->from + part * (width - factor * width), factor * width);
}

/* As little as it takes to see it, its beginning at least. */
static void bring(struct timeline_view *view, const struct schedule_entry *slot)
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
    return &view->lanes.lane[view->by][view->lane];
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

void timeline_focus(struct timeline_view *view, int slot)
{
    if (slot < 0)
        return;
    set_slot(view, slot);
    bring(view, &view->lanes.slot[slot]);
}

double timeline_cursor_time(const struct timeline_view *view)
{
    double time = view->slot < 0 ? view->from : view->lanes.slot[view->slot].did.start;

    return larger(view->from, smaller(view->to, time));
}

void timeline_pan(struct timeline_view *view, double part)
{
    double width = view->to - view->from;
    const struct schedule_entry *slot;

    view->scope = SCOPE_FREE;
    set_window(view, view->from + part * width, width);
    if (view->slot < 0)
        return;
    slot = &view->lanes.slot[view->slot];
    if (slot->did.end < view->from || slot->did.from > view->to)
        set_slot(view,
                 schedule_nearest_slot(&view->lanes, lane_of(view), timeline_cursor_time(view)));
}

void timeline_move_lane(struct timeline_view *view, int by)
{
    int count = view->lanes.count[view->by];
    double time = timeline_cursor_time(view);
    int to = view->lane + by;

    if (count == 0)
        return;
    to = to < 0 ? 0 : to > count - 1 ? count - 1 : to;
    if (to == view->lane)
        return;
    view->lane = to;
    timeline_focus(view, schedule_nearest_slot(&view->lanes, lane_of(view), time));
}

/* The lane of the node under the cursor, the present one if that is one. */
static void find_lane(struct timeline_view *view)
{
    int count = view->lanes.count[view->by];
    int node = view->slot < 0 ? -1 : view->lanes.slot[view->slot].node;

    if (node < 0 || count == 0) {
        view->lane = 0;
        return;
    }
    if (view->lane < count && schedule_row_holds(lane_of(view), &view->lanes, node))
        return;
    for (int l = 0; l < count; l++)
        if (schedule_row_holds(&view->lanes.lane[view->by][l], &view->lanes, node)) {
            view->lane = l;
            return;
        }
}

void timeline_turn(struct timeline_view *view)
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

void timeline_settle(struct timeline_view *view, const struct result *result)
{
    int slot = same_slot(view);

    set_slot(view, slot >= 0 ? slot : binding_slot(view, result));
    find_lane(view);
    timeline_scope(view, view->scope);
}
