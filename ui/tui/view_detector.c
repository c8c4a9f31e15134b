#include "tui/view_detector.h"

#include <stdio.h>
#include <string.h>

#include "charts/detector.h"
#include "tui/host.h"
#include "tui/view.h"
#include "tui/widget.h"

/* State ---------------------------------------------------------------------------------------- */

/* The map is made while the design is known to have a meaning, as it takes what evaluate keeps for
 * itself. */
static void changed(void *state)
{
    struct detector_view *view = state;
    struct error error;
    int wfs;

    if (!view->host->design.evaluated || view->host->design.problem.status != STATUS_OK)
        return;
    wfs = view->sensor[0] == '\0'
              ? -1
              : section_find(&view->host->design.scenario, SECTION_WFS, view->sensor);
    if (wfs < 0)
        wfs = 0;
    view->found = wfs < view->host->design.scenario.wfs_count &&
                  detector_map_make(&view->map, &view->host->design.scenario,
                                    &view->host->design.result, wfs, &error) == STATUS_OK;
    view->packets.count = view->found ? (int)view->map.key.packets : 0;
    view->packets.page = (view->packets.count + 9) / 10;
}

static void release(void *state)
{
    struct detector_view *view = state;

    detector_map_free(&view->map);
}

static void start(void *state, struct host *host)
{
    struct detector_view *view = state;

    release(view);
    *view = (struct detector_view){.host = host};
    changed(view);
}

int detector_now(const struct detector_view *view)
{
    return list_pane_focus(&view->packets);
}

static void next_sensor(struct detector_view *view)
{
    int wfs;

    if (!view->found || view->host->design.scenario.wfs_count == 0)
        return;
    wfs = (section_find(&view->host->design.scenario, SECTION_WFS, view->map.name) + 1) %
          view->host->design.scenario.wfs_count;
    snprintf(view->sensor, sizeof view->sensor, "%s",
             view->host->design.scenario.wfs[wfs].head.name);
    changed(view);
}

/* Drawing -------------------------------------------------------------------------------------- */

static void draw(void *state, struct canvas *canvas, struct rect body)
{
    struct detector_view *view = state;
    char title[160];

    view->picture = (struct detector_picture){0};
    if (!view->found) {
        widget_pane(canvas, body, "Detector", true);
        canvas_wrap(canvas, rect_inside(body), 0, STYLE_DIM,
                    "The design has no sensor or is invalid.");
        return;
    }
    view->layout = layout_detector(body);
    snprintf(title, sizeof title, "wfs.%s, %s%s", view->map.name,
             knob_word(KNOB_COMPONENT_ORDER, view->map.key.order),
             view->host->design.problem.status != STATUS_OK ? ": stale" : "");
    widget_pane(canvas, view->layout.map, title, true);
    detector_draw_agenda(view, canvas, view->layout.agenda);
    detector_draw_map(view, canvas, view->layout.map);
}

static void detail(void *state, struct canvas *canvas, struct rect line)
{
    struct detector_view *view = state;
    const struct detector_map *map = &view->map;
    char stated[32] = "";
    char alike[48] = "";

    if (view->host->design.problem.status != STATUS_OK) {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR,
                    view->host->design.problem.message);
        return;
    }
    if (!view->found)
        return;
    if (map->stated > 0 && map->stated != (double)map->valid)
        snprintf(stated, sizeof stated, " (%.0f stated)", map->stated);
    if (map->count > 1)
        snprintf(alike, sizeof alike, ", %.0f alike", map->count);
    canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_NORMAL,
                  "%ld across, %ld valid %s%s on %ld \xC3\x97 %ld px%s", map->key.across,
                  map->valid, detector_elements(map), stated, map->key.width, map->key.height,
                  alike);
}

/* Keys and mouse ------------------------------------------------------------------------------- */

static void act(void *state, enum action_id id, const char *argument)
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

/* To the packet that completes a subaperture, brings a row's first pixel, has a bar. */
static void pick(struct detector_view *view, int row, int column)
{
    const struct detector_picture *picture = &view->picture;
    struct rect bars = picture->bars;
    long x, y, gx, gy;
    int first, last;

    bars.rows++; /* their axis too */
    if (rect_holds(bars, row, column)) {
        list_pane_set(&view->packets, detector_bar_packet(view, column - bars.column));
    } else if (rect_holds(picture->strip, row, column)) {
        if (detector_pixel(view, row, picture->map.column, &x, &y)) {
            detector_map_row(&view->map, y, &first, &last);
            list_pane_set(&view->packets, first);
        }
    } else if (detector_pixel(view, row, column, &x, &y) &&
               detector_map_at(&view->map, x, y, &gx, &gy) &&
               detector_map_element(&view->map, gx, gy) != DETECTOR_NOT_VALID) {
        list_pane_set(&view->packets, detector_map_element(&view->map, gx, gy));
    }
}

static void mouse(void *state, const struct key_event *event)
{
    struct detector_view *view = state;

    if (!view->found)
        return;
    list_pane_mouse(&view->packets, event, 1);
    if (event->mouse == MOUSE_PRESS)
        pick(view, event->row, event->column);
}

/* What others ask ------------------------------------------------------------------------------ */

static bool chart_of(void *state, struct chart *chart)
{
    struct detector_view *view = state;

    if (!view->found)
        return false;
    chart_detector(chart, &view->map);
    return true;
}

static void table_of(const void *state, FILE *out, int columns)
{
    const struct detector_view *view = state;

    detector_table(&view->map, out, columns);
}

static bool section_of(const void *state, enum section *section, int *index)
{
    const struct detector_view *view = state;

    *section = SECTION_WFS;
    *index =
        view->found ? section_find(&view->host->design.scenario, SECTION_WFS, view->map.name) : -1;
    return *index >= 0;
}

static bool path_of(const void *state, char *path, size_t size)
{
    const struct detector_view *view = state;

    snprintf(path, size, "wfs.%s.valid_subaps", view->map.name);
    return view->found;
}

const struct view view_detector = {
    .name = "detector",
    .start = start,
    .free = release,
    .changed = changed,
    .place = PLACE_DETECTOR,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
    .chart = chart_of,
    .table = table_of,
    .section = section_of,
    .path = path_of,
};
