/* The explorer where a script of keys (test_scripts.c) cannot tell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "allocations.h"
#include "app_fixture.h"
#include "calls.h"
#include "check.h"
#include "draw.h"
#include "evaluations.h"
#include "fake_clock.h"
#include "model/load.h"
#include "session/change.h"
#include "systems.h"
#include "tui/widget.h"
#include "zoo.h"

TEST(help_lists_every_key)
{
    struct fixture f;
    const char *text;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "?");
    text = f.app->pager.text;
    for (int a = 0; a < action_count && CHECK(text != NULL); a++)
        CHECK_TRUE(strstr(text, actions[a].help) != NULL, "%s is missing", actions[a].name);
    fixture_press(&f, "Esc F1 PageDown End Home C-c");
    CHECK(!pager_is_open(&f.app->pager));
    for (char view[] = "2"; view[0] <= '9'; view[0]++) {
        char heading[48];

        fixture_press(&f, view);
        snprintf(heading, sizeof heading, "In %s\n", f.app->view->name);
        fixture_press(&f, "?");
        text = f.app->pager.text != NULL ? f.app->pager.text : "";
        CHECK_TRUE(strncmp(text, heading, strlen(heading)) == 0,
                   "help of view %s begins with %.40s", view, text);
        fixture_press(&f, "Esc");
    }
    fixture_close(&f);
}

/* A change waits at most two seconds for its recovery file, other keys or not. */
TEST(changes_are_soon_to_be_kept)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    CHECK_INT(recovery_due(f.app), -1);
    fixture_command(&f, "set scenario.packets=30");
    clock_tick(0.125);
    CHECK_INT(recovery_due(f.app), 1375);
    fixture_command(&f, "set scenario.packets=31");
    for (int readings = 0; readings < 20; readings++)
        recovery_due(f.app);
    CHECK_INT(recovery_due(f.app), 0);
    clock_tick(0);
    fixture_close(&f);
}

/* Keys at all sizes, also those that are too small. */
TEST(keys_at_every_size)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 10, 50))
        return;
    for (int rows = 1; rows <= 40; rows += 3)
        for (int columns = 1; columns <= 130; columns += 7) {
            canvas_init(&f.canvas, rows, columns, columns % 2 == 0);
            CHECK_INT(fixture_press(&f, "Right Tab ? Down Esc p Esc"), APP_CONTINUE);
        }
    fixture_close(&f);
}

/* However deep and however small, the focus is on the screen. */
TEST(everything_opens_on_a_small_screen)
{
    struct fixture f;
    const struct formulas *formulas;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    formulas = &f.app->formulas;
    fixture_press(&f, "Tab Tab x");
    for (int i = 0; i < 150; i++) {
        fixture_press(&f, "Down Right");
        CHECK(f.canvas.cursor_row >= formulas->list.area.row);
        CHECK(f.canvas.cursor_row < formulas->list.area.row + formulas->list.area.rows);
    }
    CHECK_TRUE(formulas->list.count > 150, "%d rows", formulas->list.count);
    fixture_close(&f);
}

TEST(overload_names_what_there_is_room_for)
{
    struct overload list[OVERLOAD_MAX];
    struct fixture f;
    const struct scenario *scenario;
    const struct result *result;
    char text[512];

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    scenario = &f.app->host.design.scenario;
    result = &f.app->host.design.result;
    CHECK_INT(load_list_overloads(scenario, result, list), 0);
    explore_overload_words(scenario, result, 2, 40, text, sizeof text);
    CHECK_STR(text, "");
    fixture_command(&f, "set device.gpu0.bus_bits=16 component.slopes.overhead=100 us "
                        "component.calibration.overhead=60 us");
    CHECK_INT(load_list_overloads(scenario, result, list), 4);
    CHECK_STR(list[0].name, "recon");
    CHECK_STR(list[1].name, "rtc");
    for (int i = 1; i < 4; i++)
        CHECK(list[i - 1].busy >= list[i].busy);
    explore_overload_words(scenario, result, 4, 60, text, sizeof text);
    CHECK(strstr(text, "recon on gpu0 is busy 37.3 ms of a 2.00 ms frame, 18.6 times") != NULL);
    CHECK(strstr(text, "calibration") != NULL && strstr(text, "slopes") != NULL);
    explore_overload_words(scenario, result, 1, 60, text, sizeof text);
    CHECK_STR(text, "OVERLOAD: recon on gpu0 18.6 times too slow, 3 more");
    explore_overload_words(scenario, result, 1, 46, text, sizeof text);
    CHECK_STR(text, "OVERLOAD: recon 18.6 times too slow, 3 more");
    fixture_close(&f);
}

/* The cells of a character in a row. */
static int count_cells(const struct fixture *f, struct rect line, uint32_t character)
{
    int count = 0;

    for (int c = 0; c < line.columns; c++)
        count +=
            f->canvas.cells[line.row * f->canvas.columns + line.column + c].character == character;
    return count;
}

/* The path of micado-scao has no waits, but delays. The bar ends where the latency ends, and what
 * has room for a name has one. */
TEST(path_hatches_delays)
{
    const struct result *result;
    struct rect path;
    struct fixture f;
    double delay = 0;
    int cells;

    if (!fixture_open(&f, "micado-scao", 24, 80))
        return;
    result = &f.app->host.design.result;
    path = f.app->explore.layout.verdict.path;
    for (int i = 0; i < result->path_count; i++)
        delay += result->path[i].wait + result->path[i].delay;
    cells = count_cells(&f, path, look_character(&f.canvas, look_of(LOOK_WAIT)->fill));
    CHECK_TRUE(cells > 0 && cells <= lround(delay / result->latency * path.columns) + 1, "%d cells",
               cells);
    CHECK_INT(count_cells(&f, (struct rect){path.row, path.column + path.columns - 1, 1, 1},
                          mark_character(&f.canvas, MARK_EDGE_RIGHT)),
              1);
    fixture_close(&f);
}

TEST(path_adds_up_to_the_latency)
{
    static const char *const systems[] = {"micado-scao", "elt-scao", "mavis", "saxo", "morfeo"};

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++) {
        const struct result *result;
        struct fixture f;
        double sum = 0;

        if (!fixture_open(&f, systems[s], 24, 80))
            return;
        result = &f.app->host.design.result;
        for (int i = 0; i < result->path_count; i++)
            sum += fmax(result->path[i].wait, 0) + fmax(result->path[i].busy, 0);
        CHECK_NEAR(sum, result->latency, 1e-9);
        fixture_close(&f);
    }
}

/* Whatever the system, the device that limits is listed first. */
TEST(what_limits_comes_first)
{
    static const char *const systems[] = {"micado-scao",  "elt-scao", "metis-scao", "nfiraos-lgs",
                                          "harmoni-ltao", "saxo",     "palm-3000"};

    for (size_t s = 0; s < sizeof systems / sizeof systems[0]; s++) {
        const struct tree_row *first;
        struct fixture f;
        int limiting;

        if (!fixture_open(&f, systems[s], 24, 80))
            return;
        limiting = explore_limiting_device(&f.app->host.design);
        first = &f.app->explore.tree.rows[0];
        CHECK_TRUE(limiting >= 0 && first->section == SECTION_DEVICE && first->index == limiting,
                   "%s: device %d is first, %d limits", systems[s], first->index, limiting);
        fixture_close(&f);
    }
}

static void count_essentials(const char *name, const struct scenario *scenario,
                             const struct result *result)
{
    (void)result;
    for (int s = 0; s < SECTION_COUNT; s++)
        for (int i = 0; i < section_count(scenario, (enum section)s); i++) {
            struct knob_ref ref = {.knob = NULL};
            int essential = 0;
            int all = 0;
            char path[64];

            section_path(scenario, (enum section)s, i, path, sizeof path);
            while (knob_next(scenario, &ref)) {
                if (ref.section != (enum section)s || ref.index != i ||
                    !tree_shows(scenario, ref.section, ref.index, ref.knob))
                    continue;
                all++;
                essential += ref.knob->essential;
            }
            CHECK_TRUE(essential >= (all < 3 ? all : 3) && essential <= 8,
                       "%s: %d of %d knobs of %s are essential", name, essential, all, path);
        }
}

/* The table makes 3 to 8 knobs of a section essential, of those that have an effect in the design. */
TEST(three_to_eight_knobs_are_essential)
{
    struct scenario zoo;

    systems_each(count_essentials);
    zoo_make(&zoo);
    count_essentials("zoo", &zoo, NULL);
}

/* Overhead that binds is the longer part of a bar; on a logarithmic scale there are no parts. */
TEST(bars_have_the_overhead_behind)
{
    static const int columns[] = {100, 120, 200};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct fixture f;
        struct rect inside;
        int overhead, memory;

        if (!fixture_open(&f, "elt-scao", 36, columns[i]))
            return;
        fixture_command(&f, "set component.recon.overhead=10 us");
        inside = rect_inside(f.app->explore.layout.components);
        inside.row += 5; /* below the titles, the camera and three others */
        inside.rows = 1;
        overhead = count_cells(&f, inside, 0x2591);
        memory = count_cells(&f, inside, 0x2592);
        CHECK_TRUE(overhead > memory && memory > 0, "%d columns: %d of overhead, %d of memory",
                   columns[i], overhead, memory);
        fixture_press(&f, "L");
        CHECK_INT(count_cells(&f, inside, 0x2592), 0);
        CHECK(count_cells(&f, inside, 0x2591) > overhead);
        fixture_close(&f);
    }
}

/* Nothing is a wait that only rounding makes. */
TEST(rounding_is_no_wait)
{
    struct fixture f;

    if (!fixture_open(&f, "dkist", 36, 100))
        return;
    fixture_press(&f, "Tab End Up");
    f.app->host.design.result.node[explore_node(&f.app->explore)].path_wait = 2e-19;
    app_draw(f.app, &f.canvas);
    CHECK_STR(f.app->explore.node, "control");
    fixture_shows(&f, "critical path ");
    fixture_hides(&f, "waits");
    fixture_close(&f);
}

/* Whatever both designs have is taken from the other, one value after the other; on the way the
 * design may be invalid. */
TEST(all_values_are_taken_over)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 36, 120))
        return;
    fixture_press(&f, "5 v");
    fixture_type(&f, "gmt");
    fixture_press(&f, "Enter Enter");
    for (int i = 0; i < 60; i++) {
        const struct compare_view *view = &f.app->compare;
        int first = 0;

        while (first < view->comparison.difference_count &&
               (view->comparison.difference[first].kind == DIFFERENCE_INSTANCE ||
                !view->comparison.difference[first].has[0] ||
                !view->comparison.difference[first].has[1]))
            first++;
        if (first >= view->comparison.difference_count ||
            view->comparison.difference[first].kind == DIFFERENCE_FOLLOWS)
            break;
        f.app->compare.list[COMPARE_KNOBS].focus = first;
        fixture_press(&f, "Enter");
        CHECK_TRUE(!f.app->host.notice.failed, "%s", f.app->host.notice.text);
    }
    CHECK_NEAR(f.app->compare.comparison.verdict.ratio, 1, 1e-12);
    fixture_close(&f);
}

/* Moving a knob on looks up its next value, evaluates and joins the step of undo in memory that is
 * there. */
TEST(moves_allocate_nothing)
{
    static const char *const paths[] = {"device.rtc.cores", "device.gpu0.memory_clock",
                                        "ao.actuators"};
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        struct host *host = &f.app->host;
        struct knob_ref ref;
        unsigned long before;

        if (!CHECK(knob_find(&host->design.scenario, paths[p], &ref, NULL) == STATUS_OK))
            continue;
        design_step(&host->design, ref, 1);
        design_step(&host->design, ref, 1);
        /* the first draws and so starts the threads */
        fixture_wait(&f);
        fixture_wait(&f);
        before = allocations();
        for (int i = 0; i < 8; i++)
            design_step(&host->design, ref, i % 2 == 0 ? -1 : 1);
        CHECK_TRUE(allocations() == before, "%s: %lu allocations", paths[p],
                   allocations() - before);
        CHECK_INT(host->design.history.position, p + 1);
    }
    fixture_close(&f);
}

/* A key that changes the design costs the screen's thread one evaluation whatever is shown, any
 * other key none. */
TEST(one_evaluation_per_key)
{
    static const char *const others[] = {"Down", "Up",  "Tab",    "S-Tab", "PageDown", "Home",
                                         "z",    "L",   "Esc",    "?",     "Esc",      "x",
                                         "Esc",  "End", "PageUp", "Z"};
    struct fixture f;
    struct knob_ref ref;
    unsigned long before;

    if (!fixture_open(&f, "micado-scao", 45, 160))
        return;
    for (const char *steps = "rlrrlllr"; *steps != '\0'; steps++) {
        before = evaluations();
        fixture_press(&f, *steps == 'r' ? "Right" : "Left");
        CHECK_INT(evaluations() - before, 1);
    }
    knob_find(&f.app->host.design.scenario, "device.gpu0.bus_bits", &ref, NULL);
    for (const char *view = "12345678"; *view != '\0'; view++) {
        fixture_press(&f, (char[]){*view, '\0'});
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            before = evaluations();
            fixture_press(&f, others[k]);
            CHECK_TRUE(evaluations() == before, "view %c, %s: %lu evaluations", *view, others[k],
                       evaluations() - before);
        }
        before = evaluations();
        design_step(&f.app->host.design, ref, *view % 2 == 0 ? 1 : -1);
        app_draw(f.app, &f.canvas);
        CHECK_TRUE(evaluations() - before == 1, "view %c, a step: %lu evaluations", *view,
                   evaluations() - before);
    }
    fixture_close(&f);
}

static void type_many(struct fixture *f, int count, bool pasted)
{
    const struct key_event event = {.key = 'x', .pasted = pasted};

    for (int i = 0; i < count; i++) {
        app_key(f->app, &event);
        if (!pasted)
            app_draw(f->app, &f->canvas);
    }
    app_draw(f->app, &f->canvas);
}

/* Returns how many characters are read of all texts that are drawn while a line is typed. */
static unsigned long glyphs_of_line(const char *opens, int length)
{
    struct fixture f;
    unsigned long before;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return 0;
    fixture_press(&f, opens);
    before = calls_so_far().glyphs;
    type_many(&f, length, false);
    fixture_close(&f);
    return calls_so_far().glyphs - before;
}

/* Each key costs the same, however much is on the line. */
TEST(typing_costs_the_same_per_key)
{
    static const char *const opens[] = {":", "/", "Enter", "S", "o", "g", "p"};

    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i += (size_t)draw_every(1)) {
        unsigned long little = glyphs_of_line(opens[i], 300);
        unsigned long much = glyphs_of_line(opens[i], 1200);

        CHECK_TRUE(little > 0 && much < 6 * little,
                   "%s: %lu characters for a line of 300, %lu for 1200", opens[i], little, much);
    }
}

/* What it leads to is found once. What has no room is left out, which is said. */
TEST(pasted_text_is_one_change)
{
    static const char *const opens[] = {"o", "p"};

    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        struct fixture f;
        unsigned long folders;

        if (!fixture_open(&f, "elt-scao", 24, 80))
            return;
        fixture_press(&f, opens[i]);
        folders = calls_so_far().folders;
        type_many(&f, LINE_MAX_BYTES, true);
        fixture_hides(&f, "the rest is left out");
        CHECK_INT(calls_so_far().folders - folders, i == 0 ? 1 : 0);
        type_many(&f, 100000, true);
        fixture_shows(&f, "a line has at most 4095 bytes: the rest is left out");
        fixture_close(&f);
    }
}

/* What has no room costs nothing: what the line leads to is not found again, and the main loop does
 * not draw. Where a character had no room a shorter one has none either. */
TEST(text_that_has_no_room)
{
    static const char *const opens[] = {"o", "/", ":"};
    const struct key_event last = {.key = 'x'};

    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        struct calls before;
        struct fixture f;

        if (!fixture_open(&f, "elt-scao", 24, 80))
            return;
        fixture_press(&f, opens[i]);
        type_many(&f, LINE_MAX_BYTES - 1, true);
        fixture_type(&f, "\xC3\xA9");
        before = calls_so_far();
        for (int n = 0; n < 1000; n++)
            CHECK_INT(app_key(f.app, &last), APP_REFUSED);
        CHECK_INT(calls_so_far().folders - before.folders, 0);
        CHECK_INT(calls_so_far().glyphs - before.glyphs, 0);
        fixture_press(&f, "Backspace");
        CHECK_INT(app_key(f.app, &last), APP_CONTINUE);
        CHECK_INT(app_key(f.app, &last), APP_CONTINUE);
        CHECK_INT(app_key(f.app, &last), APP_REFUSED);
        fixture_close(&f);
    }
}

TEST(comparison_has_a_chart)
{
    struct chart chart;
    struct fixture f;

    if (!fixture_open(&f, "harmoni-ltao", 24, 80))
        return;
    fixture_press(&f, "b 5");
    if (CHECK(f.app->view->chart(f.app->state, &chart))) {
        CHECK_INT(chart.count, 2);
        CHECK_INT(chart.item[0].count, chart.item[1].count);
        CHECK_INT(chart.rows, 3 * chart.item[0].count); /* and a blank one */
        CHECK(strstr(chart.heading, "this ") == chart.heading);
        CHECK(plot_axis_is_good(&chart.x));
        chart_free(&chart);
    }
    fixture_close(&f);
}

static bool open_sweep(struct fixture *f, const char *path, int rows, int columns)
{
    if (!fixture_open(f, "elt-scao", rows, columns))
        return false;
    fixture_show(f, path);
    fixture_press(f, "4");
    return fixture_wait(f);
}

TEST(every_result_and_size)
{
    struct fixture f;

    if (!open_sweep(&f, "scenario.packets", 16, 60))
        return;
    for (int i = 0; i < 16; i++) {
        fixture_press(&f, "PageDown Left Right");
        fixture_wait(&f);
        CHECK(f.app->sweep.grid.count > 0);
    }
    fixture_close(&f);
}

/* The value that a map has at a place. */
static double map_at(const struct chart *chart, const double part[2])
{
    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        if (item->kind == CHART_CELLS)
            return item->value[(int)(part[1] * item->rows) * item->columns +
                               (int)(part[0] * item->columns)];
    }
    return RESULT_NONE;
}

/* Wherever one looks at a map there is the design that is nearest to it: that of a mark or tick. */
TEST(map_shows_the_nearest)
{
    enum { STEPS = 97 };
    struct fixture f;
    const struct grid *grid;
    struct chart chart;

    if (!open_sweep(&f, "device.rtc.cores", 36, 120))
        return;
    fixture_press(&f, "e C-u");
    fixture_type(&f, "device.gpu0.bus_bits=512:2048:3:log scenario.packets=10:50:5");
    fixture_press(&f, "Enter");
    fixture_wait(&f);
    grid = &f.app->sweep.grid;
    if (CHECK_INT(grid->axis_count, 2) && CHECK(view_sweep.chart(&f.app->sweep, &chart))) {
        for (int i = 0; i < STEPS * STEPS; i++) {
            double part[2] = {(i % STEPS + 0.5) / STEPS, ((double)(i / STEPS) + 0.5) / STEPS};
            int column = grid_nearest(&grid->axis[0], plot_value(&chart.x, part[0]));
            int row = grid_nearest(&grid->axis[1], plot_value(&chart.y, part[1]));

            CHECK_NEAR(map_at(&chart, part), grid->value[row * grid->axis[0].count + column], 0);
        }
        chart_free(&chart);
    }
    fixture_close(&f);
}
