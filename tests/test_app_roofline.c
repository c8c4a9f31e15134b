#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "charts/roofline.h"
#include "check.h"
#include "explain/explain.h"

static bool has_sign(const struct fixture *f, uint32_t character)
{
    for (int r = 0; r < f->canvas.rows; r++)
        for (int c = 0; c < f->canvas.columns; c++)
            if (canvas_at(&f->canvas, r, c) == character)
                return true;
    return false;
}

/* Whether what is under the cursor can be explained. */
static bool explains(const struct fixture *f)
{
    const struct explain explain = {&f->app->host.design.scenario, &f->app->host.design.result,
                                    NULL};
    struct explain_node node;
    struct error error = {STATUS_OK, ""};
    struct view_cursor cursor = view_cursor(f->app);

    return CHECK_TRUE(explain_find(&explain, cursor.path, &node, &error) == STATUS_OK, "%s: %s",
                      cursor.path, error.message);
}

static void walk_device(struct fixture *f, const char *system)
{
    const struct roofline_view *view = &f->app->roofline;

    fixture_shows(f, view->roofs.device);
    fixture_press(f, "Home");
    for (int p = 0; p < view->roofs.points; p++) {
        const struct roof_point *point = &view->roofs.point[p];
        bool placed = point->intensity != RESULT_NONE && point->flops != RESULT_NONE;
        char name[NODE_NAME_MAX + 16];

        CHECK_TRUE(list_pane_focus(&view->points) == p, "%s: on %d, not %d", system,
                   list_pane_focus(&view->points), p);
        roofline_name(point, name, sizeof name);
        if (strlen(name) < 24)
            fixture_shows(f, name);
        CHECK_TRUE(has_sign(f, 0x25C9) == placed, "%s: %s has %s cursor", system, name,
                   placed ? "no" : "a");
        explains(f);
        fixture_press(f, "Down");
    }
    CHECK_TRUE(list_pane_focus(&view->points) == view->roofs.points - 1, "%s: on %d of %d", system,
               list_pane_focus(&view->points), view->roofs.points);
}

/* No two entries of a legend have one mark or one line; rates of integers are no FLOP. */
static void lines_differ(const struct fixture *f, const char *system)
{
    const struct roofs *roofs = &f->app->roofline.roofs;
    struct chart chart;

    chart_roofline(&chart, roofs, -1);
    for (int a = 0; a < chart.count; a++)
        for (int b = 0; b < a; b++) {
            const struct chart_item *one = &chart.item[a], *other = &chart.item[b];

            if (one->kind != CHART_CURVE || other->kind != CHART_CURVE || one->name[0] == '\0' ||
                other->name[0] == '\0')
                continue;
            CHECK_TRUE(one->look != other->look, "%s %s: %s looks like %s", system, roofs->device,
                       one->name, other->name);
            CHECK_TRUE(one->point[0].y != other->point[0].y || one->point[1].y != other->point[1].y,
                       "%s %s: %s hides %s", system, roofs->device, one->name, other->name);
        }
    chart_free(&chart);
    for (int c = 0; c < roofs->ceilings; c++)
        if (roofs->ceiling[c].kind != ROOF_LEVEL)
            CHECK_TRUE((strstr(roofs->ceiling[c].name, "FLOP/s") == NULL) ==
                           (roofs->ceiling[c].precision == PRECISION_INT8),
                       "%s", roofs->ceiling[c].name);
}

static void walk_devices(struct fixture *f, const char *system)
{
    char first[NAME_MAX_LENGTH + 1];

    fixture_press(f, "3");
    snprintf(first, sizeof first, "%s", f->app->roofline.roofs.device);
    for (int d = 0; d < f->app->host.design.scenario.device_count; d++) {
        walk_device(f, system);
        lines_differ(f, system);
        fixture_press(f, "v");
    }
    CHECK_STR(f->app->roofline.roofs.device, first);
}

TEST(every_device_of_every_system)
{
    fixture_each_system(24, 80, walk_devices);
}

TEST(a_click_picks_the_nearest)
{
    struct fixture f;
    int row, column;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_press(&f, "3 v");
    for (int p = 0; p < f.app->roofline.roofs.points; p++) {
        const struct roof_point *point = &f.app->roofline.roofs.point[p];

        if (!CHECK(plot_cell(&f.app->roofline.plot, point->intensity, point->flops, &row, &column)))
            break;
        fixture_mouse(&f, MOUSE_PRESS, row, column + 1);
        CHECK_INT(list_pane_focus(&f.app->roofline.points), p);
        fixture_press(&f, "Up");
        fixture_mouse(&f, MOUSE_PRESS, f.app->roofline.layout.list.row + 2 + p, 5);
        CHECK_INT(list_pane_focus(&f.app->roofline.points), p);
    }
    fixture_mouse(&f, MOUSE_WHEEL_UP, row, column);
    CHECK_INT(list_pane_focus(&f.app->roofline.points), f.app->roofline.roofs.points - 2);
    fixture_close(&f);
}
