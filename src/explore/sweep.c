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
#include "design/scenario_edit.h"
#include "explore/condition.h"
#include "model/evaluate.h"
#include "model/link.h"
#include "model/range.h"

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

/* Returns true if a design differs from another one only in values of a device that does not
 * exist. */
static bool is_repeated(const struct sweep *sweep, const int at[SWEEP_AXES_MAX])
{
    for (int i = 0; i < sweep->axis_count; i++) {
        if (!axis_is_none(&sweep->axis[i], at[i]))
            continue;
        for (int j = 0; j < sweep->axis_count; j++)
            if (j != i && at[j] > 0 && sweep->axis[j].ref.section == SECTION_DEVICE &&
                sweep->axis[j].ref.index == sweep->axis[i].ref.index)
                return true;
    }
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

    for (int i = 0; i < sweep->axis_count && status == STATUS_OK; i++)
        if (axis_is_none(&sweep->axis[i], at[i]))
            status = change(scenario, sweep->axis[i].ref.index, error);
    return status;
}

/* Designs -------------------------------------------------------------------------------------- */

/* The device of the base with each preset of an axis: setting a preset takes several times as long
 * as evaluating the design. NULL: not an axis of presets. */
struct sweep_devices {
    struct device *of[SWEEP_AXES_MAX];
};

static void devices_free(struct sweep_devices *devices)
{
    for (int i = 0; i < SWEEP_AXES_MAX; i++)
        free(devices->of[i]);
}

static enum status devices_new(const struct sweep *sweep, struct sweep_devices *devices,
                               struct error *error)
{
    struct scenario *work = allocate(sizeof *work);
    bool enough = work != NULL;

    *devices = (struct sweep_devices){.of = {NULL}};
    for (int i = 0; i < sweep->axis_count && enough; i++) {
        const struct axis *axis = &sweep->axis[i];

        if (axis->preset == NULL)
            continue;
        devices->of[i] = allocate_array((size_t)axis->count, sizeof *devices->of[i]);
        enough = devices->of[i] != NULL;
        for (int v = 0; v < axis->count && enough; v++) {
            scenario_copy(work, sweep->base);
            axis_apply(axis, v, work, NULL); /* presets of the catalogue are not refused */
            devices->of[i][v] = work->device[axis->ref.index];
        }
    }
    free(work);
    return enough ? STATUS_OK : error_set(error, STATUS_MEMORY, "out of memory for the presets");
}

/* Sets a value of an axis; a preset from `devices`, unless that is NULL. */
static enum status set_value(const struct sweep *sweep, const struct sweep_devices *devices, int i,
                             int at, struct scenario *scenario, struct error *error)
{
    const struct axis *axis = &sweep->axis[i];

    if (devices == NULL || devices->of[i] == NULL)
        return axis_apply(axis, at, scenario, error);
    scenario->device[axis->ref.index] = devices->of[i][at];
    return STATUS_OK;
}

static enum status set_values(const struct sweep *sweep, const struct sweep_devices *devices,
                              uint64_t number, struct scenario *scenario, struct error *error)
{
    int at[SWEEP_AXES_MAX];
    enum status status = STATUS_OK;

    sweep_values(sweep, number, at);
    scenario_copy(scenario, sweep->base);
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
    return set_values(sweep, NULL, number, scenario, error);
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
            return set_values(sweep, devices, number, scenario, error);
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] != from[i] && axis_apply(&sweep->axis[i], at[i], scenario, error) != STATUS_OK)
            return STATUS_INVALID;
    return change_none(sweep, at, remove_device, scenario, error);
}

/* Hosts ---------------------------------------------------------------------------------------- */

/* Returns true if the lanes that a processor's preset states carry a port and the widest of the
 * accelerators that the device hosts. */
static bool has_lanes(const struct scenario *scenario, int device, const struct device *part)
{
    enum { WIDEST = 16 };
    double lanes = 0;

    if (!knob_set_has(&part->head.own, &knobs[KNOB_DEVICE_PCIE_LANES]))
        return false;
    for (int d = 0; d < scenario->device_count; d++) {
        const struct device *board = &scenario->device[d];

        if (board->kind != DEVICE_CPU && board->count > 0 && board->host_link == HOST_LINK_PCIE &&
            scenario_host(scenario, d) == device)
            lanes = fmax(lanes, fmin(board->pcie_lanes, WIDEST));
    }
    return part->pcie_lanes >= lanes &&
           wire_pcie(part->pcie_gen, part->pcie_lanes).rate >= scenario->device[device].nic / 8;
}

bool sweep_needs_other_host(const struct scenario *scenario, int device, const struct device *part)
{
    if (part->kind == DEVICE_CPU)
        return !has_lanes(scenario, device, part);
    return part->host_link != scenario->device[device].host_link ||
           (part->host_link == HOST_LINK_UNIFIED &&
            strcmp(part->model, scenario->device[device].model) != 0);
}

/* Threads -------------------------------------------------------------------------------------- */

/* At most so many designs per block, the unit of work of a thread: enough to make the locking cost
 * negligible, few enough that rows are delivered without delay. A short sweep has blocks enough to
 * show its progress. */
#define BLOCK_DESIGNS 64
#define BLOCKS_LEAST 32     /* per thread */
#define PROGRESS_INTERVAL 8 /* designs between two progress checks */
#define JOBS_MAX 1024

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
    uint64_t block; /* designs of a block */
    struct sweep_devices devices;
    bool ranged; /* ranges of latencies are wanted */
    atomic_bool stop;

    pthread_mutex_t lock;   /* protects the following fields */
    pthread_cond_t changed; /* a block became free, or the sweep ended */
    struct sweep_block *ring;
    int ring_count;
    uint64_t started, delivered; /* blocks */
    bool delivering;             /* a thread is delivering */
    struct error error;          /* reason of the failure */
};

/* The design of one thread. */
struct evaluator {
    struct sweep_run *run;
    struct scenario *scenario;
    struct result result;
    bool set; /* `scenario` is the design with indices `at` */
    int at[SWEEP_AXES_MAX];
};

/* Sets the design of a thread to that of a row. */
static enum status set_design(struct evaluator *own, struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    const struct sweep_devices *devices = &own->run->devices;
    enum status status =
        own->set ? change_design(sweep, devices, own->at, row->number, own->scenario, &row->error)
                 : set_values(sweep, devices, row->number, own->scenario, &row->error);

    memcpy(own->at, row->at, sizeof own->at);
    own->set = status == STATUS_OK;
    return status;
}

/* Returns true if a varied part, other than the present one, needs another host. */
static bool needs_other_host(const struct evaluator *own)
{
    const struct sweep *sweep = own->run->sweep;

    for (int i = 0; i < sweep->axis_count; i++) {
        const struct axis *axis = &sweep->axis[i];
        const struct device *part = axis->preset != NULL ? axis->preset[own->at[i]] : NULL;
        int device = axis->ref.index;

        if (part != NULL &&
            strcmp(sweep->base->device[device].preset, own->scenario->device[device].preset) != 0 &&
            sweep_needs_other_host(part->kind == DEVICE_CPU ? own->scenario : sweep->base, device,
                                   part))
            return true;
    }
    return false;
}

static enum status find_range(struct evaluator *own, struct error *error)
{
    struct latency_range range;

    return range_find(own->scenario, &own->result, NULL, NULL, &range, error);
}

int sweep_judge(const struct sweep *sweep, const struct scenario *scenario,
                const struct result *result, bool ranged)
{
    int missed = conditions_first_missed(scenario, result, sweep->where, ranged);

    if (!result->fits)
        return SWEEP_UNFIT;
    if (result->overloaded)
        return SWEEP_OVERLOADED;
    if (missed >= 0)
        return SWEEP_MISSED + missed;
    for (int i = 0; i < sweep->wanted_count; i++)
        if ((ranged || !range_has(sweep->wanted[i].row)) &&
            result_read(scenario, result, &sweep->wanted[i]) == RESULT_NONE)
            return SWEEP_UNKNOWN;
    return SWEEP_KEPT;
}

/* Evaluates a design, its range only if that may be asked for. */
static enum status evaluate_row(struct evaluator *own, struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    enum status status;

    if (own->run->ranged && sweep->where == NULL)
        return find_range(own, &row->error);
    status = evaluate_design(own->scenario, &own->result, &row->error);
    if (status != STATUS_OK || sweep->where == NULL)
        return status;
    row->verdict = sweep_judge(sweep, own->scenario, &own->result, false);
    if (row->verdict != SWEEP_KEPT || !own->run->ranged)
        return STATUS_OK;
    status = find_range(own, &row->error);
    if (status == STATUS_OK)
        row->verdict = sweep_judge(sweep, own->scenario, &own->result, true);
    return status;
}

static void fill_sweep_row(struct evaluator *own, uint64_t number, struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    const struct result *result = &own->result;
    struct error *error = &row->error;

    row->number = number;
    row->overloaded = false;
    row->by = BOUND_COMPUTE;
    row->bound[0] = '\0';
    row->verdict = SWEEP_KEPT;
    error->status = STATUS_OK;
    sweep_values(sweep, number, row->at);
    if (sweep->where != NULL && is_repeated(sweep, row->at)) {
        row->verdict = SWEEP_REPEATED;
        return;
    }
    if (sweep->where != NULL && sweep->asks != NULL && !sweep->asks(sweep->asks_context, row->at)) {
        row->verdict = SWEEP_UNASKED;
        return;
    }
    error->status = set_design(own, row);
    if (error->status == STATUS_OK && sweep->where != NULL && !sweep->any_host &&
        needs_other_host(own)) {
        row->verdict = SWEEP_UNHOSTED;
        return;
    }
    if (error->status == STATUS_OK)
        error->status = evaluate_row(own, row);
    if (error->status != STATUS_OK)
        row->verdict = SWEEP_INVALID;
    if (sweep->where != NULL && row->verdict != SWEEP_KEPT)
        return;
    for (int i = 0; i < sweep->wanted_count; i++)
        row->value[i] = error->status == STATUS_OK
                            ? result_read(own->scenario, result, &sweep->wanted[i])
                            : RESULT_NONE;
    if (error->status != STATUS_OK)
        return;
    row->overloaded = result->overloaded;
    row->by = result->bottleneck_bound;
    if (result->bound_node >= 0)
        strcpy(row->bound, result->node[result->bottleneck].name);
}

static struct sweep_block *block_at(const struct sweep_run *run, uint64_t number)
{
    return &run->ring[number % (uint64_t)run->ring_count];
}

/* Waits for room and returns the next block; NULL if there are no more or the sweep has ended. */
static struct sweep_block *take_block(struct sweep_run *run)
{
    struct sweep_block *block = NULL;
    uint64_t first;

    pthread_mutex_lock(&run->lock);
    while (!run->stop && run->started - run->delivered >= (uint64_t)run->ring_count)
        pthread_cond_wait(&run->changed, &run->lock);
    first = run->first + run->started * run->block;
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
                         done < 0 ? done : part_done(run, run->delivered * run->block))) {
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

/* Delivers a block; returns false if the consumer stopped or memory ran out. */
static bool deliver_block(struct sweep_run *run, struct sweep_block *block)
{
    const struct sweep_rows *rows = run->rows;
    uint64_t behind = block->first + (uint64_t)block->count - run->first;

    if (block->stream != NULL && ferror(block->stream) != 0) {
        error_set(&run->error, STATUS_MEMORY, "out of memory for the rows");
        return false;
    }
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
    struct error error;
    struct sweep_block *block;

    if (result_init(&own.result, &error) == STATUS_OK && own.scenario != NULL) {
        result_watch(&own.result, &progress);
        while ((block = take_block(run)) != NULL) {
            fill_block(&own, block);
            finish_block(run, block);
        }
    } else {
        pthread_mutex_lock(&run->lock);
        error_set(&run->error, STATUS_MEMORY, "out of memory");
        run->stop = true;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
    result_free(&own.result);
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
    jobs = clamp_int(jobs, 1, JOBS_MAX);
    return (uint64_t)jobs > blocks ? (int)blocks : jobs;
}

/* Runs the threads; the caller is one of them and the only one that receives signals. If threads
 * cannot be started, fewer do the work. */
static void run_threads(struct sweep_run *run, int jobs)
{
    pthread_t thread[JOBS_MAX];
    int started = 0;
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < jobs - 1 && pthread_create(&thread[started], NULL, run_thread, run) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run_thread(run);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

static void ring_free(struct sweep_run *run)
{
    for (int i = 0; run->ring != NULL && i < run->ring_count; i++) {
        if (run->ring[i].stream != NULL)
            fclose(run->ring[i].stream);
        free(run->ring[i].text);
        free(run->ring[i].value);
    }
    free(run->ring);
}

/* Allocates twice as many blocks as threads, so that threads need not wait for a slower one. */
static enum status ring_new(struct sweep_run *run, int jobs, struct error *error)
{
    size_t wanted = (size_t)run->sweep->wanted_count;
    bool prints = run->rows->print != NULL;
    bool enough;

    run->ring_count = 2 * jobs + 2;
    run->ring = allocate_array((size_t)run->ring_count, sizeof *run->ring);
    enough = run->ring != NULL;
    for (int i = 0; i < run->ring_count && enough; i++) {
        struct sweep_block *block = &run->ring[i];

        block->value = allocate_array(BLOCK_DESIGNS * wanted + 1, sizeof *block->value);
        for (size_t r = 0; r < BLOCK_DESIGNS && block->value != NULL; r++)
            block->row[r].value = &block->value[r * wanted];
        if (prints)
            block->stream = allocate_stream(&block->text, &block->length);
        enough = block->value != NULL && (!prints || block->stream != NULL);
    }
    if (enough)
        return STATUS_OK;
    ring_free(run);
    return error_set(error, STATUS_MEMORY, "out of memory for the rows");
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
        run.ranged = run.ranged || range_has(sweep->wanted[i].row);
    run.block = (end - first) / ((uint64_t)jobs * BLOCKS_LEAST);
    run.block = run.block < 1 ? 1 : run.block > BLOCK_DESIGNS ? BLOCK_DESIGNS : run.block;
    run.ranged = run.ranged || (sweep->where != NULL && conditions_ranged(sweep->where));
    if (ring_new(&run, jobs, error) != STATUS_OK)
        return STATUS_MEMORY;
    if (devices_new(sweep, &run.devices, &run.error) == STATUS_OK)
        run_threads(&run, jobs);
    devices_free(&run.devices);
    ring_free(&run);
    if (run.error.status != STATUS_OK)
        return error_set(error, run.error.status, "%s", run.error.message);
    if (run.stop)
        return error_set(error, STATUS_STOPPED, "stopped");
    return STATUS_OK;
}
