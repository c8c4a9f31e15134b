/* Plots on a canvas: two axes with ticks and labels, and inside them points, curves and rules. Of
 * braille dots where there is Unicode (2 by 4 a cell), else of ASCII characters; what curves mean
 * is never told by their style alone, so each has a mark of its own as well. */
#ifndef AOLAG_DRAW_PLOT_H
#define AOLAG_DRAW_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"

enum plot_scale {
    PLOT_LINEAR,
    PLOT_WHOLE,   /* linear, ticks at whole numbers alone */
    PLOT_DECADES, /* logarithmic, ticks at powers of 10 */
    PLOT_BINARY   /* logarithmic, ticks at powers of 2: sizes */
};

struct plot_axis {
    enum plot_scale scale;
    double low, high; /* low below high, both finite; above 0 on logarithmic scales */
    const char *unit; /* of the labels, as units.h spells it: "s", "B", "FLOP/s"; "": a number */
};

struct plot {
    struct canvas *canvas;
    struct rect inside; /* the cells between the axes */
    struct plot_axis x, y;
    int band; /* rows of the canvas that a row of names takes; 0: y is one of numbers */
};

bool plot_is_linear(enum plot_scale scale);

/* Whether its numbers are as said above. */
bool plot_axis_is_good(const struct plot_axis *axis);

/* Widens low and high to round values of a logarithmic scale: 1, 2 or 5 times a power of 10, or
 * powers of 2; equal ones are parted. */
struct plot_axis plot_axis_around(enum plot_scale scale, double low, double high, const char *unit);

/* Draws the axes and their labels into the box. false, and nothing drawn, where there is no room
 * for a plot or an axis is not as said above. */
bool plot_open(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
               struct plot_axis y);

/* The same with names along y, the first at the top, each with `band` rows; names that have no room
 * are counted beside the axis below. Row r lies at y = y.high - r - 0.5. */
bool plot_open_rows(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
                    char *const *name, int rows);

/* The cell of a point; false: it is outside or not finite. */
bool plot_cell(const struct plot *plot, double x, double y, int *row, int *column);

/* What lies outside the axes or is not finite is left out. */
void plot_mark(const struct plot *plot, double x, double y, enum style style, uint32_t character);

/* Where the line between two points (each across and down) enters and leaves what lies between 0
 * and `size`, as parts (0 to 1) of the way. false: it does not touch it, or a point is not finite.
 */
bool plot_clip(const double size[2], const double from[2], const double to[2], double part[2]);

/* Joins the points in their order, cut where the plot ends. `character` is what it is made of in
 * ASCII. */
void plot_curve(const struct plot *plot, const double *x, const double *y, int count,
                enum style style, uint32_t character);

/* A rule across the plot, behind what is there already, with its label at its upper end. */
void plot_vertical(const struct plot *plot, double x, enum style style, const char *label);

/* The same from left to right, without one. */
void plot_horizontal(const struct plot *plot, double y, enum style style);

/* A mark on the axis along, its label beside it. */
void plot_below(const struct plot *plot, double x, enum style style, uint32_t character,
                const char *label);

/* "16 KiB", "10 ns": the label of a tick. */
void plot_label(const struct plot_axis *axis, double value, char *text, size_t size);

/* "37.4 KiB": a capacity with three significant digits. */
void plot_capacity(double bytes, char *text, size_t size);

/* The cells (with a fraction) a value is from the axis' low end, of `cells`. */
double plot_place(const struct plot_axis *axis, double value, int cells);

/* The value at that part (0 to 1) of the way from the axis' low to its high end. */
double plot_value(const struct plot_axis *axis, double part);

/* Where an axis has its ticks. For the plots. */

#define PLOT_TICKS_MAX 32
#define PLOT_LABEL_MAX 32

struct plot_ticks {
    double value[PLOT_TICKS_MAX];
    int count;
};

/* As many round values as have room: of an axis that goes up (labels a row apart) or along (labels
 * beside one another). */
void plot_ticks_up(const struct plot_axis *axis, int rows, struct plot_ticks *ticks);
void plot_ticks_along(const struct plot_axis *axis, int columns, struct plot_ticks *ticks);

#endif
