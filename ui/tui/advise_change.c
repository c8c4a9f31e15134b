#include <stdio.h>
#include <string.h>

#include "tui/advise_work.h"
#include "tui/app_state.h"
#include "tui/widget.h"

/* "RTC latency 14.8 µs → 9.0 µs; u takes it back", after a change that was made. */
static void say_done(struct app *app, double before)
{
    char from[40];
    char to[40];

    if (app->problem.status != STATUS_OK)
        return;
    quantity_show(before, "s", from, sizeof from);
    quantity_show(app->result.latency, "s", to, sizeof to);
    app_say(app, STYLE_NORMAL, "RTC latency %s \xE2\x86\x92 %s; u takes it back", from, to);
}

static bool set(struct app *app, struct knob_ref ref, const char *value)
{
    struct error error;

    if (knob_set_text(&app->scenario, ref, value, &error) == STATUS_OK)
        return true;
    app_fail(app, &error);
    return false;
}

/* A sequence up to one of its steps, as one change. */
static void take_way(struct app *app, const struct meet_target *reach, const struct advise_row *row)
{
    const struct target_sequence *way = &reach->sequence[row->a];
    int last = row->b >= 0 ? row->b : way->count - 1;

    for (int i = 0; i <= last; i++)
        if (!set(app, way->step[i].ref, way->step[i].to))
            break;
    if (last >= 0)
        design_changed(app, false, "%d step%s of %s", last + 1, last > 0 ? "s" : "",
                       target_source_name((enum target_source)row->a));
    else
        app_say(app, STYLE_NORMAL, "there is no step to take");
}

static void take_split(struct app *app, const struct share_split *split)
{
    if (split->gain <= 0) {
        app_say(app, STYLE_NORMAL, "no division that was found is faster than the present one");
        return;
    }
    for (int i = 0; i < split->count; i++) {
        char text[40];

        share_text(&split->share[i], text, sizeof text);
        if (!share_changes(&app->scenario, &split->share[i]))
            continue;
        if (!set(app, knob_ref_to(KNOB_COMPONENT_SHARE, split->share[i].component), text))
            break;
    }
    design_changed(app, false, "best division of %s",
                   split->device < 0 ? "all devices"
                                     : app->scenario.device[split->device].head.name);
}

static void take_packets(struct app *app, const struct packet_count *count)
{
    char text[24];

    snprintf(text, sizeof text, "%d", count->packets);
    design_set_text(app, knob_ref_to(KNOB_SCENARIO_PACKETS, 0), text);
}

static void take(struct app *app, const struct advise_work *work, const struct advise_row *row)
{
    const struct advise *advise = work->advise;
    const struct rank *rank;

    switch (row->kind) {
    case ADVISE_STEP:
        design_set_text(app, advise->choices.at[row->a].ref, advise->choices.at[row->a].to);
        break;
    case ADVISE_GIVEN:
        design_set_text(app, advise->given.at[row->a].ref, advise->given.at[row->a].to);
        break;
    case ADVISE_KNOB:
        design_set_text(app, advise->target.knob[row->a].ref, advise->target.knob[row->a].to);
        break;
    case ADVISE_WAY:
        take_way(app, &advise->target, row);
        break;
    case ADVISE_SPLIT:
    case ADVISE_SHARE:
        take_split(app, &advise->split[row->a]);
        break;
    case ADVISE_PACKETS_BEST:
        take_packets(app, &advise->packets.best);
        break;
    case ADVISE_PACKETS_FEWEST:
        take_packets(app, &advise->packets.fewest);
        break;
    case ADVISE_PRESET:
        rank = &work->rank[row->a];
        design_preset(app, rank->question.device, rank->row[row->b].preset->name);
        break;
    case ADVISE_HEADING:
        break;
    }
}

void advise_change(struct app *app)
{
    struct advise_view *view = &app->advise;
    const struct advise_row *row = advise_row(view);
    size_t position = app->history.position;
    double before;
    struct advise_row chosen;

    if (view->shown == NULL || row == NULL || row->kind == ADVISE_HEADING) {
        app_say(app, STYLE_NORMAL, "put the cursor on a change to make it");
        return;
    }
    if (!view->current || app->problem.status != STATUS_OK) {
        app_say(app, STYLE_NORMAL, "this is still about the design before");
        return;
    }
    chosen = *row; /* the rows are listed anew by the change */
    before = app->result.latency;
    take(app, view->shown, &chosen);
    if (app->history.position != position && app->message[0] == '\0')
        say_done(app, before);
}
