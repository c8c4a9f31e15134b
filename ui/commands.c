#include "command.h"

#include <string.h>

#include "cli/arguments.h"
#include "cli/source.h"

const struct command *const commands[] = {
    &command_explore,    &command_advise,  &command_calibrate, &command_check, &command_compare,
    &command_eval,       &command_explain, &command_export,    &command_fit,   &command_flow,
    &command_help,       &command_import,  &command_jitter,    &command_loop,  &command_merge,
    &command_params,     &command_plot,    &command_presets,   &command_probe, &command_rank,
    &command_run_design, &command_screen,  &command_search,    &command_seek,  &command_sensor,
    &command_sweep,      &command_trace,   &command_validate,
};

const int command_count = (int)(sizeof commands / sizeof commands[0]);

const struct command *command_find(const char *name)
{
    for (int i = 0; i < command_count; i++)
        if (strcmp(commands[i]->name, name) == 0 ||
            (commands[i]->also != NULL && strcmp(commands[i]->also, name) == 0))
            return commands[i];
    return NULL;
}

static int run_with_design(struct cli *cli, const struct arguments *arguments)
{
    const struct command *command = arguments->command;
    struct opened_design design;
    int status = source_open(
        cli, arguments,
        command->is_word != NULL ? arguments->design : arguments_operand(arguments, 0), &design);

    if (status == EXIT_GOOD && command->input == INPUT_RESULT)
        status = source_evaluate(cli, &design);
    if (status == EXIT_GOOD)
        status = command->run(cli, arguments, &design);
    source_close(&design);
    return status;
}

bool command_read(struct cli *cli, const struct command *command, int argc, char **argv,
                  struct arguments *arguments, int *status)
{
    if (!arguments_read(cli, command, argc, argv, arguments, status))
        return false;
    if (command->is_word != NULL)
        *status = source_tell_operands(cli, arguments);
    if (*status == EXIT_GOOD && command->check != NULL)
        *status = command->check(arguments);
    if (*status != EXIT_GOOD)
        arguments_free(arguments);
    return *status == EXIT_GOOD;
}

int command_run(struct cli *cli, const struct command *command, int argc, char **argv)
{
    struct arguments arguments;
    int status;

    if (!command_read(cli, command, argc, argv, &arguments, &status))
        return status;
    status = command->input == INPUT_NONE ? command->run(cli, &arguments, NULL)
                                          : run_with_design(cli, &arguments);
    arguments_free(&arguments);
    return status;
}

int cli_run(struct cli *cli, int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;

    if (command == NULL || command->name[0] == '\0')
        return command_run(cli, &command_explore, argc, argv);
    return command_run(cli, command, argc - 1, argv + 1);
}
