/* The traces of parallel programs, read from files, parsed once and kept.
 *
 * Traces with the same bytes share one program, so that designs can be compared by pointer. A
 * changed file becomes another program when it is read again; the former one stays valid. */
#ifndef AOLAG_DESIGN_TRACE_LIBRARY_H
#define AOLAG_DESIGN_TRACE_LIBRARY_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/scenario.h"

/* A zero-initialised library is empty. It must outlive every scenario that uses its programs. */
struct trace_library {
    struct trace_entry *list;
    int count, capacity;
};

void trace_library_free(struct trace_library *library);

/* Sets the trace of a component. `path` is absolute or relative to the directory of the scenario
 * file `from` (NULL: the working directory). On failure nothing changes and every problem is added
 * to `problems` as text to follow the path: problems in the trace begin with "line N: ". */
enum status scenario_read_trace(struct scenario *scenario, int component,
                                struct trace_library *library, const char *from, const char *path,
                                struct problems *problems);

/* Like scenario_read_trace, but reports the first problem, prefixed with "FILE:LINE: " of the
 * trace, and the number of further problems in one message. */
enum status scenario_set_trace(struct scenario *scenario, int component,
                               struct trace_library *library, const char *from, const char *path,
                               struct error *error);

/* Adapts the traces of a copy of a scenario that was read from the file `from` and will be saved as
 * `to` (either NULL: the working directory): if the directories differ, relative paths not found
 * from there are replaced by the absolute paths they were read from. */
void scenario_move_traces(struct scenario *scenario, const char *from, const char *to);

#endif
