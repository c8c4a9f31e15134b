#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charts/picture.h"
#include "draw/chart_table.h"
#include "tui/app_state.h"

enum { BORDERS = 4 }; /* columns of the pager that are no text */

/* What the open view shows. false: why not was said. */
static bool chart_of(struct app *app, struct chart *chart)
{
    *chart = (struct chart){0};
    if (app->view->chart != NULL && app->view->chart(app->state, chart) && !chart->failed)
        return true;
    if (app->view->chart == NULL)
        host_say(&app->host, STYLE_ERROR, "this view has no picture");
    else if (chart->failed)
        host_say(&app->host, STYLE_ERROR, "there is not enough memory for the picture");
    else
        host_say(&app->host, STYLE_ERROR, "there is no picture yet");
    chart_free(chart);
    return false;
}

static bool save_to(struct app *app, const char *path, bool fresh);
static void ask_name(struct app *app);

static void overwrite_answered(void *context, int id)
{
    struct app *app = context;

    if (id == 0)
        save_to(app, app->saving, false);
    else if (id == 1)
        ask_name(app);
}

/* true: saved, or a question is being asked. */
static bool save_to(struct app *app, const char *path, bool fresh)
{
    static const char *const answers[] = {"overwrite it", "save under another name", "cancel",
                                          NULL};
    struct chart chart;
    struct error error;
    char question[160];
    enum status status;

    if (!chart_of(app, &chart))
        return true;
    chart_source(&chart, app->host.design.scenario.general.title);
    status = picture_write(&chart, path, fresh, &error);
    chart_free(&chart);
    if (status == STATUS_CONFLICT && fresh) {
        snprintf(app->saving, sizeof app->saving, "%s", path);
        snprintf(question, sizeof question, "%.120s exists already", path);
        menu_ask(&app->host, "Overwrite?", question, answers, 2, overwrite_answered, app);
        return true;
    }
    if (status == STATUS_OK)
        host_say(&app->host, STYLE_NORMAL, "saved the picture: %s", path);
    else
        host_say(&app->host, STYLE_ERROR, "%s cannot be written: %s", path, error.message);
    return status == STATUS_OK;
}

static bool accept(void *context, const char *text)
{
    struct app *app = context;
    char path[PATH_BYTES];

    return file_accept(app, text, "a picture", path) && save_to(app, path, true);
}

static void ask_name(struct app *app)
{
    char ending[32];
    char name[96];

    snprintf(ending, sizeof ending, "-%s.svg", app->view->name);
    file_propose(app, ending, name, sizeof name);
    prompt_open(&app->host, &(struct prompt_request){.label = "save the picture as: ",
                                                     .text = name,
                                                     .proposed = true,
                                                     .context = app,
                                                     .accept = accept});
}

void act_picture(struct app *app, const char *argument)
{
    struct chart chart;

    if (!chart_of(app, &chart))
        return;
    chart_free(&chart);
    if (argument != NULL && argument[0] != '\0')
        accept(app, argument);
    else
        ask_name(app);
}

/* What the frame around it says needs no line of its own. */
static void drop_title(char *text, const char *title)
{
    size_t length = strlen(title);

    if (strncmp(text, title, length) == 0 && text[length] == '\n')
        memmove(text, text + length + 1, strlen(text + length + 1) + 1);
}

/* The view's own table, else that of its chart; free() it; NULL without memory. */
static char *table_of(const struct app *app, const struct chart *chart)
{
    int columns = app->host.columns - BORDERS;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        return NULL;
    if (app->view->table != NULL)
        app->view->table(app->state, out, columns);
    else
        chart_table(chart, out, columns);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void act_table(struct app *app, const char *argument)
{
    struct chart chart;
    char *text;

    (void)argument;
    if (!chart_of(app, &chart))
        return;
    text = table_of(app, &chart);
    if (text != NULL) {
        drop_title(text, chart.title);
        pager_open(&app->pager, chart.title, text);
    } else {
        host_say(&app->host, STYLE_ERROR, "there is not enough memory for the table");
    }
    chart_free(&chart);
}
