#include "probe/operations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "probe/loops/operation_loops.h"

/* A step of a chain as operation_loops.h states it, each result rounded once. */
static double step_f64(enum operation operation, double r, double a)
{
    switch (operation) {
    case OPERATION_ADD:
        return r + a;
    case OPERATION_MUL:
        return r * a;
    case OPERATION_FMA_ADDEND:
        return fma(a, a, r);
    case OPERATION_FMA_MULTIPLIER:
        return fma(r, a, a);
    case OPERATION_MAX:
        return r > a ? r : a;
    case OPERATION_DIV_NUMERATOR:
        return r / a;
    case OPERATION_DIV_DENOMINATOR:
        return a / r;
    default:
        return sqrt(a);
    }
}

static float step_f32(enum operation operation, float r, float a)
{
    switch (operation) {
    case OPERATION_ADD:
        return r + a;
    case OPERATION_MUL:
        return r * a;
    case OPERATION_FMA_ADDEND:
        return fmaf(a, a, r);
    case OPERATION_FMA_MULTIPLIER:
        return fmaf(r, a, a);
    case OPERATION_MAX:
        return r > a ? r : a;
    case OPERATION_DIV_NUMERATOR:
        return r / a;
    case OPERATION_DIV_DENOMINATOR:
        return a / r;
    default:
        return sqrtf(a);
    }
}

static double get(const struct operation_set *set, const unsigned char *bytes, int lane)
{
    float f32;
    double f64;

    if (strcmp(set->type, "f32") == 0) {
        memcpy(&f32, bytes + (size_t)lane * sizeof f32, sizeof f32);
        return (double)f32;
    }
    memcpy(&f64, bytes + (size_t)lane * sizeof f64, sizeof f64);
    return f64;
}

static void put(const struct operation_set *set, unsigned char *bytes, int lane, double value)
{
    float f32 = (float)value;

    if (strcmp(set->type, "f32") == 0)
        memcpy(bytes + (size_t)lane * sizeof f32, &f32, sizeof f32);
    else
        memcpy(bytes + (size_t)lane * sizeof value, &value, sizeof value);
}

static double expected(const struct operation_set *set, enum operation operation,
                       const struct operation_data *data, int chain, int lane, int steps)
{
    double r = get(set, data->start[chain], lane);

    for (int i = 0; i < steps; i++) {
        double a = get(set, data->operand[i % 2], lane);

        if (strcmp(set->type, "f32") == 0)
            r = (double)step_f32(operation, (float)r, (float)a);
        else
            r = step_f64(operation, r, a);
    }
    return r;
}

/* No lane of a chain is like another, so what mixes them up shows. */
static void fill_differently(struct operation_data *data, const struct operation_set *set,
                             enum operation operation)
{
    operation_fill(data, set, operation);
    for (int lane = 0; lane < set->lanes; lane++) {
        put(set, data->operand[0], lane, 1.1 + lane / 17.0);
        put(set, data->operand[1], lane, -0.6 - lane / 19.0);
        if (operation == OPERATION_SQRT)
            put(set, data->operand[1], lane, 2.2 + lane / 19.0);
        for (int chain = 0; chain < OPERATION_CHAINS_MAX; chain++)
            put(set, data->start[chain], lane, 0.3 + chain / 7.0 + lane / 11.0);
    }
}

static void check_loop(const struct operation_set *set, enum operation operation, int count)
{
    int chains = operation_chains[count];

    for (int repeats = 0; repeats <= 3; repeats++) {
        struct operation_data data;

        fill_differently(&data, set, operation);
        set->loop[operation][count](&data, (uint64_t)repeats);
        for (int chain = 0; chain < OPERATION_CHAINS_MAX; chain++) {
            for (int lane = 0; lane < set->lanes; lane++) {
                double is = get(set, data.result[chain], lane);
                double should = chain >= chains ? 0
                                                : expected(set, operation, &data, chain, lane,
                                                           OPERATION_STEPS * repeats);

                if (is != should)
                    CHECK_TRUE(
                        false,
                        "%s %s %d bit, %d chains, %d repeats: chain %d lane %d is %.17g, not %.17g",
                        operation_name(operation), set->type, set->bits, chains, repeats, chain,
                        lane, is, should);
            }
        }
    }
}

TEST(every_loop_computes_its_chains)
{
    int checked = 0, lacking = 0;

    for (int i = 0; i < operation_set_count; i++) {
        const struct operation_set *set = &operation_sets[i];

        for (int operation = 0; operation < OPERATIONS; operation++) {
            if (operation_missing(set, (enum operation)operation) != NULL) {
                lacking++;
                continue;
            }
            for (int count = 0; count < OPERATION_COUNTS; count++) {
                if (set->loop[operation][count] != NULL) {
                    check_loop(set, (enum operation)operation, count);
                    checked++;
                }
            }
            /* Up to sixteen chains everywhere. */
            CHECK(set->loop[operation][OPERATION_COUNTS - 2] != NULL);
        }
    }
    printf("# %d loops, %d operations the CPU lacks\n", checked, lacking);
    CHECK(checked >= 4 * (OPERATIONS - 2) * (OPERATION_COUNTS - 1));
}

/* However long it runs, a chain of the probe's own operands stays among normal numbers. */
TEST(operands_keep_chains_normal)
{
    for (int i = 0; i < operation_set_count; i++) {
        const struct operation_set *set = &operation_sets[i];

        for (int operation = 0; operation < OPERATIONS; operation++) {
            struct operation_data data;

            if (operation_missing(set, (enum operation)operation) != NULL)
                continue;
            operation_fill(&data, set, (enum operation)operation);
            for (uint64_t repeats = 1; repeats <= 10000; repeats *= 100) {
                set->loop[operation][0](&data, repeats);
                for (int lane = 0; lane < set->lanes; lane++) {
                    double value = get(set, data.result[0], lane);

                    CHECK_TRUE(value > 0.1 && value < 1e8, "%s %s %d bit: %g",
                               operation_name((enum operation)operation), set->type, set->bits,
                               value);
                }
            }
        }
    }
}

TEST(the_clock_counts_its_steps)
{
    for (uint64_t repeats = 0; repeats <= 5; repeats++) {
        struct clock_data data = {.step = 3, .sum = 7};

        clock_loop(&data, repeats);
        CHECK_INT(data.sum, 7 + 3 * CLOCK_STEPS * repeats);
    }
}

static double rounded(const struct subnormal_loop *loop, double value, bool flush)
{
    bool f32 = strcmp(loop->type, "f32") == 0;

    if (flush && fabs(value) < (f32 ? 0x1p-126 : 0x1p-1022))
        return 0;
    return f32 ? (double)(float)value : value;
}

/* A step as operation_loops.h states it for subnormal numbers. */
static double subnormal_step(const struct subnormal_loop *loop, double r, double a)
{
    if (loop->operation == OPERATION_FMA_MULTIPLIER)
        return r * a;
    return strcmp(loop->type, "f32") == 0 ? (double)step_f32(loop->operation, (float)r, (float)a)
                                          : step_f64(loop->operation, r, a);
}

/* Each share is exact, and with flush-to-zero what is subnormal comes out as zero; afterwards the
 * arithmetic is as it was. */
static void check_subnormals(const struct subnormal_loop *loop, double share, bool flush,
                             int repeats)
{
    double limit = strcmp(loop->type, "f32") == 0 ? 0x1p-126 : 0x1p-1022;
    volatile double least = 0x1p-1022;
    struct subnormal_data data;
    int subnormal = 0;
    double r;

    subnormal_fill(&data, loop, share);
    data.flush = flush;
    r = rounded(loop, data.start, flush);
    for (int i = 0; i < SUBNORMAL_STEPS * repeats; i++) {
        double a = rounded(loop, data.operand[i % SUBNORMAL_STEPS], flush);

        subnormal +=
            (r > 0 && r < limit && loop->operation != OPERATION_SQRT) || (a > 0 && a < limit);
        r = rounded(loop, subnormal_step(loop, r, a), flush);
    }
    CHECK_TRUE(subnormal == (flush ? 0 : lround(share * SUBNORMAL_STEPS) * repeats),
               "%s %s: %d subnormal of %g", operation_name(loop->operation), loop->type, subnormal,
               share);
    loop->loop(&data, (uint64_t)repeats);
    CHECK_TRUE(data.result == r, "%s %s, %g subnormal, flush %d, %d repeats: %g, not %g",
               operation_name(loop->operation), loop->type, share, flush, repeats, data.result, r);
    CHECK(least / 2 > 0);
}

TEST(subnormals_computed_and_flushed)
{
    for (int i = 0; i < subnormal_loop_count; i++)
        for (int share = 0; share < SUBNORMAL_SHARES; share++)
            for (int flush = 0; flush <= 1; flush++)
                for (int repeats = 1; repeats <= 3; repeats++)
                    if (subnormal_missing(&subnormal_loops[i], flush != 0) == NULL)
                        check_subnormals(&subnormal_loops[i], subnormal_share(share), flush != 0,
                                         repeats);
}

/* Each chain has its own operands, and the memory begins again where it ends. */
TEST(operands_are_read_in_order)
{
    static _Alignas(64) unsigned char bytes[5 * OPERAND_CHAINS * 64];

    for (int i = 0; i < operation_set_count * OPERATIONS; i++) {
        const struct operation_set *set = &operation_sets[i / OPERATIONS];
        enum operation operation = (enum operation)(i % OPERATIONS);
        const size_t width = (size_t)set->bits / 8, round = 2 * OPERAND_CHAINS * width;
        struct operand_data data;
        double should[OPERAND_CHAINS];
        int wrong = 0;

        if (operation_missing(set, operation) != NULL)
            continue;
        operand_fill(&data, set, operation, bytes, 5 * OPERAND_CHAINS * width);
        CHECK_INT(data.end - data.bytes, 2 * round);
        for (int at = 0; at < 4 * OPERAND_CHAINS; at++) {
            CHECK_NEAR(get(set, bytes + (size_t)at * width, set->lanes - 1),
                       get(set, data.values.operand[at / OPERAND_CHAINS % 2], 0), 0);
            for (int lane = 0; lane < set->lanes; lane++)
                put(set, bytes + (size_t)at * width, lane, 1.1 + at / 17.0 + lane / 19.0);
        }
        for (int chain = 0; chain < OPERAND_CHAINS; chain++)
            should[chain] = get(set, data.values.start[chain], 0);
        for (int step = 0; step < 7; step++)
            for (int chain = 0; chain < OPERAND_CHAINS; chain++) {
                double a = get(set, bytes + (size_t)(step % 4 * OPERAND_CHAINS + chain) * width, 0);

                should[chain] = strcmp(set->type, "f32") == 0
                                    ? (double)step_f32(operation, (float)should[chain], (float)a)
                                    : step_f64(operation, should[chain], a);
            }
        set->operand_loop[operation](&data, 3);
        CHECK(data.at == bytes + 3 * OPERAND_CHAINS * width);
        memcpy(data.values.start, data.values.result, sizeof data.values.start);
        set->operand_loop[operation](&data, 4);
        CHECK(data.at == data.bytes + 3 * OPERAND_CHAINS * width);
        for (int chain = 0; chain < OPERAND_CHAINS; chain++)
            wrong += get(set, data.values.result[chain], 0) != should[chain];
        CHECK_TRUE(wrong == 0, "%s %s %d bit: %d chains", operation_name(operation), set->type,
                   set->bits, wrong);
    }
}

struct stopping {
    int left;
    double done;
    bool backwards;
};

static bool stopped(void *context)
{
    struct stopping *stopping = context;

    return --stopping->left < 0;
}

static void reported(void *context, const struct probe *probe, enum measurement_part part,
                     double done)
{
    struct stopping *stopping = context;

    (void)probe;
    stopping->backwards =
        stopping->backwards || done < stopping->done || part != MEASUREMENT_OPERATIONS;
    stopping->done = done;
}

static void fast(struct probe *probe, struct measurement *measurement, struct stopping *stopping)
{
    probe_defaults(probe, true);
    probe->shortest = 1e-7;
    probe->samples = 5;
    probe->largest = (size_t)4 << 20; /* to fill more memory takes most of the time */
    probe->measurement = measurement;
    probe->stopped = stopped;
    probe->report = reported;
    probe->context = stopping;
}

TEST(measures_all)
{
    struct measurement measurement = {0};
    struct stopping stopping = {.left = 1 << 30};
    struct operation_table table;
    struct probe probe;
    struct error error = {0};

    fast(&probe, &measurement, &stopping);
    CHECK_INT(probe_operations(&probe, &error), STATUS_OK);
    CHECK_NEAR(stopping.done, 1, 1e-12);
    CHECK(!stopping.backwards);
    CHECK(measurement.condition[CONDITION_VECTORS][0] != '\0');
    for (int i = 0; i < measurement.count; i++) {
        const struct measurement_point *point = &measurement.point[i];

        if (strncmp(point->remark, "n/a: ", 5) == 0)
            CHECK_INT(point->count, 0);
        else
            CHECK_TRUE(point->count == probe.samples, "%s %s: %d samples", point->name, point->type,
                       point->count);
    }
    operation_table_make(&measurement, &table);
    CHECK_INT(table.rows, OPERATIONS * operation_set_count);
    CHECK_INT(table.curves, subnormal_loop_count);
    for (int i = 0; i < table.rows; i++) {
        const struct operation_row *row = &table.row[i];

        CHECK_TRUE((row->latency > 0 && row->rate > 0) || strncmp(row->remark, "n/a: ", 5) == 0,
                   "%s %s %g", row->name, row->type, row->bits);
    }
    measurement_free(&measurement);
}

TEST(stops_when_told)
{
    static const int after[] = {0, 1, 2, 30, 500};

    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        struct measurement measurement = {0};
        struct stopping stopping = {.left = after[i]};
        struct probe probe;
        struct error error = {0};

        fast(&probe, &measurement, &stopping);
        CHECK_INT(probe_operations(&probe, &error), STATUS_OK);
        CHECK_TRUE(stopping.left >= -8, "asked %d times more", -stopping.left);
        CHECK(stopping.done < 1);
        for (int j = 0; j < measurement.count; j++)
            CHECK(measurement.point[j].count == probe.samples ||
                  measurement.point[j].remark[0] != '\0');
        measurement_free(&measurement);
    }
}
