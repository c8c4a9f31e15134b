#include <math.h>

#include "base/units.h"
#include "model/stage.h"

struct claim {
    double stated; /* sum of the stated shares */
    double work;   /* of automatic streaming components */
    int streaming; /* how many those are */
    int automatic; /* they and the frame-wide ones */
};

/* How much longer work takes with a share. A node without work may own nothing. */
static double stretch_of(double share)
{
    return share > 0 ? 1 / share : 0;
}

static double span_compute(const struct stage *stage, const struct span *span, double stretch)
{
    return stage->own_cores ? span->compute : span->compute * stretch;
}

static double span_memory(const struct span *span, double stretch)
{
    return span->transfer * stretch + span->wait;
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
    double stretch = stretch_of(share);

    track->fixed = track->tail_fixed = 0;
    track->compute = stage->program != NULL ? program_at_share(stage, share)
                                            : span_compute(stage, &stage->stream, stretch);
    track->memory = span_memory(&stage->stream, stretch);
    track->accumulator = span_memory(&stage->accumulator, stretch);
    track->tail = roofline_time(span_compute(stage, &stage->tail, stretch),
                                span_memory(&stage->tail, stretch), track->overlap);
    track->deferred = roofline_time(span_compute(stage, &stage->deferred, stretch),
                                    span_memory(&stage->deferred, stretch), track->overlap);
    return slots_time(track, &stage->weights, packets);
}

/* Nobody owns a part: all of the device is everybody's, in turn or at the same time. */
static void leave_whole(struct workspace *work, const struct scenario *scenario)
{
    for (int n = 0; n < work->plan.count; n++)
        if (work->plan.node[n].device >= 0)
            work->stage[n].share =
                scenario->general.sharing == SHARING_FLUID ? work->track[n].share : 1;
}

static enum status divide(struct workspace *work, const struct scenario *scenario,
                          struct error *error)
{
    struct claim claims[DEVICE_MAX];
    const struct plan *plan = &work->plan;

    for (int d = 0; d < scenario->device_count; d++)
        claims[d] = (struct claim){0, 0, 0, 0};
    for (int n = 0; n < plan->count; n++) {
        const struct component *c;
        struct claim *claim;

        if (plan->node[n].device < 0)
            continue;
        c = &scenario->component[plan->node[n].component];
        claim = &claims[plan->node[n].device];
        claim->stated += c->share;
        claim->automatic += c->share == 0;
        if (c->share == 0 && !work->stage[n].frame_barrier) {
            claim->streaming++;
            claim->work += work->stage[n].work;
        }
    }
    for (int d = 0; d < scenario->device_count; d++) {
        const char *name = scenario->device[d].head.name;

        if (claims[d].stated > 1 + 1e-9) {
            char sum[32];

            number_format(round(claims[d].stated * 1e4) / 1e4, sum, sizeof sum);
            return error_set(error, STATUS_INVALID,
                             "device.%s: the shares of its components add up to %s, above 1", name,
                             sum);
        }
        if (claims[d].stated > 1 - 1e-9 && claims[d].automatic > 0)
            return error_set(error, STATUS_INVALID,
                             "device.%s: stated shares take all of it, a component with an "
                             "automatic share is left with none",
                             name);
    }
    for (int n = 0; n < plan->count; n++) {
        const struct component *c;
        const struct claim *claim;
        double rest;

        if (plan->node[n].device < 0)
            continue;
        c = &scenario->component[plan->node[n].component];
        claim = &claims[plan->node[n].device];
        rest = 1 - claim->stated;
        if (c->share > 0)
            work->stage[n].share = c->share;
        else if (work->stage[n].frame_barrier)
            work->stage[n].share = rest;
        else if (claim->work > 0)
            work->stage[n].share = rest * work->stage[n].work / claim->work;
        else
            work->stage[n].share = rest / claim->streaming;
    }
    return STATUS_OK;
}

static enum status apply(struct workspace *work, const struct scenario *scenario,
                         struct error *error)
{
    int packets = (int)scenario->general.packets;

    for (int n = 0; n < work->plan.count; n++) {
        const struct plan_node *node = &work->plan.node[n];
        struct stage *stage = &work->stage[n];
        struct track *track = &work->track[n];
        bool owns = scenario->general.sharing == SHARING_PARTITION;
        double share = owns ? stage->share : 1;

        if (node->device >= 0) {
            /* the track has the durations at share 1 already */
            double slots = share == 1 ? stage->slots : stage_at_share(stage, share, packets, track);

            stage->time = slots + track->tail + stage->fixed_total;
            track->fixed = stage->fixed;
            track->tail_fixed = stage->fixed_tail;
            track->deferred_fixed = stage->fixed_deferred;
            stage->deferred_time = track->deferred + track->deferred_fixed;
            stage->compute = span_compute(stage, &stage->whole, stretch_of(share));
            stage->memory = span_memory(&stage->whole, stretch_of(share));
        }
        if (!isfinite(stage->time))
            return error_set(error, STATUS_INVALID, "component.%s.share: its time is not finite",
                             scenario->component[node->component].head.name);
    }
    return STATUS_OK;
}

enum status stage_shares(struct workspace *work, const struct scenario *scenario,
                         struct error *error)
{
    if (scenario->general.sharing != SHARING_PARTITION)
        leave_whole(work, scenario);
    else if (divide(work, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    return apply(work, scenario, error);
}
