#include <string.h>

#include "app_fixture.h"
#include "check.h"

static bool open_on(struct fixture *f, const char *path, int rows, int columns)
{
    if (!fixture_open(f, "elt-scao", rows, columns))
        return false;
    fixture_show(f, path);
    fixture_press(f, "4");
    return fixture_wait(f);
}

TEST(every_result_and_size)
{
    struct fixture f;

    if (!open_on(&f, "scenario.packets", 16, 60))
        return;
    for (int i = 0; i < 16; i++) {
        fixture_press(&f, "PageDown Left Right");
        fixture_wait(&f);
        CHECK(f.app->sweep.grid.count > 0);
    }
    fixture_close(&f);
}

/* The value that a map has at a place. */
static double map_at(const struct chart *chart, const double part[2])
{
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        if (item->kind == CHART_CELLS)
            return item->value[(int)(part[1] * item->rows) * item->columns +
                               (int)(part[0] * item->columns)];
    }
    return RESULT_NONE;
}

/* Wherever one looks at a map there is the design that is nearest to it: that of a mark or tick. */
TEST(map_shows_the_nearest)
{
    enum { STEPS = 97 };
    struct fixture f;
    const struct grid *grid;
    struct chart chart;

    if (!open_on(&f, "device.rtc.cores", 36, 120))
        return;
    fixture_press(&f, "e C-u");
    fixture_type(&f, "device.gpu0.bus_bits=512:2048:3:log scenario.packets=10:50:5");
    fixture_press(&f, "Enter");
    fixture_wait(&f);
    grid = &f.app->sweep.grid;
    if (CHECK_INT(grid->axis_count, 2) && CHECK(view_sweep.chart(&f.app->sweep, &chart))) {
        for (int i = 0; i < STEPS * STEPS; i++) {
            double part[2] = {(i % STEPS + 0.5) / STEPS, ((double)(i / STEPS) + 0.5) / STEPS};
            int column = grid_nearest(&grid->axis[0], plot_value(&chart.x, part[0]));
            int row = grid_nearest(&grid->axis[1], plot_value(&chart.y, part[1]));

            CHECK_NEAR(map_at(&chart, part), grid->value[row * grid->axis[0].count + column], 0);
        }
        chart_free(&chart);
    }
    fixture_close(&f);
}
