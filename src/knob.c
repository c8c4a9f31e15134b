#include "knob.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nearest.h"
#include "units.h"
#include "utf8.h"
#include "workload.h"

int knob_section_first(enum section section)
{
    int first = 0;

    while (first < knob_count && knobs[first].section != section)
        first++;
    return first;
}

int knob_section_count(enum section section)
{
    int count = 0;

    for (int i = knob_section_first(section); i < knob_count && knobs[i].section == section; i++)
        count++;
    return count;
}

static int row_of(const struct knob *knob)
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

static void *field(struct scenario *scenario, struct knob_ref ref)
{
    return (char *)section_head(scenario, ref.section, ref.index) + ref.knob->offset;
}

static const void *field_const(const struct scenario *scenario, struct knob_ref ref)
{
    return (const char *)section_head_const(scenario, ref.section, ref.index) + ref.knob->offset;
}

static size_t field_size(const struct knob *knob)
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
    case KNOB_CHOICE:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_ALGORITHM:
        break;
    }
    return sizeof(int);
}

static bool is_number(const struct knob *knob)
{
    return knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER;
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

static double to_si(const struct knob *knob, double value)
{
    struct unit unit;

    if (!is_number(knob) || unit_find(knob->unit, &unit) != STATUS_OK)
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
    return to_si(knob, knob->fallback);
}

/* Finding ------------------------------------------------------------------------------------- */

static const char *kind_name(const struct scenario *scenario, enum section section, int index)
{
    struct knob_ref ref = {section, index, NULL};
    const char *key = section == SECTION_COMPONENT ? "type" : "kind";

    knob_find_key(scenario, section, index, key, &ref, NULL);
    return ref.knob->choices[(int)knob_number(scenario, ref)];
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

enum status knob_find_key(const struct scenario *scenario, enum section section, int index,
                          const char *key, struct knob_ref *ref, struct error *error)
{
    struct nearest nearest = nearest_to(key);
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);
    bool elsewhere = false;

    for (int i = first; i < end; i++) {
        bool applies = knob_applies(scenario, section, index, &knobs[i]);

        if (strcmp(knobs[i].key, key) == 0) {
            *ref = (struct knob_ref){section, index, &knobs[i]};
            if (applies)
                return STATUS_OK;
            elsewhere = true;
        }
        if (applies)
            nearest_offer(&nearest, knobs[i].key);
    }
    if (elsewhere)
        return error_set(error, STATUS_INVALID, "\"%s\" does not belong to a %s", key,
                         kind_name(scenario, section, index));
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "unknown key \"%s\"; did you mean %s?", key,
                         nearest.best);
    return unknown_key(scenario, section, index, key, error);
}

static enum status unknown_section(const char *word, struct error *error)
{
    struct nearest nearest = nearest_to(word);

    for (int s = 0; s < SECTION_COUNT; s++)
        nearest_offer(&nearest, section_name((enum section)s));
    if (nearest.best[0] == '\0')
        return error_set(error, STATUS_INVALID, "unknown section \"%s\"", word);
    return error_set(error, STATUS_INVALID, "unknown section \"%s\"; did you mean %s?", word,
                     nearest.best);
}

static enum status unknown_instance(const struct scenario *scenario, enum section section,
                                    const char *name, struct error *error)
{
    struct nearest nearest = nearest_to(name);
    int count = section_count(scenario, section);

    for (int i = 0; i < count; i++)
        nearest_offer(&nearest, section_head_const(scenario, section, i)->name);
    if (nearest.best[0] == '\0')
        return error_set(error, STATUS_INVALID, "there is no %s.%s", section_name(section), name);
    return error_set(error, STATUS_INVALID, "there is no %s.%s; did you mean %s?",
                     section_name(section), name, nearest.best);
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
            return unknown_instance(scenario, (enum section)section, word, error);
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

/* Choices ------------------------------------------------------------------------------------- */

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
        return scenario->device_count;
    case KNOB_NUMBER:
    case KNOB_INTEGER:
    case KNOB_TEXT:
    case KNOB_PRESET:
    case KNOB_COMPONENTS:
        break;
    }
    return 0;
}

/* Choices are counted from 0; the value stored for the first. */
static int choice_base(const struct scenario *scenario, struct knob_ref ref)
{
    if (ref.knob->type == KNOB_ALGORITHM)
        return algorithm_first(type_of(scenario, ref));
    return ref.knob->type == KNOB_CHOICE ? (int)ref.knob->min : 0;
}

const char *knob_choice_name(const struct scenario *scenario, struct knob_ref ref, int choice)
{
    int value = choice + choice_base(scenario, ref);

    switch (ref.knob->type) {
    case KNOB_ALGORITHM:
        return algorithms[value].name;
    case KNOB_WFS:
        return scenario->wfs[value].head.name;
    case KNOB_DEVICE:
        return scenario->device[value].head.name;
    case KNOB_CHOICE:
        return ref.knob->choices[value];
    case KNOB_NUMBER:
    case KNOB_INTEGER:
    case KNOB_TEXT:
    case KNOB_PRESET:
    case KNOB_COMPONENTS:
        break;
    }
    return "";
}

int knob_choice(const struct scenario *scenario, struct knob_ref ref)
{
    int value = *(const int *)field_const(scenario, ref);

    return value < 0 ? -1 : value - choice_base(scenario, ref);
}

/* Values -------------------------------------------------------------------------------------- */

double knob_number(const struct scenario *scenario, struct knob_ref ref)
{
    if (is_number(ref.knob))
        return *(const double *)field_const(scenario, ref);
    if (field_size(ref.knob) == sizeof(int))
        return *(const int *)field_const(scenario, ref);
    return 0;
}

static void own(struct scenario *scenario, struct knob_ref ref)
{
    knob_set_add(&section_head(scenario, ref.section, ref.index)->own, row_of(ref.knob));
}

static bool is_kind(const struct knob *knob)
{
    return (knob->section == SECTION_COMPONENT && strcmp(knob->key, "type") == 0) ||
           ((knob->section == SECTION_DEVICE || knob->section == SECTION_WFS) &&
            strcmp(knob->key, "kind") == 0);
}

static void set_int(struct scenario *scenario, struct knob_ref ref, int value)
{
    *(int *)field(scenario, ref) = value;
    own(scenario, ref);
    if (is_kind(ref.knob))
        section_refresh(scenario, ref.section, ref.index);
}

static enum status not_allowed(const struct scenario *scenario, struct knob_ref ref,
                               const char *text, const char *what, struct error *error)
{
    char allowed[400];

    knob_allowed(scenario, ref, allowed, sizeof allowed);
    return error_set(error, STATUS_INVALID, "%.80s is %s; allowed: %s", text, what, allowed);
}

/* A device is of the kind its preset is. */
static enum status check_kind(const struct scenario *scenario, struct knob_ref ref, int value,
                              struct error *error)
{
    const struct device *device = &scenario->device[ref.index];

    if (ref.section != SECTION_DEVICE || !is_kind(ref.knob) || device->base == NULL ||
        device->base->kind == value)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID, "preset %s is a %s; choose another preset first",
                     device->preset, ref.knob->choices[device->base->kind]);
}

enum status knob_set_number(struct scenario *scenario, struct knob_ref ref, double si,
                            struct error *error)
{
    char text[64];

    if (!is_number(ref.knob)) {
        int value = (int)si;
        int count = knob_choice_count(scenario, ref);
        int base = choice_base(scenario, ref);

        if (value < base || value >= base + count)
            return error_set(error, STATUS_INVALID, "there is no choice number %d", value);
        if (check_kind(scenario, ref, value, error) != STATUS_OK)
            return STATUS_INVALID;
        set_int(scenario, ref, value);
        return STATUS_OK;
    }
    quantity_format(si, ref.knob->unit, text, sizeof text);
    if (!(si >= knob_min(ref.knob) && si <= knob_max(ref.knob)))
        return not_allowed(scenario, ref, text, "out of range", error);
    if (ref.knob->type == KNOB_INTEGER && si != floor(si))
        return not_allowed(scenario, ref, text, "not a whole number", error);
    *(double *)field(scenario, ref) = si;
    own(scenario, ref);
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
            int value = i + choice_base(scenario, ref);

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

/* With their commas; a line of a scenario file holds 1022 bytes. */
#define COMPONENT_NAMES_MAX 960

static enum status set_components(struct scenario *scenario, struct knob_ref ref, const char *text,
                                  struct error *error)
{
    struct component_set set = {0, true};
    const char *at = text;
    size_t spelled = 0;

    if (strcmp(text, "none") == 0)
        at = "";
    while (*at != '\0') {
        char name[TEXT_MAX_LENGTH + 1];
        size_t length = strcspn(at, ", \t");
        int index;

        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 60), at);
        at += length;
        at += strspn(at, ", \t");
        if (name[0] == '\0')
            continue;
        index = section_find(scenario, SECTION_COMPONENT, name);
        if (index < 0)
            return unknown_instance(scenario, SECTION_COMPONENT, name, error);
        if (index == ref.index)
            return error_set(error, STATUS_INVALID, "a component cannot wait for itself");
        spelled += (set.members >> index & 1) != 0 ? 0 : strlen(name) + strlen(", ");
        set.members |= UINT64_C(1) << index;
    }
    if (spelled > COMPONENT_NAMES_MAX)
        return error_set(error, STATUS_INVALID, "the names take %zu bytes; the most is %d", spelled,
                         COMPONENT_NAMES_MAX);
    *(struct component_set *)field(scenario, ref) = set;
    own(scenario, ref);
    return STATUS_OK;
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
    memset(field(scenario, ref), 0, TEXT_MAX_LENGTH + 1);
    snprintf(field(scenario, ref), TEXT_MAX_LENGTH + 1, "%s", text);
    own(scenario, ref);
    return STATUS_OK;
}

static void set_fallback(struct scenario *scenario, struct knob_ref ref);

enum status knob_set_text(struct scenario *scenario, struct knob_ref ref, const char *text,
                          struct error *error)
{
    const char *end;
    double si;

    if (ref.knob->automatic && strcmp(text, "auto") == 0) {
        set_fallback(scenario, ref);
        own(scenario, ref);
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
    case KNOB_COMPONENTS:
        return set_components(scenario, ref, text, error);
    case KNOB_TEXT:
        return set_text(scenario, ref, text, error);
    case KNOB_PRESET:
        break;
    }
    return error_set(error, STATUS_INVALID, "a preset is chosen from the catalogue");
}

static void set_fallback(struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *knob = ref.knob;

    if (is_number(knob))
        *(double *)field(scenario, ref) = knob_fallback(knob);
    else if (field_size(knob) == sizeof(int))
        *(int *)field(scenario, ref) = (int)knob->fallback;
    else
        memset(field(scenario, ref), 0, field_size(knob));
}

/* The preset a device starts from, where it states this knob. */
static const struct device *stated_by(const struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base;

    if (ref.section != SECTION_DEVICE)
        return NULL;
    base = scenario->device[ref.index].base;
    return base != NULL && knob_set_has(&base->head.own, row_of(ref.knob)) ? base : NULL;
}

void knob_reset(struct scenario *scenario, struct knob_ref ref)
{
    const struct device *base = stated_by(scenario, ref);

    knob_set_drop(&section_head(scenario, ref.section, ref.index)->own, row_of(ref.knob));
    if (base != NULL)
        memcpy(field(scenario, ref), (const char *)base + ref.knob->offset, field_size(ref.knob));
    else
        set_fallback(scenario, ref);
    if (is_kind(ref.knob))
        section_refresh(scenario, ref.section, ref.index);
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

            if (is_kind(ref.knob) != (pass == 0) || ref.knob->type == KNOB_PRESET)
                continue;
            if (!knob_applies(scenario, section, index, ref.knob)) {
                bool shared = false; /* another row of the same field applies */

                for (int r = 0; r < count; r++)
                    shared |= knobs[first + r].offset == ref.knob->offset &&
                              knob_applies(scenario, section, index, &knobs[first + r]);
                knob_set_drop(&head->own, row);
                if (!shared)
                    set_fallback(scenario, ref);
            } else if (!knob_set_has(&head->own, row) && pass == 1) {
                knob_reset(scenario, ref);
            } else if (!knob_set_has(&head->own, row)) {
                const struct device *base = stated_by(scenario, ref);

                set_fallback(scenario, ref);
                if (base != NULL)
                    *(int *)field(scenario, ref) = base->kind;
            }
        }
    }
}

enum origin knob_origin(const struct scenario *scenario, struct knob_ref ref)
{
    const struct section_head *head = section_head_const(scenario, ref.section, ref.index);
    bool unset;

    if (knob_set_has(&head->own, row_of(ref.knob)))
        return ORIGIN_SET;
    if (stated_by(scenario, ref) != NULL)
        return ORIGIN_STATED;
    unset = ref.knob->automatic;
    return unset ? ORIGIN_AUTOMATIC : ORIGIN_ASSUMED;
}

const char *origin_name(enum origin origin)
{
    static const char *const names[] = {"set", "stated", "assumed", "automatic"};

    return names[origin];
}
