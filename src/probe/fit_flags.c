#include "fit_flags.h"

#include <math.h>
#include <stdio.h>

#include "larger.h"

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
