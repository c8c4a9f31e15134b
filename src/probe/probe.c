#include "probe.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "system.h"

#define QUICK_SHORTEST 200e-6 /* s */
#define FULL_SHORTEST 2e-3
#define QUICK_SAMPLES 7
#define FULL_SAMPLES 31
#define LARGEST_QUICK ((size_t)512 << 20) /* B */
#define LARGEST_FULL ((size_t)2 << 30)

bool probe_stopped(const struct probe *probe)
{
    return probe->stopped != NULL && probe->stopped(probe->context);
}

void probe_report(const struct probe *probe, enum measurement_part part, double done)
{
    if (probe->report != NULL)
        probe->report(probe->context, probe, part, done);
}

bool probe_pin(int core)
{
    cpu_set_t set;

    system_remember_cores();
    CPU_ZERO(&set);
    if (core < 0 || core >= CPU_SETSIZE)
        return false;
    CPU_SET((size_t)core, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

static int last_core(void)
{
    int cores[SYSTEM_CORES_MAX];

    system_cores(cores, NULL);
    return cores[0];
}

void probe_defaults(struct probe *probe, bool quick)
{
    size_t largest = quick ? LARGEST_QUICK : LARGEST_FULL;
    long pages = sysconf(_SC_AVPHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    size_t half = pages > 0 && page > 0 ? (size_t)pages / 2 * (size_t)page : largest;

    *probe = (struct probe){
        .quick = quick,
        .seed = 1,
        .largest = largest < half ? largest : half,
        .shortest = quick ? QUICK_SHORTEST : FULL_SHORTEST,
        .samples = quick ? QUICK_SAMPLES : FULL_SAMPLES,
        .core = last_core(),
    };
}
