#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/evaluate.h"
#include "tui/host.h"
#include "tui/menu.h"
#include "tui/prompt.h"
#include "tui/view_compare.h"

/* Which design the present one is compared with. */

const char *compare_name(const struct compare_view *view)
{
    const struct compare_other *other = &view->other;

    return other->name[0] != '\0' ? other->name : "baseline";
}

static const struct scenario *scenario_of(const struct compare_view *view)
{
    if (view->other.name[0] != '\0')
        return &view->other.scenario;
    return view->host->design.baseline.pinned ? &view->host->design.baseline.scenario : NULL;
}

static bool evaluated(struct compare_view *view, const struct scenario *scenario)
{
    struct compare_other *other = &view->other;
    struct error error;

    if (other->evaluated &&
        (other->name[0] != '\0' || other->pins == view->host->design.baseline.pins))
        return true;
    view->current = false;
    other->ready = other->ready || result_init(&other->result, &error) == STATUS_OK;
    other->pins = view->host->design.baseline.pins;
    other->evaluated = other->ready && evaluate(scenario, &other->result, &error) == STATUS_OK;
    if (!other->evaluated)
        host_fail(view->host, &error);
    return other->evaluated;
}

void compare_update(struct compare_view *view)
{
    const struct scenario *scenario = scenario_of(view);
    bool stale = view->host->design.problem.status != STATUS_OK;
    const struct compare_side side[SIDES] = {
        {&view->host->design.scenario, stale ? NULL : &view->host->design.result},
        {scenario, stale ? NULL : &view->other.result},
    };
    struct error error;

    if (scenario == NULL) {
        view->compared = false;
        view->other.evaluated = false;
        return;
    }
    if (!evaluated(view, scenario) || view->current || (stale && !view->compared))
        return;
    view->compared =
        (stale ? compare_settings : compare_designs)(side, &view->comparison, &error) == STATUS_OK;
    view->current = view->compared;
    if (!view->compared)
        host_fail(view->host, &error);
}

/* Choosing ------------------------------------------------------------------------------------- */

static void take_over(struct compare_view *view, const char *name)
{
    struct compare_other *other = &view->other;

    snprintf(other->name, sizeof other->name, "%s", name);
    other->evaluated = false;
    compare_update(view);
    if (view->compared)
        host_say(view->host, STYLE_NORMAL, "compared with %s", compare_name(view));
}

/* A design that was read becomes the other one where it has a meaning. */
static bool accept(struct compare_view *view, const char *name, const struct scenario *scenario,
                   enum status status, struct problems *problems)
{
    struct compare_other *other = &view->other;
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
        host_fail(view->host, &error);
        return false;
    }
    scenario_copy(&other->scenario, scenario);
    take_over(view, name);
    return true;
}

static bool with_system(struct compare_view *view, const struct preset *preset)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    enum status status = scenario_parse_preset(&scenario, &document, preset,
                                               view->host->design.catalogue, &problems);

    document_free(document);
    return accept(view, preset->name, &scenario, status, &problems);
}

static bool with_file(void *context, const char *text)
{
    struct compare_view *view = context;
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    char path[PATH_BYTES];
    const char *base;
    enum status status;

    if (text[0] == '\0') {
        host_say(view->host, STYLE_ERROR, "a file name is needed");
        return false;
    }
    prompt_expand_home(text, path, sizeof path);
    if (access(path, R_OK) != 0) {
        host_say(view->host, STYLE_ERROR, "%s cannot be read: %s", path,
                 errno == ENOENT ? "no such file" : strerror(errno));
        return false;
    }
    status = scenario_load(&scenario, &document, path, view->host->design.catalogue, &problems);
    document_free(document);
    base = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    return accept(view, base, &scenario, status, &problems);
}

static void with_baseline(struct compare_view *view)
{
    if (view->host->design.baseline.pinned)
        take_over(view, "");
    else
        host_say(view->host, STYLE_ERROR, "there is no baseline; b pins this design as one");
}

static void ask_file(struct compare_view *view)
{
    prompt_open(view->host, &(struct prompt_request){.label = "compare with the file: ",
                                                     .completion = COMPLETE_FILE,
                                                     .context = view,
                                                     .accept = with_file});
}

static void chosen(void *context, int id)
{
    struct compare_view *view = context;

    if (id == MENU_BASELINE)
        with_baseline(view);
    else if (id == MENU_FILE)
        ask_file(view);
    else
        with_system(view, catalogue_at(view->host->design.catalogue, id));
}

/* A system, else a file; without a word the list of them. */
void compare_choose_other(struct compare_view *view, const char *argument)
{
    const struct preset *preset;

    if (argument == NULL || argument[0] == '\0') {
        menu_designs(view->host, chosen, view);
        return;
    }
    if (strcmp(argument, "baseline") == 0) {
        with_baseline(view);
        return;
    }
    preset = strpbrk(argument, "/") != NULL
                 ? NULL
                 : catalogue_find(view->host->design.catalogue, argument, 1U << PRESET_AO, NULL);
    if (preset != NULL)
        with_system(view, preset);
    else
        with_file(view, argument);
}
