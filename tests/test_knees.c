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

struct staircase {
    int levels;
    double latency[LEVELS_MAX];      /* ns */
    double capacity[LEVELS_MAX - 1]; /* B, where the step is half way up, in logarithms */
    double width[LEVELS_MAX - 1];    /* octaves a step takes; 0: sharp */
    double slope;                    /* of every level, an octave */
    double noise;                    /* of ln latency */
    double most;                     /* B, the largest size */
};

/* The latency at x octaves above 4 KiB. */
static double latency_at(const struct staircase *stair, double x)
{
    double y = log(1e-9 * stair->latency[0]) + stair->slope * x;

    for (int i = 0; i + 1 < stair->levels; i++) {
        double from = x - log2(stair->capacity[i] / 4096);
        double done = stair->width[i] > 0 ? fmin(fmax(0.5 + from / stair->width[i], 0), 1)
                                          : (from > 0 ? 1 : 0);

        y += done * log(stair->latency[i + 1] / stair->latency[i]);
    }
    return y;
}

static void find(const struct staircase *stair, uint64_t seed, struct knees *knees)
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
static void finds_levels(void)
{
    const struct staircase stairs[] = {
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 0, 0}, 0, 0, 256 * MIB},
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 0, 0}, 0, 0.05, 256 * MIB},
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 1, 1.5}, 0, 0.05, 256 * MIB},
        {4, {1.2, 4, 15, 100}, {32 * KIB, MIB, 32 * MIB}, {0, 1, 1.5}, 0.03, 0.1, 256 * MIB},
        {4, {1.6, 5, 20, 90}, {48 * KIB, 2 * MIB, 30 * MIB}, {0.5, 2, 1}, 0.04, 0.05, 256 * MIB},
        {4, {1.3, 4.5, 12, 80}, {32 * KIB, 256 * KIB, 8 * MIB}, {0, 0.5, 1}, 0, 0.1, 256 * MIB},
        {3, {1, 6, 120}, {64 * KIB, 4 * MIB}, {0, 1}, 0.02, 0.1, 256 * MIB},
        {3, {1.5, 9, 60}, {16 * KIB, 512 * KIB}, {0, 0}, 0, 0.05, 64 * MIB},
        {2, {2, 100}, {MIB}, {1}, 0, 0.1, 256 * MIB},
    };

    for (size_t i = 0; i < sizeof stairs / sizeof stairs[0]; i++) {
        for (uint64_t seed = 1; seed <= 50; seed++) {
            const struct staircase *stair = &stairs[i];
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

static const struct test tests[] = {
    {"finds the levels of a staircase", finds_levels},
    {NULL, NULL},
};

const struct suite suite_knees = {.name = "knees", .tests = tests};
