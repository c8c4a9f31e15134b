#include "probe/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "model/result.h"
#include "probe/parts.h"

TEST(statistics_of_samples)
{
    struct measurement_point point = measurement_point(MEASUREMENT_APEX, "apex", "");

    CHECK(point_least(&point) == RESULT_NONE);
    CHECK(!point_noisy(&point));
    for (int i = 0; i < 10; i++)
        point.sample[point.count++] = 10 - i;
    CHECK_NEAR(point_least(&point), 1, 0);
    CHECK_NEAR(point_median(&point), 5, 0);
    CHECK_NEAR(point_p99(&point), 10, 0);
    CHECK(point_noisy(&point));
    for (int i = 0; i < 10; i++)
        point.sample[i] = 1 + 0.001 * i;
    CHECK(!point_noisy(&point));
}

/* Each run pays 3 once and 5 a repeat of 2 units; 10 repeats and 20. */
TEST(differences_of_runs)
{
    static const double once_s[] = {53, 53 + 40, 53}, twice_s[] = {103, 103, 103 + 60};
    static const double slow[] = {200, 200}, quick[] = {100, 300};
    double samples[3];

    /* A disturbed run of n makes no sample too small, one of 2n makes its own too large. */
    probe_subtract_overhead(once_s, twice_s, 3, 20, samples);
    CHECK_NEAR(samples[0], 2.5, 1e-12);
    CHECK_NEAR(samples[1], 2.5, 1e-12);
    CHECK_NEAR(samples[2], 5.5, 1e-12);
    /* All runs of n were disturbed. */
    probe_subtract_overhead(slow, quick, 2, 1, samples);
    CHECK_NEAR(samples[0], 100 - 52.5, 1e-12);
    CHECK_NEAR(samples[1], 300 - 52.5, 1e-12);
}

/* Returns how many loops a part says it times: by how much longer it takes with a sample more. */
static double planned_loops(struct probe *probe, const struct probe_part *part)
{
    const double seconds = part->seconds(probe);
    double more;

    probe->samples++;
    more = part->seconds(probe) - seconds;
    probe->samples--;
    return more / (3 * 1.5 * probe->shortest); /* runs of n and 2n, half as long again */
}

TEST(a_part_times_as_many_loops_as_it_says)
{
    for (int i = 0; i < probe_part_count; i++) {
        const enum measurement_part part = probe_parts[i].part;
        struct measurement measurement = {0};
        struct error error = {0};
        struct probe probe;
        double planned;
        int timed = 0;

        if (part != MEASUREMENT_MEMORY && part != MEASUREMENT_BANDWIDTH)
            continue; /* of the others the time is that of other work, or about right */
        probe_defaults(&probe, true);
        probe.measurement = &measurement;
        probe.largest = 64 << 10;
        probe.samples = 30; /* a team takes 21 at least */
        probe.shortest = 1e-4;
        planned = planned_loops(&probe, &probe_parts[i]);
        probe.shortest = 1e-7;
        CHECK_TRUE(probe_parts[i].run(&probe, &error) == STATUS_OK, "%s", error.message);
        for (int k = 0; k < measurement.count; k++)
            timed += measurement.point[k].count > 0;
        CHECK_NEAR(planned, timed, 1e-6 * timed);
        measurement_free(&measurement);
    }
}

/* As the help of the option says, on any machine. */
TEST(a_quick_run_is_short)
{
    struct probe probe;
    double all = 0;

    probe_defaults(&probe, true);
    for (int i = 0; i < probe_part_count; i++)
        all += probe_parts[i].seconds(&probe);
    CHECK_TRUE(all > 5 && all < 60, "all parts: %g s", all);
}

/* Each repeat takes long: it is a sample, and there are few. */
static void wait_long(void *context, uint64_t repeats)
{
    double *now = context;

    *now += (double)repeats;
    usleep((useconds_t)(20000 * repeats));
}

TEST(of_what_takes_long_there_are_few_samples)
{
    struct measurement measurement = {0};
    struct measurement_point point = measurement_point(MEASUREMENT_BANDWIDTH, "read", "f32");
    struct probe probe;
    double repeats = 0;

    probe_defaults(&probe, true);
    probe.measurement = &measurement;
    probe.samples = MEASUREMENT_SAMPLES_MAX;
    probe_time_loop(&probe, wait_long, &repeats, 1, &point);
    if (CHECK_INT(measurement.count, 1)) {
        CHECK(measurement.point[0].count >= 5 && measurement.point[0].count < probe.samples / 2);
        CHECK_NEAR(repeats, 2 + measurement.point[0].count, 0);
        CHECK(point_least(&measurement.point[0]) >= 20e-3);
    }
    measurement_free(&measurement);
}

TEST(text_round_trip)
{
    struct measurement written = {0}, read;
    struct buffer first = {0}, second = {0};
    struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, "a \"b\", c", "f32");
    struct error error = {0};

    strcpy(written.condition[CONDITION_CPU], "CPU, \"of\" note");
    point.parameter[PARAMETER_CHAINS] = 4;
    point.sample[point.count++] = 1.1e-9;
    point.sample[point.count++] = 1.0 / 3;
    measurement_add(&written, &point);
    point = measurement_point(MEASUREMENT_KERNELS, "x", "");
    strcpy(point.remark, "n/a: no reason");
    measurement_add(&written, &point);
    measurement_csv(&first, &written);
    if (CHECK_TRUE(measurement_csv_read(&read, first.bytes, first.length, &error) == STATUS_OK,
                   "%s", error.message)) {
        CHECK_INT(read.count, 2);
        CHECK_STR(read.condition[CONDITION_CPU], "CPU, \"of\" note");
        CHECK_STR(read.point[0].name, "a \"b\", c");
        CHECK(isnan(read.point[0].parameter[PARAMETER_SIZE]));
        CHECK_NEAR(read.point[0].sample[1], 1.0 / 3, 0);
        measurement_csv(&second, &read);
        CHECK_STR(second.bytes, first.bytes);
        measurement_free(&read);
    }
    buffer_free(&first);
    buffer_free(&second);
    measurement_free(&written);
}

/* Conditions that became known while points were written stand between them. */
TEST(late_conditions)
{
    static const char text[] = "# cpu: one\npart,name,samples_s\nmemory,\"x\n# seed: 9\",1\n"
                               "# huge_pages: some\nmemory,y,2\n# cpu: two\n";
    struct measurement read;
    struct error error = {0};

    if (!CHECK_TRUE(measurement_csv_read(&read, text, sizeof text - 1, &error) == STATUS_OK, "%s",
                    error.message))
        return;
    CHECK_INT(read.count, 2);
    CHECK_STR(read.condition[CONDITION_CPU], "two");
    CHECK_STR(read.condition[CONDITION_HUGE_PAGES], "some");
    CHECK_STR(read.condition[CONDITION_SEED], "");
    measurement_free(&read);
}

TEST(bad_text)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a,b\n1,2\n", "the header lacks part, name or samples_s: not a measurement"},
        {"part,name,samples_s\nmemery,x,1\n", "line 2: part: 'memery' is not memory, operations, "
                                              "bandwidth, apex, dispatch, kernels or gpu"},
        {"part,name,samples_s\nmemory,x,1\nmemory,x,-1\n",
         "line 3: samples_s: '-1' is not times of 1e-20 to 1e6 s separated by blanks"},
        {"part,name,chains,samples_s\nmemory,x,nan,1\n",
         "line 2: chains: 'nan' is not 0, or a number of 1e-9 to 1e18"},
        {"part,name,size_bytes,samples_s\nmemory,x,1e-315,1\n",
         "line 2: size_bytes: '1e-315' is not 0, or a number of 1e-9 to 1e18"},
        {"part,name,samples_s\nmemory,x,1e-9\nmemory,x,2e-9 3.1",
         "line 3: the last line does not end; the file may have been cut"},
        {"part,name,samples_s\nmemory,x,1e-9\nmemory,x",
         "line 3: 2 fields, but the header has 3; the file may have been cut"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct measurement read;
        struct error error = {0};

        CHECK_INT(measurement_csv_read(&read, cases[i].text, strlen(cases[i].text), &error),
                  STATUS_INVALID);
        CHECK_STR(error.message, cases[i].message);
    }
}

/* A part measured anew replaces its points and leaves the others. */
TEST(merges)
{
    struct measurement all = {0}, fresh = {0};
    struct measurement_point memory = measurement_point(MEASUREMENT_MEMORY, "old", "");
    struct measurement_point apex = measurement_point(MEASUREMENT_APEX, "stays", "");

    measurement_add(&all, &memory);
    measurement_add(&all, &apex);
    memory = measurement_point(MEASUREMENT_MEMORY, "new", "");
    measurement_add(&fresh, &memory);
    measurement_merge(&all, &fresh);
    if (CHECK_INT(all.count, 2)) {
        CHECK_STR(all.point[0].name, "stays");
        CHECK_STR(all.point[1].name, "new");
    }
    measurement_free(&all);
    measurement_free(&fresh);
}
