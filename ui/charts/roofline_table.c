#include <stdio.h>

#include "charts/roofline.h"
#include "draw/table.h"
#include "knob.h"
#include "units.h"

enum { CELL = 40 };

static void add_quantity(struct table *table, double value, const char *unit)
{
    char text[CELL] = "-";

    if (value != RESULT_NONE)
        quantity_print(value, unit, text, sizeof text);
    table_add(table, text);
}

static void add_percent(struct table *table, double fraction)
{
    if (fraction == RESULT_NONE)
        table_add(table, "-");
    else
        table_addf(table, fraction < 0.1 ? "%.2g %%" : "%.0f %%", 100 * fraction);
}

static const char *ceiling_kind(const struct roof_ceiling *ceiling)
{
    return ceiling->kind == ROOF_LEVEL
               ? memory_level_name(ceiling->level)
               : knob_word(SECTION_COMPONENT, "precision", (int)ceiling->precision);
}

static void print_ceilings(const struct roofs *roofs, FILE *out, int columns)
{
    static const char *const rules[] = {[ROOF_LEVEL] = "bandwidth",
                                        [ROOF_PEAK] = "peak",
                                        [ROOF_NO_FMA] = "not fused",
                                        [ROOF_SCALAR] = "one element per instruction"};
    struct table table = table_new(5, 4U | 8U, 1);

    table_add(&table, "ceiling");
    table_add(&table, "");
    table_add(&table, "peak");
    table_add(&table, "sustained");
    table_add(&table, "met");
    for (int i = 0; i < roofs->ceilings; i++) {
        const struct roof_ceiling *ceiling = &roofs->ceiling[i];
        const char *unit =
            ceiling->kind == ROOF_LEVEL ? "B/s" : roofs_rate_unit(ceiling->precision);

        table_add(&table, ceiling_kind(ceiling));
        table_add(&table, rules[ceiling->kind]);
        add_quantity(&table, ceiling->peak, unit);
        add_quantity(&table, ceiling->sustained, unit);
        table_add(&table, ceiling->used ? "yes" : "no");
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

/* Where peaks that are met are reached: the least intensity whose roof is not the bandwidth. */
static void print_ridges(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_new(3, 4U, 0);

    table_add(&table, "ridge");
    table_add(&table, "");
    table_add(&table, "FLOP/B");
    for (int l = 0; l < roofs->ceilings; l++)
        for (int p = 0; p < roofs->ceilings; p++) {
            const struct roof_ceiling *level = &roofs->ceiling[l];
            const struct roof_ceiling *peak = &roofs->ceiling[p];

            if (level->kind != ROOF_LEVEL || peak->kind != ROOF_PEAK || !peak->used)
                continue;
            table_add(&table, ceiling_kind(level));
            table_add(&table, ceiling_kind(peak));
            table_addf(&table, "%.3g", roofs_ridge(level, peak));
        }
    if (table.count > table.columns)
        table_print(&table, out, columns, "", "");
    table_free(&table);
}

static void add_name(struct table *table, const struct roof_point *point)
{
    char name[NODE_NAME_MAX + 16];

    roofline_name(point, name, sizeof name);
    table_add(table, name);
}

static void print_points(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_new(6, ~(1U | 32U), 0);

    table_add(&table, "component");
    table_add(&table, "FLOP/B");
    table_add(&table, "attains");
    table_add(&table, "roof");
    table_add(&table, "of it");
    table_add(&table, "binds");
    for (int p = 0; p < roofs->points; p++) {
        const struct roof_point *point = &roofs->point[p];

        add_name(&table, point);
        if (point->intensity == RESULT_NONE)
            table_add(&table, "-");
        else
            table_addf(&table, "%.3g", point->intensity);
        add_quantity(&table, point->flops, roofs_rate_unit(point->precision));
        add_quantity(&table, point->roof, roofs_rate_unit(point->precision));
        add_percent(&table, point->fraction);
        table_add(&table, bound_name(point->bound));
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

/* Of a frame. */
static void print_work(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_new(6, ~(1U | 32U), 0);

    table_add(&table, "a frame");
    table_add(&table, "computes");
    table_add(&table, "moves");
    table_add(&table, "time");
    table_add(&table, "B/s");
    table_add(&table, "mostly from");
    for (int p = 0; p < roofs->points; p++) {
        const struct roof_point *point = &roofs->point[p];

        add_name(&table, point);
        add_quantity(&table, point->flop, "FLOP");
        add_quantity(&table, point->bytes, "B");
        add_quantity(&table, point->time, "s");
        add_quantity(&table, point->rate, "B/s");
        table_add(&table, memory_level_name(point->level));
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

static void print_losses(const struct roofs *roofs, FILE *out, int columns)
{
    struct table table = table_new(1 + LOSS_COUNT, ~1U, 0);

    table_add(&table, "times longer by");
    for (int l = 0; l < LOSS_COUNT; l++)
        table_add(&table, roof_loss_name((enum roof_loss)l));
    for (int p = 0; p < roofs->points; p++) {
        const struct roof_point *point = &roofs->point[p];

        if (point->fraction == RESULT_NONE)
            continue;
        add_name(&table, point);
        for (int l = 0; l < LOSS_COUNT; l++)
            table_addf(&table, "%.3g", point->loss[l]);
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

void roofline_table(const struct roofs *roofs, FILE *out, int columns)
{
    print_ceilings(roofs, out, columns);
    fputc('\n', out);
    print_ridges(roofs, out, columns);
    if (roofs->points == 0)
        return;
    fputc('\n', out);
    print_points(roofs, out, columns);
    fputc('\n', out);
    print_work(roofs, out, columns);
    fputc('\n', out);
    print_losses(roofs, out, columns);
}
