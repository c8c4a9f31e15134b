#include "model/formulas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "csv.h"
#include "model/timeline.h"
#include "rows.h"
#include "sample.h"
#include "zoo.h"

static double streamed_bytes(const struct work *work)
{
    return work->read + work->written;
}

static enum component_type type_of(const char *name)
{
    const char *const *types = zoo_choices(SECTION_COMPONENT, "type");
    int type = 0;

    while (types[type] != NULL && strcmp(types[type], name) != 0)
        type++;
    CHECK_TRUE(types[type] != NULL, "no type %s", name);
    return (enum component_type)type;
}

/* "search 5, flops_per_pixel 0". */
static void state_sizes(const struct row *row, const char *text, struct workload_input *in)
{
    struct {
        const char *name;
        double *value;
    } sizes[] = {
        {"search", &in->search},
        {"pixels_per_subap", &in->wfs.pixels_per_subap},
        {"flops_per_pixel", &in->flops_per_pixel},
        {"subaps", &in->subaps},
        {"flops", &in->flops},
        {"bytes_read", &in->bytes_read},
        {"bytes_written", &in->bytes_written},
        {"working_set", &in->knob.working_set},
    };

    for (; *text != '\0'; text += text[0] == ',' ? 2 : 0) {
        size_t length = strcspn(text, " ");
        bool known = strncmp(text, "reference_slopes", length) == 0;
        char *end;
        double value = strtod(text + length, &end);

        in->reference_slopes = in->reference_slopes || known;
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            if (strlen(sizes[i].name) == length && strncmp(text, sizes[i].name, length) == 0) {
                *sizes[i].value = value;
                known = true;
            }
        if (!ROW_TRUE(row, known && end > text + length, "no size: %s", text))
            return;
        text = end;
    }
}

static void check_counts(const struct row *row)
{
    struct workload_input in = sample_sizes();
    struct demand demand = demand_none;

    state_sizes(row, row->field[6], &in);
    workload_demand(sample_algorithm(type_of(row->field[0]), row->field[1]), &in, &demand);
    ROW_NEAR(row, demand.stream.flop, row_arithmetic(row, 2), 0);
    ROW_NEAR(row, streamed_bytes(&demand.stream), row_arithmetic(row, 3), 0);
    ROW_NEAR(row, demand.stream.resident, row_arithmetic(row, 4), 0);
    ROW_NEAR(row, demand.output, row_arithmetic(row, 5), 0);
}

TEST(counted_by_hand)
{
    rows_each("workload.txt", "counts", 7, check_counts);
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
    workload_demand(sample_algorithm(type_of(csv_text(csv, row, "component")), name), &in, &demand);
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
        double actual = 1e6 * roofline_time(work.flop / flops,
                                            (work.read + work.written + work.resident) / bandwidth,
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
