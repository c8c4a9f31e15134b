#include "cli/arguments.h"
#include "cli/help.h"
#include "command.h"

static const struct option_row help_options[] = {OPTION_HELP, OPTION_END};

static int run_help(struct cli *cli, const struct arguments *arguments,
                    struct opened_design *design)
{
    const char *word = arguments_operand(arguments, 0);
    const struct command *command = word != NULL ? command_find(word) : &command_explore;

    (void)design;
    if (command == NULL)
        return arguments_unknown_command(arguments, word);
    help_command(cli->out, command);
    return EXIT_GOOD;
}

const struct command command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .operand_max = 1,
    .help = "Describes a command and its options; without one, lists all commands.",
    .options = help_options,
    .group = GROUP_SCREEN,
    .run = run_help,
};
