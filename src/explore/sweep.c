#include "explore/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/thread.h"
#include "design/scenario_edit.h"
#include "explore/condition.h"
#include "explore/surpass.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/link.h"
#include "model/outcome.h"
#include "model/range.h"

_Static_assert(SWEEP_AXES_MAX <= SURPASS_AXES, "axes of surpass.h");

/* At most so many designs per block, the unit of work of a thread: enough to make the locking cost
 * negligible, few enough that rows are delivered without delay. A short sweep has blocks enough to
 * show its progress. */
#define BLOCK_DESIGNS 64
#define BLOCKS_LEAST 32 /* per thread */
#define SAMPLE_BLOCKS (SWEEP_SAMPLE / BLOCK_DESIGNS) /* at most; a power of two */

enum status sweep_count(const struct sweep *sweep, uint64_t *count, struct error *error)
{
    *count = 1;
    for (int i = 0; i < sweep->axis_count; i++) {
        uint64_t values = (uint64_t)sweep->axis[i].count;

        if (*count > SWEEP_DESIGNS_MAX / values)
            return error_set(error, STATUS_INVALID,
                             "there are more than %" PRIu64 " combinations of values",
                             (uint64_t)SWEEP_DESIGNS_MAX);
        *count *= values;
    }
    return STATUS_OK;
}

void sweep_values(const struct sweep *sweep, uint64_t number, int at[SWEEP_AXES_MAX])
{
    for (int i = sweep->axis_count - 1; i >= 0; i--) {
        uint64_t values = (uint64_t)sweep->axis[i].count;

        at[i] = (int)(number % values);
        number /= values;
    }
}

void sweep_shard(uint64_t count, uint64_t shard, uint64_t shards, uint64_t *first, uint64_t *end)
{
    uint64_t size = count / shards;
    uint64_t longer = count % shards; /* the first blocks are longer by one */

    *first = (shard - 1) * size + (shard - 1 < longer ? shard - 1 : longer);
    *end = *first + size + (shard - 1 < longer ? 1 : 0);
}

/* Devices that do not exist -------------------------------------------------------------------- */

bool sweep_has_value(const struct sweep *sweep, const int at[SWEEP_AXES_MAX], int axis)
{
    const struct axis *of = &sweep->axis[axis];

    for (int i = 0; i < sweep->axis_count; i++)
        if (i != axis && axis_is_none(&sweep->axis[i], at[i]) &&
            of->ref.section == SECTION_DEVICE &&
            (axis_members(of) & ~axis_members(&sweep->axis[i])) == 0)
            return false;
    return true;
}

/* Returns true if a design differs from another one only in values of a device that does not
 * exist. */
static bool is_repeated(const struct sweep *sweep, const int at[SWEEP_AXES_MAX])
{
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] > 0 && !sweep_has_value(sweep, at, i))
            return true;
    return false;
}

/* Moves the components of a device to its host. */
static enum status move_components(struct scenario *scenario, int device, struct error *error)
{
    uint32_t host = UINT32_C(1) << scenario_host(scenario, device);
    enum status status = STATUS_OK;

    for (int c = 0; c < scenario->component_count && status == STATUS_OK; c++) {
        uint32_t devices = scenario_devices(scenario, c) & ~(UINT32_C(1) << device);

        if (!scenario_runs_on(scenario, c, device))
            continue;
        scenario_reset_component(scenario, c);
        status = knob_set_devices(scenario, knob_ref_to(KNOB_COMPONENT_DEVICE, c), devices | host,
                                  error);
    }
    return status;
}

/* Removes a device, on which no component may run. */
static enum status remove_device(struct scenario *scenario, int device, struct error *error)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario_runs_on(scenario, c, device))
            return error_set(error, STATUS_INVALID, "component.%s.device: %s is none",
                             scenario->component[c].head.name, scenario->device[device].head.name);
    scenario->device[device].count = 0;
    return STATUS_OK;
}

/* Applies a change to every device that an axis says is none. */
static enum status change_none(const struct sweep *sweep, const int at[SWEEP_AXES_MAX],
                               enum status (*change)(struct scenario *, int, struct error *),
                               struct scenario *scenario, struct error *error)
{
    enum status status = STATUS_OK;

    for (int i = 0; i < sweep->axis_count; i++)
        for (int d = 0; d < scenario->device_count && status == STATUS_OK; d++)
            if (axis_is_none(&sweep->axis[i], at[i]) &&
                axis_varies(&sweep->axis[i], SECTION_DEVICE, d))
                status = change(scenario, d, error);
    return status;
}

/* Designs -------------------------------------------------------------------------------------- */

/* The devices of the base with each preset of an axis: setting a preset takes several times as long
 * as evaluating the design. [value * its devices + 0, 1, ...]; NULL: not an axis of presets. */
struct sweep_devices {
    struct device *of[SWEEP_AXES_MAX];
};

static size_t count_members(const struct axis *axis)
{
    return (size_t)__builtin_popcountll(axis_members(axis));
}

/* Copies the devices of an axis, in order. */
static void copy_members(const struct axis *axis, const struct device *from, struct device *to)
{
    for (uint64_t members = axis_members(axis); members != 0; members &= members - 1)
        *to++ = from[__builtin_ctzll(members)];
}

static void devices_free(struct sweep_devices *devices)
{
    for (int i = 0; i < SWEEP_AXES_MAX; i++)
        free(devices->of[i]);
}

static void devices_new(const struct sweep *sweep, struct sweep_devices *devices)
{
    struct scenario *work = allocate(sizeof *work);

    *devices = (struct sweep_devices){.of = {NULL}};
    for (int i = 0; i < sweep->axis_count; i++) {
        const struct axis *axis = &sweep->axis[i];

        if (axis->preset == NULL)
            continue;
        devices->of[i] =
            allocate_array((size_t)axis->count * count_members(axis), sizeof *devices->of[i]);
        for (int v = 0; v < axis->count; v++) {
            scenario_copy(work, sweep->base);
            axis_apply(axis, v, work, NULL); /* presets of the catalogue are not refused */
            copy_members(axis, work->device, &devices->of[i][(size_t)v * count_members(axis)]);
        }
    }
    free(work);
}

/* Sets a value of an axis; a preset from `devices`, unless that is NULL. */
static enum status set_value(const struct sweep *sweep, const struct sweep_devices *devices, int i,
                             int at, struct scenario *scenario, struct error *error)
{
    const struct axis *axis = &sweep->axis[i];
    const struct device *from;

    if (devices == NULL || devices->of[i] == NULL)
        return axis_apply(axis, at, scenario, error);
    from = &devices->of[i][(size_t)at * count_members(axis)];
    for (uint64_t members = axis_members(axis); members != 0; members &= members - 1)
        scenario->device[__builtin_ctzll(members)] = *from++;
    return STATUS_OK;
}

/* Sets the sections that have the values of an axis back to those of the base. */
static void restore_sections(const struct sweep *sweep, const struct axis *axis,
                             struct scenario *scenario)
{
    for (uint64_t members = axis_members(axis); members != 0; members &= members - 1)
        section_copy(scenario, sweep->base, axis->ref.section, __builtin_ctzll(members));
}

static bool has_none(const struct sweep *sweep, const int at[SWEEP_AXES_MAX])
{
    for (int i = 0; i < sweep->axis_count; i++)
        if (axis_is_none(&sweep->axis[i], at[i]))
            return true;
    return false;
}

/* Sets all values: in a copy of the base or, unless that is NULL, in the design with indices
 * `from`, which differs from the base in the sections of the axes. */
static enum status set_values(const struct sweep *sweep, const struct sweep_devices *devices,
                              const int from[SWEEP_AXES_MAX], uint64_t number,
                              struct scenario *scenario, struct error *error)
{
    int at[SWEEP_AXES_MAX];
    enum status status = STATUS_OK;

    sweep_values(sweep, number, at);
    if (from == NULL || has_none(sweep, from)) { /* that moved components */
        scenario_copy(scenario, sweep->base);
    } else {
        for (int i = 0; i < sweep->axis_count; i++)
            restore_sections(sweep, &sweep->axis[i], scenario);
        for (int i = 0; i < sweep->fixed_count; i++)
            restore_sections(sweep, &sweep->fixed[i], scenario);
    }
    for (enum knob_pass pass = 0; pass < PASS_COUNT; pass++) {
        for (int i = 0; i < sweep->axis_count && status == STATUS_OK; i++)
            if (knob_pass(sweep->axis[i].ref.knob) == pass)
                status = set_value(sweep, devices, i, at[i], scenario, error);
        for (int i = 0; i < sweep->fixed_count && status == STATUS_OK; i++)
            if (knob_pass(sweep->fixed[i].ref.knob) == pass)
                status = axis_apply(&sweep->fixed[i], 0, scenario, error);
        if (status == STATUS_OK && pass == PASS_PRESETS)
            status = change_none(sweep, at, move_components, scenario, error);
    }
    return status == STATUS_OK ? change_none(sweep, at, remove_device, scenario, error) : status;
}

enum status sweep_design(const struct sweep *sweep, uint64_t number, struct scenario *scenario,
                         struct error *error)
{
    return set_values(sweep, NULL, NULL, number, scenario, error);
}

/* Changes `scenario` from the design with indices `at` to design `number` by setting only what
 * differs. `at` is updated even on failure. */
static enum status change_design(const struct sweep *sweep, const struct sweep_devices *devices,
                                 int at[SWEEP_AXES_MAX], uint64_t number, struct scenario *scenario,
                                 struct error *error)
{
    int from[SWEEP_AXES_MAX];

    memcpy(from, at, sizeof from);
    sweep_values(sweep, number, at);
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] != from[i] && knob_pass(sweep->axis[i].ref.knob) != PASS_REST)
            return set_values(sweep, devices, from, number, scenario, error);
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] != from[i] && axis_apply(&sweep->axis[i], at[i], scenario, error) != STATUS_OK)
            return STATUS_INVALID;
    return change_none(sweep, at, remove_device, scenario, error);
}

/* Hosts ---------------------------------------------------------------------------------------- */

#define SLOT_LANES 16 /* of the widest slot */

/* Returns the lanes of a network card for the ports of a host, a power of two as slots have. */
static double port_lanes(const struct device *host, double generation)
{
    double lanes = 1;

    while (lanes < SLOT_LANES && wire_pcie(generation, lanes).rate < host->nic * host->nics / 8)
        lanes *= 2;
    return lanes;
}

/* Returns the lanes that a part needs as a host. */
static double needed_lanes(const struct scenario *scenario, int host, const struct device *part)
{
    double lanes = port_lanes(&scenario->device[host], part->pcie_gen);

    for (int d = 0; d < scenario->device_count; d++) {
        const struct device *board = &scenario->device[d];

        if (board->kind != DEVICE_CPU && board->host_link == HOST_LINK_PCIE &&
            scenario_host(scenario, d) == host)
            lanes += board->count * fmin(board->pcie_lanes, SLOT_LANES);
    }
    return lanes;
}

/* Returns the lanes that a part has for cards, HUGE_VAL if its lanes are not stated. */
static double stated_lanes(const struct device *device, const struct device *part)
{
    double linked = device->sockets > 1 ? device->socket_lanes : 0;
    const struct knob *knob = &knobs[KNOB_DEVICE_PCIE_LANES];

    return knob_set_has(&device->head.own, knob) ||
                   (part != NULL && knob_set_has(&part->head.own, knob))
               ? larger(device->pcie_lanes - linked, 0) * device->sockets
               : HUGE_VAL;
}

/* Returns true if an accelerator needs another link to its host than the present one has. */
static bool needs_other_link(const struct scenario *scenario, int device, const struct device *part)
{
    const struct device *present = &scenario->device[device];

    return part->host_link != present->host_link ||
           (part->host_link == HOST_LINK_UNIFIED && strcmp(part->model, present->model) != 0);
}

bool sweep_has_few_lanes(const struct scenario *scenario, int device, const struct device *part)
{
    return part->kind == DEVICE_CPU &&
           stated_lanes(part, NULL) < needed_lanes(scenario, device, part);
}

bool sweep_needs_other_host(const struct scenario *scenario, int device, const struct device *part)
{
    if (part->kind != DEVICE_CPU)
        return needs_other_link(scenario, device, part);
    return part->sold_in[0] != '\0' || sweep_has_few_lanes(scenario, device, part);
}

/* Returns true if a host of a design has too few lanes, and fewer, or more to carry, than in the
 * base. */
static bool lacks_lanes(const struct scenario *base, const struct scenario *design)
{
    for (int d = 0; d < design->device_count; d++) {
        const struct device *host = &design->device[d];
        double needed, lanes;

        if (host->kind != DEVICE_CPU)
            continue;
        needed = needed_lanes(design, d, host);
        lanes = stated_lanes(host, host->base);
        if (lanes < needed && (needed > needed_lanes(base, d, &base->device[d]) ||
                               lanes < stated_lanes(&base->device[d], base->device[d].base)))
            return true;
    }
    return false;
}

/* Least results -------------------------------------------------------------------------------- */

/* Returns true if a formula may depend on a device: it names one, or what is counted of a
 * component. */
static bool may_name_part(const char *formula)
{
    return formula != NULL &&
           (strstr(formula, "device.") != NULL || strstr(formula, "component.") != NULL);
}

uint64_t sweep_inner(const struct sweep *sweep)
{
    struct knob_ref ref = {.knob = NULL};
    uint64_t inner = 1;
    int i = sweep->axis_count;

    while (knob_next(sweep->base, &ref))
        if (may_name_part(knob_formula(sweep->base, ref)))
            return 0;
    for (int d = 0; d < sweep->base->device_count; d++)
        if (scenario_sharing_board(sweep->base, d) >= 0)
            return 0;
    while (i > 0 && sweep->axis[i - 1].preset != NULL)
        inner *= (uint64_t)sweep->axis[--i].count;
    for (; i > 0; i--)
        if (sweep->axis[i - 1].preset != NULL ||
            (sweep->axis[i - 1].word != NULL && knob_is_number(sweep->axis[i - 1].ref.knob)))
            return 0;
    return inner >= BLOCK_DESIGNS ? inner : 0;
}

/* What a part is at least, wherever else a design has which parts. */
struct part_floor {
    bool known;
    double watts, price, count;
    double
        last[COMPONENT_MAX]; /* s, result_last_delay of the components that use it, else HUGE_VAL */
};

/* What the designs that differ only in parts (sweep_inner) are at least.
 *
 * The latency. The last slot of a node is not ready before the last slots of all its predecessors
 * have ended; its launch and the thread that enqueues it may delay its start, and then it lasts at
 * least as long as at its share of a device that nothing else uses (timeline.h: start >= ready +
 * enqueue + delay, end = start + duration; devices, links and threads that are shared and frames
 * that overlap only make it later). So a command leaves at least the sum of these delays along any
 * chain of components after the last useful packet of the camera at its begin. The latency counts
 * from the latest of those packets of all cameras whose data a command needs, of whichever camera
 * that is: it is at least the least over these cameras of the longest chain from the camera to a
 * command.
 *
 * The delay of a component that result_last_delay returns depends on the structure of the design,
 * on values of the scenario, its sensors and components, and on one device alone: its rates and
 * fixed times, the caches that the working sets on it leave, the cores and shares that components
 * on it get (stage.h, overhead.c). Only formulas may name another device (may_name_part), and only
 * in a memory that a board shares with its host one has what the other leaves (sweep_inner). Of the
 * parts, the structure depends only on their kinds and on whether they share the memory of their
 * host, which decides whether there is a transfer between two components (hop_between in plan.c; a
 * link between boards decides only on queues): only designs that are like the base in this count
 * here. So the delay is the same in all designs with the part, and is read from one of them. Of a
 * component divided over devices the least of its parts counts, since a successor may need only
 * that one.
 *
 * Power, price and count are sums over devices, added in the same order as load.c does. */
struct sweep_floor {
    uint64_t outer; /* number of the combination of the other values */
    enum floor_state { FLOOR_NONE, FLOOR_BUSY, FLOOR_DONE } state;
    bool known; /* of at least one valid design */
    int device_count, component_count;
    int order[COMPONENT_MAX]; /* components, each after its predecessors */
    uint64_t before[COMPONENT_MAX];
    bool camera[COMPONENT_MAX], command[COMPONENT_MAX];
    struct part_floor other[DEVICE_MAX]; /* of the devices that no axis varies */
    /* [axis][value * its devices + 0, 1, ...]; NULL: not an axis of parts */
    struct part_floor *part[SWEEP_AXES_MAX];
};

static void fill_part_floor(const struct scenario *scenario, const struct result *result,
                            int device, struct part_floor *part)
{
    part->known = true;
    part->watts = result->device[device].watts;
    part->price = result->device[device].price;
    part->count = device_parts(&scenario->device[device]);
    for (int c = 0; c < scenario->component_count; c++)
        part->last[c] = HUGE_VAL;
    for (int n = 0; n < result->node_count; n++) {
        int c = result->node[n].component;
        int of;
        double delay = c >= 0 ? result_last_delay(result, n, &of) : 0;

        if (c >= 0 && of == device)
            part->last[c] = smaller(part->last[c], delay);
    }
}

/* Fills in what does not depend on the parts. */
static void fill_structure(const struct scenario *scenario, const struct result *result,
                           struct sweep_floor *floor)
{
    uint64_t listed = 0, feeding = 0;
    bool mirrors = false;
    int count = 0;

    for (int n = 0; n < result->node_count; n++) {
        int c = result->node[n].component;

        if (c >= 0 && (listed >> c & 1) == 0)
            floor->order[count++] = c;
        listed |= c >= 0 ? UINT64_C(1) << c : 0;
    }
    for (int c = 0; c < scenario->component_count; c++) {
        floor->before[c] = scenario_predecessors(scenario, c);
        floor->camera[c] = scenario->component[c].type == COMPONENT_CAMERA;
        feeding |= floor->before[c];
        mirrors = mirrors || scenario->component[c].type == COMPONENT_DM;
    }
    for (int c = 0; c < scenario->component_count; c++)
        floor->command[c] =
            mirrors ? scenario->component[c].type == COMPONENT_DM : (feeding >> c & 1) == 0;
    for (int d = 0; d < scenario->device_count; d++)
        fill_part_floor(scenario, result, d, &floor->other[d]);
    floor->component_count = count;
    floor->device_count = scenario->device_count;
    floor->known = true;
}

/* Returns the part of a device in the design with these values. */
static const struct part_floor *part_at(const struct sweep *sweep, const struct sweep_floor *floor,
                                        const int at[SWEEP_AXES_MAX], int device)
{
    for (int i = 0; i < sweep->axis_count; i++) {
        const uint64_t members = axis_members(&sweep->axis[i]);
        const uint64_t before = members & ((UINT64_C(1) << device) - 1);

        if (floor->part[i] != NULL && (members >> device & 1) != 0)
            return &floor->part[i][(size_t)at[i] * count_members(&sweep->axis[i]) +
                                   (size_t)__builtin_popcountll(before)];
    }
    return &floor->other[device];
}

/* Returns the least over the cameras of the longest chain from one to a command. */
static double least_latency(const struct sweep_floor *floor, const struct part_floor *const *part)
{
    double chain[COMPONENT_MAX]; /* s, from the component's last slot on; below 0: to no command */
    double least = HUGE_VAL;

    for (int k = floor->component_count - 1; k >= 0; k--) {
        int c = floor->order[k];
        double longest = floor->command[c] ? 0 : -1;
        double own = HUGE_VAL;

        for (int s = k + 1; s < floor->component_count; s++)
            if ((floor->before[floor->order[s]] >> c & 1) != 0)
                longest = larger(longest, chain[floor->order[s]]);
        for (int d = 0; d < floor->device_count; d++)
            own = smaller(own, part[d]->last[c]);
        chain[c] = longest < 0 ? -1 : longest + (own == HUGE_VAL ? 0 : own);
        if (floor->camera[c] && chain[c] >= 0)
            least = smaller(least, chain[c]);
    }
    return least == HUGE_VAL ? 0 : least * (1 - SWEEP_ROUNDING);
}

/* Gets what a design is at least. Returns false if that is not known. */
static bool find_least(const struct sweep *sweep, const struct sweep_floor *floor,
                       const int at[SWEEP_AXES_MAX], struct sweep_least *least)
{
    const struct part_floor *part[DEVICE_MAX];

    *least = (struct sweep_least){0, 0, 0, 0};
    for (int d = 0; d < floor->device_count; d++) {
        part[d] = part_at(sweep, floor, at, d);
        if (!part[d]->known)
            return false;
        least->watts = least->watts == RESULT_NONE || part[d]->watts == RESULT_NONE
                           ? RESULT_NONE
                           : least->watts + part[d]->watts;
        least->price = least->price == RESULT_NONE || part[d]->price == RESULT_NONE
                           ? RESULT_NONE
                           : least->price + part[d]->price;
        least->count += part[d]->count;
    }
    least->latency = least_latency(floor, part);
    return floor->known;
}

/* Threads -------------------------------------------------------------------------------------- */

#define PROGRESS_INTERVAL 8 /* designs between two progress checks */

/* Rows of consecutive designs, owned by a thread until they are delivered. */
struct sweep_block {
    uint64_t first;
    int count;
    bool done;
    struct sweep_row row[BLOCK_DESIGNS];
    double *value; /* [BLOCK_DESIGNS * wanted_count] */
    char *text;
    size_t length;
    FILE *stream; /* stream that fills `text`; NULL if nothing is printed */
};

struct sweep_run {
    const struct sweep *sweep;
    const struct sweep_rows *rows;
    const struct progress *progress;
    uint64_t first, end;
    uint64_t block;       /* designs of a block */
    uint64_t step;        /* from one block to the next */
    uint64_t blocks;      /* of a sample */
    uint64_t inner;       /* sweep_inner, 0: no design is excluded */
    uint64_t floor_count; /* more than the combinations that blocks in work may be of */
    struct sweep_devices devices;
    unsigned derived; /* results that evaluate does not find: enum derived */
    bool surpass;     /* totals may be left out, of what is asked here */
    struct surpass_question question;
    atomic_bool stop;

    pthread_mutex_t lock;      /* protects the following fields */
    pthread_cond_t changed;    /* a block became free, or the sweep ended */
    struct sweep_floor *floor; /* [floor_count], that of a combination at its number modulo that */
    struct sweep_block *ring;
    int ring_count;
    uint64_t started, delivered; /* blocks */
    bool delivering;             /* a thread is delivering */
};

/* The design of one thread. */
struct evaluator {
    struct sweep_run *run;
    struct scenario *scenario;
    struct result result;
    struct range_upper upper;
    bool set; /* `scenario` is the design with indices `at` */
    int at[SWEEP_AXES_MAX];
    struct surpass surpass;
    const struct sweep_floor *floor; /* used last, that of combination `outer`; NULL: none */
    uint64_t outer;
};

/* Sets the design of a thread to that of a row. */
static enum status set_design(struct evaluator *own, struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    const struct sweep_devices *devices = &own->run->devices;
    enum status status =
        own->set ? change_design(sweep, devices, own->at, row->number, own->scenario, &row->error)
                 : set_values(sweep, devices, NULL, row->number, own->scenario, &row->error);

    memcpy(own->at, row->at, sizeof own->at);
    own->set = status == STATUS_OK;
    return status;
}

/* Returns SWEEP_KEPT unless a varied part, other than the present one, needs another host, or a
 * host has too few lanes. */
static int judge_hosts(const struct evaluator *own)
{
    const struct sweep *sweep = own->run->sweep;

    for (int i = 0; i < sweep->axis_count; i++) {
        const struct axis *axis = &sweep->axis[i];
        const struct device *part = axis->preset != NULL ? axis->preset[own->at[i]] : NULL;
        const struct device *now = own->scenario->device;

        if (part == NULL || part->kind == DEVICE_CPU)
            continue;
        for (int d = 0; d < sweep->base->device_count; d++)
            if (axis_varies(axis, SECTION_DEVICE, d) &&
                strcmp(sweep->base->device[d].preset, now[d].preset) != 0 &&
                needs_other_link(sweep->base, d, part))
                return SWEEP_UNHOSTED;
    }
    return lacks_lanes(sweep->base, own->scenario) ? SWEEP_LANES : SWEEP_KEPT;
}

static enum status find_derived(struct evaluator *own, struct error *error)
{
    return derived_find(own->scenario, &own->result, own->run->derived, NULL, error);
}

int sweep_judge(const struct sweep *sweep, const struct scenario *scenario,
                const struct result *result, bool derived)
{
    int missed = conditions_first_missed(scenario, result, sweep->where, derived);

    if (!result->fits)
        return SWEEP_UNFIT;
    if (result->overloaded)
        return SWEEP_OVERLOADED;
    if (missed >= 0) {
        const struct condition *condition = &sweep->where->list[missed];

        return condition->left.row->derived == DERIVED_NONE &&
                       condition_left(scenario, result, condition) == RESULT_NONE
                   ? SWEEP_UNKNOWN
                   : SWEEP_MISSED + missed;
    }
    for (int i = 0; i < sweep->wanted_count; i++)
        if ((derived || sweep->wanted[i].row->derived == DERIVED_NONE) &&
            result_read(scenario, result, &sweep->wanted[i]) == RESULT_NONE)
            return SWEEP_UNKNOWN;
    return SWEEP_KEPT;
}

/* Returns why the results of an evaluated design exclude it, which are what it is at least. */
static int judge_results(const struct evaluator *own, const struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    const struct result *result = &own->result;
    const struct sweep_least least = {result->latency, result->watts, result->price,
                                      result->part_count};

    return sweep->excludes != NULL ? sweep->excludes(sweep->excluding, row, &least) : SWEEP_KEPT;
}

/* Returns true if only designs, loops, devices and sensors are asked about. */
static bool asks_no_component(const struct sweep *sweep)
{
    bool asks = sweep->where == NULL; /* whose rows say what binds a design */

    for (int i = 0; i < sweep->wanted_count && !asks; i++)
        asks = sweep->wanted[i].row->scope == RESULT_COMPONENT;
    for (int i = 0; !asks && i < sweep->where->count; i++) {
        const struct condition *condition = &sweep->where->list[i];

        asks = condition->left.row->scope == RESULT_COMPONENT ||
               (condition->against && condition->right.row->scope == RESULT_COMPONENT);
    }
    return !asks;
}

/* Evaluates a design, with derived results only where they may be asked for. */
static enum status evaluate_row(struct evaluator *own, struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    enum status status;

    if (own->run->derived != DERIVED_NONE && sweep->where == NULL)
        return find_derived(own, &row->error);
    status = evaluate_design(own->scenario, &own->result, &row->error);
    if (status != STATUS_OK || sweep->where == NULL)
        return status;
    row->verdict = sweep_judge(sweep, own->scenario, &own->result, false);
    if (row->verdict != SWEEP_KEPT || own->run->derived == DERIVED_NONE)
        return STATUS_OK;
    if ((own->run->derived & DERIVED_RANGE) != 0)
        row->verdict = judge_results(own, row);
    if (row->verdict != SWEEP_KEPT)
        return STATUS_OK;
    row->surpassed =
        own->run->surpass && surpass_finds(&own->surpass, &own->run->question, row->number, row->at,
                                           own->scenario, &own->result);
    if (row->surpassed)
        return STATUS_OK;
    status = own->run->derived == DERIVED_UPPER
                 ? range_add_upper(own->scenario,
                                   conditions_most_high(own->scenario, &own->result, sweep->where),
                                   &own->upper, &own->result, &row->error)
             : (own->run->derived & DERIVED_RANGE) != 0
                 ? find_derived(own, &row->error)
                 : derived_add_budget(own->scenario, &own->result, own->run->derived, &row->error);
    if (status == STATUS_OK)
        row->verdict = sweep_judge(sweep, own->scenario, &own->result, true);
    if (status == STATUS_OK && own->run->surpass)
        surpass_note(&own->surpass, &own->run->question, own->scenario, &own->result);
    return status;
}

/* Returns true if a device may replace another one without a change of the structure. */
static bool keeps_structure(const struct device *a, const struct device *b)
{
    return a->kind == b->kind &&
           (a->host_link == HOST_LINK_UNIFIED) == (b->host_link == HOST_LINK_UNIFIED);
}

/* Returns the first value of an axis of parts that keeps the structure of the base, else 0. */
static int first_alike(const struct sweep_run *run, int i)
{
    const struct axis *axis = &run->sweep->axis[i];
    const struct device *first = &run->sweep->base->device[__builtin_ctzll(axis_members(axis))];

    for (int v = 0; v < axis->count; v++)
        if (!axis_is_none(axis, v) &&
            keeps_structure(&run->devices.of[i][(size_t)v * count_members(axis)], first))
            return v;
    return 0;
}

/* Evaluates a design with a part, in which the other ones are the first ones of their axes that
 * keep the structure. */
static void fill_part(struct evaluator *own, int axis, int value, struct sweep_floor *floor)
{
    const struct sweep_run *run = own->run;
    const struct sweep *sweep = run->sweep;
    const size_t count = count_members(&sweep->axis[axis]);
    struct part_floor *part = &floor->part[axis][(size_t)value * count];
    uint64_t number = floor->outer;

    for (size_t k = 0; k < count; k++)
        part[k].known = false;
    for (int i = 0; i < sweep->axis_count; i++) {
        if (floor->part[i] == NULL)
            continue;
        number *= (uint64_t)sweep->axis[i].count;
        number += (uint64_t)(i == axis ? value : first_alike(run, i));
    }
    own->set = false;
    if (axis_is_none(&sweep->axis[axis], value) ||
        set_values(sweep, &run->devices, NULL, number, own->scenario, NULL) != STATUS_OK)
        return;
    for (int d = 0; d < sweep->base->device_count; d++)
        if (!keeps_structure(&own->scenario->device[d], &sweep->base->device[d]))
            return;
    if (evaluate_design(own->scenario, &own->result, NULL) != STATUS_OK)
        return;
    for (uint64_t members = axis_members(&sweep->axis[axis]); members != 0; members &= members - 1)
        fill_part_floor(own->scenario, &own->result, __builtin_ctzll(members), part++);
    if (!floor->known)
        fill_structure(own->scenario, &own->result, floor);
}

static void fill_floor(struct evaluator *own, struct sweep_floor *floor)
{
    const struct sweep *sweep = own->run->sweep;

    floor->known = false;
    for (int i = 0; i < sweep->axis_count; i++)
        for (int v = 0; floor->part[i] != NULL && v < sweep->axis[i].count; v++)
            fill_part(own, i, v, floor);
}

/* Returns what the designs of a combination are at least; one thread computes it. */
static const struct sweep_floor *find_floor(struct evaluator *own, uint64_t outer)
{
    struct sweep_run *run = own->run;
    struct sweep_floor *floor = &run->floor[outer % run->floor_count];

    if (own->floor != NULL && own->outer == outer)
        return own->floor;
    pthread_mutex_lock(&run->lock);
    if (floor->state == FLOOR_NONE || floor->outer != outer) {
        floor->outer = outer;
        floor->state = FLOOR_BUSY;
        pthread_mutex_unlock(&run->lock);
        fill_floor(own, floor);
        pthread_mutex_lock(&run->lock);
        floor->state = FLOOR_DONE;
        pthread_cond_broadcast(&run->changed);
    }
    while (floor->state == FLOOR_BUSY)
        pthread_cond_wait(&run->changed, &run->lock);
    pthread_mutex_unlock(&run->lock);
    own->floor = floor;
    own->outer = outer;
    return floor;
}

/* Returns why its least results exclude a design, SWEEP_KEPT if they do not. */
static int judge_least(struct evaluator *own, const struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    struct sweep_least least;

    for (int i = 0; i < sweep->axis_count && own->run->inner > 0; i++)
        if (axis_is_none(&sweep->axis[i], row->at[i]))
            return SWEEP_KEPT;
    if (own->run->inner == 0 ||
        !find_least(sweep, find_floor(own, row->number / own->run->inner), row->at, &least))
        return SWEEP_KEPT;
    return sweep->excludes(sweep->excluding, row, &least);
}

static void fill_sweep_row(struct evaluator *own, uint64_t number, struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    const struct result *result = &own->result;
    const struct range_rows *ranges;
    struct error *error = &row->error;

    row->number = number;
    row->overloaded = row->surpassed = false;
    row->by = BOUND_COMPUTE;
    row->bound[0] = '\0';
    row->verdict = SWEEP_KEPT;
    error->status = STATUS_OK;
    error->message[0] = '\0';
    sweep_values(sweep, number, row->at);
    if (sweep->where != NULL && is_repeated(sweep, row->at)) {
        row->verdict = SWEEP_REPEATED;
        return;
    }
    if (sweep->where != NULL && sweep->asks != NULL && !sweep->asks(sweep->asks_context, row->at)) {
        row->verdict = SWEEP_UNASKED;
        return;
    }
    row->verdict = judge_least(own, row);
    if (row->verdict != SWEEP_KEPT)
        return;
    error->status = set_design(own, row);
    if (error->status == STATUS_OK && sweep->where != NULL && !sweep->any_host)
        row->verdict = judge_hosts(own);
    if (row->verdict != SWEEP_KEPT)
        return;
    if (error->status == STATUS_OK)
        error->status = evaluate_row(own, row);
    if (error->status != STATUS_OK)
        row->verdict = SWEEP_INVALID;
    if (sweep->where != NULL && (row->verdict != SWEEP_KEPT || row->surpassed))
        return;
    for (int i = 0; i < sweep->wanted_count; i++)
        row->value[i] = error->status == STATUS_OK
                            ? result_read(own->scenario, result, &sweep->wanted[i])
                            : RESULT_NONE;
    if (error->status != STATUS_OK)
        return;
    row->overloaded = result->overloaded;
    row->by = result->bottleneck_bound;
    if (sweep->where != NULL)
        return;
    for (int i = 0; i < sweep->wanted_count && error->message[0] == '\0'; i++)
        if (row->value[i] == RESULT_NONE)
            result_missing(result, &sweep->wanted[i], error->message, sizeof error->message);
    if (result->bound_node >= 0)
        strcpy(row->bound, result->node[result->bottleneck].name);
    if (sweep->data)
        return;
    ranges = range_rows_of(sweep->wanted[0].row);
    if (ranges != NULL && ranges->result == RESULT_MAX_FRAME_RATE)
        snprintf(row->limit, sizeof row->limit, "%s", result->limit);
    else
        verdict_resource(own->scenario, result, row->limit);
}

static struct sweep_block *block_at(const struct sweep_run *run, uint64_t number)
{
    return &run->ring[number % (uint64_t)run->ring_count];
}

/* Waits for room and returns the next block; NULL if there are no more or the sweep has ended. */
static struct sweep_block *take_block(struct sweep_run *run)
{
    struct sweep_block *block = NULL;
    uint64_t first = run->end;

    pthread_mutex_lock(&run->lock);
    while (!run->stop && run->started - run->delivered >= (uint64_t)run->ring_count)
        pthread_cond_wait(&run->changed, &run->lock);
    /* 37 is prime to a power of two: blocks of a sample that follow one another lie far apart */
    if (run->step == run->block)
        first = run->first + run->started * run->step;
    else if (run->started < run->blocks)
        first = run->first + run->started * 37 % run->blocks * run->step;
    if (!run->stop && first < run->end) {
        block = block_at(run, run->started++);
        block->first = first;
        block->count = (int)(run->end - first < run->block ? run->end - first : run->block);
        block->done = false;
    }
    pthread_mutex_unlock(&run->lock);
    return block;
}

static double part_done(const struct sweep_run *run, uint64_t designs)
{
    return (double)designs / (double)(run->end - run->first);
}

/* Reports progress also between designs and within them, since a single one may be slow; returns
 * false if the sweep has to stop. */
static bool report_progress(void *context, double done)
{
    struct sweep_run *run = context;

    if (run->progress == NULL || pthread_mutex_trylock(&run->lock) != 0)
        return !run->stop;
    if (!run->delivering &&
        !progress_report(run->progress,
                         done < 0 ? done : part_done(run, run->delivered * run->step))) {
        run->stop = true;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
    return !run->stop;
}

static void fill_block(struct evaluator *own, struct sweep_block *block)
{
    const struct sweep_run *run = own->run;

    if (block->stream != NULL)
        rewind(block->stream);
    for (int i = 0; i < block->count && !run->stop; i++) {
        /* rows that are only printed share one buffer, which stays in the cache */
        struct sweep_row *row = &block->row[run->rows->receive != NULL ? i : 0];

        if (i % PROGRESS_INTERVAL == PROGRESS_INTERVAL - 1)
            report_progress(own->run, 0);
        fill_sweep_row(own, block->first + (uint64_t)i, row);
        if (run->rows->inspect != NULL)
            run->rows->inspect(run->rows->context, row, own->scenario, &own->result);
        if (block->stream != NULL)
            run->rows->print(run->rows->context, row, block->stream);
    }
    if (block->stream != NULL)
        fflush(block->stream);
}

/* Delivers a block; returns false if the consumer stopped. */
static bool deliver_block(struct sweep_run *run, struct sweep_block *block)
{
    const struct sweep_rows *rows = run->rows;
    uint64_t behind = block->first + (uint64_t)block->count - run->first;

    for (int i = 0; i < block->count && rows->receive != NULL; i++)
        if (!rows->receive(rows->context, &block->row[i]))
            return false;
    if (rows->write != NULL && block->stream != NULL &&
        !rows->write(rows->context, block->text, block->length))
        return false;
    return progress_report(run->progress, part_done(run, behind));
}

/* Delivers the finished blocks in order, one thread at a time. */
static void finish_block(struct sweep_run *run, struct sweep_block *block)
{
    pthread_mutex_lock(&run->lock);
    block->done = !run->stop;
    while (!run->delivering && !run->stop && run->delivered < run->started &&
           block_at(run, run->delivered)->done) {
        bool more;

        run->delivering = true;
        pthread_mutex_unlock(&run->lock);
        more = deliver_block(run, block_at(run, run->delivered));
        pthread_mutex_lock(&run->lock);
        run->delivering = false;
        if (!more)
            run->stop = true;
        run->delivered++;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
}

static void *run_thread(void *context)
{
    struct sweep_run *run = context;
    struct evaluator own = {.run = run, .scenario = allocate(sizeof *own.scenario)};
    const struct progress progress = {report_progress, run};
    struct sweep_block *block;

    result_init(&own.result);
    result_watch(&own.result, &progress);
    own.result.brief = asks_no_component(run->sweep);
    if (run->derived == DERIVED_UPPER) {
        result_init(&own.upper.scaled);
        result_watch(&own.upper.scaled, &progress);
        own.upper.scaled.brief = true;
    }
    while ((block = take_block(run)) != NULL) {
        fill_block(&own, block);
        finish_block(run, block);
    }
    if (own.surpass.fell)
        *run->sweep->fell = true;
    surpass_free(&own.surpass);
    result_free(&own.result);
    result_free(&own.upper.scaled);
    free(own.scenario);
    return NULL;
}

/* At most the number of blocks and, by default, the number of processors that the process may use,
 * which batch systems restrict. */
int sweep_threads(const struct sweep *sweep, uint64_t designs)
{
    uint64_t blocks = (designs + BLOCK_DESIGNS - 1) / BLOCK_DESIGNS;
    int jobs = sweep->jobs;
    cpu_set_t usable;

    if (jobs <= 0 && sched_getaffinity(0, sizeof usable, &usable) == 0)
        jobs = CPU_COUNT(&usable);
    if (jobs <= 0)
        jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    jobs = clamp_int(jobs, 1, SWEEP_JOBS_MAX);
    return (uint64_t)jobs > blocks ? (int)blocks : jobs;
}

/* Runs the threads; the caller is one of them and the only one that receives signals. If threads
 * cannot be started, fewer do the work. */
static void run_threads(struct sweep_run *run, int jobs)
{
    pthread_t thread[SWEEP_JOBS_MAX];
    int started = 0;
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < jobs - 1 && thread_start(&thread[started], run_thread, run) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run_thread(run);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

static void ring_free(struct sweep_run *run)
{
    for (int i = 0; i < run->ring_count; i++) {
        if (run->ring[i].stream != NULL)
            fclose(run->ring[i].stream);
        free(run->ring[i].text);
        free(run->ring[i].value);
    }
    free(run->ring);
}

/* Allocates twice as many blocks as threads, so that threads need not wait for a slower one. */
static void ring_new(struct sweep_run *run, int jobs)
{
    size_t wanted = (size_t)run->sweep->wanted_count;

    run->ring_count = 2 * jobs + 2;
    run->ring = allocate_array((size_t)run->ring_count, sizeof *run->ring);
    for (int i = 0; i < run->ring_count; i++) {
        struct sweep_block *block = &run->ring[i];

        block->value = allocate_array(BLOCK_DESIGNS * wanted + 1, sizeof *block->value);
        for (size_t r = 0; r < BLOCK_DESIGNS; r++)
            block->row[r].value = &block->value[r * wanted];
        if (run->rows->print != NULL)
            block->stream = allocate_stream(&block->text, &block->length);
    }
}

static void floors_free(struct sweep_run *run)
{
    for (uint64_t f = 0; f < run->floor_count; f++)
        for (int i = 0; i < SWEEP_AXES_MAX; i++)
            free(run->floor[f].part[i]);
    free(run->floor);
}

static void floors_new(struct sweep_run *run)
{
    const struct sweep *sweep = run->sweep;

    /* a sample has few designs of each combination */
    run->inner = sweep->excludes != NULL && !sweep->sample ? sweep_inner(sweep) : 0;
    if (run->inner == 0)
        return;
    run->floor_count = (uint64_t)run->ring_count + 2;
    run->floor = allocate_array(run->floor_count, sizeof *run->floor);
    for (uint64_t f = 0; f < run->floor_count; f++)
        for (int i = 0; i < sweep->axis_count; i++) {
            const struct axis *axis = &sweep->axis[i];
            struct part_floor **part = &run->floor[f].part[i];

            if (axis->preset != NULL)
                *part = allocate_array((size_t)axis->count * count_members(axis), sizeof **part);
        }
}

enum status sweep_designs(const struct sweep *sweep, uint64_t first, uint64_t end,
                          const struct sweep_rows *rows, const struct progress *progress,
                          struct error *error)
{
    struct sweep_run run = {.sweep = sweep,
                            .rows = rows,
                            .progress = progress,
                            .first = first,
                            .end = end,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .changed = PTHREAD_COND_INITIALIZER};
    int jobs = sweep_threads(sweep, end - first);

    if (first >= end)
        return STATUS_OK;
    for (int i = 0; i < sweep->wanted_count; i++)
        run.derived |= sweep->wanted[i].row->derived;
    run.block = (end - first) / ((uint64_t)jobs * BLOCKS_LEAST);
    run.block = run.block < 1 ? 1 : run.block > BLOCK_DESIGNS ? BLOCK_DESIGNS : run.block;
    run.step = run.block;
    if (sweep->sample && run.block > 1) {
        run.blocks = SAMPLE_BLOCKS;
        while (run.blocks > 1 && (end - first) / SWEEP_SAMPLE_PART / run.blocks < PROGRESS_INTERVAL)
            run.blocks /= 2;
        run.step = (end - first) / run.blocks;
        run.block = run.step / SWEEP_SAMPLE_PART;
        run.block = run.block < 1 ? 1 : run.block > BLOCK_DESIGNS ? BLOCK_DESIGNS : run.block;
    }
    if (sweep->where != NULL)
        run.derived |= conditions_derived(sweep->where);
    run.question = (struct surpass_question){sweep->base, sweep->axis, sweep->axis_count,
                                             sweep->wanted, sweep->wanted_count};
    run.surpass = sweep->best_only && conditions_derived(sweep->where) == DERIVED_NONE &&
                  surpass_can(&run.question);
    ring_new(&run, jobs);
    devices_new(sweep, &run.devices);
    floors_new(&run);
    run_threads(&run, jobs);
    devices_free(&run.devices);
    floors_free(&run);
    ring_free(&run);
    return run.stop ? error_set(error, STATUS_STOPPED, "stopped") : STATUS_OK;
}

void sweep_flat_text(const char *of, const char *what, const char *limit, char text[SWEEP_FLAT_MAX])
{
    snprintf(text, SWEEP_FLAT_MAX, "no value of %s changes %s%s%s", of, what,
             limit[0] != '\0' ? "; limited by " : "", limit);
}
