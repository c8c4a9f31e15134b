#include "run/here.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "design/knob.h"
#include "design/preset.h"
#include "probe/loops/stream_loops.h"
#include "probe/machine_preset.h"
#include "probe/measurement.h"
#include "probe/system.h"

/* Describes this machine without a measurement, as a preset. */
static enum status describe_here(struct device *device, struct error *error)
{
    const struct system *system = system_here();
    const struct system_caches *caches = &system->kind[0].caches;
    /* of this moment: a core that has nothing to do may be slower than under load */
    const double clock = system_number("/proc/cpuinfo", "cpu MHz", 0);
    struct problems problems = {NULL, 0, 0};
    struct buffer text = {0};
    char cpu[CONDITION_MAX];
    enum status status;

    system_cpu(cpu);
    buffer_print(&text, "[device]\nkind = cpu\nmodel = %.40s\nsockets = 1\ncores = %d\n", cpu,
                 system->cores);
    buffer_print(&text, "simd_bits = %d\n", stream_set_widest()->bits);
    if (clock > 0)
        buffer_print(&text, "clock = %.0f MHz\n", clock);
    for (int i = 0; i < caches->levels && i < 3; i++)
        if (caches->capacity[i] > 0)
            buffer_print(&text, "l%d = %.0f KiB\n", i + 1, caches->capacity[i] / 1024);
    status = preset_read_device(device, text.bytes, text.length, &problems);
    if (status != STATUS_OK)
        problems_summary(&problems, "what the system reports", error);
    problems_free(&problems);
    buffer_free(&text);
    return status;
}

int run_host(const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == DEVICE_CPU && scenario_device_used(scenario, d))
            return d;
    return -1;
}

enum status run_device_here(struct device *device, bool *probed, struct error *error)
{
    struct measurement measurement = {0};
    enum status status = measurement_file_read(&measurement, error);
    char cpu[CONDITION_MAX];

    system_cpu(cpu);
    *probed = status == STATUS_OK && strcmp(measurement.condition[CONDITION_CPU], cpu) == 0 &&
              measurement_has(&measurement, MEASUREMENT_MEMORY) &&
              measurement_has(&measurement, MEASUREMENT_OPERATIONS) &&
              measurement_has(&measurement, MEASUREMENT_BANDWIDTH);
    if (*probed)
        status = machine_device(&measurement, device, error);
    else
        status = describe_here(device, error);
    measurement_free(&measurement);
    return status;
}

bool run_is_here(const struct device *device)
{
    static const char measured[] = ", measured";
    char cpu[CONDITION_MAX];
    size_t length;

    system_cpu(cpu);
    length = strnlen(cpu, TEXT_MAX_LENGTH - 1 - strlen(measured)); /* as machine_preset cuts it */
    return strncmp(device->model, cpu, length) == 0 &&
           strcmp(device->model + length, measured) == 0;
}

/* Returns the cores that components of a device state, 0 if none does. */
static double cores_claimed(const struct scenario *scenario, int d)
{
    double claimed = 0;

    for (int c = 0; c < scenario->component_count; c++)
        if (scenario_runs_on(scenario, c, d))
            claimed += scenario_taken_cores(scenario, c, d);
    return claimed;
}

/* Lets a device have as many cores as it had, if there are so many. */
static void limit_cores(struct scenario *scenario, int d, double had)
{
    const double here = system_here()->cores;
    const double claimed = fmin(here, cores_claimed(scenario, d));
    const double cores = fmax(fmax(1, claimed), fmin(had, here - 1));
    struct error error;

    knob_set_number(scenario, (struct knob_ref){SECTION_DEVICE, d, &knobs[KNOB_DEVICE_SOCKETS]}, 1,
                    &error);
    knob_set_number(scenario, (struct knob_ref){SECTION_DEVICE, d, &knobs[KNOB_DEVICE_CORES]},
                    cores, &error);
}

int run_put_device(struct scenario *scenario, const char *name, const struct device *device,
                   bool all)
{
    int count = 0;

    for (int d = 0; d < scenario->device_count; d++) {
        const double cores = scenario->device[d].sockets * scenario->device[d].cores;

        if (scenario->device[d].kind != DEVICE_CPU || !scenario_device_used(scenario, d))
            continue;
        if (all || !run_is_here(&scenario->device[d])) {
            scenario_put_preset(scenario, d, name, device);
            count++;
        }
        limit_cores(scenario, d, cores);
        knob_mark_own(scenario,
                      (struct knob_ref){SECTION_DEVICE, d, &knobs[KNOB_DEVICE_DISPATCH_CPU]});
    }
    return count;
}
