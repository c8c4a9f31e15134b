#include <stdio.h>

#include "device.h"
#include "explain/rules.h"

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

static double held(const struct explain *explain, struct explain_subject subject)
{
    return explain->result->work->held[subject.index];
}

/* Knobs of a device left open ------------------------------------------------------------------ */

#define OPEN(field, unset)                                                                         \
    static bool field##_open(const struct explain *explain, struct explain_subject subject)        \
    {                                                                                              \
        return explain_device(explain, subject)->field == (unset);                                 \
    }

OPEN(l1, CAPACITY_AUTO)
OPEN(l2, CAPACITY_AUTO)
OPEN(l3, CAPACITY_AUTO)
OPEN(l1_bandwidth, 0)
OPEN(l2_bandwidth, 0)
OPEN(l3_bandwidth, 0)
OPEN(l1_latency, 0)
OPEN(l2_latency, 0)
OPEN(l3_latency, 0)
OPEN(memory_latency, 0)
OPEN(core_bandwidth, 0)
OPEN(pc, 0)

static bool l3_of_cores(const struct explain *explain, struct explain_subject subject)
{
    return l3_open(explain, subject) && !explain_on_gpu(explain, subject);
}

/* Of the level all cores see, what one socket or core has. */
static void socket_text(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    snprintf(text, size,
             explain_on_gpu(explain, subject) ? "l3.bandwidth" : "l3.bandwidth / l3.sockets");
}

static void core_l1_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    (void)explain;
    (void)subject;
    snprintf(text, size, "l1.bandwidth / all_cores");
}

static void core_l2_text(const struct explain *explain, struct explain_subject subject, char *text,
                         size_t size)
{
    snprintf(text, size,
             explain_on_gpu(explain, subject) ? "l2.bandwidth" : "l2.bandwidth / all_cores");
}

static double device_cores_of(const struct explain *explain, struct explain_subject subject)
{
    return device_cores(explain_device(explain, subject));
}

static double taken_cores(const struct explain *explain, struct explain_subject subject)
{
    double sum = 0;

    for (int n = 0; n < explain->result->node_count; n++)
        if (explain->result->work->plan.node[n].device == subject.index)
            sum +=
                explain->scenario->component[explain->result->work->plan.node[n].component].workers;
    return sum;
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
    {EXPLAIN_DEVICE, "held", "B", NULL, "sum(users.*.working_set)", held,
     "working sets of all that runs there", NULL, false},
    {EXPLAIN_DEVICE, "all_cores", "", NULL, "sockets * cores", device_cores_of, "of all sockets",
     NULL, false},
    {EXPLAIN_DEVICE, "taken_cores", "", NULL, "sum(pinned.*.workers)", taken_cores,
     "that components state for themselves", NULL, false},
    {EXPLAIN_DEVICE, "core_bandwidth", NULL, core_bandwidth_open, "8 * clock", NULL, NULL, NULL,
     false},
    {EXPLAIN_DEVICE, "pc", NULL, pc_open, NULL, NULL,
     "the median error of published kernels predicted from vendors' figures", NULL, false},
    {EXPLAIN_DEVICE, "l1", NULL, l1_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l2", NULL, l2_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3", NULL, l3_of_cores, "2 * 1024 ^ 2 * cores", NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3", NULL, l3_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l1_bandwidth", NULL, l1_bandwidth_open, NULL, NULL, NULL, core_l1_text,
     false},
    {EXPLAIN_DEVICE, "l2_bandwidth", NULL, l2_bandwidth_open, NULL, NULL, NULL, core_l2_text,
     false},
    {EXPLAIN_DEVICE, "l3_bandwidth", NULL, l3_bandwidth_open, NULL, NULL, NULL, socket_text, false},
    {EXPLAIN_DEVICE, "l1_latency", NULL, l1_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l2_latency", NULL, l2_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "l3_latency", NULL, l3_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_DEVICE, "memory_latency", NULL, memory_latency_open, NULL, NULL, NULL, NULL, false},
    {EXPLAIN_COMPONENT, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false},
};
/* clang-format on */
