#include "model/flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/number.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "model/device.h"
#include "model/formulas.h"
#include "model/link.h"
#include "model/overhead.h"
#include "model/stage.h"

const char *flow_kind_name(enum flow_kind kind)
{
    static const char *const names[] = {
        [FLOW_PIXELS] = "pixels",     [FLOW_SLOPES] = "slopes",       [FLOW_VECTORS] = "vectors",
        [FLOW_COMMANDS] = "commands", [FLOW_TELEMETRY] = "telemetry", [FLOW_UPDATES] = "updates"};

    return names[kind];
}

/* Sums -------------------------------------------------------------------------------------------- */

/* What a link or a memory carries per second. */
struct carried {
    double bytes, background; /* B/s, all and those of the background */
    double time, background_time;
};

struct sums {
    const struct scenario *scenario;
    const struct workspace *work;
    struct carried queue[QUEUE_MAX];
    struct carried peer[DEVICE_MAX];   /* links between boards that use no queue, by sender */
    struct carried memory[UNIT_MAX];   /* `time` is not used */
    double size[UNIT_MAX];             /* B */
    double background_size[UNIT_MAX];  /* B of these for updates and telemetry */
    struct flow_result total;
};

static void carry(struct carried *carried, double bytes, double time, bool background)
{
    carried->bytes += bytes;
    carried->time += time;
    if (background) {
        carried->background += bytes;
        carried->background_time += time;
    }
}

static void carry_in_memory(struct sums *sums, int unit, double bytes, bool background)
{
    carry(&sums->memory[unit], bytes, 0, background);
}

static int first_unit(const struct sums *sums, int device)
{
    return sums->work->plan.device[device].first_unit;
}

static int host_of_device(const struct sums *sums, int device)
{
    return device < 0 ? FLOW_OUTSIDE : sums->work->plan.device[device].host;
}

static double node_rate(const struct sums *sums, int n)
{
    return sums->scenario->general.frame_rate / sums->work->stage[n].divisor;
}

static double port_rate(const struct device *host)
{
    return formula_ethernet_rate(formula_nic_rate(host));
}

/* Telemetry and updates --------------------------------------------------------------------------- */

/* Carries background data through a port, in full datagrams. */
static void carry_on_port(struct sums *sums, int host, enum queue_end end, double bytes)
{
    const struct device *device = &sums->scenario->device[host];
    struct wire wire = wire_ethernet(formula_nic_rate(device), device->mtu);
    double on_wire = bytes * (wire.payload + wire.header) / wire.payload;

    carry(&sums->queue[plan_queue(host, end)], on_wire, on_wire / wire.rate, true);
    carry_in_memory(sums, first_unit(sums, host), bytes, true);
}

/* Carries background data between a board and its host. */
static void carry_on_board_link(struct sums *sums, int board, int unit, enum queue_end end,
                                double bytes)
{
    struct wire wire = stage_board_wire(sums->scenario, &sums->work->plan, board);
    int host = host_of_device(sums, board);

    if (isinf(wire.rate))
        return; /* its memory is that of the host */
    carry(&sums->queue[plan_queue(host, end)], bytes, bytes / wire.rate, true);
    carry_in_memory(sums, first_unit(sums, host), bytes, true);
    carry_in_memory(sums, unit, bytes, true);
}

/* Carries B/s of the background from a device to a unit of another one; each may be FLOW_OUTSIDE. */
static void carry_background(struct sums *sums, int from, int to, int unit, double bytes)
{
    int sender = host_of_device(sums, from);
    int receiver = host_of_device(sums, to);

    if (from >= 0 && from != sender && from != to)
        carry_on_board_link(sums, from, first_unit(sums, from), QUEUE_FROM_BOARDS, bytes);
    if (sender != receiver && sender >= 0)
        carry_on_port(sums, sender, QUEUE_NETWORK_OUT, bytes);
    if (sender != receiver && receiver >= 0)
        carry_on_port(sums, receiver, QUEUE_NETWORK_IN, bytes);
    if (to >= 0 && to != receiver && from != to)
        carry_on_board_link(sums, to, unit, QUEUE_TO_BOARDS, bytes);
}

static int recording_host(const struct scenario *scenario)
{
    int device = scenario->telemetry.host;

    return device < 0 ? FLOW_OUTSIDE : scenario_host(scenario, device);
}

static int updating_host(const struct scenario *scenario)
{
    int device = scenario->update.host;

    return device < 0 ? FLOW_OUTSIDE : scenario_host(scenario, device);
}

/* Records a part of a stream that arises on a device, or outside: of a camera that feeds none. */
static void record_stream(struct sums *sums, double part, int from, double bytes)
{
    int host = recording_host(sums->scenario);
    int unit = host < 0 ? 0 : first_unit(sums, host);
    double buffered = sums->scenario->telemetry.buffer * part * bytes;

    if (part == 0)
        return;
    sums->total.recorded += part * bytes;
    carry_background(sums, from, host, unit, part * bytes);
    if (host < 0)
        return;
    if (from == host) /* no port or link has written it there */
        carry_in_memory(sums, unit, part * bytes, true);
    carry_in_memory(sums, unit, part * bytes, true); /* to the disk */
    sums->size[unit] += buffered;
    sums->background_size[unit] += buffered;
}

static bool is_updated(const struct sums *sums, int n)
{
    return sums->scenario->update.period > 0 && sums->work->stage[n].working_set > 0 &&
           sums->work->plan.node[n].type == COMPONENT_RECONSTRUCTION &&
           sums->work->plan.node[n].unit >= 0;
}

static void update_matrix(struct sums *sums, int n)
{
    const struct plan_node *node = &sums->work->plan.node[n];
    double bytes = sums->work->stage[n].working_set;
    double rate = bytes / sums->scenario->update.period;
    int host = updating_host(sums->scenario);

    sums->size[node->unit] += bytes;
    sums->background_size[node->unit] += bytes;
    sums->total.updates += rate;
    carry_background(sums, host, node->device, node->unit, rate);
    if (host == node->device)
        carry_in_memory(sums, node->unit, rate, true);
}

/* The pipeline ------------------------------------------------------------------------------------ */

/* Returns the bytes per frame of a component that no cache serves. The model of the memory says which
 * part of each kind of traffic that is; of a program it does not. */
static double memory_bytes(const struct stage *stage)
{
    const struct demand *demand = &stage->demand;
    const struct stage_costs *costs = &stage->costs;
    const double read = demand->stream.read + demand->tail.read + demand->deferred.read;
    const double written = demand->stream.written + demand->tail.written +
                           demand->deferred.written +
                           formula_accumulator_bytes(demand->accumulator, stage->weights.count);
    int last = costs->resident.count - 1;

    if (stage->program != NULL || last < 0)
        return stage->bytes;
    return demand->sweeps * stage->working_set * costs->resident.part[last].fraction +
           written * costs->streamed.part[costs->streamed.count - 1].fraction +
           read * costs->arriving.part[costs->arriving.count - 1].fraction;
}

/* Returns the unit of the device at the end of a hop: the board's, else the host's. */
static int unit_at(const struct sums *sums, const struct plan_node *node, int device)
{
    bool board = sums->work->plan.device[device].host != device;

    return board && node->hop == HOP_PCIE && node->board_unit >= 0 ? node->board_unit
                                                                   : first_unit(sums, device);
}

static void add_hop(struct sums *sums, int n)
{
    const struct plan_node *node = &sums->work->plan.node[n];
    const struct stage *stage = &sums->work->stage[n];
    const struct track *track = &sums->work->track[n];
    const double rate = node_rate(sums, n);
    double time = 0;

    if (track->bytes <= 0)
        return;
    if (stage->weights.slot == NULL || track->wire.payload == 0)
        time = wire_time(&track->wire, track->bytes);
    for (int i = 0; stage->weights.slot != NULL && track->wire.payload != 0 &&
                    i <= stage->weights.last;
         i++)
        time += wire_time(&track->wire, track->bytes * stage->weights.slot[i]);
    if (isinf(track->wire.rate))
        return;
    for (int i = 0; i < 2; i++) {
        int queue = node->queue[i];
        double bytes = time * track->wire.rate * rate;

        if (queue != NO_QUEUE) /* the port of another host may be the slower one */
            carry(&sums->queue[queue], bytes,
                  node->hop == HOP_NETWORK
                      ? bytes / port_rate(&sums->scenario->device[queue / QUEUE_ENDS])
                      : time * rate,
                  false);
    }
    if (node->hop == HOP_PEER && node->queue[0] == NO_QUEUE)
        carry(&sums->peer[node->from], time * track->wire.rate * rate, time * rate, false);
    if (node->from >= 0)
        carry_in_memory(sums, unit_at(sums, node, node->from), track->bytes * rate, false);
    if (node->to >= 0)
        carry_in_memory(sums, unit_at(sums, node, node->to), track->bytes * rate, false);
}

static void add_camera(struct sums *sums, int n)
{
    const struct plan_node *node = &sums->work->plan.node[n];
    const double bytes = sums->work->stage[n].output;
    const double rate = node_rate(sums, n);

    sums->total.pixels += bytes * rate;
    record_stream(sums, sums->scenario->telemetry.pixels, node->to, bytes * rate);
    if (node->to < 0)
        return;
    if (stage_uses_port(sums->scenario, node)) {
        double time = stage_port_time(sums->work, sums->scenario, node) * rate;

        carry(&sums->queue[plan_queue(node->to, QUEUE_NETWORK_IN)],
              time * port_rate(&sums->scenario->device[node->to]), time, false);
    }
    carry_in_memory(sums, first_unit(sums, node->to), bytes * rate, false);
    sums->size[first_unit(sums, node->to)] += 2 * bytes;
}

static void add_node(struct sums *sums, int n)
{
    const struct plan_node *node = &sums->work->plan.node[n];
    const struct stage *stage = &sums->work->stage[n];
    const double rate = node_rate(sums, n);

    if (node->type == COMPONENT_CAMERA)
        add_camera(sums, n);
    else if (node->unit < 0)
        add_hop(sums, n);
    else
        carry_in_memory(sums, node->unit, memory_bytes(stage) * rate, false);
    if (node->type == COMPONENT_CENTROID || node->type == COMPONENT_PYRAMID) {
        sums->total.slopes += stage->output * rate;
        record_stream(sums, sums->scenario->telemetry.slopes, node->device, stage->output * rate);
    }
    if (node->type == COMPONENT_DM) {
        sums->total.commands += stage->output * rate;
        record_stream(sums, sums->scenario->telemetry.commands, node->from, stage->output * rate);
    }
    if (is_updated(sums, n))
        update_matrix(sums, n);
}

static void add_all(struct sums *sums, const struct scenario *scenario,
                    const struct workspace *work)
{
    memset(sums, 0, sizeof *sums);
    sums->scenario = scenario;
    sums->work = work;
    memcpy(sums->size, work->held, sizeof sums->size[0] * (size_t)work->plan.units);
    for (int n = 0; n < work->plan.count; n++)
        if (!plan_node_is_whole(&work->plan.node[n]))
            add_node(sums, n);
}

/* Resources --------------------------------------------------------------------------------------- */

/* Visits the resources of a flow, in order. */
typedef void visit_resource(const struct flow_resource *resource, void *context);

static double ratio_or_none(double part, double whole)
{
    return whole > 0 && whole != RESULT_NONE ? part / whole : RESULT_NONE;
}

static struct flow_resource resource_of(enum flow_part part, int device, double demand,
                                        double background, double capacity)
{
    double load = ratio_or_none(demand, capacity);

    return (struct flow_resource){.part = part,
                                  .device = device,
                                  .demand = demand,
                                  .background = background,
                                  .capacity = capacity > 0 ? capacity : RESULT_NONE,
                                  .load = load,
                                  .background_load =
                                      load == RESULT_NONE ? 0 : background / capacity,
                                  .shared_with = -1};
}

/* A queue may lead to boards with links of several rates: its load is its part of the time. */
static struct flow_resource link_of(enum flow_part part, int device, const struct carried *carried)
{
    struct flow_resource resource =
        resource_of(part, device, carried->bytes, carried->background,
                    carried->time > 0 ? carried->bytes / carried->time : RESULT_NONE);

    resource.load = carried->time;
    resource.background_load = carried->background_time;
    return resource;
}

static void visit_camera_links(const struct sums *sums, visit_resource *visit, void *context)
{
    for (int n = 0; n < sums->work->plan.count; n++) {
        const struct plan_node *node = &sums->work->plan.node[n];
        const struct component *camera;
        double mtu = LINK_MTU;
        struct flow_resource resource;

        if (node->type != COMPONENT_CAMERA)
            continue;
        camera = &sums->scenario->component[node->component];
        if (node->to >= 0)
            mtu = sums->scenario->device[node->to].mtu;
        if (camera->interface == INTERFACE_NONE)
            continue;
        resource = resource_of(FLOW_CAMERA_LINK, -1,
                               sums->work->stage[n].output / sums->scenario->wfs[node->wfs].count *
                                   node_rate(sums, n),
                               0, camera_link_rate(camera, mtu));
        snprintf(resource.name, sizeof resource.name, "%.*s.link", NAME_MAX_LENGTH, node->name);
        visit(&resource, context);
    }
}

static void visit_links(const struct sums *sums, visit_resource *visit, void *context, bool ports)
{
    for (int q = 0; q < QUEUE_ENDS * sums->scenario->device_count; q++) {
        enum queue_end end = (enum queue_end)(q % QUEUE_ENDS);
        bool port = end == QUEUE_NETWORK_IN || end == QUEUE_NETWORK_OUT;
        struct flow_resource resource;

        if (port != ports || sums->queue[q].bytes <= 0)
            continue;
        resource = link_of(port ? FLOW_PORT : FLOW_LINK, q / QUEUE_ENDS, &sums->queue[q]);
        resource.outward = end == QUEUE_NETWORK_OUT;
        plan_queue_name(sums->scenario, q, resource.name, sizeof resource.name);
        visit(&resource, context);
    }
    for (int d = 0; d < sums->scenario->device_count && !ports; d++) {
        struct flow_resource resource;

        if (sums->peer[d].bytes <= 0)
            continue;
        resource = link_of(FLOW_LINK, d, &sums->peer[d]);
        snprintf(resource.name, sizeof resource.name, "%s.peer",
                 sums->scenario->device[d].head.name);
        visit(&resource, context);
    }
}

/* Returns what the memory of a device carries or holds for it: of identical ones the busiest or the
 * fullest. */
static struct flow_resource memory_of(const struct sums *sums, int d, bool size)
{
    const struct device *device = &sums->scenario->device[d];
    const struct plan_device *units = &sums->work->plan.device[d];
    int most = units->first_unit;

    for (int u = most + 1; u < units->first_unit + units->units; u++)
        if (size ? sums->size[u] > sums->size[most]
                 : sums->memory[u].bytes > sums->memory[most].bytes)
            most = u;
    return size ? resource_of(FLOW_SIZE, d, sums->size[most], sums->background_size[most],
                              device->memory_size)
                : resource_of(FLOW_MEMORY, d, sums->memory[most].bytes,
                              sums->memory[most].background,
                              device_bandwidth(device) * device->sustained_memory);
}

/* Returns the memory of a board with what its host does in it. */
static struct flow_resource shared_memory(const struct flow_resource *board,
                                          const struct flow_resource *host)
{
    struct flow_resource both =
        resource_of(board->part, board->device, board->demand + host->demand,
                    board->background + host->background, board->capacity);

    if (host->demand > host->background && board->demand > board->background)
        both.shared_with = host->device;
    return both;
}

static void visit_memories(const struct sums *sums, visit_resource *visit, void *context, bool size)
{
    for (int d = 0; d < sums->scenario->device_count; d++) {
        struct flow_resource resource = memory_of(sums, d, size);
        int host = host_of_device(sums, d);

        if (scenario_sharing_board(sums->scenario, d) >= 0)
            continue; /* its memory is the board's */
        if (host != d && scenario_sharing_board(sums->scenario, host) == d) {
            struct flow_resource of_host = memory_of(sums, host, size);

            resource = shared_memory(&resource, &of_host);
        }
        if (resource.demand <= 0)
            continue;
        snprintf(resource.name, sizeof resource.name, "%s.%s",
                 sums->scenario->device[d].head.name,
                 size ? knobs[KNOB_DEVICE_MEMORY_SIZE].key : "memory");
        visit(&resource, context);
    }
}

static void visit_resources(const struct sums *sums, visit_resource *visit, void *context)
{
    struct flow_resource disk =
        resource_of(FLOW_DISK, recording_host(sums->scenario), sums->total.recorded,
                    sums->total.recorded, sums->scenario->telemetry.disk_rate);

    snprintf(disk.name, sizeof disk.name, "disk");
    visit_camera_links(sums, visit, context);
    visit_links(sums, visit, context, true);
    visit_links(sums, visit, context, false);
    visit_memories(sums, visit, context, false);
    visit_memories(sums, visit, context, true);
    if (sums->total.recorded > 0)
        visit(&disk, context);
}

/* Totals ------------------------------------------------------------------------------------------ */

static void raise_to(double *most, double load)
{
    *most = *most == RESULT_NONE ? load : load == RESULT_NONE ? *most : larger(*most, load);
}

static void add_load(const struct flow_resource *resource, void *context)
{
    struct flow_result *total = context;
    double *const loads[] = {[FLOW_CAMERA_LINK] = &total->port_load,
                             [FLOW_PORT] = &total->port_load,
                             [FLOW_LINK] = &total->port_load,
                             [FLOW_MEMORY] = &total->memory_load,
                             [FLOW_SIZE] = &total->memory_full,
                             [FLOW_DISK] = &total->disk_load};
    struct flow_most *const most[] = {[FLOW_CAMERA_LINK] = &total->port,
                                      [FLOW_PORT] = &total->port,
                                      [FLOW_LINK] = &total->port,
                                      [FLOW_MEMORY] = &total->memory,
                                      [FLOW_SIZE] = &total->size,
                                      [FLOW_DISK] = NULL};

    if (most[resource->part] != NULL && resource->load != RESULT_NONE &&
        (*loads[resource->part] == RESULT_NONE || resource->load > *loads[resource->part]))
        *most[resource->part] = (struct flow_most){resource->demand - resource->background,
                                                   resource->background, resource->capacity,
                                                   resource->device};
    raise_to(loads[resource->part], resource->load);
    raise_to(&total->load, resource->load);
}

static void set_totals(struct sums *sums)
{
    struct flow_result *total = &sums->total;
    const double rate = sums->scenario->telemetry.disk_rate;
    const double written = rate > 0 ? smaller(total->recorded, rate) : total->recorded;

    total->port_load = total->memory_load = total->memory_full = total->disk_load = total->load =
        RESULT_NONE;
    total->disk_time = sums->scenario->telemetry.disk_size > 0
                           ? ratio_or_none(sums->scenario->telemetry.disk_size, written)
                           : RESULT_NONE;
    visit_resources(sums, add_load, total);
}

const struct flow_result *result_flow(const struct scenario *scenario, const struct result *result)
{
    static const struct flow_result none = {
        RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE,
        RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, {0, 0, 0, 0},
        {0, 0, 0, 0}, {0, 0, 0, 0}};
    struct workspace *work = result->work;

    if (work != NULL && !work->flow_known && scenario != NULL) {
        struct sums *sums = allocate(sizeof *sums);

        add_all(sums, scenario, work);
        set_totals(sums);
        work->flow = sums->total;
        work->flow_known = true;
        free(sums);
    }
    return work != NULL && work->flow_known ? &work->flow : &none;
}

/* Streams ----------------------------------------------------------------------------------------- */

static enum flow_kind kind_of_output(enum component_type type)
{
    switch (type) {
    case COMPONENT_CAMERA:
    case COMPONENT_CALIBRATION:
    case COMPONENT_DESCRAMBLE:
        return FLOW_PIXELS;
    case COMPONENT_CENTROID:
    case COMPONENT_PYRAMID:
        return FLOW_SLOPES;
    case COMPONENT_CONTROL:
    case COMPONENT_DM:
        return FLOW_COMMANDS;
    default:
        return FLOW_VECTORS;
    }
}

/* Returns the node whose output a node passes on: itself, or what is before links. */
static int origin_of(const struct plan *plan, int n)
{
    while (plan->node[n].type == COMPONENT_TRANSFER && plan->node[n].before_count > 0)
        n = plan->pool[plan->node[n].before_first];
    return n;
}

static struct flow_stream *add_stream(struct flow *flow, enum flow_kind kind, int from, int to,
                                      double bytes, double rate)
{
    flow->stream =
        array_reserve(flow->stream, flow->stream_count, &flow->stream_room, sizeof *flow->stream);
    flow->stream[flow->stream_count] =
        (struct flow_stream){.kind = kind, .from = from, .to = to, .bytes = bytes, .rate = rate};
    return &flow->stream[flow->stream_count++];
}

/* Adds the streams between components of one unit. */
static void add_inner_streams(struct flow *flow, const struct sums *sums, int n)
{
    const struct plan *plan = &sums->work->plan;
    const struct plan_node *node = &plan->node[n];

    for (int i = 0; i < node->before_count && node->unit >= 0; i++) {
        int before = plan->pool[node->before_first + i];
        const struct plan_node *from = &plan->node[before];
        struct flow_stream *stream;

        if (from->unit != node->unit)
            continue;
        stream =
            add_stream(flow, kind_of_output(from->type), node->device, node->device,
                       sums->work->stage[before].output / node->pieces, node_rate(sums, before));
        snprintf(stream->name, sizeof stream->name, "%.*s>%.*s", NODE_NAME_MAX / 2 - 1,
                 from->name, NODE_NAME_MAX / 2 - 1, node->name);
    }
}

static void add_pipeline_stream(struct flow *flow, const struct sums *sums, int n)
{
    const struct plan *plan = &sums->work->plan;
    const struct plan_node *node = &plan->node[n];
    bool camera = node->type == COMPONENT_CAMERA;
    struct flow_stream *stream;

    if (node->unit >= 0) {
        add_inner_streams(flow, sums, n);
        return;
    }
    if (plan_node_is_whole(node) || (!camera && sums->work->stage[n].bytes <= 0))
        return;
    stream = add_stream(flow, kind_of_output(plan->node[origin_of(plan, n)].type),
                        camera ? FLOW_OUTSIDE : node->from, node->to, sums->work->stage[n].output,
                        node_rate(sums, n));
    if (node->component < 0 && sums->scenario->component[node->consumer].type == COMPONENT_DM)
        stream->kind = FLOW_COMMANDS;
    snprintf(stream->name, sizeof stream->name, "%s", node->name);
}

/* Returns what a node adds to telemetry: the part of it that is recorded, and where it arises. */
static double recorded_part(const struct sums *sums, const struct plan_node *node, int *from)
{
    const struct telemetry *telemetry = &sums->scenario->telemetry;

    *from = node->type == COMPONENT_CAMERA ? node->to
            : node->type == COMPONENT_DM   ? node->from
                                           : node->device;
    return node->type == COMPONENT_CAMERA ? telemetry->pixels
           : node->type == COMPONENT_DM   ? telemetry->commands
           : node->type == COMPONENT_CENTROID || node->type == COMPONENT_PYRAMID
               ? telemetry->slopes
               : 0;
}

static void add_background_streams(struct flow *flow, const struct sums *sums, int n)
{
    const struct plan_node *node = &sums->work->plan.node[n];
    const struct stage *stage = &sums->work->stage[n];
    struct flow_stream *stream;
    int from;
    double part = recorded_part(sums, node, &from);

    if (plan_node_is_whole(node))
        return;
    if (part > 0)
        stream = add_stream(flow, FLOW_TELEMETRY, from, recording_host(sums->scenario),
                            part * stage->output, node_rate(sums, n));
    else if (is_updated(sums, n))
        stream = add_stream(flow, FLOW_UPDATES, updating_host(sums->scenario), node->device,
                            stage->working_set, 1 / sums->scenario->update.period);
    else
        return;
    snprintf(stream->name, sizeof stream->name, "%s", node->name);
}

static void add_resource(const struct flow_resource *resource, void *context)
{
    struct flow *flow = context;

    flow->resource = array_reserve(flow->resource, flow->resource_count, &flow->resource_room,
                                   sizeof *flow->resource);
    flow->resource[flow->resource_count++] = *resource;
}

void flow_fill(struct flow *flow, const struct scenario *scenario, const struct result *result)
{
    const struct workspace *work = result->work;
    struct sums *sums = allocate(sizeof *sums);

    flow->stream_count = flow->resource_count = 0;
    add_all(sums, scenario, work);
    set_totals(sums);
    flow->total = sums->total;
    for (int n = 0; n < work->plan.count; n++)
        add_pipeline_stream(flow, sums, n);
    for (int n = 0; n < work->plan.count; n++)
        add_background_streams(flow, sums, n);
    visit_resources(sums, add_resource, flow);
    free(sums);
}

void flow_free(struct flow *flow)
{
    free(flow->stream);
    free(flow->resource);
    *flow = (struct flow){0};
}

/* Sentences --------------------------------------------------------------------------------------- */

double flow_wire_time(const struct result *result, int device)
{
    const struct workspace *work = result->work;
    double time = 0;

    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].hop == HOP_NETWORK && work->plan.node[n].from == device)
            time += work->stage[n].time;
    return time;
}

const char *flow_unit(const struct flow_resource *resource, double *factor)
{
    bool bits = resource->part == FLOW_PORT || resource->part == FLOW_CAMERA_LINK;

    *factor = bits ? 8 : 1;
    return bits ? "b/s" : resource->part == FLOW_SIZE ? quantity_beside(resource->capacity) : "B/s";
}

static void print_amounts(const struct flow_resource *resource, char amount[3][40])
{
    double factor;
    const char *unit = flow_unit(resource, &factor);

    quantity_print(factor * resource->demand, unit, amount[0], 40);
    quantity_print(factor * resource->capacity, unit, amount[1], 40);
    quantity_print(factor * resource->background, unit, amount[2], 40);
}

void flow_sentence(const struct scenario *scenario, const struct flow_resource *resource,
                   char *text, size_t size)
{
    char amount[3][40], background[100] = "", shared[NAME_MAX_LENGTH + 40] = "";
    const char *device =
        resource->device < 0 ? "" : scenario->device[resource->device].head.name;

    print_amounts(resource, amount);
    if (resource->background > 0 && resource->part != FLOW_DISK)
        snprintf(background, sizeof background, ", %s of it telemetry and updates", amount[2]);
    if (resource->shared_with >= 0)
        snprintf(shared, sizeof shared, ", which device.%s shares,",
                 scenario->device[resource->shared_with].head.name);
    switch (resource->part) {
    case FLOW_CAMERA_LINK:
        snprintf(text, size, "component.%.*s: its camera sends %s, and the link carries %s",
                 (int)strcspn(resource->name, "."), resource->name, amount[0], amount[1]);
        break;
    case FLOW_PORT:
        snprintf(text, size, "device.%s.%s: %s %s its network ports, which carry %s%s", device,
                 knobs[KNOB_DEVICE_NIC].key, amount[0],
                 resource->outward ? "leave through" : "arrive at", amount[1], background);
        break;
    case FLOW_LINK:
        snprintf(text, size, "device.%s: %s pass through %s, which carries %s%s", device, amount[0],
                 resource->name, amount[1], background);
        break;
    case FLOW_MEMORY:
        snprintf(text, size, "device.%s: its memory%s has to carry %s, and carries %s%s", device,
                 shared, amount[0], amount[1], background);
        break;
    case FLOW_SIZE:
        snprintf(text, size, "device.%s.%s: does not fit: %s of data, %s of memory%s%.*s", device,
                 knobs[KNOB_DEVICE_MEMORY_SIZE].key, amount[0], amount[1], background,
                 (int)(strlen(shared) - (shared[0] != '\0')), shared);
        break;
    case FLOW_DISK:
        snprintf(text, size, "telemetry.%s: %s are recorded, and the disks write %s",
                 knobs[KNOB_TELEMETRY_DISK_RATE].key, amount[0], amount[1]);
        break;
    }
}
