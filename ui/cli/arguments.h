/* The arguments of a command, parsed by its option table: long options with abbreviation, options
 * and operands in any order, "--" before operands that look like options. */
#ifndef AOLAG_CLI_ARGUMENTS_H
#define AOLAG_CLI_ARGUMENTS_H

#include <stdbool.h>

#include "command.h"
#include "report/record.h"

#define SEED_MAX 9007199254740991 /* 2^53 - 1: readers of JSON keep it */

/* Rows that several commands share. */
/* clang-format off */
#define OPTION_CSV {.name = "csv", .help = "print CSV: a header line, then one record per row of the report"}
#define OPTION_SET {.name = "set", .argument = "P=V", .help = "set knob P to value V, for example device.rtc.cores=32; may be repeated"}
#define OPTION_JSON {.name = "json", .help = "print JSON; keys name the units"}
#define OPTION_MARKDOWN {.name = "markdown", .help = "print Markdown; of eval a design report, with charts beside it if -o FILE.md is given"}
#define OPTION_SEED {.name = "seed", .argument = "N", .help = "seed of the random numbers; default: 1", .most = SEED_MAX}
#define OPTION_OUTPUT {.name = "output", .argument = "FILE", .help = "write to FILE (also -o FILE) and replace it if it exists; -: standard output"}
#define OPTION_HELP {.name = "help", .help = "show this help"}
#define OPTION_END {.name = NULL}
/* clang-format on */

struct argument {
    const struct option_row *option; /* NULL: an operand */
    const char *value;               /* of the option (may be NULL), or the operand */
    bool protected;                  /* an operand after "--" */
};

struct arguments {
    struct cli *cli;
    const struct command *command;
    struct argument *list;
    int count;
    const char **assignments; /* values of --set, in order */
    int assignment_count;
};

/* Reads argv[1] and on, and checks the numbers and rules of the command. Returns true when the
 * command is to go on. Otherwise `*status` is the exit status: help was printed, or
 * what is wrong was said. */
bool arguments_read(struct cli *cli, const struct command *command, int argc, char **argv,
                    struct arguments *arguments, int *status);
void arguments_free(struct arguments *arguments);

/* `name` has to be in the command's table. */
bool arguments_has(const struct arguments *arguments, const char *name);
const char *arguments_value(const struct arguments *arguments, const char *name); /* the last */

/* The file of --output; NULL: standard output, which "-" names, too. */
const char *arguments_output(const struct arguments *arguments);

/* The format of --json, --csv or --markdown; else text. */
enum record_format arguments_format(const struct arguments *arguments);

/* The operand by number from 0, NULL when there are not that many. */
const char *arguments_operand(const struct arguments *arguments, int number);

/* The whole number of an option, in the range of its row; `absent` where it is not given. */
double arguments_number(const struct arguments *arguments, const char *name, double absent);

/* Whether text begins with such a number, which `end` follows ("": nothing). */
bool whole_parse(const char *text, const char *end, double least, double most, double *number);

/* Reports that there is no such `what`, for example "part", with the closest of `names` (ends with
 * NULL) or all of them; EXIT_USAGE. */
int arguments_unknown(const struct arguments *arguments, const char *what, const char *word,
                      const char *const *names);

/* Whether operands stood after "--", so that none of them is a command. */
bool arguments_protected(const struct arguments *arguments);

/* Reports wrong usage and how to get help; EXIT_USAGE. */
int arguments_usage_error(const struct arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports a problem; EXIT_PROBLEM. */
int arguments_problem(struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
