#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/measure.h"
#include "cli/probe_report.h"
#include "nearest.h"
#include "units.h"

#define LEAST ((size_t)64 << 10) /* B: a smaller staircase has no step */

const struct option_row probe_options[] = {
    OPTION_CSV,
    OPTION_HELP,
    OPTION_JSON,
    {"largest", "SIZE", "touch at most this much memory, as in 64MiB"},
    {"quick", NULL, "measure fewer sizes and samples: all parts within a minute"},
    {"seed", "N", "seed of every random choice; default 1"},
    OPTION_END,
};

/* The rows of the table that the operand asks for; 0: there is no such part. */
static int choose_parts(const char *word, const struct probe_part **parts)
{
    *parts = probe_parts;
    if (word == NULL || strcmp(word, "all") == 0)
        return probe_part_count;
    for (; *parts < probe_parts + probe_part_count; ++*parts)
        if (strcmp(word, measurement_part_name((*parts)->part)) == 0)
            return 1;
    return 0;
}

static int unknown_part(struct cli *cli, const struct command *command, const char *word)
{
    struct nearest nearest = nearest_to(word);
    char names[160] = "";

    for (int i = 0; i < probe_part_count; i++) {
        const char *name = measurement_part_name(probe_parts[i].part);
        size_t used = strlen(names);

        nearest_offer(&nearest, name);
        snprintf(names + used, sizeof names - used, "%s, ", name);
    }
    nearest_offer(&nearest, "all");
    if (nearest.best[0] != '\0')
        return arguments_usage_error(cli, command, "there is no part \"%s\"; did you mean %s?",
                                     word, nearest.best);
    return arguments_usage_error(cli, command, "there is no part \"%s\"; the parts are %sall", word,
                                 names);
}

/* Half of the memory: the rest stays for what else runs, so that nothing is swapped out. */
static double memory_most(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) / 2 * (double)sysconf(_SC_PAGESIZE);
}

static int read_largest(struct cli *cli, const struct arguments *arguments, struct probe *probe)
{
    const char *text = arguments_value(arguments, "largest");
    struct error error;
    char most[40];
    double size;

    if (text == NULL)
        return EXIT_GOOD;
    if (quantity_parse(text, "B", &size, &error) != STATUS_OK)
        return arguments_usage_error(cli, arguments->command, "--largest: %s", error.message);
    if (size < (double)LEAST)
        return arguments_usage_error(cli, arguments->command, "--largest: %s is less than 64 KiB",
                                     text);
    quantity_print(memory_most(), "B", most, sizeof most);
    if (size > memory_most())
        return arguments_usage_error(cli, arguments->command,
                                     "--largest: %s is more than half of the memory, %s", text,
                                     most);
    probe->largest = (size_t)size;
    return EXIT_GOOD;
}

static int read_seed(struct cli *cli, const struct arguments *arguments, struct probe *probe)
{
    const char *text = arguments_value(arguments, "seed");

    if (text == NULL)
        return EXIT_GOOD;
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text) || strlen(text) > 19)
        return arguments_usage_error(cli, arguments->command,
                                     "--seed: \"%s\" is not a whole number of at most 19 digits",
                                     text);
    probe->seed = strtoull(text, NULL, 10);
    return EXIT_GOOD;
}

static int measure_and_report(struct cli *cli, const struct arguments *arguments,
                              struct measure *measure, const struct probe_part *parts, int count)
{
    if (arguments_has(arguments, "csv"))
        measure->csv = cli->out;
    measure_run(measure, parts, count);
    measure_keep(measure, cli->err);
    cli->output_error = measure->csv_error;
    if (arguments_has(arguments, "json"))
        probe_report_json(cli->out, measure);
    else if (measure->csv == NULL)
        probe_report_text(cli->out, measure);
    return measure_status(measure, cli->err);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
    const char *word = arguments_operand(arguments, 0);
    const struct probe_part *parts;
    int count = choose_parts(word, &parts);
    struct measure measure;
    int status;

    if (count == 0)
        return unknown_part(cli, arguments->command, word);
    if (arguments_has(arguments, "csv") && arguments_has(arguments, "json"))
        return arguments_usage_error(cli, arguments->command, "--csv or --json, not both");
    measure_open(&measure, arguments_has(arguments, "quick"), cli->err);
    status = read_largest(cli, arguments, &measure.probe);
    if (status == EXIT_GOOD)
        status = read_seed(cli, arguments, &measure.probe);
    if (status == EXIT_GOOD)
        status = measure_and_report(cli, arguments, &measure, parts, count);
    measure_close(&measure);
    return status;
}

int probe_run(struct cli *cli, int argc, char **argv)
{
    struct arguments arguments;
    int status;

    if (!arguments_read(cli, command_find("probe"), argc, argv, 1, &arguments, &status))
        return status;
    status = run(cli, &arguments);
    arguments_free(&arguments);
    return status;
}
