#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/units.h"
#include "design/algorithm.h"
#include "design/knob_text.h"
#include "explore/advise.h"
#include "explore/rank.h"
#include "session/change.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

/* Writes by how much the power changes; nothing if it stays, or if devices that do not state it
 * come or go. */
static void print_watts(const struct power *now, const struct advice *advice, char text[32])
{
    const struct power *after = &advice->after.power;
    double change = round(after->watts - now->watts);

    text[0] = '\0';
    if (after->unstated == now->unstated && change != 0)
        snprintf(text, 32, ", %s%.0f W", change > 0 ? "+" : "\xE2\x88\x92", fabs(change));
}

static void add_step(struct explore_next *next, const struct advise *advise,
                     const struct advice *advice)
{
    struct next_step *step = &next->step[next->count];
    char change[32];

    if (advice == NULL)
        return;
    advice_name(advise, advice, step->name);
    text_change(unit_from_si(advice->error, "nm"), change, sizeof change);
    if (!advise->now.overloaded && advice->gain <= 0) /* named for the wavefront error */
        snprintf(step->gain, sizeof step->gain, " %s nm", change);
    else if (!advise->now.overloaded)
        snprintf(step->gain, sizeof step->gain, " \xE2\x88\x92%s",
                 quantity_text(advice->gain, "s").text);
    else if (advice->after.overloaded)
        snprintf(step->gain, sizeof step->gain, ", still %s times too slow",
                 quantity_text(advice->after.load, "").text);
    else
        snprintf(step->gain, sizeof step->gain, " keeps up");
    print_watts(&advise->now.power, advice, step->watts);
    step->ref = advice->ref;
    step->caveat = advice->caveat;
    step->algorithm = advice->algorithm != NULL ? advice->algorithm->name : NULL;
    snprintf(step->to, sizeof step->to, "%s", advice->to);
    next->hardware += advice->group != ROLE_SOFTWARE;
    next->count++;
}

static void take_steps(struct explore_next *next, const struct advise *advise)
{
    struct advise_next found;

    next->count = next->hardware = 0;
    next->effect = advise->now.overloaded ? "lowers the load" : "gains 1 %";
    next->rate = performance_rate_kept(&advise->now);
    advise_next(advise, &found);
    for (int h = 0; h < NEXT_HARDWARE; h++)
        add_step(next, advise, found.hardware[h]);
    add_step(next, advise, found.software);
    if (next->focus >= next->count)
        next->focus = 0;
    next->known = true;
}

/* Shows the most sensitive knobs besides the essential ones, those of components too, but not
 * those that have no other value, such as the transfers per clock of HBM, and those of sections
 * that were removed since. */
static void show_sensitive(struct explore *explore)
{
    const struct steps_answer *job = explore->next.answer.job;
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

void explore_collect(void *state)
{
    struct explore *explore = state;
    struct explore_next *next = &explore->next;
    const struct steps_answer *steps;

    answer_collect(&explore->cliff);
    if (!answer_collect(&next->answer))
        return;
    steps = next->answer.job;
    if (steps->sensitive)
        show_sensitive(explore);
    if (steps->status == STATUS_OK)
        take_steps(next, steps->advise);
}

void explore_next_changed(struct explore *explore)
{
    struct explore_next *next = &explore->next;
    const struct design *design = explore->design;

    if (!next->has_loaded && (design_is_valid(design) || design_computing(design))) {
        scenario_copy(&next->loaded, &design->scenario);
        next->has_loaded = true;
    }
    answer_outdate(&next->answer);
}

/* Returns true if the steps are those of the design: their knobs may not exist in another one. */
static bool has_current_steps(const struct explore *explore)
{
    const struct answer *answer = &explore->next.answer;

    return design_is_valid(explore->design) && answer->current &&
           ((const struct steps_answer *)answer->job)->status == STATUS_OK;
}

/* Moves to a step that is shown. */
static void move_focus(struct explore_next *next, int by)
{
    int from = next->focus;

    do
        next->focus = (next->focus + by) % next->count;
    while (next->step[next->focus].cells.columns == 0 && next->focus != from);
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
        design_take_step(&explore->host->design, next->step[next->focus].ref, next->step[next->focus].to);
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
                      : explore->design->result.overloaded
                          ? "no step lowers the load; a lower frame rate does"
                          : "no single step gains 1 %% of the latency");
        return;
    }
    knob_path(&explore->design->scenario, step->ref, path, sizeof path);
    if (step->ref.knob->type == KNOB_PRESET)
        rank_own_labels(&explore->design->scenario, step->ref.index, clears, sizeof clears);
    widget_detail(
        canvas, line, path, "Enter sets %s%s%s%s%s%s%s%s \xC2\xB7 6 lists all steps", step->to,
        step->algorithm != NULL ? " by " : "", step->algorithm != NULL ? step->algorithm : "",
        step->watts, clears[0] != '\0' ? ", clears " : "", clears,
        step->caveat != NULL ? " \xC2\xB7 " : "", step->caveat != NULL ? step->caveat : "");
}

/* The steps of one row, in the fullest form that fits. */
struct next_row {
    int first, count;
    bool watts;
    int name; /* most cells of a name */
};

static int row_columns(const struct explore_next *next, const struct next_row *row)
{
    int columns = 0;

    for (int s = row->first; s < row->first + row->count; s++) {
        const struct next_step *step = &next->step[s];
        int name = text_width(step->name);

        columns += (s > row->first ? 3 : 0) + (name < row->name ? name : row->name) +
                   text_width(step->gain);
        if (row->watts)
            columns += text_width(step->watts);
        if (step->caveat != NULL)
            columns += 2 + text_width(step->caveat);
    }
    return columns;
}

/* Selects what a row shows of `count` steps: the watts give way, then all steps but the first, then
 * the end of its name. The gain and the caveat stay. */
static struct next_row fit_row(const struct explore_next *next, int first, int count, int columns)
{
    enum { SHORTEST = 8 };
    struct next_row row = {first, count, true, ADVICE_NAME};
    int over;

    if (row_columns(next, &row) > columns)
        row.watts = false;
    if (row_columns(next, &row) > columns && count > 1)
        row.count = 1;
    over = row_columns(next, &row) - columns;
    if (over > 0 && count > 0)
        row.name = clamp_int(text_width(next->step[first].name) - over, SHORTEST, ADVICE_NAME);
    return row;
}

/* Draws a step; returns its cells. */
static int draw_step(struct canvas *canvas, struct rect cells, const struct next_step *step,
                     const struct next_row *row, enum style style)
{
    int end = cells.column + cells.columns;
    int at = cells.column;

    at += canvas_text(canvas, cells.row, at, row->name < end - at ? row->name : end - at, style,
                      step->name);
    at += canvas_text(canvas, cells.row, at, end - at, style, step->gain);
    if (row->watts)
        at += canvas_text(canvas, cells.row, at, end - at, STYLE_DIM, step->watts);
    return at - cells.column;
}

/* Draws the steps of a row; returns the column after them. */
static int draw_steps(struct explore *explore, struct canvas *canvas, struct rect cells,
                      const struct next_row *row)
{
    struct explore_next *next = &explore->next;
    bool current = has_current_steps(explore);
    int end = cells.column + cells.columns;
    int at = cells.column;

    for (int s = row->first; s < row->first + row->count; s++) {
        struct next_step *step = &next->step[s];

        if (s > row->first)
            at += canvas_text(canvas, cells.row, at, end - at, STYLE_DIM, " \xC2\xB7 ");
        step->cells = (struct rect){cells.row, at, 1, end - at};
        step->cells.columns =
            draw_step(canvas, step->cells, step, row, current ? STYLE_NORMAL : STYLE_DIM);
        if (explore->pane == PANE_VERDICT && current && s == next->focus) {
            canvas_restyle(canvas, step->cells, STYLE_FOCUS);
            canvas->cursor_row = cells.row;
            canvas->cursor_column = at;
            canvas->cursor = step->cells;
        }
        at += step->cells.columns;
        if (step->caveat != NULL)
            at += canvas_printf(canvas, cells.row, at, end - at, STYLE_DIM, ", %s", step->caveat);
    }
    return at;
}

/* Draws the steps of hardware, or of software. */
static void draw_row(struct explore *explore, struct canvas *canvas, struct rect cells,
                     bool software)
{
    const struct explore_next *next = &explore->next;
    int first = software ? next->hardware : 0;
    int count = software ? next->count - next->hardware : next->hardware;
    struct next_row form = fit_row(next, first, count, cells.columns);

    draw_steps(explore, canvas, cells, &form);
    if (count == 0)
        canvas_printf(canvas, cells.row, cells.column, cells.columns, STYLE_DIM, "no step of %s %s",
                      software ? "software" : "hardware", next->effect);
}

/* An ellipsis marks that the steps are not known yet, or are those of an earlier design. */
void explore_draw_next(struct explore *explore, struct canvas *canvas, struct rect hardware,
                       struct rect software, int label)
{
    struct explore_next *next = &explore->next;
    bool valid = design_is_valid(explore->design);

    if (valid)
        steps_ask(&next->answer, explore->design->version, &explore->design->scenario,
                  next->sensitive ? NULL : &next->loaded,
                  design_part_values(&explore->host->design));
    for (int s = 0; s < next->count; s++)
        next->step[s].cells = (struct rect){0, 0, 0, 0};
    if (!valid && !design_computing(explore->design))
        return;
    canvas_printf(canvas, hardware.row, hardware.column, label, STYLE_DIM, "next%s",
                  has_current_steps(explore) ? "" : " \xE2\x80\xA6");
    hardware.column += label;
    hardware.columns -= label;
    software.column += label;
    software.columns -= label;
    if (next->known && next->count > 0) {
        draw_row(explore, canvas, hardware, software.rows == 0 && next->hardware == 0);
        if (software.rows > 0)
            draw_row(explore, canvas, software, true);
        return;
    }
    if (next->answer.running != NULL || !next->known)
        return;
    if (explore->design->result.overloaded) {
        canvas_printf(canvas, hardware.row, hardware.column, hardware.columns, STYLE_NORMAL,
                      "a frame rate up to %s", quantity_text(next->rate, "Hz").text);
        canvas_text(canvas, software.row, software.column, software.columns, STYLE_DIM,
                    "no step of hardware or software lowers the load");
    } else
        canvas_text(canvas, hardware.row, hardware.column, hardware.columns, STYLE_DIM,
                    "no single step gains 1 %");
}
