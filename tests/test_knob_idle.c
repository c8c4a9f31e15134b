/* Knobs without an effect in a design: which they are, and that they have none; all other knobs
 * change some result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "model/note.h"
#include "model/result_read.h"
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

/* A split divides among identical devices as among different ones. */
TEST(identical_devices_are_split)
{
    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    sample_set(&scenario, "device.gpu.kind", "gpu");
    sample_set(&scenario, "component.recon.device", "gpu");
    CHECK(idle("component.recon.split"));
    sample_set(&scenario, "device.gpu.count", "2");
    CHECK(!idle("component.recon.split"));
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

/* What is stated and does nothing has a note. */
TEST(what_is_stated_in_vain_is_noted)
{
    static const char *const vain[][2] = {
        {"device.rtc.core_bandwidth", "20 GB/s"}, {"device.gpu.nic", "25 Gb/s"},
        {"component.calibration.priority", "3"},  {"component.recon.tile", "256"},
        {"component.control.barrier", "packet"},
    };
    struct result *result = sample_result();
    struct error error;
    char text[ERROR_MESSAGE_MAX];
    int at = 0;

    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    sample_set(&scenario, "device.gpu.kind", "gpu");
    for (size_t i = 0; i < sizeof vain / sizeof vain[0]; i++)
        sample_set(&scenario, vain[i][0], vain[i][1]);
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof vain / sizeof vain[0]; i++) {
        char expected[128];

        snprintf(expected, sizeof expected, "%s: has no effect in this design", vain[i][0]);
        CHECK(note_next(&scenario, result, &at, text, sizeof text));
        CHECK_STR(text, expected);
    }
    CHECK(!note_next(&scenario, result, &at, text, sizeof text));
}

/* Returns true for knobs that are results themselves or set one that is the automatic value of a
 * knob, although nothing else may depend on them. */
static bool is_result(const struct knob *knob)
{
    return knob == &knobs[KNOB_COMPONENT_GRID] || knob == &knobs[KNOB_COMPONENT_STATES] ||
           knob == &knobs[KNOB_DEVICE_PEER_LINK] || knob == &knobs[KNOB_DEVICE_PEER_LATENCY] ||
           knob == &knobs[KNOB_DEVICE_DATAGRAM_TIME] ||
           knob == &knobs[KNOB_DEVICE_RECEIVE_OFFLOAD];
}

/* Resets idle knobs that are not stated; returns how many. */
static int reset_idle(struct scenario *design)
{
    static struct scenario before;
    int count = 0;

    for (int k = 0; k < KNOB_COUNT; k++)
        for (int i = 0; i < section_count(design, knobs[k].section); i++) {
            struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

            if (!knob_applies(design, ref.section, i, ref.knob) ||
                knob_origin(design, ref) != ORIGIN_SET || is_result(ref.knob))
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

    result_init(&expected);
    result_init(&actual);
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

/* Compares all results except the value of the knob itself, and whether the memory suffices. */
static bool results_differ(const struct result *a, const struct result *b, const struct knob *knob)
{
    for (int r = 0; r < RESULT_ROW_COUNT; r++) {
        const struct result_row *row = &result_rows[r];
        int count = result_count(a, row->scope);

        if (&knobs[row->knob] == knob)
            continue;
        if (count != result_count(b, row->scope))
            return true;
        for (int i = 0; i < count; i++)
            if (result_value(a, row, i) != result_value(b, row, i))
                return true;
    }
    return a->fits != b->fits;
}

/* Sets a knob to another value: number 0, 1, ... of those to try. false: there is none. */
static bool set_other(struct scenario *design, struct knob_ref ref, int try)
{
    static const double factors[] = {2, 0.5, 1.25, 0};
    struct error error;
    double value;

    if (ref.knob->type == KNOB_TEXT)
        return try == 0 && (knob_set_text(design, ref, "other", &error) == STATUS_OK || true);
    if (!knob_is_number(ref.knob))
        return try < knob_choice_count(design, ref) && try < 12 &&
               (knob_set_text(design, ref, knob_choice_name(design, ref, try), &error) ==
                    STATUS_OK ||
                true);
    if (try >= (int)(sizeof factors / sizeof factors[0]))
        return false;
    value = knob_number(design, ref);
    value = factors[try] == 0 || knob_is_auto(ref.knob, value) || value == 0
                ? ref.knob->min + (ref.knob->max - ref.knob->min) / (1 << (4 * try))
                : factors[try] * value;
    if (ref.knob->type == KNOB_INTEGER)
        value = floor(value);
    return knob_set_number(design, ref, value, &error) == STATUS_OK || true;
}

static bool knob_acts(const struct scenario *design, const struct result *plain,
                      struct result *changed, struct knob_ref ref)
{
    static struct scenario other;
    struct error error;

    for (int try = 0;; try++) {
        scenario_copy(&other, design);
        if (!set_other(&other, ref, try))
            return false;
        if (evaluate(&other, changed, &error) == STATUS_OK &&
            results_differ(plain, changed, ref.knob))
            return true;
    }
}

/* Names, the jitter and late wake-ups of a device, which vary simulated frames only, its
 * uncertainty, which only the range of the latency depends on, and a published latency change no
 * result; random designs have few traces, with few classes of instructions. */
static bool is_exempt(const struct knob *knob)
{
    return knob->role == ROLE_IDENTITY || is_of_loop(knob) ||
           knob == &knobs[KNOB_DEVICE_JITTER] ||
           (knob >= &knobs[KNOB_DEVICE_LATE_P90] && knob <= &knobs[KNOB_DEVICE_LATE_MAX]) ||
           knob == &knobs[KNOB_DEVICE_PC] || knob == &knobs[KNOB_SCENARIO_PUBLISHED_LATENCY] ||
           knob->type == KNOB_FILE ||
           (knob >= &knobs[KNOB_DEVICE_CPI_INT] && knob <= &knobs[KNOB_DEVICE_CPI_OTHER]);
}

TEST(knobs_act)
{
    static bool acted[KNOB_COUNT];
    static struct result plain;
    static struct result changed;
    struct error error;

    result_init(&plain);
    result_init(&changed);
    for (uint64_t seed = 1; seed <= 1600; seed++) {
        struct draw draw = draw_start(seed);

        random_design(&draw, &scenario);
        if (evaluate(&scenario, &plain, &error) != STATUS_OK)
            continue;
        for (int k = 0; k < KNOB_COUNT; k++)
            for (int i = 0; i < section_count(&scenario, knobs[k].section) && !acted[k]; i++) {
                struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

                acted[k] =
                    is_exempt(&knobs[k]) || (knob_applies(&scenario, ref.section, i, ref.knob) &&
                                             knob_acts(&scenario, &plain, &changed, ref));
            }
    }
    for (int k = 0; k < KNOB_COUNT; k++)
        CHECK_TRUE(acted[k],
                   "%s.%s changes no result: use it in src/model, in most cases in formulas.def",
                   section_name(knobs[k].section), knobs[k].key);
    result_free(&plain);
    result_free(&changed);
}
