/* Order statistics of plain arrays of doubles, and confidence intervals of counts. No value is NaN;
 * only stats_sort_median accepts an empty array. */
#ifndef AOLAG_BASE_STATS_H
#define AOLAG_BASE_STATS_H

/* Sorts in place in ascending order. */
void stats_sort(double *values, long count);

/* Returns the middle value of a sorted array, or the mean of the two middle values. */
double stats_median(const double *sorted, long count);

/* Sorts in place and returns the median; 0 for an empty array. */
double stats_sort_median(double *values, long count);

/* Returns the smallest value of a sorted array that at least `thousandths` / 1000 of the values do
 * not exceed (nearest rank); `thousandths` from 0, the smallest value, to 1000. */
double stats_quantile(const double *sorted, long count, int thousandths);

/* Computes the exact 95 % confidence interval of the probability of an event that was counted
 * `count` times in `trials` independent ones, at least 1 (Clopper and Pearson, Biometrika 26,
 * 1934): beyond each end, a count at least as extreme has a probability below 2.5 %. If the count
 * is 0 or all, only one end is uncertain, and the probability is 5 %. The same on every machine. */
void stats_binomial_interval(long count, long trials, double *low, double *high);

#endif
