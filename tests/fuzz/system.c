/* Files of the system that describe a machine of two cores: the conditions of a measurement made of
 * them read back as they were. The input is their contents, each up to a NUL; a part that is
 * missing is a file that does not exist. */
#include "fuzz.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "probe/system.h"
#include "report/probe.h"

#define CPU "sys/devices/system/cpu/"
#define INDEX CPU "cpu0/cache/index"

static const char *const files[] = {
    "proc/cpuinfo",
    INDEX "0/type",
    INDEX "0/level",
    INDEX "0/size",
    INDEX "0/shared_cpu_map",
    INDEX "1/type",
    INDEX "1/level",
    INDEX "1/size",
    INDEX "1/shared_cpu_map",
    "sys/kernel/mm/transparent_hugepage/enabled",
    CPU "cpu0/cpufreq/scaling_governor",
    CPU "intel_pstate/no_turbo",
    CPU "cpufreq/boost",
    "sys/class/dmi/id/sys_vendor",
    "sys/hypervisor/type",
    "sys/firmware/devicetree/base/model",
    "sys/devices/cpu_core/cpus",
    CPU "isolated",
    CPU "nohz_full",
    CPU "cpuidle/current_driver",
    CPU "cpuidle/current_governor",
};

/* Without these hwloc reads no others. */
static const struct {
    const char *path, *content;
} fixed[] = {
    {CPU "online", "0-1"},
    {CPU "cpu0/topology/core_cpus", "1"},
    {CPU "cpu0/topology/package_cpus", "3"},
    {CPU "cpu1/topology/core_cpus", "2"},
    {CPU "cpu1/topology/package_cpus", "3"},
};

enum { FILES = sizeof files / sizeof files[0], FIXED = sizeof fixed / sizeof fixed[0] };

static void make_folders(const char *file)
{
    char path[PATH_MAX];

    for (const char *end = strchr(file, '/'); end != NULL; end = strchr(end + 1, '/')) {
        snprintf(path, sizeof path, "%.*s", (int)(end - file), file);
        mkdir(path, 0700);
    }
}

static void make_cores(void)
{
    for (int i = 0; i < FILES; i++)
        make_folders(files[i]);
    for (int i = 0; i < FIXED; i++) {
        make_folders(fixed[i].path);
        fuzz_write(fixed[i].path, fixed[i].content, strlen(fixed[i].content));
    }
}

/* Writes the files, and removes those without a part. */
static void put_files(const char *bytes, size_t length)
{
    const char *end = bytes + length;

    for (int i = 0; i < FILES; i++) {
        const char *stop = bytes == end ? NULL : memchr(bytes, '\0', (size_t)(end - bytes));

        stop = stop == NULL ? end : stop;
        if (bytes == end)
            unlink(files[i]);
        else
            fuzz_write(files[i], bytes, (size_t)(stop - bytes));
        bytes = stop == end ? end : stop + 1;
    }
}

static void check_system(const struct system *system)
{
    int cores = 0;

    fuzz_check(system->cores == 2 && system->threads == 2, "%d cores", system->cores);
    for (int k = 0; k < system->kinds; k++) {
        const struct system_caches *caches = &system->kind[k].caches;

        cores += system->kind[k].cores;
        fuzz_check(caches->levels >= 0 && caches->levels <= SYSTEM_CACHES_MAX, "%d levels",
                   caches->levels);
        for (int i = 0; i < caches->levels; i++) {
            fuzz_check(caches->capacity[i] >= 0, "capacity %g", caches->capacity[i]);
            fuzz_check(caches->cores[i] >= (caches->capacity[i] > 0), "%d cores", caches->cores[i]);
        }
    }
    fuzz_check(cores == 2, "%d cores of all kinds", cores);
}

void fuzz_system(const char *bytes, size_t length)
{
    static const enum record_format formats[] = {RECORD_TEXT, RECORD_JSON, RECORD_MARKDOWN};
    static struct probed probed;
    static struct system system;
    static bool ready;
    struct measurement again;
    struct buffer text = {0};
    struct error error;

    if (!ready)
        make_cores();
    ready = true;
    put_files(bytes, length);
    system_read(".", &system);
    check_system(&system);
    memset(&probed, 0, sizeof probed);
    system_conditions(".", &system, probed.measurement.condition);
    measurement_csv(&text, &probed.measurement);
    fuzz_check(measurement_csv_read(&again, text.bytes, text.length, &error) == STATUS_OK,
               "%s:\n%s", error.message, text.bytes);
    for (int c = 0; c < CONDITIONS; c++)
        fuzz_check(strcmp(again.condition[c], probed.measurement.condition[c]) == 0,
                   "%s: \"%s\" reads as \"%s\"", condition_names[c],
                   probed.measurement.condition[c], again.condition[c]);
    measurement_free(&again);
    buffer_free(&text);
    struct record record = record_to(fuzz_open_output(), formats[length % 3]);

    probed_report(&record, &probed);
    fuzz_check_output();
}
