/* The numbers of a chart as text: every point, span and cell, with units. */
#ifndef AOLAG_DRAW_CHART_TABLE_H
#define AOLAG_DRAW_CHART_TABLE_H

#include <stdio.h>

#include "draw/chart.h"

/* Lines of at most `columns` cells where the names allow it; UTF-8. Write errors stay in the
 * stream.
 */
void chart_table(const struct chart *chart, FILE *out, int columns);

#endif
