/* Positions on a screen of given rows and columns. Pure functions: the rectangles of a layout
 * neither overlap nor leave the screen; one that does not fit is empty. */
#ifndef AOLAG_TUI_LAYOUT_H
#define AOLAG_TUI_LAYOUT_H

#include <stdbool.h>

#include "draw/canvas.h"

#define LAYOUT_ROWS_MIN 16
#define LAYOUT_COLUMNS_MIN 60
#define LAYOUT_TIMELINE 160

/* The frame of every view. */
struct layout {
    bool fits; /* false: only the required size is displayed */
    struct rect header;
    struct rect body;
    struct rect detail; /* item under the cursor, messages */
    struct rect footer; /* keys, or the line being typed */
};

/* The verdict: lines one below the other, in a box with a border if there is room. The critical
 * path and the next step of software, which is below those of hardware, are missing on small
 * screens. */
struct verdict_layout {
    struct rect box;
    int lines;
    struct rect latency, path, limit, next, software;
};

/* Body of the first view: the verdict, then three boxes with borders, a fourth if it fits and the
 * timeline on wide screens. Where the verdict has no border, that below the knobs is in the row below
 * the body, where the detail line covers it. */
struct explore_layout {
    struct verdict_layout verdict;
    struct rect knobs;
    struct rect components;
    struct rect devices; /* empty unless the panes above and below it fit completely */
    struct rect loop;
    struct rect timeline; /* empty below LAYOUT_TIMELINE columns */
};

struct layout layout_screen(int rows, int columns);

/* Takes the row of the verdict in one line from the top of a body. */
struct rect layout_take_verdict(struct rect *body);

/* Preferred number of rows inside each box. */
struct explore_rows {
    int components, devices, loop;
};

struct explore_layout layout_explore(struct rect body, struct explore_rows wanted);

/* Body of the Machine view: four boxes, and where there is room a fifth and, if `count` is 6, a sixth
 * below, or only the one with the focus if it would have none or needs `columns` cells inside. The
 * seventh is alone. */
struct machine_layout {
    struct rect box[7];
};

struct machine_layout layout_machine(struct rect body, int focus, int columns, int count);

/* Body of the view of the control loop: three pictures and the list, in quarters if there is room;
 * else picture `shown` beside the list; on narrow screens only box `shown`, the last of which is
 * the list. */
struct control_layout {
    struct rect box[4];
};

struct control_layout layout_control(struct rect body, int shown);

/* Body of a view with a picture and a list of its numbers: the list is beside the picture if that
 * keeps enough room, else below; it is empty if neither fits. */
struct listed_layout {
    struct rect picture, list;
};

/* `rows` and `columns`: preferred size inside the list's box. */
struct listed_layout layout_listed(struct rect body, int rows, int columns);

/* Body of the Detector view: a map about as wide as high, and beside it the agenda. */
struct detector_layout {
    struct rect map, agenda;
};

struct detector_layout layout_detector(struct rect body);

/* Body of the Compare view: verdict, knobs, results, components. If the last three do not fit, only
 * number `lower` is shown. `verdict`: preferred rows inside the first box. */
struct compare_layout {
    struct rect box[4];
};

struct compare_layout layout_compare(struct rect body, int verdict, int results, int lower);

/* Returns a box over the body, limited to the given size inside its border and to the body. */
struct rect layout_overlay(struct rect body, int rows, int columns);

/* Columns of a knob's row, relative to its left edge; width 0: does not fit. */
struct knob_columns {
    int label, label_columns;
    int value, value_columns; /* right-aligned */
    int mark;                 /* one cell: origin of the value */
    int slider, slider_columns;
    int choice_columns; /* from `value` to the end, for values that are words */
};

struct knob_columns layout_knob(int columns);

/* Area inside the border of a box. */
struct rect rect_inside(struct rect box);
bool rect_holds(struct rect rect, int row, int column);

#endif
