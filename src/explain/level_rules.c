#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "explain/rules.h"
#include "larger.h"
#include "memory.h"
#include "workload.h"

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

static const struct memory_level *level_at(const struct explain *explain,
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

static const struct memory_part *part_at(const struct explain *explain,
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

static double cores(const struct explain *explain, struct explain_subject subject)
{
    return of_device(explain, subject) ? device_cores(explain_device(explain, subject))
                                       : explain_stage(explain, subject)->cores;
}

static double sockets(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);

    return device->numa ? ceil(cores(explain, subject) / device->cores) : 1;
}

static double in_flight(const struct explain *explain, struct explain_subject subject)
{
    const struct device *device = explain_device(explain, subject);

    return device->outstanding *
           (explain_on_gpu(explain, subject) ? device->units : cores(explain, subject));
}

static bool spread(const struct explain *explain, struct explain_subject subject)
{
    return explain_device(explain, subject)->numa != 0;
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

static double gap(const struct explain *explain, struct explain_subject subject)
{
    return explain_element(explain, subject) / bandwidth(explain, subject) /
           explain_rate(explain, subject);
}

static double transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_element(explain, subject) * part_at(explain, subject)->transfer /
           explain_rate(explain, subject);
}

static double wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_element(explain, subject) * part_at(explain, subject)->wait;
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

/* Memory may be narrowed to some sockets, and to what the cores draw. */
static void memory_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    bool some = !explain_on_gpu(explain, subject) &&
                sockets(explain, subject) < explain_device(explain, subject)->sockets;
    const char *channels =
        some ? "device.memory_bandwidth * sockets / device.sockets" : "device.memory_bandwidth";

    if (sees_its_own(explain, subject))
        snprintf(text, size, "min(%s, cores * device.core_bandwidth)", channels);
    else
        snprintf(text, size, "%s", channels);
}

/* Of what is stated for a socket cores draw no more than comes in through their own L2. */
static void l3_text(const struct explain *explain, struct explain_subject subject, char *text,
                    size_t size)
{
    bool own = sees_its_own(explain, subject);

    if (own && explain_device(explain, subject)->l3_core_bandwidth > 0)
        snprintf(text, size,
                 "min(sockets * device.l3_bandwidth, cores * device.l3_core_bandwidth)");
    else if (own)
        snprintf(text, size,
                 "min(sockets * device.l3_bandwidth, cores * max(%s, device.core_bandwidth, "
                 "device.l3_bandwidth / device.cores))",
                 explain_device(explain, subject)->l2_bandwidth > 0 ? "device.l2_bandwidth"
                                                                    : "32 * device.clock");
    else
        snprintf(text, size, "sockets * device.l3_bandwidth");
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
    else if (!explain_on_gpu(explain, subject) && id_of(subject) == LEVEL_L3 &&
             stated_bandwidth(explain, subject) > 0)
        l3_text(explain, subject, text, size);
    else if (stated_bandwidth(explain, subject) > 0)
        snprintf(text, size, "%sdevice.%s", many(explain, subject), knob_key(subject, "bandwidth"));
    else
        snprintf(text, size, "max(%s, outer.bandwidth)",
                 (explain_on_gpu(explain, subject) ? gpu : cpu)[id_of(subject)]);
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
    snprintf(text, size, "%smin(1, (capacity / %s) ^ component.locality)%s",
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
    else if (part_at(explain, subject)->transfer > 0)
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
    {EXPLAIN_LEVEL, "transfer", "ns", serves, NULL, transfer,
     "what this level adds to the time of an element, whole device", transfer_text, false},
    {EXPLAIN_LEVEL, "wait", "ns", serves, NULL, wait,
     "what its latency adds to the time of an element", wait_text, false},
    {EXPLAIN_LEVEL, "fraction", "", serves, NULL, fraction, "of the accesses it serves",
     fraction_text, false},
    {EXPLAIN_LEVEL, "hit", "", only_memory, NULL, hit, "memory serves all", NULL, false},
    {EXPLAIN_LEVEL, "hit", "", memory_serves, NULL, hit, "memory serves the rest", NULL, false},
    {EXPLAIN_LEVEL, "hit", "", passed_over, NULL, hit, "what arrives comes from memory", NULL,
     false},
    {EXPLAIN_LEVEL, "hit", "", serves, NULL, hit,
     "of the accesses, served by it or within", hit_text, false},
    {EXPLAIN_LEVEL, "gap", "ns", serves,
     "component.element_bytes / (bandwidth * device.sustained_memory * "
     "component.memory_efficiency)", gap, "between two elements in a row", NULL, false},
    {EXPLAIN_LEVEL, "capacity", "MiB", NULL, NULL, capacity, "that counts, of the cores in use",
     capacity_text, false},
    {EXPLAIN_LEVEL, "bandwidth", "GB/s", NULL, NULL, bandwidth, "of the cores in use",
     bandwidth_text, false},
    {EXPLAIN_LEVEL, "latency", "ns", NULL, NULL, latency,
     "of an access over the accesses in flight", latency_text, false},
    {EXPLAIN_LEVEL, "in_flight", "", explain_on_gpu, "device.units * device.outstanding", in_flight,
     "accesses at the same time", NULL, false},
    {EXPLAIN_LEVEL, "in_flight", "", NULL, "cores * device.outstanding", in_flight,
     "accesses at the same time", NULL, false},
    {EXPLAIN_LEVEL, "cores", "", of_device, "device.all_cores", cores, "in use", NULL, false},
    {EXPLAIN_LEVEL, "cores", "", NULL, "component.workers", cores, "in use", NULL, false},
    {EXPLAIN_LEVEL, "sockets", "", spread, "ceil(cores / device.cores)", sockets,
     "whose memory and L3 are in use", NULL, false},
    {EXPLAIN_LEVEL, "sockets", "", NULL, NULL, sockets, "whose memory and L3 are in use", NULL,
     false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
