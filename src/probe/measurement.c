#include "measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"

#define NOISE 0.10 /* of the least sample */

static const struct {
    const char *name, *unit;
} parts[MEASUREMENT_PARTS] = {
    [MEASUREMENT_MEMORY] = {"memory", "access"},
    [MEASUREMENT_OPERATIONS] = {"operations", "operation"},
    [MEASUREMENT_BANDWIDTH] = {"bandwidth", "byte"},
    [MEASUREMENT_APEX] = {"apex", "access"},
    [MEASUREMENT_KERNELS] = {"kernels", "frame"},
};

static const char *const parameters[PARAMETERS] = {
    [PARAMETER_SIZE] = "size_bytes",     [PARAMETER_BITS] = "width_bits",
    [PARAMETER_CHAINS] = "chains",       [PARAMETER_CORES] = "cores",
    [PARAMETER_AHEAD] = "ahead",         [PARAMETER_BLOCK] = "block_words",
    [PARAMETER_LOCALITY] = "alpha",      [PARAMETER_SUBNORMAL] = "subnormal_share",
    [PARAMETER_FLUSH] = "flush_to_zero", [PARAMETER_SUBAPERTURES] = "subapertures",
    [PARAMETER_SIDE] = "side_px",        [PARAMETER_PIXELS] = "pixels",
    [PARAMETER_ROWS] = "rows",           [PARAMETER_COLUMNS] = "columns",
};

static const char *const conditions[CONDITIONS] = {
    [CONDITION_CPU] = "cpu",         [CONDITION_CORES] = "cores",
    [CONDITION_PINNED] = "pinned",   [CONDITION_GOVERNOR] = "governor",
    [CONDITION_TURBO] = "turbo",     [CONDITION_HUGE_PAGES] = "huge_pages",
    [CONDITION_VIRTUAL] = "virtual", [CONDITION_CACHES] = "caches",
    [CONDITION_VECTORS] = "vectors", [CONDITION_SYSTEM] = "system",
    [CONDITION_DATE] = "date",       [CONDITION_VERSION] = "version",
    [CONDITION_SEED] = "seed",
};

const char *measurement_part_name(enum measurement_part part)
{
    return parts[part].name;
}

const char *measurement_part_unit(enum measurement_part part)
{
    return parts[part].unit;
}

const char *parameter_name(enum parameter parameter)
{
    return parameters[parameter];
}

const char *condition_name(enum condition condition)
{
    return conditions[condition];
}

void measurement_free(struct measurement *measurement)
{
    free(measurement->point);
    *measurement = (struct measurement){0};
}

struct measurement_point measurement_point(enum measurement_part part, const char *name,
                                           const char *type)
{
    struct measurement_point point = {.part = part};

    strncat(point.name, name, sizeof point.name - 1);
    strncat(point.type, type, sizeof point.type - 1);
    for (int i = 0; i < PARAMETERS; i++)
        point.parameter[i] = (double)NAN;
    return point;
}

enum status measurement_add(struct measurement *measurement, const struct measurement_point *point,
                            struct error *error)
{
    if (measurement->count == measurement->capacity) {
        int capacity = measurement->capacity > 0 ? 2 * measurement->capacity : 256;
        struct measurement_point *larger =
            realloc(measurement->point, (size_t)capacity * sizeof *larger);

        if (larger == NULL)
            return error_set(error, STATUS_MEMORY, "no memory for what was measured");
        measurement->point = larger;
        measurement->capacity = capacity;
    }
    measurement->point[measurement->count++] = *point;
    return STATUS_OK;
}

void measurement_remove(struct measurement *measurement, enum measurement_part part)
{
    int kept = 0;

    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part != part)
            measurement->point[kept++] = measurement->point[i];
    measurement->count = kept;
}

bool measurement_has(const struct measurement *measurement, enum measurement_part part)
{
    for (int i = 0; i < measurement->count; i++)
        if (measurement->point[i].part == part)
            return true;
    return false;
}

enum status measurement_merge(struct measurement *measurement, const struct measurement *from,
                              struct error *error)
{
    enum status status = STATUS_OK;

    for (int part = 0; part < MEASUREMENT_PARTS; part++)
        if (measurement_has(from, (enum measurement_part)part))
            measurement_remove(measurement, (enum measurement_part)part);
    for (int i = 0; i < CONDITIONS; i++)
        if (from->condition[i][0] != '\0')
            memcpy(measurement->condition[i], from->condition[i], CONDITION_MAX);
    for (int i = 0; i < from->count && status == STATUS_OK; i++)
        status = measurement_add(measurement, &from->point[i], error);
    return status;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The sample at or next above a fraction of them. */
static double quantile(const struct measurement_point *point, double fraction)
{
    double sorted[MEASUREMENT_SAMPLES_MAX];
    int rank = (int)ceil(fraction * point->count) - 1;

    if (point->count == 0)
        return RESULT_NONE;
    memcpy(sorted, point->sample, (size_t)point->count * sizeof sorted[0]);
    qsort(sorted, (size_t)point->count, sizeof sorted[0], ascending);
    return sorted[rank > 0 ? rank : 0];
}

double point_least(const struct measurement_point *point)
{
    return quantile(point, 0);
}

double point_median(const struct measurement_point *point)
{
    return quantile(point, 0.5);
}

double point_p99(const struct measurement_point *point)
{
    return quantile(point, 0.99);
}

bool point_noisy(const struct measurement_point *point)
{
    return point->count > 0 &&
           quantile(point, 0.75) - quantile(point, 0.25) > NOISE * point_least(point);
}
