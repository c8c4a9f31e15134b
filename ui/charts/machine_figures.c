#include "machine_figures.h"

#include <stdlib.h>

#include "probe/machine_device.h"

/* Fits speak of one M: the largest, whose far end is main memory. */
static void keep_largest(struct surface *surface)
{
    int kept = 0;

    for (int i = 0; i < surface->count; i++)
        if (surface->point[i].held == surface->most_held)
            surface->point[kept++] = surface->point[i];
    surface->count = kept;
    surface->least_held = surface->most_held;
}

static void fit(struct machine_figures *figures, const struct measurement *measurement)
{
    struct error *error = &figures->unfitted;

    if (surface_of(measurement, &figures->fits.surface, error) != STATUS_OK)
        return;
    keep_largest(&figures->fits.surface);
    fit_report_make(&figures->fits, error);
}

static void predict(struct machine_figures *figures, const struct measurement *measurement)
{
    struct device *device = calloc(1, sizeof *device);

    if (device == NULL)
        error_set(&figures->unpredicted, STATUS_MEMORY, "out of memory");
    else if (machine_device(measurement, device, &figures->unpredicted) == STATUS_OK)
        predict_kernels(&figures->prediction, measurement, device, &figures->unpredicted);
    free(device);
}

struct machine_figures *machine_figures_new(const struct measurement *measurement)
{
    struct machine_figures *figures = calloc(1, sizeof *figures);

    struct error error;

    if (figures == NULL)
        return NULL;
    if (measurement_merge(&figures->measurement, measurement, &error) != STATUS_OK) {
        machine_figures_free(figures);
        return NULL;
    }
    measurement = &figures->measurement;
    knees_of(measurement, &figures->knees);
    machine_from(measurement, &figures->machine);
    operation_table(measurement, &figures->operations);
    if (measurement_has(measurement, MEASUREMENT_APEX))
        fit(figures, measurement);
    if (measurement_has(measurement, MEASUREMENT_KERNELS))
        predict(figures, measurement);
    return figures;
}

void machine_figures_free(struct machine_figures *figures)
{
    if (figures == NULL)
        return;
    prediction_free(&figures->prediction);
    fit_report_free(&figures->fits);
    measurement_free(&figures->measurement);
    free(figures);
}
