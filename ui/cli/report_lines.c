#include "cli/report_parts.h"

#include <stdarg.h>
#include <string.h>

#include "cli/text.h"

#define COLUMNS 80
#define LABEL_COLUMNS 16

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
        line(report, "", "Frames", "the last of %.0f that carry data", result->frames);
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

void report_lines(const struct report *report, const struct scenario *scenario,
                  const struct result *result)
{
    print_latency(report, result);
    print_rate(report, result);
    print_mirrors(report, scenario, result);
    print_matrices(report, result);
    print_loop(report, &result->loop);
}
