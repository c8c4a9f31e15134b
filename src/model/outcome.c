#include "model/outcome.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/load.h"
#include "model/loop.h"
#include "model/slack.h"

#define NEVER DBL_MAX

/* Latency -------------------------------------------------------------------------------------- */

/* The node whose command leaves last, or -1. */
static int last_command(const struct workspace *work)
{
    int last = -1;

    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].command &&
            (last < 0 || work->track[n].last > work->track[last].last))
            last = n;
    return last;
}

static double last_pixel(const struct workspace *work)
{
    double last = 0;

    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].type == COMPONENT_CAMERA && work->plan.node[n].leads)
            last = larger(last, work->track[n].last);
    return last;
}

double outcome_latency(const struct workspace *work)
{
    int last = last_command(work);

    return last < 0 ? 0 : work->track[last].last - last_pixel(work);
}

/* Nothing is done before the first slot with work, so it starts as soon as it is ready, unless it
 * has to wait for others or the frame before. */
static double first_start(const struct workspace *work, int n, int packets)
{
    const struct track *track = &work->track[n];
    int first = track->weights.first;

    if (track->kind == TRACK_CAMERA)
        return 0;
    if (first >= packets - 1)
        return track->last_start;
    if (track->begin != NULL)
        return larger(0, track->begin[first] - track->origin);
    return track_ready(work->track, n, first, packets);
}

static void fill_times(const struct workspace *work, int packets, struct result *result)
{
    for (int n = 0; n < work->plan.count; n++) {
        struct node_result *node = &result->node[n];

        node->first_start = first_start(work, n, packets);
        node->last_end = work->track[n].last;
        node->path_wait = node->path_busy = 0;
    }
}

static void fill_path(const struct workspace *work, int from, struct result *result)
{
    double most = 0;

    result->bound_node = -1;
    result->path_count =
        from < 0 ? 0 : critical_path(&work->timeline, from, result->last_pixel, result->path);
    for (int i = 0; i < result->path_count; i++) {
        const struct path_step *step = &result->path[i];

        result->node[step->node].path_wait = step->wait;
        result->node[step->node].path_busy = step->busy;
    }
    for (int n = 0; n < result->node_count; n++) {
        double part = result->node[n].path_wait + result->node[n].path_busy;

        if (part > most) {
            most = part;
            result->bound_node = n;
            result->bound = result->node[n].bound;
        }
    }
}

uint32_t outcome_path_devices(const struct scenario *scenario, const struct result *result)
{
    uint32_t devices = 0;

    for (int i = 0; i < result->path_count; i++) {
        int device = result->node[result->path[i].node].device;

        if (device >= 0)
            devices |= UINT32_C(1) << device;
    }
    return devices != 0 ? devices : (uint32_t)((UINT64_C(1) << scenario->device_count) - 1);
}

static void fill_uncertainty(const struct scenario *scenario, struct result *result)
{
    uint32_t devices = outcome_path_devices(scenario, result);

    result->uncertainty = 1;
    for (int d = 0; d < scenario->device_count; d++)
        if ((devices >> d & 1) != 0)
            result->uncertainty = larger(result->uncertainty, result->device[d].pc);
}

static void fill_slack(struct workspace *work, struct result *result)
{
    slack_find(&work->timeline, work->slack);
    for (int n = 0; n < result->node_count; n++)
        result->node[n].slack = work->slack[n] == SLACK_NONE ? RESULT_NONE : work->slack[n];
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
        if (work->plan.node[n].type == COMPONENT_CAMERA && work->plan.node[n].leads)
            divisor = smaller(divisor, work->stage[n].divisor);
    for (int n = 0; n < work->plan.count; n++) {
        const struct component *c;
        double exposure;

        if (work->plan.node[n].type != COMPONENT_CAMERA || !work->plan.node[n].leads ||
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
    int last = last_command(work);
    double command = last < 0 ? 0 : work->track[last].last;

    result->frames = work->timeline.frames;
    fill_times(work, (int)scenario->general.packets, result);
    result->last_pixel = last_pixel(work);
    result->latency = command - result->last_pixel;
    result->first_pixel = command;
    result->target = scenario->general.target_latency;
    result->margin = result->target - result->latency;
    fill_path(work, last, result);
    fill_uncertainty(scenario, result);
    fill_slack(work, result);
    outcome_whole(scenario, work, result);
    fill_sensors(scenario, work, result);
    fill_mirrors(scenario, work, result);
    coherence_update(&work->coherence, &scenario->atmosphere);
    loop_evaluate(&work->coherence, result->frame_period,
                  total_delay(scenario, work, result, command), &result->loop);
}

/* Outcome whole -------------------------------------------------------------------------------- */

static const struct node_result *slowest(const struct node_result *part, int parts)
{
    const struct node_result *most = part;

    for (int p = 1; p < parts; p++)
        if (part[p].time > most->time)
            most = &part[p];
    return most;
}

/* The slack of the part that has least, where all have some. */
static double least_slack(double slack, double other)
{
    if (slack == RESULT_NONE || other == RESULT_NONE)
        return RESULT_NONE;
    return smaller(slack, other);
}

/* Times that need not be the slowest part's; the sums of the work. */
static void take_in(struct node_result *whole, const struct node_result *part)
{
    whole->flop += part->flop;
    whole->bytes += part->bytes;
    whole->deferred_flop += part->deferred_flop;
    whole->deferred_bytes += part->deferred_bytes;
    whole->working_set += part->working_set;
    whole->compute = larger(whole->compute, part->compute);
    whole->memory = larger(whole->memory, part->memory);
    whole->busy = larger(whole->busy, part->busy);
    whole->deferred = larger(whole->deferred, part->deferred);
    whole->path_wait += part->path_wait;
    whole->path_busy += part->path_busy;
    whole->first_start = smaller(whole->first_start, part->first_start);
    whole->last_end = larger(whole->last_end, part->last_end);
    whole->slack = least_slack(whole->slack, part->slack);
}

void outcome_whole(const struct scenario *scenario, const struct workspace *work,
                   struct result *result)
{
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        struct node_result *whole = &result->node[n];
        const struct node_result *part = &result->node[n + 1];

        if (!plan_node_is_whole(node))
            continue;
        *whole = *slowest(part, node->parts);
        memcpy(whole->name, node->name, sizeof whole->name);
        whole->device = -1;
        whole->part = -1;
        whole->flop = whole->bytes = whole->working_set = 0;
        whole->deferred_flop = whole->deferred_bytes = 0;
        whole->path_wait = whole->path_busy = 0;
        for (int p = 0; p < node->parts; p++)
            take_in(whole, &part[p]);
        if (scenario->component[node->component].split == SPLIT_ROWS)
            whole->rows = round(whole->rows * node->parts);
        else
            whole->columns = round(whole->columns * node->parts);
    }
}

/* Critical ------------------------------------------------------------------------------------- */

/* The predecessor whose slot ended last, and when. */
static inline void find_latest(const struct track *tracks, const struct track *track, int slot,
                               int packets, struct cause *cause)
{
    cause->latest = -1;
    cause->ready = 0;
    for (int p = 0; p < track->before_count; p++) {
        double end = track_end(&tracks[track->before[p]], slot, packets);

        if (p == 0 || end > cause->ready) {
            cause->latest = track->before[p];
            cause->ready = end;
        }
    }
}

static inline struct cause find_cause(const struct timeline *timeline, int node, int slot)
{
    const struct track *track = &timeline->tracks[node];
    int packets = timeline->packets;
    struct cause cause = {.previous = slot - 1, .free = track->held};
    bool wire = track->kind == TRACK_LINK && track_works(track, slot, packets);

    if (wire && slot <= track->weights.first)
        cause.previous = -1;
    while (wire && cause.previous >= 0 && !track_works(track, cause.previous, packets))
        cause.previous--;
    if (cause.previous >= 0)
        cause.free = track_end(track, cause.previous, packets) - (wire ? track->latency : 0);
    find_latest(timeline->tracks, track, slot, packets, &cause);
    cause.begin =
        track->begin == NULL ? larger(cause.ready, cause.free) : track->begin[slot] - track->origin;
    return cause;
}

struct cause cause_of(const struct timeline *timeline, int node, int slot)
{
    return find_cause(timeline, node, slot);
}

double cause_waited(const struct timeline *timeline, int node, int slot, double from, double begin,
                    double to)
{
    const struct track *track = &timeline->tracks[node];
    double stretched;

    if (track->begin == NULL || track->kind != TRACK_COMPUTE || timeline->sharing != SHARING_FLUID)
        return begin - from;
    stretched = to - begin - track_duration(track, slot, timeline->packets);
    /* but for rounding */
    return begin - from + (stretched > 1e-12 * to ? stretched : 0);
}

struct path_walk path_walk_from(const struct timeline *timeline, int node, double after)
{
    return (struct path_walk){timeline, after, node, timeline->packets - 1,
                              timeline->tracks[node].last};
}

static inline bool step_back(struct path_walk *walk, struct path_slot *at)
{
    bool camera = walk->node >= 0 && walk->timeline->tracks[walk->node].kind == TRACK_CAMERA;
    struct cause cause;
    double begin;

    if (walk->node < 0 || walk->to <= walk->after)
        return false;
    cause = find_cause(walk->timeline, walk->node, walk->slot);
    at->node = walk->node;
    at->slot = walk->slot;
    at->to = walk->to;
    at->from = smaller(walk->to, larger(walk->after, cause_from(&cause)));
    begin = larger(at->from, smaller(walk->to, cause.begin));
    if (camera)
        at->from = begin = walk->after;
    at->wait = cause_waited(walk->timeline, walk->node, walk->slot, at->from, begin, walk->to);
    if (camera)
        walk->node = -1;
    else if (cause.previous >= 0 && cause.free > cause.ready)
        walk->slot = cause.previous;
    else
        walk->node = cause.latest;
    walk->to = at->from;
    return true;
}

bool path_walk_back(struct path_walk *walk, struct path_slot *at)
{
    return step_back(walk, at);
}

/* From the last step to the first. */
static int walk_back(const struct timeline *timeline, int node, double after,
                     struct path_step *path)
{
    struct path_walk walk = path_walk_from(timeline, node, after);
    struct path_slot at;
    int count = 0;

    while (step_back(&walk, &at)) {
        struct path_step *step;

        if (count == 0 || path[count - 1].node != at.node)
            path[count++] = (struct path_step){at.node, at.slot, at.slot, 0, 0};
        step = &path[count - 1];
        step->first = at.slot;
        step->wait += at.wait;
        step->busy += at.to - at.from - at.wait;
    }
    return count;
}

int critical_path(const struct timeline *timeline, int node, double after, struct path_step *path)
{
    int count = walk_back(timeline, node, after, path);

    for (int i = 0; i < count / 2; i++) {
        struct path_step step = path[i];

        path[i] = path[count - 1 - i];
        path[count - 1 - i] = step;
    }
    return count;
}
