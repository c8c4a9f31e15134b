/* The formulas on the screen: what x begins with, and how rows open and fold. */
#include <string.h>

#include "app_fixture.h"
#include "check.h"

static bool holds(const struct fixture *f, const char *path)
{
    const struct formulas *formulas = &f->app->formulas;

    for (int r = 0; r < formulas->list.count; r++)
        if (formulas->rows[r].path != NULL && strcmp(formulas->rows[r].path, path) == 0)
            return true;
    return false;
}

static void rows_open_and_fold(void)
{
    struct fixture f;
    const struct formulas *formulas;
    int count;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    formulas = &f.app->formulas;
    fixture_press(&f, "Tab Tab x");
    CHECK_INT(app_place(f.app), PLACE_FORMULAS);
    fixture_shows(&f, "latency = ");
    count = formulas->list.count;
    fixture_press(&f, "Down Right");
    CHECK_TRUE(formulas->list.count > count, "%d rows after opening, %d before",
               formulas->list.count, count);
    CHECK(formulas->rows[1].open);
    fixture_press(&f, "Down Left");
    CHECK_INT(formulas->list.focus, 1);
    fixture_press(&f, "Left");
    CHECK_INT(formulas->list.count, count);
    fixture_press(&f, "Enter");
    CHECK(formulas->rows[1].open);
    fixture_press(&f, "Enter");
    CHECK_INT(formulas->list.count, count);
    fixture_press(&f, "End");
    CHECK_INT(formulas->list.focus, count - 1);
    fixture_press(&f, "PageUp Home Left");
    CHECK_INT(formulas->list.focus, 0);
    fixture_press(&f, "? Esc");
    CHECK_INT(app_place(f.app), PLACE_FORMULAS);
    fixture_press(&f, "Esc");
    CHECK_INT(app_place(f.app), PLACE_LOOP);
    fixture_close(&f);
}

/* Every result is at hand without a word of the ':' line. */
static void results_of_what_is_under_the_cursor(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "Tab Tab x");
    CHECK(holds(&f, "max_frame_rate"));
    CHECK(holds(&f, "loop.servo_lag"));
    CHECK(holds(&f, "loop.strehl"));
    CHECK(!holds(&f, "component.recon.time"));
    fixture_press(&f, "Esc Tab Tab Down x");
    CHECK(holds(&f, "component.calibration.memory_time"));
    CHECK(holds(&f, "component.calibration.slack"));
    CHECK(!holds(&f, "component.recon.slack"));
    fixture_close(&f);
}

/* A knob is followed by what names it, and what it chooses; and by why there is neither. */
static void knobs_say_what_they_are_for(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_show(&f, "device.rtc.clock");
    fixture_press(&f, "x");
    fixture_shows(&f, "It is in the formulas of");
    CHECK(holds(&f, "device.rtc.peak_flops"));
    fixture_press(&f, "q");
    fixture_show(&f, "component.recon.precision");
    fixture_press(&f, "x");
    fixture_shows(&f, "It chooses the formulas of");
    CHECK(holds(&f, "component.recon.element_bytes"));
    fixture_press(&f, "q");
    fixture_show(&f, "scenario.title");
    fixture_press(&f, "x");
    fixture_shows(&f, "nothing is computed from it");
    fixture_close(&f);
}

static void the_mouse_opens_rows(void)
{
    struct fixture f;
    const struct formulas *formulas;
    int count;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    formulas = &f.app->formulas;
    fixture_press(&f, "Tab Tab x");
    count = formulas->list.count;
    /* the first row takes two lines */
    fixture_mouse(&f, MOUSE_PRESS, formulas->list.area.row + 2, formulas->list.area.column + 4);
    CHECK_INT(formulas->list.focus, 1);
    fixture_mouse(&f, MOUSE_PRESS, formulas->list.area.row + 2, formulas->list.area.column + 4);
    CHECK_TRUE(formulas->list.count > count, "%d rows after opening, %d before",
               formulas->list.count, count);
    fixture_mouse(&f, MOUSE_WHEEL_DOWN, 0, 0);
    CHECK_INT(formulas->list.focus, 4);
    fixture_close(&f);
}

/* However deep and however small, the focus is on the screen. */
static void everything_opens_on_a_small_screen(void)
{
    struct fixture f;
    const struct formulas *formulas;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    formulas = &f.app->formulas;
    fixture_press(&f, "Tab Tab x");
    for (int i = 0; i < 150; i++) {
        fixture_press(&f, "Down Right");
        CHECK(f.canvas.cursor_row >= formulas->list.area.row);
        CHECK(f.canvas.cursor_row < formulas->list.area.row + formulas->list.area.rows);
    }
    CHECK_TRUE(formulas->list.count > 150, "%d rows", formulas->list.count);
    fixture_close(&f);
}

static const struct test tests[] = {
    {"rows open and fold", rows_open_and_fold},
    {"results of what is under the cursor", results_of_what_is_under_the_cursor},
    {"knobs say what they are for", knobs_say_what_they_are_for},
    {"the mouse opens rows", the_mouse_opens_rows},
    {"everything opens on a small screen", everything_opens_on_a_small_screen},
    {NULL, NULL},
};

const struct suite suite_app_explain = {"app_explain", NULL, NULL, tests};
