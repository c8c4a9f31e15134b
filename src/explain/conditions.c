#include "explain/rules.h"
#include "workload.h"

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
