#include <string.h>

#include "knob_field.h"
#include "nearest.h"

#define SAID "stated, assumed, measured, fitted"

static const char *const names[] = {
    [ORIGIN_SET] = "set",         [ORIGIN_AUTOMATIC] = "automatic", [ORIGIN_STATED] = "stated",
    [ORIGIN_ASSUMED] = "assumed", [ORIGIN_MEASURED] = "measured",   [ORIGIN_FITTED] = "fitted"};

const char *origin_name(enum origin origin)
{
    return names[origin];
}

bool knob_is_own(const struct scenario *scenario, struct knob_ref ref)
{
    const struct section_head *head = section_head_const(scenario, ref.section, ref.index);

    return knob_set_has(&head->own, knob_row(ref.knob));
}

/* What a device's file says of a value's origin; `otherwise` where it says nothing. */
static enum origin said_by(const struct device *device, const struct knob *knob,
                           enum origin otherwise)
{
    for (int i = 0; i < ORIGINS_SAID; i++)
        if (knob_set_has(&device->said[i], knob_row(knob)))
            return (enum origin)(ORIGIN_STATED + i);
    return otherwise;
}

bool knob_origin_said(const struct scenario *scenario, struct knob_ref ref, enum origin *origin)
{
    if (ref.section != SECTION_DEVICE)
        return false;
    *origin = said_by(&scenario->device[ref.index], ref.knob, ORIGIN_SET);
    return *origin != ORIGIN_SET;
}

enum origin knob_origin(const struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = knob_stated_by(scenario, ref);
    enum origin origin = ORIGIN_SET;

    if (knob_is_own(scenario, ref)) {
        knob_origin_said(scenario, ref, &origin);
        return origin;
    }
    if (base != NULL)
        return said_by(base, ref.knob, ORIGIN_STATED);
    /* what nobody says of a device follows from no other part of the design: a rule of thumb */
    if (!ref.knob->automatic || (ref.section == SECTION_DEVICE && knob_is_number(ref.knob)))
        return ORIGIN_ASSUMED;
    return ORIGIN_AUTOMATIC;
}

const char *origin_key(enum section section, const char *name)
{
    size_t length = strlen(ORIGIN_PREFIX);

    return section == SECTION_DEVICE && strncmp(name, ORIGIN_PREFIX, length) == 0 ? name + length
                                                                                  : NULL;
}

void knob_forget_origin(struct scenario *scenario, struct knob_ref ref)
{
    int row;

    if (ref.section != SECTION_DEVICE)
        return;
    row = knob_row(ref.knob);
    for (int i = 0; i < ORIGINS_SAID; i++)
        knob_set_drop(&scenario->device[ref.index].said[i], row);
}

enum status knob_set_origin(struct scenario *scenario, struct knob_ref ref, const char *word,
                            struct error *error)
{
    struct nearest nearest = nearest_to(word);

    for (int i = 0; i < ORIGINS_SAID; i++) {
        const char *name = names[ORIGIN_STATED + i];

        if (strcmp(name, word) == 0) {
            knob_forget_origin(scenario, ref);
            knob_set_add(&scenario->device[ref.index].said[i], knob_row(ref.knob));
            return STATUS_OK;
        }
        nearest_offer(&nearest, name);
    }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID,
                         "\"%.60s\" is not allowed; did you mean %s? Allowed: " SAID, word,
                         nearest.best);
    return error_set(error, STATUS_INVALID, "\"%.60s\" is not allowed; allowed: " SAID, word);
}
