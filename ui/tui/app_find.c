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

/* The knob to search from: the one under the cursor, else the first of the section. */
static struct knob_ref from_here(const struct app *app, int by)
{
    const struct tree_row *row = tree_row(&app->explore.tree);
    struct knob_ref ref = {row->section, row->index, row->knob};

    if (ref.knob == NULL) {
        /* a heading stands before its first knob: one step forward must reach that one */
        ref.knob = &knobs[knob_section_first(row->section)];
        if (by > 0)
            tree_next_knob(&app->scenario, &ref, -1);
    }
    return ref;
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
            explore_show(app, ref.section, ref.index, ref.knob);
            app->explore.pane = PLACE_KNOBS;
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
    else if (!search(app, from_here(app, by), by, app->sought))
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

/* Folds and cursor as they were, before each letter and when the search is given up. */
static void back(struct app *app)
{
    struct explore *explore = &app->explore;

    explore->tree.at = explore->found_from;
    tree_build(&explore->tree, &app->scenario);
    explore->tree.at.focus = explore->found_from.focus;
    tree_move(&explore->tree, 0);
    explore->pane = explore->found_pane;
}

static void changed(struct app *app, const char *text)
{
    app->message[0] = '\0';
    back(app);
    if (text[0] != '\0' && !search(app, from_here(app, 1), 1, text))
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
    struct explore *explore = &app->explore;

    if (argument != NULL && argument[0] != '\0') {
        snprintf(app->sought, sizeof app->sought, "%s", argument);
        again(app, 1);
        return;
    }
    explore->found_from = explore->tree.at;
    explore->found_pane = explore->pane;
    prompt_open(app, "find: ", "", false, accept);
    app->prompt.history = &app->searches;
    app->searches.at = app->searches.count;
    app->prompt.changed = changed;
    app->prompt.cancel = back;
}
