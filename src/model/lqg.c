#include "model/lqg.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/formulas.h"

#define LEAST_ANGLE 1e-4
#define LEAST_NOISE 1e-6
#define DOUBLINGS 60
#define CONVERGED 1e-14

typedef double matrix[LQG_STATES_MAX][LQG_STATES_MAX];

/* Matrices of n x n --------------------------------------------------------------------------- */

/* product = a b, or a b' */
static void multiply(int n, matrix a, matrix b, matrix product)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;

            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            product[i][j] = sum;
        }
}

static void multiply_transposed(int n, matrix a, matrix b, matrix product)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;

            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[j][k];
            product[i][j] = sum;
        }
}

static void transpose(int n, matrix a, matrix transposed)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            transposed[i][j] = a[j][i];
}

static void add(int n, matrix a, matrix sum)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum[i][j] += a[i][j];
}

static void swap_rows(int n, double *a, double *b)
{
    for (int j = 0; j < n; j++) {
        double kept = a[j];

        a[j] = b[j];
        b[j] = kept;
    }
}

/* Solves w x = b for two right sides in place, by elimination with the largest pivot; w is lost. */
static void solve(int n, matrix w, matrix first, matrix second)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;

        for (int i = k + 1; i < n; i++)
            if (fabs(w[i][k]) > fabs(w[pivot][k]))
                pivot = i;
        swap_rows(n, w[k], w[pivot]);
        swap_rows(n, first[k], first[pivot]);
        swap_rows(n, second[k], second[pivot]);
        for (int i = 0; i < n; i++) {
            double factor = w[i][k] / w[k][k];

            if (i == k)
                continue;
            for (int j = k; j < n; j++)
                w[i][j] -= factor * w[k][j];
            for (int j = 0; j < n; j++) {
                first[i][j] -= factor * first[k][j];
                second[i][j] -= factor * second[k][j];
            }
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            first[i][j] /= w[i][i];
            second[i][j] /= w[i][i];
        }
}

static double trace(int n, matrix a)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i][i];
    return sum;
}

/* Design -------------------------------------------------------------------------------------- */

/* Returns the variance of the process noise: with the poles exp(p), exp(p') of an oscillator,
 * 1 - a1 - a2 = |1 - exp(p)|^2. */
static double process_variance(double a1, double a2, double variance)
{
    return variance * (1 + a2) * (1 - a2 - a1) * (1 - a2 + a1) / (1 - a2);
}

static void set_disturbance(struct lqg *lqg, int i, const struct disturbance *disturbance,
                            double period)
{
    double angle = larger(2 * pi * disturbance->frequency * period, LEAST_ANGLE);
    double decay = exp(-disturbance->damping * angle);

    lqg->angle[i] = angle;
    lqg->damping[i] = disturbance->damping;
    lqg->a1[i] = 2 * decay * cos(angle * sqrt(1 - square(disturbance->damping)));
    lqg->a2[i] = -square(decay);
    lqg->q[i] = process_variance(lqg->a1[i], lqg->a2[i], disturbance->variance);
}

/* Fills P. In each step, with W = I + G H: the transition becomes F W^-1 F, G grows by
 * F W^-1 G F' and H by F' H W^-1 F; they begin with A', C'C/R and Q. */
static void fill_covariance(const struct lqg *lqg, double noise, matrix h)
{
    int n = 2 * lqg->count;
    matrix f = {{0}}, g = {{0}}, w, step, kept, product;

    memset(h, 0, sizeof(matrix));
    for (int i = 0; i < lqg->count; i++) {
        f[2 * i][2 * i] = lqg->a1[i];
        f[2 * i + 1][2 * i] = lqg->a2[i];
        f[2 * i][2 * i + 1] = 1;
        h[2 * i][2 * i] = lqg->q[i];
        for (int j = 0; j < lqg->count; j++)
            g[2 * i][2 * j] = 1 / noise;
    }
    for (int doubling = 0; doubling < DOUBLINGS; doubling++) {
        double before = trace(n, h);

        multiply(n, g, h, w);
        for (int i = 0; i < n; i++)
            w[i][i] += 1;
        memcpy(step, f, sizeof step);
        memcpy(kept, g, sizeof kept);
        solve(n, w, step, kept);
        multiply(n, f, kept, product);
        multiply_transposed(n, product, f, kept);
        add(n, kept, g);
        multiply(n, h, step, product);
        transpose(n, f, w);
        multiply(n, w, product, kept);
        add(n, kept, h);
        multiply(n, f, step, product);
        memcpy(f, product, sizeof f);
        if (trace(n, h) - before <= CONVERGED * before)
            break;
    }
}

/* Fills the command per state: C A^h by rows, a block at a time. */
static void set_law(struct lqg *lqg, double horizon)
{
    int whole = (int)horizon;
    double fraction = horizon - whole;

    for (int i = 0; i < lqg->count; i++) {
        double row[2] = {1, 0};

        for (int k = 0; k <= whole; k++) {
            double next = row[0] * lqg->a1[i] + row[1];

            if (k == whole)
                for (int s = 0; s < 2; s++)
                    lqg->law[2 * i + s] = (1 - fraction) * row[s];
            row[1] = row[0] * lqg->a2[i];
            row[0] = next;
        }
        for (int s = 0; s < 2; s++)
            lqg->law[2 * i + s] += fraction * row[s];
    }
}

void lqg_design(struct lqg *lqg, const struct disturbance *disturbance, int count, double period,
                double horizon, double noise)
{
    double sum = 0, innovation;
    matrix covariance;

    lqg->count = count;
    for (int i = 0; i < count; i++) {
        set_disturbance(lqg, i, &disturbance[i], period);
        sum += lqg->q[i];
    }
    noise = larger(noise, LEAST_NOISE * sum);
    fill_covariance(lqg, noise, covariance);
    innovation = noise;
    for (int s = 0; s < 2 * count; s++) {
        lqg->variance[s] = covariance[s][s];
        lqg->gain[s] = 0;
        for (int i = 0; i < count; i++)
            lqg->gain[s] += covariance[s][2 * i];
    }
    for (int i = 0; i < count; i++)
        innovation += lqg->gain[2 * i];
    for (int s = 0; s < 2 * count; s++)
        lqg->gain[s] /= innovation;
    set_law(lqg, horizon);
}

/* Frequencies --------------------------------------------------------------------------------- */

/* With G = (I - A w)^-1 K_f, block by block, the inverse of I - A w + K_f C A w times K_f is
 * G / (1 + C A G w), because the last term has the rank 1. */
double complex lqg_command(const struct lqg *lqg, double complex w)
{
    double complex above = 0, below = 1;

    for (int i = 0; i < lqg->count; i++) {
        const double *gain = &lqg->gain[2 * i];
        const double *law = &lqg->law[2 * i];
        double a1 = lqg->a1[i], a2 = lqg->a2[i];
        double complex fixed = 1 - w * (a1 + a2 * w);
        double complex inverse = conj(fixed) / (square(creal(fixed)) + square(cimag(fixed)));
        double complex first = (gain[0] + a2 * gain[1] * w) * inverse;
        double complex second = (gain[1] + (gain[0] - a1 * gain[1]) * w) * inverse;

        above += law[0] * first + law[1] * second;
        below += w * (a1 * first + a2 * second);
    }
    return above * conj(below) / (square(creal(below)) + square(cimag(below)));
}

/* law S law' with S = M S M' + K_f K_f', M = (I - K_f C) A, doubled until it no longer grows. */
double lqg_noise_gain(const struct lqg *lqg)
{
    int n = 2 * lqg->count;
    matrix m = {{0}}, s, kept, product;
    double gain = 0;

    for (int i = 0; i < lqg->count; i++) {
        m[2 * i][2 * i] = lqg->a1[i];
        m[2 * i][2 * i + 1] = lqg->a2[i];
        m[2 * i + 1][2 * i] = 1;
    }
    for (int r = 0; r < n; r++)
        for (int i = 0; i < lqg->count; i++) {
            m[r][2 * i] -= lqg->gain[r] * lqg->a1[i];
            m[r][2 * i + 1] -= lqg->gain[r] * lqg->a2[i];
        }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            s[r][c] = lqg->gain[r] * lqg->gain[c];
    for (int doubling = 0; doubling < DOUBLINGS; doubling++) {
        double before = trace(n, s);

        multiply(n, m, s, product);
        multiply_transposed(n, product, m, kept);
        add(n, kept, s);
        multiply(n, m, m, product);
        memcpy(m, product, sizeof m);
        if (trace(n, s) - before <= CONVERGED * before)
            break;
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            gain += lqg->law[r] * s[r][c] * lqg->law[c];
    return gain;
}
