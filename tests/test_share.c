#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "draw.h"
#include "model/evaluate.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario;

static double share(const struct result *result, const char *name)
{
    return sample_node(result, name)->share;
}

/* 0.3, 0.4 and 0.3 of 10 TFLOP/s are 3, 4 and 3. */
TEST(three_way_partition)
{
    static const char *const names[] = {"a", "b", "c"};
    static const char *const shares[] = {"0.3", "0.4", "0.3"};
    static const double tflops[] = {3, 4, 3};
    struct result *result = sample_result();

    scenario_init(&scenario);
    sample_round_device(&scenario, "rtc");
    sample_set(&scenario, "device.rtc.cores", "1000");
    sample_set(&scenario, "device.rtc.clock", "1.25 GHz");
    for (int i = 0; i < 3; i++) {
        char path[64];

        sample_component(&scenario, names[i], "custom");
        snprintf(path, sizeof path, "component.%s.share", names[i]);
        sample_set(&scenario, path, shares[i]);
        snprintf(path, sizeof path, "component.%s.compute_efficiency", names[i]);
        sample_set(&scenario, path, "1");
        snprintf(path, sizeof path, "component.%s.flops", names[i]);
        sample_set(&scenario, path, "12 GFLOP");
    }
    if (!sample_evaluate(&scenario, result))
        return;
    for (int i = 0; i < 3; i++) {
        const struct node_result *node = sample_node(result, names[i]);

        CHECK_NEAR(node->flop / node->compute, tflops[i] * 1e12, 1e-12);
    }
    CHECK_NEAR(result->latency, 12e9 / 3e12 + 12e9 / 4e12 + 12e9 / 3e12, 1e-12);
}

/* What streams shares what is left in proportion to its time; what waits for the frame has all of
 * it. */
TEST(automatic_shares)
{
    struct result *result = sample_result();
    double calibration;
    double slopes;
    double recon;

    sample_chain(&scenario);
    sample_set(&scenario, "device.rtc.launch", "100 us"); /* does not count */
    sample_set(&scenario, "component.slopes.overhead", "100 us");
    sample_evaluate(&scenario, result);
    calibration = share(result, "calibration");
    slopes = share(result, "slopes");
    recon = share(result, "recon");
    CHECK_NEAR(calibration + slopes + recon, 1, 1e-12);
    CHECK_NEAR(share(result, "control"), 1, 0);
    CHECK_NEAR(share(result, "camera"), 1, 0);
    CHECK_NEAR(share(result, "dm"), 1, 0);
    /* 6400 pixels: 2 B read, 4 B written, 8 B of maps each; 12800 FLOP; the memory is slower */
    {
        double c = fmax(6400 * 14 / (102.4e9 * 0.9 * 0.92), 12800 / (1331.2e9 * 0.12));
        double s = fmax((76 * 64 * 4 + 16 * 76) / (102.4e9 * 0.9 * 0.92),
                        (76 * 319 + 76 * 10) / (1331.2e9 * 0.05));
        double r =
            fmax(4 * (15200 + 152 + 2000) / (102.4e9 * 0.9 * 0.92), 30400 / (1331.2e9 * 0.5));

        CHECK_NEAR(calibration, c / (c + s + r), 1e-9);
        CHECK_NEAR(slopes, s / (c + s + r), 1e-9);
        CHECK_NEAR(recon, r / (c + s + r), 1e-9);
    }
    sample_set(&scenario, "component.slopes.share", "0.6");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(share(result, "slopes"), 0.6, 0);
    CHECK_NEAR(share(result, "control"), 0.4, 1e-12);
    CHECK_NEAR(share(result, "calibration"), 0.4 * calibration / (calibration + recon), 1e-9);
    CHECK_NEAR(share(result, "recon"), 0.4 * recon / (calibration + recon), 1e-9);
    sample_set(&scenario, "component.recon.barrier", "frame");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(share(result, "calibration"), 0.4, 1e-12);
    CHECK_NEAR(share(result, "recon"), 0.4, 1e-12);
    CHECK_NEAR(share(result, "control"), 0.4, 1e-12);
    sample_set(&scenario, "component.slopes.share", "1");
    sample_set(&scenario, "component.calibration.share", "auto");
}

/* Shares hold per device. */
TEST(each_device_has_its_own)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    sample_set(&scenario, "component.recon.device", "gpu0");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(share(result, "recon"), 1, 0);
    CHECK_NEAR(share(result, "calibration") + share(result, "slopes"), 1, 1e-12);
    sample_set(&scenario, "component.recon.share", "1");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(share(result, "recon"), 1, 0);
}

TEST(components_without_work)
{
    static const char *const names[] = {"a", "b", "c"};
    struct result *result = sample_result();

    scenario_init(&scenario);
    sample_round_device(&scenario, "rtc");
    for (int i = 0; i < 3; i++)
        sample_component(&scenario, names[i], "custom");
    sample_evaluate(&scenario, result);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(share(result, names[i]), 1.0 / 3, 1e-12);
    CHECK_NEAR(result->latency, 0, 0);
    /* one with work takes all of it */
    sample_set(&scenario, "component.b.flops", "1 MFLOP");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(share(result, "b"), 1, 0);
    CHECK_NEAR(share(result, "a"), 0, 0);
    CHECK(isfinite(result->latency) && result->latency > 0);
}

TEST(too_much_is_refused)
{
    sample_chain(&scenario);
    sample_set(&scenario, "component.slopes.share", "0.7");
    sample_set(&scenario, "component.recon.share", "0.5");
    sample_refused(&scenario, "device.rtc: the shares of its components add up to 1.2, above 1");
    sample_set(&scenario, "component.recon.share", "0.3");
    sample_refused(&scenario,
                   "device.rtc: stated shares use all of it; none is left for a component "
                   "with an automatic share");
    sample_set(&scenario, "component.calibration.share", "0.1");
    sample_set(&scenario, "component.slopes.share", "0.2");
    sample_set(&scenario, "component.recon.share", "0.3");
    sample_set(&scenario, "component.control.share", "0.4"); /* 1 but for rounding */
    sample_evaluate(&scenario, sample_result());
    sample_set(&scenario, "component.control.share", "0.41");
    sample_refused(&scenario, "device.rtc: the shares of its components add up to 1.01, above 1");
}

TEST(a_comma_locale_changes_nothing)
{
    const char *path = getenv("COMMA_LOCPATH");

    sample_chain(&scenario);
    sample_set(&scenario, "component.slopes.share", "0.7");
    sample_set(&scenario, "component.recon.share", "0.5");
    if (path != NULL)
        setenv("LOCPATH", path, 1);
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        printf("# no locale with a decimal comma, not tested\n");
    sample_refused(&scenario, "device.rtc: the shares of its components add up to 1.2, above 1");
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}

/* Share scales computation and memory, not launches. */
TEST(launches_are_not_shared)
{
    struct result *result = sample_result();
    double whole;
    double time;

    sample_chain(&scenario);
    sample_set(&scenario, "device.rtc.launch", "3 us");
    sample_set(&scenario, "scenario.packets", "10");
    sample_set(&scenario, "component.slopes.overhead", "1 us");
    sample_set(&scenario, "component.slopes.share", "0.4");
    sample_evaluate(&scenario, result);
    whole = sample_node(result, "slopes")->compute * 0.4;
    time = sample_node(result, "slopes")->time;
    CHECK_NEAR(time,
               fmax(sample_node(result, "slopes")->compute, sample_node(result, "slopes")->memory) +
                   10 * 4e-6,
               1e-9);
    sample_set(&scenario, "component.slopes.share", "0.2");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "slopes")->compute, whole / 0.2, 1e-12);
    CHECK_NEAR(sample_node(result, "slopes")->time, 2 * (time - 40e-6) + 40e-6, 1e-9);
}

/* What a device may have more of; NULL behind the last. */
static double *more_of(struct device *device, int choice)
{
    bool gpu = device->kind == DEVICE_GPU;
    double *const fields[] = {&device->clock,
                              gpu ? &device->units : &device->cores,
                              gpu ? &device->memory_clock : &device->memory_rate,
                              &device->outstanding,
                              &device->l2,
                              &device->l3};

    return choice < (int)(sizeof fields / sizeof fields[0]) ? fields[choice] : NULL;
}

static void improved(const char *name, const struct scenario *plain, const struct result *result)
{
    static const char *const sharings[] = {"partition", "exclusive", "fluid"};
    static const char *const what[] = {"clock", "units", "memory", "outstanding", "L2", "L3"};
    struct result *faster = sample_result();
    struct error error = {STATUS_OK, ""};

    (void)result;
    for (int sharing = SHARING_PARTITION; sharing <= SHARING_FLUID; sharing++) {
        double allowed = sharing == SHARING_PARTITION ? 1.02 : 1 + 1e-9;
        double before;

        scenario_copy(&scenario, plain);
        scenario.general.sharing = sharing;
        if (!sample_evaluate(&scenario, faster))
            return;
        before = faster->latency;
        for (int d = 0; d < plain->device_count; d++)
            for (int i = 0; more_of(&scenario.device[d], i) != NULL; i++) {
                scenario_copy(&scenario, plain);
                if (*more_of(&scenario.device[d], i) <= 0) /* a cache it has not */
                    continue;
                scenario.general.sharing = sharing;
                *more_of(&scenario.device[d], i) *= 1.5;
                if (evaluate(&scenario, faster, &error) == STATUS_OK)
                    CHECK_TRUE(faster->latency <= allowed * before,
                               "%s, %s: half as much again of device.%s, %s: %.9g s, not %.9g",
                               name, sharings[sharing], scenario.device[d].head.name, what[i],
                               faster->latency, before);
            }
    }
}

/* Automatic shares follow the work: where one component gains another may lose a little. Else more
 * never takes longer. */
TEST(better_devices)
{
    systems_each(improved);
}
