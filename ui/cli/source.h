/* Opens the scenario that an operand names, applies --set and evaluates it. Problems are reported
 * to cli->err. */
#ifndef AOLAG_CLI_SOURCE_H
#define AOLAG_CLI_SOURCE_H

#include "cli/arguments.h"
#include "design/scenario_file.h"
#include "model/range.h"
#include "model/result.h"

struct opened_design {
    struct scenario scenario;
    struct document *document;      /* NULL after ownership was transferred */
    struct result result;           /* zeroed until source_evaluate */
    const char *name;               /* of the file or preset; NULL: cli->current */
    struct assignments assignments; /* of --set, as in the arguments */
};

/* Opens the scenario named by an operand and applies --set. Prints the notices of a file
 * (design/notices.h) to cli->err, one of each kind. An operand is a file (if it contains a
 * / or ends in .ini), else an AO preset, else a file, which may be a new one for the explorer on a
 * terminal; "-" is standard input, which a pipe with a name is like; NULL is cli->current
 * or, without one, SCENARIO_DEFAULT. Reports every problem of a file on a separate line and
 * returns the exit status, EXIT_USAGE for a bad --set. Call source_close in any case. */
int source_open(struct cli *cli, const struct arguments *arguments, const char *operand,
                struct opened_design *design);

/* Reports a file of prices of the user that cannot be used; source_open does that for commands of
 * which a row says that they may need it. */
int source_check_prices(struct cli *cli);

/* Returns true if input and output are terminals. */
bool source_on_terminal(const struct cli *cli);

/* Returns the AO preset that an operand names, or NULL if it names a file; sets the error
 * (may be NULL), of STATUS_IO for a preset that cannot be read. */
const struct preset *source_preset(struct cli *cli, const char *operand, struct error *error);

/* Returns true if an operand names an AO preset, a file or standard input. */
bool source_exists(struct cli *cli, const char *operand);

/* Like result_init; what stops the command stops evaluations of the result. */
void source_result(struct cli *cli, struct result *result);

/* Finds the range of the latency of an evaluated design; a terminal shows how much is done. */
enum status source_range(struct cli *cli, struct opened_design *design, struct latency_range *range,
                         struct error *error);

/* Evaluates the design. Reports a problem with FILE:LINE, but not one of what --set states. */
int source_evaluate(struct cli *cli, struct opened_design *design);

/* Reports why the design cannot be evaluated, likewise; returns EXIT_PROBLEM. */
int source_problem(struct cli *cli, const struct opened_design *design, const struct error *error);

/* Says on cli->err that a star whose magnitude is stated does not count, and why: the wavefront error
 * is that without noise then. */
void source_note_star(const struct cli *cli, const struct scenario *scenario);

/* Says on cli->err that stated photons of the star do not follow the exposure, if the knob varies it. */
void source_note_photons(const struct cli *cli, const struct scenario *scenario,
                         struct knob_ref varied);

void source_close(struct opened_design *design);

/* Tells the design from the words beside it, before or after them, and puts it behind them; sets
 * `design` and `word`, the first of them. A usage error if the word is missing that the command needs. */
int source_tell_operands(struct cli *cli, struct arguments *arguments);

/* Returns true for an operand that is no design: no AO preset, no standard input and no name of a file. */
bool source_is_word(const struct arguments *arguments, const char *operand);

/* Returns the operands of two designs, A and B: operands `first` and `first` + 1. On the screen B
 * may be missing and is the present design. Elsewhere NULL: missing. */
void source_name_both(const struct cli *cli, const struct arguments *arguments, int first,
                      const char *name[2]);

/* Opens and evaluates these designs. Problems name the design; a missing operand is a usage error. */
int source_open_both(struct cli *cli, const struct arguments *arguments, int first,
                     struct opened_design design[2]);

/* Reports what catalogue_next_unread finds; returns EXIT_PROBLEM if there is any. */
int source_report_unread(struct cli *cli, unsigned kinds);

/* Returns true for a pipe with a name, as a shell makes of <(command), and for /dev/stdin if that
 * is a pipe. The screen would wait for what writes to it. */
bool source_is_pipe(const struct cli *cli, const char *path);

/* Reads at most `most` bytes of a file, a pipe with a name or, if it is "-", standard input, which the
 * caller frees. On failure reports it, sets `bytes` to NULL and returns EXIT_PROBLEM. */
int source_read(struct cli *cli, const char *path, size_t most, char **bytes, size_t *length);

/* Replaces the problems of a file that aolag import reads, by its name or a section, by what it is. */
void source_explain_pipeline(const char *path, struct problems *problems);

/* Prints "FILE:LINE: sentence", one line per problem; without a line number "aolag: FILE:
 * sentence". To cli->err at most 20, and how many more there are. */
void source_print_problems(struct cli *cli, FILE *out, const char *file,
                           const struct problems *problems);

/* Prints what is to be said of a design that can be evaluated, "FILE:LINE: KIND: sentence". */
void source_print_notes(FILE *out, const char *file, const char *kind,
                        const struct problems *notes);

#endif
