/* Scenario files: INI in and out.
 *
 * A document remembers the bytes a scenario was read from, where each key stands and how it is
 * spelled, so that saving changes only what changed. */
#ifndef AOLAG_DESIGN_SCENARIO_FILE_H
#define AOLAG_DESIGN_SCENARIO_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"
#include "base/problems.h"
#include "base/status.h"
#include "design/ini.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "design/scenario_read.h"

struct document {
    char *path;             /* as given; NULL: never loaded or saved */
    struct ini ini;         /* the bytes, and where each key stands */
    struct scenario loaded; /* what they say */
};

/* An empty document, that of a design never saved. */
enum status document_new(struct document **document, struct error *error);
void document_free(struct document *document);
const char *document_path(const struct document *document); /* NULL: never loaded or saved */

/* The line of what a sentence is about that begins with a path, as those of evaluate do
 * ("component.recon.after: ..."): that of the key, else of its section; 0 where it has neither. */
int document_line(const struct document *document, const char *sentence);

/* Reads a file. On STATUS_OK `scenario` is what it says and `*document` (an owned pointer or NULL)
 * is replaced; otherwise both are as before and `problems`, emptied first, says why (at least one
 * entry, by line; none only without memory). STATUS_IO: not a regular file or not readable. */
enum status scenario_load(struct scenario *scenario, struct document **document, const char *path,
                          struct catalogue *catalogue, struct problems *problems);

/* The same from memory. The document has no path. */
enum status scenario_parse(struct scenario *scenario, struct document **document, const char *bytes,
                           size_t length, struct catalogue *catalogue, struct problems *problems);

/* The same of an AO preset, seen from its file where it has one. */
enum status scenario_parse_preset(struct scenario *scenario, struct document **document,
                                  const struct preset *preset, struct catalogue *catalogue,
                                  struct problems *problems);

/* scenario_load, whose file is the source's `from`, and scenario_parse for a design that gets
 * assignments then, and of text that comes from a file. */
enum status scenario_load_from(struct scenario *scenario, struct document **document,
                               const struct scenario_source *source, struct problems *problems);
enum status scenario_parse_from(struct scenario *scenario, struct document **document,
                                const char *bytes, size_t length,
                                const struct scenario_source *source, struct problems *problems);

/* The text scenario_save would write for a document, which may be NULL; free() it. NULL without
 * memory. */
char *scenario_text(const struct scenario *scenario, const struct document *document,
                    size_t *length);

/* Writes the scenario to `path` (NULL: where it came from), as scenario_write.h says. Traces that
 * the file would not find from there are named by absolute paths. STATUS_CONFLICT when the file on
 * disk is not what was loaded (or, at another path, exists) and `overwrite` is false. STATUS_IO
 * leaves the old file as it was. On success the document describes the new file. */
enum status scenario_save(const struct scenario *scenario, struct document *document,
                          const char *path, bool overwrite, struct error *error);

/* The same with other file operations than the system's. */
enum status scenario_save_with(const struct scenario *scenario, struct document *document,
                               const char *path, bool overwrite,
                               const struct file_operations *operations, struct error *error);

#endif
