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

/* Ceilings ------------------------------------------------------------------------------------- */

TEST(ceilings_of_a_gpu)
{
    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    sample_set(&scenario, "device.gpu0.fp64_ratio", "0.5");
    sample_set(&scenario, "device.gpu0.fp16_ratio", "2");
    sample_set(&scenario, "device.gpu0.int8_ratio", "4");
    if (!find(1))
        return;
    CHECK_INT(roofs.points, 0);
    CHECK_STR(roofs.device, "gpu0");
    CHECK_NEAR(ceiling("fp64")->peak, ceiling("fp32")->peak / 2, 1e-12);
    CHECK_NEAR(ceiling("fp16")->peak, ceiling("fp32")->peak * 2, 1e-12);
    CHECK_NEAR(ceiling("int8")->peak, ceiling("fp32")->peak * 4, 1e-12);
    CHECK_NEAR(ceiling("L2")->peak, ceiling("HBM")->peak * 2.1, 1e-12);
    CHECK_INT(roofs_device(sample_result()), 0);
    roofs_find(&scenario, sample_result(), 0, &roofs);
    CHECK_STR(ceiling("DRAM")->name, "DRAM 102 GB/s");
    CHECK_NEAR(roofs_ridge(ceiling("DRAM"), ceiling("fp32 FMA")), 13, 1e-12);
    roofs_find(&scenario, sample_result(), 1, &roofs);
    for (int i = 1; i < roofs.ceilings; i++)
        CHECK_TRUE(roofs.ceiling[i].peak <= roofs.ceiling[i - 1].peak ||
                       roofs.ceiling[i - 1].kind == ROOF_LEVEL,
                   "%s after %s", roofs.ceiling[i].name, roofs.ceiling[i - 1].name);
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
