/* The times of every component in two designs, a pair of bars each. */
#ifndef AOLAG_CHARTS_COMPARE_H
#define AOLAG_CHARTS_COMPARE_H

#include <stdio.h>

#include "draw/chart.h"
#include "explore/compare.h"

/* Of designs called `name`. Cameras, whose readout no computer shortens, are left out. */
void chart_compare(const struct comparison *comparison, const char *const name[SIDES],
                   struct chart *chart);

/* compare_table.c: the same side by side, in at most `columns` columns. */
void compare_table(const struct comparison *comparison, const char *const name[SIDES], FILE *out,
                   int columns);

#endif
