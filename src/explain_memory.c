#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "explain_rules.h"
#include "larger.h"
#include "memory.h"
#include "workload.h"

/* Three kinds of bytes have levels of their own: what stays in memory, what arrives from a camera
 * or a link, and what else streams through. A level of a device, as all its cores see it, has the
 * number of the device after those of the nodes. */

static const struct device *device_at(const struct explain *explain, struct explain_subject subject)
{
    int device = subject.index >= NODE_MAX        ? subject.index - NODE_MAX
                 : subject.kind == EXPLAIN_DEVICE ? subject.index
                                                  : explain_plan(explain, subject)->device;

    return &explain->scenario->device[device];
}

static const struct memory *memory_at(const struct explain *explain, struct explain_subject subject)
{
    const struct workspace *work = explain->result->work;

    return subject.index >= NODE_MAX ? &work->memory[subject.index - NODE_MAX]
                                     : work->stage[subject.index].levels;
}

static enum memory_level_id id_of(struct explain_subject subject)
{
    return (enum memory_level_id)(subject.part % LEVEL_COUNT);
}

static enum explain_bytes bytes_of(struct explain_subject subject)
{
    return (enum explain_bytes)(subject.part / LEVEL_COUNT);
}

static const struct memory_level *level_at(const struct explain *explain,
                                           struct explain_subject subject)
{
    const struct memory *memory = memory_at(explain, subject);

    for (int k = 0; k < memory->count; k++)
        if (memory->level[k].id == id_of(subject))
            return &memory->level[k];
    return &memory->level[memory->count - 1];
}

static const struct memory_cost *cost_at(const struct explain *explain,
                                         struct explain_subject subject)
{
    const struct stage_costs *costs = &explain->result->work->stage[subject.index].costs;

    return bytes_of(subject) == EXPLAIN_RESIDENT   ? &costs->resident
           : bytes_of(subject) == EXPLAIN_ARRIVING ? &costs->arriving
                                                   : &costs->streamed;
}

static const struct memory_part *part_at(const struct explain *explain,
                                         struct explain_subject subject)
{
    const struct memory_cost *cost = cost_at(explain, subject);

    for (int k = 0; k < cost->count; k++)
        if (cost->part[k].level == id_of(subject))
            return &cost->part[k];
    return &cost->part[cost->count - 1];
}

static bool on_gpu(const struct explain *explain, struct explain_subject subject)
{
    return device_at(explain, subject)->kind == DEVICE_GPU;
}

static bool of_device(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    return subject.index >= NODE_MAX;
}

/* What of the device is in use --------------------------------------------------------------- */

static double cores(const struct explain *explain, struct explain_subject subject)
{
    return of_device(explain, subject) ? device_cores(device_at(explain, subject))
                                       : explain_stage(explain, subject)->cores;
}

static double sockets(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = device_at(explain, subject);

    return device->numa ? ceil(cores(explain, subject) / device->cores) : 1;
}

static double in_flight(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = device_at(explain, subject);

    return device->outstanding *
           (on_gpu(explain, subject) ? device->units : cores(explain, subject));
}

static bool spread(const struct explain *explain, struct explain_subject subject)
{
    return device_at(explain, subject)->numa != 0;
}

/* Levels --------------------------------------------------------------------------------------- */

static double capacity(const struct explain *explain, struct explain_subject subject)
{
    return level_at(explain, subject)->capacity;
}

static double bandwidth(const struct explain *explain, struct explain_subject subject)
{
    return level_at(explain, subject)->bandwidth;
}

static double latency(const struct explain *explain, struct explain_subject subject)
{
    return level_at(explain, subject)->latency;
}

static double hit(const struct explain *explain, struct explain_subject subject)
{
    return part_at(explain, subject)->hit;
}

static double fraction(const struct explain *explain, struct explain_subject subject)
{
    return part_at(explain, subject)->fraction;
}

static double element(const struct explain *explain, struct explain_subject subject)
{
    return precision_bytes((enum precision)explain_component(explain, subject)->precision);
}

static double rate(const struct explain *explain, struct explain_subject subject)
{
    return device_at(explain, subject)->sustained_memory *
           explain_stage(explain, subject)->memory_efficiency;
}

static double gap(const struct explain *explain, struct explain_subject subject)
{
    return element(explain, subject) / bandwidth(explain, subject) / rate(explain, subject);
}

static double transfer(const struct explain *explain, struct explain_subject subject)
{
    return element(explain, subject) * part_at(explain, subject)->transfer / rate(explain, subject);
}

static double wait(const struct explain *explain, struct explain_subject subject)
{
    return element(explain, subject) * part_at(explain, subject)->wait;
}

static bool waits(const struct explain *explain, struct explain_subject subject)
{
    return memory_model_waits((enum memory_model)device_at(explain, subject)->memory_model);
}

static bool is_memory(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    return id_of(subject) == LEVEL_MEMORY;
}

static bool only_memory(const struct explain *explain, struct explain_subject subject)
{
    return is_memory(explain, subject) && cost_at(explain, subject)->count == 1;
}

static bool innermost(const struct explain *explain, struct explain_subject subject)
{
    return cost_at(explain, subject)->part[0].level == id_of(subject);
}

/* All of it comes from memory. */
static bool passed_over(const struct explain *explain, struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);

    return bytes_of(subject) == EXPLAIN_ARRIVING && explain_arrives(explain, subject) &&
           node->device >= 0;
}

static double held(const struct explain *explain, struct explain_subject subject)
{
    return explain->result->work->held[subject.index];
}

/* Knobs of a level: l1, l1_bandwidth, l1_latency. */
static const char *knob_key(struct explain_subject subject, const char *what)
{
    static const char *const names[LEVEL_COUNT][3] = {
        {"l1", "l1_bandwidth", "l1_latency"},
        {"l2", "l2_bandwidth", "l2_latency"},
        {"l3", "l3_bandwidth", "l3_latency"},
        {"memory", "memory_bandwidth", "memory_latency"}};

    return names[id_of(subject)][strcmp(what, "capacity") == 0    ? 0
                                 : strcmp(what, "bandwidth") == 0 ? 1
                                                                  : 2];
}

/* How many of what a level's knobs speak of. */
static const char *many(const struct explain *explain, struct explain_subject subject)
{
    if (on_gpu(explain, subject))
        return "";
    return id_of(subject) == LEVEL_L3 ? "sockets * " : "cores * ";
}

static void capacity_text(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size)
{
    snprintf(text, size, "device.cache_usable * %sdevice.%s", many(explain, subject),
             knob_key(subject, "capacity"));
}

static void latency_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    (void)explain;
    snprintf(text, size, "device.%s / in_flight", knob_key(subject, "latency"));
}

static double stated_bandwidth(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = device_at(explain, subject);

    switch (id_of(subject)) {
    case LEVEL_L1:
        return device->l1_bandwidth;
    case LEVEL_L2:
        return device->l2_bandwidth;
    case LEVEL_L3:
        return device->l3_bandwidth;
    case LEVEL_MEMORY:
        break;
    }
    return 0;
}

/* Memory may be narrowed to some sockets, and to what the cores draw. */
static void memory_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    bool some = !on_gpu(explain, subject) &&
                sockets(explain, subject) < device_at(explain, subject)->sockets;
    const char *channels =
        some ? "device.memory_bandwidth * sockets / device.sockets" : "device.memory_bandwidth";

    if (!of_device(explain, subject) &&
        explain_stage(explain, subject)->levels == &explain_stage(explain, subject)->own_levels)
        snprintf(text, size, "min(%s, cores * device.core_bandwidth)", channels);
    else
        snprintf(text, size, "%s", channels);
}

static void bandwidth_text(const struct explain *explain, struct explain_subject subject,
                           char *text, size_t size)
{
    static const char *const cpu[LEVEL_COUNT] = {
        "64 * cores * device.clock", "32 * cores * device.clock",
        "device.clock * min(24 * cores, 10 * sockets * device.cores)", ""};
    static const char *const gpu[LEVEL_COUNT] = {"", "3 * device.memory_bandwidth",
                                                 "2 * device.memory_bandwidth", ""};

    if (is_memory(explain, subject))
        memory_text(explain, subject, text, size);
    else if (stated_bandwidth(explain, subject) > 0)
        snprintf(text, size, "%sdevice.%s", many(explain, subject), knob_key(subject, "bandwidth"));
    else
        snprintf(text, size, "max(%s, outer.bandwidth)",
                 (on_gpu(explain, subject) ? gpu : cpu)[id_of(subject)]);
}

static void hit_text(const struct explain *explain, struct explain_subject subject, char *text,
                     size_t size)
{
    static const char *const held_names[] = {"device.held", "component.packet_bytes",
                                             "component.packet_bytes"};
    const char *name = held_names[bytes_of(subject)];
    bool inner = !innermost(explain, subject);
    struct explain_subject device = {EXPLAIN_DEVICE, explain_plan(explain, subject)->device, 0};
    double bytes = bytes_of(subject) == EXPLAIN_RESIDENT ? held(explain, device)
                                                         : explain_packet_bytes(explain, subject);

    if (is_memory(explain, subject) || passed_over(explain, subject) || bytes <= 0)
        return;
    snprintf(text, size, "%smin(1, (capacity / %s) ^ component.locality)%s",
             inner ? "max(inner.hit, " : "", name, inner ? ")" : "");
}

static void fraction_text(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size)
{
    snprintf(text, size, innermost(explain, subject) ? "hit" : "hit - inner.hit");
}

/* Without latencies every element costs the same gap. */
static void transfer_text(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size)
{
    const char *block =
        bytes_of(subject) == EXPLAIN_RESIDENT ? "component.block" : "component.streamed_block";

    if (waits(explain, subject))
        snprintf(text, size, "fraction * gap * (%s - 1) / %s", block, block);
    else
        snprintf(text, size, "fraction * gap");
}

static void wait_text(const struct explain *explain, struct explain_subject subject, char *text,
                      size_t size)
{
    if (waits(explain, subject))
        snprintf(text, size, "fraction * latency / %s",
                 bytes_of(subject) == EXPLAIN_RESIDENT ? "component.block"
                                                       : "component.streamed_block");
}

/* Knobs of a device left open ------------------------------------------------------------------ */

#define OPEN(field, unset)                                                                         \
    static bool field##_open(const struct explain *explain, struct explain_subject subject)        \
    {                                                                                              \
        return device_at(explain, subject)->field == (unset);                                      \
    }

OPEN(l1, CAPACITY_AUTO)
OPEN(l2, CAPACITY_AUTO)
OPEN(l3, CAPACITY_AUTO)
OPEN(l1_bandwidth, 0)
OPEN(l2_bandwidth, 0)
OPEN(l3_bandwidth, 0)
OPEN(l1_latency, 0)
OPEN(l2_latency, 0)
OPEN(l3_latency, 0)
OPEN(memory_latency, 0)
OPEN(core_bandwidth, 0)

static bool l3_of_cores(const struct explain *explain, struct explain_subject subject)
{
    return l3_open(explain, subject) && !on_gpu(explain, subject);
}

/* In the loop over the sockets of one of the levels all cores see. */
static void socket_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    snprintf(text, size, on_gpu(explain, subject) ? "l3.bandwidth" : "l3.bandwidth / l3.sockets");
}

static void core_l1_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    (void)explain;
    (void)subject;
    snprintf(text, size, "l1.bandwidth / all_cores");
}

static void core_l2_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    snprintf(text, size, on_gpu(explain, subject) ? "l2.bandwidth" : "l2.bandwidth / all_cores");
}

/* A component's bytes -------------------------------------------------------------------------- */

static bool computes(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->device >= 0;
}

bool explain_arrives(const struct explain *explain, struct explain_subject subject)
{
    const struct plan_node *node = explain_plan(explain, subject);

    for (int i = 0; i < node->before_count; i++) {
        int before = explain->result->work->plan.pool[node->before_first + i];
        enum component_type type = explain->result->work->plan.node[before].type;

        if (type == COMPONENT_CAMERA || type == COMPONENT_TRANSFER)
            return true;
    }
    return false;
}

static double read_bytes(const struct explain *explain, struct explain_subject subject)
{
    const struct demand *demand = &explain_stage(explain, subject)->demand;

    return demand->stream.read + demand->tail.read + demand->deferred.read;
}

static double written_bytes(const struct explain *explain, struct explain_subject subject)
{
    const struct demand *demand = &explain_stage(explain, subject)->demand;

    return demand->stream.written + demand->tail.written + demand->deferred.written;
}

double explain_packet_bytes(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return (read_bytes(explain, subject) + written_bytes(explain, subject)) /
               larger(1, stage->weights.count) +
           stage->demand.accumulator;
}

static enum access access_of(const struct explain *explain, struct explain_subject subject)
{
    const struct component *c = explain_component(explain, subject);
    const struct algorithm *row =
        algorithm_row(explain->scenario, explain_plan(explain, subject)->component);

    return c->access == CHOICE_AUTO ? row->access : (enum access)c->access;
}

static bool block_open(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && explain_component(explain, subject)->block == 0 &&
           explain_stage(explain, subject)->working_set > 0;
}

static double block(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->block;
}

static void block_text(const struct explain *explain, struct explain_subject subject, char *text,
                       size_t size)
{
    const struct algorithm *row =
        algorithm_row(explain->scenario, explain_plan(explain, subject)->component);
    double own = explain_stage(explain, subject)->demand.block;
    const char *rows = strcmp(row->name, "tlr") == 0        ? "tile"
                       : strncmp(row->name, "polc", 4) == 0 ? "ao.actuators"
                                                            : "columns";
    enum access access = access_of(explain, subject);

    if (access == ACCESS_STRIDED)
        snprintf(text, size, "max(1, 64 / element_bytes)");
    else if (access == ACCESS_SEQUENTIAL && own > 0)
        snprintf(text, size, "max(1, %s)", rows);
    else if (access == ACCESS_SEQUENTIAL)
        snprintf(text, size, "max(1, working_set / element_bytes)");
}

static double streamed_block(const struct explain *explain, struct explain_subject subject)
{
    double size = element(explain, subject);

    switch (access_of(explain, subject)) {
    case ACCESS_STRIDED:
        return larger(1, 64 / size);
    case ACCESS_RANDOM:
        return 1;
    case ACCESS_SEQUENTIAL:
        break;
    }
    return larger(1, explain_packet_bytes(explain, subject) / size);
}

static void streamed_block_text(const struct explain *explain, struct explain_subject subject,
                                char *text, size_t size)
{
    enum access access = access_of(explain, subject);

    if (access == ACCESS_STRIDED)
        snprintf(text, size, "max(1, 64 / element_bytes)");
    else if (access == ACCESS_SEQUENTIAL)
        snprintf(text, size, "max(1, packet_bytes / element_bytes)");
}

static bool efficiency_open(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) &&
           explain_component(explain, subject)->memory_efficiency == 0;
}

/* Seconds per element of one kind of bytes. */
static double resident_transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.resident.transfer * element(explain, subject) /
           rate(explain, subject);
}

static double arriving_transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.arriving.transfer * element(explain, subject) /
           rate(explain, subject);
}

static double streamed_transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.streamed.transfer * element(explain, subject) /
           rate(explain, subject);
}

static double resident_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.resident.wait * element(explain, subject);
}

static double arriving_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.arriving.wait * element(explain, subject);
}

static double streamed_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.streamed.wait * element(explain, subject);
}

#define SPAN(name, field)                                                                          \
    static double name(const struct explain *explain, struct explain_subject subject)              \
    {                                                                                              \
        return explain_stage(explain, subject)->field;                                             \
    }

SPAN(stream_transfer, stream.transfer)
SPAN(stream_wait, stream.wait)
SPAN(tail_transfer, tail.transfer)
SPAN(tail_wait, tail.wait)
SPAN(deferred_transfer, deferred.transfer)
SPAN(deferred_wait, deferred.wait)
SPAN(accumulator_transfer, accumulator.transfer)
SPAN(accumulator_wait, accumulator.wait)
SPAN(transfer_time, whole.transfer)
SPAN(wait_time, whole.wait)

/* Seconds of a part: its elements of each kind by what one of them costs. */
static void seconds_text(const struct explain *explain, struct explain_subject subject,
                         const char *part, const struct work *work, const char *what, char *text,
                         size_t size)
{
    const char *read = explain_arrives(explain, subject) ? "arriving" : "streamed";
    size_t used = 0;

    if (work->resident > 0)
        used += (size_t)snprintf(text, size, "sweeps * %s_resident / element_bytes * resident_%s",
                                 part, what);
    if (work->read > 0)
        used += (size_t)snprintf(text + used, size - used, "%s%s_read / element_bytes * %s_%s",
                                 used > 0 ? " + " : "", part, read, what);
    if (work->written > 0)
        snprintf(text + used, size - used, "%s%s_written / element_bytes * streamed_%s",
                 used > 0 ? " + " : "", part, what);
}

#define PART_TEXT(part, what)                                                                      \
    static void part##_##what##_text(const struct explain *explain,                                \
                                     struct explain_subject subject, char *text, size_t size)      \
    {                                                                                              \
        seconds_text(explain, subject, #part, &explain_stage(explain, subject)->demand.part,       \
                     #what, text, size);                                                           \
    }

PART_TEXT(stream, transfer)
PART_TEXT(stream, wait)
PART_TEXT(tail, transfer)
PART_TEXT(tail, wait)
PART_TEXT(deferred, transfer)
PART_TEXT(deferred, wait)

static void whole_text(const struct explain *explain, struct explain_subject subject,
                       const char *what, char *text, size_t size)
{
    const struct demand *demand = &explain_stage(explain, subject)->demand;
    bool tail = work_bytes(&demand->tail) > 0;

    snprintf(text, size, "stream_%s%s%s%s%s", what, tail ? " + tail_" : "", tail ? what : "",
             demand->accumulator > 0 ? " + loaded_packets * accumulator_" : "",
             demand->accumulator > 0 ? what : "");
}

static void transfer_time_text(const struct explain *explain, struct explain_subject subject,
                               char *text, size_t size)
{
    whole_text(explain, subject, "transfer", text, size);
}

static void wait_time_text(const struct explain *explain, struct explain_subject subject,
                           char *text, size_t size)
{
    whole_text(explain, subject, "wait", text, size);
}

static double device_cores_of(const struct explain *explain, struct explain_subject subject)
{
    return device_cores(device_at(explain, subject));
}

static double taken_cores(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    for (int n = 0; n < explain->result->node_count; n++)
        if (explain->result->work->plan.node[n].device == subject.index)
            sum +=
                explain->scenario->component[explain->result->work->plan.node[n].component].workers;
    return sum;
}

static bool workers_open(const struct explain *explain, struct explain_subject subject)
{
    return computes(explain, subject) && !on_gpu(explain, subject) &&
           explain_component(explain, subject)->workers == 0;
}

static bool some_workers(const struct explain *explain, struct explain_subject subject)
{
    return workers_open(explain, subject) &&
           explain_stage(explain, subject)->cores < device_cores(device_at(explain, subject));
}

/* clang-format off */
const struct explain_rule explain_memory_rules[] = {
    {EXPLAIN_COMPONENT, "transfer_time", "us", computes, NULL, transfer_time,
     "of all its bytes with all of the bandwidth", transfer_time_text, false},
    {EXPLAIN_COMPONENT, "wait_time", "us", computes, NULL, wait_time,
     "latency of the first element of every block", wait_time_text, false},
    {EXPLAIN_COMPONENT, "stream_transfer", "us", computes, NULL, stream_transfer,
     "bytes that come with the packets, all of the bandwidth", stream_transfer_text, false},
    {EXPLAIN_COMPONENT, "stream_wait", "us", computes, NULL, stream_wait,
     "latency in what comes with the packets", stream_wait_text, false},
    {EXPLAIN_COMPONENT, "tail_transfer", "us", computes, NULL, tail_transfer,
     "bytes after the last packet, all of the bandwidth", tail_transfer_text, false},
    {EXPLAIN_COMPONENT, "tail_wait", "us", computes, NULL, tail_wait,
     "latency after the last packet", tail_wait_text, false},
    {EXPLAIN_COMPONENT, "deferred_transfer", "us", computes, NULL, deferred_transfer,
     "bytes after the command, all of the bandwidth", deferred_transfer_text, false},
    {EXPLAIN_COMPONENT, "deferred_wait", "us", computes, NULL, deferred_wait,
     "latency after the command", deferred_wait_text, false},
    {EXPLAIN_COMPONENT, "accumulator_transfer", "us", computes,
     "accumulator / element_bytes * streamed_transfer", accumulator_transfer,
     "partial result of a packet, all of the bandwidth", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_wait", "us", computes,
     "accumulator / element_bytes * streamed_wait", accumulator_wait,
     "latency in the partial result of a packet", NULL, false},
    {EXPLAIN_COMPONENT, "resident_transfer", "ns", computes, "sum(resident.*.transfer)",
     resident_transfer, "of an element that stays in memory", NULL, false},
    {EXPLAIN_COMPONENT, "arriving_transfer", "ns", computes, "sum(arriving.*.transfer)",
     arriving_transfer, "of an element fresh from a camera or a link", NULL, false},
    {EXPLAIN_COMPONENT, "streamed_transfer", "ns", computes, "sum(streamed.*.transfer)",
     streamed_transfer, "of an element that passes through", NULL, false},
    {EXPLAIN_COMPONENT, "resident_wait", "ns", computes, "sum(resident.*.wait)", resident_wait,
     "latency, of an element that stays in memory", NULL, false},
    {EXPLAIN_COMPONENT, "arriving_wait", "ns", computes, "sum(arriving.*.wait)", arriving_wait,
     "latency, of an element fresh from a camera or a link", NULL, false},
    {EXPLAIN_COMPONENT, "streamed_wait", "ns", computes, "sum(streamed.*.wait)", streamed_wait,
     "latency, of an element that passes through", NULL, false},
    {EXPLAIN_COMPONENT, "packet_bytes", "B", computes,
     "(read_bytes + written_bytes) / max(1, loaded_packets) + accumulator", explain_packet_bytes,
     "of a packet that do not stay", NULL, true},
    {EXPLAIN_COMPONENT, "read_bytes", "B", computes, "stream_read + tail_read + deferred_read",
     read_bytes, "that pass once", NULL, true},
    {EXPLAIN_COMPONENT, "written_bytes", "B", computes,
     "stream_written + tail_written + deferred_written", written_bytes, "that leave", NULL, true},
    {EXPLAIN_COMPONENT, "block", NULL, block_open, NULL, block, NULL, block_text, false},
    {EXPLAIN_COMPONENT, "streamed_block", "", computes, NULL, streamed_block,
     "elements in a row of what passes through", streamed_block_text, false},
    {EXPLAIN_COMPONENT, "memory_efficiency", NULL, efficiency_open, NULL, NULL,
     "usual for its access pattern", NULL, false},
    {EXPLAIN_COMPONENT, "workers", NULL, some_workers, "device.all_cores - device.taken_cores", NULL,
     NULL, NULL, false},
    {EXPLAIN_COMPONENT, "workers", NULL, workers_open, "device.all_cores", NULL, NULL, NULL, false},
    {EXPLAIN_LEVEL, "transfer", "ns", NULL, NULL, transfer,
     "what this level adds to the time of an element, whole device", transfer_text, false},
    {EXPLAIN_LEVEL, "wait", "ns", NULL, NULL, wait,
     "what its latency adds to the time of an element", wait_text, false},
    {EXPLAIN_LEVEL, "fraction", "", NULL, NULL, fraction, "of the accesses it serves",
     fraction_text, false},
    {EXPLAIN_LEVEL, "hit", "", only_memory, NULL, hit, "memory serves all", NULL, false},
    {EXPLAIN_LEVEL, "hit", "", is_memory, NULL, hit, "memory serves the rest", NULL, false},
    {EXPLAIN_LEVEL, "hit", "", passed_over, NULL, hit, "what arrives comes from memory", NULL,
     false},
    {EXPLAIN_LEVEL, "hit", "", NULL, NULL, hit, "of the accesses, served by it or within", hit_text,
     false},
    {EXPLAIN_LEVEL, "gap", "ns", NULL,
     "component.element_bytes / (bandwidth * device.sustained_memory * "
     "component.memory_efficiency)", gap, "between two elements in a row", NULL, false},
    {EXPLAIN_LEVEL, "capacity", "MiB", NULL, NULL, capacity, "that counts, of the cores in use",
     capacity_text, false},
    {EXPLAIN_LEVEL, "bandwidth", "GB/s", NULL, NULL, bandwidth, "of the cores in use",
     bandwidth_text, false},
    {EXPLAIN_LEVEL, "latency", "ns", NULL, NULL, latency,
     "of an access over the accesses in flight", latency_text, false},
    {EXPLAIN_LEVEL, "in_flight", "", on_gpu, "device.units * device.outstanding", in_flight,
     "accesses at the same time", NULL, false},
    {EXPLAIN_LEVEL, "in_flight", "", NULL, "cores * device.outstanding", in_flight,
     "accesses at the same time", NULL, false},
    {EXPLAIN_LEVEL, "cores", "", of_device, "device.all_cores", cores, "in use", NULL, false},
    {EXPLAIN_LEVEL, "cores", "", NULL, "component.workers", cores, "in use", NULL, false},
    {EXPLAIN_LEVEL, "sockets", "", spread, "ceil(cores / device.cores)", sockets,
     "whose memory and L3 are in use", NULL, false},
    {EXPLAIN_LEVEL, "sockets", "", NULL, NULL, sockets, "whose memory and L3 are in use", NULL,
     false},
    {EXPLAIN_DEVICE, "held", "B", NULL, "sum(users.*.working_set)", held,
     "working sets of all that runs there", NULL, false},
    {EXPLAIN_DEVICE, "all_cores", "", NULL, "sockets * cores", device_cores_of, "of all sockets",
     NULL, false},
    {EXPLAIN_DEVICE, "taken_cores", "", NULL, "sum(pinned.*.workers)", taken_cores,
     "that components state for themselves", NULL, false},
    {EXPLAIN_DEVICE, "core_bandwidth", NULL, core_bandwidth_open, "8 * clock", NULL, NULL, NULL,
     false},
    {EXPLAIN_DEVICE, "l1", NULL, l1_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l2", NULL, l2_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3", NULL, l3_of_cores, "2 * 1024 ^ 2 * cores", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3", NULL, l3_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l1_bandwidth", NULL, l1_bandwidth_open, NULL, NULL, NULL, core_l1_text, false},
    {EXPLAIN_DEVICE, "l2_bandwidth", NULL, l2_bandwidth_open, NULL, NULL, NULL, core_l2_text, false},
    {EXPLAIN_DEVICE, "l3_bandwidth", NULL, l3_bandwidth_open, NULL, NULL, NULL, socket_text, false},
    {EXPLAIN_DEVICE, "l1_latency", NULL, l1_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l2_latency", NULL, l2_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3_latency", NULL, l3_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "memory_latency", NULL, memory_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
