#include "explain/subject.h"

bool explain_section(const struct explain *explain, struct explain_subject subject,
                     struct knob_ref *ref)
{
    static const struct {
        enum explain_kind kind;
        enum section section;
    } sections[] = {
        {.kind = EXPLAIN_SCENARIO, .section = SECTION_SCENARIO},
        {.kind = EXPLAIN_AO, .section = SECTION_AO},
        {.kind = EXPLAIN_ATMOSPHERE, .section = SECTION_ATMOSPHERE},
        {.kind = EXPLAIN_TELEMETRY, .section = SECTION_TELEMETRY},
        {.kind = EXPLAIN_UPDATE, .section = SECTION_UPDATE},
        {.kind = EXPLAIN_CALIBRATION, .section = SECTION_CALIBRATION},
        {.kind = EXPLAIN_WFS, .section = SECTION_WFS},
        {.kind = EXPLAIN_DEVICE, .section = SECTION_DEVICE},
        {.kind = EXPLAIN_COMPONENT, .section = SECTION_COMPONENT},
    };

    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (sections[i].kind == subject.kind) {
            *ref = (struct knob_ref){sections[i].section, subject.index, NULL};
            if (subject.kind == EXPLAIN_COMPONENT)
                ref->index = explain_plan(explain, subject)->component;
            return ref->index >= 0;
        }
    return false;
}

bool explain_knob_find(const struct explain *explain, struct explain_subject subject,
                       const char *key, struct knob_ref *ref)
{
    if (!explain_section(explain, subject, ref))
        return false;
    for (int i = 0; i < KNOB_COUNT; i++) {
        ref->knob = &knobs[i];
        if (knobs[i].section == ref->section && knob_has_key(&knobs[i], key) &&
            knob_applies(explain->scenario, ref->section, ref->index, ref->knob))
            return true;
    }
    return false;
}

const struct device *explain_device(const struct explain *explain, struct explain_subject subject)
{
    int device = subject.index >= NODE_MAX        ? subject.index - NODE_MAX
                 : subject.kind == EXPLAIN_DEVICE ? subject.index
                 : subject.kind == EXPLAIN_GROUP  ? explain_group(explain, subject)->device
                                                  : explain_plan(explain, subject)->device;

    return device < 0 ? NULL : &explain->scenario->device[device];
}

const struct range_group *explain_group(const struct explain *explain,
                                        struct explain_subject subject)
{
    return &explain->range->group[subject.index];
}

const struct algorithm *explain_algorithm(const struct explain *explain,
                                          struct explain_subject subject)
{
    int component = explain_plan(explain, subject)->component;

    return component < 0 ? NULL : algorithm_row(explain->scenario, component);
}

int explain_board(const struct explain *explain, struct explain_subject subject)
{
    return plan_hop_board(&explain->result->work->plan, explain_plan(explain, subject));
}

int explain_geometry(const struct explain *explain, struct explain_subject subject)
{
    const double *slot = explain_track(explain, subject)->weights.slot;

    for (int i = 0; i < explain->scenario->wfs_count; i++)
        if (slot == explain->result->work->agenda[i].pixel ||
            slot == explain->result->work->agenda[i].element)
            return i;
    return -1;
}

bool explain_has_level(const struct memory *memory, int id)
{
    for (int k = 0; k < memory->count; k++)
        if ((int)memory->level[k].id == id)
            return true;
    return false;
}

const struct memory *explain_levels(const struct explain *explain, int index)
{
    const struct workspace *work = explain->result->work;

    return index >= NODE_MAX ? &work->memory[index - NODE_MAX] : work->stage[index].levels;
}

int explain_byte_kinds(const struct explain *explain, struct explain_subject subject)
{
    return explain_stage(explain, subject)->operand > 0 ? EXPLAIN_OPERAND + 1 : EXPLAIN_OPERAND;
}

const struct memory_cost *explain_cost(const struct stage_costs *costs, enum explain_bytes bytes)
{
    return bytes == EXPLAIN_RESIDENT   ? &costs->resident
           : bytes == EXPLAIN_ARRIVING ? &costs->arriving
           : bytes == EXPLAIN_OPERAND  ? &costs->operand
                                       : &costs->streamed;
}

const char *const explain_factor_keys[CAUSE_COUNT] = {
    [CAUSE_MEMORY] = "memory_factor",     [CAUSE_CACHE] = "cache_factor",
    [CAUSE_COMPUTE] = "compute_factor",   [CAUSE_DISPATCH] = "dispatch_factor",
    [CAUSE_SOFTWARE] = "software_factor", [CAUSE_FRAMEWORK] = "framework_factor",
    [CAUSE_COPY] = "copy_factor",         [CAUSE_PORT] = "port_factor",
    [CAUSE_SLEEP] = "sleep_factor"};

double explain_factor(const struct explain *explain, int device, enum cause cause)
{
    const struct workspace *work = explain->result->work;

    return calibration_stated(explain->scenario) && work->calibration_used && device >= 0
               ? work->calibrated.of[device][cause]
               : 1;
}
