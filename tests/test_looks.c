/* The kinds of time: one colour and one fill each, and the bars made of them. */
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "draw/looks.h"
#include "tui/widget.h"

static bool is_kind(int look)
{
    return look < LOOK_KINDS;
}

/* No two kinds share a fill, a colour or a style, and no other look has the fill of a kind. */
TEST(kinds_differ)
{
    for (int a = 0; a < LOOK_COUNT; a++)
        for (int b = 0; b < a; b++) {
            const struct look *first = look_of((enum chart_look)a);
            const struct look *second = look_of((enum chart_look)b);

            if (!is_kind(b))
                continue;
            CHECK_TRUE(first->fill.unicode != second->fill.unicode, "%s and %s", first->name,
                       second->name);
            CHECK_TRUE(first->fill.ascii != second->fill.ascii, "%s and %s", first->name,
                       second->name);
            if (!is_kind(a))
                continue;
            CHECK_TRUE(strcmp(first->colour, second->colour) != 0, "%s", first->colour);
            CHECK_TRUE(strcmp(first->pattern, second->pattern) != 0, "%s", first->pattern);
            CHECK_TRUE(first->style != second->style, "%s and %s", first->name, second->name);
        }
}

/* What takes more ink in ASCII is heavier on the screen, too: compute, memory, overhead. */
TEST(fills_have_the_same_weight_in_ascii)
{
    CHECK_INT(look_of(LOOK_COMPUTE)->fill.ascii, '#');
    CHECK_INT(look_of(LOOK_MEMORY)->fill.ascii, '%');
    CHECK_INT(look_of(LOOK_OVERHEAD)->fill.ascii, ':');
}

/* A line of a chart with many is none of the kinds of time. */
TEST(lines_of_charts_are_no_fill)
{
    for (int line = LOOK_FIRST; line < LOOK_BACK; line++)
        for (int look = LOOK_COMPUTE; look <= LOOK_OVERHEAD; look++)
            CHECK_TRUE(look_of((enum chart_look)line)->mark.ascii !=
                           look_of((enum chart_look)look)->fill.ascii,
                       "%s and %s", look_of((enum chart_look)line)->name,
                       look_of((enum chart_look)look)->name);
}

TEST(rules_of_charts_are_no_fill)
{
    for (int look = LOOK_COMPUTE; look <= LOOK_WAIT; look++) {
        CHECK_TRUE(look_rule_down.ascii != look_of((enum chart_look)look)->fill.ascii, "%s",
                   look_of((enum chart_look)look)->name);
        CHECK_TRUE(look_rule_down.unicode != look_of((enum chart_look)look)->fill.unicode, "%s",
                   look_of((enum chart_look)look)->name);
    }
}

/* Orange: much red, half as much green, hardly any blue. */
static bool is_orange(const char *colour)
{
    unsigned long rgb = strtoul(colour + 1, NULL, 16);
    unsigned long red = rgb >> 16, green = rgb >> 8 & 0xFF, blue = rgb & 0xFF;

    return red > 0x90 && green * 4 > red && green * 4 < red * 3 && blue < 0x40;
}

TEST(only_memory_is_orange)
{
    for (int look = 0; look < LOOK_COUNT; look++) {
        const struct look *it = look_of((enum chart_look)look);

        CHECK_TRUE(is_orange(it->colour) == (look == LOOK_MEMORY), "%s %s", it->name, it->colour);
        CHECK_TRUE((it->style == STYLE_MEMORY) == (look == LOOK_MEMORY), "%s", it->name);
    }
}

TEST(every_bound_has_a_look)
{
    for (int bound = BOUND_COMPUTE; bound <= BOUND_ENQUEUE; bound++)
        CHECK_TRUE(is_kind((int)look_of_bound((enum bound)bound)), "%s",
                   bound_name((enum bound)bound));
    CHECK_INT(look_of_bound(BOUND_MEMORY), LOOK_MEMORY);
    CHECK_INT(look_of_bound(BOUND_WAITING), LOOK_WAIT);
}

/* Wherever the baseline ends, the bar keeps its characters, and one tick stands. */
TEST(ticks_break_no_bar)
{
    enum { COLUMNS = 20 };

    for (int unicode = 0; unicode < 2; unicode++)
        for (int look = LOOK_COMPUTE; look <= LOOK_OVERHEAD; look++)
            for (int ghost = 1; ghost < 8 * COLUMNS; ghost++) {
                struct canvas canvas = {0}, plain = {0};
                const struct look *kind = look_of((enum chart_look)look);
                const struct rect line = {0, 0, 1, COLUMNS};
                int cells = 0, ticks = 0;

                canvas_init(&canvas, 1, COLUMNS, unicode == 1);
                canvas_init(&plain, 1, COLUMNS, unicode == 1);
                widget_bar(&plain, line, 9, 12, -1, (enum chart_look)look, kind->style);
                widget_bar(&canvas, line, 9, 12, ghost / 8.0, (enum chart_look)look, kind->style);
                for (int c = 0; c < COLUMNS; c++) {
                    const struct cell *cell = &canvas.cells[c];

                    cells += c < 12 && cell->character == plain.cells[c].character;
                    ticks += c < 12 ? cell->style != plain.cells[c].style && cell->underline
                                    : cell->character == mark_character(&canvas, MARK_TICK);
                }
                CHECK_TRUE(cells == 12, "%s, %d/8: %d cells of 12", kind->name, ghost, cells);
                CHECK_TRUE(ticks == (ghost == 9 * 8 ? 0 : 1), "%s, %d/8: %d ticks", kind->name,
                           ghost, ticks);
                canvas_free(&canvas);
                canvas_free(&plain);
            }
}

TEST(scales_stay)
{
    struct bar_scale scale = {0};
    static const double largest[] = {1.2e-4, 1.9e-4, 2.1e-4, 3e-4, 6e-5, 5e-5, 4.9e-5};
    static const double high[] = {2e-4, 2e-4, 5e-4, 5e-4, 5e-4, 5e-5, 5e-5};

    for (size_t i = 0; i < sizeof largest / sizeof largest[0]; i++) {
        bar_scale_keep(&scale, 1e-6, largest[i], false);
        CHECK_NEAR(scale.high, high[i], 1e-9);
    }
    bar_scale_keep(&scale, 1e-6, 5e-5, true);
    CHECK(scale.logarithmic);
    CHECK_NEAR(scale.low, 1e-7, 1e-9);
}

/* A device is as busy as what binds its longest component. */
TEST(devices_have_the_colour_of_what_binds)
{
    struct fixture f;
    const struct result *result;

    if (!fixture_open(&f, "micado-scao", 36, 120))
        return;
    result = &f.app->host.design.result;
    for (int d = 0; d < result->device_count; d++) {
        const struct device *device = &f.app->host.design.scenario.device[d];

        CHECK_INT(result->device[d].bound,
                  strcmp(device->head.name, "gpu0") == 0 ? BOUND_MEMORY : BOUND_OVERHEAD);
    }
    fixture_close(&f);
}
