/* What compute and memory take in every component, as bars. */
#ifndef AOLAG_CHARTS_COMPONENTS_H
#define AOLAG_CHARTS_COMPONENTS_H

#include <stdio.h>

#include "draw/chart.h"
#include "model/result.h"

/* Initialises the chart. Times are of one frame; of a component in parts those of the whole. */
void chart_components(struct chart *chart, const struct result *result);

/* The same as a table, in at most `columns` columns. */
void components_table(const struct result *result, FILE *out, int columns);

#endif
