#include <math.h>
#include <time.h>

#include "probe.h"

#define ONCE_MOST 0.05 /* of a run: more cannot be what is paid once */

double probe_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void probe_keep(double value)
{
    __asm__ volatile("" : : "m"(value) : "memory");
}

void probe_keep_pointer(const void *value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

static double once(probe_loop *loop, void *data, uint64_t repeats)
{
    double start = probe_now();

    loop(data, repeats);
    return probe_now() - start;
}

/* How often, for a run of at least `shortest`. */
static uint64_t calibrate(const struct probe *probe, probe_loop *loop, void *data)
{
    uint64_t repeats = 1;

    while (once(loop, data, repeats) < probe->shortest && repeats < UINT64_MAX / 4 &&
           !probe_stopped(probe))
        repeats *= 2;
    return repeats;
}

void probe_differences(const double *once_s, const double *twice_s, int count, double scale,
                       double *samples)
{
    double once_least = INFINITY, twice_least = INFINITY;

    for (int i = 0; i < count; i++) {
        once_least = fmin(once_least, once_s[i]);
        twice_least = fmin(twice_least, twice_s[i]);
    }
    once_least = fmin(once_least, (1 + ONCE_MOST) * twice_least / 2);
    for (int i = 0; i < count; i++)
        samples[i] = (twice_s[i] - once_least) / scale;
}

enum status probe_time(struct probe *probe, probe_loop *loop, void *data, double units,
                       struct measurement_point *point, struct error *error)
{
    double once_s[MEASUREMENT_SAMPLES_MAX], twice_s[MEASUREMENT_SAMPLES_MAX];
    uint64_t repeats = calibrate(probe, loop, data);

    for (int i = -1; i < probe->samples; i++) {
        /* The first pair warms up: the next takes its place. */
        int at = i > 0 ? i : 0;

        if (probe_stopped(probe))
            return STATUS_OK;
        once_s[at] = once(loop, data, repeats);
        twice_s[at] = once(loop, data, 2 * repeats);
    }
    point->count = probe->samples;
    probe_differences(once_s, twice_s, point->count, (double)repeats * units, point->sample);
    return measurement_add(probe->measurement, point, error);
}
