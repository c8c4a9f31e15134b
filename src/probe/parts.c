#include "probe/parts.h"

#include "probe/apexmap.h"
#include "probe/bandwidth.h"
#include "probe/dispatch.h"
#include "probe/gpu.h"
#include "probe/kernels.h"
#include "probe/memory.h"
#include "probe/operations.h"

/* clang-format off */
/* The quick run of all parts takes less than a minute. */
const struct probe_part probe_parts[] = {
    {.part = MEASUREMENT_MEMORY,
     .help = "latency by working set: pointer chains, scans, prefetch",
     .seconds = 120, .quick_seconds = 10, .run = probe_memory},
    {.part = MEASUREMENT_OPERATIONS,
     .help = "latency, throughput, subnormals, operands in memory",
     .seconds = 40, .quick_seconds = 12, .run = probe_operations},
    {.part = MEASUREMENT_BANDWIDTH,
     .help = "read, write, copy, triad, dot by level; one core and all",
     .seconds = 40, .quick_seconds = 5, .run = probe_bandwidth},
    {.part = MEASUREMENT_APEX,
     .help = "access time by locality and block length (Apex-MAP)",
     .seconds = 45, .quick_seconds = 5, .run = probe_apexmap},
    {.part = MEASUREMENT_DISPATCH,
     .help = "how threads, processes and the network start work",
     .seconds = 15, .quick_seconds = 5, .run = probe_dispatch},
};

const struct probe_part probe_part_kernels = {
    .part = MEASUREMENT_KERNELS,
    .help = "kernels of an adaptive optics loop, one core and all",
    .seconds = 240, .quick_seconds = 25, .run = probe_kernels};
const struct probe_part probe_part_gpu = {
    .part = MEASUREMENT_GPU,
    .help = "launches, bandwidth, copies, kernels",
    .seconds = 120, .quick_seconds = 20, .run = probe_gpu};
/* clang-format on */

const int probe_part_count = (int)(sizeof probe_parts / sizeof probe_parts[0]);
