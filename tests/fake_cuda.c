/* A driver of NVIDIA GPUs for tests, libcuda.so.1, with one device whose kernels this processor
 * computes: a call returns when its kernels are done, but for one that answers questions, which a
 * thread runs. What it does wrong is the value of FAKE_CUDA: "none" no device, "init", "text" a
 * compiler that refuses the kernels, "copy" and "barrier" wrong results, "old" a device without
 * cooperative launches; unset: nothing. The device is named FAKE_CUDA_NAME. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, INVALID_VALUE = 1, NO_DEVICE = 100, INVALID_PTX = 218 };

typedef void *object;
typedef uint64_t memory;

static int asked_for(const char *what)
{
    const char *mode = getenv("FAKE_CUDA");

    return mode != NULL && strcmp(mode, what) == 0;
}

static void *pointer(memory address)
{
    return (void *)(uintptr_t)address;
}

/* Kernels -------------------------------------------------------------------------------------- */

struct question {
    volatile uint32_t *ask, *reply;
    uint32_t last, polls;
};

static pthread_t answering;
static int answers; /* the thread runs */

static void *answer_questions(void *data)
{
    struct question *question = data;
    uint32_t seen = 0, idle = 0;

    while (seen != question->last && idle < question->polls) {
        uint32_t now = *question->ask;

        idle = now == seen ? idle + 1 : 0;
        if (now == seen)
            sched_yield(); /* who asks may wait for this processor, longer than all polls take */
        if (now != seen)
            *question->reply = now;
        seen = now;
    }
    free(question);
    return NULL;
}

static void run_nothing(unsigned blocks, void **argument)
{
    (void)blocks;
    (void)argument;
}

static void run_spin(unsigned blocks, void **argument)
{
    volatile float *out = pointer(*(memory *)argument[0]);
    float x = *out;

    (void)blocks;
    for (uint32_t i = *(uint32_t *)argument[1]; i > 0; i--)
        x = x * 0.999F + 0.5F;
    *out = x;
}

static void run_answer(unsigned blocks, void **argument)
{
    struct question *question = malloc(sizeof *question);

    (void)blocks;
    if (question == NULL)
        abort();
    *question = (struct question){pointer(*(memory *)argument[0]), pointer(*(memory *)argument[1]),
                                  *(uint32_t *)argument[2], *(uint32_t *)argument[3]};
    answers = pthread_create(&answering, NULL, answer_questions, question) == 0;
}

static void run_meet(unsigned blocks, void **argument)
{
    volatile uint32_t *count = pointer(*(memory *)argument[0]);
    uint32_t rounds = *(uint32_t *)argument[2];

    if (*count != *(uint32_t *)argument[1] && !asked_for("barrier"))
        abort(); /* the base is not what earlier rounds left */
    for (uint32_t i = 0; i < rounds; i++)
        *count += asked_for("barrier") ? blocks - 1 : blocks;
}

static void run_move(unsigned blocks, void **argument)
{
    (void)blocks;
    memcpy(pointer(*(memory *)argument[1]), pointer(*(memory *)argument[0]),
           16 * (size_t)(*(uint32_t *)argument[2]));
}

static const struct kernel {
    const char *name;
    int arguments;
    void (*run)(unsigned blocks, void **argument);
} kernels[] = {
    {"nothing", 0, run_nothing}, {"spin", 2, run_spin}, {"answer", 4, run_answer},
    {"meet", 3, run_meet},       {"move", 3, run_move},
};

/* The kernels of a graph, or those that are captured. */
struct graph {
    int count;
    bool waits; /* it has not been launched: the first launch takes longer */
    struct {
        const struct kernel *kernel;
        unsigned blocks;
        uint64_t argument[4];
    } node[16];
};

static struct graph *captured;

static void run_graph(struct graph *graph)
{
    for (int i = 0; i < graph->count; i++) {
        void *argument[4];

        for (int k = 0; k < 4; k++)
            argument[k] = &graph->node[i].argument[k];
        graph->node[i].kernel->run(graph->node[i].blocks, argument);
    }
}

static int here;

int cuLaunchKernel(object function, unsigned x, unsigned y, unsigned z, unsigned threads,
                   unsigned threads_y, unsigned threads_z, unsigned shared, object stream,
                   void **argument, void **extra)
{
    const struct kernel *kernel = function;

    if (x == 0 || y != 1 || z != 1 || threads == 0 || threads > 1024 || threads_y != 1 ||
        threads_z != 1 || shared != 0 || stream != &here || extra != NULL ||
        (argument == NULL) != (kernel->arguments == 0))
        return INVALID_VALUE;
    if (captured == NULL) {
        kernel->run(x, argument);
        return SUCCESS;
    }
    if (captured->count == sizeof captured->node / sizeof captured->node[0])
        return INVALID_VALUE;
    captured->node[captured->count].kernel = kernel;
    captured->node[captured->count].blocks = x;
    for (int i = 0; i < kernel->arguments; i++)
        memcpy(&captured->node[captured->count].argument[i], argument[i],
               kernel->run == run_spin && i == 1 ? sizeof(uint32_t) : sizeof(uint64_t));
    captured->count++;
    return SUCCESS;
}

int cuLaunchCooperativeKernel(object function, unsigned x, unsigned y, unsigned z, unsigned threads,
                              unsigned threads_y, unsigned threads_z, unsigned shared,
                              object stream, void **argument)
{
    return cuLaunchKernel(function, x, y, z, threads, threads_y, threads_z, shared, stream,
                          argument, NULL);
}

int cuStreamSynchronize(object stream)
{
    if (stream != &here || captured != NULL)
        return INVALID_VALUE;
    if (answers)
        pthread_join(answering, NULL);
    answers = 0;
    return SUCCESS;
}

int cuStreamBeginCapture_v2(object stream, int mode)
{
    if (stream != &here || captured != NULL || mode != 1)
        return INVALID_VALUE;
    captured = calloc(1, sizeof *captured);
    return captured == NULL;
}

int cuStreamEndCapture(object stream, object *graph)
{
    if (stream != &here || captured == NULL)
        return INVALID_VALUE;
    *graph = captured;
    captured = NULL;
    return SUCCESS;
}

int cuGraphInstantiateWithFlags(object *executable, object graph, unsigned long long flags)
{
    struct graph *copy = malloc(sizeof *copy);

    if (copy == NULL || flags != 0)
        return INVALID_VALUE;
    *copy = *(struct graph *)graph;
    copy->waits = true;
    *executable = copy;
    return SUCCESS;
}

int cuGraphLaunch(object executable, object stream)
{
    if (stream != &here)
        return INVALID_VALUE;
    if (((struct graph *)executable)->waits)
        usleep(300U * (unsigned)((struct graph *)executable)->count);
    ((struct graph *)executable)->waits = false;
    run_graph(executable);
    return SUCCESS;
}

int cuGraphExecDestroy(object executable)
{
    free(executable);
    return SUCCESS;
}

int cuGraphDestroy(object graph)
{
    free(graph);
    return SUCCESS;
}

/* The device ----------------------------------------------------------------------------------- */

int cuInit(unsigned flags)
{
    return flags == 0 && !asked_for("init") ? SUCCESS : INVALID_VALUE;
}

int cuGetErrorName(int code, const char **name)
{
    *name = code == NO_DEVICE     ? "CUDA_ERROR_NO_DEVICE"
            : code == INVALID_PTX ? "CUDA_ERROR_INVALID_PTX\033[31m"
                                  : "CUDA_ERROR_INVALID_VALUE";
    return SUCCESS;
}

int cuDriverGetVersion(int *version)
{
    *version = 12080;
    return SUCCESS;
}

int cuDeviceGetCount(int *count)
{
    *count = asked_for("none") ? 0 : 1;
    return SUCCESS;
}

int cuDeviceGet(int *device, int index)
{
    *device = index;
    return SUCCESS;
}

int cuDeviceGetName(char *name, int size, int device)
{
    const char *own = getenv("FAKE_CUDA_NAME");

    (void)device;
    strncpy(name, own == NULL ? "An NVIDIA GPU of the tests" : own, (size_t)size);
    return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 13   ? 1500000
             : attribute == 16 ? 100
             : attribute == 38 ? 40 << 20
             : attribute == 95 ? !asked_for("old")
                               : 0;
    return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *size, int device)
{
    (void)device;
    *size = (size_t)16 << 30;
    return SUCCESS;
}

int cuDevicePrimaryCtxSetFlags(int device, unsigned flags)
{
    (void)device;
    return flags == 1 ? SUCCESS : INVALID_VALUE;
}

int cuDevicePrimaryCtxRetain(object *context, int device)
{
    (void)device;
    *context = &here;
    return SUCCESS;
}

int cuCtxSetCurrent(object context)
{
    return context == &here ? SUCCESS : INVALID_VALUE;
}

/* Every kernel is an entry of the text, which begins as PTX does. */
int cuModuleLoadData(object *module, const void *text)
{
    if (asked_for("text") || strncmp(text, ".version ", 9) != 0)
        return INVALID_PTX;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        char entry[40] = ".visible .entry ";

        strcat(strcat(entry, kernels[i].name), "(");
        if (strstr(text, entry) == NULL)
            return INVALID_PTX;
    }
    *module = &here;
    return SUCCESS;
}

int cuModuleGetFunction(object *function, object module, const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (module == &here && strcmp(kernels[i].name, name) == 0) {
            *function = (object)(uintptr_t)&kernels[i];
            return SUCCESS;
        }
    return INVALID_VALUE;
}

int cuStreamCreate(object *stream, unsigned flags)
{
    *stream = &here;
    return flags == 1 ? SUCCESS : INVALID_VALUE;
}

/* Memory --------------------------------------------------------------------------------------- */

int cuMemAlloc_v2(memory *address, size_t size)
{
    *address = (uintptr_t)calloc(1, size);
    return *address == 0;
}

int cuMemFree_v2(memory address)
{
    free(pointer(address));
    return SUCCESS;
}

int cuMemHostAlloc(void **host, size_t size, unsigned flags)
{
    *host = malloc(size);
    return *host == NULL || flags != 2;
}

int cuMemHostGetDevicePointer_v2(memory *address, void *host, unsigned flags)
{
    *address = (uintptr_t)host;
    return flags == 0 ? SUCCESS : INVALID_VALUE;
}

int cuMemFreeHost(void *host)
{
    free(host);
    return SUCCESS;
}

int cuMemcpyHtoDAsync_v2(memory to, const void *from, size_t size, object stream)
{
    memcpy(pointer(to), from, size);
    return stream == &here ? SUCCESS : INVALID_VALUE;
}

int cuMemcpyDtoHAsync_v2(void *to, memory from, size_t size, object stream)
{
    memcpy(to, pointer(from), size - (asked_for("copy") && size > 8 ? 4 : 0));
    return stream == &here ? SUCCESS : INVALID_VALUE;
}
