#include "report/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/units.h"
#include "charts/machine.h"
#include "draw/plot.h"
#include "draw/text.h"
#include "model/result.h"
#include "probe/dispatch_points.h"
#include "probe/fit.h"
#include "probe/geometry.h"
#include "probe/gpu.h"
#include "probe/gpu_machine.h"
#include "probe/knees.h"
#include "probe/loops/operation_loops.h"
#include "probe/machine.h"
#include "probe/operations.h"
#include "report/reports.h"

#define PROBE_SCHEMA 1
#define VALUES_MAX 128 /* distinct values of a parameter */

/* Cells ---------------------------------------------------------------------------------------- */

/* Puts a figure without its unit, right-aligned, after `mark`. */
static void put_figure_cell(struct record *record, const char *heading, const char *mark,
                            double value)
{
    char number[40];

    if (value == RESULT_NONE) {
        record_cell(record, heading, NULL);
    } else {
        text_number(value, number, sizeof number);
        record_cellf(record, heading, "%s%s", mark, number);
    }
    record_right(record);
}

/* Puts a time in ns; the heading of its cell names the unit. */
static void put_ns(struct record *record, const char *key, const char *heading, double seconds)
{
    record_number(record, key, NULL, "ns", seconds);
    put_figure_cell(record, heading, "",
                    seconds == RESULT_NONE ? RESULT_NONE : unit_from_si(seconds, "ns"));
}

/* Puts a capacity, a dash for 0 and RESULT_NONE. */
static void put_capacity_cell(struct record *record, const char *heading, double bytes)
{
    char text[40];

    if (bytes > 0)
        quantity_print(bytes, "KiB", text, sizeof text);
    record_cell(record, heading, bytes > 0 ? text : NULL);
    record_right(record);
}

/* Puts the minimum time of a point in ns; a dash for NULL. */
static void put_point_cell(struct record *record, const char *heading,
                           const struct measurement_point *point)
{
    double least = point == NULL ? RESULT_NONE : point_least(point);
    double ns = unit_from_si(least, "ns");

    if (least == RESULT_NONE)
        record_cell(record, heading, NULL);
    else
        record_cellf(record, heading, "%s%.*f", point_noisy(point) ? NOISY : "",
                     ns < 9.995   ? 2
                     : ns < 99.95 ? 1
                                  : 0,
                     ns);
    record_right(record);
}

/* Measured points by two of their parameters --------------------------------------------------- */

#define ROWS_MANY 12

/* Table of the minimum times of points over two parameters. */
struct pivot {
    enum measurement_part part;
    const char *name;      /* of the points */
    enum parameter row;    /* with a label in the first column */
    enum parameter column; /* with a label in the heading */
    enum parameter fixed;  /* must equal fixed_value; PARAMETERS: no condition */
    double fixed_value;
    bool descending;    /* rows from high to low */
    const char *corner; /* heading of the first column */
};

/* Returns the last point with samples that matches part, name, a type that is not empty and the
 * parameters that are not NAN, or NULL. */
static const struct measurement_point *find_point(const struct measurement *measurement,
                                                  const struct measurement_point *like)
{
    const struct measurement_point *found = NULL;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        bool same = point->part == like->part && strcmp(point->name, like->name) == 0 &&
                    (like->type[0] == '\0' || strcmp(point->type, like->type) == 0) &&
                    point->count > 0;

        for (int k = 0; k < PARAMETERS && same; k++)
            same = isnan(like->parameter[k]) || point->parameter[k] == like->parameter[k];
        if (same)
            found = point;
    }
    return found;
}

static bool belongs_to_pivot(const struct measurement_point *point, const struct pivot *pivot)
{
    return point->part == pivot->part && strcmp(point->name, pivot->name) == 0 &&
           point->count > 0 &&
           (pivot->fixed == PARAMETERS || point->parameter[pivot->fixed] == pivot->fixed_value);
}

/* Lists the values of a parameter among the points, ascending; returns their number (<= `most`). */
static int pivot_values(const struct measurement *measurement, const struct pivot *pivot,
                        enum parameter parameter, double *values, int most)
{
    int count = 0;

    for (int i = 0; i < measurement->count; i++) {
        double value = measurement->point[i].parameter[parameter];
        int at = 0;

        if (!belongs_to_pivot(&measurement->point[i], pivot) || isnan(value))
            continue;
        while (at < count && values[at] < value)
            at++;
        if (count == most || (at < count && values[at] == value))
            continue;
        memmove(values + at + 1, values + at, (size_t)(count - at) * sizeof *values);
        values[at] = value;
        count++;
    }
    return count;
}

static const struct measurement_point *pivot_point(const struct measurement *measurement,
                                                   const struct pivot *pivot, double row,
                                                   double column)
{
    struct measurement_point like = measurement_point(pivot->part, pivot->name, "");

    like.parameter[pivot->row] = row;
    like.parameter[pivot->column] = column;
    if (pivot->fixed != PARAMETERS)
        like.parameter[pivot->fixed] = pivot->fixed_value;
    return find_point(measurement, &like);
}

static int count_row_points(const struct measurement *measurement, const struct pivot *pivot,
                            double row, const double *column, int columns)
{
    int count = 0;

    for (int i = 0; i < columns; i++)
        count += pivot_point(measurement, pivot, row, column[i]) != NULL;
    return count;
}

/* Keeps rows with more than one point and, if there are many, those a factor of 2 or 4 apart. */
static int select_rows(const struct measurement *measurement, const struct pivot *pivot,
                       double *row, int rows, const double *column, int columns)
{
    double step = rows > 2 * ROWS_MANY ? 4 : rows > ROWS_MANY ? 2 : 1;
    int kept = 0;

    for (int i = 0; i < rows; i++) {
        bool far = kept == 0 || row[i] >= step * row[kept - 1] * (1 - 1e-9);

        if (far &&
            (columns == 1 || count_row_points(measurement, pivot, row[i], column, columns) > 1))
            row[kept++] = row[i];
    }
    return kept;
}

/* Puts a table of times in ns, or nothing if there are no points. */
static void put_pivot(struct record *record, const struct measurement *measurement,
                      const struct pivot *pivot)
{
    double row[VALUES_MAX], column[TABLE_COLUMNS_USUAL - 1];
    int columns = pivot_values(measurement, pivot, pivot->column, column, TABLE_COLUMNS_USUAL - 1);
    int rows = pivot_values(measurement, pivot, pivot->row, row, VALUES_MAX);

    rows = select_rows(measurement, pivot, row, rows, column, columns);
    record_table(record, NULL, NULL);
    for (int i = 0; i < rows; i++) {
        double value = row[pivot->descending ? rows - 1 - i : i];

        record_row(record);
        if (pivot->row == PARAMETER_SIZE)
            put_capacity_cell(record, pivot->corner, value);
        else
            record_cellf(record, pivot->corner, "%g", value);
        record_right(record);
        for (int k = 0; k < columns; k++) {
            char heading[40];

            snprintf(heading, sizeof heading, "%g", column[k]);
            put_point_cell(record, heading, pivot_point(measurement, pivot, value, column[k]));
        }
        record_row_end(record);
    }
    record_table_end(record);
}

/* Memory --------------------------------------------------------------------------------------- */

#define PLOT_ROWS 18
#define PLOT_COLUMNS 80

static void put_plot(struct record *record, const struct measurement *measurement,
                     const struct knees *knees)
{
    struct machine machine;
    struct canvas canvas = {0};
    struct rect box = {0, 0, PLOT_ROWS, PLOT_COLUMNS};
    struct chart chart = {0};
    char *lines = NULL;
    size_t size;
    FILE *file = allocate_stream(&lines, &size);

    machine_from_measurement(measurement, &machine);
    canvas_init(&canvas, PLOT_ROWS, PLOT_COLUMNS, record->unicode);
    if (chart_staircase(&chart, measurement, knees, &machine, true) &&
        chart_draw(&chart, &canvas, box, NULL))
        canvas_print(&canvas, file);
    fclose(file);
    if (lines[0] != '\0')
        record_drawing(record, lines);
    free(lines);
    chart_free(&chart);
    canvas_free(&canvas);
}

/* Puts walks over the nodes of a list: by links, by an array of indices, and sequentially. */
static void put_walks(struct record *record, const struct measurement *measurement)
{
    static const struct {
        const char *name, *heading;
    } walks[] = {
        {.name = "list", .heading = "List"},
        {.name = "array", .heading = "Array of indices"},
        {.name = "sequential", .heading = "In order"},
    };
    const struct pivot pivot = {
        .part = MEASUREMENT_MEMORY, .name = "list", .row = PARAMETER_SIZE, .fixed = PARAMETERS};
    double size[VALUES_MAX];
    int sizes = pivot_values(measurement, &pivot, PARAMETER_SIZE, size, VALUES_MAX);

    if (sizes > 0)
        record_section(record, "Walks from node to node, ns per node");
    record_table(record, NULL, NULL);
    for (int i = 0; i < sizes; i++) {
        double least[3] = {0};

        record_row(record);
        put_capacity_cell(record, "Nodes", size[i]);
        for (int k = 0; k < 3; k++) {
            struct measurement_point like =
                measurement_point(MEASUREMENT_MEMORY, walks[k].name, "");
            const struct measurement_point *point;

            like.parameter[PARAMETER_SIZE] = size[i];
            point = find_point(measurement, &like);
            least[k] = point == NULL ? 0 : point_least(point);
            put_point_cell(record, walks[k].heading, point);
        }
        record_number(record, NULL, "List / in order", "",
                      least[2] > 0 ? least[0] / least[2] : RESULT_NONE);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_memory_pivot(struct record *record, const struct measurement *measurement,
                             const char *section, const struct pivot *pivot)
{
    double unused[2];

    if (pivot_values(measurement, pivot, pivot->column, unused, 2) < 2)
        return;
    record_section(record, "%s", section);
    put_pivot(record, measurement, pivot);
}

static void put_level(struct record *record, const struct machine_level *level, bool memory)
{
    record_row(record);
    record_text(record, "level", "Level", memory ? "memory" : memory_level_name(level->id));
    record_number(record, "capacity_bytes", NULL, "", memory ? RESULT_NONE : level->capacity);
    record_text(record, "capacity_from", NULL,
                memory         ? NULL
                : level->found ? "staircase"
                               : "system");
    record_number(record, "system_bytes", NULL, "",
                  level->system > 0 ? level->system : RESULT_NONE);
    put_capacity_cell(record, "Capacity", memory || !level->found ? 0 : level->capacity);
    put_capacity_cell(record, "System", level->system);
    record_number(record, "capacity_ratio", "Ratio", "",
                  level->found && level->system > 0 ? level->capacity / level->system
                                                    : RESULT_NONE);
    record_number(record, "latency_ns", "Latency", "ns", level->latency);
    record_number(record, "in_flight", "In flight", "", level->in_flight);
    record_number(record, "core_bandwidth_bytes_per_s", "One core", "B/s", level->core_bandwidth);
    record_number(record, "bandwidth_bytes_per_s", "All cores", "B/s", level->bandwidth);
    record_row_end(record);
}

static void put_levels(struct record *record, const struct machine *machine)
{
    record_table(record, "levels", NULL);
    for (int i = 0; i < machine->levels; i++)
        put_level(record, &machine->level[i], i == machine->levels - 1);
    record_table_end(record);
    if (machine->levels > 0)
        record_note(record, "Capacity: from the staircase; System: as the system reports it. In "
                            "flight: latency of one chain over the best of several. One core, "
                            "all cores: reading.");
}

static void put_access_tables(struct record *record, const struct measurement *measurement,
                              const struct knees *knees)
{
    static const struct pivot chains = {.part = MEASUREMENT_MEMORY,
                                        .name = "chase",
                                        .row = PARAMETER_SIZE,
                                        .column = PARAMETER_CHAINS,
                                        .fixed = PARAMETERS,
                                        .corner = "Size \\ chains"};
    static const struct pivot ahead = {.part = MEASUREMENT_MEMORY,
                                       .name = "prefetch",
                                       .row = PARAMETER_SIZE,
                                       .column = PARAMETER_AHEAD,
                                       .fixed = PARAMETERS,
                                       .corner = "Size \\ ahead"};

    if (knees->plateaus > 0 && knees->plateau[knees->plateaus - 1].rises)
        record_note(record, "The latency still rises at the end of the staircase: memory may be "
                            "even slower.");
    put_memory_pivot(record, measurement, "Independent chains at once, ns per access", &chains);
    put_walks(record, measurement);
    put_memory_pivot(record, measurement, "Nodes prefetched ahead, ns per node", &ahead);
}

/* Puts what the walks of geometry.h say: an object in data, sentences in text. */
static void put_geometry(struct record *record, const struct measurement *measurement)
{
    struct geometry g;
    struct buffer text = {0};
    char size[32], extra[32];

    geometry_from_measurement(measurement, &g);
    record_object(record, "geometry", NULL, true);
    record_number(record, "line_bytes", NULL, "", g.line > 0 ? g.line : RESULT_NONE);
    record_number(record, "l1_ways", NULL, "",
                  g.ways[0] > 0 && g.second == 0 ? g.ways[0] : RESULT_NONE);
    record_number(record, "l2_ways", NULL, "", g.ways[1] > 0 ? g.ways[1] : RESULT_NONE);
    record_table(record, "tlb", NULL);
    for (int i = 0; i < g.tlbs; i++) {
        record_row(record);
        record_number(record, "reach_bytes", NULL, "", g.tlb[i]);
        record_number(record, "extra_ns", NULL, "ns", g.extra[i]);
        record_row_end(record);
    }
    record_table_end(record);
    record_object_end(record);
    if (g.line > 0)
        buffer_print(&text, " Lines of %.0f B.", g.line);
    for (int i = 0; i < 2; i++)
        if (i == 0 && g.second > 0)
            buffer_print(&text,
                         " L1 has %.0f or %.0f ways: the times of its walk rise twice, once by the "
                         "TLB.",
                         g.ways[0], g.second);
        else if (g.ways[i] > 0)
            buffer_print(&text, " L%d has %.0f ways.", i + 1, g.ways[i]);
    if (g.tlbs > 0)
        buffer_text(&text, " TLB: an access takes longer in pages of 4 KiB than of 2 MiB, by");
    for (int i = 0; i < g.tlbs; i++) {
        quantity_print(g.tlb[i], "KiB", size, sizeof size);
        quantity_print(g.extra[i], "s", extra, sizeof extra);
        buffer_print(&text, "%s %s beyond %s", i > 0 ? "," : "", extra, size);
    }
    if (g.tlbs > 0)
        buffer_text(&text, ".");
    if (text.length > 0)
        record_note(record, "%s", text.bytes + 1);
    buffer_free(&text);
}

void probed_put_memory_tables(struct record *record, const struct measurement *measurement)
{
    struct knees knees;
    struct machine machine;

    knees_from_measurement(measurement, &knees);
    machine_from_measurement(measurement, &machine);
    put_levels(record, &machine);
    put_geometry(record, measurement);
    put_access_tables(record, measurement, &knees);
}

/* Puts the latency staircase: plateaus in data, plot and tables in text. */
static void put_staircase(struct record *record, const struct measurement *measurement)
{
    struct knees knees;

    knees_from_measurement(measurement, &knees);
    record_table(record, "plateaus", NULL);
    for (int i = 0; i < knees.plateaus; i++) {
        const struct plateau *plateau = &knees.plateau[i];

        record_row(record);
        record_number(record, "latency_ns", NULL, "ns", plateau->latency);
        record_number(record, "from_bytes", NULL, "", plateau->from);
        record_number(record, "to_bytes", NULL, "", plateau->to);
        record_number(record, "capacity_bytes", NULL, "",
                      i == knees.plateaus - 1 ? RESULT_NONE : knees.capacity[i]);
        record_bool(record, "rises", NULL, plateau->rises);
        record_row_end(record);
    }
    record_table_end(record);
    if (record_is_data(record))
        put_geometry(record, measurement);
    if (record_is_data(record) || !measurement_has(measurement, MEASUREMENT_MEMORY))
        return;
    record_section(record, "Memory: access latency by working set size");
    put_plot(record, measurement, &knees);
    put_geometry(record, measurement);
    put_access_tables(record, measurement, &knees);
}

/* Operations ----------------------------------------------------------------------------------- */

/* Puts `scale` times a value, "n/a" if the operation has no such figure, a dash if it was not
 * measured. */
static void put_figure(struct record *record, const char *key, const char *heading,
                       const char *unit, double scale, const struct operation_row *row,
                       double value, bool noisy)
{
    record_number(record, key, NULL, unit, value);
    if (value == RESULT_NONE && row->remark[0] != '\0') {
        record_cell(record, heading, "n/a");
        record_right(record);
    } else {
        put_figure_cell(record, heading, noisy ? NOISY : "",
                        value == RESULT_NONE ? RESULT_NONE : value * scale);
    }
}

static void put_operation_name(struct record *record, const struct operation_row *row)
{
    record_text(record, "name", "Operation", row->name);
    record_text(record, "type", "Type", row->type);
    record_digits(record, "width_bits", "Bits", "", row->lanes == 1 ? "%.0f (scalar)" : "%.0f",
                  row->bits);
}

static void put_operation(struct record *record, const struct operation_row *row)
{
    record_row(record);
    put_operation_name(record, row);
    record_integer(record, "lanes", NULL, row->lanes);
    put_figure(record, "latency_ns", "Latency\nns", "ns", unit_from_si(1, "ns"), row, row->latency,
               row->latency_noisy);
    put_figure(record, "latency_cycles", "Cycles", "", 1, row, row->latency_cycles,
               row->latency_noisy);
    put_figure(record, "operations_per_s", "10^9\nper s", "", 1e-9, row, row->rate,
               row->rate_noisy);
    put_figure(record, "operations_per_cycle", "Per cycle", "", 1, row, row->rate_per_cycle,
               row->rate_noisy);
    record_number(record, "elements_per_s", NULL, "", row->element_rate);
    put_figure(record, "ilp", "ILP*", "", 1, row, row->parallelism, false);
    record_number(record, "chains", NULL, "", row->chains > 0 ? row->chains : RESULT_NONE);
    record_bool(record, "noisy", NULL, row->latency_noisy || row->rate_noisy);
    record_text(record, "remark", NULL, row->remark[0] == '\0' ? NULL : row->remark);
    record_row_end(record);
}

/* Puts the reasons why figures are n/a, each once. */
static void put_remarks(struct record *record, const struct operation_table *operations)
{
    for (int i = 0; i < operations->rows; i++) {
        const struct operation_row *row = &operations->row[i];
        bool repeated = row->remark[0] == '\0';

        for (int k = 0; k < i && !repeated; k++)
            repeated = strcmp(operations->row[k].remark, row->remark) == 0 &&
                       strcmp(operations->row[k].name, row->name) == 0;
        if (!repeated)
            record_remark(record, row->name, row->remark);
    }
}

static void put_curve(struct record *record, const struct subnormal_curve *curve, bool flushed)
{
    record_row(record);
    record_cellf(record, "Operation", "%s %s", curve->name, curve->type);
    record_text(record, "name", NULL, curve->name);
    record_text(record, "type", NULL, curve->type);
    record_bool(record, "flushed_to_zero", NULL, flushed);
    record_cell(record, "Subnormals", flushed ? "flushed" : "computed");
    record_array(record, "shares", true);
    for (int i = 0; i < SUBNORMAL_SHARES; i++) {
        char heading[40];

        snprintf(heading, sizeof heading, "%.0f %%", 100 * subnormal_share(i));
        record_object(record, NULL, NULL, true);
        record_number(record, "subnormal_share", NULL, "", subnormal_share(i));
        put_ns(record, "time_ns", heading, curve->time[flushed][i]);
        record_object_end(record);
    }
    record_array_end(record);
    record_number(record, "penalty", "Penalty", "", curve->penalty[flushed]);
    record_row_end(record);
}

static void put_clock(struct record *record, const struct operation_table *operations)
{

    record_section(record, "Operations: latency and throughput");
    record_line(record, TONE_PLAIN, "Clock", "%s while working, from a chain of integer adds",
                record_quantity(record, operations->clock, "Hz"));
    if (operations->fma_per_cycle != RESULT_NONE)
        record_line(record, TONE_PLAIN, operations->fma ? "Multiply-adds" : "Multiplications",
                    "%s per cycle in registers of %.0f bit (f32)",
                    record_quantity(record, operations->fma_per_cycle, ""), operations->best_bits);
}

/* Puts a row of rates by the size of the memory that operands come from, unless there are none. */
static void put_operands(struct record *record, const struct measurement *measurement,
                         const struct operation_row *row, const double *size, int sizes)
{
    const struct measurement_point *found[VALUES_MAX];
    bool any = false;

    for (int i = 0; i < sizes; i++) {
        struct measurement_point like =
            measurement_point(MEASUREMENT_OPERATIONS, row->name, row->type);

        like.parameter[PARAMETER_SIZE] = size[i];
        like.parameter[PARAMETER_BITS] = row->bits;
        found[i] = find_point(measurement, &like);
        any = any || found[i] != NULL;
    }
    if (!any)
        return;
    record_row(record);
    put_operation_name(record, row);
    put_figure_cell(record, "Registers", row->rate_noisy ? NOISY : "",
                    row->rate == RESULT_NONE ? RESULT_NONE : 1e-9 * row->rate);
    record_array(record, "memory", true);
    for (int i = 0; i < sizes; i++) {
        double rate = found[i] == NULL ? RESULT_NONE : 1 / point_least(found[i]);
        char heading[40];

        quantity_print(size[i], "KiB", heading, sizeof heading);
        record_object(record, NULL, NULL, true);
        record_number(record, "size_bytes", NULL, "", size[i]);
        record_number(record, "operations_per_s", NULL, "", rate);
        put_figure_cell(record, heading, found[i] != NULL && point_noisy(found[i]) ? NOISY : "",
                        rate == RESULT_NONE ? RESULT_NONE : 1e-9 * rate);
        record_object_end(record);
    }
    record_array_end(record);
    record_row_end(record);
}

/* Puts the rates of operations with operands in memory. */
static void put_operand_table(struct record *record, const struct measurement *measurement,
                              const struct operation_table *operations)
{
    const struct pivot pivot = {
        .part = MEASUREMENT_OPERATIONS, .name = operation_name(OPERATION_ADD), .fixed = PARAMETERS};
    double size[VALUES_MAX];
    int sizes = pivot_values(measurement, &pivot, PARAMETER_SIZE, size, TABLE_COLUMNS_USUAL - 4);

    if (sizes > 0)
        record_section(record, "Operands in memory, 10^9 operations per s");
    record_table(record, "operands", NULL);
    for (int i = 0; i < operations->rows; i++)
        put_operands(record, measurement, &operations->row[i], size, sizes);
    record_table_end(record);
    if (sizes > 0)
        record_note(record, "Registers: operands that stay there. Sizes: operands are read from "
                            "as much memory, in order.");
}

void probed_put_operations(struct record *record, const struct measurement *measurement)
{
    struct operation_table operations;

    operation_table_make(measurement, &operations);
    if (measurement_has(measurement, MEASUREMENT_OPERATIONS))
        put_clock(record, &operations);
    record_table(record, "operations", NULL);
    for (int i = 0; i < operations.rows; i++)
        put_operation(record, &operations.row[i]);
    record_table_end(record);
    if (operations.rows > 0)
        record_note(record, "Rates are of the best number of independent chains. ILP* = latency x "
                            "rate: operations in flight at full rate.");
    put_remarks(record, &operations);
    if (operations.curves > 0)
        record_section(record, "Subnormal inputs, ns per operation");
    record_table(record, "subnormals", NULL);
    for (int i = 0; i < operations.curves; i++)
        for (int flushed = 0; flushed < 2; flushed++)
            put_curve(record, &operations.curve[i], flushed != 0);
    record_table_end(record);
    put_operand_table(record, measurement, &operations);
}

/* Bandwidth ------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *heading;
} bandwidth_kernels[] = {
    {.name = "read", .heading = "Read"}, {.name = "write", .heading = "Write"},
    {.name = "copy", .heading = "Copy"}, {.name = "triad", .heading = "Triad"},
    {.name = "dot", .heading = "Dot"},
};

enum { BANDWIDTH_KERNELS = sizeof bandwidth_kernels / sizeof bandwidth_kernels[0] };

static void put_bandwidth_row(struct record *record, const struct measurement *measurement,
                              double size, double cores)
{
    const struct measurement_point *found[BANDWIDTH_KERNELS];
    bool any = false;

    for (int i = 0; i < BANDWIDTH_KERNELS; i++) {
        struct measurement_point like =
            measurement_point(MEASUREMENT_BANDWIDTH, bandwidth_kernels[i].name, "");

        like.parameter[PARAMETER_SIZE] = size;
        like.parameter[PARAMETER_CORES] = cores;
        found[i] = find_point(measurement, &like);
        any = any || found[i] != NULL;
    }
    if (!any)
        return;
    record_row(record);
    record_integer(record, NULL, "Cores", cores);
    put_capacity_cell(record, "Size", size);
    for (int i = 0; i < BANDWIDTH_KERNELS; i++)
        put_figure_cell(record, bandwidth_kernels[i].heading,
                        found[i] != NULL && point_noisy(found[i]) ? NOISY : "",
                        found[i] == NULL ? RESULT_NONE : 1e-9 / point_least(found[i]));
    record_row_end(record);
}

/* Lists the parameter values of the kernel that was measured at the most values. */
static int bandwidth_values(const struct measurement *measurement, enum parameter parameter,
                            double *values)
{
    int best = 0;

    for (int i = 0; i < BANDWIDTH_KERNELS; i++) {
        const struct pivot pivot = {
            .part = MEASUREMENT_BANDWIDTH, .name = bandwidth_kernels[i].name, .fixed = PARAMETERS};
        double found[VALUES_MAX];
        int count = pivot_values(measurement, &pivot, parameter, found, VALUES_MAX);

        if (count > best)
            memcpy(values, found, (size_t)count * sizeof *values);
        best = count > best ? count : best;
    }
    return best;
}

static void put_jitter(struct record *record, const struct measurement *measurement)
{
    struct measurement_point like = measurement_point(MEASUREMENT_BANDWIDTH, "jitter", "");
    const struct measurement_point *point = find_point(measurement, &like);
    double slowest = 0;

    if (point == NULL)
        return;
    for (int i = 0; i < point->count; i++)
        slowest = fmax(slowest, point->sample[i]);
    record_line(record, TONE_PLAIN, "Jitter",
                "p99 / median %.3f, slowest / median %.3f of a fixed sweep, %d times",
                point_p99(point) / point_median(point), slowest / point_median(point),
                point->count);
}

static void put_bandwidth(struct record *record, const struct measurement *measurement)
{
    double size[VALUES_MAX], cores[VALUES_MAX];
    int sizes = bandwidth_values(measurement, PARAMETER_SIZE, size);
    int teams = bandwidth_values(measurement, PARAMETER_CORES, cores);

    if (record_is_data(record) || !measurement_has(measurement, MEASUREMENT_BANDWIDTH))
        return;
    record_section(record, "Bandwidth by level, GB/s");
    record_table(record, NULL, NULL);
    for (int i = 0; i < teams; i++)
        for (int k = 0; k < sizes; k++)
            put_bandwidth_row(record, measurement, size[k], cores[i]);
    record_table_end(record);
    record_note(record, "Size: of all cores together. Bytes as STREAM counts them, without reads "
                        "that precede writes. Dot: a matrix row times a vector.");
    put_jitter(record, measurement);
}

/* The machine ---------------------------------------------------------------------------------- */

#define MACHINE_LABEL_COLUMNS 26

static void put_machine(struct record *record, const struct measurement *measurement)
{
    struct machine machine;
    int label = record->label;

    machine_from_measurement(measurement, &machine);
    if (machine.levels == 0 && machine.clock == RESULT_NONE && !record_is_data(record))
        return;
    record->label = MACHINE_LABEL_COLUMNS;
    record_object(record, "machine", NULL, true);
    record_section(record, "Machine, as saved by --save");
    record_integer(record, "cores", "Cores", machine.cores > 0 ? machine.cores : RESULT_NONE);
    record_number(record, "clock_hz", "Clock", "Hz", machine.clock);
    record_digits(record, "simd_bits", "Registers", "", "%.0f bit", machine.simd_bits);
    record_bool(record, "fma", NULL, machine.fma);
    record_number(record, "fma_per_cycle",
                  machine.fma ? "Multiply-adds per cycle" : "Multiplications per cycle", "",
                  machine.fma_rate);
    record_number(record, "add_latency_ns", "Latency of an add", "ns", machine.add_latency);
    record_number(record, "fma_latency_ns", "Latency of a multiply-add", "ns", machine.fma_latency);
    record_number(record, "peak_flops", "Peak (fp32)", "FLOP/s", machine_peak(&machine));
    put_levels(record, &machine);
    record_number(record, "outstanding", "Accesses in flight", "", machine.outstanding);
    record_number(record, "cache_usable", "Usable cache capacity", "", machine.cache_usable);
    record_number(record, "sustained_compute", "Sustained FLOP/s", "", machine.sustained_compute);
    record_number(record, "sustained_memory", "Sustained B/s", "", machine.sustained_memory);
    record_number(record, "jitter", "Jitter, p99 / median", "", machine.jitter);
    record_number(record, "pc", "PC of the levels", "", machine.pc);
    record_object_end(record);
    record->label = label;
}

/* The start of work ---------------------------------------------------------------------------- */

#define LABEL_MAX 64

/* Puts a quantile of a point's samples in us, right-aligned; a dash without samples. */
static void put_delay(struct record *record, const char *heading, const char *mark,
                      const struct measurement_point *point,
                      double (*quantile)(const struct measurement_point *point))
{
    double seconds = point == NULL ? RESULT_NONE : quantile(point);

    put_figure_cell(record, heading, mark,
                    seconds == RESULT_NONE ? RESULT_NONE : unit_from_si(seconds, "us"));
}

/* Puts what was not measured, and why; points of equal reasons are one sentence. */
static void put_missing_delays(struct record *record, const struct measurement *measurement)
{
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        bool said = point->part != MEASUREMENT_DISPATCH || point->count > 0;
        char label[LABEL_MAX], more[32] = "";
        int others = 0;

        for (int k = 0; k < measurement->count && !said; k++)
            if (k != i && measurement->point[k].part == MEASUREMENT_DISPATCH &&
                measurement->point[k].count == 0 &&
                strcmp(measurement->point[k].remark, point->remark) == 0) {
                said = k < i;
                others++;
            }
        if (said)
            continue;
        if (others > 0)
            snprintf(more, sizeof more, " and %d more", others);
        dispatch_point_label(point, label, sizeof label);
        record_note(record, "%s%s: %s.", label, more, point->remark);
    }
}

void probed_put_dispatch(struct record *record, const struct measurement *measurement)
{
    bool realtime = false;

    for (int i = 0; i < measurement->count; i++)
        realtime = realtime || (measurement->point[i].part == MEASUREMENT_DISPATCH &&
                                measurement->point[i].parameter[PARAMETER_REALTIME] == 1);
    if (record_is_data(record) || !measurement_has(measurement, MEASUREMENT_DISPATCH))
        return;
    record_section(record, DISPATCH_TITLE ", us");
    record_table(record, NULL, NULL);
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        const struct measurement_point *ahead;
        const char *mark = point_noisy(point) ? NOISY : "";
        char label[LABEL_MAX];

        if (point->part != MEASUREMENT_DISPATCH || point->count == 0 ||
            point->parameter[PARAMETER_REALTIME] == 1)
            continue;
        ahead = dispatch_find_realtime(measurement, point);
        dispatch_point_label(point, label, sizeof label);
        record_row(record);
        record_cell(record, "Delay", label);
        put_delay(record, "Least", "", point, point_least);
        put_delay(record, "Median", mark, point, point_median);
        put_delay(record, "p90", "", point, point_p90);
        put_delay(record, "p99", "", point, point_p99);
        if (realtime) {
            put_delay(record, "RT median", ahead != NULL && point_noisy(ahead) ? NOISY : "", ahead,
                      point_median);
            put_delay(record, "RT p99", "", ahead, point_p99);
        }
        record_row_end(record);
    }
    record_table_end(record);
    record_note(record, "From work that is ready, or data that is there, until it runs or is read. "
                        "Core: time of a core per datagram. RT: with real-time priority.");
    put_missing_delays(record, measurement);
}

/* Puts the figures of the start of work, null if it was not measured, and its table. */
static void put_dispatch(struct record *record, const struct measurement *measurement)
{
    struct dispatch_times times;
    int label = record->label;

    if (!measurement_has(measurement, MEASUREMENT_DISPATCH)) {
        record_null(record, "dispatch");
        return;
    }
    dispatch_times_from(measurement, &times);
    probed_put_dispatch(record, measurement);
    record->label = MACHINE_LABEL_COLUMNS;
    record_section(record, "Start of work, as saved by --save");
    record_object(record, "dispatch", NULL, true);
    record_number(record, "spin_launch_us", "Launch, spin", "us", times.launch[DISPATCH_SPIN]);
    record_number(record, "wake_launch_us", "Launch, wake", "us", times.launch[DISPATCH_WAKE]);
    record_number(record, "process_launch_us", "Launch, process", "us",
                  times.launch[DISPATCH_PROCESS]);
    record_number(record, "process_handover_us", "Hand-over, process", "us", times.handover);
    record_number(record, "boundary_us", "Boundary", "us", times.boundary);
    record_number(record, "sleep_latency_us", "Sleep latency", "us", times.sleep);
    record_number(record, "ingress_latency_us", "Ingress latency", "us", times.ingress);
    record_number(record, "datagram_time_us", "Datagram time", "us", times.datagram);
    record_number(record, "egress_latency_us", "Egress latency", "us", times.egress);
    record_object_end(record);
    record->label = label;
}

/* GPU ------------------------------------------------------------------------------------------ */

#define GPU_LABEL_COLUMNS 34

static const struct gpu_rate {
    const char *name, *heading;
    const char *type; /* of the points; NULL: any, "": that of copies through the copy engine */
    bool each;        /* a sample is the time of a byte, otherwise of the size */
} gpu_rates[] = {
    {.name = GPU_READ, .heading = "Read", .each = true},
    {.name = GPU_WRITE, .heading = "Write", .each = true},
    {.name = GPU_COPY, .heading = "Copy", .each = true},
    {.name = GPU_TO_DEVICE, .heading = "To device", .type = ""},
    {.name = GPU_TO_HOST, .heading = "To host", .type = ""},
    {.name = GPU_TO_DEVICE, .heading = "Mapped in", .type = GPU_MAPPED},
    {.name = GPU_TO_HOST, .heading = "Mapped out", .type = GPU_MAPPED},
};

enum { GPU_RATES = sizeof gpu_rates / sizeof gpu_rates[0], GPU_RATES_COMMON = GPU_RATES - 2 };

/* Returns the point of a rate and a size, 0 for any; NULL if it was not measured. */
static const struct measurement_point *find_gpu_rate(const struct measurement *measurement,
                                                     const struct gpu_rate *rate, double size)
{
    const char *type =
        rate->type == NULL || rate->type[0] != '\0' ? rate->type : gpu_copy_type(measurement);

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (point->part == MEASUREMENT_GPU && point->count > 0 &&
            strcmp(point->name, rate->name) == 0 &&
            (type == NULL || strcmp(point->type, type) == 0) &&
            (size == 0 || point->parameter[PARAMETER_SIZE] == size))
            return point;
    }
    return NULL;
}

/* Lists the sizes of all rates in ascending order. */
static int gpu_sizes(const struct measurement *measurement, double *size)
{
    int count = 0;

    for (int i = 0; i < measurement->count && count < VALUES_MAX; i++) {
        const struct measurement_point *point = &measurement->point[i];
        double value = point->parameter[PARAMETER_SIZE];
        bool rate = false;
        int at = 0;

        for (int k = 0; k < GPU_RATES; k++)
            rate = rate || strcmp(point->name, gpu_rates[k].name) == 0;
        if (point->part != MEASUREMENT_GPU || !rate || !(value > 0))
            continue;
        while (at < count && size[at] < value)
            at++;
        if (at < count && size[at] == value)
            continue;
        memmove(size + at + 1, size + at, (size_t)(count - at) * sizeof *size);
        size[at] = value;
        count++;
    }
    return count;
}

static void put_gpu_rates(struct record *record, const struct measurement *measurement)
{
    double size[VALUES_MAX + 1];
    int sizes = gpu_sizes(measurement, size);
    bool mapped = find_gpu_rate(measurement, &gpu_rates[GPU_RATES_COMMON], 0) != NULL;

    if (sizes == 0)
        return;
    record_section(record, "GPU: bandwidth by size, GB/s");
    record_table(record, NULL, NULL);
    for (int i = 0; i < sizes; i++) {
        record_row(record);
        put_capacity_cell(record, "Size", size[i]);
        for (int k = 0; k < (mapped ? GPU_RATES : GPU_RATES_COMMON); k++) {
            const struct measurement_point *point =
                find_gpu_rate(measurement, &gpu_rates[k], size[i]);

            put_figure_cell(
                record, gpu_rates[k].heading, point != NULL && point_noisy(point) ? NOISY : "",
                point == NULL ? RESULT_NONE
                              : 1e-9 * (gpu_rates[k].each ? 1 : size[i]) / point_least(point));
        }
        record_row_end(record);
    }
    record_table_end(record);
    record_note(record, "Read, write, copy: a kernel that passes over as many bytes again and "
                        "again. To device, to host: a copy, from the call until it is finished.");
    if (mapped)
        record_note(record, "Mapped: a kernel that reads or writes the memory of the host.");
}

static void put_gpu_kernels(struct record *record, const struct measurement *measurement)
{
    bool any = false;

    for (int i = 0; i < measurement->count; i++)
        any = any || (measurement->point[i].part == MEASUREMENT_GPU &&
                      measurement->point[i].of[0] != '\0');
    if (!any)
        return;
    record_section(record, "GPU: kernels");
    record_table(record, NULL, NULL);
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];

        if (point->part != MEASUREMENT_GPU || point->of[0] == '\0')
            continue;
        record_row(record);
        record_cell(record, "Kernel", point->name);
        record_cell(record, "Sizes of", point->of);
        put_capacity_cell(record, "Data", point->parameter[PARAMETER_SIZE]);
        put_figure_cell(record, "us per frame", point_noisy(point) ? NOISY : "",
                        point->count == 0 ? RESULT_NONE : unit_from_si(point_least(point), "us"));
        record_row_end(record);
    }
    record_table_end(record);
}

void probed_put_gpu_tables(struct record *record, const struct measurement *measurement)
{
    put_gpu_rates(record, measurement);
    put_gpu_kernels(record, measurement);
}

/* Puts what only an NVIDIA driver measures; a text without it has no row. */
static void put_nvidia_number(struct record *record, const char *key, const char *label,
                              const char *unit, double value)
{
    if (record_is_data(record) || value != RESULT_NONE)
        record_number(record, key, label, unit, value);
}

static void put_gpu_starts(struct record *record, const struct gpu_machine *gpu)
{
    const struct gpu_starts *stream = &gpu->starts[DISPATCH_STREAM];
    const struct gpu_starts *graph = &gpu->starts[DISPATCH_GRAPH];
    const struct gpu_starts *resident = &gpu->starts[DISPATCH_PERSISTENT];

    record_number(record, "launch_us", "Launch to finished, less boundary", "us", stream->launch);
    record_number(record, "boundary_us", "Between kernels", "us", stream->boundary);
    record_number(record, "enqueue_us", "Call of the host to enqueue", "us", stream->enqueue);
    put_nvidia_number(record, "graph_launch_us", "Graph: launch, less boundary", "us",
                      graph->launch);
    put_nvidia_number(record, "graph_boundary_us", "Graph: between kernels", "us", graph->boundary);
    put_nvidia_number(record, "graph_enqueue_us", "Graph: call of the host", "us", graph->enqueue);
    put_nvidia_number(record, "resident_launch_us", "Resident kernel: question, answer", "us",
                      resident->launch);
    put_nvidia_number(record, "resident_boundary_us", "Resident kernel: barrier", "us",
                      resident->boundary);
}

/* Puts the figures of a GPU and its tables, null without one. */
static void put_gpu(struct record *record, const struct measurement *measurement)
{
    struct gpu_machine gpu;
    int label = record->label;

    if (!measurement_has(measurement, MEASUREMENT_GPU)) {
        record_null(record, "gpu");
        return;
    }
    gpu_machine_from(measurement, &gpu);
    record->label = GPU_LABEL_COLUMNS;
    record_section(record, "GPU, as saved by --save");
    record_object(record, "gpu", NULL, true);
    record_text(record, "name", "Device", measurement->condition[CONDITION_GPU]);
    record_integer(record, "compute_units", "Compute units",
                   gpu.figures.units > 0 ? gpu.figures.units : RESULT_NONE);
    record_number(record, "clock_hz", "Clock, reported", "Hz",
                  gpu.figures.clock > 0 ? gpu.figures.clock : RESULT_NONE);
    record_number(record, "sustained_clock_hz", "Clock, sustained", "Hz", gpu.sustained_clock);
    record_number(record, "memory_bytes", "Memory size", "B",
                  gpu.figures.memory > 0 ? gpu.figures.memory : RESULT_NONE);
    record_number(record, "cache_bytes", "Cache", "B",
                  gpu.figures.cache > 0 ? gpu.figures.cache : RESULT_NONE);
    record_bool(record, "host_memory", NULL, gpu.figures.shared);
    put_gpu_starts(record, &gpu);
    record_number(record, "peak_flops", "Multiply-adds (fp32), measured", "FLOP/s",
                  gpu.fma == RESULT_NONE ? RESULT_NONE : 2 * gpu.fma);
    record_integer(record, "units", "Units of fp32", gpu.units);
    record_number(record, "read_bytes_per_s", "Memory: read", "B/s", gpu.read);
    record_number(record, "write_bytes_per_s", "Memory: write", "B/s", gpu.write);
    record_number(record, "copy_bytes_per_s", "Memory: copy, read and written", "B/s", gpu.copy);
    record_number(record, "latency_ns", "Memory: latency", "ns", gpu.latency);
    record_number(record, "cache_read_bytes_per_s", "Cache: read", "B/s", gpu.cache_read);
    record_number(record, "cache_latency_ns", "Cache: latency", "ns", gpu.cache_latency);
    record_number(record, "copy_latency_us", "Smallest copy, host and device", "us",
                  gpu.copy_latency);
    record_number(record, "to_device_bytes_per_s", "Copies to the device", "B/s", gpu.to_device);
    record_number(record, "to_host_bytes_per_s", "Copies to the host", "B/s", gpu.to_host);
    put_nvidia_number(record, "mapped_to_device_bytes_per_s", "Mapped copies to the device", "B/s",
                      gpu.mapped_to_device);
    put_nvidia_number(record, "mapped_to_host_bytes_per_s", "Mapped copies to the host", "B/s",
                      gpu.mapped_to_host);
    record_object_end(record);
    record->label = label;
    if (!record_is_data(record))
        probed_put_gpu_tables(record, measurement);
}

/* Apex-MAP ------------------------------------------------------------------------------------- */

#define APEX_SIZES_MAX 8

static void put_apex_surface(struct record *record, const struct measurement *measurement,
                             double size)
{
    const struct pivot pivot = {.part = MEASUREMENT_APEX,
                                .name = "apex",
                                .row = PARAMETER_LOCALITY,
                                .column = PARAMETER_BLOCK,
                                .fixed = PARAMETER_SIZE,
                                .fixed_value = size,
                                .descending = true,
                                .corner = "alpha \\ L"};
    char text[40];

    quantity_print(size, "KiB", text, sizeof text);
    record_section(record, "Apex-MAP over %s, ns per access", text);
    put_pivot(record, measurement, &pivot);
    record_note(record, "alpha: locality; L: block in words of 8 B.");
}

/* Puts the models fitted to all surfaces together, or the reason why the fit failed. */
static void put_fit(struct record *record, const struct measurement *measurement, bool measured)
{
    struct surface_fit report = {.name = "apex"};
    struct error error = {0};
    bool fitted = surface_from_measurement(measurement, &report.surface, &error) == STATUS_OK &&
                  surface_fit_make(&report, &error) == STATUS_OK;

    if (measured)
        record_section(record, "Fitted memory models");
    record_object(record, "fit", NULL, true);
    if (!fitted) {
        record_text(record, "error", measured ? "Not fitted" : NULL, error.message);
    } else if (record_is_data(record)) {
        fit_put_models(record, &report);
    } else {
        fit_put_table(record, &report, false);
        fit_put_doubts(record, &report);
        fit_put_map(record, &report);
    }
    record_object_end(record);
    surface_fit_free(&report);
}

void probed_put_apex(struct record *record, const struct measurement *measurement)
{
    const struct pivot all = {
        .part = MEASUREMENT_APEX, .name = "apex", .row = PARAMETER_SIZE, .fixed = PARAMETERS};
    double size[APEX_SIZES_MAX];
    int sizes = pivot_values(measurement, &all, PARAMETER_SIZE, size, APEX_SIZES_MAX);

    for (int i = 0; i < sizes && !record_is_data(record); i++)
        put_apex_surface(record, measurement, size[i]);
    put_fit(record, measurement, sizes > 0);
}

/* Conditions and points ------------------------------------------------------------------------ */

/* Writes what the driver of a GPU reports, for people. Returns false if it is of another form. */
static bool print_gpu_figures(const char *condition, char *text, size_t size)
{
    struct buffer line = buffer_over(text, size);
    struct gpu_figures gpu;
    char clock[40], memory[40], cache[40];

    if (!gpu_figures_read(condition, &gpu))
        return false;
    quantity_print(gpu.clock, "Hz", clock, sizeof clock);
    quantity_print(gpu.memory, "B", memory, sizeof memory);
    quantity_print(gpu.cache, "B", cache, sizeof cache);
    buffer_print(&line, "%.0f compute units, %s, %s of memory%s, %s of cache", gpu.units, clock,
                 memory, gpu.shared ? " of the host" : "", cache);
    return true;
}

static void put_conditions(struct record *record, const struct measurement *measurement)
{
    record_object(record, "conditions", NULL, true);
    for (int i = 0; i < CONDITIONS; i++) {
        const char *value = measurement->condition[i];
        const char *name = condition_names[i];
        char heading[32];
        char figures[CONDITION_MAX];

        if (i >= CONDITION_REALTIME && value[0] == '\0' && !record_is_data(record))
            continue;
        snprintf(heading, sizeof heading, "%s", name);
        for (char *at = heading; *at != '\0'; at++)
            *at = *at == '_' ? ' ' : *at;
        if (i == CONDITION_GPU_FIGURES && !record_is_data(record) &&
            print_gpu_figures(value, figures, sizeof figures))
            value = figures;
        record_text(record, name, heading, value[0] == '\0' ? NULL : value);
    }
    record_object_end(record);
}

/* Puts the settings, null for a measurement read from a file. */
static void put_settings(struct record *record, const struct probe *probe)
{
    if (probe->samples == 0) {
        record_null(record, "settings");
        return;
    }
    record_object(record, "settings", NULL, true);
    record_bool(record, "quick", "quick", probe->quick);
    record_number(record, "seed", NULL, "", (double)probe->seed);
    record_number(record, "largest_bytes", NULL, "", (double)probe->largest);
    record_number(record, "shortest_run_ns", NULL, "ns", probe->shortest);
    record_integer(record, "samples", NULL, probe->samples);
    record_object_end(record);
}

static void put_parts(struct record *record, const struct probed *probed)
{
    record_table(record, "parts", NULL);
    for (int i = 0; i < probed->count; i++) {
        const struct probed_part *part = &probed->part[i];

        record_row(record);
        record_text(record, "part", "Part", measurement_parts[part->part].name);
        record_text(record, "unit", NULL, measurement_parts[part->part].unit);
        record_bool(record, "complete", "Complete", part->whole);
        record_text(record, "error", NULL,
                    part->error.status == STATUS_OK ? NULL : part->error.message);
        record_digits(record, "took_s", "Took", "s", "%.1f s", part->seconds);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_given(struct record *record, const char *key, const char *text)
{
    if (text[0] != '\0')
        record_text(record, key, NULL, text);
}

static void put_point(struct record *record, const struct measurement_point *point)
{
    record_row(record);
    record_text(record, "part", NULL, measurement_parts[point->part].name);
    record_text(record, "name", NULL, point->name);
    put_given(record, "type", point->type);
    put_given(record, "of", point->of);
    for (int i = 0; i < PARAMETERS; i++)
        if (!isnan(point->parameter[i]))
            record_number(record, parameter_names[i], NULL, "", point->parameter[i]);
    put_given(record, "remark", point->remark);
    record_number(record, "least_ns", NULL, "ns", point_least(point));
    record_number(record, "median_ns", NULL, "ns", point_median(point));
    record_number(record, "p99_ns", NULL, "ns", point_p99(point));
    record_bool(record, "noisy", NULL, point_noisy(point));
    record_array(record, "samples_ns", true);
    for (int i = 0; i < point->count; i++)
        record_number(record, NULL, NULL, "ns", point->sample[i]);
    record_array_end(record);
    record_row_end(record);
}

static void put_points(struct record *record, const struct measurement *measurement)
{
    int noisy = 0;

    record_table(record, "points", NULL);
    for (int i = 0; i < measurement->count; i++) {
        put_point(record, &measurement->point[i]);
        noisy += point_noisy(&measurement->point[i]);
    }
    record_table_end(record);
    if (noisy > 0)
        record_note(record,
                    "%d of %d points are noisy (" NOISY "): half of their samples are spread over "
                    "more than 10 %% of the least. Costs are the least of each point's samples.",
                    noisy, measurement->count);
}

void probed_report(struct record *record, const struct probed *probed)
{
    const struct measurement *measurement = &probed->measurement;

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, PROBE_SCHEMA);
    record_bool(record, "interrupted", NULL, probed->interrupted);
    put_conditions(record, measurement);
    put_settings(record, &probed->probe);
    put_parts(record, probed);
    record_object(record, "derived", NULL, true);
    put_staircase(record, measurement);
    probed_put_operations(record, measurement);
    put_bandwidth(record, measurement);
    put_machine(record, measurement);
    put_dispatch(record, measurement);
    put_gpu(record, measurement);
    probed_put_apex(record, measurement);
    record_object_end(record);
    put_points(record, measurement);
    record_object_end(record);
}
