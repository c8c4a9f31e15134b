/* Sessions of random keys: without a terminal, and on one until the program is killed. */
#ifndef AOLAG_FAULTS_SESSIONS_H
#define AOLAG_FAULTS_SESSIONS_H

#include "outputs.h"

/* Tries the kinds of sessions whose name contains `only`; unless `all`, a few that are the same on
 * every run. Works in the working directory, which it empties. */
void sessions_try(const char *only, bool all, struct tally *tally);

/* How many shares of the budget they take. */
unsigned sessions_shares(const char *only);

/* Prints how many were tried and found bad, a line per kind. */
void sessions_print_table(void);

#endif
