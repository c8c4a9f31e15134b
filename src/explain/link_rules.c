#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "explain/node.h"
#include "explain/rules.h"
#include "model/formulas.h"
#include "model/link.h"

/* Cameras, transfers and mirrors: what they carry and how long that takes. */

static bool is_link(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->kind == TRACK_LINK;
}

static bool is_camera(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->kind == TRACK_CAMERA;
}

static bool is_mirror(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->type == COMPONENT_DM;
}

static bool inserted(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->component < 0;
}

/* Both ends outside the machines: nothing is carried. */
static bool idle(const struct explain *explain, struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);

    return is_link(explain, subject) && (node->hop == HOP_NONE || (node->from < 0 && node->to < 0));
}

static bool stated_bytes(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return is_link(explain, subject) && c != NULL && c->type == COMPONENT_TRANSFER && c->bytes > 0;
}

static bool is_network(const struct explain *explain, struct explain_subject subject)
{
    return is_link(explain, subject) && !idle(explain, subject) &&
           explain_plan(explain, subject)->hop == HOP_NETWORK;
}

static bool is_plain(const struct explain *explain, struct explain_subject subject)
{
    return is_link(explain, subject) && !idle(explain, subject) &&
           explain_track(explain, subject)->wire.payload == 0;
}

static bool is_nvlink(const struct explain *explain, struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);
    const struct plan *plan = &explain->result->work->plan;
    int end = node->to >= 0 && plan->device[node->to].kind == DEVICE_GPU ? node->to
              : node->from >= 0                                          ? node->from
                                                                         : node->to;

    return is_link(explain, subject) && node->hop == HOP_PCIE &&
           explain->scenario->device[end].kind == DEVICE_GPU &&
           explain->scenario->device[end].host_link == HOST_LINK_NVLINK;
}

static double output(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->output;
}

/* What a mirror is sent, some of it by each part of a split producer; else what comes in. */
static void output_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    const struct plan_node *node = explain_plan(explain, subject);
    const struct plan *plan = &explain->result->work->plan;

    if (is_mirror(explain, subject))
        explain_copy_formula(formula_text_command_bytes, text, size);
    else if (node->component >= 0)
        snprintf(text, size, "sum(before.*.output)");
    else if (explain->scenario->component[node->consumer].type == COMPONENT_DM)
        snprintf(text, size, "consumer.output%s",
                 plan->node[node->producer].parts > 0 ? " / producer.parts" : "");
    else
        snprintf(text, size, "producer.output%s", node->pieces > 1 ? " / pieces" : "");
}

static double pieces(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->pieces;
}

static double parts(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->parts;
}

static double wire_rate(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->wire.rate;
}

static double payload(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->wire.payload;
}

static double arrival(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->latency;
}

static double actuators(const struct explain *explain, struct explain_subject subject)
{
    double own = explain_component(explain, subject)->actuators;

    return own > 0 ? own : explain->scenario->ao.actuators;
}

static bool actuators_open(const struct explain *explain, struct explain_subject subject)
{
    return is_mirror(explain, subject) && explain_component(explain, subject)->actuators == 0;
}

static double mirror_arrival(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->last + explain_component(explain, subject)->settle;
}

static double hops(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c == NULL ? LINK_HOPS : c->hops;
}

static double length(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c == NULL ? LINK_LENGTH : c->length;
}

static bool stores(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return c != NULL && c->switching == SWITCH_STORE_FORWARD;
}

static double hop_time(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);

    return wire_hop_time(&explain_track(explain, subject)->wire,
                         c == NULL ? SWITCH_CUT_THROUGH : (enum switch_kind)c->switching);
}

static void arrival_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    if (is_network(explain, subject))
        snprintf(text, size, "%s", formula_text_network_latency);
}

/* The ends of a network link: devices. */
static double of_ends(const struct explain *explain, struct explain_subject subject,
                      double (*join)(double, double), double (*value)(const struct device *))
{
    const struct plan_node *node = explain_plan(explain, subject);
    const struct device *device = explain->scenario->device;

    if (node->from < 0 || node->to < 0)
        return value(&device[node->from < 0 ? node->to : node->from]);
    return join(value(&device[node->from]), value(&device[node->to]));
}

static double rate_of(const struct device *device)
{
    return device->nic * device->nics;
}

static double mtu_of(const struct device *device)
{
    return device->mtu;
}

static double driver_of(const struct device *device)
{
    return device->driver;
}

static double add(double a, double b)
{
    return a + b;
}

static double nic_rate(const struct explain *explain, struct explain_subject subject)
{
    return of_ends(explain, subject, smaller, rate_of);
}

static double network_mtu(const struct explain *explain, struct explain_subject subject)
{
    return of_ends(explain, subject, smaller, mtu_of);
}

static double drivers(const struct explain *explain, struct explain_subject subject)
{
    return of_ends(explain, subject, add, driver_of);
}

static double header(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->wire.header;
}

static double minimum(const struct explain *explain, struct explain_subject subject)
{
    return explain_track(explain, subject)->wire.minimum;
}

/* The PCIe payload rate of a lane is a constant of the generation. */
static double lane_rate(const struct explain *explain, struct explain_subject subject)
{
    struct wire wire;
    const struct plan_node *node = explain_plan(explain, subject);
    const struct plan *plan = &explain->result->work->plan;
    int end = node->to >= 0 && plan->device[node->to].kind == DEVICE_GPU ? node->to
              : node->from >= 0                                          ? node->from
                                                                         : node->to;

    wire = wire_pcie(smaller(explain->scenario->device[end].pcie_gen,
                             explain->scenario->device[plan->device[end].host].pcie_gen),
                     1);
    return wire.rate;
}

/* Cameras ------------------------------------------------------------------------------------ */

static double smallest_mtu(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject host;
    double mtu = INFINITY;

    for (int i = 0; explain_host(explain, subject, i, &host); i++)
        mtu = smaller(mtu, explain->scenario->device[host.index].mtu);
    return mtu == INFINITY ? LINK_MTU : mtu;
}

static double interface_rate(const struct explain *explain, struct explain_subject subject)
{
    return camera_link_rate(explain_component(explain, subject), smallest_mtu(explain, subject));
}

static bool interfaced(const struct explain *explain, struct explain_subject subject)
{
    return is_camera(explain, subject) && interface_rate(explain, subject) > 0;
}

static bool is_gige(const struct explain *explain, struct explain_subject subject)
{
    return is_camera(explain, subject) &&
           explain_component(explain, subject)->interface == INTERFACE_GIGE_VISION;
}

static double camera_payload(const struct explain *explain, struct explain_subject subject)
{
    return formula_ethernet_payload(smallest_mtu(explain, subject));
}

static double camera_header(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    (void)subject;
    return wire_ethernet(1, LINK_MTU).header;
}

static bool feeds_none(const struct explain *explain, struct explain_subject subject)
{
    struct explain_subject host;

    return is_camera(explain, subject) && !explain_host(explain, subject, 0, &host);
}

static void interface_text(const struct explain *explain, struct explain_subject subject,
                           char *text, size_t size)
{
    switch ((enum camera_interface)explain_component(explain, subject)->interface) {
    case INTERFACE_COAXPRESS_6:
        explain_copy_formula(formula_text_coaxpress_6, text, size);
        break;
    case INTERFACE_COAXPRESS_12:
        explain_copy_formula(formula_text_coaxpress_12, text, size);
        break;
    case INTERFACE_GIGE_VISION:
        explain_copy_formula(formula_text_gige_vision, text, size);
        break;
    case INTERFACE_NONE:
    case INTERFACE_CAMERA_LINK_BASE:
    case INTERFACE_CAMERA_LINK_MEDIUM:
    case INTERFACE_CAMERA_LINK_FULL:
    case INTERFACE_CAMERA_LINK_80:
        break;
    }
}

static bool exposure_open(const struct explain *explain, struct explain_subject subject)
{
    return is_camera(explain, subject) && explain_component(explain, subject)->exposure == 0;
}

static bool rolls(const struct explain *explain, struct explain_subject subject)
{
    return is_camera(explain, subject) &&
           explain_component(explain, subject)->shutter == SHUTTER_ROLLING;
}

double explain_integration(const struct explain *explain, struct explain_subject subject)
{
    return explain_result(explain, subject)->exposure -
           (rolls(explain, subject) ? explain_track(explain, subject)->readout : 0);
}

static bool transfers_frames(const struct explain *explain, struct explain_subject subject)
{
    return is_camera(explain, subject) && explain_component(explain, subject)->frame_transfer;
}

/* clang-format off */
const struct explain_rule explain_link_rules[] = {
    {EXPLAIN_COMPONENT, "bytes", NULL, is_camera, formula_text_raw_bytes, NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "bytes", NULL, idle, NULL, NULL, "nothing is carried", NULL, false},
    {EXPLAIN_COMPONENT, "bytes", NULL, is_link, "output", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "pieces", "", NULL, NULL, pieces, "one of so many, split over devices",
     NULL, false},
    {EXPLAIN_COMPONENT, "parts", "", NULL, NULL, parts, "devices it is split over", NULL, false},
    {EXPLAIN_COMPONENT, "command_actuators", "", actuators_open, "ao.actuators", actuators,
     "commands it takes", NULL, false},
    {EXPLAIN_COMPONENT, "command_actuators", "", is_mirror, "knob.actuators", actuators,
     "commands it takes", NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, is_camera, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, idle, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, is_plain, formula_text_wire_time_plain, NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, is_link, "sum(packets.*.duration)", NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "memory_time", NULL, NULL, NULL, NULL, "it has no work and no share", NULL,
     false},
    {EXPLAIN_COMPONENT, "time", NULL, interfaced,
     formula_text_readout_time, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "time", NULL, is_camera, "readout", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "time", NULL, NULL, "memory_time", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "interface_rate", "MB/s", interfaced, NULL, interface_rate,
     "payload of the camera's interface", interface_text, false},
    {EXPLAIN_COMPONENT, "mtu", "B", feeds_none, NULL, smallest_mtu, "usual, it feeds no host", NULL,
     false},
    {EXPLAIN_COMPONENT, "mtu", "B", is_camera, "min(hosts.*.mtu)", smallest_mtu,
     "smallest of the hosts it feeds", NULL, false},
    {EXPLAIN_COMPONENT, "exposure", NULL, exposure_open, formula_text_frame_exposure, NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "integration", "us", rolls, "exposure - time", explain_integration,
     "exposure, its end that of the mean row", NULL, false},
    {EXPLAIN_COMPONENT, "integration", "us", is_camera, "exposure", explain_integration,
     "exposure, as long before the readout", NULL, false},
    {EXPLAIN_COMPONENT, "busy", NULL, exposure_open, "time", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "busy", NULL, transfers_frames, formula_text_busy_frame_transfer, NULL, NULL, NULL,
     false},
    {EXPLAIN_COMPONENT, "busy", NULL, is_camera, formula_text_busy_exposing, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "busy", NULL, NULL, "time", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "wire_rate", "GB/s", is_nvlink, "board.host_bandwidth", wire_rate,
     "of the link", NULL, false},
    {EXPLAIN_COMPONENT, "wire_rate", "GB/s", is_plain, "lane_rate * min(board.pcie_lanes, 16)",
     wire_rate, "of the link", NULL, false},
    {EXPLAIN_COMPONENT, "wire_rate", "GB/s", is_network, formula_text_ethernet_rate, wire_rate,
     "of the link", NULL, false},
    {EXPLAIN_COMPONENT, "nic_rate", "Gbit/s", is_network, "min(ends.*.nic_rate)", nic_rate,
     "of the slower end", NULL, false},
    {EXPLAIN_COMPONENT, "header", "B", is_network, NULL, header,
     "of a datagram: IP, UDP and Ethernet with preamble and gap", NULL, false},
    {EXPLAIN_COMPONENT, "minimum", "B", is_network, NULL, minimum, "of a datagram on the wire",
     NULL, false},
    {EXPLAIN_COMPONENT, "drivers", "us", is_network, "sum(ends.*.driver)", drivers,
     "latency at the ends", NULL, false},
    {EXPLAIN_COMPONENT, "lane_rate", "GB/s", is_plain,
     "pcie(board.pcie_gen, host.pcie_gen)", lane_rate,
     "payload of a lane of the lower generation", NULL, false},
    {EXPLAIN_COMPONENT, "payload", "B", is_network, formula_text_ethernet_payload, payload,
     "of a full datagram", NULL, false},
    {EXPLAIN_COMPONENT, "mtu", "B", is_network, "min(ends.*.mtu)", network_mtu,
     "of the smaller end", NULL, false},
    {EXPLAIN_COMPONENT, "payload", "B", is_gige, formula_text_ethernet_payload, camera_payload,
     "of a full datagram", NULL, false},
    {EXPLAIN_COMPONENT, "header", "B", is_gige, NULL, camera_header,
     "of a datagram: IP, UDP and Ethernet with preamble and gap", NULL, false},
    {EXPLAIN_COMPONENT, "arrival", "us", is_mirror, "last_end + settle", mirror_arrival,
     "when the mirror has settled, from the start of readout", NULL, false},
    {EXPLAIN_COMPONENT, "latency_after", "us", is_link, NULL, arrival,
     "drivers, switches and cable, after the wire", arrival_text, false},
    {EXPLAIN_COMPONENT, "hops", "", inserted, NULL, hops, "switches on the way", NULL, false},
    {EXPLAIN_COMPONENT, "length", "m", inserted, NULL, length, "of cable", NULL, false},
    {EXPLAIN_COMPONENT, "hop_time", "us", stores, formula_text_store_forward_time, hop_time,
     "of a switch that takes a datagram in before it sends it on", NULL, false},
    {EXPLAIN_COMPONENT, "hop_time", "us", is_network, NULL, hop_time, "of a cut-through switch",
     NULL, false},
    {EXPLAIN_COMPONENT, "output", "B", is_camera, "bytes", output, "handed on per frame", NULL,
     false},
    {EXPLAIN_COMPONENT, "output", "B", stated_bytes, "knob.bytes", output, "stated", NULL, false},
    {EXPLAIN_COMPONENT, "output", "B", is_link, NULL, output, "handed on per frame", output_text,
     false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
