#include "probe/fit_model.h"

#include <math.h>

/* clang-format off */
const struct fit_form fit_forms[FIT_MODELS] = {
    {MODEL_FLAT,              "flat",              false, {NULL, NULL, NULL, "g"}},
    {MODEL_TWO_LEVEL,         "two-level",         true,  {NULL, "g1", NULL, "g2"}},
    {MODEL_LATENCY_BANDWIDTH, "latency-bandwidth", false, {NULL, NULL, "l",  "g"}},
    {MODEL_HIERARCHY_2,       "hierarchy-2",       true,  {"l1", "g1", "l2", "g2"}},
};
/* clang-format on */

double fit_hit(const struct fit_point *point, double c)
{
    return c >= point->held ? 1 : pow(c / point->held, point->alpha);
}

void fit_terms(const struct fit_form *form, double hit, double block, double term[FIT_VALUES])
{
    bool waits = form->name[FIT_L2] != NULL;
    double first = waits ? 1 / block : 0;
    double near = form->cached ? hit : 0;

    term[FIT_L1] = near * first;
    term[FIT_G1] = near * (1 - first);
    term[FIT_L2] = (1 - near) * first;
    term[FIT_G2] = (1 - near) * (1 - first);
}

double fit_predict_levels(const struct fit_point *point, const void *fit_levels)
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

enum status fit_surface_pc(const struct fit_point *point, int count, fit_predictor *predict,
                           const void *context, double *pc, struct error *error)
{
    double sum = 0;

    for (int i = 0; i < count; i++) {
        double predicted = predict(&point[i], context);
        double residual = log(point[i].seconds / predicted);

        if (!(predicted > 0) || !isfinite(residual))
            return error_set(error, STATUS_INVALID,
                             "point %d (alpha %g, L %g): T is %g s, predicted %g s; allowed: above "
                             "0",
                             i + 1, point[i].alpha, point[i].block, point[i].seconds, predicted);
        sum += residual * residual;
    }
    *pc = exp(sqrt(sum / count));
    return STATUS_OK;
}
