/* A step of each operation on a register r with an operand a, for operation_template.h.
 *
 * After each the compiler knows nothing of r but that it is in a register: so it computes every
 * step, one by one, and neither folds two nor packs two chains into one. */
#ifndef AOLAG_PROBE_LOOPS_OPERATION_STEPS_H
#define AOLAG_PROBE_LOOPS_OPERATION_STEPS_H

#if defined __x86_64__ && !defined OPERATIONS_PORTABLE
#define OPERATIONS_X86
#endif

#define STEP_ADD(r, a)                                                                             \
    r = r + a;                                                                                     \
    BARRIER(r)
#define STEP_MUL(r, a)                                                                             \
    r = r * a;                                                                                     \
    BARRIER(r)
#define STEP_DIV_NUMERATOR(r, a)                                                                   \
    r = r / a;                                                                                     \
    BARRIER(r)
#define STEP_DIV_DENOMINATOR(r, a)                                                                 \
    r = a / r;                                                                                     \
    BARRIER(r)

#ifdef OPERATIONS_X86
#define SCALAR_REGISTER "x"

/* What C has no operator for is spelled. A set defines SUFFIX, "ss" to "pd"; ENCODING, VEX where
 * instructions have an operand of their own for the result, else SSE; and REGISTER, the constraint
 * of its registers: "x" the first sixteen, "v" all. */
#define BARRIER(r) __asm__ volatile("" : "+" REGISTER(r));
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

/* Element by element; a set defines LANES, LANE(r, i), REGISTER and FMA and ROOT of an element.
 * Registers have other names on each architecture; where it is not known here, vectors pass through
 * memory at each step. */
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

#define BARRIER(r) __asm__ volatile("" : "+" REGISTER(r));
#define EACH_LANE(r, expression)                                                                   \
    for (int i = 0; i < LANES; i++)                                                                \
        LANE(r, i) = (expression);                                                                 \
    BARRIER(r)
#define STEP_FMA_ADDEND(r, a) EACH_LANE(r, FMA(LANE(a, i), LANE(a, i), LANE(r, i)))
#define STEP_FMA_MULTIPLIER(r, a) EACH_LANE(r, FMA(LANE(r, i), LANE(a, i), LANE(a, i)))
#define STEP_MAX(r, a) EACH_LANE(r, LANE(r, i) > LANE(a, i) ? LANE(r, i) : LANE(a, i))
#define STEP_SQRT(r, a) EACH_LANE(r, ROOT(LANE(a, i)))

#endif

#endif
