/* A chart on a canvas. */
#ifndef AOLAG_DRAW_CHART_CANVAS_H
#define AOLAG_DRAW_CHART_CANVAS_H

#include "draw/chart.h"

/* Draws it into the box: axes, items, and the labels that have room. Its title is left to the frame
 * around. The legend stands below the plot; of what decorates the picture the note goes first where
 * there is little room, then the titles of the axes, and the legend last. Of rows of names those
 * that have no room are counted below the others. `plot` (NULL: not wanted) says where it went, so
 * that a cursor may be drawn over it. false, and a sentence in place of the picture, where there is
 * no room for it, nothing to draw or it failed. */
bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot);

/* The items of a chart inside a plot that is open. For chart_canvas. */

/* The y of the plot where the chart's y lies: of names, y is the number of a row. */
double chart_y_place(const struct chart *chart, const struct plot *plot, double y);

/* All but labels: cells, spans, curves, dots, and behind those the rules. */
void chart_draw_items(const struct chart *chart, const struct plot *plot);

/* The labels of points and spans that have room: never over anything. */
void chart_draw_labels(const struct chart *chart, const struct plot *plot);

/* The name of a rule beside it. false: it has no room. */
bool chart_label_rule(const struct chart *chart, const struct chart_item *item,
                      const struct plot *plot);

#endif
