/* Usage, from the command table. */
#ifndef AOLAG_CLI_HELP_H
#define AOLAG_CLI_HELP_H

#include "command.h"

/* "aolag eval [SCENARIO|-] [OPTION]..." without a newline. */
void help_synopsis(FILE *out, const struct command *command);

/* One command: synopsis, what it does, its options. That of the explorer lists the commands too. */
void help_command(FILE *out, const struct command *command);

void help_version(FILE *out);

#endif
