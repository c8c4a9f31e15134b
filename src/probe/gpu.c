#include "probe/gpu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/random.h"
#include "probe/apart.h"
#include "probe/kernels.h"
#include "probe/launches.h"
#include "probe/nvidia.h"
#include "probe/opencl.h"

#define DRIVER "the OpenCL driver"
#define WHOSE "the GPU's driver"
#define PATIENCE 60.0              /* s without a point, in which a driver may compile a kernel */
#define LINE 128                   /* B between the words of a pointer chain */
#define WORK 256                   /* work-items of a group on a GPU */
#define LANES 64                   /* work-items of a group on a GPU that adds up rows */
#define RESIDENT 2048              /* work-items that a compute unit of a GPU has in flight */
#define CHAINS 32                  /* independent multiply-adds of a work-item */
#define PASSED ((size_t)256 << 20) /* B that a kernel passes over at least, as often as allowed */
#define PASSED_SEQUENTIAL ((size_t)16 << 20)
#define PASSES_MAX 1024
#define QUICK_LARGEST ((size_t)256 << 20) /* B */
#define SMALLEST_L2 ((size_t)128 << 10)   /* B, of any GPU */
#define LONG_TIME 30.0 /* s of work before the clock of a device is taken as sustained */
#define LONG_SAMPLE 0.2

/* The kernels. SEQUENTIAL: a work-item has consecutive data, as suits a processor; otherwise
 * neighbouring work-items have neighbouring data. Another pass over a buffer gives each work-item
 * what another group had, which is not in the first cache of its unit. A kernel writes what it
 * computed only where the compiler cannot know that nobody reads it. What is written is random, in
 * all bits but those that would make a number subnormal or none, as some GPUs compress memory. */
static const char source[] =
    "#define AT(k) (SEQUENTIAL ? at * each + (k) : at + (k) * get_global_size(0))\n"
    "size_t place(uint pass)\n"
    "{\n"
    "    if (SEQUENTIAL)\n"
    "        return get_global_id(0);\n"
    "    return (get_global_id(0) + pass * 5 * get_local_size(0)) & (get_global_size(0) - 1);\n"
    "}\n"
    "kernel void nothing(void) {}\n"
    "kernel void spin(global float *out, uint rounds)\n"
    "{\n"
    "    float x = out[0];\n"
    "    for (uint i = 0; i < rounds; i++)\n"
    "        x = mad(x, 0.999f, 0.5f);\n"
    "    if (x == -1.0f)\n"
    "        out[0] = x;\n"
    "}\n"
    "#define EACH(v) v = mad(v, (float8)0.999f, (float8)0.5f);\n"
    "#define ALL EACH(a) EACH(b) EACH(c) EACH(d)\n"
    "kernel void arithmetic(global float *out, uint rounds)\n"
    "{\n"
    "    float8 a = (float8)(0, 1, 2, 3, 4, 5, 6, 7) + (float)get_global_id(0);\n"
    "    float8 b = a + 8, c = a + 16, d = a + 24;\n"
    "    for (uint i = 0; i < rounds; i += 4) {\n"
    "        ALL ALL ALL ALL\n"
    "    }\n"
    "    a += b + c + d;\n"
    "    if (a.s0 + a.s1 + a.s2 + a.s3 + a.s4 + a.s5 + a.s6 + a.s7 == -1.0f)\n"
    "        out[0] = 1;\n"
    "}\n"
    "kernel void read_all(global const float4 *from, global float *out, uint each, uint passes)\n"
    "{\n"
    "    float4 sum = 0;\n"
    "    for (uint pass = 0; pass < passes; pass++) {\n"
    "        size_t at = place(pass);\n"
    "        for (uint k = 0; k < each; k++)\n"
    "            sum += from[AT(k)];\n"
    "    }\n"
    "    if (sum.x + sum.y + sum.z + sum.w == -1.0f)\n"
    "        out[0] = 1;\n"
    "}\n"
    "kernel void write_all(global float4 *to, uint each, uint passes)\n"
    "{\n"
    "    for (uint pass = 0; pass < passes; pass++) {\n"
    "        size_t at = place(pass);\n"
    "        uint4 word = (uint4)(0, 1, 2, 3) + 4 * (uint)at + pass;\n"
    "        for (uint round = 0; round < 3; round++)\n"
    "            word = (word ^ word >> 15) * 0x9e3779b1u;\n"
    "        for (uint k = 0; k < each; k++) {\n"
    "            to[AT(k)] = as_float4((word & 0xbfffffffu) | 0x20000000u);\n"
    "            word += 0x9e3779b1u;\n"
    "        }\n"
    "    }\n"
    "}\n"
    "kernel void copy_all(global const float4 *from, global float4 *to, uint each, uint passes)\n"
    "{\n"
    "    for (uint pass = 0; pass < passes; pass++) {\n"
    "        size_t at = place(pass);\n"
    "        for (uint k = 0; k < each; k++)\n"
    "            to[AT(k)] = from[AT(k)];\n"
    "    }\n"
    "}\n"
    "kernel void chase(global const uint *next, global uint *out, uint rounds)\n"
    "{\n"
    "    uint at = out[0];\n"
    "    for (uint i = 0; i < rounds; i++)\n"
    "        at = next[at];\n"
    "    out[0] = at;\n"
    "}\n"
    "float4 total(local float4 *part, float4 own, uint lanes)\n"
    "{\n"
    "    uint item = get_local_id(0);\n"
    "    if (LANES == 1)\n"
    "        return own;\n"
    "    part[item] = own;\n"
    "    for (uint rest = lanes / 2; rest > 0; rest /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (item % lanes < rest)\n"
    "            part[item] += part[item + rest];\n"
    "    }\n"
    "    return part[item];\n"
    "}\n"
    "kernel void mvm(global const float *matrix, global const float *vector, global float "
    "*result,\n"
    "                uint columns)\n"
    "{\n"
    "    local float4 part[LANES];\n"
    "    size_t row = get_group_id(0);\n"
    "    global const float *of = matrix + row * columns;\n"
    "    float sum = 0;\n"
    "    for (uint c = get_local_id(0); c < columns; c += LANES)\n"
    "        sum += of[c] * vector[c];\n"
    "    sum = total(part, (float4)(sum), LANES).x;\n"
    "    if (get_local_id(0) == 0)\n"
    "        result[row] = sum;\n"
    "}\n"
    "kernel void centroid(global const float *pixels, global const float *reference,\n"
    "                     global float *slopes, uint side, uint subaps, uint lanes)\n"
    "{\n"
    "    local float4 part[LANES];\n"
    "    size_t subap = get_global_id(0) / lanes;\n"
    "    uint lane = get_local_id(0) % lanes;\n"
    "    uint own = subap < subaps ? side * side : 0;\n"
    "    global const float *of = pixels + subap * side * side;\n"
    "    float4 sum = 0;\n"
    "    float inverse = 1.0f / side;\n"
    "    for (uint p = lane; p < own; p += lanes) {\n"
    "        uint row = (uint)(((float)p + 0.5f) * inverse);\n"
    "        sum += of[p] * (float4)(1.0f, (float)(p - row * side), (float)row, 0.0f);\n"
    "    }\n"
    "    sum = total(part, sum, lanes);\n"
    "    if (lane == 0 && subap < subaps) {\n"
    "        slopes[2 * subap] = sum.y / sum.x - reference[2 * subap];\n"
    "        slopes[2 * subap + 1] = sum.z / sum.x - reference[2 * subap + 1];\n"
    "    }\n"
    "}\n";

/* The device in use ---------------------------------------------------------------------------- */

struct gpu {
    struct opencl cl;
    struct probe *probe;
    struct gpu_figures figures;
    bool sequential;     /* it is a processor */
    size_t group, lanes; /* work-items of a group; of a row */
    size_t largest;      /* B, of a buffer */
    cl_mem out;          /* of what nobody reads */
    double end;          /* of the part's progress: where what is measured through OpenCL ends */
};

/* A kernel that is enqueued again and again. */
struct gpu_work {
    struct gpu *gpu;
    cl_kernel kernel;
    size_t global, local;
};

static void check(struct gpu *gpu, const char *function, cl_int code)
{
    opencl_check(gpu->probe->error, function, code);
}

static bool gpu_failed(const struct gpu *gpu)
{
    return probe_stopped(gpu->probe);
}

static cl_mem make_buffer(struct gpu *gpu, cl_mem_flags flags, size_t size)
{
    cl_int code = CL_SUCCESS;
    cl_mem buffer = NULL;

    if (!gpu_failed(gpu))
        buffer = gpu->cl.CreateBuffer(gpu->cl.context, flags, size, NULL, &code);
    check(gpu, "clCreateBuffer", code);
    return buffer;
}

static void release_buffer(struct gpu *gpu, cl_mem buffer)
{
    if (buffer != NULL)
        gpu->cl.ReleaseMemObject(buffer);
}

static void fill_buffer(struct gpu *gpu, cl_mem buffer, const void *bytes, size_t size)
{
    if (!gpu_failed(gpu))
        check(gpu, "clEnqueueWriteBuffer",
              gpu->cl.EnqueueWriteBuffer(gpu->cl.queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL,
                                         NULL));
}

static void fill_random(float *to, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        to[i] = 0.5F + (float)(random_next(seed) >> 40) * 0x1p-24F;
}

static struct gpu_work make_work(struct gpu *gpu, const char *name, size_t global, size_t local)
{
    struct gpu_work work = {.gpu = gpu, .global = global, .local = local};
    cl_int code = CL_SUCCESS;

    if (!gpu_failed(gpu))
        work.kernel = gpu->cl.CreateKernel(gpu->cl.program, name, &code);
    check(gpu, "clCreateKernel", code);
    return work;
}

static void set_argument(struct gpu_work *work, uint32_t index, const void *value, size_t size)
{
    struct gpu *gpu = work->gpu;

    if (!gpu_failed(gpu))
        check(gpu, "clSetKernelArg", gpu->cl.SetKernelArg(work->kernel, index, size, value));
}

static void set_buffer(struct gpu_work *work, uint32_t index, cl_mem buffer)
{
    set_argument(work, index, &buffer, sizeof buffer);
}

static void set_count(struct gpu_work *work, uint32_t index, uint64_t value)
{
    uint32_t count = (uint32_t)value;

    set_argument(work, index, &count, sizeof count);
}

static void enqueue_work(struct gpu_work *work)
{
    struct gpu *gpu = work->gpu;

    if (gpu->probe->error->status == STATUS_OK)
        check(gpu, "clEnqueueNDRangeKernel",
              gpu->cl.EnqueueNDRangeKernel(gpu->cl.queue, work->kernel, 1, NULL, &work->global,
                                           &work->local, 0, NULL, NULL));
}

static void finish_queue(struct gpu *gpu)
{
    if (gpu->probe->error->status == STATUS_OK)
        check(gpu, "clFinish", gpu->cl.Finish(gpu->cl.queue));
}

/* Enqueues a kernel many times and waits for the last; a probe_loop. */
static void repeat_in_queue(void *data, uint64_t repeats)
{
    struct gpu_work *work = data;

    for (uint64_t i = 0; i < repeats; i++)
        enqueue_work(work);
    finish_queue(work->gpu);
}

static void report_done(struct gpu *gpu, double done)
{
    probe_report(gpu->probe, MEASUREMENT_GPU, gpu->end * done);
}

static struct measurement_point gpu_point(const char *name, const char *type, const char *remark)
{
    struct measurement_point point = measurement_point(MEASUREMENT_GPU, name, type);

    strncat(point.remark, remark, sizeof point.remark - 1);
    return point;
}

/* Fixed times ---------------------------------------------------------------------------------- */

/* A queue of OpenCL whose kernels start one by one. */
struct gpu_queue {
    struct gpu_work nothing, spin, *kernel;
    int kernels;
};

static void prepare_kernels(void *data, int count, uint32_t operations)
{
    struct gpu_queue *queue = data;

    queue->kernels = count;
    queue->kernel = operations == 0 ? &queue->nothing : &queue->spin;
    if (operations > 0)
        set_count(&queue->spin, 1, operations);
}

static void enqueue_kernels(void *data)
{
    struct gpu_queue *queue = data;

    for (int i = 0; i < queue->kernels; i++)
        enqueue_work(queue->kernel);
}

static void finish_kernels(void *data)
{
    struct gpu_queue *queue = data;

    finish_queue(queue->nothing.gpu);
}

static void time_fixed(struct gpu *gpu)
{
    const size_t all = (size_t)gpu->figures.units * gpu->group;
    struct gpu_queue queue = {.nothing = make_work(gpu, "nothing", all, gpu->group),
                              .spin = make_work(gpu, "spin", all, gpu->group)};

    set_buffer(&queue.spin, 0, gpu->out);
    launches_measure(&(struct launches){gpu->probe, "", &queue, prepare_kernels, enqueue_kernels,
                                        finish_kernels});
    report_done(gpu, 0.1);
}

/* Keeps the device busy until power limit and temperature have set its clock; samples are those of
 * the last third. */
static void time_long_arithmetic(struct gpu *gpu, struct gpu_work *work, double operations)
{
    struct measurement_point point = gpu_point(GPU_FMA_LONG, "f32", "s per multiply-add");
    uint64_t repeats = probe_calibrate(gpu->probe, repeat_in_queue, work, LONG_SAMPLE);
    double began = probe_now(), now = began;

    while (now - began < LONG_TIME && !gpu_failed(gpu)) {
        double took = probe_time_run(repeat_in_queue, work, repeats);

        now = probe_now();
        if (now - began > LONG_TIME * 2 / 3 && point.count < MEASUREMENT_SAMPLES_MAX)
            point.sample[point.count++] = took / (operations * (double)repeats);
        report_done(gpu, 0.05 * smaller(1, (now - began) / LONG_TIME));
    }
    if (!gpu_failed(gpu) && point.count > 0)
        probe_add_point(gpu->probe, &point);
}

static void time_arithmetic(struct gpu *gpu)
{
    const size_t groups =
        (size_t)gpu->figures.units * (gpu->sequential ? 16 : 16 * 1024 / gpu->group);
    struct gpu_work work = make_work(gpu, "arithmetic", groups * gpu->group, gpu->group);
    struct measurement_point point = gpu_point(GPU_FMA, "f32", "s per multiply-add");
    const uint32_t rounds = gpu->sequential ? 16384 : 1024;

    set_buffer(&work, 0, gpu->out);
    set_count(&work, 1, rounds);
    probe_time_loop(gpu->probe, repeat_in_queue, &work,
                    (double)work.global * (double)rounds * CHAINS, &point);
    if (!gpu->probe->quick)
        time_long_arithmetic(gpu, &work, (double)work.global * (double)rounds * CHAINS);
    report_done(gpu, 0.05);
}

/* Bandwidth and latency ------------------------------------------------------------------------ */

static size_t power_below(size_t value)
{
    size_t power = 1;

    while (power <= value / 2)
        power *= 2;
    return power;
}

/* Makes a kernel that passes over `size` bytes, a power of two: `first` and `second` are its
 * buffers, second NULL if it has one only; `arrays` share the bytes. */
static struct gpu_work make_passes(struct gpu *gpu, const char *kernel, size_t size, size_t passes,
                                   cl_mem first, cl_mem second, size_t arrays)
{
    const size_t count = size / arrays / (4 * sizeof(float));
    size_t all = power_below((size_t)gpu->figures.units * (gpu->sequential ? 8 : RESIDENT));
    struct gpu_work work;
    uint32_t argument = 0;

    all = all < count ? all : count;
    work = make_work(gpu, kernel, all, gpu->group < all ? gpu->group : all);
    set_buffer(&work, argument++, first);
    if (second != NULL)
        set_buffer(&work, argument++, second);
    set_count(&work, argument++, count / all);
    set_count(&work, argument, passes);
    return work;
}

/* Times a kernel that passes over the bytes of a point. It makes so many passes that its start does
 * not count, and that calls of the host are faster than kernels. */
static void time_passes_of(struct gpu *gpu, const char *kernel, struct measurement_point *point,
                           cl_mem first, cl_mem second, size_t arrays)
{
    const size_t size = (size_t)point->parameter[PARAMETER_SIZE];
    const size_t enough = gpu->sequential ? PASSED_SEQUENTIAL : PASSED;
    size_t passes = size >= enough ? 1 : enough / size;
    struct gpu_work work;

    passes = passes < PASSES_MAX ? passes : PASSES_MAX;
    work = make_passes(gpu, kernel, size, passes, first, second, arrays);
    probe_time_loop(gpu->probe, repeat_in_queue, &work, (double)size * (double)passes, point);
}

static void time_passes(struct gpu *gpu, size_t size, cl_mem from, cl_mem to)
{
    struct measurement_point read = gpu_point(GPU_READ, "f32", "");
    struct measurement_point write = gpu_point(GPU_WRITE, "f32", "");
    struct measurement_point copy = gpu_point(GPU_COPY, "f32", "");

    read.parameter[PARAMETER_SIZE] = write.parameter[PARAMETER_SIZE] = (double)size;
    copy.parameter[PARAMETER_SIZE] = (double)size;
    time_passes_of(gpu, "read_all", &read, from, gpu->out, 1);
    time_passes_of(gpu, "write_all", &write, to, NULL, 1);
    /* half of the size is read, half is written */
    time_passes_of(gpu, "copy_all", &copy, from, to, 2);
}

/* Follows a random cycle through one word in each line of a buffer. A kernel goes on where the one
 * before stopped, a place that `out` keeps: the whole cycle is followed, not its beginning again
 * and again, which smaller caches hold. */
static void time_chase(struct gpu *gpu, size_t size, cl_mem buffer, cl_mem out)
{
    struct measurement_point point = gpu_point(GPU_CHASE, "", "s per access");
    struct gpu_work work = make_work(gpu, "chase", 1, 1);
    const size_t lines = size / LINE, step = LINE / sizeof(uint32_t);
    const uint32_t rounds = lines < 4096 ? (uint32_t)lines : 4096;
    struct huge_pages next = {0}, order = {0};
    uint64_t seed = gpu->probe->seed;
    const uint32_t start = 0;

    if (gpu_failed(gpu))
        return;
    if (!huge_pages_map(gpu->probe, &next, size) ||
        !huge_pages_map(gpu->probe, &order, lines * sizeof(uint32_t))) {
        error_set(gpu->probe->error, STATUS_IO, "out of memory for %zu B", size);
    } else {
        uint32_t *word = next.bytes, *line = order.bytes;

        for (size_t i = 0; i < lines; i++) {
            size_t other = (size_t)(random_next(&seed) % (i + 1));

            line[i] = line[other];
            line[other] = (uint32_t)i;
        }
        for (size_t i = 0; i < lines; i++)
            word[line[i] * step] = (uint32_t)(line[(i + 1) % lines] * step);
        fill_buffer(gpu, buffer, word, size);
        fill_buffer(gpu, out, &start, sizeof start);
        set_buffer(&work, 0, buffer);
        set_buffer(&work, 1, out);
        set_count(&work, 2, rounds);
        point.parameter[PARAMETER_SIZE] = (double)size;
        probe_time_loop(gpu->probe, repeat_in_queue, &work, rounds, &point);
    }
    huge_pages_unmap(&next);
    huge_pages_unmap(&order);
}

#define SMALLEST ((size_t)4096) /* B, of a buffer */

static void time_memory(struct gpu *gpu)
{
    const size_t step = gpu->probe->quick ? 4 : 2;
    size_t largest = power_below(gpu->largest);
    cl_mem from = make_buffer(gpu, CL_MEM_READ_WRITE, largest);
    cl_mem to = make_buffer(gpu, CL_MEM_READ_WRITE, largest);
    double span = log((double)largest / (double)SMALLEST);
    struct gpu_work fill = make_passes(gpu, "write_all", largest, 1, from, NULL, 1);

    repeat_in_queue(&fill, 1);
    for (size_t size = largest; !gpu_failed(gpu); size /= step) {
        time_passes(gpu, size, from, to);
        report_done(gpu, 0.1 + 0.3 * log((double)largest / (double)size) / larger(span, 1));
        if (size / step < SMALLEST)
            break;
    }
    for (size_t size = largest; !gpu_failed(gpu); size /= 4 * step) {
        time_chase(gpu, size, from, to);
        report_done(gpu, 0.4 + 0.2 * log((double)largest / (double)size) / larger(span, 1));
        if (size / (4 * step) < SMALLEST)
            break;
    }
    release_buffer(gpu, from);
    release_buffer(gpu, to);
}

/* Copies --------------------------------------------------------------------------------------- */

struct gpu_transfer {
    struct gpu *gpu;
    cl_mem buffer;
    void *host;
    size_t size;
    bool inward; /* to the device */
};

static void repeat_transfer(void *data, uint64_t repeats)
{
    struct gpu_transfer *copy = data;
    struct gpu *gpu = copy->gpu;

    for (uint64_t i = 0; i < repeats && gpu->probe->error->status == STATUS_OK; i++) {
        if (copy->inward)
            check(gpu, "clEnqueueWriteBuffer",
                  gpu->cl.EnqueueWriteBuffer(gpu->cl.queue, copy->buffer, CL_TRUE, 0, copy->size,
                                             copy->host, 0, NULL, NULL));
        else
            check(gpu, "clEnqueueReadBuffer",
                  gpu->cl.EnqueueReadBuffer(gpu->cl.queue, copy->buffer, CL_TRUE, 0, copy->size,
                                            copy->host, 0, NULL, NULL));
    }
}

static void time_transfers(struct gpu *gpu)
{
    size_t largest =
        power_below(gpu->largest < ((size_t)64 << 20) ? gpu->largest : (size_t)64 << 20);
    cl_mem pinned = make_buffer(gpu, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, largest);
    struct gpu_transfer copy = {
        .gpu = gpu, .buffer = make_buffer(gpu, CL_MEM_READ_WRITE, largest), .inward = true};
    cl_int code = CL_SUCCESS;
    uint64_t seed = gpu->probe->seed;

    if (!gpu_failed(gpu)) {
        copy.host =
            gpu->cl.EnqueueMapBuffer(gpu->cl.queue, pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                     largest, 0, NULL, NULL, &code);
        check(gpu, "clEnqueueMapBuffer", code);
    }
    if (!gpu_failed(gpu))
        fill_random(copy.host, largest / sizeof(float), &seed);
    for (copy.size = 64; copy.size <= largest && !gpu_failed(gpu);
         copy.size *= gpu->probe->quick ? 16 : 4)
        for (int way = 0; way < 2; way++) {
            struct measurement_point point =
                gpu_point(way == 0 ? GPU_TO_DEVICE : GPU_TO_HOST, "", "s per copy");

            copy.inward = way == 0;
            point.parameter[PARAMETER_SIZE] = (double)copy.size;
            probe_time_loop(gpu->probe, repeat_transfer, &copy, 1, &point);
            report_done(gpu, 0.6 + 0.1 * log2((double)copy.size) / log2((double)largest));
        }
    /* the queue is in order: it is unmapped when the process ends */
    release_buffer(gpu, copy.buffer);
}

/* Kernels of an adaptive optics loop ----------------------------------------------------------- */

/* A kernel that reads rows of the first buffer, `items` of `each` elements. */
struct gpu_frame {
    const char *kernel;
    size_t items, each;
    size_t second; /* elements of the second buffer */
    size_t result; /* of the third */
    uint64_t last; /* argument: columns or side */
    bool shared;   /* a work-group has several rows, if they are short */
};

/* Returns what the host computes for the first result of an item. */
static double compute_item(const struct gpu_frame *frame, const float *row, const float *second,
                           size_t item)
{
    double sum = 0, weighted = 0;

    for (size_t k = 0; k < frame->each; k++) {
        bool centroid = frame->last != frame->each;

        sum += (double)row[k];
        weighted += (double)row[k] * (centroid ? (double)(k % frame->last) : (double)second[k]);
    }
    return frame->last != frame->each ? weighted / sum - (double)second[2 * item] : weighted;
}

/* Compares results of the first, the middle and the last item. */
static void check_results(struct gpu *gpu, const struct gpu_frame *frame, const float *first,
                          const float *second, cl_mem buffer)
{
    const size_t width = frame->result / frame->items;

    for (size_t i = 0; i < 3 && !gpu_failed(gpu); i++) {
        size_t item = (frame->items - 1) * i / 2;
        double expected = compute_item(frame, first + item * frame->each, second, item);
        float value = 0;

        check(gpu, "clEnqueueReadBuffer",
              gpu->cl.EnqueueReadBuffer(gpu->cl.queue, buffer, CL_TRUE, item * width * sizeof value,
                                        sizeof value, &value, 0, NULL, NULL));
        if (!(fabs((double)value - expected) <= 1e-3 * larger(1, fabs(expected))) &&
            !gpu_failed(gpu))
            error_set(gpu->probe->error, STATUS_INVALID,
                      DRIVER " computes a wrong %s: %g instead of %g", frame->kernel, (double)value,
                      expected);
    }
}

#define LANE_ELEMENTS 8 /* of a row that a work-item adds up, at least */

/* Returns the work-items of a row of some elements, a power of two. */
static size_t row_lanes(const struct gpu *gpu, size_t elements)
{
    const size_t lanes = elements / LANE_ELEMENTS;

    return lanes >= gpu->lanes ? gpu->lanes : power_below(lanes > 0 ? lanes : 1);
}

static void time_frames(struct gpu *gpu, const struct gpu_frame *frame,
                        struct measurement_point *point)
{
    const size_t count = frame->items * frame->each;
    const size_t lanes = frame->shared ? row_lanes(gpu, frame->each) : gpu->lanes;
    const size_t groups = (frame->items * lanes + gpu->lanes - 1) / gpu->lanes;
    struct gpu_work work = make_work(gpu, frame->kernel, groups * gpu->lanes, gpu->lanes);
    cl_mem buffer[3] = {make_buffer(gpu, CL_MEM_READ_WRITE, count * sizeof(float)),
                        make_buffer(gpu, CL_MEM_READ_WRITE, frame->second * sizeof(float)),
                        make_buffer(gpu, CL_MEM_READ_WRITE, frame->result * sizeof(float))};
    struct huge_pages pages = {0};
    uint64_t seed = gpu->probe->seed;

    if (!gpu_failed(gpu) &&
        !huge_pages_map(gpu->probe, &pages, (count + frame->second) * sizeof(float)))
        error_set(gpu->probe->error, STATUS_IO, "out of memory for %zu B",
                  (count + frame->second) * sizeof(float));
    if (!gpu_failed(gpu)) {
        float *first = pages.bytes, *second = first + count;

        fill_random(first, count + frame->second, &seed);
        fill_buffer(gpu, buffer[0], first, count * sizeof(float));
        fill_buffer(gpu, buffer[1], second, frame->second * sizeof(float));
        for (uint32_t i = 0; i < 3; i++)
            set_buffer(&work, i, buffer[i]);
        set_count(&work, 3, frame->last);
        if (frame->shared) {
            set_count(&work, 4, frame->items);
            set_count(&work, 5, lanes);
        }
        repeat_in_queue(&work, 1);
        check_results(gpu, frame, first, second, buffer[2]);
        probe_time_loop(gpu->probe, repeat_in_queue, &work, 1, point);
    }
    huge_pages_unmap(&pages);
    for (int i = 0; i < 3; i++)
        release_buffer(gpu, buffer[i]);
}

static void time_frame_of(struct gpu *gpu, const struct measurement_point *size)
{
    struct measurement_point point = gpu_point(size->name, "f32", "");
    const double *parameter = size->parameter;
    struct gpu_frame frame;

    memcpy(point.parameter, parameter, sizeof point.parameter);
    memcpy(point.of, size->of, sizeof point.of);
    if (kernel_find(size->name)->size == KERNEL_OF_MATRIX) {
        size_t rows = (size_t)parameter[PARAMETER_ROWS];
        size_t columns = (size_t)parameter[PARAMETER_COLUMNS];

        frame = (struct gpu_frame){"mvm", rows, columns, columns, rows, columns, false};
    } else {
        size_t subaps = (size_t)parameter[PARAMETER_SUBAPERTURES];
        size_t side = (size_t)parameter[PARAMETER_SIDE];

        frame =
            (struct gpu_frame){"centroid", subaps, side * side, 2 * subaps, 2 * subaps, side, true};
    }
    if (frame.items > 0 && frame.each > 0)
        time_frames(gpu, &frame, &point);
}

static bool runs_on_gpu(const char *name)
{
    return strcmp(name, "centroid.cog") == 0 || strcmp(name, "reconstruction.mvm") == 0;
}

static void time_kernels_of_systems(struct gpu *gpu)
{
    struct measurement sizes = {0};

    if (!gpu_failed(gpu))
        kernel_sizes_find(&sizes, (double)gpu->largest, gpu->probe->quick, gpu->probe->error);
    for (int i = 0; i < sizes.count && !gpu_failed(gpu); i++) {
        if (runs_on_gpu(sizes.point[i].name))
            time_frame_of(gpu, &sizes.point[i]);
        report_done(gpu, 0.7 + 0.3 * (i + 1) / sizes.count);
    }
    measurement_free(&sizes);
}

/* The part ------------------------------------------------------------------------------------- */

static void note_device(struct gpu *gpu)
{
    char(*condition)[CONDITION_MAX] = gpu->probe->measurement->condition;
    char vendor[50], driver[50], version[50];

    opencl_text(&gpu->cl, CL_DEVICE_NAME, condition[CONDITION_GPU], CONDITION_MAX);
    if (condition[CONDITION_GPU][0] == '\0')
        strcpy(condition[CONDITION_GPU], "unnamed");
    opencl_text(&gpu->cl, CL_DEVICE_VENDOR, vendor, sizeof vendor);
    opencl_text(&gpu->cl, CL_DRIVER_VERSION, driver, sizeof driver);
    opencl_text(&gpu->cl, CL_DEVICE_VERSION, version, sizeof version);
    snprintf(condition[CONDITION_GPU_DRIVER], CONDITION_MAX, "%s, driver %s, %s", vendor, driver,
             version);
    gpu_figures_text(&gpu->figures, condition[CONDITION_GPU_FIGURES]);
}

/* `cuda`: the same device of the NVIDIA driver, NULL if there is none. */
static enum status prepare_gpu(struct gpu *gpu, const struct cuda *cuda, struct error *error)
{
    const struct opencl *cl = &gpu->cl;
    char options[100];
    size_t most, allocation;

    gpu->figures = (struct gpu_figures){
        .units = (double)opencl_number(cl, CL_DEVICE_MAX_COMPUTE_UNITS),
        .clock = (double)opencl_number(cl, CL_DEVICE_MAX_CLOCK_FREQUENCY) * 1e6,
        .memory = (double)opencl_number(cl, CL_DEVICE_GLOBAL_MEM_SIZE),
        .cache = (double)opencl_number(cl, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE),
        .shared = opencl_number(cl, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0};
    gpu->sequential = opencl_number(cl, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
    /* NVIDIA's OpenCL reports the first caches of all units together, AMD's that of one */
    if (cuda != NULL)
        gpu->figures.cache = cuda_number(cuda, CUDA_L2_SIZE);
    else if (!gpu->sequential && gpu->figures.cache < (double)SMALLEST_L2)
        gpu->figures.cache = 0;
    most = (size_t)opencl_number(cl, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    allocation = (size_t)opencl_number(cl, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    gpu->group = gpu->sequential || most < 2 ? 1 : power_below(most < WORK ? most : WORK);
    gpu->lanes = gpu->group < LANES ? gpu->group : LANES;
    gpu->largest = gpu->probe->largest;
    if (gpu->probe->quick && gpu->largest > QUICK_LARGEST)
        gpu->largest = QUICK_LARGEST;
    if (allocation / 2 < gpu->largest)
        gpu->largest = allocation / 2;
    if (gpu->figures.units < 1 || gpu->figures.units > 1e6 || gpu->largest < SMALLEST)
        return error_set(error, STATUS_INVALID,
                         DRIVER " reports a device with %.0f compute units and buffers of %.0f B",
                         gpu->figures.units, (double)allocation);
    note_device(gpu);
    probe_report(gpu->probe, MEASUREMENT_GPU, 0);
    snprintf(options, sizeof options, "-cl-fast-relaxed-math -DLANES=%zu -DSEQUENTIAL=%d",
             gpu->lanes, (int)gpu->sequential);
    return opencl_build(&gpu->cl, source, options, error);
}

/* Measures a device that only the NVIDIA driver knows. */
static enum status measure_nvidia(struct probe *probe, struct cuda *cuda, struct error *error)
{
    char(*condition)[CONDITION_MAX] = probe->measurement->condition;
    struct gpu_figures figures;

    *error = (struct error){STATUS_OK, ""};
    nvidia_describe(cuda, &figures, condition[CONDITION_GPU], CONDITION_MAX,
                    condition[CONDITION_GPU_DRIVER]);
    gpu_figures_text(&figures, condition[CONDITION_GPU_FIGURES]);
    return nvidia_measure(probe, cuda, 0, 1);
}

static void measure_opencl(struct gpu *gpu)
{
    gpu->out = make_buffer(gpu, CL_MEM_READ_WRITE, SMALLEST);
    /* first what makes the device leave its low clocks */
    time_arithmetic(gpu);
    time_fixed(gpu);
    time_memory(gpu);
    time_transfers(gpu);
    time_kernels_of_systems(gpu);
}

static enum status measure_gpu(struct probe *probe, struct error *error)
{
    struct gpu gpu = {.probe = probe};
    struct cuda cuda;
    struct error absent, own = {STATUS_OK, ""};
    char name[CONDITION_MAX];
    bool opened, is_gpu, nvidia;

    probe_begin(probe, error);
    opened = opencl_open(&gpu.cl, error) == STATUS_OK;
    is_gpu = opened && opencl_number(&gpu.cl, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU;
    if (is_gpu)
        opencl_text(&gpu.cl, CL_DEVICE_NAME, name, sizeof name);
    nvidia = cuda_find(&cuda, is_gpu ? name : NULL, &absent) == STATUS_OK;
    if (nvidia && !is_gpu)
        return measure_nvidia(probe, &cuda, error);
    gpu.end = nvidia ? 0.8 : 1;
    if (opened && prepare_gpu(&gpu, nvidia ? &cuda : NULL, error) == STATUS_OK)
        measure_opencl(&gpu);
    if (!nvidia)
        return error->status;
    /* of the two drivers one may fail */
    probe->error = &own;
    nvidia_measure(probe, &cuda, gpu.end, 1);
    probe->error = error;
    if (error->status == STATUS_OK)
        *error = own;
    return error->status;
}

enum status probe_gpu(struct probe *probe, struct error *error)
{
    return probe_apart(probe, WHOSE, PATIENCE, measure_gpu, error);
}
