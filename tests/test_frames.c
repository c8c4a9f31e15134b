#include "model/frames.h"

#include <math.h>

#include "check.h"
#include "reference_shared.h"
#include "tracks.h"

/* A computation of `seconds` behind a readout of 1 s. */
static struct timeline one_computation(double seconds, double period)
{
    struct timeline timeline;

    tracks_clear();
    tracks_camera(0, 1);
    tracks[1].kind = TRACK_COMPUTE;
    tracks[1].compute = seconds;
    tracks[1].command = true;
    tracks_follow(1, 0);
    timeline = tracks_timeline(2, 1, SHARING_EXCLUSIVE);
    timeline.period = period;
    return timeline;
}

TEST(one_frame_that_is_done_in_time)
{
    struct timeline timeline = one_computation(2, 2);

    CHECK_INT(frames_run(&timeline, true), FRAMES_REPEAT);
    CHECK_INT(timeline.frames, 1);
    CHECK_NEAR(tracks[1].last, 3, 0);
}

/* The next frame finds the computation busy: each frame ends later. */
TEST(frames_that_grow)
{
    struct timeline timeline = one_computation(2, 1.5);

    CHECK_INT(frames_run(&timeline, true), FRAMES_GROW);
    CHECK_INT(timeline.frames, 1);
}

/* At random ------------------------------------------------------------------------------------ */

enum { DESIGN_TRACKS = 10, DESIGN_PACKETS = 5, SIMULATED = 90 };

/* What follows several sensors works as often as the fastest. */
static int random_divisor(struct draw *draw, int node, int way)
{
    static const int divisors[][2] = {{1, 1}, {1, 2}, {2, 3}, {3, 3}};
    const struct track *track = &tracks[node];
    int divisor = divisors[way][draw_below(draw, 2)];

    for (int p = 0; p < track->before_count; p++) {
        int from = tracks[track->before[p]].divisor;

        divisor = p == 0 || from < divisor ? from : divisor;
    }
    return divisor;
}

/* Returns how long a track, its device, a queue or a thread is busy per frame, whichever is
 * longest.
 */
static double longest_busy(const struct timeline *timeline)
{
    double device[UNITS] = {0};
    double thread[UNITS] = {0};
    double queue[QUEUE_MAX] = {0};
    double longest = 0;

    for (int n = 0; n < timeline->count; n++) {
        const struct track *track = &tracks[n];
        double busy = track->deferred + track->deferred_fixed;
        double *shared = track->kind == TRACK_COMPUTE && track->sharing != SHARING_PARTITION
                             ? &device[track->device]
                             : NULL;

        for (int i = 0; i < track->slots && track->kind != TRACK_CAMERA; i++) {
            busy += track_duration(track, i);
            if (track->thread >= 0)
                thread[track->thread] += (track->enqueue + track->enqueue_tail) / track->divisor;
        }
        if (track->kind == TRACK_CAMERA)
            busy = track->arrival.datagram * track->arrival.most * timeline->packets;
        busy /= track->divisor;
        longest = fmax(longest, busy);
        if (shared != NULL)
            longest = fmax(longest, *shared += busy);
        for (int i = 0; i < 2 && track->kind == TRACK_LINK; i++)
            if (track->queue[i] != NO_QUEUE)
                longest = fmax(longest, queue[track->queue[i]] += busy);
        if (track->thread >= 0)
            longest = fmax(longest, thread[track->thread]);
    }
    return longest;
}

/* A design whose load is near what its devices can do. */
static struct timeline random_run(struct draw *draw)
{
    int count = 2 + draw_below(draw, DESIGN_TRACKS - 1);
    int packets = 1 + draw_below(draw, DESIGN_PACKETS);
    int way = draw_below(draw, 4);
    double readout = 0.1;
    struct timeline timeline;

    tracks_clear();
    for (int n = 0; n < count; n++) {
        tracks_random(draw, n, packets, 3);
        tracks_random_sharing(draw, n, 3);
        tracks[n].divisor = random_divisor(draw, n, way);
        if (tracks[n].weights.first > 0) /* what follows it may work before it does */
            tracks[n].deferred = tracks[n].deferred_fixed = 0;
        readout = fmax(readout, tracks[n].readout);
    }
    tracks[count - 1].command = true;
    timeline = tracks_timeline(count, packets, (enum sharing)draw_below(draw, 3));
    timeline.period = fmax(1.001 * readout, longest_busy(&timeline) * draw_log(draw, 1.001, 10));
    return timeline;
}

/* Every track of these works in frames 0, 6, 12... */
enum { ALL_DELIVER = 6 };

/* The slow simulation of enough frames: the reported one again, and later ones like it. */
static bool frame_is_steady(struct timeline *timeline, int round)
{
    static double storage[2][DESIGN_TRACKS + 1][SIMULATED * (DESIGN_PACKETS + 1)];
    double *begin[DESIGN_TRACKS + 1];
    double *end[DESIGN_TRACKS + 1];
    struct timeline all = *timeline;
    int per_frame = timeline->packets + 1;
    double command = 0;

    for (int n = 0; n < timeline->count; n++) {
        begin[n] = storage[0][n];
        end[n] = storage[1][n];
        if (tracks[n].command)
            command = fmax(command, track_command(&tracks[n], tracks[n].last));
    }
    /* the last frames have no successors in their way */
    all.frames = timeline->report + 3 * ALL_DELIVER;
    if (all.frames > SIMULATED)
        return true;
    reference_shared(&all, NULL, begin, end);
    for (int n = 0; n < timeline->count; n++)
        for (int f = timeline->report; f < all.frames - ALL_DELIVER; f += ALL_DELIVER) {
            double clock = f * timeline->period;
            double expected = end[n][f * per_frame + tracks[n].slots - 1] - clock;

            /* in one frame there is no deferred work that others meet after the command */
            if (timeline->frames == 1 && tracks[n].last > command)
                continue;
            if (!CHECK_TRUE(fabs(tracks[n].last - expected) <= 1e-7 + 1e-9 * clock,
                            "round %d, sharing %d, frame %d of %d: track %d ends at %.15g, in "
                            "frame %d at %.15g",
                            round, tracks[n].sharing, timeline->report, timeline->frames, n,
                            tracks[n].last, f, expected))
                return false;
        }
    return true;
}

TEST(frames_that_repeat)
{
    struct draw draw = draw_start(0xF4A3E);
    int repeat = draw_repeat(3000);
    int ends[FRAMES_VARY + 1] = {0};
    int several = 0;

    for (int r = 0; r < repeat; r++) {
        struct timeline timeline = random_run(&draw);
        enum frames_end end = frames_run(&timeline, true);

        ends[end]++;
        if (!CHECK_TRUE(timeline.frames <= 64, "round %d: %d frames", r, timeline.frames) ||
            !CHECK_TRUE(end != FRAMES_GROW || timeline.frames == 1, "round %d: %d frames", r,
                        timeline.frames))
            return;
        several += end == FRAMES_REPEAT && timeline.frames > 1;
        if (end == FRAMES_REPEAT && !frame_is_steady(&timeline, r))
            return;
    }
    CHECK_TRUE(repeat < 1000 || (several * 30 > repeat && ends[FRAMES_GROW] * 500 > repeat),
               "%d repeat, %d of them over several frames, %d grow, %d vary", ends[FRAMES_REPEAT],
               several, ends[FRAMES_GROW], ends[FRAMES_VARY]);
}
