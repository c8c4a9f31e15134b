/* Charts of every kind of item, and awkward ones. */
#ifndef AOLAG_SAMPLE_CHARTS_H
#define AOLAG_SAMPLE_CHARTS_H

#include "draw/chart.h"

enum sample_chart {
    SAMPLE_ROOFS, /* curves and dots with labels on logarithmic axes */
    SAMPLE_BARS,  /* spans of several looks in rows, a rule */
    SAMPLE_MAP,   /* cells with a contour and some missing, a dot */
    SAMPLE_CURVE, /* a curve with rules both ways */
    SAMPLE_EMPTY,
    SAMPLE_POINT,   /* a single point, where both axes had to be parted */
    SAMPLE_ZERO,    /* zero, the infinite and no number on logarithmic axes */
    SAMPLE_SPANS,   /* 4096 of them in 64 rows */
    SAMPLE_HOSTILE, /* names and labels with special characters */
    SAMPLE_KEY,     /* numbered dots, some close to each other, with a list of their names */
    SAMPLE_CHARTS
};

/* chart_free it. */
void sample_chart(enum sample_chart sample, struct chart *chart);

#endif
