#include "model/critical.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "model/contention.h"
#include "tracks.h"

static struct timeline timeline;
static struct path_step path[NODE_MAX];
static double slack[NODE_MAX];

static void compute(int node, double seconds, int device)
{
    tracks[node].kind = TRACK_COMPUTE;
    tracks[node].compute = seconds;
    tracks[node].device = device;
    tracks_even(node, 1);
}

static void run(int count, int packets, enum sharing sharing)
{
    timeline = tracks_timeline(count, packets, sharing);
    contention_run(&timeline);
}

static bool step_is(int i, int node, double wait, double busy)
{
    return CHECK_INT(path[i].node, node) && CHECK_NEAR(path[i].wait, wait, 1e-15) &&
           CHECK_NEAR(path[i].busy, busy, 1e-15);
}

/* By hand -------------------------------------------------------------------------------------- */

/* Two want one device at 1 s; the second gets it when the first is done. What follows is on its own
 * device. */
TEST(waits_for_a_device)
{
    tracks_clear();
    tracks_camera(0, 1);
    compute(1, 2, 0);
    tracks_follow(1, 0);
    compute(2, 3, 0);
    tracks_follow(2, 0);
    compute(3, 1, 1);
    tracks_follow(3, 2);
    tracks[3].command = true;
    run(4, 1, SHARING_EXCLUSIVE);
    if (CHECK_INT(critical_path_find(&timeline, 3, 1, path), 2)) {
        step_is(0, 2, 2, 3);
        step_is(1, 3, 0, 1);
    }
    /* the others wait for the device of the first, not for its output */
    critical_slack(&timeline, slack);
    CHECK_NEAR(slack[1], 0, 0);
    CHECK_NEAR(slack[2], 0, 0);
    /* the camera, on whose last slot both wait */
    CHECK_NEAR(slack[0], 0, 0);
}

/* Side by side on one device both take twice as long, of which one half is waiting. */
TEST(waits_for_a_part_of_one)
{
    tracks_clear();
    tracks_camera(0, 1);
    compute(1, 2, 0);
    tracks_follow(1, 0);
    compute(2, 2, 0);
    tracks_follow(2, 0);
    tracks[1].command = true;
    tracks[1].fixed = 0.5;
    tracks[2].fixed = 0.5;
    run(3, 1, SHARING_FLUID);
    if (CHECK_INT(critical_path_find(&timeline, 1, 1, path), 1))
        step_is(0, 1, 2, 2.5);
}

/* Slots of 1 s in two packets: the first is ready at 1, the second at 2; a track that takes 3 s a
 * packet is still at the first. */
TEST(runs_along_slots)
{
    tracks_clear();
    tracks_camera(0, 2);
    compute(1, 6, 0);
    tracks_even(1, 2);
    tracks_follow(1, 0);
    compute(2, 2, 1);
    tracks_even(2, 2);
    tracks_follow(2, 1);
    run(3, 2, SHARING_PARTITION);
    if (CHECK_INT(critical_path_find(&timeline, 2, 2, path), 2)) {
        step_is(0, 1, 0, 5);
        CHECK_INT(path[0].first, 0);
        CHECK_INT(path[0].last, 1);
        step_is(1, 2, 0, 1);
        CHECK_INT(path[1].first, 1);
    }
}

/* The frame before is in the way: it is waited for. */
TEST(waits_for_the_frame_before)
{
    tracks_clear();
    tracks_camera(0, 1);
    compute(1, 1, 0);
    tracks_follow(1, 0);
    tracks[1].deferred = 9;
    tracks[1].command = true;
    timeline = tracks_timeline(2, 1, SHARING_PARTITION);
    tracks_frames(&timeline, 2);
    timeline.period = 10;
    contention_run(&timeline);
    CHECK_NEAR(tracks[1].last, 2, 1e-15); /* deferred work ends at 11, as the last pixel comes */
    timeline.period = 8;
    contention_run(&timeline);
    if (CHECK_INT(critical_path_find(&timeline, 1, 1, path), 1))
        step_is(0, 1, 2, 1);
    /* it begins to wait when it has been enqueued and launched */
    tracks[1].enqueue = 0.5;
    tracks[1].delay = 0.25;
    contention_run(&timeline);
    if (CHECK_INT(critical_path_find(&timeline, 1, 1, path), 1))
        step_is(0, 1, 2, 1.75);
}

/* Slack ---------------------------------------------------------------------------------------- */

static double last_command(void)
{
    double last = 0;

    for (int n = 0; n < timeline.count; n++)
        if (tracks[n].command)
            last = fmax(last, track_command(&tracks[n], tracks[n].last));
    return last;
}

/* Who held what, and who asked which thread, in order. */
struct service {
    int count;
    struct simulation_step step[2 * TRACKS * SLOTS];
};

/* Returns true if a step holds a queue or device, or a thread: those after all queues. */
static bool step_holds(const struct simulation_step *step, int resource)
{
    const struct simulation *s = timeline.simulation;

    if (step->kind == STEP_ENQUEUES)
        return tracks[step->node].thread == resource - RESOURCE_MAX;
    return s->node[step->node].held[0] == resource || s->node[step->node].held[1] == resource;
}

static void serve(struct service *service)
{
    const struct simulation *s = timeline.simulation;

    service->count = 0;
    for (int k = 0; timeline.simulated && k < s->step_count; k++) {
        const struct simulation_step step = s->step[k];

        if (step.kind == STEP_ENQUEUES || s->node[step.node].held[0] != NO_QUEUE ||
            s->node[step.node].held[1] != NO_QUEUE)
            service->step[service->count++] = step;
    }
}

/* On each queue, device and thread. */
static bool same_order(const struct service *a, const struct service *b)
{
    for (int r = 0; r < RESOURCE_MAX + UNITS; r++) {
        int i = 0;
        int j = 0;

        for (;;) {
            while (i < a->count && !step_holds(&a->step[i], r))
                i++;
            while (j < b->count && !step_holds(&b->step[j], r))
                j++;
            if (i == a->count || j == b->count)
                break;
            if (a->step[i].node != b->step[j].node || a->step[i].slot != b->step[j].slot)
                return false;
            i++;
            j++;
        }
    }
    return true;
}

enum outcome { SKIPPED, HELD, FAILED };

/* A computation's last slot `more` longer, in order of service as it was: when the last command
 * leaves. */
static enum outcome longer(int node, double more, double expected, const struct service *before,
                           int round)
{
    static struct service after;
    double tail = tracks[node].tail_fixed;
    double command;

    tracks[node].tail_fixed += more;
    contention_run(&timeline);
    tracks[node].tail_fixed = tail;
    serve(&after);
    if (timeline.simulated && !same_order(before, &after))
        return SKIPPED;
    command = last_command();
    return CHECK_TRUE(
               fabs(command - expected) <= 1e-9 * expected,
               "round %d, sharing %d: with %.12g s more of a slack of %.12g s track %d moves "
               "the last command to %.15g, expected %.15g",
               round, tracks[node].sharing, more, slack[node], node, command, expected)
               ? HELD
               : FAILED;
}

/* As many slots in all tracks now and then. */
static void limit_slots(struct track *track, int packets, bool even)
{
    if (even) {
        track->slots = packets;
        if (track->weights.slot == NULL)
            track->weights.first = track->weights.last = packets - 1;
    }
    if (track_weight(track, track->slots - 1) == 0)
        track->beyond = 0; /* of no command */
}

static void random_run(struct draw *draw)
{
    int count = 2 + draw_below(draw, 12);
    int packets = 1 + draw_below(draw, 8);
    int queues = draw_chance(draw, 0.5) ? 60 : 3;
    int devices = 1 + draw_below(draw, 8);
    bool even = draw_chance(draw, 0.3);

    tracks_clear();
    for (int n = 0; n < count; n++) {
        tracks_random(draw, n, packets, queues);
        tracks_random_sharing(draw, n, devices);
        limit_slots(&tracks[n], packets, even);
    }
    tracks[count - 1].command = true;
    run(count, packets, (enum sharing)draw_below(draw, 3));
}

TEST(slack_is_safe_and_tight)
{
    static struct service before;
    struct draw draw = draw_start(75);
    int repeat = draw_repeat(6000);
    int held[3] = {0};

    for (int r = 0; r < repeat; r++) {
        double command;
        int node;
        double least;

        random_run(&draw);
        command = last_command();
        serve(&before);
        critical_slack(&timeline, slack);
        node = draw_below(&draw, timeline.count);
        if (!CHECK_TRUE(slack[node] == 0 || slack[node] > 1e-12 * command, "round %d: %g s", r,
                        slack[node]))
            return;
        if (tracks[node].kind != TRACK_COMPUTE || slack[node] == SLACK_NONE ||
            /* one that is not there yet would be another slot of work to serve */
            !track_works(&tracks[node], tracks[node].slots - 1))
            continue;
        least = fmax(slack[node], 1e-3 * command);
        switch (longer(node, slack[node] * (1 - 1e-9), command, &before, r)) {
        case FAILED:
            return;
        case HELD:
            held[tracks[node].sharing]++;
            break;
        case SKIPPED:
            CHECK(timeline.shared);
            break;
        }
        if (longer(node, slack[node] + 0.01 * least, command + 0.01 * least, &before, r) == FAILED)
            return;
    }
    CHECK_TRUE(repeat < 1000 ||
                   (held[0] * 60 > repeat && held[1] * 60 > repeat && held[2] * 100 > repeat),
               "%d, %d, %d of %d", held[0], held[1], held[2], repeat);
}

/* What no command waits for may slip for ever; what leads to none has no slack to speak of. */
TEST(slack_without_end)
{
    tracks_clear();
    tracks_camera(0, 1);
    compute(1, 1, 0);
    tracks_follow(1, 0);
    tracks[1].command = true;
    compute(2, 1, 1);
    tracks_follow(2, 1);
    for (int way = 0; way < 3; way++) {
        run(3, 1, (enum sharing)way);
        critical_slack(&timeline, slack);
        CHECK_NEAR(slack[0], 0, 0);
        CHECK_NEAR(slack[1], 0, 0);
        CHECK_TRUE(slack[2] == SLACK_NONE, "%g s", slack[2]);
    }
}

/* Two that work on a fluid device at once: how long each takes is up to the other, so nothing is
 * told of either, nor of what comes before them. One that is done before the other begins could run
 * into it, not the other into it. */
TEST(slack_on_a_fluid_device)
{
    for (int work = 0; work < 3; work++) {
        tracks_clear();
        tracks_camera(0, 1);
        compute(1, 1, 0);
        tracks_follow(1, 0);
        compute(2, 2, 1);
        tracks_follow(2, 1);
        compute(3, work, 1);
        tracks_follow(3, 0);
        compute(4, 1, 2);
        tracks_follow(4, 2);
        tracks_follow(4, 3);
        tracks[4].command = true;
        run(5, 1, SHARING_FLUID);
        critical_slack(&timeline, slack);
        for (int n = 0; n < 4; n++)
            CHECK_TRUE((slack[n] == SLACK_NONE) == (work > (n == 1 || n == 2)),
                       "%d s of work, track %d: %g s", work, n, slack[n]);
        CHECK_NEAR(slack[4], 0, 0);
    }
}

/* On one fluid device each waits for the one before: none meets another, in one packet. */
TEST(slack_of_a_fluid_chain)
{
    tracks_clear();
    tracks_camera(0, 1);
    for (int n = 1; n < 4; n++) {
        compute(n, n, 0);
        tracks_follow(n, n - 1);
    }
    tracks[3].command = true;
    run(4, 1, SHARING_FLUID);
    critical_slack(&timeline, slack);
    for (int n = 0; n < 4; n++)
        CHECK_NEAR(slack[n], 0, 0);
}
