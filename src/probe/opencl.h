/* OpenCL, found at run time: the library that knows the installed drivers (ICD loader) and one
 * device. Types, values and functions are declared here, so that building needs no OpenCL.
 *
 * Source: Khronos OpenCL Working Group, "The OpenCL API Specification", version 3.0, of which
 * everything used here is part of version 1.2. */
#ifndef AOLAG_PROBE_OPENCL_H
#define AOLAG_PROBE_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Objects of the driver (_cl_platform_id, _cl_kernel, ...) are opaque. */
typedef void *opencl_object;

/* Values of the specification. */
enum {
    OPENCL_SUCCESS = 0,
    OPENCL_FALSE = 0,
    OPENCL_TRUE = 1,
    OPENCL_DEVICE_TYPE = 0x1000,
    OPENCL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    OPENCL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    OPENCL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C, /* MHz */
    OPENCL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    OPENCL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
    OPENCL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    OPENCL_DEVICE_NAME = 0x102B,
    OPENCL_DEVICE_VENDOR = 0x102C,
    OPENCL_DRIVER_VERSION = 0x102D,
    OPENCL_DEVICE_VERSION = 0x102F,
    OPENCL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    OPENCL_PROGRAM_BUILD_LOG = 0x1183,
};

#define OPENCL_DEVICE_TYPE_CPU ((uint64_t)1 << 1)
#define OPENCL_DEVICE_TYPE_GPU ((uint64_t)1 << 2)
#define OPENCL_DEVICE_TYPE_ACCELERATOR ((uint64_t)1 << 3)
#define OPENCL_MEM_READ_WRITE ((uint64_t)1 << 0)
#define OPENCL_MEM_ALLOC_HOST_PTR ((uint64_t)1 << 4)
#define OPENCL_MAP_READ_WRITE ((uint64_t)3)

/* The functions, as clNAME of the specification. */
#define OPENCL_FUNCTIONS(X)                                                                        \
    X(GetPlatformIDs, int32_t, (uint32_t, opencl_object *, uint32_t *))                            \
    X(GetDeviceIDs, int32_t, (opencl_object, uint64_t, uint32_t, opencl_object *, uint32_t *))     \
    X(GetDeviceInfo, int32_t, (opencl_object, uint32_t, size_t, void *, size_t *))                 \
    X(CreateContext, opencl_object,                                                                \
      (const intptr_t *, uint32_t, const opencl_object *,                                          \
       void (*)(const char *, const void *, size_t, void *), void *, int32_t *))                   \
    X(CreateCommandQueue, opencl_object, (opencl_object, opencl_object, uint64_t, int32_t *))      \
    X(CreateProgramWithSource, opencl_object,                                                      \
      (opencl_object, uint32_t, const char **, const size_t *, int32_t *))                         \
    X(BuildProgram, int32_t,                                                                       \
      (opencl_object, uint32_t, const opencl_object *, const char *,                               \
       void (*)(opencl_object, void *), void *))                                                   \
    X(GetProgramBuildInfo, int32_t,                                                                \
      (opencl_object, opencl_object, uint32_t, size_t, void *, size_t *))                          \
    X(CreateKernel, opencl_object, (opencl_object, const char *, int32_t *))                       \
    X(SetKernelArg, int32_t, (opencl_object, uint32_t, size_t, const void *))                      \
    X(CreateBuffer, opencl_object, (opencl_object, uint64_t, size_t, void *, int32_t *))           \
    X(ReleaseMemObject, int32_t, (opencl_object))                                                  \
    X(EnqueueNDRangeKernel, int32_t,                                                               \
      (opencl_object, opencl_object, uint32_t, const size_t *, const size_t *, const size_t *,     \
       uint32_t, const opencl_object *, opencl_object *))                                          \
    X(EnqueueReadBuffer, int32_t,                                                                  \
      (opencl_object, opencl_object, uint32_t, size_t, size_t, void *, uint32_t,                   \
       const opencl_object *, opencl_object *))                                                    \
    X(EnqueueWriteBuffer, int32_t,                                                                 \
      (opencl_object, opencl_object, uint32_t, size_t, size_t, const void *, uint32_t,             \
       const opencl_object *, opencl_object *))                                                    \
    X(EnqueueMapBuffer, void *,                                                                    \
      (opencl_object, opencl_object, uint32_t, uint64_t, size_t, size_t, uint32_t,                 \
       const opencl_object *, opencl_object *, int32_t *))                                         \
    X(Finish, int32_t, (opencl_object))

struct opencl {
#define OPENCL_MEMBER(name, type, arguments) type(*name) arguments;
    OPENCL_FUNCTIONS(OPENCL_MEMBER)
#undef OPENCL_MEMBER
    opencl_object device, context, queue, program; /* the queue is in order */
};

/* Loads libOpenCL.so.1 and opens the first GPU of all platforms; without one the first
 * accelerator, then the first processor. Drivers keep threads and memory until the process ends, so
 * there is nothing to close. Errors, STATUS_INVALID: there is no library, driver or device, or the
 * driver refuses it. */
enum status opencl_open(struct opencl *opencl, struct error *error);

/* Compiles kernels. STATUS_INVALID with the first line of what the compiler says. */
enum status opencl_build(struct opencl *opencl, const char *source, const char *options,
                         struct error *error);

/* Returns a number that the device reports, 0 if unknown. */
uint64_t opencl_number(const struct opencl *opencl, uint32_t what);

/* Copies a text that the device reports, cut to `size`, with '?' for what is not printable ASCII;
 * "" if unknown. */
void opencl_text(const struct opencl *opencl, uint32_t what, char *text, size_t size);

/* Fills the error, unless it is filled already, with the name of a function that failed and its
 * code; nothing for OPENCL_SUCCESS. */
void opencl_check(struct error *error, const char *function, int32_t code);

#endif
