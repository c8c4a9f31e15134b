#include <stdio.h>
#include <string.h>

#include "app_fixture.h"
#include "base/units.h"
#include "check.h"
#include "model/jitter.h"
#include "sample.h"
#include "tui/app_state.h"

static struct fixture f;

/* What the screen shows. */
static struct jitter *shown(void)
{
    return &((struct range_answer *)f.app->host.design.range.job)->jitter;
}

/* What a run of the design on the screen gives. */
static bool expected(struct jitter *jitter)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(jitter_run(&f.app->host.design.scenario, sample_result(), JITTER_FRAMES,
                                 JITTER_SEED, JITTER_STEPS, NULL, jitter, &error) == STATUS_OK,
                      "%s", error.message);
}

static void shows_time(const char *format, double s)
{
    char time[40];
    char text[80];

    quantity_print(s, "s", time, sizeof time);
    snprintf(text, sizeof text, format, time);
    text_micro(text, sizeof text);
    fixture_shows(&f, text);
}

/* The figures on the screen are those of its design. */
static void check_figures(void)
{
    struct jitter jitter;

    if (!expected(&jitter))
        return;
    shows_time("%s", jitter.p99);
    shows_time("p99.9 %s", jitter.p999);
    CHECK_NEAR(shown()->p50, jitter.p50, 0);
    CHECK_NEAR(shown()->p99, jitter.p99, 0);
    CHECK_NEAR(shown()->p999, jitter.p999, 0);
    CHECK_INT(shown()->missed, jitter.missed);
    CHECK_INT(memcmp(shown()->bin, jitter.bin, sizeof jitter.bin), 0);
}

TEST(figures_follow_changes)
{
    static const char *const keys[] = {"C-l", "}", "u"};

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_show(&f, "device.gpu0.launch");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        fixture_press(&f, keys[i]);
        if (fixture_wait(&f))
            check_figures();
    }
    fixture_close(&f);
}

/* Keys come faster than runs end: none waits, the last design's figures stay. */
TEST(many_keys)
{
    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_show(&f, "device.gpu0.launch");
    for (int i = 0; i < 50; i++)
        fixture_press(&f, i % 3 == 0 ? "Left" : "Right");
    CHECK(app_busy(f.app));
    if (fixture_wait(&f))
        check_figures();
    fixture_close(&f);
}

/* While keys follow each other no view starts work; the first frame afterwards does. */
TEST(work_waits_for_keys)
{
    static const char *const views[] = {"1", "4", "6"};

    if (!fixture_open(&f, "elt-scao", 36, 120) || !fixture_wait(&f))
        return;
    for (size_t v = 0; v < sizeof views / sizeof views[0]; v++) {
        app_hold_work(f.app, true);
        fixture_press(&f, views[v]);
        fixture_command(&f, v % 2 == 0 ? "set ao.actuators=5000" : "set ao.actuators=4000");
        CHECK_TRUE(!app_busy(f.app), "view %s starts work between two keys", views[v]);
        app_hold_work(f.app, false);
        fixture_press(&f, "C-l");
        CHECK_TRUE(app_busy(f.app), "view %s starts no work after the keys", views[v]);
        if (!fixture_wait(&f))
            break;
    }
    fixture_close(&f);
}

/* A ring for range and jitter, one for the error budget, one for the cliff, one for the next steps: a
 * percent more is no reason to draw. */
TEST(rings_once)
{
    int taken = 0;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    app_draw(f.app, &f.canvas);
    while (app_busy(f.app) && taken < 10 && CHECK(fixture_take(&f)))
        taken++;
    CHECK_TRUE(taken > 0 && taken <= 4, "%d", taken);
    fixture_close(&f);
}

TEST(late_frames)
{
    struct jitter jitter;
    char text[80];

    if (!fixture_open(&f, "elt-scao", 60, 200))
        return;
    if (!fixture_wait(&f) || !expected(&jitter))
        return;
    CHECK_INT(jitter.missed, 0);
    fixture_hides(&f, "late frames");
    /* half of the frames are late */
    snprintf(text, sizeof text, "set scenario.target_latency=%.0fns", jitter.p50 * 1e9);
    fixture_command(&f, text);
    if (fixture_wait(&f) && expected(&jitter)) {
        CHECK_TRUE(jitter.missed > 0 && jitter.missed < JITTER_FRAMES, "%ld late", jitter.missed);
        /* four digits of about 900000 */
        snprintf(text, sizeof text, "%.0f00-%.0f00 per hour", jitter.low * jitter.per_hour / 100,
                 jitter.high * jitter.per_hour / 100);
        fixture_shows(&f, text);
        check_figures();
    }
    fixture_close(&f);
}

/* A run that was cut short says of how many frames it is. */
TEST(says_how_many_frames)
{
    if (!fixture_open(&f, "elt-scao", 60, 200))
        return;
    if (fixture_wait(&f)) {
        fixture_hides(&f, " of 10000 frames");
        shown()->wanted *= 2;
        fixture_press(&f, "Tab");
        fixture_shows(&f, " of 10000 frames");
    }
    fixture_close(&f);
}
