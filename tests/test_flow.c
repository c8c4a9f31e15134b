#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/stage.h"
#include "sample.h"

static struct scenario scenario;

static const struct stage *stage_of(const struct result *result, const char *name)
{
    static const struct stage nothing;
    int node = result_find_node(result, name);

    return CHECK_TRUE(node >= 0, "there is no %s", name) ? &result->work->stage[node] : &nothing;
}

static double weight(const struct result *result, const char *name, int slot, int packets)
{
    const struct stage *stage = stage_of(result, name);

    if (stage->weights.slot == NULL)
        return slot == packets - 1;
    return stage->weights.slot[slot];
}

static bool all_in_the_last(const struct result *result, const char *name, int packets)
{
    return CHECK_TRUE(weight(result, name, packets - 1, packets) == 1, "%s works before the end",
                      name);
}

static bool streams(const struct result *result, const char *name, int packets)
{
    double before = 0;

    for (int i = 0; i < packets - 1; i++)
        before += weight(result, name, i, packets);
    return CHECK_TRUE(before > 0.5, "%s has %g of its work before the last packet", name, before);
}

/* Pixels, subapertures, the frame. */
TEST(agendas_of_types)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "10");
    sample_evaluate(&scenario, result);
    for (int i = 0; i < 10; i++) {
        CHECK_NEAR(weight(result, "camera", i, 10), 0.1, 1e-15);
        CHECK_NEAR(weight(result, "calibration", i, 10), 0.1, 1e-15);
        CHECK_NEAR(weight(result, "slopes", i, 10), weight(result, "recon", i, 10), 0);
    }
    CHECK_NEAR(weight(result, "slopes", 0, 10), 4 / 76.0, 1e-15);
    CHECK_NEAR(weight(result, "slopes", 4, 10), 8 / 76.0, 1e-15);
    all_in_the_last(result, "control", 10);
    all_in_the_last(result, "dm", 10);
}

TEST(custom_agendas)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "component.calibration.type", "custom");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(weight(result, "calibration", 0, 10), 0.1, 1e-15);
    sample_set(&scenario, "component.calibration.agenda", "slopes");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(weight(result, "calibration", 0, 10), 4 / 76.0, 1e-15);
    streams(result, "slopes", 10);
    sample_set(&scenario, "component.calibration.agenda", "frame");
    sample_evaluate(&scenario, result);
    all_in_the_last(result, "calibration", 10);
    all_in_the_last(result, "slopes", 10);
}

/* Everything behind a frame barrier waits for the last packet. */
TEST(frame_barriers)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "10");
    sample_evaluate(&scenario, result);
    streams(result, "calibration", 10);
    streams(result, "slopes", 10);
    streams(result, "recon", 10);
    sample_set(&scenario, "component.calibration.barrier", "frame");
    sample_evaluate(&scenario, result);
    all_in_the_last(result, "calibration", 10);
    all_in_the_last(result, "slopes", 10);
    all_in_the_last(result, "recon", 10);
    CHECK_NEAR(sample_node(result, "calibration")->first_start,
               sample_node(result, "camera")->last_end, 1e-15);
    sample_set(&scenario, "component.calibration.barrier", "packet");
    sample_set(&scenario, "component.recon.barrier", "frame");
    sample_evaluate(&scenario, result);
    streams(result, "slopes", 10);
    all_in_the_last(result, "recon", 10);
    /* one packet: the result is written once, and read by nobody */
    CHECK_NEAR(sample_node(result, "recon")->bytes, 4 * (15200 + 152 + 100), 0);
}

static void pyramid_chain(const char *normalisation)
{
    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "wfs.ngs.kind", "pyramid");
    sample_set(&scenario, "component.slopes.type", "pyramid");
    sample_set(&scenario, "component.slopes.normalisation", normalisation);
    sample_set(&scenario, "component.slopes.after", "calibration");
}

TEST(normalisation)
{
    struct result *result = sample_result();

    pyramid_chain("global");
    sample_evaluate(&scenario, result);
    streams(result, "calibration", 10);
    all_in_the_last(result, "slopes", 10);
    all_in_the_last(result, "recon", 10);
    CHECK_NEAR(sample_node(result, "slopes")->share, 1, 1e-12);
    pyramid_chain("local");
    sample_set(&scenario, "component.camera.order", "edges-in");
    sample_evaluate(&scenario, result);
    streams(result, "slopes", 10);
    streams(result, "recon", 10);
    CHECK(sample_node(result, "slopes")->share < 1);
    /* stated, it decides alone */
    pyramid_chain("global");
    sample_set(&scenario, "component.camera.order", "edges-in");
    sample_set(&scenario, "component.slopes.barrier", "packet");
    sample_evaluate(&scenario, result);
    streams(result, "slopes", 10);
}

/* Four measurements a pupil pixel where intensities feed the reconstruction. */
TEST(pyramid_measurements)
{
    struct result *result = sample_result();

    pyramid_chain("global");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->columns, 2 * 76, 0);
    sample_set(&scenario, "component.slopes.algorithm", "intensity");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->columns, 4 * 76, 0);
    CHECK_NEAR(sample_node(result, "slopes")->flop, 12 * 76 + 4, 0);
}

/* Sizes of k identical sensors add up; a slot pays its launch once. */
TEST(identical_sensors)
{
    struct result *result = sample_result();
    struct node_result one[4];
    static const char *const names[] = {"camera", "calibration", "slopes", "recon"};

    sample_chain(&scenario);
    sample_set(&scenario, "device.rtc.launch", "2 us");
    sample_set(&scenario, "scenario.packets", "10");
    for (int i = 1; i < 4; i++) {
        char path[64];

        snprintf(path, sizeof path, "component.%s.share", names[i]);
        sample_set(&scenario, path, "0.2");
    }
    sample_evaluate(&scenario, result);
    for (int i = 0; i < 4; i++)
        one[i] = *sample_node(result, names[i]);
    sample_set(&scenario, "wfs.ngs.count", "6");
    sample_evaluate(&scenario, result);
    for (int i = 0; i < 3; i++) {
        const struct node_result *six = sample_node(result, names[i]);

        CHECK_NEAR(six->flop, 6 * one[i].flop, 1e-15);
        CHECK_NEAR(six->bytes, 6 * one[i].bytes, 1e-15);
        CHECK_NEAR(six->time, i == 0 ? one[i].time : 6 * (one[i].time - 20e-6) + 20e-6, 1e-9);
    }
    CHECK_NEAR(sample_node(result, "recon")->columns, 6 * 152, 0);
    CHECK_NEAR(sample_node(result, "recon")->flop, 6 * one[3].flop, 1e-15);
    CHECK_NEAR(result->last_pixel, 500e-6, 1e-15);
    sample_set(&scenario, "wfs.ngs.valid_subaps", "100");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->columns, 1200, 0);
    CHECK_NEAR(weight(result, "slopes", 0, 10), 4 / 76.0, 1e-15);
}

/* A second sensor: 4 x 4 subapertures, 12 valid, read from the middle outwards. */
static void two_sensors(void)
{
    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "4");
    sample_add(&scenario, SECTION_WFS, "lgs");
    sample_set(&scenario, "wfs.lgs.subaps_across", "4");
    sample_set(&scenario, "wfs.lgs.obscuration", "0");
    sample_component(&scenario, "camera-lgs", "camera");
    sample_component(&scenario, "calibration-lgs", "calibration");
    sample_component(&scenario, "slopes-lgs", "centroid");
    sample_set(&scenario, "component.camera-lgs.wfs", "lgs");
    sample_set(&scenario, "component.camera-lgs.order", "centre-out");
    sample_set(&scenario, "component.camera-lgs.readout", "300 us");
    sample_set(&scenario, "component.recon.after", "slopes, slopes-lgs");
}

TEST(joins)
{
    struct result *result = sample_result();
    double sum = 0;

    two_sensors();
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->columns, 152 + 24, 0);
    for (int i = 0; i < 4; i++) {
        double w = weight(result, "recon", i, 4);

        sum += w;
        CHECK_NEAR(
            w,
            (152 * weight(result, "slopes", i, 4) + 24 * weight(result, "slopes-lgs", i, 4)) / 176,
            1e-14);
    }
    CHECK_NEAR(sum, 1, 1e-14);
    /* rows of 2 4 4 2, two at a time from the middle: 8 in the second packet, 4 in the last */
    CHECK_NEAR(weight(result, "slopes-lgs", 0, 4), 0, 0);
    CHECK_NEAR(weight(result, "slopes-lgs", 1, 4), 8 / 12.0, 1e-14);
    CHECK_NEAR(weight(result, "slopes-lgs", 3, 4), 4 / 12.0, 1e-14);
    /* a part that waits for its frame comes with the last packet, the other streams on */
    sample_set(&scenario, "component.slopes-lgs.barrier", "frame");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(weight(result, "recon", 1, 4), 152 * weight(result, "slopes", 1, 4) / 176, 1e-14);
    CHECK_NEAR(weight(result, "recon", 3, 4), (152 * weight(result, "slopes", 3, 4) + 24) / 176,
               1e-14);
    sample_set(&scenario, "component.slopes.barrier", "frame");
    sample_evaluate(&scenario, result);
    all_in_the_last(result, "recon", 4);
}

/* A reconstruction waits for every predecessor's packet of the same number. */
TEST(joins_wait_for_all)
{
    struct result *result = sample_result();
    const struct node_result *recon;

    two_sensors();
    sample_set(&scenario, "component.camera-lgs.readout", "10000 us");
    sample_evaluate(&scenario, result);
    recon = sample_node(result, "recon");
    CHECK(recon->last_end > 10000e-6);
    CHECK(recon->first_start > 2500e-6);
    CHECK_NEAR(result->last_pixel, 10000e-6, 1e-12);
    CHECK_NEAR(result->latency, sample_node(result, "control")->last_end - 10000e-6, 1e-9);
    CHECK(sample_node(result, "slopes")->slack > 9000e-6);
    CHECK_NEAR(sample_node(result, "slopes-lgs")->slack, 0, 1e-12);
}

/* What follows a reconstruction waits for its last packet, whatever else it follows. */
TEST(behind_a_reconstruction)
{
    static const char *const types[] = {"custom", "transfer", "reconstruction"};
    struct result *result = sample_result();

    for (int i = 0; i < 3; i++) {
        sample_chain(&scenario);
        sample_set(&scenario, "scenario.packets", "10");
        sample_component(&scenario, "next", types[i]);
        sample_set(&scenario, "component.next.after", "recon");
        sample_evaluate(&scenario, result);
        all_in_the_last(result, "next", 10);
    }
    /* joined with slopes that stream, its part is in the last packet */
    sample_set(&scenario, "component.next.after", "slopes, recon");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(weight(result, "next", 0, 10), 0.5 * weight(result, "slopes", 0, 10), 1e-14);
    CHECK_NEAR(weight(result, "next", 9, 10), 0.5 * weight(result, "slopes", 9, 10) + 0.5, 1e-14);
}

/* Slower sensors are busy every k-th frame only. */
TEST(rate_divisors)
{
    struct result *result = sample_result();
    double busy;
    double slopes;

    two_sensors();
    sample_set(&scenario, "component.camera-lgs.readout", "4000 us");
    sample_set(&scenario, "component.slopes-lgs.device", "rtc");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->limit, "camera-lgs");
    CHECK_NEAR(result->max_frame_rate, 250, 1e-12);
    CHECK(result->overloaded);
    busy = result->device[0].busy;
    slopes = sample_node(result, "slopes-lgs")->busy * sample_node(result, "slopes-lgs")->share +
             sample_node(result, "calibration-lgs")->busy *
                 sample_node(result, "calibration-lgs")->share;
    sample_set(&scenario, "wfs.lgs.rate_divisor", "10");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->limit, "camera");
    CHECK_NEAR(result->max_frame_rate, 2000, 1e-12);
    CHECK(!result->overloaded);
    CHECK_NEAR(result->device[0].busy, busy - 0.9 * slopes, 1e-9);
    CHECK_NEAR(sample_node(result, "camera-lgs")->busy, 4000e-6, 1e-15);
}
