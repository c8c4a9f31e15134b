/* Shares of devices: automatic ones, and how long work takes with them. */
#include <math.h>

#include "base/number.h"
#include "model/stage.h"

/* How much longer work takes with a share. A node without work may own nothing. */
static double share_slowdown(double share)
{
    return share > 0 ? 1 / share : 0;
}

static double span_compute(const struct stage *stage, const struct span *span, double slower)
{
    return stage->own_cores ? span->compute : span->compute * slower;
}

static double span_memory(const struct span *span, double slower)
{
    return span->transfer * slower + span->wait;
}

static double program_at_share(const struct stage *stage, double share)
{
    struct program_machine machine = stage->machine;

    if (share <= 0)
        return 0;
    program_machine_share(&machine, share, stage->own_cores);
    return program_total_time(stage->program, &machine).time;
}

/* The sum of the slots' durations, without fixed times. */
static double slots_time(const struct track *track, const struct weights *weights, int packets)
{
    double slope;
    double offset;
    double sum = 0;

    if (track_linear(track, &slope, &offset))
        return slope + offset * weights->count;
    if (weights->slot == NULL)
        return track_duration(track, packets - 1, packets) - track->tail;
    for (int i = 0; i < packets; i++)
        sum += track_duration(track, i, packets);
    return sum - track->tail;
}

double stage_at_share(const struct stage *stage, double share, int packets, struct track *track)
{
    double slower = share_slowdown(share);

    track->fixed = track->tail_fixed = 0;
    track->compute = stage->program != NULL ? program_at_share(stage, share)
                                            : span_compute(stage, &stage->stream, slower);
    track->memory = span_memory(&stage->stream, slower);
    track->accumulator = span_memory(&stage->accumulator, slower);
    track->tail = roofline_time(span_compute(stage, &stage->tail, slower),
                                span_memory(&stage->tail, slower), track->overlap);
    track->deferred = roofline_time(span_compute(stage, &stage->deferred, slower),
                                    span_memory(&stage->deferred, slower), track->overlap);
    return slots_time(track, &stage->weights, packets);
}

/* The shares that the components of a device claim. */
struct claim {
    double stated; /* sum of the stated shares */
    double work;   /* of automatic components that work packet by packet */
    int streaming; /* how many those are */
    int automatic; /* they and those that wait for the frame */
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

static double claimed_share(const struct claim *claim, const struct stage *stage, double stated)
{
    double rest = 1 - claim->stated;

    if (stated > 0)
        return stated;
    if (stage->frame_barrier)
        return rest;
    return claim->work > 0 ? rest * stage->work / claim->work : rest / claim->streaming;
}

static enum status divide_devices(struct workspace *work, const struct scenario *scenario,
                                  struct error *error)
{
    struct claim claims[DEVICE_MAX];
    const struct plan *plan = &work->plan;

    for (int d = 0; d < scenario->device_count; d++)
        claims[d] = (struct claim){0, 0, 0, 0};
    for (int n = 0; n < plan->count; n++) {
        struct claim *claim;
        double stated;

        if (plan->node[n].device < 0)
            continue;
        claim = &claims[plan->node[n].device];
        stated = scenario->component[plan->node[n].component].share;
        claim->stated += stated;
        claim->automatic += stated == 0;
        if (stated == 0 && !work->stage[n].frame_barrier) {
            claim->streaming++;
            claim->work += work->stage[n].work;
        }
    }
    for (int d = 0; d < scenario->device_count; d++)
        if (check_claim(&claims[d], scenario->device[d].head.name, error) != STATUS_OK)
            return STATUS_INVALID;
    for (int n = 0; n < plan->count; n++)
        if (plan->node[n].device >= 0)
            work->stage[n].share =
                claimed_share(&claims[plan->node[n].device], &work->stage[n],
                              scenario->component[plan->node[n].component].share);
    return STATUS_OK;
}

/* Without partition every component uses the whole device, in turn or at the same time. */
static void share_whole_devices(struct workspace *work, const struct scenario *scenario)
{
    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].device >= 0)
            work->stage[n].share =
                scenario->general.sharing == SHARING_FLUID ? work->track[n].share : 1;
}

enum status stage_shares(struct workspace *work, const struct scenario *scenario,
                         struct error *error)
{
    int packets = (int)scenario->general.packets;
    bool divided = scenario->general.sharing == SHARING_PARTITION;

    if (!divided)
        share_whole_devices(work, scenario);
    else if (divide_devices(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        struct stage *stage = &work->stage[n];
        struct track *track = &work->track[n];
        double share = divided ? stage->share : 1;

        if (node->device >= 0) {
            /* the track has the durations at share 1 already */
            double slots = share == 1 ? stage->slots : stage_at_share(stage, share, packets, track);

            stage->time = slots + track->tail + stage->fixed_total;
            track->fixed = stage->fixed;
            track->tail_fixed = stage->fixed_tail;
            track->deferred_fixed = stage->fixed_deferred;
            stage->deferred_time = track->deferred + track->deferred_fixed;
            stage->compute = span_compute(stage, &stage->whole, share_slowdown(share));
            stage->memory = span_memory(&stage->whole, share_slowdown(share));
        }
        if (!isfinite(stage->time))
            return error_set(error, STATUS_INVALID, "component.%s.share: its time is not finite",
                             scenario->component[node->component].head.name);
    }
    return STATUS_OK;
}
