#include "model/device.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "design/knob.h"
#include "model/formulas.h"

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

double device_peak(const struct device *device, enum precision precision)
{
    return formula_peak_flops(device, precision_bytes(precision),
                              precision_ratio(device, precision));
}

double device_cores(const struct device *device)
{
    return formula_all_cores(device);
}

double device_bandwidth(const struct device *device)
{
    return formula_memory_bandwidth(device);
}

const char *device_memory_kind(const struct device *device)
{
    enum { CHANNEL = 64, WIDE_CHANNEL = 128, WIDE_BUS = 1024 };

    if (device->base != NULL && device->base->kind == device->kind)
        device = device->base; /* another width does not make another memory of it */
    if (device->kind == DEVICE_FPGA) {
        /* the width that the table assumes is a GPU's */
        const struct knob *width = &knobs[KNOB_DEVICE_BUS_BITS];

        return device->bus_bits >= WIDE_BUS && knob_set_has(&device->head.own, width) &&
                       !knob_set_has(&device->origin[ORIGIN_ASSUMED - ORIGIN_STATED], width)
                   ? "HBM"
                   : "";
    }
    if (device->kind == DEVICE_GPU)
        return device->bus_bits >= WIDE_BUS             ? "HBM"
               : device->host_link == HOST_LINK_UNIFIED ? "LPDDR"
                                                        : "GDDR";
    return device->channel_bits >= WIDE_CHANNEL ? "HBM"
           : device->channel_bits < CHANNEL     ? "LPDDR"
           : device->memory_size > 0            ? ""
                                                : "DDR";
}

/* Device memory -------------------------------------------------------------------------------- */

#define KIB 1024.0
#define MIB (1024 * KIB)
#define NS 1e-9

/* The part of a device in use, and its accesses in flight. */
struct use {
    double cores;
    double sockets; /* sockets whose memory and L3 are used */
    double in_flight;
};

/* A cache: stated values, per core, socket or GPU, and defaults; the bandwidth is the total of the
 * caches in use. */
struct cache {
    enum memory_level_id id;
    double count; /* number of caches in use */
    double capacity, assumed_capacity;
    double bandwidth;
    double latency, assumed_latency;
};

static double positive_or(double stated, double assumed)
{
    return stated > 0 ? stated : assumed;
}

double device_core_bandwidth(const struct device *device)
{
    if (device->kind != DEVICE_CPU)
        return 0;
    return formula_core_bandwidth(device, device_bandwidth(device));
}

static struct use device_use(const struct device *device, double workers)
{
    double all = device_cores(device);
    double cores = workers > 0 ? smaller(workers, all) : all;

    return (struct use){.cores = cores,
                        .sockets =
                            device->kind == DEVICE_CPU ? formula_sockets_in_use(device, cores) : 1,
                        .in_flight = formula_in_flight(device, cores)};
}

static void add_memory(const struct device *device, const struct use *use, double workers,
                       struct memory *memory)
{
    struct memory_level *level = &memory->level[0];
    double latency =
        positive_or(device->memory_latency, (device->kind != DEVICE_CPU ? 500 : 100) * NS);
    double bandwidth = device_bandwidth(device);

    memory->count = 1;
    level->id = LEVEL_MEMORY;
    level->capacity = HUGE_VAL;
    level->bandwidth = device->kind != DEVICE_CPU ? bandwidth
                       : workers > 0
                           ? formula_memory_level_drawn(bandwidth, use->sockets, device, use->cores,
                                                        device_core_bandwidth(device))
                           : formula_memory_level(bandwidth, use->sockets, device);
    level->latency = latency / use->in_flight;
}

static double cache_capacity(const struct cache *cache)
{
    return cache->capacity == CAPACITY_AUTO ? cache->assumed_capacity : cache->capacity;
}

/* Inserts a level; levels are inserted from the outermost. */
static void add_cache(const struct device *device, const struct use *use, const struct cache *cache,
                      struct memory *memory)
{
    struct memory_level *level = &memory->level[0];

    if (cache_capacity(cache) <= 0)
        return;
    memmove(level + 1, level, sizeof *level * (size_t)memory->count);
    memory->count++;
    level->id = cache->id;
    level->capacity = device->cache_usable * cache->count * cache_capacity(cache);
    level->bandwidth = cache->bandwidth;
    level->latency = positive_or(cache->latency, cache->assumed_latency) / use->in_flight;
}

static void add_gpu_caches(const struct device *d, const struct use *use, struct memory *memory)
{
    const struct memory_level *outer = &memory->level[0];
    double memory_bandwidth = device_bandwidth(d);

    add_cache(d, use,
              &(struct cache){.id = LEVEL_L3,
                              .count = 1,
                              .capacity = d->l3,
                              .assumed_capacity = 0,
                              .bandwidth = formula_l3_level(d, 0, 1, memory_bandwidth, outer),
                              .latency = d->l3_latency,
                              .assumed_latency = 300 * NS},
              memory);
    add_cache(d, use,
              &(struct cache){.id = LEVEL_L2,
                              .count = 1,
                              .capacity = d->l2,
                              .assumed_capacity = 4 * MIB,
                              .bandwidth = formula_l2_level(d, 0, memory_bandwidth, outer),
                              .latency = d->l2_latency,
                              .assumed_latency = 200 * NS},
              memory);
}

static double l3_bandwidth(const struct device *d, const struct use *use, double workers,
                           const struct memory_level *outer)
{
    if (d->l3_bandwidth == 0 || workers == 0)
        return formula_l3_level(d, use->cores, use->sockets, 0, outer);
    return formula_l3_drawn(use->sockets, d, use->cores,
                            formula_l3_core_bandwidth(d, device_core_bandwidth(d)));
}

static void add_cpu_caches(const struct device *d, const struct use *use, double workers,
                           struct memory *memory)
{
    const struct memory_level *outer = &memory->level[0];

    add_cache(d, use,
              &(struct cache){.id = LEVEL_L3,
                              .count = use->sockets,
                              .capacity = d->l3,
                              .assumed_capacity = formula_l3_capacity(d),
                              .bandwidth = l3_bandwidth(d, use, workers, outer),
                              .latency = d->l3_latency,
                              .assumed_latency = 30 * NS},
              memory);
    add_cache(d, use,
              &(struct cache){.id = LEVEL_L2,
                              .count = use->cores,
                              .capacity = d->l2,
                              .assumed_capacity = MIB,
                              .bandwidth = formula_l2_level(d, use->cores, 0, outer),
                              .latency = d->l2_latency,
                              .assumed_latency = 5 * NS},
              memory);
    add_cache(d, use,
              &(struct cache){.id = LEVEL_L1,
                              .count = use->cores,
                              .capacity = d->l1,
                              .assumed_capacity = 32 * KIB,
                              .bandwidth = formula_l1_level(d, use->cores, outer),
                              .latency = d->l1_latency,
                              .assumed_latency = 1.5 * NS},
              memory);
}

void device_memory(const struct device *device, double workers, struct memory *memory)
{
    struct use use = device_use(device, workers);

    add_memory(device, &use, workers, memory);
    if (device->kind == DEVICE_GPU)
        add_gpu_caches(device, &use, memory);
    else if (device->kind == DEVICE_CPU)
        add_cpu_caches(device, &use, workers, memory);
}

void device_memory_knobs(const struct device *device, const struct memory *all, struct memory *each)
{
    struct use use = device_use(device, 0);

    each->count = all->count;
    for (int k = 0; k < all->count; k++) {
        struct memory_level *level = &each->level[k];
        double count = larger(use.cores, 1);

        *level = all->level[k];
        if (level->id == LEVEL_L3)
            count = use.sockets;
        if (level->id != LEVEL_MEMORY)
            level->bandwidth /= count;
        level->capacity /= count * device->cache_usable;
        level->latency *= use.in_flight;
    }
}

double device_efficiency(unsigned char taken[CASES_COUNT], const struct device *device,
                         const struct algorithm *row, enum precision precision, double stated)
{
    return formula_compute_efficiency(
        taken, stated, device_chain_latency(device, row->chain) > 0,
        device_has_operation_latencies(device) && algorithm_elementwise(row), device,
        row->gpu_efficiency, row->cpu_efficiency, row->measured, device_peak(device, precision));
}
