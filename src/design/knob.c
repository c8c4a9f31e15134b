#include "design/knob.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/algorithm.h"

static void *knob_field(struct scenario *scenario, struct knob_ref ref)
{
    return (char *)section_head(scenario, ref.section, ref.index) + ref.knob->offset;
}

static const void *knob_field_const(const struct scenario *scenario, struct knob_ref ref)
{
    return (const char *)section_head_const(scenario, ref.section, ref.index) + ref.knob->offset;
}

/* Returns true if the field is an int: a choice or a reference. */
static bool holds_int(const struct knob *knob)
{
    return knob->type == KNOB_CHOICE || knob->type == KNOB_WFS || knob->type == KNOB_DEVICE ||
           knob->type == KNOB_ALGORITHM;
}

/* Applicable knobs ----------------------------------------------------------------------------- */

static int instance_kind(const struct scenario *scenario, enum section section, int index)
{
    const struct knob *kind = section_kind_knob(section);

    return kind == NULL
               ? 0
               : *(const int *)knob_field_const(scenario, (struct knob_ref){section, index, kind});
}

bool knob_applies(const struct scenario *scenario, enum section section, int index,
                  const struct knob *knob)
{
    return knob_has_kind(knob, instance_kind(scenario, section, index));
}

const char *section_kind_word(const struct scenario *scenario, enum section section, int index)
{
    return section_kind_knob(section)->choices[instance_kind(scenario, section, index)];
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

bool knob_next_named(const struct scenario *scenario, enum section section, int index,
                     const char *name, struct knob_ref *ref)
{
    const struct knob *first = &knobs[knob_section_first(section)];
    const struct knob *knob = ref->knob == NULL ? first : ref->knob + 1;

    for (; knob < first + knob_section_count(section); knob++)
        if (knob_has_key(knob, name) && knob_applies(scenario, section, index, knob)) {
            *ref = (struct knob_ref){section, index, knob};
            return true;
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

enum knob_pass knob_pass(const struct knob *knob)
{
    if (knob->type == KNOB_PRESET)
        return PASS_PRESETS;
    return knob == section_kind_knob(knob->section) ? PASS_KINDS : PASS_REST;
}

/* Origins of values ---------------------------------------------------------------------------- */

static const char *const origin_names[ORIGIN_COUNT] = {
    [ORIGIN_SET] = "set",         [ORIGIN_AUTOMATIC] = "automatic", [ORIGIN_STATED] = "stated",
    [ORIGIN_ASSUMED] = "assumed", [ORIGIN_MEASURED] = "measured",   [ORIGIN_FITTED] = "fitted"};

const char *origin_name(enum origin origin)
{
    return origin_names[origin];
}

bool knob_is_own(const struct scenario *scenario, struct knob_ref ref)
{
    return knob_set_has(&section_head_const(scenario, ref.section, ref.index)->own, ref.knob);
}

static void forget_origin(struct scenario *scenario, struct knob_ref ref)
{
    for (int i = 0; i < ORIGINS_STATED && ref.section == SECTION_DEVICE; i++)
        knob_set_drop(&scenario->device[ref.index].origin[i], ref.knob);
}

bool knob_drop_stale(struct scenario *scenario, struct knob_ref ref)
{
    if (knob_id(ref.knob) != KNOB_WFS_SUBAPS_ACROSS || scenario->wfs[ref.index].valid_subaps == 0)
        return false;
    knob_reset(scenario, knob_ref_to(KNOB_WFS_VALID_SUBAPS, ref.index));
    return true;
}

void knob_mark_own(struct scenario *scenario, struct knob_ref ref)
{
    knob_set_add(&section_head(scenario, ref.section, ref.index)->own, ref.knob);
    forget_origin(scenario, ref);
}

static void drop_own(struct scenario *scenario, struct knob_ref ref)
{
    knob_set_drop(&section_head(scenario, ref.section, ref.index)->own, ref.knob);
    forget_origin(scenario, ref);
}

static bool is_dispatch(const struct knob *knob)
{
    return knob_id(knob) == KNOB_DEVICE_DISPATCH_CPU || knob_id(knob) == KNOB_DEVICE_DISPATCH_GPU;
}

bool knob_is_of_dispatch(const struct knob *knob, int kind)
{
    switch (knob_id(knob)) {
    case KNOB_DEVICE_LAUNCH:
    case KNOB_DEVICE_ENQUEUE:
    case KNOB_DEVICE_HANDOVER:
        return true;
    case KNOB_DEVICE_BOUNDARY:
        return kind == DEVICE_GPU;
    default:
        return false;
    }
}

/* Returns true for a time of a way to start work that is not that of the device's preset. */
static bool is_of_other(const struct device *device, const struct knob *knob)
{
    return device->dispatch != device->base->dispatch &&
           knob_is_of_dispatch(knob, device->base->kind);
}

/* Returns what the preset of a device has of its way to start work, if that is not the preset's;
 * NULL if that is nothing. */
static const struct other_start *find_other_start(const struct device *device,
                                                  const struct knob *knob)
{
    const struct other_start *other = device->base->other;

    for (int i = 0; i < OTHER_STARTS_MAX && is_of_other(device, knob); i++)
        if (other[i].dispatch == device->dispatch && knob_is(knob, (enum knob_id)other[i].knob))
            return &other[i];
    return NULL;
}

const struct device *knob_stated_by(const struct scenario *scenario, struct knob_ref ref)
{
    const struct device *device, *base;

    if (ref.section != SECTION_DEVICE)
        return NULL;
    device = &scenario->device[ref.index];
    base = device->base;
    if (base == NULL)
        return NULL;
    if (is_of_other(device, ref.knob))
        return find_other_start(device, ref.knob) == NULL ? NULL : base;
    return knob_set_has(&base->head.own, ref.knob) ? base : NULL;
}

/* Returns the value of a knob that the preset of a device states. */
static const void *preset_value(const struct device *device, const struct knob *knob)
{
    const struct other_start *other = find_other_start(device, knob);

    return other != NULL ? (const void *)&other->value : (const char *)device->base + knob->offset;
}

/* Returns the origin that a device's file states for a value, or `otherwise`. */
static enum origin origin_in_file(const struct device *device, const struct knob *knob,
                                  enum origin otherwise)
{
    for (int i = 0; i < ORIGINS_STATED; i++)
        if (knob_set_has(&device->origin[i], knob))
            return (enum origin)(ORIGIN_STATED + i);
    return otherwise;
}

bool knob_stated_origin(const struct scenario *scenario, struct knob_ref ref, enum origin *origin)
{
    if (ref.section != SECTION_DEVICE)
        return false;
    *origin = origin_in_file(&scenario->device[ref.index], ref.knob, ORIGIN_SET);
    return *origin != ORIGIN_SET;
}

enum origin knob_origin(const struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = knob_stated_by(scenario, ref);
    enum origin origin = ORIGIN_SET;

    if (knob_is_own(scenario, ref)) {
        knob_stated_origin(scenario, ref, &origin);
        return origin;
    }
    if (base != NULL) {
        const struct other_start *other =
            find_other_start(&scenario->device[ref.index], ref.knob);

        return other != NULL ? (enum origin)other->origin
                             : origin_in_file(base, ref.knob, ORIGIN_STATED);
    }
    /* an automatic number of a device does not depend on the design: it is a rule of thumb */
    if (!ref.knob->automatic || (ref.section == SECTION_DEVICE && knob_is_number(ref.knob)))
        return ORIGIN_ASSUMED;
    return ORIGIN_AUTOMATIC;
}

void knob_set_origin(struct scenario *scenario, struct knob_ref ref, enum origin origin)
{
    forget_origin(scenario, ref);
    knob_set_add(&scenario->device[ref.index].origin[origin - ORIGIN_STATED], ref.knob);
}

/* Choices -------------------------------------------------------------------------------------- */

static enum component_type component_type(const struct scenario *scenario, struct knob_ref ref)
{
    return (enum component_type)scenario->component[ref.index].type;
}

int knob_choice_count(const struct scenario *scenario, struct knob_ref ref)
{
    switch (ref.knob->type) {
    case KNOB_CHOICE:
        return (int)(ref.knob->max - ref.knob->min) + 1;
    case KNOB_ALGORITHM:
        return algorithm_type_count(component_type(scenario, ref));
    case KNOB_WFS:
        return scenario->wfs_count;
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        return scenario->device_count;
    default:
        return 0;
    }
}

int knob_choice_value(const struct scenario *scenario, struct knob_ref ref, int choice)
{
    if (ref.knob->type == KNOB_ALGORITHM)
        return choice + algorithm_first(component_type(scenario, ref));
    return choice + (int)ref.knob->min;
}

const char *knob_choice_name(const struct scenario *scenario, struct knob_ref ref, int choice)
{
    int value = knob_choice_value(scenario, ref, choice);

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
    default:
        return "";
    }
}

int knob_choice(const struct scenario *scenario, struct knob_ref ref)
{
    double value = knob_number(scenario, ref);

    return value < 0 ? -1 : (int)value - knob_choice_value(scenario, ref, 0);
}

/* Values --------------------------------------------------------------------------------------- */

double knob_number(const struct scenario *scenario, struct knob_ref ref)
{
    const void *field = knob_field_const(scenario, ref);

    if (knob_is_number(ref.knob))
        return *(const double *)field;
    if (ref.knob->type == KNOB_DEVICES)
        return devices_first(*(const uint32_t *)field);
    return holds_int(ref.knob) ? *(const int *)field : 0;
}

const char *knob_formula(const struct scenario *scenario, struct knob_ref ref)
{
    const char *section = (const void *)section_head_const(scenario, ref.section, ref.index);

    return ref.knob->formula == 0 || section[ref.knob->formula] == '\0'
               ? NULL
               : section + ref.knob->formula;
}

enum stated_number knob_stated(const struct knob *knob)
{
    return (enum stated_number)((knob->formula - offsetof(struct component, formula)) /
                                (FORMULA_MAX + 1));
}

/* Writes the formula that states a number; empty: none does. */
static void put_formula(struct scenario *scenario, struct knob_ref ref, const char *text)
{
    char *section = (void *)section_head(scenario, ref.section, ref.index);

    if (ref.knob->formula == 0)
        return;
    memset(section + ref.knob->formula, 0, FORMULA_MAX + 1); /* scenarios are compared by bytes */
    snprintf(section + ref.knob->formula, FORMULA_MAX + 1, "%s", text);
}

/* Writes the table's default even if the scenario states the value. */
static void put_fallback(struct scenario *scenario, struct knob_ref ref)
{
    void *field = knob_field(scenario, ref);

    put_formula(scenario, ref, "");
    if (knob_is_number(ref.knob))
        *(double *)field = knob_fallback(ref.knob);
    else if (holds_int(ref.knob))
        *(int *)field = (int)ref.knob->fallback;
    else
        memset(field, 0, ref.knob->size);
}

/* Returns true if values of the section that it does not state depend on this one. */
static bool others_follow(const struct knob *knob)
{
    return knob_pass(knob) != PASS_REST || is_dispatch(knob);
}

static void reset_value(struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = knob_stated_by(scenario, ref);

    drop_own(scenario, ref);
    if (base != NULL)
        memcpy(knob_field(scenario, ref), preset_value(&scenario->device[ref.index], ref.knob),
               ref.knob->size);
    else
        put_fallback(scenario, ref);
    if (ref.knob->type == KNOB_PRESET)
        scenario->device[ref.index].base = NULL;
}

void knob_reset(struct scenario *scenario, struct knob_ref ref)
{
    reset_value(scenario, ref);
    if (others_follow(ref.knob))
        section_refresh(scenario, ref.section, ref.index);
}

/* Returns true if a number is automatic and would be even if the scenario did not state it. */
static bool auto_is_redundant(const struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = knob_stated_by(scenario, ref);
    const struct knob *knob = ref.knob;

    return knob_formula(scenario, ref) == NULL && knob_is_auto(knob, knob_number(scenario, ref)) &&
           (base == NULL ||
            knob_is_auto(knob,
                         *(const double *)preset_value(&scenario->device[ref.index], knob)));
}

void knob_set_auto(struct scenario *scenario, struct knob_ref ref)
{
    knob_reset(scenario, ref);
    if (!knob_is_number(ref.knob) || auto_is_redundant(scenario, ref))
        return;
    put_fallback(scenario, ref);
    knob_mark_own(scenario, ref);
}

void knob_put_number(struct scenario *scenario, struct knob_ref ref, double si)
{
    if (knob_is_auto(ref.knob, si)) {
        knob_set_auto(scenario, ref);
        return;
    }
    put_formula(scenario, ref, "");
    *(double *)knob_field(scenario, ref) = si;
    knob_mark_own(scenario, ref);
}

void knob_put_formula(struct scenario *scenario, struct knob_ref ref, const char *text)
{
    put_formula(scenario, ref, text);
    *(double *)knob_field(scenario, ref) = NUMBER_FORMULA;
    knob_mark_own(scenario, ref);
}

static enum status set_int(struct scenario *scenario, struct knob_ref ref, int value,
                           struct error *error)
{
    const struct device *device =
        ref.section == SECTION_DEVICE ? &scenario->device[ref.index] : NULL;
    int first = knob_choice_value(scenario, ref, 0);
    bool changes = others_follow(ref.knob) && knob_number(scenario, ref) != value;

    if (value < first || value >= first + knob_choice_count(scenario, ref))
        return error_set(error, STATUS_INVALID, "there is no choice number %d", value);
    if (knob_id(ref.knob) == KNOB_DEVICE_KIND && device != NULL && device->base != NULL &&
        device->base->kind != value)
        return error_set(error, STATUS_INVALID, "preset %s is a %s; choose another preset first",
                         device->preset, ref.knob->choices[device->base->kind]);
    if (ref.knob->type == KNOB_DEVICES)
        *(uint32_t *)knob_field(scenario, ref) = UINT32_C(1) << value;
    else
        *(int *)knob_field(scenario, ref) = value;
    knob_mark_own(scenario, ref);
    if (changes)
        section_refresh(scenario, ref.section, ref.index);
    return STATUS_OK;
}

enum status knob_set_number(struct scenario *scenario, struct knob_ref ref, double si,
                            struct error *error)
{
    const char *wrong = NULL;
    char value[64];
    char allowed[80];

    if (!knob_is_number(ref.knob))
        return set_int(scenario, ref, (int)si, error);
    if (!(si >= knob_min(ref.knob) && si <= knob_max(ref.knob)))
        wrong = "out of range";
    else if (ref.knob->type == KNOB_INTEGER && si != floor(si))
        wrong = "not a whole number";
    if (wrong != NULL) {
        quantity_format(si, ref.knob->unit, value, sizeof value);
        knob_range(ref.knob, allowed, sizeof allowed);
        return error_set(error, STATUS_INVALID, "%s is %s; allowed: %s", value, wrong, allowed);
    }
    knob_put_number(scenario, ref, si);
    return STATUS_OK;
}

void knob_put_text(struct scenario *scenario, struct knob_ref ref, const char *text)
{
    memset(knob_field(scenario, ref), 0, ref.knob->size);
    snprintf(knob_field(scenario, ref), ref.knob->size, "%s", text);
    knob_mark_own(scenario, ref);
}

enum status knob_set_components(struct scenario *scenario, struct knob_ref ref, uint64_t members,
                                struct error *error)
{
    struct component_set *set = knob_field(scenario, ref);

    if ((members >> ref.index & 1) != 0)
        return error_set(error, STATUS_INVALID, "a component cannot come after itself");
    /* Assign members separately: scenarios are compared byte by byte, padding included. */
    set->members = members;
    set->stated = true;
    knob_mark_own(scenario, ref);
    return STATUS_OK;
}

enum status knob_set_devices(struct scenario *scenario, struct knob_ref ref, uint32_t devices,
                             struct error *error)
{
    if (devices_count(devices) > 1 && component_type(scenario, ref) != COMPONENT_RECONSTRUCTION)
        return error_set(error, STATUS_INVALID,
                         "only a reconstruction is split over several devices; name one");
    *(uint32_t *)knob_field(scenario, ref) = devices;
    knob_mark_own(scenario, ref);
    return STATUS_OK;
}

/* Changes of kind ------------------------------------------------------------------------------ */

/* Returns true if the algorithm belongs to the component's former type. */
static bool is_foreign_algorithm(const struct scenario *scenario, struct knob_ref ref)
{
    int choice;

    if (ref.knob->type != KNOB_ALGORITHM)
        return false;
    choice = knob_choice(scenario, ref);
    return knob_number(scenario, ref) >= 0 &&
           (choice < 0 || choice >= knob_choice_count(scenario, ref));
}

static void refresh_kind(struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = knob_stated_by(scenario, ref);

    if (knob_is_own(scenario, ref))
        return;
    put_fallback(scenario, ref);
    if (base != NULL)
        *(int *)knob_field(scenario, ref) = base->kind;
}

/* Fields of a section, by their offset: those of rows of the table that apply. */
union any_section {
    struct general general;
    struct ao ao;
    struct atmosphere atmosphere;
    struct telemetry telemetry;
    struct update update;
    struct calibration calibration;
    struct wfs wfs;
    struct device device;
    struct component component;
};

static void find_used_fields(enum section section, int kind, bool used[sizeof(union any_section)])
{
    const struct knob *first = &knobs[knob_section_first(section)];

    memset(used, false, sizeof(union any_section));
    for (int row = 0; row < knob_section_count(section); row++)
        if (knob_has_kind(&first[row], kind))
            used[first[row].offset] = true;
}

static void refresh_value(struct scenario *scenario, struct knob_ref ref, int kind,
                          const bool *used)
{
    if (!knob_has_kind(ref.knob, kind)) {
        drop_own(scenario, ref);
        if (!used[ref.knob->offset])
            put_fallback(scenario, ref);
    } else if (!knob_is_own(scenario, ref) || is_foreign_algorithm(scenario, ref) ||
               auto_is_redundant(scenario, ref)) {
        reset_value(scenario, ref);
    }
}

void section_refresh(struct scenario *scenario, enum section section, int index)
{
    const struct knob *kind = section_kind_knob(section);
    const struct knob *first = &knobs[knob_section_first(section)];
    bool used[sizeof(union any_section)];
    int kind_of;

    /* the kind decides which other knobs apply */
    if (kind != NULL)
        refresh_kind(scenario, (struct knob_ref){section, index, kind});
    kind_of = instance_kind(scenario, section, index);
    find_used_fields(section, kind_of, used);
    for (int row = 0; row < knob_section_count(section); row++)
        if (knob_pass(&first[row]) == PASS_REST)
            refresh_value(scenario, (struct knob_ref){section, index, &first[row]}, kind_of, used);
    /* only a reconstruction runs on several devices: other types keep the lowest bit */
    if (section == SECTION_COMPONENT && scenario->component[index].type != COMPONENT_RECONSTRUCTION)
        scenario->component[index].devices &= ~scenario->component[index].devices + 1;
}
