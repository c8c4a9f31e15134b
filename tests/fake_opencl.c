/* An OpenCL library for tests, libOpenCL.so.1, with one device that computes nothing, and does not
 * take a kernel that reads more of a buffer than was written before. What it does wrong is the
 * value of FAKE_OPENCL: "none" no driver, "empty" no device, "crash", "hang", "exit"; otherwise its
 * texts are hostile and its results wrong. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORD 16 /* B that a work-item reads or writes at once */

static int here;
static void *const object = &here;

struct memory {
    size_t written; /* B from its begin */
};

struct kernel {
    char name[40];
    struct memory *first;
    uint32_t each; /* its first number: words of a work-item */
};

static int asked_for(const char *what)
{
    const char *mode = getenv("FAKE_OPENCL");

    return mode != NULL && strcmp(mode, what) == 0;
}

int32_t clGetPlatformIDs(uint32_t entries, void **list, uint32_t *count)
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
    return 0;
}

int32_t clGetDeviceIDs(void *platform, uint64_t type, uint32_t entries, void **list,
                       uint32_t *count)
{
    (void)platform;
    (void)entries;
    (void)count;
    if (asked_for("empty") || type != 4)
        return -1;
    list[0] = object;
    return 0;
}

static int32_t give(const void *from, size_t length, size_t size, void *to, size_t *given)
{
    if (length > size)
        return -30;
    memcpy(to, from, length);
    if (given != NULL)
        *given = length;
    return 0;
}

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t size, void *value, size_t *given)
{
    static const char text[] = "A \033[31mGPU\a, \"=1+1\"\r\n# seed: 7 \xC2\x9B\xFF;<b>";
    const uint64_t memory = UINT64_C(8) << 30, type = 4, group = 256;
    const uint32_t units = 10, clock = 1000, shared = 0;

    (void)device;
    switch (what) {
    case 0x1000:
        return give(&type, sizeof type, size, value, given);
    case 0x1002:
        return give(&units, sizeof units, size, value, given);
    case 0x1004:
        return give(&group, sizeof group, size, value, given);
    case 0x100C:
        return give(&clock, sizeof clock, size, value, given);
    case 0x1010:
    case 0x101E:
    case 0x101F:
        return give(&memory, sizeof memory, size, value, given);
    case 0x1035:
        return give(&shared, sizeof shared, size, value, given);
    default:
        return give(text, sizeof text, size, value, given);
    }
}

void *clCreateContext(const intptr_t *properties, uint32_t count, void *const *devices,
                      void (*notify)(const char *, const void *, size_t, void *), void *data,
                      int32_t *code)
{
    (void)properties;
    (void)count;
    (void)devices;
    (void)notify;
    (void)data;
    *code = 0;
    return object;
}

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int32_t *code)
{
    (void)context;
    (void)device;
    (void)properties;
    *code = 0;
    return object;
}

void *clCreateProgramWithSource(void *context, uint32_t count, const char **source,
                                const size_t *length, int32_t *code)
{
    (void)context;
    (void)count;
    (void)source;
    (void)length;
    *code = 0;
    return object;
}

int32_t clBuildProgram(void *program, uint32_t count, void *const *devices, const char *options,
                       void (*notify)(void *, void *), void *data)
{
    (void)program;
    (void)count;
    (void)devices;
    (void)options;
    (void)notify;
    (void)data;
    return asked_for("build") ? -11 : 0;
}

int32_t clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t size, void *value,
                              size_t *given)
{
    static const char said[] = "a \033[1mcompiler\nspeaks";

    (void)program;
    (void)device;
    (void)what;
    return give(said, sizeof said, size, value, given);
}

void *clCreateKernel(void *program, const char *name, int32_t *code)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);

    (void)program;
    *code = kernel == NULL ? -6 : 0;
    if (kernel != NULL)
        strncpy(kernel->name, name, sizeof kernel->name - 1);
    return kernel;
}

int32_t clSetKernelArg(void *object_of, uint32_t index, size_t size, const void *value)
{
    struct kernel *kernel = object_of;

    if (index == 0 && size == sizeof kernel->first)
        memcpy(&kernel->first, value, size);
    if (size == sizeof(uint32_t) && kernel->each == 0)
        memcpy(&kernel->each, value, size);
    return 0;
}

void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, int32_t *code)
{
    struct memory *buffer = calloc(1, sizeof *buffer);

    (void)context;
    (void)flags;
    (void)size;
    (void)host;
    *code = buffer == NULL ? -6 : 0;
    return buffer;
}

int32_t clReleaseMemObject(void *buffer)
{
    free(buffer);
    return 0;
}

int32_t clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
                               const size_t *global, const size_t *local, uint32_t waits,
                               void *const *list, void **event)
{
    struct kernel *of = kernel;
    const size_t bytes =
        global[0] * of->each * WORD; /* that a pass over a buffer reads or writes */

    (void)queue;
    (void)dimensions;
    (void)offset;
    (void)waits;
    (void)list;
    (void)event;
    if (strcmp(of->name, "write_all") == 0 && bytes > of->first->written)
        of->first->written = bytes;
    if ((strcmp(of->name, "read_all") == 0 || strcmp(of->name, "copy_all") == 0) &&
        bytes > of->first->written)
        return -38;
    return global[0] % local[0] == 0 ? 0 : -54;
}

int32_t clEnqueueReadBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset,
                            size_t size, void *to, uint32_t waits, void *const *list, void **event)
{
    (void)queue;
    (void)buffer;
    (void)blocking;
    (void)offset;
    (void)waits;
    (void)list;
    (void)event;
    memset(to, 0, size);
    return 0;
}

int32_t clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset,
                             size_t size, const void *from, uint32_t waits, void *const *list,
                             void **event)
{
    struct memory *to = buffer;

    (void)queue;
    (void)blocking;
    (void)from;
    (void)waits;
    (void)list;
    (void)event;
    if (offset + size > to->written)
        to->written = offset + size;
    return 0;
}

void *clEnqueueMapBuffer(void *queue, void *buffer, uint32_t blocking, uint64_t flags,
                         size_t offset, size_t size, uint32_t waits, void *const *list,
                         void **event, int32_t *code)
{
    (void)queue;
    (void)buffer;
    (void)blocking;
    (void)flags;
    (void)offset;
    (void)waits;
    (void)list;
    (void)event;
    *code = 0;
    return malloc(size);
}

int32_t clFinish(void *queue)
{
    (void)queue;
    return 0;
}
