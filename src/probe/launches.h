/* The fixed times of a way in which a host starts kernels on a GPU: a queue of OpenCL, a stream or
 * a graph of CUDA. */
#ifndef AOLAG_PROBE_LAUNCHES_H
#define AOLAG_PROBE_LAUNCHES_H

#include "probe/probe.h"

struct launches {
    struct probe *probe;
    const char *type; /* of the points: "" for OpenCL, "stream", "graph" */
    void *data;       /* of the functions below, which do nothing once the probe has failed */

    /* Prepares `kernels` kernels that run one after another, each on all compute units and with
     * that many dependent operations; 0 operations is an empty kernel. A kernel of one thread would
     * start and end sooner than any that computes. */
    void (*prepare)(void *data, int kernels, uint32_t operations);
    void (*enqueue)(void *data); /* enqueues the prepared kernels */
    void (*finish)(void *data);  /* waits until all are finished */
};

/* Adds the points "launch", "kernel", "enqueue" and "boundary" (gpu_points.h). A boundary that is
 * shorter than the variation of a kernel is a point without samples. */
void launches_measure(const struct launches *launches);

#endif
