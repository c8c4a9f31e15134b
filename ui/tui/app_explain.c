#include <stdio.h>
#include <stdlib.h>

#include "app_state.h"
#include "cli/explain_text.h"

#define MARGIN 8 /* of the box that shows text, and a blank on either side */

static void explain_to(FILE *out, const struct app *app, const char *path)
{
    struct explain explain = {&app->scenario, &app->result};
    struct explain_node node;
    struct error error;

    if (explain_find(&explain, path, &node, &error) != STATUS_OK)
        fprintf(out, "%s\n", error.message);
    else
        explain_text(out, &explain, &node, EXPLAIN_DEPTH_MAX, app->columns - MARGIN, true);
}

void act_explain(struct app *app, const char *argument)
{
    char path[EXPLAIN_PATH_MAX];
    char *text = NULL;
    size_t size = 0;
    FILE *out;

    (void)argument;
    if (app->problem.status != STATUS_OK || !app->evaluated) {
        app_say(app, STYLE_ERROR, "there is nothing to explain until the design has a meaning");
        return;
    }
    if (!app->view->path(app, path, sizeof path)) {
        app_say(app, STYLE_NORMAL, "no number is under the cursor");
        return;
    }
    out = open_memstream(&text, &size);
    if (out == NULL)
        return;
    explain_to(out, app, path);
    if (fclose(out) == 0)
        pager_open(&app->pager, path, text);
    else
        free(text);
}
