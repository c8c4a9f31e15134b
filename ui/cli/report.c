#include "cli/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/markdown.h"
#include "cli/report_parts.h"
#include "cli/text.h"
#include "knob.h"

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
            knob_word(SECTION_SCENARIO, "sharing", scenario->general.sharing));
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
