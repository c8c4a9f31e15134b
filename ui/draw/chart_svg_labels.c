#include <math.h>

#include "chart_svg_items.h"
#include "looks.h"

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
