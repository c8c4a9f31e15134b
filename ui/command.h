/* Commands of the command line: each is a file with one row; commands.c lists the rows. */
#ifndef AOLAG_COMMAND_H
#define AOLAG_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "design/preset.h"
#include "design/scenario.h"

enum { EXIT_GOOD = 0, EXIT_PROBLEM = 1, EXIT_USAGE = 2 };

/* The AO preset that is used if no scenario is named. */
#define SCENARIO_DEFAULT "elt-scao"

struct cli {
    FILE *in, *out, *err;
    struct catalogue *catalogue;
    int output_error;               /* errno of the first failed write to `out`; 0: none */
    const char *program;            /* the executable file; NULL: unknown, it cannot be run again */
    const char *subject;            /* prefix of problems: the design they are about; NULL: none */
    const struct scenario *current; /* the design on the screen; NULL on the command line */
};

struct option_row {
    const char *name;     /* long option without the dashes */
    const char *argument; /* "P=V", NULL: takes none */
    const char *help;
    double least, most; /* range of the whole number it takes; most 0: it takes no number */
};

/* An option that needs another, or excludes it. */
struct option_rule {
    const char *option, *other;
    bool excludes;
};

/* Groups of commands, in the order of the help. */
enum command_group { GROUP_DESIGN, GROUP_WHAT_IF, GROUP_MACHINE, GROUP_SCREEN, GROUPS };

/* What a command needs of the scenario that an operand names. */
enum command_input { INPUT_NONE, INPUT_SCENARIO, INPUT_RESULT };

struct arguments; /* cli/arguments.h */
struct design;    /* cli/source.h */

struct command {
    const char *name;                 /* empty: the explorer */
    const char *operands;             /* "[SCENARIO|-]" */
    int operand_max;                  /* how many there may be */
    const char *missing;              /* message if there is none; NULL: none is needed */
    const char *help;                 /* one line */
    const struct option_row *options; /* ends with a row without a name */
    const struct option_rule *rules;  /* ends with a row without an option; NULL: none */
    enum command_group group;         /* in the list of all commands */
    bool anywhere;                    /* also from the screen's : line */
    enum command_input input;
    int scenario; /* number of the operand that names it */

    /* Checks the arguments before the scenario is opened; NULL: no check. Both return an exit
     * status after reporting problems. */
    int (*check)(const struct arguments *arguments);

    /* `design` is what `input` asks for; NULL with INPUT_NONE. */
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
