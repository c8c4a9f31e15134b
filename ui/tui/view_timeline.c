#include "tui/view_timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "charts/timeline.h"
#include "draw/looks.h"
#include "model/verdict.h"
#include "tui/view.h"
#include "tui/widget.h"

#define ZOOM 2         /* factor per zoom step */
#define PAN 0.25       /* fraction of the window */
#define NARROWEST 1e-9 /* s, minimum width of the window */

/* Packets that start fewer cells apart than this cannot be told apart by cells without looking
 * uneven: each is spread over its distance to the next, unless that would show a component that is
 * idle most of the time as busy. */
#define APART 8.0
#define APART_IDLE 4.0 /* cells: minimum distance of short packets */

/* Window --------------------------------------------------------------------------------------- */

/* Limits of the window: from one frame before the reported one to one frame after it. */
static void window_limits(const struct timeline_view *view, double *low, double *high)
{
    timeline_whole(&view->lanes, low, high);
    *low -= view->lanes.period;
    *high = larger(*high, view->lanes.period) + view->lanes.period;
}

/* Moves and narrows the window so that it stays within its limits. */
static void set_window(struct timeline_view *view, double from, double width)
{
    double low, high;

    window_limits(view, &low, &high);
    width = larger(width, larger(NARROWEST, 1e-12 * (high - low)));
    width = smaller(width, high - low);
    from = larger(low, smaller(from, high - width));
    view->from = from;
    view->to = smaller(high, from + width);
}

/* Returns a width near `width` and not below `least` in which the packets of the camera start a
 * whole number of cells apart, so that they look even; `width` where packets cannot be told apart
 * anyway. */
static double even_width(const struct timeline_view *view, double width, double least)
{
    const struct schedule_node *node = view->lanes.node;
    const struct schedule_entry *slot;
    double apart, cells, even; /* s; cells; s */

    if (view->columns == 0 || view->lanes.node_count == 0 || node->count < 2)
        return width;
    slot = &view->lanes.slot[node->first];
    apart = (slot[node->count - 1].did.start - slot[0].did.start) / (node->count - 1);
    cells = round(apart / width * view->columns);
    if (cells < APART_IDLE)
        return width;
    even = apart / cells * view->columns;
    if (even < least * (1 - 1e-9))
        even = apart / (cells - 1) * view->columns;
    return even;
}

static void set_scope(struct timeline_view *view, enum timeline_scope scope)
{
    double width;

    view->scope = scope;
    if (scope == SCOPE_WHOLE)
        timeline_whole(&view->lanes, &view->from, &view->to);
    else if (scope == SCOPE_TAIL)
        timeline_tail(&view->lanes, &view->from, &view->to);
    else if (scope == SCOPE_FRAMES)
        window_limits(view, &view->from, &view->to);
    width = view->to - view->from;
    set_window(view, view->from, even_width(view, width, scope == SCOPE_FREE ? 0 : width));
}

/* Notes how many cells the window has. */
static void set_columns(struct timeline_view *view, int columns)
{
    if (view->columns == columns)
        return;
    view->columns = columns;
    set_scope(view, view->scope);
}

/* Scales the width of the window by `factor` and keeps the time `at` in place. */
static void zoom_window(struct timeline_view *view, double factor, double at)
{
    double width = view->to - view->from;
    double part = smaller(1, larger(0, (at - view->from) / width));

    double even = even_width(view, factor * width, 0);

    view->scope = SCOPE_FREE;
    set_window(view, view->from + part * (width - even), even);
}

/* Scrolls as little as necessary to show the slot, or at least its start. */
static void show_slot(struct timeline_view *view, const struct schedule_entry *slot)
{
    double width = view->to - view->from;
    double from = view->from;

    if (slot->did.end > from + width)
        from = slot->did.end - width;
    if (slot->did.from < from || slot->did.end - slot->did.from > width)
        from = slot->did.from;
    if (slot->did.from >= view->from && slot->did.from <= view->to &&
        (slot->did.end <= view->to || slot->did.end - slot->did.from > width))
        return;
    view->scope = SCOPE_FREE;
    set_window(view, from, width);
}

/* Cursor --------------------------------------------------------------------------------------- */

static const struct schedule_row *lane_of(const struct timeline_view *view)
{
    return &view->lanes.lane[view->by][list_pane_focus(&view->rows)];
}

static void set_slot(struct timeline_view *view, int slot)
{
    view->slot = slot;
    if (slot < 0)
        return;
    view->number = view->lanes.slot[slot].number;
    snprintf(view->node, sizeof view->node, "%s",
             view->lanes.node[view->lanes.slot[slot].node].name);
}

/* Moves the cursor to a slot and shows it in the window. */
static void focus_slot(struct timeline_view *view, int slot)
{
    if (slot < 0)
        return;
    set_slot(view, slot);
    show_slot(view, &view->lanes.slot[slot]);
}

/* Returns the start of the slot under the cursor, clipped to the window. */
static double cursor_time(const struct timeline_view *view)
{
    double time = view->slot < 0 ? view->from : view->lanes.slot[view->slot].did.start;

    return larger(view->from, smaller(view->to, time));
}

/* Scrolls by a fraction of the width. The cursor moves if it would leave the window. */
static void pan_window(struct timeline_view *view, double part)
{
    double width = view->to - view->from;
    const struct schedule_entry *slot;

    view->scope = SCOPE_FREE;
    set_window(view, view->from + part * width, width);
    if (view->slot < 0)
        return;
    slot = &view->lanes.slot[view->slot];
    if (slot->did.end < view->from || slot->did.from > view->to)
        set_slot(view, schedule_nearest_slot(&view->lanes, lane_of(view), cursor_time(view)));
}

/* After a possible change of lane, moves the cursor to the slot nearest to its previous time. */
static void follow_lane(struct timeline_view *view, int before, double time)
{
    if (view->rows.count > 0 && list_pane_focus(&view->rows) != before)
        focus_slot(view, schedule_nearest_slot(&view->lanes, lane_of(view), time));
}

/* Finds the lane of the node under the cursor, preferably the present lane. */
static void find_lane(struct timeline_view *view)
{
    int node = view->slot < 0 ? -1 : view->lanes.slot[view->slot].node;
    int lane = view->rows.focus;

    view->rows.count = view->lanes.count[view->by];
    if (node >= 0 && lane < view->rows.count &&
        schedule_row_holds(lane_of(view), &view->lanes, node))
        return;
    for (int l = 0; node >= 0 && l < view->rows.count; l++)
        if (schedule_row_holds(&view->lanes.lane[view->by][l], &view->lanes, node)) {
            view->rows.focus = l;
            return;
        }
    if (node < 0 || view->rows.count == 0)
        view->rows.focus = 0;
}

/* Switches between lanes of components and lanes of devices. */
static void switch_lanes(struct timeline_view *view)
{
    view->by = view->by == ROWS_BY_COMPONENT ? ROWS_BY_DEVICE : ROWS_BY_COMPONENT;
    find_lane(view);
}

/* Returns the slot with the cursor's node and number, or one nearby. */
static int same_slot(const struct timeline_view *view)
{
    for (int n = 0; n < view->lanes.node_count; n++)
        if (strcmp(view->lanes.node[n].name, view->node) == 0 && view->lanes.node[n].count > 0)
            return schedule_find_slot(&view->lanes, n, view->number);
    return -1;
}

/* Returns the last packet of the bottleneck, the slot that contributes most to the latency. */
static int binding_slot(const struct timeline_view *view, const struct result *result)
{
    int n = result->bottleneck;

    if (n < 0 || n >= view->lanes.node_count || view->lanes.node[n].count == 0)
        return view->lanes.slot_count > 0 ? 0 : -1;
    return schedule_find_slot(&view->lanes, n, view->lanes.packets - 1);
}

/* Restores the cursor after a new schedule: same slot, one nearby, or initially the bottleneck. */
static void restore_slot(struct timeline_view *view, const struct result *result)
{
    int slot = same_slot(view);

    set_slot(view, slot >= 0 ? slot : binding_slot(view, result));
    find_lane(view);
    set_scope(view, view->scope);
}

/* State ---------------------------------------------------------------------------------------- */

static void timeline_view_start(void *state, struct host *host)
{
    struct timeline_view *view = state;

    view->host = host;
    view->design = &host->design;
    view->outdated = true;
    view->scope = SCOPE_WHOLE;
    view->node[0] = '\0';
    view->rows = (struct list_pane){0};
    view->beside = (struct bar_scale){0};
    schedule_free(&view->lanes);
    view->slot = -1;
}

static void timeline_view_changed(void *state)
{
    struct timeline_view *view = state;

    view->outdated = true;
}

static void timeline_view_free(void *state)
{
    struct timeline_view *view = state;

    schedule_free(&view->lanes);
}

/* Leaves the cursor, which may be of a slot that is gone, to renew_schedule. */
static void renew_lanes(struct timeline_view *view)
{
    struct design *design = &view->host->design;
    struct error error;

    if (!view->outdated || !design_is_valid(design))
        return;
    view->outdated = false;
    view->displaced = true;
    view->slot = -1;
    if (design->schedule.node_count > 0) {
        schedule_free(&view->lanes);
        view->lanes = design->schedule;
        design->schedule = (struct schedule){0};
    } else if (schedule_capture(&view->lanes, &design->scenario, &design->result, &error) !=
               STATUS_OK)
        host_fail(view->host, &error);
}

static void renew_schedule(struct timeline_view *view)
{
    renew_lanes(view);
    if (view->displaced)
        restore_slot(view, &view->design->result);
    view->displaced = false;
}

/* Lanes ---------------------------------------------------------------------------------------- */

enum { BLOCK = 256 }; /* columns drawn at a time */

#define LEAST 1e-6 /* cells: minimum share of a span, so that it is visible */

/* Returns the place of a time in cells, without the rounding errors that would move packets a whole
 * number of cells apart by one. */
static double cell_in_plot(const struct plot *plot, double time)
{
    const double parts = 1e5; /* of a cell */

    return round(plot_place(&plot->x, time, plot->inside.columns) * parts) / parts;
}

static double whole_cells(double cells)
{
    return round(cells + LEAST);
}

/* A block of columns of a lane. */
struct lane_block {
    const struct timeline_view *view;
    const struct plot *plot;
    int first;                     /* first column */
    float part[BLOCK][LOOK_KINDS]; /* cells per kind of time; the sum is higher if frames overlap */
    bool other[BLOCK];             /* work of another frame */
    bool critical[BLOCK];
    bool parted[BLOCK]; /* a packet starts directly after another */
};

static double cell_of_time(const struct lane_block *d, double time)
{
    return cell_in_plot(d->plot, time);
}

static double time_of_cell(const struct lane_block *d, int cell)
{
    return plot_value(&d->plot->x, cell / (double)d->plot->inside.columns);
}

/* Adds `cells` of a look, evenly to what lies between two places. */
static void add_cells(struct lane_block *d, double left, double right, double cells, int look)
{
    double low = d->first;
    double high = smaller(d->first + BLOCK, d->plot->inside.columns);
    double density = right > left ? cells / (right - left) : 1;

    if (right < low || left > d->plot->inside.columns || left >= high)
        return;
    left = larger(low, left);
    right = smaller(high, larger(right, left));
    for (int c = (int)left; c < high && (c < right || c == (int)left); c++)
        d->part[c - d->first][look] +=
            (float)larger(LEAST, density * (smaller(right, c + 1) - larger(left, c)));
}

static void mark_cells(const struct lane_block *d, double left, double right, bool mark[BLOCK])
{
    int last = (int)smaller(ceil(right), d->plot->inside.columns);

    for (int c = (int)larger(left, d->first); c < d->first + BLOCK && (c < last || c == (int)left);
         c++)
        if (c < d->plot->inside.columns)
            mark[c - d->first] = true;
}

/* A slot with the places at which it begins, works and ends. */
struct placed_slot {
    const struct schedule_entry *slot;
    double from, busy, end; /* cells */
};

static struct placed_slot place_slot(const struct lane_block *d, const struct schedule_entry *slot)
{
    return (struct placed_slot){slot, cell_of_time(d, slot->did.from),
                                cell_of_time(d, timeline_busy_from(slot)),
                                cell_of_time(d, slot->did.end)};
}

/* Adds a slot in whole cells, as many for the same time wherever it is; up to the next packet if
 * that follows at once. The longer of wait and work has a cell at least. */
static void add_apart(struct lane_block *d, const struct placed_slot *at, double apart, int look)
{
    bool dot = apart > 0 && apart < APART && at->slot->did.works && at->end - at->from < 1;
    double left = floor(dot ? at->busy : at->from);
    double right = larger(left + larger(1, whole_cells(at->end - at->from)), floor(at->busy) + 1);
    double middle = smaller(left + whole_cells(at->busy - at->from), right);

    if (fabs(at->from + apart - at->end) < 1)
        right = larger(floor(at->from + apart), larger(middle, floor(at->busy) + 1));
    if (middle == right && at->slot->did.works && at->end - at->busy >= at->busy - at->from)
        middle = right - 1;
    if (middle > left)
        add_cells(d, left, middle, middle - left, LOOK_WAIT);
    if (at->slot->did.works && right > middle)
        add_cells(d, middle, right, right - middle, look);
    if (at->slot->did.critical)
        mark_cells(d, left, right, d->critical);
}

/* Adds a slot with its parts spread evenly up to the next packet or its own end. */
static void add_spread(struct lane_block *d, const struct placed_slot *at, double apart, int look)
{
    double to = larger(at->from + apart, at->end);

    if (at->busy > at->from)
        add_cells(d, at->from, to, at->busy - at->from, LOOK_WAIT);
    if (at->slot->did.works)
        add_cells(d, at->from, to, at->end - at->busy, look);
    if (at->slot->did.critical)
        mark_cells(d, at->from, at->end, d->critical);
}

/* Returns true if packets `apart` cells apart can be told apart. The last one of a sensor may
 * follow a little earlier than the others, which are a whole number of cells apart. */
static bool is_distinct(double apart)
{
    return apart <= 0 || round(apart) >= APART_IDLE;
}

/* Returns true if a packet, the next of which follows `apart` cells later, is drawn as it is. */
static bool is_apart(const struct placed_slot *at, double apart)
{
    return apart <= 0 || apart >= APART || (is_distinct(apart) && at->end - at->from < apart / 2);
}

/* Marks the border between contiguous packets that are wide enough to be distinguished. */
static void mark_parting(struct lane_block *d, const struct placed_slot *at,
                         const struct placed_slot *before)
{
    if (before->slot == NULL || at->from - before->from < APART || at->from - before->end > 1 ||
        at->from < d->first || at->from >= d->first + BLOCK)
        return;
    d->parted[(int)at->from - d->first] = true;
}

/* Adds the slots of the reported frame from number `first` to before `end`. */
static void add_slots(struct lane_block *d, const struct schedule_node *node, int first, int end)
{
    const struct schedule *lanes = &d->view->lanes;
    const struct schedule_entry *slot = lanes->slot;
    struct placed_slot before = {NULL, 0, 0, 0};
    struct placed_slot at, next;

    if (first >= end)
        return;
    if (first > node->first)
        before = place_slot(d, &slot[first - 1]);
    at = place_slot(d, &slot[first]);
    for (int i = first; i < end; i++, before = at, at = next) {
        int look = (int)timeline_bound_look(lanes, &slot[i]);
        bool last = i + 1 == node->first + node->count;
        double apart; /* to the next packet; the last one is drawn as it is */

        next = last ? at : place_slot(d, &slot[i + 1]);
        apart = last ? APART : next.from - at.from;
        if (is_apart(&at, apart))
            add_apart(d, &at, apart, look);
        else
            add_spread(d, &at, apart, look);
        mark_parting(d, &at, &before);
    }
}

/* Marks the work of another frame, up to the next packet where packets cannot be told apart. */
static void mark_slots(struct lane_block *d, const struct schedule_node *node, int first, int end,
                       double shift)
{
    for (int i = first; i < end; i++) {
        const struct schedule_entry *slot = &d->view->lanes.slot[i];
        double left = cell_of_time(d, timeline_busy_from(slot) + shift);
        double right = cell_of_time(d, slot->did.end + shift);

        if (!slot->did.works)
            continue;
        if (i + 1 < node->first + node->count) {
            double next = cell_of_time(d, timeline_busy_from(slot + 1) + shift);

            right = is_distinct(next - left) ? right : larger(right, next);
        }
        mark_cells(d, left, right, d->other);
    }
}

static void add_node_cells(struct lane_block *d, int n)
{
    const struct timeline_view *view = d->view;
    const struct schedule_node *node = &view->lanes.node[n];
    int first, last;

    if (!schedule_visible_frames(&view->lanes, n, view->from, view->to, &first, &last))
        return;
    for (int frame = first; frame <= last; frame++) {
        const double shift = frame * view->lanes.period;
        int slot, end;

        if (frame % node->divisor != 0)
            continue;
        /* roundings move a slot by less than two cells */
        schedule_visible_slots(&view->lanes, n, time_of_cell(d, d->first - 2) - shift,
                               time_of_cell(d, d->first + BLOCK + 2) - shift, &slot, &end);
        if (shift == 0)
            add_slots(d, node, slot, end);
        else
            mark_slots(d, node, slot, end, shift);
    }
}

/* Returns the look with the largest part of a cell, else that of other frames; -1: none. */
static int main_look(const struct lane_block *d, int c)
{
    int look = d->other[c] ? LOOK_OTHER : -1;
    float most = 0;

    for (int l = 0; l < LOOK_KINDS; l++)
        if (d->part[c][l] > most) {
            most = d->part[c][l];
            look = l;
        }
    return look;
}

static void draw_lane_look(const struct lane_block *d, int row, int column, int look, bool parted)
{
    static const struct look_sign line = {0x2502, '|'};
    const struct look *of = look_of((enum chart_look)look);

    canvas_put(d->plot->canvas, row, d->plot->inside.column + column, of->style,
               look_character(d->plot->canvas, parted ? line : of->fill));
}

/* Underlines the critical path: in the last row of a lane, or the cells of a lane of one row. */
static unsigned draw_block(const struct lane_block *d, int row, int rows)
{
    unsigned seen = 0;

    for (int c = 0; c < BLOCK && d->first + c < d->plot->inside.columns; c++) {
        struct rect cell = {row, d->plot->inside.column + d->first + c, 1, 1};
        int look = main_look(d, c);

        for (int r = 0; r < (rows > 1 ? rows - 1 : 1) && look >= 0; r++)
            draw_lane_look(d, row + r, d->first + c, look, d->parted[c]);
        seen |= look >= 0 ? 1U << look : 0;
        if (!d->critical[c])
            continue;
        seen |= 1U << LOOK_CRITICAL;
        if (rows == 1)
            canvas_underline(d->plot->canvas, cell);
        else
            draw_lane_look(d, row + rows - 1, d->first + c, LOOK_CRITICAL, false);
    }
    return seen;
}

/* Draws the lanes from the first visible one; returns the looks in use (bit k: enum chart_look
 * k). */
static unsigned draw_lane_cells(const struct timeline_view *view, const struct plot *plot,
                                int lanes)
{
    unsigned seen = 0;

    for (int l = 0; l < lanes; l++)
        for (int first = 0; first < plot->inside.columns; first += BLOCK) {
            const struct schedule_row *lane = &view->lanes.lane[view->by][view->rows.first + l];
            struct lane_block d = {.view = view, .plot = plot, .first = first};

            for (int n = 0; n < view->lanes.node_count; n++)
                if (schedule_row_holds(lane, &view->lanes, n))
                    add_node_cells(&d, n);
            seen |= draw_block(&d, plot->inside.row + l * plot->band, plot->band);
        }
    return seen;
}

/* Around the lanes ----------------------------------------------------------------------------- */

enum { LANES_SHOWN = 512 }; /* maximum on any screen */

/* Writes "0 s to 1.20 ms, 15.0 us/cell" at the right of the upper border. */
static void draw_window(const struct timeline_view *view, struct canvas *canvas, struct rect box,
                        int title)
{
    char from[40], to[40], cell[40], text[160];
    struct plot_axis axis = {PLOT_LINEAR, view->from, view->to, "s"};
    int room = box.columns - title - 6;
    int width;

    plot_label(&axis, view->from, from, sizeof from);
    plot_label(&axis, view->to, to, sizeof to);
    quantity_show((view->to - view->from) / (view->cells.columns > 0 ? view->cells.columns : 1),
                  "s", cell, sizeof cell);
    snprintf(text, sizeof text, " %s to %s, %s/cell ", from, to, cell);
    if (text_width(text) > room)
        snprintf(text, sizeof text, " %s to %s ", from, to);
    width = text_width(text);
    if (width <= room)
        canvas_text(canvas, box.row, box.column + box.columns - 2 - width, width, STYLE_NORMAL,
                    text);
}

/* A vertical rule; in ASCII its character differs from the fill of memory. */
static const struct look_sign time_rule = {0x2506, '!'};

struct kind_entry {
    enum style style;
    struct look_sign sign;
    const char *name, *meaning;
};

enum { LEGEND_KINDS = 8, LEGEND_ENTRIES = LEGEND_KINDS + 1 };

/* Lists the looks in use and `rules`, the names of rules that have none beside them. */
static int list_legend(unsigned seen, bool underlined, bool brief, const char *rules,
                       struct kind_entry entry[LEGEND_ENTRIES])
{
    static const struct {
        enum chart_look look;
        const char *name, *brief, *meaning;
    } kinds[LEGEND_KINDS] = {
        {LOOK_CRITICAL, "critical path", "critical", "waits and work that delay the last command"},
        {LOOK_WAIT, "delay, wait", "wait", "ready, but on the way or behind other work"},
        {LOOK_COMPUTE, "compute", "compute", "work that arithmetic limits"},
        {LOOK_MEMORY, "memory", "memory", "work that a cache or the memory limits"},
        {LOOK_OVERHEAD, "overhead", "overhead", "start of kernels, threads and calls"},
        {LOOK_LINK, "link", "link", "bytes between devices and ports"},
        {LOOK_READOUT, "readout", "readout", "the camera sends"},
        {LOOK_OTHER, "other frames", "others", "work of the frames before and after"},
    };
    int count = 0;

    for (int k = 0; k < LEGEND_KINDS; k++) {
        const struct look *look = look_of(kinds[k].look);
        bool line = underlined && kinds[k].look == LOOK_CRITICAL;

        if ((seen >> kinds[k].look & 1) != 0)
            entry[count++] =
                (struct kind_entry){look->style, line ? (struct look_sign){'_', '_'} : look->fill,
                                    brief ? kinds[k].brief : kinds[k].name, kinds[k].meaning};
    }
    if (rules[0] != '\0')
        entry[count++] = (struct kind_entry){STYLE_DIM, time_rule, rules, ""};
    return count;
}

static int draw_legend_entry(struct canvas *canvas, int row, int column,
                             const struct kind_entry *entry)
{
    int width = text_width(entry->name) + 4;

    canvas_put(canvas, row, column, STYLE_NORMAL, ' ');
    canvas_put(canvas, row, column + 1, entry->style, look_character(canvas, entry->sign));
    canvas_printf(canvas, row, column + 2, width - 2, STYLE_NORMAL, " %s ", entry->name);
    return width;
}

/* Draws the entries one after the other in rows up to the lower border of the box, the first of
 * them `above` rows above it, and leaves out what does not fit. Returns the rows needed. */
static int draw_legend_rows(struct canvas *canvas, struct rect box, int above,
                            const struct kind_entry *entry, int count)
{
    int left = box.column + 2;
    int row = box.row + box.rows - 1 - above;
    int column = left;
    int rows = 1;

    for (int e = 0; e < count; e++) {
        int width = text_width(entry[e].name) + 4;

        if (column > left && column + width > box.column + box.columns - 2) {
            column = left;
            row++;
            rows++;
        }
        if (above >= 0 && row < box.row + box.rows && column + width < box.column + box.columns)
            draw_legend_entry(canvas, row, column, &entry[e]);
        column += width;
    }
    return rows;
}

/* Draws the legend: in `spare`, the rows below the axis, an entry per row with its meaning if they
 * all fit, else in the lower border and as many rows above it as are needed. */
static void draw_legend(struct canvas *canvas, struct rect box, struct rect spare, unsigned seen,
                        bool underlined, const char *rules)
{
    enum { NAMES = 18 };
    struct kind_entry entry[LEGEND_ENTRIES];
    int count = list_legend(seen, underlined, false, rules, entry);
    int above = draw_legend_rows(canvas, box, -1, entry, count) - 1;

    if (count > spare.rows || spare.columns < 4 * NAMES) {
        if (above > spare.rows)
            list_legend(seen, underlined, true, rules, entry);
        draw_legend_rows(canvas, box, above < spare.rows ? above : spare.rows, entry, count);
        return;
    }
    for (int e = 0; e < count; e++) {
        int row = spare.row + spare.rows - count + e;

        draw_legend_entry(canvas, row, spare.column, &entry[e]);
        canvas_text(canvas, row, spare.column + NAMES, spare.columns - NAMES, STYLE_DIM,
                    entry[e].meaning);
    }
}

/* Draws a rule behind everything; in ASCII its character differs from the fill of memory. */
static void draw_time_rule(const struct plot *plot, int column, enum style style)
{
    for (int r = 0; r < plot->inside.rows; r++)
        if (canvas_at(plot->canvas, plot->inside.row + r, column) == ' ')
            canvas_put(plot->canvas, plot->inside.row + r, column, style,
                       look_character(plot->canvas, time_rule));
}

/* Writes a name into the blank cells of a row, at `column` or the nearest place within `by` cells.
 * Two cells stay blank around it. Returns false without room. */
static bool draw_rule_name(const struct plot *plot, int row, int column, int by, enum style style,
                           const char *name)
{
    const struct rect *inside = &plot->inside;
    int width = text_width(name);

    for (int away = 0; away <= 2 * by; away++) {
        int at = column + (away % 2 == 0 ? away / 2 : -(away + 1) / 2);
        bool free = at >= inside->column && at + width <= inside->column + inside->columns;

        for (int c = at - 2; c <= at + width + 1 && free; c++)
            free = canvas_at(plot->canvas, row, c) == ' ' || c < inside->column ||
                   c >= inside->column + inside->columns;
        if (!free)
            continue;
        canvas_text(plot->canvas, row, at, width, style, name);
        return true;
    }
    return false;
}

/* An end of the latency; one outside the window is an arrow at its border. */
struct interval_end {
    int column;
    bool inside;
};

/* Draws "|- data in --- 60.1 us --- command out -|" between the two. Returns false without room
 * for the latency, and leaves the names out (`named`) if they do not fit. */
static bool draw_interval(const struct plot *plot, int row, const struct interval_end end[2],
                          const struct timeline_rule rule[TIMELINE_RULES], const char *latency,
                          bool *named)
{
    static const struct look_sign line = {0x2500, '-'};
    static const struct look_sign sign[2][2] = {{{0x2190, '<'}, {0x251C, '|'}},
                                                {{0x2192, '>'}, {0x2524, '|'}}};
    int left = end[0].column;
    int right = end[1].column;
    int width = text_width(latency) + 2;
    int names = 0;

    if (right - left - 1 < width)
        return false;
    for (int c = left; c <= right; c++)
        canvas_put(plot->canvas, row, c, STYLE_TITLE, look_character(plot->canvas, line));
    canvas_printf(plot->canvas, row, (left + right + 1 - width) / 2, width, STYLE_TITLE, " %s ",
                  latency);
    for (int e = 0; e < 2; e++) {
        canvas_put(plot->canvas, row, end[e].column, STYLE_TITLE,
                   look_character(plot->canvas, sign[e][end[e].inside]));
        names += text_width(rule[e].name) + 2;
    }
    *named = right - left - 7 >= names + width;
    for (int e = 0; e < 2 && *named; e++) {
        width = text_width(rule[e].name) + 2;
        if (end[e].inside)
            canvas_printf(plot->canvas, row, e == 0 ? left + 2 : right - 1 - width, width,
                          look_of(rule[e].look)->style, " %s ", rule[e].name);
    }
    return true;
}

/* Writes the latency between the last pixel and the command, or as near as there is room. Returns
 * true if both are named. */
static bool draw_latency(const struct timeline_view *view, const struct plot *plot, int row,
                         const struct timeline_rule rule[TIMELINE_RULES])
{
    const struct quantity latency = quantity_text(view->lanes.latency, "s");
    int columns = plot->inside.columns;
    struct interval_end end[2];
    bool named = false;
    char text[64];

    for (int e = 0; e < 2; e++) {
        double at = plot_place(&plot->x, rule[e].at, columns);

        end[e].inside = at >= 0 && at <= columns;
        end[e].column = plot->inside.column + (int)larger(0, smaller(at, columns - 1));
    }
    if (view->lanes.latency <= 0 || rule[1].at < view->from || rule[0].at >= view->to)
        return false;
    if (draw_interval(plot, row, end, rule, latency.text, &named))
        return named;
    snprintf(text, sizeof text, "latency %s", latency.text);
    draw_rule_name(plot, row, (end[0].column + end[1].column + 1 - text_width(text)) / 2, columns,
                   STYLE_TITLE, text);
    return false;
}

/* Lists the names of the rules of a set (bit r: rule r) in the order of their times. */
static void print_rules(const struct timeline_rule rule[TIMELINE_RULES], unsigned set, char *text,
                        size_t size)
{
    text[0] = '\0';
    while (set != 0) {
        size_t used = strlen(text);
        int next = -1;

        for (int r = 0; r < TIMELINE_RULES; r++)
            if ((set >> r & 1) != 0 && (next < 0 || rule[r].at < rule[next].at))
                next = r;
        snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", rule[next].name);
        set &= ~(1U << next);
    }
}

/* Writes the latency, then the names of rules, into a separate row, where they do not overlap.
 * `skipped`: rule that is not drawn, or -1. Prints the names without room. */
static void draw_time_rules(const struct timeline_view *view, const struct plot *plot, int row,
                            int skipped, char *unnamed, size_t size)
{
    enum { NAME_AWAY = 14 }; /* cells from its rule to a name */
    struct timeline_rule rule[TIMELINE_RULES];
    unsigned set = 0; /* of rules without a name */
    int named = 0;    /* rules that are named already */

    timeline_rules(&view->lanes, rule);
    if (row >= 0)
        named = draw_latency(view, plot, row, rule) ? 2 : 0;
    for (int r = 0; r < TIMELINE_RULES; r++) {
        int columns = plot->inside.columns;
        double at = plot_place(&plot->x, rule[r].at, columns);
        enum style style = look_of(rule[r].look)->style;

        if (!(at >= 0 && at <= columns) || r == skipped)
            continue;
        draw_time_rule(plot, plot->inside.column + (int)smaller(at, columns - 1), style);
        if (r >= named && !(row >= 0 && draw_rule_name(plot, row,
                                                       plot->inside.column + (int)at -
                                                           text_width(rule[r].name) / 2,
                                                       NAME_AWAY, style, rule[r].name)))
            set |= 1U << r;
    }
    print_rules(rule, set, unnamed, size);
}

/* Marks the ends of a slot in its first row only: its fill and colour say what kind of time it is.
 * Where they would hide all of it, the fill is reversed, unless it has no other colour in it. */
static void mark_slot(struct canvas *canvas, struct rect cells)
{
    const uint32_t mark[2] = {mark_character(canvas, MARK_FOCUS),
                              canvas->unicode ? 0x2039U : (uint32_t)'<'};
    const uint32_t full = look_of(LOOK_COMPUTE)->fill.unicode;
    bool hides = cells.rows == 1 && cells.columns <= 2;

    for (int end = cells.columns > 1 ? 1 : 0; end >= 0; end--) {
        int column = cells.column + end * (cells.columns - 1);
        struct cell *cell = &canvas->cells[cells.row * canvas->columns + column];
        bool critical = cell->underline;

        canvas_put(canvas, cells.row, column, STYLE_FOCUS,
                   hides && cell->character != full ? cell->character : mark[end]);
        cell->underline = critical;
    }
}

/* Highlights the slot under the cursor and the name of its lane. */
static void draw_slot_cursor(const struct timeline_view *view, struct canvas *canvas,
                             const struct plot *plot, struct rect inside)
{
    int rows = plot->band > 1 ? plot->band - 1 : 1;
    struct rect name = {plot->inside.row +
                            (list_pane_focus(&view->rows) - view->rows.first) * plot->band,
                        inside.column, 1, plot->inside.column - 1 - inside.column};
    struct rect cells = {name.row, plot->inside.column, rows, 1};
    const struct schedule_entry *slot = &view->lanes.slot[view->slot];
    double left = cell_in_plot(plot, slot->did.from);
    double right = cell_in_plot(plot, slot->did.end);

    canvas_restyle(canvas, name, STYLE_SELECTED);
    canvas->cursor_row = name.row;
    canvas->cursor_column = inside.column;
    canvas->cursor = (struct rect){name.row, inside.column, rows, inside.columns};
    if (right < 0 || left > plot->inside.columns)
        return;
    left = larger(0, smaller(left, plot->inside.columns - 1));
    right = smaller(right, plot->inside.columns);
    cells.column += (int)left;
    cells.columns = (int)larger(1, whole_cells(right - left)); /* as add_apart draws it */
    mark_slot(canvas, cells);
    canvas->cursor_column = cells.column;
}

/* Opens the plot. Without the focus, its axis counts from the last pixel. */
static bool open_plot(const struct timeline_view *view, struct canvas *canvas, struct rect area,
                      bool focus, char *const *name, int shown, struct plot *plot)
{
    double zero = focus ? 0 : view->lanes.last_pixel;
    struct plot_axis x = {focus ? PLOT_LINEAR : PLOT_BRIEF, view->from - zero, view->to - zero,
                          "s"};

    if (!plot_open_rows(plot, canvas, area, x, name, shown))
        return false;
    plot->x.low = view->from;
    plot->x.high = view->to;
    return true;
}

/* Without the focus, the rule of the command is left out, so that a change of the latency writes
 * few bytes to the terminal; and the legend leaves out what Explore's has. */
static void draw_lanes(struct timeline_view *view, struct canvas *canvas, struct rect box,
                       struct rect inside, bool focus)
{
    enum { LABELS_FROM = 6, AXIS = 2, COMMAND = 1, LEGEND_BESIDE = 2 };
    const unsigned known = 1U << LOOK_COMPUTE | 1U << LOOK_MEMORY | 1U << LOOK_OVERHEAD;
    unsigned seen;
    int count = view->lanes.count[view->by];
    int labels = inside.rows >= LABELS_FROM ? 1 : 0;
    int shown = inside.rows - labels - AXIS;
    int legend = !focus && shown - LEGEND_BESIDE >= 2 * count ? LEGEND_BESIDE : 0;
    struct rect area = {inside.row + labels, inside.column, inside.rows - labels - legend,
                        inside.columns};
    struct rect spare = {0, inside.column, 0, inside.columns};
    char *name[LANES_SHOWN];
    char rules[96];
    struct list_pane *list = &view->rows;
    struct list_pane bar; /* beside the whole box */
    struct plot plot;

    shown = shown > count ? count : shown;
    shown = shown > LANES_SHOWN ? LANES_SHOWN : shown;
    if (shown < 1)
        return;
    list_pane_lay(list, (struct rect){area.row, area.column, shown, area.columns}, count);
    for (int l = 0; l < shown; l++)
        name[l] = view->lanes.lane[view->by][view->rows.first + l].name;
    if (focus) {
        set_columns(view, plot_row_columns(area, name, shown));
    } else {
        view->columns = plot_row_columns(area, name, shown);
        view->to = view->from + even_width(view, view->to - view->from, view->to - view->from);
    }
    if (!open_plot(view, canvas, area, focus, name, shown, &plot))
        return;
    view->cells = plot.inside;
    view->band = plot.band;
    seen = draw_lane_cells(view, &plot, shown);
    draw_time_rules(view, &plot, labels > 0 ? inside.row : -1, focus ? -1 : COMMAND, rules,
                    sizeof rules);
    spare.row = plot.inside.row + plot.inside.rows + AXIS;
    spare.rows = inside.row + inside.rows - spare.row;
    draw_legend(canvas, box, spare, focus ? seen : seen & ~known, plot.band == 1, rules);
    if (focus)
        draw_slot_cursor(view, canvas, &plot, inside);
    list->page = plot.inside.rows > 1 ? plot.inside.rows - 1 : 1;
    bar = *list;
    bar.area = rect_inside(box);
    bar.total = count > shown ? count + inside.rows - shown : 0;
    list_pane_draw_bar(&bar, canvas, box.column + box.columns - 1, focus);
}

/* Shows why the design is invalid; returns the rows used. */
static int draw_problem(const struct timeline_view *view, struct canvas *canvas, struct rect inside)
{
    struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};
    int rows = canvas_wrap(canvas, text, 0, STYLE_ERROR, view->design->problem.message);

    return rows < inside.rows ? rows : inside.rows;
}

/* Draws the border of a box; returns the width of the title. */
static int draw_frame(const struct timeline_view *view, struct canvas *canvas, struct rect box,
                      bool focus)
{
    char title[64];

    snprintf(title, sizeof title, "Timeline by %s%s%s",
             view->by == ROWS_BY_COMPONENT ? "component" : "device",
             view->lanes.overloaded ? ", overloaded" : "",
             view->slot >= 0 ? design_stale_mark(view->design) : "");
    widget_pane(canvas, box, title, focus);
    return text_width(title);
}

static void timeline_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct timeline_view *view = state;
    struct rect inside = rect_inside(body);
    int title;

    renew_schedule(view);
    view->box = body;
    view->cells = (struct rect){0, 0, 0, 0};
    view->rows.page = 1;
    title = draw_frame(view, canvas, body, true);
    if (!design_is_valid(view->design)) {
        int rows = draw_problem(view, canvas, inside);

        inside.row += rows;
        inside.rows -= rows;
    }
    if (view->slot < 0)
        return;
    draw_lanes(view, canvas, body, inside, true);
    draw_window(view, canvas, body, title + 2);
}

void timeline_draw_beside(struct timeline_view *view, struct canvas *canvas, struct rect box)
{
    static const char opens[] = " 2 opens ";
    const double before = 0.1; /* part of the scale that is shown before the last pixel */
    const struct schedule *lanes = &view->lanes;
    struct rect inside = rect_inside(box);
    int width = text_width(opens);
    struct timeline_view beside;
    int title;

    renew_lanes(view);
    bar_scale_keep(&view->beside, 0, lanes->latency, false);
    beside = *view;
    beside.node[0] = '\0';
    beside.scope = SCOPE_WHOLE;
    restore_slot(&beside, &view->design->result);
    if (lanes->latency > 0) {
        beside.from = larger(0, lanes->last_pixel - before * view->beside.high);
        beside.to = lanes->last_pixel + view->beside.high;
    }
    title = draw_frame(&beside, canvas, box, false);
    if (box.columns > title + width + 6)
        canvas_text(canvas, box.row, box.column + box.columns - 2 - width, width, STYLE_DIM, opens);
    if (beside.slot >= 0)
        draw_lanes(&beside, canvas, box, inside, false);
    if (!design_is_valid(view->design))
        canvas_restyle(canvas, inside, STYLE_DIM);
}

/* Detail line ---------------------------------------------------------------------------------- */

/* Prints " critical" or ", slack 3.2 us" before the text that a narrow screen cuts off. */
static void print_slot_slack(const struct timeline_view *view, const struct schedule_entry *slot,
                             char *text, size_t size)
{
    const struct schedule_node *node = &view->lanes.node[slot->node];
    char time[40];

    text[0] = '\0';
    if (slot->did.critical)
        snprintf(text, size, " critical");
    else if (slot->number == node->packets - 1 && node->slack != RESULT_NONE) {
        quantity_show(node->slack, "s", time, sizeof time);
        snprintf(text, size, ", slack %s", time);
    }
}

/* Prints "ready 500, 505 to 511 us" in the unit of the end, with the decimals that give it three
 * digits and tell it from the start; `ready` only if wanted and the slot had to wait. */
static void print_slot_times(const struct schedule_entry *slot, bool wanted, char *text,
                             size_t size)
{
    char ready[40], start[40], end[40], unit[40];
    struct buffer line = buffer_over(text, size);
    double whole;
    int decimals;

    quantity_print(slot->did.end, "s", end, sizeof end);
    snprintf(unit, sizeof unit, "%s", strchr(end, ' ') + 1);
    whole = unit_from_si(slot->did.end, unit);
    decimals = whole >= 99.95 ? 0 : whole >= 9.995 ? 1 : 2;
    do {
        number_fixed(unit_from_si(slot->did.ready, unit), decimals, ready, sizeof ready);
        number_fixed(unit_from_si(slot->did.start, unit), decimals, start, sizeof start);
        number_fixed(whole, decimals, end, sizeof end);
    } while (strcmp(start, end) == 0 && decimals++ < 4);
    if (wanted && strcmp(ready, start) != 0)
        buffer_print(&line, "ready %s, ", ready);
    buffer_print(&line, "%s to %s %s", start, end, unit);
    text_micro(text, size);
}

/* Prints "5.86 us overhead" or "delay 6.50 us, waits 1.20 us, busy 5.86 us overhead"; for a link
 * also the time from the wire to the arrival: "1.93 us link, latency 5.60 us". Without `whole`, the
 * busy time alone. */
static void print_slot_work(const struct schedule_entry *slot, enum bound bound, const char *limit,
                            bool whole, char *text, size_t size)
{
    const double seen = 0.5e-9; /* s; rounding is less */
    const double delay = slot->did.start - slot->did.from - slot->did.wait;
    const double latency = slot->did.end - slot->did.start - slot->did.busy;
    struct buffer line = buffer_over(text, size);

    if (whole && delay >= seen && bound != BOUND_READOUT)
        buffer_print(&line, "delay %s, ", quantity_text(delay, "s").text);
    if (whole && slot->did.wait >= seen)
        buffer_print(&line, "waits %s, ", quantity_text(slot->did.wait, "s").text);
    buffer_print(&line, "%s%s %s", line.length > 0 ? "busy " : "",
                 quantity_text(slot->did.busy, "s").text, limit);
    if (whole && bound == BOUND_LINK && latency >= seen)
        buffer_print(&line, ", latency %s", quantity_text(latency, "s").text);
}

/* Shows the slot at the cursor. On a narrow screen the time at which it was ready is left out
 * first, then delays, then its times, so that no number is cut. */
static void timeline_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    static const struct {
        bool ready, times, whole;
    } forms[] = {{true, true, true}, {false, true, true}, {false, true, false}, {false}};
    struct timeline_view *view = state;
    char name[40], when[160], work[200], standing[96], text[512];
    const struct schedule_entry *slot;
    const struct schedule_node *node;
    const struct result *result = &view->design->result;
    const char *limit;
    int used, number;

    if (view->slot < 0)
        return;
    slot = &view->lanes.slot[view->slot];
    node = &view->lanes.node[slot->node];
    number = result_find_node(result, node->name);
    limit = number < 0
                ? bound_name(node->bound)
                : verdict_bound_word(design_evaluated(view->design), result, number, node->bound);
    timeline_slot_name(&view->lanes, slot, name, sizeof name);
    print_slot_slack(view, slot, standing, sizeof standing);
    used = canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_TITLE, node->name) + 2;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        print_slot_times(slot, forms[f].ready, when, sizeof when);
        print_slot_work(slot, node->bound, limit, forms[f].whole, work, sizeof work);
        snprintf(text, sizeof text, "%s%s%s%s \xC2\xB7 %s", name, standing,
                 forms[f].times ? " \xC2\xB7 " : "", forms[f].times ? when : "", work);
        if (text_width(text) <= line.columns - used - 1)
            break;
    }
    canvas_text(canvas, line.row, used, line.columns - used - 1, STYLE_DIM, text);
}

/* Keys ----------------------------------------------------------------------------------------- */

static void timeline_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct timeline_view *view = state;
    const struct schedule_node *node;

    if (view->slot < 0)
        return;
    node = &view->lanes.node[view->lanes.slot[view->slot].node];
    snprintf(cursor->path, sizeof cursor->path, "component.%s.time", node->name);
    cursor->section = SECTION_COMPONENT;
    if (!node->inserted)
        cursor->index = design_find_component(view->design, node->name);
}

static void show_slot_knobs(struct timeline_view *view)
{
    struct view_cursor cursor = {.index = -1};

    timeline_view_cursor(view, &cursor);
    if (cursor.index >= 0)
        host_show_knob(view->host, cursor.section, cursor.index, NULL, SHOW_OPEN);
    else if (view->slot >= 0)
        host_say(view->host, NOTICE_NORMAL, "%s is a transfer between devices: it has no knobs",
                 view->node);
}

static const char *timeline_view_enter(const void *state)
{
    struct view_cursor cursor = {.index = -1};

    timeline_view_cursor(state, &cursor);
    return cursor.index >= 0 ? "show knobs" : NULL;
}

static void act_window(struct timeline_view *view, enum action_id id)
{
    static const enum timeline_scope next[] = {[SCOPE_WHOLE] = SCOPE_TAIL,
                                               [SCOPE_TAIL] = SCOPE_FRAMES,
                                               [SCOPE_FRAMES] = SCOPE_WHOLE,
                                               [SCOPE_FREE] = SCOPE_WHOLE};

    if (id == ACTION_ZOOM_IN || id == ACTION_ZOOM_OUT)
        zoom_window(view, id == ACTION_ZOOM_IN ? 1.0 / ZOOM : ZOOM, cursor_time(view));
    else if (id == ACTION_PAN_LEFT || id == ACTION_PAN_RIGHT)
        pan_window(view, id == ACTION_PAN_LEFT ? -PAN : PAN);
    else if (id == ACTION_FIT)
        set_scope(view, next[view->scope]);
    else if (id == ACTION_VARIANT)
        switch_lanes(view);
}

static void act_cursor(struct timeline_view *view, enum action_id id)
{
    const struct schedule_row *lane = lane_of(view);
    int before = list_pane_focus(&view->rows);
    double time = cursor_time(view);

    if (id == ACTION_LEFT || id == ACTION_RIGHT)
        focus_slot(view,
                   schedule_next_slot(&view->lanes, lane, view->slot, id == ACTION_LEFT ? -1 : 1));
    else if (id == ACTION_START || id == ACTION_END)
        focus_slot(view, schedule_next_slot(&view->lanes, lane, -1, id == ACTION_END ? -1 : 1));
    else if (list_pane_act(&view->rows, id))
        follow_lane(view, before, time);
}

static void timeline_view_act(void *state, enum action_id id, const char *argument)
{
    struct timeline_view *view = state;

    (void)argument;
    renew_schedule(view);
    if (id == ACTION_ENTER)
        show_slot_knobs(view);
    if (view->slot < 0)
        return;
    act_window(view, id);
    act_cursor(view, id);
}

static void timeline_view_mouse(void *state, const struct key_event *event)
{
    struct timeline_view *view = state;
    bool wheel = event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN;
    int column = event->column - view->cells.column;
    double time = view->from + (column + 0.5) * (view->to - view->from) / view->cells.columns;
    bool up = event->mouse == MOUSE_WHEEL_UP;
    int before = list_pane_focus(&view->rows);
    double cursor = cursor_time(view);

    if (view->slot < 0 || view->cells.rows == 0 ||
        !rect_holds(view->box, event->row, event->column))
        return;
    if (wheel && column >= 0) {
        zoom_window(view, up ? 1.0 / ZOOM : ZOOM, time);
    } else if (wheel) {
        list_pane_move(&view->rows, up ? -1 : 1);
        follow_lane(view, before, cursor);
    } else if (event->mouse == MOUSE_PRESS && event->row >= view->cells.row &&
               event->row < view->cells.row + view->cells.rows) {
        list_pane_set(&view->rows, view->rows.first + (event->row - view->cells.row) / view->band);
        follow_lane(view, before, cursor);
        if (column >= 0)
            focus_slot(view, schedule_nearest_slot(&view->lanes, lane_of(view), time));
    }
}

static bool timeline_view_chart(void *state, struct chart *chart)
{
    struct timeline_view *view = state;
    struct timeline_window window;

    renew_schedule(view);
    if (view->slot < 0)
        return false;
    window = (struct timeline_window){view->by, view->from, view->to, 0};
    timeline_chart(&view->lanes, &window, chart);
    return true;
}

const struct view view_timeline = {
    .name = "timeline",
    .start = timeline_view_start,
    .free = timeline_view_free,
    .changed = timeline_view_changed,
    .pane = PANE_TIMELINE,
    .draw = timeline_view_draw,
    .detail = timeline_view_detail,
    .act = timeline_view_act,
    .mouse = timeline_view_mouse,
    .chart = timeline_view_chart,
    .enter = timeline_view_enter,
    .cursor = timeline_view_cursor,
};
