/* A grid of character cells. Views draw only here; the terminal shows it, `aolag screen` prints it.
 * Drawing outside the canvas or a given rectangle is clipped and is not an error. */
#ifndef AOLAG_DRAW_CANVAS_H
#define AOLAG_DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"

#include "draw/text.h"

/* Meaning of a cell; the colour scheme defines its look. Style alone conveys no information. */
enum style {
    STYLE_NORMAL,
    STYLE_DIM,   /* secondary: units, hints, automatic and assumed values */
    STYLE_TITLE, /* headings */
    STYLE_BORDER,
    STYLE_FOCUS,    /* item under the cursor */
    STYLE_SELECTED, /* item under the cursor in a pane without the focus */
    STYLE_COMPUTE,  /* kinds of time: ui/draw/looks.h */
    STYLE_MEMORY,
    STYLE_OVERHEAD,
    STYLE_LINK,
    STYLE_WAIT,
    STYLE_GHOST, /* baseline behind a bar */
    STYLE_GOOD,
    STYLE_WARNING,
    STYLE_ERROR,
    STYLE_KEY, /* name of a key in the footer and the help */
    STYLE_COUNT
};

struct rect {
    int row, column, rows, columns;
};

struct cell {
    uint32_t character; /* code point of width 1 */
    uint8_t style;
    bool underline; /* until the cell is written again */
};

struct canvas {
    int rows, columns;
    bool unicode; /* false: cells hold only ASCII */
    int cursor_row, cursor_column;
    struct rect cursor; /* what the cursor is on, if that is more than its row; else without rows */
    struct cell *cells;
};

/* Initialises or resizes a canvas that is zeroed or already initialised, and clears it. */
void canvas_init(struct canvas *canvas, int rows, int columns, bool unicode);
void canvas_free(struct canvas *canvas);

void canvas_clear(struct canvas *canvas);

/* Writes UTF-8 text into at most `columns` cells (cut with an ellipsis, but not inside a number or
 * between it and its unit); returns the cells used. Characters not printable or not of width 1 become '?'; without Unicode, the nearest ASCII. */
int canvas_text(struct canvas *canvas, int row, int column, int columns, enum style style,
                const char *text);

/* Same as canvas_text: with a format, and right-aligned in the `columns` cells. */
int canvas_printf(struct canvas *canvas, int row, int column, int columns, enum style style,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));
int canvas_right(struct canvas *canvas, int row, int column, int columns, enum style style,
                 const char *text);

/* Writes text wrapped at blanks into the rectangle from its row `from` on; if negative, the first
 * rows are scrolled off. Returns the rows needed, which may exceed those available. On a zeroed
 * canvas it only counts. */
int canvas_wrap(struct canvas *canvas, struct rect rect, int from, enum style style,
                const char *text);

void canvas_put(struct canvas *canvas, int row, int column, enum style style, uint32_t character);

/* Returns the character of a cell, or 0 outside the canvas. */
uint32_t canvas_at(const struct canvas *canvas, int row, int column);

void canvas_fill(struct canvas *canvas, struct rect rect, enum style style, uint32_t character);

/* Changes the style of cells and keeps their characters. */
void canvas_restyle(struct canvas *canvas, struct rect rect, enum style style);

/* Underlines cells and keeps their characters and styles. */
void canvas_underline(struct canvas *canvas, struct rect rect);

/* Draws a box with a title in its upper edge (NULL: none). */
void canvas_frame(struct canvas *canvas, struct rect rect, enum style style, const char *title);

/* Writes the canvas as an SVG picture in the colours of a terminal, on a light or a dark background.
 * Blocks and lines are drawn, so that no font leaves gaps in them. `title` for readers of the
 * screen. */
void canvas_svg(const struct canvas *canvas, bool light, const char *title, struct buffer *svg);

/* Prints the canvas as text without trailing blanks. */
void canvas_print(const struct canvas *canvas, FILE *file);

#endif
