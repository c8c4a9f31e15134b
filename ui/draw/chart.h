/* Charts: axes and items that describe a plot once, independent of its appearance. There are three
 * output forms with the same content: on the canvas, as an SVG file, and as a table of numbers.
 * Code that builds a chart takes its numbers from the model and computes nothing. Values that are
 * not finite are not drawn. */
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
    CHART_CURVE,      /* points joined in order */
    CHART_BAND,       /* area between two curves, behind the rest */
    CHART_DOTS,       /* separate points, each with its label */
    CHART_SPANS,      /* horizontal bars in rows: timelines, bar charts */
    CHART_CELLS,      /* grid of values: a map */
    CHART_VERTICAL,   /* vertical line at x */
    CHART_HORIZONTAL, /* horizontal line at y */
};

struct chart_point {
    double x, y; /* y on an axis of names: the row number at the middle of the row */
    char *label; /* NULL: none */
    double top;  /* of a band: its upper edge, y the lower one; not a value: beyond the axis */
};

struct chart_span {
    int row;
    double from, to; /* on x; from <= to */
    enum chart_look look;
    char *label; /* NULL: none */
};

struct chart_item {
    enum chart_kind kind;
    enum chart_look look;
    char name[CHART_NAME_MAX + 1]; /* in the legend and the table; empty: not listed */
    bool onward;                   /* a vertical rule: its name is that of what is right of it */
    bool bare;                     /* a curve without marks at its points */
    char key[CHART_NAME_MAX + 1];  /* of dots: heading of a list of their names; empty: no list */
    int count, capacity;           /* points or spans */
    struct chart_point *point;     /* of a curve or dots; a rule uses only the first */
    struct chart_span *span;

    /* cells: value[row * columns + column], row 0 at the low end of y; RESULT_NONE: no value. They
     * divide the axes evenly (evenly in the logarithm on logarithmic axes); on an axis of names
     * each has a row. */
    int columns, rows;
    double *value;
    struct plot_axis z; /* scale of the values */
    double contour;     /* outline around the values <= contour; RESULT_NONE: none */
};

struct chart {
    char heading[CHART_TITLE_MAX + 1]; /* of a file: system and figure, above the title; or empty */
    char title[CHART_TITLE_MAX + 1];
    char note[CHART_NOTE_MAX + 1]; /* line below the plot: conditions; may be empty */
    char message[CHART_NOTE_MAX + 1]; /* sentence instead of the plot: why it is empty; or empty */
    struct plot_axis x, y;
    char x_title[64], y_title[64];
    bool square; /* both axes are linear and alike: SVG draws one unit equally long on both */
    int rows;    /* rows of a y axis of names, from the top; 0: y is numeric */
    char **row;
    int count, capacity;
    struct chart_item *item;
};

/* Initialises an empty chart with a title. chart_free also accepts a zeroed chart. */
void chart_init(struct chart *chart, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chart_heading(struct chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void chart_note(struct chart *chart, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chart_message(struct chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void chart_free(struct chart *chart);

void chart_x(struct chart *chart, struct plot_axis axis, const char *title);
void chart_y(struct chart *chart, struct plot_axis axis, const char *title);

/* Appends a row to a y axis of names and returns its index. */
int chart_row(struct chart *chart, const char *name);

/* Appends an item, drawn over the earlier ones, and returns its index. */
int chart_add(struct chart *chart, enum chart_kind kind, enum chart_look look, const char *name);

/* Draws a curve without marks at its points, for one whose points are nothing by themselves. */
void chart_bare(struct chart *chart, int item);

/* Lists the names of dots whose labels are "NUMBER: NAME" beside the plot of a file, as many as have
 * room; only the numbers are in the plot. At most one item of a chart has a list. */
void chart_key(struct chart *chart, int item, const char *heading);

void chart_point(struct chart *chart, int item, double x, double y, const char *label);

/* Adds a point to a band. */
void chart_edges(struct chart *chart, int item, double x, double low, double high);

/* Returns the upper edge of a band at a point. */
double chart_top(const struct chart *chart, const struct chart_point *point);

/* Adds a span. In a picture it ends with an arrow where it goes on beyond the axis. In the table the
 * label of a bar without length stands for that if it has no digit: "not known". */
void chart_span(struct chart *chart, int item, int row, double from, double to,
                enum chart_look look, const char *label);

/* Adds a rule: the item and its position. */
void chart_rule(struct chart *chart, enum chart_kind kind, enum chart_look look, double at,
                const char *name);

bool chart_is_rule(enum chart_kind kind);

/* Writes the name of a vertical rule as it stands on its left: with an arrow if it is onward. */
enum { CHART_LEFT_MAX = CHART_NAME_MAX + 8 };
void chart_left_name(const struct chart_item *item, char text[CHART_LEFT_MAX]);

/* Copies the values of a CHART_CELLS item. */
void chart_cells(struct chart *chart, int item, int columns, int rows, const double *value,
                 struct plot_axis z, double contour);

/* Output forms --------------------------------------------------------------------------------- */

struct plot;

/* Draws the chart into the box (chart_canvas.c): axes, items, the labels that fit, and the legend
 * below the plot; the surrounding frame shows the title. In a small box the note is dropped first,
 * then the axis titles, then the legend; named rows that do not fit are counted below the others.
 * `plot` (may be NULL) receives the position of the plot, so that a cursor can be drawn over it.
 * Returns false and shows a message instead if the box is too small or there is no data. */
bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot);

/* Writes the chart as SVG 1.1 (chart_svg.c), sized as a slide, black on white and readable without
 * colours. We have our own writer so that files can be compared line by line and no graphics
 * library is needed. Text is escaped; characters not allowed in XML become '?'. Write errors stay
 * in the stream. */
void chart_svg(const struct chart *chart, FILE *out);

/* Prints the numbers of every point, span and cell with their units as UTF-8 text (chart_table.c),
 * in lines of at most `columns` cells if the names allow it. Write errors stay in the stream. */
void chart_table(const struct chart *chart, FILE *out, int columns);

/* Shared by the output forms ------------------------------------------------------------------- */

/* Returns the reason why there is nothing to draw, or NULL. */
const char *chart_problem(const struct chart *chart);

/* Returns true if the value is finite and not RESULT_NONE. */
bool chart_is_value(double value);

/* chart_cell returns a value of a CHART_CELLS item, RESULT_NONE if there is none or outside the
 * grid; chart_is_within returns true if that value is at most the contour. */
double chart_cell(const struct chart_item *cells, int row, int column);
bool chart_is_within(const struct chart_item *cells, int row, int column);

/* Returns the name of the item, or of the span's look if that differs from the item's look. */
const char *chart_span_name(const struct chart_item *item, const struct chart_span *span);

#define LEGEND_MAX 32
#define LEGEND_TEXT_MAX 255

struct legend_entry {
    enum chart_kind kind; /* kind of the sample; CHART_CURVE for a contour */
    enum chart_look look;
    char text[LEGEND_TEXT_MAX + 1];
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX]; /* of cells: ends of the shade scale */
    const struct chart_item *item;
    bool hidden;      /* not needed: the name of a rule is beside the rule */
    double width, at; /* width: set by the output form; at: set by legend_place */
    int line;
};

struct legend {
    struct legend_entry entry[LEGEND_MAX];
    int count;
};

/* Lists each combination of look and name once, in order, and every rule. */
void chart_legend(const struct chart *chart, struct legend *legend);

/* Distributes the entries not hidden over lines of width `room`, `gap` apart. Returns the number of
 * lines; `used` receives the width of the last one. */
int legend_place(struct legend *legend, double room, double gap, double *used);

#endif
