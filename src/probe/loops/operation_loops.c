#include "probe/loops/operation_loops.h"

#include <string.h>

#include "probe/loops/operation_steps.h"

const int operation_chains[OPERATION_COUNTS] = {1, 2, 4, 8, 12, 16, 32};

/* SET, VALUE, REGISTERS and what else is not defined here are those of the set that is included. */
#define PASTE(a, b, c) a##_##b##_##c
#define NAME(a, b, c) PASTE(a, b, c)

#define CHAINS_1(M, ...) M(0, __VA_ARGS__)
#define CHAINS_2(M, ...) CHAINS_1(M, __VA_ARGS__) M(1, __VA_ARGS__)
#define CHAINS_4(M, ...) CHAINS_2(M, __VA_ARGS__) M(2, __VA_ARGS__) M(3, __VA_ARGS__)
#define CHAINS_8(M, ...)                                                                           \
    CHAINS_4(M, __VA_ARGS__)                                                                       \
    M(4, __VA_ARGS__) M(5, __VA_ARGS__) M(6, __VA_ARGS__) M(7, __VA_ARGS__)
#define CHAINS_12(M, ...)                                                                          \
    CHAINS_8(M, __VA_ARGS__)                                                                       \
    M(8, __VA_ARGS__) M(9, __VA_ARGS__) M(10, __VA_ARGS__) M(11, __VA_ARGS__)
#define CHAINS_16(M, ...)                                                                          \
    CHAINS_12(M, __VA_ARGS__)                                                                      \
    M(12, __VA_ARGS__) M(13, __VA_ARGS__) M(14, __VA_ARGS__) M(15, __VA_ARGS__)
#define CHAINS_24(M, ...)                                                                          \
    CHAINS_16(M, __VA_ARGS__)                                                                      \
    M(16, __VA_ARGS__)                                                                             \
    M(17, __VA_ARGS__)                                                                             \
    M(18, __VA_ARGS__) M(19, __VA_ARGS__) M(20, __VA_ARGS__) M(21, __VA_ARGS__) M(22, __VA_ARGS__) \
        M(23, __VA_ARGS__)
#define CHAINS_32(M, ...)                                                                          \
    CHAINS_24(M, __VA_ARGS__)                                                                      \
    M(24, __VA_ARGS__)                                                                             \
    M(25, __VA_ARGS__)                                                                             \
    M(26, __VA_ARGS__) M(27, __VA_ARGS__) M(28, __VA_ARGS__) M(29, __VA_ARGS__) M(30, __VA_ARGS__) \
        M(31, __VA_ARGS__)

#define CHAIN_START(i, data)                                                                       \
    VALUE r##i;                                                                                    \
    memcpy(&r##i, (data)->start[i], sizeof r##i);
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
    LOOP(target, operation, 1)                                                                     \
    LOOP(target, operation, 2)                                                                     \
    LOOP(target, operation, 4)                                                                     \
    LOOP(target, operation, 8) LOOP(target, operation, 12) LOOP(target, operation, 16)
#define LOOPS_TO_32(target, operation) LOOPS_TO_16(target, operation) LOOP(target, operation, 32)

#define ROW(operation)                                                                             \
    {                                                                                              \
        NAME(ROW, TO, REGISTERS)(operation)                                                        \
    }
#define ROW_TO_16(operation)                                                                       \
    NAME(operation, 1, SET), NAME(operation, 2, SET), NAME(operation, 4, SET),                     \
        NAME(operation, 8, SET), NAME(operation, 12, SET), NAME(operation, 16, SET)
#define ROW_TO_32(operation) ROW_TO_16(operation), NAME(operation, 32, SET)

static bool always(void)
{
    return true;
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

typedef float f32_vector_128 __attribute__((vector_size(16)));
typedef double f64_vector_128 __attribute__((vector_size(16)));
typedef float f32_vector_256 __attribute__((vector_size(32)));
typedef double f64_vector_256 __attribute__((vector_size(32)));
typedef float f32_vector_512 __attribute__((vector_size(64)));
typedef double f64_vector_512 __attribute__((vector_size(64)));

#define SET f32
#define VALUE float
#define SUFFIX "ss"
#define ENCODING SSE
#define REGISTER "x"
#define REGISTERS 16
#define TARGET
#define TARGET_FMA __attribute__((target("avx2,fma")))
#include "probe/loops/operation_template.h"

#define SET f64
#define VALUE double
#define SUFFIX "sd"
#define ENCODING SSE
#define REGISTER "x"
#define REGISTERS 16
#define TARGET
#define TARGET_FMA __attribute__((target("avx2,fma")))
#include "probe/loops/operation_template.h"

#define SET f32_128
#define VALUE f32_vector_128
#define SUFFIX "ps"
#define ENCODING SSE
#define REGISTER "x"
#define REGISTERS 16
#define TARGET
#define TARGET_FMA __attribute__((target("avx2,fma")))
#include "probe/loops/operation_template.h"

#define SET f64_128
#define VALUE f64_vector_128
#define SUFFIX "pd"
#define ENCODING SSE
#define REGISTER "x"
#define REGISTERS 16
#define TARGET
#define TARGET_FMA __attribute__((target("avx2,fma")))
#include "probe/loops/operation_template.h"

#define SET f32_256
#define VALUE f32_vector_256
#define SUFFIX "ps"
#define ENCODING VEX
#define REGISTER "x"
#define REGISTERS 16
#define TARGET __attribute__((target("avx2")))
#define TARGET_FMA __attribute__((target("avx2,fma")))
#include "probe/loops/operation_template.h"

#define SET f64_256
#define VALUE f64_vector_256
#define SUFFIX "pd"
#define ENCODING VEX
#define REGISTER "x"
#define REGISTERS 16
#define TARGET __attribute__((target("avx2")))
#define TARGET_FMA __attribute__((target("avx2,fma")))
#include "probe/loops/operation_template.h"

#define SET f32_512
#define VALUE f32_vector_512
#define SUFFIX "ps"
#define ENCODING VEX
#define REGISTER "v"
#define REGISTERS 32
#define TARGET __attribute__((target("avx512f")))
#define TARGET_FMA __attribute__((target("avx512f")))
#include "probe/loops/operation_template.h"

#define SET f64_512
#define VALUE f64_vector_512
#define SUFFIX "pd"
#define ENCODING VEX
#define REGISTER "v"
#define REGISTERS 32
#define TARGET __attribute__((target("avx512f")))
#define TARGET_FMA __attribute__((target("avx512f")))
#include "probe/loops/operation_template.h"

const struct operation_set operation_sets[] = {
    {"f32", "SSE2", 32, 1, always, has_fma, LOOPS_ALL_f32},
    {"f64", "SSE2", 64, 1, always, has_fma, LOOPS_ALL_f64},
    {"f32", "SSE2", 128, 4, always, has_fma, LOOPS_ALL_f32_128},
    {"f64", "SSE2", 128, 2, always, has_fma, LOOPS_ALL_f64_128},
    {"f32", "AVX2", 256, 8, has_avx2, has_fma, LOOPS_ALL_f32_256},
    {"f64", "AVX2", 256, 4, has_avx2, has_fma, LOOPS_ALL_f64_256},
    {"f32", "AVX-512F", 512, 16, has_avx512, has_avx512, LOOPS_ALL_f32_512},
    {"f64", "AVX-512F", 512, 8, has_avx512, has_avx512, LOOPS_ALL_f64_512},
};

#else

/* Whether a multiply-add is one operation is known when this is compiled. */
static bool has_fma(void)
{
#if defined __FP_FAST_FMAF && defined __FP_FAST_FMA
    return true;
#else
    return false;
#endif
}

typedef float f32_vector_128 __attribute__((vector_size(16)));
typedef double f64_vector_128 __attribute__((vector_size(16)));

#if defined __aarch64__ || defined __VSX__
#define REGISTERS_HERE 32
#else
#define REGISTERS_HERE 16
#endif

#define SET f32
#define VALUE float
#define LANES 1
#define LANE(r, i) (*(&(r) + (i)))
#define REGISTER SCALAR_REGISTER
#define FMA __builtin_fmaf
#define ROOT __builtin_sqrtf
#define REGISTERS REGISTERS_HERE
#define TARGET
#define TARGET_FMA
#include "probe/loops/operation_template.h"

#define SET f64
#define VALUE double
#define LANES 1
#define LANE(r, i) (*(&(r) + (i)))
#define REGISTER SCALAR_REGISTER
#define FMA __builtin_fma
#define ROOT __builtin_sqrt
#define REGISTERS REGISTERS_HERE
#define TARGET
#define TARGET_FMA
#include "probe/loops/operation_template.h"

#define SET f32_128
#define VALUE f32_vector_128
#define LANES 4
#define LANE(r, i) (r)[i]
#define REGISTER VECTOR_REGISTER
#define FMA __builtin_fmaf
#define ROOT __builtin_sqrtf
#define REGISTERS REGISTERS_HERE
#define TARGET
#define TARGET_FMA
#include "probe/loops/operation_template.h"

#define SET f64_128
#define VALUE f64_vector_128
#define LANES 2
#define LANE(r, i) (r)[i]
#define REGISTER VECTOR_REGISTER
#define FMA __builtin_fma
#define ROOT __builtin_sqrt
#define REGISTERS REGISTERS_HERE
#define TARGET
#define TARGET_FMA
#include "probe/loops/operation_template.h"

const struct operation_set operation_sets[] = {
    {"f32", "portable scalars", 32, 1, always, has_fma, LOOPS_ALL_f32},
    {"f64", "portable scalars", 64, 1, always, has_fma, LOOPS_ALL_f64},
    {"f32", "portable 128-bit vectors", 128, 4, always, has_fma, LOOPS_ALL_f32_128},
    {"f64", "portable 128-bit vectors", 128, 2, always, has_fma, LOOPS_ALL_f64_128},
};

#endif

const int operation_set_count = (int)(sizeof operation_sets / sizeof operation_sets[0]);

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
