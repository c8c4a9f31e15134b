#include "probe/loops/kernel_target.h"

#if KERNEL_IS_THERE

KERNEL_TARGET void KERNEL_MVM(const float *restrict matrix, const float *restrict vector,
                              float *restrict result, size_t columns, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        const float *row = matrix + i * columns;
        float sum = 0;

        /* One sum in each lane, as gcc makes of the loop; clang would make four. */
#if defined(__clang__)
#pragma clang loop interleave_count(1)
#endif
        for (size_t j = 0; j < columns; j++)
            sum += row[j] * vector[j];
        result[i] = sum;
    }
}

KERNEL_TARGET static float add_images(const float *restrict a, const float *restrict b,
                                      const float *restrict c, const float *restrict d,
                                      float *restrict flux, float *restrict x, float *restrict y,
                                      size_t count)
{
    float sum = 0;

#if defined(__clang__)
#pragma clang loop interleave_count(1)
#endif
    for (size_t i = 0; i < count; i++) {
        flux[i] = (a[i] + b[i]) + (c[i] + d[i]);
        x[i] = (a[i] + c[i]) - (b[i] + d[i]);
        y[i] = (a[i] + b[i]) - (c[i] + d[i]);
        sum += flux[i];
    }
    return sum;
}

KERNEL_TARGET float KERNEL_SUMS(const struct kernel_pyramid *p, size_t first, size_t last)
{
    return add_images(p->image[0] + first, p->image[1] + first, p->image[2] + first,
                      p->image[3] + first, p->flux + first, p->x + first, p->y + first,
                      last - first);
}

KERNEL_TARGET static void scale_slopes(const float *restrict difference, float normal,
                                       float *restrict slope, size_t count)
{
    for (size_t i = 0; i < count; i++)
        slope[i] = difference[i] * normal;
}

KERNEL_TARGET void KERNEL_SLOPES(const struct kernel_pyramid *p, float normal, size_t first,
                                 size_t last)
{
    scale_slopes(p->x + first, normal, p->slopes + first, last - first);
    scale_slopes(p->y + first, normal, p->slopes + p->pupil + first, last - first);
}

#else
typedef int kernel_rows_unused;
#endif
