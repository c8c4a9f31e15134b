/* The fits of memory models as text and as JSON. */
#ifndef AOLAG_REPORT_FIT_H
#define AOLAG_REPORT_FIT_H

#include <stdio.h>

#include "probe/fit.h"
#include "report/json.h"

/* All that was found of a surface. */
struct fit_report {
    const char *name; /* of the file */
    struct surface surface;
    struct fit fit[FIT_MODELS];
    struct residuals residuals[FIT_MODELS];
    int shown; /* the model whose map and residuals over the predicted time the text shows */
};

/* Fits the models to the surface that is there already; the best of them is shown. fit_report_free
 * accepts a report that was zeroed or failed, and frees the surface, too. */
enum status fit_report_make(struct fit_report *report, struct error *error);
void fit_report_free(struct fit_report *report);

/* What is doubtful about each model, and the shown one's map: parts of the text. Doubts
 * come in lines of at most `columns` cells. */
void fit_print_doubts(FILE *out, const struct fit_report *report, int columns);
void fit_print_map(FILE *out, const struct fit_report *report);

/* The member "models" of an object: a part of the JSON. */
void fit_put_models(struct json *json, const struct fit_report *report);

void fit_print_text(FILE *out, const struct fit_report *report);
void fit_print_json(FILE *out, const struct fit_report *report);

#endif
