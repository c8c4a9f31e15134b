/* The caches the device presets state, against the tables they were made from, and the levels of
 * memory that come of them. */
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "csv.h"
#include "model/device.h"
#include "systems.h"

#define KIB 1024.0
#define MIB (1024 * KIB)

/* An empty field: nobody publishes it, and the preset does not state it. */
static void cache_equals(const struct csv *csv, size_t row, const char *column, double bytes,
                         double unit)
{
    double expected = csv_number(csv, row, column);

    if (isnan(expected))
        expected = CAPACITY_AUTO / unit;
    CHECK_TRUE(fabs(bytes / unit - expected) <= 1e-4 * fabs(expected),
               "%s: %s is %.9g, expected %.9g", csv_text(csv, row, "id"), column, bytes / unit,
               expected);
}

TEST(of_processors)
{
    struct csv csv;

    if (!csv_load(&csv, "cpus.csv"))
        return;
    for (size_t row = 0; row < csv.rows; row++) {
        const struct device *device = systems_device(csv_text(&csv, row, "id"));

        if (device == NULL)
            continue;
        cache_equals(&csv, row, "l1d_kib_per_core", device->l1, KIB);
        cache_equals(&csv, row, "l2_kib_per_core", device->l2, KIB);
        cache_equals(&csv, row, "l3_mib_total", device->l3 * device->sockets, MIB);
    }
    csv_free(&csv);
}

TEST(of_accelerators)
{
    struct csv csv;
    int third = 0;

    if (!csv_load(&csv, "gpus.csv"))
        return;
    for (size_t row = 0; row < csv.rows; row++) {
        const struct device *device = systems_device(csv_text(&csv, row, "id"));

        if (device == NULL)
            continue;
        cache_equals(&csv, row, "l2_mib", device->l2, MIB);
        if (csv_text(&csv, row, "l3_mib")[0] != '\0') {
            cache_equals(&csv, row, "l3_mib", device->l3, MIB);
            third++;
        } else {
            CHECK_TRUE(device->l3 == CAPACITY_AUTO, "%s: an L3 of %g B the table does not have",
                       csv_text(&csv, row, "id"), device->l3);
        }
    }
    CHECK_INT(third, 10);
    csv_free(&csv);
}

static bool same(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-6 * fabs(b);
}

struct expected_level {
    enum memory_level_id id;
    double capacity;  /* B without cache_usable, of all; 0: memory */
    double bandwidth; /* B/s */
};

static void levels_are(const char *id, const struct expected_level *levels, int count)
{
    const struct device *device = systems_device(id);
    struct memory memory;

    if (device == NULL)
        return;
    device_memory(device, 0, &memory);
    if (!CHECK_TRUE(memory.count == count, "%s: %d levels, expected %d", id, memory.count, count))
        return;
    for (int k = 0; k < count; k++) {
        const struct memory_level *level = &memory.level[k];

        CHECK_TRUE(level->id == levels[k].id, "%s: level %d is %s, expected %s", id, k,
                   memory_level_name(level->id), memory_level_name(levels[k].id));
        if (levels[k].capacity > 0)
            CHECK_TRUE(same(level->capacity, 0.75 * levels[k].capacity),
                       "%s: %s counts %.9g B, expected %.9g", id, memory_level_name(level->id),
                       level->capacity, 0.75 * levels[k].capacity);
        CHECK_TRUE(same(level->bandwidth, levels[k].bandwidth),
                   "%s: %s has %.9g B/s, expected %.9g", id, memory_level_name(level->id),
                   level->bandwidth, levels[k].bandwidth);
    }
}

#define LEVELS(id, ...)                                                                            \
    levels_are(id, (const struct expected_level[]){__VA_ARGS__},                                   \
               (int)(sizeof((const struct expected_level[]){__VA_ARGS__}) /                        \
                     sizeof(struct expected_level)))

/* A capacity of 0 is no level: machines without L3, and vectors that pass by L1 and L2. */
TEST(levels_that_are_not_there)
{
    LEVELS("fujitsu_a64fx", {LEVEL_L1, 48 * 64 * KIB, 48 * 281.6e9},
           {LEVEL_L2, 48 * 682.667 * KIB, 3600e9}, {LEVEL_MEMORY, 0, 1024e9});
    LEVELS("intel_xeon_phi_7250", {LEVEL_L1, 68 * 32 * KIB, 64 * 68 * 1.5e9},
           {LEVEL_L2, 34 * MIB, 32 * 68 * 1.5e9}, {LEVEL_MEMORY, 0, 460.8e9});
    LEVELS("nec_sx_aurora_ve20b", {LEVEL_L3, 16 * MIB, 3000e9}, {LEVEL_MEMORY, 0, 1536e9});
    LEVELS("nvidia_a100_80gb_sxm", {LEVEL_L2, 40 * MIB, 7219.2e9}, {LEVEL_MEMORY, 0, 2039.04e9});
}

/* An Infinity Cache lies between L2 and memory; where L2 is assumed it is no slower than that. */
TEST(third_levels_of_accelerators)
{
    LEVELS("amd_instinct_mi300x", {LEVEL_L2, 32 * MIB, 17200e9}, {LEVEL_L3, 256 * MIB, 17200e9},
           {LEVEL_MEMORY, 0, 5324.8e9});
    LEVELS("amd_radeon_rx_7900_xtx", {LEVEL_L2, 6 * MIB, 3500e9}, {LEVEL_L3, 96 * MIB, 3500e9},
           {LEVEL_MEMORY, 0, 960e9});
    LEVELS("amd_radeon_rx_6900_xt", {LEVEL_L2, 4 * MIB, 4600e9}, {LEVEL_L3, 128 * MIB, 1986.6e9},
           {LEVEL_MEMORY, 0, 512e9});
}

/* What a preset states outward of a level is never faster than the level. */
TEST(levels_slow_outwards)
{
    for (int i = 0; i < catalogue_count(systems_catalogue()); i++) {
        const struct preset *preset = catalogue_at(systems_catalogue(), i);
        const struct device *device;
        struct memory memory;

        if (!preset_is_device(preset))
            continue;
        device = systems_device(preset->name);
        if (device == NULL)
            continue;
        device_memory(device, 0, &memory);
        for (int k = 1; k < memory.count; k++)
            CHECK_TRUE(memory.level[k].bandwidth <= memory.level[k - 1].bandwidth * (1 + 1e-9),
                       "%s: %s %.6g B/s, inside %s %.6g", preset->name,
                       memory_level_name(memory.level[k].id), memory.level[k].bandwidth,
                       memory_level_name(memory.level[k - 1].id), memory.level[k - 1].bandwidth);
    }
}

/* An array swept again and again, as a control matrix is: RRZE gpu-benches (te42kyfo/gpu-benches,
 * commit 3088b33, gpu-l2-cache). Away from the sizes at which a cache overflows. */
static const struct {
    const char *preset;
    double size; /* KiB */
    double rate; /* B/s */
} swept[] = {
    {"nvidia_a100_80gb_pcie", 18432, 5435.9e9},
    {"nvidia_a100_80gb_pcie", 211968, 1850.8e9},
    {"nvidia_a100_80gb_pcie", 1064448, 1727e9},
    {"nvidia_h100_pcie", 10112, 6884.0e9},
    {"nvidia_h100_pcie", 25088, 6862.5e9},
    {"nvidia_h100_pcie", 150400, 1970.4e9},
    {"nvidia_h100_pcie", 1008768, 1972.1e9},
    {"nvidia_h200_sxm", 18432, 9774.3e9},
    {"nvidia_h200_sxm", 28160, 9780.0e9},
    {"nvidia_h200_sxm", 211968, 3887.3e9},
    {"nvidia_h200_sxm", 1064448, 3888.8e9},
    {"nvidia_l40", 18432, 5168.9e9},
    {"nvidia_l40", 48128, 5259.2e9},
    {"nvidia_l40", 211968, 844.2e9},
    {"nvidia_l40", 1064448, 806.0e9},
    {"amd_instinct_mi100", 1536, 2693.3e9},
    {"amd_instinct_mi100", 4992, 2722.1e9},
    {"amd_instinct_mi100", 174720, 968.0e9},
    {"amd_instinct_mi100", 1061760, 828.2e9},
    {"amd_instinct_mi210", 1536, 4814.8e9},
    {"amd_instinct_mi210", 4608, 5103.8e9},
    {"amd_instinct_mi210", 211968, 1363.6e9},
    {"amd_instinct_mi210", 1064448, 1304.1e9},
    {"amd_radeon_rx_6900_xt", 1536, 4657.9e9},
    {"amd_radeon_rx_6900_xt", 3072, 4645.1e9},
    {"amd_radeon_rx_6900_xt", 30720, 1964.4e9},
    {"amd_radeon_rx_6900_xt", 83456, 1936.1e9},
    {"amd_radeon_rx_6900_xt", 452608, 488.8e9},
    {"amd_radeon_rx_6900_xt", 1064448, 475.8e9},
};

/* Within a quarter, all efficiencies at their defaults. */
TEST(swept_as_measured)
{
    for (size_t i = 0; i < sizeof swept / sizeof swept[0]; i++) {
        const struct device *device = systems_device(swept[i].preset);
        struct traffic traffic = {swept[i].size * KIB, 1e6, 4, 3, false};
        struct memory_cost cost;
        struct memory memory;
        double rate;

        if (device == NULL)
            continue;
        device_memory(device, 0, &memory);
        memory_cost(MODEL_HIERARCHY, &memory, &traffic, &cost);
        rate = 1 / (cost.transfer /
                        (device->sustained_memory * memory_access_efficiency(ACCESS_SEQUENTIAL)) +
                    cost.wait);
        CHECK_TRUE(fabs(rate / swept[i].rate - 1) <= 0.25,
                   "%s: %g KiB at %.4g B/s, measured %.4g: %+.0f %%", swept[i].preset,
                   swept[i].size, rate, swept[i].rate, 100 * (rate / swept[i].rate - 1));
    }
}
