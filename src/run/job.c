#include "run/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/algorithm.h"
#include "design/knob_table.h"
#include "model/formulas.h"
#include "model/overhead.h"
#include "model/schedule.h"
#include "probe/loops/kernel_loops.h"
#include "run/here.h"

struct planner {
    struct run_job *job;
    const struct scenario *scenario;
    const struct result *result;
    int host;
    struct error *error;
};

/* What can run --------------------------------------------------------------------------------- */

static const struct {
    enum algorithm_id algorithm;
    enum run_kind kind;
} runnable[] = {
    {ALGORITHM_DARK_FLAT, RUN_CALIBRATION},     {ALGORITHM_COG, RUN_CENTROID},
    {ALGORITHM_THRESHOLD, RUN_CENTROID},        {ALGORITHM_BRIGHTEST, RUN_CENTROID},
    {ALGORITHM_CORRELATION, RUN_CENTROID},      {ALGORITHM_PYRAMID_SLOPES, RUN_PYRAMID},
    {ALGORITHM_PYRAMID_INTENSITY, RUN_PYRAMID}, {ALGORITHM_MVM, RUN_MATRIX},
    {ALGORITHM_INTEGRATOR, RUN_CONTROL},
};

/* Lists the algorithms of a type that can run; "" if none can. */
static void list_runnable(enum component_type type, char text[120])
{
    text[0] = '\0';
    for (size_t i = 0; i < sizeof runnable / sizeof runnable[0]; i++)
        if (algorithms[runnable[i].algorithm].type == type) {
            strcat(text, text[0] == '\0' ? "" : ", ");
            strcat(text, algorithms[runnable[i].algorithm].name);
        }
}

static enum status find_kind(const struct planner *planner, int c, struct run_part *part)
{
    const struct component *component = &planner->scenario->component[c];
    const char *name = component->head.name;
    const int row = algorithm_index(component);
    const char *type = knobs[KNOB_COMPONENT_TYPE].choices[component->type];
    char list[120];

    part->kind = component->type == COMPONENT_CAMERA ? RUN_CAMERA : RUN_MIRROR;
    if (component->type == COMPONENT_CAMERA || component->type == COMPONENT_DM)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof runnable / sizeof runnable[0]; i++)
        if ((int)runnable[i].algorithm == row) {
            part->kind = runnable[i].kind;
            part->algorithm = runnable[i].algorithm;
            return STATUS_OK;
        }
    list_runnable((enum component_type)component->type, list);
    if (list[0] == '\0')
        return error_set(planner->error, STATUS_INVALID,
                         "component.%s.type: there is no code for a %s; run has code for camera, "
                         "calibration, centroid, pyramid, reconstruction, control and dm",
                         name, type);
    return error_set(planner->error, STATUS_INVALID,
                     "component.%s.algorithm: there is no code for %s; run has code for %s", name,
                     algorithms[row].name, list);
}

static enum status check_device(const struct planner *planner, int d)
{
    const struct device *device = &planner->scenario->device[d];
    const char *name = device->head.name;

    if (!scenario_device_used(planner->scenario, d) || d == planner->host ||
        device->kind == DEVICE_GPU)
        return STATUS_OK;
    if (device->kind == DEVICE_CPU)
        return error_set(planner->error, STATUS_INVALID,
                         "device.%s: a second host; run has one, device.%s; put its components "
                         "there with component.NAME.device=%s",
                         name, planner->scenario->device[planner->host].head.name,
                         planner->scenario->device[planner->host].head.name);
    return error_set(
        planner->error, STATUS_INVALID,
        "device.%s.kind: run has no code for an FPGA; put its components on the host with "
        "component.NAME.device=%s",
        name, planner->scenario->device[planner->host].head.name);
}

static enum status check_host(struct planner *planner)
{
    const struct scenario *scenario = planner->scenario;
    const struct device *host;

    planner->host = run_host(scenario);
    for (int d = 0; d < scenario->device_count && planner->host < 0; d++)
        if (scenario_device_used(scenario, d))
            return error_set(planner->error, STATUS_INVALID,
                             "device.%s.kind: no component runs on a CPU, which is what run has "
                             "code for; state --set device.%s.preset= --set device.%s.kind=cpu to "
                             "run them on this machine",
                             scenario->device[d].head.name, scenario->device[d].head.name,
                             scenario->device[d].head.name);
    if (planner->host < 0)
        return error_set(planner->error, STATUS_INVALID, "component: none runs on a device");
    host = &scenario->device[planner->host];
    for (int d = 0; d < scenario->device_count; d++)
        if (check_device(planner, d) != STATUS_OK)
            return STATUS_INVALID;
    if (host->framework == FRAMEWORK_INTERPRETER)
        return error_set(planner->error, STATUS_INVALID,
                         "device.%s.framework: run is compiled code and cannot be an interpreter",
                         host->head.name);
    if (scenario_sharing(scenario, planner->host) == SHARING_FLUID)
        return error_set(planner->error, STATUS_INVALID,
                         "scenario.sharing: fluid has no threads that could run; allowed: "
                         "exclusive, partition");
    for (int w = 0; w < scenario->wfs_count; w++)
        if (scenario->wfs[w].rate_divisor != 1)
            return error_set(planner->error, STATUS_INVALID,
                             "wfs.%s.rate_divisor: run has one rate for all sensors; allowed: 1",
                             scenario->wfs[w].head.name);
    return STATUS_OK;
}

/* Parts ---------------------------------------------------------------------------------------- */

/* Refuses what the kernels do in one way only, and what they do not do on a GPU. */
static enum status check_kernel(const struct planner *planner, struct run_part *part)
{
    const struct component *c = &planner->scenario->component[part->component];
    const int wfs = scenario_wfs(planner->scenario, part->component);

    if (part->kind == RUN_CAMERA || part->kind == RUN_MIRROR)
        return STATUS_OK;
    if ((c->devices & (c->devices - 1)) != 0)
        return error_set(planner->error, STATUS_INVALID,
                         "component.%s.device: run has one device for a component", c->head.name);
    part->board = scenario_device(planner->scenario, part->component) != planner->host;
    if (part->board && part->kind != RUN_MATRIX)
        return error_set(
            planner->error, STATUS_INVALID,
            "component.%s.device: run has code for a reconstruction on a GPU, mvm; all "
            "else has to be on the host, device.%s",
            c->head.name, planner->scenario->device[planner->host].head.name);
    if (part->board)
        snprintf(part->on_host, sizeof part->on_host, "component.%s.device=%s", c->head.name,
                 planner->scenario->device[planner->host].head.name);
    if (c->precision != PRECISION_FP32)
        return error_set(planner->error, STATUS_INVALID,
                         "component.%s.precision: run has code for fp32", c->head.name);
    part->search = (int)c->search;
    if (part->algorithm == ALGORITHM_CORRELATION &&
        (part->search < KERNEL_SEARCH_LEAST || part->search > KERNEL_SEARCH))
        return error_set(planner->error, STATUS_INVALID,
                         "component.%s.search: run has code for %d px to %d px", c->head.name,
                         KERNEL_SEARCH_LEAST, KERNEL_SEARCH);
    if ((part->algorithm == ALGORITHM_CORRELATION || part->algorithm == ALGORITHM_BRIGHTEST) &&
        planner->scenario->wfs[wfs].pixels_per_subap > KERNEL_SIDE_MAX)
        return error_set(planner->error, STATUS_INVALID,
                         "wfs.%s.pixels_per_subap: run has code for %s of at most %d px",
                         planner->scenario->wfs[wfs].head.name, algorithms[part->algorithm].name,
                         KERNEL_SIDE_MAX);
    return STATUS_OK;
}

/* Sets the size of a part. */
static void set_size(const struct planner *planner, struct run_part *part)
{
    const struct scenario *scenario = planner->scenario;
    const struct node_result *node = &planner->result->node[part->node];
    const int wfs = scenario_wfs(scenario, part->component);
    const double count = wfs < 0 ? 0 : scenario->wfs[wfs].count;
    const double subaps = wfs < 0 ? 0 : count * planner->result->wfs[wfs].subaps;
    const double pixels =
        wfs < 0 ? 0 : count * planner->result->wfs[wfs].width * planner->result->wfs[wfs].height;

    part->side = wfs < 0 ? 0 : (size_t)scenario->wfs[wfs].pixels_per_subap;
    switch (part->kind) {
    case RUN_CAMERA:
        part->items = (size_t)pixels;
        part->bytes = (size_t)ceil(node->bytes);
        break;
    case RUN_CALIBRATION:
        part->items = (size_t)pixels;
        break;
    case RUN_CENTROID:
    case RUN_PYRAMID:
        part->items = (size_t)subaps;
        break;
    case RUN_MATRIX:
        part->items = (size_t)node->columns;
        part->side = (size_t)node->rows;
        break;
    case RUN_CONTROL:
        part->items = (size_t)scenario->ao.actuators;
        break;
    case RUN_MIRROR:
        part->items = 1;
        part->bytes = (size_t)ceil(node->bytes);
        break;
    }
}

static size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns the pixels of its sensor that a part reads or writes; what a camera's datagram has in
 * front of its data needs room too. */
static size_t pixels_of(const struct run_part *part)
{
    const size_t sent = (part->bytes + 1) / 2 + RUN_HEADER / 2;

    switch (part->kind) {
    case RUN_CAMERA:
        return larger_size(sent, part->items);
    case RUN_CALIBRATION:
        return part->items;
    case RUN_CENTROID:
        return part->items * part->side * part->side;
    case RUN_PYRAMID:
        return 4 * part->items;
    case RUN_MATRIX:
    case RUN_CONTROL:
    case RUN_MIRROR:
        break;
    }
    return 0;
}

/* Gives each sensor, and each part with an output, its place in the arrays. */
static void place_data(struct run_job *job, const struct scenario *scenario)
{
    size_t of_sensor[WFS_MAX] = {0}, columns = 0, actuators = 0;

    for (int p = 0; p < job->part_count; p++) {
        struct run_part *part = &job->part[p];
        const int wfs = scenario_wfs(scenario, part->component);
        const size_t pixels = pixels_of(part);

        if (wfs >= 0)
            of_sensor[wfs] = larger_size(of_sensor[wfs], pixels);
        if (part->kind == RUN_CENTROID || part->kind == RUN_PYRAMID) {
            part->slopes = job->slopes;
            job->slopes += (size_t)algorithms[part->algorithm].slopes_per_subap * part->items;
        }
        if (part->kind == RUN_MATRIX) {
            part->vector = job->vector;
            job->vector += part->side;
            for (int q = 0; q < p && part->slopes == 0; q++)
                if ((part->before >> q & 1) != 0)
                    part->slopes = job->part[q].slopes;
            columns = larger_size(columns, part->slopes + part->items);
        }
        if (part->kind == RUN_CONTROL)
            actuators = part->items;
    }
    job->slopes = larger_size(columns, job->slopes);
    job->vector = larger_size(actuators, job->vector);
    for (int p = 0; p < job->part_count; p++)
        for (int w = 0; w < scenario_wfs(scenario, job->part[p].component); w++)
            job->part[p].pixels += of_sensor[w];
    for (int w = 0; w < WFS_MAX; w++)
        job->pixels += of_sensor[w];
}

/* Divides the items of a part among the slots. */
static void divide_work(const struct planner *planner, struct run_part *part)
{
    const int slots = planner->job->slots;
    double done = 0;

    part->until = allocate_array((size_t)slots + 1, sizeof *part->until);
    part->rings = allocate_array((size_t)slots + 1, sizeof *part->rings);
    for (int s = 0; s < slots; s++) {
        const double work = schedule_work(planner->result, part->node, s);

        done += work;
        part->until[s + 1] = (size_t)floor(done * (double)part->items + 0.5);
        if (part->until[s + 1] > part->items)
            part->until[s + 1] = part->items;
        part->rings[s + 1] = part->rings[s] + (work > 0);
    }
}

static enum status add_parts(struct planner *planner)
{
    const struct scenario *scenario = planner->scenario;
    const struct result *result = planner->result;
    struct run_job *job = planner->job;
    int part_of[COMPONENT_MAX];

    for (int n = 0; n < result->node_count; n++) {
        const int c = result->node[n].component;
        struct run_part *part = &job->part[job->part_count];
        uint64_t before;

        if (c < 0)
            continue;
        *part = (struct run_part){.component = c, .node = n, .lane = -1, .workers = 1};
        if (find_kind(planner, c, part) != STATUS_OK || check_kernel(planner, part) != STATUS_OK)
            return STATUS_INVALID;
        set_size(planner, part);
        before = scenario_predecessors(scenario, c);
        for (int b = 0; b < scenario->component_count; b++)
            if ((before >> b & 1) != 0)
                part->before |= UINT64_C(1) << part_of[b];
        part_of[c] = job->part_count++;
        divide_work(planner, part);
    }
    place_data(job, scenario);
    return STATUS_OK;
}

/* Lanes ---------------------------------------------------------------------------------------- */

/* Returns true if two components of the host run in one lane. */
static bool share_lane(const struct planner *planner, int a, int b)
{
    const struct component *one = &planner->scenario->component[a];
    const struct component *other = &planner->scenario->component[b];
    const bool apart = planner->scenario->device[planner->host].dispatch == DISPATCH_PROCESS &&
                       strcmp(one->process, other->process) != 0;

    if (apart || scenario_device(planner->scenario, a) != scenario_device(planner->scenario, b))
        return false;
    return scenario_device(planner->scenario, a) != planner->host ||
           scenario_sharing(planner->scenario, planner->host) == SHARING_EXCLUSIVE ||
           (one->thread[0] != '\0' && strcmp(one->thread, other->thread) == 0);
}

/* Returns the process of a component: the first with its name. */
static int find_process(const struct planner *planner, int upto)
{
    const struct run_job *job = planner->job;
    const struct scenario *scenario = planner->scenario;
    const char *name = scenario->component[job->part[upto].component].process;

    if (scenario->device[planner->host].dispatch != DISPATCH_PROCESS)
        return 0;
    for (int p = 0; p < upto; p++)
        if (job->part[p].lane >= 0 && job->part[p].kind != RUN_CAMERA &&
            strcmp(scenario->component[job->part[p].component].process, name) == 0)
            return job->lane[job->part[p].lane].process;
    return job->processes;
}

static void add_lanes(const struct planner *planner)
{
    struct run_job *job = planner->job;
    const struct scenario *scenario = planner->scenario;
    const bool exclusive = scenario_sharing(scenario, planner->host) == SHARING_EXCLUSIVE;
    int in_turn = 0, beside = 0; /* threads of lanes that take turns, and of all others */

    for (int p = 0; p < job->part_count; p++) {
        struct run_part *part = &job->part[p];
        struct run_lane *lane;

        if (part->kind == RUN_CAMERA || part->kind == RUN_MIRROR)
            continue;
        if (!part->board)
            part->workers = (int)fmax(1, floor(planner->result->node[part->node].workers + 0.5));
        for (int q = 0; q < p && part->lane < 0; q++)
            if (job->part[q].lane >= 0 && job->part[q].kind != RUN_CAMERA &&
                share_lane(planner, part->component, job->part[q].component))
                part->lane = job->part[q].lane;
        if (part->lane < 0) {
            const int process = find_process(planner, p);

            part->lane = job->lane_count++;
            job->lane[part->lane] = (struct run_lane){.process = process};
            job->processes = process + 1 > job->processes ? process + 1 : job->processes;
        }
        lane = &job->lane[part->lane];
        lane->size = part->workers > lane->size ? part->workers : lane->size;
        lane->board = part->board;
        lane->sleeps = scenario->device[planner->host].dispatch != DISPATCH_SPIN;
    }
    for (int l = 0; l < job->lane_count; l++) {
        if (job->lane[l].board || !exclusive) {
            job->lane[l].core = beside;
            beside += job->lane[l].size;
        } else {
            in_turn = job->lane[l].size > in_turn ? job->lane[l].size : in_turn;
        }
    }
    for (int l = 0; l < job->lane_count; l++)
        if (job->lane[l].board || !exclusive)
            job->lane[l].core += in_turn;
    job->threads = in_turn + beside;
}

/* Adds a lane that only receives, in a process of its own. */
static int add_port(struct run_job *job)
{
    job->lane[job->lane_count] = (struct run_lane){
        .size = 1, .process = job->processes++, .sleeps = true, .core = job->threads++};
    return job->lane_count++;
}

/* A mirror's command is sent by the lane before it. A camera's data are received by the one behind
 * it or, where components are processes, by one of their own. */
static enum status join_ends(const struct planner *planner)
{
    struct run_job *job = planner->job;

    job->last_part = -1;
    for (int p = 0; p < job->part_count; p++) {
        struct run_part *part = &job->part[p];

        for (int q = 0; q < job->part_count; q++) {
            struct run_part *other = &job->part[q];

            if (part->kind == RUN_CAMERA && other->lane >= 0 && (other->before >> p & 1) != 0 &&
                part->lane < 0 && job->datagrams_in)
                part->lane = planner->scenario->device[planner->host].dispatch == DISPATCH_PROCESS
                                 ? add_port(job)
                                 : other->lane;
            if (part->kind == RUN_MIRROR && (part->before >> q & 1) != 0)
                part->lane = other->lane;
        }
        if (part->kind == RUN_MIRROR && part->lane < 0)
            return error_set(planner->error, STATUS_INVALID,
                             "component.%s.after: no component of the host feeds this mirror",
                             planner->scenario->component[part->component].head.name);
        if (part->kind != RUN_CAMERA)
            job->last_part = p;
    }
    for (int p = 0; p < job->part_count; p++)
        for (int q = 0; q < job->part_count; q++)
            if ((job->part[p].before >> q & 1) != 0 && job->part[q].lane != job->part[p].lane)
                job->part[p].others |= UINT64_C(1) << q;
    return job->last_part >= 0
               ? STATUS_OK
               : error_set(planner->error, STATUS_INVALID, "component: nothing follows a camera");
}

/* Readout -------------------------------------------------------------------------------------- */

static int compare_events(const void *a, const void *b)
{
    const struct run_event *left = a, *right = b;

    if (left->at != right->at)
        return left->at < right->at ? -1 : 1;
    if (left->part != right->part)
        return left->part - right->part;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* Returns where the data of a slot begin in a frame. */
static size_t bytes_before(const struct run_part *camera, int slot)
{
    return camera->until[slot] == camera->items
               ? camera->bytes
               : (size_t)((uint64_t)camera->bytes * camera->until[slot] / camera->items) &
                     ~(size_t)1;
}

/* Adds what a camera sends in a slot: evenly over the slot's part of the readout as datagrams, or
 * the whole packet in shared memory. */
static void add_events(struct run_job *job, const struct result *result, int p, int slot, int *room)
{
    const struct run_part *part = &job->part[p];
    const size_t from = bytes_before(part, slot), to = bytes_before(part, slot + 1);
    const size_t most = job->datagrams_in ? job->payload : part->bytes; /* of a piece */
    const size_t pieces = to > from ? (to - from + most - 1) / most : 1;
    struct schedule_slot when;

    if (part->rings[slot + 1] == part->rings[slot])
        return;
    schedule_read_packet(result, part->node, slot, &when);
    for (size_t i = 0; i < pieces; i++) {
        const size_t offset = from + i * most;

        if (job->event_count == *room) {
            *room = 2 * *room + 64;
            job->event = allocate_again(job->event, (size_t)*room * sizeof *job->event);
        }
        job->event[job->event_count++] =
            (struct run_event){.at = when.start + when.busy * (double)(i + 1) / (double)pieces,
                               .part = p,
                               .slot = slot,
                               .offset = offset,
                               .length = to - offset < most ? to - offset : most};
    }
}

/* Notes where the events of each slot of a camera begin, and where its last one ends. */
static void find_events(struct run_job *job, int p)
{
    int *events = job->part[p].events = allocate_array((size_t)job->slots + 1, sizeof *events);
    int slot = 0;

    for (int e = 0; e < job->event_count; e++)
        for (; job->event[e].part == p && slot <= job->event[e].slot; slot++)
            events[slot] = e;
    for (; slot <= job->slots; slot++)
        events[slot] = job->event_count;
}

static void add_readout(const struct planner *planner)
{
    struct run_job *job = planner->job;
    const int *rings = job->part[job->last_part].rings;
    int last = job->slots - 1;
    int room = 0;

    while (last > 0 && rings[last + 1] == rings[last])
        last--;
    for (int p = 0; p < job->part_count; p++)
        for (int s = 0; s < job->slots && job->part[p].kind == RUN_CAMERA; s++)
            add_events(job, planner->result, p, s, &room);
    qsort(job->event, (size_t)job->event_count, sizeof *job->event, compare_events);
    for (int e = 0; e < job->event_count; e++)
        if (job->event[e].slot <= last)
            job->last_event = e;
    for (int p = 0; p < job->part_count; p++)
        if (job->part[p].kind == RUN_CAMERA)
            find_events(job, p);
}

/* Ports ---------------------------------------------------------------------------------------- */

static void set_ports(const struct planner *planner)
{
    struct run_job *job = planner->job;
    const struct scenario *scenario = planner->scenario;
    const struct device *host = &scenario->device[planner->host];
    enum ingress ingress = INGRESS_IDEAL;

    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CAMERA)
            ingress = overhead_ingress(scenario, planner->host, c).ingress;
    job->datagrams_in = ingress != INGRESS_IDEAL;
    job->datagrams_out = host->egress != EGRESS_IDEAL;
    job->polls_card = ingress == INGRESS_BUSY_POLL;
    if (job->datagrams_in && !ingress_is_kernel(ingress))
        job->ingress = knobs[KNOB_DEVICE_INGRESS].choices[ingress];
    job->payload = (size_t)formula_ethernet_payload(host->mtu) - RUN_HEADER;
    job->host = planner->host;
    job->software = overhead_of(host).software;
    job->frames = scenario->general.processing == PROCESSING_FRAMES;
    job->realtime = host->os != OS_STOCK;
}

enum status run_job_plan(struct run_job *job, const struct scenario *scenario,
                         const struct result *result, struct error *error)
{
    struct planner planner = {job, scenario, result, -1, error};

    *job = (struct run_job){.period = result->frame_period, .slots = scenario_slots(scenario)};
    if (check_host(&planner) == STATUS_OK && add_parts(&planner) == STATUS_OK) {
        set_ports(&planner);
        add_lanes(&planner);
        if (join_ends(&planner) == STATUS_OK) {
            add_readout(&planner);
            return STATUS_OK;
        }
    }
    run_job_free(job);
    return STATUS_INVALID;
}

void run_job_free(struct run_job *job)
{
    for (int p = 0; p < job->part_count; p++) {
        free(job->part[p].until);
        free(job->part[p].rings);
        free(job->part[p].events);
    }
    free(job->event);
    *job = (struct run_job){0};
}
