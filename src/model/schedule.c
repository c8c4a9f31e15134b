#include "model/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "model/critical.h"
#include "model/stage.h"

int schedule_packets(const struct result *result)
{
    return result->work->timeline.packets;
}

static void fill_camera(const struct track *track, int packets, struct schedule_slot *slot)
{
    for (int i = 0; i < packets; i++) {
        double start = i == 0 ? 0 : track_end(track, i - 1, packets);

        slot[i] = (struct schedule_slot){.works = true, .end = track_end(track, i, packets)};
        slot[i].ready = slot[i].from = slot[i].start = start;
        slot[i].busy = track->readout / packets;
    }
}

static double duration_of(const struct timeline *timeline, const struct track *track, int slot)
{
    int packets = timeline->packets;

    return track_duration(track, slot, packets) *
           track_scale(track, timeline->frames - 1, slot, packets);
}

static void fill_slot(const struct timeline *timeline, int node, int i, struct schedule_slot *slot)
{
    const struct track *track = &timeline->tracks[node];
    struct slot_cause cause = critical_cause(timeline, node, i);
    double end = track_end(track, i, timeline->packets);

    *slot = (struct schedule_slot){.works = track_works(track, i, timeline->packets)};
    slot->end = end;
    slot->ready = smaller(end, cause.ready);
    slot->from = smaller(end, critical_cause_from(&cause));
    slot->start = larger(slot->from, smaller(end, slot->works ? cause.begin : end));
    slot->wait = critical_wait(timeline, node, i, slot->from, slot->start, end);
    slot->busy = slot->works ? duration_of(timeline, track, i) : 0;
}

static double last_command(const struct timeline *timeline)
{
    double last = 0;

    for (int n = 0; n < timeline->count; n++)
        if (timeline->tracks[n].command)
            last = larger(last, timeline->tracks[n].last);
    return last;
}

static void fill_deferred(const struct timeline *timeline, const struct track *track,
                          struct schedule_slot *slot)
{
    bool several = timeline->frames > 1;
    int packets = timeline->packets;
    double stretch = track_scale(track, timeline->frames - 1, packets, packets);
    double busy = (track->deferred + track->deferred_fixed) * stretch;

    *slot = (struct schedule_slot){.ready = last_command(timeline)};
    slot->from = slot->start = slot->end = larger(slot->ready, track->last);
    if (busy <= 0 || !(several || timeline->sharing == SHARING_PARTITION))
        return;
    slot->works = true;
    slot->busy = busy;
    slot->end = slot->start + busy;
    if (several) {
        slot->start = larger(slot->from, track->begin[packets] - track->origin);
        slot->end = larger(slot->start, track->deferred_end);
        slot->wait = larger(0, slot->end - slot->from - busy);
    }
}

/* The slots of a node that are on the critical path. */
static void mark_path(const struct result *result, int node, struct schedule_slot *slot)
{
    const struct timeline *timeline = &result->work->timeline;
    bool passes = false;
    struct path_cursor cursor;
    struct path_slot at;

    for (int i = 0; i < result->path_count; i++)
        passes = passes || result->path[i].node == node;
    if (!passes)
        return;
    cursor =
        critical_path_end(timeline, result->path[result->path_count - 1].node, result->last_pixel);
    while (critical_path_back(&cursor, &at)) {
        struct schedule_slot *on = &slot[at.slot];

        if (at.node != node)
            continue;
        on->critical = on->works || at.to > at.from;
        on->path_wait = at.wait;
        on->path_busy = at.to - at.from - at.wait;
    }
}

void schedule_read_node(const struct result *result, int node, struct schedule_slot *slot)
{
    const struct timeline *timeline = &result->work->timeline;
    const struct track *track = &timeline->tracks[node];

    if (track->kind == TRACK_CAMERA)
        fill_camera(track, timeline->packets, slot);
    else
        for (int i = 0; i < timeline->packets; i++)
            fill_slot(timeline, node, i, &slot[i]);
    fill_deferred(timeline, track, &slot[timeline->packets]);
    mark_path(result, node, slot);
}

int schedule_divisor(const struct result *result, int node)
{
    return result->work->track[node].divisor;
}

int schedule_links(const struct result *result, int node, int link[2])
{
    const struct plan *plan = &result->work->plan;
    int count = 0;

    for (int i = 0; i < 2; i++) {
        int queue = plan->node[node].queue[i];

        if (queue == NO_QUEUE)
            continue;
        link[count] = 0;
        for (int q = 0; q < queue; q++)
            link[count] += plan->queue_users[q] > 0;
        count++;
    }
    return count;
}

/* Lanes ---------------------------------------------------------------------------------------- */

/* Taking -------------------------------------------------------------------------------------- */

/* Shorter waits are what rounding leaves. */
#define SHORTEST_WAIT 1e-12 /* s */

static bool is_kept(const struct schedule_slot *slot)
{
    return slot->works || slot->wait > SHORTEST_WAIT;
}

static void take_node(struct schedule *lanes, const struct result *result, int n,
                      const struct schedule_slot *slot)
{
    const struct node_result *from = &result->node[n];
    struct schedule_node *node = &lanes->node[n];

    *node = (struct schedule_node){.bound = from->bound,
                                   .device = from->device,
                                   .inserted = from->component < 0,
                                   .divisor = schedule_divisor(result, n),
                                   .slack = from->slack,
                                   .first = lanes->slot_count};
    snprintf(node->name, sizeof node->name, "%s", from->name);
    node->links = schedule_links(result, n, node->link);
    for (int i = 0; i <= lanes->packets && !node_is_whole(from); i++) {
        if (!is_kept(&slot[i]))
            continue;
        lanes->slot[lanes->slot_count++] = (struct schedule_entry){slot[i], n, i};
        lanes->end = larger(lanes->end, slot[i].end);
    }
    node->count = lanes->slot_count - node->first;
}

static bool take_slots(struct schedule *lanes, const struct result *result,
                       struct schedule_slot *slot)
{
    for (int n = 0; n < result->node_count; n++) {
        size_t most = (size_t)(lanes->slot_count + lanes->packets + 1);
        struct schedule_entry *larger_array = realloc(lanes->slot, most * sizeof *lanes->slot);

        if (larger_array == NULL)
            return false;
        lanes->slot = larger_array;
        schedule_read_node(result, n, slot);
        take_node(lanes, result, n, slot);
    }
    return true;
}

/* Lanes --------------------------------------------------------------------------------------- */

static void add_lane(struct schedule *lanes, enum row_order by, struct schedule_row lane,
                     const char *name)
{
    struct schedule_row *to = &lanes->lane[by][lanes->count[by]];

    *to = lane;
    snprintf(to->name, sizeof to->name, "%s", name);
    for (int n = 0; n < lanes->node_count; n++)
        if (lanes->node[n].count > 0 && schedule_row_holds(to, lanes, n)) {
            lanes->count[by]++;
            return;
        }
}

/* Of devices and links, and before and behind them of what is on neither: sensors, mirrors. */
static void add_lanes(struct schedule *lanes, const struct scenario *scenario,
                      const struct result *result)
{
    for (int n = 0; n < lanes->node_count; n++)
        add_lane(lanes, ROWS_BY_COMPONENT,
                 (struct schedule_row){.node = n, .device = -1, .link = -1}, lanes->node[n].name);
    for (int cameras = 1; cameras >= 0; cameras--) {
        for (int n = 0; n < lanes->node_count; n++)
            if (lanes->node[n].device < 0 && lanes->node[n].links == 0 &&
                (result->node[n].type == COMPONENT_CAMERA) == (cameras == 1))
                add_lane(lanes, ROWS_BY_DEVICE,
                         (struct schedule_row){.node = n, .device = -1, .link = -1},
                         lanes->node[n].name);
        for (int d = 0; cameras == 1 && d < scenario->device_count; d++)
            add_lane(lanes, ROWS_BY_DEVICE,
                     (struct schedule_row){.node = -1, .device = d, .link = -1},
                     scenario->device[d].head.name);
        for (int l = 0; cameras == 1 && l < result->link_count; l++)
            add_lane(lanes, ROWS_BY_DEVICE,
                     (struct schedule_row){.node = -1, .device = -1, .link = l},
                     result->link[l].name);
    }
}

bool schedule_row_holds(const struct schedule_row *lane, const struct schedule *lanes, int n)
{
    const struct schedule_node *node = &lanes->node[n];

    if (lane->node >= 0)
        return n == lane->node;
    if (lane->device >= 0)
        return node->device == lane->device;
    for (int i = 0; i < node->links; i++)
        if (node->link[i] == lane->link)
            return true;
    return false;
}

static bool allocate(struct schedule *lanes, const struct scenario *scenario,
                     const struct result *result)
{
    size_t nodes = (size_t)(result->node_count > 0 ? result->node_count : 1);
    size_t places = nodes + (size_t)(scenario->device_count + result->link_count);

    lanes->node = calloc(nodes, sizeof *lanes->node);
    lanes->lane[ROWS_BY_COMPONENT] = calloc(nodes, sizeof **lanes->lane);
    lanes->lane[ROWS_BY_DEVICE] = calloc(places, sizeof **lanes->lane);
    return lanes->node != NULL && lanes->lane[ROWS_BY_COMPONENT] != NULL &&
           lanes->lane[ROWS_BY_DEVICE] != NULL;
}

enum status schedule_capture(struct schedule *lanes, const struct scenario *scenario,
                             const struct result *result, struct error *error)
{
    int packets = schedule_packets(result);
    struct schedule_slot *slot = malloc((size_t)(packets + 1) * sizeof *slot);
    bool good;

    schedule_free(lanes);
    lanes->packets = packets;
    lanes->period = result->frame_period;
    lanes->last_pixel = result->last_pixel;
    lanes->command = result->first_pixel;
    lanes->target = result->target;
    lanes->latency = result->latency;
    lanes->overloaded = result->overloaded;
    good = slot != NULL && allocate(lanes, scenario, result);
    if (good) {
        lanes->node_count = result->node_count;
        good = take_slots(lanes, result, slot);
    }
    free(slot);
    if (!good) {
        schedule_free(lanes);
        return error_set(error, STATUS_MEMORY, "there is not enough memory for the timeline");
    }
    add_lanes(lanes, scenario, result);
    return STATUS_OK;
}

void schedule_free(struct schedule *lanes)
{
    free(lanes->node);
    free(lanes->slot);
    for (int by = 0; by < ROW_ORDERS; by++)
        free(lanes->lane[by]);
    *lanes = (struct schedule){0};
}

/* Finding ------------------------------------------------------------------------------------- */

/* In the order of their starts; of those that start at once by number. */
static bool is_before(const struct schedule *lanes, int a, int b)
{
    double start = lanes->slot[a].did.start;
    double other = lanes->slot[b].did.start;

    return start < other || (start == other && a < b);
}

int schedule_next_slot(const struct schedule *lanes, const struct schedule_row *lane, int slot,
                       int by)
{
    int found = -1;

    for (int n = 0; n < lanes->node_count; n++) {
        const struct schedule_node *node = &lanes->node[n];

        for (int i = node->first;
             i < node->first + node->count && schedule_row_holds(lane, lanes, n); i++) {
            bool ahead =
                slot < 0 || (by > 0 ? is_before(lanes, slot, i) : is_before(lanes, i, slot));

            if (ahead &&
                (found < 0 || (by > 0 ? is_before(lanes, i, found) : is_before(lanes, found, i))))
                found = i;
        }
    }
    return found;
}

int schedule_nearest_slot(const struct schedule *lanes, const struct schedule_row *lane,
                          double time)
{
    int found = -1;
    double least = 0;

    for (int n = 0; n < lanes->node_count; n++) {
        const struct schedule_node *node = &lanes->node[n];

        for (int i = node->first;
             i < node->first + node->count && schedule_row_holds(lane, lanes, n); i++) {
            const struct schedule_slot *did = &lanes->slot[i].did;
            double away = larger(0, larger(did->from - time, time - did->end));

            /* what works is nearer than what waits at the time */
            away += time < did->start ? 1e-6 * lanes->period : 0;
            if (found < 0 || away < least) {
                found = i;
                least = away;
            }
        }
    }
    return found;
}

int schedule_find_slot(const struct schedule *lanes, int n, int number)
{
    const struct schedule_node *node = &lanes->node[n];
    int found = -1;

    for (int i = node->first; i < node->first + node->count; i++)
        if (found < 0 ||
            abs(lanes->slot[i].number - number) < abs(lanes->slot[found].number - number))
            found = i;
    return found;
}

bool schedule_visible_frames(const struct schedule *lanes, int n, double from, double to,
                             int *first, int *last)
{
    const struct schedule_node *node = &lanes->node[n];
    double begins = 0;
    double ends = 0;

    if (node->count == 0)
        return false;
    begins = lanes->slot[node->first].did.from;
    ends = lanes->slot[node->first + node->count - 1].did.end;
    *first = (int)larger(-SCHEDULE_FRAMES,
                         ceil(larger(-SCHEDULE_FRAMES, (from - ends) / lanes->period)));
    *last = (int)smaller(SCHEDULE_FRAMES,
                         floor(smaller(SCHEDULE_FRAMES, (to - begins) / lanes->period)));
    return *first <= *last;
}
