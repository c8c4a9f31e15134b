/* Advice, recomputed: every gain, elasticity and number of packets by evaluations of the test's
 * own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise_fixture.h"
#include "check.h"
#include "design/knob_text.h"
#include "draw.h"
#include "explore/caveat.h"
#include "explore/compare.h"
#include "explore/controllers.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "sample.h"
#include "systems.h"

/* From the definition: what the latency loses, at most what the time to the last command loses. */
static double gain_of(const struct performance *now, double latency, double first_pixel)
{
    return fmin(now->latency - latency, now->first_pixel - first_pixel);
}

#define PRESETS_MOST 400

/* Steps ---------------------------------------------------------------------------------------- */

/* From the definition, with evaluations of its own. */
static double elasticity_of(struct knob_ref ref)
{
    struct result *result = sample_result();
    double value, end[2], latency[2], present;
    bool overloaded;

    if (!knob_is_number(ref.knob) || !sample_evaluate(&advise_design, result))
        return RESULT_NONE;
    /* one that is stated divides the device anew */
    if ((strcmp(ref.knob->key, "share") == 0 || strcmp(ref.knob->key, "workers") == 0) &&
        knob_is_auto(ref.knob, knob_number(&advise_design, ref)))
        return RESULT_NONE;
    present = result->latency;
    overloaded = result->overloaded;
    value = knob_number_in_force(&advise_design, result, ref);
    if (value == RESULT_NONE || value <= 0)
        return RESULT_NONE;
    for (int e = 0; e < 2; e++) {
        double percent = e == 0 ? 0.99 : 1.01;

        end[e] = value * percent;
        if (ref.knob->type == KNOB_INTEGER && fabs(value * 0.01) <= 0.5)
            end[e] = e == 0 ? value - 1 : value + 1;
        else if (ref.knob->type == KNOB_INTEGER)
            end[e] = round(end[e]);
        scenario_copy(&advise_changed, &advise_design);
        latency[e] = present;
        if (end[e] > 0 && !knob_is_auto(ref.knob, end[e]) &&
            knob_set_number(&advise_changed, ref, end[e], NULL) == STATUS_OK &&
            evaluate(&advise_changed, result, NULL) == STATUS_OK && result->latency > 0 &&
            result->overloaded == overloaded)
            latency[e] = result->latency;
        else
            end[e] = value;
    }
    return end[0] == end[1] ? RESULT_NONE : log(latency[1] / latency[0]) / log(end[1] / end[0]);
}

static void check_step(const struct advice *step, const struct performance *now)
{
    char path[96];
    char what[VALUE_STEP_TEXT + 128];
    double expected;

    knob_path(&advise_design, step->ref, path, sizeof path);
    snprintf(what, sizeof what, "%s = %s", path, step->to);
    scenario_copy(&advise_changed, &advise_design);
    advise_set(step->ref, step->to);
    advise_check(what, &step->after);
    expected = step->group == ROLE_HARDWARE || step->group == ROLE_SOFTWARE
                   ? gain_of(now, step->after.latency, step->after.first_pixel)
                   : now->latency - step->after.latency;
    CHECK_TRUE(fabs(step->gain - expected) <= 1e-12 * now->first_pixel,
               "%s: gain expected %.17g, got %.17g", what, expected, step->gain);
    expected = elasticity_of(step->ref);
    CHECK_TRUE((expected == RESULT_NONE) == (step->elasticity == RESULT_NONE) &&
                   fabs(expected - step->elasticity) <= 1e-9 * fmax(1, fabs(expected)),
               "%s: elasticity expected %.17g, got %.17g", what, expected, step->elasticity);
}

/* How many steps of these roles evaluate accepts; of camera interfaces with the same latency and
 * load, one.
 */
static int count_steps(unsigned roles)
{
    struct value_step *step = malloc(VALUE_STEPS_MAX * sizeof *step);
    struct result *result = sample_result();
    int count = 0;

    if (!CHECK(step != NULL) || !sample_evaluate(&advise_design, result))
        return 0;
    for (struct knob_ref ref = {.knob = NULL}; knob_next(&advise_design, &ref);) {
        double interface[VALUE_STEPS_MAX], load[VALUE_STEPS_MAX];
        int steps = 0;
        int interfaces = 0;

        if ((roles >> ref.knob->role & 1U) != 0 && !knob_idle(&advise_design, ref) &&
            sample_evaluate(&advise_design, result))
            steps = part_values_steps(advise_part_values(), &advise_design, result, ref, step);
        for (int i = 0; i < steps; i++) {
            scenario_copy(&advise_changed, &advise_design);
            if (knob_set_text(&advise_changed, ref, step[i].value, NULL) != STATUS_OK ||
                (knob_is(ref.knob, KNOB_COMPONENT_ALGORITHM) &&
                 controllers_computed(&advise_design) && !controllers_computed(&advise_changed)) ||
                evaluate(&advise_changed, result, NULL) != STATUS_OK)
                continue;
            if (knob_is(ref.knob, KNOB_COMPONENT_INTERFACE)) {
                int same = 0;

                while (same < interfaces &&
                       (interface[same] != result->latency || load[same] != result->load))
                    same++;
                count += same == interfaces;
                interface[interfaces] = result->latency;
                load[interfaces++] = result->load;
            } else {
                count++;
            }
        }
    }
    free(step);
    return count;
}

/* Returns true for the second preset of a device, the best one that adds no power. */
static bool is_frugal_preset(const struct advice_list *choices, const struct advice *step)
{
    const struct power now = scenario_power(&advise_design);

    for (int i = 0; i < choices->count; i++)
        if (choices->at[i].ref.knob == step->ref.knob &&
            choices->at[i].ref.index == step->ref.index && choices->at[i].gain > step->gain)
            return CHECK_TRUE(step->after.power.unstated == now.unstated &&
                                  step->after.power.watts <= now.watts &&
                                  choices->at[i].after.power.watts > now.watts,
                              "%s beside %s", step->to, choices->at[i].to);
    return false;
}

/* Every preset that gains is compared with the one that is proposed: it is not faster by one
 * percent, nor as fast with less power; with one that adds no power only those that do not either.
 * Returns how many are proposed. */
static int check_presets(const struct advice_list *choices)
{
    struct catalogue *catalogue = systems_catalogue();
    struct result *result = sample_result();
    struct power power;
    int count = 0;

    for (int i = 0; i < choices->count; i++) {
        const struct advice *step = &choices->at[i];
        int device = step->ref.index;
        bool frugal;

        if (step->ref.knob->type != KNOB_PRESET)
            continue;
        count++;
        frugal = is_frugal_preset(choices, step);
        for (int p = 0; p < catalogue_count(catalogue); p++) {
            const struct preset *preset = catalogue_at(catalogue, p);

            scenario_copy(&advise_changed, &advise_design);
            if (preset->kind != preset_kind_of(&advise_design.device[device]) ||
                scenario_set_preset(&advise_changed, device, catalogue, preset->name, NULL) !=
                    STATUS_OK ||
                evaluate(&advise_changed, result, NULL) != STATUS_OK || result->overloaded ||
                !result->fits || advise_changed.device[device].sold_in[0] != '\0' ||
                advise_changed.device[device].host_link != advise_design.device[device].host_link)
                continue;
            power = scenario_power(&advise_changed);
            if (frugal && power.watts > scenario_power(&advise_design).watts)
                continue;
            if (compare_matters(result->latency, step->after.latency))
                CHECK_TRUE(result->latency > step->after.latency, "%s is faster than %s",
                           preset->name, step->to);
            else if (result->latency <= step->after.latency)
                CHECK_TRUE(power.unstated > 0 || power.watts >= step->after.power.watts,
                           "%s is as fast as %s with less power", preset->name, step->to);
        }
    }
    return count;
}

/* Returns true if a step follows the one before it in the order of errors, or of gains where no
 * error is known or it is the same. */
static bool follows(const struct advice *step)
{
    const double before = step[-1].error;

    if (before == step->error)
        return step->gain <= step[-1].gain;
    return step->error == RESULT_NONE || (before != RESULT_NONE && before < step->error);
}

TEST(gains_and_elasticities)
{
    for (int s = 0; s < ADVISE_SYSTEMS; s += draw_every(1)) {
        struct advise *advise = advise_system(advise_systems[s], ADVISE_STEPS, 0);

        if (advise == NULL)
            continue;
        scenario_copy(&advise_changed, &advise_design);
        advise_check(advise_systems[s], &advise->now);
        CHECK_INT(advise->choices.count - check_presets(&advise->choices),
                  count_steps(STEPS_CHOICES));
        CHECK_INT(advise->given.count, count_steps(STEPS_GIVEN));
        CHECK_TRUE(advise->choices.count > 100, "%s: %d steps", advise_systems[s],
                   advise->choices.count);
        for (int i = 0; i < advise->choices.count; i++) {
            const struct advice *step = &advise->choices.at[i];

            if (i % draw_every(1) == 0)
                check_step(step, &advise->now);
            CHECK_TRUE(step->ref.knob->type == KNOB_PRESET ? step->group == ROLE_HARDWARE
                                                           : step->group == step->ref.knob->role,
                       "%s: group %d", step->ref.knob->key, (int)step->group);
            if (i > 0 && step->later == step[-1].later)
                CHECK_TRUE(follows(step) ||
                               (!compare_matters(step->after.counted, step[-1].after.counted) &&
                                step->after.power.watts >= step[-1].after.power.watts),
                           "%s: place %d gains more", advise_systems[s], i);
        }
        for (int i = 0; i < advise->given.count; i++) {
            const struct advice *step = &advise->given.at[i];

            if (i % draw_every(1) == 0)
                check_step(step, &advise->now);
            CHECK_TRUE(
                i == 0 || advise->now.overloaded || step->later != step[-1].later || follows(step),
                "%s: %s gains more than what is before it", advise_systems[s], step->ref.knob->key);
        }
        advise_free(advise);
    }
}

/* A step is recommended from one percent on, by a comparison of its own. */
TEST(small_gains_are_not_recommended)
{
    struct advise *advise = advise_system("elt-scao", ADVISE_STEPS, 0);
    int small = 0;
    int large = 0;

    for (int i = 0; advise != NULL && i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];
        bool matters = fabs(step->gain) >= 0.01 * fmin(advise->now.latency, step->after.latency);

        CHECK_TRUE(matters || !step->practical, "%s: gain %g", step->ref.knob->key, step->gain);
        CHECK_TRUE(!advice_gains(step) || (step->practical && step->gain > 0 && !step->later),
                   "%s: gain %g", step->ref.knob->key, step->gain);
        small += step->gain > 0 && !step->later && !advice_gains(step);
        large += advice_gains(step);
    }
    CHECK_TRUE(small > 0 && large > 0, "%d small and %d large gains", small, large);
    advise_free(advise);
}

/* What the screen says first of MICADO on an A100: a second one, the best part that adds no power,
 * then an algorithm that says what it costs. Faster parts are not sold singly. */
TEST(steps_to_name_first)
{
    struct advise *advise = advise_system("micado-scao", ADVISE_STEPS, 0);
    struct advise_next next;
    char name[ADVICE_NAME];

    if (advise == NULL)
        return;
    advise_next(advise, &next);
    if (CHECK(next.hardware[0] != NULL && next.hardware[1] != NULL && next.software != NULL)) {
        advice_name(advise, next.hardware[0], name);
        CHECK_STR(name, "H200 NVL 141GB");
        CHECK(next.hardware[0]->caveat == NULL);
        CHECK(next.hardware[0]->gain > next.hardware[1]->gain);
        CHECK(next.hardware[1]->group == ROLE_HARDWARE);
        CHECK_STR(next.hardware[1]->to, "nvidia-h100-nvl");
        CHECK(next.hardware[1]->after.power.watts <= advise->now.power.watts);
        CHECK(next.software->group == ROLE_SOFTWARE &&
              next.software->ref.knob == &knobs[KNOB_AO_CONTROLLER]);
    }
    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        advice_name(advise, step, name);
        if (step->ref.knob == &knobs[KNOB_DEVICE_MEMORY_CLOCK] && step->direction > 0)
            CHECK_STR(name, "memory clock 1593 \xE2\x86\x92 2133 MHz");
        if (step->ref.knob == &knobs[KNOB_DEVICE_INGRESS] && strcmp(step->to, "bypass") == 0 &&
            step->ref.index == 0)
            CHECK_STR(name, "kernel-bypass ingress of rtc");
        if (strcmp(step->to, "cured") == 0)
            CHECK_STR(name, "recon by cured");
        if (strcmp(step->to, "fp16") == 0 &&
            advise_design.component[step->ref.index].type == COMPONENT_RECONSTRUCTION)
            CHECK_STR(name, "fp16 of recon");
    }
    advise_free(advise);
}

/* No two presets of devices have the same name in advice. */
TEST(parts_have_names_of_their_own)
{
    struct catalogue *catalogue = systems_catalogue();
    struct advise *advise = advise_system("elt-scao", ADVISE_RANGE, 0);
    static char name[PRESETS_MOST][ADVICE_NAME];
    int count = 0;

    for (int i = 0; advise != NULL && i < catalogue_count(catalogue) && count < PRESETS_MOST; i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->kind == PRESET_AO || preset->kind == PRESET_PIPELINE)
            continue;
        advice_part(advise, preset->name, name[count]);
        CHECK_TRUE(name[count][0] != '\0', "%s has no name", preset->name);
        for (int other = 0; other < count; other++)
            CHECK_TRUE(strcmp(name[other], name[count]) != 0, "%s: %s", preset->name, name[count]);
        count++;
    }
    CHECK(count > 100 && count < PRESETS_MOST);
    advise_free(advise);
}

/* The steps that the first view names are those of all steps, found without the rest of them. */
TEST(next_steps_alone)
{
    for (int s = 0; s < ADVISE_SYSTEMS; s++) {
        struct advise *all = advise_system(advise_systems[s], ADVISE_STEPS, 0);
        struct advise *next = advise_system(advise_systems[s], ADVISE_NEXT, 0);
        struct advise_next one, other;

        if (!CHECK(all != NULL && next != NULL))
            return;
        advise_next(all, &one);
        advise_next(next, &other);
        for (int h = 0; h <= NEXT_HARDWARE; h++) {
            const struct advice *a = h < NEXT_HARDWARE ? one.hardware[h] : one.software;
            const struct advice *b = h < NEXT_HARDWARE ? other.hardware[h] : other.software;

            CHECK_TRUE((a == NULL) == (b == NULL) &&
                           (a == NULL || (strcmp(a->to, b->to) == 0 && a->gain == b->gain)),
                       "%s: step %d", advise_systems[s], h);
        }
        CHECK(all->given.count > 0 && next->given.count == 0 && next->cliff_count == 0);
        advise_free(all);
        advise_free(next);
    }
}

/* Less precision and approximate reconstructors say so, and what a program needs; a default does
 * not. */
TEST(caveats_of_software)
{
    static const struct {
        const char *path, *value;
        bool caveat;
    } cases[] = {
        {"component.recon.precision", "fp16", true},   {"component.recon.precision", "int8", true},
        {"component.recon.precision", "fp64", false},  {"component.recon.algorithm", "cured", true},
        {"component.recon.algorithm", "sparse", true}, {"component.recon.algorithm", "mvm", false},
        {"device.rtc.ingress", "bypass", true},        {"device.rtc.ingress", "kernel", false},
        {"device.rtc.egress", "busy-poll", true},      {"device.rtc.dispatch", "wake", true},
        {"device.gpu0.dispatch", "graph", true},       {"device.gpu0.dispatch", "stream", false},
        {"device.gpu0.copy", "mapped", true},          {"device.gpu0.copy", "memcpy", false},
        {"component.recon.device", "rtc", true},       {"component.recon.workers", "4", true},
    };

    systems_load(&advise_design, "elt-scao");
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        CHECK_TRUE((caveat_of(advise_knob(cases[c].path).knob, cases[c].value) != NULL) ==
                       cases[c].caveat,
                   "%s = %s", cases[c].path, cases[c].value);
}

/* NULL: the step up. */
static const struct advice *step_to(const struct advise *advise, const char *path, const char *to)
{
    struct knob_ref ref = advise_knob(path);

    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        if (step->ref.knob == ref.knob && step->ref.index == ref.index &&
            (to == NULL ? step->direction > 0 : strcmp(step->to, to) == 0))
            return step;
    }
    CHECK_TRUE(false, "no step of %s to %s", path, to == NULL ? "more" : to);
    return NULL;
}

/* One device, one component that computes, bound by its arithmetic alone: the latency goes with 1
 * over the cores, and is the same for any memory. */
TEST(elasticities_known_by_theory)
{
    const struct advice *cores, *channels;
    struct advise *advise;

    sample_chain(&advise_design);
    sample_set(&advise_design, "scenario.packets", "1");
    sample_set(&advise_design, "device.rtc.cores", "100");
    sample_set(&advise_design, "device.rtc.memory_model", "flat");
    sample_set(&advise_design, "component.recon.rows", "20000");
    sample_set(&advise_design, "component.recon.compute_efficiency", "0.001");
    sample_set(&advise_design, "component.recon.kernels", "1");
    sample_set(&advise_design, "component.dm.link", "none");
    sample_set(&advise_design, "ao.actuators", "1");
    sample_set(&advise_design, "scenario.frame_rate", "1");
    advise = advise_on(&advise_design);
    if (advise == NULL || !advise_has(advise, ADVISE_STEPS))
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

/* How a device is shared gains most of all settings of NFIRAOS without a caveat of quality, but is
 * no step that can be taken as it is. */
static void check_sharing_is_not_named_first(const struct advise *advise)
{
    struct advise_next next;
    int listed = 0;

    for (int i = 0; i < advise->choices.count; i++)
        if (knob_is(advise->choices.at[i].ref.knob, KNOB_SCENARIO_SHARING) &&
            strcmp(advise->choices.at[i].to, "fluid") == 0) {
            CHECK(advice_gains(&advise->choices.at[i]));
            CHECK_STR(advise->choices.at[i].caveat, "stages run at once");
            listed++;
        }
    CHECK_INT(listed, 1);
    advise_next(advise, &next);
    CHECK(next.software != NULL && strcmp(next.software->to, "fluid") != 0);
}

/* A slower camera leaves less to be done after the last pixel, which is no advice. */
static void check_slower_cameras_come_last(const struct advise *advise)
{
    bool later = false;

    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        CHECK_TRUE(!later || step->later, "%s before it", step->ref.knob->key);
        CHECK_TRUE(step->later == (step->after.first_pixel > advise->now.first_pixel * (1 + 1e-9)),
                   "%s = %s", step->ref.knob->key, step->to);
        later |= step->later;
    }
    CHECK(later);
}

/* A slower interface of one of six cameras starts the clock of the latency later, but no command
 * leaves earlier. */
static void check_later_clocks_gain_nothing(const struct advise *advise)
{
    int interfaces = 0;

    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];
        double earlier = advise->now.first_pixel - step->after.first_pixel;

        CHECK_TRUE(step->gain <= earlier + 1e-9 * advise->now.latency,
                   "%s = %s: gains %g s, commands %g s", step->ref.knob->key, step->to, step->gain,
                   earlier);
        if (strcmp(step->ref.knob->key, "interface") == 0 &&
            step->after.latency < 0.9 * advise->now.latency) {
            CHECK_TRUE(!advice_gains(step), "%s", step->to);
            interfaces++;
        }
    }
    CHECK_TRUE(interfaces > 0, "no interface reduces the latency");
}

TEST(steps_of_many_cameras)
{
    struct advise *advise = advise_system("nfiraos-lgs", ADVISE_STEPS, 0);

    if (advise == NULL)
        return;
    check_sharing_is_not_named_first(advise);
    check_slower_cameras_come_last(advise);
    check_later_clocks_gain_nothing(advise);
    advise_free(advise);
}

/* Packets -------------------------------------------------------------------------------------- */

/* Returns the upper end with a number of packets, INFINITY if it may not keep up. */
static double high_with(int packets)
{
    struct latency_range range;

    scenario_copy(&advise_changed, &advise_design);
    advise_changed.general.packets = packets;
    if (range_find(&advise_changed, sample_result(), NULL, NULL, &range, NULL) != STATUS_OK ||
        range.may_not_keep_up)
        return INFINITY;
    return range.high;
}

TEST(packets_against_brute_force)
{
    struct result *result = sample_result();

    for (int s = 0; s < ADVISE_SYSTEMS; s += draw_every(1)) {
        struct advise *advise = advise_system(advise_systems[s], ADVISE_PACKETS, 0);
        double counted[PACKETS_MAX + 1];
        const struct packets *packets;
        double high; /* permitted */
        double least = INFINITY;
        int lowest = PACKETS_DENSE; /* of those that are all tried */

        if (advise == NULL)
            continue;
        packets = &advise->packets;
        for (int p = 0; p <= PACKETS_MAX; p++)
            counted[p] = INFINITY;
        /* the other way round; of many packets some, others than are tried */
        for (int p = PACKETS_MAX; p >= 1; p -= p > 2 * PACKETS_DENSE ? 13 : 1) {
            scenario_copy(&advise_changed, &advise_design);
            advise_changed.general.packets = p;
            counted[p] = evaluate(&advise_changed, result, NULL) == STATUS_OK && !result->overloaded
                             ? advise->now.latency -
                                   gain_of(&advise->now, result->latency, result->first_pixel)
                             : (double)INFINITY;
            least = fmin(least, counted[p]);
            if (p > PACKETS_DENSE) /* found to one percent */
                counted[p] *= 1.01;
            else if (counted[p] <= counted[lowest])
                lowest = p;
        }
        high = PACKETS_HIGH * high_with((int)advise_design.general.packets);
        CHECK(packets->lowest.after.counted <= 1.01 * least);
        if (packets->lowest.packets <= PACKETS_DENSE)
            CHECK_INT(packets->lowest.packets, lowest);
        CHECK_NEAR(packets->now.high, high / PACKETS_HIGH, 1e-12);
        CHECK_TRUE(high_with(packets->best.packets) <= high, "%d", packets->best.packets);
        CHECK_TRUE(high_with(packets->fewest.packets) <= high, "%d", packets->fewest.packets);
        CHECK(counted[packets->fewest.packets] <= 1.01 * counted[packets->best.packets]);
        for (int p = 1; p <= PACKETS_MAX; p++)
            if (counted[p] < counted[packets->best.packets] ||
                (p < packets->fewest.packets &&
                 counted[p] <= 1.01 * counted[packets->best.packets]))
                CHECK_TRUE(high_with(p) > high, "%d packets", p);
        CHECK_INT(advise->packets.present, advise_design.general.packets);
        scenario_copy(&advise_changed, &advise_design);
        advise_set(advise_knob("scenario.packets"), "1");
        advise_changed.general.packets = advise->packets.best.packets;
        advise_check("best packets", &advise->packets.best.after);
        CHECK_NEAR(advise->packets.best.gain, advise->now.latency - counted[packets->best.packets],
                   1e-9);
        advise_changed.general.packets = advise->packets.fewest.packets;
        advise_check("fewest packets", &advise->packets.fewest.after);
        advise_free(advise);
    }
}

/* Stopping ------------------------------------------------------------------------------------- */

static int told;

static bool stop_soon(void *context, double done)
{
    CHECK_TRUE(done == PROGRESS_SAME || (done >= 0 && done <= 1), "%g done", done);
    return ++told < *(const int *)context;
}

/* Every part stops when asked to, and says so. */
TEST(every_part_can_be_stopped)
{
    for (int part = 0; part < ADVISE_PARTS; part++) {
        int most = 3;
        const struct progress progress = {stop_soon, &most};
        struct error error = {STATUS_OK, ""};
        struct advise *advise;

        systems_load(&advise_design, "harmoni-ltao");
        sample_set(&advise_design, "scenario.target_latency", "4 us");
        sample_set(&advise_design, "scenario.sharing", "partition");
        advise = advise_on(&advise_design);
        if (advise == NULL)
            return;
        told = 0;
        CHECK_INT(advise_find(advise, (enum advise_part)part, &progress, &error), STATUS_STOPPED);
        CHECK_TRUE(told == most || told == most + 1, "%s: told %d times, stopped at %d",
                   advise_part_names[part], told, most);
        advise_free(advise);
    }
}
