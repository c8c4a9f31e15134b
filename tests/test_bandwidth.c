#include "probe/bandwidth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "probe/team.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static const struct system_caches desktop = {
    .levels = 3,
    .capacity = {32 << 10, 1 << 20, 32 << 20},
    .cores = {1, 1, 4},
};

static void check_sizes(const struct system_caches *caches, int cores, bool quick, size_t largest,
                        const size_t *expected, int expected_count)
{
    size_t sizes[BANDWIDTH_SIZES_MAX];
    int count = bandwidth_sizes(caches, cores, quick, largest, sizes);

    if (!CHECK_INT(count, expected_count))
        return;
    for (int i = 0; i < count; i++)
        CHECK_TRUE(sizes[i] == expected[i], "%d cores, size %d: %zu, not %zu", cores, i, sizes[i],
                   expected[i]);
}

TEST(sizes_of_levels)
{
    static const struct system_caches unknown = {0};
    /* The third cache is four cores': a share of it, half of it. */
    const size_t one[] = {16 * KIB, 512 * KIB, 4 * MIB, 16 * MIB, 128 * MIB};
    const size_t four[] = {64 * KIB, 2 * MIB, 16 * MIB, 128 * MIB};
    /* Two caches of the third level. */
    const size_t eight[] = {128 * KIB, 4 * MIB, 32 * MIB, 256 * MIB};
    const size_t full[] = {8 * KIB, 16 * KIB, 256 * KIB, 512 * KIB, 4 * MIB,
                           8 * MIB, 16 * MIB, 128 * MIB, 256 * MIB};
    const size_t small[] = {16 * KIB, 64 * KIB};
    const size_t usual[] = {16 * KIB, 256 * KIB, 4 * MIB, 32 * MIB};

    check_sizes(&desktop, 1, true, 512 * MIB, one, 5);
    check_sizes(&desktop, 4, true, 512 * MIB, four, 4);
    check_sizes(&desktop, 8, true, 512 * MIB, eight, 4);
    check_sizes(&desktop, 1, false, 2048 * MIB, full, 9);
    check_sizes(&desktop, 1, true, 64 * KIB, small, 2);
    check_sizes(&unknown, 1, true, 512 * MIB, usual, 4);
}

/* Every machine and limit: ascending, within what is allowed. */
TEST(sizes_of_any_machine)
{
    for (int cores = 1; cores <= 128; cores = 3 * cores / 2 + 1) {
        for (size_t largest = 64 * KIB; largest <= 2048 * MIB; largest *= 4) {
            for (int shared = 1; shared <= 64; shared *= 4) {
                struct system_caches caches = {
                    .levels = 3,
                    .capacity = {48 << 10, 2 << 20, 1536.0 * 1024 * shared},
                    .cores = {1, 1, shared}};
                size_t sizes[BANDWIDTH_SIZES_MAX], before = 0;
                int count = bandwidth_sizes(&caches, cores, shared == 1, largest, sizes);

                CHECK(count >= 1 && count <= BANDWIDTH_SIZES_MAX);
                for (int i = 0; i < count; before = sizes[i++])
                    CHECK_TRUE(sizes[i] > before && sizes[i] <= largest,
                               "%d cores, at most %zu: %zu after %zu", cores, largest, sizes[i],
                               before);
            }
        }
    }
}

/* Number of requests after which a part is asked to stop. */
static bool stop_after(void *context)
{
    int *left = context;

    return *left == 0 || --*left == 0;
}

static struct probe small_probe(struct measurement *measurement, int *left)
{
    struct probe probe;

    probe_defaults(&probe, true);
    probe.measurement = measurement;
    probe.largest = 64 * KIB;
    probe.shortest = 1e-6;
    probe.samples = 5;
    probe.stopped = stop_after;
    probe.context = left;
    return probe;
}

static void check_point(const struct measurement_point *point)
{
    bool jitter = strcmp(point->name, "jitter") == 0;
    bool barrier = strcmp(point->name, "barrier") == 0;

    CHECK_INT(point->part, MEASUREMENT_BANDWIDTH);
    CHECK_STR(point->type, barrier ? "" : "f32");
    CHECK_TRUE(jitter || (point->count >= 5 && point->count <= 21), "%s: %d samples", point->name,
               point->count);
    CHECK(!jitter || point->count == MEASUREMENT_SAMPLES_MAX);
    CHECK(barrier || point->parameter[PARAMETER_SIZE] > 0);
    CHECK(barrier || point->parameter[PARAMETER_SIZE] <= (double)(64 * KIB));
    CHECK(point->parameter[PARAMETER_CORES] >= (barrier ? 2 : 1));
    for (int i = 0; i < point->count; i++)
        CHECK(point->sample[i] > 0 && isfinite(point->sample[i]));
}

TEST(has_all_points)
{
    static const char *const names[] = {"read", "write", "copy", "triad", "dot", "jitter"};
    struct measurement measurement = {0};
    struct error error = {0};
    int left = -1, most = 1;
    struct probe probe = small_probe(&measurement, &left);
    struct team *team;

    probe.stopped = NULL;
    CHECK_TRUE(probe_bandwidth(&probe, &error) == STATUS_OK, "%s", error.message);
    if (CHECK(team_open(&team, 1024, &error) == STATUS_OK)) {
        most = team_size(team);
        team_close(team);
    }
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        int one = 0, all = 0;

        for (int i = 0; i < measurement.count; i++) {
            double cores = measurement.point[i].parameter[PARAMETER_CORES];

            if (strcmp(measurement.point[i].name, names[n]) == 0)
                *(cores > 1 ? &all : &one) += 1;
            CHECK(cores == 1 || cores == most);
        }
        CHECK_TRUE(one > 0, "no point \"%s\" of one core", names[n]);
        CHECK_TRUE((all > 0) == (most > 1 && n < 5), "%d points \"%s\" of %d cores", all, names[n],
                   most);
    }
    for (int i = 0; i < measurement.count; i++)
        check_point(&measurement.point[i]);
    measurement_free(&measurement);
}

TEST(stops)
{
    int before = -1;

    for (int after = 0; after <= 100; after = 2 * after + 1) {
        struct measurement measurement = {0};
        struct error error = {0};
        int left = after;
        struct probe probe = small_probe(&measurement, &left);

        CHECK_TRUE(probe_bandwidth(&probe, &error) == STATUS_OK, "%s", error.message);
        CHECK_TRUE(measurement.count >= before, "%d points after %d questions, %d before",
                   measurement.count, after, before);
        CHECK_TRUE(measurement.count < after + 1, "%d points after %d questions", measurement.count,
                   after);
        before = measurement.count;
        for (int i = 0; i < measurement.count; i++)
            check_point(&measurement.point[i]);
        measurement_free(&measurement);
    }
}
