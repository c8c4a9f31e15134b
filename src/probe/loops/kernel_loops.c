#include "probe/loops/kernel_loops.h"

void kernel_loops_here(const struct kernel_loops *list[4])
{
    int count = 0;

#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        list[count++] = &kernel_loops_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        list[count++] = &kernel_loops_avx2;
#endif
    list[count++] = &kernel_loops_plain;
    list[count] = NULL;
}
