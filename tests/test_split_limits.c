#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/evaluate.h"
#include "sample.h"
#include "sample_cluster.h"

static struct scenario scenario;

static void cluster(const char *devices, const char *split)
{
    sample_cluster(&scenario, devices, split);
}

/* A list of one is no list; a structure that changed is not taken for the former. */
TEST(again)
{
    static struct scenario other;
    static const char *const changes[][2] = {
        {"component.recon.split", "rows"},           {"component.recon.device", "gpu0,gpu2"},
        {"component.recon.device", "gpu0,gpu1,rtc"}, {"component.recon.split", "columns"},
        {"component.recon.device", "gpu1"},          {"component.recon.device", "gpu1,gpu2"},
        {"component.recon.algorithm", "modal"},      {"component.recon.device", "auto"},
    };
    struct result *result = sample_result();

    cluster("gpu0, gpu1", "columns");
    sample_evaluate(&scenario, result);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct result fresh;

        sample_set(&scenario, changes[i][0], changes[i][1]);
        sample_evaluate(&scenario, result);
        if (sample_evaluate_fresh(&scenario, &fresh))
            sample_same(result, &fresh, changes[i][1]);
        result_free(&fresh);
    }
    cluster("gpu1,", "rows");
    sample_evaluate(&scenario, result);
    CHECK_STR(result->node[4].name, "recon");
    CHECK_INT(result->node[4].parts, 0);
    other = scenario;
    sample_set(&other, "component.recon.split", "columns");
    sample_evaluate(&other, result);
    CHECK_INT(result->node_count, 8);
}

TEST(refused)
{
    static const char *const alone[] = {"fourier", "cured", "cg"};

    cluster("gpu0, gpu1", "columns");
    sample_set(&scenario, "component.dm.after", "recon");
    sample_refused(&scenario,
                   "component.recon.split: columns of mvm make a part of every command on each "
                   "device, and dm cannot add them up; use rows, or put a control behind it");
    sample_set(&scenario, "component.dm.after", "recon, control");
    sample_refused(&scenario,
                   "component.recon.split: columns of mvm make a part of every command on each "
                   "device, and dm cannot add them up; use rows, or put a control behind it");
    sample_set(&scenario, "component.dm.after", "slopes");
    sample_set(&scenario, "component.control.after", "slopes");
    sample_refused(&scenario,
                   "component.recon.split: columns of mvm make a part of every command on each "
                   "device, and nothing adds them up; use rows, or put a control behind it");
    sample_set(&scenario, "component.recon.split", "rows");
    CHECK(sample_evaluate(&scenario, sample_result()));
    sample_set(&scenario, "component.recon.algorithm", "modal");
    sample_refused(&scenario,
                   "component.recon.split: rows of modal make a part of every command on each "
                   "device, and nothing adds them up; put a control behind it");
    sample_set(&scenario, "component.recon.device", "gpu1");
    CHECK(sample_evaluate(&scenario, sample_result()));
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        char sentence[120];

        cluster("gpu0, gpu1", "rows");
        sample_set(&scenario, "component.recon.algorithm", alone[i]);
        snprintf(sentence, sizeof sentence,
                 "component.recon.device: %s runs on one device; name one, or use mvm", alone[i]);
        sample_refused(&scenario, sentence);
        sample_set(&scenario, "component.recon.device", "gpu1");
        CHECK(sample_evaluate(&scenario, sample_result()));
    }
}

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
        sample_board(&scenario, name, "rtc");
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
