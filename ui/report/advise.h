/* Advice as text and as JSON. */
#ifndef AOLAG_REPORT_ADVISE_H
#define AOLAG_REPORT_ADVISE_H

#include <stdbool.h>
#include <stdio.h>

#include "explore/advise.h"
#include "report/report.h"

/* The report. Without `all` only steps that gain, the best of them, and the knobs to which the
 * latency is most sensitive. `parts`: how many were found to their end; the others are left out. */
void advise_print_text(FILE *out, const struct advise *advise, bool all, int parts);

/* Everything; of parts that were not found to their end null. */
void advise_print_json(FILE *out, const struct advise *advise, int parts);

/* Cells of the tables of advice, in the order of the columns. Part of advise_text. */

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
void advice_then(struct table *table, const struct performance *now,
                 const struct performance *after, bool slower, bool later);

#endif
