#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "probe/measurement.h"
#include "probe/probe.h"
#include "probe/system.h"
#include "tui/view_machine.h"

#define COST_SHARE 0.01 /* maximum share of time for updating figures */

/* Arguments of a command that measures everything in the view and prints each point at once. */
static const char *const arguments[] = {"validate", "--kernels", "--csv", NULL};

/* Points --------------------------------------------------------------------------------------- */

static void stream_free(struct machine_stream *stream)
{
    buffer_free(&stream->text);
    *stream = (struct machine_stream){0};
}

/* Finds the first line that is not a comment; returns false if it is not complete yet. */
static bool find_header(struct machine_stream *stream, size_t whole)
{
    const char *bytes = stream->text.bytes;
    size_t at = stream->header;

    while (stream->header_end == 0 && at < whole) {
        const char *end = memchr(bytes + at, '\n', whole - at);
        size_t next = end == NULL ? whole : (size_t)(end - bytes) + 1;

        if (bytes[at] != '#') {
            stream->header = at;
            stream->header_end = next;
        }
        at = next;
    }
    return stream->header_end > 0;
}

static void add_point(struct machine_stream *stream, struct measurement *measurement,
                      const struct measurement_point *point)
{
    const char *cpu = stream->condition[CONDITION_CPU];

    if (stream->points++ == 0 && strcmp(cpu, measurement->condition[CONDITION_CPU]) != 0)
        measurement_free(measurement);
    if (!stream->began[point->part])
        measurement_remove(measurement, point->part);
    stream->began[point->part] = true;
    measurement_add(measurement, point);
}

static void add_points(struct machine_stream *stream, struct measurement *measurement,
                       const struct measurement *fresh)
{
    for (int i = 0; i < CONDITIONS; i++)
        if (fresh->condition[i][0] != '\0')
            memcpy(stream->condition[i], fresh->condition[i], CONDITION_MAX);
    for (int i = 0; i < fresh->count; i++)
        add_point(stream, measurement, &fresh->point[i]);
    /* without points the old measurement and its conditions stay */
    for (int i = 0; i < CONDITIONS && stream->points > 0; i++)
        if (stream->condition[i][0] != '\0')
            memcpy(measurement->condition[i], stream->condition[i], CONDITION_MAX);
}

/* Reads the points of all new complete lines. The first point of a part replaces that part; the
 * first of all replaces measurements of another CPU. Skips invalid lines and returns
 * STATUS_INVALID. */
static enum status stream_read_points(struct machine_stream *stream,
                                      struct measurement *measurement, struct error *error)
{
    const struct buffer *text = &stream->text;
    const char *end = text->length == 0 ? NULL : memrchr(text->bytes, '\n', text->length);
    size_t whole = end == NULL ? 0 : (size_t)(end - text->bytes) + 1;
    struct measurement fresh;
    struct buffer lines = {0};
    enum status status;
    size_t from;

    if (whole <= stream->parsed || !find_header(stream, whole))
        return STATUS_OK;
    from = stream->parsed < stream->header_end ? 0 : stream->parsed;
    if (from > 0)
        buffer_add(&lines, text->bytes + stream->header, stream->header_end - stream->header);
    buffer_add(&lines, text->bytes + from, whole - from);
    stream->parsed = whole;
    status = measurement_csv_read(&fresh, lines.bytes, lines.length, error);
    if (status == STATUS_OK) {
        add_points(stream, measurement, &fresh);
        measurement_free(&fresh);
    }
    buffer_free(&lines);
    return status;
}

/* Figures -------------------------------------------------------------------------------------- */

static void update_figures(struct machine_view *machine)
{
    double began = probe_now();

    machine_figures_free(machine->figures);
    machine->figures =
        machine->measurement.count > 0 ? machine_figures_new(&machine->measurement) : NULL;
    machine_forget_texts(machine);
    machine->updated = probe_now();
    machine->update_time = machine->updated - began;
}

void machine_load(struct machine_view *machine)
{
    if (machine->loaded)
        return;
    machine->loaded = true;
    if (measurement_file_read(&machine->measurement, &machine->unread) != STATUS_OK)
        host_fail(machine->host, &machine->unread);
    else
        machine->unread = (struct error){0};
    update_figures(machine);
}

/* Progress ------------------------------------------------------------------------------------- */

/* Parses the announcement of a part, "apex: time of an access, about 5 s". Returns false if the
 * part has not changed. */
static bool parse_progress(struct machine_view *machine)
{
    struct machine_progress *progress = &machine->progress;
    char said[256];
    const char *about;

    job_last_message(machine->job, said, sizeof said);
    for (int i = 0; i < MEASUREMENT_PARTS; i++) {
        const char *name = measurement_parts[i].name;
        size_t length = strlen(name);

        if (strncmp(said, name, length) != 0 || said[length] != ':' ||
            (progress->began > 0 && progress->part == (enum measurement_part)i))
            continue;
        about = strstr(said, "about ");
        *progress = (struct machine_progress){.part = (enum measurement_part)i,
                                              .began = probe_now(),
                                              .expected = about == NULL ? 0 : atof(about + 6)};
        return true;
    }
    return false;
}

void machine_progress_text(const struct machine_view *machine, char *text, size_t size)
{
    const struct machine_progress *progress = &machine->progress;
    const char *key = machine->stopping ? "stopping" : "r stops";
    size_t used;

    snprintf(text, size, "measuring; %s", key);
    if (progress->began == 0)
        return;
    snprintf(text, size, "measuring %s, %d of %d: %.0f", measurement_parts[progress->part].name,
             (int)progress->part + 1, MEASUREMENT_GPU, probe_now() - progress->began);
    used = strlen(text);
    if (progress->expected > 0)
        snprintf(text + used, size - used, " of about %.0f", progress->expected);
    used = strlen(text);
    snprintf(text + used, size - used, " s; %s \xC2\xB7 %d points", key, machine->stream.points);
}

/* Measuring ------------------------------------------------------------------------------------ */

/* Reads the output. Updates the figures after each part, else rarely, so that this takes only a
 * small share of the processor under measurement. */
static void read_output(struct machine_view *machine)
{
    struct error error = {0};
    bool next;

    if (stream_read_points(&machine->stream, &machine->measurement, &error) != STATUS_OK)
        host_fail(machine->host, &error);
    next = parse_progress(machine);
    if (machine->stream.points > 0 &&
        (next || probe_now() - machine->updated > machine->update_time / COST_SHARE))
        update_figures(machine);
}

static void finish_job(struct machine_view *machine)
{
    char complaint[ERROR_MESSAGE_MAX];
    bool good = job_close(machine->job, complaint, sizeof complaint);
    bool points = machine->stream.points > 0;

    machine->job = NULL;
    stream_free(&machine->stream);
    if (points)
        update_figures(machine);
    if (machine->stopping && points)
        host_say(machine->host, NOTICE_NORMAL,
                 "stopped; an incomplete part is kept if it was never measured before");
    else if (machine->stopping)
        host_say(machine->host, NOTICE_NORMAL, "stopped before anything was measured");
    else if (!good)
        host_say(machine->host, NOTICE_ERROR, "measuring failed: %s", complaint);
    else if (!points)
        host_say(machine->host, NOTICE_ERROR, "measuring ended without any result");
    else
        host_say(machine->host, NOTICE_NORMAL,
                 "measured; aolag probe all --save NAME creates a preset");
    machine->stopping = false;
}

void machine_read_cpu(struct machine_view *machine)
{
    system_cpu(machine->cpu);
}

int machine_file(const void *state)
{
    const struct machine_view *machine = state;

    const struct job *job = machine->job != NULL ? machine->job : machine->trial.job;

    return job == NULL ? -1 : job_file(job);
}

bool machine_busy(const void *state)
{
    const struct machine_view *machine = state;

    return machine->job != NULL || machine->trial.job != NULL;
}

void machine_collect(void *state)
{
    struct machine_view *machine = state;
    bool more;

    machine_collect_trial(machine);
    if (machine->job == NULL)
        return;
    more = job_read(machine->job, &machine->stream.text);
    read_output(machine);
    if (!more)
        finish_job(machine);
}

void machine_end(struct machine_view *machine)
{
    char complaint[64];

    if (machine->job != NULL)
        job_close(machine->job, complaint, sizeof complaint);
    machine->job = NULL;
    machine_end_trial(machine);
}

void machine_toggle_measuring(struct machine_view *machine)
{
    struct error error = {0};

    if (machine->job != NULL) {
        machine->stopping = true;
        job_stop(machine->job);
    } else if (machine->trial.job != NULL) {
        host_say(machine->host, NOTICE_ERROR, "the design is being run; e stops that");
    } else if (machine->host->program == NULL) {
        host_say(machine->host, NOTICE_ERROR, "cannot measure here; use aolag probe all");
    } else if (job_start(&machine->job, machine->host->program, arguments, NULL, &error) != STATUS_OK) {
        host_fail(machine->host, &error);
    } else {
        machine->progress = (struct machine_progress){0};
    }
}
