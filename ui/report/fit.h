/* The fits of memory models. */
#ifndef AOLAG_REPORT_FIT_H
#define AOLAG_REPORT_FIT_H

#include "probe/fit.h"
#include "report/record.h"

void fit_report(struct record *record, const struct surface_fit *report);

/* Sections of the text, and nothing of data: the models' values (`wide`: in lines of any width),
 * what is doubtful about them, where the shown one misses. */
void fit_put_table(struct record *record, const struct surface_fit *report, bool wide);
void fit_put_doubts(struct record *record, const struct surface_fit *report);
void fit_put_map(struct record *record, const struct surface_fit *report);

/* The member "models" of the data. */
void fit_put_models(struct record *record, const struct surface_fit *report);

#endif
