/* What the files that read, keep and write documents share. */
#ifndef AOLAG_DESIGN_DOCUMENT_H
#define AOLAG_DESIGN_DOCUMENT_H

#include "base/file.h"
#include "base/status.h"
#include "design/ini.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "design/scenario_file.h"

struct document {
    char *path;             /* as given; NULL: never loaded or saved */
    struct ini ini;         /* the bytes, and where each key stands */
    struct scenario loaded; /* what they say */
};

/* Reads a whole scenario: what it says, and where. `ini` is the caller's to free, also on failure;
 * `problems` is emptied first. `from` as for scenario_parse_from, `assignments` (NULL:
 * none) as for scenario_parse_for. */
enum status scenario_read(struct scenario *scenario, struct ini *ini, const char *bytes,
                          size_t length, const char *from, const struct assignments *assignments,
                          struct catalogue *catalogue, struct problems *problems);

/* scenario_save with other file operations than the system's. */
enum status scenario_save_with(const struct scenario *scenario, struct document *document,
                               const char *path, bool overwrite,
                               const struct file_operations *operations, struct error *error);

#endif
