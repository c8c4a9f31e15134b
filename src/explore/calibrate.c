#include "explore/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "model/calibration.h"
#include "model/evaluate.h"

enum {
    ROUNDS_MAX = 24,
    HALVINGS = 6, /* of a round that leads no nearer, */
    WEIGHT_MAX = 4096,
    WEIGHTS = 4 /* and how much more the latency may count in it, in powers */
};
#define SETTLED 1e-5 /* of a logarithm: no further round */
#define ALIKE 0.01   /* of a standard deviation of the latency: as near */

#define LEAST_STEP 0.01  /* of a logarithm, for slopes */
#define LEAST_SIGMA 1e-3 /* of a factor in a file */
#define CHANGED 1e-3     /* of a logarithm, or of a standard deviation */

/* Estimation ----------------------------------------------------------------------------------- */

static double dot(int count, const double *a, const double *b)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Returns the variance along a slope, and P h in `along`. */
static double variance_along(int count, const double *covariance, const double *slope,
                             double *along)
{
    for (int i = 0; i < count; i++)
        along[i] = dot(count, &covariance[i * count], slope);
    return dot(count, along, slope);
}

void calibrate_step(int count, double *mean, double *covariance, const double *slope,
                    double residual, double variance)
{
    double along[RANGE_GROUPS_MAX];
    const double sum = variance_along(count, covariance, slope, along) + variance;

    for (int i = 0; i < count; i++)
        mean[i] += along[i] * residual / sum;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            covariance[i * count + j] -= along[i] * along[j] / sum;
}

/* The model ------------------------------------------------------------------------------------ */

/* A design without its calibration, whose factors are those of `calibrate`. */
struct fitting {
    struct scenario scenario;
    struct result *result;
    struct calibrate *calibrate;
    const struct progress *progress;
    int outputs; /* results */
    const struct result_ref **output;
    double *log;        /* [count], at which `value` and `slope` are */
    double *value;      /* [outputs], logarithms */
    double *slope;      /* [outputs * count] */
    double *covariance; /* [count * count], before */
    double *tried;      /* [outputs], of factors that are tried */
    double *given;      /* [count * count], of misfit */
};

/* Evaluates the design with factors, and gets the logarithms of the outputs, NAN for one without.
 */
static enum status evaluate_at(struct fitting *fitting, const double *logs, double *values,
                               struct error *error)
{
    const struct calibrate *calibrate = fitting->calibrate;
    struct cause_factors factors;
    enum status status;

    cause_factors_reset(&factors);
    for (int i = 0; i < calibrate->count; i++)
        calibration_multiply(&fitting->scenario, calibrate->factor[i].cause,
                             calibrate->factor[i].device, exp(logs[i]), &factors);
    status = evaluate_with(&fitting->scenario, &factors, fitting->result, error);
    for (int k = 0; k < fitting->outputs && status == STATUS_OK; k++) {
        const double value = result_read(&fitting->scenario, fitting->result, fitting->output[k]);

        values[k] = value != RESULT_NONE && value > 0 ? log(value) : (double)NAN;
    }
    return status;
}

/* Evaluates the design at `logs`, and finds the slopes there: secants over one standard deviation
 * either way, since the maximum of two times is not smooth. */
static enum status linearise(struct fitting *fitting, const double *logs, const double *sigma,
                             struct error *error)
{
    const int count = fitting->calibrate->count, outputs = fitting->outputs;
    double *near = allocate_array((size_t)outputs * 2 + 1, sizeof *near);
    double *at = fitting->log;
    enum status status = evaluate_at(fitting, logs, fitting->value, error);

    memcpy(at, logs, (size_t)count * sizeof *at);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const double step = larger(sigma[i], LEAST_STEP);

        for (int side = 0; side < 2 && status == STATUS_OK; side++) {
            at[i] = logs[i] + (side == 0 ? -step : step);
            status = evaluate_at(fitting, at, &near[side * outputs], error);
        }
        at[i] = logs[i];
        for (int k = 0; k < outputs; k++) {
            const double slope = (near[outputs + k] - near[k]) / (2 * step);

            fitting->slope[k * count + i] = isfinite(slope) ? slope : 0;
        }
        if (status == STATUS_OK)
            status = progress_check(fitting->progress, PROGRESS_SAME, error);
    }
    free(near);
    return status;
}

/* Adds the groups of the design, with what is known of their factors before. */
static void add_groups(struct fitting *fitting)
{
    const struct scenario *scenario = &fitting->scenario;
    struct calibrate *calibrate = fitting->calibrate;
    double correlation[CALIBRATION_FACTORS_MAX][CALIBRATION_FACTORS_MAX];
    int number[RANGE_GROUPS_MAX];
    struct range_group group;
    int count = 0;

    calibrate->factor = allocate_array(RANGE_GROUPS_MAX, sizeof *calibrate->factor);
    for (int next = 0; range_next_group(scenario, fitting->result, &next, &group); count++) {
        struct calibrate_factor *factor = &calibrate->factor[count];
        struct calibration_factor stated;

        number[count] = calibration_of_group(scenario, group.cause, group.device, &stated);
        *factor = (struct calibrate_factor){.cause = group.cause, .device = group.device};
        factor->own = log(range_group_factor(&scenario->device[group.device], group.cause, NULL));
        factor->before = number[count] >= 0 ? log(stated.sigma) : factor->own;
        factor->prior = factor->log = number[count] >= 0 ? log(stated.factor) : 0;
    }
    calibrate->count = count;
    calibrate->covariance =
        allocate_array((size_t)count * (size_t)count + 1, sizeof *calibrate->covariance);
    calibration_read_correlations(scenario->calibration.correlations, CALIBRATION_FACTORS_MAX,
                                  correlation);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            calibrate->covariance[i * count + j] =
                calibrate->factor[i].before * calibrate->factor[j].before *
                (i == j                             ? 1
                 : number[i] >= 0 && number[j] >= 0 ? correlation[number[i]][number[j]]
                                                    : 0);
}

/* Begins with an evaluated design, whose calibration becomes what is known before. */
static struct fitting *fitting_new(const struct scenario *scenario, struct result *result,
                                   const struct progress *progress, struct calibrate *calibrate,
                                   int outputs)
{
    struct fitting *fitting = allocate_array(1, sizeof *fitting);
    size_t count;

    scenario_copy(&fitting->scenario, scenario);
    fitting->result = result;
    fitting->progress = progress;
    fitting->calibrate = calibrate;
    add_groups(fitting);
    calibration_remove(&fitting->scenario);
    count = (size_t)calibrate->count;
    fitting->outputs = outputs;
    fitting->output = allocate_array((size_t)outputs + 1, sizeof *fitting->output);
    fitting->log = allocate_array(count + 1, sizeof *fitting->log);
    fitting->value = allocate_array((size_t)outputs + 1, sizeof *fitting->value);
    fitting->slope = allocate_array((size_t)outputs * count + 1, sizeof *fitting->slope);
    fitting->covariance = allocate_array(count * count + 1, sizeof *fitting->covariance);
    memcpy(fitting->covariance, calibrate->covariance, count * count * sizeof *fitting->covariance);
    fitting->tried = allocate_array((size_t)outputs + 1, sizeof *fitting->tried);
    fitting->given = allocate_array(count * count + 1, sizeof *fitting->given);
    return fitting;
}

static void fitting_free(struct fitting *fitting)
{
    free(fitting->output);
    free(fitting->log);
    free(fitting->value);
    free(fitting->slope);
    free(fitting->covariance);
    free(fitting->tried);
    free(fitting->given);
    free(fitting);
}

/* Measurements --------------------------------------------------------------------------------- */

/* Adds measurements, those of one result together: their geometric mean, and their standard
 * deviation if they state none that is larger. */
static enum status add_measured(const struct scenario *scenario, const struct result *result,
                                const struct calibration_measured *measured, int count,
                                struct calibrate *calibrate, struct error *error)
{
    /* of the logarithms of each, and of their squares */
    double sums[CALIBRATION_MEASURED_MAX] = {0}, squares[CALIBRATION_MEASURED_MAX] = {0};

    for (int m = 0; m < count; m++) {
        struct calibrate_measured *one = calibrate->measured;
        struct calibrate_measured *const end = one + calibrate->measured_count;
        struct result_ref ref;

        if (result_find(scenario, result, measured[m].path, &ref, error) != STATUS_OK) {
            error_prefix(error, "%s", measured[m].path);
            return STATUS_INVALID;
        }
        if (strcmp(ref.row->unit, "us") != 0 || ref.row->derived != DERIVED_NONE)
            return error_set(error, STATUS_INVALID,
                             "%s: no time that evaluates; allowed are latency "
                             "and times of components, as "
                             "component.NAME.busy",
                             measured[m].path);
        while (one < end && !result_same(&one->ref, &ref))
            one++;
        if (one == end) {
            calibrate->measured_count++;
            *one = (struct calibrate_measured){.ref = ref, .measured.may_miss = true};
            result_path(&ref, one->measured.path, sizeof one->measured.path);
        }
        sums[one - calibrate->measured] += log(measured[m].value);
        squares[one - calibrate->measured] += pow(log(measured[m].value), 2);
        one->measured.spread = larger(one->measured.spread, measured[m].spread);
        one->measured.may_miss = one->measured.may_miss && measured[m].may_miss;
        one->repeated++;
    }
    for (int m = 0; m < calibrate->measured_count; m++) {
        struct calibrate_measured *one = &calibrate->measured[m];
        const double mean = sums[m] / one->repeated;
        const double square = larger(0, squares[m] / one->repeated - mean * mean);
        const double spread =
            one->repeated > 1 ? larger(expm1(sqrt(square * one->repeated / (one->repeated - 1))),
                                       CALIBRATE_LEAST_SPREAD)
            : one->measured.spread > 0 ? one->measured.spread
                                       : CALIBRATE_SPREAD;

        one->measured.value = exp(mean);
        one->measured.spread =
            smaller(larger(one->measured.spread, spread), CALIBRATION_SPREAD_MOST);
    }
    return STATUS_OK;
}

static double variance_of(const struct calibrate_measured *one)
{
    return pow(log1p(one->measured.spread), 2);
}

static bool is_latency(const struct calibrate_measured *one)
{
    return one->ref.row == &result_rows[RESULT_LATENCY];
}

/* Sets how far a measurement is from what is computed before. Refuses one that has no value or
 * follows from no factor, or is too far. */
static enum status judge_before(const struct fitting *fitting, int m, struct error *error)
{
    struct calibrate_measured *one = &fitting->calibrate->measured[m];
    const int count = fitting->calibrate->count;
    const double *slope = &fitting->slope[m * count];
    double along[RANGE_GROUPS_MAX];
    const double variance = variance_along(count, fitting->covariance, slope, along);
    char computed[40], measured[40];

    if (!isfinite(fitting->value[m]) || variance <= 0)
        return error_set(error, STATUS_INVALID, "%s follows from no time that could be calibrated",
                         one->measured.path);
    one->before = exp(fitting->value[m]);
    one->held = false;
    one->surprise = log(one->measured.value / one->before) / sqrt(variance + variance_of(one));
    one->left_out =
        one->left_out || (one->measured.may_miss && fabs(one->surprise) > CALIBRATE_SIGMAS);
    if (one->left_out || fabs(one->surprise) <= CALIBRATE_SIGMAS)
        return STATUS_OK;
    quantity_print(one->measured.value, "us", measured, sizeof measured);
    quantity_print(one->before, "us", computed, sizeof computed);
    return error_set(error, STATUS_INVALID,
                     "%s: %s measured, %s computed: %.1f standard deviations apart; the model does "
                     "not explain more than %d",
                     one->measured.path, measured, computed, fabs(one->surprise), CALIBRATE_SIGMAS);
}

/* Leaves out the measurement that the factors explain least, of those that may be; returns false if
 * they explain all. */
static bool leave_one_out(struct calibrate *calibrate)
{
    struct calibrate_measured *worst = NULL;

    for (int m = 0; m < calibrate->measured_count; m++) {
        struct calibrate_measured *one = &calibrate->measured[m];

        if (one->measured.may_miss && !one->left_out && fabs(one->residual) > CALIBRATE_SIGMAS &&
            (worst == NULL || fabs(one->residual) > fabs(worst->residual)))
            worst = one;
    }
    if (worst != NULL)
        worst->left_out = true;
    return worst != NULL;
}

/* Refuses what the factors do not explain, and factors. Sets `again` if a measurement is left out
 * now, without which they have to be found again. */
static enum status judge_after(const struct fitting *fitting, bool *again, struct error *error)
{
    struct calibrate *calibrate = fitting->calibrate;

    for (int m = 0; m < calibrate->measured_count; m++) {
        struct calibrate_measured *one = &calibrate->measured[m];

        one->after = exp(fitting->value[m]);
        one->residual = log(one->measured.value / one->after) / sqrt(variance_of(one));
    }
    *again = leave_one_out(calibrate);
    for (int m = 0; m < calibrate->measured_count && !*again; m++) {
        const struct calibrate_measured *one = &calibrate->measured[m];
        char computed[40], measured[40];

        quantity_print(one->measured.value, "us", measured, sizeof measured);
        quantity_print(one->after, "us", computed, sizeof computed);
        if (!one->left_out && !(fabs(one->residual) <= CALIBRATE_SIGMAS))
            return error_set(error, STATUS_INVALID,
                             "%s: %s measured, %s computed with the best factors: %.1f times its "
                             "spread of %.3g %%; no factors explain all measurements",
                             one->measured.path, measured, computed, fabs(one->residual),
                             100 * one->measured.spread);
    }
    for (int i = 0; i < calibrate->count && !*again; i++) {
        const struct calibrate_factor *factor = &calibrate->factor[i];

        if (factor->log < log(CALIBRATION_LEAST) || factor->log > log(CALIBRATION_MOST))
            return error_set(error, STATUS_INVALID,
                             "%s of %s: a factor of %.3g would be needed, which no hardware has; "
                             "allowed: %g to %d",
                             cause_name(factor->cause),
                             fitting->scenario.device[factor->device].head.name, exp(factor->log),
                             CALIBRATION_LEAST, CALIBRATION_MOST);
    }
    return STATUS_OK;
}

/* Sets factors and their covariance by one round of steps from what was known before, in which the
 * variance of the latency is divided by a weight. */
static void make_round(struct fitting *fitting, double weight, double *logs)
{
    struct calibrate *calibrate = fitting->calibrate;
    const int count = calibrate->count;
    double moved[RANGE_GROUPS_MAX];

    for (int i = 0; i < count; i++)
        logs[i] = calibrate->factor[i].prior;
    memcpy(calibrate->covariance, fitting->covariance,
           (size_t)count * (size_t)count * sizeof *fitting->covariance);
    for (int m = 0; m < calibrate->measured_count; m++) {
        const struct calibrate_measured *one = &calibrate->measured[m];
        const double *slope = &fitting->slope[m * count];

        if (one->left_out)
            continue;
        for (int i = 0; i < count; i++)
            moved[i] = logs[i] - fitting->log[i];
        calibrate_step(count, logs, calibrate->covariance, slope,
                       log(one->measured.value) - fitting->value[m] - dot(count, slope, moved),
                       variance_of(one) / (is_latency(one) ? weight : 1));
    }
}

/* Returns what the estimate makes least, of factors and the outputs computed with them: the squares
 * of the residuals, and of the factors in their standard deviations before, of each given those
 * before it; INFINITY if the latency is further from its measurement than without measurements. */
static double misfit(const struct fitting *fitting, const double *logs, const double *values)
{
    const struct calibrate *calibrate = fitting->calibrate;
    const int count = calibrate->count;
    double moved[RANGE_GROUPS_MAX], sum = 0;

    for (int m = 0; m < calibrate->measured_count; m++) {
        const struct calibrate_measured *one = &calibrate->measured[m];
        const double residual = log(one->measured.value) - values[m];

        if (one->left_out)
            continue;
        if (is_latency(one) && fabs(residual) > larger(fabs(log(one->measured.value / one->before)),
                                                       ALIKE * sqrt(variance_of(one))))
            return INFINITY;
        sum += residual * residual / variance_of(one);
    }
    for (int i = 0; i < count; i++)
        moved[i] = logs[i] - calibrate->factor[i].prior;
    memcpy(fitting->given, fitting->covariance,
           (size_t)count * (size_t)count * sizeof *fitting->given);
    for (int i = 0; i < count; i++) {
        double slope[RANGE_GROUPS_MAX] = {0};

        if (!(fitting->given[i * count + i] > 0))
            continue;
        sum += moved[i] * moved[i] / fitting->given[i * count + i];
        slope[i] = 1;
        calibrate_step(count, moved, fitting->given, slope, -moved[i], 0);
    }
    return isnan(sum) ? INFINITY : sum;
}

/* Returns the logarithm of a factor as a file states it, where one that does not change is not. */
static double as_stated(double value)
{
    const double digit = pow(10, floor(log10(exp(value))) - 3);

    return fabs(value) > CHANGED ? log(digit * round(exp(value) / digit)) : 0;
}

/* Goes from `at` to better factors: those of a round, else of one in which the latency counts more,
 * else a part of the way there. Returns how far they are in `way`, 0 if there are none. */
static enum status go_nearer(struct fitting *fitting, double *at, double *least, double *way,
                             struct error *error)
{
    const int count = fitting->calibrate->count;
    double next[RANGE_GROUPS_MAX], tried[RANGE_GROUPS_MAX];

    *way = 0;
    for (int halving = 0; halving < HALVINGS; halving++)
        for (int weight = 1; weight <= WEIGHT_MAX; weight *= WEIGHTS) {
            double far = 0, sum;

            make_round(fitting, weight, next);
            for (int i = 0; i < count; i++) {
                tried[i] = as_stated(at[i] + ldexp(next[i] - at[i], -halving));
                far = larger(far, fabs(tried[i] - at[i]));
            }
            if (evaluate_at(fitting, tried, fitting->tried, error) != STATUS_OK)
                return error->status;
            sum = misfit(fitting, tried, fitting->tried);
            if (!(sum < *least))
                continue;
            *least = sum;
            *way = far;
            for (int m = 0; m < fitting->calibrate->measured_count; m++)
                if (weight > 1 && is_latency(&fitting->calibrate->measured[m]))
                    fitting->calibrate->measured[m].held = true;
            memcpy(at, tried, (size_t)count * sizeof *at);
            return STATUS_OK;
        }
    return STATUS_OK;
}

/* Repeats rounds until the factors stay. */
static enum status settle(struct fitting *fitting, struct error *error)
{
    struct calibrate *calibrate = fitting->calibrate;
    const int count = calibrate->count;
    double sigma[RANGE_GROUPS_MAX], at[RANGE_GROUPS_MAX], next[RANGE_GROUPS_MAX];
    double least = INFINITY, way = INFINITY, asked = 0;
    bool moved = false;
    enum status status = STATUS_OK;

    for (int i = 0; i < count; i++) {
        sigma[i] = calibrate->factor[i].before;
        at[i] = calibrate->factor[i].prior;
    }
    for (int round = 0; round < ROUNDS_MAX && (round < 2 || way > SETTLED); round++) {
        status = linearise(fitting, at, sigma, error);
        for (int m = 0; m < calibrate->measured_count && round == 0 && status == STATUS_OK; m++)
            status = judge_before(fitting, m, error);
        if (round == 0 && status == STATUS_OK)
            least = misfit(fitting, at, fitting->value);
        if (status == STATUS_OK)
            status = go_nearer(fitting, at, &least, &way, error);
        if (status != STATUS_OK)
            return status;
        moved = moved || way > 0;
        make_round(fitting, 1, next);
        for (int i = 0; i < count; i++) {
            sigma[i] = sqrt(larger(0, calibrate->covariance[i * count + i]));
            asked = larger(asked, fabs(next[i] - fitting->log[i]) - sigma[i]);
        }
    }
    if (!moved && asked > 0)
        return error_set(error, STATUS_INVALID,
                         "the measurements contradict each other: no factors bring the others "
                         "nearer, and the latency no further from its own; measure again, or "
                         "leave one out");
    for (int i = 0; i < count; i++) {
        calibrate->factor[i].log = at[i];
        calibrate->factor[i].after =
            fitting->covariance[i * count + i] > 0 ? sigma[i] : calibrate->factor[i].before;
    }
    return evaluate_at(fitting, at, fitting->value, error);
}

bool calibrate_changes(const struct calibrate_factor *factor)
{
    return fabs(factor->log) > CHANGED || factor->after < factor->own * (1 - CHANGED);
}

/* Returns what all measurements say of a factor: the larger, the more. */
static double said(const struct calibrate_factor *factor)
{
    return fabs(factor->log) + log(factor->own / factor->after);
}

/* Chooses the factors to state, in their order. */
static int choose(const struct calibrate *calibrate, int chosen[CALIBRATION_FACTORS_MAX])
{
    int count = 0;

    for (int i = 0; i < calibrate->count; i++) {
        int better = 0;

        for (int j = 0; j < calibrate->count; j++)
            better += said(&calibrate->factor[j]) > said(&calibrate->factor[i]) ||
                      (j < i && said(&calibrate->factor[j]) == said(&calibrate->factor[i]));
        if (better < CALIBRATION_FACTORS_MAX && calibrate_changes(&calibrate->factor[i]))
            chosen[count++] = i;
    }
    return count;
}

/* Makes factors for which a file has no room those of the model, for good; returns false if there
 * are none. */
static bool fix_rest(struct fitting *fitting)
{
    struct calibrate *calibrate = fitting->calibrate;
    const int count = calibrate->count;
    int chosen[CALIBRATION_FACTORS_MAX];
    const int stated = choose(calibrate, chosen);
    const int rest = calibrate->rest;

    for (int i = 0, k = 0; i < count; i++) {
        if (k < stated && chosen[k] == i) {
            k++;
        } else if (calibrate_changes(&calibrate->factor[i]) &&
                   fitting->covariance[i * count + i] > 0) {
            calibrate->rest++;
            calibrate->factor[i].prior = 0;
            calibrate->factor[i].before = calibrate->factor[i].own;
            for (int j = 0; j < count; j++)
                fitting->covariance[i * count + j] = fitting->covariance[j * count + i] = 0;
        }
    }
    return calibrate->rest > rest;
}

enum status calibrate_find(const struct scenario *scenario, struct result *result,
                           const struct calibration_measured *measured, int count,
                           const struct progress *progress, struct calibrate *calibrate,
                           struct error *error)
{
    struct fitting *fitting;
    bool again = true;
    enum status status;

    *calibrate = (struct calibrate){.count = 0};
    status = add_measured(scenario, result, measured, count, calibrate, error);
    if (status != STATUS_OK)
        return status;
    fitting = fitting_new(scenario, result, progress, calibrate, calibrate->measured_count);
    for (int m = 0; m < calibrate->measured_count; m++)
        fitting->output[m] = &calibrate->measured[m].ref;
    while (status == STATUS_OK && again) {
        status = settle(fitting, error);
        if (status == STATUS_OK)
            status = judge_after(fitting, &again, error);
        again = again || (status == STATUS_OK && fix_rest(fitting));
    }
    fitting_free(fitting);
    return status;
}

void calibrate_free(struct calibrate *calibrate)
{
    free(calibrate->factor);
    free(calibrate->covariance);
    *calibrate = (struct calibrate){.count = 0};
}

/* To a scenario -------------------------------------------------------------------------------- */

static enum status set_list(struct scenario *scenario, enum knob_id id, const char *text,
                            struct error *error)
{
    const enum status status = knob_set_text(scenario, knob_ref_to(id, 0), text, error);

    if (status != STATUS_OK)
        error_prefix(error, "calibration.%s", knobs[id].key);
    return status;
}

/* Adds the measurements before, of which repeated ones are replaced by both together. */
static void write_measured(const struct calibrate *calibrate, const char *before,
                           struct buffer *list)
{
    bool written[CALIBRATION_MEASURED_MAX] = {false};
    struct calibration_measured old;

    while (calibration_next_measured(&before, &old, NULL)) {
        double value = old.value, spread = old.spread;

        for (int m = 0; m < calibrate->measured_count; m++) {
            const struct calibration_measured *one = &calibrate->measured[m].measured;

            if (calibrate->measured[m].left_out || strcmp(one->path, old.path) != 0)
                continue;
            value = sqrt(one->value * old.value);
            spread = larger(larger(spread, one->spread),
                            expm1(fabs(log(one->value / old.value)) * sqrt(0.5)));
            written[m] = true;
        }
        buffer_print(list, "%s%s=%.4gus+-%.3g%%", list->length > 0 ? ", " : "", old.path,
                     1e6 * value, 100 * smaller(spread, CALIBRATION_SPREAD_MOST));
    }
    for (int m = 0; m < calibrate->measured_count; m++) {
        const struct calibration_measured *one = &calibrate->measured[m].measured;

        if (!written[m] && !calibrate->measured[m].left_out)
            buffer_print(list, "%s%s=%.4gus+-%.3g%%", list->length > 0 ? ", " : "", one->path,
                         1e6 * one->value, 100 * one->spread);
    }
}

enum status calibrate_state(const struct calibrate *calibrate, struct scenario *scenario,
                            struct error *error)
{
    struct buffer factors = {0}, correlations = {0}, measured = {0};
    char devices[CALIBRATION_MAX + 1];
    int chosen[CALIBRATION_FACTORS_MAX];
    const int count = choose(calibrate, chosen);
    enum status status;

    for (int k = 0; k < count; k++) {
        const struct calibrate_factor *factor = &calibrate->factor[chosen[k]];

        buffer_print(&factors, "%s%s:%s:%.4g:%.4g", k > 0 ? ", " : "",
                     scenario->device[factor->device].head.name, cause_name(factor->cause),
                     exp(factor->log), 1 + larger(LEAST_SIGMA, expm1(factor->after)));
        for (int j = 0; j < k; j++) {
            const struct calibrate_factor *other = &calibrate->factor[chosen[j]];
            const double product = factor->after * other->after;
            const double value =
                product > 0
                    ? calibrate->covariance[chosen[k] * calibrate->count + chosen[j]] / product
                    : 0;

            buffer_print(&correlations, "%s%.4g", correlations.length > 0 ? ", " : "",
                         smaller(1, larger(-1, fabs(value) < 1e-4 ? 0 : value)));
        }
    }
    write_measured(calibrate, scenario->calibration.measured, &measured);
    status = measured.length > 0
                 ? set_list(scenario, KNOB_CALIBRATION_FACTORS,
                            factors.bytes == NULL ? "" : factors.bytes, error)
                 : error_set(error, STATUS_INVALID, "the model explains none of the measurements");
    if (status == STATUS_OK)
        status = set_list(scenario, KNOB_CALIBRATION_CORRELATIONS,
                          correlations.bytes == NULL ? "" : correlations.bytes, error);
    if (status == STATUS_OK)
        status = set_list(scenario, KNOB_CALIBRATION_MEASURED, measured.bytes, error);
    if (status == STATUS_OK) {
        calibration_devices_text(scenario, devices);
        status = set_list(scenario, KNOB_CALIBRATION_DEVICES, devices, error);
    }
    if (status == STATUS_OK)
        status = set_list(scenario, KNOB_CALIBRATION_PROGRAM, PACKAGE_VERSION, error);
    buffer_free(&factors);
    buffer_free(&correlations);
    buffer_free(&measured);
    return status;
}

/* What to measure next ------------------------------------------------------------------------- */

static int compare_candidates(const void *a, const void *b)
{
    const struct calibrate_candidate *left = a, *right = b;

    return (left->after > right->after) - (left->after < right->after);
}

enum status calibrate_next(const struct scenario *scenario, struct result *result,
                           const struct progress *progress,
                           struct calibrate_candidate list[CALIBRATE_CANDIDATES], int *count,
                           double *now, struct error *error)
{
    struct calibrate calibrate = {.count = 0};
    struct fitting *fitting;
    double sigma[RANGE_GROUPS_MAX], at[RANGE_GROUPS_MAX], along[RANGE_GROUPS_MAX];
    const double spread = calibration_latency_spread(scenario);
    double *covariance;
    size_t bytes;
    enum status status;

    *count = 1;
    list[0].ref = (struct result_ref){.row = &result_rows[RESULT_LATENCY]};
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario_device(scenario, c) >= 0 &&
            result_busy(result, scenario->component[c].head.name, &list[*count].ref))
            ++*count;
    fitting = fitting_new(scenario, result, progress, &calibrate, *count);
    bytes = (size_t)calibrate.count * (size_t)calibrate.count * sizeof *covariance;
    covariance = allocate(bytes + 1);
    for (int k = 0; k < *count; k++)
        fitting->output[k] = &list[k].ref;
    for (int i = 0; i < calibrate.count; i++) {
        sigma[i] = calibrate.factor[i].before;
        at[i] = calibrate.factor[i].prior;
    }
    status = linearise(fitting, at, sigma, error);
    *now = sqrt(
        larger(0, variance_along(calibrate.count, fitting->covariance, fitting->slope, along)));
    for (int k = 0; k < *count && status == STATUS_OK; k++) {
        memcpy(covariance, fitting->covariance, bytes);
        calibrate_step(calibrate.count, at, covariance, &fitting->slope[k * calibrate.count], 0,
                       pow(log1p(CALIBRATE_SPREAD), 2));
        list[k].after = larger(
            sqrt(larger(0, variance_along(calibrate.count, covariance, fitting->slope, along))),
            k == 0 ? larger(spread, log1p(CALIBRATE_SPREAD)) : spread);
    }
    if (status == STATUS_OK)
        qsort(list, (size_t)*count, sizeof *list, compare_candidates);
    free(covariance);
    fitting_free(fitting);
    calibrate_free(&calibrate);
    return status;
}
