#include "tui/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/preset.h"
#include "model/budget.h"
#include "model/device.h"
#include "model/result.h"

const struct table_column parts_columns[PART_COLUMNS] = {
    [PART_NAME] = {.title = "device", .names = "part model", .cut = 3, .brief = 30},
    [PART_MEMORY] = {.title = "type", .names = "memory", .drop = 7},
    [PART_CORES] = {.title = "cores", .number = true, .unit = "cores", .drop = 3},
    [PART_CLOCK] = {.title = "GHz", .names = "clock", .number = true, .unit = "GHz", .drop = 4},
    [PART_SIMD] = {.title = "SIMD", .number = true, .unit = "bits", .drop = 4},
    [PART_CACHE] = {.title = "L3 MiB", .names = "cache", .number = true, .unit = "MB", .drop = 4},
    [PART_BOOST] = {.title = "GHz", .names = "clock", .number = true, .unit = "GHz", .drop = 6},
    [PART_UNITS] = {.title = "units", .number = true, .unit = "units", .drop = 5},
    [PART_PEAK] =
        {.title = "TFLOP/s", .names = "peak", .number = true, .unit = "TFLOP/s", .drop = 8},
    [PART_BANDWIDTH] =
        {.title = "GB/s", .names = "bandwidth", .number = true, .unit = "GB/s", .drop = 1},
    [PART_SIZE] = {.title = "GiB", .names = "memory size", .number = true, .unit = "GB", .drop = 4},
    [PART_POWER] = {.title = "W",
                    .names = "watts power tdp",
                    .number = true,
                    .unit = "W",
                    .least = true,
                    .drop = 2},
    [PART_PRICE] = {.title = "price", .number = true, .least = true, .drop = 3},
    [PART_TOTAL] = {.title = "nm", .number = true, .unit = "nm", .least = true, .drop = 3},
    [PART_LATENCY] = {.title = "latency", .number = true, .least = true, .width = 8, .plain = "us"},
    [PART_VENDOR] = {.title = "vendor", .hidden = true},
    [PART_KIND] = {.title = "kind", .hidden = true},
    [PART_FILE] = {.title = "file", .names = "preset", .hidden = true},
};

void parts_put_number(struct picker_item *item, int column, double value, int digits)
{
    item->value[column] = value;
    if (value > 0)
        snprintf(item->text[column], PICKER_TEXT, "%.*f", digits, value);
}

void parts_put_error(struct picker_item *item, int column, double error, double present,
                     const struct scenario *scenario)
{
    const bool known = error != RESULT_NONE && present != RESULT_NONE;

    if (known)
        item->value[column] = unit_from_si(error, "nm");
    if (known)
        text_change(unit_from_si(error - present, "nm"), item->text[column], PICKER_TEXT);
    else if (item->present && !budget_has_star(scenario))
        snprintf(item->text[column], PICKER_TEXT, "no star");
}

/* Three digits; two of a peak of a thousandth. */
static void put_rounded(struct picker_item *item, int column, double value)
{
    parts_put_number(item, column, value,
                     value >= 99.95    ? 0
                     : value >= 9.995  ? 1
                     : value >= 0.0995 ? 2
                                       : 4);
}

void parts_put(struct picker_item *item, const struct device *device, const char *preset)
{
    bool cpu = device->kind == DEVICE_CPU;
    double parts = cpu ? device->sockets : 1;

    snprintf(item->text[PART_FILE], PICKER_TEXT, "%s", preset);
    snprintf(item->text[PART_VENDOR], PICKER_TEXT, "%.*s", (int)strcspn(device->model, " "),
             device->model);
    snprintf(item->text[PART_KIND], PICKER_TEXT, "%s", preset_kind_name(preset_kind_of(device)));
    snprintf(item->text[PART_MEMORY], PICKER_TEXT, "%s", device_memory_kind(device));
    parts_put_number(item, PART_CORES, cpu ? device->cores : 0, 0);
    /* the clock of a CPU says more of its speed than that of a GPU, whose names need the room */
    put_rounded(item, cpu ? PART_CLOCK : PART_BOOST, unit_from_si(device->clock, "GHz"));
    parts_put_number(item, PART_SIMD, cpu ? device->simd_bits : 0, 0);
    parts_put_number(item, PART_CACHE, cpu ? unit_from_si(device->l3, "MiB") : 0, 0);
    parts_put_number(item, PART_UNITS, cpu ? 0 : device->units, 0);
    put_rounded(item, PART_PEAK,
                unit_from_si(device_peak(device, PRECISION_FP32), "TFLOP/s") / parts);
    parts_put_number(item, PART_BANDWIDTH, unit_from_si(device_bandwidth(device), "GB/s") / parts,
                     0);
    parts_put_number(item, PART_SIZE, unit_from_si(device->memory_size, "GiB"),
                     device->memory_size < unit_to_si(2, "GiB") ? 2 : 0);
    parts_put_number(item, PART_POWER, device->tdp, 0);
    parts_put_number(item, PART_PRICE, device->price, 0);
}
