/* A library that is loaded when it is needed: a driver, which few machines have, or one that would
 * make each start of the program longer. */
#ifndef AOLAG_PROBE_LIBRARY_H
#define AOLAG_PROBE_LIBRARY_H

#include <stddef.h>

#include "base/status.h"

struct library_function {
    const char *name;
    size_t offset; /* of its pointer in a struct of functions */
};

/* Loads a library and stores the addresses of its functions in a struct; it stays loaded.
 * STATUS_INVALID if the library is not installed, with `absent` as the message, or lacks a
 * function. */
enum status library_load(const char *library, const char *absent,
                         const struct library_function *function, size_t count, void *functions,
                         struct error *error);

/* Replaces what is not printable ASCII in a text of a driver by '?'. */
void library_make_printable(char *text);

#endif
