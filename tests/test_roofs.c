#include "design/scenario_edit.h"
#include "model/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "check.h"
#include "draw.h"
#include "model/evaluate.h"
#include "model/stage.h"
#include "random_design.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario;
static struct roofs roofs;

/* 1 TFLOP/s and 100 GB/s, nothing lost but what the work's own knobs say. */
static void custom(const char *flops, const char *bytes)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_round_device(&scenario, "rtc");
    sample_component(&scenario, "camera", "camera");
    sample_component(&scenario, "work", "custom");
    sample_set(&scenario, "component.work.flops", flops);
    sample_set(&scenario, "component.work.bytes_read", bytes);
    sample_set(&scenario, "component.work.compute_efficiency", "1");
    sample_set(&scenario, "component.work.memory_efficiency", "1");
    sample_set(&scenario, "scenario.packets", "1");
}

static bool find(int device)
{
    if (!sample_evaluate(&scenario, sample_result()))
        return false;
    roofs_find(&scenario, sample_result(), device, &roofs);
    return true;
}

static const struct roof_ceiling *ceiling(const char *name)
{
    static const struct roof_ceiling none;

    for (int i = 0; i < roofs.ceilings; i++)
        if (strncmp(roofs.ceiling[i].name, name, strlen(name)) == 0)
            return &roofs.ceiling[i];
    CHECK_TRUE(false, "there is no ceiling %s", name);
    return &none;
}

static const struct roof_point *point(const char *name, bool deferred)
{
    static const struct roof_point none;

    for (int p = 0; p < roofs.points; p++)
        if (strcmp(roofs.point[p].name, name) == 0 && roofs.point[p].deferred == deferred)
            return &roofs.point[p];
    CHECK_TRUE(false, "%s is nowhere", name);
    return &none;
}

/* Ceilings ------------------------------------------------------------------------------------- */

TEST(ceilings_of_a_processor)
{
    custom("1e6", "1e6");
    sample_set(&scenario, "device.rtc.fma", "yes");
    sample_set(&scenario, "device.rtc.sustained_memory", "0.9");
    sample_set(&scenario, "device.rtc.sustained_compute", "0.5");
    if (!find(0))
        return;
    CHECK_STR(roofs.device, "rtc");
    CHECK_NEAR(ceiling("fp32 FMA")->peak, 125 * 1e9 * 8 * 2, 1e-12);
    CHECK_NEAR(ceiling("fp32 FMA")->sustained, 125 * 1e9 * 8, 1e-12);
    CHECK_NEAR(ceiling("fp64 FMA")->peak, 125 * 1e9 * 4 * 2, 1e-12);
    CHECK_NEAR(ceiling("fp32 no FMA")->peak, 125 * 1e9 * 8, 1e-12);
    CHECK_NEAR(ceiling("fp32 scalar")->peak, 125 * 1e9, 1e-12);
    CHECK_NEAR(ceiling("DRAM")->peak, 100e9, 1e-12);
    CHECK_NEAR(ceiling("DRAM")->sustained, 90e9, 1e-12);
    CHECK_NEAR(ceiling("L1")->peak, 64 * 125e9, 1e-12);
    CHECK_NEAR(ceiling("L2")->peak, 32 * 125e9, 1e-12);
    CHECK_NEAR(roofs_ridge(ceiling("DRAM"), ceiling("fp32 FMA")), 20, 1e-12);
    CHECK_STR(ceiling("DRAM")->name, "DRAM 100 GB/s");
    CHECK(ceiling("DRAM")->used && ceiling("fp32 FMA")->used);
    CHECK(!ceiling("L1")->used && !ceiling("fp64")->used && !ceiling("fp32 no FMA")->used);
    sample_set(&scenario, "component.work.precision", "bf16");
    if (find(0))
        CHECK_NEAR(ceiling("bf16 FMA")->peak, 125 * 1e9 * 16 * 2, 1e-12);
    CHECK(ceiling("bf16")->used && !ceiling("fp32 FMA")->used);
}

TEST(ceilings_of_a_gpu)
{
    custom("1e6", "1e6");
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    sample_set(&scenario, "device.gpu0.fp64_ratio", "0.5");
    sample_set(&scenario, "device.gpu0.fp16_ratio", "2");
    sample_set(&scenario, "device.gpu0.int8_ratio", "4");
    if (!find(1))
        return;
    CHECK_INT(roofs.points, 0);
    CHECK_NEAR(ceiling("fp64")->peak, ceiling("fp32")->peak / 2, 1e-12);
    CHECK_NEAR(ceiling("fp16")->peak, ceiling("fp32")->peak * 2, 1e-12);
    CHECK_NEAR(ceiling("int8")->peak, ceiling("fp32")->peak * 4, 1e-12);
    CHECK_NEAR(ceiling("L2")->peak, ceiling("DRAM")->peak * 3, 1e-12);
    CHECK_INT(roofs_device(sample_result()), 0);
    for (int i = 1; i < roofs.ceilings; i++)
        CHECK_TRUE(roofs.ceiling[i].peak <= roofs.ceiling[i - 1].peak ||
                       roofs.ceiling[i - 1].kind == ROOF_LEVEL,
                   "%s after %s", roofs.ceiling[i].name, roofs.ceiling[i - 1].name);
}

/* Points --------------------------------------------------------------------------------------- */

/* Left of the ridge at 10 FLOP/B, right of it, on no axis. */
TEST(on_the_roof)
{
    custom("4e6", "1e6");
    if (!find(0))
        return;
    CHECK_INT(roofs.points, 1);
    CHECK_NEAR(point("work", false)->intensity, 4, 1e-12);
    CHECK_NEAR(point("work", false)->roof, 400e9, 1e-12);
    CHECK_NEAR(point("work", false)->flops, 400e9, 1e-12);
    CHECK_NEAR(point("work", false)->fraction, 1, 1e-12);
    CHECK_NEAR(point("work", false)->served[LEVEL_MEMORY], 1e6, 1e-12);
    CHECK(point("work", false)->under_memory);
    custom("40e6", "1e6");
    if (find(0)) {
        CHECK_NEAR(point("work", false)->roof, 1e12, 1e-12);
        CHECK_NEAR(point("work", false)->flops, 1e12, 1e-12);
        CHECK(!point("work", false)->under_memory);
    }
    custom("0", "1e6");
    if (find(0)) {
        CHECK_NEAR(point("work", false)->intensity, RESULT_NONE, 0);
        CHECK_NEAR(point("work", false)->roof, RESULT_NONE, 0);
        CHECK_NEAR(point("work", false)->rate, 100e9, 1e-12);
        CHECK_NEAR(point("work", false)->fraction, 1, 1e-12);
    }
    custom("1e6", "0");
    if (find(0)) {
        CHECK_NEAR(point("work", false)->intensity, RESULT_NONE, 0);
        CHECK_NEAR(point("work", false)->roof, 1e12, 1e-12);
        CHECK_NEAR(point("work", false)->bandwidth, RESULT_NONE, 0);
    }
    custom("0", "0");
    if (find(0))
        CHECK_NEAR(point("work", false)->fraction, RESULT_NONE, 0);
}

/* 10 us at the roof; every cause by itself, then all. */
TEST(losses)
{
    custom("4e6", "1e6");
    sample_set(&scenario, "component.work.memory_efficiency", "0.5");
    sample_set(&scenario, "component.work.share", "0.25");
    sample_set(&scenario, "component.work.overhead", "20 us");
    if (!find(0))
        return;
    CHECK_NEAR(point("work", false)->time, 100e-6, 1e-12);
    CHECK_NEAR(point("work", false)->fraction, 0.1, 1e-12);
    CHECK_NEAR(point("work", false)->flops, 40e9, 1e-12);
    CHECK_NEAR(point("work", false)->loss[LOSS_CORES], 1, 1e-12);
    CHECK_NEAR(point("work", false)->loss[LOSS_EFFICIENCY], 2, 1e-12);
    CHECK_NEAR(point("work", false)->loss[LOSS_LATENCY], 1, 1e-12);
    CHECK_NEAR(point("work", false)->loss[LOSS_SHARE], 4, 1e-12);
    CHECK_NEAR(point("work", false)->loss[LOSS_PACKETS], 1, 1e-12);
    CHECK_NEAR(point("work", false)->loss[LOSS_LAUNCH], 1.25, 1e-12);
    CHECK_INT(point("work", false)->worst, LOSS_SHARE);
    sample_set(&scenario, "component.work.workers", "5");
    if (find(0)) /* 5 cores make 40 GFLOP/s and draw 40 GB/s: compute takes the longer */
        CHECK_NEAR(point("work", false)->loss[LOSS_CORES], 10, 1e-12);
    custom("4e6", "1e6");
    sample_set(&scenario, "scenario.overlap", "0");
    if (find(0))
        CHECK_NEAR(point("work", false)->loss[LOSS_PACKETS], 1.4, 1e-12);
}

/* By hand: 100 actuators, 10 across without obscuration gives 76 at 0.2; mvm and integrator. */
TEST(chain_by_hand)
{
    double matrix, moved;

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "1");
    if (!find(0))
        return;
    matrix = 4 * 100 * 2 * sample_result()->wfs[0].subaps;
    moved = matrix + 4 * (2 * sample_result()->wfs[0].subaps + 100);
    CHECK_NEAR(point("recon", false)->flop, matrix / 2, 1e-12);
    CHECK_NEAR(point("recon", false)->bytes, moved, 0.01);
    CHECK_NEAR(point("recon", false)->intensity,
               matrix / 2 / sample_node(sample_result(), "recon")->bytes, 1e-12);
    CHECK_NEAR(point("recon", false)->roof,
               ceiling("DRAM")->peak * point("recon", false)->intensity, 1e-12);
    CHECK_NEAR(point("recon", false)->flops,
               matrix / 2 / sample_node(sample_result(), "recon")->time, 1e-12);
    CHECK_INT(roofs.points, 4);
}

TEST(deferred_by_itself)
{
    const struct node_result *control;

    sample_chain(&scenario);
    sample_set(&scenario, "component.control.algorithm", "polc");
    if (!find(0))
        return;
    control = sample_node(sample_result(), "control");
    CHECK_NEAR(point("control", true)->flop, control->deferred_flop, 1e-12);
    CHECK_NEAR(point("control", true)->bytes, control->deferred_bytes, 1e-12);
    CHECK_NEAR(point("control", true)->flops, control->deferred_flop / control->deferred, 1e-12);
    CHECK_NEAR(point("control", false)->flop, control->flop - control->deferred_flop, 1e-9);
    CHECK_NEAR(point("control", false)->bytes, control->bytes - control->deferred_bytes, 1e-9);
}

TEST(parts_on_their_devices)
{
    sample_chain(&scenario);
    sample_round_device(&scenario, "second");
    sample_set(&scenario, "component.recon.device", "rtc, second");
    if (!find(1))
        return;
    CHECK_INT(roofs.points, 1);
    CHECK_NEAR(point("recon@second", false)->flop, sample_node(sample_result(), "recon")->flop / 2,
               1e-12);
    if (find(0))
        CHECK_INT(roofs.points, 4);
}

TEST(a_program_has_no_roof)
{
    sample_chain(&scenario);
    sample_set(&scenario, "component.control.type", "program");
    scenario.component[4].trace.program = sample_program();
    if (!find(0))
        return;
    CHECK_NEAR(point("control", false)->fraction, RESULT_NONE, 0);
    CHECK_NEAR(point("control", false)->intensity, RESULT_NONE, 0);
    CHECK(point("control", false)->time > 0);
}

/* Properties ----------------------------------------------------------------------------------- */

/* Whether some latency is shorter than the transfer it stands for: then a point may be above its
 * roof. */
static bool contradicts(const struct result *result, const struct roof_point *at)
{
    const struct stage *stage = &result->work->stage[at->node];
    double element = precision_bytes(at->precision);

    for (int k = 0; k < stage->levels->count; k++)
        if (stage->levels->level[k].latency < element / stage->levels->level[k].bandwidth)
            return true;
    return false;
}

static bool is_finite(const struct roof_point *at)
{
    bool finite = isfinite(at->flop + at->bytes + at->time + at->fraction) &&
                  isfinite(at->intensity) && isfinite(at->flops) && isfinite(at->roof) &&
                  isfinite(at->rate) && isfinite(at->bandwidth);

    for (int l = 0; l < LOSS_COUNT; l++)
        finite = finite && isfinite(at->loss[l]) && at->loss[l] > 0;
    return finite;
}

static double fastest_level(void)
{
    double most = 0;

    for (int i = 0; i < roofs.ceilings; i++)
        if (roofs.ceiling[i].kind == ROOF_LEVEL)
            most = larger(most, roofs.ceiling[i].peak);
    return most;
}

static void check_point(const char *name, const struct result *result, const struct roof_point *at)
{
    const struct node_result *node = &result->node[at->node];
    double product = 1;
    double served = 0;

    for (int l = 0; l < LOSS_COUNT; l++)
        product *= at->loss[l];
    for (int l = 0; l < LEVEL_COUNT; l++)
        served += at->served[l];
    CHECK_TRUE(is_finite(at), "%s: %s is not finite", name, at->name);
    CHECK_TRUE(fabs(served - at->bytes) <= 1e-9 * at->bytes, "%s: %s: %g B of %g are served", name,
               at->name, served, at->bytes);
    if (!at->deferred && at->fraction != RESULT_NONE)
        CHECK_TRUE(fabs(at->bytes + node->deferred_bytes - node->bytes) <= 1e-9 * node->bytes,
                   "%s: %s: %g B and %g deferred, not %g", name, at->name, at->bytes,
                   node->deferred_bytes, node->bytes);
    if (at->fraction == RESULT_NONE)
        return;
    CHECK_TRUE(fabs(product * at->fraction - 1) < 1e-9, "%s: %s: losses %g, fraction %g", name,
               at->name, product, at->fraction);
    CHECK_TRUE(at->fraction <= 1 + 1e-9 || contradicts(result, at), "%s: %s is %g above its roof",
               name, at->name, at->fraction);
    if (at->bandwidth != RESULT_NONE)
        CHECK_TRUE(at->bandwidth <= fastest_level() * (1 + 1e-9),
                   "%s: %s: %g B/s, above all levels", name, at->name, at->bandwidth);
}

static void check_design(const char *name, const struct scenario *design,
                         const struct result *result)
{
    int points = 0;
    int nodes = 0;

    for (int n = 0; n < result->node_count; n++)
        nodes += result->node[n].device >= 0 && !node_is_whole(&result->node[n]);
    for (int d = 0; d < design->device_count; d++) {
        roofs_find(design, result, d, &roofs);
        for (int p = 0; p < roofs.points; p++) {
            check_point(name, result, &roofs.point[p]);
            points += !roofs.point[p].deferred;
        }
    }
    CHECK_TRUE(points == nodes, "%s: %d components under roofs, not %d", name, points, nodes);
}

TEST(every_system)
{
    systems_each(check_design);
}

TEST(random_designs)
{
    int evaluated = 0;
    int repeat = draw_repeat(1000);

    for (int seed = 1; seed <= repeat; seed++) {
        struct draw draw = draw_start((uint64_t)seed);
        char name[32];

        random_design(&draw, &scenario);
        scenario.general.sharing = seed % 3;
        snprintf(name, sizeof name, "design %d", seed);
        if (evaluate(&scenario, sample_result(), NULL) != STATUS_OK)
            continue;
        check_design(name, &scenario, sample_result());
        evaluated++;
    }
    CHECK_TRUE(evaluated >= repeat / 10, "%d designs of %d", evaluated, repeat);
}
