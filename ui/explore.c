#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/source.h"
#include "command.h"
#include "draw/text.h"
#include "model/derived.h"
#include "model/range.h"
#include "report/reports.h"
#include "tui/script.h"
#include "tui/tui.h"

static const struct option_row explore_options[] = {
    OPTION_FILE,
    OPTION_HELP,
    OPTION_SET,
    {.name = "version", .letter = 'V', .help = "show the version"},
    OPTION_END,
};

static int run_explorer(struct cli *cli, struct opened_design *design, bool named)
{
    struct app_start start = {.catalogue = cli->catalogue,
                              .scenario = &design->scenario,
                              .document = design->document,
                              .program = cli->program,
                              .named = named};

    design->document = NULL;
    return tui_run(&start, cli->err);
}

static int print_report(struct cli *cli, struct opened_design *design)
{
    int status = source_evaluate(cli, design);

    if (status == EXIT_GOOD) {
        struct record record = record_to(cli->out, RECORD_TEXT);
        struct latency_range range;
        struct error error;

        if (range_find(&design->scenario, &design->result, NULL, NULL, &range, &error) !=
                STATUS_OK ||
            derived_add_budget(&design->scenario, &design->result, DERIVED_BUDGET, &error) !=
                STATUS_OK)
            return arguments_problem(cli, "%s", error.message);
        eval_report(&record, &design->scenario, &design->result, &range, NULL, NULL);
    }
    return status;
}

/* Reports a second operand, which only a misspelt command can have. */
static int check_operands(const struct arguments *arguments)
{
    const char *word = arguments_operand(arguments, 0);
    const char *second = arguments_operand(arguments, 1);

    if (second == NULL)
        return EXIT_GOOD;
    if (arguments_protected(arguments) || command_find(word) != NULL ||
        source_exists(arguments->cli, word))
        return arguments_usage_error(arguments, "unexpected argument \"%s\"", second);
    return arguments_unknown_command(arguments, word);
}

static int run_explore(struct cli *cli, const struct arguments *arguments,
                       struct opened_design *unused)
{
    const char *operand = arguments_operand(arguments, 0);
    struct opened_design design;
    int status;

    (void)unused;
    if (arguments_has(arguments, "version")) {
        help_version(cli->out);
        return EXIT_GOOD;
    }
    if (operand != NULL && !arguments_protected(arguments) && command_find(operand) != NULL)
        return arguments_usage_error(arguments, "options come after the command: aolag %s --...",
                                     operand);
    status = source_open(cli, arguments, operand, &design);
    if (status == EXIT_GOOD)
        status = source_on_terminal(cli) ? run_explorer(cli, &design, operand != NULL)
                                         : print_report(cli, &design);
    source_close(&design);
    return status;
}

const struct command command_explore = {
    .name = "",
    .operands = "[DESIGN|-]",
    .operand_max = INT_MAX, /* check_operands allows one */
    .help = "Explores the design of an adaptive-optics real-time computer in the terminal; without "
            "a terminal, prints its report.",
    .options = explore_options,
    .group = GROUP_DESIGN,
    .priced = true,
    .check = check_operands,
    .run = run_explore,
};

/* Screen --------------------------------------------------------------------------------------- */

#define SIZE_DEFAULT "120x36"
#define SIZE_MAX_CELLS 1000

static const struct option_row screen_options[] = {
    {.name = "ascii", .help = "draw with ASCII characters only"},
    OPTION_FILE,
    OPTION_HELP,
    {.name = "keys",
     .argument = "FILE|-",
     .help = "file of keys to press, one word per line; -: standard input"},
    {.name = "light", .help = "draw the picture on a light background"},
    OPTION_SET,
    {.name = "size",
     .argument = "WxH",
     .values = "60x16 80x24 " SIZE_DEFAULT " 300x100",
     .help = "columns and rows of the screen; default: " SIZE_DEFAULT},
    {.name = "svg",
     .argument = "FILE|-",
     .help =
         "write the last screen as an SVG picture instead of printing it; -: to standard output"},
    OPTION_END,
};

static const struct option_rule screen_rules[] = {
    {.option = "light", .other = "svg"},
    {.option = NULL},
};

static bool read_cells(const char **text, int *value)
{
    char *end;
    long read;

    if (**text < '0' || **text > '9')
        return false;
    read = strtol(*text, &end, 10);
    *text = end;
    *value = (int)read;
    return read >= 1 && read <= SIZE_MAX_CELLS;
}

static bool read_size(const char *text, int *columns, int *rows)
{
    return read_cells(&text, columns) && *text++ == 'x' && read_cells(&text, rows) && *text == '\0';
}

static int check_size(const struct arguments *arguments)
{
    const char *size = arguments_value(arguments, "size");
    int columns, rows;

    if (size == NULL || read_size(size, &columns, &rows))
        return EXIT_GOOD;
    return arguments_usage_error(
        arguments, "--size %s is not columns x rows, as in " SIZE_DEFAULT ", each from 1 to %d",
        size, SIZE_MAX_CELLS);
}

static int play_keys(struct cli *cli, const struct arguments *arguments,
                     struct opened_design *design, FILE *keys, const char *file)
{
    const char *size = arguments_value(arguments, "size");
    bool unicode = locale_is_unicode() && !arguments_has(arguments, "ascii");
    struct app_start start = {.catalogue = cli->catalogue,
                              .scenario = &design->scenario,
                              .document = design->document,
                              .program = cli->program,
                              .named = arguments_operand(arguments, 0) != NULL};
    int columns = 0;
    int rows = 0;

    read_size(size != NULL ? size : SIZE_DEFAULT, &columns, &rows);
    design->document = NULL;
    return script_run(&start, rows, columns, unicode, keys, file,
                        (struct script_picture){arguments_value(arguments, "svg"),
                                                arguments_has(arguments, "light")},
                        cli->out, &cli->output_error, cli->err);
}

static int run_screen(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    const char *file = arguments_value(arguments, "keys");
    const char *path = file != NULL ? file : "/dev/null"; /* no keys */
    struct error error;
    FILE *keys;
    int status;

    if (file != NULL && strcmp(file, "-") == 0)
        return play_keys(cli, arguments, design, cli->in, "standard input");
    if (file_open_input(path, &keys, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    status = play_keys(cli, arguments, design, keys, file);
    fclose(keys);
    return status;
}

const struct command command_screen = {
    .name = "screen",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help =
        "Runs the explorer without a terminal: reads keys from a file and prints screens as text.",
    .options = screen_options,
    .rules = screen_rules,
    .group = GROUP_SCREEN,
    .priced = true,
    .input = INPUT_SCENARIO,
    .check = check_size,
    .run = run_screen,
};
