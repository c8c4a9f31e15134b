#include "design/scenario_edit.h"
#include "model/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "sample.h"

static struct scenario scenario;

/* A custom component alone on 10 TFLOP/s and 100 GB/s. */
static void lone_custom(void)
{
    scenario_init(&scenario);
    sample_round_device(&scenario, "rtc");
    sample_set(&scenario, "device.rtc.cores", "1000");
    sample_set(&scenario, "device.rtc.clock", "1.25 GHz");
    sample_component(&scenario, "work", "custom");
    sample_set(&scenario, "component.work.flops", "8192000");
    sample_set(&scenario, "component.work.bytes_read", "6553600");
    sample_set(&scenario, "component.work.compute_efficiency", "0.4");
    sample_set(&scenario, "component.work.memory_efficiency", "0.7");
}

TEST(worked_example)
{
    struct result *result = sample_result();
    const struct node_result *work;

    lone_custom();
    if (!sample_evaluate(&scenario, result))
        return;
    work = sample_node(result, "work");
    CHECK_NEAR(result->device[0].peak_flops, 10e12, 1e-15);
    CHECK_NEAR(result->device[0].bandwidth, 100e9, 1e-15);
    CHECK_NEAR(work->compute, 2.048e-6, 1e-12);
    CHECK_NEAR(work->memory, 93.622857142857143e-6, 1e-12);
    CHECK_NEAR(work->time, 93.622857142857143e-6, 1e-12);
    CHECK_NEAR(work->share, 1, 0);
    CHECK_INT(work->bound, BOUND_MEMORY);
    CHECK_NEAR(result->latency, 93.622857142857143e-6, 1e-12);
    CHECK_STR(result->limit, "work");
    CHECK_NEAR(result->max_frame_rate, 1 / 93.622857142857143e-6, 1e-12);
    sample_set(&scenario, "scenario.overlap", "0");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "work")->time, 95.670857142857143e-6, 1e-12);
    sample_set(&scenario, "scenario.overlap", "0.25");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->latency, 93.622857142857143e-6 + 0.75 * 2.048e-6, 1e-12);
    sample_set(&scenario, "component.work.flops", "8192000000");
    sample_evaluate(&scenario, result);
    CHECK_INT(sample_node(result, "work")->bound, BOUND_COMPUTE);
    sample_set(&scenario, "component.work.overhead", "10000 us");
    sample_evaluate(&scenario, result);
    CHECK_INT(sample_node(result, "work")->bound, BOUND_OVERHEAD);
}

/* What a device sustains and a component reaches multiply. */
TEST(efficiencies_multiply)
{
    struct result *result = sample_result();
    const struct node_result *work;

    lone_custom();
    sample_set(&scenario, "device.rtc.sustained_compute", "0.5");
    sample_set(&scenario, "device.rtc.sustained_memory", "0.8");
    sample_set(&scenario, "component.work.share", "0.25");
    sample_evaluate(&scenario, result);
    work = sample_node(result, "work");
    CHECK_NEAR(work->compute, 2.048e-6 / 0.5 / 0.25, 1e-12);
    CHECK_NEAR(work->memory, 93.622857142857143e-6 / 0.8 / 0.25, 1e-12);
    CHECK_NEAR(result->device[0].busy, 0.25 * work->busy, 1e-12);
    CHECK_NEAR(result->device[0].utilisation, 0.25 * work->busy * 1000, 1e-12);
    sample_set(&scenario, "component.work.memory_efficiency", "auto");
    sample_set(&scenario, "component.work.compute_efficiency", "auto");
    sample_evaluate(&scenario, result);
    work = sample_node(result, "work");
    CHECK_NEAR(work->compute_efficiency, 0.5, 0);
    CHECK_NEAR(work->memory_efficiency, 0.92, 0);
    sample_set(&scenario, "component.work.access", "random");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "work")->memory_efficiency, 0.2, 0);
}

/* Three equal stages of 100 us behind a camera that takes no time. */
static void three_stages(const char *packets, double latency)
{
    static const char *const names[] = {"a", "b", "c"};
    struct result *result = sample_result();

    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_set(&scenario, "wfs.ngs.subaps_across", "10");
    sample_set(&scenario, "wfs.ngs.pixels_per_subap", "5");
    sample_round_device(&scenario, "rtc");
    sample_component(&scenario, "camera", "camera");
    sample_set(&scenario, "component.camera.readout", "0");
    sample_set(&scenario, "scenario.packets", packets);
    for (int i = 0; i < 3; i++) {
        char path[64];

        sample_component(&scenario, names[i], "custom");
        snprintf(path, sizeof path, "component.%s.share", names[i]);
        sample_set(&scenario, path, "0.25");
        snprintf(path, sizeof path, "component.%s.flops", names[i]);
        sample_set(&scenario, path, "12500000"); /* 100 us at 1 TFLOP/s x 0.5 x 0.25 */
    }
    if (!sample_evaluate(&scenario, result))
        return;
    CHECK_NEAR(sample_node(result, "a")->time, 100e-6, 1e-12);
    CHECK_NEAR(result->latency, latency, 1e-12);
    CHECK_NEAR(sample_node(result, "c")->busy, 100e-6, 1e-12);
}

TEST(three_equal_stages)
{
    three_stages("1", 300e-6);
    three_stages("50", 104e-6);
}

/* Reconstruction: 152 slopes, 100 actuators. */
TEST(matrix_by_hand)
{
    struct result *result = sample_result();
    const struct node_result *recon;
    double e[] = {8, 4, 2, 2, 1};
    static const char *const names[] = {"fp64", "fp32", "fp16", "bf16", "int8"};

    for (int p = 0; p < 5; p++) {
        sample_chain(&scenario);
        sample_set(&scenario, "component.recon.precision", names[p]);
        sample_set(&scenario, "scenario.packets", "1");
        sample_evaluate(&scenario, result);
        recon = sample_node(result, "recon");
        CHECK_NEAR(recon->rows, 100, 0);
        CHECK_NEAR(recon->columns, 152, 0);
        CHECK_NEAR(recon->flop, 2 * 100 * 152, 0);
        CHECK_NEAR(recon->bytes, e[p] * (100 * 152 + 152 + 100), 1e-15);
        CHECK_NEAR(recon->working_set, e[p] * 100 * 152, 1e-15);
        sample_set(&scenario, "scenario.packets", "10"); /* a packet is a row of subapertures */
        sample_evaluate(&scenario, result);
        CHECK_NEAR(sample_node(result, "recon")->bytes, e[p] * (100 * 152 + 152 + 2 * 100 * 10),
                   1e-15);
        sample_set(&scenario, "scenario.packets", "40"); /* rows of pixels: one in four */
        sample_evaluate(&scenario, result);
        CHECK_NEAR(sample_node(result, "recon")->bytes, e[p] * (100 * 152 + 152 + 2 * 100 * 10),
                   1e-15);
    }
    sample_set(&scenario, "component.recon.rows", "30");
    sample_set(&scenario, "component.recon.columns", "20");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->flop, 2 * 30 * 20, 0);
}

/* 40 modes: 2KS FLOP as the slopes arrive, 2KM at the end, one launch more. */
TEST(modal_by_hand)
{
    struct result *result = sample_result();
    const struct node_result *recon;
    double bytes = 4.0 * (40 * 152 + 152 + 2 * 40 * 10) + 4.0 * (40 * 100 + 40 + 100);
    double work;

    sample_chain(&scenario);
    sample_set(&scenario, "ao.modes", "40");
    sample_set(&scenario, "component.recon.algorithm", "modal");
    sample_set(&scenario, "component.recon.share", "0.5");
    sample_set(&scenario, "component.recon.overhead", "3 us");
    sample_set(&scenario, "device.rtc.launch", "2 us");
    sample_set(&scenario, "scenario.packets", "10");
    sample_evaluate(&scenario, result);
    recon = sample_node(result, "recon");
    CHECK_NEAR(recon->rows, 40, 0);
    CHECK_NEAR(recon->flop, 2 * 40 * 152 + 2 * 40 * 100, 0);
    CHECK_NEAR(recon->bytes, bytes, 1e-15);
    CHECK_NEAR(recon->working_set, 4.0 * (40 * 152 + 40 * 100), 1e-15);
    /* memory-bound: bytes at 102.4 GB/s x 0.9 x 0.92 x 0.5; 10 x 5 us, and 2 us for the tail */
    work = bytes / (102.4e9 * 0.9 * 0.92 * 0.5);
    CHECK_NEAR(recon->memory, work, 1e-12);
    CHECK_NEAR(recon->time, work + 10 * 5e-6 + 2e-6, 1e-12);
    CHECK_NEAR(sample_node(result, "control")->flop, 700, 0);
}

/* A matrix whose packets are bound by computation: nothing of an earlier evaluation may show. */
TEST(compute_bound_matrix)
{
    struct result *result = sample_result();
    double first;

    sample_chain(&scenario);
    sample_set(&scenario, "component.recon.compute_efficiency", "0.001");
    sample_set(&scenario, "device.rtc.launch", "50 us");
    sample_evaluate(&scenario, result);
    first = sample_node(result, "recon")->time;
    CHECK_NEAR(sample_node(result, "recon")->share + sample_node(result, "slopes")->share +
                   sample_node(result, "calibration")->share,
               1, 1e-12);
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->time, first, 0);
    /* slots: max(w t_c, w t_m + accumulator) */
    {
        const struct node_result *recon = sample_node(result, "recon");

        CHECK(recon->bound == BOUND_OVERHEAD || recon->compute > recon->memory);
        CHECK_NEAR(recon->time, recon->compute + 10 * 50e-6, 1e-9);
    }
}

TEST(no_components)
{
    struct result *result = sample_result();

    scenario_init(&scenario);
    if (!sample_evaluate(&scenario, result))
        return;
    CHECK_INT(result->node_count, 0);
    CHECK_NEAR(result->latency, 0, 0);
    CHECK_NEAR(result->max_frame_rate, RESULT_NONE, 0);
    CHECK(!result->overloaded);
    CHECK_INT(result->bound_node, -1);
    CHECK_NEAR(result->loop.delay_frames, 1, 1e-12);
}

/* The table of results ------------------------------------------------------------------------- */

TEST(result_table_is_sound)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_evaluate(&scenario, result);
    for (int i = 0; i < RESULT_ROW_COUNT; i++) {
        const struct result_row *row = &result_rows[i];

        for (int j = 0; j < i; j++)
            CHECK_TRUE(row->scope != result_rows[j].scope ||
                           (strcmp(row->key, result_rows[j].key) != 0 &&
                            strcmp(row->json, result_rows[j].json) != 0),
                       "%s stands twice", row->key);
        CHECK_TRUE(isfinite(result_value(result, row, 0)), "%s is not finite", row->key);
        if (strcmp(row->unit, "us") == 0)
            CHECK_TRUE(strcmp(row->json + strlen(row->json) - 3, "_us") == 0, "%s is in us",
                       row->json);
    }
    CHECK_NEAR(result_in_unit(result, &result_rows[0], 0), result->latency * 1e6, 1e-12);
    CHECK_STR(bound_name(BOUND_COMPUTE), "compute");
    CHECK_STR(bound_name(BOUND_MEMORY), "memory");
    CHECK_STR(bound_name(BOUND_OVERHEAD), "overhead");
    CHECK_STR(bound_name(BOUND_LINK), "link");
    CHECK_STR(bound_name(BOUND_READOUT), "readout");
    CHECK_INT(result_find_node(result, "slopes"), 2);
    CHECK_INT(result_find_node(result, "slope"), -1);
    result->loop.tau0 = RESULT_NONE;
    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (strcmp(result_rows[i].key, "tau0") == 0)
            CHECK_NEAR(result_in_unit(result, &result_rows[i], 0), RESULT_NONE, 0);
}
