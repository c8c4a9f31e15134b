/* The driver of NVIDIA's GPUs, found at run time, with one device, one stream and a module of
 * kernels. Types, values and functions are declared here, so that building needs no toolkit.
 *
 * Source: NVIDIA, "CUDA Driver API", version 12, of which everything used here is part of 11.4. The
 * names are those that the library exports. */
#ifndef AOLAG_PROBE_CUDA_H
#define AOLAG_PROBE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef void *cuda_object;    /* CUstream, CUfunction, CUgraph, ... are opaque */
typedef uint64_t cuda_memory; /* CUdeviceptr */

/* Values of the specification. */
enum {
    CUDA_SUCCESS = 0,
    CUDA_CLOCK_RATE = 13, /* attributes of a device; kHz */
    CUDA_MULTIPROCESSORS = 16,
    CUDA_INTEGRATED = 18,
    CUDA_L2_SIZE = 38,
    CUDA_COOPERATIVE_LAUNCH = 95,
    CUDA_WAIT_SPINNING = 1, /* flag of a context */
    CUDA_HOST_MAPPED = 2,   /* flag of host memory */
    CUDA_STREAM_APART = 1,  /* flag of a stream: independent of the default one */
    CUDA_CAPTURE_THREAD = 1 /* mode of a capture: calls of this thread only */
};

#define CUDA_FUNCTIONS(X)                                                                          \
    X(Init, (unsigned))                                                                            \
    X(GetErrorName, (int, const char **))                                                          \
    X(DriverGetVersion, (int *))                                                                   \
    X(DeviceGetCount, (int *))                                                                     \
    X(DeviceGet, (int *, int))                                                                     \
    X(DeviceGetName, (char *, int, int))                                                           \
    X(DeviceGetAttribute, (int *, int, int))                                                       \
    X(DeviceTotalMem_v2, (size_t *, int))                                                          \
    X(DevicePrimaryCtxSetFlags, (int, unsigned))                                                   \
    X(DevicePrimaryCtxRetain, (cuda_object *, int))                                                \
    X(CtxSetCurrent, (cuda_object))                                                                \
    X(ModuleLoadData, (cuda_object *, const void *))                                               \
    X(ModuleGetFunction, (cuda_object *, cuda_object, const char *))                               \
    X(MemAlloc_v2, (cuda_memory *, size_t))                                                        \
    X(MemFree_v2, (cuda_memory))                                                                   \
    X(MemHostAlloc, (void **, size_t, unsigned))                                                   \
    X(MemHostGetDevicePointer_v2, (cuda_memory *, void *, unsigned))                               \
    X(MemFreeHost, (void *))                                                                       \
    X(MemcpyHtoDAsync_v2, (cuda_memory, const void *, size_t, cuda_object))                        \
    X(MemcpyDtoHAsync_v2, (void *, cuda_memory, size_t, cuda_object))                              \
    X(StreamCreate, (cuda_object *, unsigned))                                                     \
    X(StreamSynchronize, (cuda_object))                                                            \
    X(StreamBeginCapture_v2, (cuda_object, int))                                                   \
    X(StreamEndCapture, (cuda_object, cuda_object *))                                              \
    X(LaunchKernel, (cuda_object, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,      \
                     unsigned, cuda_object, void **, void **))                                     \
    X(LaunchCooperativeKernel, (cuda_object, unsigned, unsigned, unsigned, unsigned, unsigned,     \
                                unsigned, unsigned, cuda_object, void **))                         \
    X(GraphInstantiateWithFlags, (cuda_object *, cuda_object, unsigned long long))                 \
    X(GraphLaunch, (cuda_object, cuda_object))                                                     \
    X(GraphExecDestroy, (cuda_object))                                                             \
    X(GraphDestroy, (cuda_object))

struct cuda {
#define CUDA_MEMBER(name, arguments) int(*name) arguments;
    CUDA_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
    int device;
    cuda_object stream, module;
};

/* Loads libcuda.so.1 and finds the first device, or the first of a name unless NULL. It is not used
 * yet. Errors, STATUS_INVALID: there is no library, driver or such device. */
enum status cuda_find(struct cuda *cuda, const char *name, struct error *error);

/* Opens the device found, whose calls wait spinning, and compiles kernels, a text of PTX. Drivers
 * keep threads and memory until the process ends, so there is nothing to close. STATUS_INVALID if
 * the driver refuses it. */
enum status cuda_open(struct cuda *cuda, const char *kernels, struct error *error);

/* Returns a number that the device reports, 0 if unknown or negative. */
double cuda_number(const struct cuda *cuda, int attribute);

/* Fills the error, unless it is filled already, with the name of a function that failed and that of
 * its error; nothing for CUDA_SUCCESS. */
void cuda_check(const struct cuda *cuda, struct error *error, const char *function, int code);

#endif
