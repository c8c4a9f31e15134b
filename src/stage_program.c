#include "device.h"
#include "program.h"
#include "stage.h"

static enum status check(const struct scenario *scenario, int component, const struct stage *stage,
                         struct error *error)
{
    const struct component *c = &scenario->component[component];
    const struct device *device = &scenario->device[scenario_device(scenario, component)];
    const struct program *program = c->trace.program;

    if (program == NULL)
        return error_set(
            error, STATUS_INVALID,
            "component.%s.trace: the file of its trace is not stated; it is the path of a CSV "
            "file, from the scenario's directory",
            c->head.name);
    if (device->kind != DEVICE_CPU)
        return error_set(error, STATUS_INVALID,
                         "component.%s.device: a program runs on a cpu; %s is a gpu", c->head.name,
                         device->head.name);
    if (program->threads <= stage->cores)
        return STATUS_OK;
    if (stage->own_cores)
        return error_set(error, STATUS_INVALID,
                         "component.%s.trace: %d threads, more than its %.0f workers", c->head.name,
                         program->threads, stage->cores);
    return error_set(error, STATUS_INVALID,
                     "component.%s.trace: %d threads, more than the %.0f cores of %s%s",
                     c->head.name, program->threads, stage->cores, device->head.name,
                     stage->cores < device_cores(device) ? " that no other component states" : "");
}

enum status stage_program(struct workspace *work, const struct scenario *scenario, int n,
                          struct error *error)
{
    const struct plan_node *node = &work->plan.node[n];
    struct stage *stage = &work->stage[n];
    struct program_time time;

    if (check(scenario, node->component, stage, error) != STATUS_OK)
        return STATUS_INVALID;
    stage->program = scenario->component[node->component].trace.program;
    stage->machine = program_machine(scenario, node->component, stage->cores);
    time = program_total_time(stage->program, &stage->machine);
    /* beside what it takes to add the parts of a split predecessor */
    stage->bytes += time.bytes;
    stage->whole.compute += time.threads;
    stage->whole.transfer += time.bandwidth;
    stage->slots = stage_at_share(stage, 1, (int)scenario->general.packets, &work->track[n]);
    stage->work = stage->slots;
    return STATUS_OK;
}
