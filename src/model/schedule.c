#include "model/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/number.h"
#include "model/critical.h"
#include "model/stage.h"

/* Slots of a node ------------------------------------------------------------------------------ */

static void read_camera_slots(const struct track *track, int packets, struct schedule_slot *slot)
{
    double step = track->readout / packets;

    for (int i = 0; i < packets; i++) {
        slot[i] = (struct schedule_slot){.works = true, .busy = step};
        slot[i].ready = slot[i].from = slot[i].start = i * step;
        slot[i].end = i < track->slots ? track_end(track, i) : (i + 1) * step;
    }
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
        read_camera_slots(track, timeline->packets, slot);
    else
        for (int i = 0; i < timeline->packets; i++) {
            slot[i] = (struct schedule_slot){0};
            if (i < track->slots)
                read_slot(timeline, node, i, &slot[i]);
            else
                slot[i].ready = slot[i].from = slot[i].start = slot[i].end = track->last;
        }
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

/* Copies a node and its slots that work or wait; there must be room for them. */
static void copy_node(struct schedule *schedule, const struct result *result, int n,
                      const struct schedule_slot *slot)
{
    const struct node_result *from = &result->node[n];
    struct schedule_node *node = &schedule->node[n];

    *node = (struct schedule_node){.bound = slot_bound(from),
                                   .device = from->device,
                                   .inserted = from->component < 0,
                                   .divisor = (int)from->divisor,
                                   .slack = result_slack(result, n),
                                   .first = schedule->slot_count};
    snprintf(node->name, sizeof node->name, "%s", from->name);
    node->links = find_links(result->work, n, node->link);
    for (int i = 0; i <= schedule->packets && !node_is_whole(from); i++) {
        if (!slot[i].works && slot[i].wait <= SHORTEST_WAIT)
            continue;
        schedule->slot[schedule->slot_count++] = (struct schedule_entry){slot[i], n, i};
        schedule->end = larger(schedule->end, slot[i].end);
    }
    node->count = schedule->slot_count - node->first;
}

/* Copies all nodes; returns false if memory runs out. */
static bool copy_nodes(struct schedule *schedule, const struct result *result)
{
    size_t slots = (size_t)schedule->packets + 1;
    struct schedule_slot *slot = allocate(slots * sizeof *slot);
    bool good = slot != NULL;

    schedule->node_count = result->node_count;
    for (int n = 0; n < result->node_count && good; n++) {
        size_t most = (size_t)schedule->slot_count + slots;
        struct schedule_entry *more = allocate_again(schedule->slot, most * sizeof *more);

        good = more != NULL;
        if (good) {
            schedule->slot = more;
            schedule_read_node(result, n, slot);
            copy_node(schedule, result, n, slot);
        }
    }
    free(slot);
    return good;
}

/* Adds a row unless it is empty. */
static void add_schedule_row(struct schedule *schedule, enum row_order by, struct schedule_row row,
                             const char *name)
{
    struct schedule_row *to = &schedule->lane[by][schedule->count[by]];

    *to = row;
    snprintf(to->name, sizeof to->name, "%s", name);
    for (int n = 0; n < schedule->node_count; n++)
        if (schedule->node[n].count > 0 && schedule_row_holds(to, schedule, n)) {
            schedule->count[by]++;
            return;
        }
}

static void add_schedule_node(struct schedule *schedule, enum row_order by, int node)
{
    add_schedule_row(schedule, by, (struct schedule_row){.node = node, .device = -1, .link = -1},
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
    for (int n = 0; n < schedule->node_count; n++)
        add_schedule_node(schedule, ROWS_BY_COMPONENT, n);
    add_outside_rows(schedule, result, true);
    for (int d = 0; d < scenario->device_count; d++)
        add_schedule_row(schedule, ROWS_BY_DEVICE,
                         (struct schedule_row){.node = -1, .device = d, .link = -1},
                         scenario->device[d].head.name);
    for (int l = 0; l < result->link_count; l++)
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
    if (schedule->node == NULL || schedule->lane[ROWS_BY_COMPONENT] == NULL ||
        schedule->lane[ROWS_BY_DEVICE] == NULL || !copy_nodes(schedule, result)) {
        schedule_free(schedule);
        return error_set(error, STATUS_MEMORY, "out of memory for the timeline");
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

    for (int i = 0; i < schedule->slot_count; i++)
        if ((slot < 0 || comes_before(schedule, slot, i, by)) &&
            (found < 0 || comes_before(schedule, i, found, by)) &&
            schedule_row_holds(row, schedule, schedule->slot[i].node))
            found = i;
    return found;
}

int schedule_nearest_slot(const struct schedule *schedule, const struct schedule_row *row,
                          double time)
{
    int found = -1;
    double least = 0;

    for (int i = 0; i < schedule->slot_count; i++) {
        const struct schedule_slot *did = &schedule->slot[i].did;
        double away = larger(0, larger(did->from - time, time - did->end));

        /* prefer a working slot to one that waits at that time */
        away += time < did->start ? 1e-6 * schedule->period : 0;
        if ((found < 0 || away < least) &&
            schedule_row_holds(row, schedule, schedule->slot[i].node)) {
            found = i;
            least = away;
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
