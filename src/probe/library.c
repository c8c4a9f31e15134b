#include "probe/library.h"

#include <dlfcn.h>
#include <string.h>

enum status library_load(const char *library, const char *absent,
                         const struct library_function *function, size_t count, void *functions,
                         struct error *error)
{
    void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    if (loaded == NULL)
        return error_set(error, STATUS_INVALID, "%s", absent);
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(loaded, function[i].name);

        if (symbol == NULL)
            return error_set(error, STATUS_INVALID, "%s has no function %s", library,
                             function[i].name);
        memcpy((char *)functions + function[i].offset, &symbol, sizeof symbol);
    }
    return STATUS_OK;
}

void library_make_printable(char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}
