#include "explore/sweep.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/evaluate.h"

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

void sweep_at(const struct sweep *sweep, uint64_t number, int at[SWEEP_AXES_MAX])
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
    uint64_t larger = count % shards; /* the first blocks, by one */

    *first = (shard - 1) * size + (shard - 1 < larger ? shard - 1 : larger);
    *end = *first + size + (shard - 1 < larger ? 1 : 0);
}

static enum status apply_turn(const struct sweep *sweep, const int at[SWEEP_AXES_MAX],
                              enum knob_pass turn, struct scenario *scenario, struct error *error)
{
    enum status status = STATUS_OK;

    for (int i = 0; i < sweep->axis_count && status == STATUS_OK; i++)
        if (knob_pass(sweep->axis[i].ref.knob) == turn)
            status = axis_apply(&sweep->axis[i], at[i], scenario, error);
    for (int i = 0; i < sweep->fixed_count && status == STATUS_OK; i++)
        if (knob_pass(sweep->fixed[i].ref.knob) == turn)
            status = axis_apply(&sweep->fixed[i], 0, scenario, error);
    return status;
}

enum status sweep_design(const struct sweep *sweep, uint64_t number, struct scenario *scenario,
                         struct error *error)
{
    int at[SWEEP_AXES_MAX];
    enum status status = STATUS_OK;

    sweep_at(sweep, number, at);
    scenario_copy(scenario, sweep->base);
    for (int turn = 0; turn < PASS_COUNT && status == STATUS_OK; turn++)
        status = apply_turn(sweep, at, (enum knob_pass)turn, scenario, error);
    return status;
}

enum status sweep_move(const struct sweep *sweep, int at[SWEEP_AXES_MAX], uint64_t number,
                       struct scenario *scenario, struct error *error)
{
    int from[SWEEP_AXES_MAX];

    memcpy(from, at, sizeof from);
    sweep_at(sweep, number, at);
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] != from[i] && knob_pass(sweep->axis[i].ref.knob) != PASS_REST)
            return sweep_design(sweep, number, scenario, error);
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] != from[i] && axis_apply(&sweep->axis[i], at[i], scenario, error) != STATUS_OK)
            return STATUS_INVALID;
    return STATUS_OK;
}

/* Sweep threads -------------------------------------------------------------------------------- */

/* Designs that a thread takes at a time: enough that taking them costs nothing, few enough that
 * nobody waits long for the next. */
#define BLOCK 64
#define ASK 8 /* designs after which whoever waits may stop it */
#define JOBS_MAX 1024

/* Rows of consecutive designs, from when a thread takes them until they are handed out. */
struct block {
    uint64_t first;
    int count;
    bool done;
    struct sweep_row row[BLOCK];
    double *value; /* [BLOCK * wanted_count] */
    char *text;
    size_t length;
    FILE *out; /* that fills them; NULL where nothing is printed */
};

struct run {
    const struct sweep *sweep;
    const struct sweep_rows *rows;
    const struct progress *progress;
    uint64_t first, end;
    atomic_bool stop;

    pthread_mutex_t lock;   /* of what follows */
    pthread_cond_t changed; /* a block is free again, or it is over */
    struct block *ring;
    int ring_count;
    uint64_t taken, out; /* blocks that a thread has taken; that were handed out */
    bool handing;        /* a thread is handing out */
    struct error error;  /* why it failed */
};

/* A thread's own design. */
struct evaluator {
    struct run *run;
    struct scenario *scenario;
    struct result result;
    bool placed; /* the scenario is the design of the values `at` */
    int at[SWEEP_AXES_MAX];
};

/* One design ----------------------------------------------------------------------------------- */

static enum status evaluate_design(struct evaluator *own, uint64_t number, struct error *error)
{
    const struct sweep *sweep = own->run->sweep;
    enum status status;

    if (own->placed) {
        status = sweep_move(sweep, own->at, number, own->scenario, error);
    } else {
        sweep_at(sweep, number, own->at);
        status = sweep_design(sweep, number, own->scenario, error);
    }
    own->placed = status == STATUS_OK;
    return own->placed ? evaluate(own->scenario, &own->result, error) : status;
}

static void fill_row(struct evaluator *own, uint64_t number, struct sweep_row *row)
{
    const struct sweep *sweep = own->run->sweep;
    const struct result *result = &own->result;

    row->number = number;
    row->error.status = evaluate_design(own, number, &row->error);
    memcpy(row->at, own->at, sizeof row->at);
    row->overloaded = false;
    row->by = BOUND_COMPUTE;
    row->bound[0] = '\0';
    for (int i = 0; i < sweep->wanted_count; i++)
        row->value[i] = row->error.status == STATUS_OK
                            ? result_read(own->scenario, result, &sweep->wanted[i])
                            : RESULT_NONE;
    if (row->error.status != STATUS_OK)
        return;
    row->overloaded = result->overloaded;
    row->by = result->bound;
    if (result->bound_node >= 0)
        strcpy(row->bound, result->node[result->bound_node].name);
}

/* Blocks --------------------------------------------------------------------------------------- */

static struct block *block_at(const struct run *run, uint64_t number)
{
    return &run->ring[number % (uint64_t)run->ring_count];
}

/* The next one, once there is room for it; NULL: there is none, or it is over. */
static struct block *take_block(struct run *run)
{
    struct block *block = NULL;
    uint64_t first;

    pthread_mutex_lock(&run->lock);
    while (!run->stop && run->taken - run->out >= (uint64_t)run->ring_count)
        pthread_cond_wait(&run->changed, &run->lock);
    first = run->first + run->taken * BLOCK;
    if (!run->stop && first < run->end) {
        block = block_at(run, run->taken++);
        block->first = first;
        block->count = run->end - first < BLOCK ? (int)(run->end - first) : BLOCK;
        block->done = false;
    }
    pthread_mutex_unlock(&run->lock);
    return block;
}

static double part_done(const struct run *run, uint64_t designs)
{
    return (double)designs / (double)(run->end - run->first);
}

/* Whoever waits is asked between designs too, which may be slow ones. */
static void ask(struct run *run)
{
    if (run->progress == NULL || pthread_mutex_trylock(&run->lock) != 0)
        return;
    if (!run->handing && !progress_tell(run->progress, part_done(run, run->out * BLOCK))) {
        run->stop = true;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
}

static void fill_block(struct evaluator *own, struct block *block)
{
    const struct run *run = own->run;

    if (block->out != NULL)
        rewind(block->out);
    for (int i = 0; i < block->count && !run->stop; i++) {
        /* rows that nobody takes are not kept: one that is used again stays near */
        struct sweep_row *row = &block->row[run->rows->take != NULL ? i : 0];

        if (i % ASK == ASK - 1)
            ask(own->run);
        fill_row(own, block->first + (uint64_t)i, row);
        if (block->out != NULL)
            run->rows->print(run->rows->context, row, block->out);
    }
    if (block->out != NULL)
        fflush(block->out);
}

/* Whoever holds it wants no more, or cannot have it. */
static bool hand_out(struct run *run, struct block *block)
{
    const struct sweep_rows *rows = run->rows;
    uint64_t behind = block->first + (uint64_t)block->count - run->first;

    if (block->out != NULL && ferror(block->out) != 0) {
        error_set(&run->error, STATUS_MEMORY, "there is not enough memory for the rows");
        return false;
    }
    for (int i = 0; i < block->count && rows->take != NULL; i++)
        if (!rows->take(rows->context, &block->row[i]))
            return false;
    if (rows->write != NULL && block->out != NULL &&
        !rows->write(rows->context, block->text, block->length))
        return false;
    return progress_tell(run->progress, part_done(run, behind));
}

/* Blocks that are done and whose turn it is, by one thread at a time. */
static void give_back(struct run *run, struct block *block)
{
    pthread_mutex_lock(&run->lock);
    block->done = !run->stop;
    while (!run->handing && !run->stop && run->out < run->taken && block_at(run, run->out)->done) {
        bool more;

        run->handing = true;
        pthread_mutex_unlock(&run->lock);
        more = hand_out(run, block_at(run, run->out));
        pthread_mutex_lock(&run->lock);
        run->handing = false;
        if (!more)
            run->stop = true;
        run->out++;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
}

/* Threads -------------------------------------------------------------------------------------- */

static void fail(struct run *run, const struct error *error)
{
    pthread_mutex_lock(&run->lock);
    run->error = *error;
    run->stop = true;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *context)
{
    struct evaluator own = {.run = context};
    struct error error = {STATUS_OK, ""};
    struct block *block;

    own.scenario = malloc(sizeof *own.scenario);
    if (own.scenario == NULL)
        error_set(&error, STATUS_MEMORY, "there is not enough memory to evaluate a design");
    if (own.scenario == NULL || result_init(&own.result, &error) != STATUS_OK) {
        fail(own.run, &error);
    } else {
        while ((block = take_block(own.run)) != NULL) {
            fill_block(&own, block);
            give_back(own.run, block);
        }
    }
    result_free(&own.result);
    free(own.scenario);
    return NULL;
}

/* Those this process may use: a batch system gives a job fewer than there are. */
static int processor_count(void)
{
    cpu_set_t usable;

    if (sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) > 0)
        return CPU_COUNT(&usable);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* No more than there are blocks. */
static int job_count(const struct run *run)
{
    uint64_t blocks = (run->end - run->first + BLOCK - 1) / BLOCK;
    int jobs = run->sweep->jobs;

    if (jobs <= 0)
        jobs = processor_count();
    if (jobs > JOBS_MAX)
        jobs = JOBS_MAX;
    if ((uint64_t)jobs > blocks)
        jobs = (int)blocks;
    return jobs < 1 ? 1 : jobs;
}

/* The caller is one of them. Signals are the caller's to take. Where no more can be started, fewer
 * do the work. */
static void run_threads(struct run *run, int jobs)
{
    pthread_t thread[JOBS_MAX];
    int started = 0;
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < jobs - 1 && pthread_create(&thread[started], NULL, work, run) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    work(run);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

static void ring_free(struct run *run)
{
    for (int i = 0; run->ring != NULL && i < run->ring_count; i++) {
        if (run->ring[i].out != NULL)
            fclose(run->ring[i].out);
        free(run->ring[i].text);
        free(run->ring[i].value);
    }
    free(run->ring);
}

static bool block_new(struct block *block, int wanted, bool prints)
{
    block->value = calloc(BLOCK * (size_t)wanted + 1, sizeof *block->value);
    for (int r = 0; r < BLOCK && block->value != NULL; r++)
        block->row[r].value = &block->value[r * wanted];
    if (prints)
        block->out = open_memstream(&block->text, &block->length);
    return block->value != NULL && (!prints || block->out != NULL);
}

/* Room for as much again as is in work, so that no thread waits for one that is a little slower. */
static enum status ring_new(struct run *run, int jobs, struct error *error)
{
    bool enough;

    run->ring_count = 2 * jobs + 2;
    run->ring = calloc((size_t)run->ring_count, sizeof *run->ring);
    enough = run->ring != NULL;
    for (int i = 0; i < run->ring_count && enough; i++)
        enough = block_new(&run->ring[i], run->sweep->wanted_count, run->rows->print != NULL);
    if (enough)
        return STATUS_OK;
    ring_free(run);
    return error_set(error, STATUS_MEMORY, "there is not enough memory for the rows");
}

enum status sweep_designs(const struct sweep *sweep, uint64_t first, uint64_t end,
                          const struct sweep_rows *rows, const struct progress *progress,
                          struct error *error)
{
    struct run run = {.sweep = sweep,
                      .rows = rows,
                      .progress = progress,
                      .first = first,
                      .end = end,
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER};
    int jobs = job_count(&run);

    if (first >= end)
        return STATUS_OK;
    if (ring_new(&run, jobs, error) != STATUS_OK)
        return STATUS_MEMORY;
    run_threads(&run, jobs);
    ring_free(&run);
    if (run.error.status != STATUS_OK)
        return error_set(error, run.error.status, "%s", run.error.message);
    if (run.stop)
        return error_set(error, STATUS_STOPPED, "stopped");
    return STATUS_OK;
}
