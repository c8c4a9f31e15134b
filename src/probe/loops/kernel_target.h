/* The instruction set that a file of kernels is compiled for: KERNEL_SET, from the makefile. */
#ifndef AOLAG_PROBE_LOOPS_KERNEL_TARGET_H
#define AOLAG_PROBE_LOOPS_KERNEL_TARGET_H

#include "probe/loops/kernel_loops.h"

#define KERNEL_PLAIN 0
#define KERNEL_AVX2 1
#define KERNEL_AVX512 2

#if KERNEL_SET == KERNEL_PLAIN
#define KERNEL_IS_THERE 1
#define KERNEL_TARGET /* the compiler's default instruction set */
#define KERNEL_INSTRUCTIONS "the compiler's"
#define KERNEL_NAME(name) name##_plain
#elif !defined(__x86_64__)
#define KERNEL_IS_THERE 0
#elif KERNEL_SET == KERNEL_AVX2
#define KERNEL_IS_THERE 1
#define KERNEL_TARGET __attribute__((target("avx2,fma")))
#define KERNEL_INSTRUCTIONS "AVX2"
#define KERNEL_NAME(name) name##_avx2
#else
#define KERNEL_IS_THERE 1
#define KERNEL_TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")))
#define KERNEL_INSTRUCTIONS "AVX-512"
#define KERNEL_NAME(name) name##_avx512
#endif

#if KERNEL_IS_THERE
#define KERNEL_LOOPS KERNEL_NAME(kernel_loops)
#define KERNEL_MVM KERNEL_NAME(kernel_mvm)
#define KERNEL_SUMS KERNEL_NAME(kernel_sums)
#define KERNEL_SLOPES KERNEL_NAME(kernel_slopes)
#define KERNEL_FLUX KERNEL_NAME(kernel_flux)
#define KERNEL_INTENSITIES KERNEL_NAME(kernel_intensities)

/* The part of the kernel table in kernel_rows.c; kernel_pixels.c adds the rest (kernel_loops.h). */
void KERNEL_MVM(const float *matrix, const float *vector, float *result, size_t columns,
                size_t first, size_t last);
float KERNEL_SUMS(const struct kernel_pyramid *p, size_t first, size_t last);
void KERNEL_SLOPES(const struct kernel_pyramid *p, float normal, size_t first, size_t last);
float KERNEL_FLUX(const struct kernel_pyramid *p, size_t first, size_t last);
void KERNEL_INTENSITIES(const struct kernel_pyramid *p, float normal, size_t first, size_t last);
#endif

#endif
