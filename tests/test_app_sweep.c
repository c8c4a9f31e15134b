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

TEST(sweeps_what_the_cursor_is_on)
{
    struct fixture f;

    if (!open_on(&f, "device.rtc.cores", 24, 80))
        return;
    fixture_shows(&f, "latency over device.rtc.cores");
    CHECK_INT(f.app->sweep.grid.axis_count, 1);
    CHECK_STR(f.app->sweep.grid.path[0], "device.rtc.cores");
    fixture_press(&f, "Down");
    fixture_wait(&f);
    fixture_shows(&f, "latency over device.rtc.clock");
    fixture_press(&f, "1 Down 4");
    fixture_wait(&f);
    fixture_hides(&f, "latency over device.rtc.clock");
    fixture_press(&f, "1");
    fixture_show(&f, "component.recon.algorithm");
    fixture_press(&f, "4");
    fixture_wait(&f);
    fixture_shows(&f, "fourier");
    fixture_close(&f);
}

/* What is taken is an ordinary change, one of it. */
TEST(takes_a_value)
{
    struct fixture f;
    char before[64];

    if (!open_on(&f, "device.rtc.cores", 24, 80))
        return;
    snprintf(before, sizeof before, "%s", fixture_value(&f, "device.rtc.cores"));
    fixture_press(&f, "Home Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.cores"), "1");
    fixture_wait(&f);
    fixture_press(&f, "End Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.cores"), "1024");
    fixture_press(&f, "u u");
    CHECK_STR(fixture_value(&f, "device.rtc.cores"), before);
    fixture_wait(&f);
    fixture_close(&f);
}

TEST(two_knobs)
{
    struct fixture f;

    if (!open_on(&f, "device.rtc.cores", 36, 120))
        return;
    fixture_press(&f, "v");
    fixture_wait(&f);
    fixture_shows(&f, "latency over scenario.packets and device.rtc.cores");
    CHECK_INT(f.app->sweep.grid.axis_count, 2);
    fixture_press(&f, "Home Down Up { End Enter");
    CHECK_STR(fixture_value(&f, "scenario.packets"), "4096");
    fixture_press(&f, "v");
    fixture_wait(&f);
    CHECK_INT(f.app->sweep.grid.axis_count, 1);
    fixture_close(&f);
}

TEST(typed_values)
{
    struct fixture f;

    if (!open_on(&f, "device.rtc.cores", 24, 80))
        return;
    fixture_press(&f, "e C-u");
    fixture_type(&f, "device.rtc.clock=1GHz:4GHz:7 device.rtc.cores=8,16");
    fixture_press(&f, "Enter");
    fixture_wait(&f);
    CHECK_INT(f.app->sweep.grid.count, 14);
    fixture_shows(&f, "device.rtc.clock and device.rtc.cores");
    fixture_press(&f, "e C-u");
    fixture_type(&f, "device.rtc.klock=1:2:3");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "clock");
    fixture_press(&f, "Esc");
    CHECK_INT(f.app->sweep.grid.count, 14);
    fixture_close(&f);
}

/* Where no value of the knob makes a design there is the reason instead of a picture. */
TEST(says_why_there_is_nothing)
{
    struct fixture f;

    if (!open_on(&f, "device.rtc.cores", 24, 80))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "set component.slopes.after=recon");
    fixture_press(&f, "Enter");
    fixture_wait(&f);
    fixture_shows(&f, "a cycle, slopes after recon after slopes");
    fixture_hides(&f, "0.001 ns");
    fixture_press(&f, "u");
    fixture_wait(&f);
    fixture_shows(&f, "best");
    fixture_close(&f);
}

/* Designs come and go under the sweep: no number of an instance outlives them. */
TEST(survives_other_designs)
{
    struct fixture f;

    if (!open_on(&f, "component.control.share", 24, 80))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "remove component.dm");
    fixture_press(&f, "Enter 4");
    fixture_press(&f, ":");
    fixture_type(&f, "remove component.control");
    fixture_press(&f, "Enter 4");
    fixture_wait(&f);
    fixture_press(&f, "u 4 u 4 n 4 v v u");
    fixture_wait(&f);
    fixture_close(&f);
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

/* Numbers are those of the designs, not of the cells of a picture, and without noise. */
TEST(table_has_the_designs)
{
    struct fixture f;

    if (!open_on(&f, "scenario.packets", 40, 100))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "range device.rtc.cores=4:96:10 device.rtc.clock=1GHz:4GHz:10");
    fixture_press(&f, "Enter");
    fixture_wait(&f);
    fixture_press(&f, "t");
    fixture_shows(&f, "    4       1 GHz");
    fixture_shows(&f, "   14  1.3333 GHz");
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

/* The bar in force is marked, also of a choice that is left to the program; without colour too. */
TEST(marks_what_is_in_force)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_show(&f, "component.slopes.algorithm");
    CHECK_STR(fixture_value(&f, "component.slopes.algorithm"), "cog");
    fixture_press(&f, "Backspace 4");
    fixture_wait(&f);
    CHECK_STR(fixture_value(&f, "component.slopes.algorithm"), "auto");
    fixture_shows(&f, "\xE2\x80\xBA\x63og");
    fixture_shows(&f, "\xE2\x96\x92 as it is");
    fixture_shows(&f, "\xE2\x96\x88 each choice");
    fixture_press(&f, "e C-u");
    fixture_type(&f, "scenario.sharing=all component.slopes.algorithm=all");
    fixture_press(&f, "Enter");
    fixture_wait(&f);
    fixture_shows(&f, "\xE2\x80\xBA\x63og, partition");
    fixture_shows(&f, "\xE2\x96\x92 as it is");
    fixture_close(&f);
}
