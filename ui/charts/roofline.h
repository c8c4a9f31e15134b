/* Roofline chart of a device: its ceilings and the components that it executes. */
#ifndef AOLAG_CHARTS_ROOFLINE_H
#define AOLAG_CHARTS_ROOFLINE_H

#include <stdio.h>

#include "draw/chart.h"
#include "model/roofline.h"

/* Initialises the chart: a curve for each ceiling, labelled with its rate, and a dot for each
 * component that both moves bytes and computes. The label of point `focus` (-1: none) is placed
 * first. */
void chart_roofline(struct chart *chart, const struct roofs *roofs, int focus);

/* Prints all numbers as text: ceilings, ridge points, components and what limits each below its
 * ceiling. Lines have at most `columns` cells if the names allow. Write errors stay in the
 * stream. */
void roofline_table(const struct roofs *roofs, FILE *out, int columns);

/* The columns of what components attain, in the text and in the list of the screen, and their
 * titles, up to NULL. */
enum roofline_column {
    ROOFLINE_NAME,
    ROOFLINE_INTENSITY,
    ROOFLINE_RATE,
    ROOFLINE_ROOF,
    ROOFLINE_FRACTION,
    ROOFLINE_BOUND,
    ROOFLINE_COLUMNS
};

extern const char *const roofline_titles[ROOFLINE_COLUMNS + 1];

/* Writes the name of a point: "recon", "control deferred". */
void roofline_name(const struct roof_point *point, char *text, size_t size);

/* Writes the reached fraction of the ceiling: "53 %", "0.26 %"; a dash for RESULT_NONE. */
void roofline_fraction(double fraction, char *text, size_t size);

#endif
