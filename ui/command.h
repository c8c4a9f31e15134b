/* Commands of the command line: each file defines one row; commands.c lists the rows. */
#ifndef AOLAG_COMMAND_H
#define AOLAG_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/progress.h"
#include "design/preset.h"
#include "design/scenario.h"

enum { EXIT_GOOD = 0, EXIT_PROBLEM = 1, EXIT_USAGE = 2 };

/* AO preset used if no scenario is given. */
#define SCENARIO_DEFAULT "micado-scao"

struct cli {
    FILE *in, *out, *err;
    struct catalogue *catalogue;
    int output_error;                /* errno of the first failed write to `out`; 0: none */
    const char *program;             /* executable file; NULL: unknown, it cannot be run again */
    const char *subject;             /* prefix of problems that names the design; NULL: none */
    const struct scenario *current;  /* design on the screen; NULL on the command line */
    const struct progress *progress; /* stops evaluations on the screen; NULL: nothing does */
    struct buffer *made;             /* on the screen, gets the design that a command makes; NULL: that
                                        is printed */
    int width;                       /* columns for text on the screen; 0: those of a record */
};

struct option_row {
    const char *name;     /* long option without the dashes */
    char letter;          /* short option; '\0': none */
    const char *argument; /* "P=V"; NULL: the option has no argument */
    const char *help;
    const char *values; /* some that the argument may have, for completion; NULL: many */
    double least, most; /* range of an argument that is a whole number; most 0: not a number */
};

/* Option that requires or excludes another. */
struct option_rule {
    const char *option, *other;
    bool excludes;
};

/* Groups of commands, in the order of the help text. */
enum command_group { GROUP_DESIGN, GROUP_WHAT_IF, GROUP_MACHINE, GROUP_SCREEN, GROUPS };

/* Form in which a command needs the scenario named by an operand. */
enum command_input { INPUT_NONE, INPUT_SCENARIO, INPUT_RESULT };

struct arguments;     /* cli/arguments.h */
struct opened_design; /* cli/source.h */

struct command {
    const char *name;                 /* empty: the explorer */
    const char *also;                 /* former name, which stays; NULL: none */
    const char *operands;             /* "[DESIGN|-]"; alternatives are separated by newlines */
    int operand_max;                  /* maximum number of operands */
    const char *missing;              /* message if there is no operand; NULL: none is required */
    const char *help;                 /* one line */
    const struct option_row *options; /* terminated by a row without a name */
    const struct option_rule *rules;  /* terminated by a row without an option; NULL: none */
    enum command_group group;         /* in the list of all commands */
    bool anywhere;                    /* also available on the : line of the screen */
    bool priced;                      /* may print or compare the prices of a design's presets */
    enum command_input input;
    /* Whether an operand is a word beside the design, which may stand before or after such words
     * (source_tell_operands). NULL: operand 0 is the design, or the command reads its operands. */
    bool (*is_word)(const struct arguments *arguments, const char *operand);
    /* Whether an operand is the first word of a command whose design may stand before it or behind; the others
     * are words or the design. NULL: there is no such word. */
    bool (*leads)(const char *operand);

    /* Checks the arguments before the scenario is opened; NULL: no check. `check` and `run` report
     * problems and return an exit status. */
    int (*check)(const struct arguments *arguments);

    /* `design` is in the form requested by `input`; NULL with INPUT_NONE. */
    int (*run)(struct cli *cli, const struct arguments *arguments, struct opened_design *design);
};

/* Sorted by name. */
extern const struct command *const commands[];
extern const int command_count;

extern const struct command command_explore, command_advise, command_calibrate, command_check,
    command_compare, command_eval, command_explain, command_export, command_fit, command_flow,
    command_help, command_import, command_jitter, command_loop, command_merge, command_params,
    command_plot, command_presets, command_probe, command_rank, command_run_design, command_screen,
    command_search, command_seek, command_sensor, command_sweep, command_trace, command_validate;

/* Returns the command with a name, or NULL; the explorer has none, "". */
const struct command *command_find(const char *name);

/* Reads and checks the arguments. Returns false with an exit status, of help or after a problem. */
bool command_read(struct cli *cli, const struct command *command, int argc, char **argv,
                  struct arguments *arguments, int *status);

/* Reads the arguments, opens and evaluates the design as the command requires, and runs the
 * command. Returns the exit status; the caller must check cli->out for write errors. */
int command_run(struct cli *cli, const struct command *command, int argc, char **argv);

/* Runs the command named by argv[1], or the explorer with all of argv if it names none. */
int cli_run(struct cli *cli, int argc, char **argv);

#endif
