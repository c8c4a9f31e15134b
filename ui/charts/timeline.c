#include "charts/timeline.h"

#include <stdio.h>

#include "base/number.h"
#include "base/units.h"

/* Meaning ------------------------------------------------------------------------------------- */

enum chart_look timeline_waits(const struct schedule_entry *slot)
{
    return slot->did.critical ? LOOK_CRITICAL_WAIT : LOOK_WAIT;
}

enum chart_look timeline_binds(const struct schedule *lanes, const struct schedule_entry *slot)
{
    static const enum chart_look looks[] = {
        [BOUND_COMPUTE] = LOOK_COMPUTE,   [BOUND_MEMORY] = LOOK_MEMORY,
        [BOUND_OVERHEAD] = LOOK_OVERHEAD, [BOUND_LINK] = LOOK_LINK,
        [BOUND_READOUT] = LOOK_READOUT,
    };

    return looks[lanes->node[slot->node].bound];
}

enum chart_look timeline_works(const struct schedule *lanes, const struct schedule_entry *slot)
{
    return slot->did.critical ? LOOK_CRITICAL : timeline_binds(lanes, slot);
}

double timeline_busy_from(const struct schedule_entry *slot)
{
    return smaller(slot->did.end, slot->did.start);
}

void timeline_slot_name(const struct schedule *lanes, const struct schedule_entry *slot, char *text,
                        size_t size)
{
    if (slot->number == lanes->packets)
        snprintf(text, size, "deferred work");
    else
        snprintf(text, size, "packet %d", slot->number + 1);
}

#define MARGIN 0.02 /* of a window, beyond what is to be seen */

void timeline_whole(const struct schedule *lanes, double *from, double *to)
{
    double end = larger(lanes->end, lanes->command);

    *from = 0;
    *to = end > 0 ? end * (1 + MARGIN) : lanes->period;
}

void timeline_tail(const struct schedule *lanes, double *from, double *to)
{
    double margin = 5 * MARGIN * lanes->latency;

    timeline_whole(lanes, from, to);
    if (lanes->latency <= 0)
        return;
    *from = larger(0, lanes->last_pixel - margin);
    *to = lanes->command + margin;
}

int timeline_rules(const struct schedule *lanes, struct timeline_rule rule[TIMELINE_RULES])
{
    rule[0] = (struct timeline_rule){LOOK_CHANGE, "last pixel", lanes->last_pixel};
    rule[1] = (struct timeline_rule){LOOK_CURRENT, "command out", lanes->command};
    rule[2] = (struct timeline_rule){LOOK_TARGET, "target", lanes->last_pixel + lanes->target};
    rule[3] = (struct timeline_rule){LOOK_OTHER, "next frame", lanes->period};
    return TIMELINE_RULES;
}

/* Spans --------------------------------------------------------------------------------------- */

#define OTHERS 400 /* spans of other frames there may be in a row, about */

/* Slots of one look in a row, as they come. */
struct run {
    bool open;
    double from, to;
    int first, last; /* slots */
};

struct build {
    const struct schedule *lanes;
    const struct timeline_window *window;
    struct chart *chart;
    int item, row, frame;
    double merge;
    struct run run[LOOK_FIRST];
};

static void print_run(const struct build *build, const struct run *run, char *text, size_t size)
{
    int packets = build->lanes->packets;
    int first = build->lanes->slot[run->first].number;
    int last = build->lanes->slot[run->last].number;

    if (build->frame != 0)
        snprintf(text, size, "frame %+d", build->frame);
    else if (first == packets)
        snprintf(text, size, "deferred");
    else if (first == last)
        snprintf(text, size, "%d", first + 1);
    else
        snprintf(text, size, "%d-%d", first + 1, last + 1);
}

static void close_run(struct build *build, int look)
{
    struct run *run = &build->run[look];
    char label[64];

    if (!run->open)
        return;
    print_run(build, run, label, sizeof label);
    chart_span(build->chart, build->item, build->row, run->from, run->to, (enum chart_look)look,
               label);
    run->open = false;
}

/* Deferred work stays a span of its own. */
static bool joins(const struct build *build, const struct run *run, int slot, double from,
                  double to)
{
    return run->open && to - from < build->merge && from - run->to < build->merge &&
           build->lanes->slot[slot].number < build->lanes->packets;
}

static void add(struct build *build, int slot, double from, double to, enum chart_look look)
{
    struct run *run = &build->run[look];
    double shift = build->frame * build->lanes->period;

    from = larger(from + shift, build->window->from);
    to = smaller(to + shift, build->window->to);
    if (from > to || from == build->window->to || to == build->window->from)
        return;
    if (joins(build, run, slot, from, to)) {
        run->to = larger(run->to, to);
        run->last = slot;
        return;
    }
    close_run(build, (int)look);
    *run = (struct run){true, from, to, slot, slot};
}

static void add_slot(struct build *build, int number)
{
    const struct schedule_entry *slot = &build->lanes->slot[number];
    double busy = timeline_busy_from(slot);

    if (build->frame == 0 && busy > slot->did.from)
        add(build, number, slot->did.from, busy, timeline_waits(slot));
    if (slot->did.works)
        add(build, number, busy, slot->did.end,
            build->frame == 0 ? timeline_works(build->lanes, slot) : LOOK_OTHER);
}

static void add_node(struct build *build, int n, bool others)
{
    const struct schedule_node *node = &build->lanes->node[n];
    int first, last;

    if (!schedule_visible_frames(build->lanes, n, build->window->from, build->window->to, &first,
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

/* All spans of the reported frame, or of those before and after. */
static void add_frames(const struct schedule *lanes, const struct timeline_window *window,
                       bool others, struct chart *chart)
{
    double coarse = (window->to - window->from) / OTHERS;
    struct build build = {.lanes = lanes,
                          .window = window,
                          .chart = chart,
                          .merge = others ? larger(coarse, window->merge) : window->merge};

    build.item = others ? chart_add(chart, CHART_SPANS, LOOK_OTHER, "frames before and after")
                        : chart_add(chart, CHART_SPANS, LOOK_CURRENT, "packets");
    for (; build.row < lanes->count[window->by] && !chart->failed; build.row++)
        for (int n = 0; n < lanes->node_count; n++)
            if (schedule_row_holds(&lanes->lane[window->by][build.row], lanes, n))
                add_node(&build, n, others);
    if (!chart->failed && chart->item[build.item].count == 0)
        chart->count--;
}

void timeline_chart(const struct schedule *lanes, const struct timeline_window *window,
                    struct chart *chart)
{
    struct timeline_rule rule[TIMELINE_RULES];
    struct plot_axis axis = {PLOT_LINEAR, window->from, window->to, "s"};
    char period[40];

    chart_init(chart, window->by == ROWS_BY_COMPONENT ? "Timeline by component"
                                                      : "Timeline by device and link");
    quantity_print(lanes->period, "s", period, sizeof period);
    snprintf(chart->note, sizeof chart->note, "a frame every %s, %d packet%s%s", period,
             lanes->packets, lanes->packets == 1 ? "" : "s",
             lanes->overloaded ? "; overloaded: each frame as if it were alone" : "");
    chart_x(chart, axis, "time from the start of readout");
    for (int l = 0; l < lanes->count[window->by]; l++)
        chart_row(chart, lanes->lane[window->by][l].name);
    add_frames(lanes, window, true, chart);
    add_frames(lanes, window, false, chart);
    timeline_rules(lanes, rule);
    for (int r = 0; r < TIMELINE_RULES; r++)
        if (rule[r].at >= window->from && rule[r].at <= window->to)
            chart_rule(chart, CHART_VERTICAL, rule[r].look, rule[r].at, rule[r].name);
}

enum status timeline_picture(const struct scenario *scenario, const struct result *result,
                             enum row_order by, bool tail, struct chart *chart, struct error *error)
{
    enum { NARROWEST = 2000 }; /* spans that part the width of a slide */
    struct timeline_window window = {.by = by};
    struct schedule lanes = {0};
    enum status status = schedule_capture(&lanes, scenario, result, error);

    chart_init(chart, "");
    if (status == STATUS_OK) {
        if (tail)
            timeline_tail(&lanes, &window.from, &window.to);
        else
            timeline_whole(&lanes, &window.from, &window.to);
        window.merge = (window.to - window.from) / NARROWEST;
        timeline_chart(&lanes, &window, chart);
    }
    schedule_free(&lanes);
    return status;
}
