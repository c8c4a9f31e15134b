#include "model/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "model/calibration.h"
#include "model/critical.h"
#include "model/formulas.h"
#include "model/frames.h"
#include "model/load.h"
#include "model/outcome.h"
#include "model/repeat.h"
#include "model/stage.h"

void result_init(struct result *result)
{
    *result = (struct result){.bottleneck = -1, .bound_node = -1, .bound_for = -1};
    result->work = allocate_array(1, sizeof *result->work);
    result->node = allocate_array(NODE_MAX, sizeof *result->node);
    result->path = allocate_array(NODE_MAX, sizeof *result->path);
}

void result_free(struct result *result)
{
    if (result->work != NULL) {
        for (int i = 0; i < 2; i++)
            simulation_free(&result->work->simulation[i]);
        free(result->work->stage);
        free(result->work->track);
        free(result->work->storage);
    }
    free(result->work);
    free(result->budget);
    free(result->node);
    free(result->path);
    *result = (struct result){.bottleneck = -1, .bound_node = -1, .bound_for = -1};
}

void result_watch(struct result *result, const struct progress *progress)
{
    result->pace.progress = progress;
    result->pace.stopped = false;
}

/* Memory --------------------------------------------------------------------------------------- */

/* Gets memory for the stages and tracks of the plan. What a reader of earlier results may ask for
 * stays. */
static void fit_nodes(struct workspace *work)
{
    const int count = work->plan.count;

    if (count <= work->node_room)
        return;
    work->stage = allocate_again(work->stage, (size_t)count * sizeof *work->stage);
    work->track = allocate_again(work->track, (size_t)count * sizeof *work->track);
    memset(&work->stage[work->node_room], 0,
           (size_t)(count - work->node_room) * sizeof *work->stage);
    memset(&work->track[work->node_room], 0,
           (size_t)(count - work->node_room) * sizeof *work->track);
    work->node_room = count;
}

/* Simulations of at most this many slots keep their memory when a design changes size. */
#define SLOTS_KEPT 30000

/* Gets memory for the slots of a frame if the design changed size. */
static void fit_slots(struct workspace *work, const struct scenario *scenario)
{
    const struct design_size size = {work->plan.count, scenario_slots(scenario),
                                     scenario->wfs_count, scenario->component_count};
    const size_t packets = (size_t)size.packets;
    const size_t rows = (size_t)size.nodes + 3 * (size_t)size.sensors + (size_t)size.components + 2;
    double *at;

    if (memcmp(&size, &work->size, sizeof size) == 0)
        return;
    repeat_forget(work->simulation);
    work->timeline = (struct timeline){0};
    for (int n = 0; n < work->node_room; n++)
        work->track[n] = (struct track){0};
    for (int i = 0; i < WFS_MAX; i++)
        work->agenda[i].valid = false;
    for (int i = 0; i < 2; i++)
        if (work->simulation[i].slots > SLOTS_KEPT)
            simulation_free(&work->simulation[i]);
    free(work->storage);
    work->storage = at = allocate_array(rows * packets, sizeof *at);
    for (int n = 0; n < size.nodes; n++, at += packets)
        work->track[n].end = at;
    for (int i = 0; i < size.sensors; i++, at += 3 * packets) {
        work->agenda[i].pixel = at;
        work->agenda[i].element = at + packets;
        work->agenda[i].when = at + 2 * packets;
    }
    for (int i = 0; i < size.components; i++, at += packets)
        work->join[i] = at;
    work->scratch = at;
    work->size = size;
}

/* Evaluation ----------------------------------------------------------------------------------- */

/* Returns true if tracks have to wait for each other: for a device, a queue or a thread. */
static bool is_shared(const struct workspace *work)
{
    bool device[UNIT_MAX];
    bool thread[UNIT_MAX];

    if (work->plan.queued)
        return true;
    for (int u = 0; u < work->units; u++)
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

/* Returns the time for which a component's process, or its thread or its own threads if these wait
 * for their work one by one, is busy or between two packets of a frame. `awake`: that of the nodes
 * of processes and threads that were asked for, below 0: not yet. */
static double awake_time(const struct scenario *scenario, const struct workspace *work, int n,
                         double awake[NODE_MAX])
{
    const struct plan *plan = &work->plan;
    const struct plan_node *node = &plan->node[n];
    const struct component *of = &scenario->component[node->component];
    bool process = scenario->device[node->device].dispatch == DISPATCH_PROCESS;
    double first = track_first_start(&work->track[n]);
    double last = work->track[n].last;
    int member[COMPONENT_MAX]; /* at most one node of each component is on a CPU */
    int count = 0;

    if (!process && of->thread[0] == '\0')
        return last - first;
    if (awake[n] >= 0)
        return awake[n];
    for (int c = 0; c < plan->component_count; c++) {
        const struct component *other = &scenario->component[c];

        if ((plan->component[c].devices >> node->device & 1) == 0 ||
            strcmp(process ? other->process : other->thread, process ? of->process : of->thread) !=
                0)
            continue;
        for (int m = plan->node_of[c]; m < plan->node_of[c] + plan_parts(plan, c); m++) {
            if (plan->node[m].device != node->device)
                continue;
            first = smaller(first, track_first_start(&work->track[m]));
            last = larger(last, work->track[m].last);
            member[count++] = m;
        }
    }
    while (count > 0)
        awake[member[--count]] = last - first;
    pace_step(work->pace, plan->component_count);
    return last - first;
}

/* Returns the host on which a node may find its core asleep, -1: none; sets for how long that was
 * idle between frames. */
static int find_sleeper(const struct scenario *scenario, const struct workspace *work, int n,
                        double awake[NODE_MAX], double *idle)
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
    *idle = period - awake_time(scenario, work, n, awake);
    return node->device;
}

/* Delays, on every host that sleeps, the slot on the critical path of what was idle for longest;
 * returns true if there is one. */
static bool add_wake_ups(const struct scenario *scenario, struct workspace *work)
{
    struct sleeper longest[DEVICE_MAX];
    double awake[NODE_MAX];
    struct path_cursor cursor;
    struct path_slot at;
    int last = outcome_command_node(work);
    int before = -1;
    double idle = 0;
    int host = -1;
    bool any = false;

    if (last < 0)
        return false;
    for (int d = 0; d < scenario->device_count; d++)
        longest[d] = (struct sleeper){-1, 0, 0};
    for (int n = 0; n < work->plan.count; n++)
        awake[n] = -1;
    cursor = critical_path_end(&work->timeline, last, 0);
    while (critical_path_back(&cursor, &at)) {
        if (at.node != before)
            host = find_sleeper(scenario, work, at.node, awake, &idle);
        before = at.node;
        if (host >= 0 && idle > longest[host].idle && track_works(&work->track[at.node], at.slot))
            longest[host] = (struct sleeper){at.node, at.slot, idle};
    }
    for (int d = 0; d < scenario->device_count; d++) {
        double delay = overhead_wake_up(&scenario->device[d], longest[d].idle) *
                       stage_factor(work, d, CAUSE_SLEEP);

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
    int kind = work->factors == NULL ? 0 : 2 * work->factors->kind;
    enum frames_end end;

    *timeline = (struct timeline){.tracks = work->track,
                                  .count = work->plan.count,
                                  .packets = work->size.packets,
                                  .units = work->units,
                                  .shared = is_shared(work),
                                  .period = result->frame_period,
                                  .kind = kind % RUN_KINDS,
                                  .scratch = work->scratch,
                                  .simulations = work->simulation,
                                  .pace = &result->pace};
    end = frames_run(timeline, overlap);
    if (any_host_sleeps(scenario) && timeline_goes_on(timeline) && add_wake_ups(scenario, work)) {
        timeline->kind++; /* those delayed by wake-ups */
        end = frames_run(timeline, overlap);
    }
    result->overloaded = result->overloaded || end == FRAMES_GROW;
    result->not_periodic = end == FRAMES_VARY;
}

enum status evaluate(const struct scenario *scenario, struct result *result, struct error *error)
{
    return evaluate_with(scenario, NULL, result, error);
}

enum status evaluate_design(const struct scenario *scenario, struct result *result,
                            struct error *error)
{
    if (scenario->component_count == 0)
        return error_set(error, STATUS_INVALID,
                         NO_COMPONENTS("a section [component.NAME]", "aolag presets show NAME"));
    return evaluate(scenario, result, error);
}

/* Returns true if the factors of the calibration are those of the scenario evaluated last. */
static bool is_calibration_known(const struct workspace *work, const struct scenario *scenario)
{
    return work->calibration_known && work->calibrated_devices == scenario->device_count &&
           memcmp(&work->calibration, &scenario->calibration, sizeof work->calibration) == 0 &&
           memcmp(work->memory_source, scenario->device,
                  (size_t)scenario->device_count * sizeof scenario->device[0]) == 0;
}

/* Returns the factors of all times: those given (NULL: all 1), times those of the calibration. */
static const struct cause_factors *factors_of(struct workspace *work,
                                              const struct scenario *scenario,
                                              const struct cause_factors *given)
{
    if (!calibration_stated(scenario))
        return given;
    if (!is_calibration_known(work, scenario)) {
        work->calibration_known = false; /* until the devices are those of `memory_source` */
        work->calibrated_devices = scenario->device_count;
        work->calibration = scenario->calibration;
        work->calibration_used = calibration_factors(scenario, &work->calibrated);
    }
    if (!work->calibration_used)
        return given;
    if (given == NULL)
        return &work->calibrated;
    work->scaled.kind = given->kind;
    for (int d = 0; d < scenario->device_count; d++)
        for (int c = 0; c < CAUSE_COUNT; c++)
            work->scaled.of[d][c] = given->of[d][c] * work->calibrated.of[d][c];
    return &work->scaled;
}

/* Sets what no factor changes of the nodes of a design. */
static enum status prepare_design(const struct scenario *scenario, struct workspace *work,
                                  struct error *error)
{
    if (plan_update(&work->plan, scenario, &work->rebuilt, error) != STATUS_OK)
        return STATUS_INVALID;
    if (work->rebuilt)
        repeat_forget(work->simulation);
    fit_nodes(work);
    fit_slots(work, scenario);
    if (stage_prepare(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    return work->pace->stopped ? error_set(error, STATUS_STOPPED, "stopped") : STATUS_OK;
}

/* What is found: all results, or of those of the design what evaluate_scaled does; the latter also
 * of the design that was evaluated last. */
enum extent { EXTENT_ALL, EXTENT_SCALED, EXTENT_SCALED_AGAIN };

/* Evaluates with factors beside those of the calibration. */
static enum status evaluate_factors(const struct scenario *scenario,
                                    const struct cause_factors *factors, enum extent extent,
                                    struct result *result, struct error *error)
{
    const bool again = extent == EXTENT_SCALED_AGAIN;
    struct workspace *work = result->work;
    enum status status = STATUS_OK;

    work->factors = factors_of(work, scenario, factors);
    work->pace = &result->pace;
    if (result->pace.stopped)
        return error_set(error, STATUS_STOPPED, "stopped");
    if (work->slack == SLACK_UNKNOWN)
        work->slack = SLACK_LOST; /* what is known stays if this design is refused */
    work->flow_known = false;
    if (!again)
        status = prepare_design(scenario, work, error);
    if (status == STATUS_OK)
        status = stage_times(work, scenario, again, error);
    if (status != STATUS_OK)
        return status;
    work->calibration_known = calibration_stated(scenario);
    if (result->pace.stopped)
        return error_set(error, STATUS_STOPPED, "stopped");
    load_fill(scenario, work, again, result);
    run_timeline(scenario, work, result);
    if (!result->pace.stopped && extent == EXTENT_ALL)
        outcome_fill(scenario, work, result);
    else if (!result->pace.stopped)
        result->latency = outcome_latency(work);
    if (result->pace.stopped)
        return error_set(error, STATUS_STOPPED, "stopped");
    work->slack = SLACK_UNKNOWN;
    return STATUS_OK;
}

enum status evaluate_scaled(const struct scenario *scenario, const struct cause_factors *factors,
                            bool again, struct result *result, struct error *error)
{
    return evaluate_factors(scenario, factors, again ? EXTENT_SCALED_AGAIN : EXTENT_SCALED, result,
                            error);
}

enum status evaluate_with(const struct scenario *scenario, const struct cause_factors *factors,
                          struct result *result, struct error *error)
{
    return evaluate_factors(scenario, factors, EXTENT_ALL, result, error);
}
