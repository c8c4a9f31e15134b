/* The file of the last measurement of this machine: read, written, reported, made a preset. */
#include "fuzz.h"

#include <string.h>

#include "probe/apexmap.h"
#include "probe/machine_preset.h"
#include "probe/measurement.h"
#include "report/probe.h"

static void check_written(const struct measurement *measurement)
{
    struct measurement again;
    struct buffer text = {0}, second = {0};
    struct error error;
    enum status status;

    measurement_csv(&text, measurement);
    status = measurement_csv_read(&again, text.bytes, text.length, &error);
    fuzz_check(status == STATUS_OK, "%s:\n%s", error.message, text.bytes);
    measurement_csv(&second, &again);
    fuzz_check(strcmp(text.bytes, second.bytes) == 0, "written:\n%sand again:\n%s", text.bytes,
               second.bytes);
    measurement_free(&again);
    buffer_free(&second);
    buffer_free(&text);
}

/* What a reader accepted can be a preset, or a sentence says why not. */
static void check_derived(const struct measurement *measurement)
{
    static struct device device;
    struct surface surface = {0};
    struct error error = {STATUS_OK, ""};

    if (machine_device(measurement, &device, &error) != STATUS_OK)
        fuzz_check_message(error.message);
    if (surface_from_measurement(measurement, &surface, &error) != STATUS_OK)
        fuzz_check_message(error.message);
    surface_free(&surface);
}

void fuzz_machine(const char *bytes, size_t length)
{
    static const enum record_format formats[] = {RECORD_TEXT, RECORD_JSON, RECORD_MARKDOWN};
    static struct probed probed;
    struct error error;

    if (measurement_csv_read(&probed.measurement, bytes, length, &error) != STATUS_OK) {
        fuzz_check_message(error.message);
        return;
    }
    check_written(&probed.measurement);
    check_derived(&probed.measurement);
    struct record record = record_to(fuzz_open_output(), formats[length % 3]);

    probed_report(&record, &probed);
    fuzz_check_output();
    measurement_free(&probed.measurement);
}
