/* What one step of each knob would gain, as bars: the best of them. */
#ifndef AOLAG_CHARTS_ADVISE_H
#define AOLAG_CHARTS_ADVISE_H

#include "draw/chart.h"
#include "explore/advise.h"

#define CHART_ADVISE_ROWS 20

/* Initialises the chart. The advice has its steps. */
void chart_advise(struct chart *chart, const struct advise *advise);

#endif
