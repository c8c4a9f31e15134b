/* The roofs of a device and the components under them, as a chart. */
#ifndef AOLAG_CHARTS_ROOFLINE_H
#define AOLAG_CHARTS_ROOFLINE_H

#include <stdio.h>

#include "draw/chart.h"
#include "model/roofline.h"

/* What `roofs` has: a curve for each ceiling, named with its rate, and a dot for each component
 * that moves bytes and computes; others have no place on the axes. The label of point `focus` (-1:
 * of none) gets room first. */
void chart_roofline(struct chart *chart, const struct roofs *roofs, int focus);

/* All its numbers as text: ceilings, ridges, components, what keeps each from its roof. Lines of at
 * most `columns` cells where the names allow it. Write errors stay in the stream. */
void roofline_table(const struct roofs *roofs, FILE *out, int columns);

/* "recon", "control deferred". */
void roofline_name(const struct roof_point *point, char *text, size_t size);

/* "53 %", "0.26 %", a dash for RESULT_NONE: the fraction of the roof. */
void roofline_fraction(double fraction, char *text, size_t size);

#endif
