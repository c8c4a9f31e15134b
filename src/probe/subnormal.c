#include "subnormal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined __x86_64__
#include <xmmintrin.h>
#endif

#define FACTOR 1.3

/* The mode of floating point arithmetic ---------------------------------------------------------
 */

#if defined __x86_64__

/* MXCSR: results flushed to zero, inputs taken for zero (Intel SDM 1, 10.2.3). */
#define FLUSH 0x8040u

static uint64_t mode_get(void)
{
    return _mm_getcsr();
}

static void mode_set(uint64_t mode)
{
    _mm_setcsr((unsigned)mode);
}

#elif defined __aarch64__

/* FPCR.FZ: inputs and results (Arm ARM, D19.2.61). */
#define FLUSH ((uint64_t)1 << 24)

static uint64_t mode_get(void)
{
    uint64_t mode;

    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static void mode_set(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}

#else

#define FLUSH 0u

static uint64_t mode_get(void)
{
    return 0;
}

static void mode_set(uint64_t mode)
{
    (void)mode;
}

#endif

const char *subnormal_no_flush(void)
{
    return FLUSH != 0 ? NULL : "flush to zero is not known on this architecture";
}

/* Loops -----------------------------------------------------------------------------------------
 */

/* The result is in memory, and the compiler does not know it: so it computes each element, one by
 * one, in every repeat. */
#define LOOP(name, member, expression)                                                             \
    static __attribute__((noinline)) void name(void *context, uint64_t repeats)                    \
    {                                                                                              \
        struct subnormal_data *data = context;                                                     \
        __typeof__(data->in.member[0]) factor = (__typeof__(factor))data->factor;                  \
                                                                                                   \
        for (; repeats > 0; repeats--) {                                                           \
            for (int i = 0; i < SUBNORMAL_COUNT; i++) {                                            \
                __typeof__(factor) x = data->in.member[i];                                         \
                                                                                                   \
                data->out.member[i] = (expression);                                                \
                __asm__ volatile("" : "+m"(data->out.member[i]), "+m"(data->in.member[i]));        \
            }                                                                                      \
        }                                                                                          \
        (void)factor;                                                                              \
    }

LOOP(add_f32, f32, x + x)
LOOP(add_f64, f64, x + x)
LOOP(mul_f32, f32, x *factor)
LOOP(mul_f64, f64, x *factor)

static void in_mode(probe_loop *loop, void *context, uint64_t repeats)
{
    const struct subnormal_data *data = context;
    uint64_t mode = mode_get();

    mode_set(data->flush ? mode | FLUSH : mode & ~(uint64_t)FLUSH);
    loop(context, repeats);
    mode_set(mode);
}

#define IN_MODE(name)                                                                              \
    static void name##_in_mode(void *context, uint64_t repeats)                                    \
    {                                                                                              \
        in_mode(name, context, repeats);                                                           \
    }

IN_MODE(add_f32)
IN_MODE(add_f64)
IN_MODE(mul_f32)
IN_MODE(mul_f64)

const struct subnormal_loop subnormal_loops[] = {
    {"add", "f32", add_f32_in_mode},
    {"add", "f64", add_f64_in_mode},
    {"mul", "f32", mul_f32_in_mode},
    {"mul", "f64", mul_f64_in_mode},
};

const int subnormal_loop_count = (int)(sizeof subnormal_loops / sizeof subnormal_loops[0]);

void subnormal_fill(struct subnormal_data *data, const struct subnormal_loop *loop, double share)
{
    bool f32 = strcmp(loop->type, "f32") == 0;
    int subnormal = (int)lround(share * SUBNORMAL_COUNT);

    *data = (struct subnormal_data){.factor = FACTOR};
    for (int i = 0; i < SUBNORMAL_COUNT; i++) {
        /* 37 and 64 have no common factor: each place comes once, in no simple order. */
        int place = i * 37 % SUBNORMAL_COUNT;
        double part = (i + 1.0) / SUBNORMAL_COUNT;

        if (f32)
            data->in.f32[place] = (float)(i < subnormal ? part * FLT_MIN / 2 : 1 + part);
        else
            data->in.f64[place] = i < subnormal ? part * DBL_MIN / 2 : 1 + part;
    }
}
