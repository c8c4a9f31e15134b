#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "tui/tree.h"

/* Kinds of match, best first. */
enum match { MATCH_KNOB, MATCH_SECTION, MATCH_PART, MATCH_COUNT };

/* Returns true if the path equals the text or ends with it after a point. */
static bool path_ends_with(const char *path, const char *text)
{
    size_t length = strlen(path);
    size_t least = strlen(text);

    return length >= least && strcasecmp(path + length - least, text) == 0 &&
           (length == least || path[length - least - 1] == '.');
}

static bool knob_matches(const struct scenario *scenario, struct knob_ref ref, enum match match,
                         const char *text)
{
    char path[96];

    if (match == MATCH_SECTION)
        section_path(scenario, ref.section, ref.index, path, sizeof path);
    else
        knob_path(scenario, ref, path, sizeof path);
    if (match != MATCH_PART)
        return path_ends_with(path, text);
    return strcasestr(path, text) != NULL || strcasestr(ref.knob->label, text) != NULL;
}

/* Finds the next matching knob, wrapping around; `ref` itself is tried last. */
static bool find_next(const struct scenario *scenario, struct knob_ref *ref, int by,
                      enum match match, const char *text)
{
    struct knob_ref start;

    tree_next_knob(scenario, ref, by);
    start = *ref;
    do {
        if (knob_matches(scenario, *ref, match, text))
            return true;
        tree_next_knob(scenario, ref, by);
    } while (ref->knob != start.knob || ref->index != start.index);
    return false;
}

/* If the cursor is on a heading, continues after its section, as sections may share a name. */
static void skip_section(const struct app *app, struct knob_ref *ref, int by)
{
    struct view_cursor cursor = view_cursor(app);
    int first = knob_section_first(cursor.section);

    if (by > 0 && cursor.knob.knob == NULL && cursor.index >= 0)
        *ref = (struct knob_ref){cursor.section, cursor.index,
                                 &knobs[first + knob_section_count(cursor.section) - 1]};
}

/* Puts the cursor on the next match of the best kind: knobs by key or path, then sections by name,
 * then parts of names. */
static bool find_knob(struct app *app, int by, const char *text)
{
    const struct knob_ref from = host_search_from(&app->host, by);

    for (int match = 0; match < MATCH_COUNT && text[0] != '\0'; match++) {
        struct knob_ref ref = from;

        if (match == MATCH_SECTION)
            skip_section(app, &ref, by);
        if (!find_next(&app->host.design.scenario, &ref, by, (enum match)match, text))
            continue;
        host_show_knob(&app->host, ref.section, ref.index, match == MATCH_SECTION ? NULL : ref.knob,
                       true);
        return true;
    }
    return false;
}

/* Reports that nothing matches, or that the matching knob is hidden because it has no effect. */
static void report_no_match(struct host *host, const char *text)
{
    const struct scenario *scenario = &host->design.scenario;
    char path[96];

    for (int match = MATCH_KNOB; match < MATCH_COUNT; match += MATCH_PART - MATCH_KNOB)
        for (int k = 0; k < KNOB_COUNT; k++)
            for (int i = 0; i < section_count(scenario, knobs[k].section); i++) {
                struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

                if (!knob_applies(scenario, ref.section, i, ref.knob) ||
                    !knob_idle(scenario, ref) ||
                    !knob_matches(scenario, ref, (enum match)match, text))
                    continue;
                knob_path(scenario, ref, path, sizeof path);
                host_say(host, STYLE_ERROR, "%s has no effect in this design", path);
                return;
            }
    host_say(host, STYLE_ERROR, "no knob matches \"%.60s\"", text);
}

static void find_again(struct app *app, int by)
{
    if (app->search_text[0] == '\0')
        host_say(&app->host, STYLE_NORMAL, "no previous search: / finds a knob");
    else if (!find_knob(app, by, app->search_text))
        report_no_match(&app->host, app->search_text);
}

void act_next_match(struct app *app, const char *argument)
{
    (void)argument;
    find_again(app, 1);
}

void act_previous_match(struct app *app, const char *argument)
{
    (void)argument;
    find_again(app, -1);
}

/* Restores the screen when the search is cancelled, and before searching for a changed text. */
static void search_cancelled(void *context)
{
    struct app *app = context;

    explore_back(&app->explore);
    view_return(app, app->found_from);
}

static void search_changed(void *context, const char *text)
{
    struct app *app = context;

    app->host.message[0] = '\0';
    search_cancelled(app);
    if (text[0] != '\0' && !find_knob(app, 1, text))
        report_no_match(&app->host, text);
}

static bool accept_search(void *context, const char *text)
{
    struct app *app = context;

    if (text[0] != '\0')
        snprintf(app->search_text, sizeof app->search_text, "%s", text);
    search_changed(app, text);
    return !app->host.failed;
}

void act_find(struct app *app, const char *argument)
{
    if (argument != NULL) {
        snprintf(app->search_text, sizeof app->search_text, "%s", argument);
        find_again(app, 1);
        return;
    }
    explore_keep(&app->explore);
    app->found_from = app->view;
    prompt_open(&app->host, &(struct prompt_request){.label = "find: ",
                                                     .history = &app->searches,
                                                     .context = app,
                                                     .accept = accept_search,
                                                     .changed = search_changed,
                                                     .cancel = search_cancelled});
}
