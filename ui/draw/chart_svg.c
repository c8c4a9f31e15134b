#include "draw/chart.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/text.h"
#include "model/result.h"

/* Lengths are in px. */
#define WIDTH 1280.0
#define HEIGHT 720.0
#define SQUARE_WIDTH 900.0 /* of a page with a square plot */
#define SQUARE_HEIGHT 960.0
#define PLOT_TOP 72.0 /* without a heading */
#define ROWS 26       /* rows, with labels, on a standard page */
#define ROW_HIGH 17.6 /* of each additional row */
#define MARGIN 40.0
#define CHARACTER 0.58 /* mean width of a character per font size, rounded up */

#define TITLE 27.0 /* font sizes */
#define SUBTITLE 19.0
#define AXIS_TITLE 18.0
#define TICK 16.0
#define LEGEND 16.0
#define LABEL 15.0
#define NOTE 14.0

#define LABEL_HIGH 17.0 /* height of a line of labels */
#define LABEL_SIDE 4.0  /* free space on both sides of a label: digits are wider than CHARACTER */
#define LABEL_GAP 12.0  /* between a mark and its label */
#define LEGEND_LINE 27.0
#define LEAST_LETTERS 0.55
#define NOTE_LETTERS 0.8 /* of the note, whose last clauses then give way */
#define SAMPLE 44.0 /* width of a legend sample and the gap after it */
#define SWATCH 18.0 /* width of a shade */
#define ENTRY_GAP 26.0
#define NAMES_PART 0.3  /* maximum fraction of the width for names of rows */
#define KEY_PART 0.4    /* maximum fraction of the width for a list of names */
#define KEY_LETTERS 0.8 /* of LABEL, at least; longer names become smaller or lose their middle */
#define KEY_LINE 19.0
#define KEY_GAP 16.0 /* between the plot and the list, and a number and its name */
#define CELL 10.0    /* width of a character on the x axis */

#define BAR_PART 0.72 /* fraction of the height of a row */
#define BAR_MOST 56.0
#define MARK_DISTANCE 70.0 /* between marks of a curve */
#define MARKER 6.0         /* half the width of a mark */
#define OUTLINE "2.5"      /* width of its stroke */
#define PATTERN 8.0        /* width and height of a pattern */
#define LEAST_WIDTH 0.75   /* minimum width of a span, so that it is visible */
#define LEAST_OUTLINE 7.0  /* so that what it surrounds is seen */

#define TEXT_COLOUR "#000000"
#define DIM_COLOUR "#555555"
#define GRID_COLOUR "#dddddd"

enum { NAME_BYTES = 256, NUMBER_BYTES = 16, SHADES = 8, LABELS_MAX = 256 };

struct svg_box {
    double x, y, width, height; /* y downwards */
};

struct svg_line {
    double from[2], to[2];
};

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct svg_type {
    double size;
    const char *colour; /* "#rrggbb" */
    enum anchor anchor;
    const char *more; /* further attributes, each preceded by a blank; empty: none */
};

/* State of the chart being written. */
struct svg_frame {
    FILE *out;
    const struct chart *chart;
    struct svg_box plot;
    int labels; /* labels written in the plot, after the dots */
    int dots;
    struct svg_box label[LABELS_MAX];
    int lines; /* lines between dots and their numbers */
    struct svg_line line[LABELS_MAX];
};

/* Elements ------------------------------------------------------------------------------------- */

static void write_escaped(FILE *out, const char *text)
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
            if (utf8_is_unsafe(character))
                character = '?';
            glyph_encode(character, bytes);
            fputs(bytes, out);
        }
    }
}

/* Writes text with its baseline at y. */
static void write_text(FILE *out, double x, double y, const struct svg_type *type, const char *text)
{
    static const char *const anchor[] = {"start", "middle", "end"};

    if (text[0] == '\0')
        return;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" fill=\"%s\" text-anchor=\"%s\"%s>",
            x, y, type->size, type->colour, anchor[type->anchor], type->more);
    write_escaped(out, text);
    fputs("</text>\n", out);
}

static double width_of(const char *text, double size)
{
    return CHARACTER * size * text_width(text);
}

/* Writes text in at most `width`: in smaller letters, of at least LEAST_LETTERS of the size, if it
 * is wider, and only then without its middle. */
static void write_shortened(FILE *out, double x, double y, const struct svg_type *type,
                            double width, double size, const char *from)
{
    struct svg_type fitted = *type;
    double part = fmax(fmin(1, width / fmax(width_of(from, size), 1)), LEAST_LETTERS);
    char text[NAME_BYTES];

    fitted.size *= part;
    size *= part;
    snprintf(text, NAME_BYTES - 3, "%.*s", NAME_BYTES - 4, from);
    text_middle(text, NAME_BYTES, (int)(width / width_of("x", size) + 1e-6));
    write_text(out, x, y, &fitted, text);
}

/* Writes the attributes of a stroke. */
static void write_stroke(FILE *out, const char *colour, double width, const char *more,
                         const char *dashes)
{
    fprintf(out, " stroke=\"%s\" stroke-width=\"%.3g\"%s", colour, width, more);
    if (dashes[0] != '\0')
        fprintf(out, " stroke-dasharray=\"%s\"", dashes);
}

static void write_straight_line(FILE *out, double x1, double y1, double x2, double y2,
                                const char *colour, double width, const char *dashes)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", x1, y1, x2, y2);
    write_stroke(out, colour, width, "", dashes);
    fputs("/>\n", out);
}

/* Rounds to the digits that are written, so that adjacent shapes stay adjacent. */
static double rounded_px(double value)
{
    return round(100 * value) / 100;
}

static void write_rect(FILE *out, struct svg_box box, const char *fill, const char *more)
{
    fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s/>\n",
            box.x, box.y, rounded_px(box.x + box.width) - rounded_px(box.x),
            rounded_px(box.y + box.height) - rounded_px(box.y), fill, more);
}

/* Writes a shade from white to dark blue, with rising darkness so that it also works in grey.
 * `part` as for look_shade. */
static void write_shade(FILE *out, struct svg_box box, double part)
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
    write_rect(out, box, fill, " shape-rendering=\"crispEdges\"");
}

static void write_marker(FILE *out, enum chart_look number, double x, double y)
{
    const struct look *look = look_of(number);

    fprintf(out,
            "<path transform=\"translate(%.1f,%.1f) scale(1.3)\" d=\"%s\" fill=\"%s\" "
            "stroke=\"%s\" stroke-width=\"1.2\"/>\n",
            x, y, look->marker, look->hollow ? "#ffffff" : look->colour, look->colour);
}

/* Writes a box with the fill of a look; `more` as for write_rect. A box narrower than a pattern has
 * none, since boxes of one width would show different parts of it, but is as light as one. */
static void write_fill(FILE *out, struct svg_box box, enum chart_look number, const char *more)
{
    const struct look *look = look_of(number);
    const char *fill = look->outline ? "none" : look->tint != NULL ? look->tint : look->colour;
    char text[128];

    if (look->pattern[0] == '\0') {
        write_rect(out, box, fill, more);
    } else if (box.width < PATTERN) {
        snprintf(text, sizeof text, " fill-opacity=\"0.5\"%s", more);
        write_rect(out, box, fill, text);
    } else {
        snprintf(text, sizeof text, "url(#fill-%d)", (int)number);
        write_rect(out, box, text, more);
    }
}

/* Writes the patterns of all fills, for the start of the file. */
static void write_patterns(FILE *out, const struct chart *chart)
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

/* Items ---------------------------------------------------------------------------------------- */

/* Coordinates in px: outside the plot for values outside the axes, not finite for invalid ones. */
static double frame_x(const struct svg_frame *frame, double x)
{
    return frame->plot.x + frame->plot.width * plot_place(&frame->chart->x, x, 1);
}

static double frame_y(const struct svg_frame *frame, double y)
{
    if (frame->chart->rows > 0)
        return frame->plot.y + frame->plot.height * (y + 0.5) / frame->chart->rows;
    return frame->plot.y + frame->plot.height * (1 - plot_place(&frame->chart->y, y, 1));
}

static double frame_right(const struct svg_frame *frame)
{
    return frame->plot.x + frame->plot.width;
}

static double frame_bottom(const struct svg_frame *frame)
{
    return frame->plot.y + frame->plot.height;
}

/* Returns the upper edge of the bar in a row of names. */
static double frame_row(const struct svg_frame *frame, int row, double *height)
{
    double band = frame->plot.height / frame->chart->rows;

    *height = fmin(BAR_PART * band, BAR_MOST);
    return frame->plot.y + (row + 0.5) * band - *height / 2;
}

static bool is_inside(const struct svg_frame *frame, double x, double y)
{
    return x >= frame->plot.x && x <= frame_right(frame) && y >= frame->plot.y &&
           y <= frame_bottom(frame);
}

/* Clips the line between points p - 1 and p of a curve to a box, as plot_clip does. */
static bool clip_curve(const struct svg_frame *frame, const struct chart_item *curve, int p,
                       const struct svg_box *box, double from[2], double to[2], double part[2])
{
    const double size[2] = {box->width, box->height};

    from[0] = frame_x(frame, curve->point[p - 1].x) - box->x;
    from[1] = frame_y(frame, curve->point[p - 1].y) - box->y;
    to[0] = frame_x(frame, curve->point[p].x) - box->x;
    to[1] = frame_y(frame, curve->point[p].y) - box->y;
    return plot_clip(size, from, to, part);
}

/* Finds the next point from `*next` on that has a marker: it is not too close to the previous one,
 * at `at`. Returns false after the last. */
static bool find_marker(const struct svg_frame *frame, const struct chart_item *item, double apart,
                        int *next, double at[2])
{
    for (int p = *next; p < item->count; p++) {
        double x = frame_x(frame, item->point[p].x);
        double y = frame_y(frame, item->point[p].y);

        if (!is_inside(frame, x, y) || (*next > 0 && fabs(x - at[0]) < apart))
            continue;
        at[0] = x;
        at[1] = y;
        *next = p + 1;
        return true;
    }
    return false;
}

static void write_markers(const struct svg_frame *frame, const struct chart_item *item,
                          double apart)
{
    double at[2];

    for (int next = 0; find_marker(frame, item, apart, &next, at);)
        write_marker(frame->out, item->look, at[0], at[1]);
}

static void write_curve(const struct svg_frame *frame, const struct chart_item *item)
{
    const struct look *look = look_of(item->look);
    bool joined = false;

    fputs("<path fill=\"none\"", frame->out);
    write_stroke(frame->out, look->colour, 2.5, "", look->dashes);
    fprintf(frame->out, " d=\"M%.1f,%.1f", frame->plot.x, frame->plot.y); /* avoids an empty path */
    for (int p = 1; p < item->count; p++) {
        double from[2], to[2], part[2];
        bool seen = clip_curve(frame, item, p, &frame->plot, from, to, part);

        for (int end = seen && joined && part[0] == 0 ? 1 : 0; seen && end < 2; end++)
            fprintf(frame->out, "%c%.1f,%.1f", end == 0 ? 'M' : 'L',
                    frame->plot.x + from[0] + part[end] * (to[0] - from[0]),
                    frame->plot.y + from[1] + part[end] * (to[1] - from[1]));
        joined = seen && part[1] == 1;
    }
    fputs("\"/>\n", frame->out);
    if (!item->bare)
        write_markers(frame, item, MARK_DISTANCE);
}

static bool is_edge_known(const struct svg_frame *frame, const struct chart_point *point)
{
    return isfinite(frame_x(frame, point->x)) && isfinite(frame_y(frame, point->y));
}

/* Writes one of the edges of a band, from its first point to its last or back. */
static void write_band_edge(const struct svg_frame *frame, const struct chart_item *item, int first,
                            int last, bool top)
{
    for (int i = 0; i <= last - first; i++) {
        const struct chart_point *point = &item->point[top ? last - i : first + i];
        double y = frame_y(frame, top ? chart_top(frame->chart, point) : point->y);

        fprintf(frame->out, "%c%.1f,%.1f", i == 0 && !top ? 'M' : 'L', frame_x(frame, point->x),
                fmin(fmax(y, frame->plot.y), frame_bottom(frame)));
    }
}

/* Writes an area for each run of points with an edge. */
static void write_band(const struct svg_frame *frame, const struct chart_item *item)
{
    int last;

    for (int first = 0; first < item->count; first = last + 1) {
        last = first;
        if (!is_edge_known(frame, &item->point[first]))
            continue;
        while (last + 1 < item->count && is_edge_known(frame, &item->point[last + 1]))
            last++;
        fprintf(frame->out, "<path fill=\"%s\" fill-opacity=\"0.2\"", look_of(item->look)->colour);
        write_stroke(frame->out, look_of(item->look)->colour, 1, "", look_of(item->look)->dashes);
        fputs(" d=\"", frame->out);
        write_band_edge(frame, item, first, last, false);
        write_band_edge(frame, item, first, last, true);
        fputs("z\"/>\n", frame->out);
    }
}

/* Makes an arrow of one end of a bar, which goes on beyond the plot. `side`: -1: left, 1: right. */
static void write_arrow(const struct svg_frame *frame, struct svg_box *box, int side,
                        enum chart_look look)
{
    double length = fmin(box->height / 2, box->width / 3);
    double base = side < 0 ? box->x + length : box->x + box->width - length;

    fprintf(frame->out, "<path d=\"M%.1f,%.1fL%.1f,%.1fL%.1f,%.1fz\" fill=\"%s\"/>\n", base, box->y,
            base + side * length, box->y + box->height / 2, base, box->y + box->height,
            look_of(look)->colour);
    box->width -= length;
    box->x += side < 0 ? length : 0;
}

static void write_span(const struct svg_frame *frame, const struct chart_span *span)
{
    const double beyond = 0.5; /* px; a rounding error is not */
    double right = frame_right(frame);
    double from = frame_x(frame, span->from);
    double to = frame_x(frame, span->to);
    char more[64];
    struct svg_box box;

    if (!isfinite(span->from) || !isfinite(span->to) || span->row < 0 ||
        span->row >= frame->chart->rows || to < frame->plot.x || from > right)
        return;
    box.x = fmin(fmax(from, frame->plot.x), right - LEAST_WIDTH);
    box.width = fmax(fmin(to, right) - box.x, LEAST_WIDTH);
    box.y = frame_row(frame, span->row, &box.height);
    if (look_of(span->look)->outline && box.width < LEAST_OUTLINE) {
        box.x -= (LEAST_OUTLINE - box.width) / 2;
        box.width = LEAST_OUTLINE;
    }
    if (from < frame->plot.x - beyond)
        write_arrow(frame, &box, -1, span->look);
    if (to > right + beyond)
        write_arrow(frame, &box, 1, span->look);
    snprintf(more, sizeof more, " stroke=\"%s\" stroke-width=\"%s\"", look_of(span->look)->colour,
             look_of(span->look)->outline ? OUTLINE
             : box.width > 4              ? "1"
                                          : "0.25");
    write_fill(frame->out, box, span->look, more);
}

/* Returns true if the cells on both sides of an edge differ: one is within the contour or, without
 * a contour, has a value, and the other does not. */
static bool is_edge(const struct chart_item *item, const int cell[2], const int before[2])
{
    if (item->contour == RESULT_NONE)
        return (chart_cell(item, cell[0], cell[1]) == RESULT_NONE) !=
               (chart_cell(item, before[0], before[1]) == RESULT_NONE);
    return before[0] >= 0 && before[1] >= 0 && cell[0] < item->rows && cell[1] < item->columns &&
           chart_is_within(item, cell[0], cell[1]) != chart_is_within(item, before[0], before[1]);
}

/* Writes the edges across or up between rows and columns, adjacent ones as one line, so that dashes
 * stay visible. */
static void write_edges(const struct svg_frame *frame, const struct chart_item *item, bool across)
{
    const double step[2] = {-frame->plot.height / item->rows, frame->plot.width / item->columns};
    const double start[2] = {frame_bottom(frame), frame->plot.x};
    int along = across ? 1 : 0; /* index of the coordinate that changes along an edge */
    int size[2] = {item->rows, item->columns};
    int cell[2];

    for (cell[1 - along] = 0; cell[1 - along] <= size[1 - along]; cell[1 - along]++) {
        bool drawing = false;

        for (cell[along] = 0; cell[along] <= size[along]; cell[along]++) {
            const int before[2] = {cell[0] - (across ? 1 : 0), cell[1] - (across ? 0 : 1)};
            bool edge = cell[along] < size[along] && is_edge(item, cell, before);
            double at[2];

            if (edge == drawing)
                continue;
            drawing = edge;
            for (int i = 0; i < 2; i++)
                at[i] = start[i] + cell[i] * step[i];
            fprintf(frame->out, "%c%.1f,%.1f", edge ? 'M' : 'L', at[1], at[0]);
        }
    }
}

/* Writes the contour or, if there is none, the outline of the cells with a value. */
static void write_contour(const struct svg_frame *frame, const struct chart_item *item,
                          double width, const char *colour, const char *dashes)
{
    fputs("<path fill=\"none\"", frame->out);
    write_stroke(frame->out, colour, width, " stroke-linecap=\"square\"", dashes);
    fprintf(frame->out, " d=\"M%.1f,%.1f", frame->plot.x, frame_bottom(frame));
    write_edges(frame, item, true);
    write_edges(frame, item, false);
    fputs("\"/>\n", frame->out);
}

static void write_cells(const struct svg_frame *frame, const struct chart_item *item)
{
    double across = frame->plot.width / item->columns;
    double up = frame->plot.height / item->rows;

    for (int r = 0; r < item->rows; r++)
        for (int c = 0; c < item->columns; c++) {
            struct svg_box box = {frame->plot.x + c * across, frame_bottom(frame) - (r + 1) * up,
                                  across, up};
            double value = chart_cell(item, r, c);

            if (value != RESULT_NONE)
                write_shade(frame->out, box, plot_place(&item->z, value, 1));
        }
    if (item->contour != RESULT_NONE) {
        write_contour(frame, item, 5, "#ffffff", "");
        write_contour(frame, item, 2.5, look_of(LOOK_TARGET)->colour, look_of(LOOK_TARGET)->dashes);
    } else {
        write_contour(frame, item, 1, DIM_COLOUR, "");
    }
}

static void write_rule(const struct svg_frame *frame, const struct chart_item *item)
{
    const struct look *look = look_of(item->look);
    bool vertical = item->kind == CHART_VERTICAL;
    double x, y;

    if (item->count == 0)
        return;
    x = vertical ? frame_x(frame, item->point[0].x) : frame->plot.x;
    y = vertical ? frame->plot.y : frame_y(frame, item->point[0].y);
    if (is_inside(frame, x, y))
        write_straight_line(frame->out, x, y, vertical ? x : frame_right(frame),
                            vertical ? frame_bottom(frame) : y, look->colour, 1.6,
                            look->dashes[0] == '\0' ? "7,4" : look->dashes);
}

static void write_item(const struct svg_frame *frame, const struct chart_item *item)
{
    switch (item->kind) {
    case CHART_CELLS:
        if (item->columns * item->rows > 0 && plot_axis_is_good(&item->z))
            write_cells(frame, item);
        break;
    case CHART_SPANS:
        for (int s = 0; s < item->count; s++)
            write_span(frame, &item->span[s]);
        break;
    case CHART_BAND:
        write_band(frame, item);
        break;
    case CHART_CURVE:
        write_curve(frame, item);
        break;
    case CHART_DOTS:
        write_markers(frame, item, 0);
        break;
    case CHART_VERTICAL:
    case CHART_HORIZONTAL:
        write_rule(frame, item);
        break;
    }
}

static void write_items(const struct svg_frame *frame)
{
    static const unsigned layers[] = {
        1U << CHART_CELLS, 1U << CHART_BAND, 1U << CHART_SPANS,
        1U << CHART_CURVE, 1U << CHART_DOTS, 1U << CHART_VERTICAL | 1U << CHART_HORIZONTAL};

    for (size_t l = 0; l < sizeof layers / sizeof layers[0]; l++)
        for (int i = 0; i < frame->chart->count; i++)
            if ((layers[l] >> frame->chart->item[i].kind & 1) != 0)
                write_item(frame, &frame->chart->item[i]);
}

/* Labels --------------------------------------------------------------------------------------- */

static bool boxes_overlap(const struct svg_box *a, const struct svg_box *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

/* `part` receives the ends of what is in the box, as fractions of the line. */
static bool line_crosses(const struct svg_line *line, const struct svg_box *box, double part[2])
{
    const double size[2] = {box->width, box->height};
    const double from[2] = {line->from[0] - box->x, line->from[1] - box->y};
    const double to[2] = {line->to[0] - box->x, line->to[1] - box->y};

    return plot_clip(size, from, to, part);
}

static bool is_off_curve(const struct svg_frame *frame, const struct chart_item *curve,
                         const struct svg_box *box)
{
    const double blank = 3; /* px above the letters */
    const struct svg_box letters = {box->x, box->y + blank, box->width, box->height - blank};
    double from[2], to[2], part[2], at[2];

    for (int p = 1; p < curve->count; p++)
        if (clip_curve(frame, curve, p, &letters, from, to, part))
            return false;
    for (int next = 0; !curve->bare && find_marker(frame, curve, MARK_DISTANCE, &next, at);) {
        const struct svg_box marker = {at[0] - MARKER, at[1] - MARKER, 2 * MARKER, 2 * MARKER};

        if (boxes_overlap(&letters, &marker))
            return false;
    }
    return true;
}

static bool is_off_curves(const struct svg_frame *frame, const struct svg_box *box)
{
    for (int i = 0; i < frame->chart->count; i++)
        if (frame->chart->item[i].kind == CHART_CURVE &&
            !is_off_curve(frame, &frame->chart->item[i], box))
            return false;
    return true;
}

/* Returns true if the box touches no bar. */
static bool is_off_spans(const struct svg_frame *frame, const struct svg_box *box)
{
    for (int i = 0; i < frame->chart->count; i++)
        for (int s = 0;
             frame->chart->item[i].kind == CHART_SPANS && s < frame->chart->item[i].count; s++) {
            const struct chart_span *span = &frame->chart->item[i].span[s];
            struct svg_box bar = {frame_x(frame, span->from), 0,
                                  frame_x(frame, span->to) - frame_x(frame, span->from), 0};

            bar.y = frame_row(frame, span->row, &bar.height);
            if (boxes_overlap(box, &bar))
                return false;
        }
    return true;
}

/* Returns true if the box touches no rule; a label beside its own rule does not. */
static bool is_off_rules(const struct svg_frame *frame, const struct svg_box *box)
{
    for (int i = 0; i < frame->chart->count; i++) {
        const struct chart_item *item = &frame->chart->item[i];
        double at;

        if (!chart_is_rule(item->kind) || item->count == 0)
            continue;
        at = item->kind == CHART_VERTICAL ? frame_x(frame, item->point[0].x) - box->x
                                          : frame_y(frame, item->point[0].y) - box->y;
        if (at > 0 && at < (item->kind == CHART_VERTICAL ? box->width : box->height))
            return false;
    }
    return true;
}

/* Returns true if a label in the box is in the plot and covers no label, curve, rule or bar. */
static bool is_box_free(const struct svg_frame *frame, const struct svg_box *box)
{
    if (box->x < frame->plot.x || box->y < frame->plot.y ||
        box->x + box->width > frame_right(frame) || box->y + box->height > frame_bottom(frame) ||
        frame->labels == LABELS_MAX)
        return false;
    for (int l = 0; l < frame->labels; l++)
        if (boxes_overlap(box, &frame->label[l]))
            return false;
    for (int l = 0; l < frame->lines; l++)
        if (line_crosses(&frame->line[l], box, (double[2]){0}))
            return false;
    return is_off_curves(frame, box) && is_off_rules(frame, box) &&
           (frame->chart->rows == 0 || is_off_spans(frame, box));
}

/* Writes a label if it fits: from `x` on or, with ANCHOR_END, ending at `x`, since the width is
 * only estimated and must not reach the labelled item. What is behind stays faintly visible. */
static bool write_label(struct svg_frame *frame, double x, double y, enum anchor anchor,
                        const char *text)
{
    const struct svg_type type = {LABEL, TEXT_COLOUR, anchor, ""};
    double width = width_of(text, LABEL);
    struct svg_box box = {(anchor == ANCHOR_END ? x - width : x) - LABEL_SIDE, y,
                          width + 2 * LABEL_SIDE, LABEL_HIGH};

    if (!is_box_free(frame, &box))
        return false;
    frame->label[frame->labels++] = box;
    write_rect(frame->out, box, "#ffffff", " fill-opacity=\"0.8\"");
    write_text(frame->out, x, y + LABEL - 1, &type, text);
    return true;
}

/* Writes a label to the right of x, else to its left. */
static bool write_label_beside(struct svg_frame *frame, double x, double gap, double y,
                               const char *text)
{
    return write_label(frame, x + gap, y, ANCHOR_START, text) ||
           write_label(frame, x - gap, y, ANCHOR_END, text);
}

/* Places of a label above and below a point, in lines. */
static const double label_down[] = {-0.5, -1.1, 0.1, -2.2, 1.2};
#define PLACES (sizeof label_down / sizeof label_down[0])
#define NEAR_PLACES 3 /* the first, beside the point */

/* Writes the label of a curve that leaves the plot to the right above it, up to a quarter of the
 * plot to the left: below it, it would seem to name the next curve. Returns false elsewhere. */
static bool write_end_label(struct svg_frame *frame, const struct chart_item *item,
                            const struct chart_point *point)
{
    double right = frame_right(frame);

    if (item->kind != CHART_CURVE || frame_x(frame, point->x) < right - LABEL_GAP)
        return false;
    for (double x = right; x > right - frame->plot.width / 4; x -= LABEL_GAP)
        if (write_label(frame, x - LABEL_GAP, frame_y(frame, point->y) - LABEL_HIGH - 4, ANCHOR_END,
                        point->label))
            break;
    return true;
}

/* Copies the number of a label "7: name" and returns the name. */
static const char *split_label(const char *label, char number[NUMBER_BYTES])
{
    size_t length = strcspn(label, ":");

    snprintf(number, NUMBER_BYTES, "%.*s", (int)length, label);
    label += length;
    return label + strspn(label, ": ");
}

/* Returns true if no dot is nearer to a place than the one at x, y. */
static bool is_nearest(const struct svg_frame *frame, double x, double y, const double place[2])
{
    double distance = hypot(x - place[0], y - place[1]);

    for (int i = 0; i < frame->chart->count; i++) {
        const struct chart_item *item = &frame->chart->item[i];

        for (int p = 0; item->kind == CHART_DOTS && p < item->count; p++)
            if (hypot(frame_x(frame, item->point[p].x) - place[0],
                      frame_y(frame, item->point[p].y) - place[1]) < distance - 1)
                return false;
    }
    return true;
}

/* Returns true if a line from the dot at its start covers no label and, unless `over`, no other
 * dot. */
static bool is_line_free(const struct svg_frame *frame, const struct svg_line *line, bool over)
{
    for (int l = over ? frame->dots : 0; l < frame->labels; l++) {
        const struct svg_box *box = &frame->label[l];
        bool own = line->from[0] > box->x && line->from[0] < box->x + box->width &&
                   line->from[1] > box->y && line->from[1] < box->y + box->height;
        double part[2];

        if (!own && line_crosses(line, box, part))
            return false;
    }
    return true;
}

/* Writes the number of a dot with its centre at `place`. Returns false if it does not fit. */
static bool write_number_at(struct svg_frame *frame, const double place[2], const char *number)
{
    return write_label(frame, place[0] - width_of(number, LABEL) / 2, place[1] - LABEL_HIGH / 2,
                       ANCHOR_START, number);
}

/* Writes the number of the dot at x, y at a distance, and a line from the dot to it. */
static bool write_joined_number(struct svg_frame *frame, double x, double y, bool over,
                                const char *number)
{
    for (int ring = 2; ring <= (over ? 5 : 10) && frame->lines < LABELS_MAX; ring++)
        for (int turn = 0; turn < 64; turn++) {
            double across = sin(turn * M_PI / 32);
            double down = -cos(turn * M_PI / 32);
            double length = ring * LABEL_HIGH;
            const struct svg_line line = {{x, y}, {x + length * across, y + length * down}};
            double part[2];

            if (!is_line_free(frame, &line, over) || !write_number_at(frame, line.to, number))
                continue;
            frame->line[frame->lines++] = line;
            line_crosses(&line, &frame->label[frame->labels - 1], part);
            write_straight_line(frame->out, x + MARKER * across, y + MARKER * down,
                                x + part[0] * length * across, y + part[0] * length * down,
                                DIM_COLOUR, 1, "");
            return true;
        }
    return false;
}

/* Writes the number of a dot beside it, unless another dot is nearer; else at a distance with a
 * line, which passes over other dots only if there is no other place. */
static void write_number(struct svg_frame *frame, double x, double y, const char *number)
{
    double away = LABEL_GAP + width_of(number, LABEL) / 2;

    for (size_t d = 0; d < NEAR_PLACES; d++)
        for (int side = 1; side >= -1; side -= 2) {
            const double place[2] = {x + side * away, y + (label_down[d] + 0.5) * LABEL_HIGH};

            if (is_nearest(frame, x, y, place) && write_number_at(frame, place, number))
                return;
        }
    if (!write_joined_number(frame, x, y, false, number))
        write_joined_number(frame, x, y, true, number);
}

static void write_point_label(struct svg_frame *frame, const struct chart_item *item,
                              const struct chart_point *point)
{
    double x = frame_x(frame, point->x);
    double y = frame_y(frame, point->y);
    char number[NUMBER_BYTES];

    if (!isfinite(x) || !isfinite(y) || write_end_label(frame, item, point))
        return;
    if (item->key[0] != '\0') {
        split_label(point->label, number);
        write_number(frame, x, y, number);
        return;
    }
    for (size_t d = 0; d < PLACES; d++)
        if (write_label_beside(frame, x, LABEL_GAP, y + label_down[d] * LABEL_HIGH, point->label))
            return;
}

static bool is_last_span(const struct svg_frame *frame, const struct chart_span *span)
{
    const struct chart *chart = frame->chart;

    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++)
            if (chart->item[i].span[s].row == span->row && chart->item[i].span[s].to > span->to)
                return false;
    return true;
}

static bool has_label(const struct svg_frame *frame, const struct chart_span *span)
{
    return span->label != NULL && isfinite(span->from) && isfinite(span->to) && span->row >= 0 &&
           span->row < frame->chart->rows;
}

/* Writes the label behind the last span of a row, or before it if there is room; labelling only
 * some of many similar spans would be misleading, and inside a span it would cover the fill. */
static void write_span_label(struct svg_frame *frame, const struct chart_span *span)
{
    double height, y, from, to;

    if (!has_label(frame, span) || !is_last_span(frame, span))
        return;
    from = fmax(frame_x(frame, span->from), frame->plot.x);
    to = fmin(frame_x(frame, span->to), frame_right(frame));
    y = frame_row(frame, span->row, &height) + (height - LABEL_HIGH) / 2;
    if (!write_label(frame, to + LABEL_GAP, y, ANCHOR_START, span->label))
        write_label(frame, from - LABEL_GAP, y, ANCHOR_END, span->label);
}

/* Returns false if the name does not fit. */
static bool write_rule_label(struct svg_frame *frame, const struct chart_item *item)
{
    const struct svg_box *plot = &frame->plot;
    bool vertical = item->kind == CHART_VERTICAL;
    double at = vertical ? frame_x(frame, item->point[0].x) : frame_y(frame, item->point[0].y);
    char left[CHART_LEFT_MAX];

    if (!isfinite(at))
        return true;
    chart_left_name(item, left);
    for (double y = plot->y + 2; vertical && y < plot->y + plot->height; y += LABEL_HIGH)
        if (write_label(frame, at + LABEL_SIDE + 1, y, ANCHOR_START, item->name) ||
            write_label(frame, at - LABEL_SIDE - 1, y, ANCHOR_END, left))
            return true;
    for (int corner = 0; !vertical && corner < 4; corner++)
        if (write_label(frame, corner < 2 ? frame_right(frame) - 6 : plot->x + 6,
                        corner % 2 == 0 ? at - LABEL_HIGH - 3 : at + 2,
                        corner < 2 ? ANCHOR_END : ANCHOR_START, item->name))
            return true;
    return false;
}

/* Writes the names of rules; names that do not fit stay in the legend. */
static void write_rule_labels(struct svg_frame *frame, struct legend *legend)
{
    for (int e = 0; e < legend->count; e++)
        if (chart_is_rule(legend->entry[e].kind))
            legend->entry[e].hidden = write_rule_label(frame, legend->entry[e].item);
}

/* Writes the labels of points and spans that fit beside the others. Dots are not covered. */
static void write_item_labels(struct svg_frame *frame)
{
    const struct chart *chart = frame->chart;

    for (int i = 0; i < chart->count; i++)
        for (int p = 0; chart->item[i].kind == CHART_DOTS && p < chart->item[i].count; p++)
            if (frame->labels < LABELS_MAX)
                frame->label[frame->labels++] = (struct svg_box){
                    frame_x(frame, chart->item[i].point[p].x) - MARKER,
                    frame_y(frame, chart->item[i].point[p].y) - MARKER, 2 * MARKER, 2 * MARKER};
    frame->dots = frame->labels;
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        for (int n = 0; !chart_is_rule(item->kind) && n < item->count; n++)
            if (item->kind == CHART_SPANS)
                write_span_label(frame, &item->span[n]);
            else if (item->point[n].label != NULL)
                write_point_label(frame, item, &item->point[n]);
    }
}

/* List of names -------------------------------------------------------------------------------- */

/* The list beside the plot of the names of dots (chart_key). Widths are in px. */
struct key {
    const struct chart_item *item; /* NULL: there is none */
    double number, name;           /* width of either column */
    double size;                   /* of the letters */
};

static double key_width(const struct key *key)
{
    return key->item == NULL ? 0 : key->number + key->name + 2 * KEY_GAP;
}

/* Measures the list: in smaller letters if names are too long for their part of the page. */
static void measure_key(const struct chart *chart, double page, struct key *key)
{
    double room = KEY_PART * page - 2 * KEY_GAP;
    double number = 0, name = 0; /* per size of the letters */

    *key = (struct key){.item = NULL};
    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].key[0] != '\0' && chart->item[i].count > 0)
            key->item = &chart->item[i];
    if (key->item == NULL)
        return;
    name = width_of(key->item->key, 1);
    for (int p = 0; p < key->item->count; p++) {
        char digits[NUMBER_BYTES];

        name = fmax(name, width_of(split_label(key->item->point[p].label, digits), 1));
        number = fmax(number, width_of(digits, 1));
    }
    key->size = LABEL * fmax(fmin(1, room / (LABEL * (number + name))), KEY_LETTERS);
    key->number = key->size * number;
    key->name = fmin(key->size * name, room - key->number);
}

static void write_key_line(const struct svg_frame *frame, const struct key *key, int line,
                           const char *number, const char *name, bool heading)
{
    const char *more = heading ? " font-weight=\"bold\"" : "";
    const struct svg_type right = {key->size, TEXT_COLOUR, ANCHOR_END, more};
    const struct svg_type left = {key->size, TEXT_COLOUR, ANCHOR_START, more};
    double x = frame_right(frame) + KEY_GAP + key->number;
    double y = frame->plot.y + (line + 0.8) * KEY_LINE;

    write_text(frame->out, x, y, &right, number);
    write_shortened(frame->out, x + KEY_GAP, y, &left, key->name, key->size, name);
}

/* Writes the list, and how many names have no room at its end. */
static void write_key(const struct svg_frame *frame, const struct key *key)
{
    int lines = (int)(frame->plot.height / KEY_LINE) - 1; /* below the heading */
    int count = key->item->count;
    int shown = count <= lines ? count : lines - 1;
    char number[NUMBER_BYTES], more[NAME_BYTES];

    write_key_line(frame, key, 0, "#", key->item->key, true);
    for (int p = 0; p < shown; p++) {
        const char *name = split_label(key->item->point[p].label, number);

        write_key_line(frame, key, p + 1, number, name, false);
    }
    snprintf(more, sizeof more, "and %d more", count - shown);
    if (shown < count)
        write_key_line(frame, key, shown + 1, "", more, false);
}

/* Legend --------------------------------------------------------------------------------------- */

static int measure_legend(struct legend *legend, double page)
{
    double used;

    for (int e = 0; e < legend->count; e++) {
        struct legend_entry *entry = &legend->entry[e];

        entry->width = entry->kind != CHART_CELLS
                           ? SAMPLE + width_of(entry->text, LEGEND)
                           : width_of(entry->text, LEGEND) + width_of(entry->low, LEGEND) +
                                 width_of(entry->high, LEGEND) + SHADES * SWATCH + 24;
    }
    return legend_place(legend, page - 2 * MARGIN, ENTRY_GAP, &used);
}

static void write_shades(FILE *out, double x, double y, const struct legend_entry *entry)
{
    const struct svg_type type = {LEGEND, TEXT_COLOUR, ANCHOR_START, ""};

    write_text(out, x, y, &type, entry->text);
    x += width_of(entry->text, LEGEND) + 8;
    write_text(out, x, y, &type, entry->low);
    x += width_of(entry->low, LEGEND) + 8;
    for (int s = 0; s < SHADES; s++)
        write_shade(out, (struct svg_box){x + s * SWATCH, y - 14, SWATCH, 16}, (s + 0.5) / SHADES);
    write_rect(out, (struct svg_box){x, y - 14, SHADES * SWATCH, 16}, "none",
               " stroke=\"#000000\"");
    write_text(out, x + SHADES * SWATCH + 8, y, &type, entry->high);
}

static void write_entry(FILE *out, double x, double y, const struct legend_entry *entry)
{
    const struct svg_type type = {LEGEND, TEXT_COLOUR, ANCHOR_START, ""};
    const struct look *look = look_of(entry->look);
    double middle = y - 0.35 * LEGEND;
    char stroke[48];

    if (entry->kind == CHART_CELLS) {
        write_shades(out, x, y, entry);
        return;
    }
    if (entry->kind == CHART_CURVE || chart_is_rule(entry->kind))
        write_straight_line(out, x, middle, x + SAMPLE - 8, middle, look->colour, 2.5,
                            look->dashes);
    if (entry->kind == CHART_DOTS ||
        (entry->kind == CHART_CURVE && entry->item->kind == CHART_CURVE && !entry->item->bare))
        write_marker(out, entry->look, x + (SAMPLE - 8) / 2, middle);
    snprintf(stroke, sizeof stroke, " stroke=\"%s\"%s", look->colour,
             look->outline ? " stroke-width=\"" OUTLINE "\"" : "");
    if (entry->kind == CHART_BAND)
        write_rect(out, (struct svg_box){x, middle - 8, SAMPLE - 8, 16}, look->colour,
                   " fill-opacity=\"0.2\"");
    if (entry->kind == CHART_SPANS)
        write_fill(out, (struct svg_box){x, middle - 8, SAMPLE - 8, 16}, entry->look, stroke);
    write_text(out, x + SAMPLE, y, &type, entry->text);
}

static void write_legend(FILE *out, struct legend *legend, double page, double top, int lines)
{
    measure_legend(legend, page); /* without the rules labelled in the plot */
    for (int e = 0; e < legend->count; e++)
        if (!legend->entry[e].hidden && legend->entry[e].line < lines)
            write_entry(out, MARGIN + legend->entry[e].at,
                        top + (legend->entry[e].line + 0.7) * LEGEND_LINE, &legend->entry[e]);
}

/* Axes and titles ------------------------------------------------------------------------------ */

static double page_width(const struct chart *chart)
{
    return chart->square ? SQUARE_WIDTH : WIDTH;
}

static double left_axis_width(const struct chart *chart, const struct plot_ticks *ticks)
{
    double widest = 0;

    for (int r = 0; r < chart->rows; r++)
        widest = fmax(widest, width_of(chart->row[r], TICK));
    for (int t = 0; t < ticks->count; t++)
        widest = fmax(widest, width_of(ticks->tick[t].label, TICK));
    return fmin(widest, NAMES_PART * WIDTH);
}

static void write_left_axis(const struct svg_frame *frame, const struct plot_ticks *ticks)
{
    const struct chart *chart = frame->chart;
    const struct svg_box *plot = &frame->plot;
    struct svg_type type = {TICK, TEXT_COLOUR, ANCHOR_END, ""};
    double middle = plot->y + plot->height / 2;
    double least = TICK; /* letters of which the longest name fits */
    char turned[64];

    for (int t = 0; t < ticks->count; t++) {
        double y = frame_y(frame, ticks->tick[t].value);

        write_straight_line(frame->out, plot->x, y, frame_right(frame), y, GRID_COLOUR, 1, "");
        write_straight_line(frame->out, plot->x - 6, y, plot->x, y, TEXT_COLOUR, 1.2, "");
        write_text(frame->out, plot->x - 10, y + 0.35 * TICK, &type, ticks->tick[t].label);
    }
    if (chart->rows > 0)
        type.size = fmax(fmin(TICK, 0.9 * plot->height / chart->rows), 5);
    for (int r = 0; r < chart->rows; r++)
        least = fmin(least, NAMES_PART * page_width(chart) / fmax(width_of(chart->row[r], 1), 1));
    type.size = fmin(type.size, fmax(least, LEAST_LETTERS * TICK));
    for (int r = 0; r < chart->rows; r++)
        write_shortened(frame->out, plot->x - 10, frame_y(frame, r) + 0.35 * type.size, &type,
                        NAMES_PART * WIDTH, type.size, chart->row[r]);
    snprintf(turned, sizeof turned, " transform=\"rotate(-90 %.1f %.1f)\"", MARGIN - 8, middle);
    type = (struct svg_type){AXIS_TITLE, TEXT_COLOUR, ANCHOR_MIDDLE, turned};
    write_text(frame->out, MARGIN - 8, middle, &type, chart->y_title);
}

static void write_bottom_axis(const struct svg_frame *frame)
{
    const struct svg_box *plot = &frame->plot;
    double bottom = frame_bottom(frame);
    const struct svg_type title = {AXIS_TITLE, TEXT_COLOUR, ANCHOR_MIDDLE, ""};
    struct plot_ticks ticks;

    plot_ticks(&frame->chart->x, (int)(plot->width / CELL), true, &ticks);
    for (int t = 0; t < ticks.count; t++) {
        const char *label = ticks.tick[t].label;
        double x = frame_x(frame, ticks.tick[t].value);
        double page = page_width(frame->chart);
        bool at_edge = x + width_of(label, TICK) / 2 > page - 4;
        const struct svg_type type = {TICK, TEXT_COLOUR, at_edge ? ANCHOR_END : ANCHOR_MIDDLE, ""};

        write_straight_line(frame->out, x, plot->y, x, bottom, GRID_COLOUR, 1, "");
        write_straight_line(frame->out, x, bottom, x, bottom + 6, TEXT_COLOUR, 1.2, "");
        write_text(frame->out, at_edge ? page - 4 : x, bottom + 8 + TICK, &type, label);
    }
    write_text(frame->out, plot->x + plot->width / 2, bottom + 12 + TICK + AXIS_TITLE + 4, &title,
               frame->chart->x_title);
}

/* Returns the height of a slide, more if the rows do not fit on one. */
static double height_of(const struct chart *chart)
{
    return chart->square ? SQUARE_HEIGHT : HEIGHT + fmax(0, chart->rows - ROWS) * ROW_HIGH;
}

static void write_head(FILE *out, const struct chart *chart)
{
    double height = height_of(chart);
    double width = page_width(chart);
    bool headed = chart->heading[0] != '\0';
    const struct svg_type subtitle = {SUBTITLE, TEXT_COLOUR, ANCHOR_START, ""};
    const struct svg_type title = {TITLE, TEXT_COLOUR, ANCHOR_START, " font-weight=\"bold\""};
    const struct svg_type note = {NOTE, DIM_COLOUR, ANCHOR_START, ""};
    char clauses[CHART_NOTE_MAX + 1];

    snprintf(clauses, sizeof clauses, "%s", chart->note);
    text_clauses(clauses, (int)((width - 2 * MARGIN) / width_of("x", NOTE_LETTERS * NOTE)));
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
          "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n",
          out);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n<title>",
            width, height, width, height);
    write_escaped(out, chart->heading);
    fputs(headed ? " \xC2\xB7 " : "", out);
    write_escaped(out, chart->title);
    fputs("</title>\n<desc>", out);
    write_escaped(out, chart->note);
    fputs("</desc>\n<defs>\n", out);
    write_patterns(out, chart);
    fputs("</defs>\n", out);
    write_rect(out, (struct svg_box){0, 0, width, height}, "#ffffff", "");
    write_shortened(out, MARGIN, 46, &title, width - 2 * MARGIN, 1.08 * TITLE,
                    headed ? chart->heading : chart->title);
    if (headed)
        write_shortened(out, MARGIN, 46 + SUBTITLE + 8, &subtitle, width - 2 * MARGIN, SUBTITLE,
                        chart->title);
    write_shortened(out, MARGIN, height - 14, &note, width - 2 * MARGIN, NOTE, clauses);
}

static void write_plot(FILE *out, const struct chart *chart)
{
    struct svg_frame frame = {.out = out, .chart = chart, .plot = {0, PLOT_TOP, 0, 0}};
    struct legend legend;
    struct key key;
    double height = height_of(chart);
    int most = (int)(HEIGHT / 4 / LEGEND_LINE);
    int lines;
    struct plot_ticks up = {.count = 0};

    chart_legend(chart, &legend);
    if (chart->heading[0] != '\0')
        frame.plot.y += SUBTITLE + 6;
    lines = measure_legend(&legend, page_width(chart));
    lines = lines < most ? lines : most;
    frame.plot.height = height - frame.plot.y - 36 - lines * LEGEND_LINE - 12 - TICK -
                        (chart->x_title[0] == '\0' ? 0 : AXIS_TITLE + 14);
    if (chart->rows == 0)
        plot_ticks(&chart->y, (int)(frame.plot.height / 20), false, &up);
    frame.plot.x = MARGIN + (chart->y_title[0] == '\0' ? 0 : 12) + left_axis_width(chart, &up) + 10;
    measure_key(chart, page_width(chart), &key);
    frame.plot.width = page_width(chart) - MARGIN - key_width(&key) - frame.plot.x;
    if (chart->square)
        frame.plot.width =
            fmin(frame.plot.width, frame.plot.height * (chart->x.high - chart->x.low) /
                                       (chart->y.high - chart->y.low));
    write_left_axis(&frame, &up);
    write_bottom_axis(&frame);
    write_items(&frame);
    write_rect(out, frame.plot, "none", " stroke=\"#000000\" stroke-width=\"1.2\"");
    write_item_labels(&frame);
    write_rule_labels(&frame, &legend);
    if (key.item != NULL)
        write_key(&frame, &key);
    write_legend(out, &legend, page_width(chart), height - 36 - lines * LEGEND_LINE, lines);
}

/* Writes a sentence in the middle of the page, in as many lines as it needs. */
static void write_message(FILE *out, const struct chart *chart, const char *message)
{
    const struct svg_type type = {AXIS_TITLE, TEXT_COLOUR, ANCHOR_MIDDLE, ""};
    double page = page_width(chart);
    int columns = (int)((page - 2 * MARGIN) / width_of("x", AXIS_TITLE));

    for (double y = HEIGHT / 2; message[0] != '\0'; y += 1.5 * AXIS_TITLE) {
        size_t length = text_break(message, columns);
        char line[CHART_NOTE_MAX + 1];

        snprintf(line, sizeof line, "%.*s", (int)length, message);
        write_text(out, page / 2, y, &type, line);
        message += length;
        message += strspn(message, " ");
    }
}

void chart_svg(const struct chart *chart, FILE *out)
{
    const char *problem = chart_problem(chart);

    write_head(out, chart);
    if (problem == NULL)
        write_plot(out, chart);
    else
        write_message(out, chart, problem);
    fputs("</svg>\n", out);
}
