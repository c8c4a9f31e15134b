/* Axes, and plots on a canvas: two axes with ticks and labels, and inside them points, curves and
 * rules. Curves are of braille dots where there is Unicode (2 by 4 a cell), else of ASCII
 * characters; style alone never tells one curve from another, so each has a mark of its own. */
#ifndef AOLAG_DRAW_PLOT_H
#define AOLAG_DRAW_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"

#define PLOT_TICKS_MAX 32
#define PLOT_LABEL_MAX 32

enum plot_scale {
    PLOT_LINEAR,
    PLOT_WHOLE,   /* linear, ticks at whole numbers only */
    PLOT_DECADES, /* logarithmic, ticks at powers of 10 */
    PLOT_BINARY   /* logarithmic, ticks at powers of 2: sizes */
};

struct plot_axis {
    enum plot_scale scale;
    double low, high; /* low below high, both finite; above 0 on logarithmic scales */
    const char *unit; /* of the labels, as units.h spells it: "s", "B", "FLOP/s"; "": a number */
};

struct plot_ticks {
    int count;
    struct {
        double value;
        char label[PLOT_LABEL_MAX];
    } tick[PLOT_TICKS_MAX];
};

bool plot_is_linear(enum plot_scale scale);

/* Whether the axis keeps the conditions stated above. */
bool plot_axis_is_good(const struct plot_axis *axis);

/* Widens low and high to round values of a logarithmic scale: 1, 2 or 5 times a power of 10, or
 * powers of 2. Equal ends are moved apart. */
struct plot_axis plot_axis_around(enum plot_scale scale, double low, double high, const char *unit);

/* The distance of a value from the low end, in cells of which the axis has `cells`; -infinity for
 * what a logarithmic axis cannot hold. */
double plot_place(const struct plot_axis *axis, double value, int cells);

/* The value at that part (0 to 1) of the way from the low to the high end. */
double plot_value(const struct plot_axis *axis, double part);

/* "16 KiB", "10 ns": the label of a value. */
void plot_label(const struct plot_axis *axis, double value, char *text, size_t size);

/* "37.4 KiB": a capacity with three significant digits. */
void plot_capacity(double bytes, char *text, size_t size);

/* As many round values as have room, at least one: of an axis that goes up labels are a row apart,
 * of one that goes along (`along`) they stand side by side. */
void plot_ticks(const struct plot_axis *axis, int cells, bool along, struct plot_ticks *ticks);

/* Where the line between two points (each across and down) enters and leaves the box from 0 to
 * `size`, as parts (0 to 1) of the way. false: it does not touch the box, or a point is not finite.
 */
bool plot_clip(const double size[2], const double from[2], const double to[2], double part[2]);

struct plot {
    struct canvas *canvas;
    struct rect inside; /* the cells between the axes */
    struct plot_axis x, y;
    int band; /* rows of the canvas that a row of names takes; 0: y is one of numbers */
};

/* Draws the axes and their labels into the box. false, and nothing drawn, where there is no room
 * for a plot or an axis is not good. */
bool plot_open(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
               struct plot_axis y);

/* The same with names along y, the first at the top, each with `band` rows; names that have no room
 * are counted beside the axis below. Row r lies at y = y.high - r - 0.5. */
bool plot_open_rows(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
                    char *const *name, int rows);

/* The cell of a point; false: it is outside or not finite. What lies outside the axes or is not
 * finite is left out by the functions below. */
bool plot_cell(const struct plot *plot, double x, double y, int *row, int *column);

void plot_mark(const struct plot *plot, double x, double y, enum style style, uint32_t character);

/* Joins the points in their order, cut where the plot ends. `character` is what the curve is made
 * of in ASCII. */
void plot_curve(const struct plot *plot, const double *x, const double *y, int count,
                enum style style, uint32_t character);

/* A rule from top to bottom, behind what is there already, with its label at its upper end; one
 * from left to right, without a label. */
void plot_vertical(const struct plot *plot, double x, enum style style, const char *label);
void plot_horizontal(const struct plot *plot, double y, enum style style);

/* A mark on the axis along, its label beside it. */
void plot_below(const struct plot *plot, double x, enum style style, uint32_t character,
                const char *label);

#endif
