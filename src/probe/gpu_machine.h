/* Figures of a GPU for a device preset, derived from the points of MEASUREMENT_GPU.
 *
 * Pure. What was not measured is RESULT_NONE. The minimum sample of a point is its cost, the median
 * that of fma-long. A bandwidth or latency of the cache is that of the largest size of at most half of
 * it, of the memory that of the largest size, if it is at least twice the cache. The bandwidth of
 * copies is (s - s0) / (t - t0) of the largest size s and the smallest s0, which leaves out the fixed
 * time of a copy. */
#ifndef AOLAG_PROBE_GPU_MACHINE_H
#define AOLAG_PROBE_GPU_MACHINE_H

#include "design/scenario.h"
#include "probe/gpu_points.h"

/* The fixed times of a way to start work, s. */
struct gpu_starts {
    double launch; /* from an enqueued kernel until it is known to be finished, less boundary; of a
                      resident kernel from a question to its answer */
    double boundary; /* between two kernels; of a resident kernel a barrier of all blocks */
    double enqueue;  /* of the host's thread; 0 for a resident kernel */
};

struct gpu_machine {
    struct gpu_figures figures; /* units 0: unknown */
    /* by enum dispatch: stream (of CUDA, without it the queue of OpenCL), graph, persistent */
    struct gpu_starts starts[DISPATCH_PERSISTENT + 1];
    bool with_cuda; /* those of a stream are CUDA's */
    double fma;     /* multiply-adds per s */
    double units;   /* fp32 units: those of a compute unit as a power of two that reaches fma, with
                       5 % tolerance for the clock */
    double clock;   /* Hz, reported, or 1 GHz */
    double
        sustained_clock; /* Hz: clock times the rate of fma-long over that of fma, at most clock */
    double read, write, copy;      /* B/s, memory */
    double cache_read;             /* B/s */
    double latency, cache_latency; /* s */
    /* through pinned memory, by the copy engine */
    double copy_latency;                     /* s of the smallest copy, mean of both directions */
    double to_device, to_host;               /* B/s, largest copy */
    double mapped_to_device, mapped_to_host; /* B/s, of a kernel that reads or writes host memory */
};

/* Returns the type of the points of copies through the copy engine: pinned, or "" without CUDA. */
const char *gpu_copy_type(const struct measurement *measurement);

void gpu_machine_from(const struct measurement *measurement, struct gpu_machine *machine);

/* Returns true if the fixed times of a way to start work are known. */
bool gpu_machine_starts(const struct gpu_machine *machine, enum dispatch dispatch);

/* Returns true if a preset can be made of it: a bandwidth or a launch is known. */
bool gpu_machine_is_known(const struct gpu_machine *machine);

/* Returns the generation of a PCIe link of 16 lanes that carries the larger bandwidth of the
 * copies, with 3 % tolerance; 0 if none does, RESULT_NONE if it is unknown. */
double gpu_machine_link(const struct gpu_machine *machine);

#endif
