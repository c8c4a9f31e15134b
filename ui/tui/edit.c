#include "tui/app_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "charts/advise.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "model/calibration.h"
#include "tui/widget.h"

/* Adding --------------------------------------------------------------------------------------- */

/* Sections whose kinds can be added; `chain`: a sensor with what computes on it. */
static const struct {
    enum section section;
    const char *noun;
    bool chain;
} addable[] = {
    {.section = SECTION_WFS, .noun = "sensor and its components", .chain = true},
    {.section = SECTION_COMPONENT, .noun = "component"},
    {.section = SECTION_DEVICE, .noun = "device"},
    {.section = SECTION_WFS, .noun = "sensor alone"},
};

/* Returns the name the presets use for the first component of a type, or the type. */
static const char *default_name(enum section section, int kind)
{
    if (section == SECTION_WFS)
        return "ngs";
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
        snprintf(name, size, "%.40s%d", usual, section == SECTION_DEVICE ? ++number : number++);
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
    const bool fpga = section == SECTION_DEVICE && scenario->device[at].preset[0] != '\0';

    if (section == SECTION_DEVICE)
        host_say(host, NOTICE_NORMAL,
                 "added device.%s%s%s%s; device = %s of a component puts that on it",
                 scenario->device[at].head.name, fpga ? " (" : "", scenario->device[at].preset,
                 fpga ? ")" : "", scenario->device[at].head.name);
    else if (section != SECTION_COMPONENT)
        host_say(host, NOTICE_NORMAL, "added %s.%s", section_name(section),
                 section_head_const(scenario, section, at)->name);
    else if (kept)
        host_say(host, NOTICE_NORMAL, "added %s %s %s; %s still waits for %s", c->head.name,
                 at > 0 ? "after" : "before", c[at > 0 ? -1 : 1].head.name, c[1].head.name,
                 at > 0 ? c[-1].head.name : "nothing");
    else if (at > 0)
        host_say(host, NOTICE_NORMAL, "added %s after %s", c->head.name, c[-1].head.name);
    else
        host_say(host, NOTICE_NORMAL, "added %s", c->head.name);
}

/* The components of a sensor, being added one after the other. */
struct sensor_chain {
    struct scenario *scenario;
    const char *sensor;
    int at; /* position of the next component */
    enum status status;
    struct error error;
};

/* Returns the first component of a type, or the count. */
static int first_of_type(const struct scenario *scenario, enum component_type type)
{
    int c = 0;

    while (c < scenario->component_count && scenario->component[c].type != (int)type)
        c++;
    return c;
}

/* Inserts a component of the chain; its name is that of the presets, with the sensor if there is
 * another component of the type. */
static void add_link(struct sensor_chain *chain, enum component_type type)
{
    const char *usual = default_name(SECTION_COMPONENT, (int)type);
    char name[2 * NAME_MAX_LENGTH + 2], own[2 * NAME_MAX_LENGTH + 2];

    if (chain->status != STATUS_OK)
        return;
    snprintf(own, sizeof own, "%s", usual);
    if (first_of_type(chain->scenario, type) < chain->scenario->component_count ||
        section_find(chain->scenario, SECTION_COMPONENT, usual) >= 0)
        snprintf(own, sizeof own, "%s-%s", usual, chain->sensor);
    unused_name(chain->scenario, SECTION_COMPONENT, own, name, sizeof name);
    chain->status =
        scenario_insert(chain->scenario, SECTION_COMPONENT, chain->at, name, &chain->error);
    if (chain->status != STATUS_OK)
        return;
    knob_set_number(chain->scenario, knob_ref_to(KNOB_COMPONENT_TYPE, chain->at), (double)type,
                    NULL);
    chain->at++;
}

/* Lets the reconstruction wait for the component before it as well. */
static void join_reconstruction(struct scenario *scenario, int recon, uint64_t before)
{
    char names[KNOB_TEXT_SIZE];
    struct buffer list = buffer_over(names, sizeof names);

    for (int c = 0; c < scenario->component_count; c++)
        if ((before >> c & 1) != 0 || c == recon - 1)
            buffer_item(&list, scenario->component[c].head.name);
    knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_AFTER, recon), names, NULL);
}

/* Adds what computes on a sensor: camera, calibration and slopes, which join the reconstruction; in
 * a design that has none also that, control and a mirror, and a device if there is none. */
static enum status add_chain(struct scenario *scenario, int sensor, struct error *error)
{
    const int recon = first_of_type(scenario, COMPONENT_RECONSTRUCTION);
    const int control = first_of_type(scenario, COMPONENT_CONTROL);
    const int dm = first_of_type(scenario, COMPONENT_DM);
    const bool joins = recon < scenario->component_count;
    uint64_t before = joins ? scenario_predecessors(scenario, recon) : 0;
    struct sensor_chain chain = {.scenario = scenario,
                                 .sensor = scenario->wfs[sensor].head.name,
                                 .at = joins          ? recon
                                       : control < dm ? control
                                                      : dm,
                                 .status = STATUS_OK};
    int first = chain.at;

    if (scenario->device_count == 0)
        chain.status = scenario_insert(scenario, SECTION_DEVICE, 0, "rtc", &chain.error);
    add_link(&chain, COMPONENT_CAMERA);
    add_link(&chain, COMPONENT_CALIBRATION);
    add_link(&chain,
             scenario->wfs[sensor].kind == WFS_PYRAMID ? COMPONENT_PYRAMID : COMPONENT_CENTROID);
    if (chain.status == STATUS_OK && joins) {
        /* those from the reconstruction on have moved */
        before = (before & ((1ULL << first) - 1)) | (before >> first) << chain.at;
        join_reconstruction(scenario, chain.at, before);
    } else if (!joins) {
        add_link(&chain, COMPONENT_RECONSTRUCTION);
        if (first_of_type(scenario, COMPONENT_CONTROL) == scenario->component_count)
            add_link(&chain, COMPONENT_CONTROL);
        if (first_of_type(scenario, COMPONENT_DM) == scenario->component_count)
            add_link(&chain, COMPONENT_DM);
    }
    if (chain.status == STATUS_OK && scenario->wfs_count > 1)
        knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_WFS, first), chain.sensor, NULL);
    *error = chain.error;
    return chain.status;
}

/* Adds a sensor with its components as one change, or nothing. */
static bool accept_sensor_name(void *context, const char *name)
{
    struct app *app = context;
    struct host *host = &app->host;
    struct scenario *scenario = &host->design.scenario;
    struct scenario *before = allocate(sizeof *before);
    int components = scenario->component_count, at = scenario->wfs_count;
    struct error error;
    enum status status;

    scenario_copy(before, scenario);
    status = scenario_insert(scenario, SECTION_WFS, at, name, &error);
    if (status == STATUS_OK) {
        knob_set_number(scenario, knob_ref_to(KNOB_WFS_KIND, at), app->adding.kind, NULL);
        status = add_chain(scenario, at, &error);
    }
    if (status != STATUS_OK)
        scenario_copy(scenario, before);
    free(before);
    if (status != STATUS_OK) {
        host_fail(host, &error);
        return false;
    }
    design_record(&host->design, false, "added wfs.%s and %d components", name,
                  scenario->component_count - components);
    app_show_knob(app, (struct knob_ref){SECTION_WFS, at, NULL}, SHOW_OPEN);
    host_say(host, NOTICE_NORMAL, "added wfs.%s and %d components%s", name,
             scenario->component_count - components,
             scenario->device[0].preset[0] == '\0' ? "; p on a device chooses its model" : "");
    return true;
}

/* Gives a new FPGA the figures of the first one in the catalogue: no rate is that of all, and the
 * defaults of boards are those of a GPU. */
static void start_as_fpga(struct design *design, int device)
{
    for (int p = 0; p < catalogue_count(design->catalogue); p++) {
        const struct preset *preset = catalogue_at(design->catalogue, p);

        if (preset->kind == PRESET_FPGA &&
            scenario_set_preset(&design->scenario, device, design->catalogue, preset->name, NULL) ==
                STATUS_OK)
            return;
    }
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
    if (section == SECTION_DEVICE && app->adding.kind == DEVICE_FPGA)
        start_as_fpga(&host->design, at);
    if (unserved != REFERENCE_AUTO)
        knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_WFS, at),
                      scenario->wfs[unserved].head.name, NULL);
    if (keep) /* state the previous default of the next component */
        knob_set_text(scenario, knob_ref_to(KNOB_COMPONENT_AFTER, at + 1),
                      at > 0 ? scenario->component[at - 1].head.name : "none", NULL);
    design_record(&host->design, false, "added %s.%s", section_name(section), name);
    app_show_knob(app, (struct knob_ref){section, at, NULL}, SHOW_OPEN);
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
             section == SECTION_WFS ? "sensor" : addable[id / KINDS_MAX].noun);
    app->adding.section = section;
    app->adding.kind = kind;
    prompt_open(app, &(struct prompt_request){.label = label,
                                                     .text = name,
                                                     .proposed = true,
                                                     .context = app,
                                                     .accept = addable[id / KINDS_MAX].chain
                                                                   ? accept_sensor_name
                                                                   : accept_part_name});
}

void act_add(struct app *app, const char *argument)
{
    static const struct table_column columns[] = {{.title = ""}, {.title = ""}};

    (void)argument;
    picker_start(&app->picker, "Add", columns, 2);
    app->picker.sortable = false;
    for (size_t row = 0; row < sizeof addable / sizeof addable[0]; row++) {
        const struct knob *knob = section_kind_knob(addable[row].section);

        for (int k = 0; knob->choices[k] != NULL; k++)
            picker_add_texts(&app->picker, (int)row * KINDS_MAX + k, knob->choices[k],
                             addable[row].noun);
    }
    menu_open(app, 0, kind_chosen, app);
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
        host_say(host, NOTICE_ERROR, "%s does not exist", argument);
        return;
    }
    if (!named && (index < 0 || !cursor_shows_section(app, &cursor))) {
        host_say(
            host, NOTICE_ERROR,
            "to remove a component, device or sensor, put the cursor on its heading in Design, "
            "or type :remove PATH");
        return;
    }
    section_path(scenario, section, index, path, sizeof path);
    if (scenario_remove(scenario, section, index, &error) != STATUS_OK) {
        host_fail(host, &error);
        return;
    }
    design_record(&host->design, false, "removed %s", path);
    host_say(host, NOTICE_NORMAL, "removed %s; u brings it back", path);
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
                        void (*follow)(struct design *design))
{
    struct host *host = &app->host;
    struct design *design = &host->design;
    char from[KNOB_TEXT_SIZE], to[KNOB_TEXT_SIZE], change[2 * KNOB_TEXT_SIZE];
    char text[HISTORY_LABEL];
    struct knob_ref ref;
    bool known;

    if (label == NULL) {
        host_say(host, NOTICE_NORMAL, "nothing to %s", verb);
        return;
    }
    snprintf(text, sizeof text, "%s", label);
    known = find_undone_knob(design, text, &ref);
    if (known)
        design_print_knob(design, ref, from, sizeof from);
    follow(design);
    /* a step that added or removed the section may have moved others there */
    if (!find_undone_knob(design, text, &ref)) {
        host_say(host, NOTICE_NORMAL, "%s: %s", done, text);
        return;
    }
    app_show_knob(app, ref, SHOW_ASIDE);
    design_print_knob(design, ref, to, sizeof to);
    change_brief(from, to, change, sizeof change);
    if (known && strchr(text, '=') == strrchr(text, '=')) /* one assignment */
        host_say(host, NOTICE_NORMAL, "%s: %s %s", done, ref.knob->label, change);
    else
        host_say(host, NOTICE_NORMAL, "%s: %s", done, text);
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
        host_say(host, NOTICE_NORMAL, "baseline unpinned");
        return;
    }
    if (!design_is_valid(design)) {
        if (design->scenario.component_count == 0)
            host_say(host, NOTICE_ERROR, "no baseline: the design has no components yet");
        else if (design_computing(design))
            host_say(host, NOTICE_ERROR, "no baseline: the design is still being computed");
        else
            host_say(host, NOTICE_ERROR, "no baseline, the design is invalid: %s",
                     design->problem.message);
        return;
    }
    design_pin_baseline(design);
    if (!(design->result.latency > 0)) {
        host_say(host, NOTICE_NORMAL, "baseline pinned; it is incomplete and has no latency");
        return;
    }
    quantity_show(design->result.latency, "s", latency, sizeof latency);
    host_say(host, NOTICE_NORMAL, "baseline pinned: RTC latency %s", latency);
}

void act_uncalibrate(struct app *app, const char *argument)
{
    struct design *design = &app->host.design;

    (void)argument;
    if (!calibration_stated(&design->scenario)) {
        host_say(&app->host, NOTICE_NORMAL, "the design has no calibration");
        return;
    }
    calibration_remove(&design->scenario);
    design_record(design, false, "calibration removed");
    host_say(&app->host, NOTICE_NORMAL, "calibration removed; u brings it back");
}
