/* Advice as text, Markdown and JSON. */
#ifndef AOLAG_REPORT_ADVISE_H
#define AOLAG_REPORT_ADVISE_H

#include <stdbool.h>

#include "explore/advise.h"
#include "report/record.h"

/* Parts of the advice from number `parts` on were not found to their end: they are left out, in JSON
 * null. Without `all` text has only the best of the steps that gain, and the knobs to which the
 * latency is most sensitive; JSON has all. */
void advise_report(struct record *record, const struct advise *advise, bool all, int parts);

#endif
