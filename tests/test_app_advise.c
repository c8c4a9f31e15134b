/* View 6: what it shows, and that what is taken is what was promised. */
#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"

static const struct advise *advice_of(const struct fixture *f)
{
    return f->app->advise.shown == NULL ? NULL : f->app->advise.shown->advise;
}

static bool opens(struct fixture *f, const char *system, int rows, int columns)
{
    if (!fixture_open(f, system, rows, columns))
        return false;
    fixture_press(f, "6");
    return fixture_wait(f) && CHECK(advice_of(f) != NULL) &&
           CHECK_INT(f->app->advise.parts, WORK_PARTS);
}

/* Puts the cursor on the first row of a kind; -1: whatever. */
static bool seek_row(struct fixture *f, enum advise_pane pane, enum advise_row_kind kind, int a,
                     int b)
{
    struct advise_rows *list = &f->app->advise.rows[pane];

    f->app->advise.focus = pane;
    for (int i = 0; i < list->list.count; i++) {
        if (list->row[i].kind != kind || (a >= 0 && list->row[i].a != a) ||
            (b >= 0 && list->row[i].b != b))
            continue;
        list->list.focus = i;
        return true;
    }
    return CHECK_TRUE(false, "no row of kind %d", (int)kind);
}

/* Enter makes one change, to this latency, that u takes back. */
static void check_take(struct fixture *f, double latency)
{
    double before = f->app->host.design.result.latency;
    size_t position = f->app->host.design.history.position;

    fixture_press(f, "Enter");
    CHECK_INT(f->app->host.design.history.position, position + 1);
    CHECK_TRUE(f->app->host.design.result.latency == latency, "expected %.17g, got %.17g", latency,
               f->app->host.design.result.latency);
    CHECK(strcmp(f->app->view->name, "advise") == 0);
    fixture_press(f, "u");
    CHECK_TRUE(f->app->host.design.result.latency == before, "undone: expected %.17g, got %.17g",
               before, f->app->host.design.result.latency);
    CHECK(strcmp(f->app->view->name, "advise") == 0);
    fixture_wait(f);
}

TEST(steps_are_taken)
{
    struct fixture f;

    if (opens(&f, "elt-scao", 24, 80)) {
        fixture_shows(&f, "component.recon.device");
        fixture_shows(&f, "Tab: 1 of 2");
        check_take(&f, advice_of(&f)->choices.at[0].after.latency);
        fixture_press(&f, "Down Down");
        check_take(&f, advice_of(&f)->choices.at[2].after.latency);
        fixture_press(&f, "Home Enter");
        CHECK_STR(fixture_value(&f, "component.recon.device"), "rtc");
        fixture_shows(&f, "u takes it back");
        fixture_wait(&f);
        CHECK(advice_of(&f)->now.latency == f.app->host.design.result.latency);
        if (seek_row(&f, ADVISE_PANE_STEPS, ADVISE_GIVEN, 0, -1))
            check_take(&f, advice_of(&f)->given.at[0].after.latency);
    }
    fixture_close(&f);
}

TEST(answers_are_taken)
{
    struct fixture f;

    if (opens(&f, "gregor", 60, 200)) {
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_SPLIT, 0, -1))
            check_take(&f, advice_of(&f)->split[0].after.latency);
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_PACKETS_BEST, -1, -1))
            check_take(&f, advice_of(&f)->packets.best.after.latency);
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_PACKETS_FEWEST, -1, -1))
            check_take(&f, advice_of(&f)->packets.fewest.after.latency);
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_PRESET, 0, 1))
            check_take(&f, f.app->advise.shown->rank[0].row[1].latency);
        fixture_shows(&f, "presets of rtc");
        fixture_shows(&f, "target 200 \xC2\xB5s: met");
    }
    fixture_close(&f);
}

TEST(what_meets_the_target_is_taken)
{
    struct fixture f;

    if (opens(&f, "gregor", 60, 200)) {
        fixture_press(&f, ":");
        fixture_type(&f, "set scenario.target_latency=9.5us");
        fixture_press(&f, "Enter 6");
        fixture_wait(&f);
        fixture_shows(&f, "missed");
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_WAY, TARGET_CHOICES, -1))
            check_take(&f, advice_of(&f)->target.sequence[TARGET_CHOICES].after.latency);
        if (advice_of(&f)->target.sequence[TARGET_CHOICES].count > 1 &&
            seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_WAY, TARGET_CHOICES, 0))
            check_take(&f, advice_of(&f)->target.sequence[TARGET_CHOICES].step[0].after.latency);
        if (advice_of(&f)->target.count > 0 &&
            seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_KNOB, 0, -1))
            check_take(&f, advice_of(&f)->target.knob[0].after.latency);
    }
    fixture_close(&f);
}

/* A change while it is looking: what comes is of the design that is. */
TEST(it_begins_anew)
{
    struct fixture f;

    if (fixture_open(&f, "elt-scao", 24, 80)) {
        fixture_press(&f, "6");
        CHECK(f.app->advise.running != NULL);
        for (int i = 0; i < 5; i++) {
            fixture_press(&f, "1 Down Right 6");
            fixture_press(&f, "Enter"); /* nothing that is of another design */
        }
        fixture_wait(&f);
        CHECK(f.app->advise.current);
        CHECK_TRUE(advice_of(&f) != NULL &&
                       advice_of(&f)->now.latency == f.app->host.design.result.latency,
                   "advice on another design");
        fixture_press(&f, "1");
        fixture_show(&f, "scenario.packets");
        fixture_press(&f, "Right");
        CHECK_TRUE(!f.app->advise.current && f.app->advise.running == NULL,
                   "looks while nobody does");
        fixture_press(&f, "6");
        CHECK(f.app->advise.running != NULL);
    }
    fixture_close(&f); /* while it runs */
}

TEST(what_acts_on_the_cursor)
{
    struct fixture f;

    if (opens(&f, "elt-scao", 24, 80)) {
        fixture_press(&f, "x");
        fixture_shows(&f, "component.recon.device");
        fixture_press(&f, "Esc Backspace");
        fixture_wait(&f);
        fixture_press(&f, "u");
        fixture_wait(&f);
        fixture_press(&f, "Down p");
        fixture_shows(&f, "Presets for device.gpu0");
        fixture_press(&f, "Esc End PageUp Home");
        CHECK_INT(f.app->advise.rows[0].list.focus, 0);
        fixture_press(&f, "Tab");
        CHECK_INT(f.app->advise.focus, ADVISE_PANE_ANSWERS);
        fixture_press(&f, "Enter"); /* a heading */
        fixture_shows(&f, "put the cursor on a change");
    }
    fixture_close(&f);
}

TEST(mouse_and_wheel)
{
    struct fixture f;

    if (opens(&f, "elt-scao", 36, 120)) {
        struct rect right = f.app->advise.box[ADVISE_PANE_ANSWERS];

        fixture_mouse(&f, MOUSE_PRESS, right.row + 4, right.column + 4);
        CHECK_INT(f.app->advise.focus, ADVISE_PANE_ANSWERS);
        CHECK_INT(f.app->advise.rows[ADVISE_PANE_ANSWERS].list.focus, 2);
        fixture_mouse(&f, MOUSE_WHEEL_DOWN, 10, 5);
        CHECK_INT(f.app->advise.focus, ADVISE_PANE_STEPS);
        CHECK_INT(f.app->advise.rows[ADVISE_PANE_STEPS].list.focus, 3);
    }
    fixture_close(&f);
}

/* A preset, the present one too, is compared without what the design states of the device. */
TEST(presets_say_what_they_clear)
{
    struct fixture f;

    if (opens(&f, "elt-scao", 36, 120)) {
        fixture_shows(&f, "presets of rtc, without its sockets");
        fixture_hides(&f, "presets of gpu0, without");
    }
    fixture_close(&f);
}

/* A design without a meaning: the last advice stays, and says of what it is. */
TEST(a_design_without_a_meaning)
{
    struct fixture f;

    if (opens(&f, "elt-scao", 24, 80)) {
        fixture_press(&f, ":");
        fixture_type(&f, "set component.slopes.share=0.9 component.calibration.share=0.9");
        fixture_press(&f, "Enter 6");
        CHECK(f.app->host.design.problem.status != STATUS_OK);
        fixture_wait(&f);
        fixture_shows(&f, "One step of one knob: stale \xC2\xB7 Tab");
        fixture_shows(&f, "add up to 1.8");
        fixture_press(&f, "Enter");
        fixture_shows(&f, ": stale");
        fixture_press(&f, "u");
        fixture_wait(&f);
        CHECK(f.app->advise.current);
    }
    fixture_close(&f);
}

TEST(the_picture)
{
    struct fixture f;
    struct chart chart;

    if (opens(&f, "elt-scao", 24, 80) && CHECK(f.app->view->chart(f.app->state, &chart))) {
        CHECK(!chart.failed);
        CHECK_INT(chart.rows, 20);
        CHECK_INT(chart.item[0].count + chart.item[1].count, 20);
        CHECK_STR(chart.row[0], "component.recon.device gpu0 \xE2\x86\x92 rtc");
        CHECK(chart.item[1].span[0].to == advice_of(&f)->choices.at[0].gain);
        chart_free(&chart);
    }
    fixture_close(&f);
}
