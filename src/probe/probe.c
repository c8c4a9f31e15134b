#include "probe/probe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "probe/system.h"

/* Settings and conditions ---------------------------------------------------------------------- */

static const struct {
    double shortest; /* s */
    int samples;
    size_t largest; /* B */
} settings[] = {
    [false] = {.shortest = 2e-3, .samples = 31, .largest = (size_t)2 << 30},
    [true] = {.shortest = 200e-6, .samples = 7, .largest = (size_t)512 << 20},
};

void probe_defaults(struct probe *probe, bool quick)
{
    double page = (double)sysconf(_SC_PAGESIZE);
    double half = floor((double)sysconf(_SC_AVPHYS_PAGES) / 2) * page;
    double largest = (double)settings[quick].largest;

    *probe = (struct probe){
        .quick = quick,
        .seed = 1,
        .largest = (size_t)(half > 0 ? smaller(largest, half) : largest),
        .shortest = settings[quick].shortest,
        .samples = settings[quick].samples,
        .core = system_here()->core[0],
    };
}

void probe_conditions(struct probe *probe)
{
    char(*condition)[CONDITION_MAX] = probe->measurement->condition;
    struct utsname system;
    time_t now = time(NULL);
    struct tm utc;

    system_conditions("", system_here(), condition);
    if (!system_pin_thread(probe->core))
        snprintf(condition[CONDITION_PINNED], CONDITION_MAX, "no: not allowed on core %d",
                 probe->core);
    if (uname(&system) == 0)
        snprintf(condition[CONDITION_SYSTEM], CONDITION_MAX, "%.40s %.60s %.40s", system.sysname,
                 system.release, system.machine);
    if (gmtime_r(&now, &utc) == NULL ||
        strftime(condition[CONDITION_DATE], CONDITION_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        snprintf(condition[CONDITION_DATE], CONDITION_MAX, "unknown");
#if defined __clang__
    snprintf(condition[CONDITION_VERSION], CONDITION_MAX, "aolag %s, clang %s", PACKAGE_VERSION,
             __clang_version__);
#else
    snprintf(condition[CONDITION_VERSION], CONDITION_MAX, "aolag %s, gcc %s", PACKAGE_VERSION,
             __VERSION__);
#endif
    snprintf(condition[CONDITION_SEED], CONDITION_MAX, "%" PRIu64, probe->seed);
}

void probe_begin(struct probe *probe, struct error *error)
{
    *error = (struct error){STATUS_OK, ""};
    probe->error = error;
}

bool probe_stopped(const struct probe *probe)
{
    return (probe->error != NULL && probe->error->status != STATUS_OK) ||
           (probe->stopped != NULL && probe->stopped(probe->context));
}

void probe_add_point(struct probe *probe, const struct measurement_point *point)
{
    measurement_add(probe->measurement, point);
}

void probe_report(const struct probe *probe, enum measurement_part part, double done)
{
    if (probe->report != NULL)
        probe->report(probe->context, probe, part, done);
}

/* Timed loops ---------------------------------------------------------------------------------- */

#define OVERHEAD_MOST 0.05 /* fraction of a run; more is a disturbance */
#define USUAL_RUN 1.5      /* times the shortest, as repeats are a power of two */
#define LONG_REPEAT 20e-3  /* s; the overhead of such a run does not count */
#define LONGEST_POINT 1.0  /* s of samples; a long run averages what disturbs a short one */
#define QUICK_POINT 0.25
#define SAMPLES_LEAST 5

double probe_now(void)
{
    return clock_seconds();
}

void probe_keep_value(double value)
{
    __asm__ volatile("" : : "m"(value) : "memory");
}

void probe_keep_pointer(const void *value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

double probe_time_run(probe_loop *loop, void *data, uint64_t repeats)
{
    double start = probe_now();

    loop(data, repeats);
    return probe_now() - start;
}

uint64_t probe_calibrate(const struct probe *probe, probe_loop *loop, void *data, double shortest)
{
    uint64_t repeats = 1;

    while (probe_time_run(loop, data, repeats) < shortest && repeats < UINT64_MAX / 4 &&
           !probe_stopped(probe))
        repeats *= 2;
    return repeats;
}

void probe_subtract_overhead(const double *once_s, const double *twice_s, int count, double scale,
                             double *samples)
{
    double once_least = INFINITY, twice_least = INFINITY;

    for (int i = 0; i < count; i++) {
        once_least = smaller(once_least, once_s[i]);
        twice_least = smaller(twice_least, twice_s[i]);
    }
    once_least = smaller(once_least, (1 + OVERHEAD_MOST) * twice_least / 2);
    for (int i = 0; i < count; i++)
        samples[i] = (twice_s[i] - once_least) / scale;
}

/* How a loop is timed whose runs take `run` s. */
struct loop_plan {
    bool twice;    /* a sample is a run of n and one of 2n repeats, else one repeat */
    double sample; /* s */
    int samples;
};

static struct loop_plan plan_loop(const struct probe *probe, double run, bool one_repeat)
{
    struct loop_plan plan = {.twice = !one_repeat || run < LONG_REPEAT};

    plan.sample = plan.twice ? 3 * run : run;
    plan.samples = (int)smaller(
        probe->samples,
        larger(SAMPLES_LEAST, (probe->quick ? QUICK_POINT : LONGEST_POINT) / plan.sample));
    return plan;
}

double probe_loop_seconds(const struct probe *probe, double repeat)
{
    const double run = larger(repeat, USUAL_RUN * probe->shortest);
    const struct loop_plan plan = plan_loop(probe, run, repeat >= probe->shortest);

    return 2 * run + plan.sample * plan.samples;
}

void probe_time_loop(struct probe *probe, probe_loop *loop, void *data, double units,
                     struct measurement_point *point)
{
    double once_s[MEASUREMENT_SAMPLES_MAX] = {0}, twice_s[MEASUREMENT_SAMPLES_MAX];
    uint64_t repeats = probe_calibrate(probe, loop, data, probe->shortest);
    const struct loop_plan plan =
        plan_loop(probe, probe_time_run(loop, data, repeats), repeats == 1);

    for (int i = 0; i < plan.samples; i++) {
        if (probe_stopped(probe))
            return;
        if (plan.twice)
            once_s[i] = probe_time_run(loop, data, repeats);
        twice_s[i] = probe_time_run(loop, data, plan.twice ? 2 * repeats : repeats);
    }
    point->count = plan.samples;
    probe_subtract_overhead(once_s, twice_s, point->count, (double)repeats * units, point->sample);
    probe_add_point(probe, point);
}

/* Memory to measure ---------------------------------------------------------------------------- */

static bool map_pages(const struct probe *probe, struct huge_pages *pages, size_t size, int advice)
{
    bool large = size >= HUGE_PAGE;
    size_t mapped = large ? (size + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE : size;
    char *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *bytes = start;

    *pages = (struct huge_pages){0};
    if (start == MAP_FAILED)
        return false;
    if (large) {
        size_t before = (HUGE_PAGE - (uintptr_t)start % HUGE_PAGE) % HUGE_PAGE;

        /* Alignment costs only address space: the part before `bytes` is unmapped. */
        bytes = start + before;
        if (before > 0)
            munmap(start, before);
        mapped -= before;
        madvise(bytes, mapped, advice);
    }
    for (size_t at = 0; at < size && (probe == NULL || !probe_stopped(probe)); at += PROBE_STEP)
        memset(bytes + at, 0, size - at < PROBE_STEP ? size - at : PROBE_STEP);
    *pages = (struct huge_pages){.bytes = bytes, .size = size, .mapped = mapped};
    return true;
}

bool huge_pages_map(const struct probe *probe, struct huge_pages *pages, size_t size)
{
    return map_pages(probe, pages, size, MADV_HUGEPAGE);
}

bool small_pages_map(const struct probe *probe, struct huge_pages *pages, size_t size)
{
    return map_pages(probe, pages, size, MADV_NOHUGEPAGE);
}

void huge_pages_unmap(struct huge_pages *pages)
{
    if (pages->bytes != NULL)
        munmap(pages->bytes, pages->mapped);
    *pages = (struct huge_pages){0};
}

size_t huge_pages_granted(const struct huge_pages *pages)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    uintptr_t start = (uintptr_t)pages->bytes;
    char line[512];
    bool inside = false; /* the current mapping overlaps the pages */
    size_t sum = 0;

    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL) {
        uintptr_t from, to;
        size_t kib;

        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            inside = from < start + pages->size && to > start;
        else if (inside && sscanf(line, "AnonHugePages: %zu kB", &kib) == 1)
            sum += kib * 1024;
    }
    fclose(file);
    return sum < pages->size ? sum : pages->size;
}
