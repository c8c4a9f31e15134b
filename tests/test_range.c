/* Ranges of latencies, where the parts of the critical path add up: one packet, one chain. */
#include "model/range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "figures.h"
#include "model/evaluate.h"
#include "sample.h"
#include "systems.h"

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
        /* kernel in, a datagram, kernel out */
        {CAUSE_PORT, 0, FIGURE_INGRESS_US + FIGURE_DATAGRAM_US + 4},
        {CAUSE_SOFTWARE, 0, 3 * FIGURE_SOFTWARE_US}, /* calibration, slopes, control */
        {CAUSE_DISPATCH, 0, /* from the port, two visits, barriers, to the port */
         2 * FIGURE_HANDOVER_US + 2 * 0.6 + 3 * 2},
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
    CHECK_NEAR(range.part[CAUSE_DISPATCH], (22.1 + 2 * FIGURE_HANDOVER_US) * 1e-6, 1e-6);
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

/* Where the scenario does not state it, the latency of whole frames is found, too. */
TEST(whole_frames)
{
    struct error error;
    double frames;

    chain();
    sample_set(&scenario, "scenario.packets", "20");
    sample_set(&scenario, "component.camera.readout", "500 us");
    if (!find())
        return;
    frames = range.whole_frames;
    CHECK(frames > range.latency);
    CHECK_NEAR(sample_result()->latency, range.latency, 0);
    sample_set(&scenario, "scenario.processing", "frames");
    if (!find())
        return;
    CHECK_NEAR(range.latency, frames, 0);
    CHECK(range.whole_frames == RESULT_NONE);
    CHECK(range.part[CAUSE_MEMORY] > 0);
    sample_set(&scenario, "device.rtc.ingress", "ideal");
    if (!find())
        return;
    CHECK(range.latency < frames);
    sample_set(&scenario, "component.slopes.barrier", "packet");
    CHECK_INT(range_find(&scenario, sample_result(), NULL, NULL, &range, &error), STATUS_INVALID);
    CHECK_STR(error.message, "component.slopes.barrier: packet is not possible with "
                             "scenario.processing = frames; allowed: frame");
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

/* States what the arithmetic of the CPU follows from. */
static void state_rate(void)
{
    sample_number(&scenario, "device.rtc.cores", scenario.device[0].cores);
    sample_number(&scenario, "device.rtc.clock", scenario.device[0].clock);
}

/* Parts whose figures are stated are not assumed. */
TEST(assumed)
{
    double assumed = 0;
    double software;

    chain();
    state_rate();
    if (!find())
        return;
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        assumed += range.assumed_part[cause];
    software = range.part[CAUSE_SOFTWARE];
    CHECK_NEAR(range.assumed, assumed / range.latency, 1e-12);
    CHECK_NEAR(range.assumed_part[CAUSE_SOFTWARE], software, 0);
    CHECK_NEAR(group_of(CAUSE_SOFTWARE, 0)->assumed, software, 0);
    CHECK_NEAR(group_of(CAUSE_COMPUTE, 0)->assumed, 0, 0);
    sample_number(&scenario, "device.rtc.software", FIGURE_SOFTWARE_US * 1e-6);
    if (!find())
        return;
    CHECK_NEAR(group_of(CAUSE_SOFTWARE, 0)->assumed, 0, 0);
    CHECK_NEAR(range.assumed_part[CAUSE_SOFTWARE], 0, 0);
    CHECK_NEAR(range.assumed, (assumed - software) / range.latency, 1e-9);
}

/* Of a cause, what is stated is not assumed, and the rest is; the range is the same. By hand: what
 * the chain has of each. */
TEST(assumed_by_figure)
{
    static const struct {
        const char *path;
        double value;
        const char *unit;
        enum cause cause;
        double left; /* us that are still assumed */
    } stated[] = {
        {"device.rtc.ingress_latency", FIGURE_INGRESS_US, "us", CAUSE_PORT, FIGURE_DATAGRAM_US + 4},
        {"device.rtc.datagram_time", FIGURE_DATAGRAM_US, "us", CAUSE_PORT, 4},
        {"device.rtc.egress_latency", 4, "us", CAUSE_PORT, 0},
        {"device.rtc.handover", FIGURE_HANDOVER_US, "us", CAUSE_DISPATCH,
         2 * 0.6 + 3 * 2 + 6.5 + 1.2 + 3 * 2.4},
        {"device.rtc.boundary", 2, "us", CAUSE_DISPATCH, 2 * 0.6 + 6.5 + 1.2 + 3 * 2.4},
        {"device.rtc.launch", 0.6, "us", CAUSE_DISPATCH, 6.5 + 1.2 + 3 * 2.4},
        {"device.board.launch", 6.5, "us", CAUSE_DISPATCH, 1.2 + 3 * 2.4},
        {"device.board.enqueue", 2.4, "us", CAUSE_DISPATCH, 1.2},
        {"device.board.boundary", 1.2, "us", CAUSE_DISPATCH, 0},
        {"device.board.pcie_lanes", 16, "", CAUSE_COPY,
         14}, /* two delays: the rate is stated now */
        {"device.board.copy_latency", 7, "us", CAUSE_COPY, 0},
    };
    struct latency_range before;

    chain();
    sample_set(&scenario, "device.board.pcie_gen", "4");
    if (!find())
        return;
    before = range;
    for (size_t i = 0; i < sizeof stated / sizeof stated[0]; i++) {
        char value[32];

        snprintf(value, sizeof value, "%g %s", stated[i].value, stated[i].unit);
        sample_set(&scenario, stated[i].path, value);
        if (!find())
            return;
        CHECK_TRUE(fabs(range.assumed_part[stated[i].cause] - stated[i].left * 1e-6) < 1e-8,
                   "%s: %g us, not %g", stated[i].path, 1e6 * range.assumed_part[stated[i].cause],
                   stated[i].left);
        CHECK_NEAR(range.latency, before.latency, 1e-12);
        CHECK_NEAR(range.low, before.low, 1e-12);
        CHECK_NEAR(range.high, before.high, 1e-12);
    }
    CHECK_TRUE(range.assumed < before.assumed, "%g", range.assumed);
}

/* The software of a CPU that does not state `dispatch` is unknown: all its times and those of its
 * board may be longer, which raises the upper end only. */
TEST(unknown_software)
{
    const struct range_group *group;
    struct latency_range stated;

    chain();
    if (!find())
        return;
    CHECK(range_unstated(&range) == NULL);
    sample_set(&scenario, "device.rtc.dispatch", "spin");
    if (!find() || !CHECK(range_unstated(&range) == NULL))
        return;
    stated = range;
    knob_reset(&scenario, knob_ref_to(KNOB_DEVICE_DISPATCH_CPU, 0));
    if (!find())
        return;
    group = range_unstated(&range);
    if (!CHECK(group != NULL))
        return;
    CHECK_NEAR(range.latency, stated.latency, 0);
    CHECK_NEAR(range.low, stated.low, 1e-15);
    CHECK_NEAR(range.assumed, stated.assumed, 1e-12);
    CHECK_INT(group->device, 0);
    CHECK_NEAR(group->part, 0, 0);
    CHECK_NEAR(group->assumed, 0, 0);
    CHECK_NEAR(group->low, 0, 0);
    /* all but the wires is of the CPU and its board */
    CHECK_TRUE(group->high < log(group->factor) && group->high > 0.95 * log(group->factor),
               "%g of %g", group->high, log(group->factor));
    CHECK_NEAR(log(range.high / range.latency),
               hypot(log(stated.high / stated.latency), group->high), 1e-9);
    /* a stated word that its author calls a guess is no statement */
    sample_set(&scenario, "device.rtc.dispatch", "spin");
    knob_set_origin(&scenario, knob_ref_to(KNOB_DEVICE_DISPATCH_CPU, 0), ORIGIN_ASSUMED);
    if (find())
        CHECK(range_unstated(&range) != NULL);
}

/* So does that of a host whose GPU does all of the work. */
TEST(unknown_software_of_a_host)
{
    const char *const moved[] = {"calibration", "slopes", "control"};
    char path[64];

    chain();
    for (size_t i = 0; i < sizeof moved / sizeof moved[0]; i++) {
        snprintf(path, sizeof path, "component.%s.device", moved[i]);
        sample_set(&scenario, path, "board");
    }
    knob_reset(&scenario, knob_ref_to(KNOB_DEVICE_DISPATCH_CPU, 0));
    if (find() && CHECK(range_unstated(&range) != NULL))
        CHECK_NEAR(range_unstated(&range)->high, log(cause_uncertainty(CAUSE_UNSTATED)), 0.03);
}

/* With longer times the CPU would not keep up. */
TEST(unknown_software_overloads)
{
    struct error error;

    chain();
    sample_set(&scenario, "device.rtc.dispatch", "spin");
    if (!CHECK_INT(evaluate(&scenario, sample_result(), &error), STATUS_OK))
        return;
    sample_number(&scenario, "scenario.frame_rate", 0.9 * sample_result()->max_frame_rate);
    knob_reset(&scenario, knob_ref_to(KNOB_DEVICE_DISPATCH_CPU, 0));
    if (!find() || !CHECK(range_unstated(&range) != NULL))
        return;
    CHECK(range_unstated(&range)->overloads);
}

/* Rates that were guessed, or made to give a published latency, are assumed. */
TEST(fitted_rates)
{
    const struct knob_ref cores = knob_ref_to(KNOB_DEVICE_CORES, 0);

    chain();
    state_rate();
    if (!find())
        return;
    CHECK(!range.fitted);
    CHECK_NEAR(group_of(CAUSE_COMPUTE, 0)->assumed, 0, 0);
    knob_set_origin(&scenario, cores, ORIGIN_ASSUMED);
    if (!find())
        return;
    CHECK(!range.fitted);
    CHECK(group_of(CAUSE_COMPUTE, 0)->assumed > 0);
    knob_set_origin(&scenario, cores, ORIGIN_FITTED);
    if (!find())
        return;
    CHECK(range.fitted);
    CHECK(group_of(CAUSE_COMPUTE, 0)->assumed > 0);
    CHECK_NEAR(range.assumed_part[CAUSE_COMPUTE], range.part[CAUSE_COMPUTE], 1e-15);
}

static void check_sorted(void)
{
    for (int g = 1; g < range.count; g++) {
        const struct range_group *before = &range.group[g - 1];
        const struct range_group *group = &range.group[g];

        CHECK_TRUE(before->overloads > group->overloads ||
                       (before->overloads == group->overloads && before->high >= group->high),
                   "group %d", g);
    }
}

/* What raises the upper end most first, also if it only raises that, or what removes it. */
TEST(sorted)
{
    struct error error;

    chain();
    if (find())
        check_sorted();
    /* processes add less than the ports may add and take off, but more than they add */
    knob_reset(&scenario, knob_ref_to(KNOB_DEVICE_DISPATCH_CPU, 0));
    sample_set(&scenario, "device.rtc.ingress_latency", "30 us");
    if (find())
        check_sorted();
    CHECK_INT(range.group[0].cause, CAUSE_UNSTATED);
    sample_set(&scenario, "device.rtc.dispatch", "spin");
    if (!CHECK_INT(evaluate(&scenario, sample_result(), &error), STATUS_OK))
        return;
    sample_number(&scenario, "scenario.frame_rate", 0.9 * sample_result()->max_frame_rate);
    knob_reset(&scenario, knob_ref_to(KNOB_DEVICE_DISPATCH_CPU, 0));
    if (find())
        check_sorted();
    CHECK(range.group[0].overloads);
}

/* A device that no command waits for limits the rate, which has the range of its rate. */
TEST(rate_off_the_critical_path)
{
    const double memory = cause_uncertainty(CAUSE_MEMORY);
    double low = 0, high = 0;
    int figures;

    chain();
    sample_round_device(&scenario, "recorder");
    sample_component(&scenario, "figures", "custom");
    sample_set(&scenario, "component.figures.after", "slopes");
    sample_set(&scenario, "component.figures.device", "recorder");
    sample_set(&scenario, "component.figures.bytes_read", "50 MB");
    sample_set(&scenario, "device.recorder.dispatch", "spin"); /* software that is known */
    if (!find())
        return;
    figures = scenario_device(&scenario, scenario.component_count - 1);
    CHECK_TRUE(strcmp(sample_result()->limit, "figures") == 0, "limited by %s",
               sample_result()->limit);
    CHECK_NEAR(range.rate, sample_result()->max_frame_rate, 0);
    CHECK(group_of(CAUSE_MEMORY, figures) == NULL && range.rate_count > range.count);
    for (int g = 0; g < range.rate_count; g++) {
        const struct range_group *group = &range.group[g];

        if (g >= range.count)
            CHECK(group->low == 0 && group->high == 0 && group->part == 0);
        low += pow(fmax(0, group->rate_low), 2);
        high += pow(fmax(0, group->rate_high), 2);
    }
    CHECK_NEAR(log(range.rate / range.rate_low), sqrt(low), 1e-12);
    CHECK_NEAR(log(range.rate_high / range.rate), sqrt(high), 1e-12);
    CHECK_NEAR(range.rate / range.rate_low, memory, 0.01 * memory);
    CHECK_NEAR(range.rate_high / range.rate, memory, 0.01 * memory);
    CHECK_NEAR(sample_result()->max_frame_rate_low, range.rate_low, 0);
    CHECK_NEAR(sample_result()->max_frame_rate_high, range.rate_high, 0);
}

/* What a camera limits is certain. */
TEST(rate_of_a_camera)
{
    chain();
    sample_set(&scenario, "component.camera.readout", "9 ms");
    sample_set(&scenario, "scenario.frame_rate", "50 Hz");
    if (!find())
        return;
    CHECK_NEAR(range.rate, 1 / 9e-3, 1e-9);
    CHECK_NEAR(range.rate_low, range.rate, 0);
    CHECK_NEAR(range.rate_high, range.rate, 0);
    CHECK(range.high > range.latency);
}

/* Processes, which a CPU may use that does not state it, have more to do per frame. */
TEST(rate_of_unstated_dispatch)
{
    double stated;

    chain();
    sample_set(&scenario, "device.rtc.dispatch", "spin");
    if (!find())
        return;
    stated = range.rate_low;
    knob_reset(&scenario, knob_ref_to(KNOB_DEVICE_DISPATCH_CPU, 0));
    if (find())
        CHECK_TRUE(range.rate_low < 0.9 * stated, "%g Hz, stated %g Hz", range.rate_low, stated);
}

struct fractions {
    double last;
    bool decreased;
};

static bool record_fraction(void *context, double done)
{
    struct fractions *fractions = context;

    fractions->decreased = fractions->decreased || done < fractions->last;
    fractions->last = done;
    return true;
}

/* Devices that err together are a part of the work once. */
TEST(progress_of_all_groups)
{
    struct fractions fractions = {0, false};
    const struct progress progress = {record_fraction, &fractions};
    struct error error;

    chain();
    for (int d = 0; d < 8; d++) {
        char name[16];

        snprintf(name, sizeof name, "same%d", d);
        scenario.device[sample_add(&scenario, SECTION_DEVICE, name)].kind = DEVICE_GPU;
    }
    CHECK_INT(range_find(&scenario, sample_result(), NULL, &progress, &range, &error), STATUS_OK);
    CHECK_TRUE(fractions.last > 0.9 && fractions.last < 1, "%g", fractions.last);
    CHECK(!fractions.decreased);
}

/* Checks the ends that longer times lead to, found alone; what was found of other systems before is
 * known. */
static void check_upper(const char *name, const struct scenario *system,
                        const struct result *evaluated)
{
    static struct range_upper upper;
    struct result *result = sample_result();
    struct error error;
    double high, rate_low;

    CHECK(evaluated == result);
    CHECK_INT(range_find_ends(system, result, true, &range, &error), STATUS_OK);
    high = result->latency_high;
    rate_low = result->max_frame_rate_low;
    CHECK_INT(range_find_ends(system, result, false, &range, &error), STATUS_OK);
    CHECK_TRUE(result->latency_high == high && result->max_frame_rate_low == rate_low &&
                   result->latency_low == RESULT_NONE && result->max_frame_rate_high == RESULT_NONE,
               "%s without lower ends", name);
    if (upper.scaled.work == NULL)
        result_init(&upper.scaled);
    CHECK_INT(evaluate(system, result, &error), STATUS_OK);
    CHECK_INT(range_add_upper(system, HUGE_VAL, &upper, result, &error), STATUS_OK);
    CHECK_TRUE(result->latency_high == high && result->max_frame_rate_low == rate_low,
               "%s beside the design", name);
    for (double most = 0.7 * result->latency; most < 2 * high; most *= 1.05) {
        CHECK_INT(range_add_upper(system, most, &upper, result, &error), STATUS_OK);
        CHECK_TRUE(high > most ? result->latency_high > most || result->latency_high == RESULT_NONE
                               : result->latency_high == high,
                   "%s below %g", name, most);
    }
}

TEST(upper_end_alone)
{
    struct error error;

    systems_each(check_upper);
    chain();
    if (CHECK_INT(evaluate(&scenario, sample_result(), &error), STATUS_OK)) {
        sample_number(&scenario, "scenario.frame_rate", 0.9 * sample_result()->max_frame_rate);
        check_upper("a chain that may not keep up", &scenario, sample_result());
        CHECK(range.may_not_keep_up);
    }
}

SUITE(NULL, NULL)
