#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design.h"
#include "stage.h"

static struct scenario scenario;

/* What takes time in the chain but the camera is made negligible or explicit. */
static void camera_rates(void)
{
    static const struct {
        const char *readout, *exposure, *transfer;
        double busy;
    } cases[] = {
        {"500 us", "0", "yes", 500e-6},         {"500 us", "300 us", "yes", 500e-6},
        {"500 us", "2000 us", "yes", 2000e-6},  {"500 us", "0", "no", 500e-6},
        {"500 us", "2000 us", "no", 2500e-6},   {"500 us", "300 us", "no", 800e-6},
        {"700 us", "auto", "no", 700e-6},
    };
    struct result *result = design_result();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        design_chain(&scenario);
        design_set(&scenario, "component.camera.readout", cases[i].readout);
        design_set(&scenario, "component.camera.exposure", cases[i].exposure);
        design_set(&scenario, "component.camera.frame_transfer", cases[i].transfer);
        design_evaluate(&scenario, result);
        CHECK_NEAR(design_node(result, "camera")->busy, cases[i].busy, 1e-12);
        CHECK_NEAR(result->max_frame_rate, 1 / cases[i].busy, 1e-12);
        CHECK_STR(result->limit, "camera");
        CHECK_NEAR(result->limit_busy, cases[i].busy, 1e-12);
        CHECK_INT(result->overloaded, cases[i].busy > 1e-3);
        CHECK_NEAR(result->frame_period, 1e-3, 1e-15);
        CHECK_NEAR(design_node(result, "camera")->time,
                   i == 6 ? 700e-6 : 500e-6, 1e-12);
    }
}

/* Just at the limit is not beyond it. */
static void overload_begins_beyond_the_period(void)
{
    struct result *result = design_result();

    design_chain(&scenario);
    design_set(&scenario, "component.camera.readout", "1000 us");
    design_evaluate(&scenario, result);
    CHECK(!result->overloaded);
    design_set(&scenario, "scenario.frame_rate", "1000.01");
    design_evaluate(&scenario, result);
    CHECK(result->overloaded);
}

/* An overload names what is busy longest: a component, a device, a link. */
static void overload_names_the_resource(void)
{
    struct result *result = design_result();

    design_chain(&scenario);
    design_set(&scenario, "component.recon.overhead", "100 us");
    design_set(&scenario, "scenario.packets", "10");
    design_set(&scenario, "scenario.frame_rate", "2000");
    design_evaluate(&scenario, result);
    CHECK_STR(result->limit, "recon");
    CHECK(result->overloaded);
    CHECK_NEAR(result->limit_busy, design_node(result, "recon")->busy, 0);
    CHECK_NEAR(result->limit_busy / result->frame_period, 2, 0.02);
    /* two that wait for the frame own all of it one after the other: the device is busy longest */
    design_chain(&scenario);
    design_set(&scenario, "component.recon.barrier", "frame");
    design_set(&scenario, "component.recon.overhead", "700 us");
    design_set(&scenario, "component.control.overhead", "600 us");
    design_evaluate(&scenario, result);
    CHECK_STR(result->limit, "rtc");
    CHECK(result->overloaded);
    CHECK_NEAR(result->limit_busy, 1300e-6, 0.01);
    CHECK_NEAR(result->limit_busy, result->device[0].busy, 0);
    CHECK_NEAR(result->device[0].utilisation, result->limit_busy / 1e-3, 1e-12);
    /* two mirrors on one port */
    design_chain(&scenario);
    design_component(&scenario, "second", "dm");
    design_set(&scenario, "component.second.after", "control");
    design_set(&scenario, "device.rtc.nic", "0.01 Gb/s");
    design_set(&scenario, "component.camera.readout", "1 us");
    design_evaluate(&scenario, result);
    CHECK_STR(result->limit, "rtc.nic.out");
    CHECK_NEAR(result->limit_busy, 2 * design_node(result, "dm")->time, 1e-12);
}

/* Readout is no faster than the camera's link. */
static void interfaces(void)
{
    static const struct {
        const char *interface;
        double rate;
    } cases[] = {{"none", 0},
                 {"camera-link-base", 255e6},
                 {"camera-link-full", 680e6},
                 {"coaxpress-6", 2400e6},
                 {"coaxpress-12", 4800e6},
                 {"gige-vision", 1.25e9 * 1472 / 1538}};
    struct result *result = design_result();

    design_chain(&scenario);
    design_set(&scenario, "wfs.ngs.detector_width", "1000");
    design_set(&scenario, "wfs.ngs.detector_height", "500");
    design_set(&scenario, "wfs.ngs.bit_depth", "12");
    design_set(&scenario, "wfs.ngs.count", "3");
    design_set(&scenario, "component.camera.lanes", "4");
    design_set(&scenario, "component.camera.readout", "100 us");
    design_set(&scenario, "device.rtc.mtu", "1500");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        design_set(&scenario, "component.camera.interface", cases[i].interface);
        design_evaluate(&scenario, result);
        CHECK_NEAR(design_node(result, "camera")->time,
                   cases[i].rate == 0 ? 100e-6 : fmax(100e-6, 750000 / cases[i].rate), 1e-12);
        CHECK_NEAR(design_node(result, "camera")->bytes, 3 * 750000, 0);
        CHECK_NEAR(result->last_pixel, design_node(result, "camera")->time, 1e-12);
    }
    design_set(&scenario, "component.camera.readout", "9000 us");
    design_evaluate(&scenario, result);
    CHECK_NEAR(design_node(result, "camera")->time, 9000e-6, 1e-12);
}

/* The loop ------------------------------------------------------------------------------------- */

static double tau(void)
{
    struct result *result = design_result();

    design_evaluate(&scenario, result);
    CHECK_NEAR(result->loop.delay_frames, result->loop.tau_total * scenario.general.frame_rate,
               1e-12);
    return result->loop.tau_total;
}

static void total_delay(void)
{
    struct result *result = design_result();
    double arrival;

    design_chain(&scenario);
    design_set(&scenario, "scenario.frame_rate", "500");
    tau();
    arrival = design_node(result, "dm")->last_end;
    CHECK_NEAR(result->first_pixel, design_node(result, "control")->last_end, 1e-15);
    CHECK_NEAR(tau(), 1e-3 + arrival + 1e-3, 1e-12);
    design_set(&scenario, "component.dm.settle", "400 us");
    CHECK_NEAR(tau(), 1e-3 + arrival + 400e-6 + 1e-3, 1e-12);
    design_set(&scenario, "component.camera.exposure", "600 us");
    CHECK_NEAR(tau(), 300e-6 + arrival + 400e-6 + 1e-3, 1e-12);
    /* the mean row of a rolling shutter has ended half a readout later */
    design_set(&scenario, "component.camera.shutter", "rolling");
    CHECK_NEAR(tau(), 300e-6 + arrival - 250e-6 + 400e-6 + 1e-3, 1e-12);
}

/* The slowest mirror counts; of the cameras those that deliver most often. */
static void delays_of_several(void)
{
    struct result *result = design_result();
    double arrival;

    design_chain(&scenario);
    design_component(&scenario, "tip", "dm");
    design_set(&scenario, "component.tip.after", "control");
    design_set(&scenario, "component.tip.settle", "2000 us");
    tau();
    arrival = result->dm[1].arrival;
    CHECK_NEAR(arrival, design_node(result, "tip")->last_end + 2e-3, 1e-12);
    CHECK_NEAR(tau(), 0.5e-3 + arrival + 0.5e-3, 1e-12);
    /* a slow sensor beside it changes nothing but the arrival */
    design_add(&scenario, SECTION_WFS, "slow");
    design_set(&scenario, "wfs.slow.subaps_across", "2");
    design_set(&scenario, "wfs.slow.rate_divisor", "10");
    design_component(&scenario, "camera2", "camera");
    design_set(&scenario, "component.camera2.wfs", "slow");
    design_set(&scenario, "component.camera2.exposure", "9000 us");
    design_component(&scenario, "slopes2", "centroid");
    design_set(&scenario, "component.recon.after", "slopes, slopes2");
    tau();
    CHECK_NEAR(tau(), 0.5e-3 + result->dm[1].arrival + 0.5e-3, 1e-12);
    /* alone, its exposure is that of its own frames */
    design_set(&scenario, "wfs.ngs.rate_divisor", "20");
    design_set(&scenario, "component.camera2.exposure", "auto");
    tau();
    CHECK_NEAR(tau(), 5e-3 + result->dm[1].arrival + 0.5e-3, 1e-12);
    /* of two that deliver as often, the longer */
    design_set(&scenario, "wfs.ngs.rate_divisor", "10");
    design_set(&scenario, "component.camera.exposure", "3000 us");
    tau();
    CHECK_NEAR(tau(), 5e-3 + result->dm[1].arrival + 0.5e-3, 1e-12);
}

static void without_a_mirror(void)
{
    struct result *result = design_result();
    struct error error;

    design_chain(&scenario);
    CHECK_INT(scenario_remove(&scenario, SECTION_COMPONENT, 5, &error), STATUS_OK);
    design_evaluate(&scenario, result);
    CHECK_INT(result->dm_count, 0);
    CHECK_NEAR(result->latency, design_node(result, "control")->last_end - 500e-6, 1e-12);
    CHECK_NEAR(result->loop.tau_total, 0.5e-3 + design_node(result, "control")->last_end + 0.5e-3,
               1e-12);
}

static void margins(void)
{
    struct result *result = design_result();

    design_chain(&scenario);
    design_set(&scenario, "scenario.target_latency", "50 us");
    design_evaluate(&scenario, result);
    CHECK_NEAR(result->target, 50e-6, 1e-15);
    CHECK_NEAR(result->margin, 50e-6 - result->latency, 1e-15);
    CHECK_NEAR(result->first_pixel, 500e-6 + result->latency, 1e-12);
}

/* The critical path ---------------------------------------------------------------------------- */

static double path_length(const struct result *result)
{
    double sum = 0;

    for (int n = 0; n < result->node_count; n++)
        sum += result->work->part[n];
    return sum;
}

/* In one packet all of the chain follows the last pixel; the longest is what binds. */
static void binds_the_longest(void)
{
    struct result *result = design_result();

    design_chain(&scenario);
    design_set(&scenario, "scenario.packets", "1");
    design_set(&scenario, "component.slopes.overhead", "40 us");
    design_set(&scenario, "component.recon.overhead", "50 us");
    design_evaluate(&scenario, result);
    CHECK_STR(result->node[result->bound_node].name, "recon");
    CHECK_INT(result->bound, BOUND_OVERHEAD);
    CHECK_NEAR(path_length(result), result->latency, 1e-9);
    CHECK_NEAR(result->work->part[3], design_node(result, "recon")->time, 1e-9);
    for (int n = 0; n < 5; n++)
        CHECK_NEAR(result->node[n].slack, 0, 1e-15);
    CHECK_NEAR(result->node[5].slack, RESULT_NONE, 0);
}

/* Of two branches the shorter has the difference to spare. */
static void slack_of_a_branch(void)
{
    struct result *result = design_result();

    design_chain(&scenario);
    design_set(&scenario, "scenario.packets", "1");
    design_component(&scenario, "side", "custom");
    design_set(&scenario, "component.side.after", "calibration");
    design_set(&scenario, "component.side.overhead", "10 us");
    design_set(&scenario, "component.slopes.overhead", "35 us");
    design_set(&scenario, "component.control.after", "recon, side");
    design_set(&scenario, "component.side.share", "0.1");
    design_evaluate(&scenario, result);
    CHECK_NEAR(design_node(result, "side")->slack,
               design_node(result, "slopes")->time + design_node(result, "recon")->time - 10e-6,
               1e-9);
    CHECK_NEAR(design_node(result, "slopes")->slack, 0, 1e-15);
    CHECK_NEAR(path_length(result), result->latency, 1e-9);
    /* what no mirror waits for has none */
    design_set(&scenario, "component.control.after", "recon");
    design_evaluate(&scenario, result);
    CHECK_NEAR(design_node(result, "side")->slack, RESULT_NONE, 0);
}

/* A backlog: slots wait for their own predecessors, and the path runs along them. */
static void a_backlog_is_on_the_path(void)
{
    struct result *result = design_result();

    design_chain(&scenario);
    design_set(&scenario, "scenario.packets", "10");
    design_set(&scenario, "component.slopes.overhead", "200 us");
    design_evaluate(&scenario, result);
    CHECK_STR(result->node[result->bound_node].name, "slopes");
    CHECK(result->latency > 1400e-6);
    CHECK_NEAR(path_length(result), result->latency, 1e-9);
    CHECK_NEAR(design_node(result, "slopes")->last_end,
               design_node(result, "slopes")->first_start + design_node(result, "slopes")->time,
               1e-9);
}

static const struct test tests[] = {
    {"camera rates", camera_rates},
    {"overload begins beyond the period", overload_begins_beyond_the_period},
    {"overload names the resource", overload_names_the_resource},
    {"interfaces", interfaces},
    {"total delay", total_delay},
    {"delays of several", delays_of_several},
    {"without a mirror", without_a_mirror},
    {"margins", margins},
    {"binds the longest", binds_the_longest},
    {"slack of a branch", slack_of_a_branch},
    {"a backlog is on the path", a_backlog_is_on_the_path},
    {NULL, NULL},
};

const struct suite suite_rates = {.name = "rates", .tests = tests};
