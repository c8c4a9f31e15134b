#include <stddef.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "draw.h"
#include "draw/glyph.h"
#include "model/derived.h"
#include "tui/widget.h"

static void cells(const struct canvas *canvas, struct rect rect, char *text, size_t size)
{
    size_t used = 0;

    for (int r = 0; r < rect.rows; r++)
        for (int c = 0; c < rect.columns && used + GLYPH_BYTES < size; c++) {
            const struct cell *cell =
                &canvas->cells[(rect.row + r) * canvas->columns + rect.column + c];

            used += glyph_encode(cell->character, text + used);
        }
}

static void holds(const char *text, double si, const char *unit, const char *what)
{
    char number[40];

    quantity_show(si, unit, number, sizeof number);
    CHECK_TRUE(strstr(text, number) != NULL, "%s %s is not in \"%s\"", what, number, text);
}

/* A time in the table of the load, whose unit is that of the longest. */
static void holds_time(const char *text, const struct result *result, int node)
{
    double longest = 0;
    char number[40];

    for (int n = 0; n < result->node_count; n++)
        longest = fmax(longest, result->node[n].time);
    text_number(result->node[node].time * (longest < 0.01 ? 1e6 : longest < 10 ? 1e3 : 1), number,
                sizeof number);
    if (result->node[node].time * 1e6 >= 1)
        CHECK_TRUE(strstr(text, number) != NULL, "%s %s is not in \"%s\"", result->node[node].name,
                   number, text);
}

/* Every row of the component pane that shows, below the titles. */
static void check_bars(struct fixture *f, const struct result *result)
{
    const struct rect inside = rect_inside(f->app->explore.layout.components);
    struct rect row = {inside.row + (inside.rows > 3) - f->app->explore.nodes.first, inside.column,
                       1, inside.columns};
    const int first = inside.row + (inside.rows > 3);

    for (int n = 0; n < result->node_count; n++, row.row++) {
        char text[2048];

        if (row.row < first || row.row >= inside.row + inside.rows)
            continue;
        cells(&f->canvas, row, text, sizeof text);
        holds_time(text, result, n);
    }
}

/* The parts of the critical path fill the bar of the latency: only labels have blanks, one on each
 * side. */
static void check_path(struct fixture *f)
{
    struct rect row = f->app->explore.layout.verdict.path;
    char text[2048];

    if (row.rows == 0)
        return;
    cells(&f->canvas, row, text, sizeof text);
    if (strncmp(text, "path ", 5) == 0) /* the label of a wide pane */
        memset(text, '-', strcspn(text, "\xE2"));
    CHECK_TRUE(strstr(text, "  ") == NULL, "a gap in \"%s\"", text);
}

static void check_loop(struct fixture *f, const struct result *result)
{
    char text[32768];

    cells(&f->canvas, f->app->explore.layout.verdict.latency, text, sizeof text);
    holds(text, result->latency, "s", "latency");
    check_path(f);
    cells(&f->canvas, f->app->explore.layout.loop, text, sizeof text);
    if (f->app->explore.layout.loop.rows < 9)
        return;
    holds(text, result->max_frame_rate, "Hz", "max frame rate");
    holds(text, result->loop.delay_frames, "", "delay");
    if (result->loop.noise != RESULT_NONE)
        holds(text, result->loop.total, "m", "wavefront error");
    holds(text, result->loop.lag, "m", "servo lag");
    if (f->app->explore.layout.loop.rows >= 10)
        holds(text, result->first_pixel, "s", "first pixel");
}

static void check_numbers(struct fixture *f)
{
    struct result result;
    struct error error;

    result_init(&result);
    if (CHECK_INT(derived_find(&f->app->host.design.scenario, &result, DERIVED_BUDGET, NULL, &error),
                  STATUS_OK)) {
        check_bars(f, &result);
        check_loop(f, &result);
    }
    result_free(&result);
}

TEST(numbers_are_the_models)
{
    static const int sizes[][2] = {{16, 60}, {24, 80}, {36, 120}, {60, 200}};
    static const char *const systems[] = {"elt-scao", "saxo", "micado-scao", "morfeo"};

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct fixture f;

            if ((s + i) % (draw_every(1) > 1 ? 4 : 1) != 0 ||
                !fixture_open(&f, systems[s], sizes[i][0], sizes[i][1]))
                continue;
            fixture_wait(&f);
            check_numbers(&f);
            fixture_press(&f, "Down Down } Tab End");
            fixture_wait(&f);
            check_numbers(&f);
            fixture_press(&f, "L");
            check_numbers(&f);
            fixture_close(&f);
        }
}

/* The last line of the loop that shows ends a clause, or says that it does not. */
static void look_at_loop(struct fixture *f, const char *system)
{
    static const int sizes[][2] = {{16, 60}, {24, 80}, {30, 100}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct rect line;
        char text[1024];
        size_t end;

        canvas_init(&f->canvas, sizes[i][0], sizes[i][1], true);
        fixture_wait(f);
        line = rect_inside(f->app->explore.layout.loop);
        line.row += line.rows - 1;
        line.rows = 1;
        cells(&f->canvas, line, text, sizeof text);
        end = strlen(text);
        while (end > 0 && text[end - 1] == ' ')
            text[--end] = '\0';
        CHECK_TRUE(end > 0 && strchr(",;:", text[end - 1]) == NULL, "%s, %d columns: \"%s\" is cut",
                   system, sizes[i][1], text);
    }
}

TEST(lines_of_the_loop_end_a_clause)
{
    fixture_each_system(16, 60, look_at_loop);
}

/* Walks down a view and looks at the line that says what is under the cursor. */
static void walk_details(struct fixture *f, const char *system, const char *keys)
{
    const int row = layout_screen(f->canvas.rows, f->canvas.columns).detail.row;
    int cut = 0, last = -1;

    fixture_press(f, keys);
    fixture_wait(f);
    fixture_press(f, "Home");
    for (int step = 0; step < 40; step++) {
        for (int c = 0; c < f->canvas.columns; c++)
            if (canvas_at(&f->canvas, row, c) == 0x2026) {
                cut++;
                last = step;
            }
        fixture_press(f, "Down");
    }
    CHECK_TRUE(cut == 0, "%s, %d columns, keys %s: %d lines are cut, the last after %d steps down",
               system, f->canvas.columns, keys, cut, last);
}

/* A line that is too long for a narrow screen says less; it is not cut. */
TEST(what_is_under_the_cursor_is_not_cut)
{
    static const char *const keys[] = {"1", "1 Tab", "2", "3", "4", "5", "6", "6 Tab", "8", "9"};
    static const char *const systems[] = {"micado-scao", "saxo", "eris"};

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++) {
        struct fixture f;
        bool small = s < 2;

        if (!fixture_open(&f, systems[s], small ? 16 : 24, small ? 60 : 80))
            return;
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            walk_details(&f, systems[s], keys[k]);
        fixture_close(&f);
    }
}
