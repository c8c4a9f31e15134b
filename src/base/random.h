/* Random numbers that are the same on every machine. They use integers, + - * / and sqrt, which
 * IEEE 754 rounds in one way, and frexp and ldexp, which are exact; the last digit of a library's
 * exp and log may differ between machines. */
#ifndef AOLAG_BASE_RANDOM_H
#define AOLAG_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The next 64 random bits; the seed moves on (splitmix64, Steele, Lea, Flood, OOPSLA 2014). */
uint64_t random_next(uint64_t *seed);

/* The next integer below `limit` of at most 2^32, without a division (Lemire, ACM TOMACS 29, 2019,
 * without the rejection: its bias is below limit / 2^32). */
size_t random_below(uint64_t *seed, size_t limit);

/* The next number between 0 and 1, neither of them. */
double uniform_next(uint64_t *seed);

/* The quantile of the standard normal distribution, 0 < p < 1, to 1e-15 of it (algorithm AS 241,
 * Wichura, Applied Statistics 37(3), 1988). */
double normal_quantile(double p);

/* e^x to a few units of the last digit, |x| <= 700. */
double portable_exp(double x);

/* The natural logarithm, x from 1e-300 to 1e300, to 1e-15 of it. */
double portable_log(double x);

#endif
