/* Scenario files: INI in and out.
 *
 * A document remembers the bytes a scenario was read from, where each key stands and how it is
 * spelled, and what the file was on disk, so that saving changes only what changed. All problems
 * of a file are found in one reading. */
#ifndef AOLAG_DESIGN_SCENARIO_FILE_H
#define AOLAG_DESIGN_SCENARIO_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"
#include "design/ini.h"
#include "design/preset.h"
#include "design/scenario.h"

struct document;

/* The "PATH=VALUE" of --set that a design gets once it is read (scenario_assign). */
struct assignments {
    const char *const *list;
    int count;
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

/* The same from memory: standard input, an AO preset. The document has no path. */
enum status scenario_parse(struct scenario *scenario, struct document **document, const char *bytes,
                           size_t length, struct catalogue *catalogue, struct problems *problems);

/* The same; `from` is the file whose directory relative traces are seen from (NULL: the working
 * directory). */
enum status scenario_parse_from(struct scenario *scenario, struct document **document,
                                const char *bytes, size_t length, const char *from,
                                struct catalogue *catalogue, struct problems *problems);

/* scenario_load and scenario_parse_from for a design that gets assignments then: a trace that one
 * of them replaces, or whose component it makes another than a program, is not read. Such a
 * component has no trace until they are made. */
enum status scenario_load_for(struct scenario *scenario, struct document **document,
                              const char *path, const struct assignments *assignments,
                              struct catalogue *catalogue, struct problems *problems);
enum status scenario_parse_for(struct scenario *scenario, struct document **document,
                               const char *bytes, size_t length, const char *from,
                               const struct assignments *assignments, struct catalogue *catalogue,
                               struct problems *problems);

/* Whether one of the assignments does that to a component. */
bool scenario_replaces_trace(const struct scenario *scenario, int component,
                             const struct assignments *assignments);

/* Writes the scenario to `path` (NULL: where it came from). Keys already in the document keep
 * their place, spelling and comments; a key whose value did not change keeps its text; new keys are
 * written only where they differ from preset and default. STATUS_CONFLICT when the file on disk is
 * not what was loaded (or, at another path, exists) and `overwrite` is false. STATUS_IO leaves the
 * old file as it was. On success the document describes the new file. */
enum status scenario_save(const struct scenario *scenario, struct document *document,
                          const char *path, bool overwrite, struct error *error);

/* The text scenario_save would write; free() it. NULL without memory. */
char *scenario_text(const struct scenario *scenario, const struct document *document,
                    size_t *length);

/* Some "PATH=VALUE" of --set: presets first, then kinds and types, then the rest, each in order.
 * Blanks may stand around the = and quotes around the value. `from` is the file the scenario is of
 * (NULL: none), as for scenario_parse_from. On failure nothing changes and the error starts with
 * the assignment. */
enum status scenario_assign(struct scenario *scenario, struct catalogue *catalogue,
                            const char *from, const char *const *assignments, int count,
                            struct error *error);

/* Reads the one [device] section of a device preset; its stated keys become the device's own. The
 * kind has to be stated. */
enum status scenario_parse_device(struct device *device, const char *bytes, size_t length,
                                  struct problems *problems);

/* The sections of a scenario file and what each is in the scenario. For scenario_ini.c. */

#define NAME_SHOWN 64 /* bytes of a name or value in a message */

/* What a section of the file is in the scenario. */
struct file_section {
    const struct ini_section *in_file;
    enum section section;
    int index;
    bool kind_known;
};

/* A file that is being read into a scenario. */
struct reading {
    struct ini ini;
    struct ini_values *values;
    struct scenario *scenario;
    struct catalogue *catalogue;
    const char *from; /* the file, where there is one: traces are seen from its directory */
    const struct assignments *assignments; /* to come; NULL: none */
    struct problems *problems;
    struct file_section *places; /* of the sections that have one */
    size_t count;
    bool is_preset; /* one [device] without a name */
};

/* Makes an instance in the scenario of every section of the file, in order, and adds it to the
 * places, which have room for all; a problem for each that is none or cannot be. */
void places_make(struct reading *reading);

#endif
