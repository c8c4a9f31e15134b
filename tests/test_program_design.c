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

TEST(takes_the_time_of_its_trace)
{
    const struct node_result *node;

    if (!program_open_design())
        return;
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    node = sample_node(sample_result(), "p");
    CHECK_NEAR(node->compute, 4e-6, 1e-12);
    CHECK_NEAR(node->memory, 640 / (4 * 8 * 3200e6 * 0.9), 1e-12);
    CHECK_NEAR(node->bytes, 640, 0);
    CHECK_NEAR(node->flop, 0, 0);
    CHECK_INT(node->bound, BOUND_COMPUTE);
    sample_set(&program_scenario, "device.rtc.clock", "2 GHz");
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    sample_set(&program_scenario, "device.rtc.remote_latency", "600 cycles");
    CHECK_NEAR(program_time_of("p"), 3.5e-6, 1e-12);
    sample_set(&program_scenario, "device.rtc.cpi_int", "3");
    CHECK_NEAR(program_time_of("p"), 4.5e-6, 1e-12);
    sample_set(&program_scenario, "component.p.share", "0.5");
    CHECK_NEAR(program_time_of("p"), 9e-6, 1e-12);
    sample_set(&program_scenario, "component.p.overhead", "1 us");
    CHECK_NEAR(program_time_of("p"), 10e-6, 1e-12);
}

static void trace_is(const char *text)
{
    struct error error = {STATUS_OK, ""};

    program_put_file("new.csv", text);
    CHECK_TRUE(program_set_trace("new.csv", &error) == STATUS_OK, "%s", error.message);
}

/* What most of the time is due to, which the longest phase need not be; each time is a sum over the
 * phases. The memory gives 92.16 GB/s, 6 us for 552960 B. */
TEST(bound_by_most_of_its_time)
{
    static const char streams[] = PROGRAM_HEADER "a,0,instr,int,10000\n"
                                                 "b,0,bytes,,552960\n"
                                                 "c,0,bytes,,552960\nc,0,instr,int,1000\n";
    static const char locks[] = PROGRAM_HEADER "a,0,instr,int,10000\n"
                                               "b,0,lock,,7000\n"
                                               "c,0,lock,,8000\nc,0,bytes,,552960\n";
    const struct node_result *node;

    if (!program_open_design())
        return;
    trace_is(streams);
    CHECK_NEAR(program_time_of("p"), 22e-6, 1e-12);
    node = sample_node(sample_result(), "p");
    CHECK_NEAR(node->compute, 11e-6, 1e-12);
    CHECK_NEAR(node->memory, 12e-6, 1e-12);
    CHECK_STR(bound_name(node->bound), "memory");
    trace_is(locks);
    CHECK_NEAR(program_time_of("p"), 25e-6, 1e-12);
    node = sample_node(sample_result(), "p");
    CHECK_NEAR(node->compute, 10e-6, 1e-12);
    CHECK_NEAR(node->memory, 6e-6, 1e-12);
    CHECK_STR(bound_name(node->bound), "overhead");
}

/* One thread has nobody to wait for, whatever the cores; numbers of threads may have gaps. */
TEST(one_thread_pays_no_barrier)
{
    if (!program_open_design())
        return;
    sample_set(&program_scenario, "device.rtc.launch", "2 us");
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    sample_set(&program_scenario, "component.p.workers", "1");
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    sample_set(&program_scenario, "component.p.workers", "2");
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    trace_is(PROGRAM_HEADER "a,3,instr,int,1000\nb,3,instr,int,1000\n");
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    trace_is(PROGRAM_HEADER "a,3,instr,int,1000\nb,900,instr,int,1000\n");
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
}

/* Cores of its own run at their clock whatever the share; the bandwidth they get is the share's. */
TEST(workers_share_bandwidth_only)
{
    double bandwidth = 0.9 * 2 * 8e9; /* program_text_two cores draw 8 B a cycle each */
    struct error error;

    if (!program_open_design())
        return;
    sample_set(&program_scenario, "component.p.workers", "2");
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    sample_set(&program_scenario, "component.p.share", "0.25");
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    program_put_file("u.csv",
                     PROGRAM_HEADER "a,0,bytes,,1e6\na,0,instr,int,1000\nb,0,instr,int,3000\n");
    CHECK_INT(program_set_trace("u.csv", &error), STATUS_OK);
    CHECK_NEAR(program_time_of("p"), 1e6 / (bandwidth * 0.25) + 3e-6, 1e-12);
    CHECK_NEAR(sample_node(sample_result(), "p")->compute, 4e-6, 1e-12);
    CHECK_NEAR(sample_node(sample_result(), "p")->memory, 1e6 / (bandwidth * 0.25), 1e-12);
    CHECK_INT(sample_node(sample_result(), "p")->bound, BOUND_MEMORY);
    sample_set(&program_scenario, "component.p.workers", "auto");
    bandwidth = 0.9 * 4 * 8 * 3200e6;
    CHECK_NEAR(program_time_of("p"), (1e6 / bandwidth + 3e-6) / 0.25, 1e-12);
}

/* All of it after the last packet, whatever feeds it; what follows it waits as well. */
TEST(runs_after_the_last_packet)
{
    const struct node_result *node;
    struct error error;

    if (!program_open_design())
        return;
    sample_component(&program_scenario, "next", "custom");
    sample_set(&program_scenario, "component.next.flops", "1e6");
    program_time_of("p");
    node = sample_node(sample_result(), "p");
    CHECK_NEAR(node->first_start, sample_result()->last_pixel, 1e-12);
    CHECK_NEAR(node->last_end, sample_result()->last_pixel + 4e-6, 1e-12);
    CHECK_NEAR(sample_node(sample_result(), "next")->first_start, node->last_end, 1e-12);
    CHECK_INT(program_set_trace("nosuch.csv", &error), STATUS_IO);
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
}

/* A program hands on what came in: a transfer behind it carries that. */
TEST(hands_on_what_came_in)
{
    if (!program_open_design())
        return;
    sample_add(&program_scenario, SECTION_DEVICE, "other");
    sample_component(&program_scenario, "next", "custom");
    sample_set(&program_scenario, "component.next.device", "other");
    if (!sample_evaluate(&program_scenario, sample_result()))
        return;
    /* 80 x 80 pixels of two bytes each */
    CHECK_NEAR(sample_node(sample_result(), "camera")->bytes, 12800, 0);
    CHECK_NEAR(sample_node(sample_result(), "p>next")->bytes, 12800, 0);
}

TEST(refused_where_it_cannot_run)
{
    struct error error;

    if (!program_open_design())
        return;
    program_put_file("many.csv",
                     PROGRAM_HEADER "a,0,instr,int,1\na,1,instr,int,1\na,2,instr,int,1\n"
                                    "b,3,instr,int,1\nb,900,instr,int,1\n");
    CHECK_INT(program_set_trace("many.csv", &error), STATUS_OK);
    sample_refused(&program_scenario, "component.p.trace: 5 threads, more than the 4 cores of rtc");
    sample_set(&program_scenario, "device.rtc.sockets", "2");
    CHECK(sample_evaluate(&program_scenario, sample_result()));
    sample_set(&program_scenario, "component.p.workers", "4");
    sample_refused(&program_scenario, "component.p.trace: 5 threads, more than its 4 workers");
    sample_set(&program_scenario, "component.p.workers", "5");
    CHECK(sample_evaluate(&program_scenario, sample_result()));
    sample_component(&program_scenario, "busy", "custom");
    sample_set(&program_scenario, "component.p.workers", "auto");
    sample_set(&program_scenario, "component.busy.workers", "3");
    CHECK(sample_evaluate(&program_scenario, sample_result()));
    sample_set(&program_scenario, "component.busy.workers", "4");
    sample_refused(&program_scenario,
                   "component.p.trace: 5 threads, more than the 4 cores of rtc that "
                   "other components leave");
    sample_set(&program_scenario, "component.busy.workers", "auto");
    sample_set(&program_scenario, "device.rtc.kind", "gpu");
    sample_refused(&program_scenario, "component.p.device: a program runs on a cpu; rtc is a gpu");
    sample_set(&program_scenario, "device.rtc.kind", "cpu");
    sample_component(&program_scenario, "q", "program");
    sample_refused(&program_scenario,
                   "component.q.trace: no trace file is stated; state the path of a CSV file, "
                   "relative to the scenario's directory");
}

TEST(evaluation_follows_every_change)
{
    struct error error;

    if (!program_open_design())
        return;
    CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    program_put_file("u.csv", program_text_two);
    CHECK_INT(program_set_trace("u.csv", &error), STATUS_OK);
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
