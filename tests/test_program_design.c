/* A program as a component of a design: its time, its place on the timeline, its knobs. */
#include <stdio.h>
#include <string.h>

#include "allocations.h"
#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "files.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "model/program.h"
#include "program_fixture.h"
#include "sample.h"

/* Evaluation ----------------------------------------------------------------------------------- */

TEST(evaluation_follows_every_change)
{
    struct error error;

    if (!program_open_design())
        return;
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    program_put_file("u.csv", program_text_two);
    CHECK_INT(program_set_trace("u.csv", &error), STATUS_OK);
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    CHECK_INT(program_set_trace("nosuch.csv", &error), STATUS_IO);
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    sample_set(&program_scenario, "component.p.type", "control");
    CHECK(program_scenario.component[1].trace.program == NULL);
    CHECK_STR(program_scenario.component[1].trace.path, "");
    CHECK(program_time_of("p") != 2e-6);
}

/* A program's time takes no memory, like all else. */
TEST(evaluating_allocates_nothing)
{
    struct result *result = sample_result();
    unsigned long before;
    struct error error;

    if (!program_open_design() || !sample_evaluate(&program_scenario, result))
        return;
    sample_set(&program_scenario, "device.rtc.cpi_int", "2");
    before = allocations();
    CHECK_INT(evaluate(&program_scenario, result, &error), STATUS_OK);
    CHECK_INT(allocations() - before, 0);
    CHECK_NEAR(sample_node(result, "p")->time, 5e-6, 1e-12);
}

/* Knobs ---------------------------------------------------------------------------------------- */

TEST(classes_are_the_device_s_knobs)
{
    static struct scenario plain;

    scenario_init(&plain);
    sample_add(&plain, SECTION_DEVICE, "d");
    for (int c = 0; c < INSTRUCTION_COUNT; c++) {
        char path[64];

        snprintf(path, sizeof path, "device.d.cpi_%s", instruction_names[c]);
        CHECK_NEAR(plain.device[0].cpi[c], 1, 0);
        sample_number(&plain, path, 2 + c);
        CHECK_NEAR(plain.device[0].cpi[c], 2 + c, 0);
    }
    CHECK_NEAR(plain.device[0].remote_latency, 300, 0);
}

/* Whether a list leaves the knob out. */
static bool idle(const char *path)
{
    struct error error;
    struct knob_ref ref;

    return CHECK_TRUE(knob_find(&program_scenario, path, &ref, &error) == STATUS_OK, "%s",
                      error.message) &&
           knob_idle(&program_scenario, ref);
}

TEST(knobs_rest_where_no_program_runs)
{
    if (!program_open_design())
        return;
    sample_add(&program_scenario, SECTION_DEVICE, "other");
    CHECK(!idle("device.rtc.cpi_int"));
    CHECK(!idle("device.rtc.cpi_other"));
    CHECK(!idle("device.rtc.remote_latency"));
    CHECK(!idle("device.rtc.clock"));
    CHECK(idle("device.other.cpi_int"));
    CHECK(idle("device.other.cpi_other"));
    CHECK(idle("device.other.remote_latency"));
    CHECK(!idle("device.other.clock"));
    CHECK(!idle("device.other.tdp"));
    CHECK(!idle("component.p.trace"));
    sample_set(&program_scenario, "device.other.cpi_int", "2");
    CHECK(!idle("device.other.cpi_int"));
    CHECK(idle("device.other.cpi_fp"));
    sample_set(&program_scenario, "component.p.device", "other");
    CHECK(idle("device.rtc.cpi_int"));
    CHECK(!idle("device.other.cpi_fp"));
}

SUITE(files_open, program_close_design)
