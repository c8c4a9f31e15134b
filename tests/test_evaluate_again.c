#include <stdio.h>

#include "allocations.h"
#include "check.h"
#include "design/scenario_edit.h"
#include "model/evaluate.h"
#include "sample.h"

static struct scenario scenario;

/* A refused design leaves what readers see of the last good one. */
TEST(a_refusal_changes_nothing)
{
    struct result good;
    struct result *result = sample_result();
    struct error error;

    sample_chain(&scenario);
    sample_evaluate(&scenario, result);
    if (!sample_evaluate_fresh(&scenario, &good))
        return;
    sample_set(&scenario, "component.slopes.share", "1");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    sample_same(result, &good, "shares");
    sample_set(&scenario, "component.slopes.share", "auto");
    sample_set(&scenario, "component.calibration.after", "dm");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    sample_same(result, &good, "a cycle");
    sample_set(&scenario, "component.calibration.after", "camera");
    sample_set(&scenario, "wfs.ngs.detector_width", "1");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    sample_same(result, &good, "a detector");
    sample_set(&scenario, "wfs.ngs.detector_width", "auto");
    sample_evaluate(&scenario, result);
    sample_set(&scenario, "wfs.ngs.kind", "pyramid");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    sample_same(result, &good, "a kind of sensor");
    sample_set(&scenario, "wfs.ngs.kind", "shack-hartmann");
    sample_evaluate(&scenario, result);
    sample_same(result, &good, "good again");
    result_free(&good);
}

/* The same again ------------------------------------------------------------------------------- */

static void other(struct scenario *b, int which)
{
    sample_chain(b);
    switch (which) {
    case 0:
        sample_set(b, "scenario.packets", "7");
        break;
    case 1:
        sample_set(b, "wfs.ngs.subaps_across", "12");
        break;
    case 2:
        sample_add(b, SECTION_DEVICE, "gpu0");
        sample_set(b, "device.gpu0.kind", "gpu");
        sample_set(b, "component.recon.device", "gpu0");
        break;
    case 3:
        sample_set(b, "component.camera.order", "centre-out");
        break;
    case 4:
        sample_set(b, "component.slopes.barrier", "frame");
        break;
    case 5:
        scenario_init(b);
        break;
    case 6:
        sample_set(b, "component.recon.after", "calibration, slopes");
        sample_set(b, "component.dm.link", "none");
        break;
    case 7:
        sample_set(b, "atmosphere.wind", "0");
        sample_set(b, "device.rtc.launch", "77 us");
        sample_set(b, "component.recon.overhead", "5 us");
        break;
    case 8:
        sample_set(b, "component.recon.type", "custom");
        sample_set(b, "component.calibration.share", "0.2");
        break;
    case 9:
        sample_set(b, "component.camera.exposure", "100 us");
        sample_set(b, "component.camera.readout", "0");
        sample_set(b, "component.camera.interface", "coaxpress-6");
        break;
    default:
        break;
    }
}

/* A, then B, then A with one result object: A as in a fresh one, bit for bit. */
TEST(evaluates_the_same_again)
{
    static struct scenario b;

    for (int a = 0; a <= 10; a++) {
        struct result once;
        struct result fresh;

        other(&scenario, a);
        if (a == 10) {
            sample_set(&scenario, "component.recon.compute_efficiency", "0.001");
            sample_set(&scenario, "device.rtc.launch", "20 us");
        }
        if (!sample_evaluate_fresh(&scenario, &fresh))
            return;
        if (!sample_evaluate_fresh(&scenario, &once)) {
            result_free(&fresh);
            return;
        }
        sample_evaluate(&scenario, &once);
        sample_same(&once, &fresh, "twice");
        for (int which = 0; which < 10; which++) {
            char where[64];

            other(&b, which);
            sample_evaluate(&b, &once);
            sample_evaluate(&scenario, &once);
            snprintf(where, sizeof where, "design %d, after design %d", a, which);
            sample_same(&once, &fresh, where);
        }
        result_free(&once);
        result_free(&fresh);
    }
}

TEST(never_allocates)
{
    struct result *result = sample_result();
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
