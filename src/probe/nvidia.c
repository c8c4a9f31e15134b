#include "probe/nvidia.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "probe/launches.h"
#include "probe/library.h"

#define NODES_MAX 8
#define BLOCK 256                   /* threads of a block */
#define BLOCKS_PER_UNIT 4           /* of a copy through mapped memory */
#define WORD 16                     /* B that a thread copies at once */
#define SMALLEST ((size_t)64)       /* B, of a copy */
#define LARGEST ((size_t)64 << 20)  /* B */
#define POLLS ((uint32_t)1 << 24)   /* without a question, before a resident kernel ends */
#define WARM_UP ((uint32_t)1 << 25) /* dependent multiply-adds */
#define GOODBYE UINT32_MAX          /* the question that ends it */

/* The kernels, as PTX of version 6.0, which every driver compiles for its device:
 *
 *     nothing
 *     spin(out, operations)          dependent multiply-adds of each thread
 *     answer(ask, reply, last, polls)
 *                                    copies each new word of the host into `reply`, until it is
 *                                    `last` or did not change for some polls
 *     meet(count, base, rounds)      barriers of all blocks, which add to a counter that was `base`
 *     move(from, to, words)          copies words of 16 B */
static const char source[] =
    ".version 6.0\n"
    ".target sm_60\n"
    ".address_size 64\n"
    ".visible .entry nothing()\n"
    "{\n"
    "    ret;\n"
    "}\n"
    ".visible .entry spin(.param .u64 p_out, .param .u32 p_operations)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .f32 %f<2>;\n"
    "    .reg .b32 %r<2>;\n"
    "    .reg .b64 %rd<3>;\n"
    "    ld.param.u64 %rd1, [p_out];\n"
    "    ld.param.u32 %r1, [p_operations];\n"
    "    cvta.to.global.u64 %rd2, %rd1;\n"
    "    ld.global.f32 %f1, [%rd2];\n"
    "NEXT:\n"
    "    fma.rn.f32 %f1, %f1, 0f3F7FBE77, 0f3F000000;\n"
    "    sub.u32 %r1, %r1, 1;\n"
    "    setp.ne.u32 %p1, %r1, 0;\n"
    "    @%p1 bra NEXT;\n"
    "    setp.eq.f32 %p2, %f1, 0fBF800000;\n" /* -1, which it never reaches */
    "    @%p2 st.global.f32 [%rd2], %f1;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry answer(.param .u64 p_ask, .param .u64 p_reply, .param .u32 p_last,\n"
    "                       .param .u32 p_polls)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [p_ask];\n"
    "    ld.param.u64 %rd2, [p_reply];\n"
    "    ld.param.u32 %r1, [p_last];\n"
    "    ld.param.u32 %r2, [p_polls];\n"
    "    cvta.to.global.u64 %rd3, %rd1;\n"
    "    cvta.to.global.u64 %rd4, %rd2;\n"
    "    mov.u32 %r3, 0;\n"
    "HEARD:\n"
    "    mov.u32 %r5, 0;\n"
    "LISTEN:\n"
    "    ld.volatile.global.u32 %r4, [%rd3];\n"
    "    setp.ne.u32 %p1, %r4, %r3;\n"
    "    @%p1 bra SPEAK;\n"
    "    add.u32 %r5, %r5, 1;\n"
    "    setp.lt.u32 %p2, %r5, %r2;\n"
    "    @%p2 bra LISTEN;\n"
    "    ret;\n"
    "SPEAK:\n"
    "    mov.u32 %r3, %r4;\n"
    "    st.volatile.global.u32 [%rd4], %r3;\n"
    "    membar.sys;\n"
    "    setp.ne.u32 %p3, %r3, %r1;\n"
    "    @%p3 bra HEARD;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry meet(.param .u64 p_count, .param .u32 p_base, .param .u32 p_rounds)\n"
    "{\n"
    "    .reg .pred %p<4>;\n"
    "    .reg .b32 %r<10>;\n"
    "    .reg .b64 %rd<3>;\n"
    "    ld.param.u64 %rd1, [p_count];\n"
    "    ld.param.u32 %r1, [p_base];\n"
    "    ld.param.u32 %r2, [p_rounds];\n"
    "    cvta.to.global.u64 %rd2, %rd1;\n"
    "    mov.u32 %r3, %nctaid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    setp.ne.u32 %p1, %r4, 0;\n"
    "    mov.u32 %r5, 0;\n"
    "    mov.u32 %r6, 0;\n"
    "NEXT:\n"
    "    setp.ge.u32 %p2, %r6, %r2;\n"
    "    @%p2 bra DONE;\n"
    "    add.u32 %r6, %r6, 1;\n"
    "    add.u32 %r5, %r5, %r3;\n"
    "    bar.sync 0;\n"
    "    @%p1 bra MET;\n"
    "    membar.gl;\n"
    "    atom.global.add.u32 %r7, [%rd2], 1;\n"
    "WAIT:\n"
    "    ld.volatile.global.u32 %r8, [%rd2];\n"
    "    sub.u32 %r9, %r8, %r1;\n"
    "    setp.lt.u32 %p3, %r9, %r5;\n"
    "    @%p3 bra WAIT;\n"
    "    membar.gl;\n"
    "MET:\n"
    "    bar.sync 0;\n"
    "    bra NEXT;\n"
    "DONE:\n"
    "    ret;\n"
    "}\n"
    ".visible .entry move(.param .u64 p_from, .param .u64 p_to, .param .u32 p_words)\n"
    "{\n"
    "    .reg .pred %p<3>;\n"
    "    .reg .b32 %r<11>;\n"
    "    .reg .b64 %rd<8>;\n"
    "    ld.param.u64 %rd1, [p_from];\n"
    "    ld.param.u64 %rd2, [p_to];\n"
    "    ld.param.u32 %r1, [p_words];\n"
    "    cvta.to.global.u64 %rd3, %rd1;\n"
    "    cvta.to.global.u64 %rd4, %rd2;\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "    mov.u32 %r3, %ntid.x;\n"
    "    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "    mov.u32 %r2, %nctaid.x;\n"
    "    mul.lo.u32 %r6, %r2, %r3;\n"
    "NEXT:\n"
    "    setp.ge.u32 %p1, %r5, %r1;\n"
    "    @%p1 bra DONE;\n"
    "    mul.wide.u32 %rd5, %r5, 16;\n"
    "    add.u64 %rd6, %rd3, %rd5;\n"
    "    add.u64 %rd7, %rd4, %rd5;\n"
    "    ld.global.v4.u32 {%r7, %r8, %r9, %r10}, [%rd6];\n"
    "    st.global.v4.u32 [%rd7], {%r7, %r8, %r9, %r10};\n"
    "    add.u32 %r5, %r5, %r6;\n"
    "    bra NEXT;\n"
    "DONE:\n"
    "    ret;\n"
    "}\n";

struct nvidia {
    struct probe *probe;
    struct cuda *cuda;
    unsigned units;
    cuda_object nothing, spin, answer, meet, move;
    cuda_memory word; /* a counter, or of what nobody reads */
};

static void check(struct nvidia *gpu, const char *function, int code)
{
    cuda_check(gpu->cuda, gpu->probe->error, function, code);
}

static bool has_failed(const struct nvidia *gpu)
{
    return gpu->probe->error->status != STATUS_OK;
}

static cuda_object find_kernel(struct nvidia *gpu, const char *name)
{
    cuda_object kernel = NULL;

    if (!has_failed(gpu))
        check(gpu, "cuModuleGetFunction",
              gpu->cuda->ModuleGetFunction(&kernel, gpu->cuda->module, name));
    return kernel;
}

static cuda_memory make_memory(struct nvidia *gpu, size_t size)
{
    cuda_memory memory = 0;

    if (!has_failed(gpu))
        check(gpu, "cuMemAlloc", gpu->cuda->MemAlloc_v2(&memory, size));
    return memory;
}

/* Host memory that does not move, with its address on the device. */
struct mapped {
    void *host;
    cuda_memory device;
};

static struct mapped make_mapped(struct nvidia *gpu, size_t size)
{
    struct mapped memory = {NULL, 0};

    if (!has_failed(gpu))
        check(gpu, "cuMemHostAlloc", gpu->cuda->MemHostAlloc(&memory.host, size, CUDA_HOST_MAPPED));
    if (!has_failed(gpu))
        check(gpu, "cuMemHostGetDevicePointer",
              gpu->cuda->MemHostGetDevicePointer_v2(&memory.device, memory.host, 0));
    if (!has_failed(gpu))
        memset(memory.host, 0, size);
    return memory;
}

static void free_memory(struct nvidia *gpu, cuda_memory memory)
{
    if (memory != 0)
        gpu->cuda->MemFree_v2(memory);
}

static void free_mapped(struct nvidia *gpu, const struct mapped *memory)
{
    if (memory->host != NULL)
        gpu->cuda->MemFreeHost(memory->host);
}

static void launch(struct nvidia *gpu, cuda_object kernel, unsigned blocks, unsigned threads,
                   void **arguments)
{
    if (!has_failed(gpu))
        check(gpu, "cuLaunchKernel",
              gpu->cuda->LaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, gpu->cuda->stream,
                                      arguments, NULL));
}

static void synchronize(struct nvidia *gpu)
{
    if (!has_failed(gpu))
        check(gpu, "cuStreamSynchronize", gpu->cuda->StreamSynchronize(gpu->cuda->stream));
}

/* Streams and graphs --------------------------------------------------------------------------- */

struct starts {
    struct nvidia *gpu;
    int kernels;
    uint32_t operations;
    cuda_object graph, executable; /* of the kernels, if started as a graph */
};

static void enqueue_stream(void *data)
{
    struct starts *starts = data;
    struct nvidia *gpu = starts->gpu;
    void *arguments[] = {&gpu->word, &starts->operations};

    for (int i = 0; i < starts->kernels; i++)
        launch(gpu, starts->operations == 0 ? gpu->nothing : gpu->spin, gpu->units, BLOCK,
               starts->operations == 0 ? NULL : arguments);
}

static void finish_stream(void *data)
{
    struct starts *starts = data;

    synchronize(starts->gpu);
}

static void prepare_stream(void *data, int kernels, uint32_t operations)
{
    struct starts *starts = data;

    starts->kernels = kernels;
    starts->operations = operations;
}

static void release_graph(struct starts *starts)
{
    if (starts->executable != NULL)
        starts->gpu->cuda->GraphExecDestroy(starts->executable);
    if (starts->graph != NULL)
        starts->gpu->cuda->GraphDestroy(starts->graph);
    starts->executable = starts->graph = NULL;
}

static void enqueue_graph(void *data)
{
    struct starts *starts = data;
    struct nvidia *gpu = starts->gpu;

    if (!has_failed(gpu))
        check(gpu, "cuGraphLaunch", gpu->cuda->GraphLaunch(starts->executable, gpu->cuda->stream));
}

static void prepare_graph(void *data, int kernels, uint32_t operations)
{
    struct starts *starts = data;
    struct nvidia *gpu = starts->gpu;
    const struct cuda *cuda = gpu->cuda;

    release_graph(starts);
    prepare_stream(data, kernels, operations);
    if (!has_failed(gpu))
        check(gpu, "cuStreamBeginCapture",
              cuda->StreamBeginCapture_v2(cuda->stream, CUDA_CAPTURE_THREAD));
    enqueue_stream(data);
    if (!has_failed(gpu))
        check(gpu, "cuStreamEndCapture", cuda->StreamEndCapture(cuda->stream, &starts->graph));
    if (!has_failed(gpu))
        check(gpu, "cuGraphInstantiate",
              cuda->GraphInstantiateWithFlags(&starts->executable, starts->graph, 0));
    /* the first launch of a graph also copies it to the device */
    enqueue_graph(data);
    finish_stream(data);
}

static void time_starts(struct nvidia *gpu)
{
    struct starts starts = {.gpu = gpu};

    /* a tenth of a second of work, after which a device has left its low clocks */
    prepare_stream(&starts, 1, WARM_UP);
    enqueue_stream(&starts);
    finish_stream(&starts);
    launches_measure(&(struct launches){gpu->probe, GPU_STREAM, &starts, prepare_stream,
                                        enqueue_stream, finish_stream});
    launches_measure(&(struct launches){gpu->probe, GPU_GRAPH, &starts, prepare_graph,
                                        enqueue_graph, finish_stream});
    release_graph(&starts);
}

/* A resident kernel ---------------------------------------------------------------------------- */

struct questions {
    volatile uint32_t *ask, *reply;
    uint32_t asked;
};

static void repeat_question(void *data, uint64_t repeats)
{
    struct questions *questions = data;

    for (uint64_t i = 0; i < repeats; i++) {
        *questions->ask = ++questions->asked;
        while (*questions->reply != questions->asked)
            ; /* a kernel that does not answer is a driver that hangs (apart.h) */
    }
}

static void time_flag(struct nvidia *gpu)
{
    /* question and answer in lines of their own */
    struct mapped page = make_mapped(gpu, 4096);
    cuda_memory reply = page.device + 2048;
    uint32_t last = GOODBYE, polls = POLLS;
    void *arguments[] = {&page.device, &reply, &last, &polls};
    struct measurement_point point = measurement_point(MEASUREMENT_GPU, GPU_FLAG, "");

    launch(gpu, gpu->answer, 1, 1, arguments);
    if (!has_failed(gpu)) {
        struct questions questions = {
            .ask = page.host,
            .reply = (volatile uint32_t *)((char *)page.host + 2048),
        };

        strcpy(point.remark, "s per question and answer");
        probe_time_loop(gpu->probe, repeat_question, &questions, 1, &point);
        *questions.ask = GOODBYE;
    }
    synchronize(gpu);
    free_mapped(gpu, &page);
}

struct meeting {
    struct nvidia *gpu;
    uint32_t count; /* of the counter */
};

static void repeat_barrier(void *data, uint64_t repeats)
{
    struct meeting *meeting = data;
    struct nvidia *gpu = meeting->gpu;
    uint32_t rounds = (uint32_t)repeats;
    void *arguments[] = {&gpu->word, &meeting->count, &rounds};

    if (!has_failed(gpu))
        check(gpu, "cuLaunchCooperativeKernel",
              gpu->cuda->LaunchCooperativeKernel(gpu->meet, gpu->units, 1, 1, BLOCK, 1, 1, 0,
                                                 gpu->cuda->stream, arguments));
    synchronize(gpu);
    meeting->count += rounds * gpu->units;
}

/* Times barriers of a block on each unit. */
static void time_barrier(struct nvidia *gpu)
{
    struct meeting meeting = {gpu, 0};
    struct measurement_point point = measurement_point(MEASUREMENT_GPU, GPU_BARRIER, "");
    uint32_t count = 0;

    if (cuda_number(gpu->cuda, CUDA_COOPERATIVE_LAUNCH) < 1)
        return;
    if (!has_failed(gpu))
        check(gpu, "cuMemcpyHtoDAsync",
              gpu->cuda->MemcpyHtoDAsync_v2(gpu->word, &count, sizeof count, gpu->cuda->stream));
    synchronize(gpu);
    strcpy(point.remark, "s per barrier");
    probe_time_loop(gpu->probe, repeat_barrier, &meeting, 1, &point);
    if (!has_failed(gpu))
        check(gpu, "cuMemcpyDtoHAsync",
              gpu->cuda->MemcpyDtoHAsync_v2(&count, gpu->word, sizeof count, gpu->cuda->stream));
    synchronize(gpu);
    if (!has_failed(gpu) && count != meeting.count)
        error_set(gpu->probe->error, STATUS_INVALID,
                  "the CUDA driver computes a wrong barrier: %u blocks met instead of %u", count,
                  meeting.count);
}

/* Copies --------------------------------------------------------------------------------------- */

struct copying {
    struct nvidia *gpu;
    struct mapped host;
    cuda_memory device;
    size_t size;
    bool inward; /* to the device */
};

static void copy_pinned(struct copying *copying)
{
    struct nvidia *gpu = copying->gpu;
    const struct cuda *cuda = gpu->cuda;

    if (has_failed(gpu))
        return;
    if (copying->inward)
        check(gpu, "cuMemcpyHtoDAsync",
              cuda->MemcpyHtoDAsync_v2(copying->device, copying->host.host, copying->size,
                                       cuda->stream));
    else
        check(gpu, "cuMemcpyDtoHAsync",
              cuda->MemcpyDtoHAsync_v2(copying->host.host, copying->device, copying->size,
                                       cuda->stream));
}

static void copy_mapped(struct copying *copying)
{
    struct nvidia *gpu = copying->gpu;
    cuda_memory *from = copying->inward ? &copying->host.device : &copying->device;
    cuda_memory *to = copying->inward ? &copying->device : &copying->host.device;
    uint32_t words = (uint32_t)(copying->size / WORD);
    void *arguments[] = {from, to, &words};
    unsigned blocks = (words + BLOCK - 1) / BLOCK;

    if (blocks > BLOCKS_PER_UNIT * gpu->units)
        blocks = BLOCKS_PER_UNIT * gpu->units;
    launch(gpu, gpu->move, blocks, BLOCK, arguments);
}

static void repeat_pinned(void *data, uint64_t repeats)
{
    struct copying *copying = data;

    for (uint64_t i = 0; i < repeats; i++) {
        copy_pinned(copying);
        synchronize(copying->gpu);
    }
}

static void repeat_mapped(void *data, uint64_t repeats)
{
    struct copying *copying = data;

    for (uint64_t i = 0; i < repeats; i++) {
        copy_mapped(copying);
        synchronize(copying->gpu);
    }
}

/* The ways to copy, and the words of the pattern that checks each. */
static const struct way_to_copy {
    const char *to_device, *to_host, *type;
    void (*copy)(struct copying *copying);
    probe_loop *loop;
    uint32_t pattern;
} ways_to_copy[] = {
    {GPU_TO_DEVICE, GPU_TO_HOST, GPU_PINNED, copy_pinned, repeat_pinned, 0x5a5a0001},
    {GPU_TO_DEVICE, GPU_TO_HOST, GPU_MAPPED, copy_mapped, repeat_mapped, 0xc3c30001},
};

enum { WAYS_TO_COPY = sizeof ways_to_copy / sizeof ways_to_copy[0] };

/* A word of the pattern of a copy, which no memory can compress. */
static uint32_t pattern_word(const struct way_to_copy *way, size_t i)
{
    const uint32_t word = (way->pattern + (uint32_t)i) * UINT32_C(0x9e3779b1);

    return (word ^ word >> 15) * UINT32_C(0x9e3779b1);
}

/* Copies a pattern to the device and back. */
static void check_copies(struct copying *copying, const struct way_to_copy *way)
{
    struct nvidia *gpu = copying->gpu;
    uint32_t *word = copying->host.host;
    const size_t words = copying->size / sizeof *word;

    if (has_failed(gpu))
        return;
    for (size_t i = 0; i < words; i++)
        word[i] = pattern_word(way, i);
    copying->inward = true;
    way->copy(copying);
    synchronize(gpu);
    memset(word, 0, copying->size);
    copying->inward = false;
    way->copy(copying);
    synchronize(gpu);
    for (size_t i = 0; i < words && !has_failed(gpu); i++)
        if (word[i] != pattern_word(way, i))
            error_set(gpu->probe->error, STATUS_INVALID,
                      "the CUDA driver computes a wrong copy (%s): word %zu of %zu", way->type, i,
                      words);
}

static void time_copies(struct nvidia *gpu, double from, double to)
{
    const size_t largest =
        gpu->probe->largest / 2 < LARGEST ? gpu->probe->largest / 2 / WORD * WORD : LARGEST;
    struct copying copying = {
        .gpu = gpu, .host = make_mapped(gpu, largest), .device = make_memory(gpu, largest)};
    double done = 0;

    for (int i = 0; i < WAYS_TO_COPY; i++) {
        const struct way_to_copy *way = &ways_to_copy[i];

        copying.size = largest;
        check_copies(&copying, way);
        for (copying.size = SMALLEST; copying.size <= largest && !probe_stopped(gpu->probe);
             copying.size *= gpu->probe->quick ? 16 : 4)
            for (int inward = 1; inward >= 0; inward--) {
                struct measurement_point point = measurement_point(
                    MEASUREMENT_GPU, inward ? way->to_device : way->to_host, way->type);

                strcpy(point.remark, "s per copy");
                copying.inward = inward != 0;
                point.parameter[PARAMETER_SIZE] = (double)copying.size;
                probe_time_loop(gpu->probe, way->loop, &copying, 1, &point);
            }
        done = (double)(i + 1) / WAYS_TO_COPY;
        probe_report(gpu->probe, MEASUREMENT_GPU, from + (to - from) * done);
    }
    free_mapped(gpu, &copying.host);
    free_memory(gpu, copying.device);
}

/* The part ------------------------------------------------------------------------------------- */

void nvidia_describe(const struct cuda *cuda, struct gpu_figures *figures, char *name, size_t size,
                     char driver[CONDITION_MAX])
{
    char whole[256] = "";
    size_t memory = 0;
    int version = 0;

    cuda->DeviceGetName(whole, sizeof whole - 1, cuda->device);
    library_make_printable(whole);
    snprintf(name, size, "%.100s", whole[0] == '\0' ? "unnamed" : whole);
    cuda->DriverGetVersion(&version);
    snprintf(driver, CONDITION_MAX, "NVIDIA, CUDA %d.%d without OpenCL", version / 1000,
             version % 1000 / 10);
    cuda->DeviceTotalMem_v2(&memory, cuda->device);
    *figures = (struct gpu_figures){.units = cuda_number(cuda, CUDA_MULTIPROCESSORS),
                                    .clock = cuda_number(cuda, CUDA_CLOCK_RATE) * 1e3,
                                    .memory = (double)memory,
                                    .cache = cuda_number(cuda, CUDA_L2_SIZE),
                                    .shared = cuda_number(cuda, CUDA_INTEGRATED) > 0};
}

enum status nvidia_measure(struct probe *probe, struct cuda *cuda, double from, double to)
{
    struct nvidia gpu = {
        .probe = probe, .cuda = cuda, .units = (unsigned)cuda_number(cuda, CUDA_MULTIPROCESSORS)};

    if (gpu.units < 1 || gpu.units > 100000)
        return error_set(probe->error, STATUS_INVALID,
                         "the CUDA driver reports a device with %u multiprocessors", gpu.units);
    if (cuda_open(cuda, source, probe->error) != STATUS_OK)
        return probe->error->status;
    gpu.nothing = find_kernel(&gpu, "nothing");
    gpu.spin = find_kernel(&gpu, "spin");
    gpu.answer = find_kernel(&gpu, "answer");
    gpu.meet = find_kernel(&gpu, "meet");
    gpu.move = find_kernel(&gpu, "move");
    gpu.word = make_memory(&gpu, sizeof(float));
    time_starts(&gpu);
    probe_report(probe, MEASUREMENT_GPU, from + (to - from) / 4);
    time_flag(&gpu);
    time_barrier(&gpu);
    probe_report(probe, MEASUREMENT_GPU, from + (to - from) / 2);
    time_copies(&gpu, from + (to - from) / 2, to);
    free_memory(&gpu, gpu.word);
    return probe->error->status;
}
