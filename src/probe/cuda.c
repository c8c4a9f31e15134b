#include "probe/cuda.h"

#include <stdio.h>
#include <string.h>

#include "probe/library.h"

#define LIBRARY "libcuda.so.1"

static const struct library_function functions[] = {
#define CUDA_ROW(name, arguments) {"cu" #name, offsetof(struct cuda, name)},
    CUDA_FUNCTIONS(CUDA_ROW)
#undef CUDA_ROW
};

void cuda_check(const struct cuda *cuda, struct error *error, const char *function, int code)
{
    const char *name = NULL;
    char text[60] = "";

    if (code == CUDA_SUCCESS || error->status != STATUS_OK)
        return;
    if (cuda->GetErrorName(code, &name) == CUDA_SUCCESS && name != NULL)
        strncat(text, name, sizeof text - 1);
    else
        snprintf(text, sizeof text, "error %d", code);
    library_make_printable(text);
    error_set(error, STATUS_INVALID, "the CUDA driver failed in %s: %s", function, text);
}

static bool is_named(const struct cuda *cuda, int device, const char *name)
{
    char own[256] = "";

    if (cuda->DeviceGetName(own, sizeof own - 1, device) != CUDA_SUCCESS)
        return false;
    library_make_printable(own);
    return strcmp(own, name) == 0;
}

enum status cuda_find(struct cuda *cuda, const char *name, struct error *error)
{
    int count = 0;

    *cuda = (struct cuda){0};
    *error = (struct error){STATUS_OK, ""};
    if (library_load(LIBRARY, "no NVIDIA driver: " LIBRARY " is not installed", functions,
                     sizeof functions / sizeof functions[0], cuda, error) != STATUS_OK)
        return error->status;
    cuda_check(cuda, error, "cuInit", cuda->Init(0));
    if (error->status == STATUS_OK)
        cuda_check(cuda, error, "cuDeviceGetCount", cuda->DeviceGetCount(&count));
    for (int i = 0; i < count && error->status == STATUS_OK; i++)
        if (cuda->DeviceGet(&cuda->device, i) == CUDA_SUCCESS &&
            (name == NULL || is_named(cuda, cuda->device, name)))
            return STATUS_OK;
    if (error->status == STATUS_OK)
        error_set(error, STATUS_INVALID, "the CUDA driver has no device%s%.100s",
                  name == NULL ? "" : " ", name == NULL ? "" : name);
    return error->status;
}

enum status cuda_open(struct cuda *cuda, const char *kernels, struct error *error)
{
    cuda_object context = NULL;

    /* a context that is in use keeps its flags, which is no reason to give up */
    cuda->DevicePrimaryCtxSetFlags(cuda->device, CUDA_WAIT_SPINNING);
    cuda_check(cuda, error, "cuDevicePrimaryCtxRetain",
               cuda->DevicePrimaryCtxRetain(&context, cuda->device));
    if (error->status == STATUS_OK)
        cuda_check(cuda, error, "cuCtxSetCurrent", cuda->CtxSetCurrent(context));
    if (error->status == STATUS_OK)
        cuda_check(cuda, error, "cuStreamCreate",
                   cuda->StreamCreate(&cuda->stream, CUDA_STREAM_APART));
    if (error->status == STATUS_OK)
        cuda_check(cuda, error, "cuModuleLoadData", cuda->ModuleLoadData(&cuda->module, kernels));
    return error->status;
}

double cuda_number(const struct cuda *cuda, int attribute)
{
    int value = 0;

    if (cuda->DeviceGetAttribute(&value, attribute, cuda->device) != CUDA_SUCCESS || value < 0)
        return 0;
    return value;
}
