#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "figures.h"
#include "model/evaluate.h"
#include "model/overhead.h"
#include "reference_pipeline.h"
#include "sample.h"

#define HANDOVER (FIGURE_HANDOVER_US * 1e-6)
#define SOFTWARE (FIGURE_SOFTWARE_US * 1e-6)
#define INGRESS (FIGURE_INGRESS_US * 1e-6)
#define DATAGRAM (FIGURE_DATAGRAM_US * 1e-6)
#define SMALL_DATAGRAM 2.37664e-6 /* at an MTU of 1500 */
#define SLEEP (FIGURE_SLEEP_US * 1e-6)

/* The reference model against examples worked out by hand. */

#define SLOTS 100000

static struct scenario scenario;
static struct reference_outcome outcome;

static void set(const char *path, const char *value)
{
    sample_set(&scenario, path, value);
}

/* Sets a key of all devices. */
static void set_devices(const char *key, const char *value)
{
    char path[96];

    for (int d = 0; d < scenario.device_count; d++) {
        snprintf(path, sizeof path, "device.%s.%s", scenario.device[d].head.name, key);
        set(path, value);
    }
}

/* Nothing but readout, work and wires takes time. */
static void make_ideal(void)
{
    set_devices("ingress", "ideal");
    set_devices("egress", "ideal");
    for (int d = 0; d < scenario.device_count; d++) {
        char path[96];

        if (scenario.device[d].kind == DEVICE_FPGA)
            continue;
        snprintf(path, sizeof path, "device.%s.launch", scenario.device[d].head.name);
        set(path, "0");
        snprintf(path, sizeof path, "device.%s.boundary", scenario.device[d].head.name);
        set(path, "0");
    }
}

static void run(void)
{
    static bool filled;

    if (filled)
        reference_pipeline_free(&outcome);
    reference_pipeline(&scenario, SLOTS, &outcome);
    filled = true;
}

static int find(const char *name)
{
    for (int n = 0; n < outcome.design.plan.count; n++)
        if (strcmp(outcome.design.plan.node[n].name, name) == 0)
            return n;
    CHECK_TRUE(false, "there is no %s", name);
    return 0;
}

static double load(const char *name)
{
    for (int i = 0; i < outcome.load_count; i++)
        if (strcmp(outcome.load[i].name, name) == 0)
            return outcome.load[i].busy;
    CHECK_TRUE(false, "there is no %s", name);
    return 0;
}

/* Single components ---------------------------------------------------------------------------- */

TEST(worked_example)
{
    scenario_init(&scenario);
    sample_round_device(&scenario, "rtc");
    set("device.rtc.cores", "1000");
    set("device.rtc.clock", "1.25 GHz");
    set("device.rtc.boundary", "0");
    set("scenario.packets", "1");
    sample_component(&scenario, "work", "custom");
    set("component.work.flops", "8192000");
    set("component.work.bytes_read", "6553600");
    set("component.work.compute_efficiency", "0.4");
    set("component.work.memory_efficiency", "0.7");
    run();
    CHECK_NEAR(outcome.design.work[0].compute, 2.048e-6, 1e-12);
    CHECK_NEAR(outcome.design.work[0].memory, 93.622857142857143e-6, 1e-12);
    CHECK_NEAR(outcome.latency, 93.622857142857143e-6, 1e-12);
    set("scenario.overlap", "0");
    run();
    CHECK_NEAR(outcome.latency, 95.670857142857143e-6, 1e-12);
}

/* A camera that takes no time, and three stages of 100 us, each with a quarter of a device. */
static void make_stages(const char *packets)
{
    static const char *const names[] = {"a", "b", "c"};
    char path[96];

    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    set("wfs.ngs.subaps_across", "10");
    set("wfs.ngs.pixels_per_subap", "5");
    sample_round_device(&scenario, "rtc");
    set("device.rtc.nic", "10000");
    set("device.rtc.nics", "64");
    sample_component(&scenario, "camera", "camera");
    set("component.camera.readout", "0");
    set("scenario.packets", packets);
    for (int i = 0; i < 3; i++) {
        sample_component(&scenario, names[i], "custom");
        snprintf(path, sizeof path, "component.%s.share", names[i]);
        set(path, "0.25");
        snprintf(path, sizeof path, "component.%s.flops", names[i]);
        set(path, "12500000");
    }
    make_ideal();
}

TEST(three_equal_stages)
{
    make_stages("1");
    run();
    CHECK_NEAR(outcome.latency, 300e-6, 1e-5);
    make_stages("50");
    run();
    CHECK_NEAR(outcome.latency, 104e-6, 1e-5);
    CHECK_INT(outcome.frames, 1);
    /* one after the other, a packet at a time */
    set("scenario.sharing", "exclusive");
    run();
    CHECK_NEAR(outcome.latency, 75e-6, 1e-5);
    set("scenario.sharing", "fluid");
    run();
    CHECK_NEAR(outcome.latency, 75e-6, 1e-5);
}

/* Frames that overlap -------------------------------------------------------------------------- */

TEST(overlapping_frames_in_fluid)
{
    scenario_init(&scenario);
    set("scenario.sharing", "fluid");
    sample_add(&scenario, SECTION_WFS, "a");
    set("wfs.a.subaps_across", "40");
    sample_add(&scenario, SECTION_DEVICE, "rtc");
    set("device.rtc.cores", "8");
    sample_component(&scenario, "cam", "camera");
    set("component.cam.readout", "900 us");
    sample_component(&scenario, "cal", "calibration");
    set("component.cal.memory_efficiency", "0.03");
    sample_component(&scenario, "slopes", "centroid");
    sample_component(&scenario, "rec", "reconstruction");
    set("component.rec.barrier", "frame");
    sample_component(&scenario, "ctl", "control");
    sample_component(&scenario, "dm", "dm");
    set("component.dm.link", "none");
    make_ideal();
    set("device.rtc.boundary", "4 us");
    run();
    CHECK_NEAR(outcome.latency, 880.1e-6, 1e-4);
    CHECK(outcome.frames > 1);
    CHECK(!outcome.overloaded && !outcome.not_periodic);
    /* one frame alone */
    set("scenario.frame_rate", "100");
    run();
    CHECK_NEAR(outcome.latency, 575.3e-6, 1e-4);
}

/* The links of a board without keys end in its logic. */
TEST(ports_of_a_board)
{
    make_stages("1");
    set("device.rtc.kind", "fpga");
    CHECK_INT(scenario.device[0].egress, EGRESS_IDEAL);
    CHECK_INT(overhead_ingress(&scenario, 0, -1).ingress, INGRESS_IDEAL);
    CHECK_NEAR(overhead_ingress(&scenario, 0, -1).latency, 0, 0);
    set("device.rtc.ingress", "bypass");
    CHECK_NEAR(overhead_ingress(&scenario, 0, -1).latency, 1e-6, 1e-12);
}

/* PCIe leads to a mirror from a board without a host, whatever link to a host it states. */
TEST(mirror_of_a_board_without_a_host)
{
    struct result *result = sample_result();
    struct error error;

    make_stages("1");
    sample_component(&scenario, "mirror", "dm");
    set("component.mirror.link", "pcie");
    set("component.mirror.after", "c");
    set("component.mirror.actuators", "7200");
    set("component.mirror.bits_per_actuator", "16");
    set("device.rtc.kind", "fpga");
    set("device.rtc.pcie_gen", "4");
    set("device.rtc.pcie_lanes", "16");
    set("device.rtc.host_link", "nvlink");
    run();
    CHECK_NEAR(outcome.busy[find("mirror")], 14400 / 28.8e9, 1e-3);
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_OK);
    CHECK_NEAR(result->node[result_find_node(result, "mirror")].busy, 14400 / 28.8e9, 1e-3);
}

/* Dispatch ------------------------------------------------------------------------------------- */

/* One camera and, on a GPU, three stages of 10 us that the camera feeds without delay. */
static void make_visit(const char *packets)
{
    static const char *const names[] = {"a", "b", "c"};
    char path[96];

    make_stages(packets);
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    set("device.gpu.kind", "gpu");
    set("device.gpu.units", "1000");
    set("device.gpu.clock", "1000");
    set("device.gpu.ops_per_clock", "1");
    set("device.gpu.copy", "rdma");
    set("scenario.sharing", "exclusive");
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "component.%s.device", names[i]);
        set(path, "gpu");
        snprintf(path, sizeof path, "component.%s.flops", names[i]);
        set(path, "5000000"); /* at 1 TFLOP/s and 0.5 */
    }
    sample_component(&scenario, "dm", "dm");
    set("component.dm.link", "none");
    set("device.gpu.copy_latency", "0");
    set("ao.actuators", "1");
}

/* Enqueued in one go, 2.4 us each, launched once; each kernel 1.2 us longer. */
TEST(a_visit_by_stream)
{
    make_visit("1");
    run();
    CHECK_NEAR(outcome.last_end[find("a")], 2.4e-6 + 6.5e-6 + 11.2e-6, 1e-5);
    CHECK_NEAR(outcome.last_end[find("c")], 2.4e-6 + 6.5e-6 + 3 * 11.2e-6, 1e-5);
    CHECK_NEAR(load("gpu.1.enqueue"), 3 * 2.4e-6, 1e-9);
    /* the host is slower than the device */
    set("device.gpu.enqueue", "20 us");
    run();
    CHECK_NEAR(outcome.last_end[find("a")], 20e-6 + 6.5e-6 + 11.2e-6, 1e-5);
    CHECK_NEAR(outcome.last_end[find("b")], 40e-6 + 11.2e-6, 1e-5);
    CHECK_NEAR(outcome.last_end[find("c")], 60e-6 + 11.2e-6, 1e-5);
    set("device.gpu.dispatch", "graph");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 20e-6 + 7e-6 + 3 * 11.2e-6, 1e-5);
    set("device.gpu.dispatch", "persistent");
    set("device.gpu.enqueue", "auto");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 1.6e-6 + 3 * 11e-6, 1e-5);
    set("device.gpu.framework", "interpreter");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 3 * 26e-6, 1e-5);
    set("component.b.operators", "3");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 30e-6 + 5 * 16e-6, 1e-5);
    /* what is stated counts beside the operators */
    set("device.gpu.launch", "7 us");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 7e-6 + 30e-6 + 5 * 16e-6, 1e-5);
    set("device.gpu.boundary", "2 us");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 7e-6 + 30e-6 + 5 * 16e-6 + 3 * 2e-6, 1e-5);
    set("device.gpu.enqueue", "1 us");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 8e-6 + 30e-6 + 5 * 16e-6 + 3 * 2e-6, 1e-5);
}

/* Two packets at once: the second is enqueued while the first runs, its launch hides. */
TEST(launches_hide_behind_a_busy_device)
{
    make_visit("2");
    run();
    CHECK_NEAR(outcome.last_end[find("c")], 2.4e-6 + 6.5e-6 + 6 * 6.2e-6, 1e-5);
    /* the longest path first: all of the first packet, then all of the second */
    CHECK_NEAR(outcome.first_start[find("b")], 2.4e-6 + 6.5e-6 + 6.2e-6, 1e-5);
    /* the second packet of a, which asks at 16.1 us, goes before the first of c */
    CHECK_NEAR(outcome.first_start[find("c")], 2.4e-6 + 6.5e-6 + 2 * 6.2e-6, 1e-5);
    set("component.a.priority", "0");
    run();
    CHECK_NEAR(outcome.first_start[find("c")], 2.4e-6 + 6.5e-6 + 3 * 6.2e-6, 1e-5);
    CHECK_NEAR(outcome.last_end[find("c")], 2.4e-6 + 6.5e-6 + 6 * 6.2e-6, 1e-5);
}

TEST(processors)
{
    make_stages("1");
    set("device.rtc.launch", "auto");
    set("device.rtc.boundary", "auto");
    run();
    CHECK_NEAR(outcome.latency, 0.6e-6 + 3 * 102e-6, 1e-6);
    set("device.rtc.dispatch", "wake");
    run();
    CHECK_NEAR(outcome.latency, 5e-6 + 3 * 102e-6, 1e-6);
    set("device.rtc.dispatch", "process");
    run();
    CHECK_NEAR(outcome.latency, 0.6e-6 + HANDOVER + 3 * (102e-6 + SOFTWARE), 1e-6);
    set("component.b.process", "other");
    run();
    CHECK_NEAR(outcome.latency, 0.6e-6 + 3 * HANDOVER + 3 * (102e-6 + SOFTWARE), 1e-6);
    set("device.rtc.os", "ideal");
    run();
    CHECK_NEAR(outcome.latency, 0.6e-6 + 3 * (102e-6 + SOFTWARE), 1e-6);
}

/* More threads than cores: each component that has them waits for a core, not only the first. */
TEST(crowds)
{
    make_stages("1");
    set("scenario.sharing", "exclusive");
    set("device.rtc.launch", "auto");
    run();
    CHECK_NEAR(outcome.latency, 75.6e-6, 1e-6);
    set("component.b.workers", "1000");
    run();
    CHECK_NEAR(outcome.latency, 90.6e-6, 1e-6);
    set("component.c.workers", "1000");
    run();
    CHECK_NEAR(outcome.latency, 105.6e-6, 1e-6);
    set("device.rtc.launch", "0.6 us");
    run();
    CHECK_NEAR(outcome.latency, 75.6e-6, 1e-6);
}

/* 2 ms between two frames, of which the first stage works for 100 us: 1.9 of 8.33 ms. */
TEST(sleep_states)
{
    make_stages("1");
    set("scenario.frame_rate", "500");
    set("device.rtc.dispatch", "wake");
    set("device.rtc.os", "stock");
    run();
    CHECK_NEAR(outcome.latency, 300e-6 + 1.9e-3 * 120 * SLEEP, 1e-6);
    set("scenario.frame_rate", "1200");
    run();
    CHECK_NEAR(outcome.latency, 300e-6, 1e-6);
    set("scenario.frame_rate", "10");
    run();
    CHECK_NEAR(outcome.latency, 300e-6 + SLEEP, 1e-6);
    set("device.rtc.sleep_latency", "400 us");
    run();
    CHECK_NEAR(outcome.latency, 700e-6, 1e-6);
    set("device.rtc.dispatch", "spin");
    run();
    CHECK_NEAR(outcome.latency, 300e-6, 1e-6);
    /* the port wakes up */
    set("device.rtc.ingress", "kernel");
    run();
    CHECK_NEAR(outcome.latency, 700e-6 + INGRESS + DATAGRAM, 1e-6);
}

/* Ports ---------------------------------------------------------------------------------------- */

/* 50 x 50 pixels of 2 B: 5000 B, in datagrams of 1472 B: 3 and one of 584 B. */
TEST(a_network_camera)
{
    const double wire = (5000 + 4 * 66) * 8 / 10e9;

    make_stages("1");
    set_devices("nic", "10");
    set_devices("nics", "1");
    set_devices("mtu", "1500");
    set_devices("ingress", "kernel");
    run();
    /* the last datagram only */
    CHECK_NEAR(outcome.clock, wire, 1e-12);
    CHECK_NEAR(outcome.latency, INGRESS + SMALL_DATAGRAM + 300e-6, 1e-9);
    CHECK_NEAR(load("rtc.nic.in"), wire, 1e-12);
    CHECK_NEAR(load("camera.receive"), 4 * SMALL_DATAGRAM, 1e-12);
    /* 44 at a time */
    set("device.rtc.receive_offload", "yes");
    run();
    CHECK_NEAR(load("camera.receive"), 4 * (2.2e-6 * (0.7 + 0.3 / 44) + 0.17664e-6), 1e-12);
    set("device.rtc.receive_offload", "no");
    /* slower than the core */
    set("component.camera.readout", "100 us");
    run();
    CHECK_NEAR(outcome.clock, 100e-6, 1e-12);
    CHECK_NEAR(outcome.last_end[find("camera")], 100e-6 + SMALL_DATAGRAM + INGRESS, 1e-12);
    /* faster: the core has four to do from the end of the first on */
    set("component.camera.readout", "8 us");
    run();
    CHECK_NEAR(outcome.last_end[find("camera")], 2e-6 + 4 * SMALL_DATAGRAM + INGRESS, 1e-12);
    CHECK_NEAR(outcome.clock, 8e-6, 1e-12);
    /* the port carries both */
    sample_add(&scenario, SECTION_WFS, "lgs");
    set("wfs.lgs.subaps_across", "10");
    set("wfs.lgs.pixels_per_subap", "5");
    set("wfs.lgs.count", "4");
    sample_component(&scenario, "more", "camera");
    set("component.more.wfs", "lgs");
    sample_component(&scenario, "d", "custom");
    set("component.more.readout", "0");
    run();
    CHECK_NEAR(load("rtc.nic.in"), 5 * wire, 1e-12);
    CHECK_NEAR(outcome.time[find("more")], 5 * wire, 1e-12);
    CHECK_NEAR(load("more.receive"), 4 * SMALL_DATAGRAM, 1e-12);
}

/* Only rows in the middle of the detector have subapertures: the last of ten packets is blank. */
TEST(blank_packets)
{
    sample_chain(&scenario);
    set("scenario.packets", "10");
    set("wfs.ngs.detector_height", "120");
    make_ideal();
    set("component.dm.link", "none");
    run();
    /* rows 20 to 99 of 120 have subapertures */
    CHECK_INT(outcome.design.plan.node[find("camera")].slots, 9);
    CHECK_INT(outcome.design.plan.node[find("recon")].slots, 9);
    CHECK_NEAR(outcome.clock, 450e-6, 1e-9);
    CHECK_NEAR(outcome.last_pixel, 500e-6, 1e-9);
    CHECK(outcome.last_end[find("calibration")] < 451e-6);
    set("component.slopes.type", "custom");
    set("component.recon.type", "custom");
    run();
    CHECK_INT(outcome.design.plan.node[find("camera")].slots, 10);
    CHECK_NEAR(outcome.clock, 500e-6, 1e-9);
}

/* Copies --------------------------------------------------------------------------------------- */

/* What is sent after a reconstruction and pixels goes in one piece, since the commands come at the
 * end of the frame, not in the packets of the reconstruction's input. */
TEST(sent_after_a_reconstruction)
{
    double time[2];

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "8");
    sample_component(&scenario, "tell", "transfer");
    sample_set(&scenario, "component.tell.link", "network");
    sample_set(&scenario, "component.tell.bytes", "4555 B");
    for (int i = 0; i < 2; i++) {
        sample_set(&scenario, "component.tell.after", i == 0 ? "recon" : "calibration, recon");
        if (!sample_evaluate(&scenario, sample_result()))
            return;
        time[i] = sample_node(sample_result(), "tell")->time;
    }
    CHECK_NEAR(time[1], time[0], 1e-12);
}

TEST(copies)
{
    const double pcie = 16e9 * 16 * 128 / 130 * 0.914 / 8;

    make_visit("1");
    set("device.gpu.copy", "memcpy");
    set("device.gpu.copy_latency", "auto");
    set("component.a.bytes_written", "4000");
    set("component.c.bytes_written", "4000");
    set("component.b.device", "rtc");
    run();
    /* 5000 B of pixels in; enqueued, then late */
    CHECK_NEAR(outcome.last_end[find("camera>a")], 2.4e-6 + 7e-6 + 5000 / pcie, 1e-4);
    CHECK_NEAR(outcome.last_end[find("a>b")],
               outcome.last_end[find("a")] + 2.4e-6 + 7e-6 + 4000 / pcie, 1e-9);
    set("device.gpu.copy", "mapped");
    run();
    CHECK_NEAR(outcome.last_end[find("camera>a")], 0.1e-6 + 5000 / 15e9, 1e-3);
    CHECK_NEAR(outcome.last_end[find("a>b")], outcome.last_end[find("a")] + 1.1e-6 + 4000 / pcie,
               1e-9);
    set("device.gpu.copy", "rdma");
    run();
    CHECK_NEAR(outcome.last_end[find("camera>a")], outcome.last_end[find("camera")], 1e-12);
}

/* A product split over three units of one device. */
TEST(units)
{
    sample_chain(&scenario);
    set("scenario.packets", "1");
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    set("device.gpu.kind", "gpu");
    set("device.gpu.count", "3");
    set("component.recon.device", "gpu");
    run();
    CHECK_INT(outcome.design.plan.node[find("recon@gpu.3")].at.unit, 2);
    CHECK_NEAR(outcome.design.plan.node[find("slopes>recon@gpu.1")].output, 608.0 / 3, 1e-12);
    CHECK_NEAR(outcome.design.work[find("recon@gpu.2")].flop, 2 * 100 * 152 / 3.0, 1e-12);
    set("component.slopes.device", "gpu");
    run();
    CHECK_INT(outcome.design.plan.node[find("slopes>recon@gpu.2")].kind, REFERENCE_PEER);
    /* both queues of the host, one copy after the other */
    CHECK_NEAR(outcome.design.link[find("slopes>recon@gpu.2")].delay, 16e-6, 1e-12);
    CHECK_NEAR(outcome.last_end[find("slopes>recon@gpu.3")] -
                   outcome.last_end[find("slopes>recon@gpu.2")],
               outcome.time[find("slopes>recon@gpu.3")], 1e-6);
    set("device.gpu.peer_link", "nvlink");
    run();
    CHECK_NEAR(outcome.last_end[find("slopes>recon@gpu.3")],
               outcome.last_end[find("slopes>recon@gpu.2")], 1e-12);
    CHECK_NEAR(outcome.last_end[find("slopes>recon@gpu.2")],
               outcome.last_end[find("slopes")] + 1.9e-6 + 608.0 / 3 / 300e9, 1e-9);
}
