/* Text of values: "PATH=VALUE" sets a knob, whose text sets it again to the same; so do quantities,
 * and the conditions and axes of the commands that take them are read. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "design/assign.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "explore/axis.h"
#include "explore/condition.h"
#include "model/evaluate.h"

static struct scenario loop, changed, again;
static struct result result;

static void open_loop(void)
{
    struct error error;
    const struct preset *preset = catalogue_find(fuzz_catalogue(), "saxo", 1U << PRESET_AO, &error);

    result_init(&result);
    fuzz_check(preset != NULL &&
                   scenario_read_preset(&loop, preset, fuzz_catalogue(), &error) == STATUS_OK &&
                   scenario_insert(&loop, SECTION_COMPONENT, loop.component_count, "work",
                                   &error) == STATUS_OK &&
                   knob_set_text(&loop, knob_ref_to(KNOB_COMPONENT_TYPE, loop.component_count - 1),
                                 "custom", &error) == STATUS_OK &&
                   evaluate(&loop, &result, &error) == STATUS_OK,
               "%s", error.message);
}

/* Reads a quantity in a unit; its text reads as the same number. */
static void check_quantity(const char *text, const char *unit)
{
    char exact[64], shown[64];
    struct error error;
    double si, back;

    if (quantity_parse(text, unit, &si, &error) != STATUS_OK) {
        fuzz_check_message(error.message);
        return;
    }
    quantity_format(si, unit, exact, sizeof exact);
    fuzz_check(quantity_parse(exact, unit, &back, &error) == STATUS_OK &&
                   memcmp(&si, &back, sizeof si) == 0,
               "\"%s\" is %.17g, written \"%s\", which is %.17g", text, si, exact, back);
    quantity_print(si, unit, shown, sizeof shown);
    quantity_shorten(exact);
}

/* The text of every knob that an assignment set, set again, gives the same scenario. */
static void check_assigned(const char *text)
{
    const char *const list[] = {text};
    const struct assignments assignments = {list, 1};
    struct knob_ref ref = {.knob = NULL};
    struct error error;

    changed = loop;
    if (scenario_assign(&changed, fuzz_catalogue(), NULL, &assignments, &error) != STATUS_OK) {
        fuzz_check_message(error.message);
        fuzz_check(memcmp(&changed, &loop, sizeof loop) == 0, "refused, but changed: %s", text);
        return;
    }
    while (knob_next(&changed, &ref)) {
        char value[KNOB_TEXT_SIZE], second[KNOB_TEXT_SIZE];

        if (memcmp(section_head_const(&changed, ref.section, ref.index),
                   section_head_const(&loop, ref.section, ref.index),
                   sizeof(struct section_head)) == 0 ||
            ref.knob->type == KNOB_PRESET || ref.knob->type == KNOB_FILE ||
            !knob_is_own(&changed, ref))
            continue;
        again = changed;
        knob_get_text(&changed, ref, value, sizeof value);
        fuzz_check(knob_set_text(&again, ref, value, &error) == STATUS_OK, "%s = %s: %s",
                   ref.knob->key, value, error.message);
        knob_get_text(&again, ref, second, sizeof second);
        fuzz_check(strcmp(value, second) == 0, "%s = %s, then %s", ref.knob->key, value, second);
        fuzz_check(!knob_is_number(ref.knob) ||
                       knob_number(&again, ref) == knob_number(&changed, ref),
                   "%s = %s", ref.knob->key, value);
        knob_print(&changed, ref, second, sizeof second);
    }
}

static void check_conditions(const char *text)
{
    char shown[CONDITIONS_MAX * CONDITION_TEXT_MAX];
    struct conditions conditions;
    struct error error;

    if (conditions_parse(&loop, &result, text, &conditions, &error) != STATUS_OK) {
        fuzz_check_message(error.message);
        return;
    }
    conditions_print(&conditions, shown, sizeof shown);
    fuzz_check(conditions.count >= 1 && conditions.count <= CONDITIONS_MAX, "%d conditions",
               conditions.count);
    conditions_shortfall(&loop, &result, &conditions);
}

static void check_axis(const char *text)
{
    struct axis axis = {.number = NULL};
    struct error error;

    if (axis_parse(&axis, &loop, fuzz_catalogue(), text, &error) != STATUS_OK) {
        fuzz_check_message(error.message);
        axis_free(&axis);
        return;
    }
    for (int i = 0; i < axis.count && i < 8; i++) {
        char cell[AXIS_TEXT_MAX];

        axis_text(&axis, i, cell, sizeof cell);
        changed = loop;
        if (axis_apply(&axis, i, &changed, &error) != STATUS_OK)
            fuzz_check_message(error.message);
    }
    axis_free(&axis);
}

void fuzz_values(const char *bytes, size_t length)
{
    char *text = fuzz_text(bytes, length);
    const char *equals = strchr(text, '=');

    if (loop.component_count == 0)
        open_loop();
    for (int k = 0; equals != NULL && k < KNOB_COUNT; k += 7)
        if (knob_is_number(&knobs[(k + (int)length) % KNOB_COUNT]))
            check_quantity(equals + 1, knobs[(k + (int)length) % KNOB_COUNT].unit);
    check_assigned(text);
    check_conditions(text);
    check_axis(text);
    free(text);
}
