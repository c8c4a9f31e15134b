#include "design/scenario.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/nearest.h"
#include "design/pattern.h"

_Static_assert(PATTERN_PACKETS_MAX == PACKETS_MAX, "a pattern has the packets of a sensor");

struct section_row {
    const char *name;
    int max;
    size_t offset; /* offset of the first instance in struct scenario */
    size_t size;
    size_t count_offset; /* offset of the int that counts instances; 0: always one */
};

/* clang-format off */
static const struct section_row sections[SECTION_COUNT] = {
    [SECTION_SCENARIO] = {.name = "scenario", .max = 1,
                          .offset = offsetof(struct scenario, general),
                          .size = sizeof(struct general)},
    [SECTION_AO] = {.name = "ao", .max = 1,
                    .offset = offsetof(struct scenario, ao), .size = sizeof(struct ao)},
    [SECTION_ATMOSPHERE] = {.name = "atmosphere", .max = 1,
                            .offset = offsetof(struct scenario, atmosphere),
                            .size = sizeof(struct atmosphere)},
    [SECTION_TELEMETRY] = {.name = "telemetry", .max = 1,
                           .offset = offsetof(struct scenario, telemetry),
                           .size = sizeof(struct telemetry)},
    [SECTION_UPDATE] = {.name = "update", .max = 1,
                        .offset = offsetof(struct scenario, update),
                        .size = sizeof(struct update)},
    [SECTION_CALIBRATION] = {.name = "calibration", .max = 1,
                             .offset = offsetof(struct scenario, calibration),
                             .size = sizeof(struct calibration)},
    [SECTION_WFS] = {.name = "wfs", .max = WFS_MAX,
                     .offset = offsetof(struct scenario, wfs), .size = sizeof(struct wfs),
                     .count_offset = offsetof(struct scenario, wfs_count)},
    [SECTION_DEVICE] = {.name = "device", .max = DEVICE_MAX,
                        .offset = offsetof(struct scenario, device), .size = sizeof(struct device),
                        .count_offset = offsetof(struct scenario, device_count)},
    [SECTION_COMPONENT] = {.name = "component", .max = COMPONENT_MAX,
                           .offset = offsetof(struct scenario, component),
                           .size = sizeof(struct component),
                           .count_offset = offsetof(struct scenario, component_count)},
};
/* clang-format on */

bool name_is_good(const char *name)
{
    size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

    return good > 0 && name[good] == '\0' && good <= NAME_MAX_LENGTH;
}

void scenario_copy(struct scenario *to, const struct scenario *from)
{
    memcpy(to, from, offsetof(struct scenario, wfs));
    memcpy(to->wfs, from->wfs, sizeof from->wfs[0] * (size_t)from->wfs_count);
    memcpy(to->device, from->device, sizeof from->device[0] * (size_t)from->device_count);
    memcpy(to->component, from->component,
           sizeof from->component[0] * (size_t)from->component_count);
}

/* Sections ------------------------------------------------------------------------------------- */

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

enum section section_named(const char *name)
{
    enum section section = SECTION_SCENARIO;

    while (section < SECTION_COUNT && strcmp(sections[section].name, name) != 0)
        section++;
    return section;
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

void section_copy(struct scenario *to, const struct scenario *from, enum section section, int index)
{
    memcpy(section_head(to, section, index), section_head_const(from, section, index),
           sections[section].size);
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

enum status section_missing(const struct scenario *scenario, enum section section, const char *name,
                            struct error *error)
{
    const char *kind = section_name(section);
    struct nearest nearest = nearest_to(name);
    char names[120];
    struct buffer list = buffer_over(names, sizeof names);
    int count = section_count(scenario, section);

    for (int i = 0; i < count; i++) {
        nearest_offer(&nearest, section_head_const(scenario, section, i)->name);
        buffer_item(&list, section_head_const(scenario, section, i)->name);
    }
    if (name[0] == '\0')
        return error_set(error, STATUS_INVALID, "the name of a %s is missing; allowed: %s", kind,
                         count == 0 ? "there is none" : names);
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "unknown %s \"%s\"; did you mean %s?", kind, name,
                         nearest.best);
    if (count == 0)
        return error_set(error, STATUS_INVALID, "unknown %s \"%s\"; there is none", kind, name);
    return error_set(error, STATUS_INVALID, "unknown %s \"%s\"; allowed: %s", kind, name, names);
}

void section_insert(struct scenario *scenario, enum section section, int at)
{
    size_t size = sections[section].size;
    char *head = (char *)section_head(scenario, section, at);

    memmove(head + size, head, size * (size_t)(section_count(scenario, section) - at));
    memset(head, 0, size);
    (*count_field(scenario, section))++;
}

void section_erase(struct scenario *scenario, enum section section, int index)
{
    size_t size = sections[section].size;
    char *head = (char *)section_head(scenario, section, index);
    int behind = section_count(scenario, section) - index - 1;

    memmove(head, head + size, size * (size_t)behind);
    (*count_field(scenario, section))--;
}

/* References ----------------------------------------------------------------------------------- */

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

bool scenario_feeds(const struct scenario *scenario, int component, int device)
{
    for (int c = 0; c < scenario->component_count; c++)
        if ((scenario_predecessors(scenario, c) >> component & 1) != 0 &&
            scenario_runs_on(scenario, c, device))
            return true;
    return false;
}

bool scenario_feeds_host(const struct scenario *scenario, int component, int host)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_host(scenario, d) == host && scenario_feeds(scenario, component, d))
            return true;
    return false;
}

double device_parts(const struct device *device)
{
    return device->kind == DEVICE_CPU ? device->sockets : device->count;
}

double device_power(const struct device *device)
{
    return device_parts(device) * device->tdp;
}

struct power scenario_power(const struct scenario *scenario)
{
    struct power power = {0, 0};

    for (int d = 0; d < scenario->device_count; d++) {
        power.watts += device_power(&scenario->device[d]);
        power.unstated += scenario->device[d].tdp > 0 ? 0 : scenario->device[d].count;
    }
    return power;
}

struct total_price scenario_price(const struct scenario *scenario)
{
    struct total_price price = {0, 0};

    for (int d = 0; d < scenario->device_count; d++) {
        const struct device *device = &scenario->device[d];

        price.stated += device_parts(device) * device->price;
        price.unstated += device->price > 0 ? 0 : device->count;
    }
    return price;
}

bool scenario_device_used(const struct scenario *scenario, int device)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario_runs_on(scenario, c, device))
            return true;
    return false;
}

int scenario_device(const struct scenario *scenario, int component)
{
    return devices_first(scenario_devices(scenario, component));
}

int scenario_wfs_owner(const struct scenario *scenario, int component)
{
    int at = component;

    /* limit the steps: `after` may contain a cycle here */
    for (int step = 0; step < COMPONENT_MAX; step++) {
        uint64_t before;

        if (scenario->component[at].wfs != REFERENCE_AUTO)
            return at;
        before = scenario_predecessors(scenario, at);
        if (before == 0)
            break;
        at = 0;
        while ((before >> at & 1) == 0)
            at++;
    }
    return -1;
}

double scenario_actuators(const struct scenario *scenario, int dm)
{
    double stated = scenario->component[dm].actuators;

    return stated > 0 ? stated : scenario->ao.actuators;
}

int scenario_wfs(const struct scenario *scenario, int component)
{
    int owner = scenario_wfs_owner(scenario, component);

    if (owner >= 0)
        return scenario->component[owner].wfs;
    return scenario->wfs_count > 0 ? 0 : REFERENCE_AUTO;
}

int scenario_host(const struct scenario *scenario, int device)
{
    const struct device *d = &scenario->device[device];

    if (d->kind == DEVICE_CPU)
        return device;
    if (d->host != REFERENCE_AUTO)
        return d->host;
    for (int i = 0; i < scenario->device_count && d->kind == DEVICE_GPU; i++)
        if (scenario->device[i].kind == DEVICE_CPU)
            return i;
    return device;
}

int scenario_sharing_board(const struct scenario *scenario, int host)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind != DEVICE_CPU &&
            scenario->device[d].host_link == HOST_LINK_UNIFIED && d != host &&
            scenario_host(scenario, d) == host)
            return d;
    return -1;
}

enum sharing scenario_sharing(const struct scenario *scenario, int device)
{
    if (scenario->general.sharing != CHOICE_AUTO)
        return (enum sharing)scenario->general.sharing;
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];

        if ((c->workers > 0 || c->share > 0 || c->thread[0] != '\0') &&
            scenario_runs_on(scenario, i, device))
            return SHARING_PARTITION;
    }
    return SHARING_EXCLUSIVE;
}

bool scenario_has_lock(const struct device *device)
{
    return device->kind == DEVICE_CPU && device->framework == FRAMEWORK_INTERPRETER &&
           device->dispatch != DISPATCH_SPIN;
}

/* Returns the workers of a component that states them, or that one thread runs; else 0. */
static double team_size(const struct component *c)
{
    return c->workers > 0 ? c->workers : c->thread[0] != '\0';
}

int scenario_thread(const struct scenario *scenario, int component, int device)
{
    const struct component *c = &scenario->component[component];
    bool lock = scenario_has_lock(&scenario->device[device]);
    int most = -1;

    if (scenario->device[device].kind != DEVICE_CPU || (c->thread[0] == '\0' && !lock))
        return -1;
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *other = &scenario->component[i];

        if (strcmp(lock ? other->process : other->thread, lock ? c->process : c->thread) == 0 &&
            scenario_runs_on(scenario, i, device) &&
            (most < 0 || team_size(other) > team_size(&scenario->component[most])))
            most = i;
    }
    return most;
}

double scenario_workers(const struct scenario *scenario, int component, int device)
{
    const struct component *c = &scenario->component[component];
    int thread = -1;

    if (c->workers == 0 && c->thread[0] != '\0')
        thread = scenario_thread(scenario, component, device);
    return thread < 0 ? c->workers : team_size(&scenario->component[thread]);
}

double scenario_taken_cores(const struct scenario *scenario, int component, int device)
{
    int thread = scenario_thread(scenario, component, device);

    return thread < 0 || thread == component ? team_size(&scenario->component[component]) : 0;
}

enum sharing scenario_common_sharing(const struct scenario *scenario)
{
    bool divided = false;
    bool whole = false;

    if (scenario->general.sharing != CHOICE_AUTO)
        return (enum sharing)scenario->general.sharing;
    for (int d = 0; d < scenario->device_count; d++) {
        if (!scenario_device_used(scenario, d))
            continue;
        divided = divided || scenario_sharing(scenario, d) == SHARING_PARTITION;
        whole = whole || scenario_sharing(scenario, d) == SHARING_EXCLUSIVE;
    }
    if (divided)
        return whole ? SHARING_MIXED : SHARING_PARTITION;
    return SHARING_EXCLUSIVE;
}

int scenario_sensor_packets(const struct scenario *scenario, int wfs)
{
    const struct pattern *map = scenario->wfs[wfs].readout_map.pattern;
    const struct pattern *agenda = scenario->wfs[wfs].agenda.pattern;
    double own = scenario->wfs[wfs].packets;

    if (map != NULL && map->packets > 0)
        return map->packets;
    if (agenda != NULL)
        return agenda->packets;
    return (int)(own > 0 ? own : scenario->general.packets);
}

int scenario_slots(const struct scenario *scenario)
{
    int most = scenario->wfs_count > 0 ? 1 : (int)scenario->general.packets;

    for (int i = 0; i < scenario->wfs_count; i++) {
        int packets = scenario_sensor_packets(scenario, i);

        most = packets > most ? packets : most;
    }
    return most;
}

void scenario_packets_text(const struct scenario *scenario, char text[PACKETS_TEXT_MAX])
{
    int most = scenario_slots(scenario), least = most;

    for (int w = 0; w < scenario->wfs_count; w++) {
        int packets = scenario_sensor_packets(scenario, w);

        least = packets < least ? packets : least;
    }
    if (least < most)
        snprintf(text, PACKETS_TEXT_MAX, "%d to %d packets", least, most);
    else
        snprintf(text, PACKETS_TEXT_MAX, "%d packet%s", most, most == 1 ? "" : "s");
}
