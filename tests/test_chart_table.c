#include "draw/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw/canvas.h"
#include "model/result.h"
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

static void table(enum sample_chart sample, const char *expected)
{
    struct chart chart;
    char *text;

    sample_chart(sample, &chart);
    text = table_of(&chart);
    CHECK_STR(text, expected);
    free(text);
    chart_free(&chart);
}

TEST(tables)
{
    table(SAMPLE_ROOFS, "Title <&> µ\n"
                        "a note · of conditions\n"
                        "\n"
                        "L1 60 TB/s\n"
                        "intensity, FLOP/B  performance, TFLOP/s  label\n"
                        "             0.01                   0.6\n"
                        "        0.0833333                     5\n"
                        "              100                     5  peak double\n"
                        "\n"
                        "L2 20 TB/s\n"
                        "intensity, FLOP/B  performance, TFLOP/s\n"
                        "             0.01                   0.2\n"
                        "             0.25                     5\n"
                        "              100                     5\n"
                        "\n"
                        "DRAM 460 GB/s\n"
                        "intensity, FLOP/B  performance, TFLOP/s\n"
                        "             0.01                0.0046\n"
                        "          10.8696                     5\n"
                        "              100                     5\n"
                        "\n"
                        "components\n"
                        "intensity, FLOP/B  performance, TFLOP/s  label\n"
                        "             0.25                   0.1  recon\n"
                        "              0.3                  0.09  recon-2\n"
                        "                2                     3  slopes\n"
                        "             0.25                  0.01  control\n");
    table(SAMPLE_BARS, "Title <&> µ\n"
                       "\n"
                       "compute\n"
                       "row          what      from, µs  to, µs  length, µs  label\n"
                       "calibration  compute          0      20          20  20 µs\n"
                       "calibration  wait            20      60          40\n"
                       "slopes       memory          30      80          50  DRAM\n"
                       "slopes       overhead        80      90          10\n"
                       "recon        link            60     150          90\n"
                       "recon        compute        190     190           0\n"
                       "\n"
                       "line           along      at\n"
                       "target 175 µs  time   175 µs\n");
    table(SAMPLE_CURVE, "Title <&> µ\n"
                        "\n"
                        "latency\n"
                        "  cores  latency, ms\n"
                        "      1         2.03\n"
                        "1.41421      1.44421\n"
                        "      2         1.03\n"
                        "2.82843     0.737107\n"
                        "      4         0.53\n"
                        "5.65685     0.383553\n"
                        "      8         0.28\n"
                        "11.3137     0.206777\n"
                        "     16        0.155\n"
                        "22.6274     0.118388\n"
                        "     32       0.0925\n"
                        "45.2548    0.0741942\n"
                        "     64      0.06125\n"
                        "90.5097    0.0520971\n"
                        "    128     0.045625\n"
                        "\n"
                        "line                 along      at\n"
                        "now: 32              cores      32\n"
                        "recon: memory binds  cores      40\n"
                        "target 1 ms          latency  1 ms\n");
    table(SAMPLE_EMPTY, "Title <&> µ\n"
                        "No data.\n");
    table(SAMPLE_HOSTILE,
          "Title <&> µ\n"
          "<b>&amp; \"'?\?[31m?µ 漢 ?]]>\n"
          "\n"
          "<b>&amp; \"'?\?[31m?µ 漢 ?]]>\n"
          "<b>&amp; \"'?\?[31m?µ 漢 ?]]>                          y label\n"
          "                       0.9 <b>&amp; \"'?\?[31m?µ 漢 ?]]> <b>&amp; \"'?\?[31m?µ 漢...\n"
          "\n"
          "<b>&amp; \"'?\?[31m?µ 漢 ?]]>\n"
          "row                         <b>&amp; \"'?\?[31m?µ 漢 ?]]>\n"
          "<b>&amp; \"'?\?[31m?µ 漢 ?]]>                         0.3\n"
          "\n"
          "line                        along                        at\n"
          "<b>&amp; \"'?\?[31m?µ 漢 ?]]>  <b>&amp; \"'?\?[31m?µ 漢 ?]]>  0.5\n");
}

/* A number that is nowhere else is in the table, whatever holds it. */
TEST(every_number)
{
    double value[4] = {1.25e-3, RESULT_NONE, 2.375e-3, 7.625e-3};
    static const char *const expected[] = {"3.1415", "6.2831", "11.5",  "12.625", "1.25",
                                           "2.375",  "7.625",  "17.25", "19.75",  "0.375"};
    struct chart chart;
    char *text;
    int item;

    chart_init(&chart, "numbers");
    chart_x(&chart, (struct plot_axis){PLOT_LINEAR, 0, 20e-6, "s"}, "time");
    chart_y(&chart, (struct plot_axis){PLOT_LINEAR, 0, 1, ""}, "part");
    item = chart_add(&chart, CHART_CURVE, LOOK_FIRST, "curve");
    chart_point(&chart, item, 3.1415e-6, 0.375, NULL);
    item = chart_add(&chart, CHART_DOTS, LOOK_FIRST, "dots");
    chart_point(&chart, item, 6.2831e-6, 0.375, "label");
    item = chart_add(&chart, CHART_SPANS, LOOK_LINK, "spans");
    chart_span(&chart, item, 0, 11.5e-6, 12.625e-6, LOOK_LINK, NULL);
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
