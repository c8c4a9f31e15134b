/* Where what belongs to the user is kept, by the XDG base directory specification. */
#ifndef AOLAG_USER_DIRECTORY_H
#define AOLAG_USER_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* $XDG_STATE_HOME/aolag or ~/.local/state/aolag, which need not exist; false without a home. */
bool user_state_directory(char *path, size_t size);

/* Makes the directory and those above it, for the user alone; what exists is left alone, what
 * cannot be made is noticed by whoever then writes there. `path` is written to, but is the same
 * afterwards. */
void user_make_directory(char *path);

#endif
