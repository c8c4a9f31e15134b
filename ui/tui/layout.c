#include "tui/layout.h"

#include "base/number.h"

struct layout layout_screen(int rows, int columns)
{
    struct layout layout = {0};

    if (rows < LAYOUT_ROWS_MIN || columns < LAYOUT_COLUMNS_MIN)
        return layout;
    layout.fits = true;
    layout.header = (struct rect){0, 0, 1, columns};
    layout.body = (struct rect){1, 0, rows - 3, columns};
    layout.detail = (struct rect){rows - 2, 0, 1, columns};
    layout.footer = (struct rect){rows - 1, 0, 1, columns};
    return layout;
}

/* Returns the width of the knobs' box: enough for a label, a value and a usable slider. The bars
 * get two thirds of the rest, because their length carries more information. */
static int knobs_width(int columns)
{
    int width = 40 + (columns - 80) / 4;

    if (columns < 80)
        width = 30 + (columns - 60) * 10 / 20;
    return clamp_int(width, 0, 74);
}

static struct rect take_row(struct rect *rows)
{
    struct rect row = {rows->row, rows->column, 1, rows->columns};

    rows->row++;
    rows->rows--;
    return row;
}

struct rect layout_take_verdict(struct rect *body)
{
    struct rect row = take_row(body);

    row.column++;
    row.columns -= 2;
    return row;
}

/* Takes the verdict's rows from the top of the body. */
static struct verdict_layout layout_verdict(struct rect *body)
{
    enum { BOXED = 27, WITH_PATH = 17, WITH_SOFTWARE = 12 };
    struct verdict_layout layout = {.lines = 3};
    struct rect rows;

    layout.lines += (body->rows >= WITH_PATH) + (body->rows >= WITH_SOFTWARE);
    layout.box = *body;
    layout.box.rows = layout.lines + (body->rows >= BOXED ? 2 : 0);
    body->row += layout.box.rows;
    body->rows -= layout.box.rows;
    rows = layout.box;
    if (layout.box.rows > layout.lines)
        rows = rect_inside(layout.box);
    rows.column++;
    rows.columns -= 2;
    layout.latency = take_row(&rows);
    if (layout.box.rows + body->rows >= WITH_PATH)
        layout.path = take_row(&rows);
    layout.limit = take_row(&rows);
    layout.next = take_row(&rows);
    if (layout.box.rows + body->rows >= WITH_SOFTWARE)
        layout.software = take_row(&rows);
    return layout;
}

/* Takes the timeline's columns from the right of the body: half of what a wide screen has more than
 * the least. */
static struct rect take_timeline(struct rect *body)
{
    enum { LEAST = 42 };
    struct rect box = *body;

    if (body->columns < LAYOUT_TIMELINE)
        return (struct rect){0};
    box.columns = LEAST + (body->columns - LAYOUT_TIMELINE) / 2;
    body->columns -= box.columns;
    box.column += body->columns;
    return box;
}

struct explore_layout layout_explore(struct rect body, struct explore_rows wanted)
{
    /* minimum columns for a device's row; beside the timeline the knobs get half of the rest but
     * these, enough for the names of models */
    enum { DEVICES_LEAST = 70, MODELS = 6 };
    struct explore_layout layout = {.verdict = layout_verdict(&body),
                                    .timeline = take_timeline(&body)};
    int left = knobs_width(body.columns);
    const bool boxed = layout.verdict.box.rows > layout.verdict.lines;
    const int least = body.rows < 12 ? 4 : body.rows < 20 ? 5 : body.rows < 28 ? 6 : 9;
    int spare = body.rows - (wanted.components + 2) - least;
    int devices = 0;
    int row = body.row;
    int loop;

    if (layout.timeline.columns > 0)
        left = clamp_int(body.columns / 2 - MODELS, 0, body.columns - DEVICES_LEAST);
    if (body.rows < 8 || body.columns <= left)
        return (struct explore_layout){0};
    if (wanted.devices > 0) /* a box, or one line */
        devices = wanted.devices + 2 <= spare && body.columns - left >= DEVICES_LEAST
                      ? wanted.devices + 2
                      : 1;
    /* The loop gets the rows below the components, but at least its four or five most important
     * lines and at most what it needs. */
    loop = clamp_int(body.rows - devices - (wanted.components + 2), least, wanted.loop + 2);
    loop = clamp_int(loop, 3, body.rows - 3);
    layout.knobs = (struct rect){row, body.column, body.rows + !boxed, left};
    layout.components =
        (struct rect){row, body.column + left, body.rows - devices - loop, body.columns - left};
    row += layout.components.rows;
    if (devices > 0)
        layout.devices = (struct rect){row, body.column + left, devices, body.columns - left};
    row += devices;
    layout.loop = (struct rect){row, body.column + left, loop, body.columns - left};
    return layout;
}

struct machine_layout layout_machine(struct rect body, int focus, int columns, int count)
{
    enum { ROWS = 28, COLUMNS = 110, FIFTH = 14 }; /* minimum size for four pictures; of more */
    struct machine_layout layout = {0};
    int left = body.columns / 2;
    int below = body.rows >= ROWS + FIFTH ? body.rows / 3 : 0;
    int fifth = count > 5 ? left : body.columns;
    int top;

    if (body.rows < ROWS || body.columns < COLUMNS || left < columns + 2 ||
        (focus >= 4 && below == 0)) {
        layout.box[focus] = body;
        return layout;
    }
    body.rows -= below;
    top = body.rows / 2;
    layout.box[4] = (struct rect){body.row + body.rows, body.column, below, fifth};
    if (count > 5)
        layout.box[5] =
            (struct rect){body.row + body.rows, body.column + fifth, below, body.columns - fifth};
    layout.box[0] = (struct rect){body.row, body.column, top, left};
    layout.box[1] = (struct rect){body.row, body.column + left, top, body.columns - left};
    layout.box[2] = (struct rect){body.row + top, body.column, body.rows - top, left};
    layout.box[3] =
        (struct rect){body.row + top, body.column + left, body.rows - top, body.columns - left};
    return layout;
}

struct control_layout layout_control(struct rect body, int shown)
{
    enum { ROWS = 26, COLUMNS = 110, LIST = 38, PICTURE = 40, CONTROL_LIST = 3 };
    struct control_layout layout = {0};
    int top = 2 * body.rows / 5 + 1; /* the list needs more rows than a picture */
    int left = body.columns / 2;

    if (body.rows >= ROWS && body.columns >= COLUMNS) {
        layout.box[0] = (struct rect){body.row, body.column, top, left};
        layout.box[1] = (struct rect){body.row, body.column + left, top, body.columns - left};
        layout.box[2] = (struct rect){body.row + top, body.column, body.rows - top, left};
        layout.box[CONTROL_LIST] =
            (struct rect){body.row + top, body.column + left, body.rows - top, body.columns - left};
        return layout;
    }
    if (body.columns < LIST + PICTURE) {
        layout.box[shown] = body;
        return layout;
    }
    left = body.columns - clamp_int(body.columns / 2 - 2, LIST, 60);
    layout.box[shown == CONTROL_LIST ? 0 : shown] =
        (struct rect){body.row, body.column, body.rows, left};
    layout.box[CONTROL_LIST] =
        (struct rect){body.row, body.column + left, body.rows, body.columns - left};
    return layout;
}

struct listed_layout layout_listed(struct rect body, int rows, int columns)
{
    enum { PICTURE_COLUMNS = 80, PICTURE_ROWS = 13, LIST_ROWS = 5 };
    struct listed_layout layout = {.picture = body};
    int third = body.rows / 3;

    if (body.columns >= PICTURE_COLUMNS + columns + 2) {
        layout.picture.columns -= columns + 2;
        layout.list =
            (struct rect){body.row, body.column + layout.picture.columns, body.rows, columns + 2};
        return layout;
    }
    rows = clamp_int(rows + 2, LIST_ROWS, third > LIST_ROWS ? third : LIST_ROWS);
    if (body.rows - rows < PICTURE_ROWS)
        return layout;
    layout.picture.rows -= rows;
    layout.list = (struct rect){body.row + layout.picture.rows, body.column, rows, body.columns};
    return layout;
}

struct detector_layout layout_detector(struct rect body)
{
    enum { BORDERS = 2, STRIP = 4, AGENDA = 34 };
    int wide = 2 * (body.rows - BORDERS) + BORDERS + STRIP;
    int columns = clamp_int(wide, body.columns / 3, body.columns - AGENDA);

    return (struct detector_layout){
        {body.row, body.column, body.rows, columns},
        {body.row, body.column + columns, body.rows, body.columns - columns}};
}

struct compare_layout layout_compare(struct rect body, int verdict, int results, int lower)
{
    enum { COLUMNS = 110, LEAST = 4 }; /* minimum columns for two boxes, rows of the verdict */
    struct compare_layout layout = {0};
    int top = clamp_int(verdict + 2, LEAST, body.rows / 2);
    struct rect rest = {body.row + top, body.column, body.rows - top, body.columns};
    int left = body.columns / 2;
    int upper = clamp_int(results + 2, 5, rest.rows / 2);

    layout.box[0] = (struct rect){body.row, body.column, top, body.columns};
    if (body.columns < COLUMNS || rest.rows < 16) {
        layout.box[lower] = rest;
        return layout;
    }
    layout.box[1] = (struct rect){rest.row, rest.column, rest.rows, left};
    layout.box[2] = (struct rect){rest.row, rest.column + left, upper, rest.columns - left};
    layout.box[3] =
        (struct rect){rest.row + upper, rest.column + left, rest.rows - upper, rest.columns - left};
    return layout;
}

struct rect layout_overlay(struct rect body, int rows, int columns)
{
    struct rect box;

    box.rows = clamp_int(rows + 2, 0, body.rows - 2);
    box.columns = clamp_int(columns + 2, 0, body.columns - 4);
    box.row = body.row + (body.rows - box.rows + 1) / 3;
    if (box.row <= body.row)
        box.row = body.row + 1;
    box.column = body.column + (body.columns - box.columns) / 2;
    return box;
}

struct knob_columns layout_knob(int columns)
{
    struct knob_columns c = {0};
    int rest;

    c.label = 3;
    c.label_columns = clamp_int(columns - 3 - 12, 0, 16);
    c.value = c.label + c.label_columns + 1;
    c.value_columns = clamp_int(columns - c.value - 1, 0, columns < 46 ? 10 : 13);
    c.mark = c.value + c.value_columns;
    c.slider = c.mark + 2;
    rest = columns - c.slider - (columns >= 42 ? 1 : 0);
    c.slider_columns = rest < 5 ? 0 : clamp_int(rest, 0, 40);
    c.choice_columns = clamp_int(columns - c.value, 0, 40);
    return c;
}

struct rect rect_inside(struct rect box)
{
    struct rect inside = {box.row + 1, box.column + 1, box.rows - 2, box.columns - 2};

    if (inside.rows < 0)
        inside.rows = 0;
    if (inside.columns < 0)
        inside.columns = 0;
    return inside;
}

bool rect_holds(struct rect rect, int row, int column)
{
    return row >= rect.row && row < rect.row + rect.rows && column >= rect.column &&
           column < rect.column + rect.columns;
}
