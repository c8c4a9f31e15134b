/* aolag validate: the model compared with measurements, published ones and kernels measured on this
 * machine. */
#ifndef AOLAG_REPORT_VALIDATE_H
#define AOLAG_REPORT_VALIDATE_H

#include "explore/published.h"
#include "probe/predict.h"
#include "report/record.h"

/* `met`: all goals of the uses are. */
void validate_published_report(struct record *record, const struct published *published, bool met);

/* `preset`: of the device that the kernels are predicted from, NULL: of what was probed. */
void validate_kernels_report(struct record *record, const struct prediction *prediction,
                             const char *preset);

/* The same without title and schema. */
void validate_put_kernels(struct record *record, const struct prediction *prediction);

#endif
