#include <math.h>

#include "tui/view_detector.h"
#include "tui/widget.h"

/* What a cell of the picture shows, of all that lies in it. */
enum light { LIGHT_NONE, LIGHT_COMING, LIGHT_BEGUN, LIGHT_COMPLETE, LIGHT_NOW, LIGHTS };

static void put_light(struct canvas *canvas, int row, int column, enum light light)
{
    static const struct {
        enum style style;
        uint32_t unicode;
        char ascii;
    } signs[LIGHTS] = {[LIGHT_NONE] = {STYLE_NORMAL, ' ', ' '},
                       [LIGHT_COMING] = {STYLE_DIM, 0x00B7, '.'},
                       [LIGHT_BEGUN] = {STYLE_DIM, 0x2591, '-'},
                       [LIGHT_COMPLETE] = {STYLE_COMPUTE, 0x2592, ':'},
                       [LIGHT_NOW] = {STYLE_WARNING, 0x2588, '#'}};

    canvas_put(canvas, row, column, signs[light].style,
               canvas->unicode ? signs[light].unicode : (uint32_t)signs[light].ascii);
}

/* Rows of the screen a pixel of the detector is high, as wide as two columns; whole subapertures
 * where there is room for one each. */
static double scale_of(const struct detector_map *map, struct rect room)
{
    double scale = fmin((double)room.rows / (double)map->key.height,
                        (double)room.columns / (2.0 * (double)map->key.width));
    double side = (double)map->grid.step;

    return scale * side >= 1 ? floor(scale * side) / side : scale;
}

static struct rect place_map(const struct detector_map *map, struct rect room)
{
    double scale = scale_of(map, room);
    int rows = (int)fmax(1, scale * (double)map->key.height + 1e-9);
    int columns = (int)fmax(1, 2 * scale * (double)map->key.width + 1e-9);

    return (struct rect){room.row + (room.rows - rows) / 2,
                         room.column + (room.columns - columns) / 2, rows, columns};
}

/* The first pixel of a cell, of `pixels` over `cells`. */
static long first_pixel(int cell, long pixels, int cells)
{
    return (long)((long long)cell * pixels / cells);
}

static long end_pixel(int cell, long pixels, int cells)
{
    long end = first_pixel(cell + 1, pixels, cells);
    long first = first_pixel(cell, pixels, cells);

    return end > first ? end : first + 1;
}

/* From a pixel to the next that may belong to another element. */
static long next_pixel(const struct detector_map *map, long at, long origin)
{
    long step = map->grid.step;
    long into = at >= origin ? (at - origin) % step : (step - (origin - at) % step) % step;

    return at + step - into;
}

/* Whether pixels of the element that pixel (x, y) is the first of have been read: of its first row,
 * its last, or its middle, where reading may begin. */
static bool is_begun(const struct detector_map *map, int now, long x, long y)
{
    long last = y + map->grid.step - 1;

    last = last < map->key.height ? last : map->key.height - 1;
    return detector_map_pixel(map, x, y) <= now || detector_map_pixel(map, x, last) <= now ||
           detector_map_pixel(map, x, (y + last + 1) / 2) <= now;
}

static enum light light_at(const struct detector_map *map, int now, long x, long y)
{
    long gx, gy;
    int packet = detector_map_at(map, x, y, &gx, &gy) ? detector_map_element(map, gx, gy)
                                                      : DETECTOR_NOT_VALID;

    if (packet == DETECTOR_NOT_VALID)
        return LIGHT_NONE;
    if (packet <= now)
        return packet == now ? LIGHT_NOW : LIGHT_COMPLETE;
    return is_begun(map, now, x, y) ? LIGHT_BEGUN : LIGHT_COMING;
}

/* Completed now wherever any is, else what most are. */
static enum light light_of(const struct detector_view *view, int row, int column)
{
    const struct detector_map *map = &view->map;
    const struct rect *box = &view->picture.map;
    long count[LIGHTS] = {0};
    enum light most = LIGHT_COMING;
    bool any = false;

    for (long y = first_pixel(row, map->key.height, box->rows);
         y < end_pixel(row, map->key.height, box->rows); y = next_pixel(map, y, map->grid.top))
        for (long x = first_pixel(column, map->key.width, box->columns);
             x < end_pixel(column, map->key.width, box->columns);
             x = next_pixel(map, x, map->grid.left)) {
            enum light light = light_at(map, detector_now(view), x, y);

            if (light == LIGHT_NOW)
                return light;
            count[light]++;
            any = any || light != LIGHT_NONE;
        }
    for (int l = LIGHT_BEGUN; l < LIGHTS; l++)
        most = count[l] > count[most] ? (enum light)l : most;
    return any ? most : LIGHT_NONE;
}

/* Of the rows of the detector beside a row of the screen: read now wherever some are. */
static enum light light_of_rows(const struct detector_view *view, int row)
{
    const struct detector_map *map = &view->map;
    int rows = view->picture.map.rows;
    int now = detector_now(view);
    bool all = true;

    for (long y = first_pixel(row, map->key.height, rows);
         y < end_pixel(row, map->key.height, rows); y++) {
        int first, last;

        detector_map_row(map, y, &first, &last);
        if (first <= now && now <= last)
            return LIGHT_NOW;
        all = all && last < now;
    }
    return all ? LIGHT_COMPLETE : LIGHT_COMING;
}

void detector_draw_map(struct detector_view *view, struct canvas *canvas, struct rect box)
{
    enum { STRIP = 2 };
    struct rect room = rect_inside(box);
    struct rect *map = &view->picture.map;

    room.column += STRIP;
    room.columns -= STRIP;
    *map = place_map(&view->map, room);
    view->picture.strip = (struct rect){map->row, map->column - STRIP, map->rows, 1};
    for (int r = 0; r < map->rows; r++) {
        enum light rows = light_of_rows(view, r);

        put_light(canvas, map->row + r, map->column - STRIP, rows);
        if (rows == LIGHT_NOW) {
            canvas->cursor_row = map->row + r;
            canvas->cursor_column = map->column - STRIP;
        }
        for (int c = 0; c < map->columns; c++)
            put_light(canvas, map->row + r, map->column + c, light_of(view, r, c));
    }
}

bool detector_pixel(const struct detector_view *view, int row, int column, long *x, long *y)
{
    const struct rect *map = &view->picture.map;

    if (!view->found || !rect_holds(*map, row, column))
        return false;
    *x = first_pixel(column - map->column, view->map.key.width, map->columns);
    *y = first_pixel(row - map->row, view->map.key.height, map->rows);
    return true;
}
