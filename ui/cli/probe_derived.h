/* What follows from a measurement, as JSON. */
#ifndef AOLAG_PROBE_DERIVED_H
#define AOLAG_PROBE_DERIVED_H

#include "cli/json.h"
#include "probe/measurement.h"

/* The member "derived" of an object: the staircase, the table of operations, the machine and the
 * fits of its Apex-MAP surface. What was not measured is null or an empty list. */
void probe_derived(struct json *json, const struct measurement *measurement);

#endif
