/* Each flag of a fit: raised where it is due, not raised where it is not. */
#include "probe/fit.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "surface_fixture.h"

#define NS 1e-9

static struct surface_fixture surface;

/* A sound surface: what each case below departs from. */
static const struct fit sound = {
    .model = MODEL_HIERARCHY_2,
    .value = {3 * NS, 0.4 * NS, 60 * NS, 2 * NS},
    .c = 200e3,
};

/* The fit of a model to a surface of another, with 5 % of noise unless said otherwise. */
static struct fit fit_to(const struct fit *truth, enum memory_model model, double noise)
{
    struct draw draw = draw_start(11);
    struct error error = {.message = ""};
    struct fit fits[FIT_MODELS] = {0};
    bool good;

    surface_make(&surface, truth, 2, 2, noise, &draw);
    good = fit_models(surface.point, surface.count, fits, &error) == STATUS_OK;
    CHECK_TRUE(good, "%s", error.message);
    return fits[model];
}

static void raised(const struct fit *fit, enum fit_flag flag, const char *words)
{
    char text[300] = "";

    CHECK_TRUE(fit->flag[flag], "flag %d is not raised (%s)", flag, words);
    fit_flag_text(fit, flag, text, sizeof text);
    CHECK_TRUE(strstr(text, words) != NULL, "not \"%s\" but \"%s\"", words, text);
}

static void not_raised(const struct fit *fit, enum fit_flag flag)
{
    CHECK_TRUE(!fit->flag[flag], "flag %d is raised", flag);
}

TEST(sound_fits_have_none)
{
    struct fit fit = fit_to(&sound, MODEL_HIERARCHY_2, 0.05);

    for (int f = 0; f < FIT_FLAGS; f++)
        not_raised(&fit, (enum fit_flag)f);
    for (int v = 0; v < FIT_VALUES; v++)
        CHECK_TRUE(fit.effect[v] > 0.3 && fit.effect[v] <= 1, "effect %d is %g", v, fit.effect[v]);
}

TEST(c_at_the_edge)
{
    struct fit truth = sound;
    struct fit fit;

    truth.c = 30;
    fit = fit_to(&truth, MODEL_HIERARCHY_2, 0.05);
    raised(&fit, FIT_EDGE, "c = 1024 words is at the edge of the scan");
    truth.c = 0.9 * SURFACE_WORDS;
    fit = fit_to(&truth, MODEL_HIERARCHY_2, 0.05);
    raised(&fit, FIT_EDGE, "c = 3.355e+07 words is at the edge of the scan");
    /* a third within it is inside */
    truth.c = 1.3 * FIT_CACHE_LEAST;
    fit = fit_to(&truth, MODEL_HIERARCHY_2, 0);
    CHECK_NEAR(fit.c, truth.c, 0.1);
    not_raised(&fit, FIT_EDGE);
}

TEST(a_cache_slower_than_memory)
{
    struct fit truth = sound;
    struct fit fit;

    truth.value[FIT_G1] = 3 * NS;
    truth.value[FIT_G2] = 1 * NS;
    fit = fit_to(&truth, MODEL_HIERARCHY_2, 0.05);
    raised(&fit, FIT_GAPS, " is above g2 = ");
    not_raised(&fit, FIT_LATENCIES);
    truth = sound;
    truth.value[FIT_L1] = 90 * NS;
    fit = fit_to(&truth, MODEL_HIERARCHY_2, 0.05);
    raised(&fit, FIT_LATENCIES, " is above l2 = ");
    not_raised(&fit, FIT_GAPS);
}

TEST(a_latency_below_the_gap)
{
    struct fit truth = {.model = MODEL_LATENCY_BANDWIDTH, .value = {0, 0, 1 * NS, 2 * NS}};
    struct fit fit = fit_to(&truth, MODEL_LATENCY_BANDWIDTH, 0.05);

    raised(&fit, FIT_BELOW_GAP, " is above l = ");
    truth.value[FIT_L2] = 4 * NS;
    fit = fit_to(&truth, MODEL_LATENCY_BANDWIDTH, 0.05);
    not_raised(&fit, FIT_BELOW_GAP);
    truth = sound;
    truth.value[FIT_L1] = 0.1 * NS;
    fit = fit_to(&truth, MODEL_HIERARCHY_2, 0.05);
    raised(&fit, FIT_BELOW_GAP, "g1 = ");
}

TEST(a_value_without_effect)
{
    struct fit truth = {.model = MODEL_LATENCY_BANDWIDTH, .value = {0, 0, 100 * NS, 1e-6 * NS}};
    struct fit fit = fit_to(&truth, MODEL_LATENCY_BANDWIDTH, 0.05);

    raised(&fit, FIT_WEAK, " % of any time: poorly determined by the points");
    truth.value[FIT_G2] = 1 * NS;
    fit = fit_to(&truth, MODEL_LATENCY_BANDWIDTH, 0.05);
    not_raised(&fit, FIT_WEAK);
    truth = (struct fit){.model = MODEL_FLAT, .value = {[FIT_G2] = 1 * NS}};
    fit = fit_to(&truth, MODEL_TWO_LEVEL, 0);
    raised(&fit, FIT_WEAK, "doubling c changes no time by 1 %: poorly determined by the points");
    not_raised(&fit, FIT_GAPS);
}

/* A flat model knows neither L nor alpha; what each surface depends on is what shows. */
TEST(residuals_along_one_axis)
{
    struct fit truth = {.model = MODEL_LATENCY_BANDWIDTH, .value = {0, 0, 60 * NS, 2 * NS}};
    struct fit fit = fit_to(&truth, MODEL_FLAT, 0.05);

    raised(&fit, FIT_ALONG_L, "residuals are not random along L (Moran's I 0.");
    not_raised(&fit, FIT_ALONG_ALPHA);
    truth = (struct fit){.model = MODEL_TWO_LEVEL, .value = {0, 0.4 * NS, 0, 3 * NS}, .c = 200e3};
    fit = fit_to(&truth, MODEL_FLAT, 0.05);
    raised(&fit, FIT_ALONG_ALPHA, "residuals are not random along alpha");
    not_raised(&fit, FIT_ALONG_L);
}

/* Noise is flagged as often as it is allowed to be: one test in a hundred. */
TEST(noise_is_no_trend)
{
    int alarms = 0;

    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct draw draw = draw_start(seed);

        surface_make(&surface, &sound, 1, 1, 0.05, &draw);
        for (int axis = TREND_L; axis <= TREND_ALPHA; axis++) {
            struct trend trend = trend_find(surface.point, surface.count, fit_predict, &sound,
                                            (enum trend_axis)axis);

            alarms += trend_is_significant(&trend);
        }
    }
    CHECK_TRUE(alarms <= 12, "%d of 400", alarms);
}

static double is_one(const struct surface_point *point, const void *context)
{
    (void)point;
    (void)context;
    return 1;
}

/* Residuals 1, 2, 3, 4 on a line: I = 4 * 1.25 / (3 * 5) = 1/3 where -1/3 is expected, with
 * variance (16 * 12 - 4 * 40 + 3 * 36) / (15 * 36) - 1/9 = 4/27. Three such lines: z = 2 /
 * sqrt(12/27) = 3. */
TEST(moran_by_hand)
{
    struct trend trend;

    surface.count = 12;
    for (int i = 0; i < surface.count; i++)
        surface.point[i] = (struct surface_point){
            .alpha = 1 + i % 3, .block = 1 + i / 3, .held = 4096, .seconds = exp(1 + i / 3)};
    trend = trend_find(surface.point, 12, is_one, NULL, TREND_L);
    CHECK_INT(trend.pairs, 9);
    CHECK_NEAR(trend.i, 1.0 / 3, 1e-12);
    CHECK_NEAR(trend.z, 3, 1e-12);
    CHECK(trend_is_significant(&trend));
    /* along alpha all are equal, and lines of three are too short in any case */
    trend = trend_find(surface.point, 12, is_one, NULL, TREND_ALPHA);
    CHECK_INT(trend.pairs, 0);
    CHECK(!trend_is_significant(&trend));
    /* two lines have six neighbours: too few to test */
    for (int i = 0; i < surface.count; i++)
        surface.point[i].held = 4096 + i % 3;
    trend = trend_find(surface.point, 8, is_one, NULL, TREND_L);
    CHECK_NEAR(trend.z, 0, 0);
}
