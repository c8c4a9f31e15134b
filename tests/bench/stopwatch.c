#include "stopwatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BURST 5e-3
#define BURSTS 61

double stopwatch_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double *p = a;
    const double *q = b;

    return (*p > *q) - (*p < *q);
}

struct spread stopwatch_spread(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return (struct spread){values[0], values[count / 2]};
}

struct spread stopwatch_run(void (*step)(void *, int), void *context)
{
    double seconds[BURSTS];
    int count = 0;
    double start = stopwatch_now();

    while (stopwatch_now() - start < BURST)
        step(context, count++);
    for (int burst = 0; burst < BURSTS; burst++) {
        start = stopwatch_now();
        for (int i = 0; i < count; i++)
            step(context, i);
        seconds[burst] = (stopwatch_now() - start) / count;
    }
    return stopwatch_spread(seconds, BURSTS);
}

void stopwatch_print(const char *name, struct spread spread, double scale, const char *unit)
{
    printf("%-56s %10.1f %10.1f  %s\n", name, spread.least * scale, spread.median * scale, unit);
}
