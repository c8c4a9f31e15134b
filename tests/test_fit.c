/* Models of memory fitted to the published surface, to surfaces whose truth is known, and to points
 * that cannot be fitted. */
#include "probe/fit.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "surface_fixture.h"

#define NS 1e-9

static struct surface_fixture surface;

static bool fit_surface(struct fit fits[FIT_MODELS])
{
    struct error error = {.message = ""};
    bool good = fit_models(surface.point, surface.count, fits, &error) == STATUS_OK;

    return CHECK_TRUE(good, "%s", error.message);
}

/* Apart from c, to the digits they are given with; a smaller sum of squares would be welcome. */
TEST(reproduces_the_reference)
{
    static const struct fit expected[FIT_MODELS] = {
        {.model = MODEL_FLAT, .value = {0, 0, 0, 1.6555 * NS}, .squares = 56.5925, .pc = 2.210},
        {.model = MODEL_TWO_LEVEL,
         .value = {0, 1.100 * NS, 0, 2.550 * NS},
         .c = 1024,
         .squares = 46.9497,
         .pc = 2.059},
        {.model = MODEL_LATENCY_BANDWIDTH,
         .value = {0, 0, 8.4645 * NS, 1.1281 * NS},
         .squares = 22.8646,
         .pc = 1.655},
        {.model = MODEL_HIERARCHY_2,
         .value = {3.294 * NS, 0.852 * NS, 20.10 * NS, 1.489 * NS},
         .c = 1024,
         .squares = 11.2552,
         .pc = 1.424},
    };
    static const char *const titles[FIT_MODELS] = {"flat", "two-level", "latency-bandwidth",
                                                   "hierarchy-2"};
    struct fit fits[FIT_MODELS];

    if (!surface_reference(&surface) || !fit_surface(fits))
        return;
    for (int m = 0; m < FIT_MODELS; m++) {
        const struct fit_form *form = &fit_forms[m];

        CHECK_INT(fits[m].model, expected[m].model);
        CHECK_STR(form->title, titles[m]);
        for (int v = 0; v < FIT_VALUES; v++)
            CHECK_NEAR(fits[m].value[v], expected[m].value[v], 5e-4);
        CHECK_NEAR(fits[m].c, expected[m].c, 1e-3);
        CHECK_NEAR(fits[m].squares, expected[m].squares, 1e-5);
        CHECK_NEAR(fits[m].pc, expected[m].pc, 3e-4);
        CHECK_INT(fits[m].flag[FIT_EDGE], form->cached);
    }
}

/* What is reported of a fit is what its predictions give. */
TEST(reports_its_own_residuals)
{
    struct fit fits[FIT_MODELS];

    if (!surface_reference(&surface) || !fit_surface(fits))
        return;
    for (int m = 0; m < FIT_MODELS; m++) {
        double squares = 0;
        double linear = 0;
        double pc = 0;

        for (int i = 0; i < surface.count; i++) {
            double measured = surface.point[i].seconds;
            double predicted = fit_predict(&surface.point[i], &fits[m]);

            squares += pow(log(measured / predicted), 2);
            linear += pow(measured - predicted, 2);
        }
        CHECK_NEAR(fits[m].squares, squares, 1e-9);
        CHECK_NEAR(fits[m].linear, linear, 1e-9);
        CHECK_INT(residuals_pc(surface.point, surface.count, fit_predict, &fits[m], &pc, NULL),
                  STATUS_OK);
        CHECK_NEAR(fits[m].pc, pc, 1e-9);
        CHECK_NEAR(fits[m].pc, exp(sqrt(squares / surface.count)), 1e-9);
    }
}

/* A model that holds another as a special case is no worse. */
TEST(richer_models_fit_no_worse)
{
    for (uint64_t seed = 1; seed <= (uint64_t)draw_repeat(20); seed++) {
        struct draw draw = draw_start(seed);
        struct fit truth = {.model = MODEL_HIERARCHY_2, .c = draw_log(&draw, 2048, 1e7)};
        struct fit fits[FIT_MODELS];

        for (int v = 0; v < FIT_VALUES; v++)
            truth.value[v] = draw_log(&draw, 0.1 * NS, 100 * NS);
        surface_make(&surface, &truth, 1, 1, 0.3, &draw);
        for (int i = 0; i < surface.count; i++)
            surface.point[i].seconds = fmax(surface.point[i].seconds, 1e-12);
        if (!fit_surface(fits))
            return;
        CHECK_TRUE(fits[1].squares <= fits[0].squares * (1 + 1e-9) &&
                       fits[2].squares <= fits[0].squares * (1 + 1e-9) &&
                       fits[3].squares <= fits[1].squares * (1 + 1e-9) &&
                       fits[3].squares <= fits[2].squares * (1 + 1e-9),
                   "seed %d: %.9g, %.9g, %.9g, %.9g", (int)seed, fits[0].squares, fits[1].squares,
                   fits[2].squares, fits[3].squares);
    }
}

static void recovers(const struct fit *truth, const struct fit *fit, int seed)
{
    const struct fit_form *form = &fit_forms[truth->model];

    for (int v = 0; v < FIT_VALUES; v++)
        CHECK_TRUE(fabs(fit->value[v] - truth->value[v]) <= 0.1 * truth->value[v],
                   "seed %d, %s: %s is %g, not %g", seed, form->title, form->name[v], fit->value[v],
                   truth->value[v]);
    CHECK_TRUE(fabs(fit->c - truth->c) <= 0.1 * truth->c, "seed %d, %s: c is %g, not %g", seed,
               form->title, fit->c, truth->c);
    CHECK_NEAR(fit->pc, 1.05, 0.02);
}

/* Ten surfaces of each model with 5 % of noise. c stands in an exponent: from one sample of each
 * point of a single M it can be known to some 20 % only (the Cramer-Rao bound says so), from what a
 * probe takes, five samples at several M, to 10 %. */
TEST(recovers_what_made_a_surface)
{
    for (uint64_t seed = 1; seed <= (uint64_t)draw_repeat(10); seed++) {
        struct draw draw = draw_start(seed);
        struct fit truth = {.c = draw_log(&draw, 30e3, 1e6)};
        struct fit fits[FIT_MODELS];

        truth.value[FIT_L1] = draw_log(&draw, 2 * NS, 5 * NS);
        truth.value[FIT_G1] = draw_log(&draw, 0.2 * NS, 0.5 * NS);
        truth.value[FIT_L2] = draw_log(&draw, 30 * NS, 100 * NS);
        truth.value[FIT_G2] = draw_log(&draw, 1 * NS, 3 * NS);
        for (int m = 0; m < FIT_MODELS; m++) {
            struct fit of_model = {.model = (enum memory_model)m,
                                   .c = fit_forms[m].cached ? truth.c : 0};

            for (int v = 0; v < FIT_VALUES; v++)
                of_model.value[v] = fit_forms[m].name[v] == NULL ? 0 : truth.value[v];
            surface_make(&surface, &of_model, of_model.c > 0 ? 3 : 1, of_model.c > 0 ? 5 : 1, 0.05,
                         &draw);
            if (!fit_surface(fits))
                return;
            recovers(&of_model, &fits[m], (int)seed);
        }
    }
}

/* The same points in another order, or in another unit of time, are the same surface. */
TEST(depends_on_the_points_alone)
{
    struct fit fits[FIT_MODELS];
    struct fit again[FIT_MODELS];

    if (!surface_reference(&surface) || !fit_surface(fits))
        return;
    for (int i = 0; i < surface.count / 2; i++) {
        struct surface_point point = surface.point[i];

        surface.point[i] = surface.point[surface.count - 1 - i];
        surface.point[surface.count - 1 - i] = point;
    }
    for (int i = 0; i < surface.count; i++)
        surface.point[i].seconds *= 1000;
    if (!fit_surface(again))
        return;
    for (int m = 0; m < FIT_MODELS; m++) {
        for (int v = 0; v < FIT_VALUES; v++)
            CHECK_NEAR(again[m].value[v], 1000 * fits[m].value[v], 1e-5);
        CHECK_NEAR(again[m].squares, fits[m].squares, 1e-9);
        CHECK_NEAR(again[m].along_l.z, fits[m].along_l.z, 1e-3);
        CHECK_INT(memcmp(again[m].flag, fits[m].flag, sizeof fits[m].flag), 0);
    }
}

/* A device's levels predict what memory_cost does, a table of two what hierarchy-2 does. */
TEST(predicts_from_levels)
{
    struct fit fit = {
        .model = MODEL_HIERARCHY_2, .value = {4 * NS, 0.5 * NS, 20 * NS, 2 * NS}, .c = 100e3};
    struct memory memory = {.count = 2,
                            .level = {{LEVEL_L3, 800e3, 8 / (0.5 * NS), 4 * NS},
                                      {LEVEL_MEMORY, INFINITY, 8 / (2 * NS), 20 * NS}}};
    struct fit_levels levels = {.model = MODEL_HIERARCHY_2, .memory = &memory, .word = 8};
    struct draw draw = draw_start(7);
    double pc = 0;

    surface_make(&surface, &fit, 2, 1, 0, &draw);
    for (int i = 0; i < surface.count; i++)
        CHECK_NEAR(fit_predict_levels(&surface.point[i], &levels), surface.point[i].seconds, 1e-12);
    CHECK_INT(residuals_pc(surface.point, surface.count, fit_predict_levels, &levels, &pc, NULL),
              STATUS_OK);
    CHECK_NEAR(pc, 1, 1e-9);
    for (int i = 0; i < surface.count; i++)
        surface.point[i].seconds *= i % 2 == 0 ? 1.5 : 1 / 1.5;
    residuals_pc(surface.point, surface.count, fit_predict_levels, &levels, &pc, NULL);
    CHECK_NEAR(pc, 1.5, 1e-9);
}

static double predicts_nothing(const struct surface_point *point, const void *context)
{
    (void)point;
    (void)context;
    return 0;
}

static void refuses(const char *message)
{
    struct fit fits[FIT_MODELS];
    struct error error = {.message = ""};

    CHECK_INT(fit_models(surface.point, surface.count, fits, &error), STATUS_INVALID);
    CHECK_STR(error.message, message);
}

TEST(refuses_what_cannot_be_fitted)
{
    static const struct {
        double seconds;
        const char *message;
    } times[] = {
        {0, "point 3: T is 0 s; allowed: above 0"},
        {-1e-9, "point 3: T is -1e-09 s; allowed: above 0"},
        {NAN, "point 3: T is nan s; allowed: above 0"},
        {INFINITY, "point 3: T is inf s; allowed: above 0"},
    };

    if (!surface_reference(&surface))
        return;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        surface.point[2].seconds = times[i].seconds;
        refuses(times[i].message);
    }
    surface_reference(&surface);
    surface.point[2].alpha = 0;
    refuses("point 3: alpha is 0; allowed: above 0");
    surface_reference(&surface);
    surface.point[2].block = 0.5;
    refuses("point 3: L is 0.5 words; allowed: 1 to M, which is 6.71089e+07");
    surface_reference(&surface);
    surface.point[2].held = 1000;
    refuses("point 3: M is 1000 words; allowed: from 2048");
}

TEST(refuses_what_lacks_variety)
{
    struct fit fits[FIT_MODELS];
    struct error error = {.message = ""};
    double pc = 0;

    surface_reference(&surface);
    surface.count = 1;
    refuses("1 point; at least 6 are needed, one more than the largest model has values");
    surface.count = 0;
    refuses("0 points; at least 6 are needed, one more than the largest model has values");
    CHECK_INT(fit_models(surface.point, FIT_POINTS_MAX + 1, fits, &error), STATUS_INVALID);
    CHECK_STR(error.message, "20001 points; at most 20000 can be fitted");
    surface.count = 10;
    refuses("all points have L = 1; a second L is needed to separate l from g");
    for (int i = 0; i < surface.count; i++) {
        surface.point[i].alpha = 0.5;
        surface.point[i].block = 1 + i;
    }
    refuses("all points have alpha = 0.5 and the same M; a second alpha or M is needed to separate "
            "cache from memory");
    CHECK_INT(residuals_pc(surface.point, 1, predicts_nothing, NULL, &pc, &error), STATUS_INVALID);
    CHECK_STR(error.message,
              "point 1 (alpha 0.5, L 1): T is 1.5496e-08 s, predicted 0 s; allowed: above 0");
}

/* Few, equal or extreme points: no figure that is not finite. */
TEST(stays_finite)
{
    static const double times[] = {1e-300, 1e-9, 1e-9, 1, 1e300, 1e-9};
    struct fit fits[FIT_MODELS];

    for (int kind = 0; kind < 2; kind++) {
        surface.count = 6;
        for (int i = 0; i < surface.count; i++)
            surface.point[i] = (struct surface_point){.alpha = i % 2 == 0 ? 1 : 1e-9,
                                                      .block = i < 3 ? 1 : 2048,
                                                      .held = 2048,
                                                      .seconds = kind == 0 ? 1e-9 : times[i]};
        if (!fit_surface(fits))
            return;
        for (int m = 0; m < FIT_MODELS; m++) {
            for (int v = 0; v < FIT_VALUES; v++)
                CHECK_TRUE(isfinite(fits[m].value[v]) && isfinite(fits[m].effect[v]),
                           "%d: %g, effect %g", m, fits[m].value[v], fits[m].effect[v]);
            CHECK_TRUE(isfinite(fits[m].c) && isfinite(fits[m].squares) && isfinite(fits[m].pc),
                       "%d: c %g, squares %g, PC %g", m, fits[m].c, fits[m].squares, fits[m].pc);
        }
    }
}
