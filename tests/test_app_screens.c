#include <dirent.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "draw.h"
#include "draw/glyph.h"
#include "model/evaluate.h"
#include "tui/script.h"
#include "tui/widget.h"

/* Golden screens ------------------------------------------------------------------------------ */

/* "elt-scao.slider.80x24.ascii": the system, what it shows, the size. */
struct screen {
    char system[64];
    int rows, columns;
    bool unicode;
};

static bool parse_name(const char *name, struct screen *screen)
{
    char rest[64] = "";

    screen->unicode = true;
    if (sscanf(name, "%63[^.].%*[^.].%dx%d.%63s", screen->system, &screen->columns, &screen->rows,
               rest) != 4)
        return false;
    screen->unicode = strcmp(rest, "ascii.keys") != 0;
    return screen->unicode ? strcmp(rest, "keys") == 0 : true;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (file == NULL)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* What `aolag screen` prints for a script. */
static char *run_script(const struct screen *screen, const char *path)
{
    struct fixture f;
    struct app_start start;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    struct scenario scenario;
    const struct preset *preset;
    FILE *keys = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    setenv("XDG_STATE_HOME", check_data_path("state"), 1);  /* a machine as it was measured once */
    setenv("XDG_CONFIG_HOME", check_data_path("state"), 1); /* no presets of whoever tests */

    if (fixture_open(&f, screen->system, 24, 80) && keys != NULL && out != NULL) {
        preset = catalogue_find(f.catalogue, screen->system, 1U << PRESET_AO, NULL);
        CHECK_INT(scenario_parse(&scenario, &document, preset->text, preset->length, f.catalogue,
                                 &problems),
                  STATUS_OK);
        start = (struct app_start){f.catalogue, &scenario, document, NULL, NULL};
        CHECK_INT(script_run(&start, screen->rows, screen->columns, screen->unicode, keys, path,
                             out, out),
                  0);
        problems_free(&problems);
    }
    fixture_close(&f);
    if (keys != NULL)
        fclose(keys);
    fclose(out);
    return text;
}

static void compare(const char *name)
{
    char path[PATH_MAX];
    struct screen screen;
    char *golden;
    char *text;

    if (!CHECK_TRUE(parse_name(name, &screen), "%s: not SYSTEM.WHAT.WxH[.ascii].keys", name))
        return;
    snprintf(path, sizeof path, "%s/%s", check_data_path("../screens"), name);
    text = run_script(&screen, path);
    snprintf(path, sizeof path, "%s/%.*s.txt", check_data_path("../screens"),
             (int)(strlen(name) - strlen(".keys")), name);
    golden = read_text(path);
    CHECK_TRUE(golden != NULL, "%s: missing; tests/screens/update makes it", path);
    if (golden != NULL)
        check_str(text, golden, name, __FILE__, __LINE__);
    free(golden);
    free(text);
}

static void golden_screens(void)
{
    DIR *directory = opendir(check_data_path("../screens"));
    int count = 0;

    if (!CHECK(directory != NULL))
        return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        size_t length = strlen(entry->d_name);

        if (length < 6 || strcmp(entry->d_name + length - 5, ".keys") != 0)
            continue;
        if (count++ % draw_every(1) == 0)
            compare(entry->d_name);
    }
    closedir(directory);
    CHECK(count >= 10);
}

/* Numbers: what is drawn is what evaluate says. ----------------------------------------------- */

static void cells(const struct canvas *canvas, struct rect rect, char *text, size_t size)
{
    size_t used = 0;

    for (int r = 0; r < rect.rows; r++)
        for (int c = 0; c < rect.columns && used + GLYPH_BYTES < size; c++) {
            const struct cell *cell =
                &canvas->cells[(rect.row + r) * canvas->columns + rect.column + c];

            used += glyph_encode(cell->character, text + used);
        }
}

static void holds(const char *text, double si, const char *unit, const char *what)
{
    char number[40];

    quantity_show(si, unit, number, sizeof number);
    CHECK_TRUE(strstr(text, number) != NULL, "%s %s is not in \"%s\"", what, number, text);
}

/* Every row of the component pane that shows. */
static void check_bars(struct fixture *f, const struct result *result)
{
    struct rect row = rect_inside(f->app->explore.layout.components);
    int end = row.row + row.rows;

    row.row -= f->app->explore.nodes.first;
    row.rows = 1;
    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        bool bars = component_type_computes(node->type);
        double values[2] = {bars                             ? node->compute
                            : node->type == COMPONENT_CAMERA ? node->time
                                                             : node->memory,
                            node->memory};

        for (int part = 0; part < (bars ? 2 : 1); part++, row.row++) {
            char text[2048];

            if (row.row < rect_inside(f->app->explore.layout.components).row || row.row >= end)
                continue;
            cells(&f->canvas, row, text, sizeof text);
            holds(text, values[part], "s", node->name);
        }
    }
}

static void check_loop(struct fixture *f, const struct result *result)
{
    char text[32768];

    cells(&f->canvas, f->app->explore.layout.loop, text, sizeof text);
    holds(text, result->latency, "s", "latency");
    if (f->app->explore.layout.loop.rows < 9)
        return;
    holds(text, result->max_frame_rate, "Hz", "max frame rate");
    holds(text, result->loop.delay_frames, "", "delay");
    holds(text, result->loop.servo_lag, "m", "servo lag");
    holds(text, result->loop.strehl, "", "Strehl");
    holds(text, result->first_pixel, "s", "first pixel");
}

static void check_numbers(struct fixture *f)
{
    struct result result = {0};
    struct error error;

    if (CHECK_INT(result_init(&result, &error), STATUS_OK) &&
        CHECK_INT(evaluate(&f->app->host.design.scenario, &result, &error), STATUS_OK)) {
        check_bars(f, &result);
        check_loop(f, &result);
    }
    result_free(&result);
}

static void numbers_are_the_models(void)
{
    static const int sizes[][2] = {{16, 60}, {24, 80}, {36, 120}, {60, 200}};
    static const char *const systems[] = {"elt-scao", "saxo", "micado-scao", "morfeo"};

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct fixture f;

            if (!fixture_open(&f, systems[s], sizes[i][0], sizes[i][1]))
                continue;
            check_numbers(&f);
            fixture_press(&f, "Down Down } Tab End");
            check_numbers(&f);
            fixture_press(&f, "L");
            check_numbers(&f);
            fixture_close(&f);
        }
}

static const struct test tests[] = {
    {"golden screens", golden_screens},
    {"numbers are the model's", numbers_are_the_models},
    {NULL, NULL},
};

const struct suite suite_app_screens = {.name = "app_screens", .tests = tests};
