/* The conditions of a measurement, of the machine whose /proc and /sys are below a directory. */
#ifndef AOLAG_CONDITIONS_H
#define AOLAG_CONDITIONS_H

#include "measurement.h"

/* Fills those that the system's files tell: CPU, governor, turbo, huge pages, virtual and caches,
 * as hardware thread `thread` sees them; "unknown" where they do not. `root` as in system.h. */
void conditions_read(const char *root, int thread, char condition[CONDITIONS][CONDITION_MAX]);

#endif
