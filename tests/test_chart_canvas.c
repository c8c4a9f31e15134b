#include "draw/chart.h"
#include "draw/plot.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pictures.h"
#include "sample_charts.h"

#define OUTSIDE 0x2116U /* in no picture */

static char *drawn(const struct chart *chart, int rows, int columns, bool unicode)
{
    struct canvas canvas = {0};
    char *text;

    canvas_init(&canvas, rows, columns, unicode);
    chart_draw(chart, &canvas, (struct rect){0, 0, rows, columns}, NULL);
    text = picture_text(&canvas);
    canvas_free(&canvas);
    return text;
}

/* Each kind of chart. The name of a rule that has no room beside it is in the legend; what has no
 * place on the axes is left out; rows that have no room are counted. */
TEST(pictures)
{
    static const struct {
        enum sample_chart sample;
        int rows, columns;
        bool ascii;
        const char *name;
    } cases[] = {
        {SAMPLE_ROOFS, 16, 64, false, "roofs.64x16"},
        {SAMPLE_ROOFS, 10, 60, true, "roofs.60x10.ascii"},
        {SAMPLE_BARS, 14, 60, false, "bars.60x14"},
        {SAMPLE_BARS, 14, 60, true, "bars.60x14.ascii"},
        {SAMPLE_BARS, 7, 40, false, "bars.40x7"},
        {SAMPLE_MAP, 14, 60, false, "map.60x14"},
        {SAMPLE_MAP, 14, 60, true, "map.60x14.ascii"},
        {SAMPLE_CURVE, 14, 64, false, "curve.64x14"},
        {SAMPLE_POINT, 8, 40, false, "point.40x8"},
        {SAMPLE_ZERO, 8, 40, false, "zero.40x8"},
        {SAMPLE_SPANS, 7, 50, false, "spans.50x7"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct chart chart;
        char *text;

        sample_chart(cases[i].sample, &chart);
        text = drawn(&chart, cases[i].rows, cases[i].columns, !cases[i].ascii);
        picture_check_file(text, cases[i].name);
        free(text);
        chart_free(&chart);
    }
}

/* Whatever the room: nothing leaves the box, and where there is no picture there are words. */
TEST(every_size)
{
    for (int s = 0; s < SAMPLE_CHARTS; s++)
        for (int rows = 1; rows <= 24; rows += 1 + s % 3)
            for (int columns = 1; columns <= 90; columns += 3) {
                struct rect box = {1, 1, rows, columns};
                struct canvas canvas = {0};
                struct chart chart;
                struct plot plot;
                int blank = 0;

                canvas_init(&canvas, rows + 2, columns + 2, s % 2 == 0);
                canvas_fill(&canvas, (struct rect){0, 0, rows + 2, columns + 2}, STYLE_NORMAL,
                            canvas.unicode ? OUTSIDE : '$');
                canvas_fill(&canvas, box, STYLE_NORMAL, ' ');
                sample_chart((enum sample_chart)s, &chart);
                if (chart_draw(&chart, &canvas, box, &plot))
                    CHECK_TRUE(plot.inside.row >= 1 && plot.inside.rows > 0 &&
                                   plot.inside.row + plot.inside.rows <= rows,
                               "chart %d, %dx%d: plot rows %d+%d", s, columns, rows,
                               plot.inside.row, plot.inside.rows);
                for (int r = 0; r < rows + 2; r++)
                    for (int c = 0; c < columns + 2; c++) {
                        bool inside = r > 0 && c > 0 && r <= rows && c <= columns;

                        blank += inside && canvas_at(&canvas, r, c) == ' ';
                        if (!inside)
                            CHECK_TRUE(canvas_at(&canvas, r, c) == (canvas.unicode ? OUTSIDE : '$'),
                                       "chart %d, %dx%d: row %d, column %d", s, columns, rows, r,
                                       c);
                    }
                CHECK_TRUE(blank < rows * columns, "chart %d, %dx%d: nothing", s, columns, rows);
                chart_free(&chart);
                canvas_free(&canvas);
            }
}

/* Without room, and of a chart that holds nothing, there is a sentence. */
TEST(sentences)
{
    static const struct {
        enum sample_chart sample;
        const char *sentence;
    } cases[] = {
        {SAMPLE_EMPTY, "No data.\n\n"},
        {SAMPLE_CURVE, "The picture needs a larger pane.\n\n"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct canvas canvas = {0};
        struct chart chart;

        canvas_init(&canvas, 2, 40, true);
        sample_chart(cases[i].sample, &chart);
        CHECK(!chart_draw(&chart, &canvas, (struct rect){0, 0, 2, 40}, NULL));
        picture_check(&canvas, cases[i].sentence);
        chart_free(&chart);
        canvas_free(&canvas);
    }
}
