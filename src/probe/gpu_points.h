/* Points of MEASUREMENT_GPU by name; a size is PARAMETER_SIZE, B:
 *
 *     launch       s from the call that enqueues an empty kernel until it is known to be finished
 *     enqueue      s of the host's thread for the call
 *     boundary     s between two kernels of a queue, beside their work: k kernels of n rounds each
 *                  take longer than one of k n rounds by k - 1 boundaries
 *     kernel       s per empty kernel, many in the queue
 *     fma          s per fp32 multiply-add of the whole device
 *     fma-long     the same at the end of half a minute of them, unless quick
 *     read, write, copy
 *                  s per byte of a kernel that passes over a buffer again and again, so long that
 *                  its start does not count; copy counts each byte read and written
 *     chase        s per access that depends on the one before, along a cycle through all lines
 *     to-device, to-host
 *                  s per copy of a size between pinned memory of the host and the device, from the
 *                  call until it is finished
 *     flag         s from the question that the host writes into mapped memory until it reads the
 *                  answer of a resident kernel
 *     barrier      s per barrier of all blocks of a resident kernel, one block per unit
 *     centroid.cog, reconstruction.mvm
 *                  s per frame, many in the queue, at sizes of the AO systems; their results are
 *                  compared with those of the host
 *
 * The type of launch, enqueue, boundary and kernel is "" in a queue of OpenCL, stream or graph of
 * CUDA; that of copies "" for OpenCL, pinned for CUDA's copy engine, mapped for a kernel that reads
 * or writes the memory of the host. CUDA's points and flag and barrier are measured where an NVIDIA
 * driver has the device; if OpenCL does not know it, they are all. */
#ifndef AOLAG_PROBE_GPU_POINTS_H
#define AOLAG_PROBE_GPU_POINTS_H

#include <stdbool.h>

#include "probe/measurement.h"

#define GPU_LAUNCH "launch"
#define GPU_ENQUEUE "enqueue"
#define GPU_BOUNDARY "boundary"
#define GPU_KERNEL "kernel"
#define GPU_FMA "fma"
#define GPU_FMA_LONG "fma-long"
#define GPU_READ "read"
#define GPU_WRITE "write"
#define GPU_COPY "copy"
#define GPU_CHASE "chase"
#define GPU_TO_DEVICE "to-device"
#define GPU_TO_HOST "to-host"
#define GPU_FLAG "flag"
#define GPU_BARRIER "barrier"

/* Types of points. */
#define GPU_STREAM "stream"
#define GPU_GRAPH "graph"
#define GPU_PINNED "pinned"
#define GPU_MAPPED "mapped"

/* What a driver reports of a device, written to and read from CONDITION_GPU_FIGURES. */
struct gpu_figures {
    double units;  /* compute units */
    double clock;  /* Hz; 0: unknown */
    double memory; /* B; 0: unknown */
    double cache;  /* B, of the device's memory; 0: unknown */
    bool shared;   /* its memory is that of the host */
};

void gpu_figures_text(const struct gpu_figures *figures, char text[CONDITION_MAX]);

/* Returns false for a text of another form; the figures are those of no device then, all 0. */
bool gpu_figures_read(const char *text, struct gpu_figures *figures);

#endif
