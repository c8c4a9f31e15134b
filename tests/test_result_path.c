#include "design/scenario_edit.h"
#include "model/result.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "model/result_read.h"
#include "sample.h"

TEST(every_result_by_its_path)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct result_ref ref, found;
    struct error error;
    int count = 0;

    sample_chain(&scenario);
    if (!CHECK(sample_evaluate(&scenario, result)))
        return;
    for (; result_at(&scenario, result, count, &ref); count++) {
        char path[RESULT_PATH_MAX];

        result_path(&ref, path, sizeof path);
        if (!CHECK_TRUE(result_find(&scenario, result, path, &found, &error) == STATUS_OK, "%s: %s",
                        path, error.message))
            continue;
        CHECK_TRUE(found.row == ref.row && found.index == ref.index, "%s is another result", path);
        CHECK_TRUE(result_read(&scenario, result, &found) ==
                       result_value(result, ref.row, ref.index),
                   "%s: %.17g, expected %.17g", path, result_read(&scenario, result, &found),
                   result_value(result, ref.row, ref.index));
    }
    CHECK(count > 100);
}

TEST(results_in_words)
{
    static const char *const words[][2] = {{"latency", "RTC latency"},
                                           {"loop.servo_lag", "quick lag"},
                                           {"component.recon.memory_time", "recon memory time"},
                                           {"device.rtc.utilisation", "rtc utilisation"}};
    static struct scenario scenario;
    struct result *result = sample_result();
    struct result_ref ref;
    char text[RESULT_PATH_MAX];

    sample_chain(&scenario);
    if (!CHECK(sample_evaluate(&scenario, result)))
        return;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!CHECK(result_find(&scenario, result, words[i][0], &ref, NULL) == STATUS_OK))
            continue;
        result_words(&ref, text, sizeof text);
        CHECK_STR(text, words[i][1]);
    }
}

/* What a reference found keeps its meaning as other components come and go. */
TEST(numbers_move)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct result_ref ref;
    struct error error;
    int recon;

    sample_chain(&scenario);
    if (!CHECK(sample_evaluate(&scenario, result)) ||
        !CHECK(result_find(&scenario, result, "component.recon.flop", &ref, &error) == STATUS_OK))
        return;
    sample_add(&scenario, SECTION_DEVICE, "other");
    sample_set(&scenario, "component.slopes.device", "other");
    CHECK(sample_evaluate(&scenario, result));
    recon = result_find_node(result, "recon");
    CHECK_TRUE(recon != ref.index, "the transfers did not move recon from %d", recon);
    CHECK_NEAR(result_read(&scenario, result, &ref), result->node[recon].flop, 0);
    sample_set(&scenario, "component.control.after", "slopes");
    recon = section_find(&scenario, SECTION_COMPONENT, "recon");
    CHECK(scenario_remove(&scenario, SECTION_COMPONENT, recon, &error) == STATUS_OK);
    CHECK(sample_evaluate(&scenario, result));
    CHECK_TRUE(result_read(&scenario, result, &ref) == RESULT_NONE, "found again: %g",
               result_read(&scenario, result, &ref));
}

/* The span between two points is the difference of times that other results have. */
TEST(latency_between_two_points)
{
    static const struct {
        const char *path, *to, *from; /* results; NULL: any value */
    } spans[] = {
        {"latency.slopes..recon", "component.recon.last_end", "component.slopes.last_end"},
        {"latency.slopes:last:end..recon:last:end", "component.recon.last_end",
         "component.slopes.last_end"},
        {"latency.recon..slopes", "component.slopes.last_end", "component.recon.last_end"},
        {"latency.slopes:first:start..recon", "component.recon.last_end",
         "component.slopes.first_start"},
        {"latency.slopes..control:first:start", "component.control.first_start",
         "component.slopes.last_end"},
        {"latency.camera:1:start..control", "component.control.last_end", NULL},
    };
    static struct scenario scenario;
    struct result *result = sample_result();
    struct result_ref ref, from, to;
    struct error error;
    char path[RESULT_PATH_MAX];

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "4");
    if (!CHECK(sample_evaluate(&scenario, result)))
        return;
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        bool good = result_find(&scenario, result, spans[i].path, &ref, &error) == STATUS_OK;
        double zero = 0;

        if (!CHECK_TRUE(good, "%s: %s", spans[i].path, error.message))
            continue;
        result_find(&scenario, result, spans[i].to, &to, NULL);
        if (spans[i].from != NULL) {
            result_find(&scenario, result, spans[i].from, &from, NULL);
            zero = result_read(&scenario, result, &from);
        }
        CHECK_NEAR(result_read(&scenario, result, &ref), result_read(&scenario, result, &to) - zero,
                   1e-15);
        result_path(&ref, path, sizeof path);
        CHECK_STR(path, spans[i].path);
    }
    result_json_path(&ref, path, sizeof path);
    CHECK_STR(path, "latency.camera:1:start..control_us");
    result_words(&ref, path, sizeof path);
    CHECK_STR(path, "latency camera:1:start..control");

    /* packets end one after another; those that do not exist have no time */
    result_find(&scenario, result, "latency.slopes:1..slopes:2", &ref, NULL);
    CHECK(result_read(&scenario, result, &ref) > 0);
    result_find(&scenario, result, "latency.slopes:1..slopes:5", &ref, NULL);
    CHECK(result_read(&scenario, result, &ref) == RESULT_NONE);
    result_find(&scenario, result, "latency.slopes..control", &ref, NULL);
    CHECK(scenario_remove(&scenario, SECTION_COMPONENT,
                          section_find(&scenario, SECTION_COMPONENT, "control"),
                          &error) == STATUS_OK);
    CHECK(sample_evaluate(&scenario, result));
    CHECK(result_read(&scenario, result, &ref) == RESULT_NONE);
}

TEST(points_that_are_none)
{
    static const char *const paths[][2] = {
        {"latency.slopes", "\"slopes\" is no latency; expected FROM..TO, "},
        {"latency.slope..recon", "no component \"slope\" for a latency; the nearest is slopes; "},
        {"latency.slopes..", "no component \"\" for a latency"},
        {"latency.slopes:0..recon", "\"slopes:0\": packets are numbered from 1 to 4096"},
        {"latency.slopes..recon:4097", "\"recon:4097\": packets are numbered from 1 to 4096"},
        {"latency.slopes:99999999999999999999..recon",
         "\"slopes:99999999999999999999\": packets are numbered from 1 to 4096"},
        {"latency.slopes..recon:-1", "\"recon:-1\" is no point of a latency; expected FROM..TO, "},
        {"latency.slopes..recon:1.5", "\"recon:1.5\" is no point"},
        {"latency.slopes:..recon", "\"slopes:\" is no point"},
        {"latency.slopes:begin..recon", "\"slopes:begin\" is no point"},
        {"latency.slopes:1:end:end..recon", "\"slopes:1:end:end\" is no point"},
    };
    static struct scenario scenario;
    struct result *result = sample_result();
    struct result_ref ref;
    struct error error;

    sample_chain(&scenario);
    if (!CHECK(sample_evaluate(&scenario, result)))
        return;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        CHECK_INT(result_find(&scenario, result, paths[i][0], &ref, &error), STATUS_INVALID);
        CHECK_TRUE(strncmp(error.message, paths[i][1], strlen(paths[i][1])) == 0, "%s: %s",
                   paths[i][0], error.message);
    }
}

TEST(unknown_paths)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct result_ref ref;
    struct error error;

    sample_chain(&scenario);
    if (!CHECK(sample_evaluate(&scenario, result)))
        return;
    CHECK_INT(result_find(&scenario, result, "latancy", &ref, &error), STATUS_INVALID);
    CHECK_STR(error.message, "unknown result \"latancy\"; did you mean latency?");
    CHECK_INT(result_find(&scenario, result, "component.rekon.time", &ref, &error), STATUS_INVALID);
    CHECK_STR(error.message,
              "unknown result \"component.rekon.time\"; did you mean component.recon.time?");
    CHECK_INT(result_find(&scenario, result, "zzzzzz", &ref, &error), STATUS_INVALID);
    CHECK_STR(error.message, "unknown result \"zzzzzz\"; results are latency, loop.lag, "
                             "component.NAME.time, device.NAME.utilisation and the like");
}

TEST(result_table_is_sound)
{
    static struct scenario scenario;
    struct result *result = sample_result();

    sample_chain(&scenario);
    sample_evaluate(&scenario, result);
    for (int i = 0; i < RESULT_ROW_COUNT; i++) {
        const struct result_row *row = &result_rows[i];

        for (int j = 0; j < i; j++)
            CHECK_TRUE(row->scope != result_rows[j].scope ||
                           (strcmp(row->key, result_rows[j].key) != 0 &&
                            strcmp(row->json, result_rows[j].json) != 0),
                       "%s stands twice", row->key);
        CHECK_TRUE(isfinite(result_value(result, row, 0)), "%s is not finite", row->key);
        if (strcmp(row->unit, "us") == 0)
            CHECK_TRUE(strcmp(row->json + strlen(row->json) - 3, "_us") == 0, "%s is in us",
                       row->json);
    }
    CHECK_NEAR(result_value(result, &result_rows[0], 0), result->latency, 0);
    CHECK_STR(bound_name(BOUND_COMPUTE), "compute");
    CHECK_STR(bound_name(BOUND_MEMORY), "memory");
    CHECK_STR(bound_name(BOUND_OVERHEAD), "overhead");
    CHECK_STR(bound_name(BOUND_LINK), "link");
    CHECK_STR(bound_name(BOUND_READOUT), "readout");
    CHECK_INT(result_find_node(result, "slopes"), 2);
    CHECK_INT(result_find_node(result, "slope"), -1);
    result->loop.tau0 = RESULT_NONE;
    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (strcmp(result_rows[i].key, "tau0") == 0)
            CHECK_NEAR(result_value(result, &result_rows[i], 0), RESULT_NONE, 0);
}
