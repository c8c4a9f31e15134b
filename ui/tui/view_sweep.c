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
    return sweep->path[axis][0] != '\0' &&
           knob_find(&sweep->design->scenario, sweep->path[axis], ref, NULL) == STATUS_OK;
}

static void set_axis(struct sweep_view *sweep, int axis, struct knob_ref ref)
{
    char path[SWEEP_PATH];

    knob_path(&sweep->design->scenario, ref, path, sizeof path);
    sweep->choosing = false;
    if (strcmp(path, sweep->path[axis]) == 0)
        return;
    memcpy(sweep->path[axis], path, sizeof path);
    sweep->spec[axis][0] = '\0';
    sweep->centre[axis] = 0;
    sweep->cursor_moved = false;
    sweep->bars.first = 0;
    sweep_view_changed(sweep);
}

/* Finds the next knob that can be swept, in the order of Explore's tree. */
static bool find_next_knob(const struct sweep_view *sweep, struct knob_ref *ref, int by)
{
    for (int i = 0; i < 4096; i++) {
        tree_next_knob(&sweep->design->scenario, ref, by);
        if (can_be_swept(ref->knob) && !knob_idle(&sweep->design->scenario, *ref))
            return true;
    }
    return false;
}

/* Clears the second knob if it no longer exists or equals the first. */
static void drop_second(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep->path[1][0] == '\0' ||
        (find_axis_knob(sweep, 1, &held) && strcmp(sweep->path[0], sweep->path[1]) != 0))
        return;
    sweep->path[1][0] = '\0';
    sweep_view_changed(sweep);
}

static void follow_explore(void *state)
{
    struct sweep_view *sweep = state;
    struct knob_ref ref = host_search_from(sweep->host, 1);
    struct knob_ref held;
    char path[SWEEP_PATH];

    knob_path(&sweep->design->scenario, ref, path, sizeof path);
    if (sweep->followed[0] == '\0' && strcmp(path, sweep->initial) == 0) {
        memcpy(sweep->followed, path, sizeof path);
        sweep->choosing = true;
        sweep_view_changed(sweep);
    } else if (strcmp(path, sweep->followed) != 0 ||
               (!sweep->choosing && !find_axis_knob(sweep, 0, &held))) {
        memcpy(sweep->followed, path, sizeof path);
        if (can_be_swept(ref.knob) || find_next_knob(sweep, &ref, 1))
            set_axis(sweep, 0, ref);
    }
    drop_second(sweep);
}

static void keep_knobs(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep->choosing || find_axis_knob(sweep, 0, &held))
        drop_second(sweep);
    else
        follow_explore(sweep);
}

/* Moves Explore's cursor to a knob and sweeps it. */
static void follow_knob(struct sweep_view *sweep, struct knob_ref ref)
{
    host_show_knob(sweep->host, ref.section, ref.index, ref.knob, false);
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

    if (sweep->path[1][0] != '\0') {
        sweep->path[1][0] = '\0';
    } else if (find_axis_knob(sweep, 0, &held)) {
        set_axis(sweep, 1, held);
        memcpy(sweep->spec[1], sweep->spec[0], sizeof sweep->spec[1]);
        sweep->centre[1] = sweep->centre[0];
        sweep->path[0][0] = sweep->spec[0][0] = '\0';
        sweep->centre[0] = 0;
        sweep->choosing = true;
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
        host_say(sweep->host, STYLE_ERROR,
                 "expected one or two knobs, as in device.rtc.cores=1:128:32:log");
        return false;
    }
    for (int a = 0; a < count && good; a++)
        good = parse_axis(sweep, word[a], &axis[a]);
    if (good && count == 2 && axis[0].ref.knob == axis[1].ref.knob &&
        axis[0].ref.index == axis[1].ref.index) {
        host_say(sweep->host, STYLE_ERROR, "both axes are the same knob");
        good = false;
    }
    if (good) {
        sweep->path[1][0] = '\0';
        follow_knob(sweep, axis[0].ref);
        if (count > 1)
            set_axis(sweep, 1, axis[1].ref);
        for (int a = 0; a < count; a++)
            snprintf(sweep->spec[a], SWEEP_SPEC, "%s", word[a]);
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
    for (int a = 0; a < GRID_AXES_MAX && sweep->path[a][0] != '\0'; a++) {
        char typed[SWEEP_SPEC];

        snprintf(typed, sizeof typed, "%s", sweep->spec[a]);
        if (typed[0] == '\0' && a < sweep->grid.axis_count && sweep->grid.count > 0)
            print_axis(&sweep->grid, sweep->path[a], a, typed, sizeof typed);
        buffer_print(&text, "%s%s", a > 0 ? " " : "", typed);
    }
    prompt_open(sweep->host, &(struct prompt_request){.label = "sweep ",
                                                      .text = bytes,
                                                      .completion = COMPLETE_AXES,
                                                      .context = sweep,
                                                      .accept = accept_axes});
}

/* Computing ------------------------------------------------------------------------------------ */

/* Points along each axis, coarse first; a typed axis states its own number. */
enum { PASSES = 3 };
static const int points_of_one[PASSES] = {17, 65, 257};
static const int points_of_two[GRID_AXES_MAX][PASSES] = {{13, 33, 97}, {9, 25, 65}};

/* What a worker computes. The axes are made before it starts, since only the main thread may read
 * the catalogue. */
struct grid_work {
    struct scenario scenario;
    struct result_ref wanted;
    bool automatic; /* the error budget instead, if the knobs do not change the latency */
    const struct part_values *values;
    int axis_count;
    bool chooses; /* the worker finds the most sensitive knob and makes the x axes */
    bool whole;   /* over the range of that knob */
    int passes;
    bool gain; /* an axis is that of an automatic gain, which evaluate does not find */
    struct axis axis[PASSES][GRID_AXES_MAX];
    struct grid ready; /* shared: last complete pass not yet shown; count 0: none */
    struct error error;
};

static int points_of(const struct grid_work *work, int pass, int a)
{
    return work->axis_count == 1 ? points_of_one[pass] : points_of_two[a][pass];
}

/* Frees the work; no worker may be using it. */
static void free_work(struct sweep_view *sweep)
{
    struct grid_work *work = sweep->work;

    sweep->work = NULL;
    if (work == NULL)
        return;
    for (int p = 0; p < PASSES; p++)
        for (int a = 0; a < GRID_AXES_MAX; a++)
            axis_free(&work->axis[p][a]);
    grid_free(&work->ready);
    free(work);
}

/* Makes an axis around a value of the knob, of parts where they have one, or over its whole range,
 * with the number in force. */
static enum status make_number_axis(struct axis *axis, const struct scenario *scenario,
                                    const struct part_values *values, struct knob_ref ref,
                                    double centre, double present, int points, struct error *error)
{
    enum status status;

    if (centre > 0)
        return axis_of_parts(axis, scenario, values, ref, centre, present, points, error);
    status = axis_default(axis, scenario, part_values_catalogue(values), ref, points, error);
    if (status == STATUS_OK)
        axis_include(axis, present);
    return status;
}

static bool is_held(const struct grid_work *work, struct knob_ref ref)
{
    const struct axis *held = &work->axis[0][1];

    return work->axis_count > 1 && held->ref.knob == ref.knob && held->ref.index == ref.index;
}

/* Makes the x axes of the property of hardware that the latency depends on most, besides a held
 * one. */
static enum status choose_knob(struct grid_work *work, const struct progress *progress)
{
    enum { FIRST_TWO = 2 };
    struct sensitivity first[FIRST_TWO + 1];
    enum status status;
    int count;
    int at = 0;

    status = sensitivity_list(&work->scenario, STEPS_HARDWARE, progress, first, FIRST_TWO, &count,
                              &work->error);
    if (status != STATUS_OK)
        return status;
    while (at < count && is_held(work, first[at].ref))
        at++;
    if (at == count) {
        first[at].ref = knob_ref_to(KNOB_SCENARIO_PACKETS, 0);
        if (is_held(work, first[at].ref))
            first[at].ref = knob_ref_to(KNOB_SCENARIO_FRAME_RATE, 0);
        first[at].value = knob_number(&work->scenario, first[at].ref);
    }
    for (int p = 0; p < work->passes && status == STATUS_OK; p++)
        status = make_number_axis(&work->axis[p][0], &work->scenario, work->values, first[at].ref,
                                  work->whole ? 0 : first[at].value, first[at].value,
                                  points_of(work, p, 0), &work->error);
    return status;
}

/* Makes the axes of an automatic gain. */
static enum status make_gain_axes(struct grid_work *work, const struct progress *progress)
{
    double gain;
    enum status status = grid_find_gain(&work->scenario, progress, &gain, &work->error);
    int a = 0;

    while (work->axis[0][a].ref.knob != &knobs[KNOB_AO_GAIN])
        a++;
    for (int p = 0; p < work->passes && status == STATUS_OK && gain != RESULT_NONE; p++) {
        struct axis *axis = &work->axis[p][a];
        const struct knob_ref ref = axis->ref;

        axis_free(axis);
        status = make_number_axis(axis, &work->scenario, work->values, ref, work->whole ? 0 : gain,
                                  gain, points_of(work, p, a), &work->error);
    }
    return status;
}

/* Returns true if a pass has as many values as the one before: the same ones. */
static bool adds_nothing(const struct grid_work *work, int pass, const int count[GRID_AXES_MAX])
{
    for (int a = 0; a < work->axis_count; a++)
        if (work->axis[pass][a].count != count[a])
            return false;
    return true;
}

/* Drops from the design what does not hold along the axes, unless one of them varies it. */
static void drop_stale(struct grid_work *work)
{
    struct knob_ref varied[GRID_AXES_MAX];

    for (int a = 0; a < work->axis_count; a++)
        varied[a] = work->axis[0][a].ref;
    scenario_drop_stale(&work->scenario, varied, work->axis_count, NULL);
}

/* Computes a pass, whose axes the grid then owns. */
static enum status run_pass(struct grid_work *work, int pass, const struct progress *progress,
                            struct grid *grid)
{
    enum status status = grid_run(grid, &work->scenario, work->axis[pass], work->axis_count,
                                  &work->wanted, progress, &work->error);

    memset(work->axis[pass], 0, sizeof work->axis[pass]);
    return status;
}

/* Returns true if the knobs do not change the result. */
static bool is_flat(const struct grid *grid)
{
    double first = RESULT_NONE;

    for (int i = 0; i < grid->count; i++) {
        if (first == RESULT_NONE)
            first = grid->value[i];
        if (grid->value[i] != RESULT_NONE && grid->value[i] != first)
            return false;
    }
    return true;
}

/* Computes the first pass of a latency that does not change again with the total of the error
 * budget, which knobs of the loop change; the latency stays if that does not change either. */
static enum status try_total(struct grid_work *work, const struct progress *progress,
                             struct grid *grid)
{
    static const enum result_id results[] = {RESULT_LOOP_TOTAL, RESULT_LATENCY};
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (status != STATUS_OK || !is_flat(grid))
            return status;
        memcpy(work->axis[0], grid->axis, sizeof work->axis[0]);
        grid->axis_count = 0;
        grid_free(grid);
        work->wanted = (struct result_ref){.row = &result_rows[results[i]]};
        status = run_pass(work, 0, progress, grid);
    }
    return status;
}

static void run_passes(struct worker *worker, void *context)
{
    struct grid_work *work = context;
    const struct progress progress = {worker_report, worker};
    int count[GRID_AXES_MAX] = {0};

    if (work->chooses && choose_knob(work, &progress) != STATUS_OK)
        return;
    if (work->gain && make_gain_axes(work, &progress) != STATUS_OK)
        return;
    drop_stale(work);
    for (int p = 0; p < work->passes && !adds_nothing(work, p, count); p++) {
        struct grid grid;
        enum status status;

        for (int a = 0; a < work->axis_count; a++)
            count[a] = work->axis[p][a].count;
        status = run_pass(work, p, &progress, &grid);
        if (status == STATUS_OK && p == 0 && work->automatic)
            status = try_total(work, &progress, &grid);
        if (status != STATUS_OK) {
            grid_free(&grid);
            return;
        }
        pthread_mutex_lock(&worker->shared);
        grid_free(&work->ready);
        work->ready = grid;
        pthread_mutex_unlock(&worker->shared);
        worker_notify(worker);
    }
}

/* Makes axis `a` of pass `p`; a typed one does not vary. */
static enum status make_axis(struct sweep_view *sweep, struct grid_work *work, int p, int a,
                             struct error *error)
{
    const struct scenario *scenario = &sweep->design->scenario;
    struct axis *axis = &work->axis[p][a];
    enum status status;
    struct knob_ref ref;
    double present;

    if (knob_find(scenario, sweep->path[a], &ref, error) != STATUS_OK)
        return STATUS_INVALID;
    present =
        knob_is_number(ref.knob) ? knob_number_in_force(scenario, &sweep->design->result, ref) : 0;
    if (sweep->spec[a][0] != '\0') {
        status = axis_parse(axis, scenario, sweep->design->catalogue, sweep->spec[a], error);
        if (status == STATUS_OK)
            axis_include(axis, present);
        return status;
    }
    work->gain = work->gain || grid_gain_is_automatic(scenario, ref);
    if (present < sweep->centre[a] / 4 || present > sweep->centre[a] * 4)
        sweep->centre[a] = present;
    return make_number_axis(axis, scenario, work->values, ref, sweep->whole ? 0 : sweep->centre[a],
                            present, points_of(work, p, a), error);
}

/* Puts numeric values on the x axis, since charts show words only on the y axis. */
static void numbers_first(struct axis axis[GRID_AXES_MAX])
{
    struct axis first = axis[0];

    if (axis[0].number != NULL || axis[1].number == NULL)
        return;
    axis[0] = axis[1];
    axis[1] = first;
}

static enum status make_work(struct sweep_view *sweep, struct grid_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    bool typed;

    scenario_copy(&work->scenario, &sweep->design->scenario);
    work->axis_count = sweep->path[1][0] == '\0' ? 1 : 2;
    work->chooses = sweep->choosing;
    work->whole = sweep->whole;
    work->values = design_part_values(&sweep->host->design);
    typed = !sweep->choosing && sweep->spec[0][0] != '\0' &&
            (work->axis_count == 1 || sweep->spec[1][0] != '\0');
    work->automatic = sweep->wanted.row == NULL;
    work->wanted =
        work->automatic ? (struct result_ref){.row = &result_rows[RESULT_LATENCY]} : sweep->wanted;
    work->passes = typed ? 1 : PASSES;
    for (int p = 0; p < work->passes && status == STATUS_OK; p++) {
        for (int a = work->chooses ? 1 : 0; a < work->axis_count && status == STATUS_OK; a++)
            status = make_axis(sweep, work, p, a, error);
        if (status == STATUS_OK && work->axis_count > 1 && !work->chooses)
            numbers_first(work->axis[p]);
    }
    return status;
}

/* Starts a worker if work is requested and none runs. */
static void start_sweep_work(struct sweep_view *sweep)
{
    struct error error = {STATUS_OK, ""};

    if (!sweep->requested || !sweep->design->evaluated ||
        !worker_may_start(&sweep->worker, &sweep->host->bell))
        return;
    sweep->requested = false;
    sweep->problem[0] = '\0';
    sweep->work = allocate_array(1, sizeof *sweep->work);
    if (make_work(sweep, sweep->work, &error) == STATUS_OK &&
        worker_start(&sweep->worker, &sweep->host->bell, "the sweep", run_passes, sweep->work,
                     &error) == STATUS_OK)
        return;
    memcpy(sweep->problem, error.message, sizeof sweep->problem);
    free_work(sweep);
    grid_free(&sweep->grid);
}

/* Requests a new computation. */
static void sweep_view_changed(void *state)
{
    struct sweep_view *sweep = state;

    sweep->requested = true;
    if (sweep->worker.running)
        worker_request_stop(&sweep->worker);
}

static bool sweep_view_busy(const void *state)
{
    const struct sweep_view *sweep = state;

    return sweep->worker.running;
}

/* Shows a complete pass unless it is for an outdated request. */
static void show_finished_pass(struct sweep_view *sweep)
{
    if (sweep->work->ready.count == 0 || sweep->requested)
        return;
    grid_free(&sweep->grid);
    sweep->grid = sweep->work->ready;
    if (sweep->choosing) {
        memcpy(sweep->path[0], sweep->grid.path[0], sizeof sweep->path[0]);
        sweep->choosing = false;
    }
    sweep->work->ready = (struct grid){.count = 0};
}

static void sweep_view_collect(void *state)
{
    struct sweep_view *sweep = state;

    if (!sweep->worker.running)
        return;
    pthread_mutex_lock(&sweep->worker.shared);
    show_finished_pass(sweep);
    pthread_mutex_unlock(&sweep->worker.shared);
    if (!worker_try_join(&sweep->worker))
        return;
    if (sweep->work->error.status != STATUS_OK && sweep->work->error.status != STATUS_STOPPED)
        memcpy(sweep->problem, sweep->work->error.message, sizeof sweep->problem);
    show_finished_pass(sweep);
    free_work(sweep);
}

static void sweep_view_free(void *state)
{
    struct sweep_view *sweep = state;

    worker_close(&sweep->worker);
    free_work(sweep);
    grid_free(&sweep->grid);
}

static void sweep_view_start(void *state, struct host *host)
{
    struct sweep_view *sweep = state;
    struct knob_ref initial;

    sweep->host = host;
    sweep->design = &host->design;
    sweep->wanted.row = NULL;
    memset(sweep->path, 0, sizeof sweep->path);
    memset(sweep->spec, 0, sizeof sweep->spec);
    sweep->whole = sweep->choosing = sweep->cursor_moved = false;
    sweep->followed[0] = '\0';
    initial = host_search_from(host, 1);
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
    for (int r = inside->row; !map && r <= row; r++)
        if (canvas_at(canvas, r, column) == ' ')
            canvas_put(canvas, r, column, STYLE_FOCUS, mark_character(canvas, MARK_EDGE_LEFT));
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
    if (sweep->worker.running)
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

    if (sweep->grid.count == 0)
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
    char title[2 * RESULT_PATH_MAX + 2 * SWEEP_PATH];
    struct buffer text = buffer_over(title, sizeof title);
    struct chart shown;

    keep_knobs(sweep);
    start_sweep_work(sweep);
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
    double centre = grid_gain_is_automatic(&sweep->design->scenario, axis->ref) ? sweep->grid.gain
                                                                                : sweep->centre[a];

    if (axis->number == NULL || centre == RESULT_NONE || sweep->spec[a][0] != '\0' || sweep->whole)
        return;
    if (knob_max(knob) < 4 * centre)
        buffer_print(text, " \xC2\xB7 %s%sat most %s", label, gap,
                     quantity_text(knob_max(knob), knob->unit).text);
    if (knob_min(knob) > centre / 4 && (knob->type != KNOB_INTEGER || knob_min(knob) > 1))
        buffer_print(text, " \xC2\xB7 %s%sat least %s", label, gap,
                     quantity_text(knob_min(knob), knob->unit).text);
}

/* Shows the result of the design at the cursor. */
static void sweep_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    struct sweep_view *sweep = state;
    const struct grid *grid = &sweep->grid;
    char bytes[1024], limit[GRID_REGIME_TEXT];
    struct buffer text = buffer_over(bytes, sizeof bytes);
    char value[64];
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
        quantity_show(grid->value[number], grid->wanted.row->unit, value, sizeof value);
    if (grid->value[number] == RESULT_NONE && grid->invalid > 0)
        snprintf(value, sizeof value, "invalid design");
    buffer_print(&text, ": %s%s", value, grid->overloaded[number] ? ", overloaded" : "");
    for (int a = 0; a < grid->axis_count && clears[0] == '\0'; a++)
        print_limits(sweep, a, &text);
    if (grid->regime[number] >= 0) {
        snprintf(limit, sizeof limit, "%s", grid->name[grid->regime[number]]);
        if (text_width(bytes) + 14 + text_width(limit) > line.columns - 2)
            verdict_brief(grid->name[grid->regime[number]], limit);
        buffer_print(&text, " \xC2\xB7 limited by %s", limit);
    }
    if (clears[0] != '\0' && !is_on_present(sweep)) {
        buffer_print(&text, " \xC2\xB7 Enter sets it and clears %s", clears);
    } else {
        buffer_print(&text, " \xC2\xB7 %s", is_on_present(sweep) ? "in force" : "Enter sets it");
        text_clauses(bytes, line.columns - 2);
    }
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_NORMAL, bytes);
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Applies the values at the cursor, of one knob or two ("P=V" with unit), as one change. */
static void apply_cursor(struct sweep_view *sweep)
{
    char bytes[GRID_AXES_MAX * (SWEEP_PATH + AXIS_TEXT_MAX + 32)];
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

/* Selects the next result of the design or the loop that has a preferred direction. */
static void next_result(struct sweep_view *sweep, int by)
{
    long row;

    if (sweep->wanted.row == NULL)
        sweep->wanted = sweep->grid.wanted;
    if (sweep->wanted.row == NULL)
        return;
    row = sweep->wanted.row - result_rows;
    do
        row = (row + by + RESULT_ROW_COUNT) % RESULT_ROW_COUNT;
    while (result_rows[row].scope > RESULT_LOOP || result_rows[row].sense == SENSE_NEITHER);
    sweep->wanted = (struct result_ref){.row = &result_rows[row]};
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
        if (sweep->path[1][0] != '\0')
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
        sweep->whole = !sweep->whole;
        sweep->spec[0][0] = sweep->spec[1][0] = '\0';
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
    .busy = sweep_view_busy,
    .collect = sweep_view_collect,
    .chart = sweep_view_chart,
    .table = sweep_view_table,
    .cursor = sweep_view_cursor,
};
