/* Minima that are known. */
#include "base/minimise.h"

#include <math.h>

#include "check.h"

/* Rosenbrock's valley (Comput. J. 3, 1960) as two residuals. */
static double valley(const double *parameter, int row, double *derivative, const void *context)
{
    (void)context;
    derivative[0] = row == 0 ? -20 * parameter[0] : -1;
    derivative[1] = row == 0 ? 10 : 0;
    return row == 0 ? 10 * (parameter[1] - parameter[0] * parameter[0]) : 1 - parameter[0];
}

TEST(follows_a_valley)
{
    struct minimise minimise = {
        .rows = 2, .parameters = 2, .low = {-10, -10}, .high = {10, 10}, .residual = valley};
    double at[2] = {-1.2, 1};

    CHECK_NEAR(minimise_squares(&minimise, at), 0, 1e-12);
    CHECK_NEAR(at[0], 1, 1e-6);
    CHECK_NEAR(at[1], 1, 1e-6);
}

TEST(stays_within_bounds)
{
    struct minimise minimise = {
        .rows = 2, .parameters = 2, .low = {-10, -10}, .high = {0.5, 10}, .residual = valley};
    double at[2] = {-1.2, 1};

    CHECK_NEAR(minimise_squares(&minimise, at), 0.25, 1e-3);
    CHECK_TRUE(at[0] <= 0.5, "%g is above 0.5", at[0]);
    CHECK_NEAR(at[0], 0.5, 1e-2);
}

/* The second parameter changes nothing: the first has its minimum all the same. */
static double one_sided(const double *parameter, int row, double *derivative, const void *context)
{
    derivative[0] = 1;
    derivative[1] = 0;
    return parameter[0] - (row == 0 ? 1 : *(const double *)context);
}

TEST(ignores_what_has_no_effect)
{
    double other = 2;
    struct minimise minimise = {.rows = 2,
                                .parameters = 2,
                                .low = {-10, -10},
                                .high = {10, 10},
                                .residual = one_sided,
                                .context = &other};
    double at[2] = {-9, 3};

    CHECK_NEAR(minimise_squares(&minimise, at), 0.5, 1e-9);
    CHECK_NEAR(at[0], 1.5, 1e-6);
    CHECK_NEAR(at[1], 3, 1e-6);
}

static double parabola(double at, void *context)
{
    ++*(int *)context;
    return (at - 2) * (at - 2);
}

TEST(sections)
{
    double value = 0;
    int calls = 0;

    CHECK_NEAR(minimise_unimodal(0, 10, 1e-6, parabola, &calls, &value), 2, 1e-6);
    CHECK_NEAR(value, 0, 1e-9);
    CHECK_TRUE(calls < 12, "%d calls", calls);
    CHECK_NEAR(minimise_unimodal(3, 10, 1e-6, parabola, &calls, &value), 3, 1e-6);
    CHECK_NEAR(minimise_unimodal(-1, 1, 1e-6, parabola, &calls, &value), 1, 2e-6);
}
