#include "probe/operations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "model/result.h"
#include "probe/bandwidth.h"
#include "probe/loops/operation_loops.h"
#include "probe/system.h"

#define CLOCK_NAME "clock"

/* Measuring ------------------------------------------------------------------------------------ */

/* Maximum duration of a run, many thousand operations; longer runs only add disturbances. */
#define LONGEST_RUN 500e-6 /* s */

#define OPERANDS_LEAST 4096 /* B, at least two repeats of the widest registers */

/* Formats "SSE2, AVX2, FMA". */
static void describe_instructions(char *text)
{
    struct buffer list = buffer_over(text, CONDITION_MAX);
    const char *last = "";
    bool fma = false;

    for (int i = 0; i < operation_set_count; i++) {
        const struct operation_set *set = &operation_sets[i];

        if (!set->has())
            continue;
        fma = fma || set->has_fma();
        if (strcmp(set->instructions, last) != 0)
            buffer_print(&list, "%s, ", set->instructions);
        last = set->instructions;
    }
    buffer_text(&list, fma ? "FMA" : "no FMA");
}

static struct measurement_point operation_point(const char *name, const char *type, int bits)
{
    struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, name, type);

    if (bits > 0)
        point.parameter[PARAMETER_BITS] = bits;
    point.parameter[PARAMETER_CHAINS] = 1;
    return point;
}

/* Adds a point without samples and with a reason. */
static void add_missing(struct probe *probe, struct measurement_point *point, const char *reason)
{
    struct buffer remark = buffer_over(point->remark, sizeof point->remark);

    buffer_print(&remark, MEASUREMENT_MISSING "%s", reason);
    probe_add_point(probe, point);
}

static void time_operation(struct probe *probe, const struct operation_set *set,
                           enum operation operation)
{
    const char *missing = operation_missing(set, operation);
    struct operation_data data;

    operation_fill(&data, set, operation);
    for (int i = 0; i < OPERATION_COUNTS && !probe_stopped(probe); i++) {
        struct measurement_point point =
            operation_point(operation_name(operation), set->type, set->bits);
        int chains = operation_chains[i];

        if (missing != NULL) {
            char reason[60];

            snprintf(reason, sizeof reason, "the CPU has no %s", missing);
            add_missing(probe, &point, reason);
            return;
        }
        point.parameter[PARAMETER_CHAINS] = chains;
        if (operation == OPERATION_SQRT && chains == 1)
            add_missing(probe, &point,
                        "a chain of square roots converges to 1, which may be faster");
        else if (set->loop[operation][i] != NULL)
            probe_time_loop(probe, set->loop[operation][i], &data, OPERATION_STEPS * chains,
                            &point);
    }
}

static void time_subnormals(struct probe *probe, const struct subnormal_loop *loop, bool flush)
{
    const char *missing = subnormal_missing(loop, flush);
    struct subnormal_data data;

    for (int i = 0; i < SUBNORMAL_SHARES && !probe_stopped(probe); i++) {
        struct measurement_point point =
            operation_point(operation_name(loop->operation), loop->type, loop->bits);

        point.parameter[PARAMETER_SUBNORMAL] = subnormal_share(i);
        point.parameter[PARAMETER_FLUSH] = flush;
        subnormal_fill(&data, loop, subnormal_share(i));
        data.flush = flush;
        if (missing == NULL)
            probe_time_loop(probe, loop->loop, &data, SUBNORMAL_STEPS, &point);
        else
            add_missing(probe, &point, missing);
    }
}

/* Times the operations of a set with operands in the first `size` B of memory. */
static void time_operands(struct probe *probe, const struct operation_set *set,
                          unsigned char *bytes, size_t size)
{
    for (int i = 0; i < OPERATIONS && !probe_stopped(probe); i++) {
        enum operation operation = (enum operation)i;
        struct measurement_point point =
            operation_point(operation_name(operation), set->type, set->bits);
        struct operand_data data;

        if (operation_missing(set, operation) != NULL)
            continue;
        operand_fill(&data, set, operation, bytes, size);
        point.parameter[PARAMETER_SIZE] = (double)size;
        point.parameter[PARAMETER_CHAINS] = OPERAND_CHAINS;
        set->operand_loop[operation](&data, (uint64_t)(data.end - data.bytes) /
                                                (OPERAND_CHAINS * (uint64_t)set->bits / 8));
        probe_time_loop(probe, set->operand_loop[operation], &data, OPERAND_CHAINS, &point);
    }
}

/* Scalars, and the widest registers of either type. */
static bool has_operands(const struct operation_set *set)
{
    bool widest = set->has();

    for (const struct operation_set *other = set + 1;
         other < operation_sets + operation_set_count && widest; other++)
        widest = !other->has() || strcmp(other->type, set->type) != 0;
    return widest || (set->has() && set->lanes == 1 && strcmp(set->type, "f32") == 0);
}

static int operand_sizes(const struct probe *probe, size_t sizes[BANDWIDTH_SIZES_MAX])
{
    return bandwidth_sizes(&system_here()->kind[0].caches, 1, true, probe->largest, sizes);
}

static int count_operand_sets(void)
{
    int count = 0;

    for (int i = 0; i < operation_set_count; i++)
        count += has_operands(&operation_sets[i]);
    return count;
}

/* Times operands from every cache and from memory; `done`: what the part has done before, 0-1. */
static void time_all_operands(struct probe *probe, double done)
{
    size_t sizes[BANDWIDTH_SIZES_MAX];
    const int count = operand_sizes(probe, sizes);
    const double step = (1 - done) / (count * count_operand_sets());
    struct huge_pages pages;

    if (!huge_pages_map(probe, &pages, sizes[count - 1] + OPERANDS_LEAST)) {
        error_set(probe->error, STATUS_IO, "out of memory for operands of %zu B", sizes[count - 1]);
        return;
    }
    for (int i = 0; i < operation_set_count; i++)
        for (int k = 0; k < count && has_operands(&operation_sets[i]); k++) {
            time_operands(probe, &operation_sets[i], pages.bytes, sizes[k]);
            probe_report(probe, MEASUREMENT_OPERATIONS, done += step);
        }
    huge_pages_unmap(&pages);
}

static void repeat_overlap(void *data, uint64_t repeats)
{
    float value = 1;

    (void)data;
    overlap_loop(&value, repeats);
    probe_keep_value((double)value);
}

/* Six instructions. */
#if defined __x86_64__
#define HAS_MIX true
#define MIX                                                                                        \
    "add %5, %0\n\tmov %6, %4\n\tadd %5, %1\n\t"                                                   \
    "add %5, %2\n\tmov %6, %4\n\tadd %5, %3\n\t"
#elif defined __aarch64__
#define HAS_MIX true
#define MIX                                                                                        \
    "add %0, %0, %5\n\tldr %4, %6\n\tadd %1, %1, %5\n\t"                                           \
    "add %2, %2, %5\n\tldr %4, %6\n\tadd %3, %3, %5\n\t"
#else
#define HAS_MIX false
#define MIX ""
#endif
#define MIX_4 MIX MIX MIX MIX
#define MIX_INSTRUCTIONS 96

static void repeat_mix(void *data, uint64_t repeats)
{
    uint64_t sum[4] = {0}, loaded = 0, step = 3;
    volatile uint64_t memory = 1;

    (void)data;
    for (uint64_t i = 0; i < repeats; i++)
        __asm__ volatile(MIX_4 MIX_4 MIX_4 MIX_4
                         : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3]), "=&r"(loaded)
                         : "r"(step), "m"(memory)
                         : "cc");
    probe_keep_value((double)(sum[0] + sum[1] + sum[2] + sum[3] + loaded));
}

static struct probe short_runs(const struct probe *probe)
{
    struct probe own = *probe;

    own.shortest = smaller(own.shortest, LONGEST_RUN);
    return own;
}

double probe_operations_seconds(const struct probe *probe)
{
    const struct probe own = short_runs(probe);
    size_t sizes[BANDWIDTH_SIZES_MAX];
    const int count = operand_sizes(probe, sizes);
    int loops = 2 * subnormal_loop_count * SUBNORMAL_SHARES;
    double bytes = 0; /* of operands, filled and read for each operation */

    for (int i = 0; i < operation_set_count; i++) {
        const struct operation_set *set = &operation_sets[i];

        for (int k = 0; set->has() && k < OPERATIONS * OPERATION_COUNTS; k++)
            loops += set->loop[k / OPERATION_COUNTS][k % OPERATION_COUNTS] != NULL;
        for (int k = 0; has_operands(set) && k < count; k++) {
            loops += OPERATIONS;
            bytes += OPERATIONS * (double)sizes[k];
        }
    }
    return loops * probe_loop_seconds(&own, 0) + bytes / PROBE_FILL_RATE;
}

enum status probe_operations(struct probe *probe, struct error *error)
{
    struct measurement_point clock = operation_point(CLOCK_NAME, "int", 0);
    struct measurement_point overlap =
        measurement_point(MEASUREMENT_OPERATIONS, OVERLAP_NAME, "f32");
    struct measurement_point issue = operation_point(ISSUE_NAME, "int", 0);
    struct clock_data clock_data = {.step = 3};
    int operations = operation_set_count * OPERATIONS;
    size_t sizes[BANDWIDTH_SIZES_MAX];
    int some = operations + 2 * subnormal_loop_count;
    double all = some + count_operand_sets() * operand_sizes(probe, sizes);
    struct probe own;

    probe_begin(probe, error);
    own = short_runs(probe);
    describe_instructions(probe->measurement->condition[CONDITION_VECTORS]);
    for (int i = 0; i < some && !probe_stopped(probe); i++) {
        /* Once per set of operations, because wide registers may reduce the clock. */
        if (i < operations && i % OPERATIONS == 0)
            probe_time_loop(&own, clock_loop, &clock_data, CLOCK_STEPS, &clock);
        if (i < operations)
            time_operation(&own, &operation_sets[i / OPERATIONS], (enum operation)(i % OPERATIONS));
        else
            time_subnormals(&own, &subnormal_loops[(i - operations) / 2],
                            (i - operations) % 2 == 1);
        probe_report(probe, MEASUREMENT_OPERATIONS, (i + 1) / all);
    }
    overlap.parameter[PARAMETER_BITS] = 32;
    if (!probe_stopped(probe))
        probe_time_loop(&own, repeat_overlap, NULL, OVERLAP_DEPTH, &overlap);
    if (!probe_stopped(probe) && HAS_MIX)
        probe_time_loop(&own, repeat_mix, NULL, MIX_INSTRUCTIONS, &issue);
    if (!probe_stopped(probe))
        time_all_operands(&own, some / all);
    return error->status;
}

/* The out-of-order window ---------------------------------------------------------------------- */

/* Keeps a value in a floating-point register and hides it from the optimiser. */
#if defined __x86_64__
#define HIDE(value) __asm__ volatile("" : "+x"(value))
#elif defined __aarch64__
#define HIDE(value) __asm__ volatile("" : "+w"(value))
#else
#define HIDE(value) __asm__ volatile("" : "+m"(value))
#endif

#define ADD                                                                                        \
    {                                                                                              \
        sum += step;                                                                               \
        HIDE(sum);                                                                                 \
    }
#define ADD_8 ADD ADD ADD ADD ADD ADD ADD ADD

void overlap_loop(void *data, uint64_t chains)
{
    float *value = data;
    const float start = *value;
    float step = 0.125F;
    float sum = start;

    HIDE(step);
    for (uint64_t i = 0; i < chains; i++) {
        sum = start;
        HIDE(sum);
        ADD_8 ADD_8 ADD_8 ADD_8 ADD_8 ADD_8 ADD_8 ADD_8
    }
    *value = sum;
}

double operation_window(double seconds, double latency)
{
    if (seconds == RESULT_NONE || latency == RESULT_NONE)
        return RESULT_NONE;
    return larger(0, OVERLAP_DEPTH * (latency / seconds - 1));
}

/* Rows of the table ---------------------------------------------------------------------------- */

#define RATE_TOLERANCE 0.05 /* relative difference within which rates are equal */

static double element_bits(const char *type)
{
    return strcmp(type, "f64") == 0 ? 64 : 32;
}

double subnormal_share(int index)
{
    return (double)index / (SUBNORMAL_SHARES - 1);
}

static int find_operation_row(const struct operation_table *table, const char *name,
                              const char *type, double bits)
{
    int i = 0;

    while (i < table->rows && (strcmp(table->row[i].name, name) != 0 ||
                               strcmp(table->row[i].type, type) != 0 || table->row[i].bits != bits))
        i++;
    return i;
}

const struct operation_row *operation_table_find(const struct operation_table *table,
                                                 const char *name, const char *type, double bits)
{
    int found = find_operation_row(table, name, type, bits > 0 ? bits : element_bits(type));

    return found < table->rows ? &table->row[found] : NULL;
}

#define WIDTH_MAX 65536 /* bits; no register is as wide */

/* Returns the row of a point, adding it if missing; NULL if invalid or full. */
static struct operation_row *row_for_point(struct operation_table *table,
                                           const struct measurement_point *point)
{
    double bits = point->parameter[PARAMETER_BITS];
    int found = find_operation_row(table, point->name, point->type, bits);
    struct operation_row *row = &table->row[found];

    if (!(bits > 0) || bits > WIDTH_MAX || found == OPERATION_ROWS_MAX)
        return NULL;
    if (found == table->rows) {
        *row = (struct operation_row){.bits = bits,
                                      .lanes = (int)larger(1, bits / element_bits(point->type)),
                                      .latency = RESULT_NONE,
                                      .latency_cycles = RESULT_NONE,
                                      .rate = RESULT_NONE,
                                      .rate_per_cycle = RESULT_NONE,
                                      .element_rate = RESULT_NONE,
                                      .parallelism = RESULT_NONE};
        memcpy(row->name, point->name, sizeof row->name);
        memcpy(row->type, point->type, sizeof row->type);
        table->rows++;
    }
    return row;
}

/* `clock` is in Hz, or RESULT_NONE. */
static void add_operation(struct operation_table *table, const struct measurement_point *point,
                          double clock)
{
    struct operation_row *row = row_for_point(table, point);
    double chains = point->parameter[PARAMETER_CHAINS];
    double least = point_least(point);

    if (row == NULL)
        return;
    if (point->count == 0) {
        memcpy(row->remark, point->remark, sizeof row->remark);
        return;
    }
    if (chains == 1) {
        row->latency = least;
        row->latency_cycles = clock > 0 ? least * clock : RESULT_NONE;
        row->latency_noisy = point_noisy(point);
    }
    if (chains >= 1 && 1 / least > row->rate) {
        row->rate = 1 / least;
        row->rate_per_cycle = clock > 0 ? row->rate / clock : RESULT_NONE;
        row->element_rate = row->rate * row->lanes;
        row->chains = (int)chains;
        row->rate_noisy = point_noisy(point);
    }
}

/* Returns the curve of a point, adding it if missing; NULL if full. */
static struct subnormal_curve *curve_for_point(struct operation_table *table,
                                               const struct measurement_point *point)
{
    struct subnormal_curve *curve = table->curve;
    struct subnormal_curve *end = curve + table->curves;

    while (curve < end &&
           (strcmp(curve->name, point->name) != 0 || strcmp(curve->type, point->type) != 0))
        curve++;
    if (curve < end)
        return curve;
    if (table->curves == SUBNORMAL_CURVES_MAX)
        return NULL;
    table->curves++;
    memcpy(curve->name, point->name, sizeof curve->name);
    memcpy(curve->type, point->type, sizeof curve->type);
    for (int flush = 0; flush < 2; flush++) {
        curve->penalty[flush] = RESULT_NONE;
        for (int i = 0; i < SUBNORMAL_SHARES; i++)
            curve->time[flush][i] = RESULT_NONE;
    }
    return curve;
}

/* Figures of the machine ----------------------------------------------------------------------- */

static bool is_single_precision(const struct operation_row *row, enum operation operation)
{
    return strcmp(row->name, operation_name(operation)) == 0 && strcmp(row->type, "f32") == 0;
}

/* Finds the widest register within 5 % of the highest rate per element. */
static void find_best_registers(struct operation_table *table, enum operation operation)
{
    double highest = 0;

    for (int i = 0; i < table->rows; i++)
        if (is_single_precision(&table->row[i], operation))
            highest = larger(highest, table->row[i].element_rate);
    for (int i = 0; i < table->rows; i++) {
        const struct operation_row *row = &table->row[i];

        if (is_single_precision(row, operation) && row->element_rate > 0 &&
            row->element_rate >= (1 - RATE_TOLERANCE) * highest && row->bits > table->best_bits) {
            table->best_bits = row->bits;
            table->fma_per_cycle = row->rate_per_cycle;
        }
    }
}

/* Returns the latency of scalars, otherwise of the narrowest vectors. */
static double narrowest_latency(const struct operation_table *table, enum operation operation)
{
    double latency = RESULT_NONE;
    double bits = INFINITY;

    for (int i = 0; i < table->rows; i++) {
        const struct operation_row *row = &table->row[i];

        if (is_single_precision(row, operation) && row->latency > 0 && row->bits < bits) {
            latency = row->latency;
            bits = row->bits;
        }
    }
    return latency;
}

void operation_table_make(const struct measurement *measurement, struct operation_table *table)
{
    const struct operation_row *scalar;
    double clock = RESULT_NONE;

    *table = (struct operation_table){.clock = RESULT_NONE,
                                      .widest_bits = RESULT_NONE,
                                      .best_bits = RESULT_NONE,
                                      .fma_per_cycle = RESULT_NONE,
                                      .subnormal_penalty = {RESULT_NONE, RESULT_NONE}};
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (point->part != MEASUREMENT_OPERATIONS || strcmp(point->name, OVERLAP_NAME) == 0 ||
            strcmp(point->name, ISSUE_NAME) == 0 || !isnan(point->parameter[PARAMETER_SIZE]))
            continue;
        if (strcmp(point->name, CLOCK_NAME) == 0) {
            clock = point->count > 0 ? 1 / point_least(point) : clock;
            table->clock = larger(table->clock, clock);
        } else if (!isnan(point->parameter[PARAMETER_SUBNORMAL])) {
            struct subnormal_curve *curve = point->count > 0 ? curve_for_point(table, point) : NULL;

            for (int s = 0; curve != NULL && s < SUBNORMAL_SHARES; s++)
                if (point->parameter[PARAMETER_SUBNORMAL] == subnormal_share(s))
                    curve->time[point->parameter[PARAMETER_FLUSH] > 0][s] = point_least(point);
        } else {
            add_operation(table, point, clock);
        }
    }
    for (int i = 0; i < table->rows; i++) {
        struct operation_row *row = &table->row[i];

        if (row->latency > 0 && row->rate > 0)
            row->parallelism = row->latency * row->rate;
        if (row->rate > 0)
            table->widest_bits = larger(table->widest_bits, row->bits);
    }
    for (int i = 0; i < 2 * table->curves; i++) {
        const double *time = table->curve[i / 2].time[i % 2];
        double *penalty = &table->curve[i / 2].penalty[i % 2];

        for (int s = 0; s < SUBNORMAL_SHARES; s++)
            if (time[0] > 0 && time[s] > 0)
                *penalty = larger(*penalty, time[s] / time[0]);
        table->subnormal_penalty[i % 2] = larger(table->subnormal_penalty[i % 2], *penalty);
    }
    find_best_registers(table, OPERATION_FMA_ADDEND);
    table->fma = table->best_bits > 0;
    if (!table->fma)
        find_best_registers(table, OPERATION_MUL);
    table->add_latency = narrowest_latency(table, OPERATION_ADD);
    table->fma_latency = narrowest_latency(table, OPERATION_FMA_ADDEND);
    scalar = operation_table_find(table, operation_name(OPERATION_ADD), "f32", 0);
    table->scalar_rate = scalar == NULL ? RESULT_NONE : scalar->rate_per_cycle;
}
