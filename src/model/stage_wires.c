/* Cameras, links and ports: their wires, delays and datagrams. Part of stage.h. */
#include "model/stage.h"

#include <math.h>

#include "base/number.h"
#include "model/device.h"
#include "model/formulas.h"

static double command_bytes(const struct scenario *scenario, int dm)
{
    return formula_command_bytes(scenario_actuators(scenario, dm), &scenario->component[dm]);
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
        rate = smaller(rate, formula_nic_rate(device));
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

void stage_set_payload(struct workspace *work, const struct scenario *scenario, int n)
{
    work->stage[n].output = link_payload(work, scenario, &work->plan.node[n]);
}

void stage_set_link(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    bool outside = node->from < 0 && node->to < 0;

    track->kind = TRACK_LINK;
    track->queue[0] = node->queue[0];
    track->queue[1] = node->queue[1];
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
    struct wire wire = wire_ethernet(formula_nic_rate(host), host->mtu);
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

void stage_set_camera(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct wfs *wfs = &scenario->wfs[node->wfs];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];

    track->kind = TRACK_CAMERA;
    track->start = wfs->start;
    track->when = work->agenda[node->wfs].even ? NULL : work->agenda[node->wfs].when;
    stage->output = stage->bytes = formula_raw_bytes(stage->pixels, wfs);
    stage->share = 1;
    work->ingress[n] = (struct ingress_times){.ingress = INGRESS_IDEAL};
    if (node->to >= 0)
        work->ingress[n] = overhead_ingress(scenario, node->to, node->component);
    if (stage_uses_port(scenario, node)) {
        double wire = stage_port_time(work, scenario, node);

        work->port_time[node->to] += wire;
        work->port_busy[node->to] += formula_port_busy(wire, stage->divisor);
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
void stage_set_arrival(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = &scenario->component[node->component];
    const struct wfs *wfs = &scenario->wfs[node->wfs];
    struct stage *stage = &work->stage[n];
    struct track *track = &work->track[n];
    const double mtu = c->interface == INTERFACE_GIGE_VISION
                           ? smallest_host_mtu(work, scenario, node->component)
                           : 0;
    const double readout = formula_own_readout(c, stage->output, wfs, camera_link_rate(c, mtu));
    bool at_once = work->size.packets == 1 && readout == 0;
    double bytes = formula_frame_bytes(stage->output, wfs);

    track->readout = readout;
    track->arrival = (struct arrival){.bytes = bytes, .payload = bytes, .at_once = at_once};
    stage->frame_copy = 0;
    work->receive_time[n] = 0;
    stage->port_limits = false;
    if (node->to >= 0) {
        const struct device *host = &scenario->device[node->to];
        double factor = stage_factor(work, node->to, CAUSE_PORT);

        stage->frame_copy = frame_copy(work, scenario, n, bytes);
        track->arrival.latency = work->ingress[n].latency * factor + stage->frame_copy;
        track->arrival.datagram = work->ingress[n].datagram * factor;
        track->arrival.payload = formula_ethernet_payload(host->mtu);
        track->readout = formula_readout_time(
            readout,
            stage_uses_port(scenario, node)
                ? work->port_time[node->to]
                : formula_grabber_time(stage->output, wfs,
                                       wire_pcie(host->pcie_gen, link_lanes(host, host)).rate));
        stage->port_limits = track->readout > readout;
        work->receive_time[n] = formula_frame_receive_time(
            track->arrival.datagram,
            camera_datagrams(work, scenario, node, track->arrival.payload, &track->arrival.most),
            stage->frame_copy);
    }
    stage->time = track->readout;
}
