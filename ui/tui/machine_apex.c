#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "view_machine.h"
#include "widget.h"

enum { AXIS_MAX = 32 };

/* The values of one axis of the surface, in order. */
struct axis {
    double value[AXIS_MAX];
    int count;
};

static void axis_add(struct axis *axis, double value, bool rising)
{
    int at = 0;

    while (at < axis->count && (rising ? axis->value[at] < value : axis->value[at] > value))
        at++;
    if ((at < axis->count && axis->value[at] == value) || axis->count == AXIS_MAX)
        return;
    memmove(&axis->value[at + 1], &axis->value[at],
            (size_t)(axis->count - at) * sizeof axis->value[0]);
    axis->value[at] = value;
    axis->count++;
}

static const struct fit *best_of(const struct fit *fits)
{
    const struct fit *best = &fits[0];

    for (int f = 1; f < FIT_MODELS; f++)
        if (fits[f].squares < best->squares)
            best = &fits[f];
    return best;
}

/* A residual in words: how far the point is from what the model says. Signs tell the direction
 * without colour. */
static const char *sign_of(double residual)
{
    static const double steps[] = {0.1, 0.3, 0.6};
    static const char *const above[] = {"\xC2\xB7", "+", "++", "+++"};
    static const char *const below[] = {"\xC2\xB7", "-", "--", "---"};
    int step = 0;

    while (step < 3 && fabs(residual) > steps[step])
        step++;
    return residual > 0 ? above[step] : below[step];
}

static void print_flags(FILE *out, const struct fit *fit, const char *title)
{
    for (int flag = 0; flag < FIT_FLAGS; flag++) {
        char text[200];

        if (!fit->flag[flag])
            continue;
        fit_flag_text(fit, (enum fit_flag)flag, text, sizeof text);
        fprintf(out, "%s: %s\n", title, text);
    }
}

static void add_cell(struct table *table, const char *format, double value)
{
    char cell[40];

    snprintf(cell, sizeof cell, format, value);
    table_add(table, cell);
}

static void print_fits(FILE *out, const struct fit *fits, int columns)
{
    struct table table = table_new(7, 0x7E, 0);

    table_add(&table, "Model");
    table_add(&table, "l1 ns");
    table_add(&table, "g1 ns");
    table_add(&table, "l ns");
    table_add(&table, "g ns");
    table_add(&table, "SSE");
    table_add(&table, "PC");
    for (int f = 0; f < FIT_MODELS; f++) {
        table_add(&table, fit_forms[f].title);
        for (int v = 0; v < FIT_VALUES; v++) {
            if (fit_forms[f].name[v] == NULL)
                table_add(&table, "-");
            else
                add_cell(&table, "%.3g", fits[f].value[v] * 1e9);
        }
        add_cell(&table, "%.2f", fits[f].squares);
        add_cell(&table, "%.3f", fits[f].pc);
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

static void print_residuals(FILE *out, const struct surface *surface, const struct fit *fit,
                            int columns)
{
    struct axis alphas = {.count = 0}, blocks = {.count = 0};
    struct table table;

    for (int i = 0; i < surface->count; i++) {
        axis_add(&alphas, surface->point[i].alpha, false);
        axis_add(&blocks, surface->point[i].block, true);
    }
    if (blocks.count + 1 > TABLE_COLUMNS_MAX)
        blocks.count = TABLE_COLUMNS_MAX - 1;
    table = table_new(blocks.count + 1, ~1U, 0);
    table_add(&table, "\xCE\xB1 \\ L");
    for (int b = 0; b < blocks.count; b++)
        add_cell(&table, "%.0f", blocks.value[b]);
    for (int a = 0; a < alphas.count; a++) {
        add_cell(&table, "%g", alphas.value[a]);
        for (int b = 0; b < blocks.count; b++) {
            const char *sign = "";

            for (int i = 0; i < surface->count; i++) {
                const struct fit_point *point = &surface->point[i];

                if (point->alpha == alphas.value[a] && point->block == blocks.value[b])
                    sign = sign_of(log(point->seconds / fit_predict(point, fit)));
            }
            table_add(&table, sign);
        }
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

static void print(const struct machine_view *machine, FILE *out, int columns)
{
    const struct machine_figures *figures = machine->figures;
    const struct fit *best = best_of(figures->fit);

    if (figures->unfitted.status != STATUS_OK) {
        fprintf(out, "%s\n", figures->unfitted.message);
        return;
    }
    print_fits(out, figures->fit, columns);
    fprintf(out, "\nresiduals of %s: slower than it says + 10, ++ 30, +++ 60 %%, faster -\n",
            fit_forms[best->model].title);
    print_residuals(out, &figures->surface, best, columns);
    fputc('\n', out);
    for (int f = 0; f < FIT_MODELS; f++)
        print_flags(out, &figures->fit[f], fit_forms[f].title);
}

const struct picture picture_apex = {"Apex-MAP: models and residuals", MEASUREMENT_APEX, NULL,
                                     print};
