#include "evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "allocations.h"
#include "check.h"
#include "design.h"
#include "stage.h"

static struct scenario scenario;

/* A custom component alone on 10 TFLOP/s and 100 GB/s. */
static void lone_custom(void)
{
    scenario_init(&scenario);
    design_round_device(&scenario, "rtc");
    design_set(&scenario, "device.rtc.cores", "1000");
    design_set(&scenario, "device.rtc.clock", "1.25 GHz");
    design_component(&scenario, "work", "custom");
    design_set(&scenario, "component.work.flops", "8192000");
    design_set(&scenario, "component.work.bytes_read", "6553600");
    design_set(&scenario, "component.work.compute_efficiency", "0.4");
    design_set(&scenario, "component.work.memory_efficiency", "0.7");
}

static void worked_example(void)
{
    struct result *result = design_result();
    const struct node_result *work;

    lone_custom();
    if (!design_evaluate(&scenario, result))
        return;
    work = design_node(result, "work");
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
    design_set(&scenario, "scenario.overlap", "0");
    design_evaluate(&scenario, result);
    CHECK_NEAR(design_node(result, "work")->time, 95.670857142857143e-6, 1e-12);
    design_set(&scenario, "scenario.overlap", "0.25");
    design_evaluate(&scenario, result);
    CHECK_NEAR(result->latency, 93.622857142857143e-6 + 0.75 * 2.048e-6, 1e-12);
    design_set(&scenario, "component.work.flops", "8192000000");
    design_evaluate(&scenario, result);
    CHECK_INT(design_node(result, "work")->bound, BOUND_COMPUTE);
    design_set(&scenario, "component.work.overhead", "10000 us");
    design_evaluate(&scenario, result);
    CHECK_INT(design_node(result, "work")->bound, BOUND_OVERHEAD);
}

/* What a device sustains and a component reaches multiply. */
static void efficiencies_multiply(void)
{
    struct result *result = design_result();
    const struct node_result *work;

    lone_custom();
    design_set(&scenario, "device.rtc.sustained_compute", "0.5");
    design_set(&scenario, "device.rtc.sustained_memory", "0.8");
    design_set(&scenario, "component.work.share", "0.25");
    design_evaluate(&scenario, result);
    work = design_node(result, "work");
    CHECK_NEAR(work->compute, 2.048e-6 / 0.5 / 0.25, 1e-12);
    CHECK_NEAR(work->memory, 93.622857142857143e-6 / 0.8 / 0.25, 1e-12);
    CHECK_NEAR(result->device[0].busy, 0.25 * work->busy, 1e-12);
    CHECK_NEAR(result->device[0].utilisation, 0.25 * work->busy * 1000, 1e-12);
    design_set(&scenario, "component.work.memory_efficiency", "auto");
    design_set(&scenario, "component.work.compute_efficiency", "auto");
    design_evaluate(&scenario, result);
    work = design_node(result, "work");
    CHECK_NEAR(work->compute_efficiency, 0.5, 0);
    CHECK_NEAR(work->memory_efficiency, 0.875, 0);
    design_set(&scenario, "component.work.access", "random");
    design_evaluate(&scenario, result);
    CHECK_NEAR(design_node(result, "work")->memory_efficiency, 0.2, 0);
}

/* Three equal stages of 100 us behind a camera that takes no time. */
static void three_stages(const char *packets, double latency)
{
    static const char *const names[] = {"a", "b", "c"};
    struct result *result = design_result();

    scenario_init(&scenario);
    design_add(&scenario, SECTION_WFS, "ngs");
    design_set(&scenario, "wfs.ngs.subaps_across", "10");
    design_set(&scenario, "wfs.ngs.pixels_per_subap", "5");
    design_round_device(&scenario, "rtc");
    design_component(&scenario, "camera", "camera");
    design_set(&scenario, "component.camera.readout", "0");
    design_set(&scenario, "scenario.packets", packets);
    for (int i = 0; i < 3; i++) {
        char path[64];

        design_component(&scenario, names[i], "custom");
        snprintf(path, sizeof path, "component.%s.share", names[i]);
        design_set(&scenario, path, "0.25");
        snprintf(path, sizeof path, "component.%s.flops", names[i]);
        design_set(&scenario, path, "12500000"); /* 100 us at 1 TFLOP/s x 0.5 x 0.25 */
    }
    if (!design_evaluate(&scenario, result))
        return;
    CHECK_NEAR(design_node(result, "a")->time, 100e-6, 1e-12);
    CHECK_NEAR(result->latency, latency, 1e-12);
    CHECK_NEAR(design_node(result, "c")->busy, 100e-6, 1e-12);
}

static void three_equal_stages(void)
{
    three_stages("1", 300e-6);
    three_stages("50", 104e-6);
}

/* Reconstruction: 152 slopes, 100 actuators. */
static void matrix_by_hand(void)
{
    struct result *result = design_result();
    const struct node_result *recon;
    double e[] = {8, 4, 2, 2, 1};
    static const char *const names[] = {"fp64", "fp32", "fp16", "bf16", "int8"};

    for (int p = 0; p < 5; p++) {
        design_chain(&scenario);
        design_set(&scenario, "component.recon.precision", names[p]);
        design_set(&scenario, "scenario.packets", "1");
        design_evaluate(&scenario, result);
        recon = design_node(result, "recon");
        CHECK_NEAR(recon->rows, 100, 0);
        CHECK_NEAR(recon->columns, 152, 0);
        CHECK_NEAR(recon->flop, 2 * 100 * 152, 0);
        CHECK_NEAR(recon->bytes, e[p] * (100 * 152 + 152 + 100), 1e-15);
        CHECK_NEAR(recon->working_set, e[p] * 100 * 152, 1e-15);
        design_set(&scenario, "scenario.packets", "10"); /* a packet is a row of subapertures */
        design_evaluate(&scenario, result);
        CHECK_NEAR(design_node(result, "recon")->bytes, e[p] * (100 * 152 + 152 + 2 * 100 * 10),
                   1e-15);
        design_set(&scenario, "scenario.packets", "40"); /* rows of pixels: one in four */
        design_evaluate(&scenario, result);
        CHECK_NEAR(design_node(result, "recon")->bytes, e[p] * (100 * 152 + 152 + 2 * 100 * 10),
                   1e-15);
    }
    design_set(&scenario, "component.recon.rows", "30");
    design_set(&scenario, "component.recon.columns", "20");
    design_evaluate(&scenario, result);
    CHECK_NEAR(design_node(result, "recon")->flop, 2 * 30 * 20, 0);
}

/* 40 modes: 2KS FLOP as the slopes arrive, 2KM at the end, one launch more. */
static void modal_by_hand(void)
{
    struct result *result = design_result();
    const struct node_result *recon;
    double bytes = 4.0 * (40 * 152 + 152 + 2 * 40 * 10) + 4.0 * (40 * 100 + 40 + 100);
    double work;

    design_chain(&scenario);
    design_set(&scenario, "ao.modes", "40");
    design_set(&scenario, "component.recon.algorithm", "modal");
    design_set(&scenario, "component.recon.share", "0.5");
    design_set(&scenario, "component.recon.overhead", "3 us");
    design_set(&scenario, "device.rtc.launch", "2 us");
    design_set(&scenario, "scenario.packets", "10");
    design_evaluate(&scenario, result);
    recon = design_node(result, "recon");
    CHECK_NEAR(recon->rows, 40, 0);
    CHECK_NEAR(recon->flop, 2 * 40 * 152 + 2 * 40 * 100, 0);
    CHECK_NEAR(recon->bytes, bytes, 1e-15);
    CHECK_NEAR(recon->working_set, 4.0 * (40 * 152 + 40 * 100), 1e-15);
    /* memory-bound: bytes at 102.4 GB/s x 0.9 x 0.875 x 0.5; 10 x 5 us, and 2 us for the tail */
    work = bytes / (102.4e9 * 0.9 * 0.875 * 0.5);
    CHECK_NEAR(recon->memory, work, 1e-12);
    CHECK_NEAR(recon->time, work + 10 * 5e-6 + 2e-6, 1e-12);
    CHECK_NEAR(design_node(result, "control")->flop, 700, 0);
}

/* A matrix whose packets are bound by computation: nothing of an earlier evaluation may show. */
static void compute_bound_matrix(void)
{
    struct result *result = design_result();
    double first;

    design_chain(&scenario);
    design_set(&scenario, "component.recon.compute_efficiency", "0.001");
    design_set(&scenario, "device.rtc.launch", "50 us");
    design_evaluate(&scenario, result);
    first = design_node(result, "recon")->time;
    CHECK_NEAR(design_node(result, "recon")->share + design_node(result, "slopes")->share +
                   design_node(result, "calibration")->share,
               1, 1e-12);
    design_evaluate(&scenario, result);
    CHECK_NEAR(design_node(result, "recon")->time, first, 0);
    /* slots: max(w t_c, w t_m + accumulator) */
    {
        const struct node_result *recon = design_node(result, "recon");

        CHECK(recon->bound == BOUND_OVERHEAD || recon->compute > recon->memory);
        CHECK_NEAR(recon->time, recon->compute + 10 * 50e-6, 1e-9);
    }
}

static void no_components(void)
{
    struct result *result = design_result();

    scenario_init(&scenario);
    if (!design_evaluate(&scenario, result))
        return;
    CHECK_INT(result->node_count, 0);
    CHECK_NEAR(result->latency, 0, 0);
    CHECK_NEAR(result->max_frame_rate, RESULT_NONE, 0);
    CHECK(!result->overloaded);
    CHECK_INT(result->bound_node, -1);
    CHECK_NEAR(result->loop.delay_frames, 1, 1e-12);
}

/* Refusals -------------------------------------------------------------------------------------- */

static void cycles_are_named(void)
{
    design_chain(&scenario);
    design_set(&scenario, "component.calibration.after", "recon");
    design_refused(&scenario, "component.calibration.after: a cycle, calibration after recon after "
                              "slopes after calibration");
    design_set(&scenario, "component.calibration.after", "camera, control");
    design_refused(&scenario, "component.calibration.after: a cycle, calibration after control "
                              "after recon after slopes after calibration");
}

static void what_is_missing_is_named(void)
{
    scenario_init(&scenario);
    design_component(&scenario, "recon", "reconstruction");
    design_refused(&scenario, "component.recon.device: there is no device to run on; add one");
    scenario_init(&scenario);
    design_component(&scenario, "camera", "camera");
    design_refused(&scenario, "component.camera.wfs: there is no sensor to work for; add one");
    design_chain(&scenario);
    design_set(&scenario, "wfs.ngs.kind", "pyramid");
    design_refused(&scenario, "component.slopes.type: centroid does not go with wfs.ngs, which is "
                              "a pyramid sensor");
    design_chain(&scenario);
    design_set(&scenario, "component.slopes.type", "pyramid");
    design_refused(&scenario, "component.slopes.type: pyramid does not go with wfs.ngs, which is "
                              "a shack-hartmann sensor");
    design_chain(&scenario);
    design_set(&scenario, "wfs.ngs.detector_width", "79");
    design_refused(&scenario,
                   "wfs.ngs.detector_width: 79 px are too few, the subapertures need 80 px");
    design_chain(&scenario);
    design_add(&scenario, SECTION_DEVICE, "gpu0");
    design_add(&scenario, SECTION_DEVICE, "gpu1");
    design_set(&scenario, "device.gpu0.kind", "gpu");
    design_set(&scenario, "device.gpu1.kind", "gpu");
    design_set(&scenario, "device.gpu1.host", "gpu0");
    design_refused(&scenario, "device.gpu1.host: gpu0 is a gpu; a host is a cpu");
}

/* A refused design leaves what readers see of the last good one. */
static void a_refusal_changes_nothing(void)
{
    struct result good;
    struct result *result = design_result();
    struct error error;

    design_chain(&scenario);
    design_evaluate(&scenario, result);
    if (!design_evaluate_fresh(&scenario, &good))
        return;
    design_set(&scenario, "component.slopes.share", "1");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    design_same(result, &good, "shares");
    design_set(&scenario, "component.slopes.share", "auto");
    design_set(&scenario, "component.calibration.after", "dm");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    design_same(result, &good, "a cycle");
    design_set(&scenario, "component.calibration.after", "camera");
    design_set(&scenario, "wfs.ngs.detector_width", "1");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    design_same(result, &good, "a detector");
    design_set(&scenario, "wfs.ngs.detector_width", "auto");
    design_evaluate(&scenario, result);
    design_same(result, &good, "good again");
    result_free(&good);
}

/* The same again ------------------------------------------------------------------------------- */

static void other(struct scenario *b, int which)
{
    design_chain(b);
    switch (which) {
    case 0:
        design_set(b, "scenario.packets", "7");
        break;
    case 1:
        design_set(b, "wfs.ngs.subaps_across", "12");
        break;
    case 2:
        design_add(b, SECTION_DEVICE, "gpu0");
        design_set(b, "device.gpu0.kind", "gpu");
        design_set(b, "component.recon.device", "gpu0");
        break;
    case 3:
        design_set(b, "component.camera.order", "centre-out");
        break;
    case 4:
        design_set(b, "component.slopes.barrier", "frame");
        break;
    case 5:
        scenario_init(b);
        break;
    case 6:
        design_set(b, "component.recon.after", "calibration, slopes");
        design_set(b, "component.dm.link", "none");
        break;
    case 7:
        design_set(b, "atmosphere.wind", "0");
        design_set(b, "device.rtc.launch", "77 us");
        design_set(b, "component.recon.overhead", "5 us");
        break;
    case 8:
        design_set(b, "component.recon.type", "custom");
        design_set(b, "component.calibration.share", "0.2");
        break;
    case 9:
        design_set(b, "component.camera.exposure", "100 us");
        design_set(b, "component.camera.readout", "0");
        design_set(b, "component.camera.interface", "coaxpress-6");
        break;
    default:
        break;
    }
}

/* A, then B, then A with one result object: A as in a fresh one, bit for bit. */
static void evaluates_the_same_again(void)
{
    static struct scenario b;

    for (int a = 0; a <= 10; a++) {
        struct result once;
        struct result fresh;

        other(&scenario, a);
        if (a == 10) {
            design_set(&scenario, "component.recon.compute_efficiency", "0.001");
            design_set(&scenario, "device.rtc.launch", "20 us");
        }
        if (!design_evaluate_fresh(&scenario, &fresh))
            return;
        if (!design_evaluate_fresh(&scenario, &once)) {
            result_free(&fresh);
            return;
        }
        design_evaluate(&scenario, &once);
        design_same(&once, &fresh, "twice");
        for (int which = 0; which < 10; which++) {
            char where[64];

            other(&b, which);
            design_evaluate(&b, &once);
            design_evaluate(&scenario, &once);
            snprintf(where, sizeof where, "design %d, after design %d", a, which);
            design_same(&once, &fresh, where);
        }
        result_free(&once);
        result_free(&fresh);
    }
}

static void never_allocates(void)
{
    struct result *result = design_result();
    struct error error;

    for (int which = 0; which < 10; which++) {
        unsigned long before;
        unsigned long between;
        enum status status;

        other(&scenario, which);
        before = allocations();
        status = evaluate(&scenario, result, &error);
        between = allocations() - before;
        CHECK_INT(status, STATUS_OK);
        CHECK_INT(between, 0);
    }
    {
        unsigned long before = allocations();
        struct result made;

        CHECK_INT(result_init(&made, &error), STATUS_OK);
        CHECK_TRUE(allocations() > before, "the count of allocations stands still");
        result_free(&made);
    }
}

/* The table of results ------------------------------------------------------------------------- */

static void result_table_is_sound(void)
{
    struct result *result = design_result();

    design_chain(&scenario);
    design_evaluate(&scenario, result);
    for (int i = 0; i < result_row_count; i++) {
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
    CHECK_INT(result_node(result, "slopes"), 2);
    CHECK_INT(result_node(result, "slope"), -1);
    result->loop.tau0 = RESULT_NONE;
    for (int i = 0; i < result_row_count; i++)
        if (strcmp(result_rows[i].key, "tau0") == 0)
            CHECK_NEAR(result_in_unit(result, &result_rows[i], 0), RESULT_NONE, 0);
}

static const struct test tests[] = {
    {"worked example", worked_example},
    {"efficiencies multiply", efficiencies_multiply},
    {"three equal stages", three_equal_stages},
    {"matrix by hand", matrix_by_hand},
    {"modal by hand", modal_by_hand},
    {"compute-bound matrix", compute_bound_matrix},
    {"no components", no_components},
    {"cycles are named", cycles_are_named},
    {"what is missing is named", what_is_missing_is_named},
    {"a refusal changes nothing", a_refusal_changes_nothing},
    {"evaluates the same again", evaluates_the_same_again},
    {"never allocates", never_allocates},
    {"result table is sound", result_table_is_sound},
    {NULL, NULL},
};

const struct suite suite_evaluate = {.name = "evaluate", .tests = tests};
