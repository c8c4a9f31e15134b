/* A chart on a canvas. */
#ifndef AOLAG_CHART_CANVAS_H
#define AOLAG_CHART_CANVAS_H

#include "chart.h"

/* Draws it into the box: axes, items, and the labels that have room. Its title is left to the frame
 * around. The legend stands below the plot; of what decorates the picture the note goes first where
 * there is little room, then the titles of the axes, and the legend last. Of rows of names those
 * that have no room are counted below the others. `plot` (NULL: not wanted) says where it went, so
 * that a cursor may be drawn over it. false, and a sentence in place of the picture, where there is
 * no room for it, nothing to draw or it failed. */
bool chart_draw(const struct chart *chart, struct canvas *canvas, struct rect box,
                struct plot *plot);

#endif
