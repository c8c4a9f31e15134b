#include "base/minimise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"

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

/* Returns the step from `best` to the lowest point of the parabola through three points. It is not
 * finite if they lie on a line. */
static double step_of_parabola(const double at[3], const double value[3])
{
    double first = (at[0] - at[1]) * (value[0] - value[2]);
    double second = (at[0] - at[2]) * (value[0] - value[1]);

    return ((at[0] - at[1]) * first - (at[0] - at[2]) * second) / (2 * (second - first));
}

double minimise_unimodal(double low, double high, double tolerance,
                         double (*function)(double at, void *context), void *context, double *value)
{
    const double golden = (3 - sqrt(5)) / 2;
    const double least = tolerance / 3; /* the minimum is at most three of these from the best */
    double at[3], values[3];            /* the best point, the second and the one before that */
    double step = 0, before = 0;        /* the last step and the one before it */

    at[0] = at[1] = at[2] = low + golden * (high - low);
    values[0] = values[1] = values[2] = function(at[0], context);
    while (larger(high - at[0], at[0] - low) > 2 * least) {
        double parabola = step_of_parabola(at, values);
        double next, found;
        int place;

        /* a parabola is followed only while its steps halve, so that the search ends; near an end
         * of the interval a small step towards its middle brings the other end closer */
        if (fabs(parabola) < fabs(before) / 2 && at[0] + parabola > low &&
            at[0] + parabola < high) {
            before = step;
            step = at[0] + parabola - low < 2 * least || high - at[0] - parabola < 2 * least
                       ? copysign(least, (low + high) / 2 - at[0])
                       : parabola;
        } else {
            before = at[0] < (low + high) / 2 ? high - at[0] : low - at[0];
            step = golden * before;
        }
        next = at[0] + (fabs(step) >= least ? step : copysign(least, step));
        found = function(next, context);
        if (found <= values[0]) {
            *(next >= at[0] ? &low : &high) = at[0];
            place = 0;
        } else {
            *(next < at[0] ? &low : &high) = next;
            place = found <= values[1] || at[1] == at[0]                     ? 1
                    : found <= values[2] || at[2] == at[0] || at[2] == at[1] ? 2
                                                                             : 3;
        }
        for (int i = 2; i > place; i--) {
            at[i] = at[i - 1];
            values[i] = values[i - 1];
        }
        if (place < 3) {
            at[place] = next;
            values[place] = found;
        }
    }
    *value = values[0];
    return at[0];
}
