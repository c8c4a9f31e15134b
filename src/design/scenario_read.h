/* The text of a scenario file read into a scenario. All problems are found in one reading. */
#ifndef AOLAG_DESIGN_SCENARIO_READ_H
#define AOLAG_DESIGN_SCENARIO_READ_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/assign.h"
#include "design/ini.h"
#include "design/preset.h"
#include "design/scenario.h"

/* What a text is read with. */
struct scenario_source {
    struct catalogue *catalogue;
    const char *from; /* the file whose directory relative traces are seen from; NULL: the working
                         directory */
    const struct assignments *assignments; /* that follow: a trace that one of them replaces is not
                                              read; NULL: none */
};

/* Fills the scenario, and `ini` with where the text says what; the latter is the caller's to free,
 * also on failure. `problems` is emptied first and sorted by line. */
enum status scenario_read(struct scenario *scenario, struct ini *ini, const char *bytes,
                          size_t length, const struct scenario_source *source,
                          struct problems *problems);

#endif
