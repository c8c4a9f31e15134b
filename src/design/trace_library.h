/* The files that knobs name - traces of parallel programs, patterns of sensors - read, parsed once
 * and kept.
 *
 * Files with the same bytes share their contents, so that designs can be compared by pointer. A
 * changed file becomes another one when it is read again; the former contents stay valid. */
#ifndef AOLAG_DESIGN_TRACE_LIBRARY_H
#define AOLAG_DESIGN_TRACE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/knob.h"
#include "design/scenario.h"

/* A zero-initialised library is empty. It must outlive every scenario that uses its contents. */
struct trace_library {
    struct trace_entry *list;
    int count, capacity;
};

void trace_library_free(struct trace_library *library);

/* Sets a knob that names a file; "auto" resets one that is automatic. `path` is absolute or
 * relative to the directory of the scenario file `from` (NULL: the working directory). On failure
 * nothing changes and every problem is added to `problems` as text to follow the path: problems in
 * the file begin with "line N: ". */
enum status scenario_read_file(struct scenario *scenario, struct knob_ref ref,
                               struct trace_library *library, const char *from, const char *path,
                               struct problems *problems);

/* Like scenario_read_file, but reports the first problem and the number of further ones in one
 * message, which also follows the path. */
enum status scenario_set_file(struct scenario *scenario, struct knob_ref ref,
                              struct trace_library *library, const char *from, const char *path,
                              struct error *error);

/* Returns true if two scenarios with the same instances have the same files. */
bool scenario_has_files_of(const struct scenario *scenario, const struct scenario *other);

/* Returns the hash (base/hash.h) of what `hash` is of and the contents of a scenario's files. */
uint64_t scenario_hash_files(const struct scenario *scenario, const struct trace_library *library,
                             uint64_t hash);

/* Adapts the files of a copy of a scenario that was read from the file `from` and will be saved as
 * `to` (either NULL: the working directory): if the directories differ, relative paths not found
 * from there are replaced by the absolute paths they were read from. The file that a device was
 * described in is named as it is from there. */
void scenario_move_files(struct scenario *scenario, const char *from, const char *to);

#endif
