/* aolag validate: the model held against kernels measured on this machine. */
#ifndef AOLAG_REPORT_VALIDATE_H
#define AOLAG_REPORT_VALIDATE_H

#include <stdio.h>

#include "cli/arguments.h"
#include "probe/predict.h"

/* With the options preset, csv and json of `arguments`; an exit status. */
int validate_kernels(struct cli *cli, const struct arguments *arguments);

/* The rows and what they come to, for people; no row wider than `columns`, 0: any. */
void validate_print_kernels(FILE *out, const struct prediction *prediction, int columns);

#endif
