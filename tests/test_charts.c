#include <math.h>
#include <string.h>

#include "charts/components.h"
#include "charts/machine.h"
#include "charts/picture.h"
#include "check.h"
#include "design/preset.h"
#include "design/scenario_file.h"
#include "machine_fixture.h"
#include "model/evaluate.h"

/* Every component and transfer has a row; its bar ends where its time does, a camera has none. */
TEST(components_are_the_result)
{
    struct catalogue *catalogue = catalogue_open_embedded();
    struct problems problems = {NULL, 0, 0};
    struct scenario scenario;
    struct document *document = NULL;
    struct result result;
    struct chart chart;
    const struct preset *preset = catalogue_find(catalogue, "elt-scao", 1U << PRESET_AO, NULL);

    if (!CHECK(preset != NULL) ||
        !CHECK(scenario_parse(&scenario, &document, preset->text, preset->length, catalogue,
                              &problems) == STATUS_OK))
        return;
    result_init(&result);
    if (!CHECK(evaluate(&scenario, &result, NULL) == STATUS_OK))
        return;
    chart_components(&chart, &scenario, &result);
    for (int n = 0; n < result.node_count; n++) {
        const struct node_result *node = &result.node[n];
        double end = 0;

        for (int s = 0; s < chart.item[0].count; s++)
            if (chart.item[0].span[s].row == n)
                end = fmax(end, chart.item[0].span[s].to);
        CHECK_STR(chart.row[n], node->name);
        CHECK_NEAR(end, node->type == COMPONENT_CAMERA ? 0 : node->time, 1e-12);
        CHECK_TRUE(chart.x.high >= end, "%s", node->name);
    }
    CHECK_INT(chart.rows, result.node_count);
    chart_source(&chart, "A title", "60 us (50 to 70)");
    CHECK_STR(chart.heading, "A title: RTC latency 60 us (50 to 70)");
    CHECK_TRUE(strncmp(chart.note, "aolag " PACKAGE_VERSION " \xC2\xB7 RTC", 16) == 0, "%s",
               chart.note);
    chart_free(&chart);
    result_free(&result);
    document_free(document);
    catalogue_close(catalogue);
}

/* Of a machine that is known every part that has points has a chart, with points of its own. */
TEST(machine_has_charts)
{
    static const enum measurement_part parts[] = {MEASUREMENT_MEMORY, MEASUREMENT_OPERATIONS,
                                                  MEASUREMENT_APEX};
    struct measurement measurement = {0};
    struct machine_figures *figures;
    struct chart chart;

    fixture_measure(&fixture_machine, 0, 0.1, &measurement);
    figures = machine_figures_new(&measurement);
    if (!CHECK(figures != NULL))
        return;
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        bool good = chart_machine(&chart, figures, parts[p]);

        CHECK_TRUE(good == measurement_has(&measurement, parts[p]), "%s",
                   measurement_parts[parts[p]].name);
        CHECK_TRUE(!good || (chart.count > 0 && plot_axis_is_good(&chart.x) &&
                             (chart.rows > 0 || plot_axis_is_good(&chart.y))),
                   "%s", measurement_parts[parts[p]].name);
        chart_free(&chart);
    }
    CHECK(!chart_machine(&chart, figures, MEASUREMENT_KERNELS));
    CHECK(!chart_machine(&chart, figures, MEASUREMENT_BANDWIDTH));
    machine_figures_free(figures);
    measurement_free(&measurement);
}
