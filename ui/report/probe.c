#include "report/probe.h"

#include <math.h>
#include <string.h>

#include "charts/staircase.h"
#include "draw/text.h"
#include "model/result.h"
#include "probe/knees.h"
#include "probe/machine.h"
#include "probe/operations.h"
#include "report/fit.h"
#include "report/json.h"

#define INDENT 14

static void print_conditions(FILE *out, const struct measurement *measurement)
{
    for (int i = 0; i < CONDITIONS; i++) {
        char clean[CONDITION_MAX];
        char name[32];

        if (measurement->condition[i][0] == '\0')
            continue;
        snprintf(name, sizeof name, "%s", condition_name((enum condition)i));
        for (char *at = name; *at != '\0'; at++)
            if (*at == '_')
                *at = ' ';
        text_clean(measurement->condition[i], locale_is_unicode(), clean, sizeof clean);
        text_fill(out, clean, fprintf(out, "%-*s", INDENT, name), INDENT, PROBE_COLUMNS);
    }
}

static void print_parts(FILE *out, const struct probed *probed)
{
    for (int i = 0; i < probed->count; i++) {
        const struct probed_part *part = &probed->part[i];

        fprintf(out, "%-*s%s in %.1f s%s\n", INDENT, measurement_part_name(part->part),
                part->whole ? "measured" : "measured in part", part->seconds,
                probed->probe.quick ? ", quick" : "");
    }
}

static int noisy_points(const struct measurement *measurement)
{
    int count = 0;

    for (int i = 0; i < measurement->count; i++)
        count += point_noisy(&measurement->point[i]);
    return count;
}

static void print_noise(FILE *out, const struct measurement *measurement)
{
    int count = noisy_points(measurement);

    if (count > 0)
        fprintf(out,
                "\n%d of %d points are noisy (?): half of their samples are spread over more than\n"
                "10 %% of the least. Costs are the least of each point's samples.\n",
                count, measurement->count);
}

void probe_report_text(FILE *out, const struct probed *probed)
{
    print_conditions(out, &probed->measurement);
    print_parts(out, probed);
    probe_report_memory(out, &probed->measurement);
    probe_report_operations(out, &probed->measurement);
    probe_report_bandwidth(out, &probed->measurement);
    probe_report_apex(out, &probed->measurement);
    probe_report_machine(out, &probed->measurement);
    print_noise(out, &probed->measurement);
}

/* Probe json ----------------------------------------------------------------------------------- */

#define NS 1e9

static void put_ns(struct json *json, const char *key, double seconds)
{
    json_number(json, key, seconds == RESULT_NONE ? RESULT_NONE : seconds * NS);
}

static void put_conditions(struct json *json, const struct measurement *measurement)
{
    json_object(json, "conditions");
    for (int i = 0; i < CONDITIONS; i++) {
        const char *value = measurement->condition[i];

        json_text(json, condition_name((enum condition)i), value[0] == '\0' ? NULL : value);
    }
    json_object_end(json);
}

/* Those of a measurement read from a file are not known. */
static void put_settings(struct json *json, const struct probe *probe)
{
    if (probe->samples == 0) {
        json_null(json, "settings");
        return;
    }
    json_object(json, "settings");
    json_bool(json, "quick", probe->quick);
    json_number(json, "seed", (double)probe->seed);
    json_number(json, "largest_bytes", (double)probe->largest);
    put_ns(json, "shortest_run_ns", probe->shortest);
    json_number(json, "samples", probe->samples);
    json_object_end(json);
}

static void put_parts(struct json *json, const struct probed *probed)
{
    json_array(json, "parts");
    for (int i = 0; i < probed->count; i++) {
        const struct probed_part *part = &probed->part[i];

        json_object(json, NULL);
        json_text(json, "part", measurement_part_name(part->part));
        json_text(json, "unit", measurement_part_unit(part->part));
        json_bool(json, "complete", part->whole);
        json_text(json, "error", part->error.status == STATUS_OK ? NULL : part->error.message);
        json_number(json, "took_s", part->seconds);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_given(struct json *json, const char *key, const char *text)
{
    if (text[0] != '\0')
        json_text(json, key, text);
}

static void put_point(struct json *json, const struct measurement_point *point)
{
    json_object(json, NULL);
    json_text(json, "part", measurement_part_name(point->part));
    json_text(json, "name", point->name);
    put_given(json, "type", point->type);
    put_given(json, "of", point->of);
    for (int i = 0; i < PARAMETERS; i++)
        if (!isnan(point->parameter[i]))
            json_number(json, parameter_name((enum parameter)i), point->parameter[i]);
    put_given(json, "remark", point->remark);
    put_ns(json, "least_ns", point_least(point));
    put_ns(json, "median_ns", point_median(point));
    put_ns(json, "p99_ns", point_p99(point));
    json_bool(json, "noisy", point_noisy(point));
    json_array(json, "samples_ns");
    for (int i = 0; i < point->count; i++)
        put_ns(json, NULL, point->sample[i]);
    json_array_end(json);
    json_object_end(json);
}

void probe_report_json(FILE *out, const struct probed *probed)
{
    const struct measurement *measurement = &probed->measurement;
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_bool(&json, "interrupted", probed->interrupted);
    put_conditions(&json, measurement);
    put_settings(&json, &probed->probe);
    put_parts(&json, probed);
    probe_derived(&json, measurement);
    json_array(&json, "points");
    for (int i = 0; i < measurement->count; i++)
        put_point(&json, &measurement->point[i]);
    json_array_end(&json);
    json_object_end(&json);
}

/* Probe derived -------------------------------------------------------------------------------- */

static void put_staircase(struct json *json, const struct measurement *measurement)
{
    struct knees knees;

    knees_from_measurement(measurement, &knees);
    json_array(json, "plateaus");
    for (int i = 0; i < knees.plateaus; i++) {
        const struct plateau *plateau = &knees.plateau[i];
        bool last = i == knees.plateaus - 1;

        json_object(json, NULL);
        put_ns(json, "latency_ns", plateau->latency);
        json_number(json, "from_bytes", plateau->from);
        json_number(json, "to_bytes", plateau->to);
        json_number(json, "capacity_bytes", last ? RESULT_NONE : knees.capacity[i]);
        json_bool(json, "rises", plateau->rises);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_operation(struct json *json, const struct operation_row *row)
{
    json_object(json, NULL);
    json_text(json, "name", row->name);
    json_text(json, "type", row->type);
    json_number(json, "width_bits", row->bits);
    json_number(json, "lanes", row->lanes);
    put_ns(json, "latency_ns", row->latency);
    json_number(json, "latency_cycles", row->latency_cycles);
    json_number(json, "operations_per_s", row->rate);
    json_number(json, "operations_per_cycle", row->rate_per_cycle);
    json_number(json, "elements_per_s", row->element_rate);
    json_number(json, "ilp", row->parallelism);
    json_number(json, "chains", row->chains > 0 ? row->chains : RESULT_NONE);
    json_bool(json, "noisy", row->latency_noisy || row->rate_noisy);
    json_text(json, "remark", row->remark[0] == '\0' ? NULL : row->remark);
    json_object_end(json);
}

static void put_curve(struct json *json, const struct subnormal_curve *curve, int flush)
{
    json_object(json, NULL);
    json_text(json, "name", curve->name);
    json_text(json, "type", curve->type);
    json_bool(json, "flushed_to_zero", flush != 0);
    json_array(json, "shares");
    for (int i = 0; i < SUBNORMAL_SHARES; i++) {
        json_object(json, NULL);
        json_number(json, "subnormal_share", subnormal_share(i));
        put_ns(json, "time_ns", curve->time[flush][i]);
        json_object_end(json);
    }
    json_array_end(json);
    json_number(json, "penalty", curve->penalty[flush]);
    json_object_end(json);
}

static void put_operations(struct json *json, const struct measurement *measurement)
{
    struct operation_table table;

    operation_table_make(measurement, &table);
    json_array(json, "operations");
    for (int i = 0; i < table.rows; i++)
        put_operation(json, &table.row[i]);
    json_array_end(json);
    json_array(json, "subnormals");
    for (int i = 0; i < table.curves; i++)
        for (int flush = 0; flush < 2; flush++)
            put_curve(json, &table.curve[i], flush);
    json_array_end(json);
}

static void put_level(struct json *json, const struct machine *machine,
                      const struct machine_level *level)
{
    bool memory = level == &machine->level[machine->levels - 1];

    json_object(json, NULL);
    json_text(json, "level", memory ? "memory" : memory_level_name(level->id));
    json_number(json, "capacity_bytes", memory ? RESULT_NONE : level->capacity);
    json_text(json, "capacity_from", memory ? NULL : level->found ? "staircase" : "system");
    json_number(json, "system_bytes", level->system > 0 ? level->system : RESULT_NONE);
    json_number(json, "capacity_ratio",
                level->found && level->system > 0 ? level->capacity / level->system : RESULT_NONE);
    put_ns(json, "latency_ns", level->latency);
    json_number(json, "in_flight", level->in_flight);
    json_number(json, "core_bandwidth_bytes_per_s", level->core_bandwidth);
    json_number(json, "bandwidth_bytes_per_s", level->bandwidth);
    json_object_end(json);
}

static void put_machine(struct json *json, const struct measurement *measurement)
{
    struct machine machine;

    machine_from_measurement(measurement, &machine);
    json_object(json, "machine");
    json_number(json, "cores", machine.cores > 0 ? machine.cores : RESULT_NONE);
    json_number(json, "clock_hz", machine.clock);
    json_number(json, "simd_bits", machine.simd_bits);
    json_bool(json, "fma", machine.fma);
    json_number(json, "fma_per_cycle", machine.fma_rate);
    put_ns(json, "add_latency_ns", machine.add_latency);
    put_ns(json, "fma_latency_ns", machine.fma_latency);
    json_number(json, "peak_flops", machine_peak(&machine));
    json_array(json, "levels");
    for (int i = 0; i < machine.levels; i++)
        put_level(json, &machine, &machine.level[i]);
    json_array_end(json);
    json_number(json, "outstanding", machine.outstanding);
    json_number(json, "cache_usable", machine.cache_usable);
    json_number(json, "sustained_compute", machine.sustained_compute);
    json_number(json, "sustained_memory", machine.sustained_memory);
    json_number(json, "jitter", machine.jitter);
    json_number(json, "pc", machine.pc);
    json_object_end(json);
}

static void put_fit(struct json *json, const struct measurement *measurement)
{
    struct surface_fit report = {.name = "apex"};
    struct error error = {0};

    json_object(json, "fit");
    if (surface_from_measurement(measurement, &report.surface, &error) == STATUS_OK &&
        surface_fit_make(&report, &error) == STATUS_OK)
        fit_put_models(json, &report);
    else
        json_text(json, "error", error.message);
    json_object_end(json);
    surface_fit_free(&report);
}

void probe_derived(struct json *json, const struct measurement *measurement)
{
    json_object(json, "derived");
    put_staircase(json, measurement);
    put_operations(json, measurement);
    put_machine(json, measurement);
    put_fit(json, measurement);
    json_object_end(json);
}

/* Probe apex ----------------------------------------------------------------------------------- */

#define SIZES_MAX 8

static void print_surface(FILE *out, const struct measurement *measurement, double size)
{
    const struct pivot pivot = {.part = MEASUREMENT_APEX,
                                .name = "apex",
                                .row = PARAMETER_LOCALITY,
                                .column = PARAMETER_BLOCK,
                                .fixed = PARAMETER_SIZE,
                                .fixed_value = size,
                                .descending = true,
                                .corner = "alpha \\ L"};
    char text[40], heading[120];

    plot_capacity(size, text, sizeof text);
    snprintf(heading, sizeof heading,
             "Apex-MAP over %s: ns an access, locality alpha, blocks of L words of 8 B", text);
    section_heading(out, heading);
    pivot_print(out, measurement, &pivot);
}

/* "l1 3.294, g1 0.8520": in ns. */
static void values_text(const struct fit *fit, char *text, size_t size)
{
    const struct fit_form *form = &fit_forms[fit->model];

    text[0] = '\0';
    for (int v = 0; v < FIT_VALUES; v++) {
        size_t used = strlen(text);

        if (form->name[v] != NULL)
            snprintf(text + used, size - used, "%s%s %#.4g", used > 0 ? ", " : "", form->name[v],
                     fit->value[v] * NS);
    }
}

static void print_models(FILE *out, const struct surface_fit *report)
{
    struct table table = table_new(4, 0xC, 1);

    table_add(&table, "Model");
    table_add(&table, "Values, ns");
    table_add(&table, "c");
    table_add(&table, "PC");
    for (int m = 0; m < FIT_MODELS; m++) {
        const struct fit *fit = &report->fit[m];
        char cell[160];

        table_add(&table, fit_forms[m].title);
        values_text(fit, cell, sizeof cell);
        table_add(&table, cell);
        cell_capacity(&table, fit_forms[m].cached ? fit->c * report->surface.word : 0);
        snprintf(cell, sizeof cell, "%.3f", fit->pc);
        table_add(&table, cell);
    }
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
    fputs("PC = exp(rms ln(measured / predicted)): 1 is perfect, 1.5 is off by a factor of\n"
          "1.5, typically. Of the points as CSV aolag fit tells more.\n\n",
          out);
}

/* The models of all surfaces together; what keeps them from being fitted is said. */
static void print_fits(FILE *out, const struct measurement *measurement)
{
    struct surface_fit report = {.name = "apex"};
    struct error error;

    section_heading(out, "Memory models fitted to it");
    if (surface_from_measurement(measurement, &report.surface, &error) == STATUS_OK &&
        surface_fit_make(&report, &error) == STATUS_OK) {
        print_models(out, &report);
        fit_print_doubts(out, &report, PROBE_COLUMNS);
        fputc('\n', out);
        fit_print_map(out, &report);
    } else {
        text_fill(out, error.message, fprintf(out, "Not fitted: "), 0, PROBE_COLUMNS);
    }
    surface_fit_free(&report);
}

void probe_report_apex(FILE *out, const struct measurement *measurement)
{
    const struct pivot all = {
        .part = MEASUREMENT_APEX, .name = "apex", .row = PARAMETER_SIZE, .fixed = PARAMETERS};
    double size[SIZES_MAX];
    int sizes = pivot_values(measurement, &all, PARAMETER_SIZE, size, SIZES_MAX);

    for (int i = 0; i < sizes; i++)
        print_surface(out, measurement, size[i]);
    if (sizes > 0)
        print_fits(out, measurement);
}

/* Probe bandwidth ------------------------------------------------------------------------------ */

#define VALUES_MAX 64

static const char *const kernels[] = {"read", "write", "copy", "triad", "dot"};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

static void cell_rate(struct table *table, const struct measurement_point *point)
{
    char cell[40] = "-";

    if (point != NULL) {
        strcpy(cell, point_noisy(point) ? NOISY : "");
        text_number(1e-9 / point_least(point), cell + strlen(cell), sizeof cell - strlen(cell));
    }
    table_add(table, cell);
}

static bool add_row(struct table *table, const struct measurement *measurement, double size,
                    double cores)
{
    const struct measurement_point *found[KERNELS];
    char cell[40];
    bool any = false;

    for (int i = 0; i < KERNELS; i++) {
        struct measurement_point like = measurement_point(MEASUREMENT_BANDWIDTH, kernels[i], "");

        like.parameter[PARAMETER_SIZE] = size;
        like.parameter[PARAMETER_CORES] = cores;
        found[i] = point_like(measurement, &like);
        any = any || found[i] != NULL;
    }
    if (!any)
        return false;
    snprintf(cell, sizeof cell, "%.0f", cores);
    table_add(table, cell);
    cell_capacity(table, size);
    for (int i = 0; i < KERNELS; i++)
        cell_rate(table, found[i]);
    return true;
}

/* Values of a parameter that any of the kernels was measured at. */
static int values_of(const struct measurement *measurement, enum parameter parameter,
                     double *values)
{
    int best = 0;

    for (int i = 0; i < KERNELS; i++) {
        const struct pivot pivot = {
            .part = MEASUREMENT_BANDWIDTH, .name = kernels[i], .fixed = PARAMETERS};
        double found[VALUES_MAX];
        int count = pivot_values(measurement, &pivot, parameter, found, VALUES_MAX);

        if (count > best)
            memcpy(values, found, (size_t)count * sizeof *values);
        best = count > best ? count : best;
    }
    return best;
}

static double slowest(const struct measurement_point *point)
{
    double most = 0;

    for (int i = 0; i < point->count; i++)
        most = fmax(most, point->sample[i]);
    return most;
}

static void print_jitter(FILE *out, const struct measurement *measurement)
{
    struct measurement_point like = measurement_point(MEASUREMENT_BANDWIDTH, "jitter", "");
    const struct measurement_point *point = point_like(measurement, &like);

    if (point == NULL)
        return;
    fprintf(out, "\nJitter of a fixed sweep, %d times: p99 / median %.3f, slowest / median %.3f\n",
            point->count, point_p99(point) / point_median(point),
            slowest(point) / point_median(point));
}

void probe_report_bandwidth(FILE *out, const struct measurement *measurement)
{
    double size[VALUES_MAX], cores[VALUES_MAX];
    int sizes = values_of(measurement, PARAMETER_SIZE, size);
    int teams = values_of(measurement, PARAMETER_CORES, cores);
    struct table table = table_new(KERNELS + 2, ~0U, 0);
    int rows = 0;

    if (!measurement_has(measurement, MEASUREMENT_BANDWIDTH))
        return;
    table_add(&table, "Cores");
    table_add(&table, "Size");
    for (int i = 0; i < KERNELS; i++) {
        char heading[40];

        snprintf(heading, sizeof heading, "%c%s", kernels[i][0] - 'a' + 'A', kernels[i] + 1);
        table_add(&table, heading);
    }
    for (int i = 0; i < teams; i++)
        for (int k = 0; k < sizes; k++)
            rows += add_row(&table, measurement, size[k], cores[i]);
    if (rows > 0) {
        section_heading(out, "Bandwidth by level, GB/s");
        table_print(&table, out, PROBE_COLUMNS, "", "");
        fputs("Size: of all cores together. Bytes as STREAM counts them, without what a write\n"
              "reads first. Dot: a matrix row times a vector.\n",
              out);
    }
    table_free(&table);
    print_jitter(out, measurement);
}

/* Probe machine -------------------------------------------------------------------------------- */

#define MACHINE_INDENT 26

static void machine_cell_rate(struct table *table, double rate)
{
    char cell[40];

    text_quantity(rate, "B/s", locale_is_unicode(), cell, sizeof cell);
    table_add(table, cell);
}

static void add_level(struct table *table, const struct machine_level *level, bool memory)
{
    bool compared = level->found && level->system > 0;

    table_add(table, memory ? "memory" : memory_level_name(level->id));
    cell_capacity(table, memory || !level->found ? 0 : level->capacity);
    cell_capacity(table, level->system);
    cell_number(table, compared ? level->capacity / level->system : RESULT_NONE);
    cell_time(table, level->latency);
    cell_number(table, level->in_flight);
    machine_cell_rate(table, level->core_bandwidth);
    machine_cell_rate(table, level->bandwidth);
}

static void print_levels(FILE *out, const struct machine *machine)
{
    static const char *const headings[] = {"Level",   "Capacity",  "System",   "Ratio",
                                           "Latency", "In flight", "One core", "All cores"};
    struct table table = table_new(8, 0xFE, 0);

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        table_add(&table, headings[i]);
    for (int i = 0; i < machine->levels; i++)
        add_level(&table, &machine->level[i], i == machine->levels - 1);
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
}

void probe_report_levels(FILE *out, const struct measurement *measurement)
{
    struct machine machine;

    machine_from_measurement(measurement, &machine);
    if (machine.levels == 0)
        return;
    print_levels(out, &machine);
    fputs("Capacity: as the staircase shows it; System: what the system says of it. In\n"
          "flight: one chain over the best of several. One core, all cores: reading.\n",
          out);
}

static void print_figure(FILE *out, const char *label, double value, const char *unit)
{
    char text[40];

    if (value == RESULT_NONE)
        return;
    text_quantity(value, unit, locale_is_unicode(), text, sizeof text);
    fprintf(out, "%-*s%s\n", MACHINE_INDENT, label, text);
}

static void print_vectors(FILE *out, const struct machine *machine)
{
    char rate[40];

    if (machine->fma_rate == RESULT_NONE)
        return;
    text_number(machine->fma_rate, rate, sizeof rate);
    fprintf(out, "%-*s%s %s a cycle, registers of %.0f bit\n", MACHINE_INDENT, "Vector units", rate,
            machine->fma ? "multiply-adds" : "multiplications", machine->simd_bits);
}

void probe_report_machine(FILE *out, const struct measurement *measurement)
{
    struct machine machine;

    machine_from_measurement(measurement, &machine);
    if (machine.levels == 0 && machine.clock == RESULT_NONE)
        return;
    section_heading(out, "The machine, as --save keeps it");
    if (!measurement_has(measurement, MEASUREMENT_MEMORY) && machine.levels > 0) {
        print_levels(out, &machine);
        fputc('\n', out);
    }
    if (machine.cores > 0)
        fprintf(out, "%-*s%d\n", MACHINE_INDENT, "Cores", machine.cores);
    print_figure(out, "Clock", machine.clock, "Hz");
    print_vectors(out, &machine);
    print_figure(out, "Peak (fp32)", machine_peak(&machine), "FLOP/s");
    print_figure(out, "Latency of an add", machine.add_latency, "s");
    print_figure(out, "Latency of a multiply-add", machine.fma_latency, "s");
    print_figure(out, "Accesses in flight", machine.outstanding, "");
    print_figure(out, "Sustained of memory", machine.sustained_memory, "");
    print_figure(out, "Jitter, p99 / median", machine.jitter, "");
    print_figure(out, "PC of the levels", machine.pc, "");
}

/* Probe memory --------------------------------------------------------------------------------- */

#define PLOT_ROWS 18
#define MEMORY_SIZES_MAX 128

static void print_plot(FILE *out, const struct measurement *measurement)
{
    struct knees knees;
    struct machine machine;
    struct canvas canvas = {0};
    struct rect box = {0, 0, PLOT_ROWS, PROBE_COLUMNS};
    struct chart chart = {0};

    knees_from_measurement(measurement, &knees);
    machine_from_measurement(measurement, &machine);
    if (canvas_init(&canvas, PLOT_ROWS, PROBE_COLUMNS, locale_is_unicode()) &&
        chart_staircase(&chart, measurement, &knees, &machine, true) &&
        chart_draw(&chart, &canvas, box, NULL)) {
        canvas_print(&canvas, out);
        fputc('\n', out);
    }
    chart_free(&chart);
    canvas_free(&canvas);
}

static void print_end(FILE *out, const struct knees *knees)
{
    if (knees->plateaus > 0 && knees->plateau[knees->plateaus - 1].rises)
        fputs("The latency still rises where the staircase ends: memory may be slower yet.\n", out);
}

static void print_walks(FILE *out, const struct measurement *measurement)
{
    static const char *const names[] = {"list", "array", "sequential"};
    const struct pivot pivot = {MEASUREMENT_MEMORY, "list", PARAMETER_SIZE, PARAMETER_CHAINS,
                                PARAMETERS,         0,      false,          ""};
    double size[MEMORY_SIZES_MAX];
    int sizes = pivot_values(measurement, &pivot, PARAMETER_SIZE, size, MEMORY_SIZES_MAX);
    struct table table = table_new(5, 0x1F, 0);

    if (sizes == 0)
        return;
    section_heading(out, "Walks from node to node, ns a node");
    table_add(&table, "Nodes");
    table_add(&table, "List");
    table_add(&table, "Array of indices");
    table_add(&table, "One after the other");
    table_add(&table, "List / in order");
    for (int i = 0; i < sizes; i++) {
        double least[3] = {0};

        cell_capacity(&table, size[i]);
        for (int k = 0; k < 3; k++) {
            struct measurement_point like = measurement_point(MEASUREMENT_MEMORY, names[k], "");
            const struct measurement_point *point;

            like.parameter[PARAMETER_SIZE] = size[i];
            point = point_like(measurement, &like);
            least[k] = point == NULL ? 0 : point_least(point);
            cell_ns(&table, point);
        }
        cell_number(&table, least[2] > 0 ? least[0] / least[2] : RESULT_NONE);
    }
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
}

void probe_report_memory_tables(FILE *out, const struct measurement *measurement)
{
    static const struct pivot chains = {
        MEASUREMENT_MEMORY, "chase", PARAMETER_SIZE, PARAMETER_CHAINS,
        PARAMETERS,         0,       false,          "Size \\ chains"};
    static const struct pivot ahead = {
        MEASUREMENT_MEMORY, "prefetch", PARAMETER_SIZE, PARAMETER_AHEAD,
        PARAMETERS,         0,          false,          "Size \\ ahead"};
    struct knees knees;
    double unused[2];

    knees_from_measurement(measurement, &knees);
    probe_report_levels(out, measurement);
    print_end(out, &knees);
    if (pivot_values(measurement, &chains, PARAMETER_CHAINS, unused, 2) > 1) {
        section_heading(out, "Independent chains at once, ns an access");
        pivot_print(out, measurement, &chains);
    }
    print_walks(out, measurement);
    if (pivot_values(measurement, &ahead, PARAMETER_AHEAD, unused, 2) > 1) {
        section_heading(out, "Nodes ahead that are prefetched, ns a node");
        pivot_print(out, measurement, &ahead);
    }
}

void probe_report_memory(FILE *out, const struct measurement *measurement)
{

    if (!measurement_has(measurement, MEASUREMENT_MEMORY))
        return;
    section_heading(out, "Memory: time of one access against the size of what is accessed");
    print_plot(out, measurement);
    probe_report_memory_tables(out, measurement);
}

/* Probe operations ----------------------------------------------------------------------------- */

#define GIGA 1e9
#define PERCENT 100

/* A figure, or why there is none: "n/a" where the operation does not have it, a dash where it was
 * not measured. */
static void cell_figure(struct table *table, const struct operation_row *row, double value,
                        bool noisy)
{
    char cell[40];

    strcpy(cell, noisy && value != RESULT_NONE ? NOISY : "");
    text_number(value, cell + strlen(cell), sizeof cell - strlen(cell));
    if (value == RESULT_NONE && row->remark[0] != '\0')
        strcpy(cell, "n/a");
    table_add(table, cell);
}

static void operations_add_row(struct table *table, const struct operation_row *row)
{
    char cell[40];
    double ns = row->latency == RESULT_NONE ? RESULT_NONE : row->latency * NS;

    table_add(table, row->name);
    table_add(table, row->type);
    snprintf(cell, sizeof cell, "%.0f%s", row->bits, row->lanes == 1 ? " (scalar)" : "");
    table_add(table, cell);
    cell_figure(table, row, ns, row->latency_noisy);
    cell_figure(table, row, row->latency_cycles, row->latency_noisy);
    cell_figure(table, row, row->rate_per_cycle, row->rate_noisy);
    cell_figure(table, row, row->rate == RESULT_NONE ? RESULT_NONE : row->rate / GIGA,
                row->rate_noisy);
    cell_figure(table, row, row->parallelism, false);
}

/* Reasons of what is not to be had, each once. */
static void print_remarks(FILE *out, const struct operation_table *operations)
{
    for (int i = 0; i < operations->rows; i++) {
        const struct operation_row *row = &operations->row[i];
        bool said = row->remark[0] == '\0';

        for (int k = 0; k < i && !said; k++)
            said = strcmp(operations->row[k].remark, row->remark) == 0 &&
                   strcmp(operations->row[k].name, row->name) == 0;
        if (!said)
            text_fill(out, row->remark, fprintf(out, "%s: ", row->name), 4, PROBE_COLUMNS);
    }
}

static void print_table(FILE *out, const struct operation_table *operations)
{
    static const char *const headings[] = {"Operation", "Type",    "Bits",       "Latency ns",
                                           "Cycles",    "A cycle", "G a second", "ILP*"};
    struct table table = table_new(8, 0xFC, 0);

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        table_add(&table, headings[i]);
    for (int i = 0; i < operations->rows; i++)
        operations_add_row(&table, &operations->row[i]);
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
    fputs("A cycle, a second (10^9): operations of the best number of independent chains.\n"
          "ILP* = latency x rate: how many are under way at full rate.\n",
          out);
    print_remarks(out, operations);
}

static void print_summary(FILE *out, const struct operation_table *operations)
{
    char clock[40], rate[40];

    text_quantity(operations->clock, "Hz", locale_is_unicode(), clock, sizeof clock);
    text_number(operations->fma_per_cycle, rate, sizeof rate);
    fprintf(out, "Clock while working: %s, of a chain of integer adds\n", clock);
    if (operations->fma_per_cycle != RESULT_NONE)
        fprintf(out, "%s: %s a cycle in registers of %.0f bit (f32)\n",
                operations->fma ? "Multiply-adds" : "Multiplications", rate, operations->best_bits);
    fputc('\n', out);
}

static void add_curve(struct table *table, const struct subnormal_curve *curve, int flush)
{
    char cell[40];

    snprintf(cell, sizeof cell, "%s %s", curve->name, curve->type);
    table_add(table, cell);
    table_add(table, flush != 0 ? "flushed" : "computed");
    for (int i = 0; i < SUBNORMAL_SHARES; i++) {
        double time = curve->time[flush][i];

        cell_number(table, time == RESULT_NONE ? RESULT_NONE : time * NS);
    }
    cell_number(table, curve->penalty[flush]);
}

static void print_subnormals(FILE *out, const struct operation_table *operations)
{
    struct table table = table_new(SUBNORMAL_SHARES + 3, 0xFC, 0);

    section_heading(out, "Subnormal inputs, ns an operation");
    table_add(&table, "Operation");
    table_add(&table, "Subnormals");
    for (int i = 0; i < SUBNORMAL_SHARES; i++) {
        char cell[40];

        snprintf(cell, sizeof cell, "%.0f %%", PERCENT * subnormal_share(i));
        table_add(&table, cell);
    }
    table_add(&table, "Penalty");
    for (int i = 0; i < operations->curves; i++)
        for (int flush = 0; flush < 2; flush++)
            add_curve(&table, &operations->curve[i], flush);
    table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
}

void probe_report_operations(FILE *out, const struct measurement *measurement)
{
    struct operation_table operations;

    if (!measurement_has(measurement, MEASUREMENT_OPERATIONS))
        return;
    operation_table_make(measurement, &operations);
    section_heading(out, "Operations: latency and throughput");
    print_summary(out, &operations);
    if (operations.rows > 0)
        print_table(out, &operations);
    if (operations.curves > 0)
        print_subnormals(out, &operations);
}

/* Probe tables --------------------------------------------------------------------------------- */

#define TABLES_VALUES_MAX 128
#define ROWS_MANY 12

void section_heading(FILE *out, const char *words)
{
    fprintf(out, "\n%s\n\n", words);
}

/* Cells --------------------------------------------------------------------------------------- */

void cell_time(struct table *table, double seconds)
{
    char cell[40];

    text_quantity(seconds, "s", locale_is_unicode(), cell, sizeof cell);
    table_add(table, cell);
}

void cell_number(struct table *table, double value)
{
    char cell[40];

    text_number(value, cell, sizeof cell);
    table_add(table, cell);
}

void cell_capacity(struct table *table, double bytes)
{
    char cell[40] = "-";

    if (bytes > 0)
        plot_capacity(bytes, cell, sizeof cell);
    table_add(table, cell);
}

void cell_ns(struct table *table, const struct measurement_point *point)
{
    double least = point == NULL ? RESULT_NONE : point_least(point);
    char cell[40] = "-";

    if (least != RESULT_NONE)
        snprintf(cell, sizeof cell, "%s%.*f", point_noisy(point) ? NOISY : "",
                 least * NS < 9.995   ? 2
                 : least * NS < 99.95 ? 1
                                      : 0,
                 least * NS);
    table_add(table, cell);
}

/* Points -------------------------------------------------------------------------------------- */

const struct measurement_point *point_like(const struct measurement *measurement,
                                           const struct measurement_point *like)
{
    const struct measurement_point *found = NULL;

    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        bool same =
            point->part == like->part && strcmp(point->name, like->name) == 0 && point->count > 0;

        for (int k = 0; k < PARAMETERS && same; k++)
            same = isnan(like->parameter[k]) || point->parameter[k] == like->parameter[k];
        if (same)
            found = point;
    }
    return found;
}

static bool belongs(const struct measurement_point *point, const struct pivot *pivot)
{
    return point->part == pivot->part && strcmp(point->name, pivot->name) == 0 &&
           point->count > 0 &&
           (pivot->fixed == PARAMETERS || point->parameter[pivot->fixed] == pivot->fixed_value);
}

int pivot_values(const struct measurement *measurement, const struct pivot *pivot,
                 enum parameter parameter, double *values, int most)
{
    int count = 0;

    for (int i = 0; i < measurement->count; i++) {
        double value = measurement->point[i].parameter[parameter];
        int at = 0;

        if (!belongs(&measurement->point[i], pivot) || isnan(value))
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

/* Pivot --------------------------------------------------------------------------------------- */

static void add_label(struct table *table, enum parameter parameter, double value)
{
    char label[40];

    snprintf(label, sizeof label, "%g", value);
    if (parameter == PARAMETER_SIZE)
        plot_capacity(value, label, sizeof label);
    table_add(table, label);
}

static const struct measurement_point *point_at(const struct measurement *measurement,
                                                const struct pivot *pivot, double row,
                                                double column)
{
    struct measurement_point like = measurement_point(pivot->part, pivot->name, "");

    like.parameter[pivot->row] = row;
    like.parameter[pivot->column] = column;
    if (pivot->fixed != PARAMETERS)
        like.parameter[pivot->fixed] = pivot->fixed_value;
    return point_like(measurement, &like);
}

static int points_of_row(const struct measurement *measurement, const struct pivot *pivot,
                         double row, const double *column, int columns)
{
    int count = 0;

    for (int i = 0; i < columns; i++)
        count += point_at(measurement, pivot, row, column[i]) != NULL;
    return count;
}

/* Leaves rows that compare something, and of many those a factor of 2 or more apart. */
static int thin_rows(const struct measurement *measurement, const struct pivot *pivot, double *row,
                     int rows, const double *column, int columns)
{
    double step = rows > 2 * ROWS_MANY ? 4 : rows > ROWS_MANY ? 2 : 1;
    int kept = 0;

    for (int i = 0; i < rows; i++) {
        bool far = kept == 0 || row[i] >= step * row[kept - 1] * (1 - 1e-9);

        if (far && (columns == 1 || points_of_row(measurement, pivot, row[i], column, columns) > 1))
            row[kept++] = row[i];
    }
    return kept;
}

bool pivot_print(FILE *out, const struct measurement *measurement, const struct pivot *pivot)
{
    double row[TABLES_VALUES_MAX], column[TABLE_COLUMNS_MAX - 1];
    int columns = pivot_values(measurement, pivot, pivot->column, column, TABLE_COLUMNS_MAX - 1);
    int rows = pivot_values(measurement, pivot, pivot->row, row, TABLES_VALUES_MAX);
    struct table table = table_new(columns + 1, ~0U, 0);

    rows = thin_rows(measurement, pivot, row, rows, column, columns);
    table_add(&table, pivot->corner);
    for (int i = 0; i < columns; i++)
        add_label(&table, pivot->column, column[i]);
    for (int i = 0; i < rows; i++) {
        double value = row[pivot->descending ? rows - 1 - i : i];

        add_label(&table, pivot->row, value);
        for (int k = 0; k < columns; k++)
            cell_ns(&table, point_at(measurement, pivot, value, column[k]));
    }
    if (rows > 0)
        table_print(&table, out, PROBE_COLUMNS, "", "");
    table_free(&table);
    return rows > 0;
}
