#include "explore/cliff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "model/range.h"
#include "sample.h"

static struct scenario scenario;
static struct trial *trial;

/* Work of 4.95 us on each of 100 packets that arrive every 5 us: with 102 it falls behind. */
static bool just_keeps_up(void)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_set(&scenario, "wfs.ngs.subaps_across", "40");
    sample_round_device(&scenario, "rtc");
    sample_set(&scenario, "device.rtc.boundary", "0 us");
    sample_set(&scenario, "device.rtc.ingress", "ideal");
    sample_component(&scenario, "camera", "camera");
    sample_component(&scenario, "work", "custom");
    sample_component(&scenario, "dm", "dm");
    sample_set(&scenario, "component.camera.readout", "500 us");
    sample_set(&scenario, "component.work.overhead", "4.95 us");
    sample_set(&scenario, "component.dm.link", "none");
    sample_set(&scenario, "scenario.packets", "100");
    sample_set(&scenario, "scenario.sharing", "exclusive");
    return sample_evaluate(&scenario, sample_result());
}

static struct knob_ref knob(const char *path)
{
    struct knob_ref ref = {.knob = &knobs[0]};
    struct error error;

    CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message);
    return ref;
}

static bool near(const char *path, struct cliff *cliff)
{
    return sample_evaluate(&scenario, sample_result()) && trial_start(trial, sample_result()) &&
           cliff_near(trial, knob(path), RESULT_NONE, cliff);
}

static int start(void)
{
    scenario_init(&scenario);
    trial = trial_new(&scenario, NULL);
    return 0;
}

static int end(void)
{
    trial_free(trial);
    return 0;
}

TEST(near_a_value)
{
    struct cliff cliff;
    char text[CLIFF_TEXT];

    if (!just_keeps_up() || !CHECK(near("scenario.packets", &cliff)))
        return;
    CHECK_NEAR(cliff.from, 100, 0);
    CHECK_NEAR(cliff.to, 110, 0);
    CHECK_NEAR(cliff.before, sample_result()->latency, 0);
    /* 110 packets of 4.545 us each: the last ends 110 x 4.95 us after the first has come */
    CHECK_NEAR(cliff.after, 110 * 4.95e-6 + 500e-6 / 110 - 500e-6 + cliff.before - 4.95e-6, 1e-6);
    cliff_print(&cliff, knob("scenario.packets"), text);
    CHECK_TRUE(strncmp(text, "100 gives ", 10) == 0 && strstr(text, " us, 110 gives ") != NULL &&
                   strstr(text, " times as long") != NULL,
               "%s", text);
    CHECK(near("component.work.overhead", &cliff));
    CHECK(near("component.camera.readout", &cliff));
    CHECK_TRUE(cliff.to < 500e-6, "%g", cliff.to);
    CHECK(!near("ao.actuators", &cliff));
    CHECK(!near("scenario.target_latency", &cliff));
    CHECK(!near("scenario.sharing", &cliff));
}

/* Whatever two neighbours are apart is a cliff of the first. */
TEST(at_the_next_integer)
{
    struct cliff cliff;

    if (!just_keeps_up())
        return;
    for (int packets = 90; packets <= 130; packets++) {
        char text[16];
        double next[2];

        snprintf(text, sizeof text, "%d", packets);
        sample_set(&scenario, "scenario.packets", text);
        if (!sample_evaluate(&scenario, sample_result()))
            return;
        next[0] = sample_result()->latency;
        snprintf(text, sizeof text, "%d", packets + 1);
        sample_set(&scenario, "scenario.packets", text);
        if (!sample_evaluate(&scenario, sample_result()))
            return;
        next[1] = sample_result()->latency;
        if (fmax(next[0], next[1]) <= CLIFF_FACTOR * fmin(next[0], next[1]))
            continue;
        CHECK_TRUE(near("scenario.packets", &cliff), "no cliff at %d", packets + 1);
    }
}

/* A frame rate at which the camera is overloaded has no latency. */
TEST(not_with_an_overloaded_design)
{
    static const double rates[] = {1900, 1950, 2010, 2100};
    const struct result_row *latency = &result_rows[RESULT_LATENCY];
    struct cliff cliff;

    if (!just_keeps_up())
        return;
    sample_set(&scenario, "component.work.overhead", "4.9 us");
    sample_set(&scenario, "component.work.barrier", "frame");
    CHECK(!cliff_along(trial, knob("scenario.frame_rate"), rates, 4, latency, &cliff));
    sample_set(&scenario, "scenario.frame_rate", "1950 Hz");
    CHECK(!near("scenario.frame_rate", &cliff));
    sample_set(&scenario, "scenario.frame_rate", "2100 Hz");
    CHECK(!near("scenario.packets", &cliff));
}

/* One core fewer, or a stated share, divides a device that is not divided. */
TEST(not_between_ways_of_sharing)
{
    struct cliff cliff;

    if (!just_keeps_up())
        return;
    sample_set(&scenario, "scenario.sharing", "auto");
    sample_set(&scenario, "device.rtc.cores", "16");
    sample_component(&scenario, "more", "custom");
    sample_set(&scenario, "component.more.overhead", "1 us");
    CHECK(!near("component.work.share", &cliff));
    CHECK(!near("component.work.workers", &cliff));
}

/* Where 60 packets no longer keep up if the software takes longer. */
TEST(near_a_value_of_the_upper_end)
{
    struct latency_range range;
    struct cliff cliff;
    char text[CLIFF_TEXT];
    int found = 0;

    if (!just_keeps_up())
        return;
    for (int packets = 52; packets <= 64; packets += 4) {
        snprintf(text, sizeof text, "%d", packets);
        sample_set(&scenario, "scenario.packets", text);
        if (!CHECK(range_find(&scenario, sample_result(), NULL, NULL, &range, NULL) == STATUS_OK) ||
            !sample_evaluate(&scenario, sample_result()))
            return;
        CHECK(!near("scenario.packets", &cliff));
        if (!cliff_near(trial, knob("scenario.packets"), range.high, &cliff))
            continue;
        CHECK(cliff.upper);
        cliff_print(&cliff, knob("scenario.packets"), text);
        CHECK_TRUE(strstr(text, " gives up to ") != NULL, "%s", text);
        found++;
    }
    CHECK_TRUE(found > 0, "%d", found);
}

TEST(no_step_of_a_tenth)
{
    struct cliff cliff;

    if (!just_keeps_up())
        return;
    sample_set(&scenario, "scenario.packets", "60");
    CHECK(!near("scenario.packets", &cliff));
    sample_set(&scenario, "scenario.packets", "5");
    CHECK(!near("scenario.packets", &cliff));
}

TEST(along_a_curve)
{
    static const double coarse[] = {400, 20, 60, 160};
    static const double fine[] = {101, 100, 99, 98};
    static const double flat[] = {10, 20, 40};
    const struct result_row *latency = &result_rows[RESULT_LATENCY];
    struct cliff cliff;

    if (!just_keeps_up())
        return;
    /* between 60 and 160, which are further apart than a step */
    CHECK(cliff_along(trial, knob("scenario.packets"), coarse, 4, latency, &cliff));
    CHECK_TRUE(cliff.from >= 92 && cliff.from <= 102 && cliff.to > 101 && cliff.to <= 111,
               "%g to %g", cliff.from, cliff.to);
    CHECK_TRUE(cliff.after > 1.5 * cliff.before, "%g to %g", cliff.before, cliff.after);
    CHECK_TRUE(cliff.to <= 1.1 * cliff.from, "%g to %g", cliff.from, cliff.to);
    CHECK(!cliff_along(trial, knob("scenario.packets"), fine, 4, latency, &cliff));
    CHECK(!cliff_along(trial, knob("scenario.packets"), flat, 3, latency, &cliff));
    CHECK(!cliff_along(trial, knob("scenario.packets"), coarse, 1, latency, &cliff));
}

/* With the software 1.7 times as long, 60 packets no longer keep up. */
TEST(along_the_upper_end)
{
    static const double packets[] = {40, 60, 70};
    const struct knob_ref ref = knob("scenario.packets");
    struct cliff cliff;

    if (!just_keeps_up())
        return;
    CHECK(!cliff_along(trial, ref, packets, 3, &result_rows[RESULT_LATENCY], &cliff));
    CHECK(cliff_along(trial, ref, packets, 3, &result_rows[RESULT_LATENCY_HIGH], &cliff));
    CHECK_TRUE(cliff.from >= 42 && cliff.to <= 48, "%g to %g", cliff.from, cliff.to);
    CHECK_TRUE(cliff.after > 1.5 * cliff.before, "%g to %g", cliff.before, cliff.after);
}

SUITE(start, end)
