/* What was measured, for people and for programs. */
#ifndef AOLAG_PROBE_REPORT_H
#define AOLAG_PROBE_REPORT_H

#include <stdio.h>

#include "cli/measure.h"

void probe_report_text(FILE *out, const struct measure *measure);

/* One object, valid whatever was measured: conditions, settings, parts, points with their raw
 * samples, and what follows from them. */
void probe_report_json(FILE *out, const struct measure *measure);

#endif
