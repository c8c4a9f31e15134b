/* The kernels of the probe as a program of their own, to be traced and timed:
 *
 *     traced mvm ROWS COLUMNS TIMES
 *     traced cog SUBAPERTURES SIDE TIMES
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

enum { ARGUMENTS = 5 };

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

int main(int argc, char **argv)
{
    const struct kernel_loops *loops = loops_of_valgrind();
    bool mvm = argc == ARGUMENTS && strcmp(argv[1], "mvm") == 0;
    size_t many = argc == ARGUMENTS ? strtoul(argv[2], NULL, 10) : 0;
    size_t each = argc == ARGUMENTS ? strtoul(argv[3], NULL, 10) : 0;
    int times = argc == ARGUMENTS ? atoi(argv[4]) : 0;
    struct kernel_centroids centroids = {.side = each};
    float *matrix, *vector, *result;
    double least = 1e9;

    if (many == 0 || each == 0 || times <= 0) {
        fputs("usage: traced mvm|cog COUNT SIZE TIMES\n", stderr);
        return 2;
    }
    matrix = numbers(many * each * (mvm ? 1 : each));
    vector = numbers(mvm ? each : 2 * many);
    result = numbers(2 * many);
    centroids.pixels = matrix;
    centroids.reference = vector;
    centroids.slopes = result;
    for (int t = 0; t <= times; t++) {
        double began = clock_seconds();
        double took;

        if (t == 0)
            PHASE(0);
        else
            PHASE(1);
        if (mvm)
            loops->mvm(matrix, vector, result, each, 0, many);
        else
            loops->centroid[KERNEL_CENTROID_COG](&centroids, 0, many);
        PHASE(2);
        took = clock_seconds() - began;
        if (t > 0 && took < least)
            least = took;
    }
    printf("%.9g\n", least);
    return result[0] != 0 ? 0 : 1;
}
