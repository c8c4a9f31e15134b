#include "draw/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw/canvas.h"
#include "model/result.h"
#include "pictures.h"
#include "sample_charts.h"

static char *table_of(const struct chart *chart)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        abort();
    chart_table(chart, file, 78);
    fclose(file);
    return text;
}

TEST(tables)
{
    static const struct {
        enum sample_chart sample;
        const char *name;
    } cases[] = {
        {SAMPLE_ROOFS, "roofs.table"},     {SAMPLE_BARS, "bars.table"},
        {SAMPLE_CURVE, "curve.table"},     {SAMPLE_EMPTY, "empty.table"},
        {SAMPLE_HOSTILE, "hostile.table"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct chart chart;
        char *text;

        sample_chart(cases[i].sample, &chart);
        text = table_of(&chart);
        picture_check_file(text, cases[i].name);
        free(text);
        chart_free(&chart);
    }
}

/* A number that is nowhere else is in the table with four digits, whatever holds it. */
TEST(every_number)
{
    double value[4] = {1.25e-3, RESULT_NONE, 2.375e-3, 7.625e-3};
    static const char *const expected[] = {"3.141", "6.283", "11.5",  "12.62", "1.25",
                                           "2.375", "7.625", "17.25", "19.75", "0.375"};
    struct chart chart;
    char *text;
    int item;

    chart_init(&chart, "numbers");
    chart_x(&chart, (struct plot_axis){PLOT_LINEAR, 0, 20e-6, "s"}, "time");
    chart_y(&chart, (struct plot_axis){PLOT_LINEAR, 0, 1, ""}, "part");
    item = chart_add(&chart, CHART_CURVE, LOOK_FIRST, "curve");
    chart_point(&chart, item, 3.14149e-6, 0.375, NULL);
    item = chart_add(&chart, CHART_DOTS, LOOK_FIRST, "dots");
    chart_point(&chart, item, 6.28313e-6, 0.375, "label");
    item = chart_add(&chart, CHART_SPANS, LOOK_LINK, "spans");
    chart_span(&chart, item, 0, 11.5e-6, 12.6213e-6, LOOK_LINK, NULL);
    item = chart_add(&chart, CHART_CELLS, LOOK_FIRST, "cells");
    chart_cells(&chart, item, 2, 2, value, (struct plot_axis){PLOT_LINEAR, 0, 1e-2, "s"}, 5e-3);
    chart_rule(&chart, CHART_VERTICAL, LOOK_TARGET, 17.25e-6, "rule");
    chart_rule(&chart, CHART_HORIZONTAL, LOOK_TARGET, 19.75, "rule");
    text = table_of(&chart);
    for (size_t e = 0; e < sizeof expected / sizeof expected[0]; e++)
        CHECK_TRUE(strstr(text, expected[e]) != NULL, "no %s in\n%s", expected[e], text);
    free(text);
    chart_free(&chart);
}

/* Of every chart: lines of printable characters, no number that is none. */
TEST(every_chart)
{
    for (int s = 0; s < SAMPLE_CHARTS; s++) {
        struct chart chart;
        char *text;

        sample_chart((enum sample_chart)s, &chart);
        text = table_of(&chart);
        CHECK_TRUE(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL, "chart %d:\n%s", s,
                   text);
        for (const char *at = text; *at != '\0'; at++)
            CHECK_TRUE((unsigned char)*at >= ' ' || *at == '\n', "chart %d: byte %d", s, *at);
        free(text);
        chart_free(&chart);
    }
}
