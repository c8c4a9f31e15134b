#include "probe/loops/subnormal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "probe/loops/operation_steps.h"

#if defined __x86_64__
#include <xmmintrin.h>
#endif

#define REGISTER SCALAR_REGISTER

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

#define STEP(operator, operand)                                                                    \
    r = r operator operand;                                                                        \
    BARRIER(r)

#define LOOP(name, number, operator)                                                               \
    static __attribute__((noinline)) void name(void *context, uint64_t repeats)                    \
    {                                                                                              \
        struct subnormal_data *data = context;                                                     \
        number r = (number)data->start;                                                            \
        number a = (number)data->operand[0], b = (number)data->operand[1];                         \
        number c = (number)data->operand[2], d = (number)data->operand[3];                         \
                                                                                                   \
        for (; repeats > 0; repeats--) {                                                           \
            STEP(operator, a) STEP(operator, b) STEP(operator, c) STEP(operator, d)                \
        }                                                                                          \
        data->result = (double)r;                                                                  \
    }

LOOP(add_f32, float, +)
LOOP(add_f64, double, +)
LOOP(mul_f32, float, *)
LOOP(mul_f64, double, *)

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
    double least = strcmp(loop->type, "f32") == 0 ? (double)FLT_MIN : DBL_MIN;
    bool add = strcmp(loop->name, "add") == 0;
    int subnormal = (int)lround(share * SUBNORMAL_STEPS);

    *data = (struct subnormal_data){.start = 1.5 * least};
    for (int i = 0; i < SUBNORMAL_STEPS; i++)
        data->operand[i] = add ? 0 : 1;
    if (subnormal == SUBNORMAL_STEPS) {
        data->start = 0.5 * least;
    } else if (subnormal > 0) {
        data->operand[0] = add ? -least : 0.25;
        data->operand[subnormal] = add ? least : 4;
    }
}
