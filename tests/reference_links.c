#include "reference_links.h"
#include "figures.h"
#include "reference_memory.h"

#include <math.h>
#include <stdlib.h>

#define HEADER 66.0
#define SMALLEST 84.0

static double or_else(double stated, double automatic)
{
    return stated >= 0 ? stated : automatic;
}

/* Wires ---------------------------------------------------------------------------------------- */

static double datagrams_of(double bytes, double mtu)
{
    return bytes > 0 ? ceil(bytes / (mtu - 28) * (1 - 1e-12)) : 0; /* but for rounding */
}

/* Seconds of the datagrams on the wire, one by one. */
static double wire_seconds(double bytes, double mtu, double bits_per_second)
{
    double full = bytes > 0 ? datagrams_of(bytes, mtu) - 1 : 0;
    double rest = bytes - full * (mtu - 28);

    if (bytes <= 0)
        return 0;
    return 8 * (full * (mtu - 28 + HEADER) + fmax(SMALLEST, rest + HEADER)) / bits_per_second;
}

static double nic_of(const struct device *d)
{
    return d->nic * d->nics;
}

/* B/s of a PCIe link. */
static double pcie_rate(double generation, double lanes)
{
    static const double transfers[] = {0, 2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9};
    double code = generation <= 2   ? 8.0 / 10 * 0.914
                  : generation <= 5 ? 128.0 / 130 * 0.914
                                    : 242.0 / 256 * 0.94;

    return lanes * transfers[(int)generation] * code / 8;
}

static double board_generation(const struct scenario *scenario, int board)
{
    int host = reference_host(scenario, board);

    return fmin(scenario->device[board].pcie_gen, scenario->device[host].pcie_gen);
}

/* B/s of a board's link to its host, whose memory it may share. */
static double board_rate(const struct scenario *scenario, int board)
{
    const struct device *d = &scenario->device[board];

    if (d->host_link == HOST_LINK_UNIFIED)
        return INFINITY;
    if (d->host_link == HOST_LINK_NVLINK)
        return d->host_bandwidth;
    return pcie_rate(board_generation(scenario, board),
                     fmin(fmin(d->pcie_lanes, 16),
                          scenario->device[reference_host(scenario, board)].pcie_lanes));
}

static double card_rate(const struct device *host)
{
    return pcie_rate(host->pcie_gen, fmin(host->pcie_lanes, 16));
}

/* Ports ---------------------------------------------------------------------------------------- */

static bool by_grabber(const struct component *camera)
{
    return camera->interface != INTERFACE_NONE && camera->interface != INTERFACE_GIGE_VISION;
}

/* Whether any GPU of the host works on what comes through its port: from a camera (-1: from any)
 * or, with -1, from a component elsewhere. */
static bool port_to_gpu(const struct scenario *scenario, int host, int camera)
{
    for (int c = 0; c < scenario->component_count; c++) {
        uint32_t on = scenario_devices(scenario, c);
        bool gpu = false;

        for (int d = 0; d < scenario->device_count; d++)
            gpu |= (on >> d & 1) != 0 && scenario->device[d].kind == DEVICE_GPU &&
                   reference_host(scenario, d) == host;
        for (int b = 0; b < scenario->component_count && gpu; b++) {
            bool from_camera = scenario->component[b].type == COMPONENT_CAMERA;
            int device = scenario_device(scenario, b);

            if ((scenario_predecessors(scenario, c) >> b & 1) == 0)
                continue;
            if (b == camera || (camera < 0 && (from_camera || device < 0 ||
                                               reference_host(scenario, device) != host)))
                return true;
        }
    }
    return false;
}

/* Of a camera, or with -1 of other hosts. */
static enum ingress ingress_of(const struct scenario *scenario, int host, int camera)
{
    int ingress = scenario->device[host].ingress;

    if (ingress < 0)
        ingress = scenario->device[host].kind == DEVICE_FPGA ? INGRESS_IDEAL : INGRESS_KERNEL;
    if (ingress == INGRESS_IDEAL ||
        (ingress == INGRESS_RDMA && port_to_gpu(scenario, host, camera)))
        return (enum ingress)ingress;
    if (camera >= 0 && by_grabber(&scenario->component[camera]))
        return INGRESS_FRAME_GRABBER;
    return ingress == INGRESS_RDMA ? INGRESS_BYPASS : (enum ingress)ingress;
}

static double ingress_latency(const struct device *host, enum ingress ingress)
{
    static const double automatic[] = {[INGRESS_KERNEL] = FIGURE_INGRESS_US * 1e-6,
                                       [INGRESS_BUSY_POLL] = 6e-6,
                                       [INGRESS_BYPASS] = 1e-6,
                                       [INGRESS_FRAME_GRABBER] = 10e-6,
                                       [INGRESS_RDMA] = 4.2e-6,
                                       [INGRESS_IDEAL] = 0};

    return or_else(host->ingress_latency, automatic[ingress]);
}

static double datagram_time(const struct device *host, enum ingress ingress)
{
    double payload = host->mtu - 28;
    double at_once = host->receive_offload && payload < 65536 ? floor(65536 / payload) : 1;
    double kernel = 2.2e-6 * (0.7 + 0.3 / at_once) + 0.12e-9 * payload;
    const double automatic[] = {
        [INGRESS_KERNEL] = kernel,   [INGRESS_BUSY_POLL] = kernel, [INGRESS_BYPASS] = 0.1e-6,
        [INGRESS_FRAME_GRABBER] = 0, [INGRESS_RDMA] = 0,           [INGRESS_IDEAL] = 0};

    if (ingress == INGRESS_FRAME_GRABBER || ingress == INGRESS_RDMA) /* there are none */
        return 0;
    return or_else(host->datagram_time, automatic[ingress]);
}

static double egress_latency(const struct device *host)
{
    static const double automatic[] = {[EGRESS_KERNEL] = 4e-6,
                                       [EGRESS_BUSY_POLL] = 3e-6,
                                       [EGRESS_BYPASS] = 0.5e-6,
                                       [EGRESS_IDEAL] = 0};

    return or_else(host->egress_latency, automatic[host->egress]);
}

bool reference_kernel_ingress(const struct scenario *scenario, int host)
{
    return ingress_of(scenario, host, -1) == INGRESS_KERNEL;
}

double reference_handover(const struct scenario *scenario, int host)
{
    const struct device *d = &scenario->device[host];

    if (d->kind != DEVICE_CPU)
        return 0;
    return or_else(d->handover, d->dispatch != DISPATCH_PROCESS || d->os == OS_IDEAL ? 0
                                : d->framework == FRAMEWORK_INTERPRETER
                                    ? FIGURE_INTERPRETED_HANDOVER_US * 1e-6
                                    : FIGURE_HANDOVER_US * 1e-6);
}

/* Cameras -------------------------------------------------------------------------------------- */

/* B of a packet of one sensor. */
static double packet_bytes(const struct scenario *scenario, const struct reference_node *node,
                           int packet)
{
    double bits = scenario->wfs[node->wfs].bit_depth;

    return round(node->weight[packet] * node->output * 8 / scenario->wfs[node->wfs].count / bits) *
           bits / 8; /* of whole pixels */
}

static double port_seconds(const struct scenario *scenario, const struct reference_plan *plan,
                           int node, int host)
{
    const struct reference_node *camera = &plan->node[node];
    const struct device *d = &scenario->device[host];
    double sum = 0;

    for (int i = 0; i < plan->packets; i++)
        sum += wire_seconds(packet_bytes(scenario, camera, i), d->mtu, nic_of(d));
    return sum * scenario->wfs[camera->wfs].count;
}

/* B/s of the camera's interface; 0: no limit. The smallest mtu of all hosts it feeds sets the
 * pace. */
static double interface_rate(const struct scenario *scenario, int component)
{
    const struct component *c = &scenario->component[component];
    double mtu = 0;

    for (int b = 0; b < scenario->component_count; b++)
        for (int d = 0; d < scenario->device_count; d++) {
            const struct device *host = &scenario->device[reference_host(scenario, d)];

            if ((scenario_predecessors(scenario, b) >> component & 1) != 0 &&
                scenario_runs_on(scenario, b, d) && (mtu == 0 || host->mtu < mtu))
                mtu = host->mtu;
        }
    if (mtu == 0)
        mtu = LINK_MTU;
    switch ((enum camera_interface)c->interface) {
    case INTERFACE_CAMERA_LINK_BASE:
        return 255e6;
    case INTERFACE_CAMERA_LINK_MEDIUM:
        return 510e6;
    case INTERFACE_CAMERA_LINK_FULL:
        return 680e6;
    case INTERFACE_CAMERA_LINK_80:
        return 850e6;
    case INTERFACE_COAXPRESS_6:
        return 600e6 * c->lanes;
    case INTERFACE_COAXPRESS_12:
        return 1200e6 * c->lanes;
    case INTERFACE_GIGE_VISION:
        return c->link_rate / 8 * (mtu - 28) / (mtu - 28 + HEADER);
    default:
        return 0;
    }
}

/* When the data of each slot have left the sensor: packet j of P after (j + 1) / P of its readout.
 */
static void fill_gone(const struct scenario *scenario, const struct reference_plan *plan, int wfs,
                      double *gone)
{
    double own = scenario->wfs[wfs].packets;
    double packets = own > 0 ? own : scenario->general.packets;

    for (int i = 0; i < plan->packets; i++)
        gone[i] = floor((i + 1) * packets / plan->packets) / packets;
}

/* Seconds in which a core reads and writes a frame that its datagrams have filled. */
static double frame_copy(const struct scenario *scenario, const struct device *host,
                         enum ingress ingress, double bytes)
{
    struct reference_level levels[4];
    int count;

    if (scenario->general.processing != PROCESSING_FRAMES || host->kind != DEVICE_CPU ||
        (ingress != INGRESS_KERNEL && ingress != INGRESS_BUSY_POLL && ingress != INGRESS_BYPASS))
        return 0;
    count = reference_levels(host, 1, true, levels);
    return 2 * bytes / (levels[count - 1].bandwidth * host->sustained_memory * 0.92);
}

void reference_camera_make(const struct scenario *scenario, const struct reference_plan *plan,
                           int node, struct reference_camera *camera)
{
    const struct reference_node *n = &plan->node[node];
    const struct component *c = &scenario->component[n->component];
    double one = n->output / scenario->wfs[n->wfs].count; /* B of a sensor */
    double rate = interface_rate(scenario, n->component);
    enum ingress ingress;
    const struct device *host;

    *camera = (struct reference_camera){.host = reference_host_behind(scenario, n->component)};
    camera->datagrams = calloc((size_t)plan->packets, sizeof *camera->datagrams);
    camera->gone = calloc((size_t)plan->packets, sizeof *camera->gone);
    camera->start = scenario->wfs[n->wfs].start;
    fill_gone(scenario, plan, n->wfs, camera->gone);
    camera->readout = fmax(c->readout, rate > 0 ? one / rate : 0);
    if (camera->host < 0)
        return;
    host = &scenario->device[camera->host];
    ingress = ingress_of(scenario, camera->host, n->component);
    camera->network = !by_grabber(c);
    camera->by_kernel = ingress == INGRESS_KERNEL;
    camera->copy = frame_copy(scenario, host, ingress, one);
    camera->latency = ingress_latency(host, ingress) + camera->copy;
    camera->each = datagram_time(host, ingress);
    camera->at_once = plan->packets == 1 && c->readout == 0 && rate == 0;
    for (int i = 0; i < plan->packets; i++)
        camera->datagrams[i] = datagrams_of(packet_bytes(scenario, n, i), host->mtu);
    if (camera->network) {
        double sum = 0;

        camera->wire = port_seconds(scenario, plan, node, camera->host);
        for (int o = 0; o < plan->count; o++)
            if (plan->node[o].kind == REFERENCE_CAMERA &&
                !by_grabber(&scenario->component[plan->node[o].component]) &&
                reference_host_behind(scenario, plan->node[o].component) == camera->host)
                sum += port_seconds(scenario, plan, o, camera->host);
        camera->readout = fmax(camera->readout, sum);
    } else {
        camera->readout = fmax(camera->readout, one / card_rate(host));
    }
}

double reference_arrival(const struct reference_camera *camera, int packet, int packets)
{
    (void)packets;
    return camera->start + (packet < 0 ? 0 : camera->gone[packet] * camera->readout);
}

double reference_handled(const struct reference_camera *camera, int packet, int packets,
                         double before)
{
    double from = reference_arrival(camera, packet - 1, packets);
    double count = camera->datagrams[packet];
    double arrival = reference_arrival(camera, packet, packets);

    if (camera->host < 0)
        return arrival;
    if (count == 0)
        return fmax(arrival, before);
    if (camera->at_once)
        return arrival + camera->each;
    return fmax(
        fmax(arrival + camera->each, from + (arrival - from) / count + count * camera->each),
        before + count * camera->each);
}

/* Copies --------------------------------------------------------------------------------------- */

double reference_enqueue(const struct device *device)
{
    if (device->kind != DEVICE_GPU)
        return 0;
    if (device->framework == FRAMEWORK_INTERPRETER)
        return or_else(device->enqueue, 0);
    return or_else(device->enqueue, device->dispatch == DISPATCH_STREAM  ? 2.4e-6
                                    : device->dispatch == DISPATCH_GRAPH ? 3e-6
                                                                         : 0);
}

/* Mapped memory is written by the host through its own link. */
static double mapped_in_rate(const struct scenario *scenario, int board)
{
    double generation = board_generation(scenario, board);

    return fmin(board_rate(scenario, board), generation <= 3   ? 10e9
                                             : generation == 4 ? 15e9
                                                               : 22e9);
}

/* The camera whose data a copy carries; -1: others. */
static int camera_of(const struct reference_plan *plan, const struct reference_node *node)
{
    for (int i = 0; i < node->before_count && node->component < 0; i++)
        if (plan->node[node->before[i]].type == COMPONENT_CAMERA)
            return plan->node[node->before[i]].component;
    return -1;
}

/* Returns the rate. */
static double make_copy(const struct scenario *scenario, const struct reference_plan *plan,
                        const struct reference_node *node, struct reference_link *link)
{
    bool in = node->kind == REFERENCE_COPY_IN;
    int board = in ? node->to.device : node->from.device;
    int host = reference_host(scenario, board);
    const struct device *d = &scenario->device[board];
    int camera = in ? camera_of(plan, node) : -1;
    int port = camera < 0 ? -1 : reference_host_behind(scenario, camera);

    link->queue[0] = host * HOST_QUEUES + (in ? BOARDS_IN : BOARDS_OUT);
    if (d->kind != DEVICE_GPU) {
        link->delay = 1e-6;
        return board_rate(scenario, board);
    }
    if (port >= 0 && (d->copy == COPY_RDMA || ingress_of(scenario, port, camera) == INGRESS_RDMA)) {
        link->queue[0] = -1;
        return INFINITY;
    }
    if (d->copy == COPY_RDMA || d->copy == COPY_MAPPED) {
        link->delay = or_else(d->copy_latency, 0.1e-6) + (in ? 0 : 1e-6);
        return in ? mapped_in_rate(scenario, board) : board_rate(scenario, board);
    }
    link->delay = or_else(d->copy_latency, 7e-6);
    link->thread = in ? node->to : node->from;
    if (d->dispatch == DISPATCH_STREAM)
        link->enqueue = reference_enqueue(d);
    return board_rate(scenario, board);
}

static double make_peer(const struct scenario *scenario, const struct reference_node *node,
                        struct reference_link *link)
{
    const struct device *a = &scenario->device[node->from.device];
    const struct device *b = &scenario->device[node->to.device];
    int host = reference_host(scenario, node->from.device);
    bool nvlink = a->peer_link == PEER_NVLINK && b->peer_link == PEER_NVLINK;

    link->delay = fmax(or_else(a->peer_latency, a->peer_link == PEER_NVLINK ? 1.9e-6 : 16e-6),
                       or_else(b->peer_latency, b->peer_link == PEER_NVLINK ? 1.9e-6 : 16e-6));
    if (nvlink)
        return fmin(a->peer_bandwidth, b->peer_bandwidth);
    link->queue[0] = host * HOST_QUEUES + BOARDS_OUT;
    link->queue[1] = host * HOST_QUEUES + BOARDS_IN;
    return fmin(board_rate(scenario, node->from.device), board_rate(scenario, node->to.device));
}

/* Networks ------------------------------------------------------------------------------------- */

static double hop_seconds(enum switch_kind switching, double mtu, double rate)
{
    return switching == SWITCH_CUT_THROUGH ? 0.5e-6 : (mtu - 28 + HEADER) * 8 / rate;
}

static void make_network(const struct scenario *scenario, const struct reference_plan *plan,
                         const struct reference_node *node, struct reference_link *link)
{
    const struct component *c = node->component < 0 ? NULL : &scenario->component[node->component];
    double hops = c == NULL ? LINK_HOPS : c->hops;
    double length = c == NULL ? LINK_LENGTH : c->length;
    enum switch_kind switching = c == NULL || node->type == COMPONENT_DM
                                     ? SWITCH_CUT_THROUGH
                                     : (enum switch_kind)c->switching;
    double mtu = LINK_MTU;
    double rate = 0;
    double each = 0;

    if (node->from.device < 0 && node->to.device < 0) /* from outside to outside */
        return;
    if (node->from.device >= 0) {
        const struct device *from = &scenario->device[node->from.device];

        mtu = from->mtu;
        rate = nic_of(from);
        link->queue[0] = node->from.device * HOST_QUEUES + PORT_OUT;
        link->delay = egress_latency(from) + reference_handover(scenario, node->from.device);
    }
    if (node->to.device >= 0) {
        const struct device *to = &scenario->device[node->to.device];
        enum ingress ingress = ingress_of(scenario, node->to.device, -1);

        mtu = node->from.device >= 0 ? fmin(mtu, to->mtu) : to->mtu;
        rate = node->from.device >= 0 ? fmin(rate, nic_of(to)) : nic_of(to);
        link->queue[1] = node->to.device * HOST_QUEUES + PORT_IN;
        each = datagram_time(to, ingress);
        /* the core handles the last datagram, or it is slower and had to wait for the first */
        link->latency = ingress_latency(to, ingress) +
                        fmin(each, wire_seconds(fmin(node->output, mtu - 28), mtu, rate));
    }
    link->latency += hops * hop_seconds(switching, mtu, rate) + length * 5e-9;
    for (int i = 0; i < plan->packets; i++) {
        double bytes = node->weight[i] * node->output;

        link->hold[i] = fmax(wire_seconds(bytes, mtu, rate), datagrams_of(bytes, mtu) * each);
    }
}

void reference_link_make(const struct scenario *scenario, const struct reference_plan *plan,
                         int node, struct reference_link *link)
{
    const struct reference_node *n = &plan->node[node];
    double rate = INFINITY;

    *link = (struct reference_link){.queue = {-1, -1}, .thread = {-1, 0}};
    link->hold = calloc((size_t)plan->packets, sizeof *link->hold);
    switch (n->kind) {
    case REFERENCE_NETWORK:
        make_network(scenario, plan, n, link);
        return;
    case REFERENCE_COPY_IN:
    case REFERENCE_COPY_OUT:
        rate = make_copy(scenario, plan, n, link);
        break;
    case REFERENCE_PEER:
        rate = make_peer(scenario, n, link);
        break;
    case REFERENCE_CARD:
        if (n->from.device < 0)
            break;
        link->delay =
            1e-6 + (n->type == COMPONENT_DM ? reference_handover(scenario, n->from.device) : 0);
        link->queue[0] = n->from.device * HOST_QUEUES + CARDS_OUT;
        rate = card_rate(&scenario->device[n->from.device]);
        break;
    default:
        break;
    }
    for (int i = 0; i < plan->packets; i++)
        link->hold[i] = n->weight[i] * n->output / rate;
}
