#include "charts/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/number.h"
#include "draw/text.h"
#include "model/program.h"

#define ROOM 1.6       /* axis length over longest bar, with room for its label */
#define PHASES_MOST 40 /* phases shown */

const char *const program_chart_names[] = {[PROGRAM_BY_DISTANCE] = "distances",
                                           [PROGRAM_BY_THREADS] = "threads",
                                           [PROGRAM_BY_PHASE] = "phases",
                                           [PROGRAM_CHARTS] = NULL};

/* Distances ------------------------------------------------------------------------------------ */

/* Writes the whole numbers of a bin: "0", "2 to 3". */
static void bin_text(const struct program_bin *bin, char *text, size_t size)
{
    if (bin->to - bin->from <= 1)
        snprintf(text, size, "%.0f", bin->from);
    else if (bin->to <= 1e6)
        snprintf(text, size, "%.0f to %.0f", bin->from, bin->to - 1);
    else
        snprintf(text, size, "from %.3g", bin->from);
}

/* The share of the references is a bar in each row, what one costs a curve through the rows; both
 * are percentages, of all references and of the remote latency. */
static void build_distances(struct chart *chart, const struct program *program,
                            const struct program_machine *machine)
{
    struct program_bin bin[PROGRAM_BINS];
    int count = program_distances(program, machine, bin);
    double references = 0;
    double cost = 0;
    char waited[40], near[40];
    int bars, curve;

    for (int i = 0; i < count; i++) {
        references += bin[i].count;
        cost += bin[i].cost;
    }
    bars = chart_add(chart, CHART_SPANS, LOOK_MEMORY, "share of the references");
    curve = chart_add(chart, CHART_CURVE, LOOK_CRITICAL, "cost, of the remote latency");
    for (int i = 0; i < count; i++) {
        double each = bin[i].count > 0 ? bin[i].cost / bin[i].count : 0;
        char text[96], number[40];
        int row;

        bin_text(&bin[i], text, sizeof text);
        row = chart_row(chart, text);
        if (bin[i].count == 0)
            continue;
        text_number(each, number, sizeof number);
        snprintf(text, sizeof text, "%.6g, %s cycles each", bin[i].count, number);
        chart_span(chart, bars, row, 0, 100 * bin[i].count / references, LOOK_MEMORY, text);
        chart_point(chart, curve, 100 * each / machine->latency, row, NULL);
    }
    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, 130, ""},
            "% of the references, % of the remote latency");
    chart_y(chart, chart->y,
            machine->distance == DISTANCE_CYCLES ? "cycles ahead" : "instructions ahead");
    text_number(cost, waited, sizeof waited);
    text_number(references * machine->latency, near, sizeof near);
    chart_note(chart, "%.6g references: %s cycles waited, %s without distance; remote latency %.4g cycles",
               references, waited, near, machine->latency);
}

/* Threads -------------------------------------------------------------------------------------- */

static void build_threads(struct chart *chart, const struct program *program,
                          const struct device *device, enum distance distance)
{
    int most = program->threads;
    struct plot_axis axis = {PLOT_WHOLE, 0, most + 1, ""};
    double one = 0;
    double top = 1;
    int ideal, curve, times;

    ideal = chart_add(chart, CHART_CURVE, LOOK_OTHER, "ideal: as many times as cores");
    curve = chart_add(chart, CHART_CURVE, LOOK_FIRST, "speed-up");
    times = chart_add(chart, CHART_DOTS, LOOK_CURRENT, "time on these cores");
    for (int n = 1; n <= most; n++) {
        struct program_machine machine = program_machine(device, distance, n);
        double time = program_time_on(program, &machine, n).time;
        double gain;
        char text[32];

        one = n == 1 ? time : one;
        gain = time > 0 ? one / time : 1;
        top = larger(top, gain);
        chart_point(chart, ideal, n, n, NULL);
        chart_point(chart, curve, n, gain, NULL);
        text_quantity(time, "s", true, text, sizeof text);
        if ((n & (n - 1)) == 0 || n == most)
            chart_point(chart, times, n, gain, text);
    }
    chart_x(chart, axis, "cores");
    chart_y(chart, (struct plot_axis){PLOT_LINEAR, 0, larger(top, most) * 1.1, ""},
            "speed-up (time on 1 core / time)");
    chart_note(chart, "thread t runs on core t modulo the cores");
}

/* Phases --------------------------------------------------------------------------------------- */

struct phase_row {
    int number;
    struct program_time time;
};

static int longer_first(const void *a, const void *b)
{
    const struct phase_row *left = a;
    const struct phase_row *right = b;

    if (left->time.time != right->time.time)
        return left->time.time > right->time.time ? -1 : 1;
    return left->number - right->number;
}

static int earlier_first(const void *a, const void *b)
{
    return ((const struct phase_row *)a)->number - ((const struct phase_row *)b)->number;
}

/* Adds a row: the threads' mean, what the slowest needs beyond it, and what another bound adds. */
static void add_phase(struct chart *chart, int item, const char *name,
                      const struct program_time *time)
{
    double mean = time->balance * time->threads;
    enum chart_look beyond = time->limit == LIMIT_LOCKS ? LOOK_OVERHEAD : LOOK_MEMORY;
    double end[] = {mean, time->threads, time->time};
    enum chart_look look[] = {LOOK_COMPUTE, LOOK_WAIT, beyond};
    int row = chart_row(chart, name);
    int last = time->time > time->threads ? 2 : time->threads > mean ? 1 : 0;
    char text[96], quantity[32];

    text_quantity(time->time, "s", true, quantity, sizeof quantity);
    snprintf(text, sizeof text, "balance %.3g %%, %s, %s", 100 * time->balance, quantity,
             program_limit_name(time->limit));
    for (int i = 0; i <= last; i++)
        if (i == last || end[i] > (i > 0 ? end[i - 1] : 0))
            chart_span(chart, item, row, i > 0 ? end[i - 1] : 0, end[i], look[i],
                       i == last ? text : NULL);
}

static void build_phases(struct chart *chart, const struct program *program,
                         const struct program_machine *machine)
{
    int count = program->phase_count;
    int shown = count < PHASES_MOST ? count : PHASES_MOST;
    struct phase_row *phase = allocate_array((size_t)count, sizeof *phase);
    double longest = 0;
    int item = chart_add(chart, CHART_SPANS, LOOK_COMPUTE, "mean of the threads");

    for (int f = 0; f < count; f++)
        phase[f] = (struct phase_row){f, program_phase_time(program, f, machine)};
    qsort(phase, (size_t)count, sizeof *phase, longer_first);
    longest = phase[0].time.time;
    qsort(phase, (size_t)shown, sizeof *phase, earlier_first);
    for (int i = 0; i < shown; i++)
        add_phase(chart, item, program->phase[phase[i].number].name, &phase[i].time);
    free(phase);
    chart_x(chart, plot_axis_around(PLOT_LINEAR, 0, ROOM * (longest > 0 ? longest : 1e-9), "s"),
            "time");
    if (shown < count)
        chart_note(chart, "the %d longest of %d phases; memory: traffic, overhead: locks", shown,
                   count);
    else
        chart_note(chart, "memory: traffic, overhead: locks");
}

void chart_program(struct chart *chart, enum program_chart which, const struct program *program,
                   const char *name, const struct device *device, enum distance distance)
{
    static const char *const titles[] = {"Reference distances and their costs",
                                         "Time and speed-up over cores", "Balance of the phases"};
    struct program_machine machine = program_machine(device, distance, program->threads);
    char time[32];

    chart_init(chart, "%s", titles[which]);
    text_quantity(program_total_time(program, &machine).time, "s", true, time, sizeof time);
    chart_heading(chart, "%.90s: %d thread%s, %s on %s", name, program->threads,
                  program->threads == 1 ? "" : "s", time, device->head.name);
    switch (which) {
    case PROGRAM_BY_THREADS:
        build_threads(chart, program, device, distance);
        break;
    case PROGRAM_BY_PHASE:
        build_phases(chart, program, &machine);
        break;
    default:
        build_distances(chart, program, &machine);
        break;
    }
}
