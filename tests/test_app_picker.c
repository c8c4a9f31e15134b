#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "tui/layout.h"
#include "tui/picker.h"

static const struct picker_column columns[] = {{"name", false}, {"speed", true}};

static void fill(struct picker *picker)
{
    static const struct {
        const char *name;
        double speed;
        int group;
    } rows[] = {
        {"delta", 1, 0}, {"Alpha one", 3, 0}, {"gamma", 2, 0}, {"alpha two", 9, 1}, {"beta", 3, 1},
    };

    picker_start(picker, "test", columns, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct picker_item *item = picker_add(picker);

        snprintf(item->text[0], PICKER_TEXT, "%s", rows[i].name);
        item->value[1] = rows[i].speed;
        item->group = rows[i].group;
    }
    picker_ready(picker, 2);
}

static const char *at(const struct picker *picker, int shown)
{
    return picker->items[picker->shown[shown]].text[0];
}

static void type(struct picker *picker, const char *text)
{
    for (; *text != '\0'; text++)
        picker_type(picker, (unsigned char)*text);
}

TEST(sorts)
{
    struct picker picker = {0};

    fill(&picker);
    CHECK_STR(at(&picker, 0), "Alpha one");
    CHECK_STR(at(&picker, 1), "delta");
    CHECK_STR(at(&picker, 3), "alpha two");
    CHECK_INT(picker_chosen(&picker), 2);
    picker_act(&picker, ACTION_SORT);
    CHECK_STR(at(&picker, 0), "Alpha one");
    CHECK_STR(at(&picker, 1), "gamma");
    CHECK_STR(at(&picker, 3), "alpha two");
    CHECK_STR(at(&picker, 4), "beta");
    picker_free(&picker);
}

/* Whatever the order, the cursor stays on its item. */
TEST(sorting_keeps_the_cursor)
{
    struct picker picker = {0};

    fill(&picker);
    for (int i = 0; i < 5; i++) {
        picker_sort(&picker, i < 3 ? 1 : -1);
        CHECK_INT(picker_chosen(&picker), 2);
    }
    CHECK_INT(picker.sort, 1);
    picker_act(&picker, ACTION_SORT);
    CHECK_INT(picker.sort, 0);
    picker_sort(&picker, -1);
    CHECK_INT(picker.sort, 1);
    picker_free(&picker);
}

static int count(const struct canvas *canvas, uint32_t character)
{
    int found = 0;

    for (int i = 0; i < canvas->rows * canvas->columns; i++)
        found += canvas->cells[i].character == character;
    return found;
}

TEST(marks_what_is_in_force)
{
    struct picker picker = {0};
    struct canvas canvas = {0};

    canvas_init(&canvas, 24, 80, true);
    fill(&picker);
    picker_draw(&picker, &canvas, layout_screen(24, 80).body);
    CHECK_INT(count(&canvas, 0x2022), 0);
    picker_present(&picker, 3);
    picker_draw(&picker, &canvas, layout_screen(24, 80).body);
    CHECK_INT(count(&canvas, 0x2022), 1);
    picker_start(&picker, "test", columns, 2);
    CHECK_INT(picker.present, -1);
    canvas_free(&canvas);
    picker_free(&picker);
}

TEST(filters)
{
    struct picker picker = {0};

    fill(&picker);
    type(&picker, "ALPHA");
    CHECK_INT(picker.list.count, 2);
    type(&picker, " tw");
    CHECK_INT(picker.list.count, 1);
    CHECK_STR(at(&picker, 0), "alpha two");
    type(&picker, "zzz");
    CHECK_INT(picker.list.count, 0);
    CHECK_INT(picker_chosen(&picker), -1);
    picker_act(&picker, ACTION_DOWN);
    CHECK_INT(picker_chosen(&picker), -1);
    for (int i = 0; i < 11; i++)
        picker_act(&picker, ACTION_DELETE_LEFT);
    CHECK_INT(picker.list.count, 5);
    picker_free(&picker);
}

TEST(moves_within)
{
    struct picker picker = {0};

    fill(&picker);
    picker_act(&picker, ACTION_END);
    CHECK_INT(picker.list.focus, 4);
    picker_act(&picker, ACTION_DOWN);
    CHECK_INT(picker.list.focus, 4);
    picker_act(&picker, ACTION_START);
    picker_act(&picker, ACTION_UP);
    CHECK_INT(picker.list.focus, 0);
    picker_free(&picker);
}

/* What is clicked is what is drawn there. */
TEST(clicks)
{
    struct picker picker = {0};
    struct canvas canvas = {0};
    struct rect body = layout_screen(24, 80).body;
    int hits = 0;

    canvas_init(&canvas, 24, 80, true);
    fill(&picker);
    picker_draw(&picker, &canvas, body);
    for (int row = 0; row < 24; row++) {
        const struct key_event press = {KEY_NAMED_MOUSE, MOUSE_PRESS, row, 40};

        picker_mouse(&picker, &press);
        if (!picker_mouse(&picker, &press)) /* only what is focused already is taken */
            continue;
        CHECK_INT(picker.list.focus, hits);
        hits++;
    }
    CHECK_INT(hits, 5);
    CHECK(!picker_mouse(&picker, &(struct key_event){KEY_NAMED_MOUSE, MOUSE_PRESS, 5, 0}));
    canvas_free(&canvas);
    picker_free(&picker);
}
