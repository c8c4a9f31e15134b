/* The traces of parallel programs, read from files, parsed once and kept.
 *
 * Traces with the same bytes are one program, so that designs can be compared by the pointer. A
 * file that changed becomes another program when it is read again; the former one stays valid. */
#ifndef AOLAG_DESIGN_TRACE_LIBRARY_H
#define AOLAG_DESIGN_TRACE_LIBRARY_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/scenario.h"

/* Zero-initialised is empty; it has to outlive every scenario with one of its programs. */
struct trace_library {
    struct trace_entry *list;
    int count, capacity;
};

void trace_library_free(struct trace_library *library);

/* States the trace of a component. `path` is absolute or seen from the directory of the scenario's
 * file `from` (NULL: from the working directory). On failure nothing changes and `problems` gets a
 * sentence for each thing that is wrong, to stand behind the path: those of the trace begin with
 * "line N: ". */
enum status scenario_read_trace(struct scenario *scenario, int component,
                                struct trace_library *library, const char *from, const char *path,
                                struct problems *problems);

/* The same with one sentence: the first problem, behind "FILE:LINE: " of the trace, and how many
 * more there are. */
enum status scenario_set_trace(struct scenario *scenario, int component,
                               struct trace_library *library, const char *from, const char *path,
                               struct error *error);

/* For a copy to be saved as the file `to`, of a scenario read from the file `from` (either NULL:
 * from the working directory): where directories differ, relative paths of traces that are not
 * found from there become the absolute ones they were read from. */
void scenario_move_traces(struct scenario *scenario, const char *from, const char *to);

#endif
