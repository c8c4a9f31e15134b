#include "system_caches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEXES 16 /* more than any core has */
#define PATH_SIZE 512

/* The first word of DIRECTORY/indexINDEX/NAME. */
static int read_word(const char *directory, int index, const char *name, char word[32])
{
    char path[PATH_SIZE];
    FILE *file;
    int read;

    snprintf(path, sizeof path, "%s/index%d/%s", directory, index, name);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    read = fscanf(file, "%31s", word);
    fclose(file);
    return read == 1;
}

/* "32K", as the kernel writes it; other kernels may write M or bytes. */
static double size_of(const char *word)
{
    char *end;
    double size = strtod(word, &end);

    if (*end == 'K')
        size *= 1 << 10;
    else if (*end == 'M')
        size *= 1 << 20;
    else if (*end == 'G')
        size *= 1 << 30;
    return size > 0 && size < 1e18 ? size : 0;
}

void system_caches_in(const char *directory, struct system_caches *caches)
{
    *caches = (struct system_caches){0};
    for (int i = 0; i < INDEXES; i++) {
        char type[32], level[32], size[32];
        int number;

        if (!read_word(directory, i, "type", type) || !read_word(directory, i, "level", level) ||
            !read_word(directory, i, "size", size) || strcmp(type, "Instruction") == 0)
            continue;
        number = atoi(level);
        if (number < 1 || number > SYSTEM_CACHES_MAX || size_of(size) <= 0)
            continue;
        caches->capacity[number - 1] = size_of(size);
        if (number > caches->levels)
            caches->levels = number;
    }
}

void system_caches(int core, struct system_caches *caches)
{
    char directory[64];

    snprintf(directory, sizeof directory, "/sys/devices/system/cpu/cpu%d/cache", core);
    system_caches_in(directory, caches);
}
