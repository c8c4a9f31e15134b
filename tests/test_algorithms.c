#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/device.h"
#include "model/formulas.h"
#include "rows.h"
#include "sample.h"
#include "zoo.h"

static struct scenario scenario;

static bool part(const char *name, const char *which, const struct work *actual, double flop,
                 double streamed, double resident)
{
    return CHECK_TRUE(actual->flop == flop && actual->read + actual->written == streamed &&
                          actual->resident == resident,
                      "%s, %s: %.17g FLOP, %.17g B and %.17g B, expected %.17g, %.17g and %.17g",
                      name, which, actual->flop, actual->read + actual->written, actual->resident,
                      flop, streamed, resident);
}

/* FLOP, streamed and resident bytes of each part. */
struct counts {
    enum component_type type;
    const char *name;
    double stream[3], tail[3], deferred[3];
    double accumulator, output, sweeps, block;
    double kernels[3];
};

static const struct counts cases[] = {
    {COMPONENT_RECONSTRUCTION, "mvm", {308, 56, 616}, {0}, {0}, 44, 44, 1, 14, {1, 0, 0}},
    {COMPONENT_RECONSTRUCTION,
     "modal",
     {308, 56, 616},
     {286, 96, 572},
     {0},
     44,
     52,
     1,
     14,
     {1, 1, 0}},
    {COMPONENT_RECONSTRUCTION, "tlr", {144, 56, 288}, {144, 44, 288}, {0}, 0, 44, 1, 4, {1, 0, 0}},
    {COMPONENT_RECONSTRUCTION, "sparse", {77, 100, 308}, {0}, {0}, 0, 44, 1, 0, {1, 0, 0}},
    {COMPONENT_RECONSTRUCTION, "fourier", {1088, 384, 128}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_RECONSTRUCTION, "cured", {140, 280, 56}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_RECONSTRUCTION, "cg", {6120, 0, 6330}, {0}, {0}, 0, 52, 3, 0, {18, 0, 0}},
    {COMPONENT_CONTROL, "integrator", {91, 416, 0}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_CONTROL, "offset", {13, 104, 0}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_CONTROL, "integrate", {26, 104, 0}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_CONTROL, "saturate", {26, 104, 0}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_CONTROL, "power", {26, 104, 0}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_CONTROL, "combine", {26, 208, 0}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_CONTROL, "pid", {143, 520, 0}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
    {COMPONENT_CONTROL, "polc", {91, 416, 0}, {0}, {338, 0, 676}, 0, 52, 1, 13, {2, 0, 1}},
    {COMPONENT_CONTROL, "polc-explicit", {91, 416, 0}, {0}, {364, 0, 728}, 0, 52, 1, 13, {2, 0, 1}},
    {COMPONENT_CONTROL,
     "lqg",
     {280, 76, 560},
     {130, 72, 260},
     {50, 40, 100},
     0,
     52,
     1,
     14,
     {1, 1, 0}},
    {COMPONENT_CONTROL, "lqg-modal", {147, 560, 60}, {0}, {0}, 0, 52, 1, 0, {1, 0, 0}},
};

TEST(counted_by_hand)
{
    struct workload_input in = sample_sizes();

    for (const struct counts *c = cases; c < cases + sizeof cases / sizeof cases[0]; c++) {
        struct demand demand = demand_none;

        workload_demand(sample_algorithm(c->type, c->name), &in, &demand);
        part(c->name, "stream", &demand.stream, c->stream[0], c->stream[1], c->stream[2]);
        part(c->name, "tail", &demand.tail, c->tail[0], c->tail[1], c->tail[2]);
        part(c->name, "deferred", &demand.deferred, c->deferred[0], c->deferred[1], c->deferred[2]);
        CHECK_TRUE(demand.accumulator == c->accumulator && demand.output == c->output &&
                       demand.sweeps == c->sweeps && demand.block == c->block,
                   "%s: partial result %g B, output %g B, %g sweeps, block %g; expected %g, %g, "
                   "%g, %g",
                   c->name, demand.accumulator, demand.output, demand.sweeps, demand.block,
                   c->accumulator, c->output, c->sweeps, c->block);
        CHECK_TRUE(demand.kernels == c->kernels[0] && demand.tail_kernels == c->kernels[1] &&
                       demand.deferred_kernels == c->kernels[2],
                   "%s: %g, %g and %g kernels, expected %g, %g and %g", c->name, demand.kernels,
                   demand.tail_kernels, demand.deferred_kernels, c->kernels[0], c->kernels[1],
                   c->kernels[2]);
    }
}

/* What formulas.def misses has no text either. */
TEST(all_have_counts)
{
    for (int i = 0; i < ALGORITHM_COUNT; i++) {
        CHECK_TRUE(workload_texts[i].output != NULL, "%s has no WORKLOAD in model/formulas.def",
                   algorithms[i].name);
        CHECK_TRUE(
            algorithms[i].type != COMPONENT_CENTROID ||
                (workload_texts[i].stream.flop != NULL && workload_texts[i].stream.read != NULL),
            "%s counts no FLOP or no bytes in model/formulas.def", algorithms[i].name);
    }
}

/* NFIRAOS: 62 311 unknowns, 30 iterations: 382 MFLOP and 1184 MB as published. MAVIS in tiles of
 * 256: 19 x 75 of them, 153.6 MB of factors at rank 53 within 1 %. */
TEST(published_sizes)
{
    struct workload_input in = {.unknowns = 62311, .iterations = 30, .element_bytes = 4};
    struct demand demand = demand_none;

    workload_demand(sample_algorithm(COMPONENT_RECONSTRUCTION, "cg"), &in, &demand);
    CHECK_NEAR(demand.stream.flop, 382e6, 0.002);
    CHECK_NEAR(demand.sweeps * demand.stream.resident, 1184e6, 0.001);
    in = (struct workload_input){
        .rows = 4802, .columns = 19078, .tile = 256, .rank = 53, .element_bytes = 4};
    demand = demand_none;
    workload_demand(sample_algorithm(COMPONENT_RECONSTRUCTION, "tlr"), &in, &demand);
    CHECK_NEAR(demand.stream.flop, 19 * 75 * 2 * 256 * 53, 0);
    CHECK_NEAR(demand.stream.resident + demand.tail.resident, 153.6e6, 0.01);
}

static bool scaled(const struct work *other, const struct work *single, double scale, double raw)
{
    return other->flop == single->flop &&
           other->read + other->written - raw == scale * (single->read + single->written - raw) &&
           other->resident == scale * single->resident;
}

/* Everything but raw pixels and indices scales with the bytes of an element; FLOP do not. */
TEST(precision_scales_bytes)
{
    static const enum precision precisions[] = {PRECISION_FP64, PRECISION_FP16, PRECISION_BF16,
                                                PRECISION_INT8};
    static const double bytes[] = {8, 2, 2, 1};

    CHECK_NEAR(precision_bytes(PRECISION_FP32), 4, 0);
    for (int p = 0; p < 4; p++) {
        double scale = bytes[p] / 4;

        CHECK_NEAR(precision_bytes(precisions[p]), bytes[p], 0);
        for (int i = 0; i < ALGORITHM_COUNT - 1; i++) {
            struct workload_input in = sample_sizes();
            struct demand single = demand_none;
            struct demand other = demand_none;
            double raw = algorithms[i].type == COMPONENT_CALIBRATION ? 1500 : 0;

            if (algorithms[i].type == COMPONENT_DESCRAMBLE)
                continue; /* raw pixels alone */
            in.reference_slopes = true;
            workload_demand(&algorithms[i], &in, &single);
            in.element_bytes = bytes[p];
            workload_demand(&algorithms[i], &in, &other);
            if (strcmp(algorithms[i].name, "sparse") == 0) {
                CHECK_NEAR(other.stream.resident, (bytes[p] + 4) * 38.5, 0);
                single.stream.resident = other.stream.resident / scale;
            }
            CHECK_TRUE(scaled(&other.stream, &single.stream, scale, raw) &&
                           scaled(&other.tail, &single.tail, scale, 0) &&
                           scaled(&other.deferred, &single.deferred, scale, 0) &&
                           other.accumulator == scale * single.accumulator &&
                           other.output == scale * single.output,
                       "%s with elements of %g bytes", algorithms[i].name, bytes[p]);
        }
    }
}

TEST(algorithms_of_a_type_lie_together)
{
    for (int t = 0; t < COMPONENT_TYPE_COUNT; t++) {
        int first = algorithm_first((enum component_type)t);
        int count = algorithm_type_count((enum component_type)t);
        int rows = 0;

        for (int a = 0; a < ALGORITHM_COUNT; a++)
            rows += algorithms[a].type == (enum component_type)t;
        CHECK_TRUE(count == rows, "type %d has %d algorithms, expected %d", t, count, rows);
        CHECK_INT(first >= 0, count > 0);
        for (int i = 0; i < count; i++)
            CHECK_INT(algorithms[first + i].type, t);
    }
}

static int algorithms_seen;

static int choice_of(const char *key, const char *name)
{
    const char *const *choices = zoo_choices(SECTION_COMPONENT, key);
    int choice = 0;

    while (choices[choice] != NULL && strcmp(choices[choice], name) != 0)
        choice++;
    CHECK_TRUE(choices[choice] != NULL, "no %s %s", key, name);
    return choice;
}

static double efficiency_on(const struct device *device, const struct algorithm *algorithm,
                            enum precision precision)
{
    unsigned char taken[CASES_COUNT];

    return device_efficiency(taken, device, algorithm, precision, 0);
}

static void check_default(const struct row *row)
{
    int type = choice_of("type", row->field[0]);
    const struct algorithm *of = sample_algorithm((enum component_type)type, row->field[1]);
    struct component c = {.type = type, .algorithm = (int)(of - algorithms)};
    struct device device = scenario.device[0];

    ROW_NEAR(row, efficiency_on(&device, of, PRECISION_FP32), row_number(row, 2), 1e-14);
    device.kind = DEVICE_GPU;
    ROW_NEAR(row, efficiency_on(&device, of, PRECISION_FP32), row_number(row, 3), 0);
    ROW_NEAR(row, of->access, choice_of("access", row->field[4]), 0);
    ROW_NEAR(row, algorithm_barrier(&c), choice_of("barrier", row->field[5]), 0);
    ROW_NEAR(row, of->gpu_memory, strcmp(of->name, "tlr") == 0 ? 0.65 : 1, 0);
    c.normalisation = NORMALISATION_LOCAL;
    if (c.type == COMPONENT_PYRAMID)
        CHECK_INT(algorithm_barrier(&c), BARRIER_PACKET);
    algorithms_seen++;
}

TEST(defaults)
{
    sample_chain(&scenario); /* its device: 256 bit, two pipes, FMA */
    algorithms_seen = 0;
    rows_each("workload.txt", "defaults", 6, check_default);
    CHECK_INT(algorithms_seen, ALGORITHM_COUNT);
}

static double efficiency(enum component_type type, const char *name, enum precision precision)
{
    return efficiency_on(&scenario.device[0], sample_algorithm(type, name), precision);
}

/* A chain of sums runs at so many FLOP a cycle, 1.6, whatever the width of the core; what
 * vectorises keeps its fraction. */
TEST(chains_have_no_width)
{
    static const struct {
        enum component_type type;
        const char *name;
        double part;
    } chains[] = {
        {COMPONENT_CENTROID, "cog", 0.05},         {COMPONENT_CENTROID, "simple", 0.05},
        {COMPONENT_CENTROID, "threshold", 0.05},   {COMPONENT_CENTROID, "weighted", 0.05},
        {COMPONENT_CENTROID, "brightest", 0.005},  {COMPONENT_CENTROID, "matched", 0.05},
        {COMPONENT_RECONSTRUCTION, "cured", 0.05},
    };
    static const enum precision precisions[] = {PRECISION_FP64, PRECISION_FP32, PRECISION_FP16,
                                                PRECISION_INT8};

    sample_chain(&scenario);
    for (int width = 64; width <= 1024; width *= 2) {
        const struct device *device = &scenario.device[0];

        sample_number(&scenario, "device.rtc.simd_bits", width);
        for (int p = 0; p < 4; p++)
            for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
                CHECK_NEAR(efficiency(chains[i].type, chains[i].name, precisions[p]) *
                               device_peak(device, precisions[p]) /
                               (device->sockets * device->cores * device->clock),
                           32 * chains[i].part, 1e-12);
        CHECK_NEAR(efficiency(COMPONENT_CENTROID, "correlation", PRECISION_FP32), 0.1, 0);
    }
    sample_set(&scenario, "device.rtc.simd_bits", "64 bit");
    sample_set(&scenario, "device.rtc.fma", "no");
    sample_set(&scenario, "device.rtc.fma_pipes", "1");
    CHECK_NEAR(efficiency(COMPONENT_CENTROID, "cog", PRECISION_FP64), 1,
               0); /* 1 FLOP a cycle is all there is */
}

/* 1024 subapertures of 8 x 8 on one core of 512 bit at 5 GHz: 326 656 FLOP at 8 GFLOP/s. */
TEST(one_wide_core)
{
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_set(&scenario, "wfs.ngs.valid_subaps", "1024");
    sample_set(&scenario, "component.slopes.reference_slopes", "no");
    sample_set(&scenario, "device.rtc.cores", "1");
    sample_set(&scenario, "device.rtc.clock", "5 GHz");
    sample_set(&scenario, "device.rtc.simd_bits", "512 bit");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "slopes")->compute_efficiency, 0.025, 1e-12);
    CHECK_NEAR(sample_node(result, "slopes")->compute * sample_node(result, "slopes")->share,
               326656 / 8e9, 1e-12);
    sample_set(&scenario, "component.slopes.compute_efficiency", "0.05");
    sample_evaluate(&scenario, result);
    CHECK_NEAR(sample_node(result, "slopes")->compute_efficiency, 0.05, 1e-12);
}
