#include "cli/plot.h"

#include <string.h>
#include <unistd.h>

#include "charts/picture_file.h"
#include "charts/source.h"
#include "cli/commands.h"
#include "draw/chart_svg.h"
#include "nearest.h"

/* clang-format off */
const struct option_row plot_options[] = {
    OPTION_HELP,
    {"of", "NAME", "the device of a roofline, the sensor of a detector, what of a timeline"},
    OPTION_OUTPUT,
    {"result", "PATH", "what a sweep shows; default latency"},
    OPTION_SET,
    OPTION_END,
};
/* clang-format on */

/* "components, machine, sweep" */
static void list_kinds(char *text, size_t size)
{
    text[0] = '\0';
    for (int k = 0; k < plot_kind_count; k++) {
        size_t used = strlen(text);

        snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", plot_kinds[k].name);
    }
}

/* NULL: what is wrong was said. */
static const struct plot_kind *read_kind(struct cli *cli, const struct arguments *arguments)
{
    const char *name = arguments_operand(arguments, 0);
    const struct plot_kind *kind = name == NULL ? NULL : plot_kind_find(name);
    struct nearest nearest;
    char all[160];

    if (kind != NULL)
        return kind;
    list_kinds(all, sizeof all);
    if (name == NULL) {
        arguments_usage_error(cli, arguments->command, "which picture? One of %s", all);
        return NULL;
    }
    nearest = nearest_to(name);
    for (int k = 0; k < plot_kind_count; k++)
        nearest_offer(&nearest, plot_kinds[k].name);
    if (nearest.best[0] != '\0')
        arguments_usage_error(cli, arguments->command,
                              "there is no picture \"%s\"; did you mean %s?", name, nearest.best);
    else
        arguments_usage_error(cli, arguments->command, "there is no picture \"%s\": one of %s",
                              name, all);
    return NULL;
}

/* Where the scenario stands behind the words of a kind, and the first word too many; NULL: there is
 * none. */
static const char *place_scenario(const struct plot_kind *kind, const struct arguments *arguments,
                                  int *scenario)
{
    int words = 1 + kind->words;

    while (words < PLOT_WORDS_MAX - 1 && kind->knobs && arguments_operand(arguments, words) &&
           strchr(arguments_operand(arguments, words), '=') != NULL)
        words++;
    *scenario = words;
    return arguments_operand(arguments, words + kind->design);
}

static int write_chart(const struct plotting *plotting, const char *output)
{
    struct error error;

    if (output == NULL) {
        chart_svg(&plotting->chart, plotting->cli->out);
        return EXIT_GOOD;
    }
    if (picture_write(&plotting->chart, output, false, &error) == STATUS_OK)
        return EXIT_GOOD;
    return arguments_problem(plotting->cli, "%s: %s", output, error.message);
}

static int plot(struct cli *cli, const struct plot_kind *kind, const struct arguments *arguments,
                int scenario)
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
        chart_source(&plotting.chart, kind->design ? plotting.design.scenario.general.title : "");
        status = write_chart(&plotting, arguments_output(arguments));
    }
    chart_free(&plotting.chart);
    if (kind->design)
        source_close(&plotting.design);
    return status;
}

/* Nobody reads SVG on a screen. */
static bool is_for_people(const struct cli *cli)
{
    int file = fileno(cli->out);

    return cli->current != NULL || (file >= 0 && isatty(file) != 0);
}

int plot_run(struct cli *cli, int argc, char **argv)
{
    const struct command *command = command_find("plot");
    struct arguments arguments;
    const struct plot_kind *kind;
    const char *extra = NULL;
    int status;
    int scenario = 0;

    if (!arguments_read(cli, command, argc, argv, PLOT_WORDS_MAX, &arguments, &status))
        return status;
    kind = read_kind(cli, &arguments);
    if (kind != NULL)
        extra = place_scenario(kind, &arguments, &scenario);
    if (kind == NULL)
        status = EXIT_USAGE;
    else if (kind->knobs && arguments_operand(&arguments, PLOT_WORDS_MAX - 1) != NULL &&
             strchr(arguments_operand(&arguments, PLOT_WORDS_MAX - 1), '=') != NULL)
        status = arguments_usage_error(cli, command, "a picture shows two knobs at most");
    else if (extra != NULL)
        status = arguments_usage_error(cli, command, "\"%s\" is one word too many", extra);
    else if (arguments_value(&arguments, "output") == NULL && is_for_people(cli))
        status = arguments_usage_error(cli, command, "which file? As in: aolag plot %s -o %s.svg",
                                       kind->name, kind->name);
    else
        status = plot(cli, kind, &arguments, scenario);
    arguments_free(&arguments);
    return status;
}
