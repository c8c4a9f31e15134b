#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/evaluate.h"
#include "sample.h"

static struct scenario scenario;

/* Every device of 32 has a part, and room runs out with a sentence. */
TEST(very_many)
{
    struct result *result = sample_result();
    char list[400] = "rtc";
    struct error error;

    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", "1");
    for (int d = 1; d < DEVICE_MAX; d++) {
        char name[16];

        snprintf(name, sizeof name, "d%d", d);
        sample_add(&scenario, SECTION_DEVICE, name);
        snprintf(list + strlen(list), sizeof list - strlen(list), ",%s", name);
    }
    sample_set(&scenario, "component.recon.device", list);
    sample_evaluate(&scenario, result);
    CHECK_INT(sample_node(result, "recon")->parts, 32);
    CHECK_INT(result->node_count, 6 + 32 + 31 + 31);
    CHECK_NEAR(sample_node(result, "control")->flop, 700 + 31 * 100, 1e-12);
    CHECK_NEAR(sample_node(result, "control")->bytes, 3200 + 32 * 400, 1e-12);
    sample_component(&scenario, "second", "reconstruction");
    sample_set(&scenario, "component.second.after", "recon");
    sample_set(&scenario, "component.second.device", list);
    sample_set(&scenario, "component.second.split", "rows");
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_INVALID);
    CHECK_STR(error.message,
              "component.second.after: more than 1024 components, parts and transfers, or 8192 "
              "connections of them");
}

/* Boards that share the memory of their host need no transfers, but every part waits for all. */
TEST(too_many_connections)
{
    char list[400] = "rtc";

    sample_chain(&scenario);
    for (int d = 1; d < DEVICE_MAX; d++) {
        char name[16];
        char path[40];

        snprintf(name, sizeof name, "d%d", d);
        sample_add(&scenario, SECTION_DEVICE, name);
        snprintf(path, sizeof path, "device.%s.kind", name);
        sample_set(&scenario, path, "gpu");
        snprintf(path, sizeof path, "device.%s.host_link", name);
        sample_set(&scenario, path, "unified");
        snprintf(list + strlen(list), sizeof list - strlen(list), ",%s", name);
    }
    sample_set(&scenario, "component.recon.device", list);
    for (int c = 0; c < 9; c++) {
        char name[16];
        char path[40];

        snprintf(name, sizeof name, "r%d", c);
        sample_component(&scenario, name, "reconstruction");
        snprintf(path, sizeof path, "component.%s.device", name);
        sample_set(&scenario, path, list);
        snprintf(path, sizeof path, "component.%s.split", name);
        sample_set(&scenario, path, "rows");
        CHECK(c > 0 || sample_evaluate(&scenario, sample_result()));
    }
    sample_refused(&scenario, "component.r8.after: more than 1024 components, parts and transfers, "
                              "or 8192 connections of them");
}
