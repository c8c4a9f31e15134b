/* aolag params: a knob, as the table or a design has it. */
#ifndef AOLAG_REPORT_PARAMS_H
#define AOLAG_REPORT_PARAMS_H

#include "design/knob.h"
#include "model/result.h"
#include "report/record.h"

/* A row of a table of knobs; in text an entry of its own. `scenario` NULL: what holds for every
 * instance of the knob's section. `result` NULL: the design is invalid. */
void params_put_knob(struct record *record, const struct scenario *scenario,
                     const struct result *result, struct knob_ref ref);

#endif
