#include "draw/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "draw/text.h"

#define GAP 2 /* 1 if lines would otherwise be too wide */
#define SOFT_LEAST 8
#define BELOW_INDENT 2

struct table table_new(int columns, unsigned right, int soft)
{
    return (struct table){.columns = columns, .right = right, .soft = soft};
}

struct table table_headed(const char *const *headings, unsigned right, int soft)
{
    struct table table = table_new(0, right, soft);

    while (headings[table.columns] != NULL)
        table_add(&table, headings[table.columns++]);
    return table;
}

void table_free(struct table *table)
{
    for (int i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    *table = table_new(table->columns, table->right, table->soft);
}

/* Returns the number of columns printed side by side. */
static int columns_beside(const struct table *table)
{
    return table->columns - table->below;
}

void table_add(struct table *table, const char *text)
{
    table->cells =
        array_reserve(table->cells, table->count, &table->capacity, sizeof *table->cells);
    table->cells[table->count++] = allocate_text(text);
}

void table_addf(struct table *table, const char *format, ...)
{
    char cell[64];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(cell, sizeof cell, format, arguments);
    va_end(arguments);
    text_minus(cell, sizeof cell);
    table_add(table, cell);
}

void table_quantity(struct table *table, double si, const char *unit)
{
    char cell[40];

    text_quantity(si, unit, true, cell, sizeof cell);
    text_minus(cell, sizeof cell);
    table_add(table, cell);
}

static int reduced_width(int width, int excess, int least)
{
    return width - excess > least ? width - excess : width < least ? width : least;
}

/* Sets the widths of columns to -1: of the folded ones if `fold`, and of optional ones, from the
 * last, as long as lines are too wide; those for which there is room then stay. Returns by how much
 * lines still are too wide. */
static int drop_columns(const struct table *table, bool fold, int excess, int *width)
{
    int whole[TABLE_COLUMNS_MAX];

    memcpy(whole, width, sizeof whole);
    for (int column = columns_beside(table) - 1; column >= 0 && fold; column--) {
        if ((table->folded >> column & 1) == 0)
            continue;
        excess -= width[column] + 1;
        width[column] = -1;
    }
    for (int column = columns_beside(table) - 1; column >= 0 && excess > 0; column--) {
        if ((table->optional >> column & 1) == 0)
            continue;
        excess -= width[column] + 1;
        width[column] = -1;
    }
    for (int column = 0; column < columns_beside(table); column++) {
        if (width[column] >= 0 || (table->optional >> column & 1) == 0 ||
            excess + whole[column] + 1 > 0)
            continue;
        excess += whole[column] + 1;
        width[column] = whole[column];
    }
    return excess;
}

/* Finds the widths of the columns, -1 for those that are not printed beside the others, and the gap
 * between them. */
static void measure_table(const struct table *table, int limit, int *width, int *gap)
{
    int columns = columns_beside(table);
    int excess = GAP * (columns - 1) - limit;
    int whole[TABLE_COLUMNS_MAX] = {0};
    int before;

    *gap = GAP;
    memset(width, 0, TABLE_COLUMNS_MAX * sizeof *width);
    for (int i = 0; i < table->count; i++) {
        int column = i % table->columns;
        int cell = text_width(table->cells[i]);

        if (cell > width[column])
            width[column] = cell;
    }
    for (int column = 0; column < columns; column++)
        excess += width[column];
    if (limit == 0 || excess <= 0)
        return;
    *gap = 1;
    excess -= (GAP - 1) * (columns - 1);
    memcpy(whole, width, sizeof whole);
    before = excess;
    excess = drop_columns(table, false, before, width);
    if (excess > 0 && table->folded != 0) {
        memcpy(width, whole, sizeof whole);
        excess = drop_columns(table, true, before, width);
    }
    if (excess <= 0)
        return;
    if (table->soft >= 0) {
        before = width[table->soft];
        width[table->soft] = reduced_width(before, excess, SOFT_LEAST);
        excess -= before - width[table->soft];
    }
    if (excess > 0)
        width[0] = reduced_width(width[0], excess, text_width(table->cells[0]));
}

unsigned table_dropped(const struct table *table, int limit)
{
    int width[TABLE_COLUMNS_MAX];
    unsigned dropped = 0;
    int gap;

    if (table->columns == 0)
        return 0;
    measure_table(table, limit, width, &gap);
    for (int column = 0; column < columns_beside(table); column++)
        if (width[column] < 0 && (table->optional >> column & 1) != 0)
            dropped |= 1U << column;
    return dropped;
}

/* Returns the bytes before a final remark in parentheses; 0: there is none. */
static size_t bytes_before_remark(const char *text)
{
    const char *remark = strrchr(text, '(');

    if (remark == NULL || remark - text < 2 || remark[-1] != ' ' || strchr(remark, ')') == NULL ||
        strchr(remark, ')')[1] != '\0')
        return 0;
    return (size_t)(remark - text) - 1;
}

/* Prints at most `columns` cells of a text: without its final remark if that suffices, else cut
 * with an ellipsis. */
static int print_cut(FILE *out, const char *text, int columns)
{
    size_t remark = bytes_before_remark(text);
    int width = text_width(text);
    int plain = remark > 0 ? text_width(text) - text_width(text + remark) : width;
    int cells = columns > 3 ? columns - 3 : 0;

    if (width <= columns || plain <= columns) {
        fwrite(text, 1, width <= columns ? strlen(text) : remark, out);
        return width <= columns ? width : plain;
    }
    fwrite(text, 1, text_bytes(text, cells), out);
    return cells + fprintf(out, "...");
}

static void print_table_row(const struct table *table, FILE *out, char *const *row,
                            const int *width, int gap)
{
    int owed = 0; /* blanks before the next cell, if any */

    for (int column = 0; column < columns_beside(table); column++) {
        int cell = text_width(row[column]);
        bool cut = column == table->soft;
        int pad = width[column] - cell;

        if (width[column] < 0)
            continue;
        if (row[column][0] == '\0') {
            owed += width[column] + gap;
            continue;
        }
        if ((table->right >> column & 1) != 0 && pad > 0) {
            owed += pad;
            pad = 0;
        }
        fprintf(out, "%*s", owed, "");
        cell = print_cut(out, row[column], cut ? width[column] : cell);
        owed = (pad > 0 ? pad : 0) + gap;
        if (cell > width[column]) {
            fputc('\n', out);
            owed = width[column] + gap;
        }
    }
}

/* Returns true if a row has nothing beside its folded columns. */
static bool is_row_empty(const struct table *table, char *const *row, const int *width)
{
    for (int column = 0; column < columns_beside(table); column++)
        if (width[column] >= 0 && row[column][0] != '\0')
            return false;
    return true;
}

/* Prints the last cell of a row on lines below it. */
static void print_below(FILE *out, const char *text, int limit)
{
    while (*text != '\0') {
        size_t bytes = limit > 0 ? text_break(text, limit - BELOW_INDENT) : strlen(text);

        fprintf(out, "%*s%.*s\n", BELOW_INDENT, "", (int)bytes, text);
        text += bytes;
        text += strspn(text, " \n");
    }
}

/* Prints the folded cells of a row below it: "rtc amd-epyc-9354, scenario.packets 50". */
static void print_folded(const struct table *table, FILE *out, int row, const int *width, int limit)
{
    struct buffer text = {0};

    for (int column = 0; column < columns_beside(table); column++) {
        if (width[column] >= 0 || (table->folded >> column & 1) == 0 ||
            table->cells[row + column][0] == '\0')
            continue;
        buffer_text(&text, text.length > 0 ? ", " : "");
        for (int line = 0; line < (table->heads > 1 ? table->heads : 1); line++)
            buffer_text(&text, table->cells[line * table->columns + column]);
        buffer_print(&text, " %s", table->cells[row + column]);
    }
    if (text.length > 0)
        print_below(out, text.bytes, limit);
    buffer_free(&text);
}

void table_print(const struct table *table, FILE *out, int limit, const char *bold,
                 const char *plain)
{
    int width[TABLE_COLUMNS_MAX];
    int gap;
    int head = table->columns * (table->heads > 1 ? table->heads : 1);

    if (table->count == 0)
        return;
    measure_table(table, limit, width, &gap);
    for (int i = 0; i + table->columns <= table->count; i += table->columns) {
        if (i < head && table->folded != 0 && is_row_empty(table, &table->cells[i], width))
            continue;
        fputs(i < head ? bold : "", out);
        print_table_row(table, out, &table->cells[i], width, gap);
        fprintf(out, "%s\n", i < head ? plain : "");
        if (i >= head)
            print_folded(table, out, i, width, limit);
        if (table->below)
            print_below(out, table->cells[i + table->columns - 1], limit);
    }
}

void table_close(struct table *table, FILE *out, int limit)
{
    table_print(table, out, limit, "", "");
    table_free(table);
}
