#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "check.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "draw.h"
#include "explore/seek.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "model/range.h"
#include "model/result_read.h"
#include "report/reports.h"
#include "sample.h"
#include "systems.h"

#define CASES 30
#define VALUES_MAX 2000

static struct scenario scenario, fresh;
static struct result result;
static struct seek seek;
static struct conditions conditions;
static struct error error;

static const char *const systems[] = {"elt-scao", "saxo", "nfiraos-lgs"};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

static int begin(void)
{
    result_init(&result);
    return 0;
}

static int end(void)
{
    result_free(&result);
    return 0;
}

static bool load(const char *name)
{
    return systems_load(&scenario, name) &&
           CHECK_TRUE(evaluate(&scenario, &result, &error) == STATUS_OK, "%s", error.message);
}

static bool find(const char *path, struct knob_ref *ref)
{
    return CHECK_TRUE(knob_find(&scenario, path, ref, &error) == STATUS_OK, "%s", error.message);
}

static bool run(struct knob_ref ref, const char *until)
{
    char path[96];

    knob_path(&scenario, ref, path, sizeof path);
    if (!CHECK_TRUE(evaluate(&scenario, &result, &error) == STATUS_OK &&
                        conditions_parse(&scenario, &result, until, &conditions, &error) ==
                            STATUS_OK,
                    "%s: %s", until, error.message))
        return false;
    return CHECK_TRUE(seek_knob(&scenario, systems_catalogue(), ref, &conditions, NULL, &seek,
                                &error) == STATUS_OK,
                      "%s until %s: %s", path, until, error.message);
}

/* As a user would see it who sets the knob from text. */
static bool meets(struct knob_ref ref, const char *text)
{
    enum status status;

    scenario_copy(&fresh, &scenario);
    if (ref.knob->type == KNOB_PRESET)
        status = scenario_set_preset(&fresh, ref.index, systems_catalogue(), text, &error);
    else
        status = knob_set_text(&fresh, ref, text, &error);
    return status == STATUS_OK && evaluate(&fresh, &result, &error) == STATUS_OK &&
           conditions_shortfall(&fresh, &result, &conditions) == 0;
}

static bool meets_number(struct knob_ref ref, double si)
{
    char text[64];

    quantity_format(si, ref.knob->unit, text, sizeof text);
    return meets(ref, text);
}

/* A point is what a fresh evaluation of its text gives. */
static bool check_point(const char *where, struct knob_ref ref, const struct seek_point *point)
{
    bool good = CHECK_TRUE(meets(ref, point->text) == (point->shortfall == 0),
                           "%s: %s %s, but set anew it does not agree", where, point->text,
                           point->shortfall == 0 ? "meets" : "fails");

    for (int i = 0; good && point->problem.status == STATUS_OK && i < conditions.count; i++)
        good = CHECK_NEAR(point->left[i], condition_left(&fresh, &result, &conditions.list[i]), 0);
    return good && CHECK_TRUE(isfinite(point->value), "%s: %g", where, point->value);
}

/* Against every value ------------------------------------------------------------------------- */

/* Values of a knob after `si`, one way, slowly: whole numbers one by one. */
static int list_values(struct knob_ref ref, double si, int by, double *values)
{
    const struct knob *knob = ref.knob;
    bool whole = knob->type == KNOB_INTEGER && knob->max - knob->min <= SEEK_EXACT &&
                 knob->scale != SCALE_POWER2;
    int count = 0;

    for (double at = si; count < VALUES_MAX;) {
        double next = whole ? at + by : knob_step(knob, at, by);

        if (next == at || next < knob_min(knob) || next > knob_max(knob) ||
            knob_is_auto(knob, next))
            break;
        values[count++] = at = next;
    }
    return count;
}

/* The first of the values on one side at which it changes, or none. */
static void check_side(const char *where, struct knob_ref ref, int number)
{
    static double values[VALUES_MAX];
    const struct seek_side *side = &seek.side[number];
    int count = list_values(ref, seek.from.value, number == SEEK_ABOVE ? 1 : -1, values);
    bool begins = seek.from.shortfall == 0;
    int first = 0;
    double before, from, to;

    while (first < count && meets_number(ref, values[first]) == begins)
        first++;
    if (!CHECK_TRUE(side->crossed == (first < count), "%s: %s %s, by every value %s", where,
                    number == SEEK_ABOVE ? "above" : "below", side->crossed ? "an edge" : "none",
                    first < count ? "there is one" : "there is none") ||
        first == count)
        return;
    /* between these two */
    before = first == 0 ? seek.from.value : values[first - 1];
    from = fmin(before, values[first]);
    to = fmax(before, values[first]);
    check_point(where, ref, &side->holds);
    check_point(where, ref, &side->fails);
    CHECK_TRUE(side->holds.shortfall == 0 && side->fails.shortfall > 0, "%s: no edge", where);
    CHECK_TRUE(side->holds.value >= from && side->holds.value <= to && side->fails.value >= from &&
                   side->fails.value <= to,
               "%s: %s and %s are not from %g to %g", where, side->holds.text, side->fails.text,
               from, to);
    if (ref.knob->type == KNOB_NUMBER) {
        CHECK_TRUE(fabs(side->holds.value - side->fails.value) <=
                       2.1e-3 * fmax(fabs(side->holds.value), fabs(side->fails.value)) +
                           1e-6 * (knob_step(ref.knob, 0, 1) - 0),
                   "%s: %s and %s are far apart", where, side->holds.text, side->fails.text);
    } else if (ref.knob->scale != SCALE_POWER2) {
        struct unit unit = {DIMENSION_NUMBER, 1, 1};

        unit_find(ref.knob->unit, &unit);
        CHECK_NEAR(fabs(side->holds.value - side->fails.value), unit.numerator / unit.denominator,
                   1e-9);
    }
}

static void check_choices(const char *where, struct knob_ref ref)
{
    int first = -1;

    for (int i = 0; i < seek.count; i++) {
        check_point(where, ref, &seek.choice[i]);
        if (first < 0 && seek.choice[i].shortfall == 0)
            first = i;
    }
    CHECK_INT(seek.found, first >= 0);
    if (first >= 0)
        CHECK_STR(seek.answer.text, seek.choice[first].text);
}

static void check_answer(const char *where, struct knob_ref ref)
{
    const struct seek_side *below = &seek.side[SEEK_BELOW];
    const struct seek_side *above = &seek.side[SEEK_ABOVE];
    double from = knob_position(ref.knob, seek.from.value);

    if (!seek.found) {
        CHECK_TRUE(!below->crossed && !above->crossed, "%s: no answer", where);
        return;
    }
    check_point(where, ref, &seek.answer);
    CHECK_TRUE(seek.answer.shortfall == 0, "%s: %s fails", where, seek.answer.text);
    for (int s = 0; s < SEEK_SIDES; s++)
        if (seek.side[s].crossed)
            CHECK_TRUE(fabs(knob_position(ref.knob, seek.answer.value) - from) <=
                           fabs(knob_position(ref.knob, seek.side[s].holds.value) - from),
                       "%s: %s is nearer than %s", where, seek.side[s].holds.text,
                       seek.answer.text);
}

/* A 0 that stands for none, from which seek goes on to larger numbers, which seek.h describes. */
static bool is_none(struct knob_ref ref)
{
    size_t length;

    return knob_is_number(ref.knob) && knob_number(&scenario, ref) == 0 &&
           knob_zero_word(ref.knob, &length) != NULL;
}

/* Any knob that can be sought. */
static bool draw_knob(struct draw *draw, struct knob_ref *ref)
{
    for (int i = 0; i < 1000; i++) {
        const struct knob *knob = &knobs[draw_below(draw, KNOB_COUNT)];
        int count = section_count(&scenario, knob->section);

        if (count == 0)
            continue;
        *ref = (struct knob_ref){knob->section, (int)draw_below(draw, count), knob};
        if (knob_applies(&scenario, ref->section, ref->index, knob) && !is_none(*ref) &&
            !knob_idle(&scenario, *ref) && seek_check(&scenario, *ref, &error) == STATUS_OK)
            return true;
    }
    return false;
}

/* Something around what it is at present. */
static void draw_condition(struct draw *draw, char *text, size_t size)
{
    static const char *const paths[] = {"latency", "load", "max_frame_rate", "loop.servo_lag",
                                        "first_pixel_latency"};
    static const char *const relations[] = {"<=", ">=", "<", ">"};
    struct result_ref ref;
    const char *path = paths[draw_below(draw, (int)(sizeof paths / sizeof paths[0]))];
    struct unit unit;
    double value;
    char digits[40];

    evaluate(&scenario, &result, &error);
    result_find(&scenario, &result, path, &ref, &error);
    unit_find(ref.row->unit, &unit);
    value = result_value(&result, ref.row, ref.index) * unit.denominator / unit.numerator;
    number_format(value * draw_log(draw, 0.3, 3), digits, sizeof digits);
    snprintf(text, size, "%s%s%s%s", path, relations[draw_below(draw, 4)], digits,
             draw_below(draw, 3) == 0 ? ",load<=1" : "");
}

TEST(against_every_value)
{
    for (int s = 0; s < SYSTEMS; s++) {
        if (!load(systems[s]))
            return;
        for (unsigned seed = 1; seed <= (unsigned)draw_repeat(CASES); seed++) {
            struct draw draw = draw_start(1000 * (unsigned)s + seed);
            struct knob_ref ref;
            char until[200];
            char path[96];
            char where[400];

            if (!CHECK(draw_knob(&draw, &ref)))
                return;
            draw_condition(&draw, until, sizeof until);
            knob_path(&scenario, ref, path, sizeof path);
            snprintf(where, sizeof where, "%s, seed %u: %s until %s", systems[s],
                     1000 * (unsigned)s + seed, path, until);
            if (!run(ref, until))
                continue;
            if (seek.choices) {
                check_choices(where, ref);
            } else {
                check_side(where, ref, SEEK_BELOW);
                check_side(where, ref, SEEK_ABOVE);
                check_answer(where, ref);
            }
            seek_free(&seek);
        }
    }
}

/* Whatever the knob: numbers that are some, texts that may be set. */
TEST(any_knob)
{
    for (int s = 0; s < SYSTEMS; s++) {
        if (!load(systems[s]))
            return;
        for (int k = 0; k < KNOB_COUNT; k += draw_every(1)) {
            struct knob_ref ref = {knobs[k].section, 0, &knobs[k]};

            if (section_count(&scenario, ref.section) == 0 ||
                !knob_applies(&scenario, ref.section, 0, ref.knob))
                continue;
            if (seek_check(&scenario, ref, &error) != STATUS_OK) {
                CHECK_TRUE(error.message[0] != '\0', "%s: no reason", knobs[k].key);
                continue;
            }
            if (!run(ref, CONDITIONS_DEFAULT))
                continue;
            if (seek.found)
                check_point(knobs[k].key, ref, &seek.answer);
            CHECK_TRUE(!isnan(seek.best.shortfall) && seek.best.text[0] != '\0',
                       "%s: the best is %g at \"%s\"", knobs[k].key, seek.best.shortfall,
                       seek.best.text);
            seek_free(&seek);
        }
    }
}

/* One by one ---------------------------------------------------------------------------------- */

/* 1 TFLOP/s, camera and one component of 1 GFLOP: 1 ms in one packet of a frame of 10 ms. */
static bool one_slot(void)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_round_device(&scenario, "rtc");
    sample_component(&scenario, "camera", "camera");
    sample_component(&scenario, "work", "custom");
    sample_set(&scenario, "component.work.flops", "1e9");
    sample_set(&scenario, "component.work.compute_efficiency", "1");
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "scenario.frame_rate", "100 Hz");
    return CHECK(sample_evaluate(&scenario, &result));
}

/* Work may rise to what a latency of 2.5 ms allows; 2.5e9 is a number of two digits. */
TEST(real_numbers)
{
    struct knob_ref ref;

    if (!one_slot() || !find("component.work.flops", &ref) || !run(ref, "latency<=2.5ms"))
        return;
    CHECK(seek.found && seek.side[SEEK_ABOVE].crossed && !seek.side[SEEK_BELOW].crossed);
    CHECK_NEAR(seek.answer.value, 2.5e9, 1e-3);
    CHECK(seek.answer.value <= 2.5e9);
    CHECK_NEAR(seek.side[SEEK_ABOVE].fails.value, 2.5e9, 1e-3);
    CHECK(seek.side[SEEK_ABOVE].fails.value > 2.5e9);
    seek_free(&seek);
}

TEST(infeasible)
{
    struct knob_ref ref;

    if (!one_slot() || !find("component.work.overhead", &ref) || !run(ref, "latency<=0.5ms"))
        return;
    CHECK(!seek.found && !seek_feasible(&seek) && seek.moves);
    CHECK_NEAR(seek.best.left[0], 1e-3, 1e-9);
    CHECK_STR(seek.best.bound_node, "work");
    CHECK_STR(seek.best.device, "rtc");
    CHECK_INT(seek.best.bound, BOUND_COMPUTE);
    seek_free(&seek);
    if (!find("atmosphere.zenith", &ref) || !run(ref, "latency<=0.5ms"))
        return;
    CHECK(!seek_feasible(&seek) && !seek.moves);
    seek_free(&seek);
}

/* The best value of an overhead of half a percent gains half a percent. */
TEST(best_is_as_good_as_now)
{
    char text[SEEK_SENTENCE_MAX];
    struct knob_ref ref;

    if (!one_slot() || !find("component.work.overhead", &ref))
        return;
    sample_set(&scenario, "component.work.overhead", "5 us");
    if (!run(ref, "latency<=0.5ms"))
        return;
    seek_infeasible(&scenario, &seek, text, sizeof text);
    CHECK_TRUE(strstr(text, " at 0 us, no practical difference from now") != NULL, "%s", text);
    seek_free(&seek);
    sample_set(&scenario, "component.work.overhead", "50 us");
    if (!run(ref, "latency<=0.5ms"))
        return;
    seek_infeasible(&scenario, &seek, text, sizeof text);
    CHECK_TRUE(strstr(text, " at 0 us") != NULL && strstr(text, "practical") == NULL, "%s", text);
    CHECK(seek.faster);
    seek_free(&seek);
}

/* The upper end of the range is tested after the latency, and found for what is reported. */
TEST(upper_ends)
{
    struct latency_range range;
    struct knob_ref ref;
    long evaluations;

    if (!one_slot() || !find("component.work.flops", &ref))
        return;
    sample_set(&scenario, "scenario.frame_rate", "100 Hz");
    if (!run(ref, "latency_high<=2.5ms"))
        return;
    CHECK(seek.found && seek.side[SEEK_ABOVE].crossed);
    for (int fails = 0; fails < 2; fails++) {
        const struct seek_side *side = &seek.side[SEEK_ABOVE];
        const struct seek_point *point = fails ? &side->fails : &side->holds;

        scenario_copy(&fresh, &scenario);
        CHECK_INT(knob_set_number(&fresh, ref, point->value, &error), STATUS_OK);
        CHECK_INT(range_find(&fresh, &result, NULL, NULL, &range, &error), STATUS_OK);
        CHECK((range.high != RESULT_NONE && range.high <= 2.5e-3) == !fails);
        CHECK(!point->partial);
        CHECK_NEAR(point->left[0], range.high, 0);
    }
    CHECK(!seek.side[SEEK_ABOVE].end.partial && !seek.present.partial && !seek.best.partial);
    evaluations = seek.evaluations;
    seek_free(&seek);
    if (run(ref, "latency<=2.5ms"))
        CHECK_TRUE(evaluations < 2 * seek.evaluations, "%ld evaluations, %ld", evaluations,
                   seek.evaluations);
    seek_free(&seek);
}

/* Fulfilled between two bounds: an edge each way. */
TEST(edges_both_ways)
{
    struct knob_ref ref;

    if (!one_slot() || !find("component.work.flops", &ref) ||
        !run(ref, "latency<=2.5ms,latency>=500us"))
        return;
    CHECK(seek.side[SEEK_ABOVE].crossed && seek.side[SEEK_BELOW].crossed);
    CHECK_NEAR(seek.side[SEEK_BELOW].holds.value, 0.5e9, 1e-3);
    CHECK(seek.side[SEEK_BELOW].holds.value >= 0.5e9);
    /* on a logarithmic slider a factor of 2 is nearer than one of 2.5 */
    CHECK_NEAR(seek.answer.value, 0.5e9, 1e-3);
    seek_free(&seek);
}

TEST(automatic_values)
{
    struct knob_ref ref;

    if (!one_slot() || !find("component.work.share", &ref) || !run(ref, "latency<=2.5ms"))
        return;
    CHECK_STR(seek.present.text, "auto");
    CHECK_NEAR(seek.from.value, 1, 0);
    CHECK_NEAR(seek.answer.value, 0.4, 1e-3);
    CHECK(seek.answer.value >= 0.4);
    seek_free(&seek);
}

TEST(nothing_to_seek)
{
    struct knob_ref ref;

    if (!one_slot())
        return;
    if (find("scenario.title", &ref))
        CHECK_INT(seek_check(&scenario, ref, &error), STATUS_INVALID);
    if (find("scenario.format", &ref))
        CHECK_INT(seek_check(&scenario, ref, &error), STATUS_INVALID);
    CHECK_STR(error.message, "scenario.format has only one value");
    if (find("component.work.device", &ref))
        CHECK_INT(seek_check(&scenario, ref, &error), STATUS_INVALID);
}

static bool stop(void *context, double done)
{
    (void)done;
    return ++*(int *)context < 10;
}

TEST(stops_when_told)
{
    int told = 0;
    struct progress progress = {stop, &told};
    struct knob_ref ref;

    if (!one_slot() || !find("device.rtc.cores", &ref) ||
        conditions_parse(&scenario, &result, "load<=0.001", &conditions, &error) != STATUS_OK)
        return;
    CHECK_INT(seek_knob(&scenario, systems_catalogue(), ref, &conditions, &progress, &seek, &error),
              STATUS_STOPPED);
    CHECK_INT(told, 10);
}

SUITE(begin, end)
