/* The items of a chart in an SVG file. For chart_svg. */
#ifndef AOLAG_CHART_SVG_ITEMS_H
#define AOLAG_CHART_SVG_ITEMS_H

#include <stdbool.h>
#include <stdio.h>

#include "chart_legend.h"
#include "svg.h"

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
