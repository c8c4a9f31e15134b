#include "charts/flow.h"

#include <math.h>
#include <stdio.h>

#include "draw/text.h"

#define ROOM 1.6   /* axis length over longest bar, with room for its label */
#define LIMIT 1.05 /* least axis length: the limit is on it */

/* Writes "45.3 Gb/s of 200 Gb/s". */
static void print_label(const struct flow_resource *resource, char *text, size_t size)
{
    double factor;
    const char *unit = flow_unit(resource, &factor);
    char demand[32], capacity[32];

    text_quantity(factor * resource->demand, unit, true, demand, sizeof demand);
    text_quantity(factor * resource->capacity, unit, true, capacity, sizeof capacity);
    snprintf(text, size, "%s of %s", demand, capacity);
}

void chart_flow(struct chart *chart, const struct flow *flow)
{
    double most = 0;
    int pipeline, background;

    chart_init(chart, "Load of ports, links, memories and disks");
    pipeline = chart_add(chart, CHART_SPANS, LOOK_ONE, "pipeline");
    background = chart_add(chart, CHART_SPANS, LOOK_TWO, "telemetry and updates");
    for (int i = 0; i < flow->resource_count; i++) {
        const struct flow_resource *resource = &flow->resource[i];
        bool shared = resource->background > 0;
        double alone = resource->load - resource->background_load;
        char label[80];
        int row;

        if (resource->load == RESULT_NONE)
            continue;
        row = chart_row(chart, resource->name);
        print_label(resource, label, sizeof label);
        chart_span(chart, pipeline, row, 0, fmax(0, alone), LOOK_ONE, shared ? NULL : label);
        if (shared)
            chart_span(chart, background, row, fmax(0, alone), resource->load, LOOK_TWO, label);
        most = fmax(most, resource->load);
    }
    chart_rule(chart, CHART_VERTICAL, LOOK_TARGET, 1, "limit");
    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, fmax(LIMIT, ROOM * most), ""},
            "part that is used");
}
