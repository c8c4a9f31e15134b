/* Assignments "PATH=VALUE", those of --set: blanks may stand around the = and quotes around the
 * value, as in a file. */
#ifndef AOLAG_DESIGN_ASSIGN_H
#define AOLAG_DESIGN_ASSIGN_H

#include <stdbool.h>

#include "base/status.h"
#include "design/preset.h"
#include "design/scenario.h"

struct assignments {
    const char *const *list;
    int count;
};

/* Makes assignments: presets first, then kinds and types, then the rest, each in order. `from` is
 * the file from whose directory relative traces are seen (NULL: the working directory). On failure
 * nothing changes and the error starts with the assignment. */
enum status scenario_assign(struct scenario *scenario, struct catalogue *catalogue,
                            const char *from, const struct assignments *assignments,
                            struct error *error);

/* Whether one of the assignments replaces the trace of a component, or makes it another than a
 * program. */
bool scenario_replaces_trace(const struct scenario *scenario, int component,
                             const struct assignments *assignments);

#endif
