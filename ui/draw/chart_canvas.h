/* A chart on a canvas. */
#ifndef AOLAG_DRAW_CHART_CANVAS_H
#define AOLAG_DRAW_CHART_CANVAS_H

#include "draw/chart.h"

/* Draws it into the box: axes, items, and the labels that have room. Its title is left to the frame
 * around. The legend stands below the plot. Where there is little room the note is left out first,
 * then the titles of the axes, and the legend last; rows of names that have none are counted below
 * the others. `plot` (NULL: not wanted) says where it went, so that a cursor may be drawn over it.
 * false, and a sentence in place of the picture, where there is no room for it, nothing to draw or
 * it failed. */
bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot);

#endif
