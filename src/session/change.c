#include "session/change.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "design/assign.h"
#include "design/knob_text.h"
#include "design/trace.h"
#include "design/trace_library.h"
#include "explore/controllers.h"
#include "model/knob_effect.h"

static void knob_changed(struct design *design, struct knob_ref ref)
{
    char path[96];
    char value[2304];

    knob_path(&design->scenario, ref, path, sizeof path);
    knob_print(&design->scenario, ref, value, sizeof value);
    design_record(design, design->joins, "%s = %s", path, value);
}

void design_print_dropped(const struct design *design, struct knob_ref ref, double stated,
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
static void number_changed(struct design *design, struct knob_ref ref)
{
    const double stated =
        ref.section == SECTION_WFS ? design->scenario.wfs[ref.index].valid_subaps : 0;
    const bool dropped = knob_drop_stale(&design->scenario, ref);
    char text[128];

    knob_changed(design, ref);
    if (!dropped)
        return;
    design_print_dropped(design, ref, stated, text, sizeof text);
    notice_say(design->notice, NOTICE_NORMAL, "%s", text);
}

bool design_print_relative(const struct design *design, struct knob_ref ref, const char *text,
                           char *value, size_t size)
{
    return knob_is_number(ref.knob) &&
           assign_relative(ref.knob, design_knob_number(design, ref), text, value, size);
}

bool design_set_text(struct design *design, struct knob_ref ref, const char *text)
{
    struct error error;
    enum status status;
    const double before = knob_is_number(ref.knob) ? knob_number(&design->scenario, ref) : 0;
    char allowed[400];
    char value[64];

    if (ref.knob->type == KNOB_PRESET)
        return design_set_preset(design, ref.index, text);
    if (text[strspn(text, " ")] == '\0' && ref.knob->type != KNOB_TEXT) {
        knob_allowed(&design->scenario, ref, allowed, sizeof allowed);
        notice_say(design->notice, NOTICE_ERROR, "type a value; allowed: %s", allowed);
        return false;
    }
    if (ref.knob->type == KNOB_FILE)
        status = scenario_set_file(&design->scenario, ref, catalogue_traces(design->catalogue),
                                   document_path(design->document), text, &error);
    else
        status = knob_set_text(
            &design->scenario, ref,
            design_print_relative(design, ref, text, value, sizeof value) ? value : text, &error);
    if (status != STATUS_OK) {
        if (ref.knob->type == KNOB_FILE)
            error_prefix(&error, "%s", text);
        notice_fail(design->notice, &error);
        return false;
    }
    if (knob_is_number(ref.knob) && knob_number(&design->scenario, ref) != before)
        number_changed(design, ref);
    else
        knob_changed(design, ref);
    return true;
}

bool design_take_step(struct design *design, struct knob_ref ref, const char *value)
{
    const struct algorithm *before = controllers_present(&design->scenario), *then;

    if (!knob_is(ref.knob, KNOB_AO_CONTROLLER))
        return design_set_text(design, ref, value);
    if (part_values_set(design_part_values(design), &design->scenario, ref, value, NULL) !=
        STATUS_OK)
        return false;
    then = controllers_present(&design->scenario);
    if (then != before)
        design_record(design, false, "controller %s by %s", value, then->name);
    else
        knob_changed(design, ref);
    return true;
}

static void set_number(struct design *design, struct knob_ref ref, double value)
{
    bool formula = knob_formula(&design->scenario, ref) != NULL;
    struct error error;

    if (value == knob_number(&design->scenario, ref))
        return;
    if (knob_set_number(&design->scenario, ref, value, &error) != STATUS_OK) {
        notice_fail(design->notice, &error);
        return;
    }
    number_changed(design, ref);
    if (formula)
        notice_say(design->notice, NOTICE_NORMAL, "%s is a number now; u brings the formula back",
                   ref.knob->label);
}

static void say_last(struct design *design, struct knob_ref ref, int steps)
{
    notice_say(design->notice, NOTICE_NORMAL, "%s: this is the %s value", ref.knob->label,
               steps < 0 ? "first" : "last");
}

/* Steps through the values that exist; says so if there is none beyond. */
static void step_number(struct design *design, struct knob_ref ref, int steps)
{
    const struct part_values *values = design_part_values(design);
    double from = design_knob_number(design, ref);
    double to = part_values_move(values, &design->scenario, ref, from, steps);

    if (to != from)
        set_number(design, ref, to);
    else if (part_values_listed(values, &design->scenario, ref))
        notice_say(design->notice, NOTICE_NORMAL, "%s: no part has %s; Enter types another value",
                   ref.knob->label, steps < 0 ? "less" : "more");
    else
        say_last(design, ref, steps);
}

/* Steps through choices by name, from the one in force; the step below the first choice selects
 * auto, if allowed. */
static void step_choice(struct design *design, struct knob_ref ref, int steps)
{
    int count = knob_choice_count(&design->scenario, ref);
    int from = knob_choice(&design->scenario, ref) >= 0
                   ? knob_choice(&design->scenario, ref)
                   : knob_choice_in_force(&design->scenario, design_result(design), ref);
    int least = ref.knob->automatic ? -1 : 0;
    int to = from + steps;

    if (ref.knob->type == KNOB_DEVICES &&
        devices_count(design->scenario.component[ref.index].devices) > 1) {
        notice_say(design->notice, NOTICE_NORMAL, "several devices: Enter edits the list");
        return;
    }
    if (to > count - 1)
        to = count - 1;
    if (to < least)
        to = least;
    if (to == from || to >= count) {
        say_last(design, ref, steps);
        return;
    }
    if (to < 0)
        design_reset(design, ref);
    else
        design_set_text(design, ref, knob_choice_name(&design->scenario, ref, to));
}

/* Steps through presets of the same kind in the catalogue's order. */
static void step_preset(struct design *design, int device, int steps)
{
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
        design_set_preset(design, device, name);
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

static void move_knob(struct design *design, struct knob_ref ref, int steps)
{
    if (knob_is_number(ref.knob))
        step_number(design, ref, steps);
    else if (ref.knob->type == KNOB_PRESET)
        step_preset(design, ref.index, steps);
    else if (ref.knob->type == KNOB_TEXT || ref.knob->type == KNOB_COMPONENTS ||
             ref.knob->type == KNOB_FILE)
        notice_say(design->notice, NOTICE_NORMAL, "Enter edits %s", ref.knob->label);
    else
        step_choice(design, ref, steps);
}

void design_step(struct design *design, struct knob_ref ref, int steps)
{
    size_t before = begin_move(design, ref);

    move_knob(design, ref, steps);
    end_move(design, ref, before);
}

/* Returns the value at a position of a slider: the nearest that exists, where only some do. */
static double value_at(struct design *design, struct knob_ref ref, double position)
{
    const struct part_values *values = design_part_values(design);
    const struct knob slider = design_slider(design, ref);
    const double at = knob_at(&slider, position);
    double below = part_values_move(values, &design->scenario, ref, at, -1);
    double above = part_values_move(values, &design->scenario, ref, below, 1);

    if (!part_values_listed(values, &design->scenario, ref))
        return at;
    return knob_position(&slider, at) - knob_position(&slider, below) <
                   knob_position(&slider, above) - knob_position(&slider, at)
               ? below
               : above;
}

void design_set_position(struct design *design, struct knob_ref ref, double position)
{
    size_t before = begin_move(design, ref);

    if (knob_is_number(ref.knob))
        set_number(design, ref, value_at(design, ref, position));
    else
        move_knob(design, ref, position > 0 ? 1000 : -1000);
    end_move(design, ref, before);
}

/* Reports side effects of a new preset: the file it is from, another device kind, knobs cleared. */
static void report_preset_effects(struct design *design, int device, const struct device *before)
{
    const struct device *d = &design->scenario.device[device];
    int first = knob_section_first(SECTION_DEVICE);
    char text[ERROR_MESSAGE_MAX];
    struct buffer line = buffer_over(text, sizeof text);
    bool cleared = false;

    if (d->source[0] != '\0')
        buffer_print(&line, "%s has the values of %s", d->head.name, d->source);
    if (d->kind != before->kind)
        buffer_print(&line, "%s%s is now %s %s", line.length > 0 ? "; " : "", d->head.name,
                     d->kind == DEVICE_FPGA ? "an" : "a", knobs[KNOB_DEVICE_KIND].choices[d->kind]);
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
        notice_say(design->notice, NOTICE_NORMAL, "%s", text);
}

void design_reset(struct design *design, struct knob_ref ref)
{
    char path[96];
    struct error error;
    struct device before;

    knob_path(&design->scenario, ref, path, sizeof path);
    if (!knob_is_own(&design->scenario, ref)) {
        notice_say(design->notice, NOTICE_NORMAL, "%s already has its %s value", path,
                   knob_stated_by(&design->scenario, ref) != NULL ? "preset's" : "default");
        return;
    }
    if (ref.section == SECTION_DEVICE)
        before = design->scenario.device[ref.index];
    if (ref.knob->type != KNOB_PRESET)
        knob_reset(&design->scenario, ref);
    else if (scenario_set_preset(&design->scenario, ref.index, design->catalogue, "", &error) !=
             STATUS_OK) {
        notice_fail(design->notice, &error);
        return;
    }
    design_record(design, design->joins, "%s reset", path);
    if (ref.knob->type == KNOB_PRESET)
        report_preset_effects(design, ref.index, &before);
}

bool design_set_preset(struct design *design, int device, const char *name)
{
    struct device before = design->scenario.device[device];
    struct error error;
    enum status status =
        preset_is_path(name)
            ? scenario_take_preset_file(&design->scenario, device, name, &error)
            : scenario_set_preset(&design->scenario, device, design->catalogue, name, &error);

    if (status != STATUS_OK) {
        notice_fail(design->notice, &error);
        return false;
    }
    design_record(design, design->joins, "device.%s.preset = %s",
                  design->scenario.device[device].head.name, name);
    report_preset_effects(design, device, &before);
    return true;
}
