#include "explore/grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/knob_text.h"
#include "model/derived.h"
#include "model/range.h"
#include "model/result.h"

bool grid_is_logarithmic(const struct axis *axis)
{
    const double *number = axis->number;
    int last = axis->count - 1;
    double sum, factor;

    if (number == NULL || last < 2 || !(number[0] > 0))
        return false;
    sum = fabs(number[last / 2] - (number[0] + number[last]) / 2) / (number[last] - number[0]);
    factor = fabs(log(number[last / 2] / sqrt(number[0] * number[last]))) /
             log(number[last] / number[0]);
    return factor < sum;
}

int grid_nearest(const struct axis *axis, double value)
{
    bool logarithmic = grid_is_logarithmic(axis) && value > 0;
    double least = INFINITY;
    int found = -1;

    if (axis->number == NULL)
        return value >= 0 && value < axis->count ? (int)value : -1;
    for (int i = 0; i < axis->count; i++) {
        double away =
            logarithmic ? fabs(log(axis->number[i] / value)) : fabs(axis->number[i] - value);

        if (away < least) {
            least = away;
            found = i;
        }
    }
    return found;
}

static bool keep_row(void *context, const struct sweep_row *row)
{
    struct grid *grid = context;
    char name[GRID_REGIME_TEXT];
    int regime = 0;
    bool missing = row->error.message[0] != '\0';

    grid->value[row->number] = RESULT_NONE;
    grid->regime[row->number] = -1;
    grid->overloaded[row->number] = row->overloaded;
    if (grid->low != NULL)
        grid->low[row->number] = grid->high[row->number] = RESULT_NONE;
    if (row->error.status == STATUS_OK) {
        grid->value[row->number] = row->value[0];
        if (grid->low != NULL) {
            grid->low[row->number] = row->value[1];
            grid->high[row->number] = row->value[2];
        }
        if (row->error.message[0] != '\0' && row->value[0] != RESULT_NONE)
            missing = false; /* an end of its range alone has no value */
    }
    if (missing && grid->reason[0] == '\0')
        snprintf(grid->reason, sizeof grid->reason, "%s", row->error.message);
    if (row->error.status != STATUS_OK) {
        grid->invalid++;
        return true;
    }
    grid->missing += missing;
    if (row->bound[0] == '\0' || row->limit[0] == '\0')
        return true;
    snprintf(name, sizeof name, "%s", row->limit);
    while (regime < grid->regimes && strcmp(grid->name[regime], name) != 0)
        regime++;
    if (regime == grid->regimes && regime < GRID_REGIMES_MAX)
        memcpy(grid->name[grid->regimes++], name, sizeof name);
    grid->regime[row->number] = (short)(regime < GRID_REGIMES_MAX ? regime : GRID_REGIMES_MAX - 1);
    return true;
}

/* Notes an unstable loop; the budget of results that evaluate finds is not known. */
static void note_unstable(void *context, const struct sweep_row *row,
                          const struct scenario *scenario, const struct result *result)
{
    struct grid *grid = context;

    (void)scenario;
    grid->unstable_above[row->number] = result->loop.unstable_above;
}

/* Returns the design's target for a result; RESULT_NONE if there is none. */
static double target_of(const struct scenario *scenario, const struct result_row *row)
{
    switch (result_id(row)) {
    case RESULT_LATENCY:
        return scenario->general.target_latency;
    case RESULT_MAX_FRAME_RATE:
        return scenario->general.frame_rate;
    case RESULT_MARGIN:
        return 0;
    case RESULT_LOAD:
        return 1;
    default:
        return RESULT_NONE;
    }
}

static enum status find_cliff(struct grid *grid, const struct scenario *scenario,
                              const struct progress *progress, struct error *error)
{
    struct trial *trial = trial_new(scenario, progress);
    const struct axis *axis = &grid->axis[0];

    grid->has_cliff =
        cliff_along(trial, axis->ref, axis->number, axis->count,
                    range_has(grid->wanted.row) ? grid->wanted.row : &result_rows[RESULT_LATENCY],
                    &grid->cliff);
    trial_free(trial);
    return progress_check(progress, 1, error);
}

bool grid_gain_is_automatic(const struct scenario *scenario, struct knob_ref ref)
{
    return ref.knob == &knobs[KNOB_AO_GAIN] && scenario->ao.gain == 0;
}

/* Finds derived results of a scenario. An invalid one has none. */
static enum status find_present(const struct scenario *scenario, unsigned derived,
                                const struct result_ref *wanted, const struct progress *progress,
                                double *value, double *gain, struct error *error)
{
    struct result result;

    *value = *gain = RESULT_NONE;
    result_init(&result);
    result_watch(&result, progress);
    if (derived_find(scenario, &result, derived, NULL, NULL) == STATUS_OK) {
        *value = wanted == NULL ? RESULT_NONE : result_read(scenario, &result, wanted);
        *gain = result.loop.gain;
    }
    result_free(&result);
    return progress_check(progress, 1, error);
}

enum status grid_find_gain(const struct scenario *scenario, const struct progress *progress,
                           double *gain, struct error *error)
{
    double none;

    return find_present(scenario, DERIVED_BUDGET, NULL, progress, &none, gain, error);
}

/* Finds what evaluate does not of the scenario. */
static enum status set_present(struct grid *grid, const struct scenario *scenario,
                               const struct progress *progress, struct error *error)
{
    unsigned derived = grid->wanted.row->derived;
    enum status status;
    bool automatic = false;

    grid->present = grid->gain = RESULT_NONE;
    for (int a = 0; a < grid->axis_count; a++)
        automatic = automatic || grid_gain_is_automatic(scenario, grid->axis[a].ref);
    if (derived == DERIVED_NONE && !automatic)
        return STATUS_OK;
    status = find_present(scenario, derived | (automatic ? DERIVED_BUDGET : DERIVED_NONE),
                          &grid->wanted, progress, &grid->present, &grid->gain, error);
    if (!automatic)
        grid->gain = RESULT_NONE;
    return status;
}

int grid_wanted(const struct result_ref *wanted, const struct axis *axis, int axis_count,
                struct result_ref list[GRID_WANTED_MAX])
{
    const struct range_rows *rows = range_rows_of(wanted->row);

    list[0] = *wanted;
    if (rows == NULL || wanted->row != &result_rows[rows->result] || axis_count > 1 ||
        axis->number == NULL || axis->count > GRID_RANGES_MAX)
        return 1;
    list[1] = (struct result_ref){.row = &result_rows[rows->low]};
    list[2] = (struct result_ref){.row = &result_rows[rows->high]};
    return GRID_WANTED_MAX;
}

enum status grid_run(struct grid *grid, const struct scenario *scenario,
                     struct axis axis[GRID_AXES_MAX], int axis_count,
                     const struct result_ref *wanted, bool ranges, const struct progress *progress,
                     struct error *error)
{
    struct axis outer_first[GRID_AXES_MAX]; /* the last axis of a sweep changes fastest */
    struct result_ref list[GRID_WANTED_MAX];
    struct sweep sweep = {.base = scenario,
                          .axis = outer_first,
                          .axis_count = axis_count,
                          .wanted = list,
                          .wanted_count = ranges ? grid_wanted(wanted, axis, axis_count, list) : 1,
                          .jobs = 0};
    struct sweep_rows rows = {.inspect = note_unstable, .receive = keep_row, .context = grid};
    int sense = wanted->row->sense;
    double count = 1;
    enum status status;

    list[0] = *wanted;
    *grid = (struct grid){.axis_count = axis_count, .wanted = *wanted, .best = -1};
    for (int a = 0; a < axis_count; a++) {
        grid->axis[a] = axis[a];
        knob_path(scenario, axis[a].ref, grid->path[a], sizeof grid->path[a]);
        knob_words(scenario, axis[a].ref, grid->words[a], sizeof grid->words[a]);
        outer_first[axis_count - 1 - a] = axis[a];
        count *= axis[a].count;
    }
    if (count > GRID_DESIGNS_MAX)
        return error_set(error, STATUS_INVALID,
                         "%.0f designs are too many for a picture; at most %d", count,
                         GRID_DESIGNS_MAX);
    grid->count = (int)count;
    grid->target = target_of(scenario, wanted->row);
    grid->value = allocate((size_t)grid->count * sizeof *grid->value);
    if (sweep.wanted_count > 1) {
        grid->low = allocate((size_t)grid->count * sizeof *grid->low);
        grid->high = allocate((size_t)grid->count * sizeof *grid->high);
    }
    grid->regime = allocate((size_t)grid->count * sizeof *grid->regime);
    grid->overloaded = allocate((size_t)grid->count * sizeof *grid->overloaded);
    grid->unstable_above = allocate((size_t)grid->count * sizeof *grid->unstable_above);
    for (int i = 0; i < grid->count; i++)
        grid->unstable_above[i] = RESULT_NONE;
    status = sweep_designs(&sweep, 0, (uint64_t)grid->count, &rows, progress, error);
    for (int i = 0; i < grid->count && sense != 0 && status == STATUS_OK; i++)
        if (grid->value[i] != RESULT_NONE &&
            (grid->best < 0 || sense * grid->value[i] > sense * grid->value[grid->best]))
            grid->best = i;
    if (status == STATUS_OK && axis_count == 1 && axis[0].number != NULL)
        status = find_cliff(grid, scenario, progress, error);
    if (status == STATUS_OK)
        status = set_present(grid, scenario, progress, error);
    return status;
}

void grid_free(struct grid *grid)
{
    for (int a = 0; a < grid->axis_count; a++)
        axis_free(&grid->axis[a]);
    free(grid->value);
    free(grid->low);
    free(grid->high);
    free(grid->regime);
    free(grid->overloaded);
    free(grid->unstable_above);
    *grid = (struct grid){.best = -1};
}

bool grid_is_flat(const struct grid *grid)
{
    for (int i = 0; i < grid->count; i++)
        if (grid->value[i] == RESULT_NONE || !sweep_same(grid->value[i], grid->value[0]))
            return false;
    return grid->count > 1;
}
