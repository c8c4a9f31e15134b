/* Small things that several panes draw. */
#ifndef AOLAG_TUI_WIDGET_H
#define AOLAG_TUI_WIDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/canvas.h"

/* The scale that bars share. */
struct bar_scale {
    bool logarithmic;
    double low, high; /* the left edge (0 when linear) and the right edge of a full bar */
};

/* High is the next 1, 2 or 5 at or above the largest value, so that a bar visibly moves instead of
 * always being the full one; low of a log scale the decade below the smallest, at most six decades
 * down. Values at or below 0 do not count; without any the scale ends at 1. */
struct bar_scale bar_scale_for(double smallest, double largest, bool logarithmic);

/* The cells a value fills of `columns`. */
double bar_length(const struct bar_scale *scale, double value, int columns);

/* A bar of `length` cells, a thin line from its end to `whole` cells, and behind both the
 * baseline's end: dots up to a tick. `whole` at most `length`: no line; `ghost` below 0: no
 * baseline. */
void widget_bar(struct canvas *canvas, struct rect line, double length, double whole, double ghost,
                enum fill fill, enum style style);

/* A slider with its handle at `position` (0 to 1; below 0: nowhere) and, where `ghost` is a
 * position too, a tick. */
void widget_slider(struct canvas *canvas, int row, int column, int columns, double position,
                   double ghost, bool focus);

/* The position (0 to 1) of a cell of a slider. */
double slider_position(int cell, int columns);

/* A box of a pane; the title of the one with the focus stands out without colour too. */
void widget_pane(struct canvas *canvas, struct rect box, const char *title, bool focus);

/* The same of pane `number`, from 1 on, where only one of `count` panes has room: says so. */
void widget_lone_pane(struct canvas *canvas, struct rect box, const char *title, bool focus,
                      int number, int count);

/* The line below a view: what the cursor is on, then more about it. */
void widget_detail(struct canvas *canvas, struct rect line, const char *title, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

/* A quantity for the screen: quantity_print; a dash for RESULT_NONE. For arguments:
 * quantity_text(seconds, "s").text is valid until the end of the expression. */
struct quantity {
    char text[40];
};

struct quantity quantity_text(double si, const char *unit);
void quantity_show(double si, const char *unit, char *text, size_t size);

/* Code points the widgets use, or their ASCII stand-ins. */
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
    MARK_DOT,
    MARK_THUMB,
    MARK_EDGE_LEFT, /* of the latency bar */
    MARK_EDGE_RIGHT,
    MARK_COMPUTE,
    MARK_MEMORY,
    MARK_WHOLE,
    MARK_PRESENT,
    MARK_COUNT
};

uint32_t mark_character(const struct canvas *canvas, enum mark mark);
void widget_mark(struct canvas *canvas, int row, int column, enum style style, enum mark mark);

#endif
