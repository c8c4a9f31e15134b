#include "base/number.h"
#include "explain/path.h"
#include "explain/rules.h"
#include "model/result_span.h"

/* Rules of the parts of a component: memory levels, packets, steps of the critical path. */

/* Levels --------------------------------------------------------------------------------------- */

static double level_transfer(const struct explain *explain, struct explain_subject subject)
{
    static const struct explain_rule part = {PART(transfer)};

    return explain_element(explain, subject) * explain_member(explain, subject, &part) /
           explain_rate(explain, subject);
}

static double level_wait(const struct explain *explain, struct explain_subject subject)
{
    static const struct explain_rule part = {PART(wait)};

    return explain_element(explain, subject) * explain_member(explain, subject, &part);
}

/* Of an element that is one of `block` consecutive ones, of which the first meets the latency. */
#define MOVED(block) "fraction * gap * (" block " - 1) / " block
#define MET(block) "fraction * latency / " block
#define LEVELS TIMES(CAUSE_NONE, "device")
#define HIT(held) "max(inner.hit, min(1, pow(capacity / " held ", component.locality)))"

/* clang-format off */
const struct explain_rule explain_level_rules[] = {
    {.key = "transfer", .unit = "ns", .value = level_transfer, .chosen = "device.memory_model",
     .help = "transfer time of an element due to this level, whole device",
     CASES({.when = {IF_SERVES, IF_OPERAND_BYTES, IF_LOADS},
            .formula = "fraction * component.element_bytes / (cores * device.operand_bandwidth * "
                       "component.memory_rate)", LEVELS},
           {.when = {IF_SERVES, IF_OPERAND_BYTES, IF_INNERMOST}},
           {.when = {IF_SERVES, IF_OPERAND_BYTES}, .formula = "fraction * gap", LEVELS},
           {.when = {IF_SERVES, IF_LATENCY, IF_RESIDENT_BYTES},
            .formula = MOVED("component.block"), LEVELS},
           {.when = {IF_SERVES, IF_LATENCY}, .formula = MOVED("component.streamed_block"), LEVELS},
           {.when = {IF_SERVES}, .formula = "fraction * gap", LEVELS})},
    {.key = "wait", .unit = "ns", .value = level_wait, .chosen = "device.memory_model",
     .help = "latency of an element due to this level",
     CASES({.when = {IF_SERVES, IF_OPERAND_BYTES}},
           {.when = {IF_SERVES, IF_LATENCY, IF_RESIDENT_BYTES},
            .formula = MET("component.block"), LEVELS},
           {.when = {IF_SERVES, IF_LATENCY}, .formula = MET("component.streamed_block"), LEVELS},
           {.when = {IF_SERVES}})},
    {.key = "fraction", .unit = "", PART(fraction), .chosen = "device.memory_model",
     .help = "fraction of accesses served by this level",
     CASES({.when = {IF_SERVES}, .formula = "hit - inner.hit"})},
    {.key = "hit", .unit = "", PART(hit), .chosen = "device.memory_model device.add_latency",
     .help = "fraction of accesses served by this level or inner ones",
     CASES({.when = {IF_SERVES, IF_LEVEL, IF_ONLY_LEVEL}, .of = LEVEL_MEMORY, .help = "memory serves all accesses"},
           {.when = {IF_SERVES, IF_LEVEL}, .of = LEVEL_MEMORY, .help = "memory serves all other accesses"},
           {.when = {IF_SERVES, IF_UNCACHED}, .help = "arriving data come from memory"},
           {.when = {IF_SERVES, IF_NO_BYTES}},
           {.when = {IF_SERVES, IF_OPERAND_BYTES}, .formula = HIT("component.operand_held")},
           {.when = {IF_SERVES, IF_RESIDENT_BYTES, IF_OPERATION_LATENCIES},
            .formula = HIT("(component.held + component.touched_bytes)")},
           {.when = {IF_SERVES, IF_RESIDENT_BYTES}, .formula = HIT("component.held")},
           {.when = {IF_SERVES, IF_OPERATION_LATENCIES},
            .formula = HIT("(component.touched_bytes + component.working_set / "
                           "max(1, component.loaded_packets))")},
           {.when = {IF_SERVES}, .formula = HIT("component.packet_bytes")})},
    {.key = "gap", .unit = "ns", .help = "time between two consecutive elements",
     CASES({.when = {IF_SERVES, IF_SHARED_LEVEL},
            .formula = "component.element_bytes / bandwidth / component.memory_rate"
                       " * component.memory_stretch"},
           {.when = {IF_SERVES},
            .formula = "component.element_bytes / bandwidth / component.memory_rate"})},
    {.key = "capacity", .unit = "MiB", LEVEL(capacity), .chosen = "device.kind",
     .help = "usable capacity, of the cores in use",
     CASES({.when = {IF_LEVEL}, .of = LEVEL_MEMORY},
           {.when = {IF_GPU}, .formula = "device.cache_usable * device.%l"},
           {.when = {IF_LEVEL}, .of = LEVEL_L3, .formula = "device.cache_usable * sockets * device.%l"},
           {.when = {IF_ALWAYS}, .formula = "device.cache_usable * cores * device.%l"})},
    {.key = "bandwidth", .unit = "GB/s", LEVEL(bandwidth), .chosen = "device.kind",
     .help = "bandwidth of the cores in use",
     CASES({.when = {IF_ACCELERATOR, IF_LEVEL}, .of = LEVEL_MEMORY, .formula = "device.memory_bandwidth"},
           {.when = {IF_LEVEL, IF_OWN_LEVELS}, .of = LEVEL_MEMORY, .formula = formula_text_memory_level_drawn},
           {.when = {IF_LEVEL}, .of = LEVEL_MEMORY, .formula = formula_text_memory_level},
           {.when = {IF_LEVEL}, .of = LEVEL_L1, TAKEN(l1_level)},
           {.when = {IF_LEVEL}, .of = LEVEL_L2, TAKEN(l2_level)},
           {.when = {IF_L3_STATED, IF_LEVEL, IF_OWN_LEVELS}, .of = LEVEL_L3, .formula = formula_text_l3_drawn},
           {.when = {IF_LEVEL}, .of = LEVEL_L3, TAKEN(l3_level)})},
    {.key = "latency", .unit = "ns", LEVEL(latency),
     .help = "latency of an access over the accesses in flight",
     ALWAYS("device.%l_latency / in_flight")},
    {.key = "latency_share", .unit = "ns", .chosen = "device.memory_model",
     .help = "part of the mean latency of an access that is due to this level",
     CASES({.when = {IF_SERVES}, .formula = "fraction * latency * in_flight", LEVELS})},
    {.key = "in_flight", .unit = "", .chosen = "device.kind", .help = "accesses in flight",
     ALL_TAKEN(in_flight)},
    {.key = "cores", .unit = "", .help = "cores in use",
     CASES({.when = {IF_DEVICE_LEVEL}, .formula = "device.all_cores"},
           {.when = {IF_ALWAYS}, .formula = "component.workers"})},
    {.key = "sockets", .unit = "", .chosen = "device.numa",
     .help = "sockets whose memory and L3 are used",
     ALL_TAKEN(sockets_in_use)},
    {.key = NULL},
};
/* clang-format on */

/* Packets -------------------------------------------------------------------------------------- */

static double packet_weight(const struct explain *explain, struct explain_subject subject)
{
    return track_weight(explain_track(explain, subject), subject.part);
}

static double packet_duration(const struct explain *explain, struct explain_subject subject)
{
    return track_duration(explain_track(explain, subject), subject.part);
}

/* Returns the bytes of a packet, of a camera those of one sensor. */
static double packet_bytes(const struct explain *explain, struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);
    const struct agenda *agenda;

    if (node->type != COMPONENT_CAMERA)
        return packet_weight(explain, subject) * explain_result(explain, subject)->bytes;
    agenda = &explain->result->work->agenda[node->wfs];
    return formula_raw_bytes(agenda_pixels(agenda, subject.part),
                             &explain->scenario->wfs[node->wfs]);
}

static double packet_wire_time(const struct explain *explain, struct explain_subject subject)
{
    double bytes = packet_bytes(explain, subject);
    int to = explain_plan(explain, subject)->to;
    const struct device *host = to < 0 ? NULL : &explain->scenario->device[to];
    struct wire wire;

    if (explain_track(explain, subject)->kind == TRACK_LINK)
        return wire_time(&explain_track(explain, subject)->wire, bytes);
    if (host == NULL)
        return RESULT_NONE;
    wire = wire_ethernet(formula_nic_rate(host), host->mtu);
    return wire_time(&wire, bytes);
}

#define TAIL "component.tail_time + component.fixed_tail"

/* clang-format off */
const struct explain_rule explain_slot_rules[] = {
    {.key = "weight", .unit = "", .value = packet_weight, .help = "fraction of the frame's work",
     .chosen = "component.algorithm component.barrier component.normalisation component.agenda "
               "component.camera.order",
     CASES({.when = {IF_GEOMETRY}, .formula = EXPLAIN_GEOMETRY},
           {.when = {IF_SPREAD}, .formula = "sum(before.*.handed_on) / sum(before.*.slopes)"},
           {.when = {IF_ALWAYS}})},
    {.key = "slopes", .unit = "", .help = "measurements passed on per frame",
     ALWAYS("component.slopes")},
    {.key = "handed_on", .unit = "",
     .chosen = "component.algorithm component.barrier component.normalisation",
     .help = "measurements passed on with this packet",
     CASES({.when = {IF_LATE, IF_LAST}, .formula = "component.slopes"},
           {.when = {IF_LATE}, .formula = "0", .help = "no measurements before the last packet"},
           {.when = {IF_ALWAYS}, .formula = "weight * component.slopes"})},
    {.key = "duration", .unit = "us", .value = packet_duration, .chosen = "component.link",
     .prune = PRUNE_NAMES, .help = "duration of a packet",
     CASES({.when = {IF_LINK, IF_EMPTY}, .help = "no bytes to carry"},
           {.when = {IF_RECEIVED, IF_CORE}, .formula = formula_text_received_time,
            .help = "time on the wire, or of the receiving core if that is longer"},
           {.when = {IF_LINK}, .formula = "wire_time", .help = "time on the wire"},
           {.when = {IF_LOADED, IF_LAST},
            .formula = "work_time + component.fixed + " TAIL},
           {.when = {IF_LOADED}, .formula = "work_time + component.fixed"},
           {.when = {IF_LAST}, .formula = TAIL},
           {.when = {IF_ALWAYS}})},
    {.key = "wire_time", .unit = "us", .value = packet_wire_time, .help = "time on the wire",
     CASES({.when = {IF_LINK, IF_PLAIN_WIRE}, .formula = formula_text_wire_time_plain},
           {.when = {IF_FULL_DATAGRAMS}, .formula = formula_text_wire_time_full},
           {.when = {IF_ALWAYS}, .formula = formula_text_wire_time_rest})},
    {.key = "bytes", .unit = "B", .value = packet_bytes,
     CASES({.when = {IF_CAMERA}, .formula = "weight * component.bytes / component.wfs.count",
            .help = "bytes of a packet of one sensor"},
           {.when = {IF_ALWAYS}, .formula = "weight * component.bytes",
            .help = "bytes of a packet"})},
    {.key = "datagrams", .unit = "", .help = "full datagrams", ALWAYS(formula_text_datagrams)},
    {.key = "received_datagrams", .unit = "", .help = "datagrams, the last one not always full",
     ALWAYS(formula_text_received_datagrams)},
    {.key = "work_time", .unit = "us",
     CASES({.when = {IF_LOADED}, .formula = EXPLAIN_ROOF("weight * component.stream_compute",
                         "weight * component.stream_memory + component.accumulator_time"),
            .help = "compute and memory time combined"},
           {.when = {IF_ALWAYS}, .formula = "0", .help = "no work"})},
    {.key = "full_work_time", .unit = "us",
     CASES({.when = {IF_LOADED},
            .formula = EXPLAIN_ROOF("weight * component.full_stream_compute",
                         "weight * component.full_stream_memory + "
                         "(component.accumulator_transfer + component.accumulator_wait)"),
            .help = "time of its work with the whole device"},
           {.when = {IF_ALWAYS}, .formula = "0", .help = "no work"})},
    {.key = NULL},
};
/* clang-format on */

/* Steps ---------------------------------------------------------------------------------------- */

/* Finds a step and returns the track of its component. */
static const struct track *find_step_track(const struct explain *explain,
                                           struct explain_subject subject,
                                           struct explain_step *step)
{
    *step = explain_step(explain, subject);
    return &explain->result->work->track[step->node];
}

static double step_loaded(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;
    const struct track *track = find_step_track(explain, subject, &step);
    int count = 0;

    for (int i = step.first; i <= step.last; i++)
        count += track_weight(track, i) > 0;
    return count;
}

static double step_weight(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;
    const struct track *track = find_step_track(explain, subject, &step);
    double sum = 0;

    for (int i = step.first; i <= step.last; i++)
        sum += track_weight(track, i);
    return sum;
}

static double step_arrival(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;
    const struct track *track = find_step_track(explain, subject, &step);

    return track->kind == TRACK_LINK && step_loaded(explain, subject) > 0 ? track->latency : 0;
}

static double step_busy(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;
    const struct track *track = find_step_track(explain, subject, &step);
    double sum = step_arrival(explain, subject);

    for (int i = step.first; i <= step.last; i++)
        sum += track_duration(track, i);
    return sum;
}

struct explain_pause explain_step_pause(const struct explain *explain,
                                        struct explain_subject subject)
{
    struct explain_step step;

    find_step_track(explain, subject, &step);
    return explain_pause(explain, step.node, step.first, step.end - step.start);
}

static double step_delay(const struct explain *explain, struct explain_subject subject)
{
    struct explain_pause pause = explain_step_pause(explain, subject);

    return pause.delay + pause.thread;
}

static double thread_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_step_pause(explain, subject).thread;
}

double explain_step_wait(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;

    find_step_track(explain, subject, &step);
    return explain_beyond_rounding(
        explain, step.end - step.start - step_delay(explain, subject) - step_busy(explain, subject),
        step.end);
}

double explain_reception(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = {.node = subject.index};
    const struct track *track = explain_track(explain, subject);

    if (subject.kind == EXPLAIN_STEP) {
        track = find_step_track(explain, subject, &step);
    } else {
        step.last = track->slots - 1;
        step.end = track->last;
    }
    return step.end - camera_time(track, step.last, explain_packets(explain));
}

static double step_off_wire(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step = {.node = subject.index};
    const struct track *track = find_step_track(explain, subject, &step);

    return camera_time(track, step.last, explain_packets(explain));
}

static double step_time(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;

    if (find_step_track(explain, subject, &step)->kind == TRACK_CAMERA)
        return step.end - step.start;
    return step_delay(explain, subject) + explain_step_wait(explain, subject) +
           step_busy(explain, subject);
}

/* Returns the part of a step in the RTC latency: a camera's after its packet is off the wire, that
 * of the last one until the command is off the port. */
static double step_latency(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;
    const struct track *track = find_step_track(explain, subject, &step);

    if (track->kind == TRACK_CAMERA)
        return explain_reception(explain, subject);
    return step_time(explain, subject) -
           (explain_fact_holds(explain, subject, IF_BEYOND) ? track->latency : 0);
}

static double step_packet(const struct explain *explain, struct explain_subject subject)
{
    struct explain_step step;

    find_step_track(explain, subject, &step);
    return step.last + 1;
}

#define SPAN(to, from) "to." to " - from." from
#define PACKETS "weight * component.work_time + loaded * component.fixed"
#define PARTIAL                                                                                    \
    "weight * component.work_time + loaded * (component.accumulator_time + component.fixed)"

static double span_time(const struct explain *explain, struct explain_subject subject)
{
    struct result_span span = explain_span(subject);

    return result_span_read(explain->result, &span);
}

/* clang-format off */
const struct explain_rule explain_span_rules[] = {
    {.key = "", .unit = "us", .value = span_time, .help = "latency between two points",
     CASES({.when = {IF_FROM_END, IF_TO_END}, .formula = SPAN("last_end", "last_end")},
           {.when = {IF_FROM_START, IF_TO_END}, .formula = SPAN("last_end", "first_start")},
           {.when = {IF_FROM_END, IF_TO_START}, .formula = SPAN("first_start", "last_end")},
           {.when = {IF_FROM_START, IF_TO_START}, .formula = SPAN("first_start", "first_start")},
           {.when = {IF_ALWAYS}, .formula = EXPLAIN_RUN})},
    {.key = NULL},
};

const struct explain_rule explain_step_rules[] = {
    {.key = "time", .unit = "us", .value = step_time, .prune = PRUNE_NAMES,
     CASES({.when = {IF_CAMERA, IF_LAST}, .formula = "component.last_end",
            .help = "time until its packet is in the program"},
           {.when = {IF_CAMERA}, .formula = "off_wire + reception",
            .help = "time until its packet is in the program"},
           {.when = {IF_ALWAYS}, .formula = "delay + wait + busy",
            .help = "delay, waiting and busy time of the step"})},
    {.key = "off_wire", .unit = "us", .value = step_off_wire,
     .help = "time when its packet is off the wire",
     CASES({.when = {IF_CAMERA, IF_UNEVEN}},
           {.when = {IF_CAMERA},
            .formula = "component.start + component.time * packet / component.packets"})},
    {.key = "latency", .unit = "us", .value = step_latency,
     CASES({.when = {IF_CAMERA}, .formula = "reception",
            .help = "time from the wire to the program"},
           {.when = {IF_BEYOND}, .formula = "time - component.latency_after",
            .help = "time of the step until the command is off the port"},
           {.when = {IF_ALWAYS}, .formula = "time", .help = "time of the step"})},
    {.key = "reception", .unit = "us", .value = explain_reception,
     .help = "time of the packet from the wire to the program",
     CASES({.when = {IF_CAMERA, IF_LAST}, .formula = "component.reception"},
           {.when = {IF_CAMERA, IF_FRAME_COPY}, .formula = "component.reception"},
           {.when = {IF_CAMERA, IF_PROMPT}, .formula = formula_text_reception},
           {.when = {IF_CAMERA},
            .formula = "received(component.datagram_time, component.ingress_latency, "
                       "component.time, component.sleep, component.bytes, component.wfs.count, "
                       "component.payload, frame_period, packet)"})},
    {.key = "delay", .unit = "us", .value = step_delay, .prune = PRUNE_NAMES,
     .help = "launch, enqueuing, hand-over, copy or port before the work",
     CASES({.when = {IF_STEP_DELAYED, IF_STEP_BEGINS},
            .formula = "component.delay + component.enqueue_time + tail_enqueue + asleep + "
                       "thread_wait"},
           {.when = {IF_STEP_DELAYED},
            .formula = "component.delay_inside + asleep + thread_wait"},
           {.when = {IF_THREAD_WAITS}, .formula = "thread_wait"},
           {.when = {IF_ALWAYS}, .help = "no delay, or hidden behind the packet before"})},
    {.key = "tail_enqueue", .unit = "us",
     .help = "time to enqueue the work after the last packet",
     CASES({.when = {IF_STEP_LAST}, .formula = "component.enqueue_tail"})},
    {.key = "asleep", .unit = "us", .help = "delay while its core wakes from a sleep state",
     CASES({.when = {IF_STEP_ASLEEP}, .formula = "component.sleep"})},
    {.key = "thread_wait", .unit = "us", .value = thread_wait,
     .help = "waiting for the thread that enqueues work on the device",
     CASES({.when = {IF_THREAD_WAITS}, .formula = EXPLAIN_RUN},
           {.when = {IF_ALWAYS}})},
    {.key = "packet", .unit = "", .value = step_packet, .chosen = "component.order",
     .help = "packet that the step waited for", CASES({.when = {IF_ALWAYS}})},
    {.key = "busy", .unit = "us", .value = step_busy, .prune = PRUNE_NAMES,
     .help = "time of its packets, one after another",
     CASES({.when = {IF_LINK, IF_EMPTY}, .formula = "arrival"},
           {.when = {IF_LINK, IF_PLAIN_WIRE},
            .formula = "weight * component.bytes / component.wire_rate + arrival"},
           {.when = {IF_LINK}, .formula = "sum(packets.*.duration) + arrival"},
           {.when = {IF_LINEAR, IF_LOADED, IF_PARTIAL, IF_LAST}, .formula = PARTIAL " + " TAIL},
           {.when = {IF_LINEAR, IF_LOADED, IF_PARTIAL}, .formula = PARTIAL},
           {.when = {IF_LINEAR, IF_LOADED, IF_LAST}, .formula = PACKETS " + " TAIL},
           {.when = {IF_LINEAR, IF_LOADED}, .formula = PACKETS},
           {.when = {IF_LINEAR, IF_LAST}, .formula = TAIL},
           {.when = {IF_LINEAR}},
           {.when = {IF_LOADED}, .formula = "sum(packets.*.duration)"},
           {.when = {IF_LAST}, .formula = "sum(packets.*.duration) + " TAIL},
           {.when = {IF_ALWAYS}, .formula = "sum(packets.*.duration)"})},
    {.key = "wait", .unit = "us", .value = explain_step_wait, .chosen = "scenario.sharing",
     CASES({.when = {IF_STEP_WAITS, IF_STEP_BLOCKED},
            .formula = EXPLAIN_RUN_OF("blocker.busy"),
            .help = "waiting for a link or device that the first component held longest"},
           {.when = {IF_STEP_WAITS}, .formula = EXPLAIN_RUN,
            .help = "waiting for others on the link or device, or for the previous frame"},
           {.when = {IF_ALWAYS}, .help = "no waiting"})},
    {.key = "weight", .unit = "", .value = step_weight, .chosen = "component.loaded_packets",
     .help = "fraction of the frame's work in the step",
     CASES({.when = {IF_LOADED, IF_SEVERAL}, .formula = "sum(packets.*.weight)"},
           {.when = {IF_LOADED}, .formula = "max(packets.*.weight)"},
           {.when = {IF_ALWAYS}})},
    {.key = "loaded", .unit = "", .value = step_loaded, .chosen = "component.loaded_packets",
     .help = "packets with work", CASES({.when = {IF_ALWAYS}})},
    {.key = "arrival", .unit = "us", .value = step_arrival,
     .help = "latency of switches, cable and the receiver's port",
     CASES({.when = {IF_LINK, IF_LOADED}, .formula = "component.latency_after"},
           {.when = {IF_ALWAYS}})},
    {.key = NULL},
};
/* clang-format on */
