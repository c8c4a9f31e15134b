/* The values of a knob that explorations go through. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob_text.h"
#include "explore/axis.h"
#include "explore/grid.h"
#include "model/result_read.h"
#include "files.h"
#include "rows.h"
#include "sample.h"

static struct scenario scenario;

static bool parse(const char *text, struct axis *axis)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(axis_parse(axis, &scenario, files_catalogue(), text, &error) == STATUS_OK,
                      "%s: %s", text, error.message);
}

static void design(void)
{
    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
}

/* The cells of all values, separated by blanks. */
static void check_values(const struct row *row)
{
    struct axis axis;
    char all[4096] = "";
    char cell[1024];

    if (parse(row->field[0], &axis)) {
        for (int i = 0; i < axis.count; i++) {
            axis_text(&axis, i, cell, sizeof cell);
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? " " : "", cell);
        }
        ROW_STR(row, all, row->field[1]);
    }
    axis_free(&axis);
}

static void check_refused(const struct row *row)
{
    struct error error = {STATUS_OK, ""};
    struct axis axis;

    ROW_TRUE(row,
             axis_parse(&axis, &scenario, files_catalogue(), row->field[0], &error) ==
                 STATUS_INVALID,
             "accepted");
    ROW_STR(row, error.message, row->field[1]);
    axis_free(&axis);
}

TEST(values)
{
    design();
    rows_each("axis.txt", "values", 2, check_values);
}

TEST(refused)
{
    design();
    rows_each("axis.txt", "refused", 2, check_refused);
}

/* The path of a pattern and what it stands for, or what is said of it. */
static void check_pattern(const struct row *row)
{
    struct error error = {STATUS_OK, ""};
    struct axis axis;
    char path[RESULT_PATH_MAX] = "", names[200] = "";

    if (axis_parse_pattern(&axis, &scenario, files_catalogue(), row->field[0], false, &error) !=
        STATUS_OK) {
        ROW_STR(row, error.message, row->field[2]);
    } else {
        axis_path(&axis, &scenario, path, sizeof path);
        for (int i = 0; i < section_count(&scenario, axis.ref.section); i++)
            if (axis_varies(&axis, axis.ref.section, i))
                snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                         names[0] != '\0' ? " " : "",
                         section_head_const(&scenario, axis.ref.section, i)->name);
        ROW_STR(row, names, row->field[2]);
    }
    ROW_STR(row, path, row->field[1]);
    axis_free(&axis);
}

TEST(patterns)
{
    design();
    rows_each("axis.txt", "patterns", 3, check_pattern);
}

/* Every section that a pattern stands for has the value. */
TEST(values_of_patterns)
{
    struct error error = {STATUS_OK, ""};
    struct axis axis;

    design();
    CHECK_INT(axis_parse_pattern(&axis, &scenario, files_catalogue(), "component.*on*.priority=2,3",
                                 false, &error),
              STATUS_OK);
    CHECK_INT(axis_apply(&axis, 1, &scenario, &error), STATUS_OK);
    for (int c = 0; c < scenario.component_count; c++)
        CHECK_TRUE((scenario.component[c].priority == 3) ==
                       axis_varies(&axis, SECTION_COMPONENT, c),
                   "component %d", c);
    axis_free(&axis);
}

TEST(all_presets)
{
    struct axis axis;
    int gpus = 0;

    design();
    for (int i = 0; i < catalogue_count(files_catalogue()); i++)
        gpus += catalogue_at(files_catalogue(), i)->kind == PRESET_GPU;
    if (parse("device.gpu0.preset=all", &axis)) {
        CHECK_INT(axis.count, gpus);
        for (int i = 0; i < axis.count; i++) {
            struct error error = {STATUS_OK, ""};
            static struct scenario expected;

            scenario_copy(&expected, &scenario);
            CHECK_INT(scenario_set_preset(&expected, 1, files_catalogue(), axis.word[i], &error),
                      STATUS_OK);
            CHECK_INT(axis_apply(&axis, i, &scenario, &error), STATUS_OK);
            CHECK_INT(memcmp(&scenario.device[1], &expected.device[1], sizeof(struct device)), 0);
        }
    }
    axis_free(&axis);
}

/* A range's number is exactly that of the same digits as text. */
TEST(as_written)
{
    static const char *const texts[] = {"device.rtc.clock=0.7:4.1:23", "atmosphere.r0=3:97:41",
                                        "atmosphere.wavelength=301:29999:37:log",
                                        "device.rtc.launch=0.3:9.1:17:log"};
    struct axis axis;
    char cell[1024];

    design();
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        if (!parse(texts[t], &axis))
            return;
        for (int i = 0; i < axis.count; i++) {
            struct error error = {STATUS_OK, ""};
            char path[96];
            double applied;

            CHECK_INT(axis_apply(&axis, i, &scenario, &error), STATUS_OK);
            applied = knob_number(&scenario, axis.ref);
            axis_text(&axis, i, cell, sizeof cell);
            knob_path(&scenario, axis.ref, path, sizeof path);
            sample_set(&scenario, path, cell);
            CHECK_NEAR(applied, knob_number(&scenario, axis.ref), 0);
        }
        axis_free(&axis);
    }
}

/* Every knob of a design has one, or says that it has none; all values can be set. */
TEST(defaults)
{
    struct knob_ref ref;
    struct error error;

    design();
    for (int k = 0; k < KNOB_COUNT; k++) {
        int index = knobs[k].section == SECTION_DEVICE && !knob_has_kind(&knobs[k], DEVICE_CPU);
        enum knob_type type = knobs[k].type;
        bool none = type == KNOB_TEXT || type == KNOB_COMPONENTS || type == KNOB_FILE;
        struct axis axis = {.count = 0};

        ref = (struct knob_ref){knobs[k].section, index, &knobs[k]};
        if (!knob_applies(&scenario, ref.section, index, ref.knob))
            continue;
        error.message[0] = '\0';
        CHECK_TRUE((axis_default(&axis, &scenario, files_catalogue(), ref, 20, &error) ==
                    STATUS_OK) == !none,
                   "%s: %s", knobs[k].key, error.message);
        CHECK_TRUE(axis.count <= 20 || axis.number == NULL, "%s: %d values", knobs[k].key,
                   axis.count);
        CHECK_TRUE(none || axis.count > 0, "%s has no value", knobs[k].key);
        for (int i = 0; i < axis.count && axis.number != NULL; i++)
            CHECK_TRUE(knob_set_number(&scenario, ref, axis.number[i], &error) == STATUS_OK,
                       "%s: %s", knobs[k].key, error.message);
        axis_free(&axis);
    }
}

/* Numbers that span more than a decade are logarithmic, also those of a linear slider. */
TEST(decades)
{
    static const struct {
        const char *path;
        double value;
        bool logarithmic;
    } rows[] = {
        {"wfs.ngs.subaps_across", 80, true}, {"wfs.ngs.subaps_across", 400, false},
        {"ao.actuators", 4000, true},        {"device.rtc.clock", 2e9, true},
        {"device.rtc.clock", 8e9, false},    {"component.recon.share", 0.5, false},
    };
    struct error error;

    design();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct axis axis = {.count = 0};
        struct knob_ref ref;

        CHECK_TRUE(knob_find(&scenario, rows[i].path, &ref, &error) == STATUS_OK &&
                       axis_around(&axis, &scenario, files_catalogue(), ref, rows[i].value, 17,
                                   &error) == STATUS_OK,
                   "%s: %s", rows[i].path, error.message);
        CHECK_TRUE(grid_is_logarithmic(&axis) == rows[i].logarithmic, "%s around %g", rows[i].path,
                   rows[i].value);
        axis_free(&axis);
    }
}

SUITE(files_open, files_close)
