#include <math.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "draw.h"
#include "model/evaluate.h"
#include "random_design.h"
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

/* Returns true if every component on a device has all of it. */
static bool nothing_is_divided(const struct result *result)
{
    for (int n = 0; n < result->node_count; n++)
        if (result->node[n].device >= 0 && result->node[n].share < 1)
            return false;
    return true;
}

/* Where nothing overlaps, as in one packet of a chain, no stated share is better than the automatic
 * ones. */
TEST(no_stated_share_beats_automatic_ones)
{
    struct draw draw = draw_start(0x54A2E);
    int repeat = draw_repeat(4000);
    int compared = 0;

    for (int r = 0; r < repeat; r++) {
        struct result *result = sample_result();
        uint64_t seed = draw.state;
        struct component *c;
        double before;

        random_design(&draw, &scenario);
        scenario.general.packets = 1;
        scenario.general.sharing = SHARING_PARTITION;
        for (int i = 0; i < scenario.component_count; i++)
            scenario.component[i].share = 0;
        c = &scenario.component[draw_below(&draw, scenario.component_count)];
        if (evaluate(&scenario, result, NULL) != STATUS_OK || result->overloaded ||
            result->frames > 1 || !nothing_is_divided(result))
            continue;
        before = result->latency;
        c->share = draw_between(&draw, 0.3, 0.999);
        if (evaluate(&scenario, result, NULL) != STATUS_OK || result->overloaded ||
            result->frames > 1)
            continue;
        compared++;
        draw_holds(result->latency >= before - 1e-12 * result->first_pixel, seed, __FILE__,
                   __LINE__, "component.%s.share = %g: %.17g s, automatic %.17g s", c->head.name,
                   c->share, result->latency, before);
    }
    CHECK_TRUE(repeat < 1000 || compared * 100 > repeat, "%d of %d compared", compared, repeat);
}
