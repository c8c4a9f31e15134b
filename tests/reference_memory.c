#include "reference_memory.h"

#include <math.h>

static double or_else(double stated, double assumed)
{
    return stated > 0 ? stated : assumed;
}

static int levels_of_gpu(const struct device *d, struct reference_level *levels)
{
    double memory = d->bus_bits * d->memory_clock * d->transfers_per_clock / 8;
    double flying = d->units * d->outstanding;
    double l3 = d->l3_bandwidth > 0 ? d->l3_bandwidth : 2 * memory;
    double outer = d->l3 > 0 ? l3 : memory;
    int count = 0;

    if (d->l2 != 0)
        levels[count++] =
            (struct reference_level){d->cache_usable * (d->l2 > 0 ? d->l2 : 4 * 1048576),
                                     or_else(d->l2_bandwidth, fmax(2.1 * memory, outer)),
                                     or_else(d->l2_latency, 200e-9) / flying};
    if (d->l3 > 0)
        levels[count++] = (struct reference_level){d->cache_usable * d->l3, l3,
                                                   or_else(d->l3_latency, 300e-9) / flying};
    levels[count++] =
        (struct reference_level){INFINITY, memory, or_else(d->memory_latency, 500e-9) / flying};
    return count;
}

int reference_levels(const struct device *d, double cores, bool limited,
                     struct reference_level *levels)
{
    double flying = cores * d->outstanding;
    double sockets = 0;
    double memory;
    double own; /* of a core */
    double l1, l2, l3;
    int count = 0;

    if (d->kind == DEVICE_FPGA) {
        levels[0] = (struct reference_level){
            INFINITY, d->bus_bits * d->memory_clock * d->transfers_per_clock / 8,
            or_else(d->memory_latency, 500e-9) / (d->units * d->outstanding)};
        return 1;
    }
    if (d->kind == DEVICE_GPU)
        return levels_of_gpu(d, levels);
    while (sockets * d->cores < cores)
        sockets++;
    if (!d->numa)
        sockets = 1;
    memory = sockets * d->memory_channels * d->channel_bits * d->memory_rate / 8;
    own = or_else(d->core_bandwidth, fmax(8 * d->clock, d->memory_channels * d->channel_bits *
                                                            d->memory_rate / 8 / d->cores));
    if (limited)
        memory = fmin(memory, cores * own);
    l3 = fmin(24 * cores, 10 * sockets * d->cores) * d->clock;
    l3 = d->l3_bandwidth > 0 ? sockets * d->l3_bandwidth : fmax(l3, memory);
    if (d->l3_bandwidth > 0 && limited)
        l3 = fmin(l3, cores * or_else(d->l3_core_bandwidth,
                                      fmax(fmax(or_else(d->l2_bandwidth, 32 * d->clock), own),
                                           d->l3_bandwidth / d->cores)));
    l2 = d->l3 == 0 ? memory : l3; /* the next outer one */
    l2 = d->l2_bandwidth > 0 ? cores * d->l2_bandwidth : fmax(32 * cores * d->clock, l2);
    l1 = d->l2 != 0 ? l2 : d->l3 != 0 ? l3 : memory;
    l1 = d->l1_bandwidth > 0 ? cores * d->l1_bandwidth : fmax(64 * cores * d->clock, l1);
    if (d->l1 != 0)
        levels[count++] =
            (struct reference_level){cores * d->cache_usable * (d->l1 > 0 ? d->l1 : 32768), l1,
                                     or_else(d->l1_latency, 1.5e-9) / flying};
    if (d->l2 != 0)
        levels[count++] =
            (struct reference_level){cores * d->cache_usable * (d->l2 > 0 ? d->l2 : 1048576), l2,
                                     or_else(d->l2_latency, 5e-9) / flying};
    if (d->l3 != 0)
        levels[count++] = (struct reference_level){sockets * d->cache_usable *
                                                       (d->l3 > 0 ? d->l3 : d->cores * 2097152),
                                                   l3, or_else(d->l3_latency, 30e-9) / flying};
    levels[count++] =
        (struct reference_level){INFINITY, memory, or_else(d->memory_latency, 100e-9) / flying};
    return count;
}

/* P of a cache alone. */
static double hits(double capacity, const struct reference_access *a)
{
    if (a->beyond)
        return 0;
    return a->M == 0 ? 1 : fmin(1, pow(capacity / a->M, a->alpha));
}

static double gap(const struct reference_level *level, const struct reference_access *a)
{
    return a->e / level->bandwidth * a->slower;
}

/* An element of a block of L. */
static double in_block(const struct reference_level *level, const struct reference_access *a)
{
    double L = fmax(1, a->L);

    return (level->latency + gap(level, a) * (L - 1)) / L;
}

double reference_element(enum memory_model model, const struct reference_level *levels, int count,
                         const struct reference_access *a)
{
    const struct reference_level *last = &levels[count - 1];
    double cached = count > 1 ? hits(levels[count - 2].capacity, a) : 0;
    double before = 0;
    double sum = 0;

    switch (model) {
    case MODEL_FLAT:
        return gap(last, a);
    case MODEL_TWO_LEVEL:
        return (count > 1 ? cached * gap(last - 1, a) : 0) + (1 - cached) * gap(last, a);
    case MODEL_LATENCY_BANDWIDTH:
        return in_block(last, a);
    case MODEL_HIERARCHY_2:
        return (count > 1 ? cached * in_block(last - 1, a) : 0) + (1 - cached) * in_block(last, a);
    case MODEL_HIERARCHY:
        break;
    }
    for (int k = 0; k < count; k++) {
        double P = k == count - 1 ? 1 : fmax(before, hits(levels[k].capacity, a));

        sum += (P - before) * in_block(&levels[k], a);
        before = P;
    }
    return sum;
}
