#include <string.h>

#include "knob_field.h"
#include "workload.h"

static enum component_type type_of(const struct scenario *scenario, struct knob_ref ref)
{
    return (enum component_type)scenario->component[ref.index].type;
}

int knob_choice_count(const struct scenario *scenario, struct knob_ref ref)
{
    switch (ref.knob->type) {
    case KNOB_CHOICE:
        return (int)(ref.knob->max - ref.knob->min) + 1;
    case KNOB_ALGORITHM:
        return algorithm_type_count(type_of(scenario, ref));
    case KNOB_WFS:
        return scenario->wfs_count;
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        return scenario->device_count;
    case KNOB_NUMBER:
    case KNOB_INTEGER:
    case KNOB_TEXT:
    case KNOB_PRESET:
    case KNOB_COMPONENTS:
    case KNOB_TRACE:
        break;
    }
    return 0;
}

/* Choices are counted from 0; the value stored for the first. */
int knob_choice_base(const struct scenario *scenario, struct knob_ref ref)
{
    if (ref.knob->type == KNOB_ALGORITHM)
        return algorithm_first(type_of(scenario, ref));
    return ref.knob->type == KNOB_CHOICE ? (int)ref.knob->min : 0;
}

const char *knob_choice_name(const struct scenario *scenario, struct knob_ref ref, int choice)
{
    int value = choice + knob_choice_base(scenario, ref);

    switch (ref.knob->type) {
    case KNOB_ALGORITHM:
        return algorithms[value].name;
    case KNOB_WFS:
        return scenario->wfs[value].head.name;
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        return scenario->device[value].head.name;
    case KNOB_CHOICE:
        return ref.knob->choices[value];
    case KNOB_NUMBER:
    case KNOB_INTEGER:
    case KNOB_TEXT:
    case KNOB_PRESET:
    case KNOB_COMPONENTS:
    case KNOB_TRACE:
        break;
    }
    return "";
}

const char *knob_word(enum section section, const char *key, int value)
{
    const struct knob *knob = &knobs[knob_section_first(section)];

    while (strcmp(knob->key, key) != 0)
        knob++;
    return knob->choices[value];
}

int knob_choice(const struct scenario *scenario, struct knob_ref ref)
{
    int value;

    if (ref.knob->type == KNOB_DEVICES)
        return devices_first(*(const uint32_t *)knob_field_const(scenario, ref));
    value = *(const int *)knob_field_const(scenario, ref);
    return value < 0 ? -1 : value - knob_choice_base(scenario, ref);
}
