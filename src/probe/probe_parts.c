#include "memory_probe.h"
#include "operations.h"
#include "probe.h"

/* The seconds of the quick run are each part's budget: together they stay within a minute. */
const struct probe_part probe_parts[] = {
    {MEASUREMENT_MEMORY, "latency against working set, chains, walks, prefetch", 90, 18,
     probe_memory},
    {MEASUREMENT_OPERATIONS, "latency and throughput of operations, cost of subnormals", 40, 12,
     probe_operations},
};

const int probe_part_count = (int)(sizeof probe_parts / sizeof probe_parts[0]);
