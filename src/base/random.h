/* Random numbers that are identical on every machine: only integers, + - * / and sqrt, which IEEE
 * 754 rounds uniquely, and frexp and ldexp, which are exact, are used. The last digit of exp and
 * log of a C library may differ between machines. */
#ifndef AOLAG_BASE_RANDOM_H
#define AOLAG_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Returns 64 random bits and advances the seed (splitmix64; Steele, Lea, Flood, OOPSLA 2014). */
uint64_t random_next(uint64_t *seed);

/* Returns the next integer below `limit`, at most 2^32, without a division (Lemire, ACM TOMACS 29,
 * 2019, without the rejection: the bias is below limit / 2^32). */
size_t random_below(uint64_t *seed, size_t limit);

/* Returns the next number between 0 and 1, both excluded. */
double uniform_next(uint64_t *seed);

/* Returns the quantile of the standard normal distribution, 0 < p < 1, relative error 1e-15
 * (Wichura, algorithm AS 241, Applied Statistics 37(3), 1988). */
double normal_quantile(double p);

/* Returns e^x, accurate to a few units in the last place, |x| <= 700. */
double portable_exp(double x);

/* Fills `factor` with e^(z spread[i]) of the next standard normal numbers z: the same bits as
 * portable_exp(normal_quantile(uniform_next(seed)) * spread[i]). */
void lognormal_fill(uint64_t *seed, const double *spread, size_t count, double *factor);

/* Returns the natural logarithm of x, 1e-300 to 1e300, relative error 1e-15. */
double portable_log(double x);

#endif
