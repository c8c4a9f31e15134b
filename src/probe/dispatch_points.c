#include "probe/dispatch_points.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/stats.h"
#include "base/units.h"
#include "model/formulas.h"
#include "model/result.h"
#include "probe/datagram.h"

static bool equal_parameters(const struct measurement_point *a, const struct measurement_point *b,
                             enum parameter except)
{
    for (int i = 0; i < PARAMETERS; i++)
        if (i != (int)except && a->parameter[i] != b->parameter[i] &&
            !(isnan(a->parameter[i]) && isnan(b->parameter[i])))
            return false;
    return true;
}

const struct measurement_point *dispatch_find_realtime(const struct measurement *measurement,
                                                       const struct measurement_point *point)
{
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *other = &measurement->point[i];

        if (other->part == MEASUREMENT_DISPATCH && other->parameter[PARAMETER_REALTIME] == 1 &&
            strcmp(other->name, point->name) == 0 && strcmp(other->type, point->type) == 0 &&
            equal_parameters(other, point, PARAMETER_REALTIME))
            return other;
    }
    return NULL;
}

/* Labels --------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *type, *label;
} labels[] = {
    {DISPATCH_LAUNCH, DISPATCH_POLLING, "thread, polling"},
    {DISPATCH_LAUNCH, DISPATCH_ASLEEP, "thread, asleep"},
    {DISPATCH_OTHER_PROCESS, DISPATCH_POLLING, "process, polling"},
    {DISPATCH_OTHER_PROCESS, DISPATCH_ASLEEP, "process, asleep"},
    {DISPATCH_HANDOVER, DISPATCH_POLLING, "hand-over, polling"},
    {DISPATCH_HANDOVER, DISPATCH_ASLEEP, "hand-over, asleep"},
    {DISPATCH_BARRIER, "", "barrier"},
    {DISPATCH_EGRESS, DISPATCH_SOCKET_POLLED, "egress"},
    {DISPATCH_INGRESS, DISPATCH_SOCKET_POLLED, "ingress, polling"},
    {DISPATCH_INGRESS, DISPATCH_SOCKET_SLEEPS, "ingress, asleep"},
    {DISPATCH_INGRESS, DISPATCH_CARD_POLLED, "ingress, card polled"},
    {DISPATCH_ROUND_TRIP, DISPATCH_SOCKET_POLLED, "round trip"},
    {DISPATCH_RECEIVE, "", "receive, core"},
    {DISPATCH_SEND, "", "send, core"},
};

void dispatch_point_label(const struct measurement_point *point, char *text, size_t size)
{
    const double *parameter = point->parameter;
    struct buffer buffer = buffer_over(text, size);
    const char *label = point->name;

    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (strcmp(labels[i].name, point->name) == 0 && strcmp(labels[i].type, point->type) == 0)
            label = labels[i].label;
    buffer_text(&buffer, label);
    if (parameter[PARAMETER_CORES] > 0)
        buffer_print(&buffer, ", %.0f threads", parameter[PARAMETER_CORES]);
    if (parameter[PARAMETER_SIZE] > 0)
        buffer_print(&buffer, ", %.0f B", parameter[PARAMETER_SIZE]);
    if (parameter[PARAMETER_BURST] > 1)
        buffer_print(&buffer, " x %.0f", parameter[PARAMETER_BURST]);
    if (parameter[PARAMETER_IDLE] > 0)
        buffer_print(&buffer, " %.3g ms", unit_from_si(parameter[PARAMETER_IDLE], "ms"));
}

/* Times ---------------------------------------------------------------------------------------- */

#define NONE ((double)NAN) /* of a parameter that does not apply */

/* Returns the median of the point of that kind and with these parameters. */
static double median_like(const struct measurement *measurement,
                          const struct measurement_point *like)
{
    double median = RESULT_NONE;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (point->part == MEASUREMENT_DISPATCH && point->count > 0 &&
            strcmp(point->name, like->name) == 0 && strcmp(point->type, like->type) == 0 &&
            equal_parameters(point, like, PARAMETERS))
            median = point_median(point);
    }
    return median;
}

/* The same of the priority with which it is less. */
static double least_median(const struct measurement *measurement, const char *name,
                           const char *type, double size, double burst)
{
    struct measurement_point like = measurement_point(MEASUREMENT_DISPATCH, name, type);
    double without, with;

    like.parameter[PARAMETER_SIZE] = size;
    like.parameter[PARAMETER_BURST] = burst;
    like.parameter[PARAMETER_REALTIME] = 0;
    without = median_like(measurement, &like);
    like.parameter[PARAMETER_REALTIME] = 1;
    with = median_like(measurement, &like);
    return with != RESULT_NONE && (without == RESULT_NONE || with < without) ? with : without;
}

/* Returns what is left of a time without another one, RESULT_NONE if either is. */
static double time_beyond(double whole, double part)
{
    return whole == RESULT_NONE || part == RESULT_NONE ? RESULT_NONE : larger(0, whole - part);
}

static double barrier_of_most(const struct measurement *measurement)
{
    const struct measurement_point *most = NULL;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (point->part == MEASUREMENT_DISPATCH && point->count > 0 &&
            strcmp(point->name, DISPATCH_BARRIER) == 0 &&
            (most == NULL || point->parameter[PARAMETER_CORES] > most->parameter[PARAMETER_CORES]))
            most = point;
    }
    return most == NULL ? RESULT_NONE : point_least(most);
}

#define IDLE_MAX 64 /* times of idleness */

/* Returns the latency of the deepest sleep state from the launches of one priority. */
static double sleep_from(const struct measurement *measurement, double realtime)
{
    struct measurement_point like =
        measurement_point(MEASUREMENT_DISPATCH, DISPATCH_LAUNCH, DISPATCH_ASLEEP);
    double latency[IDLE_MAX], awake;
    int count = 0;

    like.parameter[PARAMETER_REALTIME] = realtime;
    awake = median_like(measurement, &like);
    for (int i = 0; i < measurement->count && count < IDLE_MAX && awake != RESULT_NONE; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double idle = point->parameter[PARAMETER_IDLE];

        if (point->part == MEASUREMENT_DISPATCH && point->count > 0 && idle > 0 &&
            point->parameter[PARAMETER_REALTIME] == realtime)
            latency[count++] = (point_median(point) - awake) / formula_wake_up(idle, 1);
    }
    return count == 0 ? RESULT_NONE : larger(0, stats_sort_median(latency, count));
}

/* Finds what a port takes for datagrams of a size. */
static void find_reception(const struct measurement *measurement, int size,
                           struct dispatch_times *times)
{
    struct measurement_point receive =
        measurement_point(MEASUREMENT_DISPATCH, DISPATCH_RECEIVE, "");

    receive.parameter[PARAMETER_SIZE] = times->size = size;
    receive.parameter[PARAMETER_BURST] = DISPATCH_BURST_MOST;
    times->datagram = median_like(measurement, &receive);
    times->ingress = time_beyond(
        least_median(measurement, DISPATCH_INGRESS, DISPATCH_SOCKET_POLLED, size, 1),
        times->datagram);
}

void dispatch_times_from(const struct measurement *measurement, struct dispatch_times *times)
{
    for (int i = 0; i <= DISPATCH_PROCESS; i++)
        times->launch[i] = RESULT_NONE;
    times->launch[DISPATCH_SPIN] =
        least_median(measurement, DISPATCH_LAUNCH, DISPATCH_POLLING, NONE, NONE);
    times->launch[DISPATCH_WAKE] =
        least_median(measurement, DISPATCH_LAUNCH, DISPATCH_ASLEEP, NONE, NONE);
    times->launch[DISPATCH_PROCESS] =
        least_median(measurement, DISPATCH_OTHER_PROCESS, DISPATCH_POLLING, NONE, NONE);
    times->handover = time_beyond(
        least_median(measurement, DISPATCH_HANDOVER, DISPATCH_ASLEEP, DISPATCH_HANDED, NONE),
        times->launch[DISPATCH_PROCESS]);
    times->boundary = barrier_of_most(measurement);
    find_reception(measurement, DATAGRAM_JUMBO, times);
    if (times->ingress == RESULT_NONE)
        find_reception(measurement, DATAGRAM_STANDARD, times);
    times->egress =
        least_median(measurement, DISPATCH_EGRESS, DISPATCH_SOCKET_POLLED, DATAGRAM_STANDARD, 1);
    times->sleep = sleep_from(measurement, 1);
    if (times->sleep == RESULT_NONE)
        times->sleep = sleep_from(measurement, 0);
}

double dispatch_burst_slope(const double *burst, const double *seconds, int count, double least)
{
    double mean_burst = 0, mean_seconds = 0, squares = 0, products = 0;

    for (int i = 0; i < count; i++) {
        mean_burst += burst[i] / count;
        mean_seconds += seconds[i] / count;
    }
    for (int i = 0; i < count; i++) {
        squares += (burst[i] - mean_burst) * (burst[i] - mean_burst);
        products += (burst[i] - mean_burst) * (seconds[i] - mean_seconds);
    }
    return larger(least, products / squares);
}
