#include "model/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "model/critical.h"
#include "model/formulas.h"
#include "model/frames.h"
#include "model/load.h"
#include "model/outcome.h"
#include "model/stage.h"

enum status result_init(struct result *result, struct error *error)
{
    const size_t agendas = 2 * WFS_MAX;
    const size_t rows = NODE_MAX + agendas + COMPONENT_MAX + 2;
    const size_t steps = 2 * SIMULATION_SLOTS * sizeof(struct simulation_step) / sizeof(double);
    struct workspace *work;
    double *at;

    *result = (struct result){.bottleneck = -1, .bound_node = -1, .bound_for = -1};
    result->work = work = allocate_array(1, sizeof *work);
    result->node = allocate_array(NODE_MAX, sizeof *result->node);
    result->path = allocate_array(NODE_MAX, sizeof *result->path);
    /* rows that a design does not use are never touched and take no memory */
    at = allocate_array(rows * PACKETS_MAX + 3 * SIMULATION_SLOTS + steps, sizeof *at);
    if (work == NULL || result->node == NULL || result->path == NULL || at == NULL) {
        free(at);
        result_free(result);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    work->storage = at;
    for (int n = 0; n < NODE_MAX; n++, at += PACKETS_MAX)
        work->track[n].end = at;
    for (int i = 0; i < WFS_MAX; i++) {
        work->agenda[i].pixel = at;
        work->agenda[i].element = at + PACKETS_MAX;
        at += 2 * PACKETS_MAX;
    }
    for (int i = 0; i < COMPONENT_MAX; i++, at += PACKETS_MAX)
        work->join[i] = at;
    work->scratch = at;
    work->simulation.ends = at + 2 * PACKETS_MAX;
    work->simulation.begins = work->simulation.ends + SIMULATION_SLOTS;
    work->simulation.requests = work->simulation.begins + SIMULATION_SLOTS;
    work->simulation.step = (void *)(work->simulation.requests + SIMULATION_SLOTS);
    return STATUS_OK;
}

void result_free(struct result *result)
{
    if (result->work != NULL)
        free(result->work->storage);
    free(result->work);
    free(result->node);
    free(result->path);
    *result = (struct result){.bottleneck = -1, .bound_node = -1, .bound_for = -1};
}

/* Returns true if tracks have to wait for each other: for a device, a queue or a thread. */
static bool is_shared(const struct workspace *work)
{
    bool device[UNIT_MAX];
    bool thread[UNIT_MAX];

    if (work->plan.queued)
        return true;
    for (int u = 0; u < work->plan.units; u++)
        device[u] = thread[u] = false;
    for (int n = 0; n < work->plan.count; n++) {
        const struct track *track = &work->track[n];

        if (track->kind == TRACK_COMPUTE && track->device >= 0 &&
            track->sharing != SHARING_PARTITION) {
            if (device[track->device])
                return true;
            device[track->device] = true;
        }
        if (track->thread >= 0) {
            if (thread[track->thread])
                return true;
            thread[track->thread] = true;
        }
    }
    return false;
}

/* A component or camera of a host that sleeps between frames. */
struct sleeper {
    int node, slot;
    double idle; /* s */
};

/* Returns the time for which a component's process, or its own threads if they wait for their work
 * one by one, is busy or between two packets of a frame. */
static double awake_time(const struct scenario *scenario, const struct workspace *work, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    bool process = scenario->device[node->device].dispatch == DISPATCH_PROCESS;
    double first = HUGE_VAL;
    double last = 0;

    for (int m = 0; m < work->plan.count; m++) {
        if (m != n && (!process || work->plan.node[m].device != node->device ||
                       strcmp(scenario->component[work->plan.node[m].component].process,
                              scenario->component[node->component].process) != 0))
            continue;
        first = smaller(first, track_first_start(&work->track[m]));
        last = larger(last, work->track[m].last);
    }
    return last - first;
}

/* Returns the host on which a node may find its core asleep, -1: none; sets for how long that was
 * idle between frames. */
static int find_sleeper(const struct scenario *scenario, const struct workspace *work, int n,
                        double *idle)
{
    const struct plan_node *node = &work->plan.node[n];
    double period = work->stage[n].divisor * formula_frame_period(&scenario->general);

    if (node->type == COMPONENT_CAMERA && work->ingress[n].sleeps) {
        *idle =
            formula_camera_idle(work->stage[n].divisor, formula_frame_period(&scenario->general),
                                work->track[n].readout);
        return node->to;
    }
    if (node->device < 0 || !work->overhead[node->device].sleeps)
        return -1;
    *idle = period - awake_time(scenario, work, n);
    return node->device;
}

/* Delays, on every host that sleeps, the slot on the critical path of what was idle for longest;
 * returns true if there is one. */
static bool add_wake_ups(const struct scenario *scenario, struct workspace *work)
{
    struct sleeper longest[DEVICE_MAX];
    struct path_cursor cursor;
    struct path_slot at;
    int last = outcome_command_node(work);
    bool any = false;

    if (last < 0)
        return false;
    for (int d = 0; d < scenario->device_count; d++)
        longest[d] = (struct sleeper){-1, 0, 0};
    cursor = critical_path_end(&work->timeline, last, 0);
    while (critical_path_back(&cursor, &at)) {
        double idle;
        int host = find_sleeper(scenario, work, at.node, &idle);

        if (host >= 0 && idle > longest[host].idle)
            longest[host] = (struct sleeper){at.node, at.slot, idle};
    }
    for (int d = 0; d < scenario->device_count; d++) {
        double delay = overhead_wake_up(longest[d].idle) * stage_factor(work, d, CAUSE_SLEEP);

        if (delay == 0)
            continue;
        work->track[longest[d].node].sleep = delay;
        work->track[longest[d].node].sleep_slot = longest[d].slot;
        work->stage[longest[d].node].idle = longest[d].idle;
        any = true;
    }
    return any;
}

static bool any_host_sleeps(const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == DEVICE_CPU && scenario->device[d].os == OS_STOCK)
            return true;
    return false;
}

/* Runs the frames of the design. */
static void run_timeline(const struct scenario *scenario, struct workspace *work,
                         struct result *result)
{
    struct timeline *timeline = &work->timeline;
    bool overlap = !result->overloaded;
    enum frames_end end;

    *timeline = (struct timeline){.tracks = work->track,
                                  .count = work->plan.count,
                                  .packets = (int)scenario->general.packets,
                                  .units = work->plan.units,
                                  .shared = is_shared(work),
                                  .period = result->frame_period,
                                  .scratch = work->scratch,
                                  .simulation = &work->simulation};
    end = frames_run(timeline, overlap);
    if (any_host_sleeps(scenario) && add_wake_ups(scenario, work))
        end = frames_run(timeline, overlap);
    result->overloaded = result->overloaded || end == FRAMES_GROW;
    result->not_periodic = end == FRAMES_VARY;
}

enum status evaluate(const struct scenario *scenario, struct result *result, struct error *error)
{
    return evaluate_scaled(scenario, NULL, result, error);
}

enum status evaluate_design(const struct scenario *scenario, struct result *result,
                            struct error *error)
{
    if (scenario->component_count == 0)
        return error_set(error, STATUS_INVALID, "no components; add a section [component.NAME]");
    return evaluate(scenario, result, error);
}

enum status evaluate_scaled(const struct scenario *scenario, const struct cause_factors *factors,
                            struct result *result, struct error *error)
{
    struct workspace *work = result->work;

    work->factors = factors;
    if (work->slack == SLACK_UNKNOWN)
        work->slack = SLACK_LOST; /* what is known stays if this design is refused */
    if (plan_update(&work->plan, scenario, &work->rebuilt, error) != STATUS_OK ||
        stage_prepare(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    load_fill(scenario, work, result);
    run_timeline(scenario, work, result);
    outcome_fill(scenario, work, result);
    work->slack = SLACK_UNKNOWN;
    return STATUS_OK;
}
