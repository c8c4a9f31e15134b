#include "charts/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/buffer.h"
#include "draw/text.h"

#define DECADES_FROM 10 /* largest over smallest value above which an axis is logarithmic */
#define LABEL_MAX 120
#define NAME_BYTES 96

static bool has_power(const struct search_design *design)
{
    return design->watts != RESULT_NONE;
}

/* The ends of the values of all designs. */
struct extent {
    double least, most;
};

static void extend(struct extent *extent, double value)
{
    if (value == RESULT_NONE)
        return;
    extent->least = fmin(extent->least, value);
    extent->most = fmax(extent->most, value);
}

static struct plot_axis plot_extent(const struct extent *extent, const char *unit)
{
    if (extent->least > 0 && extent->most > DECADES_FROM * extent->least)
        return plot_axis_around(plot_logarithmic(unit), extent->least, extent->most, unit);
    return (struct plot_axis){PLOT_LINEAR, 0, extent->most > 0 ? extent->most * 1.1 : 1, unit};
}

static void set_axes(const struct search_answer *answer, struct chart *chart)
{
    struct extent power = {INFINITY, -INFINITY};
    struct extent latency = {INFINITY, -INFINITY};

    for (int i = -1; i < answer->count; i++) {
        const struct search_design *design = i < 0 ? &answer->present : &answer->front[i];

        if ((i < 0 && !answer->has_present) || !has_power(design))
            continue;
        extend(&power, design->watts);
        extend(&latency, design->latency);
        extend(&latency, design->low);
        extend(&latency, design->high);
    }
    chart_x(chart, plot_extent(&power, "W"), "thermal design power of all devices");
    chart_y(chart, plot_extent(&latency, "s"), "RTC latency");
}

/* Adds the least latency for at most so much power: a stair through the designs of the front. */
static void add_stair(const struct search_answer *answer, struct chart *chart)
{
    int item = chart_add(chart, CHART_CURVE, LOOK_ONE, "least latency for at most this power");
    double watts = -INFINITY;
    double latency = INFINITY;

    chart_bare(chart, item);
    for (;;) {
        const struct search_design *next = NULL;

        for (int i = 0; i < answer->count; i++) {
            const struct search_design *design = &answer->front[i];

            if (has_power(design) && design->watts > watts && design->latency < latency &&
                (next == NULL || design->watts < next->watts ||
                 (design->watts == next->watts && design->latency < next->latency)))
                next = design;
        }
        if (next == NULL)
            return;
        if (isfinite(latency))
            chart_point(chart, item, next->watts, latency, NULL);
        watts = next->watts;
        latency = next->latency;
        chart_point(chart, item, watts, latency, NULL);
    }
}

/* Adds the range of a latency; one without an upper end goes to the top. */
static void add_range(const struct search_design *design, enum chart_look look, const char *name,
                      struct chart *chart)
{
    int item;

    if (design->low == RESULT_NONE)
        return;
    item = chart_add(chart, CHART_CURVE, look, name);
    chart_bare(chart, item);
    chart_point(chart, item, design->watts, design->low, NULL);
    chart_point(chart, item, design->watts,
                design->high == RESULT_NONE ? chart->y.high : design->high, NULL);
}

/* Writes the values of a design, in the order of the heading: "2: amd-epyc-9654, nvidia-h100-nvl,
 * 2". */
static void print_values(const struct search *search, const struct search_design *design, int place,
                         bool all, char text[LABEL_MAX])
{
    struct buffer out = buffer_over(text, LABEL_MAX);
    char value[AXIS_TEXT_MAX] = "";

    buffer_print(&out, "%d:", place);
    for (int i = 0; i < search->sweep.axis_count; i++) {
        int axis = search->column[i];
        bool has = sweep_has_value(&search->sweep, design->at, axis);

        if (has)
            axis_text(&search->sweep.axis[axis], design->at[axis], value, sizeof value);
        buffer_print(&out, "%s %.60s", i > 0 ? "," : "", has ? value : "-");
    }
    if (design->equivalent > 0 && !all)
        buffer_print(&out, ", +%d equivalent", design->equivalent);
}

/* Lists what the values of the designs are: "rtc, gpu0, device.gpu0.count". */
static void list_values(const struct search *search, struct chart *chart, int item)
{
    char heading[CHART_NAME_MAX + 1], path[NAME_BYTES];
    struct buffer out = buffer_over(heading, sizeof heading);

    for (int i = 0; i < search->sweep.axis_count; i++)
        buffer_item(&out, axis_title(&search->sweep.axis[search->column[i]], search->sweep.base,
                                     path, sizeof path));
    chart_key(chart, item, heading);
}

/* Adds the note, with what excludes designs, or a sentence if there is nothing to draw. */
static void add_texts(const struct search *search, const struct search_answer *answer, bool all,
                      struct chart *chart)
{
    uint64_t tried = search_tried(search);
    struct buffer excluded = {0}, note = buffer_over(chart->note, sizeof chart->note);
    int shown = 0, folded = 0;

    for (int i = 0; i < answer->count; i++) {
        shown += has_power(&answer->front[i]);
        folded += !all && !search_is_shown(answer, i);
    }
    search_print_excluded(search, search->count, &excluded);
    buffer_print(&note, "%" PRIu64 " design%s tried", tried, tried != 1 ? "s" : "");
    if (answer->count == 0)
        chart_message(chart, "No design is left%s%s.", excluded.length > 0 ? ": " : "",
                      excluded.length > 0 ? excluded.bytes : "");
    else if (excluded.length > 0)
        buffer_print(&note, "; excluded: %s", excluded.bytes);
    if (answer->count > 0 && shown == 0)
        chart_message(chart, "The power of no design of the front is known.");
    else if (shown < answer->count)
        buffer_print(&note, "; %d of the front not shown: their power is not known",
                     answer->count - shown);
    if (folded > 0)
        buffer_print(&note, "; %d of the front not shown: equivalent to others", folded);
    buffer_free(&excluded);
    text_micro(chart->note, sizeof chart->note);
    text_micro(chart->message, sizeof chart->message);
}

void chart_search(struct chart *chart, const struct search *search,
                  const struct search_answer *answer, bool all)
{
    uint64_t kept = search->count[SWEEP_KEPT];
    const char *name = "range";
    char label[LABEL_MAX];
    int item;

    if (answer->count > 0)
        chart_init(chart, "Search: %d of %" PRIu64 " design%s on the front", answer->count, kept,
                   kept != 1 ? "s" : "");
    else
        chart_init(chart, "Search: no design on the front");
    chart_heading(chart, "%.100s", search->sweep.base->general.title);
    add_texts(search, answer, all, chart);
    set_axes(answer, chart);
    for (int i = 0; i < answer->count; i++)
        if (has_power(&answer->front[i]) && (all || search_is_shown(answer, i))) {
            add_range(&answer->front[i], LOOK_OTHER, name, chart);
            name = "";
        }
    add_stair(answer, chart);
    item = chart_add(chart, CHART_DOTS, LOOK_BEST, "front");
    list_values(search, chart, item);
    for (int i = 0; i < answer->count; i++) {
        print_values(search, &answer->front[i], i + 1, all, label);
        if (has_power(&answer->front[i]) && (all || search_is_shown(answer, i)))
            chart_point(chart, item, answer->front[i].watts, answer->front[i].latency, label);
    }
    if (answer->has_present && has_power(&answer->present)) {
        add_range(&answer->present, LOOK_CURRENT, "", chart);
        item = chart_add(chart, CHART_DOTS, LOOK_CURRENT, "present design");
        chart_point(chart, item, answer->present.watts, answer->present.latency, "now");
    }
}
