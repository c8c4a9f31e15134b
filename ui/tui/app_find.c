#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "tui/app_state.h"
#include "tui/widget.h"

/* What a text names, from most to least. */
enum match { MATCH_KNOB, MATCH_SECTION, MATCH_PART, MATCH_COUNT };

/* Whether a path is the text, or ends in it behind a point. */
static bool is_named(const char *path, const char *text)
{
    size_t length = strlen(path);
    size_t least = strlen(text);

    return length >= least && strcasecmp(path + length - least, text) == 0 &&
           (length == least || path[length - least - 1] == '.');
}

static bool matches(const struct scenario *scenario, struct knob_ref ref, enum match match,
                    const char *text)
{
    char path[96];

    if (match == MATCH_SECTION)
        section_path(scenario, ref.section, ref.index, path, sizeof path);
    else
        knob_path(scenario, ref, path, sizeof path);
    if (match != MATCH_PART)
        return is_named(path, text);
    return strcasestr(path, text) != NULL || strcasestr(ref.knob->label, text) != NULL;
}

static bool is_same(struct knob_ref a, struct knob_ref b)
{
    return a.section == b.section && a.index == b.index && a.knob == b.knob;
}

/* The next knob that matches; the whole round is searched, `ref` itself last. */
static bool next(const struct scenario *scenario, struct knob_ref *ref, int by, enum match match,
                 const char *text)
{
    struct knob_ref start;

    tree_next_knob(scenario, ref, by);
    start = *ref;
    do {
        if (matches(scenario, *ref, match, text))
            return true;
        tree_next_knob(scenario, ref, by);
    } while (!is_same(*ref, start));
    return false;
}

/* From the heading the cursor is on, on behind its section: other sections may have its name. */
static void leave_heading(const struct app *app, struct knob_ref *ref, int by)
{
    struct knob_ref at;
    enum section section;
    int index;

    if (by < 0 || view_knob(app, &at) || !view_section(app, &section, &index))
        return;
    *ref = (struct knob_ref){section, index,
                             &knobs[knob_section_first(section) + knob_section_count(section) - 1]};
}

/* Puts the cursor on the next match: where the text is a key, a path or a section's name, on the
 * next of these only. */
static bool search(struct app *app, struct knob_ref from, int by, const char *text)
{
    for (int match = 0; match < MATCH_COUNT && text[0] != '\0'; match++) {
        struct knob_ref ref = from;

        if (match == MATCH_SECTION)
            leave_heading(app, &ref, by);
        if (!next(&app->host.design.scenario, &ref, by, (enum match)match, text))
            continue;
        host_show_knob(&app->host, ref.section, ref.index, match == MATCH_SECTION ? NULL : ref.knob,
                       true);
        return true;
    }
    return false;
}

/* That there is none; or that what is meant is not shown, as it has nothing to act on. */
static void say_none(struct app *app, const char *text)
{
    const struct scenario *s = &app->host.design.scenario;
    char path[96];

    for (int match = MATCH_KNOB; match < MATCH_COUNT; match += MATCH_PART - MATCH_KNOB)
        for (int k = 0; k < KNOB_COUNT; k++)
            for (int i = 0; i < section_count(s, knobs[k].section); i++) {
                struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

                if (!knob_applies(s, ref.section, i, ref.knob) || !knob_idle(s, ref) ||
                    !matches(s, ref, (enum match)match, text))
                    continue;
                knob_path(s, ref, path, sizeof path);
                host_say(&app->host, STYLE_ERROR, "%s has nothing to act on in this design", path);
                return;
            }
    host_say(&app->host, STYLE_ERROR, "no knob matches \"%.60s\"", text);
}

static void again(struct app *app, int by)
{
    if (app->sought[0] == '\0')
        host_say(&app->host, STYLE_NORMAL, "nothing was searched for yet: / finds a knob");
    else if (!search(app, host_search_from(&app->host, by), by, app->sought))
        say_none(app, app->sought);
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
static void back(void *context)
{
    struct app *app = context;

    explore_back(&app->explore);
    view_return(app, app->found_from);
}

static void changed(void *context, const char *text)
{
    struct app *app = context;

    app->host.message[0] = '\0';
    back(app);
    if (text[0] != '\0' && !search(app, host_search_from(&app->host, 1), 1, text))
        say_none(app, text);
}

static bool accept(void *context, const char *text)
{
    struct app *app = context;

    if (text[0] != '\0')
        snprintf(app->sought, sizeof app->sought, "%s", text);
    changed(app, text);
    return !app->host.failed;
}

void act_find(struct app *app, const char *argument)
{
    if (argument != NULL && argument[0] != '\0') {
        snprintf(app->sought, sizeof app->sought, "%s", argument);
        again(app, 1);
        return;
    }
    explore_keep(&app->explore);
    app->found_from = app->view;
    prompt_open(&app->host, &(struct prompt_request){.label = "find: ",
                                                     .history = &app->searches,
                                                     .context = app,
                                                     .accept = accept,
                                                     .changed = changed,
                                                     .cancel = back});
}
