#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "draw/text.h"
#include "import/import.h"
#include "import/parse.h"
#include "model/evaluate.h"
#include "report/import.h"

static const struct option_row import_options[] = {
    {.name = "compat",
     .help =
         "print the report with the times that daolite computes for each component, beside ours"},
    OPTION_CSV,
    {.name = "force", .help = "replace the file of --output if it exists"},
    OPTION_HELP,
    {.name = "host",
     .argument = "PRESET",
     .help = "the computer of a design made of a parameter file of TIPTOP, which states none: a "
             "preset of a CPU"},
    OPTION_JSON,
    {.name = "list", .help = "print the formats that are read, with an example of each"},
    OPTION_MARKDOWN,
    {.name = "output",
     .letter = 'o',
     .argument = "FILE|-",
     .help = "write the design to FILE, which must not exist, and print the report; -: standard "
             "output"},
    OPTION_END,
};

static const struct option_rule import_rules[] = {
    {.option = "force", .other = "output"},
    {.option = NULL},
};

/* Directory of the pipeline, from which the files that it names are read. */
struct pipeline_place {
    const char *path;
};

static enum status read_values(void *context, const char *path, struct values *tree,
                               struct error *error)
{
    const struct pipeline_place *place = context;
    const char *slash = place->path == NULL ? NULL : strrchr(place->path, '/');
    struct problems problems = {0};
    size_t length = 0;
    char *full, *bytes = NULL;
    enum status status;

    if (path[0] == '/' || slash == NULL)
        full = allocate_text(path);
    else
        full = allocate_print("%.*s/%s", (int)(slash - place->path), place->path, path);
    status = file_read(full, PARSE_BYTES_MAX, &bytes, &length, NULL, error);
    if (status == STATUS_OK) {
        status = parse_text(tree, full, bytes, length, PARSE_HARDWARE, &problems);
        if (status != STATUS_OK)
            problems_summary(&problems, full, error);
    }
    problems_free(&problems);
    free(bytes);
    free(full);
    return status;
}

/* Reads the pipeline; reports what is wrong with it. */
static int read_pipeline(struct cli *cli, const char *path, struct import *import)
{
    struct pipeline_place place = {strcmp(path, "-") == 0 ? NULL : path};
    const struct daolite_files files = {read_values, &place};
    const char *name = place.path == NULL ? "standard input" : path;
    struct problems problems = {0};
    size_t length;
    char *bytes;
    enum status status;

    if (source_read(cli, path, PARSE_BYTES_MAX, &bytes, &length) != EXIT_GOOD)
        return EXIT_PROBLEM;
    status = import_read(import, place.path, bytes, length, &files, cli->catalogue, &problems);
    free(bytes);
    source_print_problems(cli, cli->err, name, &problems);
    problems_free(&problems);
    return status == STATUS_OK ? EXIT_GOOD : EXIT_PROBLEM;
}

/* Evaluates the scenario, and finds its range and the changes. */
static int assess(struct cli *cli, const char *name, struct import *import, struct result *result,
                  struct latency_range *range)
{
    struct result another;
    struct error error;
    enum status status;

    source_result(cli, result);
    if (evaluate_design(&import->scenario, result, &error) != STATUS_OK) {
        struct problems problems = {0};

        problems_add(
            &problems,
            conversion_line(&import->conversion, document_line(import->document, error.message)),
            "as a design: %s", error.message);
        source_print_problems(cli, cli->err, name, &problems);
        problems_free(&problems);
        return EXIT_PROBLEM;
    }
    status = range_find(&import->scenario, result, NULL, cli->progress, range, &error);
    if (status == STATUS_OK) {
        source_result(cli, &another);
        status = import_assess(import, result, &another, &error);
        result_free(&another);
    }
    return status == STATUS_OK ? EXIT_GOOD : arguments_problem(cli, "%s", error.message);
}

/* Writes a scenario or an agenda to a file. */
static int write_file(struct cli *cli, const struct arguments *arguments, const char *output,
                      const struct buffer *text)
{
    struct error error;
    enum status status;

    status = file_replace(output, text->bytes, text->length, !arguments_has(arguments, "force"),
                          &file_system, &error);
    if (status == STATUS_CONFLICT)
        return arguments_problem(cli, "%s exists; --force replaces it", output);
    if (status != STATUS_OK)
        return arguments_problem(cli, "%s: %s", output, error.message);
    arguments_remark(cli, output, &error);
    return EXIT_GOOD;
}

/* Writes the scenario, and its agendas beside it. */
static int write_scenario(struct cli *cli, const struct arguments *arguments,
                          const struct import *import)
{
    const char *output = arguments_output(arguments);
    bool beside = strcmp(output, "-") != 0;
    struct buffer text = {0};
    int status;

    import_text(import, beside ? output : NULL, &text);
    status = write_file(cli, arguments, output, &text);
    buffer_free(&text);
    for (int w = 0; w < WFS_MAX && beside && status == EXIT_GOOD; w++) {
        struct buffer name = {0};

        if (import->agenda[w].from == NULL)
            continue;
        import_agenda_name(import, w, output, true, &name);
        status = write_file(cli, arguments, name.bytes, &import->agenda[w].csv);
        buffer_free(&name);
    }
    return status;
}

static void print_report(struct cli *cli, const struct arguments *arguments, const char *name,
                         const struct import *import, const struct result *result,
                         const struct latency_range *range)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    const struct imported imported = {
        .import = import,
        .result = result,
        .range = range,
        .source = name,
        .output = arguments_output(arguments),
        .compatible = arguments_has(arguments, "compat"),
    };

    import_report(&record, &imported);
}

/* Prints which agendas the scenario lacks, because it is in no file. */
static void print_agendas(struct cli *cli, const char *name, const struct import *import)
{
    struct problems files = {0};

    for (int w = 0; w < WFS_MAX; w++)
        if (import->agenda[w].from != NULL)
            problems_add(&files, import->agenda[w].from->agenda_line,
                         "%s: its agenda, which is a file of wfs.%s; -o writes it beside the "
                         "design",
                         import->agenda[w].from->origin, import->scenario.wfs[w].head.name);
    source_print_notes(cli->err, name, "not carried over", &files);
    problems_free(&files);
}

/* Prints the scenario, and beside it what it lacks. */
static void print_scenario(struct cli *cli, const char *name, const struct import *import)
{
    text_lines(cli->out, import->conversion.text.bytes);
    print_agendas(cli, name, import);
    source_print_notes(cli->err, name, "not carried over", import_lost(import));
    source_print_notes(cli->err, name, "assumed", import_assumed(import));
}

static bool wants_report(const struct arguments *arguments)
{
    return arguments_output(arguments) != NULL || arguments_has(arguments, "compat") ||
           arguments_format(arguments) != RECORD_TEXT;
}

/* Takes the computer of --host. */
static int choose_host(struct cli *cli, const struct arguments *arguments, struct import *import)
{
    const char *name = arguments_value(arguments, "host");
    const struct device *device;
    struct error error;

    if (name == NULL)
        return EXIT_GOOD;
    if (catalogue_device(cli->catalogue, name, &device, &error) != STATUS_OK)
        return arguments_problem(cli, "--host: %s", error.message);
    if (device->kind != DEVICE_CPU)
        return arguments_problem(cli, "--host: %s is no CPU; aolag presets list cpu names them",
                                 name);
    import->tiptop.host = name;
    import->tiptop.host_chosen = true;
    return EXIT_GOOD;
}

static int list_formats(struct cli *cli, const struct arguments *arguments)
{
    struct record record = cli_record(cli, arguments_format(arguments));

    import_list(&record);
    return EXIT_GOOD;
}

static int run_file(struct cli *cli, const struct arguments *arguments, const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    struct import *import = allocate_array(1, sizeof *import);
    struct latency_range *range = allocate(sizeof *range);
    struct result result = {0};
    int status = choose_host(cli, arguments, import);

    if (status == EXIT_GOOD)
        status = read_pipeline(cli, path, import);
    if (status == EXIT_GOOD && import->form != IMPORT_DAOLITE &&
        (arguments_has(arguments, "compat") || arguments_format(arguments) == RECORD_CSV))
        status =
            arguments_problem(cli, "%s is no pipeline of daolite, whose components --%s prints",
                              name, arguments_has(arguments, "compat") ? "compat" : "csv");
    if (status == EXIT_GOOD)
        status = assess(cli, name, import, &result, range);
    if (status == EXIT_GOOD && arguments_output(arguments) != NULL)
        status = write_scenario(cli, arguments, import);
    if (status == EXIT_GOOD && (wants_report(arguments) || cli->made != NULL))
        print_report(cli, arguments, name, import, &result, range);
    else if (status == EXIT_GOOD)
        print_scenario(cli, name, import);
    if (status == EXIT_GOOD && !wants_report(arguments) && cli->made != NULL) {
        print_agendas(cli, name, import);
        import_text(import, NULL, cli->made);
    }
    result_free(&result);
    import_free(import);
    free(import);
    free(range);
    return status;
}

static int run_import(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    const char *path = arguments_operand(arguments, 0);

    (void)design;
    if (arguments_has(arguments, "list"))
        return list_formats(cli, arguments);
    return path != NULL ? run_file(cli, arguments, path)
                        : arguments_usage_error(arguments, "a file is missing, as in: %s",
                                                import_forms[IMPORT_DAOLITE].example);
}

const struct command command_import = {
    .name = "import",
    .operands = "FILE|-",
    .operand_max = 1,
    .help = "Makes a design of a pipeline of daolite, and explains why the times differ, or of a "
            "parameter file of TIPTOP or P3, as in: aolag import pipeline.json -o pipeline.ini",
    .options = import_options,
    .rules = import_rules,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .run = run_import,
};
