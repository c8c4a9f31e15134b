/* What a measurement says of a machine: known ones come back from what their probes would give. */
#include "probe/machine.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "check.h"
#include "machine_fixture.h"
#include "model/result.h"
#include "probe/operations.h"

static struct measurement measurement;
static struct machine machine;

static void recover(double noise, double near)
{
    const struct machine *known = &fixture_machine;

    fixture_measure(known, noise, 0.2, &measurement);
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, known->levels))
        for (int k = 0; k < known->levels; k++) {
            const struct machine_level *level = &machine.level[k];
            const struct machine_level *expected = &known->level[k];

            CHECK_INT(level->id, expected->id);
            CHECK(level->found);
            CHECK_NEAR(level->capacity, expected->capacity, 0.05 + near);
            CHECK_NEAR(level->latency, expected->latency, near);
            CHECK_NEAR(level->in_flight, expected->in_flight, near);
            CHECK_NEAR(level->core_bandwidth, expected->core_bandwidth, near);
            CHECK_NEAR(level->bandwidth, expected->bandwidth, near);
            CHECK_NEAR(level->system, expected->system, 0);
        }
    CHECK_INT(machine.cores, known->cores);
    CHECK_NEAR(machine.clock, known->clock, near);
    CHECK_NEAR(machine.simd_bits, known->simd_bits, 0);
    CHECK_NEAR(machine.fma_rate, known->fma_rate, near);
    CHECK(machine.fma);
    CHECK_NEAR(machine.add_latency, known->add_latency, near);
    CHECK_NEAR(machine.fma_latency, known->fma_latency, near);
    CHECK_NEAR(machine.scalar_rate, known->scalar_rate, near);
    CHECK_NEAR(machine.operand_bandwidth, known->operand_bandwidth, 5 * near);
    CHECK_NEAR(machine.outstanding, known->outstanding, near);
    CHECK_NEAR(machine.boundary, known->boundary, near);
    CHECK_NEAR(machine.jitter, known->jitter, near);
    CHECK_NEAR(machine.cache_usable, known->cache_usable, near);
    CHECK_NEAR(machine.sustained_memory, known->sustained_memory, near);
    CHECK_NEAR(machine.sustained_compute, known->sustained_compute, near);
    CHECK_NEAR(machine.pc, exp(0.2), 0.01 + near);
    CHECK_NEAR(machine_pipes(&machine), 2, 0);
    measurement_free(&measurement);
}

TEST(recovered)
{
    recover(0, 0.01);
}

TEST(recovered_from_noise)
{
    recover(0.1, 0.05);
}

/* A figure of a part that was not measured is RESULT_NONE, the others are as they were. */
TEST(parts_alone)
{
    static const bool levels[] = {true, false, true, false};

    for (int part = MEASUREMENT_MEMORY; part <= MEASUREMENT_APEX; part++) {
        const struct machine_level *level = &machine.level[0];

        fixture_measure(&fixture_machine, 0, 0, &measurement);
        for (int other = 0; other < MEASUREMENT_PARTS; other++)
            if (other != part)
                measurement_remove(&measurement, (enum measurement_part)other);
        machine_from_measurement(&measurement, &machine);
        CHECK_INT(machine.levels, levels[part] ? 4 : 0);
        CHECK_INT(machine.cores, 4);
        CHECK_NEAR(machine.clock, part == MEASUREMENT_OPERATIONS ? 3.2e9 : RESULT_NONE, 1e-9);
        CHECK_NEAR(machine.add_latency, part == MEASUREMENT_OPERATIONS ? 0.9375e-9 : RESULT_NONE,
                   1e-9);
        CHECK_NEAR(machine.window, part == MEASUREMENT_OPERATIONS ? 96 : RESULT_NONE, 1e-9);
        CHECK_NEAR(machine.scalar_rate, part == MEASUREMENT_OPERATIONS ? 2 : RESULT_NONE, 1e-9);
        CHECK_NEAR(machine_pipes(&machine), part == MEASUREMENT_OPERATIONS ? 2 : RESULT_NONE, 0);
        CHECK_NEAR(machine.jitter, part == MEASUREMENT_BANDWIDTH ? 1.2 : RESULT_NONE, 1e-9);
        CHECK_NEAR(machine.operand_bandwidth, part == MEASUREMENT_BANDWIDTH ? 500e9 : RESULT_NONE,
                   1e-9);
        CHECK_NEAR(machine.outstanding, part == MEASUREMENT_MEMORY ? 14 : RESULT_NONE, 0.01);
        CHECK_NEAR(machine.pc, RESULT_NONE, 0);
        if (levels[part]) {
            CHECK_NEAR(level->latency, part == MEASUREMENT_MEMORY ? 1.25e-9 : RESULT_NONE, 0.01);
            CHECK_NEAR(level->bandwidth, part == MEASUREMENT_BANDWIDTH ? 800e9 : RESULT_NONE, 0.01);
            CHECK_INT(level->found, part == MEASUREMENT_MEMORY);
        }
        measurement_free(&measurement);
    }
}

/* The timed loop's chains are of OVERLAP_DEPTH adds, each chain from the same start. */
TEST(window)
{
    float value = 1;

    overlap_loop(&value, 1);
    CHECK_NEAR((double)value, 1 + OVERLAP_DEPTH * 0.125, 0);
    overlap_loop(&value, 1000);
    CHECK_NEAR((double)value, 1 + 2 * OVERLAP_DEPTH * 0.125, 0);
    CHECK_NEAR(operation_window(1e-9, 2.5e-9), 1.5 * OVERLAP_DEPTH, 1e-12);
    CHECK_NEAR(operation_window(1e-9, 0.9e-9), 0, 0);
    CHECK(operation_window(RESULT_NONE, 1e-9) == RESULT_NONE &&
          operation_window(1, RESULT_NONE) == RESULT_NONE);
}

/* What ends before all cores were measured together still is of a machine of so many. */
TEST(one_core_alone)
{
    fixture_measure(&fixture_machine, 0, 0, &measurement);
    for (int i = measurement.count; i-- > 0;)
        if (measurement.point[i].parameter[PARAMETER_CORES] > 1)
            measurement.point[i].count = 0;
    for (int i = 0; i < measurement.count; i++)
        measurement.point[i].parameter[PARAMETER_CORES] =
            smaller(measurement.point[i].parameter[PARAMETER_CORES], 1);
    strcpy(measurement.condition[CONDITION_CORES], "4 usable, 8 of 8 hardware threads");
    machine_from_measurement(&measurement, &machine);
    CHECK_INT(machine.cores, 4);
    if (CHECK_INT(machine.levels, 4)) {
        CHECK_NEAR(machine.level[3].core_bandwidth, 20e9, 0.01);
        CHECK_NEAR(machine.level[3].bandwidth, RESULT_NONE, 0);
    }
    strcpy(measurement.condition[CONDITION_CORES], "unknown");
    machine_from_measurement(&measurement, &machine);
    CHECK_INT(machine.cores, 1);
    measurement_free(&measurement);
}

TEST(nothing_measured)
{
    measurement = (struct measurement){0};
    machine_from_measurement(&measurement, &machine);
    CHECK_INT(machine.levels, 0);
    CHECK_INT(machine.cores, 0);
    CHECK_NEAR(machine.clock, RESULT_NONE, 0);
    CHECK_NEAR(machine.pc, RESULT_NONE, 0);
    CHECK(!machine_memory(&machine, &(struct memory){0}));
}

/* Virtual machines and containers say nothing of caches; others speak of one the walk never met. */
TEST(what_the_system_says)
{
    fixture_measure(&fixture_machine, 0, 0, &measurement);
    strcpy(measurement.condition[CONDITION_CACHES], "unknown");
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 4)) {
        CHECK_NEAR(machine.level[2].capacity, fixture_machine.level[2].capacity, 0.05);
        CHECK_NEAR(machine.level[2].system, 0, 0);
    }
    strcpy(measurement.condition[CONDITION_CACHES], "L1 32 KiB, L2 512 KiB");
    machine_from_measurement(&measurement, &machine);
    CHECK_INT(machine.levels, 3);
    /* the third is one of cores of another kind */
    strcpy(measurement.condition[CONDITION_CACHES], "L1 32 KiB, L2 512 KiB; P: L2 2048 KiB");
    machine_from_measurement(&measurement, &machine);
    CHECK_INT(machine.levels, 3);
    CHECK_NEAR(machine.level[1].system, 512 << 10, 0);
    measurement_free(&measurement);
}

/* Where others fill the cache, too, sweeps chosen by its size still count. */
TEST(a_cache_seen_in_part)
{
    struct machine known = fixture_machine;

    known.level[2].capacity = 12 * 1024 * 1024;
    fixture_measure(&known, 0, 0, &measurement);
    for (int i = 0; i < measurement.count; i++)
        if (measurement.point[i].parameter[PARAMETER_SIZE] == 6 * 1024 * 1024)
            measurement.point[i].parameter[PARAMETER_SIZE] = 16 * 1024 * 1024;
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 4)) {
        CHECK_NEAR(machine.level[2].capacity, 12 * 1024 * 1024, 0.05);
        CHECK_NEAR(machine.level[2].bandwidth, known.level[2].bandwidth, 0.01);
        CHECK_NEAR(machine.level[3].bandwidth, known.level[3].bandwidth, 0.01);
    }
    measurement_free(&measurement);
}

/* Two caches seen in part, each with sweeps chosen by the sizes the system gives: no sweep counts
 * for both. */
TEST(caches_seen_in_part)
{
    struct machine known = fixture_machine;

    known.level[1].capacity = 0.5 * 1024 * 1024;
    known.level[2].capacity = 12 * 1024 * 1024;
    fixture_measure(&known, 0, 0, &measurement);
    for (int i = 0; i < measurement.count; i++) {
        double *size = &measurement.point[i].parameter[PARAMETER_SIZE];
        bool all = measurement.point[i].parameter[PARAMETER_CORES] > 1;

        if (measurement.point[i].part != MEASUREMENT_BANDWIDTH)
            continue;
        if (*size == (all ? 1 : 0.25) * 1024 * 1024)
            *size = (all ? 4 : 1) * 0.75 * 1024 * 1024;
        else if (*size == 6 * 1024 * 1024)
            *size = 24 * 1024 * 1024;
    }
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 4))
        for (int k = 1; k < 4; k++) {
            CHECK_NEAR(machine.level[k].core_bandwidth, known.level[k].core_bandwidth, 0.01);
            CHECK_NEAR(machine.level[k].bandwidth, known.level[k].bandwidth, 0.01);
        }
    measurement_free(&measurement);
}

static void add_read(double size, double rate)
{
    struct measurement_point point = measurement_point(MEASUREMENT_BANDWIDTH, "read", "f32");

    point.parameter[PARAMETER_SIZE] = size;
    point.parameter[PARAMETER_CORES] = 1;
    for (point.count = 0; point.count < 5; point.count++)
        point.sample[point.count] = 1 / rate;
    measurement_add(&measurement, &point);
}

/* A sweep finds more of a cache that others use, too, than a walk does. */
TEST(a_cache_swept)
{
    static const struct {
        double size, hit; /* MiB, share of the sweep that the cache still has */
        double expected;  /* MiB; 0: the staircase's stays */
    } cases[] = {{16, 0.8, 16 * 0.928318 / 0.878686},
                 {16, 1, 16 / 0.878686},
                 {24, 0.6, 24 * 0.843433 / 0.878686},
                 {31, 1, 32},
                 {20, 0.4, 0},
                 {64, 0.1, 0},
                 {10, 1, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine known = fixture_machine;
        double expected = cases[i].expected * 1024 * 1024;

        known.level[2].capacity = 12 * 1024 * 1024;
        fixture_measure(&known, 0, 0, &measurement);
        add_read(cases[i].size * 1024 * 1024,
                 1 / (cases[i].hit / 50e9 + (1 - cases[i].hit) / 20e9));
        machine_from_measurement(&measurement, &machine);
        if (CHECK_INT(machine.levels, 4)) {
            CHECK_NEAR(machine.level[2].swept, expected, 0.02);
            CHECK_NEAR(machine.level[2].capacity, 12 * 1024 * 1024, 0.05);
            CHECK_NEAR(machine_capacity(&machine.level[2]),
                       larger(machine.level[2].capacity, expected), 0.02);
        }
        measurement_free(&measurement);
    }
}

/* A disturbed staircase, below the smallest sweep. */
TEST(a_cache_walked_badly)
{
    struct machine known = fixture_machine;

    known.level[2].capacity = 6 * 1024 * 1024;
    fixture_measure(&known, 0, 0, &measurement);
    for (int i = 0; i < measurement.count; i++)
        if (measurement.point[i].parameter[PARAMETER_SIZE] == 3 * 1024 * 1024)
            measurement.point[i].parameter[PARAMETER_SIZE] = 8 * 1024 * 1024;
    add_read(16 * 1024 * 1024, 1 / (0.9 / 50e9 + 0.1 / 20e9));
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 4))
        CHECK_NEAR(machine_capacity(&machine.level[2]),
                   16 * 1024 * 1024 * cbrt(0.9) / machine.cache_usable, 0.01);
    measurement_free(&measurement);
}

/* Where the staircase shows no step before main memory, what sweeps miss tells of one. */
TEST(a_cache_only_swept)
{
    static const struct {
        double size, hit; /* MiB, share of the sweep that the cache still has */
        double expected;  /* MiB */
    } cases[] = {{16, 0.8, 16 * 0.928318}, {16, 1, 32}, {20, 0.4, 32}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine known = fixture_machine;

        known.level[3].latency = known.level[2].latency * 1.1;
        fixture_measure(&known, 0, 0, &measurement);
        add_read(cases[i].size * 1024 * 1024,
                 1 / (cases[i].hit / 50e9 + (1 - cases[i].hit) / 20e9));
        machine_from_measurement(&measurement, &machine);
        if (CHECK_INT(machine.levels, 4)) {
            double expected = cases[i].expected * 1024 * 1024;

            CHECK(!machine.level[2].found);
            CHECK_NEAR(machine.level[2].capacity, 32 * 1024 * 1024, 0);
            CHECK_NEAR(machine_capacity(&machine.level[2]),
                       expected / (cases[i].expected < 32 ? machine.cache_usable : 1), 0.01);
        }
        measurement_free(&measurement);
    }
}

/* One disturbed sweep does not change what loads cost. */
TEST(a_disturbed_sweep)
{
    for (int slow = 0; slow < 2; slow++) {
        fixture_measure(&fixture_machine, 0, 0, &measurement);
        for (int i = 0; i < measurement.count; i++) {
            struct measurement_point *point = &measurement.point[i];

            if (strcmp(point->name, slow ? "dot" : "read") == 0 &&
                point->parameter[PARAMETER_CORES] == 1 &&
                point->parameter[PARAMETER_SIZE] < 1024 * 1024)
                for (int s = 0; s < point->count && point->parameter[PARAMETER_SIZE] > 1e5; s++)
                    point->sample[s] *= 1.2;
        }
        machine_from_measurement(&measurement, &machine);
        CHECK_NEAR(machine.operand_bandwidth, fixture_machine.operand_bandwidth, 0.01);
        measurement_free(&measurement);
    }
}

/* A staircase that does not show the outer caches: they are as the system says, and figures within
 * them are taken all the same. */
TEST(hidden_caches)
{
    struct machine known = fixture_machine;

    known.level[2].latency = known.level[1].latency * 1.1;
    fixture_measure(&known, 0, 0, &measurement);
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 4)) {
        CHECK(machine.level[0].found && !machine.level[1].found && machine.level[2].found);
        CHECK_NEAR(machine.level[1].capacity, 1024 * 1024, 0);
        CHECK_NEAR(machine.level[2].capacity, known.level[2].capacity, 0.05);
        CHECK_NEAR(machine.level[1].latency, known.level[1].latency, 0.1);
    }
    measurement_free(&measurement);
}

/* Without multiply-add the multiplications count. */
TEST(without_fma)
{
    struct machine known = fixture_machine;

    known.fma = false;
    known.simd_bits = 128;
    known.fma_rate = 1;
    fixture_measure(&known, 0, 0, &measurement);
    machine_from_measurement(&measurement, &machine);
    CHECK(!machine.fma);
    CHECK_NEAR(machine.simd_bits, 128, 0);
    CHECK_NEAR(machine.fma_rate, 1, 1e-9);
    CHECK_NEAR(machine_pipes(&machine), 1, 0);
    CHECK_NEAR(machine.sustained_compute, 1, 1e-9);
    measurement_free(&measurement);
}

TEST(whole_pipes)
{
    static const double cases[][2] = {{0.3, 1}, {1, 1}, {1.04, 1}, {1.5, 2}, {2.09, 2}, {3.9, 4}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine.fma_rate = cases[i][0];
        CHECK_NEAR(machine_pipes(&machine), cases[i][1], 0);
    }
}

/* All cores together are at least as fast as one. */
TEST(bandwidth_of_all_cores)
{
    struct machine known = fixture_machine;

    known.level[2].bandwidth = known.level[2].core_bandwidth / 3; /* others used the cache */
    fixture_measure(&known, 0, 0, &measurement);
    machine_from_measurement(&measurement, &machine);
    CHECK_NEAR(machine.level[2].core_bandwidth, known.level[2].core_bandwidth, 0.01);
    CHECK_NEAR(machine.level[2].bandwidth, known.level[2].core_bandwidth, 0.01);
    CHECK_NEAR(machine.level[3].bandwidth, known.level[3].bandwidth, 0.01);
}

/* Between what a core gets alone and what it gets when all cores run: their geometric mean. */
TEST(bandwidth_of_one_core)
{
    struct machine known = {.cores = 4};
    struct machine_level level = {.bandwidth = 400e9, .core_bandwidth = 25e9};

    CHECK_NEAR(machine_own_bandwidth(&known, &level), 50e9, 1e-9);
    level.core_bandwidth = RESULT_NONE;
    CHECK_NEAR(machine_own_bandwidth(&known, &level), 100e9, 1e-9);
    level.bandwidth = RESULT_NONE;
    CHECK(machine_own_bandwidth(&known, &level) == RESULT_NONE);
    level.core_bandwidth = 25e9;
    CHECK_NEAR(machine_own_bandwidth(&known, &level), 25e9, 1e-9);
}
