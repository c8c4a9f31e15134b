/* Chart of a sweep. One knob: a curve, or bars for choices. Two knobs: a map, or a curve for each
 * choice of one of them. Marks show the target, the present design, the best design and changes of
 * bottleneck. */
#ifndef AOLAG_CHARTS_SWEEP_H
#define AOLAG_CHARTS_SWEEP_H

#include <stdio.h>

#include "draw/chart.h"
#include "explore/grid.h"

/* Initialises the chart. `result`: of the scenario that the grid was made from; NULL: none. The
 * first `first` bars are omitted. */
void chart_sweep(struct chart *chart, const struct grid *grid, const struct scenario *scenario,
                 const struct result *result, int first);

/* Prints every design of the grid as a table of at most `columns` columns, including those without
 * a cell in the chart. */
void sweep_table(const struct grid *grid, FILE *out, int columns);

/* Writes a value of an axis with its unit and without rounding noise. */
void sweep_point_text(const struct axis *axis, int i, char *text, size_t size);

/* Writes "unstable, maximum 0.986" if a design has no value because its gain is too large; else returns
 * false. */
bool sweep_say_unstable(const struct grid *grid, int number, char *text, size_t size);

/* Returns the present value of axis `a`, a number (SI) or a choice; RESULT_NONE: unknown. */
double chart_sweep_present(const struct grid *grid, int a, const struct scenario *scenario,
                           const struct result *result);

#endif
