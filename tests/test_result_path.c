#include "design/scenario_edit.h"
#include "model/result.h"

#include "check.h"
#include "design/knob.h"
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
    CHECK_STR(error.message, "unknown result \"zzzzzz\"; results are latency, loop.servo_lag, "
                             "component.NAME.time, device.NAME.utilisation and the like");
}
