#include <stdio.h>
#include <string.h>

#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "tui/app_state.h"
#include "tui/widget.h"

/* What can be added: every kind of a section, by the choices of the knob that says the kind. */
static const struct {
    enum section section;
    const char *noun;
} kinds[] = {
    {.section = SECTION_COMPONENT, .noun = "component"},
    {.section = SECTION_DEVICE, .noun = "device"},
    {.section = SECTION_WFS, .noun = "sensor"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Names that the presets use for the first component of a type; others go by their type. */
static const char *usual_name(enum section section, int kind, const char *word)
{
    if (section == SECTION_WFS)
        return "wfs";
    if (section == SECTION_COMPONENT && kind == COMPONENT_CENTROID)
        return "slopes";
    if (section == SECTION_COMPONENT && kind == COMPONENT_PYRAMID)
        return "slopes";
    if (section == SECTION_COMPONENT && kind == COMPONENT_RECONSTRUCTION)
        return "recon";
    return word;
}

static void free_name(const struct scenario *scenario, enum section section, const char *usual,
                      char *name, size_t size)
{
    /* devices are counted from 0, as gpu0; the others have a number from the second on */
    int number = section == SECTION_DEVICE ? 0 : 2;

    snprintf(name, size, section == SECTION_DEVICE ? "%s0" : "%s", usual);
    while (section_find(scenario, section, name) >= 0)
        snprintf(name, size, "%s%d", usual, section == SECTION_DEVICE ? ++number : number++);
}

/* Items of the list are numbered over the rows of `kinds`. */
static void kind_of_item(int id, int *row, int *kind)
{
    *row = 0;
    while (*row < KINDS - 1 && id > (int)section_kind_knob(kinds[*row].section)->max)
        id -= (int)section_kind_knob(kinds[(*row)++].section)->max + 1;
    *kind = id;
}

/* Where a new component goes: behind the one under the cursor, else behind the last of those that
 * come before its type along the pipeline. */
static int place_for(const struct app *app, enum section section, int kind)
{
    enum section under;
    int index;
    int at = 0;

    if (section != SECTION_COMPONENT)
        return section_count(&app->host.design.scenario, section);
    if (view_section(app, &under, &index) && under == SECTION_COMPONENT)
        return index + 1;
    for (int c = 0; c < app->host.design.scenario.component_count; c++)
        if (app->host.design.scenario.component[c].type <= kind)
            at = c + 1;
    return at;
}

/* The component that will follow a new one at `at` and, left to itself, would wait for it: -1 where
 * there is none. */
static int follower(const struct scenario *scenario, enum section section, int at)
{
    const struct component *c;

    if (section != SECTION_COMPONENT || at >= scenario->component_count)
        return -1;
    c = &scenario->component[at];
    return c->after.stated || c->type == COMPONENT_CAMERA ? -1 : at;
}

/* Makes a component state what it waited for while that went without saying. */
static void keep_waiting(struct scenario *scenario, int component, const char *for_whom)
{
    knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_AFTER, component), for_whom, NULL);
}

static void say_added(struct app *app, enum section section, int at, bool kept)
{
    const struct component *c = &app->host.design.scenario.component[at];

    if (section != SECTION_COMPONENT)
        host_say(&app->host, STYLE_NORMAL, "added %s.%s", section_name(section),
                 section_head(&app->host.design.scenario, section, at)->name);
    else if (kept)
        host_say(&app->host, STYLE_NORMAL, "added %s %s %s; %s still waits for %s", c->head.name,
                 at > 0 ? "after" : "before", c[at > 0 ? -1 : 1].head.name, c[1].head.name,
                 at > 0 ? c[-1].head.name : "nothing");
    else if (at > 0)
        host_say(&app->host, STYLE_NORMAL, "added %s after %s", c->head.name, c[-1].head.name);
    else
        host_say(&app->host, STYLE_NORMAL, "added %s", c->head.name);
}

static bool accept_name(void *context, const char *name)
{
    struct app *app = context;
    struct knob_ref ref;
    struct error error;
    int next;
    int row;
    int kind;
    int at;

    kind_of_item(app->adding, &row, &kind);
    at = place_for(app, kinds[row].section, kind);
    next = follower(&app->host.design.scenario, kinds[row].section, at);
    if (scenario_insert(&app->host.design.scenario, kinds[row].section, at, name, &error) !=
        STATUS_OK) {
        host_fail(&app->host, &error);
        return false;
    }
    ref = (struct knob_ref){kinds[row].section, at, section_kind_knob(kinds[row].section)};
    knob_set_number(&app->host.design.scenario, ref, kind, NULL);
    if (next >= 0)
        keep_waiting(&app->host.design.scenario, next + 1,
                     at > 0 ? app->host.design.scenario.component[at - 1].head.name : "none");
    design_record(&app->host, false, "added %s.%s", section_name(ref.section), name);
    host_show_knob(&app->host, ref.section, at, NULL, true);
    say_added(app, ref.section, at, next >= 0);
    return true;
}

static void kind_chosen(void *context, int id)
{
    struct app *app = context;
    char name[64];
    char label[96];
    const char *word;
    int row;
    int kind;

    kind_of_item(id, &row, &kind);
    word = section_kind_knob(kinds[row].section)->choices[kind];
    free_name(&app->host.design.scenario, kinds[row].section,
              usual_name(kinds[row].section, kind, word), name, sizeof name);
    snprintf(label, sizeof label, "name of the new %s %s: ", word, kinds[row].noun);
    app->adding = id;
    prompt_open(
        &app->host,
        &(struct prompt_request){
            .label = label, .text = name, .proposed = true, .context = app, .accept = accept_name});
}

void act_add(struct app *app, const char *argument)
{
    static const struct picker_column columns[] = {{"", false}, {"", false}};

    (void)argument;
    picker_start(&app->picker, "Add", columns, 2);
    app->picker.sortable = false;
    for (int row = 0; row < KINDS; row++) {
        const struct knob *knob = section_kind_knob(kinds[row].section);

        for (int k = 0; knob->choices[k] != NULL; k++) {
            struct picker_item *item = picker_add(&app->picker);

            if (item == NULL)
                return;
            snprintf(item->text[0], PICKER_TEXT, "%s", knob->choices[k]);
            snprintf(item->text[1], PICKER_TEXT, "%s", kinds[row].noun);
        }
    }
    menu_open(&app->host, 0, kind_chosen, app);
}

static bool find_section(const struct scenario *scenario, const char *path, enum section *section,
                         int *index)
{
    const char *point = strchr(path, '.');

    for (int s = 0; s < SECTION_COUNT && point != NULL; s++) {
        size_t length = strlen(section_name((enum section)s));

        if ((size_t)(point - path) != length ||
            strncmp(path, section_name((enum section)s), length) != 0)
            continue;
        *section = (enum section)s;
        *index = section_find(scenario, *section, point + 1);
        return *index >= 0;
    }
    return false;
}

void act_remove(struct app *app, const char *argument)
{
    struct error error;
    enum section section;
    char path[64];
    int index;

    if (argument != NULL && argument[0] != '\0') {
        if (!find_section(&app->host.design.scenario, argument, &section, &index)) {
            host_say(&app->host, STYLE_ERROR, "there is no %s to remove", argument);
            return;
        }
    } else if (!view_section(app, &section, &index)) {
        host_say(&app->host, STYLE_ERROR,
                 "put the cursor on the component, device or sensor to remove");
        return;
    }
    section_path(&app->host.design.scenario, section, index, path, sizeof path);
    if (scenario_remove(&app->host.design.scenario, section, index, &error) != STATUS_OK) {
        host_fail(&app->host, &error);
        return;
    }
    design_record(&app->host, false, "removed %s", path);
    host_say(&app->host, STYLE_NORMAL, "removed %s; u brings it back", path);
}
