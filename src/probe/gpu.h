/* The GPU of this machine, measured through OpenCL: the first GPU that a driver reports, without
 * one NVIDIA's, then the first accelerator or processor. The points are those of gpu_points.h. */
#ifndef AOLAG_PROBE_GPU_H
#define AOLAG_PROBE_GPU_H

#include "probe/gpu_points.h"
#include "probe/probe.h"

/* Measures in a process of its own (apart.h). STATUS_INVALID without a driver or device, and for a
 * device that computes wrong results; STATUS_IO if the driver crashes or hangs. */
enum status probe_gpu(struct probe *probe, struct error *error);

#endif
