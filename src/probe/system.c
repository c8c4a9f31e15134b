#include "probe/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

#include "base/buffer.h"
#include "base/file.h"

#define DEVICES "/sys/devices/system/cpu"
#define UNKNOWN "unknown"
#define CPUINFO_BYTES_MAX (16 << 20) /* some KiB for each of thousands of hardware threads */

/* Files ---------------------------------------------------------------------------------------- */

/* Reads the first line of the file named by `format`, without its newline and truncated to fit.
 * Returns false, with "" and errno (0: it is empty), if there is none. Allocates nothing. */
__attribute__((format(printf, 3, 4))) static bool read_line(char *line, int size,
                                                            const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    ssize_t count = -1;
    int file, failed;

    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    errno = 0;
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0)
        count = read(file, line, (size_t)size - 1);
    failed = errno;
    if (file >= 0)
        close(file);
    errno = failed;
    line[count > 0 ? count : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return count > 0;
}

/* Reads the value of the first line "NAME\t: VALUE" of /proc/cpuinfo, like read_line. */
static bool read_cpuinfo(const char *root, const char *name, char *value, size_t size)
{
    size_t name_length = strlen(name), length;
    char path[PATH_MAX];
    const char *found = NULL;
    char *text;

    value[0] = '\0';
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    if (file_read(path, CPUINFO_BYTES_MAX, &text, &length, NULL, NULL) != STATUS_OK)
        return false;
    for (const char *line = text; found == NULL && *line != '\0';
         line += strcspn(line, "\n"), line += *line == '\n') {
        const char *colon = line + name_length;

        if (strncmp(line, name, name_length) != 0)
            continue;
        colon += strspn(colon, " \t");
        if (*colon == ':')
            found = colon + 1 + strspn(colon + 1, " \t");
    }
    if (found != NULL)
        snprintf(value, size, "%.*s", (int)strcspn(found, "\n"), found);
    free(text);
    return found != NULL;
}

/* Cores ---------------------------------------------------------------------------------------- */

static cpu_set_t usable_threads;
static pthread_once_t usable_once = PTHREAD_ONCE_INIT;

static void find_usable_threads(void)
{
    CPU_ZERO(&usable_threads);
    if (sched_getaffinity(0, sizeof usable_threads, &usable_threads) != 0 ||
        CPU_COUNT(&usable_threads) == 0)
        CPU_SET(0, &usable_threads);
}

int system_cores(int cores[SYSTEM_CORES_MAX], int *threads)
{
    char names[SYSTEM_CORES_MAX][64];
    int count = 0;

    pthread_once(&usable_once, find_usable_threads);
    if (threads != NULL)
        *threads = CPU_COUNT(&usable_threads);
    for (int thread = CPU_SETSIZE - 1; thread >= 0 && count < SYSTEM_CORES_MAX; thread--) {
        char package[24], core[24];
        int same = 0;

        if (!CPU_ISSET((size_t)thread, &usable_threads))
            continue;
        /* Hardware threads of one core have the same identifiers; if the system does not report
         * them, each thread counts as a core. */
        if (read_line(package, sizeof package, DEVICES "/cpu%d/topology/physical_package_id",
                      thread) &&
            read_line(core, sizeof core, DEVICES "/cpu%d/topology/core_id", thread))
            snprintf(names[count], sizeof names[0], "package %s core %s", package, core);
        else
            snprintf(names[count], sizeof names[0], "thread %d", thread);
        while (strcmp(names[same], names[count]) != 0)
            same++;
        if (same == count)
            cores[count++] = thread;
    }
    return count;
}

bool system_pin_thread(int core)
{
    cpu_set_t set;

    pthread_once(&usable_once, find_usable_threads);
    CPU_ZERO(&set);
    if (core < 0 || core >= CPU_SETSIZE)
        return false;
    CPU_SET((size_t)core, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

/* Caches --------------------------------------------------------------------------------------- */

#define INDEXES 16        /* exceeds the caches of any core */
#define THREADS_MAX 65536 /* limit for malformed lists */

/* Parses "32K", as the kernel writes it; other kernels may write M or bytes. */
static double parse_cache_size(const char *text)
{
    char *end;
    double size = strtod(text, &end);

    if (*end == 'K')
        size *= 1 << 10;
    else if (*end == 'M')
        size *= 1 << 20;
    else if (*end == 'G')
        size *= 1 << 30;
    return size > 0 && size < 1e18 ? size : 0;
}

/* Counts the numbers in "0-3,8,10-11"; at least 1. */
static int count_listed_threads(const char *list)
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

/* Reads a file of a cache like read_line, and notes that this process has no more files. */
static bool read_cache(struct system_caches *caches, const char *directory, int index,
                       const char *name, char *line, int size)
{
    bool found = read_line(line, size, "%s/index%d/%s", directory, index, name);

    if (!found && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        caches->unread = errno;
    return found;
}

void system_caches_in(const char *directory, struct system_caches *caches)
{
    *caches = (struct system_caches){0};
    for (int i = 0; i < INDEXES; i++) {
        char type[32], level[32], size[32], list[1024];
        int number;

        if (!read_cache(caches, directory, i, "type", type, sizeof type) ||
            !read_cache(caches, directory, i, "level", level, sizeof level) ||
            !read_cache(caches, directory, i, "size", size, sizeof size) ||
            strcmp(type, "Instruction") == 0)
            continue;
        number = atoi(level);
        if (number < 1 || number > SYSTEM_CACHES_MAX || parse_cache_size(size) <= 0)
            continue;
        read_cache(caches, directory, i, "shared_cpu_list", list, sizeof list);
        caches->capacity[number - 1] = parse_cache_size(size);
        caches->threads[number - 1] = count_listed_threads(list);
        if (number > caches->levels)
            caches->levels = number;
    }
}

void system_caches(int core, struct system_caches *caches)
{
    char directory[64];

    snprintf(directory, sizeof directory, DEVICES "/cpu%d/cache", core);
    system_caches_in(directory, caches);
}

/* Conditions ----------------------------------------------------------------------------------- */

/* Finds the model name: the keys of various architectures in /proc/cpuinfo, otherwise the device
 * tree. */
static void describe_cpu(const char *root, char *text)
{
    static const char *const keys[] = {"model name", "cpu model", "cpu", "uarch"};
    char board[80], implementer[16], part[16];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (read_cpuinfo(root, keys[i], text, CONDITION_MAX) && text[0] != '\0')
            return;
    read_line(board, sizeof board, "%s/sys/firmware/devicetree/base/model", root);
    if (read_cpuinfo(root, "CPU implementer", implementer, sizeof implementer) &&
        read_cpuinfo(root, "CPU part", part, sizeof part))
        snprintf(text, CONDITION_MAX, "%s%simplementer %s part %s", board,
                 board[0] != '\0' ? ", " : "", implementer, part);
    else
        snprintf(text, CONDITION_MAX, "%s", board[0] != '\0' ? board : UNKNOWN);
}

/* Extracts the selected mode of "always [madvise] never". */
static void describe_huge_pages(const char *root, char *text)
{
    char line[80];
    const char *open, *close;

    read_line(line, sizeof line, "%s/sys/kernel/mm/transparent_hugepage/enabled", root);
    open = strchr(line, '[');
    close = open != NULL ? strchr(open, ']') : NULL;
    if (close != NULL)
        snprintf(text, CONDITION_MAX, "transparent: %.*s", (int)(close - open - 1), open + 1);
    else
        snprintf(text, CONDITION_MAX, UNKNOWN);
}

/* Reads the hypervisor's name if the processor reports it (CPUID leaf 0x40000000); otherwise "". A
 * name repeated to fill its field, such as "KVMKVMKVM", is shortened to one copy. */
static void read_hypervisor(char name[16])
{
    name[0] = '\0';
#if defined __x86_64__ || defined __i386__
    unsigned leaf, words[3];
    size_t length;

    __cpuid(0x40000000, leaf, words[0], words[1], words[2]);
    (void)leaf;
    memcpy(name, words, sizeof words);
    name[sizeof words] = '\0';
    length = strlen(name);
    for (size_t period = 1; period < length; period++)
        if (length % period == 0 && memcmp(name, name + period, length - period) == 0) {
            name[period] = '\0';
            break;
        }
#endif
}

static void describe_virtual_machine(const char *root, char *text)
{
    static const char *const makers[] = {"QEMU",          "KVM",      "VMware",     "Xen",
                                         "innotek",       "Google",   "Amazon EC2", "Parallels",
                                         "Alibaba Cloud", "OpenStack"};
    char maker[64], type[32], flags[4096] = " ", name[16] = "";
    bool x86 = read_cpuinfo(root, "flags", flags + 1, sizeof flags - 2);
    bool guest, makes_guests = false;

    strcat(flags, " ");
    guest = x86 && strstr(flags, " hypervisor ") != NULL;
    read_line(maker, sizeof maker, "%s/sys/class/dmi/id/sys_vendor", root);
    read_line(type, sizeof type, "%s/sys/hypervisor/type", root);
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        makes_guests |= strncmp(maker, makers[i], strlen(makers[i])) == 0;
    if (guest && root[0] == '\0')
        read_hypervisor(name);
    if (x86 && !guest && type[0] == '\0')
        snprintf(text, CONDITION_MAX, "no");
    else if (name[0] != '\0' || type[0] != '\0')
        snprintf(text, CONDITION_MAX, "%s%s%s", name[0] != '\0' ? name : type,
                 maker[0] != '\0' ? ", " : "", maker);
    else if (guest || makes_guests)
        snprintf(text, CONDITION_MAX, "%s", maker[0] != '\0' ? maker : "yes");
    else
        snprintf(text, CONDITION_MAX, UNKNOWN);
}

/* Formats "L1 32 KiB, L2 1024 KiB, L3 32768 KiB of 8 cores", as parsed by machine.c. */
static void describe_caches(const char *root, int thread, char *text)
{
    struct buffer list = buffer_over(text, CONDITION_MAX);
    struct system_caches caches;
    char directory[PATH_MAX];

    snprintf(directory, sizeof directory, "%s" DEVICES "/cpu%d/cache", root, thread);
    system_caches_in(directory, &caches);
    for (int i = 0; i < caches.levels; i++) {
        int cores = caches.threads[0] > 0 ? caches.threads[i] / caches.threads[0] : 1;

        if (caches.capacity[i] <= 0)
            continue;
        buffer_print(&list, "%sL%d %.0f KiB", list.length > 0 ? ", " : "", i + 1,
                     caches.capacity[i] / 1024);
        if (cores > 1)
            buffer_print(&list, " of %d cores", cores);
    }
    if (list.length == 0)
        buffer_text(&list, UNKNOWN);
}

void system_conditions(const char *root, int thread, char condition[CONDITIONS][CONDITION_MAX])
{
    const char *turbo = UNKNOWN;
    char line[8];

    describe_cpu(root, condition[CONDITION_CPU]);
    if (!read_line(condition[CONDITION_GOVERNOR], CONDITION_MAX,
                   "%s" DEVICES "/cpu%d/cpufreq/scaling_governor", root, thread))
        snprintf(condition[CONDITION_GOVERNOR], CONDITION_MAX, UNKNOWN);
    if (read_line(line, sizeof line, "%s" DEVICES "/intel_pstate/no_turbo", root))
        turbo = line[0] == '0' ? "on" : "off";
    else if (read_line(line, sizeof line, "%s" DEVICES "/cpufreq/boost", root))
        turbo = line[0] == '1' ? "on" : "off";
    snprintf(condition[CONDITION_TURBO], CONDITION_MAX, "%s", turbo);
    describe_huge_pages(root, condition[CONDITION_HUGE_PAGES]);
    describe_virtual_machine(root, condition[CONDITION_VIRTUAL]);
    describe_caches(root, thread, condition[CONDITION_CACHES]);
    /* as a measurement that is read has them */
    for (int c = 0; c < CONDITIONS; c++)
        for (char *end = strchr(condition[c], '\0'); end > condition[c] && end[-1] == '\r';)
            *--end = '\0';
}
