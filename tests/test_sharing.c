#include <math.h>
#include <stdio.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "model/evaluate.h"
#include "model/stage.h"
#include "sample.h"

static struct scenario scenario;

static const struct node_result *node(const char *name)
{
    return sample_node(sample_result(), name);
}

/* Three components of 0.2, 0.3 and 0.4 ms on one round device, one packet, no camera. */
static void three_components(const char *sharing)
{
    scenario_init(&scenario);
    sample_round_device(&scenario, "rtc");
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "scenario.sharing", sharing);
    sample_component(&scenario, "a", "custom");
    sample_component(&scenario, "b", "custom");
    sample_component(&scenario, "c", "custom");
    for (int i = 0; i < 3; i++) {
        char name = (char)('a' + i);
        char path[64];

        snprintf(path, sizeof path, "component.%c.compute_efficiency", name);
        sample_set(&scenario, path, "1");
        snprintf(path, sizeof path, "component.%c.flops", name);
        sample_number(&scenario, path, (2 + i) * 1e8);
    }
}

/* No share of the device is anybody's own. */
TEST(shares_are_not_divided)
{
    struct result *result = sample_result();

    three_components("exclusive");
    sample_set(&scenario, "component.a.share", "0.9");
    sample_set(&scenario, "component.b.share", "0.9"); /* more than there is, were it divided */
    sample_evaluate(&scenario, result);
    CHECK_NEAR(node("a")->time, 0.2e-3, 1e-12);
    CHECK_NEAR(node("a")->share, 1, 0);
    CHECK_NEAR(result->latency, 0.9e-3, 1e-12);
    sample_set(&scenario, "scenario.sharing", "fluid");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(node("a")->time, 0.2e-3, 1e-12);
    CHECK_NEAR(node("a")->share, 0.9, 0);
    CHECK_NEAR(node("c")->share, 1, 0);
    CHECK_NEAR(result->latency, 0.9e-3, 1e-12);
}

/* All three wait for the same. */
static void ready_at_once(void)
{
    sample_component(&scenario, "start", "custom");
    sample_set(&scenario, "component.a.after", "start");
    sample_set(&scenario, "component.b.after", "start");
    sample_set(&scenario, "component.c.after", "start");
    sample_set(&scenario, "component.start.after", "none");
}

/* Side by side: a third of the device each until the first is done, then a half. */
TEST(side_by_side)
{
    struct result *result = sample_result();

    three_components("fluid");
    ready_at_once();
    sample_evaluate(&scenario, result);
    CHECK_NEAR(node("a")->last_end, 0.6e-3, 1e-12);
    CHECK_NEAR(node("b")->last_end, 0.8e-3, 1e-12);
    CHECK_NEAR(node("c")->last_end, 0.9e-3, 1e-12);
    CHECK_NEAR(node("c")->path_busy, 0.4e-3, 1e-12);
    CHECK_NEAR(node("c")->path_wait, 0.5e-3, 1e-12);
    /* twice the part of either of the others */
    sample_set(&scenario, "component.a.share", "0.5");
    sample_set(&scenario, "component.b.share", "0.5");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(node("c")->last_end, 0.8e-3, 1e-12);
}

/* Of those ready at once the lowest priority, then the first in the file. */
TEST(by_priority)
{
    struct result *result = sample_result();

    three_components("exclusive");
    ready_at_once();
    sample_evaluate(&scenario, result);
    CHECK_NEAR(node("a")->last_end, 0.2e-3, 1e-12);
    CHECK_NEAR(node("b")->last_end, 0.5e-3, 1e-12);
    CHECK_NEAR(node("c")->last_end, 0.9e-3, 1e-12);
    sample_set(&scenario, "component.c.priority", "0");
    sample_set(&scenario, "component.a.priority", "9");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(node("c")->last_end, 0.4e-3, 1e-12);
    CHECK_NEAR(node("b")->last_end, 0.7e-3, 1e-12);
    CHECK_NEAR(node("a")->last_end, 0.9e-3, 1e-12);
}

/* A device that is busy for 0.9 ms can do 1111 frames a second, components of thrice the time side
 * by side as many. */
TEST(overload_is_the_device_s)
{
    struct result *result = sample_result();

    three_components("exclusive");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->max_frame_rate, 1 / 0.9e-3, 1e-9);
    CHECK_STR(result->limit, "rtc");
    CHECK(!result->overloaded);
    sample_set(&scenario, "scenario.frame_rate", "1200 Hz");
    sample_evaluate(&scenario, result);
    CHECK(result->overloaded);
    CHECK_NEAR(result->frames, 1, 0);
    CHECK_NEAR(result->latency, 0.9e-3, 1e-12);
    /* launches hold the device up in exclusive, their component alone in fluid */
    sample_set(&scenario, "scenario.frame_rate", "1000 Hz");
    sample_set(&scenario, "component.a.overhead", "500 us");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->device[0].busy, 1.4e-3, 1e-12);
    CHECK(result->overloaded);
    sample_set(&scenario, "scenario.sharing", "fluid");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->device[0].busy, 0.9e-3, 1e-12);
    CHECK(!result->overloaded);
    /* longer than a frame: the second of two meets the first of the next */
    CHECK_NEAR(result->frames, 5, 0);
    CHECK(result->latency >= 1.4e-3 - 1e-12);
    sample_set(&scenario, "component.a.overhead", "900 us");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->limit, "a");
    CHECK(result->overloaded);
}

static const char *const ways[] = {"partition", "exclusive", "fluid"};

/* Of a pseudo-open-loop control: its two products with the interaction matrix come after the
 * command. They keep it busy and, once there is no time for them between two frames, delay the
 * next. */
TEST(deferred_control)
{
    struct result *result = sample_result();

    for (int way = 0; way < 3; way++) {
        double deferred;
        double latency;

        sample_chain(&scenario);
        sample_set(&scenario, "scenario.sharing", ways[way]);
        sample_set(&scenario, "component.control.algorithm", "polc");
        sample_evaluate(&scenario, result);
        deferred = node("control")->deferred;
        latency = result->latency;
        CHECK_NEAR(result->frames, 5, 0);
        CHECK(deferred > 0 && deferred < 1e-3);
        CHECK_NEAR(node("control")->busy, node("control")->time + deferred, 0);
        CHECK_NEAR(node("recon")->deferred, 0, 0);
        /* with time enough it delays nothing */
        sample_set(&scenario, "component.control.deferred", "no");
        sample_evaluate(&scenario, result);
        CHECK_NEAR(result->frames, 1, 0);
        CHECK_NEAR(node("control")->deferred, 0, 0);
        CHECK_NEAR(result->latency, latency + deferred, 1e-9);
    }
}

/* What the control defers is in the way of the next frame's pixels: the matrix is on another
 * device, for which the first one waits. */
TEST(deferred_work_is_in_the_way)
{
    struct result *result = sample_result();
    double alone;

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.sharing", "exclusive");
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "component.camera.readout", "1 us");
    sample_set(&scenario, "component.control.algorithm", "polc-explicit");
    sample_set(&scenario, "ao.actuators", "20000");
    sample_add(&scenario, SECTION_DEVICE, "node");
    sample_set(&scenario, "component.recon.device", "node");
    sample_evaluate(&scenario, result);
    alone = result->latency;
    CHECK_NEAR(node("calibration")->path_wait, 0, 1e-12);
    /* so fast that the device has hardly done with a frame when the next comes */
    sample_number(&scenario, "scenario.frame_rate", 0.999 * result->max_frame_rate);
    sample_evaluate(&scenario, result);
    CHECK(!result->overloaded);
    CHECK_NEAR(result->frames, 5, 0);
    CHECK(node("calibration")->path_wait > 0);
    CHECK_TRUE(result->latency > alone, "%g s, alone %g s", result->latency, alone);
    /* the part of a device that is its own is nobody else's */
    sample_set(&scenario, "scenario.sharing", "partition");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(node("calibration")->path_wait, 0, 1e-12);
}

/* Copies of a sensor are one component; shares, priorities and launches are not theirs each. */
TEST(copies_are_one)
{
    struct result *result = sample_result();

    for (int way = 0; way < 3; way++) {
        double last;

        sample_chain(&scenario);
        sample_set(&scenario, "scenario.sharing", ways[way]);
        sample_set(&scenario, "scenario.packets", "1");
        sample_set(&scenario, "wfs.ngs.count", "6");
        sample_evaluate(&scenario, result);
        last = node("slopes")->last_end;
        CHECK_NEAR(last, 500e-6 + node("calibration")->time + node("slopes")->time, 1e-12);
    }
}
