/* Bar chart of the part of each port, link, memory and disk that the flow of data uses. */
#ifndef AOLAG_CHARTS_FLOW_H
#define AOLAG_CHARTS_FLOW_H

#include "draw/chart.h"
#include "model/flow.h"

/* Initialises the chart. Resources of unknown capacity have no bar. */
void chart_flow(struct chart *chart, const struct flow *flow);

#endif
