#include "reference_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum state { IDLE, IN_LINE, FIXED, WORKING };

struct actor {
    enum state state;
    int next;        /* slot of all frames */
    int next_thread; /* slot of all frames that is enqueued next */
    double free;     /* from then on its next slot may begin */
    double passed;   /* end of the slot before */
    double until;    /* of the fixed time, or of the work at the rates of the moment */
    double left;     /* s of the whole device */
    double rate;
};

struct world {
    const struct reference_design *design;
    struct reference_run *run;
    double now;
    struct actor *actor;
    double queue_until[REFERENCE_QUEUES];
    double *line_until; /* of nodes that take turns: that of the first */
    double thread_until[DEVICE_MAX][DEVICE_COUNT_MAX];
};

/* The design ----------------------------------------------------------------------------------- */

static bool on_device(const struct reference_node *node)
{
    return node->kind == REFERENCE_COMPUTE && node->at.device >= 0;
}

/* Whether a node gets its data by a hand-over between processes. */
static bool is_handed_over(const struct reference_design *design, int n)
{
    const struct scenario *s = design->scenario;
    const struct reference_plan *plan = &design->plan;
    const struct reference_node *node = &plan->node[n];
    int host = reference_host(s, node->at.device);

    for (int i = 0; i < node->before_count; i++) {
        const struct reference_node *from = &plan->node[node->before[i]];

        while (from->component < 0 && from->kind != REFERENCE_NETWORK)
            from = &plan->node[from->before[0]];
        if (from->kind == REFERENCE_CAMERA || from->kind == REFERENCE_NETWORK)
            return true;
        if (on_device(from) && reference_host(s, from->at.device) == host &&
            strcmp(s->component[from->component].process, s->component[node->component].process) !=
                0)
            return true;
    }
    return false;
}

static void mark_commands(struct reference_design *design)
{
    const struct reference_plan *plan = &design->plan;
    bool mirrors = false;

    for (int n = 0; n < plan->count; n++)
        mirrors = mirrors || plan->node[n].type == COMPONENT_DM;
    for (int n = 0; n < plan->count; n++) {
        design->command[n] = mirrors ? plan->node[n].type == COMPONENT_DM : true;
        for (int b = 0; b < plan->count && !mirrors; b++)
            for (int i = 0; i < plan->node[b].before_count; i++)
                if (plan->node[b].before[i] == n)
                    design->command[n] = false;
    }
}

void reference_design_make(const struct scenario *scenario, struct reference_design *design)
{
    struct reference_plan *plan = &design->plan;
    size_t count;

    *design = (struct reference_design){.scenario = scenario};
    reference_plan_make(scenario, plan);
    count = (size_t)plan->count;
    design->work = calloc(count, sizeof *design->work);
    design->link = calloc(count, sizeof *design->link);
    design->camera = calloc(count, sizeof *design->camera);
    design->command = calloc(count, sizeof *design->command);
    design->path = calloc(count, sizeof *design->path);
    design->sleep = calloc(count, sizeof *design->sleep);
    for (int n = 0; n < plan->count; n++) {
        const struct reference_node *node = &plan->node[n];

        design->sleep[n] = calloc((size_t)plan->packets, sizeof *design->sleep[n]);
        if (node->kind == REFERENCE_CAMERA) {
            reference_camera_make(scenario, plan, n, &design->camera[n]);
            design->path[n] = 1;
        } else if (on_device(node)) {
            design->work[n] = reference_work(scenario, plan, n);
            if (is_handed_over(design, n))
                design->work[n].handover =
                    reference_handover(scenario, reference_host(scenario, node->at.device));
        } else {
            reference_link_make(scenario, plan, n, &design->link[n]);
        }
        for (int i = 0; i < node->before_count; i++)
            if (design->path[node->before[i]] > 0 &&
                design->path[node->before[i]] + 1 > design->path[n])
                design->path[n] = design->path[node->before[i]] + 1;
    }
    mark_commands(design);
}

void reference_design_free(struct reference_design *design)
{
    for (int n = 0; n < design->plan.count; n++) {
        free(design->camera[n].datagrams);
        free(design->camera[n].gone);
        free(design->link[n].hold);
        free(design->sleep[n]);
    }
    free(design->work);
    free(design->link);
    free(design->camera);
    free(design->command);
    free(design->path);
    free(design->sleep);
    reference_plan_free(&design->plan);
}

/* Slots ---------------------------------------------------------------------------------------- */

static const struct reference_node *node_of(const struct world *w, int n)
{
    return &w->design->plan.node[n];
}

static int per_frame(const struct world *w, int n)
{
    return node_of(w, n)->slots + 1;
}

static bool is_deferred(const struct world *w, int n, int k)
{
    return k % per_frame(w, n) == node_of(w, n)->slots;
}

static struct reference_slot *slot_of(const struct world *w, int n, int k)
{
    return &w->run->slot[n][k];
}

struct reference_slot *reference_run_slot(const struct reference_run *run, int node, int frame,
                                          int slot)
{
    return &run->slot[node][frame * (run->design->plan.node[node].slots + 1) + slot];
}

double reference_run_command(const struct reference_run *run, int node, int frame)
{
    const struct reference_node *n = &run->design->plan.node[node];
    const struct reference_slot *slot = reference_run_slot(run, node, frame, n->slots - 1);

    return n->type == COMPONENT_DM ? slot->release : slot->end;
}

static const struct device *device_of(const struct world *w, int n)
{
    return &w->design->scenario->device[node_of(w, n)->at.device];
}

/* Whether it waits in one line with another: for a device used by one at a time, or in a thread. */
static bool takes_turns(const struct world *w, int n, int other)
{
    const struct reference_place *a = &node_of(w, n)->at;
    const struct reference_place *b = &node_of(w, other)->at;

    if (reference_sharing(w->design->scenario, a->device) == SHARING_EXCLUSIVE)
        return a->device == b->device && a->unit == b->unit;
    return reference_thread(w->design->scenario, &w->design->plan, n, other);
}

/* How it shares its device: an FPGA has a part for each component. */
static enum sharing sharing_of(const struct world *w, int n)
{
    enum sharing sharing = reference_sharing(w->design->scenario, node_of(w, n)->at.device);

    if (device_of(w, n)->kind == DEVICE_FPGA)
        return SHARING_PARTITION;
    for (int o = 0; o < w->design->plan.count && sharing == SHARING_PARTITION; o++)
        if (o != n && on_device(node_of(w, o)) && takes_turns(w, n, o))
            return SHARING_EXCLUSIVE;
    return sharing;
}

static double stretch_of(const struct world *w, int n, int k)
{
    return w->design->stretch == NULL ? 1 : w->design->stretch[n][k];
}

/* A time as it may be but for rounding. */
static double nudged(const struct world *w, int n, double time)
{
    return w->design->nudge == NULL ? time : time * (1 + w->design->nudge[n]);
}

static double fixed_of(const struct world *w, int n, int k)
{
    double fixed = is_deferred(w, n, k) ? w->design->work[n].deferred_fixed
                                        : reference_slot_fixed(node_of(w, n), &w->design->work[n],
                                                               k % per_frame(w, n));

    return fixed * stretch_of(w, n, k);
}

static double work_of(const struct world *w, int n, int k)
{
    double work = is_deferred(w, n, k) ? w->design->work[n].deferred
                                       : reference_slot_work(node_of(w, n), &w->design->work[n],
                                                             k % per_frame(w, n));

    return work * stretch_of(w, n, k);
}

/* Deferred work is the next frame's concern: it delays nothing in a frame alone. */
static bool finds_work(const struct world *w, int n, int k)
{
    const struct reference_node *node = node_of(w, n);

    if (k / per_frame(w, n) % node->divisor != 0 || node->kind == REFERENCE_NOTHING)
        return false;
    if (on_device(node))
        return is_deferred(w, n, k)
                   ? w->run->frames > 1 && fixed_of(w, n, k) + work_of(w, n, k) > 0
                   : reference_slot_works(node, &w->design->work[n], k % per_frame(w, n));
    return !is_deferred(w, n, k) && node->weight[k % per_frame(w, n)] > 0;
}

/* Slot of a predecessor that slot k waits for. */
static int slot_before(const struct world *w, int n, int k, int before)
{
    int i = k % per_frame(w, n);
    int last = node_of(w, before)->slots - 1;

    return k / per_frame(w, n) * per_frame(w, before) + (i < last ? i : last);
}

/* Visits --------------------------------------------------------------------------------------- */

static bool same_unit(const struct reference_node *a, const struct reference_node *b)
{
    return on_device(a) && on_device(b) && a->at.device == b->at.device && a->at.unit == b->at.unit;
}

/* The visit of a slot that works: that of its predecessors, all on its unit, that have work in the
 * same packet of this frame, else its own. */
static void join_visit(const struct world *w, int n, int k, struct reference_slot *slot)
{
    const struct reference_node *node = node_of(w, n);
    int i = k % per_frame(w, n);
    bool found = false;

    slot->visit_node = n;
    slot->visit_slot = k;
    for (int b = 0; b < node->before_count; b++)
        if (!same_unit(node, node_of(w, node->before[b])) ||
            strcmp(w->design->scenario->component[node->component].thread,
                   w->design->scenario->component[node_of(w, node->before[b])->component].thread) !=
                0)
            return;
    for (int b = 0; b < node->before_count; b++) {
        int p = node->before[b];
        const struct reference_slot *from = slot_of(w, p, slot_before(w, n, k, p));

        if (!from->works || i >= node_of(w, p)->slots)
            continue;
        if (found &&
            (from->visit_node != slot->visit_node || from->visit_slot != slot->visit_slot)) {
            slot->visit_node = n;
            slot->visit_slot = k;
            return;
        }
        slot->visit_node = from->visit_node;
        slot->visit_slot = from->visit_slot;
        found = true;
    }
}

static bool begins(const struct world *w, int n, int k)
{
    return slot_of(w, n, k)->visit_node == n && slot_of(w, n, k)->visit_slot == k;
}

static void mark_visits(struct world *w)
{
    for (int n = 0; n < w->design->plan.count; n++)
        for (int k = 0; k < per_frame(w, n) * w->run->frames; k++) {
            struct reference_slot *slot = slot_of(w, n, k);

            *slot = (struct reference_slot){.works = finds_work(w, n, k),
                                            .ready = INFINITY,
                                            .request = INFINITY,
                                            .begin = INFINITY,
                                            .release = INFINITY,
                                            .end = INFINITY,
                                            .thread = INFINITY,
                                            .visit_node = -1};
            if (!slot->works || !on_device(node_of(w, n)) || is_deferred(w, n, k))
                continue;
            join_visit(w, n, k, slot);
        }
}

/* Who can go on -------------------------------------------------------------------------------- */

static double frame_start(const struct world *w, int n, int k)
{
    return k / per_frame(w, n) * w->run->period;
}

/* Release of the last command of a frame; infinite while it is not known. */
static double commands_out(const struct world *w, int frame)
{
    double at = frame * w->run->period;

    for (int c = 0; c < w->design->plan.count; c++) {
        const struct reference_node *node = node_of(w, c);

        if (w->design->command[c] && frame % node->divisor == 0)
            at = fmax(at, reference_run_command(w->run, c, frame));
    }
    return at;
}

/* Infinite while it is not known. */
static double ready_of(const struct world *w, int n, int k)
{
    const struct reference_node *node = node_of(w, n);
    double at = frame_start(w, n, k);

    if (is_deferred(w, n, k))
        return slot_of(w, n, k)->works ? commands_out(w, k / per_frame(w, n)) : at;
    for (int i = 0; i < node->before_count; i++)
        at = fmax(at, slot_of(w, node->before[i], slot_before(w, n, k, node->before[i]))->end);
    return at;
}

/* s of the host's thread per kernel or graph; 0: it enqueues nothing. */
static double enqueue_of(const struct world *w, int n)
{
    const struct reference_node *node = node_of(w, n);

    if (on_device(node))
        return reference_enqueue(device_of(w, n));
    return node->kind == REFERENCE_CAMERA ? 0 : w->design->link[n].enqueue;
}

static double *thread_of(struct world *w, int n)
{
    const struct reference_node *node = node_of(w, n);
    struct reference_place at = on_device(node) ? node->at : w->design->link[n].thread;

    return &w->thread_until[at.device][at.unit];
}

/* Whether it waits for the thread: a copy, or what begins a visit. */
static bool is_enqueued(const struct world *w, int n, int k)
{
    if (enqueue_of(w, n) == 0 || !slot_of(w, n, k)->works || is_deferred(w, n, k))
        return false;
    return !on_device(node_of(w, n)) || begins(w, n, k);
}

static double kernels_of(const struct world *w, int n, int k)
{
    const struct reference_node *node = node_of(w, n);
    int i = k % per_frame(w, n);

    return (node->weight[i] > 0 ? w->design->work[n].kernels : 0) +
           (i == node->slots - 1 ? w->design->work[n].tail_kernels : 0);
}

/* Enqueues a copy, or a visit with all its members: each by its kernels, or the graph at once. */
static void enqueue(struct world *w, int n, int k)
{
    double *thread = thread_of(w, n);
    double each = enqueue_of(w, n);
    double at = fmax(ready_of(w, n, k), *thread);

    if (!on_device(node_of(w, n))) {
        *thread = slot_of(w, n, k)->thread = at + each;
        return;
    }
    if (device_of(w, n)->dispatch == DISPATCH_GRAPH)
        at += each;
    for (int m = n; m < w->design->plan.count; m++) {
        int frame = k / per_frame(w, n);

        for (int i = 0; i < node_of(w, m)->slots; i++) {
            struct reference_slot *slot = slot_of(w, m, frame * per_frame(w, m) + i);

            if (slot->visit_node != n || slot->visit_slot != k)
                continue;
            if (device_of(w, n)->dispatch != DISPATCH_GRAPH)
                at += kernels_of(w, m, frame * per_frame(w, m) + i) * each;
            slot->thread = at;
        }
    }
    *thread = at;
}

/* The first in time, of those the first packet, of those the first in the design, is enqueued. */
static bool enqueue_one(struct world *w)
{
    int first = -1;
    double soonest = w->now;

    for (int n = 0; n < w->design->plan.count; n++) {
        struct actor *actor = &w->actor[n];
        double ready;

        if (enqueue_of(w, n) == 0)
            continue;
        while (actor->next_thread < per_frame(w, n) * w->run->frames &&
               !is_enqueued(w, n, actor->next_thread))
            actor->next_thread++;
        if (actor->next_thread == per_frame(w, n) * w->run->frames)
            continue;
        ready = ready_of(w, n, actor->next_thread);
        if (ready < soonest ||
            (ready == soonest && (first < 0 || actor->next_thread < w->actor[first].next_thread))) {
            soonest = ready;
            first = n;
        }
    }
    if (first < 0)
        return false;
    enqueue(w, first, w->actor[first].next_thread++);
    return true;
}

/* When a slot that works asks for what it runs on; infinite while it is not known. */
static double request_of(const struct world *w, int n, int k)
{
    const struct reference_design *design = w->design;
    const struct reference_node *node = node_of(w, n);
    const struct reference_slot *slot = slot_of(w, n, k);
    double at = ready_of(w, n, k);

    if (is_deferred(w, n, k))
        return at;
    if (!on_device(node)) {
        if (enqueue_of(w, n) > 0)
            at = slot->thread;
        return at + design->link[n].delay + design->sleep[n][k % per_frame(w, n)];
    }
    if (enqueue_of(w, n) > 0)
        at = fmax(at, slot->thread);
    if (begins(w, n, k) || design->work[n].always_launched)
        at += design->work[n].launch;
    return at + design->work[n].handover + design->sleep[n][k % per_frame(w, n)];
}

static void done(struct world *w, int n, double begin, double release, double end)
{
    struct actor *actor = &w->actor[n];
    struct reference_slot *slot = slot_of(w, n, actor->next);

    slot->begin = begin;
    slot->release = release;
    slot->end = nudged(w, n, end);
    actor->passed = slot->end;
    if (slot->works || on_device(node_of(w, n)))
        actor->free = release;
    actor->state = IDLE;
    actor->next++;
}

static bool has_queue(const struct world *w, int n)
{
    return w->design->link[n].queue[0] >= 0 || w->design->link[n].queue[1] >= 0;
}

/* Lets an idle node go on as far as it can. */
static bool go_on(struct world *w, int n)
{
    const struct reference_node *node = node_of(w, n);
    struct actor *actor = &w->actor[n];
    struct reference_slot *slot;
    double at;

    if (actor->state != IDLE || actor->next >= per_frame(w, n) * w->run->frames)
        return false;
    slot = slot_of(w, n, actor->next);
    slot->ready = ready_of(w, n, actor->next);
    if (isinf(slot->ready))
        return false;
    if (!slot->works) {
        at = fmax(slot->ready, actor->passed);
        done(w, n, at, at, at);
        return true;
    }
    slot->delayed = slot->request = request_of(w, n, actor->next);
    at = fmax(slot->request, actor->free);
    if (at > w->now)
        return false;
    if (!on_device(node)) {
        double hold = w->design->link[n].hold[actor->next % per_frame(w, n)];

        slot->request = at;
        if (has_queue(w, n))
            actor->state = IN_LINE;
        else
            done(w, n, at, at + hold, at + hold + w->design->link[n].latency);
        return true;
    }
    if (sharing_of(w, n) == SHARING_EXCLUSIVE) {
        actor->state = IN_LINE;
    } else if (sharing_of(w, n) == SHARING_FLUID) {
        actor->state = FIXED;
        slot->begin = at;
        actor->until = at + fixed_of(w, n, actor->next);
        actor->left = work_of(w, n, actor->next);
    } else {
        at += fixed_of(w, n, actor->next) + work_of(w, n, actor->next);
        done(w, n, fmax(slot->request, actor->free), at, at);
    }
    return true;
}

/* Lines ---------------------------------------------------------------------------------------- */

static double *lines(struct world *w, int n, int i)
{
    int queue = w->design->link[n].queue[i];

    return queue < 0 ? NULL : &w->queue_until[queue];
}

static bool share_a_line(struct world *w, int a, int b)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (lines(w, a, i) != NULL && lines(w, a, i) == lines(w, b, j))
                return true;
    return false;
}

/* Of two transfers that ask at the same instant, whether a goes first: by frame, slot, place in the
 * design. */
static bool comes_first(const struct world *w, int a, int b)
{
    int ka = w->actor[a].next;
    int kb = w->actor[b].next;
    int order[][2] = {
        {ka / per_frame(w, a), kb / per_frame(w, b)},
        {ka % per_frame(w, a), kb % per_frame(w, b)},
    };

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (order[i][0] != order[i][1])
            return order[i][0] < order[i][1];
    return a < b;
}

/* A transfer is first in all of its queues, and their servers are free. */
static bool is_its_turn(struct world *w, int n)
{
    double asked = slot_of(w, n, w->actor[n].next)->request;

    for (int i = 0; i < 2; i++)
        if (lines(w, n, i) != NULL && *lines(w, n, i) > w->now)
            return false;
    for (int o = 0; o < w->design->plan.count; o++) {
        double other;

        if (o == n || on_device(node_of(w, o)) || w->actor[o].state != IN_LINE ||
            !share_a_line(w, o, n))
            continue;
        other = slot_of(w, o, w->actor[o].next)->request;
        if (other < asked || (other == asked && comes_first(w, o, n)))
            return false;
    }
    return true;
}

/* Of two slots in line for a device, whether a goes first. */
static bool goes_first(const struct world *w, int a, int b)
{
    const struct component *c = w->design->scenario->component;
    int ka = w->actor[a].next;
    int kb = w->actor[b].next;
    double order[][2] = {
        {is_deferred(w, a, ka), is_deferred(w, b, kb)},
        {c[node_of(w, a)->component].priority, c[node_of(w, b)->component].priority},
        {-w->design->path[a], -w->design->path[b]},
        {ka / per_frame(w, a), kb / per_frame(w, b)},
        {ka % per_frame(w, a), kb % per_frame(w, b)},
        {node_of(w, a)->component, node_of(w, b)->component},
    };

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (order[i][0] != order[i][1])
            return order[i][0] < order[i][1];
    return a < b;
}

/* When the device, or thread, of a node is free: that of the first node that takes turns with it.
 */
static double *line_of(struct world *w, int n)
{
    int first = 0;

    while (first < n && !(on_device(node_of(w, first)) && takes_turns(w, first, n)))
        first++;
    return &w->line_until[first];
}

static bool serve_device(struct world *w, int n)
{
    double *until = line_of(w, n);
    int k = w->actor[n].next;

    if (*until > w->now)
        return false;
    for (int o = 0; o < w->design->plan.count; o++)
        if (o != n && w->actor[o].state == IN_LINE && on_device(node_of(w, o)) &&
            takes_turns(w, o, n) && goes_first(w, o, n))
            return false;
    *until = w->now + (fixed_of(w, n, k) + work_of(w, n, k));
    done(w, n, w->now, *until, *until);
    return true;
}

static bool serve_one(struct world *w)
{
    for (int n = 0; n < w->design->plan.count; n++) {
        double end;

        if (w->actor[n].state != IN_LINE)
            continue;
        if (on_device(node_of(w, n))) {
            if (serve_device(w, n))
                return true;
            continue;
        }
        if (!is_its_turn(w, n))
            continue;
        end = w->now + w->design->link[n].hold[w->actor[n].next % per_frame(w, n)];
        for (int i = 0; i < 2; i++)
            if (lines(w, n, i) != NULL)
                *lines(w, n, i) = end;
        done(w, n, w->now, end, end + w->design->link[n].latency);
        return true;
    }
    return false;
}

/* Fluid ---------------------------------------------------------------------------------------- */

static bool change_state(struct world *w, int n)
{
    struct actor *actor = &w->actor[n];
    double begin;

    if ((actor->state != FIXED && actor->state != WORKING) || actor->until > w->now)
        return false;
    if (actor->state == FIXED && actor->left > 0) {
        actor->state = WORKING;
        actor->until = INFINITY; /* until there is a rate */
        return true;
    }
    begin = slot_of(w, n, actor->next)->begin;
    done(w, n, begin, w->now, w->now);
    return true;
}

static void set_rates(struct world *w)
{
    for (int n = 0; n < w->design->plan.count; n++) {
        struct actor *actor = &w->actor[n];
        double shares = 0;

        if (actor->state != WORKING)
            continue;
        for (int o = 0; o < w->design->plan.count; o++)
            if (w->actor[o].state == WORKING && same_unit(node_of(w, o), node_of(w, n)))
                shares += w->design->work[o].share;
        actor->rate = w->design->work[n].share / shares;
        actor->until = w->now + actor->left / actor->rate;
    }
}

/* Time ----------------------------------------------------------------------------------------- */

static void pass_time(struct world *w, double to)
{
    for (int n = 0; n < w->design->plan.count; n++) {
        struct actor *actor = &w->actor[n];

        if (actor->state == WORKING)
            actor->left =
                actor->until <= to ? 0 : fmax(0, actor->left - (to - w->now) * actor->rate);
    }
    w->now = to;
}

static void happen(struct world *w)
{
    bool again = true;

    while (again) {
        again = false;
        for (int n = 0; n < w->design->plan.count; n++)
            again = change_state(w, n) || again;
        for (int n = 0; n < w->design->plan.count; n++)
            while (go_on(w, n))
                again = true;
        again = enqueue_one(w) || again;
        again = again || serve_one(w);
    }
}

static void sooner(double *time, double candidate, double now)
{
    if (candidate > now && candidate < *time)
        *time = candidate;
}

static double next_moment(struct world *w)
{
    double time = INFINITY;

    for (int n = 0; n < w->design->plan.count; n++) {
        const struct actor *actor = &w->actor[n];
        int slots = per_frame(w, n) * w->run->frames;

        if (enqueue_of(w, n) > 0 && actor->next_thread < slots)
            sooner(&time, ready_of(w, n, actor->next_thread), w->now);
        if (actor->state == IDLE && actor->next < slots) {
            sooner(&time, ready_of(w, n, actor->next), w->now);
            sooner(&time, request_of(w, n, actor->next), w->now);
            sooner(&time, actor->free, w->now);
        } else if (actor->state == IN_LINE && on_device(node_of(w, n))) {
            sooner(&time, *line_of(w, n), w->now);
        } else if (actor->state == IN_LINE) {
            for (int i = 0; i < 2; i++)
                if (lines(w, n, i) != NULL)
                    sooner(&time, *lines(w, n, i), w->now);
        } else if (actor->state == FIXED || actor->state == WORKING) {
            if (actor->until <= w->now) /* so little was left that no time passes */
                return w->now;
            sooner(&time, actor->until, w->now);
        }
    }
    return time;
}

/* Cameras wait for nobody. A frame without data of theirs passes. */
static void read_out(struct world *w, int n)
{
    const struct reference_camera *camera = &w->design->camera[n];
    int packets = w->design->plan.packets;
    double handled = -INFINITY;

    for (int frame = 0; frame < w->run->frames; frame++) {
        double start = frame * w->run->period;
        bool delivers = frame % node_of(w, n)->divisor == 0;

        for (int i = 0; i < packets; i++) {
            struct reference_slot *slot = slot_of(w, n, frame * per_frame(w, n) + i);

            if (delivers)
                handled = start + reference_handled(camera, i, packets, handled - start);
            if (i >= node_of(w, n)->slots)
                continue;
            slot->begin = slot->ready = start;
            slot->end = delivers ? handled + (camera->datagrams[i] > 0 ? camera->latency : 0) +
                                       w->design->sleep[n][i]
                                 : fmax(start, w->actor[n].passed);
            if (delivers) /* packets arrive in order */
                slot->end = fmax(slot->end, w->actor[n].passed);
            slot->release = slot->end = nudged(w, n, slot->end);
            w->actor[n].passed = slot->end;
        }
        slot_of(w, n, frame * per_frame(w, n) + node_of(w, n)->slots)->end = w->actor[n].passed;
    }
    w->actor[n].next = per_frame(w, n) * w->run->frames;
}

void reference_run_make(const struct reference_design *design, int frames,
                        struct reference_run *run)
{
    struct world *w = calloc(1, sizeof *w);
    int count = design->plan.count;

    *run = (struct reference_run){
        .design = design, .frames = frames, .period = 1 / design->scenario->general.frame_rate};
    run->slot = calloc((size_t)count, sizeof *run->slot);
    w->design = design;
    w->run = run;
    w->actor = calloc((size_t)count, sizeof *w->actor);
    w->line_until = calloc((size_t)count, sizeof *w->line_until);
    for (int n = 0; n < count; n++)
        run->slot[n] = calloc((size_t)per_frame(w, n) * (size_t)frames, sizeof *run->slot[n]);
    mark_visits(w);
    for (int n = 0; n < count; n++)
        if (node_of(w, n)->kind == REFERENCE_CAMERA)
            read_out(w, n);
    for (;;) {
        double next;

        happen(w);
        set_rates(w);
        next = next_moment(w);
        if (isinf(next))
            break;
        pass_time(w, next);
    }
    free(w->line_until);
    free(w->actor);
    free(w);
}

void reference_run_free(struct reference_run *run)
{
    for (int n = 0; n < run->design->plan.count; n++)
        free(run->slot[n]);
    free(run->slot);
}
