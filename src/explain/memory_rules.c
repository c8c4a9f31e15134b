#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "explain/node.h"
#include "explain/rules.h"
#include "model/device.h"
#include "model/formulas.h"
#include "model/memory.h"

/* How long a component's bytes take, from what an element of each kind costs. */

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

double explain_touched_bytes(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return explain_packet_bytes(explain, subject) -
           stage->demand.again / larger(1, stage->weights.count);
}

static bool knows_operations(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) &&
           device_knows_operations(explain_device(explain, subject));
}

static bool passes_again(const struct explain *explain, struct explain_subject subject)
{
    return knows_operations(explain, subject) && explain_stage(explain, subject)->demand.again > 0;
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
    return explain_computes(explain, subject) && explain_component(explain, subject)->block == 0 &&
           explain_stage(explain, subject)->working_set > 0;
}

static void block_text(const struct explain *explain, struct explain_subject subject, char *text,
                       size_t size)
{
    const struct algorithm *row =
        algorithm_row(explain->scenario, explain_plan(explain, subject)->component);
    const char *own = workload_texts[row - algorithms].block;
    enum access access = access_of(explain, subject);

    if (access == ACCESS_STRIDED)
        snprintf(text, size, "max(1, 64 / element_bytes)");
    else if (access == ACCESS_SEQUENTIAL && own != NULL)
        snprintf(text, size, "max(1, %s)", own);
    else if (access == ACCESS_SEQUENTIAL)
        snprintf(text, size, "max(1, working_set / element_bytes)");
}

static void streamed_block_text(const struct explain *explain, struct explain_subject subject,
                                char *text, size_t size)
{
    enum access access = access_of(explain, subject);

    if (access == ACCESS_STRIDED)
        snprintf(text, size, "max(1, 64 / element_bytes)");
    else if (access == ACCESS_SEQUENTIAL)
        snprintf(text, size, "max(1, packet_bytes / element_bytes)");
    else
        snprintf(text, size, "1");
}

static bool efficiency_open(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) &&
           explain_component(explain, subject)->memory_efficiency == 0;
}

static bool reads_again(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && explain_stage(explain, subject)->operand > 0;
}

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

static void stream_transfer_text(const struct explain *explain, struct explain_subject subject,
                                 char *text, size_t size)
{
    size_t used;

    seconds_text(explain, subject, "stream", &explain_stage(explain, subject)->demand.stream,
                 "transfer", text, size);
    used = strlen(text);
    if (reads_again(explain, subject))
        snprintf(text + used, size - used, " + operand_bytes / element_bytes * operand_transfer");
}

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

static bool workers_open(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && !explain_on_gpu(explain, subject) &&
           explain_component(explain, subject)->workers == 0;
}

static bool some_workers(const struct explain *explain, struct explain_subject subject)
{
    return workers_open(explain, subject) &&
           explain_stage(explain, subject)->cores < device_cores(explain_device(explain, subject));
}

/* clang-format off */
const struct explain_rule explain_memory_rules[] = {
    {.kind = EXPLAIN_COMPONENT, .key = "transfer_time", .unit = "us", .when = explain_computes,
     STAGE(whole.transfer), .write = transfer_time_text,
     .help = "of all its bytes with all of the bandwidth"},
    {.kind = EXPLAIN_COMPONENT, .key = "wait_time", .unit = "us", .when = explain_computes,
     STAGE(whole.wait), .write = wait_time_text,
     .help = "latency of the first element of every block"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_transfer", .unit = "us", .when = explain_computes,
     STAGE(stream.transfer), .write = stream_transfer_text,
     .help = "bytes that come with the packets, all of the bandwidth"},
    {.kind = EXPLAIN_COMPONENT, .key = "stream_wait", .unit = "us", .when = explain_computes,
     STAGE(stream.wait), .write = stream_wait_text,
     .help = "latency in what comes with the packets"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_transfer", .unit = "us", .when = explain_computes,
     STAGE(tail.transfer), .write = tail_transfer_text,
     .help = "bytes after the last packet, all of the bandwidth"},
    {.kind = EXPLAIN_COMPONENT, .key = "tail_wait", .unit = "us", .when = explain_computes,
     STAGE(tail.wait), .write = tail_wait_text, .help = "latency after the last packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_transfer", .unit = "us", .when = explain_computes,
     STAGE(deferred.transfer), .write = deferred_transfer_text,
     .help = "bytes after the command, all of the bandwidth"},
    {.kind = EXPLAIN_COMPONENT, .key = "deferred_wait", .unit = "us", .when = explain_computes,
     STAGE(deferred.wait), .write = deferred_wait_text, .help = "latency after the command"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator_transfer", .unit = "us",
     .when = explain_computes, STAGE(accumulator.transfer),
     .formula = "accumulator / element_bytes * streamed_transfer",
     .help = "partial result of a packet, all of the bandwidth"},
    {.kind = EXPLAIN_COMPONENT, .key = "accumulator_wait", .unit = "us", .when = explain_computes,
     STAGE(accumulator.wait), .formula = "accumulator / element_bytes * streamed_wait",
     .help = "latency in the partial result of a packet"},
    {.kind = EXPLAIN_COMPONENT, .key = "resident_transfer", .unit = "ns", .when = explain_computes,
     ELEMENT_TRANSFER(costs.resident.transfer), .formula = "sum(resident.*.transfer)",
     .help = "of an element that stays in memory"},
    {.kind = EXPLAIN_COMPONENT, .key = "arriving_transfer", .unit = "ns", .when = explain_computes,
     ELEMENT_TRANSFER(costs.arriving.transfer), .formula = "sum(arriving.*.transfer)",
     .help = "of an element fresh from a camera or a link"},
    {.kind = EXPLAIN_COMPONENT, .key = "streamed_transfer", .unit = "ns", .when = explain_computes,
     ELEMENT_TRANSFER(costs.streamed.transfer), .formula = "sum(streamed.*.transfer)",
     .help = "of an element that passes through"},
    {.kind = EXPLAIN_COMPONENT, .key = "operand_transfer", .unit = "ns", .when = reads_again,
     ELEMENT_TRANSFER(costs.operand.transfer), .formula = "sum(operand.*.transfer)",
     .help = "of an element of the vector that a row reads again"},
    {.kind = EXPLAIN_COMPONENT, .key = "operand_bytes", .unit = "B", .when = reads_again,
     STAGE(operand), .formula = formula_text_operand_bytes,
     .help = "of the vector, which every row reads again"},
    {.kind = EXPLAIN_COMPONENT, .key = "vector_bytes", .unit = "B", .when = reads_again,
     STAGE(vector), .formula = formula_text_vector_bytes, .help = "of the vector, once"},
    {.kind = EXPLAIN_COMPONENT, .key = "operand_held", .unit = "B", .when = reads_again,
     .formula = formula_text_operand_held,
     .help = "of the vector and of the row that passes, in the caches of all cores"},
    {.kind = EXPLAIN_COMPONENT, .key = "resident_wait", .unit = "ns", .when = explain_computes,
     ELEMENT_WAIT(costs.resident.wait), .formula = "sum(resident.*.wait)",
     .help = "latency, of an element that stays in memory"},
    {.kind = EXPLAIN_COMPONENT, .key = "arriving_wait", .unit = "ns", .when = explain_computes,
     ELEMENT_WAIT(costs.arriving.wait), .formula = "sum(arriving.*.wait)",
     .help = "latency, of an element fresh from a camera or a link"},
    {.kind = EXPLAIN_COMPONENT, .key = "streamed_wait", .unit = "ns", .when = explain_computes,
     ELEMENT_WAIT(costs.streamed.wait), .formula = "sum(streamed.*.wait)",
     .help = "latency, of an element that passes through"},
    {.kind = EXPLAIN_COMPONENT, .key = "packet_bytes", .unit = "B", .when = explain_computes,
     .formula = "(read_bytes + written_bytes) / max(1, loaded_packets) + accumulator",
     .prune = true, .help = "of a packet that do not stay"},
    {.kind = EXPLAIN_COMPONENT, .key = "touched_bytes", .unit = "B", .when = passes_again,
     .formula = "packet_bytes - 3 * element_bytes * ao.actuators / max(1, loaded_packets)",
     .help = "of a packet, each once: operations read what those before have made"},
    {.kind = EXPLAIN_COMPONENT, .key = "touched_bytes", .unit = "B", .when = knows_operations,
     .formula = "packet_bytes", .help = "of a packet, each once"},
    {.kind = EXPLAIN_COMPONENT, .key = "read_bytes", .unit = "B", .when = explain_computes,
     .formula = "stream_read + tail_read + deferred_read", .prune = true, .help = "that pass once"},
    {.kind = EXPLAIN_COMPONENT, .key = "written_bytes", .unit = "B", .when = explain_computes,
     .formula = "stream_written + tail_written + deferred_written", .prune = true,
     .help = "that leave"},
    {.kind = EXPLAIN_COMPONENT, .key = "block", .when = block_open, .write = block_text},
    {.kind = EXPLAIN_COMPONENT, .key = "streamed_block", .unit = "", .when = explain_computes,
     .write = streamed_block_text,
     .help = "elements in a row of what passes through"},
    {.kind = EXPLAIN_COMPONENT, .key = "memory_efficiency", .when = efficiency_open,
     .help = "usual for its access pattern"},
    {.kind = EXPLAIN_COMPONENT, .key = "workers", .when = some_workers,
     .formula = "device.all_cores - device.taken_cores"},
    {.kind = EXPLAIN_COMPONENT, .key = "workers", .when = workers_open,
     .formula = "device.all_cores"},
    {.key = NULL},
};
/* clang-format on */

/* Level rules ---------------------------------------------------------------------------------- */

/* Three kinds of bytes have levels of their own: what stays in memory, what arrives from a camera
 * or a link, and what else streams through. A level of a device, as all its cores see it, has the
 * number of the device after those of the nodes. */

static const struct memory *explain_memory_of(const struct explain *explain,
                                              struct explain_subject subject)
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

const struct memory_level *explain_memory_level(const struct explain *explain,
                                                struct explain_subject subject)
{
    const struct memory *memory = explain_memory_of(explain, subject);

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
           : bytes_of(subject) == EXPLAIN_OPERAND  ? &costs->operand
                                                   : &costs->streamed;
}

const struct memory_part *explain_memory_part(const struct explain *explain,
                                              struct explain_subject subject)
{
    const struct memory_cost *cost = cost_at(explain, subject);

    for (int k = 0; k < cost->count; k++)
        if (cost->part[k].level == id_of(subject))
            return &cost->part[k];
    return &cost->part[cost->count - 1];
}

static bool of_device(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    return subject.index >= NODE_MAX;
}

/* What of the device is in use --------------------------------------------------------------- */

static bool spread(const struct explain *explain, struct explain_subject subject)
{
    return explain_device(explain, subject)->numa != 0;
}

/* Levels --------------------------------------------------------------------------------------- */

static double transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_element(explain, subject) * explain_memory_part(explain, subject)->transfer /
           explain_rate(explain, subject);
}

static double wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_element(explain, subject) * explain_memory_part(explain, subject)->wait;
}

static bool waits(const struct explain *explain, struct explain_subject subject)
{
    return memory_model_waits((enum memory_model)explain_device(explain, subject)->memory_model);
}

/* Whether a component's bytes come from the level, so that it has a part in what they cost. */
static bool serves(const struct explain *explain, struct explain_subject subject)
{
    const struct memory_cost *cost;

    if (of_device(explain, subject) || explain_plan(explain, subject)->device < 0)
        return false;
    cost = cost_at(explain, subject);
    for (int k = 0; k < cost->count; k++)
        if (cost->part[k].level == id_of(subject))
            return true;
    return false;
}

static bool is_memory(const struct explain *explain, struct explain_subject subject)
{
    (void)explain;
    return id_of(subject) == LEVEL_MEMORY;
}

static bool memory_serves(const struct explain *explain, struct explain_subject subject)
{
    return is_memory(explain, subject) && serves(explain, subject);
}

static bool only_memory(const struct explain *explain, struct explain_subject subject)
{
    return memory_serves(explain, subject) && cost_at(explain, subject)->count == 1;
}

static bool innermost(const struct explain *explain, struct explain_subject subject)
{
    return cost_at(explain, subject)->part[0].level == id_of(subject);
}

/* All of it comes from memory. */
static bool passed_over(const struct explain *explain, struct explain_subject subject)
{
    return serves(explain, subject) && bytes_of(subject) == EXPLAIN_ARRIVING &&
           explain_arrives(explain, subject);
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
    if (explain_on_gpu(explain, subject))
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
    const struct device *device = explain_device(explain, subject);

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

/* Where workers are stated on its device. */
static bool sees_its_own(const struct explain *explain, struct explain_subject subject)
{
    return !of_device(explain, subject) &&
           explain_stage(explain, subject)->levels == &explain_stage(explain, subject)->own_levels;
}

/* Some cores of a CPU draw no more than each can. */
static const char *memory_formula(const struct explain *explain, struct explain_subject subject)
{
    if (explain_on_gpu(explain, subject))
        return "device.memory_bandwidth";
    return sees_its_own(explain, subject) ? formula_text_memory_level_drawn
                                          : formula_text_memory_level;
}

static const char *cache_formula(const struct explain *explain, struct explain_subject subject)
{
    static const char *const cpu[LEVEL_COUNT][2] = {
        [LEVEL_L1] = {formula_text_l1_assumed, formula_text_l1_stated},
        [LEVEL_L2] = {formula_text_l2_assumed, formula_text_l2_stated},
        [LEVEL_L3] = {formula_text_l3_assumed, formula_text_l3_stated}};
    static const char *const gpu[LEVEL_COUNT][2] = {
        [LEVEL_L2] = {formula_text_gpu_l2_assumed, "device.l2_bandwidth"},
        [LEVEL_L3] = {formula_text_gpu_l3_assumed, "device.l3_bandwidth"}};
    bool stated = stated_bandwidth(explain, subject) > 0;
    enum memory_level_id id = id_of(subject);

    if (explain_on_gpu(explain, subject))
        return gpu[id][stated];
    return stated && id == LEVEL_L3 && sees_its_own(explain, subject) ? formula_text_l3_drawn
                                                                      : cpu[id][stated];
}

static void bandwidth_text(const struct explain *explain, struct explain_subject subject,
                           char *text, size_t size)
{
    explain_copy_formula(is_memory(explain, subject) ? memory_formula(explain, subject)
                                                     : cache_formula(explain, subject),
                         text, size);
}

static void hit_text(const struct explain *explain, struct explain_subject subject, char *text,
                     size_t size)
{
    /* the last two: of a device that knows its operations (see stage_work.c) */
    static const char *const held_names[] = {
        "device.held", "component.packet_bytes", "(device.held + component.touched_bytes)",
        "(component.touched_bytes + component.working_set / max(1, component.loaded_packets))"};
    bool resident = bytes_of(subject) == EXPLAIN_RESIDENT;
    bool both = device_knows_operations(explain_device(explain, subject));
    const char *name = held_names[(both ? 2 : 0) + (resident ? 0 : 1)];
    bool inner = !innermost(explain, subject);
    struct explain_subject device = {EXPLAIN_DEVICE, explain_plan(explain, subject)->device, 0};
    double held = explain->result->work->held[device.index];
    double packet = explain_packet_bytes(explain, subject);
    double touched = explain_touched_bytes(explain, subject);
    double bytes = resident ? held + (both ? touched : 0)
                   : both   ? touched + explain_stage(explain, subject)->working_set
                            : packet;

    if (bytes_of(subject) == EXPLAIN_OPERAND) {
        name = "component.operand_held";
        bytes = explain_stage(explain, subject)->vector;
    }
    if (is_memory(explain, subject) || passed_over(explain, subject) || bytes <= 0)
        return;
    snprintf(text, size, "%smin(1, pow(capacity / %s, component.locality))%s",
             inner ? "max(inner.hit, " : "", name, inner ? ")" : "");
}

static void fraction_text(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size)
{
    snprintf(text, size, innermost(explain, subject) ? "hit" : "hit - inner.hit");
}

/* From the innermost cache a vector only has to be loaded. */
static void operand_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    if (!innermost(explain, subject))
        snprintf(text, size, "fraction * gap");
    else if (explain_memory_part(explain, subject)->transfer > 0)
        snprintf(text, size,
                 "fraction * component.element_bytes / (cores * device.operand_bandwidth * "
                 "device.sustained_memory * component.memory_efficiency)");
}

/* Without latencies every element costs the same gap. */
static void transfer_text(const struct explain *explain, struct explain_subject subject, char *text,
                          size_t size)
{
    const char *block =
        bytes_of(subject) == EXPLAIN_RESIDENT ? "component.block" : "component.streamed_block";

    if (bytes_of(subject) == EXPLAIN_OPERAND)
        operand_text(explain, subject, text, size);
    else if (waits(explain, subject))
        snprintf(text, size, "fraction * gap * (%s - 1) / %s", block, block);
    else
        snprintf(text, size, "fraction * gap");
}

static void wait_text(const struct explain *explain, struct explain_subject subject, char *text,
                      size_t size)
{
    if (waits(explain, subject) && bytes_of(subject) != EXPLAIN_OPERAND)
        snprintf(text, size, "fraction * latency / %s",
                 bytes_of(subject) == EXPLAIN_RESIDENT ? "component.block"
                                                       : "component.streamed_block");
}

/* clang-format off */
const struct explain_rule explain_level_rules[] = {
    {.kind = EXPLAIN_LEVEL, .key = "transfer", .unit = "ns", .when = serves, .value = transfer,
     .write = transfer_text,
     .help = "what this level adds to the time of an element, whole device"},
    {.kind = EXPLAIN_LEVEL, .key = "wait", .unit = "ns", .when = serves, .value = wait,
     .write = wait_text, .help = "what its latency adds to the time of an element"},
    {.kind = EXPLAIN_LEVEL, .key = "fraction", .unit = "", .when = serves, PART(fraction),
     .write = fraction_text, .help = "of the accesses it serves"},
    {.kind = EXPLAIN_LEVEL, .key = "hit", .unit = "", .when = only_memory, PART(hit),
     .help = "memory serves all"},
    {.kind = EXPLAIN_LEVEL, .key = "hit", .unit = "", .when = memory_serves, PART(hit),
     .help = "memory serves the rest"},
    {.kind = EXPLAIN_LEVEL, .key = "hit", .unit = "", .when = passed_over, PART(hit),
     .help = "what arrives comes from memory"},
    {.kind = EXPLAIN_LEVEL, .key = "hit", .unit = "", .when = serves, PART(hit),
     .write = hit_text, .help = "of the accesses, served by it or within"},
    {.kind = EXPLAIN_LEVEL, .key = "gap", .unit = "ns", .when = serves,
     .formula = "component.element_bytes / bandwidth / (device.sustained_memory * "
                "component.memory_efficiency)",
     .help = "between two elements in a row"},
    {.kind = EXPLAIN_LEVEL, .key = "capacity", .unit = "MiB", LEVEL(capacity),
     .write = capacity_text, .help = "that counts, of the cores in use"},
    {.kind = EXPLAIN_LEVEL, .key = "bandwidth", .unit = "GB/s", LEVEL(bandwidth),
     .write = bandwidth_text, .help = "of the cores in use"},
    {.kind = EXPLAIN_LEVEL, .key = "latency", .unit = "ns", LEVEL(latency), .write = latency_text,
     .help = "of an access over the accesses in flight"},
    {.kind = EXPLAIN_LEVEL, .key = "in_flight", .unit = "", .when = explain_on_gpu,
     .formula = formula_text_gpu_in_flight,
     .help = "accesses at the same time"},
    {.kind = EXPLAIN_LEVEL, .key = "in_flight", .unit = "",
     .formula = formula_text_cpu_in_flight, .help = "accesses at the same time"},
    {.kind = EXPLAIN_LEVEL, .key = "cores", .unit = "", .when = of_device,
     .formula = "device.all_cores", .help = "in use"},
    {.kind = EXPLAIN_LEVEL, .key = "cores", .unit = "",
     .formula = "component.workers", .help = "in use"},
    {.kind = EXPLAIN_LEVEL, .key = "sockets", .unit = "", .when = spread,
     .formula = formula_text_sockets_in_use, .help = "whose memory and L3 are in use"},
    {.kind = EXPLAIN_LEVEL, .key = "sockets", .unit = "", .formula = "1",
     .help = "whose memory and L3 are in use"},
    {.key = NULL},
};
/* clang-format on */
