/* What aolag merge shares with aolag search. */
#ifndef AOLAG_CLI_SEARCH_H
#define AOLAG_CLI_SEARCH_H

#include "cli/arguments.h"
#include "cli/source.h"
#include "explore/shard.h"

#define OPTION_ALL_EQUIVALENT                                                                      \
    {                                                                                              \
        .name = "all", .help = "print each design of the front, also those that cannot be told "   \
                               "from another one"                                                  \
    }
#define OPTION_FRONT_SVG                                                                           \
    {                                                                                              \
        .name = "svg", .argument = "FILE|-",                                                       \
        .help = "also write the front as a picture, latency against power; replaces FILE if it "   \
                "exists; -: to standard output instead of the report"                              \
    }
#define OPTION_TOP                                                                                 \
    {                                                                                              \
        .name = "top", .argument = "N", .help = "print the first N rows of the front", .least = 1, \
        .most = 1000000                                                                            \
    }
#define OPTION_WITHIN                                                                              \
    {                                                                                              \
        .name = "within", .argument = "PERCENT",                                                   \
        .help = "take designs of the front for equivalent that differ by at most so many "         \
                "percent; default: those that aolag compare cannot tell apart",                    \
        .least = 1, .most = 50                                                                     \
    }

/* Prints the answer of a search made of all its blocks, in order, as `output` asks for. `question`:
 * the arguments of the search; `design`: evaluated. Reports problems and returns an exit status. */
int search_merge(struct cli *cli, const struct arguments *question, const struct arguments *output,
                 struct opened_design *design, struct shard *shard, int count);

#endif
