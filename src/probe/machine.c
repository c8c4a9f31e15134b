#include "machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "larger.h"
#include "machine_levels.h"
#include "operation_table.h"
#include "result.h"
#include "surface.h"
#include "window.h"

#define CLOCK_OFF 0.05

static void set_operations(const struct measurement *measurement, struct machine *machine)
{
    struct operation_table table;

    operation_table(measurement, &table);
    machine->clock = table.clock;
    machine->simd_bits = table.best_bits;
    machine->fma_rate = table.fma_per_cycle;
    machine->fma = table.fma;
    machine->add_latency = table.add_latency;
    machine->fma_latency = table.fma_latency;
    machine->scalar_rate = table.scalar_rate;
    machine->sustained_compute = RESULT_NONE;
    if (machine->fma_rate != RESULT_NONE)
        machine->sustained_compute = smaller(1, machine->fma_rate / machine_pipes(machine));
}

static const struct measurement_point *first_named(const struct measurement *measurement,
                                                   enum measurement_part part, const char *name)
{
    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part == part && measurement->point[i].count > 0 &&
            strcmp(measurement->point[i].name, name) == 0)
            return &measurement->point[i];
    return NULL;
}

/* The least; RESULT_NONE where it was not measured. */
static double least_of(const struct measurement *measurement, enum measurement_part part,
                       const char *name)
{
    const struct measurement_point *point = first_named(measurement, part, name);

    return point == NULL ? RESULT_NONE : point_least(point);
}

static int cores_of(const struct measurement *measurement)
{
    double cores = 0;
    long stated;

    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part == MEASUREMENT_BANDWIDTH &&
            measurement->point[i].parameter[PARAMETER_CORES] > cores)
            cores = measurement->point[i].parameter[PARAMETER_CORES];
    if (cores > 1)
        return (int)smaller(cores, 1e6);
    stated = strtol(measurement->condition[CONDITION_CORES], NULL, 10);
    return stated > 0 && stated < 1000000 ? (int)stated : (int)cores;
}

/* See machine.h. */
static double sustained_memory(const struct measurement *measurement, const struct machine *machine)
{
    const struct machine_level *memory = &machine->level[machine->levels - 1];
    double read[] = {memory->core_bandwidth, memory->bandwidth};
    int cores[] = {1, machine->cores};
    double reach = RESULT_NONE;

    for (int i = 0; i < 2; i++) {
        double dot = RESULT_NONE;

        if (read[i] != RESULT_NONE)
            dot = machine_sweep(measurement, machine, machine->levels - 1, "dot", cores[i]);
        if (dot != RESULT_NONE)
            reach = larger(reach, dot / read[i]);
    }
    if (reach == RESULT_NONE)
        return RESULT_NONE;
    return smaller(1, reach / memory_access_efficiency(ACCESS_SEQUENTIAL));
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

/* See machine.h. */
static double operand_bandwidth(const struct measurement *measurement,
                                const struct machine *machine)
{
    double loads[2 * MACHINE_LEVELS_MAX]; /* s/B of a core */
    double median;
    int count = 0;

    for (int k = 0; k + 1 < machine->levels && machine->level[k].id < LEVEL_L3; k++)
        for (int all = 0; all < (machine->cores > 1 ? 2 : 1); all++) {
            int cores = all ? machine->cores : 1;
            double read = machine_sweep(measurement, machine, k, "read", cores);
            double dot = machine_sweep(measurement, machine, k, "dot", cores);

            if (read != RESULT_NONE && dot != RESULT_NONE)
                loads[count++] =
                    cores * (memory_access_efficiency(ACCESS_SEQUENTIAL) / dot - 1 / read);
        }
    if (count == 0)
        return RESULT_NONE;
    qsort(loads, (size_t)count, sizeof *loads, ascending);
    median = (loads[(count - 1) / 2] + loads[count / 2]) / 2;
    return median > 0 ? 1 / median : RESULT_NONE;
}

/* See machine.h. */
static double surface_pc(const struct measurement *measurement, const struct machine *machine)
{
    struct memory memory;
    struct fit_levels levels = {.model = MODEL_HIERARCHY, .memory = &memory, .word = SURFACE_WORD};
    struct surface surface;
    double pc = RESULT_NONE;

    if (!machine_memory(machine, &memory) || surface_of(measurement, &surface, NULL) != STATUS_OK)
        return RESULT_NONE;
    if (fit_surface_pc(surface.point, surface.count, fit_predict_levels, &levels, &pc, NULL) !=
        STATUS_OK)
        pc = RESULT_NONE;
    surface_free(&surface);
    return pc;
}

double machine_capacity(const struct machine_level *level)
{
    return level->swept > 0 ? level->swept : level->capacity;
}

double machine_peak(const struct machine *machine)
{
    if (machine->cores <= 0 || machine->clock == RESULT_NONE || machine->fma_rate == RESULT_NONE)
        return RESULT_NONE;
    return machine->cores * machine->clock * machine->simd_bits / 32 * machine->fma_rate *
           (machine->fma ? 2 : 1);
}

double machine_pipes(const struct machine *machine)
{
    if (machine->fma_rate == RESULT_NONE)
        return RESULT_NONE;
    return larger(1, ceil(machine->fma_rate / (1 + CLOCK_OFF)));
}

double machine_own_bandwidth(const struct machine *machine, const struct machine_level *level)
{
    double each = level->bandwidth == RESULT_NONE ? RESULT_NONE : level->bandwidth / machine->cores;

    if (each == RESULT_NONE)
        return level->core_bandwidth;
    if (level->core_bandwidth == RESULT_NONE)
        return each;
    return sqrt(each * level->core_bandwidth);
}

bool machine_memory(const struct machine *machine, struct memory *memory)
{
    memory->count = machine->levels;
    for (int k = 0; k < machine->levels; k++) {
        const struct machine_level *from = &machine->level[k];
        double bandwidth =
            from->id < LEVEL_L3 ? machine_own_bandwidth(machine, from) : from->core_bandwidth;

        if (bandwidth == RESULT_NONE || from->latency == RESULT_NONE)
            return false;
        memory->level[k] = (struct memory_level){.id = from->id,
                                                 .bandwidth = bandwidth,
                                                 .latency = from->latency / machine->outstanding};
        memory->level[k].capacity =
            from->id == LEVEL_MEMORY ? HUGE_VAL : machine_capacity(from) * machine->cache_usable;
    }
    return machine->levels > 0 && machine->outstanding != RESULT_NONE &&
           (machine->levels == 1 || machine->cache_usable != RESULT_NONE);
}

void machine_from(const struct measurement *measurement, struct machine *machine)
{
    const struct measurement_point *barrier =
        first_named(measurement, MEASUREMENT_BANDWIDTH, "barrier");
    const struct measurement_point *jitter =
        first_named(measurement, MEASUREMENT_BANDWIDTH, "jitter");

    *machine = (struct machine){
        .cores = cores_of(measurement),
        .outstanding = RESULT_NONE,
        .launch = barrier == NULL ? RESULT_NONE : point_least(barrier),
        .jitter = jitter == NULL ? RESULT_NONE : point_p99(jitter) / point_median(jitter),
        .sustained_memory = RESULT_NONE,
    };
    set_operations(measurement, machine);
    machine->window =
        window_of(least_of(measurement, MEASUREMENT_OPERATIONS, WINDOW_NAME), machine->add_latency);
    machine_find_levels(measurement, machine);
    machine->operand_bandwidth = operand_bandwidth(measurement, machine);
    if (machine->levels > 0) {
        machine->outstanding = machine->level[machine->levels - 1].in_flight;
        machine->sustained_memory = sustained_memory(measurement, machine);
    }
    machine->pc = surface_pc(measurement, machine);
}
