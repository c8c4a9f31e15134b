#include "model/outcome.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/bound.h"
#include "model/critical.h"
#include "model/formulas.h"
#include "model/load.h"
#include "model/loop.h"

#define NEVER DBL_MAX

/* Latency -------------------------------------------------------------------------------------- */

/* Returns true for a camera on which a command depends. */
static bool is_leading_camera(const struct plan_node *node)
{
    return node->type == COMPONENT_CAMERA && node->leads_to_command;
}

static double command_time(const struct workspace *work, int n)
{
    return track_command(&work->track[n], work->track[n].last);
}

int outcome_command_node(const struct workspace *work)
{
    int last = -1;

    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].command &&
            (last < 0 || command_time(work, n) > command_time(work, last)))
            last = n;
    return last;
}

/* Returns the time at which the last packet of a camera that matters has left the wire. */
static double useful_time(const struct workspace *work, int n)
{
    return camera_time(&work->track[n], work->track[n].slots - 1, work->timeline.packets);
}

/* Likewise of the cameras in a set of components. */
static double last_useful_time(const struct workspace *work, uint64_t cameras)
{
    double last = 0;

    for (int c = 0; c < work->plan.component_count; c++) {
        int n = work->plan.node_of[c];

        if ((cameras >> c & 1) != 0 && is_leading_camera(&work->plan.node[n]))
            last = larger(last, useful_time(work, n));
    }
    return last;
}

/* Returns the time at which the last pixel of all cameras that matter has left the wire. */
static double readout_end(const struct workspace *work)
{
    double last = 0;

    for (int n = 0; n < work->plan.count; n++)
        if (is_leading_camera(&work->plan.node[n]))
            last = larger(last, formula_camera_end(work->track[n].start, work->track[n].readout));
    return last;
}

double outcome_clock(const struct workspace *work)
{
    return last_useful_time(work, ~UINT64_C(0));
}

double outcome_latency(const struct workspace *work)
{
    int last = outcome_command_node(work);

    return last < 0 ? 0 : formula_latency(command_time(work, last), outcome_clock(work));
}

static void fill_times(const struct workspace *work, struct result *result)
{
    for (int n = 0; n < work->plan.count; n++) {
        struct node_result *node = &result->node[n];

        node->first_start = track_first_start(&work->track[n]);
        node->last_end = work->track[n].last;
        node->path_wait = node->path_busy = 0;
    }
}

/* Waits on the critical path, s. */
struct waits {
    int waiter, of;        /* that waits; that is waited for; -1: any */
    double by[NODE_MAX];   /* for which each node waits */
    double for_[NODE_MAX]; /* for which each node is waited for; for itself: the frame before */
};

static void add_wait_part(void *context, int node, int slot, double seconds)
{
    struct waits *waits = context;

    (void)slot;
    if (waits->of >= 0 && waits->of != node)
        return;
    waits->by[waits->waiter] += seconds;
    waits->for_[node] += seconds;
}

/* Finds the waits on the path to the command of `from`, for any node or only for `of`. */
static void find_waits(const struct workspace *work, int from, double after, int of,
                       struct waits *waits)
{
    struct path_cursor cursor = critical_path_end(&work->timeline, from, after);
    struct sharers sharers;
    struct path_slot at;

    sharers.known = false;
    waits->of = of;
    for (int n = 0; n < work->plan.count; n++)
        waits->by[n] = waits->for_[n] = 0;
    while (critical_path_back(&cursor, &at)) {
        waits->waiter = at.node;
        if (at.wait > 0 &&
            !critical_divide_wait(&work->timeline, &at, &sharers, add_wait_part, waits))
            add_wait_part(waits, at.node, at.slot, at.wait);
    }
}

static int largest_of(const double *times, int count)
{
    int most = -1;

    for (int n = 0; n < count; n++)
        if (times[n] > (most < 0 ? 0 : times[most]))
            most = n;
    return most;
}

/* Fills in what binds the bottleneck: on the path what takes most of its part, else, if only others
 * wait for it, what takes most of its time. */
static void fill_bound(const struct workspace *work, struct result *result)
{
    const struct path_step *step = result->path;
    const struct path_step *end = result->path + result->path_count;
    struct bound_at at;

    while (step < end && step->node != result->bottleneck)
        step++;
    at = step < end ? (struct bound_at){step->bound, step->device, step->port}
                    : bound_of_node(work, result->bottleneck);
    result->bottleneck_bound = result->bound = at.bound;
    result->bottleneck_device = at.device;
    result->bottleneck_port = at.port;
}

/* Fills in the nodes' times on the critical path and finds what holds the last command up most: a
 * component on the path, with the time for which others on it wait for that component. */
static void find_bound(const struct workspace *work, int from, struct result *result)
{
    const struct path_step *path_end = result->path + result->path_count;
    const struct node_result *nodes = result->node;
    int count = result->node_count;
    double most_part = 0;
    double second = 0;
    double waiting = 0;
    struct waits waits;
    int most = -1;

    for (struct path_step *step = result->path; step < path_end; step++) {
        struct bound_at at = bound_of_step(work, step);

        step->bound = at.bound;
        step->device = at.device;
        step->port = at.port;
        result->node[step->node].path_wait = step->wait;
        result->node[step->node].path_busy = step->busy;
        second = larger(second, smaller(step->busy, most_part));
        most = step->busy > most_part ? step->node : most;
        most_part = larger(step->busy, most_part);
        waiting += step->wait;
    }
    /* short waits change nothing */
    if (second + waiting <= most_part)
        waiting = 0;
    if (waiting > 0) {
        find_waits(work, from, result->last_pixel, -1, &waits);
        most_part = 0;
        for (int n = 0; n < count; n++) {
            double part = nodes[n].path_busy + waits.for_[n];

            most = part > most_part ? n : most;
            most_part = larger(part, most_part);
        }
    }
    result->bottleneck = result->bound_node = most;
    if (most < 0)
        return;
    fill_bound(work, result);
    if (waiting == 0 || waits.for_[most] <= nodes[most].path_busy)
        return;
    find_waits(work, from, result->last_pixel, most, &waits);
    result->bound = BOUND_WAITING;
    result->bound_node = largest_of(waits.by, count);
    if (result->bound_node != most)
        result->bound_for = most;
    else
        result->bottleneck_bound = BOUND_WAITING;
}

static void fill_critical_path(const struct workspace *work, int from, struct result *result)
{
    result->bottleneck = result->bound_node = result->bound_for = result->bottleneck_device = -1;
    result->path_count = 0;
    if (from < 0 || result->brief)
        return;
    result->path_count =
        critical_path_find(&work->timeline, from, result->last_pixel, result->path);
    find_bound(work, from, result);
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

/* Rows of split components --------------------------------------------------------------------- */

static double *node_number(struct node_result *node, const struct result_row *row)
{
    return (double *)(void *)((char *)node + row->offset);
}

/* Sets a result of a split component from those of its parts, which follow it. */
static void fold_parts(struct node_result *whole, const struct result_row *row)
{
    double *value = node_number(whole, row);

    for (int p = 0; p < whole->parts; p++) {
        double part = *node_number(whole + 1 + p, row);

        *value = p == 0                      ? part
                 : row->parts == PARTS_SUM   ? *value + part
                 : row->parts == PARTS_LEAST ? smaller(*value, part)
                                             : larger(*value, part);
    }
}

/* Fills the row of a split component from those of its parts, which follow it. */
static void fill_whole(const struct scenario *scenario, const struct plan_node *node,
                       struct node_result *whole)
{
    const struct node_result *part = whole + 1;
    int slowest = 0;

    for (int p = 1; p < node->parts; p++)
        if (part[p].time > part[slowest].time)
            slowest = p;
    *whole = part[slowest];
    memcpy(whole->name, node->name, sizeof whole->name);
    whole->device = -1;
    whole->part = -1;
    for (int r = RESULT_COMPONENT_FLOP; r <= RESULT_COMPONENT_PATH_BUSY; r++)
        fold_parts(whole, &result_rows[r]); /* slack is not known yet */
    if (scenario->component[node->component].split == SPLIT_ROWS)
        whole->rows = round(whole->rows * node->parts);
    else
        whole->columns = round(whole->columns * node->parts);
}

/* Slack ---------------------------------------------------------------------------------------- */

static bool fill_slack(const struct workspace *work, const struct result *result)
{
    double slack[NODE_MAX];

    if (!critical_slack(&work->timeline, slack))
        return false;
    for (int n = 0; n < result->node_count; n++)
        result->node[n].slack = slack[n] == SLACK_NONE ? RESULT_NONE : slack[n];
    for (int n = 0; n < result->node_count; n++)
        if (node_is_whole(&result->node[n])) /* RESULT_NONE is less than any slack */
            fold_parts(&result->node[n], &result_rows[RESULT_COMPONENT_SLACK]);
    return true;
}

double result_slack(const struct result *result, int node)
{
    struct workspace *work = result->work;

    if (work->slack == SLACK_UNKNOWN)
        work->slack = fill_slack(work, result) ? SLACK_KNOWN : SLACK_LOST;
    return work->slack == SLACK_KNOWN ? result->node[node].slack : RESULT_NONE;
}

/* Returns the delay of a copy by `device`, to it or from it, between two of its neighbours in the
 * last slot; 0 for other nodes. What a camera's port writes need not be copied on every host. */
static double least_copy(const struct workspace *work, int n, int device, bool inward)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct track *track = &work->track[n];

    return node->hop == HOP_PCIE && node->component < 0 && track_works(track, track->slots - 1) &&
                   (inward ? node->to : node->from) == device &&
                   plan_hop_board(&work->plan, node) == device &&
                   work->plan.node[node->producer].type != COMPONENT_CAMERA
               ? track->delay - work->stage[n].handover
               : 0;
}

/* Returns the least delay of the copies that bring a node's data, or those that take its output. */
static double least_copies(const struct workspace *work, int n, bool inward)
{
    const struct plan *plan = &work->plan;
    double least = HUGE_VAL;

    for (int m = inward ? n : 0; m < (inward ? n + 1 : plan->count); m++)
        for (int i = 0; i < plan->node[m].before_count; i++) {
            int before = plan->pool[plan->node[m].before_first + i];

            if (inward || before == n)
                least = smaller(
                    least, least_copy(work, inward ? before : m, plan->node[n].device, inward));
        }
    return least == HUGE_VAL ? 0 : least;
}

double result_last_delay(const struct result *result, int n, int *device)
{
    const struct workspace *work = result->work;
    const struct plan_node *node = &work->plan.node[n];
    const struct track *track = &work->track[n];
    int last = track->slots - 1;
    double start = 0;

    *device = track->kind == TRACK_CAMERA                          ? node->to
              : track->kind == TRACK_COMPUTE && track->device >= 0 ? node->device
                                                                   : -1;
    if (node->type == COMPONENT_DM && node->hop == HOP_NETWORK && node->to < 0)
        *device = node->from;
    if (*device < 0 || !track_works(track, last))
        return 0;
    if (track->kind == TRACK_CAMERA)
        return track_weight(track, last) > 0 ? track->arrival.latency : 0;
    if (track->kind == TRACK_LINK)
        return work->stage[n].port[0] + track_duration(track, last);
    if (!track->continues)
        start = track->delay - track->delay_inside +
                (track->enqueue > 0 ? track_enqueue(track, last, true) : 0);
    return least_copies(work, n, true) + start + track_duration(track, last) +
           least_copies(work, n, false);
}

/* Loop ----------------------------------------------------------------------------------------- */

static void fill_mirrors(const struct scenario *scenario, const struct workspace *work,
                         struct result *result)
{
    result->dm_count = 0;
    for (int n = 0; n < work->plan.count; n++) {
        struct dm_result *dm = &result->dm[result->dm_count];
        const struct component *mirror;

        if (work->plan.node[n].type != COMPONENT_DM)
            continue;
        dm->component = work->plan.node[n].component;
        dm->arrival = work->track[n].last;
        mirror = &scenario->component[dm->component];
        dm->correction = formula_correction(mirror, dm->arrival, formula_mirror_lag(mirror));
        dm->latency = formula_latency(command_time(work, n),
                                      last_useful_time(work, work->plan.node[n].behind));
        result->dm_count++;
    }
}

/* Returns the timing of the loop, whose total delay is the age of the command in force, from the
 * middle of the exposure of the fastest cameras. */
static struct loop_timing loop_timing(const struct scenario *scenario, struct workspace *work,
                                      const struct result *result, double command)
{
    struct loop_timing timing = {.period = result->frame_period, .fastest = NEVER};
    double age = -NEVER;

    timing.integrator = scenario->ao.controller == CONTROLLER_INTEGRATOR;
    for (int i = 0; i < result->dm_count; i++)
        command = i == 0 ? result->dm[0].correction : larger(command, result->dm[i].correction);
    for (int i = 0; i < result->dm_count; i++)
        if (scenario->component[result->dm[i].component].bandwidth > 0)
            timing.integrator = false;
    command = formula_loop_correction(work->taken, command, &scenario->ao, result->latency);
    for (int n = 0; n < work->plan.count; n++)
        if (is_leading_camera(&work->plan.node[n]))
            timing.fastest = smaller(timing.fastest, work->stage[n].divisor);
    for (int n = 0; n < work->plan.count; n++) {
        const struct track *track = &work->track[n];
        const struct component *c;
        double exposure;

        if (!is_leading_camera(&work->plan.node[n]) || work->stage[n].divisor > timing.fastest)
            continue;
        c = &scenario->component[work->plan.node[n].component];
        exposure = formula_exposure(c, timing.fastest, timing.period, track->readout);
        timing.exposure = larger(timing.exposure, exposure);
        exposure =
            formula_integration(c, exposure, useful_time(work, n), track->start, track->readout);
        age = larger(age, formula_camera_age(exposure, track->start));
    }
    if (age == -NEVER) {
        timing.fastest = 1;
        timing.exposure = timing.period;
        age = formula_mean_age(timing.period);
    }
    timing.tau_total =
        formula_tau_total(age, command, formula_sample_period(timing.fastest, timing.period));
    return timing;
}

void outcome_fill(const struct scenario *scenario, struct workspace *work, struct result *result)
{
    struct loop_timing timing;
    int last = outcome_command_node(work);
    double command = last < 0 ? 0 : command_time(work, last);

    result->frames = work->timeline.frames;
    fill_times(work, result);
    result->last_pixel = outcome_clock(work);
    result->readout_end = readout_end(work);
    result->readout_latency = formula_readout_latency(command, result->readout_end);
    result->latency = formula_latency(command, result->last_pixel);
    result->first_pixel = command;
    result->target = scenario->general.target_latency;
    result_clear_derived(result);
    result->margin = result->overloaded ? RESULT_NONE /* the latency is not reached */
                                        : formula_margin(result->target, result->latency);
    fill_critical_path(work, last, result);
    for (int n = 0; n < work->plan.count; n++)
        if (plan_node_is_whole(&work->plan.node[n]))
            fill_whole(scenario, &work->plan.node[n], &result->node[n]);
    fill_sensors(scenario, work, result);
    fill_mirrors(scenario, work, result);
    coherence_update(&work->coherence, &scenario->atmosphere);
    timing = loop_timing(scenario, work, result, command);
    loop_evaluate(&work->coherence, &timing, &result->loop);
}
