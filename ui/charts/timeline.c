#include "charts/timeline.h"

#include <stdio.h>

#include "base/number.h"
#include "base/units.h"
#include "draw/text.h"

#define MARGIN 0.02 /* fraction of the displayed time added as a margin */

enum chart_look timeline_bound_look(const struct schedule *schedule,
                                    const struct schedule_entry *slot)
{
    return look_of_bound(schedule->node[slot->node].bound);
}

double timeline_busy_from(const struct schedule_entry *slot)
{
    return smaller(slot->did.end, slot->did.start);
}

void timeline_slot_name(const struct schedule *schedule, const struct schedule_entry *slot,
                        char *text, size_t size)
{
    if (slot->number == schedule->packets)
        snprintf(text, size, "deferred work");
    else
        snprintf(text, size, "packet %d", slot->number + 1);
}

void timeline_whole(const struct schedule *schedule, double *from, double *to)
{
    double end = larger(schedule->end, schedule->command);

    *from = 0;
    *to = end > 0 ? end * (1 + MARGIN) : schedule->period;
}

void timeline_tail(const struct schedule *schedule, double *from, double *to)
{
    double margin = 5 * MARGIN * schedule->latency;

    timeline_whole(schedule, from, to);
    if (schedule->latency <= 0)
        return;
    *from = larger(0, schedule->last_pixel - margin);
    *to = schedule->command + margin;
}

void timeline_rules(const struct schedule *schedule, struct timeline_rule rule[TIMELINE_RULES])
{
    rule[0] = (struct timeline_rule){LOOK_CHANGE, "data in", schedule->last_pixel};
    rule[1] = (struct timeline_rule){LOOK_CURRENT, "command out", schedule->command};
    rule[2] =
        (struct timeline_rule){LOOK_TARGET, "target", schedule->last_pixel + schedule->target};
    rule[3] = (struct timeline_rule){LOOK_OTHER, "next frame", schedule->period};
}

/* Spans ---------------------------------------------------------------------------------------- */

#define OTHERS 400 /* approximate maximum of spans of other frames per row */

/* Slots of one look that follow each other in a row. */
struct span_run {
    bool open;
    double from, to;
    int first, last; /* slots */
};

struct timeline_builder {
    const struct schedule *schedule;
    const struct timeline_window *window;
    struct chart *chart;
    int item, row, frame; /* row of the schedule; that of the chart is the next */
    double merge;
    struct span_run run[LOOK_FIRST];
};

static void print_run(const struct timeline_builder *build, const struct span_run *run, char *text,
                      size_t size)
{
    int packets = build->schedule->packets;
    int first = build->schedule->slot[run->first].number;
    int last = build->schedule->slot[run->last].number;

    if (build->frame != 0)
        snprintf(text, size, "frame %+d", build->frame);
    else if (first == packets)
        snprintf(text, size, "deferred");
    else if (first == last)
        snprintf(text, size, "%d", first + 1);
    else
        snprintf(text, size, "%d-%d", first + 1, last + 1);
}

static void close_run(struct timeline_builder *build, int look)
{
    struct span_run *run = &build->run[look];
    char label[64];

    if (!run->open)
        return;
    print_run(build, run, label, sizeof label);
    chart_span(build->chart, build->item, build->row + 1, run->from, run->to, (enum chart_look)look,
               label);
    run->open = false;
}

/* Returns true if the slot extends the run. Deferred work has a span of its own. */
static bool run_goes_on(const struct timeline_builder *build, const struct span_run *run, int slot,
                        double from, double to)
{
    return run->open && to - from < build->merge && from - run->to < build->merge &&
           build->schedule->slot[slot].number < build->schedule->packets;
}

static void add_work(struct timeline_builder *build, int slot, double from, double to,
                     enum chart_look look)
{
    struct span_run *run = &build->run[look];
    double shift = build->frame * build->schedule->period;

    from = larger(from + shift, build->window->from);
    to = smaller(to + shift, build->window->to);
    if (from > to || from == build->window->to || to == build->window->from)
        return;
    if (run_goes_on(build, run, slot, from, to)) {
        run->to = larger(run->to, to);
        run->last = slot;
        return;
    }
    close_run(build, (int)look);
    *run = (struct span_run){true, from, to, slot, slot};
}

static void add_slot(struct timeline_builder *build, int number)
{
    const struct schedule_entry *slot = &build->schedule->slot[number];
    double busy = timeline_busy_from(slot);

    if (build->frame == 0 && busy > slot->did.from)
        add_work(build, number, slot->did.from, busy, LOOK_WAIT);
    if (slot->did.works)
        add_work(build, number, busy, slot->did.end,
                 build->frame != 0 ? LOOK_OTHER : timeline_bound_look(build->schedule, slot));
}

static void add_node(struct timeline_builder *build, int n, bool others)
{
    const struct schedule_node *node = &build->schedule->node[n];
    int first, last;

    if (!schedule_visible_frames(build->schedule, n, build->window->from, build->window->to, &first,
                                 &last))
        return;
    for (build->frame = first; build->frame <= last; build->frame++) {
        if ((build->frame != 0) != others || build->frame % node->divisor != 0)
            continue;
        for (int i = node->first; i < node->first + node->count; i++)
            add_slot(build, i);
        for (int look = 0; look < LOOK_FIRST; look++)
            close_run(build, look);
    }
}

/* Adds all spans of the reported frame, or those of the frames before and after. */
static void add_frames(const struct schedule *schedule, const struct timeline_window *window,
                       bool others, struct chart *chart)
{
    double coarse = (window->to - window->from) / OTHERS;
    struct timeline_builder build = {.schedule = schedule,
                                     .window = window,
                                     .chart = chart,
                                     .merge =
                                         others ? larger(coarse, window->merge) : window->merge};

    build.item = others ? chart_add(chart, CHART_SPANS, LOOK_OTHER, "frames before and after")
                        : chart_add(chart, CHART_SPANS, LOOK_CURRENT, "packets");
    for (; build.row < schedule->count[window->by]; build.row++)
        for (int n = 0; n < schedule->node_count; n++)
            if (schedule_row_holds(&schedule->lane[window->by][build.row], schedule, n))
                add_node(&build, n, others);
    if (chart->item[build.item].count == 0)
        chart->count--;
}

/* Outlines the slots on the critical path with their waits, one span where they touch. */
static void add_critical(const struct schedule *schedule, const struct timeline_window *window,
                         struct chart *chart)
{
    int item = chart_add(chart, CHART_SPANS, LOOK_CRITICAL, look_of(LOOK_CRITICAL)->name);

    for (int row = 0; row < schedule->count[window->by]; row++)
        for (int i = 0; i < schedule->slot_count; i++) {
            const struct schedule_entry *slot = &schedule->slot[i];
            double from = larger(slot->did.from, window->from);
            double to = smaller(slot->did.end, window->to);

            if (slot->did.critical && from < to &&
                schedule_row_holds(&schedule->lane[window->by][row], schedule, slot->node))
                chart_span(chart, item, row + 1, from, to, LOOK_CRITICAL, NULL);
        }
    if (chart->item[item].count == 0)
        chart->count--;
}

/* Adds the row of the latency, from the last pixel to the command. */
static void add_latency(const struct schedule *schedule, const struct timeline_window *window,
                        struct chart *chart)
{
    char text[40];
    int item;

    chart_row(chart, "RTC latency");
    if (schedule->latency <= 0 || schedule->command < window->from ||
        schedule->last_pixel > window->to)
        return;
    quantity_print(schedule->latency, "s", text, sizeof text);
    text_micro(text, sizeof text);
    item = chart_add(chart, CHART_SPANS, LOOK_CURRENT, "last useful packet to command");
    chart_span(chart, item, 0, schedule->last_pixel, schedule->command, LOOK_CURRENT, text);
}

void timeline_chart(const struct schedule *schedule, const struct timeline_window *window,
                    struct chart *chart)
{
    struct timeline_rule rule[TIMELINE_RULES];
    struct plot_axis axis = {PLOT_LINEAR, window->from, window->to, "s"};
    char period[40];

    chart_init(chart, window->by == ROWS_BY_COMPONENT ? "Timeline by component"
                                                      : "Timeline by device and link");
    quantity_print(schedule->period, "s", period, sizeof period);
    text_micro(period, sizeof period);
    chart_note(chart, "a frame every %s, %d packet%s; numbers at bars: packets%s", period,
               schedule->packets, schedule->packets == 1 ? "" : "s",
               schedule->overloaded ? "; overloaded: each frame as if it were alone" : "");
    chart_x(chart, axis, "time from the start of readout");
    add_latency(schedule, window, chart);
    for (int l = 0; l < schedule->count[window->by]; l++)
        chart_row(chart, schedule->lane[window->by][l].name);
    add_frames(schedule, window, true, chart);
    add_frames(schedule, window, false, chart);
    add_critical(schedule, window, chart);
    timeline_rules(schedule, rule);
    for (int r = 0; r < TIMELINE_RULES; r++)
        if (rule[r].at >= window->from && rule[r].at <= window->to)
            chart_rule(chart, CHART_VERTICAL, rule[r].look, rule[r].at, rule[r].name);
}

enum status timeline_picture(const struct scenario *scenario, const struct result *result,
                             enum row_order by, bool tail, struct chart *chart, struct error *error)
{
    enum { NARROWEST = 2000 }; /* resolvable spans across the width of a slide */
    struct timeline_window window = {.by = by};
    struct schedule schedule = {0};
    enum status status = schedule_capture(&schedule, scenario, result, error);

    *chart = (struct chart){0};
    if (status == STATUS_OK) {
        if (tail)
            timeline_tail(&schedule, &window.from, &window.to);
        else
            timeline_whole(&schedule, &window.from, &window.to);
        window.merge = (window.to - window.from) / NARROWEST;
        timeline_chart(&schedule, &window, chart);
    }
    schedule_free(&schedule);
    return status;
}
