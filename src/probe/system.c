#include "system.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES "/sys/devices/system/cpu"

static FILE *open_below(const char *root, const char *path)
{
    char name[4096];

    if ((size_t)snprintf(name, sizeof name, "%s%s", root, path) >= sizeof name)
        return NULL;
    return fopen(name, "re");
}

static void copy(char *to, size_t size, const char *from, size_t length)
{
    size_t count = length < size ? length : size - 1;

    memcpy(to, from, count);
    to[count] = '\0';
}

bool system_line(const char *root, const char *path, char *line, size_t size)
{
    FILE *file = open_below(root, path);
    char text[4096];
    bool found;

    line[0] = '\0';
    if (file == NULL)
        return false;
    found = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    if (found)
        copy(line, size, text, strcspn(text, "\n"));
    return found;
}

/* "model name\t: AMD EPYC": the value where the name is the one asked for, else NULL. */
static const char *value_of(const char *line, const char *name)
{
    size_t length = strlen(name);

    if (strncmp(line, name, length) != 0)
        return NULL;
    line += length;
    line += strspn(line, " \t");
    return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

bool system_cpuinfo(const char *root, const char *name, char *value, size_t size)
{
    FILE *file = open_below(root, "/proc/cpuinfo");
    const char *found = NULL;
    char *line = NULL;
    size_t capacity = 0;

    value[0] = '\0';
    if (file == NULL)
        return false;
    while (found == NULL && getline(&line, &capacity, file) >= 0)
        found = value_of(line, name);
    if (found != NULL)
        copy(value, size, found, strcspn(found, "\n"));
    free(line);
    fclose(file);
    return found != NULL;
}

static cpu_set_t usable;
static pthread_once_t usable_once = PTHREAD_ONCE_INIT;

static void find_usable(void)
{
    CPU_ZERO(&usable);
    if (sched_getaffinity(0, sizeof usable, &usable) != 0 || CPU_COUNT(&usable) == 0)
        CPU_SET(0, &usable);
}

void system_remember_cores(void)
{
    pthread_once(&usable_once, find_usable);
}

struct place {
    char package[24], core[24];
};

/* Where a hardware thread is; false where the system does not say. */
static bool find_place(int thread, struct place *place)
{
    char path[128];

    snprintf(path, sizeof path, DEVICES "/cpu%d/topology/physical_package_id", thread);
    if (!system_line("", path, place->package, sizeof place->package))
        return false;
    snprintf(path, sizeof path, DEVICES "/cpu%d/topology/core_id", thread);
    return system_line("", path, place->core, sizeof place->core);
}

static bool is_known(const struct place *places, int count, const struct place *place)
{
    for (int i = 0; i < count; i++)
        if (strcmp(places[i].package, place->package) == 0 &&
            strcmp(places[i].core, place->core) == 0)
            return true;
    return false;
}

int system_cores(int cores[SYSTEM_CORES_MAX], int *threads)
{
    struct place places[SYSTEM_CORES_MAX];
    int count = 0;

    system_remember_cores();
    if (threads != NULL)
        *threads = CPU_COUNT(&usable);
    for (int i = CPU_SETSIZE - 1; i >= 0; i--) {
        if (!CPU_ISSET((size_t)i, &usable) || count == SYSTEM_CORES_MAX)
            continue;
        /* A core of its own where its place is unknown. */
        if (!find_place(i, &places[count]))
            snprintf(places[count].core, sizeof places[count].core, "thread %d", i);
        if (!is_known(places, count, &places[count]))
            cores[count++] = i;
    }
    return count;
}
