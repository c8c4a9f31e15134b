/* Elements of an SVG file: numbers that are numbers, text that cannot end an element. */
#ifndef AOLAG_SVG_H
#define AOLAG_SVG_H

#include <stdio.h>

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

#endif
