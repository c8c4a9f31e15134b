/* A chart as a file: SVG 1.1, of the size of a slide, black on white and readable without colours.
 */
#ifndef AOLAG_CHART_SVG_H
#define AOLAG_CHART_SVG_H

#include <stdio.h>

#include "chart.h"

/* Write errors stay in the stream. */
void chart_svg(const struct chart *chart, FILE *out);

#endif
