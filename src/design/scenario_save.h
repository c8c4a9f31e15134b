/* Saving scenarios while preserving the text of their source document.
 *
 * Existing keys keep their position, spelling and comments; a key whose value did not change keeps
 * its text; new keys are written only if they differ from preset and default. Sections keep their
 * position unless the order of sensors, devices or components differs in the scenario: then they
 * exchange positions, because the order matters (the previous component, the first device). A new
 * section follows its predecessor. */
#ifndef AOLAG_DESIGN_SCENARIO_SAVE_H
#define AOLAG_DESIGN_SCENARIO_SAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"
#include "base/status.h"
#include "design/scenario_file.h"

/* Returns the text that scenario_save would write for a document, which may be NULL; free() it. */
char *scenario_text(const struct scenario *scenario, const struct document *document,
                    size_t *length);

/* Writes the scenario to `path` (NULL: its source file). Traces that would not be found from there
 * get absolute paths. Returns STATUS_CONFLICT if the file on disk differs from the one loaded (or,
 * at another path, exists) and `overwrite` is false. STATUS_IO leaves the old file unchanged. On
 * success the document describes the new file, and the error holds a remark as of file_replace. */
enum status scenario_save(const struct scenario *scenario, struct document *document,
                          const char *path, bool overwrite, struct error *error);

/* Like scenario_save, with other file operations than the system's. */
enum status scenario_save_with(const struct scenario *scenario, struct document *document,
                               const char *path, bool overwrite,
                               const struct file_operations *operations, struct error *error);

#endif
