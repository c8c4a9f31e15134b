#include "charts/roofline.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "design/knob_table.h"
#include "draw/table.h"

/* Ranges of the axes: they include every dot and the level part of every ceiling. */
struct axis_range {
    double least_intensity, most_intensity;
    double least_flops, most_flops;
};

static bool is_on_axes(const struct roof_point *point)
{
    return point->intensity != RESULT_NONE && point->flops != RESULT_NONE;
}

static void widen_axes(struct axis_range *range, double intensity, double flops)
{
    range->least_intensity = smaller(range->least_intensity, intensity);
    range->most_intensity = larger(range->most_intensity, intensity);
    range->least_flops = smaller(range->least_flops, flops);
    range->most_flops = larger(range->most_flops, flops);
}

/* Includes a ridge point of ceilings in use, so that sloped and level parts are visible. */
static struct axis_range range_of_axes(const struct roofs *roofs)
{
    const struct roof_ceiling *memory = NULL, *peak = NULL;
    struct axis_range range;

    for (int i = 0; i < roofs->ceilings; i++) {
        const struct roof_ceiling *ceiling = &roofs->ceiling[i];

        if (ceiling->kind == ROOF_LEVEL)
            memory = ceiling; /* the last one is the outermost */
        else if (ceiling->kind == ROOF_PEAK && (peak == NULL || (ceiling->used && !peak->used)))
            peak = ceiling;
    }
    range = (struct axis_range){roofs_ridge(memory, peak), roofs_ridge(memory, peak), peak->peak,
                                peak->peak};
    for (int i = 0; i < roofs->ceilings; i++)
        if (roofs->ceiling[i].kind != ROOF_LEVEL)
            widen_axes(&range, range.least_intensity, roofs->ceiling[i].peak);
    for (int p = 0; p < roofs->points; p++)
        if (is_on_axes(&roofs->point[p]))
            widen_axes(&range, roofs->point[p].intensity, roofs->point[p].flops);
    return range;
}

/* Returns true for equal compute ceilings, which share a line. */
static bool ceilings_share_line(const struct roof_ceiling *a, const struct roof_ceiling *b)
{
    return a->kind != ROOF_LEVEL && b->kind != ROOF_LEVEL && a->peak == b->peak;
}

/* Returns true if the ceiling is the first on its line. */
static bool is_first_of_line(const struct roofs *roofs, int number)
{
    for (int i = 0; i < number; i++)
        if (ceilings_share_line(&roofs->ceiling[i], &roofs->ceiling[number]))
            return false;
    return true;
}

static bool ceiling_used(const struct roofs *roofs, int number)
{
    bool met = roofs->ceiling[number].used;

    for (int i = 0; i < roofs->ceilings; i++)
        met = met || (roofs->ceiling[i].used &&
                      ceilings_share_line(&roofs->ceiling[i], &roofs->ceiling[number]));
    return met;
}

/* Returns a distinct look for each line, different from those of dots. Compute ceilings other than
 * the first one in use are in the background. */
static enum chart_look look_of_ceiling(const struct roofs *roofs, int number)
{
    static const enum chart_look levels[LEVEL_COUNT] = {LOOK_FIRST + 2, LOOK_FIRST + 3,
                                                        LOOK_FIRST + 4, LOOK_FIRST + 7};
    int back = 0;
    bool met = false;

    if (roofs->ceiling[number].kind == ROOF_LEVEL)
        return levels[roofs->ceiling[number].level];
    for (int i = 0; i < number; i++) {
        if (roofs->ceiling[i].kind == ROOF_LEVEL || !is_first_of_line(roofs, i))
            continue;
        back += met || !ceiling_used(roofs, i);
        met = met || ceiling_used(roofs, i);
    }
    return ceiling_used(roofs, number) && !met ? LOOK_FIRST + 6
                                               : (enum chart_look)(LOOK_BACK + back % LOOK_BACKS);
}

/* Names all ceilings on a line: "fp16 FMA 78.0 TFLOP/s, int8 FMA". */
static void name_line(const struct roofs *roofs, int number, char *text, size_t size)
{
    snprintf(text, size, "%s", roofs->ceiling[number].name);
    for (int i = number + 1; i < roofs->ceilings; i++) {
        size_t used = strlen(text);

        if (ceilings_share_line(&roofs->ceiling[i], &roofs->ceiling[number]))
            snprintf(text + used, size - used, ", %s", roofs->ceiling[i].what);
    }
}

static double highest_peak(const struct roofs *roofs, bool level)
{
    double most = 0;

    for (int i = 0; i < roofs->ceilings; i++)
        if ((roofs->ceiling[i].kind == ROOF_LEVEL) == level)
            most = larger(most, roofs->ceiling[i].peak);
    return most;
}

/* Adds a slope up to the highest peak, or a peak from the highest bandwidth on. */
static void add_ceiling_curve(struct chart *chart, const struct roofs *roofs, int number)
{
    const struct roof_ceiling *ceiling = &roofs->ceiling[number];
    char name[CHART_NAME_MAX + 1];
    int item;

    name_line(roofs, number, name, sizeof name);
    item = chart_add(chart, CHART_CURVE, look_of_ceiling(roofs, number), name);
    if (ceiling->kind == ROOF_LEVEL) {
        double ridge = highest_peak(roofs, false) / ceiling->peak;

        chart_point(chart, item, chart->x.low, chart->x.low * ceiling->peak, NULL);
        chart_point(chart, item, smaller(ridge, chart->x.high),
                    smaller(ridge, chart->x.high) * ceiling->peak, NULL);
    } else {
        double ridge = ceiling->peak / highest_peak(roofs, true);

        chart_point(chart, item, larger(ridge, chart->x.low), ceiling->peak, NULL);
        chart_point(chart, item, chart->x.high, ceiling->peak, NULL);
    }
}

/* Writes the name on the curve, after the names of the dots: adds a point on the curve. */
static void add_ceiling_name(struct chart *chart, const struct roofs *roofs, int number)
{
    const struct roof_ceiling *ceiling = &roofs->ceiling[number];
    int item = chart_add(chart, CHART_CURVE, look_of_ceiling(roofs, number), "");
    double at = chart->x.high;

    if (ceiling->kind == ROOF_LEVEL)
        at = larger(chart->x.low, chart->y.low / ceiling->peak) * 1.5;
    chart_point(chart, item, at, ceiling->kind == ROOF_LEVEL ? at * ceiling->peak : ceiling->peak,
                ceiling->name);
}

void roofline_name(const struct roof_point *point, char *text, size_t size)
{
    snprintf(text, size, "%s%s", point->name, point->deferred ? " deferred" : "");
}

static void add_dots(struct chart *chart, const struct roofs *roofs, enum bound bound, int focus)
{
    int item = -1;

    for (int first = 1; first >= 0; first--)
        for (int p = 0; p < roofs->points; p++) {
            const struct roof_point *point = &roofs->point[p];
            char name[NODE_NAME_MAX + 16];

            if (!is_on_axes(point) || point->bound != bound || (p == focus) != (first == 1))
                continue;
            if (item < 0) {
                snprintf(name, sizeof name, "limited by %s", bound_name(bound));
                item = chart_add(chart, CHART_DOTS, look_of_bound(bound), name);
            }
            roofline_name(point, name, sizeof name);
            chart_point(chart, item, point->intensity, point->flops, name);
        }
}

/* Writes "2 x Intel Xeon Platinum 8480+"; empty: the model is unknown. */
static void name_model(const struct roofs *roofs, char *text, size_t size)
{
    if (roofs->sockets <= 1)
        snprintf(text, size, "%s", roofs->model);
    else if (roofs->model[0] == '\0')
        snprintf(text, size, "%.0f sockets", roofs->sockets);
    else
        snprintf(text, size, "%.0f \xC3\x97 %s", roofs->sockets, roofs->model);
}

void chart_roofline(struct chart *chart, const struct roofs *roofs, int focus)
{
    struct axis_range range = range_of_axes(roofs);
    char model[TEXT_MAX_LENGTH + 32];
    char compute[32] = "";

    name_model(roofs, model, sizeof model);
    chart_init(chart, "Roofline of %s%s%s", roofs->device, model[0] != '\0' ? ", " : "", model);
    if (roofs->sustained_compute < 1)
        snprintf(compute, sizeof compute, ", compute %.3g", roofs->sustained_compute);
    chart_note(chart,
               "lines: peaks; sustained bandwidth %.3g%s; dots: at their share, with fixed times",
               roofs->sustained_memory, compute);
    chart_x(chart,
            plot_axis_around(PLOT_DECADES, range.least_intensity / 3, range.most_intensity * 4, ""),
            "operational intensity (FLOP/byte)");
    chart_y(chart,
            plot_axis_around(PLOT_DECADES, range.least_flops / 2, range.most_flops * 2, "FLOP/s"),
            "FLOP/s");
    for (int i = 0; i < roofs->ceilings; i++)
        if (is_first_of_line(roofs, i))
            add_ceiling_curve(chart, roofs, i);
    if (focus >= 0)
        add_dots(chart, roofs, roofs->point[focus].bound, focus);
    for (int b = BOUND_COMPUTE; b <= BOUND_OVERHEAD; b++)
        if (focus < 0 || b != (int)roofs->point[focus].bound)
            add_dots(chart, roofs, (enum bound)b, focus);
    for (int i = 0; i < roofs->ceilings; i++)
        if (is_first_of_line(roofs, i))
            add_ceiling_name(chart, roofs, i);
}

/* Table ---------------------------------------------------------------------------------------- */

void roofline_fraction(double fraction, char *text, size_t size)
{
    if (fraction == RESULT_NONE)
        snprintf(text, size, "-");
    else
        snprintf(text, size, fraction < 0.1 ? "%.2g %%" : "%.0f %%", 100 * fraction);
}

static const char *ceiling_kind(const struct roofs *roofs, const struct roof_ceiling *ceiling)
{
    return ceiling->kind == ROOF_LEVEL
               ? roofs_level_name(roofs, ceiling->level)
               : knob_word(KNOB_COMPONENT_PRECISION, (int)ceiling->precision);
}

static void print_ceilings(const struct roofs *roofs, FILE *out, int columns)
{
    static const char *const rules[] = {[ROOF_LEVEL] = "bandwidth",
                                        [ROOF_PEAK] = "peak",
                                        [ROOF_NO_FMA] = "not fused",
                                        [ROOF_SCALAR] = "one element per instruction"};
    struct table table = table_headed(
        (const char *const[]){"ceiling", "", "peak", "sustained", "used", NULL}, 4U | 8U, 1);

    for (int i = 0; i < roofs->ceilings; i++) {
        const struct roof_ceiling *ceiling = &roofs->ceiling[i];
        const char *unit =
            ceiling->kind == ROOF_LEVEL ? "B/s" : roofs_rate_unit(ceiling->precision);

        table_add(&table, ceiling_kind(roofs, ceiling));
        table_add(&table, rules[ceiling->kind]);
        table_quantity(&table, ceiling->peak, unit);
        table_quantity(&table, ceiling->sustained, unit);
        table_add(&table, ceiling->used ? "yes" : "no");
    }
    table_close(&table, out, columns);
}

/* Prints the ridge points of peaks in use: the lowest intensity not limited by bandwidth. */
static void print_ridges(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_headed((const char *const[]){"ridge", "", "FLOP/B", NULL}, 4U, 0);

    for (int l = 0; l < roofs->ceilings; l++)
        for (int p = 0; p < roofs->ceilings; p++) {
            const struct roof_ceiling *level = &roofs->ceiling[l];
            const struct roof_ceiling *peak = &roofs->ceiling[p];

            if (level->kind != ROOF_LEVEL || peak->kind != ROOF_PEAK || !peak->used)
                continue;
            table_add(&table, ceiling_kind(roofs, level));
            table_add(&table, ceiling_kind(roofs, peak));
            table_addf(&table, "%.3g", roofs_ridge(level, peak));
        }
    if (table.count > table.columns)
        table_close(&table, out, columns);
}

static void add_point_name(struct table *table, const struct roof_point *point)
{
    char name[NODE_NAME_MAX + 16];

    roofline_name(point, name, sizeof name);
    table_add(table, name);
}

const char *const roofline_titles[ROOFLINE_COLUMNS + 1] = {
    [ROOFLINE_NAME] = "component", [ROOFLINE_INTENSITY] = "FLOP/B", [ROOFLINE_RATE] = "attains",
    [ROOFLINE_ROOF] = "roof",      [ROOFLINE_FRACTION] = "of roof", [ROOFLINE_BOUND] = "limit"};

static void print_attained(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_headed(roofline_titles, ~(1U | 32U), 0);

    for (int p = 0; p < roofs->points; p++) {
        const struct roof_point *point = &roofs->point[p];
        char fraction[16];

        add_point_name(&table, point);
        if (point->intensity == RESULT_NONE)
            table_add(&table, "-");
        else
            table_addf(&table, "%.3g", point->intensity);
        table_quantity(&table, point->flops, roofs_rate_unit(point->precision));
        table_quantity(&table, point->roof, roofs_rate_unit(point->precision));
        roofline_fraction(point->fraction, fraction, sizeof fraction);
        table_add(&table, fraction);
        table_add(&table, point->limit);
    }
    table_close(&table, out, columns);
}

/* Prints the traffic per frame. */
static void print_traffic(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_headed(
        (const char *const[]){"per frame", "computes", "moves", "time", "B/s", "mostly from", NULL},
        ~(1U | 32U), 0);

    for (int p = 0; p < roofs->points; p++) {
        const struct roof_point *point = &roofs->point[p];

        add_point_name(&table, point);
        table_quantity(&table, point->flop, "FLOP");
        table_quantity(&table, point->bytes, "B");
        table_quantity(&table, point->time, "s");
        table_quantity(&table, point->rate, "B/s");
        table_add(&table, roofs_level_name(roofs, point->level));
    }
    table_close(&table, out, columns);
}

static void print_losses(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_new(1 + LOSS_COUNT, ~1U, 0);

    table_add(&table, "loss factor");
    for (int l = 0; l < LOSS_COUNT; l++)
        table_add(&table, roof_loss_name((enum roof_loss)l));
    for (int p = 0; p < roofs->points; p++) {
        const struct roof_point *point = &roofs->point[p];

        if (point->fraction == RESULT_NONE)
            continue;
        add_point_name(&table, point);
        for (int l = 0; l < LOSS_COUNT; l++)
            table_addf(&table, "%.3g", point->loss[l]);
    }
    table_close(&table, out, columns);
}

void roofline_table(const struct roofs *roofs, FILE *out, int columns)
{
    print_ceilings(roofs, out, columns);
    fputc('\n', out);
    print_ridges(roofs, out, columns);
    if (roofs->points == 0)
        return;
    fputc('\n', out);
    print_attained(roofs, out, columns);
    fputc('\n', out);
    print_traffic(roofs, out, columns);
    fputc('\n', out);
    print_losses(roofs, out, columns);
}
