/* The text report of an evaluated design: 80 columns, every number with its unit. µ and the like
 * only where the locale's characters are UTF-8; colours only on a terminal and without NO_COLOR. */
#ifndef AOLAG_REPORT_H
#define AOLAG_REPORT_H

#include <stdio.h>

#include "explore/jitter.h"
#include "result.h"
#include "scenario.h"

void report_print(FILE *out, const struct scenario *scenario, const struct result *result);

/* Goes on with what becomes of the latency when times vary. */
void report_jitter(FILE *out, const struct jitter *jitter);

#endif
