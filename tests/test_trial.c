/* Changed copies of a design: each change is undone, and a stop ends all of them. */
#include "explore/trial.h"

#include "check.h"
#include "design/scenario_edit.h"
#include "sample.h"

static struct scenario scenario;

/* The chain of the samples, which takes time. */
static struct trial *start_trial(const struct progress *progress)
{
    struct trial *trial;

    scenario_init(&scenario);
    sample_chain(&scenario);
    trial = trial_new(&scenario, progress);
    CHECK_TRUE(trial_start(trial, NULL), "%s", trial->problem.message);
    return trial;
}

static bool tries(struct trial *trial, enum knob_id id, double value)
{
    return trial_set_number(trial, knob_ref_to(id, 0), value) && trial_evaluate(trial);
}

TEST(a_point_leaves_nothing_behind)
{
    struct trial *trial = start_trial(NULL);

    CHECK(tries(trial, KNOB_WFS_SUBAPS_ACROSS, 20));
    CHECK_TRUE(trial->after.latency > trial->now.latency, "%g", trial->after.latency);
    CHECK(!tries(trial, KNOB_DEVICE_CORES, -1));
    CHECK_INT(trial->problem.status, STATUS_INVALID);
    CHECK(tries(trial, KNOB_SCENARIO_FRAME_RATE, scenario.general.frame_rate));
    CHECK_NEAR(trial->after.latency, trial->now.latency, 0);
    trial_free(trial);
}

/* A changed design is started again with the clock that it had. */
TEST(a_change_can_be_kept)
{
    struct trial *trial = start_trial(NULL);
    double clock = trial->present->last_pixel;

    sample_set(&scenario, "component.camera.readout", "900 us");
    CHECK(trial_start(trial, NULL));
    CHECK(trial->present->last_pixel > clock);
    CHECK_NEAR(trial->now.counted, trial->present->first_pixel - clock, 1e-15);
    trial_free(trial);
}

TEST(a_design_is_compared_with_its_copy)
{
    struct trial *trial = start_trial(NULL);
    struct latency_range range;
    struct compare_verdict verdict;

    CHECK(trial_set_number(trial, knob_ref_to(KNOB_WFS_SUBAPS_ACROSS, 0), 80));
    CHECK(trial_compare(trial, &range, &verdict));
    CHECK_INT(verdict.faster, 0);
    CHECK_NEAR(verdict.of[0].latency, trial->now.latency, 0);
    CHECK_NEAR(verdict.of[1].latency, trial->after.latency, 0);
    trial_free(trial);
}

static bool stop_at_a_quarter(void *context, double done)
{
    ++*(int *)context;
    return done < 0.25;
}

TEST(a_stop_ends_it)
{
    int told = 0;
    const struct progress progress = {stop_at_a_quarter, &told};
    struct trial *trial = start_trial(&progress);
    struct knob_ref ref = {.knob = NULL};
    struct latency_range range;
    struct error error;
    int passed = 0, at_stop;

    while (trial_next_knob(trial, TRIAL_ROLES, &ref))
        passed++;
    at_stop = told;
    CHECK_TRUE(passed > 3, "%d knobs", passed);
    CHECK(!trial_evaluate(trial));
    CHECK(!trial_find_range(trial, DERIVED_RANGE, &range));
    CHECK(!trial_start(trial, NULL));
    CHECK(trial_present_range(trial) == NULL);
    CHECK(!trial_goes_on(trial, 0));
    CHECK_INT(told, at_stop);
    CHECK_INT(trial_status(trial, &error), STATUS_STOPPED);
    CHECK_INT(trial_problem(trial, &error), STATUS_STOPPED);
    trial_watch(trial, NULL);
    CHECK(trial_evaluate(trial));
    trial_free(trial);
}
