/* The larger and the smaller of two numbers that are no NaN; inline, where fmax and fmin are calls
 * in the loops over packets. */
#ifndef AOLAG_BASE_NUMBER_H
#define AOLAG_BASE_NUMBER_H

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

#endif
