#include "probe/loops/stream_loops.h"

#define UNROLL 8 /* vectors in flight: more than the latency of an addition times its rate */

/* Without this, the compiler turns loops into memset or memcpy, which may bypass the caches. */
#define keep_loop() __asm__ volatile("" : : : "memory")

/* Without this, the compiler vectorises a sum of scattered words as a gather. */
#define keep_scalar(value) __asm__("" : "+r"(value))

/* 128 bits is the minimum of x86-64 (SSE2) and aarch64; elsewhere the compiler emulates the
 * vectors. */
#define STREAM_BYTES 16
#define STREAM_TARGET
#define STREAM_NAME(name) name##_128
#include "probe/loops/stream_template.h"

#if defined __x86_64__
#define STREAM_BYTES 32
#define STREAM_TARGET __attribute__((target("avx2,fma")))
#define STREAM_NAME(name) name##_256
#include "probe/loops/stream_template.h"

#define STREAM_BYTES 64
#define STREAM_TARGET __attribute__((target("avx512f,avx2,fma")))
#define STREAM_NAME(name) name##_512
#include "probe/loops/stream_template.h"
#endif

#define STREAM_SET(instructions, width)                                                            \
    {                                                                                              \
        .name = instructions, .bits = width, .blocks = blocks_##width, .loop = {                   \
            [STREAM_READ] = read_##width,                                                          \
            [STREAM_WRITE] = write_##width,                                                        \
            [STREAM_COPY] = copy_##width,                                                          \
            [STREAM_TRIAD] = triad_##width,                                                        \
            [STREAM_DOT] = dot_##width,                                                            \
        }                                                                                          \
    }

static const struct stream_set sets[] = {
#if defined __x86_64__
    STREAM_SET("SSE2", 128),
    STREAM_SET("AVX2", 256),
    STREAM_SET("AVX-512", 512),
#else
    STREAM_SET("portable vectors", 128),
#endif
};

static int count_usable_sets(void)
{
#if defined __x86_64__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return 1;
    return __builtin_cpu_supports("avx512f") ? 3 : 2;
#else
    return 1;
#endif
}

const struct stream_set *stream_set(int index)
{
    return index >= 0 && index < count_usable_sets() ? &sets[index] : NULL;
}

const struct stream_set *stream_set_widest(void)
{
    return &sets[count_usable_sets() - 1];
}

const struct stream_info stream_kernels[STREAM_KERNELS] = {
    [STREAM_READ] = {.name = "read", .arrays = 1}, [STREAM_WRITE] = {.name = "write", .arrays = 1},
    [STREAM_COPY] = {.name = "copy", .arrays = 2}, [STREAM_TRIAD] = {.name = "triad", .arrays = 3},
    [STREAM_DOT] = {.name = "dot", .arrays = 1},
};

double stream_bytes(enum stream_kernel kernel, const struct stream_arrays *arrays)
{
    double count = (double)arrays->count * stream_kernels[kernel].arrays;

    if (kernel == STREAM_DOT)
        count += (double)arrays->columns * (double)(arrays->count + 1);
    return count * sizeof(float);
}
