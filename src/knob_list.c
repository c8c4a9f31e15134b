#include <stdio.h>
#include <string.h>

#include "knob_field.h"

/* With their commas; a line of a scenario file holds 1022 bytes. */
#define NAMES_MAX 960

/* The next name of a list; false at its end. */
static bool next_name(const char **at, char *name, size_t size)
{
    size_t length;

    *at += strspn(*at, ", \t");
    length = strcspn(*at, ", \t");
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), *at);
    *at += length;
    return length > 0;
}

/* Says of every name in the list that it is none. */
static enum status unknown_names(const struct scenario *scenario, enum section section,
                                 const char *at, struct error *error)
{
    char name[TEXT_MAX_LENGTH + 1];
    struct error reason = {STATUS_OK, ""};
    char others[400] = "";
    size_t used = 0;

    while (next_name(&at, name, sizeof name)) {
        if (section_find(scenario, section, name) >= 0)
            continue;
        if (reason.status == STATUS_OK)
            section_missing(scenario, section, name, &reason);
        else if (used < sizeof others)
            used += (size_t)snprintf(others + used, sizeof others - used, "%s%s",
                                     used > 0 ? ", " : "; nor is there ", name);
    }
    return error_set(error, STATUS_INVALID, "%.190s%s", reason.message, others);
}

/* The numbers of a list's names as bits; `twice` is a name that comes again, or -1. */
static enum status read_names(const struct scenario *scenario, enum section section,
                              const char *text, uint64_t *members, int *twice, struct error *error)
{
    const char *at = text;
    char name[TEXT_MAX_LENGTH + 1];
    size_t spelled = 0;

    *members = 0;
    *twice = -1;
    while (next_name(&at, name, sizeof name)) {
        int index = section_find(scenario, section, name);

        if (index < 0)
            return unknown_names(scenario, section, text, error);
        if ((*members >> index & 1) != 0)
            *twice = index;
        else
            spelled += strlen(name) + strlen(", ");
        *members |= UINT64_C(1) << index;
    }
    if (spelled > NAMES_MAX)
        return error_set(error, STATUS_INVALID, "the names take %zu bytes; the most is %d", spelled,
                         NAMES_MAX);
    return STATUS_OK;
}

enum status knob_set_components(struct scenario *scenario, struct knob_ref ref, const char *text,
                                struct error *error)
{
    struct component_set *set = knob_field(scenario, ref);
    uint64_t members;
    int twice;

    if (strcmp(text, "none") == 0)
        text = "";
    if (read_names(scenario, SECTION_COMPONENT, text, &members, &twice, error) != STATUS_OK)
        return STATUS_INVALID;
    if ((members >> ref.index & 1) != 0)
        return error_set(error, STATUS_INVALID, "a component cannot wait for itself");
    /* Each alone: scenarios are compared byte by byte, and a copy brings what lies between them. */
    set->members = members;
    set->stated = true;
    knob_own(scenario, ref);
    return STATUS_OK;
}

enum status knob_set_devices(struct scenario *scenario, struct knob_ref ref, const char *text,
                             struct error *error)
{
    uint64_t members;
    int twice;

    if (read_names(scenario, SECTION_DEVICE, text, &members, &twice, error) != STATUS_OK)
        return STATUS_INVALID;
    if (members == 0)
        return error_set(error, STATUS_INVALID, "\"%.60s\" names no device", text);
    if (twice >= 0)
        return error_set(error, STATUS_INVALID, "%s is named twice; a device holds one part",
                         scenario->device[twice].head.name);
    if ((members & (members - 1)) != 0 &&
        scenario->component[ref.index].type != COMPONENT_RECONSTRUCTION)
        return error_set(error, STATUS_INVALID,
                         "only a reconstruction is split over several devices; name one");
    *(uint32_t *)knob_field(scenario, ref) = (uint32_t)members;
    knob_own(scenario, ref);
    return STATUS_OK;
}
