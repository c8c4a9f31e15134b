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
    static const struct {
        const char *path, *bad, *good;
    } changes[] = {
        {"component.slopes.share", "1", "auto"},
        {"component.calibration.after", "dm", "camera"},
        {"wfs.ngs.detector_width", "1", "auto"},
        {"wfs.ngs.kind", "pyramid", "shack-hartmann"},
    };
    struct result good;
    struct result *result = sample_result();
    struct error error;

    sample_chain(&scenario);
    sample_evaluate(&scenario, result);
    if (!sample_evaluate_fresh(&scenario, &good))
        return;
    sample_same(result, &good, "before"); /* slack is computed when it is asked for */
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        sample_set(&scenario, changes[i].path, changes[i].bad);
        CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
        sample_same(result, &good, changes[i].path);
        sample_set(&scenario, changes[i].path, changes[i].good);
        if (i >= 2) {
            sample_evaluate(&scenario, result);
            sample_same(result, &good, "good again");
        }
    }
    result_free(&good);
}

/* The same again ------------------------------------------------------------------------------- */

/* The chain with one thing or another changed; the sixth is empty. */
static void other(struct scenario *b, int which)
{
    static const struct {
        const char *path, *value;
    } changes[][3] = {
        {{"scenario.packets", "7"}},
        {{"wfs.ngs.subaps_across", "12"}},
        {{"device.gpu0.kind", "gpu"}, {"component.recon.device", "gpu0"}},
        {{"component.camera.order", "centre-out"}},
        {{"component.slopes.barrier", "frame"}},
        {{NULL, NULL}},
        {{"component.recon.after", "calibration, slopes"}, {"component.dm.link", "none"}},
        {{"atmosphere.wind", "0"},
         {"device.rtc.launch", "77 us"},
         {"component.recon.overhead", "5 us"}},
        {{"component.recon.type", "custom"}, {"component.calibration.share", "0.2"}},
        {{"component.camera.exposure", "100 us"},
         {"component.camera.readout", "0"},
         {"component.camera.interface", "coaxpress-6"}},
        {{"component.recon.compute_efficiency", "0.001"}, {"device.rtc.launch", "20 us"}},
    };

    sample_chain(b);
    if (changes[which][0].path == NULL)
        scenario_init(b);
    if (which == 2)
        sample_add(b, SECTION_DEVICE, "gpu0");
    for (int i = 0; i < 3 && changes[which][i].path != NULL; i++)
        sample_set(b, changes[which][i].path, changes[which][i].value);
}

/* A, then B, then A with one result object: A as in a fresh one, bit for bit. */
TEST(evaluates_the_same_again)
{
    static struct scenario b;

    for (int a = 0; a <= 10; a++) {
        struct result once;
        struct result fresh;

        other(&scenario, a);
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

/* Only when a design changes size. */
TEST(allocates_once)
{
    struct result *result = sample_result();
    struct error error;

    for (int which = 0; which < 10; which++) {
        unsigned long before;
        unsigned long between;
        enum status status;

        other(&scenario, which);
        sample_evaluate(&scenario, result);
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
