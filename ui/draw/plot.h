/* Plots on a canvas: two axes with ticks and labels, and points, curves and rules between them.
 * Curves consist of braille dots (2 by 4 per cell) with Unicode, otherwise of ASCII characters.
 * Style alone never distinguishes two curves, so each has its own mark. */
#ifndef AOLAG_DRAW_PLOT_H
#define AOLAG_DRAW_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "draw/plot_axis.h"

struct plot {
    struct canvas *canvas;
    struct rect inside; /* cells between the axes */
    struct plot_axis x, y;
    int band; /* canvas rows per named row; 0: y is numeric */
};

/* Draws the axes and their labels into the box. Returns false and draws nothing if the box is too
 * small or an axis is invalid. */
bool plot_open(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
               struct plot_axis y);

/* Same as plot_open, with names along y, the first at the top and `band` rows each; names that do
 * not fit are counted beside the lower axis. Row r is at y = y.high - r - 0.5. */
bool plot_open_rows(struct plot *plot, struct canvas *canvas, struct rect box, struct plot_axis x,
                    char *const *name, int rows);

/* Returns the columns between the axes that plot_open_rows makes if it shows all rows. */
int plot_row_columns(struct rect box, char *const *name, int rows);

/* Finds the cell of a point. Returns false if the point is outside the plot or not finite; the
 * functions below do not draw such points. */
bool plot_cell(const struct plot *plot, double x, double y, int *row, int *column);

void plot_mark(const struct plot *plot, double x, double y, enum style style, uint32_t character);

/* Joins the points in order, clipped to the plot. In ASCII the curve consists of `character`. */
void plot_curve(const struct plot *plot, const double *x, const double *y, int count,
                enum style style, uint32_t character);

/* Fills the blank cells that lie between two lines by a quarter at least, from x[0] to x[1]; what
 * is drawn, also a label with its blanks, stays. */
void plot_band(const struct plot *plot, const double x[2], const double low[2],
               const double high[2], enum style style, uint32_t character);

/* Draw a rule from top to bottom or from left to right, behind what is already drawn. */
void plot_vertical(const struct plot *plot, double x, enum style style);
void plot_horizontal(const struct plot *plot, double y, enum style style);

#endif
