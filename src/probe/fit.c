#include "probe/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/minimise.h"
#include "base/number.h"

/* The models ----------------------------------------------------------------------------------- */

/* clang-format off */
const struct fit_form fit_forms[FIT_MODELS] = {
    [MODEL_FLAT] = {.model = MODEL_FLAT, .title = "flat", .name = {[FIT_G2] = "g"}},
    [MODEL_TWO_LEVEL] = {.model = MODEL_TWO_LEVEL, .title = "two-level", .cached = true,
                         .name = {[FIT_G1] = "g1", [FIT_G2] = "g2"}},
    [MODEL_LATENCY_BANDWIDTH] = {.model = MODEL_LATENCY_BANDWIDTH, .title = "latency-bandwidth",
                                 .name = {[FIT_L2] = "l", [FIT_G2] = "g"}},
    [MODEL_HIERARCHY_2] = {.model = MODEL_HIERARCHY_2, .title = "hierarchy-2", .cached = true,
                           .name = {[FIT_L1] = "l1", [FIT_G1] = "g1",
                                    [FIT_L2] = "l2", [FIT_G2] = "g2"}},
};
/* clang-format on */

/* Returns P of a cache of `c` words; 0 for a model without a cache. */
static double fit_hit_share(const struct fit_form *form, const struct surface_point *point,
                            double c)
{
    if (!form->cached)
        return 0;
    return c >= point->held ? 1 : pow(c / point->held, point->alpha);
}

/* Computes the factor of each parameter in T for P = `hit`; 0 if not in the model. */
static void find_terms(const struct fit_form *form, double hit, double block,
                       double term[FIT_VALUES])
{
    double first = form->name[FIT_L2] != NULL ? 1 / block : 0;

    term[FIT_L1] = hit * first;
    term[FIT_G1] = hit * (1 - first);
    term[FIT_L2] = (1 - hit) * first;
    term[FIT_G2] = (1 - hit) * (1 - first);
}

double fit_predict(const struct surface_point *point, const void *context)
{
    const struct fit *fit = context;
    const struct fit_form *form = &fit_forms[fit->model];
    double term[FIT_VALUES];
    double seconds = 0;

    find_terms(form, fit_hit_share(form, point, fit->c), point->block, term);
    for (int v = 0; v < FIT_VALUES; v++)
        seconds += fit->value[v] * term[v];
    return seconds;
}

double fit_predict_levels(const struct surface_point *point, const void *fit_levels)
{
    const struct fit_levels *levels = fit_levels;
    struct traffic traffic = {.held = point->held * levels->word,
                              .block = point->block,
                              .element = levels->word,
                              .locality = point->alpha};
    struct memory_cost cost;

    memory_cost(levels->model, levels->memory, &traffic, &cost);
    return (cost.transfer + cost.wait) * levels->word;
}

/* Points that can be fitted -------------------------------------------------------------------- */

static enum status check_points(const struct surface_point *point, int count, struct error *error)
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
        const struct surface_point *at = &point[i];

        if (!(at->seconds > 0) || !isfinite(at->seconds))
            return error_set(error, STATUS_INVALID, "point %d: T is %g s; allowed: above 0", i + 1,
                             at->seconds);
        if (!(at->alpha > 0) || !isfinite(at->alpha))
            return error_set(error, STATUS_INVALID, "point %d: alpha is %g; allowed: above 0",
                             i + 1, at->alpha);
        if (!(at->held >= SURFACE_HELD_LEAST) || !isfinite(at->held))
            return error_set(error, STATUS_INVALID, "point %d: M is %g words; allowed: from %g",
                             i + 1, at->held, SURFACE_HELD_LEAST);
        if (!(at->block >= 1) || at->block > at->held)
            return error_set(error, STATUS_INVALID,
                             "point %d: L is %g words; allowed: 1 to M, which is %g", i + 1,
                             at->block, at->held);
        blocks |= at->block != point[0].block;
        hits |= at->alpha != point[0].alpha || at->held != point[0].held;
    }
    if (!blocks)
        return error_set(error, STATUS_INVALID,
                         "all points have L = %g; a second L is needed to separate l from g",
                         point[0].block);
    if (!hits)
        return error_set(error, STATUS_INVALID,
                         "all points have alpha = %g and the same M; a second alpha or M is "
                         "needed to separate cache from memory",
                         point[0].alpha);
    return STATUS_OK;
}

/* The search ----------------------------------------------------------------------------------- */

#define STARTS 4
#define CACHE_TOLERANCE 1e-5 /* in ln c */

/* Parameters with the minimum sum of squares so far. */
struct fit_best {
    double squares; /* initially INFINITY */
    double c;
    double parameter[FIT_VALUES]; /* ln s */
};

/* State of the fit of one model. */
struct fit_search {
    const struct fit_form *form;
    const struct surface_point *point;
    int count;
    double *measured;                 /* ln T of each point */
    double *hit;                      /* P of each point at the current c */
    int values;                       /* number of parameters except c, */
    enum fit_value value[FIT_VALUES]; /* and their identities */
    double shortest, longest;         /* ln T */
    double most_block, most_held;
    struct fit_best best;
};

/* Initial values: 0 is the shortest T, 1 the longest. */
static const double starts[STARTS][FIT_VALUES] = {
    {[FIT_L1] = 0.5, [FIT_G1] = 0, [FIT_L2] = 1, [FIT_G2] = 0.25},
    {[FIT_L1] = 0.25, [FIT_G1] = 0.05, [FIT_L2] = 1.2, [FIT_G2] = 0.6},
    {[FIT_L1] = 0.8, [FIT_G1] = 0.1, [FIT_L2] = 0.85, [FIT_G2] = 0.15},
    {[FIT_L1] = 0, [FIT_G1] = 0, [FIT_L2] = 0.8, [FIT_G2] = 0.8},
};

static double find_residual(const double *parameter, int row, double *derivative,
                            const void *context)
{
    const struct fit_search *search = context;
    double term[FIT_VALUES];
    double seconds = 0;

    find_terms(search->form, search->hit[row], search->point[row].block, term);
    for (int i = 0; i < search->values; i++) {
        derivative[i] = exp(parameter[i]) * term[search->value[i]];
        seconds += derivative[i];
    }
    for (int i = 0; i < search->values; i++)
        derivative[i] /= -seconds;
    return search->measured[row] - log(seconds);
}

/* Returns the minimum sum of squares for a given c over all starts and the best parameters so far;
 * updates the best. */
static double squares_at_cache(double log_c, void *context)
{
    struct fit_search *search = context;
    struct minimise minimise = {.rows = search->count,
                                .parameters = search->values,
                                .residual = find_residual,
                                .context = search};
    struct fit_best here = {.squares = INFINITY, .c = exp(log_c)};

    for (int i = 0; i < search->count; i++)
        search->hit[i] = fit_hit_share(search->form, &search->point[i], here.c);
    /* A value 1e6 below the shortest T is negligible; a latency occurs once in L words. */
    for (int i = 0; i < search->values; i++) {
        minimise.low[i] = search->shortest - log(1e6);
        minimise.high[i] = search->longest + log(search->most_block) + log(1e6);
    }
    for (int s = 0; s < STARTS + isfinite(search->best.squares); s++) {
        double parameter[FIT_VALUES];
        double squares;

        memcpy(parameter, search->best.parameter, sizeof parameter);
        for (int i = 0; s < STARTS && i < search->values; i++)
            parameter[i] = search->shortest +
                           starts[s][search->value[i]] * (search->longest - search->shortest);
        squares = minimise_squares(&minimise, parameter);
        if (squares < here.squares) {
            here.squares = squares;
            memcpy(here.parameter, parameter, sizeof parameter);
        }
    }
    if (here.squares < search->best.squares)
        search->best = here;
    return here.squares;
}

/* Scans powers of two, then refines between the neighbours of the best. */
static void scan_caches(struct fit_search *search)
{
    double low = log(FIT_CACHE_LEAST);
    double high = log(search->most_held / 2);
    double best = low;
    double smallest = INFINITY;

    for (double at = low; at <= high + CACHE_TOLERANCE; at += log(2)) {
        double squares = squares_at_cache(at, search);

        if (squares < smallest) {
            smallest = squares;
            best = at;
        }
    }
    if (high > low)
        minimise_unimodal(larger(low, best - log(2)), smaller(high, best + log(2)), CACHE_TOLERANCE,
                          squares_at_cache, search, &smallest);
}

static void search_values(struct fit_search *search, const struct fit_form *form, struct fit *fit)
{
    search->form = form;
    search->values = 0;
    search->best = (struct fit_best){.squares = INFINITY};
    for (int v = 0; v < FIT_VALUES; v++)
        if (form->name[v] != NULL)
            search->value[search->values++] = (enum fit_value)v;
    if (form->cached)
        scan_caches(search);
    else
        squares_at_cache(0, search);
    *fit = (struct fit){.model = form->model,
                        .squares = search->best.squares,
                        .c = form->cached ? search->best.c : 0,
                        .pc = exp(sqrt(search->best.squares / search->count))};
    for (int i = 0; i < search->values; i++)
        fit->value[search->value[i]] = exp(search->best.parameter[i]);
    for (int i = 0; i < search->count; i++) {
        double off = search->point[i].seconds - fit_predict(&search->point[i], fit);

        fit->linear += off * off;
    }
}

/* Flags of doubtful fits ----------------------------------------------------------------------- */

#define EDGE 1.01 /* ratio of c: the search stops short of the end of its interval */

static bool is_weak_value(const struct fit *fit, int value)
{
    return fit_forms[fit->model].name[value] != NULL && fit->effect[value] < FIT_EFFECT_LEAST;
}

static bool is_weak_cache(const struct fit *fit)
{
    return fit_forms[fit->model].cached && fit->effect_c < FIT_EFFECT_LEAST;
}

/* Returns true if a model has both parameters and the first is smaller by more than rounding. */
static bool is_below(const struct fit *fit, enum fit_value first, enum fit_value second)
{
    const struct fit_form *form = &fit_forms[fit->model];

    return form->name[first] != NULL && form->name[second] != NULL &&
           fit->value[first] * (1 + 1e-6) < fit->value[second];
}

/* Computes effects, trends and flags of a fit from its parameters. */
static void set_flags(const struct fit_search *search, struct fit *fit)
{
    const struct fit_form *form = search->form;
    double most_c = search->most_held / 2; /* end of the scan */
    struct fit doubled = *fit;

    doubled.c = 2 * fit->c;
    for (int i = 0; i < search->count; i++) {
        const struct surface_point *point = &search->point[i];
        double seconds = fit_predict(point, fit);
        double term[FIT_VALUES];

        find_terms(form, fit_hit_share(form, point, fit->c), point->block, term);
        for (int v = 0; v < FIT_VALUES; v++)
            fit->effect[v] = larger(fit->effect[v], fit->value[v] * term[v] / seconds);
        if (form->cached)
            fit->effect_c = larger(fit->effect_c, fabs(fit_predict(point, &doubled) / seconds - 1));
    }
    fit->flag[FIT_EDGE] =
        form->cached && (fit->c < FIT_CACHE_LEAST * EDGE || fit->c > most_c / EDGE);
    fit->flag[FIT_GAPS] = is_below(fit, FIT_G2, FIT_G1);
    fit->flag[FIT_LATENCIES] = is_below(fit, FIT_L2, FIT_L1);
    fit->flag[FIT_BELOW_GAP] = is_below(fit, FIT_L1, FIT_G1) || is_below(fit, FIT_L2, FIT_G2);
    fit->flag[FIT_WEAK] = is_weak_cache(fit);
    for (int v = 0; v < FIT_VALUES; v++)
        fit->flag[FIT_WEAK] |= is_weak_value(fit, v);
    fit->along_l = trend_find(search->point, search->count, fit_predict, fit, TREND_L);
    fit->along_alpha = trend_find(search->point, search->count, fit_predict, fit, TREND_ALPHA);
    fit->flag[FIT_ALONG_L] = trend_is_significant(&fit->along_l);
    fit->flag[FIT_ALONG_ALPHA] = trend_is_significant(&fit->along_alpha);
}

enum status fit_models(const struct surface_point *point, int count, struct fit fits[FIT_MODELS],
                       struct error *error)
{
    struct fit_search search = {
        .point = point, .count = count, .shortest = INFINITY, .longest = -INFINITY};

    if (check_points(point, count, error) != STATUS_OK)
        return STATUS_INVALID;
    search.measured = allocate_array((size_t)count, sizeof *search.measured);
    search.hit = allocate_array((size_t)count, sizeof *search.hit);
    for (int i = 0; i < count; i++) {
        search.measured[i] = log(point[i].seconds);
        search.shortest = smaller(search.shortest, search.measured[i]);
        search.longest = larger(search.longest, search.measured[i]);
        search.most_block = larger(search.most_block, point[i].block);
        search.most_held = larger(search.most_held, point[i].held);
    }
    for (int m = 0; m < FIT_MODELS; m++) {
        search_values(&search, &fit_forms[m], &fits[m]);
        set_flags(&search, &fits[m]);
    }
    free(search.measured);
    free(search.hit);
    return STATUS_OK;
}

/* Flags in words ------------------------------------------------------------------------------- */

const char *const fit_flag_names[FIT_FLAGS] = {
    [FIT_EDGE] = "c-at-edge",
    [FIT_GAPS] = "g1-above-g2",
    [FIT_LATENCIES] = "l1-above-l2",
    [FIT_BELOW_GAP] = "l-below-g",
    [FIT_WEAK] = "weak",
    [FIT_ALONG_L] = "not-random-along-l",
    [FIT_ALONG_ALPHA] = "not-random-along-alpha",
};

static void print_above(struct buffer *text, const struct fit *fit, enum fit_value more,
                        enum fit_value less, const char *meaning)
{
    const struct fit_form *form = &fit_forms[fit->model];

    buffer_print(text, "%s = %.5g ns is above %s = %.5g ns: %s", form->name[more],
                 fit->value[more] * 1e9, form->name[less], fit->value[less] * 1e9, meaning);
}

static void print_trend(struct buffer *text, const struct trend *trend, const char *axis)
{
    buffer_print(
        text,
        "residuals are not random along %s (Moran's I %.2f, z %.1f): the model misses an effect",
        axis, trend->i, trend->z);
}

void fit_flag_text(const struct fit *fit, enum fit_flag flag, char *text, size_t size)
{
    struct buffer buffer = buffer_over(text, size);
    bool inner = is_below(fit, FIT_L1, FIT_G1);

    switch (flag) {
    case FIT_EDGE:
        buffer_print(&buffer,
                     "c = %.4g words is at the edge of the scan: the best value may lie beyond it",
                     fit->c);
        break;
    case FIT_GAPS:
        print_above(&buffer, fit, FIT_G1, FIT_G2, "the cache would be slower than memory");
        break;
    case FIT_LATENCIES:
        print_above(&buffer, fit, FIT_L1, FIT_L2, "the cache would be slower than memory");
        break;
    case FIT_BELOW_GAP:
        print_above(&buffer, fit, inner ? FIT_G1 : FIT_G2, inner ? FIT_L1 : FIT_L2,
                    "the first word of a block would cost less than the next");
        break;
    case FIT_WEAK:
        for (int v = 0; v < FIT_VALUES; v++)
            if (is_weak_value(fit, v))
                buffer_print(&buffer, "%s%s is at most %.2g %% of any time",
                             buffer.length > 0 ? ", " : "", fit_forms[fit->model].name[v],
                             100 * fit->effect[v]);
        if (is_weak_cache(fit))
            buffer_item(&buffer, "doubling c changes no time by 1 %");
        buffer_text(&buffer, ": poorly determined by the points");
        break;
    case FIT_ALONG_L:
        print_trend(&buffer, &fit->along_l, "L");
        break;
    case FIT_ALONG_ALPHA:
        print_trend(&buffer, &fit->along_alpha, "alpha");
        break;
    case FIT_FLAGS:
        break;
    }
}

/* Surfaces ------------------------------------------------------------------------------------- */

enum status surface_fit_make(struct surface_fit *report, struct error *error)
{
    const struct surface *surface = &report->surface;
    enum status status = fit_models(surface->point, surface->count, report->fit, error);

    for (int m = 0; m < FIT_MODELS && status == STATUS_OK; m++)
        status = residuals_make(surface->point, surface->count, fit_predict, &report->fit[m],
                                &report->residuals[m], error);
    report->shown = 0;
    for (int m = 1; m < FIT_MODELS && status == STATUS_OK; m++)
        if (report->fit[m].squares < report->fit[report->shown].squares)
            report->shown = m;
    return status;
}

void surface_fit_free(struct surface_fit *report)
{
    for (int m = 0; m < FIT_MODELS; m++)
        residuals_free(&report->residuals[m]);
    surface_free(&report->surface);
}

/* Comparison ----------------------------------------------------------------------------------- */

enum status surface_fit_compare(struct surface_fit *report, int count, struct error *error)
{
    for (int i = 0; i < count; i++) {
        surface_keep_largest(&report[i].surface);
        if (report[i].surface.count > FIT_COMPARED_POINTS_MAX)
            return error_set(error, STATUS_INVALID, "%s: %d points to compare; allowed: up to %d",
                             report[i].name, report[i].surface.count, FIT_COMPARED_POINTS_MAX);
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            surface_keep_common(&report[i].surface, &report[j].surface);
    for (int i = 0; i < count; i++)
        if (report[i].surface.count < FIT_POINTS_LEAST)
            return error_set(error, STATUS_INVALID,
                             "%s: %d points whose alpha and L all machines have; %d are needed",
                             report[i].name, report[i].surface.count, FIT_POINTS_LEAST);
    for (int i = 0; i < count; i++)
        if (surface_fit_make(&report[i], error) != STATUS_OK) {
            error_prefix(error, "%s", report[i].name);
            return error->status;
        }
    return STATUS_OK;
}

#define PC_ALIKE 1e-9 /* rounding */

double surface_rate(const struct surface *surface)
{
    double sum = 0;

    for (int i = 0; i < surface->count; i++)
        sum += log(surface->point[i].seconds);
    return surface->cores * exp(-sum / surface->count);
}

bool surface_is_surpassed(const struct surface_fit *report, int count, int which)
{
    const struct surface_fit *this = &report[which];

    for (int i = 0; i < count; i++)
        if (surface_rate(&report[i].surface) > surface_rate(&this->surface) &&
            report[i].fit[report[i].shown].pc <= this->fit[this->shown].pc * (1 + PC_ALIKE))
            return true;
    return false;
}
