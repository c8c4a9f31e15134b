/* A device preset: read, used in a design, and completed with measured wake-ups. */
#include "fuzz.h"

#include <string.h>
#include <sys/stat.h>

#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "model/evaluate.h"
#include "probe/wakeups.h"

static struct scenario scenario;
static struct result result;

/* Evaluates a loop on the device. */
static void check_used(const struct device *device)
{
    static struct scenario loop;
    struct error error;

    if (loop.component_count == 0) {
        const struct preset *saxo =
            catalogue_find(fuzz_catalogue(), "saxo", 1U << PRESET_AO, &error);

        result_init(&result);
        fuzz_check(saxo != NULL &&
                       scenario_read_preset(&loop, saxo, fuzz_catalogue(), &error) == STATUS_OK,
                   "%s", error.message);
    }
    scenario = loop;
    scenario_put_preset(&scenario, 0, "fuzzed", device);
    if (evaluate(&scenario, &result, &error) != STATUS_OK) {
        fuzz_check_message(error.message);
        return;
    }
    fuzz_check(result.latency - result.latency == 0 && result.latency >= 0, "latency %g",
               result.latency);
}

/* The preset with measured wake-ups is one, too. */
static void check_completed(const char *bytes, size_t length)
{
    static struct device device;
    struct wakeup list[] = {{1e-6, 50, false}, {2e-6, 40, false}, {9e-6, 10, true}};
    const struct wakeups wakeups = {.list = list, .count = 3, .samples = 100};
    struct problems problems = {NULL, 0, 0};
    struct buffer text = {0};
    enum status status;

    wakeups_preset(&text, &wakeups, bytes, length);
    status = preset_read_device(&device, text.bytes, text.length, &problems);
    fuzz_check(status == STATUS_OK, "with wake-ups: %s:\n%s",
               problems.count > 0 ? problems.list[0].message : "", text.bytes);
    problems_free(&problems);
    buffer_free(&text);
}

/* As a file of the user, whose kind is that of its contents. */
static void check_found(const char *bytes, size_t length)
{
    struct catalogue *catalogue;
    const struct device *device;
    struct error error;

    mkdir("aolag", 0700);
    mkdir("aolag/presets", 0700);
    fuzz_write("aolag/presets/fuzzed.ini", bytes, length);
    fuzz_check(catalogue_open(&catalogue, &error) == STATUS_OK, "%s", error.message);
    for (int i = 0; i < catalogue_count(catalogue); i++)
        if (strcmp(catalogue_at(catalogue, i)->name, "fuzzed") == 0)
            fuzz_check(catalogue_title(catalogue, i)[0] != '\0', "a preset without a title");
    if (catalogue_device(catalogue, "fuzzed", &device, &error) != STATUS_OK)
        fuzz_check_message(error.message);
    catalogue_close(catalogue);
}

void fuzz_preset(const char *bytes, size_t length)
{
    static struct device device;
    struct problems problems = {NULL, 0, 0};
    enum status status = preset_read_device(&device, bytes, length, &problems);

    if (length % 8 == 0) /* opening a catalogue takes longer than all the rest */
        check_found(bytes, length);
    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    if (status != STATUS_OK)
        return;
    fuzz_check(preset_describes_device(bytes, length), "a device that is none");
    check_used(&device);
    check_completed(bytes, length);
}
