/* What is swept and its computing. Along goes the knob that Explore's cursor is on, so that looking
 * for a knob is the same everywhere; up one that was held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "tui/host.h"
#include "tui/line_edit.h"
#include "tui/tree.h"
#include "tui/view_sweep.h"

/* Knobs and values ----------------------------------------------------------------------------- */

/* It has values that can be swept. */
static bool can_be_swept(const struct knob *knob)
{
    return knob->type != KNOB_TEXT && knob->type != KNOB_TRACE && knob->type != KNOB_COMPONENTS;
}

bool sweep_ref(const struct sweep_view *sweep, int axis, struct knob_ref *ref)
{
    return sweep->path[axis][0] != '\0' &&
           knob_find(&sweep->host->design.scenario, sweep->path[axis], ref, NULL) == STATUS_OK;
}

static void set_axis(struct sweep_view *sweep, int axis, struct knob_ref ref)
{
    char path[SWEEP_PATH];

    knob_path(&sweep->host->design.scenario, ref, path, sizeof path);
    if (strcmp(path, sweep->path[axis]) == 0)
        return;
    memcpy(sweep->path[axis], path, sizeof path);
    sweep->spec[axis][0] = '\0';
    sweep->placed = false;
    sweep->bars.first = 0;
    sweep_again(sweep);
}

/* The next knob that can be swept, in the order of Explore's tree. */
static bool find_next_knob(const struct sweep_view *sweep, struct knob_ref *ref, int by)
{
    for (int i = 0; i < 4096; i++) {
        tree_next_knob(&sweep->host->design.scenario, ref, by);
        if (can_be_swept(ref->knob) && !knob_idle(&sweep->host->design.scenario, *ref))
            return true;
    }
    return false;
}

/* Without its second knob where that has gone or is the first. */
static void drop_second(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep->path[1][0] == '\0' ||
        (sweep_ref(sweep, 1, &held) && strcmp(sweep->path[0], sweep->path[1]) != 0))
        return;
    sweep->path[1][0] = '\0';
    sweep_again(sweep);
}

void sweep_follow(void *state)
{
    struct sweep_view *sweep = state;
    struct knob_ref ref = host_search_from(sweep->host, 1);
    struct knob_ref held;
    char path[SWEEP_PATH];

    knob_path(&sweep->host->design.scenario, ref, path, sizeof path);
    if (strcmp(path, sweep->followed) != 0 || !sweep_ref(sweep, 0, &held)) {
        memcpy(sweep->followed, path, sizeof path);
        if (can_be_swept(ref.knob) || find_next_knob(sweep, &ref, 1))
            set_axis(sweep, 0, ref);
    }
    drop_second(sweep);
}

void sweep_keep(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep_ref(sweep, 0, &held))
        drop_second(sweep);
    else
        sweep_follow(sweep);
}

/* Puts Explore's cursor on a knob, and the sweep along it. */
static void follow_knob(struct sweep_view *sweep, struct knob_ref ref)
{
    host_show_knob(sweep->host, ref.section, ref.index, ref.knob, false);
    knob_path(&sweep->host->design.scenario, ref, sweep->followed, sizeof sweep->followed);
    set_axis(sweep, 0, ref);
}

void sweep_other_knob(struct sweep_view *sweep, int by)
{
    struct knob_ref ref;

    if (sweep_ref(sweep, 0, &ref) && find_next_knob(sweep, &ref, by))
        follow_knob(sweep, ref);
}

/* Holds the knob for the axis that goes up; along goes the number of packets, else the next. */
void sweep_variant(struct sweep_view *sweep)
{
    struct knob_ref held, ref;

    if (sweep->path[1][0] != '\0') {
        sweep->path[1][0] = '\0';
    } else if (sweep_ref(sweep, 0, &held)) {
        set_axis(sweep, 1, held);
        memcpy(sweep->spec[1], sweep->spec[0], sizeof sweep->spec[1]);
        ref = knob_ref_to(KNOB_SCENARIO_PACKETS, 0);
        if (knob_id(held.knob) == KNOB_SCENARIO_PACKETS)
            find_next_knob(sweep, &ref, 1);
        follow_knob(sweep, ref);
    }
    sweep->placed = false;
    sweep_again(sweep);
}

static bool parse_axis(struct sweep_view *sweep, const char *word, struct axis *read)
{
    struct error error = {STATUS_OK, ""};

    if (axis_parse(read, &sweep->host->design.scenario, sweep->host->design.catalogue, word,
                   &error) == STATUS_OK)
        return true;
    host_fail(sweep->host, &error);
    return false;
}

static bool accept_axes(void *context, const char *text)
{
    struct sweep_view *sweep = context;
    char copy[2 * SWEEP_SPEC];
    char *rest = copy;
    char *word[GRID_AXES_MAX] = {NULL, NULL};
    struct axis axis[GRID_AXES_MAX] = {{.count = 0}, {.count = 0}};
    bool good = true;
    int count = 0;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *at; (at = strtok_r(rest, " ", &rest)) != NULL; count++)
        if (count < GRID_AXES_MAX)
            word[count] = at;
    if (count == 0 || count > GRID_AXES_MAX) {
        host_say(sweep->host, STYLE_ERROR, "one knob or two, as in device.rtc.cores=1:128:32:log");
        return false;
    }
    for (int a = 0; a < count && good; a++)
        good = parse_axis(sweep, word[a], &axis[a]);
    if (good && count == 2 && axis[0].ref.knob == axis[1].ref.knob &&
        axis[0].ref.index == axis[1].ref.index) {
        host_say(sweep->host, STYLE_ERROR, "both are the same knob");
        good = false;
    }
    if (good) {
        sweep->path[1][0] = '\0';
        follow_knob(sweep, axis[0].ref);
        if (count > 1)
            set_axis(sweep, 1, axis[1].ref);
        for (int a = 0; a < count; a++)
            snprintf(sweep->spec[a], SWEEP_SPEC, "%s", word[a]);
        sweep->placed = false;
        sweep_again(sweep);
    }
    for (int a = 0; a < count && a < GRID_AXES_MAX; a++)
        axis_free(&axis[a]);
    return good;
}

#define TYPED_POINTS 33 /* proposed */

/* What is shown, as it would be typed; the same however fine it is by now. */
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

void sweep_ask_range(struct sweep_view *sweep, const char *argument)
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

/* Points along each axis, coarse first; a typed axis has its own. */
enum { PASSES = 3 };
static const int points_of_one[PASSES] = {17, 65, 257};
static const int points_of_two[GRID_AXES_MAX][PASSES] = {{13, 33, 97}, {9, 25, 65}};

/* What a worker computes. Its axes are made before it starts: the catalogue is the screen's. */
struct sweep_work {
    struct scenario scenario;
    struct result_ref wanted;
    int axis_count;
    int passes;
    struct axis axis[PASSES][GRID_AXES_MAX];
    struct grid ready; /* shared: the last pass that is whole and was not taken; count 0: none */
    struct error error;
};

static void work_free(struct sweep_work *work)
{
    for (int p = 0; p < PASSES; p++)
        for (int a = 0; a < GRID_AXES_MAX; a++)
            axis_free(&work->axis[p][a]);
    grid_free(&work->ready);
    free(work);
}

static void run_passes(struct worker *worker, void *context)
{
    struct sweep_work *work = context;
    const struct progress progress = {worker_tell, worker};

    for (int p = 0; p < work->passes; p++) {
        struct grid grid;
        enum status status = grid_run(&grid, &work->scenario, work->axis[p], work->axis_count,
                                      &work->wanted, &progress, &work->error);

        memset(work->axis[p], 0, sizeof work->axis[p]); /* the grid took them over */
        if (status != STATUS_OK) {
            grid_free(&grid);
            return;
        }
        pthread_mutex_lock(&worker->shared);
        grid_free(&work->ready);
        work->ready = grid;
        pthread_mutex_unlock(&worker->shared);
        worker_ring(worker);
    }
}

/* Axis `a` of pass `p`; what was typed counts in every pass, of which there is then one. */
static enum status make_axis(struct sweep_view *sweep, struct sweep_work *work, int p, int a,
                             struct error *error)
{
    int points = work->axis_count == 1 ? points_of_one[p] : points_of_two[a][p];
    struct knob_ref ref;

    if (sweep->spec[a][0] != '\0')
        return axis_parse(&work->axis[p][a], &sweep->host->design.scenario,
                          sweep->host->design.catalogue, sweep->spec[a], error);
    if (knob_find(&sweep->host->design.scenario, sweep->path[a], &ref, error) != STATUS_OK)
        return STATUS_INVALID;
    return axis_default(&work->axis[p][a], &sweep->host->design.scenario,
                        sweep->host->design.catalogue, ref, points, error);
}

/* Numbers go along: pictures have words up only. */
static void numbers_first(struct axis axis[GRID_AXES_MAX])
{
    struct axis first = axis[0];

    if (axis[0].number != NULL || axis[1].number == NULL)
        return;
    axis[0] = axis[1];
    axis[1] = first;
}

static enum status make_work(struct sweep_view *sweep, struct sweep_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    bool typed;

    scenario_copy(&work->scenario, &sweep->host->design.scenario);
    work->axis_count = sweep->path[1][0] == '\0' ? 1 : 2;
    typed = sweep->spec[0][0] != '\0' && (work->axis_count == 1 || sweep->spec[1][0] != '\0');
    if (sweep->wanted.row == NULL)
        status = result_find(&sweep->host->design.scenario, &sweep->host->design.result, "latency",
                             &sweep->wanted, error);
    work->wanted = sweep->wanted;
    work->passes = typed ? 1 : PASSES;
    for (int p = 0; p < work->passes && status == STATUS_OK; p++) {
        for (int a = 0; a < work->axis_count && status == STATUS_OK; a++)
            status = make_axis(sweep, work, p, a, error);
        if (status == STATUS_OK && work->axis_count > 1)
            numbers_first(work->axis[p]);
    }
    return status;
}

void sweep_begin(struct sweep_view *sweep)
{
    struct error error = {STATUS_OK, ""};
    enum status status;

    if (!sweep->wants || sweep->worker.running || !sweep->host->design.evaluated)
        return;
    sweep->wants = false;
    sweep->problem[0] = '\0';
    sweep->work = calloc(1, sizeof *sweep->work);
    if (sweep->work == NULL) {
        error_set(&error, STATUS_MEMORY, "out of memory");
        status = error.status;
    } else {
        status = make_work(sweep, sweep->work, &error);
    }
    if (status == STATUS_OK)
        status = worker_start(&sweep->worker, &sweep->host->bell, run_passes, sweep->work, &error);
    if (status == STATUS_OK)
        return;
    memcpy(sweep->problem, error.message, sizeof sweep->problem);
    if (sweep->work != NULL)
        work_free(sweep->work);
    sweep->work = NULL;
    grid_free(&sweep->grid);
}

void sweep_again(void *state)
{
    struct sweep_view *sweep = state;

    sweep->wants = true;
    if (sweep->worker.running)
        worker_halt(&sweep->worker);
}

bool sweep_busy(const void *state)
{
    const struct sweep_view *sweep = state;

    return sweep->worker.running;
}

/* Shows a pass that is whole, unless it was computed of what is no longer asked for. */
static void take_pass(struct sweep_view *sweep)
{
    if (sweep->work->ready.count == 0 || sweep->wants)
        return;
    grid_free(&sweep->grid);
    sweep->grid = sweep->work->ready;
    sweep->work->ready = (struct grid){.count = 0};
}

void sweep_take(void *state)
{
    struct sweep_view *sweep = state;

    if (!sweep->worker.running)
        return;
    pthread_mutex_lock(&sweep->worker.shared);
    take_pass(sweep);
    pthread_mutex_unlock(&sweep->worker.shared);
    if (!worker_take(&sweep->worker))
        return;
    if (sweep->work->error.status != STATUS_OK && sweep->work->error.status != STATUS_STOPPED)
        memcpy(sweep->problem, sweep->work->error.message, sizeof sweep->problem);
    take_pass(sweep);
    work_free(sweep->work);
    sweep->work = NULL;
}

void sweep_close(void *state)
{
    struct sweep_view *sweep = state;

    worker_close(&sweep->worker);
    if (sweep->work != NULL)
        work_free(sweep->work);
    sweep->work = NULL;
    grid_free(&sweep->grid);
}
