#include <stdio.h>

#include "explain_rules.h"

static bool is_gpu(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->device[subject.index].kind == DEVICE_GPU;
}

static bool fused(const struct explain *explain, struct explain_subject subject)
{
    return explain->scenario->device[subject.index].fma != 0;
}

static double link_busy(const struct explain *explain, struct explain_subject subject)
{
    return explain->result->link[subject.index].busy;
}

/* clang-format off */
const struct explain_rule explain_device_rules[] = {
    {EXPLAIN_DEVICE, "peak_flops", NULL, is_gpu, "units * clock * ops_per_clock", NULL, NULL, NULL,
     false},
    {EXPLAIN_DEVICE, "peak_flops", NULL, fused,
     "sockets * cores * clock * simd_bits / 32 * fma_pipes * 2", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "peak_flops", NULL, NULL,
     "sockets * cores * clock * simd_bits / 32 * fma_pipes", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "memory_bandwidth", NULL, is_gpu,
     "bus_bits / 8 * memory_clock * transfers_per_clock", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "memory_bandwidth", NULL, NULL,
     "sockets * memory_channels * channel_bits / 8 * memory_rate", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "busy", NULL, NULL, "sum(users.*.device_time)", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "utilisation", NULL, NULL, "busy / frame_period", NULL, NULL, NULL, false},
    {EXPLAIN_LINK, "busy", "us", NULL, "sum(users.*.frame_busy)", link_busy,
     "per frame of the loop", NULL, false},
    {EXPLAIN_DEVICE, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
