/* The best division of a device against a slow search of a grid. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "design/knob_text.h"
#include "draw.h"
#include "explore/shares.h"
#include "model/evaluate.h"
#include "random_design.h"
#include "sample.h"
#include "systems.h"

enum { GRID = 25 };

static struct scenario scenario, changed;

static struct share_split best_of(int device)
{
    struct share_split split = {0};
    struct trial *trial;

    if (!sample_evaluate(&scenario, sample_result()))
        return split;
    trial = trial_new(&scenario, NULL);
    trial_start(trial, sample_result());
    shares_best(trial, device, &split);
    trial_free(trial);
    return split;
}

/* Takes the split as a file would and holds its promise against a fresh evaluation. */
static double check_split(const char *name, const struct share_split *split)
{
    double before = sample_result()->latency;
    struct result result;
    double latency = before;

    scenario_copy(&changed, &scenario);
    for (int i = 0; i < split->count; i++) {
        char text[40];
        struct knob_ref ref;
        struct error error = {STATUS_OK, ""};

        knob_find_key(&changed, SECTION_COMPONENT, split->share[i].component, "share", &ref, NULL);
        share_text(&split->share[i], text, sizeof text);
        CHECK_TRUE(knob_set_text(&changed, ref, text, &error) == STATUS_OK, "%s: %s", name,
                   error.message);
    }
    if (sample_evaluate_fresh(&changed, &result)) {
        latency = result.latency;
        CHECK_TRUE(split->after.latency == latency, "%s: expected %.17g, got %.17g", name, latency,
                   split->after.latency);
        CHECK_TRUE(split->gain == before - latency && split->gain >= 0,
                   "%s: gain %.17g of %.17g, latency then %.17g", name, split->gain, before,
                   latency);
    }
    result_free(&result);
    return latency;
}

/* The least latency of all shares in steps of 1 / GRID, each automatic one too. */
static double grid_least(const struct share_split *split, int i, double rest, struct result *result)
{
    double least = (double)INFINITY;

    if (i == split->count)
        return evaluate(&changed, result, NULL) == STATUS_OK && !result->overloaded
                   ? result->latency
                   : least;
    for (int g = 0; g <= GRID && (double)g / GRID <= rest + 1e-9; g++) {
        double share = (double)g / GRID;

        changed.component[split->share[i].component].share = share;
        least = fmin(least, grid_least(split, i + 1, rest - share, result));
    }
    return least;
}

TEST(near_a_grid)
{
    /* four components on one device, and three */
    static const char *const names[] = {"gregor", "sst", "dkist", "galacsi", "saxo", "elt-scao"};

    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        struct share_split split;
        struct result result;
        double least;

        if (!systems_load(&scenario, names[n]))
            continue;
        sample_set(&scenario, "scenario.sharing", "partition");
        split = best_of(0);
        CHECK_TRUE(split.count >= 3, "%s: %d share", names[n], split.count);
        check_split(names[n], &split);
        if (split.count > 4)
            continue;
        result_init(&result);
        scenario_copy(&changed, &scenario);
        least = grid_least(&split, 0, 1, &result);
        CHECK_TRUE(split.after.latency <= least * 1.003, "%s: a grid finds %.17g, the search %.17g",
                   names[n], least, split.after.latency);
        result_free(&result);
    }
}

static void look(const char *name, const struct scenario *system, const struct result *result)
{
    (void)result;
    scenario_copy(&scenario, system);
    sample_set(&scenario, "scenario.sharing", "partition");
    for (int d = -1; d < scenario.device_count; d++) {
        struct share_split split = best_of(d);

        check_split(name, &split);
    }
}

TEST(never_worse_on_any_system)
{
    systems_each(look);
}

/* A division that somebody stated, badly. */
TEST(better_than_what_was_stated)
{
    struct share_split split;

    systems_load(&scenario, "gregor");
    sample_set(&scenario, "component.slopes.share", "0.1");
    sample_set(&scenario, "component.recon.share", "0.8037");
    split = best_of(0);
    CHECK(split.gain > 0);
    check_split("stated", &split);
}

TEST(what_has_nothing_to_divide)
{
    systems_load(&scenario, "elt-scao");
    sample_set(&scenario, "scenario.sharing", "partition");
    CHECK_INT(best_of(1).count, 0);  /* one component alone */
    CHECK_INT(best_of(-1).count, 0); /* one device that several share */
    sample_set(&scenario, "scenario.sharing", "exclusive");
    CHECK_INT(best_of(0).count, 0);
}

TEST(random_designs)
{
    struct draw draw = draw_start(5);

    for (int i = 0; i < draw_repeat(24); i++) {
        random_design(&draw, &scenario);
        sample_set(&scenario, "scenario.sharing", "partition");
        sample_set(&scenario, "scenario.packets", "5");
        if (evaluate(&scenario, sample_result(), NULL) != STATUS_OK)
            continue;
        for (int d = -1; d < scenario.device_count && d < 2; d++) {
            struct share_split split = best_of(d);

            if (!sample_result()->overloaded)
                check_split("random", &split);
        }
    }
}
