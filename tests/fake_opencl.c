/* An OpenCL library for tests, libOpenCL.so.1, with one device that computes nothing, and does not
 * take a kernel that reads more of a buffer than was written before. What it does wrong is the
 * value of FAKE_OPENCL: "none" no driver, "empty" no device, "crash", "hang", "exit"; otherwise its
 * texts are hostile and its results wrong. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORD 16 /* B that a work-item reads or writes at once */

static int here;
static void *const object = &here;

struct _cl_mem {
    size_t written; /* B from its begin */
};

struct _cl_kernel {
    char name[40];
    cl_mem first;
    uint32_t each; /* its first number: words of a work-item */
};

static int asked_for(const char *what)
{
    const char *mode = getenv("FAKE_OPENCL");

    return mode != NULL && strcmp(mode, what) == 0;
}

cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id *list, cl_uint *count)
{
    if (asked_for("crash"))
        raise(SIGSEGV);
    if (asked_for("exit"))
        _exit(3);
    while (asked_for("hang"))
        pause();
    *count = asked_for("none") ? 0 : 1;
    if (entries > 0)
        list[0] = object;
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries,
                      cl_device_id *list, cl_uint *count)
{
    (void)platform;
    (void)entries;
    (void)count;
    if (asked_for("empty") || type != CL_DEVICE_TYPE_GPU)
        return CL_DEVICE_NOT_FOUND;
    list[0] = object;
    return CL_SUCCESS;
}

static cl_int give(const void *from, size_t length, size_t size, void *to, size_t *given)
{
    if (length > size)
        return CL_INVALID_VALUE;
    memcpy(to, from, length);
    if (given != NULL)
        *given = length;
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *given)
{
    static const char text[] = "A \033[31mGPU\a, \"=1+1\"\r\n# seed: 7 \xC2\x9B\xFF;<b>";
    const uint64_t memory = UINT64_C(8) << 30, type = CL_DEVICE_TYPE_GPU, group = 256;
    const uint32_t units = 10, clock = 1000, shared = 0;

    (void)device;
    switch (what) {
    case CL_DEVICE_TYPE:
        return give(&type, sizeof type, size, value, given);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return give(&units, sizeof units, size, value, given);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return give(&group, sizeof group, size, value, given);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return give(&clock, sizeof clock, size, value, given);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return give(&memory, sizeof memory, size, value, given);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return give(&shared, sizeof shared, size, value, given);
    default:
        return give(text, sizeof text, size, value, given);
    }
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *), void *data,
                           cl_int *code)
{
    (void)properties;
    (void)count;
    (void)devices;
    (void)notify;
    (void)data;
    *code = CL_SUCCESS;
    return object;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code)
{
    (void)context;
    (void)device;
    (void)properties;
    *code = CL_SUCCESS;
    return object;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **source,
                                     const size_t *length, cl_int *code)
{
    (void)context;
    (void)count;
    (void)source;
    (void)length;
    *code = CL_SUCCESS;
    return object;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void (*notify)(cl_program, void *), void *data)
{
    (void)program;
    (void)count;
    (void)devices;
    (void)options;
    (void)notify;
    (void)data;
    return asked_for("build") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t size, void *value, size_t *given)
{
    static const char said[] = "a \033[1mcompiler\nspeaks";

    (void)program;
    (void)device;
    (void)what;
    return give(said, sizeof said, size, value, given);
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    cl_kernel kernel = calloc(1, sizeof *kernel);

    (void)program;
    *code = kernel == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    if (kernel != NULL)
        strncpy(kernel->name, name, sizeof kernel->name - 1);
    return kernel;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (index == 0 && size == sizeof kernel->first)
        memcpy(&kernel->first, value, size);
    if (size == sizeof(uint32_t) && kernel->each == 0)
        memcpy(&kernel->each, value, size);
    return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    cl_mem buffer = calloc(1, sizeof *buffer);

    (void)context;
    (void)flags;
    (void)size;
    (void)host;
    *code = buffer == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    return buffer;
}

cl_int clReleaseMemObject(cl_mem buffer)
{
    free(buffer);
    return CL_SUCCESS;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint waits, const cl_event *list, cl_event *event)
{
    const size_t bytes =
        global[0] * kernel->each * WORD; /* that a pass over a buffer reads or writes */

    (void)queue;
    (void)dimensions;
    (void)offset;
    (void)waits;
    (void)list;
    (void)event;
    if (strcmp(kernel->name, "write_all") == 0 && bytes > kernel->first->written)
        kernel->first->written = bytes;
    if ((strcmp(kernel->name, "read_all") == 0 || strcmp(kernel->name, "copy_all") == 0) &&
        bytes > kernel->first->written)
        return CL_INVALID_MEM_OBJECT;
    return global[0] % local[0] == 0 ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *to, cl_uint waits, const cl_event *list,
                           cl_event *event)
{
    (void)queue;
    (void)buffer;
    (void)blocking;
    (void)offset;
    (void)waits;
    (void)list;
    (void)event;
    memset(to, 0, size);
    return CL_SUCCESS;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void *from, cl_uint waits, const cl_event *list,
                            cl_event *event)
{
    (void)queue;
    (void)blocking;
    (void)from;
    (void)waits;
    (void)list;
    (void)event;
    if (offset + size > buffer->written)
        buffer->written = offset + size;
    return CL_SUCCESS;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
                         const cl_event *list, cl_event *event, cl_int *code)
{
    (void)queue;
    (void)buffer;
    (void)blocking;
    (void)flags;
    (void)offset;
    (void)waits;
    (void)list;
    (void)event;
    *code = CL_SUCCESS;
    return malloc(size);
}

cl_int clFinish(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}
