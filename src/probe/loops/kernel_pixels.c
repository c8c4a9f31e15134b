#include "probe/loops/kernel_loops.h"
#include "probe/loops/kernel_target.h"

#if KERNEL_IS_THERE

KERNEL_TARGET static void dark_flat(const uint16_t *restrict raw, const float *restrict dark,
                                    const float *restrict flat, float *restrict image, size_t first,
                                    size_t last)
{
    for (size_t i = first; i < last; i++)
        image[i] = ((float)raw[i] - dark[i]) * flat[i];
}

/* Centroids ------------------------------------------------------------------------------------ */

struct centroid_sums {
    float all, x, y;
};

KERNEL_TARGET static void put_slopes(const struct kernel_centroids *c, size_t i,
                                     struct centroid_sums sums)
{
    c->slopes[2 * i] = sums.x / sums.all - c->reference[2 * i];
    c->slopes[2 * i + 1] = sums.y / sums.all - c->reference[2 * i + 1];
}

KERNEL_TARGET static void find_cog(const struct kernel_centroids *c, size_t first, size_t last)
{
    const int side = (int)c->side;

    for (size_t i = first; i < last; i++) {
        const float *at = c->pixels + i * c->side * c->side;
        struct centroid_sums sums = {0, 0, 0};

        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                float value = *at++;

                sums.all += value;
                sums.x += value * (float)x;
                sums.y += value * (float)y;
            }
        }
        put_slopes(c, i, sums);
    }
}

/* Sums over the excess above a level. */
KERNEL_TARGET static struct centroid_sums sums_above(const float *at, int side, float level)
{
    struct centroid_sums sums = {0, 0, 0};

    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            float value = *at++ - level;

            value = value > 0 ? value : 0;
            sums.all += value;
            sums.x += value * (float)x;
            sums.y += value * (float)y;
        }
    }
    return sums;
}

KERNEL_TARGET static void find_threshold(const struct kernel_centroids *c, size_t first,
                                         size_t last)
{
    for (size_t i = first; i < last; i++)
        put_slopes(c, i, sums_above(c->pixels + i * c->side * c->side, (int)c->side, c->threshold));
}

/* Hoare's quicksort, descending. */
KERNEL_TARGET static void sort_falling(float *value, int count)
{
    while (count > 1) {
        float pivot = value[count / 2];
        int i = 0;
        int j = count - 1;

        for (;;) {
            float other;

            while (value[i] > pivot)
                i++;
            while (value[j] < pivot)
                j--;
            if (i >= j)
                break;
            other = value[i];
            value[i++] = value[j];
            value[j--] = other;
        }
        /* Indices cross at equal keys: if i == j, that element is already in place. */
        j = i == j ? i + 1 : i;
        sort_falling(value + j, count - j);
        count = i;
    }
}

KERNEL_TARGET static void find_brightest(const struct kernel_centroids *c, size_t first,
                                         size_t last)
{
    const size_t area = c->side * c->side;
    float sorted[KERNEL_SIDE_MAX * KERNEL_SIDE_MAX];

    for (size_t i = first; i < last; i++) {
        const float *at = c->pixels + i * area;

        for (size_t k = 0; k < area; k++)
            sorted[k] = at[k];
        sort_falling(sorted, (int)area);
        put_slopes(c, i, sums_above(at, (int)c->side, sorted[area / KERNEL_BRIGHTEST]));
    }
}

#define PADDED_SIDE_MAX (KERNEL_SIDE_MAX + KERNEL_SEARCH)

/* Returns the maximum position of the parabola through values at -1, 0 and 1. */
KERNEL_TARGET static float parabola_vertex(float before, float here, float after)
{
    float bend = before - 2 * here + after;

    return bend < 0 ? (before - after) / (2 * bend) : 0;
}

KERNEL_TARGET static void put_peak(const struct kernel_centroids *c, size_t i,
                                   float at[KERNEL_SEARCH][KERNEL_SEARCH])
{
    float *slopes = c->slopes + 2 * i;
    int top = 1;
    int left = 1;

    for (int y = 1; y < c->search - 1; y++) {
        for (int x = 1; x < c->search - 1; x++) {
            if (at[y][x] > at[top][left]) {
                top = y;
                left = x;
            }
        }
    }
    slopes[0] = (float)(left - c->search / 2) - c->reference[2 * i] +
                parabola_vertex(at[top][left - 1], at[top][left], at[top][left + 1]);
    slopes[1] = (float)(top - c->search / 2) - c->reference[2 * i + 1] +
                parabola_vertex(at[top - 1][left], at[top][left], at[top + 1][left]);
}

KERNEL_TARGET static void find_correlation(const struct kernel_centroids *c, size_t first,
                                           size_t last)
{
    const int side = (int)c->side;
    float set[PADDED_SIDE_MAX][PADDED_SIDE_MAX] = {{0}};

    for (size_t i = first; i < last; i++) {
        const float *pixels = c->pixels + i * c->side * c->side;
        float at[KERNEL_SEARCH][KERNEL_SEARCH];

        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                set[y + c->search / 2][x + c->search / 2] = *pixels++;
        for (int down = 0; down < c->search; down++) {
            float row[KERNEL_SEARCH] = {0};

            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++)
                    for (int along = 0; along < KERNEL_SEARCH; along++)
                        row[along] += c->image[y * side + x] * set[y + down][x + along];
            for (int along = 0; along < KERNEL_SEARCH; along++)
                at[down][along] = row[along];
        }
        put_peak(c, i, at);
    }
}

/* Control -------------------------------------------------------------------------------------- */

KERNEL_TARGET static void integrate_error(const float *restrict error, float *restrict state,
                                          float leak, float gain, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        state[i] = leak * state[i] + gain * error[i];
}

KERNEL_TARGET static void add_offset(const float *restrict value, const float *restrict other,
                                     float *restrict sum, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        sum[i] = value[i] + other[i];
}

KERNEL_TARGET static void clip_commands(const float *restrict value, float limit,
                                        float *restrict clipped, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        float low = value[i] > -limit ? value[i] : -limit;

        clipped[i] = low < limit ? low : limit;
    }
}

KERNEL_TARGET static void scale_commands(const float *restrict value, float scale, float bias,
                                         float *restrict scaled, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        scaled[i] = scale * value[i] + bias;
}

KERNEL_TARGET static void run_integrator(const struct kernel_integrator *i, size_t first,
                                         size_t last)
{
    integrate_error(i->error, i->state, i->leak, i->gain, first, last);
    add_offset(i->state, i->offset, i->moved, first, last);
    clip_commands(i->moved, i->limit, i->clipped, first, last);
    scale_commands(i->clipped, i->scale, i->bias, i->command, first, last);
}

const struct kernel_loops KERNEL_LOOPS = {
    .name = KERNEL_INSTRUCTIONS,
    .dark_flat = dark_flat,
    .centroid = {[KERNEL_CENTROID_COG] = find_cog,
                 [KERNEL_CENTROID_THRESHOLD] = find_threshold,
                 [KERNEL_CENTROID_BRIGHTEST] = find_brightest,
                 [KERNEL_CENTROID_CORRELATION] = find_correlation},
    .pyramid_sums = KERNEL_SUMS,
    .pyramid_slopes = KERNEL_SLOPES,
    .pyramid_flux = KERNEL_FLUX,
    .pyramid_intensities = KERNEL_INTENSITIES,
    .integrator = run_integrator,
    .mvm = KERNEL_MVM,
};

#else
typedef int kernel_pixels_unused;
#endif
