#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise_work.h"
#include "app_state.h"
#include "widget.h"

#define ARROW " \xE2\x86\x92 "

enum {
    BESIDE = 120, /* columns from which both panes stand beside one another */
    PATH = 34,    /* at most */
    TIME = 9,
    PERCENT = 9,
    NUMBER = 7,
    BOUND = 24,
    BAR = 8, /* at least */
    CHANGE = 300
};

/* What one row says, in columns; empty: nothing. */
struct line {
    char name[NODE_NAME_MAX + 64];
    char change[CHANGE];
    double gain;       /* s; RESULT_NONE: none */
    double elasticity; /* likewise */
    const struct verdict *after;
    bool bar;
    bool title;
};

struct columns {
    int name, change, time, percent, number, bar, bound; /* widths; 0: no room */
};

/* Text ---------------------------------------------------------------------------------------- */

static void change_text(const char *from, const char *to, char text[CHANGE])
{
    snprintf(text, CHANGE, "%.96s" ARROW "%.190s", from, to);
    text_micro(text, CHANGE);
}

static void of_step(const struct scenario *scenario, const struct advice *step, struct line *line)
{
    knob_path(scenario, step->ref, line->name, sizeof line->name);
    change_text(step->from, step->to, line->change);
    line->gain = step->gain;
    line->elasticity = step->elasticity;
    line->after = &step->after;
}

static void of_knob(const struct advise *advise, const struct reach_knob *knob, struct line *line)
{
    knob_path(&advise->design->scenario, knob->ref, line->name, sizeof line->name);
    change_text(knob->from, knob->to, line->change);
    line->gain = advise->now.latency - knob->after.latency;
    line->after = &knob->after;
}

static void of_way(const struct advise *advise, const struct advise_row *row, struct line *line)
{
    const struct reach_way *way = &advise->reach.way[row->a];
    const char *name = reach_from_name((enum reach_from)row->a);

    if (row->b >= 0) {
        of_step(&advise->design->scenario, &way->step[row->b], line);
        memmove(line->name + 2, line->name, sizeof line->name - 3);
        memcpy(line->name, "  ", 2);
        return;
    }
    line->title = true;
    line->after = &way->after;
    if (way->after.met)
        snprintf(line->name, sizeof line->name, "%d step%s of %s meet%s the target", way->count,
                 way->count == 1 ? "" : "s", name, way->count == 1 ? "s" : "");
    else
        snprintf(line->name, sizeof line->name, "%s do not: %s limits", name,
                 way->after.bound[0] == '\0' ? "nothing" : way->after.bound);
}

static void of_split(const struct advise *advise, const struct share_split *split,
                     struct line *line)
{
    snprintf(line->name, sizeof line->name, "%s%s",
             split->device < 0 ? "all devices"
                               : advise->design->scenario.device[split->device].head.name,
             split->gain > 0 ? "" : ": as good as any found");
    line->title = split->gain <= 0;
    if (split->gain > 0)
        line->gain = split->gain;
    line->after = &split->after;
}

static void of_share(const struct advise *advise, const struct share *share, struct line *line)
{
    const struct component *component = &advise->design->scenario.component[share->component];
    char from[40];
    char to[40];

    snprintf(line->name, sizeof line->name, "  %s", component->head.name);
    snprintf(from, sizeof from, "%s%.3g", component->share > 0 ? "" : "auto ", share->present);
    share_text(share, to, sizeof to);
    change_text(from, to, line->change);
}

static void of_packets(const struct advise *advise, const struct packet_count *count,
                       const char *name, struct line *line)
{
    char from[24];
    char to[24];

    snprintf(line->name, sizeof line->name, "%s", name);
    snprintf(from, sizeof from, "%d", advise->packets.present);
    snprintf(to, sizeof to, "%d", count->packets);
    change_text(from, to, line->change);
    line->gain = count->gain;
    line->after = &count->after;
}

static void of_preset(const struct advise *advise, const struct rank *rank, int place,
                      struct line *line)
{
    const struct ranked *row = &rank->row[place];
    char latency[40];

    snprintf(line->name, sizeof line->name, "%2d %s%s", place + 1, row->preset->name,
             row->present ? " (now)" : "");
    if (row->problem.status != STATUS_OK) {
        snprintf(line->change, CHANGE, "no meaning");
        return;
    }
    quantity_show(row->latency, "s", latency, sizeof latency);
    snprintf(line->change, CHANGE, "%s%s", latency, row->overloaded ? " overload" : "");
    line->gain = advise->now.latency - row->latency;
}

static struct line line_of(const struct advise_work *work, const struct advise_row *row)
{
    const struct advise *advise = work->advise;
    const struct scenario *scenario = &advise->design->scenario;
    struct line line = {.gain = RESULT_NONE, .elasticity = RESULT_NONE};

    switch (row->kind) {
    case ADVISE_HEADING:
        line.title = true;
        snprintf(line.name, sizeof line.name, "%s", row->text);
        break;
    case ADVISE_STEP:
        line.bar = true;
        of_step(scenario, &advise->choices.at[row->a], &line);
        break;
    case ADVISE_GIVEN:
        of_step(scenario, &advise->given.at[row->a], &line);
        break;
    case ADVISE_KNOB:
        of_knob(advise, &advise->reach.knob[row->a], &line);
        break;
    case ADVISE_WAY:
        of_way(advise, row, &line);
        break;
    case ADVISE_SPLIT:
        of_split(advise, &advise->split[row->a], &line);
        break;
    case ADVISE_SHARE:
        of_share(advise, &advise->split[row->a].share[row->b], &line);
        break;
    case ADVISE_PACKETS_BEST:
        of_packets(advise, &advise->packets.best, "least latency", &line);
        break;
    case ADVISE_PACKETS_FEWEST:
        of_packets(advise, &advise->packets.fewest, "fewest, within 1 %", &line);
        break;
    case ADVISE_PRESET:
        of_preset(advise, &work->rank[row->a], row->b, &line);
        break;
    }
    return line;
}

static void bound_text(const struct verdict *verdict, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", verdict->bound, verdict->bound[0] == '\0' ? "" : " ",
             verdict->bound[0] == '\0' ? "nothing" : bound_name(verdict->by));
}

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
    int room;

    if (width < 2 * PATH + TIME)
        columns.name = width * 2 / 5;
    room = width - columns.name - 1;
    columns.time = column(&room, TIME + 1);
    columns.change = room < 14 ? room : 14;
    room -= columns.change;
    columns.percent = column(&room, PERCENT);
    columns.number = steps ? column(&room, NUMBER + 1) : 0;
    columns.change += room < 12 ? room : 12;
    room -= room < 12 ? room : 12;
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
                      const struct line *line, double now, double most)
{
    enum style style =
        line->after != NULL && line->after->overloaded ? STYLE_WARNING : STYLE_NORMAL;
    int column = at.column;
    char text[CHANGE];

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
        quantity_show(line->gain, "s", text, sizeof text);
        put_number(canvas, at.row, column, columns->time, style, text);
        snprintf(text, sizeof text, "%.1f %%", now > 0 ? 100 * line->gain / now : 0);
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
        bound_text(line->after, text, sizeof text);
        canvas_text(canvas, at.row, column, columns->bound, STYLE_DIM, text);
    }
}

static void draw_headings(struct canvas *canvas, struct rect at, const struct columns *columns,
                          bool steps)
{
    int column = at.column;

    canvas_text(canvas, at.row, column, columns->name, STYLE_TITLE, steps ? "step" : "answer");
    column += columns->name + 1;
    canvas_text(canvas, at.row, column, columns->change, STYLE_TITLE, "from" ARROW "to");
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
        const struct line line = line_of(view->shown, &list->row[list->first + i]);

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
static void state_text(const struct app *app, char *text, size_t size)
{
    static const char *const parts[WORK_PARTS] = {[WORK_STEPS] = "steps",
                                                  [WORK_REACH] = "target",
                                                  [WORK_SHARES] = "division",
                                                  [WORK_RANK] = "presets",
                                                  [WORK_PACKETS] = "packets"};
    const struct advise_view *view = &app->advise;
    int part;

    text[0] = '\0';
    if (app->problem.status != STATUS_OK) {
        snprintf(text, size, " \xC2\xB7 of the design before");
    } else if (view->running != NULL && !view->stale) {
        part = atomic_load(&view->running->parts);
        snprintf(text, size, " \xC2\xB7 looking: %s %d %%", parts[part < WORK_PARTS ? part : 0],
                 atomic_load(&view->worker.percent));
    } else if (!view->current) {
        snprintf(text, size, " \xC2\xB7 looking again");
    }
}

static void title_of(const struct app *app, enum advise_pane pane, bool alone, char *text,
                     size_t size)
{
    char state[80];

    state_text(app, state, sizeof state);
    snprintf(
        text, size, "%s%s%s",
        pane == ADVISE_PANE_STEPS ? "One step of one knob" : "Target, packets, shares, presets",
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

static void draw_nothing(const struct app *app, struct canvas *canvas, struct rect inside)
{
    if (app->problem.status != STATUS_OK)
        widget_wrap(canvas, inside, 0, STYLE_ERROR, app->problem.message);
    else if (app->advise.problem.status != STATUS_OK)
        widget_wrap(canvas, inside, 0, STYLE_ERROR, app->advise.problem.message);
    else
        widget_wrap(canvas, inside, 0, STYLE_DIM, "looking for what gains most");
}

void advise_draw(struct app *app, struct canvas *canvas, struct rect body)
{
    struct advise_view *view = &app->advise;

    advise_ask(app);
    place_boxes(view, body);
    for (int p = 0; p < ADVISE_PANES; p++) {
        enum advise_pane pane = (enum advise_pane)p;
        char title[160];

        if (view->box[p].rows == 0)
            continue;
        title_of(app, pane, body.columns < BESIDE, title, sizeof title);
        widget_pane(canvas, view->box[p], title, view->focus == pane);
        if (view->shown == NULL)
            draw_nothing(app, canvas, rect_inside(view->box[p]));
        else
            draw_rows(view, canvas, pane);
    }
}

/* What gets worse. */
static const char *worse_text(const struct advise *advise, const struct verdict *after)
{
    if (after->overloaded)
        return ", overloaded";
    return after->max_frame_rate < advise->now.max_frame_rate ? ", lower max rate" : "";
}

void advise_detail(struct app *app, struct canvas *canvas, struct rect line)
{
    const struct advise_view *view = &app->advise;
    const struct advise_row *row = advise_row(view);
    char bound[NODE_NAME_MAX + 32];
    char latency[40];
    struct line shown;

    if (view->shown == NULL || row == NULL)
        return;
    shown = line_of(view->shown, row);
    if (shown.after == NULL || (row->kind == ADVISE_SPLIT && shown.gain == RESULT_NONE)) {
        if (row->kind == ADVISE_PRESET)
            canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_DIM,
                          "Enter puts it there; as aolag rank: without the device's own values");
        return;
    }
    bound_text(shown.after, bound, sizeof bound);
    quantity_show(shown.after->latency, "s", latency, sizeof latency);
    canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_DIM,
                  "RTC latency %s then, target %s%s; %s binds", latency,
                  shown.after->met ? "met" : "missed", worse_text(view->shown->advise, shown.after),
                  bound);
}
