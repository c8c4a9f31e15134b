/* Measuring in a process of its own: points, conditions and errors arrive, a crash is an error. */
#include "probe/apart.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "check.h"
#include "probe/child.h"

static struct measurement_point point_of(const char *name, double sample)
{
    struct measurement_point point = measurement_point(MEASUREMENT_GPU, name, "f32");

    point.parameter[PARAMETER_SIZE] = 4096;
    strcpy(point.remark, "a \"remark\", quoted");
    point.sample[0] = sample;
    point.count = 1;
    return point;
}

static enum status measure_two(struct probe *probe, struct error *error)
{
    struct measurement_point point = point_of("one", 1.0 / 3);

    probe_begin(probe, error);
    strcpy(probe->measurement->condition[CONDITION_GPU], "a device");
    probe_add_point(probe, &point);
    probe_report(probe, MEASUREMENT_GPU, 0.25);
    point = point_of("two", 2);
    probe_add_point(probe, &point);
    return error->status;
}

static enum status measure_and_fail(struct probe *probe, struct error *error)
{
    measure_two(probe, error);
    return error_set(error, STATUS_INVALID, "no such device: %d", 7);
}

static enum status measure_and_crash(struct probe *probe, struct error *error)
{
    measure_two(probe, error);
    probe_report(probe, MEASUREMENT_GPU, 0.5);
    raise(SIGKILL);
    return STATUS_OK;
}

static enum status measure_and_end(struct probe *probe, struct error *error)
{
    _exit(measure_two(probe, error) == STATUS_OK ? 5 : 6);
    return STATUS_OK;
}

static void sleep_long(void *data, uint64_t repeats)
{
    (void)data;
    usleep(100000U * (unsigned)repeats);
}

/* Samples of one point that together take longer than the patience with the driver. */
static enum status measure_slowly(struct probe *probe, struct error *error)
{
    struct measurement_point point = point_of("slow", 0);

    probe_begin(probe, error);
    probe->shortest = 0;
    probe->samples = 5;
    probe_time_loop(probe, sleep_long, NULL, 1, &point);
    return error->status;
}

static enum status measure_for_ever(struct probe *probe, struct error *error)
{
    measure_two(probe, error);
    probe_report(probe, MEASUREMENT_GPU, 0.5);
    while (pause() < 0)
        continue;
    return STATUS_OK;
}

struct watching {
    int reports;
    double done;
    bool stop; /* after the first report */
};

static void note_report(void *context, const struct probe *probe, enum measurement_part part,
                        double done)
{
    struct watching *watching = context;

    (void)probe;
    CHECK_INT(part, MEASUREMENT_GPU);
    CHECK_TRUE(done >= watching->done, "%g after %g", done, watching->done);
    watching->done = done;
    watching->reports++;
}

static bool is_stopped(void *context)
{
    const struct watching *watching = context;

    return watching->stop && watching->reports > 0;
}

static enum status run_apart(enum status (*run)(struct probe *, struct error *), double patience,
                             bool stop, struct measurement *measurement, struct error *error)
{
    struct watching watching = {.stop = stop};
    struct probe probe = {.samples = 5,
                          .measurement = measurement,
                          .stopped = is_stopped,
                          .report = note_report,
                          .context = &watching};
    enum status status;

    *measurement = (struct measurement){0};
    status = probe_apart(&probe, "a driver", patience, run, error);
    CHECK_INT(status, error->status);
    /* stopped at the first report, it may not have received the second point */
    if (CHECK(measurement->count >= 1)) {
        CHECK_STR(measurement->point[0].name, "one");
        CHECK_NEAR(measurement->point[0].sample[0], 1.0 / 3, 0);
    }
    if (!stop && CHECK_INT(measurement->count, 2)) {
        CHECK_STR(measurement->point[1].remark, "a \"remark\", quoted");
        CHECK_NEAR(measurement->point[1].parameter[PARAMETER_SIZE], 4096, 0);
    }
    CHECK_STR(measurement->condition[CONDITION_GPU], "a device");
    measurement_free(measurement);
    return status;
}

TEST(gives_what_was_measured)
{
    struct measurement measurement;
    struct error error;

    CHECK_INT(run_apart(measure_two, 60, false, &measurement, &error), STATUS_OK);
    CHECK_INT(run_apart(measure_and_fail, 60, false, &measurement, &error), STATUS_INVALID);
    CHECK_STR(error.message, "no such device: 7");
}

TEST(outlives_a_driver)
{
    struct measurement measurement;
    struct error error;

    CHECK_INT(run_apart(measure_and_crash, 60, false, &measurement, &error), STATUS_IO);
    CHECK_STR(error.message, "a driver crashed: Killed");
    CHECK_INT(run_apart(measure_for_ever, 2, false, &measurement, &error), STATUS_IO);
    CHECK_STR(error.message, "a driver did not answer for 2 s and was given up");
}

TEST(waits_for_a_slow_device)
{
    struct measurement measurement = {0};
    struct probe probe = {.samples = 5, .measurement = &measurement};
    struct error error;

    CHECK_INT(probe_apart(&probe, "a driver", 1, measure_slowly, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    CHECK_INT(measurement.count, 1);
    measurement_free(&measurement);
}

TEST(says_how_a_driver_ended)
{
    struct measurement measurement = {0};
    struct probe probe = {.samples = 5, .measurement = &measurement};
    struct error error;

    CHECK_INT(probe_apart(&probe, "a driver", 60, measure_and_end, &error), STATUS_IO);
    CHECK_STR(error.message, "a driver ended the measuring process with status 5");
    CHECK_INT(measurement.count, 1); /* that which was reported */
    measurement_free(&measurement);
}

TEST(stops_a_driver_that_hangs)
{
    struct measurement measurement;
    struct error error;
    double began = clock_seconds();

    CHECK_INT(run_apart(measure_for_ever, 60, true, &measurement, &error), STATUS_OK);
    CHECK_TRUE(clock_seconds() - began < 30, "%g s", clock_seconds() - began);
}

/* As on a busy machine, where it lasts until a process that ends has ended. */
TEST(a_child_that_ends_slowly_is_waited_for)
{
    struct error error = {0};
    const pid_t child = child_start(-1, &error);
    int status;

    if (child == 0) {
        usleep(300000);
        _exit(3);
    }
    if (!CHECK(child > 0))
        return;
    status = child_end(child, false);
    CHECK_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3, "status %d", status);
    CHECK_INT(waitpid(child, NULL, WNOHANG), -1);
}
