/* Knobs that have nothing to act on: which they are, and that they do not act. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "random_design.h"
#include "rows.h"
#include "sample.h"

static struct scenario scenario;

static bool idle(const char *path)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    return CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message) &&
           knob_idle(&scenario, ref);
}

static void check_idle(const struct row *row)
{
    const char *path = row->field[0];
    const char *cause = row->field[1];

    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    sample_set(&scenario, "device.gpu.kind", "gpu");
    sample_set(&scenario, cause, row->field[3]);
    ROW_TRUE(row, idle(path), "%s acts with %s = %s", path, cause, row->field[3]);
    ROW_TRUE(row, !idle(cause), "%s is idle itself", cause);
    sample_set(&scenario, cause, row->field[2]);
    ROW_TRUE(row, !idle(path), "%s is idle with %s = %s", path, cause, row->field[2]);
}

TEST(what_a_choice_brings_to_life)
{
    rows_each("knobs.txt", "idle", 4, check_idle);
}

/* What the scenario states is not left out, even where it does nothing. */
TEST(what_is_stated_stays)
{
    sample_chain(&scenario);
    CHECK(idle("component.recon.tile"));
    sample_set(&scenario, "component.recon.tile", "256");
    CHECK(!idle("component.recon.tile"));
    CHECK(idle("component.recon.rank"));
}

/* Resets idle knobs that are not stated; returns how many. Grids and states are told
 * in the result although nothing follows from them. */
static int reset_idle(struct scenario *design)
{
    static struct scenario before;
    int count = 0;

    for (int k = 0; k < KNOB_COUNT; k++)
        for (int i = 0; i < section_count(design, knobs[k].section); i++) {
            struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

            if (!knob_applies(design, ref.section, i, ref.knob) ||
                knob_origin(design, ref) != ORIGIN_SET || strcmp(ref.knob->key, "grid") == 0 ||
                strcmp(ref.knob->key, "states") == 0)
                continue;
            scenario_copy(&before, design);
            knob_reset(design, ref);
            if (knob_idle(design, ref))
                count++;
            else
                scenario_copy(design, &before);
        }
    return count;
}

TEST(idle_knobs_do_not_act)
{
    static struct result expected;
    static struct result actual;
    static struct scenario plain;
    int evaluated = 0;
    int count = 0;

    if (!CHECK_INT(result_init(&expected, NULL), STATUS_OK) ||
        !CHECK_INT(result_init(&actual, NULL), STATUS_OK))
        return;
    for (uint64_t seed = 1; seed <= 400 && evaluated < 60; seed++) {
        struct draw draw = draw_start(seed);
        struct error error;
        char where[64];

        random_design(&draw, &scenario);
        if (evaluate(&scenario, &expected, &error) != STATUS_OK)
            continue;
        scenario_copy(&plain, &scenario);
        count += reset_idle(&plain);
        snprintf(where, sizeof where, "design %u", (unsigned)seed);
        if (!CHECK_TRUE(evaluate(&plain, &actual, &error) == STATUS_OK, "%s: %s", where,
                        error.message) ||
            !sample_same(&actual, &expected, where))
            break;
        evaluated++;
    }
    result_free(&expected);
    result_free(&actual);
    CHECK_TRUE(evaluated >= 20 && count > 10 * evaluated, "%d knobs of %d designs", count,
               evaluated);
}
