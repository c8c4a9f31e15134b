#include "user_directory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool user_state_directory(char *path, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length;

    /* a path that is not absolute is to be ignored */
    if (state != NULL && state[0] == '/')
        length = snprintf(path, size, "%s/aolag", state);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, size, "%s/.local/state/aolag", home);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

void user_make_directory(char *path)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}
