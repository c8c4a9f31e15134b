#include "probe/opencl.h"

#include <string.h>

#include "probe/library.h"

#define LIBRARY "libOpenCL.so.1"

enum { PLATFORMS_MAX = 16 };

static const struct library_function functions[] = {
#define OPENCL_ROW(name) {"cl" #name, offsetof(struct opencl, name)},
    OPENCL_FUNCTIONS(OPENCL_ROW)
#undef OPENCL_ROW
};

void opencl_check(struct error *error, const char *function, cl_int code)
{
    if (code != CL_SUCCESS && error->status == STATUS_OK)
        error_set(error, STATUS_INVALID, "the OpenCL driver failed in %s with error %d", function,
                  (int)code);
}

static enum status load_functions(struct opencl *opencl, struct error *error)
{
    return library_load(LIBRARY,
                        "no GPU: the OpenCL loader " LIBRARY
                        " is not installed (Debian: ocl-icd-libopencl1)",
                        functions, sizeof functions / sizeof functions[0], opencl, error);
}

static enum status find_device(struct opencl *opencl, struct error *error)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                           CL_DEVICE_TYPE_CPU};
    cl_platform_id platform[PLATFORMS_MAX];
    cl_uint count = 0;

    if (opencl->GetPlatformIDs(PLATFORMS_MAX, platform, &count) != CL_SUCCESS || count == 0)
        return error_set(error, STATUS_INVALID,
                         "no GPU: " LIBRARY " knows no OpenCL driver (Debian: pocl-opencl-icd, "
                         "nvidia-opencl-icd, mesa-opencl-icd)");
    count = count < PLATFORMS_MAX ? count : PLATFORMS_MAX;
    for (size_t type = 0; type < sizeof types / sizeof types[0]; type++)
        for (uint32_t i = 0; i < count; i++)
            if (opencl->GetDeviceIDs(platform[i], types[type], 1, &opencl->device, NULL) ==
                CL_SUCCESS)
                return STATUS_OK;
    return error_set(error, STATUS_INVALID, "no GPU: no OpenCL driver has a device");
}

enum status opencl_open(struct opencl *opencl, struct error *error)
{
    cl_int code = CL_SUCCESS;

    *opencl = (struct opencl){0};
    *error = (struct error){STATUS_OK, ""};
    if (load_functions(opencl, error) != STATUS_OK || find_device(opencl, error) != STATUS_OK)
        return error->status;
    opencl->context = opencl->CreateContext(NULL, 1, &opencl->device, NULL, NULL, &code);
    opencl_check(error, "clCreateContext", code);
    if (error->status != STATUS_OK)
        return error->status;
    opencl->queue = opencl->CreateCommandQueue(opencl->context, opencl->device, 0, &code);
    opencl_check(error, "clCreateCommandQueue", code);
    return error->status;
}

enum status opencl_build(struct opencl *opencl, const char *source, const char *options,
                         struct error *error)
{
    char said[4096] = "";
    cl_int code = CL_SUCCESS;

    opencl->program = opencl->CreateProgramWithSource(opencl->context, 1, &source, NULL, &code);
    opencl_check(error, "clCreateProgramWithSource", code);
    if (error->status != STATUS_OK)
        return error->status;
    opencl_check(error, "clBuildProgram",
                 opencl->BuildProgram(opencl->program, 1, &opencl->device, options, NULL, NULL));
    if (error->status != STATUS_OK &&
        opencl->GetProgramBuildInfo(opencl->program, opencl->device, CL_PROGRAM_BUILD_LOG,
                                    sizeof said - 1, said, NULL) == CL_SUCCESS) {
        said[strcspn(said, "\n")] = '\0';
        library_make_printable(said);
        error_add(error, "%.300s", said);
    }
    return error->status;
}

uint64_t opencl_number(const struct opencl *opencl, cl_device_info what)
{
    uint64_t value = 0;
    unsigned char bytes[sizeof value] = {0};
    uint32_t narrow;
    size_t size = 0;

    if (opencl->GetDeviceInfo(opencl->device, what, sizeof bytes, bytes, &size) != CL_SUCCESS)
        return 0;
    memcpy(&narrow, bytes, sizeof narrow);
    memcpy(&value, bytes, sizeof value);
    return size == sizeof narrow ? narrow : value;
}

void opencl_text(const struct opencl *opencl, cl_device_info what, char *text, size_t size)
{
    char whole[1024] = "";

    if (opencl->GetDeviceInfo(opencl->device, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS)
        whole[0] = '\0';
    text[0] = '\0';
    strncat(text, whole, size - 1);
    library_make_printable(text);
    for (char *end = strchr(text, '\0'); end > text && end[-1] == ' ';)
        *--end = '\0';
}
