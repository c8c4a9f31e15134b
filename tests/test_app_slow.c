#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app_fixture.h"
#include "check.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "draw.h"
#include "fake_clock.h"
#include "model/evaluate.h"
#include "model/outcome.h"
#include "sample.h"
#include "systems.h"
#include "tui/script.h"

/* Designs whose evaluation would keep keys waiting: a thread evaluates them. */

static struct fixture f;
static struct scenario slow;
static struct scenario quick;

/* More work after the file's, so that it takes longer than a key may. */
static void make_slower(void)
{
    for (int i = 0; i < 8; i++) {
        char path[32];
        char name[8];

        snprintf(name, sizeof name, "more%d", i);
        sample_component(&slow, name, "custom");
        snprintf(path, sizeof path, "component.%s.after", name);
        sample_set(&slow, path, "c28, c29, c30, c31");
        snprintf(path, sizeof path, "component.%s.bytes_read", name);
        sample_set(&slow, path, "1000");
    }
}

static bool start(void)
{
    struct document *document = NULL;
    struct problems problems = {0};
    bool good = fixture_open(&f, "elt-scao", 36, 120);

    if (!good)
        return false;
    scenario_copy(&quick, &f.app->host.design.scenario);
    good = CHECK_INT(scenario_load(&slow, &document, check_data_path("slow_design.ini"),
                                   systems_catalogue(), &problems),
                     STATUS_OK);
    document_free(document);
    problems_free(&problems);
    if (good)
        make_slower();
    else
        fixture_close(&f);
    return good;
}

static void change(const struct scenario *to, int packets)
{
    struct host *host = &f.app->host;

    scenario_copy(&host->design.scenario, to);
    if (packets > 0)
        host->design.scenario.general.packets = packets;
    design_evaluate(&host->design);
}

/* Waits until no thread evaluates the design. */
static bool computed(void)
{
    while (design_computing(&f.app->host.design))
        if (!fixture_take(&f))
            return false;
    return true;
}

/* The result is that of the present design: evaluated again, but under sanitizers, where that takes
 * seconds. */
static void check_result(void)
{
    const struct design *design = &f.app->host.design;

    if (!CHECK(design_is_valid(design)) || draw_every(1) > 1)
        return;
    sample_evaluate(&design->scenario, sample_result());
    CHECK_NEAR(design->result.latency, sample_result()->latency, 0);
    CHECK_INT(design->result.node_count, sample_result()->node_count);
}

/* The heading of the last of more components than a design may have devices says what Enter does.
 */
TEST(headings_of_many_components)
{
    char *screen;

    if (!start())
        return;
    CHECK(slow.component_count > DEVICE_MAX);
    change(&slow, 1);
    if (CHECK(computed())) {
        fixture_press(&f, "Z End");
        screen = fixture_screen(&f);
        CHECK(strstr(screen, "Enter shows all of it") != NULL);
        free(screen);
    }
    fixture_close(&f);
}

TEST(a_thread_evaluates)
{
    const struct design *design;
    long steps;

    if (!start())
        return;
    design = &f.app->host.design;
    change(&slow, 4096);
    CHECK_INT(design->problem.status, STATUS_STOPPED);
    CHECK(design_computing(design));
    fixture_press(&f, "6 2 1");
    fixture_shows(&f, "Computing: this design takes long to simulate.");
    CHECK(computed());
    check_result();
    steps = design->result.pace.steps;
    CHECK(result_slack(&design->result, 0) != RESULT_NONE);
    CHECK_TRUE(design->result.pace.steps == steps, "slack is computed by a key");
    fixture_close(&f);
}

TEST(a_change_ends_the_evaluation)
{
    if (!start())
        return;
    change(&slow, 4096);
    change(&quick, 0);
    check_result();
    CHECK(computed());
    check_result();
    change(&slow, 4096);
    change(&slow, 4095);
    CHECK(computed());
    CHECK_NEAR(f.app->host.design.scenario.general.packets, 4095, 0);
    check_result();
    change(&slow, 4096);
    fixture_close(&f);
}

/* The thread that is ended with the screen still rings at its end: the pipe is closed after it. */
TEST(the_end_waits_for_the_evaluation)
{
    char rung;
    int heard;

    if (!start())
        return;
    app_limit_work(f.app, 1); /* it cannot have ended before */
    change(&slow, 4096);
    CHECK(design_computing(&f.app->host.design));
    while (bell_awaits(&f.app->host.bell) && CHECK(fixture_take(&f)))
        continue;
    bell_clear(&f.app->host.bell);
    heard = dup(f.app->host.bell.file[0]);
    fixture_close(&f);
    CHECK_INT(read(heard, &rung, 1), 1);
    close(heard);
}

/* Returns what a line of a script prints; the caller frees it. */
static char *printed(struct script *script, const char *line)
{
    struct error error = {STATUS_OK, ""};
    char *text = NULL;
    size_t length = 0;

    script->out = open_memstream(&text, &length);
    CHECK_STR(script_run_line(script, line, &error) == STATUS_OK ? "" : error.message, "");
    fclose(script->out);
    return text;
}

/* A script prints the screen after a number of steps of each thread, with what is known, and says
 * what is not; that is the same each time. */
TEST(a_script_prints_what_is_known)
{
    char *first = NULL;

    for (int time = 0; time < 2 && start(); time++) {
        struct script script = {.app = f.app, .canvas = &f.canvas};
        const struct worker *worker;
        char *text;

        change(&slow, 2048);
        app_limit_work(f.app, 200);
        text = printed(&script, "screen");
        CHECK(strstr(text, ", still computing: ") != NULL);
        CHECK(strstr(text, "range and jitter") != NULL);
        CHECK(strstr(text, "OVERLOAD") != NULL);
        worker = f.app->host.bell.working;
        CHECK(worker != NULL);
        for (; worker != NULL; worker = worker->next)
            CHECK_INT(worker->looks, 200);
        if (time == 0)
            first = text;
        else {
            CHECK_STR(text, first);
            free(text);
        }
        change(&quick, 0);
        text = printed(&script, "wait");
        free(text);
        text = printed(&script, "screen");
        CHECK(strstr(text, "still computing") == NULL);
        CHECK(strstr(text, "\xE2\x80\xA6 ") == NULL);
        free(text);
        CHECK_INT(app_limit_work(f.app, 0), 200);
        fixture_close(&f);
    }
    free(first);
}

static bool key_waits(const void *keys)
{
    (void)keys;
    return true;
}

/* A key ends a command that takes long, none that does not. */
TEST(a_key_ends_a_command)
{
    if (!start())
        return;
    clock_tick(1e-6);
    f.app->key_waits = key_waits;
    fixture_command(&f, "eval");
    fixture_shows(&f, "RTC latency");
    fixture_press(&f, "End");
    fixture_hides(&f, "Stopped");
    fixture_press(&f, "Esc");
    change(&slow, 4096);
    CHECK(computed());
    fixture_command(&f, "eval");
    fixture_shows(&f, "Stopped by a key: this takes long; in a shell aolag eval is not stopped.");
    clock_tick(0);
    fixture_close(&f);
}

/* One of many short evaluations is ended between them. */
TEST(a_key_ends_a_list)
{
    if (!fixture_open(&f, "micado-scao", 24, 80))
        return;
    f.app->key_waits = key_waits;
    clock_tick(0.01);
    fixture_command(&f, "rank cpu --json");
    clock_tick(0);
    fixture_press(&f, "End");
    fixture_shows(&f, "Stopped by a key");
    fixture_close(&f);
}

/* A command on the : line keeps no key waiting for long. */
TEST(a_command_stops)
{
    struct script script = {.canvas = &f.canvas};

    if (!start())
        return;
    script.app = f.app;
    free(printed(&script, ":"));
    free(printed(&script, "text eval --jitter 1000000"));
    free(printed(&script, "Enter"));
    free(printed(&script, "End"));
    fixture_shows(&f, "Stopped: this takes long; in a shell aolag eval is not stopped.");
    free(printed(&script, "Home"));
    fixture_shows(&f, "RTC latency");
    fixture_close(&f);
}

/* A search looks within a design whether it has to stop, so that a change ends it at once. */
TEST(a_change_ends_a_search)
{
    struct script script = {.canvas = &f.canvas};
    const struct worker *worker;
    char *text;

    if (!start())
        return;
    script.app = f.app;
    worker = &f.app->front.worker;
    change(&slow, 2048);
    CHECK(computed());
    app_limit_work(f.app, 3);
    free(printed(&script, "6"));
    free(printed(&script, "r"));
    text = printed(&script, "screen");
    CHECK(strstr(text, "[Search: ") != NULL);
    CHECK(strstr(text, ", still computing: ") != NULL && strstr(text, "search") != NULL);
    free(text);
    CHECK(worker->running);
    CHECK_INT(worker->looks, 3);
    change(&quick, 0);
    app_limit_work(f.app, 0);
    fixture_command(&f, "filter none 6800h");
    free(printed(&script, "wait"));
    CHECK(fixture_shows(&f, "(now)"));
    fixture_close(&f);
}

/* So does an error budget of many filters. */
TEST(a_change_ends_a_budget)
{
    struct script script = {.canvas = &f.canvas};
    const struct worker *worker;
    char *text;

    if (!fixture_open(&f, "saxo", 24, 80))
        return;
    script.app = f.app;
    fixture_command(&f, "set ao.rtc_latency=300us"); /* or it would be overloaded */
    fixture_command(&f, "set ao.modes=200000");
    fixture_command(&f, "set ao.controller=lqg");
    fixture_take(&f);
    app_limit_work(f.app, 3);
    free(printed(&script, "9"));
    text = printed(&script, "screen");
    CHECK_TRUE(strstr(text, ", still computing: ") != NULL &&
                   strstr(text, "the error budget") != NULL,
               "%s", text);
    free(text);
    worker = f.app->host.bell.working;
    while (worker != NULL && strcmp(worker->work, "the error budget") != 0)
        worker = worker->next;
    if (CHECK(worker != NULL)) {
        CHECK_INT(worker->looks, 3);
        fixture_command(&f, "set ao.modes=20");
        CHECK(worker->stop);
    }
    app_limit_work(f.app, 0);
    free(printed(&script, "wait"));
    CHECK(fixture_shows(&f, "gain: a filter of each order"));
    fixture_close(&f);
}
