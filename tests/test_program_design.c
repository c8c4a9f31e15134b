/* A program as a component of a design: its time, its place on the timeline, its file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocations.h"
#include "app_fixture.h"
#include "check.h"
#include "evaluate.h"
#include "files.h"
#include "knob.h"
#include "program.h"
#include "program_library.h"
#include "program_trace.h"
#include "sample.h"

#define HEADER "phase,thread,kind,key,count\n"

/* 4000 cycles at the default CPI and latency, 640 bytes; the other half of it alone. */
static const char four[] = HEADER "a,0,instr,int,1000\na,0,remote,0,10\n";
static const char two[] = HEADER "a,0,instr,int,2000\n";

static const char design[] = "[scenario]\n"
                             "format = 1\n"
                             "packets = 10\n"
                             "[wfs.ngs]\n"
                             "subaps_across = 10\n"
                             "[device.rtc]\n"
                             "clock = 1 GHz\n"
                             "cores = 4\n"
                             "launch = 0\n"
                             "[component.camera]\n"
                             "type = camera\n"
                             "[component.p]\n"
                             "type = program\n"
                             "trace = t.csv\n";

static struct scenario scenario;
static struct document *document;

static void put_file(const char *name, const char *text)
{
    CHECK(files_write(name, text, strlen(text)));
}

static bool load(const char *name)
{
    struct problems problems = {NULL, 0, 0};
    enum status status =
        scenario_load(&scenario, &document, files_path(name), files_catalogue(), &problems);
    char *shown = files_problems(&problems);
    bool good = CHECK_TRUE(status == STATUS_OK, "%s: %s", name, shown);

    free(shown);
    problems_free(&problems);
    return good;
}

static bool open_design(void)
{
    put_file("t.csv", four);
    put_file("d.ini", design);
    return load("d.ini");
}

static int close_design(void)
{
    document_free(document);
    document = NULL;
    return files_close();
}

static enum status set_trace(const char *path, struct error *error)
{
    return scenario_set_trace(&scenario, section_find(&scenario, SECTION_COMPONENT, "p"),
                              files_catalogue(), document_path(document), path, error);
}

static double time_of(const char *name)
{
    if (!sample_evaluate(&scenario, sample_result()))
        return 0;
    return sample_node(sample_result(), name)->time;
}

/* Evaluation ----------------------------------------------------------------------------------- */

static void takes_the_time_of_its_trace(void)
{
    const struct node_result *node;

    if (!open_design())
        return;
    CHECK_NEAR(time_of("p"), 4e-6, 1e-12);
    node = sample_node(sample_result(), "p");
    CHECK_NEAR(node->compute, 4e-6, 1e-12);
    CHECK_NEAR(node->memory, 640 / (4 * 8 * 3200e6 * 0.9), 1e-12);
    CHECK_NEAR(node->bytes, 640, 0);
    CHECK_NEAR(node->flop, 0, 0);
    CHECK_INT(node->bound, BOUND_COMPUTE);
    sample_set(&scenario, "device.rtc.clock", "2 GHz");
    CHECK_NEAR(time_of("p"), 2e-6, 1e-12);
    sample_set(&scenario, "device.rtc.remote_latency", "600 cycles");
    CHECK_NEAR(time_of("p"), 3.5e-6, 1e-12);
    sample_set(&scenario, "device.rtc.cpi_int", "3");
    CHECK_NEAR(time_of("p"), 4.5e-6, 1e-12);
    sample_set(&scenario, "component.p.share", "0.5");
    CHECK_NEAR(time_of("p"), 9e-6, 1e-12);
    sample_set(&scenario, "component.p.overhead", "1 us");
    CHECK_NEAR(time_of("p"), 10e-6, 1e-12);
}

/* Cores of its own run at their clock whatever the share; the bandwidth they get is the share's. */
static void workers_share_bandwidth_only(void)
{
    double bandwidth = 0.9 * 2 * 8e9; /* two cores draw 8 B a cycle each */
    struct error error;

    if (!open_design())
        return;
    sample_set(&scenario, "component.p.workers", "2");
    CHECK_NEAR(time_of("p"), 4e-6, 1e-12);
    sample_set(&scenario, "component.p.share", "0.25");
    CHECK_NEAR(time_of("p"), 4e-6, 1e-12);
    put_file("u.csv", HEADER "a,0,bytes,,1e6\na,0,instr,int,1000\nb,0,instr,int,3000\n");
    CHECK_INT(set_trace("u.csv", &error), STATUS_OK);
    CHECK_NEAR(time_of("p"), 1e6 / (bandwidth * 0.25) + 3e-6, 1e-12);
    CHECK_NEAR(sample_node(sample_result(), "p")->compute, 4e-6, 1e-12);
    CHECK_NEAR(sample_node(sample_result(), "p")->memory, 1e6 / (bandwidth * 0.25), 1e-12);
    CHECK_INT(sample_node(sample_result(), "p")->bound, BOUND_MEMORY);
    sample_set(&scenario, "component.p.workers", "auto");
    bandwidth = 0.9 * 4 * 8 * 3200e6;
    CHECK_NEAR(time_of("p"), (1e6 / bandwidth + 3e-6) / 0.25, 1e-12);
}

/* All of it after the last packet, whatever feeds it; what follows it waits as well. */
static void runs_after_the_last_packet(void)
{
    const struct node_result *node;
    struct error error;

    if (!open_design())
        return;
    sample_component(&scenario, "next", "custom");
    sample_set(&scenario, "component.next.flops", "1e6");
    time_of("p");
    node = sample_node(sample_result(), "p");
    CHECK_NEAR(node->first_start, sample_result()->last_pixel, 1e-12);
    CHECK_NEAR(node->last_end, sample_result()->last_pixel + 4e-6, 1e-12);
    CHECK_NEAR(sample_node(sample_result(), "next")->first_start, node->last_end, 1e-12);
    CHECK_INT(set_trace("nosuch.csv", &error), STATUS_IO);
    CHECK_NEAR(time_of("p"), 4e-6, 1e-12);
}

/* A program hands on what came in: a transfer behind it carries that. */
static void hands_on_what_came_in(void)
{
    if (!open_design())
        return;
    sample_add(&scenario, SECTION_DEVICE, "other");
    sample_component(&scenario, "next", "custom");
    sample_set(&scenario, "component.next.device", "other");
    if (!sample_evaluate(&scenario, sample_result()))
        return;
    /* 80 x 80 pixels of two bytes each */
    CHECK_NEAR(sample_node(sample_result(), "camera")->bytes, 12800, 0);
    CHECK_NEAR(sample_node(sample_result(), "p>next")->bytes, 12800, 0);
}

static void refused_where_it_cannot_run(void)
{
    struct error error;

    if (!open_design())
        return;
    put_file("many.csv", HEADER "a,0,instr,int,1\na,1,instr,int,1\na,2,instr,int,1\n"
                                "b,3,instr,int,1\nb,900,instr,int,1\n");
    CHECK_INT(set_trace("many.csv", &error), STATUS_OK);
    sample_refused(&scenario, "component.p.trace: 5 threads, more than the 4 cores of rtc");
    sample_set(&scenario, "device.rtc.sockets", "2");
    CHECK(sample_evaluate(&scenario, sample_result()));
    sample_set(&scenario, "component.p.workers", "4");
    sample_refused(&scenario, "component.p.trace: 5 threads, more than its 4 workers");
    sample_set(&scenario, "component.p.workers", "5");
    CHECK(sample_evaluate(&scenario, sample_result()));
    sample_component(&scenario, "busy", "custom");
    sample_set(&scenario, "component.p.workers", "auto");
    sample_set(&scenario, "component.busy.workers", "3");
    CHECK(sample_evaluate(&scenario, sample_result()));
    sample_set(&scenario, "component.busy.workers", "4");
    sample_refused(&scenario, "component.p.trace: 5 threads, more than the 4 cores of rtc that no "
                              "other component states");
    sample_set(&scenario, "component.busy.workers", "auto");
    sample_set(&scenario, "device.rtc.kind", "gpu");
    sample_refused(&scenario, "component.p.device: a program runs on a cpu; rtc is a gpu");
    sample_set(&scenario, "device.rtc.kind", "cpu");
    sample_component(&scenario, "q", "program");
    sample_refused(&scenario, "component.q.trace: the file of its trace is not stated");
}

static void evaluation_follows_every_change(void)
{
    struct error error;

    if (!open_design())
        return;
    CHECK_NEAR(time_of("p"), 4e-6, 1e-12);
    put_file("u.csv", two);
    CHECK_INT(set_trace("u.csv", &error), STATUS_OK);
    CHECK_NEAR(time_of("p"), 2e-6, 1e-12);
    sample_set(&scenario, "component.p.type", "control");
    CHECK(scenario.component[1].trace.program == NULL);
    CHECK_STR(scenario.component[1].trace.path, "");
    CHECK(time_of("p") != 2e-6);
}

/* Files ------------------------------------------------------------------------------------------
 */

/* Equal bytes are one program, whatever the file; others are another, and the first stays. */
static void traces_are_interned(void)
{
    struct error error;
    const struct program *first;

    if (!open_design())
        return;
    first = scenario.component[1].trace.program;
    put_file("same.csv", four);
    CHECK_INT(set_trace("same.csv", &error), STATUS_OK);
    CHECK(scenario.component[1].trace.program == first);
    CHECK_STR(scenario.component[1].trace.path, "same.csv");
    put_file("t.csv", two);
    if (!load("d.ini"))
        return;
    CHECK(scenario.component[1].trace.program != first);
    CHECK_NEAR(first->reference[0].count, 10, 0);
    CHECK_NEAR(time_of("p"), 2e-6, 1e-12);
    put_file("t.csv", four);
    CHECK(load("d.ini") && scenario.component[1].trace.program == first);
}

static void paths_are_seen_from_the_scenario(void)
{
    struct error error;
    char whole[4200];
    struct problems problems = {NULL, 0, 0};

    if (!open_design())
        return;
    snprintf(whole, sizeof whole, "%s", files_path("t.csv"));
    if (strlen(whole) <= TRACE_MAX_LENGTH) {
        CHECK_INT(set_trace(whole, &error), STATUS_OK);
        CHECK_STR(scenario.component[1].trace.path, whole);
    }
    CHECK_INT(set_trace("./t.csv", &error), STATUS_OK);
    /* without a file from the working directory, which is another */
    CHECK_INT(
        scenario_parse(&scenario, &document, design, strlen(design), files_catalogue(), &problems),
        STATUS_INVALID);
    if (CHECK_INT(problems.count, 1)) {
        CHECK_INT(problems.list[0].line, 14);
        CHECK_STR(problems.list[0].message,
                  "trace = t.csv: t.csv cannot be opened: No such file or directory");
    }
    problems_free(&problems);
}

/* Every problem of a trace stands at the line that names it, with its own file and line. */
static void problems_of_a_trace_are_those_of_its_line(void)
{
    struct problems problems = {NULL, 0, 0};
    char expected[9000];
    char path[4200];
    char *shown;

    put_file("t.csv", HEADER "a,0,instr,flt,1\n\na,b,instr,int,1\n");
    put_file("d.ini", design);
    CHECK_INT(
        scenario_load(&scenario, &document, files_path("d.ini"), files_catalogue(), &problems),
        STATUS_INVALID);
    snprintf(path, sizeof path, "%s", files_path("t.csv"));
    snprintf(expected, sizeof expected,
             "14: trace = t.csv: %s:2: class \"flt\" is not allowed; did you mean int? Allowed: "
             "int, fp, fma, simd, div, load, store, branch, sync, other\n"
             "14: trace = t.csv: %s:4: thread \"b\" is not a number; allowed: 0 to 1023\n",
             path, path);
    shown = files_problems(&problems);
    CHECK_STR(shown, expected);
    free(shown);
    problems_free(&problems);
}

static void a_bad_trace_changes_nothing(void)
{
    static struct scenario before;
    struct error error;
    char text[400];

    if (!open_design())
        return;
    before = scenario;
    put_file("bad.csv", HEADER "a,0,instr,int,x\na,0,instr,int\n");
    CHECK_INT(set_trace("bad.csv", &error), STATUS_INVALID);
    CHECK_TRUE(strstr(error.message, "bad.csv:2: count \"x\" is not a number") != NULL &&
                   strstr(error.message, "(and 1 more)") != NULL,
               "%s", error.message);
    CHECK_INT(set_trace(".", &error), STATUS_IO);
    CHECK_TRUE(strstr(error.message, "is a directory") != NULL, "%s", error.message);
    memset(text, 'x', sizeof text);
    text[TRACE_MAX_LENGTH + 1] = '\0';
    CHECK_INT(set_trace(text, &error), STATUS_INVALID);
    CHECK_STR(error.message, "the path of a trace is of 1 to 255 bytes");
    CHECK_INT(set_trace("", &error), STATUS_INVALID);
    CHECK_INT(set_trace("\"'", &error), STATUS_INVALID);
    CHECK_STR(error.message, "a path cannot hold both \" and '");
    CHECK(memcmp(&before, &scenario, sizeof before) == 0);
}

static void a_large_file_is_refused(void)
{
    size_t length = PROGRAM_BYTES_MAX + 1;
    char *bytes = malloc(length);
    struct error error;

    if (!CHECK(bytes != NULL) || !open_design())
        return;
    memset(bytes, '\n', length);
    CHECK(files_write("large.csv", bytes, length));
    free(bytes);
    CHECK_INT(set_trace("large.csv", &error), STATUS_INVALID);
    CHECK_TRUE(strstr(error.message, "is larger than 4096 KiB") != NULL, "%s", error.message);
    unlink(files_path("large.csv"));
}

/* Saving writes the path as it was stated; a reset takes the line away. */
static void saving_keeps_the_path(void)
{
    struct error error;
    size_t length = 0;
    char *text;

    if (!open_design())
        return;
    text = scenario_text(&scenario, document, &length);
    CHECK_STR(text, design);
    free(text);
    put_file("a b#.csv", two);
    CHECK_INT(set_trace("a b#.csv", &error), STATUS_OK);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    text = files_read("d.ini", &length);
    CHECK_TRUE(strstr(text, "\ntrace = \"a b#.csv\"\n") != NULL, "%s", text);
    free(text);
    if (load("d.ini"))
        CHECK_NEAR(time_of("p"), 2e-6, 1e-12);
    sample_component(&scenario, "q", "program");
    CHECK_INT(scenario_set_trace(&scenario, 2, files_catalogue(), document_path(document), "t.csv",
                                 &error),
              STATUS_OK);
    text = scenario_text(&scenario, document, &length);
    CHECK_TRUE(strstr(text, "[component.q]\ntype = program\ntrace = t.csv\n") != NULL, "%s", text);
    free(text);
    knob_reset(&scenario, (struct knob_ref){SECTION_COMPONENT, 2,
                                            &knobs[knob_section_first(SECTION_COMPONENT) +
                                                   knob_section_count(SECTION_COMPONENT) - 2]});
    CHECK_STR(scenario.component[2].trace.path, "");
    CHECK(scenario.component[2].trace.program == NULL);
}

/* The trace that a saved file states. */
static void stated(const char *name, const char *expected)
{
    size_t length = 0;
    char *text = files_read(name, &length);
    const char *at = text == NULL ? NULL : strstr(text, "\ntrace = ");
    char line[4200] = "";

    if (at != NULL)
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 9, "\n"), at + 9);
    CHECK_STR(line, expected);
    free(text);
}

static void save_as(const char *name)
{
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(scenario_save(&scenario, document, files_path(name), true, &error) == STATUS_OK,
               "%s", error.message);
}

/* In another directory a trace that is not found from there is named by its absolute path. */
static void traces_are_found_from_a_new_place(void)
{
    char whole[4200];

    if (!open_design())
        return;
    snprintf(whole, sizeof whole, "%s", scenario.component[1].trace.program->origin);
    CHECK_TRUE(whole[0] == '/' && access(whole, R_OK) == 0, "%s", whole);
    save_as("beside.ini");
    stated("beside.ini", "t.csv");
    mkdir(files_path("sub"), 0700);
    save_as("sub/d.ini");
    stated("sub/d.ini", whole);
    CHECK_STR(scenario.component[1].trace.path, "t.csv");
    save_as("sub/d.ini");
    stated("sub/d.ini", whole);
    if (load("sub/d.ini"))
        CHECK_NEAR(time_of("p"), 4e-6, 1e-12);
    if (!load("d.ini"))
        return;
    put_file("sub/t.csv", four); /* copied along: found */
    save_as("sub/e.ini");
    stated("sub/e.ini", "t.csv");
    if (!load("d.ini"))
        return;
    put_file("sub/t.csv", two); /* another of the name: not the same */
    save_as("sub/f.ini");
    stated("sub/f.ini", whole);
    unlink(files_path("sub/d.ini"));
    unlink(files_path("sub/e.ini"));
    unlink(files_path("sub/f.ini"));
    unlink(files_path("sub/t.csv"));
    rmdir(files_path("sub"));
}

static void assignments_read_traces(void)
{
    const char *good[] = {"component.p.type=program", "component.p.trace = 'u.csv'"};
    const char *bad[] = {"component.p.trace=nosuch.csv"};
    struct error error;

    if (!open_design())
        return;
    put_file("u.csv", two);
    sample_set(&scenario, "component.p.type", "custom");
    CHECK_INT(
        scenario_assign(&scenario, files_catalogue(), document_path(document), good, 2, &error),
        STATUS_OK);
    CHECK_NEAR(time_of("p"), 2e-6, 1e-12);
    CHECK_INT(
        scenario_assign(&scenario, files_catalogue(), document_path(document), bad, 1, &error),
        STATUS_IO);
    CHECK_TRUE(strstr(error.message, "component.p.trace=nosuch.csv: ") != NULL &&
                   strstr(error.message, "nosuch.csv cannot be opened") != NULL,
               "%s", error.message);
    CHECK_NEAR(time_of("p"), 2e-6, 1e-12);
}

/* Knobs ------------------------------------------------------------------------------------------
 */

static void classes_are_the_devices_knobs(void)
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

    return CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message) &&
           knob_idle(&scenario, ref);
}

static void knobs_rest_where_no_program_runs(void)
{
    if (!open_design())
        return;
    sample_add(&scenario, SECTION_DEVICE, "other");
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
    sample_set(&scenario, "device.other.cpi_int", "2");
    CHECK(!idle("device.other.cpi_int"));
    CHECK(idle("device.other.cpi_fp"));
    sample_set(&scenario, "component.p.device", "other");
    CHECK(idle("device.rtc.cpi_int"));
    CHECK(!idle("device.other.cpi_fp"));
}

/* The screen -------------------------------------------------------------------------------------
 */

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void the_screen_edits_and_undoes_a_trace(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    put("d.ini", design);
    put("t.csv", four);
    put("u.csv", two);
    fixture_press(&f, "o");
    fixture_type(&f, "d.ini");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "opened d.ini");
    CHECK(fixture_show(&f, "component.p.trace"));
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "nosuch.csv");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "nosuch.csv cannot be opened");
    fixture_press(&f, "C-u");
    fixture_type(&f, "u.csv");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "u.csv");
    CHECK_NEAR(sample_node(&f.app->result, "p")->time, 2e-6, 1e-12);
    fixture_press(&f, "u");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "t.csv");
    CHECK_NEAR(sample_node(&f.app->result, "p")->time, 4e-6, 1e-12);
    fixture_hides(&f, "[modified]");
    fixture_press(&f, "C-r");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "u.csv");
    CHECK_NEAR(sample_node(&f.app->result, "p")->time, 2e-6, 1e-12);
    /* a file that changed is read again with the design; undoing what came before is not offered */
    fixture_press(&f, "u");
    put("t.csv", two);
    fixture_press(&f, "R");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "t.csv");
    CHECK_NEAR(sample_node(&f.app->result, "p")->time, 2e-6, 1e-12);
    fixture_close(&f);
    fixture_leave();
}

/* Traces are completed from the directory they are seen from. */
static void traces_are_completed(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    mkdir("sub", 0700);
    put("sub/d.ini", design);
    put("sub/t.csv", four);
    put("sub/other-program.csv", two);
    put("here.csv", two);
    fixture_press(&f, "o");
    fixture_type(&f, "sub/d.ini");
    fixture_press(&f, "Enter");
    CHECK(fixture_show(&f, "component.p.trace"));
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "o");
    fixture_press(&f, "Tab");
    CHECK_STR(f.app->prompt.line.text, "other-program.csv");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "other-program.csv");
    CHECK_NEAR(sample_node(&f.app->result, "p")->time, 2e-6, 1e-12);
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "h");
    fixture_press(&f, "Tab");
    fixture_shows(&f, "nothing begins so");
    fixture_press(&f, "Esc :");
    fixture_type(&f, "set component.p.trace=./t");
    fixture_press(&f, "Tab Enter");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "./t.csv");
    fixture_close(&f);
    fixture_leave();
}

/* A design without a file is recovered wherever the next program starts. */
static void a_trace_is_recovered(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    put("t.csv", four);
    mkdir("elsewhere", 0700);
    fixture_press(&f, ":");
    fixture_type(&f, "set component.control.type=program component.control.trace=t.csv");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "component.control.trace"), "t.csv");
    app_save_recovery(f.app);
    fixture_close(&f);
    if (!CHECK_INT(chdir("elsewhere"), 0) || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    app_offer_recovery(f.app);
    app_draw(f.app, &f.canvas);
    fixture_press(&f, "Enter");
    CHECK_TRUE(strstr(fixture_value(&f, "component.control.trace"), "/t.csv") != NULL, "%s",
               fixture_value(&f, "component.control.trace"));
    CHECK_INT(chdir(".."), 0);
    fixture_close(&f);
    fixture_leave();
}

/* A program's time takes no memory, like all else. */
static void evaluating_allocates_nothing(void)
{
    struct result *result = sample_result();
    unsigned long before;
    struct error error;

    if (!open_design() || !sample_evaluate(&scenario, result))
        return;
    sample_set(&scenario, "device.rtc.cpi_int", "2");
    before = allocations();
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_OK);
    CHECK_INT(allocations() - before, 0);
    CHECK_NEAR(sample_node(result, "p")->time, 5e-6, 1e-12);
}

static const struct test tests[] = {
    {"takes the time of its trace", takes_the_time_of_its_trace},
    {"workers share bandwidth only", workers_share_bandwidth_only},
    {"runs after the last packet", runs_after_the_last_packet},
    {"hands on what came in", hands_on_what_came_in},
    {"refused where it cannot run", refused_where_it_cannot_run},
    {"evaluation follows every change", evaluation_follows_every_change},
    {"traces are interned", traces_are_interned},
    {"paths are seen from the scenario", paths_are_seen_from_the_scenario},
    {"problems of a trace are those of its line", problems_of_a_trace_are_those_of_its_line},
    {"a bad trace changes nothing", a_bad_trace_changes_nothing},
    {"a large file is refused", a_large_file_is_refused},
    {"saving keeps the path", saving_keeps_the_path},
    {"traces are found from a new place", traces_are_found_from_a_new_place},
    {"assignments read traces", assignments_read_traces},
    {"classes are the device's knobs", classes_are_the_devices_knobs},
    {"knobs rest where no program runs", knobs_rest_where_no_program_runs},
    {"evaluating allocates nothing", evaluating_allocates_nothing},
    {"a trace is recovered", a_trace_is_recovered},
    {"traces are completed", traces_are_completed},
    {"the screen edits and undoes a trace", the_screen_edits_and_undoes_a_trace},
    {NULL, NULL},
};

const struct suite suite_program_design = {
    .name = "program_design", .setup = files_open, .cleanup = close_design, .tests = tests};
