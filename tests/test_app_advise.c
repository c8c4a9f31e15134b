/* View 6: what it shows, and that what is taken is what was promised. */
#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"

static const struct advise *advice_of(const struct fixture *f)
{
    return advise_shown(&f->app->advise) == NULL ? NULL : advise_shown(&f->app->advise)->advise;
}

static bool opens(struct fixture *f, const char *system, int rows, int columns)
{
    if (!fixture_open(f, system, rows, columns))
        return false;
    fixture_press(f, "6");
    return fixture_wait(f) && CHECK(advice_of(f) != NULL) &&
           CHECK_INT(f->app->advise.parts, ADVICE_PARTS);
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
        check_take(&f, f.app->advise.rows[ADVISE_PANE_STEPS].row[0].after->latency);
        fixture_press(&f, "Down");
        check_take(&f, f.app->advise.rows[ADVISE_PANE_STEPS].row[1].after->latency);
        fixture_press(&f, "Home Enter");
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
        /* shares are of a divided device */
        fixture_command(&f, "set scenario.sharing=partition");
        fixture_press(&f, "6");
        fixture_wait(&f);
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_SPLIT, 0, -1))
            check_take(&f, advice_of(&f)->split[0].after.latency);
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_PACKETS_BEST, -1, -1))
            check_take(&f, advice_of(&f)->packets.best.after.latency);
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_PACKETS_FEWEST, -1, -1))
            check_take(&f, advice_of(&f)->packets.fewest.after.latency);
        fixture_shows(&f, "target 200 \xC2\xB5s: met");
    }
    fixture_close(&f);
}

TEST(what_meets_the_target_is_taken)
{
    struct fixture f;

    if (opens(&f, "gregor", 60, 200)) {
        fixture_command(&f, "set scenario.target_latency=9.5us");
        fixture_press(&f, "6");
        fixture_wait(&f);
        fixture_shows(&f, "missed");
        if (seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_SEQUENCE, TARGET_CHOICES, -1))
            check_take(&f, advice_of(&f)->target.sequence[TARGET_CHOICES].after.latency);
        if (advice_of(&f)->target.sequence[TARGET_CHOICES].count > 1 &&
            seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_SEQUENCE, TARGET_CHOICES, 0))
            check_take(&f, advice_of(&f)->target.sequence[TARGET_CHOICES].step[0].after.latency);
        if (advice_of(&f)->target.count > 0 &&
            seek_row(&f, ADVISE_PANE_ANSWERS, ADVISE_KNOB, 0, -1))
            check_take(&f, advice_of(&f)->target.knob[0].after.latency);
    }
    fixture_close(&f);
}

/* The search runs only while the view is shown. */
TEST(it_begins_anew)
{
    struct fixture f;

    if (opens(&f, "elt-scao", 24, 80)) {
        fixture_press(&f, "1 Right");
        CHECK(!f.app->advise.answer.current && f.app->advise.answer.running == NULL);
        fixture_press(&f, "6");
        CHECK(f.app->advise.answer.running != NULL);
    }
    fixture_close(&f); /* while it runs */
}

TEST(the_picture)
{
    struct fixture f;
    struct chart chart;

    if (opens(&f, "elt-scao", 24, 80) && CHECK(f.app->view->chart(f.app->state, &chart))) {
        int rows = 0;

        CHECK_INT(chart.count, 3); /* hardware, software, assumptions */
        for (int i = 0; i < chart.count; i++)
            for (int s = 0; s < chart.item[i].count; s++) {
                CHECK_INT(chart.item[i].span[s].row, i + rows++); /* blank rows between them */
                CHECK(i == 2 || s == 0 || chart.item[i].span[s].to <= chart.item[i].span[s - 1].to);
            }
        CHECK_INT(chart.rows, rows + 2);
        CHECK_STR(chart.row[chart.item[1].span[0].row], "gpu0 copies memcpy \xE2\x86\x92 mapped");
        CHECK(chart.item[1].span[0].to > chart.item[1].span[1].to);
        chart_free(&chart);
    }
    fixture_close(&f);
}
