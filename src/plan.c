#include "plan.h"

#include <stdio.h>
#include <string.h>

#include "plan_build.h"
#include "workload.h"

/* What the structure depends on ---------------------------------------------------------------- */

/* As numbers: names are compared in every evaluation, and a call for each costs more than that. */
static bool name_differs(const char a[NAME_MAX_LENGTH + 1], const char b[NAME_MAX_LENGTH + 1])
{
    uint64_t x[(NAME_MAX_LENGTH + 1) / 8];
    uint64_t y[(NAME_MAX_LENGTH + 1) / 8];
    uint64_t difference = 0;

    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        difference |= x[i] ^ y[i];
    return difference != 0;
}

static bool component_differs(const struct plan_component *a, const struct component *b)
{
    return a->type != b->type || a->link != b->link || a->stated_wfs != b->wfs ||
           a->stated_devices != b->devices || a->split != b->split ||
           a->stated_after.members != b->after.members ||
           a->stated_after.stated != b->after.stated || name_differs(a->name, b->head.name);
}

static bool device_differs(const struct plan_device *a, const struct device *b)
{
    return a->kind != b->kind || a->stated_host != b->host || a->host_link != b->host_link ||
           name_differs(a->name, b->head.name);
}

static bool structure_differs(const struct plan *plan, const struct scenario *scenario)
{
    if (plan->wfs_count != scenario->wfs_count || plan->device_count != scenario->device_count ||
        plan->component_count != scenario->component_count)
        return true;
    for (int i = 0; i < scenario->wfs_count; i++)
        if (plan->wfs_kind[i] != scenario->wfs[i].kind)
            return true;
    for (int i = 0; i < scenario->component_count; i++)
        if (component_differs(&plan->component[i], &scenario->component[i]))
            return true;
    for (int i = 0; i < scenario->device_count; i++)
        if (device_differs(&plan->device[i], &scenario->device[i]))
            return true;
    return false;
}

static void read_structure(struct plan *plan, const struct scenario *scenario)
{
    plan->wfs_count = scenario->wfs_count;
    plan->device_count = scenario->device_count;
    plan->component_count = scenario->component_count;
    plan->divides = false;
    for (int i = 0; i < scenario->wfs_count; i++)
        plan->wfs_kind[i] = scenario->wfs[i].kind;
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];
        struct plan_component *to = &plan->component[i];

        memcpy(to->name, c->head.name, sizeof to->name);
        to->type = c->type;
        to->link = c->link;
        to->stated_wfs = c->wfs;
        to->stated_devices = c->devices;
        to->split = c->split;
        to->stated_after = c->after;
        to->wfs = scenario_wfs(scenario, i);
        to->device = scenario_device(scenario, i);
        to->devices = scenario_devices(scenario, i);
        to->before = scenario_predecessors(scenario, i);
        plan->divides |= devices_count(to->devices) > 1;
    }
    for (int i = 0; i < scenario->device_count; i++) {
        const struct device *d = &scenario->device[i];
        struct plan_device *to = &plan->device[i];

        memcpy(to->name, d->head.name, sizeof to->name);
        to->kind = d->kind;
        to->host_link = d->host_link;
        to->stated_host = d->host;
        to->host = scenario_host(scenario, i);
    }
}

/* Checks --------------------------------------------------------------------------------------- */

static enum status check_device(const struct plan *plan, const struct scenario *scenario,
                                struct error *error)
{
    for (int i = 0; i < plan->device_count; i++) {
        int host = plan->device[i].host;

        if (plan->device[i].kind == DEVICE_GPU && (host != i || plan->device[i].stated_host == i) &&
            plan->device[host].kind != DEVICE_CPU)
            return error_set(error, STATUS_INVALID, "device.%s.host: %s is a gpu; a host is a cpu",
                             scenario->device[i].head.name, scenario->device[host].head.name);
    }
    return STATUS_OK;
}

static enum status check_component(const struct plan *plan, const struct scenario *scenario, int i,
                                   struct error *error)
{
    const struct plan_component *c = &plan->component[i];
    bool pyramid;

    if (component_type_computes((enum component_type)c->type) && c->device < 0)
        return error_set(error, STATUS_INVALID,
                         "component.%s.device: there is no device to run on; add one", c->name);
    if (c->type != COMPONENT_CAMERA && c->type != COMPONENT_CALIBRATION &&
        c->type != COMPONENT_DESCRAMBLE && c->type != COMPONENT_CENTROID &&
        c->type != COMPONENT_PYRAMID)
        return STATUS_OK;
    if (c->wfs < 0)
        return error_set(error, STATUS_INVALID,
                         "component.%s.wfs: there is no sensor to work for; add one", c->name);
    pyramid = plan->wfs_kind[c->wfs] == WFS_PYRAMID;
    if (c->type == (pyramid ? COMPONENT_CENTROID : COMPONENT_PYRAMID))
        return error_set(error, STATUS_INVALID,
                         "component.%s.type: %s does not go with wfs.%s, which is a %s sensor",
                         c->name, pyramid ? "centroid" : "pyramid", scenario->wfs[c->wfs].head.name,
                         pyramid ? "pyramid" : "shack-hartmann");
    return STATUS_OK;
}

/* What is divided so that every device makes a part of each output needs somebody to add those. */
static enum status check_split(const struct plan *plan, const struct scenario *scenario, int i,
                               struct error *error)
{
    const struct plan_component *c = &plan->component[i];
    const struct algorithm *algorithm;
    const char *way = c->split == SPLIT_ROWS ? "rows" : "columns";
    const char *advice = "put a control behind it";
    bool followed = false;

    if (devices_count(c->devices) < 2)
        return STATUS_OK;
    algorithm = algorithm_row(scenario, i);
    if (algorithm->division == DIVISION_NONE)
        return error_set(error, STATUS_INVALID,
                         "component.%s.device: %s runs on one device; name one, or use mvm",
                         c->name, algorithm->name);
    if (c->split == SPLIT_ROWS && algorithm->division == DIVISION_MATRIX)
        return STATUS_OK;
    if (algorithm->division == DIVISION_MATRIX)
        advice = "use rows, or put a control behind it";
    for (int j = 0; j < plan->component_count; j++) {
        if ((plan->component[j].before >> i & 1) == 0)
            continue;
        followed = true;
        if (!component_type_computes((enum component_type)plan->component[j].type))
            return error_set(error, STATUS_INVALID,
                             "component.%s.split: %s of %s make a part of every command on each "
                             "device, and %s cannot add them up; %s",
                             c->name, way, algorithm->name, plan->component[j].name, advice);
    }
    if (followed)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "component.%s.split: %s of %s make a part of every command on each device, "
                     "and nothing adds them up; %s",
                     c->name, way, algorithm->name, advice);
}

/* Order ---------------------------------------------------------------------------------------- */

/* Those that wait for one another: a predecessor of each is among them. */
static enum status name_cycle(const struct plan *plan, uint64_t left, struct error *error)
{
    char names[300] = "";
    int at = 0;
    uint64_t seen = 0;

    while ((left >> at & 1) == 0)
        at++;
    while ((seen >> at & 1) == 0) {
        uint64_t before = plan->component[at].before & left;

        seen |= UINT64_C(1) << at;
        for (at = 0; (before >> at & 1) == 0;)
            at++;
    }
    for (int start = at, first = 1; first || at != start; first = 0) {
        uint64_t before = plan->component[at].before & left;
        size_t used = strlen(names);

        snprintf(names + used, sizeof names - used, "%s after ", plan->component[at].name);
        for (at = 0; (before >> at & 1) == 0;)
            at++;
    }
    return error_set(error, STATUS_INVALID, "component.%s.after: a cycle, %s%s",
                     plan->component[at].name, names, plan->component[at].name);
}

/* Components so that predecessors come first, otherwise as in the file. */
static enum status sort(const struct plan *plan, int *order, struct error *error)
{
    uint64_t left =
        plan->component_count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << plan->component_count) - 1;
    int placed = 0;

    while (left != 0) {
        int i = 0;

        while (i < plan->component_count &&
               ((left >> i & 1) == 0 || (plan->component[i].before & left) != 0))
            i++;
        if (i == plan->component_count)
            return name_cycle(plan, left, error);
        order[placed++] = i;
        left &= ~(UINT64_C(1) << i);
    }
    return STATUS_OK;
}

enum status plan_update(struct plan *plan, const struct scenario *scenario, bool *rebuilt,
                        struct error *error)
{
    int order[COMPONENT_MAX];

    if (structure_differs(plan, scenario)) {
        plan->valid = false;
        read_structure(plan, scenario);
    }
    if (plan->valid && !plan->divides)
        return STATUS_OK;
    if (!plan->valid && check_device(plan, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    /* which algorithms can be split is no matter of structure */
    for (int i = 0; i < plan->component_count; i++)
        if ((!plan->valid && check_component(plan, scenario, i, error) != STATUS_OK) ||
            check_split(plan, scenario, i, error) != STATUS_OK)
            return STATUS_INVALID;
    if (plan->valid)
        return STATUS_OK;
    if (sort(plan, order, error) != STATUS_OK)
        return STATUS_INVALID;
    if (plan_build(plan, order, error) != STATUS_OK)
        return STATUS_INVALID;
    plan->valid = true;
    *rebuilt = true;
    return STATUS_OK;
}

void plan_queue_name(const struct scenario *scenario, int queue, char *text, size_t size)
{
    static const char *const ends[] = {"pcie.in", "pcie.out", "nic.in", "nic.out"};

    snprintf(text, size, "%s.%s", scenario->device[queue / 4].head.name, ends[queue % 4]);
}
