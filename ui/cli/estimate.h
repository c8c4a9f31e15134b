/* What a command that evaluates many designs would take, from a sample of them, and its budget. */
#ifndef AOLAG_CLI_ESTIMATE_H
#define AOLAG_CLI_ESTIMATE_H

#include "cli/arguments.h"
#include "explore/sweep.h"

#define BUDGET_MAX 1000000

#define OPTION_BUDGET                                                                              \
    {                                                                                              \
        .name = "budget", .argument = "SECONDS",                                                   \
        .help = "refuse what would take longer, by half or more; default: 60", .least = 1,         \
        .most = BUDGET_MAX                                                                         \
    }

#define SAMPLE_LEAST 100 /* fewer designs are not estimated */
#define SAMPLE_TIME 0.1  /* s that a sample takes at most */
#define SAMPLE_PART 20   /* of the designs, at most a twentieth is tried */

/* Returns the time, s, from which a command is refused: half as much again as its budget, so that a
 * run with the budget that a refusal suggests is not refused by another sample. */
double estimate_limit(const struct arguments *arguments);

/* Returns how long designs `first` to `end` - 1 would take, s: evaluates a sample, all over them.
 * 0 for fewer than SAMPLE_LEAST. A signal (cli/long_run.h) ends it. */
double estimate_sweep(const struct sweep *sweep, uint64_t first, uint64_t end);

/* Says that so many designs would take so long on all threads, and what to do: to give more time
 * and, where `shard`, to divide them. `most`: "up to " if it may be less; `with`: what is of use,
 * as " with the bound". Returns EXIT_PROBLEM. */
int estimate_refuse(const struct arguments *arguments, const struct sweep *sweep, uint64_t designs,
                    double seconds, const char *most, const char *with, bool shard);

#endif
