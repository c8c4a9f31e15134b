#include "design/knob.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/algorithm.h"
#include "design/knob_field.h"

/* The first row of each section, in whose order the table is. */
static const int first_rows[SECTION_COUNT + 1] = {[SECTION_SCENARIO] = KNOB_SCENARIO_FORMAT,
                                                  [SECTION_AO] = KNOB_AO_ACTUATORS,
                                                  [SECTION_ATMOSPHERE] = KNOB_ATMOSPHERE_R0,
                                                  [SECTION_WFS] = KNOB_WFS_KIND,
                                                  [SECTION_DEVICE] = KNOB_DEVICE_PRESET,
                                                  [SECTION_COMPONENT] = KNOB_COMPONENT_TYPE,
                                                  [SECTION_COUNT] = KNOB_COUNT};

int knob_section_first(enum section section)
{
    return first_rows[section];
}

int knob_section_count(enum section section)
{
    return first_rows[section + 1] - first_rows[section];
}

bool knob_is(const struct knob *knob, enum knob_id id)
{
    return knob->section == knobs[id].section && knob->offset == knobs[id].offset;
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

static int section_kind(const struct scenario *scenario, enum section section, int index)
{
    switch (section) {
    case SECTION_WFS:
        return scenario->wfs[index].kind;
    case SECTION_DEVICE:
        return scenario->device[index].kind;
    case SECTION_COMPONENT:
        return scenario->component[index].type;
    case SECTION_SCENARIO:
    case SECTION_AO:
    case SECTION_ATMOSPHERE:
    case SECTION_COUNT:
        break;
    }
    return 0;
}

bool knob_has_kind(const struct knob *knob, int kind)
{
    return knob->kinds == 0 || (knob->kinds >> kind & 1) != 0;
}

bool knob_applies(const struct scenario *scenario, enum section section, int index,
                  const struct knob *knob)
{
    return knob_has_kind(knob, section_kind(scenario, section, index));
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
    const struct knob *end = knobs + KNOB_COUNT;
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

const struct knob *section_kind_knob(enum section section)
{
    switch (section) {
    case SECTION_WFS:
        return &knobs[KNOB_WFS_KIND];
    case SECTION_DEVICE:
        return &knobs[KNOB_DEVICE_KIND];
    case SECTION_COMPONENT:
        return &knobs[KNOB_COMPONENT_TYPE];
    case SECTION_SCENARIO:
    case SECTION_AO:
    case SECTION_ATMOSPHERE:
    case SECTION_COUNT:
        break;
    }
    return NULL;
}

bool knob_is_kind(const struct knob *knob)
{
    return knob == section_kind_knob(knob->section);
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

/* Knob choice ---------------------------------------------------------------------------------- */

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

const char *knob_word(enum knob_id id, int value)
{
    return knobs[id].choices[value];
}

int knob_choice(const struct scenario *scenario, struct knob_ref ref)
{
    int value;

    if (ref.knob->type == KNOB_DEVICES)
        return devices_first(*(const uint32_t *)knob_field_const(scenario, ref));
    value = *(const int *)knob_field_const(scenario, ref);
    return value < 0 ? -1 : value - knob_choice_base(scenario, ref);
}

/* Knob list ------------------------------------------------------------------------------------ */

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

/* Knob origin ---------------------------------------------------------------------------------- */

#define SAID "stated, assumed, measured, fitted"

static const char *const origin_names[] = {
    [ORIGIN_SET] = "set",         [ORIGIN_AUTOMATIC] = "automatic", [ORIGIN_STATED] = "stated",
    [ORIGIN_ASSUMED] = "assumed", [ORIGIN_MEASURED] = "measured",   [ORIGIN_FITTED] = "fitted"};

const char *origin_name(enum origin origin)
{
    return origin_names[origin];
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
        const char *name = origin_names[ORIGIN_STATED + i];

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

/* Knob set ------------------------------------------------------------------------------------- */

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

/* Knob find ------------------------------------------------------------------------------------ */

static const char *kind_name(const struct scenario *scenario, enum section section, int index)
{
    return section_kind_knob(section)->choices[section_kind(scenario, section, index)];
}

/* Without a near name: all there are. */
static enum status unknown_key(const struct scenario *scenario, enum section section, int index,
                               const char *key, struct error *error)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);
    char keys[ERROR_MESSAGE_MAX] = "";
    size_t used = 0;

    for (int i = first; i < end; i++)
        if (knob_applies(scenario, section, index, &knobs[i]) && used < sizeof keys)
            used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", used > 0 ? ", " : "",
                                     knobs[i].key);
    return error_set(error, STATUS_INVALID, "unknown key \"%.60s\"; allowed: %s", key, keys);
}

/* Why `key` names no knob of the instance. */
static enum status no_such_key(const struct scenario *scenario, enum section section, int index,
                               const char *key, struct error *error)
{
    struct nearest nearest = nearest_to(key);
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);

    if (origin_key(section, key) != NULL)
        return error_set(error, STATUS_INVALID,
                         "%s tells where a value comes from: a line of a file, beside that value",
                         key);
    for (int i = first; i < end; i++) {
        if (strcmp(knobs[i].key, key) == 0)
            return error_set(error, STATUS_INVALID, "\"%s\" does not belong to a %s", key,
                             kind_name(scenario, section, index));
        if (knob_applies(scenario, section, index, &knobs[i]))
            nearest_offer(&nearest, knobs[i].key);
    }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "unknown key \"%s\"; did you mean %s?", key,
                         nearest.best);
    return unknown_key(scenario, section, index, key, error);
}

/* A row of another kind is given too, with the error, for those who want to know what the value
 * would have to be. */
enum status knob_find_key(const struct scenario *scenario, enum section section, int index,
                          const char *key, struct knob_ref *ref, struct error *error)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);

    for (int i = first; i < end; i++) {
        if (strcmp(knobs[i].key, key) != 0)
            continue;
        *ref = (struct knob_ref){section, index, &knobs[i]};
        if (knob_applies(scenario, section, index, &knobs[i]))
            return STATUS_OK;
    }
    return no_such_key(scenario, section, index, key, error);
}

/* A key without its section, where one will do: how it is written in full. */
static bool bare_key(const char *word, char *path, size_t size)
{
    for (int i = 0; i < KNOB_COUNT; i++) {
        if (strcmp(knobs[i].key, word) != 0)
            continue;
        snprintf(path, size, "%s.%s%.40s", section_name(knobs[i].section),
                 section_max(knobs[i].section) > 1 ? "NAME." : "", word);
        return true;
    }
    return false;
}

static enum status unknown_section(const char *word, struct error *error)
{
    char path[96];
    struct nearest nearest = nearest_to(word);
    char names[96] = "";
    size_t used = 0;

    for (int s = 0; s < SECTION_COUNT; s++) {
        const char *name = section_name((enum section)s);

        nearest_offer(&nearest, name);
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", s > 0 ? ", " : "",
                                     name);
    }
    if (bare_key(word, path, sizeof path))
        return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s?", word,
                         path);
    if (nearest.best[0] == '\0')
        return error_set(error, STATUS_INVALID, "unknown section \"%s\"; allowed: %s", word, names);
    return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s?", word,
                     nearest.best);
}

/* Copies up to the next point; returns what follows it, or NULL at the end. */
static const char *path_word(const char *path, char *word, size_t size)
{
    size_t length = strcspn(path, ".");

    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), path);
    return path[length] == '.' ? path + length + 1 : NULL;
}

enum status knob_find(const struct scenario *scenario, const char *path, struct knob_ref *ref,
                      struct error *error)
{
    char word[64];
    const char *rest = path_word(path, word, sizeof word);
    int section = 0;
    int index = 0;

    while (section < SECTION_COUNT && strcmp(section_name((enum section)section), word) != 0)
        section++;
    if (section == SECTION_COUNT)
        return unknown_section(word, error);
    if (rest != NULL && section_max((enum section)section) > 1) {
        rest = path_word(rest, word, sizeof word);
        index = section_find(scenario, (enum section)section, word);
        if (index < 0)
            return section_missing(scenario, (enum section)section, word, error);
    }
    if (rest == NULL)
        return error_set(error, STATUS_INVALID,
                         "\"%s\" names a section; a key must follow, as in "
                         "device.rtc.cores",
                         path);
    return knob_find_key(scenario, (enum section)section, index, rest, ref, error);
}

void knob_path(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    char section[64];

    section_path(scenario, ref.section, ref.index, section, sizeof section);
    snprintf(text, size, "%s.%s", section, ref.knob->key);
}
