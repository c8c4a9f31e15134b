#include "model/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "reference_shared.h"
#include "model/contention.h"
#include "tracks.h"

/* Which ---------------------------------------------------------------------------------------- */

static void frames_are(const int *divisors, int limit, const char *expected)
{
    struct timeline timeline;
    char text[128] = "";
    int count = 0;

    tracks_clear();
    for (; divisors[count] > 0; count++) {
        tracks_camera(count, 1);
        tracks[count].divisor = divisors[count];
    }
    timeline = tracks_timeline(count, 1, SHARING_PARTITION);
    frames_choose(&timeline, limit);
    for (int f = 0; f < timeline.frames; f++)
        snprintf(text + strlen(text), sizeof text - strlen(text), f == 0 ? "%d" : " %d",
                 timeline.ago[f]);
    CHECK_STR(text, expected);
}

TEST(frames_that_carry_data)
{
    frames_are((int[]){1, 0}, FRAMES_MAX, "4 3 2 1 0");
    frames_are((int[]){5, 5, 0}, FRAMES_MAX, "20 15 10 5 0");
    frames_are((int[]){2, 1, 0}, FRAMES_MAX, "8 7 6 5 4 3 2 1 0");
    frames_are((int[]){3, 2, 0}, FRAMES_MAX, "12 10 9 8 6 4 3 2 0");
    frames_are((int[]){10, 1, 0}, FRAMES_MAX, "40 30 20 10 8 7 6 5 4 3 2 1 0");
    frames_are((int[]){1, 500, 0}, 4, "500 2 1 0");
    frames_are((int[]){7, 0}, 1, "0");
    /* as many as there are sensors: the last delivery of each of the fastest */
    frames_are((int[]){1000, 999, 998, 997, 996, 995, 994, 993, 992, 991, 990, 989, 988, 987, 0},
               FRAMES_MAX, "998 997 996 995 994 993 992 991 990 989 988 987 0");
}

/* What stands for others, or has nothing to do, sets no pace. */
TEST(steps)
{
    struct timeline timeline;

    tracks_clear();
    tracks_camera(0, 1);
    tracks_camera(1, 1);
    tracks[0].divisor = 12;
    tracks[1].divisor = 18;
    tracks[2].kind = TRACK_COMPUTE;
    timeline = tracks_timeline(3, 1, SHARING_PARTITION);
    CHECK_INT(frames_step(&timeline), 6);
    tracks[2].deferred = 1;
    CHECK_INT(frames_step(&timeline), 1);
}

/* Against every frame there is ----------------------------------------------------------------- */

/* Of two divisors, four steps of the larger of which are 12 periods. */
static struct timeline random_run(struct draw *draw, int one, int other)
{
    int count = 2 + draw_below(draw, 10);
    int packets = 1 + draw_below(draw, 6);
    int devices = 1 + draw_below(draw, 3);
    double readout = 0;
    struct timeline timeline;

    tracks_clear();
    for (int n = 0; n < count; n++) {
        tracks_random(draw, n, packets, 3);
        tracks_random_sharing(draw, n, devices);
        tracks[n].divisor = draw_chance(draw, 0.5) ? one : other;
        readout = fmax(readout, tracks[n].readout);
    }
    tracks[0].divisor = one;
    tracks[count - 1].command = true;
    timeline = tracks_timeline(count, packets, (enum sharing)draw_below(draw, 3));
    timeline.period = readout * draw_log(draw, 1, 30);
    return timeline;
}

TEST(all_that_carry_data)
{
    static const int divisors[][2] = {{3, 3}, {1, 3}, {2, 3}};
    static double storage[2][TRACKS][FRAMES_MAX * (SLOTS + 1)];
    static double *rows[2][TRACKS];
    struct draw draw = draw_start(77);
    int repeat = draw_repeat(1500);

    for (int i = 0; i < 2 * TRACKS; i++)
        rows[i / TRACKS][i % TRACKS] = storage[i / TRACKS][i % TRACKS];
    for (int r = 0; r < repeat; r++) {
        struct timeline timeline = random_run(&draw, divisors[r % 3][0], divisors[r % 3][1]);
        struct timeline every = timeline;
        int last;
        double origin;

        frames_choose(&timeline, FRAMES_MAX);
        if (timeline.ago[0] != 12) /* all of the faster */
            continue;
        contention_run(&timeline);
        tracks_frames(&every, 13);
        reference_shared(&every, NULL, rows[0], rows[1]);
        last = 12 * reference_slots(&every);
        origin = 12 * every.period;
        for (int n = 0; n < timeline.count; n++)
            for (int i = 0; i < timeline.packets; i++) {
                double end = track_end(&tracks[n], i, timeline.packets);
                double expected = rows[1][n][last + i];

                if (!CHECK_TRUE(fabs(end + origin - expected) <= 1e-9 * expected,
                                "round %d, sharing %d: slot %d of track %d ends at %.15g, "
                                "expected %.15g",
                                r, timeline.sharing, i, n, end, expected - origin))
                    return;
            }
    }
}
