/* The items of a chart inside a plot that is open. For chart_canvas. */
#ifndef AOLAG_CHART_ITEMS_H
#define AOLAG_CHART_ITEMS_H

#include "chart.h"

/* The y of the plot where the chart's y lies: of names, y is the number of a row. */
double chart_y_place(const struct chart *chart, const struct plot *plot, double y);

/* All but labels: cells, spans, curves, dots, and behind those the rules. */
void chart_draw_items(const struct chart *chart, const struct plot *plot);

/* The labels of points and spans that have room: never over anything. */
void chart_draw_labels(const struct chart *chart, const struct plot *plot);

/* The name of a rule beside it. false: it has no room. */
bool chart_label_rule(const struct chart *chart, const struct chart_item *item,
                      const struct plot *plot);

#endif
