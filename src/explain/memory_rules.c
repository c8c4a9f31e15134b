#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "explain/rules.h"
#include "larger.h"
#include "memory.h"
#include "workload.h"

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
    double size = explain_element(explain, subject);

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
    return explain_computes(explain, subject) &&
           explain_component(explain, subject)->memory_efficiency == 0;
}

/* Seconds per element of one kind of bytes. */
static double resident_transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.resident.transfer *
           explain_element(explain, subject) / explain_rate(explain, subject);
}

static double arriving_transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.arriving.transfer *
           explain_element(explain, subject) / explain_rate(explain, subject);
}

static double streamed_transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.streamed.transfer *
           explain_element(explain, subject) / explain_rate(explain, subject);
}

static double resident_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.resident.wait * explain_element(explain, subject);
}

static double arriving_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.arriving.wait * explain_element(explain, subject);
}

static double streamed_wait(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.streamed.wait * explain_element(explain, subject);
}

static bool reads_again(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && explain_stage(explain, subject)->operand > 0;
}

static double operand_bytes(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->operand;
}

static double operand_held(const struct explain *explain, struct explain_subject subject)
{
    const struct stage *stage = explain_stage(explain, subject);

    return 2 * stage->vector * stage->cores / larger(1, stage->weights.count);
}

static double operand_transfer(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->costs.operand.transfer *
           explain_element(explain, subject) / explain_rate(explain, subject);
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
    {EXPLAIN_COMPONENT, "transfer_time", "us", explain_computes, NULL, transfer_time,
     "of all its bytes with all of the bandwidth", transfer_time_text, false},
    {EXPLAIN_COMPONENT, "wait_time", "us", explain_computes, NULL, wait_time,
     "latency of the first element of every block", wait_time_text, false},
    {EXPLAIN_COMPONENT, "stream_transfer", "us", explain_computes, NULL, stream_transfer,
     "bytes that come with the packets, all of the bandwidth", stream_transfer_text, false},
    {EXPLAIN_COMPONENT, "stream_wait", "us", explain_computes, NULL, stream_wait,
     "latency in what comes with the packets", stream_wait_text, false},
    {EXPLAIN_COMPONENT, "tail_transfer", "us", explain_computes, NULL, tail_transfer,
     "bytes after the last packet, all of the bandwidth", tail_transfer_text, false},
    {EXPLAIN_COMPONENT, "tail_wait", "us", explain_computes, NULL, tail_wait,
     "latency after the last packet", tail_wait_text, false},
    {EXPLAIN_COMPONENT, "deferred_transfer", "us", explain_computes, NULL, deferred_transfer,
     "bytes after the command, all of the bandwidth", deferred_transfer_text, false},
    {EXPLAIN_COMPONENT, "deferred_wait", "us", explain_computes, NULL, deferred_wait,
     "latency after the command", deferred_wait_text, false},
    {EXPLAIN_COMPONENT, "accumulator_transfer", "us", explain_computes,
     "accumulator / element_bytes * streamed_transfer", accumulator_transfer,
     "partial result of a packet, all of the bandwidth", NULL, false},
    {EXPLAIN_COMPONENT, "accumulator_wait", "us", explain_computes,
     "accumulator / element_bytes * streamed_wait", accumulator_wait,
     "latency in the partial result of a packet", NULL, false},
    {EXPLAIN_COMPONENT, "resident_transfer", "ns", explain_computes, "sum(resident.*.transfer)",
     resident_transfer, "of an element that stays in memory", NULL, false},
    {EXPLAIN_COMPONENT, "arriving_transfer", "ns", explain_computes, "sum(arriving.*.transfer)",
     arriving_transfer, "of an element fresh from a camera or a link", NULL, false},
    {EXPLAIN_COMPONENT, "streamed_transfer", "ns", explain_computes, "sum(streamed.*.transfer)",
     streamed_transfer, "of an element that passes through", NULL, false},
    {EXPLAIN_COMPONENT, "operand_transfer", "ns", reads_again, "sum(operand.*.transfer)",
     operand_transfer, "of an element of the vector that a row reads again", NULL, false},
    {EXPLAIN_COMPONENT, "operand_bytes", "B", reads_again,
     "chain_items * columns * element_bytes / chains", operand_bytes,
     "of the vector, which every row reads again", NULL, false},
    {EXPLAIN_COMPONENT, "operand_held", "B", reads_again,
     "2 * columns * element_bytes * workers / max(1, loaded_packets)", operand_held,
     "of the vector and of the row that passes, in the caches of all cores", NULL, false},
    {EXPLAIN_COMPONENT, "resident_wait", "ns", explain_computes, "sum(resident.*.wait)",
     resident_wait, "latency, of an element that stays in memory", NULL, false},
    {EXPLAIN_COMPONENT, "arriving_wait", "ns", explain_computes, "sum(arriving.*.wait)",
     arriving_wait, "latency, of an element fresh from a camera or a link", NULL, false},
    {EXPLAIN_COMPONENT, "streamed_wait", "ns", explain_computes, "sum(streamed.*.wait)",
     streamed_wait, "latency, of an element that passes through", NULL, false},
    {EXPLAIN_COMPONENT, "packet_bytes", "B", explain_computes,
     "(read_bytes + written_bytes) / max(1, loaded_packets) + accumulator", explain_packet_bytes,
     "of a packet that do not stay", NULL, true},
    {EXPLAIN_COMPONENT, "touched_bytes", "B", passes_again,
     "packet_bytes - 3 * element_bytes * ao.actuators / max(1, loaded_packets)",
     explain_touched_bytes, "of a packet, each once: operations read what those before have made",
     NULL, false},
    {EXPLAIN_COMPONENT, "touched_bytes", "B", knows_operations, "packet_bytes",
     explain_touched_bytes, "of a packet, each once", NULL, false},
    {EXPLAIN_COMPONENT, "read_bytes", "B", explain_computes,
     "stream_read + tail_read + deferred_read", read_bytes, "that pass once", NULL, true},
    {EXPLAIN_COMPONENT, "written_bytes", "B", explain_computes,
     "stream_written + tail_written + deferred_written", written_bytes, "that leave", NULL, true},
    {EXPLAIN_COMPONENT, "block", NULL, block_open, NULL, block, NULL, block_text, false},
    {EXPLAIN_COMPONENT, "streamed_block", "", explain_computes, NULL, streamed_block,
     "elements in a row of what passes through", streamed_block_text, false},
    {EXPLAIN_COMPONENT, "memory_efficiency", NULL, efficiency_open, NULL, NULL,
     "usual for its access pattern", NULL, false},
    {EXPLAIN_COMPONENT, "workers", NULL, some_workers, "device.all_cores - device.taken_cores",
     NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, "workers", NULL, workers_open, "device.all_cores", NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
