/* From the words of a command to a design: the scenario an operand names, --set applied, evaluated
 * where the command wants it. What goes wrong is said on cli->err. */
#ifndef AOLAG_CLI_SOURCE_H
#define AOLAG_CLI_SOURCE_H

#include "cli/arguments.h"
#include "design/scenario_file.h"
#include "model/result.h"

struct design {
    struct scenario scenario;
    struct document *document; /* NULL after it was taken over */
    struct result result;      /* zeroed until source_evaluate */
    const char *name;          /* of what it was read from; NULL where --set changed it since */
};

/* The scenario an operand names, then --set. An operand is a file (it holds a / or ends in .ini),
 * else an AO preset, else a file; "-" is standard input; NULL is the built-in default, elt-scao (or
 * cli->current). Says what is wrong, every problem of a file on a line of its own, and returns the
 * exit status; EXIT_USAGE for a bad --set. source_close in any case. */
int source_open(struct cli *cli, const struct arguments *arguments, const char *operand,
                struct design *design);

/* Fills the result. A design that has none is named as FILE:LINE where a file says so. */
int source_evaluate(struct cli *cli, struct design *design);

/* Says why it has no result, likewise; EXIT_PROBLEM. */
int source_problem(struct cli *cli, const struct design *design, const struct error *error);

void source_close(struct design *design);

/* Opens and evaluates two designs, A and B, whose names begin at operand `first`; what is wrong is
 * said of the one it is wrong in, two that are not there as wrong usage. */
int source_open_both(struct cli *cli, const struct arguments *arguments, int first,
                     struct design design[2]);

/* "FILE:LINE: sentence", a line for each. */
void source_print_problems(FILE *out, const char *file, const struct problems *problems);

#endif
