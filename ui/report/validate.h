/* aolag validate: the model held against kernels measured on this machine. */
#ifndef AOLAG_REPORT_VALIDATE_H
#define AOLAG_REPORT_VALIDATE_H

#include <stdio.h>

#include "probe/predict.h"

/* The rows and what they come to, for people; no row wider than `columns`, 0: any. */
void validate_print_kernels(FILE *out, const struct prediction *prediction, int columns);

/* The same as JSON; `preset`: of the device they are predicted from, NULL: of what was probed. */
void validate_put_kernels(FILE *out, const struct prediction *prediction, const char *preset);

#endif
