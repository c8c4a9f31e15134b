/* Commands of the command line, each one file and one row of the table. */
#ifndef AOLAG_COMMAND_H
#define AOLAG_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "design/scenario_file.h"

enum { EXIT_GOOD = 0, EXIT_PROBLEM = 1, EXIT_USAGE = 2 };

/* The AO preset that stands for no scenario at all. */
#define SCENARIO_DEFAULT "elt-scao"

struct cli {
    FILE *in, *out, *err;
    struct catalogue *catalogue;
    int output_error;               /* errno of what `out` refused before its end; 0: nothing */
    const char *program; /* the file this is run from; NULL: unknown, nothing can run beside it */
    const char *subject; /* what problems are about, where that is not plain; NULL: it is */
    const struct scenario *current; /* the design on the screen; NULL on the command line */
};

struct option_row {
    const char *name;     /* long option without the dashes */
    const char *argument; /* "P=V", NULL: takes none */
    const char *help;
};

/* What commands are for, in the order they are listed. */
enum command_group { GROUP_DESIGN, GROUP_WHAT_IF, GROUP_MACHINE, GROUP_SCREEN, GROUPS };

struct command {
    const char *name;                 /* empty: the explorer, which needs no word */
    const char *operands;             /* "[SCENARIO|-]" */
    const char *help;                 /* one line */
    const struct option_row *options; /* ends with a row without a name */
    bool anywhere;                    /* also from the screen's : line */
    int (*run)(struct cli *cli, int argc, char **argv);
    enum command_group group; /* in the list of all commands */
};

extern const struct command commands[];
extern const int command_count;

/* Runs argv[1] where it names a command, else the explorer with all of argv. Returns the exit
 * status; whether cli->out took everything is the caller's to check. */
int cli_run(struct cli *cli, int argc, char **argv);

/* What the rows of the command table are made of: options and function of each command. `command`
 * is the row itself. */

extern const struct option_row advise_options[];
extern const struct option_row check_options[];
extern const struct option_row compare_options[];
extern const struct option_row eval_options[];
extern const struct option_row explain_options[];
extern const struct option_row explore_options[];
extern const struct option_row fit_options[];
extern const struct option_row params_options[];
extern const struct option_row plot_options[];
extern const struct option_row presets_options[];
extern const struct option_row probe_options[];
extern const struct option_row rank_options[];
extern const struct option_row screen_options[];
extern const struct option_row seek_options[];
extern const struct option_row sweep_options[];
extern const struct option_row validate_options[];

int advise_run(struct cli *cli, int argc, char **argv);
int check_run(struct cli *cli, int argc, char **argv);
int compare_run(struct cli *cli, int argc, char **argv);
int eval_run(struct cli *cli, int argc, char **argv);
int explain_run(struct cli *cli, int argc, char **argv);
int explore_run(struct cli *cli, int argc, char **argv);
int fit_run(struct cli *cli, int argc, char **argv);
int params_run(struct cli *cli, int argc, char **argv);
int plot_run(struct cli *cli, int argc, char **argv);
int presets_run(struct cli *cli, int argc, char **argv);
int probe_run(struct cli *cli, int argc, char **argv);
int rank_run(struct cli *cli, int argc, char **argv);
int screen_run(struct cli *cli, int argc, char **argv);
int seek_run(struct cli *cli, int argc, char **argv);
int sweep_run(struct cli *cli, int argc, char **argv);
int validate_run(struct cli *cli, int argc, char **argv);

/* The row of a command by its name. */
const struct command *command_find(const char *name);

#endif
