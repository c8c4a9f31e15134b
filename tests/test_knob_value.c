#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "rows.h"
#include "sample.h"
#include "zoo.h"

/* The bytes of an instance. */
static size_t instance_size(enum section section)
{
    static const size_t sizes[SECTION_COUNT] = {
        sizeof(struct general), sizeof(struct ao),     sizeof(struct atmosphere),
        sizeof(struct wfs),     sizeof(struct device), sizeof(struct component)};

    return sizes[section];
}

static void visit_numbers(struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *k = ref.knob;
    struct draw draw = draw_start((uint64_t)(k - knobs) + 100);
    struct error error = {STATUS_OK, ""};
    char text[2304];
    double before;

    if (!zoo_is_number(k))
        return;
    for (int i = 0; i < 20; i++) {
        double si = zoo_value(k, &draw);

        if (!CHECK_TRUE(knob_set_number(scenario, ref, si, &error) == STATUS_OK &&
                            knob_number(scenario, ref) == si &&
                            (knob_origin(scenario, ref) == ORIGIN_SET) != knob_is_auto(k, si),
                        "%s = %.17g: %s", k->key, si, error.message))
            continue;
        knob_get_text(scenario, ref, text, sizeof text);
        CHECK_TRUE(knob_set_text(scenario, ref, text, &error) == STATUS_OK &&
                       knob_number(scenario, ref) == si,
                   "%s = %.17g is written \"%s\", read %.17g: %s", k->key, si, text,
                   knob_number(scenario, ref), error.message);
    }
    before = knob_number(scenario, ref);
    CHECK_TRUE(knob_set_number(scenario, ref, knob_max(k) * 1.0001 + 1, &error) == STATUS_INVALID &&
                   knob_set_number(scenario, ref, NAN, &error) == STATUS_INVALID &&
                   knob_set_number(scenario, ref, INFINITY, &error) == STATUS_INVALID &&
                   knob_set_number(scenario, ref, knob_min(k) - 1, &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "1e300", &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "-70", &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "", &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "nan", &error) == STATUS_INVALID &&
                   (k->type != KNOB_INTEGER ||
                    knob_set_number(scenario, ref, knob_min(k) + 0.5, &error) == STATUS_INVALID),
               "%s takes a value that is none of its own", k->key);
    CHECK_TRUE(knob_number(scenario, ref) == before, "%s: what is refused changes it", k->key);
}

TEST(numbers_set_and_read_back)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    zoo_each(&scenario, visit_numbers);
}

/* Returns a text that a knob takes. */
static const char *text_allowed(const struct knob *knob)
{
    return knob_is(knob, KNOB_CALIBRATION_FACTORS)        ? "rtc:memory:1.1:1.2"
           : knob_is(knob, KNOB_CALIBRATION_CORRELATIONS) ? "-0.5"
           : knob_is(knob, KNOB_CALIBRATION_MEASURED)     ? "latency=1ms+-5%"
           : knob_is(knob, KNOB_CALIBRATION_DEVICES)      ? "rtc:00000000:00000000"
           : knob->check != NULL                          ? "48:0.01:20"
                                                          : "words";
}

static void visit_reset(struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *k = ref.knob;
    static struct scenario copy;
    struct error error = {STATUS_OK, ""};
    char first[2304];
    char text[2304];
    double last = zoo_is_number(k) ? knob_max(k) : 0;

    copy = *scenario;
    knob_get_text(scenario, ref, first, sizeof first);
    CHECK_TRUE(knob_origin(scenario, ref) ==
                       (k->automatic && !(k->section == SECTION_DEVICE && zoo_is_number(k))
                            ? ORIGIN_AUTOMATIC
                            : ORIGIN_ASSUMED) ||
                   strcmp(k->key, "type") == 0 || strcmp(k->key, "kind") == 0,
               "%s is from %s", k->key, origin_name(knob_origin(scenario, ref)));
    if (zoo_is_number(k))
        knob_set_number(&copy, ref, last, &error);
    else if (k->type == KNOB_TEXT)
        knob_set_text(&copy, ref, text_allowed(k), &error);
    else if (k->type == KNOB_COMPONENTS)
        knob_set_text(&copy, ref, "none", &error);
    else if (knob_choice_count(&copy, ref) > 0 && strcmp(k->key, "type") != 0 &&
             strcmp(k->key, "kind") != 0)
        knob_set_text(&copy, ref, knob_choice_name(&copy, ref, knob_choice_count(&copy, ref) - 1),
                      &error);
    else
        return;
    CHECK_TRUE(knob_origin(&copy, ref) == ORIGIN_SET, "%s is not set: %s", k->key, error.message);
    knob_reset(&copy, ref);
    knob_get_text(&copy, ref, text, sizeof text);
    CHECK_TRUE(strcmp(text, first) == 0, "%s is reset to \"%s\", expected \"%s\"", k->key, text,
               first);
    CHECK_TRUE(memcmp(section_head(&copy, ref.section, ref.index),
                      section_head(scenario, ref.section, ref.index),
                      instance_size(ref.section)) == 0,
               "%s: a reset leaves something behind", k->key);
}

TEST(reset_takes_everything_back)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    zoo_each(&scenario, visit_reset);
}

static void visit_choices(struct scenario *scenario, struct knob_ref ref)
{
    static struct scenario copy;
    int count = knob_choice_count(scenario, ref);
    struct error error = {STATUS_OK, ""};
    char text[2304];

    copy = *scenario;
    if (ref.knob->type != KNOB_CHOICE && ref.knob->type != KNOB_ALGORITHM &&
        ref.knob->type != KNOB_WFS && ref.knob->type != KNOB_DEVICE &&
        ref.knob->type != KNOB_DEVICES) {
        CHECK_INT(count, 0);
        return;
    }
    for (int i = 0; i < count; i++) {
        const char *name = knob_choice_name(scenario, ref, i);

        copy = *scenario;
        CHECK_TRUE(knob_set_text(&copy, ref, name, &error) == STATUS_OK, "%s = %s: %s",
                   ref.knob->key, name, error.message);
        knob_get_text(&copy, ref, text, sizeof text);
        CHECK_STR(text, name);
        CHECK_INT(knob_choice(&copy, ref), i);
        CHECK_TRUE(knob_set_number(&copy, ref, knob_number(&copy, ref), &error) == STATUS_OK,
                   "%s = %s by number: %s", ref.knob->key, name, error.message);
        CHECK_INT(knob_choice(&copy, ref), i);
    }
    copy = *scenario;
    CHECK_TRUE(knob_set_text(&copy, ref, "nonsense", &error) == STATUS_INVALID &&
                   knob_set_text(&copy, ref, "", &error) == STATUS_INVALID &&
                   knob_set_number(&copy, ref, 1000, &error) == STATUS_INVALID &&
                   knob_set_number(&copy, ref, -7, &error) == STATUS_INVALID,
               "%s takes what is no choice", ref.knob->key);
    CHECK_TRUE((knob_set_text(&copy, ref, "auto", &error) == STATUS_OK) == ref.knob->automatic,
               "%s and auto: %s", ref.knob->key, error.message);
    if (ref.knob->automatic)
        CHECK_INT(knob_choice(&copy, ref), -1);
}

TEST(choices_set_and_read_back)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    zoo_each(&scenario, visit_choices);
}

static struct scenario lists;

/* Of a list of components those it waits for, of devices those it runs on, by their bits. */
static void check_list(const struct row *row)
{
    struct knob_ref ref;
    char text[2304];
    bool devices = strstr(row->field[0], ".device") != NULL;

    sample_set(&lists, row->field[0], row->field[1]);
    CHECK_INT(knob_find(&lists, row->field[0], &ref, NULL), STATUS_OK);
    knob_get_text(&lists, ref, text, sizeof text);
    ROW_STR(row, text, row->field[2]);
    ROW_NEAR(row,
             devices ? scenario_devices(&lists, ref.index)
                     : (double)scenario_predecessors(&lists, ref.index),
             row_number(row, 3), 0);
    if (devices)
        ROW_NEAR(row, knob_choice(&lists, ref), row_number(row, 4), 0);
}

TEST(lists_of_components_and_devices)
{
    zoo_make(&lists);
    sample_add(&lists, SECTION_DEVICE, "last");
    rows_each("knobs.txt", "lists", 5, check_list);
}

/* Of a component that is of another type now the first device stays. */
TEST(types_without_a_list_of_devices)
{
    zoo_make(&lists);
    sample_set(&lists, "component.reconstruction.device", "c, g");
    sample_set(&lists, "component.reconstruction.type", "custom");
    CHECK_INT((int)lists.component[COMPONENT_RECONSTRUCTION].devices, 1);
    sample_set(&lists, "component.reconstruction.type", "camera");
    CHECK_INT((int)lists.component[COMPONENT_RECONSTRUCTION].devices, 0);
}

TEST(a_new_kind_starts_at_its_defaults)
{
    static struct scenario scenario;
    static struct scenario plain;
    struct error error;
    struct knob_ref ref;

    zoo_make(&scenario);
    sample_set(&scenario, "device.c.clock", "3.1 GHz");
    sample_set(&scenario, "device.c.cores", "64");
    sample_set(&scenario, "device.c.sustained_memory", "0.7");
    sample_set(&scenario, "device.c.kind", "gpu");
    CHECK_INT(knob_find(&scenario, "device.c.clock", &ref, &error), STATUS_OK);
    CHECK_NEAR(knob_number(&scenario, ref), 1410e6, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_ASSUMED);
    CHECK_INT(knob_find(&scenario, "device.c.sustained_memory", &ref, &error), STATUS_OK);
    CHECK_NEAR(knob_number(&scenario, ref), 0.7, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_SET);
    /* and back: what was of the other kind is gone, what both have stays */
    sample_set(&scenario, "device.c.kind", "cpu");
    zoo_make(&plain);
    sample_set(&plain, "device.c.sustained_memory", "0.7");
    sample_set(&plain, "device.c.kind", "cpu");
    CHECK(memcmp(&scenario.device[0], &plain.device[0], sizeof plain.device[0]) == 0);
}

/* From every type to every other and back, nothing of the other stays. */
TEST(types_leave_nothing_behind)
{
    static struct scenario scenario;
    static struct scenario plain;
    const char *const *types = zoo_choices(SECTION_COMPONENT, "type");
    struct draw draw = draw_start(23);

    for (int a = 0; a < COMPONENT_TYPE_COUNT; a++) {
        for (int b = 0; b < COMPONENT_TYPE_COUNT; b++) {
            struct error error;
            struct knob_ref ref = {SECTION_COMPONENT, a, NULL};

            zoo_make(&scenario);
            zoo_make(&plain);
            for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
                ref.knob = k;
                if (k->section == SECTION_COMPONENT && zoo_is_number(k) &&
                    knob_applies(&scenario, SECTION_COMPONENT, a, k))
                    knob_set_number(&scenario, ref, zoo_value(k, &draw), &error);
            }
            CHECK_INT(knob_find_key(&scenario, SECTION_COMPONENT, a, "type", &ref, &error),
                      STATUS_OK);
            knob_set_text(&scenario, ref, types[b], &error);
            for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
                struct knob_ref at = {SECTION_COMPONENT, a, k};

                if (k->section == SECTION_COMPONENT &&
                    knob_applies(&scenario, SECTION_COMPONENT, a, k) && k != ref.knob)
                    knob_reset(&scenario, at);
            }
            knob_set_text(&scenario, ref, types[a], &error);
            CHECK_TRUE(
                memcmp(&scenario.component[a], &plain.component[a], sizeof plain.component[a]) == 0,
                "a %s that was a %s is no longer a plain one", types[a], types[b]);
        }
    }
}

TEST(stated_by_a_preset)
{
    static struct scenario scenario;
    static struct scenario preset;
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    scenario_init(&preset);
    sample_add(&preset, SECTION_DEVICE, "part");
    sample_set(&preset, "device.part.cores", "96");
    sample_set(&preset, "device.part.kind", "cpu");
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "rtc");
    scenario.device[0].base = &preset.device[0];
    section_refresh(&scenario, SECTION_DEVICE, 0);

    CHECK_INT(knob_find(&scenario, "device.rtc.cores", &ref, &error), STATUS_OK);
    CHECK_NEAR(knob_number(&scenario, ref), 96, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_STATED);
    sample_set(&scenario, "device.rtc.cores", "8");
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_SET);
    section_refresh(&scenario, SECTION_DEVICE, 0);
    CHECK_NEAR(knob_number(&scenario, ref), 8, 0);
    knob_reset(&scenario, ref);
    CHECK_NEAR(knob_number(&scenario, ref), 96, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_STATED);
    CHECK_INT(knob_find(&scenario, "device.rtc.sockets", &ref, &error), STATUS_OK);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_ASSUMED);
    snprintf(scenario.device[0].preset, sizeof scenario.device[0].preset, "part");
    CHECK_INT(knob_find(&scenario, "device.rtc.kind", &ref, &error), STATUS_OK);
    CHECK_INT(knob_set_text(&scenario, ref, "gpu", &error), STATUS_INVALID);
    CHECK_STR(error.message, "preset part is a cpu; choose another preset first");
}

static void visit_open(struct scenario *scenario, struct knob_ref ref)
{
    static struct scenario plain;
    struct error error = {STATUS_OK, ""};

    if (!ref.knob->automatic)
        return;
    knob_reset(scenario, ref);
    scenario_copy(&plain, scenario);
    CHECK_TRUE(knob_set_text(scenario, ref, "auto", &error) == STATUS_OK &&
                   knob_origin(scenario, ref) != ORIGIN_SET &&
                   memcmp(scenario, &plain, sizeof plain) == 0,
               "%s = auto is not as a reset", ref.knob->key);
}

/* Left open is no statement, but where a preset has a value. */
TEST(left_open)
{
    static struct scenario scenario;
    static struct scenario preset;
    struct knob_ref ref;
    char text[64];

    zoo_make(&scenario);
    zoo_each(&scenario, visit_open);
    scenario_init(&preset);
    sample_add(&preset, SECTION_DEVICE, "part");
    sample_set(&preset, "device.part.l3", "32 MiB");
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "rtc");
    scenario.device[0].base = &preset.device[0];
    section_refresh(&scenario, SECTION_DEVICE, 0);
    CHECK_INT(knob_find(&scenario, "device.rtc.l3", &ref, NULL), STATUS_OK);
    for (int again = 0; again < 2; again++) {
        sample_set(&scenario, "device.rtc.l3", "auto");
        section_refresh(&scenario, SECTION_DEVICE, 0);
        CHECK_INT(knob_origin(&scenario, ref), ORIGIN_SET);
        knob_get_text(&scenario, ref, text, sizeof text);
        CHECK_STR(text, "auto");
    }
    /* with another preset, that says nothing of it, neither does the design */
    scenario.device[0].base = NULL;
    section_refresh(&scenario, SECTION_DEVICE, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_ASSUMED);
}

TEST(origins_have_names)
{
    CHECK_STR(origin_name(ORIGIN_SET), "set");
    CHECK_STR(origin_name(ORIGIN_STATED), "stated");
    CHECK_STR(origin_name(ORIGIN_ASSUMED), "assumed");
    CHECK_STR(origin_name(ORIGIN_AUTOMATIC), "automatic");
}
