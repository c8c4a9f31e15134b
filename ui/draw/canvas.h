/* A screen of character cells. Views draw here and nowhere else; the terminal shows it, `aolag
 * screen` prints it. Drawing outside the canvas or a given rectangle is cut off, never an error. */
#ifndef AOLAG_DRAW_CANVAS_H
#define AOLAG_DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw/text.h"

/* What a cell means; the colour scheme decides how it looks. Nothing is shown by style alone. */
enum style {
    STYLE_NORMAL,
    STYLE_DIM,   /* secondary: units, hints, automatic and assumed values */
    STYLE_TITLE, /* headings */
    STYLE_BORDER,
    STYLE_FOCUS,    /* the item under the cursor */
    STYLE_SELECTED, /* the same in a pane without the focus */
    STYLE_COMPUTE,
    STYLE_MEMORY,
    STYLE_GHOST, /* the baseline behind a bar */
    STYLE_GOOD,
    STYLE_WARNING,
    STYLE_ERROR,
    STYLE_KEY, /* a key's name in footer and help */
    STYLE_COUNT
};

struct rect {
    int row, column, rows, columns;
};

struct cell {
    uint32_t character; /* code point of width 1 */
    uint8_t style;
};

struct canvas {
    int rows, columns;
    bool unicode; /* else only ASCII reaches the cells */
    int cursor_row, cursor_column;
    struct cell *cells;
};

/* false without memory; the canvas is then 0 x 0. `canvas` is zero-initialised or was initialised
 * before: this also resizes. Starts out blank. */
bool canvas_init(struct canvas *canvas, int rows, int columns, bool unicode);
void canvas_free(struct canvas *canvas);

void canvas_clear(struct canvas *canvas);

/* Writes UTF-8 text in at most `columns` cells (cut with an ellipsis); returns the cells used.
 * Characters not of width 1 or not printable become '?'; without unicode the nearest ASCII. */
int canvas_text(struct canvas *canvas, int row, int column, int columns, enum style style,
                const char *text);

/* The same, formatted; and set against the right edge of the `columns` cells. */
int canvas_printf(struct canvas *canvas, int row, int column, int columns, enum style style,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));
int canvas_right(struct canvas *canvas, int row, int column, int columns, enum style style,
                 const char *text);

/* Writes text broken at blanks into the rectangle, from its row `from` on; below 0: its first rows
 * are scrolled off. Returns the rows it needs, which may be more than fit. On a zeroed canvas this
 * only counts. */
int canvas_wrap(struct canvas *canvas, struct rect rect, int from, enum style style,
                const char *text);

void canvas_put(struct canvas *canvas, int row, int column, enum style style, uint32_t character);

/* The character of a cell; 0 outside. */
uint32_t canvas_at(const struct canvas *canvas, int row, int column);

void canvas_fill(struct canvas *canvas, struct rect rect, enum style style, uint32_t character);

/* Changes the style of cells, keeping their characters. */
void canvas_restyle(struct canvas *canvas, struct rect rect, enum style style);

/* A box with a title set into its upper edge (NULL: none). */
void canvas_frame(struct canvas *canvas, struct rect rect, enum style style, const char *title);

/* A horizontal bar of `length` cells (may be fractional) in a row of `columns` cells. Compute and
 * memory differ by fill as well as style: full block and shade, # and :. A last cell that is filled
 * in part is so many eighths of a block, or the lighter shade (in ASCII "." for both). */
enum fill { FILL_COMPUTE, FILL_MEMORY };
void canvas_bar(struct canvas *canvas, int row, int column, int columns, double length,
                enum fill fill, enum style style);

/* The canvas as text, trailing blanks cut. */
void canvas_print(const struct canvas *canvas, FILE *file);

#endif
