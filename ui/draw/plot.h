/* Plots on a canvas: two axes with ticks and labels, and inside them points, curves and rules.
 * Curves are of braille dots where there is Unicode (2 by 4 a cell), else of ASCII characters;
 * style alone never tells one curve from another, so each has a mark of its own. */
#ifndef AOLAG_DRAW_PLOT_H
#define AOLAG_DRAW_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "draw/plot_axis.h"

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

/* A rule from top to bottom, and one from left to right, behind what is there already. */
void plot_vertical(const struct plot *plot, double x, enum style style);
void plot_horizontal(const struct plot *plot, double y, enum style style);

#endif
