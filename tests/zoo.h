/* One of everything that has knobs, and ways to go through them. */
#ifndef AOLAG_ZOO_H
#define AOLAG_ZOO_H

#include <stdbool.h>

#include "draw.h"
#include "design/knob.h"
#include "design/scenario.h"

/* A sensor and a device of each kind (s, p, c, g, f) and a component of each type, named for it, so
 * that every knob applies somewhere. */
void zoo_make(struct scenario *scenario);

/* Calls `visit` for every knob of every instance it applies to; returns how many. */
int zoo_each(struct scenario *scenario, void (*visit)(struct scenario *, struct knob_ref));

/* The names of a choice, NULL-terminated. */
const char *const *zoo_choices(enum section section, const char *key);

bool zoo_is_number(const struct knob *knob);

/* A value in SI anywhere in a knob's range, now and then an end, whole where it has to be. */
double zoo_value(const struct knob *knob, struct draw *draw);

#endif
