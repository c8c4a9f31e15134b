#include "tui/view_compare.h"

#include <stdio.h>
#include <string.h>

#include "charts/compare.h"
#include "tui/app_state.h"
#include "tui/widget.h"

static void start(struct app *app)
{
    struct compare_view *view = &app->compare;

    view->current = false;
    view->compared = false;
    view->focus = view->lower = COMPARE_KNOBS;
    memset(view->cursor, 0, sizeof view->cursor);
    memset(view->first, 0, sizeof view->first);
}

static void release(struct app *app)
{
    comparison_free(&app->compare.comparison);
    result_free(&app->compare.other.result);
}

static void changed(struct app *app)
{
    app->compare.current = false;
}

static enum place place(const struct app *app)
{
    (void)app;
    return PLACE_COMPARE;
}

static void draw_nothing(const struct app *app, struct canvas *canvas, struct rect body)
{
    struct rect inside = rect_inside(body);

    inside.column++;
    inside.columns -= 2;
    widget_pane(canvas, body, "Compare", true);
    if (app->problem.status != STATUS_OK)
        widget_wrap(canvas, inside, 0, STYLE_ERROR, app->problem.message);
    else
        widget_wrap(canvas, inside, 0, STYLE_DIM,
                    "There is nothing to compare with: b pins this design as the baseline, against "
                    "which what you change then stands here; v chooses another system or a file.");
}

static void draw_top(struct app *app, struct canvas *canvas, struct rect box)
{
    struct compare_view *view = &app->compare;
    struct rect inside = rect_inside(box);
    bool stale = app->problem.status != STATUS_OK;
    bool focus = view->focus == COMPARE_VERDICT;
    int rows = compare_draw_verdict(app, &(struct canvas){0}, inside, 0);
    int used = 0; /* by why there is nothing newer */
    char title[160];

    snprintf(title, sizeof title, "This design and %s%s", compare_name(app),
             stale ? ": stale" : "");
    widget_pane(canvas, box, title, focus);
    if (stale) {
        struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};

        used = widget_wrap(canvas, text, 0, STYLE_ERROR, app->problem.message);
        inside.row += used;
        inside.rows = inside.rows > used ? inside.rows - used : 0;
    }
    if (view->first[COMPARE_VERDICT] > rows - inside.rows)
        view->first[COMPARE_VERDICT] = rows - inside.rows;
    if (view->first[COMPARE_VERDICT] < 0)
        view->first[COMPARE_VERDICT] = 0;
    view->pages[COMPARE_VERDICT] = inside.rows;
    compare_draw_verdict(app, canvas, inside, view->first[COMPARE_VERDICT]);
    widget_scroll(canvas, box, view->first[COMPARE_VERDICT], rows + used, focus);
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    struct compare_view *view = &app->compare;
    struct rect wide = {0, 0, 1, body.columns - 2};

    compare_update(app);
    view->layout = (struct compare_layout){0};
    if (!view->compared) {
        draw_nothing(app, canvas, body);
        return;
    }
    view->layout = layout_compare(body, compare_draw_verdict(app, &(struct canvas){0}, wide, 0),
                                  compare_rows(app, COMPARE_RESULTS) + 1, (int)view->lower);
    draw_top(app, canvas, view->layout.box[COMPARE_VERDICT]);
    for (int pane = COMPARE_KNOBS; pane < COMPARE_PANES; pane++)
        compare_draw_pane(app, canvas, (enum compare_pane)pane, view->layout.box[pane]);
}

static void detail(struct app *app, struct canvas *canvas, struct rect line)
{
    char text[4096];

    if (!app->compare.compared)
        return;
    compare_detail(app, text, sizeof text);
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_DIM, text);
}

static void focus_on(struct compare_view *view, enum compare_pane pane)
{
    view->focus = pane;
    if (pane != COMPARE_VERDICT)
        view->lower = pane;
}

/* Items of a pane, lines of the verdict. */
static void move(struct app *app, enum compare_pane pane, int by)
{
    struct compare_view *view = &app->compare;
    int *at = pane == COMPARE_VERDICT ? &view->first[pane] : &view->cursor[pane];
    int last = pane == COMPARE_VERDICT ? *at + by : compare_items(app, pane) - 1;

    *at += by;
    if (*at > last)
        *at = last;
    if (*at < 0)
        *at = 0;
}

static void act_move(struct app *app, enum action_id id)
{
    const struct compare_view *view = &app->compare;
    int page = view->pages[view->focus] / (view->focus == COMPARE_NODES ? 2 : 1) - 1;

    page = page < 1 ? 1 : page;
    switch ((int)id) {
    case ACTION_UP:
    case ACTION_DOWN:
        move(app, view->focus, id == ACTION_UP ? -1 : 1);
        break;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        move(app, view->focus, id == ACTION_PAGE_UP ? -page : page);
        break;
    case ACTION_START:
    case ACTION_END:
        move(app, view->focus, id == ACTION_START ? -(1 << 20) : 1 << 20);
        break;
    default:
        break;
    }
}

static void act(struct app *app, enum action_id id)
{
    struct compare_view *view = &app->compare;

    if (id == ACTION_ENTER) {
        compare_enter(app);
    } else if (id == ACTION_LOG) {
        view->logarithmic = !view->logarithmic;
        app_say(app, STYLE_NORMAL, "bars on a %s scale",
                view->logarithmic ? "logarithmic" : "linear");
    } else if (!view->compared) {
        return;
    } else if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        int by = id == ACTION_NEXT_PANE ? 1 : COMPARE_PANES - 1;

        focus_on(view, (enum compare_pane)(((int)view->focus + by) % COMPARE_PANES));
    } else {
        act_move(app, id);
    }
}

static void mouse(struct app *app, const struct key_event *event)
{
    struct compare_view *view = &app->compare;

    for (int pane = 0; pane < COMPARE_PANES; pane++) {
        struct rect box = view->layout.box[pane];
        int row = event->row - box.row - 1 + view->first[pane];
        int item;

        if (!rect_holds(box, event->row, event->column))
            continue;
        if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
            move(app, (enum compare_pane)pane, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
        } else if (event->mouse == MOUSE_PRESS) {
            focus_on(view, (enum compare_pane)pane);
            row -= pane == COMPARE_KNOBS || pane == COMPARE_RESULTS; /* titles of the columns */
            item = row < 0 ? -1 : compare_item_at(app, (enum compare_pane)pane, row);
            if (pane != COMPARE_VERDICT && item >= 0)
                view->cursor[pane] = item;
        }
    }
}

static bool chart(struct app *app, struct chart *chart)
{
    const char *const name[SIDES] = {"this", compare_name(app)};

    compare_update(app);
    if (!app->compare.compared)
        return false;
    chart_compare(&app->compare.comparison, name, chart);
    return true;
}

static void table(const struct app *app, FILE *out, int columns)
{
    const char *const name[SIDES] = {"this", compare_name(app)};

    compare_table(&app->compare.comparison, name, out, columns);
}

static bool knob_of(const struct app *app, struct knob_ref *ref)
{
    const struct difference *difference = compare_difference(app);

    return difference != NULL && difference->knob != NULL && difference->has[0] &&
           knob_find(&app->scenario, difference->path, ref, NULL) == STATUS_OK;
}

static bool section_of(const struct app *app, enum section *section, int *index)
{
    const struct difference *difference = compare_difference(app);
    struct knob_ref ref;

    if (knob_of(app, &ref)) {
        *section = ref.section;
        *index = ref.index;
        return true;
    }
    if (difference == NULL || difference->knob != NULL || !difference->has[0])
        return false;
    *section = difference->section;
    *index = section_find(&app->scenario, *section, strchr(difference->path, '.') + 1);
    return *index >= 0;
}

const struct view view_compare = {
    .name = "compare",
    .start = start,
    .free = release,
    .changed = changed,
    .place = place,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
    .chart = chart,
    .table = table,
    .knob = knob_of,
    .section = section_of,
    .path = compare_path,
};
