/* The user's own presets: the files NAME.ini in $XDG_CONFIG_HOME/aolag/presets and its cpu, gpu and
 * ao folders. Names are letters, digits and - _ + . and do not start with a point; other files are
 * passed over. Of one name in several folders the first found counts. */
#ifndef AOLAG_PRESET_USER_H
#define AOLAG_PRESET_USER_H

#include <stdbool.h>
#include <stddef.h>

#include "preset.h"
#include "status.h"

struct user_preset {
    char name[TEXT_MAX_LENGTH + 1];
    char *path;
    enum preset_kind kind; /* that of its folder, else by what it holds */
    char *text;            /* NULL where it cannot be read, for the reason in `error` */
    size_t length;
    struct error error;
};

struct user_presets {
    struct user_preset *list;
    size_t count;
    size_t capacity;
};

/* The directory, which need not exist; free() it. NULL where the environment names none, or, with
 * `enough` false, without memory. */
char *user_presets_directory(bool *enough);

/* Whether a preset can be called so, by the rules above. */
bool user_preset_name_good(const char *name);

/* False without memory. No directory is no presets. */
bool user_presets_read(struct user_presets *presets);
void user_presets_free(struct user_presets *presets);

#endif
