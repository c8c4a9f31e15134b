#include "base/stats.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

void stats_sort(double *values, long count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
}

double stats_median(const double *sorted, long count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double stats_sort_median(double *values, long count)
{
    if (count == 0)
        return 0;
    stats_sort(values, count);
    return stats_median(values, count);
}

double stats_quantile(const double *sorted, long count, int thousandths)
{
    long rank = (count * thousandths + 999) / 1000;

    return sorted[rank > 0 ? rank - 1 : 0];
}
