/* From the words of a command to a design: the scenario an operand names, --set applied, evaluated
 * where the command wants it. What goes wrong is said on cli->err. */
#ifndef AOLAG_SOURCE_H
#define AOLAG_SOURCE_H

#include "cli/arguments.h"
#include "result.h"

struct design {
    struct scenario scenario;
    struct document *document; /* NULL after it was taken over */
    struct result result;      /* zeroed until design_evaluate */
};

/* The scenario as source_open finds it, then --set. EXIT_USAGE for a bad --set. design_close in any
 * case. */
int design_open(struct cli *cli, const struct arguments *arguments, const char *operand,
                struct design *design);
int design_evaluate(struct cli *cli, struct design *design);
void design_close(struct design *design);

/* "FILE:LINE: sentence", a line for each. */
void problems_print(FILE *out, const char *file, const struct problems *problems);

#endif
