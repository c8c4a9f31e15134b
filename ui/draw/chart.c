#include "draw/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/looks.h"
#include "model/result.h"

void chart_init(struct chart *chart, const char *title)
{
    *chart = (struct chart){0};
    snprintf(chart->title, sizeof chart->title, "%s", title);
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

/* `array` with room for one more, grown by doubling; NULL without memory, what it held is kept. */
static void *grown(void *array, int count, int *capacity, size_t size)
{
    int wanted = *capacity > 0 ? 2 * *capacity : 8;
    void *larger;

    if (count < *capacity)
        return array;
    larger = realloc(array, (size_t)wanted * size);
    if (larger != NULL)
        *capacity = wanted;
    return larger;
}

/* A copy; NULL for NULL, and where there is no memory. */
static char *copied(struct chart *chart, const char *text)
{
    char *copy = text == NULL ? NULL : strdup(text);

    chart->failed = chart->failed || (text != NULL && copy == NULL);
    return copy;
}

int chart_row(struct chart *chart, const char *name)
{
    char **row = realloc(chart->row, ((size_t)chart->rows + 1) * sizeof *row);
    char *copy = copied(chart, name);

    if (row != NULL)
        chart->row = row;
    if (row == NULL || copy == NULL) {
        chart->failed = true;
        free(copy);
        return 0;
    }
    chart->row[chart->rows] = copy;
    return chart->rows++;
}

int chart_add(struct chart *chart, enum chart_kind kind, enum chart_look look, const char *name)
{
    struct chart_item *item = grown(chart->item, chart->count, &chart->capacity, sizeof *item);

    if (item == NULL) {
        chart->failed = true;
        return 0;
    }
    chart->item = item;
    item += chart->count;
    *item = (struct chart_item){.kind = kind, .look = look, .contour = RESULT_NONE};
    snprintf(item->name, sizeof item->name, "%s", name);
    return chart->count++;
}

void chart_point(struct chart *chart, int number, double x, double y, const char *label)
{
    struct chart_item *item = &chart->item[number];
    struct chart_point *point;

    if (chart->failed)
        return;
    point = grown(item->point, item->count, &item->capacity, sizeof *point);
    if (point == NULL) {
        chart->failed = true;
        return;
    }
    item->point = point;
    item->point[item->count++] = (struct chart_point){x, y, copied(chart, label)};
}

void chart_span(struct chart *chart, int number, int row, double from, double to,
                enum chart_look look, const char *label)
{
    struct chart_item *item = &chart->item[number];
    struct chart_span *span;

    if (chart->failed)
        return;
    span = grown(item->span, item->count, &item->capacity, sizeof *span);
    if (span == NULL) {
        chart->failed = true;
        return;
    }
    item->span = span;
    item->span[item->count++] = (struct chart_span){row, from, to, look, copied(chart, label)};
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

void chart_cells(struct chart *chart, int number, int columns, int rows, const double *value,
                 struct plot_axis z, double contour)
{
    struct chart_item *item = &chart->item[number];
    size_t count = (size_t)columns * (size_t)rows;

    if (chart->failed)
        return;
    free(item->value);
    item->value = malloc((count > 0 ? count : 1) * sizeof *value);
    if (item->value == NULL) {
        chart->failed = true;
        return;
    }
    memcpy(item->value, value, count * sizeof *value);
    item->columns = columns;
    item->rows = rows;
    item->z = z;
    item->contour = contour;
}

/* Chart legend --------------------------------------------------------------------------------- */

struct legend {
    struct legend_entry *entry;
    int count;
};

static void take(struct legend *legend, const struct chart_item *item, enum chart_kind kind,
                 enum chart_look look, const char *text)
{
    struct legend_entry *entry = &legend->entry[legend->count];

    for (int e = 0; e < legend->count; e++)
        if (legend->entry[e].look == look && legend->entry[e].kind == kind &&
            strcmp(legend->entry[e].text, text) == 0)
            return;
    if (legend->count == LEGEND_MAX)
        return;
    *entry = (struct legend_entry){.kind = kind, .look = look, .item = item};
    snprintf(entry->text, sizeof entry->text, "%s", text);
    legend->count++;
}

/* Every look of its spans, by its own name where the item has another one. */
static void take_spans(struct legend *legend, const struct chart_item *item)
{
    bool seen[LOOK_COUNT] = {false};

    for (int s = 0; s < item->count; s++) {
        enum chart_look look = item->span[s].look;

        if (!seen[look])
            take(legend, item, CHART_SPANS, look,
                 look == item->look ? item->name : look_of(look)->name);
        seen[look] = true;
    }
}

static void take_cells(struct legend *legend, const struct chart_item *item)
{
    char value[PLOT_LABEL_MAX], text[LEGEND_TEXT_MAX + 1];

    take(legend, item, CHART_CELLS, item->look, item->name);
    if (item->contour == RESULT_NONE)
        return;
    plot_label(&item->z, item->contour, value, sizeof value);
    snprintf(text, sizeof text, "%s at most %s", item->name, value);
    take(legend, item, CHART_CURVE, LOOK_TARGET, text);
}

int chart_legend(const struct chart *chart, struct legend_entry entry[LEGEND_MAX])
{
    struct legend legend = {.entry = entry};

    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        if (item->name[0] == '\0')
            continue;
        if (item->kind == CHART_SPANS)
            take_spans(&legend, item);
        else if (item->kind == CHART_CELLS && plot_axis_is_good(&item->z))
            take_cells(&legend, item);
        else if (item->kind != CHART_CELLS && item->count > 0)
            take(&legend, item, item->kind, item->look, item->name);
    }
    return legend.count;
}

void chart_shade_ends(const struct chart_item *cells, char low[PLOT_LABEL_MAX],
                      char high[PLOT_LABEL_MAX])
{
    plot_label(&cells->z, cells->z.low, low, PLOT_LABEL_MAX);
    plot_label(&cells->z, cells->z.high, high, PLOT_LABEL_MAX);
}
