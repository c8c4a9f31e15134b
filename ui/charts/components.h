/* Bar chart of the compute time and memory time of every component. */
#ifndef AOLAG_CHARTS_COMPONENTS_H
#define AOLAG_CHARTS_COMPONENTS_H

#include <stdio.h>

#include "design/scenario.h"
#include "draw/chart.h"
#include "model/result.h"

/* Initialises the chart. Times are per frame; those of a divided component are totals. */
void chart_components(struct chart *chart, const struct scenario *scenario,
                      const struct result *result);

/* Prints the same as a table of at most `columns` columns. */
void components_table(const struct scenario *scenario, const struct result *result, FILE *out,
                      int columns);

#endif
