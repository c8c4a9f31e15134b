/* A file of prices: those that are accepted are the prices of the presets. */
#include "fuzz.h"

#include "design/preset.h"

void fuzz_prices(const char *bytes, size_t length)
{
    struct catalogue *catalogue = catalogue_open_embedded();
    struct problems problems = {NULL, 0, 0};
    struct error error;
    enum status status;
    int priced = 0, lines = 0;

    status = catalogue_read_prices(catalogue, bytes, length, &problems);
    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == '\n' || i == length - 1;
    for (int i = 0; i < catalogue_count(catalogue) && status == STATUS_OK; i++) {
        const struct preset *preset = catalogue_at(catalogue, i);
        const struct device *device;

        if (!preset_is_device(preset))
            continue;
        fuzz_check(catalogue_device(catalogue, preset->name, &device, &error) == STATUS_OK, "%s",
                   error.message);
        fuzz_check(device->price >= 0 && device->price <= 1e9, "price %g", device->price);
        priced += device->price > 0;
    }
    fuzz_check(priced < (lines > 1 ? lines : 1), "%d prices in %d lines", priced, lines);
    catalogue_close(catalogue);
}
