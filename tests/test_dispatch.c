/* The start of work: what follows from points that are known, and from one quick run that they are
 * whole. */
#include "probe/dispatch.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "model/result.h"
#include "probe/datagram.h"
#include "probe/dispatch_points.h"
#include "probe/echo.h"
#include "probe/system.h"

/* Bursts of 1 to 32 that take 3 us and `each` per datagram. */
static void fill_bursts(double each, double burst[6], double seconds[6])
{
    for (int i = 0; i < 6; i++) {
        burst[i] = 1 << i;
        seconds[i] = 3e-6 + each * burst[i];
    }
}

TEST(slope_of_bursts)
{
    double burst[6], seconds[6];

    fill_bursts(0.8e-6, burst, seconds);
    CHECK_NEAR(dispatch_burst_slope(burst, seconds, 6, 1e-9), 0.8e-6, 1e-9);
    CHECK_NEAR(dispatch_burst_slope(burst, seconds, 2, 1e-9), 0.8e-6, 1e-9);
    /* by hand: bursts 1, 2, 3 in 1, 3, 2 us */
    CHECK_NEAR(dispatch_burst_slope((const double[]){1, 2, 3}, (const double[]){1e-6, 3e-6, 2e-6},
                                    3, 1e-9),
               0.5e-6, 1e-9);
    fill_bursts(-1e-6, burst, seconds);
    CHECK_NEAR(dispatch_burst_slope(burst, seconds, 6, 1e-9), 1e-9, 0);
}

static struct measurement measurement;

/* Adds a point of five samples around the median, the last far off. */
static void add_delay(const char *name, const char *type, double realtime, double idle, double size,
                      double burst, double median)
{
    struct measurement_point point = measurement_point(MEASUREMENT_DISPATCH, name, type);

    point.parameter[PARAMETER_REALTIME] = realtime;
    point.parameter[PARAMETER_IDLE] = idle;
    point.parameter[PARAMETER_SIZE] = size;
    point.parameter[PARAMETER_BURST] = burst;
    for (int i = 0; i < 5; i++)
        point.sample[point.count++] = median * (i == 4 ? 100 : 0.8 + 0.1 * i);
    measurement_add(&measurement, &point);
}

#define NONE ((double)NAN)

static void add_delays(void)
{
    add_delay("launch", "spin", 0, NONE, NONE, NONE, 0.3e-6);
    add_delay("launch", "spin", 1, NONE, NONE, NONE, 0.2e-6);
    add_delay("launch", "wake", 0, NONE, NONE, NONE, 5e-6);
    add_delay("process", "spin", 0, NONE, NONE, NONE, 0.4e-6);
    add_delay("handover", "wake", 0, NONE, DISPATCH_HANDED, NONE, 6.4e-6);
    add_delay("ingress", "poll", 0, NONE, 1472, 1, 2e-6);
    add_delay("ingress", "poll", 0, NONE, 8972, 1, 3e-6);
    add_delay("ingress", "poll", 0, NONE, 1472, 16, 9e-6);
    add_delay("egress", "poll", 0, NONE, 1472, 1, 1.5e-6);
    add_delay("receive", "", NONE, NONE, 1472, 1, 1.1e-6);
    add_delay("receive", "", NONE, NONE, 1472, DISPATCH_BURST_MOST, 0.8e-6);
}

TEST(times_of_a_device)
{
    struct dispatch_times times;

    dispatch_times_from(&measurement, &times);
    CHECK(times.launch[DISPATCH_SPIN] == RESULT_NONE && times.handover == RESULT_NONE &&
          times.boundary == RESULT_NONE && times.ingress == RESULT_NONE &&
          times.sleep == RESULT_NONE);
    add_delays();
    dispatch_times_from(&measurement, &times);
    CHECK_NEAR(times.launch[DISPATCH_SPIN], 0.2e-6, 1e-9);
    CHECK_NEAR(times.launch[DISPATCH_WAKE], 5e-6, 1e-9);
    CHECK_NEAR(times.launch[DISPATCH_PROCESS], 0.4e-6, 1e-9);
    CHECK(times.launch[DISPATCH_GRAPH] == RESULT_NONE);
    CHECK_NEAR(times.handover, 6e-6, 1e-9);
    CHECK_NEAR(times.datagram, 0.8e-6, 1e-9);
    CHECK_NEAR(times.ingress, 1.2e-6, 1e-9);
    CHECK_NEAR(times.egress, 1.5e-6, 1e-9);
    CHECK_INT(times.size, 1472);
    /* datagrams that fill the default MTU, once they are measured */
    add_delay("receive", "", NONE, NONE, 8972, DISPATCH_BURST_MOST, 1.3e-6);
    add_delay("egress", "poll", 0, NONE, 8972, 1, 4e-6);
    dispatch_times_from(&measurement, &times);
    CHECK_NEAR(times.datagram, 1.3e-6, 1e-9);
    CHECK_NEAR(times.ingress, 1.7e-6, 1e-9);
    CHECK_NEAR(times.egress, 1.5e-6, 1e-9);
    CHECK_INT(times.size, 8972);
    /* a quarter, half and all of 100 us on top of 5 us, and one wake-up in a busy time */
    CHECK(times.sleep == RESULT_NONE);
    add_delay("launch", "wake", 0, 0.25 / 120, NONE, NONE, 30e-6);
    add_delay("launch", "wake", 0, 0.5 / 120, NONE, NONE, 55e-6);
    add_delay("launch", "wake", 0, 20e-3, NONE, NONE, 4e-3);
    dispatch_times_from(&measurement, &times);
    CHECK_NEAR(times.sleep, 100e-6, 1e-9);
    /* what has priority says more */
    add_delay("launch", "wake", 1, NONE, NONE, NONE, 4e-6);
    add_delay("launch", "wake", 1, 20e-3, NONE, NONE, 44e-6);
    dispatch_times_from(&measurement, &times);
    CHECK_NEAR(times.sleep, 40e-6, 1e-9);
    /* a core does not sleep faster than it is awake */
    add_delay("launch", "wake", 1, 20e-3, NONE, NONE, 1e-6);
    add_delay("launch", "wake", 1, 10e-3, NONE, NONE, 1e-6);
    dispatch_times_from(&measurement, &times);
    CHECK_NEAR(times.sleep, 0, 0);
    measurement_free(&measurement);
}

static void check_label(int point, const char *expected)
{
    char label[64];

    dispatch_point_label(&measurement.point[point], label, sizeof label);
    CHECK_STR(label, expected);
}

TEST(labels_and_partners)
{
    add_delays();
    add_delay("launch", "wake", 0, 5e-3, NONE, NONE, 1e-6);
    check_label(0, "thread, polling");
    check_label(4, "hand-over, asleep, 4096 B");
    check_label(7, "ingress, polling, 1472 B x 16");
    check_label(9, "receive, core, 1472 B");
    check_label(11, "thread, asleep 5 ms");
    CHECK(dispatch_find_realtime(&measurement, &measurement.point[0]) == &measurement.point[1]);
    CHECK(dispatch_find_realtime(&measurement, &measurement.point[2]) == NULL);
    measurement_free(&measurement);
}

/* The other end ------------------------------------------------------------------------------- */

TEST(questions_are_read_as_written)
{
    char bytes[ECHO_HEADER];
    struct echo asked = {70000, 3, 1472, 100}, read = {0};

    echo_write(&asked, bytes);
    CHECK(echo_read(bytes, sizeof bytes, &read));
    CHECK(memcmp(&asked, &read, sizeof asked) == 0);
    CHECK(!echo_read(bytes, sizeof bytes - 1, &read));
    bytes[0] = 'A';
    CHECK(!echo_read(bytes, sizeof bytes, &read));
    for (int i = 0; i < 4; i++) {
        asked = (struct echo){1, i == 0 ? ECHO_COUNT_MAX + 1 : 1,
                              i == 1   ? ECHO_HEADER - 1
                              : i == 2 ? DATAGRAM_JUMBO + 1
                                       : 100,
                              i == 3 ? ECHO_DELAY_MAX + 1 : 0};
        echo_write(&asked, bytes);
        CHECK_TRUE(!echo_read(bytes, sizeof bytes, &read), "number %d", i);
    }
}

/* Ends when it has been asked so often. */
static bool count_down(void *context)
{
    return (*(int *)context)-- == 0;
}

TEST(answers_one_peer)
{
    char bytes[DATAGRAM_JUMBO];
    struct datagram datagram = {.bytes = bytes, .size = sizeof bytes};
    const struct echo question = {7, 3, 100, 0};
    struct datagram_socket other, own;
    struct error error = {0};
    struct echo answer;
    int turns = 2;

    CHECK_INT(datagram_open(&other, NULL, &error), STATUS_OK);
    CHECK_INT(datagram_open(&own, NULL, &error), STATUS_OK);
    CHECK_INT(datagram_connect(&own, &other.own, &error), STATUS_OK);
    echo_write(&question, bytes);
    CHECK_INT(datagram_send(&own, "who is there", 12, &error), STATUS_OK);
    CHECK_INT(datagram_send(&own, bytes, ECHO_HEADER, &error), STATUS_OK);
    CHECK_INT(echo_serve(&other, 0, count_down, &turns, &error), STATUS_OK);
    for (uint32_t i = 0; i < question.count; i++) {
        CHECK_INT(datagram_receive(&own, &datagram, DATAGRAM_SLEEP, &error), 1);
        CHECK_INT(datagram.length, 100);
        CHECK(echo_read(bytes, datagram.length, &answer) && answer.number == 7 &&
              answer.count == i);
    }
    CHECK_INT(datagram_receive(&own, &datagram, DATAGRAM_POLL, &error), 0);
    datagram_close(&own);
    datagram_close(&other);
}

/* One run ------------------------------------------------------------------------------------- */

/* Whether there is a point of that kind, with samples or a reason why not. */
static bool has_point(const char *name, const char *type)
{
    for (int i = 0; i < measurement.count; i++)
        if (strcmp(measurement.point[i].name, name) == 0 &&
            strcmp(measurement.point[i].type, type) == 0)
            return true;
    return false;
}

static void check_samples(const struct measurement_point *point)
{
    char label[64];

    dispatch_point_label(point, label, sizeof label);
    CHECK_TRUE(point->count > 0 || strncmp(point->remark, "n/a: ", 5) == 0, "%s: \"%s\"", label,
               point->remark);
    for (int k = 0; k < point->count; k++)
        CHECK_TRUE(point->sample[k] > 0 && point->sample[k] < 1e6, "%s: %g s", label,
                   point->sample[k]);
}

TEST(a_quick_run_is_whole)
{
    static const char *const kinds[][2] = {
        {"launch", "spin"},   {"launch", "wake"},   {"process", "spin"},    {"process", "wake"},
        {"handover", "spin"}, {"handover", "wake"}, {"egress", "poll"},     {"ingress", "poll"},
        {"ingress", "sleep"}, {"ingress", "card"},  {"round-trip", "poll"}, {"receive", ""},
        {"send", ""},
    };
    struct dispatch_times times;
    struct error error = {0};
    struct probe probe;

    probe_defaults(&probe, true);
    probe.measurement = &measurement;
    CHECK_INT(probe_dispatch(&probe, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        CHECK_TRUE(has_point(kinds[i][0], kinds[i][1]), "%s %s", kinds[i][0], kinds[i][1]);
    CHECK(has_point("barrier", "") == (system_here()->cores > 1));
    for (int i = 0; i < measurement.count; i++) {
        CHECK_INT(measurement.point[i].part, MEASUREMENT_DISPATCH);
        check_samples(&measurement.point[i]);
    }
    dispatch_times_from(&measurement, &times);
    CHECK(times.launch[DISPATCH_WAKE] > 0 && times.sleep >= 0);
    CHECK(measurement.condition[CONDITION_REALTIME][0] != '\0');
    measurement_free(&measurement);
}

/* Stops after so many looks and from then on. */
static bool is_run_down(void *context)
{
    int *left = context;

    *left -= *left > 0;
    return *left == 0;
}

/* A stop at one of the first looks leaves what was measured and nothing that runs on. */
TEST(a_stopped_run_keeps_its_points)
{
    for (int looks = 1; looks < 150; looks += 120) {
        int left = looks;
        struct error error = {0};
        struct probe probe;

        probe_defaults(&probe, true);
        probe.measurement = &measurement;
        probe.stopped = is_run_down;
        probe.context = &left;
        CHECK_INT(probe_dispatch(&probe, &error), STATUS_OK);
        for (int i = 0; i < measurement.count; i++)
            check_samples(&measurement.point[i]);
        measurement_free(&measurement);
    }
}
