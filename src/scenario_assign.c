#include "scenario_ini.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knob.h"
#include "program_library.h"
#include "stated.h"

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

/* A value that begins with a quote ends with it, as in a file. */
static enum status unquote(char **value, struct error *error)
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

/* Cuts "PATH = VALUE" into its two parts; VALUE may stand in quotes, as in a file. */
static enum status split(char *text, struct assignment *parts, struct error *error)
{
    char *equals = strchr(text, '=');

    if (equals == NULL)
        return error_set(error, STATUS_INVALID,
                         "an assignment is PATH=VALUE, as in device.rtc.cores=64");
    *equals = '\0';
    parts->path = trim(text);
    parts->value = trim(equals + 1);
    if (parts->path[0] == '\0')
        return error_set(error, STATUS_INVALID,
                         "a path is missing before the =, as in device.rtc.cores=64");
    return unquote(&parts->value, error);
}

static bool replaces_trace(const struct scenario *scenario, int component, char *text)
{
    struct assignment parts = {NULL, NULL};
    struct error error;
    struct knob_ref ref;

    if (split(text, &parts, &error) != STATUS_OK ||
        knob_find(scenario, parts.path, &ref, &error) != STATUS_OK ||
        ref.section != SECTION_COMPONENT || ref.index != component)
        return false;
    return ref.knob->type == KNOB_TRACE ||
           (strcmp(ref.knob->key, section_kind_key(SECTION_COMPONENT)) == 0 &&
            strcmp(parts.value, "program") != 0);
}

bool scenario_replaces_trace(const struct scenario *scenario, int component,
                             const struct assignments *assignments)
{
    bool found = false;

    for (int i = 0; i < assignments->count && !found; i++) {
        char *text = strdup(assignments->list[i]);

        found = text != NULL && replaces_trace(scenario, component, text);
        free(text);
    }
    return found;
}

/* Sets a knob whose turn it is; the others are passed over. */
static enum status assign(struct scenario *scenario, struct catalogue *catalogue, const char *from,
                          char *text, enum knob_turn turn, struct error *error)
{
    struct assignment parts = {NULL, NULL};
    struct knob_ref ref;
    char allowed[400];

    if (split(text, &parts, error) != STATUS_OK)
        return STATUS_INVALID;
    if (knob_find(scenario, parts.path, &ref, error) != STATUS_OK)
        return turn == TURN_REST ? STATUS_INVALID : STATUS_OK;
    if (knob_turn(ref.knob) != turn)
        return STATUS_OK;
    if (turn == TURN_PRESETS)
        return scenario_set_preset(scenario, ref.index, catalogue, parts.value, error);
    if (parts.value[0] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(scenario, ref, allowed, sizeof allowed);
        return error_set(error, STATUS_INVALID, "the value is missing; allowed: %s", allowed);
    }
    if (ref.knob->type == KNOB_TRACE)
        return scenario_set_trace(scenario, ref.index, catalogue, from, parts.value, error);
    return knob_set_text(scenario, ref, parts.value, error);
}

static enum status assign_all(struct scenario *scenario, struct catalogue *catalogue,
                              const char *from, const char *const *assignments, int count,
                              enum knob_turn turn, struct error *error)
{
    for (int i = 0; i < count; i++) {
        struct error reason;
        char *text = strdup(assignments[i]);
        enum status status = STATUS_MEMORY;

        if (text == NULL)
            return error_set(error, STATUS_MEMORY, "out of memory");
        status = assign(scenario, catalogue, from, text, turn, &reason);
        free(text);
        if (status != STATUS_OK)
            return error_set(error, status, "%.200s: %s", assignments[i], reason.message);
    }
    return STATUS_OK;
}

enum status scenario_assign(struct scenario *scenario, struct catalogue *catalogue,
                            const char *from, const char *const *assignments, int count,
                            struct error *error)
{
    struct scenario *changed = malloc(sizeof *changed);
    enum status status = STATUS_OK;

    if (changed == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    scenario_copy(changed, scenario);
    for (int turn = TURN_PRESETS; turn <= TURN_REST && status == STATUS_OK; turn++)
        status =
            assign_all(changed, catalogue, from, assignments, count, (enum knob_turn)turn, error);
    if (status == STATUS_OK)
        scenario_copy(scenario, changed);
    free(changed);
    return status;
}
