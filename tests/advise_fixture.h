/* Advice for tests: on a system, one part of it; and what it says held against an evaluation. */
#ifndef AOLAG_ADVISE_FIXTURE_H
#define AOLAG_ADVISE_FIXTURE_H

#include "explore/advise.h"

#define ADVISE_SYSTEMS 3

extern const char *const advise_systems[ADVISE_SYSTEMS];

/* The design advice is on, and a copy to be changed. */
extern struct scenario advise_design, advise_changed;

/* The embedded catalogue's; for a suite's setup too. NULL after a failed check. */
const struct part_values *advise_part_values(void);

/* Advice on a design; NULL after a failed check. */
struct advise *advise_on(const struct scenario *design);

/* Finds one part; false after a failed check. */
bool advise_has(struct advise *advise, enum advise_part part);

/* Both, of a system that becomes advise_design; a target of so many s, 0: its own. */
struct advise *advise_system(const char *name, enum advise_part part, double target);

/* A knob of advise_design. */
struct knob_ref advise_knob(const char *path);

/* Sets a knob of advise_changed. */
void advise_set(struct knob_ref ref, const char *value);

/* Evaluates advise_changed in a fresh result and holds a verdict against that; the latency. */
double advise_check(const char *what, const struct performance *verdict);

#endif
