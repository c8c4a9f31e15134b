/* A chart on a canvas. */
#ifndef AOLAG_CHART_CANVAS_H
#define AOLAG_CHART_CANVAS_H

#include "chart.h"

/* Draws it into the box, its legend outside the plot and left out first where there is little room.
 * `plot` (NULL: not wanted) says where it went, so that a cursor may be drawn over it. false, and a
 * sentence in place of the picture, where there is no room for it or it failed. */
bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot);

#endif
