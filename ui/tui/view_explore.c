#include "tui/view_explore.h"

#include <stdio.h>
#include <string.h>

#include "charts/components.h"
#include "tui/app_state.h"
#include "tui/widget.h"

static void start(struct app *app)
{
    struct explore *explore = &app->explore;

    explore->node[0] = '\0';
    explore->node_first = explore->loop_first = 0;
    explore->dragging = false;
    tree_start(&explore->tree, &app->scenario);
    explore_jitter_start(app);
}

static void release(struct app *app)
{
    tree_free(&app->explore.tree);
    explore_jitter_free(app);
}

static void changed(struct app *app)
{
    tree_build(&app->explore.tree, &app->scenario);
    explore_jitter_changed(app);
}

static enum place place(const struct app *app)
{
    return app->explore.pane;
}

bool explore_knob(const struct app *app, struct knob_ref *ref)
{
    const struct tree_row *row = tree_row(&app->explore.tree);

    if (row->knob == NULL)
        return false;
    *ref = (struct knob_ref){row->section, row->index, row->knob};
    return true;
}

bool explore_section(const struct app *app, enum section *section, int *index)
{
    const struct tree_row *row = tree_row(&app->explore.tree);
    int node = explore_node(app);
    char name[NODE_NAME_MAX + 1];

    if (app->explore.pane == PLACE_KNOBS) {
        *section = row->section;
        *index = row->index;
        return true;
    }
    if (app->explore.pane != PLACE_COMPONENTS || node < 0)
        return false;
    *section = SECTION_COMPONENT;
    /* by name, as numbers are those of the design that could be evaluated last; a part's is
     * NAME@DEVICE */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(app->result.node[node].name, "@"),
             app->result.node[node].name);
    *index = app->result.node[node].component < 0
                 ? -1
                 : section_find(&app->scenario, SECTION_COMPONENT, name);
    return *index >= 0;
}

/* On the heading of a section: the result that its others stand behind. */
static bool path_of_section(const struct app *app, const struct tree_row *row, char *path,
                            size_t size)
{
    static const char *const results[SECTION_COUNT] = {[SECTION_COMPONENT] = "time",
                                                       [SECTION_DEVICE] = "utilisation",
                                                       [SECTION_WFS] = "valid_subaps"};
    size_t used;

    if (results[row->section] == NULL)
        return false;
    section_path(&app->scenario, row->section, row->index, path, size);
    used = strlen(path);
    snprintf(path + used, size - used, ".%s", results[row->section]);
    return true;
}

/* A knob; the first result of a section or component; the latency. */
static bool path_of(const struct app *app, char *path, size_t size)
{
    const struct tree_row *row = tree_row(&app->explore.tree);
    int node = explore_node(app);
    struct knob_ref ref;

    if (app->explore.pane == PLACE_LOOP) {
        snprintf(path, size, "latency");
        return true;
    }
    if (app->explore.pane == PLACE_COMPONENTS) {
        snprintf(path, size, "component.%s.time", node < 0 ? "" : app->result.node[node].name);
        return node >= 0;
    }
    if (explore_knob(app, &ref)) {
        knob_path(&app->scenario, ref, path, size);
        return true;
    }
    return path_of_section(app, row, path, size);
}

void explore_show(struct app *app, enum section section, int index, const struct knob *knob)
{
    struct tree *tree = &app->explore.tree;

    tree_focus(tree, &app->scenario, section, index, knob);
    if (knob == NULL)
        tree->at.first = tree->at.focus;
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    struct explore *explore = &app->explore;
    struct explore_rows wanted = {explore_component_rows(app), explore_device_rows(app),
                                  explore_loop_rows(app)};

    explore->layout = layout_explore(body, wanted);
    explore_draw_components(app, canvas, explore->layout.components);
    explore_draw_devices(app, canvas, explore->layout.devices);
    explore_draw_loop(app, canvas, explore->layout.loop);
    explore_draw_knobs(app, canvas, explore->layout.knobs);
}

static void detail(struct app *app, struct canvas *canvas, struct rect line)
{
    if (app->explore.pane == PLACE_KNOBS)
        explore_detail_knobs(app, canvas, line);
    else if (app->explore.pane == PLACE_COMPONENTS)
        explore_detail_components(app, canvas, line);
    else
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_DIM,
                    "RTC latency runs from the last pixel in to the last command out");
}

static void scroll_loop(struct explore *explore, int rows)
{
    explore->loop_first += rows;
    if (explore->loop_first > explore->loop_rows)
        explore->loop_first = explore->loop_rows;
    if (explore->loop_first < 0)
        explore->loop_first = 0;
}

static void act_loop(struct explore *explore, enum action_id id)
{
    int page = explore->layout.loop.rows - 2;

    if (id == ACTION_UP || id == ACTION_DOWN)
        scroll_loop(explore, id == ACTION_UP ? -1 : 1);
    else if (id == ACTION_PAGE_UP || id == ACTION_PAGE_DOWN)
        scroll_loop(explore, id == ACTION_PAGE_UP ? -page : page);
    else if (id == ACTION_START || id == ACTION_END)
        scroll_loop(explore, id == ACTION_START ? -explore->loop_rows : explore->loop_rows);
}

static void act(struct app *app, enum action_id id)
{
    struct explore *explore = &app->explore;
    int panes = PLACE_LOOP - PLACE_KNOBS + 1;

    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        int by = id == ACTION_NEXT_PANE ? 1 : panes - 1;

        explore->pane = (enum place)(((int)explore->pane + by) % panes);
    } else if (id == ACTION_LOG) {
        explore->logarithmic = !explore->logarithmic;
        app_say(app, STYLE_NORMAL, "bars on a %s scale",
                explore->logarithmic ? "logarithmic" : "linear");
    } else if (explore->pane == PLACE_KNOBS) {
        explore_act_knobs(app, id);
    } else if (explore->pane == PLACE_COMPONENTS) {
        explore_act_components(app, id);
    } else {
        act_loop(explore, id);
    }
}

static void mouse(struct app *app, const struct key_event *event)
{
    struct explore *explore = &app->explore;
    bool wheel = event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN;

    if (explore->dragging || rect_holds(explore->layout.knobs, event->row, event->column)) {
        explore_mouse_knobs(app, event);
    } else if (rect_holds(explore->layout.components, event->row, event->column)) {
        explore_mouse_components(app, event);
    } else if (rect_holds(explore->layout.loop, event->row, event->column)) {
        if (wheel)
            scroll_loop(explore, event->mouse == MOUSE_WHEEL_UP ? -1 : 1);
        else if (event->mouse == MOUSE_PRESS)
            explore->pane = PLACE_LOOP;
    }
}

void explore_go(struct app *app, enum section section, int index, const struct knob *knob,
                bool focus)
{
    explore_show(app, section, index, knob);
    if (!focus)
        return;
    app->view = &view_explore;
    if (knob == NULL)
        tree_open(&app->explore.tree, &app->scenario, section, index, true);
    app->explore.pane = PLACE_KNOBS;
}

struct knob_ref explore_search_from(const struct app *app, int by)
{
    const struct tree_row *row = tree_row(&app->explore.tree);
    struct knob_ref ref = {row->section, row->index, row->knob};

    if (ref.knob == NULL) {
        /* a heading stands before its first knob: one step forward must reach that one */
        ref.knob = &knobs[knob_section_first(row->section)];
        if (by > 0)
            tree_next_knob(&app->scenario, &ref, -1);
    }
    return ref;
}

void explore_keep(struct app *app)
{
    app->explore.found_from = app->explore.tree.at;
    app->explore.found_pane = app->explore.pane;
    app->explore.found_view = app->view;
}

void explore_back(struct app *app)
{
    struct explore *explore = &app->explore;

    explore->tree.at = explore->found_from;
    tree_build(&explore->tree, &app->scenario);
    explore->tree.at.focus = explore->found_from.focus;
    tree_move(&explore->tree, 0);
    explore->pane = explore->found_pane;
    app->view = explore->found_view;
}

static bool chart(struct app *app, struct chart *chart)
{
    if (!app->evaluated)
        return false;
    chart_components(chart, &app->result);
    return true;
}

static void table(const struct app *app, FILE *out, int columns)
{
    components_table(&app->result, out, columns);
}

const struct view view_explore = {
    .name = "explore",
    .start = start,
    .free = release,
    .changed = changed,
    .place = place,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
    .busy = explore_jitter_busy,
    .take = explore_jitter_take,
    .chart = chart,
    .table = table,
    .knob = explore_knob,
    .section = explore_section,
    .path = path_of,
};
