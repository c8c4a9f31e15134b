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

/* Every computing component has two rows; its bars end where its times do. */
TEST(components_are_the_result)
{
    struct catalogue *catalogue = catalogue_open_embedded();
    struct problems problems = {NULL, 0, 0};
    struct scenario scenario;
    struct document *document = NULL;
    struct result result;
    struct chart chart;
    const struct preset *preset = catalogue_find(catalogue, "elt-scao", 1U << PRESET_AO, NULL);
    int row = 0;

    if (!CHECK(preset != NULL) ||
        !CHECK(scenario_parse(&scenario, &document, preset->text, preset->length, catalogue,
                              &problems) == STATUS_OK))
        return;
    result_init(&result);
    if (!CHECK(evaluate(&scenario, &result, NULL) == STATUS_OK))
        return;
    chart_components(&chart, &result);
    for (int n = 0; n < result.node_count; n++) {
        const struct node_result *node = &result.node[n];
        double end[2] = {0, 0};

        if (!component_type_computes(node->type) || node->component < 0 || node->part >= 0)
            continue;
        for (int i = 0; i < chart.count; i++)
            for (int s = 0; s < chart.item[i].count; s++)
                for (int r = 0; r < 2; r++)
                    if (chart.item[i].span[s].row == row + r)
                        end[r] = fmax(end[r], chart.item[i].span[s].to);
        CHECK_TRUE(strncmp(chart.row[row], node->name, strlen(node->name)) == 0, "%s: %s",
                   node->name, chart.row[row]);
        CHECK_NEAR(fmin(end[0], end[1]), fmin(node->compute, node->memory), 1e-12);
        CHECK_NEAR(fmax(end[0], end[1]), fmax(node->time, fmax(node->compute, node->memory)),
                   1e-12);
        CHECK_TRUE(chart.x.high >= fmax(end[0], end[1]), "%s", node->name);
        row += 2;
    }
    CHECK_INT(chart.rows, row);
    CHECK_TRUE(row > 0, "%d", row);
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
