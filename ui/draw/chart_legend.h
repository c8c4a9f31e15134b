/* What the legend of a chart says, for those who show charts. */
#ifndef AOLAG_CHART_LEGEND_H
#define AOLAG_CHART_LEGEND_H

#include "chart.h"
#include "plot_axis.h"

#define LEGEND_MAX 32
#define LEGEND_TEXT_MAX 255

struct legend_entry {
    enum chart_kind kind; /* what its sample is of; of a line around cells a curve's */
    enum chart_look look;
    char text[LEGEND_TEXT_MAX + 1];
    const struct chart_item *item;
};

/* Each look under each name once, in their order, and every rule: that one is not needed where its
 * name stands beside it. Returns how many. */
int chart_legend(const struct chart *chart, struct legend_entry entry[LEGEND_MAX]);

/* The ends of what the shades of cells mean: "10 us", "2 ms". */
void chart_shade_ends(const struct chart_item *cells, char low[PLOT_LABEL_MAX],
                      char high[PLOT_LABEL_MAX]);

#endif
