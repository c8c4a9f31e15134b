/* An evaluated design as data. Names are stable; numbers are those of the result table, in its
 * units. */
#ifndef AOLAG_REPORT_EVAL_H
#define AOLAG_REPORT_EVAL_H

#include <stdio.h>

#include "design/scenario.h"
#include "model/jitter.h"
#include "model/result.h"
#include "report/json.h"

#define EVAL_SCHEMA 1

/* With the member "jitter" where there is such; NULL: none. */
void eval_json(FILE *out, const struct scenario *scenario, const struct result *result,
               const struct jitter *jitter);

/* That member. */
void jitter_json(struct json *json, const struct jitter *jitter);

/* RFC 4180 but for the line ends, which are this system's: a header with the JSON keys, then one
 * row per component and inserted transfer. What does not exist is empty. */
void eval_csv(FILE *out, const struct scenario *scenario, const struct result *result);

#endif
