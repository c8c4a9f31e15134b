#include "design/scenario.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "design/algorithm.h"
#include "design/knob.h"

struct section_row {
    const char *name;
    size_t offset; /* of the first instance in struct scenario */
    size_t size;
    int max;
    size_t count_offset; /* of the int that counts instances; 0: always one */
};

static const struct section_row sections[SECTION_COUNT] = {
    [SECTION_SCENARIO] = {"scenario", offsetof(struct scenario, general), sizeof(struct general), 1,
                          0},
    [SECTION_AO] = {"ao", offsetof(struct scenario, ao), sizeof(struct ao), 1, 0},
    [SECTION_ATMOSPHERE] = {"atmosphere", offsetof(struct scenario, atmosphere),
                            sizeof(struct atmosphere), 1, 0},
    [SECTION_WFS] = {"wfs", offsetof(struct scenario, wfs), sizeof(struct wfs), WFS_MAX,
                     offsetof(struct scenario, wfs_count)},
    [SECTION_DEVICE] = {"device", offsetof(struct scenario, device), sizeof(struct device),
                        DEVICE_MAX, offsetof(struct scenario, device_count)},
    [SECTION_COMPONENT] = {"component", offsetof(struct scenario, component),
                           sizeof(struct component), COMPONENT_MAX,
                           offsetof(struct scenario, component_count)},
};

static int *count_field(struct scenario *scenario, enum section section)
{
    return (int *)(void *)((char *)scenario + sections[section].count_offset);
}

int section_count(const struct scenario *scenario, enum section section)
{
    if (sections[section].count_offset == 0)
        return 1;
    return *(const int *)(const void *)((const char *)scenario + sections[section].count_offset);
}

int section_max(enum section section)
{
    return sections[section].max;
}

const char *section_name(enum section section)
{
    return sections[section].name;
}

struct section_head *section_head(struct scenario *scenario, enum section section, int index)
{
    const struct section_row *row = &sections[section];

    return (struct section_head *)(void *)((char *)scenario + row->offset +
                                           row->size * (size_t)index);
}

const struct section_head *section_head_const(const struct scenario *scenario, enum section section,
                                              int index)
{
    const struct section_row *row = &sections[section];

    return (const struct section_head *)(const void *)((const char *)scenario + row->offset +
                                                       row->size * (size_t)index);
}

void section_path(const struct scenario *scenario, enum section section, int index, char *text,
                  size_t size)
{
    const char *name = section_head_const(scenario, section, index)->name;

    snprintf(text, size, "%s%s%s", sections[section].name, name[0] == '\0' ? "" : ".", name);
}

int section_find(const struct scenario *scenario, enum section section, const char *name)
{
    int count = section_count(scenario, section);

    for (int i = 0; i < count; i++)
        if (strcmp(section_head_const(scenario, section, i)->name, name) == 0)
            return i;
    return -1;
}

/* "rtc, gpu0": those of a section, as many as have room. */
static void list_names(const struct scenario *scenario, enum section section, char *text,
                       size_t size)
{
    int count = section_count(scenario, section);
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *name = section_head_const(scenario, section, i)->name;

        if (used + strlen(name) + 8 > size) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

enum status section_missing(const struct scenario *scenario, enum section section, const char *name,
                            struct error *error)
{
    struct nearest nearest = nearest_to(name);
    char names[120];
    int count = section_count(scenario, section);

    for (int i = 0; i < count; i++)
        nearest_offer(&nearest, section_head_const(scenario, section, i)->name);
    if (nearest.best[0] == '\0' && count == 0)
        return error_set(error, STATUS_INVALID, "there is no %s.%s, nor another %s",
                         section_name(section), name, section_name(section));
    if (nearest.best[0] == '\0') {
        list_names(scenario, section, names, sizeof names);
        return error_set(error, STATUS_INVALID, "there is no %s.%s; there %s %s",
                         section_name(section), name, count == 1 ? "is" : "are", names);
    }
    return error_set(error, STATUS_INVALID, "there is no %s.%s; did you mean %s?",
                     section_name(section), name, nearest.best);
}

enum status section_name_check(const char *name, struct error *error)
{
    size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

    if (good == 0 || name[good] != '\0' || good > NAME_MAX_LENGTH)
        return error_set(error, STATUS_INVALID,
                         "\"%.40s\" is not a name; a name is 1 to %d of a-z 0-9 - _", name,
                         NAME_MAX_LENGTH);
    if (strcmp(name, "none") == 0 || strcmp(name, "auto") == 0)
        return error_set(error, STATUS_INVALID, "\"%s\" is a word of its own, not a name", name);
    return STATUS_OK;
}

void scenario_init(struct scenario *scenario)
{
    memset(scenario, 0, sizeof *scenario);
    section_refresh(scenario, SECTION_SCENARIO, 0);
    section_refresh(scenario, SECTION_AO, 0);
    section_refresh(scenario, SECTION_ATMOSPHERE, 0);
}

void scenario_copy(struct scenario *to, const struct scenario *from)
{
    memcpy(to, from, offsetof(struct scenario, wfs));
    memcpy(to->wfs, from->wfs, sizeof from->wfs[0] * (size_t)from->wfs_count);
    memcpy(to->device, from->device, sizeof from->device[0] * (size_t)from->device_count);
    memcpy(to->component, from->component,
           sizeof from->component[0] * (size_t)from->component_count);
}

static int renumbered(int reference, int at, int by)
{
    return reference >= at ? reference + by : reference;
}

static uint64_t renumbered_set(uint64_t set, int at, int by)
{
    uint64_t below = set & ((UINT64_C(1) << at) - 1);
    uint64_t above = set & ~((UINT64_C(1) << at) - 1);

    return below | (by > 0 ? above << 1 : above >> 1);
}

/* After an instance came (by = 1) or went (by = -1) before what is now number `at`. */
static void renumber(struct scenario *scenario, enum section section, int at, int by)
{
    for (int i = 0; i < scenario->component_count; i++) {
        struct component *component = &scenario->component[i];

        if (section == SECTION_WFS)
            component->wfs = renumbered(component->wfs, at, by);
        if (section == SECTION_DEVICE)
            component->devices = (uint32_t)renumbered_set(component->devices, at, by);
        if (section == SECTION_COMPONENT)
            component->after.members = renumbered_set(component->after.members, at, by);
    }
    for (int i = 0; i < scenario->device_count && section == SECTION_DEVICE; i++)
        scenario->device[i].host = renumbered(scenario->device[i].host, at, by);
}

enum status scenario_insert(struct scenario *scenario, enum section section, int at,
                            const char *name, struct error *error)
{
    const struct section_row *row = &sections[section];
    int count = section_count(scenario, section);
    struct section_head *head;

    if (section_name_check(name, error) != STATUS_OK)
        return STATUS_INVALID;
    if (section_find(scenario, section, name) >= 0)
        return error_set(error, STATUS_INVALID, "there is a %s.%s already", row->name, name);
    if (count >= row->max)
        return error_set(error, STATUS_INVALID, "there are %d %ss already, the most there may be",
                         count, section == SECTION_WFS ? "sensor" : row->name);
    head = section_head(scenario, section, at);
    memmove((char *)head + row->size, head, row->size * (size_t)(count - at));
    memset(head, 0, row->size);
    (*count_field(scenario, section))++;
    renumber(scenario, section, at, 1);
    snprintf(head->name, sizeof head->name, "%s", name);
    section_refresh(scenario, section, at);
    return STATUS_OK;
}

/* Those who state a reference to an instance: the names of the first few, and how many they are. */
struct referrers {
    char names[4][NAME_MAX_LENGTH + 16];
    int count;
};

static void add_referrer(struct referrers *referrers, const struct scenario *scenario,
                         enum section section, int index)
{
    int at = referrers->count++;

    if (at < (int)(sizeof referrers->names / sizeof referrers->names[0]))
        section_path(scenario, section, index, referrers->names[at], sizeof referrers->names[at]);
}

static struct referrers find_referrers(const struct scenario *scenario, enum section section,
                                       int index)
{
    struct referrers referrers = {.count = 0};

    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];

        if ((section == SECTION_WFS && c->wfs == index) ||
            (section == SECTION_DEVICE && (c->devices >> index & 1) != 0) ||
            (section == SECTION_COMPONENT && (c->after.members >> index & 1) != 0))
            add_referrer(&referrers, scenario, SECTION_COMPONENT, i);
    }
    for (int i = 0; i < scenario->device_count && section == SECTION_DEVICE; i++)
        if (i != index && scenario->device[i].host == index)
            add_referrer(&referrers, scenario, SECTION_DEVICE, i);
    return referrers;
}

/* "component.a, component.b and component.c name it"; of many the first four. */
static void print_referrers(const struct referrers *referrers, char *text, size_t size)
{
    int most = (int)(sizeof referrers->names / sizeof referrers->names[0]);
    int shown = referrers->count < most ? referrers->count : most;
    size_t used = 0;

    for (int i = 0; i < shown && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0                      ? ""
                                 : i == referrers->count - 1 ? " and "
                                                             : ", ",
                                 referrers->names[i]);
    if (shown < referrers->count && used < size)
        used +=
            (size_t)snprintf(text + used, size - used, " and %d more", referrers->count - shown);
    if (used < size)
        snprintf(text + used, size - used, " name%s it", referrers->count == 1 ? "s" : "");
}

enum status scenario_remove(struct scenario *scenario, enum section section, int index,
                            struct error *error)
{
    const struct section_row *row = &sections[section];
    struct section_head *head = section_head(scenario, section, index);
    int count = section_count(scenario, section);
    struct referrers referrers;
    char who[300];
    char self[64];

    section_path(scenario, section, index, self, sizeof self);
    if (row->count_offset == 0)
        return error_set(error, STATUS_INVALID, "%s is part of every scenario", self);
    referrers = find_referrers(scenario, section, index);
    if (referrers.count > 0) {
        print_referrers(&referrers, who, sizeof who);
        return error_set(error, STATUS_INVALID, "%s cannot be removed: %s", self, who);
    }
    memmove(head, (char *)head + row->size, row->size * (size_t)(count - index - 1));
    (*count_field(scenario, section))--;
    renumber(scenario, section, index, -1);
    return STATUS_OK;
}

uint64_t scenario_predecessors(const struct scenario *scenario, int component)
{
    const struct component *c = &scenario->component[component];

    if (c->after.stated || c->type == COMPONENT_CAMERA || component == 0)
        return c->after.members;
    return UINT64_C(1) << (component - 1);
}

bool component_type_computes(enum component_type type)
{
    return type != COMPONENT_CAMERA && type != COMPONENT_TRANSFER && type != COMPONENT_DM;
}

int devices_first(uint32_t devices)
{
    for (int i = 0; i < DEVICE_MAX; i++)
        if ((devices >> i & 1) != 0)
            return i;
    return REFERENCE_AUTO;
}

uint32_t scenario_devices(const struct scenario *scenario, int component)
{
    const struct component *c = &scenario->component[component];

    if (!component_type_computes((enum component_type)c->type))
        return 0;
    return c->devices == 0 && scenario->device_count > 0 ? 1 : c->devices;
}

int scenario_device(const struct scenario *scenario, int component)
{
    return devices_first(scenario_devices(scenario, component));
}

int scenario_wfs(const struct scenario *scenario, int component)
{
    int at = component;

    /* at most as many steps as components: `after` may hold a cycle here */
    for (int step = 0; step < COMPONENT_MAX; step++) {
        uint64_t before;

        if (scenario->component[at].wfs != REFERENCE_AUTO)
            return scenario->component[at].wfs;
        before = scenario_predecessors(scenario, at);
        if (before == 0)
            break;
        at = 0;
        while ((before >> at & 1) == 0)
            at++;
    }
    return scenario->wfs_count > 0 ? 0 : REFERENCE_AUTO;
}

int scenario_host(const struct scenario *scenario, int device)
{
    const struct device *d = &scenario->device[device];

    if (d->kind == DEVICE_CPU)
        return device;
    if (d->host != REFERENCE_AUTO)
        return d->host;
    for (int i = 0; i < scenario->device_count; i++)
        if (scenario->device[i].kind == DEVICE_CPU)
            return i;
    return device;
}

int scenario_algorithm(const struct scenario *scenario, int component)
{
    const struct component *c = &scenario->component[component];

    if (c->algorithm != REFERENCE_AUTO)
        return c->algorithm;
    return algorithm_first((enum component_type)c->type);
}
