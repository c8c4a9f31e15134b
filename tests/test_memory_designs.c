#include <math.h>
#include <stdio.h>

#include "check.h"
#include "design/preset.h"
#include "design/scenario_edit.h"
#include "model/stage.h"
#include "sample.h"

static struct scenario scenario;

/* Anchors ------------------------------------------------------------------------------------ */

/* One packet of a 5318 x 9232 matrix on a part of the catalogue. */
static void matrix_on(const char *preset, const char *const (*settings)[2], double expected)
{
    struct catalogue *catalogue = NULL;
    struct error error = {STATUS_OK, ""};
    struct result *result = sample_result();

    if (!CHECK_TRUE(catalogue_open(&catalogue, &error) == STATUS_OK, "%s", error.message))
        return;
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "rtc");
    CHECK_TRUE(scenario_set_preset(&scenario, 0, catalogue, preset, &error) == STATUS_OK, "%s",
               error.message);
    sample_component(&scenario, "recon", "reconstruction");
    sample_set(&scenario, "scenario.packets", "1");
    sample_set(&scenario, "component.recon.rows", "5318");
    sample_set(&scenario, "component.recon.columns", "9232");
    for (; (*settings)[0] != NULL; settings++)
        sample_set(&scenario, (*settings)[0], (*settings)[1]);
    if (sample_evaluate(&scenario, result))
        CHECK_NEAR(sample_node(result, "recon")->memory * 1e6, expected, 0.1);
    catalogue_close(catalogue);
}

/* Microseconds, from published runs and caches of published size. */
TEST(published_sizes)
{
    static const char *const one[][2] = {
        {"device.rtc.l2", "1 MiB"}, {"device.rtc.l3", "1152 MiB"}, {NULL, NULL}};
    static const char *const two[][2] = {{"device.rtc.l2", "1 MiB"},
                                         {"device.rtc.l3", "1152 MiB"},
                                         {"device.rtc.sockets", "2"},
                                         {NULL, NULL}};
    static const char *const eight[][2] = {{"device.rtc.l2", "1 MiB"},
                                           {"device.rtc.l3", "1152 MiB"},
                                           {"component.recon.workers", "8"},
                                           {NULL, NULL}};
    static const char *const alone[][2] = {{"device.rtc.l2", "1 MiB"},
                                           {"device.rtc.l3", "1152 MiB"},
                                           {"component.recon.workers", "1"},
                                           {NULL, NULL}};
    static const char *const a100[][2] = {{"device.rtc.l2", "40 MiB"}, {NULL, NULL}};
    static const char *const rtx5090[][2] = {{"device.rtc.l2", "96 MiB"}, {NULL, NULL}};
    static const char *const pi[][2] = {{"device.rtc.l1", "64 KiB"},
                                        {"device.rtc.l2", "512 KiB"},
                                        {"device.rtc.l3", "2 MiB"},
                                        {NULL, NULL}};

    matrix_on("amd-epyc-9684x", one, 73);
    matrix_on("amd-epyc-9684x", two, 26);
    matrix_on("amd-epyc-9684x", eight, 382);
    matrix_on("amd-epyc-9684x", alone, 3053);
    matrix_on("nvidia-a100-80gb-sxm", a100, 122);
    matrix_on("nvidia-rtx-5090", rtx5090, 134);
    matrix_on("raspberry-pi-5", pi, 14600);
}

/* Designs ------------------------------------------------------------------------------------ */

/* A round device of 100 GB/s and 125 cores, one custom component of 8 MB behind a camera. */
static void lone(const char *model)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_round_device(&scenario, "rtc");
    sample_set(&scenario, "device.rtc.memory_model", model);
    sample_set(&scenario, "scenario.packets", "1");
    sample_component(&scenario, "camera", "camera");
    sample_component(&scenario, "work", "custom");
    sample_set(&scenario, "component.work.memory_efficiency", "1");
}

static const struct node_result *evaluated(const char *name)
{
    struct result *result = sample_result();

    sample_evaluate(&scenario, result);
    return sample_node(result, name);
}

/* Reads from a camera come from memory, writes stay near: 125 x 32 KiB of L1 at 8 TB/s. */
TEST(what_arrives_is_far)
{
    double far = 1e6 / 100e9;
    double near = 1e6 / (64 * 125e9);

    lone("hierarchy");
    sample_set(&scenario, "component.work.bytes_read", "1 MB");
    CHECK_NEAR(evaluated("work")->memory, far, 1e-3);
    CHECK_INT(evaluated("work")->level, LEVEL_MEMORY);
    sample_set(&scenario, "component.work.bytes_written", "1 MB");
    CHECK_NEAR(evaluated("work")->memory, far + near, 1e-3);
    sample_set(&scenario, "component.work.bytes_read", "0");
    CHECK_NEAR(evaluated("work")->memory, near, 1e-3);
    CHECK_INT(evaluated("work")->level, LEVEL_L1);
    /* behind a component of the same device both are near */
    sample_component(&scenario, "next", "custom");
    sample_set(&scenario, "component.next.memory_efficiency", "1");
    sample_set(&scenario, "component.work.share", "0.5");
    sample_set(&scenario, "component.next.share", "0.5");
    sample_set(&scenario, "component.next.bytes_read", "1 MB");
    CHECK_NEAR(evaluated("next")->memory, 2 * near, 1e-3);
    sample_set(&scenario, "device.rtc.memory_model", "flat");
    CHECK_NEAR(evaluated("next")->memory, 2 * far, 1e-12);
    CHECK_INT(evaluated("next")->level, LEVEL_MEMORY);
}

/* Whoever shares a device shares its caches: 93.75 MiB of L2 hold 60 MB, not twice that. */
TEST(working_sets_crowd)
{
    double alone;

    lone("hierarchy");
    sample_set(&scenario, "device.rtc.l3", "0 MiB");
    sample_set(&scenario, "component.work.working_set", "60 MB");
    sample_set(&scenario, "component.work.share", "0.5");
    alone = evaluated("work")->memory;
    CHECK_NEAR(alone, 2 * 60e6 / (32 * 125e9), 1e-2);
    CHECK_INT(evaluated("work")->level, LEVEL_L2);
    sample_component(&scenario, "next", "custom");
    sample_set(&scenario, "component.next.working_set", "60 MB");
    sample_set(&scenario, "component.next.share", "0.5");
    CHECK(evaluated("work")->memory > 2 * alone);
    CHECK_INT(evaluated("work")->level, LEVEL_MEMORY);
    /* P = (0.75 x 125 MiB / 120 MB)^3 */
    {
        double P = pow(0.75 * 125 * 1048576 / 120e6, 3);

        CHECK_NEAR(evaluated("work")->memory, 2 * 60e6 * (P / (32 * 125e9) + (1 - P) / 100e9),
                   1e-2);
    }
}

/* A share makes bandwidth scarce, not latency longer; neither do sustained and efficiency. */
TEST(latency_is_not_shared)
{
    double wait = 1e6 / 4 * 100e-9 / 1250; /* every element of 4 B, 10 of each core in flight */

    lone("latency-bandwidth");
    sample_set(&scenario, "component.work.working_set", "1 MB");
    sample_set(&scenario, "component.work.block", "1");
    sample_set(&scenario, "component.work.share", "0.25");
    sample_set(&scenario, "component.work.memory_efficiency", "0.5");
    sample_set(&scenario, "device.rtc.sustained_memory", "0.8");
    CHECK_NEAR(evaluated("work")->memory, wait, 1e-12);
    CHECK_NEAR(evaluated("work")->block, 1, 0);
    sample_set(&scenario, "component.work.block", "2");
    CHECK_NEAR(evaluated("work")->memory, wait / 2 + 0.5e6 / (100e9 * 0.25 * 0.5 * 0.8), 1e-12);
    CHECK_NEAR(evaluated("work")->time, evaluated("work")->memory, 1e-12);
}

/* The pattern is in the block where a model knows latencies, else in the efficiency. */
TEST(patterns_count_once)
{
    static const char *const models[] = {"flat", "two-level", "latency-bandwidth", "hierarchy-2",
                                         "hierarchy"};

    for (int m = 0; m < 5; m++) {
        lone(models[m]);
        sample_set(&scenario, "component.work.memory_efficiency", "auto");
        sample_set(&scenario, "component.work.working_set", "8 MB");
        CHECK_NEAR(evaluated("work")->memory_efficiency, 0.92, 0);
        CHECK_NEAR(evaluated("work")->block, 2e6, 0);
        sample_set(&scenario, "component.work.access", "strided");
        CHECK_NEAR(evaluated("work")->memory_efficiency, m < 2 ? 0.5 : 0.92, 0);
        CHECK_NEAR(evaluated("work")->block, 16, 0);
        sample_set(&scenario, "component.work.access", "random");
        CHECK_NEAR(evaluated("work")->memory_efficiency, m < 2 ? 0.2 : 0.92, 0);
        CHECK_NEAR(evaluated("work")->block, 1, 0);
        sample_set(&scenario, "component.work.memory_efficiency", "0.3");
        CHECK_NEAR(evaluated("work")->memory_efficiency, 0.3, 0);
    }
}

/* Workers --------------------------------------------------------------------------------------
 */

/* 25 of 125 cores compute a fifth of 1 TFLOP/s, whatever the share; that is of the bandwidth. */
TEST(workers_fix_computation)
{
    lone("flat");
    sample_set(&scenario, "component.work.compute_efficiency", "1");
    sample_set(&scenario, "component.work.flops", "0.2 MFLOP");
    sample_set(&scenario, "component.work.working_set", "8 MB");
    sample_set(&scenario, "component.work.share", "0.5");
    CHECK_NEAR(evaluated("work")->compute, 0.2e6 / 0.5e12, 1e-12);
    CHECK_NEAR(evaluated("work")->workers, 125, 0);
    sample_set(&scenario, "component.work.workers", "25");
    CHECK_NEAR(evaluated("work")->compute, 0.2e6 / 0.2e12, 1e-12);
    CHECK_NEAR(evaluated("work")->memory, 8e6 / 50e9, 1e-12);
    CHECK_NEAR(evaluated("work")->workers, 25, 0);
    sample_set(&scenario, "component.work.workers", "5"); /* 8 B a cycle each: 40 GB/s */
    CHECK_NEAR(evaluated("work")->memory, 8e6 / 20e9, 1e-12);
    /* the others have the cores that are left */
    sample_component(&scenario, "next", "custom");
    sample_set(&scenario, "component.next.flops", "0.12 MFLOP");
    sample_set(&scenario, "component.next.compute_efficiency", "1");
    sample_set(&scenario, "component.next.share", "0.25");
    CHECK_NEAR(evaluated("next")->compute, 0.12e6 / (1e12 * 120 / 125 * 0.25), 1e-12);
    CHECK_NEAR(evaluated("next")->workers, 120, 0);
}

TEST(one_worker_has_no_barrier)
{
    lone("flat");
    sample_set(&scenario, "component.work.flops", "1 MFLOP");
    sample_set(&scenario, "component.work.overhead", "3 us");
    sample_set(&scenario, "device.rtc.launch", "7 us");
    CHECK_NEAR(evaluated("work")->time - evaluated("work")->compute, 10e-6, 1e-9);
    sample_set(&scenario, "component.work.workers", "2");
    CHECK_NEAR(evaluated("work")->time - evaluated("work")->compute, 10e-6, 1e-9);
    sample_set(&scenario, "component.work.workers", "1");
    CHECK_NEAR(evaluated("work")->time - evaluated("work")->compute, 3e-6, 1e-9);
}

TEST(crowds_are_refused)
{
    lone("flat");
    sample_component(&scenario, "next", "custom");
    sample_set(&scenario, "component.work.workers", "100");
    sample_set(&scenario, "component.next.workers", "26");
    sample_refused(&scenario,
                   "device.rtc: the workers of its components add up to 126, above its 125 cores");
    sample_set(&scenario, "component.next.workers", "25");
    sample_evaluate(&scenario, sample_result());
    sample_set(&scenario, "component.next.workers", "0");
    sample_set(&scenario, "component.work.workers", "125");
    sample_refused(&scenario, "device.rtc: stated workers use all its cores; none is left for "
                              "component.next");
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    sample_set(&scenario, "component.work.device", "gpu0");
    sample_refused(&scenario, "component.work.workers: only components of a CPU have workers; "
                              "device.gpu0 is a GPU");
}

TEST(levels_are_results)
{
    struct result *result = sample_result();

    lone("hierarchy");
    sample_set(&scenario, "device.rtc.l2", "0 KiB");
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(result->device[0].capacity[LEVEL_L1], 32768, 1e-12);
    CHECK_NEAR(result->device[0].capacity[LEVEL_L2], 0, 0);
    CHECK_NEAR(result->device[0].level_bandwidth[LEVEL_L2], RESULT_NONE, 0);
    CHECK_NEAR(result->device[0].level_latency[LEVEL_MEMORY], 100e-9, 1e-12);
    CHECK_NEAR(result->device[0].core_bandwidth, 8e9, 1e-12);
    CHECK_NEAR(result->device[1].capacity[LEVEL_L1], RESULT_NONE, 0);
    CHECK_NEAR(result->device[1].capacity[LEVEL_L2], 4 * 1048576, 1e-12);
    CHECK_NEAR(result->device[1].capacity[LEVEL_L3], 0, 0);
    CHECK_NEAR(result->device[1].core_bandwidth, RESULT_NONE, 0);
}
