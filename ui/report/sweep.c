#include "report/sweep.h"

#include <string.h>

#include "base/units.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "report/json.h"

#define CELL 1024
#define HEAD_COLUMNS 9

enum { HEAD_LINES = 6 };

static double in_unit(const struct result_row *row, double si)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    if (si == RESULT_NONE)
        return si;
    unit_find(row->unit, &unit);
    return si * unit.denominator / unit.numerator;
}

/* CSV ------------------------------------------------------------------------------------------ */

void sweep_csv_head(FILE *out, const struct sweep *sweep)
{
    char key[RESULT_PATH_MAX];

    for (int i = 0; i < sweep->axis_count; i++) {
        knob_json_path(sweep->base, sweep->axis[i].ref, key, sizeof key);
        fprintf(out, "%s,", key);
    }
    for (int i = 0; i < sweep->wanted_count; i++) {
        result_json_path(&sweep->wanted[i], key, sizeof key);
        fprintf(out, "%s,", key);
    }
    fputs("bound_component,bound_by,overloaded,error\n", out);
}

void sweep_csv_row(FILE *out, const struct sweep *sweep, const struct sweep_row *row)
{
    bool good = row->error.status == STATUS_OK;
    char cell[CELL];

    for (int i = 0; i < sweep->axis_count; i++) {
        axis_text(&sweep->axis[i], row->at[i], cell, sizeof cell);
        text_csv(out, cell);
        fputc(',', out);
    }
    for (int i = 0; i < sweep->wanted_count; i++) {
        double value = in_unit(sweep->wanted[i].row, row->value[i]);

        if (value != RESULT_NONE) {
            number_format(value, cell, sizeof cell);
            fputs(cell, out);
        }
        fputc(',', out);
    }
    text_csv(out, row->bound);
    fputc(',', out);
    fputs(row->bound[0] != '\0' ? bound_name(row->by) : "", out);
    fputs(!good ? "," : row->overloaded ? ",true" : ",false", out);
    fputc(',', out);
    text_csv(out, good ? NULL : row->error.message);
    fputc('\n', out);
}

/* JSON ----------------------------------------------------------------------------------------- */

static void put_knob(struct json *json, const struct scenario *scenario, const struct axis *axis,
                     int i)
{
    char key[RESULT_PATH_MAX];
    char cell[CELL];

    knob_json_path(scenario, axis->ref, key, sizeof key);
    if (axis->number != NULL && !knob_is_auto(axis->ref.knob, axis->number[i])) {
        json_number(json, key, knob_in_unit(axis->ref.knob, axis->number[i]));
    } else {
        axis_text(axis, i, cell, sizeof cell);
        json_text(json, key, cell);
    }
}

void sweep_json_row(FILE *out, const struct sweep *sweep, const struct sweep_row *row)
{
    struct json json = json_line_to(out);
    bool good = row->error.status == STATUS_OK;
    bool bound = row->bound[0] != '\0';
    char key[RESULT_PATH_MAX];

    json_object(&json, NULL);
    for (int i = 0; i < sweep->axis_count; i++)
        put_knob(&json, sweep->base, &sweep->axis[i], row->at[i]);
    for (int i = 0; i < sweep->wanted_count; i++) {
        result_json_path(&sweep->wanted[i], key, sizeof key);
        json_number(&json, key, in_unit(sweep->wanted[i].row, row->value[i]));
    }
    json_text(&json, "bound_component", bound ? row->bound : NULL);
    json_text(&json, "bound_by", bound ? bound_name(row->by) : NULL);
    if (good)
        json_bool(&json, "overloaded", row->overloaded);
    else
        json_null(&json, "overloaded");
    json_text(&json, "error", good ? NULL : row->error.message);
    json_object_end(&json);
}

/* Table ---------------------------------------------------------------------------------------- */

int sweep_table_columns(const struct sweep *sweep)
{
    return sweep->axis_count + sweep->wanted_count + 2;
}

/* A path in lines of about HEAD_COLUMNS, each of which ends behind a dot or an underscore. Returns
 * how many there are; the last one takes what is left. */
static int fold_path(const char *path, char line[HEAD_LINES][RESULT_PATH_MAX])
{
    int count = 0;

    for (size_t used = 0; *path != '\0';) {
        size_t piece = strcspn(path, "._");

        piece += path[piece] != '\0';
        if (count == 0 || (used + piece > HEAD_COLUMNS && count < HEAD_LINES)) {
            line[count++][0] = '\0';
            used = 0;
        }
        used += (size_t)snprintf(line[count - 1] + used, RESULT_PATH_MAX - used, "%.*s", (int)piece,
                                 path);
        path += piece;
    }
    return count;
}

/* The path of column `i`. */
static void column_path(const struct sweep *sweep, int i, char path[RESULT_PATH_MAX])
{
    if (i < sweep->axis_count)
        knob_path(sweep->base, sweep->axis[i].ref, path, RESULT_PATH_MAX);
    else if (i < sweep->axis_count + sweep->wanted_count)
        result_path(&sweep->wanted[i - sweep->axis_count], path, RESULT_PATH_MAX);
    else
        snprintf(path, RESULT_PATH_MAX, "%s",
                 i == sweep->axis_count + sweep->wanted_count ? "bound by" : "");
}

struct table sweep_table_new(const struct sweep *sweep)
{
    int columns = sweep_table_columns(sweep);
    struct table table = table_new(columns, (1U << (columns - 2)) - 1, columns - 2);
    char line[HEAD_LINES][RESULT_PATH_MAX];
    char path[RESULT_PATH_MAX];

    table.below = true;
    for (int i = 0; i < sweep->axis_count; i++)
        if (sweep->axis[i].number == NULL)
            table.right &= ~(1U << i);
    for (int i = 0; i < columns; i++) {
        int lines;

        column_path(sweep, i, path);
        lines = fold_path(path, line);
        table.heads = lines > table.heads ? lines : table.heads;
    }
    for (int head = 0; head < table.heads; head++)
        for (int i = 0; i < columns; i++) {
            int first;

            column_path(sweep, i, path);
            first = table.heads - fold_path(path, line);
            table_add(&table, head >= first ? line[head - first] : "");
        }
    return table;
}

static void add_knob(struct table *table, const struct axis *axis, int i)
{
    const char *unit = axis->ref.knob->unit;
    char text[CELL];
    char cell[CELL + 16];

    axis_text(axis, i, text, sizeof text);
    if (axis->number == NULL || unit[0] == '\0' || knob_is_auto(axis->ref.knob, axis->number[i]))
        unit = "";
    snprintf(cell, sizeof cell, "%s%s%s", text, unit[0] == '\0' ? "" : " ", unit);
    table_add(table, cell);
}

void sweep_table_row(struct table *table, const struct sweep *sweep, const struct sweep_row *row)
{
    bool unicode = locale_is_unicode();
    char cell[CELL];

    for (int i = 0; i < sweep->axis_count; i++)
        add_knob(table, &sweep->axis[i], row->at[i]);
    for (int i = 0; i < sweep->wanted_count; i++) {
        text_quantity(row->value[i], sweep->wanted[i].row->unit, unicode, cell, sizeof cell);
        table_add(table, cell);
    }
    if (row->error.status != STATUS_OK || row->bound[0] == '\0')
        snprintf(cell, sizeof cell, "-");
    else
        snprintf(cell, sizeof cell, "%s %s", row->bound, bound_name(row->by));
    table_add(table, cell);
    if (row->error.status != STATUS_OK)
        text_clean(row->error.message, unicode, cell, sizeof cell);
    table_add(table, row->error.status != STATUS_OK ? cell : row->overloaded ? "overloaded" : "");
}
