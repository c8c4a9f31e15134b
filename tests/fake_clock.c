#include "fake_clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double tick; /* s */
static double rate = 1;
static atomic_ulong readings;
static unsigned long signal_at;
static int signal_number;

void clock_tick(double seconds)
{
    tick = seconds;
}

__attribute__((constructor)) static void read_settings(void)
{
    const char *slower = getenv("CLOCK_RATE");
    const char *step = getenv("CLOCK_STEP");
    const char *at = getenv("CLOCK_AT");
    const char *number = getenv("CLOCK_SIGNAL");

    if (slower != NULL)
        rate = atof(slower);
    if (step == NULL)
        return;
    clock_tick(atof(step));
    signal_at = at != NULL ? strtoul(at, NULL, 10) : 0;
    signal_number = number != NULL ? atoi(number) : 0;
    unsetenv("LD_PRELOAD"); /* what the program starts has the system's clock */
}

static void set_time(double seconds, struct timespec *time)
{
    time->tv_sec = (time_t)seconds;
    time->tv_nsec = (long)(1e9 * (seconds - (double)time->tv_sec));
}

static void count_reading(struct timespec *time)
{
    unsigned long number = atomic_fetch_add(&readings, 1) + 1;

    if (number == signal_at)
        kill(getpid(), signal_number);
    set_time(tick * (double)number, time);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result;

    if (clock == CLOCK_MONOTONIC && tick != 0) {
        count_reading(time);
        return 0;
    }
    result = (int)syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_MONOTONIC && rate != 1)
        set_time(rate * ((double)time->tv_sec + 1e-9 * (double)time->tv_nsec), time);
    return result;
}
