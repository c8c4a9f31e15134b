/* Appearance of chart items: on a canvas, with and without Unicode, and in a file. No information
 * is conveyed by colour alone: each look has its own fill, mark and dash pattern. */
#ifndef AOLAG_DRAW_LOOKS_H
#define AOLAG_DRAW_LOOKS_H

#include <stdint.h>

#include "draw/canvas.h"
#include "model/result.h"

/* Meaning of an item. In every output form a look has a colour and a style that is independent of
 * colour: a fill, a dash pattern, a mark. The kinds of time come first. Each has its colour and its
 * fill on every bar, timeline and picture, and no other look has the fill of one, or the colour of
 * memory. */
enum chart_look {
    LOOK_COMPUTE,
    LOOK_MEMORY,
    LOOK_OVERHEAD,
    LOOK_LINK,
    LOOK_READOUT,
    LOOK_WAIT,
    LOOK_KINDS,
    LOOK_CRITICAL = LOOK_KINDS, /* on the critical path: an outline around other looks */
    LOOK_OTHER,                 /* another frame or the baseline: behind the rest */
    LOOK_CURRENT,               /* the present design */
    LOOK_BEST,
    LOOK_TARGET,
    LOOK_ONE, /* the first and the second of two designs */
    LOOK_TWO,
    LOOK_BAND,   /* between the ends of a range */
    LOOK_CHANGE, /* from here on another part of the design is the bottleneck */
    LOOK_FIRST,  /* curves distinguished only by name: LOOK_FIRST + i, i below LOOK_SERIES */
    LOOK_BACK = LOOK_FIRST + 8, /* the same, behind the rest: LOOK_BACK + i, i below LOOK_BACKS */
    LOOK_COUNT = LOOK_BACK + 7
};

#define LOOK_SERIES (LOOK_BACK - LOOK_FIRST)
#define LOOK_BACKS (LOOK_COUNT - LOOK_BACK)

/* A Unicode character and its ASCII replacement. */
struct look_sign {
    uint32_t unicode;
    char ascii;
};

struct look {
    const char *name; /* in legends, for spans whose look differs from their item's */
    enum style style;
    struct look_sign fill; /* of a span */
    struct look_sign mark; /* of dots, and at intervals along a curve */

    /* for SVG files, lengths in px */
    const char *colour;  /* "#rrggbb" */
    const char *tint;    /* of a solid fill within an outline in `colour`; NULL: `colour` */
    const char *dashes;  /* stroke-dasharray; empty: solid */
    const char *pattern; /* path within 8 by 8, drawn over white; empty: solid fill */
    const char *marker;  /* closed path around 0, 0 */
    bool hollow;         /* the marker is not filled */
    bool outline;        /* spans are an outline, on a canvas an underline: what they hold shows */
};

extern const struct look_sign look_rule_down,
    look_rule_across; /* of vertical and horizontal rules */

const struct look *look_of(enum chart_look look);

/* Returns the look of the time that a bound stands for. */
enum chart_look look_of_bound(enum bound bound);

/* Returns the look of the load of a node without its overhead: of the larger one of compute and
 * memory; `whole`: of what limits it. */
enum chart_look look_of_load(const struct node_result *node, bool whole);

uint32_t look_character(const struct canvas *canvas, struct look_sign sign);

/* Draws a bar of `length` cells (may be fractional) with the fill of a look, in a row of `columns`
 * cells. The last cell of a solid bar is drawn in eighths of a block, "|" in ASCII; other fills have
 * whole cells, but less than half of one is eighths, too. A value above 0 has at least an eighth.
 * Returns the cells drawn. */
int look_bar(struct canvas *canvas, int row, int column, int columns, double length,
             enum chart_look look, enum style style);

/* look_shade returns the shade for a position between the lowest (0) and the highest value (1);
 * look_shades returns the number of shades. */
uint32_t look_shade(const struct canvas *canvas, double part);
int look_shades(const struct canvas *canvas);

#endif
