#include "draw/chart.h"
#include "draw/plot.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "sample_charts.h"

#define OUTSIDE 0x2116U /* in no picture */

static char *print(const struct canvas *canvas)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        abort();
    canvas_print(canvas, file);
    fclose(file);
    return text;
}

static void picture(enum sample_chart sample, int rows, int columns, bool unicode,
                    const char *expected)
{
    struct canvas canvas = {0};
    struct chart chart;
    char *text;

    if (!CHECK(canvas_init(&canvas, rows, columns, unicode)))
        return;
    sample_chart(sample, &chart);
    chart_draw(&chart, &canvas, (struct rect){0, 0, rows, columns}, NULL);
    text = print(&canvas);
    CHECK_STR(text, expected);
    free(text);
    chart_free(&chart);
    canvas_free(&canvas);
}

/* clang-format off */

TEST(roofs)
{
    picture(SAMPLE_ROOFS, 16, 64, true,
            "performance\n"
            " 10 TFLOP/s┤           •⣀⣀⣀⣀⣀⣀▲⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀■⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀■\n"
            "           │      ⣀⡠⠔⠊⠉ ⢀⣀⠤⠒⠉⠁    slopes ●   ⢀⣀⠤⠒⠊⠁\n"
            "  1 TFLOP/s┤ ⢀⡠⠤⠒⠉  ⣀⠤⠒⠊⠁                ⣀⠤⠔⠊⠁\n"
            "           │•⠁ ⣀⠤⠔⠊⠉                ⣀⡠⠔⠒⠉\n"
            "           │▲⠒⠉         recon  ⢀⡠⠤⠒⠉\n"
            "100 GFLOP/s┤               ⣀⠤⠒●● recon-2\n"
            "           │          ⣀⠤⠔⠊⠉\n"
            "           │     ⢀⡠⠔⠒⠉\n"
            " 10 GFLOP/s┤⢀⣀⠤⠒⠉⠁            ● control\n"
            "           │■\n"
            "  1 GFLOP/s┤\n"
            "           └┬─────┬──────┬─────┬──────┬─────┬─────┬──────┬─────┬\n"
            "          0.01  0.03    0.1   0.3     1     3    10     30   100\n"
            "                                               intensity, FLOP/B\n"
            "• L1 60 TB/s   ▲ L2 20 TB/s   ■ DRAM 460 GB/s   ● components\n");
    picture(SAMPLE_ROOFS, 10, 60, false,
            "          |        ******++++++++++++++@+++++xxxxxxxxxxxxxxx\n"
            " 1 TFLOP/s+******++++++++             xxxxxxx  peak double\n"
            "          |+++++++    recon    xxxxxxx\n"
            "          |            xxxxx@@x\n"
            "          |     xxxxxxxx       recon-2\n"
            "10 GFLOP/s+xxxxxx           @ control\n"
            "          |\n"
            "          ++-----------+-----------+-----------+-----------+\n"
            "         0.01         0.1          1          10         100\n"
            "* L1 60 TB/s   + L2 20 TB/s   x DRAM 460 GB/s   @ components\n");
}

TEST(bars)
{
    picture(SAMPLE_BARS, 14, 60, true,
            "calibration│█████·········              target 175 µs┆\n"
            "           │█████·········                           ┆\n"
            "           │                                         ┆\n"
            "slopes     │       ▒▒▒▒DRAM▒▒▒▒░░░                   ┆\n"
            "           │       ▒▒▒▒▒▒▒▒▒▒▒▒░░░                   ┆\n"
            "           │                                         ┆\n"
            "recon      │              ══════════════════════     ┆   █\n"
            "           │              ══════════════════════     ┆   █\n"
            "           │                                         ┆\n"
            "           └┬──────────┬───────────┬────────────┬──────────┬\n"
            "           0 s       50 µs      100 µs       150 µs   200 µs\n"
            "                                                        time\n"
            "█ compute   · wait   ▒ memory   ░ overhead   ═ link\n"
            "\n");
    picture(SAMPLE_BARS, 14, 60, false,
            "calibration|#####.........              target 175 us:\n"
            "           |#####.........                           :\n"
            "           |                                         :\n"
            "slopes     |       ::::DRAM::::%%%                   :\n"
            "           |       ::::::::::::%%%                   :\n"
            "           |                                         :\n"
            "recon      |              ======================     :   #\n"
            "           |              ======================     :   #\n"
            "           |                                         :\n"
            "           ++----------+-----------+------------+----------+\n"
            "           0 s       50 us      100 us       150 us   200 us\n"
            "                                                        time\n"
            "# compute   . wait   : memory   % overhead   = link\n"
            "\n");
    picture(SAMPLE_BARS, 7, 40, true,
            "calibration│███·····   target 175 µs┆\n"
            "slopes     │    ▒▒DRAM▒░░           ┆\n"
            "recon      │        ═════════════   ┆ █\n"
            "           └┬────────────┬─────────────┬\n"
            "           0 s        100 µs      200 µs\n"
            "█ compute   · wait   ▒ memory\n"
            "\n");
}

TEST(map)
{
    picture(SAMPLE_MAP, 14, 60, true,
            "cores\n"
            "64┤▒▒▒▒▒░░░░░░░░░×××××················◆················×××××\n"
            "  │▓▓▓▓▓▒▒▒▒░░░░░░░░░░×·······························×░░░░░\n"
            "16┤▓▓▓▓▓▒▒▒▒░░░░░░░░░░×××××·······················×××××░░░░░\n"
            "  │▓▓▓▓▓▒▒▒▒▒▒▒▒▒░░░░░░░░░░×××××××××××××××××××××××░░░░░░░░░░\n"
            "  │▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░▒▒▒▒▒\n"
            " 4┤█████▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░▒▒▒▒▒▒▒▒▒▒\n"
            "  │█████▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░▒▒▒▒▒▒▒▒▒▒\n"
            " 1┤     ████▓▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▓▓▓▓▓\n"
            "  └┬────────┬─────────┬────────┬─────────┬────────┬────────┬\n"
            "   0       20        40       60        80       100     120\n"
            "                                                     packets\n"
            "latency 10 µs ·░▒▓█ 1 ms   × latency at most 30 µs\n"
            "◆ optimum\n");
    picture(SAMPLE_MAP, 14, 60, false,
            "cores\n"
            "64++++++====-----TTTTT................!................TTTTT\n"
            "  |*****++++=====-----T::::::::...............::::::::T-----\n"
            "16+*****++++=====-----TTTTT::::...............::::TTTTT-----\n"
            "  |#####****+++++=====-----TTTTTTTTTTTTTTTTTTTTTTT-----=====\n"
            "  |%%%%%****+++++==========-----------------------==========\n"
            " 4+%%%%%####*****++++++++++=======================++++++++++\n"
            "  |%%%%%####*****++++++++++=======================++++++++++\n"
            " 1+     %%%%#####*****++++++++++++++=====++++++++++++++*****\n"
            "  ++--------+---------+--------+---------+--------+--------+\n"
            "   0       20        40       60        80       100     120\n"
            "                                                     packets\n"
            "latency 10 us .:-=+*#%@ 1 ms   T latency at most 30 us\n"
            "! optimum\n");
}

/* The name of a rule that has no room beside it is in the legend. */
TEST(curve)
{
    picture(SAMPLE_CURVE, 14, 64, true,
            "latency\n"
            " 10 ms┤                                 now: 32┆  ┆\n"
            "      │                                        ┆  ┆\n"
            "  1 ms┤•⠑⠒⠒⠤⠤⣀⣀•┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┆┈┈┆┈┈┈┈┈┈┈┈┈┈┈┈┈\n"
            "      │        ⠈⠉⠑⠒⠒⠢⠤⢄•⣀                      ┆  ┆\n"
            "      │                  ⠉⠉⠑⠒⠒⠤•⢄⣀⣀            ┆  ┆\n"
            "100 µs┤                            ⠉⠉⠑⠒•⠦⠤⠤⢄⣀⣀⡀┆  ┆\n"
            "      │                                       ⠈•⠉⠙⠒⠒⠒⠒⠤•⠤⠤⣀⣀⣀⣀⣀⡀\n"
            "      │                                        ┆  ┆            ⠈\n"
            " 10 µs┤                                        ┆  ┆\n"
            "      └┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬\n"
            "       1       2       4       8      16      32      64     128\n"
            "                                                           cores\n"
            "• latency   ┆ recon: memory binds\n");
}

/* One point; what has no place on the axes left out; more rows than have room. */
TEST(awkward)
{
    picture(SAMPLE_POINT, 8, 40, true,
            "10 µs┤\n"
            "     │\n"
            " 3 µs┤\n"
            "     │\n"
            " 1 µs┤• here\n"
            "     └┬─────┬──────┬──────┬──────┬─────┬\n"
            "      3    3.2    3.4    3.6    3.8    4\n"
            "• the only one                         x\n");
    picture(SAMPLE_ZERO, 8, 40, true,
            "   │\n"
            "100┤                   good •⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒\n"
            "   │\n"
            "  1┤\n"
            "   └┬───────────┬───────────┬──────────┬\n"
            "  1 µs       100 µs       10 ms      1 s\n"
            "• curve   ▒ memory\n"
            "\n");
    picture(SAMPLE_SPANS, 7, 50, true,
            "row-0│▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██\n"
            "row-1│▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██\n"
            "row-2│▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██\n"
            "row-3│▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██▒▒██▒▒██▒██\n"
            "+60  └┬─────┬──────┬──────┬──────┬──────┬──────┬──\n"
            "     0 s  10 µs  20 µs  30 µs  40 µs  50 µs  60 µs\n"
            "▒ memory   █ compute                          time\n");
}

/* clang-format on */

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

                if (!CHECK(canvas_init(&canvas, rows + 2, columns + 2, s % 2 == 0)))
                    return;
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

/* Without memory, and of a chart that holds nothing, there is a sentence. */
TEST(sentences)
{
    struct canvas canvas = {0};
    struct chart chart;
    char *text;

    if (!CHECK(canvas_init(&canvas, 3, 40, true)))
        return;
    sample_chart(SAMPLE_CURVE, &chart);
    chart.failed = true;
    CHECK(!chart_draw(&chart, &canvas, (struct rect){0, 0, 3, 40}, NULL));
    text = print(&canvas);
    CHECK_STR(text, "Out of memory.\n\n\n");
    free(text);
    chart_free(&chart);
    canvas_free(&canvas);
    picture(SAMPLE_EMPTY, 2, 40, true, "No data.\n\n");
    picture(SAMPLE_CURVE, 2, 40, true, "The picture needs a larger pane.\n\n");
}
