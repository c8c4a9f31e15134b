#include "charts/advise.h"

#include <math.h>
#include <stdio.h>

#include "charts/change.h"
#include "draw/lines.h"

static void row_text(const struct advise *advise, const struct advice *step, char *text,
                     size_t size)
{
    char path[96];
    char change[STEP_FROM + LADDER_VALUE + 8];

    knob_path(&advise->design->scenario, step->ref, path, sizeof path);
    change_text(step->from, step->to, change, sizeof change);
    text_cut(change, 84);
    snprintf(text, size, "%s %.90s", path, change);
}

void chart_advise(struct chart *chart, const struct advise *advise)
{
    struct plot_axis x = {PLOT_LINEAR, 0, 0, "s"};
    int parts, settings;

    chart_init(chart, "What one step of one knob gains");
    for (int i = 0; i < advise->choices.count; i++)
        if (!advise->choices.at[i].later)
            x.high = fmax(x.high, advise->choices.at[i].gain);
    if (x.high <= 0)
        x.high = fmax(advise->now.latency, 1e-9);
    chart_x(chart, x, "RTC latency gained");
    parts = chart_add(chart, CHART_SPANS, LOOK_FIRST, "part");
    settings = chart_add(chart, CHART_SPANS, LOOK_FIRST + 1, "setting");
    for (int i = 0; i < advise->choices.count && chart->rows < CHART_ADVISE_ROWS; i++) {
        const struct advice *step = &advise->choices.at[i];
        bool part = step->ref.knob->role == ROLE_PART;
        char text[200];

        if (step->later || step->gain <= 0)
            continue;
        row_text(advise, step, text, sizeof text);
        chart_span(chart, part ? parts : settings, chart_row(chart, text), 0, step->gain,
                   part ? LOOK_FIRST : LOOK_FIRST + 1, NULL);
    }
    snprintf(chart->note, sizeof chart->note, "of the %d best", chart->rows);
}
