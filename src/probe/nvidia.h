/* What only the driver of an NVIDIA GPU can measure: streams, graphs, a kernel that stays resident,
 * copies through pinned and mapped memory. The points are those of gpu_points.h. */
#ifndef AOLAG_PROBE_NVIDIA_H
#define AOLAG_PROBE_NVIDIA_H

#include "probe/cuda.h"
#include "probe/gpu_points.h"
#include "probe/probe.h"

/* Fills what is reported of the device found by cuda_find, if OpenCL does not know it: figures,
 * name (cut to `size`) and driver. */
void nvidia_describe(const struct cuda *cuda, struct gpu_figures *figures, char *name, size_t size,
                     char driver[CONDITION_MAX]);

/* Opens the device and adds the points to the part that has begun; its progress goes from `from` to
 * `to`. STATUS_INVALID if the driver fails or computes wrong results. */
enum status nvidia_measure(struct probe *probe, struct cuda *cuda, double from, double to);

#endif
