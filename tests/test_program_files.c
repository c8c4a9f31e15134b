/* The file a program is read from: found, interned, saved, edited on the screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_fixture.h"
#include "base/file.h"
#include "base/utf8.h"
#include "calls.h"
#include "check.h"
#include "design/assign.h"
#include "design/knob.h"
#include "design/scenario_save.h"
#include "design/trace.h"
#include "design/trace_library.h"
#include "files.h"
#include "model/program.h"
#include "program_fixture.h"
#include "sample.h"

/* Files ---------------------------------------------------------------------------------------- */

/* Equal bytes are one program, whatever the file; others are another, and the first stays. */
TEST(traces_are_interned)
{
    struct error error;
    const struct program *first;

    if (!program_open_design())
        return;
    first = program_scenario.component[1].trace.program;
    program_put_file("same.csv", program_text_four);
    CHECK_INT(program_set_trace("same.csv", &error), STATUS_OK);
    CHECK(program_scenario.component[1].trace.program == first);
    CHECK_STR(program_scenario.component[1].trace.path, "same.csv");
    program_put_file("t.csv", program_text_two);
    if (!program_load("d.ini"))
        return;
    CHECK(program_scenario.component[1].trace.program != first);
    CHECK_NEAR(first->reference[0].count, 10, 0);
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    program_put_file("t.csv", program_text_four);
    CHECK(program_load("d.ini") && program_scenario.component[1].trace.program == first);
}

TEST(paths_are_seen_from_the_scenario)
{
    struct error error;
    char whole[4200];
    struct problems problems = {NULL, 0, 0};

    if (!program_open_design())
        return;
    snprintf(whole, sizeof whole, "%s", files_path("t.csv"));
    if (strlen(whole) <= FILE_PATH_MAX) {
        CHECK_INT(program_set_trace(whole, &error), STATUS_OK);
        CHECK_STR(program_scenario.component[1].trace.path, whole);
    }
    CHECK_INT(program_set_trace("./t.csv", &error), STATUS_OK);
    /* without a file from the working directory, which is another */
    CHECK_INT(scenario_parse(&program_scenario, &program_document, program_text_design,
                             strlen(program_text_design), files_catalogue(), &problems),
              STATUS_INVALID);
    if (CHECK_INT(problems.count, 1)) {
        CHECK_INT(problems.list[0].line, 14);
        CHECK_STR(problems.list[0].message,
                  "trace = t.csv: cannot be opened: No such file or directory");
    }
    problems_free(&problems);
}

/* Every problem of a trace stands at the line that names it, with the line of its own. */
TEST(problems_of_a_trace_are_those_of_its_line)
{
    struct problems problems = {NULL, 0, 0};
    char *shown;

    program_put_file("t.csv", PROGRAM_HEADER "a,0,instr,fpp,1\n\na,b,instr,int,1\n");
    program_put_file("d.ini", program_text_design);
    CHECK_INT(scenario_load(&program_scenario, &program_document, files_path("d.ini"),
                            files_catalogue(), &problems),
              STATUS_INVALID);
    shown = files_problems(&problems);
    CHECK_STR(shown,
              "14: trace = t.csv: line 2: class \"fpp\" is not allowed; did you mean fp? Allowed: "
              "int, fp, fma, simd, div, load, store, branch, sync, other\n"
              "14: trace = t.csv: line 4: thread \"b\" is not a number; allowed: 0 to 1023\n");
    free(shown);
    problems_free(&problems);
}

TEST(a_bad_trace_changes_nothing)
{
    static struct scenario before;
    struct error error;
    char text[400];

    if (!program_open_design())
        return;
    before = program_scenario;
    program_put_file("bad.csv", PROGRAM_HEADER "a,0,instr,int,x\na,0,instr,int\n");
    CHECK_INT(program_set_trace("bad.csv", &error), STATUS_INVALID);
    CHECK_TRUE(strstr(error.message, "line 2: count \"x\" is not a number") != NULL &&
                   strstr(error.message, "(and 1 more)") != NULL,
               "%s", error.message);
    CHECK_INT(program_set_trace(".", &error), STATUS_IO);
    CHECK_TRUE(strstr(error.message, "is a directory") != NULL, "%s", error.message);
    memset(text, 'x', sizeof text);
    text[FILE_PATH_MAX + 1] = '\0';
    CHECK_INT(program_set_trace(text, &error), STATUS_INVALID);
    CHECK_STR(error.message, "the path of a file has 1 to 255 bytes");
    CHECK_INT(program_set_trace("", &error), STATUS_INVALID);
    CHECK_INT(program_set_trace("\"'", &error), STATUS_INVALID);
    CHECK_STR(error.message, "a path cannot contain both \" and '");
    CHECK(memcmp(&before, &program_scenario, sizeof before) == 0);
}

TEST(a_large_file_is_refused)
{
    size_t length = PROGRAM_BYTES_MAX + 1;
    char *bytes = malloc(length);
    struct error error;

    if (!CHECK(bytes != NULL) || !program_open_design())
        return;
    memset(bytes, '\n', length);
    CHECK(files_write("large.csv", bytes, length));
    free(bytes);
    CHECK_INT(program_set_trace("large.csv", &error), STATUS_INVALID);
    CHECK_TRUE(strstr(error.message, "is larger than 4096 KiB") != NULL, "%s", error.message);
    unlink(files_path("large.csv"));
}

/* Saving writes the path as it was stated; a reset takes the line away. */
TEST(saving_keeps_the_path)
{
    struct error error;
    size_t length = 0;
    char *text;

    if (!program_open_design())
        return;
    text = scenario_text(&program_scenario, program_document, &length);
    CHECK_STR(text, program_text_design);
    free(text);
    program_put_file("a b#.csv", program_text_two);
    CHECK_INT(program_set_trace("a b#.csv", &error), STATUS_OK);
    CHECK_INT(scenario_save(&program_scenario, program_document, NULL, false, &error), STATUS_OK);
    text = files_read("d.ini", &length);
    CHECK_TRUE(strstr(text, "\ntrace = \"a b#.csv\"\n") != NULL, "%s", text);
    free(text);
    if (program_load("d.ini"))
        CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    sample_component(&program_scenario, "q", "program");
    CHECK_INT(scenario_set_file(&program_scenario, knob_ref_to(KNOB_COMPONENT_TRACE, 2),
                                catalogue_traces(files_catalogue()),
                                document_path(program_document), "t.csv", &error),
              STATUS_OK);
    text = scenario_text(&program_scenario, program_document, &length);
    CHECK_TRUE(strstr(text, "[component.q]\ntype = program\ntrace = t.csv\n") != NULL, "%s", text);
    free(text);
    knob_reset(&program_scenario,
               (struct knob_ref){SECTION_COMPONENT, 2,
                                 &knobs[knob_section_first(SECTION_COMPONENT) +
                                        knob_section_count(SECTION_COMPONENT) - 2]});
    CHECK_STR(program_scenario.component[2].trace.path, "");
    CHECK(program_scenario.component[2].trace.program == NULL);
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

    CHECK_TRUE(scenario_save(&program_scenario, program_document, files_path(name), true, &error) ==
                   STATUS_OK,
               "%s", error.message);
}

/* In another directory a trace that is not found from there is named by its absolute path. */
TEST(traces_are_found_from_a_new_place)
{
    char whole[4200];

    if (!program_open_design())
        return;
    snprintf(whole, sizeof whole, "%s", program_scenario.component[1].trace.program->origin);
    CHECK_TRUE(whole[0] == '/' && access(whole, R_OK) == 0, "%s", whole);
    save_as("beside.ini");
    stated("beside.ini", "t.csv");
    mkdir(files_path("sub"), 0700);
    save_as("sub/d.ini");
    stated("sub/d.ini", whole);
    CHECK_STR(program_scenario.component[1].trace.path, "t.csv");
    save_as("sub/d.ini");
    stated("sub/d.ini", whole);
    if (program_load("sub/d.ini"))
        CHECK_NEAR(program_time_of("p"), 4e-6, 1e-12);
    if (!program_load("d.ini"))
        return;
    program_put_file("sub/t.csv", program_text_four); /* copied along: found */
    save_as("sub/e.ini");
    stated("sub/e.ini", "t.csv");
    if (!program_load("d.ini"))
        return;
    program_put_file("sub/t.csv", program_text_two); /* another of the name: not the same */
    save_as("sub/f.ini");
    stated("sub/f.ini", whole);
    unlink(files_path("sub/d.ini"));
    unlink(files_path("sub/e.ini"));
    unlink(files_path("sub/f.ini"));
    unlink(files_path("sub/t.csv"));
    rmdir(files_path("sub"));
}

TEST(assignments_read_traces)
{
    const char *good[] = {"component.p.type=program", "component.p.trace = 'u.csv'"};
    const char *bad[] = {"component.p.trace=nosuch.csv"};
    struct error error;

    if (!program_open_design())
        return;
    program_put_file("u.csv", program_text_two);
    sample_set(&program_scenario, "component.p.type", "custom");
    CHECK_INT(scenario_assign(&program_scenario, files_catalogue(), document_path(program_document),
                              &(struct assignments){good, 2}, &error),
              STATUS_OK);
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    CHECK_INT(scenario_assign(&program_scenario, files_catalogue(), document_path(program_document),
                              &(struct assignments){bad, 1}, &error),
              STATUS_IO);
    CHECK_TRUE(strstr(error.message, "component.p.trace=nosuch.csv: cannot be opened: No such file "
                                     "or directory; it is looked for in /") != NULL,
               "%s", error.message);
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
}

/* A trace of the file that assignments replace is not read; any other is. */
static void assigned(const char *assignment, const char *expected)
{
    struct assignments coming = {&assignment, 1};
    struct scenario_source source = {
        .catalogue = files_catalogue(), .from = files_path("d.ini"), .assignments = &coming};
    struct problems problems = {NULL, 0, 0};
    struct error error = {STATUS_OK, ""};
    char *shown;

    if (scenario_load_from(&program_scenario, &program_document, &source, &problems) == STATUS_OK)
        CHECK_TRUE(scenario_assign(&program_scenario, files_catalogue(),
                                   document_path(program_document), &coming, &error) == STATUS_OK,
                   "%s", error.message);
    shown = files_problems(&problems);
    CHECK_STR(shown, expected);
    free(shown);
    problems_free(&problems);
}

TEST(assignments_replace_a_broken_trace)
{
    static const char broken[] =
        "14: trace = t.csv: line 2: count \"x\" is not a number; allowed: 0 to 1e+18\n";

    program_put_file("t.csv", PROGRAM_HEADER "a,0,instr,int,x\n");
    program_put_file("u.csv", program_text_two);
    program_put_file("d.ini", program_text_design);
    assigned("component.p.trace = 'u.csv'", "");
    CHECK_STR(program_scenario.component[1].trace.path, "u.csv");
    CHECK_NEAR(program_time_of("p"), 2e-6, 1e-12);
    assigned("component.p.type=custom", "");
    assigned("component.p.type=program", broken);
    assigned("component.camera.trace=u.csv", broken);
    assigned("device.rtc.cores=2", broken);
    assigned("trace", broken);
}

/* The screen ----------------------------------------------------------------------------------- */

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

TEST(the_screen_edits_and_undoes_a_trace)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    put("d.ini", program_text_design);
    put("t.csv", program_text_four);
    put("u.csv", program_text_two);
    fixture_press(&f, "o");
    fixture_type(&f, "d.ini");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "opened d.ini");
    CHECK(fixture_show(&f, "component.p.trace"));
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "nosuch.csv");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "nosuch.csv: cannot be opened: No such file");
    fixture_press(&f, "C-u");
    fixture_type(&f, "u.csv");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "u.csv");
    CHECK_NEAR(sample_node(&f.app->host.design.result, "p")->time, 2e-6, 1e-12);
    fixture_press(&f, "u");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "t.csv");
    CHECK_NEAR(sample_node(&f.app->host.design.result, "p")->time, 4e-6, 1e-12);
    fixture_hides(&f, "[modified]");
    fixture_press(&f, "C-r");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "u.csv");
    CHECK_NEAR(sample_node(&f.app->host.design.result, "p")->time, 2e-6, 1e-12);
    /* a file that changed is read again with the design; undoing what came before is not offered */
    fixture_press(&f, "u");
    put("t.csv", program_text_two);
    fixture_press(&f, "R");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "t.csv");
    CHECK_NEAR(sample_node(&f.app->host.design.result, "p")->time, 2e-6, 1e-12);
    fixture_close(&f);
    fixture_leave();
}

/* Traces are completed from the directory they are seen from. */
TEST(traces_are_completed)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    mkdir("sub", 0700);
    put("sub/d.ini", program_text_design);
    put("sub/t.csv", program_text_four);
    put("sub/other-program.csv", program_text_two);
    put("here.csv", program_text_two);
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
    CHECK_NEAR(sample_node(&f.app->host.design.result, "p")->time, 2e-6, 1e-12);
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "h");
    fixture_press(&f, "Tab");
    fixture_shows(&f, "no match");
    fixture_press(&f, "Esc :");
    fixture_type(&f, "set component.p.trace=./t");
    fixture_press(&f, "Tab Enter");
    CHECK_STR(fixture_value(&f, "component.p.trace"), "./t.csv");
    fixture_close(&f);
    fixture_leave();
}

/* A design without a file is recovered wherever the next program starts. */
TEST(a_trace_is_recovered)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    put("t.csv", program_text_four);
    mkdir("elsewhere", 0700);
    fixture_press(&f, ":");
    fixture_type(&f, "set component.control.type=program component.control.trace=t.csv");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "component.control.trace"), "t.csv");
    recovery_save(f.app);
    fixture_close(&f);
    if (!CHECK_INT(chdir("elsewhere"), 0) || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    recovery_offer(f.app, false);
    app_draw(f.app, &f.canvas);
    fixture_press(&f, "Enter");
    CHECK_TRUE(strstr(fixture_value(&f, "component.control.trace"), "/t.csv") != NULL, "%s",
               fixture_value(&f, "component.control.trace"));
    CHECK_INT(chdir(".."), 0);
    fixture_close(&f);
    fixture_leave();
}

/* Opening a pipe waits for its writer. */
TEST(a_pipe_is_no_recovery_file)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    mkdir("aolag", 0700);
    CHECK_INT(mkfifo("aolag/recover.ini", 0600), 0);
    alarm(60);
    recovery_offer(f.app, false);
    alarm(0);
    app_draw(f.app, &f.canvas);
    CHECK(fixture_hides(&f, "Recovery"));
    fixture_close(&f);
    fixture_leave();
}

/* A start reads the folder instead of asking for each name that there could be. */
TEST(recovery_files_are_found_in_their_folder)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 120))
        return;
    mkdir("aolag", 0700);
    for (int named = 0; named < 2; named++) {
        struct calls before = calls_so_far(), after;

        recovery_offer(f.app, named != 0);
        after = calls_so_far();
        CHECK_INT(after.folders - before.folders, 1);
        CHECK_TRUE(after.names - before.names < 10, "%lu names", after.names - before.names);
    }
    put("aolag/recover-2x.ini", "");
    put("aolag/recover-02.ini", "");
    put("aolag/recover-1000.ini", "");
    recovery_offer(f.app, false);
    app_draw(f.app, &f.canvas);
    CHECK(fixture_hides(&f, "Recovery"));
    put("aolag/recover-999.ini", "[scenario]\nformat = 1\n");
    recovery_offer(f.app, false);
    app_draw(f.app, &f.canvas);
    CHECK(fixture_shows(&f, "Recovery"));
    fixture_close(&f);
    fixture_leave();
}

/* Hostile recovery files: every kind of text, and bytes that no scenario accepts, which are offered
 * too. */
#define MARKS "\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C\xEF\xBF\xBE"
#define TEXT "=1+hstl<b a='x'>&amp;]]>" MARKS
#define BYTES "\033[31m\a\xC2\x9B\x9B\x7F" MARKS

static const char *const hostile[] = {
    "; recovered from: 0123456789abcdef /tmp/hstl" BYTES
    "/a.ini\n[scenario]\nformat = 1\ntitle = \"" TEXT
    "\"\nframe_rate = 1 kHz\n[wfs.ngs]\nsubaps_across = 12\n[device.rtc]\n"
    "preset = amd-ryzen-7950x\nmodel = \"" TEXT "\"\n[component.camera]\ntype = camera\n"
    "[component.-hstl]\ntype = centroid\n[component.dm]\ntype = dm\n",
    "; recovered from: 0123456789abcdef /tmp/hstl" BYTES "\n[" BYTES "]\nhstl" BYTES " = " BYTES
    "\n",
};

static void check_safe(const char *text, const char *what)
{
    size_t length = strlen(text);

    for (size_t at = 0; at < length;) {
        uint32_t character = 0;
        size_t size = utf8_read(text + at, length - at, &character);

        if (!CHECK_TRUE(size > 0 && (character == '\n' || !utf8_is_unsafe(character)),
                        "%s: U+%04X in: %s", what, (unsigned)character, text))
            return;
        at += size;
    }
    CHECK_TRUE(strstr(text, "hstl") != NULL, "%s shows nothing of it", what);
}

static void check_safe_screen(struct fixture *f, const char *what)
{
    char *text = fixture_screen(f);

    check_safe(text, what);
    free(text);
}

/* The screen with the offer, the design in every view, the picture of each, and what commands
 * print. */
TEST(a_recovery_file_is_safe_text)
{
    static const char *const commands[] = {"eval --json", "eval --csv",      "eval --markdown",
                                           "check",       "explain latency", "params --json"};

    for (int h = 0; h < 2; h++) {
        struct fixture f;
        int pictures = 0;

        if (!fixture_enter() || !fixture_open(&f, "elt-scao", 40, 200))
            return;
        mkdir("aolag", 0700);
        put("aolag/recover.ini", hostile[h]);
        recovery_offer(f.app, false);
        app_draw(f.app, &f.canvas);
        check_safe_screen(&f, "the offer");
        fixture_press(&f, "Enter");
        for (char view[] = "1"; h == 0 && view[0] <= '9'; view[0]++) {
            char *svg;
            size_t length;

            fixture_press(&f, view);
            fixture_wait(&f);
            check_safe_screen(&f, view);
            fixture_command(&f, "picture it.svg");
            if (file_read("it.svg", 1 << 20, &svg, &length, NULL, NULL) != STATUS_OK) {
                fixture_press(&f, "C-c"); /* leaves the line: there is nothing to draw */
                continue;
            }
            pictures++;
            check_safe(svg, "its picture");
            CHECK_TRUE(strstr(svg, "<b a=") == NULL && strstr(svg, "]]>") == NULL, "%s", svg);
            free(svg);
            unlink("it.svg");
        }
        CHECK_INT(pictures, h == 0 ? 7 : 0); /* nothing is measured or compared */
        for (size_t c = 0; h == 0 && c < sizeof commands / sizeof commands[0]; c++) {
            fixture_press(&f, "Esc");
            fixture_command(&f, commands[c]);
            check_safe_screen(&f, commands[c]);
        }
        fixture_close(&f);
        fixture_leave();
    }
}

SUITE(files_open, program_close_design)
