#include <string.h>

#include "base/number.h"
#include "charts/timeline.h"
#include "draw/looks.h"
#include "tui/view_timeline.h"

enum { BLOCK = 256 }; /* columns that are looked at together */

/* What is less than a cell is never nothing. */
#define LEAST 1e-6 /* of a cell */

/* What fills the cells of a lane. */
struct lane_cells {
    float part[BLOCK][LOOK_FIRST]; /* of each look, in cells; in sum more where frames overlap */
    bool parted[BLOCK];            /* a packet begins where the one before ends */
};

struct drawing {
    const struct timeline_view *view;
    const struct plot *plot;
    int block; /* its first column */
    struct lane_cells fill;
};

static double column_of(const struct drawing *d, double time)
{
    return plot_place(&d->plot->x, time, d->plot->inside.columns);
}

static void take(struct drawing *d, double from, double to, enum chart_look look)
{
    double left = column_of(d, from);
    double right = column_of(d, to);
    double low = d->block;
    double high = smaller(d->block + BLOCK, d->plot->inside.columns);

    if (right < low || left > d->plot->inside.columns || left >= high)
        return;
    left = larger(low, left);
    right = smaller(high, larger(right, left));
    for (int c = (int)left; c < high && (c < right || c == (int)left); c++)
        d->fill.part[c - d->block][look] +=
            (float)larger(LEAST, smaller(right, c + 1) - larger(left, c));
}

/* A line where a packet follows another at once and each has cells enough to be told apart. */
static void part(struct drawing *d, const struct schedule_entry *slot,
                 const struct schedule_entry *before)
{
    enum { CELLS = 2 };
    double left = column_of(d, slot->did.from);
    double right = column_of(d, slot->did.end);

    if (before == NULL || before->node != slot->node || right - left < CELLS ||
        left - column_of(d, before->did.end) > 1 || left < d->block || left >= d->block + BLOCK)
        return;
    d->fill.parted[(int)left - d->block] = true;
}

static void take_slot(struct drawing *d, int number, double shift)
{
    const struct schedule *lanes = &d->view->lanes;
    const struct schedule_entry *slot = &lanes->slot[number];
    double busy = timeline_busy_from(slot);

    if (shift != 0) {
        if (slot->did.works)
            take(d, busy + shift, slot->did.end + shift, LOOK_OTHER);
        return;
    }
    if (busy > slot->did.from)
        take(d, slot->did.from, busy, LOOK_WAIT);
    if (busy > slot->did.from && slot->did.critical)
        take(d, slot->did.from, busy, LOOK_CRITICAL_WAIT);
    if (slot->did.works)
        take(d, busy, slot->did.end, timeline_bound_look(lanes, slot));
    if (slot->did.works && slot->did.critical)
        take(d, busy, slot->did.end, LOOK_CRITICAL);
    part(d, slot, number > 0 ? slot - 1 : NULL);
}

static void take_node(struct drawing *d, int n)
{
    const struct timeline_view *view = d->view;
    const struct schedule_node *node = &view->lanes.node[n];
    int first, last;

    if (!schedule_visible_frames(&view->lanes, n, view->from, view->to, &first, &last))
        return;
    for (int frame = first; frame <= last; frame++)
        for (int i = node->first; i < node->first + node->count && frame % node->divisor == 0; i++)
            take_slot(d, i, frame * view->lanes.period);
}

/* What is critical in a cell; -1: nothing. */
static int critical(const float part[LOOK_FIRST])
{
    int look = part[LOOK_CRITICAL] >= part[LOOK_CRITICAL_WAIT] ? LOOK_CRITICAL : LOOK_CRITICAL_WAIT;

    return part[look] > 0 ? look : -1;
}

/* What there is most of in a cell, other frames last; -1: nothing. */
static int most(const float part[LOOK_FIRST])
{
    int look = LOOK_OTHER;

    for (int l = LOOK_COMPUTE; l <= LOOK_WAIT; l++)
        if (part[l] > 0 && (look == LOOK_OTHER || part[l] > part[look]))
            look = l;
    return part[look] > 0 ? look : -1;
}

static void put(const struct drawing *d, int row, int column, int look, bool parted)
{
    static const struct look_sign line = {0x2502, '|'};
    const struct look *of = look_of((enum chart_look)look);

    canvas_put(d->plot->canvas, row, d->plot->inside.column + column, of->style,
               look_character(d->plot->canvas, parted ? line : of->fill));
}

/* A lane's last row tells what is critical; one of a single row tells that before all else. */
static unsigned draw_block(const struct drawing *d, int row, int rows)
{
    unsigned seen = 0;

    for (int c = 0; c < BLOCK && d->block + c < d->plot->inside.columns; c++) {
        int path = critical(d->fill.part[c]);
        int look = rows == 1 && path >= 0 ? path : most(d->fill.part[c]);

        if (look < 0)
            continue;
        seen |= 1U << look;
        for (int r = 0; r < (rows > 1 ? rows - 1 : 1); r++)
            put(d, row + r, d->block + c, look, d->fill.parted[c]);
        if (rows == 1 || path < 0)
            continue;
        seen |= 1U << path;
        put(d, row + rows - 1, d->block + c, path, false);
    }
    return seen;
}

unsigned timeline_cells(const struct timeline_view *view, const struct plot *plot, int lanes)
{
    struct drawing d = {.view = view, .plot = plot};
    unsigned seen = 0;

    for (int l = 0; l < lanes; l++)
        for (d.block = 0; d.block < plot->inside.columns; d.block += BLOCK) {
            const struct schedule_row *lane = &view->lanes.lane[view->by][view->first + l];

            memset(&d.fill, 0, sizeof d.fill);
            for (int n = 0; n < view->lanes.node_count; n++)
                if (schedule_row_holds(lane, &view->lanes, n))
                    take_node(&d, n);
            seen |= draw_block(&d, plot->inside.row + l * plot->band, plot->band);
        }
    return seen;
}
