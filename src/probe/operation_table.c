#include "probe/operation_table.h"

#include <math.h>
#include <string.h>

#include "model/result.h"
#include "probe/operations.h"

#define TIE 0.05 /* rates nearer than that are the same */

static double type_bits(const char *type)
{
    return strcmp(type, "f64") == 0 ? 64 : 32;
}

double subnormal_share(int index)
{
    return (double)index / (SUBNORMAL_SHARES - 1);
}

const struct operation_row *operation_table_find(const struct operation_table *table,
                                                 const char *name, const char *type, double bits)
{
    double wanted = bits > 0 ? bits : type_bits(type);

    for (int i = 0; i < table->rows; i++) {
        const struct operation_row *row = &table->row[i];

        if (strcmp(row->name, name) == 0 && strcmp(row->type, type) == 0 && row->bits == wanted)
            return row;
    }
    return NULL;
}

/* Operations ---------------------------------------------------------------------------------- */

static struct operation_row *row_of(struct operation_table *table,
                                    const struct measurement_point *point)
{
    double bits = point->parameter[PARAMETER_BITS];
    struct operation_row *row;

    for (int i = 0; i < table->rows; i++) {
        row = &table->row[i];
        if (strcmp(row->name, point->name) == 0 && strcmp(row->type, point->type) == 0 &&
            row->bits == bits)
            return row;
    }
    if (table->rows == OPERATION_ROWS_MAX)
        return NULL;
    row = &table->row[table->rows++];
    memcpy(row->name, point->name, sizeof row->name);
    memcpy(row->type, point->type, sizeof row->type);
    row->bits = bits;
    row->lanes = (int)fmax(1, bits / type_bits(row->type));
    row->latency = row->latency_cycles = RESULT_NONE;
    row->rate = row->rate_per_cycle = RESULT_NONE;
    row->element_rate = row->parallelism = RESULT_NONE;
    return row;
}

/* `clock` in Hz, or RESULT_NONE. */
static void add_latency(struct operation_row *row, const struct measurement_point *point,
                        double clock)
{
    row->latency = point_least(point);
    row->latency_cycles = clock > 0 ? row->latency * clock : RESULT_NONE;
    row->latency_noisy = point_noisy(point);
}

static void add_rate(struct operation_row *row, const struct measurement_point *point, double clock)
{
    double rate = 1 / point_least(point);

    if (rate <= row->rate)
        return;
    row->rate = rate;
    row->rate_per_cycle = clock > 0 ? rate / clock : RESULT_NONE;
    row->element_rate = rate * row->lanes;
    row->chains = (int)point->parameter[PARAMETER_CHAINS];
    row->rate_noisy = point_noisy(point);
}

static void add_operation(struct operation_table *table, const struct measurement_point *point,
                          double clock)
{
    struct operation_row *row = point->parameter[PARAMETER_BITS] > 0 ? row_of(table, point) : NULL;

    if (row == NULL)
        return;
    if (point->count == 0) {
        memcpy(row->remark, point->remark, sizeof row->remark);
        return;
    }
    if (point->parameter[PARAMETER_CHAINS] == 1)
        add_latency(row, point, clock);
    if (point->parameter[PARAMETER_CHAINS] >= 1)
        add_rate(row, point, clock);
}

/* Subnormals ---------------------------------------------------------------------------------- */

static struct subnormal_curve *curve_of(struct operation_table *table,
                                        const struct measurement_point *point)
{
    struct subnormal_curve *curve;

    for (int i = 0; i < table->curves; i++) {
        curve = &table->curve[i];
        if (strcmp(curve->name, point->name) == 0 && strcmp(curve->type, point->type) == 0)
            return curve;
    }
    if (table->curves == SUBNORMAL_CURVES_MAX)
        return NULL;
    curve = &table->curve[table->curves++];
    memcpy(curve->name, point->name, sizeof curve->name);
    memcpy(curve->type, point->type, sizeof curve->type);
    for (int flush = 0; flush < 2; flush++) {
        curve->penalty[flush] = RESULT_NONE;
        for (int i = 0; i < SUBNORMAL_SHARES; i++)
            curve->time[flush][i] = RESULT_NONE;
    }
    return curve;
}

static void add_subnormal(struct operation_table *table, const struct measurement_point *point)
{
    struct subnormal_curve *curve = point->count > 0 ? curve_of(table, point) : NULL;

    for (int i = 0; curve != NULL && i < SUBNORMAL_SHARES; i++)
        if (point->parameter[PARAMETER_SUBNORMAL] == subnormal_share(i))
            curve->time[point->parameter[PARAMETER_FLUSH] > 0][i] = point_least(point);
}

static void find_penalty(struct operation_table *table, struct subnormal_curve *curve, int flush)
{
    const double *time = curve->time[flush];

    for (int i = 0; i < SUBNORMAL_SHARES; i++)
        if (time[0] > 0 && time[i] > 0)
            curve->penalty[flush] = fmax(curve->penalty[flush], time[i] / time[0]);
    table->subnormal_penalty[flush] = fmax(table->subnormal_penalty[flush], curve->penalty[flush]);
}

/* The machine --------------------------------------------------------------------------------- */

/* The widest register within 5 % of the highest rate of elements. */
static void find_best(struct operation_table *table, const char *name)
{
    double highest = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < table->rows; i++) {
            const struct operation_row *row = &table->row[i];

            if (strcmp(row->name, name) != 0 || strcmp(row->type, "f32") != 0 ||
                row->element_rate <= 0)
                continue;
            if (pass == 0) {
                highest = fmax(highest, row->element_rate);
            } else if (row->element_rate >= (1 - TIE) * highest && row->bits > table->best_bits) {
                table->best_bits = row->bits;
                table->fma_per_cycle = row->rate_per_cycle;
            }
        }
    }
}

/* The latency of scalars, else of the narrowest vectors. */
static double latency_of(const struct operation_table *table, const char *name)
{
    double latency = RESULT_NONE;
    double bits = INFINITY;

    for (int i = 0; i < table->rows; i++) {
        const struct operation_row *row = &table->row[i];

        if (strcmp(row->name, name) == 0 && strcmp(row->type, "f32") == 0 && row->latency > 0 &&
            row->bits < bits) {
            latency = row->latency;
            bits = row->bits;
        }
    }
    return latency;
}

void operation_table(const struct measurement *measurement, struct operation_table *table)
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

        if (point->part != MEASUREMENT_OPERATIONS || strcmp(point->name, WINDOW_NAME) == 0)
            continue;
        if (strcmp(point->name, "clock") == 0) {
            clock = point->count > 0 ? 1 / point_least(point) : clock;
            table->clock = fmax(table->clock, clock);
        } else if (!isnan(point->parameter[PARAMETER_SUBNORMAL])) {
            add_subnormal(table, point);
        } else {
            add_operation(table, point, clock);
        }
    }
    for (int i = 0; i < table->rows; i++) {
        struct operation_row *row = &table->row[i];

        if (row->latency > 0 && row->rate > 0)
            row->parallelism = row->latency * row->rate;
        if (row->rate > 0)
            table->widest_bits = fmax(table->widest_bits, row->bits);
    }
    for (int i = 0; i < table->curves; i++)
        for (int flush = 0; flush < 2; flush++)
            find_penalty(table, &table->curve[i], flush);
    find_best(table, "fma-addend");
    table->fma = table->best_bits > 0;
    if (!table->fma)
        find_best(table, "mul");
    table->add_latency = latency_of(table, "add");
    table->fma_latency = latency_of(table, "fma-addend");
    scalar = operation_table_find(table, "add", "f32", 0);
    table->scalar_rate = scalar == NULL ? RESULT_NONE : scalar->rate_per_cycle;
}
