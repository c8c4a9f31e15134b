/* Files of the system that describe the machine: the conditions of a measurement made of them read
 * back as they were. The input is their contents, each up to a NUL; a part that is missing is a
 * file that does not exist. */
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
    INDEX "0/shared_cpu_list",
    INDEX "1/type",
    INDEX "1/level",
    INDEX "1/size",
    INDEX "1/shared_cpu_list",
    "sys/kernel/mm/transparent_hugepage/enabled",
    CPU "cpu0/cpufreq/scaling_governor",
    CPU "intel_pstate/no_turbo",
    CPU "cpufreq/boost",
    "sys/class/dmi/id/sys_vendor",
    "sys/hypervisor/type",
    "sys/firmware/devicetree/base/model",
};

enum { FILES = sizeof files / sizeof files[0] };

static void make_folders(void)
{
    char path[PATH_MAX];

    for (int i = 0; i < FILES; i++)
        for (const char *end = strchr(files[i], '/'); end != NULL; end = strchr(end + 1, '/')) {
            snprintf(path, sizeof path, "%.*s", (int)(end - files[i]), files[i]);
            mkdir(path, 0700);
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

static void check_caches(void)
{
    struct system_caches caches;

    system_caches_in(CPU "cpu0/cache", &caches);
    fuzz_check(caches.levels >= 0 && caches.levels <= SYSTEM_CACHES_MAX, "%d levels",
               caches.levels);
    for (int i = 0; i < caches.levels; i++) {
        fuzz_check(caches.capacity[i] >= 0 && caches.capacity[i] < 1e18, "capacity %g",
                   caches.capacity[i]);
        fuzz_check(caches.threads[i] >= (caches.capacity[i] > 0), "%d threads", caches.threads[i]);
    }
}

void fuzz_system(const char *bytes, size_t length)
{
    static const enum record_format formats[] = {RECORD_TEXT, RECORD_JSON, RECORD_MARKDOWN};
    static struct probed probed;
    static bool ready;
    struct measurement again;
    struct buffer text = {0};
    struct error error;

    if (!ready)
        make_folders();
    ready = true;
    put_files(bytes, length);
    check_caches();
    memset(&probed, 0, sizeof probed);
    system_conditions(".", 0, probed.measurement.condition);
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
