#include "tracks.h"

#include <math.h>
#include <string.h>

#include "model/result.h"
#include "sample.h"

struct track tracks[TRACKS];

static double ends[TRACKS][SLOTS];
static double weights[TRACKS][SLOTS];
static int before[TRACKS][TRACKS];
static double scratch[2 * SLOTS];
static double stretches[TRACKS][RUN_FRAMES * (SLOTS + 1)];

void tracks_clear(void)
{
    memset(tracks, 0, sizeof tracks);
    for (int n = 0; n < TRACKS; n++) {
        tracks[n].end = ends[n];
        tracks[n].before = before[n];
        tracks[n].queue[0] = tracks[n].queue[1] = NO_QUEUE;
        tracks[n].overlap = 1;
        tracks[n].order = n;
        tracks[n].thread = -1;
        tracks[n].divisor = 1;
        tracks[n].share = 1;
    }
}

void tracks_follow(int node, int predecessor)
{
    before[node][tracks[node].before_count++] = predecessor;
}

void tracks_even(int node, int packets)
{
    for (int i = 0; i < packets; i++)
        weights[node][i] = 1.0 / packets;
    tracks[node].weights = (struct weights){weights[node], 0, packets - 1, packets};
}

void tracks_camera(int node, double readout)
{
    tracks[node].kind = TRACK_CAMERA;
    tracks[node].readout = readout;
}

/* Any weights, or those of the first predecessor, of which one may continue visits. */
static void random_weights(struct draw *draw, int node, int packets)
{
    double total = 0;
    struct weights *out = &tracks[node].weights;

    if (tracks[node].before_count > 0 && draw_chance(draw, 0.3)) {
        *out = tracks[before[node][0]].weights;
        if (out->slot == NULL)
            out->first = out->last = tracks[node].slots - 1;
        return;
    }
    if (draw_chance(draw, 0.2)) {
        *out = (struct weights){NULL, tracks[node].slots - 1, tracks[node].slots - 1, 1};
        return;
    }
    for (int i = 0; i < packets; i++) {
        weights[node][i] = draw_chance(draw, 0.3) ? 0 : draw_between(draw, 0, 1);
        total += weights[node][i];
    }
    if (total == 0)
        total = weights[node][draw_below(draw, packets)] = 1;
    *out = (struct weights){weights[node], -1, 0, 0};
    for (int i = 0; i < packets; i++) {
        weights[node][i] /= total;
        if (weights[node][i] > 0) {
            out->first = out->first < 0 ? i : out->first;
            out->last = i;
            out->count++;
        }
    }
}

static void random_camera(struct draw *draw, int node, int packets)
{
    struct track *track = &tracks[node];

    tracks_camera(node, draw_log(draw, 0.1, 10));
    track->before_count = 0;
    track->slots = draw_chance(draw, 0.5) ? packets : 1 + draw_below(draw, packets);
    if (draw_chance(draw, 0.5))
        random_weights(draw, node, packets);
    if (track->weights.slot == NULL || track->weights.count == packets)
        tracks_even(node, packets); /* packets differ by a pixel, or are empty */
    if (draw_chance(draw, 0.5))
        return;
    track->arrival =
        (struct arrival){.datagram = draw_chance(draw, 0.3) ? 0 : draw_log(draw, 1e-3, 1),
                         .latency = draw_chance(draw, 0.3) ? 0 : draw_log(draw, 1e-2, 1),
                         .bytes = draw_log(draw, 1, 1e5),
                         .payload = 1472};
    for (int i = 0; i < packets; i++)
        track->arrival.most =
            fmax(track->arrival.most, ceil(track->arrival.bytes * track->weights.slot[i] / 1472));
    if (packets == 1 && draw_chance(draw, 0.2)) {
        track->readout = 0;
        track->arrival.at_once = true;
    }
}

/* As many slots as the predecessor with most of them. */
static void count_slots(int node, int packets)
{
    int slots = 0;

    for (int p = 0; p < tracks[node].before_count; p++) {
        int from = tracks[before[node][p]].slots;

        slots = from > slots ? from : slots;
    }
    tracks[node].slots = slots > 0 ? slots : packets;
}

void tracks_random(struct draw *draw, int node, int packets, int queues)
{
    struct track *track = &tracks[node];

    for (int p = 0; p < node; p++)
        if (draw_chance(draw, 1.5 / node))
            tracks_follow(node, p);
    if (node == 0 || draw_chance(draw, 0.1)) {
        random_camera(draw, node, packets);
        return;
    }
    count_slots(node, packets);
    random_weights(draw, node, packets);
    track->delay = draw_chance(draw, 0.5) ? 0 : draw_log(draw, 1e-3, 1);
    track->sleep = draw_chance(draw, 0.9) ? 0 : draw_log(draw, 1e-2, 1);
    track->sleep_slot = draw_below(draw, track->slots);
    if (draw_chance(draw, 0.5)) {
        track->kind = TRACK_LINK;
        track->bytes = draw_log(draw, 1, 1e5);
        track->wire = draw_chance(draw, 0.5) ? wire_plain(draw_log(draw, 1e3, 1e6))
                                             : wire_ethernet(draw_log(draw, 1e4, 1e7), 1500);
        track->datagram =
            track->wire.payload == 0 || draw_chance(draw, 0.7) ? 0 : draw_log(draw, 1e-3, 0.1);
        track->latency = draw_chance(draw, 0.3) ? 0 : draw_log(draw, 1e-3, 1);
        track->beyond = draw_chance(draw, 0.5) ? track->latency : 0;
        track->queue[0] = draw_chance(draw, 0.2) ? NO_QUEUE : draw_below(draw, queues);
        track->queue[1] = draw_chance(draw, 0.5) ? NO_QUEUE : queues + draw_below(draw, queues);
        return;
    }
    track->kind = TRACK_COMPUTE;
    track->device = -1;
    track->compute = draw_chance(draw, 0.1) ? 0 : draw_log(draw, 1e-2, 10);
    track->memory = draw_chance(draw, 0.1) ? 0 : draw_log(draw, 1e-2, 10);
    track->accumulator = draw_chance(draw, 0.7) ? 0 : draw_log(draw, 1e-3, 0.1);
    track->overlap = draw_chance(draw, 0.5) ? 1 : draw_between(draw, 0, 1);
    track->fixed = draw_chance(draw, 0.5) ? 0 : draw_log(draw, 1e-3, 0.1);
    track->tail = draw_chance(draw, 0.8) ? 0 : draw_log(draw, 1e-2, 1);
}

/* Returns true if all predecessors of a track run on its device. */
static bool stays_on_device(int node)
{
    for (int p = 0; p < tracks[node].before_count; p++) {
        const struct track *from = &tracks[before[node][p]];

        if (from->kind != TRACK_COMPUTE || from->device != tracks[node].device)
            return false;
    }
    return tracks[node].before_count > 0;
}

/* One in three devices has no thread, one enqueues every kernel, one whole visits. */
static void random_enqueue(struct draw *draw, struct track *track, int device)
{
    static const double enqueue[] = {0, 0.02, 0.1};
    double kernels = device % 3 == 1 ? 1 + draw_below(draw, 3) : 1;
    bool link = track->kind == TRACK_LINK;

    if (device % 3 == 0 || (link && (device % 3 == 2 || draw_chance(draw, 0.5))))
        return;
    track->thread = device;
    track->enqueue = enqueue[device % 3] * kernels;
    if (device % 3 == 2 || link)
        return;
    track->enqueue_inside = track->enqueue;
    track->enqueue_tail = draw_chance(draw, 0.8) ? 0 : enqueue[1];
}

void tracks_random_sharing(struct draw *draw, int node, int devices)
{
    struct track *track = &tracks[node];
    const struct track *from = track->before_count > 0 ? &tracks[before[node][0]] : NULL;

    track->command = draw_chance(draw, 0.2);
    track->divisor = draw_chance(draw, 0.8) ? 1 : 1 + draw_below(draw, 6);
    if (track->kind == TRACK_CAMERA)
        return;
    if (track->kind == TRACK_LINK) {
        random_enqueue(draw, track, draw_below(draw, devices));
        return;
    }
    track->device = draw_below(draw, devices);
    if (from != NULL && from->kind == TRACK_COMPUTE && draw_chance(draw, 0.6))
        track->device = from->device;
    track->continues = stays_on_device(node);
    track->delay_inside = draw_chance(draw, 0.8) ? 0 : draw_log(draw, 1e-3, 0.1);
    random_enqueue(draw, track, track->device);
    track->share = draw_chance(draw, 0.5) ? 1 : draw_log(draw, 1e-2, 1);
    track->rank = draw_below(draw, 3);
    track->tail_fixed = draw_chance(draw, 0.8) ? 0 : draw_log(draw, 1e-3, 0.1);
    track->deferred = draw_chance(draw, 0.7) ? 0 : draw_log(draw, 1e-2, 10);
    track->deferred_fixed = track->deferred == 0 || draw_chance(draw, 0.5) ? 0 : 0.01;
}

void tracks_random_stretch(struct draw *draw, const struct timeline *timeline)
{
    for (int n = 0; n < timeline->count; n++) {
        for (int i = 0; i < timeline->frames * (timeline->packets + 1); i++)
            stretches[n][i] = draw_log(draw, 0.1, 10);
        if (tracks[n].kind == TRACK_COMPUTE)
            tracks[n].scale = stretches[n];
    }
}

bool tracks_queued(int count)
{
    int users[QUEUE_MAX] = {0};
    bool several = false;

    for (int n = 0; n < count; n++)
        for (int q = 0; q < 2; q++)
            if (tracks[n].queue[q] != NO_QUEUE)
                several = ++users[tracks[n].queue[q]] > 1 || several;
    return several;
}

/* Returns true if two tracks use the same device or the same enqueuing thread. */
static bool meet(const struct track *a, const struct track *b)
{
    return (a->kind == TRACK_COMPUTE && b->kind == TRACK_COMPUTE &&
            a->sharing != SHARING_PARTITION && a->device >= 0 && a->device == b->device) ||
           (a->thread >= 0 && a->thread == b->thread);
}

struct timeline tracks_timeline(int count, int packets, enum sharing sharing)
{
    struct timeline timeline = {.tracks = tracks,
                                .count = count,
                                .packets = packets,
                                .units = UNITS,
                                .shared = tracks_queued(count),
                                .frames = 1,
                                .period = 1,
                                .scratch = scratch,
                                .simulations = sample_simulation()};

    for (int n = 0; n < count; n++) {
        struct track *track = &tracks[n];

        track->sharing = sharing;
        track->slots = track->slots == 0 ? packets : track->slots;
        if (track->kind == TRACK_CAMERA && track->weights.slot == NULL)
            tracks_even(n, packets);
        for (int o = 0; o < n; o++)
            timeline.shared = timeline.shared || meet(track, &tracks[o]);
    }
    return timeline;
}

void tracks_frames(struct timeline *timeline, int frames)
{
    timeline->frames = frames;
    timeline->report = frames - 1;
}
