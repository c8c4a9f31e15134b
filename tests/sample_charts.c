#include "sample_charts.h"

#include <math.h>
#include <stdio.h>

#include "model/result.h"

static void roofs(struct chart *chart)
{
    static const char *const name[] = {"L1 60 TB/s", "L2 20 TB/s", "DRAM 460 GB/s"};
    static const double rate[] = {6e13, 2e13, 4.6e11};
    int dots;

    snprintf(chart->note, sizeof chart->note, "a note \xC2\xB7 of conditions");
    chart_x(chart, (struct plot_axis){PLOT_DECADES, 0.01, 100, ""}, "intensity, FLOP/B");
    chart_y(chart, (struct plot_axis){PLOT_DECADES, 1e9, 1e13, "FLOP/s"}, "performance");
    for (int r = 0; r < 3; r++) {
        int roof = chart_add(chart, CHART_CURVE, (enum chart_look)(LOOK_FIRST + r), name[r]);

        chart_point(chart, roof, 0.01, 0.01 * rate[r], NULL);
        chart_point(chart, roof, 5e12 / rate[r], 5e12, NULL);
        chart_point(chart, roof, 100, 5e12, r > 0 ? NULL : "peak double");
    }
    dots = chart_add(chart, CHART_DOTS, LOOK_CURRENT, "components");
    chart_point(chart, dots, 0.25, 1e11, "recon");
    chart_point(chart, dots, 0.3, 9e10, "recon-2");
    chart_point(chart, dots, 2, 3e12, "slopes");
    chart_point(chart, dots, 0.25, 1e10, "control");
}

static void bars(struct chart *chart)
{
    int calibration, slopes, recon, spans;

    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, 200e-6, "s"}, "time");
    calibration = chart_row(chart, "calibration");
    slopes = chart_row(chart, "slopes");
    recon = chart_row(chart, "recon");
    spans = chart_add(chart, CHART_SPANS, LOOK_COMPUTE, "compute");
    chart_span(chart, spans, calibration, 0, 20e-6, LOOK_COMPUTE, "20 \xC2\xB5s");
    chart_span(chart, spans, calibration, 20e-6, 60e-6, LOOK_WAIT, NULL);
    chart_span(chart, spans, slopes, 30e-6, 80e-6, LOOK_MEMORY, "DRAM");
    chart_span(chart, spans, slopes, 80e-6, 90e-6, LOOK_OVERHEAD, NULL);
    chart_span(chart, spans, recon, 60e-6, 150e-6, LOOK_LINK, NULL);
    chart_span(chart, spans, recon, 190e-6, 190e-6, LOOK_COMPUTE, NULL);
    chart_rule(chart, CHART_VERTICAL, LOOK_TARGET, 175e-6, "target 175 \xC2\xB5s");
}

static void map(struct chart *chart)
{
    enum { COLUMNS = 12, ROWS = 6 };
    double value[ROWS * COLUMNS];
    int cells, dots;

    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            value[r * COLUMNS + c] =
                r + c == 0 ? RESULT_NONE : 1e-5 * exp(0.05 * (c - 7) * (c - 7) + 0.4 * (5 - r));
    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, 120, ""}, "packets");
    chart_y(chart, (struct plot_axis){PLOT_BINARY, 1, 64, ""}, "cores");
    cells = chart_add(chart, CHART_CELLS, LOOK_CURRENT, "latency");
    chart_cells(chart, cells, COLUMNS, ROWS, value,
                (struct plot_axis){PLOT_DECADES, 1e-5, 1e-3, "s"}, 3e-5);
    dots = chart_add(chart, CHART_DOTS, LOOK_BEST, "optimum");
    chart_point(chart, dots, 75, 40, NULL);
}

static void curve(struct chart *chart)
{
    int item;

    chart_x(chart, (struct plot_axis){PLOT_BINARY, 1, 128, ""}, "cores");
    chart_y(chart, (struct plot_axis){PLOT_DECADES, 1e-5, 1e-2, "s"}, "latency");
    item = chart_add(chart, CHART_CURVE, LOOK_FIRST, "latency");
    for (int i = 0; i <= 14; i++)
        chart_point(chart, item, exp2(i / 2.0), 2e-3 / exp2(i / 2.0) + 3e-5, NULL);
    chart_rule(chart, CHART_VERTICAL, LOOK_CURRENT, 32, "now: 32");
    chart_rule(chart, CHART_VERTICAL, LOOK_CHANGE, 40, "recon: memory binds");
    chart_rule(chart, CHART_HORIZONTAL, LOOK_TARGET, 1e-3, "target 1 ms");
}

static void point(struct chart *chart)
{
    int item = chart_add(chart, CHART_DOTS, LOOK_FIRST, "the only one");

    chart_x(chart, plot_axis_around(PLOT_LINEAR, 3, 3, ""), "x");
    chart_y(chart, plot_axis_around(PLOT_DECADES, 1e-6, 1e-6, "s"), "y");
    chart_point(chart, item, 3, 1e-6, "here");
}

static void zero(struct chart *chart)
{
    static const double bad[] = {0, -1, (double)NAN, (double)INFINITY, 1e300};
    int item = chart_add(chart, CHART_CURVE, LOOK_FIRST, "curve");
    int spans;

    chart_x(chart, (struct plot_axis){PLOT_DECADES, 1e-6, 1, "s"}, "x");
    chart_y(chart, (struct plot_axis){PLOT_DECADES, 1, 1e3, ""}, "y");
    for (int b = 0; b < 5; b++) {
        chart_point(chart, item, 1e-3, bad[b], "bad y");
        chart_point(chart, item, bad[b], 10, "bad x");
        chart_rule(chart, CHART_VERTICAL, LOOK_TARGET, bad[b], "bad rule");
        chart_rule(chart, CHART_HORIZONTAL, LOOK_TARGET, bad[b], "bad rule");
    }
    chart_point(chart, item, 1e-2, 100, "good");
    spans = chart_add(chart, CHART_SPANS, LOOK_MEMORY, "memory");
    chart_span(chart, spans, 0, 0, (double)NAN, LOOK_MEMORY, NULL);
}

static void spans(struct chart *chart)
{
    int item = chart_add(chart, CHART_SPANS, LOOK_COMPUTE, "compute");

    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, 64e-6, "s"}, "time");
    for (int r = 0; r < 64; r++) {
        char name[32];

        snprintf(name, sizeof name, "row-%d", r);
        chart_row(chart, name);
        for (int s = 0; s < 64; s++)
            chart_span(chart, item, r, s * 1e-6, (s + 0.7) * 1e-6,
                       s % 2 > 0 ? LOOK_COMPUTE : LOOK_MEMORY, NULL);
    }
}

static void hostile(struct chart *chart)
{
    static const char name[] = "<b>&amp; \"'\x01\x1B[31m\n\xC2\xB5 \xE6\xBC\xA2 \xFF]]>";
    int item = chart_add(chart, CHART_DOTS, LOOK_FIRST, name);
    int row, bars_item;

    snprintf(chart->note, sizeof chart->note, "%s", name);
    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, 1, ""}, name);
    row = chart_row(chart, name);
    chart_point(chart, item, 0.9, row, name);
    bars_item = chart_add(chart, CHART_SPANS, LOOK_LINK, name);
    chart_span(chart, bars_item, row, 0, 0.3, LOOK_LINK, name);
    chart_rule(chart, CHART_VERTICAL, LOOK_TARGET, 0.5, name);
}

static void key(struct chart *chart)
{
    int dots = chart_add(chart, CHART_DOTS, LOOK_BEST, "front");

    chart_x(chart, (struct plot_axis){PLOT_LINEAR, 0, 1000, "W"}, "power");
    chart_y(chart, (struct plot_axis){PLOT_LINEAR, 0, 1e-3, "s"}, "latency");
    chart_key(chart, dots, "host, card, with a heading");
    for (int i = 0; i < 40; i++) {
        char label[160];

        snprintf(label, sizeof label, "%d: host-%d, %scard-%d", i + 1, i,
                 i == 3 ? "a-name-that-is-much-longer-than-its-part-of-the-page-however-small-the-"
                          "letters-are-"
                        : "",
                 i);
        chart_point(chart, dots, i < 34 ? 26.0 * i + 20 : 910 + 8 * (i - 34), 9e-4 / (1 + i / 8),
                    label);
    }
}

void sample_chart(enum sample_chart sample, struct chart *chart)
{
    static void (*const add[SAMPLE_CHARTS])(struct chart *) = {
        [SAMPLE_ROOFS] = roofs, [SAMPLE_BARS] = bars,       [SAMPLE_MAP] = map,
        [SAMPLE_CURVE] = curve, [SAMPLE_POINT] = point,     [SAMPLE_ZERO] = zero,
        [SAMPLE_SPANS] = spans, [SAMPLE_HOSTILE] = hostile, [SAMPLE_KEY] = key};

    chart_init(chart, "Title <&> \xC2\xB5");
    if (add[sample] != NULL)
        add[sample](chart);
}
