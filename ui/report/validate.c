#include "report/validate.h"

#include <stdlib.h>
#include <string.h>

#include "draw/table.h"
#include "draw/text.h"
#include "model/memory.h"
#include "probe/kernels.h"
#include "probe/predict.h"
#include "report/json.h"

#define US 1e6
#define GOAL "median <= 10 %, 90th percentile <= 25 %"

/* Text --------------------------------------------------------------------------------------- */

static void add_time(struct table *table, double seconds)
{
    char cell[40];

    text_quantity(seconds, "s", locale_is_unicode(), cell, sizeof cell);
    table_add(table, cell);
}

static void add_percent(struct table *table, double fraction, const char *format)
{
    char cell[40] = "-";

    if (fraction != RESULT_NONE)
        snprintf(cell, sizeof cell, format, 100 * fraction);
    table_add(table, cell);
}

/* "4616 of 6 x 6 px", "5000 x 9248" */
static void size_text(const struct measurement_point *point, char *text, size_t size)
{
    const double *of = point->parameter;

    switch (kernel_find(point->name)->size) {
    case KERNEL_OF_PIXELS:
        snprintf(text, size, "%.0f px", of[PARAMETER_PIXELS]);
        break;
    case KERNEL_OF_SUBAPERTURES:
        snprintf(text, size, "%.0f of %.0f x %.0f px", of[PARAMETER_SUBAPERTURES],
                 of[PARAMETER_SIDE], of[PARAMETER_SIDE]);
        break;
    case KERNEL_OF_PUPIL:
        snprintf(text, size, "4 x %.0f px", of[PARAMETER_SUBAPERTURES]);
        break;
    case KERNEL_OF_MATRIX:
        snprintf(text, size, "%.0f x %.0f", of[PARAMETER_ROWS], of[PARAMETER_COLUMNS]);
        break;
    case KERNEL_OF_ACTUATORS:
    case KERNEL_SIZES:
        snprintf(text, size, "%.0f", of[PARAMETER_ROWS]);
        break;
    }
}

/* Why there is no prediction of a row. */
static const char *reason(const struct predicted_row *row)
{
    return row->beyond ? "n/a: the preset has fewer cores" : row->point->remark;
}

static void print_rows(FILE *out, const struct prediction *prediction, int columns)
{
    static const char *const headings[] = {"Kernel",   "Size",  "Cores", "Predicted",
                                           "Measured", "Ratio", "Bound", "Level"};
    struct table table = table_new(8, 0x3C, 1);
    char cell[80];

    for (int i = 0; i < 8; i++)
        table_add(&table, headings[i]);
    for (int i = 0; i < prediction->count; i++) {
        const struct predicted_row *row = &prediction->row[i];
        bool known = row->ratio != RESULT_NONE;

        table_add(&table, row->point->name);
        size_text(row->point, cell, sizeof cell);
        table_add(&table, cell);
        snprintf(cell, sizeof cell, "%.0f", row->point->parameter[PARAMETER_CORES]);
        table_add(&table, cell);
        add_time(&table, row->predicted);
        add_time(&table, row->measured);
        snprintf(cell, sizeof cell, known ? "%.2f" : "-", row->ratio);
        table_add(&table, cell);
        table_add(&table, known ? bound_name(row->bound) : reason(row));
        table_add(&table, known ? memory_level_name(row->level) : "-");
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

static void add_summary(struct table *table, const struct prediction *prediction, const char *name)
{
    struct prediction_summary summary = prediction_summarise(prediction, name);
    char cell[40];

    if (summary.count == 0 && name != NULL)
        return;
    table_add(table, name == NULL ? "all" : name);
    snprintf(cell, sizeof cell, "%d", summary.count);
    table_add(table, cell);
    add_percent(table, summary.median_error, "%.1f %%");
    add_percent(table, summary.ninth_error, "%.1f %%");
    add_percent(table, summary.worst_error, "%.1f %%");
    table_add(table, summary.met ? "met" : "missed");
}

static void print_summary(FILE *out, const struct prediction *prediction)
{
    static const char *const headings[] = {"Kernel",          "n",     "Median error",
                                           "90th percentile", "Worst", "Goal"};
    struct table table = table_new(6, 0x1E, 0);

    for (int i = 0; i < 6; i++)
        table_add(&table, headings[i]);
    for (int k = 0; k < kernel_count; k++)
        add_summary(&table, prediction, kernels[k].name);
    add_summary(&table, prediction, NULL);
    table_print(&table, out, 0, "", "");
    table_free(&table);
    fputs("\nThe goal is " GOAL ", of |predicted / measured - 1|.\n", out);
}

void validate_print_kernels(FILE *out, const struct prediction *prediction, int columns)
{
    print_rows(out, prediction, columns);
    fputc('\n', out);
    print_summary(out, prediction);
}

/* JSON --------------------------------------------------------------------------------------- */

static void put_size(struct json *json, const struct measurement_point *point)
{
    static const enum parameter sizes[] = {
        PARAMETER_CORES,  PARAMETER_SIZE, PARAMETER_SUBAPERTURES, PARAMETER_SIDE,
        PARAMETER_PIXELS, PARAMETER_ROWS, PARAMETER_COLUMNS};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        json_number(json, parameter_name(sizes[i]), point->parameter[sizes[i]]);
}

static double scaled(double value, double scale)
{
    return value == RESULT_NONE ? RESULT_NONE : value * scale;
}

static void put_row(struct json *json, const struct predicted_row *row)
{
    const struct measurement_point *point = row->point;
    bool known = row->ratio != RESULT_NONE;
    const char *remark = known ? point->remark : reason(row);

    json_object(json, NULL);
    json_text(json, "kernel", point->name);
    json_text(json, "of", point->of);
    put_size(json, point);
    json_number(json, "predicted_us", scaled(row->predicted, US));
    json_number(json, "measured_us", scaled(row->measured, US));
    json_number(json, "ratio", row->ratio);
    json_number(json, "error_percent", known ? 100 * (row->ratio - 1) : RESULT_NONE);
    json_text(json, "bound", known ? bound_name(row->bound) : NULL);
    json_text(json, "level", known ? memory_level_name(row->level) : NULL);
    json_number(json, "samples", point->count);
    json_bool(json, "noisy", point_noisy(point));
    json_text(json, "remark", remark[0] == '\0' ? NULL : remark);
    json_object_end(json);
}

static void put_errors(struct json *json, const struct prediction *prediction, const char *name)
{
    struct prediction_summary summary = prediction_summarise(prediction, name);

    json_number(json, "count", summary.count);
    json_number(json, "median_error_percent", scaled(summary.median_error, 100));
    json_number(json, "percentile_90_error_percent", scaled(summary.ninth_error, 100));
    json_number(json, "worst_error_percent", scaled(summary.worst_error, 100));
    json_text(json, "goal", GOAL);
    json_bool(json, "met", summary.met);
}

void validate_put_kernels(FILE *out, const struct prediction *prediction, const char *preset)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_text(&json, "preset", preset);
    json_array(&json, "rows");
    for (int i = 0; i < prediction->count; i++)
        put_row(&json, &prediction->row[i]);
    json_array_end(&json);
    json_object(&json, "summary");
    put_errors(&json, prediction, NULL);
    json_array(&json, "kernels");
    for (int k = 0; k < kernel_count; k++) {
        if (prediction_summarise(prediction, kernels[k].name).count == 0)
            continue;
        json_object(&json, NULL);
        json_text(&json, "kernel", kernels[k].name);
        put_errors(&json, prediction, kernels[k].name);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_object_end(&json);
}
