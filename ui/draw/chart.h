/* Charts: a picture of numbers described once, as axes and items, without saying how it looks. It
 * has three forms with the same content: on the screen, as a file, and as a table of its numbers.
 * What makes a chart takes its numbers from the model and computes nothing here.
 *
 * Out of memory marks the chart as failed; adding to it then does nothing, and every form says so.
 * Numbers that are not finite are left out of pictures. */
#ifndef AOLAG_DRAW_CHART_H
#define AOLAG_DRAW_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/looks.h"
#include "draw/plot_axis.h"

#define CHART_TITLE_MAX 160
#define CHART_NOTE_MAX 399
#define CHART_NAME_MAX 191

enum chart_kind {
    CHART_CURVE,      /* points joined in their order */
    CHART_DOTS,       /* points by themselves, each with its label */
    CHART_SPANS,      /* bars along x in rows: of a timeline, of a bar chart */
    CHART_CELLS,      /* a grid of values: a map */
    CHART_VERTICAL,   /* a rule at x */
    CHART_HORIZONTAL, /* a rule at y */
};

struct chart_point {
    double x, y; /* y on an axis of names: the number of a row, that of its middle */
    char *label; /* NULL: none */
};

struct chart_span {
    int row;
    double from, to; /* on x; from at most to */
    enum chart_look look;
    char *label; /* NULL: none */
};

struct chart_item {
    enum chart_kind kind;
    enum chart_look look;
    char name[CHART_NAME_MAX + 1]; /* in the legend and the table; empty: in neither */
    int count, capacity;           /* of points or spans */
    struct chart_point *point;     /* curve, dots; of a rule the first one */
    struct chart_span *span;

    /* cells: value[row * columns + column], row 0 at the low end of y; RESULT_NONE: nothing there.
     * They fill the axes evenly, on logarithmic ones in their logarithm; of an axis of names each
     * has a row. */
    int columns, rows;
    double *value;
    struct plot_axis z; /* of the values */
    double contour;     /* a line around what is at most that; RESULT_NONE: none */
};

struct chart {
    char title[CHART_TITLE_MAX + 1];
    char note[CHART_NOTE_MAX + 1]; /* a line below it: conditions; may be empty */
    struct plot_axis x, y;
    char x_title[64], y_title[64];
    bool square; /* linear axes of one kind: a file shows a unit of either as long as the other */
    int rows;    /* of a y axis of names, from the top; 0: y is one of numbers */
    char **row;
    int count, capacity;
    struct chart_item *item;
    bool failed;
};

/* An empty chart with its title; chart_free takes a zeroed one too. */
void chart_init(struct chart *chart, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chart_note(struct chart *chart, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chart_free(struct chart *chart);

void chart_x(struct chart *chart, struct plot_axis axis, const char *title);
void chart_y(struct chart *chart, struct plot_axis axis, const char *title);

/* Appends a row to a y axis of names and returns its number. */
int chart_row(struct chart *chart, const char *name);

/* Appends an item, drawn over those before it, and returns its number. */
int chart_add(struct chart *chart, enum chart_kind kind, enum chart_look look, const char *name);

void chart_point(struct chart *chart, int item, double x, double y, const char *label);
void chart_span(struct chart *chart, int item, int row, double from, double to,
                enum chart_look look, const char *label);

/* A rule in one go. */
void chart_rule(struct chart *chart, enum chart_kind kind, enum chart_look look, double at,
                const char *name);

bool chart_is_rule(enum chart_kind kind);

/* Takes a copy of the values of an item of cells. */
void chart_cells(struct chart *chart, int item, int columns, int rows, const double *value,
                 struct plot_axis z, double contour);

/* The forms of a chart ------------------------------------------------------------------------- */

struct plot;

/* Draws it into the box (chart_canvas.c): axes, items, and the labels that have room. Its title is
 * left to the frame around. The legend stands below the plot. Where there is little room the note
 * is left out first, then the titles of the axes, and the legend last; rows of names that have none
 * are counted below the others. `plot` (NULL: not wanted) says where it went, so that a cursor may
 * be drawn over it. false, and a sentence in place of the picture, where there is no room for it,
 * nothing to draw or it failed. */
bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot);

/* Writes it as a file (chart_svg.c): SVG 1.1, of the size of a slide, black on white and readable
 * without colours. We write it ourselves so that files can be compared line by line and no graphics
 * library is needed. Text is escaped; what XML does not allow becomes '?'. Write errors stay in the
 * stream. */
void chart_svg(const struct chart *chart, FILE *out);

/* Prints the numbers of every point, span and cell, with units, as text in UTF-8 (chart_table.c):
 * lines of at most `columns` cells where the names allow it. Write errors stay in the stream. */
void chart_table(const struct chart *chart, FILE *out, int columns);

/* For the forms -------------------------------------------------------------------------------- */

/* Why there is no picture; NULL: there is one. */
const char *chart_problem(const struct chart *chart);

/* Whether it is finite and not RESULT_NONE. */
bool chart_is_value(double value);

/* A value of an item of cells; RESULT_NONE where there is none, also outside. And whether it is at
 * most the contour. */
double chart_cell(const struct chart_item *cells, int row, int column);
bool chart_is_within(const struct chart_item *cells, int row, int column);

/* What a span is: its item's name, or its look's where that is another one than the item's. */
const char *chart_span_name(const struct chart_item *item, const struct chart_span *span);

#define LEGEND_MAX 32
#define LEGEND_TEXT_MAX 255

struct legend_entry {
    enum chart_kind kind; /* what its sample is of; of a line around cells a curve's */
    enum chart_look look;
    char text[LEGEND_TEXT_MAX + 1];
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX]; /* of cells: the ends of what shades mean */
    const struct chart_item *item;
    bool hidden;      /* not needed: of a rule whose name stands beside it */
    double width, at; /* set by the form; where legend_place puts it */
    int line;
};

struct legend {
    struct legend_entry entry[LEGEND_MAX];
    int count;
};

/* Each look under each name once, in their order, and every rule. */
void chart_legend(const struct chart *chart, struct legend *legend);

/* Places the entries that are not hidden on lines of `room`, `gap` between two. Returns how many
 * lines they take; `used` is the width of the last one. */
int legend_place(struct legend *legend, double room, double gap, double *used);

#endif
