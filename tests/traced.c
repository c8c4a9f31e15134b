/* The kernels of the probe as a program of their own, to be traced and timed:
 *
 *     traced mvm ROWS COLUMNS TIMES
 *     traced cog|threshold SUBAPERTURES SIDE TIMES
 *     traced dark-flat|pyramid|integrator COUNT 1 TIMES      of pixels, pupil pixels, actuators
 *
 * Phase 1 is TIMES calls after a first one; the program prints the seconds of the shortest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "probe/loops/kernel_loops.h"

#if defined(__x86_64__)
#define PHASE(n) __asm__ volatile("nopl %c0(%%rax)" ::"i"(0x616f6c00 + (n)) : "memory")
#else
#define PHASE(n) (void)(n)
#endif

enum { ARGUMENTS = 5, LISTS = 8 };

/* All the same, above 0; written in few instructions. */
static float *numbers(size_t count)
{
    size_t size = (count * sizeof(float) + 63) / 64 * 64;
    float *list = aligned_alloc(64, size);

    if (list == NULL)
        exit(99);
    memset(list, 0x3c, size);
    return list;
}

/* Valgrind has no wider registers than those of AVX2. */
static const struct kernel_loops *loops_of_valgrind(void)
{
    const struct kernel_loops *list[KERNEL_LOOPS_MAX];
    int i = 0;

    kernel_loops_here(list);
    while (strcmp(list[i]->name, "AVX-512") == 0)
        i++;
    return list[i];
}

struct work {
    size_t many, each;
    float *list[LISTS]; /* the first has many x each numbers, or many x each^2 for subapertures */
};

typedef void run(const struct kernel_loops *loops, const struct work *work);

static void run_mvm(const struct kernel_loops *loops, const struct work *work)
{
    loops->mvm(work->list[0], work->list[1], work->list[2], work->each, 0, work->many);
}

static struct kernel_centroids centroids_of(const struct work *work)
{
    return (struct kernel_centroids){.side = work->each,
                                     .pixels = work->list[0],
                                     .reference = work->list[1],
                                     .slopes = work->list[2],
                                     .threshold = 0.001F};
}

static void run_cog(const struct kernel_loops *loops, const struct work *work)
{
    struct kernel_centroids centroids = centroids_of(work);

    loops->centroid[KERNEL_CENTROID_COG](&centroids, 0, work->many);
}

static void run_threshold(const struct kernel_loops *loops, const struct work *work)
{
    struct kernel_centroids centroids = centroids_of(work);

    loops->centroid[KERNEL_CENTROID_THRESHOLD](&centroids, 0, work->many);
}

static void run_dark_flat(const struct kernel_loops *loops, const struct work *work)
{
    loops->dark_flat((const uint16_t *)(const void *)work->list[0], work->list[1], work->list[3],
                     work->list[2], 0, work->many);
}

static void run_pyramid(const struct kernel_loops *loops, const struct work *work)
{
    struct kernel_pyramid pyramid = {
        .image = {work->list[0], work->list[1], work->list[3], work->list[4]},
        .flux = work->list[5],
        .x = work->list[6],
        .y = work->list[7],
        .slopes = work->list[2],
        .pupil = work->many,
    };
    float flux = loops->pyramid_sums(&pyramid, 0, work->many);

    loops->pyramid_slopes(&pyramid, (float)work->many / flux, 0, work->many);
}

static void run_integrator(const struct kernel_loops *loops, const struct work *work)
{
    struct kernel_integrator integrator = {
        .error = work->list[0],
        .offset = work->list[1],
        .state = work->list[3],
        .moved = work->list[4],
        .clipped = work->list[5],
        .command = work->list[2],
        .leak = 0.99F,
        .gain = 0.5F,
        .limit = 1,
        .scale = 1000,
        .bias = 1,
    };

    loops->integrator(&integrator, 0, work->many);
}

static const struct {
    const char *name;
    run *run;
    bool square;
} kernels[] = {
    {"mvm", run_mvm, false},
    {"cog", run_cog, true},
    {"threshold", run_threshold, true},
    {"dark-flat", run_dark_flat, false},
    {"pyramid", run_pyramid, false},
    {"integrator", run_integrator, false},
};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

int main(int argc, char **argv)
{
    const struct kernel_loops *loops = loops_of_valgrind();
    struct work work = {0};
    int times = 0;
    int k = KERNELS;
    double least = 1e9;

    if (argc == ARGUMENTS) {
        for (k = 0; k < KERNELS && strcmp(argv[1], kernels[k].name) != 0;)
            k++;
        work.many = strtoul(argv[2], NULL, 10);
        work.each = strtoul(argv[3], NULL, 10);
        times = atoi(argv[4]);
    }
    if (k == KERNELS || work.many == 0 || work.each == 0 || times <= 0) {
        fputs("usage: traced KERNEL COUNT SIZE TIMES\n", stderr);
        return 2;
    }
    for (int i = 0; i < LISTS; i++)
        work.list[i] = numbers(i == 0 ? work.many * work.each * (kernels[k].square ? work.each : 1)
                                      : 2 * work.many + work.each);
    for (int t = 0; t <= times; t++) {
        double began = clock_seconds();
        double took;

        if (t == 0)
            PHASE(0);
        else
            PHASE(1);
        kernels[k].run(loops, &work);
        PHASE(2);
        took = clock_seconds() - began;
        if (t > 0 && took < least)
            least = took;
    }
    printf("%.9g\n", least);
    return work.list[2][0] < 1e9F ? 0 : 1;
}
