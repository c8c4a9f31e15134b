/* Bar chart of the times of every component in two designs, a pair of bars each. */
#ifndef AOLAG_CHARTS_COMPARE_H
#define AOLAG_CHARTS_COMPARE_H

#include <stdio.h>

#include "draw/chart.h"
#include "explore/compare.h"

/* Returns true if the node has bars. Cameras have none: no computer shortens their readout. */
bool compare_has_bar(const struct compared_node *node);

/* Initialises the chart; `name` holds the names of the two designs, `latency` their latencies with
 * the ranges, as text. */
void chart_compare(const struct comparison *comparison, const char *const name[SIDES],
                   const char *const latency[SIDES], struct chart *chart);

/* Prints both sides as a table of at most `columns` columns. */
void compare_table(const struct comparison *comparison, const char *const name[SIDES], FILE *out,
                   int columns);

#endif
