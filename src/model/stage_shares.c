/* Shares of devices and of memories, and the durations of work at them. Part of stage.h. */
#include "model/stage.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/device.h"
#include "model/formulas.h"

/* Returns the factor by which a share lengthens work. A node without work may have no share. */
static double share_slowdown(double share)
{
    return share > 0 ? 1 / share : 0;
}

static double span_compute(const struct stage *stage, const struct span *span, double slower)
{
    return stage->own_cores ? span->compute : span->compute * slower;
}

static double program_at_share(const struct stage *stage, double share)
{
    struct program_machine machine = stage->machine;

    if (share <= 0)
        return 0;
    program_machine_share(&machine, share, stage->own_cores);
    return program_total_time(stage->program, &machine).time;
}

/* Returns the sum of the slots' durations, without fixed times. */
static double slots_time(const struct track *track, const struct weights *weights)
{
    double slope;
    double offset;
    double sum = 0;

    if (track_linear(track, &slope, &offset))
        return slope + offset * weights->count;
    /* pixels may arrive after the last slot that the command needs */
    for (int i = 0; i < track->slots || i <= weights->last; i++)
        sum += track_duration(track, i);
    return sum - track->tail;
}

double stage_at_share(const struct stage *stage, double share, struct track *track)
{
    double slower = share_slowdown(share);

    track->at_share = share;
    track->fixed = track->tail_fixed = 0;
    track->compute = stage->program != NULL ? program_at_share(stage, share)
                                            : span_compute(stage, &stage->stream, slower);
    track->memory = stage_span_memory(&stage->stream, slower);
    track->accumulator = stage_span_memory(&stage->accumulator, slower);
    track->tail = roofline_time(span_compute(stage, &stage->tail, slower),
                                stage_span_memory(&stage->tail, slower), track->overlap);
    track->deferred = roofline_time(span_compute(stage, &stage->deferred, slower),
                                    stage_span_memory(&stage->deferred, slower), track->overlap);
    return slots_time(track, &stage->weights);
}

/* Shares claimed by the components of a unit of a device. */
struct claim {
    double stated; /* sum of stated shares */
    double work;   /* work of automatic components that may overlap others */
    int sharing;   /* number of those components */
    int automatic; /* number of automatic components */
};

static enum status check_claim(const struct claim *claim, const char *device, struct error *error)
{
    char sum[32];

    if (claim->stated > 1 + 1e-9) {
        number_format(round(claim->stated * 1e4) / 1e4, sum, sizeof sum);
        return error_set(error, STATUS_INVALID,
                         "device.%s: the shares of its components add up to %s, above 1", device,
                         sum);
    }
    if (claim->stated > 1 - 1e-9 && claim->automatic > 0)
        return error_set(error, STATUS_INVALID,
                         "device.%s: stated shares use all of it; none is left for a component "
                         "with an automatic share",
                         device);
    return STATUS_OK;
}

static bool follows(const struct plan_node *node, const struct plan_node *other)
{
    return (node->behind >> other->component & 1) != 0;
}

/* Returns the last slot in which a node works, of those that a command waits for. */
static int last_slot(const struct workspace *work, int n)
{
    const struct weights *weights = &work->stage[n].weights;
    int last = work->track[n].slots - 1;

    if (weights->last <= last || weights->slot == NULL)
        return weights->last <= last ? weights->last : last;
    while (last > 0 && weights->slot[last] == 0)
        last--;
    return last;
}

/* Returns true if two nodes never work at the same time in a frame: one follows the other and has
 * no work before the other's last packet. */
static bool takes_turns(const struct workspace *work, int a, int b)
{
    const struct plan_node *nodes = work->plan.node;

    if (follows(&nodes[a], &nodes[b])) {
        int first = a;

        a = b;
        b = first;
    } else if (!follows(&nodes[b], &nodes[a])) {
        return false;
    }
    return work->stage[b].weights.first >= last_slot(work, a);
}

/* The nodes of each unit: the first, and the next of the same unit; -1: none. */
struct unit_nodes {
    int first[UNIT_MAX], next[NODE_MAX];
};

static void list_unit_nodes(const struct plan *plan, struct unit_nodes *list)
{
    for (int u = 0; u < plan->units; u++)
        list->first[u] = -1;
    for (int n = plan->count - 1; n >= 0; n--) {
        int unit = plan->node[n].unit;

        if (unit < 0)
            continue;
        list->next[n] = list->first[unit];
        list->first[unit] = n;
    }
}

/* Returns the node that claims a share for a node: that of its thread, else itself. */
static int claimant(const struct workspace *work, int n)
{
    return work->stage[n].thread < 0 ? n : work->stage[n].thread;
}

/* Returns true if a node may work at the same time as another one of its unit but not of its
 * thread, of at most one for each component. */
static bool may_overlap(const struct workspace *work, const struct unit_nodes *list, int n)
{
    for (int other = list->first[work->plan.node[n].unit]; other >= 0; other = list->next[other])
        if (claimant(work, other) != claimant(work, n) && !takes_turns(work, n, other))
            return true;
    return false;
}

static bool divides_device(const struct workspace *work, const struct scenario *scenario, int n)
{
    int device = work->plan.node[n].device;

    return device >= 0 && stage_is_partitioned(work, device) &&
           scenario->device[device].kind != DEVICE_FPGA;
}

/* Adds up what the nodes of each thread claim, or one that is alone. */
static void join_claims(struct workspace *work, const struct scenario *scenario)
{
    struct unit_nodes list;

    list_unit_nodes(&work->plan, &list);
    for (int n = 0; n < work->plan.count; n++) {
        work->stage[n].claimed = work->stage[n].claimed_work = 0;
        work->stage[n].claim_overlaps = false;
    }
    for (int n = 0; n < work->plan.count; n++) {
        struct stage *of;
        double stated;

        if (!divides_device(work, scenario, n))
            continue;
        of = &work->stage[claimant(work, n)];
        stated = scenario->component[work->plan.node[n].component].share;
        of->claimed = larger(of->claimed, stated);
        of->claimed_work += work->stage[n].work;
        of->claim_overlaps =
            of->claim_overlaps || (of->claimed == 0 && may_overlap(work, &list, n));
    }
}

/* Divides the partitioned devices. */
static enum status divide_devices(struct workspace *work, const struct scenario *scenario,
                                  struct error *error)
{
    struct claim claims[UNIT_MAX];
    const struct plan *plan = &work->plan;

    memset(claims, 0, sizeof claims[0] * (size_t)plan->units);
    join_claims(work, scenario);
    for (int n = 0; n < plan->count; n++) {
        const struct stage *of = &work->stage[n];
        struct claim *claim;

        if (!divides_device(work, scenario, n) || claimant(work, n) != n)
            continue;
        claim = &claims[plan->node[n].unit];
        claim->stated += of->claimed;
        claim->automatic += of->claimed == 0;
        if (of->claimed == 0 && of->claim_overlaps) {
            claim->sharing++;
            claim->work += of->claimed_work;
        }
        if (check_claim(claim, scenario->device[plan->node[n].device].head.name, error) !=
            STATUS_OK)
            return STATUS_INVALID;
    }
    for (int n = 0; n < plan->count; n++) {
        const struct stage *of = &work->stage[claimant(work, n)];
        struct stage *stage = &work->stage[n];
        const struct claim *claim;
        double stated;

        if (!divides_device(work, scenario, n))
            continue;
        claim = &claims[plan->node[n].unit];
        stated = scenario->component[plan->node[n].component].share;
        stage->overlaps = of->claimed == 0 && of->claim_overlaps;
        stage->share =
            formula_share(stage->taken, stated > 0 ? stated : of->claimed, stage->overlaps,
                          claim->stated, of->claimed_work, claim->work, claim->sharing);
    }
    return STATUS_OK;
}

/* Shared memory -------------------------------------------------------------------------------- */

/* Returns true if a node may use memory at the same time as one on another device. */
static bool uses_beside(const struct workspace *work, int n, int device,
                        const double transfer[NODE_MAX])
{
    for (int other = 0; other < work->plan.count && transfer[n] > 0; other++)
        if (work->plan.node[other].device == device && transfer[other] > 0 &&
            !takes_turns(work, n, other))
            return true;
    return false;
}

static double memory_rate(const struct device *device)
{
    return device_bandwidth(device) * device->sustained_memory;
}

/* Lengthens the transfers of a host and of the board whose memory is its own, as far as they may
 * overlap. */
static void share_memory(struct workspace *work, const struct scenario *scenario, int host,
                         int board)
{
    const struct plan *plan = &work->plan;
    const struct plan_device *units = &plan->device[board];
    const double host_rate = memory_rate(&scenario->device[host]);
    const double board_rate = memory_rate(&scenario->device[board]);
    double transfer[NODE_MAX], bytes[NODE_MAX]; /* s per frame, alone */
    double beside[UNIT_MAX], moved[UNIT_MAX];   /* of those that overlap */
    bool overlaps[NODE_MAX];
    double most = 0; /* of identical boards */

    for (int u = 0; u < plan->units; u++)
        beside[u] = moved[u] = 0;
    for (int n = 0; n < plan->count; n++) {
        int device = plan->node[n].device;

        transfer[n] = device == host || device == board
                          ? stage_memory_transfer(&work->stage[n], &bytes[n])
                          : 0;
    }
    for (int n = 0; n < plan->count; n++) {
        overlaps[n] = uses_beside(work, n, plan->node[n].device == host ? board : host, transfer);
        if (overlaps[n]) {
            beside[plan->node[n].unit] += transfer[n];
            moved[plan->node[n].unit] += bytes[n];
        }
    }
    for (int u = units->first_unit; u < units->first_unit + units->units; u++)
        most = larger(most, moved[u]);
    for (int n = 0; n < plan->count; n++) {
        const bool on_host = plan->node[n].device == host;
        struct stage *stage = &work->stage[n];

        if (transfer[n] == 0)
            continue;
        stage->sharing =
            (struct memory_sharing){on_host ? host_rate : board_rate, board_rate, transfer[n], 0};
        if (overlaps[n]) {
            stage->sharing.own_time = beside[plan->node[n].unit];
            stage->sharing.other_moved =
                (on_host ? most : moved[plan->device[host].first_unit]) / board_rate;
        }
        stage->memory_stretch =
            formula_memory_stretch(stage->sharing.own_rate, stage->sharing.shared_rate,
                                   stage->sharing.own_time, stage->sharing.other_moved);
        if (stage->memory_stretch != 1)
            stage_stretch_memory(work, scenario, n);
    }
    pace_step(work->pace, plan->count * plan->count);
}

static void share_memories(struct workspace *work, const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++) {
        int board = scenario_sharing_board(scenario, d);

        if (board >= 0)
            share_memory(work, scenario, d, board);
    }
}

/* Durations ------------------------------------------------------------------------------------ */

/* Returns true if what matrices with too few rows take is most of the memory time. */
static bool few_rows_take_most(const struct stage *stage, double slower)
{
    double sum = 0;

    for (int i = 0; i < MATRIX_COUNT; i++) {
        const struct matrix_time *matrix = &stage->whole.matrix[i];

        sum += matrix->rows > matrix->gap * slower ? matrix->rows : 0;
    }
    return sum > stage->memory / 2;
}

enum status stage_set_shares(struct workspace *work, const struct scenario *scenario,
                             struct error *error)
{
    bool divided = false;

    share_memories(work, scenario);
    for (int n = 0; n < work->plan.count; n++) {
        int device = work->plan.node[n].device;

        if (device < 0)
            continue;
        work->stage[n].share = work->sharing[device] == SHARING_FLUID ? work->track[n].share : 1;
        divided = divided || stage_is_partitioned(work, device);
    }
    if (divided && divide_devices(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        struct stage *stage = &work->stage[n];
        struct track *track = &work->track[n];

        if (node->device >= 0) {
            double share = stage_is_partitioned(work, node->device) ? stage->share : 1;
            double slots = share == 1 && track->at_share == 1 ? stage->slots
                                                              : stage_at_share(stage, share, track);

            stage->time = formula_node_time(slots, track->tail, stage->fixed_total);
            track->fixed = stage->fixed;
            track->tail_fixed = stage->fixed_tail;
            track->deferred_fixed = stage->fixed_deferred;
            stage->deferred_time = formula_deferred_time(track->deferred, track->deferred_fixed);
            stage->compute = span_compute(stage, &stage->whole, share_slowdown(share));
            stage->memory = stage_span_memory(&stage->whole, share_slowdown(share));
            stage->few_rows = few_rows_take_most(stage, share_slowdown(share));
            stage->level = stage_slowest_level(stage, share_slowdown(share));
        }
        if (!isfinite(stage->time))
            return error_set(error, STATUS_INVALID, "component.%s.share: its time is not finite",
                             scenario->component[node->component].head.name);
    }
    return STATUS_OK;
}
