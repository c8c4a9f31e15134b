#include "tui/view_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/number.h"
#include "charts/sweep.h"
#include "design/assign.h"
#include "design/knob_text.h"
#include "draw/chart.h"
#include "explore/advise.h"
#include "explore/rank.h"
#include "explore/sensitivity.h"
#include "model/knob_effect.h"
#include "model/range.h"
#include "report/range.h"
#include "tui/line_edit.h"
#include "tui/tree.h"
#include "tui/view.h"
#include "tui/widget.h"

enum { BELOW_BARS = 5 }; /* rows of the axis, its title and the legend */

static void sweep_view_changed(void *state);

/* Knobs and values ----------------------------------------------------------------------------- */

static bool can_be_swept(const struct knob *knob)
{
    return knob->type != KNOB_TEXT && knob->type != KNOB_FILE && knob->type != KNOB_COMPONENTS;
}

static bool find_axis_knob(const struct sweep_view *sweep, int axis, struct knob_ref *ref)
{
    return sweep->question.path[axis][0] != '\0' &&
           knob_find(&sweep->design->scenario, sweep->question.path[axis], ref, NULL) == STATUS_OK;
}

static void set_axis(struct sweep_view *sweep, int axis, struct knob_ref ref)
{
    char path[GRID_PATH_MAX];

    knob_path(&sweep->design->scenario, ref, path, sizeof path);
    sweep->question.choosing = false;
    if (strcmp(path, sweep->question.path[axis]) == 0)
        return;
    memcpy(sweep->question.path[axis], path, sizeof path);
    sweep->question.spec[axis][0] = '\0';
    sweep->question.centre[axis] = 0;
    sweep->cursor_moved = false;
    sweep->bars.first = 0;
    sweep_view_changed(sweep);
}

/* Finds the next knob that can be swept, in the order of Explore's tree. */
static bool find_next_knob(const struct sweep_view *sweep, struct knob_ref *ref, int by)
{
    for (int i = 0; i < 4096; i++) {
        tree_next_knob(&sweep->design->scenario, ref, by);
        if (can_be_swept(ref->knob) && !knob_idle(&sweep->design->scenario, *ref) &&
            tree_wants(&sweep->design->scenario, *ref))
            return true;
    }
    return false;
}

/* Clears the second knob if it no longer exists or equals the first. */
static void drop_second(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep->question.path[1][0] == '\0' ||
        (find_axis_knob(sweep, 1, &held) &&
         strcmp(sweep->question.path[0], sweep->question.path[1]) != 0))
        return;
    sweep->question.path[1][0] = '\0';
    sweep_view_changed(sweep);
}

static void follow_explore(void *state)
{
    struct sweep_view *sweep = state;
    struct knob_ref ref = sweep->host->before;
    struct knob_ref held;
    char path[GRID_PATH_MAX];

    knob_path(&sweep->design->scenario, ref, path, sizeof path);
    if (sweep->followed[0] == '\0' && strcmp(path, sweep->initial) == 0) {
        memcpy(sweep->followed, path, sizeof path);
        sweep->question.choosing = true;
        sweep_view_changed(sweep);
    } else if (strcmp(path, sweep->followed) != 0 ||
               (!sweep->question.choosing && !find_axis_knob(sweep, 0, &held))) {
        memcpy(sweep->followed, path, sizeof path);
        if (can_be_swept(ref.knob) || find_next_knob(sweep, &ref, 1))
            set_axis(sweep, 0, ref);
    }
    drop_second(sweep);
}

static void keep_knobs(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep->question.choosing || find_axis_knob(sweep, 0, &held))
        drop_second(sweep);
    else
        follow_explore(sweep);
}

/* Moves Explore's cursor to a knob and sweeps it. */
static void follow_knob(struct sweep_view *sweep, struct knob_ref ref)
{
    host_show_knob(sweep->host, ref.section, ref.index, ref.knob, SHOW_ASIDE);
    knob_path(&sweep->design->scenario, ref, sweep->followed, sizeof sweep->followed);
    set_axis(sweep, 0, ref);
}

static void sweep_next_knob(struct sweep_view *sweep, int by)
{
    struct knob_ref ref;

    if (find_axis_knob(sweep, 0, &ref) && find_next_knob(sweep, &ref, by))
        follow_knob(sweep, ref);
}

/* Holds the knob on the y axis and lets the worker choose that on x. */
static void hold_knob(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep->question.path[1][0] != '\0') {
        sweep->question.path[1][0] = '\0';
    } else if (find_axis_knob(sweep, 0, &held)) {
        set_axis(sweep, 1, held);
        memcpy(sweep->question.spec[1], sweep->question.spec[0], sizeof sweep->question.spec[1]);
        sweep->question.centre[1] = sweep->question.centre[0];
        sweep->question.path[0][0] = sweep->question.spec[0][0] = '\0';
        sweep->question.centre[0] = 0;
        sweep->question.choosing = true;
    }
    sweep->cursor_moved = false;
    sweep_view_changed(sweep);
}

static bool parse_axis(struct sweep_view *sweep, const char *word, struct axis *read)
{
    struct error error = {STATUS_OK, ""};

    if (axis_parse(read, &sweep->design->scenario, sweep->design->catalogue, word, &error) ==
        STATUS_OK)
        return true;
    host_fail(sweep->host, &error);
    return false;
}

/* Ends the text of each axis with a zero byte: at a blank before a word with a =, as a formula may
 * contain blanks. Returns how many there are. */
static int split_axes(char *text, char *word[GRID_AXES_MAX])
{
    int count = 0;

    for (char *at = text; *(at += strspn(at, " ")) != '\0'; at += strcspn(at, " ")) {
        if (count > 0 && memchr(at, '=', strcspn(at, " ")) == NULL)
            continue;
        if (count > 0)
            at[-1] = '\0';
        if (count < GRID_AXES_MAX)
            word[count] = at;
        count++;
    }
    return count;
}

static bool accept_axes(void *context, const char *text)
{
    struct sweep_view *sweep = context;
    char copy[2 * SWEEP_SPEC];
    char *word[GRID_AXES_MAX] = {NULL, NULL};
    struct axis axis[GRID_AXES_MAX] = {{.count = 0}, {.count = 0}};
    bool good = true;
    int count;

    snprintf(copy, sizeof copy, "%s", text);
    count = split_axes(copy, word);
    if (count == 0 || count > GRID_AXES_MAX) {
        host_say(sweep->host, NOTICE_ERROR,
                 "expected one or two knobs, as in device.rtc.cores=1:128:32:log");
        return false;
    }
    for (int a = 0; a < count && good; a++)
        good = parse_axis(sweep, word[a], &axis[a]);
    if (good && count == 2 && axis[0].ref.knob == axis[1].ref.knob &&
        axis[0].ref.index == axis[1].ref.index) {
        host_say(sweep->host, NOTICE_ERROR, "both axes are the same knob");
        good = false;
    }
    if (good) {
        sweep->question.path[1][0] = '\0';
        follow_knob(sweep, axis[0].ref);
        if (count > 1)
            set_axis(sweep, 1, axis[1].ref);
        for (int a = 0; a < count; a++)
            snprintf(sweep->question.spec[a], SWEEP_SPEC, "%s", word[a]);
        sweep->cursor_moved = false;
        sweep_view_changed(sweep);
    }
    for (int a = 0; a < count && a < GRID_AXES_MAX; a++)
        axis_free(&axis[a]);
    return good;
}

#define TYPED_POINTS 33 /* proposed number of points */

/* Prints the axis as a user would type it, independent of the present resolution. */
static void print_axis(const struct grid *grid, const char *path, int a, char *text, size_t size)
{
    const struct axis *axis = &grid->axis[a];
    char from[AXIS_TEXT_MAX], to[AXIS_TEXT_MAX];

    if (axis->number == NULL) {
        snprintf(text, size, "%s=all", path);
        return;
    }
    axis_text(axis, 0, from, sizeof from);
    axis_text(axis, axis->count - 1, to, sizeof to);
    snprintf(text, size, "%s=%.64s:%.64s:%d%s", path, from, to, TYPED_POINTS,
             grid_is_logarithmic(axis) ? ":log" : "");
}

static void ask_axes(struct sweep_view *sweep, const char *argument)
{
    char bytes[LINE_MAX_BYTES + 1];
    struct buffer text = buffer_over(bytes, sizeof bytes);

    if (argument != NULL && argument[0] != '\0') {
        accept_axes(sweep, argument);
        return;
    }
    for (int a = 0; a < GRID_AXES_MAX && sweep->question.path[a][0] != '\0'; a++) {
        char typed[SWEEP_SPEC];

        snprintf(typed, sizeof typed, "%s", sweep->question.spec[a]);
        if (typed[0] == '\0' && a < sweep->grid.axis_count && sweep->grid.count > 0)
            print_axis(&sweep->grid, sweep->question.path[a], a, typed, sizeof typed);
        buffer_print(&text, "%s%s", a > 0 ? " " : "", typed);
    }
    host_ask_line(sweep->host, &(struct prompt_request){.label = "sweep ",
                                                        .text = bytes,
                                                        .completion = COMPLETE_AXES,
                                                        .context = sweep,
                                                        .accept = accept_axes});
}

/* Computing ------------------------------------------------------------------------------------ */

static void ask_sweep(struct sweep_view *sweep)
{
    struct error error = {STATUS_OK, ""};

    if (!sweep->design->evaluated)
        return;
    if (sweep_ask(&sweep->answer, sweep->design->version, &sweep->design->scenario,
                  &sweep->design->result, design_part_values(&sweep->host->design),
                  &sweep->question, &error) != STATUS_OK) {
        memcpy(sweep->problem, error.message, sizeof sweep->problem);
        grid_free(&sweep->grid);
    }
}

/* Requests a new computation. */
static void sweep_view_changed(void *state)
{
    struct sweep_view *sweep = state;

    answer_outdate(&sweep->answer);
    sweep->fresh = false;
    sweep->problem[0] = '\0';
}

/* Shows a complete pass. */
static void take_pass(struct sweep_view *sweep, struct sweep_answer *found)
{
    if (found->ready.count == 0)
        return;
    grid_free(&sweep->grid);
    sweep->grid = found->ready;
    sweep->fresh = true;
    if (sweep->question.choosing) {
        memcpy(sweep->question.path[0], sweep->grid.path[0], sizeof sweep->question.path[0]);
        sweep->question.choosing = false;
    }
    found->ready = (struct grid){.count = 0};
}

static void sweep_view_collect(void *state)
{
    struct sweep_view *sweep = state;
    struct sweep_answer *found = answer_part(&sweep->answer);

    if (found != NULL) {
        pthread_mutex_lock(&sweep->answer.worker.shared);
        take_pass(sweep, found);
        pthread_mutex_unlock(&sweep->answer.worker.shared);
    }
    if (!answer_collect(&sweep->answer))
        return;
    found = sweep->answer.job;
    take_pass(sweep, found);
    memcpy(sweep->problem, found->error.message, sizeof sweep->problem);
}

static void sweep_view_free(void *state)
{
    struct sweep_view *sweep = state;

    answer_close(&sweep->answer);
    grid_free(&sweep->grid);
}

static void sweep_view_start(void *state, struct host *host)
{
    struct sweep_view *sweep = state;
    struct knob_ref initial;

    sweep->host = host;
    sweep->design = &host->design;
    sweep->question.wanted.row = NULL;
    memset(sweep->question.path, 0, sizeof sweep->question.path);
    memset(sweep->question.spec, 0, sizeof sweep->question.spec);
    sweep->question.whole = sweep->question.choosing = sweep->cursor_moved = false;
    sweep->followed[0] = '\0';
    initial = host->before;
    knob_path(&sweep->design->scenario, initial, sweep->initial, sizeof sweep->initial);
    grid_free(&sweep->grid);
    sweep_view_changed(sweep);
}

/* The cursor ----------------------------------------------------------------------------------- */

/* Returns the index of the cursor's value on an axis. */
static int cursor_index(const struct sweep_view *sweep, int a)
{
    return (int)lround(sweep->cursor[a] * (sweep->grid.axis[a].count - 1));
}

static void set_cursor(struct sweep_view *sweep, int a, int at)
{
    int last = sweep->grid.axis[a].count - 1;

    at = clamp_int(at, 0, last);
    sweep->cursor[a] = last > 0 ? (double)at / last : 0;
    sweep->cursor_moved = true;
}

/* Puts the cursor on the present design until the user moves it. */
static void update_cursor(struct sweep_view *sweep)
{
    for (int a = 0; a < sweep->grid.axis_count && !sweep->cursor_moved; a++) {
        double present =
            chart_sweep_present(&sweep->grid, a, &sweep->design->scenario, &sweep->design->result);
        int at = present == RESULT_NONE ? 0 : grid_nearest(&sweep->grid.axis[a], present);

        set_cursor(sweep, a, at);
        sweep->cursor_moved = false;
    }
}

/* Puts the cursor on a bar, of one knob or two. */
static void set_bar_cursor(struct sweep_view *sweep, int bar)
{
    int inner = sweep->grid.axis[0].count;

    set_cursor(sweep, 0, bar % inner);
    if (sweep->grid.axis_count > 1)
        set_cursor(sweep, 1, bar / inner);
}

static int design_at(const struct sweep_view *sweep)
{
    int number = cursor_index(sweep, 0);

    if (sweep->grid.axis_count > 1)
        number += cursor_index(sweep, 1) * sweep->grid.axis[0].count;
    return number;
}

static bool grid_has_bars(const struct grid *grid)
{
    return grid->axis[0].number == NULL;
}

/* Draws the cursor if its bar is visible. */
static void draw_bar_cursor(struct sweep_view *sweep, struct canvas *canvas)
{
    struct rect line = rect_inside(sweep->box);
    int row = sweep->plot.inside.row + (design_at(sweep) - sweep->bars.first) * sweep->plot.band;

    if (!rect_holds(line, row, line.column))
        return;
    line = (struct rect){row, line.column, 1, sweep->plot.inside.column - line.column - 1};
    list_pane_draw_cursor(canvas, line, true);
}

/* Draws a cross on a map, or a vertical line behind a curve. A mark on a map stays. */
static void draw_point_cursor(struct sweep_view *sweep, struct canvas *canvas)
{
    const struct axis *axis = sweep->grid.axis;
    const struct rect *inside = &sweep->plot.inside;
    bool map = sweep->grid.axis_count > 1 && axis[1].number != NULL;
    int row, column;

    if (!plot_cell(&sweep->plot, axis[0].number[cursor_index(sweep, 0)],
                   map ? axis[1].number[cursor_index(sweep, 1)] : sweep->plot.y.low, &row, &column))
        return;
    if (map) {
        uint32_t at = canvas_at(canvas, row, column);
        bool marked = at == look_character(canvas, look_of(LOOK_CURRENT)->mark) ||
                      at == look_character(canvas, look_of(LOOK_BEST)->mark);

        canvas_put(canvas, row, column, STYLE_FOCUS, marked ? at : '+');
    }
    for (int r = inside->row; !map && r <= row; r++) {
        uint32_t at = canvas_at(canvas, r, column);

        if (at == ' ' || at == look_character(canvas, look_of(LOOK_BAND)->fill))
            widget_mark(canvas, r, column, STYLE_TITLE, MARK_TICK);
    }
    canvas->cursor_row = row;
    canvas->cursor_column = column;
    if (!map)
        canvas->cursor = *inside;
}

/* Drawing -------------------------------------------------------------------------------------- */

static void print_title(const struct sweep_view *sweep, struct buffer *title)
{
    const struct grid *grid = &sweep->grid;
    char words[RESULT_PATH_MAX];

    buffer_text(title, "Sweep");
    if (grid->count > 0) {
        result_words(&grid->wanted, words, sizeof words);
        buffer_print(title, " \xC2\xB7 %s over %s%s%s", words, grid->words[0],
                     grid->axis_count > 1 ? " and " : "",
                     grid->axis_count > 1 ? grid->words[1] : "");
    }
    if (sweep->answer.running != NULL)
        buffer_text(title, " \xC2\xB7 computing");
}

/* Scrolls the bars so that the one under the cursor is visible. */
static void scroll_bars(struct sweep_view *sweep, struct rect inside)
{
    inside.rows = inside.rows > BELOW_BARS + 1 ? inside.rows - BELOW_BARS : 1;
    if (grid_has_bars(&sweep->grid)) {
        sweep->bars.focus = design_at(sweep);
        list_pane_lay(&sweep->bars, inside, sweep->grid.count);
    } else {
        sweep->bars = (struct list_pane){0};
    }
}

static bool sweep_view_chart(void *state, struct chart *chart)
{
    struct sweep_view *sweep = state;

    if (sweep->grid.count == 0 || !sweep->fresh)
        return false;
    chart_sweep(chart, &sweep->grid, &sweep->design->scenario, design_result(sweep->design), 0);
    return true;
}

/* Returns true if no value of the knob gives the result. */
static bool is_all_invalid(const struct grid *grid)
{
    return grid->count > 0 && grid->invalid + grid->missing == grid->count;
}

static void draw_sweep_problem(const struct sweep_view *sweep, struct canvas *canvas,
                               struct rect inside)
{
    const char *said = "computing";

    if (sweep->problem[0] != '\0')
        said = sweep->problem;
    else if (!sweep->design->evaluated)
        said = sweep->design->problem.message;
    else if (is_all_invalid(&sweep->grid))
        said = sweep->grid.reason;
    canvas_wrap(canvas, inside, 0, STYLE_DIM, said);
}

static void sweep_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct sweep_view *sweep = state;
    struct rect inside = rect_inside(body);
    char title[2 * RESULT_PATH_MAX + 2 * GRID_PATH_MAX];
    struct buffer text = buffer_over(title, sizeof title);
    struct chart shown;

    keep_knobs(sweep);
    ask_sweep(sweep);
    sweep->box = body;
    sweep->drawn = false;
    print_title(sweep, &text);
    widget_pane(canvas, body, title, true);
    if (sweep->grid.count == 0 || sweep->problem[0] != '\0' || is_all_invalid(&sweep->grid)) {
        draw_sweep_problem(sweep, canvas, inside);
        return;
    }
    update_cursor(sweep);
    scroll_bars(sweep, inside);
    chart_sweep(&shown, &sweep->grid, &sweep->design->scenario, design_result(sweep->design),
                sweep->bars.first);
    if (grid_has_bars(&sweep->grid)) {
        /* column for the cursor mark */
        inside.column++;
        inside.columns--;
    }
    sweep->drawn = chart_draw(&shown, canvas, inside, &sweep->plot);
    if (sweep->drawn && grid_has_bars(&sweep->grid))
        draw_bar_cursor(sweep, canvas);
    else if (sweep->drawn)
        draw_point_cursor(sweep, canvas);
    chart_free(&shown);
}

/* Returns true if the cursor is on the values in force. */
static bool is_on_present(const struct sweep_view *sweep)
{
    for (int a = 0; a < sweep->grid.axis_count; a++) {
        double present =
            chart_sweep_present(&sweep->grid, a, &sweep->design->scenario, &sweep->design->result);
        int at = cursor_index(sweep, a);

        if ((sweep->grid.axis[a].number == NULL ? at : sweep->grid.axis[a].number[at]) != present)
            return false;
    }
    return true;
}

/* Says where an axis around the present value is shorter because no value beyond is allowed. */
static void print_limits(const struct sweep_view *sweep, int a, struct buffer *text)
{
    const struct axis *axis = &sweep->grid.axis[a];
    const struct knob *knob = axis->ref.knob;
    const char *label = sweep->grid.axis_count > 1 ? knob->label : "";
    const char *gap = sweep->grid.axis_count > 1 ? " " : "";
    double centre = grid_gain_is_automatic(&sweep->design->scenario, axis->ref)
                        ? sweep->grid.gain
                        : sweep->question.centre[a];

    if (axis->number == NULL || centre == RESULT_NONE || sweep->question.spec[a][0] != '\0' ||
        sweep->question.whole)
        return;
    if (knob_max(knob) < 4 * centre)
        buffer_print(text, " \xC2\xB7 %s%sat most %s", label, gap,
                     quantity_text(knob_max(knob), knob->unit).text);
    if (knob_min(knob) > centre / 4 && (knob->type != KNOB_INTEGER || knob_min(knob) > 1))
        buffer_print(text, " \xC2\xB7 %s%sat least %s", label, gap,
                     quantity_text(knob_min(knob), knob->unit).text);
}

/* Writes the result of a design, with its range once that is known. */
static void print_value(const struct grid *grid, int number, bool unicode,
                        char text[RANGE_LATENCY_MAX])
{
    double value = grid->value[number];
    double low = grid->low == NULL ? RESULT_NONE : grid->low[number];
    double high = grid->high == NULL ? RESULT_NONE : grid->high[number];

    if (value == RESULT_NONE || low == RESULT_NONE)
        quantity_show(value, grid->wanted.row->unit, text, RANGE_LATENCY_MAX);
    else if (grid->wanted.row == &result_rows[RESULT_LATENCY])
        range_latency_text(value, low, high, unicode, text);
    else
        range_rate_text(value, low, high, unicode, text);
}

/* Shows the result of the design at the cursor. */
static void sweep_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    struct sweep_view *sweep = state;
    const struct grid *grid = &sweep->grid;
    char bytes[1024], limit[GRID_REGIME_TEXT];
    struct buffer text = buffer_over(bytes, sizeof bytes);
    char value[RANGE_LATENCY_MAX];
    char clears[256] = "";
    int number;

    if (grid->count == 0 || sweep->problem[0] != '\0')
        return;
    number = design_at(sweep);
    for (int a = 0; a < grid->axis_count; a++) {
        const struct axis *axis = &grid->axis[a];
        char point[AXIS_TEXT_MAX];

        sweep_point_text(axis, cursor_index(sweep, a), point, sizeof point);
        buffer_print(&text, "%s%s %.200s", a > 0 ? ", " : "", axis->ref.knob->label, point);
    }
    for (int a = 0; a < grid->axis_count; a++)
        if (grid->axis[a].ref.knob->type == KNOB_PRESET)
            rank_own_labels(&sweep->host->design.scenario, grid->axis[a].ref.index, clears,
                            sizeof clears);
    if (!sweep_say_unstable(grid, number, value, sizeof value))
        print_value(grid, number, canvas->unicode, value);
    if (grid->value[number] == RESULT_NONE && grid->invalid > 0)
        snprintf(value, sizeof value, "invalid design");
    buffer_print(&text, ": %s%s", value, grid->overloaded[number] ? ", overloaded" : "");
    for (int a = 0; a < grid->axis_count && clears[0] == '\0'; a++)
        print_limits(sweep, a, &text);
    buffer_print(&text, " \xC2\xB7 %s", is_on_present(sweep) ? "in force" : "Enter sets it");
    if (clears[0] != '\0' && !is_on_present(sweep))
        buffer_print(&text, " and clears %s", clears);
    if (grid->regime[number] >= 0) {
        snprintf(limit, sizeof limit, "%s", grid->name[grid->regime[number]]);
        if (text_width(bytes) + 14 + text_width(limit) > line.columns - 2)
            verdict_brief(grid->name[grid->regime[number]], limit);
        buffer_print(&text, " \xC2\xB7 limited by %s", limit);
    }
    text_clauses(bytes, line.columns - 2);
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_NORMAL, bytes);
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Applies the values at the cursor, of one knob or two ("P=V" with unit), as one change. */
static void apply_cursor(struct sweep_view *sweep)
{
    char bytes[GRID_AXES_MAX * (GRID_PATH_MAX + AXIS_TEXT_MAX + 32)];
    struct buffer text = buffer_over(bytes, sizeof bytes);

    for (int a = 0; a < sweep->grid.axis_count && sweep->grid.count > 0; a++) {
        const struct axis *axis = &sweep->grid.axis[a];
        char value[AXIS_TEXT_MAX];

        axis_text(axis, cursor_index(sweep, a), value, sizeof value);
        buffer_print(&text, "%s%s=%s%s", a > 0 ? " " : "", sweep->grid.path[a], value,
                     axis->number == NULL ? "" : axis->ref.knob->unit);
    }
    if (text.length > 0 && design_assign(sweep->host, bytes))
        sweep->cursor_moved = false; /* it is on what is in force now */
}

/* Returns true for a result of the design or the loop that has a preferred direction and is not an
 * end of a range, which stands around its result. */
static bool can_be_shown(const struct result_row *row)
{
    const struct range_rows *range = range_rows_of(row);

    return row->scope <= RESULT_LOOP && row->sense != SENSE_NEITHER &&
           (range == NULL || row == &result_rows[range->result]);
}

static void next_result(struct sweep_view *sweep, int by)
{
    long row;

    if (sweep->question.wanted.row == NULL)
        sweep->question.wanted = sweep->grid.wanted;
    if (sweep->question.wanted.row == NULL)
        return;
    row = sweep->question.wanted.row - result_rows;
    do
        row = (row + by + RESULT_ROW_COUNT) % RESULT_ROW_COUNT;
    while (!can_be_shown(&result_rows[row]));
    sweep->question.wanted = (struct result_ref){.row = &result_rows[row]};
    sweep_view_changed(sweep);
}

static void move_cursor(struct sweep_view *sweep, int a, int by)
{
    if (a < sweep->grid.axis_count)
        set_cursor(sweep, a, cursor_index(sweep, a) + by);
}

static void sweep_view_act(void *state, enum action_id id, const char *argument)
{
    struct sweep_view *sweep = state;
    int last = 1 << 24;
    bool bars = grid_has_bars(&sweep->grid);

    switch ((int)id) {
    case ACTION_LEFT:
    case ACTION_RIGHT:
        move_cursor(sweep, 0, id == ACTION_LEFT ? -1 : 1);
        break;
    case ACTION_TEN_LEFT:
    case ACTION_TEN_RIGHT:
        move_cursor(sweep, 0, id == ACTION_TEN_LEFT ? -10 : 10);
        break;
    case ACTION_START:
    case ACTION_END:
        move_cursor(sweep, 0, id == ACTION_START ? -last : last);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        if (sweep->question.path[1][0] != '\0')
            move_cursor(sweep, 1, (id == ACTION_UP) == bars ? -1 : 1);
        else
            sweep_next_knob(sweep, id == ACTION_UP ? -1 : 1);
        break;
    case ACTION_PREVIOUS_RESULT:
    case ACTION_NEXT_RESULT:
        next_result(sweep, id == ACTION_PREVIOUS_RESULT ? -1 : 1);
        break;
    case ACTION_RANGE:
        ask_axes(sweep, argument);
        break;
    case ACTION_VARIANT:
        hold_knob(sweep);
        break;
    case ACTION_LEGAL_RANGE:
        sweep->question.whole = !sweep->question.whole;
        sweep->question.spec[0][0] = sweep->question.spec[1][0] = '\0';
        sweep->cursor_moved = false;
        sweep_view_changed(sweep);
        break;
    case ACTION_ENTER:
        apply_cursor(sweep);
        break;
    default:
        break;
    }
}

static void sweep_view_mouse(void *state, const struct key_event *event)
{
    struct sweep_view *sweep = state;
    const struct rect *inside = &sweep->plot.inside;
    int across = event->column - inside->column;
    int up = inside->row + inside->rows - 1 - event->row;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        move_cursor(sweep, 0, event->mouse == MOUSE_WHEEL_UP ? -1 : 1);
        return;
    }
    if (!sweep->drawn || (event->mouse != MOUSE_PRESS && event->mouse != MOUSE_DRAG) ||
        !rect_holds(*inside, event->row, event->column))
        return;
    if (grid_has_bars(&sweep->grid)) {
        int bar =
            sweep->bars.first +
            (int)floor(sweep->plot.y.high - plot_value(&sweep->plot.y, (up + 0.5) / inside->rows));

        set_bar_cursor(sweep, bar);
        return;
    }
    set_cursor(sweep, 0,
               grid_nearest(&sweep->grid.axis[0],
                            plot_value(&sweep->plot.x, (across + 0.5) / inside->columns)));
    if (sweep->grid.axis_count > 1 && sweep->grid.axis[1].number != NULL)
        set_cursor(sweep, 1,
                   grid_nearest(&sweep->grid.axis[1],
                                plot_value(&sweep->plot.y, (up + 0.5) / inside->rows)));
}

static void sweep_view_table(const void *state, FILE *out, int columns)
{
    const struct sweep_view *sweep = state;

    sweep_table(&sweep->grid, out, columns);
}

static void sweep_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct sweep_view *sweep = state;

    if (find_axis_knob(sweep, 0, &cursor->knob)) {
        cursor->section = cursor->knob.section;
        cursor->index = cursor->knob.index;
    }
    if (sweep->grid.count > 0)
        result_path(&sweep->grid.wanted, cursor->path, sizeof cursor->path);
}

const struct view view_sweep = {
    .name = "sweep",
    .start = sweep_view_start,
    .open = follow_explore,
    .free = sweep_view_free,
    .changed = sweep_view_changed,
    .pane = PANE_SWEEP,
    .draw = sweep_view_draw,
    .detail = sweep_view_detail,
    .act = sweep_view_act,
    .mouse = sweep_view_mouse,
    .collect = sweep_view_collect,
    .chart = sweep_view_chart,
    .table = sweep_view_table,
    .cursor = sweep_view_cursor,
};
