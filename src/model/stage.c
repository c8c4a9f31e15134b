#include "model/stage.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "design/knob.h"
#include "model/device.h"
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
        key = agenda_key(&scenario->wfs[i], order, scenario_sensor_packets(scenario, i),
                         work->size.packets);
        if (agenda_update(&work->agenda[i], &key, scenario->wfs[i].head.name, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

double stage_pixels(const struct workspace *work, const struct scenario *scenario, int wfs)
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
 * of its algorithm, or all software waits. */
static bool has_frame_barrier(const struct scenario *scenario, const struct component *c)
{
    if (scenario->general.processing == PROCESSING_FRAMES)
        return true;
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

static struct weights last_packet(int slots)
{
    return (struct weights){NULL, slots - 1, slots - 1, 1};
}

/* Returns the number of slots of a node: up to the last packet of its cameras that completes a
 * subaperture or pupil pixel for a command. */
static int count_slots(const struct workspace *work, const struct plan_node *node, int packets)
{
    int slots = 0;

    if (node->type == COMPONENT_CAMERA)
        return node->measured ? work->agenda[node->wfs].elements.last + 1 : packets;
    for (int i = 0; i < node->before_count; i++) {
        int before = work->track[work->plan.pool[node->before_first + i]].slots;

        slots = before > slots ? before : slots;
    }
    return slots > 0 ? slots : packets;
}

/* Blends the packets of several producers, weighted by the measurements each delivers. */
static struct weights blend_weights(struct workspace *work, const struct plan_node *node,
                                    double slopes, int slots)
{
    double *slot = work->join[node->component];
    struct weights weights = {slot, slots - 1, 0, 0};
    int length = slots; /* pixels may arrive after the last slot that a command needs */

    for (int i = 0; i < node->before_count; i++) {
        int last = stage_before(work, node, i)->weights.last;

        length = last >= length ? last + 1 : length;
    }
    memset(slot, 0, sizeof(double) * (size_t)length);
    for (int i = 0; i < node->before_count; i++) {
        const struct stage *stage = stage_before(work, node, i);
        double part = stage->slopes / slopes;

        if (!pace_step(work->pace, slots))
            break;
        if (stage->at_end)
            slot[slots - 1] += part;
        else
            for (int k = 0; k <= stage->weights.last; k++)
                slot[k] += part * stage->weights.slot[k];
    }
    for (int k = length - 1; k >= 0; k--) {
        if (slot[k] > 0) {
            weights.first = k;
            weights.last = weights.count == 0 ? k : weights.last;
            weights.count++;
        }
    }
    return weights;
}

static struct weights joined_weights(struct workspace *work, const struct plan_node *node,
                                     int slots)
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
    if (only != NULL && alike)
        return only->at_end ? last_packet(slots) : only->weights;
    if (only != NULL)
        return blend_weights(work, node, slopes, slots);
    if (node->type == COMPONENT_TRANSFER && node->before_count > 0)
        return stage_before(work, node, 0)->weights;
    return node->wfs < 0 ? last_packet(slots) : work->agenda[node->wfs].elements;
}

static struct weights node_weights(struct workspace *work, const struct scenario *scenario,
                                   const struct plan_node *node, bool frame_barrier, int slots)
{
    if (waits_for_frame(work, scenario, node, frame_barrier))
        return last_packet(slots);
    if (processes_slopes(scenario, node))
        return joined_weights(work, node, slots);
    if (node->wfs < 0)
        return last_packet(slots);
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
    stage->frame_barrier =
        computes && has_frame_barrier(scenario, &scenario->component[node->component]);
    work->track[n].slots = count_slots(work, node, work->size.packets);
    stage->weights = node_weights(work, scenario, node, stage->frame_barrier, work->track[n].slots);
    if (stage->weights.slot == NULL) /* a predecessor's last packet may be an earlier one */
        stage->weights = last_packet(work->track[n].slots);
    /* a controller after a reconstruction has no earlier work, whatever its barrier */
    if (node->type == COMPONENT_CONTROL && stage->weights.slot == NULL)
        stage->frame_barrier = true;
    stage->at_end = stage->weights.slot == NULL || node->type == COMPONENT_RECONSTRUCTION ||
                    node->type == COMPONENT_CONTROL;
    stage->pixels = node->wfs < 0 ? 0 : stage_pixels(work, scenario, node->wfs);
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

struct wire stage_board_wire(const struct scenario *scenario, const struct plan *plan, int board)
{
    const struct device *device = &scenario->device[board];
    const struct device *host = &scenario->device[plan->device[board].host];
    bool has_host = plan->device[board].host != board;

    if (has_host && device->host_link == HOST_LINK_NVLINK)
        return wire_plain(device->host_bandwidth);
    if (has_host && device->host_link == HOST_LINK_UNIFIED)
        return wire_plain(HUGE_VAL); /* its data are in the memory of the host */
    return wire_pcie(smaller(device->pcie_gen, host->pcie_gen), link_lanes(device, host));
}

/* Returns true for a copy of a camera's data that its port has written into the GPU already. */
static bool arrives_in_gpu(const struct workspace *work, const struct scenario *scenario,
                           const struct plan_node *node)
{
    int camera = node->producer;

    return camera >= 0 && work->plan.node[camera].type == COMPONENT_CAMERA &&
           (scenario->device[node->to].copy == COPY_RDMA ||
            work->ingress[camera].ingress == INGRESS_RDMA);
}

/* Sets a copy between a GPU and its host. */
static void set_copy(const struct workspace *work, const struct scenario *scenario,
                     const struct plan_node *node, struct track *track)
{
    int gpu = plan_hop_board(&work->plan, node);
    const struct device *device = &scenario->device[gpu];
    const struct overhead *overhead = &work->overhead[gpu];
    bool inward = node->to == gpu;
    double factor = stage_factor(work, gpu, CAUSE_COPY);

    if (arrives_in_gpu(work, scenario, node)) {
        track->bytes = track->delay = 0;
        return;
    }
    if (device->copy != COPY_MEMCPY && inward)
        track->wire = wire_plain(smaller(
            track->wire.rate,
            overhead_mapped_rate(smaller(device->pcie_gen,
                                         scenario->device[work->plan.device[gpu].host].pcie_gen))));
    track->delay = (inward ? overhead->copy_in : overhead->copy_out) * factor;
    track->wire.rate /= factor;
    if (device->copy != COPY_MEMCPY || device->dispatch != DISPATCH_STREAM)
        return;
    track->enqueue = overhead->enqueue * stage_factor(work, gpu, CAUSE_DISPATCH);
    track->thread = node->board_unit;
}

/* Sets a copy between a board and its host, or a transfer to a card. */
static void set_pcie(const struct workspace *work, const struct scenario *scenario,
                     const struct plan_node *node, struct stage *stage, struct track *track)
{
    int board = plan_hop_board(&work->plan, node);

    track->wire = stage_board_wire(scenario, &work->plan, board);
    if (scenario->device[board].kind == DEVICE_GPU)
        set_copy(work, scenario, node, track);
    else
        track->delay = PCIE_LATENCY;
    if (node->type == COMPONENT_DM && node->from >= 0)
        stage->handover =
            work->overhead[node->from].handover * stage_factor(work, node->from, CAUSE_DISPATCH);
    track->delay += stage->handover;
}

/* Sets a copy between two GPUs of a host. */
static void set_peer(const struct workspace *work, const struct scenario *scenario,
                     const struct plan_node *node, struct track *track)
{
    const struct device *from = &scenario->device[node->from];
    const struct device *to = &scenario->device[node->to];
    double factor = stage_factor(work, node->to, CAUSE_COPY);
    struct wire a = stage_board_wire(scenario, &work->plan, node->from);
    struct wire b = stage_board_wire(scenario, &work->plan, node->to);

    track->wire = a.rate < b.rate ? a : b;
    if (node->queue[0] == NO_QUEUE)
        track->wire = wire_plain(smaller(from->peer_bandwidth, to->peer_bandwidth));
    track->wire.rate /= factor;
    track->delay = larger(work->overhead[node->from].peer, work->overhead[node->to].peer) * factor;
}

/* Sets a transfer between hosts, or to a mirror: before the wire it leaves a program and a port,
 * after it come switches, cable, a port and its receiving core. */
static void set_network(const struct workspace *work, const struct scenario *scenario,
                        const struct plan_node *node, struct stage *stage, struct track *track)
{
    static const struct component plain = {.hops = LINK_HOPS, .length = LINK_LENGTH};
    const struct component *c =
        node->component < 0 ? &plain : &scenario->component[node->component];
    double rate = INFINITY;
    double mtu = INFINITY;
    const int ends[2] = {node->from, node->to};

    for (int i = 0; i < 2; i++) {
        const struct device *device = ends[i] < 0 ? NULL : &scenario->device[ends[i]];

        if (device == NULL)
            continue;
        rate = smaller(rate, device->nic * device->nics);
        mtu = smaller(mtu, device->mtu);
    }
    track->wire = wire_ethernet(rate, mtu);
    if (node->from >= 0) {
        stage->port[0] =
            work->overhead[node->from].egress * stage_factor(work, node->from, CAUSE_PORT);
        stage->handover =
            work->overhead[node->from].handover * stage_factor(work, node->from, CAUSE_DISPATCH);
        track->delay = formula_send_delay(stage->port[0], stage->handover);
    }
    if (node->to >= 0) {
        struct ingress_times times = overhead_ingress(scenario, node->to, -1);
        double factor = stage_factor(work, node->to, CAUSE_PORT);

        track->datagram = times.datagram * factor;
        stage->port[1] = formula_port_reception(
            track->datagram, wire_first_time(&track->wire, track->bytes), times.latency * factor);
    }
    track->latency = formula_network_latency(
        stage->port[1], c->hops, wire_hop_time(&track->wire, (enum switch_kind)c->switching),
        c->length);
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
    track->bytes = stage->output;
    track->latency = track->beyond = track->delay = track->datagram = track->enqueue = 0;
    stage->handover = stage->port[0] = stage->port[1] = 0;
    track->thread = -1;
    if (node->hop == HOP_NONE || outside) {
        track->bytes = 0;
        stage->bytes = stage->memory = stage->time = 0;
        return;
    }
    if (node->hop == HOP_PCIE)
        set_pcie(work, scenario, node, stage, track);
    else if (node->hop == HOP_PEER)
        set_peer(work, scenario, node, track);
    else
        set_network(work, scenario, node, stage, track);
    track->beyond = node->type == COMPONENT_DM ? track->latency : 0;
    stage->bytes = stage->output;
    stage->time = 0;
    if (stage->weights.slot == NULL || (track->wire.payload == 0 && track->datagram == 0))
        stage->time = track_link_time(track, track->bytes);
    else
        for (int i = 0; i <= stage->weights.last; i++)
            stage->time += track_link_time(track, track->bytes * stage->weights.slot[i]);
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

        for (int d = 0; d < scenario->device_count && (c->before >> camera & 1) != 0; d++) {
            double host_mtu;

            if ((c->devices >> d & 1) == 0)
                continue;
            host_mtu = scenario->device[work->plan.device[d].host].mtu;
            mtu = found ? smaller(mtu, host_mtu) : host_mtu;
            found = true;
        }
    }
    return mtu;
}

bool stage_uses_port(const struct scenario *scenario, const struct plan_node *node)
{
    return node->to >= 0 &&
           !interface_has_grabber(
               (enum camera_interface)scenario->component[node->component].interface);
}

/* What the packets of a camera come to. */
struct packet_totals {
    double wire, datagrams, most;
};

/* The packets of a camera: of two sizes that differ by a pixel. */
struct packet_sizes {
    double count[2], bytes[2];
};

static struct packet_sizes packet_sizes(const struct agenda_key *key, const struct wfs *wfs)
{
    double pixels = (double)key->width * (double)key->height;
    double packets = key->order == ORDER_FRAME ? 1 : (double)key->packets;
    double each = floor(pixels / packets);
    double larger_ones = pixels - each * packets;

    return (struct packet_sizes){
        .count = {packets - larger_ones, larger_ones},
        .bytes = {formula_raw_bytes(each, wfs), formula_raw_bytes(each + 1, wfs)}};
}

/* Adds up the time on the wire and the datagrams of the packets of a stated agenda, one by one. */
static void add_packets(const struct agenda *agenda, const struct wfs *wfs, const struct wire *wire,
                        double payload, struct packet_totals *totals)
{
    for (long i = 0; i < agenda->key.slots; i++) {
        double bytes = formula_raw_bytes(agenda_pixels(agenda, i), wfs);
        double datagrams = bytes > 0 ? formula_received_datagrams(bytes, payload) : 0;

        totals->wire += bytes > 0 && wire != NULL ? wire_time(wire, bytes) : 0;
        totals->datagrams += datagrams;
        totals->most = larger(totals->most, datagrams);
    }
}

double stage_port_time(const struct workspace *work, const struct scenario *scenario,
                       const struct plan_node *node)
{
    const struct device *host = &scenario->device[node->to];
    const struct wfs *wfs = &scenario->wfs[node->wfs];
    struct packet_sizes sizes = packet_sizes(&work->agenda[node->wfs].key, wfs);
    struct wire wire = wire_ethernet(host->nic * host->nics, host->mtu);
    struct packet_totals totals = {0, 0, 0};

    if (agenda_is_stated(&work->agenda[node->wfs])) {
        add_packets(&work->agenda[node->wfs], wfs, &wire, 1, &totals);
        return wfs->count * totals.wire;
    }
    return wfs->count * (sizes.count[0] * wire_time(&wire, sizes.bytes[0]) +
                         sizes.count[1] * wire_time(&wire, sizes.bytes[1]));
}

/* Returns the datagrams of one sensor per frame; sets those of its largest packet. */
static double camera_datagrams(const struct workspace *work, const struct scenario *scenario,
                               const struct plan_node *node, double payload, double *most)
{
    struct packet_sizes sizes =
        packet_sizes(&work->agenda[node->wfs].key, &scenario->wfs[node->wfs]);
    double each = formula_received_datagrams(sizes.bytes[0], payload);
    struct packet_totals totals = {0, 0, 0};

    if (agenda_is_stated(&work->agenda[node->wfs])) {
        add_packets(&work->agenda[node->wfs], &scenario->wfs[node->wfs], NULL, payload, &totals);
        *most = totals.most;
        return totals.datagrams;
    }
    *most = sizes.count[1] > 0 ? formula_received_datagrams(sizes.bytes[1], payload) : each;
    return sizes.count[0] * each + sizes.count[1] * *most;
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
    track->start = wfs->start;
    track->when = work->agenda[node->wfs].even ? NULL : work->agenda[node->wfs].when;
    track->readout = rate > 0 ? formula_interface_readout(c, raw, wfs, rate) : c->readout;
    stage->output = raw;
    stage->bytes = raw;
    stage->share = 1;
    work->ingress[n] = (struct ingress_times){.ingress = INGRESS_IDEAL};
    if (node->to >= 0)
        work->ingress[n] = overhead_ingress(scenario, node->to, node->component);
    if (stage_uses_port(scenario, node)) {
        double wire = stage_port_time(work, scenario, node);

        work->port_time[node->to] += wire;
        work->port_busy[node->to] += wire / stage->divisor;
    }
}

double stage_core_rate(const struct device *host)
{
    struct memory memory;

    device_memory(host, 1, &memory);
    return memory.level[memory.count - 1].bandwidth *
           formula_memory_rate(host, memory_access_efficiency(ACCESS_SEQUENTIAL));
}

/* Returns the time in which a core copies a frame of a camera that its datagrams have filled; 0
 * where software works on packets, or where a port or a frame grabber writes the frame to where it
 * is read. */
static double frame_copy(const struct workspace *work, const struct scenario *scenario, int n,
                         double bytes)
{
    const int host = work->plan.node[n].to;
    const enum ingress ingress = work->ingress[n].ingress;

    if (scenario->general.processing != PROCESSING_FRAMES || ingress == INGRESS_IDEAL ||
        !ingress_has_datagrams(ingress) || scenario->device[host].kind != DEVICE_CPU)
        return 0;
    return formula_frame_copy(bytes, stage_core_rate(&scenario->device[host])) *
           stage_factor(work, host, CAUSE_MEMORY);
}

/* Sets how the data of a camera enter its host, once the load of all ports is known. */
static void set_arrival(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    bool at_once = work->size.packets == 1 && track->readout == 0;
    double bytes = stage->output / scenario->wfs[node->wfs].count;

    track->arrival = (struct arrival){.bytes = bytes, .payload = bytes, .at_once = at_once};
    stage->frame_copy = 0;
    work->receive_time[n] = 0;
    stage->port_limits = false;
    if (node->to >= 0) {
        const struct device *host = &scenario->device[node->to];
        double factor = stage_factor(work, node->to, CAUSE_PORT);
        double readout = track->readout;

        stage->frame_copy = frame_copy(work, scenario, n, bytes);
        track->arrival.latency = work->ingress[n].latency * factor + stage->frame_copy;
        track->arrival.datagram = work->ingress[n].datagram * factor;
        track->arrival.payload = formula_ethernet_payload(host->mtu);
        track->readout = formula_readout_time(
            track->readout,
            stage_uses_port(scenario, node)
                ? work->port_time[node->to]
                : formula_grabber_time(stage->output, &scenario->wfs[node->wfs],
                                       wire_pcie(host->pcie_gen, link_lanes(host, host)).rate));
        stage->port_limits = track->readout > readout;
        work->receive_time[n] = formula_frame_receive_time(
            track->arrival.datagram,
            camera_datagrams(work, scenario, node, track->arrival.payload, &track->arrival.most),
            stage->frame_copy);
    }
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

static double program_at_share(const struct stage *stage, double share)
{
    struct program_machine machine = stage->machine;

    if (share <= 0)
        return 0;
    program_machine_share(&machine, share, stage->own_cores);
    return program_total_time(stage->program, &machine).time;
}

/* Returns the sum of the slots' durations, without fixed times. */
static double slots_time(const struct track *track, const struct weights *weights)
{
    double slope;
    double offset;
    double sum = 0;

    if (track_linear(track, &slope, &offset))
        return slope + offset * weights->count;
    /* pixels may arrive after the last slot that the command needs */
    for (int i = 0; i < track->slots || i <= weights->last; i++)
        sum += track_duration(track, i);
    return sum - track->tail;
}

double stage_at_share(const struct stage *stage, double share, struct track *track)
{
    double slower = share_slowdown(share);

    track->fixed = track->tail_fixed = 0;
    track->compute = stage->program != NULL ? program_at_share(stage, share)
                                            : span_compute(stage, &stage->stream, slower);
    track->memory = stage_span_memory(&stage->stream, slower);
    track->accumulator = stage_span_memory(&stage->accumulator, slower);
    track->tail = roofline_time(span_compute(stage, &stage->tail, slower),
                                stage_span_memory(&stage->tail, slower), track->overlap);
    track->deferred = roofline_time(span_compute(stage, &stage->deferred, slower),
                                    stage_span_memory(&stage->deferred, slower), track->overlap);
    return slots_time(track, &stage->weights);
}

/* Shares claimed by the components of a unit of a device. */
struct claim {
    double stated; /* sum of stated shares */
    double work;   /* work of automatic components that may overlap others */
    int sharing;   /* number of those components */
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

static bool follows(const struct plan_node *node, const struct plan_node *other)
{
    return (node->behind >> other->component & 1) != 0;
}

/* Returns the last slot in which a node works, of those that a command waits for. */
static int last_slot(const struct workspace *work, int n)
{
    const struct weights *weights = &work->stage[n].weights;
    int last = work->track[n].slots - 1;

    if (weights->last <= last || weights->slot == NULL)
        return weights->last <= last ? weights->last : last;
    while (last > 0 && weights->slot[last] == 0)
        last--;
    return last;
}

/* Returns true if two nodes never work at the same time in a frame: one follows the other and has
 * no work before the other's last packet. */
static bool takes_turns(const struct workspace *work, int a, int b)
{
    const struct plan_node *nodes = work->plan.node;

    if (follows(&nodes[a], &nodes[b])) {
        int first = a;

        a = b;
        b = first;
    } else if (!follows(&nodes[b], &nodes[a])) {
        return false;
    }
    return work->stage[b].weights.first >= last_slot(work, a);
}

/* The nodes of each unit: the first, and the next of the same unit; -1: none. */
struct unit_nodes {
    int first[UNIT_MAX], next[NODE_MAX];
};

static void list_unit_nodes(const struct plan *plan, struct unit_nodes *list)
{
    for (int u = 0; u < plan->units; u++)
        list->first[u] = -1;
    for (int n = plan->count - 1; n >= 0; n--) {
        int unit = plan->node[n].unit;

        if (unit < 0)
            continue;
        list->next[n] = list->first[unit];
        list->first[unit] = n;
    }
}

/* Returns the node that claims a share for a node: that of its thread, else itself. */
static int claimant(const struct workspace *work, int n)
{
    return work->stage[n].thread < 0 ? n : work->stage[n].thread;
}

/* Returns true if a node may work at the same time as another one of its unit but not of its
 * thread, of at most one for each component. */
static bool may_overlap(const struct workspace *work, const struct unit_nodes *list, int n)
{
    for (int other = list->first[work->plan.node[n].unit]; other >= 0; other = list->next[other])
        if (claimant(work, other) != claimant(work, n) && !takes_turns(work, n, other))
            return true;
    return false;
}

static bool divides_device(const struct workspace *work, const struct scenario *scenario, int n)
{
    int device = work->plan.node[n].device;

    return device >= 0 && stage_is_partitioned(work, device) &&
           scenario->device[device].kind != DEVICE_FPGA;
}

/* Adds up what the nodes of each thread claim, or one that is alone. */
static void join_claims(struct workspace *work, const struct scenario *scenario)
{
    struct unit_nodes list;

    list_unit_nodes(&work->plan, &list);
    for (int n = 0; n < work->plan.count; n++) {
        work->stage[n].claimed = work->stage[n].claimed_work = 0;
        work->stage[n].claim_overlaps = false;
    }
    for (int n = 0; n < work->plan.count; n++) {
        struct stage *of;
        double stated;

        if (!divides_device(work, scenario, n))
            continue;
        of = &work->stage[claimant(work, n)];
        stated = scenario->component[work->plan.node[n].component].share;
        of->claimed = larger(of->claimed, stated);
        of->claimed_work += work->stage[n].work;
        of->claim_overlaps =
            of->claim_overlaps || (of->claimed == 0 && may_overlap(work, &list, n));
    }
}

/* Divides the partitioned devices. */
static enum status divide_devices(struct workspace *work, const struct scenario *scenario,
                                  struct error *error)
{
    struct claim claims[UNIT_MAX];
    const struct plan *plan = &work->plan;

    memset(claims, 0, sizeof claims[0] * (size_t)plan->units);
    join_claims(work, scenario);
    for (int n = 0; n < plan->count; n++) {
        const struct stage *of = &work->stage[n];
        struct claim *claim;

        if (!divides_device(work, scenario, n) || claimant(work, n) != n)
            continue;
        claim = &claims[plan->node[n].unit];
        claim->stated += of->claimed;
        claim->automatic += of->claimed == 0;
        if (of->claimed == 0 && of->claim_overlaps) {
            claim->sharing++;
            claim->work += of->claimed_work;
        }
        if (check_claim(claim, scenario->device[plan->node[n].device].head.name, error) !=
            STATUS_OK)
            return STATUS_INVALID;
    }
    for (int n = 0; n < plan->count; n++) {
        const struct stage *of = &work->stage[claimant(work, n)];
        const struct claim *claim;
        double stated;

        if (!divides_device(work, scenario, n))
            continue;
        claim = &claims[plan->node[n].unit];
        stated = scenario->component[plan->node[n].component].share;
        work->stage[n].overlaps = of->claimed == 0 && of->claim_overlaps;
        work->stage[n].share = stated > 0                 ? stated
                               : of->claimed > 0          ? of->claimed
                               : !work->stage[n].overlaps ? 1 - claim->stated
                               : claim->work > 0
                                   ? (1 - claim->stated) * of->claimed_work / claim->work
                                   : (1 - claim->stated) / claim->sharing;
    }
    return STATUS_OK;
}

/* Returns true if what matrices with too few rows take is most of the memory time. */
static bool few_rows_take_most(const struct stage *stage, double slower)
{
    double sum = 0;

    for (int i = 0; i < MATRIX_COUNT; i++) {
        const struct matrix_time *matrix = &stage->whole.matrix[i];

        sum += matrix->rows > matrix->gap * slower ? matrix->rows : 0;
    }
    return sum > stage->memory / 2;
}

static enum status set_shares(struct workspace *work, const struct scenario *scenario,
                              struct error *error)
{
    bool divided = false;

    for (int n = 0; n < work->plan.count; n++) {
        int device = work->plan.node[n].device;

        if (device < 0)
            continue;
        work->stage[n].share = work->sharing[device] == SHARING_FLUID ? work->track[n].share : 1;
        divided = divided || stage_is_partitioned(work, device);
    }
    if (divided && divide_devices(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        struct stage *stage = &work->stage[n];
        struct track *track = &work->track[n];

        if (node->device >= 0) {
            double share = stage_is_partitioned(work, node->device) ? stage->share : 1;
            /* the track already has the durations at share 1 */
            double slots = share == 1 ? stage->slots : stage_at_share(stage, share, track);

            stage->time = slots + track->tail + stage->fixed_total;
            track->fixed = stage->fixed;
            track->tail_fixed = stage->fixed_tail;
            track->deferred_fixed = stage->fixed_deferred;
            stage->deferred_time = track->deferred + track->deferred_fixed;
            stage->compute = span_compute(stage, &stage->whole, share_slowdown(share));
            stage->memory = stage_span_memory(&stage->whole, share_slowdown(share));
            stage->few_rows = few_rows_take_most(stage, share_slowdown(share));
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
static void set_whole(struct stage *stage, struct track *track)
{
    track->kind = TRACK_COMPUTE;
    track->slots = 1;
    stage->weights = last_packet(1);
    track->weights = stage->weights;
    stage->divisor = 1;
    stage->thread = -1;
    track->divisor = 1;
    track->device = -1;
}

/* Returns true if a component gets data from another process: from a port, or from a component of
 * the same host with another process name. */
static bool crosses_processes(const struct workspace *work, const struct scenario *scenario,
                              const struct plan_node *node)
{
    const struct plan *plan = &work->plan;
    const char *process = scenario->component[node->component].process;
    int host = plan->device[node->device].host;

    for (int i = 0; i < node->before_count; i++) {
        const struct plan_node *before = &plan->node[plan->pool[node->before_first + i]];

        while (before->component < 0 && before->hop != HOP_NETWORK && before->before_count > 0)
            before = &plan->node[plan->pool[before->before_first]];
        if (before->hop == HOP_NETWORK)
            return true;
        if (before->type == COMPONENT_CAMERA)
            return true;
        if (before->device >= 0 && plan->device[before->device].host == host &&
            strcmp(scenario->component[before->component].process, process) != 0)
            return true;
    }
    return false;
}

/* Returns true if all predecessors of a node run on its unit, and in its thread. */
static bool stays_on_unit(const struct plan *plan, const struct scenario *scenario,
                          const struct plan_node *node)
{
    const char *thread = scenario->component[node->component].thread;

    for (int i = 0; i < node->before_count; i++) {
        const struct plan_node *before = &plan->node[plan->pool[node->before_first + i]];

        if (before->unit != node->unit ||
            strcmp(scenario->component[before->component].thread, thread) != 0)
            return false;
    }
    return node->before_count > 0;
}

/* Sets how a component's work is dispatched. */
static void set_dispatch(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct overhead *overhead = &work->overhead[node->device];
    const struct demand *demand = &work->stage[n].demand;
    const struct device *device = &scenario->device[node->device];
    struct track *track = &work->track[n];
    int host = work->plan.device[node->device].host;
    double factor = stage_factor(work, node->device, CAUSE_DISPATCH);
    bool crowded = overhead_is_crowded(device, work->stage[n].workers);
    bool always = crowded || device->kind == DEVICE_FPGA; /* also when it continues a visit */
    double launch = crowded ? CROWDED_LAUNCH : overhead->launch;

    track->delay_inside = always ? launch * factor : 0;
    if (work->overhead[host].handover > 0 && crosses_processes(work, scenario, node))
        track->delay_inside +=
            work->overhead[host].handover * stage_factor(work, host, CAUSE_DISPATCH);
    track->delay =
        always ? track->delay_inside : formula_delay(launch * factor, track->delay_inside);
    track->continues = stays_on_unit(&work->plan, scenario, node);
    track->enqueue = overhead->graph
                         ? overhead->enqueue * factor
                         : formula_enqueue_time(overhead->enqueue * factor, demand->kernels);
    track->enqueue_inside = overhead->graph ? 0 : track->enqueue;
    track->enqueue_tail =
        overhead->graph ? 0
                        : formula_enqueue_tail(overhead->enqueue * factor, demand->tail_kernels);
    track->thread = track->enqueue == 0 ? -1 : node->unit;
}

/* Sets the device and precedence of a track. With fluid sharing the weight of a component is its
 * stated share, or 1 if it states none. */
static void place_track(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = node->component < 0 ? NULL : &scenario->component[node->component];
    struct track *track = &work->track[n];

    track->command = node->command;
    track->divisor = (int)work->stage[n].divisor;
    track->device = node->unit;
    track->order = n;
    track->beyond = 0;
    track->sleep = 0;
    track->continues = false;
    track->thread = -1;
    work->stage[n].thread = -1;
    work->stage[n].in_thread = 0;
    if (node->device >= 0) {
        work->stage[n].workers = c->thread[0] == '\0'
                                     ? c->workers
                                     : scenario_workers(scenario, node->component, node->device);
        track->order += node->component * NODE_MAX;
        track->rank = c->priority * (NODE_MAX + 1) + NODE_MAX - node->depth;
        track->share = c->share > 0 ? c->share : 1;
        track->sharing = work->sharing[node->device];
    }
}

/* Returns the node of a component on a CPU. */
static int node_on(const struct plan *plan, int component, int cpu)
{
    int n = plan->node_of[component];

    while (plan->node[n].device != cpu)
        n++;
    return n;
}

/* Returns STATUS_INVALID for a thread that cannot be: its components run at once, or in several
 * processes of a CPU that has any. */
static enum status check_thread(const struct workspace *work, const struct scenario *scenario,
                                const struct plan_node *node, struct error *error)
{
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];
    bool processes = device->dispatch == DISPATCH_PROCESS || scenario_has_lock(device);

    if (c->thread[0] == '\0' || device->kind != DEVICE_CPU)
        return STATUS_OK;
    if (work->sharing[node->device] == SHARING_FLUID)
        return error_set(error, STATUS_INVALID,
                         "component.%s.thread: the components of a thread run in turn, but "
                         "scenario.sharing is fluid; allowed: partition, exclusive, or none stated",
                         c->head.name);
    for (int i = 0; i < scenario->component_count && processes; i++) {
        const struct component *other = &scenario->component[i];

        if (strcmp(other->thread, c->thread) == 0 && strcmp(other->process, c->process) != 0 &&
            scenario_runs_on(scenario, i, node->device))
            return error_set(
                error, STATUS_INVALID,
                "component.%s.thread: component.%s has the same thread, but is in another "
                "process; name the same process, or another thread",
                c->head.name, other->head.name);
    }
    return STATUS_OK;
}

/* Finds the thread of a node, if it may share one with others. */
static enum status find_thread(struct workspace *work, const struct scenario *scenario, int n,
                               struct error *error)
{
    const struct plan_node *node = &work->plan.node[n];
    int thread;

    if (check_thread(work, scenario, node, error) != STATUS_OK)
        return STATUS_INVALID;
    thread = stage_is_partitioned(work, node->device)
                 ? scenario_thread(scenario, node->component, node->device)
                 : -1;
    if (thread < 0)
        return STATUS_OK;
    work->stage[n].thread = node_on(&work->plan, thread, node->device);
    work->stage[work->stage[n].thread].in_thread++;
    return STATUS_OK;
}

/* Finds all threads and gives those of several nodes a unit of their own, of which only one of them
 * has a slot at a time. UNIT_MAX is enough: a CPU is one unit, and runs at most COMPONENT_MAX
 * components. */
static enum status place_threads(struct workspace *work, const struct scenario *scenario,
                                 struct error *error)
{
    bool any = false;

    work->units = work->plan.units;
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];

        if (node->device < 0 || (scenario->component[node->component].thread[0] == '\0' &&
                                 !scenario_has_lock(&scenario->device[node->device])))
            continue;
        if (find_thread(work, scenario, n, error) != STATUS_OK)
            return STATUS_INVALID;
        any = true;
    }
    for (int n = 0; n < work->plan.count && any; n++)
        if (work->stage[n].thread == n && work->stage[n].in_thread > 1)
            work->track[n].device = work->units++;
    for (int n = 0; n < work->plan.count && any; n++) {
        if (!stage_in_thread(work, n))
            continue;
        work->track[n].device = work->track[work->stage[n].thread].device;
        work->track[n].sharing = SHARING_EXCLUSIVE;
    }
    return STATUS_OK;
}

/* Sets what belongs to whole devices. */
static void prepare_devices(struct workspace *work, const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++) {
        work->sharing[d] = scenario->device[d].kind == DEVICE_FPGA ? SHARING_PARTITION
                                                                   : scenario_sharing(scenario, d);
        stage_update_device(work, scenario, d);
        work->port_time[d] = work->port_busy[d] = 0;
    }
}

/* Refuses components that work on packets where software waits for the frame. */
static enum status check_processing(const struct scenario *scenario, struct error *error)
{
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];
        const bool custom = c->type == COMPONENT_CUSTOM && c->agenda != AGENDA_FRAME &&
                            knob_set_has(&c->head.own, &knobs[KNOB_COMPONENT_AGENDA]);

        if (scenario->general.processing != PROCESSING_FRAMES ||
            (!custom && c->barrier != BARRIER_PACKET))
            continue;
        return error_set(error, STATUS_INVALID,
                         "component.%s.%s: %s is not possible with scenario.processing = frames; "
                         "allowed: frame",
                         c->head.name, custom ? "agenda" : "barrier",
                         custom ? knob_word(KNOB_COMPONENT_AGENDA, (int)c->agenda) : "packet");
    }
    return STATUS_OK;
}

enum status stage_prepare(struct workspace *work, const struct scenario *scenario,
                          struct error *error)
{
    const struct plan *plan = &work->plan;

    if (check_processing(scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    if (update_agendas(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    prepare_devices(work, scenario);
    stage_forget_stated(work, scenario);
    for (int n = 0; n < plan->count; n++) {
        const struct plan_node *node = &plan->node[n];
        struct track *track = &work->track[n];
        struct stage *stage = &work->stage[n];

        if (!pace_step(work->pace, work->size.packets + node->before_count))
            return STATUS_OK;
        if (work->rebuilt)
            clear_node(stage, track);
        track->before = &plan->pool[node->before_first];
        track->before_count = node->before_count;
        track->queue[0] = track->queue[1] = NO_QUEUE;
        stage->program = NULL; /* the previous design's program may have been freed */
        if (plan_node_is_whole(node)) {
            set_whole(stage, track);
            continue;
        }
        set_flow(work, scenario, n);
        track->weights = stage->weights;
        place_track(work, scenario, n);
        if (node->type == COMPONENT_CAMERA) {
            set_camera(work, scenario, n);
        } else if (node->device >= 0) {
            if (stage_demand(work, scenario, n, error) != STATUS_OK)
                return STATUS_INVALID;
            set_dispatch(work, scenario, n);
        } else {
            set_link(work, scenario, n);
        }
    }
    if (place_threads(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    /* all cameras of a host share its port */
    for (int n = 0; n < plan->count; n++)
        if (plan->node[n].type == COMPONENT_CAMERA)
            set_arrival(work, scenario, n);
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
