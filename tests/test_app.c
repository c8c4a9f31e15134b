#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"

static void slider_moves(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_show(&f, "device.rtc.sockets");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "2");
    fixture_hides(&f, "[modified]");
    fixture_press(&f, "Right l");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    fixture_shows(&f, "[modified]");
    fixture_press(&f, "End");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "16");
    fixture_press(&f, "Home");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "1");
    fixture_press(&f, "} S-Left");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "1");
    fixture_press(&f, "S-Right");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "11");
    fixture_press(&f, "Backspace");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "1");
    fixture_close(&f);
}

static void undo_takes_single_steps(void)
{
    struct fixture f;
    char *before;
    char *after;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    before = fixture_text(&f);
    fixture_press(&f, "Right Right Right");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "5");
    fixture_press(&f, "u u");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "3");
    fixture_press(&f, "C-r");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "4");
    fixture_press(&f, "u u u");
    fixture_shows(&f, "nothing to undo");
    fixture_hides(&f, "[modified]");
    after = fixture_text(&f);
    CHECK_STR(after, before);
    free(before);
    free(after);
    fixture_close(&f);
}

static void drag_is_one_step(void)
{
    struct fixture f;
    struct rect box;
    int row;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    box = f.app->explore.layout.knobs;
    row = box.row + 1 + f.app->explore.tree.at.list.focus - f.app->explore.tree.at.list.first;
    for (int c = box.column + 38; c < box.column + 44; c++)
        fixture_mouse(&f, c == box.column + 38 ? MOUSE_PRESS : MOUSE_DRAG, row, c);
    fixture_mouse(&f, MOUSE_RELEASE, row, box.column + 44);
    CHECK(strcmp(fixture_value(&f, "device.rtc.sockets"), "2") != 0);
    CHECK_INT(f.app->host.design.history.position, 1);
    fixture_mouse(&f, MOUSE_DRAG, row, box.column + 40);
    CHECK_INT(f.app->host.design.history.position, 1);
    fixture_press(&f, "u");
    CHECK_STR(fixture_value(&f, "device.rtc.sockets"), "2");
    fixture_close(&f);
}

static void mouse_focuses_and_folds(void)
{
    struct fixture f;
    int rows;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    rows = f.app->explore.tree.at.list.count;
    fixture_mouse(&f, MOUSE_PRESS, 2, 2);
    CHECK(f.app->explore.tree.at.list.count < rows);
    fixture_mouse(&f, MOUSE_PRESS, 2, 2);
    CHECK_INT(f.app->explore.tree.at.list.count, rows);
    fixture_mouse(&f, MOUSE_PRESS, 9, 60);
    CHECK_INT(f.app->explore.pane, PLACE_COMPONENTS);
    CHECK_STR(f.app->explore.node, "recon");
    fixture_mouse(&f, MOUSE_WHEEL_DOWN, 10, 10);
    CHECK(f.app->explore.tree.at.list.first > 0);
    fixture_close(&f);
}

static void values_are_typed(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_show(&f, "device.rtc.clock");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "device.rtc.clock = 3.55 GHz");
    fixture_type(&f, "2400 MHz");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.clock"), "2.4 GHz");
    fixture_press(&f, "Enter");
    fixture_type(&f, "12 us");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "device.rtc.clock = 12 us");
    fixture_shows(&f, "unit of another kind");
    fixture_press(&f, "Backspace Backspace");
    fixture_type(&f, "kHz");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "out of range");
    fixture_press(&f, "Esc");
    CHECK_STR(fixture_value(&f, "device.rtc.clock"), "2.4 GHz");
    fixture_close(&f);
}

static void choices_come_in_a_list(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_show(&f, "component.slopes.algorithm");
    fixture_press(&f, "Enter");
    CHECK_INT(f.app->mode, MODE_LIST);
    fixture_type(&f, "bri");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "component.slopes.algorithm"), "brightest");
    fixture_press(&f, "Right Left Left");
    CHECK_STR(fixture_value(&f, "component.slopes.algorithm"), "weighted");
    fixture_show(&f, "component.slopes.access");
    CHECK_STR(fixture_value(&f, "component.slopes.access"), "auto");
    fixture_press(&f, "Right");
    CHECK_STR(fixture_value(&f, "component.slopes.access"), "sequential");
    fixture_press(&f, "Left");
    CHECK_STR(fixture_value(&f, "component.slopes.access"), "auto");
    fixture_close(&f);
}

static void systems_ask_first(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Right Tab Tab p");
    fixture_type(&f, "saxo");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "unsaved changes");
    fixture_press(&f, "Esc");
    fixture_shows(&f, "ELT SCAO");
    fixture_press(&f, "p");
    fixture_type(&f, "saxo");
    fixture_press(&f, "Enter Down Enter");
    fixture_shows(&f, "SPHERE");
    fixture_hides(&f, "[modified]");
    fixture_close(&f);
}

static void components_lead_to_knobs(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Tab End Up Up Enter");
    CHECK_INT(f.app->explore.pane, PLACE_COMPONENTS);
    fixture_shows(&f, "is inserted where neighbours sit on different devices");
    fixture_press(&f, "Up Enter");
    CHECK_INT(f.app->explore.pane, PLACE_KNOBS);
    CHECK_INT(tree_row(&f.app->explore.tree)->section, SECTION_COMPONENT);
    fixture_press(&f, "S-Tab S-Tab");
    CHECK_INT(f.app->explore.pane, PLACE_COMPONENTS);
    fixture_close(&f);
}

static void baseline_is_pinned(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_shows(&f, "same as the baseline");
    fixture_press(&f, "Right");
    fixture_shows(&f, "baseline 14.8");
    fixture_press(&f, "b");
    fixture_shows(&f, "baseline pinned");
    fixture_shows(&f, "same as the baseline");
    fixture_press(&f, "b Up");
    fixture_hides(&f, "baseline 1");
    fixture_hides(&f, "same as the baseline");
    fixture_close(&f);
}

static void bad_designs_keep_the_numbers(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "set component.slopes.after=recon");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "cycle");
    fixture_shows(&f, "stale");
    fixture_shows(&f, "RTC latency  14.8");
    fixture_press(&f, "b");
    fixture_shows(&f, "nothing to compare with");
    fixture_press(&f, "u");
    fixture_hides(&f, "stale");
    fixture_close(&f);
}

/* The warning goes before the legend. */
static void stale_numbers_say_so_in_whole(void)
{
    static const struct {
        int rows, columns;
    } sizes[] = {{24, 80}, {30, 100}, {16, 60}};
    struct fixture f;

    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        if (!fixture_open(&f, "micado-scao", sizes[s].rows, sizes[s].columns))
            return;
        fixture_press(&f, ":");
        fixture_type(&f, "set component.slopes.after=recon");
        fixture_press(&f, "Enter");
        fixture_shows(&f, "Components: stale ");
        fixture_shows(&f, "the numbers are stale");
        fixture_close(&f);
    }
}

static void help_lists_every_key(void)
{
    struct fixture f;
    const char *text;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "?");
    text = f.app->pager.text;
    for (int a = 0; a < action_count && CHECK(text != NULL); a++)
        CHECK_TRUE(strstr(text, actions[a].help) != NULL, "%s is missing", actions[a].name);
    fixture_press(&f, "Esc F1 PageDown End Home C-c");
    CHECK(!pager_is_open(&f.app->pager));
    for (char view[] = "2"; view[0] <= '8'; view[0]++) {
        char heading[48];

        fixture_press(&f, view);
        snprintf(heading, sizeof heading, "In %s\n", f.app->view->name);
        fixture_press(&f, "?");
        text = f.app->pager.text != NULL ? f.app->pager.text : "";
        CHECK_TRUE(strncmp(text, heading, strlen(heading)) == 0,
                   "help of view %s begins with %.40s", view, text);
        fixture_press(&f, "Esc");
    }
    fixture_close(&f);
}

static void small_screens_say_so(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 10, 50))
        return;
    fixture_shows(&f, "60\xC3\x97"
                      "16 needed, 50\xC3\x97"
                      "10 here");
    for (int rows = 1; rows <= 40; rows += 3)
        for (int columns = 1; columns <= 130; columns += 7) {
            canvas_init(&f.canvas, rows, columns, columns % 2 == 0);
            fixture_press(&f, "Right Tab ? Down Esc p Esc");
        }
    fixture_close(&f);
}

static const struct test tests[] = {
    {"a slider moves", slider_moves},
    {"undo takes single steps", undo_takes_single_steps},
    {"a drag is one step", drag_is_one_step},
    {"the mouse focuses and folds", mouse_focuses_and_folds},
    {"values are typed", values_are_typed},
    {"choices come in a list", choices_come_in_a_list},
    {"systems ask first", systems_ask_first},
    {"components lead to knobs", components_lead_to_knobs},
    {"a baseline is pinned", baseline_is_pinned},
    {"bad designs keep the numbers", bad_designs_keep_the_numbers},
    {"stale numbers say so in whole", stale_numbers_say_so_in_whole},
    {"help lists every key", help_lists_every_key},
    {"small screens say so", small_screens_say_so},
    {NULL, NULL},
};

const struct suite suite_app = {.name = "app", .tests = tests};
