#include <math.h>
#include <stdio.h>
#include <string.h>

#include "charts/advise.h"
#include "tui/advise_line.h"
#include "tui/host.h"
#include "tui/view_advise.h"
#include "tui/widget.h"

enum {
    BESIDE = 120, /* columns from which both panes stand beside one another */
    PATH = 34,    /* at most */
    TIME = 10,    /* "-0.0216 ns" */
    PERCENT = 8,
    NUMBER = 6,
    BOUND = 24,
    BAR = 8 /* at least */
};

#define LEAST 10e-12 /* s; what gains less, by rounding as often as not, gains nothing */

struct columns {
    int name, change, time, percent, number, bar, bound; /* widths; 0: no room */
};

/* Rows ---------------------------------------------------------------------------------------- */

/* Takes cells off `room` for a column, if there are as many. */
static int column(int *room, int cells)
{
    if (*room < cells)
        return 0;
    *room -= cells;
    return cells;
}

/* First what has to be there, then what tells more the more room there is. */
static struct columns columns_of(int width, bool steps)
{
    struct columns columns = {.name = PATH};
    int least = steps ? 14 : 17; /* "1.05 ms overload" */
    int room, more;

    if (width < 2 * PATH + TIME)
        columns.name = width * 2 / 5;
    room = width - columns.name - 1;
    columns.time = column(&room, TIME + 1);
    columns.change = room < least ? room : least;
    room -= columns.change;
    columns.percent = column(&room, PERCENT);
    columns.number = steps ? column(&room, NUMBER + 1) : 0;
    more = !steps ? 0 : room < 12 ? room : 12;
    columns.change += more;
    room -= more;
    if (steps && room >= BAR + BOUND + 2) {
        columns.bound = BOUND + 1;
        room -= columns.bound;
    }
    if (steps && room > BAR)
        columns.bar = room;
    else
        columns.name += room;
    return columns;
}

static void put_number(struct canvas *canvas, int row, int at, int cells, enum style style,
                       const char *text)
{
    if (cells > 1)
        canvas_right(canvas, row, at + 1, cells - 1, style, text);
}

static void draw_line(struct canvas *canvas, struct rect at, const struct columns *columns,
                      const struct advise_line *line, double now, double most)
{
    enum style style =
        line->after != NULL && line->after->overloaded ? STYLE_WARNING : STYLE_NORMAL;
    int column = at.column;
    char text[ADVISE_CHANGE];
    double percent;

    snprintf(text, sizeof text, "%s", line->name);
    if (line->title) {
        canvas_text(canvas, at.row, column, at.columns, STYLE_DIM, text);
        return;
    }
    text_middle(text, sizeof text, columns->name);
    canvas_text(canvas, at.row, column, columns->name, style, text);
    column += columns->name + 1;
    canvas_text(canvas, at.row, column, columns->change, style, line->change);
    column += columns->change;
    if (line->gain != RESULT_NONE) {
        quantity_show(fabs(line->gain) < LEAST ? 0 : line->gain, "s", text, sizeof text);
        put_number(canvas, at.row, column, columns->time, style, text);
        percent = now > 0 ? 100 * line->gain / now : 0;
        snprintf(text, sizeof text, "%.*f %%", fabs(percent) < 999.95 ? 1 : 0,
                 fabs(percent) < 0.05 ? 0 : percent);
        put_number(canvas, at.row, column + columns->time, columns->percent, style, text);
    }
    column += columns->time + columns->percent;
    if (line->elasticity != RESULT_NONE) {
        snprintf(text, sizeof text, "%.2f", fabs(line->elasticity) < 0.005 ? 0 : line->elasticity);
        put_number(canvas, at.row, column, columns->number, STYLE_DIM, text);
    }
    column += columns->number;
    if (line->bar && columns->bar > 2 && most > 0)
        canvas_bar(canvas, at.row, column + 1, columns->bar - 2,
                   (columns->bar - 2) * line->gain / most, FILL_COMPUTE, STYLE_COMPUTE);
    column += columns->bar;
    if (columns->bound > 0 && line->after != NULL) {
        performance_bound_text(line->after, text);
        canvas_text(canvas, at.row, column, columns->bound, STYLE_DIM, text);
    }
}

static void draw_headings(struct canvas *canvas, struct rect at, const struct columns *columns,
                          bool steps)
{
    int column = at.column;

    canvas_text(canvas, at.row, column, columns->name, STYLE_TITLE, steps ? "step" : "answer");
    column += columns->name + 1;
    canvas_text(canvas, at.row, column, columns->change, STYLE_TITLE, "from" CHANGE_ARROW "to");
    column += columns->change;
    put_number(canvas, at.row, column, columns->time, STYLE_TITLE, "gain");
    column += columns->time + columns->percent;
    put_number(canvas, at.row, column, columns->number, STYLE_TITLE, "elast.");
    column += columns->number + columns->bar;
    canvas_text(canvas, at.row, column, columns->bound, STYLE_TITLE, "binds then");
}

/* The largest gain a bar stands for. */
static double most_of(const struct advise_work *work)
{
    double most = 0;

    for (int i = 0; i < work->advise->choices.count; i++)
        if (!work->advise->choices.at[i].later)
            most = fmax(most, work->advise->choices.at[i].gain);
    return most;
}

static void draw_rows(struct advise_view *view, struct canvas *canvas, enum advise_pane pane)
{
    struct advise_rows *list = &view->list[pane];
    struct rect box = view->box[pane];
    struct rect inside = rect_inside(box);
    struct rect at = {inside.row, inside.column + 2, 1, inside.columns - 2};
    bool steps = pane == ADVISE_PANE_STEPS;
    const struct columns columns = columns_of(at.columns, steps);
    int visible = inside.rows - 1;
    bool focus = view->focus == pane;
    double most = most_of(view->shown);

    draw_headings(canvas, at, &columns, steps);
    list->first = scroll_to(list->first, list->focus, visible, list->count);
    for (int i = 0; i < visible && list->first + i < list->count; i++) {
        const struct advise_line line = advise_line_of(view->shown, &list->row[list->first + i]);

        at.row = inside.row + 1 + i;
        draw_line(canvas, at, &columns, &line, view->shown->advise->now.latency, most);
        if (list->first + i != list->focus)
            continue;
        if (focus) {
            widget_mark(canvas, at.row, inside.column, STYLE_FOCUS, MARK_FOCUS);
            canvas->cursor_row = at.row;
            canvas->cursor_column = inside.column;
        }
        canvas_restyle(canvas, (struct rect){at.row, inside.column, 1, inside.columns},
                       focus ? STYLE_FOCUS : STYLE_SELECTED);
    }
    widget_scroll(canvas, (struct rect){box.row + 1, box.column, box.rows - 1, box.columns},
                  list->first, list->count, focus);
}

/* The view ------------------------------------------------------------------------------------ */

/* How far it is, or what of it is not of this design. */
static void state_text(const struct advise_view *view, char *text, size_t size)
{
    static const char *const parts[WORK_PARTS] = {[WORK_STEPS] = "steps",
                                                  [WORK_REACH] = "target",
                                                  [WORK_SHARES] = "division",
                                                  [WORK_RANK] = "presets",
                                                  [WORK_PACKETS] = "packets"};
    int part;

    text[0] = '\0';
    if (view->host->design.problem.status != STATUS_OK)
        return;
    if (view->running != NULL && !view->stale) {
        part = atomic_load(&view->running->parts);
        snprintf(text, size, " \xC2\xB7 looking: %s %d %%", parts[part < WORK_PARTS ? part : 0],
                 atomic_load(&view->worker.percent));
    } else if (!view->current) {
        snprintf(text, size, " \xC2\xB7 looking again");
    }
}

static void title_of(const struct advise_view *view, enum advise_pane pane, bool alone, char *text,
                     size_t size)
{
    char state[80];

    state_text(view, state, sizeof state);
    snprintf(
        text, size, "%s%s%s%s",
        pane == ADVISE_PANE_STEPS ? "One step of one knob" : "Target, packets, shares, presets",
        view->host->design.problem.status != STATUS_OK && view->shown != NULL ? ": stale" : "",
        alone ? pane == ADVISE_PANE_STEPS ? " \xC2\xB7 Tab: 1 of 2" : " \xC2\xB7 Tab: 2 of 2" : "",
        pane == ADVISE_PANE_STEPS || alone ? state : "");
}

static void place_boxes(struct advise_view *view, struct rect body)
{
    struct rect *steps = &view->box[ADVISE_PANE_STEPS];
    struct rect *answers = &view->box[ADVISE_PANE_ANSWERS];

    *steps = *answers = body;
    if (body.columns < BESIDE) {
        view->box[1 - (int)view->focus] = (struct rect){0, 0, 0, 0};
        return;
    }
    steps->columns = body.columns * 3 / 5;
    answers->column += steps->columns;
    answers->columns -= steps->columns;
}

static void draw_nothing(const struct advise_view *view, struct canvas *canvas, struct rect inside)
{
    if (view->host->design.problem.status != STATUS_OK)
        widget_wrap(canvas, inside, 0, STYLE_ERROR, view->host->design.problem.message);
    else if (view->problem.status != STATUS_OK)
        widget_wrap(canvas, inside, 0, STYLE_ERROR, view->problem.message);
    else
        widget_wrap(canvas, inside, 0, STYLE_DIM, "looking for what gains most");
}

void advise_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct advise_view *view = state;

    advise_ask(view);
    place_boxes(view, body);
    for (int p = 0; p < ADVISE_PANES; p++) {
        enum advise_pane pane = (enum advise_pane)p;
        char title[160];

        if (view->box[p].rows == 0)
            continue;
        title_of(view, pane, body.columns < BESIDE, title, sizeof title);
        widget_pane(canvas, view->box[p], title, view->focus == pane);
        if (view->shown == NULL)
            draw_nothing(view, canvas, rect_inside(view->box[p]));
        else
            draw_rows(view, canvas, pane);
    }
}

/* What gets worse. */
static const char *worse_text(const struct advise *advise, const struct performance *after)
{
    if (after->overloaded)
        return ", overloaded";
    return after->max_frame_rate < advise->now.max_frame_rate ? ", lower max rate" : "";
}

void advise_detail(void *state, struct canvas *canvas, struct rect line)
{
    struct advise_view *view = state;
    const struct advise_row *row = advise_row(view);
    char bound[PERFORMANCE_BOUND_TEXT];
    char latency[40];
    struct advise_line shown;

    if (view->shown == NULL || row == NULL)
        return;
    if (view->host->design.problem.status != STATUS_OK) {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR,
                    view->host->design.problem.message);
        return;
    }
    shown = advise_line_of(view->shown, row);
    if (shown.after == NULL || (row->kind == ADVISE_SPLIT && shown.gain == RESULT_NONE)) {
        if (row->kind == ADVISE_PRESET)
            canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_DIM,
                          "Enter puts it there; as aolag rank: without the device's own values");
        return;
    }
    performance_bound_text(shown.after, bound);
    quantity_show(shown.after->latency, "s", latency, sizeof latency);
    canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_DIM,
                  "RTC latency %s then, target %s%s; %s binds", latency,
                  shown.after->met ? "met" : "missed", worse_text(view->shown->advise, shown.after),
                  bound);
}
