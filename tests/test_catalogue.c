/* The presets against the tables they were made from and the vendors' own figures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "csv.h"
#include "design/knob_table.h"
#include "draw.h"
#include "model/device.h"
#include "model/stage.h"
#include "sample.h"
#include "systems.h"

#define VENDOR_TOLERANCE 0.02

static struct scenario scenario;

/* Devices -------------------------------------------------------------------------------------- */

/* The rows that may be further from their vendor's figure than the tolerance, and in what. */
static const struct {
    const char *id, *what;
} deviations[] = {
    {"nvidia_gtx_980", "fp32"},           {"nvidia_tesla_k40", "fp32"},
    {"amd_instinct_mi325x", "bandwidth"}, {"amd_instinct_mi355x", "bandwidth"},
    {"intel_core_i9_9900k", "bandwidth"}, {"apple_m2_ultra", "bandwidth"},
    {"apple_m3_max", "bandwidth"},        {"amd_instinct_mi350x", "bandwidth"},
    {"amd_instinct_mi350p", "bandwidth"},
};

static bool may_deviate(const char *id, const char *what)
{
    for (size_t i = 0; i < sizeof deviations / sizeof deviations[0]; i++)
        if (strcmp(deviations[i].id, id) == 0 && strcmp(deviations[i].what, what) == 0)
            return true;
    return false;
}

/* What may deviate does, for a reason the row gives; the rest does not. */
static void against_vendor(const struct csv *csv, size_t row, const char *what, double ours,
                           double vendor)
{
    const char *id = csv_text(csv, row, "id");
    const char *reason = csv_text(csv, row, "deviation_reason");
    double off = ours / vendor - 1;

    if (isnan(vendor))
        return;
    if (may_deviate(id, what))
        CHECK_TRUE(fabs(off) > VENDOR_TOLERANCE && strncmp(reason, what, strlen(what)) == 0,
                   "%s: %s %.6g is within 2 %% of the vendor's %.6g, or without a reason", id, what,
                   ours, vendor);
    else
        CHECK_TRUE(fabs(off) <= VENDOR_TOLERANCE,
                   "%s: %s %.6g, the vendor's figure is %.6g (%+.1f %%)", id, what, ours, vendor,
                   100 * off);
}

static void row_equals(const struct csv *csv, size_t row, const char *what, double ours,
                       double expected, double relative)
{
    CHECK_TRUE(fabs(ours - expected) <= relative * fabs(expected), "%s: %s is %.9g, expected %.9g",
               csv_text(csv, row, "id"), what, ours, expected);
}

/* Where the table has it. */
static void row_equals_stated(const struct csv *csv, size_t row, const char *column, double ours)
{
    if (!isnan(csv_number(csv, row, column)))
        row_equals(csv, row, column, ours, csv_number(csv, row, column), 0);
}

/* An empty field: the preset states none. */
static void memory_equals(const struct csv *csv, size_t row, const struct device *device)
{
    double gib = csv_number(csv, row, "memory_gib");

    row_equals(csv, row, "memory", device->memory_size, isnan(gib) ? 0 : 0x1p30 * gib, 1e-6);
}

static double all_core_clock(const struct csv *csv, size_t row)
{
    double clock = csv_number(csv, row, "avx512_ghz");

    if (isnan(clock))
        clock = csv_number(csv, row, "allcore_ghz");
    return 1e9 * (isnan(clock) ? csv_number(csv, row, "base_ghz") : clock);
}

static void processor(const struct csv *csv, size_t row)
{
    const struct device *device = systems_device(csv_text(csv, row, "id"));
    struct device at_vendor_clock;
    double vendor_clock = 1e9 * csv_number(csv, row, "fp32_vendor_ghz");

    if (device == NULL)
        return;
    row_equals(csv, row, "kind", device->kind, DEVICE_CPU, 0);
    row_equals(csv, row, "sockets", device->sockets, csv_number(csv, row, "sockets"), 0);
    row_equals(csv, row, "peak", device_peak(device, PRECISION_FP32),
               csv_number(csv, row, "sockets") * csv_number(csv, row, "cores") *
                   all_core_clock(csv, row) * csv_number(csv, row, "fp32_flops_per_cycle_per_core"),
               1e-9);
    row_equals(csv, row, "bandwidth", device_bandwidth(device),
               csv_number(csv, row, "sockets") * csv_number(csv, row, "mem_channels") *
                   csv_number(csv, row, "channel_bits") / 8 * csv_number(csv, row, "mem_mts") * 1e6,
               1e-9);
    row_equals(csv, row, "bandwidth as listed", device_bandwidth(device) / 1e9,
               csv_number(csv, row, "mem_bw_gbs"), 2e-3);
    CHECK_STR(knob_word(KNOB_DEVICE_CLOCK_KIND, device->clock_kind),
              csv_text(csv, row, "clock_kind"));
    row_equals_stated(csv, row, "pcie_gen", device->pcie_gen);
    row_equals_stated(csv, row, "pcie_lanes", device->pcie_lanes);
    row_equals_stated(csv, row, "tdp_w", device->tdp);
    memory_equals(csv, row, device);
    against_vendor(csv, row, "bandwidth", device_bandwidth(device) / 1e9,
                   csv_number(csv, row, "mem_bw_gbs_vendor"));
    at_vendor_clock = *device;
    at_vendor_clock.clock = vendor_clock;
    against_vendor(csv, row, "fp32", device_peak(&at_vendor_clock, PRECISION_FP32) / 1e12,
                   csv_number(csv, row, "fp32_tflops_vendor"));
}

TEST(processors)
{
    struct csv csv;
    int arithmetic = 0;

    if (!csv_load(&csv, "cpus.csv"))
        return;
    for (size_t row = 0; row < csv.rows; row++) {
        bool only = strcmp(csv_text(&csv, row, "bandwidth_basis"), "arithmetic") == 0;

        processor(&csv, row);
        CHECK_TRUE(only == isnan(csv_number(&csv, row, "mem_bw_gbs_vendor")),
                   "%s: a basis without its figure", csv_text(&csv, row, "id"));
        if (only)
            printf("# bandwidth by arithmetic only: %s\n", csv_text(&csv, row, "id"));
        arithmetic += only;
    }
    printf("# %d of %zu processors: channels x width x rate, no figure of the vendor's\n",
           arithmetic, csv.rows);
    csv_free(&csv);
}

static void accelerator(const struct csv *csv, size_t row)
{
    const struct device *device = systems_device(csv_text(csv, row, "id"));
    double peak;
    double bandwidth;

    if (device == NULL)
        return;
    peak = device_peak(device, PRECISION_FP32);
    bandwidth = device_bandwidth(device);
    row_equals(csv, row, "kind", device->kind, DEVICE_GPU, 0);
    row_equals(csv, row, "peak", peak,
               csv_number(csv, row, "fp32_units") * csv_number(csv, row, "boost_mhz") * 1e6 *
                   csv_number(csv, row, "ops_per_unit_per_clock"),
               1e-9);
    row_equals(csv, row, "peak as listed", peak / 1e12, csv_number(csv, row, "fp32_tflops_formula"),
               3e-3);
    row_equals(csv, row, "bandwidth", bandwidth,
               csv_number(csv, row, "bus_bits") / 8 * csv_number(csv, row, "mem_clock_mhz") * 1e6 *
                   csv_number(csv, row, "transfers_per_clock"),
               1e-9);
    row_equals(csv, row, "bandwidth as listed", bandwidth / 1e9,
               csv_number(csv, row, "mem_bw_gbs_formula"), 1e-3);
    row_equals_stated(csv, row, "pcie_gen", device->pcie_gen);
    row_equals_stated(csv, row, "pcie_lanes", device->pcie_lanes);
    row_equals_stated(csv, row, "tdp_w", device->tdp);
    memory_equals(csv, row, device);
    against_vendor(csv, row, "fp32", peak / 1e12, csv_number(csv, row, "fp32_tflops_vendor"));
    against_vendor(csv, row, "bandwidth", bandwidth / 1e9,
                   csv_number(csv, row, "mem_bw_gbs_vendor"));
}

TEST(accelerators)
{
    struct csv csv;
    int without = 0;

    if (!csv_load(&csv, "gpus.csv"))
        return;
    for (size_t row = 0; row < csv.rows; row++) {
        accelerator(&csv, row);
        without += isnan(csv_number(&csv, row, "fp32_tflops_vendor")) ||
                   isnan(csv_number(&csv, row, "mem_bw_gbs_vendor"));
    }
    printf("# %d of %zu accelerators: a peak or bandwidth without a figure of the vendor's\n",
           without, csv.rows);
    csv_free(&csv);
}

TEST(programmable_logic)
{
    struct csv csv;

    if (!csv_load(&csv, "fpgas.csv"))
        return;
    for (size_t row = 0; row < csv.rows; row++) {
        const struct device *device = systems_device(csv_text(&csv, row, "id"));
        double units;

        if (device == NULL)
            continue;
        units = csv_number(&csv, row, "units") * csv_number(&csv, row, "clock_mhz") * 1e6 *
                csv_number(&csv, row, "ops_per_unit_per_clock");
        row_equals(&csv, row, "kind", device->kind, DEVICE_FPGA, 0);
        row_equals(&csv, row, "peak", device_peak(device, PRECISION_FP32), units, 1e-12);
        row_equals(&csv, row, "peak as listed", units / 1e9, csv_number(&csv, row, "fp32_gflops"),
                   1e-12);
        row_equals(&csv, row, "bandwidth", device_bandwidth(device),
                   csv_number(&csv, row, "bus_bits") / 8 * csv_number(&csv, row, "mem_clock_mhz") *
                       1e6 * csv_number(&csv, row, "transfers_per_clock"),
                   1e-12);
        against_vendor(&csv, row, "bandwidth", device_bandwidth(device) / 1e9,
                       csv_number(&csv, row, "mem_bw_gbs_vendor"));
    }
    csv_free(&csv);
}

static bool has_row(const struct csv *csv, const char *name)
{
    char id[TEXT_MAX_LENGTH + 1];

    snprintf(id, sizeof id, "%s", name);
    for (char *at = id; *at != '\0'; at++)
        if (*at == '-')
            *at = '_';
    for (size_t row = 0; row < csv->rows; row++)
        if (strcmp(csv_text(csv, row, "id"), id) == 0)
            return true;
    return false;
}

/* Every device preset names its sources and has a row, so that the tests above compute its peaks.
 */
TEST(device_presets_have_rows)
{
    static const char *const files[] = {
        [PRESET_CPU] = "cpus.csv", [PRESET_GPU] = "gpus.csv", [PRESET_FPGA] = "fpgas.csv"};
    const struct catalogue *catalogue = systems_catalogue();

    for (int kind = PRESET_CPU; kind <= PRESET_FPGA; kind++) {
        struct csv csv;

        if (!csv_load(&csv, files[kind]))
            return;
        for (int i = 0; i < catalogue_count(catalogue); i++) {
            const struct preset *preset = catalogue_at(catalogue, i);

            if ((int)preset->kind != kind)
                continue;
            CHECK_TRUE(has_row(&csv, preset->name), "%s has no row in tests/data/%s", preset->name,
                       files[kind]);
            CHECK_TRUE(strstr(preset->text, "source:") != NULL, "%s has no comment \"source:\"",
                       preset->name);
        }
        csv_free(&csv);
    }
}

/* Only rows of the table above give a reason. */
TEST(reasons_are_few)
{
    static const char *const files[] = {"cpus.csv", "gpus.csv"};
    size_t reasons = 0;

    for (int f = 0; f < 2; f++) {
        struct csv csv;

        if (!csv_load(&csv, files[f]))
            return;
        for (size_t row = 0; row < csv.rows; row++) {
            if (csv_text(&csv, row, "deviation_reason")[0] == '\0')
                continue;
            reasons++;
            CHECK_TRUE(may_deviate(csv_text(&csv, row, "id"), "fp32") ||
                           may_deviate(csv_text(&csv, row, "id"), "bandwidth"),
                       "%s deviates", csv_text(&csv, row, "id"));
        }
        csv_free(&csv);
    }
    CHECK_INT(reasons, sizeof deviations / sizeof deviations[0]);
}

/* Systems -------------------------------------------------------------------------------------- */

static double slopes_of(const struct result *result)
{
    double slopes = 0;

    for (int n = 0; n < result->node_count; n++)
        if (result->node[n].type == COMPONENT_CENTROID || result->node[n].type == COMPONENT_PYRAMID)
            slopes += result->work->stage[n].slopes;
    return slopes;
}

static void system_equals(const struct csv *csv, size_t row, const char *column, double actual)
{
    double expected = csv_number(csv, row, column);
    double tolerance = csv_number(csv, row, "tolerance");

    CHECK_TRUE(fabs(actual - expected) <= tolerance * expected, "%s: %s is %.9g, expected %.9g",
               csv_text(csv, row, "preset_name"), column, actual, expected);
}

static void system_of(const struct csv *csv, size_t row)
{
    struct result *result = sample_result();
    double mirrors = 0;
    double bytes = 0;
    double columns = 0;
    int matrices = 0;

    if (!systems_load(&scenario, csv_text(csv, row, "preset_name")) ||
        !sample_evaluate(&scenario, result))
        return;
    CHECK_TRUE(csv_number(csv, row, "tolerance") <= 0.02 ||
                   csv_text(csv, row, "tolerance_reason")[0] != '\0',
               "%s: a wide tolerance without a reason", csv_text(csv, row, "preset_name"));
    system_equals(csv, row, "frame_rate", 1 / result->frame_period);
    system_equals(csv, row, "slopes", slopes_of(result));
    system_equals(csv, row, "actuators", scenario.ao.actuators);
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];

        if (node->type == COMPONENT_RECONSTRUCTION && node->part < 0) {
            matrices++;
            system_equals(csv, row, "matrix_rows", node->rows);
            columns += node->columns;
            bytes += node->working_set;
        }
        if (node->type == COMPONENT_DM) {
            const struct component *dm = &scenario.component[node->component];

            mirrors += dm->actuators > 0 ? dm->actuators : scenario.ao.actuators;
        }
    }
    CHECK(matrices > 0);
    system_equals(csv, row, "matrix_columns", columns);
    system_equals(csv, row, "matrix_mb", bytes / 1e6);
    CHECK_TRUE(mirrors == scenario.ao.actuators, "%s: mirrors take %g commands of %g",
               csv_text(csv, row, "preset_name"), mirrors, scenario.ao.actuators);
}

TEST(systems)
{
    struct csv csv;
    int compared = 0;

    if (!csv_load(&csv, "ao_systems.csv"))
        return;
    CHECK_INT(csv.rows, 36);
    for (size_t row = 0; row < csv.rows; row++) {
        if (csv_text(&csv, row, "preset_name")[0] == '\0')
            continue;
        system_of(&csv, row);
        compared++;
    }
    CHECK_TRUE(compared >= 28, "%d systems", compared);
    csv_free(&csv);
}

/* The systems that have to be there. */
TEST(systems_asked_for)
{
    static const char *const names[] = {
        "saxo",     "eris",       "galacsi",     "ciao",         "mavis",
        "haka",     "palm-3000",  "gpi",         "gems",         "scexao",
        "soul",     "magao-x",    "micado-scao", "harmoni-scao", "harmoni-ltao",
        "morfeo",   "metis-scao", "mosaic",      "nfiraos-lgs",  "gmt-ngws",
        "elt-scao", "dkist",      "gregor",      "sst",          "themis",
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK_TRUE(catalogue_find(systems_catalogue(), names[i], 1U << PRESET_AO, NULL) != NULL,
                   "no %s", names[i]);
    if (systems_load(&scenario, "micado-scao")) {
        int gpu = section_find(&scenario, SECTION_DEVICE, "gpu0");

        CHECK_STR(gpu < 0 ? "" : scenario.device[gpu].preset, "nvidia-a100-80gb-sxm");
    }
}

/* "slopes" or "slopes-lgs". */
static bool is_named(const char *name, const char *base)
{
    size_t length = strlen(base);

    return strncmp(name, base, length) == 0 && (name[length] == '\0' || name[length] == '-');
}

static void names_are_the_same_everywhere(const char *preset)
{
    static const char *const names[COMPONENT_TYPE_COUNT] = {[COMPONENT_CAMERA] = "camera",
                                                            [COMPONENT_CALIBRATION] = "calibration",
                                                            [COMPONENT_CENTROID] = "slopes",
                                                            [COMPONENT_PYRAMID] = "slopes",
                                                            [COMPONENT_RECONSTRUCTION] = "recon",
                                                            [COMPONENT_CONTROL] = "control",
                                                            [COMPONENT_DM] = "dm"};
    int boards = 0;
    int servers = 0;

    for (int d = 0; d < scenario.device_count; d++) {
        char expected[16] = "rtc";

        if (scenario.device[d].kind == DEVICE_GPU)
            snprintf(expected, sizeof expected, "gpu%d", boards++);
        else if (servers++ > 0)
            snprintf(expected, sizeof expected, "rtc%d", servers - 1);
        CHECK_TRUE(strcmp(scenario.device[d].head.name, expected) == 0,
                   "%s: device %s, expected %s", preset, scenario.device[d].head.name, expected);
    }
    for (int c = 0; c < scenario.component_count; c++) {
        const struct component *component = &scenario.component[c];
        const char *base = names[component->type];

        if (component->type == COMPONENT_CUSTOM)
            continue; /* work of an instrument's own */
        if (!CHECK_TRUE(base != NULL && is_named(component->head.name, base), "%s: component %s",
                        preset, component->head.name))
            continue;
        if (scenario.wfs_count > 1 && component->type <= COMPONENT_PYRAMID)
            CHECK_TRUE(strcmp(component->head.name + strlen(base) + 1,
                              scenario.wfs[scenario_wfs(&scenario, c)].head.name) == 0,
                       "%s: %s works for %s", preset, component->head.name,
                       scenario.wfs[scenario_wfs(&scenario, c)].head.name);
    }
}

static int systems_seen;

static void check_system(const char *name, const struct scenario *system,
                         const struct result *result)
{
    systems_seen++;
    scenario_copy(&scenario, system);
    names_are_the_same_everywhere(name);
    CHECK_TRUE(!result->overloaded, "%s: %s is busy for %g us of %g", name, result->limit,
               result->limit_busy * 1e6, result->frame_period * 1e6);
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];

        if (node->type == COMPONENT_CAMERA)
            CHECK_TRUE(node->time <= 1.000001 * system->component[node->component].readout,
                       "%s: %s needs %g us through its interface and port, its readout takes %g us",
                       name, node->name, 1e6 * node->time,
                       1e6 * system->component[node->component].readout);
    }
    CHECK_TRUE(result->latency > 0 && result->dm_count > 0 && result->bound_node >= 0,
               "%s: latency %g us, %d mirrors", name, result->latency * 1e6, result->dm_count);
    if (system->general.published_latency > 0)
        CHECK_TRUE(fabs(log(result->latency / system->general.published_latency)) <= log(2),
                   "%s: latency %g us, published %g us", name, result->latency * 1e6,
                   system->general.published_latency * 1e6);
    /* PALM-3000 of 2007 missed its target. */
    CHECK_TRUE(result->margin >= 0 || system->general.published_latency > result->target,
               "%s: latency %g us, target %g us", name, result->latency * 1e6,
               result->target * 1e6);
}

TEST(every_system_works)
{
    systems_seen = 0;
    systems_each(check_system);
    CHECK_TRUE(systems_seen >= 25 / draw_every(1), "%d systems", systems_seen);
}
