#include "probe/operations.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "model/result.h"

/* A clock of 1 GHz: cycles are nanoseconds. */
#define CYCLE 1e-9

static void add(struct measurement *measurement, struct measurement_point *point, double seconds)
{
    /* The least sample counts. */
    if (seconds > 0) {
        point->sample[point->count++] = 1.02 * seconds;
        point->sample[point->count++] = seconds;
        point->sample[point->count++] = 1.01 * seconds;
    }
    measurement_add(measurement, point);
}

static void add_clock(struct measurement *measurement, double cycle)
{
    struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, "clock", "int");

    point.parameter[PARAMETER_CHAINS] = 1;
    add(measurement, &point, cycle);
}

/* Chains of an operation of `latency` cycles on a machine that starts `pipes` a cycle. */
static void add_chains(struct measurement *measurement, const char *name, const char *type,
                       double bits, double latency, double pipes)
{
    for (int chains = 1; chains <= 16; chains *= 2) {
        struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, name, type);

        point.parameter[PARAMETER_BITS] = bits;
        point.parameter[PARAMETER_CHAINS] = chains;
        add(measurement, &point, CYCLE * fmax(latency / chains, 1 / pipes));
    }
}

static void add_remark(struct measurement *measurement, const char *name, double bits,
                       double chains, const char *remark)
{
    struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, name, "f32");

    point.parameter[PARAMETER_BITS] = bits;
    point.parameter[PARAMETER_CHAINS] = chains;
    strcpy(point.remark, remark);
    add(measurement, &point, 0);
}

TEST(latency_throughput_and_what_is_under_way)
{
    struct measurement measurement = {0};
    struct operation_table table;
    const struct operation_row *row;

    add_clock(&measurement, CYCLE);
    add_chains(&measurement, "add", "f32", 32, 3, 2);
    add_chains(&measurement, "fma-addend", "f64", 256, 4, 2);
    operation_table_make(&measurement, &table);
    CHECK_INT(table.rows, 2);
    CHECK_NEAR(table.clock, 1 / CYCLE, 1e-12);
    CHECK_NEAR(table.add_latency, 3 * CYCLE, 1e-12);
    CHECK_NEAR(table.widest_bits, 256, 0);
    row = operation_table_find(&table, "fma-addend", "f64", 256);
    if (CHECK(row != NULL)) {
        CHECK_INT(row->lanes, 4);
        CHECK_NEAR(row->latency, 4 * CYCLE, 1e-12);
        CHECK_NEAR(row->latency_cycles, 4, 1e-12);
        CHECK_NEAR(row->rate, 2 / CYCLE, 1e-12);
        CHECK_NEAR(row->rate_per_cycle, 2, 1e-12);
        CHECK_NEAR(row->element_rate, 8 / CYCLE, 1e-12);
        CHECK_NEAR(row->parallelism, 8, 1e-12);
        CHECK_INT(row->chains, 8);
        CHECK(!row->latency_noisy && !row->rate_noisy);
    }
    row = operation_table_find(&table, "add", "f32", 0);
    CHECK(row == &table.row[0]);
    if (row != NULL)
        CHECK_INT(row->lanes, 1);
    CHECK(operation_table_find(&table, "add", "f64", 0) == NULL);
    measurement_free(&measurement);
}

/* Each row's cycles are those of the clock measured last before it. */
TEST(cycles_are_of_the_clock_before)
{
    struct measurement measurement = {0};
    struct operation_table table;

    add_chains(&measurement, "max", "f32", 32, 1, 2);
    add_clock(&measurement, CYCLE);
    add_chains(&measurement, "add", "f32", 32, 3, 2);
    add_clock(&measurement, 2 * CYCLE);
    add_chains(&measurement, "add", "f32", 512, 3, 2);
    operation_table_make(&measurement, &table);
    CHECK_NEAR(table.clock, 1 / CYCLE, 1e-12);
    CHECK_INT(table.rows, 3);
    CHECK(table.row[0].latency_cycles == RESULT_NONE);
    CHECK(table.row[0].rate_per_cycle == RESULT_NONE);
    CHECK_NEAR(table.row[1].latency_cycles, 3, 1e-12);
    CHECK_NEAR(table.row[2].latency_cycles, 1.5, 1e-12);
    CHECK_NEAR(table.row[2].rate_per_cycle, 4, 1e-12);
    measurement_free(&measurement);
}

TEST(what_is_not_available_says_so)
{
    struct measurement measurement = {0};
    struct operation_table table;

    add_clock(&measurement, CYCLE);
    add_remark(&measurement, "sqrt", 32, 1, "n/a: goes to one");
    for (int chains = 2; chains <= 4; chains *= 2) {
        struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, "sqrt", "f32");

        point.parameter[PARAMETER_BITS] = 32;
        point.parameter[PARAMETER_CHAINS] = chains;
        add(&measurement, &point, 5 * CYCLE);
    }
    add_remark(&measurement, "add", 512, 1, "n/a: no AVX-512");
    operation_table_make(&measurement, &table);
    if (CHECK_INT(table.rows, 2)) {
        CHECK(table.row[0].latency == RESULT_NONE);
        CHECK(table.row[0].parallelism == RESULT_NONE);
        CHECK_NEAR(table.row[0].rate_per_cycle, 0.2, 1e-12);
        CHECK_INT(table.row[0].chains, 2);
        CHECK_STR(table.row[0].remark, "n/a: goes to one");
        CHECK(table.row[1].rate == RESULT_NONE);
        CHECK_INT(table.row[1].chains, 0);
        CHECK_STR(table.row[1].remark, "n/a: no AVX-512");
    }
    CHECK_NEAR(table.widest_bits, 32, 0);
    measurement_free(&measurement);
}

/* Rates in multiply-adds per cycle at 128, 256 and 512 bit. */
TEST(the_most_productive_width)
{
    static const struct {
        double rate[3], best, per_cycle;
    } cases[] = {
        {{2, 2, 1}, 512, 1},       /* wide registers are worked off in halves */
        {{2, 2, 0.98}, 512, 0.98}, /* noise decides nothing */
        {{2, 2, 2}, 512, 2},       {{2, 2, 0.8}, 256, 2},
        {{4, 2, 1}, 512, 1},       {{4, 1, 0.4}, 128, 4},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int fma = 0; fma <= 1; fma++) {
            struct measurement measurement = {0};
            struct operation_table table;

            add_clock(&measurement, CYCLE);
            for (int width = 0; width < 3; width++) {
                add_chains(&measurement, fma ? "fma-addend" : "mul", "f32", 128 << width, 4,
                           cases[i].rate[width]);
                /* Elements of half the size are no reason. */
                add_chains(&measurement, fma ? "fma-addend" : "mul", "f64", 128 << width, 4, 8);
            }
            operation_table_make(&measurement, &table);
            CHECK_INT(table.fma, fma);
            CHECK_NEAR(table.best_bits, cases[i].best, 0);
            CHECK_NEAR(table.fma_per_cycle, cases[i].per_cycle, 1e-12);
            CHECK_NEAR(table.widest_bits, 512, 0);
            CHECK_NEAR(table.fma_latency, fma ? 4 * CYCLE : RESULT_NONE, 1e-12);
            measurement_free(&measurement);
        }
    }
}

TEST(the_curve_of_subnormal_inputs)
{
    struct measurement measurement = {0};
    struct operation_table table;

    add_chains(&measurement, "mul", "f64", 64, 3, 2);
    for (int flush = 0; flush <= 1; flush++) {
        for (int i = 0; i < SUBNORMAL_SHARES; i++) {
            struct measurement_point point =
                measurement_point(MEASUREMENT_OPERATIONS, "mul", "f64");

            point.parameter[PARAMETER_BITS] = 64;
            point.parameter[PARAMETER_SUBNORMAL] = subnormal_share(i);
            point.parameter[PARAMETER_FLUSH] = flush;
            add(&measurement, &point, CYCLE * (1 + (flush ? 0 : 40) * subnormal_share(i)));
        }
    }
    operation_table_make(&measurement, &table);
    CHECK_INT(table.rows, 1);
    CHECK_NEAR(table.row[0].latency, 3 * CYCLE, 1e-12);
    if (CHECK_INT(table.curves, 1)) {
        CHECK_STR(table.curve[0].name, "mul");
        CHECK_STR(table.curve[0].type, "f64");
        CHECK_NEAR(table.curve[0].time[0][1], 11 * CYCLE, 1e-12);
        CHECK_NEAR(table.curve[0].time[1][4], CYCLE, 1e-12);
        CHECK_NEAR(table.curve[0].penalty[0], 41, 1e-12);
        CHECK_NEAR(table.curve[0].penalty[1], 1, 1e-12);
    }
    CHECK_NEAR(table.subnormal_penalty[0], 41, 1e-12);
    CHECK_NEAR(table.subnormal_penalty[1], 1, 1e-12);
    measurement_free(&measurement);
}

/* Of any points there is a table: more rows than it holds, none at all, other parts. */
TEST(any_points_make_a_table)
{
    struct measurement measurement = {0};
    struct measurement_point other = measurement_point(MEASUREMENT_MEMORY, "add", "f32");
    struct operation_table table;

    other.parameter[PARAMETER_BITS] = 32;
    other.parameter[PARAMETER_CHAINS] = 1;
    add(&measurement, &other, CYCLE);
    other.part = MEASUREMENT_OPERATIONS;
    other.parameter[PARAMETER_BITS] = (double)NAN;
    add(&measurement, &other, CYCLE);
    operation_table_make(&measurement, &table);
    CHECK_INT(table.rows, 0);
    CHECK_INT(table.curves, 0);
    CHECK(!table.fma);
    CHECK(table.clock == RESULT_NONE && table.widest_bits == RESULT_NONE);
    CHECK(table.best_bits == RESULT_NONE && table.fma_per_cycle == RESULT_NONE);
    CHECK(table.add_latency == RESULT_NONE && table.fma_latency == RESULT_NONE);
    CHECK(table.subnormal_penalty[0] == RESULT_NONE);
    for (int i = 0; i < OPERATION_ROWS_MAX + 3; i++)
        add_chains(&measurement, "add", "f32", 32 + i, 3, 1);
    operation_table_make(&measurement, &table);
    CHECK_INT(table.rows, OPERATION_ROWS_MAX);
    measurement_free(&measurement);
}
