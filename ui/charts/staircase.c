#include "charts/staircase.h"

#include <math.h>
#include <stdio.h>

struct curves {
    double chains; /* of `most`; 1: there is only `one` */
    struct staircase one, most;
    struct plot_axis x, y;
};

/* false: there is no curve. */
static bool find_curves(const struct measurement *measurement, struct curves *curves)
{
    const struct staircase *curve[] = {&curves->one, &curves->most};
    double low = (double)INFINITY;
    double high = 0;

    curves->chains = staircase_chains_most(measurement);
    staircase_from_measurement(measurement, 1, &curves->one);
    staircase_from_measurement(measurement, curves->chains, &curves->most);
    if (curves->one.count < 2)
        return false;
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < curve[c]->count; i++) {
            low = fmin(low, curve[c]->latency[i]);
            high = fmax(high, curve[c]->latency[i]);
        }
    curves->x = plot_axis_around(PLOT_BINARY, curves->one.size[0],
                                 curves->one.size[curves->one.count - 1], "B");
    curves->y = plot_axis_around(PLOT_DECADES, low, high, "s");
    return true;
}

static void add_staircase(struct chart *chart, const struct staircase *curve, enum chart_look look,
                          const char *name)
{
    int item = chart_add(chart, CHART_CURVE, look, name);

    for (int i = 0; i < curve->count; i++)
        chart_point(chart, item, curve->size[i], curve->latency[i], NULL);
}

/* A rule at a capacity, which is part of its name. */
static void add_capacity(struct chart *chart, enum chart_look look, const char *what, double size)
{
    char capacity[32], name[64];

    plot_capacity(size, capacity, sizeof capacity);
    snprintf(name, sizeof name, "%s %s", what, capacity);
    chart_rule(chart, CHART_VERTICAL, look, size, name);
}

bool chart_staircase(struct chart *chart, const struct measurement *measurement,
                     const struct knees *knees, const struct machine *machine, bool brief)
{
    struct curves curves;
    char name[64];

    chart_init(chart, "Latency staircase");
    if (!find_curves(measurement, &curves))
        return false;
    chart_x(chart, curves.x, brief ? "" : "working set");
    chart_y(chart, curves.y, brief ? "" : "time per access");
    add_staircase(chart, &curves.one, LOOK_FIRST,
                  brief ? "one chain" : "one chain: each access after the last");
    snprintf(name, sizeof name, "%.0f at once", curves.chains);
    if (curves.chains > 1)
        add_staircase(chart, &curves.most, LOOK_FIRST + 1, name);
    for (int i = 0; i < knees->plateaus - 1; i++)
        add_capacity(chart, LOOK_CHANGE, "knee", knees->capacity[i]);
    for (int i = 0; i < machine->levels; i++) {
        const struct machine_level *level = &machine->level[i];

        snprintf(name, sizeof name, brief ? "%s" : "%s, as the system says",
                 memory_level_name(level->id));
        if (level->system > 0)
            add_capacity(chart, LOOK_OTHER, name, level->system);
    }
    return true;
}
