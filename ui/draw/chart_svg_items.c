#include "chart_svg_items.h"

#include <math.h>

#include "looks.h"
#include "result.h"

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
