#include "probe/gpu_machine.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/link.h"
#include "model/result.h"

#define LANES 16
#define LINK_TOLERANCE 0.97
#define CLOCK_TOLERANCE 1.05
#define CLOCK_ASSUMED 1e9
#define GENERATIONS 6

/* Returns true for a point of a name and type with samples; type NULL: any. */
static bool is_point(const struct measurement_point *point, const char *name, const char *type)
{
    return point->part == MEASUREMENT_GPU && point->count > 0 && strcmp(point->name, name) == 0 &&
           (type == NULL || strcmp(point->type, type) == 0);
}

/* Finds the largest size of a name from `least` to `most`, NULL if there is none. A point without
 * a size matches any. */
static const struct measurement_point *find_largest(const struct measurement *measurement,
                                                    const char *name, const char *type,
                                                    double least, double most)
{
    const struct measurement_point *found = NULL;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double size = point->parameter[PARAMETER_SIZE];

        if (!is_point(point, name, type) || size < least || size > most)
            continue;
        if (found == NULL || !(size <= found->parameter[PARAMETER_SIZE]))
            found = point;
    }
    return found;
}

static const struct measurement_point *find_smallest(const struct measurement *measurement,
                                                     const char *name, const char *type)
{
    const struct measurement_point *found = find_largest(measurement, name, type, 0, HUGE_VAL);

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (is_point(point, name, type) &&
            point->parameter[PARAMETER_SIZE] < found->parameter[PARAMETER_SIZE])
            found = point;
    }
    return found;
}

static double find_time(const struct measurement *measurement, const char *name, const char *type,
                        double least, double most)
{
    const struct measurement_point *point = find_largest(measurement, name, type, least, most);

    return point == NULL ? RESULT_NONE : point_least(point);
}

/* Returns the median of a name: what lasts is no minimum. */
static double find_typical(const struct measurement *measurement, const char *name)
{
    const struct measurement_point *point = find_largest(measurement, name, NULL, 0, HUGE_VAL);

    return point == NULL ? RESULT_NONE : point_median(point);
}

/* Returns a / b if it is finite and positive. */
static double quotient(double a, double b)
{
    return a > 0 && b > 0 && isfinite(a / b) ? a / b : RESULT_NONE;
}

/* Returns the bandwidth of passes over a buffer of the largest size in a range. */
static double find_bandwidth(const struct measurement *measurement, const char *name, double least,
                             double most)
{
    return quotient(1, find_time(measurement, name, NULL, least, most));
}

/* Returns the bandwidth of the largest copy, without the fixed time of the smallest. */
static double find_copy_bandwidth(const struct measurement *measurement, const char *name,
                                  const char *type)
{
    const struct measurement_point *large = find_largest(measurement, name, type, 0, HUGE_VAL);
    const struct measurement_point *small = find_smallest(measurement, name, type);

    if (large == NULL || large == small)
        return RESULT_NONE;
    return quotient(large->parameter[PARAMETER_SIZE] - small->parameter[PARAMETER_SIZE],
                    point_least(large) - point_least(small));
}

static double mean(double a, double b)
{
    return a == RESULT_NONE || b == RESULT_NONE ? RESULT_NONE : (a + b) / 2;
}

static void set_units(struct gpu_machine *machine)
{
    const struct gpu_figures *figures = &machine->figures;
    double each, lanes = 1;

    machine->clock = figures->clock > 0 ? figures->clock : CLOCK_ASSUMED;
    if (machine->fma == RESULT_NONE || figures->units < 1)
        return;
    each = machine->fma / machine->clock / figures->units;
    while (lanes * CLOCK_TOLERANCE < each && lanes < 65536)
        lanes *= 2;
    machine->units = lanes * figures->units;
}

static struct gpu_starts find_starts(const struct measurement *measurement, const char *type)
{
    struct gpu_starts starts = {
        .launch = find_time(measurement, GPU_LAUNCH, type, 0, HUGE_VAL),
        .boundary = find_time(measurement, GPU_BOUNDARY, type, 0, HUGE_VAL),
        .enqueue = find_time(measurement, GPU_ENQUEUE, type, 0, HUGE_VAL),
    };

    if (starts.launch != RESULT_NONE && starts.boundary != RESULT_NONE)
        starts.launch = larger(0, starts.launch - starts.boundary);
    return starts;
}

const char *gpu_copy_type(const struct measurement *measurement)
{
    return find_smallest(measurement, GPU_TO_DEVICE, GPU_PINNED) != NULL ? GPU_PINNED : "";
}

static void find_copies(const struct measurement *measurement, struct gpu_machine *machine)
{
    const char *type = gpu_copy_type(measurement);
    double least[2];

    for (int way = 0; way < 2; way++) {
        const struct measurement_point *point =
            find_smallest(measurement, way == 0 ? GPU_TO_DEVICE : GPU_TO_HOST, type);

        least[way] = point == NULL ? RESULT_NONE : point_least(point);
    }
    machine->copy_latency = mean(least[0], least[1]);
    machine->to_device = find_copy_bandwidth(measurement, GPU_TO_DEVICE, type);
    machine->to_host = find_copy_bandwidth(measurement, GPU_TO_HOST, type);
    machine->mapped_to_device = find_copy_bandwidth(measurement, GPU_TO_DEVICE, GPU_MAPPED);
    machine->mapped_to_host = find_copy_bandwidth(measurement, GPU_TO_HOST, GPU_MAPPED);
}

void gpu_machine_from(const struct measurement *measurement, struct gpu_machine *machine)
{
    struct gpu_starts *starts = machine->starts;
    double cache, beyond, slow;

    *machine = (struct gpu_machine){.units = RESULT_NONE, .sustained_clock = RESULT_NONE};
    gpu_figures_read(measurement->condition[CONDITION_GPU_FIGURES], &machine->figures);
    cache = machine->figures.cache / 2;
    beyond = 2 * machine->figures.cache;
    starts[DISPATCH_STREAM] = find_starts(measurement, GPU_STREAM);
    machine->with_cuda = starts[DISPATCH_STREAM].launch != RESULT_NONE;
    if (!machine->with_cuda)
        starts[DISPATCH_STREAM] = find_starts(measurement, "");
    starts[DISPATCH_GRAPH] = find_starts(measurement, GPU_GRAPH);
    starts[DISPATCH_PERSISTENT] =
        (struct gpu_starts){.launch = find_time(measurement, GPU_FLAG, "", 0, HUGE_VAL),
                            .boundary = find_time(measurement, GPU_BARRIER, "", 0, HUGE_VAL)};
    machine->fma = find_time(measurement, GPU_FMA, NULL, 0, HUGE_VAL);
    if (machine->fma != RESULT_NONE)
        machine->fma = 1 / machine->fma;
    set_units(machine);
    slow = find_typical(measurement, GPU_FMA_LONG);
    if (machine->fma != RESULT_NONE && slow != RESULT_NONE)
        machine->sustained_clock = machine->clock * smaller(1, 1 / (machine->fma * slow));
    machine->read = find_bandwidth(measurement, GPU_READ, beyond, HUGE_VAL);
    machine->write = find_bandwidth(measurement, GPU_WRITE, beyond, HUGE_VAL);
    machine->copy = find_bandwidth(measurement, GPU_COPY, beyond, HUGE_VAL);
    machine->cache_read = find_bandwidth(measurement, GPU_READ, 0, cache);
    machine->latency = find_time(measurement, GPU_CHASE, NULL, beyond, HUGE_VAL);
    machine->cache_latency = find_time(measurement, GPU_CHASE, NULL, 0, cache);
    find_copies(measurement, machine);
}

bool gpu_machine_starts(const struct gpu_machine *machine, enum dispatch dispatch)
{
    return machine->starts[dispatch].launch != RESULT_NONE;
}

bool gpu_machine_is_known(const struct gpu_machine *machine)
{
    return machine->read != RESULT_NONE || machine->cache_read != RESULT_NONE ||
           gpu_machine_starts(machine, DISPATCH_STREAM);
}

double gpu_machine_link(const struct gpu_machine *machine)
{
    double most = larger(machine->to_device, machine->to_host);

    if (most == RESULT_NONE)
        return RESULT_NONE;
    for (int generation = 1; generation <= GENERATIONS; generation++)
        if (wire_pcie(generation, LANES).rate >= LINK_TOLERANCE * most)
            return generation;
    return 0;
}
