/* Knobs that have nothing to act on: which they are, and that they do not act. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "random_design.h"
#include "sample.h"

static struct scenario scenario;

static bool idle(const char *path)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    return CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message) &&
           knob_idle(&scenario, ref);
}

TEST(what_a_choice_brings_to_life)
{
    static const struct {
        const char *path, *cause, *value, *before;
    } cases[] = {
        {"device.gpu.host_bandwidth", "device.gpu.host_link", "nvlink", "unified"},
        {"device.gpu.l3_bandwidth", "device.gpu.l3", "32 MiB", "0"},
        {"device.gpu.l3_latency", "device.gpu.l3", "32 MiB", "auto"},
        {"device.gpu.l2_latency", "device.gpu.l2", "auto", "0"},
        {"device.rtc.l1_bandwidth", "device.rtc.l1", "32 KiB", "0"},
        {"device.rtc.l2_bandwidth", "device.rtc.l2", "auto", "0"},
        {"device.rtc.l3_latency", "device.rtc.l3", "auto", "0"},
        {"device.gpu.jitter", "component.slopes.device", "gpu", "rtc"},
        {"device.rtc.fma_latency", "component.recon.algorithm", "auto", "modal"},
        {"device.rtc.operand_bandwidth", "device.rtc.fma_latency", "1.2 ns", "auto"},
        {"device.rtc.scalar_rate", "device.rtc.add_latency", "0.8 ns", "auto"},
        {"component.slopes.chains", "device.rtc.add_latency", "0.8 ns", "auto"},
        {"component.recon.chains", "device.rtc.fma_latency", "1.2 ns", "auto"},
        {"component.slopes.workers", "component.slopes.device", "rtc", "gpu"},
        {"component.recon.workers", "component.recon.device", "gpu, rtc", "gpu"},
        {"component.recon.split", "component.recon.device", "gpu, rtc", "gpu"},
        {"component.camera.lanes", "component.camera.interface", "coaxpress-6", "gige-vision"},
        {"component.camera.lanes", "component.camera.interface", "coaxpress-12", "none"},
        {"component.camera.link_rate", "component.camera.interface", "gige-vision", "none"},
        {"component.dm.hops", "component.dm.link", "network", "pcie"},
        {"component.dm.length", "component.dm.link", "network", "none"},
        {"component.slopes.search", "component.slopes.algorithm", "correlation", "cog"},
        {"component.slopes.search", "component.slopes.algorithm", "correlation-fft", "auto"},
        {"component.slopes.flops_per_pixel", "component.slopes.algorithm", "auto", "matched"},
        {"component.recon.tile", "component.recon.algorithm", "tlr", "auto"},
        {"component.recon.rank", "component.recon.algorithm", "tlr", "mvm"},
        {"component.recon.density", "component.recon.algorithm", "sparse", "modal"},
        {"component.recon.iterations", "component.recon.algorithm", "cg", "fourier"},
        {"component.recon.unknowns", "component.recon.algorithm", "cg", "cured"},
        {"component.recon.grid", "component.recon.algorithm", "fourier", "cg"},
        {"component.control.states", "component.control.algorithm", "lqg", "polc"},
        {"component.control.deferred", "component.control.algorithm", "lqg", "pid"},
        {"component.control.deferred", "component.control.algorithm", "polc-explicit", "auto"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample_chain(&scenario);
        sample_add(&scenario, SECTION_DEVICE, "gpu");
        sample_set(&scenario, "device.gpu.kind", "gpu");
        sample_set(&scenario, cases[i].cause, cases[i].before);
        CHECK_TRUE(idle(cases[i].path), "%s acts with %s = %s", cases[i].path, cases[i].cause,
                   cases[i].before);
        CHECK_TRUE(!idle(cases[i].cause), "%s is idle itself", cases[i].cause);
        sample_set(&scenario, cases[i].cause, cases[i].value);
        CHECK_TRUE(!idle(cases[i].path), "%s is idle with %s = %s", cases[i].path, cases[i].cause,
                   cases[i].value);
    }
}

/* What the scenario states is not left out, even where it does nothing. */
TEST(what_is_stated_stays)
{
    sample_chain(&scenario);
    CHECK(idle("component.recon.tile"));
    sample_set(&scenario, "component.recon.tile", "256");
    CHECK(!idle("component.recon.tile"));
    CHECK(idle("component.recon.rank"));
}

/* Resets what is idle where nobody states it; returns how many. Grids and states are told
 * in the result although nothing follows from them. */
static int reset_idle(struct scenario *design)
{
    static struct scenario before;
    int count = 0;

    for (int k = 0; k < KNOB_COUNT; k++)
        for (int i = 0; i < section_count(design, knobs[k].section); i++) {
            struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

            if (!knob_applies(design, ref.section, i, ref.knob) ||
                knob_origin(design, ref) != ORIGIN_SET || strcmp(ref.knob->key, "grid") == 0 ||
                strcmp(ref.knob->key, "states") == 0)
                continue;
            scenario_copy(&before, design);
            knob_reset(design, ref);
            if (knob_idle(design, ref))
                count++;
            else
                scenario_copy(design, &before);
        }
    return count;
}

TEST(idle_knobs_do_not_act)
{
    static struct result expected;
    static struct result actual;
    static struct scenario plain;
    int evaluated = 0;
    int count = 0;

    if (!CHECK_INT(result_init(&expected, NULL), STATUS_OK) ||
        !CHECK_INT(result_init(&actual, NULL), STATUS_OK))
        return;
    for (uint64_t seed = 1; seed <= 400 && evaluated < 60; seed++) {
        struct draw draw = draw_start(seed);
        struct error error;
        char where[64];

        random_design(&draw, &scenario);
        if (evaluate(&scenario, &expected, &error) != STATUS_OK)
            continue;
        scenario_copy(&plain, &scenario);
        count += reset_idle(&plain);
        snprintf(where, sizeof where, "design %u", (unsigned)seed);
        if (!CHECK_TRUE(evaluate(&plain, &actual, &error) == STATUS_OK, "%s: %s", where,
                        error.message) ||
            !sample_same(&actual, &expected, where))
            break;
        evaluated++;
    }
    result_free(&expected);
    result_free(&actual);
    CHECK_TRUE(evaluated >= 20 && count > 10 * evaluated, "%d knobs of %d designs", count,
               evaluated);
}
