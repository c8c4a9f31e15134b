#include "probe/memory.h"

#include <math.h>
#include <string.h>

#include "check.h"

struct watch {
    int reports;
    double done;
    int points_until_stop; /* 0: goes on */
    int points;
};

static bool stopped(void *context)
{
    const struct watch *watch = context;

    return watch->points_until_stop > 0 && watch->points >= watch->points_until_stop;
}

static void report(void *context, const struct probe *probe, enum measurement_part part,
                   double done)
{
    struct watch *watch = context;

    CHECK_INT(part, MEASUREMENT_MEMORY);
    CHECK_TRUE(done >= watch->done && done <= 1, "%g after %g", done, watch->done);
    watch->done = done;
    watch->reports++;
    watch->points = probe->measurement->count;
}

static void run(struct measurement *measurement, struct watch *watch, bool quick, size_t largest)
{
    struct probe probe;
    struct error error = {0};

    probe_defaults(&probe, quick);
    probe.largest = largest;
    probe.samples = 5;
    probe.shortest = 1e-7;
    probe.measurement = measurement;
    probe.stopped = stopped;
    probe.report = report;
    probe.context = watch;
    CHECK_TRUE(probe_memory(&probe, &error) == STATUS_OK, "%s", error.message);
}

/* How many points have this name, and this value of a parameter where it is one. */
static int points(const struct measurement *measurement, const char *name, enum parameter parameter,
                  double value)
{
    int count = 0;

    for (int i = 0; i < measurement->count; i++)
        if (strcmp(measurement->point[i].name, name) == 0 &&
            measurement->point[i].parameter[parameter] == value)
            count++;
    return count;
}

TEST(measures_all_points)
{
    struct measurement measurement = {0};
    struct watch watch = {0};

    run(&measurement, &watch, false, 64 << 10);
    CHECK_INT(points(&measurement, "chase", PARAMETER_CHAINS, 1), 4 * 6 + 1);
    for (int chains = 2; chains <= 16; chains *= 2)
        CHECK_INT(points(&measurement, "chase", PARAMETER_CHAINS, chains), 4 * 3 + 1);
    CHECK_INT(points(&measurement, "list", PARAMETER_CHAINS, 1), 5);
    CHECK_INT(points(&measurement, "array", PARAMETER_CHAINS, 1), 5);
    CHECK_INT(points(&measurement, "sequential", PARAMETER_CHAINS, 1), 5);
    for (int ahead = 0; ahead <= 32; ahead = ahead > 0 ? 2 * ahead : 1)
        CHECK_INT(points(&measurement, "prefetch", PARAMETER_AHEAD, ahead), 3);
    CHECK_INT(measurement.count, 25 + 4 * 13 + 3 * 5 + 7 * 3);
    for (int i = 0; i < measurement.count; i++) {
        const struct measurement_point *point = &measurement.point[i];

        CHECK_INT(point->count, 5);
        CHECK_INT(fmod(point->parameter[PARAMETER_SIZE], 64), 0);
        for (int j = 0; j < point->count; j++)
            CHECK(point->sample[j] > 0 && isfinite(point->sample[j]));
    }
    CHECK_INT(points(&measurement, "list", PARAMETER_SIZE, 65536), 1);
    CHECK_NEAR(watch.done, 1, 0);
    CHECK_TRUE(watch.reports >= measurement.count, "%d", watch.reports);
    CHECK_STR(measurement.condition[CONDITION_HUGE_PAGES],
              "not requested: the staircase ends below 2 MiB");
    measurement_free(&measurement);
}

/* The quick staircase has as many steps, and less of the rest. */
TEST(measures_less_when_it_is_to_be_quick)
{
    struct measurement measurement = {0};
    struct watch watch = {0};

    run(&measurement, &watch, true, 64 << 10);
    CHECK_INT(points(&measurement, "chase", PARAMETER_CHAINS, 1), 4 * 6 + 1);
    for (int chains = 2; chains <= 16; chains *= 2)
        CHECK_INT(points(&measurement, "chase", PARAMETER_CHAINS, chains), 4 * 2 + 1);
    CHECK_INT(points(&measurement, "sequential", PARAMETER_CHAINS, 1), 3);
    CHECK_INT(points(&measurement, "prefetch", PARAMETER_AHEAD, 32), 2);
    measurement_free(&measurement);
}

TEST(asks_for_huge_pages)
{
    struct measurement measurement = {0};
    struct watch watch = {.points_until_stop = 1};

    strcpy(measurement.condition[CONDITION_HUGE_PAGES], "transparent: never");
    for (int i = 0; i < 2; i++) {
        run(&measurement, &watch, true, 4 << 20);
        CHECK_TRUE(strncmp(measurement.condition[CONDITION_HUGE_PAGES],
                           "transparent: never; requested, ", 31) == 0 &&
                       strstr(measurement.condition[CONDITION_HUGE_PAGES], " of 4 MiB granted"),
                   "%s", measurement.condition[CONDITION_HUGE_PAGES]);
        watch = (struct watch){.points_until_stop = 1};
    }
    CHECK(strchr(measurement.condition[CONDITION_HUGE_PAGES], ';') ==
          strrchr(measurement.condition[CONDITION_HUGE_PAGES], ';'));
    measurement_free(&measurement);
}

/* At any point it ends with exactly what was measured until then. */
TEST(stops_with_what_it_has)
{
    for (int until = 1; until < 60; until += 7) {
        struct measurement measurement = {0};
        struct watch watch = {.points_until_stop = until};

        run(&measurement, &watch, false, 64 << 10);
        CHECK_INT(measurement.count, until);
        measurement_free(&measurement);
    }
}

/* Less memory than the smallest size is no error, only no point. */
TEST(stays_within_the_memory_allowed)
{
    struct measurement measurement = {0};
    struct watch watch = {0};

    run(&measurement, &watch, true, 1000);
    CHECK_INT(measurement.count, 0);
    measurement_free(&measurement);
}
