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

static bool actuators_open(const struct explain *explain, struct explain_subject subject)
{
    return is_mirror(explain, subject) && explain_component(explain, subject)->actuators == 0;
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

/* A constant as a formula, the value of a leaf. */
#define NUMBER(constant) NUMBER_TEXT(constant)
#define NUMBER_TEXT(text) #text

/* clang-format off */
const struct explain_rule explain_link_rules[] = {
    {.kind = EXPLAIN_COMPONENT, .key = "bytes", .when = is_camera,
     .formula = formula_text_raw_bytes},
    {.kind = EXPLAIN_COMPONENT, .key = "bytes", .when = idle, .help = "nothing is carried"},
    {.kind = EXPLAIN_COMPONENT, .key = "bytes", .when = is_link, .formula = "output"},
    {.kind = EXPLAIN_COMPONENT, .key = "pieces", .unit = "", PLAN(pieces),
     .help = "one of so many, split over devices"},
    {.kind = EXPLAIN_COMPONENT, .key = "parts", .unit = "", PLAN(parts),
     .help = "devices it is split over"},
    {.kind = EXPLAIN_COMPONENT, .key = "command_actuators", .unit = "", .when = actuators_open,
     .formula = "ao.actuators", .help = "commands it takes"},
    {.kind = EXPLAIN_COMPONENT, .key = "command_actuators", .unit = "", .when = is_mirror,
     .formula = "knob.actuators", .help = "commands it takes"},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = is_camera},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = idle},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = is_plain,
     .formula = formula_text_wire_time_plain},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .when = is_link,
     .formula = "sum(packets.*.duration)"},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_time", .help = "it has no work and no share"},
    {.kind = EXPLAIN_COMPONENT, .key = "time", .when = interfaced,
     .formula = formula_text_readout_time},
    {.kind = EXPLAIN_COMPONENT, .key = "time", .when = is_camera, .formula = "readout"},
    {.kind = EXPLAIN_COMPONENT, .key = "time", .formula = "memory_time"},
    {.kind = EXPLAIN_COMPONENT, .key = "interface_rate", .unit = "MB/s", .when = interfaced,
     .value = interface_rate, .write = interface_text, .help = "payload of the camera's interface"},
    {.kind = EXPLAIN_COMPONENT, .key = "mtu", .unit = "B", .when = feeds_none,
     .value = smallest_mtu, .help = "usual, it feeds no host"},
    {.kind = EXPLAIN_COMPONENT, .key = "mtu", .unit = "B", .when = is_camera, .value = smallest_mtu,
     .formula = "min(hosts.*.mtu)", .help = "smallest of the hosts it feeds"},
    {.kind = EXPLAIN_COMPONENT, .key = "exposure", .when = exposure_open,
     .formula = formula_text_frame_exposure},
    {.kind = EXPLAIN_COMPONENT, .key = "integration", .unit = "us", .when = rolls,
     .formula = "exposure - time", .help = "exposure, its end that of the mean row"},
    {.kind = EXPLAIN_COMPONENT, .key = "integration", .unit = "us", .when = is_camera,
     .formula = "exposure", .help = "exposure, as long before the readout"},
    {.kind = EXPLAIN_COMPONENT, .key = "busy", .when = exposure_open, .formula = "time"},
    {.kind = EXPLAIN_COMPONENT, .key = "busy", .when = transfers_frames,
     .formula = formula_text_busy_frame_transfer},
    {.kind = EXPLAIN_COMPONENT, .key = "busy", .when = is_camera,
     .formula = formula_text_busy_exposing},
    {.kind = EXPLAIN_COMPONENT, .key = "busy", .formula = "time"},
    {.kind = EXPLAIN_COMPONENT, .key = "wire_rate", .unit = "GB/s", .when = is_nvlink,
     TRACK(wire.rate), .formula = "board.host_bandwidth", .help = "of the link"},
    {.kind = EXPLAIN_COMPONENT, .key = "wire_rate", .unit = "GB/s", .when = is_plain,
     TRACK(wire.rate), .formula = "lane_rate * min(board.pcie_lanes, 16)", .help = "of the link"},
    {.kind = EXPLAIN_COMPONENT, .key = "wire_rate", .unit = "GB/s", .when = is_network,
     TRACK(wire.rate), .formula = formula_text_ethernet_rate, .help = "of the link"},
    {.kind = EXPLAIN_COMPONENT, .key = "nic_rate", .unit = "Gbit/s", .when = is_network,
     .formula = "min(ends.*.nic_rate)", .help = "of the slower end"},
    {.kind = EXPLAIN_COMPONENT, .key = "header", .unit = "B", .when = is_network,
     TRACK(wire.header), .help = "of a datagram: IP, UDP and Ethernet with preamble and gap"},
    {.kind = EXPLAIN_COMPONENT, .key = "minimum", .unit = "B", .when = is_network,
     TRACK(wire.minimum), .help = "of a datagram on the wire"},
    {.kind = EXPLAIN_COMPONENT, .key = "drivers", .unit = "us", .when = is_network,
     .formula = "sum(ends.*.driver)", .help = "latency at the ends"},
    {.kind = EXPLAIN_COMPONENT, .key = "lane_rate", .unit = "GB/s", .when = is_plain,
     .value = lane_rate, .formula = "pcie(board.pcie_gen, host.pcie_gen)",
     .help = "payload of a lane of the lower generation"},
    {.kind = EXPLAIN_COMPONENT, .key = "payload", .unit = "B", .when = is_network,
     TRACK(wire.payload), .formula = formula_text_ethernet_payload, .help = "of a full datagram"},
    {.kind = EXPLAIN_COMPONENT, .key = "mtu", .unit = "B", .when = is_network,
     .formula = "min(ends.*.mtu)", .help = "of the smaller end"},
    {.kind = EXPLAIN_COMPONENT, .key = "payload", .unit = "B", .when = is_gige,
     .formula = formula_text_ethernet_payload, .help = "of a full datagram"},
    {.kind = EXPLAIN_COMPONENT, .key = "header", .unit = "B", .when = is_gige,
     .value = camera_header, .help = "of a datagram: IP, UDP and Ethernet with preamble and gap"},
    {.kind = EXPLAIN_COMPONENT, .key = "arrival", .unit = "us", .when = is_mirror,
     .formula = "last_end + settle",
     .help = "when the mirror has settled, from the start of readout"},
    {.kind = EXPLAIN_COMPONENT, .key = "latency_after", .unit = "us", .when = is_link,
     TRACK(latency), .write = arrival_text, .help = "drivers, switches and cable, after the wire"},
    {.kind = EXPLAIN_COMPONENT, .key = "hops", .unit = "", .when = inserted,
     .formula = NUMBER(LINK_HOPS),
     .help = "switches on the way"},
    {.kind = EXPLAIN_COMPONENT, .key = "length", .unit = "m", .when = inserted,
     .formula = NUMBER(LINK_LENGTH),
     .help = "of cable"},
    {.kind = EXPLAIN_COMPONENT, .key = "hop_time", .unit = "us", .when = stores, .value = hop_time,
     .formula = formula_text_store_forward_time,
     .help = "of a switch that takes a datagram in before it sends it on"},
    {.kind = EXPLAIN_COMPONENT, .key = "hop_time", .unit = "us", .when = is_network,
     .value = hop_time, .help = "of a cut-through switch"},
    {.kind = EXPLAIN_COMPONENT, .key = "output", .unit = "B", .when = is_camera, STAGE(output),
     .formula = "bytes", .help = "handed on per frame"},
    {.kind = EXPLAIN_COMPONENT, .key = "output", .unit = "B", .when = stated_bytes, STAGE(output),
     .formula = "knob.bytes", .help = "stated"},
    {.kind = EXPLAIN_COMPONENT, .key = "output", .unit = "B", .when = is_link, STAGE(output),
     .write = output_text, .help = "handed on per frame"},
    {.key = NULL},
};
/* clang-format on */
