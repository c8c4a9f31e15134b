/* Elements drawn by several panes. */
#ifndef AOLAG_TUI_WIDGET_H
#define AOLAG_TUI_WIDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/looks.h"
#include "report/record.h"

/* Common scale of several bars. */
struct bar_scale {
    bool logarithmic;
    double low, high; /* value at the left edge (0 if linear) and at the end of a full bar */
};

/* Returns a scale that ends at the next 1, 2 or 5 times a power of ten at or above the largest
 * value, so that the largest bar moves too. A logarithmic scale begins at the decade below the
 * smallest value, at most six decades down. Ignores values <= 0; without any the scale ends at
 * 1. */
struct bar_scale bar_scale_for(double smallest, double largest, bool logarithmic);

/* Returns the length of a bar in cells, of at most `columns`. */
double bar_length(const struct bar_scale *scale, double value, int columns);

/* Changes a scale only where bar_scale_for would have to: if it is of the other kind, a bar leaves
 * it, or all are shorter than a tenth of it. A zeroed scale is always changed. */
void bar_scale_keep(struct bar_scale *scale, double smallest, double largest, bool logarithmic);

/* Draws a bar of `length` cells with the fill of `look`, overhead from its end to `total` cells
 * (none if `total` is not larger), and the baseline's end at `ghost` (below 0: none): behind the
 * bar dots up to a tick; within it a cell of another style, which leaves the bar whole. */
void widget_bar(struct canvas *canvas, struct rect line, double length, double total, double ghost,
                enum chart_look look, enum style style);

/* Draws a slider with its handle at `position` (0 to 1; below 0: none) and a tick across its
 * line at `ghost` if that is a position too. */
void widget_slider(struct canvas *canvas, int row, int column, int columns, double position,
                   double ghost, bool focus);

/* Draws a column of a histogram, of `eighths` of a cell from the bottom of `rect`. In ASCII a point
 * is up to half a cell and a colon more. */
void widget_bin(struct canvas *canvas, struct rect rect, int column, int eighths, enum style style);

/* Returns the position (0 to 1) of a cell of a slider. */
double slider_position(int cell, int columns);

/* Draws the box of a pane. The title of the pane with the focus stands out without colour too. */
void widget_pane(struct canvas *canvas, struct rect box, const char *title, bool focus);

/* The same for pane `number` of `count`, from 1, if only one fits: the title shows the number. */
void widget_lone_pane(struct canvas *canvas, struct rect box, const char *title, bool focus,
                      int number, int count);

/* Draws the line below a view: the item under the cursor, then details about it. */
void widget_detail(struct canvas *canvas, struct rect line, const char *title, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

/* Draws facts, a row each, in the order of their weight as far as there are rows: the label, if any, then
 * the clauses that fit. */
void widget_facts(const struct facts *facts, struct canvas *canvas, struct rect area);

/* Formats a quantity for the screen with quantity_print; a dash for RESULT_NONE. The text of
 * quantity_text(seconds, "s").text is valid until the end of the full expression. */
struct quantity {
    char text[40];
};

struct quantity quantity_text(double si, const char *unit);
void quantity_show(double si, const char *unit, char *text, size_t size);

/* Symbols, as Unicode code points or their ASCII replacements. */
enum mark {
    MARK_FOCUS,
    MARK_OPEN,
    MARK_CLOSED,
    MARK_BOUND,
    MARK_CRITICAL,
    MARK_TRACK_DONE,
    MARK_TRACK,
    MARK_HANDLE,
    MARK_TICK,
    MARK_TICK_DONE, /* the same on the line of a slider, which goes on */
    MARK_TICK_TRACK,
    MARK_DOT,
    MARK_THUMB,
    MARK_EDGE_LEFT, /* of the latency bar */
    MARK_EDGE_RIGHT,
    MARK_PRESENT,
    MARK_POINTER,
    MARK_COUNT
};

uint32_t mark_character(const struct canvas *canvas, enum mark mark);
void widget_mark(struct canvas *canvas, int row, int column, enum style style, enum mark mark);

#endif
