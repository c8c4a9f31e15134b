#include <math.h>
#include <string.h>

#include "cli/eval.h"
#include "cli/report_parts.h"
#include "cli/text.h"

#define US 1e6
#define DIGITS 5     /* that tell a p99 from a p50 */
#define TEXT_ROWS 10 /* of the histogram */
#define BAR_COLUMNS 40

/* JSON ----------------------------------------------------------------------------------------- */

void jitter_json(struct json *json, const struct jitter *jitter)
{
    json_object(json, "jitter");
    json_number(json, "frames", (double)jitter->frames);
    json_number(json, "seed", (double)jitter->seed);
    json_number(json, "latency_us", jitter->latency * US);
    json_number(json, "min_us", jitter->least * US);
    json_number(json, "p50_us", jitter->p50 * US);
    json_number(json, "p99_us", jitter->p99 * US);
    json_number(json, "p999_us", jitter->p999 * US);
    json_number(json, "max_us", jitter->most * US);
    json_number(json, "target_latency_us", jitter->target * US);
    json_number(json, "missed", (double)jitter->missed);
    json_number(json, "missed_probability", jitter->probability);
    json_number(json, "missed_standard_error", jitter->standard_error);
    json_number(json, "missed_probability_max", jitter->probability_max);
    json_array(json, "histogram");
    for (int b = 0; b < jitter->bins; b++) {
        json_object(json, NULL);
        json_number(json, "from_us", jitter->bin[b].from * US);
        json_number(json, "to_us", jitter->bin[b].to * US);
        json_number(json, "frames", (double)jitter->bin[b].frames);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

/* Text ----------------------------------------------------------------------------------------- */

/* "1223.4 us" */
static const char *microseconds(const struct report *report, double s, char text[40])
{
    char plain[40];
    double us = s * US;
    int behind = us > 0 ? DIGITS - 1 - (int)floor(log10(us)) : 0;

    behind = behind < 0 ? 0 : behind > DIGITS ? DIGITS : behind;
    snprintf(plain, sizeof plain, "%.*f \xC2\xB5s", behind, us);
    text_clean(plain, report->unicode, text, 40);
    return text;
}

static void print_missed(const struct report *report, const struct jitter *jitter)
{
    char target[40];
    char maximum[40];

    microseconds(report, jitter->target, target);
    if (jitter->missed > 0) {
        report_line(report, report->bad, "Missed",
                    "%ld of %ld frames are later than the target of %s, %.3g %% (standard error "
                    "%.2g %%)",
                    jitter->missed, jitter->frames, target, 100 * jitter->probability,
                    100 * jitter->standard_error);
    } else {
        snprintf(maximum, sizeof maximum, "%.2g %%", 100 * jitter->probability_max);
        report_line(report, report->good, "Missed",
                    "none of %ld frames is later than the target of %s; at 95 %% confidence, less "
                    "than %s are",
                    jitter->frames, target, maximum);
    }
}

static void print_row(const struct report *report, const struct jitter *jitter, int first, int last,
                      long most)
{
    char from[40];
    char to[40];
    char range[90];
    char bar[BAR_COLUMNS + 1];
    long frames = 0;
    long columns;

    for (int b = first; b <= last; b++)
        frames += jitter->bin[b].frames;
    /* none at all only where there is nothing */
    columns = (frames * BAR_COLUMNS + most - 1) / most;
    memset(bar, '#', (size_t)columns);
    bar[columns] = '\0';
    snprintf(range, sizeof range, "%s to %s", microseconds(report, jitter->bin[first].from, from),
             microseconds(report, jitter->bin[last].to, to));
    if (report->markdown)
        fprintf(report->out, "| %s | %ld |\n", range, frames);
    else
        fprintf(report->out, "%-26s %8ld%s%s\n", range, frames, columns > 0 ? "  " : "", bar);
}

static void print_histogram(const struct report *report, const struct jitter *jitter)
{
    int each = jitter->bins > TEXT_ROWS ? jitter->bins / TEXT_ROWS : 1;
    long most = 0;

    for (int b = 0; b < jitter->bins; b += each) {
        long frames = 0;

        for (int i = b; i < b + each; i++)
            frames += jitter->bin[i].frames;
        most = frames > most ? frames : most;
    }
    for (int b = 0; b < jitter->bins; b += each)
        print_row(report, jitter, b, b + each - 1, most);
}

void report_spread(const struct report *report, const struct jitter *jitter)
{
    char text[6][40];

    report_heading(report, "Jitter");
    fputs(report->markdown ? "\n| Result | Value |\n|---|---|\n" : "\n", report->out);
    report_line(report, "", "Jitter", "%ld frame%s whose times vary, seed %llu", jitter->frames,
                jitter->frames == 1 ? "" : "s", (unsigned long long)jitter->seed);
    report_line(
        report, "", "RTC latency", "p50 %s, p99 %s, p99.9 %s; %s to %s, %s without jitter",
        microseconds(report, jitter->p50, text[0]), microseconds(report, jitter->p99, text[1]),
        microseconds(report, jitter->p999, text[2]), microseconds(report, jitter->least, text[3]),
        microseconds(report, jitter->most, text[4]),
        microseconds(report, jitter->latency, text[5]));
    if (jitter->bins == 1 && jitter->least == jitter->latency)
        report_line(report, "", "Spread",
                    "none: the jitter of every device that runs a component is 1");
    print_missed(report, jitter);
    fputs(report->markdown ? "\n| Latency | Frames |\n|---|---:|\n" : "", report->out);
    print_histogram(report, jitter);
}
