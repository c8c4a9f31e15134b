#include "surface_fixture.h"

#include <math.h>

#include "check.h"
#include "csv.h"

#define TURN 6.283185307179586

/* A standard normal number (Box and Muller, Ann. Math. Statist. 29, 1958). */
static double draw_normal(struct draw *draw)
{
    double radius = sqrt(-2 * log(1 - draw_between(draw, 0, 1)));

    return radius * cos(draw_between(draw, 0, TURN));
}

void surface_make(struct surface_fixture *surface, const struct fit *truth, int sizes, int samples,
                  double noise, struct draw *draw)
{
    static const double alphas[] = {1, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001};
    double held = SURFACE_WORDS;

    surface->count = 0;
    for (int size = 0; size < sizes; size++, held /= 16)
        for (int a = 0; a < 10; a++)
            for (int b = 0; b < 9; b++)
                for (int s = 0; s < samples && surface->count < SURFACE_POINTS_MAX; s++) {
                    struct surface_point *point = &surface->point[surface->count++];

                    *point = (struct surface_point){
                        .alpha = alphas[a], .block = pow(4, b), .held = held};
                    point->seconds = fit_predict(point, truth) * (1 + noise * draw_normal(draw));
                }
}

bool surface_reference(struct surface_fixture *surface)
{
    struct csv csv;

    if (!csv_load(&csv, "apexmap_sample.csv"))
        return false;
    surface->count = (int)csv.rows;
    for (size_t r = 0; r < csv.rows; r++)
        surface->point[r] =
            (struct surface_point){.alpha = csv_number(&csv, r, "alpha"),
                                   .block = csv_number(&csv, r, "L"),
                                   .held = SURFACE_WORDS,
                                   .seconds = csv_number(&csv, r, "ns_per_access") * 1e-9};
    csv_free(&csv);
    return CHECK_INT(surface->count, 90);
}
