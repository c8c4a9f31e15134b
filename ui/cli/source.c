#include "cli/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/nearest.h"
#include "charts/loop.h"
#include "cli/long_run.h"
#include "command.h"
#include "design/assign.h"
#include "design/notices.h"
#include "design/scenario_edit.h"
#include "draw/text.h"
#include "model/evaluate.h"

/* One byte more than the limit of a scenario, to detect longer ones. */
#define INPUT_MAX (1024 * 1024 + 1)

/* Problems of a file printed by a command that needs it; aolag check prints all. */
#define PROBLEMS_SHOWN 20

/* `kind`: "", "note" or "warning". */
static void print_sentences(FILE *out, const char *file, const char *kind,
                            const struct problems *problems)
{
    const char *after = kind[0] == '\0' ? "" : ": ";

    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->list[i];

        if (problem->line > 0)
            text_line(out, "%s:%d: %s%s%s", file, problem->line, kind, after, problem->message);
        else if (problem->line == 0)
            text_line(out, "aolag: %s: %s%s%s", file, kind, after, problem->message);
        else
            text_line(out, "aolag: %s%s%s", kind, after, problem->message);
    }
}

void source_print_problems(struct cli *cli, FILE *out, const char *file,
                           const struct problems *problems)
{
    struct problems shown = *problems;

    if (out == cli->err && shown.count > PROBLEMS_SHOWN)
        shown.count = PROBLEMS_SHOWN;
    print_sentences(out, file, "", &shown);
    if (shown.count < problems->count)
        text_line(out, "aolag: %s: %s%zu more problems", file,
                  problems->count == PROBLEMS_MAX ? "more than " : "",
                  problems->count - shown.count - (problems->count == PROBLEMS_MAX));
}

void source_print_notes(FILE *out, const char *file, const char *kind, const struct problems *notes)
{
    print_sentences(out, file, kind, notes);
}

/* Reports the outcome of reading `name`, of a file with its notices, and returns the exit status.
 */
static int report_loading(struct cli *cli, enum status status, const char *name, bool file,
                          struct problems *problems, struct opened_design *design)
{
    design->name = name;
    source_print_problems(cli, cli->err, name, problems);
    problems_free(problems);
    if (status == STATUS_OK && file) {
        notices_find(design->document, cli->catalogue, false, problems);
        source_print_notes(cli->err, name, "note", problems);
        problems_free(problems);
    }
    return status == STATUS_OK ? EXIT_GOOD : EXIT_PROBLEM;
}

/* Returns true for the name of what aolag import reads. */
static bool is_pipeline_name(const char *path)
{
    const char *end = strrchr(path, '.');

    return end != NULL &&
           (strcmp(end, ".json") == 0 || strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
}

void source_explain_pipeline(const char *path, struct problems *problems)
{
    bool parameters = false;

    for (size_t i = 0; i < problems->count; i++)
        parameters = parameters || strncmp(problems->list[i].message, "[telescope]:", 12) == 0;
    if (!parameters && !is_pipeline_name(path))
        return;
    problems_free(problems);
    problems_add(problems, 0, "this is not a design; aolag import makes one of %s",
                 parameters ? "a parameter file of TIPTOP or P3" : "a pipeline of daolite");
}

static int open_file(struct cli *cli, const char *path, const struct assignments *assignments,
                     struct opened_design *design)
{
    struct problems problems = {NULL, 0, 0};
    const struct scenario_source source = {
        .catalogue = cli->catalogue, .from = path, .assignments = assignments};
    enum status status =
        scenario_load_from(&design->scenario, &design->document, &source, &problems);

    if (status == STATUS_INVALID)
        source_explain_pipeline(path, &problems);
    return report_loading(cli, status, path, true, &problems, design);
}

static int open_preset(struct cli *cli, const struct preset *preset,
                       const struct assignments *assignments, struct opened_design *design)
{
    struct problems problems = {NULL, 0, 0};
    const struct scenario_source source = {.catalogue = cli->catalogue,
                                           .from = preset->path,
                                           .assignments = assignments,
                                           .embedded = preset->embedded};
    enum status status = scenario_parse_from(&design->scenario, &design->document, preset->text,
                                             preset->length, &source, &problems);

    return report_loading(cli, status, preset->path != NULL ? preset->path : preset->name,
                          preset->path != NULL, &problems, design);
}

bool source_is_pipe(const struct cli *cli, const char *path)
{
    struct stat what;

    return cli->current == NULL && stat(path, &what) == 0 && S_ISFIFO(what.st_mode);
}

/* Reads at most `most` bytes of a pipe or, without its path, of standard input. On failure reports
 * it, sets `bytes` to NULL and returns EXIT_PROBLEM. */
static int read_stream(struct cli *cli, const char *path, size_t most, char **bytes, size_t *length)
{
    struct error error;
    FILE *in = cli->in;
    int reason;

    *bytes = NULL;
    if (path != NULL && file_open_input(path, &in, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    *bytes = allocate(most);
    *length = fread(*bytes, 1, most, in);
    reason = ferror(in) == 0 ? 0 : errno;
    if (path != NULL)
        fclose(in);
    if (reason == 0)
        return EXIT_GOOD;
    free(*bytes);
    *bytes = NULL;
    return arguments_problem(cli, "cannot read %s: %s", path == NULL ? "standard input" : path,
                             strerror(reason));
}

int source_read(struct cli *cli, const char *path, size_t most, char **bytes, size_t *length)
{
    const bool input = strcmp(path, "-") == 0;
    struct error error;

    *bytes = NULL;
    if (input || source_is_pipe(cli, path)) {
        if (read_stream(cli, input ? NULL : path, most + 1, bytes, length) != EXIT_GOOD)
            return EXIT_PROBLEM;
        if (*length <= most)
            return EXIT_GOOD;
        free(*bytes);
        *bytes = NULL;
        return arguments_problem(cli, "%s is longer than %zu MiB", input ? "standard input" : path,
                                 most >> 20);
    }
    if (file_read(path, most, bytes, length, NULL, &error) == STATUS_OK)
        return EXIT_GOOD;
    return arguments_problem(cli, "%s", error.message);
}

/* `path`: of a pipe; NULL: standard input. */
static int open_input(struct cli *cli, const char *path, const struct assignments *assignments,
                      struct opened_design *design)
{
    struct problems problems = {NULL, 0, 0};
    const struct scenario_source source = {.catalogue = cli->catalogue, .assignments = assignments};
    enum status status;
    size_t length;
    char *bytes;

    if (read_stream(cli, path, INPUT_MAX, &bytes, &length) != EXIT_GOOD)
        return EXIT_PROBLEM;
    status = scenario_parse_from(&design->scenario, &design->document, bytes, length, &source,
                                 &problems);
    free(bytes);
    return report_loading(cli, status, path == NULL ? "standard input" : path, true, &problems,
                          design);
}

static int open_default(struct cli *cli, const struct assignments *assignments,
                        struct opened_design *design)
{
    struct error error;
    const struct preset *preset;

    if (cli->current != NULL) {
        design->document = document_new(NULL);
        scenario_copy(&design->scenario, cli->current);
        return EXIT_GOOD;
    }
    preset = catalogue_find(cli->catalogue, SCENARIO_DEFAULT, 1U << PRESET_AO, &error);
    if (preset == NULL)
        return arguments_problem(cli, "%s", error.message);
    return open_preset(cli, preset, assignments, design);
}

/* Begins a design in a file that does not exist yet, as an editor does. */
static int open_new(const char *path, struct opened_design *design)
{
    scenario_init(&design->scenario);
    design->document = document_new(path);
    design->name = path;
    return EXIT_GOOD;
}

static void add_suggestion(struct buffer *list, const char *kind, const char *name)
{
    if (name[0] != '\0')
        buffer_print(list, "%s%s%s", list->length > 0 ? " or " : "", kind, name);
}

/* Reports an operand that is neither preset nor file (nor, if `command`, a command) and suggests
 * the closest of each. */
static int unknown_design(struct cli *cli, const char *operand, bool command)
{
    bool file = preset_is_path(operand);
    struct nearest nearest = nearest_to(operand);
    struct nearest preset = nearest_to(operand);
    char path[FILE_NEAREST];
    char suggestions[800];
    struct buffer list = buffer_over(suggestions, sizeof suggestions);

    for (int i = 0; command && !file && i < command_count; i++)
        if (commands[i]->name[0] != '\0')
            nearest_offer(&nearest, commands[i]->name);
    for (int i = 0; !file && i < catalogue_count(cli->catalogue); i++)
        if (!preset_is_device(catalogue_at(cli->catalogue, i)))
            nearest_offer(&preset, catalogue_at(cli->catalogue, i)->name);
    file_nearest(operand, ".ini", path, sizeof path);
    for (const struct option_row *row = command_find("")->options; command && row->name != NULL;
         row++)
        if (strcmp(row->name, operand) == 0)
            add_suggestion(&list, "the option --", row->name);
    add_suggestion(&list, "the command ", nearest.best);
    add_suggestion(&list, "the preset ", preset.best);
    add_suggestion(&list, "the file ", path);
    if (!file && catalogue_find(cli->catalogue, operand, PRESET_DEVICES, NULL) != NULL)
        return arguments_problem(cli, "%s is the preset of a device, not of a design", operand);
    arguments_problem(
        cli, "there is no %s \"%s\"%s%s%s",
        file      ? "file"
        : command ? "command, AO preset or file"
                  : "AO preset or file",
        operand,
        suggestions[0] != '\0' ? "; did you mean "
        : file                 ? ""
        : command ? "; \"aolag help\" lists the commands, \"aolag presets list ao\" the presets"
                  : "; \"aolag presets list ao\" lists the presets",
        suggestions, suggestions[0] != '\0' ? "?" : "");
    return command && !file ? EXIT_USAGE : EXIT_PROBLEM;
}

const struct preset *source_preset(struct cli *cli, const char *operand, struct error *error)
{
    if (preset_is_path(operand))
        return NULL;
    return catalogue_find(cli->catalogue, operand, PRESET_DESIGNS, error);
}

static bool is_terminal(FILE *file)
{
    return fileno(file) >= 0 && isatty(fileno(file));
}

bool source_on_terminal(const struct cli *cli)
{
    return is_terminal(cli->in) && is_terminal(cli->out);
}

bool source_exists(struct cli *cli, const char *operand)
{
    return strcmp(operand, "-") == 0 || source_preset(cli, operand, NULL) != NULL ||
           access(operand, F_OK) == 0;
}

int source_report_unread(struct cli *cli, unsigned kinds)
{
    int status = EXIT_GOOD, at = 0;
    struct error error;

    while (catalogue_next_unread(cli->catalogue, kinds, &at, &error) != NULL) {
        fflush(cli->out); /* the sentences stand below it */
        status = arguments_problem(cli, "%s", error.message);
    }
    return status;
}

static int open_named(struct cli *cli, const char *operand, bool command,
                      const struct assignments *assignments, struct opened_design *design)
{
    struct error error = {.status = STATUS_OK};
    const struct preset *preset = source_preset(cli, operand, &error);
    struct stat what;

    if (preset != NULL)
        return open_preset(cli, preset, assignments, design);
    if (error.status == STATUS_IO)
        return arguments_problem(cli, "%s", error.message);
    if (command && source_on_terminal(cli) && scenario_is_new_file(operand))
        return open_new(operand, design);
    if (lstat(operand, &what) != 0 && errno == ENOENT)
        return unknown_design(cli, operand, command);
    if (source_is_pipe(cli, operand))
        return open_input(cli, operand, assignments, design);
    return open_file(cli, operand, assignments, design);
}

/* Opens the design named by an operand. `command`: it may be a misspelt command. */
static int open_operand(struct cli *cli, const char *operand, bool command,
                        const struct assignments *assignments, struct opened_design *design)
{
    if (operand == NULL)
        return open_default(cli, assignments, design);
    if (strcmp(operand, "-") == 0)
        return open_input(cli, NULL, assignments, design);
    return open_named(cli, operand, command, assignments, design);
}

bool source_is_word(const struct arguments *arguments, const char *operand)
{
    return !preset_is_path(operand) && !source_exists(arguments->cli, operand);
}

int source_tell_operands(struct cli *cli, struct arguments *arguments)
{
    const struct command *command = arguments->command;
    const int leading = command->leads != NULL;
    const char *kind = arguments_operand(arguments, leading);
    const char *first, *last;
    bool before; /* the first is a design, the last none */

    if (leading && kind != NULL && command->leads(kind) &&
        !source_is_word(arguments, arguments_operand(arguments, 0)))
        arguments_put_last(arguments, arguments_operand(arguments, 0));
    first = last = arguments_operand(arguments, leading);
    for (int i = leading; arguments_operand(arguments, i) != NULL; i++)
        last = arguments_operand(arguments, i);
    before = last != first && source_exists(cli, first) && !source_exists(cli, last);
    if (arguments->file != NULL || (last != first && !before && !command->is_word(arguments, last)))
        arguments->design = last;
    else if (first != NULL && !command->is_word(arguments, first) &&
             (last != first || source_exists(cli, first)))
        arguments->design = first;
    else if (last != first) /* a design that does not exist; most other words have a dot */
        arguments->design = strchr(last, '.') != NULL && strchr(first, '.') == NULL ? first : last;
    arguments_put_last(arguments, arguments->design);
    arguments->word = arguments_operand(arguments, leading);
    if (arguments->word == arguments->design)
        arguments->word = NULL;
    return command->missing != NULL && arguments->word == NULL
               ? arguments_usage_error(arguments, "%s", command->missing)
               : EXIT_GOOD;
}

int source_check_prices(struct cli *cli)
{
    const char *prices = catalogue_unread_prices(cli->catalogue);

    return prices == NULL ? EXIT_GOOD : arguments_problem(cli, "%s", prices);
}

int source_open(struct cli *cli, const struct arguments *arguments, const char *operand,
                struct opened_design *design)
{
    bool command = arguments->command->name[0] == '\0' && !arguments_protected(arguments);
    struct assignments assignments = {arguments->assignments, arguments->assignment_count};
    struct error error;
    int status;

    design->document = NULL;
    design->name = NULL;
    design->assignments = (struct assignments){NULL, 0};
    memset(&design->result, 0, sizeof design->result);
    status = arguments->command->priced ? source_check_prices(cli) : EXIT_GOOD;
    if (status == EXIT_GOOD)
        status = open_operand(cli, operand, command, &assignments, design);
    if (status != EXIT_GOOD)
        return status;
    design->assignments = assignments;
    if (scenario_assign(&design->scenario, cli->catalogue, document_path(design->document),
                        &assignments, &error) == STATUS_OK)
        return EXIT_GOOD;
    arguments_problem(cli, "--set %s", error.message);
    return EXIT_USAGE;
}

void source_result(struct cli *cli, struct result *result)
{
    result_init(result);
    result_watch(result, cli->progress);
}

enum status source_range(struct cli *cli, struct opened_design *design, struct latency_range *range,
                         struct error *error)
{
    struct shown_work work;
    enum status status;

    shown_work_begin(&work, cli, "of the range of the latency");
    result_watch(&design->result, work.progress);
    status = range_find(&design->scenario, &design->result, NULL, work.progress, range, error);
    result_watch(&design->result, cli->progress);
    shown_work_end(&work);
    return status;
}

int source_evaluate(struct cli *cli, struct opened_design *design)
{
    struct error error;

    source_result(cli, &design->result);
    if (evaluate_design(&design->scenario, &design->result, &error) == STATUS_OK)
        return EXIT_GOOD;
    return source_problem(cli, design, &error);
}

/* Returns true if --set stated what the message is about: a knob, or one of a section. */
static bool is_about_assigned(const struct assignments *assignments, const char *message)
{
    const size_t length = strcspn(message, ":");

    for (int i = 0; message[length] != '\0' && i < assignments->count; i++) {
        const char *path = assignments->list[i] + strspn(assignments->list[i], " ");

        if (strncmp(path, message, length) == 0 && strchr(".= ", path[length]) != NULL)
            return true;
    }
    return false;
}

int source_problem(struct cli *cli, const struct opened_design *design, const struct error *error)
{
    struct problems problems = {NULL, 0, 0};

    if (design->name == NULL || is_about_assigned(&design->assignments, error->message))
        return arguments_problem(cli, "%s", error->message);
    problems_add(&problems, document_line(design->document, error->message), "%s", error->message);
    source_print_problems(cli, cli->err, design->name, &problems);
    problems_free(&problems);
    return EXIT_PROBLEM;
}

void source_name_both(const struct cli *cli, const struct arguments *arguments, int first,
                      const char *name[2])
{
    name[0] = arguments_operand(arguments, first);
    name[1] = arguments_operand(arguments, first + 1);
    if (arguments->file != NULL && name[1] != NULL) { /* behind the other, but it is A */
        name[1] = name[0];
        name[0] = arguments->file;
    }
    if (cli->current != NULL && name[1] == NULL)
        name[1] = "present design";
}

int source_open_both(struct cli *cli, const struct arguments *arguments, int first,
                     struct opened_design design[2])
{
    static const char *const subject[2] = {"A", "B"};
    bool present = cli->current != NULL && arguments_operand(arguments, first + 1) == NULL;
    const char *name[2];
    int status = EXIT_GOOD;

    source_name_both(cli, arguments, first, name);
    if (present && name[0] == NULL)
        return arguments_usage_error(
            arguments, "a design to compare with is needed, as in: aolag %s%s elt-scao",
            arguments->command->name, first > 0 ? " compare" : "");
    if (name[0] == NULL || name[1] == NULL)
        return arguments_usage_error(arguments,
                                     "two designs are needed, A and B, as in: aolag %s%s elt-scao "
                                     "mavis",
                                     arguments->command->name, first > 0 ? " compare" : "");
    for (int s = 0; s < 2 && status == EXIT_GOOD; s++) {
        cli->subject = subject[s];
        status = source_open(cli, arguments, present && s == 1 ? NULL : name[s], &design[s]);
        if (status == EXIT_GOOD)
            status = source_evaluate(cli, &design[s]);
    }
    cli->subject = NULL;
    return status;
}

void source_note_star(const struct cli *cli, const struct scenario *scenario)
{
    char reason[200];

    if (loop_star_incomplete(scenario, reason, sizeof reason))
        text_line(cli->err, "aolag: note: noise of the sensor is not included: %s", reason);
}

void source_note_photons(const struct cli *cli, const struct scenario *scenario,
                         struct knob_ref varied)
{
    const int wfs = budget_wfs(scenario);
    char path[48];

    if (wfs < 0 || scenario->wfs[wfs].photons <= 0 ||
        scenario->wfs[wfs].magnitude != MAGNITUDE_NONE ||
        (varied.knob != &knobs[KNOB_SCENARIO_FRAME_RATE] &&
         varied.knob != &knobs[KNOB_COMPONENT_EXPOSURE] &&
         varied.knob != &knobs[KNOB_WFS_RATE_DIVISOR]))
        return;
    section_path(scenario, SECTION_WFS, wfs, path, sizeof path);
    text_line(cli->err,
              "aolag: note: %s.photons are those of an exposure of any length: state magnitude, "
              "band and throughput for a star whose photons follow the exposure",
              path);
}

void source_close(struct opened_design *design)
{
    document_free(design->document);
    result_free(&design->result);
    design->document = NULL;
}
