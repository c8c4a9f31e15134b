#include "session/sweep_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/assign.h"
#include "explore/advise.h"
#include "explore/sensitivity.h"
#include "model/knob_effect.h"

/* Points along each axis, coarse first; a typed axis states its own number. */
static const int points_of_one[SWEEP_PASSES] = {17, 65, 257, 257};
static const int points_of_two[GRID_AXES_MAX][SWEEP_PASSES] = {{13, 33, 97, 97}, {9, 25, 65, 65}};

static int points_of(const struct sweep_answer *work, int pass, int a)
{
    return work->axis_count == 1 ? points_of_one[pass] : points_of_two[a][pass];
}

static void release_sweep(void *job)
{
    struct sweep_answer *work = job;

    for (int p = 0; p < SWEEP_PASSES; p++)
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

static bool is_held(const struct sweep_answer *work, struct knob_ref ref)
{
    const struct axis *held = &work->axis[0][1];

    return work->axis_count > 1 && held->ref.knob == ref.knob && held->ref.index == ref.index;
}

/* Makes the x axes of the property of hardware that the latency depends on most, besides a held
 * one. */
static enum status choose_knob(struct sweep_answer *work, const struct progress *progress)
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
    for (int p = 0; p < SWEEP_PASSES && status == STATUS_OK; p++)
        status = make_number_axis(&work->axis[p][0], &work->scenario, work->values, first[at].ref,
                                  work->whole ? 0 : first[at].value, first[at].value,
                                  points_of(work, p, 0), &work->error);
    return status;
}

/* Makes the axes of an automatic gain. */
static enum status make_gain_axes(struct sweep_answer *work, const struct progress *progress)
{
    double gain;
    enum status status = grid_find_gain(&work->scenario, progress, &gain, &work->error);
    int a = 0;

    while (work->axis[0][a].ref.knob != &knobs[KNOB_AO_GAIN])
        a++;
    for (int p = 0; p < SWEEP_PASSES && status == STATUS_OK && gain != RESULT_NONE; p++) {
        struct axis *axis = &work->axis[p][a];
        const struct knob_ref ref = axis->ref;

        axis_free(axis);
        status = make_number_axis(axis, &work->scenario, work->values, ref, work->whole ? 0 : gain,
                                  gain, points_of(work, p, a), &work->error);
    }
    return status;
}

static bool has_ranges(int pass)
{
    return pass == SWEEP_PASSES - 1;
}

/* Returns true if a pass has as many values as the one before, the same ones, and no ranges. */
static bool adds_nothing(const struct sweep_answer *work, int pass, const int count[GRID_AXES_MAX])
{
    struct result_ref list[GRID_WANTED_MAX];

    if (has_ranges(pass))
        return grid_wanted(&work->wanted, work->axis[pass], work->axis_count, list) == 1;
    for (int a = 0; a < work->axis_count; a++)
        if (work->axis[pass][a].count != count[a])
            return false;
    return true;
}

/* Drops from the design what does not hold along the axes, unless one of them varies it. */
static void drop_stale(struct sweep_answer *work)
{
    struct knob_ref varied[GRID_AXES_MAX];

    for (int a = 0; a < work->axis_count; a++)
        varied[a] = work->axis[0][a].ref;
    scenario_drop_stale(&work->scenario, varied, work->axis_count, NULL);
}

/* Computes a pass, whose axes the grid then owns. */
static enum status run_pass(struct sweep_answer *work, int pass, const struct progress *progress,
                            struct grid *grid)
{
    enum status status = grid_run(grid, &work->scenario, work->axis[pass], work->axis_count,
                                  &work->wanted, has_ranges(pass), progress, &work->error);

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
static enum status try_total(struct sweep_answer *work, const struct progress *progress,
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

static void find_sweep(struct worker *worker, void *job)
{
    struct sweep_answer *work = job;
    const struct progress progress = {worker_report, worker};
    int count[GRID_AXES_MAX] = {0};

    if (work->chooses && choose_knob(work, &progress) != STATUS_OK)
        return;
    if (work->gain && make_gain_axes(work, &progress) != STATUS_OK)
        return;
    drop_stale(work);
    for (int p = 0; p < SWEEP_PASSES; p++) {
        struct grid grid;
        enum status status;

        if (adds_nothing(work, p, count))
            continue;
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

const struct answer_kind sweep_kind = {"the sweep", find_sweep, release_sweep};

/* Makes axis `a` of pass `p`; a typed one does not vary. */
static enum status make_axis(struct sweep_question *asked, const struct result *result,
                             struct sweep_answer *work, int p, int a, struct error *error)
{
    const struct scenario *scenario = &work->scenario;
    struct axis *axis = &work->axis[p][a];
    enum status status;
    struct knob_ref ref;
    double present;

    if (knob_find(scenario, asked->path[a], &ref, error) != STATUS_OK)
        return STATUS_INVALID;
    present = knob_is_number(ref.knob) ? knob_number_in_force(scenario, result, ref) : 0;
    if (asked->spec[a][0] != '\0') {
        status =
            axis_parse(axis, scenario, part_values_catalogue(work->values), asked->spec[a], error);
        if (status == STATUS_OK)
            axis_include(axis, present);
        return status;
    }
    work->gain = work->gain || grid_gain_is_automatic(scenario, ref);
    if (present < asked->centre[a] / 4 || present > asked->centre[a] * 4)
        asked->centre[a] = present;
    return make_number_axis(axis, scenario, work->values, ref, asked->whole ? 0 : asked->centre[a],
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

static enum status make_axes(struct sweep_question *asked, const struct result *result,
                             struct sweep_answer *work, struct error *error)
{
    enum status status = STATUS_OK;

    work->axis_count = asked->path[1][0] == '\0' ? 1 : 2;
    work->chooses = asked->choosing;
    work->whole = asked->whole;
    work->automatic = asked->wanted.row == NULL;
    work->wanted =
        work->automatic ? (struct result_ref){.row = &result_rows[RESULT_LATENCY]} : asked->wanted;
    for (int p = 0; p < SWEEP_PASSES && status == STATUS_OK; p++) {
        for (int a = work->chooses ? 1 : 0; a < work->axis_count && status == STATUS_OK; a++)
            status = make_axis(asked, result, work, p, a, error);
        if (status == STATUS_OK && work->axis_count > 1 && !work->chooses)
            numbers_first(work->axis[p]);
    }
    return status;
}

enum status sweep_ask(struct answer *answer, unsigned long version, const struct scenario *scenario,
                      const struct result *result, const struct part_values *values,
                      struct sweep_question *question, struct error *error)
{
    struct sweep_answer *job;
    enum status status;

    if (!answer_due(answer, (struct question){version, 0}))
        return STATUS_OK;
    job = allocate_array(1, sizeof *job);
    job->values = values;
    scenario_copy(&job->scenario, scenario);
    status = make_axes(question, result, job, error);
    if (status == STATUS_OK)
        answer_begin(answer, job);
    else
        release_sweep(job);
    answer->tried = true;
    return status;
}
