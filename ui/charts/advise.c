#include "charts/advise.h"

#include <math.h>
#include <stdio.h>

#include "charts/change.h"
#include "cli/text.h"
#include "draw/lines.h"

#define ROOM 1.15 /* of the longest bar, for the label behind it */

static void add_row(struct chart *chart, int item, const struct advise *advise,
                    const struct advice *step, enum chart_look look)
{
    char path[96];
    char change[STEP_FROM + LADDER_VALUE + 16];
    char name[200];
    char gain[40];

    knob_path(&advise->design->scenario, step->ref, path, sizeof path);
    change_brief(step->from, step->to, change, sizeof change);
    text_cut(change, 84);
    snprintf(name, sizeof name, "%s %.90s", path, change);
    text_quantity(step->gain, "s", true, gain, sizeof gain);
    chart_span(chart, item, chart_row(chart, name), 0, step->gain, look, gain);
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
    x.high *= ROOM;
    chart_x(chart, x, "RTC latency gained");
    parts = chart_add(chart, CHART_SPANS, LOOK_FIRST, "part");
    settings = chart_add(chart, CHART_SPANS, LOOK_FIRST + 1, "setting");
    for (int i = 0; i < advise->choices.count && chart->rows < CHART_ADVISE_ROWS; i++) {
        const struct advice *step = &advise->choices.at[i];
        bool part = step->ref.knob->role == ROLE_PART;

        if (step->later || step->gain <= 0)
            continue;
        add_row(chart, part ? parts : settings, advise, step, part ? LOOK_FIRST : LOOK_FIRST + 1);
    }
    snprintf(chart->note, sizeof chart->note, "of the %d best", chart->rows);
}
