#include "design/scenario_edit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "design/knob.h"

void scenario_init(struct scenario *scenario)
{
    memset(scenario, 0, sizeof *scenario);
    section_refresh(scenario, SECTION_SCENARIO, 0);
    section_refresh(scenario, SECTION_AO, 0);
    section_refresh(scenario, SECTION_ATMOSPHERE, 0);
    section_refresh(scenario, SECTION_TELEMETRY, 0);
    section_refresh(scenario, SECTION_UPDATE, 0);
    section_refresh(scenario, SECTION_CALIBRATION, 0);
}

static int renumbered_reference(int reference, int at, int by)
{
    return reference >= at ? reference + by : reference;
}

static uint64_t renumbered_set(uint64_t set, int at, int by)
{
    uint64_t below = set & ((UINT64_C(1) << at) - 1);
    uint64_t above = set & ~((UINT64_C(1) << at) - 1);

    return below | (by > 0 ? above << 1 : above >> 1);
}

/* Renumbers references from `at` on after an insertion (by = 1) or a removal (by = -1). */
static void renumber_references(struct scenario *scenario, enum section section, int at, int by)
{
    for (int i = 0; i < scenario->component_count; i++) {
        struct component *component = &scenario->component[i];

        if (section == SECTION_WFS)
            component->wfs = renumbered_reference(component->wfs, at, by);
        if (section == SECTION_DEVICE)
            component->devices = (uint32_t)renumbered_set(component->devices, at, by);
        if (section == SECTION_COMPONENT)
            component->after.members = renumbered_set(component->after.members, at, by);
    }
    for (int i = 0; i < scenario->device_count && section == SECTION_DEVICE; i++)
        scenario->device[i].host = renumbered_reference(scenario->device[i].host, at, by);
    if (section != SECTION_DEVICE)
        return;
    scenario->telemetry.host = renumbered_reference(scenario->telemetry.host, at, by);
    scenario->update.host = renumbered_reference(scenario->update.host, at, by);
}

/* Returns STATUS_INVALID if a name is not allowed; the error states the rule. */
static enum status check_instance_name(const char *name, struct error *error)
{
    if (!name_is_good(name))
        return error_set(error, STATUS_INVALID,
                         "\"%.40s\" is not a name; a name is 1 to %d of a-z 0-9 - _", name,
                         NAME_MAX_LENGTH);
    if (strcmp(name, "none") == 0 || strcmp(name, "auto") == 0)
        return error_set(error, STATUS_INVALID, "\"%s\" is reserved and cannot be a name", name);
    return STATUS_OK;
}

enum status scenario_insert(struct scenario *scenario, enum section section, int at,
                            const char *name, struct error *error)
{
    int count = section_count(scenario, section);

    if (check_instance_name(name, error) != STATUS_OK)
        return STATUS_INVALID;
    if (section_find(scenario, section, name) >= 0)
        return error_set(error, STATUS_INVALID, "%s.%s already exists", section_name(section),
                         name);
    if (count >= section_max(section))
        return error_set(error, STATUS_INVALID, "there are %d %ss already, the maximum", count,
                         section == SECTION_WFS ? "sensor" : section_name(section));
    section_insert(scenario, section, at);
    renumber_references(scenario, section, at, 1);
    snprintf(section_head(scenario, section, at)->name, NAME_MAX_LENGTH + 1, "%s", name);
    section_refresh(scenario, section, at);
    return STATUS_OK;
}

/* Returns true if a formula contains "wfs.NAME.", the path of a section. */
static bool formula_names(const char *formula, const char *path)
{
    const size_t length = strlen(path);

    for (const char *at = formula; (at = strstr(at, path)) != NULL; at++)
        if (at[length] == '.' &&
            (at == formula || (!isalnum((unsigned char)at[-1]) && strchr("._-", at[-1]) == NULL)))
            return true;
    return false;
}

static bool component_names(const struct component *component, enum section section, int index,
                            const char *path)
{
    for (int i = 0; i < STATED_COUNT; i++)
        if (formula_names(component->formula[i], path))
            return true;
    return (section == SECTION_WFS && component->wfs == index) ||
           (section == SECTION_DEVICE && (component->devices >> index & 1) != 0) ||
           (section == SECTION_COMPONENT && (component->after.members >> index & 1) != 0);
}

/* Writes the paths of at most `most` sections that refer to an instance; returns the number of all
 * of them. */
static int find_referrers(const struct scenario *scenario, enum section section, int index,
                          char (*paths)[64], int most)
{
    char path[64];
    int count = 0;

    section_path(scenario, section, index, path, sizeof path);
    for (int i = 0; i < scenario->component_count; i++)
        if ((section != SECTION_COMPONENT || i != index) &&
            component_names(&scenario->component[i], section, index, path) && count++ < most)
            section_path(scenario, SECTION_COMPONENT, i, paths[count - 1], sizeof paths[0]);
    for (int i = 0; i < scenario->device_count && section == SECTION_DEVICE; i++)
        if (i != index && scenario->device[i].host == index && count++ < most)
            section_path(scenario, SECTION_DEVICE, i, paths[count - 1], sizeof paths[0]);
    if (section == SECTION_DEVICE && scenario->telemetry.host == index && count++ < most)
        section_path(scenario, SECTION_TELEMETRY, 0, paths[count - 1], sizeof paths[0]);
    if (section == SECTION_DEVICE && scenario->update.host == index && count++ < most)
        section_path(scenario, SECTION_UPDATE, 0, paths[count - 1], sizeof paths[0]);
    return count;
}

/* Returns STATUS_INVALID if sections refer to the instance; the error names the first four. */
static enum status check_unreferenced(const struct scenario *scenario, enum section section,
                                      int index, const char *path, struct error *error)
{
    enum { SHOWN = 4 };
    char paths[SHOWN][64];
    int count = find_referrers(scenario, section, index, paths, SHOWN);
    char names[300];
    struct buffer list = buffer_over(names, sizeof names);

    if (count == 0)
        return STATUS_OK;
    for (int i = 0; i < count && i < SHOWN; i++)
        buffer_print(&list, "%s%s", i == 0 ? "" : i == count - 1 ? " and " : ", ", paths[i]);
    if (count > SHOWN)
        buffer_print(&list, " and %d more", count - SHOWN);
    return error_set(error, STATUS_INVALID, "%s cannot be removed: %s name%s it", path, names,
                     count == 1 ? "s" : "");
}

enum status scenario_remove(struct scenario *scenario, enum section section, int index,
                            struct error *error)
{
    char path[64];

    section_path(scenario, section, index, path, sizeof path);
    if (section_max(section) == 1)
        return error_set(error, STATUS_INVALID, "%s is part of every design", path);
    if (check_unreferenced(scenario, section, index, path, error) != STATUS_OK)
        return STATUS_INVALID;
    section_erase(scenario, section, index);
    renumber_references(scenario, section, index, -1);
    return STATUS_OK;
}

void scenario_reset_component(struct scenario *scenario, int component)
{
    static const enum knob_id ids[] = {
        KNOB_COMPONENT_SHARE,
        KNOB_COMPONENT_WORKERS,
        KNOB_COMPONENT_THREAD,
        KNOB_COMPONENT_COMPUTE_EFFICIENCY,
        KNOB_COMPONENT_MEMORY_EFFICIENCY,
        KNOB_COMPONENT_BLOCK,
        KNOB_COMPONENT_CHAINS,
    };

    for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++)
        if (knob_applies(scenario, SECTION_COMPONENT, component, &knobs[ids[k]]))
            knob_reset(scenario, knob_ref_to(ids[k], component));
}
