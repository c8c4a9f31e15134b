#include "cli/help.h"

#include <string.h>

#include "draw/text.h"

#define COLUMNS 80
#define NAME_COLUMNS 20

static void print_synopsis(FILE *out, const struct command *command)
{
    const char *operands = command->operands;
    const char *label = "Usage: ";

    for (;;) {
        size_t length = strcspn(operands, "\n");
        bool first = strncmp(operands, "-- ", 3) == 0; /* options after it are those of a program */

        fprintf(out, "%saolag%s%s%s%s%.*s%s\n", label, command->name[0] == '\0' ? "" : " ",
                command->name, first ? " [OPTION]..." : "", length == 0 ? "" : " ", (int)length,
                operands, first ? "" : " [OPTION]...");
        if (operands[length] == '\0')
            return;
        operands += length + 1;
        label = "   or: ";
    }
}

static void print_entry(FILE *out, const char *name, const char *help)
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

static void print_options(FILE *out, const struct command *command)
{
    fprintf(out, "\nOptions:\n");
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        char name[64], letter[8] = "";

        if (row->letter != '\0')
            snprintf(letter, sizeof letter, "-%c, ", row->letter);
        snprintf(name, sizeof name, "%s--%s%s%s", letter, row->name,
                 row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
        print_entry(out, name, row->help);
    }
}

static void list_commands(FILE *out)
{
    static const char *const titles[GROUPS] = {
        [GROUP_DESIGN] = "Designs",
        [GROUP_WHAT_IF] = "Exploration",
        [GROUP_MACHINE] = "Measurements",
        [GROUP_SCREEN] = "Screen and help",
    };

    fprintf(out, "\nCommands; \"aolag help COMMAND\" describes one:\n");
    for (int group = 0; group < GROUPS; group++) {
        fprintf(out, "\n%s:\n", titles[group]);
        for (int i = 0; i < command_count; i++)
            if ((int)commands[i]->group == group && commands[i]->name[0] != '\0')
                print_entry(out, commands[i]->name, commands[i]->help);
    }
}

void help_command(FILE *out, const struct command *command)
{
    print_synopsis(out, command);
    fputc('\n', out);
    text_fill(out, command->help, 0, 0, COLUMNS);
    if (command->also != NULL)
        fprintf(out, "Its former name, %s, stays.\n", command->also);
    if (command->name[0] == '\0')
        list_commands(out);
    print_options(out, command);
    if (strstr(command->operands, "DESIGN") != NULL)
        fprintf(out,
                "\nDESIGN is a file if it contains a / or ends in .ini, else the name of an AO\n"
                "preset, else a file; - is standard input; default: %s.\n",
                SCENARIO_DEFAULT);
    else if (strncmp(command->operands, "A|-", 3) == 0)
        fputs("\nA and B are files if they contain a / or end in .ini, else names of AO presets,\n"
              "else files; - is standard input.\n",
              out);
    if (command->name[0] == '\0')
        fputs("\nManual: man aolag, man aolag-explorer (the screen), man aolag-tutorial.\n", out);
    else
        fprintf(out, "\nManual: man aolag-%s.\n", command->name);
}

void help_version(FILE *out)
{
    fprintf(out, "aolag %s\n", PACKAGE_VERSION);
}
