#include "probe/knees.h"

#include <math.h>
#include <stdint.h>

#include "check.h"

#define PER_OCTAVE 6
#define LEVELS_MAX 4

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014), 0 to 1 */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Box and Muller, Annals of Mathematical Statistics 29, 1958. */
static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - uniform(state)));

    return radius * cos(6.283185307179586 * uniform(state));
}

struct known_levels {
    int levels;
    double latency[LEVELS_MAX];      /* ns */
    double capacity[LEVELS_MAX - 1]; /* B, where the step is half way up, in logarithms */
    double width[LEVELS_MAX - 1];    /* octaves a step takes; 0: sharp */
    double slope;                    /* of every level, an octave */
    double noise;                    /* of ln latency */
    double shelf;                    /* more slope of the last level but one */
    double most;                     /* B, the largest size */
};

/* The latency at x octaves above 4 KiB. */
static double latency_at(const struct known_levels *stair, double x)
{
    double y = log(1e-9 * stair->latency[0]) + stair->slope * x;

    for (int i = 0; i + 1 < stair->levels; i++) {
        double from = x - log2(stair->capacity[i] / 4096);
        double done = stair->width[i] > 0 ? fmin(fmax(0.5 + from / stair->width[i], 0), 1)
                                          : (from > 0 ? 1 : 0);

        if (i > 0 && i == stair->levels - 2)
            y += stair->shelf * fmin(fmax(x - log2(stair->capacity[i - 1] / 4096), 0),
                                     log2(stair->capacity[i] / stair->capacity[i - 1]));
        y += done * log(stair->latency[i + 1] / stair->latency[i]);
    }
    return y;
}

static void find(const struct known_levels *stair, uint64_t seed, struct knees *knees)
{
    double size[KNEES_POINTS_MAX], latency[KNEES_POINTS_MAX];
    int count = (int)(PER_OCTAVE * log2(stair->most / 4096)) + 1;

    for (int i = 0; i < count; i++) {
        double x = (double)i / PER_OCTAVE;

        size[i] = 4096 * exp2(x);
        latency[i] = exp(latency_at(stair, x) + stair->noise * normal(&seed));
    }
    knees_find(size, latency, count, knees);
}

static const double KIB = 1024, MIB = 1048576;

/* Levels and capacities come out of every staircase, whatever the noise. */
TEST(finds_the_levels_of_a_staircase)
{
    const struct known_levels stairs[] = {
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 0, 0}, 0, 0, 0, 256 * MIB},
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 0, 0}, 0, 0.05, 0, 256 * MIB},
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 1, 1.5}, 0, 0.05, 0, 256 * MIB},
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 1, 1.5}, 0.03, 0.1, 0, 256 * MIB},
        {4, {1.6, 5, 20, 90}, {48 * KIB, 2 * MIB, 30 * MIB}, {0.5, 2, 1}, 0.04, 0.05, 0, 256 * MIB},
        {4, {1.3, 4.5, 12, 80}, {32 * KIB, 256 * KIB, 8 * MIB}, {0, 0.5, 1}, 0, 0.1, 0, 256 * MIB},
        {4, {1.1, 3.8, 13, 80}, {32 * KIB, MIB, 16 * MIB}, {0, 1.5, 1}, 0, 0.05, 0.14, 256 * MIB},
        {4, {1.1, 3.8, 13, 80}, {32 * KIB, MIB, 16 * MIB}, {0, 1.5, 1}, 0, 0.02, 0.14, 256 * MIB},
        {3, {1, 6, 120}, {64 * KIB, 4 * MIB}, {0, 1}, 0.02, 0.1, 0, 256 * MIB},
        {3, {1.5, 9, 60}, {16 * KIB, 512 * KIB}, {0, 0}, 0, 0.05, 0, 64 * MIB},
        {2, {2, 100}, {MIB}, {1}, 0, 0.1, 0, 256 * MIB},
    };

    for (size_t i = 0; i < sizeof stairs / sizeof stairs[0]; i++) {
        for (uint64_t seed = 1; seed <= 50; seed++) {
            const struct known_levels *stair = &stairs[i];
            struct knees knees;

            find(stair, seed, &knees);
            if (!CHECK_TRUE(knees.plateaus == stair->levels,
                            "staircase %zu, seed %d: %d plateaus instead of %d", i, (int)seed,
                            knees.plateaus, stair->levels))
                continue;
            for (int j = 0; j + 1 < stair->levels; j++)
                CHECK_TRUE(fabs(log(knees.capacity[j] / stair->capacity[j])) < log(1.5),
                           "staircase %zu, seed %d: capacity %.0f instead of %.0f B", i, (int)seed,
                           knees.capacity[j], stair->capacity[j]);
            for (int j = 0; j < stair->levels; j++) {
                const struct plateau *plateau = &knees.plateau[j];
                double middle = sqrt(plateau->from * plateau->to) / 4096;

                CHECK_TRUE(fabs(log(plateau->latency) - latency_at(stair, log2(middle))) < 0.2,
                           "staircase %zu, seed %d: level %d takes %g s", i, (int)seed, j,
                           plateau->latency);
                CHECK(!plateau->rises);
            }
        }
    }
}

/* A cache that throws out any line keeps C/S of a walk over S: latency nears memory's slowly. */
TEST(a_cache_that_forgets_at_random)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t state = seed;
        double size[KNEES_POINTS_MAX], latency[KNEES_POINTS_MAX];
        struct knees knees;
        int count = 0;

        for (; count <= 9 * PER_OCTAVE; count++) {
            size[count] = 64 * KIB * exp2((double)count / PER_OCTAVE);
            latency[count] =
                1e-9 * (100 - 85 * fmin(8 * MIB / size[count], 1)) * exp(0.05 * normal(&state));
        }
        knees_find(size, latency, count, &knees);
        if (CHECK_TRUE(knees.plateaus == 2, "seed %d: %d plateaus", (int)seed, knees.plateaus))
            CHECK_TRUE(fabs(log(knees.capacity[0] / (8 * MIB))) < log(1.5), "seed %d: %.0f B",
                       (int)seed, knees.capacity[0]);
    }
}

/* Something else on the machine for a moment is no level. */
TEST(disturbed_points)
{
    const struct known_levels stair = {3, {1, 6, 120}, {64 * KIB, 4 * MIB}, {0, 1}, 0, 0,
                                       0, 256 * MIB};
    double size[KNEES_POINTS_MAX], latency[KNEES_POINTS_MAX];
    int count = 16 * PER_OCTAVE + 1;

    for (int disturbed = 1; disturbed < count - 1; disturbed++) {
        struct knees knees;

        for (int i = 0; i < count; i++) {
            double x = (double)i / PER_OCTAVE;

            size[i] = 4096 * exp2(x);
            latency[i] = exp(latency_at(&stair, x)) * (i == disturbed ? 3 : 1);
        }
        knees_find(size, latency, count, &knees);
        if (!CHECK_TRUE(knees.plateaus == 3, "point %d: %d plateaus", disturbed, knees.plateaus))
            continue;
        CHECK_NEAR(knees.capacity[0], 64 * KIB, 0.3);
        CHECK_NEAR(knees.capacity[1], 4 * MIB, 0.3);
    }
}

TEST(few_points)
{
    static const double size[] = {4096, 8192, 16384}, latency[] = {1e-9, 1e-9, 1e-7};
    struct knees knees;

    knees_find(size, latency, 0, &knees);
    CHECK_INT(knees.plateaus, 0);
    knees_find(size, latency, 1, &knees);
    CHECK_INT(knees.plateaus, 1);
    CHECK_NEAR(knees.plateau[0].latency, 1e-9, 1e-12);
    CHECK(!knees.plateau[0].rises);
    for (int count = 2; count <= 3; count++) {
        knees_find(size, latency, count, &knees);
        CHECK_TRUE(knees.plateaus >= 1 && knees.plateaus <= 2, "%d points: %d", count,
                   knees.plateaus);
    }
}

static void add(struct measurement *measurement, const char *name, double chains, double size,
                double latency)
{
    struct measurement_point point = measurement_point(MEASUREMENT_MEMORY, name, "");

    point.parameter[PARAMETER_SIZE] = size;
    point.parameter[PARAMETER_CHAINS] = chains;
    point.sample[0] = 3 * latency;
    point.sample[1] = latency;
    point.count = 2;
    measurement_add(measurement, &point);
}

/* Of all that is measured, the chase with one chain counts, its least sample, by size. */
TEST(of_a_measurement)
{
    struct measurement measurement = {0};
    struct knees knees;

    knees_from_measurement(&measurement, &knees);
    CHECK_INT(knees.plateaus, 0);
    CHECK_NEAR(knees_nearest_capacity(&knees, 32 * KIB), 0, 0);
    for (int i = 8 * PER_OCTAVE; i >= 0; i--) {
        double size = 4096 * exp2((double)i / PER_OCTAVE);

        add(&measurement, "chase", 1, size, size < 40 * KIB ? 1e-9 : 5e-9);
        add(&measurement, "chase", 4, size, 7e-9);
        add(&measurement, "list", 1, size, 9e-9);
    }
    knees_from_measurement(&measurement, &knees);
    if (CHECK_INT(knees.plateaus, 2)) {
        CHECK_NEAR(knees.plateau[0].latency, 1e-9, 1e-9);
        CHECK_NEAR(knees.plateau[1].latency, 5e-9, 1e-9);
        CHECK_NEAR(knees.capacity[0], 40 * KIB, 0.15);
        CHECK_NEAR(knees_nearest_capacity(&knees, 32 * KIB), knees.capacity[0], 0);
        /* a cache of a third of it or three times as large is another */
        CHECK(knees_nearest_capacity(&knees, knees.capacity[0] / 2.9) > 0);
        CHECK(knees_nearest_capacity(&knees, knees.capacity[0] * 2.9) > 0);
        CHECK_NEAR(knees_nearest_capacity(&knees, knees.capacity[0] / 3.1), 0, 0);
        CHECK_NEAR(knees_nearest_capacity(&knees, knees.capacity[0] * 3.1), 0, 0);
        CHECK_NEAR(knees_nearest_capacity(&knees, 0), 0, 0);
    }
    measurement_free(&measurement);
}
