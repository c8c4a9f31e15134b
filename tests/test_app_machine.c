#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_fixture.h"
#include "check.h"
#include "machine_fixture.h"
#include "probe/measurement.h"

#define HEAD "part,name,type,of,size_bytes,chains,remark,samples_s\n"

/* Keeps a measurement of the known machine for the view. */
static void keep(const char *cpu)
{
    struct measurement measurement = {0};
    bool whole[MEASUREMENT_PARTS];
    struct error error;

    fixture_measure(&fixture_machine, 0, 0.1, &measurement);
    snprintf(measurement.condition[CONDITION_CPU], CONDITION_MAX, "%s", cpu);
    snprintf(measurement.condition[CONDITION_CACHES], CONDITION_MAX, "%s",
             "L1 32 KiB, L2 1024 KiB, L3 32768 KiB of 4 cores");
    for (int i = 0; i < MEASUREMENT_PARTS; i++)
        whole[i] = true;
    CHECK_TRUE(measurement_file_keep(&measurement, whole, &error) == STATUS_OK, "%s",
               error.message);
    measurement_free(&measurement);
}

static void keep_text(const char *text)
{
    FILE *file;

    CHECK(mkdir("aolag", 0700) == 0);
    file = fopen("aolag/machine.csv", "w");
    if (!CHECK(file != NULL))
        return;
    fputs(text, file);
    fclose(file);
}

/* A program in place of aolag: what stands in for validate --kernels --csv. */
static void measure_with(struct fixture *f, const char *script)
{
    FILE *file = fopen("program", "w");

    if (!CHECK(file != NULL))
        return;
    fprintf(file, "#!/bin/sh\n%s\n", script);
    fclose(file);
    CHECK(chmod("program", 0700) == 0);
    f->app->host.program = "./program";
    fixture_press(f, "7 r");
}

static void let_go(const char *name)
{
    FILE *file = fopen(name, "w");

    if (CHECK(file != NULL))
        fclose(file);
}

/* Until so many points have come or, with -1, the program has ended. */
static void wait_for(struct fixture *f, int points)
{
    while (app_busy(f->app) && (points < 0 || f->app->machine.stream.points < points))
        if (!CHECK(fixture_take(f)))
            return;
    app_draw(f->app, &f->canvas);
}

static bool begin(struct fixture *f, int rows, int columns)
{
    return fixture_enter() && fixture_open(f, "saxo", rows, columns);
}

static void end(struct fixture *f)
{
    fixture_close(f);
    fixture_leave();
}

static void nothing_measured(void)
{
    struct fixture f;

    if (!begin(&f, 36, 120))
        return;
    fixture_press(&f, "7");
    fixture_shows(&f, "Nothing of the part \"memory\"");
    fixture_shows(&f, "Nothing of the part \"kernels\"");
    fixture_press(&f, "t Tab PageDown End Home Up S-Tab r");
    fixture_shows(&f, "nothing can be measured from here");
    end(&f);
}

static void damaged_file(void)
{
    struct fixture f;

    if (!begin(&f, 36, 120))
        return;
    keep_text("# cpu: Ours\n" HEAD "memory,chase,,,4096,1,,fast\n");
    fixture_press(&f, "7");
    fixture_shows(&f, "machine.csv: point 1, samples_s: 'fast' is not times above 0");
    fixture_shows(&f, "Nothing of the part \"memory\"");
    fixture_press(&f, "7");
    fixture_hides(&f, "samples_s");
    end(&f);
}

static void four_pictures(void)
{
    struct fixture f;

    if (!begin(&f, 36, 120))
        return;
    keep("Known");
    fixture_press(&f, "7");
    fixture_shows(&f, "[Latency staircase]");
    fixture_shows(&f, "39.9 KiB"); /* the knee */
    fixture_shows(&f, "L2 1 MiB"); /* a cache that the system states */
    fixture_shows(&f, "fma-addend");
    fixture_shows(&f, "hierarchy-2");
    fixture_shows(&f, "Nothing of the part \"kernels\"");
    fixture_shows(&f, "Known");
    end(&f);
}

static void focus_stays(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    keep("Known");
    fixture_press(&f, "7 Tab Tab");
    fixture_shows(&f, "Apex-MAP: models, residuals");
    fixture_press(&f, "1 7");
    fixture_shows(&f, "Apex-MAP: models, residuals");
    fixture_press(&f, "S-Tab S-Tab S-Tab");
    fixture_shows(&f, "Kernels: predicted up");
    fixture_press(&f, "Tab");
    fixture_shows(&f, "Latency staircase");
    end(&f);
}

static void tables_take_the_body(void)
{
    struct fixture f;

    if (!begin(&f, 36, 120))
        return;
    keep("Known");
    fixture_press(&f, "7 t");
    fixture_shows(&f, "Level   Capacity");
    fixture_hides(&f, "Operations");
    fixture_press(&f, "Tab");
    fixture_shows(&f, "[Operations]");
    fixture_shows(&f, "knee"); /* the staircase's table would be cut here */
    fixture_press(&f, "t");
    fixture_shows(&f, "Operations: latency and throughput");
    fixture_press(&f, "t S-Tab t");
    fixture_shows(&f, "knee");
    end(&f);
}

static void scrolls_within_limits(void)
{
    struct fixture f;
    int last;

    if (!begin(&f, 16, 60))
        return;
    keep("Known");
    fixture_press(&f, "7 t Up PageUp");
    fixture_shows(&f, "Level   Capacity");
    fixture_press(&f, "End");
    fixture_hides(&f, "Level   Capacity");
    last = f.app->machine.list[PICTURE_STAIRCASE].first;
    fixture_press(&f, "Down PageDown");
    CHECK_INT(f.app->machine.list[PICTURE_STAIRCASE].first, last);
    fixture_press(&f, "Home");
    CHECK_INT(f.app->machine.list[PICTURE_STAIRCASE].first, 0);
    fixture_mouse(&f, MOUSE_WHEEL_DOWN, 10, 10);
    CHECK_INT(f.app->machine.list[PICTURE_STAIRCASE].first, 3);
    fixture_press(&f, "t");
    fixture_hides(&f, "Level   Capacity");
    fixture_press(&f, "t");
    fixture_shows(&f, "Level   Capacity");
    end(&f);
}

static void click_takes_the_focus(void)
{
    struct fixture f;

    if (!begin(&f, 36, 120))
        return;
    keep("Known");
    fixture_press(&f, "7");
    fixture_mouse(&f, MOUSE_PRESS, 30, 100);
    fixture_shows(&f, "[Kernels: predicted up");
    end(&f);
}

/* Half a line waits for its other half; what was measured before stays until its part comes. */
static void takes_lines(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    keep("Known");
    measure_with(&f, "goes_on() { until test -e $1; do sleep 0.01; done; }\n"
                     "echo 'memory: latency, about 7 s' >&2\n"
                     "echo '# cpu: Known'\n"
                     "printf '" HEAD "'\n"
                     "printf 'memory,chase,,,4096,1,,1e-9\\nmemory,chase,,,81'\n"
                     "goes_on one\n"
                     "printf '92,1,,2e-9\\n'\n"
                     "goes_on two\n"
                     "echo 'operations: latency, about 5 s' >&2\n"
                     "echo '# date: later'\n"
                     "echo 'operations,add,f32,,,1,,3e-9'\n"
                     "goes_on three\n");
    wait_for(&f, 1);
    CHECK_INT(f.app->machine.stream.points, 1);
    CHECK_INT(f.app->machine.measurement.point[f.app->machine.measurement.count - 1].part,
              MEASUREMENT_MEMORY);
    CHECK(measurement_has(&f.app->machine.measurement, MEASUREMENT_APEX));
    fixture_shows(&f, "measuring memory, 1 of 5");
    fixture_shows(&f, "of about 7 s; r stops");
    let_go("one");
    wait_for(&f, 2);
    CHECK_INT(f.app->machine.stream.points, 2);
    let_go("two");
    wait_for(&f, 3);
    fixture_shows(&f, "measuring operations, 2 of 5");
    let_go("three");
    wait_for(&f, -1);
    fixture_shows(&f, "measured; aolag probe all --save NAME");
    CHECK_STR(f.app->machine.measurement.condition[CONDITION_DATE], "later");
    CHECK_INT(f.app->machine.figures->measurement.count, f.app->machine.measurement.count);
    CHECK(measurement_has(&f.app->machine.measurement, MEASUREMENT_APEX));
    end(&f);
}

static void other_machine(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    keep("Known");
    measure_with(&f, "echo '# cpu: Other'; printf '" HEAD "memory,chase,,,4096,1,,1e-9\\n'");
    wait_for(&f, -1);
    CHECK_INT(f.app->machine.measurement.count, 1);
    CHECK_STR(f.app->machine.measurement.condition[CONDITION_CPU], "Other");
    end(&f);
}

static void shows_another_machine(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    keep("Known");
    fixture_press(&f, "7");
    fixture_hides(&f, "another machine");
    strcpy(f.app->machine.cpu, "Known");
    fixture_press(&f, "7");
    fixture_hides(&f, "another machine");
    strcpy(f.app->machine.cpu, "Ours");
    fixture_press(&f, "7");
    fixture_shows(&f, "another machine, Known; r measures this one, Ours");
    app_know_machine(f.app);
    CHECK(f.app->machine.cpu[0] != '\0');
    end(&f);
}

static void says_why_it_failed(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    keep("Known");
    measure_with(&f, "echo 'memory: latency, about 7 s' >&2; echo 'aolag: memory: too little' >&2\n"
                     "exit 1");
    wait_for(&f, -1);
    fixture_shows(&f, "measuring failed: aolag: memory: too little");
    CHECK(measurement_has(&f.app->machine.measurement, MEASUREMENT_MEMORY));
    end(&f);
}

static void refuses_what_is_none(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    measure_with(&f, "printf '" HEAD "memory,chase,,,much,1,,1e-9\\n'");
    wait_for(&f, -1);
    fixture_shows(&f, "nothing that was measured came of it");
    CHECK_INT(f.app->machine.measurement.count, 0);
    end(&f);
}

static void stops_when_asked(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    measure_with(&f, "trap \"printf 'memory,chase,,,8192,1,,2e-9\\n'; exit 130\" INT\n"
                     "printf '" HEAD "memory,chase,,,4096,1,,1e-9\\n'\n"
                     "while :; do sleep 0.01; done");
    wait_for(&f, 1);
    fixture_press(&f, "1 Right 7 r");
    fixture_shows(&f, "stopping");
    wait_for(&f, -1);
    fixture_shows(&f, "stopped");
    CHECK_INT(f.app->machine.measurement.count, 2);
    end(&f);
}

/* The screen would stand still. */
static void refuses_on_the_command_line(void)
{
    struct fixture f;

    if (!begin(&f, 24, 80))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "validate --kernels");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "the screen would stand still");
    end(&f);
}

static const struct test tests[] = {
    {"nothing measured", nothing_measured},
    {"damaged file", damaged_file},
    {"four pictures", four_pictures},
    {"focus stays", focus_stays},
    {"tables take the body", tables_take_the_body},
    {"scrolls within limits", scrolls_within_limits},
    {"click takes the focus", click_takes_the_focus},
    {"takes lines", takes_lines},
    {"other machine", other_machine},
    {"shows another machine", shows_another_machine},
    {"says why it failed", says_why_it_failed},
    {"refuses what is none", refuses_what_is_none},
    {"stops when asked", stops_when_asked},
    {"refuses on the command line", refuses_on_the_command_line},
    {NULL, NULL},
};

const struct suite suite_app_machine = {.name = "app_machine", .tests = tests};
