#include "calls.h"

#include <dirent.h>
#include <sys/stat.h>

#include "draw/glyph.h"

static _Thread_local struct calls calls;

uint32_t __real_glyph_decode(const char **text);
DIR *__real_opendir(const char *path);
int __real_stat(const char *path, struct stat *status);
uint32_t __wrap_glyph_decode(const char **text);
DIR *__wrap_opendir(const char *path);
int __wrap_stat(const char *path, struct stat *status);

uint32_t __wrap_glyph_decode(const char **text)
{
    calls.glyphs++;
    return __real_glyph_decode(text);
}

DIR *__wrap_opendir(const char *path)
{
    calls.folders++;
    return __real_opendir(path);
}

int __wrap_stat(const char *path, struct stat *status)
{
    calls.names++;
    return __real_stat(path, status);
}

struct calls calls_so_far(void)
{
    return calls;
}
