#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"

enum { NOW = 0x2588 };

/* Cells of the map that are lit, from its picture on the screen. */
static int lit(const struct fixture *f)
{
    const struct rect *map = &f->app->detector.picture.map;
    int count = 0;

    for (int r = 0; r < map->rows; r++)
        for (int c = 0; c < map->columns; c++)
            count += canvas_at(&f->canvas, map->row + r, map->column + c) == NOW;
    return count;
}

static bool reads_a_row(const struct fixture *f)
{
    const struct rect *strip = &f->app->detector.picture.strip;

    for (int r = 0; r < strip->rows; r++)
        if (canvas_at(&f->canvas, strip->row + r, strip->column) == NOW)
            return true;
    return false;
}

/* A packet lights what it completes, and the rows it reads. */
static void check_packet(const struct fixture *f, const char *system)
{
    const struct detector_view *view = &f->app->detector;
    const struct detector_packet *packet = &view->map.packet[list_pane_focus(&view->packets)];

    CHECK_TRUE((lit(f) > 0) == (packet->completed > 0), "%s, %s, packet %d: %d cells, %ld complete",
               system, view->map.name, list_pane_focus(&view->packets), lit(f), packet->completed);
    CHECK_TRUE(packet->pixels == 0 || reads_a_row(f), "%s, %s, packet %d: no row", system,
               view->map.name, list_pane_focus(&view->packets));
}

static void walk_sensor(struct fixture *f, const char *system)
{
    const struct detector_view *view = &f->app->detector;
    char text[64];
    int last = (int)view->map.key.packets - 1;

    fixture_press(f, "Home");
    CHECK_INT(list_pane_focus(&view->packets), 0);
    for (int k = 0; k <= last && k < 60; k++) {
        check_packet(f, system);
        fixture_press(f, k % 2 == 0 ? "." : "Right");
        CHECK_TRUE(list_pane_focus(&view->packets) == (k < last ? k + 1 : last),
                   "%s: on packet %d after %d", system, list_pane_focus(&view->packets), k);
    }
    fixture_press(f, "End");
    check_packet(f, system);
    snprintf(text, sizeof text, "packet  %d of %d", last + 1, last + 1);
    fixture_shows(f, text);
    snprintf(text, sizeof text, "so far %ld/%ld", view->map.valid, view->map.valid);
    fixture_shows(f, text);
    fixture_press(f, ",");
    CHECK_INT(list_pane_focus(&view->packets), last > 0 ? last - 1 : 0);
}

static void walk_sensors(struct fixture *f, const char *system)
{
    fixture_press(f, "8");
    for (int w = 0; w < f->app->host.design.scenario.wfs_count; w++) {
        CHECK_STR(f->app->detector.map.name, f->app->host.design.scenario.wfs[w].head.name);
        walk_sensor(f, system);
        fixture_press(f, "v");
    }
    CHECK_STR(f->app->detector.map.name, f->app->host.design.scenario.wfs[0].head.name);
}

static bool is_drawn(const struct fixture *f, int row, int column)
{
    const struct rect *map = &f->app->detector.picture.map;

    return canvas_at(&f->canvas, map->row + row, map->column + column) != ' ';
}

/* Finds the cells of an image, those drawn within a part of the map. */
static struct rect image_within(const struct fixture *f, struct rect part)
{
    int top = part.rows, bottom = -1, left = part.columns, right = -1;

    for (int r = 0; r < part.rows; r++)
        for (int c = 0; c < part.columns; c++) {
            if (!is_drawn(f, part.row + r, part.column + c))
                continue;
            top = r < top ? r : top;
            bottom = r;
            left = c < left ? c : left;
            right = c > right ? c : right;
        }
    return (struct rect){part.row + top, part.column + left, bottom - top + 1, right - left + 1};
}

/* The pupil of the geometry is symmetric, so are its images, and they are alike. */
static void images_are_symmetric(struct fixture *f, const char *system, int size)
{
    const struct rect *map = &f->app->detector.picture.map;
    const int images = f->app->detector.map.grid.second > 0 ? 2 : 1;
    struct rect first = {0};

    for (int i = 0; i < images * images; i++) {
        struct rect part = {i / 2 * (map->rows / 2), i % 2 * (map->columns / 2),
                            map->rows / images, map->columns / images};
        struct rect image = image_within(f, part);
        int odd = 0;

        for (int r = 0; r < image.rows; r++)
            for (int c = 0; c < image.columns; c++) {
                bool drawn = is_drawn(f, image.row + r, image.column + c);

                odd += drawn != is_drawn(f, image.row + r, image.column + image.columns - 1 - c);
                odd += drawn != is_drawn(f, image.row + image.rows - 1 - r, image.column + c);
            }
        first = i == 0 ? image : first;
        CHECK_TRUE(image.rows > 2 && odd == 0 && image.rows == first.rows &&
                       image.columns == first.columns,
                   "%s, size %d, image %d of %d x %d cells: %d are asymmetric", system, size, i,
                   image.columns, image.rows, odd);
    }
}

TEST(symmetric_pupils_look_symmetric)
{
    static const char *const systems[] = {"ao3k", "scexao", "micado-scao", "saxo", "eris", "gmt-ngws"};
    static const int rows[] = {16, 24, 36, 45, 60};
    static const int columns[] = {60, 80, 120, 160, 200};

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++)
        for (int i = 0; i < 5; i++) {
            struct fixture f;

            if (!fixture_open(&f, systems[s], rows[i], columns[i]))
                return;
            fixture_press(&f, "8");
            images_are_symmetric(&f, systems[s], columns[i]);
            fixture_close(&f);
        }
}

TEST(every_sensor_of_every_system)
{
    fixture_each_system(24, 80, walk_sensors);
}

/* Extremes of sizes, packets and orders, on screens small and large. */
TEST(extremes)
{
    static const char *const settings[] = {
        "set wfs.ngs.subaps_across=2 wfs.ngs.obscuration=0",
        "set scenario.packets=1",
        "set scenario.packets=4096",
        "set component.camera.order=centre-out",
        "set component.camera.order=edges-in",
        "set wfs.ngs.subaps_across=200 wfs.ngs.obscuration=0.3",
        "set wfs.ngs.detector_width=2000 wfs.ngs.detector_height=4000",
        "set scenario.packets=37 component.camera.order=frame",
    };
    static const struct {
        int rows, columns;
    } sizes[] = {{16, 60}, {24, 80}, {60, 200}};

    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct fixture f;

        if (!fixture_open(&f, "elt-scao", sizes[s].rows, sizes[s].columns))
            return;
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
            fixture_command(&f, settings[i]);
            fixture_press(&f, "8 Home");
            CHECK_TRUE(f.app->host.design.problem.status == STATUS_OK, "%s: %s", settings[i],
                       f.app->host.design.problem.message);
            for (int step = 0; step < 12; step++) {
                check_packet(&f, settings[i]);
                fixture_press(&f, "PageDown");
            }
            fixture_press(&f, "End");
            check_packet(&f, settings[i]);
        }
        fixture_close(&f);
    }
}

TEST(a_click_goes_to_the_packet)
{
    struct fixture f;
    const struct detector_view *view;
    struct rect map, bars;
    long x, y;
    long gx = 0;
    long gy = 0;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    view = &f.app->detector;
    fixture_press(&f, "8");
    map = view->picture.map;
    bars = view->picture.bars;
    fixture_mouse(&f, MOUSE_PRESS, map.row + map.rows / 3, map.column + map.columns / 3);
    x = map.columns / 3 * view->map.key.width / map.columns;
    y = map.rows / 3 * view->map.key.height / map.rows;
    CHECK(detector_map_at(&view->map, x, y, &gx, &gy));
    CHECK_INT(list_pane_focus(&view->packets), detector_map_element(&view->map, gx, gy));
    CHECK(canvas_at(&f.canvas, map.row + map.rows / 3, map.column + map.columns / 3) == NOW);
    fixture_mouse(&f, MOUSE_PRESS, bars.row + 1, bars.column + bars.columns - 1);
    CHECK_INT(list_pane_focus(&view->packets),
              (int)((bars.columns - 1) * view->map.key.packets / bars.columns));
    CHECK(list_pane_focus(&view->packets) >= 45);
    fixture_mouse(&f, MOUSE_PRESS, map.row, view->picture.strip.column);
    CHECK_INT(list_pane_focus(&view->packets), 0);
    fixture_mouse(&f, MOUSE_WHEEL_DOWN, map.row, map.column);
    CHECK_INT(list_pane_focus(&view->packets), 1);
    fixture_close(&f);
}
