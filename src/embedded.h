/* A file of the source tree as it was when the program was built. tools/embed.c writes tables of
 * them, sorted by name (strcmp); within a table names are unique. */
#ifndef AOLAG_EMBEDDED_H
#define AOLAG_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name;           /* the file's name without its extension */
    const char *kind;           /* its directory */
    const unsigned char *bytes; /* followed by a NUL that `length` does not count */
    size_t length;
};

#endif
