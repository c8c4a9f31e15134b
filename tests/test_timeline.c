#include "model/contention.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "csv.h"
#include "draw.h"
#include "model/result.h"
#include "reference_model.h"
#include "tracks.h"

static void run(int count, int packets, bool queued)
{
    struct timeline timeline = tracks_timeline(count, packets, SHARING_PARTITION);

    timeline.shared = queued;
    contention_run(&timeline);
}

/* Chains --------------------------------------------------------------------------------------- */

TEST(timeline_vectors)
{
    struct csv csv;
    size_t rows = 0;

    if (!csv_load(&csv, "timeline_vectors.csv"))
        return;
    for (size_t row = 0; row < csv.rows;) {
        double ready[PACKETS_MAX];
        double duration[PACKETS_MAX];
        double end[PACKETS_MAX];
        size_t count = 0;

        while (row + count < csv.rows && count < PACKETS_MAX &&
               csv_number(&csv, row + count, "packet") == (double)count &&
               strcmp(csv_text(&csv, row + count, "component"), csv_text(&csv, row, "component")) ==
                   0) {
            ready[count] = csv_number(&csv, row + count, "ready_us");
            duration[count] = csv_number(&csv, row + count, "duration_us");
            count++;
        }
        if (!CHECK_TRUE(count > 0, "row %zu: not the next packet", row + 1))
            break;
        timeline_chain(ready, duration, 0, (int)count, end);
        for (size_t i = 0; i < count; i++) {
            double e = csv_number(&csv, row + i, "end_us");
            double s = csv_number(&csv, row + i, "start_us");

            CHECK_TRUE(fabs(end[i] - e) <= 1e-9 * e && fabs(end[i] - duration[i] - s) <= 1e-9 * e,
                       "row %zu: ends at %.17g us, expected %.17g", row + i + 1, end[i], e);
        }
        rows += count;
        row += count;
    }
    CHECK_INT(rows, 159);
    csv_free(&csv);
}

TEST(chains_by_the_recurrence)
{
    struct draw draw = draw_start(71);
    int repeat = draw_repeat(500);

    for (int r = 0; r < repeat; r++) {
        static double ready[SLOTS];
        static double duration[SLOTS];
        static double end[SLOTS];
        double free = 0;
        double at = 0;

        for (int i = 0; i < SLOTS; i++) {
            at += draw_chance(&draw, 0.3) ? 0 : draw_log(&draw, 1e-3, 10);
            ready[i] = at;
            duration[i] = draw_chance(&draw, 0.2) ? 0 : draw_log(&draw, 1e-3, 10);
        }
        timeline_chain(ready, duration, 0, SLOTS, end);
        for (int i = 0; i < SLOTS; i++) {
            free = fmax(free, ready[i]) + duration[i];
            CHECK_TRUE(fabs(end[i] - free) <= 1e-12 * free,
                       "round %d, slot %d: %.17g, expected %.17g", r, i, end[i], free);
        }
    }
}

/* Three equal stages of 100 us: 300 us in one packet, 104 us in fifty. */
static void three_stages(int packets, double last, bool queued)
{
    tracks_clear();
    for (int n = 0; n < 3; n++) {
        tracks_even(n, packets);
        tracks[n].kind = TRACK_COMPUTE;
        tracks[n].compute = 100e-6;
        if (n > 0)
            tracks_follow(n, n - 1);
    }
    run(3, packets, queued);
    CHECK_NEAR(tracks[2].last, last, 1e-12);
}

TEST(three_equal_stages)
{
    for (int queued = 0; queued < 2; queued++) {
        three_stages(1, 300e-6, queued);
        three_stages(50, 104e-6, queued);
    }
}

/* By hand: readout 4, two packets; a computation of 3 s a packet, launch 1; a transfer of 2 s a
 * packet, 10 s late, pipelined; a computation of 1 s once at the end. */
TEST(a_chain_by_hand)
{
    for (int queued = 0; queued < 2; queued++) {
        tracks_clear();
        tracks_camera(0, 4);
        tracks[1].kind = TRACK_COMPUTE;
        tracks_even(1, 2);
        tracks[1].memory = 4;
        tracks[1].fixed = 1;
        tracks_follow(1, 0);
        tracks[2].kind = TRACK_LINK;
        tracks_even(2, 2);
        tracks[2].wire = wire_plain(1);
        tracks[2].bytes = 4;
        tracks[2].latency = 10;
        tracks[2].queue[0] = 7;
        tracks_follow(2, 1);
        tracks[3].kind = TRACK_COMPUTE;
        tracks[3].weights = (struct weights){NULL, 1, 1, 1};
        tracks[3].compute = 1;
        tracks_follow(3, 2);
        run(4, 2, queued);
        CHECK_NEAR(track_end(&tracks[0], 0), 2, 0);
        CHECK_NEAR(track_end(&tracks[0], 1), 4, 0);
        CHECK_NEAR(track_end(&tracks[1], 0), 5, 0);
        CHECK_NEAR(track_end(&tracks[1], 1), 8, 0);
        CHECK_NEAR(track_end(&tracks[2], 0), 17, 0);
        CHECK_NEAR(track_end(&tracks[2], 1), 20, 0);
        CHECK_NEAR(tracks[2].last_start, 8, 0);
        CHECK_NEAR(tracks[2].last_duration, 2, 0);
        CHECK_NEAR(track_end(&tracks[3], 0), 17, 0);
        CHECK_NEAR(track_end(&tracks[3], 1), 21, 0);
        CHECK_NEAR(tracks[3].last_start, 20, 0);
    }
}

/* Two transfers ready at once on one queue: the lower goes first, the other waits. */
TEST(a_shared_queue)
{
    tracks_clear();
    tracks_camera(0, 1);
    for (int n = 1; n < 3; n++) {
        tracks[n].kind = TRACK_LINK;
        tracks_even(n, 1);
        tracks[n].wire = wire_plain(1);
        tracks[n].bytes = n;
        tracks[n].latency = 0.5;
        tracks[n].queue[0] = 3;
        tracks_follow(n, 0);
    }
    run(3, 1, true);
    CHECK_NEAR(tracks[1].last, 1 + 1 + 0.5, 0);
    CHECK_NEAR(tracks[2].last_start, 2, 0);
    CHECK_NEAR(tracks[2].last, 2 + 2 + 0.5, 0);
}

/* First come, first served: a long transfer that asked first holds up a short one. */
TEST(first_come_first_served)
{
    tracks_clear();
    tracks_camera(0, 1);
    tracks_camera(1, 2);
    for (int n = 2; n < 4; n++) {
        tracks[n].kind = TRACK_LINK;
        tracks_even(n, 1);
        tracks[n].wire = wire_plain(1);
        tracks[n].queue[1] = 0;
    }
    tracks[2].bytes = 1; /* asks at 2 */
    tracks_follow(2, 1);
    tracks[3].bytes = 10; /* asks at 1 */
    tracks_follow(3, 0);
    run(4, 1, true);
    CHECK_NEAR(tracks[3].last, 11, 0);
    CHECK_NEAR(tracks[2].last, 12, 0);
}

/* Random tracks -------------------------------------------------------------------------------- */

/* A linear track's slope and offset give each slot's duration without fixed times and tail. */
TEST(linear_durations)
{
    struct draw draw = draw_start(73);
    int linear = 0;

    for (int r = 0; r < 2000; r++) {
        double slope;
        double offset;
        int packets = 1 + draw_below(&draw, 8);

        tracks_clear();
        tracks_random(&draw, 1, packets, 3);
        if (tracks[1].kind == TRACK_CAMERA || !track_linear(&tracks[1], &slope, &offset))
            continue;
        linear++;
        for (int i = 0; i < tracks[1].slots; i++) {
            double w = track_weight(&tracks[1], i);
            double fixed = tracks[1].kind == TRACK_COMPUTE && w > 0 ? tracks[1].fixed : 0;
            double tail = i == tracks[1].slots - 1 ? tracks[1].tail : 0;
            double d = reference_duration(&tracks[1], i);

            CHECK_TRUE(fabs((w > 0 ? w * slope + offset : 0) + fixed + tail - d) <= 1e-12 * d,
                       "round %d, slot %d: %.17g, expected %.17g", r, i,
                       w * slope + offset + fixed + tail, d);
            CHECK_TRUE(fabs(track_duration(&tracks[1], i) - d) <= 1e-12 * d,
                       "round %d, slot %d lasts %.17g, expected %.17g", r, i,
                       track_duration(&tracks[1], i), d);
        }
    }
    CHECK(linear > 500);
}
