#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "design/document.h"
#include "design/trace.h"
#include "model/evaluate.h"
#include "tui/app_state.h"
#include "tui/widget.h"

static void reevaluate(struct app *app)
{
    struct error error = {STATUS_OK, ""};

    if (evaluate(&app->scenario, &app->result, &error) == STATUS_OK)
        app->evaluated = true;
    app->problem = error;
}

/* The document's bytes say what is saved; one without any has nothing to differ from. */
static const struct scenario *saved_state(const struct scenario *scenario,
                                          const struct document *document)
{
    return document != NULL && document->ini.length > 0 ? &document->loaded : scenario;
}

enum status design_start(struct app *app, const struct scenario *scenario,
                         struct document *document, struct error *error)
{
    const struct scenario *saved = saved_state(scenario, document);

    scenario_copy(&app->scenario, scenario);
    if (!history_start(&app->history, saved) || !image_take(&app->saved, saved) ||
        !history_record(&app->history, scenario, "the changes it was opened with", false)) {
        if (app->document != document)
            document_free(document);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    if (app->document != document)
        document_free(app->document);
    app->document = document;
    app->evaluated = false;
    reevaluate(app);
    app->baseline.pinned = false;
    if (app->problem.status == STATUS_OK)
        baseline_pin(&app->baseline, &app->scenario, &app->result);
    views_start(app);
    return STATUS_OK;
}

void design_changed(struct app *app, bool join, const char *format, ...)
{
    char label[HISTORY_LABEL];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    if (!history_record(&app->history, &app->scenario, label, join))
        app_say(app, STYLE_WARNING, "out of memory: earlier changes can no longer be undone");
    reevaluate(app);
    views_changed(app);
}

void design_saved(struct app *app)
{
    image_take(&app->saved, &app->scenario);
}

bool design_modified(const struct app *app)
{
    return !image_same(&app->saved, &app->scenario);
}

static void knob_changed(struct app *app, struct knob_ref ref, bool join)
{
    char path[96];
    char value[2304];

    knob_path(&app->scenario, ref, path, sizeof path);
    knob_print(&app->scenario, ref, value, sizeof value);
    design_changed(app, join, "%s = %s", path, value);
}

bool design_set_text(struct app *app, struct knob_ref ref, const char *text)
{
    struct error error;
    enum status status;
    char allowed[400];

    if (ref.knob->type == KNOB_PRESET)
        return design_preset(app, ref.index, text);
    if (text[strspn(text, " ")] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(&app->scenario, ref, allowed, sizeof allowed);
        app_say(app, STYLE_ERROR, "type a value; allowed: %s", allowed);
        return false;
    }
    if (ref.knob->type == KNOB_TRACE)
        status = scenario_set_trace(&app->scenario, ref.index, app->catalogue,
                                    document_path(app->document), text, &error);
    else
        status = knob_set_text(&app->scenario, ref, text, &error);
    if (status != STATUS_OK) {
        app_fail(app, &error);
        return false;
    }
    knob_changed(app, ref, false);
    return true;
}

static void set_number(struct app *app, struct knob_ref ref, double value, bool join)
{
    struct error error;

    if (value == knob_number(&app->scenario, ref))
        return;
    if (knob_set_number(&app->scenario, ref, value, &error) != STATUS_OK)
        app_fail(app, &error);
    else
        knob_changed(app, ref, join);
}

/* Choices are stepped by name; the one below the first of a knob that may be left to the program
 * is to leave it. */
static void step_choice(struct app *app, struct knob_ref ref, int steps)
{
    int count = knob_choice_count(&app->scenario, ref);
    int from = knob_choice(&app->scenario, ref);
    int least = ref.knob->automatic ? -1 : 0;
    int to = from + steps;

    if (ref.knob->type == KNOB_DEVICES &&
        devices_count(app->scenario.component[ref.index].devices) > 1) {
        app_say(app, STYLE_NORMAL, "several devices are a list: Enter edits it");
        return;
    }
    if (to > count - 1)
        to = count - 1;
    if (to < least)
        to = least;
    if (to == from || to >= count)
        return;
    if (to < 0)
        design_reset(app, ref);
    else
        design_set_text(app, ref, knob_choice_name(&app->scenario, ref, to));
}

/* Vendor parts are stepped in the catalogue's order, within their kind. */
static void step_preset(struct app *app, int device, int steps)
{
    const struct device *d = &app->scenario.device[device];
    enum preset_kind kind = d->kind == DEVICE_CPU ? PRESET_CPU : PRESET_GPU;
    int by = steps < 0 ? -1 : 1;
    int count = catalogue_count(app->catalogue);
    int at = by > 0 ? -1 : count;
    const char *name = NULL;

    for (int p = 0; p < count; p++)
        if (strcmp(catalogue_at(app->catalogue, p)->name, d->preset) == 0)
            at = p;
    for (int p = at + by; p >= 0 && p < count && steps != 0; p += by) {
        if (catalogue_at(app->catalogue, p)->kind != kind)
            continue;
        name = catalogue_at(app->catalogue, p)->name;
        steps -= by;
    }
    if (name != NULL)
        design_preset(app, device, name);
}

void design_step(struct app *app, struct knob_ref ref, int steps)
{
    switch (ref.knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        set_number(app, ref, knob_step(ref.knob, design_number(app, ref), steps), false);
        return;
    case KNOB_CHOICE:
    case KNOB_ALGORITHM:
    case KNOB_WFS:
    case KNOB_DEVICE:
    case KNOB_DEVICES:
        step_choice(app, ref, steps);
        return;
    case KNOB_PRESET:
        step_preset(app, ref.index, steps);
        return;
    case KNOB_TEXT:
    case KNOB_COMPONENTS:
    case KNOB_TRACE:
        app_say(app, STYLE_NORMAL, "Enter edits %s", ref.knob->label);
        return;
    }
}

void design_place(struct app *app, struct knob_ref ref, double position, bool join)
{
    if (ref.knob->type == KNOB_NUMBER || ref.knob->type == KNOB_INTEGER)
        set_number(app, ref, knob_at(ref.knob, position), join);
    else
        design_step(app, ref, position > 0 ? 1000 : -1000);
}

/* What a device's new preset did beyond its own values: another kind, own keys gone. */
static void say_preset(struct app *app, int device, const struct device *before)
{
    const struct device *d = &app->scenario.device[device];
    int first = knob_section_first(SECTION_DEVICE);
    char text[ERROR_MESSAGE_MAX] = "";
    size_t used = 0;
    bool cleared = false;

    if (d->kind != before->kind)
        used = (size_t)snprintf(text, sizeof text, "%s is a %s now", d->head.name,
                                d->kind == DEVICE_CPU ? "cpu" : "gpu");
    for (int row = 0; row < knob_section_count(SECTION_DEVICE) && used < sizeof text; row++) {
        const struct knob *knob = &knobs[first + row];

        if (knob->type == KNOB_PRESET || !knob_set_has(&before->head.own, row) ||
            knob_set_has(&d->head.own, row) || knob_id(knob) == KNOB_DEVICE_KIND)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 cleared    ? ", "
                                 : used > 0 ? "; cleared: "
                                            : "cleared: ",
                                 knob->key);
        cleared = true;
    }
    if (text[0] != '\0')
        app_say(app, STYLE_NORMAL, "%s", text);
}

void design_reset(struct app *app, struct knob_ref ref)
{
    char path[96];
    struct error error;
    struct device before;

    knob_path(&app->scenario, ref, path, sizeof path);
    if (!knob_is_own(&app->scenario, ref)) {
        app_say(app, STYLE_NORMAL, "%s is at its %s value already", path,
                knob_stated_by(&app->scenario, ref) != NULL ? "preset's" : "default");
        return;
    }
    if (ref.section == SECTION_DEVICE)
        before = app->scenario.device[ref.index];
    if (ref.knob->type != KNOB_PRESET)
        knob_reset(&app->scenario, ref);
    else if (scenario_set_preset(&app->scenario, ref.index, app->catalogue, "", &error) !=
             STATUS_OK) {
        app_fail(app, &error);
        return;
    }
    design_changed(app, false, "%s reset", path);
    if (ref.knob->type == KNOB_PRESET)
        say_preset(app, ref.index, &before);
}

bool design_preset(struct app *app, int device, const char *name)
{
    struct device before = app->scenario.device[device];
    struct error error;

    if (scenario_set_preset(&app->scenario, device, app->catalogue, name, &error) != STATUS_OK) {
        app_fail(app, &error);
        return false;
    }
    design_changed(app, false, "device.%s.preset = %s", app->scenario.device[device].head.name,
                   name);
    say_preset(app, device, &before);
    return true;
}

/* Whether a word begins an assignment: "device.rtc.cores=64". Others belong to the value before. */
static bool begins_assignment(const char *word)
{
    size_t path = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-_.");

    return word[path] == '=' && memchr(word, '.', path) != NULL;
}

/* Splits "P=V P=V..." in place; values may hold blanks. Returns the count. */
static int split_assignments(char *text, const char **list, int most)
{
    int count = 0;

    while (*text != '\0') {
        char *word = text + strspn(text, " ");

        if (count == 0 || (begins_assignment(word) && count < most)) {
            for (char *end = word; end > text && count > 0; end--)
                end[-1] = '\0';
            list[count++] = word;
        }
        text = word + strcspn(word, " ");
    }
    return count;
}

/* The knob an assignment is about. */
static bool assigned_knob(const struct app *app, const char *assignment, struct knob_ref *ref)
{
    size_t length = strcspn(assignment, "=");
    char path[96];

    while (length > 0 && assignment[length - 1] == ' ')
        length--;
    snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), assignment);
    return knob_find(&app->scenario, path, ref, NULL) == STATUS_OK;
}

enum { ASSIGNMENTS = 64, VALUE_CELLS = 40, VALUE = 4 * VALUE_CELLS + 1 };

/* "path: old -> new" of each, and the cursor on the last. */
static void say_assigned(struct app *app, const char *const *list, char (*old)[VALUE], int count)
{
    char text[ERROR_MESSAGE_MAX] = "";
    size_t used = 0;
    struct knob_ref ref;

    for (int i = 0; i < count && used < sizeof text; i++) {
        char path[96];
        char new[2304];

        if (!assigned_knob(app, list[i], &ref))
            continue;
        knob_path(&app->scenario, ref, path, sizeof path);
        design_value(app, ref, new, sizeof new);
        text_cut(new, VALUE_CELLS);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s \xE2\x86\x92 %s",
                                 used > 0 ? "; " : "", path, old[i], new);
        explore_go(app, ref.section, ref.index, ref.knob, app->view == &view_explore);
    }
    app_say(app, STYLE_NORMAL, "%s", text);
}

bool design_assign(struct app *app, const char *assignments)
{
    const char *list[ASSIGNMENTS];
    char old[ASSIGNMENTS][VALUE];
    char text[LINE_MAX_BYTES + 1];
    char value[2304];
    struct knob_ref ref;
    struct error error;
    int count;

    snprintf(text, sizeof text, "%s", assignments);
    count = split_assignments(text, list, ASSIGNMENTS);
    for (int i = 0; i < count; i++) {
        snprintf(value, sizeof value, "(none)");
        if (assigned_knob(app, list[i], &ref))
            design_value(app, ref, value, sizeof value);
        text_cut(value, VALUE_CELLS);
        snprintf(old[i], VALUE, "%.*s", VALUE - 1, value);
    }
    if (scenario_assign(&app->scenario, app->catalogue, document_path(app->document), list, count,
                        &error) != STATUS_OK) {
        app_fail(app, &error);
        return false;
    }
    design_changed(app, false, "%s", assignments);
    say_assigned(app, list, old, count);
    return true;
}

/* Undo, redo, baseline ------------------------------------------------------------------------ */

static void travelled(struct app *app, const char *verb, const char *label)
{
    char path[HISTORY_LABEL];
    struct knob_ref ref;

    app_say(app, STYLE_NORMAL, "%s %s", verb, label);
    reevaluate(app);
    views_changed(app);
    snprintf(path, sizeof path, "%s", label);
    path[strcspn(path, " =")] = '\0';
    if (knob_find(&app->scenario, path, &ref, NULL) == STATUS_OK)
        explore_go(app, ref.section, ref.index, ref.knob, false);
}

void act_undo(struct app *app, const char *argument)
{
    const char *label = history_undo(&app->history, &app->scenario);

    (void)argument;
    if (label == NULL)
        app_say(app, STYLE_NORMAL, "nothing to undo");
    else
        travelled(app, "undone:", label);
}

void act_redo(struct app *app, const char *argument)
{
    const char *label = history_redo(&app->history, &app->scenario);

    (void)argument;
    if (label == NULL)
        app_say(app, STYLE_NORMAL, "nothing to redo");
    else
        travelled(app, "redone:", label);
}

void act_baseline(struct app *app, const char *argument)
{
    char latency[32];

    (void)argument;
    if (app->baseline.pinned && image_same(&app->baseline.image, &app->scenario)) {
        app->baseline.pinned = false;
        app_say(app, STYLE_NORMAL, "baseline unpinned");
        return;
    }
    if (app->problem.status != STATUS_OK) {
        app_say(app, STYLE_ERROR, "this design has no numbers to compare with");
        return;
    }
    if (!baseline_pin(&app->baseline, &app->scenario, &app->result)) {
        app_say(app, STYLE_ERROR, "out of memory");
        return;
    }
    quantity_show(app->result.latency, "s", latency, sizeof latency);
    app_say(app, STYLE_NORMAL, "baseline pinned: RTC latency %s", latency);
}
