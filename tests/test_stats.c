/* Confidence intervals of counts. */
#include "base/stats.h"

#include <math.h>

#include "check.h"

/* Clopper-Pearson intervals as published in tables; at 0 and all, the one-sided rule. */
TEST(known_intervals)
{
    static const struct {
        long count, trials;
        double low, high;
    } rows[] = {
        {1, 10, 0.0025, 0.4450},  {5, 10, 0.1871, 0.8129},   {10, 50, 0.1003, 0.3372},
        {5, 100, 0.0164, 0.1128}, {99, 100, 0.9455, 0.9997},
    };
    double low, high;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        stats_binomial_interval(rows[i].count, rows[i].trials, &low, &high);
        CHECK_TRUE(fabs(low - rows[i].low) < 1e-4 && fabs(high - rows[i].high) < 1e-4,
                   "%ld of %ld: %.7f to %.7f", rows[i].count, rows[i].trials, low, high);
    }
    stats_binomial_interval(0, 10000, &low, &high);
    CHECK_NEAR(low, 0, 0);
    CHECK_NEAR(pow(1 - high, 10000), 0.05, 1e-9);
    stats_binomial_interval(10, 10, &low, &high);
    CHECK_NEAR(low, pow(0.05, 0.1), 1e-12);
    CHECK_NEAR(high, 1, 0);
}

static double tail_of(long from, long to, long trials, double p)
{
    double sum = 0;

    for (long i = from; i <= to; i++)
        sum += exp(lgamma((double)trials + 1) - lgamma((double)i + 1) -
                   lgamma((double)(trials - i) + 1) + (double)i * log(p) +
                   (double)(trials - i) * log1p(-p));
    return sum;
}

/* Beyond each end, what was counted has 2.5 %. */
TEST(tails)
{
    static const long counts[][2] = {{1, 2},       {3, 7},         {2, 1000},        {500, 1000},
                                     {37, 200000}, {999, 1000000}, {500000, 1000000}};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        long count = counts[i][0];
        long trials = counts[i][1];
        double low, high;

        stats_binomial_interval(count, trials, &low, &high);
        CHECK_NEAR(tail_of(0, count, trials, high), 0.025, 1e-6);
        CHECK_NEAR(tail_of(count, trials, trials, low), 0.025, 1e-6);
        CHECK(low < (double)count / (double)trials && (double)count / (double)trials < high);
    }
}

/* By symmetry, and in time for many trials. */
TEST(symmetry)
{
    for (long trials = 1; trials <= 1000000; trials = trials * 7 + 1) {
        for (long count = 0; count <= trials; count += trials / 5 + 1) {
            double low, high, other_low, other_high;

            stats_binomial_interval(count, trials, &low, &high);
            stats_binomial_interval(trials - count, trials, &other_low, &other_high);
            CHECK_TRUE(fabs(low - (1 - other_high)) < 1e-12 && fabs(high - (1 - other_low)) < 1e-12,
                       "%ld of %ld", count, trials);
        }
    }
}
