/* Times of something repeated: the smallest and the median. */
#ifndef AOLAG_STOPWATCH_H
#define AOLAG_STOPWATCH_H

#include <stddef.h>

/* Monotonic, in s. */
double stopwatch_now(void);

struct spread {
    double least, median;
};

/* Sorts the values. */
struct spread stopwatch_spread(double *values, size_t count);

/* Calls `step(context, i)` for i = 0, 1, ... in bursts of about 5 ms, some dozens of them, after
 * one that does not count; seconds of a single call. */
struct spread stopwatch_run(void (*step)(void *context, int i), void *context);

/* "NAME  least LEAST  median MEDIAN UNIT". */
void stopwatch_print(const char *name, struct spread spread, double scale, const char *unit);

#endif
