/* A chart as a file: SVG 1.1, of the size of a slide, black on white and readable without colours.
 * We write it ourselves so that files can be compared line by line and no graphics library is
 * needed. */
#ifndef AOLAG_DRAW_CHART_SVG_H
#define AOLAG_DRAW_CHART_SVG_H

#include <stdio.h>

#include "draw/chart.h"

/* Text is escaped; what XML does not allow becomes '?'. Write errors stay in the stream. */
void chart_svg(const struct chart *chart, FILE *out);

#endif
