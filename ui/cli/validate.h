/* aolag validate: the model held against kernels measured on this machine. */
#ifndef AOLAG_VALIDATE_H
#define AOLAG_VALIDATE_H

#include "cli/arguments.h"

/* With the options preset, csv and json of `arguments`; an exit status. */
int validate_kernels(struct cli *cli, const struct arguments *arguments);

#endif
