#include "base/stats.h"

#include <stdlib.h>

#include "base/random.h"

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

/* Confidence intervals ------------------------------------------------------------------------- */

#define LOG_LEAST (-700.0) /* of a probability that counts */

/* Returns ln of the number of ways to choose `count` of `trials`. */
static double log_choices(long count, long trials)
{
    double sum = 0;

    for (long i = 1; i <= count && i <= trials - count; i++)
        sum += portable_log((double)(trials + 1 - i) / (double)i);
    return sum;
}

/* Returns P(X <= count) of a binomial distribution whose mean is above `count`, so that the terms
 * decrease from the first, that of `count`. */
static double binomial_tail(long count, long trials, double p, double choices)
{
    double log_term =
        choices + (double)count * portable_log(p) + (double)(trials - count) * portable_log(1 - p);
    double term = log_term > LOG_LEAST ? portable_exp(log_term) : 0;
    double sum = 0;

    for (long i = count; i >= 0 && term > 1e-18 * sum; i--) {
        sum += term;
        term *= (double)i / (double)(trials + 1 - i) * ((1 - p) / p);
    }
    return sum;
}

/* Returns the probability for which a count of at most `count`, below `trials`, is this likely. */
static double upper_limit(long count, long trials, double likely)
{
    double choices = log_choices(count, trials);
    double low = (double)count / (double)trials;
    double high = 1;
    double p = (low + high) / 2;

    for (; p > low && p < high; p = (low + high) / 2) {
        if (binomial_tail(count, trials, p, choices) > likely)
            low = p;
        else
            high = p;
    }
    return p;
}

void stats_binomial_interval(long count, long trials, double *low, double *high)
{
    double likely = count == 0 || count == trials ? 0.05 : 0.025;

    *low = count == 0 ? 0 : 1 - upper_limit(trials - count, trials, likely);
    *high = count == trials ? 1 : upper_limit(count, trials, likely);
}
