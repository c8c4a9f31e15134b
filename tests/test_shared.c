#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "model/contention.h"
#include "model/frames.h"
#include "reference_model.h"
#include "reference_shared.h"
#include "tracks.h"

static void compute(int node, int packets, double seconds)
{
    tracks[node].kind = TRACK_COMPUTE;
    tracks[node].compute = seconds;
    tracks_even(node, packets);
}

static void run(int count, int packets, enum sharing sharing)
{
    struct timeline timeline = tracks_timeline(count, packets, sharing);

    contention_run(&timeline);
}

/* By hand -------------------------------------------------------------------------------------- */

/* Three equal stages of 100 us, each on a device of its own, or all on one. */
TEST(three_equal_stages)
{
    static const enum sharing ways[] = {SHARING_PARTITION, SHARING_EXCLUSIVE, SHARING_FLUID};

    for (int way = 0; way < 3; way++) {
        for (int together = 0; together < 2; together++) {
            for (int packets = 1; packets <= 50; packets += 49) {
                bool meet = together && ways[way] != SHARING_PARTITION;

                tracks_clear();
                for (int n = 0; n < 3; n++) {
                    compute(n, packets, 100e-6);
                    tracks[n].device = together ? 0 : n;
                    if (n > 0)
                        tracks_follow(n, n - 1);
                }
                run(3, packets, ways[way]);
                CHECK_NEAR(tracks[2].last, packets == 1 || meet ? 300e-6 : 104e-6, 1e-12);
            }
        }
    }
}

/* One holds the device while the other waits, launch and all; first ready, first served. */
TEST(one_at_a_time)
{
    tracks_clear();
    tracks_camera(0, 1);
    tracks_camera(1, 2);
    for (int n = 2; n < 4; n++) {
        compute(n, 1, 3);
        tracks[n].fixed = 0.5;
        tracks_follow(n, 3 - n); /* the second is ready first */
    }
    run(4, 1, SHARING_EXCLUSIVE);
    CHECK_NEAR(tracks[3].last, 1 + 3.5, 0);
    CHECK_NEAR(tracks[2].last_start, 4.5, 0);
    CHECK_NEAR(tracks[2].last, 4.5 + 3.5, 0);
}

/* Of those ready at once the lower turn goes first. */
TEST(ties_by_turn)
{
    for (int first = 1; first < 3; first++) {
        tracks_clear();
        tracks_camera(0, 1);
        for (int n = 1; n < 3; n++) {
            compute(n, 1, 2);
            tracks_follow(n, 0);
            tracks[n].order = n == first ? 3 : 7;
        }
        run(3, 1, SHARING_EXCLUSIVE);
        CHECK_NEAR(tracks[first].last, 3, 0);
        CHECK_NEAR(tracks[3 - first].last, 5, 0);
    }
}

/* Ready at 0 and 1, launches 0 and 1, work of 6 and 1 s, shares 1 and 1/2: the first has done 2 s
 * of its work when the second starts to work; from then on 2/3 and 1/3; the second is done after 3
 * s, the first has 4 - 2 = 2 s left, which it does alone. */
TEST(side_by_side)
{
    tracks_clear();
    tracks_camera(0, 1);
    compute(1, 1, 6);
    compute(2, 1, 1);
    tracks_follow(2, 0);
    tracks[2].fixed = 1;
    tracks[2].share = 0.5;
    run(3, 1, SHARING_FLUID);
    CHECK_NEAR(tracks[2].last_start, 1, 0);
    CHECK_NEAR(tracks[2].last, 5, 1e-15);
    CHECK_NEAR(tracks[1].last, 7, 1e-15);
}

/* Work of 1 s before the command and 7 s after it, 10 s apart: out of the way in time. With 9.5 s
 * after it each frame is half a second later than the one before. */
TEST(deferred_work)
{
    static const enum sharing ways[] = {SHARING_PARTITION, SHARING_EXCLUSIVE, SHARING_FLUID};

    for (int way = 0; way < 3; way++) {
        for (int late = 0; late < 2; late++) {
            struct timeline timeline;

            tracks_clear();
            tracks_camera(0, 1);
            compute(1, 1, 1);
            tracks_follow(1, 0);
            tracks[1].deferred = late ? 8.5 : 6;
            tracks[1].deferred_fixed = 1;
            compute(2, 1, 1);
            tracks_follow(2, 1);
            tracks[2].command = true;
            timeline = tracks_timeline(3, 1, ways[way]);
            tracks_frames(&timeline, 5);
            timeline.period = 10;
            contention_run(&timeline);
            /* deferred from 3 on */
            CHECK_NEAR(tracks[1].last, late ? 2 + 4 * 1.5 : 2, 1e-12);
            CHECK_NEAR(tracks[2].last, tracks[1].last + 1, 1e-12);
            CHECK_NEAR(tracks[1].held, late ? 1 + 4 * 1.5 : 0.0, 1e-12);
        }
    }
}

/* One sensor of two delivers every other frame: the others do not wait for it. */
TEST(slow_sensors)
{
    struct timeline timeline;

    tracks_clear();
    tracks_camera(0, 1);
    tracks_camera(1, 1.5);
    tracks[1].divisor = 2;
    compute(2, 1, 1);
    tracks_follow(2, 1);
    tracks[2].divisor = 2;
    compute(3, 1, 1);
    tracks_follow(3, 0);
    tracks_follow(3, 2);
    timeline = tracks_timeline(4, 1, SHARING_EXCLUSIVE);
    tracks_frames(&timeline, 5);
    timeline.period = 3;
    contention_run(&timeline);
    /* of the frame before the last: nothing of the slow one's */
    CHECK_NEAR(timeline.simulation->node[3].end[6], 9 + 1 + 1, 0);
    CHECK_NEAR(tracks[2].last, 2.5, 0);
    CHECK_NEAR(tracks[3].last, 3.5, 0);
}

/* With devices shared more can be slower: without its launch the second works beside the first,
 * whose output alone is waited for. */
TEST(a_head_start_delays_others)
{
    static const enum sharing ways[] = {SHARING_EXCLUSIVE, SHARING_FLUID};

    for (int way = 0; way < 2; way++) {
        double last[2];

        for (int launch = 0; launch < 2; launch++) {
            tracks_clear();
            tracks_camera(0, 1);
            compute(1, 1, ways[way] == SHARING_FLUID ? 2 * launch : 0);
            tracks[1].device = 1;
            tracks[1].fixed = launch;
            tracks_follow(1, 0);
            compute(2, 1, 2);
            tracks_follow(2, 1);
            compute(3, 1, 2);
            tracks_follow(3, 0);
            tracks[3].fixed = 0.5;
            run(4, 1, ways[way]);
            last[launch] = tracks[3].last;
        }
        CHECK_TRUE(last[0] > last[1], "%g s without, %g s with", last[0], last[1]);
    }
}

/* At random ------------------------------------------------------------------------------------ */

static double *rows[2][TRACKS];

static void make_rows(int slots)
{
    static double storage[2][TRACKS][RUN_FRAMES * (SLOTS + 1)];

    for (int i = 0; i < 2; i++)
        for (int n = 0; n < TRACKS; n++)
            rows[i][n] = storage[i][n];
    CHECK(slots <= RUN_FRAMES * (SLOTS + 1));
}

/* Returns false for a slot that is not simulated, or of an earlier frame. */
static bool actual_slot(const struct timeline *timeline, int n, int slot, double *begin,
                        double *end)
{
    const struct simulation *s = timeline->simulation;
    int frame = slot / reference_slots(timeline);
    int i = slot % reference_slots(timeline);
    bool simulated = timeline->simulated && s->node[n].end != NULL;

    bool deferred = track_delivers(&tracks[n], frame) && tracks[n].deferred > 0;

    if (i == timeline->packets ? !deferred : i >= tracks[n].slots)
        return false;
    if (simulated && tracks[n].kind != TRACK_CAMERA && i < s->node[n].first &&
        frame != timeline->report)
        return false;
    *begin = simulated && tracks[n].kind != TRACK_CAMERA ? s->node[n].begin[slot] : -1;
    *end = simulated ? s->node[n].end[slot] : frame * timeline->period;
    if (simulated)
        return true;
    *end += i == timeline->packets ? tracks[n].deferred_end : track_end(&tracks[n], i);
    return frame == timeline->report;
}

static bool near(double actual, double expected, double scale)
{
    return fabs(actual - expected) <= 1e-9 * scale;
}

static bool as_expected(const struct timeline *timeline, const bool *but, int round)
{
    int slots = reference_slots(timeline);

    for (int n = 0; n < timeline->count; n++) {
        for (int g = 0; g < slots * timeline->frames && (but == NULL || !but[n]); g++) {
            double begin;
            double end;

            if (!actual_slot(timeline, n, g, &begin, &end))
                continue;
            if (!CHECK_TRUE(near(end, rows[1][n][g], rows[1][n][g]),
                            "round %d, sharing %d, %d frames: slot %d of track %d ends at %.17g, "
                            "expected %.17g",
                            round, tracks[n].sharing, timeline->frames, g, n, end, rows[1][n][g]) ||
                !CHECK_TRUE(begin < 0 || near(begin, rows[0][n][g], rows[1][n][g]),
                            "round %d, sharing %d, %d frames: slot %d of track %d starts at %.17g, "
                            "expected %.17g",
                            round, tracks[n].sharing, timeline->frames, g, n, begin, rows[0][n][g]))
                return false;
        }
    }
    return true;
}

/* Ends against the slow way; those of tracks that meet nobody first, then the others given those.
 */
static bool simulations_agree(struct timeline *timeline, int round)
{
    bool meets[TRACKS];
    bool given[TRACKS];

    make_rows(reference_slots(timeline) * timeline->frames);
    contention_run(timeline);
    reference_shared(timeline, NULL, rows[0], rows[1]);
    if (timeline->frames > 1)
        return as_expected(timeline, NULL, round);
    reference_meets(timeline, meets);
    if (!as_expected(timeline, meets, round))
        return false;
    for (int n = 0; n < timeline->count; n++) {
        given[n] = !meets[n];
        for (int i = 0; i < timeline->packets && given[n]; i++)
            rows[1][n][i] = track_end(&tracks[n], i);
    }
    reference_shared(timeline, given, rows[0], rows[1]);
    return as_expected(timeline, NULL, round);
}

static struct timeline random_run(struct draw *draw)
{
    int count = 2 + draw_below(draw, draw_chance(draw, 0.1) ? TRACKS - 2 : 10);
    int packets = 1 + draw_below(draw, draw_chance(draw, 0.1) ? SLOTS : 8);
    int queues = draw_chance(draw, 0.5) ? 60 : 3;
    int devices = 1 + draw_below(draw, 4);
    double readout = 0.1;
    struct timeline timeline;

    tracks_clear();
    for (int n = 0; n < count; n++) {
        tracks_random(draw, n, packets, queues);
        tracks_random_sharing(draw, n, devices);
        readout = fmax(readout, tracks[n].readout);
    }
    timeline = tracks_timeline(count, packets, (enum sharing)draw_below(draw, 3));
    tracks_frames(&timeline, draw_chance(draw, 0.5)
                                 ? 1
                                 : 2 + draw_below(draw, draw_chance(draw, 0.9) ? 4 : 12));
    timeline.period = readout * draw_log(draw, 1, 30);
    return timeline;
}

TEST(random_tracks)
{
    struct draw draw = draw_start(74);
    int repeat = draw_repeat(4000);

    for (int r = 0; r < repeat; r++) {
        struct timeline timeline = random_run(&draw);

        if (draw_chance(&draw, 0.3))
            tracks_random_stretch(&draw, &timeline);
        if (!simulations_agree(&timeline, r))
            return;
    }
}

/* Invariants ----------------------------------------------------------------------------------- */

struct span {
    double begin, end;
    double work; /* s of the device */
};

static int by_end(const void *a, const void *b)
{
    const struct span *p = a;
    const struct span *q = b;

    return p->end < q->end ? -1 : p->end > q->end;
}

/* Between the start of any slot and the end of any other a device does no more than there is time
 * for. */
static bool busy_within_wall_time(struct span *span, int count, int round)
{
    qsort(span, (size_t)count, sizeof *span, by_end);
    for (int i = 0; i < count; i++) {
        double sum = 0;

        for (int j = 0; j < count; j++) {
            if (span[j].begin < span[i].begin)
                continue;
            sum += span[j].work;
            if (!CHECK_TRUE(sum <= span[j].end - span[i].begin + 1e-9 * span[j].end,
                            "round %d: %.12g s of work from %.12g to %.12g s", round, sum,
                            span[i].begin, span[j].end))
                return false;
        }
    }
    return true;
}

/* Nothing ends before its work could be done alone, or starts before what it waits for. */
static bool nothing_too_soon(const struct timeline *timeline, int n, int slot, double duration,
                             int round)
{
    const struct simulation *s = timeline->simulation;
    double begin = s->node[n].begin[slot];
    double end = s->node[n].end[slot];
    bool packet = slot % s->per_frame < timeline->packets;

    if (!CHECK_TRUE(end - begin >= duration - 1e-12 * end,
                    "round %d, sharing %d: slot %d of track %d from %.12g to %.12g takes %.12g s",
                    round, tracks[n].sharing, slot, n, begin, end, duration))
        return false;
    for (int p = 0; packet && p < tracks[n].before_count; p++) {
        int before = tracks[n].before[p];
        int last = tracks[before].slots - 1;
        int i = slot % s->per_frame;
        double ready = s->node[before].end != NULL
                           ? s->node[before].end[i < last ? slot : slot - i + last]
                           : track_end(&tracks[before], i);

        if (!CHECK_TRUE(begin >= ready, "round %d: slot %d of track %d starts before track %d ends",
                        round, slot, n, before))
            return false;
    }
    return true;
}

static bool invariants_hold(const struct timeline *timeline, int round)
{
    static struct span span[DEVICE_MAX][RUN_FRAMES * TRACKS * (SLOTS + 1)];
    const struct simulation *s = timeline->simulation;
    int count[DEVICE_MAX] = {0};

    for (int k = 0; timeline->simulated && k < s->step_count; k++) {
        const struct simulation_step step = s->step[k];
        int n = step.node;
        int slot = step.slot;
        int i = slot % s->per_frame;
        bool works = contention_works(s, n, slot / s->per_frame, i);
        bool deferred = i == timeline->packets;
        const struct track *track = &tracks[n];
        double duration = !works     ? 0
                          : deferred ? track->deferred + track->deferred_fixed
                                     : track_duration(track, i);
        double fixed = deferred ? track->deferred_fixed : track_fixed(track, i);

        if (step.kind == STEP_ENQUEUES || step.kind == STEP_BEGINS_JOB)
            continue;
        if (!nothing_too_soon(timeline, n, slot, duration, round))
            return false;
        if (track->kind != TRACK_COMPUTE || !works || tracks[n].sharing == SHARING_PARTITION)
            continue;
        span[track->device][count[track->device]++] =
            (struct span){s->node[n].begin[slot], s->node[n].end[slot],
                          tracks[n].sharing == SHARING_FLUID ? duration - fixed : duration};
    }
    for (int d = 0; d < DEVICE_MAX; d++)
        if (!busy_within_wall_time(span[d], count[d], round))
            return false;
    return true;
}

TEST(invariants)
{
    struct draw draw = draw_start(76);
    int repeat = draw_repeat(2000);

    for (int r = 0; r < repeat; r++) {
        struct timeline timeline = random_run(&draw);

        contention_run(&timeline);
        if (!invariants_hold(&timeline, r))
            return;
    }
}
