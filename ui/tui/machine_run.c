#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "probe/measurement.h"
#include "probe/probe.h"
#include "probe/system.h"
#include "tui/host.h"
#include "tui/view_machine.h"

#define COST_SHARE 0.01 /* of the time */

/* What measures everything that the view shows, and prints its points one by one. */
static const char *const arguments[] = {"validate", "--kernels", "--csv", NULL};

static void renew_figures(struct machine_view *machine)
{
    double began = probe_now();

    machine_figures_free(machine->figures);
    machine->figures =
        machine->measurement.count > 0 ? machine_figures_new(&machine->measurement) : NULL;
    machine_forget_texts(machine);
    machine->renewed = probe_now();
    machine->cost = machine->renewed - began;
}

void machine_load(struct machine_view *machine)
{
    struct error error = {0};

    if (machine->loaded)
        return;
    machine->loaded = true;
    if (measurement_file_read(&machine->measurement, &error) != STATUS_OK)
        host_fail(machine->host, &error);
    renew_figures(machine);
}

/* Progress ------------------------------------------------------------------------------------ */

/* What measures says of a part that begins "apex: time of an access, about 5 s". False: it has said
 * nothing of one that was not known. */
static bool hear(struct machine_view *machine)
{
    struct machine_progress *progress = &machine->progress;
    char said[256];
    const char *about;

    job_said(machine->job, said, sizeof said);
    for (int i = 0; i < MEASUREMENT_PARTS; i++) {
        const char *name = measurement_part_name((enum measurement_part)i);
        size_t length = strlen(name);

        if (strncmp(said, name, length) != 0 || said[length] != ':' ||
            (progress->since > 0 && progress->part == (enum measurement_part)i))
            continue;
        about = strstr(said, "about ");
        *progress = (struct machine_progress){.part = (enum measurement_part)i,
                                              .since = probe_now(),
                                              .about = about == NULL ? 0 : atof(about + 6)};
        return true;
    }
    return false;
}

void machine_progress_text(const struct machine_view *machine, char *text, size_t size)
{
    const struct machine_progress *progress = &machine->progress;
    const char *key = machine->stopping ? "stopping" : "r stops";
    size_t used;

    snprintf(text, size, "measuring, about two minutes; %s", key);
    if (progress->since == 0)
        return;
    snprintf(text, size, "measuring %s, %d of %d: %.0f", measurement_part_name(progress->part),
             (int)progress->part + 1, MEASUREMENT_PARTS, probe_now() - progress->since);
    used = strlen(text);
    if (progress->about > 0)
        snprintf(text + used, size - used, " of about %.0f", progress->about);
    used = strlen(text);
    snprintf(text + used, size - used, " s; %s \xC2\xB7 %d points", key, machine->stream.points);
}

/* --------------------------------------------------------------------------------------------- */

/* Takes over what has come. The figures follow when a part is whole, and else so seldom that making
 * them takes a small share of the processor, which is being measured. */
static void understand(struct machine_view *machine)
{
    struct error error = {0};
    bool next;

    if (machine_stream_take(&machine->stream, &machine->measurement, &error) != STATUS_OK)
        host_fail(machine->host, &error);
    next = hear(machine);
    if (machine->stream.points > 0 &&
        (next || probe_now() - machine->renewed > machine->cost / COST_SHARE))
        renew_figures(machine);
}

static void finish(struct machine_view *machine)
{
    char complaint[ERROR_MESSAGE_MAX];
    bool good = job_close(machine->job, complaint, sizeof complaint);
    bool points = machine->stream.points > 0;

    machine->job = NULL;
    machine_stream_free(&machine->stream);
    if (points)
        renew_figures(machine);
    if (machine->stopping && points)
        host_say(machine->host, STYLE_NORMAL,
                 "stopped; a part that is not whole is kept where there was none of it");
    else if (machine->stopping)
        host_say(machine->host, STYLE_NORMAL, "stopped before anything was measured");
    else if (!good)
        host_say(machine->host, STYLE_ERROR, "measuring failed: %s", complaint);
    else if (!points)
        host_say(machine->host, STYLE_ERROR,
                 "measuring ended, but nothing that was measured came of it");
    else
        host_say(machine->host, STYLE_NORMAL,
                 "measured; aolag probe all --save NAME makes a preset of it");
    machine->stopping = false;
}

void machine_know(struct machine_view *machine)
{
    char condition[CONDITIONS][CONDITION_MAX] = {{'\0'}};

    system_conditions("", 0, condition);
    memcpy(machine->cpu, condition[CONDITION_CPU], CONDITION_MAX);
}

int machine_file(const void *state)
{
    const struct machine_view *machine = state;

    return machine->job == NULL ? -1 : job_file(machine->job);
}

bool machine_busy(const void *state)
{
    const struct machine_view *machine = state;

    return machine->job != NULL;
}

void machine_take(void *state)
{
    struct machine_view *machine = state;
    bool more;

    if (machine->job == NULL)
        return;
    more = job_read(machine->job, &machine->stream.text);
    understand(machine);
    if (!more)
        finish(machine);
}

void machine_end(struct machine_view *machine)
{
    char complaint[64];

    if (machine->job != NULL)
        job_close(machine->job, complaint, sizeof complaint);
    machine->job = NULL;
}

void machine_toggle_measuring(struct machine_view *machine)
{
    struct error error = {0};

    if (machine->job != NULL) {
        machine->stopping = true;
        job_stop(machine->job);
    } else if (machine->host->program == NULL) {
        host_say(machine->host, STYLE_ERROR,
                 "nothing can be measured from here; aolag probe all can");
    } else if (job_start(&machine->job, machine->host->program, arguments, &error) != STATUS_OK) {
        host_fail(machine->host, &error);
    } else {
        machine->progress = (struct machine_progress){0};
    }
}
