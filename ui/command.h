/* Commands of the command line: each is one file with one row, which command.c lists. */
#ifndef AOLAG_COMMAND_H
#define AOLAG_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "design/preset.h"
#include "design/scenario.h"

enum { EXIT_GOOD = 0, EXIT_PROBLEM = 1, EXIT_USAGE = 2 };

/* The AO preset that stands for no scenario at all. */
#define SCENARIO_DEFAULT "elt-scao"

struct cli {
    FILE *in, *out, *err;
    struct catalogue *catalogue;
    int output_error;    /* errno of what `out` refused before its end; 0: nothing */
    const char *program; /* the file this is run from; NULL: unknown, nothing can run beside it */
    const char *subject; /* what problems are about, where that is not plain; NULL: it is */
    const struct scenario *current; /* the design on the screen; NULL on the command line */
};

struct option_row {
    const char *name;     /* long option without the dashes */
    const char *argument; /* "P=V", NULL: takes none */
    const char *help;
    double least, most; /* of the whole number it takes; most 0: it takes none */
};

/* An option that needs another, or excludes it. */
struct option_rule {
    const char *option, *other;
    bool excludes;
};

/* What commands are for, in the order they are listed. */
enum command_group { GROUP_DESIGN, GROUP_WHAT_IF, GROUP_MACHINE, GROUP_SCREEN, GROUPS };

/* What a command wants of the scenario that one of its operands names. */
enum command_input { INPUT_NONE, INPUT_SCENARIO, INPUT_RESULT };

struct arguments; /* cli/arguments.h */
struct design;    /* cli/source.h */

struct command {
    const char *name;                 /* empty: the explorer, which needs no word */
    const char *operands;             /* "[SCENARIO|-]" */
    int operand_max;                  /* how many there may be */
    const char *missing;              /* what to say where there is none; NULL: none is fine */
    const char *help;                 /* one line */
    const struct option_row *options; /* ends with a row without a name */
    const struct option_rule *rules;  /* ends with a row without an option; NULL: none */
    enum command_group group;         /* in the list of all commands */
    bool anywhere;                    /* also from the screen's : line */
    enum command_input input;
    int scenario; /* number of the operand that names it */

    /* What else is wrong with the words, before the scenario is opened; NULL: nothing can be. Both
     * return an exit status, and what is wrong was said. */
    int (*check)(struct cli *cli, const struct arguments *arguments);

    /* `design` has what `input` wants, and NULL
     * with INPUT_NONE. */
    int (*run)(struct cli *cli, const struct arguments *arguments, struct design *design);
};

/* In the order of their names. */
extern const struct command *const commands[];
extern const int command_count;

extern const struct command command_explore, command_advise, command_check, command_compare,
    command_eval, command_explain, command_fit, command_params, command_plot, command_presets,
    command_probe, command_rank, command_screen, command_seek, command_sweep, command_validate;

/* The command of that name; NULL: none. */
const struct command *command_find(const char *name);

/* Reads the arguments, opens and evaluates the design that the command wants, runs it. Returns the
 * exit status; whether cli->out took everything is the caller's to check. */
int command_run(struct cli *cli, const struct command *command, int argc, char **argv);

/* Runs argv[1] where it names a command, else the explorer with all of argv. */
int cli_run(struct cli *cli, int argc, char **argv);

#endif
