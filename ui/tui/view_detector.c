#include "tui/view_detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "charts/detector.h"
#include "draw/canvas.h"
#include "model/schedule.h"
#include "tui/view.h"
#include "tui/widget.h"

/* State ---------------------------------------------------------------------------------------- */

/* Makes the map while the design is known to be valid, since it uses state of evaluate. */
static void detector_view_changed(void *state)
{
    struct detector_view *view = state;
    int wfs;

    if (!design_is_valid(view->design))
        return;
    wfs = view->sensor[0] == '\0'
              ? -1
              : section_find(&view->design->scenario, SECTION_WFS, view->sensor);
    if (wfs < 0)
        wfs = 0;
    view->found = wfs < view->design->scenario.wfs_count;
    if (view->found)
        detector_map_make(&view->map, &view->design->scenario, &view->design->result, wfs);
    view->packets.count = view->found ? (int)view->map.key.packets : 0;
    view->packets.page = (view->packets.count + 9) / 10;
}

static void detector_view_free(void *state)
{
    struct detector_view *view = state;

    detector_map_free(&view->map);
}

static void detector_view_start(void *state, struct host *host)
{
    struct detector_view *view = state;

    detector_view_free(view);
    *view = (struct detector_view){.host = host, .design = &host->design};
    detector_view_changed(view);
}

static int packet_now(const struct detector_view *view)
{
    return list_pane_focus(&view->packets);
}

static void next_sensor(struct detector_view *view)
{
    int wfs;

    if (!view->found || view->design->scenario.wfs_count == 0)
        return;
    wfs = (section_find(&view->design->scenario, SECTION_WFS, view->map.name) + 1) %
          view->design->scenario.wfs_count;
    snprintf(view->sensor, sizeof view->sensor, "%s", view->design->scenario.wfs[wfs].head.name);
    detector_view_changed(view);
}

/* Map ------------------------------------------------------------------------------------------ */

/* State shown by a cell of the map, which may cover several elements. */
enum pixel_state { PIXEL_NONE, PIXEL_COMING, PIXEL_BEGUN, PIXEL_COMPLETE, PIXEL_NOW, PIXEL_STATES };

static const struct {
    enum style style;
    uint32_t unicode;
    char ascii;
    const char *name; /* in the legend */
} signs[PIXEL_STATES] = {[PIXEL_NONE] = {STYLE_NORMAL, ' ', ' ', ""},
                         [PIXEL_COMING] = {STYLE_DIM, 0x00B7, '.', "later"},
                         [PIXEL_BEGUN] = {STYLE_DIM, 0x2591, '-', "begun"},
                         [PIXEL_COMPLETE] = {STYLE_COMPUTE, 0x2592, ':', "done"},
                         [PIXEL_NOW] = {STYLE_WARNING, 0x2588, '#', "now"}};

static void draw_state(struct canvas *canvas, int row, int column, enum pixel_state state)
{
    canvas_put(canvas, row, column, signs[state].style,
               canvas->unicode ? signs[state].unicode : (uint32_t)signs[state].ascii);
}

/* Returns the height of a detector pixel in screen rows (its width: twice as many columns).
 * Subapertures are whole cells if there is room. */
static double find_scale(const struct detector_map *map, struct rect room)
{
    double scale = fmin((double)room.rows / (double)map->key.height,
                        (double)room.columns / (2.0 * (double)map->key.width));
    double side = (double)map->grid.step;

    return scale * side >= 1 ? floor(scale * side) / side : scale;
}

static struct rect place_map(const struct detector_map *map, struct rect room)
{
    double scale = find_scale(map, room);
    int rows = (int)fmax(1, scale * (double)map->key.height + 1e-9);
    int columns = (int)fmax(1, 2 * scale * (double)map->key.width + 1e-9);

    return (struct rect){room.row + (room.rows - rows) / 2,
                         room.column + (room.columns - columns) / 2, rows, columns};
}

/* Range of the `count` pixels or packets shown by one of `cells` cells, at least one: the first,
 * and the one after the last. */
static long first_of_cell(int cell, long count, int cells)
{
    return (long)((long long)cell * count / cells);
}

static long end_of_cell(int cell, long count, int cells)
{
    long first = first_of_cell(cell, count, cells);
    long end = first_of_cell(cell + 1, count, cells);

    return end > first ? end : first + 1;
}

/* The elements that a cell shows in one direction; their image begins at pixel `origin`. */
struct cell_elements {
    long origin;
    int cell, cells;
    long first, end;
};

/* Finds the elements in one of `cells` cells for `pixels` pixels, on which images of the elements
 * begin at `origin[0]` and `origin[1]`, which may be the same. All images have the same cells: a
 * symmetric mask looks symmetric, and all images alike. Returns false beside them. */
static bool find_elements(const struct detector_map *map, const long origin[2], long pixels,
                          int cell, int cells, struct cell_elements *at)
{
    const double scale = (double)cells / (double)pixels;
    const long across = map->key.across;
    const int first = (int)round((double)origin[0] * scale);
    const int second = (int)round((double)origin[1] * scale);
    const bool last = cell >= second;
    int count = (int)fmax(1, round((double)(across * map->grid.step) * scale));

    if (second > first && count > second - first)
        count = second - first;
    if (second + count > cells && second < cells)
        count = cells - second;
    at->origin = origin[last];
    at->cell = cell - (last ? second : first);
    at->cells = count;
    at->first = at->cell * across / count;
    at->end = ((at->cell + 1) * across + count - 1) / count;
    return at->cell >= 0 && at->cell < count;
}

/* Returns the part of the cell that an element covers; of the whole cell: `across`. */
static long part_of_cell(const struct cell_elements *at, long across, long element)
{
    long low = at->cell * across;
    long high = low + across;

    low = element * at->cells > low ? element * at->cells : low;
    high = (element + 1) * at->cells < high ? (element + 1) * at->cells : high;
    return high - low;
}

/* Returns true if pixels of the element starting at pixel (x, y) have been read. Checks its first
 * and last row and its middle, where readout may begin. */
static bool is_element_begun(const struct detector_map *map, int now, long x, long y)
{
    long last = y + map->grid.step - 1;

    last = last < map->key.height ? last : map->key.height - 1;
    return detector_map_pixel(map, x, y) <= now || detector_map_pixel(map, x, last) <= now ||
           detector_map_pixel(map, x, (y + last + 1) / 2) <= now;
}

/* Returns the first pixel of an element that a cell shows. */
static long first_pixel(const struct cell_elements *at, const struct detector_map *map,
                        long element)
{
    const long step = map->grid.step;
    const long into = at->cell * map->key.across * step / at->cells;

    return at->origin + (into > element * step ? into : element * step);
}

static enum pixel_state state_of_element(const struct detector_map *map, int now,
                                         const struct cell_elements *x, long gx,
                                         const struct cell_elements *y, long gy)
{
    int packet = detector_map_element(map, gx, gy);

    if (packet == DETECTOR_NOT_VALID)
        return PIXEL_NONE;
    if (packet <= now)
        return packet == now ? PIXEL_NOW : PIXEL_COMPLETE;
    return is_element_begun(map, now, first_pixel(x, map, gx), first_pixel(y, map, gy))
               ? PIXEL_BEGUN
               : PIXEL_COMING;
}

/* Returns PIXEL_NONE for a cell of which elements have less than a quarter; else PIXEL_NOW if one
 * is completed now, else the state of most of them. */
static enum pixel_state state_of_cell(const struct detector_view *view, int row, int column)
{
    const struct detector_map *map = &view->map;
    const struct readout_grid *grid = &map->grid;
    const struct rect *box = &view->picture.map;
    const long across = map->key.across;
    const long aside = grid->second > 0 ? map->key.width / 2 : 0;
    const long left[2] = {grid->left - aside, grid->left};
    const long top[2] = {grid->top, grid->top + grid->second};
    struct cell_elements x, y;
    long area[PIXEL_STATES] = {0};
    enum pixel_state most = PIXEL_COMING;

    if (!find_elements(map, left, map->key.width, column, box->columns, &x) ||
        !find_elements(map, top, map->key.height, row, box->rows, &y))
        return PIXEL_NONE;
    for (long gy = y.first; gy < y.end; gy++)
        for (long gx = x.first; gx < x.end; gx++)
            area[state_of_element(map, packet_now(view), &x, gx, &y, gy)] +=
                part_of_cell(&x, across, gx) * part_of_cell(&y, across, gy);
    if (4 * area[PIXEL_NONE] > 3 * across * across)
        return PIXEL_NONE;
    if (area[PIXEL_NOW] > 0)
        return PIXEL_NOW;
    for (int l = PIXEL_BEGUN; l < PIXEL_STATES; l++)
        most = area[l] > area[most] ? (enum pixel_state)l : most;
    return most;
}

/* Returns the state of the detector rows beside a screen row: PIXEL_NOW if any is being read. */
static enum pixel_state state_of_rows(const struct detector_view *view, int row)
{
    const struct detector_map *map = &view->map;
    int rows = view->picture.map.rows;
    int now = packet_now(view);
    bool all = true;

    for (long y = first_of_cell(row, map->key.height, rows);
         y < end_of_cell(row, map->key.height, rows); y++) {
        int first, last;

        detector_map_row(map, y, &first, &last);
        if (first <= now && now <= last)
            return PIXEL_NOW;
        all = all && last < now;
    }
    return all ? PIXEL_COMPLETE : PIXEL_COMING;
}

static void draw_map(struct detector_view *view, struct canvas *canvas, struct rect box)
{
    enum { STRIP = 2 };
    const char *legend =
        box.columns < 40 ? " left: detector rows " : " left column: rows of the detector ";
    struct rect room = rect_inside(box);
    struct rect *map = &view->picture.map;

    room.column += STRIP;
    room.columns -= STRIP;
    *map = place_map(&view->map, room);
    view->picture.strip = (struct rect){map->row, map->column - STRIP, map->rows, 1};
    for (int r = 0; r < map->rows; r++) {
        enum pixel_state rows = state_of_rows(view, r);

        draw_state(canvas, map->row + r, map->column - STRIP, rows);
        if (rows == PIXEL_NOW) {
            canvas->cursor_row = map->row + r;
            canvas->cursor_column = map->column - STRIP;
        }
        for (int c = 0; c < map->columns; c++)
            draw_state(canvas, map->row + r, map->column + c, state_of_cell(view, r, c));
    }
    if (text_width(legend) + 4 <= box.columns)
        canvas_text(canvas, box.row + box.rows - 1, box.column + 2, box.columns, STYLE_DIM, legend);
}

static bool find_pixel(const struct detector_view *view, int row, int column, long *x, long *y)
{
    const struct rect *map = &view->picture.map;

    if (!view->found || !rect_holds(*map, row, column))
        return false;
    *x = first_of_cell(column - map->column, view->map.key.width, map->columns);
    *y = first_of_cell(row - map->row, view->map.key.height, map->rows);
    return true;
}

/* Packets -------------------------------------------------------------------------------------- */

enum {
    FACTS = 4,
    LABEL = 8, /* "subaps" */
    LEGEND = 1,
    EIGHTHS = 8,
    BARS_MOST = 12,
    STEPS_LEAST = 3 /* minimum lines to list the components that process the packet */
};

/* Draws the four lines of facts. */
static void draw_facts(const struct detector_view *view, struct canvas *canvas, struct rect line)
{
    const struct detector_map *map = &view->map;
    const struct detector_packet *packet = &map->packet[packet_now(view)];
    const char *label[FACTS] = {"packet", "arrives", "pixels",
                                map->key.kind == WFS_PYRAMID ? "pupil" : "subaps"};
    char text[FACTS][96], at[32], of[32];

    quantity_show(detector_map_time(map, packet_now(view)), "s", at, sizeof at);
    quantity_show(map->start + map->readout, "s", of, sizeof of);
    snprintf(text[0], sizeof text[0], "%d of %ld", packet_now(view) + 1, map->key.packets);
    snprintf(text[1], sizeof text[1],
             map->readout == RESULT_NONE ? "never: no camera" : "at %s of %s", at, of);
    snprintf(text[2], sizeof text[2], "%lld, so far %lld", packet->pixels, packet->pixels_so_far);
    snprintf(text[3], sizeof text[3], "%ld, so far %ld/%ld", packet->completed,
             packet->completed_so_far, map->valid);
    for (int f = 0; f < FACTS; f++) {
        canvas_text(canvas, line.row + f, line.column + 1, LABEL, STYLE_DIM, label[f]);
        canvas_text(canvas, line.row + f, line.column + 1 + LABEL, line.columns - 1 - LABEL,
                    STYLE_NORMAL, text[f]);
    }
}

static void draw_state_legend(struct canvas *canvas, struct rect line)
{
    enum { SIGN = 2, GAP = 2 };
    int column = line.column + 1;
    int end = line.column + line.columns;

    for (int state = PIXEL_NOW; state > PIXEL_NONE; state--) {
        int width = SIGN + text_width(signs[state].name);

        if (column + width > end)
            return;
        draw_state(canvas, line.row, column, (enum pixel_state)state);
        canvas_text(canvas, line.row, column + SIGN, width - SIGN, STYLE_DIM, signs[state].name);
        column += width + GAP;
    }
}

static int bar_packet(const struct detector_view *view, int column)
{
    return (int)first_of_cell(column, view->map.key.packets, view->picture.bars.columns);
}

/* Returns the largest number completed by a packet of a column. */
static long most_completed(const struct detector_view *view, int column)
{
    long packets = view->map.key.packets;
    int columns = view->picture.bars.columns;
    long most = 0;

    for (long k = bar_packet(view, column); k < end_of_cell(column, packets, columns); k++)
        most = view->map.packet[k].completed > most ? view->map.packet[k].completed : most;
    return most;
}

static void draw_packet_bar(const struct detector_view *view, struct canvas *canvas, int column,
                            long most)
{
    const struct rect *bars = &view->picture.bars;
    bool now =
        bar_packet(view, column) <= packet_now(view) &&
        packet_now(view) < end_of_cell(column, view->map.key.packets, view->picture.bars.columns);
    long value = most_completed(view, column);
    long filled = most > 0 ? (value * EIGHTHS * bars->rows + most - 1) / most : 0;
    enum style style = now ? STYLE_WARNING : STYLE_COMPUTE;

    for (int r = 0; r < bars->rows; r++) {
        long eighths = filled - (long)EIGHTHS * (bars->rows - 1 - r);

        if (eighths > 0)
            canvas_put(canvas, bars->row + r, bars->column + column, style,
                       0x2580U + (uint32_t)(eighths < EIGHTHS ? eighths : EIGHTHS));
    }
    canvas_put(canvas, bars->row + bars->rows, bars->column + column,
               now ? STYLE_FOCUS : STYLE_BORDER,
               canvas->unicode ? (now ? 0x25B2U : 0x2500U) : (uint32_t)(now ? '^' : '-'));
}

/* Draws the number of subapertures completed by each packet, above an axis and below what it is. If
 * there is room, each packet has the same whole number of columns. */
static void draw_packet_bars(struct detector_view *view, struct canvas *canvas, struct rect box)
{
    enum { TITLED_FROM = 4 };
    long packets = view->map.key.packets;
    long most = 0;
    struct rect *bars = &view->picture.bars;

    if (box.rows > TITLED_FROM) {
        canvas_printf(canvas, box.row, box.column + 1, box.columns - 1, STYLE_DIM, "%s completed",
                      detector_elements(&view->map));
        box.row++;
        box.rows--;
    }
    *bars = (struct rect){box.row, box.column + 1, box.rows - 1, box.columns - 2};
    if (packets < bars->columns)
        bars->columns = (int)(bars->columns / packets * packets);
    for (int c = 0; c < bars->columns; c++)
        most = most_completed(view, c) > most ? most_completed(view, c) : most;
    for (int c = 0; c < bars->columns; c++)
        draw_packet_bar(view, canvas, c, most);
}

/* Returns true if a node processes data of the sensor or of all sensors. */
static bool serves_sensor(const struct detector_view *view, int n)
{
    const struct node_result *node = &view->design->result.node[n];
    int wfs = section_find(&view->design->scenario, SECTION_WFS, view->map.name);

    if (node_is_whole(node))
        return false;
    if (node->component < 0 || node->type >= COMPONENT_RECONSTRUCTION)
        return true;
    return scenario_wfs(&view->design->scenario, node->component) == wfs;
}

/* Work on a packet: one node, or several that differ only by their device. */
struct packet_step {
    char name[NODE_NAME_MAX + 1]; /* without the device if there are several */
    int nodes;
    char from[32], until[32];
};

static bool joins_step(const struct packet_step *before, const struct packet_step *step)
{
    char a[NODE_NAME_MAX + 1], b[NODE_NAME_MAX + 1];

    node_plain_name(before->name, a);
    node_plain_name(step->name, b);
    return strcmp(a, b) == 0 && strcmp(before->from, step->from) == 0 &&
           strcmp(before->until, step->until) == 0;
}

/* Returns the number of steps. */
static int list_packet_steps(const struct detector_view *view, struct packet_step step[NODE_MAX])
{
    int now = packet_now(view);
    int count = 0;

    for (int n = 0; n < view->design->result.node_count; n++) {
        struct packet_step *next = &step[count];
        struct schedule_slot slot;

        if (!serves_sensor(view, n))
            continue;
        schedule_read_packet(&view->design->result, n, (int)readout_slot(&view->map.key, now),
                             &slot);
        if (!slot.works)
            continue;
        next->nodes = 1;
        snprintf(next->name, sizeof next->name, "%s", view->design->result.node[n].name);
        if (slot.start > 0)
            quantity_show(slot.start, "s", next->from, sizeof next->from);
        else /* "0 s" among microseconds */
            snprintf(next->from, sizeof next->from, "0 \xC2\xB5s");
        quantity_show(slot.end, "s", next->until, sizeof next->until);
        if (count > 0 && joins_step(next - 1, next)) {
            node_plain_name(next->name, next[-1].name);
            next[-1].nodes++;
        } else {
            count++;
        }
    }
    return count;
}

static void draw_step(struct canvas *canvas, struct rect line, const struct packet_step *step)
{
    enum { TIME = 10 };
    int names = line.columns - 2 - 2 * TIME;
    char times[16] = "";
    char text[NODE_NAME_MAX + 1];

    if (step->nodes > 1)
        snprintf(times, sizeof times, " \xC3\x97%d", step->nodes);
    memcpy(text, step->name, sizeof text);
    text_middle(text, sizeof text, names - text_width(times));
    canvas_printf(canvas, line.row, line.column + 1, names, STYLE_NORMAL, "%s%s", text, times);
    canvas_right(canvas, line.row, line.column + 1 + names, TIME, STYLE_NORMAL, step->from);
    canvas_right(canvas, line.row, line.column + 1 + names + TIME, TIME, STYLE_NORMAL, step->until);
}

/* Draws the components that process the packet, with start and end times. */
static void draw_packet_steps(const struct detector_view *view, struct canvas *canvas,
                              struct rect box)
{
    static struct packet_step step[NODE_MAX];
    struct rect line = {box.row, box.column, 1, box.columns};
    int count = list_packet_steps(view, step);
    int room = box.rows - 1;
    int shown = count <= room ? count : room - 1;

    canvas_text(canvas, line.row, line.column + 1, line.columns - 21, STYLE_DIM, "processed by");
    canvas_right(canvas, line.row, line.column + line.columns - 21, 10, STYLE_DIM, "from");
    canvas_right(canvas, line.row, line.column + line.columns - 11, 10, STYLE_DIM, "until");
    for (int s = 0; s < shown; s++) {
        line.row++;
        draw_step(canvas, line, &step[s]);
    }
    if (shown < count)
        canvas_printf(canvas, line.row + 1, line.column + 1, line.columns - 2, STYLE_DIM, "%d more",
                      count - shown);
}

static void draw_agenda(struct detector_view *view, struct canvas *canvas, struct rect box)
{
    struct rect inside = rect_inside(box);
    struct rect line = {inside.row, inside.column, 1, inside.columns};
    int rest = inside.rows - FACTS - LEGEND;
    int bars = rest > 2 * STEPS_LEAST + 2 ? rest / 2 : rest;

    widget_pane(canvas, box, "Agenda", false);
    draw_facts(view, canvas, line);
    line.row += FACTS;
    draw_state_legend(canvas, line);
    line.row += LEGEND;
    bars = bars < BARS_MOST ? bars : BARS_MOST;
    line.rows = bars;
    draw_packet_bars(view, canvas, line);
    line.row += bars;
    line.rows = rest - bars;
    if (line.rows >= STEPS_LEAST && design_is_valid(view->design))
        draw_packet_steps(view, canvas, line);
}

/* Drawing -------------------------------------------------------------------------------------- */

static void detector_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct detector_view *view = state;
    char title[160];

    view->picture = (struct detector_picture){0};
    if (!view->found) {
        widget_pane(canvas, body, "Detector", true);
        canvas_wrap(canvas, rect_inside(body), 0, STYLE_DIM,
                    design_problem_or(view->design, "The design has no sensor."));
        return;
    }
    view->layout = layout_detector(body);
    snprintf(title, sizeof title, "Sensor %s, %s%s", view->map.name, detector_order(&view->map),
             design_stale_mark(view->design));
    widget_pane(canvas, view->layout.map, title, true);
    draw_agenda(view, canvas, view->layout.agenda);
    draw_map(view, canvas, view->layout.map);
}

static void detector_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    struct detector_view *view = state;
    const struct detector_map *map = &view->map;
    char stated[40] = "";
    char sensors[56] = "";
    char text[256];

    if (!view->found)
        return;
    if (!design_is_valid(view->design)) {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR,
                    view->design->problem.message);
        return;
    }
    if (map->stated > 0 && map->stated != (double)map->valid)
        snprintf(stated, sizeof stated, ", %.0f stated", map->stated);
    if (map->count > 1)
        snprintf(sensors, sizeof sensors, " \xC2\xB7 %.0f identical sensors", map->count);
    snprintf(text, sizeof text, "%ld across, %ld %s%s%s%s \xC2\xB7 %ld \xC3\x97 %ld px%s",
             map->key.across, map->valid, stated[0] != '\0' ? "" : "valid ", detector_elements(map),
             stated[0] != '\0' ? " by geometry" : "", stated, map->key.width, map->key.height,
             sensors);
    text_clauses(text, line.columns - 2);
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_NORMAL, text);
}

/* Keys and mouse ------------------------------------------------------------------------------- */

static void detector_view_act(void *state, enum action_id id, const char *argument)
{
    struct detector_view *view = state;

    (void)argument;
    if (id == ACTION_VARIANT)
        next_sensor(view);
    else if (id == ACTION_PACKET_BACK || id == ACTION_PACKET_ON)
        list_pane_move(&view->packets, id == ACTION_PACKET_BACK ? -1 : 1);
    else
        list_pane_act(&view->packets, id);
}

/* Selects the packet that completes a subaperture, contains the start of a row, or has a bar. */
static void pick_packet(struct detector_view *view, int row, int column)
{
    const struct detector_picture *picture = &view->picture;
    struct rect bars = picture->bars;
    long x, y, gx, gy;
    int first, last;

    bars.rows++; /* including their axis */
    if (rect_holds(bars, row, column)) {
        list_pane_set(&view->packets, bar_packet(view, column - bars.column));
    } else if (rect_holds(picture->strip, row, column)) {
        if (find_pixel(view, row, picture->map.column, &x, &y)) {
            detector_map_row(&view->map, y, &first, &last);
            list_pane_set(&view->packets, first);
        }
    } else if (find_pixel(view, row, column, &x, &y) &&
               detector_map_at(&view->map, x, y, &gx, &gy) &&
               detector_map_element(&view->map, gx, gy) != DETECTOR_NOT_VALID) {
        list_pane_set(&view->packets, detector_map_element(&view->map, gx, gy));
    }
}

static void detector_view_mouse(void *state, const struct key_event *event)
{
    struct detector_view *view = state;

    if (!view->found)
        return;
    list_pane_mouse(&view->packets, event, 1);
    if (event->mouse == MOUSE_PRESS)
        pick_packet(view, event->row, event->column);
}

/* Chart, table and cursor ---------------------------------------------------------------------- */

static bool detector_view_chart(void *state, struct chart *chart)
{
    struct detector_view *view = state;

    if (!view->found)
        return false;
    chart_detector(chart, &view->map);
    return true;
}

static void detector_view_table(const void *state, FILE *out, int columns)
{
    const struct detector_view *view = state;

    detector_table(&view->map, out, columns);
}

static void detector_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct detector_view *view = state;

    if (!view->found)
        return;
    cursor->section = SECTION_WFS;
    cursor->index = section_find(&view->design->scenario, SECTION_WFS, view->map.name);
    snprintf(cursor->path, sizeof cursor->path, "wfs.%s.valid_subaps", view->map.name);
}

const struct view view_detector = {
    .name = "sensor",
    .start = detector_view_start,
    .free = detector_view_free,
    .changed = detector_view_changed,
    .pane = PANE_DETECTOR,
    .draw = detector_view_draw,
    .detail = detector_view_detail,
    .act = detector_view_act,
    .mouse = detector_view_mouse,
    .chart = detector_view_chart,
    .table = detector_view_table,
    .cursor = detector_view_cursor,
};
