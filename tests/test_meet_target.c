/* What meets the target, held against evaluations of the test's own. */
#include <string.h>

#include "advise_fixture.h"
#include "check.h"
#include "design/knob_text.h"
#include "draw.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "sample.h"
#include "systems.h"

/* Whether a value meets the target without a slower camera. */
static bool meets(const struct advise *advise, struct knob_ref ref, const char *text, double number)
{
    struct result *result = sample_result();
    struct error error;
    bool set;

    scenario_copy(&advise_changed, &advise_design);
    set = text != NULL ? knob_set_text(&advise_changed, ref, text, &error) == STATUS_OK
                       : knob_set_number(&advise_changed, ref, number, &error) == STATUS_OK;
    return set && evaluate(&advise_changed, result, NULL) == STATUS_OK && !result->overloaded &&
           result->latency <= result->target &&
           result->first_pixel <= advise->now.first_pixel * (1 + 1e-9);
}

/* Steps of one knob until the target is met; 0: it never is. */
static int steps_needed(const struct advise *advise, struct knob_ref ref, int way)
{
    double value = knob_number_in_force(&advise_design, advise->trial->present, ref);

    for (int n = 1; n <= TARGET_VALUES_MAX && value != RESULT_NONE; n++) {
        if (!part_values_next(advise_part_values(), &advise_design, ref, value, way, &value))
            return 0;
        if (meets(advise, ref, NULL, value))
            return n;
    }
    return 0;
}

static const struct target_knob *listed(const struct advise *advise, struct knob_ref ref, int way)
{
    for (int i = 0; i < advise->target.count; i++) {
        const struct target_knob *knob = &advise->target.knob[i];

        if (knob->ref.knob == ref.knob && knob->ref.index == ref.index && knob->direction == way)
            return knob;
    }
    return NULL;
}

static void check_knobs(const struct advise *advise)
{
    for (struct knob_ref ref = {.knob = NULL}; knob_next(&advise_design, &ref);) {
        if (!knob_is_number(ref.knob))
            continue;
        for (int way = -1; way <= 1; way += 2) {
            const struct target_knob *knob = listed(advise, ref, way);
            int steps = knob_is_selectable(ref.knob) && !knob_idle(&advise_design, ref)
                            ? steps_needed(advise, ref, way)
                            : 0;

            CHECK_TRUE(steps == (knob == NULL ? 0 : knob->steps), "%s by %d: expected %d, got %d",
                       ref.knob->key, way, steps, knob == NULL ? 0 : knob->steps);
        }
    }
    for (int i = 0; i < advise->target.count; i++) {
        const struct target_knob *knob = &advise->target.knob[i];

        CHECK_TRUE(meets(advise, knob->ref, knob->to, 0), "%s = %s does not", knob->ref.knob->key,
                   knob->to);
        advise_check(knob->to, &knob->after);
        if (i > 0)
            CHECK(knob[-1].steps <= knob->steps);
    }
}

/* Each step taken one after the other, none better at its time, the last one meets the target. */
static void check_way(const struct advise *advise, enum target_source from, unsigned roles)
{
    static struct scenario before;
    const struct target_sequence *way = &advise->target.sequence[from];
    double target = advise_design.general.target_latency;
    double latency = advise->now.latency;

    scenario_copy(&before, &advise_design);
    for (int i = 0; i < way->count; i++) {
        struct advise *then = advise_on(&before);
        double after = performance_target_ratio(&way->step[i].after, target);

        if (then == NULL || !advise_has(then, ADVISE_STEPS))
            return;
        CHECK(!then->now.met);
        for (int c = 0; c < then->choices.count; c++)
            if ((roles >> then->choices.at[c].ref.knob->role & 1U) != 0 &&
                !then->choices.at[c].later)
                CHECK_TRUE(performance_target_ratio(&then->choices.at[c].after, target) >= after,
                           "%s, step %d: %s is better", target_source_name(from), i,
                           then->choices.at[c].ref.knob->key);
        scenario_copy(&advise_changed, &before);
        advise_set(way->step[i].ref, way->step[i].to);
        latency = advise_check("sequence", &way->step[i].after);
        scenario_copy(&before, &advise_changed);
        advise_free(then);
    }
    scenario_copy(&advise_changed, &before);
    advise_check("sequence", &way->after);
    CHECK_NEAR(way->gain, advise->now.latency - latency, 0);
    CHECK_TRUE(way->after.met || way->exhausted || way->count == TARGET_STEPS_MAX,
               "%s ends early, after %d", target_source_name(from), way->count);
}

TEST(what_meets_the_target)
{
    static const double targets[ADVISE_SYSTEMS] = {40e-6, 25e-6, 150e-6};

    for (int s = 0; s < ADVISE_SYSTEMS; s += draw_every(1)) {
        struct advise *advise = advise_system(advise_systems[s], ADVISE_TARGET, targets[s]);

        if (advise == NULL)
            continue;
        CHECK(!advise->target.met);
        check_knobs(advise);
        check_way(advise, TARGET_SOFTWARE, STEPS_SOFTWARE);
        check_way(advise, TARGET_HARDWARE, STEPS_HARDWARE);
        check_way(advise, TARGET_CHOICES, STEPS_CHOICES);
        CHECK_TRUE(advise->target.sequence[TARGET_CHOICES].after.met, "%s", advise_systems[s]);
        advise_free(advise);
    }
}

TEST(a_target_that_is_met_needs_nothing)
{
    struct advise *advise = advise_system("elt-scao", ADVISE_TARGET, 0);

    if (advise == NULL)
        return;
    CHECK(advise->target.met);
    CHECK_INT(advise->target.count, 0);
    advise_free(advise);
}

/* A readout that is longer than the frame: no part or setting helps, and it is said what limits. */
TEST(what_cannot_be_met)
{
    struct advise *advise = advise_system("elt-scao", ADVISE_TARGET, 1e-9);

    if (advise == NULL)
        return;
    CHECK_INT(advise->target.count, 0);
    for (int from = 0; from < TARGET_SOURCES; from++) {
        CHECK(!advise->target.sequence[from].after.met);
        CHECK(advise->target.sequence[from].after.bound[0] != '\0');
    }
    advise_free(advise);
}

/* An overloaded design is ranked by what is left of its load. */
TEST(overloaded_designs)
{
    struct advise *advise;

    systems_load(&advise_design, "harmoni-scao");
    sample_set(&advise_design, "scenario.frame_rate", "5000");
    sample_set(&advise_design, "component.camera.readout", "190 us");
    advise = advise_on(&advise_design);
    if (advise == NULL || !advise_has(advise, ADVISE_STEPS) || !advise_has(advise, ADVISE_TARGET))
        return;
    CHECK(advise->now.overloaded);
    CHECK(!advise->now.met);
    for (int i = 1; i < advise->choices.count && !advise->choices.at[i].later; i++)
        CHECK(advise->choices.at[i - 1].after.load <= advise->choices.at[i].after.load);
    CHECK(advise->target.sequence[TARGET_CHOICES].after.met);
    CHECK(advise->target.count > 0);
    advise_free(advise);
}
