#include "machine_figures.h"

#include <stdlib.h>

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

struct machine_figures *machine_figures_new(const struct measurement *measurement)
{
    struct machine_figures *figures = calloc(1, sizeof *figures);

    if (figures == NULL)
        return NULL;
    knees_of(measurement, &figures->knees);
    operation_table(measurement, &figures->operations);
    if (surface_of(measurement, &figures->surface, &figures->unfitted) != STATUS_OK)
        return figures;
    keep_largest(&figures->surface);
    fit_models(figures->surface.point, figures->surface.count, figures->fit, &figures->unfitted);
    return figures;
}

void machine_figures_free(struct machine_figures *figures)
{
    if (figures == NULL)
        return;
    surface_free(&figures->surface);
    free(figures);
}
