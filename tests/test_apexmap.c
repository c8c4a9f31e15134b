#include "probe/apexmap.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "probe/system.h"

#define COUNT 2000
#define WORDS ((size_t)1 << 26)

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

TEST(starts_lie_within)
{
    static const double alphas[] = {1, 0.5, 0.1, 0.001};
    static const size_t words[] = {1, 7, 64, 1000, WORDS};
    uint32_t starts[100];
    uint64_t state = 3;

    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        for (size_t block = 1; block <= words[w]; block = 3 * block + 1)
            for (size_t a = 0; a < sizeof alphas / sizeof alphas[0]; a++) {
                apexmap_starts(starts, 100, words[w], block, alphas[a], &state);
                for (int i = 0; i < 100; i++)
                    if (!CHECK_TRUE(starts[i] % block == 0 && starts[i] <= words[w] - block,
                                    "%zu words, L %zu, alpha %g: start %u", words[w], block,
                                    alphas[a], starts[i]))
                        return;
            }
}

/* P(start < x M) = x^alpha: the q quantile of the starts is q^(1/alpha) of the memory. */
static void follows_the_power_law(double alpha, size_t block)
{
    static const double quantiles[] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.99};
    uint32_t starts[COUNT];
    uint64_t state = 7;

    apexmap_starts(starts, COUNT, WORDS, block, alpha, &state);
    qsort(starts, COUNT, sizeof starts[0], ascending);
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        double last = (double)(WORDS / block - 1);
        /* One draw lies in each of COUNT parts. */
        double low = floor(pow(quantiles[i], 1 / alpha) * last) * (double)block;
        double high = ceil(pow(quantiles[i] + 1.0 / COUNT, 1 / alpha) * last) * (double)block;
        double start = starts[(int)(quantiles[i] * COUNT + 0.5)];

        CHECK_TRUE(start >= low && start <= high,
                   "alpha %g, L %zu: the %g quantile is %.0f, not %.0f to %.0f", alpha, block,
                   quantiles[i], start, low, high);
    }
}

TEST(distribution)
{
    static const double alphas[] = {1, 0.5, 0.25, 0.1, 0.01};

    for (size_t i = 0; i < sizeof alphas / sizeof alphas[0]; i++) {
        follows_the_power_law(alphas[i], 1);
        follows_the_power_law(alphas[i], 64);
    }
}

/* The order is random: neighbours rise about as often as they fall; another seed, another order. */
TEST(order)
{
    uint32_t starts[COUNT], again[COUNT], other[COUNT];
    uint64_t state = 1, same = 1, next = 2;
    int rises = 0, equal = 0, like_other = 0;

    apexmap_starts(starts, COUNT, WORDS, 1, 1, &state);
    apexmap_starts(again, COUNT, WORDS, 1, 1, &same);
    apexmap_starts(other, COUNT, WORDS, 1, 1, &next);
    for (int i = 0; i < COUNT; i++) {
        rises += i > 0 && starts[i] > starts[i - 1];
        equal += starts[i] == again[i];
        like_other += starts[i] == other[i];
    }
    CHECK_TRUE(rises > COUNT * 45 / 100 && rises < COUNT * 55 / 100, "%d of %d rise", rises, COUNT);
    CHECK_INT(equal, COUNT);
    CHECK_TRUE(like_other < 5, "%d of %d as with another seed", like_other, COUNT);
}

static bool stop_after(void *context)
{
    int *left = context;

    return *left == 0 || --*left == 0;
}

static struct probe small_probe(struct measurement *measurement)
{
    struct probe probe;

    probe_defaults(&probe, true);
    probe.measurement = measurement;
    probe.largest = 64 << 10;
    probe.samples = 5;
    return probe;
}

TEST(has_all_points)
{
    struct measurement measurement = {0};
    struct error error = {0};
    struct probe probe = small_probe(&measurement);

    CHECK_TRUE(probe_apexmap(&probe, &error) == STATUS_OK, "%s", error.message);
    /* 8192 words: L of 1, 4, 16, 64, 256, 1024 */
    CHECK_INT(measurement.count, 6 * 10);
    for (int i = 0; i < measurement.count; i++) {
        const struct measurement_point *point = &measurement.point[i];

        CHECK_INT(point->part, MEASUREMENT_APEX);
        CHECK_STR(point->name, "apex");
        CHECK_NEAR(point->parameter[PARAMETER_SIZE], 64 << 10, 0);
        CHECK(point->parameter[PARAMETER_BLOCK] >= 1 && point->parameter[PARAMETER_BLOCK] <= 1024);
        CHECK(point->parameter[PARAMETER_LOCALITY] >= 0.001 &&
              point->parameter[PARAMETER_LOCALITY] <= 1);
        for (int k = 0; k < point->count; k++)
            CHECK(point->sample[k] > 0 && isfinite(point->sample[k]));
    }
    measurement_free(&measurement);
}

/* All cores at once, at the largest size, where there are several. */
TEST(all_cores_at_once)
{
    struct measurement measurement = {0};
    struct error error = {0};
    struct probe probe = small_probe(&measurement);
    int count = system_here()->cores;
    int team = 0;

    probe.quick = false;
    CHECK_TRUE(probe_apexmap(&probe, &error) == STATUS_OK, "%s", error.message);
    for (int i = 0; i < measurement.count; i++) {
        const struct measurement_point *point = &measurement.point[i];

        if (!(point->parameter[PARAMETER_CORES] > 1))
            continue;
        team++;
        CHECK_NEAR(point->parameter[PARAMETER_CORES], count, 0);
        CHECK_NEAR(point->parameter[PARAMETER_SIZE], 64 << 10, 0);
        for (int k = 0; k < point->count; k++)
            CHECK(point->sample[k] > 0 && isfinite(point->sample[k]));
    }
    CHECK_INT(team, count > 1 ? 6 * 10 : 0);
    measurement_free(&measurement);
}

TEST(stops)
{
    for (int after = 1; after <= 64; after *= 4) {
        struct measurement measurement = {0};
        struct error error = {0};
        struct probe probe = small_probe(&measurement);
        int left = after;

        probe.stopped = stop_after;
        probe.context = &left;
        CHECK_TRUE(probe_apexmap(&probe, &error) == STATUS_OK, "%s", error.message);
        CHECK_TRUE(measurement.count < after, "%d points after %d questions", measurement.count,
                   after);
        measurement_free(&measurement);
    }
}

static int looks_left;

static bool looked_enough(void *context)
{
    (void)context;
    return looks_left-- <= 0;
}

/* Kilobytes that the process had at most. */
static long most_memory(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Memory is prepared in steps, so that a stop is noticed soon: what the part has touched by then is
 * counted instead of its time. In a process of its own, whose memory nobody else uses. */
TEST(a_stop_is_noticed_while_memory_is_prepared)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        struct measurement measurement = {0};
        struct error error = {.status = STATUS_OK};
        struct probe probe;
        long before;

        probe_defaults(&probe, true);
        probe.largest = (size_t)512 << 20;
        probe.measurement = &measurement;
        probe.stopped = looked_enough;
        probe.report = NULL;
        looks_left = 3;
        before = most_memory();
        probe_apexmap(&probe, &error);
        _exit(most_memory() - before < 100 * 1024 ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
}
