/* What a search for a knob's value found, for people and for programs. Part of seek. */
#ifndef AOLAG_REPORT_SEEK_H
#define AOLAG_REPORT_SEEK_H

#include <stdio.h>

#include "explore/seek.h"

#define SEEK_SENTENCE_MAX 1000

void seek_text(FILE *out, const struct scenario *scenario, const struct seek *seek);
void seek_json(FILE *out, const struct scenario *scenario, const struct seek *seek);

/* Why no value fulfils the conditions: the best that was reached, where, and what binds there. */
void seek_infeasible(const struct scenario *scenario, const struct seek *seek, char *text,
                     size_t size);

#endif
