#include "chart_svg.h"

#include <math.h>
#include <string.h>

#include "chart_svg_items.h"
#include "lines.h"
#include "looks.h"
#include "plot_axis.h"

#define WIDTH 1280.0
#define HEIGHT 720.0
#define ROWS 29       /* that it has room for, and their labels */
#define ROW_HIGH 17.6 /* of each further one */
#define MARGIN 40.0
#define TITLE 27.0
#define AXIS_TITLE 18.0
#define TICK 16.0
#define LEGEND 16.0
#define LEGEND_LINE 27.0
#define SAMPLE 44.0 /* of a legend's entry, with the gap behind it */
#define SWATCH 18.0 /* of a shade */
#define ENTRY_GAP 26.0
#define NOTE 14.0
#define NAMES_PART 0.3 /* of the width, at most, for the names of rows */
#define CELL 10.0      /* px of a character on the axis along */
#define TEXT_COLOUR "#000000"
#define DIM_COLOUR "#555555"
#define GRID_COLOUR "#dddddd"

enum { NAME_MAX_BYTES = 256, SHADES = 8 };

struct legend {
    struct legend_entry entry[LEGEND_MAX];
    int count;
};

static double entry_width(const struct legend_entry *entry)
{
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX];

    if (entry->kind != CHART_CELLS)
        return SAMPLE + svg_width(entry->text, LEGEND);
    chart_shade_ends(entry->item, low, high);
    return svg_width(entry->text, LEGEND) + svg_width(low, LEGEND) + svg_width(high, LEGEND) +
           SHADES * SWATCH + 24;
}

static void write_shades(FILE *out, double x, double y, const struct legend_entry *entry)
{
    const struct svg_type type = {LEGEND, TEXT_COLOUR, SVG_START, ""};
    char low[PLOT_LABEL_MAX], high[PLOT_LABEL_MAX];

    chart_shade_ends(entry->item, low, high);
    svg_text(out, x, y, &type, entry->text);
    x += svg_width(entry->text, LEGEND) + 8;
    svg_text(out, x, y, &type, low);
    x += svg_width(low, LEGEND) + 8;
    for (int s = 0; s < SHADES; s++)
        svg_shade(out, (struct box){x + s * SWATCH, y - 14, SWATCH, 16}, (s + 0.5) / SHADES);
    svg_rect(out, (struct box){x, y - 14, SHADES * SWATCH, 16}, "none", " stroke=\"#000000\"");
    svg_text(out, x + SHADES * SWATCH + 8, y, &type, high);
}

static void write_entry(FILE *out, double x, double y, const struct legend_entry *entry)
{
    const struct svg_type type = {LEGEND, TEXT_COLOUR, SVG_START, ""};
    const struct look *look = look_of(entry->look);
    bool line = entry->kind == CHART_CURVE || chart_is_rule(entry->kind);
    double middle = y - 0.35 * LEGEND;
    char fill[24], more[48];

    if (entry->kind == CHART_CELLS) {
        write_shades(out, x, y, entry);
        return;
    }
    if (line)
        svg_line(out, x, middle, x + SAMPLE - 8, middle, look->colour, 2.5, look->dashes);
    if (entry->kind == CHART_DOTS ||
        (entry->kind == CHART_CURVE && entry->item->kind == CHART_CURVE))
        svg_marker(out, entry->look, x + (SAMPLE - 8) / 2, middle);
    if (entry->kind == CHART_SPANS) {
        snprintf(more, sizeof more, " stroke=\"%s\"", look->colour);
        svg_rect(out, (struct box){x, middle - 8, SAMPLE - 8, 16},
                 svg_fill(entry->look, fill, sizeof fill), more);
    }
    svg_text(out, x + SAMPLE, y, &type, entry->text);
}

/* Its lines, from `top` on; only counted where `out` is NULL. */
static int place_legend(const struct legend *legend, FILE *out, double top, int lines)
{
    double x = MARGIN;
    int line = 0;

    for (int e = 0; e < legend->count; e++) {
        double width = entry_width(&legend->entry[e]);

        if (x > MARGIN && x + width > WIDTH - MARGIN) {
            x = MARGIN;
            line++;
        }
        if (out != NULL && line < lines)
            write_entry(out, x, top + (line + 0.7) * LEGEND_LINE, &legend->entry[e]);
        x += width + ENTRY_GAP;
    }
    return legend->count > 0 ? line + 1 : 0;
}

/* Shortened to the width. */
static void fit(const char *from, double width, double size, char text[NAME_MAX_BYTES])
{
    snprintf(text, NAME_MAX_BYTES - 3, "%.*s", NAME_MAX_BYTES - 4, from);
    text_middle(text, NAME_MAX_BYTES, (int)(width / svg_width("x", size)));
}

static double row_type(const struct frame *frame)
{
    return fmax(fmin(TICK, 0.9 * frame->plot.height / frame->chart->rows), 5);
}

static double left_width(const struct chart *chart, const struct plot_ticks *ticks)
{
    double widest = 0;
    char text[PLOT_LABEL_MAX];

    for (int r = 0; r < chart->rows; r++)
        widest = fmax(widest, svg_width(chart->row[r], TICK));
    for (int t = 0; chart->rows == 0 && t < ticks->count; t++) {
        plot_label(&chart->y, ticks->value[t], text, sizeof text);
        widest = fmax(widest, svg_width(text, TICK));
    }
    return fmin(widest, NAMES_PART * WIDTH);
}

static void write_left(const struct frame *frame, const struct plot_ticks *ticks)
{
    const struct chart *chart = frame->chart;
    const struct box *plot = &frame->plot;
    struct svg_type type = {TICK, TEXT_COLOUR, SVG_END, ""};
    char turned[64];

    for (int t = 0; chart->rows == 0 && t < ticks->count; t++) {
        double y = frame_y(frame, ticks->value[t]);
        char text[PLOT_LABEL_MAX];

        plot_label(&chart->y, ticks->value[t], text, sizeof text);
        svg_line(frame->out, plot->x, y, plot->x + plot->width, y, GRID_COLOUR, 1, "");
        svg_line(frame->out, plot->x - 6, y, plot->x, y, TEXT_COLOUR, 1.2, "");
        svg_text(frame->out, plot->x - 10, y + 0.35 * TICK, &type, text);
    }
    for (int r = 0; r < chart->rows; r++) {
        char text[NAME_MAX_BYTES];

        type.size = row_type(frame);
        fit(chart->row[r], NAMES_PART * WIDTH, type.size, text);
        svg_text(frame->out, plot->x - 10, frame_y(frame, r) + 0.35 * type.size, &type, text);
    }
    if (chart->y_title[0] == '\0')
        return;
    snprintf(turned, sizeof turned, " transform=\"rotate(-90 %.1f %.1f)\"", MARGIN - 8,
             plot->y + plot->height / 2);
    type = (struct svg_type){AXIS_TITLE, TEXT_COLOUR, SVG_MIDDLE, turned};
    svg_text(frame->out, MARGIN - 8, plot->y + plot->height / 2, &type, chart->y_title);
}

static void write_bottom(const struct frame *frame, const struct plot_ticks *ticks)
{
    const struct chart *chart = frame->chart;
    const struct box *plot = &frame->plot;
    double bottom = plot->y + plot->height;
    const struct svg_type title = {AXIS_TITLE, TEXT_COLOUR, SVG_MIDDLE, ""};

    for (int t = 0; t < ticks->count; t++) {
        struct svg_type type = {TICK, TEXT_COLOUR, SVG_MIDDLE, ""};
        double x = frame_x(frame, ticks->value[t]);
        char text[PLOT_LABEL_MAX];

        plot_label(&chart->x, ticks->value[t], text, sizeof text);
        if (x + svg_width(text, TICK) / 2 > WIDTH - 4)
            type.anchor = SVG_END;
        svg_line(frame->out, x, plot->y, x, bottom, GRID_COLOUR, 1, "");
        svg_line(frame->out, x, bottom, x, bottom + 6, TEXT_COLOUR, 1.2, "");
        svg_text(frame->out, type.anchor == SVG_END ? WIDTH - 4 : x, bottom + 8 + TICK, &type,
                 text);
    }
    svg_text(frame->out, plot->x + plot->width / 2, bottom + 12 + TICK + AXIS_TITLE + 4, &title,
             chart->x_title);
}

/* A slide's, more where there are more rows than can be read on one. */
static double height_of(const struct chart *chart)
{
    return HEIGHT + fmax(0, chart->rows - ROWS) * ROW_HIGH;
}

static void write_head(FILE *out, const struct chart *chart)
{
    double height = height_of(chart);
    const struct svg_type title = {TITLE, TEXT_COLOUR, SVG_START, " font-weight=\"bold\""};
    const struct svg_type note = {NOTE, DIM_COLOUR, SVG_START, ""};
    char text[NAME_MAX_BYTES];

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
          "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n",
          out);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n<title>",
            WIDTH, height, WIDTH, height);
    svg_escape(out, chart->title);
    fputs("</title>\n<desc>", out);
    svg_escape(out, chart->note);
    fputs("</desc>\n<defs>\n", out);
    svg_patterns(out, chart);
    fputs("</defs>\n", out);
    svg_rect(out, (struct box){0, 0, WIDTH, height}, "#ffffff", "");
    fit(chart->title, WIDTH - 2 * MARGIN, 1.08 * TITLE, text);
    svg_text(out, MARGIN, 46, &title, text);
    fit(chart->note, WIDTH - 2 * MARGIN, NOTE, text);
    svg_text(out, MARGIN, height - 14, &note, text);
}

/* Writes the names of rules and leaves those in the legend that have no room. */
static void label_rules(struct frame *frame, struct legend *legend)
{
    int kept = 0;

    for (int e = 0; e < legend->count; e++)
        if (!chart_is_rule(legend->entry[e].kind) || !svg_label_rule(frame, legend->entry[e].item))
            legend->entry[kept++] = legend->entry[e];
    legend->count = kept;
}

static void write_plot(FILE *out, const struct chart *chart)
{
    struct frame frame = {.out = out, .chart = chart, .plot = {0, 72, 0, 0}};
    struct legend legend = {.count = chart_legend(chart, legend.entry)};
    double height = height_of(chart);
    int most = (int)(HEIGHT / 4 / LEGEND_LINE);
    int lines = place_legend(&legend, NULL, 0, 0);
    struct plot_ticks up = {.count = 0};
    struct plot_ticks along;
    double left;

    lines = lines < most ? lines : most;
    frame.plot.height = height - 72 - 36 - lines * LEGEND_LINE - 12 - TICK -
                        (chart->x_title[0] == '\0' ? 0 : AXIS_TITLE + 14);
    if (chart->rows == 0)
        plot_ticks_up(&chart->y, (int)(frame.plot.height / 20), &up);
    left = MARGIN + (chart->y_title[0] == '\0' ? 0 : 12) + left_width(chart, &up) + 10;
    frame.plot.x = left;
    frame.plot.width = WIDTH - MARGIN - left;
    if (chart->square)
        frame.plot.width =
            fmin(frame.plot.width, frame.plot.height * (chart->x.high - chart->x.low) /
                                       (chart->y.high - chart->y.low));
    plot_ticks_along(&chart->x, (int)(frame.plot.width / CELL), &along);
    write_left(&frame, &up);
    write_bottom(&frame, &along);
    svg_items(&frame);
    svg_rules(&frame);
    svg_rect(out, frame.plot, "none", " stroke=\"#000000\" stroke-width=\"1.2\"");
    label_rules(&frame, &legend);
    svg_labels(&frame);
    place_legend(&legend, out, height - 36 - lines * LEGEND_LINE, lines);
}

void chart_svg(const struct chart *chart, FILE *out)
{
    bool good = plot_axis_is_good(&chart->x) && (chart->rows > 0 || plot_axis_is_good(&chart->y));
    const struct svg_type type = {AXIS_TITLE, DIM_COLOUR, SVG_MIDDLE, ""};

    write_head(out, chart);
    if (good && !chart->failed)
        write_plot(out, chart);
    else
        svg_text(out, WIDTH / 2, HEIGHT / 2, &type,
                 chart->failed ? "There was no memory for the picture."
                               : "There is nothing to draw.");
    fputs("</svg>\n", out);
}
