#include "report/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "design/knob.h"
#include "draw/canvas.h"
#include "draw/table.h"
#include "model/load.h"
#include "model/memory.h"
#include "model/program.h"
#include "report/markdown.h"
#include "report/text.h"

#define CELL_MAX 160

struct report report_to(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    struct report plain = {out, locale_is_unicode(), "", "", "", "", false};
    struct report colours = {out,        plain.unicode, "\033[1m", "\033[32m",
                             "\033[31m", "\033[0m",     false};
    bool dumb = term == NULL || strcmp(term, "dumb") == 0;
    bool unwanted = no_color != NULL && no_color[0] != '\0';

    return fileno(out) >= 0 && isatty(fileno(out)) && !dumb && !unwanted ? colours : plain;
}

void report_heading(const struct report *report, const char *heading)
{
    if (report->markdown)
        fprintf(report->out, "\n## %s\n", heading);
}

void report_head(const struct report *report, const struct scenario *scenario,
                 const struct result *result)
{
    const char *given = scenario->general.title[0] != '\0' ? scenario->general.title : "Untitled";
    char title[CELL_MAX];
    char rate[40];
    char period[40];

    text_clean(given, report->unicode, title, sizeof title);
    if (report->markdown) {
        fputs("# ", report->out);
        markdown_text(report->out, given);
        fputs("\n\n", report->out);
    } else {
        fprintf(report->out, "%s%s%s\n", report->bold, title, report->plain);
    }
    text_quantity(scenario->general.frame_rate, "Hz", report->unicode, rate, sizeof rate);
    text_quantity(result->frame_period, "s", report->unicode, period, sizeof period);
    fprintf(report->out, "%s, one frame in %s, %.0f packet%s, %s\n", rate, period,
            scenario->general.packets, scenario->general.packets == 1 ? "" : "s",
            knob_word(KNOB_SCENARIO_SHARING, scenario->general.sharing));
}

void report_print(FILE *out, const struct scenario *scenario, const struct result *result)
{
    struct report report = report_to(out);

    report_head(&report, scenario, result);
    report_tables(&report, scenario, result);
    fputc('\n', out);
    report_lines(&report, scenario, result);
}

void report_jitter(FILE *out, const struct jitter *jitter)
{
    struct report report = report_to(out);

    report_spread(&report, jitter);
}

/* Report fold ---------------------------------------------------------------------------------- */

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(a);
}

/* But for the numbers they end in: "gpu0" and "gpu12". */
static bool same_stem(const char *a, const char *b)
{
    while (*a == *b && *a != '\0') {
        a++;
        b++;
    }
    return a[strspn(a, "0123456789")] == '\0' && b[strspn(b, "0123456789")] == '\0';
}

void report_plain_name(const char *name, char *plain)
{
    size_t used = 0;

    for (; *name != '\0'; name++) {
        if (*name == '@')
            name += strcspn(name, ">.");
        if (*name == '\0')
            break;
        plain[used++] = *name;
    }
    plain[used] = '\0';
}

static bool same_transfer(const struct node_result *a, const struct node_result *b)
{
    char from[NODE_NAME_MAX + 1];
    char to[NODE_NAME_MAX + 1];

    report_plain_name(a->name, from);
    report_plain_name(b->name, to);
    return strcmp(from, to) == 0 && same(a->bytes, b->bytes) && same(a->memory, b->memory) &&
           same(a->time, b->time) && same(a->first_start, b->first_start) &&
           same(a->last_end, b->last_end);
}

static bool same_part(const struct node_result *a, const struct node_result *b)
{
    return same(a->flop - a->deferred_flop, b->flop - b->deferred_flop) &&
           same(a->bytes - a->deferred_bytes, b->bytes - b->deferred_bytes) &&
           same(a->compute, b->compute) && same(a->memory, b->memory) && same(a->time, b->time) &&
           a->bound == b->bound && a->level == b->level && same(a->share, b->share);
}

/* Rows that the report does not tell apart: inserted transfers between the same components, parts
 * of the same component. */
static bool alike(const struct node_result *a, const struct node_result *b)
{
    if (a->component < 0 || b->component < 0)
        return a->component < 0 && b->component < 0 && same_transfer(a, b);
    return a->component == b->component && a->part >= 0 && b->part >= 0 && same_part(a, b);
}

int report_nodes_alike(const struct result *result, int n)
{
    int count = 1;

    for (int i = 0; i < n; i++)
        if (alike(&result->node[i], &result->node[n]))
            return 0;
    for (int i = n + 1; i < result->node_count; i++)
        count += alike(&result->node[n], &result->node[i]);
    return count;
}

static const char *model_of(const struct device *device)
{
    return device->model[0] != '\0' ? device->model : device->preset;
}

static bool devices_are_alike(const struct scenario *scenario, const struct result *result, int i,
                              int j)
{
    const struct device *a = &scenario->device[i];
    const struct device *b = &scenario->device[j];

    return same_stem(a->head.name, b->head.name) && a->kind == b->kind &&
           strcmp(model_of(a), model_of(b)) == 0 && same(a->sockets, b->sockets) &&
           same(result->device[i].peak_flops, result->device[j].peak_flops) &&
           same(result->device[i].bandwidth, result->device[j].bandwidth) &&
           same(result->device[i].busy, result->device[j].busy);
}

int report_devices_alike(const struct scenario *scenario, const struct result *result, int d)
{
    int count = 1;

    for (int i = 0; i < d; i++)
        if (devices_are_alike(scenario, result, i, d))
            return 0;
    for (int i = d + 1; i < result->device_count; i++)
        count += devices_are_alike(scenario, result, d, i);
    return count;
}

/* Report lines --------------------------------------------------------------------------------- */

#define COLUMNS 80
#define LABEL_COLUMNS 16

#define FACT_MAX 600
#define NOISE 1e-12 /* s, that rounding leaves between times of a frame */

/* Where a text that is wider than `room` is broken: behind the last comma or semicolon or before
 * the last parenthesis that leaves some, else at the last blank. 0: nowhere. */
static size_t break_at(const char *text, int room)
{
    size_t clause = 0;
    size_t blank = 0;
    int depth = 0;
    int column = 0;

    for (size_t i = 0; text[i] != '\0' && column <= room; i++) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (text[i] == ' ' && i > 0) {
            bool ends = text[i - 1] == ',' || text[i - 1] == ';' || text[i + 1] == '(';

            blank = i;
            clause = ends && depth == 0 ? i : clause;
        }
        column += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return clause > 0 ? clause : blank;
}

/* Of a Markdown table; a fact without a label goes on with the one before. */
static void print_row(const struct report *report, const char *label, const char *fact)
{
    fputs("| ", report->out);
    markdown_text(report->out, label);
    fputs(" | ", report->out);
    markdown_text(report->out, fact);
    fputs(" |\n", report->out);
}

void report_line(const struct report *report, const char *style, const char *label,
                 const char *format, ...)
{
    char fact[FACT_MAX];
    const char *text = fact;
    va_list list;

    va_start(list, format);
    vsnprintf(fact, sizeof fact, format, list);
    va_end(list);
    if (report->markdown) {
        print_row(report, label, fact);
        return;
    }
    fprintf(report->out, "%s%-*s%s  %s", report->bold, LABEL_COLUMNS, label, report->plain, style);
    for (;;) {
        int room = COLUMNS - LABEL_COLUMNS - 2;
        size_t length = text_width(text) > room ? break_at(text, room) : 0;

        if (length == 0)
            break;
        fprintf(report->out, "%.*s\n%*s", (int)length, text, LABEL_COLUMNS + 2, "");
        text += length + 1;
    }
    fprintf(report->out, "%s%s\n", text, style[0] != '\0' ? report->plain : "");
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

/* "recon 12.3 us (waits 1.2 us)". */
static void describe_step(const struct report *report, const struct result *result,
                          const struct path_step *step, char *text, size_t size)
{
    struct words w;
    size_t used;

    snprintf(text, size, "%s %s", result->node[step->node].name,
             quantity(report, w.text[0], step->wait + step->busy, "s"));
    used = strlen(text);
    if (step->wait > NOISE)
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

        if (result->path[i].wait + result->path[i].busy <= NOISE)
            continue;
        describe_step(report, result, &result->path[i], text, sizeof text);
        width = text_width(text);
        if (report->markdown) {
            fputs(first ? "| Critical path | " : ", ", report->out);
            markdown_text(report->out, text);
            first = false;
            continue;
        }
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
        fputs(report->markdown ? " |\n" : "\n", report->out);
}

/* What the command passed at once though it computes: the last packet carries nothing for it, a
 * whole row of the detector outside the pupil. */
static void print_idle(const struct report *report, const struct result *result)
{
    char names[FACT_MAX - 100] = "";
    size_t used = 0;
    bool begun = false; /* what came to nothing before is over before the last pixel */

    for (int i = 0; i < result->path_count; i++) {
        const struct path_step *step = &result->path[i];
        const struct node_result *node = &result->node[step->node];

        begun = begun || step->wait + step->busy > NOISE;
        if (!begun || step->wait + step->busy > NOISE || !component_type_computes(node->type) ||
            used >= sizeof names)
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                                 node->name);
    }
    if (used > 0)
        report_line(report, "", "", "the last packet carries no work for %s", names);
}

/* Whether a step is all that its component does in a frame, with a part of its device. */
static bool has_a_part(const struct result *result, const struct path_step *step)
{
    const struct node_result *node = &result->node[step->node];

    return node->device >= 0 && node->share < 1 && step->busy > NOISE &&
           step->busy >= node->time * (1 - 1e-9);
}

/* Parts of a device that stand still while one of them works: what comes in one packet is worked on
 * by one component after the other, none of which has all of the device. */
static void print_turns(const struct report *report, const struct scenario *scenario,
                        const struct result *result, int device)
{
    char names[FACT_MAX - 200] = "";
    size_t used = 0;
    int count = 0;

    for (int i = 0; i < result->path_count; i++) {
        const struct node_result *node = &result->node[result->path[i].node];

        if (node->device != device || !has_a_part(result, &result->path[i]) || used >= sizeof names)
            continue;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", count > 0 ? ", " : "",
                                 node->name);
        count++;
    }
    if (count > 1)
        report_line(report, "", "Partition",
                    "%s work in turn, each with its part of %s; sharing exclusive gives each all "
                    "of it",
                    names, scenario->device[device].head.name);
}

static const char *if_kept_up(const struct result *result)
{
    return result->overloaded ? ", if it kept up" : "";
}

static bool defers(const struct node_result *node)
{
    return node->deferred > 0 && node->part < 0;
}

static bool any_defers(const struct result *result)
{
    for (int i = 0; i < result->node_count; i++)
        if (defers(&result->node[i]))
            return true;
    return false;
}

/* What the table's work of a component leaves out. */
static void print_deferred(const struct report *report, const struct result *result)
{
    bool first = true;

    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        struct words w;

        if (!defers(node))
            continue;
        report_line(report, "", first ? "Deferred" : "",
                    "%s works %s on after the command is out (%s, %s)", node->name,
                    quantity(report, w.text[0], node->deferred, "s"),
                    quantity(report, w.text[1], node->deferred_flop, "FLOP"),
                    quantity(report, w.text[2], node->deferred_bytes, "B"));
        first = false;
    }
}

static void print_latency(const struct report *report, const struct scenario *scenario,
                          const struct result *result)
{
    struct words w;
    bool missed = result->margin < 0;
    const char *good = result->overloaded ? "" : report->good;

    uncertainty(report, result, w.text[3], sizeof w.text[3]);
    report_line(report, missed ? report->bad : good, "RTC latency", "%s%s%s; target %s, %s %s",
                quantity(report, w.text[0], result->latency, "s"), w.text[3], if_kept_up(result),
                quantity(report, w.text[1], result->target, "s"), missed ? "missed by" : "margin",
                quantity(report, w.text[2], missed ? -result->margin : result->margin, "s"));
    report_line(report, "", "First pixel", "%s to the last command%s",
                quantity(report, w.text[0], result->first_pixel, "s"), if_kept_up(result));
    if (result->bound_node >= 0)
        report_line(report, "", "Bound by", "%s (%s)", result->node[result->bound_node].name,
                    bound_name(result->bound));
    print_path(report, result);
    print_idle(report, result);
    if (scenario->general.sharing == SHARING_PARTITION)
        for (int d = 0; d < scenario->device_count; d++)
            print_turns(report, scenario, result, d);
    print_deferred(report, result);
    if (result->frames > 1)
        report_line(report, "", "Frames",
                    "%.0f that carry data were run, since %s; the last is shown", result->frames,
                    any_defers(result) ? "deferred work reaches into the next"
                                       : "a command leaves after the next has come");
}

/* All that is too slow, the slowest first. */
static void print_overload(const struct report *report, const struct scenario *scenario,
                           const struct result *result)
{
    struct overload list[OVERLOAD_MAX];
    int count = load_list_overloads(scenario, result, list);
    struct words w;

    for (int i = 0; i < count && i < OVERLOAD_MAX; i++)
        report_line(report, report->bad, i == 0 ? "Overload" : "",
                    i == 0 ? "%s is busy %s of a %s frame, %s times too slow"
                           : "%s is busy %s of %s, %s times",
                    list[i].name, quantity(report, w.text[0], list[i].busy, "s"),
                    quantity(report, w.text[1], result->frame_period, "s"),
                    quantity(report, w.text[2], list[i].busy / result->frame_period, ""));
    if (count > OVERLOAD_MAX)
        report_line(report, report->bad, "", "and %d more", count - OVERLOAD_MAX);
}

static void print_rate(const struct report *report, const struct scenario *scenario,
                       const struct result *result)
{
    struct words w;

    if (result->max_frame_rate != RESULT_NONE)
        report_line(report, "", "Max frame rate", "%s, set by %s (busy %s a frame)",
                    quantity(report, w.text[0], result->max_frame_rate, "Hz"), result->limit,
                    quantity(report, w.text[1], result->limit_busy, "s"));
    print_overload(report, scenario, result);
}

static void print_mirrors(const struct report *report, const struct scenario *scenario,
                          const struct result *result)
{
    struct words w;

    for (int i = 0; i < result->dm_count && result->dm_count > 1; i++)
        report_line(report, "", i == 0 ? "Mirrors" : "", "%s has its commands after %s%s",
                    scenario->component[result->dm[i].component].head.name,
                    quantity(report, w.text[0], result->dm[i].latency, "s"), if_kept_up(result));
}

static void print_matrices(const struct report *report, const struct result *result)
{
    struct words w;

    for (int i = 0; i < result->node_count; i++)
        if (result->node[i].rows > 0 && result->node[i].part < 0)
            report_line(report, "", "Matrix", "%s: %.0f %s %.0f, working set %s",
                        result->node[i].name, result->node[i].rows,
                        report->unicode ? "\xC3\x97" : "x", result->node[i].columns,
                        quantity(report, w.text[0], result->node[i].working_set, "B"));
}

static void print_loop(const struct report *report, const struct result *result)
{
    const struct loop_result *loop = &result->loop;
    struct words w;

    report_line(report, "", "Delay", "%s frames, %s in all%s",
                quantity(report, w.text[0], loop->delay_frames, ""),
                quantity(report, w.text[1], loop->tau_total, "s"), if_kept_up(result));
    report_line(report, "", "Servo lag", "%s rms, Strehl %s from lag alone%s",
                quantity(report, w.text[0], loop->servo_lag, "m"),
                quantity(report, w.text[1], loop->strehl, ""), if_kept_up(result));
    if (loop->tau0 != RESULT_NONE)
        report_line(report, "", "Atmosphere", "coherence time %s, Greenwood frequency %s",
                    quantity(report, w.text[0], loop->tau0, "s"),
                    quantity(report, w.text[1], loop->greenwood, "Hz"));
    report_line(report, "", "Gain", "%s at most; %s for 45 deg phase margin, crossover %s",
                quantity(report, w.text[0], loop->max_gain, ""),
                quantity(report, w.text[1], loop->gain_45, ""),
                quantity(report, w.text[2], loop->crossover, "Hz"));
}

void report_lines(const struct report *report, const struct scenario *scenario,
                  const struct result *result)
{
    print_latency(report, scenario, result);
    print_rate(report, scenario, result);
    print_mirrors(report, scenario, result);
    print_matrices(report, result);
    print_loop(report, result);
}

/* Report programs ------------------------------------------------------------------------------ */

static void print_phases(const struct report *report, const struct node_result *node,
                         const struct program *program, const struct program_machine *machine)
{
    static const char *const headings[] = {"Phase of", "Name", "Time", "Balance", "Stall", "Bound"};
    struct table table = table_new(6, 0x1C, 1);

    for (int i = 0; i < table.columns; i++)
        table_add(&table, headings[i]);
    for (int f = 0; f < program->phase_count; f++) {
        struct program_time phase = program_phase_time(program, f, machine);

        table_add(&table, node->name);
        table_add(&table, program->phase[f].name);
        report_quantity(report, &table, phase.time, "s");
        report_percent(&table, phase.balance);
        report_percent(&table, phase.stall_share);
        table_add(&table, program_limit_name(phase.limit));
    }
    report_heading(report, "Program");
    report_table(report, &table);
}

/* "46.3 us at 3.00 cycles" */
static const char *time_at(const struct report *report, const struct program *program,
                           const struct program_machine *machine, double latency, char text[120])
{
    struct program_machine there = *machine;
    char time[40];
    char cycles[40];

    there.latency = latency;
    text_quantity(program_total_time(program, &there).time, "s", report->unicode, time,
                  sizeof time);
    number_format(round(10 * latency) / 10, cycles, sizeof cycles);
    snprintf(text, 120, "%s at %s cycle%s", time, cycles, latency == 1 ? "" : "s");
    return text;
}

/* Time over remote latency: both ends of the curve and where the machine is. */
static void print_curve(const struct report *report, const struct node_result *node,
                        const struct program *program, const struct program_machine *machine)
{
    char text[3][120];

    report_line(report, "", "Remote latency", "%s takes %s, %s (the device's), %s", node->name,
                time_at(report, program, machine, program_latency_at(machine, 0), text[0]),
                time_at(report, program, machine, machine->latency, text[1]),
                time_at(report, program, machine,
                        program_latency_at(machine, PROGRAM_CURVE_POINTS - 1), text[2]));
}

void report_programs(const struct report *report, const struct scenario *scenario,
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

/* Report tables -------------------------------------------------------------------------------- */

/* Cells ------------------------------------------------------------------------------------- */

static void add_text(const struct report *report, struct table *table, const char *text)
{
    char cell[CELL_MAX];

    text_clean(text, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

void report_quantity(const struct report *report, struct table *table, double si, const char *unit)
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

void report_percent(struct table *table, double fraction)
{
    char digits[40];
    char cell[CELL_MAX];

    text_number(100 * fraction, digits, sizeof digits);
    snprintf(cell, sizeof cell, "%s %%", digits);
    table_add(table, cell);
}

static const char *times_sign(const struct report *report)
{
    return report->unicode ? "\xC3\x97" : "x";
}

/* A name, " ×7" behind it where its row stands for seven. */
static void add_folded(const struct report *report, struct table *table, const char *name,
                       int count)
{
    char cell[CELL_MAX];

    if (count > 1)
        snprintf(cell, sizeof cell, "%s %s%d", name, times_sign(report), count);
    else
        snprintf(cell, sizeof cell, "%s", name);
    table_add(table, cell);
}

/* A part goes by its device, below its whole. */
static void add_name(const struct report *report, struct table *table,
                     const struct node_result *node, int count)
{
    char name[NODE_NAME_MAX + 3];

    snprintf(name, sizeof name, "%s%s", node->part < 0 ? "" : "  ",
             node->name + (node->part < 0 ? 0 : strcspn(node->name, "@")));
    add_folded(report, table, name, count);
}

static void add_transfer(const struct report *report, struct table *table,
                         const struct node_result *node, int count)
{
    char name[NODE_NAME_MAX + 1];

    report_plain_name(node->name, name);
    add_folded(report, table, count > 1 ? name : node->name, count);
}

static void add_device(const struct report *report, struct table *table,
                       const struct scenario *scenario, const struct node_result *node)
{
    char cell[CELL_MAX];

    snprintf(cell, sizeof cell, "%s%d", times_sign(report), node->parts);
    table_add(table, node_is_whole(node) ? cell
                     : node->device < 0  ? "-"
                                         : scenario->device[node->device].head.name);
}

/* What binds it, of its device's memory which. */
static void add_bound(struct table *table, const struct node_result *node)
{
    bool memory = node->device >= 0 || node_is_whole(node);

    table_add(table, memory && node->bound == BOUND_MEMORY ? memory_level_name(node->level)
                                                           : bound_name(node->bound));
}

static void add_share(struct table *table, const struct scenario *scenario,
                      const struct node_result *node)
{
    char number[40];
    char cell[CELL_MAX] = "-";

    if (node->share < 0.01 && node->share >= 0.001) /* as much as leaves room for long names */
        snprintf(number, sizeof number, "%.4f", node->share);
    else
        text_number(node->share, number, sizeof number);
    if (component_type_computes(node->type))
        snprintf(cell, sizeof cell, "%s%s",
                 scenario->component[node->component].share > 0 ? "" : "auto ", number);
    table_add(table, cell);
}

/* With another word in place of the last, where there is one. */
static void add_headings(struct table *table, const char *const *headings, const char *last)
{
    for (int i = 0; i < table->columns; i++)
        table_add(table, last != NULL && i == table->columns - 1 ? last : headings[i]);
}

void report_table(const struct report *report, struct table *table)
{
    fputc('\n', report->out);
    if (report->markdown)
        markdown_table(table, report->out);
    else
        table_print(table, report->out, COLUMNS, report->bold, report->plain);
    table_free(table);
}

/* Tables ------------------------------------------------------------------------------------ */

/* In exclusive a component has all of its device while it works: shares say nothing. */
static void print_components(const struct report *report, const struct scenario *scenario,
                             const struct result *result)
{
    static const char *const headings[] = {"Component", "On",   "FLOP",  "Bytes", "Compute",
                                           "Memory",    "Time", "Bound", "Share"};
    enum sharing sharing = (enum sharing)scenario->general.sharing;
    bool shares = sharing != SHARING_EXCLUSIVE;
    struct table table = table_new(shares ? 9 : 8, 0x7C, 1);

    add_headings(&table, headings, sharing == SHARING_FLUID ? "Weight" : NULL);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        bool computes = component_type_computes(node->type);
        bool wire = node->type == COMPONENT_TRANSFER || node->type == COMPONENT_DM;
        int count = report_nodes_alike(result, i);
        double flop = node->flop - node->deferred_flop;

        if (node->component < 0 || count == 0)
            continue;
        add_name(report, &table, node, count);
        add_device(report, &table, scenario, node);
        add_count(report, &table, computes && flop > 0 ? flop : RESULT_NONE);
        report_quantity(report, &table, node->bytes - node->deferred_bytes, "B");
        report_quantity(report, &table, computes ? node->compute : RESULT_NONE, "s");
        report_quantity(report, &table, computes || wire ? node->memory : RESULT_NONE, "s");
        report_quantity(report, &table, node->time, "s");
        add_bound(&table, node);
        if (shares)
            add_share(&table, scenario, node);
    }
    report_heading(report, "Components");
    report_table(report, &table);
}

static void print_transfers(const struct report *report, const struct result *result)
{
    static const char *const headings[] = {"Inserted transfer", "Bytes",  "Wire", "Time",
                                           "Starts at",         "Ends at"};
    struct table table = table_new(6, 0x3E, 0);
    bool any = false;

    add_headings(&table, headings, NULL);
    for (int i = 0; i < result->node_count; i++) {
        const struct node_result *node = &result->node[i];
        int count = report_nodes_alike(result, i);

        if (node->component >= 0 || count == 0)
            continue;
        any = true;
        add_transfer(report, &table, node, count);
        report_quantity(report, &table, node->bytes, "B");
        report_quantity(report, &table, node->memory, "s");
        report_quantity(report, &table, node->time, "s");
        report_quantity(report, &table, node->first_start, "s");
        report_quantity(report, &table, node->last_end, "s");
    }
    if (any)
        report_heading(report, "Transfers");
    if (any)
        report_table(report, &table);
    else
        table_free(&table);
}

static void add_model(const struct report *report, struct table *table, const struct device *device)
{
    const char *model = device->model[0] != '\0' ? device->model : device->preset;
    char cell[CELL_MAX];

    if (device->kind == DEVICE_CPU && device->sockets > 1)
        snprintf(cell, sizeof cell, "%.0f \xC3\x97 %s", device->sockets,
                 model[0] != '\0' ? model : "socket");
    else
        snprintf(cell, sizeof cell, "%s", model[0] != '\0' ? model : "-");
    add_text(report, table, cell);
}

static void print_devices(const struct report *report, const struct scenario *scenario,
                          const struct result *result)
{
    static const char *const headings[] = {"Device", "Peak (fp32)", "Memory",
                                           "Busy",   "Used",        "Model"};
    static const char *const notes[] = {
        [SHARING_PARTITION] = "Busy: the time of each component, weighted by its share",
        [SHARING_EXCLUSIVE] = "Busy: with launches and fixed overhead, which hold the device",
        [SHARING_FLUID] = "Busy: without launches and fixed overhead, which do not hold the device",
    };
    struct table table = table_new(6, 0x1E, 5);

    add_headings(&table, headings, NULL);
    for (int i = 0; i < result->device_count; i++) {
        int count = report_devices_alike(scenario, result, i);

        if (count == 0)
            continue;
        add_folded(report, &table, scenario->device[i].head.name, count);
        report_quantity(report, &table, result->device[i].peak_flops, "FLOP/s");
        report_quantity(report, &table, result->device[i].bandwidth, "B/s");
        report_quantity(report, &table, result->device[i].busy, "s");
        report_percent(&table, result->device[i].utilisation);
        add_model(report, &table, &scenario->device[i]);
    }
    report_heading(report, "Devices");
    report_table(report, &table);
    if (result->device_count > 0)
        fprintf(report->out, "%s%s\n", report->markdown ? "\n" : "",
                notes[scenario->general.sharing]);
}

void report_tables(const struct report *report, const struct scenario *scenario,
                   const struct result *result)
{
    print_components(report, scenario, result);
    print_transfers(report, result);
    print_devices(report, scenario, result);
    report_programs(report, scenario, result);
}
