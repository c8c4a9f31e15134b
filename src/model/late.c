#include "model/late.h"

#include <math.h>

#include "base/number.h"
#include "base/random.h"

#define LN_10 2.302585092994046
#define MEDIAN 0.5

/* us; the sources are in late.h. Of a CPU by its system. */
static const double of_system[][LATE_COUNT] = {
    [OS_REALTIME] = {2, 10, 16, 20, 25, 30},
    [OS_STOCK] = {15, 150, 450, 850, 1150, 1400},
    [OS_IDEAL] = {0, 0, 0, 0, 0, 0},
};
static const double of_kind[][LATE_COUNT] = {
    [DEVICE_GPU] = {56, 102, 136, 164, 188, 209},
    [DEVICE_FPGA] = {6.8, 12.3, 16.3, 19.6, 22.5, 25.1},
};

double late_quantile(const struct scenario *scenario, int device, enum late quantile)
{
    const struct device *d = &scenario->device[device];
    int system = scenario->device[scenario_host(scenario, device)].os;
    const double *typical =
        d->kind == DEVICE_CPU || system == OS_IDEAL ? of_system[system] : of_kind[d->kind];
    double delay = typical[quantile] / 1e6;

    if (d->late[quantile] != TIME_AUTO)
        return d->late[quantile];
    for (int q = (int)quantile + 1; q < LATE_COUNT; q++)
        if (d->late[q] != TIME_AUTO)
            delay = smaller(delay, d->late[q]);
    return delay;
}

bool late_any(const struct scenario *scenario, int device)
{
    for (int q = 0; q < LATE_COUNT; q++)
        if (late_quantile(scenario, device, (enum late)q) > 0)
            return true;
    return false;
}

bool late_matters(const struct scenario *scenario, int device)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_device_used(scenario, d) &&
            (d == device ||
             (scenario->device[d].kind == DEVICE_GPU && scenario_host(scenario, d) == device)))
            return true;
    return false;
}

double late_delay(const double quantile[LATE_COUNT], double probability)
{
    double nines, from, before = 0;

    if (probability >= MEDIAN)
        return 0;
    nines = -portable_log(probability) / LN_10;
    from = -portable_log(MEDIAN) / LN_10;
    for (int q = 0; q < LATE_COUNT; q++) {
        double next = larger(quantile[q], before);

        if (nines < q + 1)
            return before + (next - before) * (nines - from) / (q + 1 - from);
        before = next;
        from = q + 1;
    }
    return before;
}

double late_exceeded(const double quantile[LATE_COUNT], double delay)
{
    double from = -log10(MEDIAN), before = 0;

    if (delay < 0)
        return 1;
    for (int q = 0; q < LATE_COUNT; q++) {
        double next = larger(quantile[q], before);

        if (delay < next)
            return pow(10, -from - (q + 1 - from) * (delay - before) / (next - before));
        before = next;
        from = q + 1;
    }
    return 0;
}

uint32_t late_devices(const struct scenario *scenario, const struct result *result)
{
    uint32_t devices = 0;

    for (int i = 0; i < result->path_count; i++) {
        int d = result->node[result->path[i].node].device;

        if (d < 0)
            continue;
        devices |= UINT32_C(1) << d;
        if (scenario->device[d].kind == DEVICE_GPU &&
            scenario->device[d].dispatch != DISPATCH_PERSISTENT)
            devices |= UINT32_C(1) << scenario_host(scenario, d);
    }
    return devices;
}
