/* aolag eval: an evaluated design. Names of data are stable. */
#ifndef AOLAG_REPORT_EVAL_H
#define AOLAG_REPORT_EVAL_H

#include "design/scenario.h"
#include "model/jitter.h"
#include "model/result.h"
#include "report/record.h"

/* JSON: all results. CSV: a row for each component and inserted transfer. Markdown: a design report
 * for a review, with assumptions and uncertainty, which ends in the heading of its pictures.
 * `jitter` (NULL: none) is no part of CSV. */
void eval_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct jitter *jitter);

#endif
