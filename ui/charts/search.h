/* Chart of a search: the latency of the designs of the front, with its range, against their power, and
 * the present design. A list has the values of the designs by their numbers; if there is none, a
 * sentence says why. */
#ifndef AOLAG_CHARTS_SEARCH_H
#define AOLAG_CHARTS_SEARCH_H

#include "draw/chart.h"
#include "explore/search.h"

/* Initialises the chart, with the system as its heading, of an answer that is folded. Designs of unknown
 * power are not in it, and equivalent ones neither unless `all` are asked for. */
void chart_search(struct chart *chart, const struct search *search,
                  const struct search_answer *answer, bool all);

#endif
