#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/advise_work.h"
#include "tui/view_advise.h"
#include "tui/widget.h"

#define LEAST 0.0005    /* of the latency: less is no gain */
#define PRESETS_SHOWN 5 /* of a device, and the present one */

static struct advise_row *add(struct advise_rows *list, enum advise_row_kind kind, int a, int b)
{
    static struct advise_row none;
    struct advise_row *row = list->count < ADVISE_ROWS ? &list->row[list->count++] : &none;

    *row = (struct advise_row){.kind = kind, .a = a, .b = b};
    return row;
}

static void add_heading(struct advise_rows *list, const char *text, const char *of)
{
    struct advise_row *row = add(list, ADVISE_HEADING, -1, -1);

    snprintf(row->text, sizeof row->text, "%s%.40s", text, of);
}

static void list_steps(const struct advise *advise, struct advise_rows *list)
{
    const struct knob *before = NULL;
    int index = -1;
    int gains = 0;

    list->count = 0;
    for (int i = 0; i < advise->choices.count; i++) {
        const struct advice *step = &advise->choices.at[i];

        if (step->later || step->gain <= advise->now.latency * LEAST)
            continue;
        add(list, ADVISE_STEP, i, -1);
        gains++;
    }
    if (gains == 0)
        add_heading(list, "no step of a part or setting makes it faster", "");
    add_heading(list, "sensitive to, but given", "");
    for (int i = 0; i < advise->given.count; i++) {
        const struct advice *step = &advise->given.at[i];

        if (step->elasticity == RESULT_NONE || step->elasticity == 0 ||
            (step->ref.knob == before && step->ref.index == index))
            continue;
        before = step->ref.knob;
        index = step->ref.index;
        add(list, ADVISE_GIVEN, i, -1);
    }
}

/* "target 1 ms: met, 985 us to spare" */
static void list_target(const struct advise *advise, struct advise_rows *list)
{
    double target = advise->design->scenario.general.target_latency;
    struct advise_row *row = add(list, ADVISE_HEADING, -1, -1);
    char text[40];
    char margin[40];

    quantity_show(target, "s", text, sizeof text);
    quantity_show(fabs(target - advise->now.latency), "s", margin, sizeof margin);
    snprintf(row->text, sizeof row->text, "target %s: %s%s, %s %s", text,
             advise->now.met ? "met" : "missed", advise->now.overloaded ? ", overloaded" : "",
             margin, advise->now.latency <= target ? "to spare" : "too long");
}

static void list_reach(const struct meet_target *reach, struct advise_rows *list)
{
    if (reach->met)
        return;
    if (reach->count > 0)
        add_heading(list, "one knob that meets the target", "");
    for (int i = 0; i < reach->count; i++)
        add(list, ADVISE_KNOB, i, -1);
    for (int from = 0; from < TARGET_SOURCES; from++) {
        add(list, ADVISE_WAY, from, -1);
        for (int i = 0; i < reach->sequence[from].count; i++)
            add(list, ADVISE_WAY, from, i);
    }
}

static void list_splits(const struct advise *advise, struct advise_rows *list)
{
    if (advise->split_count == 0)
        return;
    add_heading(list, "division of devices", "");
    for (int i = 0; i < advise->split_count; i++) {
        add(list, ADVISE_SPLIT, i, -1);
        for (int s = 0; s < advise->split[i].count && advise->split[i].gain > 0; s++)
            add(list, ADVISE_SHARE, i, s);
    }
}

/* They are compared as rank does: what the design states of the device is gone. */
static void add_presets_heading(struct advise_rows *list, const struct scenario *scenario,
                                int device)
{
    enum { OWN_SHOWN = 40 };
    char own[400], text[128];

    rank_own_keys(scenario, device, own, sizeof own);
    snprintf(text, sizeof text, "presets of %s%s%.*s", scenario->device[device].head.name,
             own[0] != '\0' ? ", without its " : "", OWN_SHOWN,
             strlen(own) > OWN_SHOWN ? "own values" : own);
    add_heading(list, text, "");
}

static void list_presets(const struct advise_work *work, struct advise_rows *list)
{
    for (int r = 0; r < work->rank_count; r++) {
        const struct rank *rank = &work->rank[r];

        add_presets_heading(list, &work->advise->design->scenario, rank->question.device);
        for (int i = 0; i < rank->count; i++)
            if (rank->row[i].present ||
                (i < PRESETS_SHOWN && rank->row[i].problem.status == STATUS_OK))
                add(list, ADVISE_PRESET, r, i);
    }
}

/* Their rows are there before they are: what comes last does not push the others down. */
static void list_packets(const struct packets *packets, bool known, struct advise_rows *list)
{
    add_heading(list, "packets", "");
    if (!known) {
        add_heading(list, "  looking", "");
        return;
    }
    if (packets->best.packets == 0) {
        add_heading(list, "with no number of them it keeps up", "");
        return;
    }
    add(list, ADVISE_PACKETS_BEST, -1, -1);
    if (packets->fewest.packets != packets->best.packets)
        add(list, ADVISE_PACKETS_FEWEST, -1, -1);
}

static void keep_inside(struct advise_rows *list)
{
    if (list->focus >= list->count)
        list->focus = list->count - 1;
    if (list->focus < 0)
        list->focus = 0;
}

void advise_list_rows(struct advise_view *view)
{
    const struct advise_work *work = view->shown;
    struct advise_rows *answers = &view->list[ADVISE_PANE_ANSWERS];

    view->parts = work == NULL ? 0 : atomic_load(&work->parts);
    answers->count = 0;
    if (view->parts > WORK_STEPS)
        list_steps(work->advise, &view->list[ADVISE_PANE_STEPS]);
    if (view->parts > WORK_STEPS)
        list_target(work->advise, answers);
    if (view->parts > WORK_REACH)
        list_reach(&work->advise->target, answers);
    if (view->parts > WORK_STEPS)
        list_packets(&work->advise->packets, view->parts > WORK_PACKETS, answers);
    if (view->parts > WORK_SHARES)
        list_splits(work->advise, answers);
    if (view->parts > WORK_RANK)
        list_presets(work, answers);
    for (int p = 0; p < ADVISE_PANES; p++)
        keep_inside(&view->list[p]);
}

const struct advise_row *advise_row(const struct advise_view *view)
{
    const struct advise_rows *list = &view->list[view->focus];

    return list->focus < list->count ? &list->row[list->focus] : NULL;
}

bool advise_row_knob(const struct advise_view *view, const struct advise_row *row,
                     struct knob_ref *ref)
{
    const struct advise *advise;

    if (row == NULL || view->shown == NULL)
        return false;
    advise = view->shown->advise;
    switch (row->kind) {
    case ADVISE_STEP:
        *ref = advise->choices.at[row->a].ref;
        return true;
    case ADVISE_GIVEN:
        *ref = advise->given.at[row->a].ref;
        return true;
    case ADVISE_KNOB:
        *ref = advise->target.knob[row->a].ref;
        return true;
    case ADVISE_WAY:
        if (row->b >= 0)
            *ref = advise->target.sequence[row->a].step[row->b].ref;
        return row->b >= 0;
    case ADVISE_SHARE:
        *ref = knob_ref_to(KNOB_COMPONENT_SHARE, advise->split[row->a].share[row->b].component);
        return true;
    case ADVISE_PACKETS_BEST:
    case ADVISE_PACKETS_FEWEST:
        *ref = knob_ref_to(KNOB_SCENARIO_PACKETS, 0);
        return true;
    case ADVISE_PRESET:
        *ref = knob_ref_to(KNOB_DEVICE_PRESET, view->shown->rank[row->a].question.device);
        return true;
    case ADVISE_HEADING:
    case ADVISE_SPLIT:
        break;
    }
    return false;
}

int advise_row_device(const struct advise_view *view, const struct advise_row *row)
{
    struct knob_ref ref;

    if (row != NULL && row->kind == ADVISE_SPLIT && view->shown != NULL)
        return view->shown->advise->split[row->a].device;
    if (!advise_row_knob(view, row, &ref))
        return -1;
    if (ref.section == SECTION_DEVICE)
        return ref.index;
    return ref.section == SECTION_COMPONENT
               ? scenario_device(&view->shown->advise->design->scenario, ref.index)
               : -1;
}
