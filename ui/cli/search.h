/* What aolag merge shares with aolag search. */
#ifndef AOLAG_CLI_SEARCH_H
#define AOLAG_CLI_SEARCH_H

#include "cli/arguments.h"
#include "cli/source.h"
#include "explore/shard.h"

#define WITHIN_MAX 50 /* % */

/* Prints the answer of a search made of all its blocks, in order, as `output` asks for. `question`:
 * the arguments of the search; `design`: evaluated. Reports problems and returns an exit status. */
int search_merge(struct cli *cli, const struct arguments *question, const struct arguments *output,
                 struct opened_design *design, struct shard *shard, int count);

#endif
