#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "draw/text.h"
#include "probe/wakeups.h"
#include "report/reports.h"

static const struct option_row jitter_options[] = {
    OPTION_CSV,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_MARKDOWN,
    {.name = "output",
     .letter = 'o',
     .argument = "FILE|-",
     .help = "write the device preset of --preset with these late wake-ups to FILE "
             "and replace it if it exists; -: to standard output, in place of the report"},
    {.name = "preset", .argument = "PRESET", .help = "device preset that -o completes"},
    {.name = "unit",
     .argument = "UNIT",
     .values = "ns us ms s",
     .help =
         "unit of latencies without one: ns, us, ms or s; default: us, which is what cyclictest "
         "prints without -N"},
    OPTION_END,
};

static const struct option_rule jitter_rules[] = {
    {.option = "output", .other = "preset"},
    {.option = "preset", .other = "output"},
    {.option = NULL},
};

/* Reads the unit of --unit; NULL without the option. */
static int read_unit(const struct arguments *arguments, const char **unit)
{
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    const char *text = arguments_value(arguments, "unit");

    *unit = NULL;
    if (text == NULL)
        return EXIT_GOOD;
    for (int i = 0; units[i] != NULL; i++)
        if (strcmp(units[i], text) == 0) {
            *unit = units[i];
            return EXIT_GOOD;
        }
    return arguments_unknown(arguments, "unit", text, units);
}

static int read_wakeups(struct cli *cli, const char *path, const char *name, const char *unit,
                        struct wakeups *wakeups)
{
    struct problems problems = {NULL, 0, 0};
    size_t length = 0;
    char *bytes;
    int status = source_read(cli, path, WAKEUPS_BYTES_MAX, &bytes, &length);

    if (status == EXIT_GOOD &&
        wakeups_parse(bytes, length, unit, wakeups, &problems) != STATUS_OK) {
        source_print_problems(cli, cli->err, name, &problems);
        status = EXIT_PROBLEM;
    }
    problems_free(&problems);
    free(bytes);
    return status;
}

/* Says that the latencies may have another unit than was assumed. */
static void note_unit(const struct cli *cli, const char *name, const struct wakeups *wakeups)
{
    double median = wakeups_quantile(wakeups, 0);
    struct problems notes = {NULL, 0, 0};
    char read[32], likely[32];

    if (!wakeups->unit_assumed || median <= WAKEUPS_MEDIAN_LIKELY)
        return;
    quantity_print(median, "s", read, sizeof read);
    quantity_print(median / 1000, "s", likely, sizeof likely);
    problems_add(&notes, 0,
                 "a median of %s is likely one of %s in nanoseconds, as cyclictest -N prints them "
                 "without their unit; --unit ns reads those, --unit us confirms these",
                 read, likely);
    source_print_notes(cli->err, name, "note", &notes);
    problems_free(&notes);
}

/* Finds the preset of --preset, which must be good; NULL without the option. */
static int find_device(struct cli *cli, const struct arguments *arguments,
                       const struct preset **preset)
{
    const char *name = arguments_value(arguments, "preset");
    const struct device *device;
    struct error error;

    *preset = NULL;
    if (name == NULL)
        return EXIT_GOOD;
    if (catalogue_device(cli->catalogue, name, &device, &error) != STATUS_OK)
        return arguments_problem(cli, "--preset: %s", error.message);
    *preset = catalogue_find(cli->catalogue, name, PRESET_DEVICES, &error);
    return EXIT_GOOD;
}

/* Writes the preset; says where a design finds it. */
static int write_preset(struct cli *cli, const struct preset *preset, const struct wakeups *wakeups,
                        const char *path)
{
    struct buffer text = {0};
    char directory[USER_DIRECTORY_SIZE];

    wakeups_preset(&text, wakeups, preset->text, preset->length);
    if (arguments_save(cli, path, &text) != EXIT_GOOD)
        return EXIT_PROBLEM;
    if (path != NULL)
        text_line(cli->err, "saved: %s", path);
    if (path != NULL && preset_directory(directory))
        text_line(cli->err, "designs find presets in %s", directory);
    return EXIT_GOOD;
}

static int run_jitter(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    const char *path = arguments_operand(arguments, 0);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    const char *output = arguments_output(arguments);
    struct record record = cli_record(cli, arguments_format(arguments));
    struct wakeups wakeups = {0};
    const struct preset *preset = NULL;
    const char *unit;
    int status = read_unit(arguments, &unit);

    (void)design;
    if (status == EXIT_GOOD)
        status = find_device(cli, arguments, &preset);
    if (status == EXIT_GOOD)
        status = read_wakeups(cli, path, name, unit, &wakeups);
    if (status == EXIT_GOOD && preset != NULL && wakeups_of_loop(&wakeups))
        status = arguments_problem(cli, "%s: %s", name, WAKEUPS_OF_LOOP);
    if (status == EXIT_GOOD)
        note_unit(cli, name, &wakeups);
    if (status == EXIT_GOOD && (preset == NULL || output != NULL))
        wakeups_report(&record, name, &wakeups);
    if (status == EXIT_GOOD && preset != NULL)
        status = write_preset(cli, preset, &wakeups, output);
    wakeups_free(&wakeups);
    return status;
}

const struct command command_jitter = {
    .name = "jitter",
    .operands = "FILE|-",
    .operand_max = 1,
    .missing = "a FILE is missing",
    .help =
        "Reads measured wake-up latencies, as cyclictest, oslat and rtla timerlat hist print them "
        "or one per line: quantiles, and a device preset with them.",
    .options = jitter_options,
    .rules = jitter_rules,
    .group = GROUP_MACHINE,
    .anywhere = true,
    .run = run_jitter,
};
