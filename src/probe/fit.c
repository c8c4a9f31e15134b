#include "probe/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "probe/minimise.h"

#define STARTS 4
#define CACHE_TOLERANCE 1e-5 /* of ln c */

/* One model on its way to the smallest sum. */
struct task {
    const struct fit_form *form;
    const struct fit_point *point;
    int count;
    double *measured;                 /* ln T of each point */
    double *hit;                      /* P of each at the present c */
    int values;                       /* parameters beside c, */
    enum fit_value value[FIT_VALUES]; /* and which they are */
    double shortest, longest;         /* ln T */
    double best[FIT_VALUES];          /* parameters of the smallest sum so far, ln s */
    double best_squares;              /* INFINITY before the first */
    double best_c;
};

/* Where a search begins: from 0, the shortest T, to 1, the longest. */
static const double starts[STARTS][FIT_VALUES] = {
    {[FIT_L1] = 0.5, [FIT_G1] = 0, [FIT_L2] = 1, [FIT_G2] = 0.25},
    {[FIT_L1] = 0.25, [FIT_G1] = 0.05, [FIT_L2] = 1.2, [FIT_G2] = 0.6},
    {[FIT_L1] = 0.8, [FIT_G1] = 0.1, [FIT_L2] = 0.85, [FIT_G2] = 0.15},
    {[FIT_L1] = 0, [FIT_G1] = 0, [FIT_L2] = 0.8, [FIT_G2] = 0.8},
};

double fit_predict(const struct fit_point *point, const void *context)
{
    const struct fit *fit = context;
    const struct fit_form *form = &fit_forms[fit->model];
    double hit = form->cached ? fit_hit(point, fit->c) : 0;
    double term[FIT_VALUES];
    double seconds = 0;

    fit_terms(form, hit, point->block, term);
    for (int v = 0; v < FIT_VALUES; v++)
        seconds += fit->value[v] * term[v];
    return seconds;
}

/* Points ------------------------------------------------------------------------------------- */

static bool is_from(double value, double least)
{
    return value >= least && isfinite(value);
}

static enum status check_point(const struct fit_point *point, int number, struct error *error)
{
    if (!(point->seconds > 0) || !isfinite(point->seconds))
        return error_set(error, STATUS_INVALID, "point %d: T is %g s; allowed: above 0", number,
                         point->seconds);
    if (!(point->alpha > 0) || !isfinite(point->alpha))
        return error_set(error, STATUS_INVALID, "point %d: alpha is %g; allowed: above 0", number,
                         point->alpha);
    if (!is_from(point->held, 2 * FIT_CACHE_LEAST))
        return error_set(error, STATUS_INVALID, "point %d: M is %g words; allowed: from %g", number,
                         point->held, 2 * FIT_CACHE_LEAST);
    if (!is_from(point->block, 1) || point->block > point->held)
        return error_set(error, STATUS_INVALID,
                         "point %d: L is %g words; allowed: 1 to M, which is %g", number,
                         point->block, point->held);
    return STATUS_OK;
}

static enum status check_points(const struct fit_point *point, int count, struct error *error)
{
    bool blocks = false;
    bool hits = false;

    if (count < FIT_POINTS_LEAST)
        return error_set(error, STATUS_INVALID,
                         "%d %s; at least %d are needed, one more than the largest model has "
                         "values",
                         count, count == 1 ? "point" : "points", FIT_POINTS_LEAST);
    if (count > FIT_POINTS_MAX)
        return error_set(error, STATUS_INVALID, "%d points; at most %d can be fitted", count,
                         FIT_POINTS_MAX);
    for (int i = 0; i < count; i++) {
        enum status status = check_point(&point[i], i + 1, error);

        if (status != STATUS_OK)
            return status;
        blocks |= point[i].block != point[0].block;
        hits |= point[i].alpha != point[0].alpha || point[i].held != point[0].held;
    }
    if (!blocks)
        return error_set(error, STATUS_INVALID,
                         "all points have L = %g; l and g cannot be told apart without a second L",
                         point[0].block);
    if (!hits)
        return error_set(error, STATUS_INVALID,
                         "all points have alpha = %g and the same M; cache and memory cannot be "
                         "told apart without a second alpha",
                         point[0].alpha);
    return STATUS_OK;
}

/* One model ---------------------------------------------------------------------------------- */

static double residual(const double *parameter, int row, double *derivative, const void *context)
{
    const struct task *task = context;
    double term[FIT_VALUES];
    double seconds = 0;

    fit_terms(task->form, task->hit[row], task->point[row].block, term);
    for (int i = 0; i < task->values; i++) {
        derivative[i] = exp(parameter[i]) * term[task->value[i]];
        seconds += derivative[i];
    }
    for (int i = 0; i < task->values; i++)
        derivative[i] /= -seconds;
    return task->measured[row] - log(seconds);
}

/* A value 1e6 below the shortest T matters nowhere; a latency is met once in L words. */
static void set_bounds(const struct task *task, struct minimise *minimise)
{
    double most = 1;

    for (int i = 0; i < task->count; i++)
        most = fmax(most, task->point[i].block);
    for (int i = 0; i < task->values; i++) {
        minimise->low[i] = task->shortest - log(1e6);
        minimise->high[i] = task->longest + log(most) + log(1e6);
    }
}

static void keep_better(struct task *task, double c, const struct minimise *minimise,
                        double *parameter)
{
    double squares = minimise_squares(minimise, parameter);

    if (squares < task->best_squares) {
        task->best_squares = squares;
        task->best_c = c;
        memcpy(task->best, parameter, sizeof task->best);
    }
}

/* The smallest sum of squares at a c; better than all before, it is kept. */
static double squares_at(double log_c, void *context)
{
    struct task *task = context;
    struct minimise minimise = {
        .rows = task->count, .parameters = task->values, .residual = residual, .context = task};
    double before = task->best_squares;
    double before_c = task->best_c;
    double before_best[FIT_VALUES];
    double c = exp(log_c);
    double here;

    memcpy(before_best, task->best, sizeof before_best);
    for (int i = 0; i < task->count; i++)
        task->hit[i] = task->form->cached ? fit_hit(&task->point[i], c) : 0;
    set_bounds(task, &minimise);
    task->best_squares = INFINITY;
    for (int s = 0; s < STARTS + isfinite(before); s++) {
        double parameter[FIT_VALUES];

        memcpy(parameter, before_best, sizeof parameter);
        for (int i = 0; s < STARTS && i < task->values; i++)
            parameter[i] =
                task->shortest + starts[s][task->value[i]] * (task->longest - task->shortest);
        keep_better(task, c, &minimise, parameter);
    }
    here = task->best_squares;
    if (before <= here) {
        task->best_squares = before;
        task->best_c = before_c;
        memcpy(task->best, before_best, sizeof before_best);
    }
    return here;
}

static double largest_held(const struct task *task)
{
    double held = 0;

    for (int i = 0; i < task->count; i++)
        held = fmax(held, task->point[i].held);
    return held;
}

/* Powers of two, then between the neighbours of the best. */
static void scan(struct task *task)
{
    double low = log(FIT_CACHE_LEAST);
    double high = log(largest_held(task) / 2);
    double best = low;
    double smallest = INFINITY;

    for (double at = low; at <= high + CACHE_TOLERANCE; at += log(2)) {
        double squares = squares_at(at, task);

        if (squares < smallest) {
            smallest = squares;
            best = at;
        }
    }
    if (high > low)
        minimise_golden(fmax(low, best - log(2)), fmin(high, best + log(2)), CACHE_TOLERANCE,
                        squares_at, task, &smallest);
}

static enum status finish(const struct task *task, struct fit *fit, struct error *error)
{
    *fit = (struct fit){.model = task->form->model, .squares = task->best_squares};
    fit->c = task->form->cached ? task->best_c : 0;
    for (int i = 0; i < task->values; i++)
        fit->value[task->value[i]] = exp(task->best[i]);
    for (int i = 0; i < task->count; i++) {
        double off = task->point[i].seconds - fit_predict(&task->point[i], fit);

        fit->linear += off * off;
    }
    fit->pc = exp(sqrt(fit->squares / task->count));
    return fit_set_flags(task->point, task->count, largest_held(task) / 2, fit, error);
}

static enum status fit_one(const struct fit_form *form, struct task *task, struct fit *fit,
                           struct error *error)
{
    task->form = form;
    task->values = 0;
    task->best_squares = INFINITY;
    for (int v = 0; v < FIT_VALUES; v++)
        if (form->name[v] != NULL)
            task->value[task->values++] = (enum fit_value)v;
    if (form->cached)
        scan(task);
    else
        squares_at(0, task);
    return finish(task, fit, error);
}

enum status fit_models(const struct fit_point *point, int count, struct fit fits[FIT_MODELS],
                       struct error *error)
{
    struct task task = {.point = point, .count = count};
    enum status status = check_points(point, count, error);

    if (status != STATUS_OK)
        return status;
    task.measured = calloc((size_t)count, sizeof *task.measured);
    task.hit = calloc((size_t)count, sizeof *task.hit);
    if (task.measured == NULL || task.hit == NULL) {
        status = error_set(error, STATUS_MEMORY, "out of memory");
    } else {
        task.shortest = INFINITY;
        task.longest = -INFINITY;
        for (int i = 0; i < count; i++) {
            task.measured[i] = log(point[i].seconds);
            task.shortest = fmin(task.shortest, task.measured[i]);
            task.longest = fmax(task.longest, task.measured[i]);
        }
        for (int m = 0; m < FIT_MODELS && status == STATUS_OK; m++)
            status = fit_one(&fit_forms[m], &task, &fits[m], error);
    }
    free(task.measured);
    free(task.hit);
    return status;
}

/* Fit flags ------------------------------------------------------------------------------------ */

/* Of c: a golden section stops short of the end it runs into. */
#define EDGE 1.01

static void find_effects(const struct fit_point *point, int count, struct fit *fit)
{
    const struct fit_form *form = &fit_forms[fit->model];
    struct fit doubled = *fit;

    doubled.c = 2 * fit->c;
    for (int i = 0; i < count; i++) {
        double hit = form->cached ? fit_hit(&point[i], fit->c) : 0;
        double seconds = fit_predict(&point[i], fit);
        double term[FIT_VALUES];

        fit_terms(form, hit, point[i].block, term);
        for (int v = 0; v < FIT_VALUES; v++)
            fit->effect[v] = larger(fit->effect[v], fit->value[v] * term[v] / seconds);
        if (form->cached)
            fit->effect_c =
                larger(fit->effect_c, fabs(fit_predict(&point[i], &doubled) / seconds - 1));
    }
}

static bool is_weak(const struct fit *fit, int value)
{
    return fit_forms[fit->model].name[value] != NULL && fit->effect[value] < FIT_EFFECT_LEAST;
}

static bool weak_cache(const struct fit *fit)
{
    return fit_forms[fit->model].cached && fit->effect_c < FIT_EFFECT_LEAST;
}

/* Whether a model knows both values and the first is below the second by more than rounding. */
static bool is_below(const struct fit *fit, enum fit_value first, enum fit_value second)
{
    const struct fit_form *form = &fit_forms[fit->model];

    return form->name[first] != NULL && form->name[second] != NULL &&
           fit->value[first] * (1 + 1e-6) < fit->value[second];
}

enum status fit_set_flags(const struct fit_point *point, int count, double most, struct fit *fit,
                          struct error *error)
{
    enum status status;

    find_effects(point, count, fit);
    fit->flag[FIT_EDGE] =
        fit_forms[fit->model].cached && (fit->c < FIT_CACHE_LEAST * EDGE || fit->c > most / EDGE);
    fit->flag[FIT_GAPS] = is_below(fit, FIT_G2, FIT_G1);
    fit->flag[FIT_LATENCIES] = is_below(fit, FIT_L2, FIT_L1);
    fit->flag[FIT_BELOW_GAP] = is_below(fit, FIT_L1, FIT_G1) || is_below(fit, FIT_L2, FIT_G2);
    fit->flag[FIT_WEAK] = weak_cache(fit);
    for (int v = 0; v < FIT_VALUES; v++)
        fit->flag[FIT_WEAK] |= is_weak(fit, v);
    status = trend_find(point, count, fit_predict, fit, TREND_L, &fit->along_l, error);
    if (status == STATUS_OK)
        status = trend_find(point, count, fit_predict, fit, TREND_ALPHA, &fit->along_alpha, error);
    fit->flag[FIT_ALONG_L] = trend_is_one(&fit->along_l);
    fit->flag[FIT_ALONG_ALPHA] = trend_is_one(&fit->along_alpha);
    return status;
}

/* Words -------------------------------------------------------------------------------------- */

static const char *name_of(const struct fit *fit, enum fit_value value)
{
    return fit_forms[fit->model].name[value];
}

static void value_text(const struct fit *fit, enum fit_value value, char *text, size_t size)
{
    snprintf(text, size, "%s = %.5g ns", name_of(fit, value), fit->value[value] * 1e9);
}

static void above_text(const struct fit *fit, enum fit_value more, enum fit_value less,
                       const char *meaning, char *text, size_t size)
{
    char high[60], low[60];

    value_text(fit, more, high, sizeof high);
    value_text(fit, less, low, sizeof low);
    snprintf(text, size, "%s is above %s: %s", high, low, meaning);
}

static void weak_text(const struct fit *fit, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int v = 0; v < FIT_VALUES && used < size; v++)
        if (is_weak(fit, v))
            used += (size_t)snprintf(text + used, size - used,
                                     "%s%s is at most %.2g %% of any time", used > 0 ? ", " : "",
                                     name_of(fit, (enum fit_value)v), 100 * fit->effect[v]);
    if (weak_cache(fit) && used < size)
        used += (size_t)snprintf(text + used, size - used, "%stwice c changes no time by 1 %%",
                                 used > 0 ? ", " : "");
    if (used < size)
        snprintf(text + used, size - used, ": the points do not determine it");
}

static void trend_text(const struct trend *trend, const char *axis, char *text, size_t size)
{
    snprintf(text, size,
             "residuals are not random along %s (Moran's I %.2f, z %.1f): the model lacks what "
             "changes there",
             axis, trend->i, trend->z);
}

const char *fit_flag_name(enum fit_flag flag)
{
    static const char *const names[FIT_FLAGS] = {
        [FIT_EDGE] = "c-at-edge",
        [FIT_GAPS] = "g1-above-g2",
        [FIT_LATENCIES] = "l1-above-l2",
        [FIT_BELOW_GAP] = "l-below-g",
        [FIT_WEAK] = "weak",
        [FIT_ALONG_L] = "not-random-along-l",
        [FIT_ALONG_ALPHA] = "not-random-along-alpha",
    };

    return names[flag];
}

void fit_flag_text(const struct fit *fit, enum fit_flag flag, char *text, size_t size)
{
    bool inner = is_below(fit, FIT_L1, FIT_G1);

    switch (flag) {
    case FIT_EDGE:
        snprintf(text, size,
                 "c = %.4g words is at the edge of the scan: the best value may lie beyond it",
                 fit->c);
        break;
    case FIT_GAPS:
        above_text(fit, FIT_G1, FIT_G2, "the cache would be slower than memory", text, size);
        break;
    case FIT_LATENCIES:
        above_text(fit, FIT_L1, FIT_L2, "the cache would be slower than memory", text, size);
        break;
    case FIT_BELOW_GAP:
        above_text(fit, inner ? FIT_G1 : FIT_G2, inner ? FIT_L1 : FIT_L2,
                   "the first word of a block would cost less than the next", text, size);
        break;
    case FIT_WEAK:
        weak_text(fit, text, size);
        break;
    case FIT_ALONG_L:
        trend_text(&fit->along_l, "L", text, size);
        break;
    case FIT_ALONG_ALPHA:
        trend_text(&fit->along_alpha, "alpha", text, size);
        break;
    case FIT_FLAGS:
        text[0] = '\0';
        break;
    }
}
