#include "tui/table_pane.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { GAP = 2, NARROW_GAP = 1 };

void table_pane_begin(struct table_pane *table, const struct table_column *columns, int count)
{
    *table = (struct table_pane){.declared = columns, .count = count};
    memcpy(table->column, columns, (size_t)count * sizeof *columns);
}

void table_pane_widen(struct table_pane *table, int column, const char *text)
{
    int width = text_width(text);

    table->texts[column] += width > 0;
    table->widest[column] = width > table->widest[column] ? width : table->widest[column];
}

void table_pane_widen_row(struct table_pane *table, const struct table_row *row)
{
    for (int c = 0; c < table->count; c++)
        table_pane_widen(table, c, row->text[c]);
}

bool table_pane_has(const struct table_pane *table, int column)
{
    return !table->column[column].hidden &&
           (table->widest[column] > 0 || table->column[column].width > 0);
}

/* Returns the width that a column would like to have; 0: it is not shown. The first one always is.
 */
static int wanted_width(const struct table_pane *table, int column)
{
    const struct table_column *of = &table->column[column];
    int title = text_width(of->title);
    int width = table->widest[column] > of->width ? table->widest[column] : of->width;

    return column > 0 && !table_pane_has(table, column) ? 0 : title > width ? title : width;
}

int table_pane_natural(const struct table_pane *table)
{
    int total = 0;

    for (int c = 0; c < table->count; c++)
        if (wanted_width(table, c) > 0)
            total += wanted_width(table, c) + (total > 0 ? GAP : 0);
    return total;
}

/* Puts the columns one behind the other. */
static void place_columns(struct table_pane *table, int gap)
{
    table->total = 0;
    for (int c = 0; c < table->count; c++) {
        table->at[c] = table->total + (table->total > 0 && table->width[c] > 0 ? gap : 0);
        table->total = table->at[c] + table->width[c];
    }
}

/* Returns the column that disappears at a rank, the emptiest; -1: none. */
static int find_dropped(const struct table_pane *table, int rank, int kept)
{
    int dropped = -1;

    for (int c = 0; c < table->count && rank > 0; c++)
        if (table->column[c].drop == rank && table->width[c] > 0 && c != kept &&
            (dropped < 0 || table->texts[c] < table->texts[dropped]))
            dropped = c;
    return dropped;
}

/* Returns the width down to which a column becomes narrower at a rank. */
static int least_width(const struct table_column *column, int rank)
{
    enum { LEAST = 8 };

    if (rank == 0)
        return column->number ? INT_MAX : LEAST;
    return column->cut == rank ? column->brief : INT_MAX;
}

/* Returns the widest column that may become narrower at a rank; -1: none. */
static int find_widest(const struct table_pane *table, int rank)
{
    int widest = -1;

    for (int c = 0; c < table->count; c++)
        if (table->width[c] > least_width(&table->column[c], rank) &&
            (widest < 0 || table->width[c] > table->width[widest]))
            widest = c;
    return widest;
}

/* Makes columns disappear and become narrower until they have room. */
static void give_way(struct table_pane *table, int room, int kept, int gap)
{
    for (int rank = TABLE_PANE_RANKS; rank >= 0; rank--) {
        int column;

        while (table->total > room && (column = find_dropped(table, rank, kept)) >= 0) {
            table->width[column] = 0;
            place_columns(table, gap);
        }
        while (table->total > room && (column = find_widest(table, rank)) >= 0) {
            table->width[column]--;
            place_columns(table, gap);
        }
    }
}

/* Widens the columns shown, the first one first, as far as there is room: to what they would like
 * to have, or those that stretch. */
static void take_left(struct table_pane *table, int room, int gap, bool stretch)
{
    int left = room - table->total;

    for (int c = 0; c < table->count; c++) {
        int most = stretch ? table->column[c].stretch : wanted_width(table, c);
        int more = table->width[c] > 0 ? clamp_int(most - table->width[c], 0, left) : 0;

        table->width[c] += more;
        left -= more;
    }
    place_columns(table, gap);
}

void table_pane_lay(struct table_pane *table, int room, int kept)
{
    int gap = table->close ? NARROW_GAP : GAP;

    for (int c = 0; c < table->count; c++)
        table->width[c] = wanted_width(table, c);
    place_columns(table, gap);
    give_way(table, room, kept, gap);
    take_left(table, room, gap, false);
    place_columns(table, GAP);
    if (table->total > room)
        place_columns(table, gap);
    else
        gap = GAP;
    take_left(table, room, gap, true);
}

struct rect table_pane_rect(const struct table_pane *table, struct rect line, int column)
{
    int at = clamp_int(table->at[column], 0, line.columns);

    return (struct rect){line.row, line.column + at, 1,
                         clamp_int(table->width[column], 0, line.columns - at)};
}

void table_pane_cell(const struct table_pane *table, struct canvas *canvas, struct rect line,
                     int column, enum style style, const char *text)
{
    const struct table_column *of = &table->column[column];
    struct rect cell = table_pane_rect(table, line, column);
    char shorter[TABLE_PANE_TEXT];

    if (of->shorten != NULL && text_width(text) > cell.columns) {
        snprintf(shorter, sizeof shorter, "%.*s", TABLE_PANE_TEXT - 4, text);
        of->shorten(shorter, sizeof shorter, cell.columns);
        text = shorter;
    }
    (of->number ? canvas_right : canvas_text)(canvas, cell.row, cell.column, cell.columns, style,
                                              text);
}

void table_pane_row(const struct table_pane *table, struct canvas *canvas, struct rect line,
                    const struct table_row *row)
{
    for (int c = 0; c < table->count; c++)
        table_pane_cell(table, canvas, line, c, row->style[c], row->text[c]);
}

void table_pane_titles(const struct table_pane *table, struct canvas *canvas, struct rect line,
                       enum style style)
{
    for (int c = 0; c < table->count; c++) {
        char title[TABLE_PANE_TEXT];

        snprintf(title, sizeof title, "%s", table->column[c].title);
        if (table->column[c].small)
            title[0] = (char)tolower((unsigned char)title[0]);
        table_pane_cell(table, canvas, line, c, style, title);
    }
}

void table_pane_mark_sorted(const struct table_pane *table, struct canvas *canvas, struct rect line,
                            int column, bool falling)
{
    const struct table_column *by = &table->column[column];
    struct rect cell = table_pane_rect(table, line, column);
    int at = by->number ? cell.columns : text_width(by->title);
    const uint32_t after = canvas_at(canvas, cell.row, cell.column + at + 1);

    if (cell.columns == 0)
        return;
    /* before the title where there is no room behind the last, or the next one follows at once */
    if (cell.column + at == line.column + line.columns || (after < 0x80 && isalnum((int)after)))
        at -= text_width(by->title) + 1;
    canvas_restyle(canvas, cell, STYLE_TITLE);
    canvas_text(canvas, cell.row, cell.column + at, 1, STYLE_TITLE,
                falling ? "\xE2\x96\xBE" : "\xE2\x96\xB4");
}
