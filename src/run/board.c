#include "run/board.h"

#include "base/allocate.h"
#include "probe/opencl.h"

#define LANES 64 /* work-items that share a row */

struct run_board {
    struct opencl opencl;
    cl_kernel kernel;
    cl_mem matrix, slopes, sum;
    size_t rows;
};

static const char source[] =
    "kernel void multiply(global const float *matrix, global const float *slopes, global float "
    "*sum,\n"
    "                     uint first, uint count, uint rows)\n"
    "{\n"
    "    local float part[LANES];\n"
    "    size_t row = get_group_id(0), item = get_local_id(0);\n"
    "    global const float *of = matrix + (size_t)first * rows + row * count;\n"
    "    float own = 0;\n"
    "    for (uint c = item; c < count; c += LANES)\n"
    "        own += of[c] * slopes[first + c];\n"
    "    part[item] = own;\n"
    "    for (uint to = LANES / 2; to > 0; to /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (item < to)\n"
    "            part[item] += part[item + to];\n"
    "    }\n"
    "    if (item == 0)\n"
    "        sum[row] = part[0] + (first == 0 ? 0.0f : sum[row]);\n"
    "}\n";

/* Allocates on the device and fills it, unless `bytes` is NULL. */
static cl_mem make_buffer(struct run_board *board, size_t elements, const float *values,
                          struct error *error)
{
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (values != NULL ? CL_MEM_COPY_HOST_PTR : 0);
    cl_int code;
    cl_mem buffer = board->opencl.CreateBuffer(
        board->opencl.context, flags, elements * sizeof(float), (void *)(uintptr_t)values, &code);

    opencl_check(error, "clCreateBuffer", code);
    return buffer;
}

static void set_arguments(struct run_board *board, struct error *error)
{
    const cl_uint rows = (cl_uint)board->rows;
    const cl_mem buffers[] = {board->matrix, board->slopes, board->sum};

    for (cl_uint i = 0; i < 3 && error->status == STATUS_OK; i++)
        opencl_check(error, "clSetKernelArg",
                     board->opencl.SetKernelArg(board->kernel, i, sizeof buffers[i], &buffers[i]));
    if (error->status == STATUS_OK)
        opencl_check(error, "clSetKernelArg",
                     board->opencl.SetKernelArg(board->kernel, 5, sizeof rows, &rows));
}

enum status run_board_open(struct run_board **opened, const float *matrix, size_t rows,
                           size_t columns, char name[RUN_BOARD_NAME], struct error *error)
{
    struct run_board *board = allocate_array(1, sizeof *board);
    char options[24];
    cl_int code;

    *error = (struct error){.status = STATUS_OK};
    board->rows = rows;
    snprintf(options, sizeof options, "-DLANES=%d", LANES);
    if (opencl_open(&board->opencl, error) == STATUS_OK &&
        opencl_build(&board->opencl, source, options, error) == STATUS_OK) {
        opencl_text(&board->opencl, CL_DEVICE_NAME, name, RUN_BOARD_NAME);
        board->kernel = board->opencl.CreateKernel(board->opencl.program, "multiply", &code);
        opencl_check(error, "clCreateKernel", code);
        board->matrix = make_buffer(board, rows * columns, matrix, error);
        board->slopes = make_buffer(board, columns, NULL, error);
        board->sum = make_buffer(board, rows, NULL, error);
        set_arguments(board, error);
    }
    if (error->status == STATUS_OK)
        *opened = board;
    else
        free(board);
    return error->status;
}

enum status run_board_multiply(struct run_board *board, const float *slopes, size_t first,
                               size_t count, bool last, float *result, struct error *error)
{
    const struct opencl *opencl = &board->opencl;
    const cl_uint numbers[] = {(cl_uint)first, (cl_uint)count};
    const size_t local = LANES, global = LANES * board->rows;

    *error = (struct error){.status = STATUS_OK};
    if (count > 0) {
        opencl_check(error, "clEnqueueWriteBuffer",
                     opencl->EnqueueWriteBuffer(opencl->queue, board->slopes, CL_FALSE,
                                                first * sizeof(float), count * sizeof(float),
                                                slopes, 0, NULL, NULL));
        for (cl_uint i = 0; i < 2; i++)
            opencl_check(
                error, "clSetKernelArg",
                opencl->SetKernelArg(board->kernel, 3 + i, sizeof numbers[i], &numbers[i]));
        opencl_check(error, "clEnqueueNDRangeKernel",
                     opencl->EnqueueNDRangeKernel(opencl->queue, board->kernel, 1, NULL, &global,
                                                  &local, 0, NULL, NULL));
    }
    if (last && error->status == STATUS_OK)
        opencl_check(error, "clEnqueueReadBuffer",
                     opencl->EnqueueReadBuffer(opencl->queue, board->sum, CL_TRUE, 0,
                                               board->rows * sizeof(float), result, 0, NULL, NULL));
    return error->status;
}
