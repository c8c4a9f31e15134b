/* The monotonic clock. */
#ifndef AOLAG_BASE_CLOCK_H
#define AOLAG_BASE_CLOCK_H

#include <time.h>

/* Returns the time, s, since some moment in the past. */
static inline double clock_seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
