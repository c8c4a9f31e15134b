#include "outcome.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "critical.h"
#include "device.h"
#include "larger.h"
#include "loop.h"
#include "uncertainty.h"

#define NEVER DBL_MAX /* latest end of what no command waits for */

/* Nodes ---------------------------------------------------------------------------------------- */

static enum bound bound_of(const struct plan_node *node, const struct stage *stage)
{
    if (node->type == COMPONENT_CAMERA)
        return BOUND_READOUT;
    if (node->device < 0)
        return BOUND_LINK;
    if (stage->fixed_total > stage->time / 2)
        return BOUND_OVERHEAD;
    return stage->compute > stage->memory ? BOUND_COMPUTE : BOUND_MEMORY;
}

static double first_start(const struct workspace *work, int n, int packets)
{
    const struct track *track = &work->track[n];
    int first = track->weights.first;

    if (track->kind == TRACK_CAMERA)
        return 0;
    if (first >= packets - 1)
        return track->last_start;
    /* never before the frame, whatever a difference rounds to */
    return larger(0, track_end(track, first, packets) - track_duration(track, first, packets) -
                         (track->kind == TRACK_LINK ? track->latency : 0));
}

/* Stated, or all the time between two frames it delivers. */
static double camera_exposure(const struct component *c, double divisor, double period)
{
    return c->exposure > 0 ? c->exposure : divisor * period;
}

static double camera_busy(const struct component *c, double readout)
{
    return c->frame_transfer ? larger(readout, c->exposure) : readout + c->exposure;
}

static void fill_node(const struct scenario *scenario, const struct workspace *work, int n,
                      struct node_result *out)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct stage *stage = &work->stage[n];

    if (work->rebuilt)
        memcpy(out->name, node->name, sizeof out->name);
    out->component = node->component;
    out->type = node->type;
    out->algorithm = -1;
    if (node->device >= 0)
        out->algorithm = scenario_algorithm(scenario, node->component);
    out->device = node->device;
    out->parts = node->parts;
    out->part = node->component < 0 ? -1 : node->part;
    out->flop = stage->flop;
    out->bytes = stage->bytes;
    out->working_set = stage->working_set;
    out->share = stage->share;
    out->compute_efficiency = stage->compute_efficiency;
    out->memory_efficiency = stage->memory_efficiency;
    out->workers = stage->cores > 0 ? stage->cores : RESULT_NONE;
    out->block = stage->working_set > 0 ? stage->block : RESULT_NONE;
    out->level = node->device >= 0 ? stage->level : LEVEL_MEMORY;
    out->rows = stage->rows;
    out->columns = stage->columns;
    out->grid = stage->grid;
    out->states = stage->states;
    out->kernels = node->device >= 0 ? stage->demand.kernels : 0;
    out->compute = stage->compute;
    out->memory = stage->memory;
    out->time = stage->time;
    out->busy = stage->time;
    out->exposure = RESULT_NONE;
    if (node->type == COMPONENT_CAMERA) {
        const struct component *camera = &scenario->component[node->component];

        out->exposure = camera_exposure(camera, stage->divisor, 1 / scenario->general.frame_rate);
        out->busy = camera_busy(camera, stage->time);
    }
    out->bound = bound_of(node, stage);
    out->first_start = first_start(work, n, (int)scenario->general.packets);
    out->last_end = work->track[n].last;
}

/* Latency -------------------------------------------------------------------------------------- */

/* When the last command leaves. */
static double last_command(const struct workspace *work)
{
    double latest = 0;

    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].command && work->track[n].last > latest)
            latest = work->track[n].last;
    return latest;
}

/* How late each node's last slot may end. */
static void find_slack(struct workspace *work, double command, struct result *result)
{
    for (int n = 0; n < work->plan.count; n++)
        work->latest[n] = work->plan.node[n].command ? command : NEVER;
    for (int n = work->plan.count - 1; n >= 0; n--) {
        const struct track *track = &work->track[n];
        double start;

        result->node[n].slack = RESULT_NONE;
        if (work->latest[n] == NEVER)
            continue;
        result->node[n].slack = larger(0, work->latest[n] - track->last);
        /* an end that may slip so far lets the start slip as far */
        start = track->last_start + (work->latest[n] - track->last);
        for (int p = 0; p < track->before_count; p++)
            work->latest[track->before[p]] = smaller(work->latest[track->before[p]], start);
    }
}

static double last_pixel(const struct workspace *work)
{
    double last = 0;

    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].type == COMPONENT_CAMERA && work->latest[n] != NEVER)
            last = larger(last, work->track[n].last);
    return last;
}

static void find_bound(struct workspace *work, int packets, struct result *result)
{
    int from = -1;

    for (int n = 0; n < work->plan.count; n++) {
        work->part[n] = 0;
        if (work->latest[n] != NEVER && result->node[n].slack == 0 &&
            (from < 0 || work->track[n].last > work->track[from].last))
            from = n;
    }
    result->bound_node = -1;
    if (from < 0)
        return;
    critical_path(work->track, from, packets, result->last_pixel, work->part);
    for (int n = 0; n < work->plan.count; n++)
        if (work->part[n] > 0 &&
            (result->bound_node < 0 || work->part[n] > work->part[result->bound_node]))
            result->bound_node = n;
    if (result->bound_node >= 0)
        result->bound = result->node[result->bound_node].bound;
}

/* Rates ---------------------------------------------------------------------------------------- */

static void offer_limit(struct result *result, const char *name, double busy)
{
    if (busy <= result->limit_busy)
        return;
    result->limit_busy = busy;
    strcpy(result->limit, name); /* names of nodes, devices and links are no longer */
}

static void fill_levels(const struct device *device, const struct memory *memory,
                        struct device_result *out)
{
    struct memory each;

    for (int id = LEVEL_L1; id <= LEVEL_MEMORY; id++) {
        out->capacity[id] = id == LEVEL_L1 && device->kind == DEVICE_GPU ? RESULT_NONE : 0;
        out->level_bandwidth[id] = out->level_latency[id] = RESULT_NONE;
    }
    device_memory_knobs(device, memory, &each);
    for (int k = 0; k < each.count; k++) {
        const struct memory_level *level = &each.level[k];

        out->capacity[level->id] = level->id == LEVEL_MEMORY ? RESULT_NONE : level->capacity;
        out->level_bandwidth[level->id] = level->bandwidth;
        out->level_latency[level->id] = level->latency;
    }
    out->core_bandwidth = device->kind == DEVICE_GPU ? RESULT_NONE : device_core_bandwidth(device);
}

static void fill_devices(const struct scenario *scenario, const struct workspace *work,
                         struct result *result)
{
    for (int d = 0; d < scenario->device_count; d++) {
        struct device_result *out = &result->device[d];

        out->peak_flops = device_peak(&scenario->device[d], PRECISION_FP32);
        out->bandwidth = device_bandwidth(&scenario->device[d]);
        out->busy = 0;
        fill_levels(&scenario->device[d], &work->memory[d], out);
    }
    for (int n = 0; n < work->plan.count; n++) {
        const struct stage *stage = &work->stage[n];
        int device = work->plan.node[n].device;

        if (device >= 0)
            result->device[device].busy += stage->share * stage->time / stage->divisor;
    }
    result->device_count = scenario->device_count;
}

static void fill_links(const struct scenario *scenario, const struct workspace *work,
                       struct result *result)
{
    int number[LINK_MAX];
    int count = 0;

    for (int q = 0; q < 4 * scenario->device_count; q++) {
        if (work->plan.queue_users[q] == 0)
            continue;
        number[q] = count;
        result->link[count].busy = 0;
        if (work->rebuilt)
            plan_queue_name(scenario, q, result->link[count].name, sizeof result->link[count].name);
        count++;
    }
    for (int n = 0; n < work->plan.count; n++)
        for (int i = 0; i < 2; i++)
            if (work->plan.node[n].queue[i] != NO_QUEUE)
                result->link[number[work->plan.node[n].queue[i]]].busy +=
                    work->stage[n].time / work->stage[n].divisor;
    result->link_count = count;
}

static void find_limit(const struct scenario *scenario, const struct workspace *work,
                       struct result *result)
{
    int most = -1;
    double most_busy = 0;

    result->limit_busy = 0;
    result->limit[0] = '\0';
    for (int n = 0; n < result->node_count; n++) {
        double busy = result->node[n].busy / work->stage[n].divisor;

        if (busy > most_busy) {
            most_busy = busy;
            most = n;
        }
    }
    if (most >= 0)
        offer_limit(result, result->node[most].name, most_busy);
    for (int d = 0; d < result->device_count; d++) {
        /* where one component is all there is to a device, it is the one to name */
        if (result->device[d].busy > result->limit_busy * (1 + 1e-9))
            offer_limit(result, scenario->device[d].head.name, result->device[d].busy);
        result->device[d].utilisation = result->device[d].busy / result->frame_period;
    }
    for (int l = 0; l < result->link_count; l++)
        if (result->link[l].busy > result->limit_busy * (1 + 1e-9))
            offer_limit(result, result->link[l].name, result->link[l].busy);
    result->max_frame_rate = result->limit_busy > 0 ? 1 / result->limit_busy : RESULT_NONE;
    result->load = result->limit_busy / result->frame_period;
    result->overloaded = result->limit_busy > result->frame_period * (1 + 1e-12);
}

static void fill_sensors(const struct scenario *scenario, const struct workspace *work,
                         struct result *result)
{
    for (int i = 0; i < scenario->wfs_count; i++) {
        const struct agenda *agenda = &work->agenda[i];
        double stated = scenario->wfs[i].valid_subaps;

        result->wfs[i].subaps = stated > 0 ? stated : agenda->subaps;
        result->wfs[i].width = (double)agenda->key.width;
        result->wfs[i].height = (double)agenda->key.height;
    }
    result->wfs_count = scenario->wfs_count;
}

/* Loop ----------------------------------------------------------------------------------------- */

static void fill_mirrors(const struct scenario *scenario, const struct workspace *work,
                         struct result *result)
{
    result->dm_count = 0;
    for (int n = 0; n < work->plan.count; n++) {
        struct dm_result *dm = &result->dm[result->dm_count];

        if (work->plan.node[n].type != COMPONENT_DM)
            continue;
        dm->component = work->plan.node[n].component;
        dm->arrival = work->track[n].last + scenario->component[dm->component].settle;
        dm->latency = work->track[n].last - result->last_pixel;
        result->dm_count++;
    }
}

/* The command in force, from the middle of the exposure of the fastest cameras. */
static double total_delay(const struct scenario *scenario, const struct workspace *work,
                          const struct result *result, double command)
{
    double period = result->frame_period;
    double divisor = NEVER;
    double exposed = -NEVER;

    for (int i = 0; i < result->dm_count; i++)
        command = i == 0 ? result->dm[0].arrival : larger(command, result->dm[i].arrival);
    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].type == COMPONENT_CAMERA && work->latest[n] != NEVER)
            divisor = smaller(divisor, work->stage[n].divisor);
    for (int n = 0; n < work->plan.count; n++) {
        const struct component *c;
        double exposure;

        if (work->plan.node[n].type != COMPONENT_CAMERA || work->latest[n] == NEVER ||
            work->stage[n].divisor > divisor)
            continue;
        c = &scenario->component[work->plan.node[n].component];
        exposure = camera_exposure(c, divisor, period);
        if (c->shutter == SHUTTER_ROLLING)
            exposure -= work->track[n].readout; /* the mean row ends half a readout later */
        exposed = larger(exposed, exposure / 2);
    }
    if (exposed == -NEVER)
        exposed = period / 2;
    return exposed + command + period / 2;
}

void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result)
{
    int packets = (int)scenario->general.packets;
    double command = last_command(work);

    result->node_count = work->plan.count;
    for (int n = 0; n < work->plan.count; n++)
        fill_node(scenario, work, n, &result->node[n]);
    find_slack(work, command, result);
    result->last_pixel = last_pixel(work);
    result->latency = command - result->last_pixel;
    result->first_pixel = command;
    result->frame_period = 1 / scenario->general.frame_rate;
    result->uncertainty = scenario->device_count > 0 ? UNCERTAINTY_VENDOR : 1;
    result->target = scenario->general.target_latency;
    result->margin = result->target - result->latency;
    find_bound(work, packets, result);
    fill_devices(scenario, work, result);
    fill_sensors(scenario, work, result);
    fill_links(scenario, work, result);
    find_limit(scenario, work, result);
    outcome_whole(scenario, work, result);
    work->rebuilt = false;
    fill_mirrors(scenario, work, result);
    coherence_update(&work->coherence, &scenario->atmosphere);
    loop_evaluate(&work->coherence, result->frame_period,
                  total_delay(scenario, work, result, command), &result->loop);
}
