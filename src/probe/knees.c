#include "probe/knees.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/stats.h"

#define FLAT_SLOPE 0.0769610411361284 /* ln 1.08 per octave */
#define PLATEAU_RATIO 1.5             /* minimum ratio of two plateaus */
#define SHELF_SLOPE 0.223143551314210 /* ln 1.25 per octave */
#define SHELF_OCTAVES 1
#define SHELF_CONTRAST 1.5
#define PLATEAU_POINTS 5
#define NOISE_LEAST 0.04 /* in ln latency; with less, straight lines would follow the shape */
#define NOISE_MOST 0.1
#define CAPACITY_RATIO 3.0 /* to a reported capacity; beyond it belongs to another cache */

/* The staircase in log-log, with prefix sums for the regression line of any run. */
struct curve {
    int count;
    double x[KNEES_POINTS_MAX]; /* octaves */
    double y[KNEES_POINTS_MAX]; /* ln latency, smoothed */
    struct moments {
        double x, y, xx, xy, yy;
    } sum[KNEES_POINTS_MAX + 1];
    double noise;
};

/* Points [first, last). */
struct knee_run {
    int first, last;
    bool flat, shelf;
    double level; /* ln latency */
};

static double median_of(const double *values, int count)
{
    double sorted[KNEES_POINTS_MAX];

    memcpy(sorted, values, (size_t)count * sizeof sorted[0]);
    stats_sort(sorted, count);
    return stats_median(sorted, count);
}

static void prepare_curve(struct curve *curve, const double *size, const double *latency, int count)
{
    double raw[KNEES_POINTS_MAX] = {0}; /* gcc 14 does not see that it is filled */
    double difference[KNEES_POINTS_MAX];

    curve->count = count;
    for (int i = 0; i < count; i++) {
        curve->x[i] = log2(size[i] / size[0]);
        raw[i] = log(latency[i] / latency[0]);
    }
    /* Estimates the noise from second differences, whose median is insensitive to a few steps; for
     * equal errors their standard deviation is sqrt(6) that of a point. */
    for (int i = 0; i + 2 < count; i++)
        difference[i] = fabs(raw[i] - 2 * raw[i + 1] + raw[i + 2]);
    curve->noise = NOISE_LEAST;
    if (count > 2)
        curve->noise = smaller(
            larger(1.4826 * median_of(difference, count - 2) / sqrt(6), NOISE_LEAST), NOISE_MOST);
    /* A median of three removes single disturbed points and preserves steps. */
    for (int i = 0; i < count; i++)
        curve->y[i] = i > 0 && i + 1 < count ? median_of(&raw[i - 1], 3) : raw[i];
    curve->sum[0] = (struct moments){0};
    for (int i = 0; i < count; i++) {
        const struct moments *before = &curve->sum[i];
        double x = curve->x[i], y = curve->y[i];

        curve->sum[i + 1] = (struct moments){before->x + x, before->y + y, before->xx + x * x,
                                             before->xy + x * y, before->yy + y * y};
    }
}

/* Returns the central moments of points [first, last). */
static struct moments run_moments(const struct curve *curve, int first, int last)
{
    const struct moments *a = &curve->sum[first], *b = &curve->sum[last];
    double n = last - first;
    double x = b->x - a->x, y = b->y - a->y;

    return (struct moments){x / n, y / n, b->xx - a->xx - x * x / n, b->xy - a->xy - x * y / n,
                            b->yy - a->yy - y * y / n};
}

static double slope_of_moments(const struct moments *m)
{
    return m->xx > 0 ? m->xy / m->xx : 0;
}

/* Returns the misfit of points [first, last) to one straight or horizontal line, in squares of the
 * noise. */
static double line_misfit(const struct curve *curve, int first, int last, bool flat)
{
    struct moments m = run_moments(curve, first, last);
    double slope = slope_of_moments(&m);

    slope = flat ? larger(smaller(slope, FLAT_SLOPE), -FLAT_SLOPE) : larger(slope, FLAT_SLOPE);
    return larger(m.yy - 2 * slope * m.xy + slope * slope * m.xx, 0) /
           (curve->noise * curve->noise);
}

/* Finds the sequence of runs with minimum misfit plus a penalty per parameter: position, level and
 * noise of each run, and the slope of a ramp (after Schwarz, Annals of Statistics 6, 1978), by
 * dynamic programming over the last run (Bellman). */
static int divide_curve(const struct curve *curve, struct knee_run runs[])
{
    double cost[KNEES_POINTS_MAX + 1] = {0};
    struct knee_run best[KNEES_POINTS_MAX + 1];
    double price = log(larger(curve->count, 2));
    int count = 0;

    for (int last = 1; last <= curve->count; last++) {
        cost[last] = INFINITY;
        for (int first = 0; first < last; first++) {
            for (int flat = last - first >= PLATEAU_POINTS; flat >= 0; flat--) {
                double sum = cost[first] + (flat ? 2.5 : 3.5) * price +
                             line_misfit(curve, first, last, flat);

                if (sum < cost[last]) {
                    cost[last] = sum;
                    best[last] = (struct knee_run){.first = first, .last = last, .flat = flat};
                }
            }
        }
    }
    for (int last = curve->count; last > 0; last = best[last].first)
        count++;
    for (int last = curve->count, i = count; last > 0; last = best[last].first)
        runs[--i] = best[last];
    return count;
}

static void join_runs(struct knee_run runs[], int *count, int at, const struct curve *curve)
{
    runs[at].last = runs[at + 1].last;
    runs[at].level = median_of(&curve->y[runs[at].first], runs[at].last - runs[at].first);
    --*count;
    memmove(&runs[at + 1], &runs[at + 2], (size_t)(*count - at - 1) * sizeof runs[0]);
}

/* Returns the slope in ln latency per octave; of a step between two points, over its width. */
static double run_slope(const struct curve *curve, const struct knee_run *run)
{
    int before = run->first > 0 ? run->first - 1 : 0;
    struct moments m =
        run_moments(curve, run->last - run->first > 2 ? run->first : before, run->last);

    return slope_of_moments(&m);
}

/* The latency of a level may rise throughout if a TLB overflows or a cache is shared. Merges
 * successive runs of small slope, and makes the result a plateau if it spans an octave or more
 * between two much steeper runs. */
static int find_shelves(const struct curve *curve, struct knee_run runs[], int count)
{
    int kept = 1;

    for (int i = 1; i < count; i++) {
        struct knee_run *last = &runs[kept - 1];

        if (kept > 1 && i < count - 1 && !last->flat && !runs[i].flat &&
            run_slope(curve, last) < SHELF_SLOPE && run_slope(curve, &runs[i]) < SHELF_SLOPE)
            last->last = runs[i].last;
        else
            runs[kept++] = runs[i];
    }
    for (int i = 1; i < kept - 1; i++) {
        double slope = run_slope(curve, &runs[i]);

        if (curve->x[runs[i].last - 1] - curve->x[runs[i].first] >= SHELF_OCTAVES &&
            slope < SHELF_SLOPE && run_slope(curve, &runs[i - 1]) > SHELF_CONTRAST * slope &&
            run_slope(curve, &runs[i + 1]) > SHELF_CONTRAST * slope)
            runs[i].shelf = true;
    }
    return kept;
}

/* Keeps the plateaus among the runs and the first and last points, and merges those without a step
 * between them, the closest first. */
static int find_plateaus(const struct curve *curve, struct knee_run runs[], int count)
{
    int kept = 0;
    int ends = curve->count < PLATEAU_POINTS ? curve->count : PLATEAU_POINTS;

    if (!runs[0].flat && runs[0].last - runs[0].first > ends)
        runs[0].last = ends;
    if (!runs[count - 1].flat && runs[count - 1].last - runs[count - 1].first > ends)
        runs[count - 1].first = curve->count - ends;
    count = find_shelves(curve, runs, count);
    for (int i = 0; i < count; i++) {
        if (!runs[i].flat && !runs[i].shelf && i > 0 && i < count - 1)
            continue;
        runs[kept] = runs[i];
        runs[kept].level = median_of(&curve->y[runs[i].first], runs[i].last - runs[i].first);
        kept++;
    }
    for (;;) {
        int nearest = 0;

        for (int i = 0; i + 1 < kept; i++)
            if (runs[i + 1].level - runs[i].level < runs[nearest + 1].level - runs[nearest].level)
                nearest = i;
        if (kept < 2 || (kept <= PLATEAUS_MAX &&
                         runs[nearest + 1].level - runs[nearest].level >= log(PLATEAU_RATIO)))
            return kept;
        join_runs(runs, &kept, nearest, curve);
    }
}

/* Isotonic regression of points [first, last), the closest non-decreasing curve: decreasing
 * neighbours are averaged (Ayer et al., Annals of Mathematical Statistics 26, 1955). */
static void fit_isotonic(const struct curve *curve, int first, int last, double rising[])
{
    double mean[KNEES_POINTS_MAX];
    int points[KNEES_POINTS_MAX];
    int blocks = 0;

    for (int i = first; i < last; i++) {
        mean[blocks] = curve->y[i];
        points[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; blocks--) {
            int both = points[blocks - 2] + points[blocks - 1];

            mean[blocks - 2] =
                (mean[blocks - 2] * points[blocks - 2] + mean[blocks - 1] * points[blocks - 1]) /
                both;
            points[blocks - 2] = both;
        }
    }
    for (int i = 0; i < blocks; i++)
        for (int j = 0; j < points[i]; j++)
            rising[first++] = mean[i];
}

/* Returns the octaves from the first size to the geometric mean of two latencies. */
static double find_crossing(const struct curve *curve, const struct knee_run *low,
                            const struct knee_run *high)
{
    double rising[KNEES_POINTS_MAX];
    double middle = (low->level + high->level) / 2;
    int i = low->first + 1;

    fit_isotonic(curve, low->first, high->last, rising);
    while (i < high->last - 1 && rising[i] < middle)
        i++;
    if (!(rising[i] > rising[i - 1]))
        return curve->x[i];
    return curve->x[i - 1] +
           (curve->x[i] - curve->x[i - 1]) *
               larger(smaller((middle - rising[i - 1]) / (rising[i] - rising[i - 1]), 1), 0);
}

void knees_find(const double *size, const double *latency, int count, struct knees *knees)
{
    struct curve curve;
    struct knee_run runs[KNEES_POINTS_MAX];

    *knees = (struct knees){0};
    if (count < 1)
        return;
    prepare_curve(&curve, size, latency, count < KNEES_POINTS_MAX ? count : KNEES_POINTS_MAX);
    count = find_plateaus(&curve, runs, divide_curve(&curve, runs));
    knees->plateaus = count;
    for (int i = 0; i < count; i++) {
        struct plateau *plateau = &knees->plateau[i];

        plateau->rises = i == count - 1 && i > 0 && !runs[i].flat;
        if (plateau->rises)
            for (int j = runs[i].first; j < runs[i].last; j++)
                runs[i].level = larger(runs[i].level, curve.y[j]);
        plateau->latency = latency[0] * exp(runs[i].level);
        plateau->from = size[runs[i].first];
        plateau->to = size[runs[i].last - 1];
        if (i > 0)
            knees->capacity[i - 1] = size[0] * exp2(find_crossing(&curve, &runs[i - 1], &runs[i]));
    }
}

/* Measurements --------------------------------------------------------------------------------- */

static bool is_walk(const struct measurement_point *point)
{
    return point->part == MEASUREMENT_MEMORY && strcmp(point->name, "chase") == 0 &&
           point->parameter[PARAMETER_SIZE] > 0 && point->count > 0;
}

double staircase_chains_most(const struct measurement *measurement)
{
    double most = 1;

    for (int i = 0; i < measurement->count; i++)
        if (is_walk(&measurement->point[i]))
            most = fmax(most, measurement->point[i].parameter[PARAMETER_CHAINS]);
    return most;
}

void staircase_from_measurement(const struct measurement *measurement, double chains,
                                struct staircase *staircase)
{
    staircase->count = 0;
    for (int i = 0; i < measurement->count && staircase->count < KNEES_POINTS_MAX; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double size = point->parameter[PARAMETER_SIZE];
        int at = staircase->count;

        if (!is_walk(point) || point->parameter[PARAMETER_CHAINS] != chains)
            continue;
        for (; at > 0 && staircase->size[at - 1] > size; at--) {
            staircase->size[at] = staircase->size[at - 1];
            staircase->latency[at] = staircase->latency[at - 1];
        }
        staircase->size[at] = size;
        staircase->latency[at] = point_least(point);
        staircase->count++;
    }
}

void knees_from_measurement(const struct measurement *measurement, struct knees *knees)
{
    struct staircase staircase;

    staircase_from_measurement(measurement, 1, &staircase);
    knees_find(staircase.size, staircase.latency, staircase.count, knees);
}

double knees_nearest_capacity(const struct knees *knees, double system)
{
    double best = 0;

    if (!(system > 0))
        return 0;
    for (int i = 0; i + 1 < knees->plateaus; i++)
        if (fabs(log(knees->capacity[i] / system)) <
            (best > 0 ? fabs(log(best / system)) : log(CAPACITY_RATIO)))
            best = knees->capacity[i];
    return best;
}
