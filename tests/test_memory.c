#include "model/memory.h"

#include <math.h>

#include "check.h"
#include "draw.h"
#include "model/device.h"
#include "random_design.h"
#include "reference_memory.h"

#define MB 1e6
#define NS 1e-9

static const enum memory_model models[] = {MODEL_FLAT, MODEL_TWO_LEVEL, MODEL_LATENCY_BANDWIDTH,
                                           MODEL_HIERARCHY_2, MODEL_HIERARCHY};

/* 250 kB, 1 MB and memory at 200, 100 and 10 GB/s, 2, 10 and 100 ns. */
static const struct memory three = {3,
                                    {{LEVEL_L1, 0.25 * MB, 200e9, 2 * NS},
                                     {LEVEL_L2, 1 * MB, 100e9, 10 * NS},
                                     {LEVEL_MEMORY, HUGE_VAL, 10e9, 100 * NS}}};

/* Blocks of 4 elements of 4 bytes out of 2 MB. */
static const struct traffic quarter = {2 * MB, 4, 4, 3, false};

/* Seconds per element. */
static double element_time(enum memory_model model, const struct memory *memory,
                           const struct traffic *traffic)
{
    struct memory_cost cost;

    memory_cost(model, memory, traffic, &cost);
    return (cost.transfer + cost.wait) * traffic->element;
}

/* L2 holds (1 / 2)^3 of what is asked for, L1 (1 / 8)^3. A gap is 0.4 ns of memory, 0.04 ns of L2,
 * 0.02 ns of L1; in a block of 4 an element costs (100 + 1.2) / 4 = 25.3 ns of memory,
 * (10 + 0.12) / 4 = 2.53 ns of L2, (2 + 0.06) / 4 = 0.515 ns of L1. */
TEST(by_hand)
{
    CHECK_NEAR(element_time(MODEL_FLAT, &three, &quarter), 0.4 * NS, 1e-12);
    CHECK_NEAR(element_time(MODEL_TWO_LEVEL, &three, &quarter), (0.04 / 8 + 0.4 * 7 / 8) * NS,
               1e-12);
    CHECK_NEAR(element_time(MODEL_LATENCY_BANDWIDTH, &three, &quarter), 25.3 * NS, 1e-12);
    CHECK_NEAR(element_time(MODEL_HIERARCHY_2, &three, &quarter), (2.53 / 8 + 25.3 * 7 / 8) * NS,
               1e-12);
    CHECK_NEAR(element_time(MODEL_HIERARCHY, &three, &quarter),
               (0.515 / 512 + 2.53 * (64 - 1) / 512 + 25.3 * 7 / 8) * NS, 1e-12);
}

/* A locality of 1 is uniform and random: the fraction of the bytes that a cache holds. */
TEST(other_localities)
{
    struct traffic traffic = quarter;

    traffic.locality = 1;
    CHECK_NEAR(element_time(MODEL_TWO_LEVEL, &three, &traffic), (0.04 + 0.4) / 2 * NS, 1e-12);
    traffic.locality = 2;
    CHECK_NEAR(element_time(MODEL_TWO_LEVEL, &three, &traffic), (0.04 / 4 + 0.4 * 3 / 4) * NS,
               1e-12);
    traffic.locality = 3 * (1 + 1e-9); /* not by the shortcut */
    CHECK_NEAR(element_time(MODEL_HIERARCHY, &three, &traffic),
               element_time(MODEL_HIERARCHY, &three, &quarter), 1e-7);
    traffic.locality = 1e-9; /* all of it is near */
    CHECK_NEAR(element_time(MODEL_TWO_LEVEL, &three, &traffic), 0.04 * NS, 1e-6);
    CHECK_NEAR(element_time(MODEL_HIERARCHY_2, &three, &traffic), 2.53 * NS, 1e-6);
    CHECK_NEAR(element_time(MODEL_HIERARCHY, &three, &traffic), 0.515 * NS, 1e-6);
}

TEST(parts_say_what_serves)
{
    struct traffic traffic = quarter;
    struct memory_cost cost;

    memory_cost(MODEL_HIERARCHY, &three, &traffic, &cost);
    CHECK_INT(cost.count, 3);
    CHECK_INT(cost.part[0].level, LEVEL_L1);
    CHECK_INT(cost.part[1].level, LEVEL_L2);
    CHECK_INT(cost.part[2].level, LEVEL_MEMORY);
    CHECK_NEAR(cost.part[0].hit, 1.0 / 512, 1e-15);
    CHECK_NEAR(cost.part[1].hit, 1.0 / 8, 1e-15);
    CHECK_NEAR(cost.part[2].hit, 1, 0);
    CHECK_NEAR(cost.part[1].fraction, 63.0 / 512, 1e-15);
    CHECK_NEAR(cost.part[1].transfer, 63.0 / 512 * 0.75 / 100e9, 1e-12);
    CHECK_NEAR(cost.part[1].wait, 63.0 / 512 * 10 * NS / 4 / 4, 1e-12);
    memory_cost(MODEL_TWO_LEVEL, &three, &traffic, &cost);
    CHECK_INT(cost.count, 2);
    CHECK_INT(cost.part[0].level, LEVEL_L2);
    CHECK_NEAR(cost.wait, 0, 0);
    memory_cost(MODEL_FLAT, &three, &traffic, &cost);
    CHECK_INT(cost.count, 1);
    CHECK_INT(cost.part[0].level, LEVEL_MEMORY);
    traffic.beyond = true;
    for (int m = 0; m < 5; m++) {
        memory_cost(models[m], &three, &traffic, &cost);
        CHECK_INT(cost.count, 1);
        CHECK_INT(cost.part[0].level, LEVEL_MEMORY);
        CHECK_NEAR(cost.part[0].fraction, 1, 0);
    }
}

/* Nothing to hold, or no more than it holds: the first level has it. */
TEST(small_sets_are_near)
{
    static const double held[] = {0, 1, 0.25 * MB};
    struct traffic traffic = quarter;

    for (int i = 0; i < 3; i++) {
        traffic.held = held[i];
        CHECK_NEAR(element_time(MODEL_HIERARCHY, &three, &traffic), 0.515 * NS, 1e-12);
        CHECK_NEAR(element_time(MODEL_HIERARCHY_2, &three, &traffic), 2.53 * NS, 1e-12);
        CHECK_NEAR(element_time(MODEL_TWO_LEVEL, &three, &traffic), 0.04 * NS, 1e-12);
    }
}

/* Single elements pay a latency each and no gap, endless blocks only gaps. */
TEST(short_and_long_blocks)
{
    struct traffic traffic = quarter;

    traffic.block = 1;
    CHECK_NEAR(element_time(MODEL_LATENCY_BANDWIDTH, &three, &traffic), 100 * NS, 1e-12);
    CHECK_NEAR(element_time(MODEL_HIERARCHY_2, &three, &traffic), (10.0 / 8 + 100.0 * 7 / 8) * NS,
               1e-12);
    traffic.block = 0.25; /* counts as 1 */
    CHECK_NEAR(element_time(MODEL_LATENCY_BANDWIDTH, &three, &traffic), 100 * NS, 1e-12);
    traffic.block = 1e15;
    CHECK_NEAR(element_time(MODEL_LATENCY_BANDWIDTH, &three, &traffic), 0.4 * NS, 1e-9);
    CHECK_NEAR(element_time(MODEL_HIERARCHY_2, &three, &traffic),
               element_time(MODEL_TWO_LEVEL, &three, &traffic), 1e-9);
}

TEST(memory_alone)
{
    struct memory memory = {1, {{LEVEL_MEMORY, HUGE_VAL, 10e9, 100 * NS}}};

    for (int m = 0; m < 5; m++)
        CHECK_NEAR(element_time(models[m], &memory, &quarter),
                   memory_model_waits(models[m]) ? 25.3 * NS : 0.4 * NS, 1e-12);
}

/* Random ones ---------------------------------------------------------------------------------- */

/* Inner levels are smaller and faster. */
static struct memory draw_memory(struct draw *draw)
{
    struct memory memory;
    double capacity = draw_log(draw, 1e3, 1e6);
    double bandwidth = draw_log(draw, 1e12, 1e14);
    double latency = draw_log(draw, 1e-12, 1e-9);

    memory.count = 1 + draw_below(draw, LEVEL_COUNT);
    for (int k = 0; k < memory.count; k++) {
        bool last = k == memory.count - 1;

        memory.level[k].id = last ? LEVEL_MEMORY : (enum memory_level_id)k;
        memory.level[k].capacity = last ? HUGE_VAL : capacity;
        memory.level[k].bandwidth = bandwidth;
        memory.level[k].latency = latency;
        capacity *= draw_log(draw, 1, 100);
        bandwidth /= draw_log(draw, 1, 30);
        latency *= draw_log(draw, 1, 30);
    }
    return memory;
}

static struct traffic draw_traffic(struct draw *draw)
{
    static const double elements[] = {1, 2, 4, 8};

    return (struct traffic){draw_log(draw, 1, 1e10), draw_log(draw, 1, 1e6),
                            elements[draw_below(draw, 4)],
                            draw_chance(draw, 0.5) ? 3 : draw_log(draw, 0.001, 16), false};
}

TEST(more_is_never_faster)
{
    struct draw draw = draw_start(5101);

    for (int i = 0; i < 20000; i++) {
        struct memory memory = draw_memory(&draw);
        struct memory worse = memory;
        struct traffic traffic = draw_traffic(&draw);
        struct traffic larger = traffic;
        enum memory_model model = models[draw_below(&draw, 5)];
        double before = element_time(model, &memory, &traffic);
        double rounding = before * 1e-12;
        int outer = memory.count - 1;
        int k = draw_below(&draw, memory.count);

        larger.held *= draw_log(&draw, 1, 100);
        CHECK_TRUE(element_time(model, &memory, &larger) >= before - rounding,
                   "model %d holds more and is faster", model);
        worse.level[k].latency *= draw_log(&draw, 1, 100);
        CHECK_TRUE(element_time(model, &worse, &traffic) >= before - rounding,
                   "model %d waits longer and is faster", model);
        worse = memory;
        worse.level[k].bandwidth /= draw_log(&draw, 1, 100);
        CHECK_TRUE(element_time(model, &worse, &traffic) >= before - rounding,
                   "model %d has less bandwidth and is faster", model);
        worse = memory;
        if (k < outer)
            worse.level[k].capacity /= draw_log(&draw, 1, 100);
        CHECK_TRUE(element_time(model, &worse, &traffic) >= before - rounding,
                   "model %d has less cache and is faster", model);
    }
}

TEST(parts_add_up)
{
    struct draw draw = draw_start(5102);

    for (int i = 0; i < 20000; i++) {
        struct memory memory = draw_memory(&draw);
        struct traffic traffic = draw_traffic(&draw);
        enum memory_model model = models[draw_below(&draw, 5)];
        struct memory_cost cost;
        double fraction = 0;
        double transfer = 0;
        double wait = 0;
        double hit = 0;

        memory_cost(model, &memory, &traffic, &cost);
        for (int k = 0; k < cost.count; k++) {
            const struct memory_part *part = &cost.part[k];

            CHECK_TRUE(part->hit >= hit && part->hit <= 1 && part->fraction >= 0,
                       "model %d: %g after %g", model, part->hit, hit);
            hit = part->hit;
            fraction += part->fraction;
            transfer += part->transfer;
            wait += part->wait;
        }
        CHECK_NEAR(hit, 1, 0);
        CHECK_NEAR(fraction, 1, 1e-12);
        CHECK_NEAR(cost.transfer, transfer, 1e-12);
        CHECK_NEAR(cost.wait, wait, 1e-12);
        CHECK_TRUE(isfinite(transfer + wait), "model %d is not finite", model);
        if (memory.count == 2)
            CHECK_NEAR(element_time(MODEL_HIERARCHY, &memory, &traffic),
                       element_time(MODEL_HIERARCHY_2, &memory, &traffic), 1e-15);
    }
}

TEST(patterns)
{
    CHECK_NEAR(memory_access_efficiency(ACCESS_SEQUENTIAL), 0.92, 0);
    CHECK_NEAR(memory_access_efficiency(ACCESS_SEQUENTIAL), 0.88 / 0.95, 0.01);
    CHECK_NEAR(memory_access_efficiency(ACCESS_STRIDED), (0.40 + 0.60) / 2, 1e-15);
    CHECK_NEAR(memory_access_efficiency(ACCESS_RANDOM), (0.10 + 0.30) / 2, 1e-15);
}

static struct scenario scenario;

static void level_is(const struct memory *memory, int k, enum memory_level_id id, double capacity,
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

/* The levels that designs get, against the reference model. */
TEST(levels_of_random_devices)
{
    struct draw draw = draw_start(5103);

    for (int i = 0; i < 300; i++) {
        random_design(&draw, &scenario);
        for (int d = 0; d < scenario.device_count; d++) {
            const struct device *device = &scenario.device[d];
            double workers = device->kind != DEVICE_CPU || draw_chance(&draw, 0.5)
                                 ? 0
                                 : 1 + draw_below(&draw, (int)device_cores(device));
            struct reference_level expected[LEVEL_COUNT];
            struct memory memory;
            int count = reference_levels(device, workers > 0 ? workers : device_cores(device),
                                         workers > 0, expected);

            device_memory(device, workers, &memory);
            CHECK_INT(memory.count, count);
            for (int k = 0; k < memory.count && k < count; k++)
                level_is(&memory, k, memory.level[k].id, expected[k].capacity,
                         expected[k].bandwidth, expected[k].latency);
        }
    }
}
