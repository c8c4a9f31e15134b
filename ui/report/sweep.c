#include "report/reports.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/knob_text.h"
#include "model/result_read.h"

#define HEADING_COLUMNS 9
#define HEADING_LINES 6

int sweep_text_columns(const struct sweep *sweep)
{
    return sweep->axis_count + sweep->wanted_count + 2;
}

/* Folds a path into lines of about HEADING_COLUMNS, broken after dots and underscores; the last one
 * contains the rest. */
static void fold_path(const char *path, char heading[SWEEP_HEADING_MAX])
{
    size_t used = 0; /* columns of the line */
    int lines = 1;

    for (heading[0] = '\0'; *path != '\0';) {
        size_t piece = strcspn(path, "._");

        piece += path[piece] != '\0';
        if (used > 0 && used + piece > HEADING_COLUMNS && lines < HEADING_LINES) {
            strcat(heading, "\n");
            used = 0;
            lines++;
        }
        strncat(heading, path, piece);
        used += piece;
        path += piece;
    }
}

void sweep_name_columns(struct sweep_columns *columns, const struct sweep *sweep)
{
    char path[RESULT_PATH_MAX];

    columns->sweep = sweep;
    for (int i = 0; i < sweep->axis_count; i++) {
        axis_path(&sweep->axis[i], sweep->base, path, sizeof path);
        if (knob_is_number(sweep->axis[i].ref.knob))
            axis_json_path(&sweep->axis[i], sweep->base, columns->key[i], RESULT_PATH_MAX);
        else
            snprintf(columns->key[i], RESULT_PATH_MAX, "%s", path);
        fold_path(path, columns->heading[i]);
    }
    for (int i = 0; i < sweep->wanted_count; i++) {
        int column = sweep->axis_count + i;

        result_json_path(&sweep->wanted[i], columns->key[column], RESULT_PATH_MAX);
        result_path(&sweep->wanted[i], path, sizeof path);
        fold_path(path, columns->heading[column]);
    }
}

static bool is_quantity(const struct axis *axis, int i)
{
    return axis->number != NULL && !knob_is_auto(axis->ref.knob, axis->number[i]);
}

/* Gets the number (SI) of a value: one of a list with formulas is a word. Returns false for what is
 * none: a formula, automatic, a choice. */
static bool find_number(const struct axis *axis, int i, double *number)
{
    struct error error;

    if (axis->number == NULL)
        return knob_is_number(axis->ref.knob) &&
               quantity_parse(axis->word[i], axis->ref.knob->unit, number, &error) == STATUS_OK;
    *number = axis->number[i];
    return is_quantity(axis, i);
}

void sweep_value_text(const struct axis *axis, int i, char *text, size_t size)
{
    const char *unit = axis->ref.knob->unit;
    size_t length;

    axis_text(axis, i, text, size);
    length = strlen(text);
    if (is_quantity(axis, i) && unit[0] != '\0')
        snprintf(text + length, size - length, " %s", unit);
}

static void put_knob(struct record *record, const char *key, const char *heading,
                     const struct axis *axis, int i)
{
    char text[AXIS_TEXT_MAX];
    double number;

    if (record_is_data(record) && find_number(axis, i, &number)) {
        record_number(record, key, NULL, axis->ref.knob->unit, number);
        return;
    }
    if (record_is_data(record)) {
        axis_text(axis, i, text, sizeof text);
        record_text(record, key, NULL, text);
    } else {
        sweep_value_text(axis, i, text, sizeof text);
        record_cell(record, heading, text);
    }
    if (axis->number != NULL)
        record_right(record);
}

void sweep_put_value(struct record *record, const struct sweep_columns *columns, int axis, int i)
{
    put_knob(record, columns->key[axis], columns->heading[axis], &columns->sweep->axis[axis], i);
}

static void put_outcome(struct record *record, const struct sweep_row *row)
{
    bool valid = row->error.status == STATUS_OK;
    bool said = !valid || row->error.message[0] != '\0';
    bool bound = row->bound[0] != '\0';

    record_text(record, "bound_component", NULL, bound ? row->bound : NULL);
    record_text(record, "bound_by", NULL, bound ? bound_name(row->by) : NULL);
    record_cell(record, "limited by", valid && bound ? row->limit : "-");
    record_soft(record);
    if (valid)
        record_bool(record, "overloaded", NULL, row->overloaded);
    else
        record_null(record, "overloaded");
    record_text(record, "error", NULL, said ? row->error.message : NULL);
    record_cell(record, "", said ? row->error.message : row->overloaded ? "overloaded" : "");
    record_below(record);
}

void sweep_put_row(struct record *record, const struct sweep_columns *columns,
                   const struct sweep_row *row)
{
    const struct sweep *sweep = columns->sweep;

    record_row(record);
    for (int i = 0; i < sweep->axis_count; i++)
        sweep_put_value(record, columns, i, row->at[i]);
    for (int i = 0; i < sweep->wanted_count; i++)
        record_number(record, columns->key[sweep->axis_count + i],
                      columns->heading[sweep->axis_count + i], sweep->wanted[i].row->unit,
                      row->value[i]);
    put_outcome(record, row);
    record_row_end(record);
}

void sweep_put_header(FILE *out, const struct sweep_columns *columns)
{
    struct record record = record_to(out, RECORD_CSV);
    double value[SWEEP_WANTED_MAX] = {0};
    const struct sweep_row row = {.value = value};

    record.records = false;
    sweep_put_row(&record, columns, &row);
}
