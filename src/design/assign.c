#include "design/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/utf8.h"
#include "design/knob_text.h"
#include "design/trace_library.h"

struct assignment {
    char *path;
    char *value;
};

/* Removes quotes; a value that begins with a quote must end with it, as in a file. */
static enum status unquote_value(char **value, struct error *error)
{
    char quote = (*value)[0];
    char *end;

    if (quote != '"' && quote != '\'')
        return STATUS_OK;
    end = strchr(*value + 1, quote);
    if (end == NULL)
        return error_set(error, STATUS_INVALID, "a closing %c is missing", quote);
    if (end[1] != '\0')
        return error_set(error, STATUS_INVALID, "text follows the closing %c", quote);
    *end = '\0';
    (*value)++;
    return STATUS_OK;
}

/* Splits the text "PATH = VALUE" in place. */
static enum status split_assignment(char *text, struct assignment *parts, struct error *error)
{
    char *equals = strchr(text, '=');

    if (equals == NULL)
        return error_set(error, STATUS_INVALID,
                         "an assignment is PATH=VALUE, as in device.rtc.cores=64");
    *equals = '\0';
    parts->path = text_trimmed(text);
    parts->value = text_trimmed(equals + 1);
    if (parts->path[0] == '\0')
        return error_set(error, STATUS_INVALID,
                         "a path is missing before the =, as in device.rtc.cores=64");
    return unquote_value(&parts->value, error);
}

static bool assigns(const struct scenario *scenario, struct knob_ref knob, char *text)
{
    struct assignment parts = {NULL, NULL};
    struct error error;
    struct knob_ref ref;

    if (split_assignment(text, &parts, &error) != STATUS_OK ||
        knob_find(scenario, parts.path, &ref, &error) != STATUS_OK || ref.section != knob.section ||
        ref.index != knob.index)
        return false;
    return ref.knob == knob.knob ||
           (ref.section == SECTION_COMPONENT && knob_id(ref.knob) == KNOB_COMPONENT_TYPE &&
            strcmp(parts.value, knob_word(KNOB_COMPONENT_TYPE, COMPONENT_PROGRAM)) != 0);
}

bool scenario_assigns(const struct scenario *scenario, struct knob_ref knob,
                      const struct assignments *assignments)
{
    bool found = false;

    for (int i = 0; i < assignments->count && !found; i++) {
        char *text = allocate_text(assignments->list[i]);

        found = assigns(scenario, knob, text);
        free(text);
    }
    return found;
}

bool assign_relative(const struct knob *knob, double present, const char *text, char *value,
                     size_t size)
{
    double factor, number;

    if (!knob_is_number(knob) || !number_factor(text, &factor))
        return false;
    number = knob_in_unit(knob, factor * present);
    number_format(knob->type == KNOB_INTEGER ? round(number) : number, value, size);
    return true;
}

static enum status set_value(struct scenario *scenario, struct knob_ref ref, const char *text,
                             struct error *error)
{
    double present = knob_is_number(ref.knob) ? knob_number(scenario, ref) : 0;
    char value[40];

    if (!assign_relative(ref.knob, present, text, value, sizeof value))
        return knob_set_text(scenario, ref, text, error);
    if (knob_is_auto(ref.knob, present))
        return error_set(error, STATUS_INVALID,
                         "the value is %s and not known here; type a number instead of %s",
                         knob_formula(scenario, ref) != NULL ? "that of a formula" : "automatic",
                         text);
    return knob_set_text(scenario, ref, value, error);
}

/* Applies an assignment if it belongs to this pass. */
static enum status assign_in_pass(struct scenario *scenario, struct catalogue *catalogue,
                                  const char *from, char *text, enum knob_pass pass,
                                  struct error *error)
{
    struct assignment parts = {NULL, NULL};
    enum status status = STATUS_OK;
    struct knob_ref ref, named = {.knob = NULL};
    char allowed[KNOB_ALLOWED_SIZE];

    if (split_assignment(text, &parts, error) != STATUS_OK)
        return STATUS_INVALID;
    if (knob_find(scenario, parts.path, &ref, error) != STATUS_OK)
        return pass == PASS_REST ? STATUS_INVALID : STATUS_OK;
    if (knob_pass(ref.knob) != pass)
        return STATUS_OK;
    if (pass == PASS_PRESETS && preset_is_path(parts.value))
        return scenario_take_preset_file(scenario, ref.index, parts.value, error);
    if (pass == PASS_PRESETS)
        return scenario_set_preset(scenario, ref.index, catalogue, parts.value, error);
    if (parts.value[0] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(scenario, ref, allowed, sizeof allowed);
        return error_set(error, STATUS_INVALID, "the value is missing; allowed: %s", allowed);
    }
    if (ref.knob->type == KNOB_FILE)
        return scenario_set_file(scenario, ref, catalogue_traces(catalogue), from, parts.value,
                                 error);
    while (status == STATUS_OK &&
           knob_next_named(scenario, ref.section, ref.index, strrchr(parts.path, '.') + 1, &named))
        status = set_value(scenario, named, parts.value, error);
    return status;
}

void scenario_drop_stale(struct scenario *scenario, const struct knob_ref *changed, int count,
                         const struct assignments *assignments)
{
    for (int i = 0; i < count; i++) {
        const struct knob_ref valid = knob_ref_to(KNOB_WFS_VALID_SUBAPS, changed[i].index);
        bool stated = changed[i].section == SECTION_WFS && assignments != NULL &&
                      scenario_assigns(scenario, valid, assignments);

        for (int other = 0; other < count; other++)
            stated = stated ||
                     (changed[other].knob == valid.knob && changed[other].index == valid.index);
        if (!stated)
            knob_drop_stale(scenario, changed[i]);
    }
}

static void drop_stale(const struct scenario *before, struct scenario *changed,
                       const struct assignments *assignments)
{
    for (int w = 0; w < changed->wfs_count; w++) {
        const struct knob_ref across = knob_ref_to(KNOB_WFS_SUBAPS_ACROSS, w);

        if (changed->wfs[w].subaps_across != before->wfs[w].subaps_across)
            scenario_drop_stale(changed, &across, 1, assignments);
    }
}

enum status scenario_assign(struct scenario *scenario, struct catalogue *catalogue,
                            const char *from, const struct assignments *assignments,
                            struct error *error)
{
    struct scenario *changed = allocate(sizeof *changed);
    enum status status = STATUS_OK;

    scenario_copy(changed, scenario);
    for (enum knob_pass pass = PASS_PRESETS; pass < PASS_COUNT; pass++)
        for (int i = 0; i < assignments->count && status == STATUS_OK; i++) {
            char *text = allocate_text(assignments->list[i]);
            struct error reason;

            status = assign_in_pass(changed, catalogue, from, text, pass, &reason);
            if (status != STATUS_OK)
                error_set(error, status, "%.200s: %s", assignments->list[i], reason.message);
            free(text);
        }
    if (status == STATUS_OK) {
        drop_stale(scenario, changed, assignments);
        scenario_copy(scenario, changed);
    }
    free(changed);
    return status;
}
