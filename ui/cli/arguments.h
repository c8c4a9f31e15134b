/* Arguments of a command, parsed by its option table: long options that may be abbreviated, some
 * with a letter, options and operands in any order, "--" before operands that look like options. */
#ifndef AOLAG_CLI_ARGUMENTS_H
#define AOLAG_CLI_ARGUMENTS_H

#include <stdbool.h>

#include "command.h"
#include "draw/chart.h"
#include "report/record.h"

#define SEED_MAX 9007199254740991 /* 2^53 - 1, exact in JSON */

/* Rows shared by several commands. */
/* clang-format off */
#define OPTION_CSV {.name = "csv", .help = "print CSV: a header line, then one record per row of the report"}
#define OPTION_SET {.name = "set", .argument = "P=V", .help = "set knob P to value V, for example device.rtc.cores=32; may be repeated"}
#define OPTION_FILE {.name = "file", .letter = 'f', .argument = "DESIGN|-", .help = "the design, in place of an operand"}
#define OPTION_JSON {.name = "json", .help = "print JSON; keys name the units"}
#define OPTION_MARKDOWN {.name = "markdown", .help = "print Markdown"}
#define OPTION_JOBS {.name = "jobs", .argument = "N", .help = "number of threads; default: one per processor", .least = 1, .most = SWEEP_JOBS_MAX}
#define OPTION_SEED {.name = "seed", .argument = "N", .help = "seed of the random numbers; default: 1", .most = SEED_MAX}
#define OPTION_OUTPUT {.name = "output", .letter = 'o', .argument = "FILE|-", .help = "write to FILE and replace it if it exists; -: standard output"}
#define OPTION_HELP {.name = "help", .letter = 'h', .help = "show this help"}
#define OPTION_END {.name = NULL}
/* clang-format on */

struct argument {
    const struct option_row *option; /* NULL: an operand */
    const char *value;               /* value of the option (may be NULL), or the operand */
    bool protected;                  /* operand after "--" */
};

struct arguments {
    struct cli *cli;
    const struct command *command;
    struct argument *list;
    int count;
    const char **assignments; /* values of --set, in order */
    int assignment_count;
    const char *file; /* of --file, which is among the operands; NULL: none */
    /* What source_tell_operands says of a command with a word: NULL where there is none. */
    const char *design, *word;
};

/* Reads the arguments from argv[1] on and checks the numbers and rules of the command. Returns true
 * if the command should continue; otherwise `*status` is the exit status after help was printed or
 * an error reported. */
bool arguments_read(struct cli *cli, const struct command *command, int argc, char **argv,
                    struct arguments *arguments, int *status);
void arguments_free(struct arguments *arguments);

/* `name` must be in the command's table. */
bool arguments_has(const struct arguments *arguments, const char *name);
const char *arguments_value(const struct arguments *arguments, const char *name); /* the last */

/* Returns the file of --output; NULL for standard output (absent or "-"). */
const char *arguments_output(const struct arguments *arguments);

/* Returns the format selected by --json, --csv or --markdown, else text. */
enum record_format arguments_format(const struct arguments *arguments);

/* Begins a record on standard output, for text as wide as the screen shows. */
static inline struct record cli_record(const struct cli *cli, enum record_format format)
{
    struct record record = record_to(cli->out, format);

    if (cli->width > 0)
        record.width = cli->width;
    return record;
}

/* Returns operand `number`, from 0, or NULL. */
const char *arguments_operand(const struct arguments *arguments, int number);

/* Moves an operand, which may be NULL, behind all others. */
void arguments_put_last(struct arguments *arguments, const char *operand);

/* Returns the whole number of an option, in the range of its row; `absent` if it is not given. */
double arguments_number(const struct arguments *arguments, const char *name, double absent);

/* Parses text that starts with a whole number in a range, followed by `end` ("": end of text). */
bool whole_parse(const char *text, const char *end, double least, double most, double *number);

/* Reports an unknown `what`, for example "part", and suggests the closest of `names` (terminated by
 * NULL) or lists all of them; returns EXIT_USAGE. */
int arguments_unknown(const struct arguments *arguments, const char *what, const char *word,
                      const char *const *names);

/* Reports a word that is no command and suggests one; returns EXIT_USAGE. */
int arguments_unknown_command(const struct arguments *arguments, const char *word);

/* Returns true if an operand followed "--", so that none of them is a command. */
bool arguments_protected(const struct arguments *arguments);

/* Reports wrong usage and how to get help; returns EXIT_USAGE. */
int arguments_usage_error(const struct arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports a problem; returns EXIT_PROBLEM. */
int arguments_problem(struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes text to a file, or to standard output where `path` is NULL, with the remark of the file,
 * and frees it. Returns EXIT_PROBLEM after a sentence if it could not be written. */
int arguments_save(struct cli *cli, const char *path, struct buffer *text);

/* Writes a chart as a picture, to standard output where `path` is NULL or "-", likewise. */
int arguments_save_picture(struct cli *cli, const char *path, const struct chart *chart);

/* Prints the remark of a file that was written (base/file.h), if there is one. */
void arguments_remark(struct cli *cli, const char *path, const struct error *remark);

#endif
