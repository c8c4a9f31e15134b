#include "reference_pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-9 /* s, of frames that repeat */

static bool on_device(const struct reference_node *node)
{
    return node->kind == REFERENCE_COMPUTE && node->at.device >= 0;
}

/* Loads ---------------------------------------------------------------------------------------- */

static void add_load(struct reference_outcome *out, double busy, const char *a, const char *b)
{
    char name[200];
    int i = 0;

    snprintf(name, sizeof name, "%.150s%s", a, b);
    while (i < out->load_count && strcmp(out->load[i].name, name) != 0)
        i++;
    if (i == out->load_count) {
        out->load = realloc(out->load, ((size_t)i + 1) * sizeof *out->load);
        memset(&out->load[i], 0, sizeof out->load[i]);
        strcpy(out->load[i].name, name);
        out->load_count++;
    }
    out->load[i].busy += busy;
}

static void load_computation(struct reference_outcome *out, int n)
{
    const struct reference_node *node = &out->design.plan.node[n];
    const struct reference_work *work = &out->design.work[n];

    for (int i = 0; i < out->design.plan.packets; i++)
        if (reference_slot_works(node, work, i))
            out->time[n] +=
                reference_slot_fixed(node, work, i) + reference_slot_work(node, work, i);
    out->deferred[n] = work->deferred + work->deferred_fixed;
    out->busy[n] = out->time[n] + out->deferred[n];
}

/* What a component takes of its device, s per frame that it works in. */
static double taken(const struct reference_outcome *out, int n)
{
    const struct reference_node *node = &out->design.plan.node[n];
    const struct reference_work *work = &out->design.work[n];
    double busy = out->busy[n];

    switch (reference_sharing(out->design.scenario, node->at.device)) {
    case SHARING_PARTITION:
        return busy * work->share;
    case SHARING_EXCLUSIVE:
        return busy;
    default:
        for (int i = 0; i < out->design.plan.packets; i++)
            busy -= reference_slot_fixed(node, work, i);
        return busy - work->deferred_fixed;
    }
}

/* Seconds of a frame for which a thread of several is busy, if a CPU is divided. */
static double thread_busy(const struct reference_outcome *out, int thread)
{
    const struct reference_plan *plan = &out->design.plan;
    double sum = 0;
    int count = 0;

    for (int n = 0; n < plan->count; n++)
        if (on_device(&plan->node[n]) && reference_thread(out->design.scenario, plan, n, thread)) {
            sum += out->busy[n] / plan->node[n].divisor;
            count++;
        }
    return count > 1 && reference_sharing(out->design.scenario, plan->node[thread].at.device) ==
                            SHARING_PARTITION
               ? sum
               : 0;
}

static void load_devices(struct reference_outcome *out)
{
    const struct reference_plan *plan = &out->design.plan;
    double unit[DEVICE_COUNT_MAX];

    for (int d = 0; d < out->design.scenario->device_count; d++) {
        memset(unit, 0, sizeof unit);
        for (int n = 0; n < plan->count; n++) {
            const struct reference_node *node = &plan->node[n];

            if (!on_device(node) || node->at.device != d)
                continue;
            if (out->design.scenario->device[d].kind == DEVICE_FPGA)
                unit[0] = fmax(unit[0], out->busy[n] / node->divisor);
            else
                unit[node->at.unit] += taken(out, n) / node->divisor;
        }
        for (int n = 0; n < plan->count; n++)
            if (on_device(&plan->node[n]) && plan->node[n].at.device == d)
                out->device_busy[d] = fmax(out->device_busy[d], thread_busy(out, n));
        for (int u = 0; u < DEVICE_COUNT_MAX; u++)
            out->device_busy[d] = fmax(out->device_busy[d], unit[u]);
    }
}

static void load_links(struct reference_outcome *out, int n)
{
    static const char *const names[] = {".nic.out", ".nic.in", ".boards.in", ".boards.out",
                                        ".cards"};
    const struct scenario *s = out->design.scenario;
    const struct reference_node *node = &out->design.plan.node[n];

    for (int i = 0; i < out->design.plan.packets; i++)
        out->time[n] += out->design.link[n].hold[i];
    out->busy[n] = out->time[n];
    for (int q = 0; q < 2; q++) {
        int queue = out->design.link[n].queue[q];

        if (queue >= 0)
            add_load(out, out->busy[n] / node->divisor, s->device[queue / HOST_QUEUES].head.name,
                     names[queue % HOST_QUEUES]);
    }
}

static void load_camera(struct reference_outcome *out, int n)
{
    const struct reference_node *node = &out->design.plan.node[n];
    const struct reference_camera *camera = &out->design.camera[n];
    const struct component *c = &out->design.scenario->component[node->component];
    double datagrams = 0;

    out->time[n] = camera->readout;
    out->busy[n] =
        c->frame_transfer ? fmax(camera->readout, c->exposure) : camera->readout + c->exposure;
    for (int i = 0; i < out->design.plan.packets; i++)
        datagrams += camera->datagrams[i];
    if (camera->host < 0)
        return;
    if (camera->network)
        add_load(out, camera->wire / node->divisor,
                 out->design.scenario->device[camera->host].head.name, ".nic.in");
    if (camera->each > 0 || camera->copy > 0)
        add_load(out, (camera->each * datagrams + camera->copy) / node->divisor, node->name,
                 ".receive");
}

/* Threads that enqueue kernels and copies of a GPU, of the visits of a frame in which everybody
 * works. */
static void load_threads(struct reference_outcome *out, const struct reference_run *run)
{
    const struct reference_plan *plan = &out->design.plan;
    const struct scenario *s = out->design.scenario;

    for (int n = 0; n < plan->count; n++) {
        const struct reference_node *node = &plan->node[n];
        struct reference_place at = on_device(node) ? node->at : out->design.link[n].thread;
        double each = on_device(node) ? reference_enqueue(&s->device[at.device])
                                      : out->design.link[n].enqueue;
        char name[200];
        double sum = 0;

        /* packets that no command waits for are enqueued, too */
        for (int i = 0; i < plan->packets && each > 0; i++) {
            int last = i < node->slots ? i : node->slots - 1;
            const struct reference_slot *slot = reference_run_slot(run, n, 0, last);
            const struct reference_work *work = &out->design.work[n];

            if (i < node->slots ? !slot->works : node->weight[i] == 0)
                continue;
            if (!on_device(node))
                sum += each;
            else if (s->device[at.device].dispatch == DISPATCH_GRAPH)
                sum += slot->visit_node == n && slot->visit_slot == last ? each : 0;
            else
                sum += each * ((node->weight[i] > 0 ? work->kernels : 0) +
                               (i == node->slots - 1 ? work->tail_kernels : 0));
        }
        if (sum == 0)
            continue;
        snprintf(name, sizeof name, "%.40s.%d", s->device[at.device].head.name, at.unit + 1);
        add_load(out, sum / node->divisor, name, ".enqueue");
    }
}

static void limit_to(struct reference_outcome *out, const char *name, double busy)
{
    if (busy <= out->limit.busy)
        return;
    snprintf(out->limit.name, sizeof out->limit.name, "%.190s", name);
    out->limit.busy = busy;
}

static void find_limit(struct reference_outcome *out)
{
    const struct reference_plan *plan = &out->design.plan;

    for (int n = 0; n < plan->count; n++)
        limit_to(out, plan->node[n].name, out->busy[n] / plan->node[n].divisor);
    for (int d = 0; d < out->design.scenario->device_count; d++)
        limit_to(out, out->design.scenario->device[d].head.name, out->device_busy[d]);
    for (int l = 0; l < out->load_count; l++)
        limit_to(out, out->load[l].name, out->load[l].busy);
    out->overloaded = out->limit.busy > 1 / out->design.scenario->general.frame_rate;
}

static void add_loads(struct reference_outcome *out, const struct reference_run *run)
{
    for (int n = 0; n < out->design.plan.count; n++) {
        const struct reference_node *node = &out->design.plan.node[n];

        if (node->kind == REFERENCE_CAMERA)
            load_camera(out, n);
        else if (on_device(node))
            load_computation(out, n);
        else
            load_links(out, n);
    }
    load_devices(out);
    load_threads(out, run);
    find_limit(out);
}

/* Latency -------------------------------------------------------------------------------------- */

static bool depends(const struct reference_plan *plan, int command, int camera)
{
    return command == camera || reference_behind(plan, command, camera);
}

/* The last useful pixel that a command waits for, -1: any command, from the start of the frame. */
static double clock_of(const struct reference_run *run, int command, int frame)
{
    const struct reference_plan *plan = &run->design->plan;
    double clock = 0;

    for (int n = 0; n < plan->count; n++) {
        bool needed = false;

        if (plan->node[n].kind != REFERENCE_CAMERA || frame % plan->node[n].divisor != 0)
            continue;
        for (int c = 0; c < plan->count; c++)
            needed = needed || (run->design->command[c] && (command < 0 || command == c) &&
                                depends(plan, c, n));
        if (needed)
            clock = fmax(clock, reference_arrival(&run->design->camera[n], plan->node[n].slots - 1,
                                                  plan->packets));
    }
    return clock;
}

static double latency_of(const struct reference_run *run, int frame)
{
    const struct reference_plan *plan = &run->design->plan;
    double out = 0;

    for (int c = 0; c < plan->count; c++)
        if (run->design->command[c] && frame % plan->node[c].divisor == 0)
            out = fmax(out, reference_run_command(run, c, frame) - frame * run->period);
    return fmax(0, out - clock_of(run, -1, frame));
}

/* Frames --------------------------------------------------------------------------------------- */

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

static double end_of(const struct reference_run *run, int n, int frame)
{
    return reference_run_slot(run, n, frame, run->design->plan.node[n].slots - 1)->end -
           frame * run->period;
}

/* Whether anything of the first frame lasts longer than so many periods. */
static bool lasts(const struct reference_run *run, int periods)
{
    const struct reference_plan *plan = &run->design->plan;

    for (int n = 0; n < plan->count; n++) {
        const struct reference_node *node = &plan->node[n];
        double handled = -INFINITY;

        if (reference_run_slot(run, n, 0, node->slots)->end > periods * run->period)
            return true;
        for (int i = 0; i < plan->packets && node->kind == REFERENCE_CAMERA; i++)
            handled = reference_handled(&run->design->camera[n], i, plan->packets, handled);
        if (handled > periods * run->period)
            return true;
    }
    return false;
}

/* Whether the deferred work of a frame, which is not in a frame alone, lasts longer than so many
 * periods. */
static bool deferred_lasts(const struct reference_outcome *out, int periods)
{
    struct reference_run run;
    bool found;

    reference_run_make(&out->design, periods + 1, &run);
    found = lasts(&run, periods);
    reference_run_free(&run);
    return found;
}

static bool has_deferred(const struct reference_outcome *out)
{
    for (int n = 0; n < out->design.plan.count; n++)
        if (out->deferred[n] > 0)
            return true;
    return false;
}

static bool repeats(const struct reference_run *run, int frame, int multiple)
{
    if (fabs(latency_of(run, frame) - latency_of(run, frame - multiple)) > SAME)
        return false;
    for (int n = 0; n < run->design->plan.count; n++)
        if (fabs(end_of(run, n, frame) - end_of(run, n, frame - multiple)) > SAME)
            return false;
    return true;
}

/* s from the start of a frame until all of it is done. */
static double duration_of(const struct reference_run *run, int frame)
{
    double last = 0;

    for (int n = 0; n < run->design->plan.count; n++) {
        const struct reference_slot *deferred =
            reference_run_slot(run, n, frame, run->design->plan.node[n].slots);

        last = fmax(last, end_of(run, n, frame));
        if (deferred->works)
            last = fmax(last, deferred->end - frame * run->period);
    }
    return last;
}

/* Frames that were run with all successors that could get in their way. */
static int complete_frames(const struct reference_run *run, int multiple)
{
    int frame = 0;

    while (frame < run->frames &&
           frame * run->period + duration_of(run, frame) <= run->frames * run->period)
        frame += multiple;
    return frame;
}

/* The first that repeats the one before, with as many that repeat as there are in its own way; -1:
 * none. */
static int find_steady(const struct reference_run *run, int multiple)
{
    int alike = 0;

    for (int frame = multiple; frame < complete_frames(run, multiple); frame += multiple) {
        alike = repeats(run, frame, multiple) ? alike + 1 : 0;
        if (alike > 0 && alike * multiple >= (int)(duration_of(run, frame) / run->period))
            return frame;
    }
    return -1;
}

/* Whether the latencies of the last quarter are all above those of the second, of the frames in
 * which everybody works. */
static bool latency_grows(const struct reference_run *run, int multiple)
{
    int frames = complete_frames(run, multiple);
    double most = -INFINITY;
    double least = INFINITY;

    for (int f = 0; f < frames; f += multiple) {
        if (f >= frames / 4 && f < frames / 2)
            most = fmax(most, latency_of(run, f));
        if (f >= frames - frames / 4)
            least = fmin(least, latency_of(run, f));
    }
    return !isinf(most) && !isinf(least) && least > most + SAME;
}

/* Of the last quarter of the frames in which everybody works; 0: there is none. */
static int slowest(const struct reference_run *run, int multiple)
{
    int frames = complete_frames(run, multiple);
    int slowest = 0;

    for (int f = multiple; f < frames; f += multiple)
        if (f >= frames - frames / 4 &&
            (slowest == 0 || latency_of(run, f) > latency_of(run, slowest)))
            slowest = f;
    return slowest;
}

static long slots_of(const struct reference_plan *plan)
{
    long sum = 0;

    for (int n = 0; n < plan->count; n++)
        sum += plan->node[n].slots + 1;
    return sum;
}

/* Runs as many frames as it takes; returns the one to report, -1: too many. */
static int run_frames(struct reference_outcome *out, long slots, struct reference_run *run)
{
    const struct reference_plan *plan = &out->design.plan;
    int step = 0;
    long multiple = 1;
    long most;
    int frame;

    for (int n = 0; n < plan->count; n++) {
        step = common_divisor(step, plan->node[n].divisor);
        multiple *= plan->node[n].divisor / common_divisor((int)multiple, plan->node[n].divisor);
        if (multiple > 100000)
            break;
    }
    out->not_periodic = false;
    reference_run_make(&out->design, 1, run);
    if (out->overloaded)
        return 0;
    if (!lasts(run, step)) { /* nothing reaches the next frame that carries data */
        if (!has_deferred(out))
            return 0;
        if (slots_of(plan) * (step + 1L) > slots)
            return -1;
        if (!deferred_lasts(out, step))
            return 0;
    }
    most = 8 * multiple > 64 ? 8 * multiple : 64;
    for (long frames = 3 * multiple + 4;; frames = 4 * frames < most ? 4 * frames : most) {
        reference_run_free(run);
        if (slots_of(plan) * frames > slots) {
            reference_run_make(&out->design, 1, run);
            return -1;
        }
        reference_run_make(&out->design, (int)frames, run);
        frame = find_steady(run, (int)multiple);
        if (frame >= 0)
            return frame;
        if (frames == most)
            break;
    }
    out->overloaded = latency_grows(run, (int)multiple);
    out->not_periodic = !out->overloaded;
    frame = out->overloaded ? 0 : slowest(run, (int)multiple);
    if (frame == 0) {
        reference_run_free(run);
        reference_run_make(&out->design, 1, run);
    }
    return frame;
}

/* Sleep ---------------------------------------------------------------------------------------- */

/* Marks the slots with work on the critical path of a frame, the last of each node: last[node], -1:
 * none. */
static void walk_back(const struct reference_run *run, int frame, int *last)
{
    const struct reference_plan *plan = &run->design->plan;
    int n = -1;
    int i;

    for (int c = 0; c < plan->count; c++) {
        last[c] = -1;
        if (run->design->command[c] && frame % plan->node[c].divisor == 0 &&
            (n < 0 || reference_run_command(run, c, frame) > reference_run_command(run, n, frame)))
            n = c;
    }
    if (n < 0)
        return;
    for (i = plan->node[n].slots - 1;;) {
        const struct reference_node *node = &plan->node[n];
        const struct reference_slot *slot = reference_run_slot(run, n, frame, i);
        double asks = slot->works ? slot->delayed : slot->ready;
        int before = -1;
        double latest = -INFINITY;

        if (last[n] < 0 && slot->works)
            last[n] = i;
        if (node->kind == REFERENCE_CAMERA)
            return;
        if (i > 0) {
            bool carries = on_device(node) || !slot->works;
            int own = i - 1;

            while (!carries && own >= 0 && !reference_run_slot(run, n, frame, own)->works)
                own--; /* it does not hold the wire */
            if (own >= 0 && (carries ? reference_run_slot(run, n, frame, own)->end
                                     : reference_run_slot(run, n, frame, own)->release) > asks) {
                i = own;
                continue;
            }
        }
        for (int b = 0; b < node->before_count; b++) {
            int p = node->before[b];
            int j = i < plan->node[p].slots - 1 ? i : plan->node[p].slots - 1;
            double end = reference_run_slot(run, p, frame, j)->end;

            if (end > latest) {
                latest = end;
                before = p;
            }
        }
        if (before < 0)
            return;
        n = before;
        i = i < plan->node[n].slots - 1 ? i : plan->node[n].slots - 1;
    }
}

/* Whether two components sleep and wake up together: in a process, or in a thread. */
static bool share_a_process(const struct reference_run *run, int a, int b)
{
    const struct scenario *s = run->design->scenario;
    const struct reference_node *x = &run->design->plan.node[a];
    const struct reference_node *y = &run->design->plan.node[b];

    const struct component *c, *o;

    if (!on_device(x) || !on_device(y) || x->at.device != y->at.device ||
        s->device[x->at.device].kind != DEVICE_CPU)
        return false;
    c = &s->component[x->component];
    o = &s->component[y->component];
    if (s->device[x->at.device].dispatch == DISPATCH_PROCESS)
        return strcmp(c->process, o->process) == 0;
    return c->thread[0] != '\0' && strcmp(c->thread, o->thread) == 0;
}

/* s without work in a frame: of a component, or all of a process, from the last slot to the next
 * first one; of a camera's port while nothing is read out. */
static double idle_of(const struct reference_run *run, int n, int frame)
{
    const struct reference_plan *plan = &run->design->plan;
    double cycle = run->period * plan->node[n].divisor;
    double first = INFINITY;
    double last = -INFINITY;

    if (plan->node[n].kind == REFERENCE_CAMERA)
        return cycle - run->design->camera[n].readout;
    for (int m = 0; m < plan->count; m++) {
        if (m != n && !share_a_process(run, m, n))
            continue;
        last = fmax(last, reference_run_slot(run, m, frame, plan->node[m].slots - 1)->end);
        for (int i = 0; i < plan->node[m].slots; i++)
            if (reference_run_slot(run, m, frame, i)->works)
                first = fmin(first, reference_run_slot(run, m, frame, i)->begin);
    }
    return isinf(first) ? 0 : cycle - (last - first);
}

/* Whether a node wakes a host up. */
static bool wakes(const struct reference_run *run, int n, int host)
{
    const struct scenario *s = run->design->scenario;
    const struct reference_node *node = &run->design->plan.node[n];

    if (node->kind == REFERENCE_CAMERA)
        return run->design->camera[n].host == host && run->design->camera[n].by_kernel;
    return on_device(node) && node->at.device == host && s->device[host].kind == DEVICE_CPU &&
           (s->device[host].dispatch == DISPATCH_WAKE ||
            s->device[host].dispatch == DISPATCH_PROCESS);
}

/* Adds what it costs to wake up, for each host that sleeps, to the entity on the critical path that
 * sleeps for longest, of a process to the last on the path. Returns whether there is one. */
static bool add_sleep(struct reference_outcome *out, const struct reference_run *run, int frame)
{
    const struct reference_plan *plan = &out->design.plan;
    int *last = malloc((size_t)plan->count * sizeof *last);
    bool any = false;

    walk_back(run, frame, last);
    for (int host = 0; host < out->design.scenario->device_count; host++) {
        int sleeper = -1;

        if (out->design.scenario->device[host].os != OS_STOCK)
            continue;
        for (int n = 0; n < plan->count; n++)
            if (last[n] >= 0 && wakes(run, n, host) &&
                (sleeper < 0 || idle_of(run, n, frame) >= idle_of(run, sleeper, frame)))
                sleeper = n;
        if (sleeper < 0 || idle_of(run, sleeper, frame) < 1e-3)
            continue;
        out->design.sleep[sleeper][last[sleeper]] =
            out->design.scenario->device[host].sleep_latency *
            fmin(1, idle_of(run, sleeper, frame) * 120);
        any = true;
    }
    free(last);
    return any;
}

/* Outcome -------------------------------------------------------------------------------------- */

static void report(struct reference_outcome *out, const struct reference_run *run, int frame)
{
    const struct reference_plan *plan = &out->design.plan;
    double start = frame * run->period;

    out->latency = latency_of(run, frame);
    out->clock = clock_of(run, -1, frame);
    for (int n = 0; n < plan->count; n++) {
        const struct reference_node *node = &plan->node[n];

        out->last_end[n] = end_of(run, n, frame);
        out->first_start[n] = out->last_end[n];
        for (int i = node->slots - 1; i >= 0; i--)
            if (reference_run_slot(run, n, frame, i)->works || node->weight[i] > 0)
                out->first_start[n] = reference_run_slot(run, n, frame, i)->begin - start;
        if (node->kind == REFERENCE_CAMERA)
            out->last_pixel = fmax(out->last_pixel, out->design.camera[n].readout);
        if (node->type == COMPONENT_DM)
            out->mirror[out->mirror_count++] =
                (struct reference_mirror){.component = node->component,
                                          .latency = fmax(0, reference_run_command(run, n, frame) -
                                                                 start - clock_of(run, n, frame)),
                                          .arrival = out->last_end[n]};
    }
}

void reference_pipeline(const struct scenario *scenario, long slots, struct reference_outcome *out)
{
    reference_pipeline_nudged(scenario, slots, NULL, out);
}

void reference_pipeline_nudged(const struct scenario *scenario, long slots, const double *nudge,
                               struct reference_outcome *out)
{
    struct reference_run run;
    size_t count;
    int frame;

    memset(out, 0, sizeof *out);
    reference_design_make(scenario, &out->design);
    out->design.nudge = nudge;
    count = (size_t)out->design.plan.count;
    out->first_start = calloc(count, sizeof *out->first_start);
    out->last_end = calloc(count, sizeof *out->last_end);
    out->time = calloc(count, sizeof *out->time);
    out->deferred = calloc(count, sizeof *out->deferred);
    out->busy = calloc(count, sizeof *out->busy);
    if (slots_of(&out->design.plan) > slots) {
        out->too_long = true;
        return;
    }
    reference_run_make(&out->design, 1, &run);
    add_loads(out, &run);
    reference_run_free(&run);
    frame = run_frames(out, slots, &run);
    if (frame >= 0 && add_sleep(out, &run, frame)) {
        reference_run_free(&run);
        frame = run_frames(out, slots, &run);
    }
    out->too_long = frame < 0;
    if (frame >= 0)
        report(out, &run, frame);
    out->frames = run.frames;
    reference_run_free(&run);
}

void reference_pipeline_free(struct reference_outcome *out)
{
    free(out->first_start);
    free(out->last_end);
    free(out->time);
    free(out->deferred);
    free(out->busy);
    free(out->load);
    reference_design_free(&out->design);
}
