/* Ranges of latencies, where the parts of the critical path add up: one packet, one chain. */
#include "model/range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/evaluate.h"
#include "sample.h"

static struct scenario scenario;
static struct latency_range range;

/* Pixels come in by a port, are read by a CPU, moved to a board, computed there, and a command goes
 * out. No time is the larger of two. */
static void chain(void)
{
    memset(&scenario, 0, sizeof scenario);
    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "scenario.sharing", "exclusive");
    sample_set(&scenario, "component.camera.readout", "0 us");
    sample_set(&scenario, "device.rtc.dispatch", "process");
    sample_set(&scenario, "device.rtc.launch", "auto");
    sample_set(&scenario, "device.rtc.boundary", "auto");
    sample_set(&scenario, "device.rtc.ingress", "kernel");
    sample_set(&scenario, "device.rtc.egress", "kernel");
    sample_set(&scenario, "device.rtc.os", "realtime");
    sample_round_device(&scenario, "board");
    sample_set(&scenario, "device.board.kind", "gpu");
    sample_set(&scenario, "device.board.launch", "auto");
    sample_set(&scenario, "device.board.boundary", "auto");
    sample_set(&scenario, "device.board.enqueue", "auto");
    sample_set(&scenario, "device.board.copy_latency", "auto");
    sample_set(&scenario, "component.recon.device", "board");
}

static bool find(void)
{
    struct error error;

    return CHECK_TRUE(range_find(&scenario, sample_result(), NULL, NULL, &range, &error) ==
                          STATUS_OK,
                      "%s", error.message);
}

static const struct range_group *group_of(enum cause cause, int device)
{
    for (int g = 0; g < range.count; g++)
        if (range.group[g].cause == cause && range.group[g].device == device)
            return &range.group[g];
    return NULL;
}

/* Checks a group that has `part` s of the latency, which times its factor becomes longer by that
 * much. */
static void check_group(enum cause cause, int device, double factor, double part)
{
    const struct range_group *group = group_of(cause, device);

    if (!CHECK_TRUE(group != NULL, "%s of device %d: %g s", cause_name(cause), device, part))
        return;
    CHECK_NEAR(group->factor, factor, 0);
    CHECK_NEAR(group->part, part, 1e-6);
    CHECK_NEAR(group->high, log1p((factor - 1) * part / range.latency), 1e-6);
    CHECK_NEAR(group->low, -log1p((1 / factor - 1) * part / range.latency), 1e-6);
}

/* By hand: what each step of the chain waits for and does. */
TEST(parts_add_up)
{
    static const struct {
        enum cause cause;
        int device;
        double part; /* us */
    } parts[] = {
        {CAUSE_PORT, 0, 10 + 3 + 4}, /* kernel in, a datagram, kernel out */
        {CAUSE_SOFTWARE, 0, 3 * 8},  /* calibration, slopes, control */
        {CAUSE_DISPATCH, 0,          /* from the port, two visits, barriers, to the port */
         5 + 2 * 0.6 + 3 * 2 + 5},
        {CAUSE_DISPATCH, 1, /* a launch, a kernel, it and two copies enqueued */
         6.5 + 1.2 + 3 * 2.4},
    };
    double low = 0;
    double high = 0;
    double sum = 0;

    chain();
    if (!find())
        return;
    CHECK_NEAR(range.latency, sample_result()->latency, 0);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        check_group(parts[i].cause, parts[i].device, cause_uncertainty(parts[i].cause),
                    parts[i].part * 1e-6);
    for (int g = 0; g < range.count; g++) {
        check_group(range.group[g].cause, range.group[g].device,
                    cause_uncertainty(range.group[g].cause), range.group[g].part);
        low += pow(range.group[g].low, 2);
        high += pow(range.group[g].high, 2);
        sum += range.group[g].part;
    }
    CHECK_TRUE(group_of(CAUSE_COPY, 1) != NULL && group_of(CAUSE_COPY, 1)->part > 14e-6, "copies");
    CHECK_TRUE(sum < range.latency && sum > 0.98 * range.latency, "%g s of %g s", sum,
               range.latency);
    CHECK_NEAR(range.part[CAUSE_DISPATCH], 32.1e-6, 1e-6);
    CHECK_NEAR(sample_result()->latency_low, range.low, 0);
    CHECK_NEAR(sample_result()->latency_high, range.high, 0);
    CHECK_NEAR(range.low, range.latency * exp(-sqrt(low)), 1e-12);
    CHECK_NEAR(range.high, range.latency * exp(sqrt(high)), 1e-12);
    CHECK(!range.may_not_keep_up);
}

/* Two boards of one preset err together, of two presets apart. */
TEST(identical_devices_err_together)
{
    double apart = 0;

    for (int same = 0; same < 2; same++) {
        int second;

        chain();
        second = sample_add(&scenario, SECTION_DEVICE, "second");
        for (int board = 1; board <= second; board++)
            scenario.device[board].kind = DEVICE_GPU;
        snprintf(scenario.device[1].model, sizeof scenario.device[1].model, "a board");
        snprintf(scenario.device[second].model, sizeof scenario.device[second].model,
                 same ? "a board" : "another");
        scenario.device[second].host = 0;
        sample_set(&scenario, "component.slopes.device", "second");
        if (!find() || !CHECK(group_of(CAUSE_DISPATCH, 1) != NULL))
            return;
        CHECK((group_of(CAUSE_DISPATCH, second) == NULL) == same);
        if (same)
            CHECK_NEAR(group_of(CAUSE_DISPATCH, 1)->part, apart, 1e-9);
        else
            apart = group_of(CAUSE_DISPATCH, 1)->part + group_of(CAUSE_DISPATCH, second)->part;
    }
}

/* A measured device brings its own factor for what a probe measures. */
TEST(measured_devices)
{
    chain();
    sample_set(&scenario, "device.rtc.pc", "1.05");
    if (!find())
        return;
    for (int g = 0; g < range.count; g++) {
        const struct range_group *group = &range.group[g];
        bool measured =
            group->device == 0 && (group->cause == CAUSE_MEMORY || group->cause == CAUSE_CACHE ||
                                   group->cause == CAUSE_COMPUTE);

        CHECK_NEAR(group->factor, measured ? 1.05 : cause_uncertainty(group->cause), 0);
    }
    CHECK(group_of(CAUSE_MEMORY, 0) != NULL && group_of(CAUSE_COMPUTE, 0) != NULL);
}

TEST(no_errors_no_range)
{
    double factors[CAUSE_COUNT];
    struct error error;

    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        factors[cause] = 1;
    chain();
    if (!CHECK_INT(range_find(&scenario, sample_result(), factors, NULL, &range, &error),
                   STATUS_OK))
        return;
    CHECK_NEAR(range.low, range.latency, 0);
    CHECK_NEAR(range.high, range.latency, 0);
}

/* With the period just above the busy time, a factor overloads the design. */
TEST(may_not_keep_up)
{
    struct error error;

    chain();
    sample_set(&scenario, "component.recon.rows", "20000");
    if (!CHECK_INT(evaluate(&scenario, sample_result(), &error), STATUS_OK))
        return;
    sample_number(&scenario, "scenario.frame_rate", 0.99 * sample_result()->max_frame_rate);
    if (!find())
        return;
    CHECK(!sample_result()->overloaded);
    CHECK(range.may_not_keep_up);
    CHECK(range.high == RESULT_NONE);
    CHECK_TRUE(range.low > 0 && range.low < range.latency, "%g s", range.low);
}

/* Parts whose figures are stated are not assumed. */
TEST(assumed)
{
    double assumed = 0;
    double software;

    chain();
    if (!find())
        return;
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        assumed += range.assumed_part[cause];
    software = range.part[CAUSE_SOFTWARE];
    CHECK_NEAR(range.assumed, assumed / range.latency, 1e-12);
    CHECK_NEAR(range.assumed_part[CAUSE_SOFTWARE], software, 0);
    CHECK(cause_is_assumed(&scenario, 0, CAUSE_SOFTWARE));
    CHECK(!cause_is_assumed(&scenario, 0, CAUSE_MEMORY));
    sample_set(&scenario, "device.rtc.software", "8 us");
    if (!find())
        return;
    CHECK(!cause_is_assumed(&scenario, 0, CAUSE_SOFTWARE));
    CHECK_NEAR(range.assumed_part[CAUSE_SOFTWARE], 0, 0);
    CHECK_NEAR(range.assumed, (assumed - software) / range.latency, 1e-9);
}

/* The widest first. */
TEST(sorted)
{
    chain();
    if (!find())
        return;
    for (int g = 1; g < range.count; g++)
        CHECK_TRUE(range.group[g - 1].low + range.group[g - 1].high >=
                       range.group[g].low + range.group[g].high,
                   "group %d", g);
}

SUITE(NULL, NULL)
