#include "draw/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/table.h"
#include "draw/text.h"
#include "model/result.h"

enum { TEXT_MAX = 256, CURVES_MAX = 8 };

/* Unit of a column of numbers, with the prefix that suits its largest number. */
struct column_unit {
    const struct plot_axis *axis;
    char unit[PLOT_LABEL_MAX];
    struct unit ratio;
    double largest; /* SI */
};

static struct column_unit column_unit_of(const struct plot_axis *axis, double largest)
{
    struct column_unit measure = {axis, "", {DIMENSION_NUMBER, 1, 1}, largest};
    char text[PLOT_LABEL_MAX];
    const char *unit;

    if (axis->unit == NULL || axis->unit[0] == '\0' ||
        (axis->scale == PLOT_BINARY && strcmp(axis->unit, "B") == 0))
        return measure;
    quantity_print(largest, axis->unit, text, sizeof text);
    unit = strchr(text, ' ');
    if (unit != NULL && unit_find(unit + 1, &measure.ratio) == STATUS_OK) {
        text_micro(text, sizeof text);
        snprintf(measure.unit, sizeof measure.unit, "%s", strchr(text, ' ') + 1);
    } else {
        snprintf(measure.unit, sizeof measure.unit, "%s", axis->unit);
    }
    return measure;
}

static double in_column_unit(const struct column_unit *measure, double value)
{
    return value * measure->ratio.denominator / measure->ratio.numerator;
}

static void widen_range(double *largest, double value)
{
    if (chart_is_value(value))
        *largest = fmax(*largest, fabs(value));
}

static void add_clean_text(struct table *table, const char *text)
{
    char clean[TEXT_MAX];

    text_clean(text == NULL ? "" : text, true, clean, sizeof clean);
    table_add(table, clean);
}

static void add_column_heading(struct table *table, const char *title, const char *otherwise,
                               const struct column_unit *measure)
{
    char text[TEXT_MAX];

    snprintf(text, sizeof text, "%s%s%s", title[0] == '\0' ? otherwise : title,
             measure->unit[0] == '\0' ? "" : ", ", measure->unit);
    add_clean_text(table, text);
}

/* Writes a number with four digits, or all of a large one: predictions do not justify more. What is
 * nothing beside the largest of its column is 0, but on a logarithmic scale. */
static void print_figure(const struct column_unit *measure, double value, char text[PLOT_LABEL_MAX])
{
    double number = in_column_unit(measure, value);

    if (measure->axis->scale == PLOT_LINEAR && fabs(value) < 1e-5 * measure->largest)
        number = 0;
    if (fabs(number) >= 1000)
        number_fixed(number, 0, text, PLOT_LABEL_MAX);
    else
        snprintf(text, PLOT_LABEL_MAX, "%.4g", number);
    text_minus(text, PLOT_LABEL_MAX);
}

static void add_number(struct table *table, const struct column_unit *measure, double value)
{
    char text[PLOT_LABEL_MAX];

    if (!chart_is_value(value)) {
        table_add(table, "-");
    } else if (measure->axis->unit != NULL && measure->axis->scale == PLOT_BINARY &&
               strcmp(measure->axis->unit, "B") == 0) {
        plot_label(measure->axis, value, text, sizeof text);
        table_add(table, text);
    } else {
        print_figure(measure, value, text);
        table_add(table, text);
    }
}

/* Adds a value with its unit. */
static void add_value_with_unit(struct table *table, const struct plot_axis *axis, double value)
{
    struct column_unit measure = column_unit_of(axis, chart_is_value(value) ? fabs(value) : 0);
    char text[PLOT_LABEL_MAX];

    if (chart_is_value(value) && measure.unit[0] != '\0') {
        print_figure(&measure, value, text);
        table_addf(table, "%s %s", text, measure.unit);
    } else {
        add_number(table, &measure, value);
    }
}

/* Prints a line of text, nothing if it is empty. */
static void print_text_line(const char *text, FILE *out)
{
    char clean[TEXT_MAX];

    text_clean(text, true, clean, sizeof clean);
    fprintf(out, "%s%s", clean, clean[0] == '\0' ? "" : "\n");
}

static void print_item_name(const char *name, FILE *out)
{
    fputc('\n', out);
    print_text_line(name, out);
}

static bool has_labels(const struct chart_item *item)
{
    for (int i = 0; i < item->count; i++)
        if ((item->kind == CHART_SPANS ? item->span[i].label : item->point[i].label) != NULL)
            return true;
    return false;
}

static bool shares_x(const struct chart_item *a, const struct chart_item *b)
{
    if (a->kind != CHART_CURVE || b->kind != CHART_CURVE || a->count != b->count || has_labels(a) ||
        has_labels(b))
        return false;
    for (int p = 0; p < a->count; p++)
        if (!(a->point[p].x == b->point[p].x))
            return false;
    return true;
}

/* Counts the curves from `first` on that have the same x values. */
static int count_sharing(const struct chart *chart, int first)
{
    int count = 1;

    while (first + count < chart->count && count < CURVES_MAX &&
           shares_x(&chart->item[first], &chart->item[first + count]))
        count++;
    return count;
}

static void add_y(const struct chart *chart, struct table *table, const struct column_unit *y,
                  double value)
{
    if (chart->rows > 0)
        add_clean_text(table, value >= 0 && value < chart->rows ? chart->row[(int)value] : "-");
    else
        add_number(table, y, value);
}

/* Prints curves with the same x side by side, or dots with their labels. */
static void print_point_rows(const struct chart *chart, int first, int count, FILE *out,
                             int columns)
{
    const struct chart_item *item = &chart->item[first];
    bool labels = has_labels(item);
    struct table table = table_new(1 + count + labels, (1U << (1 + count)) - 1, count + labels);
    double most_x = 0;
    double most_y = 0;
    struct column_unit x, y;

    for (int i = 0; i < count; i++)
        for (int p = 0; p < item->count; p++) {
            widen_range(&most_x, item[i].point[p].x);
            widen_range(&most_y, item[i].point[p].y);
        }
    x = column_unit_of(&chart->x, most_x);
    y = column_unit_of(&chart->y, most_y);
    print_item_name(count == 1 ? item->name : chart->y_title, out);
    add_column_heading(&table, chart->x_title, "x", &x);
    for (int i = 0; i < count; i++)
        add_column_heading(&table, count > 1 ? item[i].name : chart->y_title, "y", &y);
    if (labels)
        table_add(&table, "label");
    for (int p = 0; p < item->count; p++) {
        add_number(&table, &x, item->point[p].x);
        for (int i = 0; i < count; i++)
            add_y(chart, &table, &y, item[i].point[p].y);
        if (labels)
            add_clean_text(&table, item->point[p].label);
    }
    table_close(&table, out, columns);
}

static void print_band_rows(const struct chart *chart, const struct chart_item *item, FILE *out,
                            int columns)
{
    struct table table = table_new(3, 7, 0);
    double most_x = 0;
    double most_y = 0;
    struct column_unit x, y;

    for (int p = 0; p < item->count; p++) {
        widen_range(&most_x, item->point[p].x);
        widen_range(&most_y, item->point[p].top);
    }
    x = column_unit_of(&chart->x, most_x);
    y = column_unit_of(&chart->y, most_y);
    print_item_name(item->name, out);
    add_column_heading(&table, chart->x_title, "x", &x);
    add_column_heading(&table, "from", "", &y);
    add_column_heading(&table, "to", "", &y);
    for (int p = 0; p < item->count; p++) {
        add_number(&table, &x, item->point[p].x);
        add_number(&table, &y, item->point[p].y);
        add_number(&table, &y, item->point[p].top);
    }
    table_close(&table, out, columns);
}

/* Returns true if all spans begin at 0; for such bars the ends suffice. */
static bool are_bars(const struct chart_item *item)
{
    for (int s = 0; s < item->count; s++)
        if (item->span[s].from != 0)
            return false;
    return true;
}

static bool have_one_look(const struct chart_item *item)
{
    for (int s = 0; s < item->count; s++)
        if (item->span[s].look != item->look)
            return false;
    return true;
}

/* Returns true for a bar without a value, whose label says so: "not known". */
static bool lacks_value(const struct chart_span *span)
{
    return span->from == span->to && span->label != NULL &&
           strpbrk(span->label, "0123456789") == NULL;
}

/* Omits columns whose cells are all equal, and labels of bars, which repeat their lengths. */
static void print_span_rows(const struct chart *chart, const struct chart_item *item, FILE *out,
                            int columns)
{
    bool bars = are_bars(item);
    bool kinds = !have_one_look(item);
    bool labels = !bars && has_labels(item);
    int texts = 1 + kinds;
    int numbers = bars ? 1 : 3;
    struct table table = table_new(texts + numbers + labels, ((1U << numbers) - 1) << texts,
                                   labels ? texts + numbers : 0);
    double most = 0;
    struct column_unit x;

    for (int s = 0; s < item->count; s++) {
        widen_range(&most, item->span[s].from);
        widen_range(&most, item->span[s].to);
    }
    x = column_unit_of(&chart->x, most);
    print_item_name(item->name, out);
    table_add(&table, "row");
    if (kinds)
        table_add(&table, "what");
    if (!bars) {
        add_column_heading(&table, "from", "", &x);
        add_column_heading(&table, "to", "", &x);
    }
    add_column_heading(&table, bars ? chart->x_title : "length", "length", &x);
    if (labels)
        table_add(&table, "label");
    for (int s = 0; s < item->count; s++) {
        const struct chart_span *span = &item->span[s];

        add_clean_text(&table,
                       span->row >= 0 && span->row < chart->rows ? chart->row[span->row] : "-");
        if (kinds)
            add_clean_text(&table, chart_span_name(item, span));
        if (!bars) {
            add_number(&table, &x, span->from);
            add_number(&table, &x, span->to);
        }
        if (bars && lacks_value(span))
            add_clean_text(&table, span->label);
        else
            add_number(&table, &x, span->to - span->from);
        if (labels)
            add_clean_text(&table, span->label);
    }
    table_close(&table, out, columns);
}

static void print_cell_rows(const struct chart *chart, const struct chart_item *item, FILE *out,
                            int columns)
{
    struct table table = table_new(3, 7, 0);
    double most = 0;
    struct column_unit x = column_unit_of(&chart->x, chart->x.high);
    struct column_unit y = column_unit_of(&chart->y, chart->y.high);
    struct column_unit z;

    for (int v = 0; v < item->columns * item->rows; v++)
        widen_range(&most, item->value[v]);
    z = column_unit_of(&item->z, most);
    print_item_name(item->name, out);
    add_column_heading(&table, chart->x_title, "x", &x);
    add_column_heading(&table, chart->y_title, chart->rows > 0 ? "row" : "y", &y);
    add_column_heading(&table, item->name, "value", &z);
    for (int r = 0; r < item->rows; r++)
        for (int c = 0; c < item->columns; c++) {
            add_number(&table, &x, plot_value(&chart->x, (c + 0.5) / item->columns));
            if (chart->rows > 0)
                add_y(chart, &table, &y, item->rows - 1 - r);
            else
                add_number(&table, &y, plot_value(&chart->y, (r + 0.5) / item->rows));
            add_number(&table, &z, item->value[r * item->columns + c]);
        }
    table_close(&table, out, columns);
    if (item->contour != RESULT_NONE) {
        char text[PLOT_LABEL_MAX];

        plot_label(&item->z, item->contour, text, sizeof text);
        fprintf(out, "line: at most %s\n", text);
    }
}

static void print_rule_rows(const struct chart *chart, FILE *out, int columns)
{
    struct table table = table_headed((const char *const[]){"line", "along", "at", NULL}, 4, 0);

    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];
        bool vertical = item->kind == CHART_VERTICAL;
        const struct plot_axis *axis = vertical ? &chart->x : &chart->y;

        if (!chart_is_rule(item->kind) || item->count == 0)
            continue;
        add_clean_text(&table, item->name);
        add_clean_text(&table, vertical ? chart->x_title : chart->y_title);
        add_value_with_unit(&table, axis, item->point[0].x);
    }
    if (table.count == table.columns) {
        table_free(&table);
        return;
    }
    fputc('\n', out);
    table_close(&table, out, columns);
}

void chart_table(const struct chart *chart, FILE *out, int columns)
{
    print_text_line(chart->title, out);
    if (chart->title[0] == '\0')
        fputc('\n', out);
    print_text_line(chart->note, out);
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        if (item->kind == CHART_CELLS && item->columns * item->rows > 0)
            print_cell_rows(chart, item, out, columns);
        else if (item->kind == CHART_SPANS && item->count > 0)
            print_span_rows(chart, item, out, columns);
        else if (item->kind == CHART_BAND && item->count > 0)
            print_band_rows(chart, item, out, columns);
        else if (!chart_is_rule(item->kind) && item->kind != CHART_CELLS && item->count > 0) {
            int count = count_sharing(chart, i);

            print_point_rows(chart, i, count, out, columns);
            i += count - 1;
        }
    }
    print_rule_rows(chart, out, columns);
    if (chart->message[0] != '\0')
        print_text_line(chart->message, out);
    else if (chart->count == 0)
        fputs("No data.\n", out);
}
