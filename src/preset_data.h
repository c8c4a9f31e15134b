/* The preset files of this release, as they were when the program was built: the bytes of every
 * file named in presets/list.am. tools/embed.c writes the table.
 *
 * Sorted by name (strcmp). Names are unique over all kinds: lower case letters, digits and "-". */
#ifndef AOLAG_PRESET_DATA_H
#define AOLAG_PRESET_DATA_H

#include <stddef.h>

struct preset_file {
    const char *name;           /* the file's name without ".ini" */
    const char *kind;           /* its directory: "ao", "cpu" or "gpu" */
    const unsigned char *bytes; /* followed by a NUL that `length` does not count */
    size_t length;
};

extern const struct preset_file preset_files[];
extern const size_t preset_files_count;

#endif
