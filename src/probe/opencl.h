/* OpenCL, found at run time: the library that knows the installed drivers (ICD loader) and one
 * device. Khronos' headers declare it, of which version 1.2 is used, which all drivers have. */
#ifndef AOLAG_PROBE_OPENCL_H
#define AOLAG_PROBE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The functions, as clNAME of the specification. */
#define OPENCL_FUNCTIONS(X)                                                                        \
    X(GetPlatformIDs)                                                                              \
    X(GetDeviceIDs)                                                                                \
    X(GetDeviceInfo)                                                                               \
    X(CreateContext)                                                                               \
    X(CreateCommandQueue)                                                                          \
    X(CreateProgramWithSource)                                                                     \
    X(BuildProgram)                                                                                \
    X(GetProgramBuildInfo)                                                                         \
    X(CreateKernel)                                                                                \
    X(SetKernelArg)                                                                                \
    X(CreateBuffer)                                                                                \
    X(ReleaseMemObject)                                                                            \
    X(EnqueueNDRangeKernel)                                                                        \
    X(EnqueueReadBuffer)                                                                           \
    X(EnqueueWriteBuffer)                                                                          \
    X(EnqueueMapBuffer)                                                                            \
    X(Finish)

struct opencl {
#define OPENCL_MEMBER(name) __typeof__(cl##name) *name;
    OPENCL_FUNCTIONS(OPENCL_MEMBER)
#undef OPENCL_MEMBER
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order */
    cl_program program;
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
uint64_t opencl_number(const struct opencl *opencl, cl_device_info what);

/* Copies a text that the device reports, cut to `size`, with '?' for what is not printable ASCII;
 * "" if unknown. */
void opencl_text(const struct opencl *opencl, cl_device_info what, char *text, size_t size);

/* Fills the error, unless it is filled already, with the name of a function that failed and its
 * code; nothing for CL_SUCCESS. */
void opencl_check(struct error *error, const char *function, cl_int code);

#endif
