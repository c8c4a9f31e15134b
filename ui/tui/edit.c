#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "charts/advise.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "tui/widget.h"

/* Adding --------------------------------------------------------------------------------------- */

/* Sections whose kinds can be added. */
static const struct {
    enum section section;
    const char *noun;
} addable[] = {
    {.section = SECTION_COMPONENT, .noun = "component"},
    {.section = SECTION_DEVICE, .noun = "device"},
    {.section = SECTION_WFS, .noun = "sensor"},
};

/* Returns the name the presets use for the first component of a type, or the type. */
static const char *default_name(enum section section, int kind)
{
    if (section == SECTION_WFS)
        return "wfs";
    if (section == SECTION_COMPONENT && (kind == COMPONENT_CENTROID || kind == COMPONENT_PYRAMID))
        return "slopes";
    if (section == SECTION_COMPONENT && kind == COMPONENT_RECONSTRUCTION)
        return "recon";
    return section_kind_knob(section)->choices[kind];
}

static void unused_name(const struct scenario *scenario, enum section section, const char *usual,
                        char *name, size_t size)
{
    /* devices are numbered from 0, "gpu0"; others from 2, the first without a number */
    int number = section == SECTION_DEVICE ? 0 : 2;

    snprintf(name, size, section == SECTION_DEVICE ? "%s0" : "%s", usual);
    while (section_find(scenario, section, name) >= 0)
        snprintf(name, size, "%s%d", usual, section == SECTION_DEVICE ? ++number : number++);
}

/* Returns the position of a new component: after the one under the cursor, else after the last
 * whose type precedes it in the pipeline. */
static int new_index(const struct app *app, enum section section, int kind)
{
    const struct scenario *scenario = &app->host.design.scenario;
    struct view_cursor cursor = view_cursor(app);
    int at = 0;

    if (section != SECTION_COMPONENT)
        return section_count(scenario, section);
    if (cursor.index >= 0 && cursor.section == SECTION_COMPONENT)
        return cursor.index + 1;
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type <= kind)
            at = c + 1;
    return at;
}

/* Returns true if the component after a new one at `at` has no stated predecessor and would by
 * default wait for the new one. */
static bool would_wait_for_new(const struct scenario *scenario, enum section section, int at)
{
    return section == SECTION_COMPONENT && at < scenario->component_count &&
           !scenario->component[at].after.stated &&
           scenario->component[at].type != COMPONENT_CAMERA;
}

/* Returns the only sensor that no camera serves, REFERENCE_AUTO if there is none or several. */
static int unserved_wfs(const struct scenario *scenario)
{
    int unserved = REFERENCE_AUTO;

    for (int w = 0; w < scenario->wfs_count; w++) {
        bool served = false;

        for (int c = 0; c < scenario->component_count; c++)
            served |=
                scenario->component[c].type == COMPONENT_CAMERA && scenario_wfs(scenario, c) == w;
        if (served)
            continue;
        if (unserved != REFERENCE_AUTO)
            return REFERENCE_AUTO;
        unserved = w;
    }
    return unserved;
}

static void report_added(struct host *host, enum section section, int at, bool kept)
{
    const struct scenario *scenario = &host->design.scenario;
    const struct component *c = &scenario->component[at];

    if (section == SECTION_DEVICE)
        host_say(host, STYLE_NORMAL, "added device.%s; device = %s of a component puts that on it",
                 scenario->device[at].head.name, scenario->device[at].head.name);
    else if (section != SECTION_COMPONENT)
        host_say(host, STYLE_NORMAL, "added %s.%s", section_name(section),
                 section_head_const(scenario, section, at)->name);
    else if (kept)
        host_say(host, STYLE_NORMAL, "added %s %s %s; %s still waits for %s", c->head.name,
                 at > 0 ? "after" : "before", c[at > 0 ? -1 : 1].head.name, c[1].head.name,
                 at > 0 ? c[-1].head.name : "nothing");
    else if (at > 0)
        host_say(host, STYLE_NORMAL, "added %s after %s", c->head.name, c[-1].head.name);
    else
        host_say(host, STYLE_NORMAL, "added %s", c->head.name);
}

static bool accept_part_name(void *context, const char *name)
{
    struct app *app = context;
    struct host *host = &app->host;
    struct scenario *scenario = &host->design.scenario;
    enum section section = app->adding.section;
    int at = new_index(app, section, app->adding.kind);
    bool keep = would_wait_for_new(scenario, section, at);
    int unserved = section == SECTION_COMPONENT && app->adding.kind == COMPONENT_CAMERA
                       ? unserved_wfs(scenario)
                       : REFERENCE_AUTO;
    struct error error;

    if (scenario_insert(scenario, section, at, name, &error) != STATUS_OK) {
        host_fail(host, &error);
        return false;
    }
    knob_set_number(scenario, (struct knob_ref){section, at, section_kind_knob(section)},
                    app->adding.kind, NULL);
    if (unserved != REFERENCE_AUTO)
        knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_WFS, at),
                      scenario->wfs[unserved].head.name, NULL);
    if (keep) /* state the previous default of the next component */
        knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_AFTER, at + 1),
                      at > 0 ? scenario->component[at - 1].head.name : "none", NULL);
    design_record(host, false, "added %s.%s", section_name(section), name);
    host_show_knob(host, section, at, NULL, true);
    report_added(host, section, at, keep);
    return true;
}

enum { KINDS_MAX = 100 }; /* per section; item id = row of `addable` * KINDS_MAX + kind */

static void kind_chosen(void *context, int id)
{
    struct app *app = context;
    enum section section = addable[id / KINDS_MAX].section;
    int kind = id % KINDS_MAX;
    char name[64];
    char label[96];

    unused_name(&app->host.design.scenario, section, default_name(section, kind), name,
                sizeof name);
    snprintf(label, sizeof label,
             "name of the new %s %s: ", section_kind_knob(section)->choices[kind],
             addable[id / KINDS_MAX].noun);
    app->adding.section = section;
    app->adding.kind = kind;
    prompt_open(&app->host, &(struct prompt_request){.label = label,
                                                     .text = name,
                                                     .proposed = true,
                                                     .context = app,
                                                     .accept = accept_part_name});
}

void act_add(struct app *app, const char *argument)
{
    static const struct picker_column columns[] = {{.title = ""}, {.title = ""}};

    (void)argument;
    picker_start(&app->picker, "Add", columns, 2);
    app->picker.sortable = false;
    for (size_t row = 0; row < sizeof addable / sizeof addable[0]; row++) {
        const struct knob *knob = section_kind_knob(addable[row].section);

        for (int k = 0; knob->choices[k] != NULL; k++)
            picker_add_texts(&app->picker, (int)row * KINDS_MAX + k, knob->choices[k],
                             addable[row].noun);
    }
    menu_open(&app->host, 0, kind_chosen, app);
}

/* Removing ------------------------------------------------------------------------------------- */

static bool find_section(const struct scenario *scenario, const char *path, enum section *section,
                         int *index)
{
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < section_count(scenario, (enum section)s); i++) {
            char candidate[64];

            *section = (enum section)s;
            *index = i;
            section_path(scenario, *section, i, candidate, sizeof candidate);
            if (strcmp(candidate, path) == 0)
                return true;
        }
    return false;
}

/* Returns true if the row under the cursor stands for its component, device or sensor as a whole:
 * elsewhere it is about something else, as a next step or a knob. */
static bool cursor_shows_section(const struct app *app, const struct view_cursor *cursor)
{
    return view_pane(app) == PANE_COMPONENTS ||
           (view_pane(app) == PANE_KNOBS && cursor->knob.knob == NULL);
}

void act_remove(struct app *app, const char *argument)
{
    struct host *host = &app->host;
    struct scenario *scenario = &host->design.scenario;
    bool named = argument != NULL;
    struct error error;
    struct view_cursor cursor = view_cursor(app);
    enum section section = cursor.section;
    int index = cursor.index;
    char path[64];

    if (named && !find_section(scenario, argument, &section, &index)) {
        host_say(host, STYLE_ERROR, "%s does not exist", argument);
        return;
    }
    if (!named && (index < 0 || !cursor_shows_section(app, &cursor))) {
        host_say(
            host, STYLE_ERROR,
            "to remove a component, device or sensor, put the cursor on its heading in view 1, "
            "or type :remove PATH");
        return;
    }
    section_path(scenario, section, index, path, sizeof path);
    if (scenario_remove(scenario, section, index, &error) != STATUS_OK) {
        host_fail(host, &error);
        return;
    }
    design_record(host, false, "removed %s", path);
    host_say(host, STYLE_NORMAL, "removed %s; u brings it back", path);
}

/* Undo and baseline ---------------------------------------------------------------------------- */

/* Finds the knob of a step that changed only that, by its label: "PATH = VALUE" or "PATH reset". */
static bool find_undone_knob(const struct design *design, const char *label, struct knob_ref *ref)
{
    char path[HISTORY_LABEL];

    snprintf(path, sizeof path, "%.*s", (int)strcspn(label, " ="), label);
    return knob_find(&design->scenario, path, ref, NULL) == STATUS_OK;
}

/* Goes one step back or forward and says what changed: "undone: cores 260 â 250". Moves the
 * cursor to the knob. */
static void follow_step(struct app *app, const char *verb, const char *done, const char *label,
                        const char *(*follow)(struct host *host))
{
    struct host *host = &app->host;
    struct design *design = &host->design;
    char from[KNOB_TEXT_SIZE], to[KNOB_TEXT_SIZE], change[2 * KNOB_TEXT_SIZE];
    char text[HISTORY_LABEL];
    struct knob_ref ref;
    bool known;

    if (label == NULL) {
        host_say(host, STYLE_NORMAL, "nothing to %s", verb);
        return;
    }
    snprintf(text, sizeof text, "%s", label);
    known = find_undone_knob(design, text, &ref);
    if (known)
        design_print_knob(design, ref, from, sizeof from);
    if (follow(host) == NULL) {
        host_say(host, STYLE_ERROR, "out of memory");
        return;
    }
    /* a step that added or removed the section may have moved others there */
    if (!find_undone_knob(design, text, &ref)) {
        host_say(host, STYLE_NORMAL, "%s: %s", done, text);
        return;
    }
    host_show_knob(host, ref.section, ref.index, ref.knob, false);
    design_print_knob(design, ref, to, sizeof to);
    change_brief(from, to, change, sizeof change);
    if (known && strchr(text, '=') == strrchr(text, '=')) /* one assignment */
        host_say(host, STYLE_NORMAL, "%s: %s %s", done, ref.knob->label, change);
    else
        host_say(host, STYLE_NORMAL, "%s: %s", done, text);
}

void act_undo(struct app *app, const char *argument)
{
    (void)argument;
    follow_step(app, "undo", "undone", history_undo_label(&app->host.design.history), design_undo);
}

void act_redo(struct app *app, const char *argument)
{
    (void)argument;
    follow_step(app, "redo", "redone", history_redo_label(&app->host.design.history), design_redo);
}

void act_baseline(struct app *app, const char *argument)
{
    struct host *host = &app->host;
    struct design *design = &host->design;
    char latency[32];

    (void)argument;
    if (design->baseline.pinned && !design->baseline.automatic &&
        image_equals(&design->baseline.image, &design->scenario)) {
        design->baseline.pinned = false;
        host_say(host, STYLE_NORMAL, "baseline unpinned");
        return;
    }
    if (!design_is_valid(design)) {
        host_say(host, STYLE_ERROR, "the design is invalid and cannot be a baseline");
        return;
    }
    if (!design_pin_baseline(design)) {
        host_say(host, STYLE_ERROR, "out of memory");
        return;
    }
    quantity_show(design->result.latency, "s", latency, sizeof latency);
    host_say(host, STYLE_NORMAL, "baseline pinned: RTC latency %s", latency);
}
