#include "apexmap.h"
#include "bandwidth.h"
#include "memory_probe.h"
#include "operations.h"
#include "probe.h"

/* The seconds of the quick run are each part's budget: together they stay within a minute. */
const struct probe_part probe_parts[] = {
    {MEASUREMENT_MEMORY, "latency against working set, chains, walks, prefetch", 120, 10,
     probe_memory},
    {MEASUREMENT_OPERATIONS, "latency and throughput of operations, cost of subnormals", 40, 12,
     probe_operations},
    {MEASUREMENT_BANDWIDTH, "read, write, copy, triad, dot by level; one core and all", 40, 5,
     probe_bandwidth},
    {MEASUREMENT_APEX, "time of an access against locality and block (Apex-MAP)", 45, 5,
     probe_apexmap},
};

const int probe_part_count = (int)(sizeof probe_parts / sizeof probe_parts[0]);
