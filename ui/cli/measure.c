#include "cli/measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "draw/text.h"
#include "probe/measurement.h"

void measure_open(struct measure *measure, bool quick, FILE *progress)
{
    *measure = (struct measure){.progress = progress};
    probe_defaults(&measure->probed.probe, quick);
    sched_getaffinity(0, sizeof measure->cores, &measure->cores);
    long_run_open();
}

void measure_close(struct measure *measure)
{
    long_run_close();
    sched_setaffinity(0, sizeof measure->cores, &measure->cores);
    measurement_free(&measure->probed.measurement);
}

/* Output of points ----------------------------------------------------------------------------- */

static void write_csv(struct measure *measure, struct buffer *buffer)
{
    if (buffer->length > 0) {
        if (long_run_write(measure->csv, buffer->bytes, buffer->length) < buffer->length &&
            long_run_signal() == 0 && measure->csv_error == 0)
            measure->csv_error = errno != 0 ? errno : EIO;
    }
    buffer_free(buffer);
}

static void write_header(struct measure *measure)
{
    struct buffer buffer = {0};

    if (measure->csv == NULL)
        return;
    measurement_csv_head(&buffer, &measure->probed.measurement);
    memcpy(measure->written.condition, measure->probed.measurement.condition,
           sizeof measure->written.condition);
    write_csv(measure, &buffer);
}

/* Writes new points and conditions. */
static void write_new_points(struct measure *measure)
{
    struct buffer buffer = {0};

    if (measure->csv == NULL)
        return;
    measurement_csv_new(&buffer, &measure->probed.measurement, &measure->written);
    write_csv(measure, &buffer);
}

/* Progress ------------------------------------------------------------------------------------- */

/* Estimates the remaining seconds: shifts from planned to measured speed as the part proceeds. */
static double seconds_left(const struct measure *measure, double done)
{
    int part = measure->probed.count - 1;
    double elapsed = probe_now() - measure->began;
    double left = (1 - done) * (elapsed + (1 - done) * measure->seconds[part]);

    while (++part < measure->planned)
        left += measure->seconds[part];
    return left;
}

static void draw_progress(struct measure *measure, enum measurement_part part, double done)
{
    progress_line_draw(&measure->line,
                       "%s (%d of %d): %.0f %%, %.0f s left; Ctrl-C keeps the points so far",
                       measurement_parts[part].name, measure->probed.count, measure->planned,
                       100 * done, seconds_left(measure, done));
}

/* Shows the start of a part: on a terminal redraws the line, else prints one. */
static void announce_part(struct measure *measure)
{
    const struct probe_part *row = &measure->plan[measure->probed.count - 1];

    if (measure->line.out != NULL)
        draw_progress(measure, row->part, 0);
    else if (measure->progress != NULL)
        fprintf(measure->progress, "%s: %s, about %.0f s\n", measurement_parts[row->part].name,
                row->help, measure->seconds[measure->probed.count - 1]);
}

/* Reading ------------------------------------------------------------------------------------- */

#define BYTES_MAX ((size_t)64 << 20)

int measure_read(struct measure *measure, struct cli *cli, const char *path)
{
    struct problems problems = {NULL, 0, 0};
    struct error error;
    char *bytes;
    size_t length;
    int status = source_read(cli, path, BYTES_MAX, &bytes, &length);

    if (status == EXIT_GOOD &&
        measurement_csv_read(&measure->probed.measurement, bytes, length, &error) != STATUS_OK) {
        problems_add_error(&problems, &error);
        source_print_problems(cli, cli->err, strcmp(path, "-") == 0 ? "standard input" : path,
                              &problems);
        problems_free(&problems);
        status = EXIT_PROBLEM;
    }
    free(bytes);
    return status;
}

/* Running -------------------------------------------------------------------------------------- */

static bool is_stopped(void *context)
{
    const struct measure *measure = context;

    return long_run_signal() != 0 || measure->csv_error != 0;
}

static void note_points(void *context, const struct probe *probe, enum measurement_part part,
                        double done)
{
    struct measure *measure = context;

    (void)probe;
    write_new_points(measure);
    draw_progress(measure, part, done < 0 ? 0 : done > 1 ? 1 : done);
}

static void run_part(struct measure *measure, const struct probe_part *row)
{
    struct probed_part *part = &measure->probed.part[measure->probed.count++];

    *part = (struct probed_part){.part = row->part};
    measure->began = probe_now();
    announce_part(measure);
    row->run(&measure->probed.probe, &part->error);
    part->seconds = probe_now() - measure->began;
    part->whole = part->error.status == STATUS_OK && !is_stopped(measure);
    write_new_points(measure);
}

void measure_run(struct measure *measure, const struct probe_part *parts, int count)
{
    /* points printed on the terminal show progress themselves and would mix with a redrawn line */
    measure->line = progress_line_to(measure->progress,
                                     measure->csv == NULL || isatty(fileno(measure->csv)) == 0);
    measure->plan = parts;
    measure->planned = count;
    measure->probed.count = 0;
    measure->probed.probe.measurement = &measure->probed.measurement;
    measure->probed.probe.stopped = is_stopped;
    measure->probed.probe.report = note_points;
    measure->probed.probe.context = measure;
    for (int i = 0; i < count; i++)
        measure->seconds[i] = parts[i].seconds(&measure->probed.probe);
    probe_conditions(&measure->probed.probe);
    write_header(measure);
    for (int i = 0; i < count && !is_stopped(measure); i++)
        run_part(measure, &parts[i]);
    measure->probed.interrupted = long_run_signal() != 0;
    progress_line_clear(&measure->line);
}

void measure_keep(const struct measure *measure, FILE *err)
{
    bool whole[MEASUREMENT_PARTS] = {false};
    struct error error;

    long_run_end(); /* a report may be printed to a pipe that nobody reads */
    if (measure->probed.measurement.count == 0)
        return;
    for (int i = 0; i < measure->probed.count; i++)
        whole[measure->probed.part[i].part] = measure->probed.part[i].whole;
    if (measurement_file_keep(&measure->probed.measurement, whole, &error) != STATUS_OK)
        text_line(err, "aolag: cannot save the measurement for the screen: %s", error.message);
    else if (error.status != STATUS_OK)
        text_line(err, "aolag: %s; the file was recreated", error.message);
    else if (error.message[0] != '\0')
        text_line(err, "aolag: note: %s", error.message);
}

int measure_status(const struct measure *measure, struct cli *cli)
{
    int status = EXIT_GOOD;
    int whole = 0;

    for (int i = 0; i < measure->probed.count; i++) {
        if (measure->probed.part[i].error.status == STATUS_OK)
            continue;
        status =
            arguments_problem(cli, "%s: %s", measurement_parts[measure->probed.part[i].part].name,
                              measure->probed.part[i].error.message);
    }
    if (long_run_signal() == 0)
        return status;
    for (int i = 0; i < measure->probed.count; i++)
        whole += measure->probed.part[i].whole;
    text_line(cli->err, "aolag: stopped by a signal; %d of %d parts are complete", whole,
              measure->planned);
    return 128 + long_run_signal();
}
