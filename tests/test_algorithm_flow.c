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

/* Slopes reach the filter as they are measured; behind a reconstruction it is one more step. */
TEST(lqg_streams)
{
    struct result *result = sample_result();

    sample_chain(&scenario); /* 76 subapertures, 100 actuators */
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "component.control.algorithm", "lqg");
    sample_evaluate(&scenario, result);
    CHECK(stage_of(result, "control")->weights.slot == NULL);
    sample_set(&scenario, "component.control.after", "slopes");
    sample_evaluate(&scenario, result);
    CHECK(stage_of(result, "control")->weights.slot == stage_of(result, "slopes")->weights.slot);
    CHECK(stage_of(result, "dm")->weights.slot == NULL);
    CHECK_NEAR(sample_node(result, "control")->flop,
               4.0 * 200 * 152 + 2.0 * 100 * 200 + 2.0 * 200 * 200, 0);
    CHECK_NEAR(sample_node(result, "control")->states, 200, 0);
    sample_set(&scenario, "component.control.states", "10");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "control")->states, 10, 0);
    CHECK_NEAR(sample_node(result, "control")->flop,
               4.0 * 10 * 152 + 2.0 * 100 * 10 + 2.0 * 10 * 10, 0);
    sample_set(&scenario, "component.control.barrier", "frame");
    sample_evaluate(&scenario, result);
    CHECK(stage_of(result, "control")->weights.slot == NULL);
    sample_set(&scenario, "component.control.algorithm", "pid");
    sample_set(&scenario, "component.control.barrier", "packet"); /* commands are of a frame */
    sample_evaluate(&scenario, result);
    CHECK(stage_of(result, "control")->weights.slot == NULL);
}

/* The conjugate gradient starts with the last packet, once: 6 launches an iteration. */
TEST(cg_waits)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "device.rtc.launch", "1 us");
    sample_set(&scenario, "component.recon.algorithm", "cg");
    sample_set(&scenario, "component.recon.unknowns", "1000");
    sample_set(&scenario, "component.recon.iterations", "5");
    sample_evaluate(&scenario, result);
    CHECK(stage_of(result, "recon")->weights.slot == NULL);
    CHECK_NEAR(stage_of(result, "recon")->fixed_total, 30e-6, 1e-12);
    CHECK_NEAR(sample_node(result, "recon")->kernels, 30, 0);
    CHECK_NEAR(sample_node(result, "camera")->kernels, RESULT_NONE, 0);
    CHECK_NEAR(sample_node(result, "recon")->bytes, 5 * 633e3, 0);
    CHECK_NEAR(sample_node(result, "recon")->working_set, 633e3, 0);
    sample_set(&scenario, "component.recon.barrier", "packet");
    sample_evaluate(&scenario, result);
    CHECK(stage_of(result, "recon")->weights.slot == stage_of(result, "slopes")->weights.slot);
}

/* The slopes that feed the reconstruction before it; its product may wait, unless told not to. */
TEST(explicit_polc_counts_slopes)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "component.control.algorithm", "polc-explicit");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "control")->flop, 700 + 2.0 * 100 * 152, 0);
    CHECK_NEAR(sample_node(result, "control")->working_set, 4.0 * 100 * 152, 0);
    CHECK_NEAR(stage_of(result, "control")->demand.deferred.flop, 2.0 * 100 * 152, 0);
    sample_set(&scenario, "component.control.deferred", "no");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(stage_of(result, "control")->demand.tail.flop, 2.0 * 100 * 152, 0);
    CHECK_NEAR(stage_of(result, "control")->demand.tail_kernels, 1, 0);
    CHECK_NEAR(stage_of(result, "control")->demand.deferred.flop, 0, 0);
    CHECK_NEAR(sample_node(result, "control")->flop, 700 + 2.0 * 100 * 152, 0);
}

/* 10 across take a grid of 16 x 16; the largest sensor that feeds it counts. */
TEST(fourier_grid)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "component.recon.algorithm", "fourier");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->grid, 256, 0);
    CHECK_NEAR(sample_node(result, "control")->grid, RESULT_NONE, 0);
    CHECK_NEAR(sample_node(result, "recon")->working_set, 8 * 256, 0);
    sample_add(&scenario, SECTION_WFS, "lgs");
    sample_set(&scenario, "wfs.lgs.subaps_across", "64");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->working_set, 8 * 256, 0);
    sample_component(&scenario, "lgs-camera", "camera");
    sample_set(&scenario, "component.lgs-camera.wfs", "lgs");
    sample_component(&scenario, "lgs-slopes", "centroid");
    sample_set(&scenario, "component.recon.after", "slopes, lgs-slopes");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->working_set, 8 * 4096, 0);
    sample_set(&scenario, "component.recon.grid", "100");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->working_set, 800, 0);
    sample_set(&scenario, "component.recon.grid", "0");
    sample_set(&scenario, "component.recon.after", "none"); /* then of all sensors */
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->working_set, 8 * 4096, 0);
}

/* A tile low-rank matrix reaches 0.65 of the bandwidth of a GPU, all of a processor's; a stated
 * efficiency is taken as it stands. */
TEST(tlr_on_a_gpu)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "component.recon.algorithm", "tlr");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->memory_efficiency, 0.92, 1e-12);
    sample_add(&scenario, SECTION_DEVICE, "board");
    sample_set(&scenario, "device.board.kind", "gpu");
    sample_set(&scenario, "component.recon.device", "board");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->memory_efficiency, 0.92 * 0.65, 1e-12);
    sample_set(&scenario, "component.recon.memory_efficiency", "0.8");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "recon")->memory_efficiency, 0.8, 1e-12);
}
