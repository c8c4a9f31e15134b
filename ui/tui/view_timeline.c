#include "tui/view_timeline.h"

#include <stdio.h>
#include <string.h>

#include "charts/timeline.h"
#include "tui/host.h"
#include "tui/view.h"

#define ZOOM 2   /* a step of it */
#define PAN 0.25 /* of the window */

static void start(void *state, struct host *host)
{
    struct timeline_view *view = state;

    view->host = host;
    view->outdated = true;
    view->scope = SCOPE_WHOLE;
    view->node[0] = '\0';
    view->first = view->lane = 0;
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
    timeline_settle(view, &view->host->design.result);
}

/* Keys ---------------------------------------------------------------------------------------- */

static bool section(const void *state, enum section *section, int *index)
{
    const struct timeline_view *view = state;
    char name[NODE_NAME_MAX + 1];
    const struct schedule_node *node;

    if (view->slot < 0)
        return false;
    node = &view->lanes.node[view->lanes.slot[view->slot].node];
    /* a part's is NAME@DEVICE; by name, as numbers are those of the design that was evaluated */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(node->name, "@"), node->name);
    *section = SECTION_COMPONENT;
    *index =
        node->inserted ? -1 : section_find(&view->host->design.scenario, SECTION_COMPONENT, name);
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
        timeline_zoom(view, id == ACTION_ZOOM_IN ? 1.0 / ZOOM : ZOOM, timeline_cursor_time(view));
    else if (id == ACTION_PAN_LEFT || id == ACTION_PAN_RIGHT)
        timeline_pan(view, id == ACTION_PAN_LEFT ? -PAN : PAN);
    else if (id == ACTION_FIT)
        timeline_scope(view, next[view->scope]);
    else if (id == ACTION_VARIANT)
        timeline_turn(view);
}

static void act_cursor(struct timeline_view *view, enum action_id id)
{
    const struct schedule_row *lane = &view->lanes.lane[view->by][view->lane];
    int page = view->cells.rows > 1 ? view->cells.rows - 1 : 1;

    if (id == ACTION_LEFT || id == ACTION_RIGHT)
        timeline_focus(
            view, schedule_next_slot(&view->lanes, lane, view->slot, id == ACTION_LEFT ? -1 : 1));
    else if (id == ACTION_START || id == ACTION_END)
        timeline_focus(view, schedule_next_slot(&view->lanes, lane, -1, id == ACTION_END ? -1 : 1));
    else if (id == ACTION_UP || id == ACTION_DOWN)
        timeline_move_lane(view, id == ACTION_UP ? -1 : 1);
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        timeline_move_lane(view, id == ACTION_PAGE_UP ? -page : page);
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

    if (view->slot < 0 || view->cells.rows == 0 ||
        !rect_holds(view->box, event->row, event->column))
        return;
    if (wheel && column >= 0) {
        timeline_zoom(view, up ? 1.0 / ZOOM : ZOOM, time);
    } else if (wheel) {
        timeline_move_lane(view, up ? -1 : 1);
    } else if (event->mouse == MOUSE_PRESS && event->row >= view->cells.row &&
               event->row < view->cells.row + view->cells.rows) {
        int lane = view->first + (event->row - view->cells.row) / view->band;

        timeline_move_lane(view, lane - view->lane);
        if (column >= 0)
            timeline_focus(view, schedule_nearest_slot(
                                     &view->lanes, &view->lanes.lane[view->by][view->lane], time));
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
