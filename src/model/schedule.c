#include "model/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "model/critical.h"
#include "model/outcome.h"
#include "model/stage.h"

/* Slots of a node ------------------------------------------------------------------------------ */

static void read_camera_slot(const struct track *track, int packets, int i,
                             struct schedule_slot *slot)
{
    double to = camera_time(track, i, packets);

    *slot = (struct schedule_slot){.works = true};
    slot->ready = slot->from = slot->start = camera_time(track, i - 1, packets);
    slot->busy = track->when == NULL ? track->readout / packets : to - slot->start;
    slot->end = larger(slot->start, i < track->slots ? track_end(track, i) : to);
}

static double scaled_duration(const struct timeline *timeline, const struct track *track, int slot)
{
    return track_duration(track, slot) *
           track_scale(track, timeline->report, slot, timeline->packets);
}

static void read_slot(const struct timeline *timeline, int node, int i, struct schedule_slot *slot)
{
    const struct track *track = &timeline->tracks[node];
    struct slot_cause cause = critical_cause(timeline, node, i);
    double end = track_end(track, i);

    pace_step(timeline->pace, 1 + track->before_count);
    *slot = (struct schedule_slot){.works = track_works(track, i)};
    slot->end = end;
    slot->ready = smaller(end, cause.ready);
    slot->from = smaller(end, critical_cause_from(&cause));
    slot->start = larger(slot->from, smaller(end, slot->works ? cause.begin : end));
    slot->wait = slot->works ? critical_wait(timeline, node, i, &cause, end) : 0;
    slot->busy = slot->works ? scaled_duration(timeline, track, i) : 0;
}

static void read_deferred_slot(const struct result *result, const struct track *track,
                               struct schedule_slot *slot)
{
    const struct timeline *timeline = &result->work->timeline;
    bool several = timeline->frames > 1;
    int packets = timeline->packets;
    double stretch = track_scale(track, timeline->report, packets, packets);
    double busy = (track->deferred + track->deferred_fixed) * stretch;

    *slot = (struct schedule_slot){.ready = result->first_pixel};
    slot->from = slot->start = slot->end = larger(slot->ready, track->last);
    if (busy <= 0 || !(several || track->sharing == SHARING_PARTITION))
        return;
    slot->works = true;
    slot->busy = busy;
    slot->end = slot->start + busy;
    if (several && track->begin != NULL) {
        slot->start = larger(slot->from, track->begin[packets] - track->origin);
        slot->end = larger(slot->start, track->deferred_end);
        slot->wait = larger(0, slot->end - slot->from - busy);
    }
}

/* Marks the slots of a node on the critical path. */
static void mark_path(const struct result *result, int node, struct schedule_slot *slot)
{
    const struct path_step *step = result->path;
    const struct path_step *end = result->path + result->path_count;
    struct path_cursor cursor;
    struct path_slot at;

    while (step < end && step->node != node)
        step++;
    if (step == end)
        return;
    cursor = (struct path_cursor){&result->work->timeline, result->last_pixel, node, step->last,
                                  step->to};
    while (critical_path_back(&cursor, &at) && at.node == node) {
        struct schedule_slot *on = &slot[at.slot];

        on->critical = on->works || at.to > at.from;
        on->path_wait = at.wait;
        on->path_busy = at.to - at.from - at.wait;
    }
}

/* Returns the agenda of the sensors of a node if they all have the same number of packets and a
 * frame has more slots, else NULL. */
static const struct agenda_key *own_packets(const struct result *result, int n)
{
    const struct workspace *work = result->work;
    const struct plan_node *node =
        &work->plan.node[plan_node_is_whole(&work->plan.node[n]) ? n + 1 : n];
    const struct agenda_key *found = NULL;

    for (int c = 0; c < work->plan.component_count; c++) {
        const struct plan_component *component = &work->plan.component[c];
        const struct agenda_key *key;

        if (component->type != COMPONENT_CAMERA || component->wfs < 0 ||
            (c != node->component && (node->behind >> c & 1) == 0))
            continue;
        key = &work->agenda[component->wfs].key;
        if (found != NULL && key->packets != found->packets)
            return NULL;
        found = key;
    }
    return found != NULL && found->packets < found->slots ? found : NULL;
}

int schedule_packets(const struct result *result, int node)
{
    const struct agenda_key *key = own_packets(result, node);

    return key == NULL ? result->work->timeline.packets : (int)key->packets;
}

int schedule_packet_slot(const struct result *result, int node, int packet)
{
    const struct agenda_key *key = own_packets(result, node);

    return key == NULL ? packet : (int)readout_slot(key, packet);
}

double schedule_work(const struct result *result, int node, int slot)
{
    const struct weights *weights = &result->work->stage[node].weights;

    if (slot < weights->first || slot > weights->last)
        return 0;
    return weights->slot == NULL ? 1 : weights->slot[slot];
}

void schedule_read_packet(const struct result *result, int node, int number,
                          struct schedule_slot *slot)
{
    const struct timeline *timeline = &result->work->timeline;
    const struct track *track = &timeline->tracks[node];

    *slot = (struct schedule_slot){.end = track->last};
    if (track->kind == TRACK_CAMERA)
        read_camera_slot(track, timeline->packets, number, slot);
    else if (number < track->slots)
        read_slot(timeline, node, number, slot);
    else
        slot->ready = slot->from = slot->start = slot->end;
}

void schedule_read_node(const struct result *result, int node, struct schedule_slot *slot)
{
    const struct timeline *timeline = &result->work->timeline;
    const struct track *track = &timeline->tracks[node];

    for (int i = 0; i < timeline->packets && pace_step(timeline->pace, 1); i++)
        schedule_read_packet(result, node, i, &slot[i]);
    read_deferred_slot(result, track, &slot[timeline->packets]);
    mark_path(result, node, slot);
}

/* The schedule --------------------------------------------------------------------------------- */

#define SHORTEST_WAIT 1e-12 /* s; shorter ones are rounding errors */

/* Finds the links of a node by index in the result; returns their number. */
static int find_links(const struct workspace *work, int node, int link[2])
{
    int count = 0;

    for (int i = 0; i < 2; i++) {
        int queue = work->plan.node[node].queue[i];

        if (queue == NO_QUEUE)
            continue;
        link[count++] = work->link_number[queue];
    }
    return count;
}

/* Returns what binds the busy time of a node's slots: a link holds its wire. */
static enum bound slot_bound(const struct node_result *node)
{
    if (node->type == COMPONENT_CAMERA)
        return BOUND_READOUT;
    return node->device >= 0 || node_is_whole(node) ? node->bound : BOUND_LINK;
}

/* Returns true if no slot begins or ends before the one before it. */
static bool in_order(const struct schedule *schedule, const struct schedule_node *node)
{
    const struct schedule_entry *slot = &schedule->slot[node->first];

    for (int i = 1; i < node->count; i++)
        if (slot[i].did.from < slot[i - 1].did.from || slot[i].did.end < slot[i - 1].did.end)
            return false;
    return true;
}

/* Copies a node and its slots that work or wait; there must be room for them. */
static void copy_node(struct schedule *schedule, const struct result *result, int n,
                      const struct schedule_slot *slot)
{
    const struct node_result *from = &result->node[n];
    const struct agenda_key *key = own_packets(result, n);
    struct schedule_node *node = &schedule->node[n];

    *node = (struct schedule_node){.bound = slot_bound(from),
                                   .device = from->device,
                                   .inserted = from->component < 0,
                                   .divisor = (int)from->divisor,
                                   .packets = key == NULL ? schedule->packets : (int)key->packets,
                                   .slack = result_slack(result, n),
                                   .first = schedule->slot_count};
    snprintf(node->name, sizeof node->name, "%s", from->name);
    node->links = find_links(result->work, n, node->link);
    for (int i = 0; i <= schedule->packets && !node_is_whole(from); i++) {
        int number = i;

        if (!slot[i].works && slot[i].wait <= SHORTEST_WAIT)
            continue;
        if (key != NULL && i < schedule->packets) {
            number = (int)readout_last_packet(key, i);
            if (number < 0 || readout_slot(key, number) != i)
                continue;
        }
        schedule->slot[schedule->slot_count++] = (struct schedule_entry){slot[i], n, number};
        schedule->end = larger(schedule->end, slot[i].end);
    }
    node->count = schedule->slot_count - node->first;
    node->ordered = in_order(schedule, node);
}

static void copy_nodes(struct schedule *schedule, const struct result *result)
{
    size_t slots = (size_t)schedule->packets + 1;
    struct schedule_slot *slot = allocate(slots * sizeof *slot);

    schedule->node_count = result->node_count;
    for (int n = 0; n < result->node_count && timeline_goes_on(&result->work->timeline); n++) {
        size_t most = (size_t)schedule->slot_count + slots;

        schedule->slot = allocate_again(schedule->slot, most * sizeof *schedule->slot);
        schedule_read_node(result, n, slot);
        copy_node(schedule, result, n, slot);
    }
    free(slot);
}

static void add_schedule_row(struct schedule *schedule, enum row_order by, struct schedule_row row,
                             const char *name)
{
    struct schedule_row *to = &schedule->lane[by][schedule->count[by]++];

    *to = row;
    snprintf(to->name, sizeof to->name, "%s", name);
}

/* Adds a row for a node unless it is empty. */
static void add_schedule_node(struct schedule *schedule, enum row_order by, int node)
{
    if (schedule->node[node].count > 0)
        add_schedule_row(schedule, by,
                         (struct schedule_row){.node = node, .device = -1, .link = -1},
                         schedule->node[node].name);
}

/* Adds rows for nodes without device and link: sensors or, if `cameras` is false, mirrors. */
static void add_outside_rows(struct schedule *schedule, const struct result *result, bool cameras)
{
    for (int n = 0; n < schedule->node_count; n++)
        if (schedule->node[n].device < 0 && schedule->node[n].links == 0 &&
            (result->node[n].type == COMPONENT_CAMERA) == cameras)
            add_schedule_node(schedule, ROWS_BY_DEVICE, n);
}

static void add_rows(struct schedule *schedule, const struct scenario *scenario,
                     const struct result *result)
{
    bool device_used[DEVICE_MAX] = {false};
    bool link_used[LINK_RESULT_MAX] = {false};

    for (int n = 0; n < schedule->node_count; n++) {
        const struct schedule_node *node = &schedule->node[n];

        add_schedule_node(schedule, ROWS_BY_COMPONENT, n);
        if (node->count > 0 && node->device >= 0)
            device_used[node->device] = true;
        for (int i = 0; i < node->links && node->count > 0; i++)
            link_used[node->link[i]] = true;
    }
    add_outside_rows(schedule, result, true);
    for (int d = 0; d < scenario->device_count; d++)
        if (device_used[d])
            add_schedule_row(schedule, ROWS_BY_DEVICE,
                             (struct schedule_row){.node = -1, .device = d, .link = -1},
                             scenario->device[d].head.name);
    for (int l = 0; l < result->link_count; l++)
        if (link_used[l])
            add_schedule_row(schedule, ROWS_BY_DEVICE,
                             (struct schedule_row){.node = -1, .device = -1, .link = l},
                             result->link[l].name);
    add_outside_rows(schedule, result, false);
}

enum status schedule_capture(struct schedule *schedule, const struct scenario *scenario,
                             const struct result *result, struct error *error)
{
    size_t nodes = (size_t)result->node_count;
    size_t rows = nodes + (size_t)(scenario->device_count + result->link_count);

    schedule_free(schedule);
    schedule->packets = result->work->timeline.packets;
    schedule->period = result->frame_period;
    schedule->last_pixel = result->last_pixel;
    schedule->command = result->first_pixel;
    schedule->target = result->target;
    schedule->latency = result->latency;
    schedule->overloaded = result->overloaded;
    schedule->node = allocate_array(nodes + 1, sizeof *schedule->node);
    schedule->lane[ROWS_BY_COMPONENT] = allocate_array(nodes + 1, sizeof **schedule->lane);
    schedule->lane[ROWS_BY_DEVICE] = allocate_array(rows + 1, sizeof **schedule->lane);
    copy_nodes(schedule, result);
    if (!timeline_goes_on(&result->work->timeline)) {
        schedule_free(schedule);
        return error_set(error, STATUS_STOPPED, "stopped");
    }
    add_rows(schedule, scenario, result);
    return STATUS_OK;
}

void schedule_free(struct schedule *schedule)
{
    free(schedule->node);
    free(schedule->slot);
    for (int by = 0; by < ROW_ORDERS; by++)
        free(schedule->lane[by]);
    *schedule = (struct schedule){0};
}

/* Finding -------------------------------------------------------------------------------------- */

bool schedule_row_holds(const struct schedule_row *row, const struct schedule *schedule, int n)
{
    const struct schedule_node *node = &schedule->node[n];

    if (row->node >= 0)
        return n == row->node;
    if (row->device >= 0)
        return node->device == row->device;
    for (int i = 0; i < node->links; i++)
        if (node->link[i] == row->link)
            return true;
    return false;
}

/* Orders slots by start; slots with the same start by number. */
static bool starts_before(const struct schedule *schedule, int a, int b)
{
    double start = schedule->slot[a].did.start;
    double other = schedule->slot[b].did.start;

    return start < other || (start == other && a < b);
}

/* Returns starts_before, or the reverse order if `by` is negative. */
static bool comes_before(const struct schedule *schedule, int a, int b, int by)
{
    return by > 0 ? starts_before(schedule, a, b) : starts_before(schedule, b, a);
}

int schedule_next_slot(const struct schedule *schedule, const struct schedule_row *row, int slot,
                       int by)
{
    int found = -1;

    for (int n = 0; n < schedule->node_count; n++) {
        const struct schedule_node *node = &schedule->node[n];
        int count = schedule_row_holds(row, schedule, n) ? node->count : 0;

        for (int i = node->first; i < node->first + count; i++)
            if ((slot < 0 || comes_before(schedule, slot, i, by)) &&
                (found < 0 || comes_before(schedule, i, found, by)))
                found = i;
    }
    return found;
}

int schedule_nearest_slot(const struct schedule *schedule, const struct schedule_row *row,
                          double time)
{
    int found = -1;
    double least = 0;

    for (int n = 0; n < schedule->node_count; n++) {
        const struct schedule_node *node = &schedule->node[n];
        int count = schedule_row_holds(row, schedule, n) ? node->count : 0;

        for (int i = node->first; i < node->first + count; i++) {
            const struct schedule_slot *did = &schedule->slot[i].did;
            double away = larger(0, larger(did->from - time, time - did->end));

            /* prefer a working slot to one that waits at that time */
            away += time < did->start ? 1e-6 * schedule->period : 0;
            if (found < 0 || away < least) {
                found = i;
                least = away;
            }
        }
    }
    return found;
}

int schedule_find_slot(const struct schedule *schedule, int n, int number)
{
    const struct schedule_node *node = &schedule->node[n];
    int found = -1;

    for (int i = node->first; i < node->first + node->count; i++)
        if (found < 0 ||
            abs(schedule->slot[i].number - number) < abs(schedule->slot[found].number - number))
            found = i;
    return found;
}

void schedule_visible_slots(const struct schedule *schedule, int n, double from, double to,
                            int *first, int *end)
{
    const struct schedule_node *node = &schedule->node[n];
    const int last = node->first + node->count;
    int low = node->first;
    int high = last;

    *first = low;
    *end = high;
    if (!node->ordered)
        return;
    while (low < high) { /* the first that ends at `from` or later */
        int middle = (low + high) / 2;

        if (schedule->slot[middle].did.end >= from)
            high = middle;
        else
            low = middle + 1;
    }
    *first = low > node->first ? low - 1 : low;
    high = last;
    while (low < high) { /* the first that begins after `to` */
        int middle = (low + high) / 2;

        if (schedule->slot[middle].did.from > to)
            high = middle;
        else
            low = middle + 1;
    }
    *end = low;
}

bool schedule_visible_frames(const struct schedule *schedule, int n, double from, double to,
                             int *first, int *last)
{
    const struct schedule_node *node = &schedule->node[n];
    double begins, ends;

    if (node->count == 0)
        return false;
    begins = schedule->slot[node->first].did.from;
    ends = schedule->slot[node->first + node->count - 1].did.end;
    *first = (int)ceil(
        smaller(SCHEDULE_FRAMES + 1.0, larger(-SCHEDULE_FRAMES, (from - ends) / schedule->period)));
    *last = (int)floor(
        larger(-SCHEDULE_FRAMES - 1.0, smaller(SCHEDULE_FRAMES, (to - begins) / schedule->period)));
    return *first <= *last;
}
