/* Advice as text and as JSON. */
#ifndef AOLAG_ADVISE_TEXT_H
#define AOLAG_ADVISE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "explore/advise.h"

/* The report. Without `all` only steps that gain, the best of them, and the knobs to which the
 * latency is most sensitive. `parts`: how many were found to their end; the others are left out. */
void advise_print_text(FILE *out, const struct advise *advise, bool all, int parts);

/* Everything; of parts that were not found to their end null. */
void advise_print_json(FILE *out, const struct advise *advise, int parts);

#endif
