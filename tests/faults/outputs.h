/* Every output of the program that is a file, with every operation that makes it failing. */
#ifndef AOLAG_FAULTS_OUTPUTS_H
#define AOLAG_FAULTS_OUTPUTS_H

#include "program.h"

/* Makes the list of outputs: files that commands write, pictures of views, and the charts that are
 * added, each by the command that prints it. */
void outputs_begin(void);
void outputs_add_plot(const char *line);

/* Tries the outputs whose name or line contains `only`; unless `all`, a sample that is the same on
 * every run. Works in the working directory, which it empties. */
void outputs_try(const char *only, bool all, struct tally *tally);

/* How many shares of the budget they take. */
unsigned outputs_shares(const char *only);

/* Prints how many faults were tried and found bad, a line per operation. */
void outputs_print_table(void);

#endif
