#include "model/stage.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/formulas.h"

/* Flow ----------------------------------------------------------------------------------------- */

/* Finds the readout order of a sensor: one, however many cameras represent it. */
static enum status find_order(const struct scenario *scenario, const struct plan *plan, int wfs,
                              enum readout_order *order, struct error *error)
{
    const struct component *first = NULL;

    *order = ORDER_RASTER;
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];

        if (c->type != COMPONENT_CAMERA || plan->component[i].wfs != wfs)
            continue;
        if (first != NULL && c->order != first->order)
            return error_set(error, STATUS_INVALID,
                             "component.%s.order: differs from that of component.%s, and both read "
                             "wfs.%s",
                             c->head.name, first->head.name, scenario->wfs[wfs].head.name);
        first = first == NULL ? c : first;
        *order = (enum readout_order)c->order;
    }
    return STATUS_OK;
}

static enum status update_agendas(struct workspace *work, const struct scenario *scenario,
                                  struct error *error)
{
    for (int i = 0; i < scenario->wfs_count; i++) {
        enum readout_order order;
        struct agenda_key key;

        if (find_order(scenario, &work->plan, i, &order, error) != STATUS_OK)
            return STATUS_INVALID;
        key = agenda_key(&scenario->wfs[i], order, scenario->general.packets);
        if (agenda_update(&work->agenda[i], &key, scenario->wfs[i].head.name, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

static double sensor_pixels(const struct workspace *work, const struct scenario *scenario, int wfs)
{
    const struct agenda_key *key = &work->agenda[wfs].key;

    return (double)key->width * (double)key->height * scenario->wfs[wfs].count;
}

double stage_subaps(const struct workspace *work, const struct scenario *scenario, int wfs)
{
    double stated = scenario->wfs[wfs].valid_subaps;

    return (stated > 0 ? stated : work->agenda[wfs].subaps) * scenario->wfs[wfs].count;
}

/* Returns true for a controller that processes measurements as they arrive: its algorithm does not
 * wait for a frame. */
static bool processes_slopes(const struct scenario *scenario, const struct plan_node *node)
{
    const struct component *c;

    if (node->type == COMPONENT_TRANSFER || node->type == COMPONENT_RECONSTRUCTION)
        return true;
    if (node->component < 0)
        return false;
    c = &scenario->component[node->component];
    return (c->type == COMPONENT_CUSTOM && c->agenda == AGENDA_SLOPES) ||
           (c->type == COMPONENT_CONTROL && algorithm_barrier(c) == BARRIER_PACKET);
}

/* Returns true if all work of a component waits for the last packet: its `barrier`, by default that
 * of its algorithm. */
static bool has_frame_barrier(const struct component *c)
{
    return c->barrier == CHOICE_AUTO ? algorithm_barrier(c) == BARRIER_FRAME
                                     : c->barrier == BARRIER_FRAME;
}

/* Returns true if all work of a node waits for the last packet. */
static bool waits_for_frame(const struct workspace *work, const struct scenario *scenario,
                            const struct plan_node *node, bool frame_barrier)
{
    bool join = processes_slopes(scenario, node);
    int at_end = 0;

    if (node->type == COMPONENT_DM || (node->type == COMPONENT_CONTROL && !join))
        return true;
    if (frame_barrier || (node->type == COMPONENT_CUSTOM &&
                          scenario->component[node->component].agenda == AGENDA_FRAME))
        return true;
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);

        at_end += stage->at_end;
        if (stage->at_end && (!join || stage->slopes == 0))
            return true;
    }
    return at_end > 0 && at_end == node->before_count;
}

static struct weights last_packet(int packets)
{
    return (struct weights){NULL, packets - 1, 1};
}

/* Blends the packets of several producers, weighted by the measurements each delivers. */
static struct weights blend_weights(struct workspace *work, const struct plan_node *node,
                                    double slopes, int packets)
{
    double *slot = work->join[node->component];
    struct weights weights = {slot, packets - 1, 0};

    memset(slot, 0, sizeof(double) * (size_t)packets);
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);
        double part = stage->slopes / slopes;

        if (stage->at_end)
            slot[packets - 1] += part;
        else
            for (int k = 0; k < packets; k++)
                slot[k] += part * stage->weights.slot[k];
    }
    for (int k = packets - 1; k >= 0; k--) {
        if (slot[k] > 0) {
            weights.first = k;
            weights.count++;
        }
    }
    return weights;
}

static struct weights joined_weights(struct workspace *work, const struct plan_node *node,
                                     int packets)
{
    const struct stage *only = NULL;
    double slopes = 0;
    bool alike = true;

    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);

        if (stage->slopes == 0)
            continue;
        alike = alike && (only == NULL || (only->weights.slot == stage->weights.slot &&
                                           only->at_end == stage->at_end));
        only = stage;
        slopes += stage->slopes;
    }
    if (only != NULL)
        return alike ? only->weights : blend_weights(work, node, slopes, packets);
    if (node->type == COMPONENT_TRANSFER && node->before_count > 0)
        return stage_before(work, node, 0)->weights;
    return node->wfs < 0 ? last_packet(packets) : work->agenda[node->wfs].elements;
}

static struct weights node_weights(struct workspace *work, const struct scenario *scenario,
                                   const struct plan_node *node, bool frame_barrier)
{
    int packets = (int)scenario->general.packets;

    if (waits_for_frame(work, scenario, node, frame_barrier))
        return last_packet(packets);
    if (processes_slopes(scenario, node))
        return joined_weights(work, node, packets);
    if (node->wfs < 0)
        return last_packet(packets);
    if (node->type == COMPONENT_CENTROID || node->type == COMPONENT_PYRAMID)
        return work->agenda[node->wfs].elements;
    return work->agenda[node->wfs].pixels;
}

/* Determines how packets, measurements and rate pass through a node. */
static void set_flow(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    bool computes = node->device >= 0;

    stage->algorithm = computes ? algorithm_row(scenario, node->component) : NULL;
    stage->frame_barrier = computes && has_frame_barrier(&scenario->component[node->component]);
    stage->weights = node_weights(work, scenario, node, stage->frame_barrier);
    /* a controller after a reconstruction has no earlier work, whatever its barrier */
    if (node->type == COMPONENT_CONTROL && stage->weights.slot == NULL)
        stage->frame_barrier = true;
    stage->at_end = stage->weights.slot == NULL || node->type == COMPONENT_RECONSTRUCTION ||
                    node->type == COMPONENT_CONTROL;
    stage->pixels = node->wfs < 0 ? 0 : sensor_pixels(work, scenario, node->wfs);
    stage->slopes = 0;
    stage->across = 0;
    stage->divisor = 1;
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *from = stage_before(work, node, i);

        stage->slopes += from->slopes;
        stage->across = larger(stage->across, from->across);
        if (i == 0 || from->divisor < stage->divisor)
            stage->divisor = from->divisor;
    }
    if (node->parts > 0) /* as many as without a split */
        stage->slopes /= node->parts;
    if (plan_type_senses(node->type)) {
        stage->across = scenario->wfs[node->wfs].subaps_across;
        stage->divisor = scenario->wfs[node->wfs].rate_divisor;
        stage->slopes = stage->algorithm == NULL ? 0
                                                 : stage->algorithm->slopes_per_subap *
                                                       stage_subaps(work, scenario, node->wfs);
    }
}

/* Cameras and links ---------------------------------------------------------------------------- */

static double command_bytes(const struct scenario *scenario, int dm)
{
    const struct component *c = &scenario->component[dm];
    double actuators = c->actuators > 0 ? c->actuators : scenario->ao.actuators;

    return formula_command_bytes(actuators, c);
}

static void set_pcie(const struct scenario *scenario, const struct plan_node *node,
                     const struct plan *plan, struct track *track)
{
    int end = plan_hop_board(plan, node);
    const struct device *device = &scenario->device[end];
    const struct device *host = &scenario->device[plan->device[end].host];

    track->latency = PCIE_LATENCY;
    if (device->kind == DEVICE_GPU && device->host_link == HOST_LINK_NVLINK)
        track->wire = wire_plain(device->host_bandwidth);
    else
        track->wire =
            wire_pcie(smaller(device->pcie_gen, host->pcie_gen), smaller(device->pcie_lanes, 16));
}

static void set_network(const struct scenario *scenario, const struct plan_node *node,
                        struct track *track)
{
    static const struct component plain = {.hops = LINK_HOPS, .length = LINK_LENGTH};
    const struct component *c =
        node->component < 0 ? &plain : &scenario->component[node->component];
    double rate = INFINITY;
    double mtu = INFINITY;
    double drivers = 0;
    const int ends[2] = {node->from, node->to};

    for (int i = 0; i < 2; i++) {
        const struct device *device = ends[i] < 0 ? NULL : &scenario->device[ends[i]];

        if (device == NULL)
            continue;
        rate = smaller(rate, device->nic * device->nics);
        mtu = smaller(mtu, device->mtu);
        drivers += device->ingress_latency >= 0 ? device->ingress_latency : 5e-6;
    }
    track->wire = wire_ethernet(rate, mtu);
    track->latency = formula_network_latency(
        drivers, c->hops, wire_hop_time(&track->wire, (enum switch_kind)c->switching), c->length);
}

/* Returns the number of parts that compute a mirror's commands, each some of them. */
static int count_producer_parts(const struct plan *plan, const struct plan_node *node)
{
    int parts = plan->node[node->producer].parts;

    return parts > 0 ? parts : 1;
}

/* Returns the bytes that a transfer or a mirror's link carries. */
static double link_payload(const struct workspace *work, const struct scenario *scenario,
                           const struct plan_node *node)
{
    double bytes = 0;

    if (node->type == COMPONENT_DM)
        return command_bytes(scenario, node->component);
    if (node->component < 0 && scenario->component[node->consumer].type == COMPONENT_DM)
        return command_bytes(scenario, node->consumer) / count_producer_parts(&work->plan, node);
    if (node->component >= 0 && scenario->component[node->component].bytes > 0)
        return scenario->component[node->component].bytes;
    if (node->component < 0)
        return work->stage[node->producer].output / node->pieces;
    for (int i = 0; i < node->before_count; i++)
        bytes += stage_before(work, node, i)->output;
    return bytes;
}

static void set_link(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    bool outside = node->from < 0 && node->to < 0;

    track->kind = TRACK_LINK;
    track->queue[0] = node->queue[0];
    track->queue[1] = node->queue[1];
    stage->output = link_payload(work, scenario, node);
    stage->share = 1;
    if (node->hop == HOP_NONE || outside) {
        track->bytes = 0;
        track->latency = 0;
        stage->bytes = stage->memory = stage->time = 0;
        return;
    }
    if (node->hop == HOP_PCIE)
        set_pcie(scenario, node, &work->plan, track);
    else
        set_network(scenario, node, track);
    track->bytes = stage->output;
    stage->bytes = stage->output;
    stage->time = 0;
    if (stage->weights.slot == NULL || track->wire.payload == 0)
        stage->time = wire_time(&track->wire, track->bytes);
    else
        for (int i = 0; i < (int)scenario->general.packets; i++)
            stage->time += wire_time(&track->wire, track->bytes * stage->weights.slot[i]);
    stage->memory = stage->time;
}

/* Returns the smallest MTU of the hosts a camera feeds; without hosts, the default. */
static double smallest_host_mtu(const struct workspace *work, const struct scenario *scenario,
                                int camera)
{
    double mtu = LINK_MTU;
    bool found = false;

    for (int i = 0; i < scenario->component_count; i++) {
        const struct plan_component *c = &work->plan.component[i];

        for (int d = 0; d < scenario->device_count; d++) {
            double host_mtu;

            if ((c->before >> camera & 1) == 0 || (c->devices >> d & 1) == 0)
                continue;
            host_mtu = scenario->device[work->plan.device[d].host].mtu;
            mtu = found ? smaller(mtu, host_mtu) : host_mtu;
            found = true;
        }
    }
    return mtu;
}

static void set_camera(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct wfs *wfs = &scenario->wfs[node->wfs];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    double raw = formula_raw_bytes(stage->pixels, wfs);
    double rate = camera_link_rate(c, c->interface == INTERFACE_GIGE_VISION
                                          ? smallest_host_mtu(work, scenario, node->component)
                                          : 0);

    track->kind = TRACK_CAMERA;
    track->readout = rate > 0 ? formula_readout_time(c, raw, wfs, rate) : c->readout;
    stage->output = raw;
    stage->bytes = raw;
    stage->share = 1;
    stage->time = track->readout;
}

/* Shares of devices ---------------------------------------------------------------------------- */

/* Returns the factor by which a share lengthens work. A node without work may have no share. */
static double share_slowdown(double share)
{
    return share > 0 ? 1 / share : 0;
}

static double span_compute(const struct stage *stage, const struct span *span, double slower)
{
    return stage->own_cores ? span->compute : span->compute * slower;
}

static double span_memory(const struct span *span, double slower)
{
    return span->transfer * slower + span->wait;
}

static double program_at_share(const struct stage *stage, double share)
{
    struct program_machine machine = stage->machine;

    if (share <= 0)
        return 0;
    program_machine_share(&machine, share, stage->own_cores);
    return program_total_time(stage->program, &machine).time;
}

/* Returns the sum of the slots' durations, without fixed times. */
static double slots_time(const struct track *track, const struct weights *weights, int packets)
{
    double slope;
    double offset;
    double sum = 0;

    if (track_linear(track, &slope, &offset))
        return slope + offset * weights->count;
    if (weights->slot == NULL)
        return track_duration(track, packets - 1, packets) - track->tail;
    for (int i = 0; i < packets; i++)
        sum += track_duration(track, i, packets);
    return sum - track->tail;
}

double stage_at_share(const struct stage *stage, double share, int packets, struct track *track)
{
    double slower = share_slowdown(share);

    track->fixed = track->tail_fixed = 0;
    track->compute = stage->program != NULL ? program_at_share(stage, share)
                                            : span_compute(stage, &stage->stream, slower);
    track->memory = span_memory(&stage->stream, slower);
    track->accumulator = span_memory(&stage->accumulator, slower);
    track->tail = roofline_time(span_compute(stage, &stage->tail, slower),
                                span_memory(&stage->tail, slower), track->overlap);
    track->deferred = roofline_time(span_compute(stage, &stage->deferred, slower),
                                    span_memory(&stage->deferred, slower), track->overlap);
    return slots_time(track, &stage->weights, packets);
}

/* Shares claimed by the components of a device. */
struct claim {
    double stated; /* sum of stated shares */
    double work;   /* work of automatic components that work packet by packet */
    int streaming; /* number of those components */
    int automatic; /* number of automatic components */
};

static enum status check_claim(const struct claim *claim, const char *device, struct error *error)
{
    char sum[32];

    if (claim->stated > 1 + 1e-9) {
        number_format(round(claim->stated * 1e4) / 1e4, sum, sizeof sum);
        return error_set(error, STATUS_INVALID,
                         "device.%s: the shares of its components add up to %s, above 1", device,
                         sum);
    }
    if (claim->stated > 1 - 1e-9 && claim->automatic > 0)
        return error_set(error, STATUS_INVALID,
                         "device.%s: stated shares use all of it; none is left for a component "
                         "with an automatic share",
                         device);
    return STATUS_OK;
}

static double claimed_share(const struct claim *claim, const struct stage *stage, double stated)
{
    double rest = 1 - claim->stated;

    if (stated > 0)
        return stated;
    if (stage->frame_barrier)
        return rest;
    return claim->work > 0 ? rest * stage->work / claim->work : rest / claim->streaming;
}

static enum status divide_devices(struct workspace *work, const struct scenario *scenario,
                                  struct error *error)
{
    struct claim claims[DEVICE_MAX];
    const struct plan *plan = &work->plan;

    for (int d = 0; d < scenario->device_count; d++)
        claims[d] = (struct claim){0, 0, 0, 0};
    for (int n = 0; n < plan->count; n++) {
        struct claim *claim;
        double stated;

        if (plan->node[n].device < 0)
            continue;
        claim = &claims[plan->node[n].device];
        stated = scenario->component[plan->node[n].component].share;
        claim->stated += stated;
        claim->automatic += stated == 0;
        if (stated == 0 && !work->stage[n].frame_barrier) {
            claim->streaming++;
            claim->work += work->stage[n].work;
        }
    }
    for (int d = 0; d < scenario->device_count; d++)
        if (check_claim(&claims[d], scenario->device[d].head.name, error) != STATUS_OK)
            return STATUS_INVALID;
    for (int n = 0; n < plan->count; n++)
        if (plan->node[n].device >= 0)
            work->stage[n].share =
                claimed_share(&claims[plan->node[n].device], &work->stage[n],
                              scenario->component[plan->node[n].component].share);
    return STATUS_OK;
}

/* Without partition, gives every component the whole device, in turn or simultaneously. */
static void share_whole_devices(struct workspace *work, const struct scenario *scenario)
{
    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].device >= 0)
            work->stage[n].share =
                scenario->general.sharing == SHARING_FLUID ? work->track[n].share : 1;
}

static enum status set_shares(struct workspace *work, const struct scenario *scenario,
                              struct error *error)
{
    int packets = (int)scenario->general.packets;
    bool divided = scenario->general.sharing == SHARING_PARTITION;

    if (!divided)
        share_whole_devices(work, scenario);
    else if (divide_devices(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        struct stage *stage = &work->stage[n];
        struct track *track = &work->track[n];
        double share = divided ? stage->share : 1;

        if (node->device >= 0) {
            /* the track already has the durations at share 1 */
            double slots = share == 1 ? stage->slots : stage_at_share(stage, share, packets, track);

            stage->time = slots + track->tail + stage->fixed_total;
            track->fixed = stage->fixed;
            track->tail_fixed = stage->fixed_tail;
            track->deferred_fixed = stage->fixed_deferred;
            stage->deferred_time = track->deferred + track->deferred_fixed;
            stage->compute = span_compute(stage, &stage->whole, share_slowdown(share));
            stage->memory = span_memory(&stage->whole, share_slowdown(share));
            stage->level = stage_slowest_level(stage, share_slowdown(share));
        }
        if (!isfinite(stage->time))
            return error_set(error, STATUS_INVALID, "component.%s.share: its time is not finite",
                             scenario->component[node->component].head.name);
    }
    return STATUS_OK;
}

/* All nodes ------------------------------------------------------------------------------------ */

/* Clears the data of a node that was of another kind. */
static void clear_node(struct stage *stage, struct track *track)
{
    double *end = track->end;

    memset(stage, 0, sizeof *stage);
    memset(track, 0, sizeof *track);
    track->end = end;
}

/* Sets a node that only represents its parts: it has no work. */
static void set_whole(struct stage *stage, struct track *track, int packets)
{
    track->kind = TRACK_COMPUTE;
    stage->weights = last_packet(packets);
    track->weights = stage->weights;
    stage->divisor = 1;
    track->divisor = 1;
    track->device = -1;
}

/* Sets the device and precedence of a track. With processor sharing the weight of a component is
 * its stated share, or 1 if it states none. */
static void place_track(const struct scenario *scenario, const struct plan_node *node,
                        const struct stage *stage, struct track *track, int n)
{
    const struct component *c = node->component < 0 ? NULL : &scenario->component[node->component];

    track->command = node->command;
    track->divisor = (int)stage->divisor;
    track->device = node->device;
    track->turn = n;
    if (node->device >= 0) {
        track->turn += ((int)c->priority * COMPONENT_MAX + node->component) * NODE_MAX;
        track->share = c->share > 0 ? c->share : 1;
    }
}

enum status stage_prepare(struct workspace *work, const struct scenario *scenario,
                          struct error *error)
{
    const struct plan *plan = &work->plan;

    if (update_agendas(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < plan->count; n++) {
        const struct plan_node *node = &plan->node[n];
        struct track *track = &work->track[n];
        struct stage *stage = &work->stage[n];

        if (work->rebuilt)
            clear_node(stage, track);
        track->before = &plan->pool[node->before_first];
        track->before_count = node->before_count;
        track->queue[0] = track->queue[1] = NO_QUEUE;
        stage->program = NULL; /* the previous design's program may have been freed */
        if (plan_node_is_whole(node)) {
            set_whole(stage, track, (int)scenario->general.packets);
            continue;
        }
        set_flow(work, scenario, n);
        track->weights = stage->weights;
        place_track(scenario, node, stage, track, n);
        if (node->type == COMPONENT_CAMERA)
            set_camera(work, scenario, n);
        else if (node->device >= 0)
            stage_demand(work, scenario, n);
        else
            set_link(work, scenario, n);
    }
    /* caches hold all working sets, so times need all of these first */
    if (stage_memory(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < plan->count; n++) {
        if (plan->node[n].device >= 0)
            stage_work(work, scenario, n);
        if (plan->node[n].type == COMPONENT_PROGRAM &&
            stage_program(work, scenario, n, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return set_shares(work, scenario, error);
}
