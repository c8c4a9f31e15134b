#include "model/bound.h"

#include "base/number.h"

/* Seconds by what they are due to. */
struct parts {
    double of[BOUND_COUNT];
};

/* Returns the largest part, of equal ones the first; `otherwise` if there is none. */
static enum bound largest_part(const struct parts *parts, enum bound otherwise)
{
    enum bound most = otherwise;

    for (int b = 0; b < BOUND_COUNT; b++)
        if (parts->of[b] > parts->of[most])
            most = (enum bound)b;
    return most;
}

/* Computations --------------------------------------------------------------------------------- */

/* Returns the bound of a program: the cause of most of its time. Waits for locks count as overhead:
 * neither more compute nor more bandwidth helps. */
static enum bound program_bound(const struct stage *stage, bool partition)
{
    static const enum bound bounds[] = {[LIMIT_THREADS] = BOUND_COMPUTE,
                                        [LIMIT_CHAIN] = BOUND_COMPUTE,
                                        [LIMIT_BANDWIDTH] = BOUND_MEMORY,
                                        [LIMIT_LOCKS] = BOUND_OVERHEAD};
    struct program_machine machine = stage->machine;

    program_machine_share(&machine, partition ? stage->share : 1, stage->own_cores);
    return bounds[program_total_time(stage->program, &machine).limit];
}

/* Returns what binds the work of a component, without its fixed times. */
static enum bound work_bound(const struct workspace *work, int n)
{
    const struct stage *stage = &work->stage[n];

    if (stage->program != NULL)
        return program_bound(stage, stage_is_partitioned(work, work->plan.node[n].device));
    return stage->compute > stage->memory ? BOUND_COMPUTE : BOUND_MEMORY;
}

static struct bound_at computation_step(const struct workspace *work, const struct path_step *step)
{
    const struct track *track = &work->track[step->node];
    enum bound of_work = work_bound(work, step->node);
    struct parts parts = {{0}};
    double fixed = 0;

    for (int i = step->first; i <= step->last; i++)
        fixed += track_fixed(track, i);
    parts.of[of_work] = step->busy - step->delay - fixed;
    parts.of[BOUND_OVERHEAD] += step->delay - step->enqueuing - step->sleep + fixed;
    parts.of[BOUND_ENQUEUE] = step->enqueuing;
    parts.of[BOUND_SLEEP] = step->sleep;
    return (struct bound_at){.bound = largest_part(&parts, of_work),
                             .device = work->plan.node[step->node].device};
}

/* Links ---------------------------------------------------------------------------------------- */

/* Times of a link, s; `arrivals`: how often its latency counts. */
struct link_times {
    double enqueuing, delay, wire, arrivals;
};

static bool is_copy(const struct workspace *work, const struct plan_node *node)
{
    int board = plan_hop_board(&work->plan, node);

    return node->hop == HOP_PEER || (node->hop == HOP_PCIE && node->type != COMPONENT_DM &&
                                     board >= 0 && work->plan.device[board].kind == DEVICE_GPU);
}

/* Returns the seconds for which receiving cores, which are slower than the wire, hold a link. */
static double core_time(const struct track *track, int first, int last)
{
    double time = 0;

    for (int i = first; i <= last && track->datagram > 0; i++) {
        double bytes = track->bytes * track_weight(track, i);

        if (bytes > 0)
            time += track_link_time(track, bytes) - wire_time(&track->wire, bytes);
    }
    return time;
}

static enum port_part largest_reception(double ingress, double core)
{
    return core > ingress ? PORT_CORE : PORT_INGRESS;
}

/* Returns what binds the slots `first` to `last` of a link. */
static struct bound_at link_bound(const struct workspace *work, int n, int first, int last,
                                  struct link_times times)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct stage *stage = &work->stage[n];
    const struct track *track = &work->track[n];
    double received = times.arrivals * track_reception(track);
    double core = received + core_time(track, first, last);
    double ingress = times.arrivals * stage->port[1] - received;
    double part = track->delay > 0 ? times.delay / track->delay : 0;
    double egress = part * stage->port[0];
    bool network = node->hop == HOP_NETWORK;
    struct parts parts = {{0}};
    struct bound_at at;

    parts.of[BOUND_ENQUEUE] = times.enqueuing;
    parts.of[BOUND_OVERHEAD] = part * stage->handover;
    parts.of[BOUND_PORT] = egress + ingress + core;
    parts.of[BOUND_LINK] =
        times.wire + times.arrivals * (track->latency - track->beyond) - ingress - core;
    parts.of[is_copy(work, node) ? BOUND_COPY : BOUND_LINK] +=
        part * (track->delay - stage->port[0] - stage->handover);
    at = (struct bound_at){.bound = largest_part(&parts, BOUND_LINK),
                           .device = node->hop == HOP_NONE ? -1
                                     : network             ? node->from
                                                           : plan_hop_board(&work->plan, node),
                           .port = egress >= ingress + core ? PORT_EGRESS
                                                            : largest_reception(ingress, core)};
    if (network && (node->from < 0 || (at.bound == BOUND_PORT && at.port != PORT_EGRESS)))
        at.device = node->to;
    return at;
}

static struct bound_at link_step(const struct workspace *work, const struct path_step *step)
{
    const struct track *track = &work->track[step->node];
    double latency = track->latency - track->beyond;

    /* packets follow each other on the wire: only the latency of the last one counts */
    return link_bound(work, step->node, step->first, step->last,
                      (struct link_times){.enqueuing = step->enqueuing,
                                          .delay = step->delay - step->enqueuing,
                                          .wire = larger(0, step->busy - step->delay - latency),
                                          .arrivals = 1});
}

static struct bound_at link_frame(const struct workspace *work, int n)
{
    const struct track *track = &work->track[n];
    double slots = track->weights.count;

    return link_bound(work, n, 0, track->slots - 1,
                      (struct link_times){.enqueuing = slots * track->enqueue,
                                          .delay = slots * track->delay,
                                          .wire = work->stage[n].time,
                                          .arrivals = slots});
}

/* All nodes ------------------------------------------------------------------------------------ */

struct bound_at bound_of_node(const struct workspace *work, int n)
{
    const struct plan_node *node = &work->plan.node[n];
    const struct stage *stage = &work->stage[n];

    if (node->type == COMPONENT_CAMERA)
        return (struct bound_at){.bound = stage->port_limits ? BOUND_PORT : BOUND_READOUT,
                                 .device = node->to,
                                 .port = PORT_WIRE};
    if (node->device < 0)
        return link_frame(work, n);
    return (struct bound_at){.bound = stage->fixed_total > stage->time / 2 ? BOUND_OVERHEAD
                                                                           : work_bound(work, n),
                             .device = node->device};
}

/* After the last pixel only the port of a camera takes time. */
static struct bound_at camera_step(const struct workspace *work, const struct path_step *step)
{
    double ingress = work->track[step->node].arrival.latency;
    double core = step->busy - step->sleep - ingress;

    return (struct bound_at){.bound = step->sleep > step->busy / 2 ? BOUND_SLEEP : BOUND_PORT,
                             .device = work->plan.node[step->node].to,
                             .port = largest_reception(ingress, core)};
}

struct bound_at bound_of_step(const struct workspace *work, const struct path_step *step)
{
    const struct plan_node *node = &work->plan.node[step->node];

    if (node->type == COMPONENT_CAMERA)
        return camera_step(work, step);
    return node->device < 0 ? link_step(work, step) : computation_step(work, step);
}

const char *bound_link_name(const struct result *result, int n)
{
    const struct plan *plan = &result->work->plan;
    const struct plan_node *node = &plan->node[n];
    const struct plan_device *board;

    switch (node->hop) {
    case HOP_NONE:
        break;
    case HOP_NETWORK:
        return "network";
    case HOP_PEER:
        return node->queue[0] == NO_QUEUE ? "NVLink" : "PCIe";
    case HOP_PCIE:
        board = &plan->device[plan_hop_board(plan, node)];
        return board != &plan->device[board->host] && board->host_link == HOST_LINK_NVLINK
                   ? "NVLink"
                   : "PCIe";
    }
    return "";
}
