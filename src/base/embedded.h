/* A file of the source tree as it was when the program was built. tools/embed.c writes tables of
 * them, sorted by name (strcmp); within a table names are unique. */
#ifndef AOLAG_BASE_EMBEDDED_H
#define AOLAG_BASE_EMBEDDED_H

#include <stddef.h>
#include <string.h>

struct embedded_file {
    const char *name;           /* the file's name without its extension */
    const char *kind;           /* its directory */
    const unsigned char *bytes; /* followed by a NUL that `length` does not count */
    size_t length;
};

/* The file of a name in a table; NULL where there is none. */
static inline const struct embedded_file *embedded_find(const struct embedded_file *files,
                                                        size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

/* The preset files of this release: every file named in presets/list.am. Names are unique over all
 * kinds ("ao", "cpu", "gpu"): lower case letters, digits and "-". */

extern const struct embedded_file preset_files[];
extern const size_t preset_files_count;

/* The published measurements of this release: "latencies" (CSV) and "kernel" (the scenario its rows
 * start from), the files of data/published. */

extern const struct embedded_file published_files[];
extern const size_t published_files_count;

#endif
