#include <stdlib.h>
#include <string.h>

#include "design/scenario_save.h"
#include "tui/view_machine.h"

/* Arguments of a command that runs the design on its standard input. */
static const char *const arguments[] = {"run", "-", NULL};

static void start(struct machine_view *machine)
{
    struct machine_trial *trial = &machine->trial;
    const struct design *design = &machine->host->design;
    const char *path = design->document == NULL ? NULL : document_path(design->document);
    struct job_input input = {.beside = path};
    struct error error = {0};

    input.bytes = scenario_text(&design->scenario, design->document, &input.length);
    if (job_start(&trial->job, machine->host->program, arguments, &input, &error) == STATUS_OK) {
        trial->made.length = 0;
        trial->version = design->version;
        machine->focus = PICTURE_TRIAL;
        machine->list[PICTURE_TRIAL].first = 0;
    } else {
        host_fail(machine->host, &error);
    }
    free(input.bytes);
}

void machine_toggle_trial(struct machine_view *machine)
{
    struct machine_trial *trial = &machine->trial;

    if (trial->job != NULL) {
        trial->stopping = true;
        job_stop(trial->job);
    } else if (machine->job != NULL) {
        host_say(machine->host, NOTICE_ERROR, "the machine is being measured; r stops that");
    } else if (machine->host->program == NULL) {
        host_say(machine->host, NOTICE_ERROR, "cannot run here; use aolag run");
    } else {
        start(machine);
    }
}

static void finish(struct machine_view *machine)
{
    struct machine_trial *trial = &machine->trial;
    char complaint[ERROR_MESSAGE_MAX];
    const bool good = job_close(trial->job, complaint, sizeof complaint);

    trial->job = NULL;
    if (trial->stopping)
        host_say(machine->host, NOTICE_NORMAL, "stopped");
    else if (!good)
        host_say(machine->host, NOTICE_ERROR, "the design does not run: %s", complaint);
    else
        host_say(machine->host, NOTICE_NORMAL,
                 "the design has run; aolag run --json prints what aolag calibrate takes");
    trial->stopping = false;
}

void machine_collect_trial(struct machine_view *machine)
{
    struct machine_trial *trial = &machine->trial;

    if (trial->job != NULL && !job_read(trial->job, &trial->made))
        finish(machine);
}

void machine_end_trial(struct machine_view *machine)
{
    char complaint[64];

    if (machine->trial.job != NULL)
        job_close(machine->trial.job, complaint, sizeof complaint);
    machine->trial.job = NULL;
    buffer_free(&machine->trial.made);
}
