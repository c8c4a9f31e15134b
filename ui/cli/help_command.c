#include <limits.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "cli/arguments.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "command.h"

static const struct option_row help_options[] = {
    {.name = "complete",
     .help = "print what the last WORD of a command line may be, as completion in shells asks"},
    OPTION_HELP,
    OPTION_END,
};

static int check_help(const struct arguments *arguments)
{
    if (arguments_operand(arguments, 1) == NULL || arguments_has(arguments, "complete"))
        return EXIT_GOOD;
    return arguments_usage_error(arguments, "unexpected argument \"%s\"",
                                 arguments_operand(arguments, 1));
}

static void print_completion(struct cli *cli, const struct arguments *arguments)
{
    const char **words = allocate_array((size_t)arguments->count + 1, sizeof *words);
    int count = 0;

    for (; arguments_operand(arguments, count) != NULL; count++)
        words[count] = arguments_operand(arguments, count);
    complete_word(cli, words, count);
    free(words);
}

static int run_help(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    const char *word = arguments_operand(arguments, 0);
    const struct command *command = command_find(word != NULL ? word : "");

    (void)design;
    if (arguments_has(arguments, "complete"))
        print_completion(cli, arguments);
    else if (command == NULL)
        return arguments_unknown_command(arguments, word);
    else
        help_command(cli->out, command);
    return EXIT_GOOD;
}

const struct command command_help = {
    .name = "help",
    .operands = "[COMMAND]\n--complete -- [WORD...]",
    .operand_max = INT_MAX,
    .help = "Describes a command and its options; without one, lists all commands.",
    .options = help_options,
    .group = GROUP_SCREEN,
    .check = check_help,
    .run = run_help,
};
