/* The arguments of a command, a line each. What takes seconds is read but not run. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "command.h"

#define WORDS_MAX 12

/* Returns true for a command that measures, or evaluates a design many times. */
static bool takes_long(int argc, char **argv)
{
    static const char *const names[] = {"advise", "probe", "rank", "run", "screen", "seek",
                                        "trace", "validate"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (argc > 1 && strcmp(argv[1], names[i]) == 0)
            return true;
    return false;
}

/* Returns true if a word has a number that may be a count of thousands. */
static bool counts_long(const char *word)
{
    for (size_t digits; *word != '\0'; word += digits + (word[digits] != '\0')) {
        digits = strspn(word, "0123456789");
        if (digits > 3)
            return true;
    }
    return false;
}

static void read_only(struct cli *cli, int argc, char **argv)
{
    const struct command *command = command_find(argv[1]);
    struct arguments arguments;
    int status;

    if (command_read(cli, command, argc - 1, argv + 1, &arguments, &status))
        arguments_free(&arguments);
}

void fuzz_command_line(const char *bytes, size_t length)
{
    char *text = fuzz_text(bytes, length);
    char *argv[WORDS_MAX + 2] = {"aolag"};
    struct cli cli = {.catalogue = fuzz_catalogue()};
    bool long_run;
    int argc = 1;

    for (char *word = strtok(text, "\n"); word != NULL && argc <= WORDS_MAX;
         word = strtok(NULL, "\n"))
        argv[argc++] = word;
    long_run = takes_long(argc, argv);
    for (int i = 1; i < argc; i++)
        long_run = long_run || counts_long(argv[i]);
    cli.in = fopen("/dev/null", "r");
    cli.out = cli.err = fuzz_open_output();
    fuzz_check(cli.in != NULL, "/dev/null");
    if (!long_run)
        cli_run(&cli, argc, argv);
    else if (command_find(argv[1]) != NULL)
        read_only(&cli, argc, argv);
    fclose(cli.in);
    fuzz_check_output();
    free(text);
}
