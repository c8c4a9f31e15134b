#include "tui/advise_line.h"

#include <stdio.h>
#include <string.h>

#include "charts/advise.h"
#include "design/knob_text.h"
#include "tui/widget.h"

static void add_change(struct advise_line *line, const char *from, const char *to)
{
    change_text(from, to, line->change, ADVISE_CHANGE);
    text_micro(line->change, ADVISE_CHANGE);
}

static void of_step(const struct scenario *scenario, const struct advice *step,
                    struct advise_line *line)
{
    knob_path(scenario, step->ref, line->name, sizeof line->name);
    add_change(line, step->from, step->to);
    line->gain = step->gain;
    line->elasticity = step->elasticity;
    line->after = &step->after;
}

static void of_knob(const struct advise *advise, const struct target_knob *knob,
                    struct advise_line *line)
{
    knob_path(&advise->design->scenario, knob->ref, line->name, sizeof line->name);
    add_change(line, knob->from, knob->to);
    line->gain = advise->now.latency - knob->after.latency;
    line->after = &knob->after;
}

static void of_way(const struct advise *advise, const struct advise_row *row,
                   struct advise_line *line)
{
    const struct target_sequence *way = &advise->target.sequence[row->a];
    const char *name = target_source_name((enum target_source)row->a);

    if (row->b >= 0) {
        of_step(&advise->design->scenario, &way->step[row->b], line);
        memmove(line->name + 2, line->name, sizeof line->name - 3);
        memcpy(line->name, "  ", 2);
        return;
    }
    line->title = true;
    line->after = &way->after;
    if (way->after.met)
        snprintf(line->name, sizeof line->name, "%d step%s of %s meet%s the target", way->count,
                 way->count == 1 ? "" : "s", name, way->count == 1 ? "s" : "");
    else
        snprintf(line->name, sizeof line->name, "%s do not: %s limits", name,
                 way->after.bound[0] == '\0' ? "nothing" : way->after.bound);
}

static void of_split(const struct advise *advise, const struct share_split *split,
                     struct advise_line *line)
{
    snprintf(line->name, sizeof line->name, "%s%s",
             split->device < 0 ? "all devices"
                               : advise->design->scenario.device[split->device].head.name,
             split->gain > 0 ? "" : ": as good as any found");
    line->title = split->gain <= 0;
    if (split->gain > 0)
        line->gain = split->gain;
    line->after = &split->after;
}

static void of_share(const struct advise *advise, const struct share *share,
                     struct advise_line *line)
{
    const struct component *component = &advise->design->scenario.component[share->component];
    char from[40];
    char to[40];

    snprintf(line->name, sizeof line->name, "  %s", component->head.name);
    snprintf(from, sizeof from, "%s%.3g", component->share > 0 ? "" : "auto ", share->present);
    share_text(share, to, sizeof to);
    add_change(line, from, to);
}

static void of_packets(const struct advise *advise, const struct packet_count *count,
                       const char *name, struct advise_line *line)
{
    char from[24];
    char to[24];

    snprintf(line->name, sizeof line->name, "%s", name);
    snprintf(from, sizeof from, "%d", advise->packets.present);
    snprintf(to, sizeof to, "%d", count->packets);
    add_change(line, from, to);
    line->gain = count->gain;
    line->after = &count->after;
}

static void of_preset(const struct advise *advise, const struct rank *rank, int place,
                      struct advise_line *line)
{
    const struct ranked *row = &rank->row[place];
    char latency[40];

    snprintf(line->name, sizeof line->name, "%2d %s%s", place + 1, row->preset->name,
             row->present ? " (now)" : "");
    if (row->problem.status != STATUS_OK) {
        snprintf(line->change, ADVISE_CHANGE, "no meaning");
        return;
    }
    quantity_show(row->latency, "s", latency, sizeof latency);
    snprintf(line->change, ADVISE_CHANGE, "%s%s", latency, row->overloaded ? " overload" : "");
    line->gain = advise->now.latency - row->latency;
}

struct advise_line advise_line_of(const struct advise_work *work, const struct advise_row *row)
{
    const struct advise *advise = work->advise;
    const struct scenario *scenario = &advise->design->scenario;
    struct advise_line line = {.gain = RESULT_NONE, .elasticity = RESULT_NONE};

    switch (row->kind) {
    case ADVISE_HEADING:
        line.title = true;
        snprintf(line.name, sizeof line.name, "%s", row->text);
        break;
    case ADVISE_STEP:
        line.bar = true;
        of_step(scenario, &advise->choices.at[row->a], &line);
        break;
    case ADVISE_GIVEN:
        of_step(scenario, &advise->given.at[row->a], &line);
        break;
    case ADVISE_KNOB:
        of_knob(advise, &advise->target.knob[row->a], &line);
        break;
    case ADVISE_WAY:
        of_way(advise, row, &line);
        break;
    case ADVISE_SPLIT:
        of_split(advise, &advise->split[row->a], &line);
        break;
    case ADVISE_SHARE:
        of_share(advise, &advise->split[row->a].share[row->b], &line);
        break;
    case ADVISE_PACKETS_BEST:
        of_packets(advise, &advise->packets.best, "least latency", &line);
        break;
    case ADVISE_PACKETS_FEWEST:
        of_packets(advise, &advise->packets.fewest, "fewest, within 1 %", &line);
        break;
    case ADVISE_PRESET:
        of_preset(advise, &work->rank[row->a], row->b, &line);
        break;
    }
    return line;
}
