#include "roofs.h"

#include <stdio.h>
#include <string.h>

#include "knob.h"
#include "larger.h"
#include "roofs_point.h"
#include "stage.h"
#include "units.h"

/* Ceilings ------------------------------------------------------------------------------------- */

static struct roof_ceiling *add_ceiling(struct roofs *roofs, enum roof_kind kind, double peak,
                                        double part, const char *what, const char *unit)
{
    struct roof_ceiling *ceiling = &roofs->ceiling[roofs->ceilings++];
    char rate[32];

    *ceiling = (struct roof_ceiling){.kind = kind, .peak = peak, .sustained = peak * part};
    quantity_print(peak, unit, rate, sizeof rate);
    snprintf(ceiling->what, sizeof ceiling->what, "%s", what);
    snprintf(ceiling->name, sizeof ceiling->name, "%s %s", what, rate);
    return ceiling;
}

static void add_levels(const struct device *device, struct roofs *roofs)
{
    struct memory memory;

    device_memory(device, 0, &memory);
    for (int k = 0; k < memory.count; k++) {
        const struct memory_level *level = &memory.level[k];

        add_ceiling(roofs, ROOF_LEVEL, level->bandwidth, device->sustained_memory,
                    memory_level_name(level->id), "B/s")
            ->level = level->id;
    }
}

static void add_peak(const struct device *device, struct roofs *roofs, enum roof_kind kind,
                     enum precision precision, double peak)
{
    bool fuses = device->kind == DEVICE_GPU ? device->ops_per_clock > 1 : device->fma != 0;
    const char *how = kind == ROOF_NO_FMA   ? " no FMA"
                      : kind == ROOF_SCALAR ? " scalar"
                      : fuses               ? " FMA"
                                            : "";
    char what[32];

    snprintf(what, sizeof what, "%s%s", knob_word(SECTION_COMPONENT, "precision", (int)precision),
             how);
    add_ceiling(roofs, kind, peak, device->sustained_compute, what, roofs_rate_unit(precision))
        ->precision = precision;
}

/* Every processor has fp64 and fp32, every GPU all; bf16 goes at the rate of fp16. What else a
 * processor's registers might hold counts where a component uses it. */
static bool has(const struct device *device, enum precision precision)
{
    return precision == PRECISION_FP64 || precision == PRECISION_FP32 ||
           (device->kind == DEVICE_GPU && precision != PRECISION_BF16);
}

static bool uses(const struct roofs *roofs, enum precision precision)
{
    for (int p = 0; p < roofs->points; p++)
        if (roofs->point[p].precision == precision)
            return true;
    return false;
}

/* From the highest: by element, but where a GPU's ratios have it otherwise. */
static void sort_peaks(struct roofs *roofs, int first)
{
    for (int i = first + 1; i < roofs->ceilings; i++) {
        struct roof_ceiling moved = roofs->ceiling[i];
        int at = i;

        for (; at > first && roofs->ceiling[at - 1].peak < moved.peak; at--)
            roofs->ceiling[at] = roofs->ceiling[at - 1];
        roofs->ceiling[at] = moved;
    }
}

static void add_peaks(const struct device *device, struct roofs *roofs)
{
    int first = roofs->ceilings;
    double lanes = device_lanes(device, PRECISION_FP32);
    double single = device_peak(device, PRECISION_FP32) / (device->fma ? 2 : 1);

    for (int p = PRECISION_FP64; p <= PRECISION_INT8; p++)
        if (has(device, (enum precision)p) || uses(roofs, (enum precision)p))
            add_peak(device, roofs, ROOF_PEAK, (enum precision)p,
                     device_peak(device, (enum precision)p));
    if (device->kind == DEVICE_CPU && device->fma)
        add_peak(device, roofs, ROOF_NO_FMA, PRECISION_FP32, single);
    if (device->kind == DEVICE_CPU && lanes > 1)
        add_peak(device, roofs, ROOF_SCALAR, PRECISION_FP32, single / lanes);
    sort_peaks(roofs, first);
}

static bool serves(const struct roofs *roofs, enum memory_level_id level)
{
    for (int p = 0; p < roofs->points; p++)
        if (roofs->point[p].served[level] > 0)
            return true;
    return false;
}

static void mark_used(struct roofs *roofs)
{
    for (int i = 0; i < roofs->ceilings; i++) {
        struct roof_ceiling *ceiling = &roofs->ceiling[i];

        ceiling->used = ceiling->kind == ROOF_LEVEL  ? serves(roofs, ceiling->level)
                        : ceiling->kind == ROOF_PEAK ? uses(roofs, ceiling->precision)
                                                     : false;
    }
}

/* All ------------------------------------------------------------------------------------------ */

void roofs_find(const struct scenario *scenario, const struct result *result, int device,
                struct roofs *roofs)
{
    const struct device *of = &scenario->device[device];

    roofs->ceilings = roofs->points = 0;
    roofs->sustained_memory = of->sustained_memory;
    roofs->sustained_compute = of->sustained_compute;
    roofs->sockets = of->kind == DEVICE_CPU ? of->sockets : 1;
    memcpy(roofs->device, of->head.name, sizeof roofs->device);
    memcpy(roofs->model, of->model[0] != '\0' ? of->model : of->preset, sizeof roofs->model);
    for (int n = 0; n < result->node_count; n++) {
        if (result->node[n].device != device || node_is_whole(&result->node[n]))
            continue;
        roofs_point(scenario, result, n, false, &roofs->point[roofs->points++]);
        if (result->node[n].deferred > 0)
            roofs_point(scenario, result, n, true, &roofs->point[roofs->points++]);
    }
    add_levels(of, roofs);
    add_peaks(of, roofs);
    mark_used(roofs);
}

int roofs_device(const struct result *result)
{
    double most = -1;
    int found = result->device_count > 0 ? 0 : -1;

    for (int d = 0; d < result->device_count; d++) {
        double part = -1;

        for (int n = 0; n < result->node_count; n++)
            if (result->node[n].device == d)
                part = larger(part, 0) + result->node[n].path_busy + result->node[n].path_wait;
        if (part > most) {
            most = part;
            found = d;
        }
    }
    return found;
}

double roofs_ridge(const struct roof_ceiling *level, const struct roof_ceiling *peak)
{
    return peak->peak / level->peak;
}

const char *roofs_rate_unit(enum precision precision)
{
    return precision == PRECISION_INT8 ? "OP/s" : "FLOP/s";
}

const char *roof_loss_name(enum roof_loss loss)
{
    static const char *const names[LOSS_COUNT] = {"cores", "efficiency", "latency",
                                                  "share", "packets",    "launches"};

    return names[loss];
}
