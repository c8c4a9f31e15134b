#include "machine_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "check.h"
#include "files.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define SAMPLES 9

/* cache_usable: the ratios of latency are 3, 4 and 8 */
const struct machine fixture_machine = {
    .levels = 4,
    .level = {{LEVEL_L1, 40 * KIB, true, 1.25e-9, 8, 200e9, 800e9, 32 * KIB, 0, 0},
              {LEVEL_L2, 1.2 * MIB, true, 3.75e-9, 6, 100e9, 400e9, MIB, 0, 0},
              {LEVEL_L3, 25 * MIB, true, 15e-9, 12, 50e9, 160e9, 32 * MIB, 0, 0},
              {LEVEL_MEMORY, 0, true, 120e-9, 14, 20e9, 55e9, 0, 0, 0}},
    .cores = 4,
    .clock = 3.2e9,
    .simd_bits = 256,
    .fma_rate = 1.9,
    .fma = true,
    .add_latency = 0.9375e-9,
    .fma_latency = 1.25e-9,
    .window = 96,
    .operand_bandwidth = 500e9,
    .scalar_rate = 2,
    .outstanding = 14,
    .boundary = 0.3e-6,
    .jitter = 1.2,
    .cache_usable = 0.878686,
    .sustained_memory = 0.95,
    .sustained_compute = 0.95,
};

struct making {
    const struct machine *machine;
    struct measurement *measurement;
    double noise;
    uint64_t state;
};

/* Seconds a unit; the parameters are set. */
static void add(struct making *making, struct measurement_point *point, double seconds)
{
    for (int i = 0; i < SAMPLES; i++)
        point->sample[i] =
            seconds * (1 + making->noise * files_random(&making->state, 1000000) / 1e6);
    point->count = SAMPLES;
    measurement_add(making->measurement, point);
}

/* Latencies step at the capacities, and stand at the geometric mean just there. */
static double smooth(const struct machine *machine, double size,
                     double (*of)(const struct machine_level *))
{
    double value = log(of(&machine->level[0]));

    for (int k = 0; k + 1 < machine->levels; k++) {
        double octaves = log2(size / machine->level[k].capacity);

        value +=
            log(of(&machine->level[k + 1]) / of(&machine->level[k])) / (1 + exp(-12 * octaves));
    }
    return exp(value);
}

static double latency(const struct machine_level *level)
{
    return level->latency;
}

static double together(const struct machine_level *level)
{
    return level->latency / level->in_flight;
}

static void add_walks(struct making *making)
{
    for (int step = 0; step <= 17 * 6; step++) {
        double size = 4 * KIB * pow(2, step / 6.0);
        double alone = smooth(making->machine, size, latency);

        for (int chains = 1; chains <= 16; chains *= 2) {
            struct measurement_point point = measurement_point(MEASUREMENT_MEMORY, "chase", "");

            if (chains > 1 && step % 6 != 0)
                continue;
            point.parameter[PARAMETER_SIZE] = 64 * round(size / 64);
            point.parameter[PARAMETER_CHAINS] = chains;
            add(making, &point, larger(alone / chains, smooth(making->machine, size, together)));
        }
    }
}

/* A core's own caches feed rows and, beside them, the vector. */
static double dot_seconds(const struct machine *machine, const struct machine_level *level,
                          int cores)
{
    double rate = cores > 1 ? level->bandwidth : level->core_bandwidth;

    if (level->id >= LEVEL_L3)
        return 1 / (0.92 * machine->sustained_memory * rate);
    return (1 / rate + 1 / (cores * machine->operand_bandwidth)) / 0.92;
}

/* Half of a level, or far beyond the last. */
static void add_sweeps(struct making *making, const char *name, bool dot)
{
    const struct machine *machine = making->machine;

    for (int k = 0; k < machine->levels; k++)
        for (int all = 0; all < 2; all++) {
            const struct machine_level *level = &machine->level[k];
            struct measurement_point point = measurement_point(MEASUREMENT_BANDWIDTH, name, "f32");
            double size = level->id == LEVEL_MEMORY ? 256 * MIB : level->capacity / 2;

            if (all && level->id < LEVEL_L3)
                size *= machine->cores;
            point.parameter[PARAMETER_SIZE] = size;
            point.parameter[PARAMETER_CORES] = all ? machine->cores : 1;
            add(making, &point,
                dot ? dot_seconds(machine, level, all ? machine->cores : 1)
                    : 1 / (all ? level->bandwidth : level->core_bandwidth));
        }
}

static void add_jitter(struct making *making)
{
    struct measurement_point point = measurement_point(MEASUREMENT_BANDWIDTH, "jitter", "f32");

    point.parameter[PARAMETER_CORES] = 1;
    for (int i = 0; i < 100; i++)
        point.sample[point.count++] = i < 98 ? 1e-6 : making->machine->jitter * 1e-6;
    measurement_add(making->measurement, &point);
}

static void add_barrier(struct making *making)
{
    struct measurement_point point = measurement_point(MEASUREMENT_BANDWIDTH, "barrier", "");

    point.parameter[PARAMETER_CORES] = making->machine->cores;
    add(making, &point, making->machine->boundary);
}

static void add_operation(struct making *making, const char *name, double bits, int chains,
                          double seconds)
{
    struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, name, "f32");

    point.parameter[PARAMETER_BITS] = bits;
    point.parameter[PARAMETER_CHAINS] = chains;
    add(making, &point, seconds);
}

static void add_operations(struct making *making)
{
    const struct machine *machine = making->machine;
    struct measurement_point clock = measurement_point(MEASUREMENT_OPERATIONS, "clock", "int");
    const char *rated = machine->fma ? "fma-addend" : "mul";

    clock.parameter[PARAMETER_CHAINS] = 1;
    add(making, &clock, 1 / machine->clock);
    add_operation(making, "add", 32, 1, machine->add_latency);
    add_operation(making, "add", 32, 8, 1 / (machine->scalar_rate * machine->clock));
    add_operation(making, "overlap", 32, 1, machine->add_latency / (1 + machine->window / 64));
    add_operation(making, rated, 32, 1, machine->fma_latency);
    for (double bits = 128; bits <= machine->simd_bits; bits *= 2) {
        add_operation(making, rated, bits, 1, machine->fma_latency);
        add_operation(making, rated, bits, 8, 1 / (machine->fma_rate * machine->clock));
    }
}

static void add_surface(struct making *making, double residual)
{
    static const double blocks[] = {1, 16, 256, 4096};
    static const double localities[] = {1, 0.25, 0.05, 0.01};
    struct memory memory;
    int sign = 1;

    if (!CHECK(machine_memory(making->machine, &memory)))
        return;
    for (double held = 256 * KIB; held <= 256 * MIB; held *= 32)
        for (int i = 0; i < 16; i++) {
            struct measurement_point point = measurement_point(MEASUREMENT_APEX, "apex", "");
            struct memory_cost cost;
            struct traffic traffic = {
                .held = held, .block = blocks[i / 4], .element = 8, .locality = localities[i % 4]};

            memory_cost(MODEL_HIERARCHY, &memory, &traffic, &cost);
            point.parameter[PARAMETER_SIZE] = traffic.held;
            point.parameter[PARAMETER_BLOCK] = traffic.block;
            point.parameter[PARAMETER_LOCALITY] = traffic.locality;
            add(making, &point, 8 * (cost.transfer + cost.wait) * exp(sign * residual));
            sign = -sign;
        }
}

void fixture_measure(const struct machine *machine, double noise, double residual,
                     struct measurement *measurement)
{
    struct making making = {machine, measurement, noise, 7};

    *measurement = (struct measurement){0};
    strcpy(measurement->condition[CONDITION_CPU], "Example 9000 \"X\"; #1\\");
    strcpy(measurement->condition[CONDITION_CACHES], "L1 32 KiB, L2 1024 KiB, L3 32768 KiB");
    strcpy(measurement->condition[CONDITION_CORES], "4 usable, 8 of 8 hardware threads");
    strcpy(measurement->condition[CONDITION_DATE], "2025-06-01T12:00:00Z");
    add_walks(&making);
    add_operations(&making);
    add_sweeps(&making, "read", false);
    add_sweeps(&making, "dot", true);
    add_jitter(&making);
    add_barrier(&making);
    add_surface(&making, residual);
}
