#include <math.h>
#include <stdio.h>
#include <string.h>

#include "charts/advise.h"
#include "design/knob_text.h"
#include "tui/view_advise.h"
#include "tui/widget.h"

#define LEAST 0.0005    /* of the latency: less is no gain */
#define PRESETS_SHOWN 5 /* of a device, and the present one */

enum {
    BESIDE = 120, /* columns from which both panes stand beside one another */
    PATH = 34,    /* at most */
    TIME = 10,    /* "-0.0216 ns" */
    PERCENT = 8,
    NUMBER = 6,
    BOUND = 24,
    BAR = 8 /* at least */
};

#define GAIN_LEAST 10e-12 /* s; what gains less, by rounding as often as not, gains nothing */

#define ADVISE_CHANGE 300

/* Rows ----------------------------------------------------------------------------------------- */

static struct advise_row *add_advise_row(struct advise_rows *list, enum advise_row_kind kind, int a,
                                         int b)
{
    static struct advise_row none;
    struct advise_row *row =
        list->list.count < ADVISE_ROWS ? &list->row[list->list.count++] : &none;

    *row = (struct advise_row){.kind = kind, .a = a, .b = b};
    return row;
}

static void add_change(struct advise_rows *list, enum advise_row_kind kind, int a, int b,
                       struct knob_ref ref, const char *to)
{
    struct advise_row *row = add_advise_row(list, kind, a, b);

    row->ref = ref;
    row->to = to;
}

static void add_advise_heading(struct advise_rows *list, const char *text, const char *of)
{
    struct advise_row *row = add_advise_row(list, ADVISE_HEADING, -1, -1);

    snprintf(row->text, sizeof row->text, "%s%.40s", text, of);
}

static void list_step_rows(const struct advise *advise, struct advise_rows *list)
{
    const struct knob *before = NULL;
    int index = -1;
    int gains = 0;

    list->list.count = 0;
    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        if (step->later || step->gain <= advise->now.latency * LEAST)
            continue;
        add_change(list, ADVISE_STEP, i, -1, step->ref, step->to);
        gains++;
    }
    if (gains == 0)
        add_advise_heading(list, "no single change reduces the latency", "");
    add_advise_heading(list, "sensitive to, but given", "");
    for (int i = 0; i < advise->given.count; i++) {
        const struct advice *step = &advise->given.at[i];

        if (step->elasticity == RESULT_NONE || step->elasticity == 0 ||
            (step->ref.knob == before && step->ref.index == index))
            continue;
        before = step->ref.knob;
        index = step->ref.index;
        add_change(list, ADVISE_GIVEN, i, -1, step->ref, step->to);
    }
}

/* "target 1 ms: met, 985 us to spare" */
static void list_target(const struct advise *advise, struct advise_rows *list)
{
    double target = advise->design->scenario.general.target_latency;
    struct advise_row *row = add_advise_row(list, ADVISE_HEADING, -1, -1);
    char text[40];
    char margin[40];

    quantity_show(target, "s", text, sizeof text);
    quantity_show(fabs(target - advise->now.latency), "s", margin, sizeof margin);
    snprintf(row->text, sizeof row->text, "target %s: %s%s, %s %s", text,
             advise->now.met ? "met" : "missed", advise->now.overloaded ? ", overloaded" : "",
             margin, advise->now.latency <= target ? "to spare" : "too long");
}

static void list_reach(const struct meet_target *reach, struct advise_rows *list)
{
    if (reach->met)
        return;
    if (reach->count > 0)
        add_advise_heading(list, "one knob that meets the target", "");
    for (int i = 0; i < reach->count; i++)
        add_change(list, ADVISE_KNOB, i, -1, reach->knob[i].ref, reach->knob[i].to);
    for (int from = 0; from < TARGET_SOURCES; from++) {
        add_advise_row(list, ADVISE_WAY, from, -1);
        for (int i = 0; i < reach->sequence[from].count; i++)
            add_advise_row(list, ADVISE_WAY, from, i)->ref = reach->sequence[from].step[i].ref;
    }
}

static void list_splits(const struct advise *advise, struct advise_rows *list)
{
    if (advise->split_count == 0)
        return;
    add_advise_heading(list, "division of devices", "");
    for (int i = 0; i < advise->split_count; i++) {
        add_advise_row(list, ADVISE_SPLIT, i, -1);
        for (int s = 0; s < advise->split[i].count && advise->split[i].gain > 0; s++)
            add_advise_row(list, ADVISE_SHARE, i, s)->ref =
                knob_ref_to(KNOB_COMPONENT_SHARE, advise->split[i].share[s].component);
    }
}

/* They are compared as rank does: what the design states of the device is gone. */
static void add_presets_heading(struct advise_rows *list, const struct scenario *scenario,
                                int device)
{
    enum { OWN_SHOWN = 40 };
    char own[400], text[128];

    rank_own_keys(scenario, device, own, sizeof own);
    snprintf(text, sizeof text, "presets of %s%s%.*s", scenario->device[device].head.name,
             own[0] != '\0' ? ", without its " : "", OWN_SHOWN,
             strlen(own) > OWN_SHOWN ? "own values" : own);
    add_advise_heading(list, text, "");
}

static void list_preset_rows(const struct advise_work *work, struct advise_rows *list)
{
    for (int r = 0; r < work->rank_count; r++) {
        const struct rank *rank = &work->rank[r];

        add_presets_heading(list, &work->advise->design->scenario, rank->question.device);
        for (int i = 0; i < rank->count; i++)
            if (rank->row[i].present ||
                (i < PRESETS_SHOWN && rank->row[i].problem.status == STATUS_OK))
                add_change(list, ADVISE_PRESET, r, i,
                           knob_ref_to(KNOB_DEVICE_PRESET, rank->question.device),
                           rank->row[i].preset->name);
    }
}

static void add_packets(struct advise_rows *list, enum advise_row_kind kind,
                        const struct packet_count *count)
{
    struct advise_row *row = add_advise_row(list, kind, -1, -1);

    row->ref = knob_ref_to(KNOB_SCENARIO_PACKETS, 0);
    snprintf(row->text, sizeof row->text, "%d", count->packets);
}

/* Their rows are there before they are: what comes last does not push the others down. */
static void list_packets(const struct packets *packets, bool known, struct advise_rows *list)
{
    add_advise_heading(list, "packets", "");
    if (!known)
        add_advise_heading(list, "  looking", "");
    else if (packets->best.packets == 0)
        add_advise_heading(list, "with no number of them it keeps up", "");
    else
        add_packets(list, ADVISE_PACKETS_BEST, &packets->best);
    if (known && packets->fewest.packets != packets->best.packets && packets->best.packets != 0)
        add_packets(list, ADVISE_PACKETS_FEWEST, &packets->fewest);
}

void advise_list_rows(struct advise_view *view)
{
    const struct advise_work *work = view->shown;
    struct advise_rows *answers = &view->rows[ADVISE_PANE_ANSWERS];

    view->parts = work == NULL ? 0 : atomic_load(&work->parts);
    answers->list.count = 0;
    if (view->parts > WORK_STEPS)
        list_step_rows(work->advise, &view->rows[ADVISE_PANE_STEPS]);
    if (view->parts > WORK_STEPS)
        list_target(work->advise, answers);
    if (view->parts > WORK_REACH)
        list_reach(&work->advise->target, answers);
    if (view->parts > WORK_STEPS)
        list_packets(&work->advise->packets, view->parts > WORK_PACKETS, answers);
    if (view->parts > WORK_SHARES)
        list_splits(work->advise, answers);
    if (view->parts > WORK_RANK)
        list_preset_rows(work, answers);
    for (int p = 0; p < ADVISE_PANES; p++)
        list_pane_set(&view->rows[p].list, view->rows[p].list.focus);
}

const struct advise_row *advise_row(const struct advise_view *view)
{
    const struct advise_rows *list = &view->rows[view->focus];
    int focus = list_pane_focus(&list->list);

    return view->shown == NULL || focus < 0 ? NULL : &list->row[focus];
}

/* What rows say -------------------------------------------------------------------------------- */

/* What a row says, column by column. */
struct advise_line {
    char name[NODE_NAME_MAX + 64];
    char change[ADVISE_CHANGE];      /* "from > to"; empty: none */
    double gain;                     /* s; RESULT_NONE: none */
    double elasticity;               /* likewise */
    const struct performance *after; /* NULL: it is no change */
    bool bar;                        /* its gain is one */
    bool title;                      /* it is a name alone, over all columns */
};

static void print_value_change(struct advise_line *line, const char *from, const char *to)
{
    change_text(from, to, line->change, ADVISE_CHANGE);
    text_micro(line->change, ADVISE_CHANGE);
}

static void print_step(const struct scenario *scenario, const struct advice *step,
                       struct advise_line *line)
{
    knob_path(scenario, step->ref, line->name, sizeof line->name);
    print_value_change(line, step->from, step->to);
    line->gain = step->gain;
    line->elasticity = step->elasticity;
    line->after = &step->after;
}

static void print_knob(const struct advise *advise, const struct target_knob *knob,
                       struct advise_line *line)
{
    knob_path(&advise->design->scenario, knob->ref, line->name, sizeof line->name);
    print_value_change(line, knob->from, knob->to);
    line->gain = advise->now.latency - knob->after.latency;
    line->after = &knob->after;
}

static void print_way(const struct advise *advise, const struct advise_row *row,
                      struct advise_line *line)
{
    const struct target_sequence *way = &advise->target.sequence[row->a];
    const char *name = target_source_name((enum target_source)row->a);

    if (row->b >= 0) {
        print_step(&advise->design->scenario, &way->step[row->b], line);
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

static void print_split(const struct advise *advise, const struct share_split *split,
                        struct advise_line *line)
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

static void print_share(const struct advise *advise, const struct share *share,
                        struct advise_line *line)
{
    const struct component *component = &advise->design->scenario.component[share->component];
    char from[40];
    char to[40];

    snprintf(line->name, sizeof line->name, "  %s", component->head.name);
    snprintf(from, sizeof from, "%s%.3g", component->share > 0 ? "" : "auto ", share->present);
    share_text(share, to, sizeof to);
    print_value_change(line, from, to);
}

static void print_packets(const struct advise *advise, const struct packet_count *count,
                          const char *name, struct advise_line *line)
{
    char from[24];
    char to[24];

    snprintf(line->name, sizeof line->name, "%s", name);
    snprintf(from, sizeof from, "%d", advise->packets.present);
    snprintf(to, sizeof to, "%d", count->packets);
    print_value_change(line, from, to);
    line->gain = count->gain;
    line->after = &count->after;
}

static void print_preset(const struct advise *advise, const struct rank *rank, int place,
                         struct advise_line *line)
{
    const struct ranked *row = &rank->row[place];
    char latency[40];

    snprintf(line->name, sizeof line->name, "%2d %s%s", place + 1, row->preset->name,
             row->present ? " (now)" : "");
    if (row->problem.status != STATUS_OK) {
        snprintf(line->change, ADVISE_CHANGE, "invalid");
        return;
    }
    quantity_show(row->latency, "s", latency, sizeof latency);
    snprintf(line->change, ADVISE_CHANGE, "%s%s", latency, row->overloaded ? " overload" : "");
    line->gain = advise->now.latency - row->latency;
}

static struct advise_line line_of(const struct advise_work *work, const struct advise_row *row)
{
    const struct advise *advise = work->advise;
    const struct scenario *scenario = &advise->design->scenario;
    struct advise_line line = {.gain = RESULT_NONE, .elasticity = RESULT_NONE};

    switch (row->kind) {
    case ADVISE_HEADING:
        line.title = true;
        snprintf(line.name, sizeof line.name, "%s", row->text);
        break;
    case ADVISE_STEP:
        line.bar = true;
        print_step(scenario, &advise->choices.at[row->a], &line);
        break;
    case ADVISE_GIVEN:
        print_step(scenario, &advise->given.at[row->a], &line);
        break;
    case ADVISE_KNOB:
        print_knob(advise, &advise->target.knob[row->a], &line);
        break;
    case ADVISE_WAY:
        print_way(advise, row, &line);
        break;
    case ADVISE_SPLIT:
        print_split(advise, &advise->split[row->a], &line);
        break;
    case ADVISE_SHARE:
        print_share(advise, &advise->split[row->a].share[row->b], &line);
        break;
    case ADVISE_PACKETS_BEST:
        print_packets(advise, &advise->packets.best, "least latency", &line);
        break;
    case ADVISE_PACKETS_FEWEST:
        print_packets(advise, &advise->packets.fewest, "fewest, within 1 %", &line);
        break;
    case ADVISE_PRESET:
        print_preset(advise, &work->rank[row->a], row->b, &line);
        break;
    }
    return line;
}

/* Drawing -------------------------------------------------------------------------------------- */

struct columns {
    int name, change, time, percent, number, bar, bound; /* widths; 0: no room */
};

/* Columns -------------------------------------------------------------------------------------- */

/* Takes cells off `room` for a column, if there are as many. */
static int take_column(int *room, int cells)
{
    if (*room < cells)
        return 0;
    *room -= cells;
    return cells;
}

/* First what has to be there, then what tells more the more room there is. */
static struct columns advise_columns_of(int width, bool steps)
{
    struct columns columns = {.name = PATH};
    int least = steps ? 14 : 17; /* "1.05 ms overload" */
    int room, more;

    if (width < 2 * PATH + TIME)
        columns.name = width * 2 / 5;
    room = width - columns.name - 1;
    columns.time = take_column(&room, TIME + 1);
    columns.change = room < least ? room : least;
    room -= columns.change;
    columns.percent = take_column(&room, PERCENT);
    columns.number = steps ? take_column(&room, NUMBER + 1) : 0;
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

static void draw_number_cell(struct canvas *canvas, int row, int at, int cells, enum style style,
                             const char *text)
{
    if (cells > 1)
        canvas_right(canvas, row, at + 1, cells - 1, style, text);
}

static void draw_advise_line(struct canvas *canvas, struct rect at, const struct columns *columns,
                             struct advise_line line, double now, double most)
{
    enum style style = line.after != NULL && line.after->overloaded ? STYLE_WARNING : STYLE_NORMAL;
    int column = at.column;
    char text[PERFORMANCE_BOUND_TEXT];
    double percent;

    if (line.title) {
        canvas_text(canvas, at.row, column, at.columns, STYLE_DIM, line.name);
        return;
    }
    text_middle(line.name, sizeof line.name, columns->name);
    canvas_text(canvas, at.row, column, columns->name, style, line.name);
    column += columns->name + 1;
    canvas_text(canvas, at.row, column, columns->change, style, line.change);
    column += columns->change;
    if (line.gain != RESULT_NONE) {
        quantity_show(fabs(line.gain) < GAIN_LEAST ? 0 : line.gain, "s", text, sizeof text);
        draw_number_cell(canvas, at.row, column, columns->time, style, text);
        percent = now > 0 ? 100 * line.gain / now : 0;
        snprintf(text, sizeof text, "%.*f %%", fabs(percent) < 999.95 ? 1 : 0,
                 fabs(percent) < 0.05 ? 0 : percent);
        draw_number_cell(canvas, at.row, column + columns->time, columns->percent, style, text);
    }
    column += columns->time + columns->percent;
    if (line.elasticity != RESULT_NONE) {
        snprintf(text, sizeof text, "%.2f", fabs(line.elasticity) < 0.005 ? 0 : line.elasticity);
        draw_number_cell(canvas, at.row, column, columns->number, STYLE_DIM, text);
    }
    column += columns->number;
    if (line.bar && columns->bar > 2 && most > 0)
        canvas_bar(canvas, at.row, column + 1, columns->bar - 2,
                   (columns->bar - 2) * line.gain / most, FILL_COMPUTE, STYLE_COMPUTE);
    column += columns->bar;
    if (columns->bound > 0 && line.after != NULL) {
        performance_bound_text(line.after, text);
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
    draw_number_cell(canvas, at.row, column, columns->time, STYLE_TITLE, "gain");
    column += columns->time + columns->percent;
    draw_number_cell(canvas, at.row, column, columns->number, STYLE_TITLE, "elast.");
    column += columns->number + columns->bar;
    canvas_text(canvas, at.row, column, columns->bound, STYLE_TITLE, "binds then");
}

/* The largest gain a bar stands for. */
static double largest_gain(const struct advise_work *work)
{
    double most = 0;

    for (int i = 0; i < work->advise->choices.count; i++)
        if (!work->advise->choices.at[i].later)
            most = fmax(most, work->advise->choices.at[i].gain);
    return most;
}

static void draw_rows(struct advise_view *view, struct canvas *canvas, enum advise_pane pane)
{
    struct advise_rows *rows = &view->rows[pane];
    struct list_pane *list = &rows->list;
    struct rect inside = rect_inside(view->box[pane]);
    struct rect at = {inside.row, inside.column + 2, 1, inside.columns - 2};
    struct rect area = {inside.row + 1, inside.column, inside.rows - 1, inside.columns};
    bool steps = pane == ADVISE_PANE_STEPS;
    const struct columns columns = advise_columns_of(at.columns, steps);
    bool focus = view->focus == pane;
    double most = largest_gain(view->shown);

    draw_headings(canvas, at, &columns, steps);
    list_pane_lay(list, area, list->count);
    for (int i = 0; i < list->count; i++) {
        struct rect line = list_pane_line(list, i);

        if (line.rows == 0)
            continue;
        at.row = line.row;
        draw_advise_line(canvas, at, &columns, line_of(view->shown, &rows->row[i]),
                         view->shown->advise->now.latency, most);
        if (i == list_pane_focus(list))
            list_pane_draw_cursor(canvas, line, focus);
    }
    list_pane_draw_bar(list, canvas, inside.column + inside.columns, focus);
}

/* The view ------------------------------------------------------------------------------------- */

/* How far it is, or what of it is not of this design. */
static void print_state(const struct advise_view *view, char *text, size_t size)
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

static void print_pane_title(const struct advise_view *view, enum advise_pane pane, bool alone,
                             char *text, size_t size)
{
    bool steps = pane == ADVISE_PANE_STEPS;
    char state[80];

    print_state(view, state, sizeof state);
    snprintf(text, size, "%s%s%s%s",
             steps ? "One step of one knob" : "Target, packets, shares, presets",
             view->shown != NULL ? design_stale_mark(&view->host->design) : "",
             !alone  ? ""
             : steps ? " \xC2\xB7 Tab: 1 of 2"
                     : " \xC2\xB7 Tab: 2 of 2",
             steps || alone ? state : "");
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

static void draw_no_advice(const struct advise_view *view, struct canvas *canvas,
                           struct rect inside)
{
    if (view->host->design.problem.status != STATUS_OK)
        canvas_wrap(canvas, inside, 0, STYLE_ERROR, view->host->design.problem.message);
    else if (view->problem.status != STATUS_OK)
        canvas_wrap(canvas, inside, 0, STYLE_ERROR, view->problem.message);
    else
        canvas_wrap(canvas, inside, 0, STYLE_DIM, "looking for what gains most");
}

void advise_draw(struct advise_view *view, struct canvas *canvas, struct rect body)
{
    place_boxes(view, body);
    for (int p = 0; p < ADVISE_PANES; p++) {
        enum advise_pane pane = (enum advise_pane)p;
        char title[160];

        if (view->box[p].rows == 0)
            continue;
        print_pane_title(view, pane, body.columns < BESIDE, title, sizeof title);
        widget_pane(canvas, view->box[p], title, view->focus == pane);
        if (view->shown == NULL)
            draw_no_advice(view, canvas, rect_inside(view->box[p]));
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

void advise_draw_detail(const struct advise_view *view, struct canvas *canvas, struct rect line)
{
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
    shown = line_of(view->shown, row);
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
