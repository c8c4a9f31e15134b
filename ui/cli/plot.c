#include "cli/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "charts/advise.h"
#include "charts/compare.h"
#include "charts/components.h"
#include "charts/detector.h"
#include "charts/flow.h"
#include "charts/loop.h"
#include "charts/machine.h"
#include "charts/picture.h"
#include "charts/program.h"
#include "charts/roofline.h"
#include "charts/sweep.h"
#include "charts/timeline.h"
#include "cli/axes.h"
#include "cli/estimate.h"
#include "cli/long_run.h"
#include "command.h"
#include "design/knob_text.h"
#include "design/trace.h"
#include "draw/chart.h"
#include "draw/text.h"
#include "model/device.h"
#include "model/knob_effect.h"
#include "model/result_read.h"
#include "probe/measurement.h"
#include "report/range.h"

#define COLUMNS 80 /* of text */

static const struct option_row plot_options[] = {
    OPTION_BUDGET,
    OPTION_FILE,
    OPTION_HELP,
    {.name = "of",
     .argument = "NAME",
     .help = "device of a roofline, sensor of its packets, chart of a loop (curves, spectra or "
             "budget), rows of a timeline (components, devices or latency), or chart of a program "
             "(distances, threads or phases)"},
    OPTION_OUTPUT,
    {.name = "result", .argument = "PATH", .help = "result shown by a sweep; default: latency"},
    OPTION_SET,
    {.name = "text", .help = "print the numbers of the chart as text"},
    OPTION_END,
};

static const struct option_rule plot_rules[] = {
    {.option = "text", .other = "output", .excludes = true},
    {.option = NULL},
};

/* Returns the kind of chart, or NULL after reporting an error. */
static const struct plot_kind *read_kind(const struct arguments *arguments)
{
    const char *name = arguments_operand(arguments, 0);
    const struct plot_kind *kind = plot_kind_find(name == NULL ? "" : name);
    const char *names[PLOT_KINDS_MAX + 1] = {NULL};

    if (kind == NULL && name != NULL && source_exists(arguments->cli, name))
        name = arguments_operand(arguments, 1); /* behind a design */
    for (int k = 0; k < plot_kind_count; k++)
        names[k] = plot_kinds[k].name;
    if (name == NULL)
        arguments_usage_error(
            arguments,
            "a kind of chart is missing, as in: aolag plot elt-scao timeline -o timeline.svg");
    else if (kind == NULL)
        arguments_unknown(arguments, "chart", name, names);
    return kind;
}

/* A design stands before or after the knobs of a sweep, and before or after a trace. */
static bool names_input(const struct arguments *arguments, const char *operand)
{
    const struct plot_kind *kind = plot_kind_find(arguments_operand(arguments, 0));

    const size_t length = strlen(operand);

    if (kind == NULL || !kind->design || (!kind->knobs && kind->operands == 0))
        return true;
    if (kind->knobs)
        return strchr(operand, '=') != NULL;
    return (length < 4 || strcmp(operand + length - 4, ".ini") != 0) &&
           source_preset(arguments->cli, operand, NULL) == NULL;
}

/* Returns true for a kind that a design may stand before. */
static bool is_design_kind(const char *operand)
{
    const struct plot_kind *kind = plot_kind_find(operand);

    return kind != NULL && kind->design;
}

/* Finds the scenario's operand after those of the kind. Returns the first unexpected operand, or
 * NULL. */
static const char *find_scenario(const struct plot_kind *kind, const struct arguments *arguments,
                                 int *scenario)
{
    int count = 1 + kind->operands;

    while (count < PLOT_OPERANDS_MAX - 1 && kind->knobs && arguments_operand(arguments, count) &&
           strchr(arguments_operand(arguments, count), '=') != NULL)
        count++;
    *scenario = count;
    return arguments_operand(arguments, count + kind->design);
}

/* Prints the numbers, in ASCII if the locale requires it. */
static void print_numbers(const struct plot_kind *kind, const struct plotting *plotting)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = allocate_stream(&text, &length);

    if (kind->table != NULL)
        kind->table(plotting, out, COLUMNS);
    else
        chart_table(&plotting->chart, out, COLUMNS);
    fclose(out);
    for (size_t at = 0; at < length;) {
        size_t size = strcspn(text + at, "\n");

        text_line(plotting->cli->out, "%.*s", (int)size, text + at);
        at += size + 1;
    }
    free(text);
}

static int write_chart(const struct plot_kind *kind, const struct plotting *plotting,
                       const char *output)
{
    if (!arguments_has(plotting->arguments, "text"))
        return arguments_save_picture(plotting->cli, output, &plotting->chart);
    print_numbers(kind, plotting);
    return EXIT_GOOD;
}

/* Writes the latency with its range; without a range nothing. */
static void find_latency(struct cli *cli, struct opened_design *design,
                         char latency[RANGE_LATENCY_MAX])
{
    struct latency_range range;

    if (source_range(cli, design, &range, NULL) == STATUS_OK)
        range_latency_text(design->result.latency, range.low, range.high, true, latency);
}

void plot_head(struct plotting *plotting, bool design)
{
    char latency[RANGE_LATENCY_MAX] = "";

    if (design)
        find_latency(plotting->cli, &plotting->design, latency);
    chart_source(&plotting->chart, design ? plotting->design.scenario.general.title : "", latency);
}

static int draw_chart(struct cli *cli, const struct plot_kind *kind,
                      const struct arguments *arguments, int scenario)
{
    struct plotting plotting = {.cli = cli, .arguments = arguments};
    int status = EXIT_GOOD;

    if (kind->design) {
        status =
            source_open(cli, arguments, arguments_operand(arguments, scenario), &plotting.design);
        if (status == EXIT_GOOD)
            status = source_evaluate(cli, &plotting.design);
    }
    if (status == EXIT_GOOD)
        status = kind->build(&plotting);
    if (status == EXIT_GOOD) {
        plot_head(&plotting, kind->design && !kind->headed);
        status = write_chart(kind, &plotting, arguments_output(arguments));
    }
    if (status == EXIT_GOOD)
        status = source_report_unread(cli, kind->presets);
    chart_free(&plotting.chart);
    if (kind->design)
        source_close(&plotting.design);
    return status;
}

/* Returns true if the output is a terminal, which cannot show SVG. */
static bool output_is_terminal(const struct cli *cli)
{
    int file = fileno(cli->out);

    return cli->current != NULL || (file >= 0 && isatty(file) != 0);
}

static int run_plot(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    const struct plot_kind *kind = read_kind(arguments);
    static const char *const of_knobs[] = {"budget", "result"};
    const char *last = arguments_operand(arguments, PLOT_OPERANDS_MAX - 1);
    const char *extra;
    int scenario = 0;

    (void)design;
    if (kind == NULL)
        return EXIT_USAGE;
    extra = find_scenario(kind, arguments, &scenario);
    if (kind->knobs && last != NULL && strchr(last, '=') != NULL)
        return arguments_usage_error(arguments, "a chart shows at most two knobs");
    if (kind->knobs && arguments_operand(arguments, scenario) != NULL &&
        axes_are_missing(arguments_operand(arguments, scenario)))
        return arguments_usage_error(arguments, AXIS_MISSING,
                                     arguments_operand(arguments, scenario));
    if (extra != NULL)
        return arguments_usage_error(arguments, "unexpected argument \"%s\"", extra);
    if (kind->of == NULL && arguments_has(arguments, "of"))
        return arguments_usage_error(arguments, "%s takes no --of", kind->name);
    for (size_t o = 0; o < sizeof of_knobs / sizeof of_knobs[0]; o++)
        if (!kind->knobs && arguments_has(arguments, of_knobs[o]))
            return arguments_usage_error(arguments, "%s takes no --%s", kind->name, of_knobs[o]);
    if (arguments_value(arguments, "output") == NULL && !arguments_has(arguments, "text") &&
        output_is_terminal(cli))
        return arguments_usage_error(arguments,
                                     "--output is missing: -o %s.svg writes the picture, --text "
                                     "prints its numbers",
                                     kind->name);
    return draw_chart(cli, kind, arguments, scenario);
}

const struct command command_plot = {
    .name = "plot",
    .operands =
        "[DESIGN|-] KIND\n[DESIGN|-] sweep [P=VALUES...]\ncompare A|- B|-\n"
        "machine memory|operations|apex\nmachine dispatch|kernels|gpu\n[DESIGN|-] program TRACE|-",
    .operand_max = PLOT_OPERANDS_MAX,
    .help = "Writes a chart as SVG: advise, compare, components, flow, loop, machine, program, "
            "roofline, sensor, sweep or timeline.",
    .options = plot_options,
    .rules = plot_rules,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .is_word = names_input,
    .leads = is_design_kind,
    .run = run_plot,
};

/* Plot kinds ----------------------------------------------------------------------------------- */

enum { POINTS = 64 }; /* points of a knob without given values */

#define KNOB "scenario.packets" /* the knob of a sweep if none is given */

static int build_components(struct plotting *plotting)
{
    chart_components(&plotting->chart, &plotting->design.scenario, &plotting->design.result);
    return EXIT_GOOD;
}

static void print_components(const struct plotting *plotting, FILE *out, int columns)
{
    components_table(&plotting->design.scenario, &plotting->design.result, out, columns);
}

static int build_advise(struct plotting *plotting)
{
    struct part_values *part_values = part_values_new(plotting->cli->catalogue);
    struct advise *advice;
    struct shown_work work;
    struct error error;
    enum status status;

    shown_work_begin(&work, plotting->cli, "of the steps");
    status = advise_new(&advice, &plotting->design.scenario, part_values, work.progress, &error);
    if (status == STATUS_OK)
        status = advise_find(advice, ADVISE_STEPS, work.progress, &error);
    shown_work_end(&work);
    if (status == STATUS_OK)
        chart_advise(&plotting->chart, advice);
    advise_free(advice);
    part_values_free(part_values);
    return status == STATUS_OK ? EXIT_GOOD : arguments_problem(plotting->cli, "%s", error.message);
}

/* Compare -------------------------------------------------------------------------------------- */

/* Shortens two operands to their file names if these differ. */
static void shorten_names(const char *const operand[SIDES], const char *name[SIDES])
{
    for (int s = 0; s < SIDES; s++) {
        const char *slash = strrchr(operand[s], '/');

        name[s] = slash != NULL ? slash + 1 : operand[s];
    }
    if (strcmp(name[0], name[1]) == 0)
        memcpy(name, operand, SIDES * sizeof *name);
}

static int build_compare(struct plotting *plotting)
{
    const char *operand[SIDES], *name[SIDES];
    char latency[SIDES][RANGE_LATENCY_MAX] = {"", ""};
    struct opened_design design[SIDES] = {{.document = NULL}, {.document = NULL}};
    struct comparison comparison = {.difference_count = 0};
    struct compare_side side[SIDES];
    int status = source_open_both(plotting->cli, plotting->arguments, 1, design);

    source_name_both(plotting->cli, plotting->arguments, 1, operand);
    for (int s = 0; s < SIDES; s++) {
        side[s] =
            (struct compare_side){.scenario = &design[s].scenario, .result = &design[s].result};
        if (status == EXIT_GOOD)
            find_latency(plotting->cli, &design[s], latency[s]);
    }
    if (status == EXIT_GOOD) {
        compare_designs(side, &comparison);
        shorten_names(operand, name);
        chart_compare(&comparison, name, (const char *const[SIDES]){latency[0], latency[1]},
                      &plotting->chart);
    }
    comparison_free(&comparison);
    for (int s = 0; s < SIDES; s++)
        source_close(&design[s]);
    return status;
}

/* Machine -------------------------------------------------------------------------------------- */

static int build_machine(struct plotting *plotting)
{
    static const enum measurement_part shown[] = {MEASUREMENT_MEMORY,  MEASUREMENT_OPERATIONS,
                                                  MEASUREMENT_APEX,    MEASUREMENT_DISPATCH,
                                                  MEASUREMENT_KERNELS, MEASUREMENT_GPU};
    enum { SHOWN = sizeof shown / sizeof shown[0] };
    const char *word = arguments_operand(plotting->arguments, 1);
    const char *names[SHOWN + 1] = {NULL};
    int which = word == NULL ? 0 : -1;
    struct measurement measurement = {0};
    struct machine_figures *figures;
    struct error error;
    bool good;

    for (int i = 0; i < SHOWN; i++) {
        names[i] = measurement_parts[shown[i]].name;
        if (word != NULL && strcmp(names[i], word) == 0)
            which = i;
    }
    if (which < 0)
        return arguments_unknown(plotting->arguments, "machine chart", word, names);
    if (arguments_has(plotting->arguments, "set"))
        return arguments_usage_error(plotting->arguments, "machine takes no --set");
    if (measurement_file_read(&measurement, &error) != STATUS_OK)
        return arguments_problem(plotting->cli, "%s", error.message);
    figures = machine_figures_new(&measurement);
    good = chart_machine(&plotting->chart, figures, shown[which]);
    machine_figures_free(figures);
    measurement_free(&measurement);
    if (good)
        return EXIT_GOOD;
    return arguments_problem(plotting->cli,
                             "no measurements for %s on this machine yet; aolag %s measures it",
                             names[which],
                             shown[which] == MEASUREMENT_KERNELS ? "validate --kernels"
                             : shown[which] == MEASUREMENT_GPU   ? "probe gpu"
                                                                 : "probe");
}

/* Sensor --------------------------------------------------------------------------------------- */

/* Finds the sensor or device named by --of; without --of, `fallback`. Reports errors and returns
 * an exit status. */
static int find_instance(struct plotting *plotting, enum section section, int fallback, int *found)
{
    bool device = section == SECTION_DEVICE;
    const char *name = arguments_value(plotting->arguments, "of");
    struct error error;

    *found = name == NULL ? fallback : section_find(&plotting->design.scenario, section, name);
    if (*found >= 0)
        return EXIT_GOOD;
    if (name == NULL)
        return arguments_problem(plotting->cli, "the design has no %s",
                                 device ? "device" : "sensor");
    section_missing(&plotting->design.scenario, section, name, &error);
    return arguments_usage_error(plotting->arguments, "--of: %s", error.message);
}

static int build_sensor(struct plotting *plotting)
{
    const struct opened_design *design = &plotting->design;
    int wfs;
    int status =
        find_instance(plotting, SECTION_WFS, design->scenario.wfs_count > 0 ? 0 : -1, &wfs);
    struct detector_map map = {0};

    if (status != EXIT_GOOD)
        return status;
    detector_map_make(&map, &design->scenario, &design->result, wfs);
    chart_detector(&plotting->chart, &map);
    detector_map_free(&map);
    return EXIT_GOOD;
}

/* Flow ----------------------------------------------------------------------------------------- */

static int build_flow(struct plotting *plotting)
{
    struct flow flow = {0};

    flow_fill(&flow, &plotting->design.scenario, &plotting->design.result);
    chart_flow(&plotting->chart, &flow);
    flow_free(&flow);
    return EXIT_GOOD;
}

/* Loop ----------------------------------------------------------------------------------------- */

static int build_loop(struct plotting *plotting)
{
    const char *of = arguments_value(plotting->arguments, "of");
    struct budget *budget;
    struct loop_curves *curves;
    struct error error;
    int status = EXIT_GOOD;
    int which = LOOP_CURVES;

    while (of != NULL && which < LOOP_CHARTS && strcmp(of, loop_chart_names[which]) != 0)
        which++;
    if (which == LOOP_CHARTS)
        return arguments_unknown(plotting->arguments, "chart of a loop", of, loop_chart_names);
    budget = allocate_array(1, sizeof *budget);
    curves = allocate(sizeof *curves);
    if (budget_fill(budget, &plotting->design.scenario, &plotting->design.result, BUDGET_ALL,
                    &error) != STATUS_OK) {
        status = arguments_problem(plotting->cli, "%s", error.message);
    } else {
        loop_curves_find(budget, curves);
        if (which != LOOP_BUDGET && curves->count == 0)
            status = arguments_problem(plotting->cli, "unstable: gain %.3g, maximum %.3g",
                                       budget->servo.gain, budget->max_gain);
        else
            chart_loop(&plotting->chart, (enum loop_chart)which, budget, curves);
    }
    free(budget);
    free(curves);
    return status;
}

/* Program -------------------------------------------------------------------------------------- */

/* Finds the CPU that a trace is drawn for, that of the design's first program or else its first
 * one, and the unit of distances. Returns NULL if there is none. */
static const struct device *find_cpu(const struct scenario *scenario, enum distance *distance)
{
    *distance = DISTANCE_INSTRUCTIONS;
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_PROGRAM) {
            *distance = (enum distance)scenario->component[c].distance;
            return &scenario->device[scenario_device(scenario, c)];
        }
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == DEVICE_CPU)
            return &scenario->device[d];
    return NULL;
}

static int read_program(struct plotting *plotting, const char *path, struct program **program)
{
    struct problems problems = {NULL, 0, 0};
    size_t length = 0;
    char *bytes = NULL;
    int status = source_read(plotting->cli, path, PROGRAM_BYTES_MAX, &bytes, &length);

    if (status == EXIT_GOOD && program_parse(bytes, length, program, &problems) != STATUS_OK) {
        source_print_problems(plotting->cli, plotting->cli->err,
                              strcmp(path, "-") == 0 ? "standard input" : path, &problems);
        status = EXIT_PROBLEM;
    }
    problems_free(&problems);
    free(bytes);
    return status;
}

static int build_program(struct plotting *plotting)
{
    const char *path = arguments_operand(plotting->arguments, 1);
    const char *of = arguments_value(plotting->arguments, "of");
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const struct device *device;
    struct program *program = NULL;
    enum distance distance;
    int which = PROGRAM_BY_DISTANCE;
    int status;

    if (path == NULL ||
        (source_preset(plotting->cli, path, NULL) != NULL && access(path, F_OK) != 0))
        return arguments_usage_error(plotting->arguments,
                                     "the trace is missing, as in: "
                                     "aolag plot micado-scao program trace.csv");
    while (of != NULL && which < PROGRAM_CHARTS && strcmp(of, program_chart_names[which]) != 0)
        which++;
    if (which == PROGRAM_CHARTS)
        return arguments_unknown(plotting->arguments, "chart of a program", of,
                                 program_chart_names);
    device = find_cpu(&plotting->design.scenario, &distance);
    if (device == NULL)
        return arguments_problem(plotting->cli, "the design has no cpu, and a program runs on one");
    status = read_program(plotting, path, &program);
    if (status == EXIT_GOOD && program->threads > device_cores(device))
        status = arguments_problem(plotting->cli, "%s: %d threads, more than the %.0f cores of %s",
                                   path, program->threads, device_cores(device), device->head.name);
    if (status == EXIT_GOOD)
        chart_program(&plotting->chart, (enum program_chart)which, program,
                      slash == NULL ? path : slash + 1, device, distance);
    if (status == EXIT_GOOD && of == NULL && plotting->chart.rows == 0) {
        /* a kernel that fits its caches has no distances; its phases say what it is bound by */
        chart_free(&plotting->chart);
        chart_program(&plotting->chart, PROGRAM_BY_PHASE, program, slash == NULL ? path : slash + 1,
                      device, distance);
    } else if (status == EXIT_GOOD && which == PROGRAM_BY_DISTANCE && plotting->chart.rows == 0)
        status = arguments_problem(plotting->cli, "%s: no remote references", path);
    program_free(program);
    return status;
}

/* Roofline ------------------------------------------------------------------------------------- */

static int build_roofline(struct plotting *plotting)
{
    const struct opened_design *design = &plotting->design;
    int device;
    int status = find_instance(plotting, SECTION_DEVICE, roofs_device(&design->result), &device);
    struct roofs roofs;

    if (status != EXIT_GOOD)
        return status;
    roofs_find(&design->scenario, &design->result, device, &roofs);
    chart_roofline(&plotting->chart, &roofs, -1);
    return EXIT_GOOD;
}

/* Sweep ---------------------------------------------------------------------------------------- */

static enum status read_axes(struct plotting *plotting, struct axis axis[GRID_AXES_MAX], int *count,
                             struct error *error)
{
    const struct scenario *scenario = &plotting->design.scenario;
    struct catalogue *catalogue = plotting->cli->catalogue;
    struct knob_ref ref;
    double present;

    for (int w = 1; *count < GRID_AXES_MAX; w++) {
        const char *word = arguments_operand(plotting->arguments, w);

        if (word == NULL || strchr(word, '=') == NULL)
            break;
        if (axis_parse(&axis[(*count)++], scenario, catalogue, word, error) != STATUS_OK)
            return error->status;
        if (*count > 1 && axis[0].ref.knob == axis[1].ref.knob &&
            axis[0].ref.index == axis[1].ref.index)
            return error_set(error, STATUS_INVALID, "%.*s is varied twice", (int)strcspn(word, "="),
                             word);
    }
    if (*count > 0)
        return STATUS_OK;
    *count = 1;
    if (knob_find(scenario, KNOB, &ref, error) != STATUS_OK)
        return error->status;
    /* as view 4 */
    present = knob_number_in_force(scenario, &plotting->design.result, ref);
    if (axis_around(&axis[0], scenario, catalogue, ref, present, POINTS, error) != STATUS_OK)
        return error->status;
    axis_include(&axis[0], present);
    return STATUS_OK;
}

static int build_sweep(struct plotting *plotting)
{
    const char *path = arguments_value(plotting->arguments, "result");
    struct axis axis[GRID_AXES_MAX] = {{.count = 0}};
    struct opened_design *design = &plotting->design;
    struct grid grid = {.count = 0};
    struct result_ref list[GRID_WANTED_MAX];
    struct sweep sweep = {.base = &design->scenario, .axis = axis, .wanted = list};
    struct shown_work work;
    struct result_ref wanted;
    struct error error;
    int count = 0;
    uint64_t designs = 0;
    double seconds = 0;
    enum status status;

    if (source_check_prices(plotting->cli) != EXIT_GOOD)
        return EXIT_PROBLEM;
    if (result_find(&design->scenario, &design->result, path == NULL ? "latency" : path, &wanted,
                    &error) != STATUS_OK)
        return arguments_usage_error(plotting->arguments, "--result: %s", error.message);
    if (read_axes(plotting, axis, &count, &error) != STATUS_OK) {
        axis_free(&axis[0]);
        axis_free(&axis[1]);
        return arguments_usage_error(plotting->arguments, "%s", error.message);
    }
    if (count == 2 && axis[0].number == NULL && axis[1].number != NULL) {
        struct axis choices = axis[0]; /* a curve per choice is clearer than a bar per pair */

        axis[0] = axis[1];
        axis[1] = choices;
    }
    sweep.axis_count = count;
    sweep.wanted_count = grid_wanted(&wanted, axis, count, list);
    shown_work_begin(&work, plotting->cli, "of the points");
    if (sweep_count(&sweep, &designs, &error) == STATUS_OK && designs <= GRID_DESIGNS_MAX)
        seconds = estimate_sweep(&sweep, 0, designs);
    if (seconds > estimate_limit(plotting->arguments)) {
        shown_work_end(&work);
        axis_free(&axis[0]);
        axis_free(&axis[1]);
        return estimate_refuse(plotting->arguments, &sweep, designs, seconds, "", "", false);
    }
    status = grid_run(&grid, &design->scenario, axis, count, &wanted, true, work.progress, &error);
    shown_work_end(&work);
    if (status == STATUS_OK)
        chart_sweep(&plotting->chart, &grid, &design->scenario, &design->result, 0);
    if (status == STATUS_OK && grid.reason[0] != '\0')
        arguments_problem(plotting->cli, "%d of %d points have no value: %s",
                          grid.invalid + grid.missing, grid.count, grid.reason);
    grid_free(&grid);
    return status == STATUS_OK ? EXIT_GOOD : arguments_problem(plotting->cli, "%s", error.message);
}

/* Timeline ------------------------------------------------------------------------------------- */

static int build_timeline(struct plotting *plotting)
{
    enum { BY_COMPONENT, BY_DEVICE, LATENCY, KINDS };
    static const char *const names[] = {[BY_COMPONENT] = "components",
                                        [BY_DEVICE] = "devices",
                                        [LATENCY] = "latency",
                                        [KINDS] = NULL};
    const char *of = arguments_value(plotting->arguments, "of");
    const struct opened_design *design = &plotting->design;
    int kind = BY_COMPONENT;
    struct error error;

    while (of != NULL && kind < KINDS && strcmp(of, names[kind]) != 0)
        kind++;
    if (kind == KINDS)
        return arguments_unknown(plotting->arguments, "timeline", of, names);
    if (timeline_picture(&design->scenario, &design->result,
                         kind == BY_DEVICE ? ROWS_BY_DEVICE : ROWS_BY_COMPONENT, kind == LATENCY,
                         &plotting->chart, &error) != STATUS_OK)
        return arguments_problem(plotting->cli, "%s", error.message);
    return EXIT_GOOD;
}

const struct plot_kind plot_kinds[] = {
    {.name = "advise",
     .help = "gain of one step of each knob",
     .design = true,
     .presets = PRESET_DESIGNS | PRESET_DEVICES,
     .build = build_advise},
    {.name = "compare",
     .help = "times of every component in two designs",
     .operands = 2,
     .build = build_compare},
    {.name = "components",
     .help = "load of every component and transfer, and what limits it",
     .design = true,
     .build = build_components,
     .table = print_components},
    {.name = "flow",
     .help = "load of every port, link, memory and disk",
     .design = true,
     .build = build_flow},
    {.name = "loop",
     .help = "control loop: transfer functions, spectra or error budget",
     .design = true,
     .of = "curves spectra budget",
     .build = build_loop},
    {.name = "machine",
     .help = "measurements of this machine: memory, operations, apex, kernels or gpu",
     .operands = 1,
     .build = build_machine},
    {.name = "program",
     .help = "what a trace comes to on the CPU of a design: distances, threads or phases",
     .operands = 1,
     .design = true,
     .headed = true,
     .of = "distances threads phases",
     .build = build_program},
    {.name = "roofline",
     .help = "ceilings of a device and the components below them",
     .design = true,
     .of = "DEVICE",
     .build = build_roofline},
    {.name = "sensor",
     .also = "detector",
     .help = "packet that completes each subaperture of a sensor",
     .design = true,
     .of = "SENSOR",
     .build = build_sensor},
    {.name = "sweep",
     .help = "result over one or two knobs; default: over " KNOB,
     .design = true,
     .knobs = true,
     .build = build_sweep},
    {.name = "timeline",
     .help = "busy and waiting times of every packet, and the critical path",
     .design = true,
     .of = "components devices latency",
     .build = build_timeline},
};

const int plot_kind_count = (int)(sizeof plot_kinds / sizeof plot_kinds[0]);

const struct plot_kind *plot_kind_find(const char *name)
{
    for (int k = 0; k < plot_kind_count; k++)
        if (strcmp(plot_kinds[k].name, name) == 0 ||
            (plot_kinds[k].also != NULL && strcmp(plot_kinds[k].also, name) == 0))
            return &plot_kinds[k];
    return NULL;
}
