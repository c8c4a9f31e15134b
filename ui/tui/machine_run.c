#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "probe/measurement_csv.h"
#include "probe/measurement_file.h"

/* What measures everything that the view shows, and prints its points one by one. */
static const char *const arguments[] = {"validate", "--kernels", "--csv", NULL};

static void renew_figures(struct machine_view *machine)
{
    machine_figures_free(machine->figures);
    machine->figures =
        machine->measurement.count > 0 ? machine_figures_new(&machine->measurement) : NULL;
}

void machine_load(struct app *app)
{
    struct machine_view *machine = &app->machine;
    struct error error = {0};

    if (machine->loaded)
        return;
    machine->loaded = true;
    if (measurement_file_read(&machine->measurement, &error) != STATUS_OK)
        app_fail(app, &error);
    renew_figures(machine);
}

/* Takes over the points of all whole lines; what was measured before of other parts stays until
 * they are measured anew. */
static void understand(struct app *app)
{
    struct machine_view *machine = &app->machine;
    struct measurement fresh;
    struct error error = {0};
    const char *end = machine->output.length == 0
                          ? NULL
                          : memrchr(machine->output.bytes, '\n', machine->output.length);
    size_t length = end == NULL ? 0 : (size_t)(end + 1 - machine->output.bytes);

    if (length <= machine->understood)
        return;
    machine->understood = length;
    /* Before the header there is nothing to understand. */
    if (measurement_csv_read(&fresh, machine->output.bytes, length, &error) != STATUS_OK)
        return;
    if (measurement_merge(&machine->measurement, &fresh, &error) != STATUS_OK)
        app_fail(app, &error);
    measurement_free(&fresh);
    renew_figures(machine);
}

static void finish(struct app *app)
{
    struct machine_view *machine = &app->machine;
    char complaint[ERROR_MESSAGE_MAX];
    bool good = job_close(machine->job, complaint, sizeof complaint);

    machine->job = NULL;
    buffer_free(&machine->output);
    machine->understood = 0;
    if (machine->stopping)
        app_say(app, STYLE_NORMAL, "stopped; what was measured is kept");
    else if (!good)
        app_say(app, STYLE_ERROR, "measuring failed: %s", complaint);
    else
        app_say(app, STYLE_NORMAL, "measured; aolag probe all --save NAME makes a preset of it");
    machine->stopping = false;
}

int app_watch(const struct app *app)
{
    return app->machine.job == NULL ? -1 : job_file(app->machine.job);
}

void app_take(struct app *app)
{
    struct machine_view *machine = &app->machine;
    bool more = job_read(machine->job, &machine->output);

    understand(app);
    if (!more)
        finish(app);
}

void machine_end(struct app *app)
{
    char complaint[64];

    if (app->machine.job != NULL)
        job_close(app->machine.job, complaint, sizeof complaint);
    app->machine.job = NULL;
}

void act_measure(struct app *app, const char *argument)
{
    struct machine_view *machine = &app->machine;
    struct error error = {0};

    (void)argument;
    if (machine->job != NULL) {
        machine->stopping = true;
        job_stop(machine->job);
        app_say(app, STYLE_NORMAL, "stopping");
    } else if (app->program == NULL) {
        app_say(app, STYLE_ERROR, "nothing can be measured from here; aolag probe all can");
    } else if (job_start(&machine->job, app->program, arguments, &error) != STATUS_OK) {
        app_fail(app, &error);
    } else {
        app_say(app, STYLE_NORMAL, "measuring, a minute or two; r stops");
    }
}
