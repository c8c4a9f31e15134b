/* A sweep as a chart: a curve over one knob, or bars of its choices; a map over two, or a curve for
 * each choice of one of them. The target, the design as it is, the best and where another part
 * begins to bind are marked. */
#ifndef AOLAG_CHARTS_SWEEP_H
#define AOLAG_CHARTS_SWEEP_H

#include <stdio.h>

#include "draw/chart.h"
#include "explore/grid.h"

/* `result` is that of the scenario, which the grid was made from; NULL: it has none. Of bars those
 * before number `first` are left out. */
void chart_sweep(struct chart *chart, const struct grid *grid, const struct scenario *scenario,
                 const struct result *result, int first);

/* Every design of the grid as a table of at most `columns` columns, whichever of them a picture
 * has a cell for. */
void sweep_table(const struct grid *grid, FILE *out, int columns);

/* A point of an axis as it is read: with its unit, without the noise of a division. */
void sweep_point_text(const struct axis *axis, int i, char *text, size_t size);

/* The design's own value of axis `a`, as a number (SI) or a choice; RESULT_NONE: not known. */
double chart_sweep_present(const struct grid *grid, int a, const struct scenario *scenario,
                           const struct result *result);

#endif
