/* Columns of a list on the screen, declared once.
 *
 * A column is as wide as its widest text and its title; one without a text in any row is not shown.
 * Between columns are two cells, or one if all have no room otherwise and the table allows it.
 * Where they still have none they give way by rank, the largest first: at each rank columns
 * disappear, of equal ones the emptiest, then others become narrower, the widest first. In the end
 * any column of words does, down to a few cells.
 *
 * A table is begun, widened to the texts of its rows, and laid into the cells that there are; then
 * its titles and cells are drawn. */
#ifndef AOLAG_TUI_TABLE_PANE_H
#define AOLAG_TUI_TABLE_PANE_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/canvas.h"

enum { TABLE_PANE_COLUMNS = 24, TABLE_PANE_RANKS = 10, TABLE_PANE_TEXT = 400 };

struct table_column {
    const char *title;
    bool small;  /* shown with a small letter, which headings of reports do not begin with */
    bool hidden; /* never shown */
    bool number; /* right-aligned; does not become narrower unless it has a `cut` */
    int drop;    /* rank at which it disappears; 0: never */
    int cut;     /* rank at which it becomes narrower, down to `brief`; 0: none */
    int brief;
    int width;   /* least width, for texts that follow later */
    int stretch; /* takes cells that are left, up to this width */

    /* Shortens a text to fewer columns, as text_middle; NULL: it is cut at its end. */
    void (*shorten)(char *text, size_t size, int columns);

    /* Of lists that are filtered and sorted (filter.h, picker.h) */
    const char *names; /* for the filter beside the title, "watts power"; NULL: none */
    bool least;        /* a number that is sorted ascending; 0 is unknown and last */
    const char *unit;  /* "W": the filter finds "350w"; NULL: it is in the text */
    const char *plain; /* the unit of a typed number without one, for units in the text */
};

/* Texts and their styles, of columns without one empty and normal. */
struct table_row {
    char text[TABLE_PANE_COLUMNS][TABLE_PANE_TEXT];
    enum style style[TABLE_PANE_COLUMNS];
};

struct table_pane {
    const struct table_column *declared;            /* as begun with; remain the caller's */
    struct table_column column[TABLE_PANE_COLUMNS]; /* copies, which the owner may change */
    int count;
    bool close; /* columns may be one cell apart, as texts without blanks; set by the owner */
    int widest[TABLE_PANE_COLUMNS]; /* text of each column so far */
    int texts[TABLE_PANE_COLUMNS];  /* that are not empty */
    int at[TABLE_PANE_COLUMNS];     /* first cell in a line, as laid */
    int width[TABLE_PANE_COLUMNS];  /* as laid; 0: not shown */
    int total;                      /* cells of a line, as laid */
};

/* Begins a table of at most TABLE_PANE_COLUMNS columns. */
void table_pane_begin(struct table_pane *table, const struct table_column *columns, int count);

/* Widens a column to another text, or all columns to those of a row. */
void table_pane_widen(struct table_pane *table, int column, const char *text);
void table_pane_widen_row(struct table_pane *table, const struct table_row *row);

/* Returns the cells of a line with all columns as wide as they would be, two cells apart. */
int table_pane_natural(const struct table_pane *table);

/* Chooses the columns and their widths for lines of `room` cells; column `kept` does not disappear,
 * -1: any may. */
void table_pane_lay(struct table_pane *table, int room, int kept);

/* Returns true if a row has a text in a column, or will have one, and it is not hidden. */
bool table_pane_has(const struct table_pane *table, int column);

/* Returns the cells of a column in a line, without columns if it is not shown. */
struct rect table_pane_rect(const struct table_pane *table, struct rect line, int column);

void table_pane_titles(const struct table_pane *table, struct canvas *canvas, struct rect line,
                       enum style style);

/* Marks the title of the column that rows are sorted by; `falling`: the largest first. */
void table_pane_mark_sorted(const struct table_pane *table, struct canvas *canvas, struct rect line,
                            int column, bool falling);

/* Draw a text, shortened to its column; nothing if that is not shown. */
void table_pane_cell(const struct table_pane *table, struct canvas *canvas, struct rect line,
                     int column, enum style style, const char *text);
void table_pane_row(const struct table_pane *table, struct canvas *canvas, struct rect line,
                    const struct table_row *row);

#endif
