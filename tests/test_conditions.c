#include "probe/system.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "check.h"
#include "files.h"
#include "probe/probe.h"

/* Writes a file of a machine, which is a directory of the suite's. */
__attribute__((format(printf, 3, 4))) static void put(const char *machine, const char *content,
                                                      const char *path, ...)
{
    char name[256];
    int length = snprintf(name, sizeof name, "%s", machine);
    va_list arguments;

    va_start(arguments, path);
    vsnprintf(name + length, sizeof name - (size_t)length, path, arguments);
    va_end(arguments);
    for (char *slash = name; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        CHECK_TRUE(mkdir(files_path(name), 0777) == 0 || errno == EEXIST, "%s", name);
        *slash = '/';
    }
    CHECK_TRUE(files_write(name, content, strlen(content)), "%s", name);
}

#define CPU "/sys/devices/system/cpu"

/* Writes the files of a hardware thread: of its core and die, whose masks are given, and of its
 * caches, each "LEVEL TYPE SIZE MASK". */
static void put_thread(const char *machine, int thread, const char *core, const char *die,
                       const char *caches)
{
    char level[8], type[16], size[16], mask[8];
    int length;

    put(machine, core, CPU "/cpu%d/topology/core_cpus", thread);
    put(machine, die, CPU "/cpu%d/topology/die_cpus", thread);
    for (int i = 0; sscanf(caches, "%7s %15s %15s %7s%n", level, type, size, mask, &length) == 4;
         i++, caches += length) {
        put(machine, level, CPU "/cpu%d/cache/index%d/level", thread, i);
        put(machine, type, CPU "/cpu%d/cache/index%d/type", thread, i);
        put(machine, size, CPU "/cpu%d/cache/index%d/size", thread, i);
        put(machine, mask, CPU "/cpu%d/cache/index%d/shared_cpu_map", thread, i);
    }
}

static void read_machine(const char *machine, struct system *system,
                         char condition[CONDITIONS][CONDITION_MAX])
{
    memset(condition, 0, sizeof(char[CONDITIONS][CONDITION_MAX]));
    system_read(files_path(machine), system);
    system_conditions(files_path(machine), system, condition);
}

static void check_starts(const char *text, const char *start)
{
    CHECK_TRUE(strncmp(text, start, strlen(start)) == 0, "\"%s\" instead of \"%s...\"", text,
               start);
}

static void check_ends(const char *text, const char *end)
{
    size_t from = strlen(text) > strlen(end) ? strlen(text) - strlen(end) : 0;

    CHECK_STR(text + from, end);
}

static struct system machine;
static char condition[CONDITIONS][CONDITION_MAX];

/* Two threads of a core have not neighbouring numbers, and none has a cache of the second level. */
TEST(a_server)
{
    put("server",
        "processor\t: 0\ncpu family\t: 6\nmodel name\t: Some CPU, 2.6 GHz\nflags\t\t: fpu sse\n"
        "\nprocessor\t: 1\nmodel name\t: Other\n",
        "/proc/cpuinfo");
    put("server", "performance\n", CPU "/cpu3/cpufreq/scaling_governor");
    put("server", "0\n", CPU "/intel_pstate/no_turbo");
    put("server", "always [madvise] never\n", "/sys/kernel/mm/transparent_hugepage/enabled");
    put("server", "A Maker\n", "/sys/class/dmi/id/sys_vendor");
    put("server", "2-3\n", CPU "/isolated");
    put("server", "1-3\n", CPU "/nohz_full");
    put("server", "intel_idle\n", CPU "/cpuidle/current_driver");
    put("server", "menu\n", CPU "/cpuidle/current_governor");
    put("server", "0-3\n", CPU "/online");
    for (int i = 0; i < 4; i++)
        put_thread("server", i, i % 2 == 0 ? "5" : "a", "f",
                   i % 2 == 0 ? "3 Unified 32768K f 1 Instruction 64K 5 1 Data 48K 5"
                              : "3 Unified 32768K f 1 Instruction 64K a 1 Data 48K a");
    read_machine("server", &machine, condition);
    CHECK_STR(condition[CONDITION_CPU], "Some CPU, 2.6 GHz");
    check_starts(condition[CONDITION_CORES], "2 usable, 4 of ");
    CHECK_STR(condition[CONDITION_PINNED], "core 3");
    CHECK_STR(condition[CONDITION_GOVERNOR], "performance");
    CHECK_STR(condition[CONDITION_TURBO], "on");
    CHECK_STR(condition[CONDITION_HUGE_PAGES], "transparent: madvise");
    CHECK_STR(condition[CONDITION_VIRTUAL], "no");
    CHECK_STR(condition[CONDITION_CACHES], "L1 48 KiB, L3 32768 KiB of 2 cores");
    CHECK_STR(condition[CONDITION_ISOLATION], "yes, of 2-3; no ticks on 1-3");
    CHECK_STR(condition[CONDITION_SLEEP_STATES], "intel_idle, governor menu");
    CHECK_INT(machine.core[1], 2);
    CHECK_INT(machine.kind[0].caches.levels, 3);
    CHECK_NEAR(machine.kind[0].caches.capacity[2], 32 << 20, 0);
}

/* Two cores of two threads and a module of four of one, as in Intel's Core of the 12th generation.
 */
TEST(two_kinds_of_cores)
{
    static const char *const own[] = {"3", "3", "c", "c", "10", "20", "40", "80"};
    char caches[80];

    put("hybrid", "0-7\n", CPU "/online");
    put("hybrid", "0-3\n", "/sys/devices/cpu_core/cpus");
    for (int i = 0; i < 8; i++) {
        snprintf(caches, sizeof caches, "1 Data %s %s 2 Unified %s %s 3 Unified 24576K ff",
                 i < 4 ? "48K" : "32K", own[i], i < 4 ? "1280K" : "2048K", i < 4 ? own[i] : "f0");
        put_thread("hybrid", i, own[i], "ff", caches);
    }
    read_machine("hybrid", &machine, condition);
    check_starts(condition[CONDITION_CORES], "6 usable (4 E, 2 P), 8 of ");
    CHECK_STR(condition[CONDITION_PINNED], "core 7 (E)");
    CHECK_STR(condition[CONDITION_CACHES], "L1 32 KiB, L2 2048 KiB of 4 cores, L3 24576 KiB of 6 "
                                           "cores; P: L1 48 KiB, L2 1280 KiB");
}

/* Linux numbers the cores of each die from 0 on. */
TEST(two_dies)
{
    static const char *const own[] = {"3", "c", "30", "c0"};
    char caches[80];

    put("dies", "0-7\n", CPU "/online");
    for (int i = 0; i < 8; i++) {
        const char *die = i < 4 ? "f" : "f0";

        snprintf(caches, sizeof caches, "1 Data 32K %s 3 Unified 16384K %s", own[i / 2], die);
        put_thread("dies", i, own[i / 2], die, caches);
        put("dies", i < 4 ? "0" : "1", CPU "/cpu%d/topology/die_id", i);
        put("dies", i / 2 % 2 == 0 ? "0" : "1", CPU "/cpu%d/topology/core_id", i);
        put("dies", "0", CPU "/cpu%d/topology/physical_package_id", i);
        put("dies", "ff", CPU "/cpu%d/topology/package_cpus", i);
    }
    read_machine("dies", &machine, condition);
    check_starts(condition[CONDITION_CORES], "4 usable, 8 of ");
    CHECK_STR(condition[CONDITION_CACHES], "L1 32 KiB, L3 16384 KiB of 2 cores");
}

/* Three nodes, one of which has memory alone. */
TEST(two_nodes_with_cores)
{
    static const char *const cpus[] = {"3", "c", "0"};

    put("nodes", "0-3\n", CPU "/online");
    put("nodes", "0-2\n", "/sys/devices/system/node/online");
    for (int i = 0; i < 4; i++)
        put_thread("nodes", i, (const char *const[]){"1", "2", "4", "8"}[i], cpus[i / 2], "");
    for (int i = 0; i < 3; i++) {
        put("nodes", cpus[i], "/sys/devices/system/node/node%d/cpumap", i);
        put("nodes", "Node 0 MemTotal: 16777216 kB\n", "/sys/devices/system/node/node%d/meminfo",
            i);
    }
    read_machine("nodes", &machine, condition);
    check_starts(condition[CONDITION_CORES], "4 usable, 4 of ");
    check_ends(condition[CONDITION_CORES], " hardware threads, 2 NUMA nodes");
    CHECK_STR(condition[CONDITION_PINNED], "core 3, NUMA node 1");
}

/* The part is that of the core that is measured, the last. */
TEST(two_parts_of_arm)
{
    put("parts",
        "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd87\n\n"
        "processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd85\n\nprocessor\t: 2\n",
        "/proc/cpuinfo");
    put("parts", "0-1\n", CPU "/online");
    put_thread("parts", 0, "1", "3", "1 Data 64K 1 2 Unified 512K 1");
    put_thread("parts", 1, "2", "3", "1 Data 64K 2 2 Unified 2048K 2");
    read_machine("parts", &machine, condition);
    CHECK_STR(condition[CONDITION_CPU], "implementer 0x41 part 0xd85");
    check_starts(condition[CONDITION_CORES], "2 usable (1 part 0xd85, 1 part 0xd87), 2 of ");
    CHECK_STR(condition[CONDITION_PINNED], "core 1 (part 0xd85)");
    CHECK_STR(condition[CONDITION_CACHES], "L1 64 KiB, L2 2048 KiB; part 0xd87: L2 512 KiB");
}

/* A third kind is of a type that is there, without a cache of the third level; the clock of one
 * core may be higher than that of others like it. */
TEST(three_kinds_of_two_types)
{
    static const char *const own[] = {"1", "2", "4", "8", "10"};
    char caches[80];

    put("low", "0-4\n", CPU "/online");
    put("low", "0-2\n", "/sys/devices/cpu_core/cpus");
    for (int i = 0; i < 5; i++) {
        snprintf(caches, sizeof caches, "2 Unified 2048K %s %s", own[i],
                 i < 4 ? "3 Unified 24576K f" : "");
        put_thread("low", i, own[i], "1f", caches);
        put("low", i == 0 ? "1024\n" : i < 3 ? "1000\n" : "600\n", CPU "/cpu%d/cpu_capacity", i);
    }
    read_machine("low", &machine, condition);
    check_starts(condition[CONDITION_CORES], "5 usable (1 E, 1 E, 3 P), ");
    CHECK_STR(condition[CONDITION_CACHES],
              "L2 2048 KiB; E: L3 24576 KiB of 4 cores; P: L3 24576 KiB of 4 cores");
}

/* Nothing but a cache, or what hwloc finds out from the clock, tells the kinds apart. */
TEST(kinds_without_a_name)
{
    put("unnamed", "0-2\n", CPU "/online");
    put_thread("unnamed", 0, "1", "1", "3 Unified 98304K 1");
    put_thread("unnamed", 1, "2", "6", "3 Unified 32768K 6");
    put_thread("unnamed", 2, "4", "6", "3 Unified 32768K 6");
    read_machine("unnamed", &machine, condition);
    check_starts(condition[CONDITION_CORES], "3 usable (2 kind 1, 1 kind 2), ");
    CHECK_STR(condition[CONDITION_CACHES], "L3 32768 KiB of 2 cores; kind 2: L3 98304 KiB");
    put("unnamed", "3000000\n", CPU "/cpu0/cpufreq/base_frequency");
    put("unnamed", "2000000\n", CPU "/cpu1/cpufreq/base_frequency");
    put("unnamed", "3000000\n", CPU "/cpu2/cpufreq/base_frequency");
    read_machine("unnamed", &machine, condition);
    check_starts(condition[CONDITION_CORES], "3 usable (1 kind 1, 1 kind 2, 1 kind 3), ");
    CHECK_STR(condition[CONDITION_PINNED], "core 2 (kind 1)");
}

/* What no file is left for is not taken for what does not exist. */
TEST(no_file_is_left)
{
    struct rlimit limit, none;

    if (!CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0))
        return;
    put("full", "0\n", CPU "/online");
    put_thread("full", 0, "1", "1", "1 Data 32K 1");
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &none), 0);
    system_read(files_path("full"), &machine);
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
    CHECK_INT(machine.kind[0].caches.levels, 0);
    CHECK(machine.unread);
    system_read(files_path("full"), &machine);
    CHECK_INT(machine.kind[0].caches.levels, 1);
    CHECK(!machine.unread);
}

TEST(a_guest)
{
    put("guest", "model name: x\nflags: fpu hypervisor sse\n", "/proc/cpuinfo");
    put("guest", "QEMU\n", "/sys/class/dmi/id/sys_vendor");
    put("guest", "0\n", CPU "/cpufreq/boost");
    read_machine("guest", &machine, condition);
    CHECK_STR(condition[CONDITION_VIRTUAL], "QEMU");
    CHECK_STR(condition[CONDITION_TURBO], "off");
    CHECK_STR(condition[CONDITION_GOVERNOR], "unknown");
    CHECK_STR(condition[CONDITION_CACHES], "unknown");
    CHECK_STR(condition[CONDITION_HUGE_PAGES], "unknown");
}

/* It tells numbers, no name. */
TEST(a_board_with_arm)
{
    put("arm", "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
        "/proc/cpuinfo");
    read_machine("arm", &machine, condition);
    CHECK_STR(condition[CONDITION_CPU], "implementer 0x41 part 0xd0c");
    CHECK_STR(condition[CONDITION_VIRTUAL], "unknown");
    put("arm", "Some Board Rev 1.4", "/sys/firmware/devicetree/base/model");
    read_machine("arm", &machine, condition);
    CHECK_STR(condition[CONDITION_CPU], "Some Board Rev 1.4, implementer 0x41 part 0xd0c");
}

TEST(nothing_is_known)
{
    read_machine("nowhere", &machine, condition);
    CHECK_STR(condition[CONDITION_CPU], "unknown");
    CHECK_STR(condition[CONDITION_TURBO], "unknown");
    CHECK_STR(condition[CONDITION_VIRTUAL], "unknown");
    CHECK_STR(condition[CONDITION_CACHES], "unknown");
    CHECK(machine.cores >= 1 && machine.threads >= machine.cores);
    CHECK(!machine.unread);
}

TEST(this_machine)
{
    const struct system *here = system_here();
    struct measurement measurement = {0};
    struct probe probe;
    cpu_set_t before;

    CHECK_INT(sched_getaffinity(0, sizeof before, &before), 0);
    probe_defaults(&probe, true);
    probe.measurement = &measurement;
    CHECK_INT(probe.core, here->core[0]);
    probe_conditions(&probe);
    for (int i = 0; i < CONDITION_REALTIME; i++)
        CHECK_TRUE(i == CONDITION_VECTORS || measurement.condition[i][0] != '\0', "%s is empty",
                   condition_names[i]);
    CHECK_STR(measurement.condition[CONDITION_SEED], "1");
    /* "2026-01-31T23:59:59Z" */
    CHECK_INT(strlen(measurement.condition[CONDITION_DATE]), 20);
    CHECK_INT(measurement.condition[CONDITION_DATE][19], 'Z');
    system_cpu(condition[0]);
    CHECK_STR(measurement.condition[CONDITION_CPU], condition[0]);
    /* It is pinned now, and what it may use is still known. */
    system_read("", &machine);
    CHECK_INT(machine.cores, 1);
    CHECK_INT(machine.threads, 1);
    CHECK_INT(machine.core[0], here->core[0]);
    CHECK(system_here() == here && here->threads >= here->cores);
    for (int i = 1; i < here->cores; i++)
        CHECK_TRUE(here->core[i] < here->core[i - 1], "core %d after %d", here->core[i],
                   here->core[i - 1]);
    CHECK_INT(sched_setaffinity(0, sizeof before, &before), 0);
}

SUITE(files_open, files_close)
