#include "cli/probe_tables.h"

#include <math.h>
#include <string.h>

#include "cli/text.h"
#include "draw/plot.h"
#include "result.h"

#define NS 1e9
#define VALUES_MAX 128
#define ROWS_MANY 12

void section_heading(FILE *out, const char *words)
{
    fprintf(out, "\n%s\n\n", words);
}

/* Cells --------------------------------------------------------------------------------------- */

void cell_time(struct table *table, double seconds)
{
    char cell[40];

    text_quantity(seconds, "s", locale_is_unicode(), cell, sizeof cell);
    table_add(table, cell);
}

void cell_number(struct table *table, double value)
{
    char cell[40];

    text_number(value, cell, sizeof cell);
    table_add(table, cell);
}

void cell_capacity(struct table *table, double bytes)
{
    char cell[40] = "-";

    if (bytes > 0)
        plot_capacity(bytes, cell, sizeof cell);
    table_add(table, cell);
}

void cell_ns(struct table *table, const struct measurement_point *point)
{
    double least = point == NULL ? RESULT_NONE : point_least(point);
    char cell[40] = "-";

    if (least != RESULT_NONE)
        snprintf(cell, sizeof cell, "%s%.*f", point_noisy(point) ? NOISY : "",
                 least * NS < 9.995   ? 2
                 : least * NS < 99.95 ? 1
                                      : 0,
                 least * NS);
    table_add(table, cell);
}

/* Points -------------------------------------------------------------------------------------- */

const struct measurement_point *point_like(const struct measurement *measurement,
                                           const struct measurement_point *like)
{
    const struct measurement_point *found = NULL;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        bool same =
            point->part == like->part && strcmp(point->name, like->name) == 0 && point->count > 0;

        for (int k = 0; k < PARAMETERS && same; k++)
            same = isnan(like->parameter[k]) || point->parameter[k] == like->parameter[k];
        if (same)
            found = point;
    }
    return found;
}

static bool belongs(const struct measurement_point *point, const struct pivot *pivot)
{
    return point->part == pivot->part && strcmp(point->name, pivot->name) == 0 &&
           point->count > 0 &&
           (pivot->fixed == PARAMETERS || point->parameter[pivot->fixed] == pivot->fixed_value);
}

int pivot_values(const struct measurement *measurement, const struct pivot *pivot,
                 enum parameter parameter, double *values, int most)
{
    int count = 0;

    for (int i = 0; i < measurement->count; i++) {
        double value = measurement->point[i].parameter[parameter];
        int at = 0;

        if (!belongs(&measurement->point[i], pivot) || isnan(value))
            continue;
        while (at < count && values[at] < value)
            at++;
        if (count == most || (at < count && values[at] == value))
            continue;
        memmove(values + at + 1, values + at, (size_t)(count - at) * sizeof *values);
        values[at] = value;
        count++;
    }
    return count;
}

/* Pivot --------------------------------------------------------------------------------------- */

static void add_label(struct table *table, enum parameter parameter, double value)
{
    char label[40];

    snprintf(label, sizeof label, "%g", value);
    if (parameter == PARAMETER_SIZE)
        plot_capacity(value, label, sizeof label);
    table_add(table, label);
}

static const struct measurement_point *point_at(const struct measurement *measurement,
                                                const struct pivot *pivot, double row,
                                                double column)
{
    struct measurement_point like = measurement_point(pivot->part, pivot->name, "");

    like.parameter[pivot->row] = row;
    like.parameter[pivot->column] = column;
    if (pivot->fixed != PARAMETERS)
        like.parameter[pivot->fixed] = pivot->fixed_value;
    return point_like(measurement, &like);
}

static int points_of_row(const struct measurement *measurement, const struct pivot *pivot,
                         double row, const double *column, int columns)
{
    int count = 0;

    for (int i = 0; i < columns; i++)
        count += point_at(measurement, pivot, row, column[i]) != NULL;
    return count;
}

/* Leaves rows that compare something, and of many those a factor of 2 or more apart. */
static int thin_rows(const struct measurement *measurement, const struct pivot *pivot, double *row,
                     int rows, const double *column, int columns)
{
    double step = rows > 2 * ROWS_MANY ? 4 : rows > ROWS_MANY ? 2 : 1;
    int kept = 0;

    for (int i = 0; i < rows; i++) {
        bool far = kept == 0 || row[i] >= step * row[kept - 1] * (1 - 1e-9);

        if (far && (columns == 1 || points_of_row(measurement, pivot, row[i], column, columns) > 1))
            row[kept++] = row[i];
    }
    return kept;
}

bool pivot_print(FILE *out, const struct measurement *measurement, const struct pivot *pivot)
{
    double row[VALUES_MAX], column[TABLE_COLUMNS_MAX - 1];
    int columns = pivot_values(measurement, pivot, pivot->column, column, TABLE_COLUMNS_MAX - 1);
    int rows = pivot_values(measurement, pivot, pivot->row, row, VALUES_MAX);
    struct table table = table_new(columns + 1, ~0U, 0);

    rows = thin_rows(measurement, pivot, row, rows, column, columns);
    table_add(&table, pivot->corner);
    for (int i = 0; i < columns; i++)
        add_label(&table, pivot->column, column[i]);
    for (int i = 0; i < rows; i++) {
        double value = row[pivot->descending ? rows - 1 - i : i];

        add_label(&table, pivot->row, value);
        for (int k = 0; k < columns; k++)
            cell_ns(&table, point_at(measurement, pivot, value, column[k]));
    }
    if (rows > 0)
        table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
    return rows > 0;
}
