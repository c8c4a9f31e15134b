#include "cli/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/table.h"
#include "cli/text.h"
#include "knob.h"
#include "program.h"

#define COLUMNS 80
#define LABEL_COLUMNS 16
#define CELL_MAX 160

struct report {
    FILE *out;
    bool unicode;
    const char *bold, *good, *bad, *plain; /* terminal sequences, or empty */
};

static struct report report_to(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    struct report plain = {out, locale_is_unicode(), "", "", "", ""};
    struct report colours = {out, plain.unicode, "\033[1m", "\033[32m", "\033[31m", "\033[0m"};
    bool dumb = term == NULL || strcmp(term, "dumb") == 0;
    bool unwanted = no_color != NULL && no_color[0] != '\0';

    return fileno(out) >= 0 && isatty(fileno(out)) && !dumb && !unwanted ? colours : plain;
}

/* Cells ------------------------------------------------------------------------------------- */

static void add_text(const struct report *report, struct table *table, const char *text)
{
    char cell[CELL_MAX];

    text_clean(text, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

static void add_quantity(const struct report *report, struct table *table, double si,
                         const char *unit)
{
    char cell[CELL_MAX];

    text_quantity(si, unit, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

/* "1.32 G", the unit being in the heading. */
static void add_count(const struct report *report, struct table *table, double value)
{
    char cell[CELL_MAX];
    size_t length;

    text_quantity(value, "FLOP", report->unicode, cell, sizeof cell);
    length = strlen(cell);
    if (length > 4 && strcmp(cell + length - 4, "FLOP") == 0)
        cell[length - 4] = '\0';
    if (length > 5 && cell[length - 5] == ' ')
        cell[length - 5] = '\0';
    table_add(table, cell);
}

static void add_percent(struct table *table, double fraction)
{
    char digits[40];
    char cell[CELL_MAX];

    text_number(100 * fraction, digits, sizeof digits);
    snprintf(cell, sizeof cell, "%s %%", digits);
    table_add(table, cell);
}

/* A part goes by its device, below its whole. */
static void add_name(struct table *table, const struct node_result *node)
{
    char cell[CELL_MAX];

    snprintf(cell, sizeof cell, "%s%s", node->part < 0 ? "" : "  ",
             node->name + (node->part < 0 ? 0 : strcspn(node->name, "@")));
    table_add(table, cell);
}

static void add_device(struct table *table, const struct scenario *scenario,
                       const struct node_result *node)
{
    char cell[CELL_MAX];

    snprintf(cell, sizeof cell, "%d parts", node->parts);
    table_add(table, node_is_whole(node) ? cell
                     : node->device < 0  ? "-"
                                         : scenario->device[node->device].head.name);
}

static void add_share(struct table *table, const struct scenario *scenario,
                      const struct node_result *node)
{
    char cell[CELL_MAX] = "-";

    if (component_type_computes(node->type))
        snprintf(cell, sizeof cell, "%s%.2f",
                 scenario->component[node->component].share > 0 ? "" : "auto ", node->share);
    table_add(table, cell);
}

static void add_headings(struct table *table, const char *const *headings)
{
    for (int i = 0; i < table->columns; i++)
        table_add(table, headings[i]);
}

static void print_table(const struct report *report, struct table *table)
{
    fputc('\n', report->out);
    table_print(table, report->out, COLUMNS, report->bold, report->plain);
    table_free(table);
}

/* Tables ------------------------------------------------------------------------------------ */

static void print_components(const struct report *report, const struct scenario *scenario,
                             const struct result *result)
{
    static const char *const headings[] = {"Component", "On",   "FLOP", "Bytes", "Compute",
                                           "Memory",    "From", "Time", "Bound", "Share"};
    struct table table = table_new(10, 0xBC, 1);

    add_headings(&table, headings);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        bool computes = component_type_computes(node->type);
        bool wire = node->type == COMPONENT_TRANSFER || node->type == COMPONENT_DM;

        if (node->component < 0)
            continue;
        add_name(&table, node);
        add_device(&table, scenario, node);
        add_count(report, &table, computes ? node->flop : RESULT_NONE);
        add_quantity(report, &table, node->bytes, "B");
        add_quantity(report, &table, computes ? node->compute : RESULT_NONE, "s");
        add_quantity(report, &table, computes || wire ? node->memory : RESULT_NONE, "s");
        table_add(&table, computes ? memory_level_name(node->level) : "-");
        add_quantity(report, &table, node->time, "s");
        table_add(&table, bound_name(node->bound));
        add_share(&table, scenario, node);
    }
    print_table(report, &table);
}

static void print_transfers(const struct report *report, const struct result *result)
{
    static const char *const headings[] = {"Inserted transfer", "Bytes",  "Wire", "Time",
                                           "Starts at",         "Ends at"};
    struct table table = table_new(6, 0x3E, 0);
    bool any = false;

    add_headings(&table, headings);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];

        if (node->component >= 0)
            continue;
        any = true;
        table_add(&table, node->name);
        add_quantity(report, &table, node->bytes, "B");
        add_quantity(report, &table, node->memory, "s");
        add_quantity(report, &table, node->time, "s");
        add_quantity(report, &table, node->first_start, "s");
        add_quantity(report, &table, node->last_end, "s");
    }
    if (any)
        print_table(report, &table);
    else
        table_free(&table);
}

static void print_devices(const struct report *report, const struct scenario *scenario,
                          const struct result *result)
{
    static const char *const headings[] = {"Device", "Peak (fp32)", "Memory",
                                           "Busy",   "Used",        "Model"};
    struct table table = table_new(6, 0x1E, 5);

    add_headings(&table, headings);
    for (int i = 0; i < result->device_count; i++) {
        const struct device *device = &scenario->device[i];
        const char *model = device->model[0] != '\0' ? device->model : device->preset;
        char cell[CELL_MAX];

        table_add(&table, device->head.name);
        add_quantity(report, &table, result->device[i].peak_flops, "FLOP/s");
        add_quantity(report, &table, result->device[i].bandwidth, "B/s");
        add_quantity(report, &table, result->device[i].busy, "s");
        add_percent(&table, result->device[i].utilisation);
        if (device->kind == DEVICE_CPU && device->sockets > 1)
            snprintf(cell, sizeof cell, "%.0f \xC3\x97 %s", device->sockets,
                     model[0] != '\0' ? model : "socket");
        else
            snprintf(cell, sizeof cell, "%s", model[0] != '\0' ? model : "-");
        add_text(report, &table, cell);
    }
    print_table(report, &table);
}

/* Programs ---------------------------------------------------------------------------------- */

static void print_phases(const struct report *report, const struct node_result *node,
                         const struct program *program, const struct program_machine *machine)
{
    static const char *const headings[] = {"Phase of", "Name", "Time", "Balance", "Stall", "Bound"};
    struct table table = table_new(6, 0x1C, 1);

    add_headings(&table, headings);
    for (int f = 0; f < program->phase_count; f++) {
        struct program_time phase = program_phase_time(program, f, machine);

        table_add(&table, node->name);
        table_add(&table, program->phase[f].name);
        add_quantity(report, &table, phase.time, "s");
        add_percent(&table, phase.balance);
        add_percent(&table, phase.stall_share);
        table_add(&table, program_limit_name(phase.limit));
    }
    print_table(report, &table);
}

/* Time over remote latency. */
static void print_curve(const struct report *report, const struct node_result *node,
                        const struct program *program, const struct program_machine *machine)
{
    static const char *const headings[] = {"Latency of", "Cycles", "Time"};
    struct table table = table_new(3, 0x6, 0);

    add_headings(&table, headings);
    for (int i = 0; i < PROGRAM_CURVE_POINTS; i++) {
        struct program_machine there = *machine;
        char cycles[40];

        there.latency = program_latency_at(machine, i);
        snprintf(cycles, sizeof cycles, "%.*f", there.latency < 100 ? 1 : 0, there.latency);
        table_add(&table, node->name);
        table_add(&table, cycles);
        add_quantity(report, &table, program_total_time(program, &there).time, "s");
    }
    print_table(report, &table);
}

static void print_programs(const struct report *report, const struct scenario *scenario,
                           const struct result *result)
{
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        const struct component *c = &scenario->component[node->component < 0 ? 0 : node->component];
        struct program_machine machine;

        if (node->type != COMPONENT_PROGRAM)
            continue;
        machine = program_machine(scenario, node->component, node->workers);
        program_machine_share(&machine,
                              scenario->general.sharing == SHARING_PARTITION ? node->share : 1,
                              c->workers > 0);
        print_phases(report, node, c->trace.program, &machine);
        print_curve(report, node, c->trace.program, &machine);
    }
}

/* The loop ---------------------------------------------------------------------------------- */

/* One fact: its label, then the sentence between `style` and plain. */
static void line(const struct report *report, const char *style, const char *label,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

static void line(const struct report *report, const char *style, const char *label,
                 const char *format, ...)
{
    va_list list;

    fprintf(report->out, "%s%-*s%s  %s", report->bold, LABEL_COLUMNS, label, report->plain, style);
    va_start(list, format);
    vfprintf(report->out, format, list);
    va_end(list);
    fprintf(report->out, "%s\n", style[0] != '\0' ? report->plain : "");
}

struct words {
    char text[4][40];
};

static const char *quantity(const struct report *report, char *text, double si, const char *unit)
{
    text_quantity(si, unit, report->unicode, text, 40);
    return text;
}

/* " x/: 1.09" */
static void uncertainty(const struct report *report, const struct result *result, char *text,
                        size_t size)
{
    char factor[40];

    text[0] = '\0';
    if (result->uncertainty == 1)
        return;
    snprintf(factor, sizeof factor, " \xC3\x97/\xC3\xB7 %.2f", result->uncertainty);
    text_clean(factor, report->unicode, text, size);
}

static int columns_of(const char *text)
{
    int columns = 0;

    for (; *text != '\0'; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}

/* "recon 12.3 us (waits 1.2 us)". */
static void describe_step(const struct report *report, const struct result *result,
                          const struct path_step *step, char *text, size_t size)
{
    struct words w;
    size_t used;

    snprintf(text, size, "%s %s", result->node[step->node].name,
             quantity(report, w.text[0], step->wait + step->busy, "s"));
    used = strlen(text);
    if (step->wait > 0)
        snprintf(text + used, size - used, " (waits %s)",
                 quantity(report, w.text[1], step->wait, "s"));
}

/* What the last command waited for, a component at a time; what passed at once is left out. */
static void print_path(const struct report *report, const struct result *result)
{
    int column = LABEL_COLUMNS + 2;
    bool first = true;

    for (int i = 0; i < result->path_count; i++) {
        char text[NODE_NAME_MAX + 100];
        int width;

        if (result->path[i].wait + result->path[i].busy == 0)
            continue;
        describe_step(report, result, &result->path[i], text, sizeof text);
        width = columns_of(text);
        if (first) {
            fprintf(report->out, "%s%-*s%s  ", report->bold, LABEL_COLUMNS, "Critical path",
                    report->plain);
        } else if (column + 3 + width > COLUMNS) { /* with a comma on either side */
            fprintf(report->out, ",\n%*s", LABEL_COLUMNS + 2, "");
            column = LABEL_COLUMNS + 2;
        } else {
            fputs(", ", report->out);
            column += 2;
        }
        fputs(text, report->out);
        column += width;
        first = false;
    }
    if (!first)
        fputc('\n', report->out);
}

static void print_latency(const struct report *report, const struct result *result)
{
    struct words w;
    bool missed = result->margin < 0;

    uncertainty(report, result, w.text[3], sizeof w.text[3]);
    line(report, missed ? report->bad : report->good, "RTC latency", "%s%s; target %s, %s %s",
         quantity(report, w.text[0], result->latency, "s"), w.text[3],
         quantity(report, w.text[1], result->target, "s"), missed ? "missed by" : "margin",
         quantity(report, w.text[2], missed ? -result->margin : result->margin, "s"));
    line(report, "", "First pixel", "%s to the last command",
         quantity(report, w.text[0], result->first_pixel, "s"));
    if (result->bound_node >= 0)
        line(report, "", "Bound by", "%s (%s)", result->node[result->bound_node].name,
             bound_name(result->bound));
    print_path(report, result);
    if (result->frames > 1)
        line(report, "", "Frames", "the last of %.0f, one a frame period", result->frames);
}

static void print_rate(const struct report *report, const struct result *result)
{
    struct words w;

    if (result->max_frame_rate != RESULT_NONE)
        line(report, "", "Max frame rate", "%s, set by %s (busy %s a frame)",
             quantity(report, w.text[0], result->max_frame_rate, "Hz"), result->limit,
             quantity(report, w.text[1], result->limit_busy, "s"));
    if (result->overloaded)
        line(report, report->bad, "Overload", "%s needs %s for each frame of %s, %s times as long",
             result->limit, quantity(report, w.text[0], result->limit_busy, "s"),
             quantity(report, w.text[1], result->frame_period, "s"),
             quantity(report, w.text[2], result->limit_busy / result->frame_period, ""));
}

static void print_mirrors(const struct report *report, const struct scenario *scenario,
                          const struct result *result)
{
    struct words w;

    for (int i = 0; i < result->dm_count && result->dm_count > 1; i++)
        line(report, "", i == 0 ? "Mirrors" : "", "%s has its commands after %s",
             scenario->component[result->dm[i].component].head.name,
             quantity(report, w.text[0], result->dm[i].latency, "s"));
}

static void print_matrices(const struct report *report, const struct result *result)
{
    struct words w;

    for (int i = 0; i < result->node_count; i++)
        if (result->node[i].rows > 0 && result->node[i].part < 0)
            line(report, "", "Matrix", "%s: %.0f %s %.0f, working set %s", result->node[i].name,
                 result->node[i].rows, report->unicode ? "\xC3\x97" : "x", result->node[i].columns,
                 quantity(report, w.text[0], result->node[i].working_set, "B"));
}

static void print_loop(const struct report *report, const struct loop_result *loop)
{
    struct words w;

    line(report, "", "Delay", "%s frames, %s in all",
         quantity(report, w.text[0], loop->delay_frames, ""),
         quantity(report, w.text[1], loop->tau_total, "s"));
    line(report, "", "Servo lag", "%s rms, Strehl %s from lag alone",
         quantity(report, w.text[0], loop->servo_lag, "m"),
         quantity(report, w.text[1], loop->strehl, ""));
    if (loop->tau0 != RESULT_NONE)
        line(report, "", "Atmosphere", "coherence time %s, Greenwood frequency %s",
             quantity(report, w.text[0], loop->tau0, "s"),
             quantity(report, w.text[1], loop->greenwood, "Hz"));
    line(report, "", "Gain", "%s at most; %s for 45 deg phase margin, crossover %s",
         quantity(report, w.text[0], loop->max_gain, ""),
         quantity(report, w.text[1], loop->gain_45, ""),
         quantity(report, w.text[2], loop->crossover, "Hz"));
}

void report_print(FILE *out, const struct scenario *scenario, const struct result *result)
{
    struct report report = report_to(out);
    char title[CELL_MAX];
    struct words w;

    text_clean(scenario->general.title[0] != '\0' ? scenario->general.title : "Untitled",
               report.unicode, title, sizeof title);
    fprintf(out, "%s%s%s\n", report.bold, title, report.plain);
    fprintf(out, "%s, one frame in %s, %.0f packet%s, %s\n",
            quantity(&report, w.text[0], scenario->general.frame_rate, "Hz"),
            quantity(&report, w.text[1], result->frame_period, "s"), scenario->general.packets,
            scenario->general.packets == 1 ? "" : "s",
            knob_word(SECTION_SCENARIO, "sharing", scenario->general.sharing));
    print_components(&report, scenario, result);
    print_transfers(&report, result);
    print_devices(&report, scenario, result);
    print_programs(&report, scenario, result);
    fputc('\n', out);
    print_latency(&report, result);
    print_rate(&report, result);
    print_mirrors(&report, scenario, result);
    print_matrices(&report, result);
    print_loop(&report, &result->loop);
}
