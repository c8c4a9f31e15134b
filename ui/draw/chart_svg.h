/* Elements of an SVG file: numbers that are numbers, text that cannot end an element. */
#ifndef AOLAG_DRAW_CHART_SVG_H
#define AOLAG_DRAW_CHART_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/chart.h"

struct box {
    double x, y, width, height; /* px, y downwards */
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

struct svg_type {
    double size;        /* px */
    const char *colour; /* "#rrggbb" */
    enum svg_anchor anchor;
    const char *more; /* further attributes, with a blank before each; empty: none */
};

/* Escaped; what XML does not allow becomes '?'. */
void svg_escape(FILE *out, const char *text);

/* On the line whose base is at y. */
void svg_text(FILE *out, double x, double y, const struct svg_type *type, const char *text);

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour,
              double width, const char *dashes);

void svg_rect(FILE *out, struct box box, const char *fill, const char *more);

/* About how wide a sans-serif text of that size is, on the safe side. */
double svg_width(const char *text, double size);

/* A chart as a file: SVG 1.1, of the size of a slide, black on white and readable without colours.
 */

/* Write errors stay in the stream. */
void chart_svg(const struct chart *chart, FILE *out);

/* The items of a chart in an SVG file. For chart_svg. */

#define FRAME_LABELS_MAX 256

/* A chart being written. */
struct frame {
    FILE *out;
    const struct chart *chart;
    struct box plot;
    int labels; /* what is written within the plot */
    struct box label[FRAME_LABELS_MAX];
};

/* Places in px; beyond the plot where the value is, not finite where it has none. */
double frame_x(const struct frame *frame, double x);
double frame_y(const struct frame *frame, double y);

/* The bar of a row of names. */
double frame_row(const struct frame *frame, int row, double *height);

/* The patterns of all fills, for the start of the file. */
void svg_patterns(FILE *out, const struct chart *chart);

/* A fill for attributes: "url(#fill-1)". `text` holds at least 24 bytes. */
const char *svg_fill(enum chart_look look, char *text, size_t size);

/* A sample of a shade; `part` as of look_shade. */
void svg_shade(FILE *out, struct box box, double part);

void svg_marker(FILE *out, enum chart_look look, double x, double y);

/* All but labels and rules; then the rules. */
void svg_items(struct frame *frame);
void svg_rules(struct frame *frame);

/* Labels of points and spans that have room beside the others; the name of a rule beside it, false:
 * no room. */
void svg_labels(struct frame *frame);
bool svg_label_rule(struct frame *frame, const struct chart_item *item);

#endif
