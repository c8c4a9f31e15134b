/* Line size, ways and reach of the TLB: found from walks through simulated caches, and measured. */
#include "probe/geometry.h"

#include <math.h>
#include <string.h>

#include "cache_simulator.h"
#include "check.h"

#define NS 1e-9

static uint32_t offset[GEOMETRY_OFFSETS_MAX];

/* Seconds per visit of a walk repeated until the caches are in their steady state; `unit`: bytes
 * that one line of the simulator stands for. */
static double walk(struct simulator *simulator, size_t count, double unit)
{
    double sum = 0;

    simulator_reset(simulator);
    for (int round = 0; round < 3; round++) {
        sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += simulator_access(simulator, (uint64_t)(offset[i] / unit) * SIMULATED_LINE);
    }
    return sum / (double)count;
}

static void add(struct measurement *measurement, const char *name, double size, double block,
                double seconds)
{
    struct measurement_point point = measurement_point(MEASUREMENT_MEMORY, name, "");

    point.parameter[PARAMETER_SIZE] = size;
    point.parameter[PARAMETER_BLOCK] = block;
    if (strcmp(name, "chase") == 0)
        point.parameter[PARAMETER_CHAINS] = 1;
    point.sample[point.count++] = seconds;
    measurement_add(measurement, &point);
}

/* A staircase with three plateaus: the latencies of two caches and of memory. */
static void add_staircase(struct measurement *measurement, const struct simulator *caches,
                          double line)
{
    for (int i = 0; i < 72; i++) {
        double size = 64 * floor(64 * exp2(i / 6.0));
        double first = (double)(caches->level[0].sets * caches->level[0].ways) * line;
        double second = (double)(caches->level[1].sets * caches->level[1].ways) * line;

        add(measurement, "chase", size, (double)NAN,
            size <= first    ? caches->level[0].latency
            : size <= second ? caches->level[1].latency
                             : caches->memory);
    }
}

/* All points of a machine; `line` in B. The TLB's latencies are beyond that of a hit. */
static void simulate(struct simulator *caches, struct simulator *tlb, double line,
                     struct measurement *measurement)
{
    add_staircase(measurement, caches, line);
    for (int i = 0; i <= 24; i++) {
        size_t blocks = (size_t)(64 * exp2(i / 4.0));

        add(measurement, "lines", (double)blocks * 64, (double)NAN,
            walk(caches, geometry_lines_walk(blocks, 1, offset), line));
    }
    for (size_t k = 1; k <= GEOMETRY_WAYS_MAX; k++)
        add(measurement, "ways", (double)k * 64, 1 << 17,
            walk(caches, geometry_ways_walk(k, 1, offset), 64));
    for (int i = 0; i <= 40; i++) {
        size_t pages = (size_t)(16 * exp2(i / 4.0));
        size_t count = geometry_pages_walk(pages, 1, offset);
        double huge = walk(caches, count, 64);

        CHECK_INT(count, pages);
        add(measurement, "pages-2m", (double)pages * 4096, (double)NAN, huge);
        add(measurement, "pages-4k", (double)pages * 4096, (double)NAN,
            huge + walk(tlb, count, 4096));
    }
}

static void finds(size_t line, size_t ways1, size_t ways2, size_t entries1, size_t entries2)
{
    struct simulator caches = {.levels = 2,
                               .level = {{.sets = 64, .ways = ways1, .latency = 1 * NS},
                                         {.sets = 1024, .ways = ways2, .latency = 4 * NS}},
                               .memory = 20 * NS};
    struct simulator tlb = {.levels = 2,
                            .level = {{.sets = 1, .ways = entries1, .latency = 0},
                                      {.sets = entries2 / 8, .ways = 8, .latency = 2 * NS}},
                            .memory = 12 * NS};
    struct measurement measurement = {0};
    struct geometry geometry;

    simulator_open(&caches);
    simulator_open(&tlb);
    simulate(&caches, &tlb, (double)line, &measurement);
    geometry_from_measurement(&measurement, &geometry);
    CHECK_NEAR(geometry.line, (double)line, 0);
    CHECK_NEAR(geometry.ways[0], (double)ways1, 0);
    CHECK_NEAR(geometry.ways[1], (double)ways2, 0);
    CHECK_NEAR(geometry.second, 0, 0);
    if (CHECK_INT(geometry.tlbs, 2)) {
        CHECK_NEAR(geometry.tlb[0], (double)entries1 * 4096, 0.25);
        CHECK_NEAR(geometry.tlb[1], (double)entries2 * 4096, 0.25);
    }
    simulator_close(&caches);
    simulator_close(&tlb);
    measurement_free(&measurement);
}

/* Lines far apart that share a set of a TLB of 6 ways are slower before the cache of 12 is full. */
TEST(two_rises_are_not_certain)
{
    struct simulator caches = {.levels = 2,
                               .level = {{.sets = 64, .ways = 12, .latency = 1 * NS},
                                         {.sets = 1024, .ways = 16, .latency = 4 * NS}},
                               .memory = 20 * NS};
    struct measurement measurement = {0};
    struct geometry geometry;

    add_staircase(&measurement, &caches, 64);
    for (size_t k = 1; k <= GEOMETRY_WAYS_MAX; k++)
        add(&measurement, "ways", (double)k * 64, 1 << 17,
            k <= 6    ? 1 * NS
            : k <= 12 ? 4 * NS
            : k <= 16 ? 8 * NS
                      : 24 * NS);
    geometry_from_measurement(&measurement, &geometry);
    CHECK_NEAR(geometry.ways[0], 6, 0);
    CHECK_NEAR(geometry.second, 12, 0);
    CHECK_NEAR(geometry.ways[1], 16, 0);
    measurement_free(&measurement);
}

TEST(simulated_caches_are_found)
{
    finds(64, 8, 16, 64, 2048);
    finds(128, 12, 20, 48, 1024);
    finds(32, 4, 8, 32, 512);
    finds(64, 8, 8, 96, 3072);
}

/* One disturbed point is no way, and neither is a cache that never overflows. */
TEST(disturbances_are_no_ways)
{
    struct simulator caches = {.level = {{.sets = 64, .ways = 8, .latency = 1 * NS},
                                         {.sets = 1024, .ways = 8, .latency = 4 * NS}},
                               .memory = 20 * NS};
    struct measurement measurement = {0};
    struct geometry geometry;

    add_staircase(&measurement, &caches, 64);
    for (int k = 1; k <= GEOMETRY_WAYS_MAX; k++)
        add(&measurement, "ways", k * 64, 1 << 17, (k <= 8 ? 1 : k == 9 ? 18 : 4) * NS);
    geometry_from_measurement(&measurement, &geometry);
    CHECK_NEAR(geometry.ways[0], 8, 0);
    CHECK_NEAR(geometry.ways[1], 0, 0);
    CHECK_NEAR(geometry.line, 0, 0);
    CHECK_INT(geometry.tlbs, 0);
    measurement_free(&measurement);
}

/* A walk visits different words, each once, within its memory. */
TEST(walks_are_permutations)
{
    static bool seen[GEOMETRY_SIZE / 16];

    for (int which = 0; which < 3; which++) {
        size_t count = which == 0   ? geometry_lines_walk(4096, 7, offset)
                       : which == 1 ? geometry_ways_walk(32, 7, offset)
                                    : geometry_pages_walk(GEOMETRY_OFFSETS_MAX, 7, offset);

        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < count; i++) {
            if (!CHECK(offset[i] + sizeof(void *) <= GEOMETRY_SIZE) ||
                !CHECK(!seen[offset[i] / 16]))
                return;
            seen[offset[i] / 16] = true;
        }
    }
}

/* The real walks give times; without enough memory there are none. */
TEST(measures_what_the_system_grants)
{
    struct measurement measurement = {0};
    struct error error = {0};
    struct probe probe;
    struct huge_pages pages;

    probe_defaults(&probe, true);
    probe.samples = 3;
    probe.shortest = 1e-7;
    probe.measurement = &measurement;
    probe_begin(&probe, &error);
    if (!CHECK(huge_pages_map(NULL, &pages, GEOMETRY_SIZE / 2)))
        return;
    probe_geometry(&probe, &pages, 0);
    CHECK_INT(measurement.count, 0);
    huge_pages_unmap(&pages);
    if (!CHECK(huge_pages_map(NULL, &pages, GEOMETRY_SIZE)))
        return;
    probe_geometry(&probe, &pages, 0);
    CHECK_INT(error.status, STATUS_OK);
    CHECK_INT(measurement.count,
              huge_pages_granted(&pages) >= GEOMETRY_SIZE ? 25 + 32 + 2 * 21 : 25);
    for (int i = 0; i < measurement.count; i++)
        CHECK(point_least(&measurement.point[i]) > 0);
    huge_pages_unmap(&pages);
    measurement_free(&measurement);
}
