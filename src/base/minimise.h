/* Nonlinear least squares and one-dimensional minimisation.
 *
 * Sources: Marquardt, J. SIAM 11(2), 1963, with the damping scaled by the diagonal; Brent,
 * Algorithms for Minimization without Derivatives, 1973, chapter 5. Neither allocates. */
#ifndef AOLAG_BASE_MINIMISE_H
#define AOLAG_BASE_MINIMISE_H

#define MINIMISE_PARAMETERS_MAX 4

/* Returns residual `row` for the parameters and stores its partial derivatives. */
typedef double minimise_residual(const double *parameter, int row, double *derivative,
                                 const void *context);

struct minimise {
    int rows;       /* residuals, at least 1 */
    int parameters; /* 1 to MINIMISE_PARAMETERS_MAX */
    double low[MINIMISE_PARAMETERS_MAX], high[MINIMISE_PARAMETERS_MAX]; /* bounds, finite */
    minimise_residual *residual; /* finite within the bounds */
    const void *context;
};

/* Moves `parameter`, a start within the bounds, to a local minimum of the sum of squared residuals.
 * Returns that sum, which never exceeds the initial one. */
double minimise_squares(const struct minimise *minimise, double *parameter);

/* Returns the minimum of a unimodal function between `low` and `high` to within `tolerance` (> 0,
 * in units of the argument, not below 1e-8 of it), or a local minimum of another function. `value`
 * becomes the function at the minimum. */
double minimise_unimodal(double low, double high, double tolerance,
                         double (*function)(double at, void *context), void *context,
                         double *value);

#endif
