#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "widget.h"

/* What can be added: every kind of a section, by the choices of the knob that says the kind. */
static const struct {
    enum section section;
    const char *key;
    const char *noun;
} kinds[] = {
    {SECTION_COMPONENT, "type", "component"},
    {SECTION_DEVICE, "kind", "device"},
    {SECTION_WFS, "kind", "sensor"},
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

static const struct knob *kind_knob(int row)
{
    int first = knob_section_first(kinds[row].section);

    while (strcmp(knobs[first].key, kinds[row].key) != 0)
        first++;
    return &knobs[first];
}

/* Items of the list are numbered over the rows of `kinds`. */
static void kind_of_item(int id, int *row, int *kind)
{
    *row = 0;
    while (*row < KINDS - 1 && id > (int)kind_knob(*row)->max)
        id -= (int)kind_knob((*row)++)->max + 1;
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
        return section_count(&app->scenario, section);
    if (explore_section(app, &under, &index) && under == SECTION_COMPONENT)
        return index + 1;
    for (int c = 0; c < app->scenario.component_count; c++)
        if (app->scenario.component[c].type <= kind)
            at = c + 1;
    return at;
}

static bool accept_name(struct app *app, const char *name)
{
    struct knob_ref ref;
    struct error error;
    int row;
    int kind;
    int at;

    kind_of_item(app->prompt.kind, &row, &kind);
    at = place_for(app, kinds[row].section, kind);
    if (scenario_insert(&app->scenario, kinds[row].section, at, name, &error) != STATUS_OK) {
        app_fail(app, &error);
        return false;
    }
    ref = (struct knob_ref){kinds[row].section, at, kind_knob(row)};
    knob_set_number(&app->scenario, ref, kind, NULL);
    design_changed(app, false, "added %s.%s", section_name(ref.section), name);
    explore_show(app, ref.section, at, NULL);
    tree_open(&app->explore.tree, &app->scenario, ref.section, at, true);
    app->explore.pane = PLACE_KNOBS;
    app_say(app, STYLE_NORMAL, "added %s.%s", section_name(ref.section), name);
    return true;
}

static void kind_chosen(struct app *app, int id)
{
    char name[64];
    char label[96];
    const char *word;
    int row;
    int kind;

    kind_of_item(id, &row, &kind);
    word = kind_knob(row)->choices[kind];
    free_name(&app->scenario, kinds[row].section, usual_name(kinds[row].section, kind, word), name,
              sizeof name);
    snprintf(label, sizeof label, "name of the new %s %s: ", word, kinds[row].noun);
    prompt_open(app, label, name, true, accept_name);
    app->prompt.kind = id;
}

void act_add(struct app *app, const char *argument)
{
    static const struct picker_column columns[] = {{"", false}, {"", false}};

    (void)argument;
    picker_start(&app->picker, "Add", columns, 2);
    app->picker.sortable = false;
    for (int row = 0; row < KINDS; row++) {
        const struct knob *knob = kind_knob(row);

        for (int k = 0; knob->choices[k] != NULL; k++) {
            struct picker_item *item = picker_add(&app->picker);

            if (item == NULL)
                return;
            snprintf(item->text[0], PICKER_TEXT, "%s", knob->choices[k]);
            snprintf(item->text[1], PICKER_TEXT, "%s", kinds[row].noun);
        }
    }
    list_open(app, 0, kind_chosen);
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
        if (!find_section(&app->scenario, argument, &section, &index)) {
            app_say(app, STYLE_ERROR, "there is no %s to remove", argument);
            return;
        }
    } else if (!explore_section(app, &section, &index)) {
        app_say(app, STYLE_ERROR, "put the cursor on the component, device or sensor to remove");
        return;
    }
    section_path(&app->scenario, section, index, path, sizeof path);
    if (scenario_remove(&app->scenario, section, index, &error) != STATUS_OK) {
        app_fail(app, &error);
        return;
    }
    design_changed(app, false, "removed %s", path);
    app_say(app, STYLE_NORMAL, "removed %s; u brings it back", path);
}
