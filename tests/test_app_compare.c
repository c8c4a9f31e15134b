#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"

static void against_the_baseline(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_press(&f, "5");
    fixture_shows(&f, "This design and baseline");
    fixture_shows(&f, "neither: both have an RTC latency of");
    fixture_shows(&f, "nothing is: v compares with another design");
    fixture_show(&f, "ao.actuators");
    fixture_press(&f, "1 { 5");
    fixture_shows(&f, "this, by little: ");
    fixture_shows(&f, "ao.actuators");
    fixture_shows(&f, "5318");
    CHECK_INT(f.app->compare.comparison.verdict.faster, 0);
    fixture_press(&f, "u");
    fixture_shows(&f, "nothing is: v compares");
    fixture_close(&f);
}

/* What one has the other takes, and it can be undone. */
static void taking_over(void)
{
    char before[64];
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    snprintf(before, sizeof before, "%s", fixture_value(&f, "device.rtc.preset"));
    fixture_press(&f, "5 v");
    fixture_type(&f, "gmt");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "compared with gmt-ngws");
    fixture_shows(&f, "This design and gmt-ngws");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.rtc.preset"), "amd-epyc-9354");
    fixture_shows(&f, "device.rtc.preset = amd-epyc-9354, as in gmt-ngws; u takes it back");
    fixture_press(&f, "u");
    CHECK_STR(fixture_value(&f, "device.rtc.preset"), before);
    /* until nothing is left to take but what only one has; on the way the design has no meaning */
    for (int i = 0; i < 60; i++) {
        const struct compare_view *view = &f.app->compare;
        int first = 0;

        while (first < view->comparison.difference_count &&
               (view->comparison.difference[first].kind == DIFFERENCE_INSTANCE ||
                !view->comparison.difference[first].has[0] ||
                !view->comparison.difference[first].has[1]))
            first++;
        if (first >= view->comparison.difference_count ||
            view->comparison.difference[first].kind == DIFFERENCE_FOLLOWS)
            break;
        f.app->compare.list[COMPARE_KNOBS].focus = first;
        fixture_press(&f, "Enter");
        CHECK_TRUE(!f.app->host.failed, "%s", f.app->host.message);
    }
    CHECK_NEAR(f.app->compare.comparison.verdict.ratio, 1, 1e-12);
    fixture_close(&f);
}

static void what_cannot_be_taken(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_press(&f, "5 :");
    fixture_type(&f, "with saxo");
    fixture_press(&f, "Enter Down");
    fixture_shows(&f, "in this design only; Enter goes to it");
    fixture_press(&f, "Enter");
    CHECK_STR(f.app->view->name, "explore");
    fixture_press(&f, "5 Down Down");
    fixture_shows(&f, "in the other design only");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "only saxo has it");
    fixture_press(&f, "Tab Tab Enter");
    CHECK_STR(f.app->view->name, "explore");
    fixture_close(&f);
}

static void explained(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "5 Tab Tab Down x");
    fixture_shows(&f, "component.calibration.time");
    fixture_press(&f, "Esc S-Tab S-Tab S-Tab x");
    fixture_shows(&f, "latency");
    fixture_press(&f, "Esc L");
    fixture_shows(&f, "logarithmic");
    fixture_close(&f);
}

static void without_another(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "5 b");
    fixture_shows(&f, "There is nothing to compare with");
    fixture_press(&f, "Tab Down x Enter");
    fixture_shows(&f, "Compare with");
    fixture_press(&f, "Esc b");
    fixture_shows(&f, "neither: both");
    fixture_close(&f);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    if (CHECK_TRUE(file != NULL && fputs(text, file) >= 0, "cannot write %s", name))
        fclose(file);
}

static void files(void)
{
    struct fixture f;

    if (!fixture_enter())
        return;
    if (fixture_open(&f, "elt-scao", 36, 120)) {
        write_file("odd.ini", "[scenario]\nformat = 1\npackets = many\n[ao]\nactuaters = 3\n");
        write_file("bare.ini", "[scenario]\nformat = 1\n[component.recon]\n"
                               "type = reconstruction\n");
        fixture_press(&f, "5 v Up");
        fixture_type(&f, "file");
        fixture_press(&f, "Enter");
        fixture_type(&f, "odd.ini");
        fixture_press(&f, "Enter");
        fixture_shows(&f, "odd.ini:3: ");
        fixture_shows(&f, "and 1 more");
        fixture_press(&f, "Esc :");
        fixture_type(&f, "with bare.ini");
        fixture_press(&f, "Enter");
        fixture_shows(&f, "bare.ini: ");
        fixture_press(&f, "Esc");
        fixture_shows(&f, "This design and baseline");
        fixture_press(&f, ":");
        fixture_type(&f, "save ./mine.ini");
        fixture_press(&f, "Enter :");
        fixture_type(&f, "set ao.actuators=100");
        fixture_press(&f, "Enter 5 :");
        fixture_type(&f, "with ./mine.ini");
        fixture_press(&f, "Enter");
        fixture_shows(&f, "This design and mine.ini");
        fixture_shows(&f, "5318");
        fixture_press(&f, ":");
        fixture_type(&f, "with baseline");
        fixture_press(&f, "Enter");
        fixture_shows(&f, "This design and baseline");
        fixture_close(&f);
    }
    fixture_leave();
}

/* Where the design has no meaning the last comparison stays, marked. */
static void stale(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_press(&f, "5 :");
    fixture_type(&f, "set component.slopes.share=0.9 component.calibration.share=0.9");
    fixture_press(&f, "Enter 5");
    CHECK(f.app->host.design.problem.status != STATUS_OK);
    fixture_shows(&f, "baseline: stale");
    fixture_shows(&f, "Components: stale");
    fixture_press(&f, "u");
    fixture_hides(&f, "stale");
    fixture_close(&f);
    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "5 :");
    fixture_type(&f, "set component.slopes.share=0.9 component.calibration.share=0.9");
    fixture_press(&f, "Enter 5 S-Tab End");
    fixture_shows(&f, "baseline: stale");
    fixture_shows(&f, "Servo lag");
    fixture_close(&f);
}

/* The cursor stays on a row there is, whatever becomes of the rows. */
static void cursor_and_scroll(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "5 :");
    fixture_type(&f, "with gmt-ngws");
    fixture_press(&f, "Enter End");
    CHECK_INT(f.app->compare.list[COMPARE_KNOBS].focus, f.app->compare.comparison.difference_count - 1);
    fixture_press(&f, "PageUp 1 5");
    CHECK(f.app->compare.list[COMPARE_KNOBS].focus > 10);
    fixture_press(&f, ":");
    fixture_type(&f, "with elt-scao");
    fixture_press(&f, "Enter Home");
    fixture_shows(&f, "nothing is: v compares");
    CHECK_INT(f.app->compare.list[COMPARE_KNOBS].focus, 0);
    fixture_press(&f, "Tab End Home PageDown Tab End PageUp Up Down Tab Down Up");
    fixture_mouse(&f, MOUSE_WHEEL_DOWN, 15, 10);
    fixture_mouse(&f, MOUSE_PRESS, 16, 10);
    CHECK_INT(f.app->compare.focus, COMPARE_NODES);
    fixture_close(&f);
}

static void as_a_chart(void)
{
    struct chart chart;
    struct fixture f;

    if (!fixture_open(&f, "harmoni-ltao", 24, 80))
        return;
    fixture_press(&f, "5");
    if (CHECK(f.app->view->chart(f.app->state, &chart))) {
        CHECK_INT(chart.count, 2);
        CHECK_INT(chart.item[0].count, chart.item[1].count);
        CHECK_INT(chart.rows, 2 * chart.item[0].count);
        CHECK(!chart.failed && plot_axis_is_good(&chart.x));
        chart_free(&chart);
    }
    fixture_close(&f);
}

/* Both sides and what lies between them in one row. */
static void table_has_both_sides(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 40, 100))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "set device.rtc.sockets=4");
    fixture_press(&f, "Enter 5 t");
    fixture_shows(&f, "time of a frame     this  baseline  difference");
    fixture_shows(&f, "dm               8.61 \xC2\xB5s   8.61 \xC2\xB5s        same   0.0 %");
    fixture_close(&f);
}

static const struct test tests[] = {
    {"against the baseline", against_the_baseline},
    {"taking over", taking_over},
    {"what cannot be taken", what_cannot_be_taken},
    {"explained", explained},
    {"without another", without_another},
    {"files", files},
    {"stale", stale},
    {"cursor and scroll", cursor_and_scroll},
    {"as a chart", as_a_chart},
    {"its table has both sides", table_has_both_sides},
    {NULL, NULL},
};

const struct suite suite_app_compare = {.name = "app_compare", .tests = tests};
