#include "charts/compare.h"

#include <stdio.h>

#include "cli/text.h"

static void pair(const struct comparison *comparison, int number, int alike,
                 const char *const name[SIDES], const int item[SIDES], struct chart *chart)
{
    static const enum chart_look looks[SIDES] = {LOOK_CURRENT, LOOK_OTHER};
    const struct compared_node *node = &comparison->node[number];

    for (int s = 0; s < SIDES; s++) {
        char row[NODE_NAME_MAX + 128];
        char time[40];

        if (!node->has[s])
            continue;
        if (alike > 1)
            snprintf(row, sizeof row, "%s (%d alike), %s", node->name, alike, name[s]);
        else
            snprintf(row, sizeof row, "%s, %s", node->name, name[s]);
        text_quantity(node->time[s], "s", true, time, sizeof time);
        chart_span(chart, item[s], chart_row(chart, row), 0, node->time[s], looks[s], time);
    }
}

void chart_compare(const struct comparison *comparison, const char *const name[SIDES],
                   struct chart *chart)
{
    char title[CHART_TITLE_MAX + 1];
    double most = 0;
    int item[SIDES];
    int alike;

    snprintf(title, sizeof title, "Times of %s and %s, a frame", name[0], name[1]);
    chart_init(chart, title);
    snprintf(chart->note, sizeof chart->note, "%s: %s; %s: %s", name[0], comparison->title[0],
             name[1], comparison->title[1]);
    item[0] = chart_add(chart, CHART_SPANS, LOOK_CURRENT, name[0]);
    item[1] = chart_add(chart, CHART_SPANS, LOOK_OTHER, name[1]);
    for (int n = 0; n < comparison->node_count; n += alike) {
        const struct compared_node *node = &comparison->node[n];

        alike = compare_alike(comparison, n);
        if (node->type == COMPONENT_CAMERA && !node->transfer)
            continue;
        for (int s = 0; s < SIDES; s++)
            if (node->has[s] && node->time[s] > most)
                most = node->time[s];
        pair(comparison, n, alike, name, item, chart);
    }
    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, most > 0 ? most * 1.05 : 1, "s"},
            "time of a frame");
}
