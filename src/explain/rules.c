#include "explain/rules.h"

#include <stdio.h>
#include <string.h>

#include "model/workload.h"

const struct device *explain_device(const struct explain *explain, struct explain_subject subject)
{
    int device = subject.index >= NODE_MAX        ? subject.index - NODE_MAX
                 : subject.kind == EXPLAIN_DEVICE ? subject.index
                                                  : explain_plan(explain, subject)->device;

    return &explain->scenario->device[device];
}

double explain_element(const struct explain *explain, struct explain_subject subject)
{
    return precision_bytes((enum precision)explain_component(explain, subject)->precision);
}

double explain_rate(const struct explain *explain, struct explain_subject subject)
{
    return explain_device(explain, subject)->sustained_memory *
           explain_stage(explain, subject)->memory_efficiency;
}

const struct algorithm *explain_algorithm(const struct explain *explain,
                                          struct explain_subject subject)
{
    int component = explain_plan(explain, subject)->component;

    return component < 0 ? NULL : algorithm_row(explain->scenario, component);
}

bool explain_computes(const struct explain *explain, struct explain_subject subject)
{
    return explain_plan(explain, subject)->device >= 0;
}

bool explain_is_whole(const struct explain *explain, struct explain_subject subject)
{
    return plan_node_is_whole(explain_plan(explain, subject));
}

bool explain_on_gpu(const struct explain *explain, struct explain_subject subject)
{
    bool component = subject.kind == EXPLAIN_COMPONENT;

    return (!component || explain_computes(explain, subject)) &&
           explain_device(explain, subject)->kind == DEVICE_GPU;
}

bool explain_senses(const struct explain *explain, struct explain_subject subject)
{
    enum component_type type = explain_plan(explain, subject)->type;

    return type == COMPONENT_CAMERA || type == COMPONENT_CALIBRATION ||
           type == COMPONENT_DESCRAMBLE || type == COMPONENT_CENTROID || type == COMPONENT_PYRAMID;
}

bool explain_is_program(const struct explain *explain, struct explain_subject subject)
{
    return explain_computes(explain, subject) && explain_stage(explain, subject)->program != NULL;
}

/* Choices -------------------------------------------------------------------------------------- */

/* Knobs that no formula names, since what they do is to choose one: the rule in force, what a
 * written formula says, the value of a quantity without one, or whose quantities it names. What
 * chooses may be a quantity, chosen in turn. */

static const struct {
    enum explain_kind kind;
    const char *key;
    const char *knobs;
} choices[] = {
    {EXPLAIN_COMPONENT, "element_bytes", "precision"},
    {EXPLAIN_COMPONENT, "peak_flops", "device.kind"},
    {EXPLAIN_COMPONENT, "precision_ratio", "precision"},
    {EXPLAIN_COMPONENT, "compute_efficiency", "algorithm device.kind"},
    {EXPLAIN_COMPONENT, "chain_time", "algorithm"},
    {EXPLAIN_COMPONENT, "scalar_time", "algorithm"},
    {EXPLAIN_COMPONENT, "operand_transfer", "device.operand_bandwidth"},
    {EXPLAIN_COMPONENT, "full_stream_compute", "algorithm device.scalar_rate"},
    {EXPLAIN_COMPONENT, "memory_efficiency", "access algorithm device.memory_model"},
    {EXPLAIN_COMPONENT, "block", "access algorithm"},
    {EXPLAIN_COMPONENT, "streamed_block", "access algorithm"},
    {EXPLAIN_COMPONENT, "stream_flop", "algorithm deferred reference_slopes"},
    {EXPLAIN_COMPONENT, "stream_read", "algorithm deferred reference_slopes"},
    {EXPLAIN_COMPONENT, "stream_written", "algorithm deferred reference_slopes"},
    {EXPLAIN_COMPONENT, "stream_resident", "algorithm deferred reference_slopes"},
    {EXPLAIN_COMPONENT, "tail_flop", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "tail_read", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "tail_written", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "tail_resident", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "deferred_flop", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "deferred_read", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "deferred_written", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "deferred_resident", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "deferred_time", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "sweeps", "algorithm"},
    {EXPLAIN_COMPONENT, "kernels", "algorithm"},
    {EXPLAIN_COMPONENT, "tail_kernels", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "deferred_kernels", "algorithm deferred"},
    {EXPLAIN_COMPONENT, "accumulator", "algorithm barrier"},
    {EXPLAIN_COMPONENT, "accumulator_bytes", "algorithm barrier"},
    {EXPLAIN_COMPONENT, "loaded_packets",
     "algorithm barrier agenda camera.order before.*.loaded_packets"},
    {EXPLAIN_COMPONENT, "slopes", "type algorithm"},
    {EXPLAIN_COMPONENT, "output", "type algorithm split consumer.split"},
    {EXPLAIN_COMPONENT, "rows", "algorithm split"},
    {EXPLAIN_COMPONENT, "columns", "algorithm split"},
    {EXPLAIN_COMPONENT, "tiles", "algorithm"},
    {EXPLAIN_COMPONENT, "flop", "type algorithm"},
    {EXPLAIN_COMPONENT, "bytes", "type algorithm link trace"},
    {EXPLAIN_COMPONENT, "working_set", "type algorithm"},
    {EXPLAIN_COMPONENT, "share", "scenario.sharing barrier"},
    {EXPLAIN_COMPONENT, "compute_time", "scenario.sharing deferred trace distance"},
    {EXPLAIN_COMPONENT, "memory_time", "scenario.sharing device.memory_model trace"},
    {EXPLAIN_COMPONENT, "stream_compute", "scenario.sharing trace distance"},
    {EXPLAIN_COMPONENT, "stream_memory", "scenario.sharing device.memory_model"},
    {EXPLAIN_COMPONENT, "accumulator_time", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "tail_compute", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "tail_memory", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "deferred_compute", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "deferred_memory", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "effective_flops", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "device_time", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "first_start", "algorithm barrier"},
    {EXPLAIN_COMPONENT, "first_wait", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "slack", "scenario.sharing"},
    {EXPLAIN_COMPONENT, "interface_rate", "interface"},
    {EXPLAIN_COMPONENT, "time", "type interface order"},
    {EXPLAIN_COMPONENT, "integration", "shutter"},
    {EXPLAIN_COMPONENT, "exposure", "frame_transfer"},
    {EXPLAIN_COMPONENT, "busy", "frame_transfer"},
    {EXPLAIN_COMPONENT, "wire_rate", "link board.host_link"},
    {EXPLAIN_COMPONENT, "lane_rate", "link"},
    {EXPLAIN_COMPONENT, "payload", "link"},
    {EXPLAIN_COMPONENT, "latency_after", "link switch"},
    {EXPLAIN_COMPONENT, "hop_time", "switch"},
    {EXPLAIN_SLOT, "weight",
     "component.algorithm component.barrier component.agenda component.camera.order"},
    {EXPLAIN_SLOT, "handed_on", "component.algorithm component.barrier"},
    {EXPLAIN_SLOT, "duration", "component.link"},
    {EXPLAIN_STEP, "wait", "scenario.sharing"},
    {EXPLAIN_STEP, "loaded", "component.loaded_packets"},
    {EXPLAIN_STEP, "weight", "component.loaded_packets"},
    {EXPLAIN_STEP, "packet", "component.order"},
    {EXPLAIN_LEVEL, "transfer", "device.memory_model"},
    {EXPLAIN_LEVEL, "wait", "device.memory_model"},
    {EXPLAIN_LEVEL, "hit", "device.memory_model device.add_latency"},
    {EXPLAIN_LEVEL, "fraction", "device.memory_model"},
    {EXPLAIN_LEVEL, "capacity", "device.kind"},
    {EXPLAIN_LEVEL, "bandwidth", "device.kind"},
    {EXPLAIN_LEVEL, "in_flight", "device.kind"},
    {EXPLAIN_LEVEL, "sockets", "device.numa"},
    {EXPLAIN_DEVICE, "peak_flops", "kind"},
    {EXPLAIN_DEVICE, "memory_bandwidth", "kind"},
    {EXPLAIN_WFS, "valid_subaps", "kind"},
    {EXPLAIN_WFS, "detector_width", "kind"},
    {EXPLAIN_WFS, "detector_height", "kind"},
};

/* Relatives whom a knob names. */
static const struct {
    enum explain_kind kind;
    const char *word;
    const char *knob;
} relatives[] = {
    {EXPLAIN_COMPONENT, "device.", "device"},       {EXPLAIN_COMPONENT, "wfs.", "wfs"},
    {EXPLAIN_COMPONENT, "before.", "after"},        {EXPLAIN_SLOT, "before.", "component.after"},
    {EXPLAIN_LEVEL, "device.", "component.device"}, {EXPLAIN_COMPONENT, "host.", "board.host"},
};

static bool begins_a_name(const char *source, const char *word)
{
    const char *name;
    size_t length;

    for (const char *from = source; (name = expression_name(from, &length)) != NULL;
         from = name + length)
        if (strncmp(name, word, strlen(word)) == 0)
            return true;
    return false;
}

void explain_chosen_by(enum explain_kind kind, const char *key, const char *source, char *text,
                       size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].kind == kind && strcmp(choices[i].key, key) == 0)
            used += (size_t)snprintf(text, size, "%s", choices[i].knobs);
    for (size_t i = 0; i < sizeof relatives / sizeof relatives[0] && used < size; i++)
        if (relatives[i].kind == kind && begins_a_name(source, relatives[i].word))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "",
                                     relatives[i].knob);
}
