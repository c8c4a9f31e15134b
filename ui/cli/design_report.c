#include "cli/design_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "charts/picture.h"
#include "cli/plot.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "report/markdown.h"
#include "report/report.h"
#include "report/text.h"

enum { NAME_MAX_BYTES = 4096, VALUE_MAX = 2304, ASSUMED = 3 };

static const char *const pictures[] = {"timeline", "components", "roofline"};

enum { PICTURES = sizeof pictures / sizeof pictures[0] };

/* "The design meets its target of 1 ms: ..." */
static void print_verdict(const struct report *report, const struct result *result)
{
    char latency[40], target[40], factor[40];
    double most = result->latency * result->uncertainty;

    text_quantity(result->latency, "s", true, latency, sizeof latency);
    text_quantity(result->target, "s", true, target, sizeof target);
    text_number(result->uncertainty, factor, sizeof factor);
    fputs("\n**", report->out);
    if (result->overloaded)
        fprintf(report->out, "Overloaded: %s does not keep up with the frame rate.", result->limit);
    else if (result->margin < 0)
        fprintf(report->out, "Misses its target: RTC latency %s, allowed %s.", latency, target);
    else
        fprintf(report->out, "Meets its target: RTC latency %s, allowed %s.", latency, target);
    fprintf(report->out, "** Predictions may be off by a factor of %s either way%s.\n", factor,
            result->overloaded ? ""
            : result->margin < 0 && result->latency / result->uncertainty <= result->target
                ? ", by which it might meet it"
            : result->margin >= 0 && most > result->target ? ", by which it might miss it"
                                                           : "; the verdict stands");
}

/* What nobody stated: values whose origin is not the design or a preset's statement. */
static bool is_assumption(enum origin origin)
{
    return origin == ORIGIN_ASSUMED || origin == ORIGIN_MEASURED || origin == ORIGIN_FITTED;
}

static void add_assumptions(struct table *table, const struct scenario *scenario,
                            enum section section, int index)
{
    int first = knob_section_first(section);

    for (int k = first; k < first + knob_section_count(section); k++) {
        struct knob_ref ref = {section, index, &knobs[k]};
        char text[VALUE_MAX];

        if (!knob_applies(scenario, section, index, &knobs[k]) || knob_idle(scenario, ref) ||
            !is_assumption(knob_origin(scenario, ref)))
            continue;
        knob_get_text(scenario, ref, text, sizeof text);
        if (text[0] == '\0')
            continue;
        knob_path(scenario, ref, text, sizeof text);
        table_add(table, text);
        knob_get_text(scenario, ref, text, sizeof text);
        table_add(table, text);
        table_add(table, origin_name(knob_origin(scenario, ref)));
    }
}

static void print_assumptions(const struct report *report, const struct scenario *scenario)
{
    struct table table = table_new(ASSUMED, 0, 0);

    table_add(&table, "Knob");
    table_add(&table, "Value");
    table_add(&table, "Origin");
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < section_count(scenario, (enum section)s); i++)
            add_assumptions(&table, scenario, (enum section)s, i);
    report_heading(report, "Assumptions");
    if (table.count > ASSUMED)
        report_table(report, &table);
    else
        fputs("\nNone: every value is stated.\n", report->out);
    table_free(&table);
}

static void print_uncertainty(const struct report *report, const struct result *result)
{
    char least[40], most[40], factor[40];

    text_quantity(result->latency / result->uncertainty, "s", true, least, sizeof least);
    text_quantity(result->latency * result->uncertainty, "s", true, most, sizeof most);
    text_number(result->uncertainty, factor, sizeof factor);
    report_heading(report, "Uncertainty");
    fprintf(report->out,
            "\nThe latency may be off by a factor of %s either way: from %s to %s. It follows from "
            "how far\npredictions for the devices are off and says nothing of the assumptions "
            "above.\n",
            factor, least, most);
}

static void print_all(FILE *out, const struct design *design, const struct jitter *jitter)
{
    struct report report = {out, true, "", "", "", "", true};

    report_head(&report, &design->scenario, &design->result);
    print_verdict(&report, &design->result);
    report_heading(&report, "Results");
    fputs("\n| Result | Value |\n|---|---|\n", out);
    report_lines(&report, &design->scenario, &design->result);
    report_tables(&report, &design->scenario, &design->result);
    if (jitter != NULL)
        report_spread(&report, jitter);
    print_assumptions(&report, &design->scenario);
    print_uncertainty(&report, &design->result);
    report_heading(&report, "Pictures");
}

/* "FILE-timeline.svg" of "FILE.md". */
static void picture_name(const char *output, const char *kind, char name[NAME_MAX_BYTES])
{
    size_t length = strlen(output);

    if (length > 3 && strcmp(output + length - 3, ".md") == 0)
        length -= 3;
    snprintf(name, NAME_MAX_BYTES, "%.*s-%s.svg", (int)length, output, kind);
}

static int write_picture(struct cli *cli, const struct arguments *arguments,
                         const struct design *design, const struct plot_kind *kind,
                         const char *name)
{
    struct plotting plotting = {.cli = cli, .arguments = arguments, .design = *design};
    int status = kind->build(&plotting);
    struct error error;

    chart_source(&plotting.chart, design->scenario.general.title);
    if (status == EXIT_GOOD && picture_write(&plotting.chart, name, false, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s: %s", name, error.message);
    chart_free(&plotting.chart);
    return status;
}

/* The pictures beside the file, and their lines in it. */
static int add_pictures(struct cli *cli, const struct arguments *arguments,
                        const struct design *design, const char *output, FILE *out)
{
    int status = EXIT_GOOD;

    for (int p = 0; p < PICTURES && status == EXIT_GOOD; p++) {
        const struct plot_kind *kind = plot_kind_find(pictures[p]);
        char name[NAME_MAX_BYTES];
        const char *slash;

        if (kind == NULL)
            continue;
        picture_name(output, kind->name, name);
        status = write_picture(cli, arguments, design, kind, name);
        slash = strrchr(name, '/');
        fprintf(out, "\n![%c%s](<%s>)\n", kind->name[0] - 'a' + 'A', kind->name + 1,
                slash == NULL ? name : slash + 1);
    }
    return status;
}

static int write_report(struct cli *cli, const char *output, const char *text, size_t length)
{
    struct error error;
    char *target = file_resolve(output, &error);
    bool good = target != NULL &&
                file_replace(target, text, length, false, &file_system, &error) == STATUS_OK;

    free(target);
    return good ? EXIT_GOOD : arguments_problem(cli, "%s: %s", output, error.message);
}

int design_report(struct cli *cli, const struct arguments *arguments, const struct design *design,
                  const struct jitter *jitter, const char *output)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out;
    int status;

    if (output == NULL) {
        print_all(cli->out, design, jitter);
        fputs("\nWith -o FILE.md they are written beside the report.\n", cli->out);
        return EXIT_GOOD;
    }
    out = open_memstream(&text, &length);
    if (out == NULL)
        return arguments_problem(cli, "out of memory");
    print_all(out, design, jitter);
    status = add_pictures(cli, arguments, design, output, out);
    if (fclose(out) != 0 && status == EXIT_GOOD)
        status = arguments_problem(cli, "out of memory");
    if (status == EXIT_GOOD)
        status = write_report(cli, output, text, length);
    free(text);
    return status;
}
