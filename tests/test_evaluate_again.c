#include <math.h>
#include <stdio.h>

#include "allocations.h"
#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "model/evaluate.h"
#include "model/stage.h"
#include "random_design.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario;

/* A refused design leaves what readers see of the last good one. */
TEST(a_refusal_changes_nothing)
{
    static const struct {
        const char *path, *bad, *good;
    } changes[] = {
        {"component.slopes.share", "1", "auto"},
        {"component.calibration.after", "dm", "camera"},
        {"wfs.ngs.detector_width", "1", "auto"},
        {"wfs.ngs.kind", "pyramid", "shack-hartmann"},
    };
    struct result good;
    struct result *result = sample_result();
    struct error error;

    sample_chain(&scenario);
    sample_evaluate(&scenario, result);
    if (!sample_evaluate_fresh(&scenario, &good))
        return;
    sample_same(result, &good, "before"); /* slack is computed when it is asked for */
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        sample_set(&scenario, changes[i].path, changes[i].bad);
        CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
        sample_same(result, &good, changes[i].path);
        sample_set(&scenario, changes[i].path, changes[i].good);
        if (i >= 2) {
            sample_evaluate(&scenario, result);
            sample_same(result, &good, "good again");
        }
    }
    result_free(&good);
}

/* The same again ------------------------------------------------------------------------------- */

/* The chain with one thing or another changed; the sixth is empty. */
static void other(struct scenario *b, int which)
{
    static const struct {
        const char *path, *value;
    } changes[][3] = {
        {{"scenario.packets", "7"}},
        {{"wfs.ngs.subaps_across", "12"}},
        {{"device.gpu0.kind", "gpu"}, {"component.recon.device", "gpu0"}},
        {{"component.camera.order", "centre-out"}},
        {{"component.slopes.barrier", "frame"}},
        {{NULL, NULL}},
        {{"component.recon.after", "calibration, slopes"}, {"component.dm.link", "none"}},
        {{"atmosphere.wind", "0"},
         {"device.rtc.launch", "77 us"},
         {"component.recon.overhead", "5 us"}},
        {{"component.recon.type", "custom"}, {"component.calibration.share", "0.2"}},
        {{"component.camera.exposure", "100 us"},
         {"component.camera.readout", "0"},
         {"component.camera.interface", "coaxpress-6"}},
        {{"component.recon.compute_efficiency", "0.001"}, {"device.rtc.launch", "20 us"}},
    };

    sample_chain(b);
    if (changes[which][0].path == NULL)
        scenario_init(b);
    if (which == 2)
        sample_add(b, SECTION_DEVICE, "gpu0");
    for (int i = 0; i < 3 && changes[which][i].path != NULL; i++)
        sample_set(b, changes[which][i].path, changes[which][i].value);
}

/* A, then B, then A with one result object: A as in a fresh one, bit for bit. */
TEST(evaluates_the_same_again)
{
    static struct scenario b;

    for (int a = 0; a <= 10; a++) {
        struct result once;
        struct result fresh;

        other(&scenario, a);
        if (!sample_evaluate_fresh(&scenario, &fresh))
            return;
        if (!sample_evaluate_fresh(&scenario, &once)) {
            result_free(&fresh);
            return;
        }
        sample_evaluate(&scenario, &once);
        sample_same(&once, &fresh, "twice");
        for (int which = 0; which < 10; which++) {
            char where[64];

            other(&b, which);
            sample_evaluate(&b, &once);
            sample_evaluate(&scenario, &once);
            snprintf(where, sizeof where, "design %d, after design %d", a, which);
            sample_same(&once, &fresh, where);
        }
        result_free(&once);
        result_free(&fresh);
    }
}

/* Draws another value of a number or choice: mostly a number close to the one before. */
static void change_knob(struct draw *draw)
{
    for (int tries = 0; tries < 50; tries++) {
        const struct knob *knob = &knobs[draw_below(draw, KNOB_COUNT)];
        int instances = section_count(&scenario, knob->section);
        struct knob_ref ref = {knob->section, instances < 1 ? 0 : draw_below(draw, instances),
                               knob};
        struct error error;
        double value;

        if (instances < 1 || is_of_loop(knob) || knob == &knobs[KNOB_SCENARIO_PACKETS] ||
            !knob_applies(&scenario, ref.section, ref.index, knob))
            continue;
        if (!knob_is_number(knob)) {
            int choices = draw_chance(draw, 0.3) ? knob_choice_count(&scenario, ref) : 0;

            if (choices > 0 &&
                knob_set_text(&scenario, ref,
                              knob_choice_name(&scenario, ref, draw_below(draw, choices)),
                              &error) == STATUS_OK)
                return;
            continue;
        }
        value = knob_number(&scenario, ref);
        value = knob_is_auto(knob, value) || draw_chance(draw, 0.2)
                    ? knob_at(knob, draw_between(draw, 0, 1))
                    : knob_step(knob, value, draw_below(draw, 7) - 3);
        if (knob_set_number(&scenario, ref, value, &error) == STATUS_OK)
            return;
    }
}

/* Returns true if all slots of two evaluations end at the same times, bit for bit. */
static bool same_slots(const struct result *result, const struct result *fresh, const char *where)
{
    for (int n = 0; n < result->work->plan.count; n++)
        for (int i = 0; i < result->work->track[n].slots; i++) {
            double end = track_end(&result->work->track[n], i);
            double expected = track_end(&fresh->work->track[n], i);

            if (!CHECK_TRUE(end == expected, "%s: slot %d of %s ends at %.17g s, expected %.17g",
                            where, i, result->node[n].name, end, expected))
                return false;
        }
    return true;
}

/* Returns true if a device was shared fluidly. */
static bool has_jobs(const struct result *result)
{
    const struct simulation *s = result->work->timeline.simulation;

    for (int k = 0; k < s->step_count; k++)
        if (s->step[k].kind == STEP_BEGINS_JOB)
            return true;
    return false;
}

/* Returns true if some causes that take longer or shorter change a design that was just evaluated
 * as they change it in a fresh result, bit for bit. */
static bool same_scaled(struct draw draw, struct result *result, const char *where)
{
    struct cause_factors factors;
    struct result fresh;
    struct error error;
    enum status status, expected;
    bool same;

    cause_factors_reset(&factors);
    factors.kind = 1;
    for (int d = 0; d < scenario.device_count; d++)
        for (int c = 0; c < CAUSE_COUNT; c++)
            if (draw_chance(&draw, 0.2))
                factors.of[d][c] = draw_between(&draw, 0.5, 3);
    result_init(&fresh);
    expected = evaluate_with(&scenario, &factors, &fresh, &error);
    status = evaluate_scaled(&scenario, &factors, true, result, &error);
    same =
        CHECK_INT(status, expected) &&
        (status != STATUS_OK ||
         (CHECK_TRUE(
              result->latency == fresh.latency && result->max_frame_rate == fresh.max_frame_rate &&
                  result->load == fresh.load && result->overloaded == fresh.overloaded,
              "%s, scaled: %.17g s and %.17g Hz, expected %.17g and %.17g", where, result->latency,
              result->max_frame_rate, fresh.latency, fresh.max_frame_rate) &&
          same_slots(result, &fresh, where)));
    result_free(&fresh);
    return same;
}

/* Knobs that change one by one: each time the results of a fresh evaluation, bit for bit, whether
 * or not the slots keep their order. */
TEST(single_knobs_change)
{
    int repeat = draw_repeat(300);
    int evaluated = 0;
    int same_order = 0;
    int same_frames = 0;
    int same_jobs = 0;

    for (int i = 0; i < repeat; i++) {
        struct draw draw = draw_start(0x5EED9000 + (uint64_t)i);
        struct result *result = sample_result();
        struct result fresh;
        struct error error;
        bool same = true;

        random_design(&draw, &scenario);
        scenario.general.packets = 1 + draw_below(&draw, 30);
        for (int w = 0; w < scenario.wfs_count; w++)
            scenario.wfs[w].packets = 0;
        if (i % 2 == 1 && evaluate(&scenario, result, &error) == STATUS_OK &&
            result->max_frame_rate != RESULT_NONE)
            scenario.general.frame_rate = 0.95 * result->max_frame_rate; /* frames may overlap */
        for (int change = 0; change < 12 && same; change++) {
            struct scenario before = scenario;
            char where[64];

            change_knob(&draw);
            if (evaluate(&scenario, result, &error) != STATUS_OK) {
                scenario = before;
                continue;
            }
            same_order +=
                result->work->timeline.simulated && result->work->timeline.simulation->repeated;
            same_frames += result->frames > 1 && result->work->timeline.simulated &&
                           result->work->timeline.simulation->repeated;
            same_jobs += result->work->timeline.simulated &&
                         result->work->timeline.simulation->repeated && has_jobs(result);
            if (!sample_evaluate_fresh(&scenario, &fresh))
                return;
            snprintf(where, sizeof where, "AOLAG_SEED=0x%x AOLAG_REPEAT=1, change %d",
                     0x5EED9000 + (unsigned)i, change);
            same = sample_same(result, &fresh, where) && same_slots(result, &fresh, where) &&
                   same_scaled(draw, result, where);
            result_free(&fresh);
            evaluated++;
        }
        if (!same)
            break;
    }
    printf(
        "# %d designs, %d of them simulated in the order of the one before, %d of several frames, "
        "%d with fluid sharing\n",
        evaluated, same_order, same_frames, same_jobs);
    CHECK(repeat < 300 || (same_order > 300 && same_frames > 10 && same_jobs > 50));
}

/* Evaluates the scenario again; returns true if that is like a fresh evaluation and counts those in
 * the order of the one before. */
static bool same_as_fresh(struct result *result, const char *where, int *same_order)
{
    struct result fresh;
    bool same;

    sample_evaluate(&scenario, result);
    *same_order += result->work->timeline.simulation->repeated;
    if (!sample_evaluate_fresh(&scenario, &fresh))
        return false;
    same = sample_same(result, &fresh, where) && same_slots(result, &fresh, where);
    result_free(&fresh);
    return same;
}

/* Of two components that share a device fluidly now one ends first, now the other, as one takes
 * longer and longer, and less again; then one has work only now and then. */
TEST(jobs_change_their_order)
{
    struct result *result = sample_result();
    int same_order = 0;
    int count = 0;
    bool same = true;
    char where[64];

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.sharing", "fluid");
    sample_set(&scenario, "scenario.packets", "6");
    sample_set(&scenario, "component.camera.readout", "2 us");
    for (; count < 400 && same; count++) {
        int c = 1 + count / 200; /* calibration, slopes */
        int at = count % 200;
        double efficiency = 0.1 * pow(0.94, at < 100 ? at : 200 - at);

        scenario.component[c].compute_efficiency = efficiency;
        scenario.component[3 - c].compute_efficiency = 0.002;
        snprintf(where, sizeof where, "efficiency %g of %d", efficiency, c);
        same = same_as_fresh(result, where, &same_order);
    }
    CHECK_TRUE(same_order > count / 2 && same_order < count - 10, "%d of %d in the same order",
               same_order, count);
    sample_set(&scenario, "component.recon.type", "custom");
    sample_set(&scenario, "component.recon.agenda", "pixels");
    sample_set(&scenario, "component.recon.overhead", "1 us");
    same_order = 0;
    for (int i = 0; i < 8 && same; i++) {
        sample_set(&scenario, "component.recon.flops", i / 2 % 2 == 0 ? "0" : "1e6");
        snprintf(where, sizeof where, "work, change %d", i);
        same = same_as_fresh(result, where, &same_order);
    }
    CHECK_INT(same_order, 6);
}

/* A link that is not there when its component gets another name has that name when it comes back.
 */
TEST(links_are_named_anew)
{
    struct result *result = sample_result();
    int same_order = 0;

    if (!systems_load(&scenario, "elt-scao"))
        return;
    same_as_fresh(result, "a camera", &same_order);
    CHECK_STR(result->link[result->link_count - 1].name, "camera.receive");
    snprintf(scenario.component[0].head.name, sizeof scenario.component[0].head.name, "eye");
    sample_set(&scenario, "component.eye.interface", "coaxpress-12");
    same_as_fresh(result, "without datagrams", &same_order);
    sample_set(&scenario, "component.eye.interface", "none");
    same_as_fresh(result, "with datagrams again", &same_order);
    CHECK_STR(result->link[result->link_count - 1].name, "eye.receive");
}

/* Only when a design changes size. */
TEST(allocates_once)
{
    struct result *result = sample_result();
    struct error error;

    for (int which = 0; which < 10; which++) {
        unsigned long before;
        unsigned long between;
        enum status status;

        other(&scenario, which);
        sample_evaluate(&scenario, result);
        before = allocations();
        status = evaluate(&scenario, result, &error);
        between = allocations() - before;
        CHECK_INT(status, STATUS_OK);
        CHECK_INT(between, 0);
    }
    {
        unsigned long before = allocations();
        struct result made;

        result_init(&made);
        CHECK_TRUE(allocations() > before, "the count of allocations stands still");
        result_free(&made);
    }
}
