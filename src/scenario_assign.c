#include "scenario_ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knob.h"

struct assignment {
    char *path;
    char *value;
};

static char *trim(char *text)
{
    size_t length;

    text += strspn(text, " \t");
    length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    return text;
}

/* Cuts "PATH = VALUE" into its two parts; VALUE may stand in quotes, as in a file. */
static enum status split(char *text, struct assignment *parts, struct error *error)
{
    char *equals = strchr(text, '=');
    size_t length;

    if (equals == NULL)
        return error_set(error, STATUS_INVALID,
                         "an assignment is PATH=VALUE, as in device.rtc.cores=64");
    *equals = '\0';
    parts->path = trim(text);
    parts->value = trim(equals + 1);
    if (parts->path[0] == '\0')
        return error_set(error, STATUS_INVALID,
                         "a path is missing before the =, as in device.rtc.cores=64");
    length = strlen(parts->value);
    if (length >= 2 && (parts->value[0] == '"' || parts->value[0] == '\'') &&
        parts->value[length - 1] == parts->value[0]) {
        parts->value[length - 1] = '\0';
        parts->value++;
    }
    return STATUS_OK;
}

/* Sets one of the presets (`presets`) or of the rest; the others are passed over. */
static enum status assign(struct scenario *scenario, struct catalogue *catalogue, char *text,
                          bool presets, struct error *error)
{
    struct assignment parts = {NULL, NULL};
    struct knob_ref ref;
    char allowed[400];

    if (split(text, &parts, error) != STATUS_OK)
        return STATUS_INVALID;
    if (knob_find(scenario, parts.path, &ref, error) != STATUS_OK)
        return presets ? STATUS_OK : STATUS_INVALID;
    if ((ref.knob->type == KNOB_PRESET) != presets)
        return STATUS_OK;
    if (presets)
        return scenario_set_preset(scenario, ref.index, catalogue, parts.value, error);
    if (parts.value[0] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(scenario, ref, allowed, sizeof allowed);
        return error_set(error, STATUS_INVALID, "the value is missing; allowed: %s", allowed);
    }
    return knob_set_text(scenario, ref, parts.value, error);
}

static enum status assign_all(struct scenario *scenario, struct catalogue *catalogue,
                              const char *const *assignments, int count, bool presets,
                              struct error *error)
{
    for (int i = 0; i < count; i++) {
        struct error reason;
        char *text = strdup(assignments[i]);
        enum status status = STATUS_MEMORY;

        if (text == NULL)
            return error_set(error, STATUS_MEMORY, "out of memory");
        status = assign(scenario, catalogue, text, presets, &reason);
        free(text);
        if (status != STATUS_OK)
            return error_set(error, status, "%.200s: %s", assignments[i], reason.message);
    }
    return STATUS_OK;
}

enum status scenario_assign(struct scenario *scenario, struct catalogue *catalogue,
                            const char *const *assignments, int count, struct error *error)
{
    struct scenario *changed = malloc(sizeof *changed);
    enum status status;

    if (changed == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    scenario_copy(changed, scenario);
    status = assign_all(changed, catalogue, assignments, count, true, error);
    if (status == STATUS_OK)
        status = assign_all(changed, catalogue, assignments, count, false, error);
    if (status == STATUS_OK)
        scenario_copy(scenario, changed);
    free(changed);
    return status;
}
