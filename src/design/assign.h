/* Assignments "PATH=VALUE", as in --set: blanks around the = and quotes around the value are
 * allowed, as in a file. */
#ifndef AOLAG_DESIGN_ASSIGN_H
#define AOLAG_DESIGN_ASSIGN_H

#include <stdbool.h>

#include "base/status.h"
#include "design/knob.h"
#include "design/preset.h"
#include "design/scenario.h"

struct assignments {
    const char *const *list;
    int count;
};

/* Applies assignments: presets first, then kinds and types, then the rest, each in order. Relative
 * trace paths start from the directory of the file `from` (NULL: the working directory). The value
 * of a number may be relative to the one that it has: "x2", "/2", "+10%" (number_factor); not to an
 * automatic one, which follows from the design. What no longer holds then (knob_drop_stale) is
 * reset, unless an assignment sets it. On failure nothing changes and the error starts with the
 * assignment. */
enum status scenario_assign(struct scenario *scenario, struct catalogue *catalogue,
                            const char *from, const struct assignments *assignments,
                            struct error *error);

/* Resets what the user's change of these knobs makes stale (knob_drop_stale), unless one of them or
 * an assignment states it; `assignments` may be NULL. */
void scenario_drop_stale(struct scenario *scenario, const struct knob_ref *changed, int count,
                         const struct assignments *assignments);

/* Writes the value that a relative one comes to, from the present value in SI, in the form of
 * knob_set_text; returns false for other text and for what is no number. */
bool assign_relative(const struct knob *knob, double present, const char *text, char *value,
                     size_t size);

/* Returns true if one of the assignments sets the knob, or changes the type of its component to one
 * other than program. */
bool scenario_assigns(const struct scenario *scenario, struct knob_ref knob,
                      const struct assignments *assignments);

#endif
