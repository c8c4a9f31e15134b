#include <stdio.h>
#include <string.h>

#include "charts/sweep.h"
#include "draw/canvas.h"
#include "draw/table.h"
#include "units.h"

enum {
    DIGITS = 5,    /* more are noise of a division */
    NUMBER_MAX = 7 /* shorter ones are what somebody wrote */
};

void sweep_point_text(const struct axis *axis, int i, char *text, size_t size)
{
    const char *unit = axis->ref.knob->unit;
    const char *end;
    size_t used;
    double value;

    axis_text(axis, i, text, size);
    if (axis->number == NULL || number_parse(text, &value, &end) != STATUS_OK)
        return; /* a word, or auto */
    if (strchr(text, '.') != NULL && strlen(text) > NUMBER_MAX)
        snprintf(text, size, "%.*g", DIGITS, value);
    used = strlen(text);
    if (unit[0] != '\0')
        snprintf(text + used, size - used, " %s", unit);
    text_micro(text, size);
}

/* With digits enough to tell one design from the next. */
static void add_value(struct table *table, const struct grid *grid, int number)
{
    double value = grid->value[number];
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    char text[64] = "-", name[64] = "";

    if (value != RESULT_NONE) {
        quantity_print(value, grid->wanted.row->unit, text, sizeof text);
        if (strchr(text, ' ') != NULL && unit_find(strchr(text, ' ') + 1, &unit) == STATUS_OK)
            snprintf(name, sizeof name, "%s", strchr(text, ' '));
        snprintf(text, sizeof text, "%.*g%.40s", DIGITS, value * unit.denominator / unit.numerator,
                 name);
    }
    text_micro(text, sizeof text);
    table_add(table, text);
}

void sweep_table(const struct grid *grid, FILE *out, int columns)
{
    struct table table =
        table_new(grid->axis_count + 3, (1U << (grid->axis_count + 1)) - 1, grid->axis_count + 1);
    char path[RESULT_PATH_MAX];

    result_path(&grid->wanted, path, sizeof path);
    for (int a = 0; a < grid->axis_count; a++)
        table_add(&table, grid->axis[a].ref.knob->label);
    table_add(&table, path);
    table_add(&table, "bound by");
    table_add(&table, "");
    for (int i = 0; i < grid->count; i++) {
        int inner = grid->axis[0].count;

        for (int a = 0; a < grid->axis_count; a++) {
            char text[AXIS_TEXT_MAX];

            sweep_point_text(&grid->axis[a], a == 0 ? i % inner : i / inner, text, sizeof text);
            table_add(&table, text);
        }
        add_value(&table, grid, i);
        table_add(&table, grid->regime[i] < 0 ? "-" : grid->name[grid->regime[i]]);
        table_add(&table, grid->overloaded[i] ? "overloaded" : i == grid->best ? "best" : "");
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}
