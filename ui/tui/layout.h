/* Where things stand on a screen of so many rows and columns. Pure functions: no rectangle they
 * give overlaps another of the same layout or leaves the screen; one without room is empty. */
#ifndef AOLAG_TUI_LAYOUT_H
#define AOLAG_TUI_LAYOUT_H

#include <stdbool.h>

#include "draw/canvas.h"

#define LAYOUT_ROWS_MIN 16
#define LAYOUT_COLUMNS_MIN 60

/* The frame every view has. */
struct layout {
    bool fits; /* else only the size that is needed is said */
    struct rect header;
    struct rect body;
    struct rect detail; /* what the cursor is on, messages */
    struct rect footer; /* keys, or the line being typed */
};

/* The body of the first view: three boxes with their borders, and a fourth where there is room. */
struct explore_layout {
    struct rect knobs;
    struct rect components;
    struct rect devices; /* empty unless everything above and below it shows in full */
    struct rect loop;
};

struct layout layout_screen(int rows, int columns);

/* What each would like inside its box. */
struct explore_rows {
    int components, devices, loop;
};

struct explore_layout layout_explore(struct rect body, struct explore_rows wanted);

/* The body of the machine's view: four boxes, or the one with the focus where they have no room or
 * it needs `columns` cells inside. */
struct machine_layout {
    struct rect box[4];
};

struct machine_layout layout_machine(struct rect body, int focus, int columns);

/* The body of a view that is a picture and a list of its numbers: beside it where the picture keeps
 * room enough, else below; empty where there is none for it. */
struct listed_layout {
    struct rect picture, list;
};

/* `rows` and `columns` are what the list would like inside its box. */
struct listed_layout layout_listed(struct rect body, int rows, int columns);

/* The body of the detector's view: a map about as wide as high, and beside it the agenda. */
struct detector_layout {
    struct rect map, agenda;
};

struct detector_layout layout_detector(struct rect body);

/* The body of the comparison: verdict, knobs, results, components, in this order; the last three
 * one at a time, number `lower`, where they have no room. The verdict would like so many rows
 * inside. */
struct compare_layout {
    struct rect box[4];
};

struct compare_layout layout_compare(struct rect body, int verdict, int results, int lower);

/* A box with its border over the body, at most as large as wanted (inside) and as there is room. */
struct rect layout_overlay(struct rect body, int rows, int columns);

/* Columns of a knob's row, from the left edge of the rows; those without room are 0 wide. */
struct knob_columns {
    int label, label_columns;
    int value, value_columns; /* set against the right */
    int mark;                 /* one cell: where the value comes from */
    int slider, slider_columns;
    int choice_columns; /* from `value` to the end, for values that are words */
};

struct knob_columns layout_knob(int columns);

/* Columns of a component's two rows. */
struct bar_columns {
    int name, name_columns;
    int device, device_columns;
    int whole, whole_columns; /* on the second row: the whole time, what binds */
    int bar, bar_columns;
    int level, level_columns; /* of the memory bar: what serves it; 0 columns: no room */
    int value, value_columns;
};

/* The longest name and device decide, within reason. */
struct bar_columns layout_bar(int columns, int longest_name, int longest_device);

/* Columns of a device's row. */
struct device_columns {
    int name, name_columns;
    int peak, peak_columns; /* numbers set against the right */
    int bandwidth, bandwidth_columns;
    int busy, busy_columns;
    int bar, bar_columns;
    int percent, percent_columns;
};

struct device_columns layout_device(int columns, int longest_name);

/* Inside a box. */
struct rect rect_inside(struct rect box);
bool rect_holds(struct rect rect, int row, int column);

#endif
