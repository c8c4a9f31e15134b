#include "session/design.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/file.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"

bool design_is_valid(const struct design *design)
{
    return design->evaluated && design->problem.status == STATUS_OK;
}

const struct result *design_result(const struct design *design)
{
    return design_is_valid(design) ? &design->result : NULL;
}

const struct scenario *design_evaluated(const struct design *design)
{
    return design_is_valid(design) ? &design->scenario : NULL;
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

bool design_renew_presets(struct design *design)
{
    struct catalogue *renewed = catalogue_renew(design->catalogue);
    struct part_values *former = design->part_values;

    if (renewed == design->catalogue)
        return false;
    design->catalogue = renewed;
    design->part_values = NULL;
    design_part_values(design); /* reads all: threads will */
    part_values_keep(design->part_values, former);
    return true;
}

const struct preset *design_preset(const struct design *design, const char *title)
{
    for (int p = 0; p < catalogue_count(design->catalogue); p++) {
        const struct preset *preset = catalogue_at(design->catalogue, p);

        if ((PRESET_DESIGNS >> preset->kind & 1U) != 0 &&
            strcmp(catalogue_title(design->catalogue, p), title) == 0)
            return preset;
    }
    return NULL;
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
        bar->time = node->time;
    }
    baseline->count = result->node_count;
    baseline->latency = result->latency;
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

struct knob design_slider(struct design *design, struct knob_ref ref)
{
    enum { VALUES = 512 };
    struct knob slider = *ref.knob;
    double value[VALUES];
    int count = part_values_between(design_part_values(design), &design->scenario, ref,
                                    knob_min(ref.knob), knob_max(ref.knob), value, VALUES);

    if (count > 1) {
        slider.min = knob_in_unit(ref.knob, value[0]);
        slider.max = knob_in_unit(ref.knob, value[count - 1]);
    }
    return slider;
}

double design_baseline_position(struct design *design, struct knob_ref ref)
{
    struct knob slider;

    const struct scenario *base = &design->baseline.scenario;
    struct knob_ref there = ref;

    if (!design->baseline.pinned || !knob_is_number(ref.knob))
        return -1;
    there.index = section_find(base, ref.section,
                               section_head_const(&design->scenario, ref.section, ref.index)->name);
    if (there.index < 0 || !knob_applies(base, there.section, there.index, there.knob) ||
        knob_is_auto(ref.knob, knob_number(base, there)))
        return -1;
    slider = design_slider(design, ref);
    return knob_position(&slider, knob_number(base, there));
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

void design_ask_results(struct design *design)
{
    if (design->problem.status != STATUS_STOPPED)
        return;
    evaluation_ask(&design->evaluation, design->version, &design->scenario);
    if (design->evaluation.problem.status != STATUS_OK)
        design->problem = design->evaluation.problem;
}

void design_collect(struct design *design)
{
    struct evaluation_answer *found;
    struct result result;

    answer_collect(&design->range);
    answer_collect(&design->budget);
    if (!answer_collect(&design->evaluation)) {
        design_ask_results(design);
        return;
    }
    found = design->evaluation.job;
    design->problem = found->error;
    if (found->error.status == STATUS_OK) {
        result = design->result;
        design->result = found->result;
        found->result = result;
        design->schedule = found->schedule;
        found->schedule = (struct schedule){0};
        design->evaluated = true;
    }
    design->version++;
}

bool design_computing(const struct design *design)
{
    return design->evaluation.running != NULL;
}

void design_ask_range(struct design *design)
{
    if (design_is_valid(design))
        range_ask(&design->range, design->version, &design->scenario);
}

void design_ask_budget(struct design *design)
{
    if (design_is_valid(design))
        budget_ask(&design->budget, design->version, &design->scenario, &design->result);
}

const struct range_answer *design_last_range(const struct design *design)
{
    const struct range_answer *answer = design->range.job;

    return answer != NULL && answer->status == STATUS_OK ? answer : NULL;
}

const struct range_answer *design_range(const struct design *design)
{
    return design->range.current ? design_last_range(design) : NULL;
}

const struct budget_answer *design_last_budget(const struct design *design)
{
    const struct budget_answer *answer = design->budget.job;

    return answer != NULL && answer->error.status == STATUS_OK ? answer : NULL;
}

const struct budget_answer *design_budget(const struct design *design)
{
    return design->budget.current ? design_last_budget(design) : NULL;
}

static void update_result(struct design *design)
{
    struct step_budget budget;
    struct error error = {STATUS_OK, ""};

    design->version++;
    answer_outdate(&design->range);
    answer_outdate(&design->budget);
    answer_outdate(&design->evaluation);
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
    design_ask_results(design);
}

/* Shows a design that was loaded or returned to. What the user pinned stays the baseline. */
static void show_design(struct design *design)
{
    design->evaluated = false;
    design->moved.knob = NULL;
    answer_forget(&design->range);
    update_result(design);
    if (design->baseline.automatic)
        design->baseline.pinned = design->baseline.automatic = false;
    design->baseline.waits = !design->baseline.pinned;
    design->loads++;
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
    const struct preset *preset;

    if (previous->path[0] != '\0') {
        buffer_text(&name, slash == NULL ? previous->path : slash + 1);
        return;
    }
    preset = design_preset(design, title);
    if (preset != NULL) {
        buffer_text(&name, preset->name);
        return;
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

void design_start(struct design *design, const struct scenario *scenario, struct document *document)
{
    const struct scenario *saved = saved_state(scenario, document);

    free_sources(design);
    design->history.source = add_source(design, NULL, NULL); /* the place of the present one */
    scenario_copy(&design->scenario, scenario);
    history_start(&design->history, saved);
    image_pack(&design->saved, saved);
    history_record(&design->history, scenario, "changes made on opening", false);
    document_free(design->document);
    design->document = document;
    design->offered = false;
    show_design(design);
}

void design_load(struct design *design, const struct scenario *scenario, struct document *document,
                 const char *label)
{
    int source = add_source(design, document, saved_state(scenario, document));

    switch_source(design, source);
    scenario_copy(&design->scenario, scenario);
    history_record_load(&design->history, scenario, label, source);
    show_design(design);
}

/* Shows the design after a step of the history. */
static void follow_history(struct design *design, const char *label)
{
    if (label == NULL)
        return;
    design->moved.knob = NULL;
    if (design->history.source == design->source) {
        design_evaluate(design);
        return;
    }
    switch_source(design, design->history.source);
    show_design(design);
}

void design_undo(struct design *design)
{
    follow_history(design, history_undo(&design->history, &design->scenario));
}

void design_redo(struct design *design)
{
    follow_history(design, history_redo(&design->history, &design->scenario));
}

void design_evaluate(struct design *design)
{
    update_result(design);
}

void design_record(struct design *design, bool join, const char *format, ...)
{
    char label[HISTORY_LABEL];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    pin_loaded(design);
    design->moved.knob = NULL;
    history_record(&design->history, &design->scenario, label, join);
    design_evaluate(design);
}

void design_free(struct design *design)
{
    answer_close(&design->range);
    answer_close(&design->budget);
    answer_close(&design->evaluation);
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
