#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app_state.h"
#include "widget.h"

static bool matches(const struct scenario *scenario, struct knob_ref ref, const char *text)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    return strcasestr(path, text) != NULL || strcasestr(ref.knob->label, text) != NULL;
}

/* Puts the cursor on the next match; the whole round is searched, `ref` itself last. */
static bool search(struct app *app, struct knob_ref ref, int by, const char *text)
{
    struct knob_ref start;

    if (text[0] == '\0')
        return false;
    tree_next_knob(&app->scenario, &ref, by);
    start = ref;
    do {
        if (matches(&app->scenario, ref, text)) {
            app->view->show(app, ref.section, ref.index, ref.knob, true);
            return true;
        }
        tree_next_knob(&app->scenario, &ref, by);
    } while (ref.section != start.section || ref.index != start.index || ref.knob != start.knob);
    return false;
}

static void again(struct app *app, int by)
{
    if (app->sought[0] == '\0')
        app_say(app, STYLE_NORMAL, "nothing was searched for yet: / finds a knob");
    else if (!search(app, app->view->search_from(app, by), by, app->sought))
        app_say(app, STYLE_ERROR, "no knob matches \"%s\"", app->sought);
}

void act_next_match(struct app *app, const char *argument)
{
    (void)argument;
    again(app, 1);
}

void act_previous_match(struct app *app, const char *argument)
{
    (void)argument;
    again(app, -1);
}

/* The screen is as it was before each letter and when the search is given up. */
static void back(struct app *app)
{
    app->view->back(app);
}

static void changed(struct app *app, const char *text)
{
    app->message[0] = '\0';
    back(app);
    if (text[0] != '\0' && !search(app, app->view->search_from(app, 1), 1, text))
        app_say(app, STYLE_ERROR, "no knob matches \"%.60s\"", text);
}

static bool accept(struct app *app, const char *text)
{
    if (text[0] != '\0')
        snprintf(app->sought, sizeof app->sought, "%s", text);
    changed(app, text);
    return !app->failed;
}

void act_find(struct app *app, const char *argument)
{
    if (argument != NULL && argument[0] != '\0') {
        snprintf(app->sought, sizeof app->sought, "%s", argument);
        again(app, 1);
        return;
    }
    app->view->keep(app);
    prompt_open(app, "find: ", "", false, accept);
    app->prompt.history = &app->searches;
    app->searches.at = app->searches.count;
    app->prompt.changed = changed;
    app->prompt.cancel = back;
}
