#include "charts/staircase.h"

#include <math.h>
#include <string.h>

static void take(struct staircase *staircase, double size, double latency)
{
    int at = staircase->count;

    if (at == KNEES_POINTS_MAX)
        return;
    for (; at > 0 && staircase->size[at - 1] > size; at--) {
        staircase->size[at] = staircase->size[at - 1];
        staircase->latency[at] = staircase->latency[at - 1];
    }
    staircase->size[at] = size;
    staircase->latency[at] = latency;
    staircase->count++;
}

static bool is_walk(const struct measurement_point *point)
{
    return point->part == MEASUREMENT_MEMORY && strcmp(point->name, "chase") == 0 &&
           point->count > 0;
}

double staircase_chains(const struct measurement *measurement)
{
    double most = 1;

    for (int i = 0; i < measurement->count; i++)
        if (is_walk(&measurement->point[i]))
            most = fmax(most, measurement->point[i].parameter[PARAMETER_CHAINS]);
    return most;
}

void staircase_of(const struct measurement *measurement, double chains, struct staircase *staircase)
{
    staircase->count = 0;
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (is_walk(point) && point->parameter[PARAMETER_CHAINS] == chains)
            take(staircase, point->parameter[PARAMETER_SIZE], point_least(point));
    }
}
