#include "probe/loops/sweeps.h"

#define UNROLL 8 /* vectors at once: more than the latency of an addition times its rate */

/* A loop without this is known to the compiler as memset or memcpy, which may go past the caches.
 */
#define keep_loop() __asm__ volatile("" : : : "memory")

/* A sum of words at scattered places is known to it as a gather. */
#define keep_scalar(value) __asm__("" : "+r"(value))

/* 128 bits are the least of x86-64 (SSE2) and of aarch64; elsewhere the compiler makes them of what
 * there is. */
#define SWEEP_BYTES 16
#define SWEEP_TARGET
#define SWEEP_NAME(name) name##_128
#include "probe/loops/sweep_template.h"
#undef SWEEP_BYTES
#undef SWEEP_TARGET
#undef SWEEP_NAME

#if defined __x86_64__
#define SWEEP_BYTES 32
#define SWEEP_TARGET __attribute__((target("avx2,fma")))
#define SWEEP_NAME(name) name##_256
#include "probe/loops/sweep_template.h"
#undef SWEEP_BYTES
#undef SWEEP_TARGET
#undef SWEEP_NAME

#define SWEEP_BYTES 64
#define SWEEP_TARGET __attribute__((target("avx512f,avx2,fma")))
#define SWEEP_NAME(name) name##_512
#include "probe/loops/sweep_template.h"
#undef SWEEP_BYTES
#undef SWEEP_TARGET
#undef SWEEP_NAME
#endif

static const struct sweep_set sets[] = {
#if defined __x86_64__
    {"SSE2", 128, {read_128, write_128, copy_128, triad_128, dot_128}, blocks_128},
    {"AVX2", 256, {read_256, write_256, copy_256, triad_256, dot_256}, blocks_256},
    {"AVX-512", 512, {read_512, write_512, copy_512, triad_512, dot_512}, blocks_512},
#else
    {"portable vectors", 128, {read_128, write_128, copy_128, triad_128, dot_128}, blocks_128},
#endif
};

static int count_sets(void)
{
#if defined __x86_64__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return 1;
    return __builtin_cpu_supports("avx512f") ? 3 : 2;
#else
    return 1;
#endif
}

const struct sweep_set *sweep_set(int index)
{
    return index >= 0 && index < count_sets() ? &sets[index] : NULL;
}

const struct sweep_set *sweep_set_widest(void)
{
    return &sets[count_sets() - 1];
}

static const struct {
    const char *name;
    int arrays; /* of `count` elements that are read or written */
} sweeps[SWEEPS] = {
    [SWEEP_READ] = {"read", 1},   [SWEEP_WRITE] = {"write", 1}, [SWEEP_COPY] = {"copy", 2},
    [SWEEP_TRIAD] = {"triad", 3}, [SWEEP_DOT] = {"dot", 1},
};

const char *sweep_name(enum sweep sweep)
{
    return sweeps[sweep].name;
}

double sweep_bytes(enum sweep sweep, const struct sweep_arrays *arrays)
{
    double count = (double)arrays->count * sweeps[sweep].arrays;

    if (sweep == SWEEP_DOT)
        count += (double)arrays->columns * (double)(arrays->count + 1);
    return count * sizeof(float);
}
