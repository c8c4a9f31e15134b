#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/knob_text.h"
#include "explore/advise.h"
#include "explore/rank.h"
#include "explore/sensitivity.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

enum { SENSITIVE = 10 };

struct next_job {
    long design;                             /* number of the design */
    bool sensitive;                          /* finds the most sensitive knobs of `loaded` first */
    struct sensitivity knob[SENSITIVE];
    int knob_count;
    struct scenario scenario, loaded;
    const struct part_values *values;
    struct advise *advise; /* NULL: none yet */
    enum status status;
};

static void run_next_job(struct worker *worker, void *context)
{
    struct next_job *job = context;
    const struct progress progress = {worker_goes_on, worker};
    struct error error;

    advise_free(job->advise);
    job->advise = NULL;
    job->status = STATUS_OK;
    job->knob_count = 0;
    if (job->sensitive) {
        job->status = sensitivity_list(&job->loaded, ~(1U << ROLE_IDENTITY), &progress, job->knob,
                                       SENSITIVE, &job->knob_count, &error);
        job->sensitive = job->status == STATUS_OK;
    }
    if (job->status == STATUS_OK)
        job->status = advise_new(&job->advise, &job->scenario, job->values, &progress, &error);
    if (job->status == STATUS_OK)
        job->status = advise_find(job->advise, ADVISE_STEPS, &progress, &error);
}

/* Starts a search for the present design. */
static void start_job(struct explore *explore)
{
    struct explore_next *next = &explore->next;
    struct error error;

    if (next->job == NULL)
        next->job = allocate_array(1, sizeof *next->job);
    if (next->job == NULL)
        return;
    next->job->design = next->tried_design = explore->jitter.design;
    next->job->sensitive = !next->sensitive;
    next->job->values = design_part_values(&explore->host->design);
    scenario_copy(&next->job->scenario, &explore->design->scenario);
    scenario_copy(&next->job->loaded, &next->loaded);
    if (next->job->values != NULL)
        worker_start(&next->worker, &explore->host->bell, "next steps", run_next_job, next->job,
                     &error);
}

/* Writes by how much the power changes, unless devices that do not state it come or go. */
static void print_watts(const struct power *now, const struct power *after, char text[32])
{
    double change = round(after->watts - now->watts);

    text[0] = '\0';
    if (after->unstated == now->unstated && change != 0)
        snprintf(text, 32, ", %s%.0f W", change > 0 ? "+" : "\xE2\x88\x92", fabs(change));
}

static void add_step(struct explore_next *next, const struct advise *advise,
                     const struct advice *advice)
{
    struct next_step *step = &next->step[next->count];

    if (advice == NULL)
        return;
    advice_name(advise, advice, step->name);
    snprintf(step->gain, sizeof step->gain, " \xE2\x88\x92%s%s",
             quantity_text(advice->gain, "s").text, advice->after.overloaded ? ", overloaded" : "");
    print_watts(&advise->now.power, &advice->after.power, step->watts);
    step->ref = advice->ref;
    step->caveat = advice->caveat;
    snprintf(step->to, sizeof step->to, "%s", advice->to);
    step->software = advice->group == ROLE_SOFTWARE;
    next->count++;
}

static void take_steps(struct explore_next *next)
{
    struct advise_next found;

    next->count = 0;
    advise_next(next->job->advise, &found);
    for (int h = 0; h < NEXT_HARDWARE; h++)
        add_step(next, next->job->advise, found.hardware[h]);
    add_step(next, next->job->advise, found.software);
    if (next->focus >= next->count)
        next->focus = 0;
}

/* Shows the most sensitive knobs besides the essential ones, those of components too, but not
 * those that have no other value, such as the transfers per clock of HBM, and those of sections
 * that were removed since. */
static void show_sensitive(struct explore *explore)
{
    const struct next_job *job = explore->next.job;
    const struct scenario *scenario = &explore->design->scenario;
    struct tree *tree = &explore->tree;
    bool folded = tree_is_folded(tree); /* by the user */

    for (int i = 0; i < job->knob_count; i++) {
        struct knob_ref ref = job->knob[i].ref;
        double other;

        if (!part_values_next(job->values, &job->loaded, ref, job->knob[i].value, -1, &other) &&
            !part_values_next(job->values, &job->loaded, ref, job->knob[i].value, 1, &other))
            continue;
        ref.index = section_find(scenario, ref.section,
                                 section_head_const(&job->loaded, ref.section, ref.index)->name);
        if (ref.index < 0)
            continue;
        tree_keep(tree, scenario, ref);
        if (!folded && ref.section == SECTION_COMPONENT)
            tree_unfold(tree, scenario, ref.section, ref.index);
    }
    explore->next.sensitive = true;
}

void explore_next_collect(struct explore *explore)
{
    struct explore_next *next = &explore->next;

    if (!worker_try_join(&next->worker))
        return;
    if (next->job->sensitive)
        show_sensitive(explore);
    if (next->job->status == STATUS_OK && next->job->design == explore->jitter.design) {
        take_steps(next);
        next->shown_design = next->job->design;
    }
}

void explore_next_changed(struct explore *explore)
{
    const struct design *design = explore->design;

    if (!explore->next.has_loaded && (design_is_valid(design) || design_computing(design))) {
        scenario_copy(&explore->next.loaded, &design->scenario);
        explore->next.has_loaded = true;
    }
    if (explore->next.worker.running)
        worker_request_stop(&explore->next.worker);
}

void explore_next_free(struct explore *explore)
{
    struct explore_next *next = &explore->next;

    worker_close(&next->worker);
    if (next->job != NULL)
        advise_free(next->job->advise);
    free(next->job);
    next->job = NULL;
}

/* Returns true if the steps are those of the design: their knobs may not exist in another one. */
static bool has_current_steps(const struct explore *explore)
{
    return design_is_valid(explore->design) && explore->next.shown_design == explore->jitter.design;
}

/* Moves to a step that is shown. */
static void move_focus(struct explore_next *next, int by)
{
    do
        next->focus = (next->focus + by) % next->count;
    while (next->focus == next->hidden);
}

void explore_next_act(struct explore *explore, enum action_id id)
{
    struct explore_next *next = &explore->next;

    if (next->count == 0)
        return;
    if (id == ACTION_LEFT || id == ACTION_UP)
        move_focus(next, next->count - 1);
    else if (id == ACTION_RIGHT || id == ACTION_DOWN)
        move_focus(next, 1);
    else if (id == ACTION_ENTER && has_current_steps(explore))
        design_set_text(explore->host, next->step[next->focus].ref, next->step[next->focus].to);
}

const char *explore_enter_next(const struct explore *explore)
{
    return explore->next.count > 0 && has_current_steps(explore) ? "apply" : NULL;
}

void explore_next_press(struct explore *explore, const struct key_event *event)
{
    struct explore_next *next = &explore->next;

    explore->pane = PANE_VERDICT;
    for (int s = 0; s < next->count; s++)
        if (rect_holds(next->step[s].cells, event->row, event->column))
            next->focus = s;
}

void explore_detail_next(const struct explore *explore, struct canvas *canvas, struct rect line)
{
    const struct explore_next *next = &explore->next;
    const struct next_step *step = &next->step[next->focus];
    char path[96];
    char clears[256] = "";

    if (next->count == 0 || !has_current_steps(explore)) {
        widget_detail(canvas, line, "next",
                      !design_is_valid(explore->design) ? "the verdict is stale: no step is taken"
                      : !has_current_steps(explore)     ? "the steps are being computed"
                                                    : "no single step gains 1 %% of the latency");
        return;
    }
    knob_path(&explore->design->scenario, step->ref, path, sizeof path);
    if (step->ref.knob->type == KNOB_PRESET)
        rank_own_labels(&explore->design->scenario, step->ref.index, clears, sizeof clears);
    widget_detail(canvas, line, path, "Enter sets %s%s%s%s%s%s \xC2\xB7 6 lists all steps",
                  step->to, step->watts, clears[0] != '\0' ? ", clears " : "", clears,
                  step->caveat != NULL ? " \xC2\xB7 " : "",
                  step->caveat != NULL ? step->caveat : "");
}

/* What the row of the steps shows: the fullest form that fits. */
struct next_form {
    bool second, caveat, watts; /* second hardware step */
    const char *software;
};

/* Cells of the names, which are cut where not even the shortest form fits. */
struct next_names {
    int columns[NEXT_HARDWARE + 1];
};

static bool is_second(const struct explore_next *next, int s)
{
    return s == NEXT_HARDWARE - 1 && !next->step[s].software;
}

/* Returns the cells of the steps. */
static int width_of_steps(const struct explore_next *next, const struct next_form *form,
                          const struct next_names *names)
{
    int width = 0;

    for (int s = 0; s < next->count; s++) {
        const struct next_step *step = &next->step[s];

        if (is_second(next, s) && !form->second)
            continue;
        width += (s > 0 ? 3 : 0) + names->columns[s] + text_width(step->gain);
        if (form->watts)
            width += text_width(step->watts);
        if (step->software)
            width += text_width(form->software);
        if (step->caveat != NULL && form->caveat)
            width += 2 + text_width(step->caveat);
    }
    return width;
}

/* Selects the form: the best hardware and the best software step always have a place. */
static struct next_form fit_steps(const struct explore_next *next, int columns,
                                  struct next_names *names)
{
    static const struct next_form forms[] = {
        {true, true, true, "software: "},   {true, true, false, "software: "},
        {false, true, true, "software: "},  {false, true, false, "software: "},
        {true, false, false, "software: "}, {false, false, false, "software: "},
        {false, false, false, "sw: "}};
    enum { FORMS = sizeof forms / sizeof forms[0], SHORTEST = 4 };
    int f = 0;

    for (int s = 0; s < next->count; s++)
        names->columns[s] = text_width(next->step[s].name);
    while (f < FORMS - 1 && width_of_steps(next, &forms[f], names) > columns)
        f++;
    while (width_of_steps(next, &forms[f], names) > columns) {
        int longest = 0;

        for (int s = 1; s < next->count; s++)
            if (!is_second(next, s) && names->columns[s] > names->columns[longest])
                longest = s;
        if (names->columns[longest] <= SHORTEST)
            break;
        names->columns[longest]--;
    }
    return forms[f];
}

/* Draws a step; returns its cells. */
static int draw_step(struct canvas *canvas, struct rect cells, const struct next_step *step,
                     const struct next_form *form, int name, enum style style)
{
    int end = cells.column + cells.columns;
    int at = cells.column;

    if (step->software)
        at += canvas_text(canvas, cells.row, at, end - at, STYLE_DIM, form->software);
    at += canvas_text(canvas, cells.row, at, name < end - at ? name : end - at, style, step->name);
    at += canvas_text(canvas, cells.row, at, end - at, style, step->gain);
    if (form->watts)
        at += canvas_text(canvas, cells.row, at, end - at, STYLE_DIM, step->watts);
    return at - cells.column;
}

void explore_draw_next(struct explore *explore, struct canvas *canvas, struct rect row, int label)
{
    static const char all[] = "6 all steps";
    struct explore_next *next = &explore->next;
    bool valid = design_is_valid(explore->design);
    bool current = has_current_steps(explore);
    bool focus = explore->pane == PANE_VERDICT && current;
    int end = row.column + row.columns;
    int at = row.column + label;
    struct next_names names;
    struct next_form form;

    if (valid && worker_may_start(&next->worker, &explore->host->bell) &&
        next->tried_design != explore->jitter.design)
        start_job(explore);
    for (int s = 0; s < next->count; s++)
        next->step[s].cells = (struct rect){0, 0, 0, 0};
    if (!valid && !design_computing(explore->design))
        return;
    canvas_text(canvas, row.row, row.column, label, STYLE_DIM, "next");
    if (next->shown_design == 0 || next->count == 0) {
        canvas_text(canvas, row.row, at, end - at, STYLE_DIM,
                    next->worker.running || next->shown_design == 0 ? "\xE2\x80\xA6"
                                                                    : "no single step gains 1 %");
        return;
    }
    form = fit_steps(next, end - at, &names);
    next->hidden = -1;
    for (int s = 0; s < next->count; s++) {
        const struct next_step *step = &next->step[s];
        struct rect cells;

        if (is_second(next, s) && !form.second) {
            next->hidden = s;
            continue;
        }
        if (s > 0)
            at += canvas_text(canvas, row.row, at, end - at, STYLE_DIM, " \xC2\xB7 ");
        cells = (struct rect){row.row, at, 1, end - at};
        cells.columns = draw_step(canvas, cells, step, &form, names.columns[s],
                                  current ? STYLE_NORMAL : STYLE_DIM);
        next->step[s].cells = cells;
        if (focus && s == next->focus) {
            canvas_restyle(canvas, cells, STYLE_FOCUS);
            canvas->cursor_row = cells.row;
            canvas->cursor_column = cells.column;
            canvas->cursor = cells;
        }
        at += cells.columns;
        if (step->caveat != NULL && form.caveat)
            at += canvas_printf(canvas, row.row, at, end - at, STYLE_DIM, ", %s", step->caveat);
    }
    if (at + 2 + text_width(all) <= end)
        canvas_text(canvas, row.row, end - text_width(all), text_width(all), STYLE_DIM, all);
}
