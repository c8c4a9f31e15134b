#include "cli/help.h"

#include <string.h>

#include "cli/text.h"

#define COLUMNS 80
#define NAME_COLUMNS 20

void help_synopsis(FILE *out, const struct command *command)
{
    fprintf(out, "aolag%s%s%s%s [OPTION]...", command->name[0] == '\0' ? "" : " ", command->name,
            command->operands[0] == '\0' ? "" : " ", command->operands);
}

static void entry(FILE *out, const char *name, const char *help)
{
    int width = (int)strlen(name);

    fprintf(out, "  %s", name);
    if (width > NAME_COLUMNS - 4) {
        fputc('\n', out);
        width = -2;
    }
    fprintf(out, "%*s", NAME_COLUMNS - 2 - width, "");
    text_fill(out, help, NAME_COLUMNS, NAME_COLUMNS, COLUMNS);
}

static void options(FILE *out, const struct command *command)
{
    fprintf(out, "\nOptions:\n");
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        char name[64];

        snprintf(name, sizeof name, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
                 row->argument != NULL ? row->argument : "");
        entry(out, name, row->help);
    }
}

void help_command(FILE *out, const struct command *command)
{
    fprintf(out, "Usage: ");
    help_synopsis(out, command);
    fprintf(out, "\n\n");
    text_fill(out, command->help, 0, 0, COLUMNS);
    if (command->name[0] == '\0') {
        fprintf(out, "\nCommands (\"aolag COMMAND --help\" for each):\n");
        for (int i = 0; i < command_count; i++)
            if (commands[i].name[0] != '\0')
                entry(out, commands[i].name, commands[i].help);
    }
    options(out, command);
    if (strstr(command->operands, "SCENARIO") == NULL)
        return;
    fprintf(out,
            "\nSCENARIO is a file (it holds a / or ends in .ini), else the name of an AO\n"
            "preset, else a file; absent: %s.\n",
            SCENARIO_DEFAULT);
}

void help_version(FILE *out)
{
    fprintf(out, "aolag %s\n", PACKAGE_VERSION);
}
