#include "cli/arguments.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/number.h"
#include "charts/picture.h"
#include "cli/help.h"
#include "draw/text.h"

/* First getopt_long code of the table's rows; 1 is an operand, '?' and ':' are errors. */
#define FIRST_CODE 256
#define LETTERS_MAX 64
#define COMMANDS_MAX 64

static int option_count(const struct command *command)
{
    int count = 0;

    while (command->options[count].name != NULL)
        count++;
    return count;
}

static struct option *getopt_table(const struct command *command)
{
    int count = option_count(command);
    struct option *table = allocate_array((size_t)count + 1, sizeof *table);

    for (int i = 0; i < count; i++) {
        table[i].name = command->options[i].name;
        table[i].has_arg = command->options[i].argument != NULL ? required_argument : no_argument;
        table[i].val = FIRST_CODE + i;
    }
    return table;
}

/* Writes the short options as getopt_long takes them. The "-" returns operands in order, even with
 * POSIXLY_CORRECT, the ":" a missing value as such. */
static void print_letters(const struct command *command, char letters[LETTERS_MAX])
{
    struct buffer text = buffer_over(letters, LETTERS_MAX);

    buffer_print(&text, "-:");
    for (const struct option_row *row = command->options; row->name != NULL; row++)
        if (row->letter != '\0')
            buffer_print(&text, "%c%s", row->letter, row->argument != NULL ? ":" : "");
}

/* Returns the code of a short option's row, other codes as they are. */
static int code_of_letter(const struct command *command, int code)
{
    for (int i = 0; code > 0 && command->options[i].name != NULL; i++)
        if (command->options[i].letter == code)
            return FIRST_CODE + i;
    return code;
}

/* Reports a word rejected by getopt_long; `code` is that of the matched option, the letter of an
 * unknown short option, or 0 for an unknown long one. */
static int reject_option(const struct arguments *arguments, const char *word, int code)
{
    const struct command *command = arguments->command;
    struct nearest nearest;
    char name[64];
    size_t length;
    char candidates[200];
    struct buffer list = buffer_over(candidates, sizeof candidates);
    int matches = 0;

    if (code >= FIRST_CODE) {
        const struct option_row *row = &command->options[code - FIRST_CODE];

        if (row->argument != NULL)
            return arguments_usage_error(arguments, "--%s needs a value: --%s %s", row->name,
                                         row->name, row->argument);
        return arguments_usage_error(arguments, "--%s takes no value", row->name);
    }
    if (code > 0)
        return arguments_usage_error(arguments, "unknown option -%c", code);
    length = strcspn(word + 2, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word + 2);
    nearest = nearest_to(name);
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        nearest_offer(&nearest, row->name);
        if (strncmp(row->name, name, strlen(name)) == 0)
            buffer_print(&list, "%s--%s", matches++ > 0 ? ", " : "", row->name);
    }
    if (matches > 1)
        return arguments_usage_error(arguments, "--%s is ambiguous: %s", name, candidates);
    if (nearest.best[0] != '\0')
        return arguments_usage_error(arguments, "unknown option --%s; did you mean --%s?", name,
                                     nearest.best);
    return arguments_usage_error(arguments, "unknown option --%s", name);
}

static void append_argument(struct arguments *arguments, const struct option_row *option,
                            const char *value, bool is_protected)
{
    struct argument *argument = &arguments->list[arguments->count++];

    argument->option = option;
    argument->value = value;
    argument->protected = is_protected;
    if (option != NULL && strcmp(option->name, "set") == 0)
        arguments->assignments[arguments->assignment_count++] = value;
}

static bool is_output(const struct option_row *row)
{
    return strcmp(row->name, "output") == 0 || strcmp(row->name, "svg") == 0;
}

static bool is_empty_output(const struct option_row *row, const char *value)
{
    return is_output(row) && value[0] == '\0';
}

/* Whether an operand or the argument of an option may be read, as a file or, if -, as standard
 * input. */
static bool is_input(const struct command *command, const struct argument *argument)
{
    const struct option_row *row = argument->option;

    if (argument->value == NULL)
        return false;
    if (row == NULL) /* not a word of another command line */
        return !argument->protected || strstr(command->operands, "-- ") == NULL;
    return strstr(row->argument, "|-") != NULL && !is_output(row);
}

/* Reads all arguments. Returns EXIT_GOOD, or the exit status after reporting an error. */
static int read_all(int argc, char **argv, const struct option *table, struct arguments *arguments)
{
    const struct command *command = arguments->command;
    char letters[LETTERS_MAX];
    int code;

    print_letters(command, letters);
    optind = 0; /* resets glibc's state */
    opterr = 0;
    while ((code = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        code = code_of_letter(command, code);
        if (code == 1)
            append_argument(arguments, NULL, optarg, false);
        else if (code < FIRST_CODE || is_empty_output(&command->options[code - FIRST_CODE], optarg))
            return reject_option(arguments, argv[optind - 1],
                                 code_of_letter(command, code < FIRST_CODE ? optopt : code));
        else
            append_argument(arguments, &command->options[code - FIRST_CODE], optarg, false);
    }
    for (; optind < argc; optind++)
        append_argument(arguments, NULL, argv[optind], true);
    return EXIT_GOOD;
}

/* Makes the design of --file the last operand. */
static int take_file(struct arguments *arguments)
{
    struct argument *list = arguments->list;
    int given = 0;

    for (int i = 0; i < arguments->count; i++) {
        struct argument *argument = &list[i];

        if (argument->option == NULL || (strcmp(argument->option->name, "file") != 0 &&
                                         strcmp(argument->option->name, "scenario") != 0))
            continue;
        if (given++ > 0)
            return arguments_usage_error(arguments, "--file is given twice; there is one design");
        arguments->file = argument->value;
        memmove(argument, argument + 1, (size_t)(--arguments->count - i--) * sizeof *argument);
    }
    if (given > 0)
        append_argument(arguments, NULL, arguments->file, true);
    return EXIT_GOOD;
}

static int check_numbers(const struct arguments *arguments)
{
    for (int i = 0; i < arguments->count; i++) {
        const struct option_row *row = arguments->list[i].option;
        const char *text = arguments->list[i].value;
        double number;

        if (row != NULL && row->most > 0 && !whole_parse(text, "", row->least, row->most, &number))
            return arguments_usage_error(arguments,
                                         "--%s takes a whole number from %.0f to %.0f, not \"%s\"",
                                         row->name, row->least, row->most, text);
    }
    return EXIT_GOOD;
}

/* What is read once is not there for another. */
static int check_inputs(const struct arguments *arguments)
{
    int inputs = 0;

    for (int i = 0; i < arguments->count; i++)
        inputs += is_input(arguments->command, &arguments->list[i]) &&
                  strcmp(arguments->list[i].value, "-") == 0;
    return inputs < 2 ? EXIT_GOOD
                      : arguments_usage_error(arguments, "only one input can be standard input");
}

/* Whether the command reads the file, too. An operand without a dot or slash may be the name of
 * something else, where it is not always a file. */
static bool is_read(const struct arguments *arguments, const char *path)
{
    const struct command *command = arguments->command;
    const bool files = command->operands != NULL && strncmp(command->operands, "FILE", 4) == 0;

    for (int i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->list[i];

        if (is_input(command, argument) &&
            (argument->option != NULL || files || strpbrk(argument->value, "./") != NULL) &&
            file_same(argument->value, path))
            return true;
    }
    return false;
}

/* Refuses a file that cannot be written before it is computed what belongs there, and one that
 * would be lost: it is read, too. */
static int check_outputs(const struct arguments *arguments)
{
    for (int i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->list[i];
        struct error error;

        if (argument->option == NULL || !is_output(argument->option) ||
            strcmp(argument->value, "-") == 0)
            continue;
        if (file_check_output(argument->value, &error) == STATUS_OK) {
            if (is_read(arguments, argument->value))
                return arguments_usage_error(arguments, "--%s %s: the command reads that file",
                                             argument->option->name, argument->value);
            continue;
        }
        return arguments_problem(
            arguments->cli, "%s%s", error.message,
            file_same(argument->value, "/dev/stdout") ? "; - writes to standard output" : "");
    }
    return EXIT_GOOD;
}

static int check_rules(const struct arguments *arguments, const struct option_rule *rules)
{
    for (const struct option_rule *rule = rules; rule != NULL && rule->option != NULL; rule++) {
        if (!arguments_has(arguments, rule->option) ||
            arguments_has(arguments, rule->other) != rule->excludes)
            continue;
        return arguments_usage_error(
            arguments, rule->excludes ? "--%s and --%s exclude each other" : "--%s needs --%s",
            rule->option, rule->other);
    }
    return EXIT_GOOD;
}

static int check_arguments(const struct arguments *arguments)
{
    static const struct option_rule formats[] = {
        {.option = "csv", .other = "json", .excludes = true},
        {.option = "csv", .other = "markdown", .excludes = true},
        {.option = "json", .other = "markdown", .excludes = true},
        {.option = NULL},
    };
    const struct command *command = arguments->command;
    const char *extra = arguments_operand(arguments, command->operand_max);
    int status;

    if (extra != NULL)
        return arguments_usage_error(arguments, "unexpected argument \"%s\"", extra);
    if (command->missing != NULL && arguments_operand(arguments, 0) == NULL)
        return arguments_usage_error(arguments, "%s", command->missing);
    status = check_numbers(arguments);
    if (status == EXIT_GOOD)
        status = check_inputs(arguments);
    if (status == EXIT_GOOD)
        status = check_rules(arguments, formats);
    if (status == EXIT_GOOD)
        status = check_rules(arguments, command->rules);
    return status == EXIT_GOOD ? check_outputs(arguments) : status;
}

/* Returns the number of arguments that the words have at most: one, or an option per letter. */
static size_t count_arguments(int argc, char **argv)
{
    size_t count = 1;

    for (int i = 0; i < argc; i++)
        count += 1 + strlen(argv[i]);
    return count;
}

bool arguments_read(struct cli *cli, const struct command *command, int argc, char **argv,
                    struct arguments *arguments, int *status)
{
    struct option *table = getopt_table(command);

    memset(arguments, 0, sizeof *arguments);
    arguments->cli = cli;
    arguments->command = command;
    arguments->list = allocate_array(count_arguments(argc, argv), sizeof *arguments->list);
    arguments->assignments = allocate_array((size_t)argc + 1, sizeof *arguments->assignments);
    *status = read_all(argc, argv, table, arguments);
    free(table);
    if (*status == EXIT_GOOD)
        *status = take_file(arguments);
    if (*status == EXIT_GOOD && arguments_has(arguments, "help")) {
        help_command(cli->out, command);
        arguments_free(arguments);
        return false;
    }
    if (*status == EXIT_GOOD)
        *status = check_arguments(arguments);
    if (*status != EXIT_GOOD)
        arguments_free(arguments);
    return *status == EXIT_GOOD;
}

void arguments_free(struct arguments *arguments)
{
    free(arguments->list);
    free(arguments->assignments);
    memset(arguments, 0, sizeof *arguments);
}

bool arguments_has(const struct arguments *arguments, const char *name)
{
    for (int i = 0; i < arguments->count; i++)
        if (arguments->list[i].option != NULL && strcmp(arguments->list[i].option->name, name) == 0)
            return true;
    return false;
}

const char *arguments_value(const struct arguments *arguments, const char *name)
{
    const char *value = NULL;

    for (int i = 0; i < arguments->count; i++)
        if (arguments->list[i].option != NULL && strcmp(arguments->list[i].option->name, name) == 0)
            value = arguments->list[i].value;
    return value;
}

const char *arguments_output(const struct arguments *arguments)
{
    const char *name = arguments_value(arguments, "output");

    return name != NULL && strcmp(name, "-") == 0 ? NULL : name;
}

enum record_format arguments_format(const struct arguments *arguments)
{
    return arguments_has(arguments, "json")       ? RECORD_JSON
           : arguments_has(arguments, "csv")      ? RECORD_CSV
           : arguments_has(arguments, "markdown") ? RECORD_MARKDOWN
                                                  : RECORD_TEXT;
}

const char *arguments_operand(const struct arguments *arguments, int number)
{
    for (int i = 0; i < arguments->count; i++)
        if (arguments->list[i].option == NULL && number-- == 0)
            return arguments->list[i].value;
    return NULL;
}

void arguments_put_last(struct arguments *arguments, const char *operand)
{
    struct argument *list = arguments->list;

    for (int i = 0; i < arguments->count; i++) {
        const struct argument moved = list[i];

        if (moved.option != NULL || moved.value != operand)
            continue;
        memmove(&list[i], &list[i + 1], (size_t)(arguments->count - i - 1) * sizeof *list);
        list[arguments->count - 1] = moved;
        return;
    }
}

bool arguments_protected(const struct arguments *arguments)
{
    return arguments->count > 0 && arguments->list[arguments->count - 1].protected;
}

static void print_sentence(FILE *file, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

static void print_sentence(FILE *file, const char *format, va_list list)
{
    char sentence[2 * ERROR_MESSAGE_MAX];

    vsnprintf(sentence, sizeof sentence, format, list);
    text_line(file, "%s", sentence);
}

int arguments_usage_error(const struct arguments *arguments, const char *format, ...)
{
    struct cli *cli = arguments->cli;
    const struct command *command = arguments->command;
    const char *gap = command->name[0] == '\0' ? "" : " ";
    va_list list;

    fprintf(cli->err, "aolag%s%s: ", gap, command->name);
    va_start(list, format);
    print_sentence(cli->err, format, list);
    va_end(list);
    fprintf(cli->err, "\"aolag%s%s --help\" shows the usage.\n", gap, command->name);
    return EXIT_USAGE;
}

int arguments_problem(struct cli *cli, const char *format, ...)
{
    va_list list;

    fprintf(cli->err, "aolag: %s%s", cli->subject == NULL ? "" : cli->subject,
            cli->subject == NULL ? "" : ": ");
    va_start(list, format);
    print_sentence(cli->err, format, list);
    va_end(list);
    return EXIT_PROBLEM;
}

void arguments_remark(struct cli *cli, const char *path, const struct error *remark)
{
    if (remark->message[0] != '\0')
        text_line(cli->err, "aolag: note: %s: %s", path, remark->message);
}

int arguments_save(struct cli *cli, const char *path, struct buffer *text)
{
    struct error error = {.status = STATUS_OK, .message = ""};

    if (path == NULL)
        text_lines(cli->out, text->bytes);
    else
        file_write(path, text, &error);
    buffer_free(text);
    if (error.status != STATUS_OK)
        return arguments_problem(cli, "not saved: %s", error.message);
    if (path != NULL)
        arguments_remark(cli, path, &error);
    return EXIT_GOOD;
}

int arguments_save_picture(struct cli *cli, const char *path, const struct chart *chart)
{
    struct error error = {.status = STATUS_OK, .message = ""};

    if (path == NULL || strcmp(path, "-") == 0) {
        chart_svg(chart, cli->out);
        return EXIT_GOOD;
    }
    picture_write(chart, path, false, &error);
    if (error.status != STATUS_OK)
        return arguments_problem(cli, "%s: %s", path, error.message);
    arguments_remark(cli, path, &error);
    return EXIT_GOOD;
}

bool whole_parse(const char *text, const char *end, double least, double most, double *number)
{
    const char *rest;

    return number_parse(text, number, &rest) == STATUS_OK &&
           strncmp(rest, end, strlen(end) + (end[0] == '\0')) == 0 && *number >= least &&
           *number <= most && *number == (double)(long long)*number;
}

double arguments_number(const struct arguments *arguments, const char *name, double absent)
{
    const char *text = arguments_value(arguments, name);
    const char *rest;
    double number;

    return text != NULL && number_parse(text, &number, &rest) == STATUS_OK ? number : absent;
}

int arguments_unknown(const struct arguments *arguments, const char *what, const char *word,
                      const char *const *names)
{
    struct nearest nearest = nearest_to(word);
    struct buffer all = {0};
    int status;

    for (int i = 0; names[i] != NULL; i++) {
        nearest_offer(&nearest, names[i]);
        buffer_print(&all, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    if (nearest.best[0] != '\0')
        status = arguments_usage_error(arguments, "unknown %s \"%s\"; did you mean %s?", what, word,
                                       nearest.best);
    else
        status =
            arguments_usage_error(arguments, "unknown %s \"%s\"; one of %s", what, word, all.bytes);
    buffer_free(&all);
    return status;
}

int arguments_unknown_command(const struct arguments *arguments, const char *word)
{
    const char *names[COMMANDS_MAX] = {NULL};
    int count = 0;

    for (int i = 0; i < command_count && count < COMMANDS_MAX - 1; i++)
        if (commands[i]->name[0] != '\0')
            names[count++] = commands[i]->name;
    return arguments_unknown(arguments, "command", word, names);
}
