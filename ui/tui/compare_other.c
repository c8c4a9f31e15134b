#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/evaluate.h"
#include "tui/app_state.h"

/* Which design the present one is compared with. */

const char *compare_name(const struct app *app)
{
    const struct compare_other *other = &app->compare.other;

    return other->name[0] != '\0' ? other->name : "baseline";
}

static const struct scenario *scenario_of(const struct app *app)
{
    if (app->compare.other.name[0] != '\0')
        return &app->compare.other.scenario;
    return app->baseline.pinned ? &app->baseline.scenario : NULL;
}

static bool evaluated(struct app *app, const struct scenario *scenario)
{
    struct compare_other *other = &app->compare.other;
    struct error error;

    if (other->evaluated && (other->name[0] != '\0' || other->pins == app->baseline.pins))
        return true;
    app->compare.current = false;
    other->ready = other->ready || result_init(&other->result, &error) == STATUS_OK;
    other->pins = app->baseline.pins;
    other->evaluated = other->ready && evaluate(scenario, &other->result, &error) == STATUS_OK;
    if (!other->evaluated)
        app_fail(app, &error);
    return other->evaluated;
}

void compare_update(struct app *app)
{
    struct compare_view *view = &app->compare;
    const struct scenario *scenario = scenario_of(app);
    bool stale = app->problem.status != STATUS_OK;
    const struct compare_side side[SIDES] = {
        {&app->scenario, stale ? NULL : &app->result},
        {scenario, stale ? NULL : &view->other.result},
    };
    struct error error;

    if (scenario == NULL) {
        view->compared = false;
        view->other.evaluated = false;
        return;
    }
    if (!evaluated(app, scenario) || view->current || (stale && !view->compared))
        return;
    view->compared =
        (stale ? compare_settings : compare_designs)(side, &view->comparison, &error) == STATUS_OK;
    view->current = view->compared;
    if (!view->compared)
        app_fail(app, &error);
}

/* Choosing ------------------------------------------------------------------------------------- */

static void take_over(struct app *app, const char *name)
{
    struct compare_other *other = &app->compare.other;

    snprintf(other->name, sizeof other->name, "%s", name);
    other->evaluated = false;
    compare_update(app);
    if (app->compare.compared)
        app_say(app, STYLE_NORMAL, "compared with %s", compare_name(app));
}

/* A design that was read becomes the other one where it has a meaning. */
static bool accept(struct app *app, const char *name, const struct scenario *scenario,
                   enum status status, struct problems *problems)
{
    struct compare_other *other = &app->compare.other;
    struct error error = {STATUS_OK, ""};
    bool good = status == STATUS_OK;

    if (!good)
        problems_summary(problems, name, &error);
    problems_free(problems);
    if (good && !other->ready) {
        good = result_init(&other->result, &error) == STATUS_OK;
        other->ready = good;
    }
    other->evaluated = false;
    if (good && evaluate(scenario, &other->result, &error) != STATUS_OK) {
        good = false;
        error_prefix(&error, "%s: ", name);
    }
    if (!good) {
        app_fail(app, &error);
        return false;
    }
    scenario_copy(&other->scenario, scenario);
    take_over(app, name);
    return true;
}

static bool with_system(struct app *app, const struct preset *preset)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    enum status status = scenario_parse_from(&scenario, &document, preset->text, preset->length,
                                             preset->path, app->catalogue, &problems);

    document_free(document);
    return accept(app, preset->name, &scenario, status, &problems);
}

static bool with_file(struct app *app, const char *text)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    char path[PATH_BYTES];
    const char *base;
    enum status status;

    if (text[0] == '\0') {
        app_say(app, STYLE_ERROR, "a file name is needed");
        return false;
    }
    file_expand_home(text, path, sizeof path);
    if (access(path, R_OK) != 0) {
        app_say(app, STYLE_ERROR, "%s cannot be read: %s", path,
                errno == ENOENT ? "no such file" : strerror(errno));
        return false;
    }
    status = scenario_load(&scenario, &document, path, app->catalogue, &problems);
    document_free(document);
    base = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    return accept(app, base, &scenario, status, &problems);
}

static void with_baseline(struct app *app)
{
    if (app->baseline.pinned)
        take_over(app, "");
    else
        app_say(app, STYLE_ERROR, "there is no baseline; b pins this design as one");
}

static void ask_file(struct app *app)
{
    prompt_open(app, "compare with the file: ", "", false, with_file);
    app->prompt.complete = complete_file;
}

static void chosen(struct app *app, int id)
{
    if (id == LIST_BASELINE)
        with_baseline(app);
    else if (id == LIST_FILE)
        ask_file(app);
    else
        with_system(app, catalogue_at(app->catalogue, id));
}

/* A system, else a file; without a word the list of them. */
void act_compare_with(struct app *app, const char *argument)
{
    const struct preset *preset;

    if (argument == NULL || argument[0] == '\0') {
        list_others(app, chosen);
        return;
    }
    if (strcmp(argument, "baseline") == 0) {
        with_baseline(app);
        return;
    }
    preset = strpbrk(argument, "/") != NULL
                 ? NULL
                 : catalogue_find(app->catalogue, argument, 1U << PRESET_AO, NULL);
    if (preset != NULL)
        with_system(app, preset);
    else
        with_file(app, argument);
}
