#include "base/minimise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define STEPS_MAX 200
#define STEP_MAX 2.0 /* per parameter; larger steps leave the range of linearisation */
#define GAIN_LEAST 1e-12
#define DAMPING_FIRST 1e-3
#define DAMPING_MAX 1e12

enum { P = MINIMISE_PARAMETERS_MAX };

struct normal {
    double sum;          /* sum of squares */
    double matrix[P][P]; /* J'J */
    double slope[P];     /* J'r */
};

static void sum_normal_equations(const struct minimise *minimise, const double *parameter,
                                 struct normal *normal)
{
    double derivative[P] = {0};

    memset(normal, 0, sizeof *normal);
    for (int row = 0; row < minimise->rows; row++) {
        double r = minimise->residual(parameter, row, derivative, minimise->context);

        normal->sum += r * r;
        for (int i = 0; i < minimise->parameters; i++) {
            normal->slope[i] += derivative[i] * r;
            for (int j = 0; j <= i; j++)
                normal->matrix[i][j] += derivative[i] * derivative[j];
        }
    }
}

/* The last term keeps the diagonal element of a parameter without effect positive. */
static double damped_diagonal(const struct normal *normal, int i, double damping)
{
    return normal->matrix[i][i] * (1 + damping) + 1e-12 * damping;
}

/* Solves step = -(J'J + damping diag)^-1 J'r by Cholesky; returns false if singular. */
static bool solve_step(const struct normal *normal, int n, double damping, double *step)
{
    double lower[P][P];
    double y[P];

    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? damped_diagonal(normal, i, damping) : normal->matrix[i][j];

            for (int k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            if (i == j && !(sum > 0))
                return false;
            lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
        }
    for (int i = 0; i < n; i++) {
        y[i] = -normal->slope[i];
        for (int k = 0; k < i; k++)
            y[i] -= lower[i][k] * y[k];
        y[i] /= lower[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        step[i] = y[i];
        for (int k = i + 1; k < n; k++)
            step[i] -= lower[k][i] * step[k];
        step[i] /= lower[i][i];
    }
    return true;
}

static void step_within_bounds(const struct minimise *minimise, const double *from,
                               const double *step, double *to)
{
    for (int i = 0; i < minimise->parameters; i++) {
        double by = fmax(-STEP_MAX, fmin(STEP_MAX, step[i]));

        to[i] = fmax(minimise->low[i], fmin(minimise->high[i], from[i] + by));
    }
}

double minimise_squares(const struct minimise *minimise, double *parameter)
{
    double damping = DAMPING_FIRST;
    struct normal here;

    sum_normal_equations(minimise, parameter, &here);
    for (int i = 0; i < STEPS_MAX && damping < DAMPING_MAX; i++) {
        struct normal there;
        double step[P], to[P];
        double gain;

        if (!solve_step(&here, minimise->parameters, damping, step)) {
            damping *= 10;
            continue;
        }
        step_within_bounds(minimise, parameter, step, to);
        sum_normal_equations(minimise, to, &there);
        if (!(there.sum < here.sum)) {
            damping *= 10;
            continue;
        }
        gain = here.sum - there.sum;
        memcpy(parameter, to, sizeof to[0] * (size_t)minimise->parameters);
        here = there;
        damping = fmax(damping / 10, 1e-12);
        if (gain <= GAIN_LEAST * here.sum)
            break;
    }
    return here.sum;
}

double minimise_golden(double low, double high, double tolerance,
                       double (*function)(double at, void *context), void *context, double *value)
{
    const double golden = (sqrt(5) - 1) / 2;
    double left = high - golden * (high - low);
    double right = low + golden * (high - low);
    double at_left = function(left, context);
    double at_right = function(right, context);

    while (high - low > tolerance) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = function(left, context);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = function(right, context);
        }
    }
    *value = fmin(at_left, at_right);
    return at_left <= at_right ? left : right;
}
