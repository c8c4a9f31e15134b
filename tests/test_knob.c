#include "design/knob.h"
#include "design/knob_text.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "check.h"
#include "rows.h"
#include "sample.h"
#include "zoo.h"

TEST(rows_are_sound)
{
    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
        struct unit unit;

        CHECK_TRUE(strlen(k->label) <= 16 && k->label[0] != '\0', "%s: label \"%s\"", k->key,
                   k->label);
        CHECK_TRUE(k->help[0] != '\0' && k->help[strlen(k->help) - 1] != '.' &&
                       strchr(k->help, '\n') == NULL,
                   "%s: help \"%s\"", k->key, k->help);
        CHECK_TRUE(unit_find(k->unit, &unit) == STATUS_OK, "%s: unit \"%s\"", k->key, k->unit);
        CHECK_TRUE(strspn(k->key, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(k->key),
                   "key \"%s\"", k->key);
        CHECK_TRUE(k->step > 0 || !zoo_is_number(k), "%s: step %g", k->key, k->step);
        CHECK_TRUE(k == knobs || k->section >= k[-1].section, "%s: sections are mixed", k->key);
        if (zoo_is_number(k))
            CHECK_TRUE(k->min <= k->max && ((k->fallback >= k->min && k->fallback <= k->max) ||
                                            (k->automatic && k->fallback <= k->min)),
                       "%s: default %g, range %g to %g", k->key, k->fallback, k->min, k->max);
        if (k->type == KNOB_INTEGER)
            CHECK_TRUE(k->min == floor(k->min) && k->max == floor(k->max) &&
                           k->fallback == floor(k->fallback) && unit.numerator == unit.denominator,
                       "%s is no whole number", k->key);
        if (zoo_is_number(k) && k->scale == SCALE_POWER2)
            CHECK_TRUE(k->min >= 1, "%s: a range of powers of two from %g", k->key, k->min);
    }
}

static bool reachable(const struct knob *a, const struct knob *b)
{
    return a->section == b->section && strcmp(a->key, b->key) == 0 &&
           (a->kinds == 0 || b->kinds == 0 || (a->kinds & b->kinds) != 0);
}

TEST(keys_are_unique)
{
    for (const struct knob *a = knobs; a < knobs + KNOB_COUNT; a++)
        for (const struct knob *b = a + 1; b < knobs + KNOB_COUNT; b++)
            CHECK_TRUE(!reachable(a, b), "%s.%s stands twice", section_name(a->section), a->key);
}

/* A set of a section's knobs has 128 places. */
TEST(rows_fit_the_sets)
{
    int sum = 0;

    for (int s = 0; s < SECTION_COUNT; s++) {
        int count = knob_section_count((enum section)s);
        int first = knob_section_first((enum section)s);

        CHECK_TRUE(count > 0 && count <= 128, "%s has %d knobs", section_name((enum section)s),
                   count);
        CHECK_TRUE(knobs[first].section == (enum section)s, "section %d begins elsewhere", s);
        sum += count;
    }
    CHECK_INT(sum, KNOB_COUNT);
}

/* The order of the names is the order of the enums of scenario.h. */
TEST(choices_match_their_enums)
{
    static const struct {
        enum section section;
        const char *key;
        int value;
        const char *name;
    } cases[] = {
        {SECTION_WFS, "kind", WFS_SHACK_HARTMANN, "shack-hartmann"},
        {SECTION_WFS, "kind", WFS_PYRAMID, "pyramid"},
        {SECTION_DEVICE, "kind", DEVICE_CPU, "cpu"},
        {SECTION_DEVICE, "kind", DEVICE_GPU, "gpu"},
        {SECTION_DEVICE, "fma", 0, "no"},
        {SECTION_DEVICE, "fma", 1, "yes"},
        {SECTION_DEVICE, "host_link", HOST_LINK_PCIE, "pcie"},
        {SECTION_DEVICE, "host_link", HOST_LINK_NVLINK, "nvlink"},
        {SECTION_DEVICE, "host_link", HOST_LINK_UNIFIED, "unified"},
        {SECTION_COMPONENT, "type", COMPONENT_CAMERA, "camera"},
        {SECTION_COMPONENT, "type", COMPONENT_CALIBRATION, "calibration"},
        {SECTION_COMPONENT, "type", COMPONENT_CENTROID, "centroid"},
        {SECTION_COMPONENT, "type", COMPONENT_PYRAMID, "pyramid"},
        {SECTION_COMPONENT, "type", COMPONENT_RECONSTRUCTION, "reconstruction"},
        {SECTION_COMPONENT, "type", COMPONENT_CONTROL, "control"},
        {SECTION_COMPONENT, "type", COMPONENT_TRANSFER, "transfer"},
        {SECTION_COMPONENT, "type", COMPONENT_DM, "dm"},
        {SECTION_COMPONENT, "type", COMPONENT_CUSTOM, "custom"},
        {SECTION_COMPONENT, "precision", PRECISION_FP64, "fp64"},
        {SECTION_COMPONENT, "precision", PRECISION_FP32, "fp32"},
        {SECTION_COMPONENT, "precision", PRECISION_FP16, "fp16"},
        {SECTION_COMPONENT, "precision", PRECISION_BF16, "bf16"},
        {SECTION_COMPONENT, "precision", PRECISION_INT8, "int8"},
        {SECTION_COMPONENT, "access", ACCESS_SEQUENTIAL, "sequential"},
        {SECTION_COMPONENT, "access", ACCESS_STRIDED, "strided"},
        {SECTION_COMPONENT, "access", ACCESS_RANDOM, "random"},
        {SECTION_COMPONENT, "barrier", BARRIER_PACKET, "packet"},
        {SECTION_COMPONENT, "barrier", BARRIER_FRAME, "frame"},
        {SECTION_COMPONENT, "shutter", SHUTTER_GLOBAL, "global"},
        {SECTION_COMPONENT, "shutter", SHUTTER_ROLLING, "rolling"},
        {SECTION_COMPONENT, "order", ORDER_RASTER, "raster"},
        {SECTION_COMPONENT, "order", ORDER_CENTRE_OUT, "centre-out"},
        {SECTION_COMPONENT, "order", ORDER_EDGES_IN, "edges-in"},
        {SECTION_COMPONENT, "order", ORDER_FRAME, "frame"},
        {SECTION_COMPONENT, "interface", INTERFACE_NONE, "none"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_BASE, "camera-link-base"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_MEDIUM, "camera-link-medium"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_FULL, "camera-link-full"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_80, "camera-link-80"},
        {SECTION_COMPONENT, "interface", INTERFACE_COAXPRESS_6, "coaxpress-6"},
        {SECTION_COMPONENT, "interface", INTERFACE_COAXPRESS_12, "coaxpress-12"},
        {SECTION_COMPONENT, "interface", INTERFACE_GIGE_VISION, "gige-vision"},
        {SECTION_COMPONENT, "normalisation", NORMALISATION_GLOBAL, "global"},
        {SECTION_COMPONENT, "normalisation", NORMALISATION_LOCAL, "local"},
        {SECTION_COMPONENT, "link", LINK_NONE, "none"},
        {SECTION_COMPONENT, "link", LINK_NETWORK, "network"},
        {SECTION_COMPONENT, "link", LINK_PCIE, "pcie"},
        {SECTION_COMPONENT, "switch", SWITCH_CUT_THROUGH, "cut-through"},
        {SECTION_COMPONENT, "switch", SWITCH_STORE_FORWARD, "store-forward"},
        {SECTION_COMPONENT, "agenda", AGENDA_PIXELS, "pixels"},
        {SECTION_COMPONENT, "agenda", AGENDA_SLOPES, "slopes"},
        {SECTION_COMPONENT, "agenda", AGENDA_FRAME, "frame"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const *choices = zoo_choices(cases[i].section, cases[i].key);

        if (choices != NULL)
            CHECK_STR(choices[cases[i].value], cases[i].name);
    }
    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
        int count = 0;

        if (k->type != KNOB_CHOICE)
            continue;
        while (k->choices[count] != NULL)
            count++;
        CHECK_TRUE((int)k->max == count - 1, "%s: %d choices, the last is %g", k->key, count,
                   k->max);
    }
}

static struct scenario zoo;

static void check_default(const struct row *row)
{
    struct knob_ref ref;
    struct error error;
    char text[2304];

    if (!ROW_TRUE(row, knob_find(&zoo, row->field[0], &ref, &error) == STATUS_OK, "%s",
                  error.message))
        return;
    knob_get_text(&zoo, ref, text, sizeof text);
    ROW_STR(row, text, row->field[1]);
    knob_path(&zoo, ref, text, sizeof text);
    ROW_STR(row, text, row->field[0]);
}

TEST(defaults_as_designed)
{
    zoo_make(&zoo);
    rows_each("knobs.txt", "defaults", 2, check_default);
}

static void visit_found(struct scenario *scenario, struct knob_ref ref)
{
    struct knob_ref found = {SECTION_COUNT, 0, NULL};
    struct error error = {STATUS_OK, ""};
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    CHECK_TRUE(knob_find(scenario, path, &found, &error) == STATUS_OK && found.knob == ref.knob &&
                   found.index == ref.index && found.section == ref.section,
               "%s is not found: %s", path, error.message);
}

TEST(finds_every_path)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    CHECK(zoo_each(&scenario, visit_found) > KNOB_COUNT);
}

static void check_refused(const struct row *row)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;
    char before[2304];
    char after[2304];

    if (!ROW_TRUE(row, knob_find(&zoo, row->field[0], &ref, &error) == STATUS_OK, "%s",
                  error.message))
        return;
    knob_get_text(&zoo, ref, before, sizeof before);
    ROW_TRUE(row, knob_set_text(&zoo, ref, row->field[1], &error) == STATUS_INVALID, "accepted");
    ROW_STR(row, error.message, row->field[2]);
    knob_get_text(&zoo, ref, after, sizeof after);
    ROW_STR(row, after, before);
}

TEST(refuses_with_a_sentence)
{
    zoo_make(&zoo);
    rows_each("knobs.txt", "refused", 3, check_refused);
}

static void check_not_found(const struct row *row)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    ROW_TRUE(row, knob_find(&zoo, row->field[0], &ref, &error) == STATUS_INVALID, "found");
    ROW_STR(row, error.message, row->field[1]);
}

TEST(names_the_nearest)
{
    zoo_make(&zoo);
    rows_each("knobs.txt", "not found", 2, check_not_found);
}

static int steps;

static void count_step(struct scenario *s, struct knob_ref ref)
{
    (void)s, (void)ref;
    steps++;
}

/* knob_next against the loops of zoo_each. */
TEST(next_visits_every_knob_once)
{
    struct knob_ref ref = {.knob = NULL};
    struct knob_ref before = ref;
    int count = 0;

    zoo_make(&zoo);
    zoo_each(&zoo, count_step);
    for (; knob_next(&zoo, &ref); before = ref, count++) {
        CHECK_TRUE(knob_applies(&zoo, ref.section, ref.index, ref.knob) &&
                       ref.knob->section == ref.section &&
                       ref.index < section_count(&zoo, ref.section),
                   "%s.%d %s", section_name(ref.section), ref.index, ref.knob->key);
        CHECK_TRUE(ref.section > before.section || ref.index > before.index ||
                       ref.knob > before.knob || count == 0,
                   "%s comes again", ref.knob->key);
    }
    CHECK_INT(count, steps);
}
