/* The fits of memory models as text and as JSON. */
#ifndef AOLAG_FIT_TEXT_H
#define AOLAG_FIT_TEXT_H

#include <stdio.h>

#include "probe/fit.h"
#include "probe/residuals.h"
#include "probe/surface.h"

/* All that was found of a surface. */
struct fit_report {
    const char *name; /* of the file */
    struct surface surface;
    struct fit fit[FIT_MODELS];
    struct residuals residuals[FIT_MODELS];
    int shown; /* the model whose map and residuals over the predicted time the text shows */
};

void fit_print_text(FILE *out, const struct fit_report *report);
void fit_print_json(FILE *out, const struct fit_report *report);

#endif
