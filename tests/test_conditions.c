#include "probe/system.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "check.h"
#include "files.h"
#include "probe/probe.h"

/* Makes a machine of files below a new directory of the suite's. */
static void make(const char *machine, const char *path, const char *content)
{
    char name[256];

    snprintf(name, sizeof name, "%s%s", machine, path);
    for (char *slash = name; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        CHECK_TRUE(mkdir(files_path(name), 0777) == 0 || errno == EEXIST, "%s", name);
        *slash = '/';
    }
    CHECK_TRUE(files_write(name, content, strlen(content)), "%s", name);
}

#define CPU "/sys/devices/system/cpu"

TEST(a_server)
{
    char condition[CONDITIONS][CONDITION_MAX] = {{0}};
    struct system_caches caches;
    char root[512], directory[600];

    snprintf(root, sizeof root, "%s", files_path("server"));
    make("server", "/proc/cpuinfo",
         "processor\t: 0\ncpu family\t: 6\nmodel name\t: Some CPU, 2.6 GHz\nflags\t\t: fpu sse\n"
         "\nprocessor\t: 1\nmodel name\t: Other\n");
    make("server", CPU "/cpu3/cpufreq/scaling_governor", "performance\n");
    make("server", CPU "/intel_pstate/no_turbo", "0\n");
    make("server", "/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    make("server", "/sys/class/dmi/id/sys_vendor", "A Maker\n");
    make("server", CPU "/cpu3/cache/index0/type", "Unified\n");
    make("server", CPU "/cpu3/cache/index0/level", "3\n");
    make("server", CPU "/cpu3/cache/index0/size", "32M\n");
    make("server", CPU "/cpu3/cache/index0/shared_cpu_list", "0-3,8-11,16\n");
    make("server", CPU "/cpu3/cache/index1/type", "Instruction\n");
    make("server", CPU "/cpu3/cache/index1/level", "1\n");
    make("server", CPU "/cpu3/cache/index1/size", "64K\n");
    make("server", CPU "/cpu3/cache/index2/type", "Data\n");
    make("server", CPU "/cpu3/cache/index2/level", "1\n");
    make("server", CPU "/cpu3/cache/index2/size", "48K\n");
    system_conditions(root, 3, condition);
    CHECK_STR(condition[CONDITION_CPU], "Some CPU, 2.6 GHz");
    CHECK_STR(condition[CONDITION_GOVERNOR], "performance");
    CHECK_STR(condition[CONDITION_TURBO], "on");
    CHECK_STR(condition[CONDITION_HUGE_PAGES], "transparent: madvise");
    CHECK_STR(condition[CONDITION_VIRTUAL], "no");
    CHECK_STR(condition[CONDITION_CACHES], "L1 48 KiB, L3 32768 KiB of 9 cores");
    snprintf(directory, sizeof directory, "%s" CPU "/cpu3/cache", root);
    system_caches_in(directory, &caches);
    CHECK_INT(caches.levels, 3);
    CHECK_INT(caches.threads[0], 1);
    CHECK_INT(caches.threads[2], 9);
    CHECK_NEAR(caches.capacity[2], 32 << 20, 0);
}

/* What no file is left for is not taken for what does not exist. */
TEST(no_file_is_left)
{
    struct rlimit limit, none;
    struct system_caches caches;

    if (!CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0))
        return;
    make("full", "/index0/type", "Data\n");
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &none), 0);
    system_caches_in(files_path("full"), &caches);
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
    CHECK_INT(caches.levels, 0);
    CHECK_INT(caches.unread, EMFILE);
    system_caches_in(files_path("full"), &caches);
    CHECK_INT(caches.unread, 0);
}

TEST(a_guest)
{
    char condition[CONDITIONS][CONDITION_MAX] = {{0}};

    make("guest", "/proc/cpuinfo", "model name: x\nflags: fpu hypervisor sse\n");
    make("guest", "/sys/class/dmi/id/sys_vendor", "QEMU\n");
    make("guest", CPU "/cpufreq/boost", "0\n");
    system_conditions(files_path("guest"), 0, condition);
    CHECK_STR(condition[CONDITION_VIRTUAL], "QEMU");
    CHECK_STR(condition[CONDITION_TURBO], "off");
    CHECK_STR(condition[CONDITION_GOVERNOR], "unknown");
    CHECK_STR(condition[CONDITION_CACHES], "unknown");
    CHECK_STR(condition[CONDITION_HUGE_PAGES], "unknown");
}

/* It tells numbers, no name. */
TEST(a_board_with_arm)
{
    char condition[CONDITIONS][CONDITION_MAX] = {{0}};

    make("arm", "/proc/cpuinfo",
         "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
    system_conditions(files_path("arm"), 0, condition);
    CHECK_STR(condition[CONDITION_CPU], "implementer 0x41 part 0xd0c");
    CHECK_STR(condition[CONDITION_VIRTUAL], "unknown");
    make("arm", "/sys/firmware/devicetree/base/model", "Some Board Rev 1.4");
    system_conditions(files_path("arm"), 0, condition);
    CHECK_STR(condition[CONDITION_CPU], "Some Board Rev 1.4, implementer 0x41 part 0xd0c");
}

TEST(nothing_is_known)
{
    char condition[CONDITIONS][CONDITION_MAX] = {{0}};

    system_conditions(files_path("nowhere"), 0, condition);
    CHECK_STR(condition[CONDITION_CPU], "unknown");
    CHECK_STR(condition[CONDITION_TURBO], "unknown");
    CHECK_STR(condition[CONDITION_VIRTUAL], "unknown");
}

TEST(this_machine)
{
    int cores[SYSTEM_CORES_MAX], threads;
    int count = system_cores(cores, &threads);
    struct measurement measurement = {0};
    struct probe probe;
    cpu_set_t before;

    CHECK_INT(sched_getaffinity(0, sizeof before, &before), 0);
    probe_defaults(&probe, true);
    probe.measurement = &measurement;
    CHECK_INT(probe.core, cores[0]);
    probe_conditions(&probe);
    for (int i = 0; i < CONDITION_GPU; i++)
        CHECK_TRUE(i == CONDITION_VECTORS || measurement.condition[i][0] != '\0', "%s is empty",
                   condition_names[i]);
    CHECK_STR(measurement.condition[CONDITION_SEED], "1");
    /* "2026-01-31T23:59:59Z" */
    CHECK_INT(strlen(measurement.condition[CONDITION_DATE]), 20);
    CHECK_INT(measurement.condition[CONDITION_DATE][19], 'Z');
    /* It is pinned now, and what it may use is still known. */
    CHECK_INT(system_cores(cores, &threads), count);
    CHECK(threads >= count);
    for (int i = 1; i < count; i++)
        CHECK_TRUE(cores[i] < cores[i - 1], "core %d after %d", cores[i], cores[i - 1]);
    CHECK_INT(sched_setaffinity(0, sizeof before, &before), 0);
}

SUITE(files_open, files_close)
