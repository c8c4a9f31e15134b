#include "shared_setup.h"

#include <string.h>

#include "larger.h"

/* Frames --------------------------------------------------------------------------------------- */

int timeline_frames(int tracks, int packets)
{
    size_t each = (size_t)(tracks > 0 ? tracks : 1) * ((size_t)packets + 1);
    size_t fit = SIMULATION_SLOTS / each;

    return fit > FRAMES_MAX ? FRAMES_MAX : fit < 1 ? 1 : (int)fit;
}

/* The last frame has everything in it. */
static bool delivers(const struct simulation *s, int node, int frame)
{
    int divisor = s->run->tracks[node].divisor;

    return divisor == 1 || s->run->ago[frame] % divisor == 0;
}

static bool defers(const struct simulation *s, int node, int frame)
{
    const struct track *track = &s->run->tracks[node];

    return track->deferred + track->deferred_fixed > 0 && delivers(s, node, frame);
}

bool shared_works(const struct simulation *s, int node, int frame, int slot)
{
    if (slot == s->run->packets)
        return defers(s, node, frame);
    return delivers(s, node, frame) && track_works(&s->run->tracks[node], slot, s->run->packets);
}

/* Who meets whom ------------------------------------------------------------------------------- */

static bool runs_on_device(const struct track *track)
{
    return track->kind == TRACK_COMPUTE && track->device >= 0;
}

/* The resources a track is served by one at a time. */
static void resources_of(const struct timeline *run, const struct track *track, int *resource)
{
    resource[0] = resource[1] = NO_QUEUE;
    if (track->kind == TRACK_LINK) {
        resource[0] = track->queue[0];
        resource[1] = track->queue[1];
    } else if (runs_on_device(track) && run->sharing == SHARING_EXCLUSIVE) {
        resource[0] = LINK_MAX + track->device;
    }
}

static void find_shared(struct simulation *s)
{
    const struct timeline *run = s->run;
    int users[RESOURCE_MAX] = {0};
    int flowing[DEVICE_MAX] = {0};
    int room = 0;

    for (int n = 0; n < run->count; n++) {
        resources_of(run, &run->tracks[n], s->held[n]);
        for (int i = 0; i < 2; i++)
            if (s->held[n][i] != NO_QUEUE)
                users[s->held[n][i]]++;
        if (runs_on_device(&run->tracks[n]) && run->sharing == SHARING_FLUID)
            flowing[run->tracks[n].device]++;
    }
    for (int d = 0; d < DEVICE_MAX && run->sharing == SHARING_FLUID; d++) {
        fluid_clear(&s->fluid[d], &s->room[room]);
        room += flowing[d];
    }
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        for (int i = 0; i < 2; i++)
            if (s->held[n][i] != NO_QUEUE && users[s->held[n][i]] == 1)
                s->held[n][i] = NO_QUEUE;
        s->fluid_of[n] = runs_on_device(track) && flowing[track->device] > 1 ? track->device : -1;
        s->met[n] = s->held[n][0] != NO_QUEUE || s->held[n][1] != NO_QUEUE || s->fluid_of[n] >= 0 ||
                    run->frames > 1;
        for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++)
            s->met[n] = s->met[n] || s->met[track->before[p]];
    }
}

/* Setting up ----------------------------------------------------------------------------------- */

void shared_count_arrived(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    int needed = track->before_count;

    if (s->next[node] >= s->total)
        return;
    s->arrived[node] = 0;
    if (s->slot[node] == s->run->packets)
        needed = s->commands_left[s->frame[node]]; /* deferred work waits for those alone */
    else
        for (int p = 0; p < track->before_count; p++)
            s->arrived[node] += s->next[track->before[p]] > s->next[node];
    if (s->arrived[node] == needed)
        s->ready[s->ready_count++] = node;
}

/* A camera of several frames. */
static void run_camera(struct simulation *s, int node)
{
    double step = s->run->tracks[node].readout / s->run->packets;
    double end = 0;

    for (int f = 0, g = 0; f < s->run->frames; f++) {
        double start = shared_frame_start(s, f);
        bool reads = delivers(s, node, f);

        for (int i = 0; i < s->per_frame; i++, g++) {
            double to = i < s->run->packets ? i + 1 : i;

            s->begin[node][g] = start;
            end = larger(end, reads ? start + to * step : start);
            s->end[node][g] = end;
        }
    }
}

static void join_edges(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];

    for (int p = 0; p < track->before_count; p++) {
        s->edge[s->edge_count] = (struct shared_edge){node, s->first_edge[track->before[p]]};
        s->first_edge[track->before[p]] = s->edge_count++;
    }
}

/* Before its first work a track passes readiness on. What comes from tracks that meet nobody, or do
 * the same, is known beforehand; so one whose work is all in the last slot is simulated there only.
 */
static void pass_first_slots(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double *end = s->end[node];
    int first = track->weights.first;

    for (int p = 0; p < track->before_count; p++)
        if (s->next[track->before[p]] < first)
            first = s->next[track->before[p]];
    for (int i = 0; i < first; i++)
        end[i] = 0;
    for (int p = 0; p < track->before_count; p++) {
        const double *ends = s->run->tracks[track->before[p]].ends;

        for (int i = 0; i < first; i++)
            end[i] = larger(end[i], ends[i]);
    }
    memcpy(s->begin[node], end, sizeof(double) * (size_t)first);
    s->next[node] = s->slot[node] = first;
    s->free[node] = s->passed[node] = first > 0 ? end[first - 1] : 0;
}

static void set_up_track(struct simulation *s, int node)
{
    const struct timeline *run = s->run;
    struct track *track = &run->tracks[node];
    bool several = run->frames > 1;

    s->first_edge[node] = -1;
    s->next[node] = s->slot[node] = s->frame[node] = 0;
    s->free[node] = s->passed[node] = 0;
    s->end[node] = s->begin[node] = NULL;
    if (!s->met[node]) {
        timeline_alone(run->tracks, node, run->packets, run->scratch);
        s->next[node] = s->total;
        return;
    }
    s->begin[node] = &s->begins[(size_t)node * (size_t)s->total];
    s->end[node] = several ? &s->ends[(size_t)node * (size_t)s->total] : track->end;
    track->begin = &s->begin[node][(run->frames - 1) * s->per_frame];
    track->origin = shared_frame_start(s, run->frames - 1);
    track->ends = track->end;
    track->held = 0;
    if (track->kind == TRACK_CAMERA) {
        run_camera(s, node);
        s->next[node] = s->total;
        return;
    }
    join_edges(s, node);
    if (!several)
        pass_first_slots(s, node);
}

/* Where a camera feeds a mirror its last pixel is a command. */
static void expect_commands(struct simulation *s, int frame)
{
    int last = frame * s->per_frame + s->run->packets - 1;

    s->commands_left[frame] = 0;
    s->commanded[frame] = 0;
    for (int n = 0; n < s->run->count && s->run->frames > 1; n++) {
        if (!s->run->tracks[n].command)
            continue;
        if (s->run->tracks[n].kind == TRACK_CAMERA)
            s->commanded[frame] = larger(s->commanded[frame], s->end[n][last]);
        else
            s->commands_left[frame]++;
    }
}

void shared_set_up(struct simulation *s, struct timeline *timeline)
{
    const struct timeline *run = timeline;

    s->run = timeline;
    find_shared(s);
    s->per_frame = run->packets + (run->frames > 1);
    s->total = s->per_frame * run->frames;
    s->edge_count = s->ready_count = s->step_count = 0;
    for (int r = 0; r < RESOURCE_MAX; r++)
        s->until[r] = 0;
    event_clear(&s->events, run->count);
    for (int n = 0; n < run->count; n++)
        set_up_track(s, n);
    for (int f = 0; f < run->frames; f++)
        expect_commands(s, f);
    for (int n = 0; n < run->count; n++)
        shared_count_arrived(s, n);
}
