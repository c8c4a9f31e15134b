#include "probe/loops/operation_loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined __x86_64__ && !defined OPERATIONS_PORTABLE
#define OPERATIONS_X86
#endif

#if defined __x86_64__
#include <xmmintrin.h>
#endif

/* Steps ---------------------------------------------------------------------------------------- */

/* Each step operates on a register r with an operand a. The barrier after it hides the value of r,
 * but not its register, from the compiler, which therefore computes every step and neither folds
 * two steps nor vectorises two chains. */

/* clang-format off */
#define BARRIER(r) __asm__ volatile("" : "+" REGISTER(r));
#define STEP_ADD(r, a) r = r + a; BARRIER(r)
#define STEP_MUL(r, a) r = r * a; BARRIER(r)
#define STEP_DIV_NUMERATOR(r, a) r = r / a; BARRIER(r)
#define STEP_DIV_DENOMINATOR(r, a) r = a / r; BARRIER(r)

#ifdef OPERATIONS_X86
#define SCALAR_REGISTER "x"

/* Operations without a C operator, in assembly. A set defines SUFFIX, "ss" to "pd"; ENCODING, VEX
 * for instructions with a separate result operand, otherwise SSE; and REGISTER, the constraint of
 * its registers: "x" for the first sixteen, "v" for all. */
#define STEP_FMA_ADDEND(r, a)                                                                      \
    __asm__ volatile("vfmadd231" SUFFIX " %1, %1, %0" : "+" REGISTER(r) : REGISTER(a));
#define STEP_FMA_MULTIPLIER(r, a)                                                                  \
    __asm__ volatile("vfmadd213" SUFFIX " %1, %1, %0" : "+" REGISTER(r) : REGISTER(a));
#define STEP_MAX(r, a) NAME(MAX, OF, ENCODING)(r, a)
#define STEP_SQRT(r, a) NAME(SQRT, OF, ENCODING)(r, a)
#define MAX_OF_SSE(r, a) __asm__ volatile("max" SUFFIX " %1, %0" : "+" REGISTER(r) : REGISTER(a));
#define MAX_OF_VEX(r, a)                                                                           \
    __asm__ volatile("vmax" SUFFIX " %1, %0, %0" : "+" REGISTER(r) : REGISTER(a));
#define SQRT_OF_SSE(r, a) __asm__ volatile("sqrt" SUFFIX " %1, %0" : "=" REGISTER(r) : REGISTER(a));
#define SQRT_OF_VEX(r, a)                                                                          \
    __asm__ volatile("vsqrt" SUFFIX " %1, %0" : "=" REGISTER(r) : REGISTER(a));

#else

/* By element; a set defines LANES, LANE(r, i), REGISTER, and FMA and ROOT of an element. Register
 * constraints depend on the architecture; if unknown here, vectors pass through memory at each
 * step. */
#if defined __aarch64__ || defined __ARM_NEON
#define SCALAR_REGISTER "w"
#define VECTOR_REGISTER "w"
#elif defined __VSX__
#define SCALAR_REGISTER "wa"
#define VECTOR_REGISTER "wa"
#elif defined __x86_64__
#define SCALAR_REGISTER "x"
#define VECTOR_REGISTER "x"
#elif defined __riscv_flen || defined __powerpc__ || defined __s390x__ || defined __loongarch__
#define SCALAR_REGISTER "f"
#define VECTOR_REGISTER "m"
#else
#define SCALAR_REGISTER "m"
#define VECTOR_REGISTER "m"
#endif

#define EACH_LANE(r, expression)                                                                   \
    for (int i = 0; i < LANES; i++)                                                                \
        LANE(r, i) = (expression);                                                                 \
    BARRIER(r)
#define STEP_FMA_ADDEND(r, a) EACH_LANE(r, FMA(LANE(a, i), LANE(a, i), LANE(r, i)))
#define STEP_FMA_MULTIPLIER(r, a) EACH_LANE(r, FMA(LANE(r, i), LANE(a, i), LANE(a, i)))
#define STEP_MAX(r, a) EACH_LANE(r, LANE(r, i) > LANE(a, i) ? LANE(r, i) : LANE(a, i))
#define STEP_SQRT(r, a) EACH_LANE(r, ROOT(LANE(a, i)))
#endif

/* Chains --------------------------------------------------------------------------------------- */

/* SET, VALUE, REGISTERS and the requirements of the steps are those of the set for which
 * operation_template.h is included. */

#define PASTE(a, b, c) a##_##b##_##c
#define NAME(a, b, c) PASTE(a, b, c)

#define CHAINS_1(M, ...) M(0, __VA_ARGS__)
#define CHAINS_2(M, ...) CHAINS_1(M, __VA_ARGS__) M(1, __VA_ARGS__)
#define CHAINS_4(M, ...) CHAINS_2(M, __VA_ARGS__) M(2, __VA_ARGS__) M(3, __VA_ARGS__)
#define CHAINS_8(M, ...) CHAINS_4(M, __VA_ARGS__)                                                  \
    M(4, __VA_ARGS__) M(5, __VA_ARGS__) M(6, __VA_ARGS__) M(7, __VA_ARGS__)
#define CHAINS_12(M, ...) CHAINS_8(M, __VA_ARGS__)                                                 \
    M(8, __VA_ARGS__) M(9, __VA_ARGS__) M(10, __VA_ARGS__) M(11, __VA_ARGS__)
#define CHAINS_16(M, ...) CHAINS_12(M, __VA_ARGS__)                                                \
    M(12, __VA_ARGS__) M(13, __VA_ARGS__) M(14, __VA_ARGS__) M(15, __VA_ARGS__)
#define CHAINS_24(M, ...) CHAINS_16(M, __VA_ARGS__)                                                \
    M(16, __VA_ARGS__) M(17, __VA_ARGS__) M(18, __VA_ARGS__) M(19, __VA_ARGS__)                    \
    M(20, __VA_ARGS__) M(21, __VA_ARGS__) M(22, __VA_ARGS__) M(23, __VA_ARGS__)
#define CHAINS_32(M, ...) CHAINS_24(M, __VA_ARGS__)                                                \
    M(24, __VA_ARGS__) M(25, __VA_ARGS__) M(26, __VA_ARGS__) M(27, __VA_ARGS__)                    \
    M(28, __VA_ARGS__) M(29, __VA_ARGS__) M(30, __VA_ARGS__) M(31, __VA_ARGS__)

#define CHAIN_START(i, data) VALUE r##i; memcpy(&r##i, (data)->start[i], sizeof r##i);
#define CHAIN_STEP(i, operation, operand) STEP_##operation(r##i, operand)
#define CHAIN_RESULT(i, data) memcpy((data)->result[i], &r##i, sizeof r##i);

#define LOOP(target, operation, chains)                                                            \
    target static void NAME(operation, chains, SET)(void *context, uint64_t repeats)               \
    {                                                                                              \
        struct operation_data *data = context;                                                     \
        VALUE a, b;                                                                                \
        CHAINS_##chains(CHAIN_START, data);                                                        \
        memcpy(&a, data->operand[0], sizeof a);                                                    \
        memcpy(&b, data->operand[1], sizeof b);                                                    \
        for (; repeats > 0; repeats--) {                                                           \
            CHAINS_##chains(CHAIN_STEP, operation, a);                                             \
            CHAINS_##chains(CHAIN_STEP, operation, b);                                             \
            CHAINS_##chains(CHAIN_STEP, operation, a);                                             \
            CHAINS_##chains(CHAIN_STEP, operation, b);                                             \
        }                                                                                          \
        CHAINS_##chains(CHAIN_RESULT, data);                                                       \
    }
#define LOOPS(target, operation) NAME(LOOPS, TO, REGISTERS)(target, operation)
#define LOOPS_TO_16(target, operation)                                                             \
    LOOP(target, operation, 1) LOOP(target, operation, 2) LOOP(target, operation, 4)               \
    LOOP(target, operation, 8) LOOP(target, operation, 12) LOOP(target, operation, 16)
#define LOOPS_TO_32(target, operation) LOOPS_TO_16(target, operation) LOOP(target, operation, 32)

#define OPERAND_STEP(i, operation, bytes)                                                          \
    {                                                                                              \
        VALUE operand;                                                                             \
                                                                                                   \
        memcpy(&operand, (bytes) + (i) * sizeof operand, sizeof operand);                          \
        STEP_##operation(r##i, operand)                                                            \
    }
#define OPERANDS(target, operation)                                                                \
    target static void NAME(operation, OPERANDS, SET)(void *context, uint64_t repeats)             \
    {                                                                                              \
        struct operand_data *data = context;                                                       \
        const unsigned char *at = data->at, *const end = data->end;                                \
        CHAINS_8(CHAIN_START, &data->values);                                                     \
        for (; repeats > 0; repeats--) {                                                           \
            CHAINS_8(OPERAND_STEP, operation, at);                                                \
            at += OPERAND_CHAINS * sizeof(VALUE);                                                  \
            at = at == end ? data->bytes : at;                                                     \
        }                                                                                          \
        data->at = at;                                                                             \
        CHAINS_8(CHAIN_RESULT, &data->values);                                                    \
    }

#define ROW(operation) {NAME(ROW, TO, REGISTERS)(operation)}
#define ROW_TO_16(operation)                                                                       \
    NAME(operation, 1, SET), NAME(operation, 2, SET), NAME(operation, 4, SET),                     \
    NAME(operation, 8, SET), NAME(operation, 12, SET), NAME(operation, 16, SET)
#define ROW_TO_32(operation) ROW_TO_16(operation), NAME(operation, 32, SET)
/* clang-format on */

const int operation_chains[OPERATION_COUNTS] = {1, 2, 4, 8, 12, 16, 32};

/* Sets of registers ---------------------------------------------------------------------------- */

typedef float f32_vector_128 __attribute__((vector_size(16)));
typedef double f64_vector_128 __attribute__((vector_size(16)));

static bool has_always(void)
{
    return true;
}

#define OPERATION_SET(set, name, element, width, count, has_set, has_set_fma)                      \
    {                                                                                              \
        .type = element, .instructions = name, .bits = width, .lanes = count, .has = has_set,      \
        .has_fma = has_set_fma, .loop = LOOPS_ALL_##set, .operand_loop = LOOPS_OPERANDS_##set      \
    }

#ifdef OPERATIONS_X86

static bool has_fma(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

typedef float f32_vector_256 __attribute__((vector_size(32)));
typedef double f64_vector_256 __attribute__((vector_size(32)));
typedef float f32_vector_512 __attribute__((vector_size(64)));
typedef double f64_vector_512 __attribute__((vector_size(64)));

#define ENCODING SSE
#define REGISTER "x"
#define REGISTERS 16
#define TARGET
#define TARGET_FMA __attribute__((target("avx2,fma")))

#define SET f32
#define VALUE float
#define SUFFIX "ss"
#include "probe/loops/operation_template.h"

#define SET f64
#define VALUE double
#define SUFFIX "sd"
#include "probe/loops/operation_template.h"

#define SET f32_128
#define VALUE f32_vector_128
#define SUFFIX "ps"
#include "probe/loops/operation_template.h"

#define SET f64_128
#define VALUE f64_vector_128
#define SUFFIX "pd"
#include "probe/loops/operation_template.h"

#undef ENCODING
#define ENCODING VEX
#undef TARGET
#define TARGET __attribute__((target("avx2")))

#define SET f32_256
#define VALUE f32_vector_256
#define SUFFIX "ps"
#include "probe/loops/operation_template.h"

#define SET f64_256
#define VALUE f64_vector_256
#define SUFFIX "pd"
#include "probe/loops/operation_template.h"

#undef REGISTER
#define REGISTER "v"
#undef REGISTERS
#define REGISTERS 32
#undef TARGET
#define TARGET __attribute__((target("avx512f")))
#undef TARGET_FMA
#define TARGET_FMA __attribute__((target("avx512f")))

#define SET f32_512
#define VALUE f32_vector_512
#define SUFFIX "ps"
#include "probe/loops/operation_template.h"

#define SET f64_512
#define VALUE f64_vector_512
#define SUFFIX "pd"
#include "probe/loops/operation_template.h"

#undef REGISTER

const struct operation_set operation_sets[] = {
    OPERATION_SET(f32, "SSE2", "f32", 32, 1, has_always, has_fma),
    OPERATION_SET(f64, "SSE2", "f64", 64, 1, has_always, has_fma),
    OPERATION_SET(f32_128, "SSE2", "f32", 128, 4, has_always, has_fma),
    OPERATION_SET(f64_128, "SSE2", "f64", 128, 2, has_always, has_fma),
    OPERATION_SET(f32_256, "AVX2", "f32", 256, 8, has_avx2, has_fma),
    OPERATION_SET(f64_256, "AVX2", "f64", 256, 4, has_avx2, has_fma),
    OPERATION_SET(f32_512, "AVX-512F", "f32", 512, 16, has_avx512, has_avx512),
    OPERATION_SET(f64_512, "AVX-512F", "f64", 512, 8, has_avx512, has_avx512),
};

#else

/* Fused multiply-add is known at compile time. */
static bool has_fma(void)
{
#if defined __FP_FAST_FMAF && defined __FP_FAST_FMA
    return true;
#else
    return false;
#endif
}

#if defined __aarch64__ || defined __VSX__
#define REGISTERS 32
#else
#define REGISTERS 16
#endif
#define TARGET
#define TARGET_FMA

#define REGISTER SCALAR_REGISTER
#define LANES 1
#define LANE(r, i) (*(&(r) + (i)))

#define SET f32
#define VALUE float
#define FMA __builtin_fmaf
#define ROOT __builtin_sqrtf
#include "probe/loops/operation_template.h"

#define SET f64
#define VALUE double
#define FMA __builtin_fma
#define ROOT __builtin_sqrt
#include "probe/loops/operation_template.h"

#undef REGISTER
#define REGISTER VECTOR_REGISTER
#undef LANE
#define LANE(r, i) (r)[i]

#undef LANES
#define LANES 4
#define SET f32_128
#define VALUE f32_vector_128
#define FMA __builtin_fmaf
#define ROOT __builtin_sqrtf
#include "probe/loops/operation_template.h"

#undef LANES
#define LANES 2
#define SET f64_128
#define VALUE f64_vector_128
#define FMA __builtin_fma
#define ROOT __builtin_sqrt
#include "probe/loops/operation_template.h"

#undef REGISTER

const struct operation_set operation_sets[] = {
    OPERATION_SET(f32, "portable scalars", "f32", 32, 1, has_always, has_fma),
    OPERATION_SET(f64, "portable scalars", "f64", 64, 1, has_always, has_fma),
    OPERATION_SET(f32_128, "portable 128-bit vectors", "f32", 128, 4, has_always, has_fma),
    OPERATION_SET(f64_128, "portable 128-bit vectors", "f64", 128, 2, has_always, has_fma),
};

#endif

const int operation_set_count = (int)(sizeof operation_sets / sizeof operation_sets[0]);

/* Operands ------------------------------------------------------------------------------------- */

/* The two operands cancel where possible: r + a - a, r a / a. For multiply-adds they cannot: sums
 * grow until ones are lost in rounding; products converge between b / (1 - b) and a / (1 - a). */
static const struct {
    const char *name;
    double operand[2];
} operations[OPERATIONS] = {
    [OPERATION_ADD] = {.name = "add", .operand = {0.7, -0.7}},
    [OPERATION_MUL] = {.name = "mul", .operand = {1.3, 1 / 1.3}},
    [OPERATION_FMA_ADDEND] = {.name = "fma-addend", .operand = {1.3, 0.7}},
    [OPERATION_FMA_MULTIPLIER] = {.name = "fma-multiplier", .operand = {0.6, 0.3}},
    [OPERATION_MAX] = {.name = "max", .operand = {1.3, 0.7}},
    [OPERATION_DIV_NUMERATOR] = {.name = "div-numerator", .operand = {1.3, 1 / 1.3}},
    [OPERATION_DIV_DENOMINATOR] = {.name = "div-denominator", .operand = {1.3, 1.3}},
    [OPERATION_SQRT] = {.name = "sqrt", .operand = {1.3, 1.7}},
};

#define CHAIN_FIRST 1.1 /* start value of each chain */

const char *operation_name(enum operation operation)
{
    return operations[operation].name;
}

const char *operation_missing(const struct operation_set *set, enum operation operation)
{
    bool fma = operation == OPERATION_FMA_ADDEND || operation == OPERATION_FMA_MULTIPLIER;

    if (!set->has())
        return set->instructions;
    return fma && !set->has_fma() ? "FMA" : NULL;
}

static void fill_register(unsigned char *bytes, const struct operation_set *set, double value)
{
    float narrow = (float)value;

    for (int i = 0; i < set->lanes; i++) {
        if (set->bits / set->lanes == 32)
            memcpy(bytes + (size_t)i * sizeof narrow, &narrow, sizeof narrow);
        else
            memcpy(bytes + (size_t)i * sizeof value, &value, sizeof value);
    }
}

void operation_fill(struct operation_data *data, const struct operation_set *set,
                    enum operation operation)
{
    memset(data, 0, sizeof *data);
    for (int i = 0; i < 2; i++)
        fill_register(data->operand[i], set, operations[operation].operand[i]);
    for (int i = 0; i < OPERATION_CHAINS_MAX; i++)
        fill_register(data->start[i], set, CHAIN_FIRST);
}

void operand_fill(struct operand_data *data, const struct operation_set *set,
                  enum operation operation, unsigned char *bytes, size_t size)
{
    const size_t width = (size_t)set->bits / 8, round = 2 * OPERAND_CHAINS * width;
    const size_t rounds = size > round ? size / round : 1;

    operation_fill(&data->values, set, operation);
    for (size_t i = 0; i < 2 * OPERAND_CHAINS; i++)
        memcpy(bytes + i * width, data->values.operand[i / OPERAND_CHAINS], width);
    for (size_t i = 1; i < rounds; i++)
        memcpy(bytes + i * round, bytes, round);
    data->bytes = data->at = bytes;
    data->end = bytes + rounds * round;
}

/* The clock ------------------------------------------------------------------------------------ */

#define CLOCK_STEP(i, sum, step)                                                                   \
    sum += step;                                                                                   \
    __asm__ volatile("" : "+r"(sum));

void clock_loop(void *context, uint64_t repeats)
{
    struct clock_data *data = context;
    uint64_t step = data->step, sum = data->sum;

    for (; repeats > 0; repeats--) {
        CHAINS_16(CLOCK_STEP, sum, step);
    }
    data->sum = sum;
}

/* Subnormal numbers ---------------------------------------------------------------------------- */

#if defined __x86_64__
#define FLUSH 0x8040u /* MXCSR.FTZ and DAZ (Intel SDM 1, 10.2.3) */
#elif defined __aarch64__
#define FLUSH ((uint64_t)1 << 24) /* FPCR.FZ (Arm ARM, D19.2.61) */
#else
#define FLUSH 0u
#endif

static uint64_t get_float_mode(void)
{
    uint64_t mode = 0;

#if defined __x86_64__
    mode = _mm_getcsr();
#elif defined __aarch64__
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
#endif
    return mode;
}

static void set_float_mode(uint64_t mode)
{
#if defined __x86_64__
    _mm_setcsr((unsigned)mode);
#elif defined __aarch64__
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
#else
    (void)mode;
#endif
}

#define REGISTER SCALAR_REGISTER

/* The mode is set outside the loop, and the compiler must not move operations across. */
#define SUBNORMAL_LOOP(operation, type, number)                                                    \
    static __attribute__((noinline)) void operation##_subnormal_##type(                            \
        struct subnormal_data *data, uint64_t repeats)                                             \
    {                                                                                              \
        number r = (number)data->start;                                                            \
        number a = (number)data->operand[0], b = (number)data->operand[1];                         \
        number c = (number)data->operand[2], d = (number)data->operand[3];                         \
        number zero = 0;                                                                           \
                                                                                                   \
        BARRIER(zero)                                                                              \
        for (; repeats > 0; repeats--) {                                                           \
            STEP_##operation(r, a) STEP_##operation(r, b);                                         \
            STEP_##operation(r, c) STEP_##operation(r, d);                                         \
        }                                                                                          \
        data->result = (double)r;                                                                  \
    }                                                                                              \
                                                                                                   \
    static void operation##_in_mode_##type(void *context, uint64_t repeats)                        \
    {                                                                                              \
        struct subnormal_data *data = context;                                                     \
        uint64_t mode = get_float_mode();                                                          \
                                                                                                   \
        set_float_mode(data->flush ? mode | FLUSH : mode & ~(uint64_t)FLUSH);                      \
        operation##_subnormal_##type(data, repeats);                                               \
        set_float_mode(mode);                                                                      \
    }

#define SUBNORMAL_LOOPS(type, number)                                                              \
    SUBNORMAL_LOOP(ADD, type, number)                                                              \
    SUBNORMAL_LOOP(MUL, type, number)                                                              \
    SUBNORMAL_LOOP(FMA, type, number)                                                              \
    SUBNORMAL_LOOP(MAX, type, number)                                                              \
    SUBNORMAL_LOOP(DIV_NUMERATOR, type, number)                                                    \
    SUBNORMAL_LOOP(SQRT, type, number)

#ifdef OPERATIONS_X86

#define STEP_FMA(r, a)                                                                             \
    __asm__ volatile("vfmadd213" SUFFIX " %2, %1, %0" : "+x"(r) : "x"(a), "x"(zero));

#undef ENCODING
#define ENCODING SSE
#define SUFFIX "ss"
SUBNORMAL_LOOPS(f32, float)
#undef SUFFIX
#define SUFFIX "sd"
SUBNORMAL_LOOPS(f64, double)

#else

#define STEP_FMA(r, a) EACH_LANE(r, FMA(LANE(r, i), LANE(a, i), LANE(zero, i)))

#undef LANES
#define LANES 1
#undef LANE
#define LANE(r, i) (*(&(r) + (i)))
#define FMA __builtin_fmaf
#define ROOT __builtin_sqrtf
SUBNORMAL_LOOPS(f32, float)
#undef FMA
#define FMA __builtin_fma
#undef ROOT
#define ROOT __builtin_sqrt
SUBNORMAL_LOOPS(f64, double)

#endif

#define SUBNORMAL(which, step, name, width)                                                        \
    {                                                                                              \
        .operation = OPERATION_##which, .type = #name, .bits = width,                              \
        .loop = step##_in_mode_##name                                                              \
    }

const struct subnormal_loop subnormal_loops[] = {
    SUBNORMAL(ADD, ADD, f32, 32),
    SUBNORMAL(ADD, ADD, f64, 64),
    SUBNORMAL(MUL, MUL, f32, 32),
    SUBNORMAL(MUL, MUL, f64, 64),
    SUBNORMAL(FMA_MULTIPLIER, FMA, f32, 32),
    SUBNORMAL(FMA_MULTIPLIER, FMA, f64, 64),
    SUBNORMAL(MAX, MAX, f32, 32),
    SUBNORMAL(MAX, MAX, f64, 64),
    SUBNORMAL(DIV_NUMERATOR, DIV_NUMERATOR, f32, 32),
    SUBNORMAL(DIV_NUMERATOR, DIV_NUMERATOR, f64, 64),
    SUBNORMAL(SQRT, SQRT, f32, 32),
    SUBNORMAL(SQRT, SQRT, f64, 64),
};

const int subnormal_loop_count = (int)(sizeof subnormal_loops / sizeof subnormal_loops[0]);

const char *subnormal_missing(const struct subnormal_loop *loop, bool flush)
{
    if (flush && FLUSH == 0)
        return "flush to zero is not known on this architecture";
    return loop->operation == OPERATION_FMA_MULTIPLIER && !has_fma() ? "the CPU has no FMA" : NULL;
}

void subnormal_fill(struct subnormal_data *data, const struct subnormal_loop *loop, double share)
{
    const double least = loop->bits == 32 ? (double)FLT_MIN : DBL_MIN;
    const int subnormal = (int)lround(share * SUBNORMAL_STEPS);
    const bool all = subnormal == SUBNORMAL_STEPS;
    /* operands that leave the chain where it is, lead to a subnormal number, and back */
    double stay = 1, enter = 0.25, leave = 4;

    *data = (struct subnormal_data){.start = all ? 0.5 * least : 1.5 * least};
    if (loop->operation == OPERATION_MAX || loop->operation == OPERATION_SQRT) {
        for (int i = 0; i < SUBNORMAL_STEPS; i++)
            data->operand[i] = i < subnormal ? 0.25 * least : least;
        return;
    }
    if (loop->operation == OPERATION_ADD) {
        stay = 0;
        enter = -least;
        leave = least;
    } else if (loop->operation == OPERATION_DIV_NUMERATOR) {
        enter = 4;
        leave = 0.25;
    }
    for (int i = 0; i < SUBNORMAL_STEPS; i++)
        data->operand[i] = stay;
    if (subnormal > 0 && !all) {
        data->operand[0] = enter;
        data->operand[subnormal] = leave;
    }
}
