/* Reading scenario files into a scenario and its source document. One reading finds all problems of
 * a file. scenario_save.h writes files. */
#ifndef AOLAG_DESIGN_SCENARIO_FILE_H
#define AOLAG_DESIGN_SCENARIO_FILE_H

#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/assign.h"
#include "design/ini.h"
#include "design/preset.h"
#include "design/scenario.h"

/* Source of a scenario: the bytes of the file and the position and spelling of each key, so that
 * saving changes only the parts that changed. */
struct document {
    char *path;             /* path as given; NULL: never loaded or saved */
    struct ini ini;         /* bytes and positions of keys */
    struct scenario loaded; /* scenario as read from the file */
};

/* Returns the document of a design without sections, which is to be saved as `path`; NULL: it has
 * no name. */
struct document *document_new(const char *path);
void document_free(struct document *document);
const char *document_path(const struct document *document); /* NULL: never loaded or saved */

/* Returns the line of the path that begins a message, such as those of evaluate
 * ("component.recon.after: ..."): the line of the key, else of its section, else 0. */
int document_line(const struct document *document, const char *sentence);

/* Context for reading a scenario. */
struct scenario_source {
    struct catalogue *catalogue;
    const char *from; /* trace paths are relative to the directory of this file; NULL: to the
                         working directory */
    const struct assignments *assignments; /* applied later; traces they replace are not read */
    const struct embedded_file *embedded;  /* which the text is that of; NULL: of none */
};

/* Reads a file; one of blanks and comments is a design without sections. On STATUS_OK sets
 * `scenario` and replaces `*document` (an owned pointer or NULL); otherwise both are unchanged and
 * `problems`, which is emptied first, gives the reasons by line (at least one). STATUS_IO: not a
 * regular file or not readable. */
enum status scenario_load(struct scenario *scenario, struct document **document, const char *path,
                          struct catalogue *catalogue, struct problems *problems);

/* Returns true for a name that ends in ".ini" of a file that does not exist in a directory that
 * does. */
bool scenario_is_new_file(const char *path);

/* Reads a scenario from memory. The document has no path. */
enum status scenario_parse(struct scenario *scenario, struct document **document, const char *bytes,
                           size_t length, struct catalogue *catalogue, struct problems *problems);

/* Reads an AO preset; relative paths start from its file if it has one. */
enum status scenario_parse_preset(struct scenario *scenario, struct document **document,
                                  const struct preset *preset, struct catalogue *catalogue,
                                  struct problems *problems);

/* Reads an AO preset without a document. The error names the preset and its first problem. */
enum status scenario_read_preset(struct scenario *scenario, const struct preset *preset,
                                 struct catalogue *catalogue, struct error *error);

/* Reads a preset of the catalogue, or says what is wrong with it. */
enum status preset_check(const struct preset *preset, struct catalogue *catalogue,
                         struct error *error);

/* Finds the next preset or folder of the user, of these kinds (bit k for preset_kind k), that
 * cannot be read or has a wrong value, from *at, at first 0, and sets the error; returns the path
 * of the preset, of a folder the message, NULL if there is no more. What is found among all presets
 * lacks it. */
const char *catalogue_next_unread(struct catalogue *catalogue, unsigned kinds, int *at,
                                  struct error *error);

/* Like scenario_load, of the file `source->from`, and scenario_parse, for text from a file, but for
 * a design to which assignments will be applied. */
enum status scenario_load_from(struct scenario *scenario, struct document **document,
                               const struct scenario_source *source, struct problems *problems);
enum status scenario_parse_from(struct scenario *scenario, struct document **document,
                                const char *bytes, size_t length,
                                const struct scenario_source *source, struct problems *problems);

#endif
