#include "probe/system.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

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

/* System caches -------------------------------------------------------------------------------- */

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

/* Conditions ----------------------------------------------------------------------------------- */

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

#include "probe/probe.h"
#include "probe/system.h"
#include "probe/system.h"

#define UNKNOWN "unknown"

/* What architectures call the model in /proc/cpuinfo, and the device tree where none does. */
static void cpu_name(const char *root, char *name)
{
    static const char *const keys[] = {"model name", "cpu model", "cpu", "uarch"};
    char board[80], implementer[16], part[16];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (system_cpuinfo(root, keys[i], name, CONDITION_MAX) && name[0] != '\0')
            return;
    system_line(root, "/sys/firmware/devicetree/base/model", board, sizeof board);
    if (system_cpuinfo(root, "CPU implementer", implementer, sizeof implementer) &&
        system_cpuinfo(root, "CPU part", part, sizeof part))
        snprintf(name, CONDITION_MAX, "%s%simplementer %s part %s", board,
                 board[0] != '\0' ? ", " : "", implementer, part);
    else
        snprintf(name, CONDITION_MAX, "%s", board[0] != '\0' ? board : UNKNOWN);
}

static void governor(const char *root, int thread, char *text)
{
    char path[96];

    snprintf(path, sizeof path, DEVICES "/cpu%d/cpufreq/scaling_governor", thread);
    if (!system_line(root, path, text, CONDITION_MAX))
        snprintf(text, CONDITION_MAX, UNKNOWN);
}

static void turbo(const char *root, char *text)
{
    char line[8];
    const char *state = UNKNOWN;

    if (system_line(root, DEVICES "/intel_pstate/no_turbo", line, sizeof line))
        state = line[0] == '0' ? "on" : "off";
    else if (system_line(root, DEVICES "/cpufreq/boost", line, sizeof line))
        state = line[0] == '1' ? "on" : "off";
    snprintf(text, CONDITION_MAX, "%s", state);
}

/* "always [madvise] never": the one in brackets. */
static void huge_pages(const char *root, char *text)
{
    char line[80];
    const char *open, *close;

    system_line(root, "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line);
    open = strchr(line, '[');
    close = open != NULL ? strchr(open, ']') : NULL;
    if (close != NULL)
        snprintf(text, CONDITION_MAX, "transparent: %.*s", (int)(close - open - 1), open + 1);
    else
        snprintf(text, CONDITION_MAX, UNKNOWN);
}

#if defined __x86_64__ || defined __i386__
/* What fills its field by repetition, as "KVMKVMKVM" does, once. */
static void shorten_repeated(char *name)
{
    size_t length = strlen(name);

    for (size_t period = 1; period < length; period++)
        if (length % period == 0 && memcmp(name, name + period, length - period) == 0) {
            name[period] = '\0';
            return;
        }
}
#endif

/* A hypervisor's name for itself, where the processor passes it on (CPUID leaf 0x40000000). */
static void signature(char *name, size_t size)
{
    name[0] = '\0';
#if defined __x86_64__ || defined __i386__
    unsigned leaf, text[4] = {0};

    __cpuid(0x40000000, leaf, text[0], text[1], text[2]);
    (void)leaf;
    for (size_t i = 0; i + 1 < size && ((const char *)text)[i] != '\0'; i++) {
        name[i] = ((const char *)text)[i];
        name[i + 1] = '\0';
    }
    shorten_repeated(name);
#else
    (void)size;
#endif
}

/* As an option or a flag stands among others with blanks between. */
static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Makers of machines that are none. */
static bool is_virtual_maker(const char *maker)
{
    static const char *const makers[] = {"QEMU",          "KVM",      "VMware",     "Xen",
                                         "innotek",       "Google",   "Amazon EC2", "Parallels",
                                         "Alibaba Cloud", "OpenStack"};

    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (strncmp(maker, makers[i], strlen(makers[i])) == 0)
            return true;
    return false;
}

static void virtual_machine(const char *root, char *text)
{
    char maker[64], type[32], flags[4096], name[16];
    bool x86 = system_cpuinfo(root, "flags", flags, sizeof flags);
    bool guest = x86 && has_word(flags, "hypervisor");

    system_line(root, "/sys/class/dmi/id/sys_vendor", maker, sizeof maker);
    system_line(root, "/sys/hypervisor/type", type, sizeof type);
    if (x86 && !guest && type[0] == '\0') {
        snprintf(text, CONDITION_MAX, "no");
        return;
    }
    name[0] = '\0';
    if (guest && root[0] == '\0')
        signature(name, sizeof name);
    if (name[0] != '\0' || type[0] != '\0')
        snprintf(text, CONDITION_MAX, "%s%s%s", name[0] != '\0' ? name : type,
                 maker[0] != '\0' ? ", " : "", maker);
    else if (guest || is_virtual_maker(maker))
        snprintf(text, CONDITION_MAX, "%s", maker[0] != '\0' ? maker : "yes");
    else
        snprintf(text, CONDITION_MAX, UNKNOWN);
}

static void cache_sizes(const char *root, int thread, char *text)
{
    struct system_caches caches;
    char path[PATH_MAX];
    size_t length = 0;

    snprintf(path, sizeof path, "%s" DEVICES "/cpu%d/cache", root, thread);
    system_caches_in(path, &caches);
    snprintf(text, CONDITION_MAX, UNKNOWN);
    for (int i = 0; i < caches.levels && length < CONDITION_MAX; i++) {
        int cores = caches.threads[0] > 0 ? caches.threads[i] / caches.threads[0] : 1;

        if (caches.capacity[i] <= 0)
            continue;
        length += (size_t)snprintf(text + length, CONDITION_MAX - length, "%sL%d %.0f KiB",
                                   length > 0 ? ", " : "", i + 1, caches.capacity[i] / 1024);
        if (cores > 1 && length < CONDITION_MAX)
            length +=
                (size_t)snprintf(text + length, CONDITION_MAX - length, " of %d cores", cores);
    }
}

void conditions_read(const char *root, int thread, char condition[CONDITIONS][CONDITION_MAX])
{
    cpu_name(root, condition[CONDITION_CPU]);
    governor(root, thread, condition[CONDITION_GOVERNOR]);
    turbo(root, condition[CONDITION_TURBO]);
    huge_pages(root, condition[CONDITION_HUGE_PAGES]);
    virtual_machine(root, condition[CONDITION_VIRTUAL]);
    cache_sizes(root, thread, condition[CONDITION_CACHES]);
}

static void date(char *text)
{
    time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc) == NULL ||
        strftime(text, CONDITION_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        snprintf(text, CONDITION_MAX, UNKNOWN);
}

static void compiler(char *text)
{
#if defined __clang__
    snprintf(text, CONDITION_MAX, "aolag %s, clang %s", PACKAGE_VERSION, __clang_version__);
#else
    snprintf(text, CONDITION_MAX, "aolag %s, gcc %s", PACKAGE_VERSION, __VERSION__);
#endif
}

void probe_conditions(struct probe *probe)
{
    char(*condition)[CONDITION_MAX] = probe->measurement->condition;
    int cores[SYSTEM_CORES_MAX], threads;
    int count = system_cores(cores, &threads);
    struct utsname system;

    conditions_read("", probe->core, condition);
    snprintf(condition[CONDITION_CORES], CONDITION_MAX, "%d usable, %d of %ld hardware threads",
             count, threads, sysconf(_SC_NPROCESSORS_CONF));
    if (probe_pin(probe->core))
        snprintf(condition[CONDITION_PINNED], CONDITION_MAX, "core %d", probe->core);
    else
        snprintf(condition[CONDITION_PINNED], CONDITION_MAX, "no: the system refuses core %d",
                 probe->core);
    if (uname(&system) == 0)
        snprintf(condition[CONDITION_SYSTEM], CONDITION_MAX, "%.40s %.60s %.40s", system.sysname,
                 system.release, system.machine);
    date(condition[CONDITION_DATE]);
    compiler(condition[CONDITION_VERSION]);
    snprintf(condition[CONDITION_SEED], CONDITION_MAX, "%" PRIu64, probe->seed);
}
