#include <math.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "draw.h"
#include "model/evaluate.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario;

TEST(a_comma_locale_changes_nothing)
{
    sample_chain(&scenario);
    sample_set(&scenario, "component.slopes.share", "0.7");
    sample_set(&scenario, "component.recon.share", "0.5");
    check_comma_locale(true);
    sample_refused(&scenario, "device.rtc: the shares of its components add up to 1.2, above 1");
    check_comma_locale(false);
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
