#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "charts/timeline.h"
#include "check.h"
#include "draw.h"

static const char *const keys[] = {
    "+",    "+",     "-",    "<",   ">",      "0",        "v", "Up", "Down",
    "Left", "Right", "Home", "End", "PageUp", "PageDown", ",", ".",
};

enum { KEYS = sizeof keys / sizeof keys[0] };

/* The window is within its limits, the cursor on a slot of its lane. */
static void stays_inside(struct fixture *f, const char *where)
{
    const struct timeline_view *view = &f->app->timeline;
    double low, high;

    /* a frame more at either end */
    timeline_whole(&view->lanes, &low, &high);
    low -= view->lanes.period;
    high = fmax(high, view->lanes.period) + view->lanes.period;
    CHECK_TRUE(view->from >= low && view->to <= high && view->from < view->to,
               "%s: window %.12g to %.12g s of %.12g to %.12g", where, view->from, view->to, low,
               high);
    if (!CHECK_TRUE(view->rows.focus >= 0 && view->rows.focus < view->lanes.count[view->by] &&
                        view->slot >= 0 && view->slot < view->lanes.slot_count,
                    "%s: lane %d, slot %d", where, view->rows.focus, view->slot))
        return;
    CHECK_TRUE(schedule_row_holds(&view->lanes.lane[view->by][view->rows.focus], &view->lanes,
                                  view->lanes.slot[view->slot].node),
               "%s: %s is not on lane %s", where, view->node,
               view->lanes.lane[view->by][view->rows.focus].name);
    CHECK_TRUE(view->rows.first <= view->rows.focus && f->canvas.cursor_row >= view->cells.row &&
                   f->canvas.cursor_row < view->cells.row + view->cells.rows,
               "%s: the cursor is in row %d", where, f->canvas.cursor_row);
}

/* Evenly spaced packets look even: they start a whole number of cells apart. */
static void is_even(const struct fixture *f, const char *where)
{
    const struct timeline_view *view = &f->app->timeline;
    const struct schedule_entry *slot = view->lanes.slot;
    double low, high, cells;

    timeline_whole(&view->lanes, &low, &high);
    high = fmax(high, view->lanes.period) + 2 * view->lanes.period - low;
    if (view->lanes.packets < 2 || view->to - view->from > high / 2)
        return;
    cells = (slot[1].did.start - slot[0].did.start) / (view->to - view->from) * view->cells.columns;
    CHECK_TRUE(cells < 4 || fabs(cells - round(cells)) < 1e-3, "%s: %.6f cells", where, cells);
}

#define ROUNDING 1e-5 /* cells: a packet that starts at the border of a cell is in the next */

/* Of all slots some cell, of critical ones one that says so, at any zoom. */
static void shows_all(struct fixture *f, const char *where)
{
    const struct timeline_view *view = &f->app->timeline;
    struct plot_axis axis = {PLOT_LINEAR, view->from, view->to, "s"};
    int lanes = view->cells.rows / (view->band > 0 ? view->band : 1);

    for (int l = 0; l < lanes; l++)
        for (int s = 0; s < view->lanes.slot_count; s++) {
            const struct schedule_entry *slot = &view->lanes.slot[s];
            int column = (int)plot_place(&axis, slot->did.end, view->cells.columns);
            int row = view->cells.row + l * view->band;
            uint32_t fill;
            bool path;

            if (!schedule_row_holds(&view->lanes.lane[view->by][view->rows.first + l], &view->lanes,
                                    slot->node) ||
                slot->did.start < view->from || slot->did.end >= view->to || !slot->did.works)
                continue;
            column = view->cells.column +
                     (int)(plot_place(&axis, timeline_busy_from(slot), view->cells.columns) +
                           ROUNDING);
            fill = canvas_at(&f->canvas, row, column);
            path = view->band > 1 ? canvas_at(&f->canvas, row + view->band - 1, column) == 0x2594
                                  : f->canvas.cells[row * f->canvas.columns + column].underline;
            CHECK_TRUE(fill != ' ' && fill != 0x2506, "%s: no cell of %s, packet %d", where,
                       view->lanes.node[slot->node].name, slot->number + 1);
            CHECK_TRUE(!slot->did.critical || path, "%s: %s, packet %d, is not critical", where,
                       view->lanes.node[slot->node].name, slot->number + 1);
        }
}

static void storm(struct fixture *f, struct draw *draw, const char *name, int presses)
{
    for (int k = 0; k < presses; k++) {
        const char *key = keys[draw_below(draw, KEYS)];
        char where[160];

        fixture_press(f, key);
        snprintf(where, sizeof where, "%s, %s, %.0f packets, key %d, %s", name,
                 f->app->host.design.scenario.general.sharing == SHARING_PARTITION ? "partition"
                                                                                   : "shared",
                 f->app->host.design.scenario.general.packets, k, key);
        stays_inside(f, where);
        is_even(f, where);
        if (f->app->host.design.scenario.general.packets <= 200)
            shows_all(f, where);
    }
}

/* Each way of sharing, and as many packets as can be or one, at three sizes in turn. */
static void storm_system(struct fixture *f, const char *system)
{
    static const char *const settings[] = {
        "set scenario.sharing=partition", "set scenario.sharing=exclusive",
        "set scenario.sharing=fluid", "set scenario.packets=1", "set scenario.packets=4096"};
    static const int sizes[][2] = {{24, 80}, {16, 60}, {60, 200}};
    static struct draw draw;
    static int systems;

    if (systems == 0)
        draw = draw_start(2);
    canvas_init(&f->canvas, sizes[systems % 3][0], sizes[systems % 3][1], true);
    fixture_press(f, "2");
    for (int s = 0; s < 4; s++) {
        fixture_command(f, settings[s == 3 && systems % 6 == 0 ? 4 : s]);
        fixture_press(f, "2");
        storm(f, &draw, system, 12);
    }
    systems++;
}

TEST(cursor_and_window)
{
    fixture_each_system(24, 80, storm_system);
}

/* Zooming in again and again keeps what the cursor is on in sight, out again ends at the limits. */
TEST(zoom)
{
    struct fixture f;
    const struct timeline_view *view;
    double low, high;

    if (!fixture_open(&f, "elt-scao", 24, 120))
        return;
    fixture_press(&f, "2");
    view = &f.app->timeline;
    CHECK_STR(view->node, "camera");
    CHECK_INT(view->number, 49);
    for (int i = 0; i < 60; i++) {
        fixture_press(&f, "+");
        CHECK_TRUE(view->lanes.slot[view->slot].did.start >= view->from &&
                       view->lanes.slot[view->slot].did.start <= view->to,
                   "%d times: %.15g s is not in %.15g to %.15g", i,
                   view->lanes.slot[view->slot].did.start, view->from, view->to);
    }
    CHECK(view->to - view->from < 3e-9);
    for (int i = 0; i < 60; i++)
        fixture_press(&f, "-");
    /* a frame more at either end */
    timeline_whole(&view->lanes, &low, &high);
    low -= view->lanes.period;
    high = fmax(high, view->lanes.period) + view->lanes.period;
    CHECK_NEAR(view->from, low, 1e-12);
    CHECK_NEAR(view->to, high, 1e-12);
    fixture_shows(&f, "other frames");
    fixture_press(&f, "0");
    CHECK_NEAR(view->from, 0, 0);
    fixture_press(&f, "0");
    fixture_shows(&f, "command out");
    fixture_close(&f);
}

/* In fluid what others' work takes of a slot is no wait before it: it works all the time. */
TEST(fluid_works_all_the_time)
{
    struct fixture f;
    struct chart chart;
    int slowed = 0;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    /* one slow core, whose slopes of a packet last until the calibration of the next */
    fixture_command(&f, "set scenario.sharing=fluid scenario.packets=10 device.rtc.sockets=1 "
                        "device.rtc.cores=1 device.rtc.clock=1.5GHz device.rtc.launch=0 "
                        "device.rtc.boundary=0");
    fixture_press(&f, "2");
    if (CHECK(view_timeline.chart(&f.app->timeline, &chart))) {
        const struct schedule *lanes = &f.app->timeline.lanes;
        int waits = 0;

        for (int i = 0; i < lanes->slot_count; i++) {
            const struct schedule_slot *did = &lanes->slot[i].did;

            slowed += did->works && did->wait > did->start - did->from + 1e-9;
            CHECK_NEAR(timeline_busy_from(&lanes->slot[i]), did->start, 1e-9);
            waits += did->start > did->from;
        }
        CHECK_TRUE(slowed > 0, "%d slots", slowed);
        for (int i = 0; i < chart.count; i++)
            for (int s = 0; s < chart.item[i].count && chart.item[i].kind == CHART_SPANS; s++)
                waits -= chart.item[i].span[s].look == LOOK_WAIT;
        CHECK_INT(waits, 0);
        chart_free(&chart);
    }
    fixture_close(&f);
}

/* Packets at equal distances: where they are told apart they differ by a cell at most, at any zoom.
 */
TEST(packets_look_even)
{
    static const int columns[] = {80, 120, 200};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        for (int zoom = 0; zoom < 7; zoom++) {
            struct fixture f;
            struct rect line;
            int last = -1, least = 1000, most = 0;

            if (!fixture_open(&f, "elt-scao", 24, columns[i]))
                return;
            fixture_press(&f, "2 Home");
            for (int z = 0; z < zoom; z++)
                fixture_press(&f, "+");
            line = f.app->timeline.cells;
            for (int c = 0; c < line.columns; c++) {
                if (canvas_at(&f.canvas, line.row, line.column + c) != 0x2502)
                    continue;
                least = last >= 0 && c - last < least ? c - last : least;
                most = last >= 0 && c - last > most ? c - last : most;
                last = c;
            }
            CHECK_TRUE(most == 0 || (least >= 8 && most - least <= 1),
                       "%d columns, zoom %d: %d to %d", columns[i], zoom, least, most);
            CHECK_TRUE(zoom < 3 || zoom > 4 || most > 0, "%d columns, zoom %d", columns[i], zoom);
            fixture_close(&f);
        }
}

/* Returns the first cell of a row with `character` from column `from` on; -1: none. */
static int find_in_row(const struct canvas *canvas, int row, int from, uint32_t character)
{
    for (int c = from; c < canvas->columns; c++)
        if (canvas_at(canvas, row, c) == character)
            return c;
    return -1;
}

/* Beside Explore, whose scale is a round latency, packets that are told apart have equal distances
 * too, and the work of the next frame has no gaps where they are not. */
TEST(packets_beside_explore_look_even)
{
    const uint32_t work = look_of(LOOK_OVERHEAD)->fill.unicode;
    const uint32_t other = look_of(LOOK_OTHER)->fill.unicode;
    const int calibration = 15; /* row of the lane */
    int distances = 0, others = 0;

    for (int columns = 160; columns <= 220; columns += 4) {
        struct fixture f;
        int last = -1, distance = -1;

        if (!fixture_open(&f, "elt-scao", 60, columns))
            return;
        for (int c = columns * 2 / 3;
             (c = find_in_row(&f.canvas, calibration, c, work)) >= 0 && last != c - 1; c++) {
            CHECK_TRUE(distance < 0 || c - last == distance, "%d columns: %d, then %d cells",
                       columns, distance, c - last);
            distance = last < 0 ? -1 : c - last;
            distances += distance > 0;
            last = c;
        }
        fixture_close(&f);
        if (!fixture_open(&f, "soul", 60, columns))
            return;
        last = find_in_row(&f.canvas, calibration, columns * 2 / 3, other);
        for (int c = last; c >= 0 && (c = find_in_row(&f.canvas, calibration, c, other)) >= 0;
             last = c++)
            CHECK_TRUE(c - last <= 1, "%d columns: a gap of %d cells", columns, c - last);
        others += last > 0;
        fixture_close(&f);
    }
    CHECK_TRUE(distances > 5 && others > 10, "%d distances, %d next frames", distances, others);
}

/* What is idle between two packets looks idle, also where a packet has few cells. */
TEST(idle_components_look_idle)
{
    static const int columns[] = {60, 80, 100};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct fixture f;
        struct rect cells;
        int blank = 0, drawn = 0;
        uint32_t work = look_of(LOOK_OVERHEAD)->fill.unicode;

        if (!fixture_open(&f, "eris", columns[i] == 60 ? 16 : 24, columns[i]))
            return;
        fixture_press(&f, "2");
        cells = f.app->timeline.cells; /* the lane of the camera; that of calibration follows */
        cells.row += columns[i] == 60 ? 1 : 2;
        for (int c = 0; c < cells.columns; c++) {
            uint32_t character = canvas_at(&f.canvas, cells.row, cells.column + c);

            blank += character == ' ' && drawn > 0;
            drawn += character == work;
        }
        CHECK_TRUE(drawn >= 9 && drawn <= 20 && blank > 2 * drawn, "%d columns: %d drawn, %d blank",
                   columns[i], drawn, blank);
        fixture_close(&f);
    }
}

/* Where a lane has one row the critical path is underlined and its kinds of time remain. */
TEST(the_path_hides_nothing)
{
    struct fixture f;
    int critical = 0;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    fixture_press(&f, "2 0");
    for (int i = 0; i < 16 * 60; i++) {
        bool kind =
            f.canvas.cells[i].style == STYLE_FOCUS; /* an end of the slot under the cursor */

        if (!f.canvas.cells[i].underline ||
            i / 60 >= f.app->timeline.cells.row + f.app->timeline.cells.rows)
            continue;
        for (int look = 0; look < LOOK_KINDS; look++)
            kind =
                kind || f.canvas.cells[i].character == look_of((enum chart_look)look)->fill.unicode;
        CHECK_TRUE(kind || f.canvas.cells[i].character == 0x2502, "U+%04X",
                   f.canvas.cells[i].character);
        critical++;
    }
    CHECK_TRUE(critical > 20, "%d cells", critical);
    fixture_close(&f);
}

/* Beside Explore the schedule is computed for changes of the design only, and only if it shows. */
TEST(computed_once_per_change)
{
    struct fixture f;
    const double mark = 12345; /* s, which no latency is */

    if (!fixture_open(&f, "micado-scao", 45, 160))
        return;
    fixture_press(&f, "Down Up");
    CHECK(!f.app->timeline.outdated);
    f.app->timeline.lanes.latency = mark;
    fixture_press(&f, "Down Down Tab Tab Tab Tab z Up");
    CHECK_NEAR(f.app->timeline.lanes.latency, mark, 0);
    fixture_press(&f, "Right");
    CHECK_NEAR(f.app->timeline.lanes.latency, f.app->host.design.result.latency, 0);
    fixture_close(&f);
    if (!fixture_open(&f, "micado-scao", 36, 120))
        return;
    fixture_press(&f, "Right Left Right");
    CHECK(f.app->timeline.outdated);
    CHECK_INT(f.app->timeline.lanes.slot_count, 0);
    fixture_close(&f);
}
