#include <math.h>
#include <time.h>

#include "probe.h"

#define TRIES 4 /* samples taken anew before a point goes on with what it has */

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

enum status probe_time(struct probe *probe, probe_loop *loop, void *data, double units,
                       struct measurement_point *point, struct error *error)
{
    uint64_t repeats = calibrate(probe, loop, data);
    int tries = TRIES * (probe->samples + 1);
    double least = INFINITY;

    point->count = 0;
    for (int i = -1; i < probe->samples && tries > 0; tries--) {
        double single, twice;

        if (probe_stopped(probe))
            return STATUS_OK;
        single = once(loop, data, repeats);
        twice = once(loop, data, 2 * repeats);
        if (i >= 0) {
            least = fmin(least, single);
            if (twice <= least)
                continue;
            point->sample[point->count++] = twice;
        }
        i++;
    }
    for (int i = 0; i < point->count; i++)
        point->sample[i] = (point->sample[i] - least) / ((double)repeats * units);
    return measurement_add(probe->measurement, point, error);
}
