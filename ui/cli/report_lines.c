#include "cli/report_parts.h"

#include <stdarg.h>
#include <string.h>

#include "cli/markdown.h"
#include "cli/text.h"
#include "draw/canvas.h"
#include "overload.h"

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
    int count = overloads(scenario, result, list);
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
