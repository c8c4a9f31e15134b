#include "draw/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pictures.h"
#include "rows.h"

static const struct plot_axis sizes = {PLOT_BINARY, 4096, 268435456, "B"};
static const struct plot_axis times = {PLOT_DECADES, 1e-9, 1e-7, "s"};

/* A staircase with a rule and a mark. */
static void draw(struct canvas *canvas)
{
    static const double x[] = {4096, 32768, 65536, 1048576, 33554432, 268435456};
    static const double y[] = {1.5e-9, 1.5e-9, 4e-9, 4e-9, 2e-8, 1e-7};
    struct rect all = {0, 0, canvas->rows, canvas->columns};
    struct plot plot;

    if (!CHECK(plot_open(&plot, canvas, all, sizes, times)))
        return;
    plot_curve(&plot, x, y, 6, STYLE_NORMAL, '*');
    plot_vertical(&plot, 32768, STYLE_DIM);
    plot_mark(&plot, 1048576, 4e-9, STYLE_NORMAL, '2');
}

TEST(pictures)
{
    static const char *const names[] = {"staircase.48x10.ascii", "staircase.48x10"};

    for (int unicode = 0; unicode < 2; unicode++) {
        struct canvas canvas = {0};
        char *text;

        canvas_init(&canvas, 10, 48, unicode == 1);
        draw(&canvas);
        text = picture_text(&canvas);
        picture_check_file(text, names[unicode]);
        free(text);
        canvas_free(&canvas);
    }
}

/* Whatever the axes and the room, labels never touch, nothing leaves the box, and there is a tick.
 */
TEST(every_size)
{
    static const struct plot_axis axes[] = {
        {PLOT_BINARY, 4096, 268435456, "B"},
        {PLOT_DECADES, 1e-9, 1e-7, "s"},
        {PLOT_DECADES, 2e-9, 3e-9, "s"},
        {PLOT_LINEAR, 0, 1, ""},
        {PLOT_LINEAR, -3.5, 1234.5, "Hz"},
        {PLOT_DECADES, 1e-3, 1e12, "FLOP/s"},
        {PLOT_BINARY, 1, 2, ""},
        {PLOT_LINEAR, 1e-6, 1.0001e-6, "s"},
        {PLOT_WHOLE, 1, 16, ""},
        {PLOT_LINEAR, 6.1, 9.3, ""},
    };
    enum { AXES = sizeof axes / sizeof axes[0] };

    for (int a = 0; a < AXES; a++)
        for (int cells = 1; cells <= 200; cells++) {
            struct plot_ticks up, along;

            plot_ticks(&axes[a], cells, false, &up);
            plot_ticks(&axes[a], cells, true, &along);
            CHECK_TRUE(up.count >= 1 && along.count >= 1, "axis %d, %d cells: %d and %d ticks", a,
                       cells, up.count, along.count);
        }
    for (int rows = 1; rows <= 30; rows++)
        for (int columns = 1; columns <= 80; columns += 3) {
            struct canvas canvas = {0};
            struct rect box = {1, 1, rows, columns};
            struct plot plot;

            canvas_init(&canvas, rows + 2, columns + 2, true);
            if (plot_open(&plot, &canvas, box, axes[rows % AXES], axes[columns % AXES]))
                CHECK_TRUE(plot.inside.row >= box.row && plot.inside.column > box.column &&
                               plot.inside.row + plot.inside.rows + 2 == box.row + box.rows &&
                               plot.inside.column + plot.inside.columns == box.column + box.columns,
                           "%dx%d", columns, rows);
            for (int r = 0; r < rows + 2; r++)
                for (int c = 0; c < columns + 2; c++)
                    if (r == 0 || c == 0 || r == rows + 1 || c == columns + 1)
                        CHECK_INT(canvas_at(&canvas, r, c), ' ');
            canvas_free(&canvas);
        }
}

/* A wide axis of whole numbers has none between them, and each of a short one. */
TEST(whole_numbers)
{
    static const struct plot_axis axes[] = {{PLOT_WHOLE, 1, 16, ""}, {PLOT_WHOLE, 0.5, 4.5, ""}};
    static const int most[] = {16, 4};

    for (int a = 0; a < 2; a++)
        for (int cells = 1; cells <= 400; cells++) {
            struct plot_ticks ticks;

            plot_ticks(&axes[a], cells, true, &ticks);
            for (int t = 0; t < ticks.count; t++)
                CHECK_TRUE(ticks.tick[t].value == floor(ticks.tick[t].value), "%g in %d cells",
                           ticks.tick[t].value, cells);
            CHECK_TRUE(ticks.count <= most[a] && (cells < 200 || ticks.count == most[a]),
                       "%d ticks in %d cells", ticks.count, cells);
        }
}

TEST(bad_axes)
{
    static const struct plot_axis bad[] = {
        {PLOT_DECADES, 0, 1, "s"},
        {PLOT_LINEAR, 1, 1, "s"},
        {PLOT_LINEAR, 0, (double)INFINITY, "s"},
        {PLOT_BINARY, (double)NAN, 1, "B"},
    };
    struct rect all = {0, 0, 20, 60};
    struct canvas canvas = {0};
    struct plot plot;

    canvas_init(&canvas, 20, 60, true);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!plot_open(&plot, &canvas, all, bad[i], times));
    if (CHECK(plot_open(&plot, &canvas, all, sizes, times))) {
        char *before = picture_text(&canvas);

        plot_mark(&plot, 1, 1e-8, STYLE_NORMAL, 'x');
        plot_mark(&plot, 8192, (double)NAN, STYLE_NORMAL, 'x');
        plot_mark(&plot, 8192, -1, STYLE_NORMAL, 'x');
        plot_vertical(&plot, 1, STYLE_NORMAL);
        picture_check(&canvas, before);
        free(before);
    }
    canvas_free(&canvas);
}

static void check_label(const struct row *row)
{
    enum plot_scale scale = strcmp(row->field[0], "binary") == 0    ? PLOT_BINARY
                            : strcmp(row->field[0], "decades") == 0 ? PLOT_DECADES
                                                                    : PLOT_LINEAR;
    const struct plot_axis axis = {scale, 1, 2, row->field[1]};
    char text[PLOT_LABEL_MAX];

    plot_label(&axis, row_number(row, 2), text, sizeof text);
    ROW_STR(row, text, row->field[3]);
}

TEST(labels)
{
    rows_each("screen.txt", "labels", 4, check_label);
}

TEST(around)
{
    struct plot_axis axis = plot_axis_around(PLOT_DECADES, 1.5e-9, 2e-7, "s");

    CHECK_NEAR(axis.low, 1e-9, 1e-12);
    CHECK_NEAR(axis.high, 2e-7, 1e-12);
    axis = plot_axis_around(PLOT_DECADES, 4.9e-9, 5.1e-9, "s");
    CHECK_NEAR(axis.low, 2e-9, 1e-12);
    CHECK_NEAR(axis.high, 1e-8, 1e-12);
    axis = plot_axis_around(PLOT_BINARY, 4096, 4096, "B");
    CHECK_NEAR(axis.low, 4096, 0);
    CHECK_NEAR(axis.high, 8192, 0);
    axis = plot_axis_around(PLOT_LINEAR, 3, 3, "");
    CHECK_NEAR(axis.high, 4, 0);
}
