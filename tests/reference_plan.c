#include "reference_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/algorithm.h"

#define NODES 4096

/* Components ----------------------------------------------------------------------------------- */

static bool precedes(const struct scenario *scenario, int a, int b)
{
    return (scenario_predecessors(scenario, b) >> a & 1) != 0;
}

int reference_host(const struct scenario *scenario, int device)
{
    if (device < 0)
        return -1;
    if (scenario->device[device].kind == DEVICE_FPGA &&
        scenario->device[device].host == REFERENCE_AUTO)
        return device;
    return scenario_host(scenario, device);
}

int reference_part_count(const struct scenario *scenario, int component)
{
    uint32_t devices = scenario_devices(scenario, component);
    int count = 0;

    if (scenario->component[component].type != COMPONENT_RECONSTRUCTION ||
        algorithm_row(scenario, component)->division == DIVISION_NONE)
        return 1;
    for (int d = 0; d < scenario->device_count; d++)
        if ((devices >> d & 1) != 0)
            count += scenario->device[d].kind == DEVICE_GPU ? (int)scenario->device[d].count : 1;
    return count > 1 ? count : 1;
}

int reference_host_before(const struct scenario *scenario, int component)
{
    for (int a = 0; a < scenario->component_count; a++)
        if (precedes(scenario, a, component) && scenario_device(scenario, a) >= 0)
            return reference_host(scenario, scenario_device(scenario, a));
    return -1;
}

int reference_host_behind(const struct scenario *scenario, int component)
{
    for (int b = 0; b < scenario->component_count; b++)
        if (precedes(scenario, component, b) && scenario_device(scenario, b) >= 0)
            return reference_host(scenario, scenario_device(scenario, b));
    return -1;
}

bool reference_waits_for_frame(const struct scenario *scenario, int component)
{
    const struct component *c = &scenario->component[component];
    const struct algorithm *row = algorithm_row(scenario, component);

    if (c->type == COMPONENT_DM)
        return true;
    if (row == NULL)
        return false;
    if (c->type == COMPONENT_CUSTOM && c->agenda == AGENDA_FRAME)
        return true;
    if (c->type == COMPONENT_PROGRAM ||
        (c->type == COMPONENT_CONTROL && strcmp(row->name, "lqg") != 0))
        return true;
    if (scenario->general.processing == PROCESSING_FRAMES)
        return true;
    if (c->barrier >= 0)
        return c->barrier == BARRIER_FRAME;
    if (c->type == COMPONENT_PYRAMID)
        return c->normalisation == NORMALISATION_GLOBAL;
    return strcmp(row->name, "cg") == 0;
}

/* Nodes ---------------------------------------------------------------------------------------- */

static struct reference_node *add_node(struct reference_plan *plan)
{
    struct reference_node *node = &plan->node[plan->count++];

    if (plan->count > NODES) {
        fprintf(stderr, "too many nodes for the reference\n");
        exit(EXIT_FAILURE);
    }
    *node = (struct reference_node){.component = -1,
                                    .wfs = -1,
                                    .at = {-1, 0},
                                    .from = {-1, 0},
                                    .to = {-1, 0},
                                    .parts = 1,
                                    .producer = -1,
                                    .consumer = -1};
    return node;
}

static void add_before(struct reference_node *node, int before)
{
    node->before = realloc(node->before, ((size_t)node->before_count + 1) * sizeof *node->before);
    node->before[node->before_count++] = before;
}

/* Where a unit's data are: those of a board that shares its host's memory at the host. */
static struct reference_place memory_of(const struct scenario *scenario, struct reference_place at)
{
    if (at.device >= 0 && scenario->device[at.device].kind != DEVICE_CPU &&
        reference_host(scenario, at.device) != at.device &&
        scenario->device[at.device].host_link == HOST_LINK_UNIFIED)
        return (struct reference_place){reference_host(scenario, at.device), 0};
    return at;
}

static struct reference_place host_of(const struct scenario *scenario, struct reference_place at)
{
    return (struct reference_place){reference_host(scenario, at.device), 0};
}

static bool same_place(struct reference_place a, struct reference_place b)
{
    return a.device == b.device && a.unit == b.unit;
}

static bool is_board(const struct scenario *scenario, struct reference_place at)
{
    return reference_host(scenario, at.device) != at.device;
}

struct hop {
    enum reference_kind kind;
    struct reference_place from, to;
};

static bool is_unified(const struct scenario *scenario, struct reference_place at)
{
    return !same_place(memory_of(scenario, at), at);
}

/* Hops from place to place; returns how many. Two GPUs of a host are peers, unless both share its
 * memory. */
static int find_hops(const struct scenario *scenario, struct reference_place from,
                     struct reference_place to, struct hop hop[3])
{
    struct reference_place here = host_of(scenario, from);
    struct reference_place there = host_of(scenario, to);
    int count = 0;

    if (from.device < 0 || to.device < 0 || same_place(from, to))
        return 0;
    if (here.device == there.device && scenario->device[from.device].kind == DEVICE_GPU &&
        scenario->device[to.device].kind == DEVICE_GPU &&
        (from.device == to.device || (is_board(scenario, from) && is_board(scenario, to)))) {
        if (!is_unified(scenario, from) || !is_unified(scenario, to))
            hop[count++] = (struct hop){REFERENCE_PEER, from, to};
        return count;
    }
    from = memory_of(scenario, from);
    to = memory_of(scenario, to);
    if (is_board(scenario, from))
        hop[count++] = (struct hop){REFERENCE_COPY_OUT, from, here};
    if (here.device != there.device)
        hop[count++] = (struct hop){REFERENCE_NETWORK, here, there};
    if (is_board(scenario, to))
        hop[count++] = (struct hop){REFERENCE_COPY_IN, there, to};
    return count;
}

/* Of component `a` where node `n` of it makes them, and of component `c` where a part at `at`
 * wants them. */
static int hops_between(const struct scenario *scenario, const struct reference_node *n, int c,
                        struct reference_place at, struct hop hop[3])
{
    const struct component *from = &scenario->component[n->component];
    const struct component *to = &scenario->component[c];
    struct reference_place source = n->at;
    struct reference_place target = at;

    if (from->type == COMPONENT_CAMERA ||
        (from->type == COMPONENT_TRANSFER && from->link == LINK_NETWORK))
        source = host_of(scenario, target);
    if (to->type == COMPONENT_TRANSFER && to->link == LINK_NETWORK)
        target = host_of(scenario, source);
    if (to->type == COMPONENT_DM)
        target = (struct reference_place){
            reference_host(scenario, scenario_device(scenario, n->component)), 0};
    return find_hops(scenario, source, target, hop);
}

/* B that a node sends to a part of component `c`. */
static double payload(const struct scenario *scenario, const struct reference_node *n, int c)
{
    const struct component *to = &scenario->component[c];
    double commands = to->actuators > 0 ? to->actuators : scenario->ao.actuators;

    if (to->type == COMPONENT_DM)
        return commands * to->bits_per_actuator / 8 / n->parts;
    if (to->type == COMPONENT_RECONSTRUCTION && to->split == SPLIT_COLUMNS)
        return n->output / reference_part_count(scenario, c);
    return n->output;
}

/* Adds the transfers from node `n` to a part of component `c`; returns the node that it waits
 * for. */
static int connect(const struct scenario *scenario, struct reference_plan *plan, int n, int c,
                   struct reference_place at, const char *consumer)
{
    struct hop hop[3];
    int hops = hops_between(scenario, &plan->node[n], c, at, hop);
    double bytes = payload(scenario, &plan->node[n], c);
    char name[sizeof plan->node[n].name - sizeof ".2"];
    int before = n;

    snprintf(name, sizeof name, "%.80s>%.80s", plan->node[n].name, consumer);
    for (int h = 0; h < hops; h++) {
        struct reference_node *node = add_node(plan);

        snprintf(node->name, sizeof node->name, h == 0 ? "%s" : "%s.%d", name, h + 1);
        node->kind = hop[h].kind;
        node->type = COMPONENT_TRANSFER;
        node->from = hop[h].from;
        node->to = hop[h].to;
        node->wfs = plan->node[n].wfs;
        node->producer = n;
        node->consumer = c;
        node->output = bytes;
        add_before(node, before);
        before = plan->count - 1;
    }
    return before;
}

/* Place of a part, and its name. */
static struct reference_place place_part(const struct scenario *scenario, int component, int part,
                                         char *name, size_t size)
{
    const char *own = scenario->component[component].head.name;
    uint32_t devices = scenario_devices(scenario, component);
    struct reference_place at = {scenario_device(scenario, component), 0};

    snprintf(name, size, "%s", own);
    if (reference_part_count(scenario, component) == 1)
        return at;
    for (at.device = 0;; at.device++) {
        const struct device *d = &scenario->device[at.device];
        int units = d->kind == DEVICE_GPU ? (int)d->count : 1;

        if ((devices >> at.device & 1) == 0)
            continue;
        if (part >= units) {
            part -= units;
            continue;
        }
        at.unit = part;
        if (units > 1)
            snprintf(name, size, "%s@%s.%d", own, d->head.name, part + 1);
        else
            snprintf(name, size, "%s@%s", own, d->head.name);
        return at;
    }
}

/* A transfer that is stated joins hosts, or does as the one that would be inserted. */
static void place_transfer(const struct scenario *scenario, struct reference_node *node)
{
    const struct component *c = &scenario->component[node->component];
    struct reference_place from = {-1, 0};
    struct reference_place to = {-1, 0};
    struct hop hop[3];

    if (c->link == LINK_NETWORK) {
        node->kind = REFERENCE_NETWORK;
        node->from.device = reference_host_before(scenario, node->component);
        node->to.device = reference_host_behind(scenario, node->component);
        return;
    }
    for (int a = scenario->component_count - 1; a >= 0; a--) {
        if (precedes(scenario, a, node->component) && scenario_device(scenario, a) >= 0)
            from.device = scenario_device(scenario, a);
        if (precedes(scenario, node->component, a) && scenario_device(scenario, a) >= 0)
            to.device = scenario_device(scenario, a);
    }
    if (from.device < 0)
        from = host_of(scenario, to);
    if (to.device < 0)
        to = host_of(scenario, from);
    node->kind = REFERENCE_CARD;
    node->from = host_of(scenario, from);
    if (find_hops(scenario, from, to, hop) == 1 && hop[0].kind != REFERENCE_NETWORK) {
        node->kind = hop[0].kind;
        node->from = hop[0].from;
        node->to = hop[0].to;
    }
}

static void place_mirror(const struct scenario *scenario, struct reference_node *node)
{
    const struct component *c = &scenario->component[node->component];

    node->from.device = reference_host_before(scenario, node->component);
    node->kind = node->from.device < 0 || c->link == LINK_NONE ? REFERENCE_NOTHING
                 : c->link == LINK_NETWORK                     ? REFERENCE_NETWORK
                                                               : REFERENCE_CARD;
}

/* Measurements and output ---------------------------------------------------------------------- */

static double per_subap(const struct scenario *scenario, const struct reference_node *node)
{
    if (node->type == COMPONENT_CENTROID)
        return 2;
    return strcmp(algorithm_row(scenario, node->component)->name, "intensity") == 0 ? 4 : 2;
}

/* Measurements that arrive at a node. */
static double measurements(const struct reference_plan *plan, const struct reference_node *node)
{
    double sum = 0;

    for (int i = 0; i < node->before_count; i++)
        sum += plan->node[node->before[i]].slopes / plan->node[node->before[i]].parts;
    return sum;
}

static double input(const struct reference_plan *plan, const struct reference_node *node)
{
    double sum = 0;

    for (int i = 0; i < node->before_count; i++)
        sum += plan->node[node->before[i]].output;
    return sum;
}

/* The parts of one vector of sums count as one. */
static double added_input(const struct scenario *scenario, const struct reference_plan *plan,
                          const struct reference_node *node)
{
    double sum = 0;

    for (int i = 0; i < node->before_count; i++) {
        const struct reference_node *from = &plan->node[node->before[i]];

        while (from->component < 0)
            from = &plan->node[from->producer];
        if (from->parts > 1 &&
            (scenario->component[from->component].split == SPLIT_COLUMNS ||
             algorithm_row(scenario, from->component)->division == DIVISION_MODES))
            sum += from->output / from->parts;
        else
            sum += plan->node[node->before[i]].output;
    }
    return sum;
}

static double output_of(const struct scenario *scenario, const struct reference_plan *plan,
                        const struct reference_node *node)
{
    const struct component *c = &scenario->component[node->component];
    double e = precision_bytes((enum precision)c->precision);
    double rows = c->rows > 0              ? c->rows
                  : scenario->ao.modes > 0 ? scenario->ao.modes
                                           : scenario->ao.actuators;
    const char *name;

    switch (node->type) {
    case COMPONENT_CAMERA:
    case COMPONENT_DESCRAMBLE:
        return node->wfs < 0
                   ? 0
                   : plan->sensor[node->wfs].pixels * scenario->wfs[node->wfs].bit_depth / 8;
    case COMPONENT_CALIBRATION:
        return e * plan->sensor[node->wfs].pixels;
    case COMPONENT_CENTROID:
    case COMPONENT_PYRAMID:
        return e * per_subap(scenario, node) * plan->sensor[node->wfs].subaps;
    case COMPONENT_RECONSTRUCTION:
        name = algorithm_row(scenario, node->component)->name;
        if (strcmp(name, "mvm") == 0 || strcmp(name, "tlr") == 0 || strcmp(name, "sparse") == 0)
            return e * rows / (c->split == SPLIT_ROWS ? node->parts : 1);
        return e * scenario->ao.actuators;
    case COMPONENT_CONTROL:
        return e * scenario->ao.actuators;
    case COMPONENT_TRANSFER:
        return c->bytes > 0 ? c->bytes : input(plan, node);
    case COMPONENT_DM:
        return (c->actuators > 0 ? c->actuators : scenario->ao.actuators) * c->bits_per_actuator /
               8;
    case COMPONENT_PROGRAM:
        return added_input(scenario, plan, node);
    default:
        return c->bytes_written;
    }
}

/* Packets -------------------------------------------------------------------------------------- */

/* Behind a frame barrier. */
static bool any_at_end(const struct reference_plan *plan, const struct reference_node *node)
{
    for (int i = 0; i < node->before_count; i++)
        if (plan->node[node->before[i]].at_end)
            return true;
    return false;
}

static bool all_measured_at_end(const struct reference_plan *plan,
                                const struct reference_node *node)
{
    for (int i = 0; i < node->before_count; i++)
        if (plan->node[node->before[i]].slopes > 0 && !plan->node[node->before[i]].at_end)
            return false;
    return true;
}

/* Sum of S w over the sum of S; none where nothing is measured, or something that is not comes at
 * the end. */
static bool join_weights(const struct reference_plan *plan, struct reference_node *node)
{
    double sum = measurements(plan, node);

    for (int i = 0; i < node->before_count; i++)
        if (plan->node[node->before[i]].at_end && plan->node[node->before[i]].slopes == 0)
            return false;
    for (int i = 0; i < node->before_count && sum > 0; i++) {
        const struct reference_node *before = &plan->node[node->before[i]];
        double part = before->slopes / before->parts / sum;

        for (int k = 0; k < plan->packets && !before->at_end; k++)
            node->weight[k] += part * before->weight[k];
        if (before->at_end)
            node->weight[node->slots - 1] += part;
    }
    return sum > 0;
}

static void copy_weights(const struct reference_plan *plan, struct reference_node *node,
                         const double *weight)
{
    for (int k = 0; k < plan->packets; k++)
        node->weight[k] = weight[k];
}

static void set_weights(const struct scenario *scenario, const struct reference_plan *plan,
                        struct reference_node *node)
{
    const struct component *c = node->component < 0 ? NULL : &scenario->component[node->component];
    bool makes = node->type == COMPONENT_RECONSTRUCTION || node->type == COMPONENT_CONTROL;
    bool joins = makes || (node->type == COMPONENT_TRANSFER && node->before_count != 1) ||
                 (node->type == COMPONENT_CUSTOM && c->agenda == AGENDA_SLOPES);
    bool waits = c != NULL && reference_waits_for_frame(scenario, node->component);

    node->weight = calloc((size_t)plan->packets, sizeof *node->weight);
    node->at_end = waits || makes || any_at_end(plan, node);
    if (node->type == COMPONENT_CAMERA)
        copy_weights(plan, node, plan->sensor[node->wfs].pixel);
    else if (!waits && joins && join_weights(plan, node)) {
        /* what passes on measurements of some packets passes on those, whatever else comes late */
        node->at_end = makes || all_measured_at_end(plan, node);
        return;
    } else if (waits || any_at_end(plan, node) || node->wfs < 0)
        node->weight[node->slots - 1] = 1;
    else if (node->type == COMPONENT_TRANSFER && node->before_count > 0)
        copy_weights(plan, node, plan->node[node->before[0]].weight);
    else if (makes || node->type == COMPONENT_TRANSFER || node->type == COMPONENT_CENTROID ||
             node->type == COMPONENT_PYRAMID ||
             (node->type == COMPONENT_CUSTOM && c->agenda == AGENDA_SLOPES))
        copy_weights(plan, node, plan->sensor[node->wfs].element);
    else
        copy_weights(plan, node, plan->sensor[node->wfs].pixel);
}

/* Whether a centroid, pyramid or reconstruction comes behind a component. */
static bool is_measured(const struct scenario *scenario, int component)
{
    bool behind[COMPONENT_MAX] = {false};

    behind[component] = true;
    for (int round = 0; round < scenario->component_count; round++)
        for (int a = 0; a < scenario->component_count; a++)
            for (int b = 0; b < scenario->component_count; b++)
                behind[b] = behind[b] || (behind[a] && precedes(scenario, a, b));
    for (int b = 0; b < scenario->component_count; b++)
        if (behind[b] && (scenario->component[b].type == COMPONENT_CENTROID ||
                          scenario->component[b].type == COMPONENT_PYRAMID ||
                          scenario->component[b].type == COMPONENT_RECONSTRUCTION))
            return true;
    return false;
}

static int slots_of(const struct scenario *scenario, const struct reference_plan *plan,
                    const struct reference_node *node)
{
    int most = 0;

    if (node->type == COMPONENT_CAMERA)
        return node->wfs >= 0 && is_measured(scenario, node->component)
                   ? plan->sensor[node->wfs].last_useful + 1
                   : plan->packets;
    for (int i = 0; i < node->before_count; i++)
        if (plan->node[node->before[i]].slots > most)
            most = plan->node[node->before[i]].slots;
    return most > 0 ? most : plan->packets;
}

static bool senses(enum component_type type)
{
    return type == COMPONENT_CAMERA || type == COMPONENT_CALIBRATION ||
           type == COMPONENT_DESCRAMBLE || type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID;
}

static int divisor_of(const struct scenario *scenario, const struct reference_plan *plan,
                      const struct reference_node *node)
{
    int least = 0;

    if (node->wfs >= 0 && senses(node->type))
        return (int)scenario->wfs[node->wfs].rate_divisor;
    for (int i = 0; i < node->before_count; i++)
        if (least == 0 || plan->node[node->before[i]].divisor < least)
            least = plan->node[node->before[i]].divisor;
    return least > 0 ? least : 1;
}

static void finish_node(const struct scenario *scenario, struct reference_plan *plan,
                        struct reference_node *node)
{
    node->slots = slots_of(scenario, plan, node);
    node->divisor = divisor_of(scenario, plan, node);
    if (node->type == COMPONENT_CENTROID || node->type == COMPONENT_PYRAMID)
        node->slopes = per_subap(scenario, node) * plan->sensor[node->wfs].subaps;
    else if (!senses(node->type))
        node->slopes = node->component < 0
                           ? plan->node[node->producer].slopes / plan->node[node->producer].parts
                           : measurements(plan, node);
    if (node->component >= 0)
        node->output = output_of(scenario, plan, node);
    set_weights(scenario, plan, node);
}

/* Sensors -------------------------------------------------------------------------------------- */

static enum readout_order order_of(const struct scenario *scenario, int wfs)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CAMERA && scenario_wfs(scenario, c) == wfs)
            return (enum readout_order)scenario->component[c].order;
    return ORDER_RASTER;
}

/* By the agenda of the model, which tests/test_readout.c compares pixel by pixel. */
static void make_sensor(const struct scenario *scenario, int wfs, struct reference_plan *plan)
{
    const struct wfs *w = &scenario->wfs[wfs];
    struct reference_sensor *sensor = &plan->sensor[wfs];
    struct agenda_key key = agenda_key(w, order_of(scenario, wfs),
                                       scenario_sensor_packets(scenario, wfs), plan->packets);
    struct agenda agenda = {.valid = false};
    struct error error = {STATUS_OK, ""};
    size_t packets = (size_t)plan->packets;

    agenda.pixel = calloc(PACKETS_MAX, sizeof *agenda.pixel);
    agenda.element = calloc(PACKETS_MAX, sizeof *agenda.element);
    agenda.when = calloc(PACKETS_MAX, sizeof *agenda.when);
    sensor->pixel = calloc(packets, sizeof *sensor->pixel);
    sensor->element = calloc(packets, sizeof *sensor->element);
    sensor->pixels = (double)key.width * (double)key.height * w->count;
    sensor->across = w->subaps_across;
    if (agenda_update(&agenda, &key, w->head.name, &error) == STATUS_OK) {
        sensor->subaps = w->count * (w->valid_subaps > 0 ? w->valid_subaps : agenda.subaps);
        for (int k = 0; k < plan->packets; k++) {
            sensor->pixel[k] =
                agenda.pixels.slot == NULL ? k == plan->packets - 1 : agenda.pixels.slot[k];
            sensor->element[k] =
                agenda.elements.slot == NULL ? k == plan->packets - 1 : agenda.elements.slot[k];
            if (sensor->element[k] > 0)
                sensor->last_useful = k;
        }
    }
    free(agenda.pixel);
    free(agenda.element);
    free(agenda.when);
}

/* Plan ----------------------------------------------------------------------------------------- */

static void add_component(const struct scenario *scenario, struct reference_plan *plan, int c)
{
    int parts = reference_part_count(scenario, c);
    int first = plan->count;
    int *wait = malloc(NODES * sizeof *wait);
    int *waits = malloc(((size_t)parts + 1) * sizeof *waits);
    int count = 0;

    for (int part = 0; part < parts; part++) {
        char name[96];
        struct reference_place at = place_part(scenario, c, part, name, sizeof name);

        waits[part] = count;
        for (int a = 0; a < scenario->component_count; a++)
            for (int n = 0; n < first && precedes(scenario, a, c); n++)
                if (plan->node[n].component == a)
                    wait[count++] = connect(scenario, plan, n, c, at, name);
    }
    waits[parts] = count;
    for (int n = first; n < plan->count; n++)
        finish_node(scenario, plan, &plan->node[n]);
    for (int part = 0; part < parts; part++) {
        struct reference_node *node = add_node(plan);
        char name[96];

        node->at = place_part(scenario, c, part, name, sizeof name);
        snprintf(node->name, sizeof node->name, "%s", name);
        node->component = c;
        node->type = (enum component_type)scenario->component[c].type;
        node->kind = node->type == COMPONENT_CAMERA ? REFERENCE_CAMERA : REFERENCE_COMPUTE;
        node->wfs = scenario_wfs(scenario, c);
        node->part = part;
        node->parts = parts;
        if (node->type == COMPONENT_TRANSFER)
            place_transfer(scenario, node);
        if (node->type == COMPONENT_DM)
            place_mirror(scenario, node);
        for (int i = waits[part]; i < waits[part + 1]; i++)
            add_before(node, wait[i]);
        finish_node(scenario, plan, node);
    }
    free(waits);
    free(wait);
}

void reference_plan_make(const struct scenario *scenario, struct reference_plan *plan)
{
    bool done[COMPONENT_MAX] = {false};

    *plan = (struct reference_plan){.packets = scenario_slots(scenario)};
    plan->node = calloc(NODES, sizeof *plan->node);
    for (int w = 0; w < scenario->wfs_count; w++)
        make_sensor(scenario, w, plan);
    for (int round = 0; round < scenario->component_count; round++) {
        int next = -1;

        for (int c = scenario->component_count - 1; c >= 0; c--) {
            bool ready = !done[c];

            for (int a = 0; a < scenario->component_count; a++)
                ready = ready && (done[a] || !precedes(scenario, a, c));
            if (ready)
                next = c;
        }
        if (!CHECK_TRUE(next >= 0, "the design has a cycle"))
            return;
        done[next] = true;
        add_component(scenario, plan, next);
    }
}

void reference_plan_free(struct reference_plan *plan)
{
    for (int n = 0; n < plan->count; n++) {
        free(plan->node[n].before);
        free(plan->node[n].weight);
    }
    for (int w = 0; w < WFS_MAX; w++) {
        free(plan->sensor[w].pixel);
        free(plan->sensor[w].element);
    }
    free(plan->node);
}

bool reference_behind(const struct reference_plan *plan, int b, int a)
{
    bool *behind = calloc((size_t)plan->count, sizeof *behind);
    bool found;

    for (int n = 0; n < plan->count; n++)
        for (int i = 0; i < plan->node[n].before_count; i++)
            behind[n] =
                behind[n] || plan->node[n].before[i] == a || behind[plan->node[n].before[i]];
    found = behind[b];
    free(behind);
    return found;
}

int reference_sources(const struct reference_plan *plan, int node, int *out)
{
    for (int i = 0; i < plan->node[node].before_count; i++) {
        int before = plan->node[node].before[i];

        out[i] = plan->node[before].component < 0 ? plan->node[before].producer : before;
    }
    return plan->node[node].before_count;
}
