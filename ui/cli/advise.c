#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "explore/advise.h"
#include "report/advise.h"
#include "report/interrupt.h"

static const struct option_row advise_options[] = {
    {"all", NULL, "list every step, those that gain nothing too, and every sensitivity"},
    OPTION_HELP,
    OPTION_JSON,
    OPTION_SET,
    OPTION_END,
};

/* One line on a terminal, redrawn. */
struct progress_line {
    FILE *out; /* NULL: no terminal */
    enum advise_part part;
    int percent; /* shown; -1: nothing is */
};

static void clear_line(struct progress_line *line)
{
    if (line->out != NULL && line->percent >= 0)
        fputs("\r\033[K", line->out);
    line->percent = -1;
}

static bool tell(void *context, double done)
{
    struct progress_line *line = context;
    int percent = (int)(100 * done);

    if (line->out != NULL && percent != line->percent) {
        fprintf(line->out, "\r\033[Kadvise: %s %d %%", advise_part_name(line->part), percent);
        fflush(line->out);
        line->percent = percent;
    }
    return interrupt_signal() == 0;
}

/* As many parts as there are or, once a signal came, were found by then. */
static int run_parts(struct cli *cli, struct advise *advise, int *parts)
{
    struct progress_line line = {isatty(fileno(cli->err)) != 0 ? cli->err : NULL, ADVISE_STEPS, -1};
    const struct progress progress = {tell, &line};
    struct error error;
    enum status status = STATUS_OK;

    for (*parts = 0; *parts < ADVISE_PARTS; ++*parts) {
        line.part = (enum advise_part) * parts;
        status = advise_find(advise, line.part, &progress, &error);
        if (status != STATUS_OK)
            break;
    }
    clear_line(&line);
    if (status == STATUS_OK)
        return EXIT_GOOD;
    if (status != STATUS_STOPPED)
        return arguments_problem(cli, "%s", error.message);
    arguments_problem(cli, "stopped while working on %s; what is missing is left out",
                      advise_part_name(line.part));
    return 128 + interrupt_signal();
}

static int run_advise(struct cli *cli, const struct arguments *arguments, struct design *design)
{
    struct part_values *part_values = NULL;
    struct advise *advise = NULL;
    struct error error;
    int parts;
    int status;

    if (arguments_has(arguments, "all") && arguments_has(arguments, "json"))
        return arguments_usage_error(cli, arguments->command, "--json tells all; leave out --all");
    if (part_values_new(&part_values, cli->catalogue, &error) != STATUS_OK ||
        advise_new(&advise, &design->scenario, part_values, &error) != STATUS_OK) {
        part_values_free(part_values);
        return arguments_problem(cli, "%s", error.message);
    }
    interrupt_open();
    status = run_parts(cli, advise, &parts);
    if (status != EXIT_PROBLEM) {
        struct record record = record_to(cli->out, arguments_format(arguments));

        advise_report(&record, advise, arguments_has(arguments, "all"), parts);
    }
    interrupt_close();
    advise_free(advise);
    part_values_free(part_values);
    return status;
}

const struct command command_advise = {
    .name = "advise",
    .operands = "[SCENARIO|-]",
    .operand_max = 1,
    .help = "Tells which single change makes a design faster, ranked, the best division of its "
            "devices, the best number of packets, and what meets the target.",
    .options = advise_options,
    .group = GROUP_WHAT_IF,
    .input = INPUT_RESULT,
    .run = run_advise,
};
