#include "model/contention.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"

/* Events that release a shared device precede simultaneous requests, as do the ends of fixed times,
 * those by turn; an exclusive device is granted after all requests of that time. */
#define RANK_JOB_ENDS (-HUGE_VAL)
#define RANK_FIXED_TIME_ENDS (-0x1p53) /* below that of any slot (contention_rank) */
#define RANK_UNIT_IS_FREE HUGE_VAL

/* Rank of deferred work, above that of any priority (see track_rank). */
#define RANK_DEFERRED 32767

/* Processor sharing ---------------------------------------------------------------------------- */

/* Adds to the sum and tracks its rounding error (Knuth, TAOCP 2, 4.2.2). */
static void add_share(struct shared_device *device, double share)
{
    double old = device->shares + device->lost;
    double carried = device->lost - (old - device->shares);
    double sum = old + share;
    double part = sum - old;

    device->lost = carried + ((old - (sum - part)) + (share - part));
    device->shares = sum;
}

void shared_device_begin(struct shared_device *device, double now, int node, double share,
                         double work)
{
    if (device->jobs.count == 0)
        device->virtual = device->shares = device->lost = 0; /* drop rounding errors */
    else
        device->virtual += larger(0, now - device->now) / device->shares;
    device->now = now;
    add_share(device, share);
    heap_set(&device->jobs, (struct heap_item){device->virtual + work / share, node, node});
}

double shared_device_next_end(const struct shared_device *device)
{
    return device->now + larger(0, device->jobs.item[0].key - device->virtual) * device->shares;
}

int shared_device_end(struct shared_device *device, double now, const struct track *tracks)
{
    struct heap_item first = heap_remove_first(&device->jobs);

    device->virtual = larger(device->virtual, first.key);
    device->now = now;
    add_share(device, -tracks[first.owner].share);
    return first.owner;
}

/* Frames and slots ----------------------------------------------------------------------------- */

int contention_frames(int tracks, int packets)
{
    size_t each = (size_t)(tracks > 0 ? tracks : 1) * ((size_t)packets + 1);
    size_t fit = SIMULATION_SLOTS / each;

    return fit > FRAMES_MAX ? FRAMES_MAX : fit < 1 ? 1 : (int)fit;
}

static inline bool slot_works(const struct simulation *s, const struct track *track, int frame,
                              int slot)
{
    if (!track_delivers(track, frame))
        return false;
    if (slot == s->run->packets)
        return track->deferred + track->deferred_fixed > 0;
    return slot < track->slots && track_works(track, slot);
}

bool contention_works(const struct simulation *s, int node, int frame, int slot)
{
    return slot_works(s, &s->run->tracks[node], frame, slot);
}

/* Returns the duration of a track's next slot, which stands at its end until that is known. */
static double slot_duration(const struct simulated_track *at)
{
    return at->end[at->next];
}

double contention_fixed_time(const struct simulation *s, const struct track *track, int frame,
                             int slot)
{
    double fixed = slot == s->run->packets ? track->deferred_fixed : track_fixed(track, slot);

    return fixed * track_scale(track, frame, slot, s->run->packets);
}

static double slot_fixed_time(const struct simulation *s, const struct simulated_track *at)
{
    return contention_fixed_time(s, at->track, at->frame, at->slot);
}

double contention_rank(const struct simulation *s, int node, int slot, int number)
{
    const struct track *track = &s->run->tracks[node];
    double rank = slot == s->run->packets ? RANK_DEFERRED : track->rank;

    return (rank * 4194304 + number) * 65536 + track->order;
}

static double slot_rank(const struct simulation *s, const struct simulated_track *at)
{
    return contention_rank(s, at->node, at->slot, at->next);
}

/* Memory --------------------------------------------------------------------------------------- */

void simulation_free(struct simulation *s)
{
    free(s->ends);
    s->ends = NULL;
    s->slots = s->track_frames = 0;
    s->known = false;
}

/* Slots that are spare at most, an eighth, once a run outgrows the memory of an earlier one: a
 * design that is tried with one more packet each time does not get other memory each time. */
#define SPARE_MOST 20000

/* Gets memory for a run: 45 B per slot, 16 B per frame of a track, and what repeat.c needs. */
void simulation_fit(struct simulation *s, const struct timeline *run)
{
    size_t frames = (size_t)run->count * (size_t)run->frames;
    size_t slots = frames * ((size_t)run->packets + (run->frames > 1));
    size_t steps;
    size_t repeated; /* that may be */
    size_t orders;
    size_t bytes;

    if (slots <= s->slots && frames <= s->track_frames)
        return;
    if (slots > s->slots && s->slots > 0)
        slots += slots / 8 < SPARE_MOST ? slots / 8 : SPARE_MOST;
    slots = slots > s->slots ? slots : s->slots;
    frames = frames > s->track_frames ? frames : s->track_frames;
    steps = 2 * slots + (slots < JOBS_MOST ? slots : JOBS_MOST);
    repeated = slots < REPEAT_MOST ? slots : REPEAT_MOST;
    orders = slots <= ORDERS_SLOTS ? ORDERS : slots <= REPEAT_MOST ? 2 : 1;
    bytes =
        slots * (3 * sizeof *s->ends + sizeof *s->visit + sizeof *s->member + sizeof *s->weighs) +
        frames * sizeof *s->starts + repeated * sizeof *s->asked +
        steps * orders * sizeof *s->step;
    simulation_free(s);
    s->ends = allocate_array(1, bytes);
    s->slots = slots;
    s->track_frames = frames;
    s->begins = s->ends + slots;
    s->requests = s->begins + slots;
    s->asked = s->requests + slots;
    s->starts = (struct frame_start *)(s->asked + repeated);
    s->step = (struct simulation_step *)(s->starts + frames);
    s->order_count = (int)orders;
    for (size_t o = 0; o < orders; o++)
        s->order[o] = (struct simulation_order){.step = s->step + o * steps};
    s->visit = (uint16_t *)(s->step + steps * orders);
    s->member = s->visit + slots;
    s->weighs = (bool *)(s->member + slots);
}

/* Gives every track its row of visits. */
static void place_visits(struct simulation *s, const struct timeline *run)
{
    int slots = run->packets + (run->frames > 1);

    for (int n = 0; n < run->count; n++) {
        struct track *track = &run->tracks[n];

        track->visit_frame = run->simulated ? slots : 0;
        track->visit =
            &s->visit[(size_t)n * (size_t)(run->simulated ? slots * run->frames : slots)];
    }
}

/* Setting up ----------------------------------------------------------------------------------- */

static bool runs_on_device(const struct track *track)
{
    return track->kind == TRACK_COMPUTE && track->device >= 0;
}

/* Finds the links and enqueuing threads that tracks share. */
static void find_queues(struct simulation *s)
{
    const struct timeline *run = s->run;

    for (int r = 0; r < QUEUE_MAX; r++)
        s->users[r] = 0;
    for (int u = 0; u < run->units; u++)
        s->thread_users[u] = 0;
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        for (int i = 0; i < 2; i++) {
            s->node[n].held[i] = track->kind == TRACK_LINK ? track->queue[i] : NO_QUEUE;
            if (s->node[n].held[i] != NO_QUEUE)
                s->users[s->node[n].held[i]]++;
        }
        if (track->thread >= 0)
            s->thread_users[track->thread]++;
    }
    for (int n = 0; n < run->count; n++) {
        int thread = run->tracks[n].thread;

        s->node[n].thread_shared = thread >= 0 && s->thread_users[thread] > 1;
        for (int i = 0; i < 2; i++)
            if (s->node[n].held[i] != NO_QUEUE && s->users[s->node[n].held[i]] == 1)
                s->node[n].held[i] = NO_QUEUE;
    }
}

/* Chains the tracks of each thread that may continue a visit, the last node first. */
static void find_visits(struct simulation *s)
{
    const struct timeline *run = s->run;

    for (int u = 0; u < run->units; u++)
        s->last_in_thread[u] = -1;
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        if (!s->node[n].thread_shared || !track->continues || track->enqueue_inside == 0)
            continue;
        s->node[n].before_in_thread = s->last_in_thread[track->thread];
        s->last_in_thread[track->thread] = n;
    }
}

/* Finds the unit that each track shares with others. */
static void find_shared_devices(struct simulation *s)
{
    const struct timeline *run = s->run;
    int *users = &s->users[QUEUE_MAX];
    int used = 0;

    for (int u = 0; u < run->units; u++)
        users[u] = 0;
    for (int n = 0; n < run->count; n++) {
        s->job_place[n] = -1;
        if (runs_on_device(&run->tracks[n]) && run->tracks[n].sharing != SHARING_PARTITION)
            users[run->tracks[n].device]++;
    }
    for (int u = 0; u < run->units; u++) {
        s->device[u] = (struct shared_device){.jobs = {0, &s->job[used], s->job_place}};
        used += users[u];
    }
    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        s->node[n].shared = -1;
        if (!runs_on_device(track) || track->sharing == SHARING_PARTITION ||
            users[track->device] < 2)
            continue;
        s->node[n].shared = track->device;
        if (track->sharing == SHARING_EXCLUSIVE)
            s->node[n].held[0] = QUEUE_MAX + track->device;
    }
}

static void find_contending(struct simulation *s)
{
    const struct timeline *run = s->run;

    for (int n = 0; n < run->count; n++) {
        const struct track *track = &run->tracks[n];

        s->node[n].contends = s->node[n].held[0] != NO_QUEUE || s->node[n].held[1] != NO_QUEUE ||
                              s->node[n].shared >= 0 || s->node[n].thread_shared || run->frames > 1;
        for (int p = 0; p < track->before_count && track->kind != TRACK_CAMERA; p++)
            s->node[n].contends = s->node[n].contends || s->node[track->before[p]].contends;
    }
}

/* Runs a camera through several frames. */
static void run_camera(struct simulation *s, int node)
{
    const struct track *track = &s->run->tracks[node];
    double core = 0; /* its receiving core is free, from the start of the frame */
    double passed = 0;

    for (int f = 0; f < s->run->frames && pace_step(s->pace, s->per_frame); f++) {
        double start = simulation_frame_start(s, f);
        double *end = &s->node[node].end[f * s->per_frame];
        double *begin = &s->node[node].begin[f * s->per_frame];

        if (track_delivers(track, f))
            core = arrival_fill(track, s->run->packets, core, end);
        for (int i = 0; i < s->per_frame; i++) {
            bool late = i >= s->run->packets || !track_delivers(track, f);
            double to = start + (late ? 0 : end[i]);

            if (!late && track->sleep > 0 && i == track->sleep_slot)
                to += track->sleep;
            begin[i] = start;
            end[i] = larger(passed, to);
            if (i < track->slots)
                passed = end[i];
        }
        core -= s->run->period;
    }
}

/* Adds an edge from each predecessor. */
static void add_edges(struct simulation *s, int node)
{
    struct simulated_track *at = &s->node[node];
    const struct track *track = &s->run->tracks[node];

    at->inputs = &s->edge[s->edge_count];
    at->input_count = track->before_count;
    for (int p = 0; p < track->before_count; p++) {
        struct simulated_track *from = &s->node[track->before[p]];
        const struct track *before = &s->run->tracks[track->before[p]];

        struct simulation_edge *edge = &s->edge[s->edge_count++];

        *edge = (struct simulation_edge){
            .from = from,
            .to = at,
            .next = from->first_edge,
            .last = before->slots - 1,
            .end = from->end != NULL ? from->end : before->end,
        };
        from->first_edge = edge;
        from->edges++;
        from->feeds_thread = from->feeds_thread || at->thread_shared;
    }
    at->edges += at->input_count;
}

/* Finds the first slot of each track that is simulated in a frame. Those before it end when the
 * slots that they wait for and the work of earlier frames have ended, which is never later than
 * what the first one waits for (pass_first_slots). */
static void find_first_slots(struct simulation *s)
{
    int first[NODE_MAX];

    timeline_find_first_slots(s->run, first);
    for (int n = 0; n < s->run->count; n++)
        s->node[n].first = first[n];
}

/* Returns the end of a track's last slot of a frame, with its deferred work. */
static double frame_end(const struct simulation *s, int node, int frame)
{
    int last = contention_works(s, node, frame, s->run->packets) ? s->run->packets
                                                                 : s->run->tracks[node].slots - 1;

    return s->node[node].end[frame * s->per_frame + last];
}

/* Fills in the slots of a track that were not simulated in the reported frame. */
static void pass_first_slots(struct simulation *s, int node)
{
    const struct simulated_track *at = &s->node[node];
    int frame = s->run->report;
    int base = frame * s->per_frame;
    double passed = frame > 0 ? frame_end(s, node, frame - 1) : 0;
    double *end = &at->end[base];
    int first = at->first;

    for (int i = 0; i < first; i++)
        end[i] = larger(simulation_frame_start(s, frame), passed);
    for (int p = 0; p < at->input_count && pace_step(s->pace, first); p++) {
        const double *before = &at->inputs[p].end[base];
        int own = at->inputs[p].last < first ? at->inputs[p].last : first;

        for (int i = 0; i < own; i++)
            end[i] = larger(end[i], before[i]);
        for (int i = own; i < first; i++)
            end[i] = larger(end[i], before[own]);
    }
    memcpy(&at->begin[base], end, sizeof(double) * (size_t)first);
    memcpy(&at->request[base], end, sizeof(double) * (size_t)first);
}

/* Copies the ends of all slots of a track that ran without simulation to its own memory. */
static void own_ends(struct track *track)
{
    if (track->ends != track->end)
        memcpy(track->end, track->ends, sizeof(double) * (size_t)track->slots);
    track->end[track->slots - 1] = track->last;
    track->ends = track->end;
}

/* Lets the duration of every slot with work stand at its end. */
static void fill_ends(const struct simulation *s, const struct simulated_track *at)
{
    const struct track *track = at->track;
    int packets = s->run->packets;

    for (int f = 0; f < s->run->frames; f++) {
        double *end = &at->end[f * s->per_frame];

        /* a loop over the slots takes a fraction of a step for each */
        if (f % 16 == 0 && !pace_step(s->pace, 1 + s->per_frame))
            return;
        track_fill_durations(track, track->scale == NULL ? NULL : &track->scale[f * (packets + 1)],
                             at->first, end);
        if (s->per_frame > packets)
            end[packets] =
                (track->deferred + track->deferred_fixed) * track_scale(track, f, packets, packets);
    }
}

/* Runs a track without contention. */
static void run_alone(const struct simulation *s, int node)
{
    struct track *track = &s->run->tracks[node];

    track->held = track->passed = track->enqueued = 0;
    timeline_run_alone(s->run, node, 0);
    if (!s->pace->stopped)
        own_ends(track);
}

/* Prepares a track for the run: one without contention runs. */
static void start_track(struct simulation *s, int node)
{
    struct simulated_track *at = &s->node[node];
    struct track *track = &s->run->tracks[node];

    at->free = at->passed = at->enqueued = 0;
    at->latency = track->kind == TRACK_LINK ? track->latency : 0;
    track->held = track->passed = track->enqueued = 0;
    if (!at->contends) {
        run_alone(s, node);
        return;
    }
    track->ends = track->end;
    if (track->kind == TRACK_CAMERA)
        run_camera(s, node);
    else
        fill_ends(s, at);
}

static void set_up_track(struct simulation *s, int node)
{
    struct simulated_track *at = &s->node[node];
    struct track *track = &s->run->tracks[node];
    size_t first = (size_t)node * (size_t)s->total;

    s->pointer[node] = at;
    at->node = node;
    at->track = track;
    at->first_edge = NULL;
    at->next = at->slot = at->next_visit = at->visit_slot = at->first;
    at->frame = at->visit_frame = 0;
    at->awaited = -1;
    at->feeds_thread = at->enqueues = false;
    at->known_inputs = at->edges = 0;
    at->end = at->begin = at->request = NULL;
    if (at->contends) {
        at->begin = &s->begins[first];
        at->request = &s->requests[first];
        at->asked = s->run->count * s->total <= REPEAT_MOST ? &s->asked[first] : NULL;
        at->end = s->run->frames > 1 ? &s->ends[first] : track->end;
        if (track->continues)
            memset(track->visit, 0, sizeof *track->visit * (size_t)s->total);
        if (at->thread_shared)
            memset(&s->member[first], 0, sizeof *s->member * (size_t)s->total);
    }
    start_track(s, node);
    if (at->contends && track->kind != TRACK_CAMERA)
        add_edges(s, node);
    else
        at->next = s->total;
}

/* If a camera feeds nothing, its last pixel is a command. */
static void count_frame_commands(struct simulation *s, int frame)
{
    s->commands_left[frame] = 0;
    s->commanded[frame] = 0;
    for (int n = 0; n < s->run->count && s->run->frames > 1; n++) {
        const struct track *track = &s->run->tracks[n];

        if (!track_sends(track, frame))
            continue;
        if (track->kind == TRACK_CAMERA)
            s->commanded[frame] = larger(s->commanded[frame],
                                         s->node[n].end[frame * s->per_frame + track->slots - 1]);
        else
            s->commands_left[frame]++;
    }
}

/* Counts the predecessors that completed a track's slot; after the last it can be examined. */
static void count_arrived(struct simulation *s, struct simulated_track *at)
{
    int needed = at->input_count;
    int arrived = 0;

    at->awaited = -1;
    if (at->next >= s->total)
        return;
    if (needed == 1 && at->slot < s->run->packets) {
        at->awaited = simulation_awaited(at->inputs, at->next - at->slot, at->slot);
        if (at->inputs->from->next > at->awaited)
            s->ready[s->ready_count++] = at;
        return;
    }
    if (at->slot == s->run->packets)
        needed = s->commands_left[at->frame]; /* deferred work waits for the commands only */
    else
        for (int i = 0; i < needed; i++)
            arrived += at->inputs[i].from->next >
                       simulation_awaited(&at->inputs[i], at->next - at->slot, at->slot);
    at->arrived = arrived;
    if (arrived == needed)
        s->ready[s->ready_count++] = at;
}

/* Advances to the next slot in which a track begins a visit, from `next_visit` on. */
static void find_next_visit(struct simulation *s, struct simulated_track *at)
{
    at->known_inputs = 0;
    for (; at->next_visit < s->total; at->next_visit++, at->visit_slot++) {
        if (at->visit_slot == s->per_frame) {
            at->visit_slot = 0;
            at->visit_frame++;
        }
        if (at->visit_slot < s->run->packets &&
            slot_works(s, at->track, at->visit_frame, at->visit_slot) &&
            track_begins(s->run->tracks, at->node, at->visit_frame, at->visit_slot))
            return;
        if (!pace_step(s->pace, 1))
            return;
    }
}

/* Expects the next visit that a track begins at its shared thread, if the visit's start is known:
 * it may be enqueued while the track is still busy. */
static void expect_visit(struct simulation *s, struct simulated_track *at)
{
    const struct track *track = at->track;
    int base = at->next_visit - at->visit_slot;

    if (at->next_visit == s->total || track->enqueue == 0)
        return;
    for (int *i = &at->known_inputs; *i < at->input_count; ++*i)
        if (at->inputs[*i].from->next <= simulation_awaited(&at->inputs[*i], base, at->visit_slot))
            return;
    heap_set(&s->events,
             (struct heap_item){simulation_ready(s, at, at->visit_frame, at->visit_slot),
                                contention_turn(at->node, at->next_visit),
                                s->run->count + s->run->units + at->node});
}

static void free_resources(struct simulation *s)
{
    for (int r = 0; r < QUEUE_MAX + s->run->units; r++)
        s->busy_until[r] = 0;
    for (int u = 0; u < s->run->units; u++)
        s->thread_free[u] = 0;
}

/* Runs the tracks without contention and lists tracks whose first slot can be examined. */
static void set_up_simulation(struct simulation *s, struct timeline *run)
{
    s->run = run;
    s->unwatched = (struct pace){.progress = NULL};
    s->pace = run->pace != NULL ? run->pace : &s->unwatched;
    find_queues(s);
    find_shared_devices(s);
    find_visits(s);
    find_contending(s);
    find_first_slots(s);
    s->per_frame = run->packets + (run->frames > 1);
    s->total = s->per_frame * run->frames;
    s->edge_count = s->ready_count = s->step_count = 0;
    free_resources(s);
    s->events = (struct heap){.item = s->event, .position = s->event_position};
    heap_clear(&s->events, 2 * run->count + run->units);
    for (int n = 0; n < run->count && pace_step(run->pace, 1 + s->total / 128); n++)
        set_up_track(s, n);
    for (int f = 0; f < run->frames && pace_step(run->pace, run->count); f++)
        count_frame_commands(s, f);
}

/* Slot by slot --------------------------------------------------------------------------------- */

/* Counts a command; the last one of a frame releases deferred work. */
static void count_command(struct simulation *s, int frame, double end)
{
    s->commanded[frame] = larger(s->commanded[frame], end);
    if (--s->commands_left[frame] > 0)
        return;
    for (int n = 0; n < s->run->count; n++)
        if (s->node[n].next < s->total && s->node[n].frame == frame &&
            s->node[n].slot == s->run->packets)
            s->ready[s->ready_count++] = &s->node[n];
}

/* Advances to the next slot that may have work. */
static void advance_track(struct simulation *s, struct simulated_track *at)
{
    const struct track *track = at->track;

    at->slot++;
    if (at->slot == track->slots) {
        at->slot = s->run->packets;
        if (s->per_frame == s->run->packets ||
            !slot_works(s, at->track, at->frame, s->run->packets))
            at->slot = s->per_frame;
    }
    if (at->slot == s->per_frame) {
        at->frame++;
        at->slot = 0;
        if (at->frame < s->run->frames) {
            simulation_start_frame(s, at, at->frame);
            at->slot = at->first;
        }
    }
    at->next = at->frame * s->per_frame + at->slot;
}

/* Counts the arrival of a predecessor's slot; returns true if the current slot of the edge's track
 * waits for it and for no other. */
static inline bool completes_inputs(const struct simulation *s, const struct simulation_edge *edge,
                                    int number)
{
    struct simulated_track *at = edge->to;

    if (at->input_count == 1)
        return at->awaited == number;
    return at->slot < s->run->packets && at->next < s->total &&
           simulation_awaited(edge, at->next - at->slot, at->slot) == number &&
           ++at->arrived == at->input_count;
}

static void note_step(struct simulation *s, int node, int number, enum step_kind kind)
{
    s->step[s->step_count++] =
        (struct simulation_step){.slot = number, .node = (uint16_t)node, .kind = (uint8_t)kind};
}

/* Completes a slot and notifies successors that wait for it. */
static void finish_slot(struct simulation *s, struct simulated_track *at, enum step_kind kind,
                        double begin, double end)
{
    const struct track *track = at->track;
    int slot = at->slot;
    int number = at->next;

    at->begin[number] = begin;
    at->end[number] = end;
    at->passed = end;
    note_step(s, at->node, number, kind);
    pace_step(s->pace, 1 + at->edges);
    if (slot < s->run->packets) {
        for (const struct simulation_edge *edge = at->first_edge; edge != NULL; edge = edge->next)
            if (completes_inputs(s, edge, number))
                s->ready[s->ready_count++] = edge->to;
        if (s->run->frames > 1 && slot == track->slots - 1 && track_sends(track, at->frame))
            count_command(s, at->frame,
                          slot_works(s, at->track, at->frame, slot) ? track_command(track, end)
                                                                    : end);
    }
    advance_track(s, at);
    count_arrived(s, at);
    for (const struct simulation_edge *edge = at->feeds_thread ? at->first_edge : NULL;
         edge != NULL; edge = edge->next) {
        struct simulated_track *to = edge->to;

        if (to->thread_shared &&
            simulation_awaited(edge, to->next_visit - to->visit_slot, to->visit_slot) == number)
            expect_visit(s, to);
    }
}

/* Executes a slot from `start` on, as soon as all its resources are free. */
static void execute_slot(struct simulation *s, struct simulated_track *at, double start)
{
    double duration = slot_duration(at);

    for (int i = 0; i < 2; i++)
        if (at->held[i] != NO_QUEUE)
            start = larger(start, s->busy_until[at->held[i]]);
    for (int i = 0; i < 2; i++)
        if (at->held[i] != NO_QUEUE)
            s->busy_until[at->held[i]] = start + duration;
    at->free = start + duration;
    finish_slot(s, at, STEP_WORKS, start, larger(at->passed, start + duration + at->latency));
}

/* Returns true if nothing else can happen before or at `time`. */
static bool comes_next(const struct simulation *s, double time)
{
    return s->ready_count == 0 && (s->events.count == 0 || s->events.item[0].key > time);
}

/* Asks for the device or the queues of a slot, from `time` on. */
static void request_slot(struct simulation *s, struct simulated_track *at, double time)
{
    const struct track *track = at->track;
    double start = larger(time, at->free);

    at->request[at->next] = time;
    if (at->shared < 0 && at->held[0] == NO_QUEUE && at->held[1] == NO_QUEUE) {
        execute_slot(s, at, start);
    } else if (at->shared < 0) {
        if (comes_next(s, start))
            execute_slot(s, at, start);
        else
            heap_set(&s->events,
                     (struct heap_item){start, contention_turn(at->node, at->next), at->node});
    } else if (track->sharing == SHARING_EXCLUSIVE && comes_next(s, start) &&
               s->device[at->shared].jobs.count == 0 &&
               s->busy_until[QUEUE_MAX + at->shared] <= start) {
        execute_slot(s, at, start);
    } else if (track->sharing == SHARING_EXCLUSIVE) {
        heap_set(&s->events, (struct heap_item){start, slot_rank(s, at), at->node});
    } else {
        at->begun = start;
        heap_set(&s->events,
                 (struct heap_item){start + slot_fixed_time(s, at),
                                    RANK_FIXED_TIME_ENDS + contention_turn(at->node, at->next),
                                    at->node});
    }
}

/* Lists the members of all visits of a thread in a slot. */
static void find_members(struct simulation *s, int thread, int frame, int slot)
{
    const struct track *tracks = s->run->tracks;
    int last = s->last_in_thread[thread];
    size_t number = (size_t)(frame * s->per_frame + slot);
    size_t total = (size_t)s->total;

    for (int m = last; m >= 0; m = s->node[m].before_in_thread) {
        uint16_t *member = &s->member[(size_t)m * total + number];
        uint16_t *first;

        pace_step(s->pace, 1 + tracks[m].before_count);
        if (!contention_works(s, m, frame, slot))
            continue;
        first = &s->member[(size_t)track_visit(tracks, m, frame, slot) * total + number];
        if (first == member)
            continue;
        *member = *first;
        *first = (uint16_t)(m + 1);
    }
    s->member[(size_t)last * total + number] |= MEMBERS_KNOWN;
}

/* Enqueues all kernels of a node's next visit; the time at which each of them is enqueued stands at
 * the begin of the slot until that is known. */
static void enqueue_kernels(struct simulation *s, struct simulated_track *at, double now)
{
    const struct track *tracks = s->run->tracks;
    const struct track *track = at->track;
    int number = at->next_visit;
    int slot = at->visit_slot;
    int last = s->last_in_thread[track->thread];
    double enqueued = larger(now, s->thread_free[track->thread]) + track_enqueue(track, slot, true);

    note_step(s, at->node, number, STEP_ENQUEUES);
    pace_step(s->pace, 1);
    at->begin[number] = enqueued;
    if (last >= 0 &&
        (s->member[(size_t)last * (size_t)s->total + (size_t)number] & MEMBERS_KNOWN) == 0)
        find_members(s, track->thread, at->visit_frame, slot);
    for (int m = contention_next_member(s, at->node, number); m >= 0;
         m = contention_next_member(s, m, number)) {
        enqueued += track_enqueue(&tracks[m], slot, false);
        s->node[m].begin[number] = enqueued;
    }
    s->thread_free[track->thread] = enqueued;
}

/* Enqueues the next visit of a node. */
static void enqueue_visit(struct simulation *s, struct simulated_track *at, double now)
{
    int number = at->next_visit;
    int slot = at->visit_slot;

    enqueue_kernels(s, at, now);
    at->next_visit++;
    at->visit_slot++;
    find_next_visit(s, at);
    expect_visit(s, at);
    if (!at->enqueues)
        return;
    at->enqueues = false;
    request_slot(s, at, at->begin[number] + track_delay(at->track, slot, true));
}

/* Starts a slot with work that is ready. */
static void start_slot(struct simulation *s, struct simulated_track *at, double ready)
{
    const struct track *track = at->track;
    int slot = at->slot;
    bool begins;

    if (slot == s->run->packets) {
        request_slot(s, at, ready);
        return;
    }
    begins = track_begins(s->run->tracks, at->node, at->frame, slot);
    if (at->thread_shared && (begins ? track->enqueue : track->enqueue_inside) > 0) {
        at->enqueues = begins && at->next_visit <= at->next;
        if (at->enqueues)
            return;
        ready = larger(ready, at->begin[at->next]);
    } else if (begins && track->enqueue > 0)
        ready = at->enqueued = larger(ready, at->enqueued) + track_enqueue(track, slot, true);
    request_slot(s, at, ready + track_delay(track, slot, begins));
}

/* Passes readiness on in a slot without work and starts others. */
static void examine_slot(struct simulation *s, struct simulated_track *at)
{
    double ready = at->awaited < 0
                       ? simulation_ready(s, at, at->frame, at->slot)
                       : larger(simulation_frame_start(s, at->frame), at->inputs->end[at->awaited]);

    if (slot_works(s, at->track, at->frame, at->slot)) {
        start_slot(s, at, ready);
        return;
    }
    ready = larger(ready, at->passed);
    at->request[at->next] = ready;
    if (at->track->kind != TRACK_LINK)
        at->free = ready;
    finish_slot(s, at, STEP_PASSES, ready, ready);
}

static void expect_unit(struct simulation *s, int unit, double time, double rank)
{
    heap_set(&s->events, (struct heap_item){time, rank, s->run->count + unit});
}

static void expect_job_end(struct simulation *s, int unit)
{
    if (s->device[unit].jobs.count > 0)
        expect_unit(s, unit, shared_device_next_end(&s->device[unit]), RANK_JOB_ENDS);
}

/* Executes a slot if its unit is free, else lets it wait. */
static void request_unit(struct simulation *s, struct simulated_track *at, double now)
{
    int unit = at->shared;
    struct heap *waiting = &s->device[unit].jobs;
    double busy_until = s->busy_until[QUEUE_MAX + unit];

    if (waiting->count == 0 && busy_until <= now) {
        execute_slot(s, at, now);
        return;
    }
    if (waiting->count == 0)
        expect_unit(s, unit, busy_until, RANK_UNIT_IS_FREE);
    heap_set(waiting, (struct heap_item){slot_rank(s, at), 0, at->node});
}

/* Executes the first of the slots that wait for a unit. */
static void grant_unit(struct simulation *s, int unit, double now)
{
    struct heap *waiting = &s->device[unit].jobs;

    execute_slot(s, &s->node[heap_remove_first(waiting).owner], now);
    if (waiting->count > 0)
        expect_unit(s, unit, s->busy_until[QUEUE_MAX + unit], RANK_UNIT_IS_FREE);
}

static void finish_shared_slot(struct simulation *s, struct simulated_track *at,
                               enum step_kind kind, double now)
{
    at->free = now;
    finish_slot(s, at, kind, at->begun, now);
}

static void start_shared_work(struct simulation *s, struct simulated_track *at, double now)
{
    double work = slot_duration(at) - slot_fixed_time(s, at);
    int unit = at->shared;

    if (work <= 0) {
        finish_shared_slot(s, at, STEP_WORKS, now);
        return;
    }
    shared_device_begin(&s->device[unit], now, at->node, at->track->share, work);
    if (s->run->count * s->total <= JOBS_MOST)
        note_step(s, at->node, at->next, STEP_BEGINS_JOB);
    expect_job_end(s, unit);
}

static void end_shared_work(struct simulation *s, int unit, double now)
{
    int node = shared_device_end(&s->device[unit], now, s->run->tracks);

    expect_job_end(s, unit);
    finish_shared_slot(s, &s->node[node], STEP_ENDS_JOB, now);
}

/* The reported frame --------------------------------------------------------------------------- */

double contention_command(const struct timeline *timeline, int frame)
{
    const struct simulation *s = timeline->simulation;

    return s->commanded[frame] - simulation_frame_start(s, frame);
}

double contention_ends(const struct timeline *timeline, int frame)
{
    const struct simulation *s = timeline->simulation;
    double sum = 0;

    for (int n = 0; n < timeline->count; n++) {
        const double *end = &s->node[n].end[frame * s->per_frame];

        sum += end[timeline->tracks[n].slots - 1] - simulation_frame_start(s, frame);
        if (timeline->tracks[n].kind != TRACK_CAMERA &&
            contention_works(s, n, frame, timeline->packets))
            sum += end[timeline->packets] - simulation_frame_start(s, frame);
    }
    return sum;
}

double contention_last_end(const struct timeline *timeline, int frame)
{
    const struct simulation *s = timeline->simulation;
    double last = 0;

    for (int n = 0; n < timeline->count; n++) {
        const double *end = &s->node[n].end[frame * s->per_frame];

        last = larger(last, end[timeline->tracks[n].slots - 1]);
        if (timeline->tracks[n].kind != TRACK_CAMERA &&
            contention_works(s, n, frame, timeline->packets))
            last = larger(last, end[timeline->packets]);
    }
    return last - simulation_frame_start(s, frame);
}

/* Converts ends of the reported frame to its own clock; rounding never puts one before its cause.
 */
static void set_frame_clock(struct simulation *s, int node)
{
    struct track *track = &s->run->tracks[node];
    const double *end = &s->node[node].end[s->run->report * s->per_frame];

    for (int i = 0; i < track->slots; i++)
        track->end[i] =
            larger(track->kind == TRACK_CAMERA ? 0 : track_ready(s->run->tracks, node, i),
                   end[i] - track->origin);
}

static void report_track(struct simulation *s, int node)
{
    const struct simulated_track *at = &s->node[node];
    struct track *track = &s->run->tracks[node];
    int last = track->slots - 1;
    int frame = s->run->report;
    int packets = s->run->packets;

    track->begin = &at->begin[frame * s->per_frame];
    track->request = &at->request[frame * s->per_frame];
    track->origin = simulation_frame_start(s, frame);
    if (frame > 0 && track->kind != TRACK_CAMERA) {
        const struct frame_start *start = &s->starts[node * s->run->frames + frame];

        track->held = larger(0, start->free - track->origin);
        track->enqueued = larger(0, start->enqueued - track->origin);
    }
    if (track->kind != TRACK_CAMERA)
        pass_first_slots(s, node);
    if (s->run->frames > 1)
        set_frame_clock(s, node);
    track->last = track->end[last];
    track->last_duration = track_works(track, last) ? track_duration(track, last) *
                                                          track_scale(track, frame, last, packets)
                                                    : 0;
    track->last_start = larger(0, track->begin[last] - track->origin);
    if (s->per_frame > packets && contention_works(s, node, frame, packets))
        track->deferred_end = at->end[frame * s->per_frame + packets] - track->origin;
    if (track->kind == TRACK_CAMERA)
        track->last_start = camera_time(track, last, packets) - track->last_duration;
}

void contention_end(struct timeline *timeline)
{
    struct simulation *s = timeline->simulation;

    if (timeline->report < 0)
        return;
    for (int n = 0; n < timeline->count && pace_step(timeline->pace, s->per_frame); n++)
        if (s->node[n].end != NULL)
            report_track(s, n);
}

void contention_report(struct timeline *timeline, int frame)
{
    timeline->report = frame;
    contention_end(timeline);
}

void contention_begin_again(struct timeline *timeline)
{
    struct simulation *s = timeline->simulation;

    place_visits(s, timeline);
    free_resources(s);
    for (int n = 0; n < timeline->count && pace_step(timeline->pace, 1 + s->total / 128); n++)
        start_track(s, n);
    for (int f = 0; f < timeline->frames; f++)
        count_frame_commands(s, f);
}

/* Serves a slot that asked for what is free from `time` on. */
static void serve_slot(struct simulation *s, struct simulated_track *at, double time)
{
    if (at->shared < 0)
        execute_slot(s, at, time);
    else if (at->track->sharing == SHARING_EXCLUSIVE)
        request_unit(s, at, time);
    else
        start_shared_work(s, at, time);
}

static void simulate_slots(struct simulation *s)
{
    for (int n = 0; n < s->run->count && timeline_goes_on(s->run); n++) {
        count_arrived(s, &s->node[n]);
        if (s->node[n].thread_shared) {
            find_next_visit(s, &s->node[n]);
            expect_visit(s, &s->node[n]);
        }
    }
    while (!s->pace->stopped) {
        struct heap_item event;

        while (s->ready_count > 0 && !s->pace->stopped)
            examine_slot(s, s->ready[--s->ready_count]);
        /* slots not queued yet depend on queued ones, so none can start sooner */
        if (s->events.count == 0 || s->pace->stopped)
            break;
        event = heap_remove_first(&s->events);
        if (event.owner >= s->run->count + s->run->units)
            enqueue_visit(s, &s->node[event.owner - s->run->count - s->run->units], event.key);
        else if (event.owner >= s->run->count && event.rank == RANK_UNIT_IS_FREE)
            grant_unit(s, event.owner - s->run->count, event.key);
        else if (event.owner >= s->run->count)
            end_shared_work(s, event.owner - s->run->count, event.key);
        else
            serve_slot(s, &s->node[event.owner], event.key);
    }
}

/* Threads of one frame ------------------------------------------------------------------------- */

/* Returns true if the tracks of a single frame wait for each other only in enqueuing threads. */
static bool only_threads_shared(const struct simulation *s)
{
    for (int n = 0; n < s->run->count; n++)
        if (s->node[n].shared >= 0 || s->node[n].held[0] != NO_QUEUE ||
            s->node[n].held[1] != NO_QUEUE)
            return false;
    return s->run->frames == 1;
}

/* A track that shares its enqueuing thread, or leads to one that does. */
struct enqueuing {
    struct simulated_track *at;
    double ready;        /* when the visit of its next slot can be enqueued; HUGE_VAL: it is not
                            known, or there is none */
    const int *progress; /* slots of the predecessor for which its next slot waits */
    int awaited;         /* it waits until there are more than that */
    bool plain; /* each of its slots begins a visit of its own when that of its only predecessor has
                   ended */
    double *thread_free;
    double enqueue, delay; /* plain: of a slot that is not the last one */
};

/* Returns true if a track is plain. */
static bool is_plain(const struct simulation *s, const struct simulated_track *at)
{
    const struct track *track = at->track;
    const struct weights *weights = &track->weights;

    return at->thread_shared && s->last_in_thread[track->thread] < 0 && track->enqueue > 0 &&
           track->weight_works && track->visits == VISITS_BEGIN && track->sleep == 0 &&
           at->input_count == 1 && at->inputs->last >= track->slots - 1 &&
           (weights->slot == NULL
                ? at->first == track->slots - 1
                : at->first >= weights->first && weights->last >= track->slots - 1 &&
                      weights->count > weights->last - weights->first);
}

/* Lists them in the order of nodes; returns their number. */
static int list_enqueuing(struct simulation *s, struct enqueuing *list)
{
    bool leads[NODE_MAX] = {false};
    int count = 0;

    for (int n = s->run->count - 1; n >= 0; n--) {
        const struct simulated_track *at = &s->node[n];

        leads[n] = at->contends && (leads[n] || at->thread_shared);
        for (int i = 0; leads[n] && i < at->input_count; i++)
            leads[at->inputs[i].from->node] = true;
    }
    for (int n = 0; n < s->run->count; n++) {
        struct simulated_track *at = &s->node[n];

        if (!leads[n])
            continue;
        list[count] = (struct enqueuing){
            .at = at,
            .ready = HUGE_VAL,
            .progress = at->input_count > 0 ? &at->inputs->from->next : &at->next,
            .awaited = -1,
            .plain = is_plain(s, at),
        };
        if (at->thread_shared)
            list[count].thread_free = &s->thread_free[at->track->thread];
        if (list[count].plain) {
            list[count].awaited = at->next;
            list[count].enqueue = track_enqueue(at->track, at->next, true);
            list[count].delay = track_delay(at->track, at->next, true);
        }
        count++;
    }
    return count;
}

/* Completes the next slot of a track, which works, from `ready` on. */
static inline void work_alone(struct simulation *s, struct simulated_track *at, double ready)
{
    const int slot = at->next++;
    const double begin = larger(ready, at->free);

    at->request[slot] = ready;
    at->begin[slot] = begin;
    at->free = begin + at->end[slot];
    at->end[slot] = at->passed = larger(at->passed, at->free + at->latency);
    note_step(s, at->node, slot, STEP_WORKS);
}

/* Completes the next slot of a track, which does not work and passes `ready` on. */
static inline void pass_alone(struct simulation *s, struct simulated_track *at, double ready)
{
    const int slot = at->next++;

    at->passed = larger(ready, at->passed);
    at->request[slot] = at->begin[slot] = at->end[slot] = at->passed;
    if (at->track->kind != TRACK_LINK)
        at->free = at->passed;
    note_step(s, at->node, slot, STEP_PASSES);
}

/* Completes the next slots of a track, until one waits for a predecessor or for its thread. */
static void run_on(struct simulation *s, struct enqueuing *e)
{
    struct simulated_track *at = e->at;
    const struct track *track = at->track;

    for (e->ready = HUGE_VAL; at->next < track->slots; pace_step(s->pace, 1 + at->edges)) {
        const int slot = at->next;
        double ready;
        bool begins;

        for (; at->known_inputs < at->input_count; at->known_inputs++) {
            const struct simulation_edge *edge = &at->inputs[at->known_inputs];

            e->progress = &edge->from->next;
            e->awaited = simulation_awaited(edge, 0, slot);
            if (*e->progress <= e->awaited)
                return;
        }
        at->known_inputs = 0;
        ready = simulation_ready(s, at, 0, slot);
        if (!track_works(track, slot)) {
            pass_alone(s, at, ready);
            continue;
        }
        begins = track_begins(s->run->tracks, at->node, 0, slot);
        if (at->thread_shared && begins && track->enqueue > 0) {
            e->ready = ready;
            return;
        }
        if (at->thread_shared && !begins && track->enqueue_inside > 0)
            ready = larger(ready, at->begin[slot]);
        else if (begins && track->enqueue > 0)
            ready = at->enqueued = larger(ready, at->enqueued) + track_enqueue(track, slot, true);
        work_alone(s, at, ready + track_delay(track, slot, begins));
    }
    e->awaited = INT_MAX;
}

/* Enqueues the visit of a track's next slot and completes that. */
static void enqueue_next(struct simulation *s, struct enqueuing *e)
{
    struct simulated_track *at = e->at;

    at->next_visit = at->visit_slot = at->next;
    enqueue_kernels(s, at, e->ready);
    work_alone(s, at, at->begin[at->next] + track_delay(at->track, at->next, true));
    run_on(s, e);
}

/* The same for a plain track. */
static inline void enqueue_plain(struct simulation *s, struct enqueuing *e)
{
    struct simulated_track *at = e->at;
    const struct track *track = at->track;
    const int slot = at->next;
    const bool last = slot == track->slots - 1;
    const double enqueued =
        larger(e->ready, *e->thread_free) + (last ? track_enqueue(track, slot, true) : e->enqueue);

    *e->thread_free = enqueued;
    note_step(s, at->node, slot, STEP_ENQUEUES);
    work_alone(s, at, enqueued + e->delay);
    e->awaited = last ? INT_MAX : slot + 1;
    e->ready = *e->progress > e->awaited ? at->inputs->end[slot + 1] : HUGE_VAL;
    pace_step(s->pace, 2 + at->edges);
}

/* Runs the slots of a frame whose tracks wait for each other only in enqueuing threads: without
 * events, as each track follows its recurrence (timeline.h) from the time on at which its visit is
 * enqueued. A thread enqueues visits in the order in which they are ready, then of slots, then of
 * nodes. The first of those known to be ready is the first of all: another one waits, directly or
 * not, for a slot whose visit is known but not enqueued. That visit is ready no earlier than the
 * first, and no slot ends before its visit is ready. */
static void enqueue_by_threads(struct simulation *s)
{
    struct enqueuing list[NODE_MAX];
    const int count = list_enqueuing(s, list);
    struct enqueuing *next = list;

    for (;;) {
        struct enqueuing *first = NULL;

        for (struct enqueuing *e = list; e < list + count; e++) {
            if (e >= next && e->ready == HUGE_VAL && *e->progress > e->awaited) {
                if (e->plain)
                    e->ready = e->at->inputs->end[e->awaited];
                else
                    run_on(s, e);
            }
            if (first == NULL || e->ready < first->ready ||
                (e->ready == first->ready && e->at->next < first->at->next))
                first = e;
        }
        if (first == NULL || first->ready == HUGE_VAL || s->pace->stopped)
            break;
        next = first;
        if (next->plain)
            enqueue_plain(s, next);
        else
            enqueue_next(s, next);
    }
    for (int n = 0; n < s->run->count && !s->pace->stopped; n++)
        if (s->node[n].contends)
            run_on(s, &(struct enqueuing){.at = &s->node[n]});
}

struct simulation *contention_choose(struct timeline *timeline)
{
    timeline->simulation = &timeline->simulations[timeline->frames > 1];
    return timeline->simulation;
}

void contention_run(struct timeline *timeline)
{
    struct simulation *s = contention_choose(timeline);

    timeline->simulated = timeline->shared;
    s->known = false;
    simulation_fit(s, timeline);
    if (!timeline_goes_on(timeline))
        return;
    place_visits(s, timeline);
    timeline_find_work(timeline);
    if (!timeline->simulated) {
        timeline_start(timeline);
        for (int f = 0; f < timeline->frames && timeline_goes_on(timeline); f++)
            timeline_run_frame(timeline, f);
        return;
    }
    set_up_simulation(s, timeline);
    s->by_threads = only_threads_shared(s);
    if (s->by_threads)
        enqueue_by_threads(s);
    else
        simulate_slots(s);
    contention_end(timeline);
}
