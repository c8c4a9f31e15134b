#include "knob.h"

#include <string.h>

#include "knob_field.h"
#include "units.h"

/* The table is in the order of sections. */
int knob_section_first(enum section section)
{
    int first = 0;
    int end = knob_count;

    while (first < end) {
        int middle = (first + end) / 2;

        if (knobs[middle].section < section)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

int knob_section_count(enum section section)
{
    int count = 0;

    for (int i = knob_section_first(section); i < knob_count && knobs[i].section == section; i++)
        count++;
    return count;
}

int knob_row(const struct knob *knob)
{
    return (int)(knob - &knobs[knob_section_first(knob->section)]);
}

bool knob_set_has(const struct knob_set *set, int row)
{
    return (set->bits[row / 64] >> (row % 64) & 1) != 0;
}

void knob_set_add(struct knob_set *set, int row)
{
    set->bits[row / 64] |= UINT64_C(1) << (row % 64);
}

void knob_set_drop(struct knob_set *set, int row)
{
    set->bits[row / 64] &= ~(UINT64_C(1) << (row % 64));
}

void *knob_field(struct scenario *scenario, struct knob_ref ref)
{
    return (char *)section_head(scenario, ref.section, ref.index) + ref.knob->offset;
}

const void *knob_field_const(const struct scenario *scenario, struct knob_ref ref)
{
    return (const char *)section_head_const(scenario, ref.section, ref.index) + ref.knob->offset;
}

size_t knob_field_size(const struct knob *knob)
{
    switch (knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        return sizeof(double);
    case KNOB_TEXT:
    case KNOB_PRESET:
        return TEXT_MAX_LENGTH + 1;
    case KNOB_COMPONENTS:
        return sizeof(struct component_set);
    case KNOB_DEVICES:
        return sizeof(uint32_t);
    case KNOB_TRACE:
        return sizeof(struct trace);
    case KNOB_CHOICE:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_ALGORITHM:
        break;
    }
    return sizeof(int);
}

bool knob_is_number(const struct knob *knob)
{
    return knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER;
}

bool knob_is_choice(const struct knob *knob)
{
    return knob->role == ROLE_PART || knob->role == ROLE_SETTING;
}

static uint32_t kind_bit(const struct scenario *scenario, enum section section, int index)
{
    switch (section) {
    case SECTION_WFS:
        return 1U << scenario->wfs[index].kind;
    case SECTION_DEVICE:
        return 1U << scenario->device[index].kind;
    case SECTION_COMPONENT:
        return 1U << scenario->component[index].type;
    case SECTION_SCENARIO:
    case SECTION_AO:
    case SECTION_ATMOSPHERE:
    case SECTION_COUNT:
        break;
    }
    return KNOB_ANY;
}

bool knob_applies(const struct scenario *scenario, enum section section, int index,
                  const struct knob *knob)
{
    return (knob->kinds & kind_bit(scenario, section, index)) != 0;
}

static bool next_instance(const struct scenario *scenario, struct knob_ref *ref)
{
    ref->index++;
    while (ref->index >= section_count(scenario, ref->section)) {
        if (++ref->section == SECTION_COUNT)
            return false;
        ref->index = 0;
    }
    return true;
}

bool knob_next(const struct scenario *scenario, struct knob_ref *ref)
{
    const struct knob *end = knobs + knob_count;
    bool there = true;

    if (ref->knob == NULL)
        *ref = (struct knob_ref){SECTION_SCENARIO, 0, knobs};
    else
        ref->knob++;
    while (there) {
        for (; ref->knob < end && ref->knob->section == ref->section; ref->knob++)
            if (knob_applies(scenario, ref->section, ref->index, ref->knob))
                return true;
        there = next_instance(scenario, ref);
        if (there)
            ref->knob = &knobs[knob_section_first(ref->section)];
    }
    return false;
}

int knob_order(struct knob_ref a, struct knob_ref b)
{
    if (a.section != b.section)
        return a.section < b.section ? -1 : 1;
    if (a.index != b.index)
        return a.index < b.index ? -1 : 1;
    return (a.knob > b.knob) - (a.knob < b.knob);
}

static double to_si(const struct knob *knob, double value)
{
    struct unit unit;

    if (!knob_is_number(knob) || unit_find(knob->unit, &unit) != STATUS_OK)
        return value;
    return value * unit.numerator / unit.denominator;
}

double knob_min(const struct knob *knob)
{
    return to_si(knob, knob->min);
}

double knob_max(const struct knob *knob)
{
    return to_si(knob, knob->max);
}

double knob_fallback(const struct knob *knob)
{
    /* what stands for "automatic" is no quantity */
    return knob->automatic ? knob->fallback : to_si(knob, knob->fallback);
}

bool knob_left_open(const struct knob *knob, double si)
{
    return knob->automatic && knob_is_number(knob) && si == knob_fallback(knob);
}

void knob_own(struct scenario *scenario, struct knob_ref ref)
{
    int row = knob_row(ref.knob);

    knob_set_add(&section_head(scenario, ref.section, ref.index)->own, row);
    for (int i = 0; i < ORIGINS_SAID && ref.section == SECTION_DEVICE; i++)
        knob_set_drop(&scenario->device[ref.index].said[i], row);
}

bool knob_is_kind(const struct knob *knob)
{
    return (knob->section == SECTION_COMPONENT && strcmp(knob->key, "type") == 0) ||
           ((knob->section == SECTION_DEVICE || knob->section == SECTION_WFS) &&
            strcmp(knob->key, "kind") == 0);
}

enum knob_turn knob_turn(const struct knob *knob)
{
    if (knob->type == KNOB_PRESET)
        return TURN_PRESETS;
    return knob_is_kind(knob) ? TURN_KINDS : TURN_REST;
}

double knob_number(const struct scenario *scenario, struct knob_ref ref)
{
    if (knob_is_number(ref.knob))
        return *(const double *)knob_field_const(scenario, ref);
    if (ref.knob->type == KNOB_DEVICES)
        return knob_choice(scenario, ref);
    if (knob_field_size(ref.knob) == sizeof(int))
        return *(const int *)knob_field_const(scenario, ref);
    return 0;
}

void knob_set_fallback(struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *knob = ref.knob;

    if (knob_is_number(knob))
        *(double *)knob_field(scenario, ref) = knob_fallback(knob);
    else if (knob->type != KNOB_DEVICES && knob_field_size(knob) == sizeof(int))
        *(int *)knob_field(scenario, ref) = (int)knob->fallback;
    else
        memset(knob_field(scenario, ref), 0, knob_field_size(knob));
}

const struct device *knob_stated_by(const struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base;

    if (ref.section != SECTION_DEVICE)
        return NULL;
    base = scenario->device[ref.index].base;
    return base != NULL && knob_set_has(&base->head.own, knob_row(ref.knob)) ? base : NULL;
}

void knob_reset(struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = knob_stated_by(scenario, ref);

    knob_set_drop(&section_head(scenario, ref.section, ref.index)->own, knob_row(ref.knob));
    knob_forget_origin(scenario, ref);
    if (base != NULL)
        memcpy(knob_field(scenario, ref), (const char *)base + ref.knob->offset,
               knob_field_size(ref.knob));
    else
        knob_set_fallback(scenario, ref);
    if (ref.knob->type == KNOB_PRESET)
        scenario->device[ref.index].base = NULL;
    if (knob_is_kind(ref.knob) || ref.knob->type == KNOB_PRESET)
        section_refresh(scenario, ref.section, ref.index);
}

/* Whether a number left open is what the device's preset says of it, or nobody does. */
static bool says_nothing(const struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = knob_stated_by(scenario, ref);
    size_t offset = ref.knob->offset;

    return knob_left_open(ref.knob, knob_number(scenario, ref)) &&
           (base == NULL ||
            knob_left_open(ref.knob, *(const double *)((const char *)base + offset)));
}

void knob_leave_open(struct scenario *scenario, struct knob_ref ref)
{
    knob_reset(scenario, ref);
    if (!knob_is_number(ref.knob) || says_nothing(scenario, ref))
        return;
    knob_set_fallback(scenario, ref);
    knob_own(scenario, ref);
}

/* The algorithm of another type, that the component had before. */
static bool is_foreign_algorithm(const struct scenario *scenario, struct knob_ref ref)
{
    int choice;

    if (ref.knob->type != KNOB_ALGORITHM)
        return false;
    choice = knob_choice(scenario, ref);
    return knob_number(scenario, ref) >= 0 &&
           (choice < 0 || choice >= knob_choice_count(scenario, ref));
}

/* Of a component that is no reconstruction any more. */
static void keep_one_device(struct component *component)
{
    if (component->type != COMPONENT_RECONSTRUCTION)
        component->devices &= ~component->devices + 1; /* the lowest bit */
}

void section_refresh(struct scenario *scenario, enum section section, int index)
{
    struct section_head *head = section_head(scenario, section, index);
    int first = knob_section_first(section);
    int count = knob_section_count(section);

    /* the kind first: it decides which of the others apply */
    for (int pass = 0; pass < 2; pass++) {
        for (int row = 0; row < count; row++) {
            struct knob_ref ref = {section, index, &knobs[first + row]};

            if (knob_is_kind(ref.knob) != (pass == 0) || ref.knob->type == KNOB_PRESET)
                continue;
            if (!knob_applies(scenario, section, index, ref.knob)) {
                bool shared = false; /* another row of the same field applies */

                for (int r = 0; r < count; r++)
                    shared |= knobs[first + r].offset == ref.knob->offset &&
                              knob_applies(scenario, section, index, &knobs[first + r]);
                knob_set_drop(&head->own, row);
                knob_forget_origin(scenario, ref);
                if (!shared)
                    knob_set_fallback(scenario, ref);
            } else if (pass == 1 &&
                       (!knob_set_has(&head->own, row) || is_foreign_algorithm(scenario, ref) ||
                        says_nothing(scenario, ref))) {
                knob_reset(scenario, ref);
            } else if (pass == 0 && !knob_set_has(&head->own, row)) {
                const struct device *base = knob_stated_by(scenario, ref);

                knob_set_fallback(scenario, ref);
                if (base != NULL)
                    *(int *)knob_field(scenario, ref) = base->kind;
            }
        }
    }
    if (section == SECTION_COMPONENT)
        keep_one_device(&scenario->component[index]);
}
