/* Help texts, generated from the command table. */
#ifndef AOLAG_CLI_HELP_H
#define AOLAG_CLI_HELP_H

#include "command.h"

/* Prints synopsis, description and options of a command; for the explorer also all commands. */
void help_command(FILE *out, const struct command *command);

void help_version(FILE *out);

#endif
