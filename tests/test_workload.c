#include "workload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "csv.h"
#include "roofline.h"

static const struct algorithm *find(enum component_type type, const char *name)
{
    for (int i = 0; i < algorithm_count; i++)
        if (algorithms[i].type == type && strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    CHECK_TRUE(false, "no algorithm %s", name);
    return &algorithms[0];
}

/* Sizes that make every term of a count visible. */
static struct workload_input sizes(void)
{
    return (struct workload_input){
        .pixels = 1000,
        .pixel_bits = 12,
        .subaps = 7,
        .side = 4,
        .actuators = 13,
        .rows = 11,
        .columns = 14,
        .element = 4,
        .flops_per_pixel = 5,
    };
}

static double streamed_bytes(const struct work *work)
{
    return work->read + work->written;
}

static void counts(enum component_type type, const char *name, const struct workload_input *in,
                   double flop, double streamed, double resident, double output)
{
    struct demand demand = demand_none;

    find(type, name)->demand(in, &demand);
    CHECK_TRUE(demand.stream.flop == flop, "%s: %.17g FLOP, expected %.17g", name,
               demand.stream.flop, flop);
    CHECK_TRUE(streamed_bytes(&demand.stream) == streamed, "%s: %.17g B streamed, expected %.17g",
               name, streamed_bytes(&demand.stream), streamed);
    CHECK_TRUE(demand.stream.resident == resident, "%s: %.17g B resident, expected %.17g", name,
               demand.stream.resident, resident);
    CHECK_TRUE(demand.output == output, "%s: %.17g B put out, expected %.17g", name, demand.output,
               output);
}

/* 7 subapertures of 16 pixels, 112 pixels: counted by hand. */
static void centroids(void)
{
    struct workload_input in = sizes();

    counts(COMPONENT_CENTROID, "cog", &in, 5 * 112 - 7, 448, 0, 56);
    counts(COMPONENT_CENTROID, "simple", &in, 5 * 112, 448 + 56, 0, 56);
    counts(COMPONENT_CENTROID, "threshold", &in, 553 + 224, 448, 0, 56);
    counts(COMPONENT_CENTROID, "weighted", &in, 553 + 112, 448, 448, 56);
    counts(COMPONENT_CENTROID, "brightest", &in, 553 + 2 * 112 * 4, 1344, 0, 56);
    counts(COMPONENT_CENTROID, "matched", &in, 448, 448, 896, 56);
}

/* 10 FLOP and 16 bytes a subaperture, 8 of them resident. */
static void reference_slopes(void)
{
    struct workload_input in = sizes();

    in.reference_slopes = true;
    counts(COMPONENT_CENTROID, "cog", &in, 553 + 70, 448 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "simple", &in, 560 + 70, 504 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "threshold", &in, 777 + 70, 448 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "weighted", &in, 665 + 70, 448 + 56, 448 + 56, 56);
    counts(COMPONENT_CENTROID, "brightest", &in, 1449 + 70, 1344 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "matched", &in, 448 + 70, 448 + 56, 896 + 56, 56);
}

/* Quad cells and single pixels: the sort of one pixel costs nothing. */
static void small_subapertures(void)
{
    struct workload_input in = sizes();

    in.side = 1;
    counts(COMPONENT_CENTROID, "cog", &in, 28, 28, 0, 56);
    counts(COMPONENT_CENTROID, "brightest", &in, 28, 84, 0, 56);
    in.side = 2;
    counts(COMPONENT_CENTROID, "brightest", &in, 133 + 2 * 28 * 2, 336, 0, 56);
    in.flops_per_pixel = 0; /* no less than none */
    counts(COMPONENT_CENTROID, "cog", &in, 0, 112, 0, 56);
    counts(COMPONENT_CENTROID, "threshold", &in, 56, 112, 0, 56);
}

/* The second worked example: 6400 subapertures of 16 x 16, 50 FLOP a pixel. */
static void worked_example(void)
{
    struct workload_input in = {.subaps = 6400, .side = 16, .element = 4, .flops_per_pixel = 50};

    counts(COMPONENT_CENTROID, "simple", &in, 81920000, 6604800, 0, 51200);
}

static void the_others(void)
{
    struct workload_input in = sizes();

    counts(COMPONENT_CALIBRATION, "dark-flat", &in, 2000, 1500 + 4000, 8000, 4000);
    counts(COMPONENT_PYRAMID, "slopes", &in, 17 * 7 + 4, 252, 0, 56);
    counts(COMPONENT_PYRAMID, "intensity", &in, 12 * 7 + 4, 224, 0, 112);
    counts(COMPONENT_CONTROL, "integrator", &in, 7 * 13, 32 * 13, 0, 52);
    in.flops = 1;
    in.bytes_read = 2;
    in.bytes_written = 4;
    in.working_set = 8;
    counts(COMPONENT_CUSTOM, "", &in, 1, 6, 8, 4);
}

static void reconstructions(void)
{
    struct workload_input in = sizes();
    struct demand demand = demand_none;

    counts(COMPONENT_RECONSTRUCTION, "mvm", &in, 2 * 11 * 14, 56, 4 * 11 * 14, 44);
    counts(COMPONENT_RECONSTRUCTION, "modal", &in, 2 * 11 * 14, 56, 4 * 11 * 14, 52);
    find(COMPONENT_RECONSTRUCTION, "mvm")->demand(&in, &demand);
    CHECK_NEAR(demand.accumulator, 44, 0);
    CHECK_NEAR(demand.tail.flop + streamed_bytes(&demand.tail) + demand.tail.resident, 0, 0);
    demand = demand_none;
    find(COMPONENT_RECONSTRUCTION, "modal")->demand(&in, &demand);
    CHECK_NEAR(demand.accumulator, 44, 0);
    CHECK_NEAR(demand.tail.flop, 2 * 11 * 13, 0);
    CHECK_NEAR(streamed_bytes(&demand.tail), 4 * (11 + 13), 0);
    CHECK_NEAR(demand.tail.resident, 4 * 11 * 13, 0);
}

/* Everything but the raw pixels scales with the bytes of an element; FLOP do not. */
static void precision_scales_bytes(void)
{
    static const enum precision precisions[] = {PRECISION_FP64, PRECISION_FP16, PRECISION_BF16,
                                                PRECISION_INT8};
    static const double bytes[] = {8, 2, 2, 1};

    CHECK_NEAR(precision_bytes(PRECISION_FP32), 4, 0);
    for (int p = 0; p < 4; p++) {
        double scale = bytes[p] / 4;

        CHECK_NEAR(precision_bytes(precisions[p]), bytes[p], 0);
        for (int i = 0; i < algorithm_count - 1; i++) {
            struct workload_input in = sizes();
            struct demand single = demand_none;
            struct demand other = demand_none;
            double raw = algorithms[i].type == COMPONENT_CALIBRATION ? 1500 : 0;

            if (algorithms[i].type == COMPONENT_DESCRAMBLE)
                continue; /* raw pixels alone */
            in.reference_slopes = true;
            algorithms[i].demand(&in, &single);
            in.element = bytes[p];
            algorithms[i].demand(&in, &other);
            CHECK_TRUE(other.stream.flop == single.stream.flop &&
                           other.tail.flop == single.tail.flop &&
                           streamed_bytes(&other.stream) - raw ==
                               scale * (streamed_bytes(&single.stream) - raw) &&
                           other.stream.resident == scale * single.stream.resident &&
                           streamed_bytes(&other.tail) == scale * streamed_bytes(&single.tail) &&
                           other.tail.resident == scale * single.tail.resident &&
                           other.accumulator == scale * single.accumulator &&
                           other.output == scale * single.output,
                       "%s with elements of %g bytes", algorithms[i].name, bytes[p]);
        }
    }
}

static void algorithms_of_a_type_lie_together(void)
{
    static const int expected[COMPONENT_TYPE_COUNT] = {
        [COMPONENT_CALIBRATION] = 1, [COMPONENT_DESCRAMBLE] = 1,     [COMPONENT_CENTROID] = 6,
        [COMPONENT_PYRAMID] = 2,     [COMPONENT_RECONSTRUCTION] = 2, [COMPONENT_CONTROL] = 1,
        [COMPONENT_CUSTOM] = 1};

    for (int t = 0; t < COMPONENT_TYPE_COUNT; t++) {
        int first = algorithm_first((enum component_type)t);
        int count = algorithm_type_count((enum component_type)t);

        CHECK_TRUE(count == expected[t], "type %d has %d algorithms, expected %d", t, count,
                   expected[t]);
        CHECK_INT(first >= 0, count > 0);
        for (int i = 0; i < count; i++)
            CHECK_INT(algorithms[first + i].type, t);
    }
}

/* model.md's defaults, CPU / GPU. */
static void default_efficiencies(void)
{
    static const struct {
        enum component_type type;
        const char *name;
        double cpu, gpu;
    } cases[] = {
        {COMPONENT_RECONSTRUCTION, "mvm", 0.5, 0.5},
        {COMPONENT_RECONSTRUCTION, "modal", 0.5, 0.5},
        {COMPONENT_CALIBRATION, "dark-flat", 0.12, 0.3},
        {COMPONENT_DESCRAMBLE, "", 0.12, 0.3},
        {COMPONENT_PYRAMID, "slopes", 0.12, 0.3},
        {COMPONENT_PYRAMID, "intensity", 0.12, 0.3},
        {COMPONENT_CENTROID, "cog", 0.05, 0.25},
        {COMPONENT_CENTROID, "simple", 0.05, 0.25},
        {COMPONENT_CENTROID, "threshold", 0.05, 0.25},
        {COMPONENT_CENTROID, "weighted", 0.05, 0.25},
        {COMPONENT_CENTROID, "matched", 0.05, 0.25},
        {COMPONENT_CENTROID, "brightest", 0.005, 0.1},
        {COMPONENT_CONTROL, "integrator", 0.2, 0.2},
        {COMPONENT_CUSTOM, "", 0.5, 0.5},
    };

    CHECK_INT(sizeof cases / sizeof cases[0], algorithm_count);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct algorithm *row = find(cases[i].type, cases[i].name);

        CHECK_TRUE(row->cpu_efficiency == cases[i].cpu && row->gpu_efficiency == cases[i].gpu &&
                       row->access == (cases[i].type == COMPONENT_DESCRAMBLE ? ACCESS_RANDOM
                                                                             : ACCESS_SEQUENTIAL),
                   "%s: %g on a CPU, %g on a GPU", cases[i].name, row->cpu_efficiency,
                   row->gpu_efficiency);
    }
}

/* The vectors name operations as well as algorithms. */
static bool operation_of(const char *name, double n, struct work *work)
{
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (strcmp(operations[i].name, name) != 0)
            continue;
        *work = (struct work){n * operations[i].flop, n * operations[i].bytes, 0, 0};
        return true;
    }
    return false;
}

static struct work work_of(const struct csv *csv, size_t row)
{
    static const struct {
        const char *name;
        enum component_type type;
    } types[] = {{"calibration", COMPONENT_CALIBRATION},
                 {"centroid", COMPONENT_CENTROID},
                 {"pyramid", COMPONENT_PYRAMID},
                 {"control", COMPONENT_CONTROL}};
    const char *name = csv_text(csv, row, "algorithm");
    double n = csv_number(csv, row, "n");
    struct workload_input in = {.pixels = n,
                                .pixel_bits = csv_number(csv, row, "bit_depth"),
                                .subaps = strcmp(name, "intensity") == 0 ? n / 4 : n,
                                .side = csv_number(csv, row, "side_px"),
                                .element = 4,
                                .flops_per_pixel = 5};
    struct demand demand = demand_none;
    struct work work;

    if (operation_of(name, n, &work))
        return work;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        if (strcmp(types[t].name, csv_text(csv, row, "component")) == 0)
            find(types[t].type, name)->demand(&in, &demand);
    return demand.stream;
}

static void component_vectors(void)
{
    struct csv csv;
    size_t seen = 0;

    if (!csv_load(&csv, "component_vectors.csv"))
        return;
    for (size_t row = 0; row < csv.rows; row++) {
        struct work work = work_of(&csv, row);
        double flops =
            csv_number(&csv, row, "peak_flops") * csv_number(&csv, row, "compute_efficiency");
        double bandwidth =
            csv_number(&csv, row, "peak_bytes_per_s") * csv_number(&csv, row, "memory_efficiency");
        double actual = 1e6 * roofline_time(work.flop / flops, work_bytes(&work) / bandwidth,
                                            csv_number(&csv, row, "overlap"));
        double expected = csv_number(&csv, row, "expected_us");

        CHECK_TRUE(fabs(actual - expected) <= 1e-9 * expected,
                   "row %zu, %s %s: %.17g us, expected %.17g", row + 1,
                   csv_text(&csv, row, "component"), csv_text(&csv, row, "algorithm"), actual,
                   expected);
        seen++;
    }
    CHECK_INT(seen, 130);
    csv_free(&csv);
}

static const struct test tests[] = {
    {"centroids", centroids},
    {"reference slopes", reference_slopes},
    {"small subapertures", small_subapertures},
    {"worked example", worked_example},
    {"the others", the_others},
    {"reconstructions", reconstructions},
    {"precision scales bytes", precision_scales_bytes},
    {"algorithms of a type lie together", algorithms_of_a_type_lie_together},
    {"default efficiencies", default_efficiencies},
    {"component vectors", component_vectors},
    {NULL, NULL},
};

const struct suite suite_workload = {.name = "workload", .tests = tests};
