#include <math.h>
#include <stdio.h>
#include <string.h>

#include "knob_field.h"
#include "nearest.h"
#include "units.h"
#include "utf8.h"

static void set_int(struct scenario *scenario, struct knob_ref ref, int value)
{
    if (ref.knob->type == KNOB_DEVICES)
        *(uint32_t *)knob_field(scenario, ref) = UINT32_C(1) << value;
    else
        *(int *)knob_field(scenario, ref) = value;
    knob_own(scenario, ref);
    if (knob_is_kind(ref.knob))
        section_refresh(scenario, ref.section, ref.index);
}

static enum status not_allowed(const struct scenario *scenario, struct knob_ref ref,
                               const char *text, const char *what, struct error *error)
{
    char allowed[400];

    knob_allowed(scenario, ref, allowed, sizeof allowed);
    return error_set(error, STATUS_INVALID, "%.80s is %s; allowed: %s", text, what, allowed);
}

static enum status number_not_allowed(const struct scenario *scenario, struct knob_ref ref,
                                      double si, const char *what, struct error *error)
{
    char text[64];

    quantity_format(si, ref.knob->unit, text, sizeof text);
    return not_allowed(scenario, ref, text, what, error);
}

/* A device is of the kind its preset is. */
static enum status check_kind(const struct scenario *scenario, struct knob_ref ref, int value,
                              struct error *error)
{
    const struct device *device = &scenario->device[ref.index];

    if (ref.section != SECTION_DEVICE || !knob_is_kind(ref.knob) || device->base == NULL ||
        device->base->kind == value)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID, "preset %s is a %s; choose another preset first",
                     device->preset, ref.knob->choices[device->base->kind]);
}

void knob_put_number(struct scenario *scenario, struct knob_ref ref, double si)
{
    if (knob_left_open(ref.knob, si)) {
        knob_leave_open(scenario, ref);
        return;
    }
    *(double *)knob_field(scenario, ref) = si;
    knob_own(scenario, ref);
}

enum status knob_set_number(struct scenario *scenario, struct knob_ref ref, double si,
                            struct error *error)
{
    if (!knob_is_number(ref.knob)) {
        int value = (int)si;
        int count = knob_choice_count(scenario, ref);
        int base = knob_choice_base(scenario, ref);

        if (value < base || value >= base + count)
            return error_set(error, STATUS_INVALID, "there is no choice number %d", value);
        if (check_kind(scenario, ref, value, error) != STATUS_OK)
            return STATUS_INVALID;
        set_int(scenario, ref, value);
        return STATUS_OK;
    }
    if (!(si >= knob_min(ref.knob) && si <= knob_max(ref.knob)))
        return number_not_allowed(scenario, ref, si, "out of range", error);
    if (ref.knob->type == KNOB_INTEGER && si != floor(si))
        return number_not_allowed(scenario, ref, si, "not a whole number", error);
    knob_put_number(scenario, ref, si);
    return STATUS_OK;
}

static enum status set_choice(struct scenario *scenario, struct knob_ref ref, const char *text,
                              struct error *error)
{
    struct nearest nearest = nearest_to(text);
    int count = knob_choice_count(scenario, ref);
    char allowed[400];

    for (int i = 0; i < count; i++) {
        const char *name = knob_choice_name(scenario, ref, i);

        if (strcmp(name, text) == 0) {
            int value = i + knob_choice_base(scenario, ref);

            if (check_kind(scenario, ref, value, error) != STATUS_OK)
                return STATUS_INVALID;
            set_int(scenario, ref, value);
            return STATUS_OK;
        }
        nearest_offer(&nearest, name);
    }
    if (count == 0)
        return error_set(error, STATUS_INVALID, "there is no %s to choose", ref.knob->label);
    knob_allowed(scenario, ref, allowed, sizeof allowed);
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID,
                         "\"%.60s\" is not allowed; did you mean %s? Allowed: %s", text,
                         nearest.best, allowed);
    return error_set(error, STATUS_INVALID, "\"%.60s\" is not allowed; allowed: %s", text, allowed);
}

static enum status set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                            struct error *error)
{
    if (strlen(text) > TEXT_MAX_LENGTH)
        return error_set(error, STATUS_INVALID, "text of %zu bytes is too long; the most is %d",
                         strlen(text), TEXT_MAX_LENGTH);
    for (size_t at = 0; text[at] != '\0';) {
        uint32_t code;
        size_t length = utf8_read(text + at, strlen(text + at), &code);

        if (length == 0)
            return error_set(error, STATUS_INVALID, "text is to be UTF-8");
        if (utf8_is_control(code) || code == '\t')
            return error_set(error, STATUS_INVALID, "text cannot hold control characters");
        at += length;
    }
    if (strchr(text, '"') != NULL && strchr(text, '\'') != NULL)
        return error_set(error, STATUS_INVALID, "text cannot hold both \" and '");
    memset(knob_field(scenario, ref), 0, TEXT_MAX_LENGTH + 1);
    snprintf(knob_field(scenario, ref), TEXT_MAX_LENGTH + 1, "%s", text);
    knob_own(scenario, ref);
    return STATUS_OK;
}

enum status knob_set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                          struct error *error)
{
    const char *end;
    double si;

    if (ref.knob->automatic && strcmp(text, "auto") == 0) {
        knob_leave_open(scenario, ref);
        return STATUS_OK;
    }
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        if (number_parse(text + strspn(text, " \t"), &si, &end) != STATUS_OK)
            return not_allowed(scenario, ref, text[0] == '\0' ? "nothing" : text, "not a number",
                               error);
        if (quantity_parse(text, ref.knob->unit, &si, error) != STATUS_OK)
            return STATUS_INVALID;
        return knob_set_number(scenario, ref, si, error);
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
        return set_choice(scenario, ref, text, error);
    case KNOB_DEVICES:
        if (text[strcspn(text, ", \t")] != '\0')
            return knob_set_devices(scenario, ref, text, error);
        return set_choice(scenario, ref, text, error);
    case KNOB_COMPONENTS:
        return knob_set_components(scenario, ref, text, error);
    case KNOB_TEXT:
        return set_text(scenario, ref, text, error);
    case KNOB_TRACE:
        return error_set(error, STATUS_INVALID, "a trace is read from its file");
    case KNOB_PRESET:
        break;
    }
    return error_set(error, STATUS_INVALID, "a preset is chosen from the catalogue");
}
