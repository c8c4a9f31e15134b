#include "model/formulas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "csv.h"
#include "model/timeline.h"
#include "sample.h"

static double streamed_bytes(const struct work *work)
{
    return work->read + work->written;
}

static void counts(enum component_type type, const char *name, const struct workload_input *in,
                   double flop, double streamed, double resident, double output)
{
    struct demand demand = demand_none;

    workload_demand(sample_algorithm(type, name), in, &demand);
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
TEST(centroids)
{
    struct workload_input in = sample_sizes();

    counts(COMPONENT_CENTROID, "cog", &in, 5 * 112 - 7, 448, 0, 56);
    counts(COMPONENT_CENTROID, "simple", &in, 5 * 112, 448 + 56, 0, 56);
    counts(COMPONENT_CENTROID, "threshold", &in, 553 + 224, 448, 0, 56);
    counts(COMPONENT_CENTROID, "weighted", &in, 553 + 112, 448, 448, 56);
    counts(COMPONENT_CENTROID, "brightest", &in, 553 + 2 * 112 * 4, 1344, 0, 56);
    counts(COMPONENT_CENTROID, "matched", &in, 448, 448, 896, 56);
    /* 9 shifts; transforms of 8 x 8 hold 4 + 3 - 1 pixels */
    counts(COMPONENT_CENTROID, "correlation", &in, 7 * (2 * 9 * 16 + 20), 448, 448, 56);
    counts(COMPONENT_CENTROID, "correlation-fft", &in, 7 * (10 * 64 * 6 + 6 * 64),
           448 + 24 * 7 * 64, 448 + 4 * 64, 56);
}

/* A transform that just holds image and shifts is not made larger. */
TEST(transform_sizes)
{
    struct workload_input in = sample_sizes();

    in.search = 5; /* 8 */
    counts(COMPONENT_CENTROID, "correlation-fft", &in, 29568, 11200, 704, 56);
    in.search = 6; /* 9, so 16 */
    counts(COMPONENT_CENTROID, "correlation-fft", &in, 7 * (10 * 256 * 8 + 6 * 256),
           448 + 24 * 7 * 256, 448 + 4 * 256, 56);
    in.wfs.pixels_per_subap = in.search = 1;
    counts(COMPONENT_CENTROID, "correlation-fft", &in, 7 * 6, 28 + 24 * 7, 28 + 4, 56);
    counts(COMPONENT_CENTROID, "correlation", &in, 7 * 22, 28, 28, 56);
}

/* 10 FLOP and 16 bytes a subaperture, 8 of them resident. */
TEST(reference_slopes)
{
    struct workload_input in = sample_sizes();

    in.reference_slopes = true;
    counts(COMPONENT_CENTROID, "cog", &in, 553 + 70, 448 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "simple", &in, 560 + 70, 504 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "threshold", &in, 777 + 70, 448 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "weighted", &in, 665 + 70, 448 + 56, 448 + 56, 56);
    counts(COMPONENT_CENTROID, "brightest", &in, 1449 + 70, 1344 + 56, 56, 56);
    counts(COMPONENT_CENTROID, "matched", &in, 448 + 70, 448 + 56, 896 + 56, 56);
    counts(COMPONENT_CENTROID, "correlation", &in, 2156 + 70, 448 + 56, 448 + 56, 56);
    counts(COMPONENT_CENTROID, "correlation-fft", &in, 29568 + 70, 11200 + 56, 704 + 56, 56);
}

/* Quad cells and single pixels: the sort of one pixel costs nothing. */
TEST(small_subapertures)
{
    struct workload_input in = sample_sizes();

    in.wfs.pixels_per_subap = 1;
    counts(COMPONENT_CENTROID, "cog", &in, 28, 28, 0, 56);
    counts(COMPONENT_CENTROID, "brightest", &in, 28, 84, 0, 56);
    in.wfs.pixels_per_subap = 2;
    counts(COMPONENT_CENTROID, "brightest", &in, 133 + 2 * 28 * 2, 336, 0, 56);
    in.flops_per_pixel = 0; /* no less than none */
    counts(COMPONENT_CENTROID, "cog", &in, 0, 112, 0, 56);
    counts(COMPONENT_CENTROID, "threshold", &in, 56, 112, 0, 56);
}

/* The second worked example: 6400 subapertures of 16 x 16, 50 FLOP a pixel. */
TEST(worked_example)
{
    struct workload_input in = {
        .wfs = {.pixels_per_subap = 16}, .subaps = 6400, .element_bytes = 4, .flops_per_pixel = 50};

    counts(COMPONENT_CENTROID, "simple", &in, 81920000, 6604800, 0, 51200);
}

TEST(the_others)
{
    struct workload_input in = sample_sizes();

    counts(COMPONENT_CALIBRATION, "dark-flat", &in, 2000, 1500 + 4000, 8000, 4000);
    counts(COMPONENT_PYRAMID, "slopes", &in, 17 * 7 + 4, 252, 0, 56);
    counts(COMPONENT_PYRAMID, "intensity", &in, 12 * 7 + 4, 224, 0, 112);
    counts(COMPONENT_DESCRAMBLE, "", &in, 0, 1500 + 1500, 4000, 1500);
    in.flops = 1;
    in.bytes_read = 2;
    in.bytes_written = 4;
    in.knob.working_set = 8;
    counts(COMPONENT_CUSTOM, "", &in, 1, 6, 8, 4);
}

/* What algorithms are sums of, each counted by itself: FLOP and bytes (fp32) per subaperture or per
 * actuator. The vectors name them as well as algorithms. */
static const struct operation {
    const char *name;
    double flop, bytes;
} operations[] = {
    {"reference", 2, 8}, {"error", 8, 8},    {"offset", 1, 8},
    {"integrate", 2, 8}, {"saturate", 2, 8}, {"power", 2, 8},
};

enum { REFERENCE, ERROR, OFFSET, INTEGRATE, SATURATE, POWER, OPERATIONS };

TEST(operations_add_up)
{
    struct workload_input in = sample_sizes();
    struct demand plain, with, integrator;
    double flop = 0;
    double bytes = 0;

    workload_demand(sample_algorithm(COMPONENT_CENTROID, "cog"), &in, &plain);
    in.reference_slopes = true;
    workload_demand(sample_algorithm(COMPONENT_CENTROID, "cog"), &in, &with);
    CHECK_NEAR(with.stream.flop - plain.stream.flop,
               7 * (operations[REFERENCE].flop + operations[ERROR].flop), 0);
    CHECK_NEAR(with.stream.resident - plain.stream.resident, 7 * operations[REFERENCE].bytes, 0);
    CHECK_NEAR(with.stream.written - plain.stream.written, 7 * operations[ERROR].bytes, 0);
    workload_demand(sample_algorithm(COMPONENT_CONTROL, "integrator"), &in, &integrator);
    for (int i = OFFSET; i < OPERATIONS; i++) {
        flop += 13 * operations[i].flop;
        bytes += 13 * operations[i].bytes;
    }
    CHECK_NEAR(integrator.stream.flop, flop, 0);
    CHECK_NEAR(streamed_bytes(&integrator.stream), bytes, 0);
}

static bool operation_of(const char *name, double n, struct work *work)
{
    for (int i = 0; i < OPERATIONS; i++) {
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
    struct workload_input in = {.wfs = {.bit_depth = csv_number(csv, row, "bit_depth"),
                                        .pixels_per_subap = csv_number(csv, row, "side_px")},
                                .pixels = n,
                                .subaps = strcmp(name, "intensity") == 0 ? n / 4 : n,
                                .element_bytes = 4,
                                .flops_per_pixel = 5};
    struct demand demand = demand_none;
    struct work work;

    if (operation_of(name, n, &work))
        return work;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        if (strcmp(types[t].name, csv_text(csv, row, "component")) == 0)
            workload_demand(sample_algorithm(types[t].type, name), &in, &demand);
    return demand.stream;
}

TEST(component_vectors)
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
