/* aolag seek: what a search for a knob's value found. */
#ifndef AOLAG_REPORT_SEEK_H
#define AOLAG_REPORT_SEEK_H

#include "explore/seek.h"
#include "report/record.h"

#define SEEK_SENTENCE_MAX 1000

/* As text only where a value fulfils the conditions (seek_feasible). */
void seek_report(struct record *record, const struct scenario *scenario, const struct seek *seek);

/* Why no value fulfils the conditions: the best that was reached, where, and what binds there. */
void seek_infeasible(const struct scenario *scenario, const struct seek *seek, char *text,
                     size_t size);

#endif
