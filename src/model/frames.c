#include "model/frames.h"

#include <math.h>

#include "base/number.h"
#include "model/contention.h"
#include "model/repeat.h"

/* Divisors ------------------------------------------------------------------------------------- */

static bool track_has_work(const struct track *track)
{
    switch (track->kind) {
    case TRACK_CAMERA:
        return true;
    case TRACK_LINK:
        return track->bytes + track->latency + track->delay + track->enqueue > 0;
    case TRACK_COMPUTE:
        break;
    }
    return track->compute + track->memory + track->accumulator + track->fixed + track->tail +
               track->tail_fixed + track->deferred + track->deferred_fixed >
           0;
}

static long common_divisor(long a, long b)
{
    while (b > 0) {
        long rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Finds the greatest common divisor of the divisors with work and their least common multiple, at
 * most FRAMES_MAX. */
static void find_step(const struct timeline *timeline, int *step, int *multiple)
{
    long common = 0;
    long least = 1;

    for (int n = 0; n < timeline->count; n++) {
        long divisor = timeline->tracks[n].divisor;

        if (!track_has_work(&timeline->tracks[n]))
            continue;
        common = common_divisor(divisor, common);
        if (least <= FRAMES_MAX)
            least = least / common_divisor(least, divisor) * divisor;
    }
    *step = common > 0 ? (int)common : 1;
    *multiple = least > FRAMES_MAX ? FRAMES_MAX : (int)least;
}

/* Overlap -------------------------------------------------------------------------------------- */

/* First and last use of something by a frame in an idle system, and the deferred work that follows
 * or is in the way of others. */
struct use {
    double first, last, deferred;
};

/* Returns the end of a track's work of the only frame that was run; before its deferred work not
 * earlier than that may begin. */
static double work_end(const struct track *track, double command)
{
    double end = track->kind == TRACK_LINK ? track->last - track->latency : track->last;

    return track->deferred + track->deferred_fixed > 0 ? larger(end, command) : end;
}

enum { USES = 3 };

/* Lists what a track uses with others: queues or a device, and the thread that enqueues its work;
 * -1: nothing. */
static void list_uses(const struct track *track, int resource[USES])
{
    bool link = track->kind == TRACK_LINK;
    bool shares = track->device >= 0 && track->sharing != SHARING_PARTITION;

    resource[0] = link ? track->queue[0] : shares ? QUEUE_MAX + track->device : -1;
    resource[1] = link ? track->queue[1] : -1;
    resource[2] = track->thread < 0 ? -1 : QUEUE_MAX + UNIT_MAX + track->thread;
}

/* Returns how long before its first slot starts a track may be ready, or ask its thread. */
static double request_lead(const struct track *track)
{
    return track->delay + track->enqueue + track->enqueue_tail + track->sleep;
}

/* Finds when each track's work of a frame may begin. It does not wait for sensors that deliver
 * nothing, which it did in the frame that was run. */
static void find_starts(const struct timeline *timeline, double *start)
{
    bool early[NODE_MAX];

    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];
        double ready = 0;

        start[n] = track_first_start(track);
        early[n] = false;
        for (int p = 0; p < track->before_count; p++) {
            int before = track->before[p];
            bool slower = timeline->tracks[before].divisor > track->divisor;

            early[n] = early[n] || early[before] || slower;
            if (!slower)
                ready = larger(ready, start[before]);
        }
        if (early[n])
            start[n] = smaller(start[n], ready);
    }
}

static bool resources_overlap(const struct timeline *timeline, const double *start, double step,
                              double command, double deferred)
{
    struct use use[QUEUE_MAX + 2 * UNIT_MAX];

    for (int pass = 0; pass < 3; pass++)
        for (int n = 0; n < timeline->count; n++) {
            const struct track *track = &timeline->tracks[n];
            int resource[USES];

            list_uses(track, resource);
            for (int i = 0; i < USES && track_has_work(track); i++) {
                bool thread = i == USES - 1;
                struct use *of = &use[resource[i] < 0 ? 0 : resource[i]];

                if (resource[i] < 0)
                    continue;
                if (pass == 2 && of->last + of->deferred > of->first + step * timeline->period)
                    return true;
                if (pass == 0)
                    *of = (struct use){HUGE_VAL, 0, 0};
                of->first = smaller(of->first, start[n] - (thread ? request_lead(track) : 0));
                of->last = larger(of->last, thread ? track->last_start : work_end(track, command));
                if (!thread && track->deferred + track->deferred_fixed > 0)
                    of->deferred = deferred;
            }
        }
    return false;
}

/* Returns true if a track may still be busy with the frame that was run when the next one reaches a
 * slot that it only passes on to a track with work in it. */
static bool passes_overlap(const struct timeline *timeline)
{
    int first[NODE_MAX];

    timeline_find_first_slots(timeline, first);
    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        if (track->last > track_end(track, first[n]) + track->divisor * timeline->period &&
            (track->kind == TRACK_CAMERA || !track_works(track, first[n])))
            return true;
    }
    return false;
}

/* Returns true if work of the frame that was run in an idle system may last until the next frame
 * needs the same component, device or link. */
static bool frames_overlap(const struct timeline *timeline, int step)
{
    double start[NODE_MAX];
    double command = 0;
    double deferred = 0;
    double first = HUGE_VAL;
    double last = 0;

    find_starts(timeline, start);
    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        if (track->command)
            command = larger(command, track_command(track, track->last));
        deferred += track->deferred + track->deferred_fixed;
        last = larger(last, track->kind == TRACK_CAMERA ? track->released : track->last);
        if (track->kind != TRACK_CAMERA)
            first = smaller(first, start[n] - request_lead(track));
    }
    if (larger(last, command) + deferred <= step * timeline->period + first)
        return false;
    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        if (track->kind == TRACK_CAMERA &&
            track->released > track->divisor * timeline->period + track->start)
            return true;
        if (track->kind != TRACK_CAMERA && track_has_work(track) &&
            work_end(track, command) + track->deferred + track->deferred_fixed >
                start[n] + track->divisor * timeline->period)
            return true;
    }
    return passes_overlap(timeline) || resources_overlap(timeline, start, step, command, deferred);
}

/* Steady state --------------------------------------------------------------------------------- */

/* The times of a frame that are compared, s from its start. */
struct frame_times {
    double command;
    double ends; /* sum over all tracks */
};

static bool frames_alike(const struct timeline *timeline, const struct frame_times *a,
                         const struct frame_times *b)
{
    return fabs(a->command - b->command) <= FRAMES_ALIKE &&
           fabs(a->ends - b->ends) <= FRAMES_ALIKE * timeline->count;
}

/* Returns the times of the frame that timeline_run_frame ran last. */
static struct frame_times last_frame_times(const struct timeline *timeline)
{
    struct frame_times times = {0, 0};

    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &timeline->tracks[n];

        if (track->command)
            times.command = larger(times.command, track_command(track, track->last));
        times.ends += track->last + track->deferred_end;
    }
    return times;
}

static struct frame_times simulated_times(const struct timeline *timeline, int frame)
{
    return (struct frame_times){contention_command(timeline, frame),
                                contention_ends(timeline, frame)};
}

/* The latest commands of compared frames: of all in the second and in the last quarter. */
struct growth {
    double before, now; /* largest of the second quarter, smallest of the last */
    double most;
    int most_frame; /* of the last quarter */
};

static void growth_add(struct growth *growth, int frame, int frames, double command)
{
    if (frame >= frames / 4 && frame < frames / 2)
        growth->before = larger(growth->before, command);
    if (frame < frames - frames / 4)
        return;
    growth->now = smaller(growth->now, command);
    if (command > growth->most) {
        growth->most = command;
        growth->most_frame = frame;
    }
}

/* Decides what frames that do not repeat are. */
static enum frames_end judge_growth(struct timeline *timeline, const struct growth *growth)
{
    bool grows =
        growth->most_frame > 0 && growth->before > 0 && growth->now > growth->before + FRAMES_ALIKE;

    timeline->frames = 1;
    timeline->report = 0;
    if (!grows && growth->most_frame > 0) {
        timeline->frames = growth->most_frame + 1;
        timeline->report = growth->most_frame;
    }
    return grows ? FRAMES_GROW : FRAMES_VARY;
}

/* Runs frames that share nothing. */
static enum frames_end run_unshared(struct timeline *timeline, int multiple, int most)
{
    struct growth growth = {0, HUGE_VAL, -1, 0};
    struct frame_times before = {HUGE_VAL, 0};
    enum frames_end end;

    timeline_start(timeline);
    for (int f = 0; f < most; f++) {
        struct frame_times now;

        timeline_run_frame(timeline, f);
        if (!timeline_goes_on(timeline))
            return FRAMES_STOPPED;
        if (f % multiple != 0)
            continue;
        now = last_frame_times(timeline);
        timeline->frames = f + 1;
        timeline->report = f;
        if (frames_alike(timeline, &now, &before))
            return FRAMES_REPEAT;
        growth_add(&growth, f, most, now.command);
        before = now;
    }
    end = judge_growth(timeline, &growth);
    contention_run(timeline);
    return end;
}

/* Returns the first of the simulated frames that repeats and whose successors were simulated as
 * well while it lasted; -1: none. If a frame meets several before it, as many in a row have to
 * repeat. Sets the number of frames with their successors, a multiple. */
static int find_repetition(const struct timeline *timeline, int multiple, int *complete)
{
    int alike = 0;

    for (int f = *complete = 0; f < timeline->frames; f = *complete += multiple) {
        struct frame_times now = simulated_times(timeline, f);
        struct frame_times before;
        double last = contention_last_end(timeline, f) / timeline->period;

        if (f + last > timeline->frames)
            break;
        if (f == 0)
            continue;
        before = simulated_times(timeline, f - multiple);
        alike = frames_alike(timeline, &now, &before) ? alike + 1 : 0;
        if (alike > 0 && alike * multiple >= (int)last)
            return f;
    }
    return -1;
}

static enum frames_end run_shared(struct timeline *timeline, int multiple, int most)
{
    double last = 0;
    int frames;

    for (int n = 0; n < timeline->count; n++)
        last = larger(last, timeline->tracks[n].last);
    frames = multiple + 1 + (int)smaller(ceil(last / timeline->period), most);
    for (;; frames *= 2) {
        int complete;
        int found;

        timeline->frames = frames < most ? frames : most;
        timeline->report = -1; /* the frame that repeats, once it is known */
        repeat_run(timeline);
        if (!timeline_goes_on(timeline))
            return FRAMES_STOPPED;
        found = find_repetition(timeline, multiple, &complete);
        if (found >= 0) {
            contention_report(timeline, found);
            return FRAMES_REPEAT;
        }
        if (timeline->frames == most) {
            struct growth growth = {0, HUGE_VAL, -1, 0};
            int all = timeline->frames;
            enum frames_end end;

            for (int f = 0; f < complete; f += multiple)
                growth_add(&growth, f, complete, contention_command(timeline, f));
            end = judge_growth(timeline, &growth);
            if (timeline->report > 0) {
                timeline->frames = all;
                contention_report(timeline, timeline->report);
            } else {
                contention_run(timeline);
            }
            return end;
        }
    }
}

enum frames_end frames_run(struct timeline *timeline, bool overlap)
{
    int step;
    int multiple;
    int most;

    timeline->frames = 1;
    timeline->report = 0;
    repeat_run(timeline);
    if (!overlap)
        return FRAMES_REPEAT;
    if (!timeline_goes_on(timeline))
        return FRAMES_STOPPED;
    find_step(timeline, &step, &multiple);
    if (!frames_overlap(timeline, step))
        return FRAMES_REPEAT;
    most = FRAMES_MULTIPLES * multiple > FRAMES_USUAL ? FRAMES_MULTIPLES * multiple : FRAMES_USUAL;
    if (!timeline->shared)
        return run_unshared(timeline, multiple, most < FRAMES_MAX ? most : FRAMES_MAX);
    if (most > contention_frames(timeline->count, timeline->packets))
        most = contention_frames(timeline->count, timeline->packets);
    return most > 1 ? run_shared(timeline, multiple, most) : FRAMES_VARY;
}
