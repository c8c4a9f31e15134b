/* Reading scenario files: text into a scenario and the document it came from. All problems of a
 * file are found in one reading. scenario_save.h writes files. */
#ifndef AOLAG_DESIGN_SCENARIO_FILE_H
#define AOLAG_DESIGN_SCENARIO_FILE_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/assign.h"
#include "design/ini.h"
#include "design/preset.h"
#include "design/scenario.h"

/* What a scenario was read from: the bytes of the file, where each key stands and how it is
 * spelled, so that saving changes only what changed. */
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

/* What a text is read with. */
struct scenario_source {
    struct catalogue *catalogue;
    const char *from; /* the file whose directory relative traces are seen from; NULL: the working
                         directory */
    const struct assignments *assignments; /* that follow: a trace that one of them replaces is not
                                              read; NULL: none */
};

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

/* The same without its document. The error names the preset and its first problem. */
enum status scenario_read_preset(struct scenario *scenario, const struct preset *preset,
                                 struct catalogue *catalogue, struct error *error);

/* scenario_load, whose file is the source's `from`, and scenario_parse for a design that gets
 * assignments then, and of text that comes from a file. */
enum status scenario_load_from(struct scenario *scenario, struct document **document,
                               const struct scenario_source *source, struct problems *problems);
enum status scenario_parse_from(struct scenario *scenario, struct document **document,
                                const char *bytes, size_t length,
                                const struct scenario_source *source, struct problems *problems);

#endif
