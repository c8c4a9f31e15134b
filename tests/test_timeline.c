#include "timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "csv.h"
#include "draw.h"
#include "reference_model.h"
#include "result.h"

#define TRACKS 40
#define SLOTS 64

static struct track tracks[TRACKS];
static double ends[TRACKS][SLOTS];
static double expected[TRACKS][SLOTS];
static double weights[TRACKS][SLOTS];
static int before[TRACKS][TRACKS];
static double scratch[SLOTS];

static void clear(void)
{
    memset(tracks, 0, sizeof tracks);
    for (int n = 0; n < TRACKS; n++) {
        tracks[n].end = ends[n];
        tracks[n].before = before[n];
        tracks[n].queue[0] = tracks[n].queue[1] = NO_QUEUE;
        tracks[n].overlap = 1;
    }
}

static void follow(int node, int predecessor)
{
    before[node][tracks[node].before_count++] = predecessor;
}

static void even_weights(int node, int packets)
{
    for (int i = 0; i < packets; i++)
        weights[node][i] = 1.0 / packets;
    tracks[node].weights = (struct weights){weights[node], 0, packets};
}

static void camera(int node, double readout)
{
    tracks[node].kind = TRACK_CAMERA;
    tracks[node].readout = readout;
}

/* Chains --------------------------------------------------------------------------------------- */

static void timeline_vectors(void)
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
        timeline_chain(ready, duration, (int)count, end);
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

static void chains_by_the_recurrence(void)
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
        timeline_chain(ready, duration, SLOTS, end);
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
    clear();
    for (int n = 0; n < 3; n++) {
        even_weights(n, packets);
        tracks[n].kind = TRACK_COMPUTE;
        tracks[n].compute = 100e-6;
        if (n > 0)
            follow(n, n - 1);
    }
    timeline_run(tracks, 3, packets, queued, scratch);
    CHECK_NEAR(tracks[2].last, last, 1e-12);
}

static void three_equal_stages(void)
{
    for (int queued = 0; queued < 2; queued++) {
        three_stages(1, 300e-6, queued);
        three_stages(50, 104e-6, queued);
    }
}

/* By hand: readout 4, two packets; a computation of 3 s a packet, launch 1; a transfer of 2 s a
 * packet, 10 s late, pipelined; a computation of 1 s once at the end. */
static void a_chain_by_hand(void)
{
    for (int queued = 0; queued < 2; queued++) {
        clear();
        camera(0, 4);
        tracks[1].kind = TRACK_COMPUTE;
        even_weights(1, 2);
        tracks[1].memory = 4;
        tracks[1].fixed = 1;
        follow(1, 0);
        tracks[2].kind = TRACK_LINK;
        even_weights(2, 2);
        tracks[2].wire = wire_plain(1);
        tracks[2].bytes = 4;
        tracks[2].latency = 10;
        tracks[2].queue[0] = 7;
        follow(2, 1);
        tracks[3].kind = TRACK_COMPUTE;
        tracks[3].weights = (struct weights){NULL, 1, 1};
        tracks[3].compute = 1;
        follow(3, 2);
        timeline_run(tracks, 4, 2, queued, scratch);
        CHECK_NEAR(track_end(&tracks[0], 0, 2), 2, 0);
        CHECK_NEAR(track_end(&tracks[0], 1, 2), 4, 0);
        CHECK_NEAR(track_end(&tracks[1], 0, 2), 5, 0);
        CHECK_NEAR(track_end(&tracks[1], 1, 2), 8, 0);
        CHECK_NEAR(track_end(&tracks[2], 0, 2), 17, 0);
        CHECK_NEAR(track_end(&tracks[2], 1, 2), 20, 0);
        CHECK_NEAR(tracks[2].last_start, 8, 0);
        CHECK_NEAR(tracks[2].last_duration, 2, 0);
        CHECK_NEAR(track_end(&tracks[3], 0, 2), 17, 0);
        CHECK_NEAR(track_end(&tracks[3], 1, 2), 21, 0);
        CHECK_NEAR(tracks[3].last_start, 20, 0);
    }
}

/* Two transfers ready at once on one queue: the lower goes first, the other waits. */
static void a_shared_queue(void)
{
    clear();
    camera(0, 1);
    for (int n = 1; n < 3; n++) {
        tracks[n].kind = TRACK_LINK;
        even_weights(n, 1);
        tracks[n].wire = wire_plain(1);
        tracks[n].bytes = n;
        tracks[n].latency = 0.5;
        tracks[n].queue[0] = 3;
        follow(n, 0);
    }
    timeline_run(tracks, 3, 1, true, scratch);
    CHECK_NEAR(tracks[1].last, 1 + 1 + 0.5, 0);
    CHECK_NEAR(tracks[2].last_start, 2, 0);
    CHECK_NEAR(tracks[2].last, 2 + 2 + 0.5, 0);
}

/* First come, first served: a long transfer that asked first holds up a short one. */
static void first_come_first_served(void)
{
    clear();
    camera(0, 1);
    camera(1, 2);
    for (int n = 2; n < 4; n++) {
        tracks[n].kind = TRACK_LINK;
        even_weights(n, 1);
        tracks[n].wire = wire_plain(1);
        tracks[n].queue[1] = 0;
    }
    tracks[2].bytes = 1; /* asks at 2 */
    follow(2, 1);
    tracks[3].bytes = 10; /* asks at 1 */
    follow(3, 0);
    timeline_run(tracks, 4, 1, true, scratch);
    CHECK_NEAR(tracks[3].last, 11, 0);
    CHECK_NEAR(tracks[2].last, 12, 0);
}

/* Random tracks -------------------------------------------------------------------------------- */

static void random_weights(struct draw *draw, int node, int packets)
{
    double total = 0;
    struct weights *out = &tracks[node].weights;

    if (draw_chance(draw, 0.2)) {
        *out = (struct weights){NULL, packets - 1, 1};
        return;
    }
    for (int i = 0; i < packets; i++) {
        weights[node][i] = draw_chance(draw, 0.3) ? 0 : draw_between(draw, 0, 1);
        total += weights[node][i];
    }
    if (total == 0)
        total = weights[node][draw_below(draw, packets)] = 1;
    *out = (struct weights){weights[node], -1, 0};
    for (int i = 0; i < packets; i++) {
        weights[node][i] /= total;
        if (weights[node][i] > 0) {
            out->first = out->first < 0 ? i : out->first;
            out->count++;
        }
    }
}

static void random_track(struct draw *draw, int node, int packets, int queues)
{
    struct track *track = &tracks[node];

    for (int p = 0; p < node; p++)
        if (draw_chance(draw, 1.5 / node))
            follow(node, p);
    if (node == 0 || draw_chance(draw, 0.1)) {
        camera(node, draw_log(draw, 0.1, 10));
        track->before_count = 0;
        for (int i = 0; i < packets; i++)
            weights[node][i] = 1.0 / packets;
        track->weights = (struct weights){weights[node], 0, packets};
        return;
    }
    random_weights(draw, node, packets);
    if (draw_chance(draw, 0.5)) {
        track->kind = TRACK_LINK;
        track->bytes = draw_log(draw, 1, 1e5);
        track->wire = draw_chance(draw, 0.5) ? wire_plain(draw_log(draw, 1e3, 1e6))
                                             : wire_ethernet(draw_log(draw, 1e4, 1e7), 1500);
        track->latency = draw_chance(draw, 0.3) ? 0 : draw_log(draw, 1e-3, 1);
        track->queue[0] = draw_chance(draw, 0.2) ? NO_QUEUE : draw_below(draw, queues);
        track->queue[1] = draw_chance(draw, 0.5) ? NO_QUEUE : queues + draw_below(draw, queues);
        return;
    }
    track->kind = TRACK_COMPUTE;
    track->compute = draw_chance(draw, 0.1) ? 0 : draw_log(draw, 1e-2, 10);
    track->memory = draw_chance(draw, 0.1) ? 0 : draw_log(draw, 1e-2, 10);
    track->accumulator = draw_chance(draw, 0.7) ? 0 : draw_log(draw, 1e-3, 0.1);
    track->overlap = draw_chance(draw, 0.5) ? 1 : draw_between(draw, 0, 1);
    track->fixed = draw_chance(draw, 0.5) ? 0 : draw_log(draw, 1e-3, 0.1);
    track->tail = draw_chance(draw, 0.8) ? 0 : draw_log(draw, 1e-2, 1);
}

/* Returns whether some queue has several users. */
static bool shared(int count)
{
    int users[LINK_MAX] = {0};
    bool several = false;

    for (int n = 0; n < count; n++)
        for (int q = 0; q < 2; q++)
            if (tracks[n].queue[q] != NO_QUEUE)
                several = ++users[tracks[n].queue[q]] > 1 || several;
    return several;
}

static bool contended[TRACKS];
static bool given[TRACKS];

/* All tracks that do not share a queue are given, as they came out. */
static void give(int count, int packets, double **rows)
{
    for (int n = 0; n < count; n++) {
        given[n] = !contended[n];
        for (int i = 0; i < packets && given[n]; i++)
            rows[n][i] = track_end(&tracks[n], i, packets);
    }
}

static bool as_expected(int count, int packets, const bool *but, const char *what, int round)
{
    for (int n = 0; n < count; n++)
        for (int i = 0; i < packets && (but == NULL || !but[n]); i++)
            if (!CHECK_TRUE(fabs(track_end(&tracks[n], i, packets) - expected[n][i]) <=
                                1e-9 * expected[n][i],
                            "%s, round %d: slot %d of track %d ends at %.17g, expected %.17g", what,
                            round, i, n, track_end(&tracks[n], i, packets), expected[n][i]))
                return false;
    return true;
}

static void random_tracks(void)
{
    struct draw draw = draw_start(72);
    int repeat = draw_repeat(4000);
    double *rows[TRACKS];
    int lines = 0;

    for (int n = 0; n < TRACKS; n++)
        rows[n] = expected[n];
    for (int r = 0; r < repeat; r++) {
        int count = 2 + draw_below(&draw, draw_chance(&draw, 0.1) ? TRACKS - 2 : 10);
        int packets = 1 + draw_below(&draw, draw_chance(&draw, 0.2) ? SLOTS : 8);
        int queues = draw_chance(&draw, 0.5) ? 60 : 3;

        clear();
        for (int n = 0; n < count; n++)
            random_track(&draw, n, packets, queues);
        timeline_run(tracks, count, packets, true, scratch);
        reference_timeline(tracks, count, packets, NULL, rows);
        reference_contended(tracks, count, contended);
        if (!as_expected(count, packets, contended, "no queue", r))
            return;
        give(count, packets, rows);
        reference_timeline(tracks, count, packets, given, rows);
        if (!as_expected(count, packets, NULL, "queues", r))
            return;
        if (shared(count)) {
            lines++;
            continue;
        }
        timeline_run(tracks, count, packets, false, scratch);
        if (!as_expected(count, packets, NULL, "no queues", r))
            return;
    }
    CHECK_TRUE(lines > repeat / 10 && lines < repeat * 9 / 10, "%d of %d have shared queues", lines,
               repeat);
}

/* A linear track's slope and offset give each slot's duration without fixed times and tail. */
static void linear_durations(void)
{
    struct draw draw = draw_start(73);
    int linear = 0;

    for (int r = 0; r < 2000; r++) {
        double slope;
        double offset;
        int packets = 1 + draw_below(&draw, 8);

        clear();
        random_track(&draw, 1, packets, 3);
        if (tracks[1].kind == TRACK_CAMERA || !track_linear(&tracks[1], &slope, &offset))
            continue;
        linear++;
        for (int i = 0; i < packets; i++) {
            double w =
                tracks[1].weights.slot == NULL ? i == packets - 1 : tracks[1].weights.slot[i];
            double fixed = tracks[1].kind == TRACK_COMPUTE && w > 0 ? tracks[1].fixed : 0;
            double tail = i == packets - 1 ? tracks[1].tail : 0;
            double d = reference_duration(&tracks[1], i, packets);

            CHECK_TRUE(fabs((w > 0 ? w * slope + offset : 0) + fixed + tail - d) <= 1e-12 * d,
                       "round %d, slot %d: %.17g, expected %.17g", r, i,
                       w * slope + offset + fixed + tail, d);
            CHECK_TRUE(fabs(track_duration(&tracks[1], i, packets) - d) <= 1e-12 * d,
                       "round %d, slot %d lasts %.17g, expected %.17g", r, i,
                       track_duration(&tracks[1], i, packets), d);
        }
    }
    CHECK(linear > 500);
}

static const struct test tests[] = {
    {"timeline vectors", timeline_vectors},
    {"chains by the recurrence", chains_by_the_recurrence},
    {"three equal stages", three_equal_stages},
    {"a chain by hand", a_chain_by_hand},
    {"a shared queue", a_shared_queue},
    {"first come, first served", first_come_first_served},
    {"random tracks", random_tracks},
    {"linear durations", linear_durations},
    {NULL, NULL},
};

const struct suite suite_timeline = {.name = "timeline", .tests = tests};
