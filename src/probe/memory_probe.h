/* The latency staircase: walks over working sets from a first-level cache to main memory. */
#ifndef AOLAG_MEMORY_PROBE_H
#define AOLAG_MEMORY_PROBE_H

#include "probe.h"

enum status probe_memory(struct probe *probe, struct error *error);

#endif
