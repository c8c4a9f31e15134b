#include "draw/chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "model/result.h"

void chart_init(struct chart *chart, const char *format, ...)
{
    va_list arguments;

    *chart = (struct chart){0};
    va_start(arguments, format);
    vsnprintf(chart->title, sizeof chart->title, format, arguments);
    va_end(arguments);
}

void chart_heading(struct chart *chart, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(chart->heading, sizeof chart->heading, format, arguments);
    va_end(arguments);
}

void chart_note(struct chart *chart, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(chart->note, sizeof chart->note, format, arguments);
    va_end(arguments);
}

void chart_message(struct chart *chart, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(chart->message, sizeof chart->message, format, arguments);
    va_end(arguments);
}

static void item_free(struct chart_item *item)
{
    for (int i = 0; i < item->count; i++)
        free(item->kind == CHART_SPANS ? item->span[i].label : item->point[i].label);
    free(item->point);
    free(item->span);
    free(item->value);
}

void chart_free(struct chart *chart)
{
    for (int i = 0; i < chart->count; i++)
        item_free(&chart->item[i]);
    for (int r = 0; r < chart->rows; r++)
        free(chart->row[r]);
    free(chart->item);
    free(chart->row);
    *chart = (struct chart){0};
}

void chart_x(struct chart *chart, struct plot_axis axis, const char *title)
{
    chart->x = axis;
    snprintf(chart->x_title, sizeof chart->x_title, "%s", title);
}

void chart_y(struct chart *chart, struct plot_axis axis, const char *title)
{
    chart->y = axis;
    snprintf(chart->y_title, sizeof chart->y_title, "%s", title);
}

int chart_row(struct chart *chart, const char *name)
{
    chart->row = allocate_again(chart->row, ((size_t)chart->rows + 1) * sizeof *chart->row);
    chart->row[chart->rows] = allocate_text(name);
    return chart->rows++;
}

int chart_add(struct chart *chart, enum chart_kind kind, enum chart_look look, const char *name)
{
    struct chart_item *item;

    chart->item = array_reserve(chart->item, chart->count, &chart->capacity, sizeof *item);
    item = &chart->item[chart->count];
    *item = (struct chart_item){.kind = kind, .look = look, .contour = RESULT_NONE};
    snprintf(item->name, sizeof item->name, "%s", name);
    return chart->count++;
}

void chart_bare(struct chart *chart, int item)
{
    chart->item[item].bare = true;
}

void chart_key(struct chart *chart, int number, const char *heading)
{
    struct chart_item *item = &chart->item[number];

    snprintf(item->key, sizeof item->key, "%s", heading);
}

static char *copy_label(const char *label)
{
    return label == NULL ? NULL : allocate_text(label);
}

void chart_point(struct chart *chart, int number, double x, double y, const char *label)
{
    struct chart_item *item = &chart->item[number];

    item->point = array_reserve(item->point, item->count, &item->capacity, sizeof *item->point);
    item->point[item->count++] = (struct chart_point){x, y, copy_label(label), y};
}

void chart_edges(struct chart *chart, int number, double x, double low, double high)
{
    struct chart_item *item = &chart->item[number];

    chart_point(chart, number, x, low, NULL);
    item->point[item->count - 1].top = high;
}

double chart_top(const struct chart *chart, const struct chart_point *point)
{
    return chart_is_value(point->top) ? point->top : chart->y.high;
}

void chart_span(struct chart *chart, int number, int row, double from, double to,
                enum chart_look look, const char *label)
{
    struct chart_item *item = &chart->item[number];

    item->span = array_reserve(item->span, item->count, &item->capacity, sizeof *item->span);
    item->span[item->count++] = (struct chart_span){row, from, to, look, copy_label(label)};
}

void chart_rule(struct chart *chart, enum chart_kind kind, enum chart_look look, double at,
                const char *name)
{
    int item = chart_add(chart, kind, look, name);

    chart_point(chart, item, at, at, NULL);
}

bool chart_is_rule(enum chart_kind kind)
{
    return kind == CHART_VERTICAL || kind == CHART_HORIZONTAL;
}

void chart_left_name(const struct chart_item *item, char text[CHART_LEFT_MAX])
{
    snprintf(text, CHART_LEFT_MAX, "%s%s", item->name, item->onward ? " \xE2\x86\x92" : "");
}

void chart_cells(struct chart *chart, int number, int columns, int rows, const double *value,
                 struct plot_axis z, double contour)
{
    struct chart_item *item = &chart->item[number];
    size_t count = (size_t)columns * (size_t)rows;

    free(item->value);
    item->value = allocate((count > 0 ? count : 1) * sizeof *value);
    memcpy(item->value, value, count * sizeof *value);
    item->columns = columns;
    item->rows = rows;
    item->z = z;
    item->contour = contour;
}

const char *chart_problem(const struct chart *chart)
{
    if (chart->message[0] != '\0')
        return chart->message;
    return plot_axis_is_good(&chart->x) && (chart->rows > 0 || plot_axis_is_good(&chart->y))
               ? NULL
               : "No data.";
}

bool chart_is_value(double value)
{
    return isfinite(value) && value != RESULT_NONE;
}

double chart_cell(const struct chart_item *cells, int row, int column)
{
    bool inside = row >= 0 && column >= 0 && row < cells->rows && column < cells->columns;
    double value = inside ? cells->value[row * cells->columns + column] : RESULT_NONE;

    return chart_is_value(value) ? value : RESULT_NONE;
}

bool chart_is_within(const struct chart_item *cells, int row, int column)
{
    double value = chart_cell(cells, row, column);

    return value != RESULT_NONE && value <= cells->contour;
}

const char *chart_span_name(const struct chart_item *item, const struct chart_span *span)
{
    return span->look == item->look ? item->name : look_of(span->look)->name;
}

/* Legend --------------------------------------------------------------------------------------- */

/* Returns NULL if the entry already exists or there is no room. */
static struct legend_entry *add_entry(struct legend *legend, const struct chart_item *item,
                                      enum chart_kind kind, enum chart_look look, const char *text)
{
    struct legend_entry *entry = &legend->entry[legend->count];

    for (int e = 0; e < legend->count; e++)
        if (legend->entry[e].look == look && legend->entry[e].kind == kind &&
            strcmp(legend->entry[e].text, text) == 0)
            return NULL;
    if (legend->count == LEGEND_MAX)
        return NULL;
    *entry = (struct legend_entry){.kind = kind, .look = look, .item = item};
    snprintf(entry->text, sizeof entry->text, "%s", text);
    legend->count++;
    return entry;
}

static void add_span_entries(struct legend *legend, const struct chart_item *item)
{
    bool seen[LOOK_COUNT] = {false};

    for (int s = 0; s < item->count; s++) {
        enum chart_look look = item->span[s].look;

        if (!seen[look])
            add_entry(legend, item, CHART_SPANS, look, chart_span_name(item, &item->span[s]));
        seen[look] = true;
    }
}

/* Returns what the legend adds if no contour is visible, since all values are on one side of it. */
static const char *contour_extent(const struct chart_item *item)
{
    int values = 0, within = 0;

    for (int r = 0; r < item->rows; r++)
        for (int c = 0; c < item->columns; c++) {
            values += chart_cell(item, r, c) != RESULT_NONE;
            within += chart_is_within(item, r, c);
        }
    return within == 0 ? ": none" : within == values ? ": all" : "";
}

static void add_cells_entries(struct legend *legend, const struct chart_item *item)
{
    char value[PLOT_LABEL_MAX], text[LEGEND_TEXT_MAX + 1];
    struct legend_entry *entry = add_entry(legend, item, CHART_CELLS, item->look, item->name);

    if (entry != NULL) {
        plot_label(&item->z, item->z.low, entry->low, sizeof entry->low);
        plot_label(&item->z, item->z.high, entry->high, sizeof entry->high);
    }
    if (item->contour == RESULT_NONE)
        return;
    plot_label(&item->z, item->contour, value, sizeof value);
    snprintf(text, sizeof text, "at most %s%s", value, contour_extent(item));
    add_entry(legend, item, CHART_CURVE, LOOK_TARGET, text);
}

void chart_legend(const struct chart *chart, struct legend *legend)
{
    legend->count = 0;
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        if (item->name[0] == '\0')
            continue;
        if (item->kind == CHART_SPANS)
            add_span_entries(legend, item);
        else if (item->kind == CHART_CELLS && plot_axis_is_good(&item->z))
            add_cells_entries(legend, item);
        else if (item->kind != CHART_CELLS && item->count > 0)
            add_entry(legend, item, item->kind, item->look, item->name);
    }
}

int legend_place(struct legend *legend, double room, double gap, double *used)
{
    int lines = 0;

    *used = 0;
    for (int e = 0; e < legend->count; e++) {
        struct legend_entry *entry = &legend->entry[e];

        if (entry->hidden)
            continue;
        entry->at = *used > 0 ? *used + gap : 0;
        if (entry->at + entry->width > room)
            entry->at = 0;
        lines += entry->at == 0;
        entry->line = lines - 1;
        *used = entry->at + entry->width;
    }
    return lines;
}
