#include "probe/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/stats.h"
#include "model/result.h"
#include "probe/dispatch_points.h"
#include "probe/fit.h"
#include "probe/knees.h"
#include "probe/operations.h"

/* Levels of memory ----------------------------------------------------------------------------- */

#define CACHES_MAX (MACHINE_LEVELS_MAX - 1)
#define BEYOND_CACHE 2.0    /* times the last cache; larger sweeps are from main memory */
#define LEVEL_RATIO 1.5     /* minimum ratio of the times of two levels for computing hit ratios */
#define FULL_HIT_RATIO 0.97 /* hit ratio of a sweep without misses, except for noise */
#define LARGER_SWEEP 1.26   /* ratio of sizes, 2^(1/3), that halves the hit ratio */
#define HIT_RATIO_LEAST 0.5 /* hit ratio that exceeds noise */

/* The sizes between two capacities, B, and their centre; infinite: as large as possible. */
struct size_range {
    double from, to, centre;
};

/* Parses the condition "L1 32 KiB, L2 1024 KiB, L3 32768 KiB of 8 cores" into B and cores; returns
 * the number of caches. */
static int reported_caches(const struct measurement *measurement, double *capacity, int *sharing)
{
    const char *text = measurement->condition[CONDITION_CACHES];
    int count = 0;

    /* those of other kinds of cores follow a semicolon */
    while (count < CACHES_MAX && (text = strpbrk(text, "L;")) != NULL && *text == 'L') {
        long level, size, cores;
        int read = sscanf(text++, "L%5ld %9ld KiB of %5ld", &level, &size, &cores);

        if (read < 2 || size <= 0)
            continue;
        capacity[count] = 1024.0 * (double)size;
        sharing[count++] = read == 3 && cores > 0 ? (int)cores : 0;
    }
    return count;
}

static double knee_step(const struct knees *knees, int knee)
{
    return knees->plateau[knee + 1].latency / knees->plateau[knee].latency;
}

/* Finds the reported caches; if there are none, the knees, and of too many knees those with the
 * largest increase in latency. */
static void find_caches(const struct measurement *measurement, const struct knees *knees,
                        struct machine *machine)
{
    double reported[CACHES_MAX] = {0};
    int sharing[CACHES_MAX] = {0};
    int count = reported_caches(measurement, reported, sharing);
    double inner = 0;

    for (int i = 0; count == 0 && i + 1 < knees->plateaus && machine->levels < CACHES_MAX; i++) {
        int steeper = 0;

        for (int j = 0; j + 1 < knees->plateaus; j++)
            steeper += knee_step(knees, j) > knee_step(knees, i);
        if (steeper < CACHES_MAX) {
            machine->level[machine->levels] =
                (struct machine_level){.id = (enum memory_level_id)machine->levels,
                                       .capacity = knees->capacity[i],
                                       .found = true};
            machine->levels++;
        }
    }
    for (int i = 0; i < count; i++) {
        double knee = count == knees->plateaus - 1 ? knees->capacity[i]
                                                   : knees_nearest_capacity(knees, reported[i]);
        bool found = knee > inner;
        double capacity = found ? knee : reported[i];

        if (capacity <= inner)
            continue;
        machine->level[machine->levels] =
            (struct machine_level){.id = (enum memory_level_id)machine->levels,
                                   .capacity = capacity,
                                   .found = found,
                                   .system = reported[i],
                                   .sharing = sharing[i]};
        machine->levels++;
        inner = capacity;
    }
    /* L2 of a device is private to a core */
    if (machine->levels == 2 && machine->level[1].sharing > 1)
        machine->level[1].id = LEVEL_L3;
}

/* Returns how many caches of a level `cores` cores have. */
static double caches_of_cores(const struct machine_level *level, int cores)
{
    if (level->id < LEVEL_L3)
        return cores;
    return level->sharing > 0 ? ceil((double)cores / level->sharing) : 1;
}

double machine_caches(const struct machine *machine, const struct machine_level *level)
{
    return caches_of_cores(level, (int)larger(1, machine->cores));
}

/* If the staircase steps before the reported size, as in a cache with other users, points up to the
 * reported size are still accepted: a sweep with some misses is better than none. They are used for
 * this level only, because otherwise two levels would have the bandwidth of one sweep. */
static double outermost_size(const struct machine_level *level)
{
    return larger(level->capacity, level->system);
}

static struct size_range find_size_range(const struct machine *machine, int index, int cores)
{
    const struct machine_level *level = &machine->level[index];
    double outer = caches_of_cores(level, cores);
    double inner = index == 0 ? 0 : caches_of_cores(level - 1, cores);

    if (index == machine->levels - 1)
        return (struct size_range){
            index == 0 ? 0 : BEYOND_CACHE * inner * outermost_size(level - 1), HUGE_VAL, HUGE_VAL};
    if (index > 0)
        inner *= outermost_size(level - 1);
    return (struct size_range){inner, outer * outermost_size(level),
                               index == 0 ? outer * level->capacity / 2
                                          : sqrt(inner * outer * level->capacity)};
}

static bool is_sized_point(const struct measurement_point *point, enum measurement_part part,
                           const char *name)
{
    return point->part == part && point->count > 0 && strcmp(point->name, name) == 0 &&
           point->parameter[PARAMETER_SIZE] > 0;
}

/* Returns the distance from the centre of a range as a ratio; without a centre the largest size is
 * the closest. */
static double distance_from_centre(const struct size_range *range, double size)
{
    return isfinite(range->centre) ? fabs(log(size / range->centre)) : 1 / size;
}

static bool range_holds(const struct size_range *range, double size)
{
    return size >= range->from && size <= range->to;
}

/* Returns NULL if there is none. */
static const struct measurement_point *find_bandwidth_point(const struct measurement *measurement,
                                                            const struct machine *machine,
                                                            int index, const char *name, int cores)
{
    struct size_range range = find_size_range(machine, index, cores);
    double nearest = HUGE_VAL;
    const struct measurement_point *found = NULL;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double size = point->parameter[PARAMETER_SIZE];

        if (is_sized_point(point, MEASUREMENT_BANDWIDTH, name) && range_holds(&range, size) &&
            point->parameter[PARAMETER_CORES] == cores &&
            distance_from_centre(&range, size) < nearest) {
            nearest = distance_from_centre(&range, size);
            found = point;
        }
    }
    return found;
}

/* Returns the rate, B/s, of a sweep by `cores` cores at level `index`; RESULT_NONE if there is no
 * such point within the level. */
static double sweep_rate(const struct measurement *measurement, const struct machine *machine,
                         int index, const char *name, int cores)
{
    const struct measurement_point *point =
        find_bandwidth_point(measurement, machine, index, name, cores);

    return point == NULL ? RESULT_NONE : 1 / point_least(point);
}

/* Computes `swept` (machine.h). The sweep nearest to the level's centre is assumed to hit, even if
 * a disturbed staircase gives a smaller cache: with misses, the larger one could not be nearly as
 * fast. The hit ratio of a larger sweep follows from its time relative to that sweep and to one
 * beyond the cache. */
static double find_swept_capacity(const struct measurement *measurement,
                                  const struct machine *machine, int index)
{
    const struct machine_level *level = &machine->level[index];
    const struct measurement_point *inside =
        find_bandwidth_point(measurement, machine, index, "read", 1);
    const struct measurement_point *beyond =
        find_bandwidth_point(measurement, machine, index + 1, "read", 1);
    double within, without, largest = 0, seen = 0;

    if (machine->cache_usable == RESULT_NONE || inside == NULL || beyond == NULL)
        return 0;
    within = point_least(inside);
    without = point_least(beyond);
    for (int i = 0; i < measurement->count && without >= LEVEL_RATIO * within; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double size = point->parameter[PARAMETER_SIZE];
        double hit;

        if (!is_sized_point(point, MEASUREMENT_BANDWIDTH, "read") ||
            point->parameter[PARAMETER_CORES] != 1 ||
            size < LARGER_SWEEP * inside->parameter[PARAMETER_SIZE])
            continue;
        hit = smaller(1, (without - point_least(point)) / (without - within));
        if (hit >= HIT_RATIO_LEAST && size * cbrt(hit) > largest) {
            largest = size * cbrt(hit);
            seen = hit;
        }
    }
    largest /= machine->cache_usable;
    if (level->system > 0)
        largest = smaller(largest, level->system);
    return largest > level->capacity || (!level->found && seen < FULL_HIT_RATIO) ? largest : 0;
}

/* Sets latency and accesses in flight; the latter, from the best of several chains, may be known at
 * fewer sizes. */
static void set_latency(const struct measurement *measurement, struct machine *machine, int index)
{
    struct size_range range = find_size_range(machine, index, 1);
    struct machine_level *level = &machine->level[index];
    double nearest = HUGE_VAL, nearest_together = HUGE_VAL;

    level->latency = level->in_flight = RESULT_NONE;
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double size = point->parameter[PARAMETER_SIZE];
        double away = distance_from_centre(&range, size);
        double together = HUGE_VAL;

        if (!is_sized_point(point, MEASUREMENT_MEMORY, "chase") || !range_holds(&range, size) ||
            point->parameter[PARAMETER_CHAINS] != 1)
            continue;
        if (away < nearest) {
            nearest = away;
            level->latency = point_least(point);
        }
        for (int j = 0; j < measurement->count && away < nearest_together; j++) {
            const struct measurement_point *other = &measurement->point[j];

            if (is_sized_point(other, MEASUREMENT_MEMORY, "chase") &&
                other->parameter[PARAMETER_SIZE] == size && other->parameter[PARAMETER_CHAINS] > 1)
                together = smaller(together, point_least(other));
        }
        if (together < HUGE_VAL) {
            nearest_together = away;
            level->in_flight = larger(1, point_least(point) / together);
        }
    }
}

/* Uses the latency of a plateau, from several points, instead of that of the central point. */
static void use_plateaus(const struct knees *knees, struct machine *machine)
{
    for (int k = 0; k < machine->levels; k++) {
        struct size_range range = find_size_range(machine, k, 1);
        bool memory = k == machine->levels - 1;

        for (int i = 0; i < knees->plateaus; i++) {
            const struct plateau *plateau = &knees->plateau[i];
            bool within = memory ? i == knees->plateaus - 1 && 2 * plateau->from >= range.from
                                 : plateau->from <= range.centre && plateau->to >= range.centre;

            if (within && !plateau->rises && machine->level[k].latency != RESULT_NONE)
                machine->level[k].latency = plateau->latency;
        }
    }
}

static double find_cache_usable(const struct machine *machine)
{
    double sum = 0;
    int count = 0;

    for (int k = 0; k + 1 < machine->levels; k++) {
        const struct machine_level *level = &machine->level[k];

        if (level->found && level->latency != RESULT_NONE && level[1].latency > level->latency) {
            double root = sqrt(level[1].latency / level->latency);

            sum += log(root / (1 + root)) / 3;
            count++;
        }
    }
    return count > 0 ? exp(sum / count) : RESULT_NONE;
}

/* Fills levels, their figures and cache_usable; requires `cores`. */
static void find_levels(const struct measurement *measurement, struct machine *machine)
{
    struct knees knees;

    machine->levels = 0;
    machine->cache_usable = RESULT_NONE;
    if (!measurement_has(measurement, MEASUREMENT_MEMORY) &&
        !measurement_has(measurement, MEASUREMENT_BANDWIDTH))
        return;
    knees_from_measurement(measurement, &knees);
    find_caches(measurement, &knees, machine);
    machine->level[machine->levels++] = (struct machine_level){.id = LEVEL_MEMORY, .found = true};
    for (int k = 0; k < machine->levels; k++) {
        struct machine_level *level = &machine->level[k];

        set_latency(measurement, machine, k);
        level->core_bandwidth = sweep_rate(measurement, machine, k, "read", 1);
        level->bandwidth = machine->cores > 0
                               ? sweep_rate(measurement, machine, k, "read", machine->cores)
                               : RESULT_NONE;
        /* n cores can leave all but one idle: what they reach together is never less than what one
         * does. Where it was measured as less, somebody else used the level in the meantime. */
        if (level->bandwidth != RESULT_NONE)
            level->bandwidth = larger(level->bandwidth, level->core_bandwidth);
    }
    use_plateaus(&knees, machine);
    machine->cache_usable = find_cache_usable(machine);
    if (machine->levels > 1)
        machine->level[machine->levels - 2].swept =
            find_swept_capacity(measurement, machine, machine->levels - 2);
}

/* Derived figures ------------------------------------------------------------------------------ */

#define CLOCK_TOLERANCE 0.05

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
    return larger(1, ceil(machine->fma_rate / (1 + CLOCK_TOLERANCE)));
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

/* Figures of the machine ----------------------------------------------------------------------- */

/* Returns a measured point, or an empty one. */
static const struct measurement_point *find_measured_point(const struct measurement *measurement,
                                                           enum measurement_part part,
                                                           const char *name)
{
    static const struct measurement_point none; /* its statistics are RESULT_NONE */

    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part == part && measurement->point[i].count > 0 &&
            strcmp(measurement->point[i].name, name) == 0)
            return &measurement->point[i];
    return &none;
}

static double find_sustained_memory(const struct measurement *measurement,
                                    const struct machine *machine)
{
    const struct machine_level *memory = &machine->level[machine->levels - 1];
    double read[] = {memory->core_bandwidth, memory->bandwidth};
    int cores[] = {1, machine->cores};
    double ratio = RESULT_NONE;

    for (int i = 0; i < 2; i++) {
        double dot = RESULT_NONE;

        if (read[i] != RESULT_NONE)
            dot = sweep_rate(measurement, machine, machine->levels - 1, "dot", cores[i]);
        if (dot != RESULT_NONE)
            ratio = larger(ratio, dot / read[i]);
    }
    if (ratio == RESULT_NONE)
        return RESULT_NONE;
    return smaller(1, ratio / memory_access_efficiency(ACCESS_SEQUENTIAL));
}

static double find_operand_bandwidth(const struct measurement *measurement,
                                     const struct machine *machine)
{
    double loads[2 * MACHINE_LEVELS_MAX]; /* s/B per core */
    double median;
    int count = 0;

    for (int k = 0; k + 1 < machine->levels && machine->level[k].id < LEVEL_L3; k++)
        for (int all = 0; all < (machine->cores > 1 ? 2 : 1); all++) {
            int cores = all ? machine->cores : 1;
            double read = sweep_rate(measurement, machine, k, "read", cores);
            double dot = sweep_rate(measurement, machine, k, "dot", cores);

            if (read != RESULT_NONE && dot != RESULT_NONE)
                loads[count++] =
                    cores * (memory_access_efficiency(ACCESS_SEQUENTIAL) / dot - 1 / read);
        }
    if (count == 0)
        return RESULT_NONE;
    stats_sort(loads, count);
    median = stats_median(loads, count);
    return median > 0 ? 1 / median : RESULT_NONE;
}

static double find_surface_pc(const struct measurement *measurement, const struct machine *machine)
{
    struct memory memory;
    struct fit_levels levels = {.model = MODEL_HIERARCHY, .memory = &memory, .word = SURFACE_WORD};
    struct surface surface;
    double pc = RESULT_NONE;

    if (!machine_memory(machine, &memory) ||
        surface_from_measurement(measurement, &surface, NULL) != STATUS_OK)
        return RESULT_NONE;
    if (residuals_pc(surface.point, surface.count, fit_predict_levels, &levels, &pc, NULL) !=
        STATUS_OK)
        pc = RESULT_NONE;
    surface_free(&surface);
    return pc;
}

void machine_from_measurement(const struct measurement *measurement, struct machine *machine)
{
    const struct measurement_point *barrier =
        find_measured_point(measurement, MEASUREMENT_BANDWIDTH, "barrier");
    const struct measurement_point *jitter =
        find_measured_point(measurement, MEASUREMENT_BANDWIDTH, "jitter");
    const struct measurement_point *overlap =
        find_measured_point(measurement, MEASUREMENT_OPERATIONS, OVERLAP_NAME);
    const struct measurement_point *issue =
        find_measured_point(measurement, MEASUREMENT_OPERATIONS, ISSUE_NAME);
    struct dispatch_times starts;
    long usable = strtol(measurement->condition[CONDITION_CORES], NULL, 10);
    struct operation_table table;
    double cores = 0; /* measured together */

    operation_table_make(measurement, &table);
    dispatch_times_from(measurement, &starts);
    *machine = (struct machine){
        .clock = table.clock,
        .simd_bits = table.best_bits,
        .fma_rate = table.fma_per_cycle,
        .fma = table.fma,
        .add_latency = table.add_latency,
        .fma_latency = table.fma_latency,
        .window = operation_window(point_least(overlap), table.add_latency),
        .scalar_rate = table.scalar_rate,
        .outstanding = RESULT_NONE,
        .boundary = starts.boundary != RESULT_NONE ? starts.boundary : point_least(barrier),
        .issue = issue->count > 0 && table.clock != RESULT_NONE
                     ? 1 / (point_least(issue) * table.clock)
                     : RESULT_NONE,
        .jitter = jitter->count == 0 ? RESULT_NONE : point_p99(jitter) / point_median(jitter),
        .sustained_memory = RESULT_NONE,
        .sustained_compute = RESULT_NONE,
    };
    if (machine->fma_rate != RESULT_NONE)
        machine->sustained_compute = smaller(1, machine->fma_rate / machine_pipes(machine));
    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part == MEASUREMENT_BANDWIDTH &&
            measurement->point[i].parameter[PARAMETER_CORES] > cores)
            cores = measurement->point[i].parameter[PARAMETER_CORES];
    machine->cores = (int)smaller(cores, 1e6);
    if (cores <= 1 && usable > 0 && usable < 1000000)
        machine->cores = (int)usable;
    find_levels(measurement, machine);
    machine->operand_bandwidth = find_operand_bandwidth(measurement, machine);
    if (machine->levels > 0) {
        machine->outstanding = machine->level[machine->levels - 1].in_flight;
        machine->sustained_memory = find_sustained_memory(measurement, machine);
    }
    machine->pc = find_surface_pc(measurement, machine);
}
