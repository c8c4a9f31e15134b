#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "cli/arguments.h"
#include "cli/long_run.h"
#include "cli/source.h"
#include "command.h"
#include "draw/text.h"
#include "report/run.h"
#include "run/here.h"
#include "run/run.h"

#define FRAMES 1000     /* by default, */
#define SECONDS 10      /* but not for longer, */
#define FRAMES_LEAST 50 /* but these */
#define OVERTIME 2      /* times the time of the frames, and SECONDS, for a host that is too slow */

static const struct option_row run_options[] = {
    {.name = "as",
     .argument = "DEVICE",
     .help = "predict the hosts as this device preset; default: as this machine was probed last, "
             "else as the system describes it"},
    OPTION_CSV,
    OPTION_FILE,
    {.name = "frames",
     .argument = "N",
     .help = "measure so many frames; default: 1000, but for 10 s at most",
     .least = 1,
     .most = RUN_FRAMES_MAX},
    OPTION_HELP,
    OPTION_JSON,
    OPTION_MARKDOWN,
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "also write to FILE what --json prints, which aolag calibrate --run takes"},
    {.name = "outside",
     .argument = "ADDRESS:PORT",
     .help =
         "be the cameras and mirrors of a run of this design on another machine, which names this "
         "address with --peer"},
    {.name = "peer",
     .argument = "ADDRESS:PORT",
     .help =
         "run with the cameras and mirrors of another machine, which was started with --outside"},
    {.name = "seconds", .argument = "S", .help = "measure for so long", .least = 1, .most = 86400},
    OPTION_SET,
    {.name = "width",
     .argument = "COLUMNS",
     .help = "columns of the text, by default 80",
     .least = 20,
     .most = 1000},
    OPTION_END,
};

static const struct option_rule run_rules[] = {
    {.option = "frames", .other = "seconds", .excludes = true},
    {.option = "outside", .other = "frames", .excludes = true},
    {.option = "outside", .other = "output", .excludes = true},
    {.option = "outside", .other = "peer", .excludes = true},
    {.option = "outside", .other = "seconds", .excludes = true},
    {.option = NULL},
};

struct run_command {
    struct cli *cli;
    const struct arguments *arguments;
    struct opened_design *design;
    struct device here; /* in the place of the hosts */
    char machine[TEXT_MAX_LENGTH + 60];
    int replaced, cores, cores_stated;
    struct run_job job;
    struct datagram_address peer, own;
    struct latency_range range;
    double low[NODE_MAX], high[NODE_MAX];
    struct run_outcome outcome;
};

/* Returns the cores of the hosts that are used. */
static int count_cores(const struct scenario *scenario)
{
    double cores = 0;

    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == DEVICE_CPU && scenario_device_used(scenario, d))
            cores += scenario->device[d].sockets * scenario->device[d].cores;
    return (int)cores;
}

/* Puts this machine, or the preset of --as, in the place of the hosts. */
static int put_machine(struct run_command *run)
{
    struct scenario *scenario = &run->design->scenario;
    const char *name = arguments_value(run->arguments, "as");
    const struct device *device = &run->here;
    struct error error;
    bool probed;

    run->cores_stated = count_cores(scenario);
    if (name != NULL) {
        if (catalogue_device(run->cli->catalogue, name, &device, &error) != STATUS_OK)
            return arguments_problem(run->cli, "--as: %s", error.message);
        if (device->kind != DEVICE_CPU)
            return arguments_problem(run->cli, "--as %s: a host is a CPU", name);
        snprintf(run->machine, sizeof run->machine, "%s", name);
    } else {
        if (run_device_here(&run->here, &probed, &error) != STATUS_OK)
            return arguments_problem(run->cli, "%s", error.message);
        snprintf(run->machine, sizeof run->machine, "%s%s", run->here.model,
                 probed ? "" : ", not measured: aolag probe all does that");
    }
    run->replaced = run_put_device(scenario, name != NULL ? name : "", device, name != NULL);
    run->cores = count_cores(scenario);
    return EXIT_GOOD;
}

/* Reads --frames and --seconds. */
static int read_frames(const struct run_command *run, long *frames)
{
    const double period = run->job.period;
    const double seconds = arguments_number(run->arguments, "seconds", 0);
    const double all = seconds / period;

    if (all > RUN_FRAMES_MAX)
        return arguments_usage_error(run->arguments,
                                     "--seconds %.0f are %.0f frames; allowed: up to %d frames",
                                     seconds, all, RUN_FRAMES_MAX);
    *frames = (long)fmin(FRAMES, fmax(FRAMES_LEAST, SECONDS / period));
    *frames = seconds > 0 ? (long)ceil(all)
                          : (long)arguments_number(run->arguments, "frames", (double)*frames);
    return EXIT_GOOD;
}

static int predict(struct run_command *run)
{
    struct opened_design *design = run->design;
    struct error error;

    if (source_range(run->cli, design, &run->range, &error) != STATUS_OK ||
        range_find_busy(&design->scenario, &design->result, run->low, run->high, &error) !=
            STATUS_OK)
        return arguments_problem(run->cli, "%s", error.message);
    return EXIT_GOOD;
}

/* Prints the report, and writes it to the file of --output. */
static int report_run(const struct run_command *run)
{
    struct record record = cli_record(run->cli, arguments_format(run->arguments));
    const char *output = arguments_output(run->arguments);
    const struct run_report report = {
        .scenario = &run->design->scenario,
        .result = &run->design->result,
        .range = &run->range,
        .low = run->low,
        .high = run->high,
        .job = &run->job,
        .outcome = &run->outcome,
        .machine = run->replaced > 0 ? run->machine : NULL,
        .cores = run->cores,
        .cores_stated = run->cores_stated,
    };
    struct buffer text = {0};
    size_t length;
    FILE *out;

    record.width = (int)arguments_number(run->arguments, "width", record.width);
    run_report(&record, &report);
    if (output == NULL)
        return EXIT_GOOD;
    out = allocate_stream(&text.bytes, &length);
    record = record_to(out, RECORD_JSON);
    run_report(&record, &report);
    fclose(out);
    text.length = length;
    return arguments_save(run->cli, output, &text);
}

/* Reads the address of an option, with a port. */
static int read_address(const struct run_command *run, const char *option,
                        struct datagram_address *address)
{
    const char *text = arguments_value(run->arguments, option);
    const char *host = run->design->scenario.device[run->job.host].head.name;
    const int sockets = run_sockets(&run->job);
    struct error error;
    int port;

    *address = (struct datagram_address){.length = 0};
    if (text == NULL)
        return EXIT_GOOD;
    if (datagram_address_read(address, text, &error) != STATUS_OK)
        return arguments_usage_error(run->arguments, "--%s: %s", option, error.message);
    if (!run->job.datagrams_in || !run->job.datagrams_out)
        return arguments_problem(
            run->cli,
            "--%s: data in shared memory do not leave this machine; state --set "
            "device.%s.ingress=kernel --set device.%s.egress=kernel",
            option, host, host);
    port = datagram_address_port(address);
    if (address->bytes.ss_family != AF_INET || port == 0 || port + sockets - 1 > UINT16_MAX)
        return arguments_usage_error(run->arguments,
                                     "--%s %.60s: allowed: an IPv4 address with the first of %d "
                                     "ports, as in 127.0.0.1:47000",
                                     option, text, sockets);
    return EXIT_GOOD;
}

/* Is the cameras and mirrors of another machine. */
static int serve_peer(struct run_command *run, const struct datagram_address *own)
{
    char text[DATAGRAM_ADDRESS_MAX];
    struct shown_work work;
    struct error error;
    enum status status;
    int number, result = EXIT_GOOD;

    datagram_address_print(own, text);
    text_line(run->cli->err, "the cameras listen on %s and the ports after it", text);
    shown_work_begin(&work, run->cli, "of the frames");
    status = run_outside(&run->job, own, work.progress, &run->outcome, &error);
    number = shown_work_keep(&work);
    if (status != STATUS_OK || run->outcome.ended[0] != '\0')
        result = arguments_problem(run->cli, "%s",
                                   status != STATUS_OK ? error.message : run->outcome.ended);
    else
        fprintf(run->cli->out, "%ld frames sent, %ld commands missing\n", run->outcome.frames,
                run->outcome.commands_lost);
    return number != 0 ? 128 + number : result;
}

static int measure(struct run_command *run, long frames)
{
    const bool all = arguments_has(run->arguments, "frames");
    const struct run_options options = {
        .frames = frames,
        .seconds = all ? 0 : OVERTIME * (double)frames * run->job.period + SECONDS,
        .peer = run->peer.length > 0 ? &run->peer : NULL};
    struct shown_work work;
    struct error error;
    enum status status;
    int number, saved = EXIT_GOOD;

    shown_work_begin(&work, run->cli, "of the frames; Ctrl-C keeps them");
    status = run_measure(&run->job, &options, run->design->result.target, work.progress,
                         &run->outcome, &error);
    number = shown_work_keep(&work);
    if (status == STATUS_OK)
        saved = report_run(run);
    else
        arguments_problem(run->cli, "%s", error.message);
    if (number != 0) {
        text_line(run->cli->err, "aolag: stopped by a signal; %ld of %ld frames were measured",
                  run->outcome.frames, frames);
        return 128 + number;
    }
    return status == STATUS_OK && run->outcome.ended[0] == '\0' ? saved : EXIT_PROBLEM;
}

static int prepare(struct run_command *run, long *frames)
{
    struct opened_design *design = run->design;
    struct error error;
    int status = put_machine(run);

    if (status == EXIT_GOOD)
        status = source_evaluate(run->cli, design);
    if (status != EXIT_GOOD)
        return status;
    if (run_job_plan(&run->job, &design->scenario, &design->result, &error) != STATUS_OK)
        return source_problem(run->cli, design, &error);
    status = read_frames(run, frames);
    if (status == EXIT_GOOD)
        status = read_address(run, "peer", &run->peer);
    if (status == EXIT_GOOD)
        status = read_address(run, "outside", &run->own);
    if (status == EXIT_GOOD && run_check_memory(&run->job, *frames, &error) != STATUS_OK)
        return arguments_problem(run->cli, "%s", error.message);
    return status == EXIT_GOOD ? predict(run) : status;
}

static int run_run(struct cli *cli, const struct arguments *arguments, struct opened_design *design)
{
    struct run_command *run = allocate_array(1, sizeof *run);
    long frames;
    int status;

    *run = (struct run_command){.cli = cli, .arguments = arguments, .design = design};
    status = prepare(run, &frames);
    if (status == EXIT_GOOD)
        status = run->own.length > 0 ? serve_peer(run, &run->own) : measure(run, frames);
    run_outcome_free(&run->outcome);
    run_job_free(&run->job);
    free(run);
    return status;
}

const struct command command_run_design = {
    .name = "run",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help =
        "Runs a design on this machine, packet by packet, and prints measured beside predicted. "
        "An interrupted run reports the frames so far.",
    .options = run_options,
    .rules = run_rules,
    .group = GROUP_MACHINE,
    .input = INPUT_SCENARIO,
    .run = run_run,
};
