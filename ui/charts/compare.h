/* The times of every component in two designs, a pair of bars each. */
#ifndef AOLAG_CHARTS_COMPARE_H
#define AOLAG_CHARTS_COMPARE_H

#include <stdio.h>

#include "draw/chart.h"
#include "explore/compare.h"

/* Whether it has bars: cameras, whose readout no computer shortens, have none. */
bool compare_has_bar(const struct compared_node *node);

/* Of designs called `name`. */
void chart_compare(const struct comparison *comparison, const char *const name[SIDES],
                   struct chart *chart);

/* The same side by side as a table, in at most `columns` columns. */
void compare_table(const struct comparison *comparison, const char *const name[SIDES], FILE *out,
                   int columns);

#endif
