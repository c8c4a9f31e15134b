/* Advice, recomputed: every gain, elasticity, division, number of packets and answer by evaluations
 * of the test's own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "evaluate.h"
#include "explore/advise.h"
#include "knob_in_force.h"
#include "sample.h"
#include "systems.h"

static const char *const systems[] = {"elt-scao", "harmoni-ltao", "metis-scao"};

enum { SYSTEMS = sizeof systems / sizeof systems[0] };

static struct ladder *ladder;
static struct scenario scenario, changed;

static int setup(void)
{
    return ladder_new(&ladder, systems_catalogue(), NULL) == STATUS_OK ? 0 : 1;
}

static int cleanup(void)
{
    ladder_free(ladder);
    return 0;
}

static struct advise *advise_on(const struct scenario *design)
{
    struct error error = {STATUS_OK, ""};
    struct advise *advise = NULL;

    CHECK_TRUE(advise_new(&advise, design, ladder, &error) == STATUS_OK, "%s", error.message);
    return advise;
}

static bool find(struct advise *advise, enum advise_part part)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(advise_find(advise, part, NULL, &error) == STATUS_OK, "%s", error.message);
}

/* A system with advice of one part on it; a target of so many s, 0: its own. */
static struct advise *advise_system(const char *name, enum advise_part part, double target)
{
    struct advise *advise;

    if (!systems_load(&scenario, name))
        return NULL;
    if (target > 0)
        sample_number(&scenario, "scenario.target_latency", target);
    advise = advise_on(&scenario);
    if (advise != NULL)
        find(advise, part);
    return advise;
}

static struct knob_ref knob_of(const char *path)
{
    struct knob_ref ref = {SECTION_SCENARIO, 0, knobs};
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message);
    return ref;
}

/* Evaluates `changed` anew and holds what advice says of it against that. */
static double check_verdict(const char *what, const struct verdict *verdict)
{
    struct result result;
    double latency = RESULT_NONE;

    if (!sample_evaluate_fresh(&changed, &result)) {
        result_free(&result);
        return latency;
    }
    latency = result.latency;
    CHECK_TRUE(verdict->latency == result.latency, "%s: latency expected %.17g, got %.17g", what,
               result.latency, verdict->latency);
    CHECK_TRUE(verdict->first_pixel == result.first_pixel, "%s: first pixel", what);
    CHECK_TRUE(verdict->max_frame_rate == result.max_frame_rate, "%s: rate", what);
    CHECK_TRUE(verdict->overloaded == result.overloaded, "%s: overload", what);
    CHECK_TRUE(verdict->met == (!result.overloaded && result.latency <= result.target),
               "%s: target %.17g, latency %.17g, met %d", what, result.target, result.latency,
               verdict->met);
    CHECK_STR(verdict->bound, result.bound_node < 0 ? "" : result.node[result.bound_node].name);
    result_free(&result);
    return latency;
}

static void take(struct knob_ref ref, const char *value)
{
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(knob_set_text(&changed, ref, value, &error) == STATUS_OK, "%s: %s", ref.knob->key,
               error.message);
}

/* Steps ---------------------------------------------------------------------------------------- */

/* From the definition, with evaluations of its own. */
static double elasticity_of(struct knob_ref ref)
{
    struct result *result = sample_result();
    double value, end[2], latency[2];

    if (!knob_is_number(ref.knob) || !sample_evaluate(&scenario, result))
        return RESULT_NONE;
    value = knob_number_in_force(&scenario, result, ref);
    if (value == RESULT_NONE || value <= 0)
        return RESULT_NONE;
    for (int e = 0; e < 2; e++) {
        double percent = e == 0 ? 0.99 : 1.01;

        end[e] = value * percent;
        if (ref.knob->type == KNOB_INTEGER && fabs(value * 0.01) <= 0.5)
            end[e] = e == 0 ? value - 1 : value + 1;
        else if (ref.knob->type == KNOB_INTEGER)
            end[e] = round(end[e]);
        scenario_copy(&changed, &scenario);
        if (end[e] <= 0 || knob_left_open(ref.knob, end[e]) ||
            knob_set_number(&changed, ref, end[e], NULL) != STATUS_OK) {
            end[e] = value;
            if (knob_set_number(&changed, ref, value, NULL) != STATUS_OK)
                return RESULT_NONE;
        }
        if (evaluate(&changed, result, NULL) != STATUS_OK || result->latency <= 0)
            return RESULT_NONE;
        latency[e] = result->latency;
    }
    return end[0] == end[1] ? RESULT_NONE : log(latency[1] / latency[0]) / log(end[1] / end[0]);
}

static void check_step(const struct advice *step, double before)
{
    char path[96];
    char what[LADDER_VALUE + 128];
    double expected;

    knob_path(&scenario, step->ref, path, sizeof path);
    snprintf(what, sizeof what, "%s = %s", path, step->to);
    scenario_copy(&changed, &scenario);
    take(step->ref, step->to);
    expected = check_verdict(what, &step->after);
    CHECK_TRUE(step->gain == before - expected, "%s: gain expected %.17g, got %.17g", what,
               before - expected, step->gain);
    expected = elasticity_of(step->ref);
    CHECK_TRUE((expected == RESULT_NONE) == (step->elasticity == RESULT_NONE) &&
                   fabs(expected - step->elasticity) <= 1e-9 * fmax(1, fabs(expected)),
               "%s: elasticity expected %.17g, got %.17g", what, expected, step->elasticity);
}

/* How many steps of these roles evaluate accepts. */
static int count_steps(unsigned roles)
{
    struct ladder_step *step = malloc(LADDER_STEPS * sizeof *step);
    struct result *result = sample_result();
    int count = 0;

    if (!CHECK(step != NULL) || !sample_evaluate(&scenario, result))
        return 0;
    for (struct knob_ref ref = {.knob = NULL}; knob_next(&scenario, &ref);) {
        int steps = 0;

        if ((roles >> ref.knob->role & 1U) != 0 && !knob_idle(&scenario, ref) &&
            sample_evaluate(&scenario, result))
            steps = ladder_steps(ladder, &scenario, result, ref, step);
        for (int i = 0; i < steps; i++) {
            scenario_copy(&changed, &scenario);
            count += knob_set_text(&changed, ref, step[i].value, NULL) == STATUS_OK &&
                     evaluate(&changed, result, NULL) == STATUS_OK;
        }
    }
    free(step);
    return count;
}

static void gains_and_elasticities(void)
{
    for (int s = 0; s < SYSTEMS; s++) {
        struct advise *advise = advise_system(systems[s], ADVISE_STEPS, 0);
        double before;

        if (advise == NULL)
            continue;
        scenario_copy(&changed, &scenario);
        before = check_verdict(systems[s], &advise->now);
        CHECK_INT(advise->choices.count, count_steps(STEPS_CHOICES));
        CHECK_INT(advise->given.count, count_steps(STEPS_GIVEN));
        CHECK_TRUE(advise->choices.count > 100, "%s: %d steps", systems[s], advise->choices.count);
        for (int i = 0; i < advise->choices.count; i++) {
            const struct advice *step = &advise->choices.at[i];

            check_step(step, before);
            CHECK_TRUE(knob_is_choice(step->ref.knob), "%s is no choice", step->ref.knob->key);
            if (i > 0 && step->later == step[-1].later)
                CHECK_TRUE(step->gain <= step[-1].gain, "%s: place %d gains more", systems[s], i);
        }
        for (int i = 0; i < advise->given.count; i++)
            check_step(&advise->given.at[i], before);
        advise_free(advise);
    }
}

/* NULL: the step up. */
static const struct advice *step_to(const struct advise *advise, const char *path, const char *to)
{
    struct knob_ref ref = knob_of(path);

    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        if (step->ref.knob == ref.knob && step->ref.index == ref.index &&
            (to == NULL ? step->way > 0 : strcmp(step->to, to) == 0))
            return step;
    }
    CHECK_TRUE(false, "no step of %s to %s", path, to == NULL ? "more" : to);
    return NULL;
}

/* One device, one component that computes, bound by its arithmetic alone: the latency goes with 1
 * over the cores, and is the same for any memory. */
static void elasticities_known_by_theory(void)
{
    const struct advice *cores, *channels;
    struct advise *advise;

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "device.rtc.cores", "100");
    sample_set(&scenario, "device.rtc.memory_model", "flat");
    sample_set(&scenario, "component.recon.rows", "20000");
    sample_set(&scenario, "component.recon.compute_efficiency", "0.001");
    sample_set(&scenario, "component.recon.kernels", "1");
    sample_set(&scenario, "component.dm.link", "none");
    sample_set(&scenario, "ao.actuators", "1");
    sample_set(&scenario, "scenario.frame_rate", "1");
    advise = advise_on(&scenario);
    if (advise == NULL || !find(advise, ADVISE_STEPS))
        return;
    channels = step_to(advise, "device.rtc.memory_channels", NULL);
    cores = step_to(advise, "device.rtc.cores", NULL);
    if (cores != NULL)
        CHECK_TRUE(fabs(cores->elasticity + 1) < 0.01, "cores: expected -1, got %g",
                   cores->elasticity);
    if (channels != NULL)
        CHECK_TRUE(fabs(channels->elasticity) < 0.01, "channels: expected 0, got %g",
                   channels->elasticity);
    advise_free(advise);
}

/* A slower camera leaves less to be done after the last pixel, which is no advice. */
static void slower_cameras_come_last(void)
{
    struct advise *advise = advise_system("nfiraos-lgs", ADVISE_STEPS, 0);
    bool later = false;

    if (advise == NULL)
        return;
    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        CHECK_TRUE(!later || step->later, "%s before it", step->ref.knob->key);
        CHECK_TRUE(step->later == (step->after.first_pixel > advise->now.first_pixel * (1 + 1e-9)),
                   "%s = %s", step->ref.knob->key, step->to);
        later |= step->later;
    }
    CHECK(later);
    advise_free(advise);
}

/* Packets -------------------------------------------------------------------------------------- */

static void packets_against_brute_force(void)
{
    struct result *result = sample_result();

    for (int s = 0; s < SYSTEMS; s++) {
        struct advise *advise = advise_system(systems[s], ADVISE_PACKETS, 0);
        double latency[PACKETS_MAX + 1];
        int best = 0;
        int fewest = 0;

        if (advise == NULL)
            continue;
        for (int p = PACKETS_MAX; p >= 1; p--) { /* the other way round */
            scenario_copy(&changed, &scenario);
            changed.general.packets = p;
            latency[p] = evaluate(&changed, result, NULL) == STATUS_OK && !result->overloaded
                             ? result->latency
                             : (double)INFINITY;
            if (best == 0 || latency[p] <= latency[best])
                best = p;
        }
        for (fewest = 1; latency[fewest] > 1.01 * latency[best];)
            fewest++;
        CHECK_INT(advise->packets.best.packets, best);
        CHECK_INT(advise->packets.fewest.packets, fewest);
        CHECK_INT(advise->packets.present, scenario.general.packets);
        scenario_copy(&changed, &scenario);
        take(knob_of("scenario.packets"), "1");
        changed.general.packets = advise->packets.best.packets;
        CHECK_NEAR(advise->packets.best.gain,
                   advise->now.latency - check_verdict("best packets", &advise->packets.best.after),
                   0);
        changed.general.packets = advise->packets.fewest.packets;
        check_verdict("fewest packets", &advise->packets.fewest.after);
        advise_free(advise);
    }
}

/* What meets the target ------------------------------------------------------------------------ */

/* Whether a value meets the target without a slower camera. */
static bool meets(const struct advise *advise, struct knob_ref ref, const char *text, double number)
{
    struct result *result = sample_result();
    struct error error;
    bool set;

    scenario_copy(&changed, &scenario);
    set = text != NULL ? knob_set_text(&changed, ref, text, &error) == STATUS_OK
                       : knob_set_number(&changed, ref, number, &error) == STATUS_OK;
    return set && evaluate(&changed, result, NULL) == STATUS_OK && !result->overloaded &&
           result->latency <= result->target &&
           result->first_pixel <= advise->now.first_pixel * (1 + 1e-9);
}

/* Steps of one knob until the target is met; 0: it never is. */
static int steps_needed(const struct advise *advise, struct knob_ref ref, int way)
{
    double value = knob_number_in_force(&scenario, &advise->design->result, ref);

    for (int n = 1; n <= REACH_RUNGS && value != RESULT_NONE; n++) {
        if (!ladder_next(ladder, ref.knob, value, way, &value))
            return 0;
        if (meets(advise, ref, NULL, value))
            return n;
    }
    return 0;
}

static const struct reach_knob *listed(const struct advise *advise, struct knob_ref ref, int way)
{
    for (int i = 0; i < advise->reach.count; i++) {
        const struct reach_knob *knob = &advise->reach.knob[i];

        if (knob->ref.knob == ref.knob && knob->ref.index == ref.index && knob->way == way)
            return knob;
    }
    return NULL;
}

static void check_knobs(const struct advise *advise)
{
    for (struct knob_ref ref = {.knob = NULL}; knob_next(&scenario, &ref);) {
        if (!knob_is_number(ref.knob))
            continue;
        for (int way = -1; way <= 1; way += 2) {
            const struct reach_knob *knob = listed(advise, ref, way);
            int steps = knob_is_choice(ref.knob) && !knob_idle(&scenario, ref)
                            ? steps_needed(advise, ref, way)
                            : 0;

            CHECK_TRUE(steps == (knob == NULL ? 0 : knob->steps), "%s by %d: expected %d, got %d",
                       ref.knob->key, way, steps, knob == NULL ? 0 : knob->steps);
        }
    }
    for (int i = 0; i < advise->reach.count; i++) {
        const struct reach_knob *knob = &advise->reach.knob[i];

        CHECK_TRUE(meets(advise, knob->ref, knob->to, 0), "%s = %s does not", knob->ref.knob->key,
                   knob->to);
        check_verdict(knob->to, &knob->after);
        if (i > 0)
            CHECK(knob[-1].steps <= knob->steps);
    }
}

/* Each step taken one after the other, none better at its time, the last one meets the target. */
static void check_way(const struct advise *advise, enum reach_from from, unsigned roles)
{
    static struct scenario before;
    const struct reach_way *way = &advise->reach.way[from];
    double target = scenario.general.target_latency;
    double latency = advise->now.latency;

    scenario_copy(&before, &scenario);
    for (int i = 0; i < way->count; i++) {
        struct advise *then = advise_on(&before);
        double after = verdict_strain(&way->step[i].after, target);

        if (then == NULL || !find(then, ADVISE_STEPS))
            return;
        CHECK(!then->now.met);
        for (int c = 0; c < then->choices.count; c++)
            if ((roles >> then->choices.at[c].ref.knob->role & 1U) != 0 &&
                !then->choices.at[c].later)
                CHECK_TRUE(verdict_strain(&then->choices.at[c].after, target) >= after,
                           "%s, step %d: %s is better", reach_from_name(from), i,
                           then->choices.at[c].ref.knob->key);
        scenario_copy(&changed, &before);
        take(way->step[i].ref, way->step[i].to);
        latency = check_verdict("sequence", &way->step[i].after);
        scenario_copy(&before, &changed);
        advise_free(then);
    }
    scenario_copy(&changed, &before);
    check_verdict("sequence", &way->after);
    CHECK_NEAR(way->gain, advise->now.latency - latency, 0);
    CHECK_TRUE(way->after.met || way->exhausted || way->count == REACH_STEPS,
               "%s ends early, after %d", reach_from_name(from), way->count);
}

static void what_meets_the_target(void)
{
    static const double targets[SYSTEMS] = {12e-6, 4.3e-6, 30e-6};

    for (int s = 0; s < SYSTEMS; s++) {
        struct advise *advise = advise_system(systems[s], ADVISE_REACH, targets[s]);

        if (advise == NULL)
            continue;
        CHECK(!advise->reach.met);
        check_knobs(advise);
        check_way(advise, REACH_SETTINGS, STEPS_SETTINGS);
        check_way(advise, REACH_PARTS, STEPS_PARTS);
        check_way(advise, REACH_CHOICES, STEPS_CHOICES);
        CHECK_TRUE(advise->reach.way[REACH_CHOICES].after.met, "%s", systems[s]);
        advise_free(advise);
    }
}

static void a_target_that_is_met_needs_nothing(void)
{
    struct advise *advise = advise_system("elt-scao", ADVISE_REACH, 0);

    if (advise == NULL)
        return;
    CHECK(advise->reach.met);
    CHECK_INT(advise->reach.count, 0);
    advise_free(advise);
}

/* A readout that is longer than the frame: no part or setting helps, and it is said what limits. */
static void what_cannot_be_met(void)
{
    struct advise *advise = advise_system("elt-scao", ADVISE_REACH, 1e-9);

    if (advise == NULL)
        return;
    CHECK_INT(advise->reach.count, 0);
    for (int from = 0; from < REACH_COUNT; from++) {
        CHECK(!advise->reach.way[from].after.met);
        CHECK(advise->reach.way[from].after.bound[0] != '\0');
    }
    advise_free(advise);
}

/* An overloaded design is ranked by what is left of its load. */
static void overloaded_designs(void)
{
    struct advise *advise;

    systems_load(&scenario, "harmoni-scao");
    sample_set(&scenario, "scenario.frame_rate", "5000");
    sample_set(&scenario, "component.camera.readout", "190 us");
    advise = advise_on(&scenario);
    if (advise == NULL || !find(advise, ADVISE_STEPS) || !find(advise, ADVISE_REACH))
        return;
    CHECK(advise->now.overloaded);
    CHECK(!advise->now.met);
    for (int i = 1; i < advise->choices.count && !advise->choices.at[i].later; i++)
        CHECK(advise->choices.at[i - 1].after.load <= advise->choices.at[i].after.load);
    CHECK(advise->reach.way[REACH_CHOICES].after.met);
    CHECK(advise->reach.count > 0);
    advise_free(advise);
}

static int told;

static bool stop_soon(void *context, double done)
{
    CHECK_TRUE(done >= 0 && done <= 1, "%g done", done);
    return ++told < *(const int *)context;
}

/* Every part stops where it is told to, and says so. */
static void every_part_can_be_stopped(void)
{
    for (int part = 0; part < ADVISE_PARTS; part++) {
        int most = 3;
        const struct progress progress = {stop_soon, &most};
        struct error error = {STATUS_OK, ""};
        struct advise *advise;

        systems_load(&scenario, "harmoni-ltao");
        sample_set(&scenario, "scenario.target_latency", "4 us");
        advise = advise_on(&scenario);
        if (advise == NULL)
            return;
        told = 0;
        CHECK_INT(advise_find(advise, (enum advise_part)part, &progress, &error), STATUS_STOPPED);
        CHECK_TRUE(told == most, "%s: told %d times, stopped at %d",
                   advise_part_name((enum advise_part)part), told, most);
        advise_free(advise);
    }
}

static const struct test tests[] = {
    {"gains and elasticities", gains_and_elasticities},
    {"elasticities known by theory", elasticities_known_by_theory},
    {"slower cameras come last", slower_cameras_come_last},
    {"packets against brute force", packets_against_brute_force},
    {"what meets the target", what_meets_the_target},
    {"a target that is met needs nothing", a_target_that_is_met_needs_nothing},
    {"what cannot be met", what_cannot_be_met},
    {"overloaded designs", overloaded_designs},
    {"every part can be stopped", every_part_can_be_stopped},
    {NULL, NULL},
};

const struct suite suite_advise = {
    .name = "advise", .setup = setup, .cleanup = cleanup, .tests = tests};
