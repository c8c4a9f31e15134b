#include "tui/view_compare.h"

#include <stdio.h>
#include <string.h>

#include "charts/compare.h"
#include "design/knob_text.h"
#include "tui/host.h"
#include "tui/view.h"
#include "tui/widget.h"

static void start(void *state, struct host *host)
{
    struct compare_view *view = state;

    view->host = host;
    view->current = false;
    view->compared = false;
    view->focus = view->lower = COMPARE_KNOBS;
    memset(view->cursor, 0, sizeof view->cursor);
    memset(view->first, 0, sizeof view->first);
}

static void release(void *state)
{
    struct compare_view *view = state;

    comparison_free(&view->comparison);
    result_free(&view->other.result);
}

static void changed(void *state)
{
    struct compare_view *view = state;

    view->current = false;
}

static void draw_nothing(const struct compare_view *view, struct canvas *canvas, struct rect body)
{
    struct rect inside = rect_inside(body);

    inside.column++;
    inside.columns -= 2;
    widget_pane(canvas, body, "Compare", true);
    if (view->host->design.problem.status != STATUS_OK)
        widget_wrap(canvas, inside, 0, STYLE_ERROR, view->host->design.problem.message);
    else
        widget_wrap(canvas, inside, 0, STYLE_DIM,
                    "There is nothing to compare with: b pins this design as the baseline, against "
                    "which what you change then stands here; v chooses another system or a file.");
}

static void draw_top(struct compare_view *view, struct canvas *canvas, struct rect box)
{
    struct rect inside = rect_inside(box);
    bool stale = view->host->design.problem.status != STATUS_OK;
    bool focus = view->focus == COMPARE_VERDICT;
    int rows = compare_draw_verdict(view, &(struct canvas){0}, inside, 0);
    int used = 0; /* by why there is nothing newer */
    char title[160];

    snprintf(title, sizeof title, "This design and %s%s", compare_name(view),
             stale ? ": stale" : "");
    widget_pane(canvas, box, title, focus);
    if (stale) {
        struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};

        used = widget_wrap(canvas, text, 0, STYLE_ERROR, view->host->design.problem.message);
        inside.row += used;
        inside.rows = inside.rows > used ? inside.rows - used : 0;
    }
    if (view->first[COMPARE_VERDICT] > rows - inside.rows)
        view->first[COMPARE_VERDICT] = rows - inside.rows;
    if (view->first[COMPARE_VERDICT] < 0)
        view->first[COMPARE_VERDICT] = 0;
    view->pages[COMPARE_VERDICT] = inside.rows;
    compare_draw_verdict(view, canvas, inside, view->first[COMPARE_VERDICT]);
    widget_scroll(canvas, box, view->first[COMPARE_VERDICT], rows + used, focus);
}

static void draw(void *state, struct canvas *canvas, struct rect body)
{
    struct compare_view *view = state;
    struct rect wide = {0, 0, 1, body.columns - 2};

    compare_update(view);
    view->layout = (struct compare_layout){0};
    if (!view->compared) {
        draw_nothing(view, canvas, body);
        return;
    }
    view->layout = layout_compare(body, compare_draw_verdict(view, &(struct canvas){0}, wide, 0),
                                  compare_rows(view, COMPARE_RESULTS) + 1, (int)view->lower);
    draw_top(view, canvas, view->layout.box[COMPARE_VERDICT]);
    for (int pane = COMPARE_KNOBS; pane < COMPARE_PANES; pane++)
        compare_draw_pane(view, canvas, (enum compare_pane)pane, view->layout.box[pane]);
}

static void detail(void *state, struct canvas *canvas, struct rect line)
{
    struct compare_view *view = state;
    char text[4096];

    if (!view->compared)
        return;
    compare_detail(view, text, sizeof text);
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_DIM, text);
}

static void focus_on(struct compare_view *view, enum compare_pane pane)
{
    view->focus = pane;
    if (pane != COMPARE_VERDICT)
        view->lower = pane;
}

/* Items of a pane, lines of the verdict. */
static void move(struct compare_view *view, enum compare_pane pane, int by)
{
    int *at = pane == COMPARE_VERDICT ? &view->first[pane] : &view->cursor[pane];
    int last = pane == COMPARE_VERDICT ? *at + by : compare_items(view, pane) - 1;

    *at += by;
    if (*at > last)
        *at = last;
    if (*at < 0)
        *at = 0;
}

static void act_move(struct compare_view *view, enum action_id id)
{
    int page = view->pages[view->focus] / (view->focus == COMPARE_NODES ? 2 : 1) - 1;

    page = page < 1 ? 1 : page;
    switch ((int)id) {
    case ACTION_UP:
    case ACTION_DOWN:
        move(view, view->focus, id == ACTION_UP ? -1 : 1);
        break;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        move(view, view->focus, id == ACTION_PAGE_UP ? -page : page);
        break;
    case ACTION_START:
    case ACTION_END:
        move(view, view->focus, id == ACTION_START ? -(1 << 20) : 1 << 20);
        break;
    default:
        break;
    }
}

static void act(void *state, enum action_id id, const char *argument)
{
    struct compare_view *view = state;

    if (id == ACTION_ENTER) {
        compare_enter(view);
    } else if (id == ACTION_COMPARE_WITH) {
        compare_choose_other(view, argument);
    } else if (id == ACTION_LOG) {
        view->logarithmic = !view->logarithmic;
        host_say(view->host, STYLE_NORMAL, "bars on a %s scale",
                 view->logarithmic ? "logarithmic" : "linear");
    } else if (!view->compared) {
        return;
    } else if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        int by = id == ACTION_NEXT_PANE ? 1 : COMPARE_PANES - 1;

        focus_on(view, (enum compare_pane)(((int)view->focus + by) % COMPARE_PANES));
    } else {
        act_move(view, id);
    }
}

static void mouse(void *state, const struct key_event *event)
{
    struct compare_view *view = state;

    for (int pane = 0; pane < COMPARE_PANES; pane++) {
        struct rect box = view->layout.box[pane];
        int row = event->row - box.row - 1 + view->first[pane];
        int item;

        if (!rect_holds(box, event->row, event->column))
            continue;
        if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
            move(view, (enum compare_pane)pane, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
        } else if (event->mouse == MOUSE_PRESS) {
            focus_on(view, (enum compare_pane)pane);
            row -= pane == COMPARE_KNOBS || pane == COMPARE_RESULTS; /* titles of the columns */
            item = row < 0 ? -1 : compare_item_at(view, (enum compare_pane)pane, row);
            if (pane != COMPARE_VERDICT && item >= 0)
                view->cursor[pane] = item;
        }
    }
}

static bool chart(void *state, struct chart *chart)
{
    struct compare_view *view = state;
    const char *const name[SIDES] = {"this", compare_name(view)};

    compare_update(view);
    if (!view->compared)
        return false;
    chart_compare(&view->comparison, name, chart);
    return true;
}

static void table(const void *state, FILE *out, int columns)
{
    const struct compare_view *view = state;
    const char *const name[SIDES] = {"this", compare_name(view)};

    compare_table(&view->comparison, name, out, columns);
}

static bool knob_of(const void *state, struct knob_ref *ref)
{
    const struct compare_view *view = state;
    const struct difference *difference = compare_difference(view);

    return difference != NULL && difference->knob != NULL && difference->has[0] &&
           knob_find(&view->host->design.scenario, difference->path, ref, NULL) == STATUS_OK;
}

static bool section_of(const void *state, enum section *section, int *index)
{
    const struct compare_view *view = state;
    const struct difference *difference = compare_difference(view);
    struct knob_ref ref;

    if (knob_of(view, &ref)) {
        *section = ref.section;
        *index = ref.index;
        return true;
    }
    if (difference == NULL || difference->knob != NULL || !difference->has[0])
        return false;
    *section = difference->section;
    *index =
        section_find(&view->host->design.scenario, *section, strchr(difference->path, '.') + 1);
    return *index >= 0;
}

const struct view view_compare = {
    .name = "compare",
    .start = start,
    .free = release,
    .changed = changed,
    .place = PLACE_COMPARE,
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
