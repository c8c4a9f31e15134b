/* Cells of the tables of advice, in the order of the columns. Part of advise_text. */
#ifndef AOLAG_ADVISE_CELLS_H
#define AOLAG_ADVISE_CELLS_H

#include "cli/report_parts.h"
#include "explore/advise.h"

/* The path of a knob. */
void advice_path(struct table *table, const struct scenario *scenario, struct knob_ref ref);

/* From one value to the other; of a list that grew or shrank, by what: "+ rtc". */
void advice_change(const struct report *report, struct table *table, const char *from,
                   const char *to);

/* Two cells: as time, and in percent of `whole`. */
void advice_gain(const struct report *report, struct table *table, double gain, double whole);

void advice_elasticity(struct table *table, double elasticity);

/* What else is different after a step: "then calibration memory binds, target missed"; empty:
 * nothing is. `slower` and `later` as in struct advice. */
void advice_then(struct table *table, const struct verdict *now, const struct verdict *after,
                 bool slower, bool later);

#endif
