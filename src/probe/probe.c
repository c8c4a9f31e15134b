#include "probe/probe.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "probe/apexmap.h"
#include "probe/bandwidth.h"
#include "probe/memory.h"
#include "probe/operations.h"
#include "probe/system.h"

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

/* Probe parts ---------------------------------------------------------------------------------- */

/* The seconds of the quick run are each part's budget: together they stay within a minute. */
const struct probe_part probe_parts[] = {
    {MEASUREMENT_MEMORY, "latency against working set, chains, walks, prefetch", 120, 10,
     probe_memory},
    {MEASUREMENT_OPERATIONS, "latency and throughput of operations, cost of subnormals", 40, 12,
     probe_operations},
    {MEASUREMENT_BANDWIDTH, "read, write, copy, triad, dot by level; one core and all", 40, 5,
     probe_bandwidth},
    {MEASUREMENT_APEX, "time of an access against locality and block (Apex-MAP)", 45, 5,
     probe_apexmap},
};

const int probe_part_count = (int)(sizeof probe_parts / sizeof probe_parts[0]);

/* Probe time ----------------------------------------------------------------------------------- */

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

/* Pages ---------------------------------------------------------------------------------------- */

bool pages_get(struct pages *pages, size_t size)
{
    bool large = size >= PAGES_HUGE;
    size_t mapped = large ? (size + 2 * PAGES_HUGE - 1) / PAGES_HUGE * PAGES_HUGE : size;
    char *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *bytes = start;

    *pages = (struct pages){0};
    if (start == MAP_FAILED)
        return false;
    if (large) {
        size_t before = (PAGES_HUGE - (uintptr_t)start % PAGES_HUGE) % PAGES_HUGE;

        /* The alignment costs address space only: the ends are given back. */
        bytes = start + before;
        if (before > 0)
            munmap(start, before);
        mapped -= before;
        madvise(bytes, mapped, MADV_HUGEPAGE);
    }
    memset(bytes, 0, size);
    *pages = (struct pages){.bytes = bytes, .size = size, .mapped = mapped};
    return true;
}

void pages_free(struct pages *pages)
{
    if (pages->bytes != NULL)
        munmap(pages->bytes, pages->mapped);
    *pages = (struct pages){0};
}

/* Sums AnonHugePages of the mappings within [start, end). */
static size_t sum_huge(FILE *file, uintptr_t start, uintptr_t end)
{
    char line[512];
    bool inside = false;
    size_t sum = 0;

    while (fgets(line, sizeof line, file) != NULL) {
        uintptr_t from, to;
        size_t kib;

        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            inside = from < end && to > start;
        else if (inside && sscanf(line, "AnonHugePages: %zu kB", &kib) == 1)
            sum += kib * 1024;
    }
    return sum;
}

size_t pages_huge(const struct pages *pages)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    uintptr_t start = (uintptr_t)pages->bytes;
    size_t sum;

    if (file == NULL)
        return 0;
    sum = sum_huge(file, start, start + pages->size);
    fclose(file);
    return sum < pages->size ? sum : pages->size;
}
