#include "tui/view_advise.h"

#include "charts/advise.h"
#include "design/knob_text.h"
#include "tui/advise_work.h"
#include "tui/host.h"
#include "tui/view.h"

static void start(void *state, struct host *host)
{
    struct advise_view *view = state;

    view->host = host;
    advise_outdate(view);
    view->focus = ADVISE_PANE_STEPS;
    for (int p = 0; p < ADVISE_PANES; p++)
        view->list[p].focus = view->list[p].first = 0;
}

static void changed(void *state)
{
    struct advise_view *view = state;

    advise_outdate(view);
}

static void release(void *state)
{
    struct advise_view *view = state;

    advise_close(view);
}

static void move(struct advise_view *view, int by)
{
    struct advise_rows *list = &view->list[view->focus];

    list->focus += by;
    if (list->focus > list->count - 1)
        list->focus = list->count - 1;
    if (list->focus < 0)
        list->focus = 0;
}

static void act(void *state, enum action_id id, const char *argument)
{
    struct advise_view *view = state;
    int page = view->box[view->focus].rows - 4;

    (void)argument;
    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE)
        view->focus = (enum advise_pane)(1 - (int)view->focus);
    else if (id == ACTION_ENTER)
        advise_change(view);
    else if (id == ACTION_UP || id == ACTION_DOWN)
        move(view, id == ACTION_UP ? -1 : 1);
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        move(view, id == ACTION_PAGE_UP ? -page : page);
    else if (id == ACTION_START || id == ACTION_END)
        move(view, id == ACTION_START ? -ADVISE_ROWS : ADVISE_ROWS);
}

static void mouse(void *state, const struct key_event *event)
{
    struct advise_view *view = state;

    for (int p = 0; p < ADVISE_PANES; p++) {
        struct advise_rows *list = &view->list[p];
        int row = list->first + event->row - rect_inside(view->box[p]).row - 1;

        if (!rect_holds(view->box[p], event->row, event->column))
            continue;
        view->focus = (enum advise_pane)p;
        if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN)
            move(view, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
        else if (event->mouse == MOUSE_PRESS && row >= list->first && row < list->count)
            list->focus = row;
    }
}

/* What is shown may be of the design before, whose knobs need not be there any more. */
static bool knob(const void *state, struct knob_ref *ref)
{
    const struct advise_view *view = state;

    return view->current && advise_row_knob(view, advise_row(view), ref);
}

static bool section(const void *state, enum section *section, int *index)
{
    const struct advise_view *view = state;
    int device = view->current ? advise_row_device(view, advise_row(view)) : -1;

    *section = SECTION_DEVICE;
    *index = device;
    return device >= 0;
}

static bool path(const void *state, char *path, size_t size)
{
    const struct advise_view *view = state;
    struct knob_ref ref;

    if (!knob(view, &ref))
        return false;
    knob_path(&view->host->design.scenario, ref, path, size);
    return true;
}

static bool chart(void *state, struct chart *chart)
{
    struct advise_view *view = state;

    if (view->shown == NULL || view->parts <= WORK_STEPS)
        return false;
    chart_advise(chart, view->shown->advise);
    return true;
}

const struct view view_advise = {
    .name = "advise",
    .start = start,
    .free = release,
    .changed = changed,
    .place = PLACE_ADVISE,
    .draw = advise_draw,
    .detail = advise_detail,
    .act = act,
    .mouse = mouse,
    .busy = advise_busy,
    .take = advise_take,
    .chart = chart,
    .knob = knob,
    .section = section,
    .path = path,
};
