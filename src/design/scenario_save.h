/* Saving scenarios, keeping the text of the document that the scenario was read from.
 *
 * Existing keys keep their place, spelling and comments; a key whose value did not change keeps its
 * text; new keys are written only where they differ from preset and default. Sections keep their
 * place, unless the scenario has its sensors, devices or components in another order: then they
 * exchange places, because the order matters (the previous component, the first device). A new
 * section follows the one before it. */
#ifndef AOLAG_DESIGN_SCENARIO_SAVE_H
#define AOLAG_DESIGN_SCENARIO_SAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"
#include "base/status.h"
#include "design/scenario_file.h"

/* The text scenario_save would write for a document, which may be NULL; free() it. NULL without
 * memory. */
char *scenario_text(const struct scenario *scenario, const struct document *document,
                    size_t *length);

/* Writes the scenario to `path` (NULL: where it came from). Traces that the file would not find
 * from there are named by absolute paths. STATUS_CONFLICT when the file on disk is not what was
 * loaded (or, at another path, exists) and `overwrite` is false. STATUS_IO leaves the old file as
 * it was. On success the document describes the new file. */
enum status scenario_save(const struct scenario *scenario, struct document *document,
                          const char *path, bool overwrite, struct error *error);

/* The same with other file operations than the system's. */
enum status scenario_save_with(const struct scenario *scenario, struct document *document,
                               const char *path, bool overwrite,
                               const struct file_operations *operations, struct error *error);

#endif
