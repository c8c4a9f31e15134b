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

#if defined __x86_64__
#define SWEEP_BYTES 32
#define SWEEP_TARGET __attribute__((target("avx2,fma")))
#define SWEEP_NAME(name) name##_256
#include "probe/loops/sweep_template.h"

#define SWEEP_BYTES 64
#define SWEEP_TARGET __attribute__((target("avx512f,avx2,fma")))
#define SWEEP_NAME(name) name##_512
#include "probe/loops/sweep_template.h"
#endif

#define SWEEP_SET(instructions, width)                                                             \
    {                                                                                              \
        .name = instructions, .bits = width, .blocks = blocks_##width, .loop = {                   \
            [SWEEP_READ] = read_##width,                                                           \
            [SWEEP_WRITE] = write_##width,                                                         \
            [SWEEP_COPY] = copy_##width,                                                           \
            [SWEEP_TRIAD] = triad_##width,                                                         \
            [SWEEP_DOT] = dot_##width,                                                             \
        }                                                                                          \
    }

static const struct sweep_set sets[] = {
#if defined __x86_64__
    SWEEP_SET("SSE2", 128),
    SWEEP_SET("AVX2", 256),
    SWEEP_SET("AVX-512", 512),
#else
    SWEEP_SET("portable vectors", 128),
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

const struct sweep_set *sweep_set(int index)
{
    return index >= 0 && index < count_usable_sets() ? &sets[index] : NULL;
}

const struct sweep_set *sweep_set_widest(void)
{
    return &sets[count_usable_sets() - 1];
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

int sweep_array_count(enum sweep sweep)
{
    return sweeps[sweep].arrays;
}

double sweep_bytes(enum sweep sweep, const struct sweep_arrays *arrays)
{
    double count = (double)arrays->count * sweeps[sweep].arrays;

    if (sweep == SWEEP_DOT)
        count += (double)arrays->columns * (double)(arrays->count + 1);
    return count * sizeof(float);
}
