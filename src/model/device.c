#include "model/device.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/workload.h"

static double precision_ratio(const struct device *device, enum precision precision)
{
    switch (precision) {
    case PRECISION_FP64:
        return device->fp64_ratio;
    case PRECISION_FP16:
    case PRECISION_BF16:
        return device->fp16_ratio;
    case PRECISION_INT8:
        return device->int8_ratio;
    case PRECISION_FP32:
        break;
    }
    return 1;
}

double device_scalar_flops(const struct device *device, enum chain chain)
{
    if (!chain_scalar(chain) || device_chain_latency(device, chain) == 0)
        return 0;
    return device->clock * device->scalar_rate;
}

double device_peak(const struct device *device, enum precision precision)
{
    double lanes;

    if (device->kind == DEVICE_GPU)
        return device->units * device->clock * device->ops_per_clock *
               precision_ratio(device, precision);
    lanes = device_lanes(device, precision);
    return device->sockets * device->cores * device->clock * lanes * device->fma_pipes *
           (device->fma ? 2 : 1);
}

double device_bandwidth(const struct device *device)
{
    if (device->kind == DEVICE_GPU)
        return device->bus_bits / 8 * device->memory_clock * device->transfers_per_clock;
    return device->sockets * device->memory_channels * device->channel_bits / 8 *
           device->memory_rate;
}

/* Device memory -------------------------------------------------------------------------------- */

#define KIB 1024.0
#define MIB (1024 * KIB)
#define NS 1e-9

/* What of a device is in use, and how many accesses that has in flight. */
struct use {
    double cores, sockets;
    double memory_sockets; /* whose memory and L3 count */
    double in_flight;
};

/* A cache with its knobs' values for one of `many`; the rest is of all. */
struct cache {
    enum memory_level_id id;
    double many;
    double stated_capacity, capacity; /* of one: the knob, what is assumed without it */
    double stated_bandwidth;          /* of one */
    double drawn;                     /* most that the cores in use draw of what is stated */
    double bandwidth;
    double stated_latency, latency;
};

static double stated_or(double stated, double assumed)
{
    return stated > 0 ? stated : assumed;
}

double device_core_bandwidth(const struct device *device)
{
    if (device->kind == DEVICE_GPU)
        return 0;
    return stated_or(device->core_bandwidth, 8 * device->clock);
}

static struct use use_of(const struct device *device, double workers)
{
    struct use use = {0, 1, 1, device->units * device->outstanding};

    if (device->kind == DEVICE_GPU)
        return use;
    use.cores = workers > 0 ? smaller(workers, device_cores(device)) : device_cores(device);
    use.sockets = ceil(use.cores / device->cores);
    use.memory_sockets = device->numa ? use.sockets : 1;
    use.in_flight = use.cores * device->outstanding;
    return use;
}

static void put_memory(const struct device *device, const struct use *use, double workers,
                       struct memory *memory)
{
    struct memory_level *level = &memory->level[0];
    double assumed = device->kind == DEVICE_GPU ? 500 * NS : 100 * NS;

    memory->count = 1;
    level->id = LEVEL_MEMORY;
    level->capacity = HUGE_VAL;
    level->bandwidth = device_bandwidth(device);
    if (device->kind == DEVICE_CPU)
        level->bandwidth *= use->memory_sockets / device->sockets;
    if (device->kind == DEVICE_CPU && workers > 0)
        level->bandwidth = smaller(level->bandwidth, use->cores * device_core_bandwidth(device));
    level->latency = stated_or(device->memory_latency, assumed) / use->in_flight;
}

/* Levels go in from the outside. */
static void put_cache(const struct device *device, const struct use *use, const struct cache *cache,
                      struct memory *memory)
{
    double capacity =
        cache->stated_capacity == CAPACITY_AUTO ? cache->capacity : cache->stated_capacity;
    struct memory_level *level = &memory->level[0];

    if (capacity <= 0)
        return;
    memmove(level + 1, level, sizeof *level * (size_t)memory->count);
    memory->count++;
    level->id = cache->id;
    level->capacity = device->cache_usable * cache->many * capacity;
    level->bandwidth = cache->stated_bandwidth > 0
                           ? smaller(cache->many * cache->stated_bandwidth, cache->drawn)
                           : larger(cache->bandwidth, level[1].bandwidth);
    level->latency = stated_or(cache->stated_latency, cache->latency) / use->in_flight;
}

static void put_caches_of_gpu(const struct device *d, const struct use *use, struct memory *memory)
{
    double bandwidth = device_bandwidth(d);
    struct cache l3 = {LEVEL_L3,      1,       d->l3, 0, d->l3_bandwidth, HUGE_VAL, 2 * bandwidth,
                       d->l3_latency, 300 * NS};
    struct cache l2 = {LEVEL_L2,        1,        d->l2,         4 * MIB,
                       d->l2_bandwidth, HUGE_VAL, 3 * bandwidth, d->l2_latency,
                       200 * NS};

    put_cache(d, use, &l3, memory);
    put_cache(d, use, &l2, memory);
}

double device_l3_draw(const struct device *d)
{
    double core = larger(stated_or(d->l2_bandwidth, 32 * d->clock), device_core_bandwidth(d));

    if (d->l3_core_bandwidth > 0)
        return d->l3_core_bandwidth;
    return larger(core, d->l3_bandwidth / d->cores);
}

static void put_caches_of_cpu(const struct device *d, const struct use *use, double workers,
                              struct memory *memory)
{
    double drawn = workers > 0 ? use->cores * device_l3_draw(d) : HUGE_VAL;
    double l3_cores = smaller(24 * use->cores, 10 * use->memory_sockets * d->cores);
    struct cache l3 = {LEVEL_L3,
                       use->memory_sockets,
                       d->l3,
                       2 * MIB * d->cores,
                       d->l3_bandwidth,
                       drawn,
                       d->clock * l3_cores,
                       d->l3_latency,
                       30 * NS};
    struct cache l2 = {LEVEL_L2,
                       use->cores,
                       d->l2,
                       MIB,
                       d->l2_bandwidth,
                       HUGE_VAL,
                       32 * use->cores * d->clock,
                       d->l2_latency,
                       5 * NS};
    struct cache l1 = {LEVEL_L1,
                       use->cores,
                       d->l1,
                       32 * KIB,
                       d->l1_bandwidth,
                       HUGE_VAL,
                       64 * use->cores * d->clock,
                       d->l1_latency,
                       1.5 * NS};

    put_cache(d, use, &l3, memory);
    put_cache(d, use, &l2, memory);
    put_cache(d, use, &l1, memory);
}

void device_memory(const struct device *device, double workers, struct memory *memory)
{
    struct use use = use_of(device, workers);

    put_memory(device, &use, workers, memory);
    if (device->kind == DEVICE_GPU)
        put_caches_of_gpu(device, &use, memory);
    else
        put_caches_of_cpu(device, &use, workers, memory);
}

void device_memory_knobs(const struct device *device, const struct memory *all, struct memory *each)
{
    struct use use = use_of(device, 0);

    each->count = all->count;
    for (int k = 0; k < all->count; k++) {
        struct memory_level *level = &each->level[k];
        double many = larger(use.cores, 1);

        *level = all->level[k];
        if (level->id == LEVEL_L3)
            many = use.memory_sockets;
        if (level->id != LEVEL_MEMORY)
            level->bandwidth /= many;
        level->capacity /= many * device->cache_usable;
        level->latency *= use.in_flight;
    }
}
