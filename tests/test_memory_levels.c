#include <math.h>
#include <stdio.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "draw.h"
#include "model/device.h"
#include "random_design.h"
#include "reference_memory.h"
#include "sample.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define NS 1e-9

static struct scenario scenario;

/* Eight cores at 2 GHz in each of two sockets, 25.6 GB/s of memory a socket. */
static const struct device *processor(void)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "rtc");
    sample_set(&scenario, "device.rtc.sockets", "2");
    sample_set(&scenario, "device.rtc.cores", "8");
    sample_set(&scenario, "device.rtc.clock", "2 GHz");
    sample_set(&scenario, "device.rtc.memory_channels", "1");
    return &scenario.device[0];
}

static void has(const struct memory *memory, int k, enum memory_level_id id, double capacity,
                double bandwidth, double latency)
{
    const struct memory_level *level = &memory->level[k];

    if (!CHECK_TRUE(k < memory->count, "%d levels", memory->count))
        return;
    CHECK_STR(memory_level_name(level->id), memory_level_name(id));
    if (isfinite(capacity))
        CHECK_NEAR(level->capacity, capacity, 1e-12);
    else
        CHECK(isinf(level->capacity));
    CHECK_NEAR(level->bandwidth, bandwidth, 1e-12);
    CHECK_NEAR(level->latency, latency, 1e-12);
}

TEST(assumed_of_a_processor)
{
    struct memory memory;

    device_memory(processor(), 0, &memory);
    CHECK_INT(memory.count, 4);
    has(&memory, 0, LEVEL_L1, 0.75 * 16 * 32 * KIB, 64 * 16 * 2e9, 1.5 * NS / 160);
    has(&memory, 1, LEVEL_L2, 0.75 * 16 * MIB, 32 * 16 * 2e9, 5 * NS / 160);
    has(&memory, 2, LEVEL_L3, 0.75 * 2 * 16 * MIB, 10 * 16 * 2e9, 30 * NS / 160);
    has(&memory, 3, LEVEL_MEMORY, HUGE_VAL, 51.2e9, 100 * NS / 160);
}

/* Sockets fill one after the other; a core draws 8 B a cycle of memory and 24 of L3. */
TEST(workers_bring_their_own)
{
    const struct device *device = processor();
    struct memory memory;

    device_memory(device, 1, &memory);
    has(&memory, 0, LEVEL_L1, 0.75 * 32 * KIB, 64 * 2e9, 1.5 * NS / 10);
    has(&memory, 2, LEVEL_L3, 0.75 * 16 * MIB, 24 * 2e9, 30 * NS / 10);
    has(&memory, 3, LEVEL_MEMORY, HUGE_VAL, 8 * 2e9, 100 * NS / 10);
    device_memory(device, 8, &memory);
    has(&memory, 2, LEVEL_L3, 0.75 * 16 * MIB, 10 * 8 * 2e9, 30 * NS / 80);
    has(&memory, 3, LEVEL_MEMORY, HUGE_VAL, 25.6e9, 100 * NS / 80);
    device_memory(device, 9, &memory);
    has(&memory, 2, LEVEL_L3, 0.75 * 32 * MIB, 10 * 16 * 2e9, 30 * NS / 90);
    has(&memory, 3, LEVEL_MEMORY, HUGE_VAL, 51.2e9, 100 * NS / 90);
    sample_set(&scenario, "device.rtc.core_bandwidth", "3 GB/s");
    device_memory(device, 9, &memory);
    CHECK_NEAR(memory.level[3].bandwidth, 27e9, 1e-12);
    device_memory(device, 0, &memory);
    CHECK_NEAR(memory.level[3].bandwidth, 51.2e9, 1e-12);
    CHECK_NEAR(device_core_bandwidth(device), 3e9, 0);
}

TEST(without_numa_one_socket)
{
    const struct device *device = processor();
    struct memory memory;

    sample_set(&scenario, "device.rtc.numa", "off");
    device_memory(device, 0, &memory);
    has(&memory, 1, LEVEL_L2, 0.75 * 16 * MIB, 32 * 16 * 2e9, 5 * NS / 160);
    has(&memory, 2, LEVEL_L3, 0.75 * 16 * MIB, 10 * 8 * 2e9, 30 * NS / 160);
    has(&memory, 3, LEVEL_MEMORY, HUGE_VAL, 25.6e9, 100 * NS / 160);
    sample_set(&scenario, "device.rtc.l3_bandwidth", "200 GB/s");
    device_memory(device, 0, &memory);
    CHECK_NEAR(memory.level[2].bandwidth, 200e9, 1e-12);
    sample_set(&scenario, "device.rtc.numa", "on");
    device_memory(device, 0, &memory);
    CHECK_NEAR(memory.level[2].bandwidth, 400e9, 1e-12);
}

/* Through the L2 of each, or as much as from memory, or its part of what all draw together. */
TEST(cores_draw_from_a_stated_l3)
{
    static const struct {
        const char *knob, *value;
        double workers, expected;
    } cases[] = {
        {"l3_bandwidth", "400 GB/s", 0, 800e9},     {"l3_bandwidth", "400 GB/s", 1, 64e9},
        {"l2_bandwidth", "90 GB/s", 1, 90e9},       {"l2_bandwidth", "40 GB/s", 1, 50e9},
        {"l2_bandwidth", "40 GB/s", 8, 400e9},      {"l2_bandwidth", "40 GB/s", 9, 450e9},
        {"l2_bandwidth", "40 GB/s", 16, 800e9},     {"core_bandwidth", "70 GB/s", 1, 70e9},
        {"core_bandwidth", "70 GB/s", 8, 400e9},    {"l3_core_bandwidth", "30 GB/s", 1, 30e9},
        {"l3_core_bandwidth", "30 GB/s", 9, 270e9}, {"l3_core_bandwidth", "30 GB/s", 0, 800e9},
    };
    const struct device *device = processor();
    struct memory memory;
    char path[64];

    sample_set(&scenario, "device.rtc.core_bandwidth", "auto");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(path, sizeof path, "device.rtc.%s", cases[i].knob);
        sample_set(&scenario, path, cases[i].value);
        device_memory(device, cases[i].workers, &memory);
        CHECK_INT(memory.level[2].id, LEVEL_L3);
        CHECK_NEAR(memory.level[2].bandwidth, cases[i].expected, 1e-12);
    }
}

TEST(stated_levels)
{
    const struct device *device = processor();
    struct memory memory;

    sample_set(&scenario, "device.rtc.l1", "48 KiB");
    sample_set(&scenario, "device.rtc.l2", "0 KiB");
    sample_set(&scenario, "device.rtc.l3", "96 MiB");
    sample_set(&scenario, "device.rtc.l1_bandwidth", "100 GB/s");
    sample_set(&scenario, "device.rtc.l1_latency", "2 ns");
    sample_set(&scenario, "device.rtc.memory_latency", "80 ns");
    sample_set(&scenario, "device.rtc.cache_usable", "0.5");
    sample_set(&scenario, "device.rtc.outstanding", "20");
    device_memory(device, 0, &memory);
    CHECK_INT(memory.count, 3);
    has(&memory, 0, LEVEL_L1, 0.5 * 16 * 48 * KIB, 1600e9, 2 * NS / 320);
    has(&memory, 1, LEVEL_L3, 0.5 * 2 * 96 * MIB, 320e9, 30 * NS / 320);
    has(&memory, 2, LEVEL_MEMORY, HUGE_VAL, 51.2e9, 80 * NS / 320);
}

/* Twelve channels of one slow core: no cache that nobody measured is slower than they are. */
TEST(assumed_levels_keep_up)
{
    const struct device *device = processor();
    struct memory memory;

    sample_set(&scenario, "device.rtc.sockets", "1");
    sample_set(&scenario, "device.rtc.cores", "1");
    sample_set(&scenario, "device.rtc.memory_channels", "12");
    device_memory(device, 0, &memory);
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(memory.level[k].bandwidth, 307.2e9, 1e-12);
    sample_set(&scenario, "device.rtc.l2_bandwidth", "100 GB/s");
    device_memory(device, 0, &memory);
    CHECK_NEAR(memory.level[0].bandwidth, 128e9, 1e-12);
    CHECK_NEAR(memory.level[1].bandwidth, 100e9, 1e-12);
}

TEST(of_an_accelerator)
{
    const struct device *gpu = &scenario.device[0];
    struct memory memory;

    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    device_memory(gpu, 0, &memory);
    CHECK_INT(memory.count, 2);
    has(&memory, 0, LEVEL_L2, 3 * MIB, 3 * 2039.04e9, 200 * NS / 6912);
    has(&memory, 1, LEVEL_MEMORY, HUGE_VAL, 2039.04e9, 500 * NS / 6912);
    sample_set(&scenario, "device.gpu0.l3", "256 MiB");
    sample_set(&scenario, "device.gpu0.outstanding", "2");
    device_memory(gpu, 0, &memory);
    CHECK_INT(memory.count, 3);
    has(&memory, 1, LEVEL_L3, 192 * MIB, 2 * 2039.04e9, 300 * NS / 13824);
    sample_set(&scenario, "device.gpu0.l3_bandwidth", "17000 GB/s");
    device_memory(gpu, 0, &memory);
    has(&memory, 0, LEVEL_L2, 3 * MIB, 17e12, 200 * NS / 13824);
    CHECK_NEAR(device_cores(gpu), 0, 0);
}

/* What stands beside a knob that is left open. */
TEST(knobs_of_levels)
{
    const struct device *device = processor();
    struct memory memory;
    struct memory each;

    device_memory(device, 0, &memory);
    device_memory_knobs(device, &memory, &each);
    has(&each, 0, LEVEL_L1, 32 * KIB, 128e9, 1.5 * NS);
    has(&each, 1, LEVEL_L2, MIB, 64e9, 5 * NS);
    has(&each, 2, LEVEL_L3, 16 * MIB, 160e9, 30 * NS);
    has(&each, 3, LEVEL_MEMORY, HUGE_VAL, 51.2e9, 100 * NS);
}

TEST(random_devices)
{
    struct draw draw = draw_start(5103);

    for (int i = 0; i < 300; i++) {
        random_design(&draw, &scenario);
        for (int d = 0; d < scenario.device_count; d++) {
            const struct device *device = &scenario.device[d];
            double workers = device->kind == DEVICE_GPU || draw_chance(&draw, 0.5)
                                 ? 0
                                 : 1 + draw_below(&draw, (int)device_cores(device));
            struct reference_level expected[LEVEL_COUNT];
            struct memory memory;
            int count = reference_levels(device, workers > 0 ? workers : device_cores(device),
                                         workers > 0, expected);

            device_memory(device, workers, &memory);
            CHECK_INT(memory.count, count);
            for (int k = 0; k < memory.count && k < count; k++)
                has(&memory, k, memory.level[k].id, expected[k].capacity, expected[k].bandwidth,
                    expected[k].latency);
        }
    }
}
