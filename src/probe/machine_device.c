#include "machine_device.h"

#include "machine_preset.h"
#include "scenario_ini.h"

enum status machine_device(const struct measurement *measurement, struct device *device,
                           struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    struct buffer text = {0};
    struct machine machine;
    enum status status;

    machine_from(measurement, &machine);
    machine_preset(&text, measurement, &machine);
    if (text.failed) {
        buffer_free(&text);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    status = scenario_parse_device(device, text.bytes, text.length, &problems);
    if (status != STATUS_OK)
        problems_summary(&problems, "what was probed", error);
    problems_free(&problems);
    buffer_free(&text);
    return status;
}
