/* The fits of memory models as text and as JSON. */
#ifndef AOLAG_REPORT_FIT_H
#define AOLAG_REPORT_FIT_H

#include <stdio.h>

#include "probe/fit.h"
#include "report/json.h"

/* What is doubtful about each model, and the shown one's map: parts of the text. Doubts
 * come in lines of at most `columns` cells. */
void fit_print_doubts(FILE *out, const struct surface_fit *report, int columns);
void fit_print_map(FILE *out, const struct surface_fit *report);

/* The member "models" of an object: a part of the JSON. */
void fit_put_models(struct json *json, const struct surface_fit *report);

void fit_print_text(FILE *out, const struct surface_fit *report);
void fit_print_json(FILE *out, const struct surface_fit *report);

#endif
