/* Files of the source tree embedded in the program when it is built. tools/embed.c writes tables of
 * them, sorted by name (strcmp); names are unique within a table. */
#ifndef AOLAG_BASE_EMBEDDED_H
#define AOLAG_BASE_EMBEDDED_H

#include <stddef.h>
#include <string.h>

struct embedded_file {
    const char *name;           /* file name without extension */
    const char *kind;           /* directory of the file */
    const unsigned char *bytes; /* followed by a NUL that `length` does not count */
    size_t length;
    const unsigned char *values; /* of an INI file: as iniparser read them, each ended by a NUL */
    size_t value_count;
};

/* Returns the file with this name, or NULL if the table does not contain it. */
static inline const struct embedded_file *embedded_find(const struct embedded_file *files,
                                                        size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

/* The preset files of this release: every file listed in presets/list.am. Names are unique over all
 * kinds ("ao", "cpu", "fpga", "gpu", "pipelines") and consist of lower-case letters, digits and "-". */

extern const struct embedded_file preset_files[];
extern const size_t preset_files_count;

/* The published measurements of this release, from data/published: "latencies" (CSV), "kernel"
 * (the scenario that its rows modify) and "pipelines" (CSV). */

extern const struct embedded_file published_files[];
extern const size_t published_files_count;

/* The sum of the sources from which results follow, by cksum: two programs with the same one have the
 * same model. */
extern const char model_sum[];

#endif
