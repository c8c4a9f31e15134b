#include <stdio.h>
#include <string.h>

#include "design/knob_text.h"
#include "tui/advise_work.h"
#include "tui/host.h"
#include "tui/view_advise.h"
#include "tui/widget.h"

/* "RTC latency 14.8 µs → 9.0 µs; u takes it back", after a change that was made. */
static void say_done(struct advise_view *view, double before)
{
    char from[40];
    char to[40];

    if (view->host->design.problem.status != STATUS_OK)
        return;
    quantity_show(before, "s", from, sizeof from);
    quantity_show(view->host->design.result.latency, "s", to, sizeof to);
    host_say(view->host, STYLE_NORMAL, "RTC latency %s \xE2\x86\x92 %s; u takes it back", from, to);
}

static bool set(struct advise_view *view, struct knob_ref ref, const char *value)
{
    struct error error;

    if (knob_set_text(&view->host->design.scenario, ref, value, &error) == STATUS_OK)
        return true;
    host_fail(view->host, &error);
    return false;
}

/* A sequence up to one of its steps, as one change. */
static void take_way(struct advise_view *view, const struct meet_target *reach,
                     const struct advise_row *row)
{
    const struct target_sequence *way = &reach->sequence[row->a];
    int last = row->b >= 0 ? row->b : way->count - 1;

    for (int i = 0; i <= last; i++)
        if (!set(view, way->step[i].ref, way->step[i].to))
            break;
    if (last >= 0)
        design_record(view->host, false, "%d step%s of %s", last + 1, last > 0 ? "s" : "",
                      target_source_name((enum target_source)row->a));
    else
        host_say(view->host, STYLE_NORMAL, "there is no step to take");
}

static void take_split(struct advise_view *view, const struct share_split *split)
{
    if (split->gain <= 0) {
        host_say(view->host, STYLE_NORMAL,
                 "no division that was found is faster than the present one");
        return;
    }
    for (int i = 0; i < split->count; i++) {
        char text[40];

        share_text(&split->share[i], text, sizeof text);
        if (!share_changes(&view->host->design.scenario, &split->share[i]))
            continue;
        if (!set(view, knob_ref_to(KNOB_COMPONENT_SHARE, split->share[i].component), text))
            break;
    }
    design_record(view->host, false, "best division of %s",
                  split->device < 0 ? "all devices"
                                    : view->host->design.scenario.device[split->device].head.name);
}

static void take_packets(struct advise_view *view, const struct packet_count *count)
{
    char text[24];

    snprintf(text, sizeof text, "%d", count->packets);
    design_set_text(view->host, knob_ref_to(KNOB_SCENARIO_PACKETS, 0), text);
}

static void take(struct advise_view *view, const struct advise_work *work,
                 const struct advise_row *row)
{
    const struct advise *advise = work->advise;
    const struct rank *rank;

    switch (row->kind) {
    case ADVISE_STEP:
        design_set_text(view->host, advise->choices.at[row->a].ref, advise->choices.at[row->a].to);
        break;
    case ADVISE_GIVEN:
        design_set_text(view->host, advise->given.at[row->a].ref, advise->given.at[row->a].to);
        break;
    case ADVISE_KNOB:
        design_set_text(view->host, advise->target.knob[row->a].ref,
                        advise->target.knob[row->a].to);
        break;
    case ADVISE_WAY:
        take_way(view, &advise->target, row);
        break;
    case ADVISE_SPLIT:
    case ADVISE_SHARE:
        take_split(view, &advise->split[row->a]);
        break;
    case ADVISE_PACKETS_BEST:
        take_packets(view, &advise->packets.best);
        break;
    case ADVISE_PACKETS_FEWEST:
        take_packets(view, &advise->packets.fewest);
        break;
    case ADVISE_PRESET:
        rank = &work->rank[row->a];
        design_set_preset(view->host, rank->question.device, rank->row[row->b].preset->name);
        break;
    case ADVISE_HEADING:
        break;
    }
}

void advise_change(struct advise_view *view)
{
    const struct advise_row *row = advise_row(view);
    size_t position = view->host->design.history.position;
    double before;
    struct advise_row chosen;

    if (view->shown == NULL || row == NULL || row->kind == ADVISE_HEADING) {
        host_say(view->host, STYLE_NORMAL, "put the cursor on a change to make it");
        return;
    }
    if (!view->current || view->host->design.problem.status != STATUS_OK) {
        host_say(view->host, STYLE_NORMAL, "this is still about the design before");
        return;
    }
    chosen = *row; /* the rows are listed anew by the change */
    before = view->host->design.result.latency;
    take(view, view->shown, &chosen);
    if (view->host->design.history.position != position && view->host->message[0] == '\0')
        say_done(view, before);
}
