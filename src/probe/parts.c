#include "probe/parts.h"

#include "probe/apexmap.h"
#include "probe/bandwidth.h"
#include "probe/dispatch.h"
#include "probe/gpu.h"
#include "probe/kernels.h"
#include "probe/memory.h"
#include "probe/operations.h"

/* Its idle times and samples are the same everywhere. */
static double dispatch_seconds(const struct probe *probe)
{
    return probe->quick ? 6 : 15;
}

/* The sizes are those of AO systems. */
static double kernels_seconds(const struct probe *probe)
{
    return probe->quick ? 25 : 240;
}

/* Nothing is known of a GPU before its driver is open. */
static double gpu_seconds(const struct probe *probe)
{
    return probe->quick ? 20 : 120;
}

/* clang-format off */
const struct probe_part probe_parts[] = {
    {.part = MEASUREMENT_MEMORY,
     .help = "latency by working set: pointer chains, scans, prefetch",
     .seconds = probe_memory_seconds, .run = probe_memory},
    {.part = MEASUREMENT_OPERATIONS,
     .help = "latency, throughput, subnormals, operands in memory",
     .seconds = probe_operations_seconds, .run = probe_operations},
    {.part = MEASUREMENT_BANDWIDTH,
     .help = "read, write, copy, triad, dot by level; one core and all",
     .seconds = probe_bandwidth_seconds, .run = probe_bandwidth},
    {.part = MEASUREMENT_APEX,
     .help = "access time by locality and block length (Apex-MAP)",
     .seconds = probe_apexmap_seconds, .run = probe_apexmap},
    {.part = MEASUREMENT_DISPATCH,
     .help = "how threads, processes and the network start work",
     .seconds = dispatch_seconds, .run = probe_dispatch},
};

const struct probe_part probe_part_kernels = {
    .part = MEASUREMENT_KERNELS,
    .help = "kernels of an adaptive optics loop, one core and all",
    .seconds = kernels_seconds, .run = probe_kernels};
const struct probe_part probe_part_gpu = {
    .part = MEASUREMENT_GPU,
    .help = "launches, bandwidth, copies, kernels",
    .seconds = gpu_seconds, .run = probe_gpu};
/* clang-format on */

const int probe_part_count = (int)(sizeof probe_parts / sizeof probe_parts[0]);
