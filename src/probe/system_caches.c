#include "system_caches.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEXES 16 /* more than any core has */
#define PATH_SIZE 512
#define THREADS_MAX 65536 /* keeps a senseless list from running over */

/* The first word of DIRECTORY/indexINDEX/NAME. */
static bool read_word(const char *directory, int index, const char *name, char *word,
                      size_t capacity)
{
    char path[PATH_SIZE];
    FILE *file;
    bool read;

    snprintf(path, sizeof path, "%s/index%d/%s", directory, index, name);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    read = fgets(word, (int)capacity, file) != NULL;
    fclose(file);
    if (read)
        word[strcspn(word, " \t\n")] = '\0';
    return read && word[0] != '\0';
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

/* How many numbers are in "0-3,8,10-11"; at least 1. */
static int count_list(const char *list)
{
    long count = 0;

    while (*list >= '0' && *list <= '9') {
        char *end;
        long first = strtol(list, &end, 10);
        long last = *end == '-' ? strtol(end + 1, &end, 10) : first;

        if (last >= first && last - first < THREADS_MAX && count < THREADS_MAX)
            count += last - first + 1;
        list = *end == ',' ? end + 1 : end;
    }
    return count > 0 ? (int)count : 1;
}

void system_caches_in(const char *directory, struct system_caches *caches)
{
    *caches = (struct system_caches){0};
    for (int i = 0; i < INDEXES; i++) {
        char type[32], level[32], size[32], list[1024];
        int number;

        if (!read_word(directory, i, "type", type, sizeof type) ||
            !read_word(directory, i, "level", level, sizeof level) ||
            !read_word(directory, i, "size", size, sizeof size) || strcmp(type, "Instruction") == 0)
            continue;
        number = atoi(level);
        if (number < 1 || number > SYSTEM_CACHES_MAX || size_of(size) <= 0)
            continue;
        caches->capacity[number - 1] = size_of(size);
        caches->threads[number - 1] =
            read_word(directory, i, "shared_cpu_list", list, sizeof list) ? count_list(list) : 1;
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
