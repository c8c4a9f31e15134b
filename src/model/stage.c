/* The order in which the parts of stage.h are set. */
#include "model/stage.h"

#include <string.h>

#include "design/knob.h"
#include "model/formulas.h"

/* Clears the data of a node that was of another kind. */
static void clear_node(struct stage *stage, struct track *track)
{
    double *end = track->end;

    memset(stage, 0, sizeof *stage);
    memset(track, 0, sizeof *track);
    track->end = end;
}

/* Sets a node that only represents its parts: it has no work. */
static void set_whole(struct stage *stage, struct track *track)
{
    track->kind = TRACK_COMPUTE;
    track->slots = 1;
    stage->weights = weights_of_last(1);
    track->weights = stage->weights;
    stage->divisor = 1;
    stage->thread = -1;
    track->divisor = 1;
    track->device = -1;
}

/* Returns true if a component gets data from another process: from a port, or from a component of
 * the same host with another process name. */
static bool crosses_processes(const struct workspace *work, const struct scenario *scenario,
                              const struct plan_node *node)
{
    const struct plan *plan = &work->plan;
    const char *process = scenario->component[node->component].process;
    int host = plan->device[node->device].host;

    for (int i = 0; i < node->before_count; i++) {
        const struct plan_node *before = &plan->node[plan->pool[node->before_first + i]];

        while (before->component < 0 && before->hop != HOP_NETWORK && before->before_count > 0)
            before = &plan->node[plan->pool[before->before_first]];
        if (before->hop == HOP_NETWORK)
            return true;
        if (before->type == COMPONENT_CAMERA)
            return true;
        if (before->device >= 0 && plan->device[before->device].host == host &&
            strcmp(scenario->component[before->component].process, process) != 0)
            return true;
    }
    return false;
}

/* Returns true if all predecessors of a node run on its unit, and in its thread. */
static bool stays_on_unit(const struct plan *plan, const struct scenario *scenario,
                          const struct plan_node *node)
{
    const char *thread = scenario->component[node->component].thread;

    for (int i = 0; i < node->before_count; i++) {
        const struct plan_node *before = &plan->node[plan->pool[node->before_first + i]];

        if (before->unit != node->unit ||
            strcmp(scenario->component[before->component].thread, thread) != 0)
            return false;
    }
    return node->before_count > 0;
}

/* Sets how a component's work is dispatched. */
static void set_dispatch(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct overhead *overhead = &work->overhead[node->device];
    const struct demand *demand = &work->stage[n].demand;
    const struct device *device = &scenario->device[node->device];
    struct track *track = &work->track[n];
    int host = work->plan.device[node->device].host;
    double factor = stage_factor(work, node->device, CAUSE_DISPATCH);
    bool crowded = overhead_is_crowded(device, work->stage[n].workers);
    bool always = crowded || device->kind == DEVICE_FPGA; /* also when it continues a visit */
    double launch = crowded ? CROWDED_LAUNCH : overhead->launch;

    track->delay_inside = always ? launch * factor : 0;
    if (work->overhead[host].handover > 0 && crosses_processes(work, scenario, node))
        track->delay_inside +=
            work->overhead[host].handover * stage_factor(work, host, CAUSE_DISPATCH);
    track->delay =
        always ? track->delay_inside : formula_delay(launch * factor, track->delay_inside);
    track->continues = stays_on_unit(&work->plan, scenario, node);
    track->enqueue = formula_enqueue_time(device, overhead->enqueue * factor, demand->kernels);
    track->enqueue_inside = formula_enqueue_inside(device, track->enqueue);
    track->enqueue_tail =
        formula_enqueue_tail(device, overhead->enqueue * factor, demand->tail_kernels);
    track->thread = track->enqueue == 0 ? -1 : node->unit;
}

/* Sets the device and precedence of a track. With fluid sharing the weight of a component is its
 * stated share, or 1 if it states none. */
static void place_track(struct workspace *work, const struct scenario *scenario, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct component *c = node->component < 0 ? NULL : &scenario->component[node->component];
    struct track *track = &work->track[n];

    track->command = node->command;
    track->divisor = (int)work->stage[n].divisor;
    track->device = node->unit;
    track->order = n;
    track->beyond = 0;
    track->continues = false;
    track->thread = -1;
    work->stage[n].thread = -1;
    work->stage[n].in_thread = 0;
    if (node->device >= 0) {
        work->stage[n].workers = c->thread[0] == '\0'
                                     ? c->workers
                                     : scenario_workers(scenario, node->component, node->device);
        track->order += node->component * NODE_MAX;
        track->rank = c->priority * (NODE_MAX + 1) + NODE_MAX - node->depth;
        track->share = c->share > 0 ? c->share : 1;
        track->sharing = work->sharing[node->device];
    }
}

/* Returns the node of a component on a CPU. */
static int node_on(const struct plan *plan, int component, int cpu)
{
    int n = plan->node_of[component];

    while (plan->node[n].device != cpu)
        n++;
    return n;
}

/* Returns STATUS_INVALID for a thread that cannot be: its components run at once, or in several
 * processes of a CPU that has any. */
static enum status check_thread(const struct workspace *work, const struct scenario *scenario,
                                const struct plan_node *node, struct error *error)
{
    const struct component *c = &scenario->component[node->component];
    const struct device *device = &scenario->device[node->device];
    bool processes = device->dispatch == DISPATCH_PROCESS || scenario_has_lock(device);

    if (c->thread[0] == '\0' || device->kind != DEVICE_CPU)
        return STATUS_OK;
    if (work->sharing[node->device] == SHARING_FLUID)
        return error_set(error, STATUS_INVALID,
                         "component.%s.thread: the components of a thread run in turn, but "
                         "scenario.sharing is fluid; allowed: partition, exclusive, or none stated",
                         c->head.name);
    for (int i = 0; i < scenario->component_count && processes; i++) {
        const struct component *other = &scenario->component[i];

        if (strcmp(other->thread, c->thread) == 0 && strcmp(other->process, c->process) != 0 &&
            scenario_runs_on(scenario, i, node->device))
            return error_set(
                error, STATUS_INVALID,
                "component.%s.thread: component.%s has the same thread, but is in another "
                "process; name the same process, or another thread",
                c->head.name, other->head.name);
    }
    return STATUS_OK;
}

/* Finds the thread of a node, if it may share one with others. */
static enum status find_thread(struct workspace *work, const struct scenario *scenario, int n,
                               struct error *error)
{
    const struct plan_node *node = &work->plan.node[n];
    int thread;

    if (check_thread(work, scenario, node, error) != STATUS_OK)
        return STATUS_INVALID;
    thread = stage_is_partitioned(work, node->device)
                 ? scenario_thread(scenario, node->component, node->device)
                 : -1;
    if (thread < 0)
        return STATUS_OK;
    work->stage[n].thread = node_on(&work->plan, thread, node->device);
    work->stage[work->stage[n].thread].in_thread++;
    return STATUS_OK;
}

/* Finds all threads and gives those of several nodes a unit of their own, of which only one of them
 * has a slot at a time. UNIT_MAX is enough: a CPU is one unit, and runs at most COMPONENT_MAX
 * components. */
static enum status place_threads(struct workspace *work, const struct scenario *scenario,
                                 struct error *error)
{
    bool any = false;

    work->units = work->plan.units;
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];

        if (node->device < 0 || (scenario->component[node->component].thread[0] == '\0' &&
                                 !scenario_has_lock(&scenario->device[node->device])))
            continue;
        if (find_thread(work, scenario, n, error) != STATUS_OK)
            return STATUS_INVALID;
        any = true;
    }
    for (int n = 0; n < work->plan.count && any; n++)
        if (work->stage[n].thread == n && work->stage[n].in_thread > 1)
            work->track[n].device = work->units++;
    for (int n = 0; n < work->plan.count && any; n++) {
        if (!stage_in_thread(work, n))
            continue;
        work->track[n].device = work->track[work->stage[n].thread].device;
        work->track[n].sharing = SHARING_EXCLUSIVE;
    }
    return STATUS_OK;
}

/* Sets what belongs to whole devices. */
static void prepare_devices(struct workspace *work, const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++) {
        work->sharing[d] = scenario->device[d].kind == DEVICE_FPGA ? SHARING_PARTITION
                                                                   : scenario_sharing(scenario, d);
        stage_update_device(work, scenario, d);
        work->port_time[d] = work->port_busy[d] = 0;
    }
}

/* Refuses components that work on packets where software waits for the frame. */
static enum status check_processing(const struct scenario *scenario, struct error *error)
{
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];
        const bool custom = c->type == COMPONENT_CUSTOM && c->agenda != AGENDA_FRAME &&
                            knob_set_has(&c->head.own, &knobs[KNOB_COMPONENT_AGENDA]);

        if (scenario->general.processing != PROCESSING_FRAMES ||
            (!custom && c->barrier != BARRIER_PACKET))
            continue;
        return error_set(error, STATUS_INVALID,
                         "component.%s.%s: %s is not possible with scenario.processing = frames; "
                         "allowed: frame",
                         c->head.name, custom ? "agenda" : "barrier",
                         custom ? knob_word(KNOB_COMPONENT_AGENDA, (int)c->agenda) : "packet");
    }
    return STATUS_OK;
}

enum status stage_prepare(struct workspace *work, const struct scenario *scenario,
                          struct error *error)
{
    const struct plan *plan = &work->plan;

    if (check_processing(scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    if (stage_update_agendas(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    prepare_devices(work, scenario);
    stage_forget_stated(work, scenario);
    for (int n = 0; n < plan->count; n++) {
        const struct plan_node *node = &plan->node[n];
        struct track *track = &work->track[n];
        struct stage *stage = &work->stage[n];

        if (!pace_step(work->pace, work->size.packets + node->before_count))
            return STATUS_OK;
        if (work->rebuilt)
            clear_node(stage, track);
        track->before = &plan->pool[node->before_first];
        track->before_count = node->before_count;
        track->queue[0] = track->queue[1] = NO_QUEUE;
        memset(stage->taken, 0, sizeof stage->taken);
        if (plan_node_is_whole(node)) {
            set_whole(stage, track);
            continue;
        }
        stage_pass_packets(work, scenario, n);
        track->weights = stage->weights;
        place_track(work, scenario, n);
        if (node->type == COMPONENT_CAMERA)
            stage_set_camera(work, scenario, n);
        else if (node->device < 0)
            stage_set_payload(work, scenario, n);
        else if (stage_demand(work, scenario, n, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    if (place_threads(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    /* caches hold all working sets, so times need all of these first */
    return stage_memory(work, scenario, error);
}

/* Notes the factors; returns the devices of which one is another than in the last evaluation. */
static uint32_t note_factors(struct workspace *work, const struct scenario *scenario)
{
    uint32_t changed = 0;

    for (int d = 0; d < scenario->device_count; d++)
        for (int c = 0; c < CAUSE_COUNT; c++) {
            const double factor = stage_factor(work, d, (enum cause)c);

            changed |= (uint32_t)(work->used.of[d][c] != factor) << d;
            work->used.of[d][c] = factor;
        }
    return changed;
}

static uint32_t device_bit(int device)
{
    return device < 0 ? 0 : UINT32_C(1) << device;
}

/* Returns true if a time of a node depends on one of some devices. */
static bool depends_on(const struct plan *plan, const struct plan_node *node, uint32_t devices)
{
    uint32_t own = device_bit(node->device) | device_bit(node->from) | device_bit(node->to);

    if (node->device >= 0)
        own |= device_bit(plan->device[node->device].host);
    return (own & devices) != 0;
}

enum status stage_times(struct workspace *work, const struct scenario *scenario, bool again,
                        struct error *error)
{
    const struct plan *plan = &work->plan;
    uint32_t changed = note_factors(work, scenario);

    for (int d = 0; d < scenario->device_count && again; d++)
        again = scenario_sharing_board(scenario, d) < 0; /* else stretches are not known yet */
    for (int n = 0; n < plan->count; n++) {
        const struct plan_node *node = &plan->node[n];
        struct stage *stage = &work->stage[n];

        work->track[n].sleep = 0;
        if (plan_node_is_whole(node) || (again && !depends_on(plan, node, changed)))
            continue;
        if (node->type == COMPONENT_CAMERA) {
            stage_set_arrival(work, scenario, n);
        } else if (node->device < 0) {
            stage_set_link(work, scenario, n);
        } else {
            stage->program = NULL; /* the previous design's program may have been freed */
            stage->memory_stretch = 1;
            stage->sharing.shared_rate = 0;
            set_dispatch(work, scenario, n);
            stage_work(work, scenario, n);
            if (node->type == COMPONENT_PROGRAM &&
                stage_program(work, scenario, n, error) != STATUS_OK)
                return STATUS_INVALID;
        }
    }
    return stage_set_shares(work, scenario, error);
}
