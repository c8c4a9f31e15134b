/* A measured machine as a preset: its text, what the model makes of it, and where it is kept. */
#include "probe/machine_preset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "files.h"
#include "machine_fixture.h"
#include "model/device.h"
#include "model/result.h"
#include "probe/measurement.h"

static struct measurement measurement;
static struct machine machine;

/* The preset of `machine` as the catalogue reads it. */
static bool read_back(struct device *device)
{
    struct problems problems = {NULL, 0, 0};
    struct buffer text = {0};
    char *shown;
    bool good;

    machine_preset(&text, &measurement, &machine, DISPATCH_STREAM);
    memset(device, 0, sizeof *device);
    good = preset_read_device(device, text.bytes, text.length, &problems) == STATUS_OK;
    shown = files_problems(&problems);
    CHECK_TRUE(good, "%s in\n%s", shown, text.bytes);
    free(shown);
    problems_free(&problems);
    buffer_free(&text);
    return good;
}

static void check_levels(const struct device *device, double workers)
{
    double cores = workers > 0 ? workers : machine.cores;
    struct memory memory;

    device_memory(device, workers, &memory);
    if (!CHECK_INT(memory.count, machine.levels))
        return;
    for (int k = 0; k < memory.count; k++) {
        const struct memory_level *got = &memory.level[k];
        const struct machine_level *level = &machine.level[k];
        double many = level->id < LEVEL_L3 ? cores : 1;

        CHECK_INT(got->id, level->id);
        CHECK_NEAR(got->bandwidth, cores > 1 ? level->bandwidth : level->core_bandwidth, 0.01);
        CHECK_NEAR(got->latency, level->latency / (cores * machine.outstanding), 0.01);
        if (level->id != LEVEL_MEMORY)
            CHECK_NEAR(got->capacity, many * machine.cache_usable * level->capacity, 0.01);
    }
}

/* For one worker, for as many as there are cores, and where workers are left to the program. */
TEST(gives_back_what_was_measured)
{
    struct device device;
    struct memory one, alone;

    fixture_measure(&fixture_machine, 0, 0.2, &measurement);
    machine_from_measurement(&measurement, &machine);
    if (read_back(&device)) {
        check_levels(&device, 1);
        check_levels(&device, machine.cores);
        check_levels(&device, 0);
        CHECK_NEAR(device_peak(&device, PRECISION_FP32) * device.sustained_compute,
                   machine.cores * machine.clock * machine.fma_rate * machine.simd_bits / 32 * 2,
                   0.01);
        CHECK_NEAR(device_bandwidth(&device), 55e9, 0.01);
        CHECK_NEAR(device.sustained_memory, 0.95, 0.01);
        CHECK_NEAR(device.jitter, fixture_machine.jitter, 0.001);
        CHECK_NEAR(device.boundary, 0.3e-6, 0.01);
        CHECK_STR(device.model, "Example 9000 X 1, measured");
        device_memory(&device, 1, &one);
        if (CHECK(machine_memory(&machine, &alone)))
            for (int k = 0; k < one.count; k++) {
                CHECK_NEAR(alone.level[k].bandwidth, one.level[k].bandwidth, 0.01);
                CHECK_NEAR(alone.level[k].latency, one.level[k].latency, 0.01);
                CHECK_NEAR(alone.level[k].capacity, one.level[k].capacity, 0.01);
            }
    }
    measurement_free(&measurement);
}

/* Whatever was measured or not, the text is read without an error. */
TEST(every_part_missing)
{
    for (int parts = 0; parts < 1 << MEASUREMENT_KERNELS; parts++) {
        struct device device;

        fixture_measure(&fixture_machine, 0.1, 0.5, &measurement);
        for (int part = 0; part < MEASUREMENT_KERNELS; part++)
            if ((parts >> part & 1) == 0)
                measurement_remove(&measurement, (enum measurement_part)part);
        machine_from_measurement(&measurement, &machine);
        read_back(&device);
        measurement_free(&measurement);
    }
}

/* A machine beyond every range is brought within. */
TEST(beyond_the_ranges)
{
    static const double factors[] = {1e-9, 1e9};

    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        double factor = factors[i];
        struct device device;

        fixture_measure(&fixture_machine, 0, 0, &measurement);
        machine_from_measurement(&measurement, &machine);
        for (int k = 0; k < machine.levels; k++) {
            machine.level[k].capacity *= factor;
            machine.level[k].latency *= factor;
            machine.level[k].bandwidth *= factor;
            machine.level[k].core_bandwidth *= factor;
        }
        machine.cores = i == 0 ? 1 : 1000000;
        machine.clock *= factor;
        machine.fma_rate *= factor;
        machine.outstanding *= factor;
        machine.add_latency *= factor;
        machine.pc = machine.jitter = machine.cache_usable = factor;
        read_back(&device);
        measurement_free(&measurement);
    }
}

/* Without a second and third cache. */
TEST(a_level_that_is_not_there)
{
    struct machine known = fixture_machine;
    struct device device;

    known.level[1] = known.level[3];
    known.levels = 2;
    fixture_measure(&known, 0, 0, &measurement);
    strcpy(measurement.condition[CONDITION_CACHES], "L1 32 KiB");
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 2) && read_back(&device)) {
        check_levels(&device, 1);
        check_levels(&device, 0);
    }
    measurement_free(&measurement);
}

/* Two caches of two cores each are one of twice the size; a second one that is shared is an L3. */
TEST(shared_caches)
{
    struct machine known = fixture_machine;
    struct device device;

    fixture_measure(&known, 0, 0, &measurement);
    strcpy(measurement.condition[CONDITION_CACHES],
           "L1 32 KiB, L2 1024 KiB, L3 32768 KiB of 2 cores");
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 4) && read_back(&device))
        CHECK_NEAR(device.l3, 2 * machine.level[2].capacity, 0.01);
    measurement_free(&measurement);
    known.levels = 3;
    known.level[1] = fixture_machine.level[2];
    known.level[2] = fixture_machine.level[3];
    fixture_measure(&known, 0, 0, &measurement);
    strcpy(measurement.condition[CONDITION_CACHES], "L1 32 KiB, L2 32768 KiB of 4 cores");
    machine_from_measurement(&measurement, &machine);
    if (CHECK_INT(machine.levels, 3) && read_back(&device)) {
        CHECK_INT(machine.level[1].id, LEVEL_L3);
        CHECK_NEAR(device.l2, 0, 0);
        check_levels(&device, 1);
        check_levels(&device, 0);
    }
    measurement_free(&measurement);
}

/* Keeping ------------------------------------------------------------------------------------- */

static void check_kept(const char *expected_origin, const char *key)
{
    static struct scenario scenario;
    struct catalogue *catalogue = NULL;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;
    static const char text[] = "[scenario]\nformat = 1\n[device.rtc]\npreset = here\n";

    if (!CHECK_INT(catalogue_open(&catalogue, &error), STATUS_OK))
        return;
    if (CHECK_TRUE(scenario_parse(&scenario, &document, text, strlen(text), catalogue, &problems) ==
                       STATUS_OK,
                   "%s", problems.count > 0 ? problems.list[0].message : "") &&
        CHECK_INT(knob_find(&scenario, key, &ref, &error), STATUS_OK))
        CHECK_STR(origin_name(knob_origin(&scenario, ref)), expected_origin);
    problems_free(&problems);
    document_free(document);
    catalogue_close(catalogue);
}

TEST(kept_and_replaced)
{
    struct error error = {STATUS_OK, ""};
    struct measurement points;
    char *path = NULL;
    char *bytes;
    size_t length;

    fixture_measure(&fixture_machine, 0, 0, &measurement);
    for (int time = 0; time < 2; time++) {
        CHECK_TRUE(machine_save(&measurement, "here", DISPATCH_STREAM, &path, &error) == STATUS_OK,
                   "%s", error.message);
        if (path != NULL)
            CHECK_STR(path, files_path("aolag/presets/here.ini"));
        free(path);
        path = NULL;
        check_kept("measured", "device.rtc.l1_bandwidth");
        check_kept("fitted", "device.rtc.cache_usable");
        check_kept("assumed", "device.rtc.sockets");
    }
    bytes = files_read("aolag/presets/here.csv", &length);
    if (CHECK(bytes != NULL) &&
        CHECK_INT(measurement_csv_read(&points, bytes, length, &error), STATUS_OK)) {
        CHECK_INT(points.count, measurement.count);
        measurement_free(&points);
    }
    free(bytes);
    measurement_free(&measurement);
}

static void refused(const char *name, enum status status, const char *message)
{
    struct error error = {STATUS_OK, ""};

    CHECK_INT(machine_save(&measurement, name, DISPATCH_STREAM, NULL, &error), status);
    CHECK_TRUE(strstr(error.message, message) != NULL, "%s: '%s', expected '%s'", name,
               error.message, message);
}

TEST(not_kept)
{
    static const char own[] = "[device]\nkind = cpu\ncores = 3\n";
    struct error error;
    char *bytes;
    size_t length;

    fixture_measure(&fixture_machine, 0, 0, &measurement);
    CHECK_INT(machine_save(&measurement, "here", DISPATCH_STREAM, NULL, &error), STATUS_OK);
    refused("", STATUS_INVALID, "invalid preset name");
    refused("a/b", STATUS_INVALID, "invalid preset name");
    refused(".hidden", STATUS_INVALID, "invalid preset name");
    refused("amd-epyc-7402", STATUS_INVALID, "is a built-in preset");
    files_write("aolag/presets/mine.ini", own, strlen(own));
    refused("mine", STATUS_CONFLICT, "was not measured");
    bytes = files_read("aolag/presets/mine.ini", &length);
    CHECK_STR(bytes, own);
    free(bytes);
    files_write("aolag/presets/list.csv", "a,b\n", 4);
    refused("list", STATUS_CONFLICT, "is not a measurement");
    CHECK(files_read("aolag/presets/list.ini", &length) == NULL);
    measurement_remove(&measurement, MEASUREMENT_MEMORY);
    measurement_remove(&measurement, MEASUREMENT_OPERATIONS);
    measurement_remove(&measurement, MEASUREMENT_BANDWIDTH);
    refused("nothing", STATUS_INVALID, "nothing to save");
    measurement_free(&measurement);
}

SUITE(files_open, files_close)
