#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/arguments.h"
#include "cli/measure.h"
#include "command.h"
#include "design/knob_table.h"
#include "draw/text.h"
#include "probe/datagram.h"
#include "probe/echo.h"
#include "probe/machine_preset.h"
#include "probe/measurement.h"
#include "probe/system.h"
#include "report/probe.h"

#define SILENCE 60.0             /* s after which the other end of datagrams ends */
#define LEAST ((size_t)64 << 10) /* B: smaller sizes show no step of the staircase */

static const struct option_row probe_options[] = {
    OPTION_CSV,
    {.name = "dispatch",
     .argument = "WAY",
     .values = "stream graph persistent spin wake process",
     .help =
         "the way to start work of the preset: of a GPU stream (default), graph, persistent; of a "
         "CPU spin (default), wake, process"},
    {.name = "echo",
     .help = "with dispatch: measure nothing; be the other end for --peer until it is silent for a "
             "minute"},
    {.name = "from",
     .argument = "FILE|-",
     .help = "measure nothing; report the points that --csv printed into FILE; -: standard input"},
    OPTION_HELP,
    OPTION_JSON,
    {.name = "largest",
     .argument = "SIZE",
     .help = "use at most this much memory, for example 64MiB"},
    {.name = "listen",
     .argument = "ADDRESS",
     .help = "the address of --echo, for example 10.0.0.2:5000; default: 127.0.0.1 and any port"},
    OPTION_MARKDOWN,
    {.name = "peer",
     .argument = "ADDRESS",
     .help = "measure datagrams to the --echo at this address and port, not over the loopback"},
    {.name = "quick", .help = "measure fewer sizes and samples: all parts take less than a minute"},
    {.name = "save",
     .argument = "NAME",
     .help = "save the machine as a device preset, for device.DEVICE.preset=NAME"},
    OPTION_SEED,
    OPTION_END,
};

static const struct option_rule probe_rules[] = {
    {.option = "dispatch", .other = "save"},
    {.option = "listen", .other = "echo"},
    {.option = "echo", .other = "peer", .excludes = true},
    {.option = "echo", .other = "from", .excludes = true},
    {.option = "echo", .other = "save", .excludes = true},
    {.option = "from", .other = "peer", .excludes = true},
    {.option = "from", .other = "largest", .excludes = true},
    {.option = "from", .other = "quick", .excludes = true},
    {.option = "from", .other = "seed", .excludes = true},
    {.option = NULL},
};

/* Selects the parts named by the operand; returns their number, 0 for an unknown part. */
static int choose_parts(const char *word, const struct probe_part **parts)
{
    *parts = probe_parts;
    if (word == NULL || strcmp(word, "all") == 0)
        return probe_part_count;
    if (strcmp(word, measurement_parts[MEASUREMENT_GPU].name) == 0) {
        *parts = &probe_part_gpu;
        return 1;
    }
    for (; *parts < probe_parts + probe_part_count; ++*parts)
        if (strcmp(word, measurement_parts[(*parts)->part].name) == 0)
            return 1;
    return 0;
}

static int unknown_part(const struct arguments *arguments, const char *word)
{
    const char *names[MEASUREMENT_PARTS + 3] = {NULL};

    for (int i = 0; i < probe_part_count; i++)
        names[i] = measurement_parts[probe_parts[i].part].name;
    names[probe_part_count] = measurement_parts[MEASUREMENT_GPU].name;
    names[probe_part_count + 1] = "all";
    return arguments_unknown(arguments, "part", word, names);
}

/* Returns half of the memory, which leaves the rest to other processes to avoid swapping. */
static double memory_limit(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) / 2 * (double)sysconf(_SC_PAGESIZE);
}

static int read_largest(const struct arguments *arguments, struct probe *probe)
{
    const char *text = arguments_value(arguments, "largest");
    struct error error;
    char most[40];
    double size;

    if (text == NULL)
        return EXIT_GOOD;
    if (quantity_parse(text, "B", &size, &error) != STATUS_OK)
        return arguments_usage_error(arguments, "--largest: %s", error.message);
    if (size < (double)LEAST)
        return arguments_usage_error(arguments, "--largest: %s is less than 64 KiB", text);
    quantity_print(memory_limit(), "B", most, sizeof most);
    if (size > memory_limit())
        return arguments_usage_error(arguments, "--largest: %s is more than half of the memory, %s",
                                     text, most);
    probe->largest = (size_t)size;
    return EXIT_GOOD;
}

/* Prints the report, as CSV only if that was not printed during the measurement. */
static void print_report(const struct arguments *arguments, FILE *out,
                         const struct measure *measure)
{
    struct record record = record_to(out, arguments_format(arguments));
    struct buffer buffer = {0};

    if (record.format != RECORD_CSV) {
        probed_report(&record, &measure->probed);
    } else if (measure->csv == NULL) {
        measurement_csv(&buffer, &measure->probed.measurement);
        text_lines(out, buffer.bytes);
        buffer_free(&buffer);
    }
}

/* Reads --dispatch, which names a way to start work. */
static int read_dispatch(const struct arguments *arguments, enum dispatch *dispatch)
{
    const char *const *ways = knobs[KNOB_DEVICE_DISPATCH_CPU].choices;
    const char *text = arguments_value(arguments, "dispatch");

    *dispatch = DISPATCH_STREAM;
    for (int i = 0; text != NULL && ways[i] != NULL; i++)
        if (strcmp(text, ways[i]) == 0) {
            *dispatch = (enum dispatch)i;
            return EXIT_GOOD;
        }
    return text == NULL ? EXIT_GOOD : arguments_unknown(arguments, "dispatch", text, ways);
}

/* Saves the machine as the preset named by --save and reports the file. */
static int save_machine(struct cli *cli, const struct arguments *arguments,
                        const struct measure *measure)
{
    const char *name = arguments_value(arguments, "save");
    enum dispatch dispatch;
    struct error error;
    char *path;

    if (name == NULL)
        return EXIT_GOOD;
    read_dispatch(arguments, &dispatch);
    if (machine_save(&measure->probed.measurement, name, dispatch, &path, &error) != STATUS_OK)
        return arguments_problem(cli, "not saved: %s", error.message);
    text_line(cli->err, "saved: %s", path);
    arguments_remark(cli, path, &error);
    text_line(cli->err, "to use it: aolag eval --set device.%s.preset=%s",
              machine_preset_is_gpu(&measure->probed.measurement) ? "gpu0" : "rtc", name);
    free(path);
    return EXIT_GOOD;
}

/* Checks the name of --save before anything is measured. */
static int check_name(struct cli *cli, const struct arguments *arguments)
{
    const char *name = arguments_value(arguments, "save");
    struct error error;

    if (name != NULL && machine_save_check(name, &error) != STATUS_OK)
        return arguments_problem(cli, "--save %s: %s", name, error.message);
    return EXIT_GOOD;
}

/* Returns false for a report that would say nothing but why the only part failed. */
static bool measured_something(const struct arguments *arguments, const struct measure *measure)
{
    return measure->probed.measurement.count > 0 || arguments_has(arguments, "json") ||
           measure->probed.part[0].error.status == STATUS_OK;
}

static int measure_and_report(struct cli *cli, const struct arguments *arguments,
                              struct measure *measure, const struct probe_part *parts, int count)
{
    int status = check_name(cli, arguments);
    int saved;

    if (status != EXIT_GOOD)
        return status;
    if (arguments_has(arguments, "csv"))
        measure->csv = cli->out;
    measure_run(measure, parts, count);
    measure_keep(measure, cli->err);
    cli->output_error = measure->csv_error;
    if (measured_something(arguments, measure))
        print_report(arguments, cli->out, measure);
    status = measure_status(measure, cli);
    saved = status == EXIT_GOOD || measure->probed.measurement.count > 0
                ? save_machine(cli, arguments, measure)
                : EXIT_PROBLEM;
    return status == EXIT_GOOD ? saved : status;
}

static bool is_part(const char *word, int part)
{
    return word == NULL || strcmp(word, "all") == 0 ||
           strcmp(word, measurement_parts[part].name) == 0;
}

/* Reports the points of a file, all or those of one part. */
static int report_file(struct cli *cli, const struct arguments *arguments)
{
    const char *word = arguments_operand(arguments, 0);
    struct measure measure = {0};
    bool known = false;
    int status;

    for (int i = 0; i < MEASUREMENT_PARTS; i++)
        known = known || is_part(word, i);
    if (!known)
        return unknown_part(arguments, word);
    status = measure_read(&measure, cli, arguments_value(arguments, "from"));
    if (status != EXIT_GOOD)
        return status;
    for (int i = 0; i < MEASUREMENT_PARTS; i++)
        if (!is_part(word, i))
            measurement_remove(&measure.probed.measurement, (enum measurement_part)i);
    status = check_name(cli, arguments);
    if (status == EXIT_GOOD) {
        print_report(arguments, cli->out, &measure);
        status = save_machine(cli, arguments, &measure);
    }
    measurement_free(&measure.probed.measurement);
    return status;
}

/* Reads the address that an option states; without it the loopback, or nothing. */
static int read_address(const struct arguments *arguments, const char *option,
                        struct datagram_address *address, bool with_port)
{
    const char *text = arguments_value(arguments, option);
    struct error error;

    if (datagram_address_read(address, text != NULL ? text : "127.0.0.1", &error) != STATUS_OK)
        return arguments_usage_error(arguments, "--%s: %s", option, error.message);
    if (text != NULL && with_port && datagram_address_port(address) == 0)
        return arguments_usage_error(arguments, "--%s: %s lacks the port that --echo printed",
                                     option, text);
    return EXIT_GOOD;
}

/* Checks that an option of datagrams comes with the part that sends them. */
static int check_datagrams(const struct arguments *arguments, const char *option, const char *word,
                           bool all)
{
    if (!arguments_has(arguments, option) ||
        (word != NULL && strcmp(word, measurement_parts[MEASUREMENT_DISPATCH].name) == 0) ||
        (all && (word == NULL || strcmp(word, "all") == 0)))
        return EXIT_GOOD;
    return arguments_usage_error(arguments, "--%s needs the part dispatch", option);
}

static bool is_signalled(void *context)
{
    (void)context;
    return long_run_signal() != 0;
}

/* Answers the questions of one peer. */
static int run_echo(struct cli *cli, const struct arguments *arguments)
{
    const struct system *system = system_here();
    char text[DATAGRAM_ADDRESS_MAX];
    struct datagram_address own;
    struct datagram_socket socket;
    struct error error = {0};
    int status = read_address(arguments, "listen", &own, false);

    if (status != EXIT_GOOD)
        return status;
    if (datagram_open(&socket, &own, &error) != STATUS_OK)
        return arguments_problem(cli, "%s", error.message);
    datagram_address_print(&socket.own, text);
    text_line(cli->out, "%s", text);
    fflush(cli->out);
    text_line(cli->err,
              "to measure with it: aolag probe dispatch --peer %s; it ends after %.0f s of "
              "silence, or with Ctrl-C",
              text, SILENCE);
    long_run_open();
    system_pin_thread(system->core[system->cores > 1]);
    system_set_realtime(true);
    if (echo_serve(&socket, SILENCE, is_signalled, NULL, &error) != STATUS_OK)
        status = arguments_problem(cli, "%s", error.message);
    if (long_run_signal() != 0)
        status = 128 + long_run_signal();
    long_run_close();
    datagram_close(&socket);
    return status;
}

static int run_probe(struct cli *cli, const struct arguments *arguments,
                     struct opened_design *design)
{
    const char *word = arguments_operand(arguments, 0);
    const struct probe_part *parts;
    int count = choose_parts(word, &parts);
    struct datagram_address peer;
    struct measure measure;
    enum dispatch dispatch;
    int status;

    (void)design;
    status = read_dispatch(arguments, &dispatch);
    if (status == EXIT_GOOD)
        status = check_datagrams(arguments, "echo", word, false);
    if (status == EXIT_GOOD)
        status = check_datagrams(arguments, "peer", word, true);
    if (status == EXIT_GOOD)
        status = read_address(arguments, "peer", &peer, true);
    if (status != EXIT_GOOD)
        return status;
    if (arguments_has(arguments, "echo"))
        return run_echo(cli, arguments);
    if (arguments_has(arguments, "from"))
        return report_file(cli, arguments);
    if (count == 0)
        return unknown_part(arguments, word);
    measure_open(&measure, arguments_has(arguments, "quick"), cli->err);
    measure.probed.probe.seed =
        (uint64_t)arguments_number(arguments, "seed", (double)measure.probed.probe.seed);
    if (arguments_has(arguments, "peer"))
        measure.probed.probe.peer = &peer;
    status = read_largest(arguments, &measure.probed.probe);
    if (status == EXIT_GOOD)
        status = measure_and_report(cli, arguments, &measure, parts, count);
    measure_close(&measure);
    return status;
}

const struct command command_probe = {
    .name = "probe",
    .operands = "[memory|operations|bandwidth|apex]\ndispatch|gpu|all",
    .operand_max = 1,
    .help = "Measures this machine: latency against working set, operations, bandwidth, locality, "
            "the start of work; or its GPU. "
            "An interrupted run reports what was measured.",
    .options = probe_options,
    .rules = probe_rules,
    .group = GROUP_MACHINE,
    .run = run_probe,
};
