#include "app_fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "design/knob_text.h"
#include "design/scenario_save.h"
#include "draw.h"
#include "draw/glyph.h"
#include "pictures.h"

static bool start(struct fixture *fixture, const char *system, struct error *error)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    const struct preset *preset;
    struct app_start begin;

    if (catalogue_open(&fixture->catalogue, error) != STATUS_OK)
        return false;
    preset = catalogue_find(fixture->catalogue, system, 1U << PRESET_AO, error);
    if (preset == NULL)
        return false;
    if (scenario_parse(&scenario, &document, preset->text, preset->length, fixture->catalogue,
                       &problems) != STATUS_OK) {
        problems_summary(&problems, system, error);
        problems_free(&problems);
        return false;
    }
    problems_free(&problems);
    begin = (struct app_start){.catalogue = fixture->catalogue,
                               .scenario = &scenario,
                               .document = document,
                               .named = true};
    return app_new(&fixture->app, &begin, error) == STATUS_OK;
}

bool fixture_open(struct fixture *fixture, const char *system, int rows, int columns)
{
    struct error error = {STATUS_OK, ""};

    *fixture = (struct fixture){NULL, NULL, {0}};
    if (!CHECK_TRUE(start(fixture, system, &error), "%s: %s", system, error.message))
        return false;
    canvas_init(&fixture->canvas, rows, columns, true);
    app_hold_work(fixture->app, true);
    app_draw(fixture->app, &fixture->canvas);
    app_hold_work(fixture->app, false);
    return true;
}

void fixture_close(struct fixture *fixture)
{
    app_free(fixture->app);
    canvas_free(&fixture->canvas);
    catalogue_close(fixture->catalogue);
}

void fixture_each_system(int rows, int columns,
                         void (*look)(struct fixture *fixture, const char *system))
{
    struct catalogue *catalogue;
    struct error error;
    int seen = 0, systems = 0;

    if (!CHECK_INT(catalogue_open(&catalogue, &error), STATUS_OK))
        return;
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);
        struct fixture fixture;

        if (preset->kind != PRESET_AO || seen++ % draw_every(1) != 0 || !fixture_enter())
            continue;
        if (fixture_open(&fixture, preset->name, rows, columns)) {
            CHECK_TRUE(fixture.app->host.design.problem.status == STATUS_OK, "%s: %s", preset->name,
                       fixture.app->host.design.problem.message);
            look(&fixture, preset->name);
            fixture_close(&fixture);
            systems++;
        }
        fixture_leave();
    }
    CHECK_TRUE(seen >= 24 && systems >= seen / draw_every(1), "%d of %d systems", systems, seen);
    catalogue_close(catalogue);
}

bool fixture_take(struct fixture *fixture)
{
    struct pollfd source[APP_FILES];
    int files[APP_FILES];
    int count = app_watch(fixture->app, files);

    for (int i = 0; i < count; i++)
        source[i] = (struct pollfd){.fd = files[i], .events = POLLIN};
    if (!check_poll(source, count))
        return false;
    app_collect_results(fixture->app);
    return true;
}

bool fixture_wait(struct fixture *fixture)
{
    app_draw(fixture->app, &fixture->canvas);
    while (app_busy(fixture->app)) {
        if (!CHECK(fixture_take(fixture)))
            return false;
        app_draw(fixture->app, &fixture->canvas);
    }
    app_draw(fixture->app, &fixture->canvas);
    return true;
}

enum app_next fixture_key(struct fixture *fixture, uint32_t key)
{
    const struct key_event event = {.key = key};
    enum app_next next = app_key(fixture->app, &event);

    app_draw(fixture->app, &fixture->canvas);
    return next;
}

enum app_next fixture_press(struct fixture *fixture, const char *keys)
{
    enum app_next next = APP_CONTINUE;

    while (*keys != '\0') {
        char name[32];
        size_t length = strcspn(keys, " ");

        snprintf(name, sizeof name, "%.*s", (int)length, keys);
        CHECK_TRUE(key_from_name(name) != KEY_NONE, "no key \"%s\"", name);
        next = fixture_key(fixture, key_from_name(name));
        keys += length;
        keys += strspn(keys, " ");
    }
    return next;
}

void fixture_type(struct fixture *fixture, const char *text)
{
    for (uint32_t key = glyph_decode(&text); key != 0; key = glyph_decode(&text))
        fixture_key(fixture, key);
}

void fixture_command(struct fixture *fixture, const char *text)
{
    fixture_press(fixture, ":");
    fixture_type(fixture, text);
    fixture_press(fixture, "Enter");
}

void fixture_mouse(struct fixture *fixture, enum mouse_kind kind, int row, int column)
{
    const struct key_event event = {
        .key = KEY_NAMED_MOUSE, .mouse = kind, .row = row, .column = column};

    app_key(fixture->app, &event);
    app_draw(fixture->app, &fixture->canvas);
}

bool fixture_show(struct fixture *fixture, const char *path)
{
    struct knob_ref ref;
    struct error error = {STATUS_OK, ""};

    if (!CHECK_TRUE(knob_find(&fixture->app->host.design.scenario, path, &ref, &error) == STATUS_OK,
                    "%s: %s", path, error.message))
        return false;
    app_show_knob(fixture->app, ref, SHOW_ASIDE);
    app_draw(fixture->app, &fixture->canvas);
    return true;
}

const char *fixture_value(struct fixture *fixture, const char *path)
{
    static char text[2304];
    struct knob_ref ref;

    if (knob_find(&fixture->app->host.design.scenario, path, &ref, NULL) != STATUS_OK)
        return "there is no such knob";
    knob_get_text(&fixture->app->host.design.scenario, ref, text, sizeof text);
    return text;
}

char *fixture_screen(struct fixture *fixture)
{
    return picture_text(&fixture->canvas);
}

char *fixture_text(struct fixture *fixture)
{
    size_t length;

    return scenario_text(&fixture->app->host.design.scenario, fixture->app->host.design.document,
                         &length);
}

bool fixture_shows(struct fixture *fixture, const char *text)
{
    char *screen = fixture_screen(fixture);
    bool found = strstr(screen, text) != NULL;

    CHECK_TRUE(found, "\"%s\" is not on the screen:\n%s", text, screen);
    free(screen);
    return found;
}

bool fixture_hides(struct fixture *fixture, const char *text)
{
    char *screen = fixture_screen(fixture);
    bool found = strstr(screen, text) != NULL;

    CHECK_TRUE(!found, "\"%s\" is on the screen:\n%s", text, screen);
    free(screen);
    return !found;
}

static int home = -1; /* where the tests were before */
static char scratch[256];

bool fixture_enter(void)
{
    const char *above = getenv("TMPDIR");

    home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(scratch, sizeof scratch, "%s/app.XXXXXX", above == NULL ? "/tmp" : above);
    if (!CHECK(home >= 0 && mkdtemp(scratch) != NULL && chdir(scratch) == 0))
        return false;
    setenv("XDG_STATE_HOME", scratch, 1);
    setenv("XDG_CONFIG_HOME", scratch, 1);
    return true;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void fixture_leave(void)
{
    CHECK(fchdir(home) == 0);
    close(home);
    nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
}
