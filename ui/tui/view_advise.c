#include "tui/view_advise.h"

#include "charts/advise.h"
#include "tui/advise_work.h"
#include "tui/app_state.h"

static void start(struct app *app)
{
    struct advise_view *view = &app->advise;

    advise_outdate(view);
    view->focus = ADVISE_PANE_STEPS;
    for (int p = 0; p < ADVISE_PANES; p++)
        view->list[p].focus = view->list[p].first = 0;
}

static void changed(struct app *app)
{
    advise_outdate(&app->advise);
}

static void release(struct app *app)
{
    advise_close(&app->advise);
}

static enum place place(const struct app *app)
{
    (void)app;
    return PLACE_ADVISE;
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

static void act(struct app *app, enum action_id id)
{
    struct advise_view *view = &app->advise;
    int page = view->box[view->focus].rows - 4;

    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE)
        view->focus = (enum advise_pane)(1 - (int)view->focus);
    else if (id == ACTION_ENTER)
        advise_change(app);
    else if (id == ACTION_UP || id == ACTION_DOWN)
        move(view, id == ACTION_UP ? -1 : 1);
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        move(view, id == ACTION_PAGE_UP ? -page : page);
    else if (id == ACTION_START || id == ACTION_END)
        move(view, id == ACTION_START ? -ADVISE_ROWS : ADVISE_ROWS);
}

static void mouse(struct app *app, const struct key_event *event)
{
    struct advise_view *view = &app->advise;

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
static bool knob(const struct app *app, struct knob_ref *ref)
{
    const struct advise_view *view = &app->advise;

    return view->current && advise_row_knob(view, advise_row(view), ref);
}

static bool section(const struct app *app, enum section *section, int *index)
{
    const struct advise_view *view = &app->advise;
    int device = view->current ? advise_row_device(view, advise_row(view)) : -1;

    *section = SECTION_DEVICE;
    *index = device;
    return device >= 0;
}

static bool path(const struct app *app, char *path, size_t size)
{
    struct knob_ref ref;

    if (!knob(app, &ref))
        return false;
    knob_path(&app->scenario, ref, path, size);
    return true;
}

static bool chart(struct app *app, struct chart *chart)
{
    const struct advise_view *view = &app->advise;

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
    .place = place,
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
