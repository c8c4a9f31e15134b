#include "draw/chart_svg.h"

#include <math.h>
#include <string.h>

#include "draw/canvas.h"
#include "draw/glyph.h"
#include "draw/looks.h"
#include "draw/plot.h"
#include "model/result.h"

#define CHARACTER 0.58 /* the mean width of a character, of the size of its type */

void svg_escape(FILE *out, const char *text)
{
    uint32_t character;

    while ((character = glyph_decode(&text)) != 0) {
        char bytes[GLYPH_BYTES];

        switch (character) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            if (character < ' ' || (character >= 0x7F && character < 0xA0) ||
                (character & 0xFFFE) == 0xFFFE)
                character = '?';
            glyph_encode(character, bytes);
            fputs(bytes, out);
        }
    }
}

void svg_text(FILE *out, double x, double y, const struct svg_type *type, const char *text)
{
    static const char *const anchor[] = {"start", "middle", "end"};

    if (text[0] == '\0')
        return;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" fill=\"%s\" text-anchor=\"%s\"%s>",
            x, y, type->size, type->colour, anchor[type->anchor], type->more);
    svg_escape(out, text);
    fputs("</text>\n", out);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour,
              double width, const char *dashes)
{
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"%.3g\"",
            x1, y1, x2, y2, colour, width);
    if (dashes[0] != '\0')
        fprintf(out, " stroke-dasharray=\"%s\"", dashes);
    fputs("/>\n", out);
}

/* To the digits that are written, so that what adjoins does in the file, too. */
static double rounded(double value)
{
    return round(100 * value) / 100;
}

void svg_rect(FILE *out, struct box box, const char *fill, const char *more)
{
    fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s/>\n",
            box.x, box.y, rounded(box.x + box.width) - rounded(box.x),
            rounded(box.y + box.height) - rounded(box.y), fill, more);
}

double svg_width(const char *text, double size)
{
    return CHARACTER * size * text_width(text);
}

/* Chart svg ------------------------------------------------------------------------------------ */

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

/* Chart svg items ------------------------------------------------------------------------------ */

#define BAR_PART 0.72    /* of a row's height */
#define BAR_MOST 56.0    /* px */
#define MARKS_APART 70.0 /* px between two marks of a curve */
#define LEAST_WIDTH 0.75 /* of a span: something is never nothing */

double frame_x(const struct frame *frame, double x)
{
    return frame->plot.x + frame->plot.width * plot_place(&frame->chart->x, x, 1);
}

double frame_row(const struct frame *frame, int row, double *height)
{
    double band = frame->plot.height / frame->chart->rows;

    *height = fmin(BAR_PART * band, BAR_MOST);
    return frame->plot.y + (row + 0.5) * band - *height / 2;
}

double frame_y(const struct frame *frame, double y)
{
    if (frame->chart->rows > 0)
        return frame->plot.y + frame->plot.height * (y + 0.5) / frame->chart->rows;
    return frame->plot.y + frame->plot.height * (1 - plot_place(&frame->chart->y, y, 1));
}

static bool is_inside(const struct frame *frame, double x, double y)
{
    const struct box *plot = &frame->plot;

    return x >= plot->x && x <= plot->x + plot->width && y >= plot->y &&
           y <= plot->y + plot->height;
}

const char *svg_fill(enum chart_look look, char *text, size_t size)
{
    if (look_of(look)->pattern[0] == '\0')
        snprintf(text, size, "%s", look_of(look)->colour);
    else
        snprintf(text, size, "url(#fill-%d)", (int)look);
    return text;
}

void svg_patterns(FILE *out, const struct chart *chart)
{
    bool used[LOOK_COUNT] = {false};

    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++)
            used[chart->item[i].span[s].look] = true;
    for (int l = 0; l < LOOK_COUNT; l++) {
        const struct look *look = look_of((enum chart_look)l);

        if (!used[l] || look->pattern[0] == '\0')
            continue;
        fprintf(out,
                "<pattern id=\"fill-%d\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
                "<rect width=\"8\" height=\"8\" fill=\"#ffffff\"/>"
                "<rect width=\"8\" height=\"8\" fill=\"%s\" fill-opacity=\"0.18\"/>"
                "<path d=\"%s\" stroke=\"%s\" stroke-width=\"1.6\" fill=\"none\"/></pattern>\n",
                l, look->colour, look->pattern, look->colour);
    }
}

/* From white to dark blue, ever darker, so that grey says the same. */
void svg_shade(FILE *out, struct box box, double part)
{
    static const double stop[3][3] = {{247, 251, 255}, {66, 146, 198}, {8, 48, 107}};
    double at = 2 * fmin(fmax(part, 0), 1);
    int from = at < 1 ? 0 : 1;
    int colour[3];
    char fill[16];

    for (int c = 0; c < 3; c++)
        colour[c] = (int)lround(stop[from][c] + (at - from) * (stop[from + 1][c] - stop[from][c]));
    snprintf(fill, sizeof fill, "#%02x%02x%02x", (unsigned)colour[0] & 0xFF,
             (unsigned)colour[1] & 0xFF, (unsigned)colour[2] & 0xFF);
    svg_rect(out, box, fill, " shape-rendering=\"crispEdges\"");
}

void svg_marker(FILE *out, enum chart_look number, double x, double y)
{
    const struct look *look = look_of(number);

    fprintf(out,
            "<path transform=\"translate(%.1f,%.1f) scale(1.3)\" d=\"%s\" fill=\"%s\" "
            "stroke=\"%s\" stroke-width=\"1.2\"/>\n",
            x, y, look->marker, look->hollow ? "#ffffff" : look->colour, look->colour);
}

static void draw_curve(const struct frame *frame, const struct chart_item *item)
{
    const struct look *look = look_of(item->look);
    const double size[2] = {frame->plot.width, frame->plot.height};
    double last = -MARKS_APART;
    bool joined = false;

    fprintf(frame->out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\"", look->colour);
    if (look->dashes[0] != '\0')
        fprintf(frame->out, " stroke-dasharray=\"%s\"", look->dashes);
    fprintf(frame->out, " d=\"M%.1f,%.1f", frame->plot.x, frame->plot.y); /* never an empty path */
    for (int p = 1; p < item->count; p++) {
        double from[2] = {frame_x(frame, item->point[p - 1].x) - frame->plot.x,
                          frame_y(frame, item->point[p - 1].y) - frame->plot.y};
        double to[2] = {frame_x(frame, item->point[p].x) - frame->plot.x,
                        frame_y(frame, item->point[p].y) - frame->plot.y};
        double part[2];
        bool seen = plot_clip(size, from, to, part);

        for (int end = seen && joined && part[0] == 0 ? 1 : 0; seen && end < 2; end++)
            fprintf(frame->out, "%c%.1f,%.1f", end == 0 ? 'M' : 'L',
                    frame->plot.x + from[0] + part[end] * (to[0] - from[0]),
                    frame->plot.y + from[1] + part[end] * (to[1] - from[1]));
        joined = seen && part[1] == 1;
    }
    fputs("\"/>\n", frame->out);
    for (int p = 0; p < item->count; p++) {
        double x = frame_x(frame, item->point[p].x);
        double y = frame_y(frame, item->point[p].y);

        if (is_inside(frame, x, y) && fabs(x - last) >= MARKS_APART) {
            svg_marker(frame->out, item->look, x, y);
            last = x;
        }
    }
}

static void draw_dots(const struct frame *frame, const struct chart_item *item)
{
    for (int p = 0; p < item->count; p++) {
        double x = frame_x(frame, item->point[p].x);
        double y = frame_y(frame, item->point[p].y);

        if (is_inside(frame, x, y))
            svg_marker(frame->out, item->look, x, y);
    }
}

static void draw_span(const struct frame *frame, const struct chart_span *span)
{
    double right = frame->plot.x + frame->plot.width;
    double from = frame_x(frame, span->from);
    double to = frame_x(frame, span->to);
    char fill[24], more[64];
    struct box box;

    if (!isfinite(span->from) || !isfinite(span->to) || span->row < 0 ||
        span->row >= frame->chart->rows || to < frame->plot.x || from > right)
        return;
    box.x = fmin(fmax(from, frame->plot.x), right - LEAST_WIDTH);
    box.width = fmax(fmin(to, right) - box.x, LEAST_WIDTH);
    box.y = frame_row(frame, span->row, &box.height);
    snprintf(more, sizeof more, " stroke=\"%s\" stroke-width=\"%s\"", look_of(span->look)->colour,
             box.width > 4 ? "1" : "0.25");
    svg_rect(frame->out, box, svg_fill(span->look, fill, sizeof fill), more);
}

static double value_at(const struct chart_item *item, int row, int column)
{
    double value = row < 0 || column < 0 || row >= item->rows || column >= item->columns
                       ? RESULT_NONE
                       : item->value[row * item->columns + column];

    return isfinite(value) ? value : RESULT_NONE;
}

static bool holds(const struct chart_item *item, int row, int column)
{
    double value = value_at(item, row, column);

    return value != RESULT_NONE && value <= item->contour;
}

/* The line between what is at most the contour and what is not: between cells. */
static void draw_contour(const struct frame *frame, const struct chart_item *item, double width,
                         const char *colour, const char *dashes)
{
    double across = frame->plot.width / item->columns;
    double up = frame->plot.height / item->rows;
    double bottom = frame->plot.y + frame->plot.height;

    fprintf(frame->out,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.3g\" stroke-linecap=\"square\"",
            colour, width);
    if (dashes[0] != '\0')
        fprintf(frame->out, " stroke-dasharray=\"%s\"", dashes);
    fprintf(frame->out, " d=\"M%.1f,%.1f", frame->plot.x, bottom);
    for (int r = 0; r < item->rows; r++)
        for (int c = 0; c < item->columns; c++) {
            double x = frame->plot.x + c * across;
            double y = bottom - r * up;

            if (c > 0 && holds(item, r, c) != holds(item, r, c - 1))
                fprintf(frame->out, "M%.1f,%.1fV%.1f", x, y, y - up);
            if (r > 0 && holds(item, r, c) != holds(item, r - 1, c))
                fprintf(frame->out, "M%.1f,%.1fH%.1f", x, y, x + across);
        }
    fputs("\"/>\n", frame->out);
}

static void draw_cells(const struct frame *frame, const struct chart_item *item)
{
    double across = frame->plot.width / item->columns;
    double up = frame->plot.height / item->rows;

    for (int r = 0; r < item->rows; r++)
        for (int c = 0; c < item->columns; c++) {
            struct box box = {frame->plot.x + c * across,
                              frame->plot.y + frame->plot.height - (r + 1) * up, across, up};
            double value = value_at(item, r, c);

            if (value != RESULT_NONE)
                svg_shade(frame->out, box, plot_place(&item->z, value, 1));
        }
    if (item->contour != RESULT_NONE) {
        draw_contour(frame, item, 5, "#ffffff", "");
        draw_contour(frame, item, 2.5, look_of(LOOK_TARGET)->colour, look_of(LOOK_TARGET)->dashes);
    }
}

void svg_items(struct frame *frame)
{
    static const enum chart_kind order[] = {CHART_CELLS, CHART_SPANS, CHART_CURVE, CHART_DOTS};
    const struct chart *chart = frame->chart;

    for (int k = 0; k < 4; k++)
        for (int i = 0; i < chart->count; i++) {
            const struct chart_item *item = &chart->item[i];

            if (item->kind != order[k])
                continue;
            if (item->kind == CHART_CELLS && item->columns * item->rows > 0 &&
                plot_axis_is_good(&item->z))
                draw_cells(frame, item);
            else if (item->kind == CHART_CURVE)
                draw_curve(frame, item);
            else if (item->kind == CHART_DOTS)
                draw_dots(frame, item);
            for (int s = 0; item->kind == CHART_SPANS && s < item->count; s++)
                draw_span(frame, &item->span[s]);
        }
}

void svg_rules(struct frame *frame)
{
    const struct box *plot = &frame->plot;

    for (int i = 0; i < frame->chart->count; i++) {
        const struct chart_item *item = &frame->chart->item[i];
        const struct look *look = look_of(item->look);
        bool vertical = item->kind == CHART_VERTICAL;
        double x, y;

        if (!chart_is_rule(item->kind) || item->count == 0)
            continue;
        x = vertical ? frame_x(frame, item->point[0].x) : plot->x;
        y = vertical ? plot->y : frame_y(frame, item->point[0].y);
        if (is_inside(frame, x, y))
            svg_line(frame->out, x, y, vertical ? x : plot->x + plot->width,
                     vertical ? plot->y + plot->height : y, look->colour, 1.6,
                     look->dashes[0] == '\0' ? "7,4" : look->dashes);
    }
}

/* Chart svg labels ----------------------------------------------------------------------------- */

#define TYPE 15.0 /* px */
#define HIGH 17.0 /* of a line of it */
#define GAP 9.0   /* between a mark and its label */

static bool overlaps(const struct box *a, const struct box *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

static bool crosses(const struct frame *frame, const struct chart_item *curve,
                    const struct box *box)
{
    const double size[2] = {box->width, box->height};

    for (int p = 1; p < curve->count; p++) {
        double from[2] = {frame_x(frame, curve->point[p - 1].x) - box->x,
                          frame_y(frame, curve->point[p - 1].y) - box->y};
        double to[2] = {frame_x(frame, curve->point[p].x) - box->x,
                        frame_y(frame, curve->point[p].y) - box->y};
        double part[2];

        if (plot_clip(size, from, to, part))
            return true;
    }
    return false;
}

static bool is_off_curves(const struct frame *frame, const struct box *box)
{
    for (int i = 0; i < frame->chart->count; i++)
        if (frame->chart->item[i].kind == CHART_CURVE &&
            crosses(frame, &frame->chart->item[i], box))
            return false;
    return true;
}

static bool is_free(const struct frame *frame, const struct box *box)
{
    const struct box *plot = &frame->plot;

    if (box->x < plot->x || box->y < plot->y || box->x + box->width > plot->x + plot->width ||
        box->y + box->height > plot->y + plot->height || frame->labels == FRAME_LABELS_MAX)
        return false;
    for (int l = 0; l < frame->labels; l++)
        if (overlaps(box, &frame->label[l]))
            return false;
    return true;
}

/* Where there is room at that place, from `x` on or, with SVG_END, up to it: widths are estimates,
 * and what it stands beside is at that side. What is behind shines through a little. */
static bool put_at(struct frame *frame, double x, double y, enum svg_anchor anchor, bool off_curves,
                   const char *text)
{
    const struct svg_type type = {TYPE, "#000000", anchor, ""};
    double width = svg_width(text, TYPE);
    struct box box = {(anchor == SVG_END ? x - width : x) - 2, y, width + 4, HIGH};

    if (!is_free(frame, &box) || (off_curves && !is_off_curves(frame, &box)))
        return false;
    frame->label[frame->labels++] = box;
    svg_rect(frame->out, box, "#ffffff", " fill-opacity=\"0.8\"");
    svg_text(frame->out, x, y + TYPE - 1, &type, text);
    return true;
}

static bool put(struct frame *frame, double x, double y, bool off_curves, const char *text)
{
    return put_at(frame, x, y, SVG_START, off_curves, text);
}

static bool put_before(struct frame *frame, double x, double y, bool off_curves, const char *text)
{
    return put_at(frame, x, y, SVG_END, off_curves, text);
}

static void keep_free(struct frame *frame, double x, double y)
{
    if (frame->labels < FRAME_LABELS_MAX)
        frame->label[frame->labels++] = (struct box){x - 6, y - 6, 12, 12};
}

static void label_point(struct frame *frame, const struct chart_point *point)
{
    static const double down[] = {-0.5, -1.1, 0.1}; /* lines */
    double x = frame_x(frame, point->x);
    double y = frame_y(frame, point->y);

    if (!isfinite(x) || !isfinite(y))
        return;
    for (int try = 0; try < 6; try++)
        if (put(frame, x + GAP, y + down[try % 3] * HIGH, try < 3, point->label) ||
            put_before(frame, x - GAP, y + down[try % 3] * HIGH, try < 3, point->label))
            return;
}

static bool meets_span(const struct frame *frame, int row, double from, double to)
{
    const struct chart *chart = frame->chart;

    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++) {
            const struct chart_span *span = &chart->item[i].span[s];

            if (span->row == row && frame_x(frame, span->from) < to &&
                frame_x(frame, span->to) > from)
                return true;
        }
    return false;
}

static bool is_shown(const struct frame *frame, const struct chart_span *span)
{
    return span->label != NULL && isfinite(span->from) && isfinite(span->to) && span->row >= 0 &&
           span->row < frame->chart->rows;
}

/* Its ends in the picture, and whether its label has room behind it or within it. */
static bool span_room(const struct frame *frame, const struct chart_span *span, double *from,
                      double *to, bool *behind)
{
    double width = svg_width(span->label, TYPE);

    *from = fmax(frame_x(frame, span->from), frame->plot.x);
    *to = fmin(frame_x(frame, span->to), frame->plot.x + frame->plot.width);
    *behind = !meets_span(frame, span->row, *to + 1, *to + GAP + width);
    return *behind || *to - *from > width + GAP;
}

/* Whether it is the last of its row, or all labels of the row have room: some of many that look
 * alike would seem to be meant. */
static bool is_labelled(const struct frame *frame, const struct chart_item *item,
                        const struct chart_span *span)
{
    bool last = true;
    bool all = true;

    for (int s = 0; s < item->count && (last || all); s++) {
        const struct chart_span *other = &item->span[s];
        double from, to;
        bool behind;

        if (other->row != span->row || !is_shown(frame, other))
            continue;
        last = last && other->to <= span->to;
        all = all && span_room(frame, other, &from, &to, &behind);
    }
    return last || all;
}

/* Behind its span, else within it. */
static void label_span(struct frame *frame, const struct chart_item *item,
                       const struct chart_span *span)
{
    double width, height, from, to, y;
    bool behind;

    if (!is_shown(frame, span) || !span_room(frame, span, &from, &to, &behind) ||
        !is_labelled(frame, item, span))
        return;
    width = svg_width(span->label, TYPE);
    y = frame_row(frame, span->row, &height) + (height - HIGH) / 2;
    if (behind && put(frame, to + GAP, y, true, span->label))
        return;
    if (to - from > width + GAP)
        put(frame, (from + to - width) / 2, y, false, span->label);
}

bool svg_label_rule(struct frame *frame, const struct chart_item *item)
{
    const struct box *plot = &frame->plot;
    double at = item->kind == CHART_VERTICAL ? frame_x(frame, item->point[0].x)
                                             : frame_y(frame, item->point[0].y);

    if (!isfinite(at))
        return true;
    for (int line = 0; item->kind == CHART_VERTICAL && line < 12; line++)
        if (put(frame, at + 5, plot->y + 2 + line % 6 * HIGH, line < 6, item->name) ||
            put_before(frame, at - 5, plot->y + 2 + line % 6 * HIGH, line < 6, item->name))
            return true;
    if (item->kind == CHART_HORIZONTAL)
        return put_before(frame, plot->x + plot->width - 6, at - HIGH - 1, false, item->name) ||
               put_before(frame, plot->x + plot->width - 6, at + 2, false, item->name) ||
               put(frame, plot->x + 6, at - HIGH - 1, false, item->name) ||
               put(frame, plot->x + 6, at + 2, false, item->name);
    return false;
}

void svg_labels(struct frame *frame)
{
    const struct chart *chart = frame->chart;

    for (int i = 0; i < chart->count; i++)
        for (int p = 0; chart->item[i].kind == CHART_DOTS && p < chart->item[i].count; p++)
            keep_free(frame, frame_x(frame, chart->item[i].point[p].x),
                      frame_y(frame, chart->item[i].point[p].y));
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        for (int n = 0; !chart_is_rule(item->kind) && n < item->count; n++)
            if (item->kind == CHART_SPANS)
                label_span(frame, item, &item->span[n]);
            else if (item->point[n].label != NULL)
                label_point(frame, &item->point[n]);
    }
}
