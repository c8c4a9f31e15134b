/* How the items of a chart look: on a canvas, with and without Unicode, and in a file. Nothing is
 * shown by colour alone: each look has a fill, a mark and a dash pattern of its own. */
#ifndef AOLAG_DRAW_LOOKS_H
#define AOLAG_DRAW_LOOKS_H

#include <stdint.h>

#include "draw/canvas.h"

/* What an item means. Each has, whatever shows it, a colour and a style without colour: a fill, a
 * dash pattern, a mark. */
enum chart_look {
    LOOK_COMPUTE,
    LOOK_MEMORY,
    LOOK_OVERHEAD,
    LOOK_LINK,
    LOOK_READOUT,
    LOOK_WAIT,
    LOOK_CRITICAL, /* on the critical path */
    LOOK_CRITICAL_WAIT,
    LOOK_OTHER,   /* of another frame, of the baseline: behind the rest */
    LOOK_CURRENT, /* the design as it is */
    LOOK_BEST,
    LOOK_TARGET,
    LOOK_CHANGE, /* another part of the design binds from here on */
    LOOK_FIRST,  /* curves that only their name tells apart: LOOK_FIRST + i, i below LOOK_SERIES */
    LOOK_BACK = LOOK_FIRST + 8, /* the same, behind the rest: LOOK_BACK + i, i below LOOK_BACKS */
    LOOK_COUNT = LOOK_BACK + 7
};

#define LOOK_SERIES (LOOK_BACK - LOOK_FIRST)
#define LOOK_BACKS (LOOK_COUNT - LOOK_BACK)

/* A character and what stands for it where there is only ASCII. */
struct look_sign {
    uint32_t unicode;
    char ascii;
};

struct look {
    const char *name; /* in legends, of spans whose item is called otherwise */
    enum style style;
    struct look_sign fill; /* of a span */
    struct look_sign mark; /* of a dot, and of a curve here and there */

    /* of a file: SVG, with lengths in px */
    const char *colour;  /* "#rrggbb" */
    const char *dashes;  /* stroke-dasharray; empty: solid */
    const char *pattern; /* a path within 8 by 8, drawn over white; empty: filled */
    const char *marker;  /* a closed path around 0, 0 */
    bool hollow;         /* the marker is not filled */
};

extern const struct look_sign look_rule_down, look_rule_across; /* what rules are made of */

const struct look *look_of(enum chart_look look);

uint32_t look_character(const struct canvas *canvas, struct look_sign sign);

/* The shade of a value at that part (0 to 1) of the way from the lowest to the highest; how many
 * there are. */
uint32_t look_shade(const struct canvas *canvas, double part);
int look_shades(const struct canvas *canvas);

#endif
