/* What the rows of the command table are made of: options and function of each command. `command`
 * is the row itself. */
#ifndef AOLAG_COMMANDS_H
#define AOLAG_COMMANDS_H

#include "cli/cli.h"

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
