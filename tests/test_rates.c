#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "model/stage.h"
#include "sample.h"

static struct scenario scenario;

/* What takes time in the chain but the camera is made negligible or explicit. */
TEST(camera_rates)
{
    static const struct {
        const char *readout, *exposure, *transfer;
        double busy;
    } cases[] = {
        {"500 us", "0", "yes", 500e-6},        {"500 us", "300 us", "yes", 500e-6},
        {"500 us", "2000 us", "yes", 2000e-6}, {"500 us", "0", "no", 500e-6},
        {"500 us", "2000 us", "no", 2500e-6},  {"500 us", "300 us", "no", 800e-6},
        {"700 us", "auto", "no", 700e-6},
    };
    struct result *result = sample_result();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample_chain(&scenario);
        sample_set(&scenario, "component.camera.readout", cases[i].readout);
        sample_set(&scenario, "component.camera.exposure", cases[i].exposure);
        sample_set(&scenario, "component.camera.frame_transfer", cases[i].transfer);
        sample_evaluate(&scenario, result);
        CHECK_NEAR(sample_node(result, "camera")->busy, cases[i].busy, 1e-12);
        CHECK_NEAR(result->max_frame_rate, 1 / cases[i].busy, 1e-12);
        CHECK_STR(result->limit, "camera");
        CHECK_NEAR(result->limit_busy, cases[i].busy, 1e-12);
        CHECK_INT(result->overloaded, cases[i].busy > 1e-3);
        CHECK_NEAR(result->load, cases[i].busy / 1e-3, 1e-12);
        CHECK_NEAR(result->frame_period, 1e-3, 1e-15);
        CHECK_NEAR(sample_node(result, "camera")->time, i == 6 ? 700e-6 : 500e-6, 1e-12);
    }
}

/* Just at the limit is not beyond it. */
TEST(overload_begins_beyond_the_period)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "component.camera.readout", "1000 us");
    sample_evaluate(&scenario, result);
    CHECK(!result->overloaded);
    sample_set(&scenario, "scenario.frame_rate", "1000.01");
    sample_evaluate(&scenario, result);
    CHECK(result->overloaded);
}

/* An overload names what is busy longest: a component, a device, a link. */
TEST(overload_names_the_resource)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "component.recon.overhead", "100 us");
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "scenario.frame_rate", "2000");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->limit, "recon");
    CHECK(result->overloaded);
    CHECK_NEAR(result->limit_busy, sample_node(result, "recon")->busy, 0);
    CHECK_NEAR(result->limit_busy / result->frame_period, 2, 0.02);
    /* two that wait for the frame own all of it one after the other: the device is busy longest */
    sample_chain(&scenario);
    sample_set(&scenario, "component.recon.barrier", "frame");
    sample_set(&scenario, "component.recon.overhead", "700 us");
    sample_set(&scenario, "component.control.overhead", "600 us");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->limit, "rtc");
    CHECK(result->overloaded);
    CHECK_NEAR(result->limit_busy, 1300e-6, 0.01);
    CHECK_NEAR(result->limit_busy, result->device[0].busy, 0);
    CHECK_NEAR(result->device[0].utilisation, result->limit_busy / 1e-3, 1e-12);
    /* two mirrors on one port */
    sample_chain(&scenario);
    sample_component(&scenario, "second", "dm");
    sample_set(&scenario, "component.second.after", "control");
    sample_set(&scenario, "device.rtc.nic", "0.01 Gb/s");
    sample_set(&scenario, "component.camera.readout", "1 us");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->limit, "rtc.nic.out");
    CHECK_NEAR(result->limit_busy, 2 * sample_node(result, "dm")->time, 1e-12);
}

/* Readout is no faster than the camera's link. */
TEST(interfaces)
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
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "wfs.ngs.detector_width", "1000");
    sample_set(&scenario, "wfs.ngs.detector_height", "500");
    sample_set(&scenario, "wfs.ngs.bit_depth", "12");
    sample_set(&scenario, "wfs.ngs.count", "3");
    sample_set(&scenario, "component.camera.lanes", "4");
    sample_set(&scenario, "component.camera.readout", "100 us");
    sample_set(&scenario, "device.rtc.mtu", "1500");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample_set(&scenario, "component.camera.interface", cases[i].interface);
        sample_evaluate(&scenario, result);
        CHECK_NEAR(sample_node(result, "camera")->time,
                   cases[i].rate == 0 ? 100e-6 : fmax(100e-6, 750000 / cases[i].rate), 1e-12);
        CHECK_NEAR(sample_node(result, "camera")->bytes, 3 * 750000, 0);
        CHECK_NEAR(result->last_pixel, sample_node(result, "camera")->time, 1e-12);
    }
    /* of several hosts it feeds the smallest datagram counts */
    sample_add(&scenario, SECTION_DEVICE, "node");
    sample_set(&scenario, "device.node.mtu", "600");
    sample_component(&scenario, "log", "custom");
    sample_set(&scenario, "component.log.after", "camera");
    sample_set(&scenario, "component.log.device", "node");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "camera")->time, 750000 / (1.25e9 * 572 / 638), 1e-12);
    sample_set(&scenario, "device.rtc.mtu", "576");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "camera")->time, 750000 / (1.25e9 * 548 / 614), 1e-12);
    sample_set(&scenario, "component.camera.readout", "9000 us");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "camera")->time, 9000e-6, 1e-12);
}

/* The loop ------------------------------------------------------------------------------------- */

static double tau(void)
{
    struct result *result = sample_result();

    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->loop.delay_frames, result->loop.tau_total * scenario.general.frame_rate,
               1e-12);
    return result->loop.tau_total;
}

TEST(total_delay)
{
    struct result *result = sample_result();
    double arrival;

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.frame_rate", "500");
    tau();
    arrival = sample_node(result, "dm")->last_end;
    CHECK_NEAR(result->first_pixel, sample_node(result, "control")->last_end, 1e-15);
    CHECK_NEAR(tau(), 1e-3 + arrival + 1e-3, 1e-12);
    sample_set(&scenario, "component.dm.settle", "400 us");
    CHECK_NEAR(tau(), 1e-3 + arrival + 400e-6 + 1e-3, 1e-12);
    sample_set(&scenario, "component.camera.exposure", "600 us");
    CHECK_NEAR(tau(), 300e-6 + arrival + 400e-6 + 1e-3, 1e-12);
    /* the mean row of a rolling shutter has ended half a readout later */
    sample_set(&scenario, "component.camera.shutter", "rolling");
    CHECK_NEAR(tau(), 300e-6 + arrival - 250e-6 + 400e-6 + 1e-3, 1e-12);
}

/* The slowest mirror counts; of the cameras those that deliver most often. */
TEST(delays_of_several)
{
    struct result *result = sample_result();
    double arrival;

    sample_chain(&scenario);
    sample_component(&scenario, "tip", "dm");
    sample_set(&scenario, "component.tip.after", "control");
    sample_set(&scenario, "component.tip.settle", "2000 us");
    tau();
    arrival = result->dm[1].arrival;
    CHECK_NEAR(arrival, sample_node(result, "tip")->last_end + 2e-3, 1e-12);
    CHECK_NEAR(tau(), 0.5e-3 + arrival + 0.5e-3, 1e-12);
    /* a slow sensor beside it changes nothing but the arrival */
    sample_add(&scenario, SECTION_WFS, "slow");
    sample_set(&scenario, "wfs.slow.subaps_across", "2");
    sample_set(&scenario, "wfs.slow.rate_divisor", "10");
    sample_component(&scenario, "camera2", "camera");
    sample_set(&scenario, "component.camera2.wfs", "slow");
    sample_set(&scenario, "component.camera2.exposure", "9000 us");
    sample_component(&scenario, "slopes2", "centroid");
    sample_set(&scenario, "component.recon.after", "slopes, slopes2");
    tau();
    CHECK_NEAR(tau(), 0.5e-3 + result->dm[1].arrival + 0.5e-3, 1e-12);
    /* alone, its exposure is that of its own frames */
    sample_set(&scenario, "wfs.ngs.rate_divisor", "20");
    sample_set(&scenario, "component.camera2.exposure", "auto");
    tau();
    CHECK_NEAR(tau(), 5e-3 + result->dm[1].arrival + 0.5e-3, 1e-12);
    /* of two that deliver as often, the longer */
    sample_set(&scenario, "wfs.ngs.rate_divisor", "10");
    sample_set(&scenario, "component.camera.exposure", "3000 us");
    tau();
    CHECK_NEAR(tau(), 5e-3 + result->dm[1].arrival + 0.5e-3, 1e-12);
}

/* What the automatic values of sensors and cameras came to. */
TEST(automatic_values)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "wfs.ngs.count", "3");
    sample_set(&scenario, "wfs.ngs.rate_divisor", "4");
    sample_evaluate(&scenario, result);
    CHECK_INT(result->wfs_count, 1);
    CHECK_NEAR(result->wfs[0].subaps, 76, 0);
    CHECK_NEAR(result->wfs[0].width, 80, 0);
    CHECK_NEAR(result->wfs[0].height, 80, 0);
    CHECK_NEAR(sample_node(result, "camera")->exposure, 4e-3, 1e-12);
    CHECK_NEAR(sample_node(result, "slopes")->exposure, RESULT_NONE, 0);
    sample_set(&scenario, "wfs.ngs.valid_subaps", "60");
    sample_set(&scenario, "wfs.ngs.detector_width", "100");
    sample_set(&scenario, "component.camera.exposure", "700 us");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->wfs[0].subaps, 60, 0);
    CHECK_NEAR(result->wfs[0].width, 100, 0);
    CHECK_NEAR(sample_node(result, "camera")->exposure, 700e-6, 1e-12);
}

TEST(without_a_mirror)
{
    struct result *result = sample_result();
    struct error error;

    sample_chain(&scenario);
    CHECK_INT(scenario_remove(&scenario, SECTION_COMPONENT, 5, &error), STATUS_OK);
    sample_evaluate(&scenario, result);
    CHECK_INT(result->dm_count, 0);
    CHECK_NEAR(result->latency, sample_node(result, "control")->last_end - 500e-6, 1e-12);
    CHECK_NEAR(result->loop.tau_total, 0.5e-3 + sample_node(result, "control")->last_end + 0.5e-3,
               1e-12);
}

TEST(margins)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.target_latency", "50 us");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->target, 50e-6, 1e-15);
    CHECK_NEAR(result->margin, 50e-6 - result->latency, 1e-15);
    CHECK_NEAR(result->first_pixel, 500e-6 + result->latency, 1e-12);
}

/* The critical path ---------------------------------------------------------------------------- */

static double part(const struct result *result, int node)
{
    return result->node[node].path_wait + result->node[node].path_busy;
}

static double path_length(const struct result *result)
{
    double sum = 0;

    for (int n = 0; n < result->node_count; n++)
        sum += part(result, n);
    return sum;
}

/* In one packet all of the chain follows the last pixel; the longest is what binds. */
TEST(binds_the_longest)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "component.slopes.overhead", "40 us");
    sample_set(&scenario, "component.recon.overhead", "50 us");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->node[result->bound_node].name, "recon");
    CHECK_INT(result->bound, BOUND_OVERHEAD);
    CHECK_NEAR(path_length(result), result->latency, 1e-9);
    CHECK_NEAR(part(result, 3), sample_node(result, "recon")->time, 1e-9);
    for (int n = 0; n < 5; n++)
        CHECK_NEAR(result->node[n].slack, 0, 1e-15);
    CHECK_NEAR(result->node[5].slack, RESULT_NONE, 0);
}

/* Of two branches the shorter has the difference to spare. */
TEST(slack_of_a_branch)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "1");
    sample_component(&scenario, "side", "custom");
    sample_set(&scenario, "component.side.after", "calibration");
    sample_set(&scenario, "component.side.overhead", "10 us");
    sample_set(&scenario, "component.slopes.overhead", "35 us");
    sample_set(&scenario, "component.control.after", "recon, side");
    sample_set(&scenario, "component.side.share", "0.1");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "side")->slack,
               sample_node(result, "slopes")->time + sample_node(result, "recon")->time - 10e-6,
               1e-9);
    CHECK_NEAR(sample_node(result, "slopes")->slack, 0, 1e-15);
    CHECK_NEAR(path_length(result), result->latency, 1e-9);
    /* what no mirror waits for has none */
    sample_set(&scenario, "component.control.after", "recon");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "side")->slack, RESULT_NONE, 0);
}

/* A packet does not wait for the one before it to arrive, only for the wire. */
TEST(packets_on_the_way_do_not_wait)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "2");
    sample_set(&scenario, "component.camera.readout", "1 us");
    sample_set(&scenario, "component.slopes.overhead", "60 us");
    sample_add(&scenario, SECTION_DEVICE, "node");
    sample_set(&scenario, "device.node.driver", "1000 us");
    sample_set(&scenario, "device.node.launch", "0");
    sample_set(&scenario, "component.recon.device", "node");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(part(result, result_find_node(result, "slopes")), 120e-6, 0.02);
    CHECK_NEAR(part(result, result_find_node(result, "slopes>recon")), 1005.6e-6, 0.02);
    CHECK_NEAR(path_length(result), result->latency, 1e-9);
}

/* A backlog: slots wait for their own predecessors, and the path runs along them. */
TEST(a_backlog_is_on_the_path)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "component.slopes.overhead", "200 us");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->node[result->bound_node].name, "slopes");
    CHECK(result->latency > 1400e-6);
    CHECK_NEAR(path_length(result), result->latency, 1e-9);
    CHECK_NEAR(sample_node(result, "slopes")->last_end,
               sample_node(result, "slopes")->first_start + sample_node(result, "slopes")->time,
               1e-9);
}
