#include "base/random.h"

#include <math.h>
#include <string.h>

#define LN2_HIGH 0x1.62e42fefa3800p-1 /* leading digits of ln 2: products up to 2^10 are exact */
#define LN2_LOW 0x1.ef35793c76730p-45
#define EXP_TERMS 14
#define LOG_TERMS 11

uint64_t random_next(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15U);

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

size_t random_below(uint64_t *seed, size_t limit)
{
    return (size_t)((random_next(seed) >> 32) * limit >> 32);
}

double uniform_next(uint64_t *seed)
{
    /* one bit less than a double holds, so that adding a half is exact */
    return ((double)(random_next(seed) >> 12) + 0.5) * 0x1p-52;
}

/* x = k ln 2 + r; the series of e^r for |r| <= ln 2 / 2. */
static inline double exp_inline(double x)
{
    static const double inverse[EXP_TERMS + 1] = {0,       1,        1.0 / 2,  1.0 / 3,  1.0 / 4,
                                                  1.0 / 5, 1.0 / 6,  1.0 / 7,  1.0 / 8,  1.0 / 9,
                                                  0.1,     1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14};
    int k = (int)(x / LN2_HIGH + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * LN2_HIGH) - k * LN2_LOW;
    uint64_t bits = (uint64_t)(k + 1023) << 52; /* of 2^k, which is a normal number */
    double sum = 1;
    double power;

    for (int i = EXP_TERMS; i > 0; i--)
        sum = 1 + r * inverse[i] * sum;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

double portable_exp(double x)
{
    return exp_inline(x);
}

/* x = m 2^k; ln m = 2 artanh((m - 1) / (m + 1)) by its series, for m around 1. */
double portable_log(double x)
{
    int k;
    double m = frexp(x, &k);
    double t;
    double sum = 0;

    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2;
        k--;
    }
    t = (m - 1) / (m + 1);
    for (int i = LOG_TERMS; i >= 0; i--)
        sum = sum * (t * t) + 1.0 / (2 * i + 1);
    return k * LN2_HIGH + (2 * t * sum + k * LN2_LOW);
}

/* Coefficients of numerators and denominators, constant term first. */
#define TERMS 8

struct ratio {
    double above[TERMS], below[TERMS];
};

static const struct ratio middle = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3}};
static const struct ratio tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
static const struct ratio far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

static inline double evaluate_ratio(const struct ratio *ratio, double r)
{
    double above = 0;
    double below = 0;

    for (int i = TERMS - 1; i >= 0; i--) {
        above = above * r + ratio->above[i];
        below = below * r + ratio->below[i];
    }
    return above / below;
}

#define MIDDLE 0.425 /* largest distance of p from 0.5 */

static inline double quantile_of_middle(double q)
{
    return q * evaluate_ratio(&middle, 0.180625 - q * q);
}

double normal_quantile(double p)
{
    double q = p - 0.5;
    double r;
    double z;

    if (q >= -MIDDLE && q <= MIDDLE)
        return quantile_of_middle(q);
    r = sqrt(-portable_log(q < 0 ? p : 1 - p));
    z = r <= 5 ? evaluate_ratio(&tail, r - 1.6) : evaluate_ratio(&far_tail, r - 5);
    return q < 0 ? -z : z;
}

#define AT_ONCE 64

/* Loops without a branch, which a compiler can do for several numbers at once; what is not in the
 * middle is replaced afterwards. */
static void fill_some(uint64_t *seed, const double *spread, size_t count, double *factor)
{
    double p[AT_ONCE];

    for (size_t i = 0; i < count; i++)
        p[i] = uniform_next(seed);
    for (size_t i = 0; i < count; i++)
        factor[i] = quantile_of_middle(p[i] - 0.5);
    for (size_t i = 0; i < count; i++)
        if (p[i] - 0.5 < -MIDDLE || p[i] - 0.5 > MIDDLE)
            factor[i] = normal_quantile(p[i]);
    for (size_t i = 0; i < count; i++)
        factor[i] = exp_inline(factor[i] * spread[i]);
}

void lognormal_fill(uint64_t *seed, const double *spread, size_t count, double *factor)
{
    for (size_t i = 0; i < count; i += AT_ONCE)
        fill_some(seed, &spread[i], count - i < AT_ONCE ? count - i : AT_ONCE, &factor[i]);
}
