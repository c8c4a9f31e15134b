#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file.h"
#include "design/calibration.h"
#include "design/scenario_save.h"
#include "tui/view_machine.h"

#define FILE_NAME "/run.json"
#define PANE_FRAME 2 /* columns */

/* Finds the file of the last run; returns false without a home directory. */
static bool find_file(char path[USER_DIRECTORY_SIZE], struct error *error)
{
    if (!user_state_directory(path, USER_DIRECTORY_SIZE - (sizeof FILE_NAME - 1))) {
        error_set(error, STATUS_IO, "neither XDG_STATE_HOME nor HOME is an absolute path");
        return false;
    }
    user_make_directory(path);
    strcat(path, FILE_NAME);
    return true;
}

/* Starts a command of which `{FILE}` is the file of the run, with the design on standard input. */
static bool start(struct machine_view *machine, const char *const words[], struct buffer *output)
{
    const struct design *design = &machine->host->design;
    struct job_input input = {.beside = design->document == NULL ? NULL
                                                                 : document_path(design->document)};
    char path[USER_DIRECTORY_SIZE];
    const char *arguments[8] = {NULL};
    struct error error = {0};
    bool started = false;

    if (find_file(path, &error)) {
        for (int i = 0; words[i] != NULL; i++)
            arguments[i] = strcmp(words[i], "{FILE}") == 0 ? path : words[i];
        input.bytes = scenario_text(&design->scenario, design->document, &input.length);
        started = job_start(&machine->trial.job, machine->host->program, arguments, &input,
                            &error) == STATUS_OK;
        free(input.bytes);
    }
    if (!started)
        host_fail(machine->host, &error);
    output->length = started ? 0 : output->length;
    return started;
}

void machine_toggle_trial(struct machine_view *machine)
{
    char width[12];
    const char *const words[] = {"run", "-", "--width", width, "--output", "{FILE}", NULL};
    struct machine_trial *trial = &machine->trial;

    snprintf(width, sizeof width, "%d", machine->host->columns - PANE_FRAME);

    if (trial->job != NULL) {
        trial->stopping = true;
        job_stop(trial->job);
    } else if (machine->job != NULL) {
        host_say(machine->host, NOTICE_ERROR, "the machine is being measured; r stops that");
    } else if (machine->host->program == NULL) {
        host_say(machine->host, NOTICE_ERROR, "cannot run here; use aolag run");
    } else if (start(machine, words, &trial->made)) {
        trial->measured = trial->calibrates = false;
        trial->version = machine->host->design.version;
        machine->focus = PICTURE_TRIAL;
        machine->list[PICTURE_TRIAL].first = 0;
    }
}

void machine_calibrate(struct machine_view *machine)
{
    static const char *const words[] = {"calibrate", "-", "--run", "{FILE}", "--output", "-", NULL};
    struct machine_trial *trial = &machine->trial;

    if (trial->job != NULL)
        host_say(machine->host, NOTICE_ERROR, "the design is being run; e stops that");
    else if (!trial->measured)
        host_say(machine->host, NOTICE_ERROR, "the design was not run yet; e runs it");
    else if (trial->version != machine->host->design.version)
        host_say(machine->host, NOTICE_ERROR,
                 "the design has changed since it ran; e runs it again");
    else
        trial->calibrates = start(machine, words, &trial->calibrated);
}

/* Takes the calibration of the design that the job has made; `said`: a note about the file of the
 * run, from its name on; NULL: none. */
static void take_calibration(struct machine_view *machine, const char *said)
{
    struct design *design = &machine->host->design;
    const struct buffer *text = &machine->trial.calibrated;
    struct scenario *made = allocate_array(1, sizeof *made);
    struct document *document = NULL;
    struct problems problems = {0};

    if (machine->trial.version != design->version) {
        host_say(machine->host, NOTICE_ERROR, "the design has changed; it is not calibrated");
    } else if (scenario_parse(made, &document, text->bytes, text->length, design->catalogue,
                              &problems) == STATUS_OK) {
        design->scenario.calibration = made->calibration;
        design_record(design, false, "calibration with a run");
        host_say(machine->host, NOTICE_NORMAL, "calibrated; u takes it back%s",
                 said == NULL ? "" : said + sizeof FILE_NAME - 1);
    } else {
        host_say(machine->host, NOTICE_ERROR, "%s", problems.list[0].message);
    }
    problems_free(&problems);
    document_free(document);
    free(made);
}

static void finish(struct machine_view *machine)
{
    struct machine_trial *trial = &machine->trial;
    char complaint[ERROR_MESSAGE_MAX], said[ERROR_MESSAGE_MAX];
    bool good;

    job_last_message(trial->job, said, sizeof said);
    good = job_close(trial->job, complaint, sizeof complaint);
    trial->job = NULL;
    if (trial->stopping)
        host_say(machine->host, NOTICE_NORMAL, "stopped");
    else if (!good)
        host_say(machine->host, NOTICE_ERROR, "the design %s: %s",
                 trial->calibrates ? "is not calibrated" : "does not run", complaint);
    else if (trial->calibrates)
        take_calibration(machine, strstr(said, FILE_NAME ":"));
    else
        host_say(machine->host, NOTICE_NORMAL, "the design has run; c calibrates it with that");
    trial->measured = trial->calibrates ? trial->measured : good && !trial->stopping;
    trial->stopping = trial->calibrates = false;
}

void machine_collect_trial(struct machine_view *machine)
{
    struct machine_trial *trial = &machine->trial;

    if (trial->job != NULL &&
        !job_read(trial->job, trial->calibrates ? &trial->calibrated : &trial->made))
        finish(machine);
}

void machine_end_trial(struct machine_view *machine)
{
    char complaint[64];

    if (machine->trial.job != NULL)
        job_close(machine->trial.job, complaint, sizeof complaint);
    machine->trial.job = NULL;
    buffer_free(&machine->trial.made);
    buffer_free(&machine->trial.calibrated);
}
