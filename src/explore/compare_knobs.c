#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/compare_parts.h"
#include "knob_in_force.h"

enum { VALUE_MAX = 2304 };

/* An empty difference at the end of the list; NULL without memory. */
static struct difference *append(struct comparison *comparison)
{
    struct difference *list = comparison->difference;

    if (comparison->difference_count == comparison->difference_capacity) {
        int capacity = 2 * comparison->difference_capacity + 16;

        list = realloc(list, (size_t)capacity * sizeof *list);
        if (list == NULL)
            return NULL;
        comparison->difference = list;
        comparison->difference_capacity = capacity;
    }
    list += comparison->difference_count;
    *list = (struct difference){.kind = DIFFERENCE_INSTANCE};
    return list;
}

/* Takes the appended difference in, with its values. */
static bool accept(struct comparison *comparison, struct difference *difference,
                   char value[SIDES][VALUE_MAX])
{
    for (int s = 0; s < SIDES; s++)
        difference->value[s] = strdup(value[s]);
    comparison->difference_count++;
    return difference->value[0] != NULL && difference->value[1] != NULL;
}

/* What an instance that only one design has is: "reconstruction", "NVIDIA A100", "pyramid". */
static void describe(const struct scenario *scenario, enum section section, int index, char *text)
{
    const struct device *device = &scenario->device[section == SECTION_DEVICE ? index : 0];
    struct knob_ref ref;

    if (section == SECTION_DEVICE && device->model[0] != '\0')
        snprintf(text, VALUE_MAX, "%s", device->model);
    else if (knob_find_key(scenario, section, index, section == SECTION_COMPONENT ? "type" : "kind",
                           &ref, NULL) == STATUS_OK)
        knob_print(scenario, ref, text, VALUE_MAX);
}

static bool instance(const struct compare_side side[SIDES], int of, enum section section, int index,
                     struct comparison *comparison)
{
    struct difference *difference = append(comparison);
    char value[SIDES][VALUE_MAX] = {"", ""};

    if (difference == NULL)
        return false;
    difference->section = section;
    difference->has[of] = true;
    section_path(side[of].scenario, section, index, difference->path, sizeof difference->path);
    describe(side[of].scenario, section, index, value[of]);
    return accept(comparison, difference, value);
}

/* The row of a key that applies to the instance. Kinds may share a key, each with a row. */
static bool find(const struct compare_side *side, struct knob_ref *ref, const char *key)
{
    return knob_find_key(side->scenario, ref->section, ref->index, key, ref, NULL) == STATUS_OK;
}

/* Exact: numbers that read the same may differ. */
static bool same_stated(const struct compare_side side[SIDES], const struct knob_ref ref[SIDES])
{
    char text[SIDES][VALUE_MAX];

    if (knob_is_number(ref[0].knob) && knob_is_number(ref[1].knob))
        return knob_number(side[0].scenario, ref[0]) == knob_number(side[1].scenario, ref[1]);
    for (int s = 0; s < SIDES; s++)
        knob_get_text(side[s].scenario, ref[s], text[s], sizeof text[s]);
    return strcmp(text[0], text[1]) == 0;
}

static bool is_open(const struct compare_side *side, struct knob_ref ref)
{
    char text[VALUE_MAX];

    if (!ref.knob->automatic)
        return false;
    if (knob_is_number(ref.knob))
        return knob_left_open(ref.knob, knob_number(side->scenario, ref));
    knob_get_text(side->scenario, ref, text, sizeof text);
    return strcmp(text, "auto") == 0;
}

/* A knob that both have, in instances of one name, or only one of them. */
static bool knob(const struct compare_side side[SIDES], const struct knob_ref ref[SIDES],
                 const bool has[SIDES], struct comparison *comparison)
{
    char value[SIDES][VALUE_MAX] = {"", ""};
    struct difference *difference;
    int of = has[0] ? 0 : 1;
    bool both = has[0] && has[1];
    bool open = both && is_open(&side[0], ref[0]) && is_open(&side[1], ref[1]);

    if (both && !open && same_stated(side, ref))
        return true;
    for (int s = 0; s < SIDES; s++)
        if (has[s])
            knob_print_in_force(side[s].scenario, side[s].result, ref[s], value[s], VALUE_MAX);
    if (open && strcmp(value[0], value[1]) == 0)
        return true;
    difference = append(comparison);
    if (difference == NULL)
        return false;
    difference->kind = DIFFERENCE_FOLLOWS;
    difference->section = ref[of].section;
    difference->knob = ref[of].knob;
    knob_path(side[of].scenario, ref[of], difference->path, sizeof difference->path);
    for (int s = 0; s < SIDES; s++) {
        difference->has[s] = has[s];
        if (!has[s])
            continue;
        difference->origin[s] = knob_origin(side[s].scenario, ref[s]);
        if (knob_is_own(side[s].scenario, ref[s]))
            difference->kind = DIFFERENCE_OWN;
    }
    if (ref[of].knob->type == KNOB_PRESET)
        difference->kind = DIFFERENCE_PRESET;
    return accept(comparison, difference, value);
}

/* The knobs of two instances of one name. */
static bool instances(const struct compare_side side[SIDES], enum section section,
                      const int index[SIDES], struct comparison *comparison)
{
    int first = knob_section_first(section);

    for (int k = first; k < first + knob_section_count(section); k++) {
        struct knob_ref ref[SIDES] = {{section, index[0], &knobs[k]}, {section, index[1], NULL}};
        bool has[SIDES] = {knob_applies(side[0].scenario, section, index[0], &knobs[k]),
                           find(&side[1], &ref[1], knobs[k].key)};

        /* b's rows of keys that a has a row for too come with those */
        if (!has[0] && (ref[1].knob != &knobs[k] || find(&side[0], &ref[0], knobs[k].key)))
            continue;
        for (int s = 0; s < SIDES; s++)
            has[s] = has[s] && !(knob_idle(side[s].scenario, ref[s]) &&
                                 (!has[1 - s] || knob_idle(side[1 - s].scenario, ref[1 - s])));
        if ((!has[0] && !has[1]) || strcmp(knobs[k].key, "title") == 0)
            continue;
        if (!knob(side, ref, has, comparison))
            return false;
    }
    return true;
}

static bool sections(const struct compare_side side[SIDES], enum section section,
                     struct comparison *comparison)
{
    int count[SIDES] = {section_count(side[0].scenario, section),
                        section_count(side[1].scenario, section)};

    for (int i = 0; i < count[0]; i++) {
        const char *name = section_head_const(side[0].scenario, section, i)->name;
        int index[SIDES] = {i, section_find(side[1].scenario, section, name)};
        bool good = index[1] < 0 ? instance(side, 0, section, i, comparison)
                                 : instances(side, section, index, comparison);

        if (!good)
            return false;
    }
    for (int i = 0; i < count[1]; i++) {
        const char *name = section_head_const(side[1].scenario, section, i)->name;

        if (section_find(side[0].scenario, section, name) < 0 &&
            !instance(side, 1, section, i, comparison))
            return false;
    }
    return true;
}

/* Keeps the order within a kind. */
static bool sort_by_kind(struct comparison *comparison)
{
    size_t count = (size_t)comparison->difference_count;
    struct difference *sorted = malloc((count > 0 ? count : 1) * sizeof *sorted);
    size_t used = 0;

    if (sorted == NULL)
        return false;
    for (int kind = 0; kind < DIFFERENCE_KINDS; kind++)
        for (size_t d = 0; d < count; d++)
            if ((int)comparison->difference[d].kind == kind)
                sorted[used++] = comparison->difference[d];
    free(comparison->difference);
    comparison->difference = sorted;
    comparison->difference_capacity = (int)count;
    return true;
}

bool compare_knobs(const struct compare_side side[SIDES], struct comparison *comparison)
{
    for (int section = 0; section < SECTION_COUNT; section++)
        if (!sections(side, (enum section)section, comparison))
            return false;
    return sort_by_kind(comparison);
}
