#include "probe/system.h"

#include <errno.h>
#include <fcntl.h>
#include <hwloc.h>
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

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/file.h"

#define DEVICES "/sys/devices/system/cpu"
#define UNKNOWN "unknown"
#define CPUINFO_BYTES_MAX (16 << 20) /* some KiB for each of thousands of hardware threads */

/* Files ---------------------------------------------------------------------------------------- */

/* Reads the first line of the file named by `format`, without its newline and truncated to fit.
 * Returns false, with "", if there is none. */
__attribute__((format(printf, 3, 4))) static bool read_line(char *line, int size,
                                                            const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    ssize_t count = -1;
    int file;

    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        count = read(file, line, (size_t)size - 1);
        close(file);
    }
    line[count > 0 ? count : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return count > 0;
}

/* Reads /proc/cpuinfo; "" if there is none. The text is the caller's to free. */
static char *read_cpuinfo(const char *root)
{
    char path[PATH_MAX];
    size_t length;
    char *text;

    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    if (file_read(path, CPUINFO_BYTES_MAX, &text, &length, NULL, NULL) != STATUS_OK)
        text = allocate_text("");
    return text;
}

/* The value of a line "NAME\t: VALUE", up to its end; NULL if it is another line. */
static const char *line_value(const char *line, const char *name)
{
    size_t length = strlen(name);
    const char *colon = line + length;

    if (strncmp(line, name, length) != 0)
        return NULL;
    colon += strspn(colon, " \t");
    return *colon == ':' ? colon + 1 + strspn(colon + 1, " \t") : NULL;
}

/* Finds the value of `name` for a hardware thread, else the first one; false, with "", if none. */
static bool find_cpuinfo(const char *cpuinfo, int thread, const char *name, char *value,
                         size_t size)
{
    const char *found = NULL;
    bool own = false, after = false; /* in the lines of the thread, after them */

    for (const char *line = cpuinfo; *line != '\0' && !after;
         line += strcspn(line, "\n"), line += *line == '\n') {
        const char *number = line_value(line, "processor"), *text = line_value(line, name);

        after = own && number != NULL;
        own = number != NULL ? atoi(number) == thread : own;
        if (text != NULL && (own || found == NULL))
            found = text;
    }
    snprintf(value, size, "%.*s", found == NULL ? 0 : (int)strcspn(found, "\n"),
             found == NULL ? "" : found);
    return found != NULL;
}

/* Cores and caches ----------------------------------------------------------------------------- */

#define TOPOLOGY_BYTES (4 << 20) /* hwloc takes 2.3 MB for 1024 hardware threads */

/* Loads what hwloc knows; NULL on failure. `listed`: the kernel lists the cores.
 *
 * hwloc then reads the kernel's files only. Its component x86 would run on each core to ask it,
 * also on those isolated for programs that must not wait; it is the only one that knows caches
 * where there are no files. Its plugins, for GPUs and displays, would load their drivers; nothing
 * here needs them. What the user has set counts, and programs started later get nothing of this. */
static hwloc_topology_t load_topology(const char *root, bool listed)
{
    const char *const setting[][2] = {{"HWLOC_HIDE_ERRORS", "2"},
                                      {"HWLOC_PLUGINS_PATH", ""},
                                      {"HWLOC_FSROOT", root[0] == '\0' ? "/" : root}};
    bool lent[3];
    hwloc_topology_t topology = NULL;
    bool loaded = false;

    /* it uses memory without asking whether it got any, also for bitmaps */
    free(allocate(TOPOLOGY_BYTES));
    for (int i = 0; i < 3; i++)
        lent[i] = getenv(setting[i][0]) == NULL && setenv(setting[i][0], setting[i][1], true) == 0;
    if (hwloc_topology_init(&topology) == 0) {
        hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
                                               HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                               HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS);
        if (listed || root[0] != '\0')
            hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                          "x86");
        loaded = hwloc_topology_load(topology) == 0;
    }
    if (!loaded && errno == ENOMEM)
        allocation_failed();
    if (!loaded && topology != NULL)
        hwloc_topology_destroy(topology);
    for (int i = 0; i < 3; i++)
        if (lent[i])
            unsetenv(setting[i][0]);
    return loaded ? topology : NULL;
}

static void read_caches(hwloc_topology_t topology, hwloc_obj_t thread, struct system_caches *caches)
{
    *caches = (struct system_caches){0};
    for (hwloc_obj_t object = thread; object != NULL; object = object->parent) {
        int level = hwloc_obj_type_is_dcache(object->type) ? (int)object->attr->cache.depth : 0;
        int cores;

        if (level < 1 || level > SYSTEM_CACHES_MAX || object->attr->cache.size == 0)
            continue;
        cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, object->cpuset, HWLOC_OBJ_CORE);
        caches->capacity[level - 1] = (double)object->attr->cache.size;
        caches->cores[level - 1] = cores > 1 ? cores : 1;
        if (level > caches->levels)
            caches->levels = level;
    }
}

/* Names what hwloc, in version 2.9, does not know: parts of ARM and types of Intel; else "". */
static void name_kind(const char *root, const char *cpuinfo, int thread, char *name)
{
    hwloc_bitmap_t fast = hwloc_bitmap_alloc();
    char part[16], list[1024];

    if (find_cpuinfo(cpuinfo, thread, "CPU part", part, sizeof part))
        snprintf(name, SYSTEM_NAME_MAX, "part %s", part);
    else if (read_line(list, sizeof list, "%s/sys/devices/cpu_core/cpus", root) &&
             hwloc_bitmap_list_sscanf(fast, list) == 0)
        strcpy(name, hwloc_bitmap_isset(fast, (unsigned)thread) ? "P" : "E");
    hwloc_bitmap_free(fast);
}

/* Counts a core of a kind. */
static void add_core(struct system *system, const struct system_kind *kind)
{
    for (int k = 0; k < system->kinds; k++) {
        struct system_kind *same = &system->kind[k];

        if (strcmp(same->name, kind->name) == 0 && same->speed == kind->speed &&
            memcmp(same->caches.capacity, kind->caches.capacity, sizeof kind->caches.capacity) ==
                0) {
            same->cores++;
            return;
        }
    }
    if (system->kinds < SYSTEM_KINDS_MAX)
        system->kind[system->kinds++] = *kind;
}

/* Finds the cores with one of the hardware threads `left`, which it empties. */
static void find_cores(const char *root, hwloc_topology_t topology, hwloc_bitmap_t left,
                       struct system *system)
{
    char *cpuinfo = read_cpuinfo(root);
    const char *parts = strstr(cpuinfo, "CPU part") == NULL ? "" : cpuinfo;
    int thread;

    system->threads = hwloc_bitmap_weight(left);
    system->cores = system->kinds = 0;
    while ((thread = hwloc_bitmap_last(left)) >= 0 && system->cores < SYSTEM_CORES_MAX) {
        hwloc_obj_t known = hwloc_get_pu_obj_by_os_index(topology, (unsigned)thread);
        hwloc_obj_t core =
            known == NULL ? NULL : hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, known);
        struct system_kind kind = {.cores = 1, .speed = -1};

        /* a thread of no known core counts as one */
        hwloc_bitmap_clr(left, (unsigned)thread);
        if (core != NULL)
            hwloc_bitmap_andnot(left, left, core->cpuset);
        name_kind(root, parts, thread, kind.name);
        /* in those with a name it is only the highest clock of each core */
        if (known != NULL && kind.name[0] == '\0')
            kind.speed = hwloc_cpukinds_get_by_cpuset(topology, known->cpuset, 0);
        read_caches(topology, known, &kind.caches);
        system->core[system->cores++] = thread;
        add_core(system, &kind);
    }
    for (int k = 0; k < system->kinds; k++)
        if (system->kind[k].name[0] == '\0')
            snprintf(system->kind[k].name, SYSTEM_NAME_MAX, "kind %d", k + 1);
    free(cpuinfo);
}

/* Finds the NUMA nodes of the hardware threads `available`. */
static void find_nodes(hwloc_topology_t topology, hwloc_const_bitmap_t available,
                       struct system *system)
{
    unsigned last = (unsigned)hwloc_bitmap_last(available); /* core[0] */

    for (hwloc_obj_t node = NULL;
         (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != NULL;) {
        system->nodes += hwloc_bitmap_intersects(node->cpuset, available);
        if (hwloc_bitmap_isset(node->cpuset, last))
            system->node = (int)node->os_index;
    }
}

/* The last hardware thread available to this process. */
static int last_thread(void)
{
    cpu_set_t set;
    int thread = CPU_SETSIZE - 1;

    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    while (thread > 0 && !CPU_ISSET((size_t)thread, &set))
        thread--;
    return thread;
}

void system_read(const char *root, struct system *system)
{
    char path[PATH_MAX];
    hwloc_topology_t topology;
    hwloc_bitmap_t available;
    bool listed;

    *system = (struct system){.threads = 1,
                              .cores = 1,
                              .core = {last_thread()},
                              .kinds = 1,
                              .kind = {{.cores = 1}},
                              .unread = true};
    snprintf(path, sizeof path, "%s" DEVICES "/cpu0/topology", root);
    listed = access(path, F_OK) == 0;
    topology = load_topology(root, listed);
    if (topology == NULL)
        return;
    available = hwloc_bitmap_alloc();
    if (!hwloc_topology_is_thissystem(topology) ||
        hwloc_get_cpubind(topology, available, HWLOC_CPUBIND_THREAD) != 0)
        hwloc_bitmap_copy(available, hwloc_topology_get_allowed_cpuset(topology));
    find_nodes(topology, available, system);
    find_cores(root, topology, available, system);
    /* hwloc does not tell what it could not open from what there is not */
    system->unread = listed && hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) < 1;
    hwloc_bitmap_free(available);
    hwloc_topology_destroy(topology);
}

static struct system here;

static void read_here(void)
{
    system_read("", &here);
}

const struct system *system_here(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_here);
    return &here;
}

bool system_pin_thread(int core)
{
    cpu_set_t set;

    system_here();
    CPU_ZERO(&set);
    if (core < 0 || core >= CPU_SETSIZE)
        return false;
    CPU_SET((size_t)core, &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

int system_set_realtime(bool on)
{
    const struct sched_param priority = {.sched_priority =
                                             on ? sched_get_priority_min(SCHED_FIFO) : 0};

    return pthread_setschedparam(pthread_self(), on ? SCHED_FIFO : SCHED_OTHER, &priority);
}

/* Conditions ----------------------------------------------------------------------------------- */

/* Finds the model name: the keys of various architectures in /proc/cpuinfo, otherwise the device
 * tree. */
static void describe_cpu(const char *root, const char *cpuinfo, int thread, char *text)
{
    static const char *const keys[] = {"model name", "cpu model", "cpu", "uarch"};
    char board[80], implementer[16], part[16];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (find_cpuinfo(cpuinfo, thread, keys[i], text, CONDITION_MAX) && text[0] != '\0')
            return;
    read_line(board, sizeof board, "%s/sys/firmware/devicetree/base/model", root);
    if (find_cpuinfo(cpuinfo, thread, "CPU implementer", implementer, sizeof implementer) &&
        find_cpuinfo(cpuinfo, thread, "CPU part", part, sizeof part))
        snprintf(text, CONDITION_MAX, "%s%simplementer %s part %s", board,
                 board[0] != '\0' ? ", " : "", implementer, part);
    else
        snprintf(text, CONDITION_MAX, "%s", board[0] != '\0' ? board : UNKNOWN);
}

double system_number(const char *path, const char *label, double otherwise)
{
    const size_t length = strlen(label);
    FILE *file = fopen(path, "re");
    char line[256], colon;
    double number = otherwise;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, label, length) == 0 &&
            (sscanf(line + length, "%lf", &number) == 1 ||
             sscanf(line + length, " %c %lf", &colon, &number) == 2))
            break;
    if (file != NULL)
        fclose(file);
    return number;
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

/* Says whether a thread is isolated, and of which the clock ticks are kept off. */
static void describe_isolation(const char *root, int thread, char *text)
{
    struct buffer buffer = buffer_over(text, CONDITION_MAX);
    hwloc_bitmap_t isolated = hwloc_bitmap_alloc();
    char list[50];
    bool any = read_line(list, sizeof list, "%s" DEVICES "/isolated", root) && list[0] != '\0' &&
               hwloc_bitmap_list_sscanf(isolated, list) == 0;

    buffer_text(&buffer, any && hwloc_bitmap_isset(isolated, (unsigned)thread) ? "yes" : "no");
    if (any)
        buffer_print(&buffer, ", of %s", list);
    if (read_line(list, sizeof list, "%s" DEVICES "/nohz_full", root) && list[0] != '\0' &&
        list[0] != '(')
        buffer_print(&buffer, "; no ticks on %s", list);
    hwloc_bitmap_free(isolated);
}

static void describe_sleep_states(const char *root, char *text)
{
    char driver[50], governor[50];

    if (!read_line(driver, sizeof driver, "%s" DEVICES "/cpuidle/current_driver", root))
        snprintf(text, CONDITION_MAX, UNKNOWN);
    else if (strcmp(driver, "none") != 0 &&
             (read_line(governor, sizeof governor, "%s" DEVICES "/cpuidle/current_governor",
                        root) ||
              read_line(governor, sizeof governor, "%s" DEVICES "/cpuidle/current_governor_ro",
                        root)))
        snprintf(text, CONDITION_MAX, "%s, governor %s", driver, governor);
    else
        snprintf(text, CONDITION_MAX, "%s", driver);
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

static void describe_virtual_machine(const char *root, const char *cpuinfo, char *text)
{
    static const char *const makers[] = {"QEMU",          "KVM",      "VMware",     "Xen",
                                         "innotek",       "Google",   "Amazon EC2", "Parallels",
                                         "Alibaba Cloud", "OpenStack"};
    char maker[64], type[32], flags[4096] = " ", name[16] = "";
    bool x86 = find_cpuinfo(cpuinfo, 0, "flags", flags + 1, sizeof flags - 2);
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

/* Adds "L1 32 KiB, L3 32768 KiB of 8 cores" after a heading, or nothing; `except`, unless NULL:
 * only what differs from it. */
static void put_caches(struct buffer *list, const char *heading, const struct system_caches *caches,
                       const struct system_caches *except)
{
    for (int i = 0; i < caches->levels; i++) {
        if (caches->capacity[i] <= 0 ||
            (except != NULL && caches->capacity[i] == except->capacity[i]))
            continue;
        buffer_print(list, "%sL%d %.0f KiB", heading, i + 1, caches->capacity[i] / 1024);
        if (caches->cores[i] > 1)
            buffer_print(list, " of %d cores", caches->cores[i]);
        heading = ", ";
    }
}

/* Those of the first kind, as parsed by machine.c, then of the others what differs. */
static void describe_caches(const struct system *system, char *text)
{
    struct buffer list = buffer_over(text, CONDITION_MAX);
    char heading[SYSTEM_NAME_MAX + 8];

    put_caches(&list, "", &system->kind[0].caches, NULL);
    if (list.length == 0)
        buffer_text(&list, UNKNOWN);
    for (int k = 1; k < system->kinds; k++) {
        snprintf(heading, sizeof heading, "; %s: ", system->kind[k].name);
        put_caches(&list, heading, &system->kind[k].caches, &system->kind[0].caches);
    }
}

static void describe_cores(const struct system *system, char *cores, char *pinned)
{
    struct buffer list = buffer_over(cores, CONDITION_MAX);

    buffer_print(&list, "%d usable", system->cores);
    for (int k = 0; k < system->kinds && system->kinds > 1; k++)
        buffer_print(&list, "%s%d %s", k == 0 ? " (" : ", ", system->kind[k].cores,
                     system->kind[k].name);
    buffer_print(&list, "%s, %d of %ld hardware threads", system->kinds > 1 ? ")" : "",
                 system->threads, sysconf(_SC_NPROCESSORS_CONF));
    if (system->nodes > 1)
        buffer_print(&list, ", %d NUMA nodes", system->nodes);
    list = buffer_over(pinned, CONDITION_MAX);
    buffer_print(&list, "core %d", system->core[0]);
    if (system->kinds > 1)
        buffer_print(&list, " (%s)", system->kind[0].name);
    if (system->nodes > 1)
        buffer_print(&list, ", NUMA node %d", system->node);
}

void system_cpu(char text[CONDITION_MAX])
{
    char *cpuinfo = read_cpuinfo("");

    describe_cpu("", cpuinfo, last_thread(), text);
    free(cpuinfo);
}

void system_conditions(const char *root, const struct system *system,
                       char condition[CONDITIONS][CONDITION_MAX])
{
    char *cpuinfo = read_cpuinfo(root);
    int thread = system->core[0];
    const char *turbo = UNKNOWN;
    char line[8];

    describe_cpu(root, cpuinfo, thread, condition[CONDITION_CPU]);
    describe_cores(system, condition[CONDITION_CORES], condition[CONDITION_PINNED]);
    if (!read_line(condition[CONDITION_GOVERNOR], CONDITION_MAX,
                   "%s" DEVICES "/cpu%d/cpufreq/scaling_governor", root, thread))
        snprintf(condition[CONDITION_GOVERNOR], CONDITION_MAX, UNKNOWN);
    if (read_line(line, sizeof line, "%s" DEVICES "/intel_pstate/no_turbo", root))
        turbo = line[0] == '0' ? "on" : "off";
    else if (read_line(line, sizeof line, "%s" DEVICES "/cpufreq/boost", root))
        turbo = line[0] == '1' ? "on" : "off";
    snprintf(condition[CONDITION_TURBO], CONDITION_MAX, "%s", turbo);
    describe_huge_pages(root, condition[CONDITION_HUGE_PAGES]);
    describe_virtual_machine(root, cpuinfo, condition[CONDITION_VIRTUAL]);
    describe_caches(system, condition[CONDITION_CACHES]);
    describe_isolation(root, thread, condition[CONDITION_ISOLATION]);
    describe_sleep_states(root, condition[CONDITION_SLEEP_STATES]);
    /* as a measurement that is read has them */
    for (int c = 0; c < CONDITIONS; c++)
        for (char *end = strchr(condition[c], '\0'); end > condition[c] && end[-1] == '\r';)
            *--end = '\0';
    free(cpuinfo);
}
