#include "base/allocate.h"
#include "tui/app_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/units.h"
#include "design/assign.h"
#include "design/knob_text.h"
#include "design/scenario_file.h"
#include "design/trace.h"
#include "design/trace_library.h"
#include "explore/controllers.h"
#include "explore/part_values.h"
#include "explore/rank.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "model/outcome.h"
#include "tui/widget.h"

bool design_is_valid(const struct design *design)
{
    return design->evaluated && design->problem.status == STATUS_OK;
}

const struct result *design_result(const struct design *design)
{
    return design_is_valid(design) ? &design->result : NULL;
}

const char *design_stale_mark(const struct design *design)
{
    return !design->evaluated || design->problem.status == STATUS_OK ? "" : ": stale";
}

const char *design_problem_or(const struct design *design, const char *otherwise)
{
    return design->problem.status == STATUS_OK ? otherwise : design->problem.message;
}

int design_find_component(const struct design *design, const char *node)
{
    char name[NAME_MAX_LENGTH + 1];

    if (strcspn(node, "@") >= sizeof name)
        return -1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(node, "@"), node);
    return section_find(&design->scenario, SECTION_COMPONENT, name);
}

double design_knob_number(const struct design *design, struct knob_ref ref)
{
    double least, most;

    return knob_numbers_in_force(&design->scenario, design_result(design), ref, &least, &most)
               ? least
               : 0;
}

void design_print_knob(const struct design *design, struct knob_ref ref, char *text, size_t size)
{
    knob_print_in_force(&design->scenario, design_result(design), ref, text, size);
    text_micro(text, size);
}

const struct part_values *design_part_values(struct design *design)
{
    if (design->part_values == NULL) {
        for (int p = 0; p < catalogue_count(design->catalogue); p++)
            catalogue_title(design->catalogue, p);
        design->part_values = part_values_new(design->catalogue);
    }
    return design->part_values;
}

/* Baseline ------------------------------------------------------------------------------------- */

void design_pin_baseline(struct design *design)
{
    const struct result *result = &design->result;
    struct baseline *baseline = &design->baseline;

    baseline->waits = baseline->automatic = false;
    if (result->node_count > baseline->capacity) {
        baseline->capacity = result->node_count;
        baseline->bars =
            allocate_again(baseline->bars, (size_t)baseline->capacity * sizeof *baseline->bars);
    }
    image_unpack(&design->history.now, &baseline->scenario);
    image_pack(&baseline->image, &baseline->scenario);
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        struct baseline_bar *bar = &baseline->bars[n];

        snprintf(bar->name, sizeof bar->name, "%s", node->name);
        bar->compute = node->compute;
        bar->memory = node->memory;
    }
    baseline->count = result->node_count;
    baseline->latency = result->latency;
    baseline->servo_lag = result->loop.servo_lag;
    baseline->pinned = true;
    baseline->pins++;
}

/* Pins the design as loaded before the first change of it is evaluated. */
static void pin_loaded(struct design *design)
{
    if (!design->baseline.waits || !design_is_valid(design) ||
        image_equals(&design->history.now, &design->scenario))
        return;
    design_pin_baseline(design);
    design->baseline.automatic = true;
}

const struct baseline_bar *baseline_bar(const struct baseline *baseline, const char *name)
{
    for (int b = 0; b < baseline->count; b++)
        if (strcmp(baseline->bars[b].name, name) == 0)
            return &baseline->bars[b];
    return NULL;
}

double design_baseline_position(const struct design *design, struct knob_ref ref)
{
    const struct scenario *base = &design->baseline.scenario;
    struct knob_ref there = ref;

    if (!design->baseline.pinned || !knob_is_number(ref.knob))
        return -1;
    there.index = section_find(base, ref.section,
                               section_head_const(&design->scenario, ref.section, ref.index)->name);
    if (there.index < 0 || !knob_applies(base, there.section, there.index, there.knob) ||
        knob_is_auto(ref.knob, knob_number(base, there)))
        return -1;
    return knob_position(ref.knob, knob_number(base, there));
}

/* Starting and changing ------------------------------------------------------------------------ */

/* The document's contents are the saved state; without contents the scenario counts as saved. */
static const struct scenario *saved_state(const struct scenario *scenario,
                                          const struct document *document)
{
    return document != NULL && document->ini.length > 0 ? &document->loaded : scenario;
}

/* Designs that take long ----------------------------------------------------------------------- */

enum { LOOKS = 100 };

static bool take_look(void *context, double done)
{
    struct step_budget *budget = context;

    (void)done;
    return budget->looks-- > 0;
}

void design_limit(struct result *result, struct step_budget *budget)
{
    *budget = (struct step_budget){LOOKS, {take_look, budget}};
    result_watch(result, &budget->progress);
}

struct design_work {
    struct worker worker;
    bool again; /* the design changed meanwhile */
    struct scenario scenario;
    struct result result;
    struct schedule schedule;
    struct error error;
};

static void run_evaluation(struct worker *worker, void *context)
{
    const struct progress progress = {worker_goes_on, worker};
    struct design_work *work = context;

    work->error = (struct error){STATUS_OK, ""};
    result_watch(&work->result, &progress);
    if (evaluate_design(&work->scenario, &work->result, &work->error) == STATUS_OK) {
        struct error ignored;

        /* as long again; nobody waits for them later */
        result_slack(&work->result, 0);
        schedule_capture(&work->schedule, &work->scenario, &work->result, &ignored);
    }
    result_watch(&work->result, NULL);
}

static void free_work(struct design *design)
{
    if (design->work == NULL)
        return;
    worker_close(&design->work->worker);
    result_free(&design->work->result);
    schedule_free(&design->work->schedule);
    free(design->work);
    design->work = NULL;
}

/* Evaluates the design in a thread, after that of an earlier one has ended. */
static void start_evaluation(struct host *host)
{
    struct design *design = &host->design;
    struct design_work *work = design->work;

    if (work == NULL) {
        work = design->work = allocate_array(1, sizeof *work);
        result_init(&work->result);
    }
    work->again = work->worker.running;
    if (work->again)
        return;
    scenario_copy(&work->scenario, &design->scenario);
    worker_start(&work->worker, &host->bell, "the design", run_evaluation, work, &design->problem);
}

void design_collect(struct host *host)
{
    struct design *design = &host->design;
    struct design_work *work = design->work;
    struct result result;

    if (work == NULL || !worker_try_join(&work->worker) || design->problem.status != STATUS_STOPPED)
        return;
    if (work->again) {
        start_evaluation(host);
        return;
    }
    design->problem = work->error;
    if (work->error.status == STATUS_OK) {
        result = design->result;
        design->result = work->result;
        work->result = result;
        design->schedule = work->schedule;
        work->schedule = (struct schedule){0};
        design->evaluated = true;
    }
    views_changed(app_of(host));
}

bool design_computing(const struct design *design)
{
    return design->work != NULL && design->work->worker.running;
}

static void update_result(struct host *host)
{
    struct design *design = &host->design;
    struct step_budget budget;
    struct error error = {STATUS_OK, ""};

    if (design->work != NULL)
        worker_request_stop(&design->work->worker);
    schedule_free(&design->schedule);
    design_limit(&design->result, &budget);
    if (design->scenario.component_count == 0) {
        design->evaluated = false; /* results of removed components say nothing */
        error_set(&error, STATUS_INVALID, NO_COMPONENTS("a", "p"));
    } else if (evaluate_design(&design->scenario, &design->result, &error) == STATUS_OK) {
        design->evaluated = true;
    } else if (error.status == STATUS_STOPPED) {
        design->evaluated = false;
        error_set(&error, STATUS_STOPPED, "Computing: this design takes long to simulate.");
    }
    result_watch(&design->result, NULL);
    design->problem = error;
    if (error.status == STATUS_STOPPED)
        start_evaluation(host);
}

/* Shows a design that was loaded or returned to. What the user pinned stays the baseline. */
static void show_design(struct host *host)
{
    struct design *design = &host->design;

    design->evaluated = false;
    design->moved.knob = NULL;
    update_result(host);
    if (design->baseline.automatic)
        design->baseline.pinned = design->baseline.automatic = false;
    design->baseline.waits = !design->baseline.pinned;
    views_start(app_of(host));
}

/* Adds a document with its saved state; returns its number. */
static int add_source(struct design *design, struct document *document,
                      const struct scenario *saved)
{
    struct design_source *source;

    design->sources = array_reserve(design->sources, design->source_count, &design->source_capacity,
                                    sizeof *design->sources);
    source = &design->sources[design->source_count];
    *source = (struct design_source){document, {NULL, 0, 0}};
    if (saved != NULL)
        image_pack(&source->saved, saved);
    return design->source_count++;
}

/* Names a design by its file, else by the preset with its title, else by the title. */
static void name_previous(struct design *design, const char *title)
{
    struct previous *previous = &design->previous;
    const char *slash = strrchr(previous->path, '/');
    struct buffer name = buffer_over(previous->name, sizeof previous->name);

    if (previous->path[0] != '\0') {
        buffer_text(&name, slash == NULL ? previous->path : slash + 1);
        return;
    }
    for (int p = 0; p < catalogue_count(design->catalogue); p++) {
        const struct preset *preset = catalogue_at(design->catalogue, p);

        if ((PRESET_DESIGNS >> preset->kind & 1U) != 0 &&
            strcmp(catalogue_title(design->catalogue, p), title) == 0) {
            buffer_text(&name, preset->name);
            return;
        }
    }
    buffer_text(&name, title[0] != '\0' ? title : "untitled");
}

void design_remember(struct design *design, const char *path)
{
    struct scenario scenario;

    image_unpack(&design->saved, &scenario);
    if (scenario.component_count == 0)
        return;
    image_pack(&design->previous.image, &scenario);
    snprintf(design->previous.path, sizeof design->previous.path, "%s", path);
    name_previous(design, scenario.general.title);
}

/* Makes a document the design's own, and keeps the present one for undo. */
static void switch_source(struct design *design, int number)
{
    struct design_source *to = &design->sources[number];
    const char *path = document_path(design->document);
    const char *next = document_path(to->document);
    bool offered = path == NULL && design->offered && design->source == 0;

    if (!offered && !file_same(path, next))
        design_remember(design, path == NULL ? "" : path);
    design->sources[design->source] = (struct design_source){design->document, design->saved};
    design->document = to->document;
    design->saved = to->saved;
    *to = (struct design_source){NULL, {NULL, 0, 0}};
    design->source = number;
}

static void free_sources(struct design *design)
{
    for (int i = 0; i < design->source_count; i++) {
        document_free(design->sources[i].document);
        image_free(&design->sources[i].saved);
    }
    design->source_count = design->source = 0;
}

void design_start(struct host *host, const struct scenario *scenario, struct document *document)
{
    const struct scenario *saved = saved_state(scenario, document);
    struct design *design = &host->design;

    free_sources(design);
    design->history.source = add_source(design, NULL, NULL); /* the place of the present one */
    scenario_copy(&design->scenario, scenario);
    history_start(&design->history, saved);
    image_pack(&design->saved, saved);
    history_record(&design->history, scenario, "changes made on opening", false);
    document_free(design->document);
    design->document = document;
    design->offered = false;
    show_design(host);
}

void design_load(struct host *host, const struct scenario *scenario, struct document *document,
                 const char *label)
{
    struct design *design = &host->design;
    int source = add_source(design, document, saved_state(scenario, document));

    switch_source(design, source);
    scenario_copy(&design->scenario, scenario);
    history_record_load(&design->history, scenario, label, source);
    show_design(host);
}

/* Shows the design after a step of the history. */
static void follow_history(struct host *host, const char *label)
{
    struct design *design = &host->design;

    if (label == NULL)
        return;
    design->moved.knob = NULL;
    if (design->history.source == design->source) {
        design_evaluate(host);
        return;
    }
    switch_source(design, design->history.source);
    show_design(host);
}

void design_undo(struct host *host)
{
    follow_history(host, history_undo(&host->design.history, &host->design.scenario));
}

void design_redo(struct host *host)
{
    follow_history(host, history_redo(&host->design.history, &host->design.scenario));
}

void design_evaluate(struct host *host)
{
    update_result(host);
    views_changed(app_of(host));
}

void design_record(struct host *host, bool join, const char *format, ...)
{
    struct design *design = &host->design;
    char label[HISTORY_LABEL];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    pin_loaded(design);
    design->moved.knob = NULL;
    history_record(&design->history, &design->scenario, label, join);
    design_evaluate(host);
}

void design_free(struct design *design)
{
    free_work(design);
    schedule_free(&design->schedule);
    part_values_free(design->part_values);
    result_free(&design->result);
    document_free(design->document);
    image_free(&design->saved);
    free_sources(design);
    free(design->sources);
    history_free(&design->history);
    image_free(&design->baseline.image);
    image_free(&design->previous.image);
    free(design->baseline.bars);
}

void design_saved(struct design *design)
{
    image_pack(&design->saved, &design->scenario);
}

bool design_modified(const struct design *design)
{
    return !image_equals(&design->saved, &design->scenario);
}

static void knob_changed(struct host *host, struct knob_ref ref)
{
    struct design *design = &host->design;
    char path[96];
    char value[2304];

    knob_path(&design->scenario, ref, path, sizeof path);
    knob_print(&design->scenario, ref, value, sizeof value);
    design_record(host, design->joins, "%s = %s", path, value);
}

/* Writes to `text` which stated value was dropped with a change of a knob. */
static void print_dropped(const struct design *design, struct knob_ref ref, double stated,
                          char *text, size_t size)
{
    const struct result *result = design_result(design);

    if (result != NULL)
        snprintf(text, size, "valid subaps are counted from the grid now: %.0f; %.0f were stated",
                 result->wfs[ref.index].subaps, stated);
    else
        snprintf(text, size, "valid subaps are counted from the grid now; %.0f were stated",
                 stated);
}

/* Records a change of a number with what it makes stale. */
static void number_changed(struct host *host, struct knob_ref ref)
{
    struct design *design = &host->design;
    const double stated =
        ref.section == SECTION_WFS ? design->scenario.wfs[ref.index].valid_subaps : 0;
    const bool dropped = knob_drop_stale(&design->scenario, ref);
    char text[128];

    knob_changed(host, ref);
    if (!dropped)
        return;
    print_dropped(design, ref, stated, text, sizeof text);
    host_say(host, STYLE_NORMAL, "%s", text);
}

/* Writes the value that a relative one of a number comes to; false for other text. */
static bool print_relative(const struct design *design, struct knob_ref ref, const char *text,
                           char *value, size_t size)
{
    return knob_is_number(ref.knob) &&
           assign_relative(ref.knob, design_knob_number(design, ref), text, value, size);
}

bool design_set_text(struct host *host, struct knob_ref ref, const char *text)
{
    struct design *design = &host->design;
    struct error error;
    enum status status;
    const double before = knob_is_number(ref.knob) ? knob_number(&design->scenario, ref) : 0;
    char allowed[400];
    char value[64];

    if (ref.knob->type == KNOB_PRESET)
        return design_set_preset(host, ref.index, text);
    if (text[strspn(text, " ")] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(&design->scenario, ref, allowed, sizeof allowed);
        host_say(host, STYLE_ERROR, "type a value; allowed: %s", allowed);
        return false;
    }
    if (ref.knob->type == KNOB_FILE)
        status = scenario_set_file(&design->scenario, ref, catalogue_traces(design->catalogue),
                                   document_path(design->document), text, &error);
    else
        status = knob_set_text(
            &design->scenario, ref,
            print_relative(design, ref, text, value, sizeof value) ? value : text, &error);
    if (status != STATUS_OK) {
        if (ref.knob->type == KNOB_FILE)
            error_prefix(&error, "%s", text);
        host_fail(host, &error);
        return false;
    }
    if (knob_is_number(ref.knob) && knob_number(&design->scenario, ref) != before)
        number_changed(host, ref);
    else
        knob_changed(host, ref);
    return true;
}

bool design_take_step(struct host *host, struct knob_ref ref, const char *value)
{
    struct design *design = &host->design;
    const struct algorithm *before = controllers_present(&design->scenario), *then;

    if (!knob_is(ref.knob, KNOB_AO_CONTROLLER))
        return design_set_text(host, ref, value);
    if (part_values_set(design_part_values(design), &design->scenario, ref, value, NULL) !=
        STATUS_OK)
        return false;
    then = controllers_present(&design->scenario);
    if (then != before)
        design_record(host, false, "controller %s by %s", value, then->name);
    else
        knob_changed(host, ref);
    return true;
}

static void set_number(struct host *host, struct knob_ref ref, double value)
{
    struct design *design = &host->design;
    bool formula = knob_formula(&design->scenario, ref) != NULL;
    struct error error;

    if (value == knob_number(&design->scenario, ref))
        return;
    if (knob_set_number(&design->scenario, ref, value, &error) != STATUS_OK) {
        host_fail(host, &error);
        return;
    }
    number_changed(host, ref);
    if (formula)
        host_say(host, STYLE_NORMAL, "%s is a number now; u brings the formula back",
                 ref.knob->label);
}

static void say_last(struct host *host, struct knob_ref ref, int steps)
{
    host_say(host, STYLE_NORMAL, "%s: this is the %s value", ref.knob->label,
             steps < 0 ? "first" : "last");
}

/* Steps through the values that exist; says so if there is none beyond. */
static void step_number(struct host *host, struct knob_ref ref, int steps)
{
    struct design *design = &host->design;
    const struct part_values *values = design_part_values(design);
    double from = design_knob_number(design, ref);
    double to = part_values_move(values, &design->scenario, ref, from, steps);

    if (to != from)
        set_number(host, ref, to);
    else if (part_values_listed(values, &design->scenario, ref))
        host_say(host, STYLE_NORMAL, "%s: no part has %s; Enter types another value",
                 ref.knob->label, steps < 0 ? "less" : "more");
    else
        say_last(host, ref, steps);
}

/* Steps through choices by name, from the one in force; the step below the first choice selects
 * auto, if allowed. */
static void step_choice(struct host *host, struct knob_ref ref, int steps)
{
    struct design *design = &host->design;
    int count = knob_choice_count(&design->scenario, ref);
    int from = knob_choice(&design->scenario, ref) >= 0
                   ? knob_choice(&design->scenario, ref)
                   : knob_choice_in_force(&design->scenario, design_result(design), ref);
    int least = ref.knob->automatic ? -1 : 0;
    int to = from + steps;

    if (ref.knob->type == KNOB_DEVICES &&
        devices_count(design->scenario.component[ref.index].devices) > 1) {
        host_say(host, STYLE_NORMAL, "several devices: Enter edits the list");
        return;
    }
    if (to > count - 1)
        to = count - 1;
    if (to < least)
        to = least;
    if (to == from || to >= count) {
        say_last(host, ref, steps);
        return;
    }
    if (to < 0)
        design_reset(host, ref);
    else
        design_set_text(host, ref, knob_choice_name(&design->scenario, ref, to));
}

/* Steps through presets of the same kind in the catalogue's order. */
static void step_preset(struct host *host, int device, int steps)
{
    struct design *design = &host->design;
    const struct device *d = &design->scenario.device[device];
    enum preset_kind kind = preset_kind_of(d);
    int by = steps < 0 ? -1 : 1;
    int count = catalogue_count(design->catalogue);
    int at = by > 0 ? -1 : count;
    const char *name = NULL;

    for (int p = 0; p < count; p++)
        if (strcmp(catalogue_at(design->catalogue, p)->name, d->preset) == 0)
            at = p;
    for (int p = at + by; p >= 0 && p < count && steps != 0; p += by) {
        if (catalogue_at(design->catalogue, p)->kind != kind)
            continue;
        name = catalogue_at(design->catalogue, p)->name;
        steps -= by;
    }
    if (name != NULL)
        design_set_preset(host, device, name);
}

/* Begins to move a knob: what is recorded until end_move joins the step of the same knob before. */
static size_t begin_move(struct design *design, struct knob_ref ref)
{
    size_t position = design->history.position;

    design->joins = design->moved.knob == ref.knob && design->moved.index == ref.index &&
                    design->moved_at == position;
    return design->joins ? position - 1 : position;
}

static void end_move(struct design *design, struct knob_ref ref, size_t before)
{
    design->joins = false;
    design->moved = ref;
    design->moved_at = design->history.position;
    if (design->moved_at != before + 1) /* back where it began, or refused */
        design->moved.knob = NULL;
}

static void move_knob(struct host *host, struct knob_ref ref, int steps)
{
    if (knob_is_number(ref.knob))
        step_number(host, ref, steps);
    else if (ref.knob->type == KNOB_PRESET)
        step_preset(host, ref.index, steps);
    else if (ref.knob->type == KNOB_TEXT || ref.knob->type == KNOB_COMPONENTS ||
             ref.knob->type == KNOB_FILE)
        host_say(host, STYLE_NORMAL, "Enter edits %s", ref.knob->label);
    else
        step_choice(host, ref, steps);
}

void design_step(struct host *host, struct knob_ref ref, int steps)
{
    size_t before = begin_move(&host->design, ref);

    move_knob(host, ref, steps);
    end_move(&host->design, ref, before);
}

void design_set_position(struct host *host, struct knob_ref ref, double position)
{
    size_t before = begin_move(&host->design, ref);

    if (knob_is_number(ref.knob))
        set_number(host, ref, knob_at(ref.knob, position));
    else
        move_knob(host, ref, position > 0 ? 1000 : -1000);
    end_move(&host->design, ref, before);
}

/* Reports side effects of a new preset: another device kind, knobs cleared. */
static void report_preset_effects(struct host *host, int device, const struct device *before)
{
    struct design *design = &host->design;
    const struct device *d = &design->scenario.device[device];
    int first = knob_section_first(SECTION_DEVICE);
    char text[ERROR_MESSAGE_MAX];
    struct buffer line = buffer_over(text, sizeof text);
    bool cleared = false;

    if (d->kind != before->kind)
        buffer_print(&line, "%s is now %s %s", d->head.name, d->kind == DEVICE_FPGA ? "an" : "a",
                     knobs[KNOB_DEVICE_KIND].choices[d->kind]);
    for (int row = 0; row < knob_section_count(SECTION_DEVICE); row++) {
        const struct knob *knob = &knobs[first + row];

        if (knob->type == KNOB_PRESET || !knob_set_has(&before->head.own, knob) ||
            knob_set_has(&d->head.own, knob) || knob_id(knob) == KNOB_DEVICE_KIND)
            continue;
        buffer_text(&line, cleared ? ", " : line.length > 0 ? "; cleared: " : "cleared: ");
        buffer_text(&line, knob->label);
        cleared = true;
    }
    if (line.length > 0)
        host_say(host, STYLE_NORMAL, "%s", text);
}

void design_reset(struct host *host, struct knob_ref ref)
{
    struct design *design = &host->design;
    char path[96];
    struct error error;
    struct device before;

    knob_path(&design->scenario, ref, path, sizeof path);
    if (!knob_is_own(&design->scenario, ref)) {
        host_say(host, STYLE_NORMAL, "%s already has its %s value", path,
                 knob_stated_by(&design->scenario, ref) != NULL ? "preset's" : "default");
        return;
    }
    if (ref.section == SECTION_DEVICE)
        before = design->scenario.device[ref.index];
    if (ref.knob->type != KNOB_PRESET)
        knob_reset(&design->scenario, ref);
    else if (scenario_set_preset(&design->scenario, ref.index, design->catalogue, "", &error) !=
             STATUS_OK) {
        host_fail(host, &error);
        return;
    }
    design_record(host, design->joins, "%s reset", path);
    if (ref.knob->type == KNOB_PRESET)
        report_preset_effects(host, ref.index, &before);
}

bool design_set_preset(struct host *host, int device, const char *name)
{
    struct design *design = &host->design;
    struct device before = design->scenario.device[device];
    struct error error;

    if (scenario_set_preset(&design->scenario, device, design->catalogue, name, &error) !=
        STATUS_OK) {
        host_fail(host, &error);
        return false;
    }
    design_record(host, design->joins, "device.%s.preset = %s",
                  design->scenario.device[device].head.name, name);
    report_preset_effects(host, device, &before);
    return true;
}

/* Returns true if a word begins an assignment, "device.rtc.cores=64". Others continue a value. */
static bool begins_assignment(const char *word)
{
    size_t path = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-_.");

    return word[path] == '=' && memchr(word, '.', path) != NULL;
}

/* Splits "P=V P=V..." in place; values may contain blanks. Returns the count. */
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

/* Finds the knob of an assignment. */
static bool find_assigned_knob(const struct design *design, const char *assignment,
                               struct knob_ref *ref)
{
    size_t length = strcspn(assignment, "=");
    char path[96];

    while (length > 0 && assignment[length - 1] == ' ')
        length--;
    snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), assignment);
    return knob_find(&design->scenario, path, ref, NULL) == STATUS_OK;
}

enum { ASSIGNMENTS = 64, VALUE_CELLS = 40, VALUE = 4 * VALUE_CELLS + 1 };

enum { ABSOLUTE = 96 + 64 }; /* a path, and a number */

/* Returns the assignment, or in `text` that of the value that a relative one comes to. */
static const char *absolute_assignment(const struct design *design, struct knob_ref ref,
                                       const char *assignment, char text[ABSOLUTE])
{
    char path[96], value[48];

    if (!print_relative(design, ref, strchr(assignment, '=') + 1, value, sizeof value))
        return assignment;
    knob_path(&design->scenario, ref, path, sizeof path);
    snprintf(text, ABSOLUTE, "%s=%s", path, value);
    return text;
}

/* Reports "path: old -> new" for each assignment, and what was dropped, and puts the cursor on the
 * last knob. */
static void report_assignments(struct host *host, const char *const *list, char (*old)[VALUE],
                               int count, const double *stated)
{
    struct design *design = &host->design;
    char text[ERROR_MESSAGE_MAX];
    struct buffer line = buffer_over(text, sizeof text);
    struct knob_ref ref;

    for (int i = 0; i < count; i++) {
        char path[96];
        char new[2304];

        if (!find_assigned_knob(design, list[i], &ref))
            continue;
        knob_path(&design->scenario, ref, path, sizeof path);
        design_print_knob(design, ref, new, sizeof new);
        quantity_shorten(new);
        text_cut(new, VALUE_CELLS);
        buffer_print(&line, "%s%s: %s \xE2\x86\x92 %s", line.length > 0 ? "; " : "", path, old[i],
                     new);
        if (knob_id(ref.knob) == KNOB_WFS_SUBAPS_ACROSS && stated[ref.index] > 0 &&
            design->scenario.wfs[ref.index].valid_subaps == 0) {
            print_dropped(design, ref, stated[ref.index], new, sizeof new);
            buffer_print(&line, "; %s", new);
        }
        host_show_knob(host, ref.section, ref.index, ref.knob, app_of(host)->view == &view_explore);
    }
    host_say(host, STYLE_NORMAL, "%s", text);
}

bool design_assigned_clears(const struct host *host, const char *assignments, char *text,
                            size_t size)
{
    struct buffer labels = buffer_over(text, size);
    char copy[LINE_MAX_BYTES + 1], own[256];
    const char *list[ASSIGNMENTS];
    struct knob_ref ref;
    int count;

    snprintf(copy, sizeof copy, "%s", assignments);
    count = split_assignments(copy, list, ASSIGNMENTS);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (!find_assigned_knob(&host->design, list[i], &ref) || ref.knob->type != KNOB_PRESET)
            continue;
        rank_own_labels(&host->design.scenario, ref.index, own, sizeof own);
        if (own[0] != '\0')
            buffer_item(&labels, own);
    }
    return labels.length > 0;
}

bool design_assign(struct host *host, const char *assignments)
{
    struct design *design = &host->design;
    const char *list[ASSIGNMENTS];
    char old[ASSIGNMENTS][VALUE];
    char absolute[ASSIGNMENTS][ABSOLUTE];
    char text[LINE_MAX_BYTES + 1];
    char value[2304];
    double stated[WFS_MAX];
    struct knob_ref ref;
    struct error error;
    int count;

    for (int w = 0; w < WFS_MAX; w++)
        stated[w] = design->scenario.wfs[w].valid_subaps;
    snprintf(text, sizeof text, "%s", assignments);
    count = split_assignments(text, list, ASSIGNMENTS);
    for (int i = 0; i < count; i++) {
        snprintf(value, sizeof value, "(none)");
        if (find_assigned_knob(design, list[i], &ref)) {
            list[i] = absolute_assignment(design, ref, list[i], absolute[i]);
            design_print_knob(design, ref, value, sizeof value);
        }
        quantity_shorten(value);
        text_cut(value, VALUE_CELLS);
        snprintf(old[i], VALUE, "%.*s", VALUE - 1, value);
    }
    if (scenario_assign(&design->scenario, design->catalogue, document_path(design->document),
                        &(struct assignments){list, count}, &error) != STATUS_OK) {
        host_fail(host, &error);
        return false;
    }
    design_record(host, false, "%s", assignments);
    report_assignments(host, list, old, count, stated);
    return true;
}
