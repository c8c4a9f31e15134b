/* What compute and memory take in every component, as bars. */
#ifndef AOLAG_CHARTS_COMPONENTS_H
#define AOLAG_CHARTS_COMPONENTS_H

#include "draw/chart.h"
#include "result.h"

/* Initialises the chart. Times are of one frame; of a component in parts those of the whole. */
void chart_components(struct chart *chart, const struct result *result);

#endif
